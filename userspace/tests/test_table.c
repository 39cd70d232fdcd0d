// SPDX-License-Identifier: GPL-2.0
/* test_table.c - a table on a narrow terminal, and a limit. */
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "view/table.h"

/* What a terminal of 80 columns gets to see. */
static void printed(const struct report *report, const struct args *args,
		    char *text, size_t size)
{
	struct winsize narrow = { .ws_row = 24, .ws_col = 80 };
	size_t used = 0;
	int terminal;
	ssize_t n;

	if (!forkpty(&terminal, NULL, NULL, &narrow)) {
		table_print(report, args);
		fflush(stdout);
		_exit(0);
	}
	while (used < size - 1 && (n = read(terminal, text + used, size - 1 - used)) > 0)
		used += n;
	text[used] = '\0';
	close(terminal);
	wait(NULL);
}

int main(void)
{
	struct args args = { .limit = 2 };
	struct report report = {};
	char name[] = "/a/path/0", text[8192];

	for (; name[8] < '3'; name[8]++)
		report_add(&report, name);
	fflush(stdout);
	printed(&report, &args, text, sizeof(text));
	CHECK("every column on a narrow terminal", strstr(text, "CACHED") && strstr(text, "PATH"));
	CHECK("the limit", strstr(text, "/a/path/0") && strstr(text, "/a/path/1") &&
	      !strstr(text, "/a/path/2"));
	CHECK("what it left out", strstr(text, "and 1 more") != NULL);
	args.limit = 0;
	printed(&report, &args, text, sizeof(text));
	CHECK("no limit", strstr(text, "/a/path/2") && !strstr(text, "more"));
	report_free(&report);
	return test_failures != 0;
}
