/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - sizes, counts, times and shares in few characters.
 */
#ifndef PCINSPECT_TEXT_H
#define PCINSPECT_TEXT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void size_text(char *out, size_t size, uint64_t bytes);
void count_text(char *out, size_t size, uint64_t value, bool raw);
void duration_text(char *out, size_t size, uint64_t ns);
size_t words_differ(const char *a, const char *b);

/* At most one letter less than this is wrong in a word that was perhaps meant. */
#define LIKE_MOST 3

/**
 * struct like - the word that was perhaps meant
 * @typed: it
 * @len: of it
 * @word: the nearest so far, NULL: none is near
 * @differ: how many letters differ
 */
struct like {
	const char *typed;
	size_t len;
	const char *word;
	size_t differ;
};

void like_word(struct like *like, const char *word);
void bar_text(char *out, const __u64 *parts, const char *letters, int n, int width);
void text_wrap(FILE *to, const char *text, int at, int indent, int width);

void share_text(char *out, size_t size, double percent);

#endif /* PCINSPECT_TEXT_H */
