/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old side of <linux/fs.h>: see compat-include/linux/memcontrol.h for the way
 * these shadow headers work.
 */
#ifndef PCINSPECT_COMPAT_LINUX_FS_H
#define PCINSPECT_COMPAT_LINUX_FS_H
#include_next <linux/fs.h>

/*
 * inode->i_state became a struct behind accessors between 6.12 and 7.2
 * (include/linux/fs.h: plain integer in 6.1 and 6.12, inode_state_flags in
 * 7.2). The lockless read is needed here; the others by the KUnit tests.
 */
#ifndef PCINSPECT_HAVE_INODE_STATE_READ_ONCE
static inline unsigned long inode_state_read_once(struct inode *inode)
{
	return READ_ONCE(inode->i_state);
}

static inline void inode_state_set_raw(struct inode *inode, unsigned long flags)
{
	WRITE_ONCE(inode->i_state, inode->i_state | flags);
}

static inline void inode_state_clear_raw(struct inode *inode,
					 unsigned long flags)
{
	WRITE_ONCE(inode->i_state, inode->i_state & ~flags);
}
#endif

/*
 * Filesystem types became an hlist walked under RCU between 6.12 and 7.2
 * (fs/filesystems.c). They were freed after a grace period before, too
 * (unregister_filesystem()), but their list was ended where one was taken out.
 */
#ifdef PCINSPECT_HAVE_FILE_SYSTEM_HLIST
static inline struct file_system_type *
pcinspect_next_type(const struct file_system_type *type)
{
	return hlist_entry_safe(rcu_dereference(hlist_next_rcu(&type->list)),
				struct file_system_type, list);
}
#else
static inline struct file_system_type *
pcinspect_next_type(const struct file_system_type *type)
{
	return READ_ONCE(type->next);
}
#endif

/* 7.2 has a type of its own for the end of a truncation. */
#ifndef PCINSPECT_HAVE_UOFF_T
#define uoff_t loff_t
#endif

/*
 * Before 6.5 there is none. Declared again where there is one: another prototype
 * breaks the build (hooks/prototypes.c).
 */
struct pipe_inode_info;
ssize_t filemap_splice_read(struct file *in, loff_t *ppos,
			    struct pipe_inode_info *pipe, size_t len,
			    unsigned int flags);

#endif
