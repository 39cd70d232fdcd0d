// SPDX-License-Identifier: GPL-2.0
/*
 * domains.c - the machine, or a cgroup, over a little time. Touches memory only.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "model/domains.h"

/* From now on it is known. */
void place_set(struct place *place, enum place_number number, uint64_t value)
{
	place->known |= 1U << number;
	place->numbers[number] = value;
}

/* Returns false if it is unknown. */
bool place_number(const struct place *place, enum place_number number, uint64_t *value)
{
	if (!(place->known >> number & 1))
		return false;
	*value = place->numbers[number];
	return true;
}

/* 0 where it is unknown: for what is only added up or said. */
uint64_t place_of(const struct place *place, enum place_number number)
{
	return place->known >> number & 1 ? place->numbers[number] : 0;
}

/**
 * whole_add() - one more place
 * @whole: which has them
 * @path: of the cgroup; NULL: the machine
 *
 * Return: it, until the next one is added.
 */
struct place *whole_add(struct whole *whole, const char *path)
{
	struct place *place;

	whole->places = alloc_array(whole->places, whole->nr_places + 1, sizeof(*whole->places));
	place = &whole->places[whole->nr_places++];
	*place = (struct place){ .path = alloc_copy(path) };
	return place;
}

/* Is a cgroup below another, or the machine? */
bool place_below(const struct place *below, const struct place *above)
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
bool whole_deleted_matter(const struct whole *whole)
{
	const struct place *place = whole->places;
	uint64_t pages = whole->deleted_pages;

	return pages * whole->report->page_size >= DELETED_BYTES &&
	       pages * DELETED_PART >= place_of(place, PLACE_ACTIVE) + place_of(place, PLACE_INACTIVE);
}

static void forget_file(struct whole_file *file)
{
	free(file->path);
	*file = (struct whole_file){};
}

/* Free what it holds; its report is somebody else's. */
void whole_free(struct whole *whole)
{
	size_t i;

	for (i = 0; i < whole->nr_places; i++)
		free(whole->places[i].path);
	free(whole->places);
	forget_file(&whole->largest);
	forget_file(&whole->dirtiest);
	forget_file(&whole->deleted);
	*whole = (struct whole){ .report = whole->report };
}
