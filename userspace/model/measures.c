// SPDX-License-Identifier: GPL-2.0-only
/*
 * measures.c - the numbers of a file by name: those of include/numbers_table.h, then what
 * numbers.c makes of several. diff compares them, assert holds them against limits. Pure.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/text.h"
#include "model/measures.h"

#define NR_UNITS 5

static struct quantity sum_of(const struct file *file,
			      bool (*sum)(const struct file *file, uint64_t *value))
{
	uint64_t value;

	return sum(file, &value) ? quantity_count(value) : (struct quantity){};
}

static struct quantity ratio_of(const struct file *file,
				bool (*ratio)(const struct file *file, double *value))
{
	double value;

	return ratio(file, &value) ? quantity_value(value) : (struct quantity){};
}

/* struct made - a measure that is no row of the table: it is one of these two */
static const struct made {
	struct measure measure;
	bool (*sum)(const struct file *file, uint64_t *value);
	bool (*ratio)(const struct file *file, double *value);
} made[] = {
	{ { "inserted_pages", "pages", "inserted, by all causes, since the ledger began", true },
	  .sum = file_inserted_sum },
	{ { "removed_pages", "pages", "removed, by all causes, since the ledger began", true },
	  .sum = file_removed_sum },
	{ { "amplification", "ratio", "bytes fetched for each byte asked for", true },
	  .ratio = file_amplification },
	{ { "write_amplification", "ratio", "bytes written to the device for each byte written",
	    true }, .ratio = file_write_amplification },
	{ { "cached_percent", "percent", "how much of it is cached", false },
	  .ratio = file_cached_percent },
};

#define NR_MADE (sizeof(made) / sizeof(*made))

/* A count. */
struct quantity quantity_count(uint64_t count)
{
	return (struct quantity){ .known = true, .whole = true, .count = count, .value = count };
}

/* A fraction. */
struct quantity quantity_value(double value)
{
	return (struct quantity){ .known = true, .value = value };
}

/* Are they the same, as far as that is known? Two that are unknown are. */
bool quantity_same(const struct quantity *a, const struct quantity *b)
{
	if (a->known != b->known)
		return false;
	if (!a->known)
		return true;
	return a->whole && b->whole ? a->count == b->count : a->value == b->value;
}

/**
 * measure_get() - the measures, one after the other
 * @i: 0, 1…
 * @measure: filled in; NULL: it is not wanted
 *
 * Return: false behind the last.
 */
bool measure_get(size_t i, struct measure *measure)
{
	static const char *const units[NR_UNITS] = { PCINSPECT_UNIT_WORDS };
	const struct number_row *row;

	if (i >= PCINSPECT_NR_NUMBERS + NR_MADE)
		return false;
	if (!measure)
		return true;
	if (i >= PCINSPECT_NR_NUMBERS) {
		*measure = made[i - PCINSPECT_NR_NUMBERS].measure;
		return true;
	}
	row = &number_rows[i];
	*measure = (struct measure){
		.name = row->name, .unit = units[row->unit], .help = row->help,
		.column = row->heading,
	};
	return true;
}

/**
 * measure_find() - a measure by name
 * @name: it
 * @len: of the name
 * @i: set to which it is
 *
 * Numbers that are in no report are none.
 *
 * Return: false if there is none.
 */
bool measure_find(const char *name, size_t len, size_t *i)
{
	struct measure m;

	for (*i = 0; measure_get(*i, &m); ++*i)
		if (strlen(m.name) == len && !memcmp(m.name, name, len))
			return *i >= PCINSPECT_NR_NUMBERS || number_rows[*i].json;
	return false;
}

/* The name that was perhaps meant by a word of so many letters; NULL: nobody knows. */
const char *measure_like(const char *name, size_t len)
{
	char *word = alloc_first(name, len);
	size_t best = len / 3 + 2, i, differ;
	const char *like = NULL;
	struct measure m;

	for (i = 0; measure_get(i, &m); i++) {
		if (i < PCINSPECT_NR_NUMBERS && !number_rows[i].json)
			continue;
		differ = words_differ(m.name, word);
		/* A heading, or the beginning of a name, is as good. */
		if (i < PCINSPECT_NR_NUMBERS && number_rows[i].heading &&
		    !strcasecmp(number_rows[i].heading, word))
			differ = 0;
		else if (len > 3 && !strncmp(m.name, word, len))
			differ = 1;
		if (differ >= best)
			continue;
		best = differ;
		like = m.name;
	}
	free(word);
	return like;
}

/**
 * measure_of() - what a measure comes to
 * @file: of which, or of a sum of files
 * @i: which measure
 *
 * Return: it, perhaps unknown.
 */
struct quantity measure_of(const struct file *file, size_t i)
{
	const struct made *m;
	uint64_t value;

	if (i < PCINSPECT_NR_NUMBERS)
		return file_number(file, i, &value) ? quantity_count(value) :
						      (struct quantity){};
	m = &made[i - PCINSPECT_NR_NUMBERS];
	return m->sum ? sum_of(file, m->sum) : ratio_of(file, m->ratio);
}

/**
 * quantity_bytes() - how many bytes it stands for
 * @measure: of which
 * @quantity: what it came to
 * @page_size: bytes per page
 * @bytes: set to it
 *
 * Return: false if it is unknown, or no amount of memory.
 */
bool quantity_bytes(const struct measure *measure, const struct quantity *quantity,
		    uint32_t page_size, double *bytes)
{
	if (!quantity->known)
		return false;
	if (!strcmp(measure->unit, "bytes"))
		*bytes = quantity->value;
	else if (!strcmp(measure->unit, "pages"))
		*bytes = quantity->value * page_size;
	else
		return false;
	return true;
}
