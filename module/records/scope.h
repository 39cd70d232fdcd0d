/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scope.h - the state of watching: whether the hooks are attached, whether
 * there is a run, and which filesystems it names.
 *
 * Written from above (hooks/attach.c, control/run.c), read by every probe, so
 * it shares its cache line with nothing that changes more often.
 */
#ifndef PCINSPECT_SCOPE_H
#define PCINSPECT_SCOPE_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/types.h>

#include "numbers.h"
#include "uapi/pcinspect.h"
#include "records/filter.h"

/*
 * struct pcinspect_scope - the one there is
 * @attached: the hooks of the read and write side are attached
 * @missing: hooks that should be attached and are not, in every filesystem
 * @nr_mounts: filesystems that the run names
 * @mounts: their s_dev
 */
struct pcinspect_scope {
	bool attached;
	bool run;
	unsigned int missing;
	unsigned int nr_mounts;
	u32 mounts[PCINSPECT_NR_MOUNTS];
};

extern struct pcinspect_scope pcinspect_scope;

#define PCINSPECT_SCOPE_WORDS DIV_ROUND_UP(PCINSPECT_NR_NUMBERS, 64)

/**
 * struct pcinspect_gap - what cannot be known on a filesystem
 * @fs: its type; empty: those without a row
 * @calls: PCINSPECT_FSYNC_*: what nobody counts there of an fsync call
 * @unknown: numbers that nobody counts there, by bit
 */
struct pcinspect_gap {
	char fs[PCINSPECT_FS_LEN];
	u32 calls;
	u64 unknown[PCINSPECT_SCOPE_WORDS];
};

#define PCINSPECT_NR_GAPS 64

void pcinspect_scope_set_gaps(const struct pcinspect_gap *gaps, unsigned int nr);
void pcinspect_scope_unknown(const char *fs, u64 unknown[PCINSPECT_SCOPE_WORDS]);
u32 pcinspect_scope_calls(const char *fs);
bool pcinspect_scope_knows(const char *fs, enum pcinspect_number number);

static __always_inline bool pcinspect_scope_attached(void)
{
	return READ_ONCE(pcinspect_scope.attached);
}

static __always_inline bool pcinspect_scope_run(void)
{
	return READ_ONCE(pcinspect_scope.run);
}

void pcinspect_scope_add_run(bool write, u64 bytes);
u64 pcinspect_scope_run_bytes(bool write);
bool pcinspect_scope_wants(const struct super_block *sb);

/*
 * Does a call for this inode, alive, concern anybody? For the many that do not:
 * false if it has no ledger and would be given none. Context: preemption off.
 */
static __always_inline bool pcinspect_scope_concerns(const struct inode *inode)
{
	return pcinspect_track_may_have_ledger(inode) ||
	       (unlikely(pcinspect_scope_run()) &&
		pcinspect_scope_wants(inode->i_sb));
}

#endif /* PCINSPECT_SCOPE_H */
