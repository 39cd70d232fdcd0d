/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * saved.h - a JSON report, read again.
 */
#ifndef PCINSPECT_SAVED_H
#define PCINSPECT_SAVED_H

#include <stdio.h>

#include "model/side.h"

int saved_read(const char *path, FILE *from, struct side *side);

#endif /* PCINSPECT_SAVED_H */
