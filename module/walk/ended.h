/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ended.h - the superblocks that records name, and the records whose inodes are
 * not met there.
 */
#ifndef PCINSPECT_ENDED_H
#define PCINSPECT_ENDED_H

#include <linux/types.h>
#include "uapi/pcinspect.h"
#include "walk/super.h"

struct pcinspect_rows;
struct pcinspect_emitted;

/* Superblocks of records that can be distinguished. */
#define PCINSPECT_ENDED_NR_SUPERS 256

/*
 * struct pcinspect_ended_super - a superblock that some record names
 * @missed: records that could not be looked for
 * @busy: could not be looked at to the end
 * @gone: is not there any more
 */
struct pcinspect_ended_super {
	struct pcinspect_super super;
	unsigned int missed;
	bool busy;
	bool gone;
};

/* struct pcinspect_ended_supers - all of them; of more, records are missed */
struct pcinspect_ended_supers {
	struct pcinspect_ended_super supers[PCINSPECT_ENDED_NR_SUPERS];
	unsigned int nr;
};

/*
 * struct pcinspect_ended - one search for the inodes of all records
 * @supers: where
 * @number: of this scan: pcinspect_record.seen of those that were met
 * @sees_removals: removals are counted everywhere
 * @missed: records of superblocks that are not in @supers
 * @rows: where it is emitted, with the next two
 * @turns: how it went with the superblocks when rows were made: @supers, or
 *	those of an earlier search
 * @emitted: inodes on earlier pages, NULL: there are none
 */
struct pcinspect_ended {
	struct pcinspect_ended_supers *supers;
	unsigned long number;
	bool sees_removals;
	unsigned int missed;
	struct pcinspect_rows *rows;
	struct pcinspect_ended_supers *turns;
	const struct pcinspect_emitted *emitted;
};

void pcinspect_ended_learn(struct pcinspect_ended_supers *supers);
void pcinspect_ended_begin(struct pcinspect_ended *ended,
			   struct pcinspect_ended_supers *supers);
int pcinspect_ended_visited(struct pcinspect_ended_super *known, int err);
int pcinspect_ended_skipped(struct pcinspect_rows *rows, const char *fs,
			    u32 dev, unsigned int inodes);
int pcinspect_ended_rows(struct pcinspect_ended *ended);

#endif /* PCINSPECT_ENDED_H */
