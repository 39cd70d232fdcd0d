/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - a report, as structs. Collected once (collect.c),
 * rendered as table, lines or JSON; no renderer asks the kernel anything.
 */
#ifndef PCINSPECT_MODEL_H
#define PCINSPECT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/file.h"
#include "model/numbers.h"
#include "model/own_sums.h"
#include "uapi/pcinspect.h"

/**
 * struct audit - one of our sums beside an independent counter
 * @what: which sum
 * @major: of which device, with @minor; 0:0 for none
 * @minor: likewise
 * @ours: it
 * @theirs_min: the counter before
 * @theirs: the counter after
 * @slack: what came and went meanwhile, and may have been met or not
 * @source: where the counter is from
 */
struct audit {
	const char *what;
	unsigned int major;
	unsigned int minor;
	uint64_t ours;
	uint64_t theirs_min;
	uint64_t theirs;
	uint64_t slack;
	const char *source;
};

/**
 * struct event_count - events of one kind on one file
 * @system: trace system
 * @name: of the event
 * @file: index in the report
 * @events: how many
 */
struct event_count {
	char *system;
	char *name;
	size_t file;
	uint64_t events;
};

/**
 * struct event_counts - the events of a trace
 * @list: by kind and file
 * @nr: how many
 * @room: allocated
 * @total: their sum
 * @others: events on no file of the report
 * @missed: events that were lost
 * @missed_unknown: and more, nobody knows how many
 */
struct event_counts {
	struct event_count *list;
	size_t nr;
	size_t room;
	uint64_t total;
	uint64_t others;
	uint64_t missed;
	bool missed_unknown;
};

/**
 * struct streamed - files of a report that were printed as they came, and are no longer kept
 * @files: how many
 * @unordered: of how many the order that is asked for is not known; not in @total
 * @total: their sums, as file_add(); each inode once
 * @classic: of some the pages are on the classic lists
 * @mglru: of some in generations
 * @longest_ns: how long the file counted longest was
 * @cached_pages: that the walks met
 * @disk_pages: of those the ones of files that are not made of memory, in top
 * @on_disk: there are such files
 * @before_pages: that their mappings had before
 * @after_pages: and after
 * @slack_pages: that came and went meanwhile
 * @shared: of some, pages are charged to cgroups that have no row
 * @unnamed_pages: of those, where there was room for a row
 * @task_lines: lines of one process at most, in lists of tasks that are full
 * @own: of those whose own numbers and lists do not add up
 */
struct streamed {
	size_t files;
	size_t unordered;
	struct file total;
	bool classic;
	bool mglru;
	uint64_t longest_ns;
	uint64_t cached_pages;
	uint64_t disk_pages;
	bool on_disk;
	uint64_t before_pages;
	uint64_t after_pages;
	uint64_t slack_pages;
	bool shared;
	uint64_t unnamed_pages;
	uint64_t task_lines;
	struct own_sums own;
};

/**
 * struct device_counter - what a disk counted between two moments
 * @bytes: of what was submitted between them
 * @min_bytes: less what had not ended at the first
 * @max_bytes: and with what was submitted around them
 */
struct device_counter {
	uint64_t bytes;
	uint64_t min_bytes;
	uint64_t max_bytes;
};

/**
 * struct device - what one device did during a run
 * @row: our counts
 * @gone_bytes: of @row.file_bytes, for inodes that are gone
 * @gone_write_bytes: of @row.write_file_bytes, likewise
 * @read: the device's own counter
 * @written: likewise
 * @read_requests: that it counted
 * @write_requests: likewise
 * @partitions: it has some, and its counter has theirs as well
 * @silent: it counts nothing (iostats of its queue is 0), or not yet (it is suspended, or
 *	hangs): @read and @written are unknown
 * @late: when the run began, it had not counted all that had been submitted before
 * @layered: others are made of it (device mapper, md), and its counter has what
 *	they pass on as well
 * @name: as in /sys/block
 */
struct device {
	struct pcinspect_device_row row;
	uint64_t gone_bytes;
	uint64_t gone_write_bytes;
	struct device_counter read;
	struct device_counter written;
	uint64_t read_requests;
	uint64_t write_requests;
	bool partitions;
	bool silent;
	bool late;
	bool layered;
	char name[32];
};

/**
 * struct losses - what could not be counted
 * @known: the module was asked
 * @windows: readahead windows without memory
 * @ledgers: inodes without memory for a ledger
 * @frames: calls that could not be followed
 * @dirty_times: dirty folios without memory for their time
 * @probes_missed: calls no probe saw
 * @device_bytes: read from devices for which there was no room
 * @hooks_missing: hooks this kernel lacks
 */
struct losses {
	bool known;
	uint64_t windows;
	uint64_t ledgers;
	uint64_t frames;
	uint64_t dirty_times;
	uint64_t probes_missed;
	uint64_t device_bytes;
	uint64_t hooks_missing;
};

#define MEMCG_ROOT "/sys/fs/cgroup"
#define PARAMETER "/sys/module/pcinspect/parameters/"
#define DIRTY_THRESHOLD "/proc/vmstat nr_dirty_threshold"	/* pages */
#define MEMORY_BYTES "/proc/meminfo MemTotal"			/* bytes */

/**
 * struct setting - a number that the kernel shows in a file of its own
 * @path: of the file
 * @value: what was in it; -1: unknown
 */
struct setting {
	char *path;
	int64_t value;
};

/**
 * struct memcg_limit - the memory limit that holds for a cgroup
 * @len: bytes of the path of the cgroup that has it: of it, or of one above it
 * @knob: "high" or "max"
 * @bytes: the limit
 * @path: of the cgroup that was asked about
 */
struct memcg_limit {
	int len;
	const char *knob;
	uint64_t bytes;
	const char *path;
};

/**
 * struct evidence - a number behind a verdict
 * @name: as JSON has it
 * @value: it
 */
struct evidence {
	const char *name;
	uint64_t value;
};

#define VERDICT_EVIDENCE 9
#define VERDICT_NAMED 3

/* enum scope - what a cause is about */
enum scope {
	SCOPE_FILE, SCOPE_DIRECTORY, SCOPE_PROCESS, SCOPE_CGROUP, SCOPE_DEVICE, SCOPE_MACHINE,
	NR_SCOPES
};

/**
 * struct verdict - one thing that is wrong, wherever it shows
 * @name: in a word, for programs
 * @scope: what it is about
 * @place: the directory, cgroup or device that is, raw; NULL: a file, or all
 * @file: the file that suffers most, its index in the report
 * @worst: that one and the next ones
 * @nr_files: how many suffer; 0: it is about @place, or all, not about files of the report
 * @text: all of it, for people
 * @what: of that, what happened and the numbers that say so
 * @why: which evidence separates it from its neighbours
 * @remedy: and what helps; NULL: nothing is known
 * @costs: what that costs, or what is lost by it
 * @command: a shell command that does it here, NULL: there is none
 * @certain: the numbers leave no other cause; else it is inferred from them
 * @evidence: the numbers
 * @nr_evidence: how many
 * @cost_bytes: what it cost; the list is sorted by it
 * @share: of what devices moved in the run, by that; -1: unknown
 */
struct verdict {
	const char *name;
	enum scope scope;
	char *place;
	size_t file;
	size_t worst[VERDICT_NAMED];
	size_t nr_files;
	char *text;
	char *what;
	const char *why;
	char *remedy;
	const char *costs;
	char *command;
	bool certain;
	struct evidence evidence[VERDICT_EVIDENCE];
	size_t nr_evidence;
	uint64_t cost_bytes;
	double share;
};

/**
 * struct report - everything one command has to say
 * @files: entries
 * @nr_files: how many
 * @without_module: there was none to ask: no file of a cgroup or the machine is known
 * @room: entries allocated
 * @told: what is said of files that are no entries any more
 * @gone: sums of retired records, path unset
 * @nr_gone: how many
 * @gone_room: allocated
 * @names: further inodes, whose paths are of use
 * @nr_names: how many
 * @names_room: allocated
 * @index: finds entries by inode (index.c), NULL: nobody asked
 * @devices: of a run
 * @nr_devices: how many
 * @devices_known: it is of a run that saw all bios
 * @losses: of the read side
 * @settings: limits and settings that say why (collect/settings.c)
 * @nr_settings: how many
 * @nr_rules: how many looked for what is wrong, 0: nobody asked
 * @verdicts: what is wrong, the costliest first (explain/explain.c)
 * @nr_verdicts: how many
 * @trial: of it and of what was tried to make it cheaper (model/trial.h), NULL: nothing was
 * @limits: that it was held against (model/limits.h), NULL: none
 * @interval_ns: how long a run took, 0: no run
 * @written_known: the next two are known
 * @written_file_pages: whose writeback ended during a run, of inodes with a
 *	ledger
 * @written_other_pages: of all else
 * @audits: reconciliations
 * @nr_audits: how many
 * @about: of the module
 * @skipped: inodes of busy filesystems
 * @busy: which, in words
 * @time_ns: CLOCK_MONOTONIC
 * @wall_ns: what a clock on the wall said then, ns since 1970; 0: unknown
 * @recorded: it is from a trace, perhaps of another machine
 * @kernel: release of the machine it is of
 * @page_size: its bytes per page
 * @counts: events of a trace, by kind and file; NULL: it is from no trace
 * @grows: it is of directories or patterns, whose files are followed
 * @left_out: then, files that are not, because there are too many
 * @events_open: a stream of events is open
 * @events_missed: events that were not seen, if it is
 */
struct report {
	struct file *files;
	size_t nr_files;
	bool without_module;
	size_t room;
	struct streamed streamed;
	struct file *gone;
	size_t nr_gone;
	size_t gone_room;
	struct file *names;
	size_t nr_names;
	size_t names_room;
	struct report_index *index;
	struct device devices[PCINSPECT_NR_DEVICES];
	size_t nr_devices;
	bool devices_known;
	struct losses losses;
	struct setting *settings;
	size_t nr_settings;
	size_t nr_rules;
	struct verdict *verdicts;
	size_t nr_verdicts;
	const struct trial *trial;
	const struct limits *limits;
	uint64_t interval_ns;
	bool written_known;
	uint64_t written_file_pages;
	uint64_t written_other_pages;
	struct audit *audits;
	size_t nr_audits;
	size_t audits_room;
	struct pcinspect_about about;
	uint64_t skipped;
	char busy[128];
	uint64_t time_ns;
	uint64_t wall_ns;
	bool recorded;
	char kernel[64];
	uint32_t page_size;
	struct event_counts *counts;
	bool grows;
	size_t left_out;
	bool events_open;
	uint64_t events_missed;
};

void report_drop_last(struct report *report);
void report_stream_last(struct report *report);
void file_begin_sum(struct file *total, uint32_t page_size);
void file_add(struct file *total, const struct file *file);
void streamed_walk(struct streamed *streamed, const struct file *file);
struct file *report_add(struct report *report, const char *path);
struct file *report_add_gone(struct report *report);
struct file *report_add_name(struct report *report);
void pcinspect_snapshot_take(struct pcinspect_snapshot *to,
			     const struct pcinspect_snapshot *row);
void file_take(struct file *file, const struct pcinspect_snapshot *row);
const struct file *report_inode(const struct report *report,
				const struct pcinspect_snapshot *snap);
const struct file *report_culprit(const struct report *report,
				  const struct pcinspect_culprit *culprit);
const char *report_name(const struct report *report,
			const struct pcinspect_culprit *culprit);
void report_set(struct report *report, const char *path, int64_t value);
bool report_has_setting(const struct report *report, const char *path);
bool report_setting(const struct report *report, const char *path,
		    uint64_t *value);
const char *report_likely_memcg(const struct report *report);
bool report_memcg_limit(const struct report *report, const char *memcg, bool any,
			struct memcg_limit *limit);
void report_forget_settings(struct report *report);
void report_forget_verdicts(struct report *report);
void report_free(struct report *report);
void file_free(struct file *file);
struct audit *report_add_audit(struct report *report, const char *what, uint64_t ours,
			       uint64_t theirs_min, uint64_t theirs, const char *source);
struct audit *report_audit_most(struct report *report, const char *what, uint64_t ours,
		       uint64_t most, const char *source);
struct audit *report_audit_least(struct report *report, const char *what, uint64_t ours,
			uint64_t least, const char *source);
uint64_t device_passed_on(const struct device *device, bool written);
bool audit_ok(const struct audit *audit);
int64_t audit_difference(const struct audit *audit);
bool report_lost(const struct report *report);
void report_now(struct report *report);
void report_at(struct report *report, uint64_t time_ns);
uint64_t report_wall(const struct report *report, uint64_t time_ns);
size_t report_first_name(const struct report *report, size_t file);
void report_forget_index(struct report *report);
const char *report_lru(const struct report *report);
int snapshot_compare(const struct pcinspect_snapshot *a, const struct pcinspect_snapshot *b);
uint64_t snapshot_interval(const struct pcinspect_snapshot *snap);
uint64_t snapshot_age(const struct pcinspect_snapshot *snap, uint64_t since_ns);
uint64_t report_interval(const struct report *report);
uint64_t report_moved(const struct report *report);
const char *scope_word(enum scope scope);

#endif /* PCINSPECT_MODEL_H */
