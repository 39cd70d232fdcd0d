/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * status_text.h - the module's own state, as text.
 */
#ifndef PCINSPECT_STATUS_TEXT_H
#define PCINSPECT_STATUS_TEXT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#define STATUS_NO_CACHESTAT \
	"missing: a kernel before 6.5, or built without it (audits use address_space.nrpages)"

bool status_line(struct json_object *status, char *line);
void status_print(struct json_object *status, FILE *to, int width);

#endif /* PCINSPECT_STATUS_TEXT_H */
