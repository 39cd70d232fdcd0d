// SPDX-License-Identifier: GPL-2.0-only
/*
 * known_work.c - write, sync, read, map, evict and truncate a file of our own, so that each
 * number of it is known beforehand, and compare them with what the module counted.
 *
 * Why: the kernel has counters for all files, or for none: no audit of a report can see that
 * faults, refaults or causes of one file are wrong. Here the work itself is the counter.
 * How many pages of the file are cached says mincore(2).
 *
 * Touches one file in a directory, which has no name once it is open, and its record, which
 * ends with the open device.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/device.h"
#include "collect/known_work.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/complain.h"

#define PAGES		1024	/* of the file */
#define CHUNK_PAGES	4	/* of one write(2) */
#define STRIDE_PAGES	32	/* from one page that is used to the next: beyond fault-around */
#define USED_PAGES	(PAGES / STRIDE_PAGES)
#define BATCH_PAGES	31	/* PAGEVEC_SIZE at most: folios on their way to a list */
#define AGE_S		0.3
#define WAIT_S		0.01
#define WAITS		500	/* for a disk that is busy */
#define TICK_MS		20	/* two, at HZ=100 */

/**
 * struct work - the file
 * @collect: with the device, and the report that the audits go to
 * @file: its numbers, as of the last ask()
 * @fd: it
 * @map: it, for mincore(2) and for faults
 * @page: bytes
 * @own: its own sums, of each time
 * @dirty: pages that were dirty before fsync
 * @unknown: names of what could not be compared
 */
struct work {
	struct collect *collect;
	struct file file;
	struct own_sums own;
	int fd;
	unsigned char *map;
	size_t page;
	uint64_t dirty;
	FILE *unknown;
};

/* It is not compared, and the user is told. */
static void skip(struct work *w, const char *what)
{
	fprintf(w->unknown, "%s%s", ftell(w->unknown) ? ", " : "", what);
}

static void expect_sum(struct work *w, bool known, uint64_t ours, const char *what,
		       uint64_t least, uint64_t most)
{
	if (known)
		report_add_audit(w->collect->report, what, ours, least, most, "the work done");
	else
		skip(w, what);
}

/* A number of the file. */
static void expect(struct work *w, enum pcinspect_number number, const char *what,
		   uint64_t least, uint64_t most)
{
	uint64_t ours = 0;
	bool known = file_number(&w->file, number, &ours);

	expect_sum(w, known, ours, what, least, most);
}

static void expect_inserted(struct work *w, const char *what, uint64_t pages)
{
	uint64_t ours = 0;
	bool known = file_inserted_sum(&w->file, &ours);

	expect_sum(w, known, ours, what, pages, pages);
}

/* Its numbers now. */
static void read_numbers(struct work *w)
{
	uint32_t refusal;

	if (collect_ask(w->collect, w->fd, PCINSPECT_IOC_SNAPSHOT, &w->file, &refusal))
		w->file.snap = (struct pcinspect_snapshot){};
	own_sums_add(&w->own, &w->file);
}

/* Its counters begin at 0. */
static void reset(struct work *w)
{
	struct pcinspect_query query = { .size = sizeof(query), .fd = w->fd };

	ioctl(w->collect->device, PCINSPECT_IOC_RESET, &query);
}

/* How many of its pages from @first on are cached. */
static uint64_t cached(const struct work *w, size_t first)
{
	unsigned char there[PAGES] = {};
	uint64_t nr = 0;
	size_t i;

	mincore(w->map + first * w->page, (PAGES - first) * w->page, there);
	for (i = 0; i < PAGES - first; i++)
		nr += there[i] & 1;
	return nr;
}

/*
 * The pages read are complete: mincore(2) leaves out pages that are being read (mincore_page(),
 * mm/mincore.c). Its numbers then, and how many of its pages are cached.
 */
static uint64_t complete(struct work *w)
{
	uint64_t pages;
	int tries;

	for (tries = 0; tries < WAITS; tries++) {
		read_numbers(w);
		pages = cached(w, 0);
		if (pages == number_of(&w->file, PCINSPECT_NRPAGES))
			break;
		clock_wait(WAIT_S);
	}
	return pages;
}

static void drop(struct work *w)
{
	/* Mapped pages are not dropped. */
	madvise(w->map, PAGES * w->page, MADV_DONTNEED);
	posix_fadvise(w->fd, 0, 0, POSIX_FADV_DONTNEED);
}

/* Another open file: with a readahead state of its own, or past the cache. */
static int open_again(const struct work *w, int flags)
{
	char name[40];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", w->fd);
	return open(name, flags | O_CLOEXEC);
}

/* Data that no filesystem makes smaller. */
static void fill(unsigned char *data, size_t size, uint64_t *seed)
{
	size_t i;

	for (i = 0; i < size; i += sizeof(*seed)) {
		*seed ^= *seed << 13;
		*seed ^= *seed >> 7;
		*seed ^= *seed << 17;
		memcpy(data + i, seed, sizeof(*seed));
	}
}

/* Each page is written once; then it is dirty, and of the age of the first. */
static int write_all(struct work *w)
{
	const size_t size = CHUNK_PAGES * w->page;
	uint64_t begun_ns = clock_now_ns(), first_ns = 0, asked_ns, seed = 88172645463325252ULL;
	unsigned char *data = alloc_zero(1, size);
	size_t i;

	for (i = 0; i < PAGES; i += CHUNK_PAGES) {
		fill(data, size, &seed);
		if (pwrite(w->fd, data, size, i * w->page) != (ssize_t)size) {
			free(data);
			return -1;
		}
		if (!i)
			first_ns = clock_now_ns();
	}
	free(data);
	clock_wait(AGE_S);
	asked_ns = clock_now_ns();
	read_numbers(w);
	w->dirty = number_of(&w->file, PCINSPECT_DIRTY);
	expect(w, PCINSPECT_WRITE_BYTES, "write_bytes of write(2)", PAGES * w->page,
	       PAGES * w->page);
	expect(w, PCINSPECT_INSERTED_WRITE, "inserted.write of write(2)", PAGES, PAGES);
	/* A folio that is written back before it is complete becomes dirty once more. */
	expect(w, PCINSPECT_DIRTIED_PAGES, "dirtied_pages of write(2)", PAGES,
	       PAGES + number_of(&w->file, PCINSPECT_WRITTEN_PAGES));
	if (w->dirty == PAGES)
		expect(w, PCINSPECT_OLDEST_MS, "dirty.oldest_ms of write(2)",
		       (asked_ns - first_ns) / 1000000 - TICK_MS,
		       (clock_now_ns() - begun_ns) / 1000000 + TICK_MS);
	return 0;
}

/*
 * Dirty pages are written by this call, except those that another task writes meanwhile;
 * they are too young for periodic writeback.
 */
static void sync_all(struct work *w)
{
	static const enum pcinspect_number meanwhile[] = {
		PCINSPECT_BY_BACKGROUND, PCINSPECT_BY_SYNC, PCINSPECT_BY_RECLAIM,
		PCINSPECT_BY_FLUSHER, PCINSPECT_BY_OTHER,
	};
	uint64_t others = 0;
	size_t i;

	reset(w);
	if (fsync(w->fd)) {
		skip(w, "fsync(2), which failed");
		return;
	}
	read_numbers(w);
	for (i = 0; i < sizeof(meanwhile) / sizeof(*meanwhile); i++)
		others += number_of(&w->file, meanwhile[i]);
	expect(w, PCINSPECT_WRITTEN_PAGES, "written_pages of fsync(2)", w->dirty, w->dirty);
	expect(w, PCINSPECT_BY_FSYNC, "reasons.fsync of fsync(2)",
	       others < w->dirty ? w->dirty - others : 0, w->dirty);
	expect(w, PCINSPECT_ENDED_PAGES, "ended_pages of fsync(2)", w->dirty, w->dirty);
	expect(w, PCINSPECT_DEVICE_WRITE_BYTES, "device_write_bytes of fsync(2)",
	       w->dirty * w->page, w->dirty * w->page);
	expect(w, PCINSPECT_FSYNCS_TOTAL, "fsync.calls_total", 1, 1);
}

/* A byte of each page that is used. */
static void *read_single(void *arg)
{
	const struct work *w = arg;
	unsigned char byte[1];
	size_t i;

	for (i = 0; i < PAGES; i += STRIDE_PAGES)
		if (pread(w->fd, byte, sizeof(byte), i * w->page) != sizeof(byte))
			break;
	return NULL;
}

/*
 * Bytes that one process demanded, at most. Its number may be another in our namespace of
 * processes.
 */
static uint64_t demanded_by_one(const struct work *w)
{
	uint64_t most = 0;
	size_t i;

	for (i = 0; w->file.who && i < PCINSPECT_NR_TASKS; i++)
		if (w->file.who->tasks[i].demanded_bytes > most)
			most = w->file.who->tasks[i].demanded_bytes;
	return most;
}

/* The same, by another process. */
static bool read_by_another(struct work *w)
{
	pid_t child = fork();
	int status;

	if (!child) {
		read_single(w);
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

/*
 * Single bytes of single pages, without readahead: by another process, by a thread of ours,
 * and by this one.
 */
static void read_randomly(struct work *w)
{
	uint64_t before, pages, holes;
	pthread_t thread;

	drop(w);
	before = complete(w);
	posix_fadvise(w->fd, 0, 0, POSIX_FADV_RANDOM);
	reset(w);
	if (!read_by_another(w) || pthread_create(&thread, NULL, read_single, w)) {
		skip(w, "read(2), for want of a process");
		return;
	}
	pthread_join(thread, NULL);
	read_single(w);
	pages = complete(w) - before;
	holes = number_of(&w->file, PCINSPECT_HOLE_PAGES);
	expect(w, PCINSPECT_DEMANDED_BYTES, "demanded_bytes of read(2)", 3 * USED_PAGES,
	       3 * USED_PAGES);
	expect_sum(w, w->file.who, demanded_by_one(w), "demanded_bytes of this process",
		   2 * USED_PAGES, 2 * USED_PAGES);
	expect_inserted(w, "inserted pages of read(2)", pages);
	expect(w, PCINSPECT_DEVICE_BYTES, "device_bytes of read(2)", (pages - holes) * w->page,
	       (pages - holes) * w->page);
}

/* Pages of the largest folio. */
static uint64_t largest_folio(const struct work *w)
{
	int order = PCINSPECT_NR_ORDERS - 1;

	while (order && !w->file.snap.orders[order])
		order--;
	return 1ULL << order;
}

/* The pages of all windows that are kept. */
static void expect_windows(struct work *w, const char *what)
{
	uint64_t pages = 0, inserted = number_of(&w->file, PCINSPECT_INSERTED_SYNC) +
				       number_of(&w->file, PCINSPECT_INSERTED_ASYNC);
	size_t i;

	for (i = 0; i < w->file.nr_windows; i++)
		pages += w->file.windows[i].inserted_pages;
	expect_sum(w, w->file.who && !number_of(&w->file, PCINSPECT_WINDOWS_DROPPED), pages, what,
		   inserted, inserted);
}

/* One page, and what readahead makes of it, of which nobody uses the rest. */
static void read_ahead(struct work *w)
{
	uint64_t before, pages, left, folio;
	unsigned char byte[1];
	int fd;

	drop(w);
	before = complete(w);
	fd = open_again(w, O_RDONLY);
	reset(w);
	if (fd < 0 || pread(fd, byte, sizeof(byte), 0) != sizeof(byte)) {
		skip(w, "readahead, as reading failed");
		goto out;
	}
	pages = complete(w) - before;
	folio = largest_folio(w);
	/* The marker of the next window may be in the folio that was asked for. */
	expect(w, PCINSPECT_INSERTED_SYNC, "inserted.sync of one page", pages > 0, pages);
	expect_inserted(w, "inserted pages of one page", pages);
	expect_windows(w, "inserted_pages of its window");
	drop(w);
	left = complete(w);
	expect(w, PCINSPECT_REMOVED_INVALIDATE, "removed.invalidate of fadvise(2)",
	       before + pages - left, before + pages - left);
	if (!before && !left)
		expect(w, PCINSPECT_WASTED_PAGES, "wasted_pages of one page",
		       pages > folio ? pages - folio : 0, pages - 1);
	else
		skip(w, "wasted_pages of one page");
out:
	if (fd >= 0)
		close(fd);
}

/* All of it, from the beginning to the end; some kernels put it on an active list then. */
static void read_sequentially(struct work *w)
{
	const size_t size = CHUNK_PAGES * w->page;
	unsigned char *data = alloc_zero(1, size);
	uint64_t before = complete(w), pages, most;
	int fd = open_again(w, O_RDONLY), turn;
	size_t i;

	reset(w);
	for (turn = 0; fd >= 0 && turn < 3; turn++) {
		for (i = 0; i < PAGES; i += CHUNK_PAGES)
			if (pread(fd, data, size, i * w->page) != (ssize_t)size) {
				skip(w, "reading all, which failed");
				goto out;
			}
		if (turn)
			continue;
		pages = complete(w);
		expect(w, PCINSPECT_DEMANDED_BYTES, "demanded_bytes of all", PAGES * w->page,
		       PAGES * w->page);
		expect_inserted(w, "inserted pages of all", pages - before);
		expect_windows(w, "inserted_pages of all windows");
	}
	pages = complete(w);
	expect(w, PCINSPECT_CACHED, "pages.cached of all", pages, pages);
	most = number_of(&w->file, PCINSPECT_OFF_LRU) + BATCH_PAGES * largest_folio(w);
	if (number_of(&w->file, PCINSPECT_CLASSIC) == number_of(&w->file, PCINSPECT_CACHED))
		expect(w, PCINSPECT_ACTIVE, "pages.active after three reads",
		       PAGES > most ? PAGES - most : 0, PAGES);
out:
	free(data);
	if (fd >= 0)
		close(fd);
}

/* One load from each page that is used, without read-around. */
static void load_single(const struct work *w)
{
	size_t i;

	for (i = 0; i < PAGES; i += STRIDE_PAGES)
		*(volatile unsigned char *)(w->map + i * w->page);
}

/* Faults, and the same again after the pages were reclaimed. */
static void map_and_reclaim(struct work *w)
{
	uint64_t before, pages, left;

	drop(w);
	before = complete(w);
	madvise(w->map, PAGES * w->page, MADV_RANDOM);
	reset(w);
	load_single(w);
	pages = complete(w);
	if (!before)
		expect(w, PCINSPECT_FAULTS, "faults of loads from a mapping", USED_PAGES,
		       USED_PAGES);
	else
		skip(w, "faults of loads from a mapping");
	expect_inserted(w, "inserted pages of loads from a mapping", pages - before);
	expect(w, PCINSPECT_MAPPED, "pages.mapped of a mapping", USED_PAGES, pages);
	reset(w);
	if (madvise(w->map, PAGES * w->page, MADV_PAGEOUT)) {
		skip(w, "MADV_PAGEOUT, which failed");
		return;
	}
	left = complete(w);
	expect(w, PCINSPECT_REMOVED_RECLAIM, "removed.reclaim of MADV_PAGEOUT", pages - left,
	       pages - left);
	reset(w);
	load_single(w);
	pages = complete(w);
	/* Another page than one of these may have been left. */
	if (!left && number_known(&w->file, PCINSPECT_EVICTED))
		expect(w, PCINSPECT_REFAULT_PAGES, "refault_pages of the same loads", pages, pages);
	else
		skip(w, "refault_pages of the same loads");
}

/* Past the cache, if the filesystem does that. */
static void read_directly(struct work *w)
{
	const size_t size = USED_PAGES * w->page;
	uint64_t before;
	void *data;
	int fd = open_again(w, O_RDONLY | O_DIRECT);

	if (fd < 0 || posix_memalign(&data, w->page, size)) {
		skip(w, "O_DIRECT, which failed");
		goto out;
	}
	drop(w);
	before = complete(w);
	reset(w);
	if (pread(fd, data, size, 0) == (ssize_t)size && cached(w, 0) == before && !before) {
		read_numbers(w);
		expect(w, PCINSPECT_DIRECT_READ_BYTES, "direct.read_bytes of O_DIRECT", size, size);
		expect_inserted(w, "inserted pages of O_DIRECT", 0);
	} else {
		skip(w, "direct.read_bytes of O_DIRECT");
	}
	free(data);
out:
	if (fd >= 0)
		close(fd);
}

/* Half of it goes. */
static void truncate_half(struct work *w)
{
	uint64_t pages;

	posix_fadvise(w->fd, 0, 0, POSIX_FADV_NORMAL);
	read_single(w);
	complete(w);
	pages = cached(w, PAGES / 2);
	reset(w);
	if (ftruncate(w->fd, PAGES / 2 * w->page)) {
		skip(w, "ftruncate(2), which failed");
		return;
	}
	read_numbers(w);
	expect(w, PCINSPECT_REMOVED_TRUNCATE, "removed.truncate of ftruncate(2)", pages, pages);
}

/* A CPU's batch of one task is flushed when another runs there. */
static void stay_on_this_cpu(void)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu >= 0 && cpu < CPU_SETSIZE) {
		CPU_SET(cpu, &set);
		sched_setaffinity(0, sizeof(set), &set);
	}
}

/* A file without a name in a directory; -1 with errno set. */
static int new_file(const char *dir)
{
	char *name = alloc_text("%s/.pcinspect-XXXXXX", dir);
	int fd = mkostemp(name, O_CLOEXEC);

	if (fd >= 0)
		unlink(name);
	free(name);
	return fd;
}

/**
 * known_work() - do it, and add what was counted to the report, as audits
 * @collect: it is asked
 * @dir: where there is to be a file of 1,024 pages for some seconds
 * @unknown: where the names of what could not be compared go: numbers that are unknown on
 *	this filesystem, or on this kernel
 *
 * Return: 0, or -1 after a message.
 */
int known_work(struct collect *collect, const char *dir, FILE *unknown)
{
	struct work w = { .collect = collect, .page = sysconf(_SC_PAGESIZE), .unknown = unknown,
			  .map = MAP_FAILED };
	uint32_t refusal = 0;
	int failed = -1;

	stay_on_this_cpu();
	w.fd = new_file(dir);
	if (w.fd < 0) {
		complain(dir, "%s", open_error_text(errno));
		return -1;
	}
	if (collect_ask(collect, w.fd, PCINSPECT_IOC_HOLD, &w.file, &refusal)) {
		complain(dir, "%s", device_error_text(errno, refusal));
		goto out;
	}
	if (write_all(&w)) {
		complain(dir, "cannot write: %s", strerror(errno));
		goto out;
	}
	w.map = mmap(NULL, PAGES * w.page, PROT_READ, MAP_SHARED, w.fd, 0);
	if (w.map == MAP_FAILED) {
		complain(dir, "cannot map: %s", strerror(errno));
		goto out;
	}
	sync_all(&w);
	read_randomly(&w);
	read_ahead(&w);
	read_sequentially(&w);
	map_and_reclaim(&w);
	read_directly(&w);
	truncate_half(&w);
	failed = 0;
out:
	if (w.map != MAP_FAILED)
		munmap(w.map, PAGES * w.page);
	close(w.fd);
	audit_own_sums(collect->report, &w.own);
	file_free(&w.file);
	return failed;
}
