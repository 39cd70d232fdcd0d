// SPDX-License-Identifier: GPL-2.0
/*
 * recording.c - a trace.dat as a report, by libtracecmd.
 *
 * Twice through the file: once for the states (state.h), of which the last is
 * the report; once for the events, which are counted by kind and file and held
 * against what the states say happened between the first and the last.
 *
 * Touches the file; no module, no tracefs.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace-cmd.h>

#include "collect/audit.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "trace/inode_events.h"
#include "trace/recording.h"
#include "trace/state.h"

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
 * @nr_kinds: how many
 * @sums: by file
 * @print: say each event of a file
 */
struct pass {
	struct state_reader *states;
	struct report *report;
	struct report first;
	struct inode_index index;
	struct inode_event kinds[MAX_KINDS];
	size_t nr_kinds;
	struct inserted *sums;
	bool print;
};

typedef int (*handler)(struct tracecmd_input *input, struct tep_record *record, int cpu,
		       void *context);

/* Every record of the file, of the main buffer and of instances. */
static int each(const char *path, handler handle, struct pass *pass)
{
	struct tracecmd_input *input, *instance;
	int i;

	tracecmd_set_loglevel(TEP_LOG_CRITICAL);
	errno = 0;
	input = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!input) {
		complain(path, "%s", errno && errno != EINVAL && errno != ENOTTY ?
				   strerror(errno) :
				   "is not a trace.dat (pcinspect record or trace-cmd record makes one)");
		return -1;
	}
	tracecmd_iterate_events(input, NULL, 0, handle, pass);
	for (i = 0; i < tracecmd_buffer_instances(input) && !ferror(stdout); i++) {
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
	kind = &pass->kinds[pass->nr_kinds++];
	if (inode_event(event, kind))
		return kind;
	kind->event = event;
	kind->ino = NULL;
	return NULL;
}

static void count(struct event_counts *counts, const struct tep_event *event, size_t file)
{
	struct event_count *one = counts->list;
	size_t i;

	counts->total++;
	for (i = 0; i < counts->nr; i++, one++)
		if (one->file == file && !strcmp(one->name, event->name) &&
		    !strcmp(one->system, event->system))
			break;
	if (i == counts->nr) {
		if (counts->nr == counts->room) {
			size_t room = counts->room * 2 + 64;

			one = reallocarray(counts->list, room, sizeof(*one));
			if (!one)
				err(1, "out of memory");
			counts->list = one;
			counts->room = room;
		}
		one = &counts->list[counts->nr++];
		*one = (struct event_count){
			.system = strdup(event->system),
			.name = strdup(event->name),
			.file = file,
		};
		if (!one->system || !one->name)
			err(1, "out of memory");
	}
	one->events++;
}

/* What the first and the last state must agree with. */
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

static void print(struct tep_handle *tep, struct tep_record *record, struct tep_event *event)
{
	int pid = tep_data_pid(tep, record);
	char *comm = escape_path(tep_data_comm_from_pid(tep, pid));
	struct trace_seq seq;
	char *c;

	trace_seq_init(&seq);
	trace_seq_printf(&seq, "%s:%s ", event->system, event->name);
	tep_print_event(tep, &seq, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	for (c = seq.buffer; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	printf("%.6f %s-%d %s\n", record->ts / 1e9, comm, pid, seq.buffer);
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

	(void)cpu;
	/* Nobody reads any more. (libtracecmd 1.3 frees a record twice if we stop it.) */
	if (pass->print && ferror(stdout))
		return 0;
	if (record->missed_events > 0)
		counts->missed += record->missed_events;
	else if (record->missed_events < 0)
		counts->missed_unknown = true;
	kind = event ? kind_of(pass, event) : NULL;
	if (!kind || !inode_event_key(kind, record->data, record->size, &key))
		return 0;
	if (!inode_index_find(&pass->index, &key, &file)) {
		counts->others++;
		return 0;
	}
	if (pass->print)
		print(tep, record, event);
	count(counts, event, file);
	if (pass->sums)
		sum(pass, event, record, file);
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
		/* Whose counters began anew meanwhile has no difference. */
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
	if (inode_index_build(&pass->index, pass->report))
		return -1;
	result = each(path, take_event, pass);
	inode_index_free(&pass->index);
	return result;
}

/**
 * recording_load() - read a trace.dat
 * @path: which
 * @report: filled in: the last state, its audit, and counts of events
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int recording_load(const char *path, struct report *report)
{
	struct pass pass = { .report = report };
	int result = -1;

	memset(report, 0, sizeof(*report));
	pass.states = state_reader_new();
	if (!pass.states || each(path, take_state, &pass))
		goto out;
	state_reader_first(pass.states, &pass.first);
	if (!state_reader_last(pass.states, report)) {
		complain(path, "%s", state_reader_why(pass.states));
		goto out;
	}
	report->counts = calloc(1, sizeof(*report->counts));
	if (pass.first.nr_files)
		pass.sums = calloc(report->nr_files, sizeof(*pass.sums));
	if (!report->counts || second_pass(path, &pass))
		goto out;
	audit_all(report, NULL);
	audit(&pass);
	result = 0;
out:
	free(pass.sums);
	report_free(&pass.first);
	state_reader_free(pass.states);
	return result;
}

/**
 * recording_print() - print each event of the files, in order
 * @path: of the trace.dat
 * @report: from recording_load(); its counts are made anew
 *
 * Return: 0 or -1.
 */
int recording_print(const char *path, const struct report *report)
{
	struct event_counts again = {};
	struct report copy = *report;
	struct pass pass = { .report = &copy, .print = true };
	size_t i;
	int result;

	copy.counts = &again;
	result = second_pass(path, &pass);
	for (i = 0; i < again.nr; i++) {
		free(again.list[i].system);
		free(again.list[i].name);
	}
	free(again.list);
	if (fflush(stdout) || ferror(stdout)) {
		complain(NULL, "the events could not be written");
		return -1;
	}
	return result;
}
