// SPDX-License-Identifier: GPL-2.0
/*
 * view_dirty.c - ages of dirty pages and fsync calls as text. Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dirty_json.h"
#include "escape.h"
#include "table.h"
#include "view.h"

static void print_histogram(const char *title, const __u64 *pages)
{
	int i, bound;

	fputs(title, stdout);
	for (i = 0; i < PCINSPECT_NR_AGES; i++) {
		bound = pcinspect_age_bounds_ms[i];
		if (!pages[i])
			continue;
		if (!bound)
			printf("  over 60 s: %ju", (uintmax_t)pages[i]);
		else if (bound < 1000)
			printf("  to %d ms: %ju", bound, (uintmax_t)pages[i]);
		else
			printf("  to %d s: %ju", bound / 1000, (uintmax_t)pages[i]);
	}
	putchar('\n');
}

/**
 * pcinspect_view_ages() - dirty pages by age, and who made them dirty
 * @report: which
 */
void pcinspect_view_ages(const struct pcinspect_report *report)
{
	size_t i;
	int k;

	for (i = 0; i < report->nr_files; i++) {
		const struct pcinspect_file *file = &report->files[i];

		if (file->gone || !file->reads ||
		    !(file->snap.flags & PCINSPECT_F_AGES))
			continue;
		putchar('\n');
		pcinspect_print_escaped(file->path ?: "?");
		puts(":");
		print_histogram("  dirty pages by age:", file->snap.ages.pages);
		print_histogram("  written pages by age:", file->reads->written_ages);
		for (k = 0; k < PCINSPECT_NR_TASKS && file->reads->tasks[k].comm[0]; k++) {
			const struct pcinspect_task *task = &file->reads->tasks[k];

			if (!task->dirtied_pages)
				continue;
			fputs("  dirtied by ", stdout);
			pcinspect_print_comm(task->comm);
			printf("[%u]: %ju pages\n", task->pid,
			       (uintmax_t)task->dirtied_pages);
		}
	}
}

static void print_call(const struct pcinspect_fsync *call)
{
	char bytes[32];
	int i;

	printf("  %.6f ", call->time_ns / 1e9);
	pcinspect_print_comm(call->comm);
	printf("[%u] %.3f ms: ", call->pid, call->duration_ns / 1e6);
	if (call->flags & PCINSPECT_FSYNC_DIRTY)
		printf("%ju dirty, ", (uintmax_t)call->dirty_at_entry_pages);
	printf("%ju written; %ju requests", (uintmax_t)call->written_pages,
	       (uintmax_t)call->requests);
	for (i = 0; i < PCINSPECT_NR_SIZES && call->sizes[i].requests; i++) {
		pcinspect_size_text(bytes, sizeof(bytes), call->sizes[i].bytes);
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
	if (call->splits)
		printf("; %ju splits (%s)", (uintmax_t)call->splits,
		       call->splits_at_limit ? "max_sectors" : "unknown limit");
	putchar('\n');
}

/**
 * pcinspect_view_fsyncs() - the fsync calls of each file
 * @report: which
 */
void pcinspect_view_fsyncs(const struct pcinspect_report *report)
{
	size_t i, k;

	for (i = 0; i < report->nr_files; i++) {
		const struct pcinspect_file *file = &report->files[i];

		if (file->gone || !file->reads)
			continue;
		pcinspect_print_escaped(file->path ?: "?");
		printf(": %ju calls, %zu shown\n",
		       (uintmax_t)file->reads->nr_fsyncs, file->nr_fsyncs);
		for (k = 0; k < file->nr_fsyncs; k++)
			print_call(&file->fsyncs[k]);
	}
}
