/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spool.h - rows of a table that are kept until it is printed.
 */
#ifndef PCINSPECT_SPOOL_H
#define PCINSPECT_SPOOL_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct spool - rows, each some bytes; all zero is none
 * @nr: how many
 * @fd: where the first ones are, a file, if @spooled
 * @spooled: bytes there
 * @block: of it, what was read last
 * @block_at: from here on
 * @block_size: so many bytes
 * @text: the others, one after the other, each behind its length
 * @size: bytes there
 * @room: allocated
 * @row: the one that was read last
 * @row_room: allocated
 * @at: its number, and one more; 0: none was
 * @next: where the next one begins
 */
struct spool {
	size_t nr;
	int fd;
	size_t spooled;
	char *block;
	size_t block_at;
	size_t block_size;
	char *text;
	size_t size;
	size_t room;
	char *row;
	size_t row_room;
	size_t at;
	size_t next;
};

#define SPOOL_MEMORY	(4 << 20)

void spool_add(struct spool *rows, const char *row, uint32_t len);
const char *spool_row(struct spool *rows, size_t row);
void spool_forget(struct spool *rows);

#endif /* PCINSPECT_SPOOL_H */
