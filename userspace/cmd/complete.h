/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete.h - the words that may follow, for completion in shells.
 */
#ifndef PCINSPECT_COMPLETE_H
#define PCINSPECT_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

struct command;

void complete(bool (*get)(size_t i, struct command *command), int nr, char **words);

#endif /* PCINSPECT_COMPLETE_H */
