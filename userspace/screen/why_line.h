/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * why_line.h - problems of the machine, in a line or two.
 */
#ifndef PCINSPECT_SCREEN_WHY_LINE_H
#define PCINSPECT_SCREEN_WHY_LINE_H

#include "collect/machine_sample.h"
#include "model/domains.h"

/**
 * struct why_line - the verdict of the last seconds
 * @domains: the first look at the counters that the next verdict is from
 * @text: what to show, NULL: nobody knows yet
 * @wrong: a rule has found something
 */
struct why_line {
	struct domains domains;
	char *text;
	bool wrong;
};

void why_line_update(struct why_line *line, struct machine_sample *now);
void why_line_free(struct why_line *line);

#endif /* PCINSPECT_SCREEN_WHY_LINE_H */
