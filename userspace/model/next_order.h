/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * next_order.h - the order in which reclaim takes the pages of one list.
 */
#ifndef PCINSPECT_NEXT_ORDER_H
#define PCINSPECT_NEXT_ORDER_H

#include "model/next_list.h"

void next_order(struct next *next, uint32_t list);

#endif /* PCINSPECT_NEXT_ORDER_H */
