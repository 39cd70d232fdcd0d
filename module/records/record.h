/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - one value record per inode whose page cache changes.
 *
 * A record holds no reference and no pointer that anybody follows: @inode and
 * @sb are compared with a live inode's, never dereferenced.
 */
#ifndef PCINSPECT_RECORD_H
#define PCINSPECT_RECORD_H

#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "uapi/pcinspect.h"

struct pcinspect_ledger;

/*
 * struct pcinspect_record - what is remembered of one inode
 * @node: in the hash, by @inode
 * @inode: identity, with the next four; never followed
 * @explicit_id: handle of the mark that pins the inode, 0 for auto records
 * @fold: when freed, add what was counted to the gone row
 * @ended: its inode is known to be gone, not only its record
 * @no_victim: lost pages to reclaim in this run when no ledger was left for it
 * @over: its inode was being freed, and had no name left
 * @seen: number of the last scan that met the inode
 * @born: number of the scan after which the record was made
 * @since_ns: when @inserted and @removed began, or were last reset
 * @type: filesystem type; not followed but while @owner is known to be there.
 *	Not always the one registered under its name: bdev is under none, and
 *	btrfs up to 6.1 mounts through a second one
 * @owner: its module, NULL if it is built in and so can never go
 * @ledger: while somebody wants one; under RCU, changed under the lock
 */
struct pcinspect_record {
	struct hlist_node node;
	const struct inode *inode;
	const struct super_block *sb;
	u64 ino;
	u32 generation;
	u32 dev;
	u64 explicit_id;
	bool fold;
	bool ended;
	bool no_victim;
	bool over;
	atomic64_t inserted;
	atomic64_t removed;
	unsigned long active;
	unsigned long seen;
	unsigned long born;
	u64 since_ns;
	u64 inserted_base;
	u64 removed_base;
	struct file_system_type *type;
	const struct module *owner;
	char fs[PCINSPECT_FS_LEN];
	struct pcinspect_ledger __rcu *ledger;
	struct rcu_head rcu;
};

/* The ledger of a record, or of none; good until the RCU section ends. */
static inline struct pcinspect_ledger *
pcinspect_record_ledger(const struct pcinspect_record *rec)
{
	return rec ? rcu_dereference_raw(rec->ledger) : NULL;
}

int pcinspect_record_cache_init(void);
void pcinspect_record_cache_exit(void);
size_t pcinspect_record_memory(void);
struct pcinspect_record *pcinspect_record_alloc(struct inode *inode, gfp_t gfp);
void pcinspect_record_free(struct pcinspect_record *rec);

#endif /* PCINSPECT_RECORD_H */
