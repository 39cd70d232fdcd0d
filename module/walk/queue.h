/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * queue.h - the folios of LRU lists in their order, written to user space.
 */
#ifndef PCINSPECT_QUEUE_H
#define PCINSPECT_QUEUE_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct pcinspect_met;

/*
 * struct pcinspect_queue - where the rows go
 * @next: the call; its rows, lists and numbers are counted in it
 * @row: the last one, to which more folios may come
 */
struct pcinspect_queue {
	struct pcinspect_next *next;
	struct pcinspect_next_row row;
};

int pcinspect_queue_list(struct pcinspect_queue *queue,
			 const struct pcinspect_next_list *list);
int pcinspect_queue_met(struct pcinspect_queue *queue,
			const struct pcinspect_met *met, u32 file);
int pcinspect_queue_number(struct pcinspect_queue *queue, u32 place, u32 number);
int pcinspect_queue_end(struct pcinspect_queue *queue);

#endif /* PCINSPECT_QUEUE_H */
