// SPDX-License-Identifier: GPL-2.0-only
/*
 * tally.c - the LRU lists of cgroups, added up by file and given names.
 *
 * Why here and not in user space: a machine has hundreds of millions of folios
 * and far fewer files, of which people want the largest. So folios are added up
 * where they are met, in a table that grows with the files, up to a size which
 * the caller chooses; a file that finds no room there is counted with its
 * cgroup's other pages. Names come last, from the superblocks of the files
 * (names.c), because a folio leads to an inode and not to a path.
 *
 * May touch: nothing but its own memory. An inode's address is compared, never
 * followed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kdev_t.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "walk/lists.h"
#include "walk/names.h"
#include "walk/queue.h"
#include "walk/snapshot.h"
#include "walk/tally.h"

/* More than this many cgroups are refused: 160 bytes each. */
#define TALLY_MAX_CGROUPS BIT(18)

/* Sizes of files that are distinguished in their order: pages by powers of two. */
#define TALLY_NR_SIZES 65

/* Files in one piece of the table. */
#define TALLY_PIECE 512
/* The table of buckets doubles when it has one for each file, from so many on. */
#define TALLY_FIRST_BITS 10

/*
 * struct tally_file - pages of one file that are charged to one cgroup
 * @number: its place in the table
 * @path: NULL while, or if, none was found
 * @sb: index of its superblock among those that names are looked for in
 */
struct tally_file {
	struct hlist_node node;
	const struct inode *inode;
	u64 ino;
	u64 cgroup;
	u64 size_bytes;
	u64 pages[PCINSPECT_NR_LISTS];
	u64 generation_pages[PCINSPECT_LISTS_NR_GENS];
	u64 dirty_pages;
	u64 inode_age_ns; /* 0: unknown */
	u64 mapped_pages;
	char *path;
	u32 i_generation;
	umode_t mode;
	bool maybe_deleted;
	u32 nlink;
	u32 sb;
	u32 number;
};

/*
 * struct tally - one call
 * @pieces: of the table, as many as @nr_files need
 * @last: of the folio before
 * @memory: bytes that are freed with it; what is in @out lives longer
 */
struct tally {
	struct pcinspect_tally *out;
	struct pcinspect_queue *queue;
	struct pcinspect_scan_names names;
	struct tally_file *pieces[PCINSPECT_LISTS_MAX_FILES / TALLY_PIECE];
	struct tally_file *last;
	struct tally_file **order;
	struct hlist_head *buckets;
	unsigned int bits;
	u32 nr_files;
	u32 max_files;
	u32 nr_given;
	u64 wanted;
	size_t memory;
};

/* The memory of all calls under way. */
static atomic_long_t tally_memory = ATOMIC_LONG_INIT(0);

/* In bytes. Context: any. */
size_t pcinspect_tally_memory(void)
{
	return atomic_long_read(&tally_memory);
}

/* Count memory of a call. @of: its sum. */
static void tally_took(size_t *of, size_t bytes)
{
	*of += bytes;
	atomic_long_add(bytes, &tally_memory);
}

/*
 * It is the caller's cgroup that pays, whose cache has to make room perhaps;
 * nobody there is to be killed for it.
 */
#define TALLY_GFP (GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* An array of a call, cleared, or NULL. @of: where it is counted. */
static void *tally_alloc(size_t *of, size_t nr, size_t size)
{
	void *array = kvcalloc(nr, size, TALLY_GFP);

	if (array)
		tally_took(of, nr * size);
	return array;
}

static struct hlist_head *tally_bucket(struct tally *tally,
				       const struct inode *inode)
{
	return &tally->buckets[hash_ptr((void *)inode, tally->bits)];
}

static struct tally_file *tally_at(const struct tally *tally, u32 number)
{
	return &tally->pieces[number / TALLY_PIECE][number % TALLY_PIECE];
}

static u64 tally_pages(const struct tally_file *file)
{
	return file->pages[PCINSPECT_LIST_ACTIVE] +
	       file->pages[PCINSPECT_LIST_INACTIVE];
}

static bool tally_is(const struct tally_file *file,
		     const struct pcinspect_whose *whose, u64 cgroup)
{
	return file->inode == whose->inode && file->cgroup == cgroup &&
	       file->ino == whose->ino &&
	       file->i_generation == whose->i_generation;
}

static struct tally_file *tally_find(struct tally *tally,
				     const struct pcinspect_met *met, u64 cgroup)
{
	const struct pcinspect_whose *whose = met->whose;
	struct tally_file *file = tally->last;

	if (likely(file && tally_is(file, whose, cgroup)))
		return file;
	hlist_for_each_entry(file, tally_bucket(tally, whose->inode), node)
		if (tally_is(file, whose, cgroup))
			return file;
	return NULL;
}

/*
 * A bucket for each file again. Without memory chains get longer, no more.
 * Seldom, and so apart from what each folio passes.
 */
static noinline void tally_spread(struct tally *tally, unsigned int bits)
{
	struct hlist_head *more, *old = tally->buckets;
	unsigned int old_bits = tally->bits;
	struct tally_file *file;
	u32 i;

	more = tally_alloc(&tally->memory, 1UL << bits, sizeof(*more));
	if (!more)
		return;
	tally->buckets = more;
	tally->bits = bits;
	for (i = 0; i < tally->nr_files; i++) {
		file = tally_at(tally, i);
		hlist_add_head(&file->node, tally_bucket(tally, file->inode));
		if (!(i % 1024))
			cond_resched();
	}
	kvfree(old);
	tally_took(&tally->memory, -(sizeof(*old) << old_bits));
}

/* A new entry of the table; NULL: there is no room; or -ENOMEM. */
static struct tally_file *tally_new(struct tally *tally)
{
	u32 number = tally->nr_files;
	struct tally_file **piece = &tally->pieces[number / TALLY_PIECE];
	struct tally_file *file;

	if (number == tally->max_files)
		return NULL;
	if (!*piece)
		*piece = tally_alloc(&tally->memory, TALLY_PIECE,
				     sizeof(**piece));
	if (!*piece)
		return ERR_PTR(-ENOMEM);
	/* Where there was no memory it is tried again at twice as many files. */
	if (number >> tally->bits && is_power_of_2(number))
		tally_spread(tally, ilog2(number) + 1);
	file = tally_at(tally, number);
	file->number = number;
	return file;
}

static struct tally_file *tally_add(struct tally *tally,
				    const struct pcinspect_met *met, u64 cgroup)
{
	struct tally_file *file = tally_new(tally);
	int sb;

	if (IS_ERR_OR_NULL(file))
		return file;
	sb = pcinspect_scan_names_learn(&tally->names, met->whose->sb,
					met->whose->type, met->whose->owner,
					met->whose->fs, met->whose->dev);
	if (sb < 0)
		return NULL;
	tally->nr_files++;
	file->inode = met->whose->inode;
	file->ino = met->whose->ino;
	file->i_generation = met->whose->i_generation;
	file->cgroup = cgroup;
	file->mode = met->whose->mode;
	file->sb = sb;
	hlist_add_head(&file->node, tally_bucket(tally, met->whose->inode));
	return file;
}

static int tally_list(void *arg, const struct pcinspect_next_list *list)
{
	struct tally *tally = arg;

	return pcinspect_queue_list(tally->queue, list);
}

/* Its place in the order, if that is wanted. */
static int tally_queue(struct tally *tally, const struct pcinspect_met *met,
		       u32 file)
{
	return tally->queue ? pcinspect_queue_met(tally->queue, met, file) : 0;
}

static int tally_met(void *arg, struct pcinspect_list_cgroup *cgroup,
		     const struct pcinspect_met *met)
{
	const struct pcinspect_kind *kind = &met->kind;
	u64 pages = met->pages * met->folios;
	struct tally *tally = arg;
	struct tally_file *file;
	unsigned int list = kind->active ? PCINSPECT_LIST_ACTIVE :
					   PCINSPECT_LIST_INACTIVE;

	if (!met->whose->inode) {
		if (met->whose->lazyfree)
			cgroup->lazyfree_pages += pages;
		else
			cgroup->leaving_pages += pages;
		return met->whose->lazyfree ?
			       tally_queue(tally, met, PCINSPECT_NEXT_NO_FILE) :
			       0;
	}
	file = tally_find(tally, met, cgroup->id);
	if (!file)
		file = tally_add(tally, met, cgroup->id);
	if (IS_ERR(file))
		return PTR_ERR(file);
	if (!file) {
		cgroup->other_pages += pages;
		return tally_queue(tally, met, PCINSPECT_NEXT_NO_FILE);
	}
	tally->last = file;
	cgroup->file_pages[list] += pages;
	file->pages[list] += pages;
	if (kind->age >= 0)
		file->generation_pages[kind->age] += pages;
	if (kind->dirty)
		file->dirty_pages += pages;
	if (kind->mapped)
		file->mapped_pages += pages;
	file->size_bytes = met->whose->size_bytes;
	file->nlink = met->whose->nlink;
	file->maybe_deleted = met->whose->maybe_deleted;
	return tally_queue(tally, met, file->number);
}

static int tally_cgroup(void *arg, const struct pcinspect_list_cgroup *cgroup,
			struct cgroup *of)
{
	struct tally *tally = arg;
	struct pcinspect_tally *out = tally->out;
	struct pcinspect_list_cgroup *more;
	size_t max;

	if (out->nr_cgroups == out->max_cgroups) {
		max = max(2 * out->max_cgroups, 64UL);
		if (max > TALLY_MAX_CGROUPS)
			return -E2BIG;
		more = tally_alloc(&out->memory, max, sizeof(*more));
		if (!more)
			return -ENOMEM;
		if (out->cgroups)
			memcpy(more, out->cgroups,
			       out->nr_cgroups * sizeof(*more));
		kvfree(out->cgroups);
		tally_took(&out->memory, -out->max_cgroups * sizeof(*more));
		out->cgroups = more;
		out->max_cgroups = max;
	}
	out->cgroups[out->nr_cgroups++] = *cgroup;
	return 0;
}

/* --- names ----------------------------------------------------------------- */

/* Is this inode's name wanted? Under s_inode_list_lock. */
static bool tally_wants(void *arg, const struct inode *inode)
{
	struct tally *tally = arg;
	struct tally_file *file;

	hlist_for_each_entry(file, tally_bucket(tally, inode), node)
		if (file->inode == inode && file->ino == inode->i_ino &&
		    file->i_generation == inode->i_generation && !file->path)
			return true;
	return false;
}

/* Give an inode's rows its name. Returns 0, 1: all are named, -ENOMEM. */
static int tally_name(void *arg, const struct inode *inode, const char *path)
{
	struct tally *tally = arg;
	struct tally_file *file;

	hlist_for_each_entry(file, tally_bucket(tally, inode), node) {
		if (file->inode != inode || file->ino != inode->i_ino ||
		    file->i_generation != inode->i_generation || file->path)
			continue;
		file->nlink = inode->i_nlink;
		file->inode_age_ns = pcinspect_snapshot_inode_age(inode);
		file->maybe_deleted = pcinspect_snapshot_maybe_deleted(inode);
		file->path = kstrdup(path ?: "", TALLY_GFP);
		if (!file->path)
			return -ENOMEM;
		tally_took(&tally->memory, strlen(file->path) + 1);
		tally->wanted--;
	}
	return !tally->wanted;
}

/* --- the answer ------------------------------------------------------------ */

static void tally_fill(struct tally *tally, const struct tally_file *file,
		       struct pcinspect_list_file *row)
{
	const struct pcinspect_super *sb = &tally->names.sbs[file->sb];
	size_t len = file->path ? strlen(file->path) : 0;

	memset(row, 0, sizeof(*row));
	row->record_size = ALIGN(sizeof(*row) + len, 8);
	row->path_len = len;
	if (len)
		row->flags |= PCINSPECT_F_PATH;
	if (!file->nlink && S_ISREG(file->mode))
		row->flags |= PCINSPECT_F_DELETED;
	if (file->maybe_deleted)
		row->flags |= PCINSPECT_F_MAYBE_DELETED;
	if (S_ISBLK(file->mode))
		row->flags |= PCINSPECT_F_BLOCK_DEVICE;
	row->dev_major = MAJOR(sb->dev);
	row->dev_minor = MINOR(sb->dev);
	row->i_generation = file->i_generation;
	row->mode = file->mode;
	row->nlink = file->nlink;
	row->ino = file->ino;
	row->cgroup = file->cgroup;
	row->size_bytes = file->size_bytes;
	memcpy(row->pages, file->pages, sizeof(row->pages));
	memcpy(row->generation_pages, file->generation_pages,
	       sizeof(row->generation_pages));
	row->dirty_pages = file->dirty_pages;
	row->inode_age_ms = PCINSPECT_UNKNOWN;
	if (file->dirty_pages && file->inode_age_ns)
		row->inode_age_ms = div_u64(file->inode_age_ns, NSEC_PER_MSEC);
	row->mapped_pages = file->mapped_pages;
	strscpy(row->fs, sb->fs, sizeof(row->fs));
	memcpy(row + 1, file->path, len);
}

/* As many of the largest as there is room for. */
static int tally_write(struct tally *tally, struct pcinspect_lists *lists)
{
	struct pcinspect_tally *out = tally->out;
	size_t size = 0, more;
	u32 i, nr;

	for (nr = 0; nr < tally->nr_given; nr++) {
		const char *path = tally->order[nr]->path;

		more = ALIGN(sizeof(struct pcinspect_list_file) +
				     (path ? strlen(path) : 0),
			     8);
		if (size + more > lists->files_size)
			break;
		size += more;
		if (!(nr % 1024))
			cond_resched();
	}
	lists->nr_given = nr;
	if (!nr)
		return 0;
	out->files = tally_alloc(&out->memory, 1, size);
	if (!out->files)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		struct pcinspect_list_file *row = out->files + out->files_used;

		tally_fill(tally, tally->order[i], row);
		out->files_used += row->record_size;
		if (!(i % 1024))
			cond_resched();
	}
	return 0;
}

/* Which number each of them has in the rows. */
static int tally_numbers(struct tally *tally,
			 const struct pcinspect_lists *lists)
{
	u32 i;
	int err = 0;

	for (i = 0; i < lists->nr_given && !err; i++) {
		err = pcinspect_queue_number(tally->queue, i,
					     tally->order[i]->number);
		if (!(i % 1024))
			cond_resched();
	}
	return err;
}

/* How many files have that many pages, by powers of two, or more. */
static void tally_place(struct tally *tally, u32 *place)
{
	unsigned int bits;
	u32 i, nr, before = 0;

	for (i = 0; i < tally->nr_files; i++) {
		place[fls64(tally_pages(tally_at(tally, i)))]++;
		if (!(i % 1024))
			cond_resched();
	}
	for (bits = TALLY_NR_SIZES; bits--;) {
		nr = place[bits];
		place[bits] = before;
		before += nr;
	}
}

/*
 * Those with more pages first, by powers of two, and of equals those met first:
 * in time that grows with the files only, and with turns for others. A file not
 * given needs no name and is not looked for.
 */
static int tally_sort(struct tally *tally, struct pcinspect_lists *lists)
{
	u32 place[TALLY_NR_SIZES] = {};
	struct tally_file *file;
	u32 i, given;

	tally->order = tally_alloc(&tally->memory, tally->nr_files,
				   sizeof(*tally->order));
	if (!tally->order)
		return -ENOMEM;
	tally_place(tally, place);
	given = min_t(u64, tally->nr_files,
		      lists->files_size / sizeof(struct pcinspect_list_file));
	for (i = 0; i < tally->nr_files; i++) {
		file = tally_at(tally, i);
		tally->order[place[fls64(tally_pages(file))]++] = file;
		if (!(i % 1024))
			cond_resched();
	}
	for (i = given; i < tally->nr_files; i++) {
		hlist_del(&tally->order[i]->node);
		if (!(i % 1024))
			cond_resched();
	}
	tally->nr_given = given;
	tally->wanted = given;
	return 0;
}

static int tally_begin(struct tally *tally, u32 max_files)
{
	tally->max_files = clamp(max_files, 1U, PCINSPECT_LISTS_MAX_FILES);
	tally->bits = TALLY_FIRST_BITS;
	tally->buckets = tally_alloc(&tally->memory, 1UL << tally->bits,
				     sizeof(*tally->buckets));
	return tally->buckets ? 0 : -ENOMEM;
}

static void tally_end(struct tally *tally)
{
	u32 i;

	for (i = 0; i < tally->nr_files; i++) {
		kfree(tally_at(tally, i)->path);
		if (!(i % 1024))
			cond_resched();
	}
	for (i = 0; i < ARRAY_SIZE(tally->pieces) && tally->pieces[i]; i++)
		kvfree(tally->pieces[i]);
	kvfree(tally->buckets);
	kvfree(tally->order);
	tally_took(&tally->memory, -tally->memory);
}

/**
 * pcinspect_tally_take() - add up the LRU lists of cgroups by file
 * @tally: filled in; to be freed with pcinspect_tally_free(), also after an error
 * @cgroup: it and all below it; NULL: all there are
 * @lists: in: max_files, files_size; out: all else but nr_cgroups and what is
 *	copied to user space
 * @queue: where the folios go in their order; NULL: nobody wants it
 *
 * Context: process context, sleeps; no lock held.
 * Return: 0, -EOPNOTSUPP (no memory controller), -ENOMEM, -E2BIG (too many
 * cgroups), -EINTR, -EFAULT (@queue's memory).
 */
int pcinspect_tally_take(struct pcinspect_tally *tally, struct cgroup *cgroup,
			 struct pcinspect_lists *lists,
			 struct pcinspect_queue *queue)
{
	static const struct pcinspect_lists_ops ops = {
		.cgroup = tally_cgroup,
		.met = tally_met,
	};
	static const struct pcinspect_lists_ops in_order = {
		.cgroup = tally_cgroup,
		.list = tally_list,
		.met = tally_met,
	};
	static const struct pcinspect_scan_names_ops names = {
		.wants = tally_wants,
		.name = tally_name,
	};
	struct tally *work;
	int err;

	memset(tally, 0, sizeof(*tally));
	work = kvzalloc(sizeof(*work), GFP_KERNEL);
	if (!work)
		return -ENOMEM;
	work->out = tally;
	work->queue = queue;
	err = tally_begin(work, lists->max_files);
	if (!err)
		err = pcinspect_lists_walk(cgroup, queue ? &in_order : &ops,
					   work, lists,
					   queue ? &queue->next->changed : NULL);
	if (!err && queue)
		err = pcinspect_queue_end(queue);
	if (!err && work->nr_files)
		err = tally_sort(work, lists);
	if (!err && work->wanted)
		err = pcinspect_scan_for_names(&work->names, &names, work);
	if (!err)
		err = tally_write(work, lists);
	if (!err && queue)
		err = tally_numbers(work, lists);
	lists->nr_files = work->nr_files;
	lists->files_used = tally->files_used;
	lists->skipped = work->names.skipped;
	lists->nr_cgroups = tally->nr_cgroups;
	tally_end(work);
	kvfree(work);
	return err;
}

/* Free what pcinspect_tally_take() made. */
void pcinspect_tally_free(struct pcinspect_tally *tally)
{
	kvfree(tally->cgroups);
	kvfree(tally->files);
	tally_took(&tally->memory, -tally->memory);
}
