/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cold_cache.h - files that are made cold: nothing of them is cached.
 */
#ifndef PCINSPECT_COLD_CACHE_H
#define PCINSPECT_COLD_CACHE_H

#include <sys/types.h>

#include "model/report.h"

/**
 * struct cold - files that are made cold again and again
 * @files: their paths, sorted, and what fstat(2) has of them
 * @nr: how many
 * @told: that a block device stays as it is
 */
struct cold {
	struct cold_file {
		char *path;
		dev_t dev;
		ino_t ino;
	} *files;
	size_t nr;
	bool told;
};

void cold_add(struct cold *cold, const struct report *report, int device);
void cold_sync(const struct cold *cold);
uint64_t cold_make(const struct cold *cold);
bool cold_drop(const char *path);
void cold_free(struct cold *cold);

#endif /* PCINSPECT_COLD_CACHE_H */
