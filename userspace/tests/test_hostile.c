// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_hostile.c - names that whoever made them wants a terminal to obey, or a reader
 * to misread: of files, threads, cgroups, filesystems. Whatever is printed of them is
 * looked at byte by byte, and JSON gives them back. Random, by a fixed seed.
 */
#include <json-c/json.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#include "capture.h"
#include "cmd/views.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "screen/model.h"
#include "test.h"
#include "view/json_report.h"
#include "view/next.h"
#include "view/watch_lines.h"

#define FILES	300
#define SEED	20261122

static unsigned int seed = SEED;

static unsigned int chance(unsigned int n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static const char *const pieces[] = {
	"\033[2J", "\033]0;title\a", "\033[?1049h", "\033P+q\033\\", "\r", "\n", "\t", "\b\b\b",
	"\x7f", "\xc2\x9b" "31m", "\xc2\x9d" "0;x\xc2\x9c", "\x9b" "2J", "\xff", "\xc0\x80",
	"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9",
	"\xe2\x80\x8b", "\xe2\x80\x8d", "\xe2\x80\xa8", "\xef\xbb\xbf", "\xc2\xad",
	"\xf3\xa0\x81\x81", "\xcc\x81", "%s%n", "\"", "\\", "\\u001b", "{}", "'", " ", "  ",
	"$(x)", "`x`", "漢字", "grün", "\xf0\x9f\x98\x80", "a", "log", ".", "-", "\xe6\xbc",
};

/* Returns its length; no NUL and no slash in it. */
static size_t hostile_name(char *out, size_t size)
{
	size_t used = 0, n = 1 + chance(6);

	*out = '\0';
	while (n--) {
		const char *piece = pieces[chance(sizeof(pieces) / sizeof(*pieces))];
		char byte[2] = { 1 + chance(255), '\0' };

		if (!chance(5))
			piece = *byte == '/' ? "x" : byte;
		if (used + strlen(piece) >= size)
			break;
		strcpy(out + used, piece);
		used += strlen(piece);
	}
	return used;
}

/*
 * Where is the first byte that no terminal should get? By the C library and the list of
 * what was promised, not by what is tested.
 */
static const char *bad_byte(const char *text, const char *allowed)
{
	mbstate_t state = {};
	const char *p = text;

	while (*p) {
		wchar_t c;
		size_t n = mbrtowc(&c, p, strlen(p), &state);

		if (strchr(allowed, *p)) {
			p++;
			continue;
		}
		if (n == (size_t)-1 || n == (size_t)-2 || c < 0x20 || (c >= 0x7f && c < 0xa0) ||
		    !iswprint(c) || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
		    (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0xad ||
		    (c >= 0xe0000 && c <= 0xe0fff))
			return p;
		p += n;
	}
	return NULL;
}

static void texts(void)
{
	int i, bad = 0, back = 0;
	wchar_t wide[64];
	char name[256], narrow[256], *out;

	for (i = 0; i < 20000; i++) {
		struct json_object *object;

		hostile_name(name, sizeof(name));
		out = escape_path(name);
		bad += bad_byte(out, "") || strchr(out, ' ');
		free(out);
		out = escape_line(name);
		bad += bad_byte(out, "") != NULL;
		free(out);
		pen_cut(wide, 64, name, 1 + chance(40), chance(2));
		wcstombs(narrow, wide, sizeof(narrow));
		bad += bad_byte(narrow, "") != NULL;
		out = utf8_replace(name);
		object = json_object_new_string(out);
		free(out);
		out = escape_json(strdup(json_object_to_json_string(object)));
		bad += bad_byte(out, "") != NULL;
		json_object_put(object);
		object = json_tokener_parse(out);
		free(out);
		out = utf8_replace(name);
		back += object && !strcmp(json_object_get_string(object), out);
		json_object_put(object);
		free(out);
		escape_mask(name);
		bad += bad_byte(name, "") != NULL;
		complain(name, "%s", "x");
		bad += bad_byte(complain_last(), "") != NULL;
	}
	CHECK("nothing to obey in texts", !bad);
	CHECK("JSON gives names back", back == i);
}

static void fill(struct report *report)
{
	char name[200], path[256];
	int i, k;

	report->page_size = 4096;
	for (i = 0; i < FILES; i++) {
		struct file *file;

		hostile_name(name, sizeof(name));
		snprintf(path, sizeof(path), "/mnt/%d/%s", i, name);
		file = report_add(report, path);
		file->snap.flags = chance(2) ? PCINSPECT_F_EXPLICIT | PCINSPECT_F_MEMCG :
					       PCINSPECT_F_MEMCG;
		file->snap.ino = i + 1;
		strcpy(file->snap.fs, "ext4");
		know(&file->snap, PCINSPECT_CACHED, i, PCINSPECT_DEMANDED_BYTES, 9,
		     PCINSPECT_DEVICE_BYTES, 9, PCINSPECT_DIRTIED_PAGES, 3, PCINSPECT_DIRTY, 0,
		     PCINSPECT_WINDOWS_TOTAL, 2, PCINSPECT_FSYNCS_TOTAL, 2, -1);
		hostile_name(name, sizeof(name));
		file->real_path = chance(3) ? NULL : strdup(name);
		hostile_name(name, sizeof(name));
		file->renamed = chance(3) ? NULL : strdup(name);
		file->replaced = chance(2);
		file->snap.memcgs[0].id = 7;
		hostile_name(name, sizeof(name));
		file->memcg_paths[0] = strdup(name);
		file->who = calloc(1, sizeof(*file->who));
		file->nr_windows = file->nr_fsyncs = 2;
		file->windows = calloc(2, sizeof(*file->windows));
		file->fsyncs = calloc(2, sizeof(*file->fsyncs));
		for (k = 0; k < 2; k++) {
			hostile_name(name, sizeof(name));
			name[0] = name[0] ?: 'x';
			memcpy(file->who->tasks[k].comm, name, 16);
			memcpy(file->who->evictors[k].comm, name, 16);
			file->who->evictors[k].pages = 3;
			file->who->evictors[k].ino = 1 + chance(FILES);
			memcpy(file->who->removers[k].comm, name, 16);
			file->who->removers[k].pages = 3;
			memcpy(file->windows[k].comm, name, 16);
			memcpy(file->fsyncs[k].comm, name, 16);
		}
	}
}

static const char *printed(void (*print)(struct report *report), struct report *report)
{
	capture();
	print(report);
	return captured();
}

static void print_tables(struct report *report)
{
	static const char *const views[] = {
		"stat", "reads", "readahead", "dirty", "fsync", "explain",
	};
	struct args args = {};
	size_t i;

	for (i = 0; i < sizeof(views) / sizeof(*views); i++)
		view_print(views[i], report, &args, 0);
	args.out.columns = "CACHED,FS,KIND,MEMCG,REAL_PATH,PATH";
	view_print("stat", report, &args, 0);
}

static void print_lines(struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_files; i++)
		watch_lines_print(&report->files[i], NULL);
}

static void print_json(struct report *report)
{
	report_json_write(report, stdout);
}

static void print_tick(struct report *report)
{
	report_json_tick(report, "[]", stdout);
}

static void look(const char *name, void (*print)(struct report *report), struct report *report,
		 bool json)
{
	const char *text = printed(print, report);
	char why[128];
	const char *bad = bad_byte(text, "\n");
	struct json_object *object, *files, *path;
	size_t i, same = 0;

	snprintf(why, sizeof(why), "%s: nothing to obey (%zu bytes)", name, strlen(text));
	CHECK(why, !bad && strlen(text) > FILES * 20);
	if (bad)
		printf("# %02x %02x %02x in %.40s\n", bad[0] & 255, bad[1] & 255, bad[2] & 255,
		       bad - 20 > text ? bad - 20 : text);
	object = json ? json_tokener_parse(text) : NULL;
	for (i = 0; object && i < report->nr_files; i++) {
		char *want = utf8_replace(report->files[i].path);

		json_object_object_get_ex(object, "files", &files);
		json_object_object_get_ex(json_object_array_get_idx(files, i), "path", &path);
		same += !strcmp(want, json_object_get_string(path));
		free(want);
	}
	if (json)
		CHECK("every path is as it was", same == FILES);
	json_object_put(object);
}

static struct next next;

static void print_next(struct report *report)
{
	next.report = report;
	next_json(&next, true, stdout);
}

static void print_next_table(struct report *report)
{
	struct output out = {};

	next.report = report;
	next_print(&next, &out);
}

/* The next pages of reclaim, by files of such names. */
static void look_next(struct report *report)
{
	struct json_object *object, *in, *files, *path;
	char name[200], *want;
	const char *text;
	size_t i, same = 0;

	next.files = calloc(FILES, sizeof(*next.files));
	next.nr_files = FILES;
	for (i = 0; i < FILES; i++) {
		hostile_name(name, sizeof(name));
		next.files[i].file.path = strdup(name);
		strcpy(next.files[i].file.row.fs, "ext4");
	}
	next.cgroup = strdup("/\xc2\x9b" "31m\xff\x7f");
	look("table of next", print_next_table, report, false);
	text = printed(print_next, report);
	CHECK("JSON of next: nothing to obey", !bad_byte(text, "\n"));
	object = json_tokener_parse(text);
	CHECK("JSON of next: it is JSON", json_object_object_get_ex(object, "next", &in) &&
	      json_object_object_get_ex(in, "files", &files));
	for (i = 0; i < FILES; i++) {
		want = utf8_replace(next.files[i].file.path);
		json_object_object_get_ex(json_object_array_get_idx(files, i), "path", &path);
		same += !strcmp(want, json_object_get_string(path));
		free(want);
	}
	CHECK("JSON of next: every path is as it was", same == FILES);
	want = utf8_replace(next.cgroup);
	json_object_object_get_ex(in, "cgroup", &path);
	CHECK_STR("JSON of next: and the cgroup's", json_object_get_string(path), want);
	free(want);
	json_object_put(object);
	next_free(&next);
}

int main(void)
{
	struct report report = {};

	setlocale(LC_CTYPE, "C.UTF-8");
	/* texts() looks at the complaints. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	printf("# seed %d\n", SEED);
	texts();
	fill(&report);
	look("tables", print_tables, &report, false);
	look("lines", print_lines, &report, false);
	look("JSON", print_json, &report, true);
	look("JSON of a tick", print_tick, &report, true);
	look_next(&report);
	report_free(&report);
	return test_failures != 0;
}
