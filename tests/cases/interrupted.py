#!/usr/bin/env python3
# vm: --mem 512 --smp 2 --disk 256
# build: ../fixtures/interrupted
# minutes: 1
"""interrupted.py - insertions and requests that are half done make no report UNTRUSTED.

late_insert.c holds up insertions, as a host does that takes a guest's CPU away: the
pages are in the mapping, and not counted yet. And a disk (null_blk) that takes longer for
its requests than a run waits for: those from before end in the run.
"""
import json
import os
import subprocess
import time
from check import equal, finish, make_file, mounted, ok, run

KB = 1 << 10
REPORTS = 20
WRITER = """
import os, sys, time
fd = os.open(sys.argv[1], os.O_WRONLY)
while True:
    for at in range(0, 1 << 18, 1 << 14):
        os.pwrite(fd, bytes(1 << 14), at)
        time.sleep(0.05)
    os.ftruncate(fd, 0)
"""
STREAM = """
import mmap, os, threading, time
fd = os.open("/dev/nullb0", os.O_WRONLY | os.O_DIRECT)
data = mmap.mmap(-1, 1 << 16)
def write(i):
    time.sleep(i / 4)
    while True:
        os.pwrite(fd, data, i << 16)
for i in range(32):
    threading.Thread(target=write, args=(i,)).start()
"""


def wrong(report):
    return [a for a in report["audit"] if a["ok"] is False]


def insertions():
    """A quick look at the ledger never meets the end of one."""
    with mounted("ext4") as mnt:
        path = f"{mnt}/file"
        make_file(path, 64 * KB)
        run("pcinspect", "track", path)
        run("insmod", "interrupted/late_insert.ko", f"ino={os.stat(path).st_ino}", "ms=20")
        with subprocess.Popen(["taskset", "-c", "1", "python3", "-c", WRITER, path]) as p:
            reports = []
            for _ in range(REPORTS):
                done = subprocess.run(["taskset", "-c", "0", "pcinspect", "stat", "--json", path],
                                      stdout=subprocess.PIPE, check=False)
                reports.append(json.loads(done.stdout))
            equal("insertions: its writer lives", p.poll(), None)
            p.kill()
        run("rmmod", "late_insert")
        inserted = [r["files"][0]["reads"]["inserted"]["write"] for r in reports]
        ok("insertions: they go on", len(set(inserted)) > 1, inserted)
        equal(f"insertions: none of {REPORTS} reports is UNTRUSTED",
              [wrong(r) for r in reports if wrong(r)], [])
        run("pcinspect", "untrack")


def disk():
    """Each of 32 writers waits 4.5 seconds for the disk (null_blk gives up after 5); they stop
    soon after the run begins."""
    run("modprobe", "null_blk", "irqmode=2", "completion_nsec=4500000000", "gb=1",
        "hw_queue_depth=64")
    with subprocess.Popen(["python3", "-c", STREAM]) as p:
        time.sleep(8)
        done = subprocess.run(["pcinspect", "run", "--json", "--", "sh", "-c",
                               f"sleep 1; kill -STOP {p.pid}; sleep 6; kill -KILL {p.pid}"],
                              stdout=subprocess.PIPE, check=False)
    report = json.loads(done.stdout)
    row = [d for d in report["devices"] if d["name"] == "nullb0"][0]
    audits = [a for a in report["audit"] if a["what"] == "device_write_bytes"]
    print("#", row, audits, flush=True)
    ok("disk: it counts", row["written_bytes"], row)
    equal("disk: the run is not UNTRUSTED", wrong(report), [])


insertions()
disk()
finish()
