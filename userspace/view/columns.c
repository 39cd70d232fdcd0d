// SPDX-License-Identifier: GPL-2.0
/*
 * columns.c - the one array that tables, --output and its help are made of.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/complain.h"
#include "view/columns.h"

static const struct column columns[] = {
	{ "CACHED", PAGES, FIELD_CACHED, "pages in the page cache" },
	{ "ACTIVE", PAGES, FIELD_ACTIVE, "on the active list, or in the two youngest generations" },
	{ "INACTIVE", PAGES, FIELD_INACTIVE, "on the inactive list, or in an older generation" },
	{ "UNEVICTABLE", PAGES, FIELD_UNEVICTABLE, "locked in memory" },
	{ "OFF_LRU", PAGES, FIELD_OFF_LRU, "in a per-CPU batch or isolated" },
	{ "DIRTY", PAGES, FIELD_DIRTY, "dirty, whole folios" },
	{ "WRITEBACK", PAGES, FIELD_WRITEBACK, "under writeback, whole folios" },
	{ "MAPPED", PAGES, FIELD_MAPPED, "whole folios with a mapping" },
	{ "REFERENCED", PAGES, FIELD_REFERENCED, "accessed by fd" },
	{ "WORKINGSET", PAGES, FIELD_WORKINGSET, "flag PG_workingset" },
	{ "EVICTED", PAGES, FIELD_EVICTED, "reclaimed since the inode was loaded" },
	{ "GEN0", PAGES, FIELD_GEN0, "youngest MGLRU generation" },
	{ "GEN1", PAGES, FIELD_GEN1, "second youngest" },
	{ "GEN2", PAGES, FIELD_GEN2, "third youngest" },
	{ "GEN3", PAGES, FIELD_GEN3, "oldest" },
	{ "INSERTED", PAGES, FIELD_INSERTED, "inserted since the record began" },
	{ "REMOVED", PAGES, FIELD_REMOVED, "removed since the record began" },
	{ "DEMANDED", BYTES, FIELD_DEMANDED, "bytes asked for by read(2)-like calls" },
	{ "DEVICE", BYTES, FIELD_DEVICE_READ, "bytes read from the device for it" },
	{ "AMPL", AMPLIFICATION, 0, "bytes fetched for each byte asked for" },
	{ "FAULTS", PAGES, FIELD_FAULTS, "page faults that had to look in the cache" },
	{ "SYNC", PAGES, FIELD_SYNC, "inserted after a miss" },
	{ "ASYNC", PAGES, FIELD_ASYNC, "inserted at a readahead marker" },
	{ "AROUND", PAGES, FIELD_AROUND, "inserted by mmap read-around" },
	{ "FORCED", PAGES, FIELD_FORCED, "inserted by fadvise, madvise, readahead" },
	{ "WRITE", PAGES, FIELD_WRITE, "inserted by buffered writes" },
	{ "OTHER", PAGES, FIELD_OTHER, "inserted otherwise; single pages without readahead" },
	{ "EXPANDED", PAGES, FIELD_EXPANDED, "inserted by the filesystem on top of windows" },
	{ "HOLE", PAGES, FIELD_HOLE, "inserted by reads and filled without I/O" },
	{ "REFAULT", PAGES, FIELD_REFAULT, "inserted again after an eviction" },
	{ "WASTED", PAGES, FIELD_WASTED, "brought in by readahead, removed unused" },
	{ "UNKNOWN", PAGES, FIELD_UNKNOWN, "brought in by readahead, use unobservable" },
	{ "RECLAIM", PAGES, FIELD_RECLAIM, "removed by reclaim" },
	{ "TRUNCATE", PAGES, FIELD_TRUNCATE, "removed by truncation" },
	{ "INVALIDATE", PAGES, FIELD_INVALIDATE, "removed by fadvise, drop_caches, direct I/O" },
	{ "EVICT", PAGES, FIELD_EVICT, "removed with the inode" },
	{ "TRIM", PAGES, FIELD_TRIM, "taken back by readahead" },
	{ "REMOVED_OTHER", PAGES, FIELD_REMOVED_OTHER, "removed otherwise" },
	{ "DIRECT_READ", BYTES, FIELD_DIRECT_READ, "bytes read past the cache" },
	{ "DIRECT_WRITE", BYTES, FIELD_DIRECT_WRITE, "bytes written past the cache" },
	{ "FLUSHED", PAGES, FIELD_FLUSHED, "written back because of direct I/O" },
	{ "INVALIDATED", PAGES, FIELD_INVALIDATED, "removed because of direct I/O" },
	{ "OLDEST", OLDEST, 0, "age of the oldest dirty page, seconds" },
	{ "UNKNOWN_AGE", PAGES, FIELD_UNKNOWN_AGE, "dirty pages of unknown age" },
	{ "WRITE_BYTES", BYTES, FIELD_WRITE_BYTES, "bytes written through the cache" },
	{ "DEVICE_WRITE", BYTES, FIELD_DEVICE_WRITE, "bytes written to the device for it" },
	{ "WRITE_AMPL", WRITE_AMPLIFICATION, 0, "device bytes for each byte written" },
	{ "DIRTIED", PAGES, FIELD_DIRTIED, "pages made dirty, whole folios" },
	{ "REDIRTIED", PAGES, FIELD_REDIRTIED, "made dirty while under writeback" },
	{ "WRITTEN", PAGES, FIELD_WRITTEN, "pages handed to writeback" },
	{ "SIZE", SIZE, 0, "size of the file" },
	{ "DEV", DEV, 0, "device of the filesystem" },
	{ "INO", INO, 0, "inode number" },
	{ "I_GENERATION", GENERATION, 0, "tells reused inode numbers apart" },
	{ "FS", FS, 0, "filesystem type" },
	{ "KIND", KIND, 0, "auto or explicit record" },
	{ "ORDERS", ORDERS, 0, "order:pages of its folios" },
	{ "MEMCG", MEMCG, 0, "memory cgroup charged with most pages" },
	{ "REAL_PATH", REAL_PATH, 0, "whose pages they are (overlayfs)" },
	{ "PATH", PATH, 0, "path" },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

static const char *const default_columns =
	"CACHED,ACTIVE,INACTIVE,UNEVICTABLE,OFF_LRU,DIRTY,WRITEBACK,EVICTED,GEN0,GEN1,GEN2,GEN3,SIZE,PATH";

static const struct column *find_column(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < NR_COLUMNS; i++)
		if (strlen(columns[i].name) == len &&
		    !strncasecmp(columns[i].name, name, len))
			return &columns[i];
	return NULL;
}

/* Resolve a list of names; returns how many, or -1 with *@bad at the culprit. */
static int resolve_columns(const char *list, const struct column **to, size_t room,
			   const char **bad)
{
	size_t n = 0;

	while (*list) {
		size_t len = strcspn(list, ",");

		*bad = list;
		if (n == room)
			return -1;
		to[n] = find_column(list, len);
		if (!to[n])
			return -1;
		n++;
		list += len;
		list += *list == ',';
	}
	return n;
}

/**
 * columns_check() - is --output usable
 * @list: its argument; "help" lists the columns, a leading "+" adds to the
 *	default ones
 *
 * Return: -1 to go on, else the exit status.
 */
int columns_check(const char *list)
{
	const struct column *to[MAX_COLUMNS / 2];
	const char *bad = list;
	size_t i;

	if (!strcmp(list, "help")) {
		for (i = 0; i < NR_COLUMNS; i++)
			printf("%-13s %s\n", columns[i].name, columns[i].help);
		return 0;
	}
	if (resolve_columns(list + (*list == '+'), to, MAX_COLUMNS / 2, &bad) <= 0) {
		complain(NULL, "--output: no column %.*s (-o help lists them)",
			 (int)strcspn(bad, ","), bad);
		return EXIT_USAGE;
	}
	return -1;
}

/**
 * columns_parse() - which columns to print
 * @defaults: names, NULL: those of stat
 * @list: --output, checked before, or NULL
 * @use: room for MAX_COLUMNS
 *
 * Return: how many.
 */
int columns_parse(const char *defaults, const char *list, const struct column **use)
{
	const char *bad;
	int n = 0;

	if (!list || *list == '+')
		n = resolve_columns(defaults ?: default_columns, use, MAX_COLUMNS, &bad);
	if (list)
		n += resolve_columns(list + (*list == '+'), use + n,
				     MAX_COLUMNS - n, &bad);
	return n;
}
