// SPDX-License-Identifier: GPL-2.0-only
/*
 * junit.c - limits as test cases, in the XML of JUnit, which CI servers read. Touches a stream.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "view/html.h"
#include "view/junit.h"
#include "view/limits.h"

/* One case; @outcome is failure or error, NULL: it has passed. */
static void put_case(FILE *to, const char *name, const char *outcome, const char *message)
{
	char *text = escape_line(name);

	fputs("  <testcase classname=\"pcinspect assert\" name=\"", to);
	html_text(to, text);
	if (outcome) {
		fprintf(to, "\">\n    <%s message=\"", outcome);
		html_text(to, message);
		fputs("\"/>\n  </testcase>\n", to);
	} else {
		fputs("\"/>\n", to);
	}
	free(text);
}

/**
 * junit_write() - a test suite: a case for each limit, and one for how the command ended
 * @to: where
 * @limits: judged
 * @command: its name
 *
 * A limit of which nobody knows whether it holds is an error, not a failure. Numbers are exact.
 */
void junit_write(FILE *to, const struct limits *limits, const char *command)
{
	static const char *const outcomes[] = {
		[LIMIT_OK] = NULL, [LIMIT_FAILED] = "failure", [LIMIT_UNKNOWN] = "error",
	};
	size_t i, nr[] = { 0, 0, 0 };
	char *name = alloc_text("%s ends with status 0", command);
	char *status = alloc_text("status %d", limits->status);

	for (i = 0; i < limits->nr; i++)
		nr[limits->list[i].result]++;
	fprintf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		"<testsuite name=\"pcinspect assert\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\">\n",
		limits->nr + 1, nr[LIMIT_FAILED] + !!limits->status, nr[LIMIT_UNKNOWN]);
	put_case(to, name, limits->status ? "failure" : NULL, status);
	for (i = 0; i < limits->nr; i++) {
		char *measured = limit_measured(&limits->list[i], false);

		put_case(to, limits->list[i].text, outcomes[limits->list[i].result], measured);
		free(measured);
	}
	fputs("</testsuite>\n</testsuites>\n", to);
	free(status);
	free(name);
}
