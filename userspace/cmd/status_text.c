// SPDX-License-Identifier: GPL-2.0-only
/*
 * status_text.c - the module's own state (debugfs info, hooks), as JSON and on one
 * screen: what is in use of how much, what was lost, and what is unknown for want of
 * a hook. Touches memory, and the stream it is given.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/status_text.h"
#include "lib/text.h"
#include "model/numbers.h"

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

static void add_word(struct json_object *to, const char *key, const char *word)
{
	add_text(to, key, word, strlen(word));
}

/*
 * "WHY (unknown without it: WHAT) everywhere: NUMBER…", or "on FS…:" or "not on FS…:"
 * instead of everywhere; without any of them nothing depends on it. Of a hook that is
 * not missing the bracket says "(unknown meanwhile: WHAT)" or "(it is for: WHAT)".
 */
static void add_why(struct json_object *hook, const char *said)
{
	static const char *const scopes[] = { ") everywhere: ", ") on ", ") not on " };
	const char *what = strstr(said, " ("), *end, *numbers = NULL, *at = NULL;
	struct json_object *unknown;
	size_t i;

	add_text(hook, "why", said, what ? (size_t)(what - said) : strlen(said));
	what = what ? strstr(what, ": ") : NULL;
	if (!what)
		return;
	what += 2;
	end = what + strlen(what) - (what[0] && what[strlen(what) - 1] == ')');
	for (i = 0; i < 3 && !at; i++)
		at = strstr(what, scopes[i]);
	if (at) {
		end = at;
		numbers = strstr(at, ": ");
		add_text(hook, "where", at + 2, numbers ? (size_t)(numbers - at - 2) : strlen(at + 2));
	}
	add_text(hook, "what", what, end - what);
	unknown = part(hook, "unknown", true);
	for (numbers = numbers ? numbers + 2 : ""; *numbers; numbers += i, numbers += *numbers == ' ') {
		i = strcspn(numbers, " ");
		if (i)
			json_object_array_add(unknown, json_object_new_string_len(numbers, i));
	}
}

/* One hook, and what it is for where it is not attached. */
static const char *add_hook(struct json_object *hooks, const char *name, const char *said)
{
	static const char *const states[] = { "missing", "absent", "detached" };
	struct json_object *hook = json_object_new_object();
	const char *state = "attached";
	size_t i, len;

	for (i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (!strncmp(said, states[i], strlen(states[i])))
			state = states[i];
	len = strlen(state);
	add_word(hook, "name", name);
	add_word(hook, "state", state);
	json_object_object_add(hook, "attached", json_object_new_boolean(!strcmp(state, "attached")));
	json_object_object_add(hook, "why", NULL);
	json_object_object_add(hook, "what", NULL);
	json_object_object_add(hook, "where", NULL);
	part(hook, "unknown", true);
	if (!strncmp(said + len, ": ", 2))
		add_why(hook, said + len + 2);
	json_object_array_add(hooks, hook);
	return state;
}

/* "a b", or "-" for none. */
static struct json_object *words(const char *text)
{
	struct json_object *out = json_object_new_array();
	size_t len;

	for (; *text && strcmp(text, "-"); text += len, text += *text == ' ') {
		len = strcspn(text, " ");
		json_object_array_add(out, json_object_new_string_len(text, len));
	}
	return out;
}

/* A whole number, with or without what it counts ("12 entries"). */
static bool is_number(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && (!text[digits] || !strcmp(text + digits, " entries") ||
			  !strcmp(text + digits, " rows"));
}

/**
 * status_line() - take over one line of info or hooks
 * @status: JSON of all of them
 * @line: "key: value"; changed
 *
 * Return: false if it is a hook that this kernel lacks.
 */
bool status_line(struct json_object *status, char *line)
{
	char *value = strchr(line, ':');
	const char *key = line;
	struct json_object *of;

	line[strcspn(line, "\n")] = '\0';
	if (!value)
		return true;
	*value++ = '\0';
	value += *value == ' ';
	/* "format" is that of this JSON. */
	if (!strcmp(key, "format"))
		key = "debugfs_format";
	/* The sum of those that follow. */
	if (!strcmp(key, "hooks"))
		return true;
	if (!strncmp(key, "hook ", 5))
		return strcmp(add_hook(part(status, "hooks", true), key + 5, value), "missing");
	if (!strcmp(key, "auto"))
		of = json_object_new_boolean(strcmp(value, "0"));
	else if (!strcmp(key, "run"))
		of = json_object_new_boolean(strcmp(value, "none"));
	else if (!strcmp(key, "hooks_not_called"))
		of = words(value);
	else if (is_number(value))
		of = json_object_new_int64(strtoll(value, NULL, 10));
	else
		of = json_object_new_string(value);
	json_object_object_add(status, key, of);
	return true;
}

static const char *text(struct json_object *of, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(of, key, &value) && value ?
	       json_object_get_string(value) : "?";
}

/* A number of bytes; ? if there is none. */
static void size_of(struct json_object *of, const char *key, char *out, size_t room)
{
	struct json_object *value;

	if (json_object_object_get_ex(of, key, &value) &&
	    json_object_is_type(value, json_type_int))
		size_text(out, room, json_object_get_int64(value));
	else
		snprintf(out, room, "?");
}

static bool yes(struct json_object *of, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(of, key, &value) && json_object_get_boolean(value);
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

/* The numbers that reports lack for want of a hook. */
static void print_missing(struct json_object *hook, FILE *to, int width)
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
	text_wrap(to, words, 2, 4, width);
	free(words);
}

/* The hooks in a state, one after the other; NULL: there is no further one. */
static struct json_object *hook_in(struct json_object *hooks, const char *state, size_t i)
{
	struct json_object *hook;
	size_t k;

	for (k = 0; k < json_object_array_length(hooks); k++) {
		hook = json_object_array_get_idx(hooks, k);
		if (!strcmp(text(hook, "state"), state) && !i--)
			return hook;
	}
	return NULL;
}

static size_t hooks_in(struct json_object *hooks, const char *state)
{
	size_t n = 0;

	while (hook_in(hooks, state, n))
		n++;
	return n;
}

static void print_hooks(struct json_object *status, FILE *to, int width)
{
	struct json_object *hooks = part(status, "hooks", true), *missing;
	size_t nr_missing = hooks_in(hooks, "missing"), i;
	size_t attached = hooks_in(hooks, "attached"), detached = hooks_in(hooks, "detached");
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	if (!out)
		return;
	fprintf(out, "hooks: %zu of %zu attached", attached, attached + detached + nr_missing);
	if (detached)
		fprintf(out, " (%sthe first track, run or watch attaches %s)",
			attached ? "" : "nothing is tracked; ",
			attached ? "the others" : "them");
	for (i = 0; (missing = hook_in(hooks, "missing", i)); i++)
		fprintf(out, "%s %s", i ? "," : "; missing:", text(missing, "name"));
	fputs(nr_missing ? "" : "; none is missing", out);
	fclose(out);
	text_wrap(to, words, 0, 6, width);
	free(words);
	for (i = 0; (missing = hook_in(hooks, "missing", i)); i++)
		print_missing(missing, to, width);
}

static void print_losses(struct json_object *status, FILE *to, int width)
{
	static const struct {
		const char *key, *words;
	} losses[] = {
		{ "lost_inodes", "insertions and removals without a record: the table is full (modprobe pcinspect max_inodes=N, with a larger N)" },
		{ "lost_ledgers", "files without memory for counters: their reads and writes are too low (max_memory_bytes)" },
		{ "lost_windows", "readahead windows without memory for a row" },
		{ "lost_dirty_times", "dirty folios without memory for their time: their age is ? (max_dirty_bytes)" },
		{ "lost_frames", "calls that could not be followed: reads and writes are too low by what they did" },
		{ "probes_missed", "events that a hook missed: counts are too low by them" },
	};
	bool any = false;
	size_t i;

	for (i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		const char *nr = text(status, losses[i].key);

		if (!strcmp(nr, "0"))
			continue;
		any = true;
		text_wrap(to, losses[i].words, fprintf(to, "lost: %s ", nr), 6, width);
	}
	if (!any)
		fputs("lost: nothing since the module was loaded\n", to);
}

/**
 * status_print() - one screen of it
 * @status: of status_line()
 * @to: where
 * @width: columns of it
 */
void status_print(struct json_object *status, FILE *to, int width)
{
	size_t nr_missing = hooks_in(part(status, "hooks", true), "missing");
	char memory[16], most[16], times[16];

	size_of(status, "memory_bytes", memory, sizeof(memory));
	size_of(status, "max_memory_bytes", most, sizeof(most));
	size_of(status, "max_dirty_bytes", times, sizeof(times));
	fprintf(to, "program: %s\n", text(status, "program"));
	fprintf(to, "module: %s (debugfs format %s, abi %s)\n", text(status, "module"),
		text(status, "debugfs_format"), text(status, "abi"));
	fprintf(to, "kernel: %s, pages of %s bytes, lru %s\n", text(status, "kernel"),
		text(status, "page_size"), text(status, "lru"));
	if (yes(status, "auto"))
		fprintf(to, "records: %s files seen (max_inodes=%s),", text(status, "auto_records"),
			text(status, "max_inodes"));
	else
		fputs("records: of tracked files only (auto=0),", to);
	fprintf(to, " %s tracked (at most %s)\n", text(status, "explicit_records"),
		text(status, "max_explicit"));
	fprintf(to, "memory: %s, at most %s (max_memory_bytes)\n"
		"      for ages of dirty pages at most %s (max_dirty_bytes)\n",
		memory, most, times);
	if (strstr(text(status, "demand"), "max_overhead")) {
		fputs("live view: ", to);
		text_wrap(to, "its hooks took more than max_overhead and were detached: what it counts is ? until it ends",
			  11, 6, width);
	}
	if (yes(status, "run"))
		fputs("run: one is under way (pcinspect run)\n", to);
	print_losses(status, to, width);
	print_hooks(status, to, width);
	fputs("cachestat: ", to);
	text_wrap(to, yes(status, "cachestat") ? "present" : STATUS_NO_CACHESTAT, 11, 6, width);
	if (nr_missing)
		fputs("works: what stands above is unknown (? in tables, null in JSON), all else works\n", to);
	else
		fputs("works: all of it\n", to);
}
