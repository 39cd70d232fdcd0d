// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf_kunit.c - the arguments of functions are read from types as the kernel
 * writes them, and what is damaged is refused.
 */
#include <kunit/test.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <uapi/linux/btf.h>

#include "hooks/btf.h"

#define INFO(kind, nr) ((BTF_KIND_##kind << 24) | (nr))

/* Of the kernel, and of a module: names are numbers in them. */
static const char btf_strings[] = "\0kiocb\0file\0read\0loop";
#define STR_KIOCB 1
#define STR_FILE 7
#define STR_READ 12
#define STR_LOOP 17
static const char btf_module_strings[] = "fsync";
#define STR_FSYNC sizeof(btf_strings)

static const u32 btf_types[] = {
	STR_KIOCB, INFO(STRUCT, 0),	8, /* 1: struct kiocb */
	0,	   INFO(PTR, 0),	1, /* 2: its pointer */
	STR_FILE,  INFO(STRUCT, 1),	8,  0,	6,  0, /* 3: struct file, with an int */
	0,	   INFO(CONST, 0),	3, /* 4 */
	0,	   INFO(PTR, 0),	4, /* 5: const struct file * */
	0,	   INFO(INT, 0),	4,  32, /* 6 */
	STR_FILE,  INFO(TYPEDEF, 0),	2, /* 7: a name for struct kiocb * */
	0,	   INFO(FUNC_PROTO, 3), 6,  0,	7,  0, 5, 0, 6, /* 8 */
	STR_READ,  INFO(FUNC, 0),	8, /* 9 */
	0,	   INFO(TYPEDEF, 0),	10, /* 10: a name for itself */
	0,	   INFO(FUNC_PROTO, 1), 0,  0,	10, /* 11 */
	STR_LOOP,  INFO(FUNC, 0),	11, /* 12 */
};

static const u32 btf_module_types[] = {
	0,	   INFO(FUNC_PROTO, 1), 0,  0, 5, /* 13: of the kernel's type */
	STR_FSYNC, INFO(FUNC, 0),	13, /* 14 */
};

/* A file with these types and strings. */
static void *btf_file(struct kunit *test, const u32 *types, size_t types_size,
		      const char *strings, size_t strings_size, size_t *size)
{
	struct btf_header header = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(header),
		.type_len = types_size,
		.str_off = types_size,
		.str_len = strings_size,
	};
	void *data;

	*size = sizeof(header) + types_size + strings_size;
	data = vmalloc(*size);
	KUNIT_ASSERT_NOT_NULL(test, data);
	memcpy(data, &header, sizeof(header));
	memcpy(data + sizeof(header), types, types_size);
	memcpy(data + sizeof(header) + types_size, strings, strings_size);
	return data;
}

static const struct {
	const char *function;
	const char *args;
	enum pcinspect_btf_answer answer;
} btf_questions[] = {
	{ "read", "kiocb file", PCINSPECT_BTF_AGREES },
	{ "read", "- file -", PCINSPECT_BTF_AGREES },
	{ "read", "file", PCINSPECT_BTF_DIFFERS },
	{ "read", "kioc file", PCINSPECT_BTF_DIFFERS },
	{ "read", "kiocb file file", PCINSPECT_BTF_DIFFERS },
	{ "read", "kiocb - - -", PCINSPECT_BTF_DIFFERS },
	{ "write", "kiocb", PCINSPECT_BTF_UNKNOWN },
	{ "loop", "file", PCINSPECT_BTF_DIFFERS },
};

static void btf_arguments(struct kunit *test)
{
	struct pcinspect_btf kernel, module;
	size_t size, i;
	void *data;

	data = btf_file(test, btf_types, sizeof(btf_types), btf_strings,
			sizeof(btf_strings), &size);
	KUNIT_ASSERT_EQ(test, 0, pcinspect_btf_parse(&kernel, data, size, NULL));
	for (i = 0; i < ARRAY_SIZE(btf_questions); i++)
		KUNIT_EXPECT_EQ(test, btf_questions[i].answer,
				pcinspect_btf_ask(&kernel,
						  btf_questions[i].function,
						  btf_questions[i].args));

	data = btf_file(test, btf_module_types, sizeof(btf_module_types),
			btf_module_strings, sizeof(btf_module_strings), &size);
	KUNIT_ASSERT_EQ(test, 0,
			pcinspect_btf_parse(&module, data, size, &kernel));
	KUNIT_EXPECT_EQ(test, PCINSPECT_BTF_AGREES,
			pcinspect_btf_ask(&module, "fsync", "file"));
	KUNIT_EXPECT_EQ(test, PCINSPECT_BTF_DIFFERS,
			pcinspect_btf_ask(&module, "fsync", "kiocb"));
	pcinspect_btf_free(&module);
	pcinspect_btf_free(&kernel);
}

/* Each single word of it is made a large number: it ends, and reads nothing else. */
static void btf_damaged(struct kunit *test)
{
	struct pcinspect_btf btf;
	unsigned int refused = 0;
	size_t size, at, cut;
	void *data;

	for (at = 0; at < sizeof(struct btf_header) + sizeof(btf_types);
	     at += sizeof(u32)) {
		data = btf_file(test, btf_types, sizeof(btf_types), btf_strings,
				sizeof(btf_strings), &size);
		*(u32 *)(data + at) = U32_MAX;
		if (pcinspect_btf_parse(&btf, data, size, NULL)) {
			vfree(data);
			refused++;
			continue;
		}
		pcinspect_btf_ask(&btf, "read", "kiocb file");
		pcinspect_btf_free(&btf);
	}
	KUNIT_EXPECT_GE(test, refused, 5U);
	for (cut = 0; cut < size; cut++) {
		data = btf_file(test, btf_types, sizeof(btf_types), btf_strings,
				sizeof(btf_strings), &size);
		KUNIT_EXPECT_EQ(test, -EINVAL,
				pcinspect_btf_parse(&btf, data, cut, NULL));
		vfree(data);
	}
}

static struct kunit_case btf_cases[] = { KUNIT_CASE(btf_arguments),
					 KUNIT_CASE(btf_damaged),
					 {} };

static struct kunit_suite btf_suite = {
	.name = "pcinspect_btf",
	.test_cases = btf_cases,
};

kunit_test_suite(btf_suite);
