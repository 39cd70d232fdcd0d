// SPDX-License-Identifier: GPL-2.0
/*
 * attach.c - finding, attaching and detaching the hooks, and saying which.
 *
 * Why by name: no tracepoint of filemap, readahead or writeback is exported to
 * modules; for_each_kernel_tracepoint() and tracepoint_probe_register() are
 * (kernel/tracepoint.c). Where there is no tracepoint, or none that fires when
 * a function returns, there is a kprobe or kretprobe. Each trace system has a
 * file of its own with its probes (hook_<system>.c), because the kernel's event
 * headers cannot all be included in one (7.2's readahead.h has the guard of
 * filemap.h).
 *
 * May touch: the kernel's tracepoints and kprobes, by registering.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "account/devices.h"
#include "account/evictor.h"
#include "account/fsync.h"
#include "account/reads.h"
#include "account/writes.h"
#include "hooks/attach.h"
#include "records/operation.h"

static const struct pcinspect_hook_set *const hook_sets[] = {
	&pcinspect_hooks_filemap,   &pcinspect_hooks_task,
	&pcinspect_hooks_readahead, &pcinspect_hooks_access,
	&pcinspect_hooks_remove,    &pcinspect_hooks_reclaim,
	&pcinspect_hooks_writeback, &pcinspect_hooks_block,
	&pcinspect_hooks_fsync,
};

/* Probes unregistered at once: each time waits for a grace period. */
#define HOOK_BATCH 16

static DEFINE_MUTEX(hook_mutex);
static u32 hook_users;

/**
 * pcinspect_hook_get() - the i-th hook of all sets
 * @i: 0, 1, …
 *
 * Context: any.
 * Return: the hook, or NULL past the last.
 */
const struct pcinspect_hook *pcinspect_hook_get(unsigned int i)
{
	unsigned int k;

	for (k = 0; k < ARRAY_SIZE(hook_sets); k++) {
		if (i < hook_sets[k]->nr)
			return &hook_sets[k]->hooks[i];
		i -= hook_sets[k]->nr;
	}
	return NULL;
}

static void hook_match(struct tracepoint *tp, void *priv)
{
	unsigned int i, k;

	for (k = 0; k < ARRAY_SIZE(hook_sets); k++) {
		struct pcinspect_hook *hooks = hook_sets[k]->hooks;

		for (i = 0; i < hook_sets[k]->nr; i++)
			if (hooks[i].probe && !strcmp(tp->name, hooks[i].name))
				hooks[i].tp = tp;
	}
}

/*
 * Where a function is; 0 if it cannot be probed. A filter by name would compare
 * it with that of every function of every module, each found by a walk through
 * the module's symbols (ftrace_match_record(), kernel/trace/ftrace.c): with a
 * few large modules that takes longer than attaching everything else.
 */
static unsigned long hook_find_ip(const char *name)
{
	struct kprobe kp = {
		.symbol_name = name,
		.flags = KPROBE_FLAG_DISABLED,
	};
	unsigned long ip;

	if (register_kprobe(&kp))
		return 0;
	ip = (unsigned long)kp.addr;
	unregister_kprobe(&kp);
	return ip;
}

/**
 * pcinspect_hooks_find() - look up what does not change while a kernel runs
 *
 * Every tracepoint, and the functions of ftrace callbacks.
 *
 * Context: process context, once at load.
 */
void pcinspect_hooks_find(void)
{
	unsigned int i, k;

	for_each_kernel_tracepoint(hook_match, NULL);
	for (k = 0; k < ARRAY_SIZE(hook_sets); k++) {
		struct pcinspect_hook *hooks = hook_sets[k]->hooks;

		for (i = 0; i < hook_sets[k]->nr; i++)
			if (hooks[i].fops)
				hooks[i].ip = hook_find_ip(hooks[i].name);
	}
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
/* ftrace_free_filter() leaves what it freed in the ops: begin anew. */
static void hook_reset_ftrace(struct ftrace_ops *fops)
{
	ftrace_func_t func = fops->func;

	ftrace_free_filter(fops);
	memset(fops, 0, sizeof(*fops));
	fops->func = func;
}

static int hook_attach_ftrace(struct pcinspect_hook *hook)
{
	int err;

	if (!hook->ip)
		return -ENOENT;
	hook->fops->flags |= FTRACE_OPS_FL_SAVE_REGS;
	err = ftrace_set_filter_ip(hook->fops, hook->ip, 0, 1);
	if (!err)
		err = register_ftrace_function(hook->fops);
	if (err)
		hook_reset_ftrace(hook->fops);
	return err;
}

static void hook_detach_ftrace(struct pcinspect_hook *hook)
{
	unregister_ftrace_function(hook->fops);
	hook_reset_ftrace(hook->fops);
}
#else
static int hook_attach_ftrace(struct pcinspect_hook *hook)
{
	return -EOPNOTSUPP;
}

static void hook_detach_ftrace(struct pcinspect_hook *hook)
{
}
#endif

static void hook_attach(struct pcinspect_hook *hook)
{
	if (hook->attached)
		return;
	if (hook->probe) {
		if (!hook->tp)
			return;
		hook->err =
			tracepoint_probe_register(hook->tp, hook->probe, NULL);
	} else if (hook->rp) {
		pcinspect_hook_await(hook);
		/* What an earlier registration resolved is no valid input. */
		hook->rp->kp.symbol_name = hook->name;
		hook->rp->kp.addr = NULL;
		hook->rp->kp.flags = 0;
		hook->rp->maxactive = PCINSPECT_MAXACTIVE;
		hook->rp->nmissed = 0;
		hook->err = register_kretprobe(hook->rp);
	} else if (hook->fops) {
		hook->err = hook_attach_ftrace(hook);
	} else {
		pcinspect_hook_await(hook);
		hook->kp->symbol_name = hook->name;
		hook->kp->addr = NULL;
		hook->kp->flags = 0;
		hook->err = register_kprobe(hook->kp);
	}
	hook->attached = !hook->err;
}

/* Attach what is not attached yet, with or without the read side. */
static void hook_attach_all(bool reads)
{
	unsigned int i, k;

	for (k = 0; k < ARRAY_SIZE(hook_sets); k++)
		for (i = 0; i < hook_sets[k]->nr; i++)
			if (reads || !hook_sets[k]->hooks[i].reads)
				hook_attach(&hook_sets[k]->hooks[i]);
}

static void hook_detach_set(const struct pcinspect_hook_set *set, bool reads)
{
	struct kretprobe *rps[HOOK_BATCH];
	struct kprobe *kps[HOOK_BATCH];
	unsigned int i, nr_rps = 0, nr_kps = 0;

	for (i = 0; i < set->nr; i++) {
		struct pcinspect_hook *hook = &set->hooks[i];

		if (!hook->attached || (reads && !hook->reads))
			continue;
		hook->attached = false;
		if (hook->probe) {
			tracepoint_probe_unregister(hook->tp, hook->probe, NULL);
		} else if (hook->rp) {
			hook->missed += hook->rp->nmissed + hook->rp->kp.nmissed;
			rps[nr_rps++] = hook->rp;
			if (nr_rps == HOOK_BATCH) {
				unregister_kretprobes(rps, nr_rps);
				nr_rps = 0;
			}
		} else if (hook->fops) {
			hook_detach_ftrace(hook);
		} else {
			hook->missed += hook->kp->nmissed;
			kps[nr_kps++] = hook->kp;
			if (nr_kps == HOOK_BATCH) {
				unregister_kprobes(kps, nr_kps);
				nr_kps = 0;
			}
		}
	}
	unregister_kretprobes(rps, nr_rps);
	unregister_kprobes(kps, nr_kps);
}

/* Detach the read side, or everything; no probe of it runs on return. */
static void hook_detach_all(bool reads)
{
	unsigned int k;

	WRITE_ONCE(pcinspect_reads_on, false);
	for (k = 0; k < ARRAY_SIZE(hook_sets); k++)
		hook_detach_set(hook_sets[k], reads);
	tracepoint_synchronize_unregister();
	/* Returns that come from now on find no frame. */
	pcinspect_frame_purge();
	pcinspect_evictor_reset();
	pcinspect_fsync_reset();
	pcinspect_devices_reset();
	pcinspect_writes_reset();
}

/**
 * pcinspect_hooks_want() - somebody needs hooks, or needs them no more
 * @user: who
 * @wanted: which of both
 *
 * The read side is attached only while there are ledgers to fill. A hook that
 * is missing or refused is reported in info, never fatal: state comes from
 * walks, only its causes from events.
 *
 * Context: process context, may sleep.
 */
void pcinspect_hooks_want(enum pcinspect_hooks_user user, bool wanted)
{
	bool reads, now_reads;
	u32 before;

	mutex_lock(&hook_mutex);
	before = hook_users;
	reads = before & (HOOKS_EXPLICIT | HOOKS_RUN);
	hook_users = wanted ? before | user : before & ~user;
	now_reads = hook_users & (HOOKS_EXPLICIT | HOOKS_RUN);
	if (before && !hook_users)
		hook_detach_all(false);
	else if (reads && !now_reads)
		hook_detach_all(true);
	/* Also what is attached in part: a filesystem's module may be new. */
	if (wanted) {
		hook_attach_all(now_reads);
		WRITE_ONCE(pcinspect_reads_on, now_reads);
	}
	mutex_unlock(&hook_mutex);
}

/**
 * pcinspect_hooks_detach() - detach everything; no probe runs on return
 *
 * Context: process context, may sleep.
 */
void pcinspect_hooks_detach(void)
{
	mutex_lock(&hook_mutex);
	hook_users = 0;
	hook_detach_all(false);
	mutex_unlock(&hook_mutex);
}

/**
 * pcinspect_hooks_missed() - calls that no probe saw, for want of an instance
 *
 * Context: any.
 * Return: how many since load.
 */
u64 pcinspect_hooks_missed(void)
{
	const struct pcinspect_hook *hook;
	u64 missed = 0;
	unsigned int i;

	for (i = 0; (hook = pcinspect_hook_get(i)); i++) {
		missed += hook->missed;
		if (hook->attached && hook->rp)
			missed += hook->rp->nmissed + hook->rp->kp.nmissed;
		if (hook->attached && hook->kp)
			missed += hook->kp->nmissed;
	}
	return missed;
}

/**
 * pcinspect_hooks_missing() - read-side hooks that could not be attached
 *
 * Context: any; the answer is a moment's.
 * Return: how many, 0 while the read side is not attached.
 */
unsigned int pcinspect_hooks_missing(void)
{
	const struct pcinspect_hook *hook;
	unsigned int i, missing = 0;

	for (i = 0; (hook = pcinspect_hook_get(i)); i++)
		if (READ_ONCE(pcinspect_reads_on) &&
		    !READ_ONCE(hook->attached) && !hook->optional)
			missing++;
	return missing;
}
