// SPDX-License-Identifier: GPL-2.0-only
/*
 * html_chart.c - the events of a recording by time, as SVG without scripts. The sums that a
 * chart shows stand below it as numbers: data-pages has them exactly.
 * Touches the stream it is given.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "view/html.h"

#define BIN_WIDTH	8
#define WIDTH		(TIMELINE_BINS * BIN_WIDTH)
#define HEIGHT		160
#define COLOURS		9	/* the last: all else */
#define ROWS		80	/* of the map of a file */
#define COLUMNS		240
#define MAPS		6	/* files that get one */

/*
 * struct series - pages by time
 * @name: of it; @path: it is a file's
 * @values: one for each part
 * @total: what is said of it in numbers
 */
struct series {
	const char *name;
	bool path;
	const uint64_t *values;
	uint64_t total;
};

static uint64_t sum_of(const uint64_t *values)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < TIMELINE_BINS; i++)
		sum += values[i];
	return sum;
}

static void open_figure(FILE *to, const char *id, const char *title, const char *note)
{
	fprintf(to, "<figure id=\"%s\"><figcaption><b>%s</b> %s</figcaption>\n", id, title, note);
}

static void axis(FILE *to, const struct timeline *timeline)
{
	fprintf(to, "<p class=axis><span>0 s</span><span>%.3f s</span></p>\n",
		(timeline->end_ns - timeline->begin_ns) / 1e9);
}

static void put_name(FILE *to, const struct series *series)
{
	char *path = series->path ? escape_line(series->name) : NULL;

	html_text(to, path ?: series->name);
	free(path);
}

/* One upon the other, and below them a sum of each. */
static void stacked(FILE *to, const struct report *report, const struct timeline *timeline,
		    const struct series *series, size_t nr)
{
	uint64_t below[TIMELINE_BINS] = {}, most = 0;
	char length[64];
	size_t i, k;

	for (i = 0; i < TIMELINE_BINS; i++) {
		uint64_t sum = 0;

		for (k = 0; k < nr; k++)
			sum += series[k].values[i];
		most = sum > most ? sum : most;
	}
	if (!most) {
		fputs("<p>There was nothing.</p></figure>\n", to);
		return;
	}
	fprintf(to, "<svg viewBox=\"0 0 %d %d\" role=img>", WIDTH, HEIGHT);
	for (k = 0; k < nr; k++) {
		fprintf(to, "<path class=c%zu d=\"", k < COLOURS ? k : COLOURS - 1);
		for (i = 0; i < TIMELINE_BINS; i++) {
			double height = (double)series[k].values[i] * HEIGHT / most;

			if (!series[k].values[i])
				continue;
			below[i] += series[k].values[i];
			fprintf(to, "M%zu %.1fh%dv%.1fh-%dz", i * BIN_WIDTH,
				HEIGHT - (double)below[i] * HEIGHT / most, BIN_WIDTH, height,
				BIN_WIDTH);
		}
		fputs("\"/>", to);
	}
	fputs("</svg>\n", to);
	axis(to, timeline);
	fputs("<ul>", to);
	for (k = 0; k < nr; k++) {
		fprintf(to, "<li><i class=c%zu></i>", k < COLOURS ? k : COLOURS - 1);
		put_name(to, &series[k]);
		fprintf(to, " <b data-pages=%" PRIu64 ">", series[k].total);
		html_size(to, series[k].total * report->page_size);
		fputs("</b></li>", to);
	}
	duration_text(length, sizeof(length),
		      (timeline->end_ns - timeline->begin_ns) / TIMELINE_BINS);
	fputs("<li>highest: ", to);
	html_size(to, most * report->page_size);
	fprintf(to, " (of parts of %s)</li></ul></figure>\n", length);
}

/* Sums of a list of words, those that are not 0. */
#define BY_WORD(to, report, timeline, lists, nr, word)					\
	do {										\
		struct series all[nr];							\
		size_t n = 0, i_;							\
											\
		for (i_ = 0; i_ < (nr); i_++) {						\
			all[n] = (struct series){ word(i_), false, (lists)[i_], sum_of((lists)[i_]) }; \
			n += all[n].total != 0;						\
		}									\
		stacked(to, report, timeline, all, n);					\
	} while (0)

/* --- the cache -------------------------------------------------------------------- */

/* A file's pages in each part: what was counted last holds until the next count. */
static uint64_t *filled(const uint64_t *counted, uint64_t *most)
{
	uint64_t *values = alloc_zero(TIMELINE_BINS, sizeof(*values)), now = 0;
	size_t i;

	*most = 0;
	for (i = 0; i < TIMELINE_BINS; i++) {
		if (counted[i])
			now = counted[i] - 1;
		values[i] = now;
		*most = now > *most ? now : *most;
	}
	return values;
}

struct filled {
	size_t file;
	uint64_t *values;
	uint64_t most;
};

static int by_most(const void *a_, const void *b_)
{
	const struct filled *a = a_, *b = b_;

	return (a->most < b->most) - (a->most > b->most) ?: (a->file > b->file) - (a->file < b->file);
}

static void cached(FILE *to, const struct report *report, const struct timeline *timeline)
{
	struct filled *files = alloc_zero(timeline->nr_files + 1, sizeof(*files));
	uint64_t others[TIMELINE_BINS] = {};
	struct series series[COLOURS] = {};
	size_t i, k, nr = 0, n = 0;

	for (i = 0; i < timeline->nr_files && i < report->nr_files; i++) {
		if (!timeline->cached[i])
			continue;
		files[nr].file = i;
		files[nr].values = filled(timeline->cached[i], &files[nr].most);
		nr++;
	}
	qsort(files, nr, sizeof(*files), by_most);
	for (i = 0; i < nr; i++) {
		if (i < COLOURS - 1)
			series[n++] = (struct series){
				report->files[files[i].file].path ?: "?", true, files[i].values,
				files[i].values[TIMELINE_BINS - 1],
			};
		for (k = 0; i >= COLOURS - 1 && k < TIMELINE_BINS; k++)
			others[k] += files[i].values[k];
	}
	if (nr > n)
		series[n++] = (struct series){ "other files", false, others,
					       others[TIMELINE_BINS - 1] };
	open_figure(to, "cached", "In the page cache, by file.",
		    "As the module counted it at each look, and by the kernel's events in between; the numbers are of the end.");
	stacked(to, report, timeline, series, n);
	for (i = 0; i < nr; i++)
		free(files[i].values);
	free(files);
}

/* --- windows ---------------------------------------------------------------------- */

/* Draw the cells of a map that have a bit. */
static void cells(FILE *to, unsigned char (*map)[COLUMNS], unsigned char bit, const char *class)
{
	int row, column, from;

	fprintf(to, "<path class=%s d=\"", class);
	for (row = 0; row < ROWS; row++)
		for (column = 0; column < COLUMNS; column++) {
			from = column;
			while (column < COLUMNS && map[row][column] & bit)
				column++;
			if (column > from)
				fprintf(to, "M%d %d.5h%d", from, row, column - from);
		}
	fputs("\"/>", to);
}

static void map(FILE *to, const struct report *report, const struct timeline *timeline,
		size_t file, uint64_t pages)
{
	uint64_t last = report->files[file].snap.size_bytes / report->page_size, windows = 0, unused = 0;
	unsigned char grid[ROWS][COLUMNS] = {};
	char *path = escape_line(report->files[file].path ?: "?");
	size_t i, row, column;

	for (i = 0; i < timeline->nr_marks; i++)
		if (timeline->marks[i].file == file &&
		    timeline->marks[i].index + timeline->marks[i].pages > last)
			last = timeline->marks[i].index + timeline->marks[i].pages;
	for (i = 0; i < timeline->nr_marks; i++) {
		const struct timeline_mark *mark = &timeline->marks[i];
		double after = mark->time_ns < timeline->begin_ns ? 0 :
			       (double)(mark->time_ns - timeline->begin_ns);

		if (mark->file != file)
			continue;
		windows += !mark->unused;
		unused += mark->unused;
		column = after * COLUMNS / (timeline->end_ns - timeline->begin_ns);
		if (column >= COLUMNS)
			column = COLUMNS - 1;
		for (row = (double)mark->index * ROWS / last;
		     row < ROWS && (double)row * last < (double)(mark->index + mark->pages) * ROWS; row++)
			grid[row][column] |= mark->unused ? 2 : 1;
	}
	fputs("<h3>", to);
	html_text(to, path);
	fprintf(to, "</h3><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=none class=map role=img>",
		COLUMNS, ROWS);
	cells(to, grid, 1, "window");
	cells(to, grid, 2, "unused");
	fputs("</svg>\n", to);
	axis(to, timeline);
	fprintf(to, "<ul><li><i class=window></i>%" PRIu64 " windows inserted <b data-pages=%" PRIu64 ">",
		windows, pages);
	html_size(to, pages * report->page_size);
	fprintf(to, "</b></li><li><i class=unused></i>left the cache unused <b data-pages=%" PRIu64 ">",
		unused);
	html_size(to, unused * report->page_size);
	fputs("</b></li></ul>\n", to);
	free(path);
}

static void windows(FILE *to, const struct report *report, const struct timeline *timeline)
{
	uint64_t *pages = alloc_zero(timeline->nr_files + 1, sizeof(*pages)), given;
	size_t i, k, most;

	for (i = 0; i < timeline->nr_marks; i++)
		if (!timeline->marks[i].unused)
			pages[timeline->marks[i].file] += timeline->marks[i].pages;
	open_figure(to, "windows", "Readahead windows.",
		    "Place in the file (from top to bottom) by time, of the files with most of them.");
	if (timeline->marks_left_out)
		fprintf(to, "<p class=bad>%" PRIu64 " more had no room.</p>", timeline->marks_left_out);
	for (k = 0; k < MAPS; k++) {
		for (most = 0, i = 1; i < timeline->nr_files; i++)
			if (pages[i] > pages[most])
				most = i;
		given = pages[most];
		if (!given || most >= report->nr_files)
			break;
		map(to, report, timeline, most, given);
		pages[most] = 0;
	}
	if (!k)
		fputs("<p>There were none.</p>", to);
	fputs("</figure>\n", to);
	free(pages);
}

/* --- ages ------------------------------------------------------------------------- */

static void ages(FILE *to, const struct report *report, const struct timeline *timeline)
{
	uint64_t most = 0;
	size_t age, i;

	for (age = 0; age < TIMELINE_AGES; age++)
		for (i = 0; i < TIMELINE_BINS; i++)
			if (timeline->ages[age][i] > most)
				most = timeline->ages[age][i];
	open_figure(to, "ages", "How old dirty data was when it was handed to writeback.",
		    "From top to bottom by age, by time; the darker, the more pages.");
	if (!most) {
		fputs("<p>There was none.</p></figure>\n", to);
		return;
	}
	fprintf(to, "<svg viewBox=\"0 0 %d %d\" role=img>", WIDTH, HEIGHT);
	for (age = 0; age < TIMELINE_AGES; age++)
		for (i = 0; i < TIMELINE_BINS; i++)
			if (timeline->ages[age][i])
				fprintf(to, "<rect x=%zu y=%zu width=%d height=%d opacity=%.2f><title>%"
					PRIu64 " pages</title></rect>", i * BIN_WIDTH,
					age * HEIGHT / TIMELINE_AGES, BIN_WIDTH, HEIGHT / TIMELINE_AGES,
					0.2 + 0.8 * log1p(timeline->ages[age][i]) / log1p(most),
					timeline->ages[age][i]);
	fputs("</svg>\n", to);
	axis(to, timeline);
	fputs("<ul>", to);
	for (age = 0; age < TIMELINE_AGES; age++) {
		uint64_t sum = sum_of(timeline->ages[age]);

		if (!sum)
			continue;
		if (age == TIMELINE_AGES - 1)
			fputs("<li>unknown", to);
		else if (age == TIMELINE_AGES - 2)
			fprintf(to, "<li>%.1f s or more", 0.1 * (1 << (age - 1)));
		else
			fprintf(to, "<li>less than %.1f s", 0.1 * (1 << age));
		fprintf(to, " <b data-pages=%" PRIu64 ">", sum);
		html_size(to, sum * report->page_size);
		fputs("</b></li>", to);
	}
	fputs("</ul></figure>\n", to);
}

/**
 * html_charts() - draw a timeline
 * @to: where
 * @report: whose files they are
 * @timeline: it
 */
void html_charts(FILE *to, const struct report *report, const struct timeline *timeline)
{
	const struct series moved[] = {
		{ "inserted", false, timeline->inserted, sum_of(timeline->inserted) },
		{ "removed", false, timeline->removed, sum_of(timeline->removed) },
	};

	cached(to, report, timeline);
	open_figure(to, "moved", "Inserted into the page cache and removed from it.",
		    "By the events of the kernel (filemap).");
	stacked(to, report, timeline, moved, 2);
	open_figure(to, "causes", "Inserted by readahead windows, by cause.",
		    "sync: a read or fault missed; async: a read met the marker; around: mmap read-around.");
	BY_WORD(to, report, timeline, timeline->causes, PCINSPECT_NR_CAUSES, pcinspect_cause_word);
	open_figure(to, "removals", "Removed, by reason.", "");
	BY_WORD(to, report, timeline, timeline->removals, PCINSPECT_NR_REMOVALS,
		pcinspect_removal_word);
	windows(to, report, timeline);
	ages(to, report, timeline);
}
