// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - the rules of explain about the machine, or a cgroup, as a whole.
 *
 * They know no ledgers: what they look at is there without anything being tracked, from
 * two looks a little apart. So they say who has the memory, not who read what; only what
 * is short is worth a word, since a cache that is full is as it should be. Touches
 * memory only.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "explain/rules.h"
#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/quote.h"
#include "model/domains.h"

/**
 * struct asked - a rule, of one domain
 * @s: for what verdicts are put together with: the report, and no file
 * @domains: all that was seen
 * @domain: of which
 * @spoken: of which domains this rule has spoken, by their place in the list
 */
struct asked {
	struct subject s;
	const struct domains *domains;
	const struct domain *domain;
	bool *spoken;
};

/**
 * struct domains_rule - one thing that may be wrong
 * @say: adds the verdict if it is; returns whether it did
 * @once: of the domain that was asked for only, since it is about files
 */
struct domains_rule {
	bool (*say)(const struct asked *a);
	bool once;
};

static uint64_t of(const struct asked *a, enum domain_number number)
{
	return domain_of(a->domain, number);
}

static bool known(const struct asked *a, enum domain_number number)
{
	uint64_t value;

	return domain_number(a->domain, number, &value);
}

static uint64_t cache_of(const struct asked *a)
{
	return of(a, DOMAIN_ACTIVE) + of(a, DOMAIN_INACTIVE);
}

/* The beginning of the words. */
static char *whose(const struct asked *a)
{
	char *shown, *out;

	if (!a->domain->path)
		return alloc_text("the machine");
	shown = escape_path(a->domain->path);
	out = alloc_text("cgroup %s", shown);
	free(shown);
	return out;
}

static void add_place(const struct asked *a)
{
	if (a->domain->path)
		add_scope(&a->s, SCOPE_CGROUP, "%s", a->domain->path);
	else
		add_scope(&a->s, SCOPE_MACHINE, NULL);
}

/* The name of a file; a path on a filesystem not mounted here may be another's. */
static char *file_words(const struct domains_file *file)
{
	char *shown = escape_path(file->path ?: "?"), *out;

	if (!file->elsewhere)
		return shown;
	out = alloc_text("%s (%u:%u, not mounted here)", shown, file->dev_major, file->dev_minor);
	free(shown);
	return out;
}

/* About one file. */
static void add_file_place(const struct asked *a, const struct domains_file *file)
{
	if (file->path && !file->elsewhere)
		add_scope(&a->s, SCOPE_FILE, "%s", file->path);
	else
		add_place(a);
}

/* A file of the cgroup's, with a value written to it. */
static void write_command(const struct asked *a, const char *cgroup, const char *file,
			  uint64_t bytes)
{
	char path[PATH_MAX], *word;

	snprintf(path, sizeof(path), MEMCG_ROOT "%s/%s", cgroup, file);
	word = shell_word(path);
	add_command(&a->s, "echo %ju > %s", (uintmax_t)bytes, word);
	free(word);
}

/* A cgroup's limit, larger by these bytes at least; false: the machine has not so much. */
static bool raise_command(const struct asked *a, uint64_t bytes)
{
	return a->domain->limit.len && raise_limit_command(&a->s, &a->domain->limit, bytes);
}

/* Reads meanwhile; those of a cgroup nobody may have counted, reclaim is counted. */
static bool read_of(const struct domain *domain, uint64_t *read)
{
	return domain_number(domain, DOMAIN_READ, read) ||
	       domain_number(domain, DOMAIN_RECLAIMED, read);
}

/* Was much of what was read meanwhile there before, and taken by reclaim? */
static bool misses(const struct asked *a)
{
	uint64_t read;

	return of(a, DOMAIN_REFAULTS) >= WORTH_PAGES && read_of(a->domain, &read) &&
	       of(a, DOMAIN_REFAULTS) * 2 >= read;
}

/*
 * The same of the machine, without the cgroups whose limit is the reason: more memory does
 * not help these.
 */
static bool misses_elsewhere(const struct asked *a)
{
	uint64_t refaults = of(a, DOMAIN_REFAULTS), read, theirs;
	size_t i;

	if (!read_of(a->domain, &read))
		return false;
	for (i = 0; i < a->domains->nr; i++) {
		const struct domain *domain = &a->domains->list[i];

		if (!a->spoken[i] || !domain->path)
			continue;
		theirs = domain_of(domain, DOMAIN_REFAULTS);
		refaults -= theirs < refaults ? theirs : refaults;
		/* Their other reads are left out: they are not much more. */
		read -= theirs < read ? theirs : read;
	}
	return refaults >= WORTH_PAGES && refaults * 2 >= read;
}

/* A megabyte a second: less is not worth a word. */
static bool often(const struct asked *a)
{
	return of(a, DOMAIN_REFAULTS) * 1000000000.0 >=
	       (double)WORTH_PAGES * a->domains->interval_ns;
}

/* Of the time that somebody waited for memory, this part is too much. */
#define STALLED_PART 10

/* Did somebody wait for memory? Where it is unknown nothing is short. */
static bool stalls(const struct asked *a)
{
	uint64_t stalled, us = a->domains->interval_ns / 1000;

	return us && domain_number(a->domain, DOMAIN_STALLED_US, &stalled) &&
	       stalled * STALLED_PART >= us;
}

/* --- what is read is evicted, and read again ------------------------------------ */

/* How much of the time somebody waited is the weight of it, and no condition. */
static char *waited(const struct asked *a)
{
	uint64_t stalled, us = a->domains->interval_ns / 1000;

	if (!domain_number(a->domain, DOMAIN_STALLED_US, &stalled))
		return alloc_text("how long somebody waited for memory is not measured here");
	return alloc_text("for %.0f %% of the time somebody waited for memory",
			  percent(stalled, us));
}

/*
 * A limit that has room for the files too, by what was missing when they were counted, and a
 * part more for what the kernel keeps beside them.
 */
static void advise_memory(const struct asked *a)
{
	static const char fewer[] = "fewer at once; pcinspect run --explain -- CMD says of which files";
	uint64_t missing = of(a, DOMAIN_MISSING);
	char *most = NULL;

	if (a->domain->limit.len && missing &&
	    raise_command(a, (missing + missing / 32) * a->s.report->page_size))
		most = alloc_text("a larger limit (with %s more all of the files that it reads fit), or",
				  pages_text(&a->s, missing).text);
	else if (a->domain->limit.len && missing)
		most = alloc_text("a larger limit (all of the files that it reads, %s more, are too much for this machine), or",
				  pages_text(&a->s, missing).text);
	add_remedy(&a->s, "%s %s", most ?: a->domain->limit.len ? "a larger limit, or" :
		   "more memory, or", fewer);
	free(most);
}

static bool say_thrashing(const struct asked *a)
{
	uint64_t us = a->domains->interval_ns / 1000, refaults = of(a, DOMAIN_REFAULTS), all;
	bool read = known(a, DOMAIN_READ);
	char *who, *wait;

	if (!misses(a) || !often(a) || (!a->domain->path && !misses_elsewhere(a)))
		return false;
	read_of(a->domain, &all);
	who = whose(a);
	wait = waited(a);
	add_verdict(&a->s, "thrashing", refaults * a->s.report->page_size,
		    "in %.1f s %ju pages were read again in %s after reclaim had taken them, %.0f %% of the %ju pages %s meanwhile, and %s: what is in use does not fit",
		    us / 1e6, (uintmax_t)refaults, who, percent(refaults, all), (uintmax_t)all,
		    read ? "that were read" : "that reclaim took", wait);
	free(wait);
	free(who);
	add_place(a);
	advise_memory(a);
	if (!read)
		is_inferred(&a->s);
	add_evidence(&a->s, "refault_pages", refaults);
	if (read)
		add_evidence(&a->s, "read_pages", of(a, DOMAIN_READ));
	if (known(a, DOMAIN_RECLAIMED))
		add_evidence(&a->s, "reclaimed_pages", of(a, DOMAIN_RECLAIMED));
	if (known(a, DOMAIN_MISSING))
		add_evidence(&a->s, "missing_pages", of(a, DOMAIN_MISSING));
	if (known(a, DOMAIN_STALLED_US))
		add_evidence(&a->s, "stalled_us", of(a, DOMAIN_STALLED_US));
	add_evidence(&a->s, "interval_us", us);
	return true;
}

/* --- one file has it all, and others miss it -------------------------------------- */

/* Filled while we looked. */
static bool grows(const struct domains_file *file)
{
	return file->grown_known && file->grown > 0 && (uint64_t)file->grown * 8 >= file->pages;
}

/* That, or used no more than once: it passes through. */
static bool is_stream(const struct domains_file *file)
{
	return file->mapped * 4 <= file->pages && (file->active * 4 <= file->pages || grows(file));
}

/*
 * Read in a cycle: it is cached in part, and nearly all that was read were refaults, so that
 * what came of it came again. A stream brings pages that were not there before.
 */
static bool in_cycle(const struct asked *a, const struct domains_file *file)
{
	uint64_t read;

	return file->size_pages > file->pages && read_of(a->domain, &read) &&
	       of(a, DOMAIN_REFAULTS) * 4 >= read * 3;
}

static bool say_owner(const struct asked *a)
{
	const struct domains_file *file = &a->domains->largest;
	uint64_t cache = cache_of(a), bytes = file->pages * a->s.report->page_size;
	bool stream = is_stream(file);
	char *shown, *who, *word;

	if (!misses(a) || file->pages < WORTH_PAGES || file->pages * 2 < cache ||
	    in_cycle(a, file))
		return false;
	/*
	 * The owner of the pages read again is unknown. One that reads more than there is
	 * memory for reads its own, which is as it should be unless somebody waits; what
	 * came while we looked took the place of something.
	 */
	if (!stalls(a) && !(stream && grows(file)))
		return false;
	shown = file_words(file);
	who = whose(a);
	add_verdict(&a->s, stream ? "one-stream-owns-cache" : "one-file-owns-cache", bytes,
		    "%s has %s, %.0f %% of the page cache of %s (%ju of its %ju pages are active, %ju mapped), while in %.1f s %ju pages were read again after reclaim had taken them",
		    shown, pages_text(&a->s, file->pages).text, percent(file->pages, cache), who,
		    (uintmax_t)file->active, (uintmax_t)file->pages, (uintmax_t)file->mapped,
		    a->domains->interval_ns / 1e9, (uintmax_t)of(a, DOMAIN_REFAULTS));
	free(shown);
	free(who);
	add_file_place(a, file);
	if (stream) {
		add_remedy(&a->s, "have whoever reads or writes it drop what it is done with (posix_fadvise(POSIX_FADV_DONTNEED), RWF_DONTCACHE since 6.14), or run it in a cgroup with a memory.high of its own; to drop it now, if nobody needs it again");
		if (file->path && file->here) {
			word = shell_word(file->path);
			add_command(&a->s, "dd if=%s iflag=nocache count=0 status=none", word);
			free(word);
		}
	} else {
		add_remedy(&a->s, "a memory.high for the cgroup of whoever uses it, so that it takes less from others, or more memory");
	}
	is_inferred(&a->s);
	if (known(a, DOMAIN_STALLED_US))
		add_evidence(&a->s, "stalled_us", of(a, DOMAIN_STALLED_US));
	add_evidence(&a->s, "file_pages", file->pages);
	add_evidence(&a->s, "cache_pages", cache);
	add_evidence(&a->s, "active_pages", file->active);
	add_evidence(&a->s, "mapped_pages", file->mapped);
	add_evidence(&a->s, "refault_pages", of(a, DOMAIN_REFAULTS));
	return true;
}

/* --- a container's working set: can it go? ------------------------------------------ */

/* As kubelet has it: memory.current less inactive_file. */
static uint64_t working_set(const struct asked *a)
{
	uint64_t used = of(a, DOMAIN_USED), inactive = of(a, DOMAIN_INACTIVE);

	return used > inactive ? used - inactive : 0;
}

static void add_parts(const struct asked *a)
{
	add_evidence(&a->s, "used_pages", of(a, DOMAIN_USED));
	add_evidence(&a->s, "capacity_pages", of(a, DOMAIN_CAPACITY));
	add_evidence(&a->s, "working_set_pages", working_set(a));
	add_evidence(&a->s, "active_file_pages", of(a, DOMAIN_ACTIVE));
	add_evidence(&a->s, "inactive_file_pages", of(a, DOMAIN_INACTIVE));
	add_evidence(&a->s, "anon_pages", of(a, DOMAIN_ANON));
	add_evidence(&a->s, "shmem_pages", of(a, DOMAIN_SHMEM));
	add_evidence(&a->s, "kernel_pages", of(a, DOMAIN_KERNEL));
}

static bool say_working_set_is_cache(const struct asked *a)
{
	uint64_t set = working_set(a), capacity = of(a, DOMAIN_CAPACITY);
	uint64_t bytes = of(a, DOMAIN_ACTIVE) * a->s.report->page_size;
	char *who;

	if (!a->domain->path || !a->domain->limit.len || !known(a, DOMAIN_USED) ||
	    !known(a, DOMAIN_ACTIVE) || set * 5 < capacity * 4 || of(a, DOMAIN_ACTIVE) * 4 < set ||
	    of(a, DOMAIN_ACTIVE) < WORTH_PAGES || !stalls(a))
		return false;
	who = whose(a);
	add_verdict(&a->s, "working-set-is-cache", bytes,
		    "the working set of %s as kubelet counts it (memory.current less inactive_file) is %s, %.0f %% of its limit of %s, and for %.0f %% of the time somebody waited for memory; but %s of it are active pages of files, which the kernel takes back before it kills: what cannot go is %s anonymous, %s shmem, %s of the kernel",
		    who, pages_text(&a->s, set).text, percent(set, capacity),
		    pages_text(&a->s, capacity).text,
		    percent(of(a, DOMAIN_STALLED_US), a->domains->interval_ns / 1000),
		    bytes_text(bytes).text,
		    pages_text(&a->s, of(a, DOMAIN_ANON)).text,
		    pages_text(&a->s, of(a, DOMAIN_SHMEM)).text,
		    pages_text(&a->s, of(a, DOMAIN_KERNEL)).text);
	free(who);
	add_place(a);
	add_remedy(&a->s, "have alarms look at anonymous memory, shmem and pressure (memory.pressure), not at this sum; to have the cache go now, at the price of reading it again");
	write_command(a, a->domain->path, "memory.reclaim", bytes);
	add_parts(a);
	add_evidence(&a->s, "stalled_us", of(a, DOMAIN_STALLED_US));
	return true;
}

static bool say_working_set_stays(const struct asked *a)
{
	uint64_t capacity = of(a, DOMAIN_CAPACITY), used = of(a, DOMAIN_USED), swap, want;
	uint64_t stays = used > cache_of(a) ? used - cache_of(a) : 0;
	char *who;

	/* Of the machine, what is used is what is not available: without its cache. */
	if (!a->domain->path)
		stays = used;
	if (!capacity || !known(a, DOMAIN_USED) || !known(a, DOMAIN_ACTIVE) ||
	    !domain_number(a->domain, DOMAIN_SWAP_FREE, &swap) || swap >= WORTH_PAGES ||
	    used * 10 < capacity * 9 || stays * 10 < capacity * 9 ||
	    cache_of(a) * 10 >= capacity)
		return false;
	who = whose(a);
	add_verdict(&a->s, "working-set-cannot-go", stays * a->s.report->page_size,
		    "%s of the %s that %s may have are in use and cannot go: %s anonymous without swap, %s shmem, %s of the kernel; %s are left for the page cache",
		    pages_text(&a->s, stays).text, pages_text(&a->s, capacity).text, who,
		    pages_text(&a->s, of(a, DOMAIN_ANON)).text,
		    pages_text(&a->s, of(a, DOMAIN_SHMEM)).text,
		    pages_text(&a->s, of(a, DOMAIN_KERNEL)).text,
		    pages_text(&a->s, cache_of(a)).text);
	free(who);
	add_place(a);
	add_remedy(&a->s, a->domain->path ? "a larger limit, or swap; less cache does not help" :
		   "more memory, or swap; less cache does not help");
	/* So that it is four fifths of it. */
	want = stays * 5 / 4;
	raise_command(a, want > capacity ? (want - capacity) * a->s.report->page_size : 0);
	add_parts(a);
	return true;
}

/* --- writers are made to wait, or soon will be --------------------------------------- */

static bool say_dirty(const struct asked *a)
{
	const struct domains_file *file = &a->domains->dirtiest;
	uint64_t dirty = of(a, DOMAIN_DIRTY), wait, limit;
	bool asked_for = a->domain == a->domains->list;
	char *who, *shown, *most = NULL, *word;

	if (!known(a, DOMAIN_DIRTY) || !domain_number(a->domain, DOMAIN_DIRTY_WAIT, &wait) ||
	    !domain_number(a->domain, DOMAIN_DIRTY_LIMIT, &limit) || dirty < wait ||
	    dirty < WORTH_PAGES)
		return false;
	who = whose(a);
	if (asked_for && file->dirty) {
		shown = file_words(file);
		most = alloc_text("; most, %ju, are of %s", (uintmax_t)file->dirty, shown);
		free(shown);
	}
	add_verdict(&a->s, "dirty-limit-near", dirty * a->s.report->page_size,
		    "%s has %ju pages that are dirty or being written (%s); from %ju on writers are made to wait, and %ju is the limit%s",
		    who, (uintmax_t)dirty, pages_text(&a->s, dirty).text, (uintmax_t)wait,
		    (uintmax_t)limit, most ?: "");
	free(who);
	add_place(a);
	add_remedy(&a->s, "write back earlier (a smaller vm.dirty_background_ratio), fsync(2) or sync_file_range(2) in the writer, or a faster device%s",
		   a->domain->path ? "; of a cgroup the limit is a part of its memory limit" : "");
	if (asked_for && file->dirty && file->path && file->here) {
		word = shell_word(file->path);
		add_command(&a->s, "sync %s", word);
		free(word);
	} else {
		add_command(&a->s, "sync");
	}
	if (a->domain->inferred)
		is_inferred(&a->s);
	free(most);
	add_evidence(&a->s, "dirty_pages", dirty);
	add_evidence(&a->s, "wait_pages", wait);
	add_evidence(&a->s, "limit_pages", limit);
	if (asked_for && file->dirty)
		add_evidence(&a->s, "largest_pages", file->dirty);
	return true;
}

/* --- deleted, and still there ----------------------------------------------------------- */

static bool say_deleted(const struct asked *a)
{
	const struct domains_file *file = &a->domains->deleted;
	uint64_t pages = a->domains->deleted_pages, bytes = pages * a->s.report->page_size;
	char *shown, *holder, *comm, *who;

	if (!domains_deleted_matter(a->domains))
		return false;
	shown = file_words(file);
	if (file->pid) {
		comm = escape_comm(file->comm);
		holder = alloc_text(", held open by %s[%u]", comm, file->pid);
		free(comm);
	} else {
		holder = alloc_text(", held by a mapping, or by somebody in another container");
	}
	who = whose(a);
	add_verdict(&a->s, "deleted-files-hold-memory", bytes,
		    "%ju deleted file%s of %s still have %s of page cache, and their space on disk: somebody has them open or mapped. The largest is %s with %s%s",
		    (uintmax_t)a->domains->deleted_files,
		    a->domains->deleted_files == 1 ? "" : "s", who,
		    bytes_text(bytes).text, shown, pages_text(&a->s, file->pages).text, holder);
	free(who);
	free(holder);
	free(shown);
	add_place(a);
	add_remedy(&a->s, "have whoever holds them open close them (restart it, or have it open its logs anew)%s",
		   file->pid ? "; to drop the largest one's pages now, which does not free its space" : "");
	if (file->pid)
		add_command(&a->s, "dd if=/proc/%u/fd/%d iflag=nocache count=0 status=none",
			    file->pid, file->fd);
	add_evidence(&a->s, "deleted_pages", pages);
	add_evidence(&a->s, "deleted_files", a->domains->deleted_files);
	add_evidence(&a->s, "largest_pages", file->pages);
	add_evidence(&a->s, "cache_pages", cache_of(a));
	if (file->pid)
		add_evidence(&a->s, "pid", file->pid);
	return true;
}

static const struct domains_rule rules[] = {
	{ say_thrashing, false },
	{ say_owner, true },
	{ say_working_set_is_cache, false },
	{ say_working_set_stays, false },
	{ say_dirty, false },
	{ say_deleted, true },
};

#define NR_RULES (sizeof(rules) / sizeof(*rules))

/* Has a rule spoken of a cgroup below this one? Then that is where the cause is. */
static bool spoken_below(const struct domains *domains, const struct domain *domain,
			 const bool *spoken)
{
	size_t i;

	for (i = 0; i < domains->nr; i++)
		if (spoken[i] && domain->path && domain_below(&domains->list[i], domain))
			return true;
	return false;
}

/**
 * explain_domains() - find what is wrong with the machine, or a cgroup
 * @domains: what was seen; its report gets the verdicts, the costliest first
 *
 * The domains are asked from the last one on: who adds them puts those that are below
 * others behind these.
 */
void explain_domains(const struct domains *domains)
{
	struct asked asked = { .s = { .report = domains->report }, .domains = domains };
	bool *spoken = alloc_zero(domains->nr + 1, sizeof(*spoken));
	size_t i, k;

	if (!spoken)
		abort();
	asked.spoken = spoken;
	report_forget_verdicts(domains->report);
	domains->report->nr_rules = NR_RULES;
	for (k = 0; k < NR_RULES; k++) {
		memset(spoken, 0, domains->nr * sizeof(*spoken));
		for (i = domains->nr; i--;) {
			asked.domain = &domains->list[i];
			if ((rules[k].once && i) || spoken_below(domains, asked.domain, spoken))
				continue;
			spoken[i] = rules[k].say(&asked);
		}
	}
	free(spoken);
	explain_finish(domains->report);
}
