// SPDX-License-Identifier: GPL-2.0
/*
 * cost.c - what one operation costs, by the guest's clock. Under -icount a
 * nanosecond is an instruction, the same in every run.
 *
 * usage: cost insert FILE N [REPS]   instructions per 4 KiB page inserted by
 *                             pread(), the median of REPS (default 9)
 *        cost seq FILE        instructions per page of a sequential read by 128
 *                             KiB as cat(1) does, readahead as it is set
 *        cost pread1 FILE N   of one cached pread() of a byte
 *        cost dirty FILE MB   per page of a pwrite() of MB of a cached clean file:
 *                             what makes it dirty
 *        cost walk FILE       of one snapshot, cachestat(2), mincore(2)
 *        cost fill FILE       insert every page of FILE, order 0
 *        cost run CMD...      of a command, until it ends
 * Reads order-0 folios: POSIX_FADV_RANDOM, one page a call.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pcinspect.h"

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
	qsort(took, REPS, sizeof(*took), compare);
	printf("%.1f\n", (double)took[REPS / 2] / (st.st_size / 4096));
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
	qsort(took, REPS, sizeof(*took), compare);
	printf("%.1f\n", (double)took[REPS / 2] / n);
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
	qsort(took, REPS, sizeof(*took), compare);
	printf("%.1f\n", (double)took[REPS / 2] / (size >> 12));
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

static void fill(const char *path)
{
	int fd = open_random(path);
	char buf[4096];
	off_t at = 0;

	while (pread(fd, buf, sizeof(buf), at) > 0)
		at += 4096;
}

static void run(char **argv)
{
	uint64_t best = ~0ULL, t;
	int rep, status;
	pid_t pid;

	for (rep = 0; rep < 3; rep++) {
		t = now();
		pid = fork();
		if (!pid) {
			int null = open("/dev/null", O_WRONLY);

			dup2(null, 1);
			execvp(argv[0], argv);
			err(127, "%s", argv[0]);
		}
		waitpid(pid, &status, 0);
		if (status)
			errx(1, "%s ended with %d", argv[0], status);
		t = now() - t;
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
	else if (argc == 3 && !strcmp(argv[1], "walk"))
		walk(argv[2]);
	else if (argc == 3 && !strcmp(argv[1], "fill"))
		fill(argv[2]);
	else if (argc > 2 && !strcmp(argv[1], "run"))
		run(argv + 2);
	else
		errx(2, "see the head of cost.c");
	return 0;
}
