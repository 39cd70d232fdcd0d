// SPDX-License-Identifier: GPL-2.0-only
/*
 * domains.c - the machine, or a cgroup, over a little time. Touches memory only.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "model/domains.h"

/* From now on it is known. */
void domain_set(struct domain *domain, enum domain_number number, uint64_t value)
{
	domain->known |= 1U << number;
	domain->numbers[number] = value;
}

/* Returns false if it is unknown. */
bool domain_number(const struct domain *domain, enum domain_number number, uint64_t *value)
{
	if (!(domain->known >> number & 1))
		return false;
	*value = domain->numbers[number];
	return true;
}

/* 0 where it is unknown: for what is only added up or said. */
uint64_t domain_of(const struct domain *domain, enum domain_number number)
{
	return domain->known >> number & 1 ? domain->numbers[number] : 0;
}

/**
 * domains_add() - one more domain
 * @domains: which has them
 * @path: of the cgroup; NULL: the machine
 *
 * Return: it, until the next one is added.
 */
struct domain *domains_add(struct domains *domains, const char *path)
{
	struct domain *domain;

	domains->list = alloc_array(domains->list, domains->nr + 1, sizeof(*domains->list));
	domain = &domains->list[domains->nr++];
	*domain = (struct domain){ .path = alloc_copy(path) };
	return domain;
}

/* Is a cgroup below another, or the machine? */
bool domain_below(const struct domain *below, const struct domain *above)
{
	size_t len = above->path ? strlen(above->path) : 0;

	if (!below->path || below == above)
		return false;
	/* All are below the root's. */
	if (len == 1)
		len = 0;
	return !strncmp(below->path, above->path ?: "", len) && below->path[len] == '/';
}

/* This much of deleted files is worth a word, if it is also this part of the cache. */
#define DELETED_BYTES (16 << 20)
#define DELETED_PART 20

/* Is it of what was asked for? */
bool domains_deleted_matter(const struct domains *domains)
{
	const struct domain *domain = domains->list;
	uint64_t pages = domains->deleted_pages;

	return pages * domains->report->page_size >= DELETED_BYTES &&
	       pages * DELETED_PART >= domain_of(domain, DOMAIN_ACTIVE) +
				       domain_of(domain, DOMAIN_INACTIVE);
}

static void forget_file(struct domains_file *file)
{
	free(file->path);
	*file = (struct domains_file){};
}

/* Free what it holds; its report is somebody else's. */
void domains_free(struct domains *domains)
{
	size_t i;

	for (i = 0; i < domains->nr; i++)
		free(domains->list[i].path);
	free(domains->list);
	forget_file(&domains->largest);
	forget_file(&domains->dirtiest);
	forget_file(&domains->deleted);
	*domains = (struct domains){ .report = domains->report };
}
