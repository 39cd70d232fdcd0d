/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mark.h - explicit records: inodes pinned by an fsnotify mark.
 */
#ifndef PCINSPECT_MARK_H
#define PCINSPECT_MARK_H

#include <linux/fsnotify_backend.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct backing_dev_info;
struct dentry;
struct pcinspect_rows;
struct pcinspect_snapshot;

#define PCINSPECT_PIN_NAME_LEN 48

/*
 * struct pcinspect_pin - one explicitly tracked inode
 * @mark: pins the inode until untracked, unmounted or deleted; its reference
 *	count is the pin's
 * @list: in the list of live pins; empty once the mark is being freed
 * @work: in the list of pins whose folder is to be made or removed
 * @inode: the inode; valid while @list is not empty
 * @bdi: that the last reference to it needs (walk/ref.h), or NULL
 * @holders: how many open /dev/pcinspect hold it
 * @kept: the user tracked it: it stays without holders
 * @put: drops the last reference
 * @dir: folder in debugfs, owned by the worker
 * @nth: which of its namesakes it is, from 1
 * @name: of the folder: major:minor:ino, with .2, .3, … for namesakes
 */
struct pcinspect_pin {
	struct fsnotify_mark mark;
	struct list_head list;
	struct list_head work;
	struct inode *inode;
	struct backing_dev_info *bdi;
	u64 id;
	unsigned int holders;
	bool kept;
	struct work_struct put;
	struct dentry *dir;
	unsigned int nth;
	char name[PCINSPECT_PIN_NAME_LEN];
};

/**
 * struct pcinspect_mark_folders - whoever shows pins; the worker alone calls it
 * @added: a pin is there; returns its folder, possibly an error pointer
 * @removed: the pin of that folder goes when this returns; NULL: it had none
 */
struct pcinspect_mark_folders {
	struct dentry *(*added)(struct pcinspect_pin *pin);
	void (*removed)(struct dentry *dir);
};

int pcinspect_mark_init(const struct pcinspect_mark_folders *folders);
void pcinspect_mark_exit(void);
int pcinspect_mark_track(struct inode *inode, bool hold, u64 *id);
void pcinspect_mark_drop(u64 id);
void pcinspect_mark_holder(bool begins);
int pcinspect_mark_settle(void);
int pcinspect_mark_untrack(struct inode *inode, u64 id);
int pcinspect_mark_find(const struct inode *inode, u64 *id);
struct inode *pcinspect_mark_grab(u64 id);
void pcinspect_mark_release(struct inode *inode);
int pcinspect_mark_snapshot(u64 id, struct pcinspect_snapshot *snap);
int pcinspect_mark_row(u64 id, struct pcinspect_rows *rows);
size_t pcinspect_mark_memory(void);
int pcinspect_mark_name(u64 id, char *name, size_t size);

#endif /* PCINSPECT_MARK_H */
