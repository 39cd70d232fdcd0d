// SPDX-License-Identifier: GPL-2.0
/*
 * run.c - pcinspect run: what a command and its children did to the page
 * cache, file by file, and what the devices say to that.
 *
 * The module follows the tasks and makes the ledgers; here the command is
 * started, the devices' counters are read before and after, and the sums are
 * held against them. A run that is killed is ended by the module, when this
 * program's file of it is closed.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/output.h"
#include "cmd/run_audit.h"
#include "cmd/run_files.h"
#include "collect/collect.h"
#include "collect/disks.h"
#include "collect/holders.h"
#include "collect/settings.h"
#include "explain/explain.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/wall.h"
#include "view/text.h"

/* Too large for the stack: the two moments, one before the ledgers begin, and the
 * rows after they were listed.
 */
static struct disks earlier, before, after;
static struct pcinspect_devices later;

/* Find the filesystems of --mount. Returns 0 or an exit status. */
static int find_mounts(const struct collect *collect,
		       const struct args *args,
		       struct pcinspect_run *run)
{
	size_t i;

	for (i = 0; i < args->nr_mounts; i++) {
		struct libmnt_fs *mount = mounts_named(collect->mounts, args->mounts[i]);

		if (!mount)
			return EXIT_FAILED;
		/* as the kernel's MKDEV() */
		run->mounts[run->nr_mounts++] = major(mnt_fs_get_devno(mount)) << 20 |
						minor(mnt_fs_get_devno(mount));
	}
	return 0;
}

/* What would end us ends CMD, or not; the report is wanted in any case. */
static const int passed_on[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };

#define NR_PASSED_ON (sizeof(passed_on) / sizeof(*passed_on))

static volatile pid_t running;

/* To CMD, unless it is from the terminal, which has told CMD itself. */
static void forward(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (running > 0 && info->si_code <= 0)
		kill(running, sig);
}

/* Becomes CMD, with the signals as we found them. */
static void become(char **argv, const struct sigaction *old, const sigset_t *mask)
{
	size_t i;
	int status;

	for (i = 0; i < NR_PASSED_ON; i++)
		sigaction(passed_on[i], &old[i], NULL);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	status = errno == ENOENT ? 127 : 126;
	complain(argv[0], "%s", strerror(errno));
	_exit(status);
}

/* Start CMD and wait for it; its status as a shell has it. */
static int run_command(char **argv)
{
	struct sigaction pass_on = { .sa_sigaction = forward, .sa_flags = SA_SIGINFO };
	struct sigaction old[NR_PASSED_ON];
	sigset_t set, mask;
	int status;
	pid_t pid;
	size_t i;

	/* None comes before we know whom to tell. */
	sigemptyset(&set);
	for (i = 0; i < NR_PASSED_ON; i++)
		sigaddset(&set, passed_on[i]);
	sigprocmask(SIG_BLOCK, &set, &mask);
	for (i = 0; i < NR_PASSED_ON; i++) {
		sigaction(passed_on[i], &pass_on, &old[i]);
		/* Nobody wants it: nohup(1). */
		if (old[i].sa_handler == SIG_IGN)
			signal(passed_on[i], SIG_IGN);
	}
	fflush(stdout);
	pid = fork();
	if (!pid)
		become(argv, old, &mask);
	running = pid;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (pid < 0) {
		complain(argv[0], "%s", strerror(errno));
		return EXIT_FAILED;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	running = 0;
	/* Who presses Ctrl-C now means the report. */
	for (i = 0; i < NR_PASSED_ON; i++)
		if (passed_on[i] == SIGINT || passed_on[i] == SIGQUIT)
			sigaction(passed_on[i], &old[i], NULL);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* With the verdicts first, fewer files do: one screen. */
#define FILES_EXPLAINED	10
#define FILES_TASKS	3
#define TASKS_EXPLAINED	1

static void say_when(const struct report *report, uint64_t begun)
{
	char wall[WALL_TEXT];

	wall_local(wall, sizeof(wall), report_wall(report, begun));
	printf("run of %.3f s, from %s on (%.3f s since boot)\n", report->interval_ns / 1e9,
	       wall, begun / 1e9);
}

static int show_report(const struct report *report, const struct args *args, uint64_t begun)
{
	struct args files = *args, tasks = *args;
	bool text = !args->json && !args->csv;
	int status;

	if (text && !args->limited && args->explain)
		files.limit = FILES_EXPLAINED;
	if (!args->limited)
		tasks.limit = args->explain ? TASKS_EXPLAINED : FILES_TASKS;
	/* CMD's own output is on stdout: keep apart from it. */
	fflush(stdout);
	if (!text || args->noheadings) {
		view_losses(report, stderr);
	} else {
		say_when(report, begun);
		view_losses(report, stdout);
		if (!report->nr_files)
			puts("no file was touched");
	}
	if (text && args->explain) {
		view_verdicts(report, args);
		view_devices(report, args);
		putchar('\n');
	}
	status = output_report(report, &files, 0);
	if (text && !args->noheadings)
		view_gone(report, args);
	if (text) {
		if (!args->explain)
			view_devices(report, args);
		view_tasks(report, &tasks);
	}
	view_gaps(report);
	return status;
}

/**
 * cmd_run() - pcinspect run [-m MOUNT]… -- CMD…
 * @args: options and the command
 *
 * Return: the exit status of CMD; EXIT_FAILED if it could not be run, or if it
 * ended well and the report could not be written; EXIT_LOSSES if it ended well and
 * the report lacks something.
 */
int cmd_run(const struct args *args)
{
	struct pcinspect_run run = { .size = sizeof(run), .start = 1 };
	struct rusage usage;
	struct run_moments at = {
		.earlier = &earlier.ours, .before = &before,
		.after = &after, .later = &later, .usage = &usage,
	};
	struct collect collect, old;
	struct report report, was;
	uint64_t begun, listed;
	int status, shown;

	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	status = find_mounts(&collect, args, &run);
	if (status || !collect_start(&old, &was)) {
		collect_free(&collect);
		return status ?: EXIT_FAILED;
	}
	if (run_list(&old, 0)) {
		status = EXIT_FAILED;
		goto out;
	}
	if (disks_begin(&earlier, collect.device) ||
	    ioctl(collect.device, PCINSPECT_IOC_RUN, &run)) {
		complain(NULL, errno == EBUSY ?
			 "another pcinspect run is under way (wait for it; there is one at a time)" :
			 "cannot begin a run: %s", strerror(errno));
		status = EXIT_FAILED;
		goto out;
	}
	losses_read(&was, collect.device);
	if (disks_read(&before, &earlier, collect.device)) {
		complain(NULL, "cannot read the devices' counters: %s", strerror(errno));
		status = EXIT_FAILED;
		goto out;
	}
	begun = clock_now_ns();

	status = run_command(args->paths);

	report.interval_ns = clock_now_ns() - begun;
	/* CMD may have mounted something. */
	mnt_unref_table(collect.mounts);
	collect.mounts = mounts_load();
	getrusage(RUSAGE_CHILDREN, &usage);
	at.stale_known = !ioctl(collect.device, PCINSPECT_IOC_STALE, &at.stale);
	if (ioctl(collect.device, PCINSPECT_IOC_LEFT, &at.left))
		at.left = 0;
	later.size = sizeof(later);
	if (disks_read(&after, &before, collect.device) ||
	    run_list(&collect, PCINSPECT_LIST_DETAIL) ||
	    ioctl(collect.device, PCINSPECT_IOC_DEVICES, &later)) {
		complain(NULL, "there is no report of the run: %s", strerror(errno));
		status = status ?: EXIT_FAILED;
		goto out;
	}
	report_now(&report);
	listed = run_keep_files(&report, &run);
	run_subtract_gone(&report, &was);
	disks_report(&report, &before, &after);
	run_audit(&report, listed, &at, collect.mounts);
	audit_all(&report, NULL);
	settings_read(&report);
	if (args->explain)
		holders_read(&collect);
	losses_read(&report, collect.device);
	losses_since(&report, &was);
	if (args->explain)
		explain(&report);
	shown = show_report(&report, args, begun);
	status = status ?: shown ?: report_lost(&report) ? EXIT_LOSSES : 0;
out:
	collect_free(&old);
	collect_free(&collect);
	return status;
}
