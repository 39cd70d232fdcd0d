// SPDX-License-Identifier: GPL-2.0-only
/*
 * lru_kunit.c - classification by flags, ages of generations, and the walk
 * over mappings built by hand. Folios here are on no LRU list: what lists say
 * is tested in guests against memory.stat (tests/cases/lru.py).
 */
#include <kunit/test.h>
#include <linux/backing-dev.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/xarray.h>

#include "walk/lru.h"

struct classify_case {
	const char *name;
	bool unevictable, lru, active;
	int gen;
	enum pcinspect_lru_class want;
};

static const struct classify_case classify_cases[] = {
	{ "classic inactive", false, true, false, -1,
	  PCINSPECT_LRU_CLASSIC_INACTIVE },
	{ "classic active", false, true, true, -1, PCINSPECT_LRU_CLASSIC_ACTIVE },
	/* PG_active is preset while a folio waits in a batch */
	{ "batch, preset active", false, false, true, -1, PCINSPECT_LRU_OFF },
	/* isolated out of a generation: the generation is cleared, too */
	{ "isolated", false, false, false, -1, PCINSPECT_LRU_OFF },
	{ "generation 0", false, true, false, 0, PCINSPECT_LRU_GENERATION },
	{ "generation 3", false, true, false, 3, PCINSPECT_LRU_GENERATION },
	/* MGLRU clears PG_active; if it were set, the generation still decides */
	{ "generation beats active", false, true, true, 2,
	  PCINSPECT_LRU_GENERATION },
	{ "unevictable", true, true, false, -1, PCINSPECT_LRU_UNEVICTABLE },
	{ "unevictable, isolated", true, false, false, -1,
	  PCINSPECT_LRU_UNEVICTABLE },
};

static void classify_describe(const struct classify_case *c, char *buf)
{
	strscpy(buf, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(classify, classify_cases, classify_describe);

static void lru_classify(struct kunit *test)
{
	const struct classify_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, c->want,
			pcinspect_lru_classify(c->unevictable, c->lru,
					       c->active, c->gen));
}

static void lru_age(struct kunit *test)
{
	unsigned long seq;

	/* The worked example of lru.h. */
	KUNIT_EXPECT_EQ(test, 0u, pcinspect_lru_age(9, 1));
	KUNIT_EXPECT_EQ(test, 1u, pcinspect_lru_age(9, 0));
	KUNIT_EXPECT_EQ(test, 2u, pcinspect_lru_age(9, 3));
	KUNIT_EXPECT_EQ(test, 3u, pcinspect_lru_age(9, 2));
	/* For every position of max_seq, the youngest is age 0. */
	for (seq = 3; seq < 20; seq++) {
		unsigned int age;

		for (age = 0; age < PCINSPECT_NR_GENS; age++)
			KUNIT_EXPECT_EQ(test, age,
					pcinspect_lru_age(seq,
							  (seq - age) %
								  PCINSPECT_NR_GENS));
	}
}

/*
 * A mapping like that of a file nobody has opened, with folios of the given
 * orders one after the other and value entries where the order is negative
 * (-1 is a shadow of order 0, -3 one of order 2).
 */
struct lru_fixture {
	struct inode *inode;
	unsigned long pages;
	unsigned long shadows;
};

static void lru_fill(struct kunit *test, struct lru_fixture *fix,
		     const int *orders, int n)
{
	struct address_space *mapping;
	pgoff_t index = 0;
	int i;

	fix->inode = kunit_kzalloc(test, sizeof(*fix->inode), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fix->inode);
	inode_init_once(fix->inode);
	mapping = &fix->inode->i_data;
	fix->inode->i_mapping = mapping;
	mapping->host = fix->inode;
	/* A superblock without writeback: dirty is n/a and not asked for. */
	fix->inode->i_sb =
		kunit_kzalloc(test, sizeof(struct super_block), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fix->inode->i_sb);
	fix->inode->i_sb->s_bdi = &noop_backing_dev_info;

	for (i = 0; i < n; i++) {
		int order = orders[i] < 0 ? -orders[i] - 1 : orders[i];
		XA_STATE_ORDER(xas, &mapping->i_pages, index, order);
		void *entry = xa_mk_value(0x55);

		index = round_up(index, 1UL << order);
		xas_set_order(&xas, index, order);
		if (orders[i] >= 0) {
			struct folio *folio = folio_alloc(GFP_KERNEL, order);

			KUNIT_ASSERT_NOT_NULL(test, folio);
			folio->mapping = mapping;
			folio->index = index;
			entry = folio;
			fix->pages += 1UL << order;
			mapping->nrpages += 1UL << order;
		} else {
			fix->shadows += 1UL << order;
		}
		do {
			xas_lock_irq(&xas);
			xas_store(&xas, entry);
			xas_unlock_irq(&xas);
		} while (xas_nomem(&xas, GFP_KERNEL));
		KUNIT_ASSERT_EQ(test, 0, xas_error(&xas));
		index += 1UL << order;
	}
}

static void lru_empty(struct lru_fixture *fix)
{
	struct address_space *mapping = fix->inode->i_mapping;
	unsigned long index;
	void *entry;

	xa_for_each(&mapping->i_pages, index, entry) {
		if (!xa_is_value(entry)) {
			struct folio *folio = entry;

			folio->mapping = NULL;
			folio_put(folio);
		}
	}
	xa_destroy(&mapping->i_pages);
}

static void lru_walk_orders(struct kunit *test)
{
	static const int orders[] = { 0, 2, 0, -1, 4, -4, 9, 0 };
	struct pcinspect_snapshot *walk;
	struct lru_fixture fix = {};

	walk = kunit_kzalloc(test, sizeof(*walk), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, walk);
	lru_fill(test, &fix, orders, ARRAY_SIZE(orders));
	KUNIT_ASSERT_EQ(test, 0,
			pcinspect_lru_walk(fix.inode->i_mapping, NULL, walk));
	KUNIT_EXPECT_EQ(test, fix.pages, walk->numbers[PCINSPECT_CACHED]);
	KUNIT_EXPECT_EQ(test, fix.pages, walk->numbers[PCINSPECT_NRPAGES]);
	KUNIT_EXPECT_EQ(test, fix.shadows, walk->numbers[PCINSPECT_EVICTED]);
	KUNIT_EXPECT_EQ(test, fix.pages, walk->numbers[PCINSPECT_OFF_LRU]);
	KUNIT_EXPECT_EQ(test, 3, walk->orders[0]);
	KUNIT_EXPECT_EQ(test, 4, walk->orders[2]);
	KUNIT_EXPECT_EQ(test, 16, walk->orders[4]);
	KUNIT_EXPECT_EQ(test, 512, walk->orders[9]);
	KUNIT_EXPECT_EQ(test, 0, walk->numbers[PCINSPECT_MAPPED]);
	KUNIT_EXPECT_FALSE(test, walk->flags & PCINSPECT_F_WRITEBACK);
	lru_empty(&fix);
}

/* More entries than a batch: nothing is lost or doubled at the seam. */
static void lru_walk_batches(struct kunit *test)
{
	const int n = 2 * PCINSPECT_LRU_BATCH + 7;
	struct pcinspect_snapshot *walk;
	struct lru_fixture fix = {};
	int *orders;

	walk = kunit_kzalloc(test, sizeof(*walk), GFP_KERNEL);
	orders = kunit_kcalloc(test, n, sizeof(*orders), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, walk);
	KUNIT_ASSERT_NOT_NULL(test, orders);
	orders[PCINSPECT_LRU_BATCH - 1] = 3;
	orders[2 * PCINSPECT_LRU_BATCH] = -1;
	lru_fill(test, &fix, orders, n);
	KUNIT_ASSERT_EQ(test, 0,
			pcinspect_lru_walk(fix.inode->i_mapping, NULL, walk));
	KUNIT_EXPECT_EQ(test, fix.pages, walk->numbers[PCINSPECT_CACHED]);
	KUNIT_EXPECT_EQ(test, 1, walk->numbers[PCINSPECT_EVICTED]);
	lru_empty(&fix);
}

static void lru_walk_empty(struct kunit *test)
{
	struct pcinspect_snapshot *walk;
	struct lru_fixture fix = {};

	walk = kunit_kzalloc(test, sizeof(*walk), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, walk);
	lru_fill(test, &fix, NULL, 0);
	KUNIT_ASSERT_EQ(test, 0,
			pcinspect_lru_walk(fix.inode->i_mapping, NULL, walk));
	KUNIT_EXPECT_EQ(test, 0, walk->numbers[PCINSPECT_CACHED]);
	KUNIT_EXPECT_EQ(test, 0, walk->numbers[PCINSPECT_EVICTED]);
	KUNIT_EXPECT_TRUE(test, walk->flags & PCINSPECT_F_PAGES);
	lru_empty(&fix);
}

static struct kunit_case lru_cases[] = { KUNIT_CASE_PARAM(lru_classify,
							  classify_gen_params),
					 KUNIT_CASE(lru_age),
					 KUNIT_CASE(lru_walk_orders),
					 KUNIT_CASE(lru_walk_batches),
					 KUNIT_CASE(lru_walk_empty),
					 {} };

static struct kunit_suite lru_suite = {
	.name = "pcinspect_lru",
	.test_cases = lru_cases,
};

kunit_test_suite(lru_suite);
