// SPDX-License-Identifier: GPL-2.0-only
/*
 * render_writes.c - fsync calls as text. Documented in docs/pcinspect.5. Unknown is
 * "?", never 0.
 *
 * May touch: only the structs it is given.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "uapi/pcinspect.h"
#include "surface/render.h"

/* The first line of fsync. */
void pcinspect_render_fsync_header(struct seq_file *m)
{
	seq_puts(m,
		 "inode i_generation fs kind time_ns pid comm duration_ns dirty_at_entry_pages written_pages requests request_bytes sizes log_requests log_bytes max_sectors_bytes splits splits_at_limit call writeback_at_entry_pages rewritten_tail_pages data_wait_ns log_wait_ns path\n");
}

static void render_sizes(struct seq_file *m, const struct pcinspect_fsync *call)
{
	int i;

	if (!(call->flags & PCINSPECT_FSYNC_REQUESTS)) {
		seq_puts(m, " ?");
		return;
	}
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

/* An inode's lines of fsync, newest last. */
void pcinspect_render_fsyncs(struct seq_file *m,
			     const struct pcinspect_snapshot *snap,
			     const char *name)
{
	const struct pcinspect_fsync *call;
	size_t size;

	call = pcinspect_render_section(snap, PCINSPECT_SECTION_FSYNCS, &size);
	for (; call && size >= sizeof(*call); size -= sizeof(*call), call++) {
		bool log = call->flags & PCINSPECT_FSYNC_LOG;
		bool requests = call->flags & PCINSPECT_FSYNC_REQUESTS;
		bool splits = requests &&
			      !(call->flags & PCINSPECT_FSYNC_NO_SPLITS);

		pcinspect_render_identity(m, snap, name);
		seq_printf(m, " %llu %u ", call->time_ns, call->pid);
		pcinspect_render_comm(m, call->comm);
		seq_printf(m, " %llu", call->duration_ns);
		pcinspect_render_maybe(m, call->flags & PCINSPECT_FSYNC_DIRTY,
				       call->dirty_at_entry_pages);
		pcinspect_render_maybe(m,
				       !(call->flags &
					 PCINSPECT_FSYNC_NO_WRITTEN),
				       call->written_pages);
		pcinspect_render_maybe(m, requests, call->requests);
		pcinspect_render_maybe(m, requests, call->request_bytes);
		render_sizes(m, call);
		pcinspect_render_maybe(m, log, call->log_requests);
		pcinspect_render_maybe(m, log, call->log_bytes);
		pcinspect_render_maybe(m, call->max_sectors_bytes,
				       call->max_sectors_bytes);
		pcinspect_render_maybe(m, splits, call->splits);
		pcinspect_render_maybe(m, splits, call->splits_at_limit);
		seq_printf(m, " %s",
			   pcinspect_fsync_kind_word(pcinspect_fsync_kind(call)));
		pcinspect_render_maybe(m,
				       call->flags & PCINSPECT_FSYNC_WRITEBACK,
				       call->writeback_at_entry_pages);
		pcinspect_render_maybe(m, call->flags & PCINSPECT_FSYNC_TAIL,
				       call->rewritten_tail_pages);
		pcinspect_render_maybe(m,
				       !(call->flags &
					 PCINSPECT_FSYNC_NO_DATA_WAIT),
				       call->data_wait_ns);
		pcinspect_render_maybe(m,
				       !(call->flags &
					 PCINSPECT_FSYNC_NO_LOG_WAIT),
				       call->log_wait_ns);
		pcinspect_render_last(m, snap);
	}
}
