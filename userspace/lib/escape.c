// SPDX-License-Identifier: GPL-2.0
/*
 * escape.c - the same octal escapes as the module's debugfs files, and the
 * replacement of bytes that are not UTF-8 for JSON. Pure.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "lib/escape.h"

static void *allocate(size_t size)
{
	void *p = malloc(size);

	if (!p)
		err(1, "out of memory");
	return p;
}

/**
 * escape_path() - make a path one word on one line of any terminal
 * @path: bytes
 *
 * Space, backslash and every byte that is not part of a printable character of
 * the locale become \ooo. (libsmartcols 2.38 never returns from printing what
 * it cannot decode, and a terminal obeys some of the rest.) The program runs
 * in C.UTF-8, so UTF-8 stays readable whatever LANG is.
 *
 * Return: a new string.
 */
char *escape_path(const char *path)
{
	char *out = allocate(strlen(path) * 4 + 1), *o = out;
	mbstate_t state = {};

	while (*path) {
		wchar_t wide;
		size_t n;

		/* Most of most names. */
		if (*path > ' ' && *path < 0x7f && *path != '\\') {
			*o++ = *path++;
			continue;
		}
		n = mbrtowc(&wide, path, strlen(path), &state);
		bool bad = n == (size_t)-1 || n == (size_t)-2;

		if (bad) {
			memset(&state, 0, sizeof(state));
			n = 1;
		}
		if (bad || !iswprint(wide) || wide == L' ' || wide == L'\\') {
			while (n--)
				o += sprintf(o, "\\%03o", (unsigned char)*path++);
		} else {
			o = mempcpy(o, path, n);
			path += n;
		}
	}
	*o = '\0';
	return out;
}

/**
 * escape_comm() - the same for a task's name
 * @comm: 16 bytes, perhaps with no end among them
 *
 * Return: a new string.
 */
char *escape_comm(const char *comm)
{
	char name[17] = "";

	memccpy(name, comm, 0, sizeof(name) - 1);
	return escape_path(name);
}

/*
 * Length of the well-formed UTF-8 sequence at @p (Unicode table 3-7: no
 * overlong forms, no surrogates, nothing past U+10FFFF), 0 if there is none.
 */
static size_t sequence(const unsigned char *p)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t len, i;

	if (p[0] < 0x80)
		return p[0] ? 1 : 0;
	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		len = 2;
	else if (p[0] >= 0xe0 && p[0] <= 0xef)
		len = 3;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		len = 4;
	else
		return 0;
	if (p[0] == 0xe0)
		low = 0xa0;
	else if (p[0] == 0xed)
		high = 0x9f;
	else if (p[0] == 0xf0)
		low = 0x90;
	else if (p[0] == 0xf4)
		high = 0x8f;
	for (i = 1; i < len; i++) {
		if (p[i] < low || p[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return len;
}

/* Is a string well-formed UTF-8? */
bool utf8_valid(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		size_t len = sequence(p);

		if (!len)
			return false;
		p += len;
	}
	return true;
}

/* Replace every byte that is not UTF-8 by U+FFFD. Returns a new string. */
char *utf8_replace(const char *text)
{
	char *out = allocate(strlen(text) * 3 + 1), *o = out;
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		size_t len = sequence(p);

		if (len) {
			memcpy(o, p, len);
			o += len;
			p += len;
		} else {
			memcpy(o, "\xef\xbf\xbd", 3);
			o += 3;
			p++;
		}
	}
	*o = '\0';
	return out;
}

/* Every byte as two hexadecimal digits. Returns a new string. */
char *hex_text(const char *text)
{
	char *out = allocate(strlen(text) * 2 + 1), *o = out;
	const unsigned char *p;

	for (p = (const unsigned char *)text; *p; p++)
		o += sprintf(o, "%02x", *p);
	*o = '\0';
	return out;
}
