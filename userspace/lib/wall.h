/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wall.h - times of the wall clock in words, and words as times.
 */
#ifndef PCINSPECT_WALL_H
#define PCINSPECT_WALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * enum moment_kind - how somebody said when
 * @MOMENT_WALL: a date and a time
 * @MOMENT_OF_DAY: a local time of a day that is not said
 * @MOMENT_SECONDS: so long after something began
 */
enum moment_kind { MOMENT_WALL, MOMENT_OF_DAY, MOMENT_SECONDS };

/**
 * struct moment - when, as somebody said it
 * @kind: what @ns counts
 * @ns: since 1970, since midnight, or since the beginning
 */
struct moment {
	enum moment_kind kind;
	int64_t ns;
};

#define WALL_TEXT 40	/* room for any of these */

void wall_utc(char *out, size_t size, uint64_t ns);
void wall_local(char *out, size_t size, uint64_t ns);
void wall_time_of_day(char *out, size_t size, uint64_t ns);
bool moment_parse(const char *text, struct moment *moment);
int64_t moment_after(const struct moment *moment, uint64_t begin, uint64_t end);

#endif /* PCINSPECT_WALL_H */
