/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - the machine: its memory as the kernel counts it, and what its page cache
 * is made of, by file, directory, filesystem, cgroup or process.
 */
#ifndef PCINSPECT_MACHINE_H
#define PCINSPECT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/options.h"
#include "model/listed.h"
#include "model/readers.h"
#include "model/report.h"
#include "uapi/pcinspect.h"

/* enum memory_number - what the kernel says of the machine's memory, in pages */
enum memory_number {
	MEMORY_TOTAL,
	MEMORY_FREE,
	MEMORY_AVAILABLE,
	MEMORY_CACHE,		/* with shmem and swap cache */
	MEMORY_SHMEM,
	MEMORY_SWAP_CACHE,
	MEMORY_ACTIVE,
	MEMORY_INACTIVE,
	MEMORY_UNEVICTABLE,
	MEMORY_ISOLATED,
	MEMORY_DIRTY,
	MEMORY_WRITEBACK,
	MEMORY_REFAULTS,	/* since boot */
	NR_MEMORY_NUMBERS
};

/* enum pressure - stalls, by what tasks waited for */
enum pressure { PRESSURE_MEMORY, PRESSURE_IO, NR_PRESSURES };

/**
 * struct memory - the kernel's own numbers
 * @known: bits of enum memory_number
 * @pages: by it
 * @pressure_known: of each
 * @some_percent: of the last ten seconds some task waited
 * @full_percent: of the last ten seconds every task that was not idle did
 * @some_us: since boot
 * @lag_pages: what CPUs may not have told yet, of any of them; 0 where nobody knows
 * @time_ns: CLOCK_MONOTONIC
 */
struct memory {
	uint32_t known;
	uint64_t pages[NR_MEMORY_NUMBERS];
	bool pressure_known[NR_PRESSURES];
	double some_percent[NR_PRESSURES];
	double full_percent[NR_PRESSURES];
	uint64_t some_us[NR_PRESSURES];
	uint64_t lag_pages;
	uint64_t time_ns;
};

/* enum machine_policy - which reclaim the pages belong to */
enum machine_policy { POLICY_UNKNOWN, POLICY_CLASSIC, POLICY_MGLRU, POLICY_MIXED };

/* Numbers of enum machine_key that somebody must have counted: KEY_READ to KEY_REFAULT */
#define NR_MACHINE_COUNTS (KEY_REFAULT - KEY_READ + 1)

/**
 * struct machine_cgroup - one cgroup, by itself
 * @lists: its own, without those of cgroups below it
 * @parent: there are some below it
 */
struct machine_cgroup {
	struct pcinspect_list_cgroup lists;
	bool parent;
};

/**
 * struct machine_row - one line of the list: a file, a directory...
 * @keys: what tells it from others, with @name; by what the list is of
 * @name: path, mount point, path within the cgroups' hierarchy, or name of a thread;
 *	NULL: it has none
 * @note: a container's name, a filesystem's type, or NULL
 * @row: of files: what the module said of the first of them; pages are sums
 * @files: how many files
 * @counters: of them, those with a ledger; of a cgroup 1, if the kernel told its refaults
 * @counts: what they counted, from KEY_READ on: bytes, pages, pages
 * @pid: of a process
 * @task: what it did, as far as there are records
 * @evicted_for: pages of other files that went while it filled its own
 * @unknown: bits of enum machine_key: some file does not know its part of that number
 * @elsewhere: of files and directories: the filesystem is not mounted here, so @name is
 *	within it and may be anything else's here
 * @grown_pages: since the tick before, if @before
 * @before: it was there at the tick before
 * @cgroup: of a cgroup what the kernel counts, or NULL
 * @current_bytes: of a cgroup with none below it, memory.current
 * @current_known: it could be read
 */
struct machine_row {
	uint64_t keys[3];
	char *name;
	char *note;
	struct pcinspect_list_file row;
	uint64_t files;
	uint64_t counters;
	uint64_t counts[NR_MACHINE_COUNTS];
	uint32_t pid;
	struct pcinspect_task task;
	uint64_t evicted_for;
	uint32_t unknown;
	bool elsewhere;
	int64_t grown_pages;
	bool before;
	const struct machine_cgroup *cgroup;
	uint64_t current_bytes;
	bool current_known;
};

/**
 * struct machine_only - a part of the machine that the list is of
 * @per: what it is
 * @key: the number that tells it from others; of a directory that is not mounted here
 *	its filesystem's, of others 0
 * @name: and the name, of a directory
 */
struct machine_only {
	enum machine_per per;
	uint64_t key;
	char *name;
};

/**
 * struct machine_ledger - a file of which more was counted than its pages
 * @file: it
 * @met: it is on some list
 * @added: its numbers are in a row
 */
struct machine_ledger {
	const struct file *file;
	bool met;
	bool added;
};

/**
 * struct machine_begin - the first tick of those in a row that count what came and went
 * @known: there is one, this or an earlier one
 * @demand: what had come and gone
 * @pages: pages of files before that was read
 * @after_pages: and after
 * @left_pages: that may have left the page cache in between
 * @lag_pages: see struct memory
 */
struct machine_begin {
	bool known;
	struct pcinspect_demand demand;
	uint64_t pages;
	uint64_t after_pages;
	uint64_t left_pages;
	uint64_t lag_pages;
};

/**
 * struct machine - the machine, once
 * @report: moment, kernel and audits; its files are those with records
 * @per: what the list is of
 * @key: the order that it is for
 * @only: of which part of the machine, NULL: of all
 * @memory: the kernel's numbers, after the walk
 * @demand: what all programs asked of the page cache, at the same moment; its size is 0
 *	if nobody counted that
 * @readers: who had pages read from which files until then
 * @after_pages: pages of files when @demand had been read, if @after_known
 * @after_known: see memory_file_pages()
 * @left_pages: that may have left the page cache since @memory was read, until then
 * @begin: what machine_audit_demand() goes on from
 * @lists: all lists, summed up
 * @policy: which reclaim
 * @rows: the list; most first
 * @nr_rows: how many
 * @room: allocated
 * @files: files in the answer
 * @hidden_files: and those for which it had no room
 * @named_pages: pages of files that have a name
 * @nameless_pages: of files that are known by inode only
 * @hidden_pages: of @hidden_files, and of those that could not be told apart
 * @deleted_pages: of @named_pages and @nameless_pages: the file is deleted
 * @again: lists that were walked again
 * @busy: filesystems whose files have no name for this reason
 * @records: files with a record, if anybody asked
 * @ledgers: of them, those with a ledger, which knows processes
 * @index: those, by inode, where rows have @counts
 * @cgroups: of a list of cgroups, all there are
 * @nr_cgroups: how many
 * @room_cgroups: allocated
 * @guessed: reclaim took pages of them, and for whom is a guess, or was not kept
 */
struct machine {
	struct report *report;
	enum machine_per per;
	enum machine_key key;
	const struct machine_only *only;
	struct memory memory;
	struct pcinspect_demand demand;
	struct readers readers;
	uint64_t after_pages;
	bool after_known;
	uint64_t left_pages;
	struct machine_begin begin;
	struct pcinspect_list_cgroup lists;
	enum machine_policy policy;
	struct machine_row *rows;
	size_t nr_rows;
	size_t room;
	uint64_t files;
	uint64_t hidden_files;
	uint64_t named_pages;
	uint64_t nameless_pages;
	uint64_t hidden_pages;
	uint64_t deleted_pages;
	uint32_t again;
	uint32_t busy;
	uint64_t records;
	uint64_t ledgers;
	struct machine_ledger *index;
	struct machine_cgroup *cgroups;
	size_t nr_cgroups;
	size_t room_cgroups;
	bool guessed;
};

bool memory_number(const struct memory *memory, enum memory_number number, uint64_t *pages);
bool memory_file_pages(const struct memory *memory, uint64_t *pages);

uint64_t machine_listed(const struct machine *machine);
uint64_t machine_found(const struct machine *machine);
bool machine_file_pages(const struct machine *machine, uint64_t *pages);
bool machine_off_lru(const struct machine *machine, uint64_t *pages);
uint64_t machine_unwalked(const struct machine *machine);
const char *machine_policy_name(enum machine_policy policy);
bool machine_named(const struct machine *machine, double *percent);
bool machine_demand(const struct machine *machine, const struct machine *before,
		    struct pcinspect_demand *between);
void machine_audit_demand(struct machine *machine, const struct machine *before,
			  unsigned int cpus);
bool machine_hits(const struct machine *machine, const struct machine *before, double *ratio);
uint64_t row_pages(const struct machine_row *row);
bool row_hits(const struct machine_row *row, uint32_t page_size, double *ratio);
uint64_t row_number(const struct machine_row *row, enum machine_key key);
bool row_knows(const struct machine_row *row, enum machine_key key);
bool machine_key_fits(enum machine_per per, enum machine_key key);
bool machine_key_counted(enum machine_key key);
bool machine_counts(const struct machine *machine);
void machine_index_ledgers(struct machine *machine);
void machine_add_file(struct machine *machine, const struct pcinspect_list_file *row,
		      const char *path, bool elsewhere);
void machine_add_uncached(struct machine *machine);
void machine_add_tasks(struct machine *machine, const struct file *file);
void machine_add_lists(struct machine *machine, const struct pcinspect_list_cgroup *lists);
void machine_group(struct machine *machine);
const struct machine_row *machine_oldest(const struct machine *machine, size_t *unknown);
const struct machine_row *machine_most_inactive(const struct machine *machine);
void machine_join_cgroups(struct machine *machine);
bool machine_part(enum machine_per per, const struct machine_row *row,
		  struct machine_only *only);
void machine_grow(struct machine *machine, struct machine *before);
void machine_sort(struct machine *machine, enum machine_key key);
void machine_free(struct machine *machine);

#endif /* PCINSPECT_MACHINE_H */
