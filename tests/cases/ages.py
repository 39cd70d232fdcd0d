#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64 --icount
# soak: 6.1-rt 6.12-rt 7.2-rt
"""ages.py - how long a page has been dirty, to 20 ms of this script's own clock.

Written, rewritten, flushed, one byte, stored to through a mapping, truncated, dirty
before it was tracked, and while nobody looked. And for how many instructions a walk of
LRU lists keeps interrupts off. Run in a guest whose time is counted in instructions:
what else this machine does is not in it.
"""
import mmap
import os
import time
from check import (DEBUGFS, KERNEL, PAGE, cachestat, entry, equal, finish, info, mounted, ok,
                   run, tool, unflushed)

MB = 1 << 20


def consistent(name, path):
    """Each page in exactly one bucket, and the same as cachestat."""
    begun = time.monotonic()
    report = tool("dirty", path)
    d = report["files"][0]["dirty"]
    d["read"] = begun, report["time_ns"] / 1e9
    equal(f"{name}: ages + unknown == dirty pages",
          sum(a["pages"] for a in d["ages"]) + d["unknown_age_pages"], d["pages"])
    stat = cachestat(path)
    if stat:
        equal(f"{name}: dirty == cachestat", d["pages"], stat["dirty"])
    equal(f"{name}: nothing unknown", d["unknown_age_pages"], 0)
    equal(f"{name}: oldest is null when nothing is dirty",
          d["oldest_ms"] is None, d["pages"] == 0)
    return d


def near(name, d, first, last):
    """The oldest age within 20 ms of our clock, which was read around the write and the
    reading; other tasks may have run at any time between."""
    low, high = (d["read"][0] - last) * 1000, (d["read"][1] - first) * 1000
    ok(f"{name}: oldest within 20 ms of our clock", d["oldest_ms"] is not None and
       low - 20 <= d["oldest_ms"] <= high + 20, (d["oldest_ms"], low, high))
    print(f"# {KERNEL} {name}: {d['oldest_ms']} ms, our clock {low:.1f} to {high:.1f}")


def ages(fs, point):
    path = f"{point}/f"
    fd = os.open(path, os.O_RDWR | os.O_CREAT)
    os.fsync(fd)
    tool("track", path)
    first = time.monotonic()
    os.pwrite(fd, b"x" * MB, 0)
    last = time.monotonic()
    time.sleep(1.2)
    d = consistent(f"{fs}: write", path)
    near(f"{fs}: write", d, first, last)
    equal(f"{fs}: write: pages", d["pages"], 256)
    os.pwrite(fd, b"y" * MB, 0)
    near(f"{fs}: rewrite keeps the age", consistent(f"{fs}: rewrite", path), first, last)
    ok(f"{fs}: dirtied by this process",
       [(t["pid"], t["pages"]) for t in d["dirtied_by"]] == [(os.getpid(), 256)],
       d["dirtied_by"])
    os.fsync(fd)
    d = consistent(f"{fs}: fsync", path)
    equal(f"{fs}: fsync leaves nothing dirty", d["pages"], 0)
    equal(f"{fs}: written pages", d["written_pages"], 256)
    ok(f"{fs}: their ages: over a second",
       sum(a["pages"] for a in d["written_ages"] if a["le_ms"] is None or a["le_ms"] >= 2000)
       == 256, d["written_ages"])
    calls = entry(path, "fsync")["fsync"]["calls"]
    equal(f"{fs}: one call", len(calls), 1)
    equal(f"{fs}: dirty at entry", calls[0]["dirty_at_entry_pages"], 256)
    equal(f"{fs}: written by the call", calls[0]["written_pages"], 256)
    os.pwrite(fd, b"z", 5000)
    d = consistent(f"{fs}: 1 byte", path)
    ok(f"{fs}: 1 byte: one folio", 1 <= d["pages"] <= 512, d["pages"])
    os.fsync(fd)
    # Through a mapping.
    m = mmap.mmap(fd, MB)
    first = time.monotonic()
    m[0:3 * PAGE:PAGE] = b"abc"
    last = time.monotonic()
    time.sleep(0.3)
    m[0:3 * PAGE:PAGE] = b"def"
    d = consistent(f"{fs}: mmap store", path)
    near(f"{fs}: mmap re-store keeps the age", d, first, last)
    os.ftruncate(fd, 0)
    d = consistent(f"{fs}: truncate", path)
    equal(f"{fs}: truncate: nothing dirty", d["pages"], 0)
    m.close()
    # Dirty before tracking: unknown, with the inode's time as a bound.
    other = f"{point}/before"
    with open(other, "wb") as w:
        w.write(b"x" * 65536)
    tool("track", other)
    d = entry(other)["dirty"]
    equal(f"{fs}: dirty before tracking: unknown", d["unknown_age_pages"], 16)
    equal(f"{fs}: and no age", d["oldest_ms"], None)
    ok(f"{fs}: the inode's own time bounds it", d["inode_age_ms"] is not None, d)
    # Younger pages of known age beside them: the oldest is still not known.
    with open(other, "r+b") as w:
        w.seek(1 << 20)
        w.write(b"y" * 65536)
    d = entry(other)["dirty"]
    equal(f"{fs}: some of unknown age: pages", (d["pages"], d["unknown_age_pages"]), (32, 16))
    equal(f"{fs}: some of unknown age: no oldest", d["oldest_ms"], None)
    text = run("pcinspect", "dirty", "-n", "-o", "OLDEST", other).strip()
    ok(f"{fs}: some of unknown age: by the inode's time, or more than what is known",
       text[:1] in "~>" and float(text[1:].rstrip("s")) >= 0, text)
    os.close(fd)
    # While it was not tracked, nobody has looked: old times mean nothing.
    tool("track", path)
    fd = os.open(path, os.O_RDWR)
    os.pwrite(fd, b"x" * MB, 0)
    time.sleep(0.3)
    run("pcinspect", "untrack", path)
    os.fsync(fd)
    os.pwrite(fd, b"x" * MB, 0)
    tool("track", path)
    d = entry(path)["dirty"]
    equal(f"{fs}: a gap in tracking: unknown, not old",
          (d["pages"], d["unknown_age_pages"], d["oldest_ms"]), (256, 256, None))
    os.close(fd)
    with open(f"{DEBUGFS}/dirty", encoding="utf-8") as text:
        lines = text.read().splitlines()
    ok(f"{fs}: debugfs dirty", any(line.endswith("/before") for line in lines), lines)
    run("pcinspect", "untrack")


def held(path):
    """All lists, by file and in their order: their locks, below 5,000 instructions."""
    with open(path, "wb") as f:
        f.write(b"x" * (16 * MB))
        os.fsync(f.fileno())
    with open(path, "rb") as f:
        f.read()
    for command in (("cgroup", "/sys/fs/cgroup"), ("next", "--bytes", "8M", "--interval", "0.01")):
        tool(*command)
        ns = int(info()["longest_lru_hold"].split()[0])
        ok(f"{command[0]}: a list's lock is held for less than 5,000 instructions",
           0 < ns < 5000, ns)
        print(f"# {KERNEL} {command[0]}: {ns} at most")


def main():
    with mounted("ext4") as point:
        held(f"{point}/listed")
    for fs in ("ext4", "xfs", "btrfs"):
        with mounted(fs) as point, unflushed():
            ages(fs, point)
    finish()


main()
