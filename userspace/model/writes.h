/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * writes.h - figures that follow from a file's write ledger.
 */
#ifndef PCINSPECT_WRITES_H
#define PCINSPECT_WRITES_H

#include "model/report.h"

uint64_t writes_throttled_ns(const struct file *file);
const char *writes_throttle_limit(const struct report *report,
				  const struct file *file);
bool writes_mean_ns(const struct file *file, uint64_t *ns);

#endif /* PCINSPECT_WRITES_H */
