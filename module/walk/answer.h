/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * answer.h - the inodes of all records or of a filesystem, page by page.
 */
#ifndef PCINSPECT_ANSWER_H
#define PCINSPECT_ANSWER_H

#include <linux/types.h>

struct pcinspect_answer;
struct pcinspect_rows;

struct pcinspect_answer *pcinspect_answer_new(const char *fs, u32 dev,
					      u32 flags, bool last);
int pcinspect_answer_page(struct pcinspect_answer *answer, size_t limit);
const struct pcinspect_rows *
pcinspect_answer_rows(const struct pcinspect_answer *answer);
bool pcinspect_answer_more(const struct pcinspect_answer *answer);
void pcinspect_answer_free(struct pcinspect_answer *answer);
size_t pcinspect_answer_memory(void);
u64 pcinspect_answer_pages(void);

#endif /* PCINSPECT_ANSWER_H */
