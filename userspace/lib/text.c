// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - sizes, counts, times and shares in few characters. Pure.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"

/* Bytes with a unit: 5, 4K, 1.5M. */
void size_text(char *out, size_t size, uint64_t bytes)
{
	static const char units[] = "BKMGTPE";
	unsigned int unit = 0;
	double value = bytes;

	if (bytes < 1024) {
		snprintf(out, size, "%u", (unsigned int)bytes);
		return;
	}
	while (value >= 1024 && unit < 6) {
		value /= 1024;
		unit++;
	}
	if (value < 10 && value != (uint64_t)value)
		snprintf(out, size, "%.1f%c", value, units[unit]);
	else
		snprintf(out, size, "%.0f%c", value, units[unit]);
}

/**
 * count_text() - a count in few columns
 * @out: text
 * @size: of it
 * @value: the count
 * @raw: exactly, however long
 *
 * Up to 99999 it is exact anyway.
 */
void count_text(char *out, size_t size, uint64_t value, bool raw)
{
	static const char units[] = "kMGTPE";
	double scaled = value;
	int unit = -1;

	if (raw || value < 100000) {
		snprintf(out, size, "%" PRIu64, value);
		return;
	}
	while (scaled >= 999.5) {
		scaled /= 1000;
		unit++;
	}
	snprintf(out, size, scaled < 9.95 ? "%.1f%c" : "%.0f%c", scaled, units[unit]);
}

/* A time in few columns. */
void duration_text(char *out, size_t size, uint64_t ns)
{
	if (ns < 1000000)
		snprintf(out, size, "%.0fus", ns / 1e3);
	else if (ns < 1000000000)
		snprintf(out, size, "%.1fms", ns / 1e6);
	else if (ns < 100000000000)
		snprintf(out, size, "%.1fs", ns / 1e9);
	else
		snprintf(out, size, "%.0fs", ns / 1e9);
}

/**
 * words_differ() - how many letters are wrong, missing, too many or exchanged
 * @a: a word of at most 31 letters
 * @b: what was typed
 *
 * Return: so many; the length of the longer if there is nothing to compare.
 */
size_t words_differ(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), i, k, best;
	size_t row[3][32], *before = row[0], *last = row[1], *now = row[2], *rest;

	if (n > 31 || m > 31)
		return n > m ? n : m;
	for (k = 0; k <= m; k++)
		last[k] = before[k] = k;
	for (i = 1; i <= n; i++) {
		now[0] = i;
		for (k = 1; k <= m; k++) {
			best = last[k - 1] + (a[i - 1] != b[k - 1]);
			if (last[k] + 1 < best)
				best = last[k] + 1;
			if (now[k - 1] + 1 < best)
				best = now[k - 1] + 1;
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
			    before[k - 2] + 1 < best)
				best = before[k - 2] + 1;
			now[k] = best;
		}
		rest = before;
		before = last;
		last = now;
		now = rest;
	}
	return last[m];
}

/**
 * like_word() - is a word perhaps the one that was meant
 * @like: of what was typed
 * @word: one of the words that there are
 */
void like_word(struct like *like, const char *word)
{
	char typed[32], lower[32];
	size_t i, len = like->len < sizeof(typed) ? like->len : sizeof(typed) - 1, differ;

	for (i = 0; i < len; i++)
		typed[i] = tolower((unsigned char)like->typed[i]);
	typed[i] = '\0';
	for (i = 0; word[i] && i < sizeof(lower) - 1; i++)
		lower[i] = tolower((unsigned char)word[i]);
	lower[i] = '\0';
	differ = words_differ(lower, typed);
	/* Of a short word nothing would be left. Of equals: the one that was typed, and more. */
	if (differ >= LIKE_MOST || differ >= i || (like->word && differ > like->differ) ||
	    (like->word && differ == like->differ && strncmp(lower, typed, i)))
		return;
	like->word = word;
	like->differ = differ;
}

/**
 * bar_text() - share @width cells among parts
 * @out: @width + 1 bytes
 * @parts: sizes
 * @letters: one for each part
 * @n: how many parts
 * @width: cells
 *
 * A part that is not 0 gets at least one cell while there are cells enough;
 * with nothing to show the bar is all dots. Example: 3 and 1 of 8 cells are
 * "AAAAAAii".
 */
void bar_text(char *out, const __u64 *parts, const char *letters, int n, int width)
{
	uint64_t total = 0, left;
	int i, used = 0, waiting = 0;

	memset(out, '.', width);
	out[width] = '\0';
	for (i = 0; i < n; i++) {
		total += parts[i];
		waiting += parts[i] != 0;
	}
	left = total;
	for (i = 0; i < n && left; i++) {
		int cells;

		if (!parts[i])
			continue;
		waiting--;
		cells = (double)parts[i] / left * (width - used) + 0.5;
		if (cells > width - used - waiting)
			cells = width - used - waiting;
		if (cells < 1)
			cells = width - used > 0 ? 1 : 0;
		memset(out + used, letters[i], cells);
		used += cells;
		left -= parts[i];
	}
}

/**
 * text_wrap() - words, in lines that are not wider than a screen
 * @to: where
 * @text: words, apart by single spaces
 * @at: column where we are
 * @indent: column where further lines begin
 * @width: columns of the screen
 *
 * A word that is wider than that has a line to itself.
 */
void text_wrap(FILE *to, const char *text, int at, int indent, int width)
{
	bool first = true;
	int len, wide, n;

	for (; *text; text += len, text += *text == ' ') {
		len = strcspn(text, " ");
		/* Of UTF-8, bytes that begin a character. */
		for (n = wide = 0; n < len; n++)
			wide += (text[n] & 0xc0) != 0x80;
		if (!first && at + 1 + wide > width) {
			fprintf(to, "\n%*s", indent, "");
			at = indent;
			first = true;
		}
		fprintf(to, "%s%.*s", first ? "" : " ", len, text);
		at += !first + wide;
		first = false;
	}
	putc('\n', to);
}

/**
 * share_text() - how much of a whole, for people
 * @out: the text
 * @size: of it
 * @percent: rounded down: what is not all is not 100 %, what is something is not 0
 */
void share_text(char *out, size_t size, double percent)
{
	if (percent > 0 && percent < 1)
		snprintf(out, size, "<1%%");
	else
		snprintf(out, size, "%ju%%", (uintmax_t)percent);
}
