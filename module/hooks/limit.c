// SPDX-License-Identifier: GPL-2.0-only
/*
 * limit.c - measures once a second the share of a CPU that the probes take;
 * above max_overhead the module detaches hooks by itself.
 *
 * Why twice in a row: a CPU that its host did not schedule for a moment may
 * have been in a probe.
 *
 * May touch: nothing; the owner of hooks registers how to detach them. Context:
 * a work item, while files are tracked, or a run or live view is active. Locks:
 * none.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/workqueue.h>

#include "hooks/limit.h"
#include "records/meter.h"

static unsigned int max_overhead = 50;
module_param(max_overhead, uint, 0600);
MODULE_PARM_DESC(max_overhead,
		 "percent of a CPU for probes (default 50, 0: no limit)");

/* Looks in a row that found too much. */
#define LIMIT_LOOKS 2

/* Of the last look; the work item's. */
static DEFINE_PER_CPU(u64, limit_then_ns);
static u64 limit_time_ns;
static unsigned int limit_nr_over;

static bool (*limit_step_back_demand)(void);
static void (*limit_step_back)(void);
static unsigned int limit_highest; /* permille */
static unsigned long limit_watches; /* bits by enum pcinspect_limit_user */

/* The largest share of a CPU that probes took since the last look, in permille. */
static unsigned int limit_worst(u64 elapsed, int *worst)
{
	u64 ns, most = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		ns = pcinspect_meter_ns(cpu);
		if (ns - per_cpu(limit_then_ns, cpu) > most) {
			most = ns - per_cpu(limit_then_ns, cpu);
			*worst = cpu;
		}
		per_cpu(limit_then_ns, cpu) = ns;
	}
	return elapsed ? div64_u64(most * 1000, elapsed) : 0;
}

static void limit_worker(struct work_struct *unused);
static DECLARE_DELAYED_WORK(limit_work, limit_worker);

static void limit_worker(struct work_struct *unused)
{
	unsigned int permille, max = READ_ONCE(max_overhead);
	u64 then = limit_time_ns;
	int cpu = 0;

	limit_time_ns = ktime_get_ns();
	permille = limit_worst(limit_time_ns - then, &cpu);
	/* The first look only begins. */
	if (!then)
		permille = 0;
	if (permille > READ_ONCE(limit_highest))
		WRITE_ONCE(limit_highest, permille);
	limit_nr_over = max && permille > 10 * max ? limit_nr_over + 1 : 0;
	if (limit_nr_over == LIMIT_LOOKS) {
		/* The hooks of live views go first. */
		if (limit_step_back_demand()) {
			pr_warn("probes took %u.%u %% of CPU %d for a second, max_overhead is %u %%: hooks of the live view are detached, until nobody looks\n",
				permille / 10, permille % 10, cpu, max);
		} else {
			pr_warn("probes took %u.%u %% of CPU %d for a second, max_overhead is %u %%: hooks of tracked files are detached, until all are untracked\n",
				permille / 10, permille % 10, cpu, max);
			limit_step_back();
		}
		limit_nr_over = 0;
	}
	if (READ_ONCE(limit_watches))
		queue_delayed_work(system_dfl_wq, &limit_work, HZ);
	else
		limit_time_ns = 0;
}

/*
 * How hooks are detached; both may sleep. @demand: those of the live view, if
 * any are attached. @reads: those of tracked files. Context: at load.
 */
void pcinspect_limit_init(bool (*demand)(void), void (*reads)(void))
{
	limit_step_back_demand = demand;
	limit_step_back = reads;
}

/* There is something of @user's to watch, or nothing any more. Context: any. */
void pcinspect_limit_watch(enum pcinspect_limit_user user, bool watch)
{
	if (!watch)
		clear_bit(user, &limit_watches);
	else if (!test_and_set_bit(user, &limit_watches))
		queue_delayed_work(system_dfl_wq, &limit_work, 0);
}

/* No work item runs on return, and nobody begins one. Context: module exit. */
void pcinspect_limit_exit(void)
{
	WRITE_ONCE(limit_watches, 0);
	cancel_delayed_work_sync(&limit_work);
}

/* The most that was taken of a CPU in a second since load, in permille. Context: any. */
unsigned int pcinspect_limit_permille(void)
{
	return READ_ONCE(limit_highest);
}

/* The largest share allowed, in percent; 0: there is no limit. Context: any. */
unsigned int pcinspect_limit_max(void)
{
	return READ_ONCE(max_overhead);
}
