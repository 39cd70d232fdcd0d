/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meter.h - the time that probes take of each CPU: of one call in 61, how long
 * it took. A prime, so that it is not always the same probe of an operation.
 */
#ifndef PCINSPECT_METER_H
#define PCINSPECT_METER_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

#define PCINSPECT_METER_CALLS 61

DECLARE_PER_CPU(int, pcinspect_meter_left);

u64 pcinspect_meter_start(void);
void pcinspect_meter_add(u64 began);
u64 pcinspect_meter_longest(void);
u64 pcinspect_meter_ns(int cpu);

/* A probe begins. Return: for pcinspect_meter_end(). Context: preemption off. */
static __always_inline u64 pcinspect_meter_begin(void)
{
	if (likely(this_cpu_dec_return(pcinspect_meter_left) > 0))
		return 0;
	return pcinspect_meter_start();
}

static __always_inline void pcinspect_meter_end(u64 began)
{
	if (unlikely(began))
		pcinspect_meter_add(began);
}

#endif /* PCINSPECT_METER_H */
