// SPDX-License-Identifier: GPL-2.0
/*
 * writes.c - the rules of explain about writing. Touches memory only.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/rules.h"
#include "lib/escape.h"
#include "lib/quote.h"
#include "model/writes.h"

/*
 * Older than the flusher should let it get: dirty_expire_centisecs, then its
 * next turn, and as much again for the writing itself.
 */
static bool overdue(const struct subject *s)
{
	uint64_t oldest, inode_age, expire, turn, late, dirty = number_of(s->file, PCINSPECT_DIRTY);
	const char *why, *remedy = "fsync(2)";
	char *word;

	if (!file_number(s->file, PCINSPECT_OLDEST_MS, &oldest) ||
	    !report_setting(s->report, "/proc/sys/vm/dirty_expire_centisecs", &expire) ||
	    !report_setting(s->report, "/proc/sys/vm/dirty_writeback_centisecs", &turn))
		return false;
	late = (expire + 2 * (turn ?: 500)) * 10;
	if (oldest <= late)
		return false;
	if (!turn) {
		why = "periodic writeback is switched off (vm.dirty_writeback_centisecs is 0)";
		remedy = "set it, or fsync(2)";
	} else if (count(s, PCINSPECT_REDIRTIED_PAGES)) {
		why = "it was made dirty again while it was being written";
		remedy = "fsync(2) when the writer pauses";
	} else if (file_number(s->file, PCINSPECT_INODE_AGE_MS, &inode_age) &&
		   inode_age + late / 2 < oldest) {
		why = "the kernel began the time of the whole inode again when it put it back in the queue";
		remedy = "fsync(2), or a smaller vm.dirty_expire_centisecs";
	} else {
		why = "the flusher has not come round to it: its device is busy, frozen or gone";
		remedy = "look at the device's queue, or fsync(2)";
	}
	add_verdict(s, "data-overdue", dirty * s->report->page_size,
		    "the oldest of %ju dirty pages has been dirty for %.1f s, although vm.dirty_expire_centisecs is %.1f s: %s",
		    (uintmax_t)dirty, oldest / 1e3, expire / 100.0, why);
	add_remedy(s, "%s", remedy);
	if (!turn) {
		add_command(s, "sysctl -w vm.dirty_writeback_centisecs=500");
	} else if (s->file->path && !(s->file->snap.flags & PCINSPECT_F_DELETED)) {
		word = shell_word(s->file->path);
		add_command(s, "sync %s", word);
		free(word);
	}
	add_evidence(s, "dirty_pages", dirty);
	add_evidence(s, "oldest_ms", oldest);
	add_evidence(s, "expire_centisecs", expire);
	add_evidence(s, "writeback_centisecs", turn);
	return true;
}

/* The calls of one file, summed up. */
struct calls {
	uint64_t n, duration_ns, requests, splits, log_wait_ns, data_wait_ns;
	uint64_t written, limit;
	uint32_t pid;
	bool one, waits_unknown;
};

static struct calls sum_calls(const struct file *file)
{
	struct calls sum = { .one = true };
	size_t i;

	for (i = 0; i < file->nr_fsyncs; i++) {
		const struct pcinspect_fsync *call = &file->fsyncs[i];

		if (call->flags & (PCINSPECT_FSYNC_NO_DATA_WAIT | PCINSPECT_FSYNC_NO_LOG_WAIT))
			sum.waits_unknown = true;
		if (i && call->pid != sum.pid)
			sum.one = false;
		sum.pid = call->pid;
		sum.n++;
		sum.duration_ns += call->duration_ns;
		sum.requests += call->requests;
		sum.splits += call->splits_at_limit;
		sum.log_wait_ns += call->log_wait_ns;
		sum.data_wait_ns += call->data_wait_ns;
		sum.written += call->written_pages;
		if (call->max_sectors_bytes)
			sum.limit = call->max_sectors_bytes;
	}
	return sum;
}

/* As large as bios of the page cache come. */
#define LARGE_KB 4096

static bool splitting(const struct subject *s)
{
	const struct calls sum = sum_calls(s->file);
	char queue[80], path[128];
	uint64_t most;

	if (sum.splits < 8 || sum.splits * 2 < sum.requests)
		return false;
	snprintf(queue, sizeof(queue), "/sys/dev/block/%u:%u/queue", s->file->snap.dev_major,
		 s->file->snap.dev_minor);
	snprintf(path, sizeof(path), "%s/max_hw_sectors_kb", queue);
	add_verdict(s, "fsync-split", sum.written * s->report->page_size,
			   "%ju of the %ju requests of %ju fsync calls (%.1f ms each) exist because a bio was larger than the queue takes at once (max_sectors_kb is %ju)",
			   (uintmax_t)sum.splits, (uintmax_t)sum.requests,
			   (uintmax_t)sum.n, sum.duration_ns / 1e6 / sum.n,
			   (uintmax_t)sum.limit / 1024);
	add_remedy(s, "raise max_sectors_kb of the queue up to max_hw_sectors_kb%s",
		   now_is(s, "%s", path).text);
	if (report_setting(s->report, path, &most) && most > sum.limit / 1024 &&
	    sum.limit / 1024 < LARGE_KB)
		add_command(s, "echo %ju > %s/max_sectors_kb",
			    (uintmax_t)(most < LARGE_KB ? most : LARGE_KB), queue);
	add_evidence(s, "calls", sum.n);
	add_evidence(s, "requests", sum.requests);
	add_evidence(s, "splits", sum.splits);
	add_evidence(s, "max_sectors_bytes", sum.limit);
	return true;
}

static bool waits_for_log(const struct subject *s)
{
	const struct calls sum = sum_calls(s->file);

	if (sum.waits_unknown || sum.n < 4 || sum.duration_ns < 20000000 ||
	    sum.log_wait_ns * 2 < sum.duration_ns || sum.log_wait_ns < sum.data_wait_ns)
		return false;
	add_verdict(s, "fsync-waits-for-log", sum.written * s->report->page_size,
			   "%.0f %% of the time of %ju fsync calls (%.1f ms each) is waiting for the filesystem's log and the disk's cache, %.0f %% for the file's own data",
			   percent(sum.log_wait_ns, sum.duration_ns), (uintmax_t)sum.n,
			   sum.duration_ns / 1e6 / sum.n,
			   percent(sum.data_wait_ns, sum.duration_ns));
	add_remedy(s, "fdatasync(2) on a file of fixed size, fewer and larger calls, or the log on a faster device");
	add_evidence(s, "calls", sum.n);
	add_evidence(s, "duration_ns", sum.duration_ns);
	add_evidence(s, "log_wait_ns", sum.log_wait_ns);
	add_evidence(s, "data_wait_ns", sum.data_wait_ns);
	return true;
}

/* One task calls, and others had made dirty what it had to write. */
static bool others_data(const struct subject *s)
{
	const struct calls sum = sum_calls(s->file);
	const struct pcinspect_task *worst = NULL;
	uint64_t all = s->file->who->others.dirtied_pages, own = 0;
	char *comm;
	int i;

	if (!sum.n || !sum.one || sum.written < WORTH_PAGES)
		return false;
	for (i = 0; i < PCINSPECT_NR_TASKS && s->file->who->tasks[i].comm[0]; i++) {
		const struct pcinspect_task *task = &s->file->who->tasks[i];

		all += task->dirtied_pages;
		if (task->pid == sum.pid)
			own += task->dirtied_pages;
		else if (!worst || task->dirtied_pages > worst->dirtied_pages)
			worst = task;
	}
	/* What was written otherwise, or dirty before, may have been dirtied by anybody. */
	if (all * 2 < sum.written || !worst || !worst->dirtied_pages || own * 2 > all ||
	    sum.written * 2 < count(s, PCINSPECT_WRITTEN_PAGES))
		return false;
	comm = escape_comm(worst->comm);
	add_verdict(s, "fsync-writes-others-data", sum.written * s->report->page_size,
		    "the fsync calls of process %u wrote %ju pages, but it made only %.0f %% of them dirty; %s[%u] made %.0f %%",
		    sum.pid, (uintmax_t)sum.written, percent(own, all), comm, worst->pid,
		    percent(worst->dirtied_pages, all));
	free(comm);
	add_remedy(s, "let the writer flush its own (sync_file_range(2), or fsync(2) more often), or write to another file");
	is_inferred(s);
	add_evidence(s, "written_pages", sum.written);
	add_evidence(s, "dirtied_pages", all);
	add_evidence(s, "own_pages", own);
	add_evidence(s, "others_pages", worst->dirtied_pages);
	add_evidence(s, "pid", sum.pid);
	add_evidence(s, "others_pid", worst->pid);
	return true;
}

static bool large_folios(const struct subject *s)
{
	double factor;

	if (!file_write_amplification(s->file, &factor) || factor < 2 ||
	    count(s, PCINSPECT_DEVICE_WRITE_BYTES) < WORTH_BYTES ||
	    /* Newer kernels write only the dirty blocks of a large folio. */
	    count(s, PCINSPECT_DEVICE_WRITE_BYTES) < count(s, PCINSPECT_WRITTEN_PAGES) * s->report->page_size / 2 ||
	    count(s, PCINSPECT_DIRTIED_LARGE_PAGES) * 2 < count(s, PCINSPECT_DIRTIED_PAGES))
		return false;
	add_verdict(s, "large-folio-write-amplification",
			   count(s, PCINSPECT_DEVICE_WRITE_BYTES) - count(s, PCINSPECT_WRITE_BYTES),
			   "%s were written to the file, %s to its device (%.0f times): %.0f %% of the pages made dirty are of large folios, which this kernel writes back whole",
			   bytes_text(count(s, PCINSPECT_WRITE_BYTES)).text,
			   bytes_text(count(s, PCINSPECT_DEVICE_WRITE_BYTES)).text, factor,
			   percent(count(s, PCINSPECT_DIRTIED_LARGE_PAGES), count(s, PCINSPECT_DIRTIED_PAGES)));
	add_remedy(s, "a kernel of 6.6 or later, writes in the order of the file, or drop the file from the cache (posix_fadvise(POSIX_FADV_DONTNEED)) before small overwrites");
	drop_command(s, s->file);
	is_inferred(s);
	add_evidence(s, "write_bytes", count(s, PCINSPECT_WRITE_BYTES));
	add_evidence(s, "device_write_bytes", count(s, PCINSPECT_DEVICE_WRITE_BYTES));
	add_evidence(s, "dirtied_pages", count(s, PCINSPECT_DIRTIED_PAGES));
	add_evidence(s, "dirtied_large_pages", count(s, PCINSPECT_DIRTIED_LARGE_PAGES));
	return true;
}

/* At most so much of memory may be dirty: what is left has to do for all else. */
#define MOST_RATIO 60

static bool throttled(const struct subject *s)
{
	const char *limit = writes_throttle_limit(s->report, s->file);
	uint64_t ns = writes_throttled_ns(s->file), times = count(s, PCINSPECT_THROTTLES), ratio;
	uint64_t bytes = count(s, PCINSPECT_WRITE_BYTES);
	struct memcg_limit memory;
	char *whose;

	/* A second, or a tenth of the time. */
	if (ns < 100000000 || (ns < 1000000000 && ns * 10 < s->interval) || !limit)
		return false;
	if (!strcmp(limit, "device")) {
		add_verdict(s, "dirty-throttled", bytes,
			    "writers of this file slept for %.1f s in %ju pauses because its device has too many dirty pages",
			    ns / 1e9, (uintmax_t)times);
		add_remedy(s, "a larger max_ratio of the device (/sys/class/bdi), or a faster one");
	} else if (strcmp(limit, "cgroup")) {
		add_verdict(s, "dirty-throttled", bytes,
			    "writers of this file slept for %.1f s in %ju pauses because the machine has too many dirty pages",
			    ns / 1e9, (uintmax_t)times);
		add_remedy(s, "a larger vm.dirty_ratio%s or vm.dirty_bytes, or writers that call fsync(2) themselves",
			   now_is(s, "/proc/sys/vm/dirty_ratio").text);
		/* 0: vm.dirty_bytes holds. */
		if (report_setting(s->report, "/proc/sys/vm/dirty_ratio", &ratio) && ratio &&
		    ratio < MOST_RATIO)
			add_command(s, "sysctl -w vm.dirty_ratio=%ju",
				    (uintmax_t)(2 * ratio < MOST_RATIO ? 2 * ratio : MOST_RATIO));
	} else {
		whose = pressure(s, true, &memory);
		add_verdict(s, "cgroup-dirty-throttled", bytes,
			    "writers of this file slept for %.1f s in %ju pauses at the dirty limit of their memory cgroup, which follows from %s; the machine's own limit was not reached",
			    ns / 1e9, (uintmax_t)times, whose);
		free(whose);
		add_remedy(s, "a larger memory.high or memory.max, or writers that call fsync(2) themselves");
		if (memory.len) {
			raise_limit_command(s, &memory, memory.bytes);
			add_evidence(s, "limit_bytes", memory.bytes);
		}
	}
	add_evidence(s, "throttled_ns", ns);
	add_evidence(s, "pauses", times);
	add_evidence(s, "write_bytes", bytes);
	return true;
}

const rule write_rules[] = {
	overdue, splitting, waits_for_log, others_data, large_folios, throttled,
};

const size_t nr_write_rules = sizeof(write_rules) / sizeof(*write_rules);
