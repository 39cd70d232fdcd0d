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
#include "collect/settings.h"
#include "explain/explain.h"
#include "lib/clock.h"
#include "lib/complain.h"
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
		struct libmnt_fs *mount = mounts_find(collect->mounts, args->mounts[i]);

		if (!mount) {
			complain(args->mounts[i], "is not a mount point (see findmnt)");
			return EXIT_FAILED;
		}
		if (mnt_fs_match_fstype(mount, "overlay")) {
			complain(args->mounts[i], "is an overlayfs: its pages are those of the filesystems below (name those)");
			return EXIT_FAILED;
		}
		/* as the kernel's MKDEV() */
		run->mounts[run->nr_mounts++] = major(mnt_fs_get_devno(mount)) << 20 |
						minor(mnt_fs_get_devno(mount));
	}
	return 0;
}

static volatile pid_t running;

/* To CMD; we wait for it, and the report is still wanted. */
static void forward(int sig)
{
	if (running > 0)
		kill(running, sig);
}

/* Start CMD and wait for it; its status as a shell has it. */
static int run_command(char **argv)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit, old;
	struct sigaction pass_on = { .sa_handler = forward };
	static const int passed_on[] = { SIGTERM, SIGHUP };
	int status;
	pid_t pid;
	size_t i;

	/* The terminal tells CMD as well of Ctrl-C. */
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		sigaction(SIGINT, &interrupt, NULL);
		sigaction(SIGQUIT, &quit, NULL);
		signal(SIGPIPE, SIG_DFL);
		execvp(argv[0], argv);
		status = errno == ENOENT ? 127 : 126;
		complain(argv[0], "%s", strerror(errno));
		_exit(status);
	}
	if (pid < 0) {
		complain(argv[0], "%s", strerror(errno));
		return EXIT_FAILED;
	}
	running = pid;
	for (i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++) {
		sigaction(passed_on[i], &pass_on, &old);
		if (old.sa_handler == SIG_IGN)
			signal(passed_on[i], SIG_IGN);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	running = 0;
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The rows begin anew when the last file was untracked, perhaps just now. */
static uint64_t file_bytes_since(const struct pcinspect_devices *then,
				 const struct pcinspect_devices *now)
{
	uint64_t old = disks_file_bytes(then);
	uint64_t sum = disks_file_bytes(now);

	return sum > old ? sum - old : sum;
}

static int show_report(const struct report *report, const struct args *args)
{
	int status;

	/* CMD's own output is on stdout: keep apart from it. */
	fflush(stdout);
	status = output_report(report, args, 0);
	if (!args->json) {
		view_devices(report, args);
		view_tasks(report, args);
		if (args->explain)
			view_verdicts(report, args);
	}
	view_losses(report);
	return status;
}

/**
 * cmd_run() - pcinspect run [-m MOUNT]… -- CMD…
 * @args: options and the command
 *
 * Return: the exit status of CMD; EXIT_FAILED if it could not be run, or if it
 * ended well and the report could not be written.
 */
int cmd_run(const struct args *args)
{
	struct pcinspect_run run = { .size = sizeof(run), .start = 1 };
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
	later.size = sizeof(later);
	if (disks_read(&after, &before, collect.device) ||
	    run_list(&collect, PCINSPECT_LIST_DETAIL) ||
	    ioctl(collect.device, PCINSPECT_IOC_DEVICES, &later)) {
		complain(NULL, "there is no report of the run: %s", strerror(errno));
		status = status ?: EXIT_FAILED;
		goto out;
	}
	report.time_ns = clock_now_ns();
	listed = run_keep_files(&report, &run);
	run_subtract_gone(&report, &was);
	disks_report(&report, &before, &after);
	run_audit(&report, listed, &before, &after,
		  file_bytes_since(&earlier.ours, &later));
	audit_all(&report, NULL);
	settings_read(&report);
	losses_read(&report, collect.device);
	losses_since(&report, &was);
	if (args->explain)
		explain(&report);
	shown = show_report(&report, args);
	status = status ?: shown;
out:
	collect_free(&old);
	collect_free(&collect);
	return status;
}
