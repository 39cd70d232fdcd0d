// SPDX-License-Identifier: GPL-2.0-only
/*
 * jsonw.c - JSON, written value by value: a report of a million files needs no more memory
 * than one of ten. Strings are valid UTF-8 and fit for any terminal.
 *
 * A command that a signal ends while it writes to stdout leaves a whole document: the
 * handler closes all that is open. A signal that arrives while a value is being written
 * is handled behind it. Only signals that would kill the program are handled.
 * Touches the stream that it is given; SIGHUP, SIGINT and SIGTERM.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/jsonw.h"

/* The document on stdout, whether it is being written to, and the signal that came then. */
static struct jsonw *guarded;
static volatile sig_atomic_t busy, pending;

static const int fatal[] = { SIGHUP, SIGINT, SIGTERM };

static void die(int number)
{
	struct jsonw *w = guarded;

	guarded = NULL;
	jsonw_end(w);
	signal(number, SIG_DFL);
	raise(number);
}

static void caught(int number)
{
	if (busy)
		pending = number;
	else if (guarded)
		die(number);
}

/* Let signals wait until leave(): what is between is one value, or part of it. */
static void enter(const struct jsonw *w)
{
	busy += w == guarded;
}

static void leave(const struct jsonw *w)
{
	if (w == guarded && !--busy && pending)
		die(pending);
}

static void guard(struct jsonw *w)
{
	struct sigaction action;
	size_t i;

	for (i = 0; i < sizeof(fatal) / sizeof(*fatal); i++) {
		if (sigaction(fatal[i], NULL, &action) || action.sa_handler != SIG_DFL)
			continue;
		action = (struct sigaction){ .sa_handler = caught };
		sigaction(fatal[i], &action, NULL);
		guarded = w;
	}
}

static void unguard(void)
{
	struct sigaction action;
	size_t i;

	guarded = NULL;
	for (i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		if (!sigaction(fatal[i], NULL, &action) && action.sa_handler == caught)
			signal(fatal[i], SIG_DFL);
}

/**
 * jsonw_begin() - begin a document
 * @w: filled in
 * @to: where; a signal that ends the program completes the document if this is stdout
 * @pretty: over many lines; otherwise on one
 */
void jsonw_begin(struct jsonw *w, FILE *to, bool pretty)
{
	*w = (struct jsonw){ .to = to, .pretty = pretty };
	if (to == stdout)
		guard(w);
}

static bool flat(const struct jsonw *w)
{
	return !w->pretty || (w->flat && w->depth >= w->flat);
}

static void newline(const struct jsonw *w)
{
	int i;

	if (flat(w)) {
		if (w->pretty)
			putc(' ', w->to);
		return;
	}
	putc('\n', w->to);
	for (i = 0; i < w->depth; i++)
		fputs("  ", w->to);
}

/* Is it the same between quotes? Keys and most names are. */
static bool plain(const char *text)
{
	for (; *text; text++)
		if ((signed char)*text < ' ' || *text == 0x7f || *text == '"' || *text == '\\')
			return false;
	return true;
}

static void put_string(FILE *to, const char *text)
{
	char *valid, *out = NULL;
	const unsigned char *p;
	size_t size;
	FILE *quoted;

	if (plain(text)) {
		putc('"', to);
		fputs(text, to);
		putc('"', to);
		return;
	}
	valid = utf8_valid(text) ? NULL : utf8_replace(text);
	quoted = alloc_stream(&out, &size);

	for (p = (const unsigned char *)(valid ?: text); *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(quoted, "\\%c", *p);
		else if (*p == '\n')
			fputs("\\n", quoted);
		else if (*p == '\t')
			fputs("\\t", quoted);
		else if (*p < ' ')
			fprintf(quoted, "\\u%04x", *p);
		else
			putc(*p, quoted);
	}
	alloc_close(quoted);
	out = escape_json(out);
	fprintf(to, "\"%s\"", out);
	free(out);
	free(valid);
}

/* Write the comma, the line, the key before a value. */
static void before(struct jsonw *w, const char *key)
{
	if (w->depth) {
		if (w->used[w->depth - 1])
			putc(',', w->to);
		w->used[w->depth - 1] = true;
		newline(w);
	}
	if (!key)
		return;
	put_string(w->to, key);
	fputs(w->pretty ? ": " : ":", w->to);
}

/**
 * jsonw_open() - begin an object or a list
 * @w: where
 * @key: its key; NULL in a list and at the top
 * @bracket: '{' or '['
 */
void jsonw_open(struct jsonw *w, const char *key, char bracket)
{
	enter(w);
	before(w, key);
	putc(bracket, w->to);
	w->bracket[w->depth] = bracket;
	w->used[w->depth++] = false;
	leave(w);
}

/* Begin an object that stands on one line. */
void jsonw_row(struct jsonw *w, const char *key)
{
	jsonw_open(w, key, '{');
	if (!w->flat)
		w->flat = w->depth;
}

/* End the object or list that was begun last. */
void jsonw_close(struct jsonw *w)
{
	bool used, one_line;

	enter(w);
	one_line = flat(w);
	used = w->used[--w->depth];
	if (used && one_line && w->pretty)
		putc(' ', w->to);
	else if (used && !one_line)
		newline(w);
	putc(w->bracket[w->depth] == '{' ? '}' : ']', w->to);
	if (w->depth < w->flat)
		w->flat = 0;
	leave(w);
}

/* End objects and lists until so many are open. */
void jsonw_close_to(struct jsonw *w, int depth)
{
	while (w->depth > depth)
		jsonw_close(w);
}

/* A value that is JSON already. */
void jsonw_raw(struct jsonw *w, const char *key, const char *json)
{
	enter(w);
	before(w, key);
	fputs(json, w->to);
	leave(w);
}

void jsonw_null(struct jsonw *w, const char *key)
{
	jsonw_raw(w, key, "null");
}

void jsonw_bool(struct jsonw *w, const char *key, bool value)
{
	jsonw_raw(w, key, value ? "true" : "false");
}

void jsonw_count(struct jsonw *w, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	jsonw_raw(w, key, text);
}

/* A count, or null where it is not known. */
void jsonw_maybe(struct jsonw *w, const char *key, bool known, uint64_t value)
{
	if (known)
		jsonw_count(w, key, value);
	else
		jsonw_null(w, key);
}

void jsonw_signed(struct jsonw *w, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	jsonw_raw(w, key, text);
}

/* A number that is no count: in as few digits as read back to it; never NaN. */
void jsonw_real(struct jsonw *w, const char *key, double value)
{
	char text[40];

	if (!isfinite(value)) {
		jsonw_null(w, key);
		return;
	}
	snprintf(text, sizeof(text), "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);
	if (!strpbrk(text, ".e"))
		strcat(text, ".0");
	jsonw_raw(w, key, text);
}

/* The same, or null where it is not known. */
void jsonw_maybe_real(struct jsonw *w, const char *key, bool known, double value)
{
	jsonw_real(w, key, known ? value : NAN);
}

/* Any bytes as a string; NULL is null. */
void jsonw_text(struct jsonw *w, const char *key, const char *value)
{
	if (!value) {
		jsonw_null(w, key);
		return;
	}
	enter(w);
	before(w, key);
	put_string(w->to, value);
	leave(w);
}

/**
 * jsonw_path() - a path, and its bytes in hex where JSON cannot hold them
 * @w: where
 * @key: for the path; the bytes have this and "_hex"
 * @path: raw; NULL is null
 */
void jsonw_path(struct jsonw *w, const char *key, const char *path)
{
	char *hex_key, *hex;

	jsonw_text(w, key, path);
	if (!path || utf8_valid(path))
		return;
	hex_key = alloc_text("%s_hex", key);
	hex = hex_text(path);
	jsonw_text(w, hex_key, hex);
	free(hex_key);
	free(hex);
}

/* A device by number. */
void jsonw_dev(struct jsonw *w, const char *key, unsigned int major, unsigned int minor)
{
	char text[32];

	snprintf(text, sizeof(text), "%u:%u", major, minor);
	jsonw_text(w, key, text);
}

/**
 * jsonw_end() - close all that is open, and see to it that all was written
 * @w: the document
 *
 * Return: 0, or -1 with errno set.
 */
int jsonw_end(struct jsonw *w)
{
	if (w == guarded)
		unguard();
	jsonw_close_to(w, 0);
	putc('\n', w->to);
	if (fflush(w->to))
		return -1;
	if (!ferror(w->to))
		return 0;
	/* An earlier write failed. */
	errno = errno ?: EIO;
	return -1;
}
