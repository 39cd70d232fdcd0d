// SPDX-License-Identifier: GPL-2.0-only
/*
 * ranges.c - the cached pages of one mapping, by LRU list.
 *
 * Why: what is cached of a file is to be written down and brought back. What
 * makes it exact and harmless is as in lru.c; it is not that walk, which only
 * counts, so that it need not ask each folio for its place in the file.
 *
 * May touch: nothing of the mapping; memory of its caller.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/xarray.h>

#include "uapi/pcinspect.h"
#include "walk/lru.h"
#include "walk/ranges.h"

/*
 * Add a pinned folio, or what of it is behind @walk's index. Under
 * rcu_read_lock(). Returns false if there is no room: @walk's index stays.
 */
static bool ranges_add(struct pcinspect_ranges_walk *walk, struct folio *folio)
{
	struct pcinspect_page_range *last =
		walk->nr ? &walk->rows[walk->nr - 1] : NULL;
	u64 begin = max_t(u64, folio->index, walk->index);
	u64 end = folio->index + folio_nr_pages(folio);
	enum pcinspect_range_list list;

	/* One that was split since, or mincore(2) would not count. */
	if (begin >= end)
		return true;
	if (!folio_test_uptodate(folio)) {
		walk->skipped_pages += end - begin;
		goto out;
	}
	list = pcinspect_lru_list(folio);
	if (last && last->list == list && last->index + last->pages == begin &&
	    last->pages + (end - begin) <= U32_MAX) {
		last->pages += end - begin;
		goto out;
	}
	if (walk->nr == walk->room)
		return false;
	walk->rows[walk->nr++] = (struct pcinspect_page_range){
		.index = begin,
		.pages = end - begin,
		.list = list,
	};
out:
	walk->index = end;
	return true;
}

/**
 * pcinspect_ranges_take() - write down the cached pages of a mapping
 * @mapping: whose pages; the caller keeps its inode alive
 * @walk: where to begin, and the room; its index is PCINSPECT_UNKNOWN
 *afterwards if nothing is left
 *
 * Context: process context, may sleep between batches; no lock held.
 * Return: 0, or -EINTR (fatal signal).
 */
int pcinspect_ranges_take(struct address_space *mapping,
			  struct pcinspect_ranges_walk *walk)
{
	XA_STATE(xas, &mapping->i_pages, walk->index);
	unsigned int budget = PCINSPECT_LRU_BATCH;
	struct folio *folio;
	bool fits = true;
	int err = 0;

	walk->nr = 0;
	walk->skipped_pages = 0;
	rcu_read_lock();
	xas_for_each(&xas, folio, ULONG_MAX) {
		if (xas_retry(&xas, folio))
			continue;
		if (!xa_is_value(folio)) {
			if (!folio_try_get(folio)) {
				xas_reset(&xas);
				continue;
			}
			if (xas_reload(&xas) != folio) {
				folio_put(folio);
				xas_reset(&xas);
				continue;
			}
			fits = ranges_add(walk, folio);
			folio_put(folio);
			if (!fits)
				break;
		}
		if (--budget)
			continue;
		budget = PCINSPECT_LRU_BATCH;
		xas_pause(&xas);
		rcu_read_unlock();
		cond_resched();
		rcu_read_lock();
		if (fatal_signal_pending(current)) {
			err = -EINTR;
			break;
		}
	}
	rcu_read_unlock();
	if (fits)
		walk->index = PCINSPECT_UNKNOWN;
	return err;
}
