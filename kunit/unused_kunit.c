// SPDX-License-Identifier: GPL-2.0-only
/*
 * unused_kunit.c - the bitmap of unused readahead pages: what is set is cleared
 * once, over word and chunk borders, whatever the order.
 */
#include <kunit/test.h>

#include "records/unused.h"

static int used_setup(struct kunit *test)
{
	test->priv = pcinspect_unused_alloc(GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void used_teardown(struct kunit *test)
{
	pcinspect_unused_free(test->priv);
}

struct used_case {
	const char *name;
	u64 set;
	unsigned int nr;
	u64 first;
	u64 last;
	u64 cleared;
};

static const struct used_case used_cases[] = {
	{ "one page", 5, 1, 5, 5, 1 },
	{ "one word", 64, 64, 64, 127, 64 },
	{ "last page of a chunk", 1023, 1, 1023, 1023, 1 },
	{ "over a chunk's border", 1000, 100, 0, 5000, 100 },
	{ "a part of it", 1000, 100, 1010, 1030, 21 },
	{ "beside it", 1000, 100, 0, 999, 0 },
	{ "behind it", 1000, 100, 1100, 9999, 0 },
	{ "three chunks", 512, 2560, 0, 9999, 2560 },
	{ "far away", 1ULL << 40, 32, (1ULL << 40) + 31, (1ULL << 40) + 99, 1 },
};

static void used_describe(const struct used_case *c, char *buf)
{
	strscpy(buf, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(used, used_cases, used_describe);

static void used_set_and_clear(struct kunit *test)
{
	const struct used_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, 0U,
			pcinspect_unused_set(test->priv, c->set, c->nr));
	KUNIT_EXPECT_EQ(test, c->cleared,
			pcinspect_unused_clear(test->priv, c->first, c->last));
	KUNIT_EXPECT_EQ(test, 0ULL,
			pcinspect_unused_clear(test->priv, c->first, c->last));
	KUNIT_EXPECT_EQ(test, c->nr - c->cleared,
			pcinspect_unused_clear(test->priv, c->set,
					       c->set + c->nr));
}

static void used_empty(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 0ULL,
			pcinspect_unused_clear(test->priv, 0, 1ULL << 40));
}

static struct kunit_case used_tests[] = { KUNIT_CASE_PARAM(used_set_and_clear,
							   used_gen_params),
					  KUNIT_CASE(used_empty),
					  {} };

static struct kunit_suite used_suite = {
	.name = "pcinspect_used",
	.init = used_setup,
	.exit = used_teardown,
	.test_cases = used_tests,
};

kunit_test_suite(used_suite);
