#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
"""harmless.py - looking changes nothing: memory.stat, generations, flags and
the LRU split are the same before and after 100 snapshots."""
import subprocess
from check import (Cgroup, DEBUGFS, drain, dontneed, equal, finish, lru_gen,
                   make_file, mounted, run, stat)

MB = 1 << 20
WATCHED = ("file", "active_file", "inactive_file", "unevictable", "file_dirty",
           "file_writeback", "file_mapped", "pgactivate", "pgdeactivate",
           "workingset_activate_file", "workingset_refault_file", "pgsteal",
           "pgscan")

for mglru in (False, True):
    label = "mglru" if mglru else "classic"
    lru_gen(mglru)
    with mounted("ext4") as mnt:
        path = f"{mnt}/f"
        make_file(path, 16 * MB)
        outside = Cgroup("outside")
        outside.run("cat", path)
        dontneed(path)
        group = Cgroup("inside")
        group.run("cat", path, path)
        run("pcinspect", "track", path)
        drain()
        before, state = group.stat(), stat(path)
        subprocess.run(["bash", "-c", f"""
            for i in $(seq 100); do
                pcinspect stat {path} >/dev/null || exit 1
            done
            for i in $(seq 20); do
                cat {DEBUGFS}/inodes {DEBUGFS}/inode/*/lru >/dev/null || exit 1
                pcinspect top --scan {mnt} >/dev/null || exit 1
            done"""], check=True)
        after, then = group.stat(), stat(path)
        equal(f"{label}: memory.stat is the same after 100 snapshots",
              {k: after.get(k) for k in WATCHED},
              {k: before.get(k) for k in WATCHED})
        for key in ("pages", "lru_generations", "orders", "memcg"):
            equal(f"{label}: {key} are the same after 100 snapshots",
                  then[key], state[key])
        run("pcinspect", "untrack", path)
    group.remove()
    outside.remove()
finish()
