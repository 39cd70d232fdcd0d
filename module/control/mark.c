// SPDX-License-Identifier: GPL-2.0-only
/*
 * mark.c - explicit tracking, and describing what is tracked without an open
 * file of it.
 *
 * Why a mark: it pins the inode (its history survives memory pressure), and
 * yet an unmount or the last close of a deleted file destroys it first, so it
 * never stands in anybody's way (fsnotify_sb_delete(), fsnotify_inoderemove()).
 *
 * Lifetime: a pin is its mark's memory. We keep the first reference until the
 * worker has removed the pin's folder; fsnotify keeps its own. freeing_mark is
 * called once, from an unmount, an unlink, an untrack or our exit, and takes
 * the pin off the list under mark_lock: while a pin is on that list its inode
 * is pinned, so its address may be used under mark_lock.
 *
 * fsnotify_put_group() does not destroy marks; pcinspect_mark_exit() does, one
 * by one, and waits until the last one's memory is gone: an unmount may be
 * inside freeing_mark at that moment.
 *
 * With its last reference a mark drops that to the inode, and the last iput() of
 * a file may wait for its filesystem (a lazy timestamp on a sick disk:
 * I_DIRTY_TIME, fs/inode.c, 6.12). So a work item of the pin drops it, and a
 * task that untracks other files does not wait.
 *
 * Locks: mark_mutex (track and untrack; not while hooks are attached) >
 * fsnotify's group lock > mark_lock (spinlock; s_umount is only tried under it)
 * > those of track.c and of hooks/attach.c (hook_lock).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "control/mark.h"
#include "hooks/attach.h"
#include "records/track.h"
#include "walk/ref.h"
#include "walk/rows.h"
#include "walk/snapshot.h"
#include "walk/super.h"

/* How often a walk that stood in an unmount's way is begun again. */
#define MARK_NR_TRIES 100

static struct fsnotify_group *mark_group;
static const struct pcinspect_mark_folders *mark_folders;
static DEFINE_MUTEX(mark_mutex);
static DEFINE_SPINLOCK(mark_lock);
static LIST_HEAD(mark_pins);
static LIST_HEAD(mark_todo);
static u64 mark_last_id;
/* The holders of records, and the tasks about to track one. Under mark_lock. */
static unsigned int mark_nr_holders;
static atomic_t mark_nr_alive = ATOMIC_INIT(0);
static struct workqueue_struct *mark_putters;

/* The work that was asked for, and done. Under mark_lock. */
static u64 mark_nr_asked, mark_nr_done;
static DECLARE_WAIT_QUEUE_HEAD(mark_done);

/* A work item may be freed in its function. */
static void mark_put_worker(struct work_struct *put)
{
	struct pcinspect_pin *pin = container_of(put, struct pcinspect_pin, put);

	pcinspect_ref_put_mark(&pin->mark, pin->bdi);
}

/*
 * Folders are made and removed here and nowhere else: freeing_mark may run
 * inside an unmount, and debugfs_remove() waits for readers.
 */
static void mark_worker(struct work_struct *unused)
{
	struct pcinspect_pin *pin;
	bool alive;
	u64 asked;

	spin_lock(&mark_lock);
	asked = mark_nr_asked;
	spin_unlock(&mark_lock);
	for (;;) {
		spin_lock(&mark_lock);
		pin = list_first_entry_or_null(&mark_todo, struct pcinspect_pin,
					       work);
		if (pin)
			list_del_init(&pin->work);
		alive = pin && !list_empty(&pin->list);
		spin_unlock(&mark_lock);
		if (!pin)
			break;
		if (alive) {
			if (!pin->dir)
				pin->dir = mark_folders->added(pin);
		} else {
			mark_folders->removed(pin->dir);
			pin->dir = NULL;
			queue_work(mark_putters, &pin->put);
		}
	}

	/* With nothing tracked or held the read side is detached; with auto=0 all is. */
	spin_lock(&mark_lock);
	if (!READ_ONCE(pcinspect_track.nr_explicit) && !mark_nr_holders)
		pcinspect_hooks_done(HOOKS_EXPLICIT | HOOKS_BLOCK_DEVICE);
	mark_nr_done = max(mark_nr_done, asked);
	spin_unlock(&mark_lock);
	wake_up_all(&mark_done);
}

static DECLARE_WORK(mark_work, mark_worker);

/* Caller holds mark_lock. */
static void mark_ask(void)
{
	mark_nr_asked++;
	queue_work(system_dfl_wq, &mark_work);
}

/* Caller holds mark_lock. */
static void mark_queue(struct pcinspect_pin *pin)
{
	if (list_empty(&pin->work))
		list_add_tail(&pin->work, &mark_todo);
	mark_ask();
}

static bool mark_has_done(u64 asked)
{
	bool done;

	spin_lock(&mark_lock);
	done = mark_nr_done >= asked;
	spin_unlock(&mark_lock);
	return done;
}

/*
 * Until the worker has done what it was asked for so far: folders are there or
 * gone, hooks that nobody needs detached. Not for a task that exits: it would
 * wait for grace periods although it was killed, as no signal is pending any
 * more. Context: process context, may sleep. Return: 0, or -EINTR: killed.
 */
int pcinspect_mark_settle(void)
{
	u64 asked;

	spin_lock(&mark_lock);
	asked = mark_nr_asked;
	spin_unlock(&mark_lock);
	if (wait_event_killable(mark_done, mark_has_done(asked)))
		return -EINTR;
	return pcinspect_hooks_settle();
}

static void mark_freeing(struct fsnotify_mark *mark,
			 struct fsnotify_group *group)
{
	struct pcinspect_pin *pin =
		container_of(mark, struct pcinspect_pin, mark);

	spin_lock(&mark_lock);
	if (!list_empty(&pin->list)) {
		list_del_init(&pin->list);
		pcinspect_track_unpin(pin->inode, pin->id, true);
		mark_queue(pin);
	}
	spin_unlock(&mark_lock);
}

static void mark_free(struct fsnotify_mark *mark)
{
	kfree(container_of(mark, struct pcinspect_pin, mark));
	atomic_dec(&mark_nr_alive);
}

/* Never called: our marks ask for no event. */
static int mark_handle_event(struct fsnotify_mark *mark, u32 mask,
			     struct inode *inode, struct inode *dir,
			     const struct qstr *file_name, u32 cookie)
{
	return 0;
}

static const struct fsnotify_ops mark_ops = {
	.handle_inode_event = mark_handle_event,
	.freeing_mark = mark_freeing,
	.free_mark = mark_free,
};

/* Caller holds mark_lock. */
static struct pcinspect_pin *mark_find(const struct inode *inode, u64 id)
{
	struct pcinspect_pin *pin;

	list_for_each_entry(pin, &mark_pins, list)
		if (inode ? pin->inode == inode : pin->id == id)
			return pin;
	return NULL;
}

/* Name the folder, telling namesakes apart. Caller holds mark_lock. */
static void mark_set_name(struct pcinspect_pin *pin)
{
	DECLARE_BITMAP(used, PCINSPECT_MAX_EXPLICIT + 1) = {};
	const struct inode *inode = pin->inode;
	dev_t dev = inode->i_sb->s_dev;
	struct pcinspect_pin *other;
	size_t len;

	list_for_each_entry(other, &mark_pins, list)
		if (other->inode->i_ino == inode->i_ino &&
		    other->inode->i_sb->s_dev == dev)
			__set_bit(other->nth - 1, used);
	pin->nth = 1 + find_first_zero_bit(used, PCINSPECT_MAX_EXPLICIT);
	len = scnprintf(pin->name, sizeof(pin->name), "%u:%u:%llu", MAJOR(dev),
			MINOR(dev), (u64)inode->i_ino);
	if (pin->nth > 1)
		snprintf(pin->name + len, sizeof(pin->name) - len, ".%u",
			 pin->nth);
}

/* One more who wants it. Caller holds mark_lock, or the pin is not listed yet. */
static void mark_want(struct pcinspect_pin *pin, bool hold)
{
	pin->holders += hold;
	pin->kept |= !hold;
}

/* Pin an inode. Caller holds mark_mutex, and hooks are attached. */
static int mark_track(struct inode *inode, bool hold, u64 *id)
{
	struct pcinspect_pin *pin, *old;
	int err;

	spin_lock(&mark_lock);
	old = mark_find(inode, 0);
	if (old) {
		*id = old->id;
		mark_want(old, hold);
	}
	spin_unlock(&mark_lock);
	if (old)
		return 0;
	if (READ_ONCE(pcinspect_track.nr_explicit) >= PCINSPECT_MAX_EXPLICIT)
		return -ENOSPC;
	pin = kzalloc(sizeof(*pin), GFP_KERNEL);
	if (!pin)
		return -ENOMEM;

	INIT_LIST_HEAD(&pin->list);
	INIT_LIST_HEAD(&pin->work);
	INIT_WORK(&pin->put, mark_put_worker);
	pin->inode = inode;
	pin->bdi = pcinspect_ref_bdi(inode);
	pin->id = mark_last_id + 1;
	mark_want(pin, hold);
	err = pcinspect_track_pin(inode, pin->id);
	if (err) {
		pcinspect_ref_put_bdi(pin->bdi);
		kfree(pin);
		return err;
	}
	atomic_inc(&mark_nr_alive);
	fsnotify_init_mark(&pin->mark, mark_group);
	refcount_inc(&pin->mark.refcnt);

	/*
	 * Listed before it is added: from then on another name's unlink may
	 * free the mark at any moment (6.1 and 7.2 do so although a file is
	 * open), and mark_freeing() must find it. Until then the caller's open
	 * file keeps the inode.
	 */
	spin_lock(&mark_lock);
	mark_set_name(pin);
	list_add_tail(&pin->list, &mark_pins);
	spin_unlock(&mark_lock);

	err = fsnotify_add_inode_mark(&pin->mark, inode, 0);
	if (!err) {
		*id = ++mark_last_id;
		pcinspect_track_hooked(inode);
	}

	spin_lock(&mark_lock);
	if (!err && !list_empty(&pin->list))
		mark_queue(pin);
	if (err) {
		list_del_init(&pin->list);
		pcinspect_track_unpin(inode, pin->id, false);
	}
	spin_unlock(&mark_lock);
	fsnotify_put_mark(&pin->mark);
	if (err)
		pcinspect_ref_put_mark(&pin->mark, pin->bdi);
	return err;
}

/*
 * Somebody begins to hold records, or ends. Until the end the hooks stay, also
 * when the last record goes: whoever reads /proc/kallsyms then, as trace-cmd
 * does when it finishes, finds it unchanged. Never sleeps.
 */
void pcinspect_mark_holder(bool begins)
{
	spin_lock(&mark_lock);
	mark_nr_holders += begins ? 1 : -1;
	/* The hooks may be wanted by nobody then. */
	if (!begins && !READ_ONCE(pcinspect_track.nr_explicit))
		mark_ask();
	spin_unlock(&mark_lock);
}

/**
 * pcinspect_mark_track() - pin an inode
 * @inode: the inode that owns the pages; the caller holds an open file on it
 *	or on an overlay above it
 * @hold: until pcinspect_mark_drop(), unless somebody else wants it longer;
 *	else until it is untracked
 * @id: set to the handle; an inode that is tracked already keeps its own
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOSPC (PCINSPECT_MAX_EXPLICIT reached), -ENOMEM, -EINTR.
 */
int pcinspect_mark_track(struct inode *inode, bool hold, u64 *id)
{
	u32 hooks = HOOKS_EXPLICIT |
		    (S_ISBLK(inode->i_mode) ? HOOKS_BLOCK_DEVICE : 0);
	int err;

	/*
	 * Before there is a ledger: one that some hooks count in already, and
	 * others not yet, has beginnings without ends.
	 */
	pcinspect_mark_holder(true);
	err = pcinspect_hooks_want(hooks);
	if (!err && mutex_lock_killable(&mark_mutex))
		err = -EINTR;
	if (!err) {
		err = mark_track(inode, hold, id);
		mutex_unlock(&mark_mutex);
	}
	pcinspect_mark_holder(false);
	if (err != -EINTR)
		pcinspect_mark_settle();
	return err;
}

/* Destroy one live pin. Caller holds mark_mutex, or is the module's exit. */
static bool mark_destroy(const struct inode *inode, u64 id)
{
	struct pcinspect_pin *pin;

	spin_lock(&mark_lock);
	pin = inode || id ? mark_find(inode, id) :
			    list_first_entry_or_null(&mark_pins,
						     struct pcinspect_pin, list);
	/*
	 * Off the list before the mark lets go of the inode: of two that free a
	 * mark, fsnotify_free_mark() has only the first call mark_freeing(),
	 * and the other does not wait for it before the inode goes.
	 */
	if (pin) {
		list_del_init(&pin->list);
		list_del_init(&pin->work);
		pcinspect_track_unpin(pin->inode, pin->id, false);
	}
	spin_unlock(&mark_lock);
	if (!pin)
		return false;
	/* Not its last reference: that is the worker's, who does not have it yet. */
	fsnotify_destroy_mark(&pin->mark, mark_group);
	spin_lock(&mark_lock);
	mark_queue(pin);
	spin_unlock(&mark_lock);
	return true;
}

/*
 * Let go of an inode. @id: with no @inode: its handle, 0 for every one. May
 * sleep. Return: 0, -ENOENT if it was not tracked, or -EINTR.
 */
int pcinspect_mark_untrack(struct inode *inode, u64 id)
{
	int err = 0;

	if (mutex_lock_killable(&mark_mutex))
		return -EINTR;
	if (inode || id) {
		if (!mark_destroy(inode, id))
			err = -ENOENT;
	} else {
		while (mark_destroy(NULL, 0))
			cond_resched();
	}
	mutex_unlock(&mark_mutex);
	pcinspect_mark_settle();
	return err;
}

/*
 * One holder less. @id: handle of a record that was tracked with hold, and may
 * be gone since. May sleep.
 */
void pcinspect_mark_drop(u64 id)
{
	struct pcinspect_pin *pin;
	bool last;

	mutex_lock(&mark_mutex);
	spin_lock(&mark_lock);
	pin = mark_find(NULL, id);
	last = pin && !--pin->holders && !pin->kept;
	spin_unlock(&mark_lock);
	if (last)
		mark_destroy(NULL, id);
	mutex_unlock(&mark_mutex);
}

/* The handle of an inode. Return: 0, or -ENOENT if the inode is not tracked. */
int pcinspect_mark_find(const struct inode *inode, u64 *id)
{
	struct pcinspect_pin *pin;

	spin_lock(&mark_lock);
	pin = mark_find(inode, 0);
	if (pin)
		*id = pin->id;
	spin_unlock(&mark_lock);
	return pin ? 0 : -ENOENT;
}

/*
 * Reach the inode of an explicit record. Takes a reference to the inode and,
 * before that, s_umount shared, so that its superblock cannot go while the
 * reference is held (a reference at generic_shutdown_super() is fatal on
 * Debian). Both are only tried.
 * Context: process context. pcinspect_mark_release() must follow. Return: the
 * inode, ERR_PTR(-ENOENT) if there is no such record any more, ERR_PTR(-EBUSY)
 * while its filesystem is frozen, being unmounted or remounted.
 */
struct inode *pcinspect_mark_grab(u64 id)
{
	struct inode *inode = ERR_PTR(-ENOENT);
	struct pcinspect_pin *pin;
	struct super_block *sb;

	spin_lock(&mark_lock);
	pin = mark_find(NULL, id);
	if (!pin)
		goto out;
	sb = pin->inode->i_sb;
	inode = ERR_PTR(-EBUSY);
	if (pcinspect_super_trylock(sb))
		goto out;
	if (pcinspect_ref_get(pin->inode))
		inode = pin->inode;
	else
		up_read(&sb->s_umount);
out:
	spin_unlock(&mark_lock);
	return inode;
}

/* Undo pcinspect_mark_grab(). May sleep. */
void pcinspect_mark_release(struct inode *inode)
{
	struct super_block *sb = inode->i_sb;

	pcinspect_ref_put(inode);
	up_read(&sb->s_umount);
}

/*
 * Describe the inode of an explicit record. Begins again when an unmount or
 * remount wanted the superblock meanwhile. May sleep. Return: 0, -ENOENT,
 * -EBUSY, -ENOMEM or -EINTR.
 */
int pcinspect_mark_snapshot(u64 id, struct pcinspect_snapshot *snap)
{
	struct inode *inode;
	int err, tries = 0;

	do {
		inode = pcinspect_mark_grab(id);
		if (IS_ERR(inode))
			return PTR_ERR(inode);
		err = pcinspect_snapshot_take(inode, true, snap);
		pcinspect_mark_release(inode);
		cond_resched();
	} while (err == -EAGAIN && ++tries < MARK_NR_TRIES);
	return err == -EAGAIN ? -EBUSY : err;
}

/*
 * Describe an explicit record's inode as a row. @rows: gets one record, with
 * path and, where wanted, sections. May sleep. Return: 0, -ENOENT, -EBUSY,
 * -ENOMEM or -EINTR.
 */
int pcinspect_mark_row(u64 id, struct pcinspect_rows *rows)
{
	struct inode *inode;
	int err;

	err = pcinspect_mark_snapshot(id, rows->snap);
	if (err)
		return err;
	inode = pcinspect_mark_grab(id);
	if (IS_ERR(inode))
		return PTR_ERR(inode);
	err = pcinspect_rows_add(rows,
				 pcinspect_snapshot_path(inode, rows->path),
				 inode);
	pcinspect_mark_release(inode);
	return err;
}

/* The folder of an explicit record. Return: 0, or -ENOENT. */
int pcinspect_mark_name(u64 id, char *name, size_t size)
{
	struct pcinspect_pin *pin;

	spin_lock(&mark_lock);
	pin = mark_find(NULL, id);
	if (pin)
		strscpy(name, pin->name, size);
	spin_unlock(&mark_lock);
	return pin ? 0 : -ENOENT;
}

/* The memory of marks, in bytes, with their connectors in the inode. */
size_t pcinspect_mark_memory(void)
{
	return atomic_read(&mark_nr_alive) *
	       (kmalloc_size_roundup(sizeof(struct pcinspect_pin)) +
		sizeof(struct fsnotify_mark_connector));
}

/*
 * Make the group that owns our marks. @folders: what the worker calls; stays.
 */
int pcinspect_mark_init(const struct pcinspect_mark_folders *folders)
{
	int err;

	mark_folders = folders;
	mark_putters = alloc_workqueue("pcinspect", WQ_UNBOUND, 0);
	if (!mark_putters)
		return -ENOMEM;
	mark_group = fsnotify_alloc_group(&mark_ops, FSNOTIFY_GROUP_NOFS);
	err = PTR_ERR_OR_ZERO(mark_group);
	if (err)
		destroy_workqueue(mark_putters);
	return err;
}

/*
 * Destroy every mark, then the group. On return no callback of ours can run and
 * no folder is left. Context: process context, may sleep; /dev/pcinspect is
 * gone.
 */
void pcinspect_mark_exit(void)
{
	while (mark_destroy(NULL, 0))
		;
	flush_work(&mark_work);
	while (atomic_read(&mark_nr_alive)) {
		fsnotify_wait_marks_destroyed();
		flush_work(&mark_work);
		if (atomic_read(&mark_nr_alive))
			msleep(20);
	}
	flush_work(&mark_work);
	destroy_workqueue(mark_putters);
	fsnotify_put_group(mark_group);
	/* The reaper may still be returning from the last mark_free(). */
	fsnotify_wait_marks_destroyed();
}
