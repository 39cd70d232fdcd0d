/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rules.h - what the rules of explain are made of; for this folder only.
 *
 * A rule looks at one file's ledgers and the report's settings, opens nothing, and
 * adds a verdict only when the numbers leave no doubt; so it says of a recording
 * what it said live. Thresholds are beside the rules and in pcinspect-explain(1).
 */
#ifndef PCINSPECT_EXPLAIN_RULES_H
#define PCINSPECT_EXPLAIN_RULES_H

#include "explain/explain.h"

#define READ_AHEAD "/sys/class/bdi/%s/read_ahead_kb"

/* Less than this is not worth a word: 1 MiB moved, 256 pages. */
#define WORTH_BYTES (1 << 20)
#define WORTH_PAGES 256

/**
 * struct subject - a file as the rules see it
 * @report: of which it is one; gets the verdicts
 * @file: it
 * @read: pages inserted by reads of any kind
 * @ahead: of those, by readahead
 * @fetched: bytes from the device, or what stands in for them
 * @interval: how long the report's counters ran
 * @memcg: the cgroup that its pages were of, if none of them is left to tell; or NULL
 * @idle: the file with the most active pages of those that nobody used, and the next
 *	one; NULL: there is none
 */
struct subject {
	struct report *report;
	const struct file *file;
	uint64_t read;
	uint64_t ahead;
	uint64_t fetched;
	uint64_t interval;
	const char *memcg;
	const struct file *idle[2];
};

/* A number of the file, 0 if it is unknown. */
static inline uint64_t count(const struct subject *s, enum pcinspect_number number)
{
	return number_of(s->file, number);
}

/* Returns true if it has added a verdict. */
typedef bool (*rule)(const struct subject *s);

extern const rule read_rules[];
extern const size_t nr_read_rules;
extern const rule write_rules[];
extern const size_t nr_write_rules;

/* A few words, by value. */
struct words { char text[48]; };

bool add_verdict(const struct subject *s, const char *name, uint64_t cost_bytes,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));
void add_remedy(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void add_command(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void add_evidence(const struct subject *s, const char *name, uint64_t value);
void is_inferred(const struct subject *s);
void drop_command(const struct subject *s, const struct file *file);
void read_less_command(const struct subject *s);
void raise_limit_command(const struct subject *s, const struct memcg_limit *limit,
			 uint64_t bytes);
struct words bytes_text(uint64_t value);
struct words pages_text(const struct subject *s, uint64_t value);
double percent(uint64_t part, uint64_t whole);
char *pressure(const struct subject *s, bool any, struct memcg_limit *limit);
struct words now_is(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* PCINSPECT_EXPLAIN_RULES_H */
