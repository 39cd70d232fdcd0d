// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_follow.c - watched files whose names part from them, and directories that
 * grow: real files, and in place of the module an ioctl() of our own, which knows of an
 * open file what the module knows of an inode. Touches a directory of its own below
 * TMPDIR.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/complain.h"
#include "screen/watch.h"
#include "fake_module.h"

static char base[PATH_MAX];

static const char *at(const char *name)
{
	static char paths[4][2 * PATH_MAX];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(paths[turn], sizeof(paths[turn]), "%s/%s", base, name);
	return paths[turn];
}

static void make_file(const char *name, int size)
{
	int fd = open(at(name), O_CREAT | O_WRONLY | O_TRUNC, 0600);

	CHECK("a file", fd >= 0 && !ftruncate(fd, size));
	close(fd);
}

static struct selection what;
static const struct pace pace = { .no_events = true, .interval = 1 };
static struct watch watch;
static char *paths[8];

/* A watch as watch_start() makes it, but for the device. */
static bool begin(bool recursive, const char *const *list)
{
	size_t i;

	memset(&watch, 0, sizeof(watch));
	what = (struct selection){ .recursive = recursive };
	for (i = 0; list[i]; i++)
		paths[i] = (char *)list[i];
	watch.what = &what;
	watch.pace = &pace;
	watch.collect.report = &watch.report;
	watch.report.page_size = 4096;
	watch.collect.device = open("/dev/null", O_RDWR | O_CLOEXEC);
	watch.collect.mounts = mounts_load();
	watch.paths = calloc(8, sizeof(*watch.paths));
	memcpy(watch.paths, paths, sizeof(paths));
	watch.nr_paths = i;
	return watch_begin(&watch);
}

/* A tick; files that were gone before it were told of. */
static void tick(void)
{
	size_t i;

	for (i = 0; i < watch.report.nr_files; i++)
		watch.report.files[i].told = watch.report.files[i].gone;
	watch_renew(&watch, 0);
}

static void end(void)
{
	int i;

	watch_stop(&watch);
	for (i = 0; i < nr_records; i++)
		close(records[i].fd);
	nr_records = held = 0;
}

static ino_t inode(const char *name)
{
	struct stat st;

	return stat(at(name), &st) ? 0 : st.st_ino;
}

static const struct file *file(size_t i)
{
	return &watch.report.files[i];
}

static bool ends(const char *text, const char *tail)
{
	return text && strlen(text) >= strlen(tail) &&
	       !strcmp(text + strlen(text) - strlen(tail), tail);
}

static void rotation(void)
{
	const char *const list[] = { strdup(at("log")), strdup(at("other")), NULL };
	ino_t first;

	make_file("log", 11);
	make_file("other", 12);
	CHECK("it begins", begin(false, list));
	tick();
	tick();
	first = inode("log");
	CHECK("nothing has happened", watch.report.nr_files == 2 && !file(0)->renamed &&
	      !file(0)->replaced);
	rename(at("log"), at("log.1"));
	tick();
	CHECK("renamed: the inode is followed", watch.report.nr_files == 2 &&
	      file(0)->snap.ino == first && ends(file(0)->renamed, "/log.1"));
	tick();
	CHECK("renamed: it stays so", file(0)->snap.ino == first && ends(file(0)->renamed, "/log.1"));
	make_file("log", 99);
	tick();
	CHECK("replaced: the name's entry is of the new file", file(0)->snap.ino == inode("log") &&
	      file(0)->replaced == 1 && file(0)->replaced_ino == first && !file(0)->renamed &&
	      number_of(file(0), PCINSPECT_CACHED) == 99);
	CHECK("replaced: the old one has its own", watch.report.nr_files == 3 &&
	      file(2)->snap.ino == first && ends(file(2)->renamed, "/log.1") &&
	      !strcmp(file(2)->path, file(0)->path));
	CHECK("replaced: what was before goes with the inode", !watch_before(&watch, 0) &&
	      watch_before(&watch, 2)->snap.ino == first);
	rename(at("log.1"), at("log.2"));
	tick();
	CHECK("renamed again", ends(file(2)->renamed, "/log.2") &&
	      watch_before(&watch, 0)->snap.ino == inode("log"));
	unlink(at("log.2"));
	tick();
	CHECK("the old one is deleted", file(2)->gone && watch.alive == 2);
	/* A new one over it, as an editor saves. */
	make_file("new", 77);
	first = inode("log");
	rename(at("new"), at("log"));
	tick();
	CHECK("replaced again, at once", file(0)->snap.ino == inode("log") &&
	      file(0)->replaced == 2 && !file(0)->gone && watch.report.nr_files == 3);
	/* Somebody has the old one open. */
	open_elsewhere = true;
	make_file("new", 78);
	first = inode("log");
	rename(at("new"), at("log"));
	tick();
	CHECK("the old one lives on in the entry that was free", file(0)->replaced == 3 &&
	      watch.report.nr_files == 3 && file(2)->snap.ino == first && !file(2)->gone &&
	      file(2)->snap.flags & PCINSPECT_F_DELETED);
	open_elsewhere = false;
	tick();
	CHECK("until it is closed", file(2)->gone);
	rename(at("other"), at("away"));
	rename(at("away"), at("other"));
	tick();
	CHECK("away and back is nothing", !file(1)->renamed && !file(1)->replaced);
	rename(at("other"), at("away"));
	tick();
	rename(at("away"), at("other"));
	tick();
	CHECK("nor is it between two ticks", !file(1)->renamed && !file(1)->replaced);
	/* Another name of the inode, and then the first one goes to another. */
	CHECK("a link", !link(at("other"), at("kept")));
	tick();
	first = inode("other");
	make_file("new", 5);
	rename(at("new"), at("other"));
	tick();
	tick();
	CHECK("several names: replaced all the same", file(1)->snap.ino == inode("other") &&
	      file(1)->replaced_ino == first);
	/* Untracked by somebody else: its end, though the name is there. */
	records[file(0)->snap.id - 1].held = false;
	tick();
	CHECK("untracked: gone", file(0)->gone);
	tick();
	CHECK("and not tracked again", file(0)->gone && file(0)->replaced == 3);
	unlink(at("other"));
	unlink(at("kept"));
	tick();
	CHECK("all gone", !file(1)->renamed);
	end();
	free((char *)list[0]);
	free((char *)list[1]);
}

static void links(void)
{
	const char *const list[] = { strdup(at("current")), NULL };
	int i;

	make_file("v1", 1);
	make_file("v2", 2);
	CHECK("a link", !symlink("v1", at("current")));
	CHECK("it begins", begin(false, list));
	tick();
	unlink(at("current"));
	CHECK("elsewhere", !symlink("v2", at("current")));
	tick();
	CHECK("a link that leads elsewhere", file(0)->snap.ino == inode("v2") &&
	      file(0)->replaced == 1 && file(1)->snap.ino == inode("v1"));
	/* Again and again: what is kept of the past is bounded, and let go. */
	for (i = 0; i < 2 * FOLLOW_PARTED; i++) {
		char name[20];

		snprintf(name, sizeof(name), "w%d", i);
		make_file(name, i);
		unlink(at("current"));
		if (symlink(name, at("current")))
			break;
		tick();
	}
	CHECK("many times: bounded", file(0)->replaced == 2 * FOLLOW_PARTED + 1 &&
	      watch.report.nr_files == FOLLOW_PARTED + 1 && held == FOLLOW_PARTED + 1);
	end();
	free((char *)list[0]);
}

static int find(const char *tail)
{
	size_t i;

	for (i = 0; i < watch.report.nr_files; i++)
		if (!file(i)->gone && !file(i)->renamed && ends(file(i)->path, tail))
			return i;
	return -1;
}

static void growth(void)
{
	const char *const list[] = { strdup(at("dir")), strdup(at("pat*/x?.log")), NULL };
	char name[40];
	int i;

	mkdir(at("dir"), 0700);
	mkdir(at("dir/sub"), 0700);
	mkdir(at("pat1"), 0700);
	make_file("dir/a", 1);
	make_file("dir/sub/b", 2);
	make_file("pat1/x1.log", 3);
	make_file("pat1/y1.log", 3);
	CHECK("links and fifos", !symlink("a", at("dir/link")) && !mkfifo(at("dir/fifo"), 0600));
	CHECK("a pattern is one", grow_is_pattern(list[1]) && !grow_is_pattern(list[0]) &&
	      grow_is_pattern(at("[ab]")) && !grow_is_pattern(at("[ab")));
	CHECK("it begins", begin(true, list));
	CHECK("what is there", watch.report.nr_files == 3 && find("/dir/a") >= 0 &&
	      find("/dir/sub/b") >= 0 && find("/pat1/x1.log") >= 0 && watch.report.grows);
	tick();
	make_file("dir/c", 4);
	make_file("pat1/x2.log", 5);
	make_file("pat1/x22.log", 5);
	mkdir(at("dir/new"), 0700);
	make_file("dir/new/d", 6);
	CHECK("another fifo", !mkfifo(at("dir/fifo2"), 0600));
	tick();
	CHECK("what has appeared", watch.report.nr_files == 6 && find("/dir/c") >= 0 &&
	      find("/pat1/x2.log") >= 0 && find("/dir/new/d") >= 0);
	make_file("dir/new/e", 7);
	tick();
	CHECK("in a directory that has appeared", watch.report.nr_files == 7 &&
	      find("/dir/new/e") >= 0);
	rename(at("dir/a"), at("dir/a.1"));
	make_file("dir/a", 8);
	tick();
	i = find("/dir/a");
	CHECK("a file of a directory is replaced", watch.report.nr_files == 8 && i >= 0 &&
	      file(i)->replaced == 1 && number_of(file(i), PCINSPECT_CACHED) == 8);
	unlink(at("dir/c"));
	tick();
	tick();
	make_file("dir/f", 9);
	tick();
	CHECK("one that is gone makes room", watch.report.nr_files == 8 && find("/dir/f") >= 0);
	for (i = 0; i < GROW_FILES; i++) {
		snprintf(name, sizeof(name), "dir/sub/%d", i);
		make_file(name, 1);
	}
	tick();
	CHECK("too many: bounded, and counted", watch.report.nr_files == GROW_FILES &&
	      watch.report.left_out == 8);
	end();
	limit = 2;
	CHECK("it begins", begin(true, list));
	CHECK("the module has a limit, too", watch.report.nr_files == 2 && watch.report.left_out > 100);
	end();
	limit = RECORDS;
	free((char *)list[0]);
	free((char *)list[1]);
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");
	char command[PATH_MAX + 32];

	setlocale(LC_CTYPE, "C.UTF-8");
	snprintf(base, sizeof(base), "%s/pcinspect-follow.XXXXXX", tmp ? tmp : "/tmp");
	CHECK("a directory", mkdtemp(base) != NULL);
	rotation();
	links();
	growth();
	snprintf(command, sizeof(command), "rm -r %s", base);
	CHECK("tidy", !system(command));
	return test_failures != 0;
}
