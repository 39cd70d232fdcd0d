#!/usr/bin/env python3
# vm: --mem 512 --disk 2048 --disk 64 --append slab_nomerge
# soak: 6.1-rt 6.12-rt 7.2-rt
# timeout: 1500
# minutes: 2
"""memory.py - what pcinspect takes is bounded, counted and given back.

Nothing is allocated while memory is reclaimed; the times of dirty pages and the
bits of unused ones go with their ledger, so that old runs cost later ones
nothing, and not in an interrupt; walks over LRU lists are counted as well; idle threads cost no more than a bound;
memory_bytes agrees with slabinfo and vmallocinfo; the filter for reads of
untracked files is empty when nothing is tracked, and what is done to them leaves
no trace. memory.py [WHICH…].
"""
import contextlib
import ctypes
import fcntl
import mmap
import os
import re
import signal
import struct
import subprocess
import sys
import time
from check import (DEBUGFS, KERNEL, PAGE, Cgroup, entry, equal, finish, hole, info, mounted, ok,
                   rounds, run, setting, tool, unflushed)
from tracing import TRACING, calls, entered

MB = 1 << 20
# With a ledger each, and that is what must not be: twice the 4 MiB that are allowed.
FILES = rounds(8000, 20000)
THREADS = rounds(2000, 7000)
INSTANCE = "pre_handler_kretprobe"  # where the kernel takes one
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


def pressure(group):
    """KiB of SUnreclaim that come while memory is short and all that is cached for a cgroup
    is reclaimed, and of how many pages that was. So many pages are
    reclaimed that only a given number is left, whatever else was cached."""
    was = field("/proc/meminfo", "SUnreclaim")
    held = []
    while field("/proc/meminfo", "MemAvailable") > 24 << 10:
        m = mmap.mmap(-1, MB)
        m.write(b"x" * MB)
        held.append(m)
    for _ in range(20):
        with contextlib.suppress(BlockingIOError), \
                open(f"{group.path}/memory.reclaim", "w", encoding="ascii") as f:
            f.write(str(FILES * PAGE))
        if group.stat()["file"] < FILES // 10:
            break
    grown, stolen = field("/proc/meminfo", "SUnreclaim") - was, group.stat()["pgsteal"]
    for m in held:
        m.close()
    return grown, stolen


def make_files(point, group):
    """Cached for that cgroup."""
    pid = os.fork()
    if not pid:
        with open(f"{group.path}/cgroup.procs", "w", encoding="ascii") as f:
            f.write(str(os.getpid()))
        for i in range(FILES):
            if i % 1000 == 0:
                os.mkdir(f"{point}/{i // 1000}")
            fd = os.open(f"{point}/{i // 1000}/{i}", os.O_RDWR | os.O_CREAT)
            hole(fd)
            os.close(fd)
        os.sync()
        os._exit(0)
    equal("reclaim: the files are there", os.waitpid(pid, 0)[1], 0)


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
            group = Cgroup("files")
            make_files(point, group)
            if args is None:
                plain, stolen = pressure(group)
                made = 0
            else:
                with running("-m", point):
                    grown, stolen = pressure(group)
                    made = int(info().get("ledgers", -1))
                print(f"# {KERNEL} reclaim, {what}: SUnreclaim {grown} KiB, without us {plain}; "
                      f"{stolen} pages reclaimed")
                ok(f"reclaim, {what}: SUnreclaim grew within 4 MiB of what it does without us",
                   grown - plain <= 4096, (grown, plain))
                ok(f"reclaim, {what}: no ledger for a file that only lost its pages",
                   0 <= made < 100, made)
        ok(f"reclaim, {what}: most of the files were reclaimed", stolen > FILES // 2, stolen)
        group.remove()
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
    nr = rounds(6, 100)
    with mounted("ext4", options="noatime") as point, unflushed():
        path = f"{point}/s"
        with open(f"{point}/hold", "w", encoding="ascii") as f:
            f.write("x")
        nothing = memory()
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
        if (d["pages"], d["unknown_age_pages"]) != (200, lost):
            print("#", d, "again", entry(path)["dirty"], tool("stat", path)["files"][0], info(),
                  sep="\n# ")
        equal("runs: a file that is tracked then has all ages but those counted as lost",
              (d["pages"], d["unknown_age_pages"]), (200, lost))
        ok("runs: old ones have left room for most", lost < 50, lost)
        tool("untrack", path)
        left = back_to(was + FRAMES) - was
        ok("untrack: times of what is dirty still are given back", left <= FRAMES, left)
        run("pcinspect", "untrack")
        left = back_to(nothing + FRAMES) - nothing
        ok(f"runs: with the last untrack, after {nr} of them, all is given back",
           left <= FRAMES, left)


@contextlib.contextmanager
def where_freed(least):
    """In which contexts the module frees objects meanwhile, @least of them, whatever its
    functions are called: [in softirqs, elsewhere]. A work item frees them, and
    memory_bytes may be as good as back before it has done."""
    event, counts = f"{TRACING}/events/kmem/kmem_cache_free", [0, 0]
    with open("/proc/kallsyms", encoding="ascii") as f:
        text = [int(line.split()[0], 16) for line in f
                if line.endswith("[pcinspect]\n") and line.split()[1] in "tT"]
    hist = (f"hist:keys=common_flags if call_site >= {min(text):#x} && "
            f"call_site < {max(text) + PAGE:#x}")

    def put(words):
        with open(f"{event}/trigger", "w", encoding="ascii") as f:
            f.write(words)
    put(hist)
    yield counts
    for _ in range(300):
        counts[:] = 0, 0
        with open(f"{event}/hist", encoding="ascii") as f:
            for flags, hits in re.findall(r"common_flags: *(\d+) *} hitcount: *(\d+)",
                                          f.read()):
                counts[not int(flags) & 0x10] += int(hits)
        if sum(counts) >= least:
            break
        time.sleep(0.1)
    put(f"!{hist}")


def unused():
    """K9, K12: bits of unused pages go with the last untrack, and in no interrupt."""
    with mounted("ext4", options="noatime") as point:
        path = f"{point}/u"
        fd = os.open(path, os.O_RDWR | os.O_CREAT)
        os.ftruncate(fd, 4096 * 1024 * PAGE)
        with open(f"{point}/hold", "w", encoding="ascii") as f:
            f.write("x")
        tool("track", f"{point}/hold")
        was = memory()
        tool("track", path)
        for i in range(4000):
            os.posix_fadvise(fd, i * 1024 * PAGE, PAGE, os.POSIX_FADV_WILLNEED)
        took = memory() - was
        ok("unused: they are counted", 4000 * 128 <= took <= 4000 * 512, took)
        with where_freed(4000) as freed:
            tool("untrack", path)
            left = back_to(was + FRAMES) - was
        ok("unused: and given back with the last untrack", left <= FRAMES, left)
        print(f"# {KERNEL}: {freed[0]} objects freed in softirqs, {freed[1]} elsewhere", flush=True)
        ok("unused: outside of interrupts, however many", freed[0] < 100 and freed[1] >= 4000,
           freed)
        os.close(fd)


def slabs():
    """Bytes of our objects by slabinfo; and of those of all that others keep for us: names
    and inodes in debugfs, and 6.1's instances of kretprobes. Free objects that a cache
    keeps in sheaves count as used there (get_slabinfo(), mm/slub.c, 7.2): it is shrunk
    before it is read."""
    ours = others = 0
    shared = {"dentry", "inode_cache", "debugfs_inode_cache", "fsnotify_mark_connector"}
    if KERNEL.startswith("6.1."):
        shared.add("kmalloc-64")
    for cache in os.listdir("/sys/kernel/slab"):
        if cache.startswith("pcinspect_") or cache in shared:
            with open(f"/sys/kernel/slab/{cache}/shrink", "w", encoding="ascii") as f:
                f.write("1")
    with open("/proc/slabinfo", encoding="ascii") as f:
        for line in f:
            word = line.split()
            if word[0].startswith("pcinspect_"):
                ours += int(word[1]) * int(word[3])
            elif word[0] in shared:
                others += int(word[1]) * int(word[3])
    return ours, others


def areas():
    """Bytes of rings of kretprobes and of trampolines by vmallocinfo, without guard pages."""
    total = 0
    with open("/proc/vmallocinfo", encoding="ascii") as f:
        for line in f:
            if re.search(r"objpool|rethook|trampoline|ftrace", line):
                total += int(line.split()[1]) - PAGE
    return total


def agrees():
    """memory_bytes is what the kernel's allocators say."""
    reload()
    with mounted("ext4", options="noatime") as point, unflushed():
        with open(f"{point}/hold", "w", encoding="ascii") as f:
            f.write("x")
        tool("track", f"{point}/hold")
        ours, theirs = memory(), slabs()[0]
        # All of it is dirty, and some 40 MiB: the flusher would begin about there.
        was = [(name, setting(name, percent)) for name, percent in
               (("dirty_ratio", 90), ("dirty_background_ratio", 80))]
        with running("-m", point):
            for i in range(2000):
                with open(f"{point}/{i}", "w", encoding="ascii") as f:
                    f.write("x")
            alone(f"{point}/s", 0, 8000)
            some = [memory() - ours]
            theirs = slabs()[0] - theirs
            some.append(memory() - ours)
            ok("memory_bytes: within 5 % of slabinfo", min(some) <= theirs * 1.05 and
               max(some) >= theirs * 0.95 and theirs > 6 * MB, (some, theirs))
        for name, value in reversed(was):
            setting(name, value)
        tool("untrack", f"{point}/hold")
    with mounted("ext4", options="noatime") as point:
        paths = [f"{point}/{i}" for i in range(1000)]
        for path in paths:
            with open(path, "w", encoding="ascii") as f:
                f.write("x")
        before = memory()
        ours, theirs = before, sum(slabs()) + areas()
        run("pcinspect", "track", *paths)
        # The worker makes their folders.
        for _ in range(300):
            if len(os.listdir(f"{DEBUGFS}/inode")) == len(paths):
                break
            time.sleep(0.1)
        ours, theirs = memory() - ours, sum(slabs()) + areas() - theirs
        print(f"# {KERNEL} 1,000 tracked files: memory_bytes {ours}, slabs and areas {theirs}")
        ok("memory_bytes: with 1,000 tracked files and all hooks within 5 % of slabinfo "
           "and vmallocinfo", abs(ours - theirs) <= theirs * 0.05 and theirs > 8 * MB,
           (ours, theirs))
        share = bits() / (8 * len(peek("pcinspect_track_filter", FILTER_BYTES)))
        ok("filter: with 1,000 tracked files it lets through less than 4 % of others",
           0.01 < share < 0.04, share)
        run("pcinspect", "untrack")
        left = back_to(before + FRAMES) - before
        ok("memory_bytes: back after the last untrack", left <= FRAMES, left)


# THREADS FILE: write a byte, and then nothing until the end of stdin.
IDLE = r"""
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int wrote;

static void *one(void *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	if (pwrite(fd, "x", 1, 0) != 1 || close(fd))
		exit(2);
	wrote++;
	pause();
	return NULL;
}

int main(int argc, char **argv)
{
	int i, nr = atoi(argv[1]);
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	for (i = 0; i < nr; i++)
		if (pthread_create(&thread, &small, one, argv[2]))
			return 3;
	while (wrote < nr)
		usleep(10000);
	puts("idle");
	fflush(stdout);
	return getchar() != EOF;
}
"""


def threads():
    """K15: those that are in the middle of nothing cost no more than a bound."""
    with open("/tmp/idle.c", "w", encoding="ascii") as f:
        f.write(IDLE)
    run("gcc", "-O1", "-pthread", "-o", "/tmp/idle", "/tmp/idle.c")
    room()
    with open("/proc/sys/kernel/threads-max", "w", encoding="ascii") as f:
        f.write("20000")
    with mounted("ext4") as point:
        with open(f"{point}/hold", "w", encoding="ascii") as f:
            f.write("x")
        tool("track", f"{point}/hold")
        was = memory()
        with subprocess.Popen(["/tmp/idle", str(THREADS), f"{point}/other"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as p:
            equal(f"threads: {THREADS} wrote, and are idle", p.stdout.readline(), "idle\n")
            took = memory() - was
            print(f"# {KERNEL}: {THREADS} idle threads: {took} bytes", flush=True)
            ok("threads: they cost no more than a bound", took < THREADS * MB // 1000, took)
            p.stdin.close()
        left = back_to(was + FRAMES) - was
        ok("threads: and nothing once they are gone", left <= FRAMES, left)
        tool("untrack", f"{point}/hold")


# PCINSPECT_FILTER_BITS of module/records/filter.h
FILTER_BYTES = (1 << 15) // 8


def peek(symbol, size=0):
    """Bytes of a variable of the module, by /proc/kcore; all until the next one."""
    with open("/proc/kallsyms", encoding="ascii") as f:
        ours = [line.split() for line in f if line.endswith("[pcinspect]\n")]
    at = next(int(words[0], 16) for words in ours if words[2] == symbol)
    size = size or min(int(words[0], 16) for words in ours if int(words[0], 16) > at) - at
    with open("/proc/kcore", "rb") as f:
        head = f.read(64)
        phoff, phnum = struct.unpack_from("<Q", head, 32)[0], struct.unpack_from("<H", head, 56)[0]
        f.seek(phoff)
        for ph in struct.iter_unpack("<IIQQQQQQ", f.read(56 * phnum)):
            if ph[0] == 1 and ph[3] <= at < ph[3] + ph[5]:
                f.seek(ph[2] + at - ph[3])
                return f.read(size)
    raise KeyError(symbol)


LISTS = "IiII5Q4IQII"


def walks():
    """A walk over the LRU lists is in memory_bytes while it lasts, and not after it."""
    was = memory()
    pid = os.fork()
    if not pid:
        room = ctypes.create_string_buffer(MB)
        device = os.open("/dev/pcinspect", os.O_RDWR)
        while True:
            arg = bytearray(struct.pack(LISTS, struct.calcsize(LISTS), -1, 1 << 16, 0,
                                        ctypes.addressof(room), len(room), 0, 0, 0,
                                        0, 0, 0, 0, 0, 0, 0))
            fcntl.ioctl(device, 3 << 30 | len(arg) << 16 | 0xdb << 8 | 10, arg)
    # 72 KiB for the first 512 files, and 8 to find them. It does nothing else: it will be
    # met in one.
    while memory() < was + 2 * FRAMES and not os.waitpid(pid, os.WNOHANG)[0]:
        pass
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    left = back_to(was + FRAMES) - was
    ok("walks over LRU lists: they were counted, and nothing is left", left <= FRAMES, left)


def bits():
    return sum(byte.bit_count() for byte in peek("pcinspect_track_filter", FILTER_BYTES))


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


def use(path):
    """Appended to, written back, read in windows and by the page, mapped, written again."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT)
    os.write(fd, b"x" * MB)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    for i in range(128):
        os.pread(fd, PAGE, i * PAGE)
    with mmap.mmap(fd, MB, prot=mmap.PROT_READ) as m:
        sum(m[i] for i in range(0, MB, PAGE))
    os.pwrite(fd, b"y" * PAGE, 0)
    os.close(fd)


def chains():
    """K13: the table of chunks grows with what may be in it."""
    for limit in (1 * MB, 4 << 30):
        reload(f"max_dirty_bytes={limit}")
        chunks = limit // 312 + (64 * MB) // 176  # records/dirty.c, records/unused.c
        buckets = 1 << int.from_bytes(peek("sparse_bits", 4), "little")
        ok(f"chains of chunks: {chunks // buckets} long at max_dirty_bytes={limit}, all in use",
           chunks <= 8 * buckets, (chunks, buckets))


def untracked():
    """K1, K4: what is done to files that nobody tracks does not come as far as where the
    kernel takes an instance of a kretprobe, of one list for all CPUs (6.1), and enters no
    operation, and so takes no task's entry and no lock; when it exits as well."""
    with mounted("ext4", options="noatime") as point:
        with open(f"{point}/hold", "w", encoding="ascii") as f:
            f.write("x")
            f.flush()
            os.fsync(f.fileno())
        tool("track", f"{point}/hold")
        with calls("pcinspect_operation_push") as pushed, entered(INSTANCE) as taken:
            use(f"{point}/other")
            run("cat", f"{point}/other")
        equal("untracked: no operation is entered", pushed, [0])
        equal("untracked: no instance is asked for", taken, [0])
        with calls("pcinspect_operation_push") as pushed, entered(INSTANCE) as taken:
            use(f"{point}/hold")
        ok("untracked: of a tracked file they are", pushed[0] > 128, pushed)
        ok("untracked: and there is one for each", taken[0] >= pushed[0], (taken, pushed))
        tool("untrack", f"{point}/hold")


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


def budget():
    """max_memory_bytes is of all kinds together; what finds no room is counted, and told."""
    limit, files = 2 << 20, 3000
    reload(f"max_memory_bytes={limit}")
    equal("budget: it is shown", info()["max_memory_bytes"], str(limit))
    with mounted("ext4", options="noatime") as point:
        for i in range(files):
            with open(f"{point}/n{i}", "w", encoding="ascii") as f:
                f.write("x")
        tool("track", f"{point}/n0")
        with_one = memory()
        run("pcinspect", "untrack")
        with running("-m", point):
            for i in range(files):
                with open(f"{point}/n{i}", encoding="ascii") as f:
                    f.read()
            now = memory()
        ok("budget: no more is taken", limit // 2 < now - with_one <= limit, (with_one, now))
        lost = info()
        ok("budget: what found no room is counted", int(lost["lost_ledgers"]) + int(lost["lost_inodes"]) > files // 4, lost)
        p = subprocess.run(["pcinspect", "run", "-m", point, "--json", "--", "md5sum",
                            *(f"{point}/n{i}" for i in range(files))],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        equal("budget: a run that lost some says so", p.returncode, 3)
    reload()
    default = int(info()["max_memory_bytes"])
    ok("budget: by default half of the memory at most", 64 << 20 <= default <= 256 << 20, default)


for which in sys.argv[1:] or ("budget", "runs", "unused", "agrees", "threads", "walks", "the_filter",
                              "untracked", "chains", "longest_unchanged", "reclaim"):
    globals()[which]()
finish()
