// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_tree.c - a descent, and the moment after something else was put where a file
 * was: inotify sees what was opened. Touches a directory of its own below TMPDIR.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "collect/collect.h"
#include "lib/complain.h"
#include "test.h"

static char base[PATH_MAX];
static int watched[16];

static const char *at(const char *name)
{
	static char paths[2][2 * PATH_MAX];
	static int turn;

	turn = !turn;
	snprintf(paths[turn], sizeof(paths[turn]), "%s/%s", base, name);
	return paths[turn];
}

static void make_file(const char *name)
{
	close(open(at(name), O_CREAT | O_WRONLY | O_TRUNC, 0600));
}

static void make_socket(const char *name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(to.sun_path, sizeof(to.sun_path), "%.100s", at(name));
	CHECK("a socket", !bind(fd, (void *)&to, sizeof(to)));
	close(fd);
}

/* Which of the watched were opened since, as bits. */
static unsigned int opened(int notify)
{
	char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	unsigned int bits = 0;
	ssize_t n;
	char *p;
	int i;

	while ((n = read(notify, buffer, sizeof(buffer))) > 0) {
		for (p = buffer; p < buffer + n;) {
			const struct inotify_event *event = (void *)p;

			for (i = 0; i < 16; i++)
				if (watched[i] == event->wd)
					bits |= 1U << i;
			p += sizeof(*event) + event->len;
		}
	}
	return bits;
}

static int seen;

static void take(struct collect *collect, const char *place, const char *name,
		 bool directory)
{
	int fd;

	(void)collect;
	if (directory)
		return;
	seen++;
	/* Now it is a file; a moment later it is not. */
	if (strcmp(strrchr(name, '/'), "/victim"))
		return;
	unlink(place);
	CHECK("swapped", !symlink("fifo", place));
	fd = collect_open_inode(place, O_NOFOLLOW);
	CHECK("a link that was put there is not followed", fd < 0 && errno == EOPNOTSUPP);
	unlink(place);
	CHECK("swapped again", !mkfifo(place, 0600));
	fd = collect_open_inode(place, O_NOFOLLOW);
	CHECK("a fifo that was put there is not opened", fd < 0 && errno == EOPNOTSUPP);
}

/* A directory is taken away while its files are being met. */
static void move(struct collect *collect, const char *place, const char *name, bool directory)
{
	(void)collect;
	(void)place;
	seen++;
	if (!directory && strstr(name, "/sub/"))
		CHECK("moved", !rename(at("sub"), at("../moved")));
}

int main(void)
{
	static const char *const names[] = {
		"fifo", "socket", "null", "sub/file", "outside",
	};
	struct report report = { .page_size = 4096 };
	struct collect collect = { .report = &report };
	int notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), fd;
	const char *tmp = getenv("TMPDIR");
	char command[PATH_MAX + 32];
	size_t i;

	setlocale(LC_CTYPE, "C.UTF-8");
	snprintf(base, sizeof(base), "%s/pcinspect-tree.XXXXXX", tmp ? tmp : "/tmp");
	CHECK("a directory", mkdtemp(base) != NULL);
	mkdir(at("tree"), 0700);
	make_file("outside");
	snprintf(base + strlen(base), 8, "/tree");
	mkdir(at("sub"), 0700);
	mkfifo(at("fifo"), 0600);
	make_socket("socket");
	/* As root only; a fifo stands for it elsewhere. */
	if (mknod(at("null"), S_IFCHR | 0600, makedev(1, 3)))
		mkfifo(at("null"), 0600);
	make_file("sub/file");
	make_file("victim");
	CHECK("links", !symlink("fifo", at("to-fifo")) && !symlink("null", at("to-null")) &&
	      !symlink("../outside", at("to-outside")) && !symlink("..", at("sub/up")) &&
	      !link(at("sub/file"), at("again")));
	for (i = 0; i < 4; i++)
		watched[i] = inotify_add_watch(notify, at(names[i]), IN_OPEN);
	watched[4] = inotify_add_watch(notify, at("../outside"), IN_OPEN);

	collect.device = open("/dev/null", O_RDWR | O_CLOEXEC);
	collect.mounts = mounts_load();
	collect_tree(&collect, base, TREE_FILES, NULL);
	/* /dev/null answers no question, which each file that was opened shows. */
	CHECK("each file once", collect.failed == 2 && !collect.ok && !report.nr_files);
	CHECK("nothing but files was opened", opened(notify) == 1 << 3);

	inode_set_forget(&collect.seen);
	collect_tree(&collect, base, TREE_ONE_FILESYSTEM, take);
	CHECK("another taker", seen == 2);
	CHECK("and nothing was opened", !opened(notify));

	inode_set_forget(&collect.seen);
	collect.failed = 0;
	unlink(at("again"));
	collect_tree(&collect, base, TREE_ONE_FILESYSTEM, move);
	CHECK("a descent that ends early says so",
	      collect.failed == 1 && strstr(complain_last(), "files are missing"));
	CHECK("put back", !rename(at("../moved"), at("sub")));
	collect_tree(&collect, "", TREE_ONE_FILESYSTEM, move);
	CHECK("no path is no lack of memory", collect.failed == 2 &&
	      strstr(complain_last(), "No such file"));

	fd = collect_open_inode(at("to-outside"), 0);
	CHECK("a link that is named is followed", fd >= 0 && opened(notify) == 1 << 4);
	close(fd);
	CHECK("a link to a fifo is not opened",
	      collect_open(at("to-fifo")) < 0 && strstr(complain_last(), "no page cache"));
	CHECK("nor a directory",
	      collect_open(at("sub")) < 0 && strstr(complain_last(), "is a directory"));
	CHECK("nor nothing",
	      collect_open(at("none")) < 0 && strstr(complain_last(), "No such file"));
	CHECK("nothing of them was opened", !opened(notify));

	collect.nr_left_out = 3;
	collect.left_out = strdup("/a\n");
	collect_tree_left_out(&collect);
	CHECK("what was left out is said", strstr(complain_last(), "/a\\012: and 2 more filesystems left out") &&
	      strstr(complain_last(), "--all-file-systems") && !collect.nr_left_out);
	*strrchr(base, '/') = '\0';
	snprintf(command, sizeof(command), "rm -r %s", base);
	CHECK("tidy", !system(command));
	collect_free(&collect);
	close(notify);
	return test_failures != 0;
}
