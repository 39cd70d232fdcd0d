// SPDX-License-Identifier: GPL-2.0-only
/*
 * program.c - what of a program was executed: a byte for each address of its code that a
 * block begins at, in a file that all processes of it share.
 *
 * gcc -fsanitize-coverage=trace-pc calls __sanitizer_cov_trace_pc() at the begin of each
 * block. A process that is killed has written down what it did, which gcov has not.
 * Touches: /run/pcinspect-cover/NAME, or the folder $PCINSPECT_COVER_MAPS.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char __ehdr_start[], etext[];
static unsigned char *cover_map;
static size_t cover_size;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
	uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start;

	if (cover_map && at < cover_size && !cover_map[at])
		cover_map[at] = 1;
}

static __attribute__((constructor)) void cover_begin(void)
{
	const char *dir = getenv("PCINSPECT_COVER_MAPS") ?: "/run/pcinspect-cover";
	char exe[4096] = "", path[8192];
	mode_t mask = umask(0);
	void *map;
	int fd;

	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0)
		return;
	snprintf(path, sizeof(path), "%s/%s", dir, strrchr(exe, '/') + 1);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	umask(mask);
	if (fd < 0)
		return;
	cover_size = etext - __ehdr_start;
	if (!ftruncate(fd, cover_size)) {
		map = mmap(NULL, cover_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		cover_map = map == MAP_FAILED ? NULL : map;
	}
	close(fd);
}
