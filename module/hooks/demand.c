// SPDX-License-Identifier: GPL-2.0-only
/*
 * demand.c - requests of all programs to the page cache, and pages inserted and
 * removed: sums of the machine for live views.
 *
 * Why apart from the hooks of files: those skip an untracked file in some 55
 * instructions, and without a live view it must not cost more. So these hooks
 * are attached on their own, and only count, by CPU; they need no record,
 * operation or ledger.
 *
 * A read requests its bytes up to the end of the file. A read that is repeated
 * if it would block (NOWAIT, WAITQ, NOIO), or that a pipe limits, requests the
 * bytes that it returns; only these have a kretprobe, which is entered as that
 * of a hook for all files (probe.c). After a missed kretprobe instance the
 * requested bytes are unknown.
 *
 * A task that inserts a page of a file while it holds the inode locked for
 * writing does so to write, truncate or the like: reads and faults do not.
 * That saves hooks on each filesystem's own way to write.
 *
 * Context: the callbacks have that of the functions, preemptible, no recursion;
 * events as in filemap.c.
 *
 * May touch: the kernel's function tracer, kprobes and tracepoints, by
 * registering; its own sums.
 *
 * If the probes take too much time (limit.c), these are detached first, and
 * their counts are unknown until the last live view ends.
 *
 * Locks: demand_mutex > btf_mutex, and the kernel's of probes. A closing
 * reader does not take the first: a work item detaches, which waits for grace
 * periods (see attach.c).
 */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/shmem_fs.h>
#include <linux/tracepoint.h>
#include <linux/uio.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <trace/events/filemap.h>
#include <trace/events/writeback.h>

#include "uapi/pcinspect.h"
#include "hooks/btf.h"
#include "hooks/demand.h"
#include "hooks/group.h"
#include "hooks/limit.h"
#include "hooks/readers.h"
#include "hooks/table.h"
#include "records/memory.h"
#include "records/meter.h"

struct demand_cpu {
	u64 demanded_bytes;
	u64 missed_pages;
	u64 inserted_pages;
	u64 removed_pages;
};

static DEFINE_PER_CPU(struct demand_cpu, demand_cpus);

static DEFINE_MUTEX(demand_mutex);
static atomic_t demand_nr_users = ATOMIC_INIT(0);
static bool demand_attached; /* under demand_mutex */
static bool demand_stepped_back; /* likewise */
static DECLARE_WAIT_QUEUE_HEAD(demand_left);
static u64 demand_since_ns;
static bool demand_reads_known;
static bool demand_events_known;

/* --- pages --------------------------------------------------------------- */

/* The owner of a semaphore that is held for writing is no more than the task. */
static bool demand_is_written(const struct inode *inode)
{
#ifdef CONFIG_PREEMPT_RT
	/* Its last bit says that others wait (kernel/locking/rtmutex_common.h). */
	long owner = (long)READ_ONCE(inode->i_rwsem.rwbase.rtmutex.owner) & ~1;
#else
	long owner = atomic_long_read(&inode->i_rwsem.owner);
#endif

	return owner == (long)current;
}

/*
 * Pages of hugetlbfs were set aside before, and are never read from anywhere:
 * the kernel counts them in no number of the page cache, but has the events.
 */
static bool demand_is_huge(const struct inode *inode)
{
	return inode->i_sb->s_magic == HUGETLBFS_MAGIC;
}

/* A probe begins and ends; its time is measured. */
static __always_inline u64 demand_begin(void)
{
	preempt_disable_notrace();
	return pcinspect_meter_begin();
}

static __always_inline void demand_done(u64 began)
{
	pcinspect_meter_end(began);
	preempt_enable_notrace();
}

static __always_inline void demand_count_inserted(struct folio *folio)
{
	const struct inode *inode = folio->mapping->host;
	unsigned int nr = folio_nr_pages(folio);

	if (demand_is_huge(inode))
		return;
	this_cpu_add(demand_cpus.inserted_pages, nr);
	if (S_ISREG(inode->i_mode) && !demand_is_written(inode)) {
		this_cpu_add(demand_cpus.missed_pages, nr);
		pcinspect_readers_note(inode, folio->index, nr);
	}
}

static void demand_inserted(void *data, struct folio *folio)
{
	u64 began = demand_begin();

	demand_count_inserted(folio);
	demand_done(began);
}

/* tmpfs removes with an event, but inserts without one. */
static __always_inline void demand_count_removed(struct folio *folio)
{
	const struct inode *inode = folio->mapping->host;
	unsigned int nr = folio_nr_pages(folio);

	if (shmem_mapping(folio->mapping) || demand_is_huge(inode))
		return;
	this_cpu_add(demand_cpus.removed_pages, nr);
	if (S_ISREG(inode->i_mode) && pcinspect_in_reclaim())
		pcinspect_readers_evict(inode, nr);
}

static void demand_removed(void *data, struct folio *folio)
{
	u64 began = demand_begin();

	demand_count_removed(folio);
	demand_done(began);
}

static void demand_dirtied(void *data, struct folio *folio,
			   struct address_space *mapping)
{
	u64 began = demand_begin();

	if (mapping && S_ISREG(mapping->host->i_mode))
		pcinspect_readers_dirty(mapping->host, folio_nr_pages(folio));
	demand_done(began);
}

static void __maybe_unused demand_canary(void)
{
	HOOK_CANARY(writeback_dirty_folio, demand_dirtied);
	HOOK_CANARY(mm_filemap_add_to_page_cache, demand_inserted);
	HOOK_CANARY(mm_filemap_delete_from_page_cache, demand_removed);
}

/* --- reads and faults ---------------------------------------------------- */

#ifdef PCINSPECT_HAVE_FTRACE_ARGS

static int read_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	/* filemap_read() returns what was read before it as well. */
	*(s64 *)ri->data = regs_get_kernel_argument(regs, 2);
	return 0;
}

static int splice_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(s64 *)ri->data = 0;
	return 0;
}

HOOK_END(demand_end)
{
	s64 done = (s64)regs_return_value(regs) - *(s64 *)ri->data;

	if (done > 0)
		this_cpu_add(demand_cpus.demanded_bytes, done);
	return 0;
}

/* Set up below. */
static struct pcinspect_hook_group demand_group;

enum demand_call {
	DEMAND_READ,
	DEMAND_FAULT,
	DEMAND_SPLICE,
	DEMAND_REFAULT,
	DEMAND_NR_CALLS
};

static struct pcinspect_hook demand_calls[DEMAND_NR_CALLS];

/* Its end is to be seen. */
static noinline notrace void demand_follow(enum demand_call call,
					   struct ftrace_regs *fregs)
{
	struct pcinspect_ftrace_copy copy;

	pcinspect_hook_enter_all(&demand_calls[call].rp.kp,
				 pcinspect_ftrace_enter(fregs, &copy));
	pcinspect_ftrace_leave(fregs, &copy);
}

static void notrace demand_read(struct ftrace_regs *fregs)
{
	const struct kiocb *iocb = (void *)pcinspect_ftrace_arg(fregs, 0);
	const struct iov_iter *iter = (void *)pcinspect_ftrace_arg(fregs, 1);
	const struct inode *inode = iocb->ki_filp->f_mapping->host;
	loff_t pos = iocb->ki_pos, size = i_size_read(inode);
	u64 bytes;

	if (!S_ISREG(inode->i_mode))
		return;
	bytes = pos < size ? min_t(u64, iov_iter_count(iter), size - pos) : 0;
	if (bytes)
		pcinspect_readers_ask(inode, pos, bytes, false);
	if (iocb->ki_flags & (IOCB_NOWAIT | IOCB_WAITQ | IOCB_NOIO)) {
		demand_follow(DEMAND_READ, fregs);
		return;
	}
	this_cpu_add(demand_cpus.demanded_bytes, bytes);
}

/* Of a page that fault-around has mapped there is none. */
static void notrace demand_fault(struct ftrace_regs *fregs)
{
	const struct vm_fault *vmf = (void *)pcinspect_ftrace_arg(fregs, 0);
	const struct inode *inode = vmf->vma->vm_file->f_mapping->host;

	if (!S_ISREG(inode->i_mode) ||
	    (loff_t)vmf->pgoff << PAGE_SHIFT >= i_size_read(inode))
		return;
	pcinspect_readers_ask(inode, (u64)vmf->pgoff << PAGE_SHIFT, PAGE_SIZE,
			      true);
	if (!(vmf->flags & FAULT_FLAG_TRIED))
		this_cpu_add(demand_cpus.demanded_bytes, PAGE_SIZE);
}

static void notrace demand_splice(struct ftrace_regs *fregs)
{
	const struct file *file = (void *)pcinspect_ftrace_arg(fregs, 0);
	const loff_t *pos = (void *)pcinspect_ftrace_arg(fregs, 1);
	const struct inode *inode = file->f_mapping->host;
	u64 bytes = pcinspect_ftrace_arg(fregs, 3);
	loff_t size = i_size_read(inode);

	if (!S_ISREG(inode->i_mode))
		return;
	if (bytes && *pos < size)
		pcinspect_readers_ask(inode, *pos,
				      min_t(u64, bytes, size - *pos), false);
	demand_follow(DEMAND_SPLICE, fregs);
}

/* After the event of its insertion. Pages of tmpfs and of swap space are no file's. */
static void notrace demand_refault(struct ftrace_regs *fregs)
{
	struct folio *folio = (void *)pcinspect_ftrace_arg(fregs, 0);
	const struct address_space *mapping = folio_mapping(folio);

	if (mapping && mapping->host && !folio_test_swapbacked(folio) &&
	    S_ISREG(mapping->host->i_mode) && !demand_is_written(mapping->host))
		pcinspect_readers_refault(mapping->host, folio_nr_pages(folio));
}

#define DEMAND_END(entry)                            \
	.type = &pcinspect_hook_return, .all = true, \
	.rp = {                                      \
		.entry_handler = (entry),            \
		.handler = demand_end,               \
		.data_size = sizeof(s64),            \
	}

/* Found by hooks, whose probes are never armed; not in the table of all hooks. */
static struct pcinspect_hook demand_calls[DEMAND_NR_CALLS] __read_mostly = {
	[DEMAND_READ] = { .name = "filemap_read",
			  DEMAND_END(read_entry),
			  .group = &demand_group },
	[DEMAND_FAULT] = { .name = "filemap_fault",
			   .type = &pcinspect_hook_call,
			   .group = &demand_group },
	/* Before 6.5 splice goes through filemap_read(). */
	[DEMAND_SPLICE] = { .name = "filemap_splice_read",
			    DEMAND_END(splice_entry),
			    .optional = true,
			    .group = &demand_group },
	[DEMAND_REFAULT] = { .name = "workingset_refault",
			     .type = &pcinspect_hook_call,
			     .args = "folio",
			     .group = &demand_group },
};

static void notrace demand_called(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *ops,
				  struct ftrace_regs *fregs)
{
	const struct pcinspect_hook *hook;
	u64 began;

	/* From the look-up on, as group_enter() does: after ftrace_kill() calls go on. */
	began = demand_begin();
	hook = pcinspect_group_find(&demand_group, ip);
	if (hook == &demand_calls[DEMAND_READ])
		demand_read(fregs);
	else if (hook == &demand_calls[DEMAND_FAULT])
		demand_fault(fregs);
	else if (hook == &demand_calls[DEMAND_SPLICE])
		demand_splice(fregs);
	else if (hook == &demand_calls[DEMAND_REFAULT])
		demand_refault(fregs);
	demand_done(began);
}

static struct pcinspect_hook_group demand_group __read_mostly = {
	.func = demand_called,
};

#else /* no arguments from ftrace: what is asked for is not known */

static struct pcinspect_hook demand_calls[] = {};
static struct pcinspect_hook_group demand_group;

#endif

/* --- attaching ----------------------------------------------------------- */

static struct pcinspect_hook demand_events[] __read_mostly = {
	/* No number of a file depends on them. */
	{ .name = "mm_filemap_add_to_page_cache",
	  .type = &pcinspect_hook_event,
	  .probe = demand_inserted },
	/* No number, likewise. */
	{ .name = "mm_filemap_delete_from_page_cache",
	  .type = &pcinspect_hook_event,
	  .probe = demand_removed },
	/* No number, likewise. */
	{ .name = "writeback_dirty_folio",
	  .type = &pcinspect_hook_event,
	  .probe = demand_dirtied },
};

/* Where no header declares its function: is it what the kernel says of it? */
static bool demand_agrees(struct pcinspect_hook *hook)
{
	if (hook->args && !hook->asked)
		hook->asked = pcinspect_btf_look(hook->name, hook->args) !=
			      PCINSPECT_BTF_DIFFERS;
	return !hook->args || hook->asked;
}

/* Return: are all of them there? */
static bool demand_attach_hooks(struct pcinspect_hook *hooks, unsigned int nr)
{
	bool all = nr;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		struct pcinspect_hook *hook = &hooks[i];

		if (hook->type->find && !hook->tp)
			hook->type->find(hook);
		hook->err = demand_agrees(hook) ?
				    hook->type->attach(hook, hook->name) :
				    -EPROTOTYPE;
		hook->attached = !hook->err;
		all &= hook->attached ||
		       (hook->optional && hook->err == -ENOENT);
	}
	pcinspect_btf_forget();
	return all;
}

static void demand_detach_hooks(struct pcinspect_hook *hooks, unsigned int nr)
{
	struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		hook = &hooks[i];
		if (hook->attached)
			hook->type->detach(&hook, 1);
		hook->attached = false;
		WRITE_ONCE(hook->memory, 0);
	}
}

static void demand_detach_reads(void)
{
	pcinspect_group_set(&demand_group, NULL, 0);
	demand_detach_hooks(demand_calls, ARRAY_SIZE(demand_calls));
}

/* All or none. */
static bool demand_attach_reads(void)
{
	struct pcinspect_hook *hooks[ARRAY_SIZE(demand_calls) + 1];
	bool all = demand_attach_hooks(demand_calls, ARRAY_SIZE(demand_calls));
	unsigned int i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(demand_calls); i++) {
		if (!demand_calls[i].attached)
			continue;
		all &= pcinspect_group_accepts(&demand_calls[i]);
		hooks[nr++] = &demand_calls[i];
	}
	if (all && !pcinspect_group_set(&demand_group, hooks, nr))
		return true;
	demand_detach_reads();
	return false;
}

/* Was there a call that ought to have been followed and was not? */
static bool demand_missed(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(demand_calls); i++)
		if (demand_calls[i].attached && demand_calls[i].type->missed &&
		    demand_calls[i].type->missed(&demand_calls[i]))
			return true;
	return false;
}

/* The memory of the probes, in bytes: a trampoline, and instances. Context: any. */
size_t pcinspect_demand_memory(void)
{
	size_t memory = READ_ONCE(demand_reads_known) ? PAGE_SIZE : 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(demand_calls); i++)
		memory += READ_ONCE(demand_calls[i].memory);
	return memory;
}

/* --- who asks ------------------------------------------------------------ */

static void demand_attach(void)
{
	/* Pages first: what is asked for and is not there must not pass for a hit. */
	WRITE_ONCE(demand_events_known,
		   demand_attach_hooks(demand_events, ARRAY_SIZE(demand_events)));
	WRITE_ONCE(demand_reads_known, demand_attach_reads());
	demand_since_ns = ktime_get_ns();
	WRITE_ONCE(demand_attached, true);
	pcinspect_limit_watch(LIMIT_DEMAND, true);
}

/* Nothing is known before anything is detached: pcinspect_demand_get(). */
static void demand_detach(void)
{
	bool reads = demand_reads_known;

	WRITE_ONCE(demand_reads_known, false);
	WRITE_ONCE(demand_events_known, false);
	smp_mb(); /* pcinspect_demand_get() */
	if (reads)
		demand_detach_reads();
	demand_detach_hooks(demand_events, ARRAY_SIZE(demand_events));
	pcinspect_limit_watch(LIMIT_DEMAND, false);
}

/**
 * pcinspect_demand_step_back() - the probes take too much
 *
 * Their counts are unknown until the last reader has closed.
 *
 * Context: a work item, may sleep, for grace periods.
 * Return: were any attached?
 */
bool pcinspect_demand_step_back(void)
{
	bool attached;

	mutex_lock(&demand_mutex);
	attached = demand_reads_known || demand_events_known;
	if (attached) {
		demand_detach();
		WRITE_ONCE(demand_stepped_back, true);
	}
	mutex_unlock(&demand_mutex);
	return attached;
}

static void demand_worker(struct work_struct *unused)
{
	mutex_lock(&demand_mutex);
	if (demand_attached && !atomic_read(&demand_nr_users)) {
		demand_detach();
		WRITE_ONCE(demand_stepped_back, false);
		WRITE_ONCE(demand_attached, false);
	}
	mutex_unlock(&demand_mutex);
	wake_up_all(&demand_left);
}

static DECLARE_WORK(demand_work, demand_worker);

/**
 * pcinspect_demand_want() - somebody looks at the machine
 *
 * Where a hook cannot be had, what it would count is unknown.
 *
 * Context: process context, may sleep, for grace periods.
 * Return: 0, and pcinspect_demand_done() is to follow; or -EINTR: killed.
 */
int pcinspect_demand_want(void)
{
	if (mutex_lock_killable(&demand_mutex))
		return -EINTR;
	if (!demand_attached)
		demand_attach();
	atomic_inc(&demand_nr_users);
	mutex_unlock(&demand_mutex);
	return 0;
}

/* Somebody looks no more. Context: any; never sleeps. */
void pcinspect_demand_done(void)
{
	if (atomic_dec_and_test(&demand_nr_users))
		queue_work(system_dfl_wq, &demand_work);
}

/*
 * Until what nobody needs is detached. Context: process context, may sleep.
 * Return: 0, or -EINTR: killed.
 */
int pcinspect_demand_settle(void)
{
	return wait_event_killable(demand_left,
				   !READ_ONCE(demand_attached) ||
					   atomic_read(&demand_nr_users)) ?
		       -EINTR :
		       0;
}

/* Nobody looks any more. Context: module exit, may sleep. */
void pcinspect_demand_exit(void)
{
	flush_work(&demand_work);
}

static u64 demand_sum(const u64 __percpu *counter)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(*per_cpu_ptr(counter, cpu));
	return sum;
}

/**
 * pcinspect_demand_get() - the sums
 * @demand: filled in but for its size
 *
 * Requested bytes are read before missed pages: a read that ends in between
 * counts as less of a hit, never as more.
 *
 * Counts of hooks detached meanwhile (pcinspect_demand_step_back()) are unknown.
 *
 * Context: process context, after pcinspect_demand_want().
 */
void pcinspect_demand_get(struct pcinspect_demand *demand)
{
	demand->since_ns = demand_since_ns;
	demand->demanded_bytes = demand_sum(&demand_cpus.demanded_bytes);
	smp_rmb(); /* what is asked for comes first */
	demand->missed_pages = demand_sum(&demand_cpus.missed_pages);
	demand->inserted_pages = demand_sum(&demand_cpus.inserted_pages);
	demand->removed_pages = demand_sum(&demand_cpus.removed_pages);
	smp_mb(); /* demand_detach() */
	if (!pcinspect_demand_reads_known() || demand_missed())
		demand->demanded_bytes = PCINSPECT_UNKNOWN;
	if (!pcinspect_demand_events_known()) {
		demand->missed_pages = PCINSPECT_UNKNOWN;
		demand->inserted_pages = PCINSPECT_UNKNOWN;
		demand->removed_pages = PCINSPECT_UNKNOWN;
	}
	demand->time_ns = ktime_get_ns();
}

/* Are reads, faults and refaults seen? Context: after pcinspect_demand_want(). */
bool pcinspect_demand_reads_known(void)
{
	return READ_ONCE(demand_reads_known);
}

/* Are insertions, removals and dirtied pages? Context: likewise. */
bool pcinspect_demand_events_known(void)
{
	return READ_ONCE(demand_events_known);
}

/* Of the hooks, for people. Context: any. */
const char *pcinspect_demand_state(void)
{
	if (!READ_ONCE(demand_attached))
		return "detached";
	return READ_ONCE(demand_stepped_back) ?
		       "detached (probes took more than max_overhead)" :
		       "attached";
}

/* For how many it is counted. Context: any. */
unsigned int pcinspect_demand_users(void)
{
	return atomic_read(&demand_nr_users);
}
