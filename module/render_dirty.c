// SPDX-License-Identifier: GPL-2.0
/*
 * render_dirty.c - the write side's text: dirty, fsync, and the same of one
 * inode. Documented in docs/pcinspect.5. Unknown is "?", never 0.
 *
 * May touch: only the structs it is given.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "../include/uapi/pcinspect.h"
#include "render.h"

static const char *const render_bounds[PCINSPECT_NR_AGES] = {
	"10",	"100",	 "500",	  "1000",  "2000",
	"5000", "10000", "30000", "60000", "inf",
};

/**
 * pcinspect_render_dirty_header() - the first line of dirty
 * @m: where to
 *
 * Context: process context.
 */
void pcinspect_render_dirty_header(struct seq_file *m)
{
	int i;

	seq_puts(m,
		 "inode i_generation fs kind dirty oldest_ms unknown_age_pages");
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		seq_printf(m, " le_%s_ms", render_bounds[i]);
	seq_puts(m, " written_pages written_unknown_age_pages");
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		seq_printf(m, " written_le_%s_ms", render_bounds[i]);
	seq_puts(m, " path\n");
}

/* " N" or " ?" */
static void render_maybe(struct seq_file *m, bool known, u64 value)
{
	if (known)
		seq_printf(m, " %llu", value);
	else
		seq_puts(m, " ?");
}

/**
 * pcinspect_render_dirty_row() - one line of dirty
 * @m: where to
 * @snap: whose; its sections follow
 * @name: name of the inode's folder, or NULL
 *
 * Context: process context.
 */
void pcinspect_render_dirty_row(struct seq_file *m,
				const struct pcinspect_snapshot *snap,
				const char *name)
{
	bool known = snap->flags & PCINSPECT_F_AGES;
	const struct pcinspect_reads *reads;
	size_t size;
	int i;

	reads = pcinspect_render_section(snap, PCINSPECT_SECTION_READS, &size);
	pcinspect_render_identity(m, snap, name);
	render_maybe(m, snap->flags & PCINSPECT_F_WRITEBACK, snap->pages.dirty);
	render_maybe(m, known && snap->ages.oldest_ns,
		     div_u64(snap->ages.oldest_ns, NSEC_PER_MSEC));
	render_maybe(m, known, snap->ages.unknown_pages);
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		render_maybe(m, known, snap->ages.pages[i]);
	render_maybe(m, known && reads, reads ? reads->written_pages : 0);
	render_maybe(m, known && reads,
		     reads ? reads->written_unknown_pages : 0);
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		render_maybe(m, known && reads,
			     reads ? reads->written_ages[i] : 0);
	pcinspect_render_last(m, snap);
}

/**
 * pcinspect_render_fsync_header() - the first line of fsync
 * @m: where to
 *
 * Context: process context.
 */
void pcinspect_render_fsync_header(struct seq_file *m)
{
	seq_puts(m,
		 "inode i_generation fs kind time_ns pid comm duration_ns dirty_at_entry_pages written_pages requests request_bytes sizes log_requests log_bytes max_sectors_bytes splits splits_at_limit path\n");
}

static void render_sizes(struct seq_file *m, const struct pcinspect_fsync *call)
{
	int i;

	seq_putc(m, ' ');
	for (i = 0; i < PCINSPECT_NR_SIZES && call->sizes[i].requests; i++) {
		if (i)
			seq_putc(m, ',');
		if (call->sizes[i].bytes)
			seq_printf(m, "%llu", call->sizes[i].bytes);
		else
			seq_putc(m, '?');
		seq_printf(m, "*%llu", call->sizes[i].requests);
	}
	if (!i)
		seq_putc(m, '-');
}

/**
 * pcinspect_render_fsyncs() - an inode's lines of fsync, newest last
 * @m: where to
 * @snap: whose; its sections follow
 * @name: name of the inode's folder, or NULL
 *
 * Context: process context.
 */
void pcinspect_render_fsyncs(struct seq_file *m,
			     const struct pcinspect_snapshot *snap,
			     const char *name)
{
	const struct pcinspect_fsync *call;
	size_t size;

	call = pcinspect_render_section(snap, PCINSPECT_SECTION_FSYNCS, &size);
	for (; call && size >= sizeof(*call); size -= sizeof(*call), call++) {
		bool log = call->flags & PCINSPECT_FSYNC_LOG;

		pcinspect_render_identity(m, snap, name);
		seq_printf(m, " %llu %u ", call->time_ns, call->pid);
		pcinspect_render_comm(m, call->comm);
		seq_printf(m, " %llu", call->duration_ns);
		render_maybe(m, call->flags & PCINSPECT_FSYNC_DIRTY,
			     call->dirty_at_entry_pages);
		seq_printf(m, " %llu %llu %llu", call->written_pages,
			   call->requests, call->request_bytes);
		render_sizes(m, call);
		render_maybe(m, log, call->log_requests);
		render_maybe(m, log, call->log_bytes);
		render_maybe(m, call->max_sectors_bytes,
			     call->max_sectors_bytes);
		seq_printf(m, " %llu %llu", call->splits, call->splits_at_limit);
		pcinspect_render_last(m, snap);
	}
}
