// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_keyfile.c - the forms of key-value files that the kernel has, and unknown numbers.
 */
#include <stdlib.h>
#include <unistd.h>

#include "lib/keyfile.h"
#include "test.h"

static char path[] = "/tmp/pcinspect-keyfile-XXXXXX";

static void put(const char *text)
{
	FILE *to = fopen(path, "w");

	if (!to || fputs(text, to) < 0 || fclose(to))
		exit(1);
}

static void check_forms(void)
{
	uint64_t value = 7;

	put("nr_dirty 12\nMemTotal:       2048 kB\n  indented\t3\nnr_max 18446744073709551615\n"
	    "nr_dirty 13\nno_end 4");
	CHECK("as in vmstat; the first of two", keyfile_find(&value, "nr_dirty", "%s", path) &&
	      value == 12);
	CHECK("as in meminfo", keyfile_find(&value, "MemTotal", "%s", path) && value == 2048);
	CHECK("indented, with a tabulator", keyfile_find(&value, "indented", "%s", path) &&
	      value == 3);
	CHECK("all bits", keyfile_find(&value, "nr_max", "%s", path) && value == UINT64_MAX);
	CHECK("a last line without an end", keyfile_find(&value, "no_end", "%s", path) &&
	      value == 4);
}

static void check_unknown(void)
{
	uint64_t value = 7;

	put("text words\n\nlonger_key 1\nempty\nnegative -1\nempty_too: \n");
	CHECK("a key that is absent", !keyfile_find(&value, "absent", "%s", path));
	CHECK("a key that another begins with", !keyfile_find(&value, "longer", "%s", path));
	CHECK("a key whose value is text", !keyfile_find(&value, "text", "%s", path));
	CHECK("a key without a value", !keyfile_find(&value, "empty", "%s", path) &&
	      !keyfile_find(&value, "empty_too", "%s", path));
	CHECK("a negative number", !keyfile_find(&value, "negative", "%s", path));
	CHECK("a file that is absent", !keyfile_find(&value, "x", "%s/x", path) &&
	      !keyfile_number(&value, "%s/x", path));
	put("max\n");
	CHECK("no limit", !keyfile_number(&value, "%s", path));
	put("");
	CHECK("an empty file", !keyfile_number(&value, "%s", path));
	CHECK("what is unknown leaves the variable as it is", value == 7);
	put("0\n");
	CHECK("0 is a number", keyfile_number(&value, "%s", path) && !value);
}

static void check_lines(void)
{
	static char text[10000];
	struct keyfile file;

	memset(text, 'x', sizeof(text) - 6);
	strcpy(text + sizeof(text) - 6, " 5\nk");
	put(text);
	CHECK("a long line is one", keyfile_open(&file, "%s", path) && keyfile_next(&file) &&
	      file.value == 5 && strlen(file.key) == sizeof(text) - 6);
	CHECK("the next line is whole", keyfile_line(&file) && !strcmp(file.line, "k"));
	CHECK("the end", !keyfile_line(&file) && !keyfile_next(&file));
	keyfile_close(&file);
	keyfile_close(&file);
	CHECK("an absent file has no lines", !keyfile_open(&file, "%s/x", path) &&
	      !keyfile_line(&file) && !keyfile_next(&file));
	keyfile_close(&file);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	check_forms();
	check_unknown();
	check_lines();
	unlink(path);
	return !!test_failures;
}
