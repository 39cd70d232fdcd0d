/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.h - the form of the tables of hooks: one row is one hook.
 */
#ifndef PCINSPECT_HOOK_TABLE_H
#define PCINSPECT_HOOK_TABLE_H

#include <linux/kernel.h>
#include <linux/kprobes.h>

#include "numbers.h"
#include "hooks/hook.h"
#include "hooks/group.h"
#include "records/meter.h"
#include "records/operation.h"
#include "records/scope.h"

/* The numbers that depend on a hook: some of them alone, others by range. */
#define NUMBERS(...)                                    \
	((const struct pcinspect_range[]){ __VA_ARGS__, \
					   { PCINSPECT_NR_NUMBERS } })

#define RANGE(from, to)                          \
	{                                        \
		PCINSPECT_##from, PCINSPECT_##to \
	}
#define ONE(number)                                    \
	{                                              \
		PCINSPECT_##number, PCINSPECT_##number \
	}

#define INSERTED_BY_ALL RANGE(INSERTED_SYNC, INSERTED_OTHER)
#define INSERTED_BY_WRITE RANGE(INSERTED_WRITE, INSERTED_OTHER)
#define REMOVED_BY_ALL RANGE(REMOVED_RECLAIM, REMOVED_OTHER)
#define WASTED_AND_UNKNOWN RANGE(WASTED_PAGES, UNUSED_UNKNOWN_PAGES)
#define WINDOWS RANGE(WINDOWS_TOTAL, WINDOWS_DROPPED)
#define AGES RANGE(OLDEST_MS, LE_INF_MS)
#define WRITTEN_AGES RANGE(WRITTEN_UNKNOWN_AGE_PAGES, WRITTEN_LE_INF_MS)
#define REASONS RANGE(BY_BACKGROUND, BY_OTHER)
/* The reason assumed where none is seen: kernel workers call as well. */
#define REASONS_NOT_SEEN RANGE(BY_FLUSHER, BY_OTHER)
#define WRITEBACK_TIMES RANGE(ENDED_PAGES, WRITEBACK_NS)
#define THROTTLED RANGE(THROTTLES, THROTTLED_DEVICE_NS)
#define THRESHOLDS RANGE(THRESH_MIN_PAGES, THRESH_MAX_PAGES)
#define DIRECT_BYTES RANGE(DIRECT_READ_BYTES, DIRECT_WRITE_BYTES)
#define DIRECT_ALL RANGE(DIRECT_READ_BYTES, DIRECT_INVALIDATED_PAGES)
#define DIRTIED RANGE(DIRTIED_PAGES, REDIRTIED_PAGES)

/* @entry and @end share a value of up to eight bytes. */
#define HOOK_RETURN(function, entry, end, what, ...)                \
	{                                                           \
		.name = (function), .type = &pcinspect_hook_return, \
		.rp = { .entry_handler = (entry),                   \
			.handler = (end),                           \
			.data_size = sizeof(u64) },                 \
		.purpose = (what), .reads = true, ##__VA_ARGS__     \
	}

#define HOOK_CALL(function, handler, what, ...)                     \
	{                                                           \
		.name = (function), .type = &pcinspect_hook_call,   \
		.pre = (handler), .purpose = (what), .reads = true, \
		##__VA_ARGS__                                       \
	}

#define HOOK_EVENT(event, callback, what, ...)                         \
	{                                                              \
		.name = (event), .type = &pcinspect_hook_event,        \
		.probe = (callback), .purpose = (what), .reads = true, \
		##__VA_ARGS__                                          \
	}

/* A changed prototype must break the build, not the machine. */
#define HOOK_CANARY(event, callback) check_trace_callback_type_##event(callback)

/* The @n-th argument of a function that was just called: a pointer. */
static __always_inline void *hook_arg(struct pt_regs *regs, unsigned int n)
{
	return (void *)regs_get_kernel_argument(regs, n);
}

/*
 * The result of a filter. An instance of a kretprobe comes from one list for
 * the whole machine (6.1), so none is taken for a call that concerns nobody.
 */
static __always_inline int hook_enter_if(bool wanted, struct kprobe *kp,
					 struct pt_regs *regs)
{
	return wanted ? pcinspect_hook_enter(kp, regs) : 0;
}

/* A filter of functions whose first argument is a file. */
static inline int hook_file_filter(struct kprobe *kp, struct pt_regs *regs)
{
	const struct file *file = hook_arg(regs, 0);

	return hook_enter_if(pcinspect_scope_concerns(file->f_mapping->host),
			     kp, regs);
}

/*
 * The handler of a return, of which the time is measured:
 * HOOK_END(name) { the body, with @ri and @regs }
 */
#define HOOK_END(name)                                                              \
	static __always_inline int name##_unmeasured(struct kretprobe_instance *ri, \
						     struct pt_regs *regs);         \
	static int name(struct kretprobe_instance *ri, struct pt_regs *regs)        \
	{                                                                           \
		u64 began = pcinspect_meter_begin();                                \
		int ret = name##_unmeasured(ri, regs);                              \
		pcinspect_meter_end(began);                                         \
		return ret;                                                         \
	}                                                                           \
	static __always_inline int name##_unmeasured(struct kretprobe_instance *ri, \
						     struct pt_regs *regs)

/* Begin an operation; returns 0 if the call's return is to be probed. */
static __always_inline int hook_begin(struct kretprobe_instance *ri,
				      enum pcinspect_operation_kind kind,
				      const struct address_space *mapping)
{
	return pcinspect_operation_push(kind, mapping, (u8 *)ri->data) ? 0 : 1;
}

#endif /* PCINSPECT_HOOK_TABLE_H */
