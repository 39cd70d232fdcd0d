/* SPDX-License-Identifier: GPL-2.0 */
/*
 * holders.h - who holds the memory that the files of a report miss.
 */
#ifndef PCINSPECT_HOLDERS_H
#define PCINSPECT_HOLDERS_H

#include "collect/collect.h"

void holders_read(struct collect *collect);
void holders_tracked(struct collect *collect);

#endif /* PCINSPECT_HOLDERS_H */
