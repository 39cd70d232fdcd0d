/* SPDX-License-Identifier: GPL-2.0 */
/*
 * order.h - the orders in which files are listed.
 */
#ifndef PCINSPECT_ORDER_H
#define PCINSPECT_ORDER_H

#include "lib/options.h"
#include "model/report.h"

const char *pcinspect_order_name(size_t sort);
int pcinspect_order_compare(const struct pcinspect_file *a,
			    const struct pcinspect_file *b, enum pcinspect_sort sort);

#endif /* PCINSPECT_ORDER_H */
