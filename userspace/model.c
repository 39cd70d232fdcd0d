// SPDX-License-Identifier: GPL-2.0
/*
 * model.c - building reports and asking them the questions every renderer has.
 * Touches memory only.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model.h"

static void *grow(void *array, size_t used, size_t *room, size_t size)
{
	if (used < *room)
		return array;
	*room = *room ? *room * 2 : 16;
	array = reallocarray(array, *room, size);
	if (!array)
		err(1, "out of memory");
	return array;
}

/**
 * pcinspect_report_add() - append an empty entry
 * @report: to which
 * @path: copied; NULL if no name is known
 *
 * Return: the entry, valid until the next is added.
 */
struct pcinspect_file *pcinspect_report_add(struct pcinspect_report *report,
					    const char *path)
{
	struct pcinspect_file *file;

	report->files = grow(report->files, report->nr_files, &report->room,
			     sizeof(*report->files));
	file = &report->files[report->nr_files++];
	memset(file, 0, sizeof(*file));
	if (path) {
		file->path = strdup(path);
		if (!file->path)
			err(1, "out of memory");
	}
	return file;
}

/**
 * pcinspect_report_add_gone() - append an empty row for retired records
 * @report: to which
 *
 * Return: the entry, valid until the next is added.
 */
struct pcinspect_file *pcinspect_report_add_gone(struct pcinspect_report *report)
{
	report->gone = grow(report->gone, report->nr_gone, &report->gone_room,
			    sizeof(*report->gone));
	memset(&report->gone[report->nr_gone], 0, sizeof(*report->gone));
	return &report->gone[report->nr_gone++];
}

/**
 * pcinspect_report_add_name() - append an empty entry that is not printed
 * @report: to which
 *
 * Return: the entry, valid until the next is added.
 */
struct pcinspect_file *pcinspect_report_add_name(struct pcinspect_report *report)
{
	report->names = grow(report->names, report->nr_names,
			     &report->names_room, sizeof(*report->names));
	memset(&report->names[report->nr_names], 0, sizeof(*report->names));
	return &report->names[report->nr_names++];
}

static bool is_culprit(const struct pcinspect_file *file,
		       const struct pcinspect_culprit *culprit)
{
	return file->snap.ino == culprit->ino &&
	       file->snap.dev_major == culprit->dev_major &&
	       file->snap.dev_minor == culprit->dev_minor &&
	       file->snap.i_generation == culprit->i_generation;
}

/**
 * pcinspect_report_name() - the file an evictor was filling
 * @report: where it may be named
 * @culprit: the evictor
 *
 * Return: its path, or NULL if none is known.
 */
const char *pcinspect_report_name(const struct pcinspect_report *report,
				  const struct pcinspect_culprit *culprit)
{
	size_t i;

	if (!culprit->ino)
		return NULL;
	for (i = 0; i < report->nr_files; i++)
		if (is_culprit(&report->files[i], culprit))
			return report->files[i].path;
	for (i = 0; i < report->nr_names; i++)
		if (is_culprit(&report->names[i], culprit))
			return report->names[i].path;
	return NULL;
}

/* A new copy of a section's contents. */
static void *section_copy(const struct pcinspect_section *section, size_t want)
{
	size_t size = section->size - sizeof(*section);
	void *copy = calloc(1, size > want ? size : want);

	if (!copy)
		err(1, "out of memory");
	memcpy(copy, section + 1, size);
	return copy;
}

/**
 * pcinspect_file_take() - what the module said of an inode
 * @file: filled in; its paths stay
 * @row: a snapshot with its sections, 8-aligned
 */
void pcinspect_file_take(struct pcinspect_file *file,
			 const struct pcinspect_snapshot *row)
{
	size_t at = (sizeof(*row) + row->path_len + 7) / 8 * 8;

	file->snap = *row;
	free(file->reads);
	free(file->writes);
	free(file->windows);
	free(file->fsyncs);
	file->reads = NULL;
	file->writes = NULL;
	file->windows = NULL;
	file->nr_windows = 0;
	file->fsyncs = NULL;
	file->nr_fsyncs = 0;
	while (at + sizeof(struct pcinspect_section) <= row->record_size) {
		const struct pcinspect_section *section =
			(const void *)((const char *)row + at);

		if (section->size < sizeof(*section) ||
		    section->size > row->record_size - at)
			break;
		if (section->type == PCINSPECT_SECTION_READS && !file->reads) {
			file->reads = section_copy(section, sizeof(*file->reads));
		} else if (section->type == PCINSPECT_SECTION_WRITES &&
			   !file->writes) {
			file->writes = section_copy(section, sizeof(*file->writes));
		} else if (section->type == PCINSPECT_SECTION_WINDOWS &&
			   !file->windows) {
			file->windows = section_copy(section, 1);
			file->nr_windows = (section->size - sizeof(*section)) /
					   sizeof(*file->windows);
		} else if (section->type == PCINSPECT_SECTION_FSYNCS &&
			   !file->fsyncs) {
			file->fsyncs = section_copy(section, 1);
			file->nr_fsyncs = (section->size - sizeof(*section)) /
					  sizeof(*file->fsyncs);
		}
		at += section->size;
	}
}

/**
 * pcinspect_file_free() - free what an entry points to
 * @file: the entry
 */
void pcinspect_file_free(struct pcinspect_file *file)
{
	int i;

	free(file->path);
	free(file->real_path);
	free(file->reads);
	free(file->writes);
	free(file->windows);
	free(file->fsyncs);
	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++)
		free(file->memcg_paths[i]);
	memset(file, 0, sizeof(*file));
}

/**
 * pcinspect_report_free() - empty a report
 * @report: may be used again afterwards
 */
void pcinspect_report_free(struct pcinspect_report *report)
{
	size_t i;

	for (i = 0; i < report->nr_files; i++)
		pcinspect_file_free(&report->files[i]);
	free(report->files);
	for (i = 0; i < report->nr_names; i++)
		pcinspect_file_free(&report->names[i]);
	free(report->names);
	free(report->gone);
	memset(report, 0, sizeof(*report));
}

/**
 * pcinspect_report_audit() - add a reconciliation
 * @report: to which
 * @what: which sum
 * @ours: it
 * @theirs_min: the independent counter before ours was taken
 * @theirs: the same counter after
 * @source: its name
 */
void pcinspect_report_audit(struct pcinspect_report *report, const char *what,
			    uint64_t ours, uint64_t theirs_min, uint64_t theirs,
			    const char *source)
{
	struct pcinspect_audit *audit;

	if (report->nr_audits == PCINSPECT_NR_AUDITS)
		return;
	audit = &report->audits[report->nr_audits++];
	audit->major = audit->minor = 0;
	audit->what = what;
	audit->ours = ours;
	audit->theirs_min = theirs_min;
	audit->theirs = theirs;
	audit->source = source;
}

/**
 * pcinspect_audit_ok() - does the sum agree with the counter
 * @audit: which
 *
 * While the counter itself changed during the walk, anything between its two
 * readings agrees.
 *
 * Return: true if it does.
 */
bool pcinspect_audit_ok(const struct pcinspect_audit *audit)
{
	uint64_t low = audit->theirs_min, high = audit->theirs;

	if (low > high) {
		low = audit->theirs;
		high = audit->theirs_min;
	}
	return audit->ours >= low && audit->ours <= high;
}

/**
 * pcinspect_report_lru() - which reclaim the reported pages belong to
 * @report: the report
 *
 * Return: "classic", "mglru", or "mixed" when the pages of these files are in
 * both (after a switch at run time).
 */
const char *pcinspect_report_lru(const struct pcinspect_report *report)
{
	bool classic = false, mglru = false;
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct pcinspect_pages *pages = &report->files[i].snap.pages;

		if (report->files[i].gone)
			continue;
		classic |= pages->classic != 0;
		mglru |= pages->mglru != 0;
	}
	if (classic && mglru)
		return "mixed";
	if (classic != mglru)
		return mglru ? "mglru" : "classic";
	return report->about.flags & PCINSPECT_F_LRU_GEN ? "mglru" : "classic";
}

/**
 * pcinspect_report_interval() - how long the counters of a report ran
 * @report: the report
 *
 * Return: nanoseconds of the longest record, 0 if nothing is tracked.
 */
uint64_t pcinspect_report_interval(const struct pcinspect_report *report)
{
	uint64_t longest = report->interval_ns;
	size_t i;

	if (longest)
		return longest;
	for (i = 0; i < report->nr_files; i++) {
		const struct pcinspect_snapshot *snap = &report->files[i].snap;

		if (snap->since_ns && snap->time_ns - snap->since_ns > longest)
			longest = snap->time_ns - snap->since_ns;
	}
	return longest;
}

static const struct {
	size_t offset;
	uint32_t needs;
} fields[NR_FIELDS] = {
#define F(field, member, flag)						\
	[field] = { offsetof(struct pcinspect_snapshot, member), flag }
	F(FIELD_CACHED, pages.cached, PCINSPECT_F_PAGES),
	F(FIELD_ACTIVE, pages.active, PCINSPECT_F_PAGES),
	F(FIELD_INACTIVE, pages.inactive, PCINSPECT_F_PAGES),
	F(FIELD_UNEVICTABLE, pages.unevictable, PCINSPECT_F_PAGES),
	F(FIELD_OFF_LRU, pages.off_lru, PCINSPECT_F_PAGES),
	F(FIELD_DIRTY, pages.dirty, PCINSPECT_F_WRITEBACK),
	F(FIELD_WRITEBACK, pages.writeback, PCINSPECT_F_WRITEBACK),
	F(FIELD_MAPPED, pages.mapped, PCINSPECT_F_PAGES),
	F(FIELD_REFERENCED, pages.referenced, PCINSPECT_F_PAGES),
	F(FIELD_WORKINGSET, pages.workingset, PCINSPECT_F_PAGES),
	F(FIELD_EVICTED, pages.evicted, PCINSPECT_F_EVICTED),
	F(FIELD_GEN0, pages.generations[0], PCINSPECT_F_GENERATIONS),
	F(FIELD_GEN1, pages.generations[1], PCINSPECT_F_GENERATIONS),
	F(FIELD_GEN2, pages.generations[2], PCINSPECT_F_GENERATIONS),
	F(FIELD_GEN3, pages.generations[3], PCINSPECT_F_GENERATIONS),
	F(FIELD_INSERTED, inserted_pages, PCINSPECT_F_COUNTERS),
	F(FIELD_REMOVED, removed_pages, PCINSPECT_F_COUNTERS),
	F(FIELD_UNKNOWN_AGE, ages.unknown_pages, PCINSPECT_F_AGES),
#undef F
#define R(field, member)						\
	[field] = { offsetof(struct pcinspect_reads, member), 0 }
	R(FIELD_DEMANDED, demanded_bytes),
	R(FIELD_DEVICE_READ, device_bytes),
	R(FIELD_FAULTS, faults),
	R(FIELD_SYNC, inserted[PCINSPECT_CAUSE_SYNC]),
	R(FIELD_ASYNC, inserted[PCINSPECT_CAUSE_ASYNC]),
	R(FIELD_AROUND, inserted[PCINSPECT_CAUSE_AROUND]),
	R(FIELD_FORCED, inserted[PCINSPECT_CAUSE_FORCED]),
	R(FIELD_WRITE, inserted[PCINSPECT_CAUSE_WRITE]),
	R(FIELD_OTHER, inserted[PCINSPECT_CAUSE_OTHER]),
	R(FIELD_EXPANDED, expanded_pages),
	R(FIELD_HOLE, hole_pages),
	R(FIELD_REFAULT, refault_pages),
	R(FIELD_WASTED, wasted_pages),
	R(FIELD_UNKNOWN, unused_unknown_pages),
	R(FIELD_RECLAIM, removed[PCINSPECT_REMOVAL_RECLAIM]),
	R(FIELD_TRUNCATE, removed[PCINSPECT_REMOVAL_TRUNCATE]),
	R(FIELD_INVALIDATE, removed[PCINSPECT_REMOVAL_INVALIDATE]),
	R(FIELD_EVICT, removed[PCINSPECT_REMOVAL_EVICT]),
	R(FIELD_TRIM, removed[PCINSPECT_REMOVAL_TRIM]),
	R(FIELD_REMOVED_OTHER, removed[PCINSPECT_REMOVAL_OTHER]),
	R(FIELD_DIRECT_READ, direct_read_bytes),
	R(FIELD_DIRECT_WRITE, direct_write_bytes),
	R(FIELD_FLUSHED, direct_flushed_pages),
	R(FIELD_INVALIDATED, direct_invalidated_pages),
#undef R
#define W(field, member)						\
	[field] = { offsetof(struct pcinspect_writes, member), 0 }
	W(FIELD_WRITE_BYTES, write_bytes),
	W(FIELD_DEVICE_WRITE, device_write_bytes),
	W(FIELD_DIRTIED, dirtied_pages),
	W(FIELD_REDIRTIED, redirtied_pages),
	W(FIELD_WRITTEN, written_pages),
#undef W
};

/**
 * pcinspect_field_is_bytes() - is a number one of bytes or events
 * @field: which
 *
 * Return: true if so, false if it counts pages.
 */
bool pcinspect_field_is_bytes(enum pcinspect_field field)
{
	return field == FIELD_DEMANDED || field == FIELD_DEVICE_READ ||
	       field == FIELD_FAULTS || field == FIELD_DIRECT_READ ||
	       field == FIELD_DIRECT_WRITE || field == FIELD_WRITE_BYTES ||
	       field == FIELD_DEVICE_WRITE;
}

/* A number of the ledger. */
static bool reads_number(const struct pcinspect_file *file,
			 enum pcinspect_field field, uint64_t *value)
{
	const struct pcinspect_reads *reads = file->reads;

	if (!reads || file->gone)
		return false;
	if (field == FIELD_DEVICE_READ && !(file->snap.flags & PCINSPECT_F_DEVICE))
		return false;
	if (field == FIELD_HOLE && (!(reads->flags & PCINSPECT_READS_HOLES) ||
				    reads->flags & PCINSPECT_READS_BOUNCED))
		return false;
	if (field == FIELD_FLUSHED && !(reads->flags & PCINSPECT_READS_FLUSHED))
		return false;
	memcpy(value, (const char *)reads + fields[field].offset, sizeof(*value));
	return true;
}

/* A number of the write ledger. */
static bool writes_number(const struct pcinspect_file *file,
			  enum pcinspect_field field, uint64_t *value)
{
	const struct pcinspect_writes *writes = file->writes;

	if (!writes || file->gone)
		return false;
	if (field == FIELD_DEVICE_WRITE && !(writes->flags & PCINSPECT_WRITES_DEVICE))
		return false;
	if (field != FIELD_WRITE_BYTES && field != FIELD_DEVICE_WRITE &&
	    !(file->snap.flags & PCINSPECT_F_AGES))
		return false;
	memcpy(value, (const char *)writes + fields[field].offset, sizeof(*value));
	return true;
}

/**
 * pcinspect_file_inserted() - the ledger's insertions
 * @file: which has a ledger
 *
 * Return: pages, the sum over all causes.
 */
uint64_t pcinspect_file_inserted(const struct pcinspect_file *file)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		sum += file->reads->inserted[i];
	return sum;
}

/**
 * pcinspect_file_removed() - the ledger's removals
 * @file: which has a ledger
 *
 * Return: pages, the sum over all causes.
 */
uint64_t pcinspect_file_removed(const struct pcinspect_file *file)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		sum += file->reads->removed[i];
	return sum;
}

/**
 * pcinspect_file_amplification() - bytes fetched for each byte asked for
 * @file: which
 * @factor: set to it
 *
 * Without a block device the pages that reads inserted stand in.
 *
 * Return: false if it is unknown, or nothing was asked for.
 */
bool pcinspect_file_amplification(const struct pcinspect_file *file,
				  double *factor)
{
	uint64_t demanded, fetched;
	int i;

	if (!reads_number(file, FIELD_DEMANDED, &demanded) || !demanded)
		return false;
	if (!reads_number(file, FIELD_DEVICE_READ, &fetched)) {
		fetched = 0;
		for (i = 0; i <= PCINSPECT_CAUSE_FORCED; i++)
			fetched += file->reads->inserted[i];
		fetched *= sysconf(_SC_PAGESIZE);
	}
	*factor = (double)fetched / demanded;
	return true;
}

/**
 * pcinspect_file_write_amplification() - bytes written to the device for each
 *	byte that was written to the file through the cache
 * @file: which
 * @factor: set to it
 *
 * Pages that became dirty otherwise, by stores to mappings, make it unknown.
 *
 * Return: false if it is unknown, or nothing was written.
 */
bool pcinspect_file_write_amplification(const struct pcinspect_file *file,
					double *factor)
{
	uint64_t bytes, device, page = sysconf(_SC_PAGESIZE);

	if (!writes_number(file, FIELD_WRITE_BYTES, &bytes) || !bytes ||
	    !writes_number(file, FIELD_DEVICE_WRITE, &device) ||
	    (file->snap.flags & PCINSPECT_F_AGES &&
	     file->writes->mapped_dirtied_pages * page > bytes / 10))
		return false;
	*factor = (double)device / bytes;
	return true;
}

/**
 * pcinspect_file_number() - one number of a file
 * @file: which
 * @field: which number
 * @value: set to it, in pages
 *
 * Return: false if it is unknown or does not apply; @value is untouched then.
 */
bool pcinspect_file_number(const struct pcinspect_file *file,
			   enum pcinspect_field field, uint64_t *value)
{
	if (field >= FIELD_WRITE_BYTES)
		return writes_number(file, field, value);
	if (field >= FIELD_DEMANDED && field != FIELD_UNKNOWN_AGE)
		return reads_number(file, field, value);
	if (file->gone || !(file->snap.flags & fields[field].needs))
		return false;
	/* Generations mean nothing for pages that are in none. */
	if (field >= FIELD_GEN0 && field <= FIELD_GEN3 && !file->snap.pages.mglru &&
	    !(file->snap.flags & PCINSPECT_F_LRU_GEN))
		return false;
	memcpy(value, (const char *)&file->snap + fields[field].offset,
	       sizeof(*value));
	return true;
}
