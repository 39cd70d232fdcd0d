// SPDX-License-Identifier: GPL-2.0-only
/*
 * recording.c - a trace.dat as a report, by libtracecmd.
 *
 * Twice through the file: once for the states (state.h), of which the last is
 * the report; once for the events, which are counted by kind and file and held
 * against what the states say happened between the first and the last. A third time
 * where a state in the middle is wanted.
 *
 * Touches the file; no module, no tracefs.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <trace-cmd.h>

#include "collect/audit.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "trace/counter.h"
#include "trace/inode_events.h"
#include "trace/recording.h"
#include "trace/state.h"
#include "trace/timeline.h"

#define MAX_KINDS 128

/* Pages that one file's events say were inserted, as far as they matter. */
struct inserted {
	uint64_t certain;
	uint64_t possible;
};

/*
 * struct pass - one way through the file
 * @states: first pass: where markers go
 * @report: second pass: the last state
 * @first: the state it is compared with, no files: none
 * @index: finds the files of @report
 * @kinds: kinds of events met
 * @names: what the counter calls them
 * @nr_kinds: how many
 * @counter: of @report's events
 * @sums: by file
 * @print: say each event of a file
 * @timeline: gets them, or NULL
 * @since_ns: events before that are left out
 * @until_ns: and those after it
 * @over: go no further
 */
struct pass {
	struct state_reader *states;
	struct report *report;
	struct report first;
	struct inode_index index;
	struct inode_event kinds[MAX_KINDS];
	int names[MAX_KINDS];
	size_t nr_kinds;
	struct counter counter;
	struct inserted *sums;
	bool print;
	struct timeline *timeline;
	uint64_t since_ns;
	uint64_t until_ns;
	bool over;
};

typedef int (*handler)(struct tracecmd_input *input, struct tep_record *record, int cpu,
		       void *context);

/*
 * libtracecmd and libtraceevent trust the file, and read or write where they may not
 * if somebody has tampered with it (libtraceevent 1.7, tep_parse_printk_formats(),
 * kbuffer_load_subbuffer()). That is the end, but not one without a word.
 */
static char damaged[512];

static void fault(int sig)
{
	ssize_t n = write(STDERR_FILENO, damaged, strlen(damaged));

	(void)sig;
	(void)n;
	_exit(EXIT_FAILED);
}

static void faults_are(void (*handle)(int sig), const char *path)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGABRT };
	char *name = escape_path(path);
	size_t i;

	snprintf(damaged, sizeof(damaged), "pcinspect: %.400s: is damaged: the trace libraries failed on it\n",
		 name);
	free(name);
	for (i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		signal(faults[i], handle);
}

/* Every record of the file, of the main buffer and of instances. */
static int each_record(const char *path, handler handle, struct pass *pass)
{
	struct tracecmd_input *input, *instance;
	int i;

	tracecmd_set_loglevel(TEP_LOG_CRITICAL);
	errno = 0;
	input = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!input) {
		complain(path, "%s", errno && errno != EINVAL && errno != ENOTTY ?
				   open_error_text(errno) :
				   "is not a trace.dat (pcinspect record or trace-cmd record makes one)");
		return -1;
	}
	tracecmd_iterate_events(input, NULL, 0, handle, pass);
	for (i = 0; i < tracecmd_buffer_instances(input) && !pass->over; i++) {
		instance = tracecmd_buffer_instance_handle(input, i);
		if (!instance)
			continue;
		pass->nr_kinds = 0; /* each has its own formats */
		tracecmd_iterate_events(instance, NULL, 0, handle, pass);
		tracecmd_close(instance);
	}
	tracecmd_close(input);
	return 0;
}

/* The same, and what goes wrong with it is said. */
static int each(const char *path, handler handle, struct pass *pass)
{
	int result;

	faults_are(fault, path);
	result = each_record(path, handle, pass);
	faults_are(SIG_DFL, path);
	return result;
}

static int take_state(struct tracecmd_input *input, struct tep_record *record, int cpu,
		      void *context)
{
	struct pass *pass = context;
	struct tep_handle *tep = tracecmd_get_tep(input);
	struct tep_event *event = tep_find_event_by_record(tep, record);
	struct tep_format_field *id;

	(void)cpu;
	if (!event || strcmp(event->name, "raw_data"))
		return 0;
	id = tep_find_field(event, "id");
	if (id && event_field_within(id, record->size))
		state_reader_take(pass->states, (char *)record->data + id->offset,
				  record->size - id->offset);
	return 0;
}

/* How this file's formats name the inode of such an event; NULL: they do not. */
static const struct inode_event *kind_of(struct pass *pass, struct tep_event *event)
{
	struct inode_event *kind;
	size_t i;

	for (i = 0; i < pass->nr_kinds; i++)
		if (pass->kinds[i].event == event)
			return pass->kinds[i].ino ? &pass->kinds[i] : NULL;
	if (pass->nr_kinds == MAX_KINDS)
		return NULL;
	/* The author of the recording chose them. */
	escape_mask(event->system);
	escape_mask(event->name);
	pass->names[pass->nr_kinds] = counter_name(&pass->counter, event->system, event->name);
	kind = &pass->kinds[pass->nr_kinds++];
	if (inode_event(event, kind))
		return kind;
	kind->event = event;
	kind->ino = NULL;
	return NULL;
}

/* The first and the last state must agree with these. */
static void sum(struct pass *pass, struct tep_event *event, struct tep_record *record,
		size_t file)
{
	const struct file *was, *is = &pass->report->files[file];
	struct tep_format_field *field = tep_find_field(event, "order");
	unsigned long long order = 0;

	if (strcmp(event->name, "mm_filemap_add_to_page_cache") ||
	    file >= pass->first.nr_files)
		return;
	was = &pass->first.files[file];
	if (field && event_field_within(field, record->size))
		tep_read_number_field(field, record->data, &order);
	if (order >= 64)
		return;
	if (record->ts > was->after_ns && record->ts < is->before_ns)
		pass->sums[file].certain += 1ULL << order;
	if (record->ts > was->before_ns && record->ts < is->after_ns)
		pass->sums[file].possible += 1ULL << order;
}

static void print_event(const struct report *report, struct tep_handle *tep,
			struct tep_record *record, struct tep_event *event)
{
	uint64_t wall_ns = report_wall(report, record->ts);
	char wall[WALL_TEXT] = "?";
	int pid = tep_data_pid(tep, record);
	char *comm = escape_path(tep_data_comm_from_pid(tep, pid));
	struct trace_seq seq;

	trace_seq_init(&seq);
	trace_seq_printf(&seq, "%s:%s ", event->system, event->name);
	tep_print_event(tep, &seq, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	escape_mask(seq.buffer);
	if (wall_ns)
		wall_time_of_day(wall, sizeof(wall), wall_ns);
	printf("%.6f %s %s-%d %s\n", record->ts / 1e9, wall, comm, pid, seq.buffer);
	trace_seq_destroy(&seq);
	free(comm);
}

static int take_event(struct tracecmd_input *input, struct tep_record *record, int cpu,
		      void *context)
{
	struct pass *pass = context;
	struct tep_handle *tep = tracecmd_get_tep(input);
	struct tep_event *event = tep_find_event_by_record(tep, record);
	struct event_counts *counts = pass->report->counts;
	const struct inode_event *kind;
	struct inode_key key;
	size_t file;
	int name;

	(void)cpu;
	/* Nobody reads any more. (libtracecmd 1.3 frees a record twice if we stop it.) */
	if (pass->over)
		return 0;
	if (record->missed_events > 0)
		counts->missed += record->missed_events;
	else if (record->missed_events < 0)
		counts->missed_unknown = true;
	kind = event ? kind_of(pass, event) : NULL;
	if (!kind || !inode_event_key(kind, record->data, record->size, &key))
		return 0;
	if (!inode_index_find(&pass->index, &key, &file))
		file = SIZE_MAX;
	/* The states that it is held against are of another time than what is wanted. */
	if (pass->sums && file != SIZE_MAX)
		sum(pass, event, record, file);
	if (record->ts < pass->since_ns || record->ts > pass->until_ns)
		return 0;
	name = pass->names[kind - pass->kinds];
	if (file == SIZE_MAX || name < 0) {
		counts->others++;
		return 0;
	}
	if (pass->print)
		print_event(pass->report, tep, record, event);
	counter_add(&pass->counter, file, name);
	if (pass->timeline)
		timeline_event(pass->timeline, event, record, file);
	pass->over = pass->print && output_failed();
	return 0;
}

/* The ledgers' insertions between the two states, and the kernel's own events. */
static void audit(struct pass *pass)
{
	struct report *report = pass->report;
	uint64_t ours = 0, low = 0, high = 0;
	bool any = false;
	size_t i;

	/* With events lost, or of one task only, the sum means nothing. */
	if (!pass->sums || report->counts->missed || report->counts->missed_unknown)
		return;
	for (i = 0; i < report->nr_files && i < pass->first.nr_files; i++) {
		const struct pcinspect_snapshot *was = &pass->first.files[i].snap;
		const struct pcinspect_snapshot *is = &report->files[i].snap;

		/* Another name of an inode whose events are with the first. */
		if (report_first_name(report, i) != i)
			continue;
		/* Counters that began anew meanwhile have no difference. */
		if (report->files[i].gone || was->id != is->id ||
		    was->since_ns != is->since_ns ||
		    !pcinspect_known(was, PCINSPECT_INSERTED) ||
		    !pcinspect_known(is, PCINSPECT_INSERTED))
			continue;
		any = true;
		ours += is->numbers[PCINSPECT_INSERTED] - was->numbers[PCINSPECT_INSERTED];
		low += pass->sums[i].certain;
		high += pass->sums[i].possible;
	}
	if (any)
		report_add_audit(report, "recorded_inserted_pages", ours, low, high,
				 "mm_filemap_add_to_page_cache");
}

static int second_pass(const char *path, struct pass *pass)
{
	int result;

	pass->nr_kinds = 0;
	pass->counter.counts = pass->report->counts;
	if (inode_index_build(&pass->index, pass->report))
		return -1;
	result = each(path, take_event, pass);
	inode_index_free(&pass->index);
	counter_free(&pass->counter);
	return result;
}

/* Through the file for its states: the first, and the last that is not after @until_ns. */
static int read_states(const char *path, uint64_t until_ns, struct pass *pass,
		       struct report *report)
{
	int result = -1;

	pass->states = state_reader_new(until_ns);
	if (!pass->states || each(path, take_state, pass))
		goto out;
	state_reader_first(pass->states, &pass->first);
	if (state_reader_last(pass->states, report))
		result = 0;
	else
		complain(path, "%s", state_reader_why(pass->states));
out:
	state_reader_free(pass->states);
	pass->states = NULL;
	return result;
}

/* A moment on the recording's clock; false: it has no wall clock to find it on. */
static bool resolve(const struct recording *recording, const struct report *report,
		    const struct moment *moment, uint64_t *ns)
{
	uint64_t begin = report_wall(report, recording->begin_ns);
	int64_t after;

	if (!report->wall_ns && moment->kind != MOMENT_SECONDS) {
		complain(recording->path, "has no wall clock in it: an older version recorded it (give seconds since it began)");
		return false;
	}
	after = moment_after(moment, begin, report->wall_ns);
	*ns = after < 0 && (uint64_t)-after > recording->begin_ns ? 0 :
	      recording->begin_ns + after;
	return true;
}

/* When it began and ended, and what of that is wanted. */
static int find_times(struct recording *recording, const struct pass *pass,
		      const struct report *report)
{
	char from[WALL_TEXT] = "?", to[WALL_TEXT] = "?";

	recording->end_ns = report->time_ns;
	recording->begin_ns = pass->first.nr_files ? pass->first.time_ns :
		report->time_ns - (report->interval_ns < report->time_ns ? report->interval_ns : 0);
	recording->since_ns = 0;
	recording->until_ns = UINT64_MAX;
	if ((recording->since &&
	     !resolve(recording, report, recording->since, &recording->since_ns)) ||
	    (recording->until &&
	     !resolve(recording, report, recording->until, &recording->until_ns)))
		return -1;
	if (recording->since_ns <= recording->end_ns &&
	    recording->until_ns >= recording->begin_ns &&
	    recording->since_ns <= recording->until_ns)
		return 0;
	if (report->wall_ns) {
		wall_local(from, sizeof(from), report_wall(report, recording->begin_ns));
		wall_local(to, sizeof(to), report->wall_ns);
	}
	complain(recording->path, "has nothing of that time: it is from %s to %s, %.3f s",
		 from, to, (recording->end_ns - recording->begin_ns) / 1e9);
	return -1;
}

/**
 * recording_load() - read a trace.dat
 * @recording: which, and what of it
 * @report: filled in: the last state, its audit, and counts of events
 * @count: count them; without, that is left to recording_print()
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int recording_load(struct recording *recording, struct report *report, bool count)
{
	struct pass pass = { .report = report };
	int result = -1;

	memset(report, 0, sizeof(*report));
	if (read_states(recording->path, UINT64_MAX, &pass, report) ||
	    find_times(recording, &pass, report))
		goto out;
	if (recording->until_ns < recording->end_ns && pass.first.nr_files) {
		report_free(report);
		report_free(&pass.first);
		if (read_states(recording->path, recording->until_ns, &pass, report))
			goto out;
	}
	pass.since_ns = recording->since_ns;
	pass.until_ns = recording->until_ns;
	pass.timeline = recording->timeline;
	if (pass.timeline)
		timeline_begin(pass.timeline,
			       recording->since_ns > recording->begin_ns ? recording->since_ns :
									   recording->begin_ns,
			       recording->until_ns < recording->end_ns ? recording->until_ns :
									 recording->end_ns,
			       report->nr_files);
	report->counts = calloc(1, sizeof(*report->counts));
	if (pass.first.nr_files)
		pass.sums = calloc(report->nr_files, sizeof(*pass.sums));
	if (!report->counts || (count && second_pass(recording->path, &pass)))
		goto out;
	audit_all(report, NULL);
	if (count)
		audit(&pass);
	result = 0;
out:
	free(pass.sums);
	report_free(&pass.first);
	return result;
}

/* Keep what is of the time that is wanted, of a list in the order of time. */
static size_t cut(const struct recording *recording, void *list, size_t n, size_t size,
		  size_t time_at)
{
	char *from = list;
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		uint64_t ns;

		memcpy(&ns, from + i * size + time_at, sizeof(ns));
		if (ns >= recording->since_ns && ns <= recording->until_ns)
			memmove(from + kept++ * size, from + i * size, size);
	}
	return kept;
}

/**
 * recording_cut() - leave out the windows and calls of other times
 * @recording: what is wanted
 * @report: from recording_load()
 */
void recording_cut(const struct recording *recording, struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		struct file *file = &report->files[i];

		file->nr_windows = cut(recording, file->windows, file->nr_windows,
				       sizeof(*file->windows),
				       offsetof(struct pcinspect_window, time_ns));
		file->nr_fsyncs = cut(recording, file->fsyncs, file->nr_fsyncs,
				      sizeof(*file->fsyncs),
				      offsetof(struct pcinspect_fsync, time_ns));
	}
}

/**
 * recording_print() - print each event of the files, in order
 * @recording: which, and what of it
 * @report: from recording_load(); what was missed is added
 *
 * Return: 0 or -1.
 */
int recording_print(const struct recording *recording, struct report *report)
{
	struct event_counts again = {}, *counts = report->counts;
	struct pass pass = { .report = report, .print = true,
			     .since_ns = recording->since_ns,
			     .until_ns = recording->until_ns };
	size_t i;
	int result;

	report->counts = &again;
	result = second_pass(recording->path, &pass);
	report->counts = counts;
	counts->missed = again.missed;
	counts->missed_unknown = again.missed_unknown;
	for (i = 0; i < again.nr; i++) {
		free(again.list[i].system);
		free(again.list[i].name);
	}
	free(again.list);
	fflush(stdout);
	return output_failed() ? -1 : result;
}
