// SPDX-License-Identifier: GPL-2.0
/*
 * numbers.c - the numbers of a file: where each is kept, whether it is known, and
 * what is made of several. Touches memory only.
 */
#include <stddef.h>
#include <string.h>

#include "model/numbers.h"
#include "model/report.h"

static const struct {
	size_t offset;
	uint32_t needs;
} fields[NR_FIELDS] = {
#define F(field, member, flag)						\
	[field] = { offsetof(struct pcinspect_snapshot, member), flag }
	F(FIELD_CACHED, pages.cached, PCINSPECT_F_PAGES),
	F(FIELD_ACTIVE, pages.active, PCINSPECT_F_PAGES),
	F(FIELD_INACTIVE, pages.inactive, PCINSPECT_F_PAGES),
	F(FIELD_UNEVICTABLE, pages.unevictable, PCINSPECT_F_PAGES),
	F(FIELD_OFF_LRU, pages.off_lru, PCINSPECT_F_PAGES),
	F(FIELD_DIRTY, pages.dirty, PCINSPECT_F_WRITEBACK),
	F(FIELD_WRITEBACK, pages.writeback, PCINSPECT_F_WRITEBACK),
	F(FIELD_MAPPED, pages.mapped, PCINSPECT_F_PAGES),
	F(FIELD_REFERENCED, pages.referenced, PCINSPECT_F_PAGES),
	F(FIELD_WORKINGSET, pages.workingset, PCINSPECT_F_PAGES),
	F(FIELD_EVICTED, pages.evicted, PCINSPECT_F_EVICTED),
	F(FIELD_GEN0, pages.generations[0], PCINSPECT_F_GENERATIONS),
	F(FIELD_GEN1, pages.generations[1], PCINSPECT_F_GENERATIONS),
	F(FIELD_GEN2, pages.generations[2], PCINSPECT_F_GENERATIONS),
	F(FIELD_GEN3, pages.generations[3], PCINSPECT_F_GENERATIONS),
	F(FIELD_INSERTED, inserted_pages, PCINSPECT_F_COUNTERS),
	F(FIELD_REMOVED, removed_pages, PCINSPECT_F_COUNTERS),
	F(FIELD_UNKNOWN_AGE, ages.unknown_pages, PCINSPECT_F_AGES),
#undef F
#define R(field, member)						\
	[field] = { offsetof(struct pcinspect_reads, member), 0 }
	R(FIELD_DEMANDED, demanded_bytes),
	R(FIELD_DEVICE_READ, device_bytes),
	R(FIELD_FAULTS, faults),
	R(FIELD_SYNC, inserted[PCINSPECT_CAUSE_SYNC]),
	R(FIELD_ASYNC, inserted[PCINSPECT_CAUSE_ASYNC]),
	R(FIELD_AROUND, inserted[PCINSPECT_CAUSE_AROUND]),
	R(FIELD_FORCED, inserted[PCINSPECT_CAUSE_FORCED]),
	R(FIELD_WRITE, inserted[PCINSPECT_CAUSE_WRITE]),
	R(FIELD_OTHER, inserted[PCINSPECT_CAUSE_OTHER]),
	R(FIELD_EXPANDED, expanded_pages),
	R(FIELD_HOLE, hole_pages),
	R(FIELD_REFAULT, refault_pages),
	R(FIELD_WASTED, wasted_pages),
	R(FIELD_UNKNOWN, unused_unknown_pages),
	R(FIELD_RECLAIM, removed[PCINSPECT_REMOVAL_RECLAIM]),
	R(FIELD_TRUNCATE, removed[PCINSPECT_REMOVAL_TRUNCATE]),
	R(FIELD_INVALIDATE, removed[PCINSPECT_REMOVAL_INVALIDATE]),
	R(FIELD_EVICT, removed[PCINSPECT_REMOVAL_EVICT]),
	R(FIELD_TRIM, removed[PCINSPECT_REMOVAL_TRIM]),
	R(FIELD_REMOVED_OTHER, removed[PCINSPECT_REMOVAL_OTHER]),
	R(FIELD_DIRECT_READ, direct_read_bytes),
	R(FIELD_DIRECT_WRITE, direct_write_bytes),
	R(FIELD_FLUSHED, direct_flushed_pages),
	R(FIELD_INVALIDATED, direct_invalidated_pages),
#undef R
#define W(field, member)						\
	[field] = { offsetof(struct pcinspect_writes, member), 0 }
	W(FIELD_WRITE_BYTES, write_bytes),
	W(FIELD_DEVICE_WRITE, device_write_bytes),
	W(FIELD_DIRTIED, dirtied_pages),
	W(FIELD_REDIRTIED, redirtied_pages),
	W(FIELD_WRITTEN, written_pages),
#undef W
};

/**
 * field_is_bytes() - is a number one of bytes or events
 * @field: which
 *
 * Return: true if so, false if it counts pages.
 */
bool field_is_bytes(enum file_field field)
{
	return field == FIELD_DEMANDED || field == FIELD_DEVICE_READ ||
	       field == FIELD_FAULTS || field == FIELD_DIRECT_READ ||
	       field == FIELD_DIRECT_WRITE || field == FIELD_WRITE_BYTES ||
	       field == FIELD_DEVICE_WRITE;
}

/* A number of the ledger. */
static bool reads_number(const struct file *file, enum file_field field, uint64_t *value)
{
	const struct pcinspect_reads *reads = file->reads;

	if (!reads || file->gone)
		return false;
	if (field == FIELD_DEVICE_READ && !(file->snap.flags & PCINSPECT_F_DEVICE))
		return false;
	if (field == FIELD_HOLE && (!(reads->flags & PCINSPECT_READS_HOLES) ||
				    reads->flags & PCINSPECT_READS_BOUNCED))
		return false;
	if (field == FIELD_FLUSHED && !(reads->flags & PCINSPECT_READS_FLUSHED))
		return false;
	memcpy(value, (const char *)reads + fields[field].offset, sizeof(*value));
	return true;
}

/* A number of the write ledger. */
static bool writes_number(const struct file *file, enum file_field field, uint64_t *value)
{
	const struct pcinspect_writes *writes = file->writes;

	if (!writes || file->gone)
		return false;
	if (field == FIELD_DEVICE_WRITE && !(writes->flags & PCINSPECT_WRITES_DEVICE))
		return false;
	if (field != FIELD_WRITE_BYTES && field != FIELD_DEVICE_WRITE &&
	    !(file->snap.flags & PCINSPECT_F_AGES))
		return false;
	memcpy(value, (const char *)writes + fields[field].offset, sizeof(*value));
	return true;
}

/**
 * file_inserted() - the ledger's insertions
 * @file: which has a ledger
 *
 * Return: pages, the sum over all causes.
 */
uint64_t file_inserted(const struct file *file)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		sum += file->reads->inserted[i];
	return sum;
}

/**
 * file_removed() - the ledger's removals
 * @file: which has a ledger
 *
 * Return: pages, the sum over all causes.
 */
uint64_t file_removed(const struct file *file)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		sum += file->reads->removed[i];
	return sum;
}

/**
 * file_amplification() - bytes fetched for each byte asked for
 * @file: which
 * @factor: set to it
 *
 * Without a block device the pages that reads inserted stand in.
 *
 * Return: false if it is unknown, or nothing was asked for.
 */
bool file_amplification(const struct file *file, double *factor)
{
	uint64_t demanded, fetched;
	int i;

	if (!reads_number(file, FIELD_DEMANDED, &demanded) || !demanded)
		return false;
	if (!reads_number(file, FIELD_DEVICE_READ, &fetched)) {
		fetched = 0;
		for (i = 0; i <= PCINSPECT_CAUSE_FORCED; i++)
			fetched += file->reads->inserted[i];
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

	if (!writes_number(file, FIELD_WRITE_BYTES, &bytes) || !bytes ||
	    !writes_number(file, FIELD_DEVICE_WRITE, &device) ||
	    (file->snap.flags & PCINSPECT_F_AGES &&
	     file->writes->mapped_dirtied_pages * page > bytes / 10) ||
	    file->writes->written_pages > file->writes->dirtied_pages * 11 / 10)
		return false;
	*factor = (double)device / bytes;
	return true;
}

/**
 * file_number() - one number of a file
 * @file: which
 * @field: which number
 * @value: set to it, in pages
 *
 * Return: false if it is unknown or does not apply; @value is untouched then.
 */
bool file_number(const struct file *file, enum file_field field, uint64_t *value)
{
	if (field >= FIELD_WRITE_BYTES)
		return writes_number(file, field, value);
	if (field >= FIELD_DEMANDED && field != FIELD_UNKNOWN_AGE)
		return reads_number(file, field, value);
	if (file->gone || !(file->snap.flags & fields[field].needs))
		return false;
	/* Generations mean nothing for pages that are in none. */
	if (field >= FIELD_GEN0 && field <= FIELD_GEN3 && !file->snap.pages.mglru &&
	    !(file->snap.flags & PCINSPECT_F_LRU_GEN))
		return false;
	memcpy(value, (const char *)&file->snap + fields[field].offset,
	       sizeof(*value));
	return true;
}
