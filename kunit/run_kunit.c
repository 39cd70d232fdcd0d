// SPDX-License-Identifier: GPL-2.0
/*
 * run_kunit.c - a run ends while one of its tasks forks: the child is no task of
 * the next run (K23).
 *
 * The fork's probe has seen that there is a run, and is held up, with preemption
 * off, until the run is over: on another CPU, for as long as it takes.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "control/run.h"
#include "hooks/attach.h"
#include "records/operation.h"
#include "records/scope.h"

/*
 * struct run_fork - a probe that is held up
 * @child: who joins
 * @saw: there was a run
 * @joined: and it joined
 */
struct run_fork {
	struct task_struct *child;
	bool ready;
	bool saw;
	bool joined;
};

static int run_held_up(void *arg)
{
	struct run_fork *fork = arg;

	preempt_disable();
	fork->saw = pcinspect_scope_run();
	smp_store_release(&fork->ready, true);
	while (pcinspect_scope_run())
		cpu_relax();
	/* So that an end which does not wait for us is over. */
	mdelay(200);
	fork->joined = pcinspect_operation_join(fork->child);
	preempt_enable();
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void run_ends_while_a_task_forks(struct kunit *test)
{
	/* Only compared. */
	const struct file *owner = ERR_PTR(-EBADF);
	struct pcinspect_run *run = kunit_kzalloc(test, sizeof(*run), GFP_KERNEL);
	struct run_fork fork = { .child = current };
	unsigned int other = cpumask_last(cpu_online_mask);
	struct task_struct *forker;

	KUNIT_ASSERT_NOT_NULL(test, run);
	KUNIT_ASSERT_GT(test, num_online_cpus(), 1U);
	set_cpus_allowed_ptr(current, cpumask_of(cpumask_first(cpu_online_mask)));
	/* With the hooks all would be forgotten: they stay. */
	pcinspect_hooks_want(HOOKS_EXPLICIT, true);
	KUNIT_ASSERT_EQ(test, pcinspect_run_start(run, owner), 0);
	KUNIT_EXPECT_EQ(test, pcinspect_operation_members(), 1ULL);
	forker = kthread_create(run_held_up, &fork, "pcinspect_fork");
	KUNIT_ASSERT_FALSE(test, IS_ERR(forker));
	kthread_bind(forker, other);
	wake_up_process(forker);
	while (!smp_load_acquire(&fork.ready))
		usleep_range(100, 200);
	pcinspect_run_end(owner);
	kthread_stop(forker);
	KUNIT_EXPECT_TRUE(test, fork.saw);
	KUNIT_EXPECT_TRUE(test, fork.joined);
	KUNIT_EXPECT_EQ(test, pcinspect_operation_members(), 0ULL);
	pcinspect_operation_end_run();
	pcinspect_hooks_want(HOOKS_EXPLICIT, false);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static struct kunit_case run_cases[] = {
	KUNIT_CASE(run_ends_while_a_task_forks),
	{},
};

static struct kunit_suite run_suite = {
	.name = "pcinspect_run",
	.test_cases = run_cases,
};

kunit_test_suite(run_suite);
