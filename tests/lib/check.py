"""check.py - what every guest test shares.

Why: a guest test proves a number equal to a source that we did not write.
Those sources are here: memory.stat, mincore(2), cachestat(2); and the one way
to report: a line "ok - NAME" or "not ok - NAME # why", which tests/run counts.
May touch: anything; it only runs inside a throw-away guest.
"""
import contextlib
import ctypes
import errno
import fcntl
import glob
import json
import mmap
import os
import re
import struct
import subprocess
import sys
import time

PAGE = mmap.PAGESIZE
MOVE_PAGES = 279 if os.uname().machine == "x86_64" else 239
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int,
                      ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]

KERNEL = os.uname().release
SERIES = re.match(r"\d+\.\d+", KERNEL)[0]     # "6.12"
LRU_GEN = "/sys/kernel/mm/lru_gen/enabled"
DEBUGFS = "/sys/kernel/debug/pcinspect"
failures = 0


def ok(name, good, why=""):
    """Report one test."""
    global failures
    if good:
        print(f"ok - {name}", flush=True)
    else:
        failures += 1
        print(f"not ok - {name} # {why}", flush=True)
    return bool(good)


def equal(name, got, want):
    """Report whether two numbers are the same."""
    return ok(name, got == want, f"got {got}, want {want}")


def skip(name, why):
    """A test that this kernel cannot run, with the reason; not a pass."""
    print(f"skip - {name} # {why}", flush=True)


def rounds(short, long):
    """How often to repeat what a race may need many times to show: @short in make
    check, @long in make soak, times PCINSPECT_SOAK."""
    soak = int(os.environ.get("PCINSPECT_SOAK", "0"))
    return long * soak if soak else short


def finish():
    """Last call of every case."""
    print(f"# {os.path.basename(sys.argv[0])}: "
          f"{failures} failed on {KERNEL}", flush=True)
    sys.exit(1 if failures else 0)


def run(*cmd, **kw):
    """Run a command that has to succeed; its stdout."""
    return subprocess.run(cmd, check=True, stdout=subprocess.PIPE,
                          text=True, errors="replace", **kw).stdout


def cat(*paths):
    """Read files whole, in a process of that name. (run() would decode them, which takes the
    emulator as long as a second for 8 MiB.)"""
    subprocess.run(["cat", *paths], check=True, stdout=subprocess.DEVNULL)


def tool(*args, check=0):
    """pcinspect ARGS --json; the report."""
    p = subprocess.run(["pcinspect", *args, "--json"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    if p.returncode != check:
        raise RuntimeError(f"pcinspect {args[:3]} ended with {p.returncode}: "
                           f"{p.stderr.decode(errors='replace')}")
    return json.loads(p.stdout)


def stat(path):
    """The entry of one path."""
    return tool("stat", path)["files"][0]


def pages(path):
    """Its page counts."""
    return stat(path)["pages"]


def split(p):
    """The sum that cached must be."""
    return p["active"] + p["inactive"] + p["unevictable"] + p["off_lru"]


def file_pages(size):
    return (size + PAGE - 1) // PAGE


def resident(path, offset=0, length=None):
    """The indexes of a file's pages that are cached, by mincore(2)."""
    fd = os.open(path, os.O_RDONLY)
    try:
        if length is None:
            length = os.lseek(fd, 0, os.SEEK_END)
        found, chunk = set(), 64 << 20
        end = offset + length
        while offset < end:
            n = min(chunk, end - offset)
            at = libc.mmap(None, n, mmap.PROT_READ, mmap.MAP_SHARED, fd, offset)
            if at in (None, ctypes.c_void_p(-1).value):
                raise OSError(ctypes.get_errno(), "mmap")
            vec = ctypes.create_string_buffer(file_pages(n))
            if libc.mincore(at, n, vec):
                raise OSError(ctypes.get_errno(), "mincore")
            libc.munmap(at, n)
            found.update(i for i, byte in enumerate(vec.raw, offset // PAGE) if byte & 1)
            offset += n
        return found
    finally:
        os.close(fd)


def mincore(path, offset=0, length=None):
    """How many they are."""
    return len(resident(path, offset, length))


def cachestat(path):
    """cachestat(2) as a dict, None where the kernel has none (before 6.5)."""
    fd = os.open(path, os.O_RDONLY)
    try:
        rng = (ctypes.c_uint64 * 2)(0, 0)
        cs = (ctypes.c_uint64 * 5)()
        if libc.syscall(451, fd, rng, cs, 0):
            if ctypes.get_errno() == errno.ENOSYS:
                return None
            raise OSError(ctypes.get_errno(), "cachestat")
        return dict(zip(("cache", "dirty", "writeback", "evicted", "recent"), cs))
    finally:
        os.close(fd)


def dontneed(path):
    """Empty a file's cache and nothing else's."""
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


def by_our_clock(label, ours, clock):
    """Hold what calls took, in their order, against a clock read before and after each:
    never more than that, and for one of them at least within a tenth and 2 ms. Where the
    machine did something else in between, it can be as much less as that took."""
    ok(f"{label}: no call took longer than by our clock", len(ours) == len(clock) and all(
        a <= b for a, b in zip(ours, clock)), (ours, clock))
    ok(f"{label}: duration within 10 % of our clock", any(
        b - a <= b * 0.1 + 2e6 for a, b in zip(ours, clock)), (ours, clock))


def entry(path, command="dirty"):
    """A view's numbers of one file."""
    return tool(command, path)["files"][0]


def disk_bytes(disk="vdb"):
    """Bytes that a block device has read and written, by its own counters."""
    with open("/proc/diskstats", encoding="ascii") as f:
        words = next(line.split() for line in f if line.split()[2] == disk)
    return int(words[5]) * 512, int(words[9]) * 512


def info():
    """The lines of debugfs info and hooks."""
    lines = {}
    for name in ("info", "hooks"):
        with open(f"{DEBUGFS}/{name}", encoding="utf-8") as f:
            lines.update(line.split(": ", 1) for line in f.read().splitlines())
    return lines


def uncalled():
    """Functions that are probed and were never seen to be called."""
    names = info()["hooks_not_called"]
    return set() if names == "-" else set(names.split())


def setting(name, value):
    """Set a knob of /proc/sys/vm; returns what it was."""
    with open(f"/proc/sys/vm/{name}", encoding="ascii") as f:
        was = f.read().strip()
    with open(f"/proc/sys/vm/{name}", "w", encoding="ascii") as f:
        f.write(str(value))
    return was


@contextlib.contextmanager
def unflushed(disk="vdb"):
    """Dirty pages stay dirty until somebody asks. Left alone, an inode's pages go
    with the age of the first that was dirty on it (fsync(2) does not take it off the
    list: __mark_inode_dirty(), 6.12), and five seconds after any write if the disk
    has lost its share of the background limit (wb_over_bg_thresh())."""
    knobs = [f"/sys/block/{disk}/bdi/min_ratio", *glob.glob("/sys/class/bdi/btrfs-*/min_ratio")]
    expire = setting("dirty_expire_centisecs", 360000)
    for knob in knobs:
        with open(knob, "w", encoding="ascii") as f:
            f.write("45")
    try:
        yield
    finally:
        for knob in knobs:
            with contextlib.suppress(FileNotFoundError), open(knob, "w", encoding="ascii") as f:
                f.write("0")
        setting("dirty_expire_centisecs", expire)


def emptied(path):
    """A file of which nothing is cached, nor held by somebody still."""
    for _ in range(50):
        drain()
        dontneed(path)
        if not mincore(path):
            return
        time.sleep(0.1)
    raise RuntimeError(f"{path}: {mincore(path)} pages stay in the cache")


def drain():
    """Empty every CPU's LRU batches: move_pages(2) calls lru_cache_disable()."""
    page = mmap.mmap(-1, PAGE)
    page[0] = 1
    at = (ctypes.c_void_p * 1)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    node, status = (ctypes.c_int * 1)(0), (ctypes.c_int * 1)()
    if libc.syscall(MOVE_PAGES, 0, 1, at, node, status, 2):
        raise OSError(ctypes.get_errno(), "move_pages")


def lru_gen(on=None):
    """Switch MGLRU, or ask."""
    if on is not None:
        with open(LRU_GEN, "w", encoding="ascii") as f:
            f.write("y" if on else "n")
    with open(LRU_GEN, encoding="ascii") as f:
        return int(f.read(), 16) & 1


def lrus(what):
    """For each LRU that WHAT is to be seen on: switch to it, and its name."""
    if KERNEL.startswith("6.1."):
        lru_gen(False)
        yield "classic"
    else:
        skip(f"{what} on the classic lists", "run on 6.1, where both are")
    lru_gen(True)
    yield "mglru"


def summed_up(cgroup):
    """Have its memory.stat, and its parents', be of now. A reading sums up what each CPU
    has only where that may be much: 64 changes or events a CPU (MEMCG_CHARGE_BATCH,
    memcg_rstat_updated(), mm/memcontrol.c); else a worker does, every 2 s. So a child has
    that many faults there, of the page of zeroes, which is charged to nobody; and the first
    ones elsewhere, so that what it copies of its parent's memory is not charged there."""
    pid = os.fork()
    if not pid:
        page = mmap.mmap(-1, PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        procs = os.open(f"{cgroup}/cgroup.procs", os.O_WRONLY)
        for who in b"", b"0":
            if who:
                os.write(procs, who)
            for _ in range(256 * os.cpu_count()):
                page.madvise(mmap.MADV_DONTNEED)
                _ = page[0]
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        raise RuntimeError(f"{cgroup}: no faults in it")
    with open(f"{cgroup}/memory.stat", encoding="ascii") as f:
        f.read()


class Cgroup:
    """A fresh memory cgroup. One who fills it with dirty pages wants the limit as
    memory.high: where all of memory.max is under writeback, reclaim gives up
    before the disk is done, and the writer is killed (seen on 6.12 with MGLRU)."""

    def __init__(self, name, limit=None, knob="max"):
        self.path = f"/sys/fs/cgroup/{name}"
        os.mkdir(self.path)
        if limit:
            with open(f"{self.path}/memory.{knob}", "w", encoding="ascii") as f:
                f.write(str(limit))

    def run(self, *cmd):
        """Run a command in it; everything it inserts is charged here."""
        pid = os.fork()
        if not pid:
            with open(f"{self.path}/cgroup.procs", "w", encoding="ascii") as f:
                f.write(str(os.getpid()))
            null = os.open("/dev/null", os.O_WRONLY)
            os.dup2(null, 1)
            os.execvp(cmd[0], cmd)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if status:
            raise RuntimeError(f"{cmd} ended with {status}")
        # Or reclaim takes the cgroup for an empty one, and drops all shadows in it
        # (count_shadow_nodes(), mm/workingset.c): nothing would be a refault.
        with open(f"{self.path}/memory.stat", encoding="ascii") as f:
            f.read()

    def stat(self):
        """memory.stat in pages, of now."""
        summed_up(self.path)
        with open(f"{self.path}/memory.stat", encoding="ascii") as f:
            return {k: int(v) // PAGE if k not in COUNTS else int(v)
                    for k, v in (line.split() for line in f)}

    def remove(self):
        os.rmdir(self.path)


@contextlib.contextmanager
def limited(mib):
    """The path of a memory cgroup with that limit, for as long."""
    group = Cgroup("limited", mib << 20)
    try:
        yield group.path
    finally:
        run("sync")
        group.remove()


# Lines of memory.stat that are not bytes.
COUNTS = {"pgfault", "pgmajfault", "pgsteal", "pgscan", "pgrefill", "pgactivate",
          "workingset_refault_file", "pgsteal_direct", "pgsteal_kswapd"}


@contextlib.contextmanager
def mounted(fs, device="/dev/vdb", point="/mnt/t", options=None, mkfs=()):
    """A fresh filesystem."""
    force = {"ext4": ["-q", "-F"], "xfs": ["-q", "-f"], "btrfs": ["-q", "-f"]}[fs]
    subprocess.run(["modprobe", "-q", fs], check=False)  # may be built in
    run(f"mkfs.{fs}", *force, *mkfs, device)
    os.makedirs(point, exist_ok=True)
    run("mount", *(["-o", options] if options else []), device, point)
    try:
        yield point
    finally:
        run("umount", point)


def make_file(path, size):
    """A file of random-looking bytes, on disk, not cached."""
    run("dd", "if=/dev/urandom", f"of={path}", "bs=64K",
        f"count={size >> 16}", "conv=fsync", "status=none")
    dontneed(path)


def hole(fd):
    """A page of it is in the cache, and clean: to write one takes as long as to make a file."""
    os.ftruncate(fd, 1)
    os.pread(fd, 1, 0)


def partition(disk, op, start=0, size=0):
    """BLKPG of partition 1: op 1 adds it, 2 removes it."""
    data = ctypes.create_string_buffer(struct.pack("qqi128x4x", start, size, 1))
    arg = struct.pack("iiiP", op, 0, len(data.raw), ctypes.addressof(data))
    with open(disk, "rb") as f:
        fcntl.ioctl(f, 0x1269, arg)


def removed_disk():
    """The disk of a tracked partition goes away: its record does not follow it."""
    back, loop, number = "/tmp/disk.img", "/dev/loop7", 7
    with open(back, "wb") as f:
        f.truncate(8 << 20)
    with open("/dev/loop-control", "rb") as control:
        with contextlib.suppress(FileExistsError):
            fcntl.ioctl(control, 0x4C80, number)            # LOOP_CTL_ADD
        run("losetup", loop, back)
        partition(loop, 1, 1 << 20, 4 << 20)
        fd = os.open(f"{loop}p1", os.O_RDONLY)
        os.read(fd, 1 << 20)
        tracked = tool("track", f"{loop}p1")["files"][0]
        ok("a partition is tracked", tracked["record"]["kind"] == "explicit" and
           tracked["pages"]["cached"] >= 256, tracked)
        os.close(fd)
        partition(loop, 2)
        run("losetup", "-d", loop)
        for _ in range(100):                                # the last close is yet to come
            with contextlib.suppress(OSError):
                fcntl.ioctl(control, 0x4C81, number)        # LOOP_CTL_REMOVE
            if not os.path.exists("/sys/block/loop7"):
                break
            time.sleep(0.1)
    ok("its disk is gone", not os.path.exists("/sys/block/loop7"))
    equal("top after the disk of a tracked partition is gone",
          subprocess.run(["pcinspect", "top", "--once"], stdout=subprocess.DEVNULL,
                         check=False).returncode, 0)
    with open(f"{DEBUGFS}/inodes", encoding="ascii") as f:
        ok("and debugfs", f.read())
    run("pcinspect", "untrack")
    os.unlink(back)
