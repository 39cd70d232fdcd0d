// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - parameters, and the order in which the parts come up and go down.
 *
 * Down is the reverse of use, not of construction: first nobody can ask
 * (device), then nothing is pinned (marks; their worker removes the folders),
 * then nobody reads (debugfs), then nothing runs (hooks), then the records go,
 * and what they are made of.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/moduleparam.h>

#include "account/devices.h"
#include "account/evictor.h"
#include "control/mark.h"
#include "hooks/attach.h"
#include "records/dirty.h"
#include "records/ledger.h"
#include "records/operation.h"
#include "records/sparse.h"
#include "records/track.h"
#include "records/unused.h"
#include "surface/chardev.h"
#include "surface/debugfs.h"
#include "walk/lru.h"
#include "walk/place.h"
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

static int __init pcinspect_init(void)
{
	int err;

	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		pr_err("PREEMPT_RT kernels are not supported: probes would have to sleep\n");
		return -EOPNOTSUPP;
	}
	if (max_inodes < 16 || max_inodes > 1048576) {
		pr_err("max_inodes=%u: give 16 to 1048576\n", max_inodes);
		return -EINVAL;
	}
	if (max_dirty_bytes > MAX_DIRTY_BYTES) {
		pr_err("max_dirty_bytes=%lu: give %llu at most\n",
		       max_dirty_bytes, MAX_DIRTY_BYTES);
		return -EINVAL;
	}
	err = pcinspect_lru_init();
	if (!err)
		err = pcinspect_super_init();
	if (err)
		return err;
	err = pcinspect_evictor_init();
	if (err)
		return err;
	err = pcinspect_devices_init();
	if (err)
		goto out_evictor;
	err = pcinspect_operation_init();
	if (err)
		goto out_devices;
	err = pcinspect_unused_init();
	if (err)
		goto out_frame;
	err = pcinspect_dirty_init(max_dirty_bytes);
	if (err)
		goto out_unused;
	err = pcinspect_sparse_init(pcinspect_unused_max() +
				    pcinspect_dirty_max_chunks());
	if (err)
		goto out_dirty;
	err = pcinspect_ledger_init();
	if (err)
		goto out_sparse;
	err = pcinspect_track_init(max_inodes, automatic);
	if (err)
		goto out_ledger;
	err = pcinspect_place_init();
	if (err)
		goto out_track;
	err = pcinspect_mark_init(&pcinspect_debugfs_folders);
	if (err)
		goto out_place;
	err = pcinspect_debugfs_init();
	if (err) {
		pr_err("no debugfs (%d): this kernel was built or booted without it\n",
		       err);
		goto out_debugfs;
	}
	err = pcinspect_hooks_init();
	if (err)
		goto out_debugfs;
	if (automatic)
		pcinspect_hooks_want(HOOKS_AUTO, true);
	err = pcinspect_chardev_init();
	if (!err)
		return 0;

	pcinspect_hooks_exit();
out_debugfs:
	pcinspect_debugfs_exit();
	pcinspect_mark_exit();
out_place:
	pcinspect_place_exit();
out_track:
	pcinspect_track_exit();
out_ledger:
	pcinspect_ledger_exit();
out_sparse:
	pcinspect_sparse_exit();
out_dirty:
	pcinspect_dirty_exit();
out_unused:
	pcinspect_unused_exit();
out_frame:
	pcinspect_operation_exit();
out_devices:
	pcinspect_devices_exit();
out_evictor:
	pcinspect_evictor_exit();
	return err;
}

static void __exit pcinspect_exit(void)
{
	pcinspect_chardev_exit();
	pcinspect_mark_exit();
	pcinspect_debugfs_exit();
	pcinspect_place_exit();
	pcinspect_hooks_exit();
	pcinspect_track_exit();
	pcinspect_ledger_exit();
	pcinspect_sparse_exit();
	pcinspect_dirty_exit();
	pcinspect_unused_exit();
	pcinspect_operation_exit();
	pcinspect_devices_exit();
	pcinspect_evictor_exit();
}

module_init(pcinspect_init);
module_exit(pcinspect_exit);

MODULE_DESCRIPTION("What is in the page cache, where, and why, per inode");
MODULE_AUTHOR("The pcinspect developers");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
