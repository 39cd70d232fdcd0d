// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - parameters, and the order in which the parts come up and go down.
 *
 * Unload is the reverse of load: first the device, then marks (their worker
 * removes the folders), then debugfs, then hooks, then records and the memory
 * that they are made of.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "account/devices.h"
#include "account/evictor.h"
#include "control/mark.h"
#include "hooks/attach.h"
#include "records/dirty.h"
#include "records/ledger.h"
#include "records/memory.h"
#include "records/operation.h"
#include "records/record.h"
#include "records/sparse.h"
#include "records/track.h"
#include "records/unused.h"
#include "surface/chardev.h"
#include "surface/debugfs.h"
#include "walk/lru.h"
#include "walk/place.h"
#include "walk/ref.h"
#include "walk/super.h"

/* Newer kernels make the keyword a macro; here it is a parameter's name. */
#undef auto
static bool automatic = true;
module_param_named(auto, automatic, bool, 0444);
MODULE_PARM_DESC(auto,
		 "make a record of every inode whose cache changes (default 1)");

static unsigned int max_inodes = 16384;
module_param(max_inodes, uint, 0444);
MODULE_PARM_DESC(max_inodes,
		 "automatic records kept at most, 16 to 1048576 (default 16384)");

/* Beyond it the table of chunks alone would be larger than 64 MiB. */
#define MAX_DIRTY_BYTES (16ULL << 30)

static unsigned long max_dirty_bytes = 64UL << 20;
module_param(max_dirty_bytes, ulong, 0444);
MODULE_PARM_DESC(max_dirty_bytes,
		 "memory for ages of dirty pages, up to 16 GiB (default 64 MiB)");

static unsigned long max_memory_bytes;
module_param(max_memory_bytes, ulong, 0444);
MODULE_PARM_DESC(max_memory_bytes,
		 "memory for all that probes allocate (default: by the limits)");

/*
 * Windows, fsync calls, names, bits of readahead and entries of tasks, as
 * docs/production.md has them.
 */
#define MAIN_FIXED_BYTES (288UL << 20)

/* Unless it is said: what the limits of each kind allow, half of the memory at most. */
static int main_memory_init(void)
{
	unsigned long most = MAIN_FIXED_BYTES + max_dirty_bytes +
			     max_inodes * (sizeof(struct pcinspect_record) +
					   sizeof(struct pcinspect_ledger));

	if (most > totalram_pages() * PAGE_SIZE / 2)
		most = totalram_pages() * PAGE_SIZE / 2;
	pcinspect_memory_limit(max_memory_bytes ?: most);
	return 0;
}

static int main_dirty_init(void)
{
	return pcinspect_dirty_init(max_dirty_bytes);
}

static int main_sparse_init(void)
{
	return pcinspect_sparse_init(pcinspect_unused_max() +
				     pcinspect_dirty_max_chunks());
}

static int main_track_init(void)
{
	return pcinspect_track_init(max_inodes, automatic);
}

static int main_mark_init(void)
{
	return pcinspect_mark_init(&pcinspect_debugfs_folders);
}

static int main_hooks_init(void)
{
	int err = pcinspect_hooks_init();

	if (!err && automatic)
		pcinspect_hooks_want(HOOKS_AUTO);
	return err;
}

/* In the order in which they come up; an init that fails has undone itself. */
static const struct {
	int (*init)(void);
	void (*exit)(void);
} main_parts[] = {
	{ main_memory_init },
	{ pcinspect_lru_init },
	{ pcinspect_super_init },
	{ pcinspect_ref_init, pcinspect_ref_exit },
	{ pcinspect_evictor_init, pcinspect_evictor_exit },
	{ pcinspect_devices_init, pcinspect_devices_exit },
	{ pcinspect_operation_init, pcinspect_operation_exit },
	{ pcinspect_unused_init, pcinspect_unused_exit },
	{ main_dirty_init, pcinspect_dirty_exit },
	{ main_sparse_init, pcinspect_sparse_exit },
	{ pcinspect_ledger_init, pcinspect_ledger_exit },
	{ main_track_init, pcinspect_track_exit },
	{ main_hooks_init, pcinspect_hooks_exit },
	{ pcinspect_place_init, pcinspect_place_exit },
	{ pcinspect_debugfs_init, pcinspect_debugfs_exit },
	{ main_mark_init, pcinspect_mark_exit },
	{ pcinspect_chardev_init, pcinspect_chardev_exit },
};

/* The first @nr parts go down. */
static void main_exit(unsigned int nr)
{
	while (nr--)
		if (main_parts[nr].exit)
			main_parts[nr].exit();
}

static int __init pcinspect_init(void)
{
	unsigned int i;
	int err;

	if (max_inodes < 16 || max_inodes > 1048576) {
		pr_err("max_inodes=%u: give 16 to 1048576\n", max_inodes);
		return -EINVAL;
	}
	if (max_dirty_bytes > MAX_DIRTY_BYTES) {
		pr_err("max_dirty_bytes=%lu: give %llu at most\n",
		       max_dirty_bytes, MAX_DIRTY_BYTES);
		return -EINVAL;
	}
	for (i = 0; i < ARRAY_SIZE(main_parts); i++) {
		err = main_parts[i].init();
		if (err) {
			main_exit(i);
			return err;
		}
	}
	return 0;
}

static void __exit pcinspect_exit(void)
{
	main_exit(ARRAY_SIZE(main_parts));
}

module_init(pcinspect_init);
module_exit(pcinspect_exit);

MODULE_DESCRIPTION("What is in the page cache, where, and why, per inode");
MODULE_AUTHOR("The pcinspect developers");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
