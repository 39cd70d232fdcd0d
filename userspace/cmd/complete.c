// SPDX-License-Identifier: GPL-2.0-only
/*
 * complete.c - the words that may follow, for the shells in completions/: they ask the
 * program, so that no list of words is kept twice. Touches stdout; reads mountinfo.
 *
 * pcinspect --complete WORD… gets the words behind "pcinspect", the last one being
 * typed, perhaps empty. The first line it prints says what is to come:
 *
 *	:words		one of the words below
 *	:list		one of them, and more in the same word: a comma and another
 *	:paths		one of them, each a path
 *	:files		the path of a file
 *	:command N	word N (0: pcinspect) is a command with words of its own
 *
 * then follows a word a line, a tab and what it is about.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/complete.h"
#include "cmd/option.h"
#include "cmd/views.h"
#include "collect/mounts.h"
#include "lib/alloc.h"
#include "model/limits.h"
#include "view/columns.h"
#include "view/sheet.h"

static void print_word(const char *before, const char *word, const char *help)
{
	/* No shell can read it back: a mount may have any name. */
	if (!strpbrk(word, "\n\t"))
		printf("%s%s\t%s\n", before, word, help ?: "");
}

/* Is a name one of a list's? */
static bool listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == len && !strncmp(list, name, len))
			return true;
	return false;
}

/* Is a heading in an earlier table of the command? */
static bool heading_met(const struct command *command, size_t table, const char *heading)
{
	const struct field *field;
	size_t i;

	while (table--)
		for (i = 0; (field = sheet_column(command->tables[table], i)); i++)
			if (!strcmp(field->heading, heading))
				return true;
	return false;
}

/* The columns of a command, one after the other: of tables of files, or of its own tables. */
static const char *column(const struct command *command, size_t i, const char **help)
{
	const struct fields *of_view = view_fields(command->view);
	const struct fields *const tables[] = { of_view ?: command->tables[0], command->tables[1] };
	const struct field *field;
	size_t table, k;

	if (!tables[0])
		return columns_name(i, help);
	for (table = 0; table < 2 && tables[table]; table++)
		for (k = 0; (field = sheet_column(tables[table], k)); k++) {
			*help = field->help;
			if (!heading_met(command, table, field->heading) && !i--)
				return field->heading;
		}
	return NULL;
}

/* Columns that are not in the list yet; the word that is typed has the rest of it. */
static void complete_columns(const struct command *command, const char *before,
			     const char *typed)
{
	const char *last = strrchr(typed, ','), *name, *help = NULL;
	char *front;
	size_t i;

	if (asprintf(&front, "%s%.*s", before,
		     (int)(last ? last + 1 - typed : *typed == '+'), typed) < 0)
		return;
	typed += *typed == '+';
	puts(":list");
	for (i = 0; (name = column(command, i, &help)); i++)
		if (!listed(typed, name) || (last && !strcmp(last + 1, name)))
			print_word(front, name, help);
	free(front);
}

static void complete_mounts(const char *before)
{
	struct libmnt_table *mounts = mounts_load();
	struct libmnt_iter *each = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *mount;

	puts(":paths");
	while (each && !mnt_table_next_fs(mounts, each, &mount))
		print_word(before, mnt_fs_get_target(mount), mnt_fs_get_fstype(mount));
	mnt_free_iter(each);
	mnt_unref_table(mounts);
}

/* The numbers that limits are for; a value follows, of --max and --min behind "=". */
static void complete_limits(const char *before, bool option)
{
	const char *name, *help;
	char *word;
	size_t i;

	puts(":list");
	for (i = 0; (name = limit_name(i, &help)); i++) {
		if (option && !limit_unit(name))
			continue;
		word = alloc_text("%s%s", name, option ? "=" : "");
		print_word(before, word, help);
		free(word);
	}
}

/* The argument of an option; before it in the same word there may be "--option=". */
static void complete_value(const struct command *command,
			   const struct arg_option *option, const char *before,
			   const char *typed)
{
	size_t i;

	if (!strcmp(option->value, "LIST")) {
		complete_columns(command, before, typed);
		return;
	}
	if (!strcmp(option->value, "NUMBER=VALUE")) {
		complete_limits(before, true);
		return;
	}
	if (!strcmp(option->value, "MOUNT")) {
		complete_mounts(before);
		return;
	}
	if (!strcmp(option->value, "FILE")) {
		puts(":files");
		return;
	}
	puts(":words");
	for (i = 0; option->words && option->words(i); i++)
		print_word(before, option->words(i), NULL);
}

static void complete_options(const struct command *command)
{
	const struct arg_option *option;
	size_t i;

	puts(":words");
	for (i = 0; (option = args_option(i)); i++)
		if (args_allowed(option, command))
			print_word("--", option->name, option->help);
	if (command->takes & (TAKES_CMD | TAKES_FILE | TAKES_BOUNDS))
		print_word("", "--", "a command follows");
}

/*
 * The option of a word that wants an argument; *@value is set to it where the same
 * word has it, else to NULL. NULL: none does.
 */
static const struct arg_option *find_option(const struct command *command, char *word,
					    char **value)
{
	const struct arg_option *option, *first = NULL;
	size_t i, len = strcspn(word + 1, "=") - 1;
	char *letter, *end = word + strlen(word);

	*value = NULL;
	for (i = 0; (option = args_option(i)); i++) {
		if (!args_allowed(option, command) || !option->value)
			continue;
		if (!strncmp(word, "--", 2)) {
			if (strlen(option->name) != len || strncmp(word + 2, option->name, len))
				continue;
			*value = word[2 + len] ? word + 2 + len + 1 : NULL;
			return option;
		}
		letter = option->letter < OPT_LONG ? strchr(word + 1, option->letter) : NULL;
		/* The word behind the first that wants one is its argument. */
		if (letter && letter < end) {
			end = letter;
			*value = letter[1] ? letter + 1 : NULL;
			first = option;
		}
	}
	return first;
}

/* Behind the name of a command, which is words[0]. */
static void complete_command(struct command *command, int nr, char **words)
{
	const struct arg_option *option, *waiting = NULL;
	bool only_operands = false;
	char *word, *value, *before;
	int i;

	for (i = 1; i < nr - 1; i++) {
		word = words[i];
		if (waiting) {
			/* Its columns are those of --output. */
			if (!strcmp(waiting->name, "view"))
				command->view = word;
			waiting = NULL;
		} else if (!strcmp(word, "--") && !only_operands) {
			if (command->takes & (TAKES_CMD | TAKES_FILE | TAKES_BOUNDS)) {
				printf(":command %d\n", i + 2);
				return;
			}
			only_operands = true;
		} else if (only_operands || *word != '-' || !word[1]) {
			if (command->takes & TAKES_CMD)
				break;
		} else {
			waiting = find_option(command, word, &value);
			waiting = value ? NULL : waiting;
		}
	}
	word = words[i];
	if (waiting) {
		complete_value(command, waiting, "", word);
	} else if (*word == '-' && !only_operands) {
		option = word[1] ? find_option(command, word, &value) : NULL;
		if (option && value) {
			before = alloc_first(word, value - word);
			if (before)
				complete_value(command, option, before, value);
			free(before);
		} else {
			complete_options(command);
		}
	} else if (command->takes & TAKES_CMD) {
		printf(":command %d\n", i + 1);
	} else if (command->takes & TAKES_BOUNDS) {
		complete_limits("", false);
	} else if (*command->operands) {
		puts(":files");
	} else {
		complete_options(command);
	}
}

/* Options that need no command. */
static void complete_more(bool (*get)(size_t i, struct command *command))
{
	const struct arg_option *option;
	struct command command;
	size_t i;

	for (i = 0; get(0, &command) && (option = args_option(i)); i++)
		if (args_allowed(option, &command) && strcmp(option->name, "help") &&
		    strcmp(option->name, "version"))
			print_word("--", option->name, option->help);
}

/**
 * complete() - print what may come next
 * @get: the commands, one after the other; false behind the last
 * @nr: how many words
 * @words: those behind "pcinspect", the last being typed; there is one before them
 */
void complete(bool (*get)(size_t i, struct command *command), int nr, char **words)
{
	struct command command;
	size_t i;

	/* Without a command they are options of the first. */
	if (nr > 1 && *words[0] == '-' && get(0, &command)) {
		complete_command(&command, nr + 1, words - 1);
		return;
	}
	if (nr == 1)
		puts(":words");
	for (i = 0; get(i, &command); i++) {
		if (nr == 1) {
			print_word("", command.name, command.summary);
		} else if (!strcmp(command.name, words[0])) {
			complete_command(&command, nr, words);
			return;
		}
	}
	if (nr == 1) {
		print_word("", "--help", "which command for which question");
		print_word("", "--version", NULL);
		complete_more(get);
	}
}
