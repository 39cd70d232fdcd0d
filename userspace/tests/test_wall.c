// SPDX-License-Identifier: GPL-2.0-only
/* test_wall.c - times in words, and words as times. */
#include <stdlib.h>
#include <time.h>

#include "lib/wall.h"
#include "test.h"

#define NS 1000000000LL
#define BEGIN (1763823845LL * NS + 123456789)	/* 2025-11-22T15:04:05Z */

/* Of something that took @hours: seconds after its beginning, "?": no time. */
static const char *after(const char *text, double hours)
{
	static char out[32];
	struct moment moment;

	snprintf(out, sizeof(out), "?");
	if (moment_parse(text, &moment))
		snprintf(out, sizeof(out), "%.3f",
			 moment_after(&moment, BEGIN, BEGIN + hours * 3600 * NS) / 1e9);
	return out;
}

int main(void)
{
	static const char *const none[] = {
		"", "x", "-1", "1x", "12:", "12:60", "24:00", "12:00x", "12:00:00.", "2025-11-22",
		"2025-13-22T12:00:00Z", "2025-11-22T12:00:00+1", "2025-11-22T12:00:00Zx", "nan",
		"2025-02-31T12:00:00Z",
	};
	char text[WALL_TEXT];
	struct moment never;
	size_t i;

	setenv("TZ", "XXX-5:30", 1);
	tzset();
	wall_utc(text, sizeof(text), BEGIN);
	CHECK_STR("UTC", text, "2025-11-22T15:04:05.123456Z");
	wall_local(text, sizeof(text), BEGIN);
	CHECK_STR("local", text, "2025-11-22T20:34:05.123456+05:30");
	wall_time_of_day(text, sizeof(text), BEGIN);
	CHECK_STR("of the day", text, "20:34:05.123456");
	CHECK_STR("what is printed can be read", after("2025-11-22T15:04:05.123456Z", 1), "-0.000");
	CHECK_STR("in any zone", after("2025-11-22T16:04:06.123456789+01:00", 1), "1.000");
	CHECK_STR("without: here", after("2025-11-22 20:35:05.123456789", 1), "60.000");
	CHECK_STR("before", after("2025-11-22T15:04:04.123456789Z", 1), "-1.000");
	CHECK_STR("a time of day", after("20:35", 1), "54.877");
	CHECK_STR("with seconds", after("20:34:06.123456789", 1), "1.000");
	CHECK_STR("before it began", after("20:33:05.123456789", 1), "-60.000");
	CHECK_STR("unless it lasted that long", after("00:00", 5), "12354.877");
	CHECK_STR("seconds", after("1.5", 1), "1.500");
	CHECK("a time that never comes", moment_parse("9999-12-31T23:59:59Z", &never) &&
	      never.ns > BEGIN);
	for (i = 0; i < sizeof(none) / sizeof(*none); i++)
		CHECK_STR("no time", after(none[i], 1), "?");
	return test_failures != 0;
}
