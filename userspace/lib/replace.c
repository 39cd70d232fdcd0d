// SPDX-License-Identifier: GPL-2.0
/*
 * replace.c - a file that is replaced as a whole, or not at all: whoever reads it
 * meanwhile has the old one or the new one, and after an error it is the old one.
 *
 * Touches the file, and one beside it named .NAME.XXXXXX. A FIFO, a device and what is
 * our own output are written as they are.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/replace.h"

/* Is it open as this file of ours? /dev/stdout may be anything. */
static bool is_open_as(int fd, const struct stat *st)
{
	struct stat ours;

	return !fstat(fd, &ours) && ours.st_dev == st->st_dev && ours.st_ino == st->st_ino;
}

static bool replaceable(const char *path, const struct stat *st)
{
	return S_ISREG(st->st_mode) && strncmp(path, "/dev/", 5) &&
	       strncmp(path, "/proc/", 6) && !is_open_as(STDOUT_FILENO, st) &&
	       !is_open_as(STDERR_FILENO, st);
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

/* A new file with the mode of the old one, or that of any new file. */
static int make(char *temp, const struct stat *old)
{
	int fd = mkostemp(temp, O_CLOEXEC);
	mode_t mask;

	if (fd < 0)
		return -1;
	mask = umask(0);
	umask(mask);
	if (old && fchown(fd, old->st_uid, old->st_gid))
		errno = 0; /* then it is ours */
	if (!fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask))
		return fd;
	close(fd);
	unlink(temp);
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
	struct stat st;
	bool there = !stat(path, &st);
	int fd;

	*replace = (struct replace){};
	if (there && !replaceable(path, &st))
		return replace->to = fopen(path, "we");
	if (!there && errno != ENOENT)
		return NULL;
	/* A link stays; one that leads nowhere is replaced. */
	replace->path = there ? realpath(path, NULL) : strdup(path);
	replace->temp = replace->path ? beside(replace->path) : NULL;
	if (!replace->temp)
		return NULL;
	fd = make(replace->temp, there ? &st : NULL);
	if (fd < 0) {
		free(replace->temp);
		replace->temp = NULL;
		return NULL;
	}
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
	if (good && (fflush(replace->to) || (replace->temp && fsync(fileno(replace->to)))))
		error = errno;
	if (replace->to && fclose(replace->to) && !error)
		error = errno;
	if (replace->temp && good && !error && rename(replace->temp, replace->path))
		error = errno;
	if (replace->temp && (!good || error))
		unlink(replace->temp);
	free(replace->temp);
	free(replace->path);
	*replace = (struct replace){};
	errno = error;
	return good && !error ? 0 : -1;
}
