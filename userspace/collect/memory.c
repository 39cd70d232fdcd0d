// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - the machine's memory by the kernel's own counters: what our sums are held
 * against.
 *
 * Touches: reads /proc/vmstat, /proc/meminfo, /proc/pressure and /proc/zoneinfo; and
 * /proc/sys/vm/stat_refresh, which has the kernel add up its counters.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/memory.h"
#include "lib/clock.h"
#include "lib/keyfile.h"

/* Where each is: of /proc/vmstat in pages, of /proc/meminfo in KiB. */
static const struct {
	const char *vmstat;
	const char *meminfo;
} sources[NR_MEMORY_NUMBERS] = {
	[MEMORY_TOTAL] = { .meminfo = "MemTotal" },
	[MEMORY_FREE] = { .meminfo = "MemFree" },
	[MEMORY_AVAILABLE] = { .meminfo = "MemAvailable" },
	[MEMORY_CACHE] = { .vmstat = "nr_file_pages" },
	[MEMORY_SHMEM] = { .vmstat = "nr_shmem" },
	/* Not in vmstat where the kernel has no swap; there it is 0. */
	[MEMORY_SWAP_CACHE] = { .vmstat = "nr_swapcached", .meminfo = "SwapCached" },
	[MEMORY_ACTIVE] = { .vmstat = "nr_active_file" },
	[MEMORY_INACTIVE] = { .vmstat = "nr_inactive_file" },
	[MEMORY_UNEVICTABLE] = { .vmstat = "nr_unevictable" },
	[MEMORY_ISOLATED] = { .vmstat = "nr_isolated_file" },
	[MEMORY_DIRTY] = { .vmstat = "nr_dirty" },
	[MEMORY_WRITEBACK] = { .vmstat = "nr_writeback" },
	[MEMORY_REFAULTS] = { .vmstat = "workingset_refault_file" },
};

static void set_memory(struct memory *memory, const char *key, uint64_t value, bool vmstat)
{
	uint64_t kib = sysconf(_SC_PAGESIZE) / 1024;
	int i;

	for (i = 0; i < NR_MEMORY_NUMBERS; i++) {
		const char *name = vmstat ? sources[i].vmstat : sources[i].meminfo;

		if (!name || strcmp(name, key) || (!vmstat && memory->known >> i & 1))
			continue;
		memory->pages[i] = vmstat ? value : value / kib;
		memory->known |= 1U << i;
	}
}

static void read_file(struct memory *memory, const char *path, bool vmstat)
{
	struct keyfile file;

	keyfile_open(&file, "%s", path);
	while (keyfile_next(&file))
		set_memory(memory, file.key, file.value, vmstat);
	keyfile_close(&file);
}

static void read_pressure(struct memory *memory, enum pressure what, const char *path)
{
	struct keyfile file;
	unsigned long long total;
	double percent;
	char kind[8];
	int found = 0;

	keyfile_open(&file, "%s", path);
	while (keyfile_line(&file) &&
	       sscanf(file.line, "%7s avg10=%lf %*s %*s total=%llu", kind, &percent, &total) == 3) {
		if (!strcmp(kind, "some")) {
			memory->some_percent[what] = percent;
			memory->some_us[what] = total;
			found |= 1;
		} else if (!strcmp(kind, "full")) {
			memory->full_percent[what] = percent;
			found |= 2;
		}
	}
	memory->pressure_known[what] = found == 3;
	keyfile_close(&file);
}

/*
 * Each CPU keeps what it counts to itself until it is more than a threshold, that of a
 * node being the largest of its zones' (refresh_zone_stat_thresholds(), mm/vmstat.c).
 */
static uint64_t read_lag(void)
{
	struct keyfile file;
	uint64_t sum = 0, most = 0, cpus = 0;
	unsigned int node, last = -1U, value;

	keyfile_open(&file, "/proc/zoneinfo");
	while (keyfile_line(&file)) {
		if (sscanf(file.line, "Node %u, zone", &node) == 1) {
			if (node != last)
				sum += most;
			most = node != last ? 0 : most;
			last = node;
			cpus = 0;
		} else if (sscanf(file.line, " vm stats threshold: %u", &value) == 1) {
			cpus++;
			if (value * cpus > most)
				most = value * cpus;
		}
	}
	keyfile_close(&file);
	return sum + most;
}

static void read_counters(struct memory *memory)
{
	memset(memory, 0, sizeof(*memory));
	memory->time_ns = clock_now_ns();
	read_file(memory, "/proc/vmstat", true);
	read_file(memory, "/proc/meminfo", false);
}

/* Nothing but pages of files, now; see memory_file_pages(). */
bool memory_read_file_pages(uint64_t *pages)
{
	struct memory memory;

	read_counters(&memory);
	return memory_file_pages(&memory, pages);
}

/**
 * memory_read() - read all of it, now
 * @memory: filled in; what this kernel lacks is not known
 * @exactly: wake every CPU to tell what it has counted: not for each tick
 */
void memory_read(struct memory *memory, bool exactly)
{
	/* vmstat_refresh(), mm/vmstat.c */
	if (exactly)
		keyfile_flush("/proc/sys/vm/stat_refresh");
	read_counters(memory);
	read_pressure(memory, PRESSURE_MEMORY, "/proc/pressure/memory");
	read_pressure(memory, PRESSURE_IO, "/proc/pressure/io");
	memory->lag_pages = read_lag();
}
