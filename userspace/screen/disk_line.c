// SPDX-License-Identifier: GPL-2.0-only
/*
 * disk_line.c - rates of the disks, and the latency of a request, as
 * iostat has it: the kernel's own counters of whole disks, between two looks. A disk that is
 * made of others (dm, md) is not shown: those below it are. Touches: reads /proc/diskstats,
 * looks into /sys/block.
 */
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/disks.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/text.h"
#include "screen/disk_line.h"

/* struct disk_look - the disks' counters at one moment; 0: none */
struct disk_look {
	uint64_t time_ns;
	struct disk_list list;
};

/* struct disk_line - the last look, and the one before it */
struct disk_line {
	struct disk_look now;
	struct disk_look before;
};

struct disk_line *disk_line_new(void)
{
	return alloc_zero(1, sizeof(struct disk_line));
}

void disk_line_free(struct disk_line *line)
{
	free(line);
}

/* Read the counters again. */
void disk_line_look(struct disk_line *line)
{
	struct keyfile from;
	bool more;

	line->before = line->now;
	keyfile_open(&from, "/proc/diskstats");
	line->now.list.nr = diskstats_read(&from, line->now.list.disks, NR_DISKS, &more);
	line->now.time_ns = clock_now_ns();
	keyfile_close(&from);
}

/* struct busy - a disk that has done something between the looks */
struct busy {
	const struct disk *now;
	const struct disk *was;
	uint64_t bytes;
};

/* A disk, no part of one, and made of no others. */
static bool is_bottom(const struct disk *disk)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	DIR *slaves;

	snprintf(path, sizeof(path), "/sys/block/%s/slaves", disk->name);
	slaves = opendir(path);
	if (!slaves)
		return false;
	while ((entry = readdir(slaves)))
		found |= *entry->d_name != '.';
	closedir(slaves);
	return !found;
}

static int compare_busy(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	return x->bytes < y->bytes ? 1 : -(x->bytes > y->bytes);
}

/* The busiest first. Both looks have the disks in the same order, but for new ones. */
static size_t find_busy(const struct disk_line *line, struct busy *busy)
{
	const struct disk_list *now = &line->now.list, *before = &line->before.list;
	size_t i, k = 0, n = 0;

	for (i = 0; i < now->nr; i++) {
		const struct disk *disk = &now->disks[i], *was;

		for (k = 0; k < before->nr && (before->disks[k].major != disk->major ||
					       before->disks[k].minor != disk->minor); k++)
			;
		was = &before->disks[k];
		if (k < before->nr && disk->reads + disk->writes > was->reads + was->writes &&
		    is_bottom(disk))
			busy[n++] = (struct busy){ disk, was, disk->read_bytes - was->read_bytes +
						   disk->write_bytes - was->write_bytes };
	}
	qsort(busy, n, sizeof(*busy), compare_busy);
	return n;
}

/* Bytes a second, and how long each of the requests took that ended. */
static int rate_text(char *out, size_t size, const char *what, double bytes, uint64_t requests,
		     uint64_t ms)
{
	char rate[16], each[32] = "";

	size_text(rate, sizeof(rate), bytes);
	if (requests)
		snprintf(each, sizeof(each), " in %.1f ms", (double)ms / requests);
	return snprintf(out, size, " %s %s/s%s", what, rate, each);
}

/**
 * disk_line_text() - the disks that did something, the busiest first, as many as have room
 * @line: after a look; before the second one rates are unknown
 * @out: text
 * @size: of it
 */
void disk_line_text(const struct disk_line *line, char *out, size_t size)
{
	double seconds = (line->now.time_ns - line->before.time_ns) / 1e9;
	struct busy *busy = alloc_array(NULL, NR_DISKS, sizeof(*busy));
	size_t used = snprintf(out, size, "disks  "), nr, i;

	if (!line->before.time_ns) {
		snprintf(out + used, size - used, " ?");
		free(busy);
		return;
	}
	nr = find_busy(line, busy);
	if (!nr)
		snprintf(out + used, size - used, " nothing read or written");
	for (i = 0; i < nr; i++) {
		const struct disk *now = busy[i].now, *was = busy[i].was;
		char text[128];
		int n = snprintf(text, sizeof(text), "%s %s", i ? ";" : "", now->name);

		n += rate_text(text + n, sizeof(text) - n, "read",
			       (now->read_bytes - was->read_bytes) / seconds,
			       now->reads - was->reads, now->read_ms - was->read_ms);
		n += rate_text(text + n, sizeof(text) - n, "written",
			       (now->write_bytes - was->write_bytes) / seconds,
			       now->writes - was->writes, now->write_ms - was->write_ms);
		if (used + n >= size)
			break;
		strcpy(out + used, text);
		used += n;
	}
	free(busy);
}
