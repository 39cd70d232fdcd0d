// SPDX-License-Identifier: GPL-2.0-only
/*
 * verdict_words.c - what is to be said of each verdict whatever the numbers are: which evidence
 * separates it from its neighbours, and what its remedy costs, or what is lost by it.
 * Touches memory only.
 */
#include <string.h>

#include "explain/verdict_words.h"

static const struct verdict_words words[] = {
	{ "mmap-read-around",
	  "faults of mappings fetched pages around theirs that were removed, or are still there, unused; no read(2) had asked for them",
	  "a mapping that is used in order then waits for each page; read_ahead_kb is for every file of the device", false },
	{ "filesystem-expansion",
	  "the filesystem itself added pages to what readahead had asked for",
	  "what is read in order then takes more and smaller requests", false },
	{ "readahead-waste",
	  "readahead of read(2), not of faults, inserted pages that were removed before anybody used them",
	  "what is read in order then waits for each request; read_ahead_kb is for every file of the device", false },
	{ "evicted-by-stream",
	  "what was evicted was asked for again, and what the stream read was not",
	  "the stream is read from the disk again if somebody wants it after all, and a small memory.high slows it", false },
	{ "working-set-too-large",
	  "the same pages come back again and again, no stream evicts them, and no unused file holds as much memory",
	  "memory that others then lack; reads past the cache wait for the device each time", false },
	{ "idle-file-holds-active-list",
	  "pages come back after evictions, and as many that nobody asked for stay, on the active list",
	  "they are read again when somebody wants them", false },
	{ "idle-file-holds-memory",
	  "pages come back after evictions, and as many that nobody asked for stay",
	  "they are read again when somebody wants them", false },
	{ "mixed-direct-and-buffered",
	  "direct I/O met pages of the same file in the cache, and had to write or remove them first",
	  "whoever reads through the cache reads what was dropped again", false },
	{ "data-overdue",
	  "pages are dirty for longer than the kernel's own settings allow",
	  "what is written now competes with what the device is doing", false },
	{ "fsync-split",
	  "the requests of these calls were split where the queue's limit is, and not elsewhere",
	  "what comes behind a larger request waits longer for it", false },
	{ "fsync-waits-for-log",
	  "the calls waited for the log or the disk's cache, and not for their data",
	  "a crash loses what was written since the last call: with fewer calls, more", false },
	{ "fsync-writes-others-data",
	  "the pages that these calls had to write were made dirty by other tasks",
	  "the writer then waits for the device by itself", false },
	{ "large-folio-write-amplification",
	  "the device got more than was written, through the cache and not by mappings, in folios of many pages",
	  "what is dropped is read again; writes in order need a buffer", false },
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
	  "half of what is read, and more, had been evicted before; how long tasks waited for memory is its weight",
	  "memory that others then lack, or less that runs at once", true },
	{ "one-stream-owns-cache",
	  "one file has half of the page cache, and grew meanwhile or is not active, while pages were read again after an eviction",
	  "the stream is read from the disk again if somebody wants it after all", true },
	{ "one-file-owns-cache",
	  "one file has half of the page cache, is active or mapped, and pages were read again after an eviction while somebody waited for memory",
	  "whoever uses it then reads more of it again; or memory that others then lack", true },
	{ "working-set-is-cache",
	  "somebody waits for memory, memory.current less inactive_file is near the limit, and a quarter of that is active pages of files",
	  "what is dropped is read again when somebody wants it", true },
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
