/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - how the tables of the hooks are written: one row is one hook.
 */
#ifndef PCINSPECT_HOOK_TABLE_H
#define PCINSPECT_HOOK_TABLE_H

#include <linux/kernel.h>
#include <linux/kprobes.h>

#include "hooks/attach.h"

/* A call and its return, which share a value of up to eight bytes, … */
#define HOOK_RETURN(function, entry, end, what, ...)                \
	{                                                           \
		.name = (function), .type = &pcinspect_hook_return, \
		.rp = { .entry_handler = (entry),                   \
			.handler = (end),                           \
			.data_size = sizeof(u64) },                 \
		.purpose = (what), .reads = true, ##__VA_ARGS__     \
	}

/* … a call alone, … */
#define HOOK_CALL(function, handler, what, ...)                     \
	{                                                           \
		.name = (function), .type = &pcinspect_hook_call,   \
		.pre = (handler), .purpose = (what), .reads = true, \
		##__VA_ARGS__                                       \
	}

/* … a tracepoint. */
#define HOOK_EVENT(event, callback, what, ...)                         \
	{                                                              \
		.name = (event), .type = &pcinspect_hook_event,        \
		.probe = (callback), .purpose = (what), .reads = true, \
		##__VA_ARGS__                                          \
	}

/* A changed prototype must break the build, not the machine. */
#define HOOK_CANARY(event, callback) check_trace_callback_type_##event(callback)

/*
 * What a filter returns. An instance of a kretprobe comes from one list for the
 * whole machine (6.1), so none is taken for a call that concerns nobody.
 */
static __always_inline int hook_enter_if(bool wanted, struct kprobe *kp,
					 struct pt_regs *regs)
{
	return wanted ? pcinspect_hook_enter(kp, regs) : 0;
}

#endif /* PCINSPECT_HOOK_TABLE_H */
