// SPDX-License-Identifier: GPL-2.0-only
/*
 * html.c - a report as one page for a browser: no script, nothing from elsewhere. Which
 * numbers there are, the tables of fields say (model/field.h, include/numbers_table.h), and a
 * column has the key that JSON has for it. A cell shows a rounded number, data-n has the exact one.
 * (The ends of rows and cells are left out: HTML does not need them.)
 * Touches the stream it is given.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "lib/wall.h"
#include "model/fields.h"
#include "view/html.h"
#include "view/text.h"

#define FILES_SHOWN 1000

static const char head[] =
	"<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	"<meta name=viewport content=\"width=device-width\">\n<title>pcinspect</title>\n<style>\n"
	"body{font:15px/1.4 sans-serif;margin:1.5em auto;max-width:72em;padding:0 1em;color:#222;background:#fff}\n"
	"figure{margin:2em 0}svg{width:100%;background:#f4f4f4;display:block}svg.map{height:12em}\n"
	".axis{display:flex;justify-content:space-between;margin:0;color:#666;font-size:85%}\n"
	"ul{list-style:none;padding:0;margin:.3em 0}li{display:inline-block;margin-right:1.5em}\n"
	"li i{display:inline-block;width:.8em;height:.8em;margin-right:.4em}b{font-weight:600}\n"
	".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:90%}\n"
	"th,td{padding:.15em .6em;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}\n"
	"th{position:sticky;top:0;background:#fff}.t{text-align:left}.bad{color:#b00;font-weight:600}\n"
	"pre{background:#f4f4f4;padding:.5em;overflow-x:auto}\n"
	"path.window{stroke:#3a76b1;fill:none}path.unused{stroke:#d1442f;fill:none}rect{fill:#222}\n"
	"i.window{background:#3a76b1}i.unused{background:#d1442f}\n";

/* Of the nine series of a chart; they differ in lightness, too. */
static const char *const colours[] = {
	"#1f4e79", "#e08e2b", "#3f9b5b", "#c94f4f", "#8a63b3", "#7a5a3a", "#d98cb3", "#5bb5c9",
	"#b5b5b5",
};

/**
 * html_text() - text, of whatever is in it
 * @to: where
 * @text: fit for a terminal
 */
void html_text(FILE *to, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&': fputs("&amp;", to); break;
		case '<': fputs("&lt;", to); break;
		case '>': fputs("&gt;", to); break;
		case '"': fputs("&quot;", to); break;
		case '\'': fputs("&#39;", to); break;
		default: fputc(*text, to);
		}
}

/* Bytes as people read them. */
void html_size(FILE *to, uint64_t bytes)
{
	char room[64];

	size_text(room, sizeof(room), bytes);
	html_text(to, room);
}

static void put_raw(FILE *to, const char *bytes)
{
	char *text = escape_line(bytes);

	html_text(to, text);
	free(text);
}

/* --- files ------------------------------------------------------------------------ */

/* Is a number in a part of JSON, and of use: is it other than 0 in any file? */
static bool is_of_use(const struct report *report, size_t number, const char *part)
{
	const struct number_row *row = &number_rows[number];
	size_t i, len = strlen(part);
	uint64_t value;

	if (!row->json || strncmp(row->json, part, len) || row->json[len] != '.')
		return false;
	for (i = 0; i < report->nr_files && i < FILES_SHOWN; i++)
		if (file_number(&report->files[i], number, &value) && value)
			return true;
	return false;
}

static void html_number(FILE *to, const struct file *file, size_t number)
{
	char room[64];
	uint64_t value;

	if (!file_number(file, number, &value)) {
		fputs("<td>?", to);
		return;
	}
	if (!value || number_rows[number].unit == PCINSPECT_UNIT_EVENTS) {
		fprintf(to, "<td>%" PRIu64, value);
		return;
	}
	fprintf(to, "<td data-n=%" PRIu64 ">", value);
	switch (number_rows[number].unit) {
	case PCINSPECT_UNIT_PAGES: html_size(to, value * file->page_size); break;
	case PCINSPECT_UNIT_BYTES: html_size(to, value); break;
	case PCINSPECT_UNIT_MS: fprintf(to, "%.1f s", value / 1e3); break;
	default:
		duration_text(room, sizeof(room), value);
		html_text(to, room);
	}
}

static void html_files(FILE *to, const struct report *report, const char *part)
{
	size_t numbers[PCINSPECT_NR_NUMBERS], nr = 0, i, k;

	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++)
		if (is_of_use(report, i, part))
			numbers[nr++] = i;
	if (!nr)
		return;
	fprintf(to, "<h2>Files: %s</h2><div class=scroll><table id=\"files-%s\"><thead><tr>"
		"<th class=t>path</th>", part, part);
	for (k = 0; k < nr; k++) {
		const struct number_row *row = &number_rows[numbers[k]];

		fprintf(to, "<th data-key=\"%.*s\" title=\"", (int)strcspn(row->json, " "), row->json);
		html_text(to, row->help);
		fprintf(to, "\">%s</th>", row->name);
	}
	fputs("</tr></thead><tbody>\n", to);
	for (i = 0; i < report->nr_files && i < FILES_SHOWN; i++) {
		const struct file *file = &report->files[i];

		fprintf(to, "<tr data-file=%zu><td class=t>", i);
		put_raw(to, file->path ?: "?");
		if (file->gone)
			fputs(" (gone)", to);
		for (k = 0; k < nr; k++)
			html_number(to, file, numbers[k]);
		fputc('\n', to);
	}
	fputs("</tbody></table></div>\n", to);
	if (report->nr_files > FILES_SHOWN)
		fprintf(to, "<p>And %zu more files (pcinspect report --limit 0 shows all).</p>\n",
			report->nr_files - FILES_SHOWN);
}

/* --- rows of other kinds ---------------------------------------------------------- */

static void html_value(FILE *to, const struct fields *fields, const struct field *field,
		       const void *row, const struct report *report)
{
	char comm[PCINSPECT_COMM_LEN + 1] = "";
	union field_value value;

	if (!field_value(fields, field, row, report, &value)) {
		fputs("<td>?", to);
		return;
	}
	switch (field->type) {
	case FIELD_TEXT: case FIELD_PATH: case FIELD_CHARS:
		fputs("<td class=t>", to);
		put_raw(to, value.text);
		break;
	case FIELD_COMM:
		memcpy(comm, value.text, PCINSPECT_COMM_LEN);
		fputs("<td class=t>", to);
		put_raw(to, comm);
		break;
	case FIELD_DEV: {
		uint32_t dev[2];

		memcpy(dev, value.text, sizeof(dev));
		fprintf(to, "<td>%u:%u", dev[0], dev[1]);
		break;
	}
	case FIELD_BOOL:
		fputs(value.yes ? "<td data-n=true>yes" : "<td data-n=false class=bad>no", to);
		break;
	case FIELD_REAL:
		fprintf(to, "<td data-n=%.17g>%.2f", value.real, value.real);
		break;
	case FIELD_S64:
		fprintf(to, "<td>%" PRId64, value.number);
		break;
	default:
		fprintf(to, "<td>%" PRIu64, value.count);
	}
}

static void put_rows(FILE *to, const char *id, const char *title, const struct fields *fields,
		     const void *rows, size_t nr, size_t size, const struct report *report)
{
	size_t i, k;

	if (!nr)
		return;
	fprintf(to, "<h2>%s</h2><div class=scroll><table id=\"%s\"><thead><tr>", title, id);
	for (k = 0; k < fields->nr; k++)
		if (fields->list[k].key)
			fprintf(to, "<th data-key=\"%s\">%s</th>", fields->list[k].key, fields->list[k].key);
	fputs("</tr></thead><tbody>\n", to);
	for (i = 0; i < nr; i++) {
		fputs("<tr>", to);
		for (k = 0; k < fields->nr; k++)
			if (fields->list[k].key)
				html_value(to, fields, &fields->list[k], (const char *)rows + i * size, report);
		fputc('\n', to);
	}
	fputs("</tbody></table></div>\n", to);
}

#define PUT_ROWS(to, id, title, fields, rows, nr, report) \
	put_rows(to, id, title, fields, rows, nr, sizeof(*(rows)), report)

/* --- the page --------------------------------------------------------------------- */

static void put_head(FILE *to, const struct report *report, const struct timeline *timeline)
{
	char from[WALL_TEXT] = "?", until[WALL_TEXT] = "?";
	size_t i, ok = 0;

	if (report->wall_ns) {
		wall_local(from, sizeof(from), report_wall(report, timeline->begin_ns));
		wall_local(until, sizeof(until), report_wall(report, timeline->end_ns));
	}
	fprintf(to, "<h1>pcinspect</h1><p>Recorded from %s to %s, %.3f s, kernel ", from, until,
		(timeline->end_ns - timeline->begin_ns) / 1e9);
	html_text(to, report->kernel);
	fprintf(to, ", %zu files. ? is unknown.</p>\n", report->nr_files);
	for (i = 0; i < report->nr_audits; i++)
		ok += audit_ok(&report->audits[i]);
	fprintf(to, "<p id=trust%s>audit: %zu of %zu ok%s</p>\n",
		ok < report->nr_audits ? " class=bad" : "", ok, report->nr_audits,
		ok < report->nr_audits ? ": UNTRUSTED" : "");
	if (report_lost(report))
		fputs("<p class=bad>Events or records were lost while it was recorded: sums below may be too small (table Lost).</p>\n",
		      to);
}

static void html_verdicts(FILE *to, const struct report *report)
{
	size_t i;

	fputs("<h2>Verdicts</h2>\n", to);
	if (!report->nr_verdicts)
		fputs("<p>No rule found anything that costs reads or writes.</p>\n", to);
	for (i = 0; i < report->nr_verdicts; i++) {
		const struct verdict *v = &report->verdicts[i];
		const char *place = v->nr_files ? report->files[v->file].path : v->place;

		fprintf(to, "<section class=verdict data-verdict=\"%s\"><h3>", v->name);
		put_raw(to, place ?: "all");
		fprintf(to, ": %s (%s)</h3><p>", v->name, v->certain ? "exact" : "inferred");
		html_text(to, v->text);
		fputs("</p>", to);
		if (v->command) {
			fputs("<pre>", to);
			html_text(to, v->command);
			fputs("</pre>", to);
		}
		fputs("</section>\n", to);
	}
}

/**
 * html_page() - the whole page
 * @to: where
 * @report: of a recording, with its verdicts
 * @timeline: of the same
 */
void html_page(FILE *to, const struct report *report, const struct timeline *timeline)
{
	static const char *const parts[] = {
		"pages", "reads", "record", "dirty", "writeback", "direct",
	};
	size_t i;

	fputs(head, to);
	for (i = 0; i < sizeof(colours) / sizeof(*colours); i++)
		fprintf(to, "path.c%zu{fill:%s}i.c%zu{background:%s}\n", i, colours[i], i, colours[i]);
	fputs("</style></head><body>\n", to);
	put_head(to, report, timeline);
	html_verdicts(to, report);
	html_charts(to, report, timeline);
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		html_files(to, report, parts[i]);
	PUT_ROWS(to, "devices", "Devices", &device_fields, report->devices, report->nr_devices, report);
	PUT_ROWS(to, "audit", "Audits", &audit_fields, report->audits, report->nr_audits, report);
	PUT_ROWS(to, "lost", "Lost", &loss_fields, report, 1, report);
	PUT_ROWS(to, "settings", "Settings", &setting_fields, report->settings, report->nr_settings, report);
	fputs("</body></html>\n", to);
}
