/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * numbers.h - the numbers of a file, and their names.
 *
 * Why: module, command line, plugin and man pages speak of the same numbers. Each
 * is one row of numbers_table.h; each word of an enum, and each bound of the ages,
 * is once in here. Plain C, of no use of kernel or C library.
 */
#ifndef _PCINSPECT_NUMBERS_H
#define _PCINSPECT_NUMBERS_H

/* enum pcinspect_number - every number of a file; only ever added to at the end */
enum pcinspect_number {
#define NUMBER(id, ...) PCINSPECT_##id,
#include "numbers_table.h"
#undef NUMBER
	PCINSPECT_NR_NUMBERS,
	/* From here on they are a ledger's. */
	PCINSPECT_FIRST_OF_LEDGER = PCINSPECT_DEMANDED_BYTES,
};

/* enum pcinspect_unit - what a number counts */
enum pcinspect_unit {
	PCINSPECT_UNIT_PAGES,
	PCINSPECT_UNIT_BYTES,
	PCINSPECT_UNIT_EVENTS,
	PCINSPECT_UNIT_MS,
	PCINSPECT_UNIT_NS,
};

#define PCINSPECT_UNIT_WORDS "pages", "bytes", "events", "ms", "ns"

/* enum pcinspect_class - what a number is worth */
enum pcinspect_class {
	PCINSPECT_CLASS_EXACT,		/* a test holds it against another's count */
	PCINSPECT_CLASS_BOUNDED,	/* off to one side only */
	PCINSPECT_CLASS_INFERRED,
	PCINSPECT_CLASS_SAMPLED,
};

#define PCINSPECT_CLASS_WORDS "exact", "bounded", "inferred", "sampled"

/*
 * Enums with their words. M() has the rows but the last, which L() has: lists of
 * trace events want no comma behind it (as in include/trace/events/writeback.h).
 */

/* Why pages were inserted. */
#define PCINSPECT_CAUSES(M, L)                                                 \
	M(PCINSPECT_CAUSE_SYNC, "sync")       /* a read or fault missed */     \
	M(PCINSPECT_CAUSE_ASYNC, "async")     /* a read met the marker */      \
	M(PCINSPECT_CAUSE_AROUND, "around")   /* mmap read-around of a fault */\
	M(PCINSPECT_CAUSE_FORCED, "forced")   /* fadvise, madvise, readahead */\
	M(PCINSPECT_CAUSE_WRITE, "write")     /* a buffered write */           \
	L(PCINSPECT_CAUSE_OTHER, "other")     /* single pages, all else */

/* Each as one letter, where there is no room for words. */
#define PCINSPECT_CAUSE_LETTERS "sarfwo"

/* Why pages left. */
#define PCINSPECT_REMOVALS(M, L)                                               \
	M(PCINSPECT_REMOVAL_RECLAIM, "reclaim")                                \
	M(PCINSPECT_REMOVAL_TRUNCATE, "truncate")                              \
	M(PCINSPECT_REMOVAL_INVALIDATE, "invalidate")                          \
	M(PCINSPECT_REMOVAL_EVICT, "evict")   /* the inode itself went */      \
	M(PCINSPECT_REMOVAL_TRIM, "trim")     /* readahead took it back */     \
	L(PCINSPECT_REMOVAL_OTHER, "other")

/* The operation of a task when it removed pages. */
#define PCINSPECT_REMOVER_OPS(M, L)                                            \
	M(PCINSPECT_REMOVER_OTHER, "other")                                    \
	M(PCINSPECT_REMOVER_TRUNCATE, "truncate")                              \
	M(PCINSPECT_REMOVER_FADVISE, "fadvise")                                \
	M(PCINSPECT_REMOVER_DROP_CACHES, "drop_caches")                        \
	L(PCINSPECT_REMOVER_DIRECT, "direct") /* direct I/O */

/* Why pages were handed to writeback. */
#define PCINSPECT_REASONS(M, L)                                                \
	M(PCINSPECT_REASON_BACKGROUND, "background") /* over the threshold */  \
	M(PCINSPECT_REASON_PERIODIC, "periodic") /* dirty_expire_centisecs */  \
	M(PCINSPECT_REASON_SYNC, "sync")      /* sync, syncfs, unmount */      \
	M(PCINSPECT_REASON_FSYNC, "fsync")    /* and the like */               \
	M(PCINSPECT_REASON_FADVISE, "fadvise")                                 \
	M(PCINSPECT_REASON_DIRECT, "direct")  /* direct I/O on that range */   \
	M(PCINSPECT_REASON_RECLAIM, "reclaim")                                 \
	M(PCINSPECT_REASON_FLUSHER, "flusher") /* for a reason not seen */     \
	L(PCINSPECT_REASON_OTHER, "other")

/* The owner of the limit that made a task wait. */
#define PCINSPECT_LIMITS(M, L)                                                 \
	M(PCINSPECT_LIMIT_UNKNOWN, "unknown") /* see the thresholds */         \
	M(PCINSPECT_LIMIT_CGROUP, "cgroup")                                    \
	M(PCINSPECT_LIMIT_GLOBAL, "global")                                    \
	L(PCINSPECT_LIMIT_DEVICE, "device")

/* Which system call an fsync was like. */
#define PCINSPECT_FSYNC_KINDS(M, L)                                            \
	M(PCINSPECT_FSYNC_KIND_FSYNC, "fsync")                                 \
	M(PCINSPECT_FSYNC_KIND_FDATASYNC, "fdatasync")  /* and O_DSYNC */      \
	L(PCINSPECT_FSYNC_KIND_RANGE, "sync_file_range")

#define PCINSPECT_ENUM_ROW(id, word) id,
#define PCINSPECT_WORD_ROW(id, word) word,

/*
 * enum pcinspect_NAME of a list, and pcinspect_NAME_word() from a value to its
 * word: "?" for one of a newer module.
 */
#define PCINSPECT_ENUM(name, LIST, NR)                                         \
	enum pcinspect_##name {                                                \
		LIST(PCINSPECT_ENUM_ROW, PCINSPECT_ENUM_ROW)                   \
		NR                                                             \
	};                                                                     \
	static inline const char *pcinspect_##name##_word(unsigned int value)  \
	{                                                                      \
		static const char *const words[] = {                           \
			LIST(PCINSPECT_WORD_ROW, PCINSPECT_WORD_ROW)           \
		};                                                             \
		return value < NR ? words[value] : "?";                        \
	}

PCINSPECT_ENUM(cause, PCINSPECT_CAUSES, PCINSPECT_NR_CAUSES)
PCINSPECT_ENUM(removal, PCINSPECT_REMOVALS, PCINSPECT_NR_REMOVALS)
PCINSPECT_ENUM(remover_op, PCINSPECT_REMOVER_OPS, PCINSPECT_NR_REMOVER_OPS)
PCINSPECT_ENUM(reason, PCINSPECT_REASONS, PCINSPECT_NR_REASONS)
PCINSPECT_ENUM(limit, PCINSPECT_LIMITS, PCINSPECT_NR_LIMITS)
PCINSPECT_ENUM(fsync_kind, PCINSPECT_FSYNC_KINDS, PCINSPECT_NR_FSYNC_KINDS)

/*
 * The numbers of a readahead window, once: its member in struct pcinspect_window, which
 * is its key in JSON; its name in debugfs; its heading in tables; the larger the last,
 * the sooner that column goes for want of room.
 */
#define PCINSPECT_WINDOW_NUMBERS(M)                                            \
	M(requested_pages, "requested", "REQUESTED", 0)                        \
	M(planned_pages, "planned", "PLANNED", 5)                              \
	M(async_pages, "async", "ASYNC", 6)                                    \
	M(inserted_pages, "inserted", "INSERTED", 0)                           \
	M(expanded_pages, "expanded", "EXPANDED", 3)                           \
	M(order, "order", "ORDER", 7)                                          \
	M(ra_pages, "ra_pages", "RA_PAGES", 8)

/* Buckets of ages: upper bounds; the last has none. */
#define PCINSPECT_NR_AGES (PCINSPECT_LE_INF_MS - PCINSPECT_LE_10_MS + 1)
static const int pcinspect_age_bounds_ms[PCINSPECT_NR_AGES] = {
	10, 100, 500, 1000, 2000, 5000, 10000, 30000, 60000, 0,
};

/*
 * Numbers that an enum tells apart follow one another in its order. One that is
 * added to the enum later has its number at the end of the table, and a case of
 * its own here.
 */
static inline enum pcinspect_number pcinspect_inserted(enum pcinspect_cause cause)
{
	return PCINSPECT_INSERTED_SYNC + cause;
}

static inline enum pcinspect_number pcinspect_removed(enum pcinspect_removal removal)
{
	return PCINSPECT_REMOVED_RECLAIM + removal;
}

static inline enum pcinspect_number pcinspect_by_reason(enum pcinspect_reason reason)
{
	return PCINSPECT_BY_BACKGROUND + reason;
}

static inline enum pcinspect_number pcinspect_throttled_by(enum pcinspect_limit limit)
{
	return PCINSPECT_THROTTLED_UNKNOWN_NS + limit;
}

_Static_assert(PCINSPECT_INSERTED_OTHER - PCINSPECT_INSERTED_SYNC == PCINSPECT_CAUSE_OTHER &&
	       PCINSPECT_REMOVED_OTHER - PCINSPECT_REMOVED_RECLAIM == PCINSPECT_REMOVAL_OTHER &&
	       PCINSPECT_BY_OTHER - PCINSPECT_BY_BACKGROUND == PCINSPECT_REASON_OTHER &&
	       PCINSPECT_THROTTLED_DEVICE_NS - PCINSPECT_THROTTLED_UNKNOWN_NS ==
	       PCINSPECT_LIMIT_DEVICE, "an enum has a value without a number");

#endif /* _PCINSPECT_NUMBERS_H */
