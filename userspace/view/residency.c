// SPDX-License-Identifier: GPL-2.0-only
/*
 * residency.c - the results of save and restore, as a table and as JSON. Touches
 * stdout, and the file of --report.
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/output.h"
#include "lib/replace.h"
#include "lib/text.h"
#include "view/grid.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/report_table.h"
#include "view/residency.h"
#include "view/sheet.h"

static int write_json(const struct residency *residency, const struct restore *restore,
		      const struct report *report, FILE *to)
{
	const struct fields *fields = restore ? &restored_fields : &saved_fields;
	struct jsonw w = { .to = to, .pretty = true };
	struct residency_row sum;
	size_t i;

	residency_sum(residency, &sum);
	json_whole_head(&w, report, report_lru(report));
	json_whole_lost(&w);
	jsonw_open(&w, "files", '[');
	jsonw_close(&w);
	jsonw_open(&w, restore ? "restored" : "saved", '{');
	jsonw_count(&w, "saved_pages", sum.saved_pages);
	if (restore) {
		jsonw_count(&w, "cached_before_pages", sum.cached_before_pages);
		jsonw_count(&w, "read_pages", sum.read_pages);
		jsonw_count(&w, "missing_pages", sum.missing_pages);
		jsonw_maybe(&w, "device_bytes", restore->device_bytes != PCINSPECT_UNKNOWN,
			    restore->device_bytes);
		jsonw_text(&w, "stopped", restore->stopped);
	}
	jsonw_open(&w, "files", '[');
	for (i = 0; i < residency->nr; i++)
		json_row(&w, NULL, fields, &residency->rows[i], NULL);
	jsonw_close(&w);
	return jsonw_end(&w);
}

static int print_rows(const struct residency *residency, const struct restore *restore,
		      const struct report *report, const struct output *out)
{
	size_t nr = sheet_limit(out, residency->nr), i;
	char text[GRID_ROOM], from[GRID_ROOM];
	struct residency_row sum;
	struct sheet sheet;

	sheet_begin(&sheet, restore ? &restored_fields : &saved_fields, NULL, out,
		    report->page_size);
	for (i = 0; i < nr; i++)
		sheet_row(&sheet, &residency->rows[i]);
	if (sheet_end(&sheet, residency->nr - nr, " files"))
		return -1;
	if (out->noheadings)
		return 0;
	residency_sum(residency, &sum);
	size_text(text, sizeof(text), (restore ? sum.read_pages : sum.saved_pages) *
				      report->page_size);
	if (!restore) {
		printf("saved: %" PRIu64 " pages (%s) of %zu file%s\n", sum.saved_pages, text,
		       residency->nr, residency->nr == 1 ? "" : "s");
		return 0;
	}
	snprintf(from, sizeof(from), "?");
	if (restore->device_bytes != PCINSPECT_UNKNOWN)
		size_text(from, sizeof(from), restore->device_bytes);
	printf("read: %" PRIu64 " pages (%s; %s from disk); cached before: %" PRIu64 "; missing: %" PRIu64 "\n",
	       sum.read_pages, text, from, sum.cached_before_pages, sum.missing_pages);
	return 0;
}

static int write_report(const struct residency *residency, const struct restore *restore,
			const struct report *report, const char *path)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	return replace_report(&file, to && !write_json(residency, restore, report, to), path);
}

/**
 * residency_show() - print it, as the user asked
 * @residency: the rows
 * @restore: of a restore, NULL: of a save
 * @report: whose head and audit there is
 * @out: how
 *
 * Return: 0, or -1 if it could not be written.
 */
int residency_show(const struct residency *residency, const struct restore *restore,
		   const struct report *report, const struct output *out)
{
	int rc = out->report ? write_report(residency, restore, report, out->report) : 0;

	if (out->json ? write_json(residency, restore, report, stdout) :
			 print_rows(residency, restore, report, out)) {
		output_failed();
		rc = -1;
	}
	table_audit_print(report, out);
	return rc ? -1 : 0;
}
