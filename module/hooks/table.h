/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - how the tables of hook_*.c are written.
 */
#ifndef PCINSPECT_HOOK_TABLE_H
#define PCINSPECT_HOOK_TABLE_H

#include <linux/kernel.h>
#include <linux/kprobes.h>

#include "hooks/attach.h"

/* A kretprobe whose calls keep a value of @type from @entry to @end. */
#define HOOK_PROBE(entry, end, type)                        \
	{                                                   \
		.entry_handler = (entry), .handler = (end), \
		.data_size = sizeof(type)                   \
	}

/* Hooks of the read and write side: a call and its return, … */
#define HOOK_RETURN(function, probe, what, maybe)                      \
	{                                                              \
		.name = (function), .rp = &(probe), .purpose = (what), \
		.reads = true, .optional = (maybe)                     \
	}

/* … a call alone, … */
#define HOOK_ENTRY(function, kprobe, what)                              \
	{                                                               \
		.name = (function), .kp = &(kprobe), .purpose = (what), \
		.reads = true                                           \
	}

/* … a tracepoint. */
#define HOOK_EVENT(event, callback, what)                                \
	{                                                                \
		.name = (event), .probe = (callback), .purpose = (what), \
		.reads = true                                            \
	}

/* A changed prototype must break the build, not the machine. */
#define HOOK_CANARY(event, callback) check_trace_callback_type_##event(callback)

#endif /* PCINSPECT_HOOK_TABLE_H */
