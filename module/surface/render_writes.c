// SPDX-License-Identifier: GPL-2.0
/*
 * render_writes.c - the write side's text: dirty, fsync, and the same of one
 * inode. Documented in docs/pcinspect.5. Unknown is "?", never 0.
 *
 * May touch: only the structs it is given.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "uapi/pcinspect.h"
#include "surface/render.h"

static const char *const render_bounds[PCINSPECT_NR_AGES] = {
	"10",	"100",	 "500",	  "1000",  "2000",
	"5000", "10000", "30000", "60000", "inf",
};

static const char *const render_reasons[PCINSPECT_NR_REASONS] = {
	[PCINSPECT_REASON_BACKGROUND] = "background",
	[PCINSPECT_REASON_PERIODIC] = "periodic",
	[PCINSPECT_REASON_SYNC] = "sync",
	[PCINSPECT_REASON_FSYNC] = "fsync",
	[PCINSPECT_REASON_FADVISE] = "fadvise",
	[PCINSPECT_REASON_DIRECT] = "direct",
	[PCINSPECT_REASON_RECLAIM] = "reclaim",
	[PCINSPECT_REASON_FLUSHER] = "flusher",
	[PCINSPECT_REASON_OTHER] = "other",
};

static const char *const render_limits[PCINSPECT_NR_LIMITS] = {
	[PCINSPECT_LIMIT_UNKNOWN] = "unknown",
	[PCINSPECT_LIMIT_CGROUP] = "cgroup",
	[PCINSPECT_LIMIT_GLOBAL] = "global",
	[PCINSPECT_LIMIT_DEVICE] = "device",
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
	seq_puts(m,
		 " write_bytes device_write_bytes dirtied_pages dirtied_large_pages redirtied_pages");
	for (i = 0; i < PCINSPECT_NR_REASONS; i++)
		seq_printf(m, " by_%s", render_reasons[i]);
	seq_puts(m, " ended_pages writeback_ns throttles");
	for (i = 0; i < PCINSPECT_NR_LIMITS; i++)
		seq_printf(m, " throttled_%s_ns", render_limits[i]);
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

/* What the write ledger has; without one all of it is unknown. */
static void render_writes(struct seq_file *m,
			  const struct pcinspect_writes *writes, bool known)
{
	static const struct pcinspect_writes none;
	bool has = writes;
	bool timed;
	int i;

	if (!writes)
		writes = &none;
	timed = writes->flags & PCINSPECT_WRITES_TIME;
	render_maybe(m, known && has, writes->written_pages);
	render_maybe(m, known && has, writes->written_unknown_pages);
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		render_maybe(m, known && has, writes->written_ages[i]);
	render_maybe(m, has, writes->write_bytes);
	render_maybe(m, writes->flags & PCINSPECT_WRITES_DEVICE,
		     writes->device_write_bytes);
	render_maybe(m, known && has, writes->dirtied_pages);
	render_maybe(m, known && has, writes->dirtied_large_pages);
	render_maybe(m, known && has, writes->redirtied_pages);
	for (i = 0; i < PCINSPECT_NR_REASONS; i++)
		render_maybe(m, known && has, writes->reasons[i]);
	render_maybe(m, timed, writes->ended_pages);
	render_maybe(m, timed, writes->writeback_ns);
	render_maybe(m, known && has, writes->throttles);
	for (i = 0; i < PCINSPECT_NR_LIMITS; i++)
		render_maybe(m, known && has, writes->throttled_ns[i]);
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
	size_t size;
	int i;

	pcinspect_render_identity(m, snap, name);
	render_maybe(m, snap->flags & PCINSPECT_F_WRITEBACK, snap->pages.dirty);
	render_maybe(m, known && snap->ages.oldest_ns,
		     div_u64(snap->ages.oldest_ns, NSEC_PER_MSEC));
	render_maybe(m, known, snap->ages.unknown_pages);
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		render_maybe(m, known, snap->ages.pages[i]);
	render_writes(m,
		      pcinspect_render_section(snap, PCINSPECT_SECTION_WRITES,
					       &size),
		      known);
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
		bool requests = call->flags & PCINSPECT_FSYNC_REQUESTS;

		pcinspect_render_identity(m, snap, name);
		seq_printf(m, " %llu %u ", call->time_ns, call->pid);
		pcinspect_render_comm(m, call->comm);
		seq_printf(m, " %llu", call->duration_ns);
		render_maybe(m, call->flags & PCINSPECT_FSYNC_DIRTY,
			     call->dirty_at_entry_pages);
		seq_printf(m, " %llu", call->written_pages);
		render_maybe(m, requests, call->requests);
		render_maybe(m, requests, call->request_bytes);
		render_sizes(m, call);
		render_maybe(m, log, call->log_requests);
		render_maybe(m, log, call->log_bytes);
		render_maybe(m, call->max_sectors_bytes,
			     call->max_sectors_bytes);
		render_maybe(m, requests, call->splits);
		render_maybe(m, requests, call->splits_at_limit);
		seq_printf(m, " %s",
			   call->flags & PCINSPECT_FSYNC_RANGE ?
				   "sync_file_range" :
			   call->flags & PCINSPECT_FSYNC_DATASYNC ? "fdatasync" :
								    "fsync");
		render_maybe(m, call->flags & PCINSPECT_FSYNC_WRITEBACK,
			     call->writeback_at_entry_pages);
		render_maybe(m, call->flags & PCINSPECT_FSYNC_TAIL,
			     call->rewritten_tail_pages);
		seq_printf(m, " %llu %llu", call->data_wait_ns,
			   call->log_wait_ns);
		pcinspect_render_last(m, snap);
	}
}
