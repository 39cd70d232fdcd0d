/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * args.h - reading the command line.
 */
#ifndef PCINSPECT_ARGS_H
#define PCINSPECT_ARGS_H

#include "cmd/command.h"

int args_parse(struct args *args, const struct command *command, int argc, char **argv);

#endif /* PCINSPECT_ARGS_H */
