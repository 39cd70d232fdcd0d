// SPDX-License-Identifier: GPL-2.0-only
/*
 * disks.c - the bytes that a run read from each block device: the module's rows beside
 * /proc/diskstats. Touches /proc and the device of the module.
 */
#include <glob.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/device.h"
#include "collect/disks.h"
#include "lib/complain.h"

/* As long as that, and so often, for disks to count what is under way. */
#define WAIT_MS		20
#define WAIT_TRIES	100

/* A request is no older than so many times the mean, and than that. */
#define QUICK		20
#define QUICK_MS	200

/**
 * diskstats_read() - parse /proc/diskstats
 * @from: it, open
 * @disks: filled in
 * @room: how many there is room for
 * @more: set to whether there are more
 *
 * Return: how many were filled in.
 */
size_t diskstats_read(struct keyfile *from, struct disk *disks, size_t room, bool *more)
{
	size_t n = 0;

	while (n < room && keyfile_line(from)) {
		struct disk *disk = &disks[n];
		uint64_t sectors, written;

		/* major minor name reads merged sectors ms writes merged sectors ms inflight */
		if (sscanf(from->line, "%u %u %31s %" SCNu64 " %*u %" SCNu64 " %" SCNu64
			   " %" SCNu64 " %*u %" SCNu64 " %" SCNu64 " %" SCNu64,
			   &disk->major, &disk->minor, disk->name, &disk->reads, &sectors,
			   &disk->read_ms, &disk->writes, &written, &disk->write_ms,
			   &disk->inflight) != 10)
			continue;
		disk->read_bytes = sectors * 512;
		disk->write_bytes = written * 512;
		disk->silent = disk->late = false;
		n++;
	}
	*more = n == room && keyfile_line(from);
	return n;
}

/* A counter of /proc/vmstat, 0 if there is none. */
static uint64_t read_vmstat(const char *key)
{
	uint64_t value = 0;

	keyfile_find(&value, key, "/proc/vmstat");
	return value;
}

/* Pages written, with the counts that CPUs still keep to themselves. */
static uint64_t read_written(void)
{
	keyfile_flush("/proc/sys/vm/stat_refresh");
	return read_vmstat("nr_written");
}

/**
 * disks_dirtied() - pages of all files that became dirty, since boot
 * @dirty: those that are dirty now, or NULL
 *
 * Return: how many; 0: unknown.
 */
uint64_t disks_dirtied(uint64_t *dirty)
{
	uint64_t dirtied;

	keyfile_flush("/proc/sys/vm/stat_refresh");
	dirtied = read_vmstat("nr_dirtied");
	if (dirty)
		*dirty = read_vmstat("nr_dirty");
	return dirtied;
}

/* Can a page be read from this disk without a bio? 6.1's ->rw_page(). */
static bool has_no_bios(const char *path)
{
	static const char *const without[] = { "/dev/zram", "/dev/ram", "/dev/pmem" };
	size_t i;

	for (i = 0; i < sizeof(without) / sizeof(*without); i++)
		if (!strncmp(path, without[i], strlen(without[i])))
			return true;
	return false;
}

/**
 * swaps_on_disks() - does every swap area read by bios
 * @from: /proc/swaps
 *
 * A file of a filesystem without a disk (NFS) is read by its server, and what cannot
 * be looked at is not known to.
 *
 * Return: true if so, also where there is none.
 */
bool swaps_on_disks(struct keyfile *from)
{
	char path[4096], type[32];
	bool known = keyfile_line(from);
	struct stat st;

	/* Filename Type Size Used Priority, after a line of headings. */
	while (known && keyfile_line(from)) {
		if (sscanf(from->line, "%4095s %31s", path, type) != 2)
			known = false;
		else if (!strcmp(type, "partition"))
			known = !has_no_bios(path);
		else
			known = !stat(path, &st) && major(st.st_dev);
	}
	return known;
}

/* Pages that were read from and written to swap; false where that says nothing of bios. */
static bool read_swapped(struct disks_swapped *pages)
{
	struct keyfile from;
	bool known;

	*pages = (struct disks_swapped){};
	keyfile_open(&from, "/proc/swaps");
	known = swaps_on_disks(&from);
	keyfile_close(&from);
	return known && keyfile_find(&pages->in, "pswpin", "/proc/vmstat") &&
	       keyfile_find(&pages->out, "pswpout", "/proc/vmstat");
}

static void list_disks(struct disk_list *disks)
{
	struct keyfile from;
	static bool told;
	bool more;

	keyfile_open(&from, "/proc/diskstats");
	disks->nr = diskstats_read(&from, disks->disks, NR_DISKS, &more);
	keyfile_close(&from);
	if (more && !told)
		complain(NULL, "there are more than %d disks: those at the end of /proc/diskstats are in no audit",
			 NR_DISKS);
	told |= more;
}

static const struct disk *find_disk(const struct disk_list *disks,
				    unsigned int major, unsigned int minor)
{
	size_t i;

	for (i = 0; i < disks->nr; i++)
		if (disks->disks[i].major == major && disks->disks[i].minor == minor)
			return &disks->disks[i];
	return NULL;
}

/*
 * A disk as it was; NULL if it was not there: also where one has gone and another
 * has come by its number (dmsetup), which begins to count anew.
 */
static const struct disk *disk_then(const struct disk_list *disks, const struct disk *now)
{
	const struct disk *was = find_disk(disks, now->major, now->minor);

	return was && was->read_bytes <= now->read_bytes && was->reads <= now->reads &&
	       was->write_bytes <= now->write_bytes && was->writes <= now->writes ? was : NULL;
}

/* The module's row of a device, with zeroes if it has none. */
struct pcinspect_device_row disks_row(const struct pcinspect_devices *ours,
				      unsigned int major, unsigned int minor)
{
	struct pcinspect_device_row none = { .dev_major = major, .dev_minor = minor };
	unsigned int i;

	for (i = 0; i < ours->nr_rows; i++)
		if (ours->rows[i].dev_major == major && ours->rows[i].dev_minor == minor)
			return ours->rows[i];
	return none;
}

/* All that the row of a device says was read from it. */
uint64_t disks_row_read(const struct pcinspect_device_row *row)
{
	return row->file_bytes + row->other_file_bytes + row->metadata_bytes +
	       row->direct_bytes + row->swap_bytes + row->unattributed_bytes;
}

/* And written to it. */
uint64_t disks_row_written(const struct pcinspect_device_row *row)
{
	return row->write_file_bytes + row->write_other_file_bytes +
	       row->write_direct_bytes + row->write_swap_bytes + row->write_log_bytes;
}

static bool busy(const struct disk_list *list)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (list->disks[i].inflight)
			return true;
	return false;
}

/* Did the requests that ended take less than a 20th of this time on average? */
static bool were_quick(uint64_t under_way, uint64_t ended, uint64_t ended_ms, uint64_t waited_ms)
{
	return !under_way || (ended && ended_ms * QUICK <= waited_ms * ended);
}

/*
 * Has all ended that was under way on a disk @waited_ms ago, a moment after @then? Nothing
 * is under way; or what has ended meanwhile was so quick that nothing is as old as that.
 */
static bool has_ended(const struct disk *disk, const struct disk_list *then,
		      uint64_t waited_ms)
{
	const struct disk *was = find_disk(then, disk->major, disk->minor);
	uint64_t reads = 1, writes = 1;
	struct keyfile from;

	if (!disk->inflight)
		return true;
	if (!was || waited_ms < QUICK_MS)
		return false;
	keyfile_open(&from, "/sys/dev/block/%u:%u/inflight", disk->major, disk->minor);
	if (!keyfile_line(&from) ||
	    sscanf(from.line, "%" SCNu64 " %" SCNu64, &reads, &writes) != 2)
		reads = writes = 1;
	keyfile_close(&from);
	return were_quick(reads, disk->reads - was->reads, disk->read_ms - was->read_ms,
			  waited_ms) &&
	       were_quick(writes, disk->writes - was->writes, disk->write_ms - was->write_ms,
			  waited_ms);
}

/* The increase of the rows; they begin anew when probes are attached anew. */
uint64_t disks_more(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/*
 * Its counters are off; a partition has the queue of its disk. Or it is suspended: what
 * was submitted waits in device-mapper and is counted when it goes on.
 */
static bool is_silent(const struct disk *disk)
{
	uint64_t on = 1, suspended = 0;

	if (keyfile_number(&suspended, "/sys/dev/block/%u:%u/dm/suspended", disk->major,
			   disk->minor) && suspended)
		return true;

	if (!keyfile_number(&on, "/sys/dev/block/%u:%u/queue/iostats", disk->major, disk->minor))
		keyfile_number(&on, "/sys/dev/block/%u:%u/../queue/iostats", disk->major,
			       disk->minor);
	return !on;
}

/* The same of rows that began anew in between, perhaps just now: all there is. */
uint64_t disks_since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : now;
}

/*
 * Whether a disk has counted what the module has, since an earlier moment. A
 * request that waits in a task's plug is not under way yet.
 */
static bool caught_up(const struct disk *disk, const struct disks *now,
		      const struct disks *since)
{
	struct pcinspect_device_row row = disks_row(&now->ours, disk->major, disk->minor);
	struct pcinspect_device_row old = disks_row(&since->ours, disk->major, disk->minor);
	uint64_t read = disks_more(disks_row_read(&row), disks_row_read(&old));
	uint64_t written = disks_more(disks_row_written(&row), disks_row_written(&old));
	const struct disk *was;

	/* Of thousands of disks most have no row. */
	if (!read && !written)
		return true;
	was = disk_then(&since->first, disk);
	/* A row that counts nothing never catches up. */
	return !was || was->silent ||
	       (disk->read_bytes - was->read_bytes >= read &&
		disk->write_bytes - was->write_bytes >= written) ||
	       is_silent(disk);
}

/* Marks the disks that have still to count what was submitted when the module was asked. */
static bool any_late(struct disks *now, const struct disks *since, uint64_t waited_ms)
{
	bool any = false;
	size_t i;

	for (i = 0; i < now->last.nr; i++) {
		struct disk *disk = &now->last.disks[i];

		disk->late = !has_ended(disk, &now->first, waited_ms) ||
			     !caught_up(disk, now, since);
		any |= disk->late;
	}
	return any;
}

/*
 * Whether the kernel itself says that all of this was submitted (submit_bio()): what the
 * disks have not counted of it hangs, or waits for its cgroup's limit (io.max).
 */
static bool all_submitted(const struct disk *disk, const struct disks *now,
			  const struct disks *since)
{
	struct pcinspect_device_row row = disks_row(&now->ours, disk->major, disk->minor);
	struct pcinspect_device_row old = disks_row(&since->ours, disk->major, disk->minor);
	uint64_t own = disks_more(disks_row_written(&row), disks_row_written(&old));
	const struct disk *was = disk_then(&since->first, disk);
	uint64_t read = 0, written = 0;
	unsigned int i;

	for (i = 0; i < now->ours.nr_rows; i++) {
		row = now->ours.rows[i];
		old = disks_row(&since->ours, row.dev_major, row.dev_minor);
		read += disks_more(disks_row_read(&row), disks_row_read(&old));
		written += disks_more(disks_row_written(&row), disks_row_written(&old));
	}
	if (read / 1024 > now->paged_in_max_kib - since->paged_in_min_kib)
		return false;
	/* pgpgout has no zeroes that are written without data (REQ_OP_WRITE_ZEROES). */
	return written / 1024 <= now->paged_out_max_kib - since->paged_out_min_kib ||
	       (was && disk->write_bytes - was->write_bytes >= own);
}

static void list_idle_disks(struct disk_list *disks)
{
	int tries;

	list_disks(disks);
	for (tries = 0; busy(disks) && tries < WAIT_TRIES / 4; tries++) {
		usleep(WAIT_MS * 1000);
		list_disks(disks);
	}
}

static void mark_silent(struct disk_list *disks)
{
	size_t i;

	for (i = 0; i < disks->nr; i++)
		disks->disks[i].silent = is_silent(&disks->disks[i]);
}

/**
 * disks_begin() - a moment for disks_read() to begin at
 * @disks: @first and @ours are filled in, the one right after the other
 * @device: from device_open(); its hooks are attached
 *
 * Return: 0, or -1 with errno set.
 */
int disks_begin(struct disks *disks, int device)
{
	int err;

	list_idle_disks(&disks->first);
	disks->ours.size = sizeof(disks->ours);
	err = ioctl(device, PCINSPECT_IOC_DEVICES, &disks->ours);
	mark_silent(&disks->first);
	return err;
}

/**
 * disks_read() - all counters now
 * @disks: filled in
 * @since: an earlier moment
 * @device: from device_open()
 *
 * Waits until the disks have counted what was submitted: 20 ms, or up to
 * two seconds if something is under way, like readahead of a command that has ended.
 * A disk that has still not counted what was submitted is late, and silent if the kernel
 * says that all of it was.
 * We count a bio when it is submitted, the kernel a moment later; a task may be
 * interrupted in between: so its sums are read when those 20 ms are over.
 *
 * Return: 0, or -1 with errno set.
 */
int disks_read(struct disks *disks, const struct disks *since, int device)
{
	int tries = 1;
	size_t i;

	list_idle_disks(&disks->first);
	mark_silent(&disks->first);
	disks->written_min_pages = read_written();
	disks->paged_in_min_kib = read_vmstat("pgpgin");
	disks->paged_out_min_kib = read_vmstat("pgpgout");
	disks->swap_known = read_swapped(&disks->swapped_min_pages);
	disks->ours.size = sizeof(disks->ours);
	if (ioctl(device, PCINSPECT_IOC_DEVICES, &disks->ours))
		return -1;
	usleep(WAIT_MS * 1000);
	disks->swap_known &= read_swapped(&disks->swapped_max_pages);
	disks->paged_in_max_kib = read_vmstat("pgpgin");
	disks->paged_out_max_kib = read_vmstat("pgpgout");
	disks->written_max_pages = read_written();
	list_disks(&disks->last);
	while (any_late(disks, since, tries * WAIT_MS) && ++tries < WAIT_TRIES) {
		usleep(WAIT_MS * 1000);
		list_disks(&disks->last);
	}
	for (i = 0; i < disks->last.nr; i++)
		disks->last.disks[i].silent = !caught_up(&disks->last.disks[i], disks, since) &&
					      all_submitted(&disks->last.disks[i], disks, since);
	return 0;
}

/* Did the module see all bios? */
bool disks_known(const struct pcinspect_devices *ours)
{
	return ours->run_read_bytes != PCINSPECT_UNKNOWN;
}

/* Bytes read for files with a ledger. Returns the sum over all devices since load. */
uint64_t disks_file_bytes(const struct pcinspect_devices *ours)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < ours->nr_rows; i++)
		sum += ours->rows[i].file_bytes;
	return sum;
}

/* Is there something in sysfs, below a device? */
static bool has_below(unsigned int major, unsigned int minor, const char *what)
{
	char pattern[64];
	glob_t found = {};
	bool any;

	snprintf(pattern, sizeof(pattern), "/sys/dev/block/%u:%u/%s", major, minor, what);
	any = !glob(pattern, GLOB_NOSORT, NULL, &found) && found.gl_pathc;
	globfree(&found);
	return any;
}

/**
 * disks_bottom_written() - what was written to devices that are made of no others
 * @before: a moment
 * @after: a later one
 * @bytes: set to what was written, at most
 *
 * Return: false if one of them counts nothing.
 */
bool disks_bottom_written(const struct disks *before, const struct disks *after,
			  uint64_t *bytes)
{
	const struct disk *was;
	size_t i;

	*bytes = 0;

	for (i = 0; i < after->last.nr; i++) {
		const struct disk *disk = &after->last.disks[i];

		if (has_below(disk->major, disk->minor, "partition") ||
		    has_below(disk->major, disk->minor, "slaves/*"))
			continue;
		was = disk_then(&before->first, disk);
		if (is_silent(disk) || disk->silent || (was && was->silent))
			return false;
		*bytes += disk->write_bytes - (was ? was->write_bytes : 0);
	}
	return true;
}

static uint64_t counter(const struct disk *disk, size_t offset)
{
	/* A disk that was not there has counted nothing. */
	return disk ? *(const uint64_t *)((const char *)disk + offset) : 0;
}

static void count_disk(struct device_counter *theirs,
		       const struct disk *first, const struct disk *last,
		       const struct disk *was_first,
		       const struct disk *was_last, size_t offset)
{
	theirs->bytes = counter(last, offset) - counter(was_last, offset);
	theirs->max_bytes = counter(last, offset) - counter(was_first, offset);
	/* What it has yet to count of before is among what it counts now. */
	theirs->min_bytes = first && !(was_last && was_last->late) ?
		counter(first, offset) - counter(was_last, offset) : 0;
}

/**
 * disks_report() - devices and their audit between two moments
 * @report: to which
 * @before: first moment
 * @after: second
 *
 * A device that the module has no row of is left out. Where bios are not seen any more,
 * all are unknown.
 */
void disks_report(struct report *report,
		  const struct disks *before,
		  const struct disks *after)
{
	unsigned int i;
	size_t k;

	report->nr_devices = 0;
	report->devices_known = disks_known(&after->ours);
	if (!report->devices_known)
		return;
	for (k = 0; k < after->last.nr && report->nr_devices < PCINSPECT_NR_DEVICES; k++) {
		const struct disk *disk = &after->last.disks[k];
		const struct disk *first, *was, *was_first;
		struct device *device = &report->devices[report->nr_devices];
		struct pcinspect_device_row a, b;

		a = disks_row(&before->ours, disk->major, disk->minor);
		b = disks_row(&after->ours, disk->major, disk->minor);
		first = disk_then(&after->first, disk);
		was = disk_then(&before->last, disk);
		was_first = was ? disk_then(&before->first, disk) : NULL;
		memset(device, 0, sizeof(*device));
		device->row = b;
		device->row.file_bytes -= a.file_bytes;
		device->row.other_file_bytes -= a.other_file_bytes;
		device->row.metadata_bytes -= a.metadata_bytes;
		device->row.direct_bytes -= a.direct_bytes;
		device->row.swap_bytes -= a.swap_bytes;
		device->row.unattributed_bytes -= a.unattributed_bytes;
		device->row.write_file_bytes -= a.write_file_bytes;
		device->row.write_other_file_bytes -= a.write_other_file_bytes;
		device->row.write_direct_bytes -= a.write_direct_bytes;
		device->row.write_swap_bytes -= a.write_swap_bytes;
		device->row.write_log_bytes -= a.write_log_bytes;
		count_disk(&device->read, first, disk, was_first, was,
			   offsetof(struct disk, read_bytes));
		count_disk(&device->written, first, disk, was_first, was,
			   offsetof(struct disk, write_bytes));
		device->read_requests = disk->reads - (was ? was->reads : 0);
		device->write_requests = disk->writes - (was ? was->writes : 0);
		device->late = was && was->late;
		device->silent = disk->silent || (was_first && was_first->silent) ||
				 (first && first->silent);
		snprintf(device->name, sizeof(device->name), "%s", disk->name);
		device->partitions = has_below(disk->major, disk->minor, "*/partition");
		device->layered = has_below(disk->major, disk->minor, "holders/*");
		/* I/O to a partition is the partition's row, and its disk's counter. */
		for (i = 0; i < after->ours.nr_rows; i++)
			if (after->ours.rows[i].dev_major == disk->major &&
			    after->ours.rows[i].dev_minor == disk->minor)
				report->nr_devices++;
	}
}
