// SPDX-License-Identifier: GPL-2.0-only
/*
 * tasks.c - the tasks that read each file, or evicted its pages, as text. Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/output.h"
#include "lib/text.h"
#include "view/report_table.h"
#include "view/text.h"

/* Exact where the numbers of a table are. */
static void task_size(char *to, size_t size, uint64_t bytes, const struct output *out)
{
	if (out->bytes)
		snprintf(to, size, "%" PRIu64, bytes);
	else
		size_text(to, size, bytes);
}

static void print_task(const struct file *file, const struct pcinspect_task *task,
		       const struct output *out)
{
	char demanded[32] = "?", device[32] = "?";

	if (number_known(file, PCINSPECT_DEMANDED_BYTES))
		task_size(demanded, sizeof(demanded), task->demanded_bytes, out);
	if (number_known(file, PCINSPECT_DEVICE_BYTES))
		task_size(device, sizeof(device), task->device_bytes, out);
	printf(": requested %s, disk reads %s, inserted %ju pages", demanded, device,
	       (uintmax_t)task->inserted_pages);
	if (task->dirtied_pages)
		printf(", made %ju dirty", (uintmax_t)task->dirtied_pages);
	putchar('\n');
}

static void print_tasks(const struct file *file, const struct output *out)
{
	const struct pcinspect_task *others = &file->who->others;
	int i;

	for (i = 0; i < PCINSPECT_NR_TASKS && file->who->tasks[i].comm[0]; i++) {
		fputs("  ", stdout);
		print_comm(file->who->tasks[i].comm);
		printf("[%u]", file->who->tasks[i].pid);
		print_task(file, &file->who->tasks[i], out);
	}
	if (others->demanded_bytes || others->device_bytes || others->inserted_pages ||
	    others->dirtied_pages) {
		fputs("  all further tasks", stdout);
		print_task(file, others, out);
	}
}

static void print_culprits(const struct report *report,
			   const struct file *file)
{
	int i;

	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->who->evictors[i];
		const char *path = report_name(report, who);

		if (!who->pages)
			continue;
		printf("  %ju pages evicted %s by ", (uintmax_t)who->pages,
		       who->inferred ? "(inferred)" : "(exact)");
		print_comm(who->comm);
		if (who->pid)
			printf("[%u]", who->pid);
		if (path) {
			fputs(" filling ", stdout);
			print_escaped(path);
		}
		putchar('\n');
	}
	if (file->who->evictors_other_pages)
		printf("  %ju pages evicted by further tasks\n",
		       (uintmax_t)file->who->evictors_other_pages);
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->who->removers[i];

		if (!who->pages)
			continue;
		printf("  %ju pages removed by ", (uintmax_t)who->pages);
		print_comm(who->comm);
		printf("[%u]: %s\n", who->pid, pcinspect_remover_op_word(who->remover_op));
	}
	if (file->who->removers_other_pages)
		printf("  %ju pages removed by further tasks\n",
		       (uintmax_t)file->who->removers_other_pages);
}

static bool has_tasks(const struct file *file)
{
	return !file->gone && file->who &&
	       (file->who->tasks[0].comm[0] || file->who->evictors[0].pages ||
		file->who->removers[0].pages);
}

/* The tasks that read each file, or took its pages; with -n there are rows only. */
int view_tasks(const struct report *report, const struct output *out)
{
	size_t i, more = 0;

	if (out->noheadings)
		return 0;
	for (i = 0; i < report->nr_files && !output_failed(); i++) {
		const struct file *file = &report->files[i];

		if (!has_tasks(file))
			continue;
		if (i >= table_files_shown(report, out)) {
			more++;
			continue;
		}
		putchar('\n');
		print_path(file);
		puts(":");
		print_tasks(file, out);
		print_culprits(report, file);
	}
	if (more)
		printf("\nand the tasks of %zu more file%s (--limit 0 shows all)\n", more,
		       more == 1 ? "" : "s");
	return 0;
}
