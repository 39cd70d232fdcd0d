// SPDX-License-Identifier: GPL-2.0
/*
 * lines.c - bars and changes since the last tick. Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/text.h"
#include "view/lines.h"

static void change(const struct file *file,
		   const struct file *before, const char *name,
		   enum file_field field)
{
	uint64_t now, then;

	if (!file_number(file, field, &now)) {
		printf(" %s ?", name);
		return;
	}
	printf(" %s %ju", name, (uintmax_t)now);
	if (before && file_number(before, field, &then) && now != then)
		printf(" (%+jd)", (intmax_t)(now - then));
}

/**
 * lines_print() - print one file
 * @file: its state now
 * @before: at the last tick, or NULL
 */
void lines_print(const struct file *file, const struct file *before)
{
	const struct pcinspect_pages *pages = &file->snap.pages;
	char *path = escape_path(file->path ?: "?");
	char bar[LINES_BAR_WIDTH + 1];
	uint64_t gen;

	if (file->gone) {
		printf("%s (gone: deleted, unmounted or untracked)\n", path);
		free(path);
		return;
	}
	printf("%s%s", path,
	       file->snap.flags & PCINSPECT_F_DELETED ? " (deleted)" : "");
	free(path);
	if (file->real_path) {
		path = escape_path(file->real_path);
		printf(" -> %s", path);
		free(path);
	}
	putchar('\n');

	bar_text(bar, (__u64[]){ pages->active, pages->inactive,
					 pages->unevictable, pages->off_lru },
		 "Aiuo", 4, LINES_BAR_WIDTH);
	printf("  lru [%s]", bar);
	change(file, before, "cached", FIELD_CACHED);
	change(file, before, "active", FIELD_ACTIVE);
	change(file, before, "inactive", FIELD_INACTIVE);
	change(file, before, "unevictable", FIELD_UNEVICTABLE);
	change(file, before, "off_lru", FIELD_OFF_LRU);
	putchar('\n');

	if (file_number(file, FIELD_GEN0, &gen)) {
		bar_text(bar, pages->generations, "0123", 4, LINES_BAR_WIDTH);
		printf("  gen [%s]", bar);
		change(file, before, "0", FIELD_GEN0);
		change(file, before, "1", FIELD_GEN1);
		change(file, before, "2", FIELD_GEN2);
		change(file, before, "3", FIELD_GEN3);
		if (file->snap.flags & PCINSPECT_F_AGED)
			printf(" (aged during the walk)");
		putchar('\n');
	}
	printf("     ");
	change(file, before, "dirty", FIELD_DIRTY);
	change(file, before, "writeback", FIELD_WRITEBACK);
	change(file, before, "evicted", FIELD_EVICTED);
	change(file, before, "inserted", FIELD_INSERTED);
	change(file, before, "removed", FIELD_REMOVED);
	putchar('\n');
}
