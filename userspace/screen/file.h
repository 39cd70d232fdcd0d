/* SPDX-License-Identifier: GPL-2.0 */
/*
 * file.h - the parts of what is said about the selected file, and what they have in
 * common.
 */
#ifndef PCINSPECT_SCREEN_FILE_H
#define PCINSPECT_SCREEN_FILE_H

#include "screen/draw.h"

/**
 * struct pcinspect_subject - what every line needs
 * @file: the file
 * @before: the same at the last tick, or NULL
 * @pane: where to write
 * @raw: exact numbers
 * @screen: the rest
 * @spare: lines that charts and lists may have more than they need, up to 4
 */
struct pcinspect_subject {
	const struct pcinspect_file *file;
	const struct pcinspect_file *before;
	struct pcinspect_pane *pane;
	bool raw;
	const struct pcinspect_screen *screen;
	int spare;
};

void pcinspect_subject_title(const struct pcinspect_subject *a, const char *text);
void pcinspect_subject_number(const struct pcinspect_subject *a, const char *name,
			    enum pcinspect_field field);
void pcinspect_subject_count(const struct pcinspect_subject *a, const char *name,
			   bool known, uint64_t value);
void pcinspect_subject_factor(const struct pcinspect_subject *a, bool known, double x);

void pcinspect_part_head(const struct pcinspect_subject *a);
void pcinspect_part_lru(const struct pcinspect_subject *a);
void pcinspect_part_reads(const struct pcinspect_subject *a);
void pcinspect_part_rates(const struct pcinspect_subject *a);
void pcinspect_part_audits(const struct pcinspect_subject *a);
void pcinspect_part_tasks(const struct pcinspect_subject *a);
void pcinspect_part_timeline(const struct pcinspect_subject *a);
void pcinspect_part_dirty(const struct pcinspect_subject *a);
void pcinspect_part_fsyncs(const struct pcinspect_subject *a);

#endif /* PCINSPECT_SCREEN_FILE_H */
