// SPDX-License-Identifier: GPL-2.0-only
/*
 * writes.c - the rules of explain about writing. Touches memory only.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/rules.h"
#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/quote.h"
#include "model/writes.h"

/* --- data that should be on the device ------------------------------------------ */

/* When is data overdue? dirty_expire_centisecs, the next turn, and as much for writing. */
static bool overdue_ms(const struct report *report, uint64_t *late, uint64_t *turn)
{
	uint64_t expire;

	if (!report_setting(report, "/proc/sys/vm/dirty_expire_centisecs", &expire) ||
	    !report_setting(report, "/proc/sys/vm/dirty_writeback_centisecs", turn))
		return false;
	*late = (expire + 2 * (*turn ?: 500)) * 10;
	return true;
}

/* The age of the oldest page that has one: others may be older. */
static uint64_t known_age_ms(const struct file *file)
{
	return number_known(file, PCINSPECT_OLDEST_MS) ||
		       number_known(file, PCINSPECT_UNKNOWN_AGE_PAGES) ?
		       file->snap.numbers[PCINSPECT_OLDEST_MS] : 0;
}

static uint64_t overdue_holds(const struct subject *s)
{
	uint64_t late, turn;

	return overdue_ms(s->report, &late, &turn) && known_age_ms(s->file) > late ?
		number_of(s->file, PCINSPECT_DIRTY) ?: 1 : 0;
}

/* Why it is, each a cause of its own. */
enum overdue_why { WHY_OFF, WHY_REDIRTIED, WHY_REQUEUED, WHY_STUCK };

static enum overdue_why why_overdue(const struct subject *s)
{
	uint64_t oldest = known_age_ms(s->file), late, turn, inode_age;

	if (!overdue_ms(s->report, &late, &turn) || !turn)
		return WHY_OFF;
	if (number_of(s->file, PCINSPECT_REDIRTIED_PAGES))
		return WHY_REDIRTIED;
	return file_number(s->file, PCINSPECT_INODE_AGE_MS, &inode_age) &&
	       inode_age + late / 2 < oldest ? WHY_REQUEUED : WHY_STUCK;
}

static char *overdue_cause(const struct subject *s)
{
	char *device = device_of(s), *out;
	enum overdue_why why = why_overdue(s);

	/* Switched off it is for all devices. */
	out = alloc_text("%d %s", why, why == WHY_OFF ? "" : device);
	free(device);
	return out;
}

static bool say_overdue(const struct subject *s)
{
	static const struct {
		const char *why, *remedy;
	} words[] = {
		[WHY_OFF] = { "periodic writeback is switched off (vm.dirty_writeback_centisecs is 0)",
			      "set it, or fsync(2)" },
		[WHY_REDIRTIED] = { "it was made dirty again while it was being written",
				    "fsync(2) when the writer pauses" },
		[WHY_REQUEUED] = { "the kernel began the time of the whole inode again when it put it back in the queue",
				   "fsync(2), or a smaller vm.dirty_expire_centisecs" },
		[WHY_STUCK] = { "the flusher has not come round to it: its device is busy, frozen or gone",
				"look at the device's queue, or fsync(2)" },
	};
	uint64_t dirty = count(s, PCINSPECT_DIRTY), oldest = 0, late = 0, turn = 0, expire;
	enum overdue_why why = why_overdue(s);
	char *word;
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (known_age_ms(s->list[i]) > oldest)
			oldest = known_age_ms(s->list[i]);
	if (!overdue_ms(s->report, &late, &turn))
		return false;
	expire = late / 10 - 2 * (turn ?: 500);
	add_verdict(s, "data-overdue", dirty * s->report->page_size,
		    "the oldest of %ju dirty pages has been dirty for %.1f s, although vm.dirty_expire_centisecs is %.1f s: %s",
		    (uintmax_t)dirty, oldest / 1e3, expire / 100.0, words[why].why);
	is_not_moved(s);
	if (why == WHY_OFF && s->nr > 1)
		add_scope(s, SCOPE_MACHINE, NULL);
	add_remedy(s, "%s", words[why].remedy);
	if (!turn) {
		add_command(s, "sysctl -w vm.dirty_writeback_centisecs=500");
	} else if (s->file->path && !(s->file->snap.flags & PCINSPECT_F_DELETED)) {
		word = shell_word(s->file->path);
		add_command(s, "sync %s%s", s->nr > 1 ? "-f " : "", word);
		free(word);
	}
	add_evidence(s, "dirty_pages", dirty);
	add_evidence(s, "oldest_ms", oldest);
	add_evidence(s, "expire_centisecs", expire);
	add_evidence(s, "writeback_centisecs", turn);
	return true;
}

/* --- what fsync waits for --------------------------------------------------------- */

/* The calls of files, summed up. */
struct calls {
	uint64_t n, duration_ns, requests, splits, log_wait_ns, data_wait_ns;
	uint64_t written, limit, datasyncs, log_requests, first_ns, end_ns;
	uint32_t pid;
	bool one, waits_unknown, log_unknown;
};

static void add_call(struct calls *sum, const struct pcinspect_fsync *call)
{
	if (call->flags & (PCINSPECT_FSYNC_NO_DATA_WAIT | PCINSPECT_FSYNC_NO_LOG_WAIT))
		sum->waits_unknown = true;
	sum->log_unknown |= !(call->flags & PCINSPECT_FSYNC_LOG);
	sum->one = !sum->n || (sum->one && call->pid == sum->pid);
	sum->pid = call->pid;
	if (!sum->n || call->time_ns < sum->first_ns)
		sum->first_ns = call->time_ns;
	if (call->time_ns + call->duration_ns > sum->end_ns)
		sum->end_ns = call->time_ns + call->duration_ns;
	sum->n++;
	sum->datasyncs += !!(call->flags & PCINSPECT_FSYNC_DATASYNC);
	sum->duration_ns += call->duration_ns;
	sum->log_requests += call->log_requests;
	sum->log_wait_ns += call->log_wait_ns;
	sum->data_wait_ns += call->data_wait_ns;
	/* Else they are too low by nobody knows what. */
	if (!(call->flags & PCINSPECT_FSYNC_NO_WRITTEN)) {
		sum->requests += call->requests;
		sum->splits += call->splits_at_limit;
		sum->written += call->written_pages;
	}
	if (call->max_sectors_bytes)
		sum->limit = call->max_sectors_bytes;
}

static struct calls sum_calls(const struct subject *s)
{
	struct calls sum = {};
	size_t i, k;

	for (k = 0; k < s->nr; k++)
		for (i = 0; i < s->list[k]->nr_fsyncs; i++)
			add_call(&sum, &s->list[k]->fsyncs[i]);
	return sum;
}

/* As large as bios of the page cache come. */
#define LARGE_KB 4096

static uint64_t splitting_holds(const struct subject *s)
{
	const struct calls sum = sum_calls(s);

	return sum.splits && sum.splits * 2 >= sum.requests ? sum.splits : 0;
}

/* The queue of a file's device; of a partition it is that of its disk. */
static void find_queue(const struct subject *s, char *queue, size_t room)
{
	static const char *const places[] = { "../queue", "queue" };
	char path[128];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(queue, room, "/sys/dev/block/%u:%u/%s", s->file->snap.dev_major,
			 s->file->snap.dev_minor, places[i]);
		snprintf(path, sizeof(path), "%s/max_hw_sectors_kb", queue);
		if (report_has_setting(s->report, path))
			break;
	}
}

static bool say_splitting(const struct subject *s)
{
	const struct calls sum = sum_calls(s);
	char queue[80], path[128];
	uint64_t most, bytes = sum.written * s->report->page_size;

	if (sum.splits < 8 || !worth(s, bytes, 0))
		return false;
	find_queue(s, queue, sizeof(queue));
	snprintf(path, sizeof(path), "%s/max_hw_sectors_kb", queue);
	add_verdict(s, "fsync-split", bytes,
		    "%ju of the %ju requests of %ju fsync calls (%.1f ms each) exist because a bio was larger than the queue takes at once (max_sectors_kb is %ju)",
		    (uintmax_t)sum.splits, (uintmax_t)sum.requests,
		    (uintmax_t)sum.n, sum.duration_ns / 1e6 / sum.n,
		    (uintmax_t)sum.limit / 1024);
	if (s->nr > 1)
		add_scope(s, SCOPE_DEVICE, NULL);
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

/* Waiting for the log is worth a word from this part of the time on. */
#define WAIT_PART 20

static uint64_t log_holds(const struct subject *s)
{
	const struct calls sum = sum_calls(s);

	return sum.n && !sum.waits_unknown && sum.log_wait_ns * 2 >= sum.duration_ns &&
	       sum.log_wait_ns >= sum.data_wait_ns ? sum.log_wait_ns : 0;
}

/*
 * Of a run the whole time counts, else that from the first call that is kept to the end
 * of the last. A caller of fdatasync(2) does not get this advice.
 */
static bool say_log(const struct subject *s)
{
	const struct calls sum = sum_calls(s);
	uint64_t span = s->report->interval_ns ?: sum.end_ns - sum.first_ns;
	bool data_only = sum.datasyncs * 2 > sum.n;

	if (sum.n < 4 || sum.duration_ns < 20000000 || sum.log_wait_ns * WAIT_PART < span)
		return false;
	add_verdict(s, "fsync-waits-for-log", sum.written * s->report->page_size,
		    "%.0f %% of the time of %ju %s calls (%.1f ms each) is waiting for the filesystem's log and the disk's cache, %.0f %% for the file's own data",
		    percent(sum.log_wait_ns, sum.duration_ns), (uintmax_t)sum.n,
		    data_only ? "fdatasync" : "fsync", sum.duration_ns / 1e6 / sum.n,
		    percent(sum.data_wait_ns, sum.duration_ns));
	if (s->nr > 1)
		add_scope(s, SCOPE_DEVICE, NULL);
	if (!data_only)
		add_remedy(s, "fdatasync(2) where the size of the file stays, fewer and larger calls, or the log on a faster device");
	else if (!sum.log_unknown && sum.log_requests < sum.n)
		/* Nothing but the flush of the disk's cache is left to wait for. */
		add_remedy(s, "fewer and larger calls, or a disk whose cache outlives a power cut");
	else
		add_remedy(s, "space that is written beforehand, so that calls find no new blocks to log; fewer and larger calls, or the log on a faster device");
	add_evidence(s, "calls", sum.n);
	add_evidence(s, "fdatasync_calls", sum.datasyncs);
	add_evidence(s, "duration_ns", sum.duration_ns);
	add_evidence(s, "log_wait_ns", sum.log_wait_ns);
	add_evidence(s, "data_wait_ns", sum.data_wait_ns);
	add_evidence(s, "interval_ns", span);
	return true;
}

/* --- one task calls, and others had made dirty what it had to write --------------- */

/* The tasks that made a file's pages dirty: the caller, all, and the largest other. */
struct dirtied {
	uint64_t own, all;
	const struct pcinspect_task *worst;
};

static struct dirtied who_dirtied(const struct file *file, uint32_t pid)
{
	struct dirtied out = { .all = file->who->others.dirtied_pages };
	int i;

	for (i = 0; i < PCINSPECT_NR_TASKS && file->who->tasks[i].comm[0]; i++) {
		const struct pcinspect_task *task = &file->who->tasks[i];

		out.all += task->dirtied_pages;
		if (task->pid == pid)
			out.own += task->dirtied_pages;
		else if (!out.worst || task->dirtied_pages > out.worst->dirtied_pages)
			out.worst = task;
	}
	return out;
}

static uint64_t others_hold(const struct subject *s)
{
	const struct calls sum = sum_calls(s);
	const struct dirtied by = who_dirtied(s->file, sum.pid);

	/* Other pages written, or dirty before, may have been dirtied by anybody. */
	return sum.n && sum.one && by.all * 2 >= sum.written && by.worst &&
	       by.worst->dirtied_pages && by.own * 2 <= by.all &&
	       sum.written * 2 >= count(s, PCINSPECT_WRITTEN_PAGES) ? sum.written : 0;
}

static char *others_cause(const struct subject *s)
{
	uint32_t pid = sum_calls(s).pid;

	return alloc_text("%u %u", pid, who_dirtied(s->file, pid).worst->pid);
}

static bool say_others(const struct subject *s)
{
	const struct calls sum = sum_calls(s);
	struct dirtied all = {}, one;
	uint64_t others = 0;
	char *comm;
	size_t i;

	if (sum.written < WORTH_PAGES || !worth(s, sum.written * s->report->page_size, 0))
		return false;
	for (i = 0; i < s->nr; i++) {
		one = who_dirtied(s->list[i], sum.pid);
		all.own += one.own;
		all.all += one.all;
		all.worst = all.worst ?: one.worst;
		others += one.worst->dirtied_pages;
	}
	comm = escape_comm(all.worst->comm);
	add_verdict(s, "fsync-writes-others-data", sum.written * s->report->page_size,
		    "the fsync calls of process %u wrote %ju pages, but it made only %.0f %% of them dirty; %s[%u] made %.0f %%",
		    sum.pid, (uintmax_t)sum.written, percent(all.own, all.all), comm,
		    all.worst->pid, percent(others, all.all));
	if (s->nr > 1)
		add_scope(s, SCOPE_PROCESS, "%.*s[%u]", PCINSPECT_COMM_LEN, all.worst->comm, all.worst->pid);
	free(comm);
	add_remedy(s, "let the writer flush its own (sync_file_range(2), or fsync(2) more often), or write to another file");
	is_inferred(s);
	add_evidence(s, "written_pages", sum.written);
	add_evidence(s, "dirtied_pages", all.all);
	add_evidence(s, "own_pages", all.own);
	add_evidence(s, "others_pages", others);
	add_evidence(s, "pid", sum.pid);
	add_evidence(s, "others_pid", all.worst->pid);
	return true;
}

/* --- whole folios ------------------------------------------------------------------- */

static uint64_t large_hold(const struct subject *s)
{
	uint64_t device = count(s, PCINSPECT_DEVICE_WRITE_BYTES);
	double factor;

	return file_write_amplification(s->file, &factor) && factor >= 2 &&
	       /* Newer kernels write only the dirty blocks of a large folio. */
	       device >= count(s, PCINSPECT_WRITTEN_PAGES) * s->report->page_size / 2 &&
	       count(s, PCINSPECT_DIRTIED_LARGE_PAGES) * 2 >= count(s, PCINSPECT_DIRTIED_PAGES) ?
		device : 0;
}

static bool say_large(const struct subject *s)
{
	uint64_t device = count(s, PCINSPECT_DEVICE_WRITE_BYTES);
	uint64_t written = count(s, PCINSPECT_WRITE_BYTES);

	if (!worth(s, device, WORTH_BYTES))
		return false;
	add_verdict(s, "large-folio-write-amplification", device - written,
		    "%s were written to %s, %s to the device (%.0f times): %.0f %% of the pages made dirty are of large folios, which this kernel writes back whole",
		    bytes_text(written).text, s->nr > 1 ? "the files" : "the file",
		    bytes_text(device).text, (double)device / written,
		    percent(count(s, PCINSPECT_DIRTIED_LARGE_PAGES), count(s, PCINSPECT_DIRTIED_PAGES)));
	add_remedy(s, "a kernel of 6.6 or later, writes in the order of the file, or drop the file from the cache (posix_fadvise(POSIX_FADV_DONTNEED)) before small overwrites");
	if (s->nr < 2)
		drop_command(s, s->file);
	is_inferred(s);
	add_evidence(s, "write_bytes", written);
	add_evidence(s, "device_write_bytes", device);
	add_evidence(s, "dirtied_pages", count(s, PCINSPECT_DIRTIED_PAGES));
	add_evidence(s, "dirtied_large_pages", count(s, PCINSPECT_DIRTIED_LARGE_PAGES));
	return true;
}

/* --- writers that are made to wait --------------------------------------------------- */

/* At most so much of memory may be dirty: what is left has to do for all else. */
#define MOST_RATIO 60

static uint64_t throttled_holds(const struct subject *s)
{
	return writes_throttle_limit(s->report, s->file) ? writes_throttled_ns(s->file) : 0;
}

static char *throttled_cause(const struct subject *s)
{
	const char *limit = writes_throttle_limit(s->report, s->file);
	struct memcg_limit memory;
	char *device, *out;

	if (!strcmp(limit, "cgroup"))
		return limit_of(s, true, &memory) ?
			       alloc_text("cgroup %.*s", memory.len, memory.path) :
			       alloc_text("cgroup");
	if (strcmp(limit, "device"))
		return alloc_text("machine");
	device = device_of(s);
	out = alloc_text("device %s", device);
	free(device);
	return out;
}

static bool say_throttled(const struct subject *s)
{
	const char *limit = writes_throttle_limit(s->report, s->file);
	uint64_t times = count(s, PCINSPECT_THROTTLES), bytes = count(s, PCINSPECT_WRITE_BYTES);
	uint64_t ns = 0, ratio;
	struct memcg_limit memory;
	char *whose;
	size_t i;

	for (i = 0; i < s->nr; i++)
		ns += writes_throttled_ns(s->list[i]);
	/* A second, or a tenth of the time; of a long run a second is nothing. */
	if (ns < 100000000 || (ns < 1000000000 && ns * 10 < s->interval) ||
	    ns * WAIT_PART < s->report->interval_ns)
		return false;
	if (!strcmp(limit, "device")) {
		add_verdict(s, "dirty-throttled", bytes,
			    "writers of %s slept for %.1f s in %ju pauses because %s device has too many dirty pages",
			    these(s), ns / 1e9, (uintmax_t)times, s->nr > 1 ? "their" : "its");
		add_scope(s, SCOPE_DEVICE, NULL);
		add_remedy(s, "a larger max_ratio of the device (/sys/class/bdi), or a faster one");
	} else if (strcmp(limit, "cgroup")) {
		add_verdict(s, "dirty-throttled", bytes,
			    "writers of %s slept for %.1f s in %ju pauses because the machine has too many dirty pages",
			    these(s), ns / 1e9, (uintmax_t)times);
		add_scope(s, SCOPE_MACHINE, NULL);
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
			    "writers of %s slept for %.1f s in %ju pauses at the dirty limit of their memory cgroup, which follows from %s; the machine's own limit was not reached",
			    these(s), ns / 1e9, (uintmax_t)times, whose);
		free(whose);
		add_remedy(s, "a larger memory.high or memory.max, or writers that call fsync(2) themselves");
		if (memory.len) {
			add_scope(s, SCOPE_CGROUP, "%.*s", memory.len, memory.path);
			raise_limit_command(s, &memory, memory.bytes);
			add_evidence(s, "limit_bytes", memory.bytes);
		}
	}
	is_not_moved(s);
	add_evidence(s, "throttled_ns", ns);
	add_evidence(s, "pauses", times);
	add_evidence(s, "write_bytes", bytes);
	return true;
}

const struct rule write_rules[] = {
	{ overdue_holds, overdue_cause, say_overdue, false },
	{ splitting_holds, device_of, say_splitting, false },
	{ log_holds, device_of, say_log, false },
	{ others_hold, others_cause, say_others, false },
	{ large_hold, device_of, say_large, false },
	{ throttled_holds, throttled_cause, say_throttled, false },
};

const size_t nr_write_rules = sizeof(write_rules) / sizeof(*write_rules);
