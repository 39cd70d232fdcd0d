// SPDX-License-Identifier: GPL-2.0
/*
 * dirty_kunit.c - ages fall into exactly one bucket, bounds into the lower.
 */
#include <kunit/test.h>
#include <linux/time64.h>

#include "dirty.h"

static void dirty_buckets(struct kunit *test)
{
	static const u32 bounds_ms[] = {
		10, 100, 500, 1000, 2000, 5000, 10000, 30000, 60000,
	};
	unsigned int i;

	KUNIT_EXPECT_EQ(test, 0U, pcinspect_dirty_bucket(0));
	for (i = 0; i < ARRAY_SIZE(bounds_ms); i++) {
		u64 bound = (u64)bounds_ms[i] * NSEC_PER_MSEC;

		KUNIT_EXPECT_EQ(test, i, pcinspect_dirty_bucket(bound));
		KUNIT_EXPECT_EQ(test, i + 1, pcinspect_dirty_bucket(bound + 1));
	}
	KUNIT_EXPECT_EQ(test, PCINSPECT_NR_AGES - 1U,
			pcinspect_dirty_bucket(~0ULL));
}

static struct kunit_case dirty_tests[] = { KUNIT_CASE(dirty_buckets), {} };

static struct kunit_suite dirty_suite = {
	.name = "pcinspect_dirty",
	.test_cases = dirty_tests,
};

kunit_test_suite(dirty_suite);
