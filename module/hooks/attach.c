// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach.c - finds, attaches, detaches and lists the hooks.
 *
 * Why by name: no tracepoint of filemap, readahead or writeback is exported to
 * modules; for_each_kernel_tracepoint() and tracepoint_probe_register() are
 * (kernel/tracepoint.c). Where there is no tracepoint, or none that fires when
 * a function returns, there is a kprobe or kretprobe. Each trace system has a
 * file of its own with its probes (hooks/<system>.c), because the kernel's
 * event headers cannot all be included in one (7.2's readahead.h has the guard
 * of filemap.h).
 *
 * A filesystem's module may be loaded and unloaded while hooks are attached: its
 * functions are probed before first use, and released before they are freed.
 *
 * May touch: the kernel's tracepoints and kprobes, by registering; the scope.
 *
 * Locks: hook_mutex (attaching and detaching) > the kernel's of probes. It is
 * held for grace periods, which end only when each task has left the
 * trampolines: on a CPU whose real-time task never sleeps, perhaps never. So
 * only the work item that detaches takes it, and a task that attaches, which
 * can be killed meanwhile; a task that drops hooks, or loads or unloads a module
 * without hooks, does not. hook_lock (a leaf spinlock): the users of hooks, and
 * the published summary of them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "kunit_visible.h"
#include "hooks/attach.h"
#include "hooks/btf.h"
#include "hooks/demand.h"
#include "hooks/group.h"
#include "hooks/limit.h"
#include "records/scope.h"

static char *skip_hook;
module_param(skip_hook, charp, 0444);
MODULE_PARM_DESC(skip_hook, "for tests: a hook, or modules, not to be attached");

static const struct pcinspect_hook_set *const hook_sets[] = {
	&pcinspect_hooks_filemap,   &pcinspect_hooks_task,
	&pcinspect_hooks_readahead, &pcinspect_hooks_access,
	&pcinspect_hooks_remove,    &pcinspect_hooks_reclaim,
	&pcinspect_hooks_writeback, &pcinspect_hooks_block,
	&pcinspect_hooks_fsync,	    &pcinspect_hooks_unlink,
};

static DEFINE_MUTEX(hook_mutex);
static DEFINE_SPINLOCK(hook_lock);
static u32 hook_users; /* under hook_lock */

static struct pcinspect_hook *hook_at(unsigned int i)
{
	unsigned int k;

	for (k = 0; k < ARRAY_SIZE(hook_sets); k++) {
		if (i < hook_sets[k]->nr)
			return &hook_sets[k]->hooks[i];
		i -= hook_sets[k]->nr;
	}
	return NULL;
}

/* NULL past the last. Context: any. */
const struct pcinspect_hook *pcinspect_hook_get(unsigned int i)
{
	return hook_at(i);
}

/* --- all of them --------------------------------------------------------- */

/* Where a function is; 0 if it cannot be probed. */
static unsigned long hook_function(const char *name)
{
	struct kprobe kp = {
		.symbol_name = name,
		.flags = KPROBE_FLAG_DISABLED,
	};

	if (!name || register_kprobe(&kp))
		return 0;
	unregister_kprobe(&kp);
	return (unsigned long)kp.addr;
}

/* Is @fs one of the words of @list? */
static bool hook_names(const char *list, const char *fs)
{
	size_t len = strlen(fs);

	while (list && *list) {
		size_t word = strcspn(list, " ");

		if (word == len && !strncmp(list, fs, len))
			return true;
		list += word;
		list += strspn(list, " ");
	}
	return false;
}

static bool hook_is_for(const struct pcinspect_hook *hook, const char *fs)
{
	return hook->fs ? hook_names(hook->fs, fs) :
			  !hook_names(hook->not_fs, fs);
}

/* Is it one of those that are attached for some only, and none of these is there? */
static bool hook_is_unused(const struct pcinspect_hook *hook)
{
	return hook->users && !(hook->users & hook_users);
}

/* The probes took too much: the read side is detached until all begins anew. */
static bool hook_stepped_back; /* under hook_mutex */

static bool hook_is_lost(const struct pcinspect_hook *hook)
{
	if (hook_stepped_back && hook->reads)
		return !hook_is_unused(hook);
	return !hook->attached && !hook_is_unused(hook) &&
	       !(hook->optional && hook->err == -ENOENT);
}

static bool hook_has(const struct pcinspect_range *range, unsigned int number)
{
	for (; range->first != PCINSPECT_NR_NUMBERS; range++)
		if (number >= range->first && number <= range->last)
			return true;
	return false;
}

/* Is there a hook without which a number is unknown everywhere, for @fs? */
static bool hook_has_only(unsigned int number, const char *fs)
{
	const struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++)
		if (hook->only && hook_has(hook->only, number) &&
		    hook_is_for(hook, fs))
			return true;
	return false;
}

static void hook_add_unknown(struct pcinspect_gap *gap, unsigned int number)
{
	gap->unknown[number / 64] |= BIT_ULL(number % 64);
}

/* The numbers that are unknown on the filesystem of a gap. */
static void hook_fill_gap(struct pcinspect_gap *gap)
{
	const struct pcinspect_range *range;
	const struct pcinspect_hook *hook;
	unsigned int i, n;

	memset(gap->unknown, 0, sizeof(gap->unknown));
	gap->calls = 0;
	for (i = 0; (hook = hook_at(i)); i++) {
		range = hook->only;
		for (; range && range->first != PCINSPECT_NR_NUMBERS; range++)
			for (n = range->first; n <= range->last; n++)
				if (!hook_has_only(n, gap->fs))
					hook_add_unknown(gap, n);
		if (!hook_is_lost(hook) || !hook_is_for(hook, gap->fs))
			continue;
		gap->calls |= hook->calls;
		range = hook->numbers;
		for (; range && range->first != PCINSPECT_NR_NUMBERS; range++)
			for (n = range->first; n <= range->last; n++)
				hook_add_unknown(gap, n);
	}
}

/* All filesystems that some hook names; the first is for those none names. */
static struct pcinspect_gap hook_gaps[PCINSPECT_NR_GAPS]; /* under hook_mutex */
static unsigned int hook_nr_gaps = 1;

/* A gap for each filesystem of a list that has none yet. */
static int hook_add_gaps(const char *list)
{
	size_t len;

	for (; list && *list; list += len + strspn(list + len, " ")) {
		struct pcinspect_gap *gap = &hook_gaps[1];

		len = strcspn(list, " ");
		if (hook_nr_gaps == PCINSPECT_NR_GAPS || len >= sizeof(gap->fs))
			return -E2BIG;
		strscpy(hook_gaps[hook_nr_gaps].fs, list, len + 1);
		while (strcmp(gap->fs, hook_gaps[hook_nr_gaps].fs))
			gap++;
		if (gap == &hook_gaps[hook_nr_gaps])
			hook_nr_gaps++;
	}
	return 0;
}

static void hook_publish_gaps(void)
{
	unsigned int i;

	for (i = 0; i < hook_nr_gaps; i++)
		hook_fill_gap(&hook_gaps[i]);
	pcinspect_scope_set_gaps(hook_gaps, hook_nr_gaps);
}

#define HOOKS_READS (HOOKS_EXPLICIT | HOOKS_RUN)

/* Tell those below what is attached, and so what can be known. Under hook_lock. */
static void hook_publish(void)
{
	const bool reads = hook_users & HOOKS_READS;
	const struct pcinspect_hook *hook;
	unsigned int i, missing = 0;

	for (i = 0; reads && (hook = hook_at(i)); i++)
		if (hook_is_lost(hook) && !(hook->fs && hook->err == -ENOENT))
			missing++;
	WRITE_ONCE(pcinspect_scope.missing, missing);
	WRITE_ONCE(pcinspect_scope.attached, reads);
	pcinspect_limit_watch(LIMIT_READS, reads);
}

/* --- groups -------------------------------------------------------------- */

/* It was attached, and is of no use. */
static void hook_lose(struct pcinspect_hook *hook, int err)
{
	hook->err = err;
	hook->attached = false;
	WRITE_ONCE(hook->memory, 0);
	hook->type->detach(&hook, 1);
}

/*
 * Detach a probe whose function has other arguments than it expects: it would
 * follow a wrong pointer. Where BTF does not have the function, it stays.
 */
static void hook_ask(struct pcinspect_hook *hook)
{
	enum pcinspect_btf_answer answer = PCINSPECT_BTF_AGREES;

	if (!hook->asked)
		answer = pcinspect_btf_look(hook->rp.kp.symbol_name, hook->args);
	/* Of a module that is just being loaded it is known the next time. */
	hook->asked =
		answer == PCINSPECT_BTF_AGREES ||
		(answer == PCINSPECT_BTF_UNKNOWN && !strchr(hook->args, ':'));
	if (answer == PCINSPECT_BTF_DIFFERS)
		hook_lose(hook, -EPROTOTYPE);
}

/* A group traces what is attached of it. */
static void hook_sync_group(struct pcinspect_hook_group *group)
{
	struct pcinspect_hook *hooks[PCINSPECT_GROUP_MAX], *hook;
	unsigned int i, nr = 0;
	int err;

	for (i = 0; (hook = hook_at(i)); i++) {
		if (hook->group != group || !hook->attached)
			continue;
		if (nr < ARRAY_SIZE(hooks) && pcinspect_group_accepts(hook))
			hooks[nr++] = hook;
		else
			hook_lose(hook, -EOPNOTSUPP);
	}
	err = pcinspect_group_set(group, hooks, nr);
	while (err && nr--)
		hook_lose(hooks[nr], err);
}

static void hook_sync_groups(void)
{
	const struct pcinspect_hook_group *last = NULL;
	const struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++) {
		if (hook->group && hook->group != last)
			hook_sync_group(hook->group);
		last = hook->group;
	}
}

/* Is it on a function that has gone, or not on one that has come? */
static bool hook_is_stale(const struct pcinspect_hook *hook)
{
	if (hook->type != &pcinspect_hook_call &&
	    hook->type != &pcinspect_hook_return)
		return false;
	if (hook->attached)
		return hook->rp.kp.flags & KPROBE_FLAG_GONE;
	return hook->err == -ENOENT &&
	       (hook_function(hook->name) || hook_function(hook->older));
}

/* A module has come while hook_mutex was not to be had. */
static bool hook_module_unseen;

/*
 * Functions of a module that has come unseen: its files may have been read since,
 * so that what is unknown of them for it stays so, until all begins anew.
 */
static void hook_refuse_late(void)
{
	struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++)
		if (hook->err == -ENOENT && hook_is_stale(hook))
			hook->err = -EAGAIN;
}

/*
 * Attach what is not attached yet, with or without the read side. @anew: no
 * ledger has counted yet. Else what was refused stays so, that what is unknown
 * of them for it does: a function that was not there is another thing, it is of
 * a filesystem that comes now.
 */
static void hook_attach_all(bool reads, bool anew)
{
	const bool dead = pcinspect_ftrace_dead();
	struct pcinspect_hook *hook;
	unsigned int i;

	if (xchg(&hook_module_unseen, false) && !anew)
		hook_refuse_late();
	for (i = 0; (hook = hook_at(i)); i++) {
		if (hook->attached || hook_is_unused(hook) ||
		    (hook->reads && (!reads || hook_stepped_back)) ||
		    (hook->reads && !anew && hook->err && hook->err != -ENOENT))
			continue;
		if (skip_hook && !strcmp(skip_hook, hook->name))
			hook->err = -EPERM;
		else if (dead && hook->type != &pcinspect_hook_event)
			hook->err = -ENODEV;
		else
			hook->err = hook->type->attach(hook, hook->name);
		if (hook->err == -ENOENT && hook->older)
			hook->err = hook->type->attach(hook, hook->older);
		hook->attached = !hook->err;
		if (hook->attached && hook->args)
			hook_ask(hook);
	}
	pcinspect_btf_forget();
	hook_sync_groups();
	hook_publish_gaps();
	spin_lock(&hook_lock);
	hook_publish();
	spin_unlock(&hook_lock);
}

/* Detach those of a type that are going; @mod: the module that goes, or NULL. */
static void hook_detach_type(const struct pcinspect_hook_type *type,
			     const void *mod)
{
	static struct pcinspect_hook
		*hooks[PCINSPECT_HOOK_MAX]; /* under hook_mutex */
	struct pcinspect_hook *hook;
	unsigned int i, nr = 0;

	for (i = 0; (hook = hook_at(i)); i++) {
		if (hook->type != type || !hook->going)
			continue;
		hook->going = false;
		WRITE_ONCE(hook->memory, 0);
		/* Another may come in its place. */
		hook->asked &= !mod;
		hook->err = mod ? -ENOENT : 0;
		if (type->missed)
			hook->missed += type->missed(hook);
		hooks[nr++] = hook;
	}
	if (nr)
		type->detach(hooks, nr);
	/* hook_may_be_in() */
	while (nr--)
		if (type != &pcinspect_hook_event)
			WRITE_ONCE(hooks[nr]->rp.kp.addr, NULL);
}

/* Detach those that are @which; no group calls them any more by then. */
static void hook_detach_which(bool (*which)(const struct pcinspect_hook *hook,
					    const void *mod),
			      const void *mod)
{
	struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++) {
		hook->going = hook->attached && which(hook, mod);
		if (hook->going)
			hook->attached = false;
	}
	hook_sync_groups();
	hook_detach_type(&pcinspect_hook_event, mod);
	hook_detach_type(&pcinspect_hook_call, mod);
	hook_detach_type(&pcinspect_hook_return, mod);
}

static bool hook_is_any(const struct pcinspect_hook *hook, const void *unused)
{
	return true;
}

static bool hook_is_read(const struct pcinspect_hook *hook, const void *unused)
{
	return hook->reads;
}

/*
 * Detach the read side, or everything; no probe of it runs on return. @anew:
 * nobody wants its sums any more.
 */
static void hook_detach_all(bool reads, bool anew)
{
	unsigned int k;

	hook_detach_which(reads ? hook_is_read : hook_is_any, NULL);
	for (k = 0; k < ARRAY_SIZE(hook_sets); k++) {
		if (hook_sets[k]->detached)
			hook_sets[k]->detached();
		if (anew && hook_sets[k]->anew)
			hook_sets[k]->anew();
	}
}

/*
 * The probes take too much of a CPU. Their counts become unknown
 * before they are detached, until all records begin anew. Context: may sleep.
 */
static void hook_step_back(void)
{
	struct pcinspect_hook *hook;
	unsigned int i;

	mutex_lock(&hook_mutex);
	if (!pcinspect_scope_attached())
		goto out;
	hook_stepped_back = true;
	hook_publish_gaps();
	spin_lock(&hook_lock);
	hook_publish();
	spin_unlock(&hook_lock);
	/* A run subtracts from the sums. */
	hook_detach_all(true, false);
	for (i = 0; (hook = hook_at(i)); i++)
		if (hook->reads && !hook_is_unused(hook))
			hook->err = -EDQUOT;
out:
	mutex_unlock(&hook_mutex);
}

/* --- who needs them ------------------------------------------------------ */

/* How often the worker was asked to detach, and up to where it has. Under hook_lock. */
static u64 hook_nr_asked, hook_nr_left;
static DECLARE_WAIT_QUEUE_HEAD(hook_left);

static u64 hook_asked(void)
{
	u64 asked;

	spin_lock(&hook_lock);
	asked = hook_nr_asked;
	spin_unlock(&hook_lock);
	return asked;
}

static bool hook_has_left(u64 asked)
{
	bool left;

	spin_lock(&hook_lock);
	left = hook_nr_left >= asked;
	spin_unlock(&hook_lock);
	return left;
}

/* Of those attached for some only, one that none of these needs; or NULL. */
static struct pcinspect_hook *hook_find_left(void)
{
	struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++)
		if (hook->attached && hook_is_unused(hook))
			return hook;
	return NULL;
}

/* Its records are gone, with their counts. Under hook_mutex. */
static void hook_step_forward(void)
{
	struct pcinspect_hook *hook;
	unsigned int i;

	hook_stepped_back = false;
	for (i = 0; (hook = hook_at(i)); i++)
		if (hook->err == -EDQUOT)
			hook->err = 0;
}

/* Detach what nobody needs. Under hook_mutex. */
static void hook_leave(void)
{
	struct pcinspect_hook *hook;
	u32 users;
	u64 asked;

	spin_lock(&hook_lock);
	users = hook_users;
	asked = hook_nr_asked;
	spin_unlock(&hook_lock);
	if (!(users & HOOKS_RUN))
		pcinspect_groups_run(false);
	if (!(users & HOOKS_READS)) {
		hook_detach_all(users != 0, true);
		hook_step_forward();
	}
	while ((hook = hook_find_left()))
		hook_lose(hook, 0);
	spin_lock(&hook_lock);
	hook_nr_left = max(hook_nr_left, asked);
	spin_unlock(&hook_lock);
	wake_up_all(&hook_left);
}

static void hook_leave_worker(struct work_struct *unused)
{
	mutex_lock(&hook_mutex);
	hook_leave();
	mutex_unlock(&hook_mutex);
}

static DECLARE_WORK(hook_leave_work, hook_leave_worker);

/*
 * Until what nobody needs is detached: for who asks what is attached, what it
 * takes or has seen. Context: process context, may sleep, for grace periods,
 * which take as long as some task that was preempted in the kernel gets no
 * processor. Return: 0, or -EINTR: killed.
 */
int pcinspect_hooks_settle(void)
{
	u64 asked = hook_asked();

	return wait_event_killable(hook_left, hook_has_left(asked)) ? -EINTR : 0;
}

/**
 * pcinspect_hooks_done() - somebody needs hooks no more
 * @users: who
 *
 * Hooks that nobody needs are detached by a work item: that waits for all tasks
 * of the machine to leave the trampolines, for each group a tenth of a second
 * and more (rcu_tasks_kthread() sleeps HZ / 10 from one grace period to the
 * next, kernel/rcu/tasks.h, 6.1 to 7.2). Nobody waits for a run so long, and
 * who untracks can be killed (pcinspect_hooks_settle()).
 *
 * Context: any that may take a spinlock; never sleeps.
 */
void pcinspect_hooks_done(u32 users)
{
	spin_lock(&hook_lock);
	if (hook_users & users) {
		hook_users &= ~users;
		if (!(hook_users & HOOKS_READS))
			hook_publish();
		hook_nr_asked++;
		queue_work(system_dfl_wq, &hook_leave_work);
	}
	spin_unlock(&hook_lock);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_hooks_done);

/**
 * pcinspect_hooks_want() - somebody needs hooks
 * @users: who
 *
 * The read side is attached only while there are ledgers to fill. A hook that
 * is missing or refused is reported in info, never fatal: state comes from
 * walks, only its causes from events.
 *
 * Context: process context, may sleep, for grace periods.
 * Return: 0, or -EINTR: killed.
 */
int pcinspect_hooks_want(u32 users)
{
	bool anew;

	/* Waiting for the worker can be killed, doing its work here cannot. */
	if (pcinspect_hooks_settle() || mutex_lock_killable(&hook_mutex))
		return -EINTR;
	/* All begins anew, however soon after the last. */
	spin_lock(&hook_lock);
	while (hook_nr_left != hook_nr_asked) {
		spin_unlock(&hook_lock);
		hook_leave();
		spin_lock(&hook_lock);
	}
	anew = !(hook_users & HOOKS_READS);
	hook_users |= users;
	users = hook_users;
	spin_unlock(&hook_lock);
	if (users & HOOKS_RUN)
		pcinspect_groups_run(true);
	hook_attach_all(users & HOOKS_READS, anew);
	mutex_unlock(&hook_mutex);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_hooks_want);

/* --- modules that come and go -------------------------------------------- */

static bool hook_is_in(const struct pcinspect_hook *hook, const void *mod)
{
	return (hook->type == &pcinspect_hook_call ||
		hook->type == &pcinspect_hook_return) &&
	       within_module((unsigned long)hook->rp.kp.addr, mod);
}

/*
 * Is a hook in a module that goes, or being put there? None is put there any
 * more: a probe has to get the module first (check_kprobe_address_safe()).
 */
static bool hook_may_be_in(const void *mod)
{
	const struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++)
		if (hook->type != &pcinspect_hook_event &&
		    within_module((unsigned long)READ_ONCE(hook->rp.kp.addr),
				  mod))
			return true;
	return false;
}

static void hook_module_comes(void)
{
	if (!mutex_trylock(&hook_mutex)) {
		WRITE_ONCE(hook_module_unseen, true);
		return;
	}
	if (READ_ONCE(hook_users))
		hook_attach_all(pcinspect_scope_attached(), false);
	mutex_unlock(&hook_mutex);
}

/* ftrace would call what traced a function of it for another module's, in its place. */
static void hook_module_goes(const void *mod)
{
	mutex_lock(&hook_mutex);
	hook_detach_which(hook_is_in, mod);
	if (pcinspect_scope_attached())
		hook_publish_gaps();
	mutex_unlock(&hook_mutex);
}

/* Loading waits for nobody; unloading only for what is in that very module. */
static int hook_module_event(struct notifier_block *nb, unsigned long event,
			     void *mod)
{
	if (event == MODULE_STATE_COMING)
		hook_module_comes();
	else if (event == MODULE_STATE_GOING && hook_may_be_in(mod))
		hook_module_goes(mod);
	return NOTIFY_DONE;
}

/* Before kprobes' own, which leaves its probes dead in a module that goes. */
static struct notifier_block hook_module_nb = {
	.notifier_call = hook_module_event,
	.priority = 1,
};

/* skip_hook=modules: as if nobody told when modules come and go. */
static bool hook_skips_modules(void)
{
	return skip_hook && !strcmp(skip_hook, "modules");
}

/*
 * Look up what does not change while a kernel runs. Context: process context,
 * once at load. Return: 0, or why modules cannot be watched.
 */
int pcinspect_hooks_init(void)
{
	struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++) {
		if (hook->type->find)
			hook->type->find(hook);
		else if (!hook->group)
			hook->group = &pcinspect_group_seldom;
		if (WARN_ON(i >= PCINSPECT_HOOK_MAX || hook_add_gaps(hook->fs) ||
			    hook_add_gaps(hook->not_fs)))
			return -E2BIG;
	}
	pcinspect_limit_init(pcinspect_demand_step_back, hook_step_back);
	return hook_skips_modules() ? 0 :
				      register_module_notifier(&hook_module_nb);
}

/* No probe runs on return. Context: process context, may sleep. */
void pcinspect_hooks_exit(void)
{
	if (!hook_skips_modules())
		unregister_module_notifier(&hook_module_nb);
	cancel_work_sync(&hook_leave_work);
	pcinspect_limit_exit();
	mutex_lock(&hook_mutex);
	spin_lock(&hook_lock);
	hook_users = 0;
	hook_publish();
	spin_unlock(&hook_lock);
	hook_detach_all(false, true);
	mutex_unlock(&hook_mutex);
}

/* --- what can be said about them ----------------------------------------- */

/*
 * Is a hook attached, and was never seen to be called? False of tracepoints,
 * which are where they stand. Context: any; the answer is a moment's.
 */
bool pcinspect_hook_uncalled(const struct pcinspect_hook *hook)
{
	return hook->attached && hook->type != &pcinspect_hook_event &&
	       !READ_ONCE(hook->called);
}

/*
 * How many hooks are not what is said of them, by the kernel's own list of
 * symbols and its mark on probes: a witness that no module came or went unseen.
 * Context: process context, may sleep.
 */
u64 pcinspect_hooks_stale(void)
{
	struct pcinspect_hook *hook;
	unsigned int i;
	u64 stale = 0;

	/* A killed task gets no result. */
	if (mutex_lock_killable(&hook_mutex))
		return 0;
	if (xchg(&hook_module_unseen, false))
		hook_refuse_late();
	for (i = 0; (hook = hook_at(i)); i++)
		stale += hook_is_stale(hook);
	mutex_unlock(&hook_mutex);
	return stale;
}

/* Calls since load that no probe saw, for want of an instance. Context: any. */
u64 pcinspect_hooks_missed(void)
{
	const struct pcinspect_hook *hook;
	u64 missed = 0;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++) {
		missed += hook->missed;
		if (hook->attached && hook->type->missed)
			missed += hook->type->missed(hook);
	}
	return missed;
}

/* The memory of the probes, in bytes. */
size_t pcinspect_hooks_memory(void)
{
	size_t memory = pcinspect_groups_memory();
	const struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = hook_at(i)); i++)
		memory += READ_ONCE(hook->memory);
	return memory;
}
