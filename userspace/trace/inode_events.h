/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inode_events.h - trace events about one inode, and their fields for it.
 */
#ifndef PCINSPECT_INODE_EVENTS_H
#define PCINSPECT_INODE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <event-parse.h>

#include "model/report.h"

/* The trace systems whose events we look at, NULL at the end. */
extern const char *const event_systems[];

/**
 * struct inode_event - an event and how it names its inode
 * @event: its format
 * @ino: field of the inode number
 * @dev: field of s_dev, or NULL
 * @bdi: field of the backing device's name, where @dev is NULL
 */
struct inode_event {
	struct tep_event *event;
	struct tep_format_field *ino;
	struct tep_format_field *dev;
	struct tep_format_field *bdi;
};

/**
 * struct inode_key - the inode that an event is about
 * @ino: inode number
 * @dev: s_dev as the kernel encodes it, 0: by @bdi
 * @bdi: name of the backing device, where @dev is 0
 */
struct inode_key {
	uint64_t ino;
	uint32_t dev;
	char bdi[PCINSPECT_BDI_LEN];
};

bool inode_event(struct tep_event *event, struct inode_event *out);
bool event_field_within(const struct tep_format_field *field, size_t size);
bool inode_event_key(const struct inode_event *event, void *data,
		     unsigned int size, struct inode_key *key);
char *inode_event_filter(const struct inode_event *event, const struct report *report);

/**
 * struct inode_index - finds the file that a key is of
 * @by_dev: files by (dev, ino)
 * @by_bdi: files by (bdi, ino)
 * @nr: how many are in each
 */
struct inode_index {
	struct inode_entry *by_dev;
	struct inode_entry *by_bdi;
	size_t nr;
};

int inode_index_build(struct inode_index *index, const struct report *report);
bool inode_index_find(const struct inode_index *index,
		      const struct inode_key *key, size_t *file);
void inode_index_free(struct inode_index *index);

#endif /* PCINSPECT_INODE_EVENTS_H */
