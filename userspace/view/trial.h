/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trial.h - a command with and without remedies, as text and as JSON.
 */
#ifndef PCINSPECT_VIEW_TRIAL_H
#define PCINSPECT_VIEW_TRIAL_H

#include "lib/options.h"
#include "model/trial.h"

struct jsonw;

void trial_print(const struct trial *trial, const struct output *out);
void json_trial(struct jsonw *w, const struct trial *trial);

#endif /* PCINSPECT_VIEW_TRIAL_H */
