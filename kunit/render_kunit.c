// SPDX-License-Identifier: GPL-2.0-only
/*
 * render_kunit.c - escaping: one path is one word, whatever is in it.
 */
#include <kunit/test.h>
#include <linux/string.h>

#include "surface/render.h"

struct escape_case {
	const char *in;
	const char *want;
};

static const struct escape_case escape_cases[] = {
	{ "", "" },
	{ "/plain/path", "/plain/path" },
	{ "a b", "a\\040b" },
	{ "new\nline", "new\\012line" },
	{ "back\\slash", "back\\134slash" },
	{ "\x01\x1f\x7f", "\\001\\037\\177" },
	{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
	{ "\xff\x80", "\xff\x80" },
};

static void escape_describe(const struct escape_case *c, char *buf)
{
	strscpy(buf, *c->want ? c->want : "(empty)", KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(escape, escape_cases, escape_describe);

static void render_escape(struct kunit *test)
{
	const struct escape_case *c = test->param_value;
	char out[64];

	KUNIT_EXPECT_EQ(test, strlen(c->want),
			pcinspect_render_escape(out, sizeof(out), c->in,
						strlen(c->in)));
	KUNIT_EXPECT_STREQ(test, c->want, out);
}

/* Too small a buffer: never past its end, never half an escape. */
static void render_escape_short(struct kunit *test)
{
	char out[8] = "XXXXXXX";

	KUNIT_EXPECT_EQ(test, (size_t)6,
			pcinspect_render_escape(out, 5, "a\nb", 3));
	KUNIT_EXPECT_STREQ(test, "a", out);
	KUNIT_EXPECT_EQ(test, 'X', out[5]);
	KUNIT_EXPECT_EQ(test, (size_t)3,
			pcinspect_render_escape(NULL, 0, "abc", 3));
}

static struct kunit_case render_cases[] = { KUNIT_CASE_PARAM(render_escape,
							     escape_gen_params),
					    KUNIT_CASE(render_escape_short),
					    {} };

static struct kunit_suite render_suite = {
	.name = "pcinspect_render",
	.test_cases = render_cases,
};

kunit_test_suite(render_suite);
