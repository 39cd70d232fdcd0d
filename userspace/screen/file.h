/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - the parts of what is said about the selected file, and what they have in
 * common.
 */
#ifndef PCINSPECT_SCREEN_FILE_H
#define PCINSPECT_SCREEN_FILE_H

#include "screen/state.h"

/**
 * struct subject - what every line needs
 * @file: the file
 * @before: the same at the last tick, or NULL
 * @pane: where to write
 * @raw: exact numbers
 * @screen: the rest
 * @spare: lines that charts and lists may have more than they need, up to 4
 */
struct subject {
	const struct file *file;
	const struct file *before;
	struct pane *pane;
	bool raw;
	const struct screen *screen;
	int spare;
};

void subject_title(const struct subject *a, const char *text);
void subject_number(const struct subject *a, const char *name,
		    enum pcinspect_number number);
void subject_count(const struct subject *a, const char *name, bool known, uint64_t value);
void subject_factor(const struct subject *a, bool known, double x);

void part_head(const struct subject *a);
void part_lru(const struct subject *a);
void part_reads(const struct subject *a);
void part_rates(const struct subject *a);
void part_audits(const struct subject *a);
void part_tasks(const struct subject *a);
bool subject_all_zero(const struct subject *a, const enum pcinspect_number *numbers, size_t n);
bool subject_quiet(const struct subject *a);
void part_chart(const struct subject *a);
void part_timeline(const struct subject *a);
void part_dirty(const struct subject *a);
void part_fsyncs(const struct subject *a);

#endif /* PCINSPECT_SCREEN_FILE_H */
