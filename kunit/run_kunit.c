// SPDX-License-Identifier: GPL-2.0-only
/*
 * run_kunit.c - a run ends while one of its tasks forks: the child is no task
 * of the next run (K23).
 *
 * That takes two CPUs, or none: the end is stopped where it waits for probes,
 * and the probe where it looks whether there is a run.
 *
 * And what tasks are in the middle of takes bounded memory, also while no grace
 * period ends.
 */
#include <kunit/static_stub.h>
#include <kunit/test.h>
#include <linux/err.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "control/run.h"
#include "hooks/attach.h"
#include "hooks/task.h"
#include "records/operation.h"
#include "records/scope.h"

/* Both are only compared. */
#define RUN_OWNER ((const struct file *)ERR_PTR(-EBADF))
#define RUN_CHILD ((struct task_struct *)ERR_PTR(-ECHILD))

/* The calls that a test's replacements saw: there is one test at a time. */
static struct {
	unsigned int waits;
	unsigned int looks;
	bool run;
	bool joined;
	bool can_be_held_up;
} run_saw;

static int run_setup(struct kunit *test)
{
	struct pcinspect_run *run =
		kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);

	if (!run)
		return -ENOMEM;
	memset(&run_saw, 0, sizeof(run_saw));
	/* With the last hook all would be forgotten: they stay. */
	pcinspect_hooks_want(HOOKS_EXPLICIT);
	return pcinspect_run_start(run, RUN_OWNER);
}

static void run_teardown(struct kunit *test)
{
	pcinspect_run_end(RUN_OWNER);
	pcinspect_operation_end_run();
	pcinspect_hooks_done(HOOKS_EXPLICIT);
}

/* On another CPU a probe has seen the run before it ended, and joins only now. */
static void run_wait_for_probe(void)
{
	run_saw.waits++;
	run_saw.run = pcinspect_scope_run();
	preempt_disable();
	run_saw.joined = pcinspect_operation_join(RUN_CHILD);
	preempt_enable();
	synchronize_rcu();
}

static void run_ends_while_a_task_forks(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, pcinspect_scope_run());
	KUNIT_EXPECT_EQ(test, pcinspect_operation_members(), 1ULL);
	kunit_activate_static_stub(test, pcinspect_run_wait, run_wait_for_probe);
	pcinspect_run_end(RUN_OWNER);
	KUNIT_EXPECT_EQ(test, run_saw.waits, 1U);
	KUNIT_EXPECT_FALSE(test, run_saw.run);
	KUNIT_EXPECT_TRUE(test, run_saw.joined);
	KUNIT_EXPECT_EQ(test, pcinspect_operation_members(), 0ULL);
}

static bool run_look(void)
{
	run_saw.looks++;
	run_saw.can_be_held_up = preemptible();
	return pcinspect_scope_run();
}

/* The end waits only for what cannot be held up. */
static void run_is_looked_for_with_preemption_off(struct kunit *test)
{
	kunit_activate_static_stub(test, pcinspect_task_sees_run, run_look);
	pcinspect_task_forks(RUN_CHILD);
	KUNIT_EXPECT_EQ(test, run_saw.looks, 1U);
	KUNIT_EXPECT_FALSE(test, run_saw.can_be_held_up);
	KUNIT_EXPECT_EQ(test, pcinspect_operation_members(), 2ULL);
	pcinspect_run_end(RUN_OWNER);
	KUNIT_EXPECT_EQ(test, pcinspect_operation_members(), 0ULL);
	/* Of no run. */
	pcinspect_task_forks(RUN_CHILD);
	KUNIT_EXPECT_EQ(test, pcinspect_operation_members(), 0ULL);
}

/* More tasks than entries are kept of, and so many operations of one without. */
#define RUN_TASKS 5000
#define RUN_OPERATIONS 20000
/* Entries that wait for the end of a grace period, and room for what others do. */
#define RUN_WAITING (8192 + 1024)

static void run_waiting_entries_are_bounded(struct kunit *test)
{
	size_t before, after;
	unsigned long i;
	u8 depth;

	for (i = 1; i <= RUN_TASKS; i++)
		pcinspect_operation_join((struct task_struct *)(i << 6));
	pcinspect_operation_end_run();
	pcinspect_operation_purge_task(current);
	before = pcinspect_operation_memory();
	rcu_read_lock();
	for (i = 0; i < RUN_OPERATIONS; i++) {
		preempt_disable();
		if (pcinspect_operation_push(OP_READ, NULL, &depth))
			pcinspect_operation_pop(depth);
		preempt_enable();
	}
	after = pcinspect_operation_memory();
	rcu_read_unlock();
	KUNIT_EXPECT_GT(test, after, before);
	KUNIT_EXPECT_LT(test, after - before,
			RUN_WAITING * sizeof(struct pcinspect_operations));
}

static struct kunit_case run_cases[] = {
	KUNIT_CASE(run_waiting_entries_are_bounded),
	KUNIT_CASE(run_ends_while_a_task_forks),
	KUNIT_CASE(run_is_looked_for_with_preemption_off),
	{},
};

static struct kunit_suite run_suite = {
	.name = "pcinspect_run",
	.init = run_setup,
	.exit = run_teardown,
	.test_cases = run_cases,
};

kunit_test_suite(run_suite);
