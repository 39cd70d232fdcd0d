/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old side of <linux/writeback.h>: see compat-include/linux/memcontrol.h.
 */
#ifndef PCINSPECT_COMPAT_LINUX_WRITEBACK_H
#define PCINSPECT_COMPAT_LINUX_WRITEBACK_H
#include_next <linux/writeback.h>

/*
 * Filesystems that end the writeback of a page before the server has it: until
 * 6.16 FUSE ended it when a temporary page had the data (fuse_writepage_locked(),
 * fs/fuse/file.c), and counted that page as NR_WRITEBACK_TEMP.
 */
#ifdef PCINSPECT_HAVE_NR_WRITEBACK_TEMP
#define pcinspect_writeback_ends_early "fuse fuseblk virtiofs"
#else
#define pcinspect_writeback_ends_early NULL
#endif

#endif
