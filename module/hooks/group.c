// SPDX-License-Identifier: GPL-2.0-only
/*
 * group.c - ftrace calls the hooks, without a kprobe that is armed.
 *
 * Why: the kernel's way to a kprobe on a function's entry takes some 150
 * instructions, and most calls are of untracked files. So the probes are
 * registered disabled, and an ftrace callback of our own asks a filter first:
 * some 55 instructions in all, which write nothing but the stack. For the calls
 * that concern somebody it does what the probe would have done. It is also
 * called in interrupts that came inside of another probe (kprobe_running()),
 * and with /sys/kernel/debug/kprobes/enabled=0, where kprobes are missed.
 *
 * One callback for all functions with the same first argument, and one for all
 * that are called seldom: to register or unregister one, or to arm one kprobe,
 * ftrace passes all functions of the kernel several times
 * (ftrace_replace_code(), kernel/trace/ftrace.c), and to unregister one waits
 * for all tasks to leave its trampoline (synchronize_rcu_tasks()).
 *
 * Context of the callbacks: that of the functions, preemptible, no recursion:
 * nothing that they call is traced by them.
 *
 * May touch: the kernel's function tracer, by registering; their probes.
 */
#include <linux/bitops.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "account/bio.h"
#include "account/writes.h"
#include "hooks/hook.h"
#include "hooks/group.h"
#include "records/meter.h"
#include "records/scope.h"

#ifdef PCINSPECT_HAVE_FTRACE_ARGS

/* There is a run, or one begins: calls of all files may concern somebody. */
static bool group_run __read_mostly;

static int group_slot(unsigned long ip)
{
	return hash_32((u32)ip, PCINSPECT_GROUP_BITS);
}

/* The hook of a function; NULL after pcinspect_group_set() left it out. Context: any. */
struct pcinspect_hook *
pcinspect_group_find(const struct pcinspect_hook_group *group, unsigned long ip)
{
	struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(group->ips); i++) {
		if (READ_ONCE(group->ips[i]) != ip)
			continue;
		/* Another may have come in its place. */
		hook = READ_ONCE(group->hooks[i]);
		if (hook && READ_ONCE(hook->ip) == ip)
			return hook;
	}
	return NULL;
}

/* Has every function been called, of all or of this slot? Nearly always it is one. */
static bool group_has_called(const struct pcinspect_hook_group *group, int slot)
{
	const struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(group->hooks); i++) {
		hook = READ_ONCE(group->hooks[i]);
		if (hook && !READ_ONCE(hook->called) &&
		    (slot < 0 || group_slot(READ_ONCE(hook->ip)) == slot))
			return false;
	}
	return true;
}

/*
 * From now on calls at a slot are left to the filter, unless there is a run:
 * whoever begins one says so first and takes the bits after that.
 */
static void group_disable_slot(struct pcinspect_hook_group *group, int slot)
{
	if (READ_ONCE(group_run) || !group_has_called(group, slot))
		return;
	if (group_has_called(group, -1))
		WRITE_ONCE(group->loud, false);
	set_bit(slot, group->quiet);
	smp_mb__after_atomic(); /* pcinspect_groups_run() */
	if (READ_ONCE(group_run)) {
		clear_bit(slot, group->quiet);
		WRITE_ONCE(group->loud, true);
	}
}

/* Its first call? Return: whose it is, or NULL. */
static struct pcinspect_hook *group_called(struct pcinspect_hook_group *group,
					   unsigned long ip)
{
	struct pcinspect_hook *hook = pcinspect_group_find(group, ip);

	if (hook && !READ_ONCE(hook->called)) {
		WRITE_ONCE(hook->called, true);
		group_disable_slot(group, group_slot(ip));
	}
	return hook;
}

/* A call that concerns somebody, the first one of a function, or in a run. */
static noinline notrace void group_enter(struct pcinspect_hook_group *group,
					 unsigned long ip,
					 struct ftrace_regs *fregs)
{
	struct pcinspect_ftrace_copy copy;
	struct pcinspect_hook *hook;
	kprobe_pre_handler_t pre;
	u64 began;

	/* From the look-up on: group_end() */
	preempt_disable_notrace();
	began = pcinspect_meter_begin();
	hook = group_called(group, ip);
	if (hook) {
		pre = hook->pre ?: pcinspect_hook_enter;
		pre(&hook->rp.kp, pcinspect_ftrace_enter(fregs, &copy));
		pcinspect_ftrace_leave(fregs, &copy);
	}
	pcinspect_meter_end(began);
	preempt_enable_notrace();
}

/* Is every call of this function to be looked at? */
static __always_inline bool group_asks(const struct pcinspect_hook_group *group,
				       unsigned long ip)
{
	return unlikely(!test_bit(group_slot(ip), group->quiet));
}

/* The same of a group of one function. */
static __always_inline bool
group_asks_all(const struct pcinspect_hook_group *group)
{
	return unlikely(READ_ONCE(group->loud));
}

/* May this concern somebody? The probe's own filter knows, but it costs more. */
static __always_inline bool group_wants(const struct pcinspect_hook_group *group,
					unsigned long ip,
					const struct inode *inode)
{
	return unlikely(pcinspect_track_may_have_ledger(inode)) ||
	       group_asks(group, ip);
}

static void notrace group_kiocb(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	const struct kiocb *iocb = (void *)pcinspect_ftrace_arg(fregs, 0);

	if (group_wants(&pcinspect_group_kiocb, ip,
			iocb->ki_filp->f_mapping->host))
		group_enter(&pcinspect_group_kiocb, ip, fregs);
}

/* Of all files; only a block device's functions are called for other than that. */
static void notrace group_direct(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	const struct kiocb *iocb = (void *)pcinspect_ftrace_arg(fregs, 0);

	if (iocb->ki_flags & IOCB_DIRECT ||
	    group_asks(&pcinspect_group_direct, ip))
		group_enter(&pcinspect_group_direct, ip, fregs);
}

/* Of other files only where bios do not say themselves what they are. */
static void notrace group_iomap(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	const struct kiocb *iocb = (void *)pcinspect_ftrace_arg(fregs, 0);
	const struct inode *inode = iocb->ki_filp->f_mapping->host;

	if (group_wants(&pcinspect_group_iomap, ip, inode) ||
	    pcinspect_bio_hides(inode, (void *)pcinspect_ftrace_arg(fregs, 3)))
		group_enter(&pcinspect_group_iomap, ip, fregs);
}

static void notrace group_ractl(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	const struct readahead_control *ractl =
		(void *)pcinspect_ftrace_arg(fregs, 0);

	if (group_wants(&pcinspect_group_ractl, ip, ractl->mapping->host))
		group_enter(&pcinspect_group_ractl, ip, fregs);
}

static void notrace group_fault(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	const struct vm_fault *vmf = (void *)pcinspect_ftrace_arg(fregs, 0);

	if (group_wants(&pcinspect_group_fault, ip,
			vmf->vma->vm_file->f_mapping->host))
		group_enter(&pcinspect_group_fault, ip, fregs);
}

/* Of a file, whose mapping stays, that somebody may have asked about? */
static __always_inline bool group_has_ledger(struct folio *folio)
{
	const struct address_space *mapping = READ_ONCE(folio->mapping);

	/* Without an inode it is nobody's; those that are called then see that. */
	return likely(mapping && !folio_test_anon(folio)) &&
	       unlikely(pcinspect_track_may_have_ledger(mapping->host));
}

/* Locked, so that its mapping stays. */
static void notrace group_folio(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	struct folio *folio = (void *)pcinspect_ftrace_arg(fregs, 0);

	if (group_has_ledger(folio) || group_asks(&pcinspect_group_folio, ip))
		group_enter(&pcinspect_group_folio, ip, fregs);
}

/* Of a file with a ledger, or the first call. */
static noinline notrace void group_ended_ours(struct folio *folio,
					      unsigned long ip)
{
	u64 began;

	preempt_disable_notrace();
	began = pcinspect_meter_begin();
	if (group_called(&pcinspect_group_ended, ip))
		pcinspect_writes_end(folio);
	pcinspect_meter_end(began);
	preempt_enable_notrace();
}

/*
 * In interrupts as a rule. The folio is under writeback, so that its mapping
 * stays. Most are of files without a ledger, and only counted. The callback
 * does itself what a probe would do.
 */
static void notrace group_ended(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	struct folio *folio = (void *)pcinspect_ftrace_arg(fregs, 0);

	if (group_has_ledger(folio) || group_asks_all(&pcinspect_group_ended))
		group_ended_ours(folio, ip);
	else
		pcinspect_writes_end_other(folio);
}

/* Of any file, metadata, or of no file. */
static noinline notrace void group_bio_any(struct bio *bio, unsigned long ip)
{
	u64 began;

	preempt_disable_notrace();
	began = pcinspect_meter_begin();
	if (group_called(&pcinspect_group_bio, ip))
		pcinspect_bio(bio);
	pcinspect_meter_end(began);
	preempt_enable_notrace();
}

/* The callback does itself what a probe would do. */
static void notrace group_bio(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct bio *bio = (void *)pcinspect_ftrace_arg(fregs, 0);

	if (group_asks_all(&pcinspect_group_bio) || !pcinspect_bio_others(bio))
		group_bio_any(bio, ip);
}

static void notrace group_seldom(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops,
				 struct ftrace_regs *fregs)
{
	group_enter(&pcinspect_group_seldom, ip, fregs);
}

#define GROUP(name)                                                          \
	struct pcinspect_hook_group pcinspect_group_##name __read_mostly = { \
		.func = group_##name,                                        \
	}

static bool group_is_of(const struct pcinspect_hook *hook,
			struct pcinspect_hook *const *hooks, unsigned int nr)
{
	while (nr--)
		if (hooks[nr] == hook)
			return true;
	return false;
}

/* Calls come meanwhile: who is there already is not moved. */
static void group_name(struct pcinspect_hook_group *group,
		       struct pcinspect_hook **hooks, unsigned int nr)
{
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(group->hooks); i++)
		if (!group_is_of(group->hooks[i], hooks, nr))
			WRITE_ONCE(group->hooks[i], NULL);
		else
			WRITE_ONCE(group->ips[i], group->hooks[i]->ip);
	for (i = 0, k = 0; i < nr; i++) {
		if (group_is_of(hooks[i], group->hooks, ARRAY_SIZE(group->hooks)))
			continue;
		while (group->hooks[k])
			k++;
		WRITE_ONCE(group->ips[k], hooks[i]->ip);
		WRITE_ONCE(group->hooks[k], hooks[i]);
	}
	for (i = 0; i < 1 << PCINSPECT_GROUP_BITS; i++)
		clear_bit(i, group->quiet);
	WRITE_ONCE(group->loud, true);
	for (i = 0; i < nr; i++)
		if (hooks[i]->called)
			group_disable_slot(group, group_slot(hooks[i]->ip));
}

/* Is it registered? If it could not be unregistered, it still is. */
static bool ftrace_listed(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_ENABLED;
}

/*
 * Unregister an ops, if it is registered, and free its filter: then it can be
 * set up and registered again. After ftrace_kill() no ops can be unregistered:
 * it stays listed with its filter, its callback may still be called, and this
 * module stays loaded. Return: false if the ops stays listed.
 */
static bool ftrace_end(struct ftrace_ops *ops)
{
	if (ftrace_listed(ops) && unregister_ftrace_function(ops)) {
		__module_get(THIS_MODULE);
		return false;
	}
	/* ftrace_free_filter() leaves freed pointers in the ops. */
	ftrace_free_filter(ops);
	memset(ops, 0, sizeof(*ops));
	return true;
}

/*
 * Has ftrace given up for good (ftrace_kill())? It then refuses each filter
 * with -ENODEV, which it does for nothing else (ftrace_set_hash(),
 * kernel/trace/ftrace.c). Context: process context, may sleep.
 */
bool pcinspect_ftrace_dead(void)
{
	unsigned long ip = (unsigned long)schedule;
	struct ftrace_ops ops = {};
	int err = ftrace_set_filter_ips(&ops, &ip, 1, 0, 1);

	ftrace_free_filter(&ops);
	return err == -ENODEV;
}

/*
 * No callback enters a probe of the group after the next RCU grace period: the
 * kernel waits for one before it frees a probe.
 */
static void group_end(struct pcinspect_hook_group *group)
{
	unsigned int i;

	group->nr = 0;
	if (ftrace_end(&group->fops))
		return;
	for (i = 0; i < ARRAY_SIZE(group->hooks); i++)
		WRITE_ONCE(group->hooks[i], NULL);
}

static int group_start(struct pcinspect_hook_group *group, unsigned long *ips,
		       unsigned int nr)
{
	int err;

	group->fops.func = group->func;
	group->fops.flags = PCINSPECT_FTRACE_FLAGS;
	err = ftrace_set_filter_ips(&group->fops, ips, nr, 0, 1);
	return err ?: register_ftrace_function(&group->fops);
}

/* Is a hook's function one that ftrace can call? */
bool pcinspect_group_accepts(const struct pcinspect_hook *hook)
{
	return hook->group && (!PCINSPECT_FTRACE_IS_KPROBE ||
			       hook->rp.kp.flags & KPROBE_FLAG_FTRACE);
}

/**
 * pcinspect_group_set() - trace these functions, and no others any more
 * @group: which
 * @hooks: theirs, registered disabled
 * @nr: how many, up to PCINSPECT_GROUP_MAX; with none, no callback runs on
 *	return; after ftrace_kill() one may, and enters no probe
 *
 * By address: a filter by name would compare it with that of every function of
 * every module, each found by a walk through the module's symbols
 * (ftrace_match_record(), kernel/trace/ftrace.c).
 *
 * Context: process context, may sleep; callers take turns.
 * Return: 0, or why not; then none is traced.
 */
int pcinspect_group_set(struct pcinspect_hook_group *group,
			struct pcinspect_hook **hooks, unsigned int nr)
{
	unsigned long ips[PCINSPECT_GROUP_MAX];
	bool same = nr == group->nr;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr; i++) {
		ips[i] = pcinspect_ftrace_ip(hooks[i]->rp.kp.addr);
		WRITE_ONCE(hooks[i]->ip, ips[i]);
		same &= pcinspect_group_find(group, ips[i]) == hooks[i];
	}
	if (same)
		return 0;
	if (!nr) {
		group_end(group);
		return 0;
	}
	if (!group->nr && ftrace_listed(&group->fops))
		return -ENODEV;
	group_name(group, hooks, nr);
	if (!group->nr)
		err = group_start(group, ips, nr);
	else
		err = ftrace_set_filter_ips(&group->fops, ips, nr, 0, 1);
	if (err) {
		group_end(group);
		return err;
	}
	group->nr = nr;
	return 0;
}

#else /* no arguments from ftrace: no function is hooked */

#define GROUP(name) struct pcinspect_hook_group pcinspect_group_##name

bool pcinspect_ftrace_dead(void)
{
	return false;
}

bool pcinspect_group_accepts(const struct pcinspect_hook *hook)
{
	return false;
}

int pcinspect_group_set(struct pcinspect_hook_group *group,
			struct pcinspect_hook **hooks, unsigned int nr)
{
	return nr ? -EOPNOTSUPP : 0;
}

#endif

GROUP(kiocb);
GROUP(direct);
GROUP(iomap);
GROUP(ractl);
GROUP(fault);
GROUP(folio);
GROUP(bio);
GROUP(ended);
GROUP(seldom);

static struct pcinspect_hook_group *const groups[] = {
	&pcinspect_group_kiocb,	 &pcinspect_group_direct,
	&pcinspect_group_iomap,	 &pcinspect_group_ractl,
	&pcinspect_group_fault,	 &pcinspect_group_folio,
	&pcinspect_group_bio,	 &pcinspect_group_ended,
	&pcinspect_group_seldom,
};

#ifdef PCINSPECT_HAVE_FTRACE_ARGS

/* The memory that ftrace takes for them: a trampoline for each callback. */
size_t pcinspect_groups_memory(void)
{
	size_t memory = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(groups); i++)
		if (READ_ONCE(groups[i]->nr))
			memory += PAGE_SIZE;
	return memory;
}

/**
 * pcinspect_groups_run() - a run is about to begin, or has ended
 * @run: which
 *
 * So that a call need not ask whether there is one: while there is, no function
 * is quiet.
 *
 * Context: process context; callers take turns, also with pcinspect_group_set().
 */
void pcinspect_groups_run(bool run)
{
	unsigned int i, k;

	WRITE_ONCE(group_run, run);
	smp_mb(); /* group_disable_slot() */
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		if (run)
			WRITE_ONCE(groups[i]->loud, true);
		for (k = 0; k < ARRAY_SIZE(groups[i]->hooks); k++) {
			const struct pcinspect_hook *hook = groups[i]->hooks[k];
			int slot;

			if (!hook)
				continue;
			slot = group_slot(READ_ONCE(hook->ip));
			if (run)
				clear_bit(slot, groups[i]->quiet);
			else if (READ_ONCE(hook->called))
				group_disable_slot(groups[i], slot);
		}
	}
}

#else

size_t pcinspect_groups_memory(void)
{
	return 0;
}

void pcinspect_groups_run(bool run)
{
}

#endif
