/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * next.h - the next pages of reclaim, in order: the model of "next".
 */
#ifndef PCINSPECT_NEXT_H
#define PCINSPECT_NEXT_H

#include "model/next_list.h"

void next_compute(struct next *next);
enum next_end next_ends(const struct next *next);
uint64_t next_pages(const struct next *next, enum next_fate fate);
uint64_t next_wanted(const struct next *next, const struct next_piece *piece);
bool next_eta_ms(const struct next *next, uint32_t list, uint64_t ahead, uint64_t *ms);
const char *next_end_name(enum next_end end);
void next_free(struct next *next);

#endif /* PCINSPECT_NEXT_H */
