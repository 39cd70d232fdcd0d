// SPDX-License-Identifier: GPL-2.0
/*
 * run_kunit.c - a run ends while one of its tasks forks: the child is no task
 * of the next run (K23).
 *
 * That takes two CPUs, or none: the end is stopped where it waits for probes,
 * and the probe where it looks whether there is a run.
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

/* What a test's replacements saw: there is one test at a time. */
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

static struct kunit_case run_cases[] = {
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
