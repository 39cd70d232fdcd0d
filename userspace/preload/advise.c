// SPDX-License-Identifier: GPL-2.0-only
/*
 * advise.c - a library that a command is started with (LD_PRELOAD), and that gives the
 * kernel advice about its files as the command could have done itself: pcinspect try
 * measures what that would help.
 *
 * PCINSPECT_ADVICE is "random", "sequential", "dontneed" or "noreuse";
 * PCINSPECT_ADVICE_FILES has paths, one a line, a directory's ends in "/", none: all
 * regular files; PCINSPECT_ADVICE_COUNT is "FD INODE PID": a sealed memory file of eight
 * bytes, inherited as FD, or found as that of PID, in which it is counted how often advice
 * was taken: a program that is not linked with the C library, or is setuid, never gives any.
 *
 * Touches: nothing but the advice; errno and what a call returns are as without it. No
 * call of the C library's own to itself passes here, so that what stdio reads is seen
 * where the file is opened and closed, and in fread(3).
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A macro of some versions. */
#undef fread_unlocked

/* Files of a process that are followed, by descriptor. */
#define FILES 1024

/* Drop the pages read each time that so many more bytes were read. */
#define DROP_BYTES (1 << 20)

static int file_advice = -1, map_advice = -1;
static bool drops;
static const char *paths;
static _Atomic uint64_t *taken;
static atomic_int ready;

/* Of each file whether it is dropped behind, and up to where it was. */
static atomic_bool dropped[FILES];
static _Atomic int64_t dropped_to[FILES];

/* The function that ours stands before. */
#define REAL(name)							\
({									\
	static __typeof__(name) *real_;					\
									\
	if (!real_)							\
		real_ = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);	\
	real_;								\
})

/* Returns whether it was taken. */
static bool advise_fd(int fd, int advice)
{
	return !REAL(posix_fadvise)(fd, 0, 0, advice);
}

static void count_advised(bool done)
{
	if (done && taken)
		atomic_fetch_add(taken, 1);
}

/* Is a path one of those that are meant? */
static bool named(const char *path)
{
	const char *line = paths;
	size_t len;

	for (; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		if (len && !strncmp(path, line, len) && (!path[len] || line[len - 1] == '/'))
			return true;
	}
	return false;
}

static bool meant(int fd)
{
	char link[32], path[PATH_MAX];
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	if (!paths)
		return true;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return false;
	path[n] = '\0';
	return named(path);
}

/* A file was opened, or was open when the program began. */
static void opened(int fd)
{
	int saved = errno;

	if ((file_advice >= 0 || drops) && meant(fd)) {
		if (file_advice >= 0)
			count_advised(advise_fd(fd, file_advice));
		if (drops && fd < FILES) {
			atomic_store(&dropped_to[fd], 0);
			atomic_store(&dropped[fd], true);
		}
	}
	errno = saved;
}

/* A program advised something of a file by itself. */
static void again(int fd, int advice)
{
	int saved = errno;

	if (file_advice >= 0 && (advice == POSIX_FADV_NORMAL || advice == POSIX_FADV_RANDOM ||
				 advice == POSIX_FADV_SEQUENTIAL) && meant(fd))
		advise_fd(fd, file_advice);
	errno = saved;
}

/* Is this the count, and will it keep its size? A page that vanishes would kill CMD. */
static bool is_count(int fd, uintmax_t inode)
{
	const int sealed = F_SEAL_SHRINK | F_SEAL_GROW;
	int seals = fd < 0 ? -1 : fcntl(fd, F_GET_SEALS);
	struct stat st;

	return seals >= 0 && (seals & sealed) == sealed && !fstat(fd, &st) &&
	       st.st_ino == inode && st.st_size == sizeof(*taken);
}

static void map_count(const char *text)
{
	uintmax_t inode;
	char path[64];
	void *map;
	int fd, pid, opened = -1;

	if (!text || sscanf(text, "%d %ju %d", &fd, &inode, &pid) != 3)
		return;
	/* The parent may have closed all descriptors that it did not know. */
	if (!is_count(fd, inode)) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
		fd = opened = REAL(open)(path, O_RDWR | O_CLOEXEC);
	}
	if (is_count(fd, inode)) {
		map = REAL(mmap)(NULL, sizeof(*taken), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		taken = map == MAP_FAILED ? NULL : map;
	}
	if (opened >= 0)
		REAL(close)(opened);
}

static void read_advice(void)
{
	static const struct {
		const char *name;
		int file, map;
	} advices[] = {
		{ "random", POSIX_FADV_RANDOM, MADV_RANDOM },
		{ "sequential", POSIX_FADV_SEQUENTIAL, MADV_SEQUENTIAL },
		{ "noreuse", POSIX_FADV_NOREUSE, -1 },
		{ "dontneed", -1, -1 },
	};
	const char *advice, *files;
	int saved = errno, fd;
	size_t i;

	if (atomic_exchange(&ready, 1))
		return;
	advice = getenv("PCINSPECT_ADVICE");
	/* A copy: who sets its title in ps(1) writes over its environment. */
	files = getenv("PCINSPECT_ADVICE_FILES");
	paths = files ? strdup(files) : NULL;
	map_count(getenv("PCINSPECT_ADVICE_COUNT"));
	for (i = 0; advice && i < sizeof(advices) / sizeof(*advices); i++) {
		if (strcmp(advice, advices[i].name))
			continue;
		file_advice = advices[i].file;
		map_advice = advices[i].map;
		drops = !strcmp(advice, "dontneed");
	}
	for (fd = 0; fd < 64; fd++)
		opened(fd);
	errno = saved;
}

static void __attribute__((constructor)) at_start(void)
{
	read_advice();
}

/* Bytes up to @to were read: what is behind is of no use any more. */
static void was_read(int fd, int64_t to)
{
	int64_t from;
	int saved = errno;

	if (fd >= 0 && fd < FILES && atomic_load(&dropped[fd])) {
		from = atomic_load(&dropped_to[fd]);
		if (to < from)
			from = 0;
		/* dup2(2) may have made it another file since. */
		if (to - from >= DROP_BYTES && meant(fd)) {
			count_advised(!REAL(posix_fadvise)(fd, from, to - from, POSIX_FADV_DONTNEED));
			atomic_store(&dropped_to[fd], to);
		}
	}
	errno = saved;
}

static void will_close(int fd)
{
	int saved = errno;

	if (fd >= 0 && fd < FILES && atomic_exchange(&dropped[fd], false) && meant(fd))
		count_advised(advise_fd(fd, POSIX_FADV_DONTNEED));
	errno = saved;
}

/* The mode is there with these flags only. */
#define TAKE_MODE(mode, flags)						\
	do {								\
		if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) {	\
			va_list args;					\
									\
			va_start(args, flags);				\
			(mode) = va_arg(args, mode_t);			\
			va_end(args);					\
		}							\
	} while (0)

#define OPEN(name)							\
int name(const char *path, int flags, ...)				\
{									\
	mode_t mode = 0;						\
	int fd;								\
									\
	read_advice();							\
	TAKE_MODE(mode, flags);						\
	fd = REAL(name)(path, flags, mode);				\
	opened(fd);							\
	return fd;							\
}

#define OPENAT(name)							\
int name(int dir, const char *path, int flags, ...)			\
{									\
	mode_t mode = 0;						\
	int fd;								\
									\
	read_advice();							\
	TAKE_MODE(mode, flags);						\
	fd = REAL(name)(dir, path, flags, mode);			\
	opened(fd);							\
	return fd;							\
}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* Called by programs built with _FORTIFY_SOURCE. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);
size_t __fread_chk(void *to, size_t room, size_t size, size_t nr, FILE *from);
size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t nr, FILE *from);

#define WRAP(type, name, params, args, before, after)			\
type name params							\
{									\
	type out;							\
									\
	read_advice();							\
	before;								\
	out = REAL(name) args;						\
	after;								\
	return out;							\
}

#define OPENED opened(out)
#define READ was_read(fd, lseek64(fd, 0, SEEK_CUR))
#define PREAD was_read(fd, out > 0 ? at + out : 0)
#define FREAD was_read(fileno_unlocked(from), lseek64(fileno_unlocked(from), 0, SEEK_CUR))
#define FOPENED opened(out ? fileno_unlocked(out) : -1)
#define MAPPED mapped(out, size, fd)

WRAP(int, __open_2, (const char *path, int flags), (path, flags), , OPENED)
WRAP(int, __open64_2, (const char *path, int flags), (path, flags), , OPENED)
WRAP(int, __openat_2, (int dir, const char *path, int flags), (dir, path, flags), , OPENED)
WRAP(int, __openat64_2, (int dir, const char *path, int flags), (dir, path, flags), , OPENED)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), , FOPENED)
WRAP(FILE *, fopen64, (const char *path, const char *mode), (path, mode), , FOPENED)

/* The program's own advice on the same file would be the last word. */
WRAP(int, posix_fadvise, (int fd, off_t at, off_t size, int advice), (fd, at, size, advice), ,
     again(fd, advice))
WRAP(int, posix_fadvise64, (int fd, off64_t at, off64_t size, int advice),
     (fd, at, size, advice), , again(fd, advice))

static void mapped(void *map, size_t size, int fd)
{
	int saved = errno;

	if (map != MAP_FAILED && map_advice >= 0 && meant(fd))
		count_advised(!madvise(map, size, map_advice));
	errno = saved;
}

WRAP(void *, mmap, (void *at, size_t size, int prot, int flags, int fd, off_t from),
     (at, size, prot, flags, fd, from), , MAPPED)
WRAP(void *, mmap64, (void *at, size_t size, int prot, int flags, int fd, off64_t from),
     (at, size, prot, flags, fd, from), , MAPPED)

/* A position is asked for only where something is dropped. */
static bool follows(int fd)
{
	return drops && fd >= 0 && fd < FILES && atomic_load(&dropped[fd]);
}

#define IF_FOLLOWED(fd, what) do { int e_ = errno; if (follows(fd)) what; errno = e_; } while (0)

WRAP(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), ,
     IF_FOLLOWED(fd, READ))
WRAP(ssize_t, __read_chk, (int fd, void *to, size_t size, size_t room), (fd, to, size, room), ,
     IF_FOLLOWED(fd, READ))
WRAP(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), ,
     IF_FOLLOWED(fd, PREAD))
WRAP(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), ,
     IF_FOLLOWED(fd, PREAD))
WRAP(ssize_t, __pread_chk, (int fd, void *to, size_t size, off_t at, size_t room),
     (fd, to, size, at, room), , IF_FOLLOWED(fd, PREAD))
WRAP(ssize_t, __pread64_chk, (int fd, void *to, size_t size, off64_t at, size_t room),
     (fd, to, size, at, room), , IF_FOLLOWED(fd, PREAD))
WRAP(size_t, fread, (void *to, size_t size, size_t nr, FILE *from), (to, size, nr, from), ,
     IF_FOLLOWED(fileno_unlocked(from), FREAD))
WRAP(size_t, fread_unlocked, (void *to, size_t size, size_t nr, FILE *from),
     (to, size, nr, from), , IF_FOLLOWED(fileno_unlocked(from), FREAD))
WRAP(size_t, __fread_chk, (void *to, size_t room, size_t size, size_t nr, FILE *from),
     (to, room, size, nr, from), , IF_FOLLOWED(fileno_unlocked(from), FREAD))
WRAP(size_t, __fread_unlocked_chk, (void *to, size_t room, size_t size, size_t nr, FILE *from),
     (to, room, size, nr, from), , IF_FOLLOWED(fileno_unlocked(from), FREAD))
WRAP(ssize_t, copy_file_range, (int fd, off64_t *in, int to, off64_t *at, size_t size,
				unsigned int flags), (fd, in, to, at, size, flags), ,
     IF_FOLLOWED(fd, was_read(fd, in ? *in : lseek64(fd, 0, SEEK_CUR))))
WRAP(int, close, (int fd), (fd), will_close(fd), )
WRAP(int, fclose, (FILE *from), (from), will_close(fileno_unlocked(from)), )
