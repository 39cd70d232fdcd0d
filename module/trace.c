// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - makes the trace events that trace.h declares.
 *
 * May touch: nothing.
 */
#define CREATE_TRACE_POINTS
#include "trace.h"
