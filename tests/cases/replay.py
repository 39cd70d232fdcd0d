#!/usr/bin/env python3
# vm: --mem 1024 --disk 512
# kernels: 6.12
# soak: 6.1 7.2
"""replay.py - explain says of a recording what it said live.

Each story in small: its files are tracked, recorded while a command does what the
story is about, explained live, and explained from the recording, after the settings
and limits that the verdicts speak of have been put back. Names, files and words are
the same; an age alone may grow meanwhile. The recordings are left in $OUT: kept ones
are in tests/fixtures/recordings.
"""
import os
import re
import subprocess
from check import dontneed, equal, finish, limited, make_file, mounted, ok, run, setting, tool

MB = 1 << 20
OUT = os.environ.get("OUT") or "/tmp"
# Reads around one page of each 32, in a cgroup, from when the interpreter is there.
AROUND = """
import mmap, os, sys
with open(sys.argv[1], "rb") as f:
    m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
open(sys.argv[2] + "/cgroup.procs", "w").write(str(os.getpid()))
for i in list(range(16, len(m) // 4096, 32)) * 3:
    m[i * 4096]
"""
OVERWRITE = """
import os, sys, time
fd = os.open(sys.argv[1], os.O_WRONLY)
os.pwrite(fd, b"x" * 65536, 0)
time.sleep(11)
"""
FSYNC = """
import os, sys
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
for i in range(3):
    os.pwrite(fd, b"x" * (1 << 20), i << 20)
    os.fsync(fd)
"""
# As tests/cases/writes.py has it: the kernel sums up a cgroup's counters every 2 s.
# And the kernel learns slowly how slow the disk is: go on until it has kept the writer
# waiting for long, as the module says, and for a part of the time that counts.
THROTTLED = """
import json, os, subprocess, sys, time
begun = time.monotonic()
def slept():
    text = subprocess.run(["pcinspect", "dirty", "--json", sys.argv[1]], check=False,
                          stdout=subprocess.PIPE).stdout
    return json.loads(text)["files"][0]["writeback"]["throttled"]["ms"] / 1000
open(sys.argv[2] + "/cgroup.procs", "w").write(str(os.getpid()))
fd = os.open(sys.argv[1], os.O_WRONLY)
for n in 96, 48:
    for i in range(n):
        os.write(fd, b"x" * (1 << 18))
    time.sleep(3 * (n == 96))
while slept() < 3 + 0.1 * (time.monotonic() - begun):
    for i in range(16):
        os.write(fd, b"x" * (1 << 18))
"""


def said(report):
    """Verdicts, without what time has done to them."""
    return sorted((v["verdict"], v["path"], re.sub(r"dirty for [\d.]+ s", "", v["text"]))
                  for v in report["verdicts"])


def replay(story, verdicts, paths, command, group=None):
    """Record COMMAND, explain live; what to compare when all has been put back."""
    dat = f"{OUT}/{story}.dat"
    tool("track", *paths)
    if group:
        command = ["sh", "-c", f'echo $$ >{group}/cgroup.procs; exec "$@"', "sh", *command]
    run("pcinspect", "record", "--interval", "60", "-o", dat, *paths, "--", *command,
        stderr=subprocess.DEVNULL)
    live = tool("explain", *paths)
    run("pcinspect", "untrack")
    names = {v["verdict"] for v in live["verdicts"]}
    ok(f"{story}: live: {', '.join(verdicts) or 'nothing'}",
       set(verdicts) <= names if verdicts else not names, said(live))
    return story, said(live)


def compare(story, live):
    report = tool("report", "--view", "explain", f"{OUT}/{story}.dat")
    equal(f"{story}: the recording says the same", said(report), live)
    text = run("pcinspect", "report", "--view", "explain", f"{OUT}/{story}.dat")
    ok(f"{story}: in text as well", all(name in text for name, _, _ in live), text)


def stories(point):
    """(what story, its verdicts) for each; settings hold until it is resumed."""
    path, other = f"{point}/a", f"{point}/b"
    make_file(path, 4 * MB)
    with limited(2) as group:
        yield replay("story1", ["mmap-read-around"], [path],
                     ["python3", "-c", AROUND, path, group])
    subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)
    yield replay("story2", [], [path],
                 ["dd", f"if={path}", "of=/dev/null", "bs=64k", "count=2", "iflag=direct",
                  "status=none"])
    yield replay("story2-writes", ["mixed-direct-and-buffered"], [path],
                 ["dd", "if=/dev/zero", f"of={path}", "bs=64k", "count=2", "oflag=direct",
                  "conv=notrunc", "status=none"])
    dontneed(path)
    make_file(path, 2 * MB)
    make_file(other, 12 * MB)
    with limited(6) as group:
        # The backup has no record: its name is in the recording as an evictor's.
        yield replay("story3", ["evicted-by-stream"], [path],
                     ["sh", "-c", f"cat {path} {other} {path} >/dev/null"], group)
    make_file(path, 6 * MB)
    with limited(4) as group:
        yield replay("story3-cyclic", ["working-set-too-large"], [path],
                     ["sh", "-c", f"cat {path} {path} {path} >/dev/null"], group)
    for p in path, other:
        dontneed(p)
    make_file(path, MB)
    was = [setting("dirty_expire_centisecs", 50), setting("dirty_writeback_centisecs", 0)]
    yield replay("overdue", ["data-overdue"], [path], ["python3", "-c", OVERWRITE, path])
    setting("dirty_expire_centisecs", was[0])
    setting("dirty_writeback_centisecs", was[1])
    run("sync")
    knob = "/sys/block/vdb/queue/max_sectors_kb"
    with open(knob, "r+", encoding="ascii") as f:
        kb = f.read()
        f.write("64")
    yield replay("fsync", ["fsync-split"], [path], ["python3", "-c", FSYNC, path])
    with open(knob, "w", encoding="ascii") as f:
        f.write(kb)
    # Nobody else has made it dirty: its writeback is the cgroup's.
    path = f"{point}/throttled"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
    with limited(64) as group:
        with open("/sys/block/vdb/dev", encoding="ascii") as f:
            disk = f.read().strip()
        with open(f"{group}/io.max", "w", encoding="ascii") as f:
            f.write(f"{disk} wbps={3 * MB}")
        yield replay("throttled", ["cgroup-dirty-throttled"], [path],
                     ["python3", "-c", THROTTLED, path, group])
        with open(f"{group}/io.max", "w", encoding="ascii") as f:
            f.write(f"{disk} wbps=max")


def expansion():
    """Story 5, on squashfs."""
    os.makedirs("/tmp/tree", exist_ok=True)
    make_file("/tmp/tree/f", 2 * MB)
    run("mksquashfs", "/tmp/tree", "/tmp/sq.img", "-b", "1M", "-noI", "-noD", "-noF", "-noX",
        "-no-fragments", "-quiet", "-no-progress")
    subprocess.run(["modprobe", "-q", "squashfs"], check=False)
    os.makedirs("/mnt/sq", exist_ok=True)
    run("mount", "-o", "loop,ro", "-t", "squashfs", "/tmp/sq.img", "/mnt/sq")
    yield replay("story5", ["filesystem-expansion"], ["/mnt/sq/f"],
                 ["dd", "if=/mnt/sq/f", "of=/dev/null", "bs=64", "count=1", "status=none"])
    run("umount", "/mnt/sq")


def main():
    with open("/sys/fs/cgroup/cgroup.subtree_control", "w", encoding="ascii") as f:
        f.write("+memory +io")
    # 7.2 has 8192.
    with open("/sys/block/vdb/queue/read_ahead_kb", "w", encoding="ascii") as f:
        f.write("128")
    # The kernel's symbols are most of a recording, and of no use here.
    run("mount", "--bind", "/dev/null", "/proc/kallsyms")
    with mounted("ext4", options="noatime") as point:
        done = list(stories(point))
    done += expansion()
    for story, live in done:
        compare(story, live)
    finish()


main()
