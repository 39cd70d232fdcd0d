// SPDX-License-Identifier: GPL-2.0
/*
 * kept.c - rows of a table that are kept until it is printed, for only then the widths of
 * its columns are known: a million of them in the memory of some thousands.
 *
 * What is too much goes to a file without a name in TMPDIR, or /var/tmp, and is read in
 * order, as it was written. If there is no room for it either, it stays in memory.
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view/kept.h"

static void *larger(void *old, size_t *room, size_t want)
{
	if (want <= *room)
		return old;
	while (*room < want)
		*room = *room ? *room * 2 : 4096;
	old = realloc(old, *room);
	if (!old)
		err(1, "out of memory");
	return old;
}

static FILE *make_spool(void)
{
	const char *place = getenv("TMPDIR");
	int fd = open(place && *place ? place : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	FILE *spool = fd < 0 ? tmpfile() : fdopen(fd, "w+");

	if (!spool && fd >= 0)
		close(fd);
	return spool;
}

/* Move what is in memory to the file; it stays if there is no room. */
static void spool(struct kept *kept)
{
	if (!kept->spool)
		kept->spool = make_spool();
	if (!kept->spool || fseeko(kept->spool, kept->spooled, SEEK_SET) ||
	    fwrite(kept->text, 1, kept->size, kept->spool) != kept->size ||
	    fflush(kept->spool))
		return;
	kept->spooled += kept->size;
	kept->size = 0;
}

/**
 * kept_add() - keep one more row
 * @kept: where
 * @row: copied
 * @len: bytes
 */
void kept_add(struct kept *kept, const char *row, uint32_t len)
{
	size_t want = kept->size + sizeof(len) + len;

	/* If it fits nowhere else that is tried as often as memory grows. */
	if (want > KEPT_MEMORY && want > kept->room) {
		spool(kept);
		want = kept->size + sizeof(len) + len;
	}
	kept->text = larger(kept->text, &kept->room, want);
	memcpy(kept->text + kept->size, &len, sizeof(len));
	memcpy(kept->text + kept->size + sizeof(len), row, len);
	kept->size += sizeof(len) + len;
	kept->nr++;
}

/* Read what comes next, a length or the bytes behind it. */
static void read_next(struct kept *kept, void *to, size_t len)
{
	if (kept->next >= kept->spooled)
		memcpy(to, kept->text + (kept->next - kept->spooled), len);
	else if (fread(to, 1, len, kept->spool) != len)
		err(1, "cannot read rows back");
	kept->next += len;
}

/**
 * kept_row() - a row
 * @kept: of these
 * @row: its number; to read one after the other is what costs nothing
 *
 * Return: it, until another is asked for.
 */
const char *kept_row(struct kept *kept, size_t row)
{
	uint32_t len;

	if (!kept->at || row + 1 < kept->at) {
		kept->at = kept->next = 0;
		if (kept->spool)
			rewind(kept->spool);
	}
	while (kept->at <= row) {
		read_next(kept, &len, sizeof(len));
		kept->row = larger(kept->row, &kept->row_room, len);
		read_next(kept, kept->row, len);
		kept->at++;
	}
	return kept->row;
}

/* Forget all; more may be kept afterwards. */
void kept_forget(struct kept *kept)
{
	if (kept->spool)
		fclose(kept->spool);
	free(kept->text);
	free(kept->row);
	*kept = (struct kept){};
}
