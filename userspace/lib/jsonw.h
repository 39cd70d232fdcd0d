/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * jsonw.h - JSON, written value by value.
 */
#ifndef PCINSPECT_JSONW_H
#define PCINSPECT_JSONW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSONW_DEPTH 32

/**
 * struct jsonw - a document that is being written
 * @to: where
 * @pretty: over many lines, indented; otherwise on one
 * @depth: objects and lists that are open
 * @flat: from this depth on all is on one line; 0: nothing is
 * @bracket: what opened each
 * @used: each has a member
 */
struct jsonw {
	FILE *to;
	bool pretty;
	int depth;
	int flat;
	char bracket[JSONW_DEPTH];
	bool used[JSONW_DEPTH];
};

void jsonw_begin(struct jsonw *w, FILE *to, bool pretty);
void jsonw_open(struct jsonw *w, const char *key, char bracket);
void jsonw_row(struct jsonw *w, const char *key);
void jsonw_close(struct jsonw *w);
void jsonw_close_to(struct jsonw *w, int depth);
void jsonw_raw(struct jsonw *w, const char *key, const char *json);
void jsonw_null(struct jsonw *w, const char *key);
void jsonw_bool(struct jsonw *w, const char *key, bool value);
void jsonw_count(struct jsonw *w, const char *key, uint64_t value);
void jsonw_maybe(struct jsonw *w, const char *key, bool known, uint64_t value);
void jsonw_signed(struct jsonw *w, const char *key, int64_t value);
void jsonw_real(struct jsonw *w, const char *key, double value);
void jsonw_maybe_real(struct jsonw *w, const char *key, bool known, double value);
void jsonw_text(struct jsonw *w, const char *key, const char *value);
void jsonw_path(struct jsonw *w, const char *key, const char *path);
void jsonw_dev(struct jsonw *w, const char *key, unsigned int major, unsigned int minor);
int jsonw_end(struct jsonw *w);

#endif /* PCINSPECT_JSONW_H */
