#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# minutes: 3
"""aging.py - a walk of the LRU lists is exact while MGLRU ages mapped folios.

Aging by page tables changes the generation in a folio's flags, and leaves the folio on the
list of its old generation until reclaim comes to it. A process maps a file and reads it,
generations are added: first the machine is idle then, and every look must agree with stat and
with the kernel's counts, with no page "moved"; then the process goes on reading and ages are
added meanwhile, and every look must have all pages. Where reclaim alone ages, none may be UNTRUSTED.
"""
import json
import os
import subprocess
import tempfile
from check import (Cgroup, drain, emptied, equal, finish, lru_gen, make_file, mounted, ok, rounds, tool)

MB = 1 << 20
GENERATIONS = "/sys/kernel/debug/lru_gen"
READ = """
import mmap, os, sys
open(sys.argv[2] + "/cgroup.procs", "w").write("0")
m = mmap.mmap(os.open(sys.argv[1], os.O_RDONLY), 0, prot=mmap.PROT_READ)
for line in sys.stdin:
    for turn in range(int(line)):
        sum(m[i] for i in range(0, len(m), mmap.PAGESIZE))
    print("done", flush=True)
"""


def youngest(group):
    """A cgroup's number, and that of its youngest generation."""
    with open(GENERATIONS, encoding="ascii") as f:
        lines = [line.split() for line in f]
    at = next(i for i, words in enumerate(lines) if words[0] == "memcg" and
              words[2:] == [group.path.removeprefix("/sys/fs/cgroup")])
    number, seq = lines[at][1], 0
    for words in lines[at + 1:]:
        if words[0] == "memcg":
            break
        if words[0] != "node":
            seq = max(seq, int(words[0]))
    return number, seq


def age(group):
    number, seq = youngest(group)
    with open(GENERATIONS, "w", encoding="ascii") as f:
        f.write(f"+ {number} 0 {seq}\n")


def wrong(report):
    return [a for a in report["audit"] if not a["ok"]]


def lost(report):
    """A generation that is added between two readings turns active pages into inactive ones,
    on either side: while that goes on, only the sum of both can be held against others."""
    return [a for a in wrong(report) if not a["what"].endswith("active_pages")]


def look(*args):
    """A report, and whether its status says that it is to be trusted."""
    p = subprocess.run(["pcinspect", *args, "--json"], capture_output=True, check=False)
    return json.loads(p.stdout), p.returncode, p.stderr.decode()


def parts(pages):
    return {key: pages[key] for key in ("cached", "active", "inactive")}


def idle(path):
    for turn in range(rounds(10, 334)):
        drain()
        machine, status, err = look("machine", "--once", "--limit", "0")
        file = next(f for f in machine["files"] if f["path"] == path)
        told = tool("stat", path)["files"][0]
        if not turn:
            equal("idle: machine == stat, list by list", parts(file["pages"]), parts(told["pages"]))
            equal("idle: all of the file is cached", told["pages"]["cached"], SIZE // 4096)
        if parts(file["pages"]) != parts(told["pages"]) or wrong(machine) or status:
            ok(f"idle: look {turn}: exact", False, (file, told["pages"], wrong(machine), err))
        after = look("next", "--bytes", "512M")[0]
        if after["next"]["moved"]:
            ok(f"idle: look {turn}: next: nothing has moved", False, after["next"]["moved"])
    ok("idle: every look agrees with stat and the kernel", True)


def busy(group, reader):
    """The process reads its mapping, and generations are added while each look is taken."""
    looks = rounds(20, 200)
    untrusted, ages = [], 0
    reader.stdin.write(b"1000000\n")
    reader.stdin.flush()
    for _ in range(looks):
        # Into a file: the report may be larger than a pipe, and nobody reads it meanwhile.
        with tempfile.TemporaryFile() as out, \
                subprocess.Popen(["pcinspect", "machine", "--once", "--json"], stdout=out,
                                 stderr=subprocess.PIPE) as p:
            while p.poll() is None:
                age(group)
                ages += 1
            out.seek(0)
            report, err = json.load(out), p.stderr.read()
        if lost(report) or (p.returncode and not wrong(report)):
            untrusted.append((p.returncode, wrong(report), err))
    ok("busy: generations were added meanwhile", ages >= looks, ages)
    equal(f"busy: none of {looks} looks has lost a page", untrusted, [])


def pressed(path):
    """The process reads a mapping that is larger than its cgroup: reclaim ages by itself."""
    emptied(path)
    group = Cgroup("pressed", SIZE - 8 * MB)
    looks, bad = rounds(20, 1000), []
    with subprocess.Popen(["python3", "-c", READ, path, group.path], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as reader:
        reader.stdin.write(b"1\n1000000\n")
        reader.stdin.flush()
        reader.stdout.readline()
        first = youngest(group)[1]
        for _ in range(looks):
            report, status, err = look("machine", "--once")
            if status or wrong(report):
                bad.append((status, wrong(report), err))
        ok("pressed: generations were added meanwhile", youngest(group)[1] > first,
           (first, youngest(group)))
        reader.kill()
    equal(f"pressed: none of {looks} looks is UNTRUSTED", bad, [])
    group.remove()


SIZE = 48 * MB
lru_gen(True)
with mounted("ext4") as mnt:
    mapped = f"{mnt}/mapped"
    make_file(mapped, SIZE)
    inside = Cgroup("aged")
    with open(mapped, "rb") as f:
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    with subprocess.Popen(["python3", "-c", READ, mapped, inside.path], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        for _ in range(3):
            process.stdin.write(b"1\n")
            process.stdin.flush()
            process.stdout.readline()
            age(inside)
        idle(mapped)
        busy(inside, process)
        process.kill()
    inside.remove()
    pressed(mapped)
finish()
