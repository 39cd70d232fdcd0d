#!/usr/bin/env python3
# vm: --mem 768 --disk 1024 --disk 64 --smp 2
# kernels: none
# soak: 6.1 6.12 7.2
# minutes: 60
# timeout: 7000
"""trusted.py - no honest report says UNTRUSTED, whatever goes on meanwhile.

A cgroup thrashes, files are written, synced, truncated, made and deleted, mappings are
read and stored to, caches are dropped, processes come and go; on both kinds of LRU lists.
Meanwhile reports of every kind are asked for, more than 10,000 on each kernel.
trusted.py [SECONDS [FILESYSTEM…]]: on these, and as many as that takes each time.
"""
import collections
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from check import Cgroup, equal, finish, lru_gen, make_file, mounted, ok, rounds, run, setting

MB = 1 << 20
CYCLES = rounds(4, 60)      # of reports(), each time
FILESYSTEMS = sys.argv[2:] or ("ext4", "xfs", "btrfs")
SECONDS = int(sys.argv[1]) if len(sys.argv) > 1 else None
LOADS = {
    "thrash": """
fd = os.open(f"{e}/large", os.O_RDONLY)
while True:
    for at in range(0, 32 << 20, 1 << 17):
        os.pread(fd, 1 << 17, at)
        time.sleep(0.002)
""",
    "mapped": """
m = mmap.mmap(os.open(f"{e}/mapped", os.O_RDWR), 0)
while True:
    for _ in range(200):
        at = random.randrange(len(m) >> 12) << 12
        m[at]
        if not random.randrange(8):
            m[at] = 120
    time.sleep(0.05)
""",
    "writes": """
fd = os.open(f"{e}/log", os.O_RDWR | os.O_CREAT)
while True:
    for at in range(0, 2 << 20, 1 << 14):
        os.pwrite(fd, b"x" * (1 << 14), at)
        if not random.randrange(32):
            os.fdatasync(fd)
    os.ftruncate(fd, random.randrange(2 << 20))
    time.sleep(0.1)
""",
    "churn": """
for i in itertools.count():
    path = f"{e}/new{i % 16}"
    with open(path, "wb") as f:
        f.write(b"x" * random.randrange(1, 300000))
    if i % 3 == 0:
        with open(path, "rb") as f:
            f.read()
    if i % 4:
        os.unlink(path)
    time.sleep(0.02)
""",
    "direct": """
fd = os.open(f"{e}/direct", os.O_RDWR | os.O_DIRECT)
buffer = mmap.mmap(-1, 1 << 17)
while True:
    at = random.randrange(32) << 17
    os.preadv(fd, [buffer], at)
    if not random.randrange(4):
        os.pwritev(fd, [buffer], at)
    time.sleep(0.03)
""",
    "processes": """
while True:
    subprocess.run(["cat", f"{e}/read"], stdout=subprocess.DEVNULL)
    subprocess.run(["dd", f"if={e}/read", "of=/dev/null", "bs=4k", "count=50", "skip=300"],
                   stderr=subprocess.DEVNULL)
    time.sleep(0.1)
""",
    "dropped": """
while True:
    time.sleep(random.random() * 3)
    with open("/proc/sys/vm/drop_caches", "w") as f:
        f.write(random.choice("123"))
""",
}
IMPORTS = "import itertools, mmap, os, random, subprocess, sys, time\ne = sys.argv[1]\n"


def reports(e):
    """Every kind of report that has audits."""
    files = [f"{e}/{name}" for name in ("large", "mapped", "log", "direct", "read")]
    yield "stat", "--json", *files
    yield "machine", "--once", "--json"
    yield "run", "--report", "/tmp/report", "--", "dd", f"if={e}/read", "of=/dev/null"
    yield "top", "--json", "--once", "--scan", e
    yield "why", "--json", "--for", "1", e
    yield "next", "--bytes", "16M", "--json"
    yield "cgroup", "thrash", "--json"
    yield "reads", "--json", *files
    yield "dirty", "--json", *files
    yield "readahead", "--json", *files
    yield "fsync", "--json", f"{e}/log"
    yield "run", "--report", "/tmp/report", "-m", e, "--", "sleep", "0.3"
    yield "explain", "--json", *files
    yield "explain", "--json"
    yield ("run", "--report", "/tmp/report", "--", "sh", "-c",
           f"cat {e}/large >/dev/null; dd if=/dev/zero of={e}/mine bs=16k count=64 conv=fsync; rm {e}/mine")


def judge(args, bad, asked):
    """Ask for one report; keep what its audits say against it."""
    if "--report" in args and os.path.exists("/tmp/report"):
        os.unlink("/tmp/report")
    p = subprocess.run(["pcinspect", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False)
    asked[args[0]] += 1
    try:
        if "--report" in args:
            with open("/tmp/report", encoding="utf-8") as f:
                report = json.load(f)
        else:
            report = json.loads(p.stdout)
    except (OSError, ValueError) as e:
        bad.append((args[0], p.returncode, str(e), p.stderr.decode()[-300:]))
        return
    wrong = [a for a in report.get("audit", []) if a["ok"] is False]
    if wrong or p.returncode not in (0, 1):
        bad.append((args[0], p.returncode, wrong, p.stderr.decode()[-300:]))


def under(kind, e, files):
    """All of them, with all of the load."""
    asked, bad = collections.Counter(), []
    group = Cgroup("thrash", 20 * MB)
    others = Cgroup("others", 96 * MB)
    loads = []
    for name, script in LOADS.items():
        p = subprocess.Popen(["python3", "-c", IMPORTS + script, e])
        with open(f"{(group if name == 'thrash' else others).path}/cgroup.procs", "w",
                  encoding="ascii") as f:
            f.write(str(p.pid))
        loads.append(p)
    if files:
        run("pcinspect", "track", *(f"{e}/{name}" for name in files))
    end = time.monotonic() + SECONDS if SECONDS else None
    for turn in itertools.count() if end else range(CYCLES):
        for args in reports(e):
            was = len(bad)
            judge(args, bad, asked)
            for line in bad[was:]:
                print(f"# {kind}, cycle {turn}:", *line, flush=True)
        if end and time.monotonic() > end:
            break
    equal(f"{kind}: whoever makes the load lives", [p.poll() for p in loads], [None] * len(loads))
    for p in loads:
        p.send_signal(signal.SIGKILL)
        p.wait()
    with open(f"{others.path}/cgroup.kill", "w", encoding="ascii") as f:
        f.write("1")
    while "populated 1" in open(f"{others.path}/cgroup.events", encoding="ascii").read():
        time.sleep(0.1)
    run("pcinspect", "untrack")
    group.remove()
    others.remove()
    print(f"# {kind}: {sum(asked.values())} reports: {dict(asked)}", flush=True)
    ok(f"{kind}: each kind of report was asked for", len(asked) >= 9, asked)
    equal(f"{kind}: none of {sum(asked.values())} reports is UNTRUSTED",
          [line[:1] for line in bad], [])


def on(fs):
    with mounted(fs) as mnt:
        for name, size in (("large", 32), ("mapped", 16), ("direct", 4), ("read", 3)):
            make_file(f"{mnt}/{name}", size * MB)
        with open(f"{mnt}/log", "wb") as f:
            f.write(b"x")
        for mglru in (True, False):
            lru_gen(mglru)
            kind = f"{fs}, {'mglru' if mglru else 'classic'}"
            under(kind, mnt, ())
            under(f"{kind}, tracked", mnt, ("large", "mapped", "log", "direct", "read"))


setting("dirty_writeback_centisecs", 100)
for filesystem in FILESYSTEMS:
    on(filesystem)
finish()
