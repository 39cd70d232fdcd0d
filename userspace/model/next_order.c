// SPDX-License-Identifier: GPL-2.0-only
/*
 * next_order.c - the order in which reclaim takes the pages of one list. Pure.
 *
 * Classic lists: the tail of the inactive list goes first, used or not
 * (folio_check_references(), mm/vmscan.c: FOLIOREF_RECLAIM_CLEAN). Pages taken from
 * the active list meanwhile go to the other end, so that the order holds until the
 * inactive list is empty.
 *
 * MGLRU: from the oldest generation up; within it the zones from the highest down, each
 * from its tail. A page in a tier above get_tier_idx() is moved to the next generation
 * instead: before 6.14 to its tail, since then to its head. The counts of that decision
 * change while pages go, so that it is made again for every batch, as evict_folios()
 * does. Reclaim goes on while there are more than two generations.
 *
 * Read in 6.1, 6.12 and 7.2. Not followed: how many of the mapped and dirty pages in a
 * batch are taken.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "model/next_order.h"

#define NR_GENS		PCINSPECT_LISTS_NR_GENS
#define NR_ZONES	8
#define MIN_GENS	2		/* MIN_NR_GENS */
#define BATCH		64		/* MIN_LRU_BATCH */
#define LOOKED_AT	(64 * BATCH)	/* MAX_LRU_BATCH; since 6.14 BATCH, see 7.2's nr_batch */

/**
 * struct node - folios that stand one after the other
 * @next: towards the young end
 * @index: of the first to go
 * @folios: how many
 * @row: what they are; of it @tier is where they are now; NULL: nobody knows
 * @backwards: the next one has a lower index
 * @moved: reclaim passed them over before
 */
struct node {
	struct node *next;
	const struct pcinspect_next_row *row;
	uint64_t index;
	uint32_t folios;
	bool backwards;
	bool moved;
};

struct chain {
	struct node *first;
	struct node *last;
};

/**
 * struct lru - one list while its order is found
 * @chains: of generations and zones, oldest folio first
 * @said: the counts, as they change
 * @looked: folios that reclaim may look at in this batch
 * @taken: pages that it has isolated in it
 * @ended: come to where the module had more rows
 */
struct lru {
	struct next *next;
	uint32_t list;
	struct chain chains[NR_GENS][NR_ZONES];
	struct pcinspect_next_list said;
	uint64_t looked;
	uint64_t taken;
	uint64_t evicted[PCINSPECT_NR_TIERS];
	bool ended;
};

static void push_back(struct chain *chain, struct node *node)
{
	node->next = NULL;
	if (chain->last)
		chain->last->next = node;
	else
		chain->first = node;
	chain->last = node;
}

static void push_front(struct chain *chain, struct node *node)
{
	node->next = chain->first;
	chain->first = node;
	if (!chain->last)
		chain->last = node;
}

static struct node *pop(struct chain *chain)
{
	struct node *node = chain->first;

	chain->first = node->next;
	if (!chain->first)
		chain->last = NULL;
	return node;
}

static uint64_t step(const struct node *node, uint32_t folios)
{
	uint64_t pages = (uint64_t)folios << node->row->order;

	return node->backwards ? -pages : pages;
}

/* The first folios of a chain's first node, as a node of their own. */
static struct node *split_node(struct chain *chain, uint32_t folios)
{
	struct node *node = chain->first, *out;

	if (folios >= node->folios)
		return pop(chain);
	out = alloc_array(NULL, 1, sizeof(*out));
	*out = *node;
	out->folios = folios;
	node->index += step(node, folios);
	node->folios -= folios;
	return out;
}

/* --- what comes out -------------------------------------------------------- */

/* drop_buffers(), fs/buffer.c: ext4 holds those of its group descriptors for good. */
static bool of_device(const struct next *next, const struct pcinspect_next_row *row)
{
	return row->file < next->nr_files &&
	       next->files[row->file].file.row.flags & PCINSPECT_F_BLOCK_DEVICE;
}

static enum next_fate fate(const struct next *next, const struct pcinspect_next_row *row)
{
	if (row->flags & (PCINSPECT_ROW_MAPPED | PCINSPECT_ROW_LAZYFREE))
		return NEXT_MAPPED;
	if (row->flags & (PCINSPECT_ROW_DIRTY | PCINSPECT_ROW_WRITEBACK))
		return NEXT_DIRTY;
	if (row->flags & PCINSPECT_ROW_HELD)
		return NEXT_HELD;
	return of_device(next, row) ? NEXT_DEVICE : NEXT_GOES;
}

/* Does a piece go on where the last ends? */
static bool follows(const struct next_piece *last, const struct next_piece *piece)
{
	return last->file == piece->file && last->list == piece->list &&
	       last->fate == piece->fate && last->order == piece->order &&
	       !last->backwards && !piece->backwards &&
	       last->index + last->pages == piece->index &&
	       last->pages < UINT32_MAX / 2 && piece->pages < UINT32_MAX / 2 &&
	       last->ahead + (last->fate == NEXT_GOES ? last->pages : 0) == piece->ahead;
}

static void reclaim_node(struct lru *lru, const struct node *node, enum next_fate which)
{
	struct next *next = lru->next;
	struct next_list *list = &next->lists[lru->list];
	struct next_piece piece = {
		.index = node->index,
		.ahead = list->goes,
		.pages = node->folios << node->row->order,
		.file = node->row->file,
		.list = lru->list,
		.fate = which,
		.order = node->row->order,
		.backwards = node->backwards && node->folios > 1,
	};

	if (which == NEXT_GOES)
		list->goes += piece.pages;
	if (next->nr_pieces && follows(&next->pieces[next->nr_pieces - 1], &piece)) {
		next->pieces[next->nr_pieces - 1].pages += piece.pages;
		return;
	}
	next->pieces = alloc_room(next->pieces, next->nr_pieces, &next->room, sizeof(*next->pieces));
	next->pieces[next->nr_pieces++] = piece;
}

/* --- tiers ----------------------------------------------------------------- */

/* read_ctrl_pos() and positive_ctrl_err(), mm/vmscan.c: is a tier above the first spared? */
static bool spared(const struct pcinspect_next_list *said, int tier)
{
	bool reworked = said->flags & PCINSPECT_NEXT_REWORKED;
	uint64_t first = said->avg_refaulted[0] + said->refaulted[0];
	uint64_t first_total = said->avg_total[0] + said->evicted[0] +
			       (reworked ? said->protected[0] : 0);
	uint64_t other = said->avg_refaulted[tier] + said->refaulted[tier];
	uint64_t other_total = said->avg_total[tier] + said->evicted[tier] +
			       said->protected[tier];

	if (other < BATCH)
		return false;
	return other * (first_total + BATCH) * (reworked ? 2 : 1) >
	       (first + 1) * other_total * (reworked ? 3 : 2);
}

/* get_tier_idx(): the last tier that goes. */
static int last_tier(const struct pcinspect_next_list *said)
{
	int tier;

	for (tier = 1; tier < PCINSPECT_NR_TIERS; tier++)
		if (spared(said, tier))
			break;
	return tier - 1;
}

/* reset_ctrl_pos(): the oldest generation is empty, the next one's turn comes. */
static void carry_over(struct pcinspect_next_list *said)
{
	int tier;

	for (tier = 0; tier < PCINSPECT_NR_TIERS; tier++) {
		said->avg_refaulted[tier] = (said->avg_refaulted[tier] +
					     said->refaulted[tier]) / 2;
		said->avg_total[tier] = (said->avg_total[tier] + said->evicted[tier] +
					 said->protected[tier]) / 2;
		said->refaulted[tier] = 0;
		said->evicted[tier] = 0;
		said->protected[tier] = 0;
	}
}

/* --- generations ----------------------------------------------------------- */

/* To the next generation; its flags say then that it was not used often. */
static void pass_over(struct lru *lru, struct node *node)
{
	const struct pcinspect_next_row *row = node->row;
	bool reworked = lru->said.flags & PCINSPECT_NEXT_REWORKED;
	struct chain *to = &lru->chains[(lru->said.min_seq + 1) % NR_GENS][row->zone % NR_ZONES];
	int tier = node->moved ? row->later_tier : row->tier;

	if (!reworked || node->moved || !(row->flags & PCINSPECT_ROW_FULL))
		lru->said.protected[tier % PCINSPECT_NR_TIERS] +=
			(uint64_t)node->folios << row->order;
	node->moved = true;
	if (reworked) {
		push_back(to, node);
		return;
	}
	/* One after the other to the tail: the last is the first to go. */
	node->index += step(node, node->folios - 1);
	node->backwards = !node->backwards;
	push_front(to, node);
}

/* Do as evict_folios() does with the next folios of a zone. */
static void sort_or_isolate(struct lru *lru, struct chain *chain, int last)
{
	const struct pcinspect_next_row *row = chain->first->row;
	bool moved = chain->first->moved;
	bool reworked = lru->said.flags & PCINSPECT_NEXT_REWORKED;
	unsigned int gen = lru->said.min_seq % NR_GENS;
	int tier = (moved ? row->later_tier : row->tier) % PCINSPECT_NR_TIERS;
	uint64_t most = lru->looked, pages = 1ULL << row->order;
	struct node *node;

	if (!moved && row->own_gen < NR_GENS && row->own_gen != gen) {
		/* Page tables said that it was used: sorted where it belongs. */
		node = split_node(chain, most > UINT32_MAX ? UINT32_MAX : most);
		lru->looked -= node->folios;
		push_back(&lru->chains[row->own_gen][row->zone % NR_ZONES], node);
		return;
	}
	if (!reworked && lru->next->swaps && tier) {
		/* Compared with the tiers of anonymous memory, perhaps. */
		node = split_node(chain, most);
		lru->looked -= node->folios;
		reclaim_node(lru, node, NEXT_PROTECTED);
		free(node);
		return;
	}
	if (tier > last || (!moved && row->flags & PCINSPECT_ROW_FULL)) {
		node = split_node(chain, most);
		lru->looked -= node->folios;
		pass_over(lru, node);
		return;
	}
	if (most > (BATCH - lru->taken + pages - 1) / pages)
		most = (BATCH - lru->taken + pages - 1) / pages;
	node = split_node(chain, most);
	lru->looked -= node->folios;
	lru->taken += node->folios * pages;
	if (fate(lru->next, row) == NEXT_GOES)
		lru->evicted[moved ? row->later_tier % PCINSPECT_NR_TIERS :
			     row->evicted_tier % PCINSPECT_NR_TIERS] += node->folios * pages;
	reclaim_node(lru, node, fate(lru->next, row));
	free(node);
}

static bool empty(const struct lru *lru, uint64_t seq)
{
	int zone;

	for (zone = 0; zone < NR_ZONES; zone++)
		if (lru->chains[seq % NR_GENS][zone].first)
			return false;
	return true;
}

/* One call of evict_folios(). */
static void one_batch(struct lru *lru)
{
	unsigned int gen = lru->said.min_seq % NR_GENS;
	int last = last_tier(&lru->said), zone, tier;

	lru->looked = lru->said.flags & PCINSPECT_NEXT_REWORKED ? BATCH : LOOKED_AT;
	lru->taken = 0;
	memset(lru->evicted, 0, sizeof(lru->evicted));
	for (zone = NR_ZONES - 1; zone >= 0; zone--)
		while (lru->chains[gen][zone].first && lru->looked && lru->taken < BATCH &&
		       !lru->ended) {
			lru->ended = !lru->chains[gen][zone].first->row;
			if (!lru->ended)
				sort_or_isolate(lru, &lru->chains[gen][zone], last);
		}
	/* They are counted when they have gone. */
	for (tier = 0; tier < PCINSPECT_NR_TIERS; tier++)
		lru->said.evicted[tier] += lru->evicted[tier];
}

/*
 * Where the module had more rows: behind the last one. Pages moved to this generation
 * later come behind those that are missing.
 */
static void mark_end(struct lru *lru, const struct next_list *list)
{
	const struct pcinspect_next_row *row = &list->rows[list->nr_rows - 1];
	bool listed = row->gen < NR_GENS;
	struct node *node = alloc_zero(1, sizeof(*node));

	push_back(&lru->chains[listed ? row->gen : lru->said.min_seq % NR_GENS]
			      [listed ? row->zone % NR_ZONES : NR_ZONES - 1], node);
}

static void load_list(struct lru *lru, const struct next_list *list)
{
	size_t i;

	for (i = 0; i < list->nr_rows; i++) {
		const struct pcinspect_next_row *row = &list->rows[i];
		struct node *node;

		if (row->gen >= NR_GENS || !row->folios)
			continue;
		node = alloc_zero(1, sizeof(*node));
		node->row = row;
		node->index = row->index;
		node->folios = row->folios;
		push_back(&lru->chains[row->gen][row->zone % NR_ZONES], node);
	}
	if (lru->next->cut && list->nr_rows)
		mark_end(lru, list);
}

static void unload(struct lru *lru)
{
	int gen, zone;

	for (gen = 0; gen < NR_GENS; gen++)
		for (zone = 0; zone < NR_ZONES; zone++)
			while (lru->chains[gen][zone].first)
				free(pop(&lru->chains[gen][zone]));
}

static void order_generations(struct lru *lru, struct next_list *list)
{
	struct pcinspect_next_list *said = &lru->said;
	uint64_t seq;

	load_list(lru, list);
	while (!lru->ended && said->min_seq + MIN_GENS <= said->max_seq) {
		if (!empty(lru, said->min_seq)) {
			one_batch(lru);
			continue;
		}
		for (seq = said->min_seq; seq + MIN_GENS <= said->max_seq && empty(lru, seq);)
			seq++;
		carry_over(said);
		said->min_seq = seq;
	}
	list->end = NEXT_LIST;
	for (seq = 0; seq < NR_GENS; seq++)
		if (!empty(lru, seq))
			list->end = NEXT_AGING;
	unload(lru);
}

/* --- classic lists --------------------------------------------------------- */

static void order_classic(struct lru *lru, struct next_list *list)
{
	size_t i;

	list->end = NEXT_LIST;
	for (i = 0; i < list->nr_rows; i++) {
		const struct pcinspect_next_row *row = &list->rows[i];
		struct node node = { .row = row, .index = row->index, .folios = row->folios };

		if (row->gen != PCINSPECT_NEXT_CLASSIC || row->flags & PCINSPECT_ROW_ACTIVE)
			list->end = NEXT_ACTIVE;
		else
			reclaim_node(lru, &node, fate(lru->next, row));
	}
}

/**
 * next_order() - append the pages of a list in their order
 * @next: its pieces become more; their file is the number in the rows
 * @list: which
 */
void next_order(struct next *next, uint32_t list)
{
	struct next_list *of = &next->lists[list];
	struct lru lru = { .next = next, .list = list, .said = of->said };

	of->goes = 0;
	if (of->said.flags & PCINSPECT_NEXT_GENERATIONS)
		order_generations(&lru, of);
	else
		order_classic(&lru, of);
}
