// SPDX-License-Identifier: GPL-2.0
/*
 * operation.c - the table of frames, by task.
 *
 * Why a table of our own and not kretprobe instance data: hooks of other
 * functions have to find the frame (struct kretprobe_instance is reachable
 * from its own function only), and a child has to inherit membership of a run.
 *
 * Lifetime: a task's entry is made by its first frame and freed when the task
 * exits (sched_process_exit; an exiting task makes no new one), or when the
 * hooks are detached. Entries are changed by their own task only, but for
 * joining and purging.
 *
 * Locks: frame_lock is a leaf raw spinlock, irqs saved.
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
#define FRAME_IDLE 4096

struct hlist_head pcinspect_frame_table[1 << PCINSPECT_FRAME_BITS];

static DEFINE_RAW_SPINLOCK(frame_lock);
static struct kmem_cache *frame_cache;
static atomic64_t frame_nr_lost = ATOMIC64_INIT(0);
static atomic_t frame_nr = ATOMIC_INIT(0);

static struct hlist_head *frame_bucket(const struct task_struct *task)
{
	return &pcinspect_frame_table[hash_ptr(task, PCINSPECT_FRAME_BITS)];
}

static void frame_free_rcu(struct rcu_head *rcu)
{
	kmem_cache_free(frame_cache,
			container_of(rcu, struct pcinspect_frames, rcu));
	atomic_dec(&frame_nr);
}

/* Make @task's entry. Nobody else makes one for the same task meanwhile. */
static struct pcinspect_frames *frame_add(const struct task_struct *task,
					  bool member)
{
	struct pcinspect_frames *frames;
	unsigned long flags;

	frames = kmem_cache_alloc(frame_cache, PCINSPECT_GFP_PROBE);
	if (!frames) {
		atomic64_inc(&frame_nr_lost);
		return NULL;
	}
	frames->task = task;
	frames->depth = 0;
	frames->top = NULL;
	frames->member = member;
	atomic_inc(&frame_nr);
	raw_spin_lock_irqsave(&frame_lock, flags);
	hlist_add_head_rcu(&frames->node, frame_bucket(task));
	raw_spin_unlock_irqrestore(&frame_lock, flags);
	return frames;
}

/**
 * pcinspect_frame_push() - the running task enters an operation
 * @kind: which
 * @mapping: what it works on, alive for the length of the operation; may be
 *	NULL (drop_caches)
 * @depth: set to what pcinspect_frame_pop() wants
 *
 * Context: preemption off, never sleeps.
 * Return: the frame, cleared, or NULL: interrupt, exiting task, reclaim, no
 * memory or nested too deep (the last two are counted).
 */
struct pcinspect_frame *pcinspect_frame_push(enum pcinspect_frame_kind kind,
					     const struct address_space *mapping,
					     u8 *depth)
{
	struct pcinspect_frames *frames = pcinspect_frames_of();
	struct pcinspect_frame *frame;

	if (!frames) {
		/* Of reclaim nobody asks for the frame. */
		if (!in_task() || (current->flags & (PF_EXITING | PF_MEMALLOC)))
			return NULL;
		frames = frame_add(current, false);
		if (!frames)
			return NULL;
	}
	if (frames->depth == PCINSPECT_FRAME_DEPTH) {
		atomic64_inc(&frame_nr_lost);
		return NULL;
	}
	*depth = frames->depth;
	frame = &frames->stack[frames->depth];
	memset(frame, 0, sizeof(*frame));
	frame->kind = kind;
	frame->mapping = mapping;
	if (mapping) {
		const struct inode *inode = mapping->host;

		frame->file.inode = inode;
		frame->file.ino = inode->i_ino;
		frame->file.dev = inode->i_sb->s_dev;
		frame->file.generation = inode->i_generation;
	}
	/* An interrupt that looks now must see a whole frame or none. */
	barrier();
	frames->depth++;
	frames->top = frame;
	return frame;
}

/**
 * pcinspect_frame_pop() - the running task leaves an operation
 * @depth: of the operation's frame
 *
 * Frames above it, whose return was missed, go as well and are counted.
 *
 * Context: preemption off.
 * Return: the frame, whose contents stay until the next push, or NULL if it
 * was purged meanwhile.
 */
struct pcinspect_frame *pcinspect_frame_pop(u8 depth)
{
	struct pcinspect_frames *frames = pcinspect_frames_of();

	if (!frames || frames->depth <= depth)
		return NULL;
	if (frames->depth > depth + 1)
		atomic64_inc(&frame_nr_lost);
	frames->depth = depth;
	frames->top = depth ? &frames->stack[depth - 1] : NULL;
	/* Its contents stay until a grace period is over. */
	if (!depth && !frames->member && atomic_read(&frame_nr) > FRAME_IDLE)
		pcinspect_frame_purge_task(current);
	return &frames->stack[depth];
}

/**
 * pcinspect_frame_find() - the innermost frame of some kinds
 * @frames: the running task's, or NULL
 * @kinds: bits by enum pcinspect_frame_kind
 *
 * Context: preemption off.
 * Return: the frame, or NULL.
 */
struct pcinspect_frame *
pcinspect_frame_find(const struct pcinspect_frames *frames, u32 kinds)
{
	int i;

	for (i = frames ? frames->depth - 1 : -1; i >= 0; i--)
		if (kinds & BIT(frames->stack[i].kind))
			return (struct pcinspect_frame *)&frames->stack[i];
	return NULL;
}

/**
 * pcinspect_frame_purge_task() - a task is exiting
 * @task: the running task
 *
 * Context: any, never sleeps.
 */
void pcinspect_frame_purge_task(const struct task_struct *task)
{
	struct pcinspect_frames *frames, *found = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&frame_lock, flags);
	hlist_for_each_entry(frames, frame_bucket(task), node) {
		if (frames->task == task) {
			hlist_del_rcu(&frames->node);
			found = frames;
			break;
		}
	}
	raw_spin_unlock_irqrestore(&frame_lock, flags);
	if (found)
		call_rcu(&found->rcu, frame_free_rcu);
}

/* Forget every task. Context: process context; no hook is attached. */
void pcinspect_frame_purge(void)
{
	struct pcinspect_frames *frames;
	struct hlist_node *next;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pcinspect_frame_table); i++) {
		raw_spin_lock_irqsave(&frame_lock, flags);
		hlist_for_each_entry_safe(frames, next,
					  &pcinspect_frame_table[i], node) {
			hlist_del_rcu(&frames->node);
			call_rcu(&frames->rcu, frame_free_rcu);
		}
		raw_spin_unlock_irqrestore(&frame_lock, flags);
	}
}

/**
 * pcinspect_frame_join() - make a task one of the run
 * @task: the running task, or a child of it that has not run yet
 *
 * Context: preemption off or process context; never sleeps.
 * Return: false if there was no memory (counted).
 */
bool pcinspect_frame_join(const struct task_struct *task)
{
	struct pcinspect_frames *frames;

	hlist_for_each_entry_rcu_notrace(frames, frame_bucket(task), node) {
		if (frames->task == task) {
			frames->member = true;
			return true;
		}
	}
	return frame_add(task, true);
}

/**
 * pcinspect_frame_is_member() - does the running task belong to the run
 *
 * Context: preemption off.
 * Return: true if it does.
 */
bool pcinspect_frame_is_member(void)
{
	struct pcinspect_frames *frames = pcinspect_frames_of();

	if (frames && frames->member)
		return true;
	/* create_io_thread() makes them, without the event of a fork. */
	if (!in_task() || !(current->flags & (PF_IO_WORKER | PF_USER_WORKER)))
		return false;
	hlist_for_each_entry_rcu_notrace(frames,
					 frame_bucket(current->group_leader),
					 node)
		if (frames->task == current->group_leader)
			return frames->member;
	return false;
}

/* No task belongs to the run any more. Context: process context. */
void pcinspect_frame_end_run(void)
{
	struct pcinspect_frames *frames;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pcinspect_frame_table); i++) {
		rcu_read_lock();
		hlist_for_each_entry_rcu(frames, &pcinspect_frame_table[i], node)
			frames->member = false;
		rcu_read_unlock();
	}
}

/* Operations since load that could not be followed. Context: any. */
u64 pcinspect_frame_lost(void)
{
	return atomic64_read(&frame_nr_lost);
}

/* In bytes. Context: any. */
size_t pcinspect_frame_memory(void)
{
	return atomic_read(&frame_nr) * sizeof(struct pcinspect_frames);
}

/* 0 or -ENOMEM. Context: process context. */
int pcinspect_frame_init(void)
{
	frame_cache = kmem_cache_create("pcinspect_frames",
					sizeof(struct pcinspect_frames), 0, 0,
					NULL);
	return frame_cache ? 0 : -ENOMEM;
}

/* Context: process context; no hook is attached. */
void pcinspect_frame_exit(void)
{
	pcinspect_frame_purge();
	rcu_barrier();
	kmem_cache_destroy(frame_cache);
}
