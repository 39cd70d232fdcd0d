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
static struct pcinspect_disks earlier, before, after;
static struct pcinspect_devices later;

/* Find the filesystems of --mount. Returns 0 or an exit status. */
static int find_mounts(const struct pcinspect_collect *collect,
		       const struct pcinspect_args *args,
		       struct pcinspect_run *run)
{
	size_t i;

	for (i = 0; i < args->nr_mounts; i++) {
		struct libmnt_fs *mount = pcinspect_mounts_find(collect->mounts,
								args->mounts[i]);

		if (!mount) {
			pcinspect_complain(args->mounts[i], "is not a mount point (see findmnt)");
			return EXIT_FAILED;
		}
		if (mnt_fs_match_fstype(mount, "overlay")) {
			pcinspect_complain(args->mounts[i], "is an overlayfs: its pages are those of the filesystems below (name those)");
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
		pcinspect_complain(argv[0], "%s", strerror(errno));
		_exit(status);
	}
	if (pid < 0) {
		pcinspect_complain(argv[0], "%s", strerror(errno));
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
	uint64_t old = pcinspect_disks_file_bytes(then);
	uint64_t sum = pcinspect_disks_file_bytes(now);

	return sum > old ? sum - old : sum;
}

static int show(const struct pcinspect_report *report, const struct pcinspect_args *args)
{
	int status;

	/* CMD's own output is on stdout: keep apart from it. */
	fflush(stdout);
	status = pcinspect_output(report, args, 0);
	if (!args->json) {
		pcinspect_view_devices(report, args);
		pcinspect_view_people(report, args);
		if (args->explain)
			pcinspect_view_verdicts(report, args);
	}
	pcinspect_view_losses(report);
	return status;
}

/**
 * pcinspect_cmd_run() - pcinspect run [-m MOUNT]… -- CMD…
 * @args: options and the command
 *
 * Return: the exit status of CMD; EXIT_FAILED if it could not be run, or if it
 * ended well and the report could not be written.
 */
int pcinspect_cmd_run(const struct pcinspect_args *args)
{
	struct pcinspect_run run = { .size = sizeof(run), .start = 1 };
	struct pcinspect_collect collect, old;
	struct pcinspect_report report, was;
	uint64_t begun, listed;
	int status, shown;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	status = find_mounts(&collect, args, &run);
	if (status || !pcinspect_collect_start(&old, &was)) {
		pcinspect_collect_free(&collect);
		return status ?: EXIT_FAILED;
	}
	if (pcinspect_run_list(&old, 0)) {
		status = EXIT_FAILED;
		goto out;
	}
	if (pcinspect_disks_begin(&earlier, collect.device) ||
	    ioctl(collect.device, PCINSPECT_IOC_RUN, &run)) {
		pcinspect_complain(NULL, errno == EBUSY ?
				   "another pcinspect run is under way (wait for it; there is one at a time)" :
				   "cannot begin a run: %s", strerror(errno));
		status = EXIT_FAILED;
		goto out;
	}
	pcinspect_losses_read(&was, collect.device);
	if (pcinspect_disks_read(&before, &earlier, collect.device)) {
		pcinspect_complain(NULL, "cannot read the devices' counters: %s",
				   strerror(errno));
		status = EXIT_FAILED;
		goto out;
	}
	begun = pcinspect_now_ns();

	status = run_command(args->paths);

	report.interval_ns = pcinspect_now_ns() - begun;
	/* CMD may have mounted something. */
	mnt_unref_table(collect.mounts);
	collect.mounts = pcinspect_mounts_load();
	later.size = sizeof(later);
	if (pcinspect_disks_read(&after, &before, collect.device) ||
	    pcinspect_run_list(&collect, PCINSPECT_LIST_DETAIL) ||
	    ioctl(collect.device, PCINSPECT_IOC_DEVICES, &later)) {
		status = status ?: EXIT_FAILED;
		goto out;
	}
	report.time_ns = pcinspect_now_ns();
	listed = pcinspect_run_sort_out(&report, &run);
	pcinspect_run_subtract_gone(&report, &was);
	pcinspect_disks_report(&report, &before, &after);
	pcinspect_run_audit(&report, listed, &before, &after,
			    file_bytes_since(&earlier.ours, &later));
	pcinspect_audit_report(&report, NULL);
	settings_read(&report);
	pcinspect_losses_read(&report, collect.device);
	pcinspect_losses_since(&report, &was);
	if (args->explain)
		explain(&report);
	shown = show(&report, args);
	status = status ?: shown;
out:
	pcinspect_collect_free(&old);
	pcinspect_collect_free(&collect);
	return status;
}
