// SPDX-License-Identifier: GPL-2.0-only
/*
 * cost.c - what one operation costs, by the guest's clock. Under -icount a
 * nanosecond is an instruction, the same in every run.
 *
 * usage: cost insert FILE N [REPS]   instructions per 4 KiB page inserted by
 *                             pread(), the median of REPS (default 9)
 *        cost seq FILE        instructions per page of a sequential read by 128
 *                             KiB as cat(1) does, readahead as it is set
 *        cost pread1 FILE N   of one cached pread() of a byte
 *        cost write1 FILE N   of one pwrite() of a byte to a dirty page
 *        cost direct FILE N   of one direct read of 4 KiB
 *        cost fault FILE N    of one fault on a cached file whose pages are touched N
 *                             apart: 16, a mapped window; 1, a private page written
 *        cost dirty FILE MB   per page of a pwrite() of MB of a cached clean file:
 *                             what makes it dirty
 *        cost writeback FILE MB   per folio of order 0 handed to writeback and written,
 *                             on a device that does so at once (brd)
 *        cost walk FILE       of one snapshot, cachestat(2), mincore(2)
 *        cost lists FILE      folios on all LRU lists, of a LISTS and a NEXT of all
 *                             cgroups, pages of FILE, of cachestat(2) of it
 *        cost fill FILE       insert every page of FILE, order 0
 *        cost run CMD...      of a command and what it started, by their own time:
 *                             waiting for the host's files is not in it
 * Reads order-0 folios: POSIX_FADV_RANDOM, one page a call.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pcinspect.h"
#include "pcinspect_lists.h"
#include "pcinspect_next.h"

#define REPS 9

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int open_random(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		err(1, "%s", path);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	return fd;
}

static void insert(const char *path, int n, int reps)
{
	uint64_t took[REPS], begun;
	int fd = open_random(path), rep, i;
	char buf[4096];

	for (rep = 0; rep < reps; rep++) {
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		begun = now();
		for (i = 0; i < n; i++)
			if (pread(fd, buf, sizeof(buf), (off_t)i * 4096) != 4096)
				err(1, "pread");
		took[rep] = now() - begun;
	}
	qsort(took, reps, sizeof(*took), compare);
	printf("%.1f\n", (double)took[reps / 2] / n);
}

/* Prints the median of REPS, for each of @n. */
static void print_median(uint64_t *took, double n)
{
	qsort(took, REPS, sizeof(*took), compare);
	printf("%.1f\n", (double)took[REPS / 2] / n);
}

static void seq(const char *path)
{
	static char buf[131072];
	uint64_t took[REPS], begun;
	struct stat st;
	int rep, fd;

	for (rep = 0; rep < REPS; rep++) {
		/* A new open file takes the readahead setting of now. */
		fd = open(path, O_RDONLY);
		if (fd < 0 || fstat(fd, &st))
			err(1, "%s", path);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		begun = now();
		while (read(fd, buf, sizeof(buf)) > 0)
			;
		took[rep] = now() - begun;
		close(fd);
	}
	print_median(took, st.st_size / 4096);
}

static void pread1(const char *path, int n)
{
	uint64_t took[REPS], begun;
	int fd = open_random(path), rep, i;
	char buf[1];

	pread(fd, buf, 1, 0);
	for (rep = 0; rep < REPS; rep++) {
		begun = now();
		for (i = 0; i < n; i++)
			if (pread(fd, buf, 1, 0) != 1)
				err(1, "pread");
		took[rep] = now() - begun;
	}
	print_median(took, n);
}

static void write1(const char *path, int n)
{
	uint64_t took[REPS], begun;
	int fd = open(path, O_RDWR), rep, i;

	for (rep = 0; rep < REPS; rep++) {
		begun = now();
		for (i = 0; i < n; i++)
			if (pwrite(fd, "x", 1, 0) != 1)
				err(1, "pwrite");
		took[rep] = now() - begun;
	}
	print_median(took, n);
}

static void direct(const char *path, int n)
{
	uint64_t took[REPS], begun;
	int fd = open(path, O_RDONLY | O_DIRECT), rep, i;
	static char buf[4096] __attribute__((aligned(4096)));

	memset(buf, 1, sizeof(buf));
	for (rep = 0; rep < REPS; rep++) {
		begun = now();
		for (i = 0; i < n; i++)
			if (pread(fd, buf, sizeof(buf), 0) != sizeof(buf))
				err(1, "direct pread");
		took[rep] = now() - begun;
	}
	print_median(took, n);
}

static void fill_random(int fd)
{
	char buf[4096];
	off_t at;

	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	for (at = 0; pread(fd, buf, sizeof(buf), at) > 0; at += sizeof(buf))
		;
}

static void fault(const char *path, int apart)
{
	const int prot = apart == 1 ? PROT_READ | PROT_WRITE : PROT_READ;
	const int flags = apart == 1 ? MAP_PRIVATE : MAP_SHARED;
	uint64_t took[REPS], begun;
	int fd = open_random(path), rep;
	volatile char *map;
	struct stat st;
	off_t i, n;

	fstat(fd, &st);
	n = st.st_size / 4096;
	fill_random(fd);
	for (rep = 0; rep < REPS; rep++) {
		map = mmap(NULL, st.st_size, prot, flags, fd, 0);
		if (map == MAP_FAILED)
			err(1, "mmap");
		begun = now();
		for (i = 0; i < n; i += apart) {
			if (apart == 1)
				map[i * 4096] = 1;
			else
				(void)map[i * 4096];
		}
		took[rep] = now() - begun;
		munmap((void *)map, st.st_size);
	}
	print_median(took, (double)n / apart);
}

static void writeback(const char *path, int mb)
{
	size_t size = (size_t)mb << 20;
	uint64_t took[REPS], begun;
	int fd = open(path, O_RDWR), cold = open_random(path), rep;
	char *buf = malloc(size);

	if (fd < 0 || !buf)
		err(1, "%s", path);
	memset(buf, 1, size);
	fill_random(cold);
	for (rep = 0; rep < REPS; rep++) {
		if (pwrite(fd, buf, size, 0) != (ssize_t)size)
			err(1, "pwrite");
		begun = now();
		if (sync_file_range(fd, 0, size, SYNC_FILE_RANGE_WRITE))
			err(1, "sync_file_range");
		took[rep] = now() - begun;
		if (fsync(fd))
			err(1, "fsync");
	}
	print_median(took, size >> 12);
	free(buf);
}

static void dirty(const char *path, int mb)
{
	size_t size = (size_t)mb << 20;
	uint64_t took[REPS], begun;
	int fd = open(path, O_RDWR), rep;
	char *buf = malloc(size);

	if (fd < 0 || !buf)
		err(1, "%s", path);
	memset(buf, 1, size);
	for (rep = -1; rep < REPS; rep++) {
		begun = now();
		if (pwrite(fd, buf, size, 0) != (ssize_t)size)
			err(1, "pwrite");
		if (rep >= 0)
			took[rep] = now() - begun;
		if (fsync(fd))
			err(1, "fsync");
	}
	print_median(took, size >> 12);
	free(buf);
}

static void walk(const char *path)
{
	uint64_t ours = ~0ULL, cachestat = ~0ULL, mincore_ = ~0ULL, t;
	struct pcinspect_snapshot snap;
	struct pcinspect_query query = { .size = sizeof(query),
		.buffer = (uintptr_t)&snap, .buffer_size = sizeof(snap) };
	struct { uint64_t off, len; } range = { 0, 0 };
	uint64_t cs[5] = {};
	int device = open(PCINSPECT_DEVICE, O_RDWR), rep;
	unsigned char *vec;
	struct stat st;
	void *map;

	query.fd = open_random(path);
	if (device < 0)
		err(1, PCINSPECT_DEVICE);
	fstat(query.fd, &st);
	map = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, query.fd, 0);
	vec = calloc(st.st_size / 4096, 1);
	if (map == MAP_FAILED || !vec)
		err(1, "mmap");
	for (rep = 0; rep < REPS; rep++) {
		t = now();
		if (ioctl(device, PCINSPECT_IOC_SNAPSHOT, &query))
			err(1, "snapshot");
		t = now() - t;
		ours = t < ours ? t : ours;
		t = now();
		if (!syscall(451, query.fd, &range, cs, 0)) {
			t = now() - t;
			cachestat = t < cachestat ? t : cachestat;
		}
		t = now();
		if (mincore(map, st.st_size, vec))
			err(1, "mincore");
		t = now() - t;
		mincore_ = t < mincore_ ? t : mincore_;
	}
	printf("%ju %ju %jd %ju %ju\n", (uintmax_t)snap.numbers[PCINSPECT_CACHED],
	       (uintmax_t)ours, cachestat == ~0ULL ? -1 : (intmax_t)cachestat,
	       (uintmax_t)mincore_, (uintmax_t)snap.orders[0]);
}

static void lists(const char *path)
{
	static struct pcinspect_next_row rows[1 << 17];
	static struct pcinspect_next_list all[4096];
	static struct pcinspect_list_cgroup cgroups[4096];
	static char files[8 << 20];
	static uint32_t numbers[1 << 16];
	uint64_t took_lists = ~0ULL, took_next = ~0ULL, took_stat = ~0ULL, t, folios = 0, i;
	struct { uint64_t off, len; } range = { 0, 0 };
	int device = open(PCINSPECT_DEVICE, O_RDWR), fd = open_random(path), rep;
	uint64_t cs[5] = {};
	struct stat st;

	if (device < 0 || fstat(fd, &st))
		err(1, PCINSPECT_DEVICE);
	for (rep = 0; rep < REPS; rep++) {
		struct pcinspect_lists walk = { .size = sizeof(walk), .cgroup = -1,
			.max_files = 1 << 16,
			.cgroups = (uintptr_t)cgroups, .cgroups_size = sizeof(cgroups),
			.files = (uintptr_t)files, .files_size = sizeof(files) };
		struct pcinspect_next next = { .size = sizeof(next), .walk = walk,
			.rows = (uintptr_t)rows, .max_rows = sizeof(rows) / sizeof(*rows),
			.lists = (uintptr_t)all, .max_lists = sizeof(all) / sizeof(*all),
			.numbers = (uintptr_t)numbers,
			.max_numbers = sizeof(numbers) / sizeof(*numbers) };

		t = now();
		if (ioctl(device, PCINSPECT_IOC_LISTS, &walk))
			err(1, "LISTS");
		t = now() - t;
		took_lists = t < took_lists ? t : took_lists;
		t = now();
		if (ioctl(device, PCINSPECT_IOC_NEXT, &next))
			err(1, "NEXT");
		t = now() - t;
		took_next = t < took_next ? t : took_next;
		if (next.flags & PCINSPECT_NEXT_CUT)
			errx(1, "more rows than there is room for");
		for (folios = i = 0; i < next.nr_rows; i++)
			folios += rows[i].folios;
		t = now();
		if (!syscall(451, fd, &range, cs, 0)) {
			t = now() - t;
			took_stat = t < took_stat ? t : took_stat;
		}
	}
	printf("%ju %ju %ju %jd %jd\n", (uintmax_t)folios, (uintmax_t)took_lists,
	       (uintmax_t)took_next, (intmax_t)st.st_size / 4096,
	       took_stat == ~0ULL ? -1 : (intmax_t)took_stat);
}

static uint64_t ns_of(const struct timeval *time)
{
	return time->tv_sec * 1000000000ULL + time->tv_usec * 1000ULL;
}

static void run(char **argv)
{
	uint64_t best = ~0ULL, t;
	struct rusage usage;
	int rep, status;
	pid_t pid;

	for (rep = 0; rep < 3; rep++) {
		pid = fork();
		if (!pid) {
			int null = open("/dev/null", O_WRONLY);

			dup2(null, 1);
			execvp(argv[0], argv);
			err(127, "%s", argv[0]);
		}
		if (wait4(pid, &status, 0, &usage) < 0 || status)
			errx(1, "%s ended with %d", argv[0], status);
		t = ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
		best = t < best ? t : best;
	}
	printf("%ju\n", (uintmax_t)best);
}

int main(int argc, char **argv)
{
	if ((argc == 4 || argc == 5) && !strcmp(argv[1], "insert"))
		insert(argv[2], atoi(argv[3]), argc == 5 ? atoi(argv[4]) : REPS);
	else if (argc == 3 && !strcmp(argv[1], "seq"))
		seq(argv[2]);
	else if (argc == 4 && !strcmp(argv[1], "dirty"))
		dirty(argv[2], atoi(argv[3]));
	else if (argc == 4 && !strcmp(argv[1], "pread1"))
		pread1(argv[2], atoi(argv[3]));
	else if (argc == 4 && !strcmp(argv[1], "write1"))
		write1(argv[2], atoi(argv[3]));
	else if (argc == 4 && !strcmp(argv[1], "direct"))
		direct(argv[2], atoi(argv[3]));
	else if (argc == 4 && !strcmp(argv[1], "fault"))
		fault(argv[2], atoi(argv[3]));
	else if (argc == 4 && !strcmp(argv[1], "writeback"))
		writeback(argv[2], atoi(argv[3]));
	else if (argc == 3 && !strcmp(argv[1], "lists"))
		lists(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "walk"))
		walk(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "fill"))
		fill_random(open_random(argv[2]));
	else if (argc > 2 && !strcmp(argv[1], "run"))
		run(argv + 2);
	else
		errx(2, "see the head of cost.c");
	return 0;
}
