#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# soak: 6.1-rt 6.12-rt 7.2-rt 6.1-cloud 6.12-cloud 7.2-cloud 7.3 6.12-arm64 6.12-arm64-16k 7.2-arm64
"""lru.py - active and inactive pages of files == memory.stat, page for page.

A fresh memory cgroup holds nothing but the pages of some files: their names,
blocks and the programs that read them were touched outside of it before. The
workload is cat, dd and vmtouch. On ext4 and xfs, on the classic lists and on
MGLRU, and right after switching between them at run time. Generations are those of
debugfs lru_gen, also as they age: a folio has its generation's number modulo four.
"""
import os
import subprocess
import time
from check import (PAGE, Cgroup, drain, dontneed, emptied, equal, finish, lru_gen, make_file,
                   mincore, mounted, ok, run, skip, split, tool)

MB = 1 << 20


def sums(paths):
    files = tool("stat", *paths)["files"]
    total = {}
    for f in files:
        for key in ("cached", "active", "inactive", "unevictable", "off_lru"):
            total[key] = total.get(key, 0) + f["pages"][key]
        for gen in f["lru_generations"] or []:
            total[gen["age"]] = total.get(gen["age"], 0) + gen["pages"]
        if split(f["pages"]) != f["pages"]["cached"]:
            ok(f"{f['path']}: cached is the sum of its parts", False, f["pages"])
    return total


def compare(label, group, paths):
    drain()
    stat = group.stat()
    ours = sums(paths)
    charged = [m for f in tool("stat", *paths)["files"] for m in f["memcg"]]
    elsewhere = sum(m["pages"] for m in charged if m["path"] != "/inside")
    # Then the cgroup is not alone with the files, and its lists are not theirs.
    if elsewhere:
        skip(f"{label}: active and inactive against memory.stat",
             f"{elsewhere} pages are not the cgroup's: {charged}")
    else:
        equal(f"{label}: active == memory.stat active_file",
              ours["active"], stat["active_file"])
        equal(f"{label}: inactive == memory.stat inactive_file",
              ours["inactive"], stat["inactive_file"])
    if not equal(f"{label}: cached == memory.stat file",
                 ours["cached"] - elsewhere, stat["file"]):
        print(f"# charged: {charged}, memory.stat says {group.stat()['file']} now", flush=True)
    equal(f"{label}: nothing off the LRU after a drain", ours["off_lru"], 0)
    return ours


GENERATIONS = "/sys/kernel/debug/lru_gen"


def generations(group):
    """The kernel's numbers of a cgroup: its own, its youngest generation's, and the file
    pages in each by age."""
    with open(GENERATIONS, encoding="ascii") as f:
        _, _, block = f.read().partition(f" {group.path.removeprefix('/sys/fs/cgroup')}\n")
        f.seek(0)
        number = next(line.split()[1] for line in f if line.split()[0] == "memcg" and
                      line.split()[2:] == [group.path.removeprefix("/sys/fs/cgroup")])
    rows = [tuple(map(int, line.split())) for line in
            block.partition("memcg")[0].splitlines() if "node" not in line]
    youngest = max(row[0] for row in rows)
    return number, youngest, {youngest - row[0]: row[3] for row in rows}


TOUCH = """
import mmap, os, sys
open(sys.argv[2] + "/cgroup.procs", "w").write("0")
m = mmap.mmap(os.open(sys.argv[1], os.O_RDONLY), 0, prot=mmap.PROT_READ)
for line in sys.stdin:
    print(sum(m[i] for i in range(0, len(m), mmap.PAGESIZE)), flush=True)
"""


def aged(label, group, paths):
    """New generations: a file that somebody goes on reading through a mapping comes into
    them, others are read anew or stay behind."""
    seen = set()
    with subprocess.Popen(["python3", "-c", TOUCH, paths[2], group.path], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as reader:
        for turn in range(4):
            reader.stdin.write(b"\n")
            reader.stdin.flush()
            reader.stdout.readline()
            drain()
            number, youngest, theirs = generations(group)
            ours = sums(paths)
            equal(f"{label}, {turn} times aged: the files' pages by generation",
                  {age: ours[age] for age in range(4)},
                  {age: theirs.get(age, 0) for age in range(4)})
            (entry,) = tool("cgroup", group.path)["cgroups"]
            equal(f"{label}, {turn} times aged: and the cgroup's",
                  {g["age"]: g["pages"] for g in entry["lru_generations"]},
                  {age: ours[age] for age in range(4)})
            seen.add(tuple(ours[age] for age in range(4)))
            if turn == 3:
                break
            with open(GENERATIONS, "w", encoding="ascii") as f:
                f.write(f"+ {number} 0 {youngest}\n")
            equal(f"{label}: a generation more", generations(group)[1], youngest + 1)
            if turn < 2:
                emptied(paths[turn])
                group.run("cat", paths[turn])
        reader.stdin.close()
    ok(f"{label}: they have moved, and some stayed behind",
       len(seen) > 1 and any(sum(map(bool, ages)) > 1 for ages in seen), seen)


def workload(group, paths):
    a, b, c = paths
    group.run("cat", a, a, a)                       # read by fd, three times
    group.run("dd", f"if={b}", "of=/dev/null", "bs=1M", "status=none")
    group.run("vmtouch", "-q", "-t", c)             # through a mapping


def one(fs, mglru):
    label = f"{fs}, {'mglru' if mglru else 'classic'}"
    lru_gen(mglru)
    with mounted(fs) as mnt:
        paths = [f"{mnt}/{n}" for n in "abc"]
        for path in paths:
            make_file(path, 24 * MB)
        # Programs and metadata get cached outside of the cgroup; of Python, which runs in
        # it until exec(), all.
        run("dd", f"if={os.path.realpath('/proc/self/exe')}", "of=/dev/null", "bs=1M", "status=none")
        outside = Cgroup("outside")
        workload(outside, paths)
        # Pages that the kernel still refers to stay, charged to outside:
        # the comparison begins when none is left.
        for _ in range(20):
            drain()
            for path in paths:
                dontneed(path)
            if not any(mincore(path) for path in paths):
                break
            time.sleep(0.1)
        equal(f"{label}: nothing is cached before",
              [mincore(path) for path in paths], [0, 0, 0])
        group = Cgroup("inside")
        workload(group, paths)
        ours = compare(label, group, paths)
        equal(f"{label}: all pages are cached", ours["cached"], 3 * 24 * MB // PAGE)
        if mglru:
            equal(f"{label}: generations sum up to the list pages",
                  sum(ours[age] for age in range(4)),
                  ours["active"] + ours["inactive"])
            aged(label, group, paths)
        else:
            ok(f"{label}: pages read again are active", ours["active"] > 0, ours)

        lru_gen(not mglru)
        other = "mglru" if not mglru else "classic"
        compare(f"{label}, switched to {other}", group, paths)
        group.run("cat", paths[1])
        compare(f"{label}, switched to {other} and read again", group, paths)
        lru_gen(mglru)
        compare(f"{label}, switched there and back", group, paths)
        for path in paths:
            os.unlink(path)
    group.remove()
    outside.remove()


for filesystem in ("ext4", "xfs"):
    for flavour in (False, True):
        one(filesystem, flavour)
finish()
