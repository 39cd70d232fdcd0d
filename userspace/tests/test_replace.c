// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_replace.c - a report's file is the old one or the new one, and never half of
 * one; what is no file is written as it is.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/replace.h"
#include "test.h"

/* Like a filesystem without O_TMPFILE, or one where a file gets no name later. */
static bool plain, nameless;
static int copies;

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	if (plain && flags & __O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
	if (nameless) {
		copies++;
		errno = ENOENT;
		return -1;
	}
	return syscall(SYS_linkat, from, old, to, new, flags);
}

static const char *contents(const char *path)
{
	static char text[64];
	FILE *from = fopen(path, "r");
	size_t n = from ? fread(text, 1, sizeof(text) - 1, from) : 0;

	text[n] = '\0';
	if (from)
		fclose(from);
	return text;
}

static int entries(void)
{
	DIR *dir = opendir(".");
	int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static int replace(const char *path, const char *text, bool good)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	if (to)
		fputs(text, to);
	errno = EIO;
	return replace_end(&file, to && good);
}

/* The whole life of one file, wherever it is. */
static void life(void)
{
	struct replace file;
	char fd_path[32];
	struct stat st;
	FILE *to;
	int old;

	CHECK("a new file", !replace("r", "one", true));
	CHECK_STR("is there", contents("r"), "one");
	CHECK("with the mode of new files", !stat("r", &st) && (st.st_mode & 07777) == 0640);
	chmod("r", 0604);
	old = open("r", O_RDONLY);
	to = replace_begin(&file, "r");
	fputs("half", to);
	fflush(to);
	CHECK_STR("meanwhile it is the old one", contents("r"), "one");
	CHECK("and nothing is beside it, whatever ends us", entries() == 1);
	fputs(" and half", to);
	CHECK("it is replaced", !replace_end(&file, true));
	CHECK_STR("by all of the new one", contents("r"), "half and half");
	CHECK("with the mode it had", !stat("r", &st) && (st.st_mode & 07777) == 0604);
	snprintf(fd_path, sizeof(fd_path), "/proc/self/fd/%d", old);
	CHECK_STR("who had it open has the old one", contents(fd_path), "one");
	close(old);
	CHECK("after an error", replace("r", "nothing", false) && errno == EIO);
	CHECK_STR("it stays", contents("r"), "half and half");
	CHECK("no directory", replace("none/r", "x", true) == -1);
	CHECK("a link", !symlink("r", "l") && !replace("l", "linked", true));
	CHECK("stays one", !lstat("l", &st) && S_ISLNK(st.st_mode));
	CHECK_STR("to what is new", contents("r"), "linked");
	CHECK("nothing is left beside it", entries() == 2);
	unlink("l");
	unlink("r");
}

int main(void)
{
	char dir[] = "/tmp/pcinspect-replace-XXXXXX", got[32];
	struct stat st;
	int fifo, old, done, failed;

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	umask(027);
	life();
	nameless = true;
	life();
	plain = true;
	life();
	CHECK("there it was copied", copies == 6);
	plain = nameless = false;

	CHECK("a full disk", replace("/dev/full", "x", true) == -1);
	CHECK("a device stays one", !stat("/dev/full", &st) && S_ISCHR(st.st_mode));
	mkfifo("f", 0600);
	fifo = open("f", O_RDWR);
	CHECK("a FIFO", !replace("f", "passed", true));
	CHECK("is written", read(fifo, got, 6) == 6 && !memcmp(got, "passed", 6));
	CHECK("and stays one", !stat("f", &st) && S_ISFIFO(st.st_mode));
	close(fifo);
	/* Our own output: what was printed before and in between is still there. */
	fflush(stdout);
	fifo = dup(1);
	old = open("out", O_RDWR | O_CREAT | O_APPEND, 0600);
	CHECK("there was something", write(old, "old ", 4) == 4);
	fflush(stdout);
	dup2(old, 1);
	printf("printed ");
	done = replace("/dev/stdout", "to stdout ", true) || replace("out", "by name", true);
	failed = !replace("/dev/stdout", "not this", false);
	fflush(stdout);
	dup2(fifo, 1);
	CHECK("our own output is gone on with", !done && !failed);
	CHECK_STR("and not begun anew", contents("out"), "old printed to stdout by name");
	unlink("out");
	unlink("f");
	CHECK("nothing is left", !chdir("/") && !rmdir(dir));
	return test_failures != 0;
}
