// SPDX-License-Identifier: GPL-2.0
/*
 * reads.c - the rules of explain about reading. Touches memory only.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "explain/rules.h"
#include "lib/escape.h"

static bool read_around(const struct subject *s)
{
	uint64_t around = count(s, pcinspect_inserted(PCINSPECT_CAUSE_AROUND));
	struct memcg_limit limit;
	char *why;

	/* Hundreds of files share the damage: a quarter is worth a word. */
	if (around * 2 < s->read || s->fetched < WORTH_BYTES / 4 ||
	    count(s, pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM)) < WORTH_PAGES ||
	    count(s, PCINSPECT_REFAULT_PAGES) * 10 < around)
		return false;
	why = pressure(s, false, &limit);
	add_verdict(s, "mmap-read-around", s->fetched,
		    "%.0f %% of what reads inserted (%s) is mmap read-around: %ju faults made %s be read from the device, while read(2) asked for %s; %s evicted %ju pages of it meanwhile and %ju came back",
		    percent(around, s->read), pages_text(s, s->read).text,
		    (uintmax_t)count(s, PCINSPECT_FAULTS), bytes_text(s->fetched).text,
		    bytes_text(count(s, PCINSPECT_DEMANDED_BYTES)).text, why,
		    (uintmax_t)count(s, pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM)),
		    (uintmax_t)count(s, PCINSPECT_REFAULT_PAGES));
	free(why);
	add_remedy(s, "madvise(MADV_RANDOM) on the mapping, or a smaller read_ahead_kb%s before the file is opened, or %s",
		   now_is(s, READ_AHEAD, s->file->snap.bdi).text,
		   limit.len ? "a larger limit of that cgroup" : "more memory");
	read_less_command(s);
	add_evidence(s, "read_around_pages", around);
	add_evidence(s, "inserted_pages", s->read);
	add_evidence(s, "faults", count(s, PCINSPECT_FAULTS));
	add_evidence(s, "fetched_bytes", s->fetched);
	add_evidence(s, "demanded_bytes", count(s, PCINSPECT_DEMANDED_BYTES));
	add_evidence(s, "reclaimed_pages", count(s, pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM)));
	add_evidence(s, "refault_pages", count(s, PCINSPECT_REFAULT_PAGES));
	return true;
}

static bool expansion(const struct subject *s)
{
	uint64_t demanded = count(s, PCINSPECT_DEMANDED_BYTES);

	if (count(s, PCINSPECT_EXPANDED_PAGES) * 2 < s->read ||
	    count(s, PCINSPECT_EXPANDED_PAGES) < WORTH_PAGES / 4 || s->fetched < 4 * demanded)
		return false;
	add_verdict(s, "filesystem-expansion", s->fetched - demanded,
			   "%.0f %% of the %ju pages that reads inserted were added by the filesystem (%s), which reads whole blocks: %s were asked for, %s fetched (%.0f times)",
			   percent(count(s, PCINSPECT_EXPANDED_PAGES), s->read), (uintmax_t)s->read,
			   s->file->snap.fs, bytes_text(demanded).text,
			   bytes_text(s->fetched).text,
			   demanded ? (double)s->fetched / demanded : 0.0);
	add_remedy(s, "posix_fadvise(POSIX_FADV_RANDOM) where reads are scattered, a smaller block or stripe size for this data, or reads as large as the block");
	add_evidence(s, "expanded_pages", count(s, PCINSPECT_EXPANDED_PAGES));
	add_evidence(s, "inserted_pages", s->read);
	add_evidence(s, "demanded_bytes", demanded);
	add_evidence(s, "fetched_bytes", s->fetched);
	return true;
}

static bool waste(const struct subject *s)
{
	uint64_t wasted = count(s, PCINSPECT_WASTED_PAGES);

	/* More than was read ahead: it was so before these counts began. */
	if (wasted < WORTH_PAGES || wasted * 4 < s->ahead || wasted > s->ahead)
		return false;
	add_verdict(s, "readahead-waste", wasted * s->report->page_size,
			   "%.0f %% of the %ju pages that readahead brought in were removed unused (%s)",
			   percent(wasted, s->ahead), (uintmax_t)s->ahead,
			   pages_text(s, wasted).text);
	add_remedy(s, "posix_fadvise(POSIX_FADV_RANDOM) for random access, or a smaller read_ahead_kb%s",
		   now_is(s, READ_AHEAD, s->file->snap.bdi).text);
	read_less_command(s);
	add_evidence(s, "wasted_pages", wasted);
	add_evidence(s, "readahead_pages", s->ahead);
	return true;
}

/* Do two evictors fill the same file? */
static bool same_file(const struct pcinspect_culprit *a, uint64_t ino, uint32_t major,
		      uint32_t minor)
{
	return a->ino == ino && a->dev_major == major && a->dev_minor == minor;
}

/* As much cache as a stream has use for. */
#define STREAM_HIGH (64 << 20)

static bool evicted_by_stream(const struct subject *s)
{
	const struct pcinspect_snapshot *snap = &s->file->snap;
	const struct pcinspect_culprit *worst = NULL;
	uint64_t reclaimed = count(s, pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM));
	uint64_t by = 0, exact = 0;
	char *path, *comm;
	const char *name;
	int i, k;

	/* The file whose filling took most; one line for each task and way. */
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &s->file->who->evictors[i];
		uint64_t sum = 0, sure = 0;

		if (!who->pages || !who->ino ||
		    same_file(who, snap->ino, snap->dev_major, snap->dev_minor))
			continue;
		for (k = 0; k < PCINSPECT_NR_CULPRITS; k++) {
			const struct pcinspect_culprit *other = &s->file->who->evictors[k];

			if (!same_file(other, who->ino, who->dev_major, who->dev_minor))
				continue;
			sum += other->pages;
			sure += other->inferred ? 0 : other->pages;
		}
		if (sum > by) {
			worst = who;
			by = sum;
			exact = sure;
		}
	}
	if (!worst || by < WORTH_PAGES || by * 2 < reclaimed)
		return false;
	comm = escape_comm(worst->comm);
	name = report_name(s->report, worst);
	path = name ? escape_path(name) : NULL;
	add_verdict(s, "evicted-by-stream", by * s->report->page_size,
		    "%ju of the %ju pages that reclaim took were taken while %s[%u] filled the cache with %s (%ju certainly, %ju inferred)",
		    (uintmax_t)by, (uintmax_t)reclaimed, comm, worst->pid,
		    path ?: "a file that is not tracked",
		    (uintmax_t)exact, (uintmax_t)(by - exact));
	free(comm);
	free(path);
	add_remedy(s, "let that stream drop what it has read (posix_fadvise(POSIX_FADV_DONTNEED), dd iflag=nocache), or give it a cgroup with a small memory.high");
	if (worst->pid)
		add_command(s, "mkdir -p " MEMCG_ROOT "/stream && echo %d > " MEMCG_ROOT "/stream/memory.high && echo %u > " MEMCG_ROOT "/stream/cgroup.procs",
			    STREAM_HIGH, worst->pid);
	add_evidence(s, "evicted_pages", by);
	add_evidence(s, "exact_pages", exact);
	add_evidence(s, "reclaimed_pages", reclaimed);
	add_evidence(s, "pid", worst->pid);
	if (exact < by)
		is_inferred(s);
	return true;
}

static bool too_large(const struct subject *s)
{
	const struct pcinspect_snapshot *snap = &s->file->snap;
	uint32_t page = s->report->page_size;
	uint64_t size = (snap->size_bytes + page - 1) / page;
	uint64_t demanded = count(s, PCINSPECT_DEMANDED_BYTES);
	uint64_t cached = count(s, PCINSPECT_CACHED);
	struct memcg_limit limit;
	double hits;
	char *why;

	/* Read more than once, and fetched more than once. */
	if (!size || demanded < 2 * snap->size_bytes ||
	    s->fetched < snap->size_bytes + snap->size_bytes / 2 ||
	    s->fetched < WORTH_BYTES)
		return false;
	hits = 100 - percent(s->fetched, demanded);
	if (hits < 0)
		hits = 0;
	if (hits > 50 || count(s, PCINSPECT_REFAULT_PAGES) * 4 < s->read)
		return false;
	why = pressure(s, false, &limit);
	add_verdict(s, "working-set-too-large", s->fetched,
		    "%.0f %% of the file is resident, but only ~%.0f %% of the %s that were read were hits: %s came from the device, %ju pages of it for the second time or more. What is resident is evicted by %s before it is read again",
		    percent(cached, size), hits, bytes_text(demanded).text,
		    bytes_text(s->fetched).text, (uintmax_t)count(s, PCINSPECT_REFAULT_PAGES), why);
	free(why);
	add_remedy(s, "%s, reading in the other direction every second pass, or direct I/O",
		   limit.len ? "a larger memory.high or memory.max" : "more memory");
	if (limit.len)
		raise_limit_command(s, &limit, size > cached ? (size - cached) * page : 0);
	is_inferred(s);
	add_evidence(s, "size_bytes", snap->size_bytes);
	add_evidence(s, "cached_pages", cached);
	add_evidence(s, "demanded_bytes", demanded);
	add_evidence(s, "fetched_bytes", s->fetched);
	add_evidence(s, "refault_pages", count(s, PCINSPECT_REFAULT_PAGES));
	if (limit.len)
		add_evidence(s, "limit_bytes", limit.bytes);
	return true;
}

static bool mixed_access(const struct subject *s)
{
	uint64_t direct = count(s, PCINSPECT_DIRECT_READ_BYTES) + count(s, PCINSPECT_DIRECT_WRITE_BYTES);
	uint64_t cached = number_of(s->file, PCINSPECT_CACHED);

	if (!direct || (!cached && !count(s, PCINSPECT_DIRECT_INVALIDATED_PAGES) &&
			!count(s, PCINSPECT_DEMANDED_BYTES)))
		return false;
	add_verdict(s, "mixed-direct-and-buffered", direct +
			   count(s, PCINSPECT_DIRECT_INVALIDATED_PAGES) * s->report->page_size,
			   "direct I/O (%s read, %s written) on a file that has %ju cached pages: %ju pages had to be flushed and %ju were removed because of it",
			   bytes_text(count(s, PCINSPECT_DIRECT_READ_BYTES)).text,
			   bytes_text(count(s, PCINSPECT_DIRECT_WRITE_BYTES)).text, (uintmax_t)cached,
			   (uintmax_t)count(s, PCINSPECT_DIRECT_FLUSHED_PAGES),
			   (uintmax_t)count(s, PCINSPECT_DIRECT_INVALIDATED_PAGES));
	add_remedy(s, "use one way for a file; posix_fadvise(POSIX_FADV_DONTNEED) drops what is cached of this one and no other");
	drop_command(s, s->file);
	add_evidence(s, "direct_read_bytes", count(s, PCINSPECT_DIRECT_READ_BYTES));
	add_evidence(s, "direct_write_bytes", count(s, PCINSPECT_DIRECT_WRITE_BYTES));
	add_evidence(s, "cached_pages", cached);
	add_evidence(s, "flushed_pages", count(s, PCINSPECT_DIRECT_FLUSHED_PAGES));
	add_evidence(s, "invalidated_pages", count(s, PCINSPECT_DIRECT_INVALIDATED_PAGES));
	return true;
}

/* Refaults here, while an idle file keeps the active list. */
static bool idle_active(const struct subject *s)
{
	const struct file *idle = s->idle[s->idle[0] == s->file];
	uint64_t refaults = count(s, PCINSPECT_REFAULT_PAGES);
	char *path;

	if (refaults < WORTH_PAGES || refaults * 4 < s->read || !idle ||
	    number_of(idle, PCINSPECT_ACTIVE) < refaults / 2)
		return false;
	path = escape_path(idle->path ?: "?");
	add_verdict(s, "idle-file-holds-active-list", refaults * s->report->page_size,
		    "%ju pages were read again after they had been evicted, while %s holds %ju active pages that nobody has used meanwhile",
		    (uintmax_t)refaults, path, (uintmax_t)number_of(idle, PCINSPECT_ACTIVE));
	free(path);
	add_remedy(s, "posix_fadvise(POSIX_FADV_DONTNEED) on that file");
	drop_command(s, idle);
	is_inferred(s);
	add_evidence(s, "refault_pages", refaults);
	add_evidence(s, "idle_active_pages", number_of(idle, PCINSPECT_ACTIVE));
	return true;
}

const rule read_rules[] = {
	read_around, expansion, waste, evicted_by_stream, too_large, mixed_access,
	idle_active,
};

const size_t nr_read_rules = sizeof(read_rules) / sizeof(*read_rules);
