#!/usr/bin/env python3
# vm: --mem 768 --disk 512
# minutes: 1
"""plain.py - without the module: what is printed is what the module said, or unknown.

The same commands with the module and without it, one after the other, on a machine on which
nobody else does anything: stat on ext4, btrfs (a subvolume, too), tmpfs and overlayfs, clean,
dirty, and evicted files; cgroup; machine; export; watch. Each number that is not null
without the module has to be the one with it, key by key; and some have to be there.
"""
import json
import os
import subprocess
from check import (PAGE, Cgroup, cachestat, drain, emptied, equal, finish, lru_gen, make_file,
                   mounted, ok, run, summed_up)

MB = 1 << 20
# Not of the file or the cgroup, but of when it was asked.
MOMENTS = {"time_ns", "wall_time", "audit", "lost", "settings", "interval_ns"}
GROUP = "/sys/fs/cgroup/plain"


def report(*args):
    """The report of a command, and what it complained about."""
    p = subprocess.run(["pcinspect", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True, check=False)
    if p.returncode:
        raise RuntimeError(f"{args} ended with {p.returncode}: {p.stderr}")
    return json.loads(p.stdout), p.stderr


def differences(path, ours, theirs):
    """Where something else is said; null is no other thing. And how much is said."""
    if ours is None:
        return [], 0
    if isinstance(ours, dict) and isinstance(theirs, dict):
        wrong, known = [], 0
        for key in ours:
            if key not in MOMENTS:
                more, count = differences(f"{path}.{key}", ours[key], theirs.get(key))
                wrong, known = wrong + more, known + count
        return wrong, known
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        wrong, known = [], 0
        for i, (a, b) in enumerate(zip(ours, theirs)):
            more, count = differences(f"{path}[{i}]", a, b)
            wrong, known = wrong + more, known + count
        return wrong, known
    return ([] if ours == theirs else [(path, ours, theirs)]), 1


def files(point):
    """Files in each state."""
    for name in ("half", "dirty", "evicted", "none"):
        make_file(f"{point}/{name}", MB)
        emptied(f"{point}/{name}")
    with open(f"{point}/half", "rb") as f:
        f.read(MB // 2)
    with open(f"{point}/evicted", "rb") as f:
        f.read()
    run("cat", f"{point}/evicted")
    with open(f"{point}/dirty", "r+b") as f:
        f.write(b"x" * 12288)
    return [f"{point}/{name}" for name in ("half", "dirty", "evicted", "none")]


def side_by_side(commands):
    """With the module, then without it."""
    drain()
    summed_up(GROUP)
    before = {name: report(*args)[0] for name, args in commands.items()}
    run("rmmod", "pcinspect")
    for name, args in commands.items():
        after, err = report(*args)
        ok(f"{name}: it says so, once", err.count("not loaded") == 1, err)
        wrong, known = differences("", after, before[name])
        equal(f"{name}: no other number", wrong, [])
        ok(f"{name}: and some", known > 8, known)
        equal(f"{name}: nothing is held against itself", after["audit"], [])
        yield name, after
    run("modprobe", "pcinspect")


def others(path):
    """Commands without a report to compare."""
    p = subprocess.run(["pcinspect", "watch", "--json", "--for", "2", path], check=False,
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = [json.loads(line) for line in p.stdout.splitlines()]
    equal("watch: a report a line", [len(line["files"]) for line in lines[:2]], [1, 1])
    text = run("pcinspect", "export", "--openmetrics", stderr=subprocess.DEVNULL)
    ok("export: no number of what nobody knows", "pcinspect_machine_file_bytes" in text and
       "named" not in text and "pcinspect_lost" not in text, text)
    ok("export: cgroups", 'cgroup="/plain"' in text, text)
    # A directory of the machine outside, by 9p: no file there is without a name.
    run("pcinspect", "export", "--openmetrics", "-o", "/share/metrics", stderr=subprocess.DEVNULL)
    with open("/share/metrics", encoding="utf-8") as f:
        written = f.read()
    equal("export: to 9p", (written.count("# TYPE"), os.listdir("/share").count("metrics")),
          (text.count("# TYPE"), 1))
    for command in ("run --", "track", "reads", "next", "record --"):
        p = subprocess.run(["pcinspect", *command.split(), path], stderr=subprocess.PIPE,
                           text=True, check=False)
        equal(f"{command}: cannot", (p.returncode, p.stderr.count("not loaded")), (1, 1))
    p = subprocess.run(["pcinspect", "stat", "/nowhere", path], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    equal("stat: of two paths one", p.returncode, 64)


os.makedirs("/mnt/o", exist_ok=True)
group = Cgroup("plain")
with mounted("ext4", options="noatime") as mnt:
    paths = files(mnt)
    for path in ("lower", "upper", "work"):
        os.mkdir(f"{mnt}/{path}")
    make_file(f"{mnt}/lower/file", MB)
    group.run("cat", f"{mnt}/lower/file")
    run("mount", "-t", "overlay", "none", "-o",
        f"lowerdir={mnt}/lower,upperdir={mnt}/upper,workdir={mnt}/work", "/mnt/o")
    make_file("/dev/shm/file", MB)
    asked = {
        "stat": ["stat", "-J", *paths],
        "a tree": ["stat", "-J", "-r", f"{mnt}/lower"],
        "tmpfs": ["stat", "-J", "/dev/shm/file"],
        "overlay": ["stat", "-J", "/mnt/o/file"],
        "a cgroup": ["cgroup", "-J", GROUP],
    }
    found = dict(side_by_side(asked))
    pages = [f["pages"] for f in found["stat"]["files"]]
    equal("cached, as mincore says too", pages[0]["cached"] >= 128, True)
    if cachestat(paths[0]):
        equal("dirty, evicted", (pages[1]["dirty"], pages[3]["cached"]), (3, 0))
    equal("an overlay's pages", found["overlay"]["files"][0]["pages"]["cached"], MB // PAGE)
    equal("nobody knows the lists", {p["active"] for p in pages}, {None})
    equal("a cgroup's files", found["a cgroup"]["cgroups"][0]["files"], None)
    ok("and its pages", found["a cgroup"]["cgroups"][0]["pages"]["inactive"] >= 256,
       found["a cgroup"])
    run("rmmod", "pcinspect")
    machine = report("machine", "-J")[0]
    equal("machine: what is unknown", (machine["files"], machine["machine"]["named_pages"],
                                       machine["machine"]["unnamed_pages"]), (None,) * 3)
    with open("/proc/vmstat", encoding="ascii") as f:
        counted = dict(line.split() for line in f)
    ok("machine: file pages", abs(machine["machine"]["file_pages"] - (
        int(counted["nr_file_pages"]) - int(counted["nr_shmem"]))) < 512, machine["machine"])
    ok("machine: its lists", all(abs(machine["machine"][f"{kind}_pages"] -
                                     int(counted[f"nr_{kind}_file"])) < 512
                                 for kind in ("active", "inactive")), machine["machine"])
    equal("machine: policy", machine["lru"], "mglru" if lru_gen() else "classic")
    others(paths[0])
    run("modprobe", "pcinspect")
    run("umount", "/mnt/o")
with mounted("btrfs", options="noatime") as mnt:
    run("btrfs", "-q", "subvolume", "create", f"{mnt}/sub")
    list(side_by_side({"btrfs": ["stat", "-J", *files(mnt), *files(f"{mnt}/sub")]}))
finish()
