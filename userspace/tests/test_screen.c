// SPDX-License-Identifier: GPL-2.0-only
/* test_screen.c - the screen without a terminal: order, timeline, cutting, keys. */
#include <locale.h>
#include <stdlib.h>

#include "lib/text.h"
#include "screen/keys.h"
#include "screen/model.h"
#include "test.h"
#include "view/json_events.h"

#define PAGES	(PCINSPECT_F_PAGES | PCINSPECT_F_WRITEBACK)

static void cut(const char *name, const char *text, int columns, bool tail,
		const char *want, int width)
{
	wchar_t out[64];
	char got[256];
	int used = pen_cut(out, 64, text, columns, tail);

	wcstombs(got, out, sizeof(got));
	CHECK_STR(name, got, want);
	CHECK("as many columns as it says", used == width);
}

static void cutting(void)
{
	wchar_t little[4];

	cut("fits", "abc", 3, false, "abc", 3);
	cut("does not fit", "abcd", 3, false, "ab~", 3);
	cut("its end", "abcd", 3, true, "~cd", 3);
	cut("nothing fits", "abcd", 0, false, "", 0);
	cut("one column", "abcd", 1, false, "~", 1);
	cut("one column, its end", "abcd", 1, true, "~", 1);
	cut("wide", "漢字漢字", 5, false, "漢字~", 5);
	cut("a wide one is not split", "漢字漢字", 4, false, "漢~", 3);
	cut("nor at the end", "漢字漢字", 4, true, "~字", 3);
	cut("an accent has no column", "e\xcc\x81" "abc", 4, false, "e\xcc\x81" "abc", 4);
	cut("no accent without its letter", "xe\xcc\x81" "abc", 4, true, "~abc", 4);
	cut("control characters", "a\033[2J\nb\x7f", 20, false, "a?[2J?b?", 8);
	cut("not UTF-8", "a\xff\xfe" "b", 20, false, "a??b", 4);
	cut("right-to-left marks and the like", "a\xe2\x80\xae" "b", 20, false, "a?b", 3);
	cut("half a character", "a\xe6\xbc", 20, false, "a??", 3);
	CHECK("little room", pen_cut(little, 4, "abcdefgh", 80, false) <= 3);
}

static void texts(void)
{
	char out[32];

	count_text(out, sizeof(out), 99999, false);
	CHECK_STR("exact", out, "99999");
	count_text(out, sizeof(out), 100000, false);
	CHECK_STR("thousands", out, "100k");
	count_text(out, sizeof(out), 1234567, false);
	CHECK_STR("millions", out, "1.2M");
	count_text(out, sizeof(out), 999999, false);
	CHECK_STR("rounded up", out, "1.0M");
	count_text(out, sizeof(out), 1234567, true);
	CHECK_STR("raw", out, "1234567");
	count_text(out, sizeof(out), ~0ULL, false);
	CHECK_STR("most", out, "18E");
	duration_text(out, sizeof(out), 1500);
	CHECK_STR("microseconds", out, "2us");
	duration_text(out, sizeof(out), 12345678);
	CHECK_STR("milliseconds", out, "12.3ms");
	duration_text(out, sizeof(out), 1234567890123);
	CHECK_STR("seconds", out, "1235s");
	CHECK_STR("short name", screen_short_event("mm_filemap_fault"), "fault");
	CHECK_STR("short text", screen_short_text("dev 254:16 ino d pfn=0x1 ofs=0"),
		  "pfn=0x1 ofs=0");
	CHECK_STR("of our own", screen_short_text("dev=254:16 ino=13 generation=9 index=1"),
		  "index=1");
	CHECK_STR("of writeback", screen_short_text("bdi 254:16: ino=13 a=1"), "a=1");
	CHECK_STR("of something else", screen_short_text("device=1"), "device=1");
	CHECK_STR("nothing else", screen_short_text("dev 254:16 ino=13"), "ino=13");
	CHECK_STR("its own name", screen_short_event("writeback_"), "writeback_");
}

static bool said(const char *name, const char *field, int64_t value, const char *want)
{
	struct event event = { .name = name, .fields = { { "index", 384 }, { field, value } },
			       .nr_fields = field ? 2 : 1 };
	char out[64] = "nothing";

	screen_event_words(out, sizeof(out), &event, 4096);
	return !strcmp(out, want);
}

static void words(void)
{
	CHECK("its folio's order", said("mm_filemap_add_to_page_cache", "order", 2,
					"inserted 16K at 1536K"));
	CHECK("which a kernel may not say", said("mm_filemap_delete_from_page_cache", NULL, 0,
						 "removed at 1536K"));
	CHECK("to its last page", said("mm_filemap_get_pages", "last_index", 384,
				       "looked up 4K at 1536K"));
	CHECK("an end before the begin", said("mm_filemap_map_pages", "last_index", 1,
					      "mapped at 1536K"));
	CHECK("no order", said("mm_filemap_add_to_page_cache", "order", 200,
			       "inserted at 1536K"));
	CHECK("of our own", said("pcinspect_refault", "pages", 4, "refault 16K at 1536K"));
	CHECK("why it went", said("pcinspect_evicted", "cause", PCINSPECT_REMOVAL_RECLAIM,
				  "gone at 1536K, reclaim"));
	CHECK("why it came", said("pcinspect_ra_window", "cause", PCINSPECT_CAUSE_AROUND,
				  "window at 1536K, around"));
	CHECK("why it was written", said("pcinspect_dirty_aged", "reason", PCINSPECT_REASON_FSYNC,
					 "written at 1536K, fsync"));
	CHECK("a cause of a newer module", said("pcinspect_evicted", "cause", 99,
						"gone at 1536K, ?"));
	CHECK("no words", said("writeback_pages_written", NULL, 0, "nothing"));
	CHECK("nowhere", said("mm_filemap_fault", "index", -1, "fault at 1536K"));
}

static void timelines(void)
{
	struct pcinspect_window w[] = {
		{ .time_ns = 1000, .cause = PCINSPECT_CAUSE_SYNC, .inserted_pages = 4 },
		{ .time_ns = 5001, .cause = PCINSPECT_CAUSE_SYNC, .inserted_pages = 4 },
		{ .time_ns = 5500, .cause = PCINSPECT_CAUSE_ASYNC, .inserted_pages = 9,
		  .expanded_pages = 2 },
		{ .time_ns = 9999, .cause = 77, .inserted_pages = 1 },
	};
	struct timeline_cell cells[8];

	screen_timeline(cells, 3, w, 4, 10000, 0);
	CHECK("one each, the oldest left out", cells[0].pages == 4 && cells[1].pages == 9 &&
	      cells[2].pages == 1 && cells[2].windows == 1);
	CHECK("a cause from the future", cells[2].cause == PCINSPECT_CAUSE_OTHER);
	screen_timeline(cells, 8, w, 4, 10000, 0);
	CHECK("more cells than windows", !cells[0].windows && !cells[3].windows &&
	      cells[4].pages == 4);
	screen_timeline(cells, 2, w, 4, 10000, 5000);
	CHECK("by time", cells[0].windows == 1 && cells[0].pages == 4 &&
	      cells[1].windows == 3 && cells[1].pages == 14 && cells[1].expanded == 2);
	CHECK("the cause of most pages", cells[1].cause == PCINSPECT_CAUSE_ASYNC);
	screen_timeline(cells, 2, w, 4, 500, 1);
	CHECK("windows after now are now", cells[1].windows == 4 && !cells[0].windows);
	screen_timeline(cells, 2, NULL, 0, 10000, 5000);
	CHECK("no windows", !cells[0].windows && !cells[1].windows);
}

static void press(struct screen_view *view, const char *keys)
{
	for (; *keys; keys++)
		screen_key(view, false, *keys, 24);
}

static void orders(void)
{
	struct screen_view view = {};
	struct report report = {};
	static const char *const paths[] = { "/b", "/c", "/a\n", NULL, "/d" };
	static const uint64_t cached[] = { 5, 9, 5, 1, 100 };
	size_t i;

	for (i = 0; i < 5; i++) {
		struct file *file = report_add(&report, paths[i]);

		know(&file->snap, PCINSPECT_CACHED, (unsigned int)cached[i], -1);
	}
	report.files[4].gone = true;
	view.list.order = calloc(5, sizeof(*view.list.order));
	screen_order(&view, &report);
	CHECK("as typed", view.list.nr == 5 && view.list.order[0] == 0 && view.list.order[4] == 4);
	press(&view, "s");
	screen_order(&view, &report);
	CHECK("by path, no name last", view.sort == SORT_PATH && view.list.order[0] == 2 &&
	      view.list.order[1] == 0 && view.list.order[4] == 3);
	press(&view, "s");
	screen_order(&view, &report);
	CHECK("by cached: largest first, ties as typed, unknown last",
	      view.list.order[0] == 1 && view.list.order[1] == 0 && view.list.order[2] == 2 &&
	      view.list.order[3] == 3 && view.list.order[4] == 4);
	CHECK("a new order begins with its first", view.selected == 1);
	press(&view, "nnn");
	CHECK("next follows the list", view.selected == 3);
	screen_order(&view, &report);
	CHECK("a renewed one changes nothing", view.selected == 3);
	press(&view, "nn");
	CHECK("and begins anew", view.selected == 1);
	screen_move(&view, -1);
	CHECK("the one before the first", view.selected == 1);
	press(&view, "/z\x7f/c\r");
	screen_order(&view, &report);
	CHECK_STR("filter typed", view.list.filter, "/c");
	CHECK("filter", view.list.nr == 1 && view.list.order[0] == 1 && view.selected == 1);
	press(&view, "/\x15none\r");
	screen_order(&view, &report);
	CHECK("nothing passes", view.list.nr == 0);
	press(&view, "nNs");
	screen_move(&view, 5);
	press(&view, "/abc\x1b");
	CHECK_STR("Escape changes nothing", view.list.filter, "none");
	press(&view, "/\x15\r");
	screen_order(&view, &report);
	CHECK("emptied: all", view.list.nr == 5);
	for (i = 0; i < 300; i++)
		press(&view, i ? "x" : "/");
	CHECK("a filter has an end", strlen(view.list.typed) < LIST_FILTER_LEN);
	press(&view, "\x1b");
	view.sort = SORT_TYPED;
	screen_order(&view, &report);
	view.list.row = 4;
	list_scroll(&view.list, 2);
	CHECK("scrolled down to the selected", view.list.top == 3);
	view.list.row = 0;
	list_scroll(&view.list, 2);
	CHECK("and up", view.list.top == 0);
	view.list.top = 4;
	view.list.row = 4;
	list_scroll(&view.list, 4);
	CHECK("no empty rows", view.list.top == 1);
	CHECK("q quits", !screen_key(&view, false, 'q', 24));
	press(&view, "?");
	CHECK("help", view.list.help);
	press(&view, "x");
	CHECK("any key ends it", !view.list.help);
	free(view.list.order);
	report_free(&report);
}

static void events(void)
{
	struct screen_view view = {};
	struct event event = {
		.time_ns = 1000002000, .cpu = 1, .pid = 7, .comm = "f io\n", .system = "filemap",
		.name = "mm_filemap_fault", .dev = 254 << 20 | 16, .ino = 12, .file = 1,
		.text = "dev 254:16 \"x\" \xff", .nr_fields = 1,
	};
	char *text;

	event.fields[0].name = "i_ino";
	event.fields[0].value = -1;
	CHECK("no filter", screen_event_passes(&view, view.selected, &event));
	view.only = true;
	CHECK("of another file", !screen_event_passes(&view, view.selected, &event));
	view.selected = 1;
	CHECK("of this file", screen_event_passes(&view, view.selected, &event));
	strcpy(view.events_filter, "fault");
	CHECK("by name", screen_event_passes(&view, view.selected, &event));
	strcpy(view.events_filter, "f io");
	CHECK("by thread", screen_event_passes(&view, view.selected, &event));
	strcpy(view.events_filter, "writeback");
	CHECK("of another kind", !screen_event_passes(&view, view.selected, &event));
	text = event_json_text(&event);
	CHECK_STR("as JSON", text,
		  "{\"time_ns\":1000002000,\"cpu\":1,\"pid\":7,\"comm\":\"f io\\n\","
		  "\"system\":\"filemap\",\"event\":\"mm_filemap_fault\",\"dev\":\"254:16\","
		  "\"ino\":12,\"file\":1,\"text\":\"dev 254:16 \\\"x\\\" \xef\xbf\xbd\","
		  "\"fields\":{\"i_ino\":-1}}");
	free(text);
	event.dev = 0;
	text = event_json_text(&event);
	CHECK("no device", strstr(text, "\"dev\":null") != NULL);
	free(text);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	cutting();
	texts();
	words();
	timelines();
	orders();
	events();
	return test_failures != 0;
}
