// SPDX-License-Identifier: GPL-2.0
/*
 * remove.c - probes on the ways a page leaves the cache other than
 * reclaim, so that the removal event can tell them apart.
 *
 * Context: task, preemption off, irqs on. May touch: frames.
 */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/pagemap.h>

#include "account/reads.h"
#include "account/writes.h"
#include "hooks/table.h"
#include "records/operation.h"

static int mapping_entry(struct kretprobe_instance *ri, struct pt_regs *regs,
			 enum pcinspect_frame_kind kind)
{
	const struct address_space *mapping =
		(void *)regs_get_kernel_argument(regs, 0);

	/* Nothing there to remove: most truncations of an inode's end. */
	if (!READ_ONCE(mapping->nrpages))
		return 1;
	/* The removals only look; and no new ledger for an inode that is going. */
	if (mapping->host && !(inode_state_read_once(mapping->host) & I_FREEING))
		pcinspect_track_admit(mapping->host);
	return pcinspect_frame_push(kind, mapping, (u8 *)ri->data) ? 0 : 1;
}

static int truncate_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct address_space *mapping =
		(void *)regs_get_kernel_argument(regs, 0);

	if (mapping->host)
		pcinspect_writes_truncated(mapping->host);
	return mapping_entry(ri, regs, FRAME_TRUNCATE);
}

static int invalidate_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return mapping_entry(ri, regs, FRAME_INVALIDATE);
}

static int fadvise_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct file *file = (void *)regs_get_kernel_argument(regs, 0);

	return pcinspect_frame_push(FRAME_FADVISE, file->f_mapping,
				    (u8 *)ri->data) ?
		       0 :
		       1;
}

static int drop_caches_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return pcinspect_frame_push(FRAME_DROP_CACHES, NULL, (u8 *)ri->data) ?
		       0 :
		       1;
}

static int remove_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_frame_pop(*(u8 *)ri->data);
	return 0;
}

static struct kretprobe rp_truncate = HOOK_PROBE(truncate_entry, remove_end, u8);
static struct kretprobe rp_invalidate =
	HOOK_PROBE(invalidate_entry, remove_end, u8);
static struct kretprobe rp_try_invalidate =
	HOOK_PROBE(invalidate_entry, remove_end, u8);
static struct kretprobe rp_pagevec =
	HOOK_PROBE(invalidate_entry, remove_end, u8);
static struct kretprobe rp_pages2 = HOOK_PROBE(invalidate_entry, remove_end, u8);
static struct kretprobe rp_fadvise = HOOK_PROBE(fadvise_entry, remove_end, u8);
static struct kretprobe rp_drop_caches =
	HOOK_PROBE(drop_caches_entry, remove_end, u8);

static struct pcinspect_hook hooks[] = {
	HOOK_RETURN("truncate_inode_pages_range", rp_truncate,
		    "pages removed by truncation", false),
	HOOK_RETURN("invalidate_mapping_pages", rp_invalidate,
		    "pages removed by drop_caches", false),
	/* mapping_try_invalidate() was invalidate_mapping_pagevec() in 6.1. */
	HOOK_RETURN("mapping_try_invalidate", rp_try_invalidate,
		    "pages removed by fadvise", true),
	HOOK_RETURN("invalidate_mapping_pagevec", rp_pagevec,
		    "pages removed by fadvise", true),
	HOOK_RETURN("invalidate_inode_pages2_range", rp_pages2,
		    "pages removed by direct I/O", false),
	HOOK_RETURN("generic_fadvise", rp_fadvise,
		    "whether fadvise removed pages", false),
	HOOK_RETURN("drop_pagecache_sb", rp_drop_caches,
		    "whether drop_caches removed pages", false),
};

const struct pcinspect_hook_set pcinspect_hooks_remove = {
	hooks,
	ARRAY_SIZE(hooks),
};
