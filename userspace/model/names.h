/* SPDX-License-Identifier: GPL-2.0 */
/*
 * names.h - the words for what the module says in numbers, as text and JSON have
 * them. A value of a newer module is "?".
 */
#ifndef PCINSPECT_NAMES_H
#define PCINSPECT_NAMES_H

#include "uapi/pcinspect.h"

/* Upper bounds of the buckets of ages; 0: the last has none. */
extern const int age_bounds_ms[PCINSPECT_NR_AGES];

const char *cause_name(unsigned int cause);
const char *removal_name(unsigned int removal);
const char *remover_op_name(unsigned int op);
const char *reason_name(unsigned int reason);
const char *fsync_name(const struct pcinspect_fsync *call);

#endif /* PCINSPECT_NAMES_H */
