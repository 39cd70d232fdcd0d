/* SPDX-License-Identifier: GPL-2.0-only */
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

/*
 * The inode of a connector of type FSNOTIFY_OBJ_TYPE_INODE. 6.1 has the address
 * of the inode's pointer to it; 6.12 and 7.2, which have this flag, its own
 * (fsnotify_conn_inode(), fs/notify/fsnotify.h). Caller holds conn->lock.
 */
static inline struct inode *
pcinspect_conn_inode(const struct fsnotify_mark_connector *conn)
{
#ifdef FSNOTIFY_CONN_FLAG_IS_WATCHED
	return conn->obj;
#else
	return container_of(conn->obj, struct inode, i_fsnotify_marks);
#endif
}

#endif
