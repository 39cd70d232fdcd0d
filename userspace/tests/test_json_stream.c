// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_json_stream.c - a report is written a file at a time: what is allocated
 * meanwhile does not grow with it, and it is JSON whether it is on one line or on many.
 * And finding entries by inode: right, also after they were sorted.
 */
#include <json-c/json.h>
#include <stdlib.h>

#include "model/report.h"
#include "test.h"
#include "view/json_report.h"

/* Of the sanitizers' allocator, as <sanitizer/allocator_interface.h> has it. */
size_t __sanitizer_get_current_allocated_bytes(void);

/* The output, and the most bytes that were allocated at any time. */
struct meter {
	size_t written;
	size_t most;
	size_t stop_at;
};

static ssize_t measure(void *cookie, const char *text, size_t size)
{
	struct meter *meter = cookie;
	size_t now = __sanitizer_get_current_allocated_bytes();

	(void)text;
	if (meter->stop_at && meter->written >= meter->stop_at)
		return 0;
	meter->written += size;
	if (now > meter->most)
		meter->most = now;
	return size;
}

static struct report synthetic(size_t nr)
{
	struct report report = { .page_size = 4096 };
	struct file *file;
	size_t i;

	for (i = 0; i < nr; i++) {
		file = report_add(&report, "/srv/a/file/of/many");
		file->snap.ino = i / 2;
		know(&file->snap, PCINSPECT_CACHED, (unsigned int)i, -1);
	}
	return report;
}

static struct meter written(const struct report *report, size_t stop_at)
{
	struct meter meter = { .stop_at = stop_at };
	size_t before = __sanitizer_get_current_allocated_bytes();
	FILE *to = fopencookie(&meter, "w", (cookie_io_functions_t){ .write = measure });

	report_json_write(report, to);
	fclose(to);
	meter.most -= before < meter.most ? before : meter.most;
	return meter;
}

static void memory(size_t nr, const char *name)
{
	struct report report = synthetic(nr);
	struct meter all = written(&report, 0), cut;

	printf("# %zu files: %zu bytes written, %zu allocated\n", nr, all.written, all.most);
	CHECK(name, all.written > nr * 800 && all.most < 100000);
	cut = written(&report, 50000);
	CHECK("nobody reads any more: it ends", cut.written < 200000);
	report_free(&report);
}

/* On many lines and on one it is the same, and json-c reads it. */
static void same_text(const struct report *report, const char *name)
{
	char *text = report_json(report, true), *line = report_json(report, false);
	struct json_object *all = json_tokener_parse(text), *one = json_tokener_parse(line);

	CHECK(name, all && one && json_object_equal(all, one));
	CHECK(name, !strchr(line, '\n'));
	json_object_put(all);
	json_object_put(one);
	free(text);
	free(line);
}

/* Files that come one by one, and some that were kept to the end. */
static void streamed(void)
{
	struct report report = synthetic(5);
	struct json_stream stream;
	struct json_object *all;
	char *text = NULL;
	size_t size, i;
	FILE *to;

	for (i = 0; i < 5; i++) {
		report.files[i].snap.ino = i;
		know(&report.files[i].snap, PCINSPECT_MGLRU, i == 4, -1);
	}
	to = open_memstream(&text, &size);
	report_json_begin(&stream, &report, to, true);
	for (i = 0; i < 3; i++) {
		report_json_file(&stream, &report, &report.files[4]);
		report_stream_last(&report);
		report_add(&report, "/one/more");
	}
	CHECK("ended", !report_json_end(&stream, &report));
	fclose(to);
	all = json_tokener_parse(text);
	CHECK("3 were told, 5 kept", all && json_object_array_length(
		      json_object_object_get(all, "files")) == 8 && report.streamed.files == 3);
	CHECK_STR("lru is of those that were told", json_object_get_string(
			  json_object_object_get(all, "lru")), "mglru");
	json_object_put(all);
	free(text);
	report_free(&report);
}

static void text(void)
{
	struct report report = synthetic(0);
	char *tick = NULL;
	size_t size;
	FILE *to;

	same_text(&report, "no files");
	report_free(&report);
	report = synthetic(3);
	free(report.files[1].path);
	report.files[1].path = strdup("a\001b \"c\nd\\");
	report.nr_rules = 1;
	same_text(&report, "three files, and no verdicts");
	report.verdicts = calloc(2, sizeof(*report.verdicts));
	report.nr_verdicts = 2;
	report.verdicts[0] = (struct verdict){ .name = "x", .text = strdup("y\001"), .nr_files = 1 };
	report.verdicts[1] = (struct verdict){ .name = "x", .file = 1, .text = strdup("z"),
		.worst = { 1, 0 }, .nr_files = 2, .scope = SCOPE_DIRECTORY, .place = strdup("/d") };
	report_add_gone(&report);
	same_text(&report, "verdicts, and what is gone");
	to = open_memstream(&tick, &size);
	report_json_tick(&report, "[{\"event\":\"x\\u0001\"}]", to);
	fclose(to);
	CHECK("events of a tick", strstr(tick, ",\"events\":[{\"event\":\"x\\u0001\"}]}\n") != NULL);
	free(tick);
	report_free(&report);
}

static int by_cached(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return number_of(x, PCINSPECT_CACHED) < number_of(y, PCINSPECT_CACHED) ? 1 : -1;
}

static void find(void)
{
	const size_t nr = 100000;
	struct report report = synthetic(nr);
	struct pcinspect_culprit who = { .ino = nr };
	size_t i, right = 0;

	for (i = 0; i < nr; i++)
		right += report_first_name(&report, i) == i / 2 * 2;
	CHECK("100,000 files: the first name of each inode", right == nr);
	CHECK("who is no file has no name", !report_name(&report, &who));
	report_add_name(&report)->snap.ino = nr;
	report.names[0].path = strdup("/one/more");
	CHECK_STR("one more is found", report_name(&report, &who), "/one/more");
	qsort(report.files, nr, sizeof(*report.files), by_cached);
	for (i = right = 0; i < nr; i++)
		right += report.files[report_first_name(&report, i)].snap.ino ==
			 report.files[i].snap.ino;
	CHECK("also when they were sorted", right == nr);
	who.ino = 0;
	CHECK("inode 0 is nobody", !report_name(&report, &who));
	report_free(&report);
}

int main(void)
{
	memory(10000, "10,000 files: less than 100 KB allocated at any time");
	memory(100000, "100,000 files: no more");
	text();
	streamed();
	find();
	return test_failures != 0;
}
