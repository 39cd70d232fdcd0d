// SPDX-License-Identifier: GPL-2.0-only
/*
 * no_libtracecmd.c - the static program reads no recordings.
 *
 * Why: Debian has libtracecmd as a shared library alone. The functions that
 * trace/recording.c calls are here, and the first one ends with an error that says where recordings can be read.
 * May touch: nothing.
 */
#include <stdlib.h>
#include <trace-cmd.h>
#include "lib/complain.h"
#include "lib/exit.h"

struct tracecmd_input *tracecmd_open(const char *file, int flags)
{
	(void)flags;
	complain(file, "recordings cannot be read by the static program; copy it to a machine with the package pcinspect");
	exit(EXIT_UNSUPPORTED);
}

void tracecmd_close(struct tracecmd_input *handle)
{
	(void)handle;
}

struct tep_handle *tracecmd_get_tep(struct tracecmd_input *handle)
{
	(void)handle;
	return NULL;
}

int tracecmd_buffer_instances(struct tracecmd_input *handle)
{
	(void)handle;
	return 0;
}

struct tracecmd_input *tracecmd_buffer_instance_handle(struct tracecmd_input *handle, int indx)
{
	(void)handle;
	(void)indx;
	return NULL;
}

int tracecmd_iterate_events(struct tracecmd_input *handle, cpu_set_t *cpus, int cpu_size,
			    int (*callback)(struct tracecmd_input *handle, struct tep_record *,
					    int, void *),
			    void *callback_data)
{
	(void)handle;
	(void)cpus;
	(void)cpu_size;
	(void)callback;
	(void)callback_data;
	return -1;
}

void tracecmd_set_loglevel(enum tep_loglevel level)
{
	(void)level;
}
