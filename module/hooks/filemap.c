// SPDX-License-Identifier: GPL-2.0-only
/*
 * filemap.c - probes on the kernel's "filemap" trace system.
 *
 * Why: pages entering and leaving the cache are what makes an inode worth a
 * record. Both events fire once per folio, so everything counts
 * folio_nr_pages().
 *
 * Context of both probes (measured on 6.1, 6.12, 7.2): add: task context, irqs
 * on, i_pages lock just dropped, preemptible on 7.2; delete: i_pages lock held,
 * irqs off. So: no sleeping, no lock but our leaf, preemption off by ourselves.
 *
 * Insertions of all files are noted by CPU: the pages of other files are
 * evicted because of them.
 *
 * May touch: records (track.h), through atomic counters; evictors.
 */
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/preempt.h>
#include <linux/tracepoint.h>
#include <trace/events/filemap.h>

#include "account/evictor.h"
#include "account/reads.h"
#include "hooks/table.h"
#include "records/scope.h"
#include "records/track.h"

/* One call, so that the probe itself has nothing to keep. */
static noinline void add_without_record(struct inode *inode,
					struct folio *folio, unsigned long nr)
{
	struct pcinspect_record *rec = NULL;

	if (pcinspect_track.automatic && !pcinspect_track_is_lost(inode)) {
		pcinspect_track_new(inode, nr);
		/* Another CPU may have tracked it just now. */
		rec = pcinspect_track_find(inode);
	}
	if (!pcinspect_scope_attached())
		return;
	if (pcinspect_scope_run() || pcinspect_record_ledger(rec))
		pcinspect_reads_inserted(rec, folio, nr);
	else
		pcinspect_evictor_filled(inode, nr);
}

/* Events of a tracked file are measured; likewise one call. */
static noinline void add_tracked(struct pcinspect_record *rec,
				 struct folio *folio, unsigned long nr)
{
	u64 began = pcinspect_meter_begin();

	pcinspect_reads_insert(rec, folio, nr);
	pcinspect_meter_end(began);
}

static noinline void delete_tracked(struct pcinspect_record *rec,
				    struct folio *folio, unsigned long nr)
{
	u64 began = pcinspect_meter_begin();

	pcinspect_reads_removed(rec, folio, nr);
	pcinspect_meter_end(began);
}

/*
 * Preemption off stands in for rcu_read_lock(): call_rcu() waits for it as
 * well, and where RCU is preemptible it saves two calls per page inserted. The
 * tracepoint itself promises neither on 7.2.
 */
static void probe_add(void *data, struct folio *folio)
{
	struct inode *inode = folio->mapping->host;
	unsigned int nr = folio_nr_pages(folio);
	struct pcinspect_record *rec;

	preempt_disable_notrace();
	rec = pcinspect_track_find(inode);
	if (likely(rec)) {
		atomic64_add(nr, &rec->inserted);
		WRITE_ONCE(rec->active, jiffies);
		if (pcinspect_scope_attached()) {
			if (rcu_access_pointer(rec->ledger) ||
			    unlikely(pcinspect_scope_run()))
				add_tracked(rec, folio, nr);
			else
				pcinspect_evictor_filled(inode, nr);
		}
	} else if (pcinspect_scope_attached() ||
		   (pcinspect_track.automatic &&
		    !pcinspect_track_is_lost(inode))) {
		add_without_record(inode, folio, nr);
	}
	preempt_enable_notrace();
}

static void probe_delete(void *data, struct folio *folio)
{
	struct inode *inode = folio->mapping->host;
	unsigned int nr = folio_nr_pages(folio);
	struct pcinspect_record *rec;

	preempt_disable_notrace();
	rec = pcinspect_track_find(inode);
	if (rec) {
		atomic64_add(nr, &rec->removed);
		WRITE_ONCE(rec->active, jiffies);
		/* None is made for what is going: memory may be short. */
		if (unlikely(pcinspect_scope_run()) &&
		    !rcu_access_pointer(rec->ledger))
			pcinspect_track_victim(rec, inode);
		if (pcinspect_scope_attached() && rcu_access_pointer(rec->ledger))
			delete_tracked(rec, folio, nr);
	}
	preempt_enable_notrace();
}

static void __maybe_unused hook_filemap_canary(void)
{
	HOOK_CANARY(mm_filemap_add_to_page_cache, probe_add);
	HOOK_CANARY(mm_filemap_delete_from_page_cache, probe_delete);
}

/* Attached while records are made, with or without ledgers. */
static struct pcinspect_hook hooks[] = {
	{
		.name = "mm_filemap_add_to_page_cache",
		.type = &pcinspect_hook_event,
		.probe = probe_add,
		.purpose = "automatic records, inserted_pages",
		.numbers = NUMBERS(ONE(INSERTED), INSERTED_BY_ALL,
				   ONE(HOLE_PAGES), WASTED_AND_UNKNOWN, WINDOWS,
				   ONE(EXPANDED_PAGES)),
	},
	{
		.name = "mm_filemap_delete_from_page_cache",
		.type = &pcinspect_hook_event,
		.probe = probe_delete,
		.purpose = "removed_pages",
		.numbers = NUMBERS(ONE(REMOVED), REMOVED_BY_ALL, AGES,
				   WRITTEN_AGES, WASTED_AND_UNKNOWN,
				   ONE(DIRECT_INVALIDATED_PAGES)),
	},
};

const struct pcinspect_hook_set pcinspect_hooks_filemap = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
};
