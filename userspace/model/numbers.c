// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbers.c - the numbers of a file, and what is made of several. Whether one is
 * known the module has decided. Touches memory only.
 */
#include "model/file.h"
#include "model/numbers.h"

const struct number_row number_rows[PCINSPECT_NR_NUMBERS] = {
#define NUMBER(id, name, heading, unit, class, files, json, needs, help) \
	[PCINSPECT_##id] = { name, heading, PCINSPECT_UNIT_##unit,	 \
			     PCINSPECT_CLASS_##class, json,		 \
			     PCINSPECT_NEEDS_##needs, help },
#include "numbers_table.h"
#undef NUMBER
};

bool number_known(const struct file *file, enum pcinspect_number number)
{
	return !file->gone && pcinspect_known(&file->snap, number);
}

/**
 * file_number() - one number of a file
 * @file: which
 * @number: which number
 * @value: set to it
 *
 * Return: false if it is unknown or does not apply; @value is untouched then.
 */
bool file_number(const struct file *file, enum pcinspect_number number, uint64_t *value)
{
	if (!number_known(file, number))
		return false;
	*value = file->snap.numbers[number];
	return true;
}

/**
 * number_of() - one number of a file, where unknown and none are the same
 * @file: which; also of one that is gone
 * @number: which number
 *
 * Return: it, 0 if it is unknown.
 */
uint64_t number_of(const struct file *file, enum pcinspect_number number)
{
	return pcinspect_known(&file->snap, number) ? file->snap.numbers[number] : 0;
}

/**
 * number_counted() - what was counted of a number, though more may have been
 * @file: which; also of one that is gone
 * @number: of the ledger
 *
 * Return: it, also where the number is unknown.
 */
uint64_t number_counted(const struct file *file, enum pcinspect_number number)
{
	return file->snap.numbers[number];
}

/**
 * numbers_sum() - numbers that follow one another, summed up
 * @file: whose
 * @first: of them
 * @nr: how many
 * @sum: set to the sum of those that are known
 *
 * Return: false if one is unknown.
 */
bool numbers_sum(const struct file *file, enum pcinspect_number first, int nr,
		 uint64_t *sum)
{
	bool known = true;
	uint64_t value;

	for (*sum = 0; nr--; first++) {
		value = 0;
		known &= file_number(file, first, &value);
		*sum += value;
	}
	return known;
}

/**
 * file_inserted_sum() - the ledger's insertions, by all causes
 * @file: whose
 * @sum: pages, of the causes that are known
 *
 * Insertions by writes that no hook sees (FUSE) are counted as other. On such a
 * filesystem the number of insertions by writes is unknown, and the sum is known.
 *
 * Return: false if one of the others is unknown.
 */
bool file_inserted_sum(const struct file *file, uint64_t *sum)
{
	uint64_t read, other = 0;
	bool known = numbers_sum(file, PCINSPECT_INSERTED_SYNC, PCINSPECT_CAUSE_WRITE, &read) &
		     file_number(file, PCINSPECT_INSERTED_OTHER, &other);

	*sum = read + number_counted(file, PCINSPECT_INSERTED_WRITE) + other;
	return known;
}

/* The same where it does not matter. */
uint64_t file_inserted(const struct file *file)
{
	uint64_t sum;

	file_inserted_sum(file, &sum);
	return sum;
}

/**
 * file_removed_sum() - the ledger's removals, by all causes
 * @file: whose
 * @sum: pages, of the causes that are known
 *
 * Return: false if one is unknown.
 */
bool file_removed_sum(const struct file *file, uint64_t *sum)
{
	bool known = true;
	uint64_t value;
	int i;

	for (*sum = i = 0; i < PCINSPECT_NR_REMOVALS; i++) {
		value = 0;
		known &= file_number(file, pcinspect_removed(i), &value);
		*sum += value;
	}
	return known;
}

/* The same where it does not matter. */
uint64_t file_removed(const struct file *file)
{
	uint64_t sum;

	file_removed_sum(file, &sum);
	return sum;
}

/**
 * file_oldest() - the age of the oldest dirty page, or what bounds it
 * @file: whose
 * @ms: set to it; 0 if there is none
 *
 * A page that was dirty before tracking has no age, and is older than the record.
 *
 * Return: what @ms is.
 */
enum oldest file_oldest(const struct file *file, uint64_t *ms)
{
	uint64_t dirty, inode;

	*ms = 0;
	if (file_number(file, PCINSPECT_OLDEST_MS, ms))
		return OLDEST_KNOWN;
	if (!number_known(file, PCINSPECT_UNKNOWN_AGE_PAGES) ||
	    !file_number(file, PCINSPECT_DIRTY, &dirty))
		return OLDEST_UNKNOWN;
	if (!dirty)
		return OLDEST_NONE;
	*ms = file->snap.numbers[PCINSPECT_OLDEST_MS];
	if (file_number(file, PCINSPECT_INODE_AGE_MS, &inode) && inode >= *ms) {
		*ms = inode;
		return OLDEST_ABOUT;
	}
	return *ms ? OLDEST_MORE : OLDEST_UNKNOWN;
}

/* Pages that its size takes; 0: its pages have no size. */
uint64_t file_size_pages(const struct file *file)
{
	return !file->page_size ? 0 : file->snap.size_bytes / file->page_size +
	       (file->snap.size_bytes % file->page_size != 0);
}

/**
 * file_cached_percent() - how much of a file is cached
 * @file: which
 * @percent: set to it; above 100 where folios reach behind the end of the file
 *
 * Return: false if it is unknown, or the file is empty.
 */
bool file_cached_percent(const struct file *file, double *percent)
{
	uint64_t cached, pages;

	if (!file_number(file, PCINSPECT_CACHED, &cached) || !file->page_size)
		return false;
	pages = file->size_pages ?: file_size_pages(file);
	if (pages)
		*percent = 100.0 * cached / pages;
	return pages;
}

/* The most that one fault requests, unless fault_around_bytes is more than usual. */
#define FAULT_BYTES	65536

/**
 * file_amplification() - bytes fetched for each byte asked for
 * @file: which
 * @factor: set to it
 *
 * Without a block device the pages that reads inserted stand in. Nobody counts
 * requests through a mapping: where those may be more than a tenth, it is unknown.
 *
 * Return: false if it is unknown, or nothing was asked for.
 */
bool file_amplification(const struct file *file, double *factor)
{
	uint64_t demanded, fetched, faults;
	int i;

	if (!file_number(file, PCINSPECT_DEMANDED_BYTES, &demanded) || !demanded ||
	    !file_number(file, PCINSPECT_FAULTS, &faults) ||
	    faults * FAULT_BYTES > demanded / 10)
		return false;
	if (!file_number(file, PCINSPECT_DEVICE_BYTES, &fetched)) {
		fetched = 0;
		for (i = 0; i <= PCINSPECT_CAUSE_FORCED; i++)
			fetched += number_of(file, pcinspect_inserted(i));
		fetched *= file->page_size;
	}
	*factor = (double)fetched / demanded;
	return true;
}

/**
 * file_write_amplification() - bytes written to the device for each
 *	byte that was written to the file through the cache
 * @file: which
 * @factor: set to it
 *
 * Pages that became dirty otherwise, by stores to mappings or before the ledger began,
 * make it unknown.
 *
 * Return: false if it is unknown, or nothing was written.
 */
bool file_write_amplification(const struct file *file, double *factor)
{
	uint64_t bytes, device, page = file->page_size;

	if (!file_number(file, PCINSPECT_WRITE_BYTES, &bytes) || !bytes ||
	    !file_number(file, PCINSPECT_DEVICE_WRITE_BYTES, &device) ||
	    number_of(file, PCINSPECT_MAPPED_DIRTIED_PAGES) * page > bytes / 10 ||
	    number_of(file, PCINSPECT_WRITTEN_PAGES) >
	    number_of(file, PCINSPECT_DIRTIED_PAGES) * 11 / 10)
		return false;
	*factor = (double)device / bytes;
	return true;
}
