// SPDX-License-Identifier: GPL-2.0-only
/*
 * operation.c - the table of operations, by task.
 *
 * Why a table of our own and not kretprobe instance data: hooks of other
 * functions have to find the operation (struct kretprobe_instance is reachable
 * from its own function only), and a child has to inherit membership of a run.
 *
 * Lifetime: a task's entry is made by its first operation and freed with the
 * task (sched_process_free: an exiting task still closes files), or when the
 * hooks are detached. Entries are changed by their own task only, but for
 * joining and purging.
 *
 * Locks: a bucket's, a leaf raw spinlock, irqs saved. A task without an entry
 * takes none.
 */
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "kunit_visible.h"
#include "records/memory.h"
#include "records/operation.h"

#ifndef PF_USER_WORKER
#define PF_USER_WORKER 0 /* before 6.4 */
#endif

/*
 * Entries of tasks that are in nothing now, kept up to here; of all tasks, some
 * 100 MiB: beyond it the operation is lost; and removed, but not free yet: at
 * that many an entry stays where it is.
 */
#define OP_IDLE 4096
#define OP_MAX 65536
#define OP_WAITING 8192

#define OP_BUCKETS BIT(PCINSPECT_OPERATION_BITS)

struct pcinspect_operation_bucket *pcinspect_operation_table __read_mostly;

static struct pcinspect_cache operation_cache;
static long operation_idle __read_mostly;
static atomic64_t operation_nr_lost = ATOMIC64_INIT(0);
/* Removed, but not free before a grace period is over. */
static atomic_long_t operation_nr_waiting = ATOMIC_LONG_INIT(0);

static struct pcinspect_operation_bucket *
operation_bucket(const struct task_struct *task)
{
	return &pcinspect_operation_table[hash_ptr(task, PCINSPECT_OPERATION_BITS)];
}

static void operation_free_rcu(struct rcu_head *rcu)
{
	pcinspect_cache_free(&operation_cache,
			     container_of(rcu, struct pcinspect_operations, rcu));
	atomic_long_dec(&operation_nr_waiting);
}

/* Make @task's entry. Nobody else makes one for the same task meanwhile. */
static struct pcinspect_operations *operation_add(const struct task_struct *task,
						  bool member)
{
	struct pcinspect_operation_bucket *bucket = operation_bucket(task);
	struct pcinspect_operations *ops;
	unsigned long flags;

	ops = pcinspect_cache_alloc(&operation_cache, PCINSPECT_GFP_PROBE);
	if (!ops) {
		atomic64_inc(&operation_nr_lost);
		return NULL;
	}
	ops->task = task;
	ops->member = member;
	raw_spin_lock_irqsave(&bucket->lock, flags);
	hlist_add_head_rcu(&ops->node, &bucket->head);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	return ops;
}

static void operation_remove(struct pcinspect_operations *ops)
{
	struct pcinspect_operation_bucket *bucket = operation_bucket(ops->task);
	unsigned long flags;

	raw_spin_lock_irqsave(&bucket->lock, flags);
	hlist_del_rcu(&ops->node);
	raw_spin_unlock_irqrestore(&bucket->lock, flags);
	atomic_long_inc(&operation_nr_waiting);
	call_rcu(&ops->rcu, operation_free_rcu);
}

/* Are there more entries of tasks than are kept? Those that wait are none. */
static bool operation_is_too_many(void)
{
	long all = atomic_long_read(&operation_cache.nr), waiting;

	if (all <= operation_idle)
		return false;
	waiting = atomic_long_read(&operation_nr_waiting);
	return waiting < OP_WAITING && all - waiting > operation_idle;
}

/**
 * pcinspect_operation_push() - the running task enters an operation
 * @kind: which
 * @mapping: what it works on, alive for the length of the operation; may be
 *	NULL (drop_caches)
 * @depth: set to what pcinspect_operation_pop() wants
 *
 * Context: preemption off, never sleeps.
 * Return: the operation, cleared, or NULL: interrupt, reclaim, no memory or
 * nested too deep (the last two are counted).
 */
struct pcinspect_operation *
pcinspect_operation_push(enum pcinspect_operation_kind kind,
			 const struct address_space *mapping, u8 *depth)
{
	struct pcinspect_operations *ops = pcinspect_operations_of();
	struct pcinspect_operation *op;

	if (!ops) {
		/* Of reclaim nobody asks for the operation. */
		if (!in_task() || (current->flags & PF_MEMALLOC))
			return NULL;
		ops = operation_add(current, false);
		if (!ops)
			return NULL;
	}
	if (ops->depth == PCINSPECT_OPERATION_DEPTH) {
		atomic64_inc(&operation_nr_lost);
		return NULL;
	}
	*depth = ops->depth;
	op = &ops->stack[ops->depth];
	memset(op, 0, sizeof(*op));
	op->kind = kind;
	op->mapping = mapping;
	if (mapping) {
		const struct inode *inode = mapping->host;

		op->file.inode = inode;
		op->file.ino = inode->i_ino;
		op->file.dev = inode->i_sb->s_dev;
		op->file.generation = inode->i_generation;
	}
	/* An interrupt that looks now must see a whole operation or none. */
	barrier();
	ops->depth++;
	ops->top = op;
	return op;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_operation_push);

/**
 * pcinspect_operation_pop() - the running task leaves an operation
 * @depth: of the operation's operation
 *
 * Operations above it, whose return was missed, go as well and are counted.
 *
 * Context: preemption off.
 * Return: the operation, whose contents stay until the next push, or NULL if it
 * was purged meanwhile.
 */
struct pcinspect_operation *pcinspect_operation_pop(u8 depth)
{
	struct pcinspect_operations *ops = pcinspect_operations_of();

	if (!ops || ops->depth <= depth)
		return NULL;
	if (ops->depth > depth + 1)
		atomic64_inc(&operation_nr_lost);
	ops->depth = depth;
	ops->top = depth ? &ops->stack[depth - 1] : NULL;
	/* Its contents stay until a grace period is over. */
	if (!depth && !ops->member && operation_is_too_many())
		operation_remove(ops);
	return &ops->stack[depth];
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_operation_pop);

/*
 * The innermost operation of some kinds. @ops: the running task's, or NULL.
 * @kinds: bits by enum pcinspect_operation_kind. Context: preemption off.
 * Return: the operation, or NULL.
 */
struct pcinspect_operation *
pcinspect_operation_find(const struct pcinspect_operations *ops, u32 kinds)
{
	int i;

	for (i = ops ? ops->depth - 1 : -1; i >= 0; i--)
		if (kinds & BIT(ops->stack[i].kind))
			return (struct pcinspect_operation *)&ops->stack[i];
	return NULL;
}

/*
 * Free the entry of a task that has ended. Nobody else makes or removes it
 * while hooks are attached, so that a task without an entry, as most, takes no
 * lock. Context: preemption off, never sleeps.
 */
void pcinspect_operation_purge_task(const struct task_struct *task)
{
	struct pcinspect_operations *ops = pcinspect_operations_find(task);

	if (ops)
		operation_remove(ops);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_operation_purge_task);

/* Forget every task. Context: process context; no hook is attached. */
void pcinspect_operation_purge(void)
{
	struct pcinspect_operations *ops;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; i < OP_BUCKETS; i++) {
		hlist_for_each_entry_safe(ops, next,
					  &pcinspect_operation_table[i].head,
					  node)
			operation_remove(ops);
		if (!(i & 1023))
			cond_resched();
	}
}

/*
 * Make a task one of the run. @task: the running task, or a child of it that
 * has not run yet. Context: preemption off or process context; never sleeps.
 * Return: false if there was no memory (counted).
 */
bool pcinspect_operation_join(const struct task_struct *task)
{
	struct pcinspect_operations *ops = pcinspect_operations_find(task);

	if (!ops)
		return operation_add(task, true);
	ops->member = true;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_operation_join);

/* Does the running task belong to the run? Context: preemption off. */
bool pcinspect_operation_is_member(void)
{
	struct pcinspect_operations *ops = pcinspect_operations_of();

	if (ops && ops->member)
		return true;
	/* create_io_thread() makes them, without the event of a fork. */
	if (!in_task() || !(current->flags & (PF_IO_WORKER | PF_USER_WORKER)))
		return false;
	ops = pcinspect_operations_find(current->group_leader);
	return ops && ops->member;
}

/* No task belongs to the run any more. Context: process context. */
void pcinspect_operation_end_run(void)
{
	struct pcinspect_operations *ops;
	unsigned int i;

	for (i = 0; i < OP_BUCKETS; i++) {
		rcu_read_lock();
		hlist_for_each_entry_rcu(ops, &pcinspect_operation_table[i].head,
					 node)
			ops->member = false;
		rcu_read_unlock();
		if (!(i & 1023))
			cond_resched();
	}
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_operation_end_run);

/* How many tasks belong to a run. Context: process context. */
u64 pcinspect_operation_members(void)
{
	const struct pcinspect_operations *ops;
	u64 members = 0;
	unsigned int i;

	for (i = 0; i < OP_BUCKETS; i++) {
		rcu_read_lock();
		hlist_for_each_entry_rcu(ops, &pcinspect_operation_table[i].head,
					 node)
			members += ops->member;
		rcu_read_unlock();
		if (!(i & 1023))
			cond_resched();
	}
	return members;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_operation_members);

/* Operations since load that could not be followed. Context: any. */
u64 pcinspect_operation_lost(void)
{
	return atomic64_read(&operation_nr_lost);
}

/* In bytes, with the table. Context: any. */
size_t pcinspect_operation_memory(void)
{
	return pcinspect_cache_memory(&operation_cache) +
	       OP_BUCKETS * sizeof(*pcinspect_operation_table);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_operation_memory);

/* 0 or -ENOMEM. Context: process context. */
int pcinspect_operation_init(void)
{
	unsigned int i;
	int err;

	pcinspect_operation_table = kvcalloc(OP_BUCKETS,
					     sizeof(*pcinspect_operation_table),
					     GFP_KERNEL);
	if (!pcinspect_operation_table)
		return -ENOMEM;
	for (i = 0; i < OP_BUCKETS; i++)
		raw_spin_lock_init(&pcinspect_operation_table[i].lock);
	err = pcinspect_cache_init(&operation_cache, "pcinspect_operations",
				   sizeof(struct pcinspect_operations), false,
				   OP_MAX + OP_WAITING);
	if (!err) {
		err = pcinspect_cache_set_aside(&operation_cache);
		if (err)
			pcinspect_cache_exit(&operation_cache);
	}
	if (err)
		kvfree(pcinspect_operation_table);
	operation_idle =
		OP_IDLE + 2 * operation_cache.batch * num_possible_cpus();
	return err;
}

/* Context: process context; no hook is attached. */
void pcinspect_operation_exit(void)
{
	pcinspect_operation_purge();
	rcu_barrier();
	pcinspect_cache_exit(&operation_cache);
	kvfree(pcinspect_operation_table);
}
