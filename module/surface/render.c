// SPDX-License-Identifier: GPL-2.0
/*
 * render.c - the text format of debugfs, documented in docs/pcinspect.5.
 *
 * Why one file: column names, order and the way to say "unknown" must be the
 * same wherever a number is printed. Unknown is "?", never 0. New columns go
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
 * struct render_column - one number of a snapshot
 * @name: as in the header and in docs/pcinspect.5
 * @offset: of the u64 in struct pcinspect_snapshot
 * @needs: flag without which it is unknown
 */
struct render_column {
	const char *name;
	size_t offset;
	u32 needs;
};

#define PAGES(field, flag)                                                     \
	{                                                                      \
#field, offsetof(struct pcinspect_snapshot, pages.field), flag \
	}

static const struct render_column render_pages[] = {
	PAGES(cached, PCINSPECT_F_PAGES),
	PAGES(active, PCINSPECT_F_PAGES),
	PAGES(inactive, PCINSPECT_F_PAGES),
	PAGES(unevictable, PCINSPECT_F_PAGES),
	PAGES(off_lru, PCINSPECT_F_PAGES),
	PAGES(dirty, PCINSPECT_F_WRITEBACK),
	PAGES(writeback, PCINSPECT_F_WRITEBACK),
	PAGES(mapped, PCINSPECT_F_PAGES),
	PAGES(referenced, PCINSPECT_F_PAGES),
	PAGES(workingset, PCINSPECT_F_PAGES),
	PAGES(evicted, PCINSPECT_F_EVICTED),
	{ "gen0", offsetof(struct pcinspect_snapshot, pages.generations[0]),
	  PCINSPECT_F_GENERATIONS },
	{ "gen1", offsetof(struct pcinspect_snapshot, pages.generations[1]),
	  PCINSPECT_F_GENERATIONS },
	{ "gen2", offsetof(struct pcinspect_snapshot, pages.generations[2]),
	  PCINSPECT_F_GENERATIONS },
	{ "gen3", offsetof(struct pcinspect_snapshot, pages.generations[3]),
	  PCINSPECT_F_GENERATIONS },
	{ "inserted", offsetof(struct pcinspect_snapshot, inserted_pages),
	  PCINSPECT_F_COUNTERS },
	{ "removed", offsetof(struct pcinspect_snapshot, removed_pages),
	  PCINSPECT_F_COUNTERS },
};

static void render_number(struct seq_file *m,
			  const struct pcinspect_snapshot *snap,
			  const struct render_column *col)
{
	const u64 *value = (const void *)snap + col->offset;

	if (snap->flags & col->needs)
		seq_printf(m, "%llu", *value);
	else
		seq_putc(m, '?');
}

/**
 * pcinspect_render_escape() - make a path one word
 * @out: where to put it, always NUL-terminated when @size is not 0
 * @size: room in @out
 * @path: bytes of a path, without final NUL
 * @len: how many
 *
 * Space, backslash, every byte below 0x20 and 0x7f become \ooo; all else,
 * UTF-8 included, stays. Example: "a b\n" becomes "a\040b\012".
 *
 * What does not fit is left out, never half an escape.
 *
 * Context: any; pure.
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

/**
 * pcinspect_render_path() - print a path as the last column
 * @m: where to
 * @path: its bytes, or NULL if none is known
 * @len: how many
 * @deleted: no name is left
 *
 * Context: process context.
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

/**
 * pcinspect_render_inodes_header() - the first line of inodes
 * @m: where to
 *
 * Context: process context.
 */
void pcinspect_render_inodes_header(struct seq_file *m)
{
	int i;

	seq_puts(m, "inode i_generation fs kind");
	for (i = 0; i < ARRAY_SIZE(render_pages); i++)
		seq_printf(m, " %s", render_pages[i].name);
	seq_puts(m, " path\n");
}

/**
 * pcinspect_render_identity() - the first columns of every table
 * @m: where to
 * @snap: whose
 * @name: name of the inode's folder, or NULL for major:minor:inode
 *
 * Context: process context.
 */
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

/**
 * pcinspect_render_last() - the last column of every table, and the line's end
 * @m: where to
 * @snap: whose path; it follows the struct
 *
 * Context: process context.
 */
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
					      (const char *)(snap + 1) :
					      NULL,
				      snap->path_len,
				      snap->flags & PCINSPECT_F_DELETED);
	seq_putc(m, '\n');
}

/**
 * pcinspect_render_inodes_row() - one line of inodes
 * @m: where to
 * @snap: what to print
 * @name: name of the inode's folder, or NULL for major:minor:inode
 *
 * Context: process context.
 */
void pcinspect_render_inodes_row(struct seq_file *m,
				 const struct pcinspect_snapshot *snap,
				 const char *name)
{
	int i;

	pcinspect_render_identity(m, snap, name);
	for (i = 0; i < ARRAY_SIZE(render_pages); i++) {
		seq_putc(m, ' ');
		render_number(m, snap, &render_pages[i]);
	}
	pcinspect_render_last(m, snap);
}

/**
 * pcinspect_render_lru() - the file inode/…/lru
 * @m: where to
 * @snap: what to print
 *
 * Context: process context.
 */
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
	for (i = 0; i < ARRAY_SIZE(render_pages); i++) {
		seq_printf(m, "%s: ", render_pages[i].name);
		render_number(m, snap, &render_pages[i]);
		seq_putc(m, '\n');
	}
	seq_printf(m, "nrpages: %llu\n", snap->pages.nrpages);
	seq_printf(m, "nrpages_before: %llu\n", snap->pages.nrpages_before);
	seq_printf(m, "moved_pages: %llu\n", snap->moved_pages);
	seq_puts(m, "\norder pages\n");
	for (i = 0; i < PCINSPECT_NR_ORDERS; i++)
		if (snap->pages.orders[i])
			seq_printf(m, "%d %llu\n", i, snap->pages.orders[i]);
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
