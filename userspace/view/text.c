// SPDX-License-Identifier: GPL-2.0
/*
 * text.c - plain text below or instead of a table of files. Touches stdout, and
 * stderr for what is missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/device.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "lib/text.h"
#include "view/report_table.h"
#include "view/text.h"

/* Print a path as one word. */
void print_escaped(const char *text)
{
	char *escaped = escape_path(text);

	fputs(escaped, stdout);
	free(escaped);
}

/**
 * print_comm() - print a thread's name as one word
 * @comm: PCINSPECT_COMM_LEN bytes
 */
void print_comm(const char *comm)
{
	char text[PCINSPECT_COMM_LEN + 1] = "";

	memcpy(text, comm, PCINSPECT_COMM_LEN);
	print_escaped(text);
}

/* Print a file's path as one word. */
void print_path(const struct file *file)
{
	print_escaped(file->path ?: "?");
}

static void print_task(const struct file *file, const struct pcinspect_task *task)
{
	char demanded[32] = "?", device[32] = "?";

	if (number_known(file, PCINSPECT_DEMANDED_BYTES))
		size_text(demanded, sizeof(demanded), task->demanded_bytes);
	if (number_known(file, PCINSPECT_DEVICE_BYTES))
		size_text(device, sizeof(device), task->device_bytes);
	printf(": demanded %s, device %s, inserted %ju pages", demanded, device,
	       (uintmax_t)task->inserted_pages);
	if (task->dirtied_pages)
		printf(", made %ju dirty", (uintmax_t)task->dirtied_pages);
	putchar('\n');
}

static void print_tasks(const struct file *file)
{
	const struct pcinspect_task *others = &file->who->others;
	int i;

	for (i = 0; i < PCINSPECT_NR_TASKS && file->who->tasks[i].comm[0]; i++) {
		fputs("  ", stdout);
		print_comm(file->who->tasks[i].comm);
		printf("[%u]", file->who->tasks[i].pid);
		print_task(file, &file->who->tasks[i]);
	}
	if (others->demanded_bytes || others->device_bytes || others->inserted_pages ||
	    others->dirtied_pages) {
		fputs("  all further tasks", stdout);
		print_task(file, others);
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

/* Who read each file, and who took its pages. */
int view_tasks(const struct report *report, const struct args *args)
{
	size_t i, more = 0;

	for (i = 0; i < report->nr_files && !output_failed(); i++) {
		const struct file *file = &report->files[i];

		if (!has_tasks(file))
			continue;
		if (i >= table_files_shown(report, args)) {
			more++;
			continue;
		}
		putchar('\n');
		print_path(file);
		puts(":");
		print_tasks(file);
		print_culprits(report, file);
	}
	if (more && !args->noheadings)
		printf("\nand the tasks of %zu more file%s (--limit 0 shows all)\n", more,
		       more == 1 ? "" : "s");
	return 0;
}

/* A sum and its parts; those that are 0 are left out, but the first. */
struct part {
	const char *name;
	uint64_t bytes;
};

#define UNKNOWN UINT64_MAX

static void print_parts(const struct part *parts, size_t n, bool plain)
{
	char text[32];
	size_t k;

	for (k = 0; k < n; k++) {
		if (k > 1 && !parts[k].bytes)
			continue;
		if (parts[k].bytes == UNKNOWN)
			strcpy(text, "?");
		else if (plain)
			snprintf(text, sizeof(text), "%ju",
				 (uintmax_t)parts[k].bytes);
		else
			size_text(text, sizeof(text), parts[k].bytes);
		printf("%s %s %s", k > 1 ? "," : k ? " =" : "", parts[k].name,
		       text);
	}
	putchar('\n');
}

/* Who reads or writes more than the run does is perhaps what it was about. */
static void print_others(const struct report *report, const struct args *args)
{
	struct part parts[] = { { "other files moved more than its own", 0 }, { "own", 0 } };
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct pcinspect_device_row *row = &report->devices[i].row;

		parts[0].bytes += row->other_file_bytes + row->write_other_file_bytes;
		parts[1].bytes += row->file_bytes + row->write_file_bytes;
	}
	if (parts[0].bytes <= parts[1].bytes)
		return;
	fputs("note:", stdout);
	print_parts(parts, 2, args->bytes);
}

/* Less a part that was read at another moment, and may be more. */
static uint64_t without(uint64_t bytes, uint64_t part)
{
	return bytes > part ? bytes - part : 0;
}

/* What each device of a run was used for. */
void view_devices(const struct report *report, const struct args *args)
{
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct device *device = &report->devices[i];
		const struct pcinspect_device_row *row = &device->row;
		const struct part reads[] = {
			{ "read", device->silent ? UNKNOWN : device->read.bytes },
			{ "files", without(row->file_bytes, device->gone_bytes) },
			{ "gone files", device->gone_bytes },
			{ "other files", row->other_file_bytes },
			{ "metadata", row->metadata_bytes },
			{ "direct", row->direct_bytes },
			{ "swap", row->swap_bytes },
			{ "unattributed", row->unattributed_bytes },
			{ "passed on", device->layered && !device->silent ?
			  device_passed_on(device, false) : 0 },
		};
		const struct part writes[] = {
			{ "written", device->silent ? UNKNOWN : device->written.bytes },
			{ "files", without(row->write_file_bytes, device->gone_write_bytes) },
			{ "gone files", device->gone_write_bytes },
			{ "other files", row->write_other_file_bytes },
			{ "direct", row->write_direct_bytes },
			{ "log and metadata", row->write_log_bytes },
			{ "passed on", device->layered && !device->silent ?
			  device_passed_on(device, true) : 0 },
		};

		printf("%s%s:", i ? "" : "\n", device->name);
		print_parts(reads, sizeof(reads) / sizeof(*reads), args->bytes);
		if (!device->written.bytes && !device->silent)
			continue;
		printf("%s:", device->name);
		print_parts(writes, sizeof(writes) / sizeof(*writes), args->bytes);
	}
	print_others(report, args);
}

/* A number of files that are no more, where it is not 0. */
static void print_of_gone(const struct file *gone, const char *what,
			  enum pcinspect_number number, bool plain)
{
	uint64_t value = number_of(gone, number);
	char text[32];

	if (!number_known(gone, number)) {
		printf(", %s ?", what);
	} else if (value) {
		if (plain || number_rows[number].unit != PCINSPECT_UNIT_BYTES)
			snprintf(text, sizeof(text), "%ju", (uintmax_t)value);
		else
			size_text(text, sizeof(text), value);
		printf(", %s %s", what, text);
	}
}

/**
 * view_gone() - what was counted of files that are no more, and are not listed
 * @report: of a run
 * @args: whether sizes are exact
 */
void view_gone(const struct report *report, const struct args *args)
{
	static const struct {
		const char *what;
		enum pcinspect_number number;
	} parts[] = {
		{ "demanded", PCINSPECT_DEMANDED_BYTES },
		{ "read from the device", PCINSPECT_DEVICE_BYTES },
		{ "written", PCINSPECT_WRITE_BYTES },
		{ "to the device", PCINSPECT_DEVICE_WRITE_BYTES },
		{ "fsync calls", PCINSPECT_FSYNCS_TOTAL },
	};
	size_t i, k;

	for (i = 0; i < report->nr_gone; i++) {
		const struct file *gone = &report->gone[i];
		char inserted[24] = "?";
		uint64_t any = 0;

		for (k = 0; k < sizeof(parts) / sizeof(*parts); k++)
			any |= number_of(gone, parts[k].number);
		if (!any)
			continue;
		if (number_known(gone, PCINSPECT_INSERTED))
			snprintf(inserted, sizeof(inserted), "%ju",
				 (uintmax_t)number_of(gone, PCINSPECT_INSERTED));
		printf("and %ju files of %s %u:%u that are gone: %s pages inserted",
		       (uintmax_t)gone->snap.gone_inodes, gone->snap.fs, gone->snap.dev_major,
		       gone->snap.dev_minor, inserted);
		for (k = 0; k < sizeof(parts) / sizeof(*parts); k++)
			print_of_gone(gone, parts[k].what, parts[k].number, args->bytes);
		putchar('\n');
	}
}

/* As many verdicts as a screen has room for. */
#define VERDICTS_SHOWN	5

/* What a verdict is about, how sure it is, and how much of the run it explains. */
static void print_head(const struct report *report, const struct verdict *v)
{
	if (v->nr_files == 1) {
		print_path(&report->files[v->file]);
	} else if (v->place) {
		if (v->scope == SCOPE_CGROUP)
			fputs("cgroup ", stdout);
		print_escaped(v->place);
	} else {
		fputs("the machine", stdout);
	}
	printf(": %s (%s", v->name, v->certain ? "exact" : "inferred");
	if (v->share >= 0)
		printf(", %.0f %% of what devices moved", 100 * v->share);
	puts(")");
}

/**
 * view_verdicts() - print what explain has found
 * @report: of which
 * @args: its limit, if one was given
 *
 * Return: 0.
 */
int view_verdicts(const struct report *report, const struct args *args)
{
	const struct verdict *list = report->verdicts;
	size_t i, n = report->nr_verdicts, looked = 0, most = VERDICTS_SHOWN;

	for (i = 0; i < report->nr_files; i++)
		looked += !report->files[i].gone && report->files[i].who;
	if (!n && looked)
		printf("%zu rules looked at %zu file%s, nothing found\n", report->nr_rules,
		       looked, looked == 1 ? "" : "s");
	else if (!n && report->devices_known)
		printf("%zu rules had nothing to look at\n", report->nr_rules);
	if (args->limited)
		most = args->limit ?: n;
	for (i = 0; i < n && i < most && !output_failed(); i++) {
		putchar('\n');
		print_head(report, &list[i]);
		printf("  %s\n", list[i].text);
		if (list[i].command)
			printf("    %s\n", list[i].command);
	}
	if (n > most && !args->noheadings)
		printf("\nand %zu more verdict%s (--limit 0 shows all)\n", n - most,
		       n - most == 1 ? "" : "s");
	return 0;
}

/**
 * view_verdicts_first() - the costliest verdict, of the next ones what they are
 * @report: of which
 * @nr: how many, with the first
 * @priced: with what its remedy costs
 */
void view_verdicts_first(const struct report *report, size_t nr, bool priced)
{
	struct args first = { .limited = true, .limit = 1, .noheadings = true };
	size_t i, more = report->nr_verdicts - nr;
	const struct verdict *v = report->verdicts;

	if (!nr || priced) {
		view_verdicts(report, &first);
	} else {
		putchar('\n');
		print_head(report, v);
		printf("  %s.%s%s%s\n", v->what, v->remedy ? " Remedy: " : "", v->remedy ?: "",
		       v->remedy ? "." : "");
		if (v->command)
			printf("    %s\n", v->command);
	}
	for (i = 1; i < nr; i++)
		print_head(report, &v[i]);
	if (more)
		printf("and %zu more verdict%s (--limit 0 shows all)\n", more, more == 1 ? "" : "s");
}

/* Files without a ledger that are named. */
#define UNTRACKED_NAMED 20

/**
 * view_untracked() - say why a file has no ledger
 * @report: whose files
 */
void view_untracked(const struct report *report)
{
	size_t i, n = 0;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (file->gone || file->who || n++ >= UNTRACKED_NAMED)
			continue;
		complain(file->path, "%s",
				   file->snap.flags & PCINSPECT_F_EXPLICIT ?
				   "its pages come and go without events: nothing is known of its reads" :
				   "is not tracked, so nothing of it was counted (pcinspect track it first, or use pcinspect run)");
	}
	if (n > UNTRACKED_NAMED)
		complain(NULL, "and %zu more files are not tracked (--json lists all)",
			 n - UNTRACKED_NAMED);
}
