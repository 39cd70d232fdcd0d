// SPDX-License-Identifier: GPL-2.0
/*
 * operation.c - the table of operations, by task.
 *
 * Why a table of our own and not kretprobe instance data: hooks of other
 * functions have to find the operation (struct kretprobe_instance is reachable
 * from its own function only), and a child has to inherit membership of a run.
 *
 * Lifetime: a task's entry is made by its first operation and freed when the
 * task exits (sched_process_exit; an exiting task makes no new one), or when
 * the hooks are detached. Entries are changed by their own task only, but for
 * joining and purging.
 *
 * Locks: operation_lock is a leaf raw spinlock, irqs saved.
 */
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "records/memory.h"
#include "records/operation.h"

#ifndef PF_USER_WORKER
#define PF_USER_WORKER 0 /* before 6.4 */
#endif

/* Entries of tasks that are in nothing now: kept up to here. */
#define OP_IDLE 4096

struct hlist_head pcinspect_operation_table[1 << PCINSPECT_FRAME_BITS];

static DEFINE_RAW_SPINLOCK(operation_lock);
static struct kmem_cache *operation_cache;
static atomic64_t operation_nr_lost = ATOMIC64_INIT(0);
static atomic_t operation_nr = ATOMIC_INIT(0);

static struct hlist_head *operation_bucket(const struct task_struct *task)
{
	return &pcinspect_operation_table[hash_ptr(task, PCINSPECT_FRAME_BITS)];
}

static void operation_free_rcu(struct rcu_head *rcu)
{
	kmem_cache_free(operation_cache,
			container_of(rcu, struct pcinspect_operations, rcu));
	atomic_dec(&operation_nr);
}

/* Make @task's entry. Nobody else makes one for the same task meanwhile. */
static struct pcinspect_operations *operation_add(const struct task_struct *task,
						  bool member)
{
	struct pcinspect_operations *ops;
	unsigned long flags;

	ops = kmem_cache_alloc(operation_cache, PCINSPECT_GFP_PROBE);
	if (!ops) {
		atomic64_inc(&operation_nr_lost);
		return NULL;
	}
	ops->task = task;
	ops->depth = 0;
	ops->top = NULL;
	ops->member = member;
	atomic_inc(&operation_nr);
	raw_spin_lock_irqsave(&operation_lock, flags);
	hlist_add_head_rcu(&ops->node, operation_bucket(task));
	raw_spin_unlock_irqrestore(&operation_lock, flags);
	return ops;
}

/**
 * pcinspect_operation_push() - the running task enters an operation
 * @kind: which
 * @mapping: what it works on, alive for the length of the operation; may be
 *	NULL (drop_caches)
 * @depth: set to what pcinspect_operation_pop() wants
 *
 * Context: preemption off, never sleeps.
 * Return: the operation, cleared, or NULL: interrupt, exiting task, reclaim, no
 * memory or nested too deep (the last two are counted).
 */
struct pcinspect_operation *
pcinspect_operation_push(enum pcinspect_operation_kind kind,
			 const struct address_space *mapping, u8 *depth)
{
	struct pcinspect_operations *ops = pcinspect_operations_of();
	struct pcinspect_operation *op;

	if (!ops) {
		/* Of reclaim nobody asks for the operation. */
		if (!in_task() || (current->flags & (PF_EXITING | PF_MEMALLOC)))
			return NULL;
		ops = operation_add(current, false);
		if (!ops)
			return NULL;
	}
	if (ops->depth == PCINSPECT_FRAME_DEPTH) {
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
	if (!depth && !ops->member && atomic_read(&operation_nr) > OP_IDLE)
		pcinspect_operation_purge_task(current);
	return &ops->stack[depth];
}

/**
 * pcinspect_operation_find() - the innermost operation of some kinds
 * @ops: the running task's, or NULL
 * @kinds: bits by enum pcinspect_operation_kind
 *
 * Context: preemption off.
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

/**
 * pcinspect_operation_purge_task() - a task is exiting
 * @task: the running task
 *
 * Context: any, never sleeps.
 */
void pcinspect_operation_purge_task(const struct task_struct *task)
{
	struct pcinspect_operations *ops, *found = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&operation_lock, flags);
	hlist_for_each_entry(ops, operation_bucket(task), node) {
		if (ops->task == task) {
			hlist_del_rcu(&ops->node);
			found = ops;
			break;
		}
	}
	raw_spin_unlock_irqrestore(&operation_lock, flags);
	if (found)
		call_rcu(&found->rcu, operation_free_rcu);
}

/* Forget every task. Context: process context; no hook is attached. */
void pcinspect_operation_purge(void)
{
	struct pcinspect_operations *ops;
	struct hlist_node *next;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pcinspect_operation_table); i++) {
		raw_spin_lock_irqsave(&operation_lock, flags);
		hlist_for_each_entry_safe(ops, next,
					  &pcinspect_operation_table[i], node) {
			hlist_del_rcu(&ops->node);
			call_rcu(&ops->rcu, operation_free_rcu);
		}
		raw_spin_unlock_irqrestore(&operation_lock, flags);
	}
}

/**
 * pcinspect_operation_join() - make a task one of the run
 * @task: the running task, or a child of it that has not run yet
 *
 * Context: preemption off or process context; never sleeps.
 * Return: false if there was no memory (counted).
 */
bool pcinspect_operation_join(const struct task_struct *task)
{
	struct pcinspect_operations *ops;

	hlist_for_each_entry_rcu_notrace(ops, operation_bucket(task), node) {
		if (ops->task == task) {
			ops->member = true;
			return true;
		}
	}
	return operation_add(task, true);
}

/**
 * pcinspect_operation_is_member() - does the running task belong to the run
 *
 * Context: preemption off.
 * Return: true if it does.
 */
bool pcinspect_operation_is_member(void)
{
	struct pcinspect_operations *ops = pcinspect_operations_of();

	if (ops && ops->member)
		return true;
	/* create_io_thread() makes them, without the event of a fork. */
	if (!in_task() || !(current->flags & (PF_IO_WORKER | PF_USER_WORKER)))
		return false;
	hlist_for_each_entry_rcu_notrace(ops,
					 operation_bucket(current->group_leader),
					 node)
		if (ops->task == current->group_leader)
			return ops->member;
	return false;
}

/* No task belongs to the run any more. Context: process context. */
void pcinspect_operation_end_run(void)
{
	struct pcinspect_operations *ops;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pcinspect_operation_table); i++) {
		rcu_read_lock();
		hlist_for_each_entry_rcu(ops, &pcinspect_operation_table[i],
					 node)
			ops->member = false;
		rcu_read_unlock();
	}
}

/* Operations since load that could not be followed. Context: any. */
u64 pcinspect_operation_lost(void)
{
	return atomic64_read(&operation_nr_lost);
}

/* In bytes. Context: any. */
size_t pcinspect_operation_memory(void)
{
	return atomic_read(&operation_nr) * sizeof(struct pcinspect_operations);
}

/* 0 or -ENOMEM. Context: process context. */
int pcinspect_operation_init(void)
{
	operation_cache = kmem_cache_create("pcinspect_operations",
					    sizeof(struct pcinspect_operations),
					    0, 0, NULL);
	return operation_cache ? 0 : -ENOMEM;
}

/* Context: process context; no hook is attached. */
void pcinspect_operation_exit(void)
{
	pcinspect_operation_purge();
	rcu_barrier();
	kmem_cache_destroy(operation_cache);
}
