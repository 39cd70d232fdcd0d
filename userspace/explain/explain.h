/* SPDX-License-Identifier: GPL-2.0 */
/*
 * explain.h - from the numbers of a report to what is wrong, in words.
 */
#ifndef PCINSPECT_EXPLAIN_H
#define PCINSPECT_EXPLAIN_H

#include <stddef.h>

#include "model/report.h"

/**
 * struct pcinspect_verdict - one thing that is wrong
 * @name: in a word, for programs
 * @file: with which file
 * @text: for people, with the numbers and a remedy
 * @weight: bytes it cost; the list is sorted by it
 */
struct pcinspect_verdict {
	const char *name;
	const struct pcinspect_file *file;
	char *text;
	double weight;
};

size_t pcinspect_explain(const struct pcinspect_report *report,
			 struct pcinspect_verdict **list);
void pcinspect_verdicts_free(struct pcinspect_verdict *list, size_t n);

#endif /* PCINSPECT_EXPLAIN_H */
