#!/usr/bin/env python3
# vm: --mem 512 --disk 2048 --disk 64 --append slab_nomerge
# timeout: 1500
"""memory.py - what pcinspect takes is bounded, counted and given back.

Nothing is allocated while memory is reclaimed; the times of dirty pages and the
bits of unused ones go with their ledger, so that old runs cost later ones
nothing; memory_bytes agrees with slabinfo; the filter for reads of untracked
files is empty when nothing is tracked.
"""
import contextlib
import mmap
import os
import struct
import subprocess
import time
from check import (DEBUGFS, KERNEL, PAGE, entry, equal, finish, info, mounted, ok, rounds, run,
                   tool, unflushed)

MB = 1 << 20
FILES = 20000
FRAMES = 32 << 10  # what a few tasks are in the middle of is counted as well


def memory():
    return int(info()["memory_bytes"])


def back_to(limit):
    """memory_bytes once it is back; a work item gives back."""
    for _ in range(300):
        now = memory()
        if now <= limit:
            break
        time.sleep(0.1)
    return now


def field(path, name):
    with open(path, encoding="ascii") as f:
        for line in f:
            if line.split()[0].rstrip(":") == name:
                return int(line.split()[1])
    raise KeyError(name)


def reload(*args):
    subprocess.run(["rmmod", "pcinspect"], check=False, stderr=subprocess.DEVNULL)
    run("modprobe", "pcinspect", *args)


@contextlib.contextmanager
def running(*args):
    """A run whose command does nothing until the end of the block."""
    with subprocess.Popen(["pcinspect", "run", *args, "--", "cat"],
                          stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as p:
        while info()["run"] != "active":
            time.sleep(0.1)
        yield
        p.stdin.close()


def pressure():
    """KiB of SUnreclaim that come while all of the page cache is reclaimed."""
    stolen = field("/proc/vmstat", "pgsteal_kswapd") + field("/proc/vmstat", "pgsteal_direct")
    was = field("/proc/meminfo", "SUnreclaim")
    held = []
    while field("/proc/meminfo", "Cached") > 60 << 10 or len(held) < 50:
        m = mmap.mmap(-1, MB)
        m.write(b"x" * MB)
        held.append(m)
        if field("/proc/meminfo", "MemAvailable") < 24 << 10:
            break
    time.sleep(1)
    grown = field("/proc/meminfo", "SUnreclaim") - was
    stolen = field("/proc/vmstat", "pgsteal_kswapd") + \
        field("/proc/vmstat", "pgsteal_direct") - stolen
    for m in held:
        m.close()
    return grown, stolen


def make_files(point):
    for i in range(FILES):
        if i % 1000 == 0:
            os.mkdir(f"{point}/{i // 1000}")
        fd = os.open(f"{point}/{i // 1000}/{i}", os.O_WRONLY | os.O_CREAT)
        os.write(fd, b"x" * 4096)
        os.close(fd)
    os.sync()


def reclaim():
    """K3: a run is no reason to allocate while memory is short."""
    killed = field("/proc/vmstat", "oom_kill")
    plain = None
    for args in (None, [], ["max_inodes=1048576"]):
        what = "no module" if args is None else " ".join(args) or "default max_inodes"
        if args is None:
            run("rmmod", "pcinspect")
        else:
            reload(*args)
        with mounted("ext4", options="noatime", mkfs=["-N", str(FILES + 1000)]) as point:
            make_files(point)
            if args is None:
                plain, stolen = pressure()
                made = 0
            else:
                with running("-m", point):
                    grown, stolen = pressure()
                    made = int(info().get("ledgers", -1))
                print(f"# {KERNEL} reclaim, {what}: SUnreclaim {grown} KiB, without us {plain}")
                ok(f"reclaim, {what}: SUnreclaim grew within 4 MiB of what it does without us",
                   grown - plain <= 4096, (grown, plain))
                ok(f"reclaim, {what}: no ledger for a file that only lost its pages",
                   0 <= made < 100, made)
        ok(f"reclaim, {what}: most of the files were reclaimed", stolen > FILES // 2, stolen)
    equal("reclaim: nobody was killed", field("/proc/vmstat", "oom_kill") - killed, 0)


def room():
    """Free memory: a probe's GFP_NOWAIT finds none beside a full cache."""
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
        f.write("1")


def alone(path, first, nr):
    """Dirty @nr pages, each in a chunk of its own."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    for i in range(first, first + nr):
        os.pwrite(fd, b"x", i * 64 * PAGE)
    os.close(fd)


def runs():
    """K9: what a run took is given back, and later ones find room."""
    reload("max_dirty_bytes=1048576")
    nr = rounds(12, 100)
    with mounted("ext4", options="noatime") as point, unflushed():
        path = f"{point}/s"
        with open(f"{point}/hold", "w", encoding="ascii") as f:
            f.write("x")
        tool("track", f"{point}/hold")
        run("pcinspect", "run", "--", "true")
        was = memory()
        for k in range(nr):
            room()
            run("pcinspect", "run", "--", "python3", "-c",
                "import os, sys\n"
                "fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)\n"
                f"for i in range(1000): os.pwrite(fd, b'x', ({k} * 1000 + i) * 64 * {PAGE})",
                path)
            os.truncate(path, 0)
        equal(f"runs: {nr} of them lose no time", info()["lost_dirty_times"], "0")
        left = back_to(was + FRAMES) - was
        ok(f"runs: memory_bytes is back after {nr} of them", left <= FRAMES, left)

        alone(path, 0, 0)
        tool("track", path)
        room()
        lost = int(info()["lost_dirty_times"])
        alone(path, 0, 200)
        d = entry(path)["dirty"]
        lost = int(info()["lost_dirty_times"]) - lost
        equal("runs: a file that is tracked then has all ages but those counted as lost",
              (d["pages"], d["unknown_age_pages"]), (200, lost))
        ok("runs: old ones have left room for most", lost < 50, lost)
        tool("untrack", path)
        left = back_to(was + FRAMES) - was
        ok("untrack: times of what is dirty still are given back", left <= FRAMES, left)


def unused():
    """K9: bits of unused pages go with the last untrack."""
    with mounted("ext4", options="noatime") as point:
        path = f"{point}/u"
        fd = os.open(path, os.O_RDWR | os.O_CREAT)
        os.ftruncate(fd, 16 << 30)
        with open(f"{point}/hold", "w", encoding="ascii") as f:
            f.write("x")
        tool("track", f"{point}/hold")
        was = memory()
        tool("track", path)
        for i in range(4000):
            os.posix_fadvise(fd, i * 4 * MB, PAGE, os.POSIX_FADV_WILLNEED)
        took = memory() - was
        ok("unused: they are counted", 4000 * 128 <= took <= 4000 * 512, took)
        tool("untrack", path)
        left = back_to(was + FRAMES) - was
        ok("unused: and given back with the last untrack", left <= FRAMES, left)
        os.close(fd)


def slabs():
    """Bytes of our objects by slabinfo."""
    total = 0
    with open("/proc/slabinfo", encoding="ascii") as f:
        for line in f:
            word = line.split()
            if word[0].startswith("pcinspect_"):
                total += int(word[1]) * int(word[3])
    return total


def agrees():
    """memory_bytes is what the kernel's allocator says."""
    reload()
    with mounted("ext4", options="noatime") as point, unflushed():
        ours, theirs = memory(), slabs()
        with running("-m", point):
            for i in range(2000):
                with open(f"{point}/{i}", "w", encoding="ascii") as f:
                    f.write("x")
            alone(f"{point}/s", 0, 8000)
            ours, theirs = memory() - ours, slabs() - theirs
            ok("memory_bytes: within 5 % of slabinfo", abs(ours - theirs) <= theirs * 0.05 and
               theirs > 6 * MB, (ours, theirs))


def peek(symbol, size):
    """Bytes of a variable of the module, by /proc/kcore."""
    with open("/proc/kallsyms", encoding="ascii") as f:
        at = next(int(line.split()[0], 16) for line in f
                  if line.split()[2:] == [symbol, "[pcinspect]"])
    with open("/proc/kcore", "rb") as f:
        head = f.read(64)
        phoff, phnum = struct.unpack_from("<Q", head, 32)[0], struct.unpack_from("<H", head, 56)[0]
        f.seek(phoff)
        for ph in struct.iter_unpack("<IIQQQQQQ", f.read(56 * phnum)):
            if ph[0] == 1 and ph[3] <= at < ph[3] + ph[5]:
                f.seek(ph[2] + at - ph[3])
                return f.read(size)
    raise KeyError(symbol)


def bits():
    return sum(byte.bit_count() for byte in peek("pcinspect_track_filter", 512))


def the_filter():
    """K17: a run over many files is forgotten by the filter as well."""
    with mounted("ext4", options="noatime") as point:
        with open(f"{point}/hold", "w", encoding="ascii") as f:
            f.write("x")
        tool("track", f"{point}/hold")
        with running("-m", point):
            for i in range(500):
                with open(f"{point}/{i}", "w", encoding="ascii") as f:
                    f.write("x")
            ok("filter: has the files of a run", bits() > 300, bits())
        equal("filter: after it, only the one that is tracked", bits(), 1)
        tool("untrack", f"{point}/hold")
        equal("filter: and then none", bits(), 0)


def longest_unchanged():
    """K14: those that changed last stay."""
    reload("max_inodes=64")
    with mounted("ext4", options="noatime") as point:
        fd = os.open(f"{point}/busy", os.O_WRONLY | os.O_CREAT)
        for i in range(200):
            with open(f"{point}/n{i}", "w", encoding="ascii") as f:
                f.write("x")
            os.pwrite(fd, b"x", i * PAGE)
            if i % 10 == 9:
                time.sleep(0.2)
        os.close(fd)
        with open(f"{DEBUGFS}/inodes", encoding="utf-8") as f:
            lines = [line.split() for line in f]
        kept = [dict(zip(lines[0], line))["inserted"] for line in lines[1:]
                if line[-1] == "/busy"]
        equal("full: the one that changes all the time keeps its record", kept, ["200"])


runs()
unused()
agrees()
the_filter()
longest_unchanged()
reclaim()
finish()
