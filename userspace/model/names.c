// SPDX-License-Identifier: GPL-2.0
/*
 * names.c - the words for what the module says in numbers. Touches memory only.
 */
#include "model/names.h"

const int age_bounds_ms[PCINSPECT_NR_AGES] = {
	10, 100, 500, 1000, 2000, 5000, 10000, 30000, 60000, 0,
};

#define WORD(words, i) ((i) < sizeof(words) / sizeof(*(words)) ? (words)[i] : "?")

/* Why pages were inserted: enum pcinspect_cause. */
const char *cause_name(unsigned int cause)
{
	static const char *const words[PCINSPECT_NR_CAUSES] = {
		"sync", "async", "around", "forced", "write", "other",
	};

	return WORD(words, cause);
}

/* Why pages left: enum pcinspect_removal. */
const char *removal_name(unsigned int removal)
{
	static const char *const words[PCINSPECT_NR_REMOVALS] = {
		"reclaim", "truncate", "invalidate", "evict", "trim", "other",
	};

	return WORD(words, removal);
}

/* What a task was doing when it removed pages: enum pcinspect_how. */
const char *remover_op_name(unsigned int op)
{
	static const char *const words[PCINSPECT_NR_HOWS] = {
		"other", "truncate", "fadvise", "drop_caches", "direct",
	};

	return WORD(words, op);
}

/* Why pages were written back: enum pcinspect_reason. */
const char *reason_name(unsigned int reason)
{
	static const char *const words[PCINSPECT_NR_REASONS] = {
		"background", "periodic", "sync", "fsync", "fadvise", "direct",
		"reclaim", "flusher", "other",
	};

	return WORD(words, reason);
}

/* Which system call an fsync-like call was. */
const char *fsync_name(const struct pcinspect_fsync *call)
{
	return call->flags & PCINSPECT_FSYNC_RANGE ? "sync_file_range" :
	       call->flags & PCINSPECT_FSYNC_DATASYNC ? "fdatasync" : "fsync";
}
