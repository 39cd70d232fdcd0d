/* SPDX-License-Identifier: GPL-2.0 */
/*
 * events_ring.h - the newest events of a stream, as they came.
 *
 * Why: decoding costs more than keeping, and most events are never looked at.
 */
#ifndef PCINSPECT_EVENTS_RING_H
#define PCINSPECT_EVENTS_RING_H

#include "trace/inode_events.h"

#define PCINSPECT_RAW_EVENT_MAX	192	/* bytes of one event */

/**
 * struct pcinspect_raw_event - one event
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
struct pcinspect_raw_event {
	uint64_t time_ns;
	const struct pcinspect_inode_event *kind;
	struct pcinspect_inode_key key;
	size_t file;
	int cpu;
	int pid;
	unsigned int size;
	char comm[16];
	char data[PCINSPECT_RAW_EVENT_MAX];
};

/**
 * struct pcinspect_event_ring - the newest events
 * @list: room for them
 * @room: how many
 * @kept: how many there are
 * @newest: where the newest is
 * @lost: events that were pushed out or had no room
 */
struct pcinspect_event_ring {
	struct pcinspect_raw_event *list;
	size_t room;
	size_t kept;
	size_t newest;
	uint64_t lost;
};

struct pcinspect_raw_event *pcinspect_event_ring_slot(struct pcinspect_event_ring *ring,
						      size_t size);
const struct pcinspect_raw_event *
pcinspect_event_ring_at(const struct pcinspect_event_ring *ring, size_t age);
void pcinspect_event_ring_free(struct pcinspect_event_ring *ring);

#endif /* PCINSPECT_EVENTS_RING_H */
