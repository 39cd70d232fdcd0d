// SPDX-License-Identifier: GPL-2.0
/*
 * spool.c - rows of a table that are kept until it is printed, for only then the widths of
 * its columns are known: a million of them in the memory of some thousands.
 *
 * What is too much goes to a file without a name in TMPDIR, or /var/tmp, and is read in
 * order, as it was written. If there is no room for it either, it stays in memory.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "view/spool.h"

static void *larger(void *old, size_t *room, size_t want)
{
	if (want <= *room)
		return old;
	while (*room < want)
		*room = *room ? *room * 2 : 4096;
	return alloc_array(old, 1, *room);
}

/* A file without a name, or -1. */
static int make_spool(void)
{
	const char *place = getenv("TMPDIR");
	int fd = open(place && *place ? place : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	FILE *other = fd < 0 ? tmpfile() : NULL;

	if (!other)
		return fd;
	fd = fcntl(fileno(other), F_DUPFD_CLOEXEC, 0);
	fclose(other);
	return fd;
}

/*
 * Move what is in memory to the file; it stays if there is no room. What was written of
 * it then is behind the end, and written over.
 */
static void spool(struct kept *kept)
{
	size_t done = 0;
	ssize_t n = 1;
	int fd = kept->spooled ? kept->spool : make_spool();

	while (fd >= 0 && done < kept->size && n > 0) {
		n = pwrite(fd, kept->text + done, kept->size - done, kept->spooled + done);
		done += n > 0 ? n : 0;
	}
	if (fd < 0 || done < kept->size) {
		if (fd >= 0 && !kept->spooled)
			close(fd);
		return;
	}
	kept->spool = fd;
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

#define BLOCK_SIZE (64 << 10)

/* The block of the file that begins there. */
static void read_block(struct kept *kept, size_t at)
{
	size_t want = kept->spooled - at < BLOCK_SIZE ? kept->spooled - at : BLOCK_SIZE;
	ssize_t n;

	if (!kept->block)
		kept->block = alloc_array(NULL, 1, BLOCK_SIZE);
	n = pread(kept->spool, kept->block, want, at);
	if (n <= 0)
		err(1, "cannot read rows back");
	kept->block_at = at;
	kept->block_size = n;
}

/* Read what comes next, a length or the bytes behind it. */
static void read_next(struct kept *kept, char *to, size_t len)
{
	while (len && kept->next < kept->spooled) {
		size_t at, n;

		if (kept->next < kept->block_at || kept->next >= kept->block_at + kept->block_size)
			read_block(kept, kept->next);
		at = kept->next - kept->block_at;
		n = kept->block_size - at < len ? kept->block_size - at : len;
		memcpy(to, kept->block + at, n);
		kept->next += n;
		to += n;
		len -= n;
	}
	if (len)
		memcpy(to, kept->text + (kept->next - kept->spooled), len);
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

	if (!kept->at || row + 1 < kept->at)
		kept->at = kept->next = 0;
	while (kept->at <= row) {
		read_next(kept, (char *)&len, sizeof(len));
		kept->row = larger(kept->row, &kept->row_room, len);
		read_next(kept, kept->row, len);
		kept->at++;
	}
	return kept->row;
}

/* Forget all; more may be kept afterwards. */
void kept_forget(struct kept *kept)
{
	if (kept->spooled)
		close(kept->spool);
	free(kept->block);
	free(kept->text);
	free(kept->row);
	*kept = (struct kept){};
}
