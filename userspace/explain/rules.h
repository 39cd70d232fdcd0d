/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rules.h - what the rules of explain are made of; for explain*.c only.
 *
 * Each rule looks at one file's ledgers and speaks only when its numbers leave
 * no doubt; the thresholds are beside the rules and in pcinspect-explain(1).
 */
#ifndef PCINSPECT_EXPLAIN_RULES_H
#define PCINSPECT_EXPLAIN_RULES_H

#include "explain/explain.h"

/* Less than this is not worth a word: 1 MiB moved, 256 pages. */
#define WORTH_BYTES (1 << 20)
#define WORTH_PAGES 256

/**
 * struct pcinspect_numbers - a file's ledgers as the rules see them
 * @report: of which the file is one
 * @file: whose
 * @r: its read ledger
 * @w: its write ledger
 * @read: pages inserted by reads of any kind
 * @ahead: of those, by readahead
 * @inserted: pages inserted for any cause
 * @fetched: bytes from the device, or what stands in for them
 */
struct pcinspect_numbers {
	const struct pcinspect_report *report;
	const struct pcinspect_file *file;
	const struct pcinspect_reads *r;
	const struct pcinspect_writes *w;
	uint64_t read;
	uint64_t ahead;
	uint64_t inserted;
	uint64_t fetched;
};

/**
 * struct pcinspect_saying - what has been said so far
 * @list: verdicts
 * @n: how many
 */
struct pcinspect_saying {
	struct pcinspect_verdict *list;
	size_t n;
};

/* A size as text, by value. */
struct pcinspect_size_words { char text[16]; };

void pcinspect_say(struct pcinspect_saying *saying,
		   const struct pcinspect_numbers *n, const char *name,
		   double weight, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
struct pcinspect_size_words pcinspect_bytes(uint64_t value);
struct pcinspect_size_words pcinspect_pages(uint64_t value);
double pcinspect_percent(uint64_t part, uint64_t whole);
char *pcinspect_pressure(const struct pcinspect_numbers *n);

void pcinspect_explain_reads(struct pcinspect_saying *saying,
			     const struct pcinspect_numbers *n);
void pcinspect_explain_writes(struct pcinspect_saying *saying,
			      const struct pcinspect_numbers *n);

#endif /* PCINSPECT_EXPLAIN_RULES_H */
