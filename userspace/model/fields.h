/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fields.h - the tables of the rows of a report.
 */
#ifndef PCINSPECT_MODEL_FIELDS_H
#define PCINSPECT_MODEL_FIELDS_H

#include "model/field.h"

/* In pcinspect_culprit.inferred: it is the sum of all others. */
#define CULPRIT_OTHERS 2

/* Of struct report itself. */
extern const struct fields loss_fields, written_fields;
/* Of its rows: struct device, audit, file, event_count, setting. */
extern const struct fields device_fields, audit_fields, gone_fields, file_fields,
	event_count_fields, setting_fields;
/* Of rows of a file: pcinspect_task, pcinspect_culprit, pcinspect_fsync. */
extern const struct fields task_fields, dirtier_fields, evictor_fields, remover_fields,
	fsync_fields;

#endif /* PCINSPECT_MODEL_FIELDS_H */
