// SPDX-License-Identifier: GPL-2.0-only
/*
 * writes.c - ages of dirty pages, writeback and fsync calls as text.
 * Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/output.h"
#include "lib/text.h"
#include "lib/wall.h"
#include "model/writes.h"
#include "view/report_table.h"
#include "view/text.h"

static void print_histogram(const char *title, const struct file *file,
			    enum pcinspect_number first)
{
	bool any = false;
	uint64_t pages;
	int i, bound;

	fputs(title, stdout);
	if (!number_known(file, first))
		fputs("  ?", stdout);
	for (i = 0; i < PCINSPECT_NR_AGES; i++) {
		bound = pcinspect_age_bounds_ms[i];
		pages = number_of(file, first + i);
		if (!pages)
			continue;
		any = true;
		if (!bound)
			printf("  over 60 s: %ju", (uintmax_t)pages);
		else if (bound < 1000)
			printf("  to %d ms: %ju", bound, (uintmax_t)pages);
		else
			printf("  to %d s: %ju", bound / 1000, (uintmax_t)pages);
	}
	if (!any && number_known(file, first))
		fputs(" none", stdout);
	putchar('\n');
}

static void print_writeback(const struct report *report,
			    const struct file *file)
{
	const char *limit = writes_throttle_limit(report, file);
	uint64_t mean;
	int i;

	if (number_of(file, PCINSPECT_WRITTEN_PAGES)) {
		fputs("  written back by:", stdout);
		for (i = 0; i < PCINSPECT_NR_REASONS; i++)
			if (number_of(file, pcinspect_by_reason(i)))
				printf("  %s %ju", pcinspect_reason_word(i),
				       (uintmax_t)number_of(file, pcinspect_by_reason(i)));
		if (writes_mean_ns(file, &mean))
			printf("; under writeback for %.1f ms on average",
			       mean / 1e6);
		if (number_of(file, PCINSPECT_REDIRTIED_PAGES))
			printf("; %ju made dirty again meanwhile",
			       (uintmax_t)number_of(file, PCINSPECT_REDIRTIED_PAGES));
		putchar('\n');
	}
	if (number_of(file, PCINSPECT_THROTTLES))
		printf("  writers slept %.3f s in %ju pauses at the dirty limit (%s)\n",
		       writes_throttled_ns(file) / 1e9, (uintmax_t)number_of(file, PCINSPECT_THROTTLES),
		       limit ? limit : "whose is unknown");
	else if (!number_known(file, PCINSPECT_THROTTLES) &&
		 number_of(file, PCINSPECT_MAPPED_DIRTIED_PAGES))
		puts("  writers slept ? s at the dirty limit (stores to mappings: of which file?)");
}

/* Dirty pages by age, who made them dirty, and how they were written back. */
int view_writes(const struct report *report, const struct output *out)
{
	size_t i;
	int k;

	if (out->noheadings)
		return 0;
	for (i = 0; i < table_files_shown(report, out) && !output_failed(); i++) {
		const struct file *file = &report->files[i];

		if (file->gone || !file->who ||
		    !(file->snap.flags & PCINSPECT_F_AGES))
			continue;
		putchar('\n');
		print_escaped(file->path ?: "?");
		puts(":");
		print_histogram("  dirty pages by age:", file, PCINSPECT_LE_10_MS);
		print_histogram("  written pages by age:", file,
				PCINSPECT_WRITTEN_LE_10_MS);
		print_writeback(report, file);
		for (k = 0; k < PCINSPECT_NR_TASKS && file->who->tasks[k].comm[0]; k++) {
			const struct pcinspect_task *task = &file->who->tasks[k];

			if (!task->dirtied_pages)
				continue;
			fputs("  dirtied by ", stdout);
			print_comm(task->comm);
			printf("[%u]: %ju pages", task->pid,
			       (uintmax_t)task->dirtied_pages);
			if (task->throttled_ns)
				printf(", slept %s%.3f s",
				       number_known(file, PCINSPECT_THROTTLES) ? "" :
										 "at least ",
				       task->throttled_ns / 1e9);
			putchar('\n');
		}
	}
	table_print_more(report, out);
	return 0;
}

static void print_wait(const char *before, bool unknown, uint64_t ns)
{
	if (unknown)
		printf("%s ?", before);
	else
		printf("%s %.3f ms", before, ns / 1e6);
}

static void print_call(const struct report *report, const struct pcinspect_fsync *call)
{
	uint64_t wall_ns = report_wall(report, call->time_ns);
	char bytes[32], wall[WALL_TEXT] = "?";
	int i;

	if (wall_ns)
		wall_time_of_day(wall, sizeof(wall), wall_ns);
	printf("  %.6f %s ", call->time_ns / 1e9, wall);
	print_comm(call->comm);
	printf("[%u] %s %.3f ms: ", call->pid, pcinspect_fsync_kind_word(pcinspect_fsync_kind(call)),
	       call->duration_ns / 1e6);
	if (call->flags & PCINSPECT_FSYNC_DIRTY)
		printf("%ju dirty, ", (uintmax_t)call->dirty_at_entry_pages);
	else
		printf("? dirty, ");
	if (call->flags & PCINSPECT_FSYNC_WRITEBACK &&
	    call->writeback_at_entry_pages)
		printf("%ju under writeback, ",
		       (uintmax_t)call->writeback_at_entry_pages);
	if (call->flags & PCINSPECT_FSYNC_NO_WRITTEN)
		printf("? written");
	else
		printf("%ju written", (uintmax_t)call->written_pages);
	if (call->flags & PCINSPECT_FSYNC_TAIL && call->rewritten_tail_pages)
		printf(" (%ju of the tail again)",
		       (uintmax_t)call->rewritten_tail_pages);
	if (call->flags & PCINSPECT_FSYNC_REQUESTS)
		printf("; %ju request%s", (uintmax_t)call->requests,
		       call->requests == 1 ? "" : "s");
	else
		fputs("; ? requests", stdout);
	for (i = 0; i < PCINSPECT_NR_SIZES && call->sizes[i].requests; i++) {
		size_text(bytes, sizeof(bytes), call->sizes[i].bytes);
		printf("%s%ju x %s", i ? ", " : " (",
		       (uintmax_t)call->sizes[i].requests,
		       call->sizes[i].bytes ? bytes : "other sizes");
	}
	if (i)
		putchar(')');
	if (call->flags & PCINSPECT_FSYNC_LOG)
		printf("; log %ju requests, %ju bytes",
		       (uintmax_t)call->log_requests, (uintmax_t)call->log_bytes);
	else
		fputs("; log ?", stdout);
	if (call->flags & PCINSPECT_FSYNC_NO_SPLITS)
		fputs("; ? splits", stdout);
	else if (call->splits)
		printf("; %ju split%s (%s)", (uintmax_t)call->splits, call->splits == 1 ? "" : "s",
		       call->splits_at_limit ? "max_sectors" : "unknown limit");
	print_wait("; waited", call->flags & PCINSPECT_FSYNC_NO_DATA_WAIT, call->data_wait_ns);
	print_wait(" for data,", call->flags & PCINSPECT_FSYNC_NO_LOG_WAIT, call->log_wait_ns);
	puts(" for the log");
}

/* The fsync calls of each file. */
int view_fsyncs(const struct report *report, const struct output *out)
{
	uint64_t calls;
	char page[32];
	size_t i, k;

	size_text(page, sizeof(page), report->page_size);
	for (i = 0; i < table_files_shown(report, out) && !output_failed(); i++) {
		const struct file *file = &report->files[i];

		if (file->gone || !file->who)
			continue;
		print_escaped(file->path ?: "?");
		if (!number_known(file, PCINSPECT_FSYNCS_TOTAL)) {
			printf(": ? (fsync on %s is not seen)\n", file->snap.fs);
			continue;
		}
		calls = number_of(file, PCINSPECT_FSYNCS_TOTAL);
		printf(": %ju call%s, %zu shown; counts in pages of %s\n", (uintmax_t)calls,
		       calls == 1 ? "" : "s", file->nr_fsyncs, page);
		for (k = 0; k < file->nr_fsyncs; k++)
			print_call(report, &file->fsyncs[k]);
	}
	table_print_more(report, out);
	return 0;
}
