#!/usr/bin/env python3
# vm: --mem 1024 --disk 512 --smp 2 --append numa=fake=4
# kernels: 6.12
# soak: 6.1 7.2
"""nodes.py - a file in several memory cgroups and on several nodes.

Each cgroup is told apart, on however many nodes its pages are. And beside
endless walks over a file: what fadvise(DONTNEED) has to leave because the walk
holds it at that moment, goes with the next one; no reference outlives a walk.
"""
import glob
import os
import subprocess
import time
from check import (Cgroup, cat, dontneed, drain, emptied, equal, finish, make_file, mincore,
                   mounted, run, stat)

MB = 1 << 20
SPREAD = """import ctypes, os, sys
mask = ctypes.c_ulong(15)
assert not ctypes.CDLL(None).syscall(238, 3, ctypes.byref(mask), 64)  # MPOL_INTERLEAVE
fd = os.open(sys.argv[1], os.O_RDONLY)
at = int(sys.argv[2])
os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)        # or it reaches into the next part
for i in range(0, 1 << 20, 4096):
    os.pread(fd, 4096, at + i)
"""


def many_cgroups(path):
    groups = [Cgroup(f"g{i}") for i in range(4)]
    with open("/tmp/spread.py", "w", encoding="ascii") as f:
        f.write(SPREAD)
    run("python3", "/tmp/spread.py", path, "0")      # the interpreter, and the file's blocks
    emptied(path)
    for i, group in enumerate(groups):
        group.run("python3", "/tmp/spread.py", path, str(i * MB))
    drain()
    entry = stat(path)
    print(f"# {entry['memcg']}", flush=True)
    nodes = glob.glob("/sys/devices/system/node/node[0-9]*")
    equal("there are four nodes", len(nodes), 4)
    equal("four cgroups on four nodes: all pages are some named cgroup's",
          sum(m["pages"] for m in entry["memcg"] if m["path"] in
              [f"/g{i}" for i in range(4)]), entry["pages"]["cached"])
    equal("and there is nothing beside them",
          sorted(m["path"] for m in entry["memcg"]), [f"/g{i}" for i in range(4)])
    dontneed(path)
    for group in groups:
        group.remove()


def dontneed_beside_walks(path):
    with subprocess.Popen(["sh", "-c", f"while :; do pcinspect stat {path}; done"],
                          stdout=subprocess.DEVNULL, start_new_session=True) as p:
        left = []
        fd = os.open(path, os.O_RDONLY)
        for _ in range(30):
            cat(path)
            drain()
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            left.append(mincore(path))
        os.close(fd)
        os.killpg(p.pid, 15)
        # A walk that has begun goes on.
        while subprocess.run(["pgrep", "-g", str(p.pid)], stdout=subprocess.DEVNULL,
                             check=False).returncode == 0:
            p.poll()
            time.sleep(0.1)
    print(f"# pages left by DONTNEED beside walks: {left}", flush=True)
    drain()
    dontneed(path)
    equal("no page is held after the walks", mincore(path), 0)


with mounted("ext4") as mnt:
    make_file(f"{mnt}/f", 4 * MB)
    many_cgroups(f"{mnt}/f")
    dontneed_beside_walks(f"{mnt}/f")
finish()
