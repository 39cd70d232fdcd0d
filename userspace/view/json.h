/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.h - rows and numbers of files as JSON, by their tables.
 */
#ifndef PCINSPECT_JSON_H
#define PCINSPECT_JSON_H

#include "lib/jsonw.h"
#include "model/field.h"
#include "model/report.h"

void json_fields(struct jsonw *w, const struct fields *fields, const void *row, const void *of);
void json_row(struct jsonw *w, const char *key, const struct fields *fields, const void *row,
	      const void *of);
void json_number(struct jsonw *w, const char *key, const struct file *file,
		 enum pcinspect_number number);
void json_section(struct jsonw *w, const struct file *file, const char *section,
		  const char *except);
void json_list(struct jsonw *w, const char *key, const struct file *file,
	       enum pcinspect_number first, int nr, const char *tells, const int *bounds);
void json_comm(struct jsonw *w, const char *key, const char *comm);

#endif /* PCINSPECT_JSON_H */
