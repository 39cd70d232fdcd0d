/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test.h - the little a unit test needs: count, compare, say, fail.
 */
#ifndef PCINSPECT_TEST_H
#define PCINSPECT_TEST_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "uapi/pcinspect.h"

static int test_failures __attribute__((unused));

#define CHECK(name, good)						\
	do {								\
		int good_ = (good);					\
		printf("%s - %s%s\n", good_ ? "ok" : "not ok", name,	\
		       good_ ? "" : " # " #good);			\
		test_failures += !good_;				\
	} while (0)

#define CHECK_STR(name, got, want)					\
	do {								\
		const char *got_ = (got), *want_ = (want);		\
		int good_ = !strcmp(got_, want_);			\
		printf("%s - %s", good_ ? "ok" : "not ok", name);	\
		if (!good_)						\
			printf(" # got %s, want %s", got_, want_);	\
		putchar('\n');						\
		test_failures += !good_;				\
	} while (0)

/* Has JSON of the machine, of cgroups what every report has? */
static inline int has_common_keys(const char *text)
{
	static const char *const keys[] = {
		"\"format\": \"pcinspect-report\"", "\"lru\": ", "\"interval_ns\": null",
		"\"devices\": null", "\"inodes\": null", "\"events\": null", "\"windows\": null",
		"\"dirty_times\": null", "\"probes_missed\": null", "\"files\": [",
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strstr(text, keys[i]))
			return 0;
	return 1;
}

/* A line and its indentation are a space, so that a test need not know where JSON has lines. */
static inline char *one_line(char *text)
{
	char *from = text, *to = text;

	while (*from) {
		if (*from != '\n') {
			*to++ = *from++;
			continue;
		}
		*to++ = ' ';
		from += strspn(from, "\n ");
	}
	*to = '\0';
	return text;
}

/* Numbers that are known, each before its value; ends with -1. */
static inline void know(struct pcinspect_snapshot *snap, ...)
{
	va_list args;
	int number;

	va_start(args, snap);
	while ((number = va_arg(args, int)) >= 0) {
		snap->known[number / 64] |= 1ULL << number % 64;
		if (snap->nr_numbers <= (unsigned int)number)
			snap->nr_numbers = number + 1;
		snap->numbers[number] = va_arg(args, unsigned int);
	}
	va_end(args);
}

#endif /* PCINSPECT_TEST_H */
