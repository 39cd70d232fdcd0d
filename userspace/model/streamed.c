// SPDX-License-Identifier: GPL-2.0-only
/*
 * streamed.c - files that were printed as they came, and are no longer kept: what the
 * rest of a report says of all files is added up here. Touches memory only.
 */
#include <string.h>

#include "model/report.h"

/**
 * file_begin_sum() - a sum of no files
 * @total: filled in: everything is known, and 0
 * @page_size: bytes per page
 */
void file_begin_sum(struct file *total, uint32_t page_size)
{
	*total = (struct file){ .page_size = page_size };
	memset(total->snap.known, 0xff, sizeof(total->snap.known));
}

/**
 * file_add() - one more file of a sum
 * @total: of file_begin_sum(); what is unknown of one is unknown of all
 * @file: an inode that is not in it
 */
void file_add(struct file *total, const struct file *file)
{
	struct pcinspect_snapshot *sum = &total->snap;
	uint64_t known;
	size_t n, word;

	sum->size_bytes += file->snap.size_bytes;
	total->size_pages += file_size_pages(file);
	/* Of most files most are unknown. */
	for (word = 0; word < PCINSPECT_KNOWN_WORDS; word++) {
		known = file->gone ? 0 : file->snap.known[word];
		sum->known[word] &= known;
		for (; known; known &= known - 1) {
			n = word * 64 + __builtin_ctzll(known);
			if (n >= PCINSPECT_NR_NUMBERS)
				break;
			if (number_rows[n].unit != PCINSPECT_UNIT_MS)
				sum->numbers[n] += file->snap.numbers[n];
			else if (sum->numbers[n] < file->snap.numbers[n])
				sum->numbers[n] = file->snap.numbers[n];
		}
	}
}

/* Pages of cgroups without a row, though there is room for one. */
static uint64_t unnamed_pages(const struct pcinspect_snapshot *snap)
{
	size_t i;

	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++)
		if (!snap->memcgs[i].id)
			return snap->memcg_other;
	return 0;
}

/* How many lines of a list that is full are of one process, at most. */
static uint64_t task_lines(const struct pcinspect_who *who)
{
	const struct pcinspect_task *others = &who->others;
	uint64_t lines, most = 0;
	size_t i, k;

	if (!others->demanded_bytes && !others->device_bytes && !others->inserted_pages &&
	    !others->dirtied_pages)
		return 0;
	for (i = 0; i < PCINSPECT_NR_TASKS; i++) {
		for (lines = 0, k = 0; k < PCINSPECT_NR_TASKS; k++)
			lines += who->tasks[k].comm[0] && who->tasks[k].pid == who->tasks[i].pid;
		if (lines > most)
			most = lines;
	}
	return most;
}

/* The walk of one more file, and its mapping's own count before and after. */
void streamed_walk(struct streamed *streamed, const struct file *file)
{
	uint64_t first = number_of(file, PCINSPECT_NRPAGES_BEFORE);
	uint64_t last = number_of(file, PCINSPECT_NRPAGES);
	uint64_t moved = number_of(file, PCINSPECT_MOVED_PAGES);
	uint64_t change = last > first ? last - first : first - last;

	streamed->cached_pages += number_of(file, PCINSPECT_CACHED);
	streamed->before_pages += first;
	streamed->after_pages += last;
	streamed->slack_pages += moved > change ? moved : change;
	streamed->shared |= file->snap.memcg_other != 0;
	streamed->unnamed_pages += unnamed_pages(&file->snap);
	if (file->who && task_lines(file->who) > streamed->task_lines)
		streamed->task_lines = task_lines(file->who);
	own_sums_add(&streamed->own, file);
}

/**
 * report_stream_last() - forget the last entry of a report but for the sums
 * @report: whose last entry was told
 */
void report_stream_last(struct report *report)
{
	const struct file *file = &report->files[report->nr_files - 1];
	const struct pcinspect_snapshot *snap = &file->snap;
	struct streamed *streamed = &report->streamed;

	if (!streamed->files++)
		file_begin_sum(&streamed->total, report->page_size);
	if (!file->again)
		file_add(&streamed->total, file);
	streamed_walk(streamed, file);
	streamed->classic |= number_of(file, PCINSPECT_CLASSIC) != 0;
	streamed->mglru |= number_of(file, PCINSPECT_MGLRU) != 0;
	if (snapshot_interval(snap) > streamed->longest_ns)
		streamed->longest_ns = snapshot_interval(snap);
	report_drop_last(report);
}
