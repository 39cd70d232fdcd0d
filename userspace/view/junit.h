/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * junit.h - limits as test cases, for CI servers.
 */
#ifndef PCINSPECT_VIEW_JUNIT_H
#define PCINSPECT_VIEW_JUNIT_H

#include <stdio.h>

#include "model/limits.h"

void junit_write(FILE *to, const struct limits *limits, const char *command);

#endif /* PCINSPECT_VIEW_JUNIT_H */
