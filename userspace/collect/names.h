/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - files over time, and the names that lead to them.
 */
#ifndef PCINSPECT_NAMES_H
#define PCINSPECT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "collect/collect.h"

/* Inodes that have lost their name to another and are shown beside it, at most. */
#define FOLLOW_PARTED		32

/**
 * struct follow_name - what is known of the name of a file
 * @place: where in its filesystem the inode was last, NULL: not known
 * @linked: it leads through links, which may come to lead elsewhere
 * @parted: the name leads to no file, or to another
 * @lost: the file had this name; another entry is of the name now
 * @refused: what is there now cannot be tracked, and that was said
 */
struct follow_name {
	char *place;
	bool linked;
	bool parted;
	bool lost;
	bool refused;
};

/**
 * struct follow - some files, over time
 * @collect: how they are asked about; @collect.report has them
 * @names: one for each file of the report; NULL: names are not followed
 * @room: allocated
 * @mounts: /proc/self/mountinfo, which tells of changes; -1: it does not
 * @moved: entry in which the inode now is that has just lost its name; -1: nowhere
 */
struct follow {
	struct collect *collect;
	struct follow_name *names;
	size_t room;
	int mounts;
	ssize_t moved;
};

/* enum followed - what became of a file */
enum followed {
	FOLLOWED,	/* it has answered */
	FOLLOWED_MOVED,	/* so has another inode, to which its path leads now */
	FOLLOWED_BUSY,	/* no answer this time */
	FOLLOWED_GONE,	/* deleted or unmounted */
};

void names_start(struct follow *follow);
void names_new(struct follow *follow, size_t i);
bool names_remounted(struct follow *follow);
enum followed names_look(struct follow *follow, size_t i, const char *place,
			 enum followed so_far);
void names_stop(struct follow *follow);

#endif /* PCINSPECT_NAMES_H */
