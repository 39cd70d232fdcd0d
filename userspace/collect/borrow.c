// SPDX-License-Identifier: GPL-2.0-only
/*
 * borrow.c - settings that are changed for a while, and put back whatever happens.
 *
 * The old value of a setting is in a file below /run before it is changed. The program may
 * be killed at any moment: the guardian, a child in a session of its own, then reads the end
 * of a pipe and puts all back. Should that be killed as well, whoever borrows next, or
 * pcinspect try --restore, does it from the file. The lock is held as long as one of the
 * two lives, so nobody borrows what has not been put back.
 *
 * The file has lines, the newest last:
 *
 *	set PATH <tab> VALUE	the setting PATH was VALUE
 *	set PATH <tab> VALUE <tab> SEEN <tab> NOW
 *				likewise; what was changed is SEEN, and was NOW then: if it
 *				is something else in the end, it is somebody else's by now
 *	cgroup PATH <tab> FROM	cgroup PATH is ours; who is in it came from cgroup FROM
 *
 * Touches: that directory, and the settings and cgroups it is asked to.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/borrow.h"
#include "collect/memcg.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/keyfile.h"
#include "model/report.h"

#define STATE "try.state"
#define STATE_NEW "try.state.new"
#define LOCK "try.lock"

/*
 * As many turns, of 100 ms at most, are waited for the last process to leave a cgroup: by
 * us, whom somebody waits for, and by the guardian, who is the last to care.
 */
#define LEAVE_TURNS 300
#define LEAVE_TURNS_GUARDIAN 36000

static int leave_turns = LEAVE_TURNS;

/* Levels of cgroups that are looked at below ours. */
#define CGROUP_LEVELS 32

/* PROC_PID_INIT_INO: the namespace that ends with the machine only. */
#define INITIAL_PID_NAMESPACE "pid:[4026531836]"

/* The text of a setting without its newline, a new string; NULL with errno set. */
static char *read_setting(const char *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC), saved;
	ssize_t n;

	if (fd < 0)
		return NULL;
	n = read(fd, text, sizeof(text) - 1);
	saved = errno;
	close(fd);
	errno = saved;
	if (n < 0)
		return NULL;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return alloc_copy(text);
}

/* Returns 0, or -1 with errno set. */
static int write_setting(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), saved;
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, value, strlen(value));
	saved = errno;
	close(fd);
	errno = saved;
	return n == (ssize_t)strlen(value) ? 0 : -1;
}

/* Is a setting that? */
static bool is_set(const char *path, const char *value)
{
	char *now = read_setting(path);
	bool same = now && !strcmp(now, value);

	free(now);
	return same;
}

/* The state as it is now to the file, as a whole or not at all. */
static int write_state(const struct borrow *borrow)
{
	size_t size = borrow->lines ? strlen(borrow->lines) : 0;
	ssize_t n;
	int fd;

	if (!size)
		return unlinkat(borrow->dir, STATE, 0) && errno != ENOENT ? -1 : 0;
	fd = openat(borrow->dir, STATE_NEW, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return -1;
	n = write(fd, borrow->lines, size);
	if (close(fd) || n != (ssize_t)size)
		return -1;
	return renameat(borrow->dir, STATE_NEW, borrow->dir, STATE);
}

/* Returns 0, or -1 with errno set: what is there is not known, and must stay. */
static int read_state(struct borrow *borrow)
{
	int fd = openat(borrow->dir, STATE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), saved = 0;
	FILE *from = fd < 0 ? NULL : fdopen(fd, "r");
	size_t size = 0;

	free(borrow->lines);
	borrow->lines = NULL;
	if (!from) {
		saved = errno;
		if (fd >= 0)
			close(fd);
		errno = saved;
		return fd < 0 && saved == ENOENT ? 0 : -1;
	}
	errno = 0;
	if (getdelim(&borrow->lines, &size, '\0', from) < 0) {
		saved = ferror(from) || errno ? errno ?: EIO : 0;
		free(borrow->lines);
		borrow->lines = NULL;
	}
	fclose(from);
	errno = saved;
	return saved ? -1 : 0;
}

/* One more line, in memory and in the file. Returns 0, or -1 with errno set. */
static int remember(struct borrow *borrow, const char *what, const char *path,
		    const char *value)
{
	char *old = borrow->lines;

	if (strpbrk(path, "\t\n") || strpbrk(value, "\t\n")) {
		errno = EINVAL;
		return -1;
	}
	borrow->lines = alloc_text("%s%s %s\t%s\n", old ?: "", what, path, value);
	if (!write_state(borrow)) {
		free(old);
		return 0;
	}
	free(borrow->lines);
	borrow->lines = old;
	return -1;
}

/*
 * The last line, of a setting that could not be changed: there is nothing to be put back.
 * Returns false if there is, and the line stays.
 */
static bool forget_last(struct borrow *borrow, const char *path, const char *value)
{
	char *end;

	if (!is_set(path, value))
		return false;
	borrow->lines[strlen(borrow->lines) - 1] = '\0';
	end = strrchr(borrow->lines, '\n');
	if (end) {
		end[1] = '\0';
	} else {
		free(borrow->lines);
		borrow->lines = NULL;
	}
	/* Should it stay in the file, it is put back to what it is. */
	if (write_state(borrow))
		complain(BORROW_DIR, "%s", strerror(errno));
	return true;
}

/* Every changed setting, and its value now, to the last line. */
static void remember_now(struct borrow *borrow, const char *path)
{
	char *old = borrow->lines, *now = read_setting(path);
	size_t len = strlen(old);

	if (now && !strpbrk(now, "\t\n")) {
		borrow->lines = alloc_text("%.*s\t%s\t%s\n", (int)len - 1, old, path, now);
		/* Without it it is put back whatever it is: no harm if nobody else was here. */
		if (write_state(borrow))
			complain(path, "cannot note its new value: %s", strerror(errno));
		free(old);
	}
	free(now);
}

/* A process in a cgroup of ours goes back to where it came from. */
static void leave(const char *path, const char *from)
{
	char *theirs = alloc_text("%s/cgroup.procs", from);
	int to = open(theirs, O_WRONLY | O_CLOEXEC);
	struct keyfile list;

	keyfile_open(&list, "%s/cgroup.procs", path);
	while (to >= 0 && keyfile_line(&list))
		if (write(to, list.line, strlen(list.line)) < 0)
			break;
	keyfile_close(&list);
	if (to >= 0)
		close(to);
	free(theirs);
}

/* Those below a cgroup of ours are CMD's: emptied, and removed. */
static void leave_below(const char *path, const char *from, int level)
{
	DIR *dir = level < CGROUP_LEVELS ? opendir(path) : NULL;
	struct dirent *entry;
	char *below;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, ".."))
			continue;
		below = alloc_text("%s/%s", path, entry->d_name);
		leave_below(below, from, level + 1);
		leave(below, from);
		rmdir(below);
		free(below);
	}
	if (dir)
		closedir(dir);
}

/* Until its events change (the last process has gone), or a while. */
static void wait_for_cgroup(const char *path)
{
	struct pollfd events = { .events = POLLPRI };
	char *name, text[256];

	name = alloc_text("%s/cgroup.events", path);
	events.fd = open(name, O_RDONLY | O_CLOEXEC);
	free(name);
	if (events.fd >= 0 && read(events.fd, text, sizeof(text)) < 0)
		errno = 0;
	/* Also without it (fd -1) a turn takes its time. */
	poll(&events, 1, 100);
	if (events.fd >= 0)
		close(events.fd);
}

/* A cgroup of ours is emptied and removed. Returns false if it has to be another time. */
static bool undo_cgroup(const char *path, const char *from)
{
	int turns;

	for (turns = 0; rmdir(path) && errno == EBUSY && turns < leave_turns; turns++) {
		leave_below(path, from, 0);
		leave(path, from);
		if (!rmdir(path))
			break;
		wait_for_cgroup(path);
	}
	if (!access(path, F_OK)) {
		complain(path, "cannot remove the cgroup: it is busy (pcinspect try --restore, when nobody is in it)");
		return false;
	}
	return true;
}

/* A device, filesystem or cgroup that was removed needs nothing. */
static bool is_gone(int error)
{
	return error == ENOENT || error == ENODEV || error == ENXIO || error == ENOTDIR;
}

/* Did somebody else change a setting meanwhile? Then it is not ours to put back. */
static bool is_foreign(const char *path, const char *value, const char *seen, const char *was)
{
	char *now = read_setting(seen), *old = strcmp(path, seen) ? read_setting(path) : NULL;
	bool foreign = now && strcmp(now, was);

	/* It is what it was before: by whom is no matter. */
	if (foreign && strcmp(old ?: now, value))
		complain(seen, "was set to %s by try and is %s now: somebody else changed it, so it is not restored (before, %s was %s)",
			 was, now, path, value);
	free(now);
	free(old);
	return foreign;
}

/* One line undone. Returns false if it has to be kept for another time. */
static bool undo_line(char *line)
{
	char *path = strchr(line, ' '), *value = path ? strchr(path, '\t') : NULL, *now, *seen, *was;
	int error;

	if (!value)
		return true;
	*path++ = '\0';
	*value++ = '\0';
	if (!strcmp(line, "cgroup"))
		return undo_cgroup(path, value);
	seen = strchr(value, '\t');
	was = seen ? strchr(seen + 1, '\t') : NULL;
	if (was) {
		*seen++ = '\0';
		*was++ = '\0';
		if (is_foreign(path, value, seen, was))
			return true;
	}
	/* Also where it is that: with its twin it is the last one written that holds. */
	if (write_setting(path, value)) {
		error = errno;
		if (is_gone(error)) {
			complain(path, "is gone: nothing to restore");
			return true;
		}
		if (is_set(path, value))
			return true;
		complain(path, "cannot restore %s: %s (pcinspect try --restore)", value,
			 strerror(error));
		return false;
	}
	if (is_set(path, value))
		return true;
	now = read_setting(path);
	complain(path, "was %s and is %s now, although it was restored", value,
		 now ?: "unknown");
	free(now);
	return false;
}

/* Undo all, the newest first. Returns false if something is left. */
static bool undo(struct borrow *borrow)
{
	char *left = NULL, *all = borrow->lines, *line, *next, *copy;
	size_t len;

	borrow->lines = NULL;
	while (all && (len = strlen(all))) {
		if (all[len - 1] == '\n')
			all[len - 1] = '\0';
		line = strrchr(all, '\n');
		line = line ? line + 1 : all;
		copy = alloc_copy(line);
		if (!undo_line(line)) {
			next = alloc_text("%s\n%s", copy, left ?: "");
			free(left);
			left = next;
		}
		free(copy);
		*line = '\0';
	}
	free(all);
	borrow->lines = left;
	if (write_state(borrow))
		complain(BORROW_DIR, "cannot save the settings to restore: %s", strerror(errno));
	return !left;
}

/* Waits until nobody is left who could put back what was changed; then does. */
static void guard(struct borrow *borrow, int pipe)
{
	static const int deaf[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP };
	int null = open("/dev/null", O_RDWR), fd, oom;
	sigset_t none;
	size_t i;
	char c;

	setsid();
	for (i = 0; i < sizeof(deaf) / sizeof(*deaf); i++)
		signal(deaf[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (chdir("/"))
		errno = 0;
	/* Memory may be what CMD runs out of. Only root may say so; others do without. */
	oom = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (oom >= 0 && write(oom, "-1000", 5) < 0)
		errno = 0;
	/* Nobody is to wait for our end of his pipe, nor to find his directory busy. */
	for (fd = 0; fd < 3; fd++)
		dup2(null, fd);
	for (fd = 3; fd < 1024; fd++)
		if (fd != borrow->dir && fd != borrow->lock && fd != pipe)
			close(fd);
	/* From now on no signal to our parent's group is for us as well. */
	if (write(pipe, "", 1) != 1)
		_exit(1);
	while (read(pipe, &c, 1) < 0 && errno == EINTR)
		;
	/* A file that cannot be read stays for --restore. */
	if (read_state(borrow))
		_exit(1);
	leave_turns = LEAVE_TURNS_GUARDIAN;
	undo(borrow);
	_exit(0);
}

/* The directory of the state, which is root's alone; -1: complained about. */
static int open_dir(const char *dir)
{
	struct stat st;
	int fd;

	if (mkdir(dir, 0755) && errno != EEXIST) {
		complain(dir, "%s (try keeps the settings to restore there)", strerror(errno));
		return -1;
	}
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & 022))
		return fd;
	complain(dir, fd < 0 ? "%s" : "is not ours alone", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/**
 * borrow_begin() - be able to borrow
 * @borrow: filled in
 * @dir: where the state is kept: BORROW_DIR
 *
 * Settings that a killed process left are restored first, with a message. Complains by itself.
 *
 * Return: false if nothing may be changed.
 */
bool borrow_begin(struct borrow *borrow, const char *dir)
{
	int ends[2];
	char c;

	*borrow = (struct borrow){ .lock = -1, .pipe = -1 };
	borrow->dir = open_dir(dir);
	if (borrow->dir < 0)
		return false;
	borrow->lock = openat(borrow->dir, LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (borrow->lock < 0 || flock(borrow->lock, LOCK_EX | LOCK_NB)) {
		complain(NULL, borrow->lock >= 0 && errno == EWOULDBLOCK ?
			 "another pcinspect try is running (wait for it)" :
			 "cannot lock " BORROW_DIR "/" LOCK ": %s", strerror(errno));
		goto failed;
	}
	if (read_state(borrow)) {
		complain(NULL, "cannot read " BORROW_DIR "/" STATE ", the settings to restore: %s",
			 strerror(errno));
		goto failed;
	}
	if (borrow->lines) {
		complain(NULL, "a try was killed: restoring what it had changed");
		if (!undo(borrow))
			goto failed;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		complain(NULL, "%s", strerror(errno));
		goto failed;
	}
	fflush(NULL);
	borrow->guardian = fork();
	if (!borrow->guardian) {
		close(ends[1]);
		guard(borrow, ends[0]);
	}
	close(ends[0]);
	borrow->pipe = ends[1];
	if (borrow->guardian > 0 && read(borrow->pipe, &c, 1) == 1)
		return true;
	complain(NULL, "cannot start the process that restores settings: %s",
		 borrow->guardian > 0 ? "it was killed" : strerror(errno));
failed:
	borrow_end(borrow);
	return false;
}

/**
 * borrow_lasts() - would what we keep outlive us?
 *
 * In a container the guardian and what is below /run end with it, and a setting of the
 * whole machine stays as it is then. Complains by itself.
 *
 * Return: false if nothing may be changed: borrow_nothing().
 */
bool borrow_lasts(void)
{
	char name[64];
	ssize_t n = readlink("/proc/self/ns/pid", name, sizeof(name) - 1);
	struct stat ours, theirs;

	name[n > 0 ? n : 0] = '\0';
	if (!strcmp(name, INITIAL_PID_NAMESPACE) && !stat("/run", &ours) &&
	    !stat("/proc/1/root/run", &theirs) && ours.st_dev == theirs.st_dev &&
	    ours.st_ino == theirs.st_ino)
		return true;
	complain(NULL, "this is a container, or /run is not the machine's: settings and cgroups are not changed, since changes would stay if the container ended (try on the host)");
	return false;
}

/* A machine where nothing can be changed: each request gets this answer. */
void borrow_nothing(struct borrow *borrow)
{
	*borrow = (struct borrow){ .dir = -1, .lock = -1, .pipe = -1 };
}

/* Complains by itself. */
static bool may_borrow(const struct borrow *borrow, const char *what)
{
	if (borrow->lock < 0)
		complain(what, "not changed (in a container; run try on the host)");
	return borrow->lock >= 0;
}

/**
 * borrow_is_left() - is there something to be put back that nobody cares for?
 * @dir: where the state is kept: BORROW_DIR
 *
 * Return: true if somebody was killed, and his guardian, too.
 */
bool borrow_is_left(const char *dir)
{
	int at = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), lock;
	bool left;

	if (at < 0)
		return false;
	left = !faccessat(at, STATE, F_OK, AT_SYMLINK_NOFOLLOW);
	/* While one is under way, it is there as well. */
	lock = left ? openat(at, LOCK, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (lock >= 0) {
		left = !flock(lock, LOCK_SH | LOCK_NB);
		close(lock);
	}
	close(at);
	return left;
}

/* Two names of one thing: writing one makes the other 0, and 0 bytes cannot be written. */
static char *twin_of(const char *path)
{
	static const char *const ends[][2] = { { "_bytes", "_ratio" }, { "_ratio", "_bytes" } };
	const char *name = strstr(path, "/vm/dirty_");
	size_t i, len = strlen(path);

	for (i = 0; name && i < 2; i++) {
		size_t end = strlen(ends[i][0]);

		if (len < end || strcmp(path + len - end, ends[i][0]))
			continue;
		return alloc_text("%.*s%s", (int)(len - end), path, ends[i][1]);
	}
	return NULL;
}

/*
 * The settings that the kernel changes along with another: a new max_sectors_kb of a disk raises
 * its read_ahead_kb to what it takes for the least (blk_apply_bdi_limits(),
 * block/blk-settings.c, 6.12). A new string, or NULL.
 */
static char *dragged_by(const char *path)
{
	static const char end[] = "/queue/max_sectors_kb";
	size_t len = strlen(path), tail = sizeof(end) - 1;

	if (len < tail || strcmp(path + len - tail, end))
		return NULL;
	return alloc_text("%.*s/queue/read_ahead_kb", (int)(len - tail), path);
}

/**
 * borrow_set() - change a setting
 * @borrow: from borrow_begin()
 * @path: of the setting
 * @value: what it is to be
 *
 * Complains by itself.
 *
 * Return: false if it could not be changed: it is what it was, or will be put back.
 */
bool borrow_set(struct borrow *borrow, const char *path, const char *value)
{
	char *old = read_setting(path), *twin = twin_of(path), *theirs;
	char *dragged = dragged_by(path), *held = dragged ? read_setting(dragged) : NULL;
	bool done = false, by_twin;

	if (!may_borrow(borrow, path))
		goto out;
	if (!old) {
		complain(path, "%s", strerror(errno));
		goto out;
	}
	theirs = twin ? read_setting(twin) : NULL;
	/* The one that holds; where both are 0, the ratio. */
	by_twin = theirs && !strcmp(old, "0") &&
		  (strcmp(theirs, "0") || !strcmp(strrchr(twin, '_'), "_ratio"));
	/* It is put back after the one that drags it, whoever changed it. */
	if ((held && remember(borrow, "set", dragged, held)) ||
	    remember(borrow, "set", by_twin ? twin : path, by_twin ? theirs : old)) {
		complain(path, "not changed: cannot save its value: %s",
			 strerror(errno));
	} else if (write_setting(path, value)) {
		complain(path, "cannot set it to %s: %s%s", value, strerror(errno),
			 errno == EROFS || errno == EACCES || errno == EPERM ?
			 " (in a container, try on the host)" : "");
		if (forget_last(borrow, path, old) && held)
			forget_last(borrow, dragged, held);
	} else {
		remember_now(borrow, path);
		/* One thing at a time is tried. */
		done = !held || is_set(dragged, held) || !write_setting(dragged, held);
		if (!done)
			complain(dragged, "cannot stay %s: %s", held, strerror(errno));
	}
	free(theirs);
out:
	free(held);
	free(dragged);
	free(twin);
	free(old);
	return done;
}

/* The directory of the cgroup (v2) that we are in. Returns false if there is none. */
static bool own_cgroup(char path[PATH_MAX])
{
	char *own = memcg_of_process("self", NULL);
	bool found = own != NULL;

	if (found)
		snprintf(path, PATH_MAX, MEMCG_ROOT "%s", own[1] ? own : "");
	free(own);
	return found;
}

/* A file in a directory as a setting. Returns 0, or -1 with errno set. */
static int write_below(const char *dir, const char *name, const char *value)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return write_setting(path, value);
}

/*
 * The limits of the cgroup that we leave for the new one hold there, too, but for the one
 * that is tried. Returns false if one does not: complained about.
 */
static bool copy_limits(const char *from, const char *to, const char *but)
{
	static const char *const limits[] = {
		"memory.min", "memory.low", "memory.high", "memory.max", "memory.swap.max",
	};
	char path[2 * PATH_MAX], *value;
	bool copied = true;
	size_t i;

	for (i = 0; copied && i < sizeof(limits) / sizeof(*limits); i++) {
		if (!strcmp(limits[i], but))
			continue;
		snprintf(path, sizeof(path), "%s/%s", from, limits[i]);
		value = read_setting(path);
		/* No swap, no controller: no limit. */
		copied = value ? !write_below(to, limits[i], value) : errno == ENOENT;
		if (!copied)
			complain(to, "cannot copy %s of %s: %s", limits[i], from,
				 strerror(errno));
		free(value);
	}
	return copied;
}

/**
 * borrow_cgroup() - a cgroup that is there for a while, beside the one that we are in
 * @borrow: from borrow_begin()
 * @knob: "memory.high", "memory.max" or "memory.low"
 * @value: of it, in the new one
 *
 * Complains by itself.
 *
 * Return: its cgroup.procs, open; -1: there is none.
 */
int borrow_cgroup(struct borrow *borrow, const char *knob, const char *value)
{
	char own[PATH_MAX], path[PATH_MAX + 32], procs[PATH_MAX + 64];
	int fd = -1, len;
	bool root;

	if (!may_borrow(borrow, knob))
		return -1;
	if (!own_cgroup(own)) {
		complain(NULL, "%s: needs cgroup v2", knob);
		return -1;
	}
	root = !strcmp(own, MEMCG_ROOT);
	len = root ? (int)strlen(own) : (int)(strrchr(own, '/') - own);
	/* No cgroup with processes has one below it that is limited, but the root. */
	snprintf(path, sizeof(path), "%.*s/pcinspect-try-%d", len, own, getpid());
	/* It would be removed in the end, and is not ours. */
	if (!access(path, F_OK))
		complain(path, "is there already");
	else if (remember(borrow, "cgroup", path, own))
		complain(path, "cannot note the new cgroup: %s", strerror(errno));
	else if (mkdir(path, 0755))
		complain(path, "cannot make a cgroup: %s (in a container, try on the host)",
			 strerror(errno));
	else if (root || copy_limits(own, path, knob)) {
		snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
		if (write_below(path, knob, value))
			complain(path, "%s cannot be %s: %s%s", knob, value, strerror(errno),
				 errno == ENOENT ?
				 " (no memory controller: see cgroup.subtree_control above it)" : "");
		else if ((fd = open(procs, O_WRONLY | O_CLOEXEC)) < 0)
			complain(procs, "%s", strerror(errno));
	}
	return fd;
}

/* Put all back now. Returns false if something could not be; it is complained about. */
bool borrow_return(struct borrow *borrow)
{
	return !borrow->lines || undo(borrow);
}

/* The end of borrowing: all is put back, and the guardian goes. */
bool borrow_end(struct borrow *borrow)
{
	bool good = borrow->lock < 0 || borrow->guardian <= 0 || borrow_return(borrow);

	if (borrow->pipe >= 0)
		close(borrow->pipe);
	while (borrow->guardian > 0 && waitpid(borrow->guardian, NULL, 0) < 0 && errno == EINTR)
		;
	if (borrow->lock >= 0)
		close(borrow->lock);
	if (borrow->dir >= 0)
		close(borrow->dir);
	free(borrow->lines);
	borrow_nothing(borrow);
	return good;
}
