// SPDX-License-Identifier: GPL-2.0
/*
 * hook_remove.c - probes on the ways a page leaves the cache other than
 * reclaim, so that the removal event can tell them apart.
 *
 * Context: task, preemption off, irqs on. May touch: frames.
 */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/pagemap.h>

#include "frame.h"
#include "hook.h"
#include "reads.h"
#include "writes.h"

static int mapping_entry(struct kretprobe_instance *ri, struct pt_regs *regs,
			 enum pcinspect_frame_kind kind)
{
	const struct address_space *mapping =
		(void *)regs_get_kernel_argument(regs, 0);

	/* Nothing there to remove: most truncations of an inode's end. */
	if (!READ_ONCE(mapping->nrpages))
		return 1;
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

#define REMOVE_PROBE(entry)                                      \
	{                                                        \
		.entry_handler = (entry), .handler = remove_end, \
		.data_size = sizeof(u8)                          \
	}

static struct kretprobe rp_truncate = REMOVE_PROBE(truncate_entry);
static struct kretprobe rp_invalidate = REMOVE_PROBE(invalidate_entry);
static struct kretprobe rp_try_invalidate = REMOVE_PROBE(invalidate_entry);
static struct kretprobe rp_pagevec = REMOVE_PROBE(invalidate_entry);
static struct kretprobe rp_pages2 = REMOVE_PROBE(invalidate_entry);
static struct kretprobe rp_fadvise = REMOVE_PROBE(fadvise_entry);
static struct kretprobe rp_drop_caches = REMOVE_PROBE(drop_caches_entry);

#define REMOVE_HOOK(function, probe, what, maybe)                      \
	{                                                              \
		.name = (function), .rp = &(probe), .purpose = (what), \
		.reads = true, .optional = (maybe)                     \
	}

static struct pcinspect_hook hooks[] = {
	REMOVE_HOOK("truncate_inode_pages_range", rp_truncate,
		    "pages removed by truncation", false),
	REMOVE_HOOK("invalidate_mapping_pages", rp_invalidate,
		    "pages removed by drop_caches", false),
	/* mapping_try_invalidate() was invalidate_mapping_pagevec() in 6.1. */
	REMOVE_HOOK("mapping_try_invalidate", rp_try_invalidate,
		    "pages removed by fadvise", true),
	REMOVE_HOOK("invalidate_mapping_pagevec", rp_pagevec,
		    "pages removed by fadvise", true),
	REMOVE_HOOK("invalidate_inode_pages2_range", rp_pages2,
		    "pages removed by direct I/O", false),
	REMOVE_HOOK("generic_fadvise", rp_fadvise,
		    "whether fadvise removed pages", false),
	REMOVE_HOOK("drop_pagecache_sb", rp_drop_caches,
		    "whether drop_caches removed pages", false),
};

const struct pcinspect_hook_set pcinspect_hooks_remove = {
	hooks,
	ARRAY_SIZE(hooks),
};
