// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - memory of records: they are made for a live inode, and freed with
 * their ledger.
 *
 * May touch: its slab cache.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "kunit_visible.h"
#include "records/ledger.h"
#include "records/memory.h"
#include "records/record.h"

/* No cache line that is written holds what a probe reads for every page. */
static_assert(offsetof(struct pcinspect_record, inserted) >= SMP_CACHE_BYTES);

static struct pcinspect_cache record_cache;

/* A record to be, of a live inode; NULL without memory. */
struct pcinspect_record *pcinspect_record_alloc(struct inode *inode, gfp_t gfp)
{
	struct pcinspect_record *rec = pcinspect_cache_alloc(&record_cache, gfp);
	struct file_system_type *type = inode->i_sb->s_type;

	if (!rec)
		return NULL;
	rec->inode = inode;
	rec->sb = inode->i_sb;
	rec->ino = inode->i_ino;
	rec->generation = inode->i_generation;
	rec->dev = inode->i_sb->s_dev;
	rec->active = jiffies;
	rec->since_ns = ktime_get_ns();
	rec->type = type;
	rec->owner = type->owner;
	strscpy(rec->fs, type->name, sizeof(rec->fs));
	return rec;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_record_alloc);

/* Free a record that nobody can find any more, and its ledger. Context: any. */
void pcinspect_record_free(struct pcinspect_record *rec)
{
	pcinspect_ledger_free_later(rcu_dereference_protected(rec->ledger, true));
	pcinspect_cache_free(&record_cache, rec);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_record_free);

/* Context: process context, before any record is made. Return: 0, -ENOMEM. */
int pcinspect_record_cache_init(void)
{
	return pcinspect_cache_init(&record_cache, "pcinspect_record",
				    sizeof(struct pcinspect_record), true,
				    LONG_MAX);
}

/* All records are freed. Context: process context. */
void pcinspect_record_cache_exit(void)
{
	pcinspect_cache_exit(&record_cache);
}

/* Memory of all records, in bytes. */
size_t pcinspect_record_memory(void)
{
	return pcinspect_cache_memory(&record_cache);
}
