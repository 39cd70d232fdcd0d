#!/usr/bin/env python3
# vm: --mem 768 --disk 512 --icount
# kernels: none
# soak: 6.1 6.12 7.2
# timeout: 1500
# minutes: 5
"""eta.py - how far off the seconds are that next says, under a steady stream.

In a cgroup with a limit files are read, and a stream goes on at a steady pace, by the
clock: next says in how many milliseconds the median page of each file goes, by the pages
ahead of it and the rate at which reclaim takes them. Then each file is looked at with
mincore(2) until half of what it had is gone. Prints each; the median must be within 15 %,
on both kinds of reclaim. The guest's clock is one of instructions (--icount): what else runs
on this machine is not in it.
"""
import os
import signal
import statistics
import sys
import time

sys.path.insert(0, os.environ["HERE"])
from check import PAGE, Cgroup, finish, lru_gen, make_file, mincore, mounted, ok, run, tool  # noqa: E402

MIB = 1 << 20
FILES, SIZE, LIMIT = 6, 2 * MIB, 48 * MIB
STEP, PACE = 16, 1024  # pages at a time, pages a second


def stream(group, paths, gap):
    """Reads the files with a piece of the stream behind each, then the stream for ever."""
    pid = os.fork()
    if pid:
        return pid
    with open(f"{group.path}/cgroup.procs", "w", encoding="ascii") as f:
        f.write(str(os.getpid()))
    source = os.open("/mnt/t/stream", os.O_RDONLY)
    # Its pages are to come as they are read. On 7.2 windows of large folios do all at once.
    os.posix_fadvise(source, 0, 0, os.POSIX_FADV_RANDOM)
    for path in paths:
        with open(path, "rb", buffering=0) as f:
            while f.read(STEP * PAGE):
                pass
        for _ in range(gap // STEP):
            os.read(source, STEP * PAGE)
    began, steps = time.monotonic(), 0
    while True:
        os.read(source, STEP * PAGE)
        steps += 1
        time.sleep(max(0, began + steps * STEP / PACE - time.monotonic()))


def check_one(kind, rep):
    """Returns how far off each file was, as a part of what was said."""
    run("sh", "-c", "echo 3 >/proc/sys/vm/drop_caches")
    group = Cgroup(f"eta-{kind}{rep}", LIMIT)
    paths = [f"/mnt/t/f{i}" for i in range(FILES)]
    pid = stream(group, paths, 512 + 256 * rep)
    while not stolen(group):
        time.sleep(0.1)
    time.sleep(1)
    said = tool("next", "--bytes", "64M", "--interval", "1", f"/eta-{kind}{rep}")
    now, began = time.monotonic_ns(), said["time_ns"]
    had = {path: mincore(path) for path in paths}
    eta = {f["path"]: f["median_eta_ms"] for f in said["next"]["files"]
           if had.get(f["path"], 0) > 64 and f["median_eta_ms"] is not None}
    errors = []
    while eta and now - began < 60e9:
        time.sleep(0.02)
        for path in [path for path in eta if mincore(path) * 2 <= had[path]]:
            now = time.monotonic_ns()
            said_ms, was_ms = eta.pop(path), (now - began) / 1e6
            errors.append(abs(was_ms - said_ms) / max(said_ms, 250))
            print(f"# {kind} {rep} {path}: said {said_ms} ms, was {was_ms:.0f} ms, "
                  f"{errors[-1] * 100:.1f} % off", flush=True)
        now = time.monotonic_ns()
    ok(f"{kind} {rep}: each went", not eta, eta)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return errors


def stolen(group):
    with open(f"{group.path}/memory.stat", encoding="ascii") as stat:
        return int(dict(map(str.split, stat))["pgsteal"])


with mounted("ext4"):
    run("truncate", "-s", "1T", "/mnt/t/stream")  # all holes: no disk has a pace of its own
    for i in range(FILES):
        make_file(f"/mnt/t/f{i}", SIZE)
    for name in "classic", "mglru":
        lru_gen(name == "mglru")
        off = [e for each in range(4) for e in check_one(name, each)]
        print(f"# {name}: {len(off)} files, median {statistics.median(off) * 100:.1f} % off, "
              f"at most {max(off) * 100:.1f} %", flush=True)
        ok(f"{name}: files were followed", len(off) >= 8, off)
        ok(f"{name}: the median is within 15 %", statistics.median(off) <= 0.15, off)
finish()
