// SPDX-License-Identifier: GPL-2.0
/*
 * render_reads.c - the read side's text: reads, readahead, and the same of one
 * inode. Documented in docs/pcinspect.5. Unknown is "?", never 0.
 *
 * May touch: only the structs it is given.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "uapi/pcinspect.h"
#include "surface/render.h"

/*
 * struct render_read - one number of a ledger
 * @name: as in the header and in docs/pcinspect.5
 * @offset: of the u64 in struct pcinspect_reads
 * @reads: PCINSPECT_READS_* without which it is unknown
 * @snap: PCINSPECT_F_* without which it is unknown
 */
struct render_read {
	const char *name;
	size_t offset;
	u32 reads;
	u32 snap;
};

#define NUMBER(name, field)                                         \
	{                                                           \
		name, offsetof(struct pcinspect_reads, field), 0, 0 \
	}

static const struct render_read render_reads[] = {
	NUMBER("demanded_bytes", demanded_bytes),
	{ "device_bytes", offsetof(struct pcinspect_reads, device_bytes), 0,
	  PCINSPECT_F_DEVICE },
	NUMBER("faults", faults),
	NUMBER("inserted_sync", inserted[PCINSPECT_CAUSE_SYNC]),
	NUMBER("inserted_async", inserted[PCINSPECT_CAUSE_ASYNC]),
	NUMBER("inserted_around", inserted[PCINSPECT_CAUSE_AROUND]),
	NUMBER("inserted_forced", inserted[PCINSPECT_CAUSE_FORCED]),
	NUMBER("inserted_write", inserted[PCINSPECT_CAUSE_WRITE]),
	NUMBER("inserted_other", inserted[PCINSPECT_CAUSE_OTHER]),
	NUMBER("expanded_pages", expanded_pages),
	{ "hole_pages", offsetof(struct pcinspect_reads, hole_pages),
	  PCINSPECT_READS_HOLES, 0 },
	NUMBER("refault_pages", refault_pages),
	NUMBER("wasted_pages", wasted_pages),
	NUMBER("unused_unknown_pages", unused_unknown_pages),
	NUMBER("removed_reclaim", removed[PCINSPECT_REMOVAL_RECLAIM]),
	NUMBER("removed_truncate", removed[PCINSPECT_REMOVAL_TRUNCATE]),
	NUMBER("removed_invalidate", removed[PCINSPECT_REMOVAL_INVALIDATE]),
	NUMBER("removed_evict", removed[PCINSPECT_REMOVAL_EVICT]),
	NUMBER("removed_trim", removed[PCINSPECT_REMOVAL_TRIM]),
	NUMBER("removed_other", removed[PCINSPECT_REMOVAL_OTHER]),
	NUMBER("direct_read_bytes", direct_read_bytes),
	NUMBER("direct_write_bytes", direct_write_bytes),
	{ "direct_flushed_pages",
	  offsetof(struct pcinspect_reads, direct_flushed_pages),
	  PCINSPECT_READS_FLUSHED, 0 },
	NUMBER("direct_invalidated_pages", direct_invalidated_pages),
};

/**
 * pcinspect_render_section() - the first section of a type behind a row
 * @snap: the row
 * @type: enum pcinspect_section_type
 * @size: set to the size of its contents
 *
 * Context: any.
 * Return: the contents, or NULL.
 */
const void *pcinspect_render_section(const struct pcinspect_snapshot *snap,
				     u32 type, size_t *size)
{
	size_t at = ALIGN(sizeof(*snap) + snap->path_len, 8);

	while (at + sizeof(struct pcinspect_section) <= snap->record_size) {
		const struct pcinspect_section *section = (void *)snap + at;

		if (section->type == type) {
			*size = section->size - sizeof(*section);
			return section + 1;
		}
		at += section->size;
	}
	return NULL;
}

static void render_read(struct seq_file *m,
			const struct pcinspect_snapshot *snap,
			const struct pcinspect_reads *reads,
			const struct render_read *col)
{
	if (reads && (reads->flags & col->reads) == col->reads &&
	    (snap->flags & col->snap) == col->snap)
		seq_printf(m, "%llu", *(u64 *)((void *)reads + col->offset));
	else
		seq_putc(m, '?');
}

/**
 * pcinspect_render_comm() - print a thread's name as one word
 * @m: where to
 * @comm: its PCINSPECT_COMM_LEN bytes
 *
 * Context: process context.
 */
void pcinspect_render_comm(struct seq_file *m, const char *comm)
{
	char word[4 * PCINSPECT_COMM_LEN];

	pcinspect_render_escape(word, sizeof(word), comm,
				strnlen(comm, PCINSPECT_COMM_LEN));
	seq_puts(m, *word ? word : "?");
}

/**
 * pcinspect_render_reads_header() - the first line of reads
 * @m: where to
 *
 * Context: process context.
 */
void pcinspect_render_reads_header(struct seq_file *m)
{
	int i;

	seq_puts(m, "inode i_generation fs kind");
	for (i = 0; i < ARRAY_SIZE(render_reads); i++)
		seq_printf(m, " %s", render_reads[i].name);
	seq_puts(m, " path\n");
}

/**
 * pcinspect_render_reads_row() - one line of reads
 * @m: where to
 * @snap: whose; its sections follow
 * @name: name of the inode's folder, or NULL
 *
 * Context: process context.
 */
void pcinspect_render_reads_row(struct seq_file *m,
				const struct pcinspect_snapshot *snap,
				const char *name)
{
	const struct pcinspect_reads *reads;
	size_t size;
	int i;

	reads = pcinspect_render_section(snap, PCINSPECT_SECTION_READS, &size);
	pcinspect_render_identity(m, snap, name);
	for (i = 0; i < ARRAY_SIZE(render_reads); i++) {
		seq_putc(m, ' ');
		if (snap->flags & PCINSPECT_F_GONE &&
		    !strcmp(render_reads[i].name, "device_bytes"))
			seq_printf(m, "%llu", snap->gone_device_bytes);
		else
			render_read(m, snap, reads, &render_reads[i]);
	}
	pcinspect_render_last(m, snap);
}

static void render_culprits(struct seq_file *m, const char *title,
			    const struct pcinspect_culprit *who, bool evictors,
			    u64 others)
{
	int i;

	for (i = 0; i < PCINSPECT_NR_CULPRITS && who[i].pages; i++) {
		seq_printf(m, "%s: %llu %u ", title, who[i].pages, who[i].pid);
		pcinspect_render_comm(m, who[i].comm);
		if (!evictors)
			seq_printf(m, " %s\n",
				   pcinspect_remover_op_word(who[i].how));
		else if (who[i].ino)
			seq_printf(m, " %s %u:%u:%llu\n",
				   who[i].inferred ? "inferred" : "exact",
				   who[i].dev_major, who[i].dev_minor,
				   who[i].ino);
		else
			seq_printf(m, " %s ?\n",
				   who[i].inferred ? "inferred" : "exact");
	}
	if (others)
		seq_printf(m, "%s: %llu ? (others) %s\n", title, others,
			   evictors ? "? ?" : "?");
}

static void render_task(struct seq_file *m,
			const struct pcinspect_snapshot *snap,
			const struct pcinspect_task *task, bool others)
{
	if (others)
		seq_puts(m, "task: ? (others)");
	else
		seq_printf(m, "task: %u ", task->pid);
	if (!others)
		pcinspect_render_comm(m, task->comm);
	seq_printf(m, " %llu", task->demanded_bytes);
	if (snap->flags & PCINSPECT_F_DEVICE)
		seq_printf(m, " %llu", task->device_bytes);
	else
		seq_puts(m, " ?");
	seq_printf(m, " %llu\n", task->inserted_pages);
}

/**
 * pcinspect_render_reads() - the file inode/…/reads
 * @m: where to
 * @snap: whose; its sections follow
 *
 * Context: process context.
 */
void pcinspect_render_reads(struct seq_file *m,
			    const struct pcinspect_snapshot *snap)
{
	const struct pcinspect_reads *reads;
	size_t size;
	int i;

	reads = pcinspect_render_section(snap, PCINSPECT_SECTION_READS, &size);
	if (reads)
		seq_printf(m, "interval_ns: %llu\n",
			   snap->time_ns > reads->since_ns ?
				   snap->time_ns - reads->since_ns :
				   0);
	for (i = 0; i < ARRAY_SIZE(render_reads); i++) {
		seq_printf(m, "%s: ", render_reads[i].name);
		render_read(m, snap, reads, &render_reads[i]);
		seq_putc(m, '\n');
	}
	if (!reads)
		return;
	render_culprits(m, "evicted_by", reads->evictors, true,
			reads->evictors_other_pages);
	render_culprits(m, "removed_by", reads->removers, false,
			reads->removers_other_pages);
	for (i = 0; i < PCINSPECT_NR_TASKS && reads->tasks[i].comm[0]; i++)
		render_task(m, snap, &reads->tasks[i], false);
	if (reads->others.demanded_bytes || reads->others.device_bytes ||
	    reads->others.inserted_pages)
		render_task(m, snap, &reads->others, true);
}

/**
 * pcinspect_render_windows_header() - the first line of readahead
 * @m: where to
 *
 * Context: process context.
 */
void pcinspect_render_windows_header(struct seq_file *m)
{
	seq_puts(m,
		 "inode i_generation fs kind time_ns pid comm cause index requested planned async inserted expanded order ra_pages path\n");
}

/**
 * pcinspect_render_windows() - an inode's lines of readahead, newest last
 * @m: where to
 * @snap: whose; its sections follow
 * @name: name of the inode's folder, or NULL
 *
 * Context: process context.
 */
void pcinspect_render_windows(struct seq_file *m,
			      const struct pcinspect_snapshot *snap,
			      const char *name)
{
	const struct pcinspect_window *window;
	size_t size;

	window = pcinspect_render_section(snap, PCINSPECT_SECTION_WINDOWS,
					  &size);
	for (; window && size >= sizeof(*window); size -= sizeof(*window)) {
		pcinspect_render_identity(m, snap, name);
		seq_printf(m, " %llu %u ", window->time_ns, window->pid);
		pcinspect_render_comm(m, window->comm);
		seq_printf(m, " %s %llu %u %u %u %u %u %u %u",
			   pcinspect_cause_word(window->cause), window->index,
			   window->requested_pages, window->planned_pages,
			   window->async_pages, window->inserted_pages,
			   window->expanded_pages, window->order,
			   window->ra_pages);
		pcinspect_render_last(m, snap);
		window++;
	}
}
