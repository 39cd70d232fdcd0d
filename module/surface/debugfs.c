// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - the read-only text files.
 *
 * Why read-only, without ioctl and mmap: only such files may be opened under
 * lockdown (debugfs_locked_down(), fs/debugfs/file.c). Everything that acts is
 * in chardev.c.
 *
 * A table is gathered when it is opened, so that one reading is one moment and
 * nothing is locked while it is copied to user space; if it is larger than a
 * page, page by page.
 *
 * May touch: its own files. Folders of explicit records come and go in
 * mark.c's worker only.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cgroup.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/utsname.h>

#include "account/devices.h"
#include "account/evictor.h"
#include "control/mark.h"
#include "hooks/attach.h"
#include "hooks/demand.h"
#include "hooks/group.h"
#include "hooks/limit.h"
#include "records/dirty.h"
#include "records/ledger.h"
#include "records/memory.h"
#include "records/meter.h"
#include "records/operation.h"
#include "records/scope.h"
#include "records/track.h"
#include "records/unused.h"
#include "surface/debugfs.h"
#include "surface/render.h"
#include "walk/answer.h"
#include "walk/lists.h"
#include "walk/lru.h"
#include "walk/rows.h"
#include "walk/scan.h"
#include "walk/snapshot.h"
#include "walk/tally.h"

static struct dentry *debugfs_root;
static struct dentry *debugfs_inode;

/* Memory for a page of a table: the default of 16,384 records, without sections. */
#define TABLE_MAX (16UL << 20)

/* Rows passed over to find the place in a table again. */
static atomic64_t table_steps;

/* --- info ---------------------------------------------------------------- */

enum hook_state {
	HOOK_ATTACHED,
	HOOK_DETACHED,
	HOOK_ABSENT,
	HOOK_MISSING,
	HOOK_NR_STATES,
};

static enum hook_state hook_state(const struct pcinspect_hook *hook)
{
	if (hook->attached)
		return HOOK_ATTACHED;
	if (hook->type == &pcinspect_hook_event && !hook->tp)
		return HOOK_MISSING;
	if (hook->err == -ENOENT && (hook->optional || hook->fs))
		return HOOK_ABSENT;
	if (hook->err)
		return HOOK_MISSING;
	return hook->users ? HOOK_ABSENT : HOOK_DETACHED;
}

/* One line for all: those that are absent are no loss, and do not count. */
static void info_hooks(struct seq_file *m)
{
	unsigned int nr[HOOK_NR_STATES] = {};
	const struct pcinspect_hook *hook;
	unsigned int i, listed = 0;

	for (i = 0; (hook = pcinspect_hook_get(i)); i++)
		nr[hook_state(hook)]++;
	seq_printf(m, "hooks: %u of %u attached", nr[HOOK_ATTACHED],
		   nr[HOOK_ATTACHED] + nr[HOOK_DETACHED] + nr[HOOK_MISSING]);
	for (i = 0; (hook = pcinspect_hook_get(i)); i++)
		if (hook_state(hook) == HOOK_MISSING)
			seq_printf(m, "%s %s",
				   listed++ ? "," : "; missing:", hook->name);
	seq_puts(m, listed ? "\n" : "; none is missing\n");
}

/* A probe may stand in a function that this kernel has inlined everywhere. */
static void info_uncalled(struct seq_file *m)
{
	const struct pcinspect_hook *hook;
	bool any = false;
	unsigned int i;

	seq_puts(m, "hooks_not_called:");
	for (i = 0; (hook = pcinspect_hook_get(i)); i++) {
		if (!pcinspect_hook_uncalled(hook))
			continue;
		seq_printf(m, " %s", hook->name);
		any = true;
	}
	seq_puts(m, any ? "\n" : " -\n");
}

/* Folders of tracked inodes, made and removed by one worker. */
static unsigned int pin_folders;

/* A folder and its six files: their names and inodes. */
static size_t info_folders(void)
{
	return READ_ONCE(pin_folders) * 7 *
	       (sizeof(struct dentry) + sizeof(struct inode));
}

/* All that is allocated: what does not go with the module's own image. */
static size_t info_memory(void)
{
	return pcinspect_track_memory() + pcinspect_ledger_memory() +
	       pcinspect_sparse_memory() + pcinspect_unused_memory() +
	       pcinspect_dirty_memory() + pcinspect_operation_memory() +
	       pcinspect_evictor_memory() + pcinspect_devices_memory() +
	       pcinspect_hooks_memory() + pcinspect_demand_memory() +
	       pcinspect_mark_memory() + pcinspect_answer_memory() +
	       pcinspect_lists_memory() + pcinspect_tally_memory() +
	       info_folders();
}

/* --- hooks --------------------------------------------------------------- */

/* The numbers that a hook's absence makes unknown, and on which filesystems. */
static void hook_lost(struct seq_file *m, const struct pcinspect_hook *hook)
{
	const struct pcinspect_range *range = hook->numbers;
	unsigned int n;

	if (!range) {
		seq_putc(m, '\n');
		return;
	}
	if (hook->fs || hook->not_fs)
		seq_printf(m, " %son %s:", hook->fs ? "" : "not ",
			   hook->fs ?: hook->not_fs);
	else
		seq_puts(m, " everywhere:");
	for (; range->first != PCINSPECT_NR_NUMBERS; range++)
		for (n = range->first; n <= range->last; n++)
			pcinspect_render_name(m, n);
	seq_putc(m, '\n');
}

static void hook_missing(struct seq_file *m, const struct pcinspect_hook *hook)
{
	if (hook->type == &pcinspect_hook_event && !hook->tp)
		seq_puts(m, "missing: this kernel has no such tracepoint");
	else if (hook->err == -EBUSY)
		seq_puts(m,
			 "missing: ftrace is switched off (sysctl kernel.ftrace_enabled=1; then untrack all, and track again)");
	else if (hook->err == -EDQUOT)
		seq_puts(m,
			 "missing: probes took more of a CPU than max_overhead; untrack all, and track again");
	else if (hook->err == -EPROTOTYPE)
		seq_puts(m,
			 "missing: its arguments are not those that its probe is for");
	else
		seq_printf(m, "missing: registering failed with %d", hook->err);
	seq_printf(m, " (unknown without it: %s)", hook->purpose);
	hook_lost(m, hook);
}

/* A line for each, and for those that are not attached what that costs. */
static void hooks_all(struct seq_file *m)
{
	const struct pcinspect_hook *hook;
	unsigned int i;

	for (i = 0; (hook = pcinspect_hook_get(i)); i++) {
		seq_printf(m, "hook %s: ", hook->name);
		switch (hook_state(hook)) {
		case HOOK_ATTACHED:
			seq_puts(m, "attached\n");
			break;
		case HOOK_ABSENT:
			seq_printf(m, "absent: %s (it is for: %s)\n",
				   hook->users && !hook->err ?
					   "no block device is tracked, and there is no run" :
					   "not in this kernel, or its module is not loaded",
				   hook->purpose);
			break;
		case HOOK_DETACHED:
			seq_printf(m,
				   "detached: nothing is tracked (unknown meanwhile: %s)\n",
				   hook->purpose);
			break;
		default:
			hook_missing(m, hook);
		}
	}
}

static int hooks_show(struct seq_file *m, void *unused)
{
	if (pcinspect_mark_settle() || pcinspect_demand_settle())
		return -EINTR;
	hooks_all(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(hooks);

/* --- info, which ends with the hooks -------------------------------------- */

static int info_show(struct seq_file *m, void *unused)
{
	const struct pcinspect_track *track = &pcinspect_track;
	unsigned int entries;
	u64 hold_ns;

	if (pcinspect_mark_settle() || pcinspect_demand_settle())
		return -EINTR;
	seq_printf(m, "module: %s\n", THIS_MODULE->version);
	seq_printf(m, "format: %d\n", PCINSPECT_FORMAT_VERSION);
	seq_printf(m, "abi: %d\n", PCINSPECT_ABI_VERSION);
	seq_printf(m, "kernel: %s\n", init_utsname()->release);
	seq_printf(m, "page_size: %lu\n", PAGE_SIZE);
	seq_printf(m, "lru: %s\n",
		   pcinspect_lru_gen_enabled() ? "mglru" : "classic");
	seq_printf(m, "auto: %d\n", track->automatic);
	seq_printf(m, "max_inodes: %u\n", track->max_inodes);
	seq_printf(m, "max_explicit: %u\n", PCINSPECT_MAX_EXPLICIT);
	seq_printf(m, "max_dirty_bytes: %lu\n", pcinspect_dirty_max());
	seq_printf(m, "max_memory_bytes: %ld\n", pcinspect_memory_max());
	seq_printf(m, "auto_records: %u\n", READ_ONCE(track->nr_auto));
	seq_printf(m, "explicit_records: %u\n", READ_ONCE(track->nr_explicit));
	seq_printf(m, "ledgers: %u\n", READ_ONCE(track->nr_ledgers));
	seq_printf(m, "memory_bytes: %zu\n", info_memory());
	seq_printf(m, "lost_inodes: %llu\n", pcinspect_track_lost());
	seq_printf(m, "lost_ledgers: %llu\n", pcinspect_ledger_lost(false));
	seq_printf(m, "lost_windows: %llu\n", pcinspect_ledger_lost(true));
	seq_printf(m, "lost_dirty_times: %llu\n", pcinspect_dirty_lost());
	seq_printf(m, "lost_frames: %llu\n", pcinspect_operation_lost());
	seq_printf(m, "probes_missed: %llu\n", pcinspect_hooks_missed());
	seq_printf(m, "run: %s\n", pcinspect_scope_run() ? "active" : "none");
	seq_printf(m, "demand_users: %u\n", pcinspect_demand_users());
	seq_printf(m, "demand: %s\n", pcinspect_demand_state());
	entries = pcinspect_scan_longest_hold(&hold_ns);
	seq_printf(m, "longest_list_hold: %u entries, %llu ns\n", entries,
		   hold_ns);
	seq_printf(m, "list_steps: %llu inodes, %llu pages of answers\n",
		   pcinspect_scan_passed(), pcinspect_answer_pages());
	seq_printf(m, "overhead_permille: %u\n", pcinspect_limit_permille());
	seq_printf(m, "max_overhead_percent: %u\n", pcinspect_limit_max());
	seq_printf(m, "longest_probe: %llu ns\n", pcinspect_meter_longest());
	seq_printf(m, "longest_lru_hold: %llu ns\n",
		   pcinspect_lists_longest_ns());
	seq_printf(m, "table_steps: %lld rows\n",
		   (long long)atomic64_read(&table_steps));
	info_uncalled(m);
	info_hooks(m);
	hooks_all(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(info);

/* --- inodes -------------------------------------------------------------- */

/*
 * struct table - a table being read
 * @answer: its rows, a page of them at a time
 * @broken: gathering a page ended with an error
 * @base: rows on the pages before
 * @row: the row of this page that was read last, counted from 0
 */
struct table {
	struct pcinspect_answer *answer;
	bool detail;
	bool broken;
	u64 base;
	u64 row;
	size_t offset;
};

static struct pcinspect_snapshot *table_row(const struct table *table)
{
	return pcinspect_answer_rows(table->answer)->data + table->offset;
}

/* Rows of this page. */
static unsigned int table_count(const struct table *table)
{
	return pcinspect_answer_rows(table->answer)->page_count;
}

/* Gather the page that begins with row @base: the first, or the next. */
static int table_gather(struct table *table, u64 base)
{
	if (!base) {
		pcinspect_answer_free(table->answer);
		table->answer =
			pcinspect_answer_new(NULL, 0,
					     table->detail ?
						     PCINSPECT_LIST_DETAIL :
						     0,
					     false);
		if (!table->answer)
			return -ENOMEM;
	}
	table->base = base;
	table->row = 0;
	table->offset = 0;
	return pcinspect_answer_page(table->answer, TABLE_MAX);
}

static void *inodes_start(struct seq_file *m, loff_t *pos)
{
	struct table *table = m->private;
	u64 row = *pos - 1;
	int err = 0;

	if (!*pos)
		return SEQ_START_TOKEN;
	/* After an error there is nothing to go on from: from the beginning. */
	if (row < table->base || table->broken)
		err = table_gather(table, 0);
	while (!err && row >= table->base + table_count(table)) {
		if (!pcinspect_answer_more(table->answer))
			return NULL;
		err = table_gather(table, table->base + table_count(table));
	}
	table->broken = err;
	if (err)
		return ERR_PTR(err);
	/* Readers go forward, from where they were. */
	row -= table->base;
	if (row < table->row) {
		table->row = 0;
		table->offset = 0;
	}
	for (; table->row < row; table->row++) {
		table->offset += table_row(table)->record_size;
		atomic64_inc(&table_steps);
	}
	return table_row(table);
}

static void *inodes_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct table *table = m->private;
	u64 row = (*pos)++ - table->base;

	/*
	 * On the next page, which is gathered here: NULL is the end for who has
	 * met no row that says something yet, or looks for a place in the text
	 * (seq_read_iter(), traverse(), fs/seq_file.c).
	 */
	if (row >= table_count(table))
		return inodes_start(m, pos);
	if (v == SEQ_START_TOKEN)
		table->offset = 0;
	else
		table->offset += table_row(table)->record_size;
	table->row = row;
	return table_row(table);
}

static void inodes_stop(struct seq_file *m, void *v)
{
}

/* The folder of a row's inode, or NULL if it has none. */
static const char *row_name(const struct pcinspect_snapshot *snap, char *name,
			    size_t size)
{
	return snap->id && !pcinspect_mark_name(snap->id, name, size) ? name :
									NULL;
}

/* A table: its header, then what each record has to say. */
#define TABLE_OPS(table, header, render, ...)                       \
	static int table##_show(struct seq_file *m, void *v)        \
	{                                                           \
		const struct pcinspect_snapshot *snap = v;          \
		char name[PCINSPECT_PIN_NAME_LEN];                  \
		if (v == SEQ_START_TOKEN)                           \
			header(m, ##__VA_ARGS__);                   \
		else                                                \
			render(m, ##__VA_ARGS__, snap,              \
			       row_name(snap, name, sizeof(name))); \
		return 0;                                           \
	}                                                           \
	static const struct seq_operations table##_seq_ops = {      \
		.start = inodes_start,                              \
		.next = inodes_next,                                \
		.stop = inodes_stop,                                \
		.show = table##_show,                               \
	}

TABLE_OPS(inodes, pcinspect_render_header, pcinspect_render_row,
	  PCINSPECT_RENDER_INODES);
TABLE_OPS(reads, pcinspect_render_header, pcinspect_render_row,
	  PCINSPECT_RENDER_READS);
TABLE_OPS(dirty, pcinspect_render_header, pcinspect_render_row,
	  PCINSPECT_RENDER_DIRTY);
TABLE_OPS(readahead, pcinspect_render_windows_header, pcinspect_render_windows);
TABLE_OPS(fsync, pcinspect_render_fsync_header, pcinspect_render_fsyncs);

static int table_release(struct inode *inode, struct file *file)
{
	struct table *table = ((struct seq_file *)file->private_data)->private;

	pcinspect_answer_free(table->answer);
	return seq_release_private(inode, file);
}

/* The reading of a table is one moment, that of open(2); of a page, if it is larger. */
static int table_open(struct inode *inode, struct file *file,
		      const struct seq_operations *ops, bool detail)
{
	struct table *table = __seq_open_private(file, ops, sizeof(*table));
	int err;

	if (!table)
		return -ENOMEM;
	table->detail = detail;
	err = table_gather(table, 0);
	if (err)
		table_release(inode, file);
	return err;
}

#define TABLE_FOPS(table, detail)                                         \
	static int table##_open(struct inode *inode, struct file *file)   \
	{                                                                 \
		return table_open(inode, file, &table##_seq_ops, detail); \
	}                                                                 \
	static const struct file_operations table##_fops = {              \
		.owner = THIS_MODULE,                                     \
		.open = table##_open,                                     \
		.read = seq_read,                                         \
		.llseek = seq_lseek,                                      \
		.release = table_release,                                 \
	}

TABLE_FOPS(inodes, false);
TABLE_FOPS(reads, true);
TABLE_FOPS(readahead, true);
TABLE_FOPS(dirty, true);
TABLE_FOPS(fsync, true);

/* --- cgroups ------------------------------------------------------------- */

/* One memory cgroup, without those below it. */
static int cgroups_line(void *arg, const struct pcinspect_list_cgroup *cgroup,
			struct cgroup *of)
{
	struct seq_file *m = arg;
	unsigned int age;
	char *path;

	seq_printf(m, "%llu %llu %llu %llu", cgroup->id,
		   cgroup->counted_pages[PCINSPECT_LIST_ACTIVE],
		   cgroup->counted_pages[PCINSPECT_LIST_INACTIVE],
		   cgroup->unevictable_pages);
	for (age = 0; age < PCINSPECT_LISTS_NR_GENS; age++)
		if (cgroup->flags & PCINSPECT_CGROUP_GENERATIONS)
			seq_printf(m, " %llu", cgroup->generation_pages[age]);
		else
			seq_puts(m, " ?");
	seq_putc(m, ' ');
	path = of ? kmalloc(PATH_MAX, GFP_KERNEL) : NULL;
	if (path && cgroup_path(of, path, PATH_MAX) > 0)
		pcinspect_render_path(m, path, strlen(path),
				      cgroup->flags & PCINSPECT_CGROUP_OFFLINE);
	else
		seq_putc(m, '?');
	seq_putc(m, '\n');
	kfree(path);
	return 0;
}

static int cgroups_show(struct seq_file *m, void *unused)
{
	static const struct pcinspect_lists_ops ops = { .cgroup = cgroups_line };

	seq_puts(m,
		 "cgroup active inactive unevictable gen0 gen1 gen2 gen3 path\n");
	return pcinspect_lists_count(&ops, m);
}
DEFINE_SHOW_ATTRIBUTE(cgroups);

/* --- inode/<major>:<minor>:<ino>/ ---------------------------------------- */

static int lru_show(struct seq_file *m, void *unused)
{
	const struct pcinspect_pin *pin = m->private;
	struct pcinspect_snapshot *snap;
	int err = -ENOMEM;

	snap = kmalloc(sizeof(*snap), GFP_KERNEL);
	if (snap)
		err = pcinspect_mark_snapshot(pin->id, snap);
	if (!err)
		pcinspect_render_lru(m, snap);
	kfree(snap);
	return err;
}
DEFINE_SHOW_ATTRIBUTE(lru);

/* One explicit record with its sections, rendered by @render. */
static int pin_detail_show(struct seq_file *m,
			   void (*render)(struct seq_file *m,
					  const struct pcinspect_snapshot *snap))
{
	const struct pcinspect_pin *pin = m->private;
	struct pcinspect_rows rows;
	int err;

	err = pcinspect_rows_init(&rows, true);
	if (err)
		return err;
	err = pcinspect_mark_row(pin->id, &rows);
	if (!err)
		render(m, rows.data);
	pcinspect_rows_free(&rows);
	return err;
}

static int pin_reads_show(struct seq_file *m, void *unused)
{
	return pin_detail_show(m, pcinspect_render_reads);
}
DEFINE_SHOW_ATTRIBUTE(pin_reads);

/* A table of one file: its header, then what the record has to say. */
#define PIN_SHOW(table, header, render, ...)                                  \
	static void pin_render_##table(struct seq_file *m,                    \
				       const struct pcinspect_snapshot *snap) \
	{                                                                     \
		const struct pcinspect_pin *pin = m->private;                 \
		header(m, ##__VA_ARGS__);                                     \
		render(m, ##__VA_ARGS__, snap, pin->name);                    \
	}                                                                     \
	static int pin_##table##_show(struct seq_file *m, void *unused)       \
	{                                                                     \
		return pin_detail_show(m, pin_render_##table);                \
	}                                                                     \
	DEFINE_SHOW_ATTRIBUTE(pin_##table)

PIN_SHOW(dirty, pcinspect_render_header, pcinspect_render_row,
	 PCINSPECT_RENDER_DIRTY);
PIN_SHOW(fsync, pcinspect_render_fsync_header, pcinspect_render_fsyncs);
PIN_SHOW(readahead, pcinspect_render_windows_header, pcinspect_render_windows);

static int path_show(struct seq_file *m, void *unused)
{
	const struct pcinspect_pin *pin = m->private;
	struct inode *inode = NULL;
	const char *path;
	bool deleted;
	int err = -ENOMEM;
	char *buf;

	buf = kmalloc(PATH_MAX, GFP_KERNEL);
	if (!buf)
		goto out;
	inode = pcinspect_mark_grab(pin->id);
	err = PTR_ERR_OR_ZERO(inode);
	if (err)
		goto out;
	path = pcinspect_snapshot_path(inode, buf);
	deleted = !inode->i_nlink;
	pcinspect_mark_release(inode);
	pcinspect_render_path(m, path, path ? strlen(path) : 0, deleted);
	seq_putc(m, '\n');
out:
	kfree(buf);
	return err;
}
DEFINE_SHOW_ATTRIBUTE(path);

/* Root only, also where somebody opened up /sys/kernel/debug itself. */
static struct dentry *debugfs_private_dir(const char *name,
					  struct dentry *parent)
{
	struct dentry *dir = debugfs_create_dir(name, parent);

	if (!IS_ERR(dir)) {
		inode_lock(d_inode(dir));
		d_inode(dir)->i_mode = S_IFDIR | 0500;
		inode_unlock(d_inode(dir));
	}
	return dir;
}

/* A missing folder is no reason not to track: it may be an error pointer. */
static struct dentry *debugfs_add_pin(struct pcinspect_pin *pin)
{
	struct dentry *dir = debugfs_private_dir(pin->name, debugfs_inode);

	if (!IS_ERR(dir)) {
		debugfs_create_file("lru", 0400, dir, pin, &lru_fops);
		debugfs_create_file("reads", 0400, dir, pin, &pin_reads_fops);
		debugfs_create_file("dirty", 0400, dir, pin, &pin_dirty_fops);
		debugfs_create_file("fsync", 0400, dir, pin, &pin_fsync_fops);
		debugfs_create_file("readahead", 0400, dir, pin,
				    &pin_readahead_fops);
		debugfs_create_file("path", 0400, dir, pin, &path_fops);
		WRITE_ONCE(pin_folders, pin_folders + 1);
	}
	return dir;
}

/* Waits for readers of what it removes. */
static void debugfs_remove_pin(struct dentry *dir)
{
	if (!IS_ERR_OR_NULL(dir))
		WRITE_ONCE(pin_folders, pin_folders - 1);
	debugfs_remove(dir);
}

const struct pcinspect_mark_folders pcinspect_debugfs_folders = {
	.added = debugfs_add_pin,
	.removed = debugfs_remove_pin,
};

/* Make the files. Return: 0, or why there is no debugfs. */
int pcinspect_debugfs_init(void)
{
	int err;

	debugfs_root = debugfs_private_dir("pcinspect", NULL);
	err = PTR_ERR_OR_ZERO(debugfs_root);
	if (err)
		goto out;
	debugfs_create_file("info", 0400, debugfs_root, NULL, &info_fops);
	debugfs_create_file("hooks", 0400, debugfs_root, NULL, &hooks_fops);
	debugfs_create_file("inodes", 0400, debugfs_root, NULL, &inodes_fops);
	debugfs_create_file("reads", 0400, debugfs_root, NULL, &reads_fops);
	debugfs_create_file("dirty", 0400, debugfs_root, NULL, &dirty_fops);
	debugfs_create_file("fsync", 0400, debugfs_root, NULL, &fsync_fops);
	debugfs_create_file("readahead", 0400, debugfs_root, NULL,
			    &readahead_fops);
	debugfs_create_file("cgroups", 0400, debugfs_root, NULL, &cgroups_fops);
	debugfs_inode = debugfs_private_dir("inode", debugfs_root);
	err = PTR_ERR_OR_ZERO(debugfs_inode);
	if (!err)
		return 0;
	pcinspect_debugfs_exit();
out:
	pr_err("no debugfs (%d): this kernel was built or booted without it\n",
	       err);
	return err;
}

/* Remove them; no reader is left on return. */
void pcinspect_debugfs_exit(void)
{
	debugfs_remove(debugfs_root);
}
