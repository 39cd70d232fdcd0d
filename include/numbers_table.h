/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * numbers_table.h - every number of a file, once.
 *
 * Included by those who say what a row becomes: enum pcinspect_number
 * (numbers.h), the columns of debugfs, of tables and of JSON. Rows are added at
 * the end only: their order is what crosses to user space and is kept in
 * recordings. A row has:
 *
 *	its name in the enum and, in small letters, in debugfs;
 *	the heading of its column in tables, NULL: it has none;
 *	its unit: PAGES, BYTES, EVENTS, MS, NS;
 *	what it is worth: EXACT; BOUNDED, it can only be off to one side, as its
 *	help or docs/numbers.md says; INFERRED; SAMPLED;
 *	the debugfs files that have it: INODES (inodes and inode/N/lru), LRU
 *	(inode/N/lru alone), READS, DIRTY, INODES_DIRTY, or NOWHERE;
 *	where JSON has it, below a file, perhaps twice, NULL: nowhere;
 *	without which it is unknown (PCINSPECT_NEEDS_*);
 *	what it is.
 */

/* Counted by the walk of its pages. */
NUMBER(CACHED, "cached", "CACHED", PAGES, EXACT, INODES, "pages.cached", WALK,
	"pages in the page cache")
NUMBER(ACTIVE, "active", "ACTIVE", PAGES, EXACT, INODES, "pages.active", WALK,
	"on the active list, or in the two youngest generations")
NUMBER(INACTIVE, "inactive", "INACTIVE", PAGES, EXACT, INODES, "pages.inactive", WALK,
	"on the inactive list, or in an older generation")
NUMBER(UNEVICTABLE, "unevictable", "UNEVICTABLE", PAGES, EXACT, INODES, "pages.unevictable", WALK,
	"locked in memory")
NUMBER(OFF_LRU, "off_lru", "OFF_LRU", PAGES, EXACT, INODES, "pages.off_lru", WALK,
	"in a per-CPU batch or isolated")
NUMBER(DIRTY, "dirty", "DIRTY", PAGES, EXACT, INODES_DIRTY, "pages.dirty dirty.pages", WRITEBACK,
	"dirty, whole folios")
NUMBER(WRITEBACK, "writeback", "WRITEBACK", PAGES, EXACT, INODES, "pages.writeback", WRITEBACK,
	"under writeback, whole folios")
NUMBER(MAPPED, "mapped", "MAPPED", PAGES, EXACT, INODES, "pages.mapped", WALK,
	"whole folios with a mapping")
NUMBER(REFERENCED, "referenced", "REFERENCED", PAGES, EXACT, INODES, "pages.referenced", WALK,
	"accessed by fd")
NUMBER(WORKINGSET, "workingset", "WORKINGSET", PAGES, EXACT, INODES, "pages.workingset", WALK,
	"flag PG_workingset")
NUMBER(EVICTED, "evicted", "EVICTED", PAGES, EXACT, INODES, "pages.evicted", SHADOWS,
	"reclaimed since the inode was loaded")
NUMBER(GEN0, "gen0", "GEN0", PAGES, EXACT, INODES, "lru_generations[0].pages", GENERATIONS,
	"youngest MGLRU generation")
NUMBER(GEN1, "gen1", "GEN1", PAGES, EXACT, INODES, "lru_generations[1].pages", GENERATIONS,
	"second youngest")
NUMBER(GEN2, "gen2", "GEN2", PAGES, EXACT, INODES, "lru_generations[2].pages", GENERATIONS,
	"third youngest")
NUMBER(GEN3, "gen3", "GEN3", PAGES, EXACT, INODES, "lru_generations[3].pages", GENERATIONS,
	"oldest")
NUMBER(INSERTED, "inserted", "INSERTED", PAGES, EXACT, INODES, "record.inserted_pages", RECORD,
	"inserted since the record began")
NUMBER(REMOVED, "removed", "REMOVED", PAGES, EXACT, INODES, "record.removed_pages", RECORD,
	"removed since the record began")
NUMBER(NRPAGES, "nrpages", NULL, PAGES, EXACT, LRU, "pages.nrpages", WALK,
	"the mapping's own count, read after the walk")
NUMBER(NRPAGES_BEFORE, "nrpages_before", NULL, PAGES, EXACT, LRU, "pages.nrpages_before", WALK,
	"the same, before it")
NUMBER(MOVED_PAGES, "moved_pages", NULL, PAGES, EXACT, LRU, "pages.moved_pages", WALK,
	"inserted or removed during the walk, if there is a record")
NUMBER(CLASSIC, "classic", NULL, PAGES, EXACT, NOWHERE, NULL, WALK,
	"on a classic active or inactive list")
NUMBER(MGLRU, "mglru", NULL, PAGES, EXACT, NOWHERE, NULL, WALK,
	"in some generation")
NUMBER(OLDEST_MS, "oldest_ms", "OLDEST", MS, EXACT, DIRTY, "dirty.oldest_ms", OLDEST,
	"age of the oldest dirty page, seconds")
NUMBER(UNKNOWN_AGE_PAGES, "unknown_age_pages", "UNKNOWN_AGE", PAGES, EXACT, DIRTY,
	"dirty.unknown_age_pages", AGES, "dirty pages of unknown age")
NUMBER(LE_10_MS, "le_10_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[0].pages", AGES,
	"dirty for at most 10 ms")
NUMBER(LE_100_MS, "le_100_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[1].pages", AGES,
	"for at most 100 ms, and longer than that")
NUMBER(LE_500_MS, "le_500_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[2].pages", AGES,
	"for at most 500 ms")
NUMBER(LE_1000_MS, "le_1000_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[3].pages", AGES,
	"for at most 1 s")
NUMBER(LE_2000_MS, "le_2000_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[4].pages", AGES,
	"for at most 2 s")
NUMBER(LE_5000_MS, "le_5000_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[5].pages", AGES,
	"for at most 5 s")
NUMBER(LE_10000_MS, "le_10000_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[6].pages", AGES,
	"for at most 10 s")
NUMBER(LE_30000_MS, "le_30000_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[7].pages", AGES,
	"for at most 30 s")
NUMBER(LE_60000_MS, "le_60000_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[8].pages", AGES,
	"for at most 60 s")
NUMBER(LE_INF_MS, "le_inf_ms", NULL, PAGES, EXACT, DIRTY, "dirty.ages[9].pages", AGES,
	"for longer")
NUMBER(INODE_AGE_MS, "inode_age_ms", NULL, MS, BOUNDED, NOWHERE, "dirty.inode_age_ms", INODE_AGE,
	"age by the inode's own time, which a requeue resets")

/* Counted by the hooks: the ledger. */
NUMBER(DEMANDED_BYTES, "demanded_bytes", "DEMANDED", BYTES, EXACT, READS,
	"reads.demanded_bytes", LEDGER, "bytes asked for by read(2)-like calls")
NUMBER(DEVICE_BYTES, "device_bytes", "DEVICE", BYTES, EXACT, READS,
	"reads.device_bytes", DEVICE, "bytes read from the device for it")
NUMBER(FAULTS, "faults", "FAULTS", EVENTS, EXACT, READS,
	"reads.faults", LEDGER, "page faults that had to look in the cache")
NUMBER(INSERTED_SYNC, "inserted_sync", "SYNC", PAGES, EXACT, READS,
	"reads.inserted.sync", LEDGER, "inserted after a miss")
NUMBER(INSERTED_ASYNC, "inserted_async", "ASYNC", PAGES, EXACT, READS,
	"reads.inserted.async", LEDGER, "inserted at a readahead marker")
NUMBER(INSERTED_AROUND, "inserted_around", "AROUND", PAGES, EXACT, READS,
	"reads.inserted.around", LEDGER, "inserted by mmap read-around")
NUMBER(INSERTED_FORCED, "inserted_forced", "FORCED", PAGES, EXACT, READS,
	"reads.inserted.forced", LEDGER, "inserted by fadvise, madvise, readahead")
NUMBER(INSERTED_WRITE, "inserted_write", "WRITE", PAGES, EXACT, READS,
	"reads.inserted.write", COUNTED_INSERTED, "inserted by buffered writes")
NUMBER(INSERTED_OTHER, "inserted_other", "OTHER", PAGES, EXACT, READS,
	"reads.inserted.other", LEDGER, "inserted otherwise; single pages without readahead")
NUMBER(EXPANDED_PAGES, "expanded_pages", "EXPANDED", PAGES, EXACT, READS,
	"reads.expanded_pages", LEDGER, "inserted by the filesystem on top of windows")
NUMBER(HOLE_PAGES, "hole_pages", "HOLE", PAGES, EXACT, READS,
	"reads.hole_pages", HOLES, "inserted by reads and filled without I/O")
NUMBER(REFAULT_PAGES, "refault_pages", "REFAULT", PAGES, EXACT, READS,
	"reads.refault_pages", LEDGER, "inserted again after an eviction")
NUMBER(WASTED_PAGES, "wasted_pages", "WASTED", PAGES, BOUNDED, READS,
	"reads.wasted_pages", LEDGER, "brought in by readahead, removed unused")
NUMBER(UNUSED_UNKNOWN_PAGES, "unused_unknown_pages", "UNKNOWN", PAGES, EXACT, READS,
	"reads.unused_unknown_pages", LEDGER, "brought in by readahead, use unobservable")
NUMBER(REMOVED_RECLAIM, "removed_reclaim", "RECLAIM", PAGES, EXACT, READS,
	"reads.removed.reclaim", LEDGER, "removed by reclaim")
NUMBER(REMOVED_TRUNCATE, "removed_truncate", "TRUNCATE", PAGES, EXACT, READS,
	"reads.removed.truncate", LEDGER, "removed by truncation")
NUMBER(REMOVED_INVALIDATE, "removed_invalidate", "INVALIDATE", PAGES, EXACT, READS,
	"reads.removed.invalidate", LEDGER, "removed by fadvise, drop_caches, direct I/O")
NUMBER(REMOVED_EVICT, "removed_evict", "EVICT", PAGES, EXACT, READS,
	"reads.removed.evict", LEDGER, "removed with the inode")
NUMBER(REMOVED_TRIM, "removed_trim", "TRIM", PAGES, EXACT, READS,
	"reads.removed.trim", LEDGER, "taken back by readahead")
NUMBER(REMOVED_OTHER, "removed_other", "REMOVED_OTHER", PAGES, EXACT, READS,
	"reads.removed.other", LEDGER, "removed otherwise")
NUMBER(DIRECT_READ_BYTES, "direct_read_bytes", "DIRECT_READ", BYTES, EXACT, READS,
	"direct.read_bytes", DEVICE, "bytes read past the cache")
NUMBER(DIRECT_WRITE_BYTES, "direct_write_bytes", "DIRECT_WRITE", BYTES, EXACT, READS,
	"direct.write_bytes", DEVICE, "bytes written past the cache")
NUMBER(DIRECT_FLUSHED_PAGES, "direct_flushed_pages", "FLUSHED", PAGES, EXACT, READS,
	"direct.flushed_pages", DEVICE, "written back because of direct I/O")
NUMBER(DIRECT_INVALIDATED_PAGES, "direct_invalidated_pages", "INVALIDATED", PAGES, EXACT, READS,
	"direct.invalidated_pages", DEVICE, "removed because of direct I/O")
NUMBER(WRITTEN_PAGES, "written_pages", "WRITTEN", PAGES, EXACT, DIRTY,
	"dirty.written_pages writeback.written_pages", WRITES, "pages handed to writeback")
NUMBER(WRITTEN_UNKNOWN_AGE_PAGES, "written_unknown_age_pages", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_unknown_age_pages", WRITES, "of those, of unknown age")
NUMBER(WRITTEN_LE_10_MS, "written_le_10_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[0].pages", WRITES, "of those, dirty for at most 10 ms")
NUMBER(WRITTEN_LE_100_MS, "written_le_100_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[1].pages", WRITES, "for at most 100 ms, and longer than that")
NUMBER(WRITTEN_LE_500_MS, "written_le_500_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[2].pages", WRITES, "for at most 500 ms")
NUMBER(WRITTEN_LE_1000_MS, "written_le_1000_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[3].pages", WRITES, "for at most 1 s")
NUMBER(WRITTEN_LE_2000_MS, "written_le_2000_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[4].pages", WRITES, "for at most 2 s")
NUMBER(WRITTEN_LE_5000_MS, "written_le_5000_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[5].pages", WRITES, "for at most 5 s")
NUMBER(WRITTEN_LE_10000_MS, "written_le_10000_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[6].pages", WRITES, "for at most 10 s")
NUMBER(WRITTEN_LE_30000_MS, "written_le_30000_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[7].pages", WRITES, "for at most 30 s")
NUMBER(WRITTEN_LE_60000_MS, "written_le_60000_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[8].pages", WRITES, "for at most 60 s")
NUMBER(WRITTEN_LE_INF_MS, "written_le_inf_ms", NULL, PAGES, EXACT, DIRTY,
	"dirty.written_ages[9].pages", WRITES, "for longer")
NUMBER(WRITE_BYTES, "write_bytes", "WRITE_BYTES", BYTES, EXACT, DIRTY,
	"writeback.write_bytes", COUNTED_WRITES, "bytes written through the cache")
NUMBER(DEVICE_WRITE_BYTES, "device_write_bytes", "DEVICE_WRITE", BYTES, EXACT, DIRTY,
	"writeback.device_write_bytes", WRITE_DEVICE, "bytes written to the device for it")
NUMBER(DIRTIED_PAGES, "dirtied_pages", "DIRTIED", PAGES, EXACT, DIRTY,
	"writeback.dirtied_pages", WRITES, "pages made dirty, whole folios")
NUMBER(DIRTIED_LARGE_PAGES, "dirtied_large_pages", NULL, PAGES, EXACT, DIRTY,
	"writeback.dirtied_large_pages", WRITES, "of those, in folios of more than one page")
NUMBER(REDIRTIED_PAGES, "redirtied_pages", "REDIRTIED", PAGES, EXACT, DIRTY,
	"writeback.redirtied_pages", WRITES, "made dirty while under writeback")
NUMBER(BY_BACKGROUND, "by_background", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.background", WRITES, "written back over the background threshold")
NUMBER(BY_PERIODIC, "by_periodic", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.periodic", WRITES, "older than dirty_expire_centisecs")
NUMBER(BY_SYNC, "by_sync", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.sync", WRITES, "for sync(2), syncfs(2), unmount")
NUMBER(BY_FSYNC, "by_fsync", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.fsync", WRITES, "for fsync(2) and the like")
NUMBER(BY_FADVISE, "by_fadvise", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.fadvise", WRITES, "for fadvise")
NUMBER(BY_DIRECT, "by_direct", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.direct", DIRECT_WRITES, "for direct I/O on the same range")
NUMBER(BY_RECLAIM, "by_reclaim", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.reclaim", WRITES, "by reclaim")
NUMBER(BY_FLUSHER, "by_flusher", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.flusher", WRITES, "by the flusher, for a reason not seen")
NUMBER(BY_OTHER, "by_other", NULL, PAGES, EXACT, DIRTY,
	"writeback.reasons.other", WRITES, "otherwise")
NUMBER(ENDED_PAGES, "ended_pages", NULL, PAGES, EXACT, DIRTY,
	"writeback.ended_pages", WRITE_TIME, "whose writeback has ended")
NUMBER(WRITEBACK_NS, "writeback_ns", NULL, NS, EXACT, DIRTY,
	"writeback.writeback_ns", WRITE_TIME, "time under writeback, summed over pages, until now")
NUMBER(THROTTLES, "throttles", NULL, EVENTS, EXACT, DIRTY,
	"writeback.throttled.pauses", THROTTLED, "sleeps of writers in balance_dirty_pages()")
NUMBER(THROTTLED_UNKNOWN_NS, "throttled_unknown_ns", NULL, NS, EXACT, DIRTY,
	"writeback.throttled.unknown_ns", THROTTLED, "their time, cgroup or global limit")
NUMBER(THROTTLED_CGROUP_NS, "throttled_cgroup_ns", NULL, NS, EXACT, DIRTY,
	"writeback.throttled.cgroup_ns", THROTTLED, "by a cgroup's")
NUMBER(THROTTLED_GLOBAL_NS, "throttled_global_ns", NULL, NS, EXACT, DIRTY,
	"writeback.throttled.global_ns", THROTTLED, "by the global one")
NUMBER(THROTTLED_DEVICE_NS, "throttled_device_ns", NULL, NS, EXACT, DIRTY,
	"writeback.throttled.device_ns", THROTTLED, "by the device's")
NUMBER(MAPPED_DIRTIED_PAGES, "mapped_dirtied_pages", NULL, PAGES, EXACT, DIRTY,
	"writeback.mapped_dirtied_pages", WRITES, "made dirty by stores to mappings")
NUMBER(FSYNCS_TOTAL, "fsyncs_total", NULL, EVENTS, EXACT, NOWHERE,
	"fsync.calls_total", FSYNC, "fsync calls, kept or not")
NUMBER(WINDOWS_TOTAL, "windows_total", NULL, EVENTS, EXACT, NOWHERE,
	"readahead.windows_total", LEDGER, "readahead windows, kept or not")
NUMBER(WINDOWS_DROPPED, "windows_dropped", NULL, EVENTS, EXACT, NOWHERE,
	"readahead.windows_dropped", LEDGER, "of those, no longer kept")
NUMBER(THRESH_MIN_PAGES, "thresh_min_pages", NULL, PAGES, EXACT, NOWHERE, NULL, THROTTLED,
	"smallest threshold of sleeps by an unknown limit")
NUMBER(THRESH_MAX_PAGES, "thresh_max_pages", NULL, PAGES, EXACT, NOWHERE, NULL, THROTTLED,
	"largest")
NUMBER(LEDGER_BASE_PAGES, "ledger_base_pages", NULL, PAGES, EXACT, NOWHERE, NULL, LEDGER,
	"cached pages when the ledger began")
NUMBER(LEDGER_CACHED_PAGES, "ledger_cached_pages", NULL, PAGES, EXACT, NOWHERE, NULL, LEDGER,
	"cached pages at the moment of its numbers (nrpages)")
NUMBER(LEDGER_COUNTED_PAGES, "ledger_counted_pages", NULL, PAGES, EXACT, NOWHERE, NULL, LEDGER,
	"inserted since it began, counted apart from its causes")
NUMBER(LEDGER_MOVED_PAGES, "ledger_moved_pages", NULL, PAGES, EXACT, NOWHERE, NULL, LEDGER,
	"came and went while such a moment was sought; 0: it was found")
NUMBER(UNPROTECTED_FAULTS, "unprotected_faults", NULL, EVENTS, EXACT, READS,
	"reads.unprotected_faults", LEDGER,
	"of the faults, through mappings whose use reclaim does not count")
NUMBER(UNCOUNTED_WRITE_PAGES, "uncounted_write_pages", NULL, PAGES, BOUNDED, NOWHERE, NULL, WRITES,
	"made dirty by calls that write, outside of the functions whose writes are counted")
