// SPDX-License-Identifier: GPL-2.0-only
/* test_escape.c - escapes and UTF-8, with every edge of the encodings. */
#include <locale.h>
#include <stdlib.h>

#include "lib/complain.h"
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
		{ "\xe2\x80\xae" "gpj.exe", "\\342\\200\\256gpj.exe" },	/* an override */
		{ "a\xe2\x80\x8b" "b", "a\\342\\200\\213b" },	/* no width */
		{ "e\xcc\x81", "e\xcc\x81" },			/* an accent is seen */
		{ "\xf3\xa0\x81\x81", "\\363\\240\\201\\201" },	/* a tag */
	};
	static const struct { const char *in, *out; } json[] = {
		{ "{\"a\":\"gr\xc3\xbcn\\u001b\"}", "{\"a\":\"gr\xc3\xbcn\\u001b\"}" },
		{ "\"\x7f\xc2\x9b" "2J\"", "\"\\u007f\\u009b2J\"" },
		{ "\"a\xe2\x81\xa6" "b\"\n", "\"a\\u2066b\"\n" },
		{ "\"\xf3\xa0\x81\x81\"", "\"\\udb40\\udc41\"" },
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
	text = escape_line("a b\\c\033[2J\n\xe2\x80\xaex");
	CHECK_STR("a line keeps its blanks", text, "a b\\c\\033[2J\\012\\342\\200\\256x");
	free(text);
	for (i = 0; i < sizeof(json) / sizeof(*json); i++) {
		text = escape_json(strdup(json[i].in));
		CHECK_STR("json", text, json[i].out);
		free(text);
	}
	CHECK("no json", !escape_json(NULL));
	text = strdup("a \xc2\x9b" "2J\xffgr\xc3\xbcn\n");
	escape_mask(text);
	CHECK_STR("masked", text, "a ??2J?gr\xc3\xbcn?");
	free(text);
	complain("a\nb", "%s: %s", "\033[2J", "x y");
	CHECK_STR("a complaint is a line", complain_last(), "a\\012b: \\033[2J: x y");
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
