/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cold.h - files that are made cold: nothing of them is cached.
 */
#ifndef PCINSPECT_COLD_H
#define PCINSPECT_COLD_H

#include "model/report.h"

/**
 * struct cold - files that are made cold again and again
 * @files: their paths, sorted
 * @nr: how many
 */
struct cold {
	struct cold_file {
		char *path;
	} *files;
	size_t nr;
};

void cold_add(struct cold *cold, const struct report *report);
void cold_sync(const struct cold *cold);
uint64_t cold_make(const struct cold *cold);
bool cold_drop(const char *path);
void cold_free(struct cold *cold);

#endif /* PCINSPECT_COLD_H */
