/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.h - the live stream of filemap, writeback and pcinspect events of some
 * inodes, from an ftrace instance of our own.
 */
#ifndef PCINSPECT_EVENTS_H
#define PCINSPECT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/report.h"

#define EVENT_FIELDS	24	/* of one event, at most */

/**
 * struct event - one event, decoded
 * @time_ns: CLOCK_MONOTONIC
 * @cpu: where
 * @pid: thread that ran
 * @comm: its name, "?" if unknown
 * @system: trace system; lives as long as the stream
 * @name: name of the event; lives as long as the stream
 * @dev: s_dev as the kernel encodes it, 0: the event has a bdi instead
 * @ino: inode number
 * @file: index of the file in the report the stream follows
 * @text: as the kernel would print it, control bytes escaped
 * @nr_fields: numbers in it
 * @fields: them, by the kernel's names; the names live as long as the stream
 */
struct event {
	uint64_t time_ns;
	int cpu;
	int pid;
	char comm[16];
	const char *system;
	const char *name;
	uint32_t dev;
	uint64_t ino;
	size_t file;
	char text[256];
	size_t nr_fields;
	struct {
		const char *name;
		int64_t value;
	} fields[EVENT_FIELDS];
};

struct events;

struct events *events_open(const struct report *report, const char **why);
int events_follow(struct events *events, const struct report *report);
void events_end(struct events *events);
bool events_read(struct events *events, unsigned int budget_ms);
size_t events_kept(const struct events *events);
const struct event *events_get(struct events *events, size_t age);
uint64_t events_total(const struct events *events);
uint64_t events_missed(const struct events *events);
void events_clear(struct events *events);
void events_close(struct events *events);

#endif /* PCINSPECT_EVENTS_H */
