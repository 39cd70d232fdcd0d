/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trial.h - a command with and without remedies, as text and as JSON.
 */
#ifndef PCINSPECT_VIEW_TRIAL_H
#define PCINSPECT_VIEW_TRIAL_H

#include "lib/options.h"
#include "model/trial.h"

struct json_object;

void trial_print(const struct trial *trial, const struct args *args);
struct json_object *trial_object(const struct trial *trial);

#endif /* PCINSPECT_VIEW_TRIAL_H */
