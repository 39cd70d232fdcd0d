/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - how the tables of the hooks are written: one row is one hook.
 */
#ifndef PCINSPECT_HOOK_TABLE_H
#define PCINSPECT_HOOK_TABLE_H

#include <linux/kernel.h>
#include <linux/kprobes.h>

#include "numbers.h"
#include "hooks/attach.h"
#include "hooks/group.h"

/* The numbers that depend on a hook: some of them alone, others by range. */
#define NUMBERS(...)                                    \
	((const struct pcinspect_range[]){ __VA_ARGS__, \
					   { PCINSPECT_NR_NUMBERS } })

#define ONE(number)                                    \
	{                                              \
		PCINSPECT_##number, PCINSPECT_##number \
	}

#define INSERTED_BY_ALL                                           \
	{                                                         \
		PCINSPECT_INSERTED_SYNC, PCINSPECT_INSERTED_OTHER \
	}
#define INSERTED_BY_WRITE                                          \
	{                                                          \
		PCINSPECT_INSERTED_WRITE, PCINSPECT_INSERTED_OTHER \
	}
#define REMOVED_BY_ALL                                             \
	{                                                          \
		PCINSPECT_REMOVED_RECLAIM, PCINSPECT_REMOVED_OTHER \
	}
#define WASTED_AND_UNKNOWN                                             \
	{                                                              \
		PCINSPECT_WASTED_PAGES, PCINSPECT_UNUSED_UNKNOWN_PAGES \
	}
#define WINDOWS                                                    \
	{                                                          \
		PCINSPECT_WINDOWS_TOTAL, PCINSPECT_WINDOWS_DROPPED \
	}
#define AGES                                             \
	{                                                \
		PCINSPECT_OLDEST_MS, PCINSPECT_LE_INF_MS \
	}
#define WRITTEN_AGES                                 \
	{                                            \
		PCINSPECT_WRITTEN_UNKNOWN_AGE_PAGES, \
			PCINSPECT_WRITTEN_LE_INF_MS  \
	}
#define REASONS                                             \
	{                                                   \
		PCINSPECT_BY_BACKGROUND, PCINSPECT_BY_OTHER \
	}
/* What a reason that is not seen is taken for: kernel workers call as well. */
#define REASONS_NOT_SEEN                                 \
	{                                                \
		PCINSPECT_BY_FLUSHER, PCINSPECT_BY_OTHER \
	}
#define WRITEBACK_TIMES                                       \
	{                                                     \
		PCINSPECT_ENDED_PAGES, PCINSPECT_WRITEBACK_NS \
	}
#define THROTTLED                                                  \
	{                                                          \
		PCINSPECT_THROTTLES, PCINSPECT_THROTTLED_DEVICE_NS \
	}
#define THRESHOLDS                                                     \
	{                                                              \
		PCINSPECT_THRESH_MIN_PAGES, PCINSPECT_THRESH_MAX_PAGES \
	}
#define DIRECT_BYTES                                                      \
	{                                                                 \
		PCINSPECT_DIRECT_READ_BYTES, PCINSPECT_DIRECT_WRITE_BYTES \
	}
#define DIRECT_ALL                                                              \
	{                                                                       \
		PCINSPECT_DIRECT_READ_BYTES, PCINSPECT_DIRECT_INVALIDATED_PAGES \
	}
#define DIRTIED                                                    \
	{                                                          \
		PCINSPECT_DIRTIED_PAGES, PCINSPECT_REDIRTIED_PAGES \
	}

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
