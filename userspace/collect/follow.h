/* SPDX-License-Identifier: GPL-2.0 */
/*
 * follow.h - files that are tracked and asked about again and again.
 */
#ifndef PCINSPECT_FOLLOW_H
#define PCINSPECT_FOLLOW_H

#include <stddef.h>
#include <stdint.h>

#include "collect/collect.h"

/*
 * A file's name, and its mark, are gone before its pages are (do_unlinkat(),
 * fs/namei.c): how long to wait for the events of those.
 */
#define PCINSPECT_LINGER_NS	(500 * 1000 * 1000)

/**
 * struct pcinspect_follow - some files, over time
 * @collect: how they are asked about; @collect.report has them
 */
struct pcinspect_follow {
	struct pcinspect_collect *collect;
};

/* enum pcinspect_followed - what became of a file */
enum pcinspect_followed {
	FOLLOWED,	/* it has answered */
	FOLLOWED_MOVED,	/* so has another inode, to which its path leads now */
	FOLLOWED_BUSY,	/* no answer this time */
	FOLLOWED_GONE,	/* deleted or unmounted */
};

int pcinspect_follow_start(struct pcinspect_follow *follow,
			   struct pcinspect_collect *collect,
			   char *const *paths, size_t nr_paths);
enum pcinspect_followed pcinspect_follow_one(struct pcinspect_follow *follow, size_t i);
void pcinspect_follow_audit(struct pcinspect_follow *follow);
size_t pcinspect_follow_renew(struct pcinspect_follow *follow);

#endif /* PCINSPECT_FOLLOW_H */
