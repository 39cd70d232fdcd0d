// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - pcinspect record: events and states into a trace.dat.
 *
 * With PATHs: the events of these files, whoever makes them, and their state at
 * every tick. With CMD alone: the events that CMD and its children make, on any
 * file, and at the end the state of the files they touched. Ctrl-C ends the
 * recording and keeps it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "cmd/run_files.h"
#include "collect/collect.h"
#include "collect/follow.h"
#include "collect/idle_files.h"
#include "collect/settings.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "trace/recorder.h"
#include "view/json_report.h"

#define FEW_FILES 16

/*
 * struct job - one recording
 * @args: as the user asked
 * @path: the recording
 * @collect: of @report; @old: of @was
 * @report: the state
 * @follow: the PATHs
 * @recorder: trace-cmd
 * @argv: CMD, NULL: none
 * @cmd: its process, 0: none or over
 * @go: a byte here lets CMD begin; -1: it has, or is not there
 * @signals: from where our signals come
 * @status: exit status so far
 */
struct job {
	const struct args *args;
	const char *path;
	struct collect collect, old;
	struct report report;
	/* Losses from before; with CMD alone, the counts of others. */
	struct report was;
	struct follow follow;
	struct recorder recorder;
	char **argv;
	pid_t cmd;
	int go;
	int signals;
	/* The signal that CMD was told to end by, or 0. */
	unsigned int told;
	int status;
};

/* Ctrl-C and the like are read from a file, so that none comes too early. */
static int catch_signals(sigset_t *old)
{
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* nohup(1): one that is ignored would be kept while it is blocked. */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, old);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* A child that becomes CMD once it is told to. */
static int prepare_command(struct job *job, const sigset_t *mask)
{
	int go[2];
	char byte;
	int status;

	if (pipe(go))
		return -1;
	fflush(stdout);
	job->cmd = fork();
	if (job->cmd < 0) {
		close(go[0]);
		close(go[1]);
		job->cmd = 0;
		return -1;
	}
	if (!job->cmd) {
		close(go[1]);
		sigprocmask(SIG_SETMASK, mask, NULL);
		signal(SIGPIPE, SIG_DFL);
		if (read(go[0], &byte, 1) != 1)
			_exit(EXIT_FAILED);
		close(go[0]);
		execvp(job->argv[0], job->argv);
		status = errno == ENOENT ? 127 : 126;
		complain(job->argv[0], "%s", command_error_text(errno));
		_exit(status);
	}
	close(go[0]);
	job->go = go[1];
	return 0;
}

static int begin_command(struct job *job)
{
	ssize_t n = write(job->go, "", 1);

	close(job->go);
	job->go = -1;
	return n == 1 ? 0 : -1;
}

/* Has CMD ended? Its status is the recording's. */
static bool command_ended(struct job *job)
{
	int status;
	pid_t pid;

	if (!job->cmd)
		return false;
	pid = waitpid(job->cmd, &status, WNOHANG);
	if (!pid || (pid < 0 && errno != ECHILD))
		return false;
	job->cmd = 0;
	job->status = pid < 0 ? EXIT_FAILED : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

/*
 * The recording is over and CMD is not: it is told to end, and waited for. A
 * CMD that has not begun ends when it sees that it never will.
 */
static void end_command(struct job *job)
{
	struct pollfd poll_fd = { .fd = job->signals, .events = POLLIN };
	struct signalfd_siginfo info;
	bool told = false;

	if (job->cmd && job->go < 0)
		kill(job->cmd, SIGTERM);
	if (job->go >= 0)
		close(job->go);
	job->go = -1;
	while (job->cmd && !command_ended(job)) {
		if (!poll(&poll_fd, 1, 1000) && !told) {
			complain(job->argv[0], "waiting for process %d to end; Ctrl-C kills it",
				 job->cmd);
			told = true;
		}
		while (read(job->signals, &info, sizeof(info)) == sizeof(info))
			if (info.ssi_signo == SIGINT)
				kill(job->cmd, SIGKILL);
	}
}

/* Until @until_ns or a reason to end; true: there is one. */
static bool wait_for_end(struct job *job, uint64_t until_ns)
{
	struct pollfd poll_fd = { .fd = job->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	for (;;) {
		uint64_t now = clock_now_ns();

		if (command_ended(job) || recorder_ended(&job->recorder, job->path))
			return true;
		if (now >= until_ns)
			return false;
		poll(&poll_fd, 1, (until_ns - now) / 1000000 + 1);
		while (read(job->signals, &info, sizeof(info)) == sizeof(info)) {
			/*
			 * Of one hangup there are often two, the kernel's and the
			 * shell's; so are there of a timeout(1).
			 */
			if (info.ssi_signo == SIGCHLD ||
			    (info.ssi_signo == job->told && job->told != SIGINT))
				continue;
			/* The terminal told CMD as well: it shall end by itself. */
			if (!job->cmd || job->told)
				return true;
			job->told = info.ssi_signo;
			if (job->told != SIGINT)
				kill(job->cmd, job->told);
		}
	}
}

/* The state now. Returns how many files are still there. */
static size_t renew(struct job *job)
{
	size_t alive = follow_renew(&job->follow);

	losses_since(&job->report, &job->was);
	return alive;
}

/*
 * The state now; false: all files are gone. Of a few files it goes into the
 * recording each time, so that one that is cut short has a late state.
 */
static bool sample(struct job *job)
{
	if (!job->args->what.nr_paths)
		return true;
	if (!renew(job))
		return false;
	if (job->recorder.marker >= 0 && job->report.nr_files <= FEW_FILES)
		recorder_state(&job->recorder, &job->report);
	return true;
}

static void record(struct job *job)
{
	uint64_t start = clock_now_ns(), next = start, end = 0;

	if (job->args->pace.duration > 0)
		end = start + (uint64_t)(job->args->pace.duration * 1e9);
	if (job->cmd && begin_command(job))
		return;
	do {
		next += job->args->pace.interval * 1e9;
		if (next < clock_now_ns())
			next = clock_now_ns();
		if (end && next > end)
			next = end;
		if (wait_for_end(job, next))
			return;
		if (end && next >= end)
			return;
	} while (sample(job) || job->cmd);
	wait_for_end(job, clock_now_ns() + FOLLOW_LINGER_NS);
}

/* With CMD alone: which files did it touch? */
static int touched(struct job *job, const struct pcinspect_run *run, uint64_t begun)
{
	job->report.interval_ns = clock_now_ns() - begun;
	if (run_list(&job->collect, PCINSPECT_LIST_DETAIL | PCINSPECT_LIST_LEDGERS))
		return EXIT_FAILED;
	run_take_off(&job->report, &job->was);
	run_keep_files(&job->report, run);
	collect_names(&job->collect);
	report_now(&job->report);
	audit_all(&job->report, NULL);
	settings_read(&job->report);
	idle_files_read(&job->collect);
	losses_read(&job->report, job->collect.device);
	losses_since(&job->report, &job->was);
	return 0;
}

/*
 * trace-cmd notices late that it has nowhere to write, and then hangs. An
 * existing file stays until it begins. @created: set if there was nothing.
 */
static bool writable(const char *path, bool *created)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	*created = fd >= 0;
	if (fd < 0)
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0) {
		complain(path, "cannot write: %s", open_error_text(errno));
		return false;
	}
	close(fd);
	return true;
}

/* Somebody waits for a screen: what is under way, and what ends it. */
static void tell_begun(const struct job *job, const char *path)
{
	size_t nr = job->report.nr_files;
	char what[48] = "what CMD does", until[64] = "";
	char *name;

	if (!isatty(STDERR_FILENO))
		return;
	if (job->args->what.nr_paths)
		snprintf(what, sizeof(what), "%zu file%s", nr, nr == 1 ? "" : "s");
	if (job->args->pace.duration > 0)
		snprintf(until, sizeof(until), " for %g s", job->args->pace.duration);
	else if (job->argv)
		strcpy(until, " until CMD ends");
	name = escape_path(path);
	fprintf(stderr, "pcinspect: %s: recording %s%s (Ctrl-C ends it)\n", name, what, until);
	free(name);
}

static void tell(const struct job *job, const char *path, uint64_t begun)
{
	size_t nr = job->report.nr_files;
	char size[32], *name;
	struct stat st;

	if (stat(path, &st))
		return;
	size_text(size, sizeof(size), st.st_size);
	name = escape_path(path);
	fprintf(stderr, "pcinspect: %s: %.1f s, %zu file%s, %s (pcinspect report, trace-cmd report or kernelshark shows it)\n",
		name, (clock_now_ns() - begun) / 1e9, nr, nr == 1 ? "" : "s", size);
	free(name);
}

/* All that needs the recorder; it is stopped by the caller. */
static int work(struct job *job, const char *path, const sigset_t *mask)
{
	struct pcinspect_run run = { .size = sizeof(run), .start = 1 };
	bool by_task = !job->args->what.nr_paths;
	uint64_t begun;
	int status;

	/* While it waits, CMD is no member of the run and touches nothing. */
	if (job->argv && !by_task && prepare_command(job, mask))
		return EXIT_FAILED;
	if (by_task) {
		status = recorder_start(&job->recorder, path, NULL,
					job->args->block, job->collect.device);
		if (status)
			return status;
		if (ioctl(job->collect.device, PCINSPECT_IOC_RUN, &run)) {
			complain(NULL, errno == EBUSY ?
				 "a pcinspect run is under way (wait for it; there is one at a time)" :
				 "cannot begin a run: %s", strerror(errno));
			return EXIT_FAILED;
		}
		if (run_list(&job->old, PCINSPECT_LIST_DETAIL | PCINSPECT_LIST_LEDGERS) ||
		    prepare_command(job, mask))
			return EXIT_FAILED;
	} else {
		status = recorder_start(&job->recorder, path, &job->report,
					job->args->block, job->collect.device);
		if (status)
			return status;
		renew(job);
	}
	begun = clock_now_ns();
	if (!by_task && recorder_state(&job->recorder, &job->report))
		goto no_state;
	tell_begun(job, path);
	record(job);
	if (by_task && touched(job, &run, begun))
		return EXIT_FAILED;
	if (!by_task) {
		renew(job);
		collect_names(&job->collect);
	}
	if (recorder_state(&job->recorder, &job->report))
		goto no_state;
	status = recorder_stop(&job->recorder);
	if (status) {
		if (job->recorder.ended)
			return status;
		complain(path, "trace-cmd could not finish the recording (is the disk full?)");
		return status;
	}
	tell(job, path, begun);
	return 0;
no_state:
	complain(path, "the state could not be put into the trace: %s", strerror(errno));
	return EXIT_FAILED;
}

/**
 * cmd_record() - pcinspect record [-o FILE] [PATH…] [-- CMD…]
 * @args: options, paths and the command
 *
 * Return: the exit status: that of CMD, if there is one and all else went well.
 */
int cmd_record(const struct args *args)
{
	const char *path = args->file ?: "trace.dat";
	struct job job = { .args = args, .path = path, .argv = args->argv, .go = -1 };
	struct stat st;
	bool created;
	sigset_t mask;
	int status;

	if (!args->what.nr_paths && !args->argv) {
		complain(NULL, "record: no PATH and no CMD given (pcinspect record PATH… or pcinspect record -- CMD…)");
		return EXIT_USAGE;
	}
	if (!collect_start(&job.collect, &job.report))
		return EXIT_FAILED;
	if (!collect_start(&job.old, &job.was)) {
		collect_free(&job.collect);
		return EXIT_FAILED;
	}
	losses_read(&job.was, job.collect.device);
	if (!writable(path, &created)) {
		collect_free(&job.old);
		collect_free(&job.collect);
		return EXIT_FAILED;
	}
	job.signals = catch_signals(&mask);
	job.recorder.marker = job.recorder.hold = -1;
	job.status = follow_start(&job.follow, &job.collect, args->what.paths, args->what.nr_paths);
	if (args->what.nr_paths && !job.report.nr_files) {
		status = job.status;
		goto out;
	}
	status = work(&job, path, &mask);
	recorder_stop(&job.recorder);
	end_command(&job);
	if (!status && args->out.json && report_json_write(&job.report, stdout))
		status = EXIT_FAILED;
	if (!status && args->out.report && report_json_save(&job.report, args->out.report))
		status = EXIT_FAILED;
out:
	/* No recording, no file: an empty one is no trace. */
	if (created && !stat(path, &st) && !st.st_size)
		unlink(path);
	close(job.signals);
	collect_free(&job.old);
	collect_free(&job.collect);
	return status ?: job.status;
}
