// SPDX-License-Identifier: GPL-2.0-only
/*
 * shared.c - from all LRU lists and all tasks to the files of several cgroups: a page is
 * charged to whoever touched it first, so who else uses the file is seen at the tasks that
 * have it open or mapped now. A process that has closed it since is unknown.
 *
 * Touches: /dev/pcinspect; reads the cgroup hierarchy (v2), /proc/PID/cgroup and maps,
 * and what opened.c does. No filesystem that a file is on is asked.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/cgroups.h"
#include "collect/device.h"
#include "collect/lists.h"
#include "collect/memcg.h"
#include "collect/opened.h"
#include "collect/shared.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/keyfile.h"

/* The memory cgroup of a process: its own, or the one above that has the controller. */
static bool cgroup_of(const struct shared *shared, const char *pid, uint64_t *id)
{
	char *own = memcg_of_process(pid, NULL), *path, *at;
	bool found = false;
	struct stat st;

	path = own ? alloc_text(MEMCG_ROOT "%s", own) : NULL;
	free(own);
	/* Its number is that of its directory; the root's is the last that is tried. */
	while (path && !found && strlen(path) >= strlen(MEMCG_ROOT)) {
		found = !stat(path, &st) && shared_cgroup(shared, st.st_ino);
		at = strrchr(path, '/');
		if (!found && at)
			*at = '\0';
	}
	if (found)
		*id = st.st_ino;
	free(path);
	return found;
}

/* The files it has mapped: the device there is the superblock's. */
static void take_maps(struct shared *shared, const char *pid, uint64_t cgroup)
{
	unsigned int major_number, minor_number, last_major = 0, last_minor = 0;
	unsigned long long ino, last = 0;
	struct keyfile maps;

	keyfile_open(&maps, "/proc/%.32s/maps", pid);
	while (keyfile_line(&maps)) {
		if (sscanf(maps.line, "%*s %*s %*s %x:%x %llu", &major_number, &minor_number, &ino) != 3 ||
		    !ino || (ino == last && major_number == last_major &&
			     minor_number == last_minor))
			continue;
		shared_use(shared, major_number, minor_number, ino, cgroup);
		last = ino;
		last_major = major_number;
		last_minor = minor_number;
	}
	keyfile_close(&maps);
}

/* The cgroup of a file that a process has open. */
struct user {
	struct shared *shared;
	uint64_t cgroup;
};

/* On btrfs another subvolume's file may have the same number: those are nobody's here. */
static bool take_opened(const struct opened_file *file, void *arg)
{
	struct user *user = arg;

	if (!file->mount->subvolumes)
		shared_use(user->shared, file->mount->major, file->mount->minor, file->ino,
			   user->cgroup);
	return true;
}

static void take_users(struct shared *shared)
{
	struct opened_mounts mounts = {};
	struct user user = { .shared = shared };
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		if (*entry->d_name < '1' || *entry->d_name > '9' ||
		    (pid_t)strtol(entry->d_name, NULL, 10) == getpid() ||
		    !cgroup_of(shared, entry->d_name, &user.cgroup))
			continue;
		take_maps(shared, entry->d_name, user.cgroup);
		opened_each(&mounts, entry->d_name, take_opened, &user);
	}
	if (proc)
		closedir(proc);
	opened_forget(&mounts);
}

/* Those cgroups that were named and are there, within the hierarchy. Complains by itself. */
static size_t find_only(char *const *paths, size_t nr, char **only)
{
	char full[PATH_MAX], real[PATH_MAX];
	size_t i, n = 0;
	int fd;

	for (i = 0; i < nr; i++) {
		fd = cgroups_open(paths[i], full, sizeof(full));
		if (fd < 0) {
			complain(paths[i], "%s", open_error_text(errno));
			continue;
		}
		close(fd);
		if (!realpath(full, real) || strncmp(real, MEMCG_ROOT, strlen(MEMCG_ROOT)))
			complain(paths[i], "is not below %s: --shared knows cgroup v2 (give a directory there)",
				 MEMCG_ROOT);
		else
			only[n++] = alloc_copy(real[strlen(MEMCG_ROOT)] ?
					       real + strlen(MEMCG_ROOT) : "/");
	}
	return n;
}

/*
 * The cgroups in /proc/PID/cgroup have to be those mounted, and those that memory is
 * charged to: else a process would be listed as a user that is none. Complains by itself.
 * Returns 0, or with what to exit.
 */
static int check_hierarchy(const struct collect *collect)
{
	struct libmnt_fs *mount = mnt_table_find_target(collect->mounts, MEMCG_ROOT,
							MNT_ITER_BACKWARD);
	struct keyfile file;
	char *word, *rest;
	bool memory = false;

	keyfile_open(&file, MEMCG_ROOT "/cgroup.controllers");
	for (rest = keyfile_line(&file) ? file.line : NULL; !memory && (word = strsep(&rest, " "));)
		memory = !strcmp(word, "memory");
	keyfile_close(&file);
	if (!mount || !mnt_fs_get_fstype(mount) || strcmp(mnt_fs_get_fstype(mount), "cgroup2") ||
	    !memory) {
		complain(NULL, "--shared knows cgroup v2, with the memory controller, mounted at %s (pcinspect cgroup, without it, has all cgroups)",
			 MEMCG_ROOT);
		return EXIT_UNSUPPORTED;
	}
	if (mnt_fs_get_root(mount) && strcmp(mnt_fs_get_root(mount), "/")) {
		complain(NULL, "--shared: %s is of another cgroup namespace, so the users of a file are unknown (nsenter --cgroup=/proc/1/ns/cgroup pcinspect cgroup --shared)",
			 MEMCG_ROOT);
		return EXIT_FAILED;
	}
	return 0;
}

/**
 * shared_collect() - find the files of several cgroups
 * @collect: reaches the module
 * @shared: zeroed but for its report; filled in
 * @paths: cgroups one of which has to be among them, as typed
 * @nr_paths: how many, 0: any
 *
 * Complains by itself.
 *
 * Return: 0, or EXIT_SOME_FAILED: but for some of @paths it is filled in; else with what
 *	to exit.
 */
int shared_collect(struct collect *collect, struct shared *shared, char *const *paths,
		   size_t nr_paths)
{
	char **only = alloc_zero(nr_paths + 1, sizeof(*only));
	const struct listed_file *file;
	struct lists_answer answer;
	size_t i, found = 0;
	int rc;

	rc = check_hierarchy(collect);
	if (!rc) {
		found = find_only(paths, nr_paths, only);
		if (nr_paths && !found)
			rc = EXIT_ALL_FAILED;
	}
	if (!rc && lists_ask(collect, -1, &answer)) {
		cgroups_complain(NULL, NULL, -1);
		lists_free(&answer);
		rc = EXIT_FAILED;
	} else if (!rc) {
		for (i = 0; i < answer.lists.nr_cgroups; i++)
			shared_add_cgroup(shared, answer.cgroups[i].id,
					  memcg_path(answer.cgroups[i].id));
		for (file = answer.files; file < answer.files + answer.lists.nr_given; file++)
			shared_add(shared, &file->row, file->path, file->elsewhere);
		shared->hidden = answer.lists.nr_files - answer.lists.nr_given;
		shared->busy = answer.lists.skipped;
		report_at(shared->report, answer.lists.time_ns);
		lists_free(&answer);
		shared_sort(shared);
		take_users(shared);
		shared_finish(shared, (const char *const *)only, found);
		if (found < nr_paths)
			rc = EXIT_SOME_FAILED;
	}
	for (i = 0; i < found; i++)
		free(only[i]);
	free(only);
	return rc;
}
