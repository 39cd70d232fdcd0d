// SPDX-License-Identifier: GPL-2.0
/*
 * called.c - which functions were ever seen to be called.
 *
 * Why: that a probe could be put on a function does not mean that the kernel
 * calls it: within its own file it may be inlined. Until a hook was hit once,
 * info says so. To cost nothing afterwards, the first hit of a probe comes here
 * and puts the probe's own handler back.
 *
 * Not for tracepoints and ftrace callbacks: the former are where they stand, of
 * the latter there is one, and their callback cannot be exchanged in place.
 *
 * May touch: handlers of our own probes.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>

#include "hooks/attach.h"

static struct pcinspect_hook *called_find(const struct kretprobe *rp,
					  const struct kprobe *kp)
{
	const struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = pcinspect_hook_get(i)); i++)
		if (rp ? hook->rp == rp : hook->kp == kp)
			return (struct pcinspect_hook *)hook;
	return NULL;
}

static int called_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct pcinspect_hook *hook = called_find(get_kretprobe(ri), NULL);

	if (!hook)
		return 1;
	WRITE_ONCE(hook->called, true);
	WRITE_ONCE(hook->rp->entry_handler, hook->entry);
	return hook->entry(ri, regs);
}

static int called_entry(struct kprobe *kp, struct pt_regs *regs)
{
	struct pcinspect_hook *hook = called_find(NULL, kp);

	if (!hook)
		return 0;
	WRITE_ONCE(hook->called, true);
	WRITE_ONCE(kp->pre_handler, hook->pre);
	return hook->pre(kp, regs);
}

/**
 * pcinspect_hook_await() - learn of the first call that a hook sees
 * @hook: about to be attached
 *
 * Several CPUs may have their first call at once; they do the same.
 *
 * Context: process context, the hook's probe is not registered.
 */
void pcinspect_hook_await(struct pcinspect_hook *hook)
{
	if (hook->called)
		return;
	if (hook->rp && hook->rp->entry_handler != called_return) {
		hook->entry = hook->rp->entry_handler;
		if (hook->entry)
			hook->rp->entry_handler = called_return;
	}
	if (hook->kp && hook->kp->pre_handler != called_entry) {
		hook->pre = hook->kp->pre_handler;
		if (hook->pre)
			hook->kp->pre_handler = called_entry;
	}
}

/**
 * pcinspect_hook_uncalled() - is it attached, and was never seen to be called?
 * @hook: which
 *
 * Context: any; the answer is a moment's.
 * Return: true if so; false of hooks that cannot tell.
 */
bool pcinspect_hook_uncalled(const struct pcinspect_hook *hook)
{
	return hook->attached && (hook->entry || hook->pre) &&
	       !READ_ONCE(hook->called);
}
