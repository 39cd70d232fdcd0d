// SPDX-License-Identifier: GPL-2.0-only
/*
 * dirty_kunit.c - ages fall into exactly one bucket, bounds into the lower.
 */
#include <kunit/test.h>
#include <linux/pagemap.h>
#include <linux/time64.h>

#include "records/dirty.h"

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

/* A time is kept over redirtying, and found by its own index only. */
static void dirty_times(struct kunit *test)
{
	struct pcinspect_dirty *dirty = pcinspect_dirty_alloc(GFP_KERNEL);
	u64 far = 1ULL << 40;

	KUNIT_ASSERT_NOT_NULL(test, dirty);
	KUNIT_EXPECT_EQ(test, 0U, pcinspect_dirty_forget(dirty, 5, 1));
	KUNIT_EXPECT_EQ(test, (int)DIRTY_NEW,
			(int)pcinspect_dirty_set(dirty, 5, 1));
	KUNIT_EXPECT_EQ(test, (int)DIRTY_KEPT,
			(int)pcinspect_dirty_set(dirty, 5, 1));
	KUNIT_EXPECT_EQ(test, (int)DIRTY_NEW,
			(int)pcinspect_dirty_set(dirty, far, 16));
	KUNIT_EXPECT_EQ(test, 17ULL, dirty->pages);
	KUNIT_EXPECT_EQ(test, 0U, pcinspect_dirty_forget(dirty, 6, 1));
	KUNIT_EXPECT_NE(test, 0U, pcinspect_dirty_forget(dirty, 5, 1));
	KUNIT_EXPECT_EQ(test, 0U, pcinspect_dirty_forget(dirty, 5, 1));
	KUNIT_EXPECT_NE(test, 0U, pcinspect_dirty_forget(dirty, far, 16));
	KUNIT_EXPECT_EQ(test, 0ULL, dirty->pages);
	KUNIT_EXPECT_EQ(test, 0UL, dirty->at.nr);
	pcinspect_dirty_free(dirty);
}

/* Chunks go with their last time, and what is left with the inode. */
static void dirty_memory(struct kunit *test)
{
	struct pcinspect_dirty *dirty = pcinspect_dirty_alloc(GFP_KERNEL);
	struct pcinspect_dirty *other = pcinspect_dirty_alloc(GFP_KERNEL);
	u64 *numbers = kunit_kcalloc(test, PCINSPECT_NR_NUMBERS,
				     sizeof(*numbers), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, dirty);
	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_ASSERT_NOT_NULL(test, numbers);
	for (i = 0; i < 1000; i++) {
		pcinspect_dirty_set(dirty, i, 1);
		pcinspect_dirty_set(other, 64ULL * i, 1);
	}
	KUNIT_EXPECT_EQ(test, 16UL, dirty->at.nr);
	KUNIT_EXPECT_EQ(test, 1000UL, other->at.nr);
	for (i = 0; i < 2000; i++)
		pcinspect_dirty_count(dirty, i, 1, numbers);
	KUNIT_EXPECT_EQ(test, 1000ULL, numbers[PCINSPECT_UNKNOWN_AGE_PAGES]);
	for (i = 0; i < 1000; i++)
		pcinspect_dirty_forget(dirty, i, 1);
	KUNIT_EXPECT_EQ(test, 0UL, dirty->at.nr);
	KUNIT_EXPECT_EQ(test, 1000UL, other->at.nr);
	pcinspect_dirty_free(dirty);
	pcinspect_dirty_free(other);
}

/*
 * A dirty folio is split: only its first part has a time. The number of dirty
 * pages is too high then, until none is dirty.
 */
static void dirty_split(struct kunit *test)
{
	struct pcinspect_dirty *dirty = pcinspect_dirty_alloc(GFP_KERNEL);
	struct address_space *mapping;
	u64 pages = 0;

	KUNIT_ASSERT_NOT_NULL(test, dirty);
	mapping = kunit_kzalloc(test, sizeof(*mapping), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, mapping);
	xa_init_flags(&mapping->i_pages, XA_FLAGS_LOCK_IRQ);
	pcinspect_dirty_watch(dirty, true, false);

	pcinspect_dirty_set(dirty, 64, 64);
	pcinspect_dirty_doubt(dirty);
	pcinspect_dirty_forget(dirty, 64, 32);
	pcinspect_dirty_forget(dirty, 96, 32);
	KUNIT_EXPECT_TRUE(test, pcinspect_dirty_total(dirty, mapping, &pages));
	KUNIT_EXPECT_EQ(test, 0ULL, pages);

	pcinspect_dirty_set(dirty, 0, 16);
	xa_store(&mapping->i_pages, 0, xa_mk_value(1), GFP_KERNEL);
	xa_set_mark(&mapping->i_pages, 0, PAGECACHE_TAG_DIRTY);
	KUNIT_EXPECT_TRUE(test, pcinspect_dirty_total(dirty, mapping, &pages));
	KUNIT_EXPECT_EQ(test, 16ULL, pages);

	xa_destroy(&mapping->i_pages);
	pcinspect_dirty_free(dirty);
}

static struct kunit_case dirty_tests[] = {
	KUNIT_CASE(dirty_buckets),
	KUNIT_CASE(dirty_times),
	KUNIT_CASE(dirty_memory),
	KUNIT_CASE(dirty_split),
	{},
};

static struct kunit_suite dirty_suite = {
	.name = "pcinspect_dirty",
	.test_cases = dirty_tests,
};

kunit_test_suite(dirty_suite);
