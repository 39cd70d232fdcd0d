#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# minutes: 2
"""story1.py - QuestDB: phantom reads.

A program only ever writes, through a shared mapping, one page of each of 400
files per round, in a cgroup that is too small; the disk is read all the time.
Read-around of evicted pages does that, and one command has to say so: the bytes
that the disk counts, on these files, by mmap read-around, with nothing demanded,
holes apart; and with MADV_RANDOM or without the limit nothing is read.
"""
import json
import mmap
import os
import subprocess
import sys
from check import (Cgroup, KERNEL, equal, finish, lrus, mounted, ok)

FILES, PAGES, MB = 400, 24, 1 << 20
LIMIT = 16 * MB


def worker(point, advice):
    maps = []
    for i in range(FILES):
        fd = os.open(f"{point}/col{i}.d", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        os.ftruncate(fd, PAGES * mmap.PAGESIZE)
        m = mmap.mmap(fd, PAGES * mmap.PAGESIZE)
        os.close(fd)
        if advice:
            m.madvise(mmap.MADV_RANDOM)
        maps.append(m)
    for page in range(PAGES):
        for m in maps:
            at = page * mmap.PAGESIZE
            m[at:at + 8] = b"measured"


def measure(label, point, limit, advice):
    """One phase under pcinspect run; (report, bytes that the disk says it read and wrote,
    what was printed)."""
    group = Cgroup("q", limit)
    read_before, written_before = sectors()
    p = subprocess.run(
        ["pcinspect", "run", "-m", point, "--explain", "--report", "/tmp/r.json",
         "--", "sh", "-c", f"echo $$ >{group.path}/cgroup.procs; exec "
         f"python3 {__file__} worker {point} {int(advice)}"],
        stdout=subprocess.PIPE, text=True, check=False)
    equal(f"{label}: exit status of the command", p.returncode, 0)
    read, written = sectors()
    group.remove()
    with open("/tmp/r.json", encoding="utf-8") as f:
        return (json.load(f), (read - read_before) * 512,
                (written - written_before) * 512, p.stdout)


def sectors():
    """The disk's own count of what was read and what was written."""
    with open("/sys/block/vdb/stat", encoding="ascii") as f:
        words = f.read().split()
    return int(words[2]), int(words[6])


def total(files, *keys):
    value = 0
    for f in files:
        here = f
        for key in keys:
            here = here[key]
        value += here or 0
    return value


def bad_phase(label, point):
    report, disk, written, text = measure(label, point, LIMIT, False)
    columns = [f for f in report["files"] if "/col" in (f["path"] or "")]
    for f in report["files"]:
        if not f["path"]:
            print(f"# no path: {f['dev']}:{f['ino']} {f['reads']}")
    ours = total(report["files"], "reads", "device_bytes")
    ok(f"{label}: the disk was read at all", disk > 50 * MB, disk)
    device = report["devices"][0]
    every = (ours + device["metadata_bytes"] + device["unattributed_bytes"] +
             device["gone_bytes"] + device["direct_bytes"] +
             device["other_file_bytes"])
    ok(f"{label}: bytes of all rows within 1 % of diskstats",
       abs(every - disk) <= disk * 0.01, (every, disk))
    audit = [a for a in report["audit"] if a["what"] == "device_read_bytes"]
    ok(f"{label}: the audit says so", audit and all(a["ok"] for a in audit), audit)
    on_columns = total(columns, "reads", "device_bytes")
    ok(f"{label}: 99 % of them on the column files", on_columns >= disk * 0.99,
       (on_columns, disk))
    equal(f"{label}: nothing was demanded by read(2)",
          total(columns, "reads", "demanded_bytes"), 0)
    inserted = total(columns, "reads", "inserted_pages")
    around = total(columns, "reads", "inserted", "around")
    forced = sum(total(columns, "reads", "inserted", c)
                 for c in ("sync", "async", "forced"))
    ok(f"{label}: 99 % of what readahead inserted is read-around",
       around >= 0.99 * (around + forced), (around, forced))
    holes = total(columns, "reads", "hole_pages")
    ok(f"{label}: hole pages are counted apart", holes >= FILES * PAGES * 0.5, holes)
    read = inserted - holes - total(columns, "reads", "inserted", "write")
    ok(f"{label}: inserted pages - hole pages == pages read from the device",
       abs(read * 4096 - on_columns) <= on_columns * 0.001,
       (read * 4096, on_columns))
    removed = total(columns, "reads", "removed_pages")
    cached = total(columns, "pages", "cached")
    equal(f"{label}: inserted - removed == cached", inserted - removed, cached)
    said = [v for v in report["verdicts"] if v["verdict"] == "mmap-read-around"]
    equal(f"{label}: explain names read-around, once", len(said), 1)
    for v in said:
        ok(f"{label}: with the limit and the remedy",
           "16M" in v["text"] and "MADV_RANDOM" in v["text"], v["text"])
        ok(f"{label}: the column files are what it is about",
           v["scope"] == "directory" and v["place"] == point and
           FILES * 0.9 <= v["files"] <= FILES and len(v["paths"]) == 3, v)
        moved = sum(d["read_bytes"] + d["written_bytes"] for d in report["devices"])
        # The disk is looked at before the run begins and after it has ended.
        ok(f"{label}: and what part of all that devices moved it explains",
           v["share"] and abs(v["share"] - v["cost_bytes"] / moved) < 0.001 and
           v["cost_bytes"] / (disk + written) - 0.001 <= v["share"] <= 1,
           (v["share"], v["cost_bytes"], moved, disk, written))
        equal(f"{label}: it costs what was read for them", v["cost_bytes"],
              v["evidence"]["fetched_bytes"])
    lines = len(text.splitlines())
    ok(f"{label}: a screen is enough", lines <= 50, lines)
    ok(f"{label}: in the text as well", "MADV_RANDOM" in text, text[-300:])
    print(f"# {KERNEL} {label}: disk {disk} B, ours {ours} B, inserted {inserted}, "
          f"around {around}, holes {holes}")


def good_phase(label, point, limit, advice):
    report, disk, _, _ = measure(label, point, limit, advice)
    ours = total(report["files"], "reads", "device_bytes")
    ok(f"{label}: less than 1 MB read, says the disk", disk < MB, disk)
    ok(f"{label}: and so do we", ours < MB, ours)
    ok(f"{label}: explain does not speak of read-around",
       not [v for v in report["verdicts"] if v["verdict"] == "mmap-read-around"],
       report["verdicts"][:1])


def main():
    if sys.argv[1:2] == ["worker"]:
        worker(sys.argv[2], sys.argv[3] == "1")
        return
    for name in lrus("story 1"):
        with mounted("ext4", options="noatime") as point:
            bad_phase(f"{name}, 16 MB", point)
        with mounted("ext4", options="noatime") as point:
            good_phase(f"{name}, 16 MB, MADV_RANDOM", point, LIMIT, True)
    with mounted("ext4", options="noatime") as point:
        good_phase("no limit", point, None, False)
    finish()


main()
