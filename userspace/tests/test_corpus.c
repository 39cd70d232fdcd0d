// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_corpus.c - the rules against what they must not say: situations as numbers, each
 * with the verdict that somebody who knows would give, half of them with none.
 *
 * A situation is one kind of file, so many times, beside what else there is. Verdicts
 * that are wrong, printed twice, or missing are counted; precision and recall are printed.
 */
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "test.h"

#define KB 1024ULL
#define MB (1024 * KB)
#define GB (1024 * MB)
#define MS 1000000ULL

/**
 * struct situation - files that are alike, and what is around them
 * @name: what it is
 * @want: the verdict, "": none
 * @files: how many, 0: one
 * @moved: bytes that the devices of the run moved, 0: it is no run
 * @run_ms: how long the run took
 * @limit: of their cgroup, which has been near it
 * @none_left: no page of the first file is cached
 * @stream: pages of each that went while another file was filled
 * @stream_others: no task of the run touched that file
 * @stream_inferred: kswapd did it
 * @stream_refaults: pages of that file that came back
 * @idle: pages of a file that was not touched; @idle_active, @idle_mapped: of them
 * @idle_used: it was
 * @idle_held: the report does not speak of it
 * The others are numbers of each file, or of each of its @calls of fsync.
 */
struct situation {
	const char *name, *want;
	unsigned int files;
	uint64_t moved, run_ms, limit;
	bool none_left;
	uint64_t stream, stream_refaults, idle, idle_active, idle_mapped;
	bool stream_others, stream_inferred, idle_used, idle_held;
	uint64_t size, cached, demanded, device, faults, unprotected, unknown;
	uint64_t sync, async, around, other, written_in, expanded, refaults, wasted, reclaimed, dropped;
	uint64_t direct, direct_written, flushed, invalidated;
	uint64_t write, device_write, dirtied, dirtied_large, mapped_dirtied, written, redirtied;
	uint64_t dirty, oldest_ms;
	bool off;
	uint64_t calls, call_ms, log_ms, data_ms, call_pages, requests, splits, log_requests;
	unsigned int call_flags;
	uint64_t own, others;
	uint64_t throttled_ms;
	int limited_by;
};

static const struct situation healthy[] = {
	{ "nothing at all", .size = MB },
	{ "read once from end to end", .size = GB, .cached = 200000, .demanded = GB, .device = GB,
	  .sync = 32, .async = 262112 },
	{ "the same, larger than memory", .size = 8 * GB, .cached = 200000, .demanded = 8 * GB,
	  .device = 8 * GB, .sync = 32, .async = 2097120, .reclaimed = 1900000, .moved = 8 * GB },
	{ "cached, read ten times", .size = 64 * MB, .cached = 16384, .demanded = 640 * MB },
	{ "first read of a thousand small files", .files = 1000, .size = 4 * KB, .cached = 1,
	  .demanded = 4 * KB, .device = 4 * KB, .sync = 1, .moved = 5 * MB },
	{ "small files in blocks of 64 KB, evicted by a stream", .files = 1000, .size = 4 * KB,
	  .demanded = 4 * KB, .device = 4 * KB, .sync = 16, .stream = 16, .reclaimed = 16,
	  .moved = 500 * MB },
	{ "overwritten again and again beside a stream", .size = 160 * MB, .cached = 40960,
	  .write = 480 * MB, .written_in = 122880, .stream = 81920, .reclaimed = 81920,
	  .moved = 960 * MB },
	{ "mapped, read from end to end", .size = 64 * MB, .cached = 16384, .device = 64 * MB,
	  .faults = 520, .around = 32, .async = 16352, .moved = 64 * MB },
	{ "mapped, at random, and it fits", .size = 64 * MB, .cached = 16384, .device = 64 * MB,
	  .faults = 600, .unknown = 15000, .around = 16384, .moved = 64 * MB },
	{ "mapped, MADV_RANDOM, under pressure", .size = 64 * MB, .cached = 4000,
	  .device = 80 * MB, .faults = 20480, .other = 20480, .refaults = 15000,
	  .reclaimed = 16000, .moved = 80 * MB, .limit = 16 * MB },
	{ "the same, and it fits", .size = 64 * MB, .cached = 16384, .device = 64 * MB,
	  .faults = 16384, .unprotected = 16384, .other = 16384, .moved = 64 * MB },
	{ "MADV_SEQUENTIAL, read once, larger than memory", .size = GB, .cached = 9000,
	  .device = GB, .faults = 1040, .unprotected = 1040, .sync = 16, .async = 262128,
	  .reclaimed = 250000, .moved = GB },
	{ "MADV_RANDOM, one in ten comes back", .size = GB, .cached = 9000, .device = 160 * MB,
	  .faults = 40960, .unprotected = 40960, .other = 40960, .refaults = 4000,
	  .reclaimed = 32000, .moved = 160 * MB },
	{ "MADV_SEQUENTIAL, read three times, larger than memory", .size = GB, .cached = 9000,
	  .device = 3 * GB, .faults = 3120, .unprotected = 3120, .sync = 48, .async = 786384,
	  .refaults = 500000, .reclaimed = 770000, .moved = 3 * GB },
	{ "MADV_RANDOM, the program drops it itself and reads it again", .size = 16 * MB,
	  .device = 96 * MB, .faults = 24576, .unprotected = 24576, .other = 24576,
	  .reclaimed = 300, .dropped = 24276, .moved = 96 * MB },
	{ "MADV_RANDOM, each page once, all evicted, no shadow entries", .size = 96 * MB,
	  .device = 96 * MB, .faults = 24576, .unprotected = 24576, .other = 24576,
	  .reclaimed = 24000, .moved = 96 * MB },
	{ "a few faults through such a mapping, most through another", .size = 64 * MB,
	  .cached = 4000, .device = 80 * MB, .faults = 20480, .unprotected = 4000,
	  .other = 20480, .refaults = 15000, .reclaimed = 16000, .moved = 80 * MB },
	{ "two hundred pages of it, in a run of 4 GB", .size = 64 * MB, .cached = 100,
	  .device = 2 * MB, .faults = 512, .unprotected = 512, .other = 512, .refaults = 400,
	  .reclaimed = 400, .moved = 4 * GB },
	{ "read-around that nothing evicts, three quarters of it used", .size = 64 * MB,
	  .cached = 4096, .device = 16 * MB, .faults = 128, .unknown = 2944, .around = 4096 },
	{ "40 MB of it, seven tenths used", .size = 64 * MB, .cached = 10240, .device = 40 * MB,
	  .faults = 448, .unknown = 6720, .around = 10240 },
	{ "9 MB of it, half used", .size = 64 * MB, .cached = 2304, .device = 9 * MB,
	  .faults = 72, .unknown = 1080, .around = 2304 },
	{ "7 MB of it, a twelfth used", .size = 64 * MB, .cached = 1792, .device = 7 * MB,
	  .faults = 56, .unknown = 90, .around = 1792 },
	{ "a program's libraries, in a run of 1 GB", .files = 20, .size = 2 * MB, .cached = 300,
	  .device = MB, .faults = 8, .unknown = 40, .around = 256, .moved = GB },
	{ "mapped and read, each page", .size = 64 * MB, .cached = 16384, .demanded = 60 * MB,
	  .device = 64 * MB, .faults = 600, .around = 10000, .sync = 6384, .moved = 64 * MB },
	{ "used, evicted, and not read again", .size = 64 * MB, .device = 16 * MB, .faults = 256,
	  .unknown = 3800, .around = 4096, .reclaimed = 4000 },
	{ "1 MB of read-around that comes back, in a run of 10 GB", .size = 8 * MB,
	  .device = MB, .faults = 64, .around = 2048, .refaults = 1500, .reclaimed = 1900,
	  .moved = 10 * GB },
	{ "a backup evicts what nobody asks for again", .size = 40 * MB, .stream = 10000,
	  .reclaimed = 10000, .moved = 800 * MB },
	{ "one of a thousand pages was asked for again", .size = 40 * MB, .demanded = 40 * KB,
	  .device = 40 * KB, .sync = 10, .refaults = 10, .stream = 10000, .reclaimed = 10000,
	  .moved = 800 * MB },
	{ "day 2 evicts day 1, which nobody asks for, and comes back itself", .size = 260 * MB,
	  .stream = 40000, .stream_refaults = 30000, .reclaimed = 40000, .moved = 700 * MB },
	{ "two sets that evict each other", .size = 260 * MB, .cached = 30000,
	  .demanded = 260 * MB, .device = 200 * MB, .async = 51200, .refaults = 50000,
	  .stream = 40000, .stream_refaults = 30000, .reclaimed = 40000, .moved = 700 * MB },
	{ "2 MB of a log evicted and read again, in a run of 4 GB", .size = 16 * MB,
	  .demanded = 2 * MB, .device = 2 * MB, .sync = 512, .refaults = 512, .stream = 512,
	  .reclaimed = 512, .moved = 4 * GB },
	{ "250 pages", .size = 16 * MB, .demanded = MB, .device = MB, .sync = 250,
	  .refaults = 250, .stream = 250, .reclaimed = 250 },
	{ "read twice, and it fits", .size = 64 * MB, .cached = 16384, .demanded = 128 * MB,
	  .device = 64 * MB, .async = 16384, .moved = 64 * MB },
	{ "read ten times, two in ten missed", .size = 64 * MB, .cached = 14000,
	  .demanded = 640 * MB, .device = 128 * MB, .async = 32768, .refaults = 16384,
	  .reclaimed = 18768, .moved = 128 * MB },
	{ "read twice with drop_caches between", .size = 64 * MB, .cached = 16384,
	  .demanded = 128 * MB, .device = 128 * MB, .async = 32768, .moved = 128 * MB },
	{ "idle file, and nobody misses memory", .size = 64 * MB, .cached = 16384,
	  .demanded = 64 * MB, .device = 64 * MB, .async = 16384, .idle = 20000,
	  .idle_active = 20000 },
	{ "idle file, a small one", .size = 64 * MB, .demanded = 64 * MB, .device = 64 * MB,
	  .async = 16384, .refaults = 16000, .idle = 400, .idle_active = 400 },
	{ "it is mapped: a use of it makes no event", .size = 64 * MB, .demanded = 64 * MB,
	  .device = 64 * MB, .async = 16384, .refaults = 16000, .idle = 16000,
	  .idle_active = 9000, .idle_mapped = 15900 },
	{ "it is large, and it is used", .size = 64 * MB, .demanded = 64 * MB,
	  .device = 64 * MB, .async = 16384, .refaults = 16000, .idle = 16000, .idle_active = 9000,
	  .idle_used = true },
	{ "idle, in time it would have gone", .size = 64 * MB, .cached = 12000,
	  .demanded = 8 * MB, .device = 8 * MB, .async = 2048, .refaults = 2000, .idle = 20000 },
	{ "a tenth of readahead unused", .size = GB, .demanded = 900 * MB, .device = GB,
	  .async = 262144, .wasted = 26000, .reclaimed = 262000, .moved = GB },
	{ "255 pages unused", .size = GB, .demanded = MB, .device = 2 * MB, .sync = 512,
	  .wasted = 255 },
	{ "unused from before", .size = GB, .sync = 300, .wasted = 40000 },
	{ "compressed extents, read whole", .size = 64 * MB, .cached = 16384, .demanded = 64 * MB,
	  .device = 30 * MB, .sync = 16384, .expanded = 12000, .moved = 30 * MB },
	{ "the same through a mapping, all of it used", .size = 64 * MB, .cached = 16384,
	  .device = 64 * MB, .faults = 1100, .unknown = 15200, .sync = 16384, .expanded = 12000,
	  .moved = 64 * MB },
	{ "expansion of one block", .size = MB, .cached = 32, .demanded = 64, .device = 128 * KB,
	  .sync = 32, .expanded = 31 },
	{ "direct I/O alone", .size = GB, .direct = GB, .moved = GB },
	{ "of a table whose head was read through the cache", .size = 20 * MB, .cached = 32,
	  .demanded = 64 * KB, .device = 128 * KB, .sync = 32, .direct = 12 * MB, .moved = 12 * MB },
	{ "direct reads of a cached file: nothing is removed or written", .size = 64 * MB,
	  .cached = 16384, .direct = 8 * MB, .moved = 8 * MB },
	{ "of a table that a backup has read through the cache", .size = 20 * MB, .cached = 5120,
	  .demanded = 20 * MB, .device = 20 * MB, .async = 5120, .direct = 12 * MB,
	  .moved = 32 * MB },
	{ "ten pages are removed by 100 MB of direct writes", .size = 100 * MB, .cached = 10,
	  .direct_written = 100 * MB, .invalidated = 10, .moved = 100 * MB },
	{ "8 MB direct on a cached file, in a run of 4 GB", .size = 64 * MB, .cached = 16384,
	  .direct = 8 * MB, .flushed = 2048, .device_write = 8 * MB, .moved = 4 * GB },
	{ "written, at ease", .size = GB, .write = GB, .device_write = GB, .dirtied = 262144,
	  .written = 262144, .throttled_ms = 50, .limited_by = PCINSPECT_LIMIT_GLOBAL,
	  .run_ms = 10000 },
	{ "1.5 s of pauses in a run of two minutes", .size = GB, .write = GB, .device_write = GB,
	  .throttled_ms = 1500, .limited_by = PCINSPECT_LIMIT_GLOBAL, .run_ms = 120000 },
	{ "dirty for 29 s", .size = MB, .dirty = 256, .oldest_ms = 29000 },
	{ "dirty for 35 s, the flusher's turn is next", .size = MB, .dirty = 256,
	  .oldest_ms = 35000 },
	{ "small overwrites, dirty blocks alone written", .size = 100 * MB, .write = 10 * MB,
	  .device_write = 10 * MB, .dirtied = 25600, .dirtied_large = 25600, .written = 25600 },
	{ "stores to a mapping: amplification unknown", .size = 100 * MB, .write = 100 * KB,
	  .device_write = 50 * MB, .dirtied = 12800, .dirtied_large = 12800,
	  .mapped_dirtied = 12000, .written = 12800 },
	{ "fsync of its own, waits for its data", .size = 100 * MB, .calls = 20, .call_ms = 20,
	  .data_ms = 15, .log_ms = 4, .call_pages = 400, .requests = 7, .own = 8000 },
	{ "0.13 s of 17 s for the log", .size = MB, .calls = 10, .call_ms = 14, .log_ms = 13,
	  .call_pages = 2, .requests = 2, .run_ms = 17000, .own = 20 },
	{ "three calls", .size = MB, .calls = 3, .call_ms = 30, .log_ms = 29, .call_pages = 2,
	  .requests = 2, .run_ms = 100, .own = 6 },
	{ "six splits", .size = MB, .calls = 6, .call_ms = 2, .data_ms = 2, .call_pages = 64,
	  .requests = 2, .splits = 1, .own = 400 },
	{ "two callers, each its own", .size = MB, .calls = 4, .call_ms = 2, .data_ms = 2,
	  .call_pages = 100, .requests = 2, .own = 300, .others = 100 },
};

static const struct situation ill[] = {
	{ "column files appended to through mappings", "mmap-read-around", .files = 400,
	  .size = 192 * KB, .cached = 10, .device = 2 * MB, .faults = 45, .around = 1300,
	  .refaults = 1200, .reclaimed = 1290, .moved = 900 * MB, .limit = 16 * MB },
	{ "the costliest has nothing left", "mmap-read-around", .files = 400, .none_left = true,
	  .size = 192 * KB, .cached = 10, .device = 2 * MB, .faults = 45, .around = 1300,
	  .refaults = 1200, .reclaimed = 1290, .moved = 900 * MB, .limit = 16 * MB },
	{ "64 KB in each of a thousand", "mmap-read-around", .files = 1000, .size = 8 * MB,
	  .cached = 3, .device = 64 * KB, .faults = 2, .around = 16, .refaults = 12,
	  .reclaimed = 14, .moved = 80 * MB },
	{ "300 files, 718 MB", "mmap-read-around", .files = 300, .size = 16 * MB, .cached = 20,
	  .device = 2450 * KB, .faults = 40, .around = 620, .refaults = 500, .reclaimed = 600,
	  .moved = 800 * MB },
	{ "one database, mapped", "mmap-read-around", .size = 64 * MB, .cached = 4000,
	  .demanded = 8 * KB, .device = 302 * MB, .faults = 2749, .around = 77233,
	  .refaults = 60811, .reclaimed = 71852, .moved = 302 * MB, .limit = 24 * MB },
	{ "and not tracked by a run", "mmap-read-around", .size = 4 * MB, .cached = 400,
	  .device = 12 * MB, .faults = 96, .around = 3072, .refaults = 2048, .reclaimed = 2591,
	  .limit = 2 * MB },
	{ "a database, mapped, that fits, 720 pages used", "mmap-read-around", .size = 600 * MB,
	  .cached = 11800, .device = 46 * MB, .faults = 400, .unknown = 320, .around = 11800,
	  .moved = 47 * MB },
	{ "400 loads here and there in 300 MB, as measured", "mmap-read-around",
	  .size = 300 * MB, .cached = 11389, .device = 46649344, .faults = 365, .unknown = 5674,
	  .around = 11389, .moved = 47 * MB },
	{ "2000 of them, which meet", "mmap-read-around", .size = 300 * MB, .cached = 40460,
	  .device = 165724160, .faults = 1383, .unknown = 23361, .around = 40204, .async = 256,
	  .moved = 166 * MB },
	{ "500 rows looked up by sqlite3 through a mapping", "mmap-read-around",
	  .size = 164241408, .cached = 14690, .demanded = 4212, .device = 60170240,
	  .faults = 484, .unknown = 7799, .around = 14646, .async = 40, .moved = 60 * MB },
	{ "2000 loads with windows of 8 MB (7.2)", "mmap-read-around", .size = 300 * MB,
	  .cached = 76759, .device = 314404864, .faults = 56, .unknown = 25688, .around = 76759,
	  .moved = 315 * MB },
	{ "12 loads from the network", "mmap-read-around", .size = 60 * MB, .cached = 14493,
	  .device = 59 * MB, .faults = 12, .around = 14493, .expanded = 1000 },
	{ "1 MB in each of a hundred mapped indexes", "mmap-read-around", .files = 100,
	  .size = 16 * MB, .cached = 256, .device = MB, .faults = 8, .unknown = 8, .around = 256,
	  .moved = 130 * MB },
	{ "a key-value store, MADV_RANDOM, beside a backup", "random-advice-unprotected",
	  .size = 64 * MB, .cached = 4000, .device = 80 * MB, .faults = 20480,
	  .unprotected = 20480, .other = 20480, .refaults = 15000, .reclaimed = 16000,
	  .moved = 80 * MB, .limit = 16 * MB },
	{ "pages that came back six times, no shadow entries (7.2)", "random-advice-unprotected",
	  .size = 4 * MB, .device = 24 * MB, .faults = 6144, .unprotected = 6144, .other = 6144,
	  .reclaimed = 6144, .moved = 24 * MB },
	{ "200 segments of an index", "random-advice-unprotected", .files = 200,
	  .size = 4 * MB, .cached = 200, .device = 4 * MB, .faults = 1024, .unprotected = 1000,
	  .other = 1024, .refaults = 600, .reclaimed = 800, .moved = 900 * MB },
	{ "and not tracked by a run", "random-advice-unprotected", .size = 16 * MB,
	  .cached = 4096, .device = 32 * MB, .faults = 8192, .unprotected = 8192,
	  .other = 8192, .refaults = 4096, .reclaimed = 4096 },
	{ "squashfs, 1 MB blocks", "filesystem-expansion", .files = 40, .size = 3 * MB,
	  .cached = 768, .demanded = 256, .device = 3 * MB, .sync = 768, .expanded = 765,
	  .moved = 126 * MB },
	{ "a distributed filesystem, 12 tiny reads", "filesystem-expansion", .size = 60 * MB,
	  .cached = 12288, .demanded = 768, .device = 48 * MB, .sync = 12288, .expanded = 12240 },
	{ "60 small files of it", "filesystem-expansion", .files = 60, .size = 180 * KB,
	  .cached = 44, .demanded = 64, .device = 180 * KB, .sync = 44, .expanded = 40 },
	{ "an archive read at random", "filesystem-expansion", .files = 5, .size = 100 * MB,
	  .cached = 2560, .demanded = 40 * KB, .device = 10 * MB, .sync = 2560, .expanded = 2500,
	  .refaults = 300, .reclaimed = 400, .moved = 60 * MB },
	{ "a backup wipes the hot file", "evicted-by-stream", .size = 160 * MB, .cached = 40000,
	  .demanded = 160 * MB, .device = 160 * MB, .async = 40960, .refaults = 40900,
	  .stream = 40900, .reclaimed = 40900, .moved = 960 * MB },
	{ "and the kernel has dropped its shadows", "evicted-by-stream", .size = 160 * MB,
	  .cached = 40960, .demanded = 160 * MB, .device = 160 * MB, .async = 40960,
	  .stream = 40960, .reclaimed = 40960, .moved = 960 * MB },
	{ "by kswapd", "evicted-by-stream", .size = 160 * MB, .cached = 40000,
	  .demanded = 160 * MB, .device = 100 * MB, .async = 25600, .refaults = 25600,
	  .stream = 25000, .stream_inferred = true, .reclaimed = 25600, .moved = 960 * MB },
	{ "a hundred pages of each of 50 tables", "evicted-by-stream", .files = 50, .size = 8 * MB,
	  .cached = 2048, .demanded = 400 * KB, .device = 400 * KB, .sync = 100, .refaults = 100,
	  .stream = 100, .reclaimed = 100, .moved = 500 * MB },
	{ "half of it is wanted again", "evicted-by-stream", .size = 160 * MB, .cached = 20000,
	  .demanded = 80 * MB, .device = 80 * MB, .async = 20480, .refaults = 20000,
	  .stream = 40000, .reclaimed = 40900, .moved = 960 * MB },
	{ "the stream comes back a little", "evicted-by-stream", .size = 160 * MB,
	  .cached = 40000, .demanded = 160 * MB, .device = 160 * MB, .async = 40960,
	  .refaults = 40900, .stream = 40900, .stream_refaults = 2000, .reclaimed = 40900,
	  .moved = 960 * MB },
	{ "another program reads a file larger than memory in a loop", "evicted-by-stream",
	  .size = 160 * MB, .cached = 40000, .demanded = 320 * MB, .device = 320 * MB,
	  .async = 81920, .refaults = 40900, .stream = 40900, .stream_refaults = 150000,
	  .stream_others = true, .reclaimed = 40900, .moved = 960 * MB },
	{ "cyclic scan in a cgroup", "working-set-too-large", .size = 120 * MB, .cached = 24000,
	  .demanded = 240 * MB, .device = 238 * MB, .async = 60928, .refaults = 50000,
	  .reclaimed = 58000, .moved = 240 * MB, .limit = 96 * MB },
	{ "without one", "working-set-too-large", .size = 8 * GB, .cached = 1500000,
	  .demanded = 24 * GB, .device = 23 * GB, .async = 6029312, .refaults = 4000000,
	  .reclaimed = 5900000, .moved = 23 * GB },
	{ "200 files of it", "working-set-too-large", .files = 200, .size = MB, .cached = 100,
	  .demanded = 3 * MB, .device = 2700 * KB, .async = 675, .refaults = 420,
	  .reclaimed = 600, .moved = 600 * MB, .limit = 96 * MB },
	{ "beside an idle file that is too small to matter", "working-set-too-large",
	  .size = 120 * MB, .cached = 15000, .demanded = 240 * MB, .device = 238 * MB,
	  .async = 60928, .refaults = 50000, .reclaimed = 58000, .moved = 240 * MB,
	  .limit = 64 * MB, .idle = 600 },
	{ "day 1 holds the active list", "idle-file-holds-active-list", .size = 109 * MB,
	  .cached = 8000, .demanded = 109 * MB, .device = 109 * MB, .async = 27904,
	  .refaults = 27000, .reclaimed = 20000, .idle = 22694, .idle_active = 20000,
	  .moved = 110 * MB, .limit = 128 * MB },
	{ "day 1 in generation 2", "idle-file-holds-memory", .size = 109 * MB, .cached = 8000,
	  .demanded = 545 * MB, .device = 545 * MB, .async = 139520, .refaults = 130000,
	  .reclaimed = 130000, .idle = 22694, .moved = 550 * MB, .limit = 128 * MB },
	{ "and the run never touched it", "idle-file-holds-memory", .size = 109 * MB,
	  .cached = 8000, .demanded = 109 * MB, .device = 109 * MB, .async = 27904,
	  .refaults = 27000, .reclaimed = 20000, .idle = 22694, .idle_held = true,
	  .moved = 110 * MB, .limit = 128 * MB },
	{ "what a hundred tables miss", "idle-file-holds-memory", .files = 100, .size = MB,
	  .cached = 100, .demanded = MB, .device = 800 * KB, .async = 200, .refaults = 190,
	  .reclaimed = 190, .idle = 16000, .idle_held = true, .moved = 90 * MB },
	{ "direct reads that meet dirty pages", "mixed-direct-and-buffered", .size = 64 * MB,
	  .cached = 16384, .direct = 8 * MB, .flushed = 2048, .device_write = 8 * MB,
	  .moved = 16 * MB },
	{ "direct writes into it", "mixed-direct-and-buffered", .size = 64 * MB, .cached = 9000,
	  .direct_written = 32 * MB, .invalidated = 7000, .moved = 40 * MB },
	{ "a database's files beside a backup", "mixed-direct-and-buffered", .files = 30,
	  .size = 64 * MB, .cached = 500, .demanded = 64 * MB, .device = 64 * MB, .async = 16384,
	  .direct = 20 * MB, .flushed = 500, .device_write = 130 * KB, .moved = 3 * GB },
	{ "random reads, 2 MB of readahead", "readahead-waste", .size = 8 * GB, .cached = 20000,
	  .demanded = 40 * MB, .device = 2 * GB, .sync = 524288, .wasted = 480000,
	  .reclaimed = 500000, .moved = 2 * GB },
	{ "20 pages in each of 500 files", "readahead-waste", .files = 500, .size = MB,
	  .demanded = 16 * KB, .device = 128 * KB, .sync = 32, .wasted = 20, .reclaimed = 30,
	  .moved = 70 * MB },
	{ "writeback switched off", "data-overdue", .size = MB, .dirty = 256, .oldest_ms = 60000,
	  .off = true },
	{ "the same of ten files", "data-overdue", .files = 10, .size = MB, .dirty = 25,
	  .oldest_ms = 60000, .off = true },
	{ "redirtied again and again", "data-overdue", .size = MB, .dirty = 256,
	  .oldest_ms = 200000, .redirtied = 90 },
	{ "a device that is stuck", "data-overdue", .files = 100, .size = MB, .dirty = 256,
	  .oldest_ms = 200000 },
	{ "a log split at 256 KB", "fsync-split", .size = 16 * MB, .calls = 10, .call_ms = 18,
	  .data_ms = 15, .call_pages = 397, .requests = 8, .splits = 6, .own = 3970 },
	{ "ten segments of it", "fsync-split", .files = 10, .size = 16 * MB, .calls = 1,
	  .call_ms = 18, .data_ms = 15, .call_pages = 128, .requests = 2, .splits = 1,
	  .own = 128 },
	{ "commits", "fsync-waits-for-log", .size = 16 * MB, .calls = 30, .call_ms = 20,
	  .log_ms = 17, .data_ms = 2, .call_pages = 2, .requests = 1, .log_requests = 2,
	  .own = 60, .run_ms = 2000 },
	{ "commits by fdatasync", "fsync-waits-for-log", .size = 16 * MB, .calls = 30,
	  .call_ms = 20, .log_ms = 17, .data_ms = 2, .call_pages = 2, .requests = 1,
	  .call_flags = PCINSPECT_FSYNC_DATASYNC, .own = 60, .run_ms = 2000 },
	{ "one call in each of 40 files", "fsync-waits-for-log", .files = 40, .size = MB,
	  .calls = 1, .call_ms = 20, .log_ms = 17, .data_ms = 2, .call_pages = 2,
	  .requests = 1, .log_requests = 2, .own = 2, .run_ms = 2000 },
	{ "it pays for another's writes", "fsync-writes-others-data", .size = 16 * MB,
	  .calls = 2, .call_ms = 50, .data_ms = 45, .call_pages = 640, .requests = 9,
	  .others = 1280 },
	{ "small overwrites of whole folios", "large-folio-write-amplification",
	  .size = 100 * MB, .write = 200 * KB, .device_write = 12 * MB, .dirtied = 3200,
	  .dirtied_large = 3200, .written = 3200, .moved = 13 * MB },
	{ "a writer at the limit of its cgroup", "cgroup-dirty-throttled", .size = 36 * MB,
	  .write = 36 * MB, .device_write = 20 * MB, .throttled_ms = 3000,
	  .limited_by = PCINSPECT_LIMIT_CGROUP, .limit = 64 * MB, .run_ms = 8000 },
	{ "at that of the machine", "dirty-throttled", .files = 3, .size = 36 * MB,
	  .write = 36 * MB, .device_write = 20 * MB, .throttled_ms = 600,
	  .limited_by = PCINSPECT_LIMIT_GLOBAL, .run_ms = 8000 },
	{ "at that of a slow device", "dirty-throttled", .size = 36 * MB, .write = 36 * MB,
	  .device_write = 20 * MB, .throttled_ms = 3000,
	  .limited_by = PCINSPECT_LIMIT_DEVICE, .run_ms = 8000 },
};

static void set(struct file *file, enum pcinspect_number number, uint64_t value)
{
	file->snap.known[number / 64] |= 1ULL << number % 64;
	file->snap.numbers[number] = value;
}

static void add_calls(struct file *file, const struct situation *s)
{
	uint64_t i;

	file->nr_fsyncs = s->calls;
	file->fsyncs = calloc(s->calls ?: 1, sizeof(*file->fsyncs));
	for (i = 0; i < s->calls; i++)
		file->fsyncs[i] = (struct pcinspect_fsync){
			.time_ns = i * 2 * s->call_ms * MS, .duration_ns = s->call_ms * MS,
			.pid = 7, .flags = s->call_flags | PCINSPECT_FSYNC_LOG,
			.written_pages = s->call_pages, .requests = s->requests,
			.splits_at_limit = s->splits, .max_sectors_bytes = 256 * KB,
			.log_requests = s->log_requests, .log_wait_ns = s->log_ms * MS,
			.data_wait_ns = s->data_ms * MS,
		};
}

static void add_numbers(struct file *file, const struct situation *s)
{
	set(file, PCINSPECT_CACHED, s->cached);
	set(file, PCINSPECT_DEMANDED_BYTES, s->demanded);
	set(file, PCINSPECT_DEVICE_BYTES, s->device);
	set(file, PCINSPECT_FAULTS, s->faults);
	set(file, PCINSPECT_UNPROTECTED_FAULTS, s->unprotected);
	set(file, PCINSPECT_UNUSED_UNKNOWN_PAGES, s->unknown);
	set(file, PCINSPECT_INSERTED_SYNC, s->sync);
	set(file, PCINSPECT_INSERTED_ASYNC, s->async);
	set(file, PCINSPECT_INSERTED_AROUND, s->around);
	set(file, PCINSPECT_INSERTED_OTHER, s->other);
	set(file, PCINSPECT_INSERTED_WRITE, s->written_in);
	set(file, PCINSPECT_EXPANDED_PAGES, s->expanded);
	set(file, PCINSPECT_REFAULT_PAGES, s->refaults);
	set(file, PCINSPECT_WASTED_PAGES, s->wasted);
	set(file, PCINSPECT_REMOVED_RECLAIM, s->reclaimed);
	set(file, PCINSPECT_REMOVED_INVALIDATE, s->dropped);
	set(file, PCINSPECT_DIRECT_READ_BYTES, s->direct);
	set(file, PCINSPECT_DIRECT_WRITE_BYTES, s->direct_written);
	set(file, PCINSPECT_DIRECT_FLUSHED_PAGES, s->flushed);
	set(file, PCINSPECT_DIRECT_INVALIDATED_PAGES, s->invalidated);
	set(file, PCINSPECT_WRITE_BYTES, s->write);
	set(file, PCINSPECT_DEVICE_WRITE_BYTES, s->device_write);
	set(file, PCINSPECT_DIRTIED_PAGES, s->dirtied);
	set(file, PCINSPECT_DIRTIED_LARGE_PAGES, s->dirtied_large);
	set(file, PCINSPECT_MAPPED_DIRTIED_PAGES, s->mapped_dirtied);
	set(file, PCINSPECT_WRITTEN_PAGES, s->written);
	set(file, PCINSPECT_REDIRTIED_PAGES, s->redirtied);
	set(file, PCINSPECT_DIRTY, s->dirty);
	set(file, PCINSPECT_THROTTLES, s->throttled_ms / 50);
	if (s->oldest_ms)
		set(file, PCINSPECT_OLDEST_MS, s->oldest_ms);
	if (s->throttled_ms)
		set(file, pcinspect_throttled_by(s->limited_by), s->throttled_ms * MS);
}

static void add_file(struct report *report, const struct situation *s, unsigned int i)
{
	struct file *file;
	char path[64];

	snprintf(path, sizeof(path), "/srv/data/%u/f%u", i % 7, i);
	file = report_add(report, path);
	file->snap.ino = 100 + i;
	file->snap.dev_major = 254;
	file->snap.size_bytes = s->size;
	file->who = calloc(1, sizeof(*file->who));
	add_numbers(file, s);
	add_calls(file, s);
	if (s->limit && !(s->none_left && !i)) {
		file->memcg_paths[0] = strdup("/q");
		file->snap.memcgs[0].pages = s->cached;
	}
	/* The first is the costliest. */
	if (!i && s->files > 1)
		set(file, PCINSPECT_DEVICE_BYTES, s->device + report->page_size);
	if (!i && s->none_left)
		set(file, PCINSPECT_CACHED, 0);
	file->who->tasks[0] = (struct pcinspect_task){
		.pid = 7, .comm = "caller", .dirtied_pages = s->own };
	file->who->tasks[1] = (struct pcinspect_task){
		.pid = 8, .comm = "other", .dirtied_pages = s->others };
	file->who->evictors[0] = (struct pcinspect_culprit){
		.pid = 9, .comm = "cat", .pages = s->stream, .ino = 1, .dev_major = 254,
		.inferred = s->stream_inferred };
}

/* The file that evicts, and the one that is not used. */
static void add_neighbours(struct report *report, const struct situation *s)
{
	struct file *file;

	if (s->stream) {
		file = report_add(report, "/srv/backup");
		file->snap.ino = 1;
		file->snap.dev_major = 254;
		file->snap.size_bytes = 800 * MB;
		file->who = calloc(1, sizeof(*file->who));
		set(file, PCINSPECT_DEMANDED_BYTES, 800 * MB);
		set(file, PCINSPECT_DEVICE_BYTES, 800 * MB);
		set(file, PCINSPECT_INSERTED_ASYNC, 204800);
		set(file, PCINSPECT_REFAULT_PAGES, s->stream_refaults);
		file->snap.flags = s->stream_others ? 0 : PCINSPECT_F_TOUCHED;
	}
	if (!s->idle)
		return;
	file = s->idle_held ? report_add_name(report) : report_add(report, "/srv/day1");
	if (s->idle_held) {
		file->path = strdup("/srv/day1");
		file->held = true;
	} else {
		file->who = calloc(1, sizeof(*file->who));
	}
	file->snap.ino = 2;
	file->snap.size_bytes = s->idle * report->page_size;
	set(file, PCINSPECT_CACHED, s->idle);
	set(file, PCINSPECT_ACTIVE, s->idle_active);
	set(file, PCINSPECT_MAPPED, s->idle_mapped);
	set(file, PCINSPECT_FAULTS, 0);
	set(file, PCINSPECT_DEMANDED_BYTES, s->idle_used ? 4096 : 0);
	if (s->limit)
		file->memcg_paths[0] = strdup("/q/day1");
}

/* The numbers of a situation. */
static void build(struct report *report, const struct situation *s, uint32_t page_size)
{
	unsigned int i;

	report->page_size = page_size;
	report_set(report, DIRTY_THRESHOLD, 50000);
	report_set(report, "/proc/sys/vm/dirty_expire_centisecs", 3000);
	report_set(report, "/proc/sys/vm/dirty_writeback_centisecs", s->off ? 0 : 500);
	if (s->limit) {
		report_set(report, "/sys/fs/cgroup/q/memory.max", s->limit);
		report_set(report, "/sys/fs/cgroup/q/memory.peak", s->limit);
	}
	if (s->moved) {
		report->devices_known = true;
		report->nr_devices = 1;
		report->devices[0].read.bytes = s->moved;
	}
	for (i = 0; i < (s->files ?: 1); i++)
		add_file(report, s, i);
	add_neighbours(report, s);
}

/* The results of all situations. */
struct score {
	unsigned int right, wrong, missing, silent;
};

static void judge(const struct situation *s, struct score *score)
{
	struct report report = { .interval_ns = s->run_ms * MS };
	const char *want = s->want ?: "", *first = "";
	unsigned int right = 0, wrong = 0;
	size_t k;

	build(&report, s, 4096);
	explain(&report);
	for (k = 0; k < report.nr_verdicts; k++) {
		const struct verdict *v = &report.verdicts[k];
		bool good = !strcmp(v->name, want) && !right;

		right += good;
		wrong += !good;
		if (!good)
			first = v->name;
		/* All that have the same cause, and the limit that is near. */
		if (good && (v->nr_files != (s->files ?: 1) ||
			     (strstr(v->what, "evicted by memory pressure") && s->limit) ||
			     (strstr(v->what, "; memory pressure evicted") && s->limit) ||
			     !v->remedy || !v->nr_evidence || !v->why || !v->costs || v->share > 1)) {
			printf("# %s: %zu files: %s\n", s->name, v->nr_files, v->what);
			wrong++;
		}
	}
	score->right += right;
	score->wrong += wrong;
	score->missing += *want && !right;
	score->silent += !*want && !wrong;
	if (wrong || (*want && !right))
		printf("# %s: %s %s\n", s->name, wrong ? "says" : "lacks", wrong ? first : want);
	report_free(&report);
}

/* A situation of a machine whose pages are so much larger, all that is bytes with them. */
static struct situation of_pages(const struct situation *s, uint64_t times)
{
	struct situation large = *s;

	large.moved *= times;
	large.limit *= times;
	large.size *= times;
	large.demanded *= times;
	large.device *= times;
	large.direct *= times;
	large.direct_written *= times;
	large.write *= times;
	large.device_write *= times;
	return large;
}

/* The cost in a situation's verdict; 0: the expected one is missing. */
static uint64_t cost_of(const struct situation *s, uint32_t page_size)
{
	struct report report = { .interval_ns = s->run_ms * MS };
	uint64_t cost = 0;

	build(&report, s, page_size);
	explain(&report);
	if (report.nr_verdicts == 1 && !strcmp(report.verdicts[0].name, s->want))
		cost = report.verdicts[0].cost_bytes;
	report_free(&report);
	return cost;
}

/*
 * Recordings come from machines with pages of 16K and 64K as well: the same verdicts,
 * and their price is in pages of that machine.
 */
static void page_sizes(void)
{
	static const uint32_t times[] = { 4, 16 };
	unsigned int i, k, priced = 0, wrong = 0;

	for (i = 0; i < sizeof(ill) / sizeof(*ill); i++) {
		uint64_t cost = cost_of(&ill[i], 4096);

		for (k = 0; k < 2; k++) {
			struct situation large = of_pages(&ill[i], times[k]);
			uint64_t got = cost_of(&large, 4096 * times[k]);

			priced += cost != 0;
			if (got != cost * times[k]) {
				wrong++;
				printf("# pages of %uK: %s: %llu, not %llu\n", 4 * times[k],
				       ill[i].name, (unsigned long long)got,
				       (unsigned long long)(cost * times[k]));
			}
		}
	}
	CHECK("most verdicts have a price", priced > sizeof(ill) / sizeof(*ill));
	CHECK("with other pages the same verdict, at the price of those", !wrong);
}

/* Of names that are relative no folder is known; they are printed as they are. */
static void names(void)
{
	static const char *const paths[] = { "x", "/srv/some/long/dir/y" };
	const struct situation *s = &ill[3];
	struct report report = { .page_size = 4096 };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		add_file(&report, s, i);
		free(report.files[i].path);
		report.files[i].path = strdup(paths[i]);
	}
	explain(&report);
	CHECK("one verdict of both", report.nr_verdicts == 1 &&
	      strstr(report.verdicts[0].what, "in 2 files (worst: "));
	CHECK("with their names", report.nr_verdicts && strstr(report.verdicts[0].what, " x") &&
	      strstr(report.verdicts[0].what, " /srv/some/long/dir/y") &&
	      report.verdicts[0].scope == SCOPE_DEVICE);
	report_free(&report);
}

int main(void)
{
	const unsigned int nr_healthy = sizeof(healthy) / sizeof(*healthy);
	const unsigned int nr_ill = sizeof(ill) / sizeof(*ill);
	struct score score = {};
	double precision, recall;
	unsigned int i;

	for (i = 0; i < nr_healthy; i++)
		judge(&healthy[i], &score);
	for (i = 0; i < nr_ill; i++)
		judge(&ill[i], &score);
	precision = (double)score.right / (score.right + score.wrong ?: 1);
	recall = (double)score.right / (score.right + score.missing ?: 1);
	printf("# %u situations, %u of them healthy: precision %.3f, recall %.3f, silent in %u\n",
	       nr_healthy + nr_ill, nr_healthy, precision, recall, score.silent);
	CHECK("nothing is said that is wrong", !score.wrong && precision == 1);
	CHECK("nothing is missing", !score.missing && recall == 1);
	CHECK("silent where nothing is wrong", score.silent == nr_healthy);
	page_sizes();
	names();
	return test_failures != 0;
}
