// SPDX-License-Identifier: GPL-2.0-only
/*
 * terminal.c - the size of the terminal on stdout, if it is one. Touches
 * stdout, only to ask.
 */
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/terminal.h"

/* Columns, 80 where nobody knows; 0: stdout is no terminal. */
int terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

/* Lines, 24 where nobody knows; 0: stdout is no terminal. */
int terminal_height(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row ? size.ws_row : 24;
}
