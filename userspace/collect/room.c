// SPDX-License-Identifier: GPL-2.0-only
/*
 * room.c - memory that can be filled without anything being reclaimed: what zones have free
 * above their high watermark and what they keep for others, and what the limits of our own
 * cgroup, and those above it, leave.
 *
 * An allocation wakes kswapd only when no zone has enough above its low watermark
 * (__alloc_pages_slowpath(), mm/page_alloc.c).
 *
 * Touches: reads /proc/zoneinfo and files of our cgroup.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/memcg.h"
#include "collect/room.h"
#include "lib/alloc.h"
#include "lib/keyfile.h"

/* "protection: (0, 1805, 1973)": the largest is what zones above may not have. */
static uint64_t largest(const char *line)
{
	uint64_t most = 0, value;
	char *end;

	for (; *line; line = end) {
		line += strcspn(line, "0123456789");
		value = strtoull(line, &end, 10);
		if (value > most)
			most = value;
		if (end == line)
			break;
	}
	return most;
}

static uint64_t room_of_zones(void)
{
	uint64_t pages = 0, free_pages = 0, high = 0, kept;
	struct keyfile file;

	keyfile_open(&file, "/proc/zoneinfo");
	while (keyfile_line(&file)) {
		char *at;

		sscanf(file.line, " pages free %" SCNu64, &free_pages);
		sscanf(file.line, " high %" SCNu64, &high);
		at = strstr(file.line, "protection:");
		if (!at)
			continue;
		kept = high + largest(at);
		pages += free_pages > kept ? free_pages - kept : 0;
	}
	keyfile_close(&file);
	return pages * sysconf(_SC_PAGESIZE);
}

/* The memory that the limits of a cgroup and of all above it leave. */
static uint64_t room_of_cgroups(char *path)
{
	static const char *const knobs[] = { "memory.max", "memory.high" };
	uint64_t room = UINT64_MAX, limit, used;
	size_t i;

	for (; *path; *strrchr(path, '/') = '\0') {
		if (!keyfile_number(&used, MEMCG_ROOT "%s/memory.current", path))
			continue;
		for (i = 0; i < 2; i++) {
			if (!keyfile_number(&limit, MEMCG_ROOT "%s/%s", path, knobs[i]))
				continue;
			limit = limit > used ? limit - used : 0;
			room = limit < room ? limit : room;
		}
	}
	return room;
}

/**
 * room_bytes() - how much can be read into the page cache, by us, without reclaim
 *
 * Return: bytes; as of now.
 */
uint64_t room_bytes(void)
{
	uint64_t zones = room_of_zones(), cgroups = UINT64_MAX;
	char *path = memcg_of_process("self", NULL);

	if (path && path[1])
		cgroups = room_of_cgroups(path);
	free(path);
	return zones < cgroups ? zones : cgroups;
}
