// SPDX-License-Identifier: GPL-2.0
/*
 * hook.c - finding, attaching and detaching the hooks, and saying which.
 *
 * Why by name: no tracepoint of filemap, readahead or writeback is exported to
 * modules; for_each_kernel_tracepoint() and tracepoint_probe_register() are
 * (kernel/tracepoint.c). Each trace system has a file of its own with its
 * probes (hook_<system>.c), because the kernel's event headers cannot all be
 * included in one (7.2's readahead.h has the guard of filemap.h).
 *
 * May touch: the kernel's tracepoints, by registering and unregistering.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "hook.h"

static DEFINE_MUTEX(hook_mutex);

/**
 * pcinspect_hook_get() - the i-th hook of all systems
 * @i: 0, 1, …
 *
 * Context: any.
 * Return: the hook, or NULL past the last.
 */
const struct pcinspect_hook *pcinspect_hook_get(unsigned int i)
{
	return i < pcinspect_nr_hooks_filemap ? &pcinspect_hooks_filemap[i] :
						NULL;
}

static void hook_match(struct tracepoint *tp, void *priv)
{
	unsigned int i;

	for (i = 0; i < pcinspect_nr_hooks_filemap; i++)
		if (!strcmp(tp->name, pcinspect_hooks_filemap[i].name))
			pcinspect_hooks_filemap[i].tp = tp;
}

/**
 * pcinspect_hooks_find() - look up every tracepoint in this kernel
 *
 * Context: process context, once at load.
 */
void pcinspect_hooks_find(void)
{
	for_each_kernel_tracepoint(hook_match, NULL);
}

/**
 * pcinspect_hooks_attach() - attach what is there and not attached yet
 *
 * A hook that is missing or refused is reported in info, never fatal: state
 * comes from walks, only its causes from events.
 *
 * Context: process context, may sleep.
 */
void pcinspect_hooks_attach(void)
{
	unsigned int i;

	mutex_lock(&hook_mutex);
	for (i = 0; i < pcinspect_nr_hooks_filemap; i++) {
		struct pcinspect_hook *hook = &pcinspect_hooks_filemap[i];

		if (hook->attached || !hook->tp)
			continue;
		hook->err =
			tracepoint_probe_register(hook->tp, hook->probe, NULL);
		hook->attached = !hook->err;
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
	unsigned int i;

	mutex_lock(&hook_mutex);
	for (i = 0; i < pcinspect_nr_hooks_filemap; i++) {
		struct pcinspect_hook *hook = &pcinspect_hooks_filemap[i];

		if (!hook->attached)
			continue;
		tracepoint_probe_unregister(hook->tp, hook->probe, NULL);
		hook->attached = false;
	}
	tracepoint_synchronize_unregister();
	mutex_unlock(&hook_mutex);
}

/**
 * pcinspect_hooks_attached() - are all hooks in place
 *
 * Context: any; the answer is a moment's.
 * Return: true if every hook of the table is attached.
 */
bool pcinspect_hooks_attached(void)
{
	unsigned int i;

	for (i = 0; i < pcinspect_nr_hooks_filemap; i++)
		if (!READ_ONCE(pcinspect_hooks_filemap[i].attached))
			return false;
	return true;
}
