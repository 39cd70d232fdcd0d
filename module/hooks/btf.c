// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf.c - the arguments of probed functions, as the running kernel describes
 * them.
 *
 * Why: static functions, and those of filesystems, are declared in no header
 * that a build could be held against (prototypes.c), and a probe that takes an
 * argument for what it is not follows a wrong pointer. Kernels that have
 * CONFIG_DEBUG_INFO_BTF have the types of a function in /sys/kernel/btf;
 * without them they are unknown. Format: Documentation/bpf/btf.rst.
 *
 * A function is searched once. The kernel's types are some MiB, and freed as
 * soon as hooks are attached.
 *
 * May touch: files in /sys/kernel/btf, by reading.
 *
 * Locks: hook_mutex, or demand_mutex > btf_mutex.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <uapi/linux/btf.h>

#include "kunit_visible.h"
#include "hooks/btf.h"

#define BTF_MAX_BYTES (64 << 20)

/* Qualifiers and names before a type itself. */
#define BTF_MAX_DEPTH 16

static DEFINE_MUTEX(btf_mutex);
static struct pcinspect_btf btf_kernel; /* under btf_mutex */

/* The size of a type in bytes; 0: of an unknown kind. */
static size_t btf_size(const struct btf_type *type)
{
	size_t nr = BTF_INFO_VLEN(type->info), more;

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		more = 0;
		break;
	case BTF_KIND_INT:
		more = sizeof(u32);
		break;
	case BTF_KIND_ARRAY:
		more = sizeof(struct btf_array);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		more = nr * sizeof(struct btf_member);
		break;
	case BTF_KIND_ENUM:
		more = nr * sizeof(struct btf_enum);
		break;
	case BTF_KIND_ENUM64:
		more = nr * sizeof(struct btf_enum64);
		break;
	case BTF_KIND_FUNC_PROTO:
		more = nr * sizeof(struct btf_param);
		break;
	case BTF_KIND_VAR:
		more = sizeof(struct btf_var);
		break;
	case BTF_KIND_DATASEC:
		more = nr * sizeof(struct btf_var_secinfo);
		break;
	case BTF_KIND_DECL_TAG:
		more = sizeof(struct btf_decl_tag);
		break;
	default:
		return 0;
	}
	return sizeof(*type) + more;
}

/* Where each type begins, if there is room for that. Return: how many; 0: bad. */
static u32 btf_index(const void *data, u32 begin, u32 end, u32 *offsets)
{
	size_t size, at;
	u32 nr = 0;

	for (at = begin; at < end; at += size) {
		if (end - at < sizeof(struct btf_type))
			return 0;
		size = btf_size(data + at);
		if (!size || size > end - at)
			return 0;
		if (offsets)
			offsets[nr] = at;
		nr++;
	}
	return nr;
}

/* Is a section within what there is of a file? */
static bool btf_fits(const struct btf_header *header, u32 offset, u32 len,
		     size_t size)
{
	return (u64)header->hdr_len + offset + len <= size && len;
}

/**
 * pcinspect_btf_parse() - find the types in a file
 * @btf: filled in
 * @data: the file, from vmalloc(); @btf's on success
 * @size: of it
 * @base: of a module's file, the kernel's, else NULL
 *
 * Context: process context, may sleep. Return: 0, -EINVAL, -ENOMEM.
 */
int pcinspect_btf_parse(struct pcinspect_btf *btf, void *data, size_t size,
			const struct pcinspect_btf *base)
{
	const struct btf_header *header = data;
	u32 begin, end, *offsets, nr;
	const char *strings;

	if (size < sizeof(*header) || header->magic != BTF_MAGIC ||
	    header->version != BTF_VERSION || size > BTF_MAX_BYTES ||
	    !btf_fits(header, header->type_off, header->type_len, size) ||
	    !btf_fits(header, header->str_off, header->str_len, size))
		return -EINVAL;
	begin = header->hdr_len + header->type_off;
	end = begin + header->type_len;
	strings = data + header->hdr_len + header->str_off;
	nr = IS_ALIGNED(begin, sizeof(u32)) ? btf_index(data, begin, end, NULL) :
					      0;
	if (!nr || strings[header->str_len - 1])
		return -EINVAL;
	offsets = kvmalloc_array(nr, sizeof(*offsets), GFP_KERNEL);
	if (!offsets)
		return -ENOMEM;
	btf_index(data, begin, end, offsets);
	*btf = (struct pcinspect_btf){
		.data = data,
		.strings = strings,
		.nr_bytes = header->str_len,
		.first_byte = base ? base->nr_bytes : 0,
		.offsets = offsets,
		.nr = nr,
		.first = base ? base->first + base->nr : 1,
		.base = base,
	};
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_btf_parse);

/* Also of one that was not filled in. Context: process context, may sleep. */
void pcinspect_btf_free(struct pcinspect_btf *btf)
{
	kvfree(btf->offsets);
	vfree(btf->data);
	memset(btf, 0, sizeof(*btf));
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_btf_free);

/* A type by its number, or NULL. */
static const struct btf_type *btf_type(const struct pcinspect_btf *btf, u32 id)
{
	if (btf->base && id < btf->first)
		btf = btf->base;
	if (id < btf->first || id - btf->first >= btf->nr)
		return NULL;
	return btf->data + btf->offsets[id - btf->first];
}

static const char *btf_name(const struct pcinspect_btf *btf, u32 at)
{
	if (btf->base && at < btf->first_byte)
		btf = btf->base;
	at -= btf->first_byte;
	return at < btf->nr_bytes ? btf->strings + at : "";
}

/* A type without qualifiers and names for it, or NULL. */
static const struct btf_type *btf_plain(const struct pcinspect_btf *btf, u32 id)
{
	const struct btf_type *type;
	unsigned int depth;

	for (depth = 0; depth < BTF_MAX_DEPTH; depth++) {
		type = btf_type(btf, id);
		if (!type)
			return NULL;
		switch (BTF_INFO_KIND(type->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			break;
		default:
			return type;
		}
	}
	return NULL;
}

/* Is a type a pointer to the struct of that name? @name: @len bytes of it. */
static bool btf_points_to(const struct pcinspect_btf *btf, u32 id,
			  const char *name, size_t len)
{
	const struct btf_type *type = btf_plain(btf, id);
	const char *other;

	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_PTR)
		return false;
	type = btf_plain(btf, type->type);
	if (!type || (BTF_INFO_KIND(type->info) != BTF_KIND_STRUCT &&
		      BTF_INFO_KIND(type->info) != BTF_KIND_FWD))
		return false;
	other = btf_name(btf, type->name_off);
	return strlen(other) == len && !memcmp(other, name, len);
}

static bool btf_agrees(const struct pcinspect_btf *btf,
		       const struct btf_type *proto, const char *args)
{
	const struct btf_param *params = (const void *)(proto + 1);
	unsigned int i, nr = BTF_INFO_VLEN(proto->info);
	size_t len;

	for (i = 0; *args; i++, args += len + strspn(args + len, " ")) {
		len = strcspn(args, " ");
		if (i == nr)
			return false;
		if (strncmp(args, "-", len) &&
		    !btf_points_to(btf, params[i].type, args, len))
			return false;
	}
	return true;
}

/**
 * pcinspect_btf_ask() - are a function's arguments what they are taken for?
 * @btf: the types
 * @function: its name
 * @args: for each of the first, with a space between, the struct that it points
 *	to, or "-": whatever it is
 *
 * Of several functions of that name one is enough.
 *
 * Context: any. Return: the answer.
 */
enum pcinspect_btf_answer pcinspect_btf_ask(const struct pcinspect_btf *btf,
					    const char *function,
					    const char *args)
{
	enum pcinspect_btf_answer answer = PCINSPECT_BTF_UNKNOWN;
	const struct btf_type *type;
	u32 i;

	for (i = 0; i < btf->nr; i++) {
		type = btf->data + btf->offsets[i];
		if (BTF_INFO_KIND(type->info) != BTF_KIND_FUNC ||
		    strcmp(btf_name(btf, type->name_off), function))
			continue;
		type = btf_type(btf, type->type);
		if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_FUNC_PROTO)
			continue;
		if (btf_agrees(btf, type, args))
			return PCINSPECT_BTF_AGREES;
		answer = PCINSPECT_BTF_DIFFERS;
	}
	return answer;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_btf_ask);

/*
 * The content of a file, from vmalloc(), or NULL. Not by kernel_read_file():
 * that is for what the kernel is to obey, and security modules ask what it is
 * (ipe_kernel_read_file(), security/ipe/hooks.c, 6.12).
 */
static void *btf_content(const char *path, size_t *size)
{
	struct file *file = filp_open(path, O_RDONLY, 0);
	loff_t pos = 0, end;
	void *data = NULL;
	ssize_t done = 1;

	if (IS_ERR(file))
		return NULL;
	end = i_size_read(file_inode(file));
	if (end > 0 && end <= BTF_MAX_BYTES)
		data = vmalloc(end);
	while (data && done > 0 && pos < end)
		done = kernel_read(file, data + pos, end - pos, &pos);
	filp_close(file, NULL);
	if (pos < end) {
		vfree(data);
		return NULL;
	}
	*size = end;
	return data;
}

/* Read the kernel's types, or those of a module. Return: are they there? */
static bool btf_read(struct pcinspect_btf *btf, const char *of, size_t len,
		     const struct pcinspect_btf *base)
{
	char path[64];
	size_t size;
	void *data;

	snprintf(path, sizeof(path), "/sys/kernel/btf/%.*s", (int)len, of);
	data = btf_content(path, &size);
	if (!data)
		return false;
	if (!pcinspect_btf_parse(btf, data, size, base))
		return true;
	vfree(data);
	return false;
}

/* pcinspect_btf_look(), under btf_mutex. */
static enum pcinspect_btf_answer btf_look(const char *function, const char *args)
{
	size_t len = strcspn(args, ":");
	enum pcinspect_btf_answer answer;
	struct pcinspect_btf module = {};

	if (!btf_kernel.data && !btf_read(&btf_kernel, "vmlinux", 7, NULL))
		return PCINSPECT_BTF_UNKNOWN;
	if (!args[len])
		return pcinspect_btf_ask(&btf_kernel, function, args);
	answer = pcinspect_btf_ask(&btf_kernel, function, args + len + 1);
	if (answer != PCINSPECT_BTF_UNKNOWN ||
	    !btf_read(&module, args, len, &btf_kernel))
		return answer;
	answer = pcinspect_btf_ask(&module, function, args + len + 1);
	pcinspect_btf_free(&module);
	return answer;
}

/**
 * pcinspect_btf_look() - the same of the running kernel
 * @function: its name
 * @args: as pcinspect_btf_ask() wants them, after "MODULE:" if the function may
 *	be in that module
 *
 * Of a module that is just being loaded nobody can tell.
 *
 * Context: process context, may sleep.
 * Return: the answer.
 */
enum pcinspect_btf_answer pcinspect_btf_look(const char *function,
					     const char *args)
{
	enum pcinspect_btf_answer answer;

	mutex_lock(&btf_mutex);
	answer = btf_look(function, args);
	mutex_unlock(&btf_mutex);
	return answer;
}

/* Free what pcinspect_btf_look() has read. Context: as there. */
void pcinspect_btf_forget(void)
{
	mutex_lock(&btf_mutex);
	pcinspect_btf_free(&btf_kernel);
	mutex_unlock(&btf_mutex);
}
