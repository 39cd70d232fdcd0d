// SPDX-License-Identifier: GPL-2.0-only
/*
 * names.c - find the paths of inodes known by value.
 *
 * Why: a folio of an LRU list leads to an inode, but to no name that may be
 * followed. A walk of the lists remembers the superblocks, and has them
 * visited afterwards for those inodes that deserve a name.
 *
 * May touch: what scan.c touches; its locks.
 */
#include <linux/dcache.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "walk/names.h"
#include "walk/scan.h"
#include "walk/snapshot.h"
#include "walk/super.h"

/* struct names - a search; @path: PATH_MAX bytes to build one in */
struct names {
	const struct pcinspect_scan_names_ops *ops;
	void *arg;
	char *path;
};

/*
 * Remember a superblock to look for names in. Its address, @type and @owner are
 * compared, not followed; @fs is the name of its type, @dev its s_dev.
 * Return: its index in @names, or -ENOSPC.
 */
int pcinspect_scan_names_learn(struct pcinspect_scan_names *names,
			       const struct super_block *sb,
			       const struct file_system_type *type,
			       const struct module *owner, const char *fs,
			       u32 dev)
{
	struct pcinspect_super *known;
	unsigned int i = names->last;

	if (i < names->nr && names->sbs[i].sb == sb && names->sbs[i].dev == dev)
		return i;
	for (i = 0; i < names->nr; i++)
		if (names->sbs[i].sb == sb && names->sbs[i].dev == dev)
			break;
	if (i == PCINSPECT_SCAN_NR_NAME_SBS)
		return -ENOSPC;
	if (i == names->nr) {
		known = &names->sbs[names->nr++];
		known->sb = sb;
		known->type = type;
		known->owner = owner;
		known->dev = dev;
		strscpy(known->fs, fs, sizeof(known->fs));
	}
	names->last = i;
	return i;
}

static bool names_wants(void *arg, struct inode *inode)
{
	const struct names *names = arg;

	return names->ops->wants(names->arg, inode);
}

static int names_emit(void *arg, struct inode *inode, struct inode *behind)
{
	struct names *names = arg;

	return names->ops->name(names->arg, inode,
				pcinspect_snapshot_path(inode, names->path));
}

static const struct pcinspect_scan_ops names_scan = {
	.wants = names_wants,
	.emit = names_emit,
};

/**
 * pcinspect_scan_for_names() - find the paths of inodes known by value
 * @names: superblocks to look in; its skipped is filled in
 * @ops: which inodes, and what to do with their names
 * @arg: for @ops
 *
 * Context: process context, sleeps; no lock held by the caller.
 * Return: 0, -ENOMEM, -EINTR, or what @ops->name returned.
 */
int pcinspect_scan_for_names(struct pcinspect_scan_names *names,
			     const struct pcinspect_scan_names_ops *ops,
			     void *arg)
{
	struct names search = { .ops = ops, .arg = arg };
	struct pcinspect_scan scan;
	unsigned int i;
	int err;

	search.path = kmalloc(PATH_MAX, GFP_KERNEL);
	if (!search.path)
		return -ENOMEM;
	err = pcinspect_scan_begin(&scan, &names_scan, &search);
	if (err)
		goto out;
	for (i = 0; i < names->nr && !err; i++) {
		err = pcinspect_scan_super(&scan, &names->sbs[i]);
		names->skipped += err == -EBUSY;
		if (err == -EBUSY || err == -ENOENT)
			err = 0;
	}
	pcinspect_scan_end();
out:
	kfree(search.path);
	return min(err, 0);
}
