// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_html.c - the page of a recording: names are text and no markup, unknown is "?", and of
 * 1,000 files with every third number and maps as full as can be it has no more than 2 MiB. Its
 * contents are compared with JSON by pages.py.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "test.h"
#include "trace/timeline.h"
#include "view/html.h"

#define FILES		1000
#define MOST_BYTES	(2 << 20)

static char *page(const struct report *report, const struct timeline *timeline, size_t *size)
{
	char *text;
	FILE *to = alloc_stream(&text, size);

	html_page(to, report, timeline);
	alloc_close(to);
	return text;
}

static void names(void)
{
	struct report report = { .page_size = 4096, .kernel = "<b>&" };
	struct timeline timeline;
	size_t size;
	char *text;

	report_add(&report, "/mnt/<script>alert('\"')</script>\n\033[2J");
	timeline_begin(&timeline, 0, 1000, 1);
	timeline.cached[0] = alloc_zero(TIMELINE_BINS, sizeof(**timeline.cached));
	timeline.cached[0][0] = 2;
	text = page(&report, &timeline, &size);
	CHECK("no markup of a name", !strstr(text, "<script") && !strstr(text, "<b>&"));
	CHECK("no control byte of a name", !strchr(text, '\033'));
	CHECK("a name as text", strstr(text, "&lt;script&gt;alert(&#39;&quot;&#39;)&lt;/script&gt;") != NULL);
	CHECK("what nobody counted is unknown", strstr(text, "<td>?") != NULL);
	free(text);
	timeline_free(&timeline);
	report_free(&report);
}

static void many(void)
{
	struct report report = { .page_size = 4096, .kernel = "7.2" };
	struct timeline timeline;
	char path[128];
	size_t i, k, size;
	char *text;

	for (i = 0; i < FILES; i++) {
		struct file *file;

		snprintf(path, sizeof(path), "/srv/a/directory/of/a/database/file-number-%zu", i);
		file = report_add(&report, path);
		file->page_size = 4096;
		memset(file->snap.known, 0xff, sizeof(file->snap.known));
		file->snap.size_bytes = 1ULL << 40;
		for (k = 0; k < PCINSPECT_NR_NUMBERS; k++)
			file->snap.numbers[k] = k % 3 ? 0 : (i + 1) * 1000003 * (k + 1);
	}
	timeline_begin(&timeline, 0, 1000000, FILES);
	timeline.marks = alloc_zero(TIMELINE_MARKS, sizeof(*timeline.marks));
	srand(1);
	for (i = 0; i < TIMELINE_MARKS; i++)
		timeline.marks[i] = (struct timeline_mark){
			.file = i % 7, .time_ns = rand() % 1000000, .index = rand() % (1 << 28),
			.pages = 1, .unused = rand() & 1,
		};
	timeline.nr_marks = TIMELINE_MARKS;
	for (i = 0; i < FILES; i++) {
		timeline.cached[i] = alloc_zero(TIMELINE_BINS, sizeof(**timeline.cached));
		for (k = 0; k < TIMELINE_BINS; k++)
			timeline.cached[i][k] = rand();
	}
	for (i = 0; i < TIMELINE_BINS; i++) {
		timeline.inserted[i] = timeline.removed[i] = rand();
		for (k = 0; k < TIMELINE_AGES; k++)
			timeline.ages[k][i] = rand();
	}
	text = page(&report, &timeline, &size);
	printf("# %zu bytes\n", size);
	CHECK("all files", strstr(text, "file-number-999<td") != NULL);
	CHECK("no more than 2 MiB", size <= MOST_BYTES);
	free(text);
	timeline_free(&timeline);
	report_free(&report);
}

int main(void)
{
	names();
	many();
	return test_failures != 0;
}
