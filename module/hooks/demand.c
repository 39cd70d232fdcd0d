// SPDX-License-Identifier: GPL-2.0-only
/*
 * demand.c - what is asked of the page cache by all programs, of all files, and
 * what comes into it and goes: sums of the machine, while somebody looks at it.
 *
 * Why apart from the hooks of files: those pass over files that nobody asked
 * about in some 55 instructions, and nobody who does not look at the machine
 * shall pay more. So these are attached by themselves, and only count, each CPU
 * for itself; no record, no operation, no ledger.
 *
 * A read is asked for when it begins, up to the end of the file. Where it will
 * be repeated if it cannot go on (NOWAIT, WAITQ, NOIO), and where a pipe limits
 * it, what it returns is what was asked for; only these have a kretprobe, which
 * is never armed, but entered by the callback as group.c does it. Since they are
 * of all files, each CPU has instances of its own where the kernel has but one
 * list for a kretprobe. Once one was wanting, what is asked for is not known.
 *
 * Who inserts a page of a file while he holds its inode locked for writing,
 * does so to write, to truncate or the like: reads and faults never hold it so.
 * That saves hooks on each filesystem's own way to write.
 *
 * Context: the callbacks have that of the functions, preemptible, no recursion;
 * events as in filemap.c.
 *
 * May touch: the kernel's function tracer, kprobes and tracepoints, by
 * registering; its own sums.
 *
 * Locks: demand_mutex > the kernel's of probes. Who looks no more does not take
 * it: a work item detaches, which waits for grace periods (see attach.c).
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
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/uio.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <trace/events/filemap.h>

#include "uapi/pcinspect.h"
#include "hooks/demand.h"
#include "hooks/group.h"
#include "hooks/readers.h"
#include "hooks/table.h"
#include "records/memory.h"

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
static DECLARE_WAIT_QUEUE_HEAD(demand_left);
static u64 demand_since_ns;
static bool demand_reads_known;
static bool demand_events_known;

/* --- pages --------------------------------------------------------------- */

/* The owner of a semaphore that is held for writing is no more than the task. */
static bool demand_is_written(const struct inode *inode)
{
#ifdef CONFIG_PREEMPT_RT
	return false; /* it is not loaded there */
#else
	return atomic_long_read(&inode->i_rwsem.owner) == (long)current;
#endif
}

/*
 * Pages of hugetlbfs were set aside before, and are never read from anywhere:
 * the kernel counts them in no number of the page cache, but has the events.
 */
static bool demand_is_huge(const struct inode *inode)
{
	return inode->i_sb->s_magic == HUGETLBFS_MAGIC;
}

static void demand_inserted(void *data, struct folio *folio)
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

/* tmpfs removes with an event, but inserts without one. */
static void demand_removed(void *data, struct folio *folio)
{
	const struct inode *inode = folio->mapping->host;
	unsigned int nr = folio_nr_pages(folio);

	if (shmem_mapping(folio->mapping) || demand_is_huge(inode))
		return;
	this_cpu_add(demand_cpus.removed_pages, nr);
	if (S_ISREG(inode->i_mode) && pcinspect_in_reclaim())
		pcinspect_readers_evict(inode, nr);
}

static void __maybe_unused demand_canary(void)
{
	HOOK_CANARY(mm_filemap_add_to_page_cache, demand_inserted);
	HOOK_CANARY(mm_filemap_delete_from_page_cache, demand_removed);
}

static struct demand_event {
	const char *name;
	void *probe;
	struct tracepoint *tp;
	bool attached;
} demand_events[] = {
	{ "mm_filemap_add_to_page_cache", demand_inserted },
	{ "mm_filemap_delete_from_page_cache", demand_removed },
};

static void demand_match(struct tracepoint *tp, void *priv)
{
	struct demand_event *event = priv;

	if (!strcmp(tp->name, event->name))
		event->tp = tp;
}

static bool demand_attach_events(void)
{
	bool all = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(demand_events); i++) {
		struct demand_event *event = &demand_events[i];

		if (!event->tp)
			for_each_kernel_tracepoint(demand_match, event);
		event->attached = event->tp &&
				  !tracepoint_probe_register(event->tp,
							     event->probe, NULL);
		all &= event->attached;
	}
	return all;
}

static void demand_detach_events(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(demand_events); i++)
		if (demand_events[i].attached)
			tracepoint_probe_unregister(demand_events[i].tp,
						    demand_events[i].probe,
						    NULL);
	tracepoint_synchronize_unregister();
}

/* --- reads and faults ---------------------------------------------------- */

#ifdef pcinspect_ftrace_args

/*
 * enum demand_call - the functions by which a file is read through the cache,
 * and the one that is called when an evicted page comes back
 */
enum demand_call {
	DEMAND_READ,
	DEMAND_FAULT,
	DEMAND_SPLICE,
	DEMAND_REFAULT,
	DEMAND_NR_CALLS
};

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

static int demand_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	s64 done = (s64)regs_return_value(regs) - *(s64 *)ri->data;

	if (done > 0)
		this_cpu_add(demand_cpus.demanded_bytes, done);
	return 0;
}

/*
 * Instances: a task that sleeps in splice keeps its own; of a CPU only what is
 * interrupted in the middle of a read that does not wait.
 */
#define DEMAND_ACTIVE 256
#define DEMAND_ACTIVE_OWN 64

/*
 * struct demand_function - one of them
 * @rp: registered disabled; finds the function, and its end where that is needed
 * @own: the same of each CPU's own, or NULL
 * @nr_own: how many
 * @name: as the kernel calls it
 * @optional: not in every kernel: before 6.5 splice goes through filemap_read()
 * @ip: where it is traced, 0: it is not
 * @enter: what the kernel does when a function with a kretprobe is called
 */
static struct demand_function {
	struct kretprobe rp;
	struct kretprobe *own;
	unsigned int nr_own;
	const char *name;
	bool optional;
	unsigned long ip;
	kprobe_pre_handler_t enter;
} demand_functions[DEMAND_NR_CALLS] __read_mostly = {
	[DEMAND_READ] = { .name = "filemap_read",
			  .rp = { .entry_handler = read_entry,
				  .maxactive = DEMAND_ACTIVE } },
	/* Never followed. */
	[DEMAND_FAULT] = { .name = "filemap_fault",
			   .rp = { .entry_handler = splice_entry,
				   .maxactive = 1 } },
	[DEMAND_SPLICE] = { .name = "filemap_splice_read",
			    .optional = true,
			    .rp = { .entry_handler = splice_entry,
				    .maxactive = DEMAND_ACTIVE } },
	/* Never followed. */
	[DEMAND_REFAULT] = { .name = "workingset_refault",
			     .rp = { .entry_handler = splice_entry,
				     .maxactive = 1 } },
};

/* Its end is to be seen. */
static noinline notrace void demand_follow(enum demand_call call,
					   struct pt_regs *regs)
{
	struct demand_function *function = &demand_functions[call];
	struct kretprobe *rp = &function->rp;

	preempt_disable_notrace();
	/* Again: after ftrace_kill() calls go on when the probes are freed. */
	if (READ_ONCE(function->ip)) {
		if (PCINSPECT_RETHOOK_SHARED)
			rp = &function->own[smp_processor_id()];
		function->enter(&rp->kp, regs);
	}
	preempt_enable_notrace();
}

static void notrace demand_read(struct pt_regs *regs)
{
	const struct kiocb *iocb = (void *)regs_get_kernel_argument(regs, 0);
	const struct iov_iter *iter = (void *)regs_get_kernel_argument(regs, 1);
	const struct inode *inode = iocb->ki_filp->f_mapping->host;
	loff_t pos = iocb->ki_pos, size = i_size_read(inode);
	u64 bytes;

	if (!S_ISREG(inode->i_mode))
		return;
	bytes = pos < size ? min_t(u64, iov_iter_count(iter), size - pos) : 0;
	if (bytes)
		pcinspect_readers_ask(inode, pos, bytes, false);
	if (iocb->ki_flags & (IOCB_NOWAIT | IOCB_WAITQ | IOCB_NOIO)) {
		demand_follow(DEMAND_READ, regs);
		return;
	}
	this_cpu_add(demand_cpus.demanded_bytes, bytes);
}

/* Of a page that fault-around has mapped there is none. */
static void notrace demand_fault(struct pt_regs *regs)
{
	const struct vm_fault *vmf = (void *)regs_get_kernel_argument(regs, 0);
	const struct inode *inode = vmf->vma->vm_file->f_mapping->host;

	if (!S_ISREG(inode->i_mode) ||
	    (loff_t)vmf->pgoff << PAGE_SHIFT >= i_size_read(inode))
		return;
	pcinspect_readers_ask(inode, (u64)vmf->pgoff << PAGE_SHIFT, PAGE_SIZE,
			      true);
	if (!(vmf->flags & FAULT_FLAG_TRIED))
		this_cpu_add(demand_cpus.demanded_bytes, PAGE_SIZE);
}

static void notrace demand_splice(struct pt_regs *regs)
{
	const struct file *file = (void *)regs_get_kernel_argument(regs, 0);
	const loff_t *pos = (void *)regs_get_kernel_argument(regs, 1);
	const struct inode *inode = file->f_mapping->host;
	u64 bytes = regs_get_kernel_argument(regs, 3);
	loff_t size = i_size_read(inode);

	if (!S_ISREG(inode->i_mode))
		return;
	if (bytes && *pos < size)
		pcinspect_readers_ask(inode, *pos,
				      min_t(u64, bytes, size - *pos), false);
	demand_follow(DEMAND_SPLICE, regs);
}

/* After the event of its insertion. Pages of tmpfs and of swap space are no file's. */
static void notrace demand_refault(struct pt_regs *regs)
{
	struct folio *folio = (void *)regs_get_kernel_argument(regs, 0);
	const struct address_space *mapping = folio_mapping(folio);

	if (mapping && mapping->host && !folio_test_swapbacked(folio) &&
	    S_ISREG(mapping->host->i_mode) && !demand_is_written(mapping->host))
		pcinspect_readers_refault(mapping->host, folio_nr_pages(folio));
}

static void notrace demand_called(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *ops,
				  struct ftrace_regs *fregs)
{
	struct pt_regs *regs = pcinspect_ftrace_args(fregs);

	if (ip == READ_ONCE(demand_functions[DEMAND_READ].ip))
		demand_read(regs);
	else if (ip == READ_ONCE(demand_functions[DEMAND_FAULT].ip))
		demand_fault(regs);
	else if (ip == READ_ONCE(demand_functions[DEMAND_SPLICE].ip))
		demand_splice(regs);
	else if (ip == READ_ONCE(demand_functions[DEMAND_REFAULT].ip))
		demand_refault(regs);
}

static struct ftrace_ops demand_ops __read_mostly;

/* A kretprobe for each CPU, as hook_make_own() does. */
static int demand_make_own(struct demand_function *function)
{
	int err = 0;

	function->own = kvcalloc(nr_cpu_ids, sizeof(*function->own), GFP_KERNEL);
	if (!function->own)
		return -ENOMEM;
	while (!err && function->nr_own < nr_cpu_ids) {
		struct kretprobe *rp = &function->own[function->nr_own];

		rp->kp.addr = function->rp.kp.addr;
		rp->kp.flags = KPROBE_FLAG_DISABLED;
		rp->entry_handler = function->rp.entry_handler;
		rp->handler = function->rp.handler;
		rp->data_size = function->rp.data_size;
		rp->maxactive = DEMAND_ACTIVE_OWN;
		err = register_kretprobe(rp);
		function->nr_own += !err;
	}
	return err;
}

/* All kretprobes of a function; each call waits for a grace period. */
static void demand_unregister(struct demand_function *function)
{
	struct kretprobe *rps[32] = { &function->rp };
	unsigned int i, nr = 1;

	for (i = 0; i < function->nr_own; i++) {
		if (nr == ARRAY_SIZE(rps)) {
			unregister_kretprobes(rps, nr);
			nr = 0;
		}
		rps[nr++] = &function->own[i];
	}
	unregister_kretprobes(rps, nr);
	kvfree(function->own);
	function->own = NULL;
	function->nr_own = 0;
}

/* Find a function; registered on return if its @ip is set. */
static int demand_find(struct demand_function *function)
{
	struct kretprobe *rp = &function->rp;
	int err;

	memset(&rp->kp, 0, sizeof(rp->kp));
	rp->kp.symbol_name = function->name;
	rp->kp.flags = KPROBE_FLAG_DISABLED;
	rp->handler = demand_end;
	rp->data_size = sizeof(s64);
	err = register_kretprobe(rp);
	if (err)
		return err == -ENOENT && function->optional ? 0 : err;
	if (!(rp->kp.flags & KPROBE_FLAG_FTRACE))
		err = -EOPNOTSUPP;
	else if (PCINSPECT_RETHOOK_SHARED && rp->maxactive > 1)
		err = demand_make_own(function);
	if (err) {
		demand_unregister(function);
		return err;
	}
	function->enter = rp->kp.pre_handler;
	WRITE_ONCE(function->ip, (unsigned long)rp->kp.addr);
	return 0;
}

static void demand_detach_reads(void)
{
	unsigned int i;

	pcinspect_ftrace_end(&demand_ops);
	for (i = 0; i < DEMAND_NR_CALLS; i++) {
		if (!demand_functions[i].ip)
			continue;
		WRITE_ONCE(demand_functions[i].ip, 0);
		demand_unregister(&demand_functions[i]); /* waits for RCU */
	}
}

/* All or none. */
static bool demand_attach_reads(void)
{
	unsigned long ips[DEMAND_NR_CALLS];
	unsigned int i, nr = 0;
	int err = 0;

	/* After ftrace_kill() */
	if (pcinspect_ftrace_listed(&demand_ops))
		return false;
	for (i = 0; !err && i < DEMAND_NR_CALLS; i++) {
		err = demand_find(&demand_functions[i]);
		if (demand_functions[i].ip)
			ips[nr++] = demand_functions[i].ip;
	}
	demand_ops.func = demand_called;
	demand_ops.flags |= PCINSPECT_FTRACE_FLAGS;
	if (!err)
		err = ftrace_set_filter_ips(&demand_ops, ips, nr, 0, 1);
	if (!err)
		err = register_ftrace_function(&demand_ops);
	if (err)
		demand_detach_reads();
	return !err;
}

/* Was there a call that ought to have been followed and was not? */
static bool demand_missed(void)
{
	unsigned int i, cpu;

	for (i = 0; i < DEMAND_NR_CALLS; i++) {
		const struct demand_function *function = &demand_functions[i];

		if (!function->ip)
			continue;
		if (READ_ONCE(function->rp.nmissed))
			return true;
		for (cpu = 0; cpu < function->nr_own; cpu++)
			if (READ_ONCE(function->own[cpu].nmissed))
				return true;
	}
	return false;
}

static size_t demand_reads_memory(void)
{
	size_t one = sizeof(struct kretprobe_instance) + sizeof(s64);
	size_t memory = PAGE_SIZE; /* a trampoline */
	unsigned int i;

	for (i = 0; i < DEMAND_NR_CALLS; i++) {
		const struct demand_function *function = &demand_functions[i];

		if (!READ_ONCE(function->ip))
			continue;
		memory += pcinspect_rethook_memory(one, function->rp.maxactive);
		memory += READ_ONCE(function->nr_own) *
			  (sizeof(*function->own) +
			   pcinspect_rethook_memory(one, DEMAND_ACTIVE_OWN));
	}
	return memory;
}

#else /* no arguments from ftrace: what is asked for is not known */

static bool demand_attach_reads(void)
{
	return false;
}

static void demand_detach_reads(void)
{
}

static bool demand_missed(void)
{
	return false;
}

static size_t demand_reads_memory(void)
{
	return 0;
}

#endif

/* --- who asks ------------------------------------------------------------ */

static void demand_attach(void)
{
	/* Pages first: what is asked for and is not there must not pass for a hit. */
	demand_events_known = demand_attach_events();
	demand_reads_known = demand_attach_reads();
	demand_since_ns = ktime_get_ns();
	WRITE_ONCE(demand_attached, true);
}

static void demand_detach(void)
{
	if (demand_reads_known)
		demand_detach_reads();
	demand_reads_known = false;
	demand_detach_events();
	demand_events_known = false;
	WRITE_ONCE(demand_attached, false);
}

static void demand_worker(struct work_struct *unused)
{
	mutex_lock(&demand_mutex);
	if (demand_attached && !atomic_read(&demand_nr_users))
		demand_detach();
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
 * What was asked for is read before what was missing: a read that ends between
 * may be too little of a hit, never too much.
 *
 * Context: process context, after pcinspect_demand_want(): hooks stay as they are.
 */
void pcinspect_demand_get(struct pcinspect_demand *demand)
{
	demand->since_ns = demand_since_ns;
	demand->demanded_bytes = PCINSPECT_UNKNOWN;
	if (demand_reads_known && !demand_missed())
		demand->demanded_bytes = demand_sum(&demand_cpus.demanded_bytes);
	smp_rmb(); /* what is asked for comes first */
	demand->missed_pages = PCINSPECT_UNKNOWN;
	demand->inserted_pages = PCINSPECT_UNKNOWN;
	demand->removed_pages = PCINSPECT_UNKNOWN;
	if (demand_events_known) {
		demand->missed_pages = demand_sum(&demand_cpus.missed_pages);
		demand->inserted_pages = demand_sum(&demand_cpus.inserted_pages);
		demand->removed_pages = demand_sum(&demand_cpus.removed_pages);
	}
	demand->time_ns = ktime_get_ns();
}

/* Are reads, faults and refaults seen? Context: after pcinspect_demand_want(). */
bool pcinspect_demand_reads_known(void)
{
	return demand_reads_known;
}

/* For how many it is counted. Context: any. */
unsigned int pcinspect_demand_users(void)
{
	return atomic_read(&demand_nr_users);
}

/* What the probes take, in bytes. Context: any. */
size_t pcinspect_demand_memory(void)
{
	return READ_ONCE(demand_reads_known) ? demand_reads_memory() : 0;
}
