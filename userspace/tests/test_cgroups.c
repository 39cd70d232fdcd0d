// SPDX-License-Identifier: GPL-2.0-only
/* test_cgroups.c - sums over cgroups, names of containers, the table of one. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "collect/churn.h"
#include "lib/clock.h"
#include "model/cgroups.h"
#include "model/lists_audit.h"
#include "model/shared.h"
#include "test.h"
#include "view/cgroups.h"
#include "view/shared.h"

static void check_name(const char *path, const char *want)
{
	char *name = cgroup_name(path);

	CHECK_STR(path, name ?: "nothing", want ?: "nothing");
	free(name);
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void check_names(void)
{
	check_name("/system.slice/docker-" ID ".scope", "docker 0123456789ab");
	check_name("/machine.slice/libpod-" ID ".scope", "podman 0123456789ab");
	check_name("/a/cri-containerd-" ID ".scope", "containerd 0123456789ab");
	check_name("/a/crio-" ID ".scope", "cri-o 0123456789ab");
	check_name("/docker/" ID, "container 0123456789ab");
	check_name("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod12_34_ab.slice",
		   "pod 12-34-ab");
	check_name("/kubepods/besteffort/pod12-34-ab", "pod 12-34-ab");
	check_name("/system.slice/cron.service", "cron.service");
	check_name("/init.scope", "init.scope");
	check_name("/", NULL);
	check_name("/user.slice", NULL);
	check_name("/docker-xyz.scope", "docker-xyz.scope");
	check_name("/pods", NULL);
}

static struct pcinspect_list_file row(unsigned int ino, uint64_t active, uint64_t inactive)
{
	return (struct pcinspect_list_file){
		.dev_major = 8, .ino = ino, .pages = {
			[PCINSPECT_LIST_ACTIVE] = active,
			[PCINSPECT_LIST_INACTIVE] = inactive,
		}, .fs = "ext4",
	};
}

static const char *printed(const struct cgroups *cgroups, const struct output *out)
{
	const char *text;
	int failed;

	capture();
	failed = out->json ? cgroups_json(cgroups, stdout) : cgroups_print(cgroups, out);
	text = captured();
	CHECK("cgroups: it can be printed", !failed);
	return text;
}

/* One file of two cgroups below is one file; what is not a file's is a line. */
static void check_sums(void)
{
	struct cgroup *cgroup = calloc(1, sizeof(*cgroup));
	struct report report = { .page_size = 4096 };
	struct cgroups cgroups = { .report = &report, .list = cgroup, .nr = 1 };
	struct output out = { .limit = 1 };
	struct pcinspect_list_file rows[] = { row(1, 1, 2), row(2, 30, 0), row(1, 3, 4) };
	const struct pcinspect_list_cgroup lists = {
		.counted_pages = { [PCINSPECT_LIST_ACTIVE] = 35, [PCINSPECT_LIST_INACTIVE] = 12 },
		.lazyfree_pages = 5, .unevictable_pages = 1,
	};
	uint64_t bytes;
	const char *text;
	int i;

	cgroup->path = strdup("/a");
	cgroup_add_lists(&cgroup->lists, &lists);
	for (i = 0; i < 3; i++)
		cgroup_add_file(cgroup, &rows[i], i == 1 ? "/big" : NULL, false);
	cgroup_sort(cgroup);
	CHECK("cgroups: cgroup->nr_files == 2", cgroup->nr_files == 2);
	CHECK("cgroups: !strcmp(cgroup->files[0].path, \"/big\")", !strcmp(cgroup->files[0].path, "/big"));
	CHECK("cgroups: cgroup->files[1].row.pages[PCINSPECT_LIST_ACTIVE] == 4", cgroup->files[1].row.pages[PCINSPECT_LIST_ACTIVE] == 4);
	CHECK("cgroups: cgroup->files[1].row.pages[PCINSPECT_LIST_INACTIVE] == 6", cgroup->files[1].row.pages[PCINSPECT_LIST_INACTIVE] == 6);
	CHECK("cgroups: cgroup_counted(cgroup) == 47", cgroup_counted(cgroup) == 47);
	CHECK("cgroups: cgroup_named(cgroup) == 40", cgroup_named(cgroup) == 40);
	CHECK("cgroups: cgroup_unnamed(cgroup) == 7", cgroup_unnamed(cgroup) == 7);
	CHECK("cgroups: !cgroup_working_set(cgroup, 4096, &bytes)", !cgroup_working_set(cgroup, 4096, &bytes));
	cgroup->current_known = true;
	cgroup->current_bytes = 100 * 4096;
	CHECK("cgroups: cgroup_working_set(cgroup, 4096, &bytes) && bytes == 88 * 4096", cgroup_working_set(cgroup, 4096, &bytes) && bytes == 88 * 4096);

	text = printed(&cgroups, &out);
	CHECK("cgroups: strstr(text, \"memory 400K = working set 352K + inactive file cache 48K\")", !!strstr(text, "memory 400K = working set 352K + inactive file cache 48K"));
	CHECK("cgroups: strstr(text, \"/big\")", !!strstr(text, "/big"));
	CHECK("cgroups: strstr(text, \" (and 1 more files; --limit 0: all)\")", !!strstr(text, " (and 1 more files; --limit 0: all)"));
	CHECK("cgroups: strstr(text, \" (anonymous memory given up by MADV_FREE)\")", !!strstr(text, " (anonymous memory given up by MADV_FREE)"));
	CHECK("cgroups: strstr(text, \" (came during the walk)\")", !!strstr(text, " (came during the walk)"));
	CHECK("cgroups: strstr(text, \" (total)\")", !!strstr(text, " (total)"));
	out.columns = "INACTIVE,CACHED";
	text = printed(&cgroups, &out);
	CHECK("cgroups: no sum without a word", !!strstr(text, "INACTIVE CACHED\n       0     30\nand 1 more files"));
	out.columns = "MAPPED,PATH";
	text = printed(&cgroups, &out);
	CHECK("cgroups: a sum of what is not shown", !!strstr(text, " (total)\n"));
	cgroups_free(&cgroups);
}

static bool refuse;

/* The first part that is written fails, and none behind it. */
static ssize_t write_rest(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	(void)text;
	if (!refuse)
		return size;
	refuse = false;
	errno = ENOSPC;
	return 0;
}

static void check_shared_json(const struct shared *shared)
{
	const cookie_io_functions_t functions = { .write = write_rest };
	char *text = NULL, small[64];
	size_t size;
	FILE *to = open_memstream(&text, &size);

	CHECK("shared: JSON", !shared_json(shared, to));
	fclose(to);
	CHECK("shared: JSON: when, as everywhere",
	      !!strstr(text, "\"wall_time\": \"1970-01-01T00:00:07.000000Z\""));
	CHECK("shared: JSON: of one it is said that it is not mounted here",
	      strstr(text, "\"path\": \"/f1\", \"mounted_here\": false") &&
	      strstr(text, "\"path\": \"/f2\", \"dev\""));
	CHECK("shared: JSON: the keys of every report", has_common_keys(text));
	free(text);
	refuse = true;
	to = fopencookie(NULL, "w", functions);
	setvbuf(to, small, _IOFBF, sizeof(small));
	CHECK("shared: JSON: a part that was not written is no success",
	      shared_json(shared, to) && !refuse);
	fclose(to);
}

/* Of three files: two cgroups' pages, another's mapping, one cgroup alone. */
static void check_shared(void)
{
	static const struct { uint64_t ino, cgroup, pages; uint32_t generation; } rows[] = {
		{ 1, 10, 4, 0 }, { 2, 10, 7, 0 }, { 1, 20, 9, 0 }, { 3, 20, 5, 0 },
		{ 4, 10, 3, 1 }, { 4, 20, 2, 2 },
	};
	static const char *const only[] = { "/b" }, *const other[] = { "/c" };
	struct report report = { .page_size = 4096, .wall_ns = 7000000000 };
	struct shared shared = { .report = &report };
	const struct output out = { .pages = true };
	size_t i, k;

	for (k = 0; k < 3; k++) {
		shared = (struct shared){ .report = &report };
		shared_add_cgroup(&shared, 20, strdup("/b"));
		shared_add_cgroup(&shared, 10, strdup("/a"));
		shared_add_cgroup(&shared, 30, strdup("/bb"));
		for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			const struct pcinspect_list_file row = {
				.dev_major = 8, .ino = rows[i].ino, .cgroup = rows[i].cgroup,
				.i_generation = rows[i].generation,
				.pages[PCINSPECT_LIST_ACTIVE] = rows[i].pages,
			};
			char path[8];

			snprintf(path, sizeof(path), "/f%ju", (uintmax_t)row.ino);
			shared_add(&shared, &row, path, row.ino == 1);
		}
		shared_sort(&shared);
		shared_use(&shared, 8, 0, 2, 30);
		shared_use(&shared, 8, 0, 2, 30);
		shared_use(&shared, 8, 0, 3, 20);	/* its own */
		shared_use(&shared, 8, 0, 4, 20);	/* which of two? */
		shared_use(&shared, 8, 1, 3, 10);	/* another device */
		shared_use(&shared, 8, 0, 9, 10);	/* not cached */
		shared_finish(&shared, k == 1 ? only : other, k ? 1 : 0);
		if (!k) {
			CHECK("shared: two files", shared.nr_files == 2);
			CHECK("shared: most pages first", listed_pages(&shared.files[0].file.row) == 13 &&
			      listed_pages(&shared.files[1].file.row) == 7);
			CHECK("shared: charged to two", shared.files[0].nr_parts == 2 &&
			      shared.files[0].parts[0].cgroup == 20 &&
			      shared.files[0].parts[0].pages == 9 &&
			      shared.files[0].parts[1].pages == 4 && !shared.files[0].parts[1].uses);
			CHECK("shared: used by another", shared.files[1].nr_parts == 2 &&
			      !shared.files[1].parts[1].pages && shared.files[1].parts[1].uses);
			CHECK("shared: it can be printed", !shared_print(&shared, &out));
			check_shared_json(&shared);
		} else if (k == 1) {
			CHECK("shared: of one cgroup, not of what begins like it",
			      shared.nr_files == 1 && shared.files[0].file.row.ino == 1);
		} else {
			CHECK("shared: of no cgroup there is", !shared.nr_files);
		}
		shared_free(&shared);
	}
}

/* A path that is none here says so; names are any bytes, and obeyed by no terminal. */
static void check_places(void)
{
	struct cgroup *cgroup = calloc(1, sizeof(*cgroup));
	struct report report = { .page_size = 4096 };
	struct cgroups cgroups = { .report = &report, .list = cgroup, .nr = 1 };
	struct pcinspect_list_file here = row(1, 1, 0), there = row(2, 2, 0);
	struct output out = {};
	const char *text;

	report_at(&report, clock_now_ns());
	cgroup->path = strdup("/a\xc2\x9b" "2J");
	cgroup->name = strdup("b\xff\xc2\x9d" "0;t");
	there.flags = PCINSPECT_F_DELETED;
	cgroup_add_file(cgroup, &here, "/etc/passwd", false);
	cgroup_add_file(cgroup, &there, "/etc/passwd", true);
	cgroup_sort(cgroup);
	text = printed(&cgroups, &out);
	CHECK("a path that is none here says so", strstr(text, " /etc/passwd\n") &&
	      strstr(text, " /etc/passwd (deleted) (8:0, not mounted here)\n"));
	/* As of a server's file, of which no name is known here. */
	here.flags = PCINSPECT_F_MAYBE_DELETED;
	cgroup_add_file(cgroup, &here, NULL, false);
	text = printed(&cgroups, &out);
	CHECK("a file that is perhaps deleted says so", !!strstr(text, ", perhaps deleted)\n"));
	out.json = true;
	text = printed(&cgroups, &out);
	CHECK("JSON: and that it is unknown", strstr(text, "\"deleted\": null") &&
	      strstr(text, "\"deleted\": false") && strstr(text, "\"deleted\": true"));
	CHECK("JSON: so does that", strstr(text, "\"path\": \"/etc/passwd\", \"mounted_here\": false") &&
	      strstr(text, "\"path\": \"/etc/passwd\", \"dev\""));
	CHECK("JSON: all of a file is on lists where no page is unevictable",
	      strstr(text, "\"unevictable\": 0") && !strstr(text, "\"unevictable\": null"));
	CHECK("JSON: when it was", !!strstr(text, "\"wall_time\": \"20"));
	CHECK("JSON: the keys of every report", has_common_keys(text));
	CHECK("JSON: no terminal obeys it", strstr(text, "/a\\u009b2J") && !strchr(text, '\xff') &&
	      !strstr(text, "\xc2\x9b") && !strstr(text, "\xc2\x9d"));
	cgroup->lists.unevictable_pages = 7;
	text = printed(&cgroups, &out);
	CHECK("JSON: else it is unknown of a file what it has there, and in all",
	      strstr(text, "\"pages\": { \"cached\": null, \"active\": 1, \"inactive\": 0, \"unevictable\": null }") &&
	      !strstr(text, "\"unevictable\": 0") && strstr(text, "\"unevictable\": 7"));
	cgroups_free(&cgroups);
}

/* A text in the form of /proc/vmstat. */
static struct churn churn_of(const char *text)
{
	struct keyfile file = { .from = fmemopen((char *)text, strlen(text), "r") };
	struct churn churn;

	churn_parse(&churn, &file);
	keyfile_close(&file);
	return churn;
}

/* Pages that leave a list are freed or moved; insertions, and their kind, do not matter. */
static void check_churn(void)
{
	struct churn none = churn_of("nr_free_pages 9\npgalloc_normal 50\n"),
		before = churn_of("pgalloc_normal 50\npgfree 40\npgactivate 1\n"),
		after = churn_of("pgalloc_normal 90\npgfree 47\npgactivate 3\npgscan_file 4\n"
				 "pgscan_kswapd 4\n");

	CHECK("churn: what comes is not counted", !none.pages);
	CHECK("churn: what is freed, moved and looked at by reclaim is",
	      churn_between(&before, &after) == 7 + 2 + 4);
	CHECK("churn: of counters that went back nothing is known", !churn_between(&after, &before));
	CHECK("churn: a reading that failed excuses nothing", !churn_between(&none, &after));
}

/* How many rows of a walk over 1000 + 500 pages are UNTRUSTED. */
static int untrusted(uint64_t active, struct cgroup_stat before, struct cgroup_stat after,
		     uint64_t left)
{
	struct report report = {};
	const struct cgroup cgroup = { .lists = {
		.counted_pages = { [PCINSPECT_LIST_ACTIVE] = active, [PCINSPECT_LIST_INACTIVE] = 500 },
		.counted_before_pages = { [PCINSPECT_LIST_ACTIVE] = active,
					  [PCINSPECT_LIST_INACTIVE] = 500 },
		.file_pages = { [PCINSPECT_LIST_ACTIVE] = active, [PCINSPECT_LIST_INACTIVE] = 490 },
		.lazyfree_pages = 4, .leaving_pages = 3, .other_pages = 3,
	} };
	size_t i;
	int bad = 0;

	lists_audit_cgroup(&report, &cgroup, &before, &after, left);
	CHECK("audit: a row for each that could be read",
	      report.nr_audits == (before.known && after.known ? 3 : 1));
	for (i = 0; i < report.nr_audits; i++)
		bad += !audit_ok(&report.audits[i]);
	CHECK("audit: it is waited for what is not right only",
	      lists_audit_fits(&cgroup, &before, &after, left) == !bad);
	report_free(&report);
	return bad;
}

static void check_audit(void)
{
	const struct cgroup_stat unknown = {};
	const struct cgroup_stat still = { .known = true, .pages = {
		[PCINSPECT_LIST_ACTIVE] = 1000, [PCINSPECT_LIST_INACTIVE] = 500 } };
	const struct cgroup_stat fewer = { .known = true, .pages = {
		[PCINSPECT_LIST_ACTIVE] = 900, [PCINSPECT_LIST_INACTIVE] = 510 } };

	CHECK("audit: nothing moves, and it is right", !untrusted(1000, still, still, 0));
	CHECK("audit: one page too many", untrusted(1001, still, still, 0) == 1);
	CHECK("audit: one page too few", untrusted(999, still, still, 0) == 1);
	CHECK("audit: counted while they went", !untrusted(950, still, fewer, 0) &&
	      !untrusted(950, fewer, still, 0));
	CHECK("audit: fewer than there ever were", untrusted(899, still, fewer, 0) == 1);
	CHECK("audit: they went and came back, or came and went",
	      !untrusted(970, still, still, 30) && !untrusted(1030, still, still, 30));
	CHECK("audit: but no more than have gone", untrusted(969, still, still, 30) == 1 &&
	      untrusted(1031, still, still, 30) == 1);
	CHECK("audit: memory.stat cannot be read", !untrusted(7, unknown, still, 0) &&
	      !untrusted(7, still, unknown, 0));
}

int main(void)
{
	check_churn();
	check_audit();
	check_shared();
	check_names();
	check_sums();
	check_places();
	return !!test_failures;
}
