#!/usr/bin/env python3
# vm: --mem 1536 --smp 2 --parallel
# kernels: none
# soak: 6.1 6.12 7.2
# timeout: 3000
# minutes: 6
"""beside.py - files are created and deleted beside scans of 150,000 inodes, on CPUs that
really run at once.

What is decided is counted: while scans of all inodes go on, the list's lock is held for
1,024 entries at most, each scan passes the whole list, and whoever creates files gets
through. How long each create and unlink took, alone, beside a busy loop and beside scans,
is told as a figure: it is the emulator's, and of a machine with other things to do.
beside.py [INODES [CALLS]].
"""
import ctypes
import fcntl
import os
import signal
import struct
import sys
import time
from check import KERNEL, equal, finish, info, ok, run

LIST = "IIIIQQQQ16sIIQ"
INODES, CALLS = (int(a) for a in (sys.argv[1:] + ["150000", "20000"][len(sys.argv) - 1:]))
POINT = "/mnt/many"
# Entries passed with the lock held.
HOLD = 1024


def passed():
    """Inodes passed in lists of inodes, by all scans."""
    return int(info()["list_steps"].split()[0])


def scan(dev, room):
    """One whole SCAN, of files without pages: no rows."""
    arg = bytearray(struct.pack(LIST, struct.calcsize(LIST), os.major(dev), os.minor(dev), 0,
                                ctypes.addressof(room), len(room), 0, 0, b"tmpfs", 0, 0, 0))
    device = os.open("/dev/pcinspect", os.O_RDWR)
    fcntl.ioctl(device, 3 << 30 | len(arg) << 16 | 0xdb << 8 | 6, arg)
    os.close(device)


def took(enough=lambda: True):
    """Of each create and unlink, sorted, in milliseconds: on a CPU of our own. CALLS of
    them, and as many more as it takes until it is @enough."""
    os.sched_setaffinity(0, {1})
    each = []
    while len(each) < CALLS or len(each) % 1000 or not enough():
        begun = time.monotonic()
        os.close(os.open(f"{POINT}/new", os.O_CREAT | os.O_WRONLY, 0o600))
        os.unlink(f"{POINT}/new")
        each.append((time.monotonic() - begun) * 1e3)
    os.sched_setaffinity(0, {0, 1})
    return sorted(each)


def beside(work, enough=lambda: True):
    """The same, while somebody else does @work on the other CPU, over and over."""
    pid = os.fork()
    if not pid:
        os.sched_setaffinity(0, {0})
        while True:
            work()
    each = took(enough)
    left = os.waitpid(pid, os.WNOHANG)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    equal("who is beside is there to the end", left, (0, 0))
    return each


def main():
    equal("CPUs", os.cpu_count(), 2)
    os.makedirs(POINT)
    run("mount", "-t", "tmpfs", "-o", f"nr_inodes={INODES + INODES // 500 + 1000}", "many", POINT)
    dev = os.stat(POINT).st_dev
    for i in range(INODES):
        if not i % 1000:
            os.mkdir(f"{POINT}/{i // 1000}")
        os.close(os.open(f"{POINT}/{i // 1000}/{i}", os.O_CREAT | os.O_RDWR, 0o600))
    room = ctypes.create_string_buffer(1 << 20)
    begun = 0

    def all_passed():
        return passed() - begun >= INODES

    ways = (("alone", took), ("beside a busy loop", lambda: beside(lambda: None)),
            ("beside scans", lambda: beside(lambda: scan(dev, room), all_passed)))
    for nr in range(3):
        for name, way in ways:
            begun = passed()
            each = way()
            steps = passed() - begun
            print(f"# {KERNEL}: {name}: of {len(each)} median {each[len(each) // 2]:.3f} ms, "
                  f"over 1 ms {sum(t > 1 for t in each)}, over 5 ms {sum(t > 5 for t in each)}, longest "
                  f"{each[-1]:.1f} {each[-2]:.1f} {each[-3]:.1f} ms; "
                  f"{steps / INODES:.1f} scans", flush=True)
            if name == "beside scans":
                ok(f"round {nr}: all the inodes were passed meanwhile", steps >= INODES, steps)
            else:
                equal(f"round {nr}, {name}: nobody scanned", steps, 0)
    hold = int(info()["longest_list_hold"].split()[0])
    print(f"# {KERNEL}: longest hold of the list's lock: {hold} entries", flush=True)
    ok("the list was passed in parts", 0 < hold <= HOLD, hold)
    run("umount", POINT)
    finish()


main()
