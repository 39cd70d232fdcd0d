// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups.c - from cgroups to the files that are charged to them.
 *
 * Why by LRU list: see include/uapi/pcinspect_lists.h. The independent counter is
 * memory.stat of the same cgroup.
 *
 * Touches: reads the cgroup hierarchy, and /proc/PID/cgroup.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <glob.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "collect/cgroups.h"
#include "collect/churn.h"
#include "collect/device.h"
#include "collect/lists.h"
#include "collect/memcg.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/keyfile.h"
#include "model/lists_audit.h"

#define POD_LOGS "/var/log/pods"

/* --- which cgroup ---------------------------------------------------------- */

/* Is this the directory of the cgroup that has a process? */
static bool has_process(const char *dir, unsigned long process)
{
	struct keyfile file;
	bool found = false;

	keyfile_open(&file, "%s/cgroup.procs", dir);
	while (!found && keyfile_line(&file))
		found = strtoul(file.line, NULL, 10) == process;
	keyfile_close(&file);
	return found;
}

/* The process of a thread; its own number if that is unknown. */
static unsigned long process_of(unsigned long number)
{
	uint64_t process = number;

	keyfile_find(&process, "Tgid", "/proc/%lu/status", number);
	return process;
}

/*
 * What /proc says is the path within our cgroup namespace, which need not be the one
 * whose cgroups are mounted: then "/" is not what is below MEMCG_ROOT. So the cgroup is
 * asked whether it has the process, and else the one that has is looked for.
 */
static char *checked_path(const char *said, unsigned long process)
{
	char *const roots[] = { (char *)MEMCG_ROOT, NULL };
	char *dir = alloc_text(MEMCG_ROOT "%s", said), *path = NULL;
	FTSENT *entry;
	FTS *tree;

	if (has_process(dir, process)) {
		free(dir);
		return alloc_copy(said);
	}
	free(dir);
	tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	while (tree && !path && (entry = fts_read(tree)))
		if (entry->fts_info == FTS_D && has_process(entry->fts_path, process))
			path = alloc_copy(entry->fts_level ?
					  entry->fts_path + strlen(MEMCG_ROOT) : "/");
	if (tree)
		fts_close(tree);
	return path;
}

static char *cgroup_of_pid(const char *pid)
{
	unsigned long number = strtoul(pid, NULL, 10);
	char digits[32], *said, *path;
	bool old;

	snprintf(digits, sizeof(digits), "%lu", number);
	said = memcg_of_process(digits, &old);
	if (!said && errno) {
		complain(NULL, "--pid %s: no such process (see ps)", pid);
		return NULL;
	}
	path = said && !old ? checked_path(said, process_of(number)) : NULL;
	if (old)
		complain(NULL, "--pid %s: its memory is charged to a cgroup of v1, which is not walked by itself (pcinspect cgroup, without it, has all)",
			 pid);
	else if (!path)
		complain(NULL, "--pid %s: no cgroup below %s has it (not mounted there, or only those of a container's namespace are)",
			 pid, MEMCG_ROOT);
	free(said);
	return path;
}

/* Is this directory's cgroup the pod, or the container, of that ID? */
static bool selected(enum cgroup_selector by, const char *base, const char *id)
{
	char *name = cgroup_name(base), *of;
	bool same = false;

	if (!name || !*id) {
		free(name);
		return false;
	}
	of = strchr(name, ' ');
	if (of && (by == SELECT_POD) == !strncmp(name, "pod ", 4)) {
		/* A container's name shows 12 digits; its directory has all. */
		same = by == SELECT_POD ? !strncasecmp(of + 1, id, strlen(id)) :
		       strlen(id) >= 4 && !strncasecmp(strstr(base, of + 1) ?: "", id, strlen(id));
	}
	free(name);
	return same;
}

/*
 * /var/log/pods/NAMESPACE_NAME_UID: what kubelet calls the pods of this node, of every
 * namespace, and for a while those that are gone. Finds those of NAME or NAMESPACE/NAME.
 */
static void find_pods(const char *what, glob_t *pods)
{
	const char *slash = strchr(what, '/');
	char *pattern;

	pattern = alloc_text("%s/%.*s_%s_*", POD_LOGS, slash ? (int)(slash - what) : 1,
			     slash ? what : "*", slash ? slash + 1 : what);
	if (glob(pattern, GLOB_NOSORT, NULL, pods) == GLOB_NOSPACE)
		err(1, "out of memory");
	free(pattern);
}

/* Is this directory's cgroup one of the pods, or what was asked for itself? */
static bool is_selected(enum cgroup_selector by, const char *base, const char *what,
			const glob_t *pods)
{
	size_t i;

	for (i = 0; i < pods->gl_pathc; i++)
		if (selected(by, base, strrchr(pods->gl_pathv[i], '_') + 1))
			return true;
	return !pods->gl_pathc && selected(by, base, what);
}

static char *find_cgroup(enum cgroup_selector by, const char *what)
{
	const char *option = by == SELECT_POD ? "pod" : "container";
	char *const roots[] = { (char *)MEMCG_ROOT, NULL };
	glob_t pods = { 0 };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	char *path = NULL, *second = NULL;
	FTSENT *entry;

	if (by == SELECT_POD)
		find_pods(what, &pods);
	while (tree && (entry = fts_read(tree))) {
		if (entry->fts_info != FTS_D || !entry->fts_level ||
		    !is_selected(by, entry->fts_name, what, &pods))
			continue;
		/* The cgroups below it belong to it. */
		fts_set(tree, entry, FTS_SKIP);
		if (path && !second)
			second = alloc_copy(entry->fts_path + strlen(MEMCG_ROOT));
		else if (!path)
			path = alloc_copy(entry->fts_path + strlen(MEMCG_ROOT));
	}
	if (tree)
		fts_close(tree);
	if (!path)
		complain(NULL, "--%s %s: no cgroup of this name (give more of its ID, or the path below %s)",
			 option, what, MEMCG_ROOT);
	else if (second)
		complain(NULL, "--%s %s: matches %s and %s (give %smore of its ID)", option,
			 what, path, second, by == SELECT_POD ? "NAMESPACE/NAME, or " : "");
	if (second) {
		free(path);
		path = NULL;
	}
	free(second);
	globfree(&pods);
	return path;
}

/**
 * cgroups_select() - the cgroup of a pod, a container or a process
 * @by: which of them
 * @what: a pod's name, NAMESPACE/NAME or UID, a container's ID (four digits of it at least), a
 *	process' number
 *
 * Complains by itself.
 *
 * Return: its path within the hierarchy, a new string; or NULL.
 */
char *cgroups_select(enum cgroup_selector by, const char *what)
{
	return by == SELECT_PID ? cgroup_of_pid(what) : find_cgroup(by, what);
}

/* --- what is charged ------------------------------------------------------- */

/**
 * cgroups_open() - the directory of a cgroup
 * @path: as typed, or below the hierarchy
 * @full: filled in: where it was found
 * @size: of @full
 *
 * Return: a file descriptor, or -1 with errno set.
 */
int cgroups_open(const char *path, char *full, size_t size)
{
	int fd;

	snprintf(full, size, "%s", path);
	if (strncmp(path, MEMCG_ROOT, strlen(MEMCG_ROOT)))
		snprintf(full, size, "%s/%s", MEMCG_ROOT, *path == '/' ? path + 1 : path);
	fd = open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	/* Anywhere else that cgroups are mounted. */
	snprintf(full, size, "%s", path);
	return open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/**
 * cgroups_complain() - what was wrong with walking the lists of a cgroup; errno says it
 * @path: as typed, NULL: all there are
 * @full: where it was found
 * @fd: its directory, -1: all there are
 */
void cgroups_complain(const char *path, const char *full, int fd)
{
	int error = errno;
	struct statfs fs;

	if (fd >= 0 && !fstatfs(fd, &fs) && fs.f_type == CGROUP_SUPER_MAGIC) {
		complain(path, "is of cgroup v1, and is not walked by itself (give a directory of cgroup v2; or pcinspect cgroup, without it: all there are)");
		return;
	}
	if (fd >= 0 && (error == ENOENT || error == ENODEV || access(full, F_OK))) {
		complain(path, "was removed during the walk (its parent cgroup is charged for its pages)");
		return;
	}
	switch (error) {
	case EBADF:
		complain(path, "is no cgroup (give a directory below %s)", MEMCG_ROOT);
		break;
	case EOPNOTSUPP:
		complain(path, "has no memory controller: its pages are charged to the cgroup above (give that one, or write +memory to its cgroup.subtree_control)");
		break;
	case E2BIG:
		complain(path, "too many cgroups below it (give one of them)");
		break;
	default:
		complain(path, "cannot walk its LRU lists: %s (try again)", strerror(error));
	}
}

/**
 * cgroups_left_out() - say that files of a cgroup were left out
 * @path: as typed
 * @nr: so many; 0: say nothing
 */
void cgroups_left_out(const char *path, size_t nr)
{
	if (nr)
		complain(path, "%zu file%s left out: deleted, without a name, or not mounted here (pcinspect cgroup %s)",
			 nr, nr == 1 ? "" : "s", path);
}

/* struct place - where in an answer a cgroup is */
struct place {
	uint64_t id;
	size_t at;
};

#define NO_PLACE SIZE_MAX

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static size_t find_place(const struct place *places, size_t nr, uint64_t id)
{
	struct place key = { .id = id }, *found;

	found = bsearch(&key, places, nr, sizeof(*places), compare_places);
	return found ? found->at : NO_PLACE;
}

/* Entries for the first @nr cgroups of an answer, each with all that is below it. */
static void sum_cgroups(const struct lists_answer *answer, struct cgroup *to, size_t nr)
{
	const struct listed_file *file;
	size_t all = answer->lists.nr_cgroups, i, at;
	struct place *places = alloc_zero(all, sizeof(*places));
	size_t *above = alloc_zero(all, sizeof(*above));

	for (i = 0; i < all; i++)
		places[i] = (struct place){ answer->cgroups[i].id, i };
	qsort(places, all, sizeof(*places), compare_places);
	for (i = 0; i < all; i++) {
		above[i] = find_place(places, all, answer->cgroups[i].parent);
		/* Parents come first. */
		if (above[i] >= i)
			above[i] = NO_PLACE;
		for (at = i; at != NO_PLACE; at = above[at])
			if (at < nr)
				cgroup_add_lists(&to[at].lists, &answer->cgroups[i]);
	}
	for (file = answer->files; file < answer->files + answer->lists.nr_given; file++)
		for (at = find_place(places, all, file->row.cgroup); at != NO_PLACE; at = above[at])
			if (at < nr)
				cgroup_add_file(&to[at], &file->row, file->path, file->elsewhere);
	for (i = 0; i < nr; i++) {
		to[i].lists.id = answer->cgroups[i].id;
		to[i].lists.flags |= answer->cgroups[i].flags;
		cgroup_sort(&to[i]);
	}
	free(above);
	free(places);
}

/* Its path within the hierarchy; NULL: it was removed. */
static void call(struct cgroup *cgroup, const char *path)
{
	cgroup->path = alloc_copy(path);
	cgroup->name = path ? cgroup_name(path) : NULL;
}

/**
 * cgroups_walk() - what is charged to one cgroup, and all below it
 * @collect: the collection; nothing is counted, nothing audited
 * @path: of the cgroup
 * @cgroup: filled in, most pages first; for cgroup_free()
 *
 * Return: 0, or -1 with errno set.
 */
int cgroups_walk(struct collect *collect, const char *path, struct cgroup *cgroup)
{
	char full[PATH_MAX];
	struct lists_answer answer;
	int fd = cgroups_open(path, full, sizeof(full)), rc;

	memset(cgroup, 0, sizeof(*cgroup));
	if (fd < 0)
		return -1;
	rc = lists_ask(collect, fd, &answer);
	if (!rc) {
		sum_cgroups(&answer, cgroup, 1);
		call(cgroup, path);
	}
	lists_free(&answer);
	close(fd);
	return rc;
}

/* --- memory.stat ----------------------------------------------------------- */

/* memory.stat before a walk, and what had left the lists before that was read. */
struct look {
	struct churn churn;
	struct cgroup_stat stat;
};

/* Of v2, in pages. Reading cpu.stat first makes CPUs tell what they have (6.12). */
static struct cgroup_stat memory_stat(const char *dir, uint32_t page_size)
{
	struct cgroup_stat stat = {};
	struct keyfile file;
	int found = 0;

	keyfile_flush("%s/cpu.stat", dir);
	keyfile_open(&file, "%s/memory.stat", dir);
	while (keyfile_next(&file)) {
		uint64_t *to = !strcmp(file.key, "active_file") ?
			       &stat.pages[PCINSPECT_LIST_ACTIVE] :
			       !strcmp(file.key, "inactive_file") ?
			       &stat.pages[PCINSPECT_LIST_INACTIVE] : NULL;

		if (to)
			*to = file.value / page_size;
		found += !!to;
	}
	keyfile_close(&file);
	stat.known = found == 2;
	return stat;
}

/* Look at what will be held against a walk, before it. */
static struct look look_before(const char *dir, uint32_t page_size)
{
	struct look look;

	churn_read(&look.churn);
	look.stat = memory_stat(dir, page_size);
	return look;
}

/*
 * memory.stat lags by what each CPU keeps to itself, 64 pages, and by as much again for
 * each of them until it is worth asking them (memcg_vmstats_needs_flush(),
 * mm/memcontrol.c), but no longer than two seconds (FLUSH_TIME): then it is read again.
 * By then it also has what came after the walk: of that, too, so much may be off, if
 * so much moved.
 */
static void audit_cgroup(struct report *report, const struct cgroup *cgroup, const char *dir,
			 const struct look *before)
{
	uint64_t lag = 2 * 64 * sysconf(_SC_NPROCESSORS_CONF), left, since;
	struct cgroup_stat first = memory_stat(dir, report->page_size), now = first;
	struct churn at;
	int tries;

	/* It would be held against itself. */
	if (report->without_module)
		return;
	churn_read(&at);
	left = churn_between(&before->churn, &at);
	for (tries = 0; tries < 25 && !lists_audit_fits(cgroup, &before->stat, &now, left) &&
	     lists_audit_fits(cgroup, &before->stat, &now, left + lag); tries++) {
		nanosleep(&(struct timespec){ .tv_nsec = 100 * 1000 * 1000 }, NULL);
		now = memory_stat(dir, report->page_size);
	}
	since = tries == 25 ? churn_since(&at) : 0;
	/* Changes since then are not the walk's: use the first reading, and its lag. */
	if (tries && tries < 25 && !lists_audit_fits(cgroup, &before->stat, &now, left)) {
		now = first;
		since = lag;
	}
	lists_audit_cgroup(report, cgroup, &before->stat, &now,
			   left + (since < lag ? since : lag));
}

/* --- collecting ------------------------------------------------------------ */

static struct cgroup *new_cgroup(struct cgroups *cgroups)
{
	cgroups->list = alloc_array(cgroups->list, cgroups->nr + 1, sizeof(*cgroups->list));
	memset(&cgroups->list[cgroups->nr], 0, sizeof(*cgroups->list));
	return &cgroups->list[cgroups->nr++];
}

static void remember(struct cgroups *cgroups, const struct lists_answer *answer)
{
	cgroups->again += answer->lists.again;
	cgroups->busy += answer->lists.skipped;
	report_at(cgroups->report, answer->lists.time_ns);
}

static void collect_one(struct collect *collect, struct cgroups *cgroups, const char *path)
{
	char full[PATH_MAX];
	struct lists_answer answer;
	struct cgroup *cgroup;
	struct look before;
	int fd = cgroups_open(path, full, sizeof(full));

	if (fd < 0) {
		complain(path, "%s", open_error_text(errno));
		collect->failed++;
		return;
	}
	before = look_before(full, cgroups->report->page_size);
	if (lists_ask(collect, fd, &answer)) {
		cgroups_complain(path, full, fd);
		collect->failed++;
	} else {
		char *known = memcg_path(answer.cgroups[0].id);

		cgroup = new_cgroup(cgroups);
		sum_cgroups(&answer, cgroup, 1);
		call(cgroup, known ?: path);
		cgroup->current_known =
			keyfile_number(&cgroup->current_bytes, "%s/memory.current", full);
		audit_cgroup(cgroups->report, cgroup, full, &before);
		remember(cgroups, &answer);
		free(known);
		collect->ok++;
	}
	lists_free(&answer);
	close(fd);
}

static void collect_all(struct collect *collect, struct cgroups *cgroups)
{
	char full[PATH_MAX];
	struct lists_answer answer;
	struct look before = look_before(MEMCG_ROOT, cgroups->report->page_size);
	size_t i;

	if (lists_ask(collect, -1, &answer)) {
		cgroups_complain(NULL, NULL, -1);
		collect->failed++;
		lists_free(&answer);
		return;
	}
	for (i = 0; i < answer.lists.nr_cgroups; i++)
		new_cgroup(cgroups);
	sum_cgroups(&answer, cgroups->list, cgroups->nr);
	for (i = 0; i < cgroups->nr; i++) {
		struct cgroup *cgroup = &cgroups->list[i];
		char *path = memcg_path(answer.cgroups[i].id);

		call(cgroup, path);
		if (path) {
			snprintf(full, sizeof(full), "%s%s", MEMCG_ROOT, path);
			cgroup->current_known =
				keyfile_number(&cgroup->current_bytes, "%s/memory.current", full);
			if (!i)
				audit_cgroup(cgroups->report, cgroup, full, &before);
		}
		free(path);
	}
	remember(cgroups, &answer);
	collect->ok++;
	lists_free(&answer);
}

/**
 * cgroups_collect() - what is charged to cgroups, by file
 * @collect: the collection; its ok and failed are counted
 * @cgroups: its report is there; filled in
 * @paths: of cgroups, as typed or within the hierarchy
 * @nr_paths: how many; 0: all there are
 *
 * Complains by itself.
 *
 * Return: the exit status.
 */
int cgroups_collect(struct collect *collect, struct cgroups *cgroups,
		    char *const *paths, size_t nr_paths)
{
	size_t i;

	for (i = 0; i < nr_paths; i++)
		collect_one(collect, cgroups, paths[i]);
	if (!nr_paths)
		collect_all(collect, cgroups);
	return collect_status(collect);
}
