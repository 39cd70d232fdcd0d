// SPDX-License-Identifier: GPL-2.0-only
/*
 * instances.c - ftrace instances of our own, and what killed ones left behind.
 *
 * An instance is named after the process that owns it, pcinspect-PID. A process
 * that was killed cannot remove its own: whoever comes next does. Another
 * program that got the number of a dead one is told apart by its name; in
 * another pid namespace the numbers mean nothing, so nothing is removed there.
 *
 * Touches tracefs: instances named pcinspect-PID only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tracefs.h>

#include "trace/instances.h"

#define PREFIX "pcinspect-"

/* The name of this process' instance. */
void instance_name(char *name, size_t size)
{
	snprintf(name, size, PREFIX "%d", getpid());
}

/**
 * instance_kb() - how large a buffer is to be
 * @each_kb: for each CPU
 * @all_kb: for all of them, on machines with many
 *
 * Return: kilobytes for each CPU, at least 64.
 */
size_t instance_kb(size_t each_kb, size_t all_kb)
{
	size_t share = all_kb / sysconf(_SC_NPROCESSORS_CONF);

	return share > each_kb ? each_kb : share < 64 ? 64 : share;
}

/* Is there a pcinspect, or a child of one that records for it, of this number? */
static int alive(long pid)
{
	char path[40], comm[16] = "";
	FILE *from;

	snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
	from = fopen(path, "re");
	if (!from)
		return 0;
	if (fscanf(from, "%15[^\n]", comm) != 1)
		comm[0] = '\0';
	fclose(from);
	return !strcmp(comm, "pcinspect");
}

/* Are /proc's numbers those that the instances' owners had? */
static int first_namespace(void)
{
	struct stat ours;

	/* PROC_PID_INIT_INO (include/linux/proc_ns.h), the same in every version */
	return !stat("/proc/self/ns/pid", &ours) && ours.st_ino == 0xEFFFFFFCU;
}

static int clean_one(const char *name, void *context)
{
	struct tracefs_instance *instance;
	char *end;
	long pid;

	(void)context;
	if (strncmp(name, PREFIX, strlen(PREFIX)))
		return 0;
	pid = strtol(name + strlen(PREFIX), &end, 10);
	if (*end || end == name + strlen(PREFIX) || alive(pid))
		return 0;
	instance = tracefs_instance_create(name);
	if (instance)
		instance_destroy(instance);
	return 0;
}

/* Remove what killed processes left behind. */
static void instances_clean(void)
{
	if (first_namespace())
		tracefs_instances_walk(clean_one, NULL);
}

/* Make this process' instance. Returns it, or NULL with errno set. */
struct tracefs_instance *instance_create(void)
{
	char name[32];

	instances_clean();
	instance_name(name, sizeof(name));
	return tracefs_instance_create(name);
}

/**
 * instance_destroy() - remove an instance, with all it has
 * @instance: which, or NULL; freed
 */
void instance_destroy(struct tracefs_instance *instance)
{
	if (!instance)
		return;
	tracefs_instance_file_write(instance, "events/enable", "0");
	tracefs_instance_destroy(instance);
	tracefs_instance_free(instance);
}

/**
 * instance_stat() - a number of one CPU's part of the buffer
 * @instance: of ours
 * @cpu: which CPU
 * @name: as the kernel names it ("overrun", "bytes"); of several that end so, the
 *	first is taken
 *
 * Return: the number, 0 if it is not there.
 */
uint64_t instance_stat(struct tracefs_instance *instance, int cpu, const char *name)
{
	char path[48], key[40], *text, *at;
	uint64_t number = 0;

	snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
	snprintf(key, sizeof(key), "%s: ", name);
	text = tracefs_instance_file_read(instance, path, NULL);
	at = text ? strstr(text, key) : NULL;
	if (at)
		number = strtoull(at + strlen(key), NULL, 10);
	free(text);
	return number;
}
