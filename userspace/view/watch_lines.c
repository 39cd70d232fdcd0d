// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch_lines.c - bars and changes since the last tick. Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/text.h"
#include "view/file_name.h"
#include "view/watch_lines.h"

static void change(const struct file *file,
		   const struct file *before, const char *name,
		   enum pcinspect_number number)
{
	uint64_t now, then;

	if (!file_number(file, number, &now)) {
		printf(" %s ?", name);
		return;
	}
	printf(" %s %ju", name, (uintmax_t)now);
	if (before && file_number(before, number, &then) && now != then)
		printf(" (%+jd)", (intmax_t)(now - then));
}

/**
 * watch_lines_print() - print one file
 * @file: its state now
 * @before: at the last tick, or NULL
 */
void watch_lines_print(const struct file *file, const struct file *before)
{
	const __u64 *numbers = file->snap.numbers;
	char *path = escape_path(file->path ?: "?");
	char bar[WATCH_LINES_BAR + 1], share[32], size[32];
	double percent;
	uint64_t gen;

	if (file->gone) {
		printf("%s (gone: deleted, unmounted or untracked)\n", path);
		free(path);
		return;
	}
	printf("%s%s", path, file_name_deleted(file->snap.flags));
	free(path);
	if (file->renamed) {
		path = escape_path(file->renamed);
		printf(" (renamed to %s)", path);
		free(path);
	}
	if (file->replaced)
		printf(" (replaced by a new file: now inode %ju, was %ju)",
		       (uintmax_t)file->snap.ino, (uintmax_t)file->replaced_ino);
	if (file->real_path) {
		path = escape_path(file->real_path);
		printf(" -> %s", path);
		free(path);
	}
	putchar('\n');

	bar_text(bar, &numbers[PCINSPECT_ACTIVE], "Aiuo", 4, WATCH_LINES_BAR);
	printf("  lru [%s]", bar);
	change(file, before, "cached", PCINSPECT_CACHED);
	change(file, before, "active", PCINSPECT_ACTIVE);
	change(file, before, "inactive", PCINSPECT_INACTIVE);
	change(file, before, "unevictable", PCINSPECT_UNEVICTABLE);
	change(file, before, "off_lru", PCINSPECT_OFF_LRU);
	if (file_cached_percent(file, &percent)) {
		share_text(share, sizeof(share), percent);
		size_text(size, sizeof(size), file->snap.size_bytes);
		printf(", %s of %s", share, size);
	}
	putchar('\n');

	if (file_number(file, PCINSPECT_GEN0, &gen)) {
		bar_text(bar, &numbers[PCINSPECT_GEN0], "0123", 4, WATCH_LINES_BAR);
		printf("  gen [%s]", bar);
		change(file, before, "youngest", PCINSPECT_GEN0);
		change(file, before, "1:", PCINSPECT_GEN1);
		change(file, before, "2:", PCINSPECT_GEN2);
		change(file, before, "oldest", PCINSPECT_GEN3);
		if (file->snap.flags & PCINSPECT_F_AGED)
			printf(" (aged during the walk)");
		putchar('\n');
	}
	printf("  pages");
	change(file, before, "dirty", PCINSPECT_DIRTY);
	change(file, before, "writeback", PCINSPECT_WRITEBACK);
	change(file, before, "evicted", PCINSPECT_EVICTED);
	change(file, before, "inserted", PCINSPECT_INSERTED);
	change(file, before, "removed", PCINSPECT_REMOVED);
	putchar('\n');
}
