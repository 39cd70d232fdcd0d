// SPDX-License-Identifier: GPL-2.0-only
/*
 * views.c - pcinspect stat, reads, readahead, dirty, fsync, and explain PATH…: the views of
 * a report. Each is a row here, and so a command of its own and a word of report --view.
 * Touches stdout.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "cmd/views.h"
#include "collect/device.h"
#include "collect/idle_files.h"
#include "collect/paths.h"
#include "explain/explain.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/ticks.h"
#include "view/columns.h"
#include "view/report_table.h"
#include "view/sheet.h"
#include "view/text.h"

/*
 * struct view - one view, and the command of its name
 * @name: of both
 * @summary: one line
 * @takes: options of the command
 * @columns: of a table of files, "": the default ones, NULL: no table
 * @untracked: it tells something of untracked files, too
 * @audit: the audit as well, if there is no table that brings it
 * @explain: verdicts are wanted
 * @fields: of its table, which @print prints; NULL: the table has files
 * @print: what follows the table, or NULL; returns 0, or -1 if it could not be written
 * @run: the command, NULL: cmd_view()
 */
static const struct view {
	const char *name;
	const char *summary;
	unsigned int takes;
	const char *columns;
	bool untracked;
	bool audit;
	bool explain;
	const struct fields *fields;
	int (*print)(const struct report *report, const struct output *out);
	int (*run)(const struct args *args);
} views[] = {
	{ "stat", "Show the LRU state of files, now.",
	  TAKES_COLUMNS | TAKES_TREE, .columns = "", .untracked = true },
	{ "reads", "Show why the pages of tracked files were read.",
	  TAKES_COLUMNS | TAKES_TREE | TAKES_FOR, .columns = VIEW_READS_COLUMNS,
	  .print = view_tasks },
	{ "readahead", "Show the readahead windows of tracked files.",
	  TAKES_COLUMNS | TAKES_FOR, .audit = true, .fields = &window_fields, .print = view_windows },
	{ "dirty", "Show how old the dirty pages of tracked files are.",
	  TAKES_COLUMNS | TAKES_TREE | TAKES_FOR,
	  .columns = "DIRTY,OLDEST,UNKNOWN_AGE,WRITEBACK,WRITTEN,WRITE_BYTES,DEVICE_WRITE,WRITE_AMPL,CACHED,PATH",
	  .print = view_writes },
	{ "fsync", "Show the fsync calls on tracked files.", TAKES_FOR, .audit = true,
	  .print = view_fsyncs },
	{ "explain", "Say in words what is wrong: with the machine, a cgroup, tracked files.",
	  TAKES_TREE | TAKES_DOMAINS | TAKES_FOR, .explain = true,
	  .print = view_verdicts, .run = cmd_explain },
};

#define NR_VIEWS (sizeof(views) / sizeof(*views))

/**
 * view_name() - the views, one after the other
 * @i: 0, 1…
 *
 * Return: its name, NULL behind the last.
 */
const char *view_name(size_t i)
{
	return i < NR_VIEWS ? views[i].name : NULL;
}

static const struct view *find_view(const char *name)
{
	size_t i;

	for (i = 0; i < NR_VIEWS && strcmp(views[i].name, name); i++)
		;
	return i < NR_VIEWS ? &views[i] : NULL;
}

/* Does a view have a table, and so columns and CSV? */
bool view_has_table(const char *name)
{
	const struct view *view = find_view(name);

	return view && (view->columns || view->fields);
}

/*
 * struct stream - a descent, or a list of files, of which each is printed, or only added
 *	up, as it comes
 * @args: how
 * @report: whose heads and ends are printed
 * @out: JSON, on stdout or in a file
 * @rows: with --csv, that were printed
 * @table: with neither --csv nor --json
 */
struct stream {
	const struct args *args;
	const struct report *report;
	struct delivery out;
	size_t rows;
	struct table table;
};

/*
 * A tracked file names its evictors, which may be files that are still to come; of a list
 * those behind it wait for it.
 */
static enum streamed_file tell(void *to, const struct file *file)
{
	struct stream *stream = to;
	const struct args *args = stream->args;
	size_t shown = args->out.csv ? stream->rows : stream->table.grid.rows.nr;
	bool room = !args->out.limit || shown < args->out.limit;
	bool ordered = args->out.json || args->out.csv || args->out.report;

	if (!args->out.json && !args->out.csv && room)
		table_file(&stream->table, file);
	if (file->who || (ordered && !args->what.recursive && stream->report->nr_files > 1))
		return STREAM_KEEP;
	delivery_file(&stream->out, file);
	if (args->out.csv && room && !output_failed())
		table_csv_row(&stream->table, file, !stream->rows++);
	return delivery_wanted(&stream->out) ? STREAM_FORGET : STREAM_STOP;
}

/*
 * A million files in the memory of a few: what nobody needs to the end is not kept. Of a
 * table the widths of columns are only known then, so its cells are.
 */
static void stream_begin(struct stream *stream, struct collect *collect, const struct args *args)
{
	*stream = (struct stream){ .args = args, .report = collect->report };
	if (!args->what.recursive && !args->from)
		return;
	table_begin(&stream->table, collect->report, &args->out);
	collect->stream = tell;
	collect->stream_to = stream;
	delivery_begin(&stream->out, collect->report, args);
}

/* The rest to print. Returns the exit status. */
static int stream_end(struct stream *stream, struct report *report, int status)
{
	struct args rest = *stream->args;
	int failed = 0;

	status = delivery_save(&stream->out, status);
	if (rest.out.csv && rest.out.limit)
		rest.out.limit -= stream->rows;
	rest.out.noheadings |= stream->rows > 0;
	if (rest.out.json)
		status = delivery_end(&stream->out, status);
	else if (!rest.out.csv)
		failed = table_end(&stream->table);
	else
		failed = rest.out.limit || !stream->args->out.limit ? table_csv(report, &rest.out) : 0;
	rest.out.noheadings = stream->args->out.noheadings;
	if (failed || output_failed())
		return EXIT_FAILED;
	table_audit_print(report, &rest.out);
	return status;
}

/* Track one file for as long as the collection is open. */
static void track_while_open(struct collect *collect, const char *place, const char *name,
			     bool directory)
{
	struct pcinspect_snapshot now = {};
	struct pcinspect_query query = {
		.size = sizeof(query), .buffer = (uintptr_t)&now, .buffer_size = sizeof(now),
	};

	if (directory || collect->stop)
		return;
	query.fd = collect_open_inode(place, collect->what->recursive ? O_NOFOLLOW : 0);
	if (query.fd < 0)
		return;
	if (ioctl(collect->device, PCINSPECT_IOC_HOLD, &query)) {
		complain(name, "%s", device_error_text(errno, query.refusal));
		collect->stop = query.refusal == PCINSPECT_REFUSE_LIMIT;
	}
	close(query.fd);
}

/* With --for: track the files that are not, and wait. Errors of open(2) are printed later. */
static void track_for(struct collect *collect, const struct args *args)
{
	struct ticks ticks;
	size_t i;

	/* Ctrl-C ends the wait, not the report. */
	ticks_catch();
	collect->what = &args->what;
	for (i = 0; i < args->what.nr_paths; i++) {
		if (args->what.recursive)
			collect_tree(collect, args->what.paths[i], args->what.reach, track_while_open);
		else
			track_while_open(collect, args->what.paths[i], args->what.paths[i], false);
	}
	collect->stop = false;
	collect->failed = 0;
	collect->ok = 0;
	inode_set_forget(&collect->seen);
	ticks_start(&ticks, args->pace.duration, args->pace.duration);
	ticks_wait(&ticks);
}

/**
 * cmd_view() - pcinspect stat|reads|readahead|dirty|fsync|explain PATH…
 * @args: options and paths, and which view
 *
 * Return: the exit status.
 */
int cmd_view(const struct args *args)
{
	const struct view *view = find_view(args->view);
	struct collect collect;
	struct stream stream;
	struct report report;
	size_t without = 0;
	int status;

	/* Of files that are not tracked the kernel itself knows something. */
	if (!(view->untracked ? collect_start_without : collect_start)(&collect, &report))
		return EXIT_FAILED;
	if (args->pace.duration > 0)
		track_for(&collect, args);
	if (view->untracked)
		stream_begin(&stream, &collect, args);
	status = collect_paths(&collect, &args->what);
	if (!view->untracked)
		without = view_untracked(&report);
	if (view->explain)
		idle_files_tracked(&collect);
	if (collect.stream)
		status = stream_end(&stream, &report, status);
	else
		status = view_print(view->name, &report, args, status);
	if (!view->untracked) {
		view_losses(&report, stderr);
		view_gaps(&report);
	}
	collect_free(&collect);
	/* A file that was asked for has no answer. */
	return status ?: without ? EXIT_FAILED : 0;
}

/**
 * view_command() - the command of a view
 * @i: 0, 1…
 * @command: filled in
 *
 * Return: false behind the last.
 */
bool view_command(size_t i, struct command *command)
{
	if (i >= NR_VIEWS)
		return false;
	*command = (struct command){
		.name = views[i].name, .operands = views[i].run ? "[PATH…]" : "PATH…",
		.summary = views[i].summary,
		.takes = views[i].takes | TAKES_LIST | TAKES_LIMIT,
		/* Without a PATH explain is about the machine. */
		.min_paths = !views[i].run, .view = views[i].name,
		.run = views[i].run ?: cmd_view,
	};
	return true;
}

/**
 * view_check() - is --output usable for a view
 * @name: which, NULL: a command's own table
 * @list: its argument; "help" lists the columns
 *
 * Return: -1 to go on, else the exit status.
 */
int view_check(const char *name, const char *list)
{
	const struct view *view = name ? find_view(name) : NULL;

	return view && view->fields ? sheet_check(view->fields, list) : columns_check(list);
}

/* The fields of the rows of a view's table; NULL: these are files. */
const struct fields *view_fields(const char *name)
{
	const struct view *view = name ? find_view(name) : NULL;

	return view ? view->fields : NULL;
}

/**
 * view_print() - print one view of a report as the user asked
 * @name: which
 * @report: of which
 * @args: how
 * @status: exit status so far
 *
 * Return: @status, or EXIT_FAILED if it could not be written.
 */
int view_print(const char *name, struct report *report,
	       const struct args *args, int status)
{
	const struct view *view = find_view(name);
	struct args with = *args;

	if (view->explain)
		explain(report);
	if (args->out.json)
		return deliver_report(report, args, status);
	with.out.table = view->columns && *view->columns ? view->columns : NULL;
	if (view->columns)
		status = deliver_report(report, &with, status);
	else
		status = deliver_saved(report, args, status);
	if (!output_failed() && view->print && (!args->out.csv || view->fields))
		view->print(report, &args->out);
	if (output_failed())
		return EXIT_FAILED;
	if (view->columns)
		return status;
	with.out.noheadings |= !view->audit;
	table_audit_print(report, &with.out);
	return status;
}
