// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups.c - sums over cgroups, and what their names say. Pure.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/compare.h"
#include "model/cgroups.h"

/* Pages that the kernel counts on the file lists. */
uint64_t cgroup_counted(const struct cgroup *cgroup)
{
	return cgroup->lists.counted_pages[PCINSPECT_LIST_ACTIVE] +
	       cgroup->lists.counted_pages[PCINSPECT_LIST_INACTIVE];
}

/* Of them, those that an entry of a file tells of. */
uint64_t cgroup_named(const struct cgroup *cgroup)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < cgroup->nr_files; i++)
		sum += listed_pages(&cgroup->files[i].row);
	return sum;
}

/* And all others; what came during the walk may make it none. */
uint64_t cgroup_unnamed(const struct cgroup *cgroup)
{
	uint64_t counted = cgroup_counted(cgroup), named = cgroup_named(cgroup);

	return counted > named ? counted - named : 0;
}

/**
 * cgroup_set() - the working set as kubelet has it
 * @current_bytes: memory.current
 * @lists: of the same cgroup and all below it
 * @page_size: bytes
 *
 * Return: memory.current less inactive_file, in bytes.
 */
uint64_t cgroup_set(uint64_t current_bytes, const struct pcinspect_list_cgroup *lists,
		    uint32_t page_size)
{
	uint64_t inactive = lists->counted_pages[PCINSPECT_LIST_INACTIVE] * page_size;

	return current_bytes > inactive ? current_bytes - inactive : 0;
}

/* Of a cgroup and all below it. Returns false if unknown. */
bool cgroup_working_set(const struct cgroup *cgroup, uint32_t page_size,
			uint64_t *bytes)
{
	if (cgroup->current_known)
		*bytes = cgroup_set(cgroup->current_bytes, &cgroup->lists, page_size);
	return cgroup->current_known;
}

/**
 * cgroup_add_lists() - add a cgroup's lists to those of one above it
 * @sum: of the one above
 * @one: of the one below
 */
void cgroup_add_lists(struct pcinspect_list_cgroup *sum,
		      const struct pcinspect_list_cgroup *one)
{
	int i;

	for (i = 0; i < PCINSPECT_NR_LISTS; i++) {
		sum->counted_pages[i] += one->counted_pages[i];
		sum->counted_before_pages[i] += one->counted_before_pages[i];
		sum->file_pages[i] += one->file_pages[i];
	}
	for (i = 0; i < PCINSPECT_LISTS_NR_GENS; i++)
		sum->generation_pages[i] += one->generation_pages[i];
	sum->unevictable_pages += one->unevictable_pages;
	sum->lazyfree_pages += one->lazyfree_pages;
	sum->leaving_pages += one->leaving_pages;
	sum->other_pages += one->other_pages;
	sum->flags |= one->flags & PCINSPECT_CGROUP_GENERATIONS;
}

/* One more file; cgroup_sort() puts those of the same file together. */
void cgroup_add_file(struct cgroup *cgroup, const struct pcinspect_list_file *row,
		     const char *path, bool elsewhere)
{
	struct listed_file *file;

	cgroup->files =
		alloc_room(cgroup->files, cgroup->nr_files, &cgroup->room, sizeof(*cgroup->files));
	file = &cgroup->files[cgroup->nr_files++];
	file->row = *row;
	file->path = alloc_copy(path);
	file->elsewhere = path && elsewhere;
}

static int compare_files(const void *a, const void *b)
{
	return listed_compare(a, b);
}

static int compare_pages(const void *a, const void *b)
{
	const struct listed_file *x = a, *y = b;

	return compare_numbers(listed_pages(&y->row), listed_pages(&x->row)) ?:
	       listed_compare(x, y);
}

/**
 * cgroup_sort() - one entry a file, most pages first
 * @cgroup: whose files may be charged to several cgroups below it
 */
void cgroup_sort(struct cgroup *cgroup)
{
	size_t i, n = 0;

	if (!cgroup->nr_files)
		return;
	qsort(cgroup->files, cgroup->nr_files, sizeof(*cgroup->files), compare_files);
	for (i = 1; i < cgroup->nr_files; i++) {
		if (listed_compare(&cgroup->files[n], &cgroup->files[i])) {
			cgroup->files[++n] = cgroup->files[i];
			continue;
		}
		listed_add(&cgroup->files[n].row, &cgroup->files[i].row);
		free(cgroup->files[i].path);
	}
	cgroup->nr_files = n + 1;
	qsort(cgroup->files, cgroup->nr_files, sizeof(*cgroup->files), compare_pages);
}

/* Empty one. */
void cgroup_free(struct cgroup *cgroup)
{
	size_t i;

	for (i = 0; i < cgroup->nr_files; i++)
		free(cgroup->files[i].path);
	free(cgroup->files);
	free(cgroup->path);
	free(cgroup->name);
	memset(cgroup, 0, sizeof(*cgroup));
}

void cgroups_free(struct cgroups *cgroups)
{
	size_t i;

	for (i = 0; i < cgroups->nr; i++)
		cgroup_free(&cgroups->list[i]);
	free(cgroups->list);
}

/* --- names ----------------------------------------------------------------- */

/* How the engines call the cgroup of a container: before and behind its ID. */
static const struct {
	const char *prefix;
	const char *suffix;
	const char *engine;
} patterns[] = {
	{ "docker-", ".scope", "docker" },		/* systemd driver */
	{ "libpod-", ".scope", "podman" },
	{ "cri-containerd-", ".scope", "containerd" },
	{ "crio-", ".scope", "cri-o" },
	{ "nerdctl-", ".scope", "nerdctl" },
};

static bool is_id(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && isxdigit((unsigned char)text[i]); i++)
		;
	return len >= 12 && i == len;
}

/* kubepods-burstable-pod0a1b_2c.slice, or pod0a1b-2c below kubepods (cgroupfs). */
static char *pod_name(const char *base, size_t len)
{
	const char *pod = NULL, *at;
	char *out, *dash;

	if (!strncmp(base, "kubepods", 8)) {
		for (at = base; (at = strstr(at, "-pod")); at++)
			pod = at + 4;
		if (pod && len > 6 && !strcmp(base + len - 6, ".slice"))
			len -= 6;
	} else if (!strncmp(base, "pod", 3) && strchr(base, '-')) {
		pod = base + 3;
	}
	if (!pod)
		return NULL;
	out = alloc_text("pod %.*s", (int)(base + len - pod), pod);
	/* systemd's names have no dash inside; a UID is written with them. */
	for (dash = out; (dash = strchr(dash, '_'));)
		*dash = '-';
	return out;
}

/**
 * cgroup_name() - what a cgroup's path says of whose it is
 * @path: within its hierarchy
 *
 * By the patterns of kubelet, docker, podman, containerd, cri-o and systemd;
 * nobody is asked. An ID is cut to 12 digits, as they show it.
 *
 * Return: a new string, or NULL: it says nothing but itself.
 */
char *cgroup_name(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t i, len, prefix, suffix;
	char *out = NULL;

	base = base ? base + 1 : path;
	len = strlen(base);
	for (i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		prefix = strlen(patterns[i].prefix);
		suffix = strlen(patterns[i].suffix);
		if (len <= prefix + suffix || strncmp(base, patterns[i].prefix, prefix) ||
		    strcmp(base + len - suffix, patterns[i].suffix) ||
		    !is_id(base + prefix, len - prefix - suffix))
			continue;
		return alloc_text("%s %.12s", patterns[i].engine, base + prefix);
	}
	/* The cgroupfs driver: the ID alone. */
	if (len == 64 && is_id(base, len))
		return alloc_text("container %.12s", base);
	out = pod_name(base, len);
	if (out)
		return out;
	if (len > 8 && (!strcmp(base + len - 8, ".service") || !strcmp(base + len - 6, ".scope")))
		return alloc_copy(base);
	return NULL;
}
