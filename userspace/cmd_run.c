// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_run.c - pcinspect run: what a command and its children did to the page
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
#include <sys/wait.h>
#include <unistd.h>

#include "collect.h"
#include "device.h"
#include "disks.h"
#include "output.h"
#include "report_json.h"
#include "run_audit.h"
#include "table.h"
#include "view.h"

/* The two moments; too large for the stack. */
static struct pcinspect_disks before, after;

/* Find the filesystems of --mount. Returns 0 or an exit status. */
static int find_mounts(const struct pcinspect_collect *collect,
		       const struct pcinspect_args *args,
		       struct pcinspect_run *run)
{
	size_t i;

	for (i = 0; i < args->nr_mounts; i++) {
		const struct pcinspect_mount *mount;

		mount = pcinspect_mounts_find(&collect->mounts, args->mounts[i]);
		if (!mount) {
			pcinspect_complain(args->mounts[i], "is not a mount point (see findmnt)");
			return EXIT_FAILED;
		}
		/* as the kernel's MKDEV() */
		run->mounts[run->nr_mounts++] = mount->major << 20 | mount->minor;
	}
	return 0;
}

/* Start CMD and wait for it; its status as a shell has it. */
static int run_command(char **argv)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
	int status;
	pid_t pid;

	/* Ctrl-C is for CMD; the report is still wanted. */
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
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Did anything happen to this file? */
static bool changed(const struct pcinspect_file *file)
{
	const struct pcinspect_reads *r = file->reads;
	const struct pcinspect_writes *w = file->writes;

	return pcinspect_file_inserted(file) || pcinspect_file_removed(file) ||
	       r->demanded_bytes || r->faults || r->device_bytes ||
	       r->direct_read_bytes || r->direct_write_bytes ||
	       (w && (w->write_bytes || w->dirtied_pages || w->written_pages ||
		      w->device_write_bytes || w->nr_fsyncs));
}

static bool wanted(const struct pcinspect_file *file,
		   const struct pcinspect_run *run)
{
	uint32_t dev = file->snap.dev_major << 20 | file->snap.dev_minor;
	unsigned int i;

	if (!file->reads)
		return false;
	if (!run->nr_mounts)
		return file->snap.flags & PCINSPECT_F_TOUCHED && changed(file);
	for (i = 0; i < run->nr_mounts; i++)
		if (run->mounts[i] == dev)
			return changed(file);
	return false;
}

/* Keep the files of the run; the others lend their names. Returns the bytes of all. */
static uint64_t sort_out(struct pcinspect_report *report,
			 const struct pcinspect_run *run)
{
	uint64_t bytes = 0;
	size_t i, n = 0;

	for (i = 0; i < report->nr_files; i++) {
		struct pcinspect_file *file = &report->files[i];

		if (file->reads)
			bytes += file->reads->device_bytes;
		if (wanted(file, run))
			report->files[n++] = *file;
		else
			*pcinspect_report_add_name(report) = *file;
	}
	report->nr_files = n;
	return bytes;
}

/* What hurt most first: bytes from the device, then asked for, then pages. */
static int compare(const void *a, const void *b)
{
	const struct pcinspect_file *x = a, *y = b;
	uint64_t p, q;

	if (x->reads->device_bytes != y->reads->device_bytes)
		return x->reads->device_bytes < y->reads->device_bytes ? 1 : -1;
	if (x->reads->demanded_bytes != y->reads->demanded_bytes)
		return x->reads->demanded_bytes < y->reads->demanded_bytes ? 1 : -1;
	p = pcinspect_file_inserted(x);
	q = pcinspect_file_inserted(y);
	return p == q ? 0 : p < q ? 1 : -1;
}

static int list(struct pcinspect_collect *collect, uint32_t flags)
{
	struct pcinspect_list query = { .flags = flags };
	void *rows;

	if (pcinspect_device_list(collect->device, PCINSPECT_IOC_LIST, &query,
				  &rows)) {
		pcinspect_complain(NULL, "cannot list the records: %s",
				   strerror(errno));
		return -1;
	}
	pcinspect_collect_rows(collect, rows, query.count);
	collect->report->skipped += query.skipped;
	free(rows);
	return 0;
}

static int show(struct pcinspect_collect *collect,
		const struct pcinspect_args *args)
{
	struct pcinspect_report *report = collect->report;
	struct pcinspect_args table = *args;
	size_t all = report->nr_files;
	int status = 0;

	/* CMD's own output is on stdout: keep apart from it. */
	if (!args->json) {
		fflush(stdout);
		if (args->limit && report->nr_files > args->limit)
			report->nr_files = args->limit;
		table.report = NULL;
	}
	status = pcinspect_output(report, &table, 0);
	report->nr_files = all;
	if (!args->json) {
		pcinspect_view_devices(report, args);
		pcinspect_view_people(report, args);
		if (args->report && pcinspect_json_save(report, args->report))
			status = EXIT_FAILED;
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
	if (list(&old, 0)) {
		status = EXIT_FAILED;
		goto out;
	}
	if (ioctl(collect.device, PCINSPECT_IOC_RUN, &run)) {
		pcinspect_complain(NULL, errno == EBUSY ?
				   "another pcinspect run is under way (wait for it; there is one at a time)" :
				   "cannot begin a run: %s", strerror(errno));
		status = EXIT_FAILED;
		goto out;
	}
	pcinspect_disks_settle();
	pcinspect_disks_read(&before, collect.device);
	begun = pcinspect_now_ns();

	status = run_command(args->paths);

	report.interval_ns = pcinspect_now_ns() - begun;
	pcinspect_disks_settle();
	if (pcinspect_disks_read(&after, collect.device) ||
	    list(&collect, PCINSPECT_LIST_DETAIL)) {
		status = status ?: EXIT_FAILED;
		goto out;
	}
	report.time_ns = pcinspect_now_ns();
	report.explain = args->explain;
	listed = sort_out(&report, &run);
	qsort(report.files, report.nr_files, sizeof(*report.files), compare);
	pcinspect_run_subtract_gone(&report, &was);
	pcinspect_disks_report(&report, &before, &after);
	pcinspect_run_audit(&report, listed, &before, &after);
	pcinspect_audit_report(&report, NULL);
	pcinspect_losses_read(&report, collect.device);
	shown = show(&collect, args);
	status = status ?: shown;
out:
	pcinspect_collect_free(&old);
	pcinspect_collect_free(&collect);
	return status;
}
