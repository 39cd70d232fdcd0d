/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * residency.h - the cached pages of a file.
 */
#ifndef PCINSPECT_RESIDENCY_H
#define PCINSPECT_RESIDENCY_H

#include <sys/types.h>

#include "model/ranges.h"

int residency_identify(int fd, struct saved_file *file);
int residency_mincore(int fd, uint64_t size_bytes, struct ranges *to);
int residency_read(int device, int fd, uint64_t size_bytes, struct ranges *to, uint64_t *skipped);

#endif /* PCINSPECT_RESIDENCY_H */
