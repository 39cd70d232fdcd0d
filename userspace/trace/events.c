// SPDX-License-Identifier: GPL-2.0-only
/*
 * events.c - the live stream of filemap, writeback and pcinspect events of some
 * inodes, by libtracefs and libtraceevent.
 *
 * An ftrace instance of our own, so that nobody else's tracing is touched; it
 * goes when the stream is closed, and one whose owner was killed goes when the
 * next stream is opened. The kernel filters by inode. Its buffer is bounded and
 * keeps the newest; what it had to drop is counted. CPUs are merged by time:
 * what happened before a call of events_read() comes out in order.
 *
 * Touches tracefs: instances named pcinspect-PID only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kbuffer.h>
#include <tracefs.h>

#include "lib/clock.h"
#include "lib/escape.h"
#include "trace/events.h"
#include "trace/events_ring.h"
#include "trace/inode_events.h"
#include "trace/instances.h"
#include "trace/task_names.h"

#define BUFFER_KB	2048	/* the kernel's, for each CPU */
#define BUFFERS_KB	65536	/* and for all of them */

/* One CPU's part of the buffer. */
struct cpu {
	int number;
	struct tracefs_cpu *tcpu;
	struct kbuffer *kbuf;
	void *page;
	void *data;
	unsigned long long time_ns;
};

struct events {
	struct tracefs_instance *instance;
	struct tep_handle *tep;
	struct task_names names;
	struct inode_event *kinds;
	size_t nr_kinds;
	struct inode_index index;
	struct cpu *cpus;
	int nr_cpus;
	struct event_ring ring;
	uint64_t total;
	uint64_t end_ns;
	struct trace_seq seq;
	struct event shown;
};

/* Which kinds of events there are; state samples are not news to us. */
static int find_kinds(struct events *events)
{
	struct tep_event *event;
	int i, s;

	events->kinds = calloc(tep_get_events_count(events->tep), sizeof(*events->kinds));
	if (!events->kinds)
		return -1;
	for (i = 0; (event = tep_get_event(events->tep, i)); i++) {
		for (s = 0; event_systems[s]; s++)
			if (!strcmp(event->system, event_systems[s]))
				break;
		if (!event_systems[s] || !strcmp(event->name, "pcinspect_sample"))
			continue;
		if (inode_event(event, &events->kinds[events->nr_kinds]))
			events->nr_kinds++;
	}
	return 0;
}

static int open_cpus(struct events *events)
{
	enum kbuffer_endian endian = tep_is_local_bigendian(events->tep) ?
		KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE;
	int i, nr = sysconf(_SC_NPROCESSORS_CONF);

	events->cpus = calloc(nr, sizeof(*events->cpus));
	if (!events->cpus)
		return -1;
	for (i = 0; i < nr; i++) {
		struct cpu *cpu = &events->cpus[events->nr_cpus];

		cpu->tcpu = tracefs_cpu_open(events->instance, i, true);
		if (!cpu->tcpu)
			continue; /* no such CPU now */
		events->nr_cpus++;
		cpu->number = i;
		cpu->page = malloc(tracefs_cpu_read_size(cpu->tcpu));
		cpu->kbuf = kbuffer_alloc(sizeof(long) == 8 ? KBUFFER_LSIZE_8 :
					  KBUFFER_LSIZE_4, endian);
		if (!cpu->page || !cpu->kbuf)
			return -1;
	}
	return events->nr_cpus ? 0 : -1;
}

/**
 * events_open() - begin to follow the files of a report
 * @report: the files
 * @why: set to what is wrong, and what to do, if it fails
 *
 * Return: the stream, to be closed; or NULL.
 */
struct events *events_open(const struct report *report, const char **why)
{
	struct events *events = calloc(1, sizeof(*events));

	*why = "no memory for the event stream";
	if (!events)
		return NULL;
	trace_seq_init(&events->seq);
	events->instance = instance_create();
	if (!events->instance) {
		*why = "no event stream: tracefs gives no instance (mount -t tracefs tracefs /sys/kernel/tracing)";
		goto out;
	}
	events->tep = tracefs_local_events_system(NULL, event_systems);
	if (!events->tep || find_kinds(events)) {
		*why = "no event stream: the events' formats cannot be read";
		goto out;
	}
	/* The clock of all our times; a small buffer, of which the newest stays. */
	if (tracefs_instance_file_write(events->instance, "trace_clock", "mono") < 0 ||
	    tracefs_instance_set_buffer_size(events->instance,
					     instance_kb(BUFFER_KB, BUFFERS_KB), -1) ||
	    open_cpus(events) || events_follow(events, report)) {
		*why = "no event stream: tracefs refuses to set it up (see dmesg)";
		goto out;
	}
	return events;
out:
	events_close(events);
	return NULL;
}

/**
 * events_follow() - follow other files from now on
 * @events: the stream
 * @report: the files; those that are gone are left out
 *
 * Return: 0, or -1 with errno set.
 */
int events_follow(struct events *events, const struct report *report)
{
	size_t i;

	if (inode_index_build(&events->index, report))
		return -1;
	for (i = 0; i < events->nr_kinds; i++) {
		struct tep_event *event = events->kinds[i].event;
		char *filter = inode_event_filter(&events->kinds[i], report);
		int err;

		if (filter && !*filter)
			err = tracefs_event_disable(events->instance, event->system,
						    event->name);
		else if (filter)
			err = tracefs_event_file_write(events->instance, event->system,
						       event->name, "filter", filter) < 0;
		else
			err = tracefs_event_file_write(events->instance, event->system,
						       event->name, "filter", "0") < 0;
		if (!err && (!filter || *filter))
			err = tracefs_event_enable(events->instance, event->system,
						   event->name);
		free(filter);
		/* Our own went with the module. */
		if (err && strcmp(event->system, "pcinspect"))
			return -1;
	}
	return 0;
}

/* The next event of a CPU, in cpu->data; false: nothing more now. */
static bool next(struct cpu *cpu)
{
	if (cpu->data)
		return true;
	cpu->data = kbuffer_read_event(cpu->kbuf, &cpu->time_ns);
	while (!cpu->data) {
		if (tracefs_cpu_read(cpu->tcpu, cpu->page, true) <= 0)
			return false;
		kbuffer_load_subbuffer(cpu->kbuf, cpu->page);
		cpu->data = kbuffer_read_event(cpu->kbuf, &cpu->time_ns);
	}
	return true;
}

static void advance(struct cpu *cpu)
{
	kbuffer_next_event(cpu->kbuf, NULL);
	cpu->data = NULL;
}

/* Keep one event if it is of one of our files. */
static void keep_event(struct events *events, int cpu, void *data,
		       unsigned int size, uint64_t time_ns)
{
	struct tep_record record = { .data = data, .size = size };
	const struct inode_event *kind = events->kinds;
	int type = tep_data_type(events->tep, &record);
	struct inode_key key;
	struct raw_event *raw;
	size_t file;

	while (kind < events->kinds + events->nr_kinds && kind->event->id != type)
		kind++;
	if (kind == events->kinds + events->nr_kinds ||
	    !inode_event_key(kind, data, size, &key) ||
	    !inode_index_find(&events->index, &key, &file))
		return;
	events->total++;
	raw = event_ring_slot(&events->ring, size);
	if (!raw)
		return;
	raw->time_ns = time_ns;
	raw->kind = kind;
	raw->key = key;
	raw->file = file;
	raw->cpu = cpu;
	raw->pid = tep_data_pid(events->tep, &record);
	snprintf(raw->comm, sizeof(raw->comm), "%s", task_name(&events->names, raw->pid));
	raw->size = size;
	memcpy(raw->data, data, size);
}

/**
 * events_end() - what happens from now on is of no interest
 * @events: the stream; what is in it may still be read, and has an end
 */
void events_end(struct events *events)
{
	events->end_ns = clock_now_ns();
}

/**
 * events_read() - take in what has happened until now
 * @events: the stream
 * @budget_ms: end after about this long even if there is more
 *
 * Return: true if there is more.
 */
bool events_read(struct events *events, unsigned int budget_ms)
{
	uint64_t now = clock_now_ns(), end = now + budget_ms * 1000000ULL;
	unsigned int done = 0;

	if (events->end_ns)
		now = events->end_ns;
	task_names_forget(&events->names);
	for (;;) {
		struct cpu *first = NULL;
		int i;

		for (i = 0; i < events->nr_cpus; i++) {
			struct cpu *cpu = &events->cpus[i];

			if (next(cpu) && (!first || cpu->time_ns < first->time_ns))
				first = cpu;
		}
		/* Later ones wait for what other CPUs may still have to say. */
		if (!first || first->time_ns > now)
			return false;
		keep_event(events, first->number, first->data,
			   kbuffer_event_size(first->kbuf), first->time_ns);
		advance(first);
		if (++done % 64 == 0 && clock_now_ns() > end)
			return true;
	}
}

/* How many events there are to look at. Returns at most EVENTS_KEPT. */
size_t events_kept(const struct events *events)
{
	return events->ring.kept;
}

/**
 * events_get() - look at one event
 * @events: the stream
 * @age: 0: the newest
 *
 * Return: the event, until the next call; NULL if there is none so old.
 */
const struct event *events_get(struct events *events, size_t age)
{
	struct event *out = &events->shown;
	struct tep_record record = {};
	struct tep_format_field *field;
	const struct raw_event *raw = event_ring_at(&events->ring, age);

	if (!raw)
		return NULL;
	memset(out, 0, sizeof(*out));
	out->time_ns = raw->time_ns;
	out->cpu = raw->cpu;
	out->pid = raw->pid;
	memcpy(out->comm, raw->comm, sizeof(out->comm));
	out->system = raw->kind->event->system;
	out->name = raw->kind->event->name;
	out->dev = raw->key.dev;
	out->ino = raw->key.ino;
	out->file = raw->file;

	record.data = (void *)raw->data;
	record.size = raw->size;
	record.ts = raw->time_ns;
	record.cpu = raw->cpu;
	trace_seq_reset(&events->seq);
	tep_print_event(events->tep, &events->seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&events->seq);
	snprintf(out->text, sizeof(out->text), "%s", events->seq.buffer);
	escape_mask(out->text);
	for (field = raw->kind->event->format.fields; field; field = field->next) {
		unsigned long long value;

		if (out->nr_fields == EVENT_FIELDS)
			break;
		if (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING) ||
		    tep_read_number_field(field, raw->data, &value))
			continue;
		/* The library does not extend the sign. */
		if (field->flags & TEP_FIELD_IS_SIGNED && field->size == 4)
			value = (int64_t)(int32_t)value;
		out->fields[out->nr_fields].name = field->name;
		out->fields[out->nr_fields++].value = value;
	}
	return out;
}

/* Events of the files so far. Returns how many, kept or not. */
uint64_t events_total(const struct events *events)
{
	return events->total;
}

/**
 * events_missed() - events that nobody saw
 * @events: the stream
 *
 * Overwritten in the kernel before they were read, or dropped there, on whatever
 * file the filter lets through; and those pushed out here before
 * events_clear() said that they were looked at, or for which there was
 * no room.
 *
 * Return: how many.
 */
uint64_t events_missed(const struct events *events)
{
	uint64_t missed = events->ring.lost;
	int i;

	for (i = 0; i < events->nr_cpus; i++) {
		int cpu = events->cpus[i].number;

		missed += instance_stat(events->instance, cpu, "overrun") +
			  instance_stat(events->instance, cpu, "dropped events");
	}
	return missed;
}

/* Forget the events that were kept. */
void events_clear(struct events *events)
{
	events->ring.kept = 0;
}

/* End the stream; its instance goes. */
void events_close(struct events *events)
{
	int i;

	if (!events)
		return;
	for (i = 0; i < events->nr_cpus; i++) {
		tracefs_cpu_close(events->cpus[i].tcpu);
		kbuffer_free(events->cpus[i].kbuf);
		free(events->cpus[i].page);
	}
	free(events->cpus);
	instance_destroy(events->instance);
	task_names_forget(&events->names);
	if (events->tep)
		tep_free(events->tep);
	inode_index_free(&events->index);
	trace_seq_destroy(&events->seq);
	free(events->kinds);
	event_ring_free(&events->ring);
	free(events);
}
