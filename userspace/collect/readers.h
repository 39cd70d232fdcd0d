/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * readers.h - the processes that have pages read, by file.
 */
#ifndef PCINSPECT_COLLECT_READERS_H
#define PCINSPECT_COLLECT_READERS_H

#include "collect/lists.h"
#include "model/readers.h"

void readers_read(int counter, const struct lists_answer *answer, struct readers *to);
void readers_name_as(struct readers *readers, const struct readers *named);
void readers_name_opened(struct readers *readers);

#endif /* PCINSPECT_COLLECT_READERS_H */
