/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disk_line.h - rates of the disks, in one line.
 */
#ifndef PCINSPECT_SCREEN_DISK_LINE_H
#define PCINSPECT_SCREEN_DISK_LINE_H

#include <stddef.h>

struct disk_line;

struct disk_line *disk_line_new(void);
void disk_line_look(struct disk_line *line);
void disk_line_text(const struct disk_line *line, char *out, size_t size);
void disk_line_free(struct disk_line *line);

#endif /* PCINSPECT_SCREEN_DISK_LINE_H */
