// SPDX-License-Identifier: GPL-2.0-only
/*
 * subject.c - the subject of why and try --pid, and its files. Touches: reads
 * /proc/PID/cgroup; stderr.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "cmd/subject.h"
#include "collect/mounts.h"
#include "collect/under.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/keyfile.h"

/**
 * subject_mounts() - name the filesystems that are looked at
 * @subject: what the question is about; all filesystems, where it is of none
 * @mounts: there are
 * @args: gets their names, for run_once()
 *
 * Complains by itself.
 *
 * Return: 0, or the exit status.
 */
int subject_mounts(struct subject *subject, struct libmnt_table *mounts, struct args *args)
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
		complain(NULL, "%zu more filesystems are not counted (name what matters: DISK, PATH or -m MOUNT)",
			 more);
	if (args->nr_mounts)
		return 0;
	complain(subject->disk, "no filesystem of it is mounted here (see findmnt)");
	return EXIT_ALL_FAILED;
}

/* Is a path of the hierarchy the cgroup, or below it? */
static bool is_below(const char *path, const char *cgroup)
{
	size_t len = strcmp(cgroup, "/") ? strlen(cgroup) : 0;

	return path && !strncmp(path, cgroup, len) && (!path[len] || path[len] == '/');
}

/* Is a process, which need not be there any more, in the cgroup? */
static bool is_in(uint32_t pid, const char *cgroup)
{
	struct keyfile file;
	bool in = false;

	keyfile_open(&file, "/proc/%u/cgroup", pid);
	while (!in && keyfile_line(&file)) {
		file.line[strcspn(file.line, "\n")] = '\0';
		in = !strncmp(file.line, "0::", 3) && is_below(file.line + 3, cgroup);
	}
	keyfile_close(&file);
	return in;
}

/* The same, of many files: they have the same few processes. Of one report. */
static struct {
	uint32_t pid;
	bool in;
} known[256];

static bool was_in(uint32_t pid, const char *cgroup)
{
	size_t at = pid % (sizeof(known) / sizeof(*known));

	if (known[at].pid != pid) {
		known[at].pid = pid;
		known[at].in = is_in(pid, cgroup);
	}
	return known[at].in;
}

/* Did the process, or one of the cgroup, use the file? Its first tasks are told apart. */
static bool is_used_by(const struct file *file, const struct subject *subject)
{
	int i;

	for (i = 0; subject->cgroup && i < PCINSPECT_NR_MEMCGS; i++)
		if (is_below(file->memcg_paths[i], subject->cgroup))
			return true;
	for (i = 0; file->who && i < PCINSPECT_NR_TASKS && file->who->tasks[i].comm[0]; i++)
		if (subject->cgroup ? was_in(file->who->tasks[i].pid, subject->cgroup) :
				      file->who->tasks[i].pid == subject->pid)
			return true;
	return false;
}

static bool is_meant(const struct subject *subject, const struct file *file)
{
	size_t len;

	if (subject->pid || subject->cgroup)
		return is_used_by(file, subject);
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

/**
 * subject_keep() - keep the files that are meant; the others lend their names
 * @report: its devices and audits stay those of all files, which is said
 * @subject: what is meant
 * @word: how it was typed; NULL: nothing is said
 *
 * Return: false if no file is: the report stays that of all.
 */
bool subject_keep(struct report *report, const struct subject *subject, const char *word)
{
	bool *meant = alloc_zero(report->nr_files + 1, sizeof(*meant));
	size_t i, n = 0, maybe = 0, all = report->nr_files;

	memset(known, 0, sizeof(known));
	for (i = 0; i < all; i++) {
		meant[i] = is_meant(subject, &report->files[i]);
		n += meant[i];
		maybe += subject->pid && !meant[i] && has_more_tasks(&report->files[i]);
	}
	if (maybe && word)
		complain(word, "%zu more files had more tasks than are listed: the process may be one of them",
			 maybe);
	if (!n && all && word)
		complain(word, "no reads or writes meanwhile: the report covers all of %s",
			 subject->path ? "its filesystem" : "the machine");
	else if (n < all && word)
		complain(word, "%zu of %zu files are shown; devices and audits are of all of them", n,
			 all);
	for (i = 0, report->nr_files = 0; n && i < all; i++) {
		struct file file = report->files[i];

		if (meant[i])
			report->files[report->nr_files++] = file;
		else
			*report_add_name(report) = file;
	}
	if (!n)
		report->nr_files = all;
	free(meant);
	return n;
}
