// SPDX-License-Identifier: GPL-2.0-only
/*
 * columns.c - the one array that tables, --output and its help are made of.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/complain.h"
#include "lib/text.h"
#include "view/columns.h"

static const struct column columns[] = {
#define NUMBER(id, name, heading, unit, class, files, json, needs, help) \
	{ heading, A_NUMBER, PCINSPECT_##id, help },
#include "numbers_table.h"
#undef NUMBER
	{ "AMPL", AMPLIFICATION, 0, "bytes fetched for each byte asked for" },
	{ "WRITE_AMPL", WRITE_AMPLIFICATION, 0, "device bytes for each byte written" },
	{ "CACHED%", CACHED_PERCENT, 0, "how much of the file is cached" },
	{ "SIZE", SIZE, 0, "size of the file" },
	{ "DEV", DEV, 0, "device of the filesystem" },
	{ "INO", INO, 0, "inode number" },
	{ "I_GENERATION", GENERATION, 0, "tells reused inode numbers apart" },
	{ "FS", FS, 0, "filesystem type" },
	{ "KIND", KIND, 0, "auto or explicit record" },
	{ "ORDERS", ORDERS, 0, "order:pages of its folios" },
	{ "MEMCG", MEMCG, 0, "memory cgroup charged with most pages" },
	{ "REAL_PATH", REAL_PATH, 0, "whose pages they are (overlayfs)" },
	{ "PATH", PATH, 0, "path" },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

static const char *const default_columns =
	"CACHED,ACTIVE,INACTIVE,UNEVICTABLE,OFF_LRU,DIRTY,WRITEBACK,EVICTED,GEN0,GEN1,GEN2,GEN3,CACHED%,SIZE,PATH";

/* For want of room these go first, the first of them before all others. */
static const char *const spare[] = {
	"OFF_LRU", "INVALIDATE", "HOLE", "UNKNOWN", "OTHER", "UNKNOWN_AGE", "FORCED",
	"WRITE_AMPL", "UNEVICTABLE", "WRITEBACK", "GEN0 GEN1 GEN2 GEN3",
	"SYNC ASYNC AROUND WRITE", "EVICTED", "ACTIVE INACTIVE", "DIRTY",
};

#define NR_SPARE (int)(sizeof(spare) / sizeof(*spare))

/**
 * columns_rank() - how soon a column may go for want of room
 * @column: which
 *
 * Return: see struct grid_column.
 */
int columns_rank(const struct column *column)
{
	size_t len = strlen(column->name);
	const char *at;
	int i;

	for (i = 0; i < NR_SPARE; i++)
		for (at = spare[i]; *at; at += strcspn(at, " "), at += *at == ' ')
			if (strcspn(at, " ") == len && !strncmp(at, column->name, len))
				return NR_SPARE - i;
	return 0;
}

static const struct column *find_column(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < NR_COLUMNS; i++)
		if (columns[i].name && strlen(columns[i].name) == len &&
		    !strncasecmp(columns[i].name, name, len))
			return &columns[i];
	return NULL;
}

/* Resolve a list of names; returns how many, or -1 with *@bad at the culprit. */
static int resolve_columns(const char *list, const struct column **to, size_t room,
			   const char **bad)
{
	size_t n = 0;

	while (*list) {
		size_t len = strcspn(list, ",");

		*bad = list;
		if (n == room)
			return -1;
		to[n] = find_column(list, len);
		if (!to[n])
			return -1;
		n++;
		list += len;
		list += *list == ',';
	}
	return n;
}

/* One line of -o help: what it is called, counts, is worth, and is. */
static void print_column(const struct column *column)
{
	static const char *const units[] = { PCINSPECT_UNIT_WORDS };
	static const char *const classes[] = { PCINSPECT_CLASS_WORDS };
	const struct number_row *row = &number_rows[column->number];
	bool number = column->special == A_NUMBER;

	if (column->name)
		printf("%-13s %-6s %-8s %s\n", column->name,
		       number ? units[row->unit] : "-",
		       number ? classes[row->class] : "-", column->help);
}

/**
 * columns_check() - is --output usable
 * @list: its argument; "help" lists the columns, a leading "+" adds to the
 *	default ones
 *
 * Return: -1 to go on, else the exit status.
 */
int columns_check(const char *list)
{
	const struct column *to[MAX_COLUMNS / 2];
	const char *bad = list;
	struct like like;
	size_t i;

	if (!strcmp(list, "help")) {
		for (i = 0; i < NR_COLUMNS; i++)
			print_column(&columns[i]);
		return 0;
	}
	if (resolve_columns(list + (*list == '+'), to, MAX_COLUMNS / 2, &bad) <= 0) {
		like = (struct like){ .typed = bad, .len = strcspn(bad, ",") };
		for (i = 0; i < NR_COLUMNS; i++)
			if (columns[i].name)
				like_word(&like, columns[i].name);
		complain(NULL, "--output: no column %.*s (%s%s%s-o help lists them)",
			 (int)like.len, bad, like.word ? "perhaps " : "", like.word ?: "",
			 like.word ? "; " : "");
		return EXIT_USAGE;
	}
	return -1;
}

/**
 * columns_name() - the columns, one after the other
 * @i: 0, 1…
 * @help: set to one line about it
 *
 * Return: its name, NULL behind the last.
 */
const char *columns_name(size_t i, const char **help)
{
	size_t k;

	for (k = 0; k < NR_COLUMNS; k++) {
		if (!columns[k].name || i--)
			continue;
		*help = columns[k].help;
		return columns[k].name;
	}
	return NULL;
}

/**
 * columns_parse() - which columns to print
 * @defaults: names, NULL: those of stat
 * @list: --output, checked before, or NULL
 * @use: room for MAX_COLUMNS
 *
 * Return: how many.
 */
int columns_parse(const char *defaults, const char *list, const struct column **use)
{
	const char *bad;
	int n = 0;

	if (!list || *list == '+')
		n = resolve_columns(defaults ?: default_columns, use, MAX_COLUMNS, &bad);
	if (list)
		n += resolve_columns(list + (*list == '+'), use + n,
				     MAX_COLUMNS - n, &bad);
	return n;
}
