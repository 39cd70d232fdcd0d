/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf.h - the arguments of functions of the running kernel.
 */
#ifndef PCINSPECT_BTF_H
#define PCINSPECT_BTF_H

#include <linux/types.h>

/**
 * struct pcinspect_btf - the types of the kernel, or of one of its modules
 * @data: as /sys/kernel/btf has it
 * @strings: in there
 * @nr_bytes: of strings
 * @first_byte: number of the first of these: modules go on from the kernel's
 * @offsets: of each type, in @data
 * @nr: of types
 * @first: number of the first type: modules go on from the kernel's
 * @base: of a module, the kernel's, else NULL
 */
struct pcinspect_btf {
	void *data;
	const char *strings;
	u32 nr_bytes;
	u32 first_byte;
	u32 *offsets;
	u32 nr;
	u32 first;
	const struct pcinspect_btf *base;
};

/* enum pcinspect_btf_answer - are a function's arguments what a probe takes them for? */
enum pcinspect_btf_answer {
	PCINSPECT_BTF_UNKNOWN, /* it is not in there, or not in words we know */
	PCINSPECT_BTF_AGREES,
	PCINSPECT_BTF_DIFFERS,
};

int pcinspect_btf_parse(struct pcinspect_btf *btf, void *data, size_t size,
			const struct pcinspect_btf *base);
enum pcinspect_btf_answer pcinspect_btf_ask(const struct pcinspect_btf *btf,
					    const char *function,
					    const char *args);
void pcinspect_btf_free(struct pcinspect_btf *btf);

enum pcinspect_btf_answer pcinspect_btf_look(const char *function,
					     const char *args);
void pcinspect_btf_forget(void);

#endif /* PCINSPECT_BTF_H */
