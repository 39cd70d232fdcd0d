/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ledger.h - the counts of one inode by the hooks.
 *
 * A record has a ledger while somebody wants one: explicit records always, all
 * records of a run. Counters are atomic, those of writeback can be read as one;
 * the lists are under the ledger's own leaf lock, irqs saved. A ledger is found
 * through its record under RCU (or with preemption off) and freed after a grace
 * period.
 */
#ifndef PCINSPECT_LEDGER_H
#define PCINSPECT_LEDGER_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/fs.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

#include "uapi/pcinspect.h"
#include "records/dirty.h"
#include "records/operation.h"
#include "records/unused.h"

struct pcinspect_record;

#define LEDGER_CHUNK_WINDOWS 8
#define LEDGER_NR_CHUNKS (PCINSPECT_NR_WINDOWS / LEDGER_CHUNK_WINDOWS)

/* struct pcinspect_window_chunk - some windows, oldest first */
struct pcinspect_window_chunk {
	struct pcinspect_window windows[LEDGER_CHUNK_WINDOWS];
};

/*
 * struct pcinspect_ledger - what was counted for one inode
 * @touched: a task of the run was here
 * @settled: @base_cached and @base_counted are known
 * @recheck: so many insertions and removals still correct them, the last of
 *	these each after a grace period: they were read while pages came and went
 * @bounced: some of its data was read through the filesystem's own buffers
 * @on_device: its filesystem reads from a block device
 * @knows_holes: its filesystem reads straight into the file's pages
 * @replaced: the ledger before a reset; probes that found it may still be
 *	counting in it
 * @dirty: times of dirty pages; handed on at a reset
 * @unused: bits of readahead's pages; handed on as well
 * @base_cached: cached pages when it began
 * @base_counted: inserted pages of its record then
 * @uncounted_pages: made dirty by no hook in @uncounted_call, if that began
 *	after this ledger; here, for each write(2) looks at it
 * @numbers: from PCINSPECT_FIRST_OF_LEDGER on; those that follow from what
 *	stands below @lock are not kept here
 * @fsync_unknown: PCINSPECT_FSYNC_*: what nobody counts of its fsync calls
 * @knows_writes: its filesystem writes straight from the file's pages
 * @in_flight: pages were under writeback when it began: how long is unknown;
 *	never taken back
 * @deleted: its inode has no name left, in a run
 * @writes_back: there is writeback of its pages
 * @knows_end: @written_end is what is on disk, not only what was seen
 * @written_end: page behind the last that was ever handed to writeback
 * @written_last: page behind those of the latest folio that was
 * @stalls: pcinspect_ledger_stalls when it began
 * @recheck_grace: the grace period that the next of the last looks comes after
 * @uncounted_call: the latest call that made its pages dirty by no hook: pid,
 *	and how many writes its task had done (writes_call())
 * @size_bytes: of its inode when it was @deleted
 * @name: the last it had, within its filesystem, from the ledgers' own memory;
 *	or NULL
 * @lock: protects all that follows @doubt_written
 * @held: CPUs that have something to add to it (share.c)
 * @written: pages handed to writeback
 * @ended: of those, written
 * @time_ns: times of ends less times of beginnings, both by page
 * @timed: of @written and @ended together, those whose time is in @time_ns
 * @doubt_written: @written when an end seemed to have been missed
 * @nr_kept: of @nr_fsyncs, put in the ring
 * @fsyncs: ring of the last, or NULL before the first
 * @first: number of the oldest window kept
 * @chunks: ring of windows, by number / LEDGER_CHUNK_WINDOWS
 * @tasks: first come, as all lists of who it was; the rest goes to one line
 * @freed: in the place of @rcu, after the grace period
 */
struct pcinspect_ledger {
	bool touched;
	bool settled;
	u8 recheck;
	bool bounced;
	bool on_device;
	bool knows_holes;
	struct pcinspect_ledger *replaced;
	struct pcinspect_dirty *dirty;
	struct pcinspect_unused *unused;
	u64 since_ns;
	s64 base_cached;
	s64 base_counted;
	u64 uncounted_pages;
	atomic64_t numbers[PCINSPECT_NR_NUMBERS -
			   PCINSPECT_FIRST_OF_LEDGER] ____cacheline_aligned_in_smp;
	u32 fsync_unknown;
	bool knows_writes;
	bool in_flight;
	bool knows_end;
	bool deleted;
	bool writes_back;
	u64 written_end;
	u64 written_last;
	u64 stalls;
	unsigned long recheck_grace;
	u64 uncounted_call;
	u64 size_bytes;
	char *name;
	raw_spinlock_t lock ____cacheline_aligned_in_smp;
	atomic_t held;
	atomic64_t written;
	atomic64_t ended;
	atomic64_t time_ns;
	atomic64_t timed;
	u64 doubt_written;
	u64 thresh_min;
	u64 thresh_max;
	u64 nr_fsyncs;
	u64 nr_kept;
	struct pcinspect_fsync *fsyncs;
	u64 nr_windows;
	u64 first;
	struct pcinspect_window_chunk *chunks[LEDGER_NR_CHUNKS];
	struct pcinspect_task tasks[PCINSPECT_NR_TASKS];
	struct pcinspect_task others;
	struct pcinspect_culprit evictors[PCINSPECT_NR_CULPRITS];
	u64 evictors_other;
	struct pcinspect_culprit removers[PCINSPECT_NR_CULPRITS];
	u64 removers_other;
	union {
		struct rcu_head rcu;
		struct llist_node freed;
	};
};

/* Sleeps in balance_dirty_pages() outside of writes: of whom is unknown. */
extern atomic64_t pcinspect_ledger_stalls;

static inline void ledger_add(struct pcinspect_ledger *ledger,
			      enum pcinspect_number number, s64 n)
{
	atomic64_add(n, &ledger->numbers[number - PCINSPECT_FIRST_OF_LEDGER]);
}

/* The same of a number that is only added to under ledger->lock. */
static inline void ledger_add_locked(struct pcinspect_ledger *ledger,
				     enum pcinspect_number number, s64 n)
{
	atomic64_t *to = &ledger->numbers[number - PCINSPECT_FIRST_OF_LEDGER];

	lockdep_assert_held(&ledger->lock);
	atomic64_set(to, atomic64_read(to) + n);
}

static inline u64 ledger_read(const struct pcinspect_ledger *ledger,
			      enum pcinspect_number number)
{
	const atomic64_t *from =
		&ledger->numbers[number - PCINSPECT_FIRST_OF_LEDGER];

	return atomic64_read(from);
}

/* May one of those sleeps have been of a store to a mapping of this file? */
static inline bool ledger_may_have_stalled(const struct pcinspect_ledger *ledger)
{
	return ledger_read(ledger, PCINSPECT_MAPPED_DIRTIED_PAGES) &&
	       atomic64_read(&pcinspect_ledger_stalls) != ledger->stalls;
}

/**
 * struct pcinspect_writeback - a ledger's writeback, of one moment
 * @written: pages handed to writeback
 * @ended: of those, written
 * @time_ns: for how long they have been under writeback, by page
 */
struct pcinspect_writeback {
	u64 written;
	u64 ended;
	u64 time_ns;
};

/*
 * Pages are handed to writeback, or (@ended) have been written. Many CPUs do so at
 * once, some in interrupts, so nobody waits here: pcinspect_ledger_writeback() sees
 * by @timed whether anybody is halfway through. Context: any.
 */
static __always_inline void ledger_add_writeback(struct pcinspect_ledger *ledger,
						 bool ended, s64 nr)
{
	s64 ns;

	atomic64_add(nr, ended ? &ledger->ended : &ledger->written);
	smp_mb__after_atomic(); /* pairs with pcinspect_ledger_writeback()'s */
	ns = nr * (s64)ktime_get_mono_fast_ns();
	atomic64_add(ended ? ns : -ns, &ledger->time_ns);
	smp_mb__before_atomic(); /* likewise */
	atomic64_add(nr, &ledger->timed);
}

/*
 * The name of the running task's process: its threads may each have one of
 * their own. Never empty: an empty name says that a line is nobody's. Context:
 * any but interrupts.
 */
static inline const char *pcinspect_comm(void)
{
	const char *comm = current->group_leader->comm;

	return *comm ? comm : "?";
}

/**
 * struct pcinspect_tries - looks for a moment at which a ledger adds up
 * @exact: the last one was such a moment
 * @again: it was not the first
 * @events: pages counted by the first
 */
struct pcinspect_tries {
	bool exact;
	bool again;
	u64 events;
};

/* The longest name of a deleted file, in bytes with its final NUL. */
#define PCINSPECT_NAME_BYTES 512

/* @recheck of a ledger that began in a probe. */
#define PCINSPECT_LEDGER_RECHECK 64
#define PCINSPECT_LEDGER_RECHECK_APART 4 /* of these, a grace period apart */

/* The largest emitted ledger. */
#define PCINSPECT_DETAIL_MAX                                                   \
	(3 * sizeof(struct pcinspect_section) + sizeof(struct pcinspect_who) + \
	 PCINSPECT_NR_FSYNCS * sizeof(struct pcinspect_fsync) +                \
	 PCINSPECT_NR_WINDOWS * sizeof(struct pcinspect_window))

int pcinspect_ledger_init(void);
void pcinspect_ledger_exit(void);
struct pcinspect_ledger *pcinspect_ledger_alloc(gfp_t gfp);
struct pcinspect_ledger *pcinspect_ledger_first(gfp_t gfp);
void pcinspect_ledger_begin(struct pcinspect_ledger *ledger,
			    const struct inode *inode);
void pcinspect_ledger_succeed(struct pcinspect_ledger *ledger,
			      struct pcinspect_ledger *replaced);
void pcinspect_ledger_fsync(struct pcinspect_ledger *ledger,
			    const struct pcinspect_fsync *call);
void pcinspect_ledger_free(struct pcinspect_ledger *ledger);
void pcinspect_ledger_free_later(struct pcinspect_ledger *ledger);
void pcinspect_ledger_free_rcu(struct pcinspect_ledger *ledger);
void pcinspect_ledger_share(struct pcinspect_ledger *ledger,
			    const struct pcinspect_task *share);
void pcinspect_ledger_collect(struct pcinspect_ledger *ledger, bool drop);
void pcinspect_task_add(struct pcinspect_task *to,
			const struct pcinspect_task *from);
void pcinspect_ledger_did(struct pcinspect_ledger *ledger,
			  const struct pcinspect_task *did);
void pcinspect_ledger_window(struct pcinspect_ledger *ledger,
			     const struct pcinspect_operation *op);
void pcinspect_ledger_culprit(struct pcinspect_culprit *who,
			      const struct pcinspect_file_id *file, u32 pid,
			      const char *comm);
void pcinspect_ledger_evicted(struct pcinspect_ledger *ledger,
			      const struct pcinspect_culprit *by);
void pcinspect_ledger_removed_by(struct pcinspect_ledger *ledger,
				 enum pcinspect_removal removal,
				 enum pcinspect_remover_op how, u64 pages);
void pcinspect_ledger_settle(struct pcinspect_ledger *ledger,
			     const struct pcinspect_record *rec,
			     const struct address_space *mapping, bool first);
void pcinspect_ledger_adds_up(const struct pcinspect_ledger *ledger,
			      const struct pcinspect_record *rec,
			      const struct address_space *mapping, u64 *numbers,
			      struct pcinspect_tries *tries);
bool pcinspect_ledger_writeback(const struct pcinspect_ledger *ledger,
				struct pcinspect_writeback *writeback);
bool pcinspect_ledger_leaving(const struct pcinspect_ledger *ledger);
void pcinspect_ledger_ended(const struct pcinspect_ledger *ledger,
			    const struct pcinspect_record *rec, u64 *numbers);
void pcinspect_ledger_flight(struct pcinspect_ledger *ledger,
			     struct address_space *mapping);
struct pcinspect_ledger *
pcinspect_ledger_inherit(struct pcinspect_ledger *ledger);
char *pcinspect_ledger_name_alloc(void);
void pcinspect_ledger_name_free(char *name);
u64 pcinspect_ledger_inserted(const struct pcinspect_ledger *ledger);
u64 pcinspect_ledger_removed(const struct pcinspect_ledger *ledger);
u64 pcinspect_ledger_lost(bool windows);
void pcinspect_ledger_count_lost(void);
size_t pcinspect_ledger_memory(void);
bool pcinspect_ledger_wanted(const struct inode *inode);
bool pcinspect_ledger_on_device(const struct super_block *sb);

#endif /* PCINSPECT_LEDGER_H */
