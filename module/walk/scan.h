/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scan.h - joining records to live inodes, and visiting cached inodes.
 */
#ifndef PCINSPECT_SCAN_H
#define PCINSPECT_SCAN_H

#include <linux/types.h>

struct pcinspect_rows;
struct super_block;

int pcinspect_scan_init(void);
unsigned int pcinspect_scan_longest_hold(void);
bool pcinspect_scan_may(const struct super_block *sb);
int pcinspect_scan_records(struct pcinspect_rows *rows);
int pcinspect_scan_filesystem(const char *fs, u32 dev,
			      struct pcinspect_rows *rows);

#endif /* PCINSPECT_SCAN_H */
