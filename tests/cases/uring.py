#!/usr/bin/env python3
# vm: --mem 1024 --disk 1024 --disk 256
# soak: 6.1-rt 6.12-rt 7.2-rt 6.1-cloud 6.12-cloud 7.2-cloud 7.3 6.12-arm64 6.12-arm64-16k 7.2-arm64
"""uring.py - whose I/O it is: workers of io_uring belong to the run of the task they work
for, threads to their process, and what is read from swap to no file.

And that the audits of a run see it when it is not so.
"""
import contextlib
import ctypes
import glob
import json
import mmap
import os
import re
import signal
import subprocess
import sys
import threading
import time
from check import (PAGE, Cgroup, disk_bytes, emptied, equal, finish, info, libc, mounted, ok, rounds,
                   run, setting, tool)
from tracing import TRACING

KB, MB = 1 << 10, 1 << 20
SOURCE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* FILE read|write|fsync inline|async|sqpoll: 4 MiB of it, by one request. */
int main(int argc, char **argv)
{
	int fsync = !strcmp(argv[2], "fsync"), write = !strcmp(argv[2], "write");
	int poll = !strcmp(argv[3], "sqpoll"), fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	struct io_uring_params p = { .flags = poll ? IORING_SETUP_SQPOLL : 0 };
	size_t size = 4 << 20;
	char *buffer = aligned_alloc(4096, size), *sq, *cq;
	struct io_uring_sqe *sqe;
	int ring = syscall(__NR_io_uring_setup, 8, &p);

	if (ring < 0)
		return 2;
	memset(buffer, 1, size);
	sq = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		  IORING_OFF_SQ_RING);
	cq = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
	sqe = mmap(0, p.sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		   IORING_OFF_SQES);
	if (fsync && pwrite(fd, buffer, size, 0) != (ssize_t)size)
		return 3;
	*sqe = (struct io_uring_sqe){ .opcode = fsync ? IORING_OP_FSYNC :
						write ? IORING_OP_WRITE : IORING_OP_READ,
				      .fd = fd,
				      .addr = fsync ? 0 : (unsigned long)buffer,
				      .len = fsync ? 0 : size,
				      .flags = !strcmp(argv[3], "async") ? IOSQE_ASYNC : 0 };
	*(unsigned *)(sq + p.sq_off.array) = 0;
	__atomic_store_n((unsigned *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
	syscall(__NR_io_uring_enter, ring, 1, 1,
		IORING_ENTER_GETEVENTS | (poll ? IORING_ENTER_SQ_WAKEUP : 0), 0, 0);
	/* The signal of a worker that is done may come first. */
	while (!__atomic_load_n((unsigned *)(cq + p.cq_off.tail), __ATOMIC_ACQUIRE))
		usleep(1000);
	return ((struct io_uring_cqe *)(cq + p.cq_off.cqes))->res != (fsync ? 0 : (int)size);
}
"""


def a_run(*cmd):
    """A run, that all its audits are ok, and the files of it by path."""
    p = subprocess.run(["pcinspect", "run", "--json", "--", *cmd], stdout=subprocess.PIPE,
                       check=False)
    return p.returncode, json.loads(p.stdout)


def bad_audits(report):
    return [a["what"] for a in report["audit"] if not a["ok"]]


def uncached(path, size=4 * MB):
    with open(path, "wb") as f:
        f.write(os.urandom(size))
        os.fsync(f.fileno())
    emptied(path)


# --- io_uring -------------------------------------------------------------------
WANT = {"read": lambda f: (f["reads"]["device_bytes"], f["reads"]["demanded_bytes"]),
        "write": lambda f: (f["writeback"]["write_bytes"], f["writeback"]["dirtied_pages"]),
        "fsync": lambda f: (f["fsync"]["calls_total"],
                            [c["request_bytes"] for c in f["fsync"]["calls"]])}
GOT = {"read": (4 * MB, 4 * MB), "write": (4 * MB, 4 * MB // PAGE), "fsync": (1, [4 * MB])}


def workers(point):
    """By the task itself, by a worker, and by the thread that polls the ring."""
    path = f"{point}/f"
    for op, want in WANT.items():
        for mode in ("inline", "async", "sqpoll"):
            label = f"io_uring, {op}, {mode}"
            if op == "read":
                uncached(path)
            else:
                os.unlink(path)
            status, report = a_run("/tmp/uring", path, op, mode)
            equal(f"{label}: it worked", status, 0)
            equal(f"{label}: every audit is ok", bad_audits(report), [])
            files = [f for f in report["files"] if f.get("path") == path]
            if ok(f"{label}: the file is the run's", files, report["files"]):
                equal(f"{label}: all of it", want(files[0]), GOT[op])
            os.sync()


def not_of_the_run(point):
    """Its children are not followed: the audit has to say so."""
    path = f"{point}/f"
    uncached(path)
    os.sync()
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect", "skip_hook=sched_process_fork")
    for op, what in ("read", "bytes read by its tasks"), ("write", "bytes written by its tasks"):
        _, report = a_run("/tmp/uring", path, op, "inline")
        equal(f"tasks that are not known to be the run's, {op}: the audit says so",
              [a for a in bad_audits(report) if a == what], [what])
    uncached(path)
    p = subprocess.run(["pcinspect", "run", "--", "/tmp/uring", path, "read", "inline"],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    ok("and a line says that others moved more",
       "note: other files account for" in p.stdout, p.stdout)
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect")


def at_exit():
    """A task closes its files after sched_process_exit: what that writes is the run's too."""
    with mounted("ext4", mkfs=("-O", "^has_journal", "-E", "lazy_itable_init=0")) as point:
        path = f"{point}/f"
        for _ in range(2):      # the first reads the programs themselves, and has no such audit
            status, report = a_run("sh", "-c", f"exec 3>{path}; head -c {MB} /dev/zero >&3; "
                                   f"rm {path}; sync; exec sleep 0")
        equal("a deleted file goes when its task exits: it worked", status, 0)
        # Bitmaps, the group's descriptor, the inode: all clean before.
        equal("and what freed its blocks was written by a task of the run",
              [(a["ok"], a["theirs"] > MB) for a in report["audit"]
               if a["what"] == "bytes written by its tasks"], [(True, True)])


def left_behind():
    """K23: a run is killed while its tasks fork; they work on beside the next run."""
    with mounted("ext4") as point:
        left, mine, seen = f"{point}/left", f"{point}/mine", []
        nr = rounds(2, 60)
        # So that the hooks stay from one run to the next: all is forgotten with them.
        with open(f"{point}/hold", "wb") as f:
            f.write(b"x")
        tool("track", f"{point}/hold")
        with open(mine, "wb") as f:
            f.write(b"x" * MB)
        for _ in range(nr):
            with subprocess.Popen(["pcinspect", "run", "--", "setsid", "sh", "-c",
                                   f"while :; do (echo x >>{left}; sync -d {left}); done"],
                                  stdout=subprocess.DEVNULL, start_new_session=True) as p:
                while not os.path.exists(left):
                    time.sleep(0.05)
                loop = int(run("pgrep", "-o", "-f", f"^sh -c while.*{left}"))
                p.kill()
                p.wait()
            while info()["run"] == "active":
                time.sleep(0.05)
            size = os.path.getsize(left)
            q = subprocess.run(["pcinspect", "run", "--json", "--", "sh", "-c",
                                f"while [ $(stat -c %s {left}) -lt {size + 8} ]; do :; done; "
                                f"exec cat {mine} >/dev/null"], stdout=subprocess.PIPE, check=True)
            seen.append(sorted(f["path"] for f in json.loads(q.stdout)["files"]
                               if f.get("path") in (left, mine)))
            os.killpg(os.getpgid(loop), signal.SIGKILL)
            time.sleep(0.2)
            os.unlink(left)
        tool("untrack", f"{point}/hold")
        equal(f"left behind by a run, {nr} times: no part of the next", seen, [[mine]] * nr)


# --- block devices --------------------------------------------------------------
AGAIN = 'hist:keys=dev if error == -11'     # -EAGAIN
BLOCK = f"{TRACING}/events/block/block_bio_complete"


@contextlib.contextmanager
def refusals():
    """How many bios end because they must not wait and would have to; of all devices."""
    nr = []
    with open(f"{BLOCK}/trigger", "w", encoding="ascii") as f:
        f.write(AGAIN)
    yield nr
    with open(f"{BLOCK}/hist", encoding="ascii") as f:
        nr.append(sum(map(int, re.findall(r"hitcount: *(\d+)", f.read()))))
    with open(f"{BLOCK}/trigger", "w", encoding="ascii") as f:
        f.write(f"!{AGAIN}")


FIO = ("fio", "--name=f", "--ioengine=io_uring", "--direct=1", "--output=/dev/null",
       "--iodepth=64", "--iodepth_batch=64", "--iodepth_batch_complete_min=64")


def refused(what, path, disk, bs, size, below=False, buffers=0):
    """fio, past the cache of a block device, with more or larger requests than it, or one
    @below it, takes: what was refused comes again, and counts once. @buffers: of memory
    that io_uring knows, which a bio takes as it is (bio_iov_bvec_set())."""
    for rw, key in ("randread", 0), ("randwrite", 1):
        label = f"{what}, {rw}"
        before = disk_bytes(disk)
        with refusals() as nr:
            status, report = a_run(*FIO, f"--filename={path}", f"--rw={rw}", f"--bs={bs}",
                                   f"--size={size}", f"--fixedbufs={buffers}")
        did = [b - a for a, b in zip(before, disk_bytes(disk))]
        # A mapping counts what was refused below it as well (dm_io_complete()).
        ok(f"{label}: it worked", status == 0 and
           (did[key] > size if below else did[key] == size), (status, did))
        ok(f"{label}: bios were refused", nr[0] > 10, nr)
        (row,) = [d for d in report["devices"] if d["name"] == disk]
        equal(f"{label}: the device's row is what it did",
              (row["direct_bytes"], row["write_direct_bytes"]), tuple(did))
        files = [f for f in report["files"] if f.get("path") == path]
        equal(f"{label}: and the file's",
              [(f["direct"]["read_bytes"], f["direct"]["write_bytes"]) for f in files],
              [tuple(did)])
        equal(f"{label}: every audit is ok", bad_audits(report), [])


def looked_for():
    """Others' bios pay for it, so only in a run, and while a block device is tracked."""
    def state():
        return info()["hook block_bio_complete"].partition(":")[0]

    plain = "/tmp/plain"
    with open(plain, "wb") as f:
        f.write(b"x")
    tool("track", plain)
    equal("refusals: a file is tracked: nobody looks", state(), "absent")
    a_run("sh", "-c", "cat /sys/kernel/debug/pcinspect/hooks >/tmp/hooks")
    with open("/tmp/hooks", encoding="utf-8") as f:
        ok("refusals: in a run somebody does", "hook block_bio_complete: attached\n" in f.read())
    equal("refusals: after it nobody, though the file is tracked", state(), "absent")
    tool("track", "/dev/vdc")
    equal("refusals: a block device is tracked", state(), "attached")
    before = disk_bytes("vdc")
    with refusals() as nr:
        run(*FIO, "--filename=/dev/vdc", "--rw=randread", f"--bs={4 * KB}", f"--size={2 * MB}")
    (f,) = tool("reads", "/dev/vdc")["files"]
    ok("refusals of a tracked device: there were some", nr[0] > 10, nr)
    equal("refusals of a tracked device: what was read past the cache",
          f["direct"]["read_bytes"], disk_bytes("vdc")[0] - before[0])
    run("pcinspect", "untrack")
    equal("refusals: nothing is tracked", state(), "absent")


def refusing():
    """By a disk, and by one below a mapping."""
    queue = "/sys/block/vdc/queue"
    run("modprobe", "-q", "dm-mod")
    run("dmsetup", "create", "linear", "--table", f"0 {64 * MB // 512} linear /dev/vdc 0")
    disk = os.path.basename(glob.glob("/sys/class/block/dm-*")[0])
    with open(f"{queue}/nr_requests", "w", encoding="ascii") as f:
        f.write("4")
    looked_for()
    refused("no tags", "/dev/vdc", "vdc", 4 * KB, 2 * MB)
    with open(f"{queue}/max_sectors_kb", "w", encoding="ascii") as f:
        f.write("64")
    refused("too large", "/dev/vdc", "vdc", 256 * KB, 16 * MB)
    refused("too large, known buffers", "/dev/vdc", "vdc", 256 * KB, 16 * MB, buffers=1)
    refused("too large below", f"/dev/{disk}", disk, 256 * KB, 16 * MB, below=True)
    run("dmsetup", "remove", "linear")


# --- threads --------------------------------------------------------------------
def threads(point):
    """A process whose threads have names of their own is one line."""
    path = f"{point}/threads"
    uncached(path)
    tool("track", path)

    def part(i):
        libc.prctl(15, b"thread-%d" % i, 0, 0, 0)       # PR_SET_NAME
        fd = os.open(path, os.O_RDWR)
        os.pread(fd, 4 * KB, i * 8 * KB)
        os.pwrite(fd, b"x", i * 8 * KB)
        os.close(fd)

    for i in range(40):
        t = threading.Thread(target=part, args=(i,))
        t.start()
        t.join()
    (f,) = tool("explain", path)["files"]
    tool("untrack", path)
    with open("/proc/self/comm", encoding="ascii") as name:
        comm = name.read().strip()
    equal("40 threads with names are one line",
          [(t["pid"], t["comm"], t["demanded_bytes"]) for t in f["tasks"]],
          [(os.getpid(), comm, 40 * 4 * KB)])
    equal("also of who made pages dirty", [(t["pid"], t["comm"]) for t in f["dirty"]["dirtied_by"]],
          [(os.getpid(), comm)])


# --- swap -----------------------------------------------------------------------
SIZE = 8 * MB


def vmstat(name):
    with open("/proc/vmstat", encoding="ascii") as f:
        return int(dict(line.split() for line in f)[name])


def swapped_out(group):
    """A buffer of which little is in memory, or in the swap cache."""
    buffer = mmap.mmap(-1, SIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    buffer[:] = os.urandom(SIZE)
    at = ctypes.addressof(ctypes.c_char.from_buffer(buffer))
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for _ in range(50):
        libc.madvise(at, SIZE, 21)                      # MADV_PAGEOUT
        with contextlib.suppress(OSError), open(f"{group}/memory.reclaim", "w",
                                                encoding="ascii") as f:
            f.write(str(2 * SIZE))
        with open(f"{group}/memory.stat", encoding="ascii") as f:
            stat = dict(line.split() for line in f)
        if int(stat["anon"]) + int(stat["swapcached"]) < SIZE // 2:
            return buffer, at
        time.sleep(0.1)
    raise RuntimeError(f"not swapped out: {stat}")


def swap_in_child(group, call, path):
    """In a run: a cached file is read or written with a buffer that is in swap."""
    with open(f"{group}/cgroup.procs", "w", encoding="ascii") as f:
        f.write(str(os.getpid()))
    buffer, at = swapped_out(group)
    fd = os.open(path, os.O_RDWR)
    for offset in range(0, SIZE, MB):
        os.pread(fd, MB, offset)
    call = getattr(libc, call)
    call.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_long]
    call.restype = ctypes.c_ssize_t
    os._exit(call(fd, at, len(buffer), 0) != SIZE)


def swap_in(point, disk, where):
    path = f"{point}/cached"
    for call in ("pread", "pwrite"):
        label = f"{where}: {call}"
        uncached(path, SIZE)
        group = Cgroup("swapped")
        before, out = vmstat("pswpin"), vmstat("pswpout")
        status, report = a_run(sys.executable, __file__, group.path, call, path)
        swapped, out = (vmstat("pswpin") - before) * PAGE, (vmstat("pswpout") - out) * PAGE
        group.remove()
        equal(f"{label}: it worked", status, 0)
        (f,) = [f for f in report["files"] if f["path"] == path]
        (row,) = [d for d in report["devices"] if d["name"] == disk]
        ok(f"{label}: the buffer came from swap", swapped >= SIZE // 2, swapped)
        equal(f"{label}: the device's row has it", row["swap_bytes"], swapped)
        equal(f"{label}: and what was written to swap", row["write_swap_bytes"], out)
        ok(f"{label}: which is no log", out >= SIZE // 2 > row["write_log_bytes"], (out, row))
        equal(f"{label}: the file got what it is, and nothing of the buffer",
              (f["reads"]["device_bytes"], f["reads"]["hole_pages"], f["reads"]["bounced"],
               sum(t["device_bytes"] for t in f["tasks"])), (SIZE, 0, False, SIZE))
        equal(f"{label}: every audit is ok", bad_audits(report), [])
        equal(f"{label}: pswpin and pswpout were asked",
              [a["ok"] for a in report["audit"] if "swap_bytes of all" in a["what"]], [True] * 2)


def swaps(point):
    """A disk, and a file on the very filesystem of what is read."""
    was = setting("swappiness", 200)
    run("mkswap", "/dev/vdc")
    run("swapon", "/dev/vdc")
    swap_in(point, "vdc", "swap on a disk")
    run("swapoff", "/dev/vdc")
    path = f"{point}/swap"
    run("dd", "if=/dev/zero", f"of={path}", "bs=1M", "count=64", "conv=fsync", "status=none")
    os.chmod(path, 0o600)
    run("mkswap", path)
    run("swapon", path)
    swap_in(point, "vdb", "swap in a file beside it")
    run("swapoff", path)
    setting("swappiness", was)


def main():
    if len(sys.argv) > 1:
        swap_in_child(*sys.argv[1:])
    with open("/tmp/uring.c", "w", encoding="ascii") as f:
        f.write(SOURCE)
    run("gcc", "-O1", "-o", "/tmp/uring", "/tmp/uring.c")
    with mounted("ext4", mkfs=("-E", "lazy_itable_init=0,lazy_journal_init=0")) as point:
        workers(point)
        threads(point)
        swaps(point)
        not_of_the_run(point)
    at_exit()
    refusing()
    left_behind()
    finish()


main()
