#!/usr/bin/env python3
# vm: --mem 8192 --icount --module-args max_inodes=1048576
# kernels: none
# soak: 6.12
# timeout: 6000
# minutes: 30
"""million.py - a million records and a million cached inodes: every reader is linear.

Requests about a hundred thousand files are repeated with a million, and may take twelve
times as much, in instructions: with --icount a nanosecond of a task's time is one. Pages of SCAN
and LIST are asked for by their cursors, and each inode is passed once for all of them; the
table in debugfs has whole lines; nobody comes twice or not at all. million.py [FEW [MANY]].
"""
import ctypes
import fcntl
import json
import os
import struct
import subprocess
import sys
import time
from check import DEBUGFS, KERNEL, equal, finish, info, ok, run

LIST = "IIIIQQQQ16sIIQ"
SNAPSHOT = "10IQ"                         # what struct pcinspect_snapshot begins with
FEW, MANY = (int(a) for a in (sys.argv[1:] + ["100000", "1000000"][len(sys.argv) - 1:]))
ROOM = 1 << 20
# A file that is skipped, gone or tracked besides: nothing of ours.
OTHERS = 1 << 12 | 1 << 18


def spent():
    """Of this task: with --icount, instructions."""
    return time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)


class Files:
    """Of one page each, of a filesystem that does nothing but keep them: ramfs."""

    def __init__(self, point):
        self.point, self.inos = point, set()
        self.dev = os.stat(point).st_dev

    def make(self, many):
        for i in range(len(self.inos), many):
            if not i % 1000:
                os.mkdir(f"{self.point}/{i // 1000}")
            fd = os.open(f"{self.point}/{i // 1000}/{i}", os.O_CREAT | os.O_RDWR, 0o600)
            os.write(fd, b"x")
            self.inos.add(os.fstat(fd).st_ino)
            os.close(fd)


def passed():
    """Inodes passed in lists of inodes, by all scans."""
    return int(info()["list_steps"].split()[0])


def paged(request, files, room):
    """SCAN or LIST: instructions, pages, and inodes of files."""
    cursor, took, pages, inos = 0, 0, 0, []
    device = os.open("/dev/pcinspect", os.O_RDWR)
    while True:
        arg = bytearray(struct.pack(LIST, struct.calcsize(LIST), os.major(files.dev),
                                    os.minor(files.dev), 0, ctypes.addressof(room), ROOM, 0, 0,
                                    b"ramfs", 0, 0, cursor))
        begun = spent()
        fcntl.ioctl(device, 3 << 30 | len(arg) << 16 | 0xdb << 8 | request, arg)
        took += spent() - begun
        got = struct.unpack(LIST, arg)
        at = 0
        for _ in range(got[3]):
            row = struct.unpack_from(SNAPSHOT, room, at)
            if not row[4] & OTHERS and row[10] in files.inos:
                inos.append(row[10])
            at += row[0]
        pages += 1
        cursor = got[11]
        if not cursor:
            os.close(device)
            return took, pages, inos


def table(files):
    """debugfs inodes: instructions, reads, inodes of files, and lines that are not whole."""
    begun = spent()
    fd = os.open(f"{DEBUGFS}/inodes", os.O_RDONLY)
    took, reads, inos, odd, rest, columns = spent() - begun, 0, [], [], b"", 0
    ours = b"%d:%d:" % (os.major(files.dev), os.minor(files.dev))
    while True:
        begun = spent()
        data = os.read(fd, 1 << 17)
        took += spent() - begun
        reads += 1
        lines = (rest + data).split(b"\n")
        rest = lines.pop()
        for line in lines:
            fields = line.split()
            columns = columns or len(fields)
            if len(fields) < columns:
                odd.append(line)
            elif fields[0].startswith(ours) and int(fields[0].split(b":")[2]) in files.inos:
                inos.append(int(fields[0].split(b":")[2]))
        if not data:
            os.close(fd)
            return took, reads, inos, odd + ([rest] if rest else [])


# A task's peak includes its parent's memory at fork(2): so fork from a small
# process.
HELPER = """
import json, os, subprocess, sys
for line in sys.stdin:
    with subprocess.Popen(json.loads(line), stdout=subprocess.PIPE) as p:
        lines = 0
        while data := p.stdout.read(1 << 16):
            lines += data.count(b"\\n")
        _, p.returncode, used = os.wait4(p.pid, 0)
    status = os.waitstatus_to_exitcode(p.returncode)
    print(json.dumps([int((used.ru_utime + used.ru_stime) * 1e9), used.ru_maxrss, lines, status]),
          flush=True)
"""


def program(helper, *args):
    """Instructions, memory at most in KiB, lines, and status."""
    helper.stdin.write(json.dumps(("pcinspect",) + args) + "\n")
    helper.stdin.flush()
    return json.loads(helper.stdout.readline())


def asked(files, helper):
    """Of all readers: instructions; and memory of the program."""
    room = ctypes.create_string_buffer(ROOM)
    many, took, most = len(files.inos), {}, {}
    for name, request in (("SCAN", 6), ("LIST", 5)):
        steps = passed()
        took[name], pages, inos = paged(request, files, room)
        steps = passed() - steps
        print(f"# {name} of {many}: {pages} pages, {took[name]} instructions, {steps} inodes "
              "passed", flush=True)
        # LIST once more at its end: which records' inodes are still there.
        ok(f"{name} of {many}: each inode is passed once",
           many <= steps <= (1 if name == "SCAN" else 2) * 1.01 * many + 20000, steps)
        equal(f"{name} of {many}: nothing twice, everything once",
              (len(inos), set(inos) == files.inos), (many, True))
        ok(f"{name} of {many}: many pages", pages > many / 3000, pages)
    took["table"], reads, inos, odd = table(files)
    print(f"# debugfs inodes of {many}: {reads} reads, {took['table']} instructions", flush=True)
    equal(f"the table of {many}: nothing twice, everything once",
          (len(inos), set(inos) == files.inos), (many, True))
    equal(f"the table of {many}: lines that are not whole", odd[:3], [])
    for name, args in (("top", ("top", "--once", "--limit", "5", "--scan", files.point)),
                       ("stat", ("stat", "-r", "--csv", "-o", "CACHED,PATH", files.point))):
        took[name], most[name], lines, status = program(helper, *args)
        print(f"# pcinspect {' '.join(args)}, of {many}: {took[name]} instructions, "
              f"{most[name]} KiB, {lines} lines", flush=True)
        equal(f"pcinspect {name} of {many}: status", status, 0)
        ok(f"pcinspect {name} of {many}: lines", lines > many if name == "stat" else lines >= 5,
           lines)
    return took, most


def measured(helper):
    point = "/mnt/many"
    os.makedirs(point)
    run("mount", "-t", "ramfs", "many", point)
    files = Files(point)
    files.make(FEW)
    few, few_most = asked(files, helper)
    files.make(MANY)
    records = int(info()["auto_records"])
    ok("records", MANY <= records, records)
    was = int(info()["memory_bytes"])
    fd = os.open(f"{DEBUGFS}/inodes", os.O_RDONLY)
    holds = int(info()["memory_bytes"]) - was
    os.close(fd)
    ok("a table that is being read takes 16 MiB at most", 0 < holds <= 17 << 20, holds)
    many, many_most = asked(files, helper)
    hold = int(info()["longest_list_hold"].split()[0])
    ok("the list of inodes was passed in parts", 0 < hold <= 1024, hold)
    run("umount", point)
    for name, took in many.items():
        ratio = took / few[name]
        print(f"# {KERNEL}: {name}: {few[name] // FEW} instructions a file of {FEW}, "
              f"{took // MANY} of {MANY}", flush=True)
        ok(f"{name}: {MANY / FEW:.0f} times the files, {1.2 * MANY / FEW:.0f} times the "
           "instructions at most", ratio <= 1.2 * MANY / FEW, ratio)
    # A name is forgotten when it is printed; which inodes there were is a set of ranges.
    ok("stat: a million files in the memory of a hundred thousand, and 4 MiB",
       many_most["stat"] <= few_most["stat"] + 4096, (few_most, many_most))
    ok("top: a million files in the memory of a hundred thousand, and 4 MiB",
       many_most["top"] <= few_most["top"] + 4096, (few_most, many_most))


def main():
    with subprocess.Popen([sys.executable, "-c", HELPER], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as helper:
        measured(helper)
        helper.stdin.close()
    run("rmmod", "pcinspect")
    finish()


main()
