// SPDX-License-Identifier: GPL-2.0-only
/*
 * task_names.c - the names of the threads that made a batch of events: now, or
 * as ftrace remembers them. Each is asked for once per batch: later, pids and
 * names have changed hands.
 *
 * saved_cmdlines is read here and not by tracefs_load_cmdlines(), which gives up at
 * the first name with a line break in it and so loses those behind it (libtracefs
 * 1.8): any thread may call itself that.
 *
 * Touches: reads /proc and tracefs' saved_cmdlines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tracefs.h>

#include "trace/task_names.h"

/**
 * task_names_load() - names that ftrace remembers
 * @from: saved_cmdlines: lines of a thread and its name
 * @comms: added to; a line that is no such line is left out
 */
void task_names_load(FILE *from, struct tep_handle *comms)
{
	char *line = NULL, *end;
	size_t size = 0;
	long pid;

	while (getline(&line, &size, from) > 0) {
		pid = strtol(line, &end, 10);
		if (end == line || *end != ' ' || pid <= 0)
			continue;
		end[strcspn(end, "\n")] = '\0';
		tep_register_comm(comms, end + 1, pid);
	}
	free(line);
}

static struct tep_handle *load_remembered(void)
{
	struct tep_handle *comms = tep_alloc();
	char *path = tracefs_get_tracing_file("saved_cmdlines");
	FILE *from = path ? fopen(path, "re") : NULL;

	if (from && comms)
		task_names_load(from, comms);
	if (from)
		fclose(from);
	tracefs_put_tracing_file(path);
	return comms;
}

static void find_name(struct task_names *names, int pid, char *comm, size_t size)
{
	const char *name;
	char path[40];
	FILE *from;

	strcpy(comm, pid ? "?" : "<idle>");
	if (!pid)
		return;
	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	from = fopen(path, "re");
	if (from) {
		if (fscanf(from, "%15[^\n]", comm) != 1)
			strcpy(comm, "?");
		fclose(from);
		return;
	}
	if (!names->comms)
		names->comms = load_remembered();
	if (!names->comms)
		return;
	name = tep_data_comm_from_pid(names->comms, pid);
	if (name && strcmp(name, "<...>"))
		snprintf(comm, size, "%s", name);
}

/**
 * task_name() - the name of a thread
 * @names: of this batch
 * @pid: thread
 *
 * Return: its name, "?" if unknown; until the next call.
 */
const char *task_name(struct task_names *names, int pid)
{
	size_t i;

	for (i = 0; i < names->nr; i++)
		if (names->list[i].pid == pid)
			return names->list[i].comm;
	if (names->nr == sizeof(names->list) / sizeof(names->list[0]))
		names->nr = 0;
	i = names->nr++;
	names->list[i].pid = pid;
	find_name(names, pid, names->list[i].comm, sizeof(names->list[i].comm));
	return names->list[i].comm;
}

/**
 * task_names_forget() - a new batch begins
 * @names: of the last one
 */
void task_names_forget(struct task_names *names)
{
	names->nr = 0;
	if (names->comms)
		tep_free(names->comms);
	names->comms = NULL;
}
