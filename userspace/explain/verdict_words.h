/* SPDX-License-Identifier: GPL-2.0 */
/*
 * verdict_words.h - what is to be said of each verdict whatever the numbers are.
 */
#ifndef PCINSPECT_VERDICT_WORDS_H
#define PCINSPECT_VERDICT_WORDS_H

/**
 * struct verdict_words - what is said of a verdict whatever its numbers are
 * @name: of the verdict
 * @why: which evidence separates it from its neighbours
 * @costs: what its remedy costs, or what is lost by it
 */
struct verdict_words {
	const char *name;
	const char *why;
	const char *costs;
};

const struct verdict_words *verdict_words(const char *name);

#endif /* PCINSPECT_VERDICT_WORDS_H */
