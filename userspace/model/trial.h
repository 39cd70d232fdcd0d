/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trial.h - remedies, what was measured with each, and which of them helps.
 */
#ifndef PCINSPECT_MODEL_TRIAL_H
#define PCINSPECT_MODEL_TRIAL_H

#include "model/report.h"

/* enum remedy_kind - what is to be done */
enum remedy_kind {
	REMEDY_ADVICE,		/* CMD gives advice about its files, by our library */
	REMEDY_SETTING,		/* a setting has another value */
	REMEDY_CGROUP,		/* CMD is in a cgroup of its own, with a limit */
	REMEDY_DROP,		/* a file is dropped from the cache first */
};

/**
 * struct remedy - something to be tried
 * @kind: which
 * @name: as --remedy has it, what was meant by it filled in
 * @knob: advice: its word; else the name of the setting
 * @place: advice: paths, one a line, a directory's ends in "/", NULL: all files; setting:
 *	its path; drop: the file
 * @value: of the setting
 */
struct remedy {
	enum remedy_kind kind;
	char *name;
	char *knob;
	char *place;
	char *value;
};

/**
 * struct remedies - some
 * @list: of them
 * @nr: how many
 * @untried: commands that verdicts advise, and that would change what is others'
 * @nr_untried: how many
 */
struct remedies {
	struct remedy *list;
	size_t nr;
	struct untried {
		char *command;
		const char *why;
	} *untried;
	size_t nr_untried;
};

/**
 * struct costs - what a run cost
 * @read_bytes: from devices, for CMD's files
 * @written_bytes: to devices
 * @bytes_known: of all of its files
 * @requests: that the devices of these files got
 * @requests_known: each of them counts
 * @refault_pages: that came back
 * @refault_known: of all of its files
 * @fsyncs: calls
 * @fsyncs_known: of all of its files that were written
 * @fsync_ns: that they took
 * @fsync_known: each is kept
 * @asked_bytes: that programs read and wrote of these files, by calls
 * @asked_known: of all of them, and but for little by calls only
 * @scale: what the others are multiplied by to be compared, 1 but of a service; 0: unknown
 * @left_pages: that could not be dropped beforehand; PCINSPECT_UNKNOWN: nothing was dropped
 * @status: of CMD, -1: there is none
 */
struct costs {
	uint64_t read_bytes;
	uint64_t written_bytes;
	bool bytes_known;
	uint64_t requests;
	bool requests_known;
	uint64_t refault_pages;
	bool refault_known;
	uint64_t fsyncs;
	bool fsyncs_known;
	uint64_t fsync_ns;
	bool fsync_known;
	uint64_t asked_bytes;
	bool asked_known;
	double scale;
	uint64_t left_pages;
	int status;
};

/* enum outcome - what there is to say of a remedy */
enum outcome {
	OUTCOME_BASE,		/* it is a run without any */
	OUTCOME_HELPS,
	OUTCOME_NO_DIFFERENCE,	/* or none that two runs without any do not have */
	OUTCOME_COSTS_MORE,
	OUTCOME_CMD_FAILED,
	OUTCOME_NOT_APPLIED,	/* no permission, or nobody took it */
	OUTCOME_UNKNOWN,	/* its bytes are not known */
};

/**
 * struct attempt - one run of CMD
 * @remedy: in force; NULL: none
 * @costs: of it
 * @outcome: what it comes to
 */
struct attempt {
	const struct remedy *remedy;
	struct costs costs;
	enum outcome outcome;
};

#define MAX_ATTEMPTS 32
#define NO_ATTEMPT MAX_ATTEMPTS

/**
 * struct trial - CMD with and without remedies
 * @remedies: that were thought of
 * @attempts: the first two without any
 * @nr: how many
 * @best: the one that helps most; NO_ATTEMPT: none does
 * @files: of CMD, that were made cold
 * @service: what is looked at instead of CMD, in words; NULL: it is CMD
 * @seconds: how long each time
 */
struct trial {
	struct remedies remedies;
	struct attempt attempts[MAX_ATTEMPTS];
	size_t nr;
	size_t best;
	size_t files;
	char *service;
	double seconds;
};

struct remedy *remedies_add(struct remedies *remedies, enum remedy_kind kind, const char *knob,
			    const char *value, const char *place);
const char *remedy_parse(struct remedies *remedies, const char *text,
			 const struct report *report);
void remedies_of(struct remedies *remedies, const struct report *report);
void remedies_free(struct remedies *remedies);
void costs_of(struct costs *costs, const struct report *report, bool deleted);
double costs_bytes(const struct costs *costs);
void trial_judge(struct trial *trial);
const char *outcome_word(enum outcome outcome);

#endif /* PCINSPECT_MODEL_TRIAL_H */
