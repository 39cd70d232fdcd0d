/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compare.h - the order of two numbers, for qsort(3) and bsearch(3).
 */
#ifndef PCINSPECT_COMPARE_H
#define PCINSPECT_COMPARE_H

#include <stdint.h>

static inline int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

#endif /* PCINSPECT_COMPARE_H */
