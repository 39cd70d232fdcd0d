// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe.c - the kinds of hooks: how a tracepoint, a function's entry and its
 * return are attached and detached.
 *
 * Why apart: attach.c decides which hooks are attached, and demand.c does for
 * the live view; both use these functions.
 *
 * May touch: the kernel's tracepoints and kprobes, by registering.
 *
 * Locks: none. Callers serialize the calls for one hook.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rethook.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "hooks/hook.h"

/*
 * Instances of a kretprobe: a task that sleeps in the function keeps its own,
 * and one that finds none is not seen (probes_missed). With many CPUs each ring
 * takes whole pages (objpool): 256 are what one page can do.
 */
#define HOOK_ACTIVE 256
#define HOOK_ACTIVE_MANY 1024

/* Of all CPUs together, for what each has instances of its own for; and of one. */
#define HOOK_ACTIVE_ALL 4096
#define HOOK_ACTIVE_OWN 64

/* So many go with one wait for a grace period. */
#define PROBE_BATCH 64

/* The kernel's own work when a function with a kretprobe is called. */
kprobe_pre_handler_t pcinspect_hook_enter __read_mostly;

/* --- tracepoints --------------------------------------------------------- */

static void hook_match(struct tracepoint *tp, void *priv)
{
	struct pcinspect_hook *hook = priv;

	if (!strcmp(tp->name, hook->name))
		hook->tp = tp;
}

static void event_find(struct pcinspect_hook *hook)
{
	for_each_kernel_tracepoint(hook_match, hook);
}

static int event_attach(struct pcinspect_hook *hook, const char *unused)
{
	if (!hook->tp)
		return -ENOENT;
	return tracepoint_probe_register(hook->tp, hook->probe, NULL);
}

static void event_detach(struct pcinspect_hook **hooks, unsigned int nr)
{
	while (nr--)
		tracepoint_probe_unregister(hooks[nr]->tp, hooks[nr]->probe,
					    NULL);
	tracepoint_synchronize_unregister();
}

const struct pcinspect_hook_type pcinspect_hook_event = {
	.find = event_find,
	.attach = event_attach,
	.detach = event_detach,
};

/* --- kprobes and kretprobes ---------------------------------------------- */

/* Clear the leftovers of an earlier registration. Not armed: its group calls it. */
static void hook_clear(struct pcinspect_hook *hook, const char *name)
{
	struct kprobe *kp = &hook->rp.kp;

	memset(kp, 0, sizeof(*kp));
	kp->symbol_name = name;
	kp->flags = KPROBE_FLAG_DISABLED;
}

static int call_attach(struct pcinspect_hook *hook, const char *name)
{
	hook_clear(hook, name);
	return register_kprobe(&hook->rp.kp);
}

static size_t hook_instances(const struct kretprobe *rp)
{
	return pcinspect_rethook_memory(sizeof(struct kretprobe_instance) +
						rp->data_size,
					rp->maxactive);
}

/*
 * Instances of each CPU's own for what is followed in all files, where the kernel
 * has one list for a kretprobe: a kretprobe for each CPU, which is never armed, and
 * called by pcinspect_hook_enter_all(). After an error the caller detaches.
 */
static int hook_make_own(struct pcinspect_hook *hook)
{
	struct kretprobe *own;
	size_t memory;
	int err = 0;

	own = kvcalloc(nr_cpu_ids, sizeof(*own), GFP_KERNEL);
	if (!own)
		return -ENOMEM;
	memory = hook->memory + nr_cpu_ids * sizeof(*own);
	for (hook->nr_own = 0; hook->nr_own < nr_cpu_ids; hook->nr_own++) {
		struct kretprobe *rp = &own[hook->nr_own];

		rp->kp.addr = hook->rp.kp.addr;
		rp->kp.flags = KPROBE_FLAG_DISABLED;
		rp->entry_handler = hook->rp.entry_handler;
		rp->handler = hook->rp.handler;
		rp->data_size = hook->rp.data_size;
		rp->maxactive = clamp_t(unsigned int,
					HOOK_ACTIVE_ALL / nr_cpu_ids,
					HOOK_ACTIVE_OWN, HOOK_ACTIVE_MANY);
		err = register_kretprobe(rp);
		if (err)
			break;
		memory += hook_instances(rp);
	}
	WRITE_ONCE(hook->memory, memory);
	WRITE_ONCE(hook->own, own);
	return err;
}

/* The @i-th kretprobe of a hook, or NULL. */
static struct kretprobe *hook_kretprobe(struct pcinspect_hook *hook,
					unsigned int i)
{
	if (!i)
		return &hook->rp;
	return i <= hook->nr_own ? &hook->own[i - 1] : NULL;
}

/*
 * The end of the filter of a hook with @all: a call is followed whatever file
 * it is of. Context: as a kprobe's pre_handler: preemption off. Return: what
 * that returns.
 */
int pcinspect_hook_enter_all(struct kprobe *kp, struct pt_regs *regs)
{
	struct pcinspect_hook *hook =
		container_of(kp, struct pcinspect_hook, rp.kp);
	struct kretprobe *own = READ_ONCE(hook->own);

	return pcinspect_hook_enter(own ? &own[smp_processor_id()].kp : kp,
				    regs);
}

static void return_detach(struct pcinspect_hook **hooks, unsigned int nr)
{
	struct kretprobe *rps[PROBE_BATCH], *owns[PCINSPECT_HOOK_MAX];
	unsigned int i, k, n = 0, nr_owns = 0;
	struct kretprobe *rp;

	for (i = 0; i < nr; i++) {
		for (k = 0; (rp = hook_kretprobe(hooks[i], k)); k++) {
			rps[n++] = rp;
			if (n < ARRAY_SIZE(rps))
				continue;
			unregister_kretprobes(rps, n);
			n = 0;
		}
	}
	unregister_kretprobes(rps, n);
	for (i = 0; i < nr; i++) {
		if (!hooks[i]->own)
			continue;
		owns[nr_owns++] = hooks[i]->own;
		hooks[i]->nr_own = 0;
		WRITE_ONCE(hooks[i]->own, NULL);
	}
	if (nr_owns)
		synchronize_rcu(); /* return_missed() */
	while (nr_owns)
		kvfree(owns[--nr_owns]);
}

static int return_attach(struct pcinspect_hook *hook, const char *name)
{
	const bool own = PCINSPECT_RETHOOK_SHARED && hook->all;
	struct kretprobe *rp = &hook->rp;
	int err;

	hook_clear(hook, name);
	rp->maxactive = own ? 1 : hook->many ? HOOK_ACTIVE_MANY : HOOK_ACTIVE;
	err = register_kretprobe(rp);
	if (err)
		return err;
	WRITE_ONCE(hook->memory, hook_instances(rp));
	err = own ? hook_make_own(hook) : 0;
	if (err) {
		WRITE_ONCE(hook->memory, 0);
		return_detach(&hook, 1);
		return err;
	}
	/* The same for all of them; pre_handler_kretprobe(), kernel/kprobes.c */
	if (!pcinspect_hook_enter)
		pcinspect_hook_enter = rp->kp.pre_handler;
	return 0;
}

static void call_detach(struct pcinspect_hook **hooks, unsigned int nr)
{
	struct kprobe *kps[PCINSPECT_HOOK_MAX];
	unsigned int i;

	for (i = 0; i < nr; i++)
		kps[i] = &hooks[i]->rp.kp;
	unregister_kprobes(kps, nr);
}

static unsigned long return_missed(const struct pcinspect_hook *hook)
{
	unsigned long missed = hook->rp.nmissed;
	const struct kretprobe *own;
	unsigned int i;

	rcu_read_lock(); /* return_detach() waits */
	own = READ_ONCE(hook->own);
	for (i = 0; own && i < nr_cpu_ids; i++)
		missed += READ_ONCE(own[i].nmissed);
	rcu_read_unlock();
	return missed;
}

const struct pcinspect_hook_type pcinspect_hook_call = {
	.attach = call_attach,
	.detach = call_detach,
};

const struct pcinspect_hook_type pcinspect_hook_return = {
	.attach = return_attach,
	.detach = return_detach,
	.missed = return_missed,
};
