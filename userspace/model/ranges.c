// SPDX-License-Identifier: GPL-2.0-only
/*
 * ranges.c - sets of cached pages of a file, as ranges. Touches memory only.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "model/ranges.h"

/**
 * range_list_name() - what a list is called
 * @list: enum pcinspect_range_list, or RANGE_ANY_LIST
 *
 * Return: NULL for any other number.
 */
const char *range_list_name(uint32_t list)
{
	static const char *const names[] = {
		[PCINSPECT_RANGE_ACTIVE] = "active",
		[PCINSPECT_RANGE_INACTIVE] = "inactive",
		[PCINSPECT_RANGE_UNEVICTABLE] = "unevictable",
		[PCINSPECT_RANGE_OFF_LRU] = "off_lru",
		[RANGE_ANY_LIST] = "cached",
	};

	return list <= RANGE_ANY_LIST ? names[list] : NULL;
}

/**
 * ranges_add() - add pages behind all that are there
 * @ranges: to which
 * @index: of the first page
 * @pages: how many
 * @list: where they are
 */
void ranges_add(struct ranges *ranges, uint64_t index, uint64_t pages, uint32_t list)
{
	struct pcinspect_page_range *last = ranges->nr ? &ranges->list[ranges->nr - 1] : NULL;
	uint32_t part;

	for (; pages; pages -= part, index += part) {
		part = pages < UINT32_MAX ? pages : UINT32_MAX;
		if (last && last->list == list && last->index + last->pages == index &&
		    (uint64_t)last->pages + part <= UINT32_MAX) {
			last->pages += part;
			continue;
		}
		ranges->list = alloc_room(ranges->list, ranges->nr, &ranges->room,
					  sizeof(*ranges->list));
		last = &ranges->list[ranges->nr++];
		*last = (struct pcinspect_page_range){ .index = index, .pages = part, .list = list };
	}
}

/**
 * ranges_pages() - how many pages there are
 * @ranges: of which
 * @list: on this list; RANGE_ANY_LIST: on any
 */
uint64_t ranges_pages(const struct ranges *ranges, uint32_t list)
{
	uint64_t pages = 0;
	size_t i;

	for (i = 0; i < ranges->nr; i++)
		if (list == RANGE_ANY_LIST || ranges->list[i].list == list)
			pages += ranges->list[i].pages;
	return pages;
}

/**
 * ranges_without() - the pages of one set that are not in another
 * @a: these
 * @b: without these, whatever list they are on
 * @to: gets them
 */
void ranges_without(const struct ranges *a, const struct ranges *b, struct ranges *to)
{
	size_t i, k = 0;

	for (i = 0; i < a->nr; i++) {
		uint64_t at = a->list[i].index, end = at + a->list[i].pages;

		while (k < b->nr && b->list[k].index + b->list[k].pages <= at)
			k++;
		for (; at < end && k < b->nr && b->list[k].index < end; k++) {
			if (b->list[k].index > at)
				ranges_add(to, at, b->list[k].index - at, a->list[i].list);
			at = b->list[k].index + b->list[k].pages;
			if (at > end)
				break;
		}
		if (at < end)
			ranges_add(to, at, end - at, a->list[i].list);
	}
}

/* Is a page among them? */
bool ranges_has(const struct ranges *ranges, uint64_t index)
{
	size_t low = 0, high = ranges->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (ranges->list[middle].index + ranges->list[middle].pages <= index)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ranges->nr && ranges->list[low].index <= index;
}

/* Forget them. */
void ranges_free(struct ranges *ranges)
{
	free(ranges->list);
	*ranges = (struct ranges){};
}
