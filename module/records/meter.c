// SPDX-License-Identifier: GPL-2.0-only
/*
 * meter.c - the time of each CPU that the probes take.
 *
 * The kernel's own time to call a probe and to return is not included: about
 * half of the cost of a call on a tracked file (docs/cost.md).
 *
 * May touch: its counters, each CPU its own. Any context with preemption off.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/sched/clock.h>

#include "records/meter.h"

/* A longer time was an interrupt, or a CPU that its host did not schedule. */
#define METER_MAX_NS 100000ULL

DEFINE_PER_CPU(int, pcinspect_meter_left);
static DEFINE_PER_CPU(u64, meter_ns);
static DEFINE_PER_CPU(u64, meter_longest);

/* This call is measured. Return: when it began. */
u64 pcinspect_meter_start(void)
{
	this_cpu_write(pcinspect_meter_left, PCINSPECT_METER_CALLS);
	return local_clock();
}

/* The call that began then ends; it stands for as many as are not measured. */
void pcinspect_meter_add(u64 began)
{
	const u64 ns = local_clock() - began;

	if (ns > this_cpu_read(meter_longest))
		this_cpu_write(meter_longest, ns);
	this_cpu_add(meter_ns, min(ns, METER_MAX_NS) * PCINSPECT_METER_CALLS);
}

/*
 * The longest call that was measured since load, on any CPU, with what
 * interrupted it: so long was preemption off. Context: any.
 */
u64 pcinspect_meter_longest(void)
{
	u64 longest = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		longest = max(longest, READ_ONCE(per_cpu(meter_longest, cpu)));
	return longest;
}

/* The time that probes took of a CPU since load. Context: any. */
u64 pcinspect_meter_ns(int cpu)
{
	return READ_ONCE(per_cpu(meter_ns, cpu));
}
