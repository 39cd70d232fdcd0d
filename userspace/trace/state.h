/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.h - answers of the module, as part of a trace.
 *
 * Why: the events say what happened; only the state says what is. The module's
 * answers (include/uapi) go into the trace's raw markers in pieces, so that a
 * machine without the module can show every view, with the same numbers.
 *
 * A state is a head, its files, the names of evictors and an end. Each is a message
 * of its own, cut into chunks that fit a marker; all of a state have serials that
 * follow one another. A program of another minor version reads it: the head is text,
 * a line each "VALUE KEY", and what it does not know of it is left out; files and
 * names are parts that say their type and the size of their items, of which each
 * side takes what both have. docs/recording.md has the format.
 */
#ifndef PCINSPECT_STATE_H
#define PCINSPECT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/report.h"

#define STATE_ID	0x50434931	/* "PCI1": id of our raw markers */
#define STATE_VERSION	2		/* changes only when the above is not enough */
#define STATE_CHUNK	960		/* payload bytes of one marker: 1,024 in all,
					 * TRACE_BUF_SIZE of 6.1
					 */

/* enum state_message - what a message is */
enum state_message {
	STATE_HEAD = 1,
	STATE_FILE,
	STATE_NAME,
	STATE_END,
};

/**
 * struct state_chunk - a piece of a message, as the marker has it
 * @id: STATE_ID
 * @serial: of the message
 * @type: enum state_message
 * @offset: of this piece in the message
 * @total: bytes of the message
 * @size: bytes of this piece, which follow
 */
struct state_chunk {
	uint32_t id;
	uint32_t serial;
	uint32_t type;
	uint32_t offset;
	uint32_t total;
	uint32_t size;
};

/* enum state_part_type - what a part of a file or of a name is */
enum state_part_type {
	STATE_PATH = 1,		/* bytes, the last of which is NUL */
	STATE_REAL_PATH,	/* likewise */
	STATE_MEMCG_PATH,	/* one for each cgroup; "": unknown */
	STATE_ASKED,		/* struct state_asked */
	STATE_SNAPSHOT,		/* struct pcinspect_snapshot as far as @known */
	STATE_KNOWN,		/* its @known, in words of 64 bits */
	STATE_NUMBERS,		/* its @numbers */
	STATE_WHO,		/* struct pcinspect_who */
	STATE_WINDOWS,		/* struct pcinspect_window, oldest first */
	STATE_FSYNCS,		/* struct pcinspect_fsync, oldest first */
	STATE_HELD,		/* a name that holds memory which others miss; one word */
};

/**
 * struct state_part - items follow, and zeros up to a multiple of 8
 * @type: enum state_part_type
 * @item_size: bytes of one
 * @count: how many
 * @pad: 0
 */
struct state_part {
	uint32_t type;
	uint32_t item_size;
	uint32_t count;
	uint32_t pad;
};

/**
 * struct state_asked - when the module was asked about a file
 * @before_ns: after this
 * @after_ns: and before this
 * @gone: it has been deleted or unmounted since
 */
struct state_asked {
	uint64_t before_ns;
	uint64_t after_ns;
	uint64_t gone;
};

/**
 * struct state_number - a number of the head
 * @key: its name there
 * @offset: of it in struct report
 * @size: 4 or 8
 */
struct state_number {
	const char *key;
	size_t offset;
	size_t size;
};

extern const struct state_number state_numbers[]; /* ends with no key */

int state_write(int marker, const struct report *report, uint32_t *serial,
		void (*pace)(void *context, size_t bytes), void *context);

struct state_reader;

struct state_reader *state_reader_new(uint64_t until_ns);
void state_reader_take(struct state_reader *reader, const void *data, size_t size);
bool state_reader_first(struct state_reader *reader, struct report *report);
bool state_reader_last(struct state_reader *reader, struct report *report);
const char *state_reader_why(const struct state_reader *reader);
void state_reader_free(struct state_reader *reader);

#endif /* PCINSPECT_STATE_H */
