// SPDX-License-Identifier: GPL-2.0-only
/*
 * task.c - probes on the kernel's "sched" trace system.
 *
 * Why: operations belong to tasks and go with them, and the children of a run's
 * tasks belong to the run.
 *
 * Context (kernel/fork.c, kernel/exit.c): fork: the parent, before the child
 * runs, preemptible on 7.2; free: an RCU callback, after the task has run for
 * the last time (delayed_put_task_struct()). sched_process_exit is too early:
 * the task closes its files after it (do_exit()), which may write them back
 * and remove their pages.
 *
 * May touch: operations.
 */
#include <linux/preempt.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "kunit_visible.h"
#include "hooks/table.h"
#include "hooks/task.h"
#include "records/operation.h"
#include "records/scope.h"

/*
 * Is there a run, for a fork? Of its own for a test, which looks here whether
 * the end of a run waits for us. Context: preemption off.
 */
bool pcinspect_task_sees_run(void)
{
	KUNIT_STATIC_STUB_REDIRECT(pcinspect_task_sees_run);
	return pcinspect_scope_run();
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_task_sees_run);

/*
 * The running task has a child that has not run yet. Context: any but
 * interrupts; never sleeps.
 */
void pcinspect_task_forks(const struct task_struct *child)
{
	preempt_disable_notrace();
	/* The end of a run waits for us, and then takes membership away. */
	if (pcinspect_task_sees_run() && pcinspect_operation_is_member())
		pcinspect_operation_join(child);
	preempt_enable_notrace();
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_task_forks);

static void probe_fork(void *data, struct task_struct *parent,
		       struct task_struct *child)
{
	pcinspect_task_forks(child);
}

static void probe_free(void *data, struct task_struct *task)
{
	preempt_disable_notrace();
	pcinspect_operation_purge_task(task);
	preempt_enable_notrace();
}

static void __maybe_unused hook_task_canary(void)
{
	HOOK_CANARY(sched_process_fork, probe_fork);
	HOOK_CANARY(sched_process_free, probe_free);
}

static struct pcinspect_hook hooks[] = {
	/* No number: whose calls count. */
	HOOK_EVENT("sched_process_fork", probe_fork, "children of a run"),
	/* No number: it frees what calls that do not return have left. */
	HOOK_EVENT("sched_process_free", probe_free,
		   "memory of tasks that are gone"),
};

const struct pcinspect_hook_set pcinspect_hooks_task = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
	/* Returns that come from now on find no operation. */
	.detached = pcinspect_operation_purge,
};
