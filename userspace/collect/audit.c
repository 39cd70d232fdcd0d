// SPDX-License-Identifier: GPL-2.0-only
/*
 * audit.c - cachestat(2) (6.5 and later) and the mapping's own page count
 * beside the walk.
 *
 * cachestat on an overlayfs fd counts the overlay inode's empty mapping, so it
 * is never asked there.
 */
#include <errno.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "collect/audit.h"
#include "collect/disks.h"

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

/**
 * audit_cachestat() - cachestat(2) of a whole file
 * @fd: open file
 * @cs: filled in
 *
 * Return: 0, or -1 with errno set: ENOSYS before 6.5, EOPNOTSUPP on overlayfs.
 */
int audit_cachestat(int fd, struct audit_cachestat *cs)
{
	struct { uint64_t off, len; } range = { 0, 0 };
	struct statfs fs;

	if (!fstatfs(fd, &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return syscall(SYS_cachestat, fd, &range, cs, 0);
}

/* Ask the module what it could not count. */
void losses_read(struct report *report, int device)
{
	static struct pcinspect_devices rows;
	struct pcinspect_about about;

	if (!ioctl(device, PCINSPECT_IOC_ABOUT, &about))
		report->about.lost_inodes = about.lost_inodes;
	rows.size = sizeof(rows);
	if (ioctl(device, PCINSPECT_IOC_DEVICES, &rows))
		return;
	report->losses = (struct losses){
		.known = true,
		.windows = rows.lost_windows,
		.ledgers = rows.lost_ledgers,
		.frames = rows.lost_frames,
		.dirty_times = rows.lost_dirty_times,
		.probes_missed = rows.probes_missed,
		.device_bytes = rows.lost_bytes,
		.hooks_missing = rows.hooks_missing,
	};
}

/**
 * losses_since() - leave out what was lost before
 * @report: its losses were read now
 * @was: one whose losses were read at the beginning
 */
void losses_since(struct report *report, const struct report *was)
{
	struct losses *now = &report->losses;
	const struct losses *then = &was->losses;

	report->about.lost_inodes -= was->about.lost_inodes;
	if (!now->known || !then->known) {
		now->known = false;
		return;
	}
	now->windows -= then->windows;
	now->ledgers -= then->ledgers;
	now->frames -= then->frames;
	now->dirty_times -= then->dirty_times;
	now->probes_missed -= then->probes_missed;
	/* The devices' rows begin anew when probes are attached anew. */
	if (now->device_bytes >= then->device_bytes)
		now->device_bytes -= then->device_bytes;
}

/*
 * Pages inserted and removed by the ledgers, against the change of the mappings' own
 * counts since the ledgers began; and the sum of insertions by cause, against the
 * tracepoint's count. Each as of one moment (module/records/ledger_baseline.c).
 */
static void audit_ledgers(struct report *report)
{
	uint64_t ours = 0, theirs = 0, inserted = 0, counted = 0, moved = 0, in, out;
	struct audit *audit;
	bool any = false;
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (file->gone || !file->who ||
		    !file_inserted_sum(file, &in) ||
		    !file_removed_sum(file, &out))
			continue;
		any = true;
		ours += number_of(file, PCINSPECT_LEDGER_BASE_PAGES) + in - out;
		theirs += number_of(file, PCINSPECT_LEDGER_CACHED_PAGES);
		inserted += in;
		counted += number_of(file, PCINSPECT_LEDGER_COUNTED_PAGES);
		moved += number_of(file, PCINSPECT_LEDGER_MOVED_PAGES);
	}
	if (!any)
		return;
	audit = report_add_audit(report, "inserted_minus_removed_pages", ours,
				 theirs, theirs, "address_space.nrpages");
	audit->slack = moved;
	audit = report_add_audit(report, "inserted_pages", inserted, counted,
				 counted, "mm_filemap_add_to_page_cache");
	audit->slack = moved;
}

static uint64_t uncounted(const struct file *files, size_t nr)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		sum += number_of(&files[i], PCINSPECT_UNCOUNTED_WRITE_PAGES);
	return sum;
}

/*
 * Bytes that write(2) and the like made dirty, by the system call, outside of the
 * functions whose writes are counted: there should be none, so this line is printed only
 * where there are.
 */
static void audit_uncounted(struct report *report)
{
	uint64_t sum = uncounted(report->files, report->nr_files) +
		       uncounted(report->names, report->nr_names) +
		       uncounted(report->gone, report->nr_gone);

	if (sum)
		report_audit_most(report, "pages written uncounted", sum, 0, "write(2)");
}

/* A cgroup may go while its pages are looked at: so many are no mistake. */
#define UNNAMED_PAGES	64

/*
 * Lists of who it was are of fixed length: that they are full says that so many were
 * there. A cgroup without a row has found none left; and a process has a line for each
 * name it had, which are a few, or its threads were taken for processes.
 */
static void audit_who(struct report *report, const struct streamed *all)
{
	struct audit *audit;

	if (all->shared) {
		audit = report_add_audit(report, "pages of cgroups without a row",
					 all->unnamed_pages, 0, 0, "rows that are left");
		audit->slack = all->slack_pages + UNNAMED_PAGES;
	}
	if (all->task_lines)
		report_audit_most(report, "task lines of one process", all->task_lines,
				  PCINSPECT_NR_TASKS / 2, "half of the lines");
}

/**
 * audit_own_sums() - a line for each that does not add up
 * @report: to which
 * @sums: of its files
 */
void audit_own_sums(struct report *report, const struct own_sums *sums)
{
	static const char *const rows[NR_OWN_SUMS][2] = {
		[OWN_DEMANDED] = { "demanded_bytes by task", "demanded_bytes" },
		[OWN_DIRTIED] = { "dirtied_pages by task", "dirtied_pages" },
		[OWN_RECLAIMED] = { "pages by evictor", "removed.reclaim" },
		[OWN_REMOVED] = { "pages by remover", "truncated, invalidated, other" },
		[OWN_CHARGED] = { "pages by cgroup", "cached_pages" },
		[OWN_REQUESTS] = { "fsync bytes by size of request", "request_bytes" },
		[OWN_ENDED] = { "ended_pages", "pages whose writeback began" },
	};
	int i;

	for (i = 0; i < NR_OWN_SUMS; i++)
		if (sums->ours[i] != sums->theirs[i])
			report_add_audit(report, rows[i][0], sums->ours[i], sums->theirs[i],
					 sums->theirs[i], rows[i][1]);
}

static void audit_cached(struct report *report)
{
	struct streamed all = report->streamed;
	size_t i;

	/* Nobody has walked. */
	if (report->without_module)
		return;
	for (i = 0; i < report->nr_files; i++)
		if (!report->files[i].gone)
			streamed_walk(&all, &report->files[i]);
	/* Of no file there is nothing to agree on. */
	if (report->nr_files || all.files)
		report_add_audit(report, "cached_pages", all.cached_pages, all.before_pages,
				 all.after_pages, "address_space.nrpages")->slack = all.slack_pages;
	for (i = 0; i < report->nr_names; i++)
		own_sums_add(&all.own, &report->names[i]);
	audit_who(report, &all);
	audit_own_sums(report, &all.own);
}

static void audit_sum(struct report *report, const char *what,
		      const struct audit_sum *sum)
{
	if (sum->files)
		report_add_audit(report, what, sum->ours, sum->min, sum->max,
				 "cachestat(2)");
}

/**
 * audit_all() - add the rows every report has
 * @report: to which; all its files are there
 * @tally: cachestat's sums, if any file was asked
 *
 * The mapping's own count (address_space.nrpages) is kept by the kernel with
 * every insertion and removal, apart from the entries the walk meets. It is read
 * before and after the walk; of an inode with a record we also know how many pages
 * came and went meanwhile.
 */
void audit_all(struct report *report, const struct audit_sums *tally)
{
	audit_cached(report);
	audit_ledgers(report);
	audit_uncounted(report);
	if (!tally)
		return;
	audit_sum(report, "cached_pages", &tally->cached);
	audit_sum(report, "dirty_pages", &tally->dirty);
	audit_sum(report, "writeback_pages", &tally->writeback);
	audit_sum(report, "evicted_pages", &tally->evicted);
}
