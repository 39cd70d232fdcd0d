// SPDX-License-Identifier: GPL-2.0-only
/*
 * terminal.c - taking the terminal, and giving it back however the program ends.
 *
 * While the screen is up, stderr goes to a memory file, and comes out afterwards.
 * Touches the terminal, signals, stderr.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/quote.h"
#include "lib/ticks.h"
#include "screen/pen.h"
#include "screen/terminal.h"

/* Last: it makes macros of words like "columns". */
#include <term.h>

static bool up;
static volatile sig_atomic_t continued;
static int real_stderr = -1, kept_stderr = -1;

/* Messages on stderr meanwhile; the last of them, if there are many. */
static void give_back_stderr(void)
{
	char text[4096];
	off_t size;
	ssize_t n;

	if (kept_stderr < 0)
		return;
	dup2(real_stderr, STDERR_FILENO);
	size = lseek(kept_stderr, 0, SEEK_END);
	n = pread(kept_stderr, text, sizeof(text),
		  size > (off_t)sizeof(text) ? size - (off_t)sizeof(text) : 0);
	if (n > 0 && write(STDERR_FILENO, text, n) < 0)
		n = 0;
	close(real_stderr);
	close(kept_stderr);
	real_stderr = kept_stderr = -1;
}

static void keep_stderr(void)
{
	if (!isatty(STDERR_FILENO))
		return;
	fflush(stderr);
	kept_stderr = memfd_create("pcinspect-stderr", MFD_CLOEXEC);
	real_stderr = dup(STDERR_FILENO);
	if (kept_stderr < 0 || real_stderr < 0 || dup2(kept_stderr, STDERR_FILENO) < 0) {
		close(kept_stderr);
		close(real_stderr);
		real_stderr = kept_stderr = -1;
	}
}

/**
 * terminal_message() - the last line of it, for the bottom of the screen
 * @message: filled in, if there is a new one
 * @room: of it
 */
void terminal_message(char *message, size_t room)
{
	char text[256], *line;
	static off_t shown;
	off_t size;
	ssize_t n;

	if (kept_stderr < 0)
		return;
	size = lseek(kept_stderr, 0, SEEK_END);
	if (size == shown)
		return;
	shown = size;
	n = pread(kept_stderr, text, sizeof(text) - 1,
		  size >= (off_t)sizeof(text) ? size - (off_t)sizeof(text) + 1 : 0);
	if (n <= 0)
		return;
	text[n] = '\0';
	if (text[n - 1] == '\n')
		text[n - 1] = '\0';
	line = strrchr(text, '\n');
	snprintf(message, room, "%s", line ? line + 1 : text);
}

/* Messages from now on come out afterwards. */
void terminal_forget_messages(void)
{
	if (kept_stderr < 0)
		return;
	fflush(stderr);
	/* stderr writes where this is: they are one open file. */
	if (!ftruncate(kept_stderr, 0))
		lseek(kept_stderr, 0, SEEK_SET);
}

/* Give the terminal back; it may be gone, or not have been taken. */
void terminal_down(void)
{
	if (!up)
		return;
	up = false;
	endwin();
	give_back_stderr();
}

static void terminal_first(void)
{
	if (up)
		endwin();
}

/* A fault of our own: the terminal first, then what is usual. */
static void fault(int sig)
{
	terminal_first();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Stopped by a signal that curses does not see, or by one that it does. */
static void go_on(int sig)
{
	(void)sig;
	continued = 1;
}

/**
 * terminal_possible() - is there a terminal to draw on
 *
 * Return: true if both ends are terminals and TERM is of one with a cursor.
 */
bool terminal_possible(void)
{
	int error;

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && getenv("TERM") &&
	       setupterm(NULL, STDOUT_FILENO, &error) == OK && tigetstr("cup") &&
	       tigetstr("cup") != (char *)-1;
}

/**
 * terminal_up() - take the terminal; signals end ticks (lib/ticks.c) from then on
 *
 * Return: 0, or -1 if it cannot be used.
 */
int terminal_up(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	const char *no_color = getenv("NO_COLOR");
	static bool registered;
	size_t i;

	if (!newterm(NULL, stdout, stdin))
		return -1;
	up = true;
	if (!registered)
		atexit(terminal_down);
	registered = true;
	/* curses has put its own in place for TERM and INT: ours end the loop. */
	ticks_before_kill(terminal_first);
	ticks_end_on(SIGINT);
	ticks_end_on(SIGTERM);
	ticks_end_on(SIGHUP);
	ticks_end_on(SIGQUIT);
	for (i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		signal(faults[i], fault);
	signal(SIGCONT, go_on);
	keep_stderr();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	pen_start(!(no_color && *no_color) && has_colors());
	return 0;
}

/* Take the terminal again after the shell had it. */
bool terminal_resume(void)
{
	if (!continued)
		return false;
	continued = 0;
	endwin();
	clearok(stdscr, TRUE);
	refresh();
	return true;
}

/* A resize while we were stopped sends us no signal. */
bool terminal_resized(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col ||
	    !is_term_resized(size.ws_row, size.ws_col))
		return false;
	resizeterm(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
	return true;
}

/* Wait for a key; true if the terminal is still there. */
bool terminal_wait_key(int ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	if (poll(&in, 1, ms) < 0)
		return errno == EINTR;
	return !(in.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* Run it to its end; Ctrl-C is for it, not for us. */
static void run_to_end(char *const argv[])
{
	posix_spawnattr_t attr;
	sigset_t set;
	int status;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &set);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	if (posix_spawn(&pid, "/proc/self/exe", NULL, &attr, argv, environ))
		perror("pcinspect");
	else
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	posix_spawnattr_destroy(&attr);
}

/**
 * terminal_command() - one of our commands on the terminal as the shell has it, until Enter
 * @command: which
 * @of: its argument, or NULL
 *
 * Its output stays there. The terminal was released, and is taken again. Return: false if it
 * cannot be.
 */
bool terminal_command(const char *command, const char *of)
{
	char *argv[] = { "pcinspect", (char *)command, "--", (char *)of, NULL };
	char *word = of ? shell_word(of) : NULL;
	int c;

	if (!of)
		argv[2] = NULL;
	terminal_down();
	printf("\n$ pcinspect %s%s%s\n", command, word ? " " : "", word ?: "");
	fflush(stdout);
	free(word);
	run_to_end(argv);
	printf("\nEnter: back to the list\n");
	fflush(stdout);
	do
		c = getchar();
	while (c != '\n' && c != EOF);
	return !terminal_up();
}
