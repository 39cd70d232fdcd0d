// SPDX-License-Identifier: GPL-2.0-only
/*
 * remove.c - probes on the ways a page leaves the cache other than
 * reclaim, so that the removal event can tell them apart.
 *
 * Context: task, preemption off, irqs on. May touch: operations.
 */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/pagemap.h>

#include "account/reads.h"
#include "account/writes.h"
#include "hooks/table.h"
#include "records/operation.h"
#include "records/scope.h"
#include "records/track.h"

/* Where pages are that somebody wants to know of. */
static int mapping_filter(struct kprobe *kp, struct pt_regs *regs)
{
	const struct address_space *mapping = hook_arg(regs, 0);

	return hook_enter_if(mapping->host &&
				     pcinspect_scope_concerns(mapping->host),
			     kp, regs);
}

static int mapping_entry(struct kretprobe_instance *ri, struct pt_regs *regs,
			 enum pcinspect_operation_kind kind)
{
	const struct address_space *mapping = hook_arg(regs, 0);

	/* Nothing there to remove: most truncations of an inode's end. */
	if (!READ_ONCE(mapping->nrpages))
		return 1;
	/* The removals only look; and no new ledger for an inode that is going. */
	if (mapping->host && !(inode_state_read_once(mapping->host) & I_FREEING))
		pcinspect_track_admit(mapping->host);
	return hook_begin(ri, kind, mapping);
}

/* A deleted file's inode goes. Its name, if it was seen to go, is known already. */
static void remove_deleted(const struct inode *inode)
{
	pcinspect_track_over(inode);
	if (pcinspect_scope_run())
		pcinspect_track_deleted(inode, NULL);
}

static int truncate_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct address_space *mapping = hook_arg(regs, 0);

	if (mapping->host)
		pcinspect_writes_truncated(mapping->host);
	if (mapping->host && !mapping->host->i_nlink &&
	    S_ISREG(mapping->host->i_mode) &&
	    inode_state_read_once(mapping->host) & I_FREEING)
		remove_deleted(mapping->host);
	return mapping_entry(ri, regs, OP_TRUNCATE);
}

static int invalidate_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return mapping_entry(ri, regs, OP_INVALIDATE);
}

static int fadvise_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct file *file = hook_arg(regs, 0);

	return hook_begin(ri, OP_FADVISE, file->f_mapping);
}

/* Of no file, and rare: no filter. */
static int drop_caches_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return hook_begin(ri, OP_DROP_CACHES, NULL);
}

static int remove_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_operation_pop(*(u8 *)ri->data);
	return 0;
}

#define INVALIDATED NUMBERS(ONE(REMOVED_INVALIDATE), ONE(REMOVED_OTHER))

static struct pcinspect_hook hooks[] = {
	HOOK_RETURN("truncate_inode_pages_range", truncate_entry, remove_end,
		    "pages removed by truncation", .pre = mapping_filter,
		    .numbers =
			    NUMBERS(ONE(REMOVED_TRUNCATE), ONE(REMOVED_OTHER))),
	HOOK_RETURN("invalidate_mapping_pages", invalidate_entry, remove_end,
		    "pages removed by drop_caches", .pre = mapping_filter,
		    .numbers = INVALIDATED),
	HOOK_RETURN("mapping_try_invalidate", invalidate_entry, remove_end,
		    "pages removed by fadvise", .pre = mapping_filter,
		    .older = "invalidate_mapping_pagevec",
		    .numbers = INVALIDATED, .args = "address_space"),
	HOOK_RETURN("invalidate_inode_pages2_range", invalidate_entry,
		    remove_end, "pages removed by direct I/O",
		    .pre = mapping_filter, .numbers = INVALIDATED),
	HOOK_RETURN("generic_fadvise", fadvise_entry, remove_end,
		    "whether fadvise removed pages", .pre = hook_file_filter,
		    .numbers = NUMBERS(ONE(BY_FADVISE), ONE(BY_OTHER))),
	/* No number: it says how, to the list of who removed pages. */
	HOOK_RETURN("drop_pagecache_sb", drop_caches_entry, remove_end,
		    "whether drop_caches removed pages"),
};

const struct pcinspect_hook_set pcinspect_hooks_remove = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
};
