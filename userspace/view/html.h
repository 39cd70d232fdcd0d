/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * html.h - a report as one page for a browser, and the pieces that it is made of.
 */
#ifndef PCINSPECT_HTML_H
#define PCINSPECT_HTML_H

#include <stdio.h>

#include "model/report.h"
#include "model/timeline.h"

void html_text(FILE *to, const char *text);
void html_size(FILE *to, uint64_t bytes);
void html_charts(FILE *to, const struct report *report, const struct timeline *timeline);
void html_page(FILE *to, const struct report *report, const struct timeline *timeline);

#endif /* PCINSPECT_HTML_H */
