// SPDX-License-Identifier: GPL-2.0-only
/* test_model.c - unknown stays unknown; audits; the LRU in the header; JSON. */
#include <json-c/json.h>
#include <stdlib.h>

#include "collect/audit.h"
#include "lib/text.h"
#include "model/report.h"
#include "test.h"
#include "view/json_report.h"

static struct json_object *get(struct json_object *from, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(from, key, &value);
	return value;
}

static void numbers(void)
{
	struct file file = {};
	uint64_t value = 77;

	file.snap.numbers[PCINSPECT_DIRTY] = 5;
	know(&file.snap, PCINSPECT_CACHED, 0, -1);
	CHECK("what the module does not know is unknown",
	      !file_number(&file, PCINSPECT_DIRTY, &value) && value == 77);
	CHECK("and not 0", !numbers_sum(&file, PCINSPECT_CACHED, 2, &value));
	CHECK("cached is known", file_number(&file, PCINSPECT_CACHED, &value) &&
	      value == 0);
	know(&file.snap, PCINSPECT_DIRTY, 5, -1);
	CHECK("dirty is known",
	      file_number(&file, PCINSPECT_DIRTY, &value) && value == 5);
	file.gone = true;
	CHECK("nothing is known of what is gone",
	      !file_number(&file, PCINSPECT_CACHED, &value));
}

static void audits(void)
{
	struct audit audit = {
		.what = "x", .ours = 10, .theirs_min = 10, .theirs = 10, .source = "y",
	};

	CHECK("equal", audit_ok(&audit));
	audit.ours = 11;
	CHECK("one more", !audit_ok(&audit));
	audit.theirs = 12;
	CHECK("between two readings", audit_ok(&audit));
	audit.theirs_min = 13;
	CHECK("outside of two readings", !audit_ok(&audit));
	CHECK("one below the lower", audit_difference(&audit) == -1);
	audit.ours = 14;
	CHECK("one above the higher", audit_difference(&audit) == 1);
	audit.ours = 12;
	CHECK("between them there is no difference", !audit_difference(&audit));
}

/* Three rows a cgroup, and there may be thousands: none is left out. */
static void many(void)
{
	struct report r = {};
	int i;

	for (i = 0; i < 3000; i++)
		report_add_audit(&r, "x", i, i, i + (i == 2999), "y");
	CHECK("no audit is left out", r.nr_audits == 3000 && audit_ok(&r.audits[2998]) &&
	      r.audits[2999].theirs == 3000);
	report_audit_least(&r, "z", 2, 5, "y")->slack += 3;
	CHECK("what may be missing is told apart from the sum", r.audits[3000].ours == 2 &&
	      audit_ok(&r.audits[3000]));
	report_free(&r);
}

/* A walk during which pages come and go. */
static void moving(void)
{
	struct report r = {};
	struct file *file = report_add(&r, "/f");

	know(&file->snap, PCINSPECT_CACHED, 90, PCINSPECT_NRPAGES_BEFORE, 100,
	     PCINSPECT_NRPAGES, 100, -1);
	audit_all(&r, NULL);
	CHECK("nothing moved: it does not agree", !audit_ok(&r.audits[0]));
	know(&file->snap, PCINSPECT_MOVED_PAGES, 10, -1);
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("as many moved", audit_ok(&r.audits[0]) &&
	      r.audits[0].slack == 10 && r.audits[0].theirs == 100);
	know(&file->snap, PCINSPECT_CACHED, 111, -1);
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("one too many", !audit_ok(&r.audits[0]));
	know(&file->snap, PCINSPECT_MOVED_PAGES, 0, -1);
	know(&file->snap, PCINSPECT_NRPAGES_BEFORE, 110, -1);
	know(&file->snap, PCINSPECT_CACHED, 105, -1);
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("between two readings of the mapping", audit_ok(&r.audits[0]));
	report_free(&r);
}

/* Writes that the system call says were, and no hook: of what was listed, and is gone. */
static void uncounted(void)
{
	struct report r = {};
	struct file *file = report_add(&r, "/f");

	know(&file->snap, PCINSPECT_CACHED, 9, PCINSPECT_NRPAGES_BEFORE, 9, PCINSPECT_NRPAGES, 9,
	     PCINSPECT_UNCOUNTED_WRITE_PAGES, 0, -1);
	audit_all(&r, NULL);
	CHECK("no write went by uncounted: no line", r.nr_audits == 1);
	know(&file->snap, PCINSPECT_UNCOUNTED_WRITE_PAGES, 1, -1);
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("a page of one did", r.nr_audits == 2 && r.audits[1].ours == 1 &&
	      !audit_ok(&r.audits[1]));
	know(&file->snap, PCINSPECT_UNCOUNTED_WRITE_PAGES, 0, -1);
	r.gone = calloc(1, sizeof(*r.gone));
	r.nr_gone = 1;
	know(&r.gone->snap, PCINSPECT_UNCOUNTED_WRITE_PAGES, 2, -1);
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("of a file that is gone", r.nr_audits == 2 && r.audits[1].ours == 2 &&
	      !audit_ok(&r.audits[1]));
	report_free(&r);
}

/* Lists of who it was: full of one process, and not full where cgroups are left out. */
static void lists(void)
{
	struct report r = {};
	struct file *file = report_add(&r, "/f");
	size_t i;

	know(&file->snap, PCINSPECT_CACHED, 900, PCINSPECT_NRPAGES_BEFORE, 900,
	     PCINSPECT_NRPAGES, 900, -1);
	audit_all(&r, NULL);
	CHECK("nothing to say of lists", r.nr_audits == 1);
	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++)
		file->snap.memcgs[i] = (struct pcinspect_memcg){ .id = 10 + i, .pages = 100 };
	file->snap.memcg_other = 500;
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("more cgroups than rows", r.nr_audits == 2 && audit_ok(&r.audits[1]));
	file->snap.memcgs[3].id = 0;
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("others, and a row is left", r.nr_audits == 2 && !audit_ok(&r.audits[1]));
	file->snap.memcg_other = 0;
	know(&file->snap, PCINSPECT_CACHED, 400, PCINSPECT_NRPAGES_BEFORE, 400,
	     PCINSPECT_NRPAGES, 400, -1);

	file->who = calloc(1, sizeof(*file->who));
	for (i = 0; i < PCINSPECT_NR_TASKS; i++)
		file->who->tasks[i] = (struct pcinspect_task){ .pid = 1 + i, .comm = "task" };
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("as many processes as lines", r.nr_audits == 1);
	file->who->others.demanded_bytes = 1;
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("more processes than lines", r.nr_audits == 2 && audit_ok(&r.audits[1]));
	for (i = 0; i < PCINSPECT_NR_TASKS; i++)
		file->who->tasks[i].pid = 1;
	r.nr_audits = 0;
	audit_all(&r, NULL);
	CHECK("threads of one with names of their own", r.nr_audits == 2 &&
	      !audit_ok(&r.audits[1]));
	report_free(&r);
}

/* A run's losses are not those from before. */
static void losses(void)
{
	struct report was = {}, is = {};

	was.losses = (struct losses){ .known = true, .probes_missed = 3,
						.windows = 4 };
	is.losses = (struct losses){ .known = true, .probes_missed = 5,
					       .windows = 4, .hooks_missing = 2 };
	was.about.lost_inodes = 6;
	is.about.lost_inodes = 7;
	losses_since(&is, &was);
	CHECK("losses since", is.losses.probes_missed == 2 && !is.losses.windows &&
	      is.about.lost_inodes == 1 && is.losses.hooks_missing == 2);
	was.losses.known = false;
	losses_since(&is, &was);
	CHECK("losses since nobody knows when", !is.losses.known);
}

static void report(void)
{
	struct report r = {};
	struct file *file;
	struct json_object *out, *entry, *pages;
	char *text;

	r.about.flags = PCINSPECT_F_LRU_GEN;
	CHECK_STR("an empty report", report_lru(&r), "mglru");
	file = report_add(&r, "a\xff");
	file->snap.flags = PCINSPECT_F_PAGES;
	know(&file->snap, PCINSPECT_CLASSIC, 3, PCINSPECT_CACHED, 3, -1);
	file->snap.orders[2] = 4;
	CHECK_STR("what the pages say counts", report_lru(&r), "classic");
	file = report_add(&r, NULL);
	know(&file->snap, PCINSPECT_MGLRU, 1, -1);
	CHECK_STR("mixed", report_lru(&r), "mixed");
	file = report_add(&r, "gone");
	file->gone = true;
	report_add_audit(&r, "cached_pages", 1, 2, 2, "s");

	text = report_json(&r, false);
	CHECK("one line", !strchr(text, '\n'));
	out = json_tokener_parse(text);
	free(text);
	CHECK("parses", out != NULL);
	CHECK("three files", json_object_array_length(get(out, "files")) == 3);
	entry = json_object_array_get_idx(get(out, "files"), 0);
	CHECK_STR("path", json_object_get_string(get(entry, "path")), "a\xef\xbf\xbd");
	CHECK_STR("path_hex", json_object_get_string(get(entry, "path_hex")), "61ff");
	pages = get(entry, "pages");
	CHECK("dirty is null", json_object_object_get_ex(pages, "dirty", NULL) &&
	      !get(pages, "dirty"));
	CHECK("evicted is null", !get(pages, "evicted"));
	CHECK("cached is 3", json_object_get_int(get(pages, "cached")) == 3);
	CHECK("no generations", !get(entry, "lru_generations"));
	CHECK("one order", json_object_array_length(get(entry, "orders")) == 1);
	CHECK("no record", !get(entry, "record"));
	entry = json_object_array_get_idx(get(out, "files"), 1);
	CHECK("unknown path is null", json_object_object_get_ex(entry, "path", NULL) &&
	      !get(entry, "path"));
	entry = json_object_array_get_idx(get(out, "files"), 2);
	CHECK("gone has no pages", !get(entry, "pages"));
	entry = json_object_array_get_idx(get(out, "audit"), 0);
	CHECK("audit diff", json_object_get_int(get(entry, "diff")) == -1);
	CHECK("audit is not ok", !json_object_get_boolean(get(entry, "ok")));
	json_object_put(out);
	report_free(&r);
}

static void sizes(void)
{
	static const struct { uint64_t bytes; const char *want; } cases[] = {
		{ 0, "0" }, { 5, "5" }, { 1023, "1023" }, { 1024, "1K" },
		{ 1536, "1.5K" }, { 20 << 20, "20M" }, { 1ULL << 40, "1T" },
	};
	char text[32];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_text(text, sizeof(text), cases[i].bytes);
		CHECK_STR("size", text, cases[i].want);
	}
}

/* A reset between the snapshot's time and its counters. */
static void reset_meanwhile(void)
{
	struct pcinspect_snapshot snap = { .time_ns = 100, .since_ns = 120 };
	struct report r = {};

	CHECK("counters that began later ran 0 ns",
	      snapshot_age(&snap, snap.since_ns) == 0);
	CHECK("counters that began before",
	      snapshot_age(&snap, 30) == 70);
	r.files = calloc(1, sizeof(*r.files));
	r.nr_files = 1;
	r.files->snap = snap;
	CHECK("nor does a report's interval wrap", report_interval(&r) == 0);
	free(r.files);
}

int main(void)
{
	CHECK("of no file there is no other name", report_first_name(&(struct report){}, 0) == 0);
	numbers();
	reset_meanwhile();
	audits();
	many();
	moving();
	uncounted();
	lists();
	losses();
	report();
	sizes();
	return test_failures != 0;
}
