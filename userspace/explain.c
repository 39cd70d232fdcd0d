// SPDX-License-Identifier: GPL-2.0
/*
 * explain.c - the rules of explain. Each looks at one file's ledger and speaks
 * only when its numbers leave no doubt; the thresholds are here and in
 * pcinspect-explain(1). Touches memory, and the limits of memory cgroups.
 */
#include <err.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "explain.h"
#include "memcg.h"
#include "table.h"

/* Less than this is not worth a word: 1 MiB read, 256 pages moved. */
#define WORTH_BYTES (1 << 20)
#define WORTH_PAGES 256

/*
 * struct numbers - a ledger as the rules see it
 * @file: whose
 * @read: pages inserted by reads of any kind
 * @ahead: of those, by readahead
 * @inserted: pages inserted for any cause
 * @fetched: bytes from the device, or what stands in for them
 */
struct numbers {
	const struct pcinspect_report *report;
	const struct pcinspect_file *file;
	const struct pcinspect_reads *r;
	uint64_t read;
	uint64_t ahead;
	uint64_t inserted;
	uint64_t fetched;
};

struct list {
	struct pcinspect_verdict *list;
	size_t n;
};

static void say(struct list *list, const struct numbers *n, const char *name,
		double weight, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

static void say(struct list *list, const struct numbers *n, const char *name,
		double weight, const char *format, ...)
{
	struct pcinspect_verdict *v;
	va_list args;

	list->list = reallocarray(list->list, list->n + 1, sizeof(*list->list));
	if (!list->list)
		err(1, "out of memory");
	v = &list->list[list->n++];
	v->name = name;
	v->file = n->file;
	v->weight = weight;
	va_start(args, format);
	if (vasprintf(&v->text, format, args) < 0)
		err(1, "out of memory");
	va_end(args);
}

struct size { char text[16]; };

static struct size bytes(uint64_t value)
{
	struct size size;

	pcinspect_size_text(size.text, sizeof(size.text), value);
	return size;
}

static struct size pages(uint64_t value)
{
	return bytes(value * sysconf(_SC_PAGESIZE));
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/* What reclaims this file's pages: its cgroup's limit, or all memory. */
static char *pressure(const struct numbers *n)
{
	const char *path = n->file->memcg_paths[0];
	uint64_t limit;
	char *out, *shown;
	int result;

	if (path && pcinspect_memcg_limit(path, &limit)) {
		shown = pcinspect_escape(path);
		result = asprintf(&out, "the memory limit of cgroup %s (%s)", shown,
				  bytes(limit).text);
		free(shown);
	} else {
		result = asprintf(&out, "memory pressure");
	}
	if (result < 0)
		err(1, "out of memory");
	return out;
}

static void read_around(struct list *list, const struct numbers *n)
{
	uint64_t around = n->r->inserted[PCINSPECT_CAUSE_AROUND];
	char *why;

	/* Hundreds of files share the damage: a quarter is worth a word. */
	if (around * 2 < n->read || n->fetched < WORTH_BYTES / 4 ||
	    n->r->removed[PCINSPECT_REMOVAL_RECLAIM] < WORTH_PAGES ||
	    n->r->refault_pages * 10 < around)
		return;
	why = pressure(n);
	say(list, n, "mmap-read-around", n->fetched,
	    "%.0f %% of what reads inserted (%s) is mmap read-around: %ju faults made %s be read from the device, while read(2) asked for %s; %s evicted %ju pages of it meanwhile and %ju came back. Remedy: madvise(MADV_RANDOM) on the mapping, or a smaller read_ahead_kb before the file is opened, or more memory.",
	    share(around, n->read), pages(n->read).text,
	    (uintmax_t)n->r->faults, bytes(n->fetched).text,
	    bytes(n->r->demanded_bytes).text, why,
	    (uintmax_t)n->r->removed[PCINSPECT_REMOVAL_RECLAIM],
	    (uintmax_t)n->r->refault_pages);
	free(why);
}

static void expansion(struct list *list, const struct numbers *n)
{
	uint64_t demanded = n->r->demanded_bytes;

	if (n->r->expanded_pages * 2 < n->read ||
	    n->r->expanded_pages < WORTH_PAGES / 4 || n->fetched < 4 * demanded)
		return;
	say(list, n, "filesystem-expansion", n->fetched - demanded,
	    "%.0f %% of the %ju pages that reads inserted were added by the filesystem (%s), which reads whole blocks: %s were asked for, %s fetched (%.0f times). Remedy: a smaller block or stripe size for this data, or reads as large as the block.",
	    share(n->r->expanded_pages, n->read), (uintmax_t)n->read,
	    n->file->snap.fs, bytes(demanded).text, bytes(n->fetched).text,
	    demanded ? (double)n->fetched / demanded : 0.0);
}

static void waste(struct list *list, const struct numbers *n)
{
	if (n->r->wasted_pages < WORTH_PAGES || n->r->wasted_pages * 4 < n->ahead)
		return;
	say(list, n, "readahead-waste", n->r->wasted_pages * 4096.0,
	    "%.0f %% of the %ju pages that readahead brought in were removed unused (%s). Remedy: posix_fadvise(POSIX_FADV_RANDOM) for random access, or a smaller read_ahead_kb.",
	    share(n->r->wasted_pages, n->ahead), (uintmax_t)n->ahead,
	    pages(n->r->wasted_pages).text);
}

static bool is_itself(const struct pcinspect_file *file,
		      const struct pcinspect_culprit *who)
{
	return who->ino == file->snap.ino &&
	       who->dev_major == file->snap.dev_major &&
	       who->dev_minor == file->snap.dev_minor;
}

static void wiped(struct list *list, const struct numbers *n)
{
	const struct pcinspect_culprit *worst = NULL;
	uint64_t reclaimed = n->r->removed[PCINSPECT_REMOVAL_RECLAIM];
	uint64_t by = 0, exact = 0;
	char *path;
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
	path = pcinspect_escape(pcinspect_report_name(n->report, worst) ?:
				"a file that is not tracked");
	say(list, n, "evicted-by-stream", by * 4096.0,
	    "%ju of the %ju pages that reclaim took were taken while %.16s[%u] filled the cache with %s (%ju certainly, %ju inferred). Remedy: let that stream drop what it has read (posix_fadvise(POSIX_FADV_DONTNEED), dd iflag=nocache), or give it a cgroup with a small memory.high.",
	    (uintmax_t)by, (uintmax_t)reclaimed, worst->comm, worst->pid, path,
	    (uintmax_t)exact, (uintmax_t)(by - exact));
	free(path);
}

static void too_large(struct list *list, const struct numbers *n)
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
	hits = 100 - share(n->fetched, demanded);
	if (hits < 0)
		hits = 0;
	if (hits > 50 || n->r->refault_pages * 4 < n->read)
		return;
	say(list, n, "working-set-too-large", n->fetched,
	    "%.0f %% of the file is resident, but only ~%.0f %% of the %s that were read were hits: %s came from the device, %ju pages of it for the second time or more. What is resident is evicted before it is read again. Remedy: more memory, reading in the other direction every second pass, or direct I/O.",
	    share(snap->pages.cached, size), hits, bytes(demanded).text,
	    bytes(n->fetched).text, (uintmax_t)n->r->refault_pages);
}

static void mixed(struct list *list, const struct numbers *n)
{
	uint64_t direct = n->r->direct_read_bytes + n->r->direct_write_bytes;
	uint64_t cached = n->file->snap.pages.cached;

	if (!direct || (!cached && !n->r->direct_invalidated_pages &&
			!n->r->demanded_bytes))
		return;
	say(list, n, "mixed-direct-and-buffered",
	    direct + n->r->direct_invalidated_pages * 4096.0,
	    "direct I/O (%s read, %s written) on a file that has %ju cached pages: %ju pages had to be flushed and %ju were removed because of it. Remedy: use one way for a file; posix_fadvise(POSIX_FADV_DONTNEED) drops what is cached of this one and no other.",
	    bytes(n->r->direct_read_bytes).text, bytes(n->r->direct_write_bytes).text,
	    (uintmax_t)cached, (uintmax_t)n->r->direct_flushed_pages,
	    (uintmax_t)n->r->direct_invalidated_pages);
}

/* Refaults here, while an idle file keeps the active list. */
static void thrash(struct list *list, const struct numbers *n)
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
	say(list, n, "idle-file-holds-active-list", refaults * 4096.0,
	    "%ju pages were read again after they had been evicted, while %s holds %ju active pages that nobody has used meanwhile. Remedy: posix_fadvise(POSIX_FADV_DONTNEED) on that file.",
	    (uintmax_t)refaults, path, (uintmax_t)idle->snap.pages.active);
	free(path);
}

static int heavier(const void *a, const void *b)
{
	const struct pcinspect_verdict *x = a, *y = b;

	return x->weight == y->weight ? 0 : x->weight < y->weight ? 1 : -1;
}

/**
 * pcinspect_explain() - what is wrong with the files of a report
 * @report: which
 * @list: set to the verdicts, the costliest first; to be freed by
 *	pcinspect_verdicts_free()
 *
 * Return: how many there are.
 */
size_t pcinspect_explain(const struct pcinspect_report *report,
			 struct pcinspect_verdict **list)
{
	static void (*const rules[])(struct list *, const struct numbers *) = {
		expansion, waste, wiped, too_large, mixed, thrash,
	};
	struct list out = {};
	size_t i, k;
	int c;

	for (i = 0; i < report->nr_files; i++) {
		const struct pcinspect_file *file = &report->files[i];
		struct numbers n = { .report = report, .file = file,
				     .r = file->reads };

		if (file->gone || !file->reads)
			continue;
		for (c = 0; c <= PCINSPECT_CAUSE_FORCED; c++)
			n.ahead += n.r->inserted[c];
		n.read = n.ahead + n.r->inserted[PCINSPECT_CAUSE_OTHER];
		n.inserted = pcinspect_file_inserted(file);
		n.fetched = file->snap.flags & PCINSPECT_F_DEVICE ?
			n.r->device_bytes : n.ahead * sysconf(_SC_PAGESIZE);
		/* Waste, evictions and refaults are what read-around leads to. */
		k = out.n;
		read_around(&out, &n);
		if (out.n > k)
			continue;
		for (k = 0; k < sizeof(rules) / sizeof(*rules); k++)
			rules[k](&out, &n);
	}
	if (out.n)
		qsort(out.list, out.n, sizeof(*out.list), heavier);
	*list = out.list;
	return out.n;
}

/**
 * pcinspect_verdicts_free() - free them
 * @list: from pcinspect_explain()
 * @n: how many
 */
void pcinspect_verdicts_free(struct pcinspect_verdict *list, size_t n)
{
	while (n--)
		free(list[n].text);
	free(list);
}
