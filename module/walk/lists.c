// SPDX-License-Identifier: GPL-2.0-only
/*
 * lists.c - every file folio on the LRU lists of memory cgroups.
 *
 * Why: walking files finds those that have a name. Pages charged to a cgroup,
 * also of files that are closed, deleted or were never tracked, are on its
 * lists, and there they add up to memory.stat. The order of a list is the order
 * in which reclaim takes its pages.
 *
 * How it stays exact and harmless:
 *  - lruvec->lru_lock is held for PCINSPECT_LISTS_HOLD folios at most, fewer
 *    if they are large. Nothing is done under it but to look: no flag, no
 *    reference, no list is touched.
 *  - A folio's inode is followed after that, in the same RCU section. It is
 *    there: an inode's folios are taken out of its mapping before it is given
 *    to RCU to be freed (evict(), fs/inode.c, 6.1 to 7.2).
 *  - Between holds the walk remembers the last folio, as a number. Under the
 *    lock it goes on from there only if it is still the same page of the same
 *    file on a list of the same lruvec; otherwise it begins that list again. A
 *    walk that comes to the head of another list was led away by a folio that
 *    was moved, and begins again too.
 *  - A folio's generation is that of its flags, as lrugen->nr_pages and the
 *    counters of active and inactive pages have it. It may be on the list of
 *    an older one: aging by page tables changes the flags only, and the folio
 *    is moved when reclaim comes to it (folio_update_gen(), sort_folio(),
 *    mm/vmscan.c).
 *  - Reclaim and activation move folios while the walk goes on, also to where
 *    it has been or will be. Each page frame met is marked in a bitmap of its
 *    own, so that none counts twice, and lists are walked again while they
 *    have fewer pages than the kernel counts on them.
 *
 * Not seen: folios in per-CPU batches or isolated (they are on no
 * list), and unevictable ones, of which there is no list since 5.18
 * (lruvec_add_folio(), include/linux/mm_inline.h).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/mmzone.h>
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/xarray.h>

#include "walk/lists.h"
#include "walk/lru.h"
#include "walk/snapshot.h"

/* Page frames marked in one chunk of the bitmap: 128 MiB of memory, 4 KiB. */
#define LISTS_CHUNK_BITS 15
#define LISTS_CHUNK BIT(LISTS_CHUNK_BITS)

/* How often the lists of one cgroup and node are walked in search of the rest. */
#define LISTS_NR_TRIES 4
/* How often one list is begun again in one of them. */
#define LISTS_NR_AGAIN 64

/* The flags of a page that are asked for; and if the order is asked for. */
#define LISTS_FLAGS (BIT(PG_dirty) | LRU_GEN_MASK)
#define LISTS_FLAGS_CLOSELY                                     \
	(LISTS_FLAGS | BIT(PG_writeback) | BIT(PG_referenced) | \
	 BIT(PG_workingset) | LRU_REFS_MASK | ZONES_MASK << ZONES_PGSHIFT)

/* For how long one lock of a list was held since load, at most, in ns. */
static atomic64_t lists_longest_ns = ATOMIC64_INIT(0);

/*
 * struct lists_place - a list, and how far the walk is on it
 * @gen: number of its generation, negative: a classic one
 * @pfn: of the folio looked at last, 0: begin at the end of the list
 */
struct lists_place {
	struct lruvec *lruvec;
	struct list_head *head;
	int gen;
	bool active;
	unsigned int zone;
	unsigned long pfn;
	struct address_space *mapping;
	pgoff_t index;
};

/*
 * struct lists_run - neighbours on a list of one file that look alike
 * @mapping: to be compared; followed in the RCU section of the hold only
 * @whose: what was seen of it there
 * @index: of the first
 * @next: where the one behind the last would go on, if the order is asked for
 * @flags: of the first one's page; what all have in common is in a mask
 * @pages: of each
 * @folios: how many, one at least
 * @mapped: and @held, as in struct pcinspect_kind
 */
struct lists_run {
	struct address_space *mapping;
	const struct pcinspect_whose *whose;
	pgoff_t index;
	pgoff_t next;
	unsigned long flags;
	unsigned long pages;
	unsigned int folios;
	bool mapped;
	bool held;
};

struct lists_walk {
	const struct pcinspect_lists_ops *ops;
	void *arg;
	struct pcinspect_lists *stats;
	u64 changed;
	struct pcinspect_list_cgroup cgroup;
	struct xarray seen;
	/* Where a page frame was marked last: most are near the one before. */
	unsigned long *chunk;
	unsigned long chunk_key; /* ULONG_MAX: nowhere yet */
	/* One hold: the first run is nobody's, so that each has one before it. */
	unsigned int nr;
	unsigned int nr_runs;
	unsigned long nr_pages;
	unsigned long max_seq;
	unsigned long pfns[PCINSPECT_LISTS_HOLD];
	struct lists_run runs[PCINSPECT_LISTS_HOLD + 1];
	struct pcinspect_whose whose[PCINSPECT_LISTS_HOLD];
	/* Nothing but flags, for what tells their meaning of a folio. */
	struct folio flags;
	/* Of the lists of one cgroup and node. */
	u64 pages;
};

/* A list's lock is about to be dropped that was had at @since. */
static void lists_note_hold(u64 since)
{
	s64 ns = ktime_get_mono_fast_ns() - since;
	s64 longest = atomic64_read(&lists_longest_ns);

	while (ns > longest)
		if (atomic64_try_cmpxchg(&lists_longest_ns, &longest, ns))
			break;
}

/* Since the module was loaded, in ns, interrupts off. Context: any. */
u64 pcinspect_lists_longest_ns(void)
{
	return atomic64_read(&lists_longest_ns);
}

#ifdef CONFIG_LRU_GEN
static unsigned long lists_max_seq(const struct lruvec *lruvec)
{
	return READ_ONCE(lruvec->lrugen.max_seq);
}

static unsigned long lists_min_seq(const struct lruvec *lruvec)
{
	return READ_ONCE(lruvec->lrugen.min_seq[LRU_GEN_FILE]);
}

static struct list_head *lists_head_of_gen(struct lruvec *lruvec, int gen,
					   unsigned int zone)
{
	return &lruvec->lrugen.folios[gen][LRU_GEN_FILE][zone];
}

static u64 lists_count_gen(const struct lruvec *lruvec, int gen)
{
	unsigned int zone;
	u64 sum = 0;

	for (zone = 0; zone < MAX_NR_ZONES; zone++)
		/* May be below zero for a moment (struct lru_gen_folio). */
		sum += max(0L,
			   READ_ONCE(lruvec->lrugen.nr_pages[gen][LRU_GEN_FILE]
							    [zone]));
	return sum;
}

static bool lists_has_gens(const struct lruvec *lruvec)
{
	return READ_ONCE(lruvec->lrugen.enabled);
}

static int lists_gen_of(const struct folio *folio)
{
	return folio_lru_gen((struct folio *)folio);
}
#else
static unsigned long lists_max_seq(const struct lruvec *lruvec)
{
	return 0;
}

static unsigned long lists_min_seq(const struct lruvec *lruvec)
{
	return 1;
}

static struct list_head *lists_head_of_gen(struct lruvec *lruvec, int gen,
					   unsigned int zone)
{
	return NULL;
}

static u64 lists_count_gen(const struct lruvec *lruvec, int gen)
{
	return 0;
}

static bool lists_has_gens(const struct lruvec *lruvec)
{
	return false;
}

static int lists_gen_of(const struct folio *folio)
{
	return -1;
}
#endif

/* --- what the kernel counts ------------------------------------------------ */

static u64 lists_count_classic(struct lruvec *lruvec, enum lru_list lru)
{
	unsigned int zone;
	u64 sum = 0;

	for (zone = 0; zone < MAX_NR_ZONES; zone++)
		sum += mem_cgroup_get_zone_lru_size(lruvec, lru, zone);
	return sum;
}

/* Of both kinds; a zone's counts lack each CPU's pending changes. */
static u64 lists_count_zones(int nid, enum lru_list lru)
{
	unsigned int zone;
	u64 sum = 0;

	for (zone = 0; zone < MAX_NR_ZONES; zone++)
		sum += zone_page_state(NODE_DATA(nid)->node_zones + zone,
				       NR_ZONE_LRU_BASE + lru);
	return sum;
}

static u64 lists_count_age(struct lruvec *lruvec, unsigned int age)
{
	return lists_count_gen(lruvec, (lists_max_seq(lruvec) - age) %
					       PCINSPECT_NR_GENS);
}

/*
 * One of the two file lists, of both kinds. A memory cgroup counts the classic
 * ones by list and zone, and MGLRU's by generation, of which the two youngest
 * are active (lru_gen_update_size(), include/linux/mm_inline.h).
 */
static u64 lists_count_list(struct lruvec *lruvec, int nid,
			    enum pcinspect_list_kind kind)
{
	bool active = kind == PCINSPECT_LIST_ACTIVE;
	enum lru_list lru = active ? LRU_ACTIVE_FILE : LRU_INACTIVE_FILE;
	unsigned int age = active ? 0 : 2;

	if (mem_cgroup_disabled())
		return lists_count_zones(nid, lru);
	return lists_count_classic(lruvec, lru) + lists_count_age(lruvec, age) +
	       lists_count_age(lruvec, age + 1);
}

static u64 lists_count_files(struct lruvec *lruvec, int nid)
{
	return lists_count_list(lruvec, nid, PCINSPECT_LIST_INACTIVE) +
	       lists_count_list(lruvec, nid, PCINSPECT_LIST_ACTIVE);
}

/* All counts of a node, in one moment of its lock. */
static void lists_count(struct pcinspect_list_cgroup *cgroup,
			struct lruvec *lruvec, int nid, u64 *counted)
{
	unsigned int age, kind;
	u64 since;

	spin_lock_irq(&lruvec->lru_lock);
	since = ktime_get_mono_fast_ns();
	for (kind = 0; kind < PCINSPECT_NR_LISTS; kind++)
		counted[kind] += lists_count_list(lruvec, nid, kind);
	if (counted == cgroup->counted_pages) {
		cgroup->unevictable_pages +=
			mem_cgroup_disabled() ?
				lists_count_zones(nid, LRU_UNEVICTABLE) :
				lists_count_classic(lruvec, LRU_UNEVICTABLE);
		for (age = 0; age < PCINSPECT_NR_GENS; age++)
			cgroup->generation_pages[age] +=
				lists_count_age(lruvec, age);
		if (lists_has_gens(lruvec))
			cgroup->flags |= PCINSPECT_CGROUP_GENERATIONS;
	}
	lists_note_hold(since);
	spin_unlock_irq(&lruvec->lru_lock);
}

/* --- one hold -------------------------------------------------------------- */

/*
 * The list entry to go on from, or NULL: the place is lost. Under the lock of the
 * place's lruvec. The page frame may be anything by now, but is a page frame: a
 * folio that is on a list (PG_lru) of this lruvec stays on it under its lock.
 */
static struct list_head *lists_find(const struct lists_place *place)
{
	struct page *page = pfn_to_online_page(place->pfn);
	struct folio *folio = (struct folio *)page;

	if (!page || PageTail(page) || !folio_test_lru(folio) ||
	    folio_test_unevictable(folio) || !folio_is_file_lru(folio) ||
	    folio_zonenum(folio) != place->zone ||
	    pcinspect_lru_lruvec(folio_memcg_check(folio), folio_nid(folio)) !=
		    place->lruvec ||
	    READ_ONCE(folio->mapping) != place->mapping ||
	    folio->index != place->index)
		return NULL;
	/* Of MGLRU's folios the flags do not say on which list they are. */
	if (place->gen < 0 && (lists_gen_of(folio) >= 0 ||
			       folio_test_active(folio) != place->active))
		return NULL;
	return &folio->lru;
}

/* Is an entry the head of one of the lists of a lruvec? All heads are in it. */
static __always_inline bool lists_is_head(const struct lruvec *lruvec,
					  const struct list_head *at)
{
	return (unsigned long)at - (unsigned long)lruvec < sizeof(*lruvec);
}

/*
 * Has somebody else a hold on a folio that no page table maps, a lock or a
 * reference beside those of the page cache and of its private data? Then reclaim
 * passes it over (__remove_mapping(), mm/vmscan.c). No reference is taken for
 * looking: a folio that is on a list is not freed under the list's lock.
 */
static __always_inline bool lists_held(struct folio *folio, unsigned long flags,
				       unsigned long pages)
{
	return flags & BIT(PG_locked) ||
	       folio_ref_count(folio) > pages + !!(flags & PAGE_FLAGS_PRIVATE);
}

/*
 * A folio of a list, whose lock is held: one more of the run before, or the
 * first of a new one. Each is looked at once, all of it decided by one look at
 * its flags; what they mean is said once a run, without the lock. @closely: the
 * order is asked for. Returns its run.
 */
static __always_inline struct lists_run *lists_look(struct lists_run *run,
						    struct folio *folio,
						    unsigned long mask,
						    bool closely)
{
	unsigned long flags = READ_ONCE(*folio_flags(folio, 0));
	struct address_space *mapping = READ_ONCE(folio->mapping);
	pgoff_t index = folio->index;
	unsigned long pages = 1;
	bool mapped, held = false;

	if (unlikely(flags & BIT(PG_head))) {
		pages = folio_nr_pages(folio);
		mapped = folio_mapped(folio);
	} else {
		/* folio_mapped(); what has a type instead is on no list. */
		mapped = atomic_read(&folio->_mapcount) >= 0;
	}
	if (closely && !mapped)
		held = lists_held(folio, flags, pages);

	if (run->mapping == mapping && !((run->flags ^ flags) & mask) &&
	    run->pages == pages && run->mapped == mapped &&
	    (!closely || (run->held == held && run->next == index))) {
		run->folios++;
		run->next += pages;
		return run;
	}
	run++;
	run->mapping = mapping;
	run->index = index;
	run->next = index + pages;
	run->flags = flags;
	run->pages = pages;
	run->folios = 1;
	run->mapped = mapped;
	run->held = held;
	return run;
}

/* The walk goes on behind this folio. */
static void lists_leave(struct lists_place *place, const struct folio *folio)
{
	/* Split and other zones do not mix; a folio moved by hand would. */
	place->zone = folio_zonenum(folio);
	place->pfn = folio_pfn((struct folio *)folio);
	place->mapping = READ_ONCE(folio->mapping);
	place->index = folio->index;
}

/*
 * Look at the next folios of a list. Under RCU. Returns whether the walk has
 * come to the list's young end; -EAGAIN if its place is lost, perhaps after
 * some folios of another list.
 */
static __always_inline int lists_hold(struct lists_walk *walk,
				      struct lists_place *place, bool closely)
{
	const unsigned long mask = closely ? LISTS_FLAGS_CLOSELY : LISTS_FLAGS;
	struct list_head *at, *const head = place->head;
	struct lruvec *lruvec = place->lruvec;
	struct lists_run *run = walk->runs;
	struct folio *folio = NULL;
	unsigned long pages = 0;
	unsigned int nr = 0;
	int end = -EAGAIN;
	u64 since;

	spin_lock_irq(&lruvec->lru_lock);
	since = ktime_get_mono_fast_ns();
	walk->max_seq = lists_max_seq(lruvec);
	at = place->pfn ? lists_find(place) : head;
	if (!at)
		goto out;
	for (at = at->prev; !lists_is_head(lruvec, at); at = at->prev) {
		if (unlikely(nr == PCINSPECT_LISTS_HOLD) ||
		    unlikely(pages >= PCINSPECT_LISTS_HOLD_PAGES))
			break;
		prefetch(at->prev);
		folio = list_entry(at, struct folio, lru);
		walk->pfns[nr++] = folio_pfn(folio);
		run = lists_look(run, folio, mask, closely);
		pages += run->pages;
	}
	if (folio)
		lists_leave(place, folio);
	if (!lists_is_head(lruvec, at))
		end = 0;
	else if (at == head)
		end = 1;
out:
	lists_note_hold(since);
	spin_unlock_irq(&lruvec->lru_lock);
	walk->nr = nr;
	walk->nr_runs = run - walk->runs;
	walk->nr_pages = pages;
	return end;
}

/* The owner of a folio, by value. Still in the RCU section of the hold. */
static void lists_identify(struct pcinspect_whose *whose,
			   const struct address_space *mapping)
{
	const struct inode *inode;
	const struct super_block *sb;

	whose->inode = NULL;
	/* The low bits: anonymous, movable (include/linux/page-flags.h). */
	whose->lazyfree = (unsigned long)mapping & 3;
	if (!mapping || whose->lazyfree)
		return;
	inode = mapping->host;
	if (!inode)
		return;
	sb = inode->i_sb;
	whose->inode = inode;
	whose->sb = sb;
	whose->type = sb->s_type;
	whose->owner = sb->s_type->owner;
	whose->ino = inode->i_ino;
	whose->size_bytes = i_size_read(inode);
	whose->dev = sb->s_dev;
	whose->i_generation = inode->i_generation;
	whose->mode = inode->i_mode;
	whose->nlink = inode->i_nlink;
	whose->maybe_deleted = pcinspect_snapshot_maybe_deleted(inode);
	strscpy(whose->fs, sb->s_type->name, sizeof(whose->fs));
}

/* Of each run; most are of the file of the one before. */
static void lists_identify_all(struct lists_walk *walk)
{
	struct lists_run *run = walk->runs + 1;
	unsigned int i;

	for (i = 0; i < walk->nr_runs; i++, run++) {
		if (i && run[0].mapping == run[-1].mapping) {
			run[0].whose = run[-1].whose;
			continue;
		}
		lists_identify(&walk->whose[i], run->mapping);
		run->whose = &walk->whose[i];
	}
}

/* --- what was met ---------------------------------------------------------- */

/* The memory of the bitmaps of all walks under way. */
static atomic_long_t lists_memory = ATOMIC_LONG_INIT(0);

/* In bytes. Context: any. */
size_t pcinspect_lists_memory(void)
{
	return atomic_long_read(&lists_memory);
}

/* Turn to a chunk of the bitmap. */
static int lists_turn(struct lists_walk *walk, unsigned long key)
{
	unsigned long *chunk = xa_load(&walk->seen, key);
	int err;

	if (!chunk) {
		chunk = kzalloc(LISTS_CHUNK / BITS_PER_BYTE, GFP_KERNEL);
		if (!chunk)
			return -ENOMEM;
		err = xa_err(xa_store(&walk->seen, key, chunk, GFP_KERNEL));
		if (err) {
			kfree(chunk);
			return err;
		}
		atomic_long_add(LISTS_CHUNK / BITS_PER_BYTE, &lists_memory);
	}
	walk->chunk = chunk;
	walk->chunk_key = key;
	return 0;
}

/* Mark a folio's page frames. Returns 1 if its first was marked before. */
static __always_inline int lists_mark(struct lists_walk *walk,
				      unsigned long pfn, unsigned long pages)
{
	unsigned long key = pfn >> LISTS_CHUNK_BITS;
	unsigned long bit = pfn & (LISTS_CHUNK - 1);

	if (unlikely(walk->chunk_key != key)) {
		int err = lists_turn(walk, key);

		if (err)
			return err;
	}
	if (__test_and_set_bit(bit, walk->chunk))
		return 1;
	/* Folios are aligned to their size, which is far below a chunk. */
	if (pages > 1)
		bitmap_set(walk->chunk, bit, min(pages, LISTS_CHUNK - bit));
	return 0;
}

/* The numbers of a run of folios, without its place. */
static void lists_describe_run(struct lists_walk *walk,
			       const struct lists_place *place,
			       const struct lists_run *run,
			       struct pcinspect_met *met)
{
	struct pcinspect_kind *kind = &met->kind;
	struct folio *folio = &walk->flags;
	int gen;

	*folio_flags(folio, 0) = run->flags;
	gen = lists_gen_of(folio);
	*met = (struct pcinspect_met){
		.whose = run->whose,
		.pages = run->pages,
		.kind.age = gen < 0 ? -1 : pcinspect_lru_age(walk->max_seq, gen),
		.kind.active = place->active,
		.kind.dirty = run->flags & BIT(PG_dirty),
		.kind.mapped = run->mapped,
	};
	if (gen >= 0)
		kind->active = kind->age < 2;
	if (!walk->ops->list)
		return;
	kind->gen = place->gen;
	kind->own_gen = gen;
	kind->zone = folio_zonenum(folio);
	kind->writeback = run->flags & BIT(PG_writeback);
	kind->held = run->held;
	if (place->gen >= 0)
		pcinspect_tiers_folio(folio, &kind->tier);
}

/* Tell of neighbours that are alike. */
static int lists_tell_met(struct lists_walk *walk,
			  const struct pcinspect_met *met)
{
	if (!met->folios)
		return 0;
	walk->pages += met->pages * met->folios;
	return walk->ops->met(walk->arg, &walk->cgroup, met);
}

/* Tell of a run, in pieces where some of it was met before. */
static int lists_tell_run(struct lists_walk *walk,
			  const struct lists_place *place,
			  const struct lists_run *run, const unsigned long *pfns)
{
	struct pcinspect_met met;
	unsigned int i;
	int err;

	lists_describe_run(walk, place, run, &met);
	met.index = run->index;
	for (i = 0; i < run->folios; i++) {
		err = lists_mark(walk, pfns[i], run->pages);
		if (likely(!err)) {
			met.folios++;
			continue;
		}
		if (err > 0)
			err = lists_tell_met(walk, &met);
		if (err)
			return err;
		met.index = run->index + (i + 1) * run->pages;
		met.folios = 0;
	}
	return lists_tell_met(walk, &met);
}

/* Tell of what was looked at in a hold. */
static int lists_tell(struct lists_walk *walk, const struct lists_place *place)
{
	const struct lists_run *run = walk->runs + 1;
	const unsigned long *pfns = walk->pfns;
	unsigned int i;
	int err = 0;

	for (i = 0; i < walk->nr_runs && !err; i++, run++) {
		err = lists_tell_run(walk, place, run, pfns);
		pfns += run->folios;
	}
	if (fatal_signal_pending(current))
		return -EINTR;
	return err;
}

/* --- lists ----------------------------------------------------------------- */

/* Walk one list from its old end to its young one. */
static int lists_walk_list(struct lists_walk *walk, struct lruvec *lruvec,
			   struct list_head *head, int gen, bool active)
{
	struct lists_place place = {
		.lruvec = lruvec,
		.head = head,
		.gen = gen,
		.active = active,
	};
	unsigned int again = 0;
	int end, err;

	do {
		rcu_read_lock();
		end = walk->ops->list ? lists_hold(walk, &place, true) :
					lists_hold(walk, &place, false);
		lists_identify_all(walk);
		rcu_read_unlock();
		if (walk->nr > walk->stats->longest_hold)
			walk->stats->longest_hold = walk->nr;
		if (walk->nr_pages > walk->stats->longest_hold_pages)
			walk->stats->longest_hold_pages = walk->nr_pages;
		if (end < 0) {
			place.pfn = 0;
			walk->stats->again++;
			/* Folios of another list were met as if they were on this. */
			walk->changed += walk->nr > 0;
			/* The rest is left to the next try. */
			end = ++again == LISTS_NR_AGAIN;
		}
		err = lists_tell(walk, &place);
		cond_resched();
	} while (!end && !err);
	return err;
}

/* All generations, oldest first; of each the highest zone first, as reclaim does. */
static int lists_walk_gens(struct lists_walk *walk, struct lruvec *lruvec)
{
	unsigned long seq = lists_min_seq(lruvec);
	struct list_head *head;
	int gen, zone, err = 0;

	for (; !err && time_before_eq(seq, lists_max_seq(lruvec)); seq++) {
		gen = seq % PCINSPECT_NR_GENS;
		for (zone = MAX_NR_ZONES - 1; zone >= 0 && !err; zone--) {
			head = lists_head_of_gen(lruvec, gen, zone);
			err = lists_walk_list(walk, lruvec, head, gen, false);
		}
	}
	return err;
}

/* Read in advance the state that decides the order in which reclaim takes folios. */
static void lists_describe(struct lists_walk *walk, struct lruvec *lruvec,
			   int nid, struct pcinspect_next_list *list)
{
	u64 since;

	*list = (struct pcinspect_next_list){
		.cgroup = walk->cgroup.id,
		.node = nid,
	};
	spin_lock_irq(&lruvec->lru_lock);
	since = ktime_get_mono_fast_ns();
	pcinspect_tiers_read(lruvec, list);
	lists_note_hold(since);
	spin_unlock_irq(&lruvec->lru_lock);
}

/* The lists of both kinds: after a switch both have pages for a while. */
static int lists_walk_lruvec(struct lists_walk *walk, struct lruvec *lruvec,
			     int nid)
{
	u64 *before = walk->cgroup.counted_before_pages;
	struct pcinspect_next_list list;
	int tries, err = 0;
	u64 had;

	lists_count(&walk->cgroup, lruvec, nid, before);
	lists_describe(walk, lruvec, nid, &list);
	if (walk->ops->list)
		err = walk->ops->list(walk->arg, &list);
	if (err)
		return err;
	walk->pages = 0;
	for (tries = 0; tries < LISTS_NR_TRIES; tries++) {
		if (tries && walk->pages >= lists_count_files(lruvec, nid))
			break;
		had = walk->pages;
		err = lists_walk_list(walk, lruvec,
				      &lruvec->lists[LRU_INACTIVE_FILE], -1,
				      false);
		if (!err)
			err = lists_walk_list(walk, lruvec,
					      &lruvec->lists[LRU_ACTIVE_FILE],
					      -1, true);
		if (!err)
			err = lists_walk_gens(walk, lruvec);
		if (err)
			return err;
		/* Told behind all others, wherever on the lists they are. */
		if (tries && walk->pages != had)
			walk->changed++;
	}
	if (lists_has_gens(lruvec) && (list.min_seq != lists_min_seq(lruvec) ||
				       list.max_seq != lists_max_seq(lruvec)))
		walk->changed++;
	lists_count(&walk->cgroup, lruvec, nid, walk->cgroup.counted_pages);
	return 0;
}

/* --- cgroups --------------------------------------------------------------- */

static int lists_walk_memcg(struct lists_walk *walk, struct mem_cgroup *memcg,
			    bool counts_only)
{
	struct pcinspect_list_cgroup *cgroup = &walk->cgroup;
	struct lruvec *lruvec;
	int nid, err = 0;

	memset(cgroup, 0, sizeof(*cgroup));
	if (memcg) {
		cgroup->id = cgroup_ino(memcg->css.cgroup);
		if (memcg->css.parent)
			cgroup->parent = cgroup_ino(memcg->css.parent->cgroup);
		if (!(memcg->css.flags & CSS_ONLINE))
			cgroup->flags |= PCINSPECT_CGROUP_OFFLINE;
	}
	for_each_online_node(nid) {
		lruvec = pcinspect_lru_lruvec(memcg, nid);
		if (counts_only)
			lists_count(cgroup, lruvec, nid, cgroup->counted_pages);
		else
			err = lists_walk_lruvec(walk, lruvec, nid);
		if (err)
			return err;
	}
	return walk->ops->cgroup(walk->arg, cgroup,
				 memcg ? memcg->css.cgroup : NULL);
}

/* A cgroup and all below it; also those whose directory is gone. */
static int lists_walk_all(struct lists_walk *walk, struct mem_cgroup *root,
			  bool counts_only)
{
	struct cgroup_subsys_state *css, *next;
	int err = 0;

	if (mem_cgroup_disabled())
		return lists_walk_memcg(walk, NULL, counts_only);
	rcu_read_lock();
	css = css_next_descendant_pre(NULL, &root->css);
	while (css && !err) {
		/* One that cannot be had any more has no pages either. */
		if (css_tryget(css)) {
			rcu_read_unlock();
			err = lists_walk_memcg(walk, mem_cgroup_from_css(css),
					       counts_only);
			cond_resched();
			rcu_read_lock();
			next = css_next_descendant_pre(css, &root->css);
			css_put(css);
		} else {
			next = css_next_descendant_pre(css, &root->css);
		}
		css = next;
	}
	rcu_read_unlock();
	return err;
}

static void lists_free_seen(struct lists_walk *walk)
{
	unsigned long key;
	void *chunk;

	xa_for_each(&walk->seen, key, chunk) {
		kfree(chunk);
		atomic_long_sub(LISTS_CHUNK / BITS_PER_BYTE, &lists_memory);
		cond_resched();
	}
	xa_destroy(&walk->seen);
}

/**
 * pcinspect_lists_walk() - meet every file folio of cgroups, oldest first
 * @cgroup: it and all below it; NULL: all there are
 * @ops: what to do with what is met
 * @arg: for @ops
 * @stats: its again, longest_hold, longest_hold_pages and time_ns are filled in
 * @changed: if not NULL: how many lists had other generations at the end, or
 * folios that only a later pass met
 *
 * A cgroup's folios come before its @ops->cgroup(). Memory: 4 KiB for each 128
 * MiB of memory that has a folio of theirs, while the walk lasts.
 *
 * Context: process context, sleeps; no lock held.
 * Return: 0, -EOPNOTSUPP (@cgroup has no memory controller of its own),
 * -ENOMEM, -EINTR, or what @ops returned.
 */
int pcinspect_lists_walk(struct cgroup *cgroup,
			 const struct pcinspect_lists_ops *ops, void *arg,
			 struct pcinspect_lists *stats, u64 *changed)
{
	struct mem_cgroup *root = pcinspect_lru_root();
	struct cgroup_subsys_state *css = NULL;
	struct lists_walk *walk;
	int err = -EOPNOTSUPP;

	walk = kvzalloc(sizeof(*walk), GFP_KERNEL);
	if (!walk)
		return -ENOMEM;
	walk->ops = ops;
	walk->arg = arg;
	walk->stats = stats;
	xa_init(&walk->seen);
	walk->chunk_key = ULONG_MAX;
	if (cgroup && mem_cgroup_disabled())
		goto out;
	if (cgroup) {
		css = cgroup_get_e_css(cgroup, &memory_cgrp_subsys);
		root = mem_cgroup_from_css(css);
		/* Its parent's, when the controller is not enabled for it. */
		if (css->cgroup != cgroup)
			goto out;
	}
	err = lists_walk_all(walk, root, false);
	if (changed)
		*changed = walk->changed;
	stats->time_ns = ktime_get_ns();
out:
	if (css)
		css_put(css);
	lists_free_seen(walk);
	kvfree(walk);
	return err;
}

/**
 * pcinspect_lists_count() - what the kernel counts on the lists of all cgroups
 * @ops: its cgroup() only
 * @arg: for @ops
 *
 * Context: process context, sleeps. Return: 0, -ENOMEM, or what @ops returned.
 */
int pcinspect_lists_count(const struct pcinspect_lists_ops *ops, void *arg)
{
	struct lists_walk *walk = kvzalloc(sizeof(*walk), GFP_KERNEL);
	int err;

	if (!walk)
		return -ENOMEM;
	walk->ops = ops;
	walk->arg = arg;
	err = lists_walk_all(walk, pcinspect_lru_root(), true);
	kvfree(walk);
	return err;
}
