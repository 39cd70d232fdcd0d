// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_borrow.c - what is changed for a while is put back: in the end, by the guardian of
 * one that was killed, and by whoever comes next when that was killed as well.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include "collect/borrow.h"
#include "lib/complain.h"
#include "test.h"

static char top[] = "/tmp/pcinspect-borrow-XXXXXX";
static char state[64], one[64], two[64], bytes[64], ratio[64];
static char sectors[64], ahead[64];

static void put(const char *path, const char *text)
{
	FILE *to = fopen(path, "w");

	if (!to || fputs(text, to) < 0 || fclose(to))
		exit(1);
}

static int is(const char *path, const char *text)
{
	char got[64] = "";
	FILE *from = fopen(path, "r");

	if (!from || !fgets(got, sizeof(got), from))
		*got = '\0';
	if (from)
		fclose(from);
	got[strcspn(got, "\n")] = '\0';
	return !strcmp(got, text);
}

static int left(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/try.state", state);
	return !access(path, F_OK);
}

static int is_in_state(const char *text)
{
	char path[128], got[512] = "";
	FILE *from;

	snprintf(path, sizeof(path), "%s/try.state", state);
	from = fopen(path, "r");
	if (from && !fread(got, 1, sizeof(got) - 1, from))
		*got = '\0';
	if (from)
		fclose(from);
	return strstr(got, text) != NULL;
}

/* Nobody is left who holds the lock. */
static void wait_for_all(void)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/try.lock", state);
	fd = open(path, O_RDWR);
	if (fd < 0 || flock(fd, LOCK_EX))
		exit(1);
	close(fd);
}

static void normal(void)
{
	struct borrow borrow;

	put(one, "128\n");
	put(two, "max\n");
	CHECK("begun", borrow_begin(&borrow, state));
	CHECK("nothing is left", !left());
	CHECK("changed", borrow_set(&borrow, one, "16") && is(one, "16") && left());
	CHECK("under way is not left", !borrow_is_left(state));
	CHECK("changed again", borrow_set(&borrow, one, "32") && borrow_set(&borrow, two, "7"));
	CHECK("put back, all the way", borrow_return(&borrow) && is(one, "128") && is(two, "max"));
	CHECK("and not remembered", !left());
	CHECK("what is not there", !borrow_set(&borrow, "/tmp/pcinspect/none/x", "1") && !left());
	CHECK("what cannot be kept", !borrow_set(&borrow, "/tmp/a\tb", "1"));
	CHECK("changed once more", borrow_set(&borrow, two, "9"));
	CHECK("put back at the end", borrow_end(&borrow) && is(two, "max") && !left());
}

/* The one of them that holds is the one that is put back: 0 cannot be written. */
static void twins(void)
{
	struct borrow borrow;

	put(bytes, "0\n");
	put(ratio, "10\n");
	CHECK("twins: begun", borrow_begin(&borrow, state));
	CHECK("twins: changed", borrow_set(&borrow, bytes, "4096"));
	put(ratio, "0\n");	/* as the kernel does */
	put(bytes, "4096\n");
	CHECK("twins: put back", borrow_end(&borrow) && is(ratio, "10"));
}

/* Both 0: it is the ratio that can be 0, whichever is changed. */
static void both_twins(const char *changed, const char *other)
{
	struct borrow borrow;

	put(bytes, "0\n");
	put(ratio, "0\n");
	CHECK("both 0: begun", borrow_begin(&borrow, state));
	CHECK("both 0: changed", borrow_set(&borrow, changed, "7"));
	put(changed, "7\n");
	put(other, "0\n");
	/* 0 bytes would be EINVAL. */
	CHECK("both 0: it is the ratio", is_in_state("dirty_background_ratio\t0\t"));
	CHECK("both 0: put back", borrow_end(&borrow) && is(ratio, "0") && !left());
}

/* The kernel raises readahead with every new max_sectors_kb: also when that is put back. */
static void dragged(void)
{
	struct borrow borrow;

	put(sectors, "1280\n");
	put(ahead, "16\n");
	CHECK("dragged: begun", borrow_begin(&borrow, state));
	CHECK("dragged: changed", borrow_set(&borrow, sectors, "4") && is(sectors, "4"));
	CHECK("dragged: it is kept", is(ahead, "16") && is_in_state("read_ahead_kb\t16\n"));
	put(ahead, "128\n");
	CHECK("dragged: put back", borrow_return(&borrow) && is(sectors, "1280") &&
	      is(ahead, "16") && !left());
	unlink(ahead);
	CHECK("dragged: no readahead", borrow_set(&borrow, sectors, "4") &&
	      borrow_end(&borrow) && is(sectors, "1280") && !left());
}

/* A setting that somebody else changed meanwhile is his. */
static void foreign_change(void)
{
	struct borrow borrow;

	put(one, "128\n");
	put(two, "max\n");
	CHECK("somebody else: begun", borrow_begin(&borrow, state));
	CHECK("somebody else: changed", borrow_set(&borrow, one, "16") &&
	      borrow_set(&borrow, two, "7"));
	put(one, "99\n");
	CHECK("somebody else: his is left, and said", borrow_return(&borrow) && is(one, "99") &&
	      is(two, "max") && !left() && strstr(complain_last(), "somebody else changed it"));
	CHECK("somebody else: again", borrow_set(&borrow, one, "16"));
	put(one, "99\n");
	CHECK("somebody else: it is what it was", borrow_end(&borrow) && is(one, "99") && !left());
}

/* A file that cannot be read is no empty state. */
static void unreadable(void)
{
	struct borrow borrow;
	char path[128];

	snprintf(path, sizeof(path), "%s/try.state", state);
	mkdir(path, 0700);
	CHECK("unreadable: nothing may be changed", !borrow_begin(&borrow, state) &&
	      strstr(complain_last(), "cannot read"));
	CHECK("unreadable: it is kept", left());
	rmdir(path);
}

static void gone(void)
{
	struct borrow borrow;

	put(one, "1\n");
	CHECK("gone: begun", borrow_begin(&borrow, state) && borrow_set(&borrow, one, "2"));
	unlink(one);
	CHECK("gone: said, and no error", borrow_end(&borrow) && !left() &&
	      strstr(complain_last(), "nothing to restore"));
}

/* Killed when so many things were changed: its guardian, or the next one, puts back. */
static void killed(int changes, int guardian_too)
{
	struct borrow borrow;
	int status, fds[2];
	pid_t pid, guardian = 0;
	char name[64];

	put(one, "128\n");
	put(two, "max\n");
	if (pipe(fds))
		exit(1);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (!borrow_begin(&borrow, state))
			_exit(1);
		if (write(fds[1], &borrow.guardian, sizeof(borrow.guardian)) < 0)
			_exit(1);
		if (changes > 0)
			borrow_set(&borrow, one, "16");
		if (changes > 1)
			borrow_set(&borrow, two, "99");
		if (guardian_too)
			kill(borrow.guardian, SIGKILL);
		kill(getpid(), SIGKILL);
	}
	if (waitpid(pid, &status, 0) != pid || read(fds[0], &guardian, sizeof(guardian)) < 0)
		exit(1);
	close(fds[0]);
	close(fds[1]);
	wait_for_all();
	snprintf(name, sizeof(name), "killed after %d changes%s", changes,
		 guardian_too ? ", the guardian too" : "");
	if (guardian_too && changes) {
		CHECK(name, is(one, "16") && left() && borrow_is_left(state));
		CHECK("the next one begins by putting back",
		      borrow_begin(&borrow, state) && is(one, "128") && is(two, "max") && !left());
		borrow_end(&borrow);
	} else {
		CHECK(name, is(one, "128") && is(two, "max") && !left() && !borrow_is_left(state));
	}
}

static void one_at_a_time(void)
{
	struct borrow first, second;

	CHECK("one", borrow_begin(&first, state));
	CHECK("but not two", !borrow_begin(&second, state) &&
	      strstr(complain_last(), "is running"));
	CHECK("one ends", borrow_end(&first));
	CHECK("then another", borrow_begin(&second, state) && borrow_end(&second));
}

/* A directory of somebody else's may hold anything. */
static void foreign(void)
{
	struct borrow borrow;
	char path[128];

	snprintf(path, sizeof(path), "%s/open", top);
	mkdir(path, 0777);
	chmod(path, 0777);
	CHECK("a directory that all may write", !borrow_begin(&borrow, path));
	rmdir(path);
}

/* No permission: it is what it was, and nothing is left to be put back. */
static void refused(void)
{
	struct borrow borrow;
	char sealed[64];
	int fd = memfd_create("setting", MFD_ALLOW_SEALING);

	snprintf(sealed, sizeof(sealed), "/proc/self/fd/%d", fd);
	if (write(fd, "1\n", 2) != 2 || fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK))
		exit(1);
	put(one, "128\n");
	CHECK("refused: begun", borrow_begin(&borrow, state) && borrow_set(&borrow, one, "2"));
	CHECK("refused: said", !borrow_set(&borrow, sealed, "2") &&
	      strstr(complain_last(), "cannot set it to 2: Operation not permitted"));
	CHECK("refused: others are put back", borrow_return(&borrow) && is(one, "128") && !left());
	CHECK("refused: alone", !borrow_set(&borrow, sealed, "2") && !left());
	CHECK("refused: the end", borrow_end(&borrow) && !left());
	close(fd);
}

/* In a container. */
static void nothing(void)
{
	struct borrow borrow;

	put(one, "1\n");
	borrow_nothing(&borrow);
	CHECK("nothing: not a setting", !borrow_set(&borrow, one, "2") && is(one, "1") &&
	      strstr(complain_last(), "not changed"));
	CHECK("nothing: nor a cgroup", borrow_cgroup(&borrow, "memory.high", "1") < 0 &&
	      strstr(complain_last(), "memory.high"));
	CHECK("nothing: to be put back", borrow_return(&borrow) && borrow_end(&borrow));
}

static int remove_all(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

int main(void)
{
	int i;

	if (!mkdtemp(top))
		return 1;
	snprintf(state, sizeof(state), "%s/state", top);
	snprintf(one, sizeof(one), "%s/one", top);
	snprintf(two, sizeof(two), "%s/two", top);
	snprintf(bytes, sizeof(bytes), "%s/vm", top);
	mkdir(bytes, 0700);
	snprintf(bytes, sizeof(bytes), "%s/vm/dirty_background_bytes", top);
	snprintf(ratio, sizeof(ratio), "%s/vm/dirty_background_ratio", top);
	snprintf(sectors, sizeof(sectors), "%s/queue", top);
	mkdir(sectors, 0700);
	snprintf(sectors, sizeof(sectors), "%s/queue/max_sectors_kb", top);
	snprintf(ahead, sizeof(ahead), "%s/queue/read_ahead_kb", top);
	normal();
	twins();
	dragged();
	both_twins(bytes, ratio);
	both_twins(ratio, bytes);
	foreign_change();
	unreadable();
	gone();
	for (i = 0; i < 3; i++) {
		killed(i, 0);
		killed(i, 1);
	}
	one_at_a_time();
	foreign();
	refused();
	nothing();
	return remove_all() || test_failures;
}
