/* SPDX-License-Identifier: GPL-2.0 */
/*
 * test.h - the little a unit test needs: count, compare, say, fail.
 */
#ifndef PCINSPECT_TEST_H
#define PCINSPECT_TEST_H

#include <stdio.h>
#include <string.h>

static int test_failures;

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

#endif /* PCINSPECT_TEST_H */
