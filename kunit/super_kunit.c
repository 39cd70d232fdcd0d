// SPDX-License-Identifier: GPL-2.0-only
/*
 * super_kunit.c - of which superblocks inodes may be referenced: one that is
 * mounted, whatever its type says of itself; not one that is half made, frozen,
 * being unmounted or being changed. Of superblocks that are only looked like.
 */
#include <kunit/test.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/rwsem.h>

#include "walk/super.h"

/* As Ceph's: it never has SB_ACTIVE (fs/ceph/super.c:ceph_get_tree(), 6.12). */
static void super_states(struct kunit *test)
{
	struct super_block *sb = kunit_kzalloc(test, sizeof(*sb), GFP_KERNEL);
	struct dentry *root = kunit_kzalloc(test, sizeof(*root), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, sb);
	KUNIT_ASSERT_NOT_NULL(test, root);
	init_rwsem(&sb->s_umount);
	KUNIT_EXPECT_EQ(test, -ENOENT, pcinspect_super_trylock(sb));
	sb->s_root = root;
	KUNIT_EXPECT_EQ(test, -ENOENT, pcinspect_super_trylock(sb));

	sb->s_flags = SB_BORN;
	KUNIT_ASSERT_EQ(test, 0, pcinspect_super_trylock(sb));
	KUNIT_EXPECT_TRUE(test, rwsem_is_locked(&sb->s_umount));
	up_read(&sb->s_umount);

	sb->s_writers.frozen = SB_FREEZE_WRITE;
	KUNIT_EXPECT_EQ(test, -EBUSY, pcinspect_super_trylock(sb));
	sb->s_writers.frozen = SB_UNFROZEN;
	down_write(&sb->s_umount);
	KUNIT_EXPECT_EQ(test, -EBUSY, pcinspect_super_trylock(sb));
	up_write(&sb->s_umount);

	sb->s_root = NULL;
	KUNIT_EXPECT_EQ(test, -ENOENT, pcinspect_super_trylock(sb));
	KUNIT_EXPECT_FALSE(test, rwsem_is_locked(&sb->s_umount));
}

static struct kunit_case super_cases[] = { KUNIT_CASE(super_states), {} };

static struct kunit_suite super_suite = {
	.name = "pcinspect_super",
	.test_cases = super_cases,
};

kunit_test_suite(super_suite);
