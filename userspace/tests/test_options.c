// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_options.c - which files are wanted, the orders they come in, words that were
 * nearly right, and the list of --files-from.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cmd/files_from.h"
#include "lib/text.h"
#include "test.h"
#include "view/order.h"

static void globs(void)
{
	struct selection what = {};

	CHECK("no globs: all", options_want(&what, "/a/b.c"));
	what.globs[0].pattern = "*.c";
	what.nr_globs = 1;
	CHECK("of the name", options_want(&what, "/a/b.c") && !options_want(&what, "/a.c/b"));
	CHECK("a name alone", options_want(&what, "b.c"));
	what.globs[1] = (struct glob_option){ "/a/x/*", true };
	what.nr_globs = 2;
	CHECK("with a slash of the path", !options_want(&what, "/a/x/b.c") &&
	      options_want(&what, "/a/y/b.c"));
	what.globs[2] = (struct glob_option){ ".git", true };
	what.globs[3] = (struct glob_option){ "*.h", false };
	what.nr_globs = 4;
	CHECK("a directory that is excluded", options_skip(&what, "/src/.git"));
	CHECK("one of two", options_want(&what, "b.h") && !options_want(&what, "b.o"));
}

static void orders(void)
{
	struct file files[4] = { { .path = (char *)"/c" }, { .path = (char *)"/b" },
				 { .path = (char *)"/a" }, {} };

	know(&files[0].snap, PCINSPECT_DEVICE_BYTES, 0, -1);
	know(&files[1].snap, PCINSPECT_DEVICE_BYTES, 0, -1);
	CHECK("0 is before unknown", order_compare(&files[0], &files[2], SORT_READ) < 0 &&
	      order_compare(&files[2], &files[0], SORT_READ) > 0);
	CHECK("equals are equal", !order_compare(&files[0], &files[1], SORT_READ));
	CHECK("then by name", order_compare(&files[0], &files[1], SORT_PATH) > 0);
	CHECK("no name is last", order_compare(&files[0], &files[3], SORT_PATH) < 0 &&
	      order_compare(&files[3], &files[0], SORT_PATH) > 0 &&
	      !order_compare(&files[3], &files[3], SORT_PATH));
	CHECK("what is known", order_known(&files[0], SORT_READ) &&
	      !order_known(&files[2], SORT_READ) && order_known(&files[2], SORT_PATH));
}

static void words(void)
{
	CHECK("equal", words_differ("json", "json") == 0);
	CHECK("exchanged", words_differ("json", "jsno") == 1);
	CHECK("one too many", words_differ("stat", "stats") == 1);
	CHECK("nothing alike", words_differ("stat", "") == 4);
	CHECK("too long", words_differ("stat", "a-word-of-much-more-than-31-letters-in-all") > 31);
}

static struct args listed(const char *text, size_t size, bool null, int want)
{
	char name[] = "/tmp/pcinspect-list-XXXXXX", typed[] = "typed";
	char *operands[] = { typed, NULL };
	struct args args = { .from = name, .null = null, .what.paths = operands, .what.nr_paths = 1 };
	int fd = mkstemp(name);

	args.what.globs[0] = (struct glob_option){ "*.o", true };
	args.what.nr_globs = 1;
	if (fd < 0 || write(fd, text, size) != (ssize_t)size)
		exit(1);
	close(fd);
	CHECK("a list is read, or refused", files_from_read(&args) == want);
	unlink(name);
	return args;
}

static void lists(void)
{
	struct args args = listed("a b\n\nx.o\n/last", 14, false, -1);

	CHECK("operands, then names", args.what.nr_paths == 3 && !strcmp(args.what.paths[0], "typed") &&
	      !strcmp(args.what.paths[1], "a b") && !strcmp(args.what.paths[2], "/last"));
	files_from_free(&args);
	args = listed("a\nb\0c\0", 6, true, -1);
	CHECK("null bytes", args.what.nr_paths == 3 && !strcmp(args.what.paths[1], "a\nb") &&
	      !strcmp(args.what.paths[2], "c"));
	files_from_free(&args);
	args = listed("", 0, false, 1);
	files_from_free(&args);
	args = listed("x.o\n", 4, false, 1);
	files_from_free(&args);
	args = listed("a\0b\0", 4, false, 2);
	files_from_free(&args);
}

int main(void)
{
	globs();
	orders();
	words();
	lists();
	return test_failures != 0;
}
