/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * track.h - the table of records, and lookups in it.
 *
 * Locks: pcinspect_track.lock is a leaf raw spinlock, irqs saved; nothing of
 * the kernel's is called under it. Lookups are lockless under RCU.
 */
#ifndef PCINSPECT_TRACK_H
#define PCINSPECT_TRACK_H

#include <linux/cache.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "uapi/pcinspect.h"
#include "records/filter.h"
#include "records/operation.h"
#include "records/record.h"

/*
 * struct pcinspect_track - the one table; what is often written lies apart
 * @bits: log2 of the number of buckets
 * @shift: what of a hash is left over
 * @automatic: make records of what the hooks meet
 * @full: no room for another automatic record; read with each page of an inode
 *	without one, changed some ten times a second, under the lock
 * @lock: around changes of the table and of all that follows
 * @scan: number of the last scan
 */
struct pcinspect_track {
	struct hlist_head *buckets;
	unsigned int bits;
	unsigned int shift;
	bool automatic;
	bool full;
	unsigned int max_inodes;
	raw_spinlock_t lock ____cacheline_aligned_in_smp;
	unsigned int nr_auto;
	unsigned int nr_explicit;
	unsigned int nr_ledgers;
	unsigned long scan;
};

extern struct pcinspect_track pcinspect_track;

/* Files with so many pages are worth one of so many ledgers of victims. */
#define PCINSPECT_VICTIM_PAGES 32
#define PCINSPECT_NR_VICTIMS 64

typedef void (*pcinspect_record_fn)(const struct pcinspect_record *rec,
				    void *arg);
typedef bool (*pcinspect_keep_fn)(const struct pcinspect_record *rec, void *arg);

/* The table: track.c */
int pcinspect_track_init(unsigned int max_inodes, bool automatic);
void pcinspect_track_exit(void);
size_t pcinspect_track_memory(void);
void pcinspect_track_new(struct inode *inode, unsigned long nr_pages);
u64 pcinspect_track_lost(void);
unsigned long pcinspect_track_begin_scan(void);
void pcinspect_track_retire_unseen(unsigned long scan, pcinspect_keep_fn keep,
				   void *arg);
void pcinspect_track_for_each(pcinspect_record_fn fn, void *arg);
void pcinspect_track_trim(struct work_struct *unused);

/* Pins and ledgers: track_ledger.c; resets: reset.c */
int pcinspect_track_pin(struct inode *inode, u64 id);
void pcinspect_track_hooked(struct inode *inode);
void pcinspect_track_unpin(struct inode *inode, u64 id, bool gone);
struct pcinspect_ledger *pcinspect_track_ledger(const struct inode *inode);
struct pcinspect_ledger *
pcinspect_track_ledger_id(const struct pcinspect_file_id *file);
struct pcinspect_ledger *pcinspect_track_admit(struct inode *inode);
int pcinspect_track_reset(u64 id, bool run);
void pcinspect_track_victim(struct pcinspect_record *rec, struct inode *inode);
void pcinspect_track_deleted(const struct inode *inode, char *name);
void pcinspect_track_over(const struct inode *inode);
void pcinspect_track_begin_run(void);
void pcinspect_track_end_run(void);

/* Among these files. */
struct pcinspect_record *pcinspect_track_add(struct pcinspect_record *rec,
					     struct inode *inode,
					     struct pcinspect_record **stale);
void pcinspect_track_note_full(void);
void pcinspect_track_drop(struct pcinspect_record *rec, bool fold);
void pcinspect_track_free(struct pcinspect_record *rec);
int pcinspect_track_visit(bool (*visit)(struct pcinspect_record *rec, void *arg),
			  int (*between)(void *arg), void *arg);
void pcinspect_track_count_ledger(const struct pcinspect_record *rec, int by);

static inline struct hlist_head *pcinspect_track_bucket(const struct inode *inode)
{
	/* hash_ptr(inode, bits), but for what it does with bits at every call */
	return &pcinspect_track
			.buckets[((unsigned long)inode * GOLDEN_RATIO_PRIME) >>
				 pcinspect_track.shift];
}

/*
 * Does a record belong to this live inode? The pointer alone is not identity:
 * slabs reuse it, and XFS recycles an inode without a grace period
 * (fs/xfs/xfs_icache.c). Nor are all four where a number is given again without
 * another generation (NFS, FUSE): once a deleted file's inode is being freed,
 * whatever is not being freed is another file.
 */
static inline bool pcinspect_track_is(const struct pcinspect_record *rec,
				      struct inode *inode)
{
	return rec->inode == inode && rec->ino == inode->i_ino &&
	       rec->generation == inode->i_generation &&
	       rec->sb == inode->i_sb &&
	       likely(!READ_ONCE(rec->over) ||
		      inode_state_read_once(inode) & I_FREEING);
}

/*
 * The record of a live inode. Context: any, under rcu_read_lock() or with
 * preemption off. Return: the record, good until the RCU section ends, or NULL.
 */
static inline struct pcinspect_record *
pcinspect_track_find(const struct inode *inode)
{
	struct pcinspect_record *rec;

	hlist_for_each_entry_rcu_notrace(rec, pcinspect_track_bucket(inode),
					 node)
		if (pcinspect_track_is(rec, (struct inode *)inode))
			return rec;
	return NULL;
}

/*
 * The record of an inode that may be gone. Context: any, under rcu_read_lock()
 * or with preemption off. Return: the record, good until the RCU section ends,
 * or NULL.
 */
static inline struct pcinspect_record *
pcinspect_track_find_id(const struct pcinspect_file_id *file)
{
	struct pcinspect_record *rec;

	hlist_for_each_entry_rcu_notrace(rec,
					 pcinspect_track_bucket(file->inode),
					 node)
		if (rec->inode == file->inode && rec->ino == file->ino &&
		    rec->generation == file->generation && rec->dev == file->dev)
			return rec;
	return NULL;
}

DECLARE_PER_CPU(const struct inode *, pcinspect_track_last_lost);

/*
 * Is this the run of changes that was counted last: an inode without a record,
 * and still no room? Context: preemption off.
 */
static inline bool pcinspect_track_is_lost(const struct inode *inode)
{
	return __this_cpu_read(pcinspect_track_last_lost) == inode &&
	       READ_ONCE(pcinspect_track.full);
}

#endif /* PCINSPECT_TRACK_H */
