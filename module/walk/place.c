// SPDX-License-Identifier: GPL-2.0-only
/*
 * place.c - a place in a superblock's list of inodes, between two calls.
 *
 * Why: an answer of many pages goes on where the page before ended, and does
 * not pass all inodes again for each page. s_inodes is in the order in which
 * inodes were made, the newest first, and an inode never moves in it: who finds
 * the inode again has the place again. A plain reference would stand in the way
 * of unmounting (fatal on Debian: scan.c). So the inode is pinned by an fsnotify
 * mark that asks for no event, which an unmount or the last close of a deleted
 * file destroys first, as in mark.c. The place is lost then, and whoever had it
 * begins again. It exists only between two pages of an answer; meanwhile opens,
 * reads and writes on this superblock take fsnotify's longer way.
 *
 * Lifetime: a place is its mark's memory. Its owner keeps the first reference,
 * which a work item drops, as mark.c's: it may wait for a sick disk. fsnotify
 * keeps its own. place_freeing() is called once, from an unmount or an
 * unlink, and forgets the inode under place_lock: while it is not forgotten, it
 * is pinned, so its address may be used under place_lock.
 *
 * May touch: its marks. Locks: scan_mutex, s_umount > fsnotify's group lock >
 * place_lock (spinlock).
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "walk/place.h"
#include "walk/ref.h"

/*
 * struct pcinspect_place - where the next page begins
 * @mark: pins the inode
 * @inode: NULL once it is not pinned any more
 * @bdi: that the last reference to it needs, or NULL
 * @before: the next page begins with this inode, not behind it
 * @unmounted: its filesystem went
 * @put: drops the last reference
 */
struct pcinspect_place {
	struct fsnotify_mark mark;
	struct inode *inode;
	struct backing_dev_info *bdi;
	bool before;
	bool unmounted;
	struct work_struct put;
};

static struct fsnotify_group *place_group;
static struct workqueue_struct *place_putters;
static DEFINE_SPINLOCK(place_lock);
static atomic_t place_nr = ATOMIC_INIT(0);

static void place_freeing(struct fsnotify_mark *mark,
			  struct fsnotify_group *group)
{
	struct pcinspect_place *place =
		container_of(mark, struct pcinspect_place, mark);

	spin_lock(&place_lock);
	if (place->inode)
		place->unmounted = !place->inode->i_sb->s_root;
	place->inode = NULL;
	spin_unlock(&place_lock);
}

static void place_free_mark(struct fsnotify_mark *mark)
{
	kfree(container_of(mark, struct pcinspect_place, mark));
	atomic_dec(&place_nr);
}

/* Never called: our marks ask for no event. */
static int place_handle_event(struct fsnotify_mark *mark, u32 mask,
			      struct inode *inode, struct inode *dir,
			      const struct qstr *file_name, u32 cookie)
{
	return 0;
}

static const struct fsnotify_ops place_ops = {
	.handle_inode_event = place_handle_event,
	.freeing_mark = place_freeing,
	.free_mark = place_free_mark,
};

static void place_put_worker(struct work_struct *put)
{
	struct pcinspect_place *place =
		container_of(put, struct pcinspect_place, put);

	pcinspect_ref_put_mark(&place->mark, place->bdi);
}

/**
 * pcinspect_place_new() - remember a place
 * @inode: the caller has it by pcinspect_ref_get(), and holds its s_umount shared
 * @before: the next page begins with it, not behind it
 *
 * Not a deleted file: nothing would end the pin before us, and to end it might
 * be to wait for a disk. One that is deleted from here on loses its mark.
 *
 * Context: process context, may sleep.
 * Return: the place, or NULL: it could not be remembered.
 */
struct pcinspect_place *pcinspect_place_new(struct inode *inode, bool before)
{
	struct pcinspect_place *place;

	if (!READ_ONCE(inode->i_nlink))
		return NULL;
	place = kzalloc(sizeof(*place), GFP_KERNEL);
	if (!place)
		return NULL;
	atomic_inc(&place_nr);
	place->inode = inode;
	place->before = before;
	place->bdi = pcinspect_ref_bdi(inode);
	INIT_WORK(&place->put, place_put_worker);
	fsnotify_init_mark(&place->mark, place_group);
	if (fsnotify_add_inode_mark(&place->mark, inode, 0)) {
		pcinspect_ref_put_mark(&place->mark, place->bdi);
		return NULL;
	}
	/* Deleted meanwhile: perhaps too early for the mark to be seen. */
	if (READ_ONCE(inode->i_nlink))
		return place;
	pcinspect_place_free(place);
	return NULL;
}

/*
 * Find a place again. @sb: its s_umount is held shared by the caller, and it is
 * mounted. @before: filled in. Return: the inode, by pcinspect_ref_get(); NULL
 * if the place is lost, or one of another superblock.
 */
struct inode *pcinspect_place_grab(struct pcinspect_place *place,
				   const struct super_block *sb, bool *before)
{
	struct inode *inode = NULL;

	spin_lock(&place_lock);
	if (place->inode && place->inode->i_sb == sb &&
	    pcinspect_ref_get(place->inode))
		inode = place->inode;
	*before = place->before;
	spin_unlock(&place_lock);
	return inode;
}

/* Was it lost because its filesystem went? */
bool pcinspect_place_unmounted(struct pcinspect_place *place)
{
	bool unmounted;

	spin_lock(&place_lock);
	unmounted = place->unmounted;
	spin_unlock(&place_lock);
	return unmounted;
}

/* Forget a place, or none. May sleep. */
void pcinspect_place_free(struct pcinspect_place *place)
{
	if (!place)
		return;
	/* Before the mark lets go of the inode: mark.c's mark_destroy(). */
	spin_lock(&place_lock);
	place->inode = NULL;
	spin_unlock(&place_lock);
	fsnotify_destroy_mark(&place->mark, place_group);
	queue_work(place_putters, &place->put);
}

/* The memory of places, in bytes, with their connectors in the inode. */
size_t pcinspect_place_memory(void)
{
	return atomic_read(&place_nr) *
	       (kmalloc_size_roundup(sizeof(struct pcinspect_place)) +
		sizeof(struct fsnotify_mark_connector));
}

/* Make the group that owns the marks: two answers may be at the same place. */
int pcinspect_place_init(void)
{
	int err;

	place_putters = alloc_workqueue("pcinspect_place", WQ_UNBOUND, 0);
	if (!place_putters)
		return -ENOMEM;
	place_group =
		fsnotify_alloc_group(&place_ops,
				     FSNOTIFY_GROUP_NOFS | FSNOTIFY_GROUP_DUPS);
	err = PTR_ERR_OR_ZERO(place_group);
	if (err)
		destroy_workqueue(place_putters);
	return err;
}

/*
 * End it. No place is left but on its way to be freed; on return no callback of
 * ours can run. Context: process context, may sleep.
 */
void pcinspect_place_exit(void)
{
	destroy_workqueue(place_putters);
	while (atomic_read(&place_nr)) {
		fsnotify_wait_marks_destroyed();
		if (atomic_read(&place_nr))
			msleep(20);
	}
	fsnotify_put_group(place_group);
	/* The reaper may still be returning from the last place_free_mark(). */
	fsnotify_wait_marks_destroyed();
}
