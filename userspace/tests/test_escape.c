// SPDX-License-Identifier: GPL-2.0
/* test_escape.c - escapes and UTF-8, with every edge of the encodings. */
#include <locale.h>
#include <stdlib.h>

#include "lib/escape.h"
#include "test.h"

int main(void)
{
	static const struct { const char *in, *out; } escapes[] = {
		{ "", "" }, { "/a/b", "/a/b" }, { "a b", "a\\040b" },
		{ "a\nb\\c\x7f", "a\\012b\\134c\\177" }, { "\xff", "\\377" }, { "gr\xc3\xbcn", "gr\xc3\xbcn" },
		{ "\xc2\x9b" "31m", "\\302\\23331m" },	/* C1 control */
		{ "\xcd\xb8", "\\315\\270" },		/* unassigned */
		{ "cut \xe6\xbc", "cut\\040\\346\\274" },
	};
	static const struct { const char *text; int good; } texts[] = {
		{ "", 1 }, { "abc", 1 }, { "\xc3\xbc", 1 }, { "\xe6\xbc\xa2", 1 },
		{ "\xf0\x9f\x98\x80", 1 }, { "\xf4\x8f\xbf\xbf", 1 },
		{ "\xc0\x80", 0 },		/* overlong */
		{ "\xe0\x80\x80", 0 },		/* overlong */
		{ "\xed\xa0\x80", 0 },		/* surrogate */
		{ "\xf4\x90\x80\x80", 0 },	/* past U+10FFFF */
		{ "\xc3", 0 }, { "\xe6\xbc", 0 }, { "\x80", 0 }, { "a\xffz", 0 },
	};
	char *text;
	size_t i;

	setlocale(LC_CTYPE, "C.UTF-8");
	for (i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		text = escape_path(escapes[i].in);
		CHECK_STR("escape", text, escapes[i].out);
		free(text);
	}
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CHECK("utf8", utf8_valid(texts[i].text) == texts[i].good);
	text = utf8_replace("a\xff" "b\xe6\xbc");
	CHECK_STR("replaced", text, "a\xef\xbf\xbd" "b\xef\xbf\xbd\xef\xbf\xbd");
	CHECK("replaced is utf8", utf8_valid(text));
	free(text);
	text = hex_text("a\xff");
	CHECK_STR("hex", text, "61ff");
	free(text);
	return test_failures != 0;
}
