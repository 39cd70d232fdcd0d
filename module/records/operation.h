/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * operation.h - the operations that each task is inside of.
 *
 * Why: a page is inserted, removed or read from the device deep inside of some
 * operation; the cause is what encloses it. Hooks push an operation when a task
 * enters a function of interest and pop it when the function returns.
 *
 * An operation keeps values only: it lives as long as the call, which sleeps,
 * and so longer than any RCU section. Only its own task reads or writes it.
 */
#ifndef PCINSPECT_OPERATION_H
#define PCINSPECT_OPERATION_H

#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/* enum pcinspect_operation_kind - the operations that are distinguished */
enum pcinspect_operation_kind {
	OP_NONE,
	OP_READ, /* filemap_read(), filemap_splice_read() */
	OP_FAULT, /* filemap_fault() */
	OP_WRITE, /* buffered write */
	OP_DIRECT, /* direct I/O */
	OP_READAHEAD, /* outermost readahead function */
	OP_READ_PAGES, /* ->readahead of the filesystem */
	OP_TRUNCATE,
	OP_INVALIDATE,
	OP_FADVISE,
	OP_DROP_CACHES,
	OP_FSYNC, /* fsync(2) and the like */
	OP_WRITEPAGES, /* do_writepages() */
};

/*
 * struct pcinspect_file_id - which inode, as values
 * @inode: address; compared, never followed
 */
struct pcinspect_file_id {
	const struct inode *inode;
	u64 ino;
	u32 dev;
	u32 generation;
};

/*
 * struct pcinspect_operation - one operation of a task
 * @cause: READAHEAD: enum pcinspect_cause; WRITEPAGES: enum pcinspect_reason
 * @order: READAHEAD: largest folio order inserted
 * @throttle: WRITE: has to sleep now: 1 + enum pcinspect_limit, else 0
 * @chunks: READAHEAD: planned in several parts, by force_page_cache_ra()
 * @refused_below: DIRECT: a clone of @nowait_bio would have had to wait
 * @mapping: what it works on; compared, never followed
 * @file: the same as values
 * @pos: READ: first byte asked for
 * @count: READ: bytes asked for; FSYNC: BY_OTHER as it began, with its own
 * @index: READAHEAD: first page asked for
 * @nowait_bio: DIRECT: the last one counted that must not wait; compared, never
 *	followed
 * @async: READAHEAD: pages behind the marker
 * @ra_pages: READAHEAD: limit in force
 * @nowait_dev: DIRECT: the device that @nowait_bio was counted for
 * @inserted: pages of @mapping inserted in it; FSYNC: handed to writeback
 * @expanded: READAHEAD: of those, in ->readahead
 * @run: READAHEAD: first page inserted since the last ->readahead
 * @nowait_ledger: DIRECT: the ledger likewise, or NULL; compared, never followed
 * @run_pages: how many there are, in a row
 * @io_pages: READAHEAD: pages of @mapping in read bios
 * @last_io: the page counted last, plus one
 * @dirtied_large: WRITE: of those, in large folios
 * @tail: FSYNC: of those handed to writeback, rewritten tail pages
 * @thresh: WRITE: the threshold it was held against, in pages
 * @throttled_ns: WRITE: slept in balance_dirty_pages()
 * @data_wait_ns: FSYNC: waited for writeback of @mapping
 * @log_wait_ns: FSYNC: waited for the log or the disk's cache
 * @cookie: a place for what the return needs of the arguments
 */
struct pcinspect_operation {
	u8 kind;
	u8 cause;
	u8 order;
	u8 throttle;
	bool chunks;
	bool refused_below;
	const struct address_space *mapping;
	struct pcinspect_file_id file;
	u64 pos;
	u64 count;
	u64 time_ns;
	union {
		u64 index;
		const void *nowait_bio;
	};
	u32 requested;
	u32 planned;
	u32 async;
	union {
		u32 ra_pages;
		u32 nowait_dev;
	};
	u32 inserted;
	u32 expanded;
	u32 run_pages;
	union {
		u64 run;
		const void *nowait_ledger;
	};
	u32 io_pages;
	u64 last_io;
	u64 device_bytes;
	u32 dirtied;
	u32 dirtied_large;
	u32 tail;
	u64 thresh;
	u64 throttled_ns;
	u64 data_wait_ns;
	u64 log_wait_ns;
	void *cookie;
};

#define PCINSPECT_OPERATION_DEPTH 8

/*
 * struct pcinspect_operations - one task's operations
 * @node: in the table, by @task
 * @task: whose; compared, never followed
 * @top: innermost operation, NULL if @depth is 0
 * @depth: operations in use
 * @stack: outermost first
 */
struct pcinspect_operations {
	struct hlist_node node;
	const struct task_struct *task;
	struct pcinspect_operation *top;
	u8 depth;
	bool member;
	struct pcinspect_operation stack[PCINSPECT_OPERATION_DEPTH];
	struct rcu_head rcu;
};

/* Three in a bucket with 50,000 threads. */
#define PCINSPECT_OPERATION_BITS 14

/**
 * struct pcinspect_operation_bucket - entries of some tasks
 * @head: of them, under RCU
 * @lock: around changes of it, a leaf
 */
struct pcinspect_operation_bucket {
	struct hlist_head head;
	raw_spinlock_t lock;
};

extern struct pcinspect_operation_bucket *pcinspect_operation_table;

static __always_inline const struct pcinspect_operation_bucket *
pcinspect_operation_bucket_of(const struct task_struct *task)
{
	return &pcinspect_operation_table[hash_ptr(task, PCINSPECT_OPERATION_BITS)];
}

/* False if a task certainly is in no operation. Context: any; of the task itself. */
static __always_inline bool
pcinspect_operations_may_have(const struct task_struct *task)
{
	return READ_ONCE(pcinspect_operation_bucket_of(task)->head.first);
}

/* The operations of a task. Context: preemption off. Return: them, or NULL. */
static inline struct pcinspect_operations *
pcinspect_operations_find(const struct task_struct *task)
{
	const struct pcinspect_operation_bucket *bucket =
		pcinspect_operation_bucket_of(task);
	struct pcinspect_operations *ops;

	hlist_for_each_entry_rcu_notrace(ops, &bucket->head, node)
		if (ops->task == task)
			return ops;
	return NULL;
}

/*
 * The operations of the running task, or NULL. In interrupts there are none:
 * what happens there has nothing to do with the task it interrupted. Context:
 * preemption off.
 */
static inline struct pcinspect_operations *pcinspect_operations_of(void)
{
	return in_task() ? pcinspect_operations_find(current) : NULL;
}

/*
 * The innermost operation of the running task, or NULL. Context: preemption
 * off.
 */
static inline struct pcinspect_operation *pcinspect_operation_top(void)
{
	struct pcinspect_operations *ops = pcinspect_operations_of();

	return ops ? ops->top : NULL;
}

int pcinspect_operation_init(void);
void pcinspect_operation_exit(void);
struct pcinspect_operation *
pcinspect_operation_push(enum pcinspect_operation_kind kind,
			 const struct address_space *mapping, u8 *depth);
struct pcinspect_operation *pcinspect_operation_pop(u8 depth);
struct pcinspect_operation *
pcinspect_operation_find(const struct pcinspect_operations *ops, u32 kinds);
void pcinspect_operation_purge_task(const struct task_struct *task);
void pcinspect_operation_purge(void);
bool pcinspect_operation_join(const struct task_struct *task);
bool pcinspect_operation_is_member(void);
void pcinspect_operation_end_run(void);
u64 pcinspect_operation_members(void);
u64 pcinspect_operation_lost(void);
size_t pcinspect_operation_memory(void);

#endif /* PCINSPECT_OPERATION_H */
