// SPDX-License-Identifier: GPL-2.0-only
/* test_mounts.c - mountinfo as kernels print it, and as they never would. */
#include <stdlib.h>

#include "collect/mounts.h"
#include "lib/complain.h"
#include "test.h"

static const char table[] =
	"21 1 254:1 / / rw,relatime - ext4 /dev/root rw\n"
	"30 21 0:41 /@home /home rw - btrfs /dev/vdb rw,subvol=/@home\n"
	"31 21 0:41 / /mnt/all rw shared:5 master:1 - btrfs /dev/vdb rw\n"
	"32 21 254:16 / /mnt/with\\040space rw - ext4 /dev/vdb rw\n"
	"33 21 254:32 /sub /mnt/sub rw - xfs /dev/vdc rw\n"
	"34 21 0:50 / /mnt/f rw - fuse.sshfs host: rw\n"
	"35 21 254:48 / /mnt/f rw - ext4 /dev/vdd rw\n"
	"garbage\n"
	"34 21 0:50 / /proc rw - proc proc rw\n"
	"35 21 0:51 / /mnt/merged rw - overlay o rw,lowerdir=/etc:/proc/self:/usr,upperdir=/not/there,workdir=/tmp\n"
	"36 21 nonsense / / rw - ext4 x rw\n"
	"37 21 1:2 / /nodash rw ext4 x rw\n"
	"\n";

static void path(struct libmnt_table *mounts, const char *name, unsigned int major,
		 unsigned int minor, const char *in, const char *want)
{
	char *got = mounts_path(mounts, major, minor, in);

	CHECK_STR(name, got ? got : "(none)", want);
	free(got);
}

int main(void)
{
	struct libmnt_table *mounts = mnt_new_table();
	FILE *from = fmemopen((char *)table, sizeof(table) - 1, "r");
	char *layers;

	mnt_table_parse_stream(mounts, from, "mountinfo");
	fclose(from);
	path(mounts, "root", 254, 1, "/etc/x", "/etc/x");
	path(mounts, "the mount that shows most", 0, 41, "/@home/u", "/mnt/all/@home/u");
	path(mounts, "escaped mount point", 254, 16, "/f", "/mnt/with space/f");
	path(mounts, "bind of a directory", 254, 32, "/sub/f", "/mnt/sub/f");
	path(mounts, "its root itself", 254, 32, "/sub", "/mnt/sub");
	path(mounts, "not below a namesake", 254, 32, "/subway/f", "(none)");
	path(mounts, "not mounted here", 9, 9, "/f", "(none)");
	CHECK("a path leads there", mounts_show(mounts, 254, 16, "/mnt/with space/d/f") &&
	      mounts_show(mounts, 254, 1, "/etc/x"));
	CHECK("not where another mount is over it", !mounts_show(mounts, 0, 50, "/mnt/f/x") &&
	      mounts_show(mounts, 254, 48, "/mnt/f/x") && !mounts_show(mounts, 254, 1, "/home/u"));
	CHECK("a path within what is not mounted leads nowhere", !mounts_show(mounts, 9, 9, "/etc/x") &&
	      !mounts_show(mounts, 254, 1, "etc/x"));
	CHECK_STR("the topmost mount",
		  mnt_fs_get_fstype(mounts_find(mounts, "/mnt/f")), "ext4");
	CHECK("no mount", !mounts_find(mounts, "/mnt"));
	CHECK_STR("what a path is on", mnt_fs_get_target(mounts_around(mounts, "/proc/self")), "/proc");
	CHECK("nothing is on what is not there", !mounts_around(mounts, "/proc/none/x"));
	layers = mounts_layers(mounts, mounts_find(mounts, "/mnt/merged"));
	CHECK_STR("layers by their mounts, each once; those that are not seen by name",
		  layers ?: "", "/ /proc /not/there");
	free(layers);
	CHECK("an overlayfs is refused", !mounts_named(mounts, "/mnt/merged"));
	CHECK("and its filesystems are named", strstr(complain_last(), "/mnt/merged: is an overlayfs") &&
	      strstr(complain_last(), "(name one of them: / /proc /not/there)"));
	CHECK("what is no mount point stands for its mount", mounts_named(mounts, "/proc/self") != NULL);
	CHECK("which is said", strstr(complain_last(), "is no mount point: all of /proc is looked at") != NULL);
	CHECK("no such file", !mounts_named(mounts, "/proc/none/x") &&
	      strstr(complain_last(), "(see findmnt)"));
	mnt_unref_table(mounts);
	path(NULL, "no table", 254, 1, "/etc/x", "(none)");
	CHECK("no mount in no table", !mounts_find(NULL, "/"));
	return test_failures != 0;
}
