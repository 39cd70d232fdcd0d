// SPDX-License-Identifier: GPL-2.0
/*
 * text.c - plain text below or instead of a table of files. Touches stdout, and
 * stderr for what is missing.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/device.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "view/table.h"
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

static void print_tasks(const struct file *file)
{
	int i;

	for (i = 0; i < PCINSPECT_NR_TASKS && file->who->tasks[i].comm[0]; i++) {
		const struct pcinspect_task *task = &file->who->tasks[i];
		char demanded[32] = "?", device[32] = "?";

		if (number_known(file, PCINSPECT_DEMANDED_BYTES))
			size_text(demanded, sizeof(demanded), task->demanded_bytes);
		if (number_known(file, PCINSPECT_DEVICE_BYTES))
			size_text(device, sizeof(device), task->device_bytes);
		fputs("  ", stdout);
		print_comm(task->comm);
		printf("[%u]: demanded %s, device %s, inserted %ju pages\n",
		       task->pid, demanded, device,
		       (uintmax_t)task->inserted_pages);
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
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->who->removers[i];

		if (!who->pages)
			continue;
		printf("  %ju pages removed by ", (uintmax_t)who->pages);
		print_comm(who->comm);
		printf("[%u]: %s\n", who->pid, pcinspect_remover_op_word(who->remover_op));
	}
}

/* Who read each file, and who took its pages. */
int view_tasks(const struct report *report, const struct args *args)
{
	size_t i;

	for (i = 0; i < table_files_shown(report, args); i++) {
		const struct file *file = &report->files[i];

		if (file->gone || !file->who ||
		    (!file->who->tasks[0].comm[0] &&
		     !file->who->evictors[0].pages &&
		     !file->who->removers[0].pages))
			continue;
		putchar('\n');
		print_path(file);
		puts(":");
		print_tasks(file);
		print_culprits(report, file);
	}
	return 0;
}

/* Files that a verdict names in text. */
#define VERDICTS_EACH 3

/* A sum and its parts; those that are 0 are left out, but the first. */
struct part {
	const char *name;
	uint64_t bytes;
};

static void print_parts(const struct part *parts, size_t n, bool plain)
{
	char text[32];
	size_t k;

	for (k = 0; k < n; k++) {
		if (k > 1 && !parts[k].bytes)
			continue;
		if (plain)
			snprintf(text, sizeof(text), "%ju",
				 (uintmax_t)parts[k].bytes);
		else
			size_text(text, sizeof(text), parts[k].bytes);
		printf("%s %s %s", k > 1 ? "," : k ? " =" : "", parts[k].name,
		       text);
	}
	putchar('\n');
}

/* What each device of a run was used for. */
void view_devices(const struct report *report, const struct args *args)
{
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct device *device = &report->devices[i];
		const struct pcinspect_device_row *row = &device->row;
		const struct part reads[] = {
			{ "read", device->read.bytes },
			{ "files", row->file_bytes - device->gone_bytes },
			{ "gone files", device->gone_bytes },
			{ "other files", row->other_file_bytes },
			{ "metadata", row->metadata_bytes },
			{ "direct", row->direct_bytes },
			{ "unattributed", row->unattributed_bytes },
		};
		const struct part writes[] = {
			{ "written", device->written.bytes },
			{ "files", row->write_file_bytes },
			{ "other files", row->write_other_file_bytes },
			{ "direct", row->write_direct_bytes },
			{ "log and metadata", row->write_log_bytes },
		};

		printf("%s%s:", i ? "" : "\n", device->name);
		print_parts(reads, sizeof(reads) / sizeof(*reads), args->bytes);
		if (!device->written.bytes)
			continue;
		printf("%s:", device->name);
		print_parts(writes, sizeof(writes) / sizeof(*writes), args->bytes);
	}
}

/* What explain has found. */
int view_verdicts(const struct report *report, const struct args *args)
{
	const struct verdict *list = report->verdicts;
	size_t i, k, same, n = report->nr_verdicts, looked = 0;

	(void)args;
	for (i = 0; i < report->nr_files; i++)
		looked += !report->files[i].gone && report->files[i].who;
	if (!n && looked)
		printf("%zu rules looked at %zu file%s, nothing found\n", report->nr_rules,
		       looked, looked == 1 ? "" : "s");
	for (i = 0; i < n; i++) {
		/* Hundreds of files may have the same: the worst stand for all. */
		for (same = k = 0; k < i; k++)
			same += !strcmp(list[k].name, list[i].name);
		if (same >= VERDICTS_EACH)
			continue;
		putchar('\n');
		print_path(&report->files[list[i].file]);
		printf(": %s\n  %s\n", list[i].name, list[i].text);
		for (same++, k = i + 1; same >= VERDICTS_EACH && k < n; k++)
			same += !strcmp(list[k].name, list[i].name);
		if (same > VERDICTS_EACH)
			printf("  The same holds for %zu more files (--json lists all).\n",
			       same - VERDICTS_EACH);
	}
	return 0;
}

/* Complain about what was not counted. */
void view_losses(const struct report *report)
{
	const struct losses *lost = &report->losses;

	if (!lost->known)
		return;
	if (lost->probes_missed || lost->frames || lost->ledgers)
		complain(NULL, "lost since the module was loaded: %ju probe calls, %ju calls that could not be followed, %ju inodes without memory for a ledger (counts are low by what these did)",
			 (uintmax_t)lost->probes_missed, (uintmax_t)lost->frames,
			 (uintmax_t)lost->ledgers);
	if (lost->hooks_missing)
		complain(NULL, "%ju hooks are missing on this kernel (see pcinspect status)",
			 (uintmax_t)lost->hooks_missing);
}

/**
 * view_untracked() - say why a file has no ledger
 * @report: whose files
 */
void view_untracked(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (file->gone || file->who)
			continue;
		complain(file->path, "%s",
				   file->snap.flags & PCINSPECT_F_EXPLICIT ?
				   "its pages come and go without events: nothing is known of its reads" :
				   "is not tracked, so its reads were not counted (pcinspect track it first, or use pcinspect run)");
	}
}
