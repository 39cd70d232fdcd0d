/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hook.h - one point in the kernel and the probe on it.
 */
#ifndef PCINSPECT_HOOK_H
#define PCINSPECT_HOOK_H

#include <linux/kprobes.h>
#include <linux/types.h>

struct module;
struct pcinspect_hook;
struct pcinspect_hook_group;
struct tracepoint;

/* The users of hooks. HOOKS_BLOCK_DEVICE comes with HOOKS_EXPLICIT, and goes with it. */
enum pcinspect_hooks_user {
	HOOKS_AUTO = 1 << 0,
	HOOKS_EXPLICIT = 1 << 1,
	HOOKS_RUN = 1 << 2,
	HOOKS_BLOCK_DEVICE = 1 << 3,
};

/**
 * struct pcinspect_hook_type - a way to be called by the kernel
 * @find: look up what does not change while the kernel runs, or NULL
 * @attach: register the probe by this name; 0 or why not
 * @detach: unregister some probes at once: each time waits for a grace period
 * @missed: calls that found no instance since it was attached, or NULL
 */
struct pcinspect_hook_type {
	void (*find)(struct pcinspect_hook *hook);
	int (*attach)(struct pcinspect_hook *hook, const char *name);
	void (*detach)(struct pcinspect_hook **hooks, unsigned int nr);
	unsigned long (*missed)(const struct pcinspect_hook *hook);
};

/* Hooks at most, so that arrays of all can be on a stack. */
#define PCINSPECT_HOOK_MAX 64

extern const struct pcinspect_hook_type pcinspect_hook_event;
extern const struct pcinspect_hook_type pcinspect_hook_call;
extern const struct pcinspect_hook_type pcinspect_hook_return;

/* struct pcinspect_range - numbers that follow one another */
struct pcinspect_range {
	u8 first;
	u8 last;
};

/*
 * struct pcinspect_hook - one point in the kernel and our probe on it
 * @name: tracepoint or function, as the kernel calls it
 * @older: its name in older kernels, or NULL
 * @purpose: what is unknown without it
 * @fs: the filesystems it is for, with a space between; NULL: all
 * @not_fs: of all, these it is not for
 * @numbers: those that are unknown there without it, up to PCINSPECT_NR_NUMBERS
 * @only: of those, the ones that are unknown on every filesystem that no hook
 *	with such a list is for
 * @calls: PCINSPECT_FSYNC_*: of an fsync call, what is unknown there without it
 * @reads: attached only while there is a ledger
 * @users: event: of those who need it, some; attached only while one of these does
 * @optional: not in every kernel: no loss where it is not
 * @many: return: all threads of a server may be asleep in it at once
 * @all: return: instances are taken for calls of all files; its @pre ends with
 *	pcinspect_hook_enter_all()
 * @group: of calls and returns: whose callback ftrace calls; if none is given, that
 *	of functions that are called seldom
 * @args: of a function that no header declares, what @probe takes its arguments
 *	for, as pcinspect_btf_look() wants it; else NULL
 * @probe: event: function with its prototype (checked at build time by
 *	check_trace_callback_type_NAME() beside the probe)
 * @pre: call: handler; return: filter that decides whether to take an instance
 *	of the probe, by pcinspect_hook_enter(); NULL: always
 * @rp: of calls and returns
 * @ip: in a group: where ftrace calls from, in the function
 * @own: return: with instances of each CPU's own, or NULL; never armed
 * @nr_own: how many
 * @tp: event: found at load, NULL if this kernel has none
 * @asked: BTF was read, and does not contradict @args
 * @called: a call was seen, since load
 * @err: why registering failed, 0 if it did not
 * @missed: calls the probe missed in earlier attachments
 * @memory: that its instances take now, in bytes
 */
struct pcinspect_hook {
	const char *name;
	const char *older;
	const struct pcinspect_hook_type *type;
	const char *purpose;
	const char *fs;
	const char *not_fs;
	const struct pcinspect_range *numbers;
	const struct pcinspect_range *only;
	u32 calls;
	bool reads;
	u32 users;
	bool optional;
	bool many;
	bool all;
	struct pcinspect_hook_group *group;
	const char *args;
	union {
		void *probe;
		kprobe_pre_handler_t pre;
	};
	union {
		struct kretprobe rp;
		struct tracepoint *tp;
	};
	unsigned long ip;
	struct kretprobe *own;
	unsigned int nr_own;
	bool attached;
	bool going;
	bool asked;
	bool called;
	int err;
	unsigned long missed;
	size_t memory;
};

/*
 * struct pcinspect_hook_set - the hooks of one file
 * @detached: forget what only their calls could end, or NULL; called when no
 *	hook is attached that needs a ledger
 * @anew: likewise, when all has ended that its sums are for: they begin anew
 */
struct pcinspect_hook_set {
	struct pcinspect_hook *hooks;
	unsigned int nr;
	void (*detached)(void);
	void (*anew)(void);
};

extern const struct pcinspect_hook_set pcinspect_hooks_filemap;
extern const struct pcinspect_hook_set pcinspect_hooks_task;
extern const struct pcinspect_hook_set pcinspect_hooks_reclaim;
extern const struct pcinspect_hook_set pcinspect_hooks_readahead;
extern const struct pcinspect_hook_set pcinspect_hooks_access;
extern const struct pcinspect_hook_set pcinspect_hooks_remove;
extern const struct pcinspect_hook_set pcinspect_hooks_writeback;
extern const struct pcinspect_hook_set pcinspect_hooks_block;
extern const struct pcinspect_hook_set pcinspect_hooks_fsync;
extern const struct pcinspect_hook_set pcinspect_hooks_unlink;

extern kprobe_pre_handler_t pcinspect_hook_enter;

int pcinspect_hook_enter_all(struct kprobe *kp, struct pt_regs *regs);

#endif /* PCINSPECT_HOOK_H */
