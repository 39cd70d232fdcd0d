/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs.h - /sys/kernel/debug/pcinspect.
 */
#ifndef PCINSPECT_DEBUGFS_H
#define PCINSPECT_DEBUGFS_H

struct pcinspect_mark_folders;

extern const struct pcinspect_mark_folders pcinspect_debugfs_folders;

int pcinspect_debugfs_init(void);
void pcinspect_debugfs_exit(void);

#endif /* PCINSPECT_DEBUGFS_H */
