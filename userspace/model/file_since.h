/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_since.h - the counts of a file since an earlier moment.
 */
#ifndef PCINSPECT_MODEL_FILE_SINCE_H
#define PCINSPECT_MODEL_FILE_SINCE_H

#include "model/report.h"

bool file_since(struct file *file, const struct file *was);

#endif /* PCINSPECT_MODEL_FILE_SINCE_H */
