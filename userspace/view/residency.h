/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * residency.h - the results of save and restore, as a table and as JSON.
 */
#ifndef PCINSPECT_VIEW_RESIDENCY_H
#define PCINSPECT_VIEW_RESIDENCY_H

#include "lib/options.h"
#include "model/report.h"
#include "model/residency.h"

int residency_show(const struct residency *residency, const struct restore *restore,
		   const struct report *report, const struct output *out);

#endif /* PCINSPECT_VIEW_RESIDENCY_H */
