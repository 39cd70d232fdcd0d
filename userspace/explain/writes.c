// SPDX-License-Identifier: GPL-2.0
/*
 * writes.c - the rules of explain about writing. Touches memory, and
 * the flusher's settings in /proc/sys/vm.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/rules.h"
#include "lib/escape.h"
#include "model/writes.h"

/* A setting of the machine of the report in centiseconds, or -1: unknown. */
static long centisecs(const struct pcinspect_report *report, const char *name)
{
	char path[64];
	long value = -1;
	FILE *from;

	if (report->recorded)
		return -1;
	snprintf(path, sizeof(path), "/proc/sys/vm/%s", name);
	from = fopen(path, "re");
	if (!from)
		return -1;
	if (fscanf(from, "%ld", &value) != 1)
		value = -1;
	fclose(from);
	return value;
}

/*
 * Older than the flusher should let it get: dirty_expire_centisecs, then its
 * next turn, and as much again for the writing itself.
 */
static void overdue(struct pcinspect_saying *saying,
		    const struct pcinspect_numbers *n)
{
	const struct pcinspect_ages *ages = &n->file->snap.ages;
	long expire = centisecs(n->report, "dirty_expire_centisecs");
	long turn = centisecs(n->report, "dirty_writeback_centisecs");
	uint64_t late;
	const char *why;

	if (!(n->file->snap.flags & PCINSPECT_F_AGES) || expire < 0 || turn < 0)
		return;
	late = (expire + 2 * (turn ?: 500)) * 10000000ULL;
	if (ages->oldest_ns <= late)
		return;
	if (!turn)
		why = "periodic writeback is switched off (vm.dirty_writeback_centisecs is 0). Remedy: set it, or fsync(2)";
	else if (n->w->redirtied_pages)
		why = "it was made dirty again while it was being written. Remedy: fsync(2) when the writer pauses";
	else if (ages->inode_ns && ages->inode_ns + late / 2 < ages->oldest_ns)
		why = "the kernel began the time of the whole inode again when it put it back in the queue. Remedy: fsync(2), or a smaller vm.dirty_expire_centisecs";
	else
		why = "the flusher has not come round to it: its device is busy, frozen or gone. Remedy: look at the device's queue, or fsync(2)";
	pcinspect_say(saying, n, "data-overdue", n->file->snap.pages.dirty * 4096.0,
		      "the oldest of %ju dirty pages has been dirty for %.1f s, although vm.dirty_expire_centisecs is %.1f s: %s.",
		      (uintmax_t)n->file->snap.pages.dirty, ages->oldest_ns / 1e9,
		      expire / 100.0, why);
}

/* The calls of one file, summed up. */
struct calls {
	uint64_t n, duration_ns, requests, splits, log_wait_ns, data_wait_ns;
	uint64_t written, limit;
	uint32_t pid;
	bool one;
};

static void sum_calls(struct calls *sum, const struct pcinspect_file *file)
{
	size_t i;

	memset(sum, 0, sizeof(*sum));
	sum->one = true;
	for (i = 0; i < file->nr_fsyncs; i++) {
		const struct pcinspect_fsync *call = &file->fsyncs[i];

		if (i && call->pid != sum->pid)
			sum->one = false;
		sum->pid = call->pid;
		sum->n++;
		sum->duration_ns += call->duration_ns;
		sum->requests += call->requests;
		sum->splits += call->splits_at_limit;
		sum->log_wait_ns += call->log_wait_ns;
		sum->data_wait_ns += call->data_wait_ns;
		sum->written += call->written_pages;
		if (call->max_sectors_bytes)
			sum->limit = call->max_sectors_bytes;
	}
}

static void splitting(struct pcinspect_saying *saying,
		      const struct pcinspect_numbers *n, const struct calls *sum)
{
	if (sum->splits < 8 || sum->splits * 2 < sum->requests)
		return;
	pcinspect_say(saying, n, "fsync-split", sum->written * 4096.0,
		      "%ju of the %ju requests of %ju fsync calls (%.1f ms each) exist because a bio was larger than the queue takes at once (max_sectors_kb is %ju). Remedy: raise /sys/block/DISK/queue/max_sectors_kb up to max_hw_sectors_kb.",
		      (uintmax_t)sum->splits, (uintmax_t)sum->requests,
		      (uintmax_t)sum->n, sum->duration_ns / 1e6 / sum->n,
		      (uintmax_t)sum->limit / 1024);
}

static void waits_for_log(struct pcinspect_saying *saying,
			  const struct pcinspect_numbers *n, const struct calls *sum)
{
	if (sum->n < 4 || sum->duration_ns < 20000000 ||
	    sum->log_wait_ns * 2 < sum->duration_ns ||
	    sum->log_wait_ns < sum->data_wait_ns)
		return;
	pcinspect_say(saying, n, "fsync-waits-for-log", sum->written * 4096.0,
		      "%.0f %% of the time of %ju fsync calls (%.1f ms each) is waiting for the filesystem's log and the disk's cache, %.0f %% for the file's own data. Remedy: fdatasync(2) on a file of fixed size, fewer and larger calls, or the log on a faster device.",
		      pcinspect_percent(sum->log_wait_ns, sum->duration_ns),
		      (uintmax_t)sum->n, sum->duration_ns / 1e6 / sum->n,
		      pcinspect_percent(sum->data_wait_ns, sum->duration_ns));
}

/* One task calls, and others had made dirty what it had to write. */
static void others_data(struct pcinspect_saying *saying,
			const struct pcinspect_numbers *n, const struct calls *sum)
{
	const struct pcinspect_task *worst = NULL;
	uint64_t all = n->r->others.dirtied_pages, own = 0;
	char *comm;
	int i;

	if (!sum->n || !sum->one || sum->written < WORTH_PAGES)
		return;
	for (i = 0; i < PCINSPECT_NR_TASKS && n->r->tasks[i].comm[0]; i++) {
		const struct pcinspect_task *task = &n->r->tasks[i];

		all += task->dirtied_pages;
		if (task->pid == sum->pid)
			own += task->dirtied_pages;
		else if (!worst || task->dirtied_pages > worst->dirtied_pages)
			worst = task;
	}
	/* What was written otherwise, or dirty before, may have been dirtied by anybody. */
	if (all * 2 < sum->written)
		return;
	if (!worst || !worst->dirtied_pages || own * 2 > all ||
	    sum->written * 2 < n->w->written_pages)
		return;
	comm = pcinspect_comm(worst->comm);
	pcinspect_say(saying, n, "fsync-writes-others-data", sum->written * 4096.0,
		      "the fsync calls of process %u wrote %ju pages, but it made only %.0f %% of them dirty; %s[%u] made %.0f %%. Remedy: let the writer flush its own (sync_file_range(2), or fsync(2) more often), or write to another file.",
		      sum->pid, (uintmax_t)sum->written,
		      pcinspect_percent(own, all), comm, worst->pid,
		      pcinspect_percent(worst->dirtied_pages, all));
	free(comm);
}

static void large_folios(struct pcinspect_saying *saying,
			 const struct pcinspect_numbers *n)
{
	double factor;

	if (!pcinspect_file_write_amplification(n->file, &factor) || factor < 2 ||
	    n->w->device_write_bytes < WORTH_BYTES ||
	    /* Newer kernels write only the dirty blocks of a large folio. */
	    n->w->device_write_bytes < n->w->written_pages * 2048 ||
	    n->w->dirtied_large_pages * 2 < n->w->dirtied_pages)
		return;
	pcinspect_say(saying, n, "large-folio-write-amplification",
		      n->w->device_write_bytes - n->w->write_bytes,
		      "%s were written to the file, %s to its device (%.0f times): %.0f %% of the pages made dirty are of large folios, which this kernel writes back whole. Remedy: a kernel of 6.6 or later, writes in the order of the file, or drop the file from the cache (posix_fadvise(POSIX_FADV_DONTNEED)) before small overwrites.",
		      pcinspect_bytes(n->w->write_bytes).text,
		      pcinspect_bytes(n->w->device_write_bytes).text, factor,
		      pcinspect_percent(n->w->dirtied_large_pages,
					n->w->dirtied_pages));
}

static void throttled(struct pcinspect_saying *saying,
		      const struct pcinspect_numbers *n)
{
	const char *limit = writes_throttle_limit(n->report, n->w);
	uint64_t ns = writes_throttled_ns(n->w);
	uint64_t interval = pcinspect_report_interval(n->report);
	char *whose;

	/* A second, or a tenth of the time. */
	if (ns < 100000000 || (ns < 1000000000 && ns * 10 < interval) || !limit)
		return;
	if (strcmp(limit, "cgroup")) {
		pcinspect_say(saying, n, "dirty-throttled", n->w->write_bytes,
			      "writers of this file slept for %.1f s in %ju pauses because %s has too many dirty pages. Remedy: %s.",
			      ns / 1e9, (uintmax_t)n->w->throttles,
			      strcmp(limit, "device") ? "the machine" : "its device",
			      strcmp(limit, "device") ?
			      "a larger vm.dirty_ratio or vm.dirty_bytes, or writers that call fsync(2) themselves" :
			      "a larger max_ratio of the device (/sys/class/bdi), or a faster one");
		return;
	}
	whose = pcinspect_pressure(n);
	pcinspect_say(saying, n, "cgroup-dirty-throttled", n->w->write_bytes,
		      "writers of this file slept for %.1f s in %ju pauses at the dirty limit of their memory cgroup, which follows from %s; the machine's own limit was not reached. Remedy: a larger memory.high or memory.max, or writers that call fsync(2) themselves.",
		      ns / 1e9, (uintmax_t)n->w->throttles, whose);
	free(whose);
}

/**
 * pcinspect_explain_writes() - what is wrong with how a file is written
 * @saying: added to
 * @n: of which file, with a write ledger
 */
void pcinspect_explain_writes(struct pcinspect_saying *saying,
			      const struct pcinspect_numbers *n)
{
	struct calls sum;

	sum_calls(&sum, n->file);
	overdue(saying, n);
	splitting(saying, n, &sum);
	waits_for_log(saying, n, &sum);
	others_data(saying, n, &sum);
	large_folios(saying, n);
	throttled(saying, n);
}
