// SPDX-License-Identifier: GPL-2.0-only
/*
 * unlink.c - probes on how a file loses its last name, in a run.
 *
 * Why: when a deleted file's inode goes, its dentry has gone before
 * (dentry_unlink_inode(), fs/dcache.c, 6.12), and nobody can say any more which
 * file that was. d_delete() is called for each name that is unlinked, and
 * d_move() for each that another file is renamed to, both with the directory
 * locked, so that the name stays. Filesystems that rename by themselves (NFS)
 * are not seen: such a file has no name.
 *
 * dentry_path_raw() takes rename_lock where something is being renamed, for which
 * a probe would have to wait, and on PREEMPT_RT to sleep. So the path is read here
 * without it, and a file that is deleted while another is renamed has no name.
 *
 * Context: task, preemption off; the caller holds a reference to the inode. May
 * touch: the dentry and those above it, by reading; ledgers.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "hooks/table.h"
#include "records/ledger.h"
#include "records/scope.h"
#include "records/track.h"

/* Is this the end of a name that somebody will ask for? */
static bool unlink_concerns(const struct inode *inode)
{
	return inode && S_ISREG(inode->i_mode) && !inode->i_nlink &&
	       pcinspect_scope_concerns(inode) &&
	       pcinspect_record_ledger(pcinspect_track_find(inode));
}

static unsigned int unlink_renames(void)
{
	/* Before all names. */
	return smp_load_acquire(&rename_lock.seqcount.seqcount.sequence);
}

/*
 * The path of a dentry in its filesystem, as dentry_path_raw() has it. Names
 * and dentries are freed after an RCU grace period, and each name ends with a
 * zero (take_dentry_name_snapshot(), fs/dcache.c). Return: it, within @buf; or
 * NULL: it is too long, or something was renamed meanwhile.
 */
static const char *unlink_path(const struct dentry *dentry, char *buf,
			       size_t size)
{
	unsigned int renames = unlink_renames();
	char *p = buf + size;
	size_t len;

	*--p = '\0';
	while (!IS_ROOT(dentry)) {
		const char *name = READ_ONCE(dentry->d_name.name);

		len = strnlen(name, p - buf);
		if (len >= p - buf)
			return NULL;
		p -= len;
		memcpy(p, name, len);
		*--p = '/';
		dentry = READ_ONCE(dentry->d_parent);
	}
	smp_rmb(); /* all names before the count again */
	return renames & 1 || renames != unlink_renames() ? NULL : p;
}

static void unlink_name(struct dentry *dentry)
{
	const struct inode *inode = d_inode(dentry);
	const char *path;
	char *name;

	if (!pcinspect_scope_run() || !unlink_concerns(inode))
		return;
	name = pcinspect_ledger_name_alloc();
	if (name) {
		path = unlink_path(dentry, name, PCINSPECT_NAME_BYTES);
		if (path) {
			memmove(name, path, strlen(path) + 1);
		} else {
			pcinspect_ledger_name_free(name);
			name = NULL;
		}
	}
	pcinspect_track_deleted(inode, name);
}

/* (dentry) */
static int delete_entry(struct kprobe *kp, struct pt_regs *regs)
{
	unlink_name(hook_arg(regs, 0));
	return 0;
}

/* (dentry, target): @target's name is taken */
static int move_entry(struct kprobe *kp, struct pt_regs *regs)
{
	unlink_name(hook_arg(regs, 1));
	return 0;
}

static struct pcinspect_hook hooks[] = {
	/* No number: without it deleted files of a run have no name. */
	HOOK_CALL("d_delete", delete_entry, "names of deleted files"),
	/* No number: likewise of those that others were renamed to. */
	HOOK_CALL("d_move", move_entry, "names of replaced files"),
};

const struct pcinspect_hook_set pcinspect_hooks_unlink = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
};
