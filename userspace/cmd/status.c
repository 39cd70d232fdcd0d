// SPDX-License-Identifier: GPL-2.0
/*
 * status.c - pcinspect status: what works here, what is missing, and how
 * to mend it. Reads debugfs, as any user of the module can.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/args.h"
#include "cmd/status_text.h"
#include "collect/audit.h"
#include "collect/device.h"
#include "lib/complain.h"
#include "lib/replace.h"
#include "lib/terminal.h"

#define DEBUGFS "/sys/kernel/debug"
#define WIDTH	79
#define JSON_STYLE	(JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | \
			 JSON_C_TO_STRING_NOSLASHESCAPE)

static int complain_info(void)
{
	if (errno == EACCES)
		complain(NULL, "%s/pcinspect/info: permission denied (run as root)",
			 DEBUGFS);
	else if (errno == EPERM)
		complain(NULL, "%s/pcinspect/info: the kernel is locked down beyond reading debugfs (see lockdown in kernel_lockdown(7))",
			 DEBUGFS);
	else if (access(DEBUGFS "/.", X_OK) == 0 && access(DEBUGFS "/kprobes", F_OK) &&
		 access(DEBUGFS "/bdi", F_OK))
		complain(NULL, "debugfs is not mounted (mount -t debugfs debugfs %s)",
			 DEBUGFS);
	else
		complain(NULL, "%s/pcinspect/info: %s (is the module of this version? modprobe -r pcinspect; modprobe pcinspect)",
			 DEBUGFS, strerror(errno));
	return EXIT_FAILED;
}

/* For --report. */
static int save(const char *path, struct json_object *out)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	return replace_end(&file, to && fputs(json_object_to_json_string_ext(out, JSON_STYLE),
					      to) != EOF);
}

/**
 * cmd_status() - pcinspect status
 * @args: options
 *
 * Return: 0 if all hooks are in place, EXIT_FAILED if the module cannot be
 * reached, EXIT_UNSUPPORTED if this kernel lacks a hook.
 */
int cmd_status(const struct args *args)
{
	struct json_object *out;
	struct audit_cachestat cs;
	struct pcinspect_about about;
	char *line = NULL;
	bool cachestat;
	size_t size = 0;
	int status = 0, device, columns = terminal_width();
	FILE *info;

	if (args->nr_paths) {
		complain(NULL, "status takes no PATH (use stat)");
		return EXIT_USAGE;
	}
	device = device_open(&about);
	if (device < 0)
		return EXIT_FAILED;
	close(device);
	info = fopen(DEBUGFS "/pcinspect/info", "re");
	if (!info)
		return complain_info();
	out = json_object_new_object();
	json_object_object_add(out, "format",
			       json_object_new_string("pcinspect-status"));
	json_object_object_add(out, "version", json_object_new_int(2));
	json_object_object_add(out, "program",
			       json_object_new_string(PCINSPECT_VERSION));
	if (args->hooks && !args->json)
		printf("program: %s\n", PCINSPECT_VERSION);
	while (getline(&line, &size, info) > 0) {
		if (args->hooks && !args->json)
			fputs(line, stdout);
		if (!status_line(out, line))
			status = EXIT_UNSUPPORTED;
	}
	free(line);
	fclose(info);
	cachestat = !audit_cachestat(-1, &cs) || errno != ENOSYS;
	json_object_object_add(out, "cachestat", json_object_new_boolean(cachestat));
	if (args->json)
		puts(json_object_to_json_string_ext(out, JSON_STYLE));
	else if (args->hooks)
		printf("cachestat: %s\n", cachestat ? "present" : STATUS_NO_CACHESTAT);
	else
		status_print(out, stdout, columns > 0 && columns < WIDTH ? columns : WIDTH);
	if (args->report && save(args->report, out)) {
		complain(args->report, "cannot write: %s", strerror(errno));
		status = EXIT_FAILED;
	}
	json_object_put(out);
	return status;
}
