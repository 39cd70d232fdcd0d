// SPDX-License-Identifier: GPL-2.0-only
/*
 * next.c - from a cgroup to what reclaim takes of it next: asks the module for the
 * lists, and the cgroup for how fast it is reclaimed.
 *
 * Touches: reads the cgroup hierarchy, /proc/swaps and /proc/meminfo.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "collect/cgroups.h"
#include "collect/churn.h"
#include "collect/device.h"
#include "collect/lists.h"
#include "collect/memcg.h"
#include "collect/next.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/keyfile.h"

/* Room for what the module says; what is not filled costs nothing. */
#define MAX_ROWS (1UL << 21)
#define MAX_LISTS (1UL << 16)

/**
 * struct answer - what the module said
 * @numbers: of the files, in their order
 */
struct answer {
	struct pcinspect_next said;
	struct pcinspect_list_cgroup *cgroups;
	char *files;
	struct pcinspect_next_row *rows;
	struct pcinspect_next_list *lists;
	uint32_t *numbers;
};

static void answer_free(struct answer *answer)
{
	free(answer->cgroups);
	free(answer->files);
	free(answer->rows);
	free(answer->lists);
	free(answer->numbers);
}

static int ask_module(struct collect *collect, int fd, struct answer *answer)
{
	const size_t max_numbers = LISTS_FILES_SIZE / sizeof(struct pcinspect_list_file);

	answer->rows = alloc_array(NULL, 1, MAX_ROWS * sizeof(*answer->rows));
	answer->lists = alloc_array(NULL, 1, MAX_LISTS * sizeof(*answer->lists));
	answer->numbers = alloc_array(NULL, 1, max_numbers * sizeof(*answer->numbers));
	answer->said = (struct pcinspect_next){
		.size = sizeof(answer->said),
		.rows = (uintptr_t)answer->rows,
		.max_rows = MAX_ROWS,
		.lists = (uintptr_t)answer->lists,
		.max_lists = MAX_LISTS,
		.numbers = (uintptr_t)answer->numbers,
		.max_numbers = max_numbers,
	};
	lists_room(&answer->said.walk, fd, &answer->cgroups, &answer->files);
	return ioctl(collect->device, PCINSPECT_IOC_NEXT, &answer->said);
}

/* --- from the answer to the model ------------------------------------------ */

static void take_files(struct collect *collect, struct next *next, const struct answer *answer)
{
	uint32_t nr = answer->said.walk.nr_given, i;
	struct listed_file *files = lists_files(collect, answer->files, nr);

	next->files = alloc_zero(nr + 1, sizeof(*next->files));
	for (i = 0; i < nr; i++)
		next->files[i].file = files[i];
	next->nr_files = nr;
	free(files);
}

/* Rows say the number of a file; the model wants its place. */
static void place_rows(struct answer *answer, size_t nr_rows)
{
	uint32_t nr = answer->said.walk.nr_files, i;
	uint32_t *place = alloc_array(NULL, 1, (nr + 1UL) * sizeof(*place));
	size_t k;

	memset(place, 0xff, (nr + 1UL) * sizeof(*place));
	for (i = 0; i < answer->said.walk.nr_given; i++)
		if (answer->numbers[i] < nr)
			place[answer->numbers[i]] = i;
	for (k = 0; k < nr_rows; k++)
		answer->rows[k].file = answer->rows[k].file < nr ?
				       place[answer->rows[k].file] : NEXT_NO_FILE;
	free(place);
}

/* Of a list for which there was no room it is known that it is there. */
static void take_lists(struct next *next, const struct answer *answer, size_t nr_rows)
{
	size_t nr = answer->said.nr_lists, i, first, end;

	next->lists = alloc_zero(nr + 1, sizeof(*next->lists));
	for (i = 0; i < nr; i++) {
		const struct pcinspect_next_list *said = &answer->lists[i];

		end = i + 1 < nr ? answer->lists[i + 1].first_row : answer->said.nr_rows;
		if (said->first_row >= end)
			continue;
		first = said->first_row < nr_rows ? said->first_row : nr_rows;
		if (end > nr_rows)
			end = nr_rows;
		next->lists[next->nr_lists++] = (struct next_list){
			.said = *said,
			.rows = answer->rows + first,
			.nr_rows = end - first,
		};
	}
}

static void fill_next(struct collect *collect, struct next *next, struct answer *answer)
{
	const struct pcinspect_next *said = &answer->said;
	size_t nr_rows = said->nr_rows < said->max_rows ? said->nr_rows : said->max_rows;

	take_files(collect, next, answer);
	place_rows(answer, nr_rows);
	take_lists(next, answer, nr_rows);
	next->cut = said->flags & PCINSPECT_NEXT_CUT;
	next->moved = said->walk.again + said->changed;
	next->busy = said->walk.skipped;
	report_at(next->report, said->walk.time_ns);
}

/* Are the rows all that the kernel counts on the lists? */
static void audit(struct next *next, const struct answer *answer, uint64_t left_pages)
{
	uint64_t ours = 0, theirs = 0, before = 0;
	size_t i;

	if (next->cut)
		return;
	for (i = 0; i < next->nr_lists; i++)
		ours += next->lists[i].pages;
	for (i = 0; i < answer->said.walk.nr_cgroups; i++) {
		const struct pcinspect_list_cgroup *of = &answer->cgroups[i];

		/* They have no row: nothing is to be said of them. */
		ours += of->leaving_pages;
		theirs += of->counted_pages[0] + of->counted_pages[1];
		before += of->counted_before_pages[0] + of->counted_before_pages[1];
	}
	report_add_audit(next->report, "listed_pages", ours, theirs, theirs,
			 "the lruvecs' counts")->slack =
		(before > theirs ? before - theirs : theirs - before) + left_pages;
}

/* --- the machine ----------------------------------------------------------- */

/* Is there swap space that the cgroup may use? */
static bool swaps(const char *dir)
{
	struct keyfile file;
	uint64_t most = 1;
	bool any;

	/* Areas follow a line of headings. */
	keyfile_open(&file, "/proc/swaps");
	any = keyfile_line(&file) && keyfile_line(&file);
	keyfile_close(&file);
	if (dir)
		keyfile_number(&most, "%s/memory.swap.max", dir);
	return any && most;
}

/* Pages that were reclaimed from a cgroup so far; with it from those below. */
static bool stolen(const char *dir, uint64_t *pages)
{
	return keyfile_find(pages, "pgsteal", "%s/memory.stat", dir);
}

/*
 * The kernel counts by cgroup, with all below it, and not by list: where one list has
 * all pages, what was taken was taken from it. memory.stat lags by what each CPU keeps
 * to itself, 64 pages at most: as few may be of long ago.
 */
static void give_rate(struct next *next, bool known, uint64_t pages, uint64_t ns)
{
	uint64_t lag = 64 * sysconf(_SC_NPROCESSORS_CONF);

	if (next->nr_lists != 1 || !known || pages <= lag || !ns)
		return;
	next->lists[0].rate = pages * 1e9 / ns;
	next->lists[0].rate_known = true;
}

/* More than there is cannot be taken. */
static int check_bytes(const struct next *next)
{
	uint64_t kib;

	if (!keyfile_find(&kib, "MemTotal", "/proc/meminfo") || next->bytes <= kib * 1024)
		return 0;
	complain(NULL, "--bytes %ju: more than all memory (%ju; give less)",
		 (uintmax_t)next->bytes, (uintmax_t)kib * 1024);
	return EXIT_USAGE;
}

static int collect_lists(struct collect *collect, struct next *next, const char *path,
			 const char *full, int fd, double interval)
{
	uint64_t began = clock_now_ns(), before = 0, after = 0;
	bool known = fd >= 0 && stolen(full, &before);
	struct answer answer = {};
	struct churn churn;
	uint64_t left;

	if (known)
		clock_wait(interval);
	known = known && stolen(full, &after) && after >= before;
	began = clock_now_ns() - began;
	next->swaps = swaps(fd >= 0 ? full : NULL);
	churn_read(&churn);
	if (ask_module(collect, fd, &answer)) {
		cgroups_complain(path, full, fd);
		answer_free(&answer);
		return path ? EXIT_ALL_FAILED : EXIT_FAILED;
	}
	left = churn_since(&churn);
	fill_next(collect, next, &answer);
	/* Rows come list by list: of those behind it would say that nothing goes. */
	if (next->cut && next->nr_lists > 1) {
		complain(NULL, "more pages than the order can hold: name one cgroup below");
		answer_free(&answer);
		return EXIT_FAILED;
	}
	if (fd >= 0)
		next->cgroup = memcg_path(answer.cgroups[0].id) ?: alloc_copy(path);
	give_rate(next, known, after - before, began);
	next_compute(next);
	audit(next, &answer, left);
	answer_free(&answer);
	return 0;
}

/**
 * next_collect() - what reclaim takes next
 * @collect: the collection
 * @next: its report and bytes are there; filled in
 * @path: of a cgroup, as typed or within the hierarchy; NULL: all there are
 * @interval: seconds during which it is seen how fast reclaim is
 *
 * Complains by itself.
 *
 * Return: the exit status.
 */
int next_collect(struct collect *collect, struct next *next, const char *path,
		 double interval)
{
	char full[PATH_MAX] = "";
	int fd = -1, status = check_bytes(next);

	if (status)
		return status;
	if (path) {
		fd = cgroups_open(path, full, sizeof(full));
		if (fd < 0) {
			complain(path, "%s", open_error_text(errno));
			return EXIT_ALL_FAILED;
		}
	}
	status = collect_lists(collect, next, path, full, fd, interval);
	if (fd >= 0)
		close(fd);
	return status;
}
