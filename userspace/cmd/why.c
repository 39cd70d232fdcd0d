// SPDX-License-Identifier: GPL-2.0-only
/*
 * why.c - pcinspect why: counts every file of some filesystems for a few seconds, and says
 * why their disks are read and written: it is "run -m MOUNT --explain" without a command.
 * Nothing has to be tracked before. Touches what run_once.c does; stdout, stderr.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cmd/args.h"
#include "cmd/run_once.h"
#include "cmd/run_show.h"
#include "collect/cgroups.h"
#include "collect/idle_files.h"
#include "collect/mounts.h"
#include "collect/under.h"
#include "explain/explain.h"
#include "lib/complain.h"
#include "lib/ticks.h"

#define DEFAULT_SECONDS 5

/**
 * struct subject - what the question is about; of several members the one that is set
 * @disk: a disk
 * @pid: a process
 * @path: a file or directory, its full path
 * @st: of it
 * @is_mount: it is all of a filesystem
 */
struct subject {
	const char *disk;
	uint32_t pid;
	char *path;
	struct stat st;
	bool is_mount;
};

/* Is a word a cgroup: a directory there, or else a name below the hierarchy? */
static bool is_cgroup(const char *word)
{
	char full[PATH_MAX];
	int fd;

	if (!strncmp(word, MEMCG_ROOT, strlen(MEMCG_ROOT)))
		return true;
	if (!access(word, F_OK))
		return false;
	fd = cgroups_open(word, full, sizeof(full));
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns 0, or the exit status after a message. */
static int find_subject(struct subject *subject, const char *word)
{
	if (word[strspn(word, "0123456789")] == '\0') {
		unsigned long pid = strtoul(word, NULL, 10);

		if (pid && pid <= INT_MAX && (!kill(pid, 0) || errno != ESRCH)) {
			subject->pid = pid;
			return 0;
		}
		complain(word, "there is no such process (for a file of that name: ./%s)", word);
		return EXIT_ALL_FAILED;
	}
	if (under_is_disk(word)) {
		subject->disk = word;
		return 0;
	}
	subject->path = realpath(word, NULL);
	if (subject->path && !stat(subject->path, &subject->st))
		return 0;
	complain(word, "no such disk, file, directory, cgroup or process");
	return EXIT_ALL_FAILED;
}

/* Name the filesystems that are looked at. Returns 0, or the exit status after a message. */
static int find_mounts(struct subject *subject, struct libmnt_table *mounts, struct args *args)
{
	struct libmnt_iter *each = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *mount, *only = NULL;
	dev_t seen[PCINSPECT_NR_MOUNTS];
	size_t more = 0, i;

	if (subject->path) {
		only = mounts_around(mounts, subject->path);
		subject->is_mount = only && !strcmp(mnt_fs_get_target(only), subject->path);
	}
	while (each && !mnt_table_next_fs(mounts, each, &mount)) {
		if (only ? mount != only : mnt_fs_is_pseudofs(mount) ||
		    (subject->disk && !under_mount(mount, subject->disk)))
			continue;
		for (i = 0; i < args->nr_mounts && seen[i] != mnt_fs_get_devno(mount); i++)
			;
		if (i < args->nr_mounts)
			continue;
		if (i == PCINSPECT_NR_MOUNTS) {
			more++;
			continue;
		}
		seen[i] = mnt_fs_get_devno(mount);
		args->mounts[args->nr_mounts++] = mnt_fs_get_target(mount);
	}
	mnt_free_iter(each);
	if (more)
		complain(NULL, "why: %zu more filesystems are not counted (name one: why DISK, or why PATH)",
			 more);
	if (args->nr_mounts)
		return 0;
	complain(subject->disk, "no filesystem of it is mounted here (see findmnt)");
	return EXIT_ALL_FAILED;
}

/* Did the process use the file? Only the first tasks of a file are told apart. */
static bool is_used_by(const struct file *file, uint32_t pid)
{
	int i;

	for (i = 0; file->who && i < PCINSPECT_NR_TASKS && file->who->tasks[i].comm[0]; i++)
		if (file->who->tasks[i].pid == pid)
			return true;
	return false;
}

static bool is_meant(const struct subject *subject, const struct file *file)
{
	size_t len;

	if (subject->pid)
		return is_used_by(file, subject->pid);
	if (!subject->path || subject->is_mount)
		return true;
	len = strlen(subject->path);
	if (file->path && !strncmp(file->path, subject->path, len) &&
	    (!file->path[len] || (S_ISDIR(subject->st.st_mode) && file->path[len] == '/')))
		return true;
	/* Its pages are perhaps listed under another name. */
	return S_ISREG(subject->st.st_mode) && file->snap.ino == subject->st.st_ino &&
	       makedev(file->snap.dev_major, file->snap.dev_minor) == subject->st.st_dev;
}

/* May a process have used a file of which more tasks are known than are told apart? */
static bool has_more_tasks(const struct file *file)
{
	const struct pcinspect_task *others = file->who ? &file->who->others : NULL;

	return others && (others->demanded_bytes || others->device_bytes ||
			  others->inserted_pages || others->dirtied_pages);
}

/*
 * Keep the files that are meant; the others lend their names. The devices' rows and the
 * audits stay those of all files, which is said.
 */
static void keep(struct report *report, const struct subject *subject, const char *word)
{
	size_t i, n = 0, maybe = 0;

	for (i = 0; i < report->nr_files; i++) {
		bool meant = is_meant(subject, &report->files[i]);

		n += meant;
		maybe += subject->pid && !meant && has_more_tasks(&report->files[i]);
	}
	if (maybe)
		complain(word, "%zu more files had more tasks than are listed: the process may be one of them",
			 maybe);
	if (n == report->nr_files)
		return;
	if (!n) {
		complain(word, "no reads or writes meanwhile: the report covers all of %s",
			 subject->pid ? "the machine" : "its filesystem");
		return;
	}
	complain(word, "%zu of %zu files are shown; devices and audits are of all of them", n,
		 report->nr_files);
	for (i = 0, n = 0; i < report->nr_files; i++) {
		struct file *file = &report->files[i];

		if (is_meant(subject, file))
			report->files[n++] = *file;
		else
			*report_add_name(report) = *file;
	}
	report->nr_files = n;
}

static int look(const struct args *given, struct subject *subject)
{
	struct libmnt_table *mounts = mounts_load();
	const char *word = given->nr_paths ? given->paths[0] : NULL;
	struct args args = *given;
	struct run_once run;
	int status;

	/* Ctrl-C ends the look, not the report. */
	ticks_catch();
	args.nr_paths = 0;
	status = find_mounts(subject, mounts, &args);
	if (!status && run_once(&run, &args, NULL)) {
		if (word)
			keep(&run.report, subject, word);
		idle_files_read(&run.collect);
		explain(&run.report);
		args.explain = true;
		status = run_show(&run.report, &args, run.begun);
		status = status ?: report_lost(&run.report) ? EXIT_LOSSES : 0;
		run_free(&run);
	} else if (!status) {
		status = EXIT_FAILED;
		run_free(&run);
	}
	mnt_unref_table(mounts);
	return status;
}

/**
 * cmd_why() - pcinspect why [DISK|PATH|CGROUP|PID]
 * @given: options and the operand; without one it is about the machine
 *
 * Return: the exit status; EXIT_LOSSES if something was lost.
 */
int cmd_why(const struct args *given)
{
	struct subject subject = {};
	struct args args = *given;
	const char *word = given->nr_paths ? given->paths[0] : NULL;
	int status = 0;

	if (given->nr_paths > 1) {
		complain(NULL, "why: one DISK, PATH, CGROUP or PID at most");
		return EXIT_USAGE;
	}
	if (!(args.duration > 0))
		args.duration = DEFAULT_SECONDS;
	if (word && is_cgroup(word)) {
		args.cgroup = word;
		args.interval = args.duration;
		args.nr_paths = 0;
		return cmd_explain(&args);
	}
	if (word)
		status = find_subject(&subject, word);
	if (!status)
		status = look(&args, &subject);
	free(subject.path);
	return status;
}
