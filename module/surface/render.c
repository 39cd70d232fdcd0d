// SPDX-License-Identifier: GPL-2.0-only
/*
 * render.c - the text format of debugfs, documented in docs/pcinspect.5.
 *
 * Why one file: column names, order and "unknown" must be the same wherever a
 * number is printed. Unknown is "?", never 0. New columns go
 * before the path, which is always last.
 *
 * May touch: only the structs it is given.
 */
#include <linux/bits.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "uapi/pcinspect.h"
#include "kunit_visible.h"
#include "surface/render.h"

/*
 * struct render_column - one number
 * @name: as in the header and in docs/pcinspect.5
 * @files: enum pcinspect_render_file, those that have it
 */
struct render_column {
	const char *name;
	u32 files;
};

#define RENDER_INODES (PCINSPECT_RENDER_INODES | PCINSPECT_RENDER_LRU)
#define RENDER_LRU PCINSPECT_RENDER_LRU
#define RENDER_READS PCINSPECT_RENDER_READS
#define RENDER_DIRTY PCINSPECT_RENDER_DIRTY
#define RENDER_INODES_DIRTY (RENDER_INODES | RENDER_DIRTY)
#define RENDER_NOWHERE 0

static const struct render_column render_columns[PCINSPECT_NR_NUMBERS] = {
#define NUMBER(id, name, heading, unit, class, files, json, needs, help) \
	[PCINSPECT_##id] = { name, RENDER_##files },
#include "numbers_table.h"
#undef NUMBER
};

/* Print a number's name after a space. */
void pcinspect_render_name(struct seq_file *m, enum pcinspect_number number)
{
	seq_printf(m, " %s", render_columns[number].name);
}

/* Print a number after a space. */
void pcinspect_render_maybe(struct seq_file *m, bool known, u64 value)
{
	if (known)
		seq_printf(m, " %llu", value);
	else
		seq_puts(m, " ?");
}

/* Of a row: what is behind its last known number is not a number. */
static void render_number(struct seq_file *m,
			  const struct pcinspect_snapshot *snap, int number)
{
	bool known = pcinspect_known(snap, number);

	pcinspect_render_maybe(m, known, known ? snap->numbers[number] : 0);
}

/* One number a line. */
void pcinspect_render_numbers(struct seq_file *m,
			      enum pcinspect_render_file file,
			      const struct pcinspect_snapshot *snap)
{
	int i;

	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++) {
		if (!(render_columns[i].files & file))
			continue;
		seq_printf(m, "%s:", render_columns[i].name);
		render_number(m, snap, i);
		seq_putc(m, '\n');
	}
}

/*
 * Make a path one word. @out: where to put it, always NUL-terminated when @size
 * is not 0. Space, backslash, every byte below 0x20 and 0x7f become \ooo; all
 * else, UTF-8 included, stays. Example: "a b\n" becomes "a\040b\012". Characters
 * that do not fit are left out, never half an escape.
 * Return: the length of the whole escaped path, also when it did not fit.
 */
size_t pcinspect_render_escape(char *out, size_t size, const char *path,
			       size_t len)
{
	size_t i, n = 0, end = 0;

	for (i = 0; i < len; i++) {
		unsigned char c = path[i];
		char octal[5];
		size_t width = 1;

		octal[0] = c;
		if (c <= ' ' || c == '\\' || c == 0x7f) {
			snprintf(octal, sizeof(octal), "\\%03o", c);
			width = 4;
		}
		if (n == end && n + width < size) {
			memcpy(out + n, octal, width);
			end += width;
		}
		n += width;
	}
	if (size)
		out[end] = '\0';
	return n;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_render_escape);

/*
 * Print a path as the last column. @path: its bytes, or NULL if none is known.
 */
void pcinspect_render_path(struct seq_file *m, const char *path, size_t len,
			   bool deleted)
{
	size_t i;
	char one[5];

	if (!path)
		seq_putc(m, '?');
	for (i = 0; path && i < len; i++) {
		pcinspect_render_escape(one, sizeof(one), path + i, 1);
		seq_puts(m, one);
	}
	if (deleted)
		seq_puts(m, " (deleted)");
}

/* The first line of a table of numbers. */
void pcinspect_render_header(struct seq_file *m, enum pcinspect_render_file file)
{
	int i;

	seq_puts(m, "inode i_generation fs kind");
	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++)
		if (render_columns[i].files & file)
			seq_printf(m, " %s", render_columns[i].name);
	seq_puts(m, " path\n");
}

/* The first columns of every table. */
void pcinspect_render_identity(struct seq_file *m,
			       const struct pcinspect_snapshot *snap,
			       const char *name)
{
	const char *kind = "auto";

	if (snap->flags & (PCINSPECT_F_GONE | PCINSPECT_F_SKIPPED)) {
		kind = snap->flags & PCINSPECT_F_GONE ? "gone" : "skipped";
		seq_printf(m, "%u:%u:* ?", snap->dev_major, snap->dev_minor);
	} else {
		if (snap->flags & PCINSPECT_F_EXPLICIT)
			kind = "explicit";
		if (name)
			seq_puts(m, name);
		else
			seq_printf(m, "%u:%u:%llu", snap->dev_major,
				   snap->dev_minor, snap->ino);
		seq_printf(m, " %u", snap->i_generation);
	}
	seq_printf(m, " %s %s", snap->fs, kind);
}

/* The last column of every table, and the line's end. */
void pcinspect_render_last(struct seq_file *m,
			   const struct pcinspect_snapshot *snap)
{
	seq_putc(m, ' ');
	if (snap->flags & PCINSPECT_F_GONE)
		seq_printf(m, "(gone)\\040%llu", snap->gone_inodes);
	else if (snap->flags & PCINSPECT_F_SKIPPED)
		seq_printf(m, "(skipped)\\040%llu", snap->gone_inodes);
	else
		pcinspect_render_path(m,
				      snap->flags & PCINSPECT_F_PATH ?
					      (const char *)snap +
						      pcinspect_path_at(snap) :
					      NULL,
				      snap->path_len,
				      snap->flags & PCINSPECT_F_DELETED);
	seq_putc(m, '\n');
}

/* One line of a table of numbers. */
void pcinspect_render_row(struct seq_file *m, enum pcinspect_render_file file,
			  const struct pcinspect_snapshot *snap,
			  const char *name)
{
	int i;

	pcinspect_render_identity(m, snap, name);
	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++)
		if (render_columns[i].files & file)
			render_number(m, snap, i);
	pcinspect_render_last(m, snap);
}

/* The file inode/…/lru. */
void pcinspect_render_lru(struct seq_file *m,
			  const struct pcinspect_snapshot *snap)
{
	int i;

	seq_printf(m, "dev: %u:%u\n", snap->dev_major, snap->dev_minor);
	seq_printf(m, "ino: %llu\n", snap->ino);
	seq_printf(m, "i_generation: %u\n", snap->i_generation);
	seq_printf(m, "fs: %s\n", snap->fs);
	seq_printf(m, "size_bytes: %llu\n", snap->size_bytes);
	seq_printf(m, "time_ns: %llu\n", snap->time_ns);
	seq_printf(m, "since_ns: %llu\n", snap->since_ns);
	seq_printf(m, "aged_during_walk: %s\n",
		   snap->flags & PCINSPECT_F_AGED ? "yes" : "no");
	pcinspect_render_numbers(m, PCINSPECT_RENDER_LRU, snap);
	seq_puts(m, "\norder pages\n");
	for (i = 0; i < PCINSPECT_NR_ORDERS; i++)
		if (snap->orders[i])
			seq_printf(m, "%d %llu\n", i, snap->orders[i]);
	if (!(snap->flags & PCINSPECT_F_MEMCG))
		return;
	seq_puts(m, "\nmemcg pages\n");
	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++)
		if (snap->memcgs[i].id)
			seq_printf(m, "%llu %llu\n", snap->memcgs[i].id,
				   snap->memcgs[i].pages);
	if (snap->memcg_other)
		seq_printf(m, "other %llu\n", snap->memcg_other);
}
