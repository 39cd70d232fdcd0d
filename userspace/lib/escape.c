// SPDX-License-Identifier: GPL-2.0-only
/*
 * escape.c - text that is never sent to a terminal unescaped: the name of a
 * file, a thread or a cgroup, an event, a recording of somebody else.
 *
 * One table says which characters those are; tables, screen, text, complaints and
 * JSON ask it. Paths get the octal escapes of the module's debugfs files, text
 * the same but keeps its blanks, JSON its own escapes, and bytes that are not UTF-8
 * are replaced there. Pure.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#include "lib/alloc.h"
#include "lib/escape.h"

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

/* The character that a well-formed sequence is. */
static uint32_t decode_utf8(const unsigned char *p, size_t len)
{
	uint32_t c = len == 1 ? p[0] : p[0] & (0x7f >> len);
	size_t i;

	for (i = 1; i < len; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

/*
 * Characters that are printable to the locale, and yet show nothing or change how
 * what follows is shown: hyphens and joiners that are not there, marks and
 * overrides of the direction (a name ending in "exe.txt" that ends in "txt.exe"),
 * line separators, fillers, variation selectors, tags.
 */
static const struct {
	uint32_t first, last;
} unseen[] = {
	{ 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c }, { 0x115f, 0x1160 },
	{ 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
	{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
};

/**
 * escape_wanted() - may a terminal not get a character as it is
 * @c: the character
 *
 * Control characters, C1 and DEL among them, what the locale cannot print, and
 * what nobody would see. The program runs in C.UTF-8, so letters stay readable
 * whatever LANG is.
 *
 * Return: true if so.
 */
bool escape_wanted(uint32_t c)
{
	size_t i;

	if (c < 0x7f)
		return c < ' ';
	for (i = 0; i < sizeof(unseen) / sizeof(*unseen); i++)
		if (c >= unseen[i].first && c <= unseen[i].last)
			return true;
	return !iswprint(c);
}

/* Octal escapes for what is not to be seen, and for @also. */
static char *octal(const char *text, const char *also)
{
	const unsigned char *p = (const unsigned char *)text;
	char *out = alloc_array(NULL, 1, strlen(text) * 4 + 1), *o = out;

	while (*p) {
		size_t len;

		/* Most of most names. */
		if (*p > ' ' && *p < 0x7f && *p != '\\') {
			*o++ = *p++;
			continue;
		}
		len = sequence(p);
		if (!len || escape_wanted(decode_utf8(p, len)) ||
		    (len == 1 && strchr(also, *p))) {
			len = len ?: 1;
			while (len--)
				o += sprintf(o, "\\%03o", *p++);
		} else {
			o = mempcpy(o, p, len);
			p += len;
		}
	}
	*o = '\0';
	return out;
}

/**
 * escape_path() - make a path one word on one line of any terminal
 * @path: bytes
 *
 * Space, backslash and every byte that is not part of a character to be seen
 * become \ooo. (libsmartcols 2.38 never returns from printing what it cannot
 * decode.)
 *
 * Return: a new string.
 */
char *escape_path(const char *path)
{
	return octal(path, " \\");
}

/**
 * unescape_path() - the path that escape_path() was given
 * @text: its answer, changed in place
 *
 * Return: false if that is none.
 */
bool unescape_path(char *text)
{
	char *to = text;
	int i;

	while (*text) {
		unsigned int byte = 0;

		if (*text != '\\') {
			*to++ = *text++;
			continue;
		}
		for (i = 1; i <= 3; i++) {
			if (text[i] < '0' || text[i] > '7')
				return false;
			byte = byte * 8 + text[i] - '0';
		}
		if (!byte || byte > 0xff)
			return false;
		*to++ = byte;
		text += 4;
	}
	*to = '\0';
	return true;
}

/**
 * escape_line() - make a text one line of any terminal
 * @text: words, of which some may be a stranger's; paths in it are escaped already
 *
 * Return: a new string.
 */
char *escape_line(const char *text)
{
	return octal(text, "");
}

/**
 * escape_mask() - the same in place, where there is no room for more
 * @text: every byte that is not to be seen becomes a question mark
 */
void escape_mask(char *text)
{
	unsigned char *p = (unsigned char *)text;

	while (*p) {
		size_t len = sequence(p);
		bool bad = !len || escape_wanted(decode_utf8(p, len));

		for (len = len ?: 1; len--; p++)
			if (bad)
				*p = '?';
	}
}

/**
 * escape_json() - make JSON that means the same and is fit for any terminal
 * @text: well-formed JSON, allocated; gone afterwards
 *
 * JSON allows DEL, C1 controls and the like within its strings, which is where
 * all that is not ASCII is. NULL stays NULL.
 *
 * Return: it, or a new string.
 */
char *escape_json(char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	char *out = NULL, *o = NULL;

	/* \ud83d\ude00 is the longest of what four bytes can become. */
	while (p && *p) {
		size_t len = sequence(p);
		uint32_t c = len ? decode_utf8(p, len) : 0xfffd;
		bool wanted = c >= 0x7f && escape_wanted(c);

		if (wanted && !out) {
			out = alloc_array(NULL, 1, strlen(text) * 6 + 1);
			o = mempcpy(out, text, (const char *)p - text);
		}
		len = len ?: 1;
		if (wanted && c > 0xffff)
			o += sprintf(o, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
				     0xdc00 + ((c - 0x10000) & 0x3ff));
		else if (wanted)
			o += sprintf(o, "\\u%04x", c);
		else if (out)
			o = mempcpy(o, p, len);
		p += len;
	}
	if (!out)
		return text;
	*o = '\0';
	free(text);
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
	char *out = alloc_array(NULL, 1, strlen(text) * 3 + 1), *o = out;
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
	char *out = alloc_array(NULL, 1, strlen(text) * 2 + 1), *o = out;
	const unsigned char *p;

	for (p = (const unsigned char *)text; *p; p++)
		o += sprintf(o, "%02x", *p);
	*o = '\0';
	return out;
}
