// SPDX-License-Identifier: GPL-2.0-only
/*
 * output.c - errors of stdout, when its reader has gone or its disk is full:
 * one place that says so, once. Touches stdout, stderr, SIGPIPE.
 *
 * A command that prints much calls output_failed() now and then, and stops without a word.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/complain.h"
#include "lib/output.h"

static int why;
static bool untrusted;

/* Before anything is opened or printed. */
void output_begin(void)
{
	int fd;

	/* A file of ours that got number 1 would be printed into. */
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			_exit(EXIT_FAILED);
}

/* The command has something to put back: it must not die of SIGPIPE on the way. */
void output_survives(void)
{
	signal(SIGPIPE, SIG_IGN);
}

/* Is it of no use to print more? To be asked before errno is of something else. */
bool output_failed(void)
{
	if (ferror(stdout) && !why)
		why = errno ?: EIO;
	return why;
}

/* Something that is printed does not agree with an independent counter. */
void output_untrusted(void)
{
	untrusted = true;
}

/**
 * output_end() - see to it that everything was printed
 * @status: exit status so far
 *
 * If the reader went away the program ends as one does that SIGPIPE kills; a status
 * that says more, CMD's own, stays.
 *
 * Return: the exit status; EXIT_LOSSES instead of 0 after output_untrusted().
 */
int output_end(int status)
{
	if (untrusted && !status)
		status = EXIT_LOSSES;
	fflush(stdout);
	if (!output_failed())
		return status;
	if (why != EPIPE) {
		complain(NULL, "cannot write: %s", open_error_text(why));
		return status ?: EXIT_FAILED;
	}
	if (status && status != EXIT_FAILED)
		return status;
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
	return 128 + SIGPIPE;
}
