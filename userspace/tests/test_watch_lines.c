// SPDX-License-Identifier: GPL-2.0-only
/* test_lines.c - bars: as wide as asked, no part lost, nothing past the end. */
#include "lib/text.h"
#include "test.h"

static void bar(const char *name, const __u64 *parts, int n, int width,
		const char *want)
{
	char out[128];

	memset(out, '#', sizeof(out));
	bar_text(out, parts, "Aiuo", n, width);
	CHECK_STR(name, out, want);
	CHECK("nothing written past the end", out[width + 1] == '#');
}

int main(void)
{
	__u64 big = ~0ULL / 4;

	bar("nothing", (__u64[]){ 0, 0 }, 2, 8, "........");
	bar("one part", (__u64[]){ 9, 0 }, 2, 8, "AAAAAAAA");
	bar("three to one", (__u64[]){ 3, 1 }, 2, 8, "AAAAAAii");
	bar("a crumb is seen", (__u64[]){ 1000000, 1 }, 2, 8, "AAAAAAAi");
	bar("crumbs first", (__u64[]){ 1, 1, 1, 1000000 }, 4, 8, "Aiuooooo");
	bar("more parts than cells", (__u64[]){ 1, 1, 1, 1 }, 4, 2, "Ai");
	bar("no overflow", (__u64[]){ big, big, big }, 3, 6, "AAiiuu");
	return test_failures != 0;
}
