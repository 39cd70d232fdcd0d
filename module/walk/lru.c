// SPDX-License-Identifier: GPL-2.0-only
/*
 * lru.c - the exact LRU state of one mapping, read folio by folio.
 *
 * Why: nothing in Linux can say on which list a file's pages are once MGLRU is
 * on. The answer is in each folio's flags and in the sequence numbers of its
 * own lruvec (memory cgroup x node), so it is read there, and only there.
 *
 * How it stays exact and harmless:
 *  - A folio found under RCU is pinned with folio_try_get() and its slot read
 *    again before anything of it is believed (filemap_get_entry() does the
 *    same). A pinned folio is neither freed nor split.
 *  - Everything is weighted by the folio's pages. @next_index keeps a folio
 *    that was split after we counted it from being counted again in parts.
 *  - No drain, no accessed bit, no list operation: counting changes nothing.
 *  - Memory cgroups read so are followed within the RCU section only, and kept
 *    by css_tryget().
 *  - Every PCINSPECT_LRU_BATCH entries the RCU section ends and the CPU is
 *    offered to others. A walk that holds somebody's s_umount gives up as soon
 *    as a writer (umount, remount) waits for it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/backing-dev.h>
#include <linux/cgroup.h>
#include <linux/dax.h>
#include <linux/fs.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/mmzone.h>
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/shmem_fs.h>
#include <linux/xarray.h>

#include "kunit_visible.h"
#include "records/dirty.h"
#include "records/ledger.h"
#include "records/track.h"
#include "walk/lru.h"

/* Memory cgroups distinguished in one walk, on however many nodes. */
#define LRU_NR_VECS 8

#ifdef CONFIG_LRU_GEN
static_assert(MAX_NR_GENS == PCINSPECT_NR_GENS);

static int lru_folio_gen(struct folio *folio)
{
	return folio_lru_gen(folio);
}

static unsigned long lru_max_seq(struct lruvec *lruvec)
{
	return READ_ONCE(lruvec->lrugen.max_seq);
}

static bool lru_vec_enabled(struct lruvec *lruvec)
{
	return READ_ONCE(lruvec->lrugen.enabled);
}
#else
static int lru_folio_gen(struct folio *folio)
{
	return -1;
}

static unsigned long lru_max_seq(struct lruvec *lruvec)
{
	return 0;
}

static bool lru_vec_enabled(struct lruvec *lruvec)
{
	return false;
}
#endif

/*
 * struct lru_vec - one memory cgroup met during a walk
 * @memcg: its css reference is held; NULL: uncharged, or no memcg
 * @nid: node of the folio that was met last
 * @lruvec: its lruvec there
 * @seq: sum of max_seq over its nodes when it was first met
 */
struct lru_vec {
	struct mem_cgroup *memcg;
	int nid;
	struct lruvec *lruvec;
	unsigned long seq;
	u64 pages;
	u64 dirty;
};

struct lru_state {
	struct pcinspect_snapshot *snap;
	struct lru_vec *last;
	int nr_vecs;
	const struct inode *host;
	bool dirty_tagged;
	bool writeback_tagged;
	pgoff_t next_index;
	struct lru_vec vecs[LRU_NR_VECS];
};

static struct mem_cgroup *lru_root;

/*
 * Like mem_cgroup_lruvec(), for any folio's memcg. Under rcu_read_lock(), or with
 * a reference on @memcg; NULL: what is charged to none is on the root's lists.
 */
struct lruvec *pcinspect_lru_lruvec(struct mem_cgroup *memcg, int nid)
{
	if (mem_cgroup_disabled())
		return &NODE_DATA(nid)->__lruvec;
	if (!memcg)
		memcg = lru_root;
	return &memcg->nodeinfo[nid]->lruvec;
}

/**
 * pcinspect_lru_list() - on which list a folio is, as a snapshot counts it
 * @folio: pinned
 *
 * Context: any; under rcu_read_lock(), for its memory cgroup.
 * Return: the list.
 */
enum pcinspect_range_list pcinspect_lru_list(struct folio *folio)
{
	unsigned long flags = READ_ONCE(*folio_flags(folio, 0));
	int gen = lru_folio_gen(folio);
	struct lruvec *lruvec;

	switch (pcinspect_lru_classify(flags & BIT(PG_unevictable),
				       flags & BIT(PG_lru),
				       flags & BIT(PG_active), gen)) {
	case PCINSPECT_LRU_UNEVICTABLE:
		return PCINSPECT_RANGE_UNEVICTABLE;
	case PCINSPECT_LRU_OFF:
		return PCINSPECT_RANGE_OFF_LRU;
	case PCINSPECT_LRU_CLASSIC_ACTIVE:
		return PCINSPECT_RANGE_ACTIVE;
	case PCINSPECT_LRU_CLASSIC_INACTIVE:
		return PCINSPECT_RANGE_INACTIVE;
	case PCINSPECT_LRU_GENERATION:
		break;
	}
	lruvec = pcinspect_lru_lruvec(folio_memcg_check(folio),
				      folio_nid(folio));
	return pcinspect_lru_age(lru_max_seq(lruvec), gen) < 2 ?
		       PCINSPECT_RANGE_ACTIVE :
		       PCINSPECT_RANGE_INACTIVE;
}

/*
 * Changes when a generation is added anywhere; on a node without pages of the
 * mapping as well, but then ages are only reported as possibly off.
 */
static unsigned long lru_seqs(struct mem_cgroup *memcg)
{
	unsigned long sum = 0;
	int nid;

	for_each_online_node(nid)
		sum += lru_max_seq(pcinspect_lru_lruvec(memcg, nid));
	return sum;
}

/*
 * The slot of a memory cgroup, turned to a node, taking a css reference on its
 * first sight so that its lruvecs outlive the RCU section. NULL when there is
 * no slot or the memory cgroup is past referencing. Under rcu_read_lock().
 */
static noinline struct lru_vec *lru_get_vec(struct lru_state *st,
					    struct mem_cgroup *memcg, int nid)
{
	struct lru_vec *vec;

	for (vec = st->vecs; vec < st->vecs + st->nr_vecs; vec++)
		if (vec->memcg == memcg)
			goto out;
	if (st->nr_vecs == LRU_NR_VECS)
		return NULL;
	if (memcg && !mem_cgroup_disabled() && !css_tryget(&memcg->css))
		return NULL;
	st->nr_vecs++;
	vec->memcg = memcg;
	vec->seq = lru_seqs(memcg);
out:
	vec->nid = nid;
	vec->lruvec = pcinspect_lru_lruvec(memcg, nid);
	return vec;
}

/* Is @folio still what is in the slot? */
static __always_inline bool lru_in_slot(struct xa_state *xas,
					const struct folio *folio)
{
	struct xa_node *node = xas->xa_node;

	if (unlikely(!node))
		return xas_reload(xas) == folio;
	return xa_entry(xas->xa, node, xas->xa_offset) == folio;
}

static void lru_count_age(struct lru_state *st, u64 index, u64 nr)
{
	const struct pcinspect_ledger *ledger =
		pcinspect_record_ledger(pcinspect_track_find(st->host));

	pcinspect_dirty_count(ledger ? ledger->dirty : NULL, index, nr,
			      st->snap->numbers);
}

/*
 * Count a pinned folio of @nr pages. Under rcu_read_lock(). A count that is the
 * sum of other counts is summed up once, by lru_finish().
 */
static __always_inline void lru_count(struct lru_state *st, struct xa_state *xas,
				      struct folio *folio, unsigned int order)
{
	u64 *numbers = st->snap->numbers;
	unsigned long flags = READ_ONCE(*folio_flags(folio, 0));
	struct mem_cgroup *memcg = folio_memcg_check(folio);
	unsigned long nr = 1UL << order;
	struct lru_vec *vec = st->last;
	int gen = lru_folio_gen(folio);
	int nid = folio_nid(folio);
	struct lruvec *lruvec;

	if (unlikely(!vec || vec->memcg != memcg || vec->nid != nid)) {
		vec = lru_get_vec(st, memcg, nid);
		st->last = vec;
	}
	if (likely(vec))
		vec->pages += nr;
	else
		st->snap->memcg_other += nr;

	st->snap->orders[min_t(unsigned int, order, PCINSPECT_NR_ORDERS - 1)] +=
		nr;
	switch (pcinspect_lru_classify(flags & BIT(PG_unevictable),
				       flags & BIT(PG_lru),
				       flags & BIT(PG_active), gen)) {
	case PCINSPECT_LRU_UNEVICTABLE:
		numbers[PCINSPECT_UNEVICTABLE] += nr;
		break;
	case PCINSPECT_LRU_OFF:
		numbers[PCINSPECT_OFF_LRU] += nr;
		break;
	case PCINSPECT_LRU_CLASSIC_INACTIVE:
		numbers[PCINSPECT_INACTIVE] += nr;
		break;
	case PCINSPECT_LRU_CLASSIC_ACTIVE:
		numbers[PCINSPECT_ACTIVE] += nr;
		break;
	case PCINSPECT_LRU_GENERATION:
		lruvec = likely(vec) ? vec->lruvec :
				       pcinspect_lru_lruvec(memcg, nid);
		numbers[PCINSPECT_GEN0 +
			pcinspect_lru_age(lru_max_seq(lruvec), gen)] += nr;
		break;
	}

	if (folio_mapped(folio))
		numbers[PCINSPECT_MAPPED] += nr;
	if (flags & BIT(PG_referenced))
		numbers[PCINSPECT_REFERENCED] += nr;
	if (flags & BIT(PG_workingset))
		numbers[PCINSPECT_WORKINGSET] += nr;
	if (unlikely(st->dirty_tagged) &&
	    xas_get_mark(xas, PAGECACHE_TAG_DIRTY)) {
		numbers[PCINSPECT_DIRTY] += nr;
		lru_count_age(st, folio->index, nr);
		if (likely(vec))
			vec->dirty += nr;
	}
	if (unlikely(st->writeback_tagged) &&
	    xas_get_mark(xas, PAGECACHE_TAG_WRITEBACK))
		numbers[PCINSPECT_WRITEBACK] += nr;
}

/*
 * Count the folio that @xas is at. Under rcu_read_lock(). Returns false if it
 * is not there any more: look again.
 */
static __always_inline bool lru_visit(struct lru_state *st,
				      struct xa_state *xas, struct folio *folio)
{
	if (unlikely(!folio_try_get(folio)))
		return false;
	if (unlikely(!lru_in_slot(xas, folio))) {
		folio_put(folio);
		return false;
	}
	if (likely(xas->xa_index >= st->next_index)) {
		if (likely(!folio_test_large(folio))) {
			lru_count(st, xas, folio, 0);
			st->next_index = xas->xa_index + 1;
		} else {
			unsigned int order = folio_order(folio);

			lru_count(st, xas, folio, order);
			st->next_index = folio->index + (1UL << order);
		}
	}
	folio_put(folio);
	return true;
}

/*
 * Go on along the leaf that @xas is in, as xas_next_entry() would, while there
 * are folios; it costs a sixth of the walk otherwise. Returns the budget left.
 */
static __always_inline unsigned int
lru_visit_leaf(struct lru_state *st, struct xa_state *xas, unsigned int budget)
{
	struct xa_node *node = xas->xa_node;
	void *entry;

	if (xas_not_node(node) || node->shift ||
	    xas->xa_offset != (xas->xa_index & XA_CHUNK_MASK))
		return budget;
	while (budget && xas->xa_offset < XA_CHUNK_MASK) {
		entry = xa_entry(xas->xa, node, xas->xa_offset + 1);
		if (!entry || xa_is_internal(entry) || xa_is_value(entry))
			break;
		xas->xa_offset++;
		xas->xa_index++;
		if (unlikely(!lru_visit(st, xas, entry))) {
			xas_reset(xas);
			break;
		}
		budget--;
	}
	return budget;
}

/* The counts that are sums of others. */
static void lru_finish(u64 *numbers)
{
	const u64 *gens = &numbers[PCINSPECT_GEN0];

	numbers[PCINSPECT_CLASSIC] =
		numbers[PCINSPECT_ACTIVE] + numbers[PCINSPECT_INACTIVE];
	numbers[PCINSPECT_MGLRU] = gens[0] + gens[1] + gens[2] + gens[3];
	numbers[PCINSPECT_ACTIVE] += gens[0] + gens[1];
	numbers[PCINSPECT_INACTIVE] += gens[2] + gens[3];
	numbers[PCINSPECT_CACHED] =
		numbers[PCINSPECT_ACTIVE] + numbers[PCINSPECT_INACTIVE] +
		numbers[PCINSPECT_UNEVICTABLE] + numbers[PCINSPECT_OFF_LRU];
}

/* Sum the slots by memory cgroup, keep the largest, drop the references. */
static void lru_put_vecs(struct lru_state *st)
{
	struct pcinspect_snapshot *snap = st->snap;
	struct pcinspect_memcg sums[LRU_NR_VECS] = {};
	int i, j, nr = 0;

	for (i = 0; i < st->nr_vecs; i++) {
		struct lru_vec *vec = &st->vecs[i];
		struct mem_cgroup *memcg = vec->memcg;
		u64 id = 1; /* the root's directory */

		if (lru_seqs(memcg) != vec->seq)
			snap->flags |= PCINSPECT_F_AGED;
		if (mem_cgroup_disabled())
			continue;
		if (memcg)
			id = cgroup_ino(memcg->css.cgroup);
		for (j = 0; j < nr && sums[j].id != id; j++)
			;
		sums[j].id = id;
		sums[j].pages += vec->pages;
		sums[j].dirty_pages += vec->dirty;
		nr = max(nr, j + 1);
		if (memcg)
			css_put(&memcg->css);
	}
	for (i = 1; i < nr; i++)
		for (j = i; j && sums[j].pages > sums[j - 1].pages; j--)
			swap(sums[j], sums[j - 1]);
	for (i = 0; i < nr; i++) {
		if (i < PCINSPECT_NR_MEMCGS)
			snap->memcgs[i] = sums[i];
		else
			snap->memcg_other += sums[i].pages;
	}
}

/* Tags are asked for by folio only where the mapping has any. */
static void lru_look_at_tags(struct lru_state *st, struct address_space *mapping)
{
	st->dirty_tagged = mapping_tagged(mapping, PAGECACHE_TAG_DIRTY);
	st->writeback_tagged = mapping_tagged(mapping, PAGECACHE_TAG_WRITEBACK);
}

/* End a batch: let RCU and the scheduler have their turn. */
static int lru_pause(struct xa_state *xas, struct super_block *sb)
{
	xas_pause(xas);
	rcu_read_unlock();
	cond_resched();
	rcu_read_lock();
	if (sb && rwsem_is_contended(&sb->s_umount))
		return -EAGAIN;
	return fatal_signal_pending(current) ? -EINTR : 0;
}

/*
 * Find the root memory cgroup. By the way that works for a module on every
 * kernel: root_mem_cgroup is exported on 7.2 only. Once, because the pointers
 * on the way are NULL for a moment while a hierarchy is mounted
 * (rebind_subsystems()); what they lead to stays the same.
 * Context: process context, before any walk. Return: 0, or -ENODEV if a
 * hierarchy was being mounted just now.
 */
int pcinspect_lru_init(void)
{
	struct cgroup_subsys_state *css;
	struct cgroup *root;

	if (mem_cgroup_disabled())
		return 0;
	rcu_read_lock();
	root = &memory_cgrp_subsys.root->cgrp;
	css = rcu_dereference(root->subsys[memory_cgrp_id]);
	if (css)
		lru_root = mem_cgroup_from_css(css);
	rcu_read_unlock();
	return css ? 0 : -ENODEV;
}

/* The root memory cgroup; NULL without memory cgroups. It is never freed. */
struct mem_cgroup *pcinspect_lru_root(void)
{
	return lru_root;
}

/*
 * Is MGLRU switched on? lru_gen_enabled() needs lru_gen_caps, which no kernel
 * exports; the root lruvec of the first node says the same.
 */
bool pcinspect_lru_gen_enabled(void)
{
	bool enabled;

	rcu_read_lock();
	enabled = lru_vec_enabled(pcinspect_lru_lruvec(NULL, first_online_node));
	rcu_read_unlock();
	return enabled;
}

/**
 * pcinspect_lru_walk() - count every cached page of a mapping
 * @mapping: whose pages; the caller keeps its inode alive
 * @sb: superblock whose s_umount the caller holds shared: the walk gives up as
 *	soon as somebody wants it exclusively. NULL when nothing is held.
 * @snap: its flags, numbers, orders and memory cgroups, as far as a walk can
 *know them, the rest 0; only valid when 0 is returned
 *
 * Context: process context, may sleep between batches; no spinlock held.
 * Return: 0, -EAGAIN (@sb is wanted) or -EINTR (fatal signal).
 */
int pcinspect_lru_walk(struct address_space *mapping, struct super_block *sb,
		       struct pcinspect_snapshot *snap)
{
	XA_STATE(xas, &mapping->i_pages, 0);
	u64 *numbers = snap->numbers;
	bool shadows = !shmem_mapping(mapping) && !dax_mapping(mapping);
	struct lru_state st = {
		.snap = snap,
		.host = mapping->host,
	};
	unsigned int budget = PCINSPECT_LRU_BATCH;
	struct folio *folio;
	int err = 0;

	memset(snap, 0, sizeof(*snap));
	numbers[PCINSPECT_NRPAGES_BEFORE] = READ_ONCE(mapping->nrpages);
	lru_look_at_tags(&st, mapping);

	rcu_read_lock();
	xas_for_each(&xas, folio, ULONG_MAX) {
		if (xas_retry(&xas, folio))
			continue;
		if (xa_is_value(folio)) {
			if (shadows)
				numbers[PCINSPECT_EVICTED] +=
					1UL << xas_get_order(&xas);
		} else if (unlikely(!lru_visit(&st, &xas, folio))) {
			xas_reset(&xas);
			continue;
		}
		budget = lru_visit_leaf(&st, &xas, budget - 1);
		if (unlikely(!budget)) {
			budget = PCINSPECT_LRU_BATCH;
			err = lru_pause(&xas, sb);
			if (err)
				break;
			lru_look_at_tags(&st, mapping);
		}
	}
	rcu_read_unlock();
	lru_put_vecs(&st);

	lru_finish(numbers);
	numbers[PCINSPECT_NRPAGES] = READ_ONCE(mapping->nrpages);
	snap->flags |= PCINSPECT_F_PAGES;
	if (numbers[PCINSPECT_MGLRU] || pcinspect_lru_gen_enabled())
		snap->flags |= PCINSPECT_F_GENERATIONS;
	if (shadows)
		snap->flags |= PCINSPECT_F_EVICTED;
	/*
	 * Every disk has writeback; asking the inode of a partition whose disk
	 * was removed would follow a pointer to it (inode_to_bdi()).
	 */
	if (S_ISBLK(mapping->host->i_mode) || mapping_can_writeback(mapping))
		snap->flags |= PCINSPECT_F_WRITEBACK;
	if (!mem_cgroup_disabled())
		snap->flags |= PCINSPECT_F_MEMCG;
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_lru_walk);
