// SPDX-License-Identifier: GPL-2.0-only
/*
 * report.c - building reports and asking them the questions every renderer has.
 * Touches memory only.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/clock.h"
#include "model/report.h"

/**
 * report_add() - append an empty entry
 * @report: to which
 * @path: copied; NULL if no name is known
 *
 * Return: the entry, valid until the next is added.
 */
struct file *report_add(struct report *report, const char *path)
{
	struct file *file;

	report->files =
		alloc_room(report->files, report->nr_files, &report->room, sizeof(*report->files));
	file = &report->files[report->nr_files++];
	memset(file, 0, sizeof(*file));
	file->page_size = report->page_size;
	if (path) {
		file->path = alloc_copy(path);
	}
	return file;
}

/* Take the last entry back. */
void report_drop_last(struct report *report)
{
	file_free(&report->files[--report->nr_files]);
}

/**
 * report_add_gone() - append an empty row for retired records
 * @report: to which
 *
 * Return: the entry, valid until the next is added.
 */
struct file *report_add_gone(struct report *report)
{
	report->gone = alloc_room(report->gone, report->nr_gone, &report->gone_room,
				  sizeof(*report->gone));
	memset(&report->gone[report->nr_gone], 0, sizeof(*report->gone));
	return &report->gone[report->nr_gone++];
}

/**
 * report_add_name() - append an empty entry that is not printed
 * @report: to which
 *
 * Return: the entry, valid until the next is added.
 */
struct file *report_add_name(struct report *report)
{
	report->names = alloc_room(report->names, report->nr_names, &report->names_room,
				   sizeof(*report->names));
	memset(&report->names[report->nr_names], 0, sizeof(*report->names));
	return &report->names[report->nr_names++];
}

/* The structs of a section, as this version has them: what a shorter one lacks is 0. */
static void *section_copy(const struct pcinspect_section *section, size_t size, size_t *nr)
{
	const char *from = (const char *)(section + 1);
	size_t i, item = section->item_size;
	char *copy;

	*nr = item ? (section->size - sizeof(*section)) / item : 0;
	copy = alloc_zero(*nr ?: 1, size);
	for (i = 0; i < *nr; i++)
		memcpy(copy + i * size, from + i * item, item < size ? item : size);
	return copy;
}

/**
 * pcinspect_snapshot_take() - what the module said of an inode, but its sections
 * @to: filled in; what the module does not know of is 0 or unknown
 * @row: as the module gave it
 */
void pcinspect_snapshot_take(struct pcinspect_snapshot *to,
			     const struct pcinspect_snapshot *row)
{
	const size_t mine = offsetof(struct pcinspect_snapshot, known);
	size_t head = row->head_size < mine ? row->head_size : mine, word;
	size_t nr = row->nr_numbers < PCINSPECT_NR_NUMBERS ? row->nr_numbers :
							     PCINSPECT_NR_NUMBERS;

	memcpy(to, row, head);
	memset((char *)to + head, 0, mine - head);
	memcpy(to->known, (const char *)row + row->head_size,
	       sizeof(to->known) + nr * sizeof(*to->numbers));
	memset(to->numbers + nr, 0, (PCINSPECT_NR_NUMBERS - nr) * sizeof(*to->numbers));
	to->head_size = mine;
	to->nr_numbers = nr;
	/* No number is behind them. */
	for (word = nr / 64; word < PCINSPECT_KNOWN_WORDS; word++)
		to->known[word] &= word == nr / 64 ? (1ULL << nr % 64) - 1 : 0;
}

static void sections_free(struct file *file)
{
	free(file->who);
	free(file->windows);
	free(file->fsyncs);
	file->who = NULL;
	file->windows = NULL;
	file->fsyncs = NULL;
	file->nr_windows = file->nr_fsyncs = 0;
}

/**
 * file_take() - what the module said of an inode
 * @file: filled in; its paths stay
 * @row: a snapshot with its sections, 8-aligned
 */
void file_take(struct file *file, const struct pcinspect_snapshot *row)
{
	size_t at = pcinspect_sections_at(row), nr;
	char bdi[sizeof(file->snap.bdi)];

	/* By its handle the module does not say it of a block device. */
	memcpy(bdi, file->snap.bdi, sizeof(bdi));
	pcinspect_snapshot_take(&file->snap, row);
	if (!row->bdi[0])
		memcpy(file->snap.bdi, bdi, sizeof(bdi));
	sections_free(file);
	while (at + sizeof(struct pcinspect_section) <= row->record_size) {
		const struct pcinspect_section *section =
			(const void *)((const char *)row + at);

		if (section->size < sizeof(*section) || section->size % 8 ||
		    section->size > row->record_size - at)
			break;
		if (section->type == PCINSPECT_SECTION_WHO && !file->who)
			file->who = section_copy(section, sizeof(*file->who), &nr);
		else if (section->type == PCINSPECT_SECTION_WINDOWS && !file->windows)
			file->windows = section_copy(section, sizeof(*file->windows),
						     &file->nr_windows);
		else if (section->type == PCINSPECT_SECTION_FSYNCS && !file->fsyncs)
			file->fsyncs = section_copy(section, sizeof(*file->fsyncs),
						    &file->nr_fsyncs);
		at += section->size;
	}
}

void file_free(struct file *file)
{
	int i;

	free(file->path);
	free(file->real_path);
	free(file->renamed);
	sections_free(file);
	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++)
		free(file->memcg_paths[i]);
	memset(file, 0, sizeof(*file));
}

/* Forget the verdicts. */
void report_forget_verdicts(struct report *report)
{
	while (report->nr_verdicts) {
		struct verdict *v = &report->verdicts[--report->nr_verdicts];

		free(v->place);
		free(v->text);
		free(v->what);
		free(v->remedy);
		free(v->command);
	}
	free(report->verdicts);
	report->verdicts = NULL;
	report->nr_rules = 0;
}

/* Empty a report; it may be used again. */
void report_free(struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_files; i++)
		file_free(&report->files[i]);
	free(report->files);
	for (i = 0; i < report->nr_names; i++)
		file_free(&report->names[i]);
	free(report->names);
	free(report->gone);
	report_forget_settings(report);
	report_forget_verdicts(report);
	report_forget_index(report);
	free(report->audits);
	for (i = 0; report->counts && i < report->counts->nr; i++) {
		free(report->counts->list[i].system);
		free(report->counts->list[i].name);
	}
	if (report->counts)
		free(report->counts->list);
	free(report->counts);
	memset(report, 0, sizeof(*report));
}

/**
 * report_add_audit() - add a reconciliation
 * @report: to which
 * @what: which sum
 * @ours: it
 * @theirs_min: the independent counter before ours was taken
 * @theirs: the same counter after; the larger of both is printed
 * @source: its name
 *
 * Return: the row, until the next is added.
 */
struct audit *report_add_audit(struct report *report, const char *what, uint64_t ours,
			       uint64_t theirs_min, uint64_t theirs, const char *source)
{
	struct audit *audit;

	report->audits = alloc_room(report->audits, report->nr_audits, &report->audits_room,
				    sizeof(*report->audits));
	audit = &report->audits[report->nr_audits++];
	audit->major = audit->minor = 0;
	audit->what = what;
	audit->ours = ours;
	audit->theirs_min = theirs_min < theirs ? theirs_min : theirs;
	audit->theirs = theirs_min < theirs ? theirs : theirs_min;
	audit->slack = 0;
	audit->source = source;
	return audit;
}

/**
 * report_audit_most() - add one of a sum that only can be too large
 * @report: to which
 * @what: which sum
 * @ours: it
 * @most: the independent counter
 * @source: its name
 *
 * Return: the row, until the next is added.
 */
struct audit *report_audit_most(struct report *report, const char *what, uint64_t ours,
		       uint64_t most, const char *source)
{
	struct audit *audit = report_add_audit(report, what, ours, most, most, source);

	if (ours < most)
		audit->slack = most - ours;
	return audit;
}

/**
 * report_audit_least() - add one of a sum that only can be too small
 * @report: to which
 * @what: which sum
 * @ours: it
 * @least: the independent counter
 * @source: its name
 *
 * Return: the row, until the next is added.
 */
struct audit *report_audit_least(struct report *report, const char *what, uint64_t ours,
			uint64_t least, const char *source)
{
	struct audit *audit = report_add_audit(report, what, ours, least, least, source);

	if (ours > least)
		audit->slack = ours - least;
	return audit;
}

/**
 * device_passed_on() - bytes that came from devices that are made of this one
 * @device: a layered one
 * @written: those it wrote, otherwise those it read
 *
 * Return: what its own counter has more than was asked of it directly.
 */
uint64_t device_passed_on(const struct device *device, bool written)
{
	const struct pcinspect_device_row *row = &device->row;
	uint64_t theirs = written ? device->written.bytes : device->read.bytes;
	uint64_t ours = written ?
		row->write_file_bytes + row->write_other_file_bytes +
		row->write_direct_bytes + row->write_swap_bytes + row->write_log_bytes :
		row->file_bytes + row->other_file_bytes + row->metadata_bytes +
		row->direct_bytes + row->swap_bytes + row->unattributed_bytes;

	return theirs > ours ? theirs - ours : 0;
}

/* The smaller of the two readings of the counter, which may fall. */
static uint64_t audit_low(const struct audit *audit)
{
	return audit->theirs_min < audit->theirs ? audit->theirs_min : audit->theirs;
}

static uint64_t audit_high(const struct audit *audit)
{
	return audit->theirs_min < audit->theirs ? audit->theirs : audit->theirs_min;
}

/**
 * audit_ok() - does the sum agree with the counter
 * @audit: which
 *
 * While the counter itself changed during the walk, anything between its two
 * readings agrees, or as far off as pages came and went.
 *
 * Return: true if it does.
 */
bool audit_ok(const struct audit *audit)
{
	return audit->ours + audit->slack >= audit_low(audit) &&
		audit->ours <= audit_high(audit) + audit->slack;
}

/* How far a sum is from the nearer of the two readings. */
int64_t audit_difference(const struct audit *audit)
{
	uint64_t low = audit_low(audit), high = audit_high(audit);

	if (audit->ours < low)
		return audit->ours - low;
	return audit->ours > high ? audit->ours - high : 0;
}

/* Is something missing in this report? */
bool report_lost(const struct report *report)
{
	const struct losses *lost = &report->losses;
	const struct event_counts *events = report->counts;

	return report->about.lost_inodes ||
	       (events && (events->missed || events->missed_unknown)) ||
	       (lost->known && (lost->windows || lost->ledgers || lost->frames ||
				lost->dirty_times || lost->probes_missed || lost->device_bytes));
}

/* The state is of now. */
void report_now(struct report *report)
{
	report->time_ns = clock_now_ns();
	report->wall_ns = clock_wall_ns();
}

/* The state is of a moment of CLOCK_MONOTONIC that has just been. */
void report_at(struct report *report, uint64_t time_ns)
{
	report->time_ns = time_ns;
	report->wall_ns = clock_wall_ns() - (clock_now_ns() - time_ns);
}

/**
 * report_wall() - what a clock on the wall said
 * @report: of which
 * @time_ns: CLOCK_MONOTONIC
 *
 * Return: ns since 1970, 0: unknown.
 */
uint64_t report_wall(const struct report *report, uint64_t time_ns)
{
	return report->wall_ns ? report->wall_ns + (time_ns - report->time_ns) : 0;
}

/**
 * report_lru() - which reclaim the reported pages belong to
 * @report: the report
 *
 * Return: "classic", "mglru", or "mixed" when the pages of these files are in
 * both (after a switch at run time).
 */
const char *report_lru(const struct report *report)
{
	bool classic = report->streamed.classic, mglru = report->streamed.mglru;
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		if (report->files[i].gone)
			continue;
		classic |= number_of(&report->files[i], PCINSPECT_CLASSIC) != 0;
		mglru |= number_of(&report->files[i], PCINSPECT_MGLRU) != 0;
	}
	if (classic && mglru)
		return "mixed";
	if (classic != mglru)
		return mglru ? "mglru" : "classic";
	return report->about.flags & PCINSPECT_F_LRU_GEN ? "mglru" : "classic";
}

/**
 * snapshot_age() - how long counters ran when a snapshot was taken
 * @snap: the snapshot
 * @since_ns: when they began
 *
 * A reset may fall between the snapshot's time and its counters.
 *
 * Return: nanoseconds, 0 if they began after its time.
 */
uint64_t snapshot_age(const struct pcinspect_snapshot *snap, uint64_t since_ns)
{
	return snap->time_ns > since_ns ? snap->time_ns - since_ns : 0;
}

/**
 * snapshot_interval() - how long the counters of a file ran
 * @snap: the snapshot
 *
 * Those of its ledger, if it has one: a file may have had a record before it was
 * tracked.
 *
 * Return: nanoseconds, 0 if it has no record.
 */
uint64_t snapshot_interval(const struct pcinspect_snapshot *snap)
{
	uint64_t since_ns = snap->flags & PCINSPECT_F_LEDGER ? snap->ledger_since_ns :
							      snap->since_ns;

	return since_ns ? snapshot_age(snap, since_ns) : 0;
}

/**
 * report_interval() - how long the counters of a report ran
 * @report: the report
 *
 * Return: nanoseconds of the file counted longest, 0 if nothing is tracked.
 */
uint64_t report_interval(const struct report *report)
{
	uint64_t longest = report->interval_ns;
	size_t i;

	if (longest)
		return longest;
	longest = report->streamed.longest_ns;
	for (i = 0; i < report->nr_files; i++) {
		uint64_t ran = snapshot_interval(&report->files[i].snap);

		if (ran > longest)
			longest = ran;
	}
	return longest;
}

/**
 * report_moved() - what the devices of a run read and wrote
 * @report: of which
 *
 * Bytes that a device passes on to another are counted there.
 *
 * Return: bytes, 0 if it is unknown or nothing.
 */
uint64_t report_moved(const struct report *report)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct device *device = &report->devices[i];

		if (device->silent)
			return 0;
		sum += device->read.bytes + device->written.bytes;
		if (device->layered)
			sum -= device_passed_on(device, false) + device_passed_on(device, true);
	}
	return sum;
}

/* A scope as JSON has it. */
const char *scope_word(enum scope scope)
{
	static const char *const words[NR_SCOPES] = {
		"file", "directory", "process", "cgroup", "device", "machine",
	};

	return words[scope];
}
