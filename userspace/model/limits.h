/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limits.h - limits on the cost of a run, and whether they hold.
 */
#ifndef PCINSPECT_MODEL_LIMITS_H
#define PCINSPECT_MODEL_LIMITS_H

#include "model/measures.h"
#include "model/report.h"

/* enum limit_op - how a number is held against a value */
enum limit_op {
	LIMIT_MOST, LIMIT_LEAST, LIMIT_LESS, LIMIT_MORE, LIMIT_IS, LIMIT_IS_NOT, NR_LIMIT_OPS
};

/* enum limit_result - what comes of it */
enum limit_result { LIMIT_OK, LIMIT_FAILED, LIMIT_UNKNOWN };

/**
 * struct limit - one
 * @text: as it was typed, or as --max and --min mean it
 * @name: the number's, or "verdict"
 * @verdict: which verdict; NULL: it is about a number
 * @op: how
 * @value: against what, in the number's unit, unless @bytes: then in bytes
 * @bytes: of a number of pages: @value is in bytes
 * @result: filled in by limits_judge(), as what follows
 * @known: the number is; else it is @least at least, if that is not 0
 * @least: it, or what of it is known
 * @why: of an unknown: why
 */
struct limit {
	char *text;
	char *name;
	char *verdict;
	enum limit_op op;
	double value;
	bool bytes;
	enum limit_result result;
	bool known;
	double least;
	const char *why;
};

#define MAX_LIMITS 64

/**
 * struct limits - all of them
 * @list: each
 * @nr: how many
 * @status: CMD's
 */
struct limits {
	struct limit list[MAX_LIMITS];
	size_t nr;
	int status;
};

char *limit_parse(struct limits *limits, const char *text, const char *op);
const char *limit_op_text(enum limit_op op);
const char *limit_result_word(enum limit_result result);
const char *limit_name(size_t i, const char **help);
const char *limit_unit(const char *name);
void limits_judge(struct limits *limits, const struct report *report);
enum limit_result limits_worst(const struct limits *limits);
void limits_free(struct limits *limits);

#endif /* PCINSPECT_MODEL_LIMITS_H */
