// SPDX-License-Identifier: GPL-2.0-only
/*
 * super.c - find a superblock by value and hold its s_umount, without waiting.
 *
 * Why: records and LRU lists know superblocks by address or number and hold no
 * reference. iterate_supers_type() waits for s_umount, and from 6.6 on for a
 * superblock to be born or dead, in both cases for good when a disk hangs. So
 * superblocks are looked up under RCU (they and their types are freed after a
 * grace period: destroy_super_rcu(), unregister_filesystem(), 6.1 to 7.2), and
 * s_umount is only tried, as super_trylock_shared() does for the shrinker. Once
 * it is held shared and the superblock is mounted, it stays until we let go. One
 * that cannot be had in SUPER_PATIENCE milliseconds is left out, and said to be.
 *
 * May touch: s_umount of what it finds. Locks: s_umount, tried under RCU.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/kasan.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pgtable.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>

#include "kunit_visible.h"
#include "walk/super.h"

/* The type that registered first, of which the others follow. */
static struct file_system_type *super_first_type;

/* How often a list that changes is begun again. */
#define SUPER_NR_TRIES 8

/*
 * Mounted, and not being unmounted: the root goes first, under s_umount
 * (shrink_dcache_for_umount()). Not SB_ACTIVE, which Ceph and OrangeFS never
 * set (ceph_get_tree(), 6.12).
 */
static bool super_is_mounted(const struct super_block *sb)
{
	return sb->s_root && (sb->s_flags & SB_BORN);
}

/*
 * May inodes of a superblock be referenced now? Its s_umount is held. Not while
 * it is frozen: dropping what turns out to be the last reference to a deleted
 * file would wait for the thaw with s_umount held, and the thaw needs s_umount.
 * Both states change under s_umount held exclusively (freeze_super(),
 * generic_shutdown_super()), so the answer holds as long as the lock.
 */
static bool super_may(const struct super_block *sb)
{
	return super_is_mounted(sb) && sb->s_writers.frozen == SB_UNFROZEN;
}

/* An unregistered type of a module that is there, or NULL. */
static const struct file_system_type *
super_second_type(const struct pcinspect_super *want)
{
	unsigned long at = (unsigned long)want->type;

	return at && want->owner && within_module_core(at, want->owner) &&
			       want->type->owner == want->owner ?
		       want->type :
		       NULL;
}

/*
 * Is it a part of some module, as is_vmalloc_or_module_addr() has it? On arm64 the
 * kernel itself is mapped there; what has a name and no module is of the kernel.
 */
static bool super_is_of_module(const struct file_system_type *type)
{
	char name[KSYM_SYMBOL_LEN];

#if defined(CONFIG_MODULES) && defined(MODULES_VADDR)
	unsigned long at = (unsigned long)kasan_reset_tag(type);

	if (at >= MODULES_VADDR && at < MODULES_END)
		return true;
#endif
	if (!is_vmalloc_addr(type))
		return false;
	sprint_symbol(name, (unsigned long)type);
	return !strncmp(name, "0x", 2) || strchr(name, '[');
}

/*
 * A type that nobody registered under its name, of a module that it does not
 * name as its owner (guest_memfd's, kvm of 7.2; erofs_anon_fs_type): whether it
 * is there cannot be known.
 */
static bool super_is_nobodys(const struct pcinspect_super *want)
{
	return want->type && !want->owner && super_is_of_module(want->type);
}

/*
 * The type itself, good until the RCU section ends; NULL if it is gone. One of
 * a module is there as long as the module that registered its name is the one
 * it was of; it need not be registered itself (btrfs up to 6.1). Another build
 * of the module, loaded at the same address, has its types elsewhere.
 *
 * A search that stands on a type that is being unregistered ends there (before
 * 7.2): look again before saying that there is none.
 */
static const struct file_system_type *
super_get_type(const struct pcinspect_super *want)
{
	const struct file_system_type *type;
	int tries;

	if (want->type && !want->owner && !super_is_of_module(want->type))
		return want->type;
	for (tries = 0; tries < SUPER_NR_TRIES; tries++) {
		for (type = super_first_type; type;
		     type = pcinspect_next_type(type))
			if (!strncmp(type->name, want->fs, PCINSPECT_FS_LEN - 1) &&
			    (!want->type || type->owner == want->owner))
				return super_second_type(want) ?: type;
	}
	return NULL;
}

/* Is it what the one before it leads to? hlist_del_init() ends a list early. */
static bool super_is_linked(const struct hlist_node *node)
{
	struct hlist_node **pprev = READ_ONCE(node->pprev);

	return pprev && READ_ONCE(*pprev) == node;
}

/*
 * Hold s_umount of a superblock shared, if its inodes may be referenced and it
 * is to be had at once. @sb: cannot be freed meanwhile. Return: 0; -ENOENT: it
 * is gone; -EBUSY: it is frozen, or somebody changes it. Context: any.
 */
int pcinspect_super_trylock(struct super_block *sb)
{
	int err;

	/*
	 * Set behind all that is read here (vfs_get_tree(), fs/super.c). The
	 * lists of types promise no order to who reads them under RCU.
	 */
	if (!(smp_load_acquire(&sb->s_flags) & SB_BORN))
		return -ENOENT;
	if (!down_read_trylock(&sb->s_umount))
		return -EBUSY;
	if (super_may(sb))
		return 0;
	err = super_is_mounted(sb) ? -EBUSY : -ENOENT;
	up_read(&sb->s_umount);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_super_trylock);

/* One attempt of pcinspect_super_lock(). Under RCU. */
static struct super_block *super_find_and_lock(const struct pcinspect_super *want)
{
	const struct file_system_type *type = super_get_type(want);
	struct super_block *sb, *last;
	int err = -ENOENT, tries = 0;

	if (!type)
		return ERR_PTR(super_is_nobodys(want) ? -EBUSY : -ENOENT);
	do {
		last = NULL;
		hlist_for_each_entry_rcu(sb, &type->fs_supers, s_instances) {
			last = sb;
			if (want->sb ? sb != want->sb : sb->s_dev != want->dev)
				continue;
			err = pcinspect_super_trylock(sb);
			if (!err)
				return sb;
			if (err == -EBUSY)
				break;
		}
	} while (err == -ENOENT && last && !super_is_linked(&last->s_instances) &&
		 ++tries < SUPER_NR_TRIES);
	return ERR_PTR(err);
}

/*
 * Wait a moment for what is busy. @patience: milliseconds left for one
 * superblock, @all: for all together. Return: false when that has been enough.
 */
bool pcinspect_super_wait(unsigned int *patience, unsigned int *all)
{
	if (!*patience || !*all || fatal_signal_pending(current))
		return false;
	--*patience;
	--*all;
	usleep_range(500, 1000);
	return true;
}

/**
 * pcinspect_super_lock() - find a superblock and hold its s_umount shared
 * @want: which
 * @all: milliseconds that may be waited, for this one and all that follow
 *
 * Context: process context, sleeps. The caller does up_read() on its s_umount,
 * and holds no reference to an inode of it then.
 * Return: the superblock, whose inodes may be referenced; ERR_PTR(-ENOENT) if
 * it is gone, ERR_PTR(-EBUSY) while it is frozen, or somebody changes it and
 * goes on doing so.
 */
struct super_block *pcinspect_super_lock(const struct pcinspect_super *want,
					 unsigned int *all)
{
	unsigned int patience = PCINSPECT_SUPER_PATIENCE;
	struct super_block *sb;

	do {
		rcu_read_lock();
		sb = super_find_and_lock(want);
		rcu_read_unlock();
	} while (PTR_ERR_OR_ZERO(sb) == -EBUSY &&
		 pcinspect_super_wait(&patience, all));
	return sb;
}

/*
 * Find where the filesystem types begin. sysfs is the first one that every
 * kernel registers (mnt_init()). Asking for any other name later would load its
 * module.
 * Context: process context, before any search. Return: 0, or -ENODEV if there
 * is no sysfs.
 */
int pcinspect_super_init(void)
{
	super_first_type = get_fs_type("sysfs");
	if (!super_first_type)
		return -ENODEV;
	module_put(super_first_type->owner);
	return 0;
}
