// SPDX-License-Identifier: GPL-2.0-only
/*
 * reads.c - the rules of explain about reading. Touches memory only.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/rules.h"
#include "lib/alloc.h"
#include "lib/escape.h"

/* A cause in the counts, in short. */
static uint64_t around_of(const struct subject *s)
{
	return count(s, pcinspect_inserted(PCINSPECT_CAUSE_AROUND));
}

static uint64_t reclaimed_of(const struct subject *s)
{
	return count(s, pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM));
}

/* In pages, each file's last one whole. */
static uint64_t size_pages(const struct subject *s)
{
	uint64_t page = s->report->page_size, sum = 0;
	size_t i;

	for (i = 0; i < s->nr; i++)
		sum += (s->list[i]->snap.size_bytes + page - 1) / page;
	return sum;
}

/*
 * Pages of a file that were read again after their eviction: those of which the kernel had
 * a shadow, or at least those that a file of this size cannot have had and lost otherwise,
 * nor by writes; its last block may be longer, on tmpfs a whole huge page. Shadows go where
 * they are many (scan_shadow_nodes(), mm/workingset.c), and all of a cgroup's whose
 * statistics nobody has flushed yet (count_shadow_nodes()), or which is emptied (7.2).
 */
static uint64_t file_again(const struct subject *s, const struct file *file)
{
	uint64_t seen = number_of(file, PCINSPECT_REFAULT_PAGES), page = s->report->page_size;
	uint64_t first = (file->snap.size_bytes + page - 1) / page +
			 number_of(file, PCINSPECT_INSERTED_WRITE);
	uint64_t had = number_of(file, PCINSPECT_CACHED) +
		       number_of(file, pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM));

	if (had < first + WORTH_PAGES || had - first < seen || !strcmp(file->snap.fs, "tmpfs") ||
	    !number_known(file, PCINSPECT_INSERTED_WRITE) ||
	    number_of(file, pcinspect_removed(PCINSPECT_REMOVAL_TRUNCATE)))
		return seen;
	return had - first;
}

/**
 * again_of() - pages that were read again after their eviction, at least
 * @s: of which files
 */
uint64_t again_of(const struct subject *s)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < s->nr; i++)
		sum += file_again(s, s->list[i]);
	return s->nr ? sum : file_again(s, s->file);
}

/* --- read-around, of what is evicted and comes back ------------------------- */

static uint64_t around_holds(const struct subject *s)
{
	return around_of(s) && around_of(s) * 2 >= s->read && reclaimed_of(s) &&
	       again_of(s) * 10 >= around_of(s) ? s->fetched : 0;
}

/* Of one device, for its read_ahead_kb, and of one limit. */
static char *around_cause(const struct subject *s)
{
	char *limit = pressed_by(s), *device = device_of(s), *out;

	out = alloc_text("%s %s", device, limit);
	free(limit);
	free(device);
	return out;
}

static bool say_around(const struct subject *s)
{
	struct memcg_limit limit;
	char *why;

	if (!worth(s, s->fetched, WORTH_BYTES / 4) || reclaimed_of(s) < WORTH_PAGES)
		return false;
	why = pressure(s, false, &limit);
	add_verdict(s, "mmap-read-around", s->fetched,
		    "%.0f %% of what reads inserted (%s) is mmap read-around: %ju faults made %s be read from the device, while read(2) asked for %s; %s evicted %ju pages of it meanwhile and %ju came back",
		    percent(around_of(s), s->read), pages_text(s, s->read).text,
		    (uintmax_t)count(s, PCINSPECT_FAULTS), bytes_text(s->fetched).text,
		    bytes_text(count(s, PCINSPECT_DEMANDED_BYTES)).text, why,
		    (uintmax_t)reclaimed_of(s), (uintmax_t)again_of(s));
	free(why);
	add_remedy(s, "madvise(MADV_RANDOM) on the mapping%s, or a smaller read_ahead_kb%s before the file%s opened, or %s",
		   s->nr > 1 ? "s" : "", now_is(s, READ_AHEAD, s->file->snap.bdi).text,
		   s->nr > 1 ? "s are" : " is",
		   limit.len ? "a larger limit of that cgroup" : "more memory");
	read_less_command(s);
	add_evidence(s, "read_around_pages", around_of(s));
	add_evidence(s, "inserted_pages", s->read);
	add_evidence(s, "faults", count(s, PCINSPECT_FAULTS));
	add_evidence(s, "fetched_bytes", s->fetched);
	add_evidence(s, "demanded_bytes", count(s, PCINSPECT_DEMANDED_BYTES));
	add_evidence(s, "reclaimed_pages", reclaimed_of(s));
	add_evidence(s, "refault_pages", count(s, PCINSPECT_REFAULT_PAGES));
	if (limit.len)
		add_evidence(s, "limit_bytes", limit.bytes);
	return true;
}

/* --- read-around that nobody needs ------------------------------------------- */

/*
 * A fault maps the 16 pages around it that are cached (fault_around_bytes), of the 32 that
 * read-around has read: who uses one page of each window may have used half of all, and
 * who uses all has mapped all. From this part on, in percent, it is not too much; fewer
 * bytes read, or certainly not used, are not worth a word.
 */
#define USED_PERCENT 66
#define READ_BYTES (8 << 20)
#define UNUSED_BYTES (6 << 20)

/* As large a part of the run: programs and libraries are read around as well. */
#define UNUSED_PART 4

/* Pages that may have been used through mappings: faulted in, or mapped beside such one. */
static uint64_t mapped_at_most(const struct subject *s)
{
	return count(s, PCINSPECT_FAULTS) + count(s, PCINSPECT_UNUSED_UNKNOWN_PAGES);
}

/* Pages that may have been used: those, and what was asked for. */
static uint64_t used_at_most(const struct subject *s)
{
	uint64_t page = s->report->page_size;

	return mapped_at_most(s) + (count(s, PCINSPECT_DEMANDED_BYTES) + page - 1) / page;
}

static uint64_t unused_holds(const struct subject *s)
{
	return number_known(s->file, PCINSPECT_UNUSED_UNKNOWN_PAGES) &&
	       number_known(s->file, PCINSPECT_FAULTS) && around_of(s) &&
	       around_of(s) * 2 >= s->read && used_at_most(s) * 100 <= s->ahead * USED_PERCENT ?
		s->fetched : 0;
}

static bool say_unused(const struct subject *s)
{
	uint64_t unused = s->ahead - used_at_most(s);

	if (s->fetched < READ_BYTES || unused * s->report->page_size < UNUSED_BYTES ||
	    s->fetched < s->moved / UNUSED_PART)
		return false;
	add_verdict(s, "mmap-read-around", s->fetched,
		    "%.0f %% of what reads inserted (%s) is mmap read-around, and at most %ju of the %ju pages can have been used: %ju faults made %s be read from the device, while read(2) asked for %s",
		    percent(around_of(s), s->read), pages_text(s, s->read).text,
		    (uintmax_t)used_at_most(s), (uintmax_t)s->ahead,
		    (uintmax_t)count(s, PCINSPECT_FAULTS), bytes_text(s->fetched).text,
		    bytes_text(count(s, PCINSPECT_DEMANDED_BYTES)).text);
	add_remedy(s, "madvise(MADV_RANDOM) on the mapping%s, or a smaller read_ahead_kb%s before the file%s opened; what is used again later costs a fault each then",
		   s->nr > 1 ? "s" : "", now_is(s, READ_AHEAD, s->file->snap.bdi).text,
		   s->nr > 1 ? "s are" : " is");
	read_less_command(s);
	is_inferred(s);
	add_evidence(s, "read_around_pages", around_of(s));
	add_evidence(s, "inserted_pages", s->read);
	add_evidence(s, "used_pages_at_most", used_at_most(s));
	add_evidence(s, "faults", count(s, PCINSPECT_FAULTS));
	add_evidence(s, "fetched_bytes", s->fetched);
	add_evidence(s, "demanded_bytes", count(s, PCINSPECT_DEMANDED_BYTES));
	return true;
}

/* --- a filesystem that reads more ------------------------------------------- */

/* Use through a mapping is a request, too: known, or there is no mapping. */
static uint64_t expansion_holds(const struct subject *s)
{
	uint64_t expanded = count(s, PCINSPECT_EXPANDED_PAGES);

	if (!number_known(s->file, PCINSPECT_DEMANDED_BYTES) ||
	    !number_known(s->file, PCINSPECT_FAULTS) ||
	    (count(s, PCINSPECT_FAULTS) &&
	     !number_known(s->file, PCINSPECT_UNUSED_UNKNOWN_PAGES)))
		return 0;
	return expanded && expanded * 2 >= s->read &&
	       s->fetched >= 4 * count(s, PCINSPECT_DEMANDED_BYTES) &&
	       s->fetched >= 4 * mapped_at_most(s) * s->report->page_size ? s->fetched : 0;
}

static bool say_expansion(const struct subject *s)
{
	uint64_t demanded = count(s, PCINSPECT_DEMANDED_BYTES);
	char times[32] = "";

	if (count(s, PCINSPECT_EXPANDED_PAGES) < WORTH_PAGES / 4 ||
	    !worth(s, s->fetched - demanded, 0))
		return false;
	if (demanded)
		snprintf(times, sizeof(times), " (%.0f times)", (double)s->fetched / demanded);
	add_verdict(s, "filesystem-expansion", s->fetched - demanded,
		    "%.0f %% of the %ju pages that reads inserted were added by the filesystem (%s), which reads whole blocks: %s were asked for, %s fetched%s",
		    percent(count(s, PCINSPECT_EXPANDED_PAGES), s->read), (uintmax_t)s->read,
		    s->file->snap.fs, bytes_text(demanded).text,
		    bytes_text(s->fetched).text, times);
	add_remedy(s, "posix_fadvise(POSIX_FADV_RANDOM) where reads are scattered, a smaller block or stripe size for this data, or reads as large as the block");
	add_evidence(s, "expanded_pages", count(s, PCINSPECT_EXPANDED_PAGES));
	add_evidence(s, "inserted_pages", s->read);
	add_evidence(s, "demanded_bytes", demanded);
	add_evidence(s, "fetched_bytes", s->fetched);
	return true;
}

/* --- readahead that nobody used ---------------------------------------------- */

/* More than was read ahead: it was so before these counts began. */
static uint64_t waste_holds(const struct subject *s)
{
	uint64_t wasted = count(s, PCINSPECT_WASTED_PAGES);

	return wasted * 4 >= s->ahead && wasted <= s->ahead ? wasted : 0;
}

/* No more than was read: pages of holes are only filled with zeroes. */
static uint64_t waste_cost(const struct subject *s)
{
	uint64_t wasted = count(s, PCINSPECT_WASTED_PAGES) * s->report->page_size;

	return wasted < s->fetched ? wasted : s->fetched;
}

static bool say_waste(const struct subject *s)
{
	uint64_t wasted = count(s, PCINSPECT_WASTED_PAGES);
	uint64_t cost = waste_cost(s), forced = count(s, PCINSPECT_INSERTED_FORCED);

	if (wasted < WORTH_PAGES || !cost || !worth(s, cost, 0))
		return false;
	add_verdict(s, "readahead-waste", cost,
		    "%.0f %% of the %ju pages that readahead brought in were removed unused (%s)",
		    percent(wasted, s->ahead), (uintmax_t)s->ahead,
		    pages_text(s, wasted).text);
	if (forced * 2 >= s->ahead) {
		add_remedy(s, "not to ask for it: %s came by POSIX_FADV_WILLNEED, MADV_WILLNEED or readahead(2)",
			   pages_text(s, forced).text);
	} else {
		add_remedy(s, "posix_fadvise(POSIX_FADV_RANDOM) for random access, or a smaller read_ahead_kb%s",
			   now_is(s, READ_AHEAD, s->file->snap.bdi).text);
		read_less_command(s);
	}
	add_evidence(s, "wasted_pages", wasted);
	add_evidence(s, "readahead_pages", s->ahead);
	add_evidence(s, "forced_pages", forced);
	return true;
}

/* --- a stream that evicts what others need ----------------------------------- */

/* Do two evictors fill the same file? */
static bool same_file(const struct pcinspect_culprit *a, uint64_t ino, uint32_t major,
		      uint32_t minor)
{
	return a->ino == ino && a->dev_major == major && a->dev_minor == minor;
}

/* As much cache as a stream has use for. */
#define STREAM_HIGH (64 << 20)

/**
 * struct stream - another file, whose filling took pages of one
 * @who: did it; NULL: there is none
 * @pages: that it took
 * @exact: of those, certainly
 */
struct stream {
	const struct pcinspect_culprit *who;
	uint64_t pages;
	uint64_t exact;
};

/* The file whose filling took most; one line for each task and way. */
static struct stream find_stream(const struct file *file)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	struct stream worst = {};
	int i, k;

	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->who->evictors[i];
		struct stream one = { .who = who };

		if (!who->pages || !who->ino ||
		    same_file(who, snap->ino, snap->dev_major, snap->dev_minor))
			continue;
		for (k = 0; k < PCINSPECT_NR_CULPRITS; k++) {
			const struct pcinspect_culprit *other = &file->who->evictors[k];

			if (!same_file(other, who->ino, who->dev_major, who->dev_minor))
				continue;
			one.pages += other->pages;
			one.exact += other->inferred ? 0 : other->pages;
		}
		if (one.pages > worst.pages)
			worst = one;
	}
	return worst;
}

/*
 * Is what another file brought in asked for again and again? Then it is no stream, unless
 * no task of the run did so, and most of the file is not cached: more memory helps neither.
 */
static bool comes_back(const struct subject *s, const struct pcinspect_culprit *who)
{
	const struct file *file = report_culprit(s->report, who);
	struct subject other = { .report = s->report, .file = file };

	if (!file || !file->who || again_of(&other) * 10 <= file_inserted(file))
		return false;
	return !s->report->devices_known || file->snap.flags & PCINSPECT_F_TOUCHED ||
	       number_of(file, PCINSPECT_CACHED) * 2 >= file_size_pages(file);
}

/* Pages that nobody asked for again were no loss: a quarter of them has to come back. */
static uint64_t stream_holds(const struct subject *s)
{
	struct stream stream = find_stream(s->file);

	return stream.pages && stream.pages * 2 >= reclaimed_of(s) &&
	       again_of(s) * 4 >= stream.pages && !comes_back(s, stream.who) ?
		stream.pages : 0;
}

static char *stream_cause(const struct subject *s)
{
	const struct pcinspect_culprit *who = find_stream(s->file).who;

	return alloc_text("%u:%u %ju", who->dev_major, who->dev_minor, (uintmax_t)who->ino);
}

static bool say_stream(const struct subject *s)
{
	struct stream one, all = {};
	uint64_t back = 0;
	char *path, *comm;
	const char *name;
	size_t i;

	for (i = 0; i < s->nr; i++) {
		uint64_t again = file_again(s, s->list[i]);

		one = find_stream(s->list[i]);
		all.who = all.who ?: one.who;
		all.pages += one.pages;
		all.exact += one.exact;
		back += again < one.pages ? again : one.pages;
	}
	if (all.pages < WORTH_PAGES || !worth(s, back * s->report->page_size, 0))
		return false;
	comm = escape_comm(all.who->comm);
	name = report_name(s->report, all.who);
	path = name ? escape_path(name) : NULL;
	add_verdict(s, "evicted-by-stream", back * s->report->page_size,
		    "%ju of the %ju pages that reclaim took were taken while %s[%u] filled the cache with %s (%ju certainly, %ju inferred), and %ju had to be read again",
		    (uintmax_t)all.pages, (uintmax_t)reclaimed_of(s), comm, all.who->pid,
		    path ?: "a file that is not tracked",
		    (uintmax_t)all.exact, (uintmax_t)(all.pages - all.exact),
		    (uintmax_t)back);
	add_scope(s, SCOPE_PROCESS, "%.*s[%u]", PCINSPECT_COMM_LEN, all.who->comm, all.who->pid);
	free(comm);
	free(path);
	add_remedy(s, "let that stream drop what it has read (posix_fadvise(POSIX_FADV_DONTNEED), dd iflag=nocache), or give it a cgroup with a small memory.high");
	/* After a run, and from a recording, it is nobody's or another's. */
	if (all.who->pid && !s->report->recorded && !s->report->interval_ns)
		add_command(s, "mkdir -p " MEMCG_ROOT "/stream && echo %d > " MEMCG_ROOT "/stream/memory.high && echo %u > " MEMCG_ROOT "/stream/cgroup.procs",
			    STREAM_HIGH, all.who->pid);
	add_evidence(s, "evicted_pages", all.pages);
	add_evidence(s, "exact_pages", all.exact);
	add_evidence(s, "reclaimed_pages", reclaimed_of(s));
	add_evidence(s, "refault_pages", count(s, PCINSPECT_REFAULT_PAGES));
	add_evidence(s, "pid", all.who->pid);
	if (all.exact < all.pages || again_of(s) > count(s, PCINSPECT_REFAULT_PAGES))
		is_inferred(s);
	return true;
}

/* --- more than fits ------------------------------------------------------------ */

/* Read more than once, and fetched more than once. */
static uint64_t too_large_holds(const struct subject *s)
{
	uint64_t demanded = count(s, PCINSPECT_DEMANDED_BYTES);

	return s->size && demanded >= 2 * s->size && s->fetched >= s->size + s->size / 2 &&
	       s->fetched * 2 >= demanded && again_of(s) * 4 >= s->read ? s->fetched : 0;
}

static bool say_too_large(const struct subject *s)
{
	uint64_t size = size_pages(s), demanded = count(s, PCINSPECT_DEMANDED_BYTES);
	uint64_t cached = count(s, PCINSPECT_CACHED);
	struct memcg_limit limit;
	double hits;
	char *why;

	if (!worth(s, s->fetched, WORTH_BYTES))
		return false;
	hits = 100 - percent(s->fetched, demanded);
	if (hits < 0)
		hits = 0;
	why = pressure(s, false, &limit);
	add_verdict(s, "working-set-too-large", s->fetched,
		    "%.0f %% of the file%s is resident, but only ~%.0f %% of the %s that were read were hits: %s came from the device, %ju pages of it for the second time or more. The resident pages are evicted by %s before they are read again",
		    percent(cached, size), s->nr > 1 ? "s" : "", hits, bytes_text(demanded).text,
		    bytes_text(s->fetched).text, (uintmax_t)again_of(s), why);
	free(why);
	if (limit.len)
		add_scope(s, SCOPE_CGROUP, "%.*s", limit.len, limit.path);
	else if (s->nr > 1)
		add_scope(s, SCOPE_MACHINE, NULL);
	add_remedy(s, "%s, reading in the other direction every second pass, or direct I/O",
		   limit.len ? "a larger memory.high or memory.max" : "more memory");
	if (limit.len)
		raise_limit_command(s, &limit, size > cached ?
				    (size - cached) * s->report->page_size : 0);
	is_inferred(s);
	add_evidence(s, "size_bytes", s->size);
	add_evidence(s, "cached_pages", cached);
	add_evidence(s, "demanded_bytes", demanded);
	add_evidence(s, "fetched_bytes", s->fetched);
	add_evidence(s, "refault_pages", count(s, PCINSPECT_REFAULT_PAGES));
	if (limit.len)
		add_evidence(s, "limit_bytes", limit.bytes);
	return true;
}

/* --- past the cache and through it --------------------------------------------- */

static uint64_t direct_of(const struct subject *s)
{
	return count(s, PCINSPECT_DIRECT_READ_BYTES) + count(s, PCINSPECT_DIRECT_WRITE_BYTES);
}

/* The harm is what direct I/O had to write or remove first: both in pages, by whole folios. */
static uint64_t mixed_harm(const struct subject *s)
{
	return count(s, PCINSPECT_DIRECT_FLUSHED_PAGES) +
	       count(s, PCINSPECT_DIRECT_INVALIDATED_PAGES);
}

static uint64_t mixed_holds(const struct subject *s)
{
	return mixed_harm(s) ? direct_of(s) : 0;
}

static bool say_mixed(const struct subject *s)
{
	uint64_t page = s->report->page_size, cached = count(s, PCINSPECT_CACHED);
	uint64_t flushed = count(s, PCINSPECT_DIRECT_FLUSHED_PAGES) * page;
	uint64_t written = count(s, PCINSPECT_DEVICE_WRITE_BYTES);
	uint64_t removed = count(s, PCINSPECT_DIRECT_INVALIDATED_PAGES);

	/* Kernels of 6.6 on write the dirty blocks of a folio only. */
	if (flushed > written)
		flushed = written;
	if (mixed_harm(s) * page < direct_of(s) / WORTH_PART)
		return false;
	if (!worth(s, direct_of(s) + removed * page, 0))
		return false;
	add_verdict(s, "mixed-direct-and-buffered", direct_of(s) + removed * page,
		    "direct I/O (%s read, %s written) on %s that %s %ju cached pages: at most %s of them had to be written to the device first, and %ju pages were removed because of it",
		    bytes_text(count(s, PCINSPECT_DIRECT_READ_BYTES)).text,
		    bytes_text(count(s, PCINSPECT_DIRECT_WRITE_BYTES)).text,
		    s->nr > 1 ? "files" : "a file", s->nr > 1 ? "have" : "has",
		    (uintmax_t)cached, bytes_text(flushed).text, (uintmax_t)removed);
	if (removed)
		is_not_moved(s);
	add_remedy(s, "use one way for a file; posix_fadvise(POSIX_FADV_DONTNEED) drops what is cached of this one and no other");
	if (s->nr < 2)
		drop_command(s, s->file);
	add_evidence(s, "direct_read_bytes", count(s, PCINSPECT_DIRECT_READ_BYTES));
	add_evidence(s, "direct_write_bytes", count(s, PCINSPECT_DIRECT_WRITE_BYTES));
	add_evidence(s, "cached_pages", cached);
	add_evidence(s, "flushed_pages", count(s, PCINSPECT_DIRECT_FLUSHED_PAGES));
	add_evidence(s, "flushed_bytes_at_most", flushed);
	add_evidence(s, "invalidated_pages", removed);
	return true;
}

/* --- memory that nobody uses, and others miss ----------------------------------- */

/* The largest that nobody used, but the file itself. */
static const struct file *idle_of(const struct subject *s)
{
	return s->idle[s->idle[0] == s->file];
}

static uint64_t idle_holds(const struct subject *s)
{
	return idle_of(s) && again_of(s) * 4 >= s->read ? again_of(s) : 0;
}

/* Of one file that is not used, and of one limit. */
static char *idle_cause(const struct subject *s)
{
	const struct pcinspect_snapshot *idle = &idle_of(s)->snap;
	char *limit = pressed_by(s), *out;

	out = alloc_text("%u:%u %ju %s", idle->dev_major, idle->dev_minor, (uintmax_t)idle->ino,
			 limit);
	free(limit);
	return out;
}

/* Is the file's memory of the cgroup that has this limit, as far as is known? */
static bool charged_to(const struct file *file, const struct memcg_limit *limit)
{
	bool told = false;
	size_t i;

	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++) {
		const char *path = file->memcg_paths[i];

		told |= path != NULL;
		if (path && !strncmp(path, limit->path, limit->len) &&
		    (!path[limit->len] || path[limit->len] == '/'))
			return true;
	}
	return !told;
}

/*
 * Would they fit without it, or half of what they miss or read again? And was there time enough for it
 * to be evicted, if it were in line: as many pages were read as it has?
 */
static bool say_idle(const struct subject *s)
{
	const struct file *idle = idle_of(s);
	uint64_t held = unmapped_pages(idle), size = size_pages(s);
	uint64_t cached = count(s, PCINSPECT_CACHED);
	bool active = number_of(idle, PCINSPECT_ACTIVE) * 2 >= held;
	struct memcg_limit limit;
	char *path, *why;

	if (again_of(s) < WORTH_PAGES || held < WORTH_PAGES || s->read < held ||
	    !worth(s, again_of(s) * s->report->page_size, 0) ||
	    (size > cached && held * 2 < size - cached) ||
	    held * 2 < (size < again_of(s) ? size : again_of(s)) ||
	    (limit_of(s, false, &limit) && !charged_to(idle, &limit)))
		return false;
	path = escape_path(idle->path ?: "?");
	why = pressure(s, false, &limit);
	add_verdict(s, active ? "idle-file-holds-active-list" : "idle-file-holds-memory",
		    again_of(s) * s->report->page_size,
		    "%ju pages were read again after %s had evicted them, while %s holds %s of memory (%ju pages, %ju of the file's active) that %s",
		    (uintmax_t)again_of(s), why, path, pages_text(s, held).text,
		    (uintmax_t)held, (uintmax_t)number_of(idle, PCINSPECT_ACTIVE),
		    idle->who ? "nobody has used meanwhile" : "was not touched in this run");
	free(path);
	free(why);
	if (limit.len)
		add_scope(s, SCOPE_CGROUP, "%.*s", limit.len, limit.path);
	else
		add_scope(s, SCOPE_MACHINE, NULL);
	add_remedy(s, "posix_fadvise(POSIX_FADV_DONTNEED) on that file, if nobody else uses it");
	drop_command(s, idle);
	is_inferred(s);
	add_evidence(s, "refault_pages", count(s, PCINSPECT_REFAULT_PAGES));
	add_evidence(s, "idle_pages", held);
	add_evidence(s, "idle_active_pages", number_of(idle, PCINSPECT_ACTIVE));
	add_evidence(s, "missing_pages", size > cached ? size - cached : 0);
	return true;
}

const struct rule read_rules[] = {
	{ around_holds, around_cause, say_around, true },
	{ expansion_holds, device_of, say_expansion, true },
	{ unused_holds, device_of, say_unused, true },
	{ advice_holds, advice_cause, say_advice, true },
	{ idle_holds, idle_cause, say_idle, true },
	{ stream_holds, stream_cause, say_stream, true },
	{ too_large_holds, pressed_by, say_too_large, true },
	{ waste_holds, device_of, say_waste, true },
	{ mixed_holds, device_of, say_mixed, false },
};

const size_t nr_read_rules = sizeof(read_rules) / sizeof(*read_rules);
