// SPDX-License-Identifier: GPL-2.0-only
/*
 * remedies.c - the remedies to try: from --remedy, or by the advice of verdicts.
 *
 * A verdict's command is one that a shell would do; of these only those are tried that
 * are known here how to be put back, and that are not at the cost of others: settings of
 * the machine. A file that CMD does not use is not dropped, nor is a limit changed that
 * holds for other tasks, unless somebody says so. Advice that no command can give (fadvise,
 * madvise) follows from the verdict's name. Touches memory only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/quote.h"
#include "model/trial.h"

static const char *const advices[] = { "random", "sequential", "dontneed", "noreuse" };

#define NR_ADVICES (sizeof(advices) / sizeof(*advices))

/* The kernel's defaults. */
#define USUAL_READ_AHEAD_KB 128

/* Of what was read, in eighths, that a file read from end to end has at least. */
#define IN_ORDER 7

/* The cgroup or device that a setting is of, to tell two of one name apart. */
static void name_place(FILE *to, const char *path)
{
	const char *last = strrchr(path, '/'), *first = last;

	if (!strncmp(path, "/proc/sys/", 10) || !last)
		return;
	if (!strncmp(path, "/sys/class/bdi/", 15))
		first = path + 15;
	else if (!strncmp(path, "/sys/dev/block/", 15))
		last = strchr(first = path + 15, '/');
	fprintf(to, " of %.*s", (int)(last - first), first);
}

/* Directories as they are; of several files how many. */
static void print_places(FILE *to, const char *places)
{
	const char *end = strchrnul(places, '\n'), *c;
	size_t more = 0;

	for (c = end; *c; c++)
		more += *c == '\n' && c[1];
	fprintf(to, " for %.*s", (int)(end - places), places);
	if (more)
		fprintf(to, " and %zu more", more);
}

/**
 * remedies_add() - one more thing to try
 * @remedies: gets it, unless it is there
 * @kind: what to do
 * @knob: its word
 * @value: of a setting, else NULL
 * @place: see struct remedy
 *
 * Return: it, or NULL if it was there.
 */
struct remedy *remedies_add(struct remedies *remedies, enum remedy_kind kind, const char *knob,
			    const char *value, const char *place)
{
	struct remedy remedy = {
		.kind = kind,
		.knob = alloc_copy(knob),
		.value = alloc_copy(value),
		.place = alloc_copy(place),
	};
	size_t size, i;
	FILE *to = alloc_stream(&remedy.name, &size);

	fputs(knob, to);
	if (value)
		fprintf(to, "=%s", value);
	if (place && kind == REMEDY_ADVICE)
		print_places(to, place);
	else if (place && kind == REMEDY_DROP)
		fprintf(to, "=%s", place);
	else if (place)
		name_place(to, place);
	alloc_close(to);
	for (i = 0; i < remedies->nr; i++) {
		const struct remedy *old = &remedies->list[i];

		if (!strcmp(old->name, remedy.name) &&
		    !strcmp(old->place ?: "", remedy.place ?: "")) {
			free(remedy.name);
			free(remedy.knob);
			free(remedy.value);
			free(remedy.place);
			return NULL;
		}
	}
	remedies->list = alloc_array(remedies->list, remedies->nr + 1, sizeof(*remedies->list));
	remedies->list[remedies->nr] = remedy;
	return &remedies->list[remedies->nr++];
}

/* Forget them. */
void remedies_free(struct remedies *remedies)
{
	size_t i;

	for (i = 0; i < remedies->nr; i++) {
		free(remedies->list[i].name);
		free(remedies->list[i].knob);
		free(remedies->list[i].value);
		free(remedies->list[i].place);
	}
	for (i = 0; i < remedies->nr_untried; i++)
		free(remedies->untried[i].command);
	free(remedies->untried);
	free(remedies->list);
	*remedies = (struct remedies){};
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);

	return len >= tail && !strcmp(text + len - tail, end);
}

/* Does a path leave where it begins? A partition has the queue of its disk, one level up. */
static bool leads_out(const char *path)
{
	static const char disk[] = "/sys/dev/block/", queue[] = "/../queue/";
	const char *at = strstr(path, "/../");

	if (at && !strncmp(path, disk, sizeof(disk) - 1) &&
	    at == path + strspn(path + sizeof(disk) - 1, "0123456789:") + sizeof(disk) - 1 &&
	    !strncmp(at, queue, sizeof(queue) - 1))
		at = strstr(at + 1, "/../");
	return at;
}

/* The name of a setting that can be tried and put back; NULL: it is none. */
static const char *known_setting(const char *path)
{
	static const struct {
		const char *begin, *end;
	} known[] = {
		{ "/sys/class/bdi/", "/read_ahead_kb" },
		{ "/sys/dev/block/", "/queue/max_sectors_kb" },
		{ "/proc/sys/vm/", "/dirty_ratio" },
		{ "/proc/sys/vm/", "/dirty_bytes" },
		{ "/proc/sys/vm/", "/dirty_background_ratio" },
		{ "/proc/sys/vm/", "/dirty_background_bytes" },
		{ "/proc/sys/vm/", "/dirty_writeback_centisecs" },
	};
	size_t i;

	if (leads_out(path))
		return NULL;
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strncmp(path, known[i].begin, strlen(known[i].begin)) &&
		    ends_with(path, known[i].end))
			return strrchr(path, '/') + 1;
	return NULL;
}

static bool is_number(const char *text)
{
	return *text && strlen(text) < 20 && !text[strspn(text, "0123456789")];
}

/* A command that is left to whoever reads of it. */
static void leave_untried(struct remedies *remedies, const char *command, const char *why)
{
	struct untried *untried;
	size_t i;

	for (i = 0; i < remedies->nr_untried; i++)
		if (!strcmp(remedies->untried[i].command, command))
			return;
	remedies->untried = alloc_array(remedies->untried, remedies->nr_untried + 1,
					sizeof(*remedies->untried));
	untried = &remedies->untried[remedies->nr_untried++];
	*untried = (struct untried){ .command = alloc_copy(command), .why = why };
}

/* "echo VALUE > PATH", "sysctl -w vm.NAME=VALUE" and "dd if=FILE iflag=nocache count=0 …". */
static void take_command(struct remedies *remedies, const char *command)
{
	char *value = NULL, *place = NULL;
	const char *rest;

	if (!strncmp(command, "echo ", 5)) {
		value = shell_unquote(command + 5, &rest);
		if (!strncmp(rest, " > ", 3))
			place = shell_unquote(rest + 3, &rest);
		if (place && !*rest && is_number(value) && known_setting(place))
			remedies_add(remedies, REMEDY_SETTING, known_setting(place), value, place);
		else if (place && !strncmp(place, MEMCG_ROOT "/", strlen(MEMCG_ROOT "/")))
			leave_untried(remedies, command,
				      "the limit holds for others as well (--remedy memory.max=BYTES or memory.high=BYTES tries it in a cgroup of CMD's own)");
	} else if (!strncmp(command, "sysctl -w vm.", 13)) {
		rest = strchr(command, '=');
		if (rest)
			place = alloc_text("/proc/sys/vm/%.*s", (int)(rest - command - 13),
					   command + 13);
		if (place && is_number(rest + 1) && known_setting(place))
			remedies_add(remedies, REMEDY_SETTING, known_setting(place), rest + 1,
				     place);
	} else if (!strncmp(command, "dd if=", 6)) {
		leave_untried(remedies, command,
			      "it is not this command's file (--remedy drop=FILE tries it)");
	}
	free(value);
	free(place);
}

/* The files of a verdict, as advice has them; NULL: they cannot be told from others. */
static char *places_of(const struct report *report, const struct verdict *v)
{
	char *out = NULL;
	size_t size, i;
	FILE *to;

	if (v->nr_files > VERDICT_NAMED)
		return v->scope == SCOPE_DIRECTORY && v->place ? alloc_text("%s/", v->place) : NULL;
	to = alloc_stream(&out, &size);
	for (i = 0; i < v->nr_files; i++)
		if (report->files[v->worst[i]].path)
			fprintf(to, "%s%s", i ? "\n" : "", report->files[v->worst[i]].path);
	alloc_close(to);
	return out;
}

/* The file whose filling took most of another's pages; NULL: it has no name. */
static const char *stream_of(const struct report *report, const struct file *file)
{
	const struct pcinspect_culprit *most = NULL;
	int i;

	for (i = 0; file->who && i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->who->evictors[i];

		if (who->pages && who->ino && who->ino != file->snap.ino &&
		    (!most || who->pages > most->pages))
			most = who;
	}
	return most ? report_name(report, most) : NULL;
}

/*
 * Read in order, in windows smaller than the kernel has by itself? No verdict says so: it
 * costs requests, not bytes.
 */
static void take_little_readahead(struct remedies *remedies, const struct report *report)
{
	char path[80], value[16];
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];
		uint64_t read = number_of(file, PCINSPECT_DEMANDED_BYTES);
		uint64_t now, device;

		snprintf(path, sizeof(path), "/sys/class/bdi/%s/read_ahead_kb", file->snap.bdi);
		if (!file_number(file, PCINSPECT_DEVICE_BYTES, &device) || device < 1 << 20 ||
		    read < device / 8 * IN_ORDER || !report_setting(report, path, &now) ||
		    now >= USUAL_READ_AHEAD_KB)
			continue;
		snprintf(value, sizeof(value), "%d", USUAL_READ_AHEAD_KB);
		remedies_add(remedies, REMEDY_SETTING, "read_ahead_kb", value, path);
	}
}

/**
 * remedies_of() - what the verdicts of a report advise
 * @remedies: gets what can be tried
 * @report: explained
 */
void remedies_of(struct remedies *remedies, const struct report *report)
{
	static const struct {
		const char *verdict, *advice;
	} given[] = {
		{ "mmap-read-around", "random" },
		{ "filesystem-expansion", "random" },
		{ "readahead-waste", "random" },
		{ "evicted-by-stream", "dontneed" },
		{ "mixed-direct-and-buffered", "dontneed" },
	};
	size_t i, k;

	for (i = 0; i < report->nr_verdicts; i++) {
		const struct verdict *v = &report->verdicts[i];
		char *places;

		for (k = 0; k < sizeof(given) / sizeof(*given); k++) {
			if (strcmp(v->name, given[k].verdict))
				continue;
			/* The stream is to let go, not who suffers from it. */
			places = strcmp(v->name, "evicted-by-stream") ?
					 places_of(report, v) :
					 alloc_copy(stream_of(report, &report->files[v->file]));
			remedies_add(remedies, REMEDY_ADVICE, given[k].advice, NULL, places);
			free(places);
		}
		if (v->command)
			take_command(remedies, v->command);
	}
	take_little_readahead(remedies, report);
}

/* The setting of a name, of the device that most was moved on; NULL: there is none. */
static char *setting_path(const char *knob, const struct report *report)
{
	const struct pcinspect_snapshot *snap = NULL;
	char *out = NULL;
	size_t i;

	for (i = 0; !snap && i < report->nr_files; i++)
		if (report->files[i].snap.bdi[0] && report->files[i].snap.dev_major)
			snap = &report->files[i].snap;
	if (!strcmp(knob, "read_ahead_kb") && snap)
		out = alloc_text("/sys/class/bdi/%s/read_ahead_kb", snap->bdi);
	else if (!strcmp(knob, "max_sectors_kb") && snap)
		out = alloc_text("/sys/dev/block/%u:%u/queue/max_sectors_kb", snap->dev_major,
				 snap->dev_minor);
	else if (!strncmp(knob, "dirty_", 6))
		out = alloc_text("/proc/sys/vm/%s", knob);
	if (out && !known_setting(out)) {
		free(out);
		out = NULL;
	}
	return out;
}

/**
 * remedy_parse() - what --remedy says
 * @remedies: gets it
 * @text: of the option
 * @report: of a run; NULL: only see whether it can be understood
 *
 * Return: NULL, or what is wrong with it.
 */
const char *remedy_parse(struct remedies *remedies, const char *text, const struct report *report)
{
	static const char *const of_devices[] = { "read_ahead_kb", "max_sectors_kb" };
	size_t len = strcspn(text, "="), i;
	const char *value = text[len] ? text + len + 1 : NULL;
	char *knob = alloc_first(text, len), *path;
	const char *wrong = NULL;

	for (i = 0; i < NR_ADVICES && strcmp(knob, advices[i]); i++)
		;
	if (i < NR_ADVICES) {
		if (value && *value != '/')
			wrong = "the files it is for have to be an absolute path";
		else if (report)
			remedies_add(remedies, REMEDY_ADVICE, knob, NULL, value);
	} else if (!strcmp(knob, "drop")) {
		if (!value || *value != '/')
			wrong = "needs the absolute path of a file";
		else if (report)
			remedies_add(remedies, REMEDY_DROP, knob, NULL, value);
	} else if (!value || !is_number(value)) {
		wrong = value ? "not a whole number" : "unknown, or lacks its value";
	} else if (!strcmp(knob, "memory.high") || !strcmp(knob, "memory.max") ||
		   !strcmp(knob, "memory.low")) {
		if (report)
			remedies_add(remedies, REMEDY_CGROUP, knob, value, NULL);
	} else if (report) {
		path = setting_path(knob, report);
		if (path)
			remedies_add(remedies, REMEDY_SETTING, knob, value, path);
		else
			wrong = "CMD uses no file of a disk that has it";
		free(path);
	} else {
		for (i = 0; i < 2 && strcmp(knob, of_devices[i]); i++)
			;
		path = i < 2 ? NULL : setting_path(knob, &(struct report){});
		if (i == 2 && !path)
			wrong = "unknown";
		free(path);
	}
	free(knob);
	return wrong;
}
