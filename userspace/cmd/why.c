// SPDX-License-Identifier: GPL-2.0-only
/*
 * why.c - pcinspect why: counts every file of some filesystems for a few seconds, and says
 * why their disks are read and written: it is "run -m MOUNT --explain" without a command.
 * Nothing has to be tracked before. Touches what run_once.c does; stdout, stderr.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/run_once.h"
#include "cmd/run_show.h"
#include "cmd/subject.h"
#include "collect/cgroups.h"
#include "collect/idle_files.h"
#include "collect/mounts.h"
#include "collect/under.h"
#include "explain/explain.h"
#include "lib/complain.h"
#include "lib/ticks.h"

#define DEFAULT_SECONDS 5

/* Is a word a cgroup: a directory there, or else a name below the hierarchy? */
static bool is_cgroup(const char *word)
{
	char full[PATH_MAX];
	int fd;

	if (!strncmp(word, MEMCG_ROOT, strlen(MEMCG_ROOT)))
		return true;
	if (!access(word, F_OK))
		return false;
	fd = cgroups_open(word, full, sizeof(full));
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns 0, or the exit status after a message. */
static int find_subject(struct subject *subject, const char *word)
{
	if (word[strspn(word, "0123456789")] == '\0') {
		unsigned long pid = strtoul(word, NULL, 10);

		if (pid && pid <= INT_MAX && (!kill(pid, 0) || errno != ESRCH)) {
			subject->pid = pid;
			return 0;
		}
		complain(word, "there is no such process (for a file of that name: ./%s)", word);
		return EXIT_ALL_FAILED;
	}
	if (under_is_disk(word)) {
		subject->disk = word;
		return 0;
	}
	subject->path = realpath(word, NULL);
	if (subject->path && !stat(subject->path, &subject->st))
		return 0;
	complain(word, "no such disk, file, directory, cgroup or process");
	return EXIT_ALL_FAILED;
}

static int run_for_a_while(const struct args *given, struct subject *subject)
{
	struct libmnt_table *mounts = mounts_load();
	const char *word = given->what.nr_paths ? given->what.paths[0] : NULL;
	struct args args = *given;
	struct run_once run;
	int status;

	/* Ctrl-C ends the look, not the report. */
	ticks_catch();
	args.what.nr_paths = 0;
	status = subject_mounts(subject, mounts, &args);
	if (!status && run_once(&run, &args, NULL)) {
		if (word)
			subject_keep(&run.report, subject, word);
		idle_files_read(&run.collect);
		explain(&run.report);
		args.explain = true;
		status = run_show(&run.report, &args, run.begun);
		status = status ?: report_lost(&run.report) ? EXIT_LOSSES : 0;
		run_free(&run);
	} else if (!status) {
		status = EXIT_FAILED;
		run_free(&run);
	}
	mnt_unref_table(mounts);
	return status;
}

/**
 * cmd_why() - pcinspect why [DISK|PATH|CGROUP|PID]
 * @given: options and the operand; without one it is about the machine
 *
 * Return: the exit status; EXIT_LOSSES if something was lost.
 */
int cmd_why(const struct args *given)
{
	struct subject subject = {};
	struct args args = *given;
	const char *word = given->what.nr_paths ? given->what.paths[0] : NULL;
	int status = 0;

	if (given->what.nr_paths > 1) {
		complain(NULL, "why: one DISK, PATH, CGROUP or PID at most");
		return EXIT_USAGE;
	}
	if (!(args.pace.duration > 0))
		args.pace.duration = DEFAULT_SECONDS;
	if (word && is_cgroup(word)) {
		args.cgroup = word;
		args.pace.interval = args.pace.duration;
		args.what.nr_paths = 0;
		return cmd_explain(&args);
	}
	if (word)
		status = find_subject(&subject, word);
	if (!status)
		status = run_for_a_while(&args, &subject);
	free(subject.path);
	return status;
}
