/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.h - files that are tracked and asked about again and again.
 */
#ifndef PCINSPECT_FOLLOW_H
#define PCINSPECT_FOLLOW_H

#include "collect/names.h"

/*
 * A file's name, and its mark, are gone before its pages are (do_unlinkat(),
 * fs/namei.c): how long to wait for the events of those.
 */
#define FOLLOW_LINGER_NS	(500 * 1000 * 1000)

int follow_start(struct follow *follow,
		 struct collect *collect,
		 char *const *paths, size_t nr_paths);
enum followed follow_one(struct follow *follow, size_t i);
void follow_audit(struct follow *follow);
size_t follow_renew(struct follow *follow);

#endif /* PCINSPECT_FOLLOW_H */
