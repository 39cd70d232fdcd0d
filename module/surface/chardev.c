// SPDX-License-Identifier: GPL-2.0-only
/*
 * chardev.c - /dev/pcinspect: its 17 calls, a row each in chardev_calls.
 *
 * Why file descriptors: open(2) has resolved the path in the caller's mount
 * namespace and checked permission, or we do (O_PATH); the file keeps inode and
 * superblock alive for the length of the call. Records are also named by handle,
 * so that a long watch holds no file open and stands in no unmount's way.
 *
 * Root only (mode 0600 and CAP_SYS_ADMIN): other users' file names are
 * sensitive. Nothing is copied to user space while s_umount is held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/list.h>
#include <linux/memcontrol.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "account/devices.h"
#include "account/fsync.h"
#include "account/writes.h"
#include "control/hold.h"
#include "control/mark.h"
#include "control/run.h"
#include "hooks/attach.h"
#include "hooks/demand.h"
#include "hooks/readers.h"
#include "records/dirty.h"
#include "records/ledger.h"
#include "records/operation.h"
#include "records/scope.h"
#include "records/track.h"
#include "surface/chardev.h"
#include "trace.h"
#include "walk/answer.h"
#include "walk/lru.h"
#include "walk/queue.h"
#include "walk/ranges.h"
#include "walk/rows.h"
#include "walk/snapshot.h"
#include "walk/tally.h"

/* Answers of an open file that are not at their last page, at most. */
#define CHARDEV_NR_ANSWERS 4

/*
 * struct chardev_pages - an answer of several pages
 * @list: in its file's, oldest first, between two pages
 * @cursor: what its next page is asked for with
 * @cmd: what was asked
 */
struct chardev_pages {
	struct list_head list;
	u64 cursor;
	unsigned int cmd;
	struct pcinspect_answer *answer;
};

/*
 * struct chardev_file - an open /dev/pcinspect
 * @hold: the records it holds
 * @answers: answers, oldest first; @mutex is around it
 * @demands: what the machine does is counted for it; likewise
 */
struct chardev_file {
	struct pcinspect_hold *hold;
	struct mutex mutex; /* serializes changes of @answers, @demands */
	struct list_head answers;
	unsigned int nr_answers;
	bool demands;
};

static struct pcinspect_hold *chardev_hold(const struct file *device)
{
	return ((const struct chardev_file *)device->private_data)->hold;
}

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

/* Copy one record out, as much of it as there is room for. */
static int chardev_answer(const struct pcinspect_query *query,
			  struct pcinspect_snapshot *snap)
{
	if (snap->record_size > query->buffer_size) {
		snap->record_size = pcinspect_sections_at(snap);
		if (snap->record_size > query->buffer_size) {
			snap->path_len = 0;
			snap->flags &= ~PCINSPECT_F_PATH;
			snap->record_size = pcinspect_path_at(snap);
		}
		/* An older program: the numbers that it knows of. */
		while (snap->record_size > query->buffer_size) {
			snap->nr_numbers--;
			snap->record_size = pcinspect_path_at(snap);
		}
	}
	return copy_to_user(u64_to_user_ptr(query->buffer), snap,
			    snap->record_size) ?
		       -EFAULT :
		       0;
}

/*
 * Will a place (O_PATH) do to ask about its file? Of a regular file on a disk,
 * whose name is all that leads to it: an overlay finds out when it is opened
 * which file is below, and has none until then; what is on a server, or handed
 * in by a process, is asked for when it is opened. And only an open block
 * device leads to its pages.
 */
static int chardev_check_place(struct file *file)
{
	const unsigned int asked = DCACHE_OP_REAL | DCACHE_OP_REVALIDATE |
				   DCACHE_OP_WEAK_REVALIDATE;
	const struct inode *inode = file_inode(file);

	if (!S_ISREG(inode->i_mode) ||
	    !(inode->i_sb->s_type->fs_flags & FS_REQUIRES_DEV) ||
	    READ_ONCE(file->f_path.dentry->d_flags) & asked)
		return -EBADF;
	return file_permission(file, MAY_READ);
}

/*
 * The file of a descriptor. A place costs half of an open file, and nobody is
 * told of it; whether it may be read is looked at here, then.
 */
static struct file *chardev_file(unsigned int cmd, int fd)
{
	struct file *file = cmd == PCINSPECT_IOC_SNAPSHOT ? fget_raw(fd) :
							    fget(fd);
	int err = 0;

	if (!file)
		return ERR_PTR(-EBADF);
	if (file->f_mode & FMODE_PATH)
		err = chardev_check_place(file);
	if (!err)
		return file;
	fput(file);
	return ERR_PTR(err);
}

/*
 * The record of an inode, but for what a ledger and a name add to it. @file: by
 * what it was asked for. @last: and not once more, for these.
 */
static int chardev_take(struct file *file, struct inode *inode, bool last,
			struct pcinspect_snapshot *snap)
{
	int err = pcinspect_snapshot_take(inode, false, snap);

	if (err)
		return err;
	if (inode != file_inode(file) && !S_ISBLK(inode->i_mode))
		snap->flags |= PCINSPECT_F_REAL_INODE;
	/* A caller that asks twice, the second time for everything: one sample. */
	if (last ||
	    !(snap->flags & (PCINSPECT_F_EXPLICIT | PCINSPECT_F_REAL_INODE)))
		trace_pcinspect_sample(snap);
	return 0;
}

/* A caller without room for a name and sections does not pay for them. */
static int chardev_brief(const struct pcinspect_query *query, struct file *file,
			 struct inode *inode)
{
	struct pcinspect_snapshot *snap = kmalloc(sizeof(*snap), GFP_KERNEL);
	int err;

	if (!snap)
		return -ENOMEM;
	err = chardev_take(file, inode, false, snap);
	if (!err) {
		pcinspect_rows_head(snap, NULL);
		err = chardev_answer(query, snap);
	}
	kfree(snap);
	return err;
}

static int chardev_detail(const struct pcinspect_query *query,
			  struct file *file, struct inode *inode)
{
	struct pcinspect_rows rows;
	int err = pcinspect_rows_init(&rows, pcinspect_scope_attached());

	if (err)
		return err;
	err = chardev_take(file, inode, true, rows.snap);
	if (!err)
		err = pcinspect_rows_add(&rows,
					 pcinspect_snapshot_path(inode,
								 rows.path),
					 inode);
	if (!err)
		err = chardev_answer(query, rows.data);
	pcinspect_rows_free(&rows);
	return err;
}

static int chardev_fd(struct file *device, unsigned int cmd,
		      struct pcinspect_query *query)
{
	struct file *file = chardev_file(cmd, query->fd);
	struct inode *inode;
	int err;

	if (IS_ERR(file))
		return PTR_ERR(file);
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
			err = pcinspect_track_reset(query->id, false);
		goto out;
	case PCINSPECT_IOC_TRACK:
	case PCINSPECT_IOC_HOLD:
		err = cmd == PCINSPECT_IOC_HOLD ?
			      pcinspect_hold_track(chardev_hold(device), inode,
						   &query->id) :
			      pcinspect_mark_track(inode, false, &query->id);
		if (err == -ENOSPC)
			query->refusal = PCINSPECT_REFUSE_LIMIT;
		if (err)
			goto out;
		break;
	}

	err = query->buffer_size > sizeof(struct pcinspect_snapshot) ?
		      chardev_detail(query, file, inode) :
		      chardev_brief(query, file, inode);
out:
	fput(file);
	return err;
}

/* By handle: the caller holds no file. */
static int chardev_id(struct file *device, unsigned int cmd,
		      struct pcinspect_query *query)
{
	struct pcinspect_rows rows;
	int err;

	switch (cmd) {
	case PCINSPECT_IOC_UNTRACK:
		/* Others may want what this file holds. */
		if (!pcinspect_hold_untrack(chardev_hold(device), query->id))
			return 0;
		return pcinspect_mark_untrack(NULL, query->id);
	case PCINSPECT_IOC_RESET:
		return pcinspect_track_reset(query->id, false);
	case PCINSPECT_IOC_SNAPSHOT:
		if (!query->id)
			return -EBADF;
		err = pcinspect_rows_init(&rows, true);
		if (err)
			return err;
		err = pcinspect_mark_row(query->id, &rows);
		if (!err) {
			trace_pcinspect_sample(rows.data);
			err = chardev_answer(query, rows.data);
		}
		pcinspect_rows_free(&rows);
		return err;
	}
	return -EBADF;
}

static int chardev_query(struct file *device, unsigned int cmd, void *arg)
{
	bool answers = cmd == PCINSPECT_IOC_SNAPSHOT ||
		       cmd == PCINSPECT_IOC_TRACK || cmd == PCINSPECT_IOC_HOLD;
	struct pcinspect_query *query = arg;

	if (answers &&
	    query->buffer_size < offsetof(struct pcinspect_snapshot, numbers))
		return -EINVAL;
	query->refusal = PCINSPECT_REFUSE_NONE;
	return query->fd >= 0 ? chardev_fd(device, cmd, query) :
				chardev_id(device, cmd, query);
}

/*
 * The answer to continue, or a new one. Another call on this file with the
 * same cursor does not find it. Return: the answer, or an error.
 */
static struct chardev_pages *chardev_get_pages(struct chardev_file *state,
					       unsigned int cmd,
					       const struct pcinspect_list *list)
{
	bool whole = cmd == PCINSPECT_IOC_SCAN;
	struct chardev_pages *pages;

	if (list->cursor && list->cursor != PCINSPECT_LIST_LAST) {
		mutex_lock(&state->mutex);
		list_for_each_entry(pages, &state->answers, list)
			if (pages->cursor == list->cursor && pages->cmd == cmd) {
				list_del(&pages->list);
				state->nr_answers--;
				mutex_unlock(&state->mutex);
				return pages;
			}
		mutex_unlock(&state->mutex);
		return ERR_PTR(-ESTALE);
	}
	pages = kzalloc(sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return ERR_PTR(-ENOMEM);
	pages->cmd = cmd;
	pages->answer =
		pcinspect_answer_new(whole ? list->fs : NULL,
				     MKDEV(list->dev_major, list->dev_minor),
				     list->flags,
				     list->cursor == PCINSPECT_LIST_LAST);
	if (pages->answer)
		return pages;
	kfree(pages);
	return ERR_PTR(-ENOMEM);
}

static void chardev_free_pages(struct chardev_pages *pages)
{
	pcinspect_answer_free(pages->answer);
	kfree(pages);
}

/* Keep an answer for its next page; of too many the oldest goes. */
static u64 chardev_keep_pages(struct chardev_file *state,
			      struct chardev_pages *pages)
{
	static atomic64_t last = ATOMIC64_INIT(0);
	struct chardev_pages *oldest = NULL;
	u64 cursor = atomic64_inc_return(&last);

	pages->cursor = cursor;
	mutex_lock(&state->mutex);
	if (state->nr_answers == CHARDEV_NR_ANSWERS) {
		oldest = list_first_entry(&state->answers, struct chardev_pages,
					  list);
		list_del(&oldest->list);
	} else {
		state->nr_answers++;
	}
	list_add_tail(&pages->list, &state->answers);
	mutex_unlock(&state->mutex);
	if (oldest)
		chardev_free_pages(oldest);
	return cursor;
}

static int chardev_list(struct file *device, unsigned int cmd, void *arg)
{
	struct chardev_file *state = device->private_data;
	const struct pcinspect_rows *rows;
	struct pcinspect_list *list = arg;
	struct chardev_pages *pages;
	int err;

	list->fs[sizeof(list->fs) - 1] = '\0';
	pages = chardev_get_pages(state, cmd, list);
	if (IS_ERR(pages))
		return PTR_ERR(pages);
	err = pcinspect_answer_page(pages->answer, min_t(u64, list->buffer_size,
							 PCINSPECT_ROWS_MAX));
	if (err)
		goto out;

	rows = pcinspect_answer_rows(pages->answer);
	list->count = rows->page_count;
	list->needed = rows->page_used;
	list->cursor = 0;
	list->skipped = rows->skipped;
	if (copy_to_user(u64_to_user_ptr(list->buffer), rows->data,
			 rows->page_used))
		err = -EFAULT;
	if (!err && pcinspect_answer_more(pages->answer)) {
		list->skipped = 0;
		list->cursor = chardev_keep_pages(state, pages);
		return 0;
	}
out:
	chardev_free_pages(pages);
	return err;
}

/* Walk lists, also into @queue, and copy out all but @lists itself. */
static int chardev_walk(struct pcinspect_lists *lists,
			struct pcinspect_queue *queue)
{
	struct pcinspect_tally tally;
	struct cgroup *cgroup = NULL;
	size_t used;
	int err;

	lists->files_size = min_t(u64, lists->files_size, PCINSPECT_ROWS_MAX);
	lists->again = 0;
	lists->longest_hold = 0;
	lists->longest_hold_pages = 0;
	if (lists->cgroup >= 0) {
		cgroup = cgroup_get_from_fd(lists->cgroup);
		if (IS_ERR(cgroup))
			return PTR_ERR(cgroup);
	}
	err = pcinspect_tally_take(&tally, cgroup, lists, queue);
	used = tally.nr_cgroups * sizeof(*tally.cgroups);
	if (!err && used > lists->cgroups_size)
		err = -E2BIG;
	if (!err && (copy_to_user(u64_to_user_ptr(lists->cgroups),
				  tally.cgroups, used) ||
		     copy_to_user(u64_to_user_ptr(lists->files), tally.files,
				  tally.files_used)))
		err = -EFAULT;
	pcinspect_tally_free(&tally);
	if (cgroup)
		cgroup_put(cgroup);
	return err;
}

static int chardev_lists(struct file *device, unsigned int cmd, void *arg)
{
	return chardev_walk(arg, NULL);
}

static int chardev_next(struct file *device, unsigned int cmd, void *arg)
{
	struct pcinspect_next *next = arg;
	struct pcinspect_queue queue = { .next = next };

	if (next->walk.size != sizeof(next->walk))
		return -EINVAL;
	next->flags = 0;
	next->nr_rows = 0;
	next->nr_lists = 0;
	next->changed = 0;
	return chardev_walk(&next->walk, &queue);
}

static int chardev_about(struct file *device, unsigned int cmd, void *arg)
{
	struct pcinspect_about *about = arg;

	about->abi_version = PCINSPECT_ABI_VERSION;
	about->lost_inodes = pcinspect_track_lost();
	if (pcinspect_lru_gen_enabled())
		about->flags |= PCINSPECT_F_LRU_GEN;
	if (!mem_cgroup_disabled())
		about->flags |= PCINSPECT_F_MEMCG;
	strscpy(about->version, THIS_MODULE->version, sizeof(about->version));
	return 0;
}

/* A sum over all files; unknown if what counts it is missing. */
static u64 chardev_sum(enum pcinspect_number number, u64 sum)
{
	return pcinspect_scope_knows("", number) ? sum : PCINSPECT_UNKNOWN;
}

static int chardev_devices(struct file *device, unsigned int cmd, void *arg)
{
	struct pcinspect_devices *devices = arg;

	/* The sums begin anew when the hooks of a run are detached. */
	if (pcinspect_hooks_settle())
		return -EINTR;
	memset(devices, 0, sizeof(*devices));
	devices->size = sizeof(*devices);
	pcinspect_devices_get(devices);
	devices->probes_missed = pcinspect_hooks_missed();
	devices->lost_frames = pcinspect_operation_lost();
	devices->lost_windows = pcinspect_ledger_lost(true);
	devices->lost_ledgers = pcinspect_ledger_lost(false);
	devices->lost_dirty_times = pcinspect_dirty_lost();
	devices->hooks_missing = READ_ONCE(pcinspect_scope.missing);
	devices->written_file_pages = chardev_sum(PCINSPECT_ENDED_PAGES,
						  pcinspect_writes_ended(true));
	devices->written_other_pages =
		chardev_sum(PCINSPECT_ENDED_PAGES,
			    pcinspect_writes_ended(false));
	devices->run_read_bytes = pcinspect_scope_run_bytes(false);
	devices->run_write_bytes = pcinspect_scope_run_bytes(true);
	devices->fsync_calls = pcinspect_fsync_calls();
	return 0;
}

static int chardev_run(struct file *device, unsigned int cmd, void *arg)
{
	const struct pcinspect_run *run = arg;

	if (run->start)
		return pcinspect_run_start(run, device);
	pcinspect_run_end(device);
	return 0;
}

static int chardev_demand(struct file *device, unsigned int cmd, void *arg)
{
	struct chardev_file *state = device->private_data;
	struct pcinspect_demand *demand = arg;
	int err = 0;

	if (mutex_lock_killable(&state->mutex))
		return -EINTR;
	if (!state->demands)
		err = pcinspect_demand_want();
	state->demands |= !err;
	mutex_unlock(&state->mutex);
	if (err)
		return err;
	demand->pad = 0;
	pcinspect_demand_get(demand);
	return 0;
}

/* Rows that are copied out at once: 64 KiB. */
#define CHARDEV_RANGES 4096U

static int chardev_ranges(struct file *device, unsigned int cmd, void *arg)
{
	struct pcinspect_ranges *ranges = arg;
	struct file *file = chardev_file(cmd, ranges->fd);
	struct pcinspect_ranges_walk walk = {
		.room = min(ranges->nr_rows, CHARDEV_RANGES),
		.index = ranges->index,
	};
	struct inode *inode;
	int err = -EOPNOTSUPP;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ranges->nr_rows = 0;
	ranges->skipped_pages = 0;
	inode = chardev_page_inode(file);
	ranges->refusal = pcinspect_snapshot_refuse(inode);
	if (ranges->refusal)
		goto out;
	err = -EINVAL;
	if (!walk.room || walk.index > ULONG_MAX)
		goto out;
	err = -ENOMEM;
	walk.rows = kvmalloc_array(walk.room, sizeof(*walk.rows), GFP_KERNEL);
	if (!walk.rows)
		goto out;
	err = pcinspect_ranges_take(inode->i_mapping, &walk);
	ranges->nr_rows = walk.nr;
	ranges->index = walk.index;
	ranges->skipped_pages = walk.skipped_pages;
	if (!err && copy_to_user(u64_to_user_ptr(ranges->buffer), walk.rows,
				 walk.nr * sizeof(*walk.rows)))
		err = -EFAULT;
	kvfree(walk.rows);
out:
	fput(file);
	return err;
}

static int chardev_readers(struct file *device, unsigned int cmd, void *arg)
{
	const struct chardev_file *state = device->private_data;
	size_t size = PCINSPECT_READER_ROWS * sizeof(struct pcinspect_reader);
	struct pcinspect_readers *readers = arg;
	u32 room = readers->nr_rows;
	u64 to = readers->buffer;
	struct pcinspect_reader *rows;
	int cpu, err = 0;

	readers->nr_rows = num_possible_cpus() * PCINSPECT_READER_ROWS;
	/* Without the events nobody is known, which is not that there is nobody. */
	if (!READ_ONCE(state->demands) || !pcinspect_demand_events_known())
		return -ENODATA;
	if (room < readers->nr_rows)
		return -E2BIG;
	rows = kmalloc(size, GFP_KERNEL);
	if (!rows)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		pcinspect_readers_get(cpu, rows);
		if (!pcinspect_demand_reads_known())
			pcinspect_readers_unknown(rows);
		if (!err && copy_to_user(u64_to_user_ptr(to), rows, size))
			err = -EFAULT;
		to += size;
	}
	kfree(rows);
	/* Detached meanwhile, because the probes took too much. */
	return err ?: pcinspect_demand_events_known() ? 0 : -ENODATA;
}

static int chardev_stale(struct file *device, unsigned int cmd, void *arg)
{
	*(u64 *)arg = pcinspect_hooks_stale();
	return 0;
}

static int chardev_left(struct file *device, unsigned int cmd, void *arg)
{
	*(u64 *)arg = pcinspect_run_left();
	return 0;
}

/*
 * The calls. A number says how large its argument is and which way it is
 * copied; an argument that is copied in begins with its size, a u32.
 */
static const struct chardev_call {
	unsigned int cmd;
	int (*call)(struct file *device, unsigned int cmd, void *arg);
} chardev_calls[] = {
	{ PCINSPECT_IOC_ABOUT, chardev_about },
	{ PCINSPECT_IOC_SNAPSHOT, chardev_query },
	{ PCINSPECT_IOC_TRACK, chardev_query },
	{ PCINSPECT_IOC_HOLD, chardev_query },
	{ PCINSPECT_IOC_UNTRACK, chardev_query },
	{ PCINSPECT_IOC_RESET, chardev_query },
	{ PCINSPECT_IOC_LIST, chardev_list },
	{ PCINSPECT_IOC_SCAN, chardev_list },
	{ PCINSPECT_IOC_LISTS, chardev_lists },
	{ PCINSPECT_IOC_NEXT, chardev_next },
	{ PCINSPECT_IOC_DEVICES, chardev_devices },
	{ PCINSPECT_IOC_RUN, chardev_run },
	{ PCINSPECT_IOC_DEMAND, chardev_demand },
	{ PCINSPECT_IOC_RANGES, chardev_ranges },
	{ PCINSPECT_IOC_READERS, chardev_readers },
	{ PCINSPECT_IOC_STALE, chardev_stale },
	{ PCINSPECT_IOC_LEFT, chardev_left },
};

/* The argument is copied out after an error as well: it says why. */
static long chardev_do(const struct chardev_call *call, struct file *device,
		       void __user *to)
{
	unsigned int dir = _IOC_DIR(call->cmd);
	size_t size = _IOC_SIZE(call->cmd);
	void *arg = kzalloc(size, GFP_KERNEL);
	int err = 0;

	if (!arg)
		return -ENOMEM;
	if (dir & _IOC_WRITE) {
		if (copy_from_user(arg, to, size))
			err = -EFAULT;
		else if (*(u32 *)arg != size)
			err = -EINVAL;
	}
	if (!err) {
		err = call->call(device, call->cmd, arg);
		if (dir & _IOC_READ && copy_to_user(to, arg, size))
			err = -EFAULT;
	}
	kfree(arg);
	return err;
}

static long chardev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(chardev_calls); i++)
		if (chardev_calls[i].cmd == cmd)
			return chardev_do(&chardev_calls[i], file,
					  (void __user *)arg);
	return -ENOTTY;
}

static int chardev_release(struct inode *inode, struct file *file)
{
	struct chardev_file *state = file->private_data;
	struct chardev_pages *pages, *next;

	pcinspect_run_end(file);
	pcinspect_hold_free(state->hold);
	if (state->demands)
		pcinspect_demand_done();
	/*
	 * For a program that continues nothing changes any more, as symbols in
	 * /proc/kallsyms, saved by trace-cmd. An exiting one may be killed.
	 */
	if (!(current->flags & PF_EXITING) && !pcinspect_mark_settle())
		pcinspect_demand_settle();
	list_for_each_entry_safe(pages, next, &state->answers, list)
		chardev_free_pages(pages);
	kfree(state);
	return 0;
}

static int chardev_open(struct inode *inode, struct file *file)
{
	struct chardev_file *state;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	state = kzalloc(sizeof(*state), GFP_KERNEL);
	if (!state)
		return -ENOMEM;
	mutex_init(&state->mutex);
	INIT_LIST_HEAD(&state->answers);
	state->hold = pcinspect_hold_new();
	if (!state->hold) {
		kfree(state);
		return -ENOMEM;
	}
	file->private_data = state;
	return 0;
}

static const struct file_operations chardev_fops = {
	.owner = THIS_MODULE,
	.open = chardev_open,
	.release = chardev_release,
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

/*
 * Make /dev/pcinspect. Context: process context; everything it leads to is
 * ready.
 */
int pcinspect_chardev_init(void)
{
	return misc_register(&chardev_misc);
}

/* Remove it; no file on it is open. */
void pcinspect_chardev_exit(void)
{
	misc_deregister(&chardev_misc);
	pcinspect_demand_exit();
}
