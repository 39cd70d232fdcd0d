// SPDX-License-Identifier: GPL-2.0-only
/*
 * restore.c - read the pages again that were cached, these and no others: active ones of all
 * files first, in requests of 128 KiB, by posix_fadvise(2). That inserts just the pages that
 * are asked for (force_page_cache_ra(), mm/readahead.c). A filesystem that fetches more, as
 * those that compress do, has that dropped again.
 *
 * Active ones are used twice afterwards, which activates them on the classic lists
 * (folio_mark_accessed(), mm/swap.c); MGLRU only notes the uses.
 *
 * Touches: opens and reads the files; drops what it brought and was not wanted. The pages are
 * charged to our cgroup.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/audit.h"
#include "collect/collect.h"
#include "collect/residency.h"
#include "collect/restore.h"
#include "collect/room.h"
#include "lib/complain.h"
#include "lib/keyfile.h"
#include "lib/ticks.h"

#define REQUEST (128ULL << 10)
/* Asked for, before it is waited for. */
#define WINDOW (8ULL << 20)
/* The overhead of a cached page, and the share of others meanwhile. */
#define MARGIN (16ULL << 20)
/* The longest that a filesystem fetches besides what it was asked for, pages. */
#define MOST_EXTRA 256

/**
 * struct reading - one file that is being read
 * @restore: of which
 * @fd: of it, read at random places
 * @again: of it, too: two uses of a page in a row count as one of one descriptor
 *	(filemap_read(), mm/filemap.c)
 * @map: of it
 * @size_bytes: likewise
 * @page: bytes of a page
 * @activate: pages are to be active
 * @asked: requests that are not waited for yet
 * @asked_bytes: of them
 */
struct reading {
	struct restore *restore;
	int fd;
	int again;
	unsigned char *map;
	uint64_t size_bytes;
	uint64_t page;
	bool activate;
	struct ranges asked;
	uint64_t asked_bytes;
};

static void stop(struct restore *restore, const char *why)
{
	if (!restore->stopped)
		restore->stopped = why;
}

/* May so much be read? */
static bool allowed(struct restore *restore, uint64_t bytes)
{
	if (ticks_stopped())
		stop(restore, "a signal");
	else if (bytes > restore->budget_bytes)
		stop(restore, "--budget");
	else if (restore->spare && bytes > restore->granted_bytes &&
		 room_bytes() < WINDOW + MARGIN)
		stop(restore, "--spare: no more memory is free");
	if (restore->stopped)
		return false;
	if (restore->spare && bytes > restore->granted_bytes)
		restore->granted_bytes = WINDOW;
	restore->granted_bytes -= restore->spare ? bytes : 0;
	restore->budget_bytes -= bytes;
	return true;
}

/* Use pages: a byte of each. */
static void use(int fd, const struct pcinspect_page_range *range, uint64_t page)
{
	uint64_t k;
	char byte;

	for (k = 0; k < range->pages; k++)
		if (pread(fd, &byte, 1, (range->index + k) * page) < 0)
			break;
}

/*
 * Wait for what was asked for: a page that is not there yet is read. The last one first, with
 * which most have come.
 */
static void await(struct reading *reading)
{
	unsigned char seen[REQUEST / 4096];
	uint64_t page = reading->page, k;
	size_t i;

	for (i = reading->asked.nr; i--;) {
		struct pcinspect_page_range one = reading->asked.list[i];
		uint64_t pages = one.pages, index = one.index;

		for (one.pages = 1; pages; pages -= k) {
			k = pages % (REQUEST / page) ?: REQUEST / page;
			if (mincore(reading->map + (index + pages - k) * page, k * page, seen))
				memset(seen, 0, sizeof(seen));
			for (one.index = index + pages; one.index-- > index + pages - k;)
				if (!(seen[one.index - (index + pages - k)] & 1))
					use(reading->fd, &one, page);
		}
	}
	for (i = 0; reading->activate && i < reading->asked.nr; i++)
		use(reading->fd, &reading->asked.list[i], page);
	for (i = 0; reading->activate && reading->again >= 0 && i < reading->asked.nr; i++)
		use(reading->again, &reading->asked.list[i], page);
	ranges_free(&reading->asked);
	reading->asked_bytes = 0;
}

/* Ask for pages, as far as that is allowed. */
static void read_ranges(struct reading *reading, const struct ranges *todo)
{
	uint64_t page = reading->page, at, end, k;
	size_t i;

	for (i = 0; i < todo->nr; i++) {
		end = todo->list[i].index + todo->list[i].pages;
		for (at = todo->list[i].index; at < end; at += k) {
			k = end - at < REQUEST / page ? end - at : REQUEST / page;
			if (!allowed(reading->restore, k * page))
				goto out;
			posix_fadvise(reading->fd, at * page, k * page, POSIX_FADV_WILLNEED);
			ranges_add(&reading->asked, at, k, 0);
			reading->asked_bytes += k * page;
			if (reading->asked_bytes >= WINDOW)
				await(reading);
		}
	}
out:
	await(reading);
}

static void fail(const struct saved_file *saved, struct residency_row *row, const char *why)
{
	complain(saved->path, "%s", why);
	row->state = RESIDENCY_FAILED;
}

/* Open a file if it is what was saved. Returns -1 if not, having said so. */
static int open_same(const struct saved_file *saved, struct residency_row *row)
{
	struct saved_file now;
	int fd = collect_open_inode(saved->path, 0);

	if (fd < 0 || residency_identify(fd, &now)) {
		fail(saved, row, open_error_text(errno));
	} else if (now.size_bytes != saved->size_bytes || now.mtime_ns != saved->mtime_ns ||
		   now.generation != saved->generation) {
		complain(saved->path, "has changed since it was saved: another %s (left out; save it anew)",
			 now.size_bytes != saved->size_bytes ? "size" :
			 now.mtime_ns != saved->mtime_ns ? "mtime" : "i_generation");
		row->state = RESIDENCY_CHANGED;
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool first(const struct pcinspect_page_range *range)
{
	return range->list == PCINSPECT_RANGE_ACTIVE || range->list == PCINSPECT_RANGE_UNEVICTABLE;
}

/* Read of one file what is active, or all else. */
static void restore_file(struct restore *restore, size_t i, bool active)
{
	const struct saved_file *saved = &restore->saved->files[i];
	struct residency_row *row = &restore->residency.rows[i];
	struct ranges want = {}, todo = {};
	struct reading reading = {
		.restore = restore, .size_bytes = saved->size_bytes,
		.page = restore->saved->page_size, .activate = active,
	};
	size_t k;

	for (k = 0; k < saved->ranges.nr; k++)
		if (first(&saved->ranges.list[k]) == active)
			ranges_add(&want, saved->ranges.list[k].index,
				   saved->ranges.list[k].pages, 0);
	if (!want.nr || row->state != RESIDENCY_DONE)
		goto out;
	reading.fd = open_same(saved, row);
	if (reading.fd < 0)
		goto out;
	reading.again = collect_open_inode(saved->path, 0);
	reading.map = mmap(NULL, saved->size_bytes, PROT_READ, MAP_SHARED, reading.fd, 0);
	if (!row->looked && residency_mincore(reading.fd, saved->size_bytes, &row->before)) {
		fail(saved, row, strerror(errno));
	} else if (reading.map != MAP_FAILED) {
		row->looked = true;
		posix_fadvise(reading.fd, 0, 0, POSIX_FADV_RANDOM);
		ranges_without(&want, &row->before, &todo);
		read_ranges(&reading, &todo);
	}
	if (reading.map != MAP_FAILED)
		munmap(reading.map, saved->size_bytes);
	if (reading.again >= 0)
		close(reading.again);
	close(reading.fd);
out:
	ranges_free(&want);
	ranges_free(&todo);
}

/* Drop what came besides what was asked for, if it is next to that. */
static void drop_extra(int fd, const struct ranges *want, const struct ranges *extra,
		       uint64_t page)
{
	size_t i;

	for (i = 0; i < extra->nr; i++) {
		uint64_t at = extra->list[i].index, pages = extra->list[i].pages;

		if (pages <= MOST_EXTRA &&
		    ((at && ranges_has(want, at - 1)) || ranges_has(want, at + pages)))
			posix_fadvise(fd, at * page, pages * page, POSIX_FADV_DONTNEED);
	}
}

/* The cached pages of a file at the end. */
static void finish_file(struct restore *restore, size_t i)
{
	const struct saved_file *saved = &restore->saved->files[i];
	struct residency_row *row = &restore->residency.rows[i];
	struct ranges now = {}, come = {}, extra = {}, missing = {}, absent = {};
	struct audit_cachestat counted = {}, last;
	int fd;

	if (row->state != RESIDENCY_DONE || !saved->ranges.nr)
		return;
	fd = open_same(saved, row);
	if (fd < 0)
		return;
	audit_cachestat(fd, &counted);
	if (residency_mincore(fd, saved->size_bytes, &now)) {
		fail(saved, row, strerror(errno));
		close(fd);
		return;
	}
	ranges_without(&now, &row->before, &come);
	restore->come_pages += ranges_pages(&come, RANGE_ANY_LIST);
	ranges_without(&come, &saved->ranges, &extra);
	if (extra.nr) {
		drop_extra(fd, &saved->ranges, &extra, restore->saved->page_size);
		ranges_free(&now);
		residency_mincore(fd, saved->size_bytes, &now);
	}
	ranges_without(&saved->ranges, &now, &missing);
	ranges_without(&saved->ranges, &row->before, &absent);
	row->missing_pages = ranges_pages(&missing, RANGE_ANY_LIST);
	row->cached_before_pages = row->saved_pages - ranges_pages(&absent, RANGE_ANY_LIST);
	ranges_free(&missing);
	ranges_without(&absent, &now, &missing);
	row->read_pages = ranges_pages(&absent, RANGE_ANY_LIST) -
			  ranges_pages(&missing, RANGE_ANY_LIST);
	if (row->missing_pages)
		row->state = RESIDENCY_PARTLY;
	restore->cached_pages += ranges_pages(&now, RANGE_ANY_LIST);
	/* Some may have gone before, or come since. */
	if (audit_cachestat(fd, &last))
		restore->counted_pages = PCINSPECT_UNKNOWN;
	else if (restore->counted_pages != PCINSPECT_UNKNOWN)
		restore->counted_pages += last.nr_cache > counted.nr_cache ? last.nr_cache :
									     counted.nr_cache;
	close(fd);
	ranges_free(&now);
	ranges_free(&come);
	ranges_free(&extra);
	ranges_free(&missing);
	ranges_free(&absent);
}

/**
 * restore_all() - read again what was saved
 * @restore: what and how; its rows and sums are filled in
 *
 * Complains by itself. A signal ends the reading, not the answer.
 */
void restore_all(struct restore *restore)
{
	uint64_t before = 0, after = 0;
	bool known = keyfile_find(&before, "read_bytes", "/proc/self/io");
	size_t i;
	int pass;

	ticks_catch();
	for (i = 0; i < restore->saved->nr; i++)
		residency_add(&restore->residency, &restore->saved->files[i]);
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < restore->saved->nr; i++)
			restore_file(restore, i, !pass);
	known &= keyfile_find(&after, "read_bytes", "/proc/self/io");
	restore->device_bytes = known ? after - before : PCINSPECT_UNKNOWN;
	for (i = 0; i < restore->saved->nr; i++)
		finish_file(restore, i);
}
