/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rules.h - building blocks of the rules of explain; for this folder only.
 *
 * A rule looks at ledgers and the report's settings, opens nothing, and adds a verdict
 * only when the numbers leave no doubt; so it says of a recording what it said live.
 * It is asked twice: of each file whether its numbers are such, in ratios alone; then
 * of all those files together that have the same cause, whether that is worth a word.
 * Ratios that hold of each hold of the sum, so a little in each of a thousand files
 * counts as much as all of it in one. Thresholds are beside the rules and in
 * pcinspect-explain(1).
 */
#ifndef PCINSPECT_EXPLAIN_RULES_H
#define PCINSPECT_EXPLAIN_RULES_H

#include "model/report.h"

#define READ_AHEAD "/sys/class/bdi/%s/read_ahead_kb"

/* Less than this is not worth a word: 1 MiB moved, 256 pages. */
#define WORTH_BYTES (1 << 20)
#define WORTH_PAGES 256

/* Of what the devices of a run moved, a cause is worth a word from this part on. */
#define WORTH_PART 50

/**
 * struct subject - a file, or all that have the same cause, as the rules see it
 * @report: of which they are; gets the verdicts
 * @file: it; of several the one that suffers most
 * @list: all of them, that one first
 * @nr: how many
 * @sums: of several the sums of their numbers, NULL: there is one
 * @size: bytes of the files
 * @read: pages inserted by reads of any kind
 * @ahead: of those, by readahead
 * @fetched: bytes from the device, or what stands in for them
 * @interval: how long the report's counters ran
 * @moved: bytes that the devices of the run moved, 0: unknown
 * @by_device: @fetched is what devices moved, of all of them
 * @memcg: the cgroup that its pages were of, if none of them is left to tell; or NULL
 * @idle: the file with the most pages of those that nobody used, and the next
 *	one; NULL: there is none
 */
struct subject {
	struct report *report;
	const struct file *file;
	const struct file *const *list;
	size_t nr;
	const uint64_t *sums;
	uint64_t size;
	uint64_t read;
	uint64_t ahead;
	uint64_t fetched;
	uint64_t interval;
	uint64_t moved;
	bool by_device;
	const char *memcg;
	const struct file *idle[2];
};

/* A number of the files, 0 where it is unknown. */
static inline uint64_t count(const struct subject *s, enum pcinspect_number number)
{
	return s->sums ? s->sums[number] : number_of(s->file, number);
}

/* Pages of a file that no process maps: a use of those that are makes no event. */
static inline uint64_t unmapped_pages(const struct file *file)
{
	uint64_t cached = number_of(file, PCINSPECT_CACHED);
	uint64_t mapped = number_of(file, PCINSPECT_MAPPED);

	return cached > mapped ? cached - mapped : 0;
}

/**
 * struct rule - one thing that may be wrong
 * @holds: are the numbers of this file such? Returns how much it suffers, 0: not
 * @cause: what files have to have in common for it to be one cause: a new string
 * @say: adds the verdict on all of them, if that is worth it; returns whether it did
 * @alone: whoever it speaks of, no later rule speaks of: what follows is known
 */
struct rule {
	uint64_t (*holds)(const struct subject *s);
	char *(*cause)(const struct subject *s);
	bool (*say)(const struct subject *s);
	bool alone;
};

extern const struct rule read_rules[];
extern const size_t nr_read_rules;
extern const struct rule write_rules[];
extern const size_t nr_write_rules;

/* reads.c */
uint64_t again_of(const struct subject *s);

/* advice.c: a row of read_rules */
uint64_t advice_holds(const struct subject *s);
char *advice_cause(const struct subject *s);
bool say_advice(const struct subject *s);

/* A few words, by value. */
struct words { char text[48]; };

void explain_finish(struct report *report);
bool worth(const struct subject *s, uint64_t bytes, uint64_t least);
void add_verdict(const struct subject *s, const char *name, uint64_t cost_bytes,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));
void add_remedy(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void add_command(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void add_evidence(const struct subject *s, const char *name, uint64_t value);
void add_scope(const struct subject *s, enum scope scope, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void is_inferred(const struct subject *s);
void is_not_moved(const struct subject *s);
void drop_command(const struct subject *s, const struct file *file);
void read_less_command(const struct subject *s);
bool raise_limit_command(const struct subject *s, const struct memcg_limit *limit,
			 uint64_t bytes);
struct words bytes_text(uint64_t value);
struct words pages_text(const struct subject *s, uint64_t value);
double percent(uint64_t part, uint64_t whole);
bool limit_of(const struct subject *s, bool any, struct memcg_limit *limit);
char *pressure(const struct subject *s, bool any, struct memcg_limit *limit);
char *pressed_by(const struct subject *s);
char *device_of(const struct subject *s);
struct words now_is(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
const char *these(const struct subject *s);

#endif /* PCINSPECT_EXPLAIN_RULES_H */
