// SPDX-License-Identifier: GPL-2.0-only
/*
 * verdict_words.c - the fixed words of each verdict: which evidence
 * separates it from its neighbours, and what its remedy costs, or what is lost by it.
 * Touches memory only.
 */
#include <string.h>

#include "explain/verdict_words.h"

static const struct verdict_words words[] = {
	{ "mmap-read-around",
	  "page faults fetched pages around them that were not used (evicted or still cached); no read(2) had requested them",
	  "sequential access to a mapping then waits for each page; read_ahead_kb applies to every file of the device", false },
	{ "filesystem-expansion",
	  "the filesystem added pages to the readahead request",
	  "sequential reads then take more, smaller requests", false },
	{ "readahead-waste",
	  "readahead for read(2), not for page faults, inserted pages that were evicted unused",
	  "sequential reads then wait for each request; read_ahead_kb applies to every file of the device", false },
	{ "evicted-by-stream",
	  "evicted pages were requested again, and pages of the stream were not",
	  "the stream is read from the disk again if somebody wants it after all, and a small memory.high slows it", false },
	{ "working-set-too-large",
	  "the same pages are refaulted repeatedly, no stream evicts them, and no idle file holds as much memory",
	  "memory that others then lack; reads past the cache wait for the device each time", false },
	{ "idle-file-holds-active-list",
	  "evicted pages are refaulted, while as many pages without any request stay on the active list",
	  "they are read again when somebody wants them", false },
	{ "idle-file-holds-memory",
	  "evicted pages are refaulted, while as many pages without any request stay cached",
	  "they are read again when somebody wants them", false },
	{ "mixed-direct-and-buffered",
	  "direct I/O found cached pages of the same file, and had to write or remove them first",
	  "buffered readers then read the dropped pages again", false },
	{ "data-overdue",
	  "pages stay dirty longer than the kernel's settings allow",
	  "writing now competes with the other I/O of the device", false },
	{ "fsync-split",
	  "the requests of these calls were split at the limit of the queue, and nowhere else",
	  "requests behind a larger one wait longer", false },
	{ "fsync-waits-for-log",
	  "the calls waited for the log or the disk's cache, and not for their data",
	  "a crash loses all writes since the last call: fewer calls, more loss", false },
	{ "fsync-writes-others-data",
	  "the pages that these calls had to write were made dirty by other tasks",
	  "the writer then waits for the device by itself", false },
	{ "large-folio-write-amplification",
	  "more was written to the device than by write(2) into the cache, in large folios; mappings wrote little",
	  "dropped pages are read again; sequential writes need a buffer", false },
	{ "dirty-throttled",
	  "writers slept, and the thresholds of that moment name the limit",
	  "more dirty data: a crash loses more, and an fsync has more to write", false },
	{ "cgroup-dirty-throttled",
	  "writers slept while the global threshold was not reached: the limit is their cgroup's",
	  "memory that other cgroups then lack", false },
	{ "random-advice-unprotected",
	  "faults through a mapping with MADV_RANDOM or MADV_SEQUENTIAL, whose use reclaim does not count",
	  "without that advice faults read around again", false },
	{ "thrashing",
	  "at least half of the pages read had been evicted before; the time that tasks stalled on memory is its weight",
	  "memory that others then lack, or fewer programs at once", true },
	{ "one-stream-owns-cache",
	  "one file has half of the page cache, and grew meanwhile or is not active, while pages were read again after an eviction",
	  "the stream is read from the disk again if somebody wants it after all", true },
	{ "one-file-owns-cache",
	  "one file has half of the page cache, is active or mapped, and pages were read again after an eviction while somebody waited for memory",
	  "whoever uses it then reads more of it again; or memory that others then lack", true },
	{ "working-set-is-cache",
	  "somebody waits for memory, memory.current less inactive_file is near the limit, and a quarter of that is active pages of files",
	  "dropped pages are read again when they are requested", true },
	{ "working-set-cannot-go",
	  "nearly all is no page cache (anonymous, shmem, of the kernel), and there is no swap space for what could go there",
	  "memory that others then lack", true },
	{ "dirty-limit-near",
	  "dirty pages are near the threshold where writers are made to wait",
	  "more dirty data: a crash loses more, and an fsync has more to write", true },
	{ "deleted-files-hold-memory",
	  "files without a name are still open, and have pages",
	  "whoever has them open has to close them, or be restarted", true },
};

/**
 * verdict_words() - what is said of a verdict whatever its numbers are
 * @name: of the verdict
 *
 * Return: it, or NULL.
 */
const struct verdict_words *verdict_words(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i].name, name))
			return &words[i];
	return NULL;
}

/* The verdicts, one after the other; NULL behind the last. */
const struct verdict_words *verdict_words_at(size_t i)
{
	return i < sizeof(words) / sizeof(*words) ? &words[i] : NULL;
}
