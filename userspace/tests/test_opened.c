// SPDX-License-Identifier: GPL-2.0-only
/* test_opened.c - what a process has open, of itself: as fstat(2) and unlink(2) have it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/opened.h"
#include "test.h"

/* The one that is looked for, and what was said of it. */
struct wanted {
	int fd;
	unsigned int met;
	struct opened_file file;
	struct opened_mount mount;
};

static bool look(const struct opened_file *file, void *arg)
{
	struct wanted *wanted = arg;

	if (file->fd != wanted->fd)
		return true;
	wanted->met++;
	wanted->file = *file;
	wanted->mount = *file->mount;
	return true;
}

static struct wanted find(struct opened_mounts *mounts, int fd)
{
	struct wanted wanted = { .fd = fd };

	opened_each(mounts, "self", look, &wanted);
	return wanted;
}

static bool stop(const struct opened_file *file, void *arg)
{
	(void)file;
	++*(unsigned int *)arg;
	return false;
}

int main(void)
{
	char name[] = "/tmp/test_opened.XXXXXX";
	struct opened_mounts mounts = {};
	unsigned int calls = 0;
	struct wanted got;
	struct stat st;
	size_t nr;
	int fd;

	fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	CHECK("a file", fd >= 0 && !fstat(fd, &st));
	got = find(&mounts, fd);
	CHECK("is met once, with its number", got.met == 1 && got.file.ino == st.st_ino);
	CHECK("and the device of its filesystem", got.mount.major == major(st.st_dev) &&
	      got.mount.minor == minor(st.st_dev) && !got.mount.subvolumes);
	CHECK("it is not deleted", !got.file.deleted);
	nr = mounts.nr;
	find(&mounts, fd);
	CHECK("mounts are known once", nr && mounts.nr == nr);
	close(fd);
	CHECK("closed, it is not met", find(&mounts, fd).file.ino != st.st_ino);

	fd = mkstemp(name);
	CHECK("another is met", fd >= 0 && find(&mounts, fd).met == 1 &&
	      !find(&mounts, fd).file.deleted);
	CHECK("and removed", !unlink(name) && find(&mounts, fd).file.deleted);
	close(fd);

	fd = memfd_create("nowhere", MFD_CLOEXEC);
	CHECK("on a mount that nobody sees: left out", fd >= 0 && !find(&mounts, fd).met);
	close(fd);

	fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	opened_each(&mounts, "self", stop, &calls);
	CHECK("until it is enough", calls == 1);
	calls = 0;
	opened_each(&mounts, "none", stop, &calls);
	CHECK("of no process nothing", !calls);
	close(fd);
	opened_forget(&mounts);
	return test_failures != 0;
}
