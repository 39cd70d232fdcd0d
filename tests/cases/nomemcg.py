#!/usr/bin/env python3
# vm: --mem 512 --disk 256 --append cgroup_disable=memory
# kernels: 6.12
"""nomemcg.py - a machine without memory cgroups (cgroup_disable=memory).

All pages are on one list that is nobody's: the machine is as the kernel counts it, each
file as mincore(2) says, and what reclaim takes next has an order; a cgroup has nothing
charged to it, which is said in one line. No count of a cgroup is made up.
"""
import os
import subprocess

from check import PAGE, drain, equal, finish, mincore, mounted, ok, tool


def file_pages():
    """The kernel's own count, when every CPU has told what it has."""
    with open("/proc/sys/vm/stat_refresh", encoding="ascii") as f:
        f.read()
    with open("/proc/vmstat", encoding="ascii") as lines:
        stat = {key: int(value) for key, value in map(str.split, lines)}
    return stat["nr_file_pages"] - stat["nr_shmem"] - stat.get("nr_swapcached", 0)


def check_machine(path):
    tool("machine")  # its own pages come before they count
    # Changes of the page cache by others are no fault of the report: see machine.py.
    for _ in range(3):
        before = file_pages()
        rep = tool("machine")
        after = file_pages()
        if before == after:
            break
    ok("machine: file_pages is /proc/vmstat's",
       min(before, after) <= rep["machine"]["file_pages"] <= max(before, after),
       (before, rep["machine"], after))
    mine = [f for f in rep["files"] if f["path"] == path]
    equal("machine: the file is as mincore(2) says",
          [f["pages"]["cached"] for f in mine], [mincore(path)])
    rows = tool("machine", "--per", "cgroup")["cgroups"]
    equal("machine --per cgroup: one row, of no cgroup",
          [(row["id"], row["path"]) for row in rows], [(0, None)])


def check_next(path):
    said = tool("next", "--bytes", "256M", "--interval", "0.01")["next"]
    mine = [f for f in said["files"] if f["path"] == path]
    equal("next: the file's pages are on the list", [f["pages"] for f in mine],
          [mincore(path)])
    ok("next: of all of memory", said["cgroup"] is None and said["lists"] >= 1, said["lists"])


def check_cgroup():
    os.mkdir("/sys/fs/cgroup/none")
    for args in (["cgroup", "/none"], ["next", "/none"]):
        done = subprocess.run(["pcinspect", *args], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        ok(f"{args[0]}: a cgroup has no memory of its own, in one line",
           done.returncode and done.stderr.count("\n") == 1 and
           "has no memory controller" in done.stderr and not done.stdout, done)
    os.rmdir("/sys/fs/cgroup/none")
    ok("explain --machine works", "verdicts" in tool("explain", "--machine", "--interval", "0.1"))
    done = subprocess.run(["pcinspect", "cgroup", "--shared", "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    ok("cgroup --shared: nothing is charged to a cgroup, in one line",
       done.returncode == 77 and done.stderr.count("\n") == 1 and
       "memory controller" in done.stderr and not done.stdout, done)


def main():
    with mounted("ext4") as point:
        path = f"{point}/f"
        with open(path, "wb") as f:
            f.write(b"x" * PAGE * 1000)
            os.fsync(f.fileno())
        drain()
        check_machine(path)
        check_next(path)
    check_cgroup()
    finish()


main()
