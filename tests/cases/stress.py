#!/usr/bin/env python3
# vm: --mem 1024 --smp 2 --disk 1024 --disk 512 --disk 256 --append movablecore=384M
# kernels: none
# soak: 6.1 6.12 7.2
# parallel: 6.12 7.2
# minutes: 20
# timeout: 6000
"""stress.py - all that can happen to a page cache at once, and nobody's data or module is harmed.

Files are written, read, mapped, truncated, punched, collapsed and moved, by programs that know
what must be in them; fio works beside; a cgroup swaps; caches are dropped, memory compacted,
huge pages made, generations aged. Meanwhile, round by round: files are tracked and untracked,
runs and watches come and go, every debugfs file is read; a filesystem is unmounted, a FUSE
server killed, an NFS server stopped; a CPU and a piece of memory go off and on, cgroups are
removed with their pages, MGLRU is switched, swap goes off and on, the module is unloaded and
loaded. No file may be other than written, no command fail, nothing be left; tests/vm looks for
splats. stress.py [ROUNDS [control]]: the same without the module.
"""
import contextlib
import glob
import os
import random
import signal
import subprocess
import sys
import time
from check import DEBUGFS, KERNEL, SERIES, Cgroup, equal, finish, info, lru_gen, make_file, mounted, \
    ok, rounds, run, skip
from remote import nfs_mounted

MB = 1 << 20
CONTROL = "control" in sys.argv
ROUNDS = int(sys.argv[1]) if sys.argv[1:] else rounds(6, 60)
THP = "/sys/kernel/mm/transparent_hugepage"
# A file and what must be in it. A process that ends other than by a signal has found an error.
WORK = """
import ctypes, mmap, os, random, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_long]
path, done = sys.argv[1:]
BLOCK, MOST = 4096, 2 << 20
want, n = bytearray(), 0
open(path, "wb").close()
direct = mmap.mmap(-1, 1 << 16)


def fallocate(fd, mode, at, size):
    return libc.fallocate(fd, mode, at, size) == 0


while True:
    what = random.randrange(13)
    at = random.randrange(MOST >> 12) << 12
    size = random.randrange(1, 33) << 12
    data = os.urandom(64) * (size // 64)
    fd = os.open(path, os.O_RDWR)
    if what < 3:
        at += random.randrange(BLOCK)
        os.pwrite(fd, data, at)
        want.extend(bytes(max(0, at + size - len(want))))
        want[at:at + size] = data
    elif what == 3:
        other = os.open(path, os.O_RDWR | os.O_DIRECT)
        direct[:] = os.urandom(64) * 1024
        os.pwritev(other, [direct], at)
        os.close(other)
        want.extend(bytes(max(0, at + len(direct) - len(want))))
        want[at:at + len(direct)] = direct[:]
    elif what == 4 and at + size <= len(want):
        with mmap.mmap(fd, len(want)) as m:
            m[at:at + size] = data
            if random.randrange(2):
                m.flush()
        want[at:at + size] = data
    elif what == 5:
        os.ftruncate(fd, at)
        want = want[:at] + bytes(max(0, at - len(want)))
    elif what == 6 and at + size < len(want) and fallocate(fd, 3, at, size):      # punch
        want[at:at + size] = bytes(size)
    elif what == 7 and at + size < len(want) and fallocate(fd, 8, at, size):      # collapse
        del want[at:at + size]
    elif what == 8 and at < len(want) < 2 * MOST and fallocate(fd, 0x20, at, size):  # insert
        want[at:at] = bytes(size)
    elif what == 9:
        os.fsync(fd)
        os.posix_fadvise(fd, 0, 0, random.choice((3, 4)))         # WILLNEED, DONTNEED
    elif what == 10:
        os.rename(path, path + ".moved")
        os.rename(path + ".moved", path)
    elif what == 11:
        os.link(path, path + ".kept")
        os.unlink(path)
        os.rename(path + ".kept", path)
    got = os.pread(fd, len(want) + 1, 0)
    if got != want:
        print(f"{path}: {what} at {at}, {size}: {len(got)} bytes for {len(want)}, the first other one:",
              next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), None), flush=True)
        sys.exit(3)
    os.close(fd)
    n += 1
    with open(done, "w") as f:
        f.write(str(n))
    time.sleep(0.01)        # the others need a CPU as well
"""
SWAPS = """
import mmap, random, time
m = mmap.mmap(-1, 40 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for i in range(0, len(m), 4096):
    m[i:i + 8] = i.to_bytes(8, "little")
while True:
    i = random.randrange(len(m) >> 12) << 12
    if m[i:i + 8] != i.to_bytes(8, "little"):
        raise SystemExit(3)
    if i % (16 << 12) == 0:
        time.sleep(0.01)
"""
LOOPS = [
    "echo $((RANDOM % 3 + 1)) >/proc/sys/vm/drop_caches; sleep 5",
    "echo 1 >/proc/sys/vm/compact_memory; sleep 3",
]
READERS = [
    f"cat {DEBUGFS}/* {DEBUGFS}/inode/*/*; sleep 2",
    "pcinspect top --once --scan /mnt/t; pcinspect status; pcinspect machine --once; sleep 2",
    "pcinspect cgroup; pcinspect next --bytes 1M; pcinspect stat -r /mnt/t; sleep 2",
    "pcinspect track /mnt/t/0 /mnt/t/fio*; pcinspect untrack /mnt/t/0 /mnt/t/fio*; sleep 2",
]


def begin(*command, stdout=subprocess.DEVNULL):
    return subprocess.Popen(command, start_new_session=True, stdout=stdout,
                            stderr=subprocess.DEVNULL)


def put(value, path):
    with open(path, "w", encoding="ascii") as f:
        f.write(str(value))


class Load:
    """Those who work, and those who look."""

    def __init__(self, point):
        self.done = [f"/tmp/done.{i}" for i in range(2)]
        self.said = open("/tmp/said", "w+b")      # pylint: disable=consider-using-with
        self.procs = [begin("python3", "-c", WORK, f"{point}/{i}", done, stdout=self.said)
                      for i, done in enumerate(self.done)]
        self.procs += [begin("fio", "--name=fio", f"--directory={point}", "--rw=randrw", "--size=8m",
                             "--bsrange=4k-64k", "--ioengine=mmap", "--time_based", "--runtime=100000",
                             "--thread", "--rate_iops=50", "--fsync=64")]
        self.procs += [begin("bash", "-c", f"while :; do {loop}; done")
                       for loop in LOOPS + ([] if CONTROL else READERS)]
        self.swapping = Cgroup("swapping", 16 * MB, "high")
        self.procs.append(begin("python3", "-c", SWAPS))
        put(self.procs[-1].pid, f"{self.swapping.path}/cgroup.procs")

    def worked(self):
        """Rounds of each."""
        return [int(open(d, encoding="ascii").read() or 0) if os.path.exists(d) else 0
                for d in self.done]

    def stop(self):
        """The programs that ended early, and their output."""
        ended = [p.args[2][-60:] for p in self.procs if p.poll() is not None]
        for p in self.procs:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)
                p.wait()
                while True:         # what it has started
                    os.killpg(p.pid, 0)
                    time.sleep(0.05)
        while "populated 1" in open(f"{self.swapping.path}/cgroup.events", encoding="ascii").read():
            time.sleep(0.1)
        self.swapping.remove()
        self.said.seek(0)
        return ended, self.said.read().decode()


# --- what happens, round by round; each says what went wrong, or nothing --------------------
def looked(point, nr):
    """Reports and records come and go."""
    wrong = []
    for command in (["track", f"{point}/0", f"{point}/1"], ["reads", f"{point}/0"],
                    ["dirty", f"{point}/1"], ["untrack", f"{point}/0", f"{point}/1"],
                    ["run", "-m", point, "--", "sh", "-c", f"cat {point}/0; dd if=/dev/zero "
                     f"of={point}/mine bs=64k count=8 conv=fsync; rm {point}/mine"],
                    ["watch", "--json", "--interval", "0.2", "--for", "1", f"{point}/0", f"{point}/1"]):
        p = subprocess.run(["pcinspect", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           check=False)
        if p.returncode == 1:
            print("#", command[0], p.stderr[-200:], p.stdout[-300:], flush=True)
        # 1: something is left out, and said; a file may be renamed or gone at this moment. 3: a
        # loss. 64: it was untracked by another.
        if p.returncode not in (0, 1, 3) and (command[0], p.returncode) != ("untrack", 64):
            wrong.append((nr, command[:2], p.returncode, p.stderr[-300:]))
    return wrong


def track(*paths):
    if not CONTROL:
        subprocess.run(["pcinspect", "track", *paths], stdout=subprocess.DEVNULL, check=True)


def unmounted(nr):
    point = "/mnt/other"
    run("mount", "/dev/vdc", point)
    for i in range(4):
        run("dd", "if=/dev/zero", f"of={point}/f{i}", "bs=64K", "count=4", "status=none")
    track(*[f"{point}/f{i}" for i in range(1 + nr % 4)])
    p = subprocess.run(["umount", point], stderr=subprocess.PIPE, check=False)
    return [(nr, p.stderr)] if p.returncode else []


def fuse_dies(nr):
    """Its server is killed while files of it are tracked and read."""
    low, point = "/mnt/t/low", "/mnt/fuse"
    for each in low, point:
        os.makedirs(each, exist_ok=True)
    make_file(f"{low}/f", MB)
    with subprocess.Popen(["bindfs", "-f", low, point], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as server:
        while not os.path.ismount(point):
            if server.poll() is not None:
                raise RuntimeError(f"bindfs ended with {server.returncode}")
            time.sleep(0.05)
        track(f"{point}/f")
        reader = begin("sh", "-c", f"while cat {point}/f; do :; done")
        time.sleep(0.3)
        server.kill()
    reader.wait()
    run("umount", "-l", point)
    return [] if not os.path.ismount(point) else [(nr, "still mounted")]


def nfs_stops(nr):
    """Its server stops while files of it are tracked, and somebody reads; later it is back."""
    low = "/mnt/t/export"
    os.makedirs(low, exist_ok=True)
    make_file(f"{low}/f", MB)
    with nfs_mounted(low) as point:
        with open(f"{point}/f", "r+b", buffering=0) as f:
            track(f"{point}/f")
            f.write(b"x" * 65536)
            run("rpc.nfsd", "0")
            reader = begin("cat", f"{point}/f")
            for command in ["stat", f"{point}/f"], ["untrack", f"{point}/f"]:
                if not CONTROL:
                    subprocess.run(["timeout", "20", "pcinspect", *command], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, check=False)
            run("rpc.nfsd", "-N", "3", "1")
            with contextlib.suppress(OSError):
                put("Y", "/proc/fs/nfsd/v4_end_grace")
            f.seek(0)
            if f.read(65536) != b"x" * 65536:
                return [(nr, "other data")]
        reader.wait()
    return []


def cpu_off(_):
    put(0, "/sys/devices/system/cpu/cpu1/online")
    time.sleep(0.3)
    put(1, "/sys/devices/system/cpu/cpu1/online")
    return []


def memory_off(_):
    """Blocks that are movable; one that is busy stays. How often it was done is printed."""
    blocks = [b for b in glob.glob("/sys/devices/system/memory/memory[0-9]*")
              if "Movable" in open(f"{b}/valid_zones", encoding="ascii").read()]
    for block in random.sample(blocks, min(2, len(blocks))):
        subprocess.run(["timeout", "10", "sh", "-c", f"echo offline >{block}/state"],
                       stderr=subprocess.DEVNULL, check=False)
        with open(f"{block}/state", encoding="ascii") as f:
            if f.read().strip() == "offline":
                memory_off.times += 1
                put("online_movable", f"{block}/state")
    return []


memory_off.times = 0


def cgroups_removed(nr):
    """With their pages."""
    for i in range(3):
        group = Cgroup(f"goes{i}", 32 * MB)
        group.run("cat", "/mnt/t/low/f")
        group.remove()
    return []


def switched(nr):
    if nr % 2:
        lru_gen(nr % 4 == 1)
    run("swapoff", "/dev/vdd")
    run("swapon", "/dev/vdd")
    return []


def reloaded(nr):
    """Readers that have a file of it open are waited for."""
    if CONTROL:
        return []
    for _ in range(600):
        p = subprocess.run(["rmmod", "pcinspect"], check=False, stderr=subprocess.PIPE)
        if not p.returncode:
            break
        time.sleep(0.05)
    else:
        return [(nr, p.stderr)]
    run("modprobe", "pcinspect")
    return []


EVENTS = [unmounted, fuse_dies, cgroups_removed, cpu_off, memory_off, switched, nfs_stops, reloaded]


def under(fs):
    """All of it, on one filesystem."""
    wrong = {each.__name__: [] for each in [looked, *EVENTS]}
    with mounted(fs, options="noatime") as point:
        load = Load(point)
        for nr in range(ROUNDS):
            before = load.worked()
            # To attach and detach all hooks takes an emulator seconds: in every other round alone.
            if nr % 2:
                track("/tmp/held")
            for event in EVENTS:
                if event is nfs_stops and nr % 3:
                    continue            # it takes an emulator a minute and a half
                if not CONTROL and event in (EVENTS[1], EVENTS[-1]):
                    wrong["looked"] += looked(point, nr)
                begun = time.monotonic()
                wrong[event.__name__] += event(nr)
                print(f"# {event.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
            while min(b - a for a, b in zip(before, load.worked())) < 5 and not load.procs[0].poll() \
                    and not load.procs[1].poll():
                time.sleep(0.2)
            print(f"# {fs}, round {nr}: {load.worked()} operations", flush=True)
        done = load.worked()
        ended, said = load.stop()
    equal(f"{fs}: who works was there to the end, and each file was as written", (ended, said), ([], ""))
    for name, each in wrong.items():
        equal(f"{fs}: {name}, nothing went wrong", each[:3], [])
    ok(f"{fs}: memory went off and on", memory_off.times > 0, memory_off.times)
    print(f"# {fs}: {ROUNDS} rounds, {done} operations, memory off and on {memory_off.times} times")
    memory_off.times = 0


def main():
    equal("CPUs", os.cpu_count(), 2)
    run("mkfs.ext4", "-q", "-F", "/dev/vdc")
    run("modprobe", "fuse")
    run("mkswap", "/dev/vdd")
    run("swapon", "/dev/vdd")
    os.makedirs("/mnt/other", exist_ok=True)
    put("x", "/tmp/held")
    put("always", f"{THP}/enabled")
    put(100, f"{THP}/khugepaged/scan_sleep_millisecs")
    for fs in "ext4", "xfs":
        under(fs)
    if not CONTROL:
        run("pcinspect", "untrack")
        equal("explicit records at the end", info()["explicit_records"], "0")
        run("rmmod", "pcinspect")
        if SERIES == "6.1":
            skip("of its memory nothing is left", "caches of one size may be one, by any name")
        else:
            with open("/proc/slabinfo", encoding="ascii") as f:
                equal("of its memory nothing is left", [line for line in f if "pcinspect" in line], [])
    print(f"# {KERNEL}: done")
    finish()


main()
