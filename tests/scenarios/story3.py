#!/usr/bin/env python3
# vm: --mem 512 --disk 2048 --disk 64
# minutes: 2
"""story3.py - who is cached, who is re-read, and who evicted whom.

Two days' files that fit memory one by one but not together are read in turn; a
file larger than the cache is scanned again and again; and a hot file is wiped by
one streaming backup. After every pass the pages are those of mincore, the bytes
read those of diskstats; the backup is named as the evictor; and the cyclic scan
is told to be misses, although most of it is resident.
"""
import json
import os
import subprocess
from check import (Cgroup, KERNEL, dontneed, equal, finish, lrus, mincore,
                   mounted, ok, skip, tool)

MB = 1 << 20
LIMIT = 96 * MB


def sectors():
    with open("/sys/block/vdb/stat", encoding="ascii") as f:
        return int(f.read().split()[2])


def make(path, size):
    subprocess.run(["dd", "if=/dev/zero", f"of={path}", "bs=1M",
                    f"count={size // MB}", "conv=fsync", "status=none"], check=True)
    dontneed(path)


def run(point, group, *command):
    """pcinspect run of a command inside a cgroup; (report, disk bytes)."""
    before = sectors()
    subprocess.run(["pcinspect", "run", "-m", point, "--explain", "--report",
                    "/tmp/r.json", "--", "sh", "-c",
                    f'echo $$ >{group.path}/cgroup.procs; exec "$@"', "sh",
                    *command], stdout=subprocess.DEVNULL, check=True)
    disk = (sectors() - before) * 512
    with open("/tmp/r.json", encoding="utf-8") as f:
        return json.load(f), disk


def entry(report, path):
    return next((f for f in report["files"] if f["path"] == path), None)


def check_pass(label, path, report, disk):
    f = entry(report, path)
    equal(f"{label}: cached == mincore", f["pages"]["cached"], mincore(path))
    ok(f"{label}: bytes read within 0.5 % of diskstats",
       abs(f["reads"]["device_bytes"] - disk) <= max(disk * 0.005, 16384),
       (f["reads"]["device_bytes"], disk))
    return f


def days(label, point):
    """A three times, then B: in how many passes is B cached?"""
    a, b = f"{point}/a", f"{point}/b"
    for path in (a, b):
        make(path, 60 * MB)
    group = Cgroup("days", LIMIT)
    for i in range(3):
        report, disk = run(point, group, "cat", a)
        check_pass(f"{label}: A, pass {i + 1}", a, report, disk)
    needed = 0
    for i in range(4):
        report, disk = run(point, group, "cat", b)
        f = check_pass(f"{label}: B, pass {i + 1}", b, report, disk)
        if f["reads"]["device_bytes"] < 30 * MB:
            break
        needed += 1
    print(f"# {KERNEL} {label}: B needed {needed} passes, A keeps {mincore(a)} pages")
    ok(f"{label}: B is cached in the end", 1 <= needed <= 3, needed)
    group.remove()
    for path in (a, b):
        os.unlink(path)


def cyclic(label, point):
    path = f"{point}/c"
    make(path, 120 * MB)
    group = Cgroup("cyclic", LIMIT)
    group.run("cat", path)
    report, disk = run(point, group, "cat", path, path)
    f = check_pass(f"{label}: cyclic", path, report, disk)
    resident = f["pages"]["cached"] / (120 * MB / 4096)
    misses = f["reads"]["device_bytes"] / f["reads"]["demanded_bytes"]
    print(f"# {KERNEL} {label}: cyclic: {resident:.0%} resident, {misses:.0%} re-read")
    equal(f"{label}: cyclic: demanded", f["reads"]["demanded_bytes"], 240 * MB)
    if misses < 0.75:
        skip(f"{label}: cyclic: the verdict", f"only {misses:.0%} was read again")
    else:
        v = [v for v in report["verdicts"] if v["verdict"] == "working-set-too-large"]
        ok(f"{label}: cyclic: explain speaks of hits, not of residency",
           v and f"~{100 - misses * 100:.0f} %" in v[0]["text"], report["verdicts"])
    equal(f"{label}: cyclic: it evicts itself",
          {e["path"] for e in f["reads"]["evicted_by"]}, {path})
    group.remove()
    os.unlink(path)


def wiped(label, point):
    """By its own direct reclaim, in a cgroup; then by kswapd, without one."""
    hot, backup = f"{point}/hot", f"{point}/backup"
    make(hot, 40 * MB)
    make(backup, 200 * MB)
    group = Cgroup("wiped", LIMIT)
    for _ in range(4):
        group.run("cat", hot)
    before = mincore(hot)
    report, disk = run(point, group, "cat", backup)
    f = entry(report, hot)
    lost = before - mincore(hot)
    ok(f"{label}: device bytes of the backup",
       abs(entry(report, backup)["reads"]["device_bytes"] - disk) <= disk * 0.005,
       disk)
    print(f"# {KERNEL} {label}: hot lost {lost} of {before} pages")
    if lost < 1024:
        ok(f"{label}: this LRU keeps the hot file, and so do we say",
           f is None or f["reads"]["removed"]["reclaim"] <= lost, f and f["reads"])
    else:
        by = f["reads"]["evicted_by"]
        equal(f"{label}: evictions == residency lost",
              f["reads"]["removed"]["reclaim"], lost)
        equal(f"{label}: each has an evictor", sum(e["pages"] for e in by), lost)
        named = sum(e["pages"] for e in by
                    if e["path"] == backup and e["comm"] == "cat")
        ok(f"{label}: the backup is named for 95 %", named >= lost * 0.95, by)
        exact = sum(e["pages"] for e in by if e["inferred"] is False)
        print(f"# exact {exact}, inferred {lost - exact}")
        equal(f"{label}: nobody asked for it again: it is no victim", streams(report), [])
    # Once more, and now it is wanted afterwards. A stream is new: not what came back.
    dontneed(backup)
    for _ in range(2):
        group.run("cat", hot)
    report, disk = run(point, group, "cat", backup, hot)
    f = entry(report, hot)
    if not f or f["reads"]["refault_pages"] < 2048:
        skip(f"{label}: the verdict", "it was not read again")
    else:
        by = sum(e["pages"] for e in f["reads"]["evicted_by"] if e["path"] == backup)
        v = streams(report)
        ok(f"{label}: explain names the backup", by * 2 < f["reads"]["removed"]["reclaim"] or
           (v and backup in v[0]["text"] and v[0]["paths"] == [hot]), report["verdicts"])
    group.remove()
    for path in (hot, backup):
        os.unlink(path)


def streams(report):
    return [v for v in report["verdicts"] if v["verdict"] == "evicted-by-stream"]


def guarded(label, point):
    """An idle file that reclaim may not take: the run that misses memory never meets it."""
    idle, busy = f"{point}/idle", f"{point}/busy"
    make(idle, 40 * MB)
    make(busy, 72 * MB)
    parent = Cgroup("guard", LIMIT)
    with open(f"{parent.path}/cgroup.subtree_control", "w", encoding="ascii") as f:
        f.write("+memory")
    keeper, worker = Cgroup("guard/keeper"), Cgroup("guard/worker")
    with open(f"{keeper.path}/memory.min", "w", encoding="ascii") as f:
        f.write(str(64 * MB))
    keeper.run("cat", idle)
    kept = mincore(idle)
    report, _ = run(point, worker, "cat", busy, busy, busy)
    f = entry(report, busy)
    inserted = f["reads"]["inserted_pages"]
    print(f"# {KERNEL} {label}: idle keeps {kept} pages, {f['reads']['refault_pages']} of "
          f"{inserted} came back")
    ok(f"{label}: it kept all of its pages", mincore(idle) == kept == 40 * MB // 4096, kept)
    equal(f"{label}: the run did not meet it", entry(report, idle), None)
    said = [v for v in report["verdicts"] if v["verdict"].startswith("idle-file-holds-")]
    if f["reads"]["refault_pages"] * 3 < inserted:
        skip(f"{label}: who holds memory", "too little came back")
    else:
        ok(f"{label}: who holds memory is named, and how to drop it",
           len(said) == 1 and f" {idle} holds " in said[0]["text"] and
           said[0]["evidence"]["idle_pages"] >= kept * 0.95 and
           said[0]["remedy"]["command"] == f"dd if={idle} iflag=nocache count=0 status=none" and
           (said[0]["scope"], said[0]["place"], said[0]["certain"]) ==
           ("cgroup", "/guard", False), report["verdicts"])
    # Not in a run: of those that are tracked.
    tool("track", idle, busy)
    worker.run("cat", busy)
    report = tool("explain", busy)
    said = [v for v in report["verdicts"] if v["verdict"].startswith("idle-file-holds-")]
    (f,) = report["files"]
    if f["reads"]["refault_pages"] * 3 < f["reads"]["inserted_pages"]:
        skip(f"{label}: who holds memory, of tracked files", "too little came back")
    else:
        ok(f"{label}: who holds memory, of tracked files", len(said) == 1 and
           f" {idle} holds " in said[0]["text"] and "nobody has used" in said[0]["text"],
           report["verdicts"])
    tool("untrack")
    for group in keeper, worker, parent:
        group.remove()
    for path in (idle, busy):
        os.unlink(path)


def outside(label, point):
    """No run: of the two files only the one that is wiped is tracked."""
    hot, backup = f"{point}/hot", f"{point}/backup"
    make(hot, 40 * MB)
    make(backup, 200 * MB)
    tool("track", hot)
    group = Cgroup("outside", LIMIT)
    group.run("cat", hot)
    before = mincore(hot)
    group.run("cat", backup)
    lost = before - mincore(hot)
    reads = tool("reads", hot)["files"][0]["reads"]
    if lost < 1024:
        skip(f"{label}: not in a run", f"it lost only {lost} pages")
    else:
        by = reads["evicted_by"]
        named = sum(e["pages"] for e in by
                    if e["path"] == backup and e["comm"] == "cat")
        equal(f"{label}: not in a run: evictions == residency lost",
              reads["removed"]["reclaim"], lost)
        ok(f"{label}: not in a run: the backup is named for 95 %", named >= lost * 0.95, by)
    group.remove()
    tool("untrack", hot)
    for path in (hot, backup):
        os.unlink(path)


def kswapd(label, point):
    hot, backup = f"{point}/hot", f"{point}/backup"
    with open("/proc/meminfo", encoding="ascii") as f:
        free = next(int(line.split()[1]) for line in f
                    if line.startswith("MemAvailable")) // 1024 * MB
    make(hot, 48 * MB)
    subprocess.run(["truncate", "-s", str(free + 200 * MB), backup], check=True)
    subprocess.run(["cat", hot], stdout=subprocess.DEVNULL, check=True)
    before = mincore(hot)
    group = Cgroup("free")
    report, _ = run(point, group, "cat", backup)
    lost = before - mincore(hot)
    f = entry(report, hot)
    if lost < 1024 or f is None:
        skip(f"{label}: kswapd", f"it took only {lost} pages of the hot file")
    else:
        by = f["reads"]["evicted_by"]
        named = sum(e["pages"] for e in by if e["path"] == backup)
        inferred = sum(e["pages"] for e in by if e["inferred"])
        print(f"# {KERNEL} {label}: kswapd took {lost}: {inferred} inferred")
        ok(f"{label}: kswapd: the backup is named for 95 %", named >= lost * 0.95, by)
        ok(f"{label}: kswapd: exact and inferred sum up",
           sum(e["pages"] for e in by) == f["reads"]["removed"]["reclaim"], by)
    group.remove()
    for path in (hot, backup):
        os.unlink(path)


def main():
    for label in lrus("story 3"):
        with mounted("ext4", options="noatime") as point:
            days(label, point)
            cyclic(label, point)
            wiped(label, point)
            guarded(label, point)
    with mounted("ext4", options="noatime") as point:
        outside(label, point)
        kswapd(label, point)
    finish()


main()
