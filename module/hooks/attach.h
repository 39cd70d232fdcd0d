/* SPDX-License-Identifier: GPL-2.0 */
/*
 * attach.h - the one table of everything the module attaches to the kernel.
 */
#ifndef PCINSPECT_HOOK_H
#define PCINSPECT_HOOK_H

#include <linux/kprobes.h>
#include <linux/types.h>

struct ftrace_ops;
struct tracepoint;

/**
 * struct pcinspect_hook - one point in the kernel and our probe on it
 * @name: tracepoint or function, as the kernel calls it
 * @probe: tracepoint: function with its prototype (checked at build time by
 *	check_trace_callback_type_NAME() beside the probe)
 * @rp: function: our kretprobe, or NULL
 * @kp: function: our kprobe, or NULL
 * @fops: function that is called in interrupts: our ftrace callback, or NULL. A
 *	kprobe there is missed whenever the interrupt came inside of another
 *	probe (kprobe_running())
 * @purpose: what is unknown without it
 * @reads: part of the read side, attached only while there is a ledger
 * @optional: not in every kernel, or of a filesystem's module: no loss
 * @tp: found at load, NULL if this kernel has none
 * @ip: of @fops' function, found at load, 0 if this kernel has none
 * @attached: registered now
 * @err: why registering failed, 0 if it did not
 * @missed: calls the probe missed in earlier attachments
 * @called: a call was seen, since load
 * @entry: handler of @rp, while that waits for the first call
 * @pre: likewise of @kp
 */
struct pcinspect_hook {
	const char *name;
	void *probe;
	struct kretprobe *rp;
	struct kprobe *kp;
	struct ftrace_ops *fops;
	const char *purpose;
	bool reads;
	bool optional;
	struct tracepoint *tp;
	unsigned long ip;
	bool attached;
	int err;
	unsigned long missed;
	bool called;
	kretprobe_handler_t entry;
	kprobe_pre_handler_t pre;
};

/**
 * struct pcinspect_hook_set - the hooks of one file
 * @hooks: them
 * @nr: how many
 */
struct pcinspect_hook_set {
	struct pcinspect_hook *hooks;
	unsigned int nr;
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

/* enum pcinspect_hooks_user - who wants hooks attached */
enum pcinspect_hooks_user {
	HOOKS_AUTO = 1 << 0,
	HOOKS_EXPLICIT = 1 << 1,
	HOOKS_RUN = 1 << 2,
};

/* Functions that sleep keep their instance: as many as tasks may be in them. */
#define PCINSPECT_MAXACTIVE 1024

void pcinspect_hook_await(struct pcinspect_hook *hook);
bool pcinspect_hook_uncalled(const struct pcinspect_hook *hook);
void pcinspect_hooks_find(void);
void pcinspect_hooks_want(enum pcinspect_hooks_user user, bool wanted);
void pcinspect_hooks_detach(void);
const struct pcinspect_hook *pcinspect_hook_get(unsigned int i);
u64 pcinspect_hooks_missed(void);
unsigned int pcinspect_hooks_missing(void);

#endif /* PCINSPECT_HOOK_H */
