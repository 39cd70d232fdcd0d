// SPDX-License-Identifier: GPL-2.0-only
/*
 * run_once.c - a command is run once, and what it did to the page cache is counted:
 * pcinspect run does it once, pcinspect try again and again.
 *
 * The module follows the tasks and makes the ledgers; here the command is started, the
 * devices' counters are read before and after, and the sums are held against them. A
 * run that is killed is ended by the module, when this program's file of it is closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/run_audit.h"
#include "cmd/run_files.h"
#include "cmd/run_once.h"
#include "collect/disks.h"
#include "collect/idle_files.h"
#include "collect/settings.h"
#include "explain/explain.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/ticks.h"

/* Too large for the stack: the two moments, one before the ledgers begin, and the
 * rows after they were listed.
 */
static struct disks base, before, after;
static struct pcinspect_devices earlier;
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

/* Hooks that were detached while files were listed: these do not have what they counted. */
static void forget_unseen(void)
{
	if (!disks_known(&later))
		after.ours.run_read_bytes = PCINSPECT_UNKNOWN;
	if (later.written_file_pages == PCINSPECT_UNKNOWN)
		after.ours.written_file_pages = PCINSPECT_UNKNOWN;
}

/* A signal that would end us ends CMD, or not; the report is wanted in any case. */
static const int passed_on[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };

#define NR_PASSED_ON (sizeof(passed_on) / sizeof(*passed_on))

static volatile pid_t running;
static volatile sig_atomic_t told;

/* To CMD, unless it is from the terminal, which has told CMD itself. */
static void forward(int sig, siginfo_t *info, void *context)
{
	(void)context;
	told = sig;
	if (running > 0 && info->si_code <= 0)
		kill(running, sig);
}

/* Becomes CMD, with the signals as we found them. A JSON report has stdout for itself. */
static void become(char **argv, bool json, const struct run_in *in,
		   const struct sigaction *old, const sigset_t *mask)
{
	size_t i;
	int status;

	if (json && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(126);

	/* 0: who writes it. */
	if (in && in->procs >= 0 && write(in->procs, "0", 1) != 1) {
		complain(argv[0], "cannot be put into the cgroup: %s", strerror(errno));
		_exit(126);
	}
	if (in && in->keep >= 0)
		fcntl(in->keep, F_SETFD, 0);
	for (i = 0; in && in->env && in->env[i]; i++)
		putenv(in->env[i]);

	for (i = 0; i < NR_PASSED_ON; i++)
		sigaction(passed_on[i], &old[i], NULL);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	status = errno == ENOENT ? 127 : 126;
	complain(argv[0], "%s", command_error_text(errno));
	_exit(status);
}

/* Start CMD and wait for it; its status as a shell has it. */
static int start_and_wait(char **argv, bool json, const struct run_in *in)
{
	struct sigaction pass_on = { .sa_sigaction = forward, .sa_flags = SA_SIGINFO };
	struct sigaction old[NR_PASSED_ON];
	sigset_t set, mask;
	int status = 0;
	pid_t pid, ended;
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
		become(argv, json, in, old, &mask);
	running = pid;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (pid < 0) {
		complain(argv[0], "%s", strerror(errno));
		return EXIT_FAILED;
	}
	do
		ended = waitpid(pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	running = 0;
	/* Ctrl-C now is meant for the report. */
	for (i = 0; i < NR_PASSED_ON; i++)
		if (passed_on[i] == SIGINT || passed_on[i] == SIGQUIT)
			sigaction(passed_on[i], &old[i], NULL);
	if (ended < 0) {
		complain(argv[0], "what became of it is unknown: %s", strerror(errno));
		return EXIT_FAILED;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Without a CMD: look on for so long, or until a signal. */
static int run_wait(double seconds)
{
	struct ticks ticks;

	ticks_start(&ticks, seconds, seconds);
	ticks_wait(&ticks);
	return 0;
}

/* What CMD itself and the children it waited for read and wrote: less what others did before. */
static void usage_since(struct rusage *usage, const struct rusage *was)
{
	usage->ru_inblock -= was->ru_inblock;
	usage->ru_oublock -= was->ru_oublock;
}

/**
 * run_once() - run CMD, and make the report of it
 * @run: filled in
 * @args: options and CMD; without CMD a look for as long as --for says
 * @in: what CMD runs in; NULL: as it is
 *
 * Complains by itself. Whatever comes of it, run_free() is to be called.
 *
 * Return: true if there is a report; @run->status is CMD's, or, where CMD was not run,
 * EXIT_FAILED.
 */
bool run_once(struct run_once *run, const struct args *args, const struct run_in *in)
{
	struct pcinspect_run query = { .size = sizeof(query), .start = 1 };
	struct rusage usage, usage_was;
	uint64_t dirtied, dirty;
	struct run_moments at = {
		.earlier = &earlier, .before = &before,
		.after = &after, .later = &later, .usage = &usage,
	};
	struct report *report = &run->report;

	run->collecting = false;
	run->status = EXIT_FAILED;
	if (!collect_start(&run->collect, report))
		return false;
	if (find_mounts(&run->collect, args, &query) || !collect_start(&run->old, &run->was)) {
		collect_free(&run->collect);
		return false;
	}
	run->collecting = true;
	dirtied = disks_dirtied(&dirty);
	earlier.size = sizeof(earlier);
	if (ioctl(run->collect.device, PCINSPECT_IOC_DEVICES, &earlier) ||
	    ioctl(run->collect.device, PCINSPECT_IOC_RUN, &query) ||
	    disks_begin(&base, run->collect.device)) {
		complain(NULL, errno == EBUSY ?
			 "another pcinspect run is under way (wait for it; there is one at a time)" :
			 "cannot begin a run: %s", strerror(errno));
		return false;
	}
	/*
	 * Sums of what is gone; and files that others track: these are not reset, others have
	 * counted in them, and count on.
	 */
	if (run_list(&run->old, PCINSPECT_LIST_DETAIL | PCINSPECT_LIST_LEDGERS))
		return false;
	losses_read(&run->was, run->collect.device);
	if (disks_read(&before, &base, run->collect.device)) {
		complain(NULL, "cannot read the devices' counters: %s", strerror(errno));
		return false;
	}
	getrusage(RUSAGE_CHILDREN, &usage_was);
	run->begun = clock_now_ns();

	run->status = args->what.nr_paths ? start_and_wait(args->what.paths, args->out.json, in) :
				       run_wait(args->pace.duration);

	at.begun_ns = run->begun;
	at.ended_ns = clock_now_ns();
	report->interval_ns = at.ended_ns - run->begun;
	if (in && in->settle)
		in->settle(in->arg);
	/* CMD may have mounted something. */
	mnt_unref_table(run->collect.mounts);
	run->collect.mounts = mounts_load();
	getrusage(RUSAGE_CHILDREN, &usage);
	usage_since(&usage, &usage_was);
	at.stale_known = !ioctl(run->collect.device, PCINSPECT_IOC_STALE, &at.stale);
	if (ioctl(run->collect.device, PCINSPECT_IOC_LEFT, &at.left))
		at.left = 0;
	later.size = sizeof(later);
	if (disks_read(&after, &before, run->collect.device) ||
	    run_list(&run->collect, PCINSPECT_LIST_DETAIL | PCINSPECT_LIST_LEDGERS) ||
	    ioctl(run->collect.device, PCINSPECT_IOC_DEVICES, &later)) {
		complain(NULL, "there is no report of the run: %s", strerror(errno));
		return false;
	}
	if (dirtied)
		at.dirtied_pages = disks_dirtied(NULL) - dirtied + dirty;
	forget_unseen();
	report_now(report);
	run_take_off(report, &run->was);
	run_keep_files(report, &query);
	run_subtract_gone(report, &run->was);
	run_find_unmounted(report, run->collect.mounts);
	disks_report(report, &before, &after);
	run_audit(report, &at, run->collect.mounts);
	audit_all(report, NULL);
	/* The evicting task need not be the run's. */
	collect_names(&run->collect);
	settings_read(report);
	if (args->explain)
		idle_files_read(&run->collect);
	losses_read(report, run->collect.device);
	losses_since(report, &run->was);
	if (args->explain)
		explain(report);
	return true;
}

/* The last signal that was meant for us, or for CMD; 0: none has come. */
int run_signal(void)
{
	return told ?: ticks_stopped();
}

/* Another run may begin; the report of this one is kept. */
void run_end(struct run_once *run)
{
	struct pcinspect_run query = { .size = sizeof(query) };

	if (run->collecting)
		ioctl(run->collect.device, PCINSPECT_IOC_RUN, &query);
}

/* Forget a run. */
void run_free(struct run_once *run)
{
	if (!run->collecting)
		return;
	collect_free(&run->old);
	collect_free(&run->collect);
	run->collecting = false;
}
