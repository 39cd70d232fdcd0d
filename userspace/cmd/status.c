// SPDX-License-Identifier: GPL-2.0-only
/*
 * status.c - pcinspect status: what works here, what is missing, and how
 * to mend it. Reads debugfs, as any user of the module can; without the module, why there
 * is none (collect/setup.c).
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/status_text.h"
#include "collect/audit.h"
#include "collect/borrow.h"
#include "collect/device.h"
#include "collect/setup.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/replace.h"
#include "lib/terminal.h"

#define DEBUGFS "/sys/kernel/debug"
#define WIDTH	79
#define JSON_STYLE	(JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | \
			 JSON_C_TO_STRING_NOSLASHESCAPE)

/* For the want of debugfs, or of a file in it. */
static int complain_debugfs(const char *name)
{
	if (errno == EACCES)
		complain(NULL, "%s/pcinspect/%s: permission denied (run as root)",
			 DEBUGFS, name);
	else if (errno == EPERM)
		complain(NULL, "%s/pcinspect/%s: the kernel is locked down beyond reading debugfs (see lockdown in kernel_lockdown(7))",
			 DEBUGFS, name);
	else if (access(DEBUGFS "/.", X_OK) == 0 && access(DEBUGFS "/kprobes", F_OK) &&
		 access(DEBUGFS "/bdi", F_OK))
		complain(NULL, "debugfs is not mounted (mount -t debugfs debugfs %s)",
			 DEBUGFS);
	else
		complain(NULL, "%s/pcinspect/%s: %s (is the module of this version? modprobe -r pcinspect; modprobe pcinspect)",
			 DEBUGFS, name, strerror(errno));
	return EXIT_FAILED;
}

/*
 * The lines of a file of debugfs, into @out, and on the screen if they are asked for.
 * Return: 0; EXIT_FAILED; EXIT_UNSUPPORTED: a hook is missing.
 */
static int read_debugfs(const char *name, struct json_object *out, bool show)
{
	char path[64], *line = NULL;
	size_t size = 0;
	int status = 0;
	FILE *from;

	snprintf(path, sizeof(path), DEBUGFS "/pcinspect/%s", name);
	from = fopen(path, "re");
	if (!from)
		return complain_debugfs(name);
	while (getline(&line, &size, from) > 0) {
		if (show)
			fputs(line, stdout);
		if (!status_line(out, line))
			status = EXIT_UNSUPPORTED;
	}
	free(line);
	fclose(from);
	return status;
}

/* Common to all. */
static struct json_object *new_status(void)
{
	struct json_object *out = json_object_new_object();

	json_object_object_add(out, "format", json_object_new_string("pcinspect-status"));
	json_object_object_add(out, "version", json_object_new_int(2));
	json_object_object_add(out, "program", json_object_new_string(PCINSPECT_VERSION));
	return out;
}

/* For --report FILE. Return: 0, or EXIT_FAILED after a message. */
static int save_status(const char *path, struct json_object *out)
{
	struct replace file;
	FILE *to;

	if (!path)
		return 0;
	to = replace_begin(&file, path);
	if (!replace_end(&file, to && fputs(json_object_to_json_string_ext(out, JSON_STYLE),
					    to) != EOF))
		return 0;
	complain(path, "cannot write: %s", open_error_text(errno));
	return EXIT_FAILED;
}

/* Without the module: why, and the command that mends it. Return: EXIT_FAILED. */
static int report_setup(const struct args *args)
{
	struct json_object *out = new_status();
	struct utsname kernel;
	struct setup setup;

	uname(&kernel);
	setup_find_cause(&setup, "", kernel.release);
	json_object_object_add(out, "module", NULL);
	json_object_object_add(out, "kernel", json_object_new_string(kernel.release));
	json_object_object_add(out, "cause", json_object_new_string(setup.cause));
	json_object_object_add(out, "why", json_object_new_string(setup.why));
	json_object_object_add(out, "remedy", json_object_new_string(setup.remedy));
	save_status(args->out.report, out);
	if (args->out.json)
		puts(json_object_to_json_string_ext(out, JSON_STYLE));
	json_object_put(out);
	complain(NULL, "the module is not loaded: %s (%s)", setup.why, setup.remedy);
	setup_free(&setup);
	return EXIT_FAILED;
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
	bool cachestat, show = args->hooks && !args->out.json;
	int status, device, columns = terminal_width();

	if (args->what.nr_paths) {
		complain(NULL, "status takes no PATH (use stat)");
		return EXIT_USAGE;
	}
	if (!device_is_there())
		return report_setup(args);
	device = device_open(&about);
	if (device < 0)
		return EXIT_FAILED;
	close(device);
	out = new_status();
	if (show)
		printf("program: %s\n", PCINSPECT_VERSION);
	status = read_debugfs("info", out, show);
	if (status == EXIT_FAILED) {
		json_object_put(out);
		return status;
	}
	cachestat = !audit_cachestat(-1, &cs) || errno != ENOSYS;
	json_object_object_add(out, "cachestat", json_object_new_boolean(cachestat));
	/* Before anything is printed, whose reader may go away. */
	if (save_status(args->out.report, out))
		status = EXIT_FAILED;
	if (args->out.json)
		puts(json_object_to_json_string_ext(out, JSON_STYLE));
	else if (show)
		printf("cachestat: %s\n", cachestat ? "present" : STATUS_NO_CACHESTAT);
	else
		status_print(out, stdout, columns > 0 && columns < WIDTH ? columns : WIDTH);
	output_failed();
	if (borrow_is_left(BORROW_DIR))
		complain(NULL, "a pcinspect try was killed, and its guardian, too: what it had changed is in "
			 BORROW_DIR "/try.state (pcinspect try --restore puts it back)");
	json_object_put(out);
	return status;
}
