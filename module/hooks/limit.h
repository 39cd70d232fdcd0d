/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limit.h - the limit on the CPU time of probes.
 */
#ifndef PCINSPECT_LIMIT_H
#define PCINSPECT_LIMIT_H

#include <linux/types.h>

/* The users of probes that are watched. */
enum pcinspect_limit_user {
	LIMIT_READS, /* of tracked files, and a run */
	LIMIT_DEMAND, /* of the live view */
};

void pcinspect_limit_init(bool (*demand)(void), void (*reads)(void));
void pcinspect_limit_watch(enum pcinspect_limit_user user, bool watch);
void pcinspect_limit_exit(void);
unsigned int pcinspect_limit_permille(void);
unsigned int pcinspect_limit_max(void);

#endif /* PCINSPECT_LIMIT_H */
