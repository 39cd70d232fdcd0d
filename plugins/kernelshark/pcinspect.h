/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pcinspect.h - what the two halves of the KernelShark plugin share.
 *
 * Why: libkshark's side (pcinspect.c) reads the pcinspect:* events of a stream
 * while it is loaded; the drawing side (PcinspectPlot.cpp) is C++, as the
 * shapes of KernelShark are. Between them are these plain structures, one set
 * for each data stream: trace.dat has a stream for each buffer instance.
 *
 * The events stay KernelShark's own: what is kept here points to its entries,
 * so that its time shifts and filters apply to what is drawn.
 */
#ifndef PCINSPECT_KSHARK_H
#define PCINSPECT_KSHARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libkshark.h>
#include <libkshark-plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The events drawn, in the order of event_names[] in pcinspect.c. */
enum pcinspect_ks_kind {
	PCINSPECT_KS_SAMPLE,
	PCINSPECT_KS_WINDOW,
	PCINSPECT_KS_REFAULT,
	PCINSPECT_KS_FSYNC,
	PCINSPECT_KS_KINDS,
};

/* The fields of an event, by kind; -1 is unknown. */
enum {
	PCINSPECT_KS_CACHED = 0,
	PCINSPECT_KS_ACTIVE = 1,
	PCINSPECT_KS_DIRTY = 2,
	PCINSPECT_KS_DURATION = 0,	/* WINDOW and FSYNC */
	PCINSPECT_KS_INSERTED = 1,
	PCINSPECT_KS_EXPANDED = 2,
	PCINSPECT_KS_PAGES = 0,		/* REFAULT */
	PCINSPECT_KS_FIELDS = 3,
};

/*
 * Each inode has a row of its own: a task that does not exist, so that it can
 * be chosen as any task can. No real PID is that large (PID_MAX_LIMIT is 2^22).
 */
#define PCINSPECT_KS_FIRST_PID 5000000
#define PCINSPECT_KS_ROWS 1000 /* for each stream */

/**
 * struct pcinspect_ks_event - an event that is drawn
 * @entry: KernelShark's own entry: time, CPU, task, whether it is filtered out
 * @inode: index of its inode
 * @field: its numbers
 */
struct pcinspect_ks_event {
	const struct kshark_entry *entry;
	size_t inode;
	int64_t field[PCINSPECT_KS_FIELDS];
};

/**
 * struct pcinspect_ks_list - the events of one kind
 * @v: the events; in order of time once sorted
 * @n: how many there are
 * @room: how many there is room for
 * @sorted: they are in order
 */
struct pcinspect_ks_list {
	struct pcinspect_ks_event *v;
	size_t n;
	size_t room;
	bool sorted;
};

/**
 * struct pcinspect_ks_inode - an inode that an event has named
 * @dev: device as the kernel encodes it (major << 20 | minor)
 * @ino: inode number
 * @generation: tells it from another inode with that number
 * @pid: the task that stands for it; -1: it has no row of its own
 * @next: index of the next inode in the hash bucket; -1: none
 */
struct pcinspect_ks_inode {
	int64_t dev;
	int64_t ino;
	int64_t generation;
	int pid;
	ssize_t next;
};

/**
 * struct pcinspect_ks_name - what the recording calls an inode
 * @dev: its device, as in struct pcinspect_ks_inode
 * @ino: inode number
 * @generation: likewise
 * @path: printable; its end, where it is long
 */
struct pcinspect_ks_name {
	int64_t dev;
	int64_t ino;
	int64_t generation;
	char path[48];
};

#define PCINSPECT_KS_BUCKETS 256

/**
 * struct pcinspect_ks_context - what the plugin knows of one data stream
 * @id: the stream's ids of the events, by kind; -1: it has none
 * @print: the id of ftrace's markers
 * @names: from pcinspect record's
 * @n_names: how many there are
 * @names_room: how many there is room for
 * @events: what was recorded, by kind
 * @inodes: of which inodes, in order of appearance
 * @n_inodes: how many there are
 * @room: how many there is room for
 * @bucket: heads of the hash lists; -1: empty
 */
struct pcinspect_ks_context {
	int id[PCINSPECT_KS_KINDS];
	int print;
	struct pcinspect_ks_name *names;
	size_t n_names;
	size_t names_room;
	struct pcinspect_ks_list events[PCINSPECT_KS_KINDS];
	struct pcinspect_ks_inode *inodes;
	size_t n_inodes;
	size_t room;
	ssize_t bucket[PCINSPECT_KS_BUCKETS];
};

KS_DECLARE_PLUGIN_CONTEXT_METHODS(struct pcinspect_ks_context)

void pcinspect_ks_label(const struct pcinspect_ks_context *ctx,
			const struct pcinspect_ks_inode *inode, char *out, size_t size);

const char *pcinspect_ks_field(int kind, int field);

void pcinspect_ks_sort(struct pcinspect_ks_context *ctx);

void pcinspect_ks_draw(struct kshark_cpp_argv *argv, int sd, int val,
		       int action);

/* For programs that load the plugin: tests/kernelshark/count.c. */
__attribute__((visibility("default")))
size_t pcinspect_kshark_count(int sd, int kind);

#ifdef __cplusplus
}
#endif

#endif
