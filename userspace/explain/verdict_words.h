/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verdict_words.h - the fixed words of each verdict.
 */
#ifndef PCINSPECT_VERDICT_WORDS_H
#define PCINSPECT_VERDICT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct verdict_words - what is said of a verdict whatever its numbers are
 * @name: of the verdict
 * @why: which evidence separates it from its neighbours
 * @costs: what its remedy costs, or what is lost by it
 * @whole: of the machine, or a cgroup: no rule about files says it
 */
struct verdict_words {
	const char *name;
	const char *why;
	const char *costs;
	bool whole;
};

const struct verdict_words *verdict_words(const char *name);
const struct verdict_words *verdict_words_at(size_t i);

#endif /* PCINSPECT_VERDICT_WORDS_H */
