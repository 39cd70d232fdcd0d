// SPDX-License-Identifier: GPL-2.0-only
/*
 * queue.c - the folios of LRU lists in their order, as rows for user space.
 *
 * Why straight into the caller's memory: a cache that was read at random has a row
 * for each page. They are written while the lists are walked, when no lock is held;
 * the kernel keeps one row, and the caller says for how many there is room.
 *
 * May touch: the caller's memory.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "walk/lists.h"
#include "walk/queue.h"

/* The row is complete: write it. */
static int queue_close(struct pcinspect_queue *queue)
{
	struct pcinspect_next *next = queue->next;
	struct pcinspect_next_row __user *to = u64_to_user_ptr(next->rows);
	u64 at = next->nr_rows;

	if (!queue->row.folios)
		return 0;
	next->nr_rows++;
	if (at >= next->max_rows)
		next->flags |= PCINSPECT_NEXT_CUT;
	else if (copy_to_user(to + at, &queue->row, sizeof(queue->row)))
		return -EFAULT;
	queue->row.folios = 0;
	return 0;
}

/*
 * The lists of one cgroup and node begin. @list: what is known of them; its
 * first_row is not yet. Return: 0, -E2BIG, -EFAULT.
 */
int pcinspect_queue_list(struct pcinspect_queue *queue,
			 const struct pcinspect_next_list *list)
{
	struct pcinspect_next *next = queue->next;
	struct pcinspect_next_list __user *to = u64_to_user_ptr(next->lists);
	struct pcinspect_next_list copy = *list;
	int err = queue_close(queue);

	if (err)
		return err;
	if (next->nr_lists == next->max_lists)
		return -E2BIG;
	copy.first_row = next->nr_rows;
	if (copy_to_user(to + next->nr_lists++, &copy, sizeof(copy)))
		return -EFAULT;
	return 0;
}

static void queue_describe(const struct pcinspect_met *met, u32 file,
			   struct pcinspect_next_row *row)
{
	const struct pcinspect_kind *kind = &met->kind;
	bool classic = kind->gen < 0;

	*row = (struct pcinspect_next_row){
		.index = met->index,
		.file = file,
		.folios = met->folios,
		.order = ilog2(met->pages),
		.gen = classic ? PCINSPECT_NEXT_CLASSIC : kind->gen,
		.own_gen = classic ? PCINSPECT_NEXT_CLASSIC : kind->own_gen,
		.zone = kind->zone,
		.tier = kind->tier.now,
		.evicted_tier = kind->tier.evicted,
		.later_tier = kind->tier.later,
	};
	if (kind->active && classic)
		row->flags |= PCINSPECT_ROW_ACTIVE;
	if (kind->mapped)
		row->flags |= PCINSPECT_ROW_MAPPED;
	if (kind->dirty)
		row->flags |= PCINSPECT_ROW_DIRTY;
	if (kind->writeback)
		row->flags |= PCINSPECT_ROW_WRITEBACK;
	if (met->whose->lazyfree)
		row->flags |= PCINSPECT_ROW_LAZYFREE;
	if (kind->held)
		row->flags |= PCINSPECT_ROW_HELD;
	if (!classic && kind->tier.full)
		row->flags |= PCINSPECT_ROW_FULL;
}

/* Do folios go on where the row ends? */
static bool queue_follows(const struct pcinspect_next_row *row,
			  const struct pcinspect_next_row *folio)
{
	return row->folios && row->folios <= U32_MAX - folio->folios &&
	       row->file == folio->file &&
	       row->index + ((u64)row->folios << row->order) == folio->index &&
	       row->flags == folio->flags && row->order == folio->order &&
	       row->gen == folio->gen && row->own_gen == folio->own_gen &&
	       row->zone == folio->zone && row->tier == folio->tier &&
	       row->evicted_tier == folio->evicted_tier &&
	       row->later_tier == folio->later_tier;
}

/*
 * The next folios of a list. @file: number of their file. Return: 0, -EFAULT.
 */
int pcinspect_queue_met(struct pcinspect_queue *queue,
			const struct pcinspect_met *met, u32 file)
{
	struct pcinspect_next_row folio;
	int err;

	queue_describe(met, file, &folio);
	if (queue_follows(&queue->row, &folio)) {
		queue->row.folios += folio.folios;
		return 0;
	}
	err = queue_close(queue);
	queue->row = folio;
	return err;
}

/*
 * Say which number a file has in the rows. @place: of the file among those
 * given. Return: 0, -EFAULT.
 */
int pcinspect_queue_number(struct pcinspect_queue *queue, u32 place, u32 number)
{
	struct pcinspect_next *next = queue->next;
	u32 __user *to = u64_to_user_ptr(next->numbers);

	if (place >= next->max_numbers)
		return 0;
	return copy_to_user(to + place, &number, sizeof(number)) ? -EFAULT : 0;
}

/* The walk has ended. Return: 0, -EFAULT. */
int pcinspect_queue_end(struct pcinspect_queue *queue)
{
	return queue_close(queue);
}
