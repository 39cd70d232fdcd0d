/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lists.h - walking the LRU lists of memory cgroups in the order of reclaim.
 */
#ifndef PCINSPECT_LISTS_H
#define PCINSPECT_LISTS_H

#include <linux/fs.h>
#include <linux/types.h>
#include "uapi/pcinspect.h"
#include "walk/tiers.h"

struct cgroup;
struct cgroup_subsys_state;

/* Folios looked at in one hold of lruvec->lru_lock: below 4,500 instructions. */
#define PCINSPECT_LISTS_HOLD 24
/*
 * And none more when they have so many pages: whether a large folio is mapped,
 * 6.1 finds by looking at each of its pages (folio_mapped(), mm/util.c).
 */
#define PCINSPECT_LISTS_HOLD_PAGES 512

/*
 * struct pcinspect_whose - whose a folio is, by value
 * @inode: to be compared, never followed; NULL: it is of no file
 * @sb: likewise
 * @type: likewise
 * @lazyfree: anonymous memory that may be dropped
 * @maybe_deleted: whether it has a name left is unknown
 */
struct pcinspect_whose {
	const struct inode *inode;
	const struct super_block *sb;
	const struct file_system_type *type;
	const struct module *owner;
	u64 ino;
	u64 size_bytes;
	u32 dev;
	u32 i_generation;
	u32 mode;
	u32 nlink;
	bool lazyfree;
	bool maybe_deleted;
	char fs[PCINSPECT_FS_LEN];
};

/*
 * struct pcinspect_kind - what many folios have in common
 * @age: of the generation that its own flags say, youngest 0; negative outside MGLRU
 * @gen: number of the generation whose list it is on; negative outside MGLRU
 * @own_gen: number of the generation that its own flags say
 * @tier: within its generation
 * @held: somebody has locked it, or has a reference; not known of mapped ones
 */
struct pcinspect_kind {
	s8 age;
	s8 gen;
	s8 own_gen;
	u8 zone;
	struct pcinspect_tier tier;
	bool active;
	bool dirty;
	bool writeback;
	bool mapped;
	bool held;
};

/*
 * struct pcinspect_met - folios that were met on a list, by value: one, or
 * neighbours that differ in nothing but their place
 * @whose: of it and its neighbours; gone when @met of the ops returns
 * @pages: of each
 * @folios: how many; each begins where the one before ends, if the order is
 *	asked for
 * @index: of the first
 */
struct pcinspect_met {
	const struct pcinspect_whose *whose;
	unsigned long pages;
	unsigned long folios;
	pgoff_t index;
	struct pcinspect_kind kind;
};

/*
 * struct pcinspect_lists_ops - what a walk does with what it meets
 * @cgroup: the lists of a cgroup have been walked; @of is NULL where there are
 *no memory cgroups
 * @list: a cgroup's lists of a node come next. Without it nobody asks for the
 * order, and index, gens, zone, writeback, held and tier of what is met are not set
 * @met: one or more folios; 0, or an error that ends the walk. All may sleep
 */
struct pcinspect_lists_ops {
	int (*cgroup)(void *arg, const struct pcinspect_list_cgroup *cgroup,
		      struct cgroup *of);
	int (*list)(void *arg, const struct pcinspect_next_list *list);
	int (*met)(void *arg, struct pcinspect_list_cgroup *cgroup,
		   const struct pcinspect_met *met);
};

int pcinspect_lists_walk(struct cgroup *cgroup,
			 const struct pcinspect_lists_ops *ops, void *arg,
			 struct pcinspect_lists *stats, u64 *changed);
u64 pcinspect_lists_longest_ns(void);
int pcinspect_lists_count(const struct pcinspect_lists_ops *ops, void *arg);
size_t pcinspect_lists_memory(void);

#endif /* PCINSPECT_LISTS_H */
