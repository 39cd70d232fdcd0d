/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - two reports, and what differs between them.
 */
#ifndef PCINSPECT_MODEL_DIFF_H
#define PCINSPECT_MODEL_DIFF_H

#include "model/side.h"

/**
 * struct change - a number in both
 * @a: there
 * @b: and here; what is unknown, or in one only, is not known
 * @change_known: both are, and can be compared
 * @change: b less a
 * @ratio_known: and a is not 0
 * @ratio: b by a
 */
struct change {
	struct quantity a;
	struct quantity b;
	bool change_known;
	double change;
	bool ratio_known;
	double ratio;
};

/**
 * struct diff_row - an entry of one of them, or of both
 * @a: in the first; NULL: it is not there
 * @b: in the second
 * @weight: bytes that the number which differs most differs by
 * @differs: some number does
 */
struct diff_row {
	const struct side_row *a;
	const struct side_row *b;
	double weight;
	bool differs;
};

/**
 * struct diff - what differs
 * @a: the first
 * @b: the second
 * @rows: entries, what differs most first
 * @nr: how many
 * @total: of all files of each, an inode once
 * @summed: there are files in both, and several in one
 * @notes: why they may not be compared, in words
 * @nr_notes: how many
 */
struct diff {
	struct side *a;
	struct side *b;
	struct diff_row *rows;
	size_t nr;
	struct side_row total[2];
	bool summed;
	char **notes;
	size_t nr_notes;
	size_t notes_room;
};

struct change change_of(const struct diff *diff, const struct quantity *a,
			const struct quantity *b, bool pages);
bool diff_number(const struct diff *diff, const struct side_row *a, const struct side_row *b,
		 size_t *i, struct measure *m, struct change *change);
const char *diff_value(const struct diff *diff, const struct side_values *a,
		       const struct side_values *b, size_t *i, struct change *change);
const struct side_verdict *diff_verdict(const struct side *in, const struct side_verdict *v);
void diff_make(struct diff *diff, struct side *a, struct side *b);
void diff_free(struct diff *diff);

#endif /* PCINSPECT_MODEL_DIFF_H */
