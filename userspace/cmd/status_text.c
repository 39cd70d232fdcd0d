// SPDX-License-Identifier: GPL-2.0
/*
 * status_text.c - what the module says of itself (debugfs info), as JSON and on one
 * screen: what is in use of how much, what was lost, and what is unknown for want of
 * a hook. Touches memory, and the stream it is given.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/status_text.h"
#include "lib/text.h"
#include "model/numbers.h"

#define WIDTH 79

/* The object of a key; it is made when it is asked for first. */
static struct json_object *part(struct json_object *of, const char *key, bool array)
{
	struct json_object *value;

	if (!json_object_object_get_ex(of, key, &value)) {
		value = array ? json_object_new_array() : json_object_new_object();
		json_object_object_add(of, key, value);
	}
	return value;
}

static void add_text(struct json_object *to, const char *key, const char *text, size_t len)
{
	json_object_object_add(to, key, json_object_new_string_len(text, len));
}

static void count(struct json_object *to, const char *key)
{
	struct json_object *value;
	int n = json_object_object_get_ex(to, key, &value) ? json_object_get_int(value) : 0;

	json_object_object_add(to, key, json_object_new_int(n + 1));
}

/*
 * "missing: WHY (unknown without it: WHAT) everywhere: NUMBER…", or "on FS…:" or "not
 * on FS…:" instead of everywhere; without any of them nothing depends on it.
 */
static struct json_object *missing_hook(const char *name, const char *said)
{
	static const char marker[] = " (unknown without it: ";
	static const char *const scopes[] = { ") everywhere: ", ") on ", ") not on " };
	struct json_object *hook = json_object_new_object(), *unknown;
	const char *what = strstr(said, marker), *end, *numbers = NULL, *at = NULL;
	size_t i;

	add_text(hook, "name", name, strlen(name));
	add_text(hook, "why", said, what ? (size_t)(what - said) : strlen(said));
	unknown = part(hook, "unknown", true);
	if (!what)
		return hook;
	what += strlen(marker);
	end = what + strlen(what) - (what[strlen(what) - 1] == ')');
	for (i = 0; i < 3 && !at; i++)
		at = strstr(what, scopes[i]);
	if (at) {
		end = at;
		numbers = strstr(at, ": ");
		add_text(hook, "where", at + 2, numbers ? (size_t)(numbers - at - 2) : strlen(at + 2));
	}
	add_text(hook, "what", what, end - what);
	for (numbers = numbers ? numbers + 2 : ""; *numbers; numbers += i, numbers += *numbers == ' ') {
		i = strcspn(numbers, " ");
		if (i)
			json_object_array_add(unknown, json_object_new_string_len(numbers, i));
	}
	return hook;
}

/**
 * status_line() - take over one line of info
 * @status: JSON of all of them
 * @line: "key: value"; changed
 *
 * Return: false if it is a hook that this kernel lacks.
 */
bool status_line(struct json_object *status, char *line)
{
	char *value = strstr(line, ": ");
	struct json_object *hooks;
	const char *state;

	line[strcspn(line, "\n")] = '\0';
	if (!value)
		return true;
	*value = '\0';
	value += 2;
	/* "format" is that of this JSON. */
	json_object_object_add(status, strcmp(line, "format") ? line : "debugfs_format",
			       json_object_new_string(value));
	if (strspn(value, "0123456789") == strlen(value))
		json_object_object_add(part(status, "numbers", false),
				       strcmp(line, "format") ? line : "debugfs_format",
				       json_object_new_int64(strtoll(value, NULL, 10)));
	if (strncmp(line, "hook ", 5))
		return true;
	hooks = part(status, "hooks", false);
	state = !strncmp(value, "missing: ", 9) ? "missing" :
		!strncmp(value, "absent", 6) ? "absent" :
		!strncmp(value, "detached", 8) ? "detached" : "attached";
	if (strcmp(state, "missing"))
		count(hooks, state);
	else
		json_object_array_add(part(hooks, state, true), missing_hook(line + 5, value + 9));
	return strcmp(state, "missing");
}

static const char *text(struct json_object *of, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(of, key, &value) ? json_object_get_string(value) : "?";
}

static int64_t number(struct json_object *of, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(of, key, &value) ? json_object_get_int64(value) : 0;
}

/* The name of a number in debugfs, as reports call it. */
static const char *heading(const char *name)
{
	size_t i;

	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++)
		if (!strcmp(number_rows[i].name, name))
			return number_rows[i].heading ?: name;
	return name;
}

/* What reports lack for want of a hook. */
static void print_missing(struct json_object *hook, FILE *to)
{
	struct json_object *unknown = part(hook, "unknown", true);
	char *words = NULL;
	size_t size, i, n = json_object_array_length(unknown);
	FILE *out = open_memstream(&words, &size);

	if (!out)
		return;
	fprintf(out, "without %s:", text(hook, "name"));
	for (i = 0; i < n; i++)
		fprintf(out, "%s %s", i ? "," : "", heading(json_object_get_string(
			json_object_array_get_idx(unknown, i))));
	if (n)
		fprintf(out, " %s ? %s;", n > 1 ? "are" : "is", text(hook, "where"));
	fprintf(out, " it tells %s; %s", text(hook, "what"), text(hook, "why"));
	fclose(out);
	fputs("  ", to);
	text_wrap(to, words, 2, 4, WIDTH);
	free(words);
}

static void print_hooks(struct json_object *status, FILE *to)
{
	struct json_object *hooks = part(status, "hooks", false), *missing;
	size_t i, nr_missing;
	int64_t attached, detached;
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	if (!out)
		return;

	missing = part(hooks, "missing", true);
	nr_missing = json_object_array_length(missing);
	attached = number(hooks, "attached");
	detached = number(hooks, "detached");
	fprintf(out, "hooks: %jd of %jd attached", (intmax_t)attached,
		(intmax_t)(attached + detached + nr_missing));
	if (detached)
		fprintf(out, " (%sthe first track, run or watch attaches %s)",
			attached ? "" : "nothing is tracked; ",
			attached ? "the others" : "them");
	for (i = 0; i < nr_missing; i++)
		fprintf(out, "%s %s", i ? "," : "; missing:",
			text(json_object_array_get_idx(missing, i), "name"));
	fputs(nr_missing ? "" : "; none is missing", out);
	fclose(out);
	text_wrap(to, words, 0, 6, WIDTH);
	free(words);
	for (i = 0; i < nr_missing; i++)
		print_missing(json_object_array_get_idx(missing, i), to);
}

static void print_losses(struct json_object *status, FILE *to)
{
	static const struct {
		const char *key, *words;
	} losses[] = {
		{ "lost_inodes", "changes of files that found no record: the table is full (modprobe pcinspect max_inodes=N, a larger N)" },
		{ "lost_ledgers", "files that found no memory to be counted: their reads and writes are too low" },
		{ "lost_windows", "readahead windows that found no memory" },
		{ "lost_dirty_times", "dirty folios whose time found no memory: their age is ? (max_dirty_bytes)" },
		{ "lost_frames", "calls that could not be followed: reads and writes are too low by them" },
		{ "probes_missed", "events that a hook missed: counts are too low by them" },
	};
	bool any = false;
	size_t i;

	for (i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		if (!strcmp(text(status, losses[i].key), "0"))
			continue;
		fprintf(to, "lost: ");
		any = true;
		fprintf(to, "%s ", text(status, losses[i].key));
		text_wrap(to, losses[i].words, 6 + strlen(text(status, losses[i].key)) + 1, 6, WIDTH);
	}
	if (!any)
		fputs("lost: nothing since the module was loaded\n", to);
}

/**
 * status_print() - one screen of it
 * @status: of status_line()
 * @to: where
 */
void status_print(struct json_object *status, FILE *to)
{
	struct json_object *hooks = part(status, "hooks", false), *numbers = part(status, "numbers", false);
	size_t nr_missing = json_object_array_length(part(hooks, "missing", true));
	char memory[16], times[16];

	size_text(memory, sizeof(memory), number(numbers, "memory_bytes"));
	size_text(times, sizeof(times), number(numbers, "max_dirty_bytes"));
	fprintf(to, "program: %s\n", text(status, "program"));
	fprintf(to, "module: %s (debugfs format %s, abi %s)\n", text(status, "module"),
		text(status, "debugfs_format"), text(status, "abi"));
	fprintf(to, "kernel: %s, pages of %s bytes, lru %s\n", text(status, "kernel"),
		text(status, "page_size"), text(status, "lru"));
	if (number(numbers, "auto"))
		fprintf(to, "records: %s files seen (max_inodes=%s),", text(status, "auto_records"),
			text(status, "max_inodes"));
	else
		fputs("records: of tracked files only (auto=0),", to);
	fprintf(to, " %s tracked (at most %s)\n", text(status, "explicit_records"),
		text(status, "max_explicit"));
	fprintf(to, "memory: %s; for ages of dirty pages at most %s (max_dirty_bytes)\n", memory, times);
	if (strcmp(text(status, "run"), "none"))
		fputs("run: one is under way (pcinspect run)\n", to);
	print_losses(status, to);
	print_hooks(status, to);
	fprintf(to, "cachestat: %s\n", text(status, "cachestat"));
	if (nr_missing)
		fputs("works: what stands above is unknown (? in tables, null in JSON), all else works\n", to);
	else
		fputs("works: all of it\n", to);
}
