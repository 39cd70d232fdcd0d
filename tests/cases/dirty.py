#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# soak: 6.1-rt 6.12-rt 7.2-rt 6.1-cloud 6.12-cloud 7.2-cloud 7.3 6.12-arm64 6.12-arm64-16k 7.2-arm64
"""dirty.py - what fsync wrote, and what ages of dirty pages take.

Written pages against what was dirty; the requests of an fsync against the disk's write
counter; the figures of the investigation that split an fsync into 256 KiB; the
memory that ages take, and what is said when there is none.
"""
import json
import os
import re
import time
from collections import Counter
from check import (KERNEL, PAGE, by_our_clock, cachestat, emptied, entry, equal, finish, info,
                   mounted, ok, run, setting, tool, unflushed)

MB = 1 << 20
# The bytes that a log appends ten times, and the pages, or blocks, written for them.
RECORD = 1625203
BLOCK = 4096


def touched(size):
    return sum(-(-(i + 1) * RECORD // size) - i * RECORD // size for i in range(10))


DISK = os.stat("/dev/vdb").st_rdev


def at_entry(fs, point):
    """Pages that were dirty before tracking: unknown until nothing is dirty."""
    path = f"{point}/entry"
    fd = os.open(path, os.O_RDWR | os.O_CREAT)
    os.pwrite(fd, b"x" * 16 * PAGE, 0)
    tool("track", path)
    os.fsync(fd)
    os.pwrite(fd, b"y" * 3 * PAGE, MB)
    pages = entry(path)["dirty"]["pages"]
    os.fsync(fd)
    os.fsync(fd)
    calls = entry(path, "fsync")["fsync"]["calls"]
    equal(f"{fs}: dirty at entry: unknown, known, nothing",
          [c["dirty_at_entry_pages"] for c in calls], [None, 3, 0])
    equal(f"{fs}: dirty at entry == the walk's", calls[1]["dirty_at_entry_pages"], pages)
    text = run("pcinspect", "fsync", path)
    ok(f"{fs}: dirty at entry: unknown in the text", ": ? dirty, 16 written" in text, text)
    # Truncated in the middle: a large folio may be split. Nobody is to close the
    # file before the call: xfs_release() flushes what was truncated.
    os.pwrite(fd, b"z" * MB, 0)
    os.ftruncate(fd, 100 * PAGE + 1)
    os.fsync(fd)
    # btrfs on 7.2 leaves the tag on the last folio, which is clean: the walk and
    # cachestat(2) count it, and whether all is clean is unknown until it goes.
    left = (cachestat(path) or {"dirty": 0})["dirty"]
    d = entry(path)["dirty"]
    equal(f"{fs}: truncated and synchronized: dirty == cachestat, of unknown age",
          (d["pages"], d["unknown_age_pages"]), (left, left))
    os.pwrite(fd, b"z", 0)
    os.fsync(fd)
    calls = entry(path, "fsync")["fsync"]["calls"][-2:]
    got = [(c["dirty_at_entry_pages"], c["written_pages"]) for c in calls]
    ok(f"{fs}: dirty at entry after truncation: unknown, or what was written",
       got[0][0] in (None, got[0][1]), got)
    if left:
        equal(f"{fs}: dirty at entry: unknown beside the kernel's stale tag", got[1][0], None)
        emptied(path)
        equal(f"{fs}: the stale tag goes with its folio", entry(path)["dirty"]["pages"], 0)
        os.pwrite(fd, b"z", 0)
        os.fsync(fd)
        call = entry(path, "fsync")["fsync"]["calls"][-1]
        got[1] = (call["dirty_at_entry_pages"], call["written_pages"])
    ok(f"{fs}: dirty at entry: known again", got[1][0] is not None and
       got[1][0] == got[1][1], got)
    os.close(fd)
    run("pcinspect", "untrack")


class Requests:
    """The write requests that the disk is given, as the kernel's own event tells them."""

    INSTANCE = "/sys/kernel/tracing/instances/requests"
    EVENT = f"{INSTANCE}/events/block/block_rq_issue"
    LINE = re.compile(r"block_rq_issue: \S+ (\S*W\S*) (\d+) \(.*?\) (\d+) \+ (\d+) ")

    def __init__(self):
        os.mkdir(self.INSTANCE)
        self.write("filter", f"dev == {os.major(DISK) << 20 | os.minor(DISK)}")
        self.write("enable", "1")

    def write(self, name, text):
        with open(f"{self.EVENT}/{name}", "w", encoding="ascii") as f:
            f.write(text)

    def end(self):
        """(first sector, bytes) of each."""
        self.write("enable", "0")
        with open(f"{self.INSTANCE}/trace", encoding="utf-8") as f:
            found = [(int(m[3]), int(m[4]) * 512) for m in self.LINE.finditer(f.read())]
        os.rmdir(self.INSTANCE)
        return found


def extents(path):
    """(first sector, the one behind the last) of each."""
    return [(int(m[1]), int(m[2]) + 1) for m in re.finditer(
        r"^ *\d+: +\d+\.\. *\d+: +(\d+)\.\. *(\d+):", run("filefrag", "-e", "-b512", path),
        re.MULTILINE)]


def wal(fs, kb):
    """Ten times 28 + 1,625,203 bytes and fsync; on XFS nobody else writes the file."""
    with open("/sys/block/vdb/queue/max_sectors_kb", "w", encoding="ascii") as f:
        f.write(str(kb))
    if fs == "xfs":
        # xfs_log_worker() writes the log out 30 s after the mount, between the calls.
        run("modprobe", "-q", "xfs")
        with open("/proc/sys/fs/xfs/xfssyncd_centisecs", "w", encoding="ascii") as f:
            f.write("720000")
    # Nothing of mkfs is to be left for later.
    mkfs = ["-E", "lazy_itable_init=0,lazy_journal_init=0"] if fs == "ext4" else []
    with mounted(fs, options="noatime", mkfs=mkfs) as point, unflushed():
        path = f"{point}/wal"
        fd = os.open(path, os.O_RDWR | os.O_CREAT)
        os.fsync(fd)
        tool("track", path)
        clock = []
        run("sync")
        with open("/sys/block/vdb/stat", encoding="ascii") as f:
            sectors = int(f.read().split()[6])
        requests = Requests()
        for _ in range(10):
            os.writev(fd, [b"h" * 28])
            os.writev(fd, [b"r" * RECORD])
            begun = time.monotonic()
            os.fsync(fd)
            clock.append((time.monotonic() - begun) * 1e9)
        with open("/sys/block/vdb/stat", encoding="ascii") as f:
            sectors = int(f.read().split()[6]) - sectors
        places, requests = extents(path), requests.end()
        os.close(fd)
        f = entry(path, "fsync")
        said = [v["verdict"] for v in tool("explain", path)["verdicts"]]
    calls = f["fsync"]["calls"]
    label = f"{fs}: wal, max_sectors_kb {kb}"
    equal(f"{label}: ten calls", len(calls), 10)
    sizes = {}
    for call in calls:
        for size in call["request_sizes"]:
            sizes[size["bytes"]] = sizes.get(size["bytes"], 0) + size["requests"]
    ok(f"{label}: by this process", all(c["pid"] == os.getpid() for c in calls),
       calls[0])
    data = sum(c["request_bytes"] for c in calls)
    log = sum(c["log"]["bytes"] for c in calls)
    if fs == "xfs":
        # Mostly 60 of 256 KiB and what is left of each call: but a task that has to
        # wait while it writes hands over what it has, and a request ends there.
        equal(f"{label}: requests by size == the disk's of the file's extents", sizes,
              dict(Counter(size for first, size in requests
                           if any(a <= first < b for a, b in places))))
        equal(f"{label}: pages written", sum(c["written_pages"] for c in calls), touched(PAGE))
        equal(f"{label}: tail pages written again",
              [c["rewritten_tail_pages"] for c in calls], [0] + [1] * 9)
        equal(f"{label}: data + log == the disk's write sectors", data + log,
              sectors * 512)
        ok(f"{label}: log apart", 0 < log < 65536, log)
        equal(f"{label}: explain names the splitting", "fsync-split" in said, kb == 256)
    else:
        # The flusher may take a part between the calls.
        device = f["writeback"]["device_write_bytes"]
        equal(f"{label}: pages written by anybody", f["dirty"]["written_pages"], touched(PAGE))
        equal(f"{label}: bytes written by anybody", device, touched(BLOCK) * BLOCK)
        ok(f"{label}: data + log are nearly all of the disk's write sectors",
           sectors * 512 * 0.9 <= data + log <= sectors * 512, (data, log, sectors))
        ok(f"{label}: no request larger than the limit", max(sizes) <= kb * 1024, sizes)
        if kb == 256:
            ok(f"{label}: most as large as the limit", sizes.get(kb * 1024, 0) >= 40,
               sizes)
        ok(f"{label}: journal apart", 0 < log < MB, log)
    equal(f"{label}: the queue's limit", {c["max_sectors_bytes"] for c in calls},
          {kb * 1024})
    # ext4's bios may also have more segments than the queue takes: unknown.
    if fs == "xfs" or kb == 256:
        ok(f"{label}: limited by it", all(c["limited_by"] == "max_sectors"
                                          for c in calls if c["requests"] > 2), calls[0])
    by_our_clock(label, [c["duration_ns"] for c in calls], clock)
    print(f"# {KERNEL} {label}: {json.dumps(sizes)}, log {log}, disk {sectors * 512}")


def memory():
    """The memory of the times of dirty pages."""
    with mounted("ext4", options="noatime") as point, unflushed():
        path = f"{point}/f"
        fd = os.open(path, os.O_RDWR | os.O_CREAT)
        os.ftruncate(fd, 1 << 40)
        tool("track", path)
        setting("dirty_background_bytes", 512 * MB)
        setting("dirty_bytes", 600 * MB)
        was = int(info()["memory_bytes"])
        os.pwrite(fd, b"x" * (64 * MB), 0)
        per = (int(info()["memory_bytes"]) - was) / (64 * MB / PAGE)
        ok("memory: at most 16 bytes a page in runs", per <= 16, per)
        was = int(info()["memory_bytes"])
        for i in range(1000):
            os.pwrite(fd, b"x", (1 << 32) + i * 4 * MB)
        alone = (int(info()["memory_bytes"]) - was) / 1000
        ok("memory: at most 600 bytes for a page alone", 0 < alone <= 600, alone)
        d = entry(path)["dirty"]
        equal("memory: every page has its age", (d["pages"], d["unknown_age_pages"]),
              (64 * MB // PAGE + 1000, 0))
        os.fsync(fd)
        left = int(info()["memory_bytes"]) - was
        ok("memory: given back when the pages are clean", left <= 0, left)
        os.close(fd)
        setting("dirty_background_ratio", 10)
        setting("dirty_ratio", 20)
        print(f"# {KERNEL} memory: {per:.1f} bytes a page in runs, {alone:.0f} alone")


def full():
    """Without memory for more times, ages are unknown: counted, never young."""
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect", "max_dirty_bytes=65536")
    ok("full: the limit is shown", 0 < int(info()["max_dirty_bytes"]) <= 65536,
       info()["max_dirty_bytes"])
    with mounted("ext4", options="noatime") as point, unflushed():
        path = f"{point}/f"
        fd = os.open(path, os.O_RDWR | os.O_CREAT)
        os.ftruncate(fd, 1 << 40)
        tool("track", path)
        for i in range(1000):
            os.pwrite(fd, b"x", i * 4 * MB)
        time.sleep(1)
        report = tool("dirty", path)
        d = report["files"][0]["dirty"]
        equal("full: all are dirty", d["pages"], 1000)
        ok("full: some have an age, the others are unknown",
           0 < d["unknown_age_pages"] < 1000 and
           sum(a["pages"] for a in d["ages"]) + d["unknown_age_pages"] == 1000, d)
        # Of each alone the times of 64 pages are kept, 4 bytes each, and more.
        ok("full: no more of them than there is room for",
           sum(a["pages"] for a in d["ages"]) * 64 * 4 <= int(info()["max_dirty_bytes"]), d)
        ok("full: none is younger than it is", sum(
            a["pages"] for a in d["ages"] if a["le_ms"] and a["le_ms"] < 1000) == 0 and
           d["oldest_ms"] is None and d["inode_age_ms"] >= 1000, d)
        ok("full: said so", report["lost"]["dirty_times"] >= d["unknown_age_pages"],
           report["lost"])
        stat = cachestat(path)
        if stat:
            equal("full: dirty == cachestat", d["pages"], stat["dirty"])
        os.fsync(fd)
        d = entry(path)["dirty"]
        equal("full: all are written", d["written_pages"], 1000)
        equal("full: written ages + unknown == written pages",
              sum(a["pages"] for a in d["written_ages"]) +
              d["written_unknown_age_pages"], 1000)
        ok("full: written of unknown age", 0 < d["written_unknown_age_pages"] < 1000, d)
        os.close(fd)
        os.unlink(path)
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect")


def compressed():
    """A worker submits pages that btrfs compresses: their bytes are unknown."""
    for label, options in (("compressed", "compress-force=zstd"),
                           ("incompressible", "compress-force=zstd"),
                           ("plain", "noatime")):
        with mounted("btrfs", options=options) as point, unflushed():
            path = f"{point}/f"
            fd = os.open(path, os.O_RDWR | os.O_CREAT)
            os.fsync(fd)
            tool("track", path)
            os.write(fd, os.urandom(MB) if label == "incompressible" else b"x" * MB)
            os.fsync(fd)
            os.close(fd)
            (call,) = entry(path, "fsync")["fsync"]["calls"]
            known = {k: call[k] for k in ("written_pages", "requests", "request_bytes",
                                          "request_sizes", "splits", "rewritten_tail_pages")}
            equal(f"btrfs, {label}: dirty at entry", call["dirty_at_entry_pages"], MB // PAGE)
            if label == "plain":
                equal("btrfs, plain: written", known["written_pages"], MB // PAGE)
            else:
                equal(f"btrfs, {label}: what the call wrote is unknown",
                      known, dict.fromkeys(known))
                ok(f"btrfs, {label}: in words", f"{MB // PAGE} dirty, ? written; ? requests" in
                   run("pcinspect", "fsync", path), run("pcinspect", "fsync", path))
            run("pcinspect", "untrack")


def main():
    for fs in ("ext4", "xfs", "btrfs"):
        with mounted(fs) as point, unflushed():
            at_entry(fs, point)
    for fs in ("xfs", "ext4"):
        wal(fs, 256)
        wal(fs, 1280)
    with open("/tmp/shm", "wb") as w:
        w.write(b"x" * MB)
    tool("track", "/tmp/shm")
    f = entry("/tmp/shm")
    equal("tmpfs: n/a", (f["dirty"], f["fsync"]), (None, None))
    ok("text of dirty and fsync", "OLDEST" in run("pcinspect", "dirty", "/tmp/shm") and
       run("pcinspect", "fsync", "-n", "/tmp/shm") == "")
    compressed()
    memory()
    full()
    finish()


main()
