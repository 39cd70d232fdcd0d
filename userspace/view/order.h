/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * order.h - the orders in which files are listed.
 */
#ifndef PCINSPECT_ORDER_H
#define PCINSPECT_ORDER_H

#include "lib/options.h"
#include "model/report.h"

const char *order_name(size_t sort);
bool order_known(const struct file *file, enum file_order sort);
int order_compare(const struct file *a, const struct file *b, enum file_order sort);

#endif /* PCINSPECT_ORDER_H */
