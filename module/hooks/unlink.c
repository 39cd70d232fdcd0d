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
 * rename_lock, under which a path is read, may sleep on PREEMPT_RT: there such
 * files have no name either.
 *
 * Context: task, preemption off; the caller holds a reference to the inode. May
 * touch: the dentry and those above it, by reading (rename_lock, which no
 * caller holds); ledgers.
 */
#include <linux/dcache.h>
#include <linux/err.h>
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

static void unlink_name(struct dentry *dentry)
{
	const struct inode *inode = d_inode(dentry);
	const char *path;
	char *name = NULL;

	if (!pcinspect_scope_run() || !unlink_concerns(inode))
		return;
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		name = pcinspect_ledger_name_alloc();
	if (name) {
		path = dentry_path_raw(dentry, name, PCINSPECT_NAME_BYTES);
		if (!IS_ERR(path)) {
			memmove(name, path, strlen(path) + 1);
		} else {
			/* It is too long. */
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
