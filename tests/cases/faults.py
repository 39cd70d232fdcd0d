#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: debug
# soak: debug-rt
# timeout: 2400
# minutes: 3
"""faults.py - memory allocation failing at every single place.

On the debug kernel: /proc/self/fail-nth fails the n-th allocation of a task.
For n = 1, 2, 3, … until nothing failed any more, each request of the module is
made once: it either works or says "out of memory", and KASAN, lockdep and
kmemleak have nothing to say.
"""
import ctypes
import errno
import fcntl
import mmap
import os
import struct
import threading
from check import (Cgroup, dontneed, equal, finish, hole, info, make_file, mounted, ok,
                   removed_disk, rounds, run)
from tracing import TRACING

MB = 1 << 20
QUERY, LIST, RUN = "IiQQII", "IIIIQQQQ16sIIQ", "IIII16I"
LISTS = "IiIIQQQQQIIIIQII"
NEXT = "II" + LISTS + "9Q"


def ioc(nr, size):
    return 3 << 30 | size << 16 | 0xdb << 8 | nr


def with_faults(name, act, step=1):
    """Run act() with the n-th allocation failing, for every (step-th) n."""
    n, failed, odd = 1 - step, 0, []
    nth = os.open("/proc/thread-self/fail-nth", os.O_RDWR)
    while n < 2000 * step:
        n += step
        os.pwrite(nth, str(n).encode(), 0)
        try:
            act()
        except OSError as e:
            failed += 1
            # a scan that could not look says so and may be repeated
            if e.errno not in (errno.ENOMEM, errno.EAGAIN):
                odd.append((n, e.errno))
        left = int(os.pread(nth, 16, 0).split(b"\0")[0])
        os.pwrite(nth, b"0", 0)
        if left:                           # fewer than n allocations: all done
            break
    os.close(nth)
    equal(f"{name}: fails with ENOMEM or not at all", odd, [])
    ok(f"{name}: {n - 1} allocations were failed one by one" + f", each {step}th" * (step > 1),
       1 < n < 2000 * step, (n, failed))


def first_reads(file):
    """A tracked file is read by tasks that have read nothing yet, and each allocation of
    that fails in turn: the module has some entries of tasks set aside, and loses none."""
    before, left = info()["lost_frames"], [0]

    def read(n):
        nth = os.open("/proc/thread-self/fail-nth", os.O_RDWR)
        os.pwrite(nth, str(n).encode(), 0)
        os.pread(file, 1, 0)
        left[0] = int(os.pread(nth, 16, 0).split(b"\0")[0])
        os.pwrite(nth, b"0", 0)
        os.close(nth)

    n = 0
    while not left[0] and n < 100:
        n += 1
        reader = threading.Thread(target=read, args=(n,))
        reader.start()
        reader.join()
    # PREEMPT_RT takes all from what is set aside, and allocates nothing then.
    ok(f"first read of a task: {n - 1} allocations were failed one by one",
       n < 100 and (n > 1 or "PREEMPT_RT" in os.uname().version), n)
    equal("first read of a task: all were followed", info()["lost_frames"], before)


def made(path):
    """A new file with a page."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT)
    hole(fd)
    os.close(fd)


class Spreads:
    """Which allocations of larger tables of buckets (tally_spread(), module/walk/tally.c)
    found no memory, by probes on it and on kvmalloc() within."""
    EVENTS = f"{TRACING}/events/tally"

    def __init__(self):
        with open("/proc/kallsyms", encoding="ascii") as f:
            names = [line.split()[2] for line in f]
        spread = next(name for name in names if name.startswith("tally_spread"))
        alloc = next(name for name in ("__kvmalloc_node_noprof", "kvmalloc_node_noprof", "kvmalloc_node")
                     if name in names)
        self.put("kprobe_events", f"p:tally/begins pcinspect:{spread}\n"
                 f"r:tally/ends pcinspect:{spread}\nr:tally/allocated {alloc} got=$retval\n")
        self.put("events/tally/allocated/filter", "got == 0")
        self.put("events/tally/enable", "1")

    @staticmethod
    def put(name, words):
        with open(f"{TRACING}/{name}", "w", encoding="ascii") as f:
            f.write(words)

    def failed(self):
        """How many, since it was asked last; and how many there were."""
        within, failed, seen = False, 0, 0
        with open(f"{TRACING}/trace", encoding="utf-8") as f:
            for line in f:
                within |= ": begins:" in line
                failed += within and ": allocated:" in line
                seen += ": begins:" in line
                within &= ": ends:" not in line
        self.put("trace", "")
        return failed, seen

    def end(self):
        self.put("events/tally/enable", "0")
        self.put("kprobe_events", "")


def growing(mnt, dev):
    """The table of files has no memory to grow any more. The caller pays for it, so that
    its cgroup's limit says when: at each number of pages. Longer chains give the same answer;
    all else has to be there, or none is given. Nobody is killed for it."""
    nr, walked, payer, room = 4300, Cgroup("walked"), Cgroup("payer"), bytearray(1 << 13)
    inside, mine, back = (os.open(f"{path}/cgroup.procs", os.O_WRONLY)
                          for path in (walked.path, payer.path, "/sys/fs/cgroup"))
    os.mkdir(f"{mnt}/many")
    os.write(inside, b"0")
    for i in range(nr):
        made(f"{mnt}/many/{i}")
    os.write(back, b"0")
    run("sync")
    fd = os.open(walked.path, os.O_RDONLY)
    at = ctypes.addressof(ctypes.c_char.from_buffer(room))

    def walk(pages):
        """Files, their pages, and pages of files for which there was no room."""
        arg = bytearray(struct.pack(LISTS, struct.calcsize(LISTS), fd, 2 * nr, 0, at, 1 << 12,
                                    at + (1 << 12), 1 << 9, *[0] * 8))
        with open(f"{payer.path}/memory.max", "w", encoding="ascii") as f:
            f.write(str(pages * mmap.PAGESIZE))
        os.write(mine, b"0")
        try:
            fcntl.ioctl(dev, ioc(10, len(arg)), arg)
        finally:
            os.write(back, b"0")
        told = struct.unpack_from("17Q", room)
        return struct.unpack(LISTS, arg)[9], sum(told[12:14]), told[16]

    # Some are in a CPU's batch still, and come on a list meanwhile; none goes.
    least = nr - 5 * 31 * os.cpu_count()
    spreads, whole = Spreads(), walk(1 << 16)
    ok("growing: with memory for it, all files are told apart, in a table that grew",
       whole[0] >= least and whole[1] >= least and whole[2] == 0 and spreads.failed() == (0, 3), whole)
    before, refused, survived, odd = int(info()["memory_bytes"]), 0, 0, []

    def enough(pages):
        """Is there an answer? Then it has to be the whole one."""
        nonlocal refused, survived
        try:
            got = walk(pages)
        except OSError as e:
            spreads.failed()
            refused += 1
            if e.errno != errno.ENOMEM:
                odd.append((pages, e.errno))
            return False
        failed, seen = spreads.failed()
        survived += failed > 0
        if got[0] < whole[0] or got[1] < whole[1] or got[2] or seen != 3:
            odd.append((pages, got, seen))
        return True

    # The last growth takes more than all that comes after it together: a few pages less
    # than enough it fails, and nothing else does.
    few, many = 32, 1 << 10
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    for away in range(1, rounds(32, 256)):
        if survived and rounds(1, 0):
            break
        enough(max(32, few - away))
        enough(many + away)
    spreads.end()
    equal("growing: the whole answer, or ENOMEM", odd, [])
    ok("growing: both have been", refused, refused)
    ok("growing: without it, the answer is the same", survived, survived)
    # The entry of a task that has ended goes after a grace period.
    left = int(info()["memory_bytes"])
    ok("growing: nothing is left", left <= before, (left, before))
    with open(f"{payer.path}/memory.events", encoding="ascii") as f:
        equal("growing: nobody was killed", [line.split()[1] for line in f if "oom_kill" in line][0], "0")
    for each in fd, inside, mine, back:
        os.close(each)
    walked.remove()
    payer.remove()


with mounted("ext4") as mnt:
    path = f"{mnt}/f"
    make_file(path, MB)
    dev = os.open("/dev/pcinspect", os.O_RDWR)
    file = os.open(path, os.O_RDWR)
    room = ctypes.create_string_buffer(1 << 20)

    def query(nr, fd, record=0, device=None):
        arg = bytearray(struct.pack(QUERY, struct.calcsize(QUERY), fd, record,
                                    ctypes.addressof(room), 8192, 0))
        fcntl.ioctl(device or dev, ioc(nr, len(arg)), arg)
        return struct.unpack(QUERY, arg)[2]

    def hold_and_close():
        another = os.open("/dev/pcinspect", os.O_RDWR)
        try:
            return query(9, file, device=another)
        finally:
            os.close(another)

    def known(record):
        try:
            query(1, -1, record)
        except OSError as e:
            return errno.errorcode[e.errno]
        return True

    def listing(nr, detail=0):
        arg = bytearray(struct.pack(LIST, struct.calcsize(LIST), 254, 16, 0,
                                    ctypes.addressof(room), len(room), 0, 0,
                                    b"ext4", detail, 0, 0))
        fcntl.ioctl(dev, ioc(nr, len(arg)), arg)

    def devices():
        size = 4 + 4 + 13 * 8 + 64 * (4 + 4 + 11 * 8)
        arg = bytearray(size)
        arg[:4] = struct.pack("I", size)
        fcntl.ioctl(dev, ioc(7, size), arg)

    def lists():
        arg = bytearray(struct.pack(LISTS, struct.calcsize(LISTS), -1, 64, 0,
                                    ctypes.addressof(room), 1 << 16,
                                    ctypes.addressof(room) + (1 << 16), 1 << 11,
                                    0, 0, 0, 0, 0, 0, 0, 0))
        fcntl.ioctl(dev, ioc(10, len(arg)), arg)

    def following():
        """The same walk, its folios in their order: rows, lists, and the files' numbers."""
        here = ctypes.addressof(room)
        arg = bytearray(struct.pack(NEXT, struct.calcsize(NEXT), 0,
                                    struct.calcsize(LISTS), -1, 64, 0, here, 1 << 16,
                                    here + (1 << 16), 1 << 16, *[0] * 8,
                                    here + (1 << 17), 1 << 10, 0, here + (3 << 17), 1 << 10, 0,
                                    here + (5 << 17), 1 << 10, 0))
        fcntl.ioctl(dev, ioc(14, len(arg)), arg)
        got = struct.unpack_from("QQQQQQ", arg, 8 + struct.calcsize(LISTS))
        return got[2], got[5]

    def measured(start):
        size = struct.calcsize(RUN)
        fcntl.ioctl(dev, 1 << 30 | size << 16 | 0xdb << 8 | 8,
                    struct.pack(RUN, size, start, 0, 0, *[0] * 16))

    def measured_run():
        measured(1)
        measured(0)

    def track_and_untrack():
        query(2, file)
        query(3, file)

    def read(name):
        with open(f"/sys/kernel/debug/pcinspect/{name}", "rb") as f:
            f.read()

    with open("/sys/kernel/debug/failslab/ignore-gfp-wait", "w", encoding="ascii") as f:
        f.write("N")
    with_faults("snapshot", lambda: query(1, file))
    # Attaching every probe takes thousands of allocations, and long.
    with_faults("attaching the read side", track_and_untrack, 1499)
    other = os.open(f"{mnt}/other", os.O_RDWR | os.O_CREAT)
    query(2, other)
    with_faults("track and untrack", track_and_untrack)
    with_faults("hold and close", hold_and_close)
    equal("closed: the record is gone", known(hold_and_close()), "ENOENT")
    held = query(9, file)
    equal("held twice: one record", (hold_and_close(), query(9, file)), (held, held))
    equal("one of two closed: the other holds it", known(held), True)
    query(3, -1, held)
    equal("let go by both: gone", known(held), "ENOENT")
    query(2, file)
    run("cat", path)
    query(3, other)
    os.close(other)
    folder = os.listdir("/sys/kernel/debug/pcinspect/inode")[0]
    # These pass all inodes of the machine each time: all allocations in make soak.
    with_faults("list", lambda: listing(5), rounds(3, 1))
    with_faults("list, with ledgers", lambda: listing(5, 1), rounds(3, 1))
    with_faults("devices", devices)
    with_faults("LRU lists of cgroups", lists)
    ok("LRU lists in their order: there are rows, and lists", min(following()) > 0)
    # 154 allocations; all of them in make soak.
    with_faults("LRU lists in their order", following, rounds(5, 1))
    with_faults("reset", lambda: query(4, file))
    # A run attaches every hook as well: 400 allocations, each half a second after a grace
    # period. All of them in make soak, every 13th here.
    with_faults("run", measured_run, rounds(13, 1))
    with_faults("scan", lambda: listing(6))
    with_faults("info", lambda: read("info"))
    with_faults("inodes", lambda: read("inodes"), rounds(3, 1))
    with_faults("inode/lru", lambda: read(f"inode/{folder}/lru"))
    with_faults("inode/path", lambda: read(f"inode/{folder}/path"))
    with_faults("inode/reads", lambda: read(f"inode/{folder}/reads"))
    with_faults("inode/readahead", lambda: read(f"inode/{folder}/readahead"))
    with_faults("readahead", lambda: read("readahead"), rounds(3, 1))

    # The write side, also for what lockdep and KASAN say of it.
    m = mmap.mmap(file, 1 << 16)
    places = list(range(1 << 20, 1 << 30, 1 << 18))

    def dirty():
        """Each a page far from the others: a new chunk of times."""
        os.pwrite(file, b"x", places.pop())

    with_faults("dirty", dirty)
    os.fsync(file)
    m[:5] = b"store"
    m.flush()
    m.close()
    run("dd", "if=/dev/zero", f"of={path}", "bs=64k", "count=16", "conv=notrunc,fsync",
        "status=none")
    run("dd", "if=/dev/zero", f"of={path}", "bs=64k", "count=16", "conv=notrunc",
        "oflag=sync", "status=none")
    run("sync")
    with_faults("inode/dirty", lambda: read(f"inode/{folder}/dirty"))
    with_faults("inode/fsync", lambda: read(f"inode/{folder}/fsync"))
    with_faults("dirty of all", lambda: read("dirty"), rounds(3, 1))
    os.ftruncate(file, 0)

    pool = [f"{mnt}/n{i}" for i in range(200)]
    for new in pool:
        made(new)
    run("sync")
    for new in pool:
        dontneed(new)

    def insert():
        """Automatic records are made where this task inserts pages."""
        with open(pool.pop(), "rb", buffering=0) as f:
            f.read(1)

    with_faults("insert", insert)
    measured(1)
    with_faults("insert during a run", insert)
    measured(0)
    first_reads(file)
    query(3, file)
    os.close(file)
    # Last: its files would be in all the scans above.
    growing(mnt, dev)
    os.close(dev)
removed_disk()
run("rmmod", "pcinspect")
finish()
