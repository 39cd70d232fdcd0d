/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events_ring.h - the newest events of a stream, as they came.
 *
 * Why: decoding costs more than keeping, and most events are never looked at.
 */
#ifndef PCINSPECT_EVENTS_RING_H
#define PCINSPECT_EVENTS_RING_H

#include "trace/inode_events.h"

#define EVENTS_KEPT	65536	/* newest events kept for a screen or a tick */
#define RAW_EVENT_MAX	192	/* bytes of one event */

/**
 * struct raw_event - one event
 * @time_ns: CLOCK_MONOTONIC
 * @kind: what it is
 * @key: its inode
 * @file: index of the file in the report that the stream follows
 * @cpu: where
 * @pid: thread that ran
 * @size: bytes of @data
 * @comm: the thread's name
 * @data: as the kernel wrote it
 */
struct raw_event {
	uint64_t time_ns;
	const struct inode_event *kind;
	struct inode_key key;
	size_t file;
	int cpu;
	int pid;
	unsigned int size;
	char comm[16];
	char data[RAW_EVENT_MAX];
};

/**
 * struct event_ring - the newest events
 * @list: room for them
 * @room: how many
 * @kept: how many there are
 * @newest: where the newest is
 * @lost: events that were pushed out or had no room
 */
struct event_ring {
	struct raw_event *list;
	size_t room;
	size_t kept;
	size_t newest;
	uint64_t lost;
};

struct raw_event *event_ring_slot(struct event_ring *ring, size_t size);
const struct raw_event *
event_ring_at(const struct event_ring *ring, size_t age);
void event_ring_free(struct event_ring *ring);

#endif /* PCINSPECT_EVENTS_RING_H */
