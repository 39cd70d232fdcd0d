#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# soak: 6.1-rt 6.12-rt 7.2-rt
"""kinds.py - every kind of file: cached == active + inactive + unevictable +
off_lru == mincore == cachestat(2).

The files are written and read by dd, cat, xfs_io and cp. cachestat(2) counts
an overlay inode's own empty mapping (0), so there only mincore and the file
below can say; before 6.5 there is no cachestat.
"""
import ctypes
import json
import mmap
import os
import subprocess
import time
from check import (KERNEL, PAGE, cachestat, cat, dontneed, drain, emptied, equal, finish, libc,
                   make_file, mincore, mounted, ok, pages, removed_disk, run, skip, split,
                   stat, tool, unflushed)

MB = 1 << 20


def same(label, path, want=None, ask=None, oracle=True, core=True):
    """All sources agree about a path; @ask is asked instead of it."""
    p = pages(ask or path)
    equal(f"{label}: parts sum up", split(p), p["cached"])
    if core:
        equal(f"{label}: cached == mincore", p["cached"], mincore(path))
    cs = cachestat(path) if oracle else None
    if cs:
        equal(f"{label}: cached == cachestat", p["cached"], cs["cache"])
        if p["dirty"] is not None:
            equal(f"{label}: dirty == cachestat", p["dirty"], cs["dirty"])
        if p["evicted"] is not None:
            equal(f"{label}: evicted == cachestat", p["evicted"], cs["evicted"])
    if want is not None:
        equal(f"{label}: {want} pages", p["cached"], want)
    return p


def mlocked(path, fs):
    """Which large folios mlock(2) makes unevictable is the kernel's affair
    (6.12 leaves those that were mapped by fault-around); how many it did make
    so is in /proc/meminfo."""
    make_file(path, MB)
    before = unevictable()
    with open(path, "rb") as f:
        addr = libc.mmap(None, MB, mmap.PROT_READ, mmap.MAP_SHARED, f.fileno(), 0)
        if libc.mlock(ctypes.c_void_p(addr), MB):
            raise OSError("mlock")
        drain()
        p = same(f"{fs} mlocked", path, MB // PAGE)
        equal(f"{fs} mlocked: unevictable == meminfo", p["unevictable"],
              unevictable() - before)
        if fs == "ext4" and not KERNEL.startswith("7"):
            equal(f"{fs} mlocked: every order-0 page is", p["unevictable"], MB // PAGE)
        equal(f"{fs} mlocked: mapped", p["mapped"], MB // PAGE)
        libc.munmap(addr, MB)
    drain()


def unevictable():
    with open("/proc/sys/vm/stat_refresh", "w", encoding="ascii") as f:
        f.write("1")
    with open("/proc/meminfo", encoding="ascii") as f:
        return [int(line.split()[1]) >> 2 for line in f
                if line.startswith("Unevictable:")][0]


def plain(mnt, fs):
    """Sizes and shapes."""
    big = f"{mnt}/big"
    make_file(big, 8 * MB)
    emptied(big)
    same(f"{fs} uncached", big, 0)
    cat(big)
    same(f"{fs} whole", big, 8 * MB // PAGE)
    orders = {o["order"]: o["pages"] for o in stat(big)["orders"]}
    equal(f"{fs}: orders sum up", sum(orders.values()), 8 * MB // PAGE)
    emptied(big)
    run("xfs_io", "-r", "-c", "fadvise -r", "-c", f"pread 5m {PAGE}",
        big)
    same(f"{fs} one page of random reading", big, 1)

    with unflushed():
        run("dd", "if=/dev/zero", f"of={mnt}/dirty", "bs=1M", "count=2", "status=none")
        p = same(f"{fs} dirty", f"{mnt}/dirty", 2 * MB // PAGE)
        ok(f"{fs} dirty: pages are dirty before a sync", p["dirty"] > 0, p)
        run("sync", f"{mnt}/dirty")
        p = same(f"{fs} synced", f"{mnt}/dirty", 2 * MB // PAGE)
        equal(f"{fs} synced: none dirty", (p["dirty"], p["writeback"]), (0, 0))
        run("dd", "if=/dev/zero", f"of={mnt}/dirty", "bs=1", "count=1",
            "conv=notrunc", "status=none")
        same(f"{fs} one byte dirty", f"{mnt}/dirty", 2 * MB // PAGE)

    with open(f"{mnt}/five", "w", encoding="ascii") as f:
        f.write("12345")
    same(f"{fs} five bytes", f"{mnt}/five", 1)
    with open(f"{mnt}/empty", "w", encoding="ascii"):
        pass
    same(f"{fs} empty", f"{mnt}/empty", 0, core=False)

    holes = f"{mnt}/holes"
    run("xfs_io", "-f", "-c", f"pwrite 0 {PAGE}", "-c", f"pwrite 1m {PAGE}",
        "-c", "truncate 2m", holes)
    run("sync", holes)
    dontneed(holes)
    cat(holes)
    same(f"{fs} holes are cached, too", holes, 2 * MB // PAGE)

    sparse = f"{mnt}/sparse"
    run("xfs_io", "-f", "-c", "truncate 1t", sparse)
    run("xfs_io", "-r", "-c", "fadvise -r", "-c", "pread 0 1",
        "-c", "pread 512g 1", "-c", f"pread 1099511623680 {PAGE}", sparse)
    p = same(f"{fs} 1 TiB with three pages", sparse, 3, core=False)
    resident = sum(mincore(sparse, at, 16 * MB)
                   for at in (0, 512 << 30, (1 << 40) - 16 * MB))
    equal(f"{fs} 1 TiB: cached == mincore around them", p["cached"], resident)

    mlocked(f"{mnt}/locked", fs)

    gone = f"{mnt}/gone"
    make_file(gone, MB)
    cat(gone)
    fd = os.open(gone, os.O_RDONLY)
    os.unlink(gone)
    link = f"/proc/{os.getpid()}/fd/{fd}"
    p = same(f"{fs} deleted but open", link, MB // PAGE)
    ok(f"{fs} deleted but open: says deleted", stat(link)["deleted"])
    os.close(fd)

    os.link(big, f"{mnt}/second name")
    cat(big)
    a, b = tool("stat", big, f"{mnt}/second name")["files"]
    equal(f"{fs} two names: one inode", (a["dev"], a["ino"], a["pages"]),
          (b["dev"], b["ino"], b["pages"]))
    names = [f["path"] for f in tool("stat", "-r", mnt)["files"]]
    equal(f"{fs} two names: one entry in a descent",
          len([n for n in names if n in (big, f"{mnt}/second name")]), 1)


def overlay(mnt):
    for d in ("lower", "upper", "work", "merged"):
        os.makedirs(f"{mnt}/{d}", exist_ok=True)
    low, high, seen = (f"{mnt}/{d}/f" for d in ("lower", "upper", "merged"))
    make_file(low, 8 * MB)
    run("mount", "-t", "overlay", "overlay", "-o",
        f"lowerdir={mnt}/lower,upperdir={mnt}/upper,workdir={mnt}/work",
        f"{mnt}/merged")
    cat(seen)
    same("overlay, lower", seen, 8 * MB // PAGE, oracle=False)
    same("overlay, the lower file itself", low, 8 * MB // PAGE)
    a, b = tool("stat", seen, low)["files"]
    equal("overlay: same inode by both names", (a["dev"], a["ino"]),
          (b["dev"], b["ino"]))
    equal("overlay: whose pages they are", a.get("real_path"), low)
    cs = cachestat(seen)
    if cs:
        equal("overlay: cachestat(2) sees nothing there, we do",
              (cs["cache"], a["pages"]["cached"]), (0, 8 * MB // PAGE))
    with subprocess.Popen(["pcinspect", "watch", "--json", "--no-events", seen],
                          stdout=subprocess.PIPE) as p:
        reports = map(json.loads, p.stdout)
        equal("overlay, watched: the lower file", next(reports)["files"][0]["real_path"], low)
        with open(seen, "ab") as f:
            f.write(b"x")
        run("sync", high)
        cat(seen)
        now = time.monotonic_ns()
        (f,) = next(r for r in reports if r["time_ns"] > now)["files"]
        equal("overlay, watched while it is copied up: another inode's pages from then on",
              (f["real_path"], f["ino"] != a["ino"], f["pages"]["cached"]),
              (high, True, mincore(high)))
        p.terminate()
    same("overlay, after copy-up", seen, 8 * MB // PAGE + 1, oracle=False)
    same("overlay, the upper file itself", high, 8 * MB // PAGE + 1)
    a, b = tool("stat", seen, high)["files"]
    equal("overlay: copied up to the upper inode", (a["dev"], a["ino"]),
          (b["dev"], b["ino"]))
    same("overlay, the lower file still cached", low, 8 * MB // PAGE)
    run("cp", low, f"{mnt}/merged/new")
    same("overlay, created above", f"{mnt}/merged/new", oracle=False)
    run("umount", f"{mnt}/merged")


def btrfs_subvolumes():
    with mounted("btrfs") as mnt:
        plain(mnt, "btrfs")
        for name in "ab":
            run("btrfs", "subvolume", "create", f"{mnt}/{name}")
        make_file(f"{mnt}/a/f", MB)
        make_file(f"{mnt}/b/f", 2 * MB)
        cat(f"{mnt}/a/f", f"{mnt}/b/f")
        a, b = tool("stat", f"{mnt}/a/f", f"{mnt}/b/f")["files"]
        equal("btrfs: one inode number in two subvolumes",
              (a["dev"], a["ino"]), (b["dev"], b["ino"]))
        same("btrfs, subvolume a", f"{mnt}/a/f", MB // PAGE)
        same("btrfs, subvolume b", f"{mnt}/b/f", 2 * MB // PAGE)
        sdev = [line.split()[2] for line in open("/proc/self/mountinfo",
                                                 encoding="ascii")
                if line.split()[4] == mnt][0]
        equal("btrfs: dev is the superblock's", a["dev"], sdev)
        ok("btrfs: and not what stat(2) says", a["dev"] !=
           "{}:{}".format(os.major(os.stat(f"{mnt}/a/f").st_dev),
                          os.minor(os.stat(f"{mnt}/a/f").st_dev)))
        tool("track", f"{mnt}/a/f", f"{mnt}/b/f")
        names = sorted(os.listdir("/sys/kernel/debug/pcinspect/inode"))
        base = f"{a['dev']}:{a['ino']}"
        equal("btrfs: two folders in debugfs", names, [base, base + ".2"])
        cached = []
        for name in names:
            with open(f"/sys/kernel/debug/pcinspect/inode/{name}/lru",
                      encoding="ascii") as f:
                cached += [int(line.split()[1]) for line in f
                           if line.startswith("cached:")]
        equal("btrfs: each with its own pages", cached, [MB // PAGE, 2 * MB // PAGE])
        run("pcinspect", "untrack")


def others(mnt):
    os.makedirs(f"{mnt}/bound", exist_ok=True)
    make_file(f"{mnt}/orig", MB)
    run("mount", "--bind", mnt, f"{mnt}/bound")
    cat(f"{mnt}/bound/orig")
    same("bind mount", f"{mnt}/bound/orig", MB // PAGE)
    a, b = tool("stat", f"{mnt}/orig", f"{mnt}/bound/orig")["files"]
    equal("bind mount: one inode", (a["dev"], a["ino"]), (b["dev"], b["ino"]))
    run("umount", f"{mnt}/bound")

    os.makedirs(f"{mnt}/tree", exist_ok=True)
    make_file(f"{mnt}/tree/f", 4 * MB)
    run("mksquashfs", f"{mnt}/tree", f"{mnt}/image", "-noappend", "-quiet", "-b", "128K",
        "-no-progress")
    os.makedirs("/mnt/sq", exist_ok=True)
    run("mount", "-o", "loop,ro", f"{mnt}/image", "/mnt/sq")
    cat("/mnt/sq/f")
    # squashfs expands a window that ends with the file by one more block of
    # 32 pages (squashfs_readahead(), 6.12) and never fills it. It is cached;
    # mincore(2) passes over pages that are not up to date.
    p = same("squashfs", "/mnt/sq/f", core=False)
    equal("squashfs: mincore sees the file", mincore("/mnt/sq/f"), 4 * MB // PAGE)
    equal("squashfs: cached == mincore and one block past the end",
          p["cached"], mincore("/mnt/sq/f") + (128 << 10) // PAGE)
    run("umount", "/mnt/sq")

    os.makedirs("/mnt/shm", exist_ok=True)
    run("mount", "-t", "tmpfs", "tmpfs", "/mnt/shm")
    run("dd", "if=/dev/zero", "of=/mnt/shm/f", "bs=1M", "count=4", "status=none")
    p = same("tmpfs", "/mnt/shm/f", 4 * MB // PAGE)
    equal("tmpfs: dirty, writeback and evicted do not apply",
          (p["dirty"], p["writeback"], p["evicted"]), (None, None, None))
    run("umount", "/mnt/shm")

    run("dd", "if=/dev/vdc", "of=/dev/null", "bs=1M", "count=4", "status=none")
    with open("/dev/vdc", "rb"):
        run("dd", "if=/dev/vdc", "of=/dev/null", "bs=1M", "count=4", "status=none")
        p = pages("/dev/vdc")
        ok("block device: pages are cached", p["cached"] >= 4 * MB // PAGE, p)
        equal("block device: cached == mincore", p["cached"], mincore("/dev/vdc"))
        cs = cachestat("/dev/vdc")
        if cs:
            equal("block device: cached == cachestat", p["cached"], cs["cache"])


def refused():
    def why(path, status, word):
        p = subprocess.run(["pcinspect", "stat", path], capture_output=True,
                           text=True, check=False)
        ok(f"refused with a reason: {path}",
           p.returncode == status and word in p.stderr and
           p.stderr.count("\n") == 1, (p.returncode, p.stderr))

    why("/etc", 32, "directory")
    why("/dev/null", 32, "no page cache")
    os.makedirs("/mnt/huge", exist_ok=True)
    if subprocess.run(["mount", "-t", "hugetlbfs", "none", "/mnt/huge"],
                      stderr=subprocess.DEVNULL, check=False).returncode:
        skip("refused with a reason: hugetlbfs", "this kernel has none")
    else:
        with open("/mnt/huge/f", "w", encoding="ascii"):
            pass
        why("/mnt/huge/f", 32, "hugetlbfs")
        run("umount", "/mnt/huge")


def tracked(mnt):
    """A whole directory; and a file that no later open(2) would find tracked."""
    def kinds(*paths):
        return [(f["record"] or {}).get("kind") for f in tool("stat", *paths)["files"]]
    os.makedirs(f"{mnt}/many/below")
    paths = [f"{mnt}/many/{name}" for name in ("a", "b", "below/c")]
    for path in paths:
        make_file(path, MB >> 4)
    os.symlink(f"{mnt}/orig", f"{mnt}/many/link")
    run("pcinspect", "track", "-r", f"{mnt}/many")
    equal("track -r: what is below, and no link", kinds(*paths, f"{mnt}/orig"),
          ["explicit"] * 3 + ["auto"])
    cat(*paths)
    read = [f["reads"]["demanded_bytes"] for f in tool("reads", "-r", f"{mnt}/many")["files"]]
    run("pcinspect", "untrack", paths[0])
    run("pcinspect", "reset", "-r", f"{mnt}/many")
    equal("reset -r: those that are tracked", (read, [
        f["reads"] and f["reads"]["demanded_bytes"]
        for f in tool("reads", *paths, check=1)["files"]]), ([MB >> 4] * 3, [None, 0, 0]))
    run("pcinspect", "untrack", "-r", f"{mnt}/many")
    equal("untrack -r", kinds(*paths), ["auto"] * 3)

    path = "/share/tracked"             # 9p without a cache
    with open(path, "wb") as f:
        f.write(b"x" * MB)
    p = subprocess.run(["pcinspect", "track", path], capture_output=True, text=True,
                       check=False)
    ok("9p without a cache: track counts, or says why not",
       kinds(path) == ["explicit"] if not p.returncode else
       p.returncode == 32 and "new inode" in p.stderr, (p.returncode, p.stderr))
    run("pcinspect", "untrack")
    os.unlink(path)


for filesystem in ("ext4", "xfs"):
    with mounted(filesystem) as where:
        plain(where, filesystem)
        if filesystem == "ext4":
            overlay(where)
            others(where)
            tracked(where)
btrfs_subvolumes()
removed_disk()
refused()
finish()
