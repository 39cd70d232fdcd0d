/* SPDX-License-Identifier: GPL-2.0 */
/*
 * file.h - what the panes about the selected file have in common.
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
 */
struct pcinspect_subject {
	const struct pcinspect_file *file;
	const struct pcinspect_file *before;
	struct pcinspect_pane *pane;
	bool raw;
};

struct pcinspect_subject pcinspect_subject(const struct pcinspect_screen *screen,
				       struct pcinspect_pane *pane);
void pcinspect_subject_title(const struct pcinspect_subject *a, const char *text);
void pcinspect_subject_number(const struct pcinspect_subject *a, const char *name,
			    enum pcinspect_field field);
void pcinspect_subject_count(const struct pcinspect_subject *a, const char *name,
			   bool known, uint64_t value);
void pcinspect_subject_factor(const struct pcinspect_subject *a, bool known, double x);

#endif /* PCINSPECT_SCREEN_FILE_H */
