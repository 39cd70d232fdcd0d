/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Old side of <linux/fsnotify_backend.h>: see compat-include/linux/memcontrol.h.
 */
#ifndef PCINSPECT_COMPAT_LINUX_FSNOTIFY_BACKEND_H
#define PCINSPECT_COMPAT_LINUX_FSNOTIFY_BACKEND_H
#include_next <linux/fsnotify_backend.h>

/*
 * 6.1 makes a group's mutex safe against reclaim only on request; 6.12 and 7.2
 * always do and have no such flag (fsnotify_group_lock()).
 */
#ifndef FSNOTIFY_GROUP_NOFS
#define FSNOTIFY_GROUP_NOFS 0
#endif

#endif
