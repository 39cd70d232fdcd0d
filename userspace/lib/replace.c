// SPDX-License-Identifier: GPL-2.0-only
/*
 * replace.c - a file that is replaced as a whole, or not at all: whoever reads it
 * meanwhile has the old one or the new one, and after an error it is the old one.
 *
 * Writing may take an hour, so the file has no name until it is complete: a program that
 * ends before leaves nothing. Touches the file, and at the end one beside it named
 * .NAME.XXXXXX; stderr. A FIFO and a device are written as they are; what is our own output
 * goes on behind what was printed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/complain.h"
#include "lib/replace.h"

/* Which output of ours this file is, or 0. /dev/stdout may be anything. */
static int output_of_ours(const struct stat *st)
{
	struct stat ours;
	int fd;

	for (fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &ours) && ours.st_dev == st->st_dev && ours.st_ino == st->st_ino)
			return fd;
	return 0;
}

static bool replaceable(const char *path, const struct stat *st)
{
	return S_ISREG(st->st_mode) && strncmp(path, "/dev/", 5) &&
	       strncmp(path, "/proc/", 6) && !output_of_ours(st);
}

/* Files that are neither replaced nor, as our own output, begun anew. */
static FILE *as_it_is(struct replace *replace, const char *path)
{
	int fd;

	replace->output = S_ISREG(replace->old.st_mode) ? output_of_ours(&replace->old) : 0;
	if (!replace->output)
		return fopen(path, "we");
	/* Nothing comes between its lines. */
	fd = memfd_create("report", MFD_CLOEXEC);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

/* All was written: print it. Returns 0 or -1. */
static int print_report(struct replace *replace)
{
	char buffer[1 << 14];
	ssize_t nr, done, wrote;
	off_t at = 0;

	if (fflush(stdout))
		return -1;
	while ((nr = pread(fileno(replace->to), buffer, sizeof(buffer), at)) > 0) {
		for (done = 0; done < nr; done += wrote) {
			wrote = write(replace->output, buffer + done, nr - done);
			if (wrote < 0 && errno != EINTR)
				return -1;
			if (wrote < 0)
				wrote = 0;
		}
		at += nr;
	}
	return nr < 0 ? -1 : 0;
}

/* ".NAME.XXXXXX" beside it, a new string. */
static char *beside(const char *path)
{
	const char *name = strrchr(path, '/');
	size_t dir = name ? name + 1 - path : 0;
	char *out;

	/* A name may be as long as a name can be. */
	if (asprintf(&out, "%.*s.%.200s.XXXXXX", (int)dir, path, path + dir) < 0)
		return NULL;
	return out;
}

/* A new file without a name in the directory of @temp. */
static int make(const char *temp)
{
	char *name = strdup(temp), *slash = name ? strrchr(name, '/') : NULL;
	int fd;

	if (!name)
		return -1;
	if (slash)
		slash[slash == name] = '\0';
	fd = open(slash ? name : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0) {
		/* Not every filesystem has that. */
		strcpy(name, temp);
		fd = mkostemp(name, O_CLOEXEC);
		if (fd >= 0)
			unlink(name);
	}
	free(name);
	return fd;
}

/* Give a file the mode of the old one, or that of any new file. */
static int set_mode(int fd, const struct stat *old)
{
	mode_t mask;

	mask = umask(0);
	umask(mask);
	if (old && fchown(fd, old->st_uid, old->st_gid))
		errno = 0; /* then it is ours */
	return fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask);
}

/* Give a file the name @temp, its last six letters being new. Returns 0 or -1. */
static int link_as(int fd, char *temp)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	char *end = temp + strlen(temp) - 6, link[40];
	unsigned char random[6];
	int tries, i;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	for (tries = 0; tries < 100; tries++) {
		if (getrandom(random, sizeof(random), 0) != sizeof(random))
			return -1;
		for (i = 0; i < 6; i++)
			end[i] = letters[random[i] % 32];
		if (!linkat(AT_FDCWD, link, AT_FDCWD, temp, AT_SYMLINK_FOLLOW))
			return 0;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

/* The same where a file without a name gets none any more: in a copy. */
static int copy_as(int fd, char *temp, const struct stat *old)
{
	off_t at = 0, size = lseek(fd, 0, SEEK_END);
	int copy, error;

	memset(temp + strlen(temp) - 6, 'X', 6);
	copy = mkostemp(temp, O_CLOEXEC);
	if (copy < 0)
		return -1;
	while (at < size && sendfile(copy, fd, &at, size - at) > 0)
		;
	error = at < size ? errno ?: EIO : set_mode(copy, old) || fsync(copy) ? errno : 0;
	if (close(copy) && !error)
		error = errno;
	if (error)
		unlink(temp);
	errno = error;
	return error ? -1 : 0;
}

/* All was written: put it in the place of the old one. Returns 0 or -1. */
static int put_in_place(struct replace *replace)
{
	const struct stat *old = replace->there ? &replace->old : NULL;
	int fd = fileno(replace->to), error;

	/* 9p can do none of this to a file without a name. */
	if ((set_mode(fd, old) || fsync(fd) || link_as(fd, replace->temp)) &&
	    copy_as(fd, replace->temp, old))
		return -1;
	if (!rename(replace->temp, replace->path))
		return 0;
	error = errno;
	unlink(replace->temp);
	errno = error;
	return -1;
}

/**
 * replace_begin() - begin to replace a file
 * @replace: filled in; to be ended even after an error
 * @path: of the file; one that is not there is made
 *
 * Return: where to write, or NULL with errno set.
 */
FILE *replace_begin(struct replace *replace, const char *path)
{
	int fd;

	*replace = (struct replace){};
	replace->there = !stat(path, &replace->old);
	if (replace->there && !replaceable(path, &replace->old))
		return replace->to = as_it_is(replace, path);
	if (!replace->there && errno != ENOENT)
		return NULL;
	/* A link stays; one that leads nowhere is replaced. */
	replace->path = replace->there ? realpath(path, NULL) : strdup(path);
	replace->temp = replace->path ? beside(replace->path) : NULL;
	if (!replace->temp)
		return NULL;
	fd = make(replace->temp);
	if (fd >= 0)
		replace->to = fdopen(fd, "w");
	return replace->to;
}

/**
 * replace_end() - all has been written, or has failed
 * @replace: begun
 * @good: the file is to be replaced; else the old one stays
 *
 * Return: 0, or -1 with errno set: it was not replaced.
 */
int replace_end(struct replace *replace, bool good)
{
	int error = good ? 0 : errno;

	good = good && replace->to;
	if (good && (fflush(replace->to) || (replace->temp && put_in_place(replace)) ||
		     (replace->output && print_report(replace))))
		error = errno;
	if (replace->to && fclose(replace->to) && !error)
		error = errno;
	free(replace->temp);
	free(replace->path);
	*replace = (struct replace){};
	errno = error;
	return good && !error ? 0 : -1;
}

/* The same of a report, which goes to @path; what is wrong is said. */
int replace_report(struct replace *replace, bool good, const char *path)
{
	if (!replace_end(replace, good))
		return 0;
	complain(path, "cannot write the report: %s", open_error_text(errno));
	return -1;
}
