/* SPDX-License-Identifier: GPL-2.0 */
/*
 * state.h - what the module said, put into a trace, verbatim.
 *
 * Why: the events say what happened; only the state says what is. The module's
 * own answers (include/uapi) go into the trace's raw markers in pieces, so that
 * a machine without the module can show every view, with the same numbers.
 *
 * A state is a head, settings, files, names of evictors and an end; each is a
 * message of its own, cut into chunks that fit a marker. docs/recording.md has the format.
 */
#ifndef PCINSPECT_STATE_H
#define PCINSPECT_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/report.h"

#define PCINSPECT_STATE_ID	0x50434931	/* "PCI1": id of our raw markers */
#define PCINSPECT_STATE_VERSION	1
#define PCINSPECT_STATE_CHUNK	960	/* payload bytes of one marker: 1,024 in all,
					 * TRACE_BUF_SIZE of 6.1
					 */

/* enum pcinspect_state_type - what a message is */
enum pcinspect_state_type {
	PCINSPECT_STATE_HEAD = 1,
	PCINSPECT_STATE_FILE = 2,
	PCINSPECT_STATE_END = 3,
	PCINSPECT_STATE_SETTINGS = 4, /* lines "VALUE PATH", and a NUL */
	PCINSPECT_STATE_NAME = 5,
};

/**
 * struct pcinspect_state_chunk - a piece of a message, as the marker has it
 * @id: PCINSPECT_STATE_ID
 * @serial: of the message
 * @type: enum pcinspect_state_type
 * @offset: of this piece in the message
 * @total: bytes of the message
 * @size: bytes of this piece, which follow
 */
struct pcinspect_state_chunk {
	uint32_t id;
	uint32_t serial;
	uint32_t type;
	uint32_t offset;
	uint32_t total;
	uint32_t size;
};

/**
 * struct pcinspect_state_head - of the whole state
 * @version: PCINSPECT_STATE_VERSION
 * @abi_version: PCINSPECT_ABI_VERSION of the structs that follow
 * @nr_files: how many
 * @page_size: of that machine
 * @time_ns: CLOCK_MONOTONIC
 * @interval_ns: of a run, 0: none
 * @about: of the module
 * @losses: what could not be counted
 * @kernel: release
 */
struct pcinspect_state_head {
	uint32_t version;
	uint32_t abi_version;
	uint32_t nr_files;
	uint32_t page_size;
	uint64_t time_ns;
	uint64_t interval_ns;
	struct pcinspect_about about;
	struct pcinspect_losses losses;
	char kernel[64];
};

/* Strings of a file: its path, its real path, those of its memory cgroups. */
#define PCINSPECT_STATE_STRINGS (2 + PCINSPECT_NR_MEMCGS)

/**
 * struct pcinspect_state_file - one file; its strings and its row follow
 * @index: in the report
 * @gone: was deleted or unmounted
 * @before_ns: the module was asked between this
 * @after_ns: and this
 * @lengths: of the strings, with their final NUL; 0: none
 * @row_size: bytes of the row, which begins at the next multiple of 8
 */
struct pcinspect_state_file {
	uint32_t index;
	uint32_t gone;
	uint64_t before_ns;
	uint64_t after_ns;
	uint32_t lengths[PCINSPECT_STATE_STRINGS];
	uint64_t row_size;
};

/**
 * struct pcinspect_state_name - of a file that evictors were filling; its path
 *	follows
 * @ino: its inode
 * @dev_major: of its superblock
 * @dev_minor: likewise
 * @i_generation: tells apart files that reused the number
 * @length: of the path, with its final NUL
 */
struct pcinspect_state_name {
	uint64_t ino;
	uint32_t dev_major;
	uint32_t dev_minor;
	uint32_t i_generation;
	uint32_t length;
};

int pcinspect_state_write(int marker, const struct pcinspect_report *report,
			  uint32_t *serial,
			  void (*pace)(void *context, size_t bytes), void *context);

struct pcinspect_state_reader;

struct pcinspect_state_reader *pcinspect_state_reader_new(void);
void pcinspect_state_reader_take(struct pcinspect_state_reader *reader,
				 const void *data, size_t size);
bool pcinspect_state_reader_first(struct pcinspect_state_reader *reader,
				  struct pcinspect_report *report);
bool pcinspect_state_reader_last(struct pcinspect_state_reader *reader,
				 struct pcinspect_report *report);
const char *pcinspect_state_reader_why(const struct pcinspect_state_reader *reader);
void pcinspect_state_reader_free(struct pcinspect_state_reader *reader);

#endif /* PCINSPECT_STATE_H */
