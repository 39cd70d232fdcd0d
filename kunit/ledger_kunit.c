// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger_kunit.c - what a ledger began with, and whether it adds up, while pages
 * come and go: each step of an insertion and a removal, in the kernel's order.
 */
#include <kunit/test.h>
#include <linux/fs.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "records/ledger.h"
#include "records/track.h"

/* An inode's page cache, its record, and its ledger. */
struct ledger_world {
	struct address_space mapping;
	struct pcinspect_record rec;
	struct pcinspect_ledger ledger;
	u64 numbers[PCINSPECT_NR_NUMBERS];
	struct pcinspect_tries tries;
};

static int ledger_setup(struct kunit *test)
{
	struct ledger_world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	if (!w)
		return -ENOMEM;
	w->mapping.nrpages = 100;
	atomic64_set(&w->rec.inserted, 1000);
	test->priv = w;
	return 0;
}

static bool ledger_exact(struct ledger_world *w)
{
	pcinspect_ledger_adds_up(&w->ledger, &w->rec, &w->mapping, w->numbers,
				 &w->tries);
	return w->tries.exact;
}

static void ledger_look_again(struct ledger_world *w, bool first)
{
	pcinspect_ledger_settle(&w->ledger, &w->rec, &w->mapping, first);
}

static void ledger_count_insert(struct ledger_world *w, u64 nr)
{
	atomic64_add(nr, &w->rec.inserted);
	ledger_add(&w->ledger, pcinspect_inserted(PCINSPECT_CAUSE_SYNC), nr);
}

static void ledger_count_remove(struct ledger_world *w, u64 nr)
{
	ledger_add(&w->ledger, pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM), nr);
}

static void ledger_quiet(struct kunit *test)
{
	struct ledger_world *w = test->priv;

	ledger_look_again(w, true);
	KUNIT_EXPECT_TRUE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 100ULL, w->numbers[PCINSPECT_LEDGER_BASE_PAGES]);
	w->mapping.nrpages += 8;
	ledger_count_insert(w, 8);
	ledger_count_remove(w, 3);
	w->mapping.nrpages -= 3;
	KUNIT_EXPECT_TRUE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 100ULL, w->numbers[PCINSPECT_LEDGER_BASE_PAGES]);
	KUNIT_EXPECT_EQ(test, 105ULL, w->numbers[PCINSPECT_LEDGER_CACHED_PAGES]);
	KUNIT_EXPECT_EQ(test, 8ULL, w->numbers[PCINSPECT_LEDGER_COUNTED_PAGES]);
	KUNIT_EXPECT_EQ(test, 8ULL,
			w->numbers[pcinspect_inserted(PCINSPECT_CAUSE_SYNC)]);
	KUNIT_EXPECT_EQ(test, 3ULL,
			w->numbers[pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM)]);
}

/* It begins between an insertion and its probe. */
static void ledger_begins_in_insertion(struct kunit *test)
{
	struct ledger_world *w = test->priv;

	w->mapping.nrpages += 16;
	ledger_look_again(w, true);
	ledger_count_insert(w, 16);
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
	ledger_look_again(w, false);
	KUNIT_EXPECT_TRUE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 100ULL, w->numbers[PCINSPECT_LEDGER_BASE_PAGES]);
	KUNIT_EXPECT_EQ(test, 16ULL, w->numbers[PCINSPECT_LEDGER_COUNTED_PAGES]);

	/* A look in the middle of another does no harm. */
	w->mapping.nrpages += 4;
	ledger_look_again(w, false);
	atomic64_add(4, &w->rec.inserted);
	ledger_look_again(w, false);
	ledger_add(&w->ledger, pcinspect_inserted(PCINSPECT_CAUSE_WRITE), 4);
	KUNIT_EXPECT_TRUE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 100ULL, w->numbers[PCINSPECT_LEDGER_BASE_PAGES]);
	KUNIT_EXPECT_EQ(test, 20ULL, w->numbers[PCINSPECT_LEDGER_COUNTED_PAGES]);
}

/* It begins between a removal's probe and the removal. */
static void ledger_begins_in_removal(struct kunit *test)
{
	struct ledger_world *w = test->priv;

	ledger_count_remove(w, 5);
	ledger_look_again(w, true);
	w->mapping.nrpages -= 5;
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
	ledger_look_again(w, false);
	KUNIT_EXPECT_TRUE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 100ULL, w->numbers[PCINSPECT_LEDGER_BASE_PAGES]);
}

static void ledger_without_a_beginning(struct kunit *test)
{
	struct ledger_world *w = test->priv;

	ledger_count_remove(w, 7);
	KUNIT_EXPECT_TRUE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 107ULL, w->numbers[PCINSPECT_LEDGER_BASE_PAGES]);
	KUNIT_EXPECT_EQ(test, 0ULL, w->numbers[PCINSPECT_LEDGER_COUNTED_PAGES]);
}

/* A missing count shows, and goes on showing. */
static void ledger_wrong(struct kunit *test)
{
	struct ledger_world *w = test->priv;

	ledger_look_again(w, true);
	w->mapping.nrpages += 1;
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
	ledger_look_again(w, false);
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 101ULL, w->numbers[PCINSPECT_LEDGER_CACHED_PAGES]);
	w->mapping.nrpages -= 1;
	atomic64_add(2, &w->rec.inserted);
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 2ULL, w->numbers[PCINSPECT_LEDGER_COUNTED_PAGES]);
}

/* A task that had found the old ledger counts in it still. */
static void ledger_begun_anew(struct kunit *test)
{
	struct ledger_world *w = test->priv;
	struct ledger_world *v = kunit_kzalloc(test, sizeof(*v), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, v);
	ledger_look_again(w, true);
	w->mapping.nrpages += 8;
	pcinspect_ledger_succeed(&v->ledger, &w->ledger);
	ledger_count_insert(w, 8);
	/* Or deletes it. */
	w->ledger.deleted = true;
	w->ledger.size_bytes = 4242;
	KUNIT_EXPECT_FALSE(test, v->ledger.deleted);
	v->mapping.nrpages = w->mapping.nrpages;
	atomic64_set(&v->rec.inserted, atomic64_read(&w->rec.inserted));
	KUNIT_EXPECT_FALSE(test, v->ledger.settled);
	KUNIT_EXPECT_PTR_EQ(test, &w->ledger,
			    pcinspect_ledger_inherit(&v->ledger));
	KUNIT_EXPECT_NULL(test, v->ledger.replaced);
	KUNIT_EXPECT_TRUE(test, v->ledger.deleted);
	KUNIT_EXPECT_EQ(test, 4242ULL, v->ledger.size_bytes);
	KUNIT_EXPECT_TRUE(test, ledger_exact(v));
	KUNIT_EXPECT_EQ(test, 108ULL, v->numbers[PCINSPECT_LEDGER_BASE_PAGES]);
	KUNIT_EXPECT_EQ(test, 0ULL, v->numbers[PCINSPECT_LEDGER_COUNTED_PAGES]);
}

/* An inode that goes has pages until the last is removed. */
static void ledger_leaves(struct kunit *test)
{
	struct ledger_world *w = test->priv;

	w->ledger.deleted = true;
	KUNIT_EXPECT_FALSE(test, pcinspect_ledger_leaving(&w->ledger));
	ledger_look_again(w, true);
	ledger_count_insert(w, 8);
	KUNIT_EXPECT_TRUE(test, pcinspect_ledger_leaving(&w->ledger));
	ledger_count_remove(w, 107);
	KUNIT_EXPECT_TRUE(test, pcinspect_ledger_leaving(&w->ledger));
	w->ledger.deleted = false;
	KUNIT_EXPECT_FALSE(test, pcinspect_ledger_leaving(&w->ledger));
	w->ledger.deleted = true;
	ledger_count_remove(w, 1);
	KUNIT_EXPECT_FALSE(test, pcinspect_ledger_leaving(&w->ledger));
}

/* Without a moment that adds up: how much moved between the looks. */
static void ledger_tries(struct kunit *test)
{
	struct ledger_world *w = test->priv;

	ledger_look_again(w, true);
	w->mapping.nrpages += 1;
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 0ULL, w->numbers[PCINSPECT_LEDGER_MOVED_PAGES]);
	ledger_count_insert(w, 5);
	w->mapping.nrpages += 5;
	ledger_count_remove(w, 2);
	w->mapping.nrpages -= 2;
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 7ULL, w->numbers[PCINSPECT_LEDGER_MOVED_PAGES]);
	w->mapping.nrpages -= 1;
	KUNIT_EXPECT_TRUE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 0ULL, w->numbers[PCINSPECT_LEDGER_MOVED_PAGES]);
}

/* It begins in a batch of removals; the looks that are left find out. */
static void ledger_begins_in_batch(struct kunit *test)
{
	struct ledger_world *w = test->priv;

	/* Of 15 pages, 10 had gone by; all leave nrpages at the end. */
	ledger_look_again(w, true);
	w->ledger.recheck = PCINSPECT_LEDGER_RECHECK_APART;
	w->ledger.recheck_grace = get_state_synchronize_rcu();
	ledger_count_remove(w, 5);
	w->mapping.nrpages -= 15;
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
	ledger_look_again(w, false);
	KUNIT_EXPECT_TRUE(test, ledger_exact(w));
	KUNIT_EXPECT_EQ(test, 90ULL, w->numbers[PCINSPECT_LEDGER_BASE_PAGES]);
	/* A task that was in the middle of it then may still be. */
	preempt_disable();
	w->ledger.recheck = PCINSPECT_LEDGER_RECHECK_APART;
	w->ledger.recheck_grace = get_state_synchronize_rcu();
	ledger_look_again(w, false);
	KUNIT_EXPECT_EQ(test, PCINSPECT_LEDGER_RECHECK_APART, w->ledger.recheck);
	preempt_enable();
	synchronize_rcu();
	ledger_look_again(w, false);
	KUNIT_EXPECT_EQ(test, PCINSPECT_LEDGER_RECHECK_APART - 1,
			w->ledger.recheck);
	w->ledger.recheck = 1;
	synchronize_rcu();
	/* It cannot have begun with less than nothing. */
	w->mapping.nrpages = 0;
	ledger_look_again(w, false);
	ledger_count_remove(w, 200);
	ledger_look_again(w, false);
	KUNIT_EXPECT_EQ(test, 0, w->ledger.recheck);
	KUNIT_EXPECT_FALSE(test, ledger_exact(w));
}

/* Pages and their time are read as one, or not at all. */
static void ledger_writeback_as_one(struct kunit *test)
{
	struct ledger_world *w = test->priv;
	struct pcinspect_ledger *ledger = &w->ledger;
	struct pcinspect_writeback all;

	KUNIT_EXPECT_TRUE(test, pcinspect_ledger_writeback(ledger, &all));
	KUNIT_EXPECT_EQ(test, 0ULL, all.time_ns);
	ledger_add_writeback(ledger, false, 16);
	ledger_add_writeback(ledger, false, 1);
	ledger_add_writeback(ledger, true, 16);
	KUNIT_EXPECT_TRUE(test, pcinspect_ledger_writeback(ledger, &all));
	KUNIT_EXPECT_EQ(test, 17ULL, all.written);
	KUNIT_EXPECT_EQ(test, 16ULL, all.ended);
	/* Of this boot, not of all 64 bits: what is under way counts until now. */
	KUNIT_EXPECT_LT(test, all.time_ns, 1ULL << 62);
	ledger_add_writeback(ledger, true, 1);
	KUNIT_EXPECT_TRUE(test, pcinspect_ledger_writeback(ledger, &all));
	KUNIT_EXPECT_EQ(test, (u64)atomic64_read(&ledger->time_ns), all.time_ns);

	/* Another CPU has counted pages, and not their time yet. */
	atomic64_add(4, &ledger->written);
	KUNIT_EXPECT_FALSE(test, pcinspect_ledger_writeback(ledger, &all));
	KUNIT_EXPECT_EQ(test, 21ULL, all.written);
	atomic64_add(4, &ledger->timed);
	KUNIT_EXPECT_TRUE(test, pcinspect_ledger_writeback(ledger, &all));
	atomic64_add(4, &ledger->ended);
	KUNIT_EXPECT_FALSE(test, pcinspect_ledger_writeback(ledger, &all));
}

/* Counts on a deleted file's inode are its own until that is freed; then another's. */
static void ledger_number_given_again(struct kunit *test)
{
	struct ledger_world *w = test->priv;
	struct inode *inode = kunit_kzalloc(test, sizeof(*inode), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, inode);
	w->rec.inode = inode;
	KUNIT_EXPECT_TRUE(test, pcinspect_track_is(&w->rec, inode));
	inode_state_set_raw(inode, I_FREEING);
	KUNIT_EXPECT_TRUE(test, pcinspect_track_is(&w->rec, inode));
	w->rec.over = true;
	KUNIT_EXPECT_TRUE(test, pcinspect_track_is(&w->rec, inode));
	inode_state_clear_raw(inode, I_FREEING);
	KUNIT_EXPECT_FALSE(test, pcinspect_track_is(&w->rec, inode));
}

static struct kunit_case ledger_cases[] = {
	KUNIT_CASE(ledger_quiet),
	KUNIT_CASE(ledger_begins_in_insertion),
	KUNIT_CASE(ledger_begins_in_removal),
	KUNIT_CASE(ledger_without_a_beginning),
	KUNIT_CASE(ledger_wrong),
	KUNIT_CASE(ledger_begun_anew),
	KUNIT_CASE(ledger_leaves),
	KUNIT_CASE(ledger_tries),
	KUNIT_CASE(ledger_begins_in_batch),
	KUNIT_CASE(ledger_writeback_as_one),
	KUNIT_CASE(ledger_number_given_again),
	{},
};

static struct kunit_suite ledger_suite = {
	.name = "pcinspect_ledger",
	.init = ledger_setup,
	.test_cases = ledger_cases,
};

kunit_test_suite(ledger_suite);
