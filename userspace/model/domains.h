/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * domains.h - the machine, or a cgroup, over a little time: what the rules of
 * explain --machine and --cgroup look at.
 */
#ifndef PCINSPECT_DOMAINS_H
#define PCINSPECT_DOMAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/report.h"

/* enum domain_number - what is known of a domain, in pages but where it says so */
enum domain_number {
	DOMAIN_CAPACITY,		/* memory of the machine, or the cgroup's limit */
	DOMAIN_USED,		/* of it: memory.current; what is not available */
	DOMAIN_ACTIVE,		/* of files, as the kernel counts them */
	DOMAIN_INACTIVE,
	DOMAIN_ANON,
	DOMAIN_SHMEM,
	DOMAIN_KERNEL,
	DOMAIN_SWAP_FREE,	/* of the machine: where anonymous memory can go */
	DOMAIN_DIRTY,		/* with what is under writeback */
	DOMAIN_DIRTY_WAIT,	/* from so many on writers are made to wait */
	DOMAIN_DIRTY_LIMIT,	/* and so many there never are */
	DOMAIN_REFAULTS,		/* since the first look: read again after an eviction */
	DOMAIN_READ,		/* likewise: read from devices */
	DOMAIN_RECLAIMED,	/* likewise: taken by reclaim */
	DOMAIN_STALLED_US,	/* likewise, us: somebody waited for memory */
	DOMAIN_MISSING,		/* of the files that it reads, what is not cached */
	NR_DOMAIN_NUMBERS
};

/**
 * struct domain - the machine or a cgroup
 * @path: of the cgroup within the hierarchy; NULL: the machine
 * @known: bits of enum domain_number
 * @numbers: by it
 * @limit: which limit @numbers[DOMAIN_CAPACITY] is; its len is 0: of the machine, or none
 * @inferred: DOMAIN_DIRTY_WAIT is worked out from the limit
 */
struct domain {
	char *path;
	uint32_t known;
	uint64_t numbers[NR_DOMAIN_NUMBERS];
	struct memcg_limit limit;
	bool inferred;
};

/**
 * struct domains_file - a file that stands out
 * @path: raw; NULL: it has no name, or there is no such file
 * @here: @path leads to it in our mount namespace
 * @elsewhere: its filesystem, @dev_major:@dev_minor, is not mounted here
 * @size_pages: of the file, 0: unknown
 * @pages: cached, of the domain
 * @active: of them; @mapped and @dirty likewise
 * @grown: more than at the first look
 * @grown_known: that is known
 * @pid: who has it open, 0: nobody known; of deleted files only
 * @fd: by this number
 * @comm: the name of that process
 */
struct domains_file {
	char *path;
	bool here;
	bool elsewhere;
	uint32_t dev_major, dev_minor;
	uint64_t size_pages;
	uint64_t pages;
	uint64_t active;
	uint64_t mapped;
	uint64_t dirty;
	int64_t grown;
	bool grown_known;
	uint32_t pid;
	int fd;
	char comm[16];
};

/**
 * struct domains - all that was seen
 * @report: gets the verdicts
 * @list: what was asked for first; then, of the machine, cgroups that have a limit
 * @nr: how many
 * @partly: there are more cgroups than were looked for
 * @interval_ns: between the two looks; when the first was, until then
 * @largest: the file with most pages
 * @dirtiest: with most dirty ones
 * @deleted: with most pages of those that are deleted
 * @deleted_pages: of all that are
 * @deleted_files: how many
 */
struct domains {
	struct report *report;
	struct domain *list;
	size_t nr;
	bool partly;
	uint64_t interval_ns;
	struct domains_file largest;
	struct domains_file dirtiest;
	struct domains_file deleted;
	uint64_t deleted_pages;
	uint64_t deleted_files;
};

void domain_set(struct domain *domain, enum domain_number number, uint64_t value);
bool domain_number(const struct domain *domain, enum domain_number number, uint64_t *value);
uint64_t domain_of(const struct domain *domain, enum domain_number number);
struct domain *domains_add(struct domains *domains, const char *path);
bool domains_deleted_matter(const struct domains *domains);
bool domain_below(const struct domain *below, const struct domain *above);
void domains_free(struct domains *domains);

#endif /* PCINSPECT_DOMAINS_H */
