/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * borrow.h - settings that are changed for a while, and put back whatever happens.
 */
#ifndef PCINSPECT_BORROW_H
#define PCINSPECT_BORROW_H

#include <stdbool.h>
#include <sys/types.h>

#define BORROW_DIR "/run/pcinspect"

/**
 * struct borrow - who borrows settings
 * @dir: directory of the state, open
 * @lock: held while anything may be changed, and shared with the guardian; -1: nothing may be
 * @pipe: a socket, whose end the guardian waits for
 * @guardian: outlives us, and puts back what we do not
 * @lines: what is to be put back, a line each, as in the file; NULL: nothing is
 */
struct borrow {
	int dir;
	int lock;
	int pipe;
	pid_t guardian;
	char *lines;
};

bool borrow_lasts(void);
bool borrow_is_left(const char *dir);
void borrow_nothing(struct borrow *borrow);
bool borrow_begin(struct borrow *borrow, const char *dir);
bool borrow_set(struct borrow *borrow, const char *path, const char *value);
int borrow_cgroup(struct borrow *borrow, const char *knob, const char *value);
bool borrow_return(struct borrow *borrow);
bool borrow_end(struct borrow *borrow);

#endif /* PCINSPECT_BORROW_H */
