#!/usr/bin/env python3
# vm: --mem 1024 --disk 1024
# kernels: 6.1 7.2
# soak: 6.12
# beside: ../fixtures/filesystems
# minutes: 2
"""restore.py - save writes down what is cached, restore reads just that.

Files are read at random places, dropped and restored: then mincore(2) says page by page what
it said before, and the disk has read as much as was restored (diskstats), within 2 %. On
ext4, xfs, btrfs (with compression, too, which fetches more) and f2fs. On which list pages
are is as stat says, which other tests hold against memory.stat; active ones are active again
on the classic lists. A budget is kept; --spare evicts nothing of others.
"""
import contextlib
import ctypes
import fcntl
import json
import lzma
import os
import random
import struct
import subprocess
from check import (KERNEL, PAGE, Cgroup, cat, disk_bytes, drain, emptied, equal, finish, lru_gen,
                   make_file, mincore, mounted, ok, pages, resident, run, tool)

MB = 1 << 20
SIZE = 8 * MB
SAVED = "/tmp/saved"
FORM = "IiQQIIQ"
RANGES = 0xc028db11         # _IOWR(0xdb, 17, struct pcinspect_ranges)


def use(path, indexes):
    """Read single pages, without readahead."""
    fd = os.open(path, os.O_RDONLY)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
    for i in indexes:
        os.pread(fd, 1, i * PAGE)
    os.close(fd)


def call(*args, check=0):
    """pcinspect ARGS; its stderr."""
    p = subprocess.run(["pcinspect", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       check=False)
    equal(f"{args[0]} ends", p.returncode, check)
    return p.stderr.decode(errors="replace")


def rows(path):
    """The ranges that RANGES has of a file, one row a call."""
    found, index = [], 0
    device, fd = os.open("/dev/pcinspect", os.O_RDWR), os.open(path, os.O_RDONLY)
    row = ctypes.create_string_buffer(16)
    while index != (1 << 64) - 1:
        ask = struct.pack(FORM, 40, fd, index, ctypes.addressof(row), 1, 0, 0)
        _, _, index, _, nr, _, skipped = struct.unpack(FORM, fcntl.ioctl(device, RANGES, ask))
        equal("RANGES: nothing is skipped of what is up to date", skipped, 0)
        if nr:
            found.append(struct.unpack("QII", row.raw))
    os.close(fd)
    os.close(device)
    return found


def wrong_calls(path):
    """Wrong requests are refused."""
    device, fd = os.open("/dev/pcinspect", os.O_RDWR), os.open(path, os.O_RDONLY)
    row = ctypes.create_string_buffer(16)
    at = ctypes.addressof(row)
    where = os.open("/tmp", os.O_RDONLY)
    cases = {
        "size": (struct.pack(FORM, 32, fd, 0, at, 1, 0, 0), 22),
        "descriptor": (struct.pack(FORM, 40, 999, 0, at, 1, 0, 0), 9),
        "directory": (struct.pack(FORM, 40, where, 0, at, 1, 0, 0), 95),
        "room": (struct.pack(FORM, 40, fd, 0, at, 0, 0, 0), 22),
        "buffer": (struct.pack(FORM, 40, fd, 0, 8, 1, 0, 0), 14),
    }
    for name, (ask, errno) in cases.items():
        try:
            fcntl.ioctl(device, RANGES, ask)
            got = 0
        except OSError as e:
            got = e.errno
        equal(f"RANGES with a wrong {name}", got, errno)
    end = struct.pack(FORM, 40, fd, 1 << 50, at, 1, 0, 0)
    equal("RANGES behind the end", struct.unpack(FORM, fcntl.ioctl(device, RANGES, end))[2:5:2],
          ((1 << 64) - 1, 0))
    for each in (fd, device, where):
        os.close(each)


@contextlib.contextmanager
def image(fs, point="/mnt/t"):
    """One that was made elsewhere."""
    with lzma.open(f"filesystems/{fs}.img.xz") as f, open("/dev/vdb", "wb") as disk:
        disk.write(f.read())
        os.fsync(disk.fileno())
    run("mount", "-t", fs, "-o", "noatime", "/dev/vdb", point)
    yield point
    run("umount", point)


def files_of(point, size=SIZE):
    """Three files, of which some pages are cached: none, singles, runs, all."""
    paths = [f"{point}/{name}" for name in ("singles", "a name\nof two lines", "all")]
    for path in paths:
        make_file(path, size)
        emptied(path)
    os.sync()
    chosen = random.Random(7)
    nr = size // PAGE
    use(paths[0], sorted(chosen.sample(range(nr), nr // 8)))
    use(paths[1], [i for at in range(0, nr, 128) for i in range(at, at + 40)] + [nr - 1])
    use(paths[2], range(nr))
    return paths


def same_again(fs, paths, more=1.02):
    """Save, drop, restore."""
    before = {path: resident(path) for path in paths}
    report = tool("save", "-o", SAVED, os.path.dirname(paths[0]))
    total = sum(len(each) for each in before.values())
    equal(f"{fs}: saved", report["saved"]["saved_pages"], total)
    ok(f"{fs}: and audited", KERNEL.startswith("6.1.") or
       [a["ok"] for a in report["audit"]] == [True], report["audit"])
    # The pages of the program itself are read by now (from 9p, which counts as a device does).
    was = disk_bytes()[0]
    report = tool("restore", SAVED)["restored"]
    equal(f"{fs}: nothing is read of what is there", (report["read_pages"], disk_bytes()[0] - was,
                                                      report["cached_before_pages"]), (0, 0, total))
    for path in paths:
        emptied(path)
    was = disk_bytes()[0]
    report = tool("restore", SAVED)
    report, audits = report["restored"], report["audit"]
    read = disk_bytes()[0] - was
    equal(f"{fs}: restored", (report["read_pages"], report["missing_pages"],
                              report["stopped"]), (total, 0, None))
    equal(f"{fs}: page by page", [path for path in paths if resident(path) != before[path]], [])
    ok(f"{fs}: the disk read no more", total * PAGE * (more == 1.02) <= read <= total * PAGE * more,
       (read, total * PAGE))
    ok(f"{fs}: all agree", all(a["ok"] for a in audits), audits)
    ok(f"{fs}: and it is said", abs(report["device_bytes"] - read) <= 65536,
       (report["device_bytes"], read))
    return before


def lists(paths):
    """As stat counts them; active again on the classic lists."""
    path = paths[2]
    emptied(path)
    half = range(SIZE // PAGE // 2)
    use(path, range(SIZE // PAGE))
    for _ in range(3):
        use(path, half)
    drain()
    p = pages(path)
    sums = [0] * 4
    for _, nr, kind in rows(path):
        sums[kind] += nr
    equal("RANGES counts as stat does", sums,
          [p["active"], p["inactive"], p["unevictable"], p["off_lru"]])
    entry = next(f for f in tool("save", "-o", SAVED, path)["saved"]["files"])
    equal("and so does save", [entry[f"{kind}_pages"] for kind in
                               ("active", "inactive", "unevictable", "off_lru")], sums)
    if lru_gen():
        return
    equal("half of it is active", p["active"], len(half))
    emptied(path)
    report = tool("restore", SAVED)
    equal("all is read, and none was there", (report["restored"]["read_pages"], report["restored"]
                                              ["cached_before_pages"]), (SIZE // PAGE, 0))
    ok("and audited", all(a["ok"] for a in report["audit"]), report["audit"])
    drain()
    equal("and is again", [pages(path)[kind] for kind in ("active", "inactive")],
          [len(half), len(half)])


def limits(paths):
    """Not beyond a budget; nothing of others."""
    path, other = paths[2], paths[1]
    use(path, range(SIZE // PAGE))
    call("save", "-o", SAVED, path)
    emptied(path)
    err = call("restore", SAVED, "--budget", "1M")
    equal("a budget is kept", len(resident(path)), MB // PAGE)
    ok("and said", "--budget" in err, err)
    # No room: a cgroup that has none left. What is charged to it stays.
    group = Cgroup("full", 24 * MB)
    group.run("cat", other)
    emptied(path)
    emptied(other)
    group.run("sh", "-c", f"cat '{other}'")
    before = len(resident(other))
    group.run("sh", "-c", f"pcinspect restore {SAVED} --spare --json > /tmp/spare.json")
    with open("/tmp/spare.json", encoding="utf-8") as f:
        report = json.load(f)["restored"]
    equal("--spare leaves all of others in a cgroup", len(resident(other)), before)
    ok("and stops", "--spare" in (report["stopped"] or ""), report["stopped"])
    # And a machine without free memory: most of it is a file in memory.
    emptied(path)
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
        f.write("3")
    cat(other)
    with open("/proc/meminfo", encoding="ascii") as f:
        free = next(int(line.split()[1]) // 1024 for line in f if line.startswith("MemFree"))
    run("mount", "-t", "tmpfs", "-o", "size=2g", "none", "/mnt/m")
    run("dd", "if=/dev/zero", "of=/mnt/m/fill", "bs=1M", f"count={free - 70}", "status=none")
    before, stolen = resident(other), scanned()
    report = tool("restore", SAVED, "--spare")["restored"]
    equal("--spare reclaims nothing", scanned() - stolen, 0)
    equal("and leaves all of others", resident(other) - before | before - resident(other), set())
    ok("what it read is there, and said", report["missing_pages"] + report["read_pages"] ==
       report["saved_pages"], report)
    run("umount", "/mnt/m")


def scanned():
    """Pages that were reclaimed so far."""
    with open("/proc/vmstat", encoding="ascii") as f:
        return sum(int(v) for k, v in (line.split() for line in f)
                   if k in ("pgsteal_kswapd", "pgsteal_direct"))


def refused(paths):
    """Files that have changed."""
    for path in paths:
        use(path, range(16))
    call("save", "-o", SAVED, *paths)
    for path in paths:
        emptied(path)
    with open(paths[0], "r+b") as f:
        f.write(b"x")
    os.unlink(paths[1])
    os.utime(paths[2])
    err = call("restore", SAVED, check=32)
    ok("another mtime", err.count("another mtime") == 2, err)
    ok("no such file", "two\\040lines" in err.replace("\\012", "") or "No such file" in err, err)
    with open(SAVED, "a", encoding="ascii") as f:
        f.write("active 5 5\n")
    err = call("restore", SAVED, check=1)
    ok("a file that is none", "line" in err, err)
    call("save", "-o", "/tmp/none", "/nowhere", check=32)
    ok("nothing is written of nothing", not os.path.exists("/tmp/none"))
    call("save", paths[2], check=2)
    call("restore", SAVED, SAVED, check=2)


def overlay(point):
    """cachestat(2) of an overlay's file counts another mapping: it is not asked."""
    for name in ("lower", "upper", "work"):
        os.mkdir(f"{point}/{name}")
    os.makedirs("/mnt/o", exist_ok=True)
    make_file(f"{point}/lower/file", MB)
    run("modprobe", "-q", "overlay")
    run("mount", "-t", "overlay", "none", "-o",
        f"lowerdir={point}/lower,upperdir={point}/upper,workdir={point}/work", "/mnt/o")
    cat("/mnt/o/file")
    report = tool("save", "-o", SAVED, "/mnt/o")
    equal("an overlay", (report["saved"]["saved_pages"], report["audit"]), (MB // PAGE, []))
    emptied(f"{point}/lower/file")
    report = tool("restore", SAVED)
    equal("and again", (report["restored"]["read_pages"], mincore(f"{point}/lower/file")),
          (MB // PAGE, MB // PAGE))
    ok("nothing is held against it", "cached_pages" not in [a["what"] for a in report["audit"]],
       report["audit"])
    run("umount", "/mnt/o")


def cgroup(point):
    """The files of a cgroup."""
    path = f"{point}/of_a_cgroup"
    make_file(path, MB)
    emptied(path)
    group = Cgroup("saved")
    group.run("cat", path)
    drain()
    report = tool("save", "-o", SAVED, group.path)["saved"]
    equal("the files of a cgroup", [f["saved_pages"] for f in report["files"]
                                    if f["path"] == path], [MB // PAGE])
    with open(path, "rb"):
        os.unlink(path)
        err = call("save", "-o", SAVED, group.path)
        ok("one without a name is left out, and that is said", "1 file left out" in err, err)


def sparse(point):
    """A file of 100 GB, of which a page is cached."""
    with open(f"{point}/sparse", "wb") as f:
        f.truncate(100 << 30)
        f.seek(50 << 30)
        f.write(b"x" * PAGE)
    os.sync()
    emptied_sparse = os.open(f"{point}/sparse", os.O_RDONLY)
    os.posix_fadvise(emptied_sparse, 0, 0, os.POSIX_FADV_DONTNEED)
    use(f"{point}/sparse", [(50 << 30) // PAGE])
    report = tool("save", "-o", SAVED, f"{point}/sparse")["saved"]
    equal("a sparse file", (report["saved_pages"], report["files"][0]["ranges"]), (1, 1))
    os.posix_fadvise(emptied_sparse, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(emptied_sparse)
    equal("and again", tool("restore", SAVED)["restored"]["read_pages"], 1)


def without_module(paths):
    """mincore(2) will do; of the lists nothing is known."""
    emptied(paths[2])
    use(paths[2], range(100))
    run("rmmod", "pcinspect")
    err = call("save", "-o", SAVED, paths[2])
    ok("it says so", "not loaded" in err, err)
    entry = tool("save", "-o", SAVED, paths[2])["saved"]["files"][0]
    equal("without the module", (entry["saved_pages"], entry["active_pages"]),
          (len(resident(paths[2])), None))
    emptied(paths[2])
    equal("restored", tool("restore", SAVED)["restored"]["read_pages"], 100)
    run("modprobe", "pcinspect")


os.makedirs("/mnt/t", exist_ok=True)
os.makedirs("/mnt/m", exist_ok=True)
os.chdir(os.environ.get("HERE", "."))
for fs in ("ext4", "xfs", "btrfs"):
    with mounted(fs, options="noatime") as mnt:
        same_again(fs, files_of(mnt))
with mounted("btrfs", options="noatime,compress-force=zstd") as mnt:
    all_of = files_of(mnt)
    with open(f"{mnt}/text", "w", encoding="ascii") as text:
        text.writelines(f"line {n}\n" for n in range(MB // 8))
    os.sync()
    emptied(f"{mnt}/text")
    use(f"{mnt}/text", [3, 70, 71, 200])
    same_again("btrfs with compression", [*all_of, f"{mnt}/text"], more=1.2)
with image("f2fs") as mnt:
    same_again("f2fs", files_of(mnt, MB))
with mounted("ext4", options="noatime") as mnt:
    names = files_of(mnt)
    if KERNEL.startswith("6.1."):
        lru_gen(False)
    lists(names)
    lru_gen(True)
    lists(names)
    wrong_calls(names[2])
    limits(names)
    without_module(names)
    refused(names)
    cgroup(mnt)
    overlay(mnt)
    sparse(mnt)
finish()
