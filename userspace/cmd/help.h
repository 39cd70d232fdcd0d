/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * help.h - the output of --help.
 */
#ifndef PCINSPECT_HELP_H
#define PCINSPECT_HELP_H

struct command;

void help_print(void);
void help_command(const struct command *command);

#endif /* PCINSPECT_HELP_H */
