// SPDX-License-Identifier: GPL-2.0
/*
 * chardev.c - /dev/pcinspect: track, untrack, snapshot, reset, list, scan.
 *
 * Why file descriptors: open(2) has resolved the path in the caller's mount
 * namespace and checked permission; an open file keeps inode and superblock
 * alive for the length of the call. Records are also named by handle, so that
 * a long watch holds no file open and stands in no unmount's way.
 *
 * Root only (mode 0600 and CAP_SYS_ADMIN): other users' file names are
 * sensitive. Nothing is copied to user space while s_umount is held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/memcontrol.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "chardev.h"
#include "lru.h"
#include "mark.h"
#include "scan.h"
#include "snapshot.h"
#include "track.h"

/*
 * The inode that owns the pages behind an open file: the real one below an
 * overlay, the block device's own for a device node.
 */
static struct inode *chardev_page_inode(struct file *file)
{
	struct inode *inode = file_inode(file);

	if (S_ISBLK(inode->i_mode))
		return file->f_mapping->host;
	if (S_ISREG(inode->i_mode)) {
		struct inode *real = d_real_inode(file_dentry(file));

		if (real)
			return real;
	}
	return inode;
}

/*
 * Copy a snapshot to the query's buffer and, where @inode is given and there
 * is room behind the snapshot, a path of it.
 */
static int chardev_answer(const struct pcinspect_query *query,
			  struct pcinspect_snapshot *snap, struct inode *inode)
{
	void __user *to = u64_to_user_ptr(query->buffer);
	const char *path = NULL;
	char *buf = NULL;
	int err = 0;

	if (inode && query->buffer_size > sizeof(*snap)) {
		buf = kmalloc(PATH_MAX, GFP_KERNEL);
		if (!buf)
			return -ENOMEM;
		path = pcinspect_snapshot_path(inode, buf);
	}
	snap->record_size = sizeof(*snap);
	if (path) {
		snap->path_len = strlen(path);
		snap->record_size += snap->path_len;
	}
	if (path && snap->record_size <= query->buffer_size) {
		snap->flags |= PCINSPECT_F_PATH;
		if (copy_to_user(to + sizeof(*snap), path, snap->path_len))
			err = -EFAULT;
	}
	if (copy_to_user(to, snap, sizeof(*snap)))
		err = -EFAULT;
	kfree(buf);
	return err;
}

static int chardev_fd(unsigned int cmd, struct pcinspect_query *query)
{
	struct file *file = fget(query->fd);
	struct pcinspect_snapshot snap;
	struct inode *inode;
	int err;

	if (!file)
		return -EBADF;
	inode = chardev_page_inode(file);
	query->refusal = pcinspect_snapshot_refuse(inode);
	err = -EOPNOTSUPP;
	if (query->refusal)
		goto out;

	switch (cmd) {
	case PCINSPECT_IOC_UNTRACK:
		err = pcinspect_mark_untrack(inode, 0);
		goto out;
	case PCINSPECT_IOC_RESET:
		err = pcinspect_mark_find(inode, &query->id);
		if (!err)
			pcinspect_track_reset(query->id);
		goto out;
	case PCINSPECT_IOC_TRACK:
		err = pcinspect_mark_track(inode, &query->id);
		if (err == -ENOSPC)
			query->refusal = PCINSPECT_REFUSE_LIMIT;
		if (err)
			goto out;
		break;
	}

	err = pcinspect_snapshot_take(inode, false, &snap);
	if (err)
		goto out;
	if (inode != file_inode(file) && !S_ISBLK(inode->i_mode))
		snap.flags |= PCINSPECT_F_REAL_INODE;
	err = chardev_answer(query, &snap, inode);
out:
	fput(file);
	return err;
}

/* By handle: the caller holds no file. */
static int chardev_id(unsigned int cmd, struct pcinspect_query *query)
{
	struct pcinspect_snapshot snap;
	int err;

	switch (cmd) {
	case PCINSPECT_IOC_UNTRACK:
		return pcinspect_mark_untrack(NULL, query->id);
	case PCINSPECT_IOC_RESET:
		pcinspect_track_reset(query->id);
		return 0;
	case PCINSPECT_IOC_SNAPSHOT:
		if (!query->id)
			return -EBADF;
		err = pcinspect_mark_snapshot(query->id, &snap);
		return err ?: chardev_answer(query, &snap, NULL);
	}
	return -EBADF;
}

static long chardev_query(unsigned int cmd, void __user *arg)
{
	bool answers = cmd == PCINSPECT_IOC_SNAPSHOT ||
		       cmd == PCINSPECT_IOC_TRACK;
	struct pcinspect_query query;
	int err;

	if (copy_from_user(&query, arg, sizeof(query)))
		return -EFAULT;
	if (query.size != sizeof(query))
		return -EINVAL;
	if (answers && query.buffer_size < sizeof(struct pcinspect_snapshot))
		return -EINVAL;
	query.refusal = PCINSPECT_REFUSE_NONE;
	err = query.fd >= 0 ? chardev_fd(cmd, &query) : chardev_id(cmd, &query);
	if (copy_to_user(arg, &query, sizeof(query)))
		return -EFAULT;
	return err;
}

static long chardev_list(unsigned int cmd, void __user *arg)
{
	struct pcinspect_rows rows;
	struct pcinspect_list list;
	int err;

	if (copy_from_user(&list, arg, sizeof(list)))
		return -EFAULT;
	if (list.size != sizeof(list))
		return -EINVAL;
	list.fs[sizeof(list.fs) - 1] = '\0';
	err = pcinspect_rows_init(&rows);
	if (err)
		return err;
	if (cmd == PCINSPECT_IOC_SCAN)
		err = pcinspect_scan_filesystem(list.fs,
						MKDEV(list.dev_major,
						      list.dev_minor),
						&rows);
	else
		err = pcinspect_scan_records(&rows);
	if (err)
		goto out;

	list.count = rows.count;
	list.needed = rows.used;
	list.skipped = rows.skipped;
	if (rows.used > list.buffer_size)
		err = -ENOSPC;
	else if (copy_to_user(u64_to_user_ptr(list.buffer), rows.data, rows.used))
		err = -EFAULT;
	if (copy_to_user(arg, &list, sizeof(list)))
		err = -EFAULT;
out:
	pcinspect_rows_free(&rows);
	return err;
}

static long chardev_about(void __user *arg)
{
	struct pcinspect_about about = {
		.abi_version = PCINSPECT_ABI_VERSION,
		.lost_inodes = atomic64_read(&pcinspect_track.lost),
		.last_id = pcinspect_mark_last_id(),
	};

	if (pcinspect_lru_gen_enabled())
		about.flags |= PCINSPECT_F_LRU_GEN;
	if (!mem_cgroup_disabled())
		about.flags |= PCINSPECT_F_MEMCG;
	strscpy(about.version, THIS_MODULE->version, sizeof(about.version));
	return copy_to_user(arg, &about, sizeof(about)) ? -EFAULT : 0;
}

static long chardev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *to = (void __user *)arg;

	switch (cmd) {
	case PCINSPECT_IOC_ABOUT:
		return chardev_about(to);
	case PCINSPECT_IOC_SNAPSHOT:
	case PCINSPECT_IOC_TRACK:
	case PCINSPECT_IOC_UNTRACK:
	case PCINSPECT_IOC_RESET:
		return chardev_query(cmd, to);
	case PCINSPECT_IOC_LIST:
	case PCINSPECT_IOC_SCAN:
		return chardev_list(cmd, to);
	}
	return -ENOTTY;
}

static int chardev_open(struct inode *inode, struct file *file)
{
	return capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

static const struct file_operations chardev_fops = {
	.owner = THIS_MODULE,
	.open = chardev_open,
	.unlocked_ioctl = chardev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice chardev_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "pcinspect",
	.mode = 0600,
	.fops = &chardev_fops,
};

/**
 * pcinspect_chardev_init() - make /dev/pcinspect
 *
 * Context: process context; everything it leads to is ready.
 * Return: 0 or the error of misc_register().
 */
int pcinspect_chardev_init(void)
{
	return misc_register(&chardev_misc);
}

/**
 * pcinspect_chardev_exit() - remove it; no file on it is open
 *
 * Context: process context.
 */
void pcinspect_chardev_exit(void)
{
	misc_deregister(&chardev_misc);
}
