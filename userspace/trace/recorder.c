// SPDX-License-Identifier: GPL-2.0-only
/*
 * recorder.c - trace-cmd at work in an ftrace instance of ours.
 *
 * The file's format is trace-cmd's business, so trace-cmd writes it. It runs a
 * command of ours, which says when tracing is on and ends when we close a pipe:
 * no guessing, no signals, and the file is finished however we end. The instance
 * is made here, because trace-cmd keeps one that it finds, and removed here.
 *
 * Touches tracefs: the instance named pcinspect-PID; the recording's file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tracefs.h>

#include "lib/complain.h"
#include "lib/escape.h"
#include "trace/inode_events.h"
#include "trace/instances.h"
#include "trace/recorder.h"
#include "trace/state.h"

#define BUFFER_KB	4096	/* the kernel's, for each CPU */
#define BUFFERS_KB	262144	/* and for all of them */
#define PACE_US		2000	/* between two looks at how full it is */
#define PACE_TURNS	5000	/* such looks */

/* The command line of trace-cmd. */
struct arguments {
	char **list;
	size_t nr;
};

/* Add those up to a NULL. */
static void add_word(struct arguments *to, ...)
{
	const char *text;
	va_list args;

	va_start(args, to);
	while ((text = va_arg(args, const char *))) {
		to->list = reallocarray(to->list, to->nr + 2, sizeof(*to->list));
		if (!to->list)
			exit(EXIT_FAILED);
		to->list[to->nr++] = strdup(text);
		to->list[to->nr] = NULL;
	}
	va_end(args);
}

static void arguments_free(struct arguments *arguments)
{
	while (arguments->nr)
		free(arguments->list[--arguments->nr]);
	free(arguments->list);
}

static void add_event(struct arguments *to, const struct tep_event *event, const char *filter)
{
	char name[128];

	snprintf(name, sizeof(name), "%s:%s", event->system, event->name);
	add_word(to, "-e", name, filter ? "-f" : NULL, filter, NULL);
}

/* The whole disk that a partition is on, as block events have it; 0: unknown. */
static uint32_t disk_of(const struct file *file)
{
	unsigned int major = file->snap.dev_major, minor = file->snap.dev_minor;
	char path[80];
	FILE *from;

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/partition", major, minor);
	if (!access(path, F_OK))
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/../dev", major, minor);
	else
		snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/dev", major, minor);
	from = fopen(path, "re");
	if (!from)
		return 0;
	if (fscanf(from, "%u:%u", &major, &minor) != 2)
		major = minor = 0;
	fclose(from);
	return major << 20 | minor;
}

/* Block requests have no inode: those of the files' disks, or all. */
static void add_block_events(struct arguments *to, struct tep_handle *tep,
			     const struct report *report)
{
	char *filter = NULL;
	struct tep_event *event;
	size_t len, i, j;
	FILE *stream = open_memstream(&filter, &len);
	int n;

	for (i = 0; stream && report && i < report->nr_files; i++) {
		uint32_t disk = disk_of(&report->files[i]);

		for (j = 0; j < i && disk_of(&report->files[j]) != disk; j++)
			;
		if (j < i)
			continue;
		fprintf(stream, "%sdev == %u", i ? " || " : "", disk);
		if (!disk || ftello(stream) > 4000)
			break;
	}
	/* Some file is on no disk we know of: then nothing is left out. */
	if (!stream || fclose(stream) || !report || i < report->nr_files || !len) {
		free(filter);
		filter = NULL;
	}
	for (n = 0; (event = tep_get_event(tep, n)); n++)
		if (!strcmp(event->system, "block") && tep_find_field(event, "dev"))
			add_event(to, event, filter);
	free(filter);
}

/* Which events, of which inodes; without a report: all inodes. */
static int choose_events(struct arguments *to, const struct report *report, bool block)
{
	const char *systems[] = { "filemap", "writeback", "pcinspect", "block", NULL };
	struct tep_handle *tep = tracefs_local_events_system(NULL, systems);
	struct tep_event *event;
	int i, s;

	if (!tep)
		return -1;
	for (i = 0; (event = tep_get_event(tep, i)); i++) {
		struct inode_event kind;
		char *filter;

		for (s = 0; event_systems[s]; s++)
			if (!strcmp(event->system, event_systems[s]))
				break;
		if (!event_systems[s] || !inode_event(event, &kind))
			continue;
		filter = report ? inode_event_filter(&kind, report) : NULL;
		if (!filter || *filter)
			add_event(to, event, filter);
		free(filter);
	}
	if (block)
		add_block_events(to, tep, report);
	tep_free(tep);
	return 0;
}

/* The complaint of trace-cmd, in a line. */
static void complain_tracecmd(const struct recorder *recorder, const char *path)
{
	char text[512] = "", *line, *end;
	ssize_t n = pread(recorder->log, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	for (end = text + strlen(text); end > text && strchr(" \n", end[-1]); end--)
		end[-1] = '\0';
	line = strrchr(text, '\n');
	complain(path, "trace-cmd could not record: %s",
		 line ? line + 1 : *text ? text : "without a word");
}

/*
 * Becomes trace-cmd. The shell's files have fixed numbers of one digit, which is
 * all that some shells take, whatever else our caller has left open. The device
 * stays open as long as trace-cmd is there, even if we are killed: our records go,
 * and probes with them, when the last has closed it, and trace-cmd gives up if
 * /proc/kallsyms changes while it reads it (3.1.6, read_proc_kallsyms()).
 */
static void run_tracecmd(struct arguments *arguments, int ready, int hold, int log, int device)
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	/* Ctrl-C is for us; if we die, the pipe ends it. */
	setpgid(0, 0);
	fcntl(device, F_DUPFD, 10);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, 0);
	dup2(log, 1);
	dup2(log, 2);
	dup2(fcntl(ready, F_DUPFD_CLOEXEC, 10), 3);
	dup2(fcntl(hold, F_DUPFD_CLOEXEC, 10), 4);
	add_word(arguments, "sh", "-c", "echo >&3; exec cat <&4 >/dev/null", NULL);
	execvp(arguments->list[0], arguments->list);
	_exit(errno == ENOENT ? 127 : 126);
}

/* Have our own events only. */
static int only_us(struct tracefs_instance *instance)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", getpid());
	return tracefs_instance_file_write(instance, "set_event_pid", pid) < 0 ? -1 : 0;
}

static int start(struct recorder *recorder, struct arguments *arguments)
{
	int ready[2], hold[2];
	char byte;
	ssize_t n;

	/* Nobody but us may keep them open. */
	if (pipe2(ready, O_CLOEXEC))
		return -1;
	if (pipe2(hold, O_CLOEXEC)) {
		close(ready[0]);
		close(ready[1]);
		return -1;
	}
	recorder->hold = hold[1];
	recorder->pid = fork();
	if (!recorder->pid)
		run_tracecmd(arguments, ready[1], hold[0], recorder->log, recorder->device);
	close(ready[1]);
	close(hold[0]);
	do {
		n = recorder->pid < 0 ? 0 : read(ready[0], &byte, 1);
	} while (n < 0 && errno == EINTR);
	close(ready[0]);
	return n == 1 ? 0 : -1;
}

/**
 * recorder_start() - begin to record
 * @recorder: filled in; to be stopped even after an error
 * @path: the recording, replaced
 * @report: whose events; NULL: of all inodes, but only those that we and the
 *	children that we have from now on make
 * @block: block requests as well
 * @device: which holds the files
 *
 * Complains by itself. On return tracing is on.
 *
 * Return: 0 or an exit status.
 */
int recorder_start(struct recorder *recorder, const char *path,
		   const struct report *report, bool block,
		   int device)
{
	struct arguments arguments = {};
	int status = EXIT_FAILED;
	char name[32], kb[24];

	memset(recorder, 0, sizeof(*recorder));
	recorder->hold = recorder->marker = -1;
	recorder->device = device;
	recorder->log = memfd_create("trace-cmd", MFD_CLOEXEC);
	recorder->instance = instance_create();
	if (!recorder->instance || (!report && only_us(recorder->instance))) {
		complain(NULL, "tracefs gives no instance (mount -t tracefs tracefs /sys/kernel/tracing)");
		return EXIT_FAILED;
	}
	instance_name(name, sizeof(name));
	recorder->buffer_kb = instance_kb(BUFFER_KB, BUFFERS_KB);
	snprintf(kb, sizeof(kb), "%zu", recorder->buffer_kb);
	add_word(&arguments, "trace-cmd", "record", "-q", "-o", path, "-B", name, "-C", "mono",
		 "-b", kb, NULL);
	if (choose_events(&arguments, report, block)) {
		complain(NULL, "the events' formats cannot be read");
		goto out;
	}
	if (start(recorder, &arguments)) {
		status = recorder_stop(recorder);
		if (status != EXIT_UNSUPPORTED) {
			complain_tracecmd(recorder, path);
			status = EXIT_FAILED;
		}
		goto out;
	}
	recorder->marker = tracefs_instance_file_open(recorder->instance,
						      "trace_marker_raw",
						      O_WRONLY | O_CLOEXEC);
	/* Not before: trace-cmd itself is a child. */
	if (report || !tracefs_option_enable(recorder->instance,
					     TRACEFS_OPTION_EVENT_FORK))
		status = 0;
out:
	arguments_free(&arguments);
	return status;
}

/*
 * A state in the buffer must not push out events that trace-cmd has not yet
 * read: after a quarter of the buffer, wait until there is room for another. (It
 * is woken when the buffer is half full, buffer_percent in tracefs.) A trace-cmd
 * that takes nothing is not waited for.
 */
static void pace(void *context, size_t bytes)
{
	struct recorder *recorder = context;
	size_t eighth = recorder->buffer_kb * 1024 / 8;
	int cpu, nr = sysconf(_SC_NPROCESSORS_CONF), turns;

	recorder->unread_bytes += bytes;
	if (recorder->unread_bytes < 2 * eighth)
		return;
	for (turns = 0; turns < PACE_TURNS; turns++) {
		for (cpu = 0; cpu < nr; cpu++)
			if (instance_stat(recorder->instance, cpu, "bytes") > 5 * eighth)
				break;
		if (cpu == nr)
			break;
		usleep(PACE_US);
	}
	recorder->unread_bytes = 0;
}

/* A text of the recording: the kernel has no room for a longer one. */
#define TEXT_BYTES 1000

/*
 * The paths of files that have none in it yet, as text, for who does not know states
 * (plugins/kernelshark).
 */
static void mark_paths(struct recorder *recorder, const struct report *report)
{
	int fd;

	if (recorder->named >= report->nr_files)
		return;
	fd = tracefs_instance_file_open(recorder->instance, "trace_marker", O_WRONLY | O_CLOEXEC);
	for (; fd >= 0 && recorder->named < report->nr_files; recorder->named++) {
		const struct file *file = &report->files[recorder->named];
		char *shown = file->path ? escape_path(file->path) : NULL;

		if (shown)
			dprintf(fd, "pcinspect file %u:%u %ju %u %.*s", file->snap.dev_major,
				file->snap.dev_minor, (uintmax_t)file->snap.ino,
				file->snap.i_generation, TEXT_BYTES, shown);
		free(shown);
		pace(recorder, TEXT_BYTES);
	}
	if (fd >= 0)
		close(fd);
}

/* Put a state into the recording. Returns 0, or -1 with errno set. */
int recorder_state(struct recorder *recorder, const struct report *report)
{
	mark_paths(recorder, report);
	return state_write(recorder->marker, report, &recorder->serial, pace, recorder);
}

/**
 * recorder_ended() - has trace-cmd ended by itself
 * @recorder: under way
 * @path: the recording, to complain of
 *
 * Return: true if it has: nothing more is recorded.
 */
bool recorder_ended(struct recorder *recorder, const char *path)
{
	int status;

	if (recorder->pid <= 0 || waitpid(recorder->pid, &status, WNOHANG) != recorder->pid)
		return false;
	recorder->pid = 0;
	recorder->ended = true;
	complain_tracecmd(recorder, path);
	return true;
}

/**
 * recorder_stop() - end a recording; the file is whole afterwards
 * @recorder: may be stopped again
 *
 * Return: 0, or an exit status: trace-cmd is missing or failed.
 */
int recorder_stop(struct recorder *recorder)
{
	int status = recorder->ended ? EXIT_FAILED : 0;

	if (recorder->marker >= 0)
		close(recorder->marker);
	if (recorder->hold >= 0)
		close(recorder->hold);
	recorder->marker = recorder->hold = -1;
	if (recorder->pid > 0)
		while (waitpid(recorder->pid, &status, 0) < 0 && errno == EINTR)
			;
	if (recorder->pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		complain(NULL, "trace-cmd is not there (install the package trace-cmd)");
		status = EXIT_UNSUPPORTED;
	} else if (recorder->pid > 0 && status) {
		status = EXIT_FAILED;
	}
	recorder->pid = 0;
	instance_destroy(recorder->instance);
	recorder->instance = NULL;
	return status;
}
