/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field.h - the numbers of a kind of row that is no file: a device, an audit, a cgroup, an
 * fsync call. Each is listed once, in a table; the writers of JSON (view/json.c), of tables
 * and CSV (view/sheet.c) and of metrics (view/openmetrics.c) know no field by name.
 *
 * The numbers of a file have a table of their own, include/numbers_table.h, because the
 * module has it as well.
 */
#ifndef PCINSPECT_MODEL_FIELD_H
#define PCINSPECT_MODEL_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "numbers.h"

/* enum field_type - what stands in a row, or what its function returns */
enum field_type {
	FIELD_U64,	/* PCINSPECT_UNKNOWN is unknown */
	FIELD_U32,
	FIELD_S64,
	FIELD_REAL,
	FIELD_BOOL,
	FIELD_TEXT,	/* a pointer, NULL is unknown */
	FIELD_PATH,	/* likewise; its bytes may be anything */
	FIELD_CHARS,	/* an array, with its end */
	FIELD_COMM,	/* PCINSPECT_COMM_LEN bytes, perhaps without an end */
	FIELD_DEV,	/* major, minor: two u32 */
};

/* enum field_flag - bits of struct field.flags */
enum field_flag {
	FIELD_OPTIONAL = 1 << 0,	/* it is left out while it is unknown or 0 */
	FIELD_IF_KNOWN = 1 << 1,	/* it is left out while it is unknown */
	FIELD_NOT_ZERO = 1 << 2,	/* 0 is unknown */
	FIELD_KEEP = 1 << 3,		/* its column stays, however narrow the terminal is */
	FIELD_LEFT = 1 << 4,		/* its column is text */
	FIELD_SHRINKS = 1 << 5,		/* its column is a path, which may be shortened */
	FIELD_COUNTER = 1 << 6,		/* as a metric it only grows */
};

/* union field_value - what a function of a field returns, by the type of the field */
union field_value {
	uint64_t count;
	int64_t number;
	double real;
	bool yes;
	const char *text;
};

/**
 * struct field - one of a row
 * @key: in JSON; "a.b" is b in an object a; NULL: it is not there
 * @type: what it is
 * @flags: enum field_flag
 * @offset: where it stands in the row
 * @get: or what computes it, of the row and of what the row belongs to; false: unknown
 * @needs: bits that the row's flags must have, or it is unknown
 * @unless: bits that make it unknown
 * @known: one more than where the row has a bool without which it is unknown; 0: none
 * @in: bits of the lists that it is in; 0: all
 * @heading: of its column; NULL: it has none
 * @unit: people read pages and bytes with a unit
 * @rank: how soon its column may go for want of room, see struct grid_column
 * @order: one more than the order by it; 0: there is none
 * @cell: makes its cell, a new string that is fit for a terminal; NULL: its value does
 * @metric: its name as a metric, without its unit; NULL: it is none
 * @metric_what: its label, of several metrics with one name
 * @help: one line about it
 */
struct field {
	const char *key;
	enum field_type type;
	unsigned int flags;
	size_t offset;
	bool (*get)(const void *row, const void *of, union field_value *value);
	uint32_t needs;
	uint32_t unless;
	size_t known;
	uint32_t in;
	const char *heading;
	enum pcinspect_unit unit;
	int rank;
	int order;
	char *(*cell)(const void *row, const void *of);
	const char *metric;
	const char *metric_what;
	const char *help;
};

/**
 * struct fields - all of a kind of row
 * @list: in the order in which they are written; those of one object follow one another
 * @nr: how many
 * @row_flags: where a row has the u32 that @needs and @unless are about
 * @in: bit of the list that is meant, of those that fields are in; 0: all fields
 */
struct fields {
	const struct field *list;
	size_t nr;
	size_t row_flags;
	uint32_t in;
};

#define FIELDS(table, ...) \
	{ .list = table, .nr = sizeof(table) / sizeof(*(table)), __VA_ARGS__ }

/* The type of a member; arrays are named by FIELD_AS(). */
#define FIELD_TYPE(row, member) _Generic(((struct row *)0)->member,		\
	unsigned long: FIELD_U64, unsigned long long: FIELD_U64,		\
	unsigned int: FIELD_U32, long: FIELD_S64, double: FIELD_REAL,		\
	bool: FIELD_BOOL, char *: FIELD_TEXT, const char *: FIELD_TEXT)

/* A member by its own name, by another one, by another type, and what is computed. */
#define FIELD(row, member, ...) FIELD_KEY(row, member, #member, __VA_ARGS__)
#define FIELD_KEY(row, member, name, ...) \
	{ .key = name, .type = FIELD_TYPE(row, member), \
	  .offset = offsetof(struct row, member), __VA_ARGS__ }
#define FIELD_AS(row, member, name, kind, ...) \
	{ .key = name, .type = FIELD_##kind, .offset = offsetof(struct row, member), __VA_ARGS__ }
#define FIELD_GET(name, kind, function, ...) \
	{ .key = name, .type = FIELD_##kind, .get = function, __VA_ARGS__ }

/* The function of a computed field: @result is set to @expression of @row, if @known. */
#define FIELD_COMPUTE(function, type, result, expression, known)			\
	FIELD_ASK(function, type, (known) && ((value->result = (expression)), true))

/* The same, where @known sets the value by itself. */
#define FIELD_ASK(function, type, known)						\
	static bool function(const void *row_, const void *of, union field_value *value) \
	{										\
		const struct type *row = row_;						\
											\
		(void)of;								\
		return known;								\
	}

/* Its column; one of a path, which is in tables only; and its metric. */
#define COLUMN(name, of, ...) .heading = name, .unit = PCINSPECT_UNIT_##of, ##__VA_ARGS__
#define COLUMN_PATH(name, function, ...) .type = FIELD_PATH, .heading = name, \
	.cell = function, .flags = FIELD_KEEP | FIELD_LEFT | FIELD_SHRINKS, ##__VA_ARGS__
#define METRIC(name, text) .metric = name, .help = text
#define COUNTER(name, text) METRIC(name, text), .flags = FIELD_COUNTER

#define FIELD_IF(row, member) .known = offsetof(struct row, member) + 1

bool field_is_in(const struct fields *fields, const struct field *field);
bool field_value(const struct fields *fields, const struct field *field, const void *row,
		 const void *of, union field_value *value);

#endif /* PCINSPECT_MODEL_FIELD_H */
