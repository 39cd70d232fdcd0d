// SPDX-License-Identifier: GPL-2.0-only
/* test_next.c - the order of reclaim, from rows of lists; files, and what is said. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "collect/next.h"
#include "lib/complain.h"
#include "model/next.h"
#include "model/next_order.h"
#include "test.h"
#include "view/next.h"

#define CLASSIC PCINSPECT_NEXT_CLASSIC

/* In place of the module: lists of so many rows each, of a file each, two of them given. */
static uint64_t listed[3];
static size_t nr_listed;

int ioctl(int fd, unsigned long request, ...);

int ioctl(int fd, unsigned long request, ...)
{
	struct pcinspect_next *next;
	va_list args;
	uint64_t k;
	size_t i;

	(void)fd;
	va_start(args, request);
	next = va_arg(args, void *);
	va_end(args);
	if (request != PCINSPECT_IOC_NEXT)
		return errno = ENOTTY, -1;
	for (i = 0; i < nr_listed; i++) {
		((struct pcinspect_next_list *)(uintptr_t)next->lists)[i] =
			(struct pcinspect_next_list){ .first_row = next->nr_rows };
		for (k = 0; k < listed[i]; k++, next->nr_rows++)
			if (next->nr_rows >= next->max_rows)
				next->flags |= PCINSPECT_NEXT_CUT;
			else
				((struct pcinspect_next_row *)(uintptr_t)next->rows)[next->nr_rows] =
					(struct pcinspect_next_row){
						.index = 2 * k, .file = i, .folios = 1,
						.gen = CLASSIC, .own_gen = CLASSIC,
					};
	}
	next->nr_lists = nr_listed;
	next->walk.nr_files = next->walk.nr_given = 2;
	for (i = 0; i < 2; i++) {
		((struct pcinspect_list_file *)(uintptr_t)next->walk.files)[i] =
			(struct pcinspect_list_file){
				.record_size = sizeof(struct pcinspect_list_file),
				.ino = i + 1,
			};
		((uint32_t *)(uintptr_t)next->numbers)[i] = i;
	}
	return 0;
}

static struct pcinspect_next_row row(uint32_t file, uint64_t index, uint32_t folios,
				     uint8_t gen)
{
	return (struct pcinspect_next_row){
		.file = file, .index = index, .folios = folios, .gen = gen, .own_gen = gen,
	};
}

/* A next with files 0 to 3 and one list. */
static void begin(struct next *next, struct report *report, uint64_t pages,
		  const struct pcinspect_next_row *rows, size_t nr_rows)
{
	static const char *const names[] = { "/a", "/b", "/c", "/d" };
	size_t i;

	*report = (struct report){ .page_size = 4096 };
	*next = (struct next){ .report = report, .bytes = pages * 4096 };
	next->lists = calloc(2, sizeof(*next->lists));
	next->lists[0].rows = rows;
	next->lists[0].nr_rows = nr_rows;
	next->nr_lists = 1;
	next->files = calloc(4, sizeof(*next->files));
	next->nr_files = 4;
	for (i = 0; i < 4; i++)
		next->files[i].file.path = strdup(names[i]);
}

static void generations(struct next *next, uint64_t min_seq, uint64_t max_seq, bool reworked)
{
	next->lists[0].said.flags = PCINSPECT_NEXT_GENERATIONS |
				    (reworked ? PCINSPECT_NEXT_REWORKED : 0);
	next->lists[0].said.min_seq = min_seq;
	next->lists[0].said.max_seq = max_seq;
}

/* The pieces as text: file, index, pages, '-' backwards, fate if it is not certain. */
static void pieces(const struct next *next, char *text, size_t size)
{
	static const char fates[] = " mdphb";
	size_t i, at = 0;

	*text = '\0';
	for (i = 0; i < next->nr_pieces && at < size; i++) {
		const struct next_piece *p = &next->pieces[i];
		const char *name = p->file < next->nr_files ? next->files[p->file].file.path + 1 : "?";

		at += snprintf(text + at, size - at, "%s%s%ju+%u%s%.1s", i ? " " : "", name,
			       (uintmax_t)p->index, p->pages, p->backwards ? "-" : "",
			       p->fate ? &fates[p->fate] : "");
	}
}

static void check_pieces(const char *name, const struct next *next, const char *want)
{
	char text[512];

	pieces(next, text, sizeof(text));
	CHECK_STR(name, text, want);
}

static const struct next_file *file_of(const struct next *next, const char *path)
{
	size_t i;

	for (i = 0; strcmp(next->files[i].file.path, path); i++)
		;
	return &next->files[i];
}

/* The inactive tail in its order; mapped and dirty ones may go; then the active list. */
static void check_classic(void)
{
	struct pcinspect_next_row rows[] = {
		row(0, 5, 10, CLASSIC), row(1, 0, 4, CLASSIC), row(0, 15, 2, CLASSIC),
		row(2, 0, 3, CLASSIC), row(2, 8, 30, CLASSIC),
	};
	const struct next_file *a, *b;
	struct report report;
	struct next next;

	rows[1].flags = PCINSPECT_ROW_MAPPED;
	rows[3].flags = PCINSPECT_ROW_DIRTY;
	rows[4].flags = PCINSPECT_ROW_ACTIVE;
	begin(&next, &report, 11, rows, 5);
	next_compute(&next);
	check_pieces("next: classic: order", &next, "a5+10 b0+4m a15+2 c0+3d");
	CHECK("next: classic: enough", next_ends(&next) == NEXT_ENOUGH);
	CHECK("next: classic: eleven go", next_pages(&next, NEXT_GOES) == 11);
	CHECK("next: classic: four may", next_pages(&next, NEXT_MAPPED) == 4);
	CHECK("next: classic: the dirty ones are behind", next_pages(&next, NEXT_DIRTY) == 0);
	a = file_of(&next, "/a");
	CHECK("next: classic: 11 of the first file", a->next == 11 && !a->maybe);
	CHECK("next: classic: its first page is the next", a->nearest_known && !a->nearest);
	CHECK("next: classic: its seventh is the middle", a->median_known && a->median == 6);
	b = file_of(&next, "/b");
	CHECK("next: classic: 4 of the second may", !b->next && b->maybe == 4);
	CHECK("next: classic: ten go before", b->nearest_known && b->nearest == 10);
	CHECK("next: classic: the middle is unknown where it is active",
	      !file_of(&next, "/c")->median_known);
	CHECK("next: classic: nothing is known of a file without pages",
	      !file_of(&next, "/d")->nearest_known);
	CHECK("next: what goes first is at the top", !strcmp(next.files[0].file.path, "/a"));
	next_free(&next);

	begin(&next, &report, 13, rows, 5);
	next_compute(&next);
	CHECK("next: classic: the active list joins", next_ends(&next) == NEXT_ACTIVE);
	next_free(&next);
	begin(&next, &report, 13, rows, 4);
	next_compute(&next);
	CHECK("next: classic: the list ends", next_ends(&next) == NEXT_LIST);
	next.cut = true;
	CHECK("next: classic: or the room for it", next_ends(&next) == NEXT_ROOM);
	next_free(&next);
}

/* A filesystem may hold buffers of its device: nobody sees it, and they may go. */
static void check_device(void)
{
	struct pcinspect_next_row rows[] = {
		row(0, 0, 3, CLASSIC), row(1, 0, 2, CLASSIC), row(2, 0, 9, CLASSIC),
	};
	struct report report;
	struct next next;
	int kind;

	for (kind = 0; kind < 2; kind++) {
		begin(&next, &report, 5, rows, 3);
		next.files[1].file.row.flags = PCINSPECT_F_BLOCK_DEVICE;
		if (kind)
			generations(&next, 1, 4, true);
		rows[0].gen = rows[0].own_gen = rows[1].gen = rows[1].own_gen =
			rows[2].gen = rows[2].own_gen = kind ? 1 : CLASSIC;
		next_compute(&next);
		check_pieces("next: device: order", &next, "a0+3 b0+2b c0+9");
		CHECK("next: device: not for certain",
		      !file_of(&next, "/b")->next && file_of(&next, "/b")->maybe == 2);
		CHECK("next: device: the next file is asked instead",
		      file_of(&next, "/c")->next == 2);
		next_free(&next);
	}
}

/* Reclaim passes over pages that somebody holds, while that lasts. */
static void check_held(void)
{
	struct pcinspect_next_row rows[] = {
		row(0, 0, 3, CLASSIC), row(0, 3, 2, CLASSIC), row(1, 0, 4, CLASSIC),
		row(2, 0, 9, CLASSIC),
	};
	struct report report;
	struct next next;

	rows[1].flags = PCINSPECT_ROW_HELD;
	rows[2].flags = PCINSPECT_ROW_HELD | PCINSPECT_ROW_DIRTY;
	begin(&next, &report, 5, rows, 4);
	next_compute(&next);
	check_pieces("next: held: order", &next, "a0+3 a3+2h b0+4d c0+9");
	CHECK("next: held: counted apart, but from dirty ones",
	      next_pages(&next, NEXT_HELD) == 2 && next_pages(&next, NEXT_DIRTY) == 4);
	CHECK("next: held: not for certain",
	      file_of(&next, "/a")->next == 3 && file_of(&next, "/a")->maybe == 2);
	next_free(&next);
}

/* Oldest generation first, of it the highest zone; two generations stay. */
static void check_generations(void)
{
	struct pcinspect_next_row rows[] = {
		row(0, 0, 5, 1), row(1, 0, 5, 1), row(2, 0, 5, 2), row(3, 0, 5, 3), row(3, 9, 1, 0),
	};
	struct report report;
	struct next next;

	rows[0].zone = 1;
	rows[1].zone = 2;
	begin(&next, &report, 12, rows, 5);
	generations(&next, 4, 7, true);
	next_compute(&next);
	check_pieces("next: mglru: order", &next, "d9+1 b0+5 a0+5");
	CHECK("next: mglru: it has to age", next_ends(&next) == NEXT_AGING);
	next_free(&next);

	begin(&next, &report, 6, rows, 2);
	generations(&next, 5, 8, true);
	next_compute(&next);
	check_pieces("next: mglru: part of it", &next, "b0+5 a0+5");
	CHECK("next: mglru: that is enough", next_ends(&next) == NEXT_ENOUGH);
	CHECK("next: mglru: one page of the second", file_of(&next, "/a")->next == 1);
	next_free(&next);
}

/* A tier that comes back more often is passed over: to the tail, or to the head. */
static void check_tiers(void)
{
	struct pcinspect_next_row rows[] = {
		row(0, 0, 3, 1), row(1, 0, 3, 1), row(2, 0, 3, 2),
	};
	struct report report;
	struct next next;
	int reworked;

	rows[1].tier = 1;
	for (reworked = 0; reworked < 2; reworked++) {
		begin(&next, &report, 100, rows, 3);
		generations(&next, 1, 4, reworked);
		next_compute(&next);
		check_pieces("next: tiers: nothing came back", &next, "a0+3 b0+3 c0+3");
		next_free(&next);

		begin(&next, &report, 100, rows, 3);
		generations(&next, 1, 4, reworked);
		next.lists[0].said.avg_refaulted[1] = 1000;
		next.lists[0].said.avg_total[1] = 1000;
		next.lists[0].said.avg_total[0] = 1000;
		next_compute(&next);
		check_pieces(reworked ? "next: tiers: behind the next generation" :
			     "next: tiers: before it, the last first", &next,
			     reworked ? "a0+3 c0+3 b0+3" : "a0+3 b2+3- c0+3");
		next_free(&next);
	}
	/* Before 6.14 anonymous memory has a say in it. */
	begin(&next, &report, 100, rows, 3);
	generations(&next, 1, 4, false);
	next.swaps = true;
	next_compute(&next);
	check_pieces("next: tiers: with swap space", &next, "a0+3 b0+3p c0+3");
	next_free(&next);
	/* Reclaim passes over the most used pages once in any case. */
	rows[1].tier = 3;
	rows[1].flags = PCINSPECT_ROW_FULL;
	begin(&next, &report, 100, rows, 3);
	generations(&next, 1, 4, false);
	next_compute(&next);
	check_pieces("next: tiers: used most", &next, "a0+3 b2+3- c0+3");
	next_free(&next);
	/* Page tables said that it was used. */
	rows[1] = row(1, 0, 3, 1);
	rows[1].own_gen = 2;
	begin(&next, &report, 100, rows, 3);
	generations(&next, 1, 4, true);
	next_compute(&next);
	check_pieces("next: promoted", &next, "a0+3 c0+3 b0+3");
	next_free(&next);
}

/* The counts change while pages go: it is decided again for each batch. */
static void check_batches(void)
{
	struct pcinspect_next_row rows[] = {
		row(0, 0, 64, 1), row(1, 0, 1, 1), row(0, 64, 640, 1), row(1, 1, 1, 1),
	};
	struct report report;
	struct next next;

	rows[1].tier = rows[3].tier = 1;
	begin(&next, &report, 10000, rows, 4);
	generations(&next, 1, 3, true);
	/* 100 * (t0 + 64) * 2 <= 1 * t1 * 3 until 200 pages of the first have gone. */
	next.lists[0].said.avg_refaulted[1] = 100;
	next.lists[0].said.avg_total[1] = 200 * 264 / 3;
	next_compute(&next);
	check_pieces("next: batches: taken first, spared later", &next,
		     "a0+64 b0+1 a64+640");
	CHECK("next: batches: the page that was spared is in a generation that stays",
	      next_ends(&next) == NEXT_AGING);
	next_free(&next);
}

/* Two lists: each is asked for its share. */
static void check_lists(void)
{
	struct pcinspect_next_row rows[] = { row(0, 0, 90, CLASSIC), row(1, 0, 30, CLASSIC) };
	struct report report;
	struct next next;
	uint64_t ms;

	begin(&next, &report, 40, rows, 1);
	next.lists[1].rows = rows + 1;
	next.lists[1].nr_rows = 1;
	next.nr_lists = 2;
	next.lists[1].rate = 100;
	next.lists[1].rate_known = true;
	next_compute(&next);
	CHECK("next: lists: three quarters of the larger", file_of(&next, "/a")->next == 30);
	CHECK("next: lists: a quarter of the other", file_of(&next, "/b")->next == 10);
	CHECK("next: lists: no rate, no time", !next_eta_ms(&next, 0, 5, &ms));
	CHECK("next: lists: five pages at 100 a second", next_eta_ms(&next, 1, 5, &ms) && ms == 50);
	next.swaps = true;
	CHECK("next: lists: no time with swap space", !next_eta_ms(&next, 1, 5, &ms));
	next_free(&next);
}

static const char *printed(const struct next *next, const struct output *out, bool order)
{
	const char *text;
	int failed;

	capture();
	failed = out->json ? next_json(next, order, stdout) : next_print(next, out);
	text = captured();
	CHECK("next: it can be written", !failed);
	return text;
}

static void check_said(void)
{
	struct pcinspect_next_row rows[] = { row(0, 0, 3, 1), row(1, 5, 3, 1), row(9, 0, 1, 1) };
	struct output out = { .limit = 1 };
	struct report report;
	struct next next;
	const char *text;

	rows[0].tier = 1;
	rows[0].flags = PCINSPECT_ROW_FULL;
	begin(&next, &report, 4, rows, 3);
	generations(&next, 1, 4, false);
	next.cgroup = strdup("/web");
	next_compute(&next);
	text = printed(&next, &out, true);
	CHECK("next: table: the head", !!strstr(text, "/web: of the next 16K, 16K for certain, 0 perhaps"));
	CHECK("next: table: the first file", !!strstr(text, " /b\n"));
	CHECK("next: table: the rest", !!strstr(text, "and 3 more files (--limit 0: all)"));
	out.columns = "path,Next";
	text = printed(&next, &out, true);
	CHECK("next: table: only what is asked for, in that order",
	      !!strstr(text, "\nPATH NEXT\n/b      3\n"));
	out.columns = NULL;
	next.files[0].file.elsewhere = true;
	text = printed(&next, &out, true);
	CHECK("next: table: a path that is none here says so",
	      !!strstr(text, " /b (0:0, not mounted here)\n"));
	next.nr_lists = 2;
	text = printed(&next, &out, true);
	CHECK("next: table: of two lists nothing is certain",
	      !!strstr(text, "16K if each list gives its share by size, 0 perhaps"));
	next.nr_lists = 1;
	out.json = true;
	text = printed(&next, &out, true);
	CHECK("next: json: backwards one by one", !!strstr(text, "[0, 5, 3]"));
	CHECK("next: json: no file", !!strstr(text, "[null, 0, 1]"));
	CHECK("next: json: ends", !!strstr(text, "\"ends\": null"));
	CHECK("next: json: no rate", !!strstr(text, "\"eta_ms\": null"));
	CHECK("next: json: a path that is none here says so",
	      !!strstr(text, "\"path\": \"/b\", \"mounted_here\": false"));
	CHECK("next: json: when it was", !!strstr(text, "\"wall_time\": "));
	CHECK("next: json: the keys of every report", has_common_keys(text));
	next_free(&next);

	begin(&next, &report, 7, rows, 3);
	generations(&next, 1, 4, false);
	next_compute(&next);
	text = printed(&next, &out, true);
	CHECK("next: json: the last folio first",
	      !!strstr(text, "[1, 2, 1],\n      [1, 1, 1],\n      [1, 0, 1]"));
	next_free(&next);
}

static int collected(struct next *next, struct report *report, uint64_t pages)
{
	struct collect collect = { .report = report };

	report_free(report);
	report->page_size = 4096;
	*next = (struct next){ .report = report, .bytes = pages * 4096 };
	return next_collect(&collect, next, NULL, 0);
}

/* More rows than there is room for: of several lists whole ones would be missing. */
static void check_room(void)
{
	struct output out = { .json = true };
	struct report report = {};
	struct next next;
	const char *text;

	nr_listed = 3;
	listed[0] = listed[2] = 1;
	listed[1] = 0;
	CHECK("next: room: two lists with pages",
	      !collected(&next, &report, 2) && next.nr_lists == 2 && !next.cut);
	CHECK("next: room: both are asked", next_pages(&next, NEXT_GOES) == 2);
	text = printed(&next, &out, false);
	CHECK("next: room: the pages of a file", !!strstr(text, "\"pages\": 1"));
	next_free(&next);

	listed[0] = 1 << 21;
	CHECK("next: room: not for the second", collected(&next, &report, 2) == EXIT_FAILED);
	CHECK_STR("next: room: what is to be done", complain_last() ?: "",
		  "more pages than the order can hold: name one cgroup below");
	next_free(&next);

	listed[0]++;
	nr_listed = 1;
	CHECK("next: room: one list", !collected(&next, &report, 1 << 21));
	CHECK("next: room: all that there is room for is enough",
	      next_pages(&next, NEXT_GOES) == 1 << 21 && next_ends(&next) == NEXT_ENOUGH);
	text = printed(&next, &out, false);
	CHECK("next: room: how many a file has is not known", !!strstr(text, "\"pages\": null"));
	next_free(&next);
	CHECK("next: room: one page more",
	      !collected(&next, &report, (1 << 21) + 1) && next_ends(&next) == NEXT_ROOM);
	next_free(&next);
	report_free(&report);
}

/* Behind what there was no room for nothing is known: not what is passed over either. */
static void check_cut(void)
{
	struct pcinspect_next_row rows[] = {
		row(0, 0, 3, 1), row(1, 0, 3, 1), row(2, 0, 3, 2), row(3, 0, 3, CLASSIC),
	};
	struct report report;
	struct next next;
	int reworked;

	rows[1].tier = 3;
	rows[1].flags = PCINSPECT_ROW_FULL;
	for (reworked = 0; reworked < 2; reworked++) {
		begin(&next, &report, 100, rows, 3);
		generations(&next, 1, 4, reworked);
		next.cut = true;
		next_compute(&next);
		check_pieces("next: cut: the order ends there", &next,
			     reworked ? "a0+3 c0+3" : "a0+3 b2+3- c0+3");
		CHECK("next: cut: it says so", next_ends(&next) == NEXT_ROOM);
		next_free(&next);
	}
	begin(&next, &report, 100, rows + 3, 1);
	generations(&next, 1, 4, true);
	next.cut = true;
	next_compute(&next);
	check_pieces("next: cut: no generation is there", &next, "");
	next_free(&next);
}

int main(void)
{
	check_classic();
	check_device();
	check_held();
	check_generations();
	check_tiers();
	check_batches();
	check_lists();
	check_said();
	check_room();
	check_cut();
	return !!test_failures;
}
