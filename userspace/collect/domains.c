// SPDX-License-Identifier: GPL-2.0-only
/*
 * domains.c - the machine, or a cgroup, looked at twice, a little apart: the LRU lists for
 * what its page cache is made of, the kernel's own counters for what happens meanwhile.
 *
 * Touches: /dev/pcinspect; reads /proc/vmstat, /proc/meminfo, /proc/pressure, the cgroup
 * hierarchy (v2), and who holds a deleted file (opened.c). No filesystem that a file is on
 * is asked: its server may be dead.
 */
#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/cgroups.h"
#include "collect/device.h"
#include "collect/domains.h"
#include "collect/machine.h"
#include "collect/mounts.h"
#include "collect/opened.h"
#include "collect/settings.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/keyfile.h"

/* The counters of one domain that only grow. */
static const enum domain_number growing[] = {
	DOMAIN_REFAULTS, DOMAIN_READ, DOMAIN_RECLAIMED, DOMAIN_STALLED_US,
};

/* --- a domain's own counters --------------------------------------------------------- */

/* struct source - a key of a file, and the number that its value is added to */
struct source {
	const char *key;
	enum domain_number number;
	uint32_t per_page;	/* of its unit in a page */
};

#define NR_SOURCES(sources) (sizeof(sources) / sizeof(*(sources)))

static void add_to(struct domain *domain, enum domain_number number, uint64_t value)
{
	domain_set(domain, number, domain_of(domain, number) + value);
}

static void read_sources(struct domain *domain, const struct source *sources, size_t nr,
			 const char *dir, const char *name)
{
	struct keyfile file;
	size_t i;

	keyfile_open(&file, "%s/%s", dir, name);
	while (keyfile_next(&file))
		for (i = 0; i < nr; i++)
			if (!strcmp(sources[i].key, file.key))
				add_to(domain, sources[i].number,
				       file.value / sources[i].per_page);
	keyfile_close(&file);
}

static void read_stalled(struct domain *domain, const char *dir, const char *name)
{
	struct keyfile file;
	unsigned long long total;

	keyfile_open(&file, "%s/%s", dir, name);
	if (keyfile_line(&file) && sscanf(file.line, "some %*s %*s %*s total=%llu", &total) == 1)
		domain_set(domain, DOMAIN_STALLED_US, total);
	keyfile_close(&file);
}

/* io.stat: bytes read from all devices. The file is absent where nothing counts them. */
static void read_io(struct domain *domain, const char *dir, uint32_t page_size)
{
	struct keyfile file;
	uint64_t bytes = 0;
	const char *at;

	if (!keyfile_open(&file, "%s/io.stat", dir))
		return;
	while (keyfile_line(&file)) {
		at = strstr(file.line, " rbytes=");
		bytes += at ? strtoull(at + 8, NULL, 10) : 0;
	}
	keyfile_close(&file);
	domain_set(domain, DOMAIN_READ, bytes / page_size);
}

/* meminfo is in KiB, and so is pgpgin. */
static void read_machine(struct domain *domain, uint32_t page_size)
{
	const uint32_t kib = page_size / 1024;
	const struct source meminfo[] = {
		{ "MemTotal", DOMAIN_CAPACITY, kib }, { "AnonPages", DOMAIN_ANON, kib },
		{ "Shmem", DOMAIN_SHMEM, kib }, { "SUnreclaim", DOMAIN_KERNEL, kib },
		{ "KernelStack", DOMAIN_KERNEL, kib }, { "PageTables", DOMAIN_KERNEL, kib },
		{ "SwapFree", DOMAIN_SWAP_FREE, kib },
	}, vmstat[] = {
		{ "nr_active_file", DOMAIN_ACTIVE, 1 }, { "nr_inactive_file", DOMAIN_INACTIVE, 1 },
		{ "nr_dirty", DOMAIN_DIRTY, 1 }, { "nr_writeback", DOMAIN_DIRTY, 1 },
		{ "nr_dirty_threshold", DOMAIN_DIRTY_LIMIT, 1 }, { "pgpgin", DOMAIN_READ, kib },
		{ "workingset_refault_file", DOMAIN_REFAULTS, 1 },
		{ "pgsteal_file", DOMAIN_RECLAIMED, 1 },
	};
	uint64_t value, background;

	read_sources(domain, vmstat, NR_SOURCES(vmstat), "/proc", "vmstat");
	/* domain_poll_dirty_limits() and dirty_freerun_ceiling(), mm/page-writeback.c */
	if (keyfile_find(&background, "nr_dirty_background_threshold", "/proc/vmstat") &&
	    domain_number(domain, DOMAIN_DIRTY_LIMIT, &value))
		domain_set(domain, DOMAIN_DIRTY_WAIT, (background + value) / 2);
	read_sources(domain, meminfo, NR_SOURCES(meminfo), "/proc", "meminfo");
	if (keyfile_find(&value, "MemAvailable", "/proc/meminfo") &&
	    value / kib <= domain_of(domain, DOMAIN_CAPACITY))
		domain_set(domain, DOMAIN_USED, domain_of(domain, DOMAIN_CAPACITY) - value / kib);
	read_stalled(domain, "/proc/pressure", "memory");
}

/*
 * Of a cgroup the limit of dirty pages is a part of what it could have of page cache
 * (mdtc_calc_avail(), mm/page-writeback.c), as far as memory elsewhere does not
 * matter; with the ratios it is worked out, and no one else shows it.
 */
static void work_out_dirty(struct domain *domain)
{
	uint64_t ratio, background, bytes, used = domain_of(domain, DOMAIN_USED), avail, all;
	uint64_t capacity = domain_of(domain, DOMAIN_CAPACITY);
	struct report knobs = {};

	settings_read_one(&knobs, "/proc/sys/vm/dirty_ratio");
	settings_read_one(&knobs, "/proc/sys/vm/dirty_background_ratio");
	settings_read_one(&knobs, "/proc/sys/vm/dirty_bytes");
	all = domain_of(domain, DOMAIN_ACTIVE) + domain_of(domain, DOMAIN_INACTIVE);
	avail = all + (capacity > used ? capacity - used : 0);
	if (capacity && report_setting(&knobs, "/proc/sys/vm/dirty_ratio", &ratio) && ratio &&
	    report_setting(&knobs, "/proc/sys/vm/dirty_background_ratio", &background) &&
	    report_setting(&knobs, "/proc/sys/vm/dirty_bytes", &bytes) && !bytes) {
		/* As the kernel does it where the two cross. */
		if (background >= ratio)
			background = ratio / 2;
		domain_set(domain, DOMAIN_DIRTY_LIMIT, avail * ratio / 100);
		domain_set(domain, DOMAIN_DIRTY_WAIT, avail * (ratio + background) / 200);
		domain->inferred = true;
	}
	report_forget_settings(&knobs);
}

static void read_cgroup(struct domain *domain, struct report *report, const char *dir)
{
	const uint32_t page = report->page_size;
	/* In bytes, but for events. */
	const struct source stat[] = {
		{ "active_file", DOMAIN_ACTIVE, page }, { "inactive_file", DOMAIN_INACTIVE, page },
		{ "anon", DOMAIN_ANON, page }, { "shmem", DOMAIN_SHMEM, page },
		{ "kernel", DOMAIN_KERNEL, page },
		{ "file_dirty", DOMAIN_DIRTY, page }, { "file_writeback", DOMAIN_DIRTY, page },
		{ "workingset_refault_file", DOMAIN_REFAULTS, 1 },
		{ "pgsteal", DOMAIN_RECLAIMED, 1 },
	};
	uint64_t bytes;

	settings_read_memcg(report, domain->path);
	if (report_memcg_limit(report, domain->path, true, &domain->limit))
		domain_set(domain, DOMAIN_CAPACITY, domain->limit.bytes / page);
	if (keyfile_number(&bytes, "%s/memory.current", dir))
		domain_set(domain, DOMAIN_USED, bytes / page);
	read_sources(domain, stat, NR_SOURCES(stat), dir, "memory.stat");
	read_io(domain, dir, page);
	read_stalled(domain, dir, "memory.pressure");
	if (domain->limit.len)
		work_out_dirty(domain);
}

/* --- which domains -------------------------------------------------------------------- */

/* "max" is no number: there is no limit. */
static bool has_limit(const char *dir)
{
	uint64_t value;

	return keyfile_number(&value, "%s/memory.high", dir) ||
	       keyfile_number(&value, "%s/memory.max", dir);
}

/* Cgroups that have a limit of their own, parents before children, of the first @most. */
static void add_limited(struct domains *domains, size_t most)
{
	char *const roots[] = { (char *)MEMCG_ROOT, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	FTSENT *entry;

	while (tree && (entry = fts_read(tree))) {
		if (entry->fts_info != FTS_D || !entry->fts_level)
			continue;
		domains->partly = !most--;
		if (domains->partly)
			break;
		if (has_limit(entry->fts_path))
			domains_add(domains, entry->fts_path + strlen(MEMCG_ROOT));
	}
	if (tree)
		fts_close(tree);
}

/*
 * Does the kernel count all refaults? lru_gen_refault() of 6.1 only those that it finds recent,
 * a twentieth of what the classic lists count of the same reads (6.12 and 7.2: all).
 */
static bool counts_refaults(const struct report *report)
{
	unsigned int major, minor;

	return !(report->about.flags & PCINSPECT_F_LRU_GEN) ||
	       sscanf(report->kernel, "%u.%u", &major, &minor) != 2 ||
	       major > 6 || (major == 6 && minor >= 12);
}

static void read_domain(struct domain *domain, struct report *report)
{
	uint64_t kib = report->page_size / 1024, swap;
	char *dir;

	if (!domain->path) {
		read_machine(domain, report->page_size);
	} else {
		dir = alloc_text(MEMCG_ROOT "%s", domain->path);
		read_cgroup(domain, report, dir);
		free(dir);
		if (keyfile_find(&swap, "SwapFree", "/proc/meminfo"))
			domain_set(domain, DOMAIN_SWAP_FREE, swap / kib);
	}
	if (!counts_refaults(report))
		domain->known &= ~(1U << DOMAIN_REFAULTS);
}

static void read_first(struct domains *domains)
{
	size_t i;

	for (i = 0; i < domains->nr; i++)
		read_domain(&domains->list[i], domains->report);
	domains->interval_ns = clock_now_ns();
}

/**
 * domains_again() - the second look: of what grows, by how much since the first
 * @domains: after the first; its report may be another now
 *
 * Counts unknown then are unknown.
 */
void domains_again(struct domains *domains)
{
	size_t i, k;

	for (i = 0; i < domains->nr; i++) {
		struct domain *domain = &domains->list[i], now = { .path = domain->path };

		read_domain(&now, domains->report);
		for (k = 0; k < sizeof(growing) / sizeof(*growing); k++) {
			uint64_t then, value;

			if (domain_number(domain, growing[k], &then) &&
			    domain_number(&now, growing[k], &value) && value >= then)
				now.numbers[growing[k]] = value - then;
			else
				now.known &= ~(1U << growing[k]);
		}
		*domain = now;
	}
	domains->interval_ns = clock_now_ns() - domains->interval_ns;
}

/**
 * domains_begin() - the first look at the counters of the machine, and of cgroups with a limit
 * @domains: empty but for its report
 * @most: cgroups that are looked for
 */
void domains_begin(struct domains *domains, size_t most)
{
	domains_add(domains, NULL);
	add_limited(domains, most);
	read_first(domains);
}

/* --- which files ----------------------------------------------------------------------- */

static uint64_t size_pages(const struct pcinspect_list_file *row)
{
	uint64_t page = sysconf(_SC_PAGESIZE);

	return (row->size_bytes + page - 1) / page;
}

/* Of a file that is in use, at least this part is cached. */
#define IN_USE_PART 16

/*
 * The pages that a cgroup with refaults lacks: the rest of each file of which it has a part.
 * No more than that can be read again, however often it was.
 */
static void find_missing(struct domain *domain, const struct cgroup *cgroup)
{
	uint64_t missing = 0, pages, size;
	size_t i;

	for (i = 0; i < cgroup->nr_files; i++) {
		const struct pcinspect_list_file *row = &cgroup->files[i].row;

		pages = listed_pages(row);
		size = size_pages(row);
		if (!(row->flags & PCINSPECT_F_BLOCK_DEVICE) && pages * IN_USE_PART >= size &&
		    size > pages)
			missing += size - pages;
	}
	domain_set(domain, DOMAIN_MISSING, missing);
}

/* Walks of cgroups beside that of the machine; those with most refaults are walked. */
#define MOST_WALKS 8

/* Of the cgroups that read again what was evicted. */
static void find_all_missing(struct collect *collect, struct domains *domains)
{
	struct domain *worst;
	struct cgroup cgroup;
	unsigned int walks;
	size_t i;

	for (walks = 0; walks < MOST_WALKS; walks++) {
		for (worst = NULL, i = 0; i < domains->nr; i++) {
			struct domain *domain = &domains->list[i];

			if (domain->path && domain->limit.len && domain_of(domain, DOMAIN_REFAULTS) &&
			    !(domain->known >> DOMAIN_MISSING & 1) &&
			    (!worst || domain_of(domain, DOMAIN_REFAULTS) >
				       domain_of(worst, DOMAIN_REFAULTS)))
				worst = domain;
		}
		if (!worst)
			return;
		if (!cgroups_walk(collect, worst->path, &cgroup))
			find_missing(worst, &cgroup);
		else
			return;
		cgroup_free(&cgroup);
	}
}

/*
 * Whether its path leads to it is known without asking its filesystem, whose server may be
 * dead: from the mount table.
 */
static void set_file(struct libmnt_table *mounts, struct domains_file *file,
		     const struct listed_file *seen)
{
	const struct pcinspect_list_file *row = &seen->row;
	const char *path = seen->path;

	free(file->path);
	*file = (struct domains_file){
		.path = alloc_copy(path),
		.here = path && !seen->elsewhere &&
			!(row->flags & (PCINSPECT_F_DELETED | PCINSPECT_F_BLOCK_DEVICE)) &&
			mounts_show(mounts, row->dev_major, row->dev_minor, path),
		.elsewhere = path && seen->elsewhere,
		.dev_major = row->dev_major,
		.dev_minor = row->dev_minor,
		.size_pages = row->flags & PCINSPECT_F_BLOCK_DEVICE ? 0 : size_pages(row),
		.pages = listed_pages(row),
		.active = row->pages[PCINSPECT_LIST_ACTIVE],
		.mapped = row->mapped_pages,
		.dirty = row->dirty_pages,
	};
}

/* One file of the second look; returns whether it has most pages so far. */
static bool consider(struct collect *collect, struct domains *domains,
		     const struct listed_file *seen, struct pcinspect_list_file *deleted)
{
	const struct pcinspect_list_file *row = &seen->row;
	uint64_t pages = listed_pages(row);

	if (row->dirty_pages > domains->dirtiest.dirty)
		set_file(collect->mounts, &domains->dirtiest, seen);
	if (row->flags & PCINSPECT_F_DELETED) {
		domains->deleted_pages += pages;
		domains->deleted_files++;
		if (pages > domains->deleted.pages) {
			set_file(collect->mounts, &domains->deleted, seen);
			*deleted = *row;
		}
	}
	if (pages <= domains->largest.pages)
		return false;
	set_file(collect->mounts, &domains->largest, seen);
	return true;
}

/* For a walk of all open files: which one, and who has it. */
struct holder {
	const struct pcinspect_list_file *row;
	struct domains_file *file;
	const char *pid;
};

static bool take_holder(const struct opened_file *opened, void *arg)
{
	struct holder *holder = arg;

	if (!opened->deleted || opened->ino != holder->row->ino ||
	    opened->mount->major != holder->row->dev_major ||
	    opened->mount->minor != holder->row->dev_minor)
		return true;
	holder->file->pid = strtoul(holder->pid, NULL, 10);
	holder->file->fd = opened->fd;
	return false;
}

/* A process that has the file open; the first found. Not for nothing: it costs time. */
static void find_holder(struct domains *domains, const struct pcinspect_list_file *row)
{
	struct domains_file *file = &domains->deleted;
	struct holder holder = { .row = row, .file = file };
	struct opened_mounts mounts = {};
	struct dirent *process;
	DIR *proc;
	char path[64];
	FILE *from;

	if (!domains_deleted_matter(domains))
		return;
	proc = opendir("/proc");
	while (proc && !file->pid && (process = readdir(proc))) {
		if (*process->d_name < '1' || *process->d_name > '9')
			continue;
		holder.pid = process->d_name;
		opened_each(&mounts, process->d_name, take_holder, &holder);
	}
	if (proc)
		closedir(proc);
	opened_forget(&mounts);
	if (!file->pid)
		return;
	snprintf(path, sizeof(path), "/proc/%u/comm", file->pid);
	from = fopen(path, "re");
	if (from && fgets(file->comm, sizeof(file->comm), from))
		file->comm[strcspn(file->comm, "\n")] = '\0';
	if (from)
		fclose(from);
}

/* --- looking --------------------------------------------------------------------------- */

/**
 * domains_take() - the files that stand out
 * @domains: get them
 * @collect: knows mounts
 * @machine: a list of all files
 * @deleted: set to the largest that is deleted
 */
void domains_take(struct domains *domains, struct collect *collect,
		  const struct machine *machine, struct pcinspect_list_file *deleted)
{
	size_t i;

	for (i = 0; i < machine->nr_rows; i++) {
		const struct machine_row *row = &machine->rows[i];
		const struct listed_file seen = { row->name, row->elsewhere, row->row };

		if (!consider(collect, domains, &seen, deleted))
			continue;
		domains->largest.grown = row->grown_pages;
		domains->largest.grown_known = row->before;
	}
}

/* The machine's lists, and how files have grown since the first look. */
static int look_at_machine(struct collect *collect, struct domains *domains, double seconds)
{
	struct pcinspect_list_file deleted = {};
	struct machine before = {}, now = { .report = collect->report };
	struct collect first;
	struct report then;
	int rc;

	if (!collect_start(&first, &then))
		return -1;
	before.report = &then;
	rc = machine_collect(&first, &before, -1);
	if (!rc) {
		domains_begin(domains, SIZE_MAX);
		clock_wait(seconds);
		rc = machine_collect(collect, &now, -1);
		domains_again(domains);
	}
	if (!rc) {
		machine_grow(&now, &before);
		domains_take(domains, collect, &now, &deleted);
		find_holder(domains, &deleted);
		find_all_missing(&first, domains);
	}
	machine_free(&before);
	machine_free(&now);
	collect_free(&first);
	return rc;
}

static int look_at_cgroup(struct collect *collect, struct domains *domains, char *path,
			  double seconds)
{
	struct cgroups now = { .report = collect->report };
	struct pcinspect_list_file deleted = {};
	size_t i;
	int rc;

	read_first(domains);
	clock_wait(seconds);
	rc = cgroups_collect(collect, &now, &path, 1) || !now.nr;
	domains_again(domains);
	for (i = 0; !rc && i < now.list[0].nr_files; i++)
		consider(collect, domains, &now.list[0].files[i], &deleted);
	find_holder(domains, &deleted);
	if (!rc)
		find_missing(&domains->list[0], &now.list[0]);
	cgroups_free(&now);
	return rc ? -1 : 0;
}

/**
 * domains_collect() - look at the machine, or a cgroup, twice
 * @collect: reaches the module
 * @domains: zeroed but for its report; filled in
 * @cgroup: as typed, or within the hierarchy; NULL: the machine
 * @seconds: between the looks
 *
 * Complains by itself.
 *
 * Return: 0, or -1.
 */
int domains_collect(struct collect *collect, struct domains *domains, const char *cgroup,
		  double seconds)
{
	char full[PATH_MAX], real[PATH_MAX];
	int fd;

	settings_read_memory(domains->report);
	if (!cgroup)
		return look_at_machine(collect, domains, seconds);
	fd = cgroups_open(cgroup, full, sizeof(full));
	if (fd < 0) {
		complain(cgroup, "%s", open_error_text(errno));
		return -1;
	}
	close(fd);
	if (!realpath(full, real) || strncmp(real, MEMCG_ROOT, strlen(MEMCG_ROOT))) {
		complain(cgroup, "is not below %s: its counters are not those of cgroup v2 (give a directory there)",
			 MEMCG_ROOT);
		return -1;
	}
	domains_add(domains, real[strlen(MEMCG_ROOT)] ? real + strlen(MEMCG_ROOT) : "/");
	return look_at_cgroup(collect, domains, real, seconds);
}
