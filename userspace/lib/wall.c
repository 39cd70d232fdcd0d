// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall.c - times of the wall clock in words (RFC 3339), and words as times. Pure but
 * for the time zone.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/wall.h"

#define NS 1000000000LL
#define DAY (24 * 3600 * NS)

/* "2026-11-22T15:04:05.123456Z" */
void wall_utc(char *out, size_t size, uint64_t ns)
{
	time_t seconds = ns / NS;
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &tm));
	snprintf(out, size, "%s.%06uZ", text, (unsigned int)(ns % NS / 1000));
}

/* "2026-11-22T16:04:05.123456+01:00" */
void wall_local(char *out, size_t size, uint64_t ns)
{
	time_t seconds = ns / NS;
	char text[32];
	struct tm tm;
	long offset;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", localtime_r(&seconds, &tm));
	offset = labs(tm.tm_gmtoff) / 60;
	snprintf(out, size, "%s.%06u%c%02ld:%02ld", text, (unsigned int)(ns % NS / 1000),
		 tm.tm_gmtoff < 0 ? '-' : '+', offset / 60, offset % 60);
}

/* "16:04:05.123456", the local time */
void wall_time_of_day(char *out, size_t size, uint64_t ns)
{
	char text[WALL_TEXT];

	wall_local(text, sizeof(text), ns);
	snprintf(out, size, "%.15s", strchr(text, 'T') + 1);
}

/* Two digits, or as many as are asked for; -1: they are not there. */
static int digits(const char **text, int n)
{
	int value = 0;

	for (; n--; (*text)++) {
		if (!isdigit((unsigned char)**text))
			return -1;
		value = value * 10 + **text - '0';
	}
	return value;
}

static bool skip(const char **text, const char *any)
{
	if (!**text || !strchr(any, **text))
		return false;
	(*text)++;
	return true;
}

/* "HH:MM[:SS[.frac]]"; -1: it is none. */
static int64_t of_day(const char **text)
{
	int64_t ns, unit = NS;
	int h, m, s = 0;

	h = digits(text, 2);
	if (h < 0 || h > 23 || !skip(text, ":"))
		return -1;
	m = digits(text, 2);
	if (m < 0 || m > 59)
		return -1;
	if (skip(text, ":")) {
		s = digits(text, 2);
		if (s < 0 || s > 60)
			return -1;
	}
	ns = ((h * 60 + m) * 60LL + s) * NS;
	if (!skip(text, "."))
		return ns;
	for (; isdigit((unsigned char)**text); (*text)++) {
		unit /= 10;
		ns += (**text - '0') * unit;
	}
	return unit == NS ? -1 : ns;
}

/* The end of RFC 3339: "Z", "+01:00", or nothing: the local time. */
static bool zone(const char *text, bool *local, long *offset)
{
	int sign = *text == '-' ? -1 : 1, h, m;

	*local = !*text;
	*offset = 0;
	if (!*text || !strcmp(text, "Z") || !strcmp(text, "z"))
		return true;
	if (!skip(&text, "+-"))
		return false;
	h = digits(&text, 2);
	if (h < 0 || h > 23 || !skip(&text, ":"))
		return false;
	m = digits(&text, 2);
	*offset = sign * (h * 60 + m) * 60L;
	return m >= 0 && m < 60 && !*text;
}

static bool date_and_time(const char *text, struct moment *moment)
{
	struct tm tm = { .tm_isdst = -1 };
	int64_t ns;
	time_t day;
	long offset;
	bool local;
	int mday;

	tm.tm_year = digits(&text, 4) - 1900;
	if (!skip(&text, "-"))
		return false;
	tm.tm_mon = digits(&text, 2) - 1;
	if (!skip(&text, "-"))
		return false;
	tm.tm_mday = digits(&text, 2);
	if (tm.tm_year < 70 || tm.tm_mon < 0 || tm.tm_mon > 11 || tm.tm_mday < 1 ||
	    tm.tm_mday > 31 || !skip(&text, "Tt "))
		return false;
	ns = of_day(&text);
	if (ns < 0 || !zone(text, &local, &offset))
		return false;
	tm.tm_hour = ns / NS / 3600;
	tm.tm_min = ns / NS / 60 % 60;
	tm.tm_sec = ns / NS % 60;
	mday = tm.tm_mday;
	day = local ? mktime(&tm) : timegm(&tm) - offset;
	/* Nanoseconds end in 2262: what is later is never. */
	*moment = (struct moment){ MOMENT_WALL, day < INT64_MAX / NS ? day * NS + ns % NS : INT64_MAX };
	/* No 31st of February. */
	return day >= 0 && tm.tm_mday == mday;
}

/**
 * moment_parse() - when somebody means
 * @text: RFC 3339 (without a zone: the local time), HH:MM[:SS[.frac]], or seconds
 * @moment: filled in
 *
 * Return: false if it is none of these.
 */
bool moment_parse(const char *text, struct moment *moment)
{
	const char *at = text;
	char *end;
	double seconds;

	if (date_and_time(text, moment))
		return true;
	moment->ns = of_day(&at);
	moment->kind = MOMENT_OF_DAY;
	if (moment->ns >= 0 && !*at)
		return true;
	seconds = strtod(text, &end);
	if (end == text || *end || !isfinite(seconds) || seconds < 0 || seconds > 1e9)
		return false;
	*moment = (struct moment){ MOMENT_SECONDS, seconds * NS };
	return true;
}

/**
 * moment_after() - a moment of something that began and ended
 * @moment: when, as somebody said it
 * @begin: of it, ns since 1970
 * @end: likewise
 *
 * A time of day is of the day on which it began, or of the next one if it lasted
 * that long.
 *
 * Return: ns after @begin, below 0 if it is before.
 */
int64_t moment_after(const struct moment *moment, uint64_t begin, uint64_t end)
{
	time_t day = begin / NS;
	struct tm tm;
	int64_t ns;

	if (moment->kind == MOMENT_SECONDS)
		return moment->ns;
	if (moment->kind == MOMENT_WALL)
		return moment->ns - (int64_t)begin;
	localtime_r(&day, &tm);
	tm.tm_hour = moment->ns / NS / 3600;
	tm.tm_min = moment->ns / NS / 60 % 60;
	tm.tm_sec = moment->ns / NS % 60;
	tm.tm_isdst = -1;
	ns = mktime(&tm) * NS + moment->ns % NS;
	if (ns < (int64_t)begin && ns + DAY <= (int64_t)end)
		ns += DAY;
	return ns - (int64_t)begin;
}
