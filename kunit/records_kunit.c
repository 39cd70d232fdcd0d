// SPDX-License-Identifier: GPL-2.0-only
/*
 * records_kunit.c - what becomes of records and of what they have counted when
 * memory or room is short, somebody lists them, or nobody wants them any more;
 * at forced moments, of inodes that are only looked like.
 */
#include <kunit/test.h>
#include <linux/backing-dev.h>
#include <linux/bitmap.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include "records/gone.h"
#include "records/ledger.h"
#include "records/reserve.h"
#include "records/scope.h"
#include "records/sparse.h"
#include "records/track.h"

#define RECORDS_NR 5
#define RECORDS_INO 1000

/* A filesystem and its inodes, of which nobody else knows. */
struct records_world {
	struct file_system_type type;
	struct backing_dev_info bdi;
	struct super_block sb;
	struct inode inodes[RECORDS_NR];
	bool automatic;
	unsigned int max_inodes;
};

static int records_setup(struct kunit *test)
{
	struct records_world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	unsigned int i;

	if (!w)
		return -ENOMEM;
	w->type.name = "records_kunit";
	w->sb.s_type = &w->type;
	w->sb.s_bdi = &w->bdi;
	w->sb.s_dev = MKDEV(77, 7);
	for (i = 0; i < RECORDS_NR; i++) {
		w->inodes[i].i_mode = S_IFREG;
		w->inodes[i].i_ino = RECORDS_INO + i;
		w->inodes[i].i_sb = &w->sb;
		w->inodes[i].i_mapping = &w->inodes[i].i_data;
		w->inodes[i].i_data.host = &w->inodes[i];
	}
	w->automatic = pcinspect_track.automatic;
	w->max_inodes = pcinspect_track.max_inodes;
	test->priv = w;
	return 0;
}

static bool records_keep_others(const struct pcinspect_record *rec, void *sb)
{
	return rec->sb != sb;
}

/* The world above ends. */
static void records_retire(struct records_world *w)
{
	pcinspect_track_retire_unseen(pcinspect_track_begin_scan(),
				      records_keep_others, &w->sb);
}

static void records_teardown(struct kunit *test)
{
	struct records_world *w = test->priv;

	WRITE_ONCE(pcinspect_scope.run, false);
	pcinspect_track.automatic = w->automatic;
	pcinspect_track.max_inodes = w->max_inodes;
	records_retire(w);
	rcu_barrier();
}

static unsigned int records_there(struct records_world *w)
{
	unsigned int i, nr = 0;

	rcu_read_lock();
	for (i = 0; i < RECORDS_NR; i++)
		nr += !!pcinspect_track_find(&w->inodes[i]);
	rcu_read_unlock();
	return nr;
}

static void records_make(struct records_world *w)
{
	unsigned int i;

	for (i = 0; i < RECORDS_NR; i++)
		pcinspect_track_new(&w->inodes[i], 1);
}

/* Records go for want of room, and not because one found no memory. */
static void records_stay_while_there_is_room(struct kunit *test)
{
	struct records_world *w = test->priv;
	unsigned int max = pcinspect_track.nr_auto + RECORDS_NR;

	records_make(w);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(pcinspect_track.full));
	pcinspect_track_trim(NULL);
	KUNIT_EXPECT_EQ(test, records_there(w), RECORDS_NR);
	/* And with none some do. */
	records_retire(w);
	pcinspect_track.max_inodes = max;
	records_make(w);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(pcinspect_track.full));
	pcinspect_track_trim(NULL);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(pcinspect_track.full));
}

/* A scan begins between the making of a record and its place in the table. */
static void records_born_before_a_scan(struct kunit *test)
{
	struct records_world *w = test->priv;
	struct pcinspect_record *rec, *stale;
	unsigned long scan, flags;

	rec = pcinspect_record_alloc(&w->inodes[0], GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rec);
	scan = pcinspect_track_begin_scan();
	raw_spin_lock_irqsave(&pcinspect_track.lock, flags);
	pcinspect_track_add(rec, &w->inodes[0], &stale);
	raw_spin_unlock_irqrestore(&pcinspect_track.lock, flags);
	pcinspect_track_free(stale);
	pcinspect_track_retire_unseen(scan, records_keep_others, &w->sb);
	KUNIT_EXPECT_EQ(test, records_there(w), 1U);
}

/* An image is mounted again on another device, and all of it is where it was. */
static void records_of_an_earlier_mount(struct kunit *test)
{
	struct records_world *w = test->priv;
	struct inode *inode = &w->inodes[0];
	const struct pcinspect_record *rec;

	pcinspect_track_new(inode, 1);
	w->sb.s_dev = MKDEV(77, 8);
	KUNIT_ASSERT_EQ(test, 0, pcinspect_track_pin(inode, U64_MAX));
	rcu_read_lock();
	rec = pcinspect_track_find(inode);
	KUNIT_EXPECT_NOT_NULL(test, rec);
	if (rec)
		KUNIT_EXPECT_EQ(test, rec->dev, MKDEV(77, 8));
	rcu_read_unlock();
	pcinspect_track_unpin(inode, U64_MAX, false);
}

/* Somebody lets go of a file that a run has used: it is the run's. */
static void records_let_go_of_in_a_run(struct kunit *test)
{
	struct records_world *w = test->priv;
	struct inode *inode = &w->inodes[0];
	struct pcinspect_ledger *ledger;

	pcinspect_track.automatic = false;
	KUNIT_ASSERT_EQ(test, 0, pcinspect_track_pin(inode, U64_MAX));
	WRITE_ONCE(pcinspect_scope.run, true);
	rcu_read_lock();
	ledger = pcinspect_record_ledger(pcinspect_track_find(inode));
	KUNIT_EXPECT_NOT_NULL(test, ledger);
	if (ledger)
		ledger_add(ledger, PCINSPECT_DEMANDED_BYTES, 4096);
	rcu_read_unlock();
	pcinspect_track_unpin(inode, U64_MAX, false);
	rcu_read_lock();
	ledger = pcinspect_record_ledger(pcinspect_track_find(inode));
	KUNIT_EXPECT_NOT_NULL(test, ledger);
	if (ledger)
		KUNIT_EXPECT_EQ(test, 4096ULL,
				ledger_read(ledger, PCINSPECT_DEMANDED_BYTES));
	rcu_read_unlock();
}

static int records_reset(void *done)
{
	pcinspect_track_reset(U64_MAX, false);
	complete(done);
	return 0;
}

/* Counting begins anew between a record's beginning and what it began with. */
static void records_reset_before_they_are_settled(struct kunit *test)
{
	struct records_world *w = test->priv;
	struct inode *inode = &w->inodes[0];
	struct pcinspect_ledger *ledger, *first;
	DECLARE_COMPLETION_ONSTACK(done);

	xa_init_flags(&inode->i_data.i_pages, XA_FLAGS_LOCK_IRQ);
	KUNIT_ASSERT_EQ(test, 0, pcinspect_track_pin(inode, U64_MAX));
	rcu_read_lock();
	first = pcinspect_record_ledger(pcinspect_track_find(inode));
	rcu_read_unlock();
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(records_reset, &done,
						    "records_reset")));
	/*
	 * Asleep in between: a task that only calls cond_resched() holds up
	 * synchronize_rcu_tasks() (rcu_tasks_qs()), and with it the hooks.
	 */
	do {
		schedule_timeout_uninterruptible(1);
		rcu_read_lock();
		ledger = pcinspect_record_ledger(pcinspect_track_find(inode));
		rcu_read_unlock();
	} while (ledger == first && !completion_done(&done));
	pcinspect_track_hooked(inode);
	wait_for_completion(&done);
	KUNIT_EXPECT_PTR_NE(test, ledger, first);
	rcu_read_lock();
	ledger = pcinspect_record_ledger(pcinspect_track_find(inode));
	KUNIT_EXPECT_NOT_NULL(test, ledger);
	if (ledger)
		KUNIT_EXPECT_TRUE(test, READ_ONCE(ledger->settled));
	rcu_read_unlock();
	pcinspect_track_unpin(inode, U64_MAX, false);
}

/* With a lap whose chunk found no memory, the next lap has one. */
static void records_windows_come_back(struct kunit *test)
{
	struct pcinspect_ledger *ledger = pcinspect_ledger_first(GFP_KERNEL);
	const struct pcinspect_operation op = {};
	unsigned int i, missing = 0;

	KUNIT_ASSERT_NOT_NULL(test, ledger);
	/* One whole lap without any. */
	ledger->nr_windows = PCINSPECT_NR_WINDOWS;
	preempt_disable();
	for (i = 0; i < PCINSPECT_NR_WINDOWS; i++)
		pcinspect_ledger_window(ledger, &op);
	preempt_enable();
	for (i = 0; i < LEDGER_NR_CHUNKS; i++)
		missing += !ledger->chunks[i];
	KUNIT_EXPECT_EQ(test, 0U, missing);
	pcinspect_ledger_free(ledger);
}

static void records_name(const char *comm)
{
	task_lock(current);
	strscpy(current->comm, comm, sizeof(current->comm));
	task_unlock(current);
}

/* The counts of a process without a name stay its own. */
static void records_without_a_name(struct kunit *test)
{
	struct pcinspect_ledger *ledger = pcinspect_ledger_first(GFP_KERNEL);
	struct pcinspect_task share = { .demanded_bytes = 5 };
	char comm[TASK_COMM_LEN];

	KUNIT_ASSERT_NOT_NULL(test, ledger);
	KUNIT_ASSERT_PTR_EQ(test, current, current->group_leader);
	get_task_comm(comm, current);
	records_name("");
	preempt_disable();
	pcinspect_ledger_share(ledger, &share);
	preempt_enable();
	records_name(comm);
	share.demanded_bytes = 7;
	preempt_disable();
	pcinspect_ledger_share(ledger, &share);
	preempt_enable();
	pcinspect_ledger_collect(ledger, false);
	KUNIT_EXPECT_STREQ(test, "?", ledger->tasks[0].comm);
	KUNIT_EXPECT_EQ(test, 5ULL, ledger->tasks[0].demanded_bytes);
	KUNIT_EXPECT_STREQ(test, comm, ledger->tasks[1].comm);
	KUNIT_EXPECT_EQ(test, 7ULL, ledger->tasks[1].demanded_bytes);
	pcinspect_ledger_free(ledger);
}

/*
 * What CPUs have added up for a ledger: to collect it yields all of it, to free
 * it nothing. While one keeps its place the ledger is not written to.
 */
static void records_shares(struct kunit *test)
{
	struct pcinspect_ledger *copy;
	struct pcinspect_ledger *ledgers[32];
	struct pcinspect_task share = { .demanded_bytes = 5,
					.dirtied_pages = 1 };
	unsigned int i, k, held = 0;

	for (i = 0; i < ARRAY_SIZE(ledgers); i++) {
		ledgers[i] = pcinspect_ledger_first(GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, ledgers[i]);
	}
	migrate_disable();
	for (k = 0; k < 3; k++) {
		for (i = 0; i < ARRAY_SIZE(ledgers); i++) {
			preempt_disable();
			pcinspect_ledger_share(ledgers[i], &share);
			preempt_enable();
		}
	}
	/* More ledgers than places: most have been given theirs. */
	for (i = 0; i < ARRAY_SIZE(ledgers); i++)
		held += atomic_read(&ledgers[i]->held);
	migrate_enable();
	KUNIT_EXPECT_GE(test, held, 1U);
	KUNIT_EXPECT_LE(test, held, 16U);
	for (i = 1; i < ARRAY_SIZE(ledgers); i++) {
		pcinspect_ledger_collect(ledgers[i], false);
		KUNIT_EXPECT_EQ(test, 0, atomic_read(&ledgers[i]->held));
		KUNIT_EXPECT_EQ(test, 15ULL,
				ledgers[i]->tasks[0].demanded_bytes);
		KUNIT_EXPECT_EQ(test, 15ULL,
				ledger_read(ledgers[i],
					    PCINSPECT_DEMANDED_BYTES));
		KUNIT_EXPECT_EQ(test, 3ULL,
				ledger_read(ledgers[i], PCINSPECT_DIRTIED_PAGES));
		KUNIT_EXPECT_EQ(test, 0U, ledgers[i]->tasks[1].pid);
	}
	preempt_disable();
	pcinspect_ledger_share(ledgers[0], &share);
	copy = kmemdup(ledgers[0], sizeof(*copy), GFP_ATOMIC);
	for (i = 0; i < 1000; i++)
		pcinspect_ledger_share(ledgers[0], &share);
	if (copy)
		KUNIT_EXPECT_MEMEQ(test, copy, ledgers[0], sizeof(*copy));
	preempt_enable();
	KUNIT_EXPECT_NOT_NULL(test, copy);
	kfree(copy);
	pcinspect_ledger_collect(ledgers[0], true);
	KUNIT_EXPECT_EQ(test, 0, atomic_read(&ledgers[0]->held));
	KUNIT_EXPECT_LT(test, ledgers[0]->tasks[0].demanded_bytes, 20ULL);
	for (i = 0; i < ARRAY_SIZE(ledgers); i++)
		pcinspect_ledger_free(ledgers[i]);
}

/* Owners beside each other, each with chunks in a row: no bucket has them all. */
static void records_spread_chunks(struct kunit *test)
{
	const unsigned int bits = 16, owners = 109, chunks = 3500;
	u8 *nr = kunit_kzalloc(test, 1 << bits, GFP_KERNEL);
	unsigned int longest = 0, i, k;
	char *of = (char *)nr;

	KUNIT_ASSERT_NOT_NULL(test, nr);
	for (i = 0; i < owners; i++) {
		for (k = 0; k < chunks; k++) {
			u8 *at = &nr[pcinspect_sparse_hash((void *)(of + 32 * i),
							   k, bits)];

			if (*at < U8_MAX)
				++*at;
			longest = max_t(unsigned int, longest, *at);
		}
		cond_resched();
	}
	/* 5.8 on average. */
	KUNIT_EXPECT_LE(test, longest, 32U);
}

/* --- deleted files of a run, listed ---------------------------------------- */

#define RECORDS_KEPT PCINSPECT_NR_DELETED

struct records_list {
	struct kunit *test;
	DECLARE_BITMAP(emitted, RECORDS_KEPT + 1);
	unsigned int nr;
	unsigned int twice;
};

/* A deleted file that has moved so much; gone. */
static void records_add_deleted(struct kunit *test, unsigned int i, u64 moved)
{
	struct records_world *w = test->priv;
	struct pcinspect_ledger *ledger = pcinspect_ledger_first(GFP_KERNEL);
	struct pcinspect_record *rec =
		pcinspect_record_alloc(&w->inodes[0], GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ledger);
	KUNIT_ASSERT_NOT_NULL(test, rec);
	rec->ino = i;
	rec->ended = true;
	ledger->deleted = true;
	ledger_add(ledger, PCINSPECT_DEMANDED_BYTES, moved);
	rcu_assign_pointer(rec->ledger, ledger);
	pcinspect_gone_expect();
	if (!pcinspect_gone_add(rec))
		pcinspect_record_free(rec);
}

/* In the middle of the list one comes that has moved more than all others. */
static int records_tell(const struct pcinspect_record *rec, void *arg)
{
	struct records_list *list = arg;

	if (list->nr++ == 300)
		records_add_deleted(list->test, RECORDS_KEPT, 1000);
	list->twice += test_and_set_bit(rec->ino, list->emitted);
	return 0;
}

/* Inodes in the rows of sums. */
static u64 records_summed(const struct records_world *w)
{
	u64 numbers[PCINSPECT_NR_NUMBERS], sum = 0;
	struct pcinspect_gone gone;
	unsigned int i;

	for (i = 0; !pcinspect_gone_then(i, &gone, numbers); i++)
		if (gone.dev == w->sb.s_dev && gone.ledgers)
			sum += gone.inodes;
	return sum;
}

static void records_each_is_told_once(struct kunit *test)
{
	struct records_list *list =
		kunit_kzalloc(test, sizeof(*list), GFP_KERNEL);
	struct records_world *w = test->priv;
	unsigned int i;
	u64 before;

	KUNIT_ASSERT_NOT_NULL(test, list);
	list->test = test;
	pcinspect_gone_keep();
	KUNIT_ASSERT_EQ(test, 0, pcinspect_gone_list_begin());
	before = records_summed(w);
	pcinspect_gone_list_end();
	for (i = 0; i < RECORDS_KEPT; i++)
		records_add_deleted(test, i, 1);
	KUNIT_ASSERT_EQ(test, 0, pcinspect_gone_list_begin());
	KUNIT_EXPECT_EQ(test, 0, pcinspect_gone_for_each(records_tell, list));
	KUNIT_EXPECT_EQ(test, RECORDS_KEPT, list->nr);
	KUNIT_EXPECT_EQ(test, 0U, list->twice);
	KUNIT_EXPECT_EQ(test, (unsigned int)RECORDS_KEPT,
			(unsigned int)find_first_zero_bit(list->emitted,
							  RECORDS_KEPT + 1));
	/* None of those is in a sum, nor who came meanwhile. */
	KUNIT_EXPECT_EQ(test, before, records_summed(w));
	pcinspect_gone_list_end();
	/* The next list has all of them, one way or the other. */
	KUNIT_ASSERT_EQ(test, 0, pcinspect_gone_list_begin());
	KUNIT_EXPECT_EQ(test, before + 1, records_summed(w));
	pcinspect_gone_list_end();
	pcinspect_gone_forget();
}

/* The work runs as soon as interrupts, or on PREEMPT_RT tasks, may. */
static void records_wait_for(struct pcinspect_reserve *reserve, unsigned long nr)
{
	int i;

	for (i = 0; i < 10000 && pcinspect_reserve_nr(reserve) != nr; i++)
		usleep_range(100, 200);
}

/*
 * Objects that a CPU has set aside are cleared, run out without a wait, and are
 * replaced; those too many are freed.
 */
static void records_set_aside(struct kunit *test)
{
	const size_t size = 256;
	struct kmem_cache *slab =
		kmem_cache_create("pcinspect_test", size, 0, 0, NULL);
	struct pcinspect_reserve *reserve;
	unsigned long all, nr = 0, i, flags;
	void *objects[128], *object;
	bool clear = true;

	KUNIT_ASSERT_NOT_NULL(test, slab);
	reserve = pcinspect_reserve_init(slab, GFP_NOWAIT);
	KUNIT_EXPECT_NOT_NULL(test, reserve);
	if (!reserve)
		goto out;
	all = pcinspect_reserve_nr(reserve);
	KUNIT_EXPECT_GT(test, all, 0UL);
	local_irq_save(flags);
	while (nr < ARRAY_SIZE(objects) &&
	       (object = pcinspect_reserve_get(reserve))) {
		clear &= !memchr_inv(object, 0, size);
		memset(object, 0xff, size);
		objects[nr++] = object;
	}
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, clear);
	KUNIT_EXPECT_EQ(test, nr, all / num_possible_cpus());
	records_wait_for(reserve, all);
	KUNIT_EXPECT_EQ(test, pcinspect_reserve_nr(reserve), all);
	local_irq_save(flags);
	for (i = 0; i < nr; i++)
		pcinspect_reserve_put(reserve, objects[i]);
	object = pcinspect_reserve_get(reserve);
	clear = object && !memchr_inv(object, 0, size);
	pcinspect_reserve_put(reserve, object);
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, clear);
	records_wait_for(reserve, all);
	KUNIT_EXPECT_EQ(test, pcinspect_reserve_nr(reserve), all);
	pcinspect_reserve_exit(reserve);
out:
	kmem_cache_destroy(slab);
}

static struct kunit_case records_tests[] = {
	KUNIT_CASE(records_stay_while_there_is_room),
	KUNIT_CASE(records_born_before_a_scan),
	KUNIT_CASE(records_of_an_earlier_mount),
	KUNIT_CASE(records_let_go_of_in_a_run),
	KUNIT_CASE(records_reset_before_they_are_settled),
	KUNIT_CASE(records_windows_come_back),
	KUNIT_CASE(records_without_a_name),
	KUNIT_CASE(records_shares),
	KUNIT_CASE(records_spread_chunks),
	KUNIT_CASE(records_each_is_told_once),
	KUNIT_CASE(records_set_aside),
	{}
};

static struct kunit_suite records_suite = {
	.name = "pcinspect_records",
	.init = records_setup,
	.exit = records_teardown,
	.test_cases = records_tests,
};

kunit_test_suite(records_suite);
