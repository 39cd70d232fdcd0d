// SPDX-License-Identifier: GPL-2.0-only
/* test_ranges.c - sets of ranges, and the file of save with every line that it may not have. */
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/complain.h"
#include "model/ranges.h"
#include "trace/ranges_file.h"
#include "test.h"

#define PAGES 64

/* The pages of a number's bits. */
static struct ranges of_bits(uint64_t bits)
{
	struct ranges ranges = {};
	int i;

	for (i = 0; i < PAGES; i++)
		if (bits >> i & 1)
			ranges_add(&ranges, i, 1, i / 16 % 2);
	return ranges;
}

static uint64_t to_bits(const struct ranges *ranges)
{
	uint64_t bits = 0, k;
	size_t i;

	for (i = 0; i < ranges->nr; i++)
		for (k = 0; k < ranges->list[i].pages; k++)
			bits |= 1ULL << (ranges->list[i].index + k);
	return bits;
}

/* Sums and differences of random sets, page by page. */
static void test_sets(void)
{
	int wrong = 0, lists = 0, has = 0, tries, i;

	srandom(1);
	for (tries = 0; tries < 2000; tries++) {
		uint64_t x = (uint64_t)random() << 33 ^ random() << 11 ^ random();
		uint64_t y = (uint64_t)random() << 31 & (uint64_t)random() << 17;
		struct ranges a = of_bits(x), b = of_bits(tries % 3 ? y : y ^ x), left = {};

		ranges_without(&a, &b, &left);
		wrong += to_bits(&left) != (x & ~to_bits(&b)) ||
			 ranges_pages(&left, RANGE_ANY_LIST) !=
			 (uint64_t)__builtin_popcountll(x & ~to_bits(&b));
		lists += ranges_pages(&a, 0) + ranges_pages(&a, 1) !=
			 ranges_pages(&a, RANGE_ANY_LIST);
		for (i = 0; i < PAGES; i++)
			has += ranges_has(&a, i) != (x >> i & 1);
		ranges_free(&a);
		ranges_free(&b);
		ranges_free(&left);
	}
	CHECK("what of a is not in b", !wrong);
	CHECK("by list", !lists);
	CHECK("is it among them", !has);
}

static void test_long(void)
{
	struct ranges ranges = {};

	ranges_add(&ranges, 1, 3ULL << 32, 1);
	ranges_add(&ranges, 1 + (3ULL << 32), 1, 1);
	CHECK("longer than a range can be", ranges_pages(&ranges, 1) == (3ULL << 32) + 1 &&
	      ranges.nr == 4);
	ranges_free(&ranges);
}

static bool read_text(const char *text, struct saved_files *saved)
{
	char path[] = "/tmp/test_ranges.XXXXXX";
	int fd = mkstemp(path);
	bool good;

	if (write(fd, text, strlen(text)) < 0)
		return false;
	close(fd);
	good = ranges_file_read(path, saved);
	unlink(path);
	return good;
}

#define HEAD "pcinspect-saved 1\npage_size 4096\n"

static void test_file(void)
{
	static const char *const wrong[] = {
		"", "\n", "pcinspect-saved 2\npage_size 4096\n", "pcinspect-saved 1\n",
		"pcinspect-saved 1\npage_size 0\n", HEAD "active 0 1\n", HEAD "file\n",
		HEAD "file 4096 1 ? relative\n", HEAD "file 4096 1 ? /a\\08\n",
		HEAD "file 4096 1 ? /a\\000\n", HEAD "file 4096 1 ? /a\\\n",
		HEAD "file 4096 1 x /a\n", HEAD "file 4096 1 ? /a\nactive 0\n",
		HEAD "file 4096 1 ? /a\nactive 0 0\n", HEAD "file 4096 1 ? /a\nactive 0 2\n",
		HEAD "file 4096 1 ? /a\nactive 1 1\n", HEAD "file 4096 1 ? /a\nlazy 0 1\n",
		HEAD "file 9000 1 ? /a\nactive 1 1\nactive 0 1\n",
		HEAD "file 9000 1 ? /a\nactive 1 1\nactive 1 1\n",
		HEAD "file 9000 1 ? /a\nactive 18446744073709551615 1\n",
		HEAD "file 9000 1 ? /a\nactive 1 4294967295\n",
		HEAD "file 18446744073709551615 1 ? /a\nactive 18446744073709551615 9\n",
	};
	struct saved_file file = {
		.path = "/a b\nc\\\xff", .size_bytes = 123456, .mtime_ns = -5, .generation = 7,
	};
	struct saved_files saved;
	char *text;
	size_t i, size;
	FILE *to;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		CHECK("it is none", !read_text(wrong[i], &saved));
		saved_files_free(&saved);
	}
	CHECK("and said", !!strstr(complain_last() ?: "", "line 4"));
	ranges_add(&file.ranges, 0, 3, PCINSPECT_RANGE_ACTIVE);
	ranges_add(&file.ranges, 3, 3, PCINSPECT_RANGE_OFF_LRU);
	ranges_add(&file.ranges, 30, 1, RANGE_ANY_LIST);
	to = open_memstream(&text, &size);
	ranges_file_head(to, 4096);
	ranges_file_add(to, &file);
	fclose(to);
	CHECK("what was written is read", read_text(text, &saved) && saved.nr == 1 &&
	      saved.page_size == 4096);
	CHECK_STR("its path", saved.files[0].path, file.path);
	CHECK("its time", saved.files[0].mtime_ns == -5 && saved.files[0].generation == 7 &&
	      saved.files[0].size_bytes == 123456);
	CHECK("its ranges", saved.files[0].ranges.nr == 3 &&
	      !memcmp(saved.files[0].ranges.list, file.ranges.list, 3 * sizeof(*file.ranges.list)));
	saved_files_free(&saved);
	ranges_free(&file.ranges);
	free(text);
	CHECK("no such file", !ranges_file_read("/nowhere/at/all", &saved));
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_sets();
	test_long();
	test_file();
	return test_failures != 0;
}
