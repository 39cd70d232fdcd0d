// SPDX-License-Identifier: GPL-2.0-only
/* test_status.c - what the module says of itself, on a screen and as JSON. */
#include <stdlib.h>

#include "cmd/status_text.h"
#include "test.h"

static const char *const all_well[] = {
	"module: 0.1.0", "format: 1", "abi: 14", "kernel: 6.12.1", "page_size: 4096", "lru: mglru",
	"auto: 1", "max_inodes: 16384", "max_explicit: 1024", "max_dirty_bytes: 67108864",
	"auto_records: 812", "explicit_records: 1", "memory_bytes: 1258291", "lost_inodes: 0",
	"lost_ledgers: 0", "lost_windows: 0", "lost_dirty_times: 0", "lost_frames: 0",
	"probes_missed: 0", "run: none", "longest_list_hold: 7 entries", "longest_lru_hold: 3100 ns", "hooks_not_called: a b",
	"hooks: 2 of 2 attached; none is missing", "hook a: attached",
	"hook b: attached",
	"hook c: absent: not in this kernel, or its module is not loaded (it is for: c)", NULL,
};

static const char *const some_missing[] = {
	"hook d: missing: this kernel has no such tracepoint (unknown without it: holes (ext4)) on ext4 xfs: hole_pages device_bytes",
	"hook e: missing: registering failed with -2 (unknown without it: who it was)",
	"lost_inodes: 3", NULL,
};

static const char *const idle[] = { "auto: 0", "hook a: detached: nothing is tracked (unknown meanwhile: reads)",
	"max_dirty_bytes: many", NULL };

static bool load(struct json_object *status, const char *const *lines)
{
	bool complete = true;
	char line[512];

	for (; *lines; lines++) {
		snprintf(line, sizeof(line), "%s\n", *lines);
		complete &= status_line(status, line);
	}
	return complete;
}

static char *shown(struct json_object *status)
{
	static char text[4096];
	FILE *to;

	memset(text, 0, sizeof(text));
	to = fmemopen(text, sizeof(text) - 1, "w");
	status_print(status, to, 79);
	fclose(to);
	return text;
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static bool fits(const char *text)
{
	size_t lines = 0;

	for (; *text; text += strcspn(text, "\n") + 1, lines++)
		if (strcspn(text, "\n") > 80)
			return false;
	return lines <= 24;
}

static const char *at(struct json_object *json, const char *a, const char *b)
{
	json_object_object_get_ex(json, a, &json);
	if (b)
		json_object_object_get_ex(json, b, &json);
	return json ? json_object_to_json_string_ext(json, 0) : "none";
}

int main(void)
{
	struct json_object *status = json_object_new_object();
	const char *text;

	CHECK("no hook is missing", load(status, all_well));
	text = shown(status);
	CHECK("hooks: one line", has(text, "\nhooks: 2 of 2 attached; none is missing\n"));
	CHECK("all works", has(text, "\nworks: all of it\n"));
	CHECK("nothing was lost", has(text, "\nlost: nothing"));
	CHECK("of how many", has(text, "812 files seen (max_inodes=16384), 1 tracked (at most 1024)"));
	CHECK("a screen", fits(text));
	CHECK_STR("numbers as numbers", at(status, "max_inodes", NULL), "16384");
	CHECK_STR("also those that say what they count", at(status, "longest_list_hold", NULL), "7");
	CHECK_STR("yes and no as such", at(status, "auto", NULL), "true");
	CHECK_STR("no run", at(status, "run", NULL), "false");
	CHECK_STR("a version is no number", at(status, "module", NULL), "\"0.1.0\"");
	CHECK_STR("names as a list", at(status, "hooks_not_called", NULL), "[\"a\",\"b\"]");
	CHECK("a hook is no key", !json_object_object_get_ex(status, "hook a", NULL));
	CHECK_STR("hooks, each an object", at(status, "hooks", NULL),
		  "[{\"name\":\"a\",\"state\":\"attached\",\"attached\":true,\"why\":null,\"what\":null,\"where\":null,\"unknown\":[]},"
		  "{\"name\":\"b\",\"state\":\"attached\",\"attached\":true,\"why\":null,\"what\":null,\"where\":null,\"unknown\":[]},"
		  "{\"name\":\"c\",\"state\":\"absent\",\"attached\":false,\"why\":\"not in this kernel, or its module is not loaded\",\"what\":\"c\",\"where\":null,\"unknown\":[]}]");

	CHECK("what no cachestat(2) means", has(text, "\ncachestat: missing: a kernel before 6.5"));
	json_object_object_add(status, "cachestat", json_object_new_boolean(true));
	CHECK("cachestat(2)", has(shown(status), "\ncachestat: present\n"));

	CHECK("hooks are missing", !load(status, some_missing));
	text = shown(status);
	CHECK("which", has(text, "\nhooks: 2 of 4 attached; missing: d, e\n"));
	CHECK("what it costs, in the words of reports",
	      has(text, "  without d: HOLE, DEVICE are ? on ext4 xfs; it tells holes (ext4); this kernel"));
	CHECK("what it is for", has(text, "  without e: it tells who it was; registering failed with -2\n"));
	CHECK("what was lost, and the remedy", has(text, "lost: 3 insertions and removals without a record"));
	CHECK("a screen with losses", fits(text));
	CHECK_STR("JSON has it", json_object_to_json_string_ext(json_object_array_get_idx(
			  json_object_object_get(status, "hooks"), 3), 0),
		  "{\"name\":\"d\",\"state\":\"missing\",\"attached\":false,\"why\":\"this kernel has no such tracepoint\",\"what\":\"holes (ext4)\",\"where\":\"on ext4 xfs\",\"unknown\":[\"hole_pages\",\"device_bytes\"]}");
	CHECK_STR("and what it is for", json_object_to_json_string_ext(json_object_array_get_idx(
			  json_object_object_get(status, "hooks"), 4), 0),
		  "{\"name\":\"e\",\"state\":\"missing\",\"attached\":false,\"why\":\"registering failed with -2\",\"what\":\"who it was\",\"where\":null,\"unknown\":[]}");
	json_object_put(status);

	status = json_object_new_object();
	CHECK("detached is not missing", load(status, idle));
	CHECK("and why", has(shown(status), "hooks: 0 of 1 attached (nothing is tracked; the first track,"));
	CHECK("unknown is ?", has(shown(status), "module: ? "));
	CHECK("so are sizes that are not there, or no number",
	      has(shown(status), "\nmemory: ?, at most ? (max_memory_bytes)\n      for ages of dirty pages at most ? (max_dirty_bytes)\n"));
	CHECK_STR("what is detached", at(status, "hooks", NULL),
		  "[{\"name\":\"a\",\"state\":\"detached\",\"attached\":false,\"why\":\"nothing is tracked\",\"what\":\"reads\",\"where\":null,\"unknown\":[]}]");
	load(status, all_well);
	CHECK("some wait for the first track", has(shown(status),
		"hooks: 2 of 3 attached (the first track, run or watch attaches the others)"));
	json_object_put(status);
	return test_failures != 0;
}
