/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * restore.h - reading the pages again that were cached.
 */
#ifndef PCINSPECT_RESTORE_H
#define PCINSPECT_RESTORE_H

#include "model/residency.h"

void restore_all(struct restore *restore);

#endif /* PCINSPECT_RESTORE_H */
