// SPDX-License-Identifier: GPL-2.0
/*
 * model.c - building reports and asking them the questions every renderer has.
 * Touches memory only.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

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
 * pcinspect_file_free() - free what an entry points to
 * @file: the entry
 */
void pcinspect_file_free(struct pcinspect_file *file)
{
	int i;

	free(file->path);
	free(file->real_path);
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
	uint64_t longest = 0;
	size_t i;

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
#undef F
};

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
