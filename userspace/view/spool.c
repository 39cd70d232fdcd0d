// SPDX-License-Identifier: GPL-2.0-only
/*
 * spool.c - rows of a table that are kept until it is printed, for only then the widths of
 * its columns are known: a million of them in the memory of some thousands.
 *
 * Data beyond the limit goes to a file without a name in TMPDIR, or /var/tmp, and is read
 * in order, as it was written. If there is no room for it either, it stays in memory.
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
static int make_file(void)
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
 * Move what is in memory to the file; it stays if there is no room. A part that was
 * written then is behind the end, and overwritten later.
 */
static void move_out(struct spool *rows)
{
	size_t done = 0;
	ssize_t n = 1;
	int fd = rows->spooled ? rows->fd : make_file();

	while (fd >= 0 && done < rows->size && n > 0) {
		n = pwrite(fd, rows->text + done, rows->size - done, rows->spooled + done);
		done += n > 0 ? n : 0;
	}
	if (fd < 0 || done < rows->size) {
		if (fd >= 0 && !rows->spooled)
			close(fd);
		return;
	}
	rows->fd = fd;
	rows->spooled += rows->size;
	rows->size = 0;
}

/**
 * spool_add() - keep one more row
 * @rows: where
 * @row: copied
 * @len: bytes
 */
void spool_add(struct spool *rows, const char *row, uint32_t len)
{
	size_t want = rows->size + sizeof(len) + len;

	/* If it fits nowhere else that is tried as often as memory grows. */
	if (want > SPOOL_MEMORY && want > rows->room) {
		move_out(rows);
		want = rows->size + sizeof(len) + len;
	}
	rows->text = larger(rows->text, &rows->room, want);
	memcpy(rows->text + rows->size, &len, sizeof(len));
	memcpy(rows->text + rows->size + sizeof(len), row, len);
	rows->size += sizeof(len) + len;
	rows->nr++;
}

#define BLOCK_SIZE (64 << 10)

/* The block of the file that begins there. */
static void read_block(struct spool *rows, size_t at)
{
	size_t want = rows->spooled - at < BLOCK_SIZE ? rows->spooled - at : BLOCK_SIZE;
	ssize_t n;

	if (!rows->block)
		rows->block = alloc_array(NULL, 1, BLOCK_SIZE);
	n = pread(rows->fd, rows->block, want, at);
	if (n <= 0)
		err(1, "cannot read rows back");
	rows->block_at = at;
	rows->block_size = n;
}

/* Read what comes next, a length or the bytes behind it. */
static void read_next(struct spool *rows, char *to, size_t len)
{
	while (len && rows->next < rows->spooled) {
		size_t at, n;

		if (rows->next < rows->block_at || rows->next >= rows->block_at + rows->block_size)
			read_block(rows, rows->next);
		at = rows->next - rows->block_at;
		n = rows->block_size - at < len ? rows->block_size - at : len;
		memcpy(to, rows->block + at, n);
		rows->next += n;
		to += n;
		len -= n;
	}
	if (len)
		memcpy(to, rows->text + (rows->next - rows->spooled), len);
	rows->next += len;
}

/**
 * spool_row() - a row
 * @rows: of these
 * @row: its number; to read one after the other is what costs nothing
 *
 * Return: it, until another is asked for.
 */
const char *spool_row(struct spool *rows, size_t row)
{
	uint32_t len;

	if (!rows->at || row + 1 < rows->at)
		rows->at = rows->next = 0;
	while (rows->at <= row) {
		read_next(rows, (char *)&len, sizeof(len));
		rows->row = larger(rows->row, &rows->row_room, len);
		read_next(rows, rows->row, len);
		rows->at++;
	}
	return rows->row;
}

/* Forget all; more may be kept afterwards. */
void spool_forget(struct spool *rows)
{
	if (rows->spooled)
		close(rows->fd);
	free(rows->block);
	free(rows->text);
	free(rows->row);
	*rows = (struct spool){};
}
