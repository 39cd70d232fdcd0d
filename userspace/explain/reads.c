// SPDX-License-Identifier: GPL-2.0
/*
 * reads.c - the rules of explain about reading. Touches memory only.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "explain/rules.h"
#include "lib/escape.h"

static void read_around(struct pcinspect_saying *saying, const struct pcinspect_numbers *n)
{
	uint64_t around = n->r->inserted[PCINSPECT_CAUSE_AROUND];
	char *why;

	/* Hundreds of files share the damage: a quarter is worth a word. */
	if (around * 2 < n->read || n->fetched < WORTH_BYTES / 4 ||
	    n->r->removed[PCINSPECT_REMOVAL_RECLAIM] < WORTH_PAGES ||
	    n->r->refault_pages * 10 < around)
		return;
	why = pcinspect_pressure(n);
	pcinspect_say(saying, n, "mmap-read-around", n->fetched,
	    "%.0f %% of what reads inserted (%s) is mmap read-around: %ju faults made %s be read from the device, while read(2) asked for %s; %s evicted %ju pages of it meanwhile and %ju came back. Remedy: madvise(MADV_RANDOM) on the mapping, or a smaller read_ahead_kb before the file is opened, or more memory.",
	    pcinspect_percent(around, n->read), pcinspect_pages(n->read).text,
	    (uintmax_t)n->r->faults, pcinspect_bytes(n->fetched).text,
	    pcinspect_bytes(n->r->demanded_bytes).text, why,
	    (uintmax_t)n->r->removed[PCINSPECT_REMOVAL_RECLAIM],
	    (uintmax_t)n->r->refault_pages);
	free(why);
}

static void expansion(struct pcinspect_saying *saying, const struct pcinspect_numbers *n)
{
	uint64_t demanded = n->r->demanded_bytes;

	if (n->r->expanded_pages * 2 < n->read ||
	    n->r->expanded_pages < WORTH_PAGES / 4 || n->fetched < 4 * demanded)
		return;
	pcinspect_say(saying, n, "filesystem-expansion", n->fetched - demanded,
	    "%.0f %% of the %ju pages that reads inserted were added by the filesystem (%s), which reads whole blocks: %s were asked for, %s fetched (%.0f times). Remedy: a smaller block or stripe size for this data, or reads as large as the block.",
	    pcinspect_percent(n->r->expanded_pages, n->read), (uintmax_t)n->read,
	    n->file->snap.fs, pcinspect_bytes(demanded).text, pcinspect_bytes(n->fetched).text,
	    demanded ? (double)n->fetched / demanded : 0.0);
}

static void waste(struct pcinspect_saying *saying, const struct pcinspect_numbers *n)
{
	if (n->r->wasted_pages < WORTH_PAGES || n->r->wasted_pages * 4 < n->ahead)
		return;
	pcinspect_say(saying, n, "readahead-waste", n->r->wasted_pages * 4096.0,
	    "%.0f %% of the %ju pages that readahead brought in were removed unused (%s). Remedy: posix_fadvise(POSIX_FADV_RANDOM) for random access, or a smaller read_ahead_kb.",
	    pcinspect_percent(n->r->wasted_pages, n->ahead), (uintmax_t)n->ahead,
	    pcinspect_pages(n->r->wasted_pages).text);
}

static bool is_itself(const struct pcinspect_file *file,
		      const struct pcinspect_culprit *who)
{
	return who->ino == file->snap.ino &&
	       who->dev_major == file->snap.dev_major &&
	       who->dev_minor == file->snap.dev_minor;
}

static void wiped(struct pcinspect_saying *saying, const struct pcinspect_numbers *n)
{
	const struct pcinspect_culprit *worst = NULL;
	uint64_t reclaimed = n->r->removed[PCINSPECT_REMOVAL_RECLAIM];
	uint64_t by = 0, exact = 0;
	char *path, *comm;
	int i, k;

	/* The file whose filling took most; one line for each task and way. */
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &n->r->evictors[i];
		uint64_t sum = 0, sure = 0;

		if (!who->pages || !who->ino || is_itself(n->file, who))
			continue;
		for (k = 0; k < PCINSPECT_NR_CULPRITS; k++) {
			const struct pcinspect_culprit *other = &n->r->evictors[k];

			if (other->ino != who->ino ||
			    other->dev_major != who->dev_major ||
			    other->dev_minor != who->dev_minor)
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
		return;
	comm = pcinspect_comm(worst->comm);
	path = pcinspect_escape(pcinspect_report_name(n->report, worst) ?:
				"a file that is not tracked");
	pcinspect_say(saying, n, "evicted-by-stream", by * 4096.0,
	    "%ju of the %ju pages that reclaim took were taken while %s[%u] filled the cache with %s (%ju certainly, %ju inferred). Remedy: let that stream drop what it has read (posix_fadvise(POSIX_FADV_DONTNEED), dd iflag=nocache), or give it a cgroup with a small memory.high.",
	    (uintmax_t)by, (uintmax_t)reclaimed, comm, worst->pid, path,
	    (uintmax_t)exact, (uintmax_t)(by - exact));
	free(comm);
	free(path);
}

static void too_large(struct pcinspect_saying *saying, const struct pcinspect_numbers *n)
{
	const struct pcinspect_snapshot *snap = &n->file->snap;
	uint64_t size = (snap->size_bytes + 4095) / 4096;
	uint64_t demanded = n->r->demanded_bytes;
	double hits;

	/* Read more than once, and fetched more than once. */
	if (!size || demanded < 2 * snap->size_bytes ||
	    n->fetched < snap->size_bytes + snap->size_bytes / 2 ||
	    n->fetched < WORTH_BYTES)
		return;
	hits = 100 - pcinspect_percent(n->fetched, demanded);
	if (hits < 0)
		hits = 0;
	if (hits > 50 || n->r->refault_pages * 4 < n->read)
		return;
	pcinspect_say(saying, n, "working-set-too-large", n->fetched,
	    "%.0f %% of the file is resident, but only ~%.0f %% of the %s that were read were hits: %s came from the device, %ju pages of it for the second time or more. What is resident is evicted before it is read again. Remedy: more memory, reading in the other direction every second pass, or direct I/O.",
	    pcinspect_percent(snap->pages.cached, size), hits, pcinspect_bytes(demanded).text,
	    pcinspect_bytes(n->fetched).text, (uintmax_t)n->r->refault_pages);
}

static void mixed(struct pcinspect_saying *saying, const struct pcinspect_numbers *n)
{
	uint64_t direct = n->r->direct_read_bytes + n->r->direct_write_bytes;
	uint64_t cached = n->file->snap.pages.cached;

	if (!direct || (!cached && !n->r->direct_invalidated_pages &&
			!n->r->demanded_bytes))
		return;
	pcinspect_say(saying, n, "mixed-direct-and-buffered",
	    direct + n->r->direct_invalidated_pages * 4096.0,
	    "direct I/O (%s read, %s written) on a file that has %ju cached pages: %ju pages had to be flushed and %ju were removed because of it. Remedy: use one way for a file; posix_fadvise(POSIX_FADV_DONTNEED) drops what is cached of this one and no other.",
	    pcinspect_bytes(n->r->direct_read_bytes).text, pcinspect_bytes(n->r->direct_write_bytes).text,
	    (uintmax_t)cached, (uintmax_t)n->r->direct_flushed_pages,
	    (uintmax_t)n->r->direct_invalidated_pages);
}

/* Refaults here, while an idle file keeps the active list. */
static void thrash(struct pcinspect_saying *saying, const struct pcinspect_numbers *n)
{
	const struct pcinspect_file *idle = NULL;
	uint64_t refaults = n->r->refault_pages;
	char *path;
	size_t i;

	if (refaults < WORTH_PAGES || refaults * 4 < n->read)
		return;
	for (i = 0; i < n->report->nr_files; i++) {
		const struct pcinspect_file *file = &n->report->files[i];

		if (file == n->file || file->gone || !file->reads ||
		    file->reads->demanded_bytes || file->reads->faults ||
		    file->snap.pages.active < refaults / 2 ||
		    (idle && idle->snap.pages.active >= file->snap.pages.active))
			continue;
		idle = file;
	}
	if (!idle)
		return;
	path = pcinspect_escape(idle->path ?: "?");
	pcinspect_say(saying, n, "idle-file-holds-active-list", refaults * 4096.0,
	    "%ju pages were read again after they had been evicted, while %s holds %ju active pages that nobody has used meanwhile. Remedy: posix_fadvise(POSIX_FADV_DONTNEED) on that file.",
	    (uintmax_t)refaults, path, (uintmax_t)idle->snap.pages.active);
	free(path);
}

/**
 * pcinspect_explain_reads() - what is wrong with how a file is read
 * @saying: added to
 * @n: of which file
 *
 * Waste, evictions and refaults are what read-around leads to: where it is to
 * blame, the others are silent.
 */
void pcinspect_explain_reads(struct pcinspect_saying *saying,
			     const struct pcinspect_numbers *n)
{
	size_t before = saying->n;

	read_around(saying, n);
	if (saying->n > before)
		return;
	expansion(saying, n);
	waste(saying, n);
	wiped(saying, n);
	too_large(saying, n);
	mixed(saying, n);
	thrash(saying, n);
}
