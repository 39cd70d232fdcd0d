#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: 6.12 7.2
"""collapse.py - a file that is collapsed into folios of 2 MiB has as many pages as before.

The work of khugepaged, on request: madvise(MADV_COLLAPSE). Page takes page's place without an
event of mm_filemap (collapse_file(), mm/khugepaged.c), so nothing is inserted nor removed;
what was not cached is read first, and counts as read. Of tmpfs, and on 7.2 of files with
large folios too; 6.1 ends with EINVAL. That it was done is what smaps says.
"""
import contextlib
import errno
import mmap
import os
import re
import time
from check import (PAGE, cachestat, disk_bytes, emptied, entry, equal, finish, make_file,
                   mincore, mounted, run, skip, split, tool)

MB = 1 << 20
SIZE = 4 * MB
PAGES = SIZE // PAGE
COLLAPSE = 25     # madvise(2)


def huge(path):
    """Bytes of it that are mapped in one piece, of this process."""
    with open("/proc/self/smaps", encoding="utf-8") as f:
        parts = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", f.read(), flags=re.M)
    return 1024 * sum(int(kib) for part in parts if part.split("\n")[0].endswith(f" {path}")
                      for kib in re.findall(r"^(?:File|Shmem)PmdMapped: *(\d+) kB", part, re.M))


def collapse(m):
    """False where the kernel does not, of this filesystem. What is being read for it is
    not there yet: again."""
    for _ in range(100):
        try:
            m.madvise(COLLAPSE)
            return True
        except BlockingIOError:
            time.sleep(0.1)
        except OSError as e:
            if e.errno != errno.EINVAL:
                raise
            return False
    raise RuntimeError("madvise(MADV_COLLAPSE) ends with EAGAIN, always")


def agreed(label, path):
    """All sources say that it is cached, once."""
    f = entry(path, "stat")
    p, cs = f["pages"], cachestat(path)
    equal(f"{label}: cached", (p["cached"], split(p), mincore(path)), (PAGES,) * 3)
    equal(f"{label}: in folios of 2 MiB", f["orders"], [{"order": 9, "pages": PAGES}])
    equal(f"{label}: mapped", p["mapped"], PAGES)
    if p["dirty"] is not None and cs:
        equal(f"{label}: as cachestat says", (p["cached"], p["dirty"], p["evicted"]),
              (cs["cache"], cs["dirty"], cs["evicted"]))


def reads(label, path):
    """Its ledger, if it has one; what was inserted less what was removed is an audit."""
    report = tool("reads", path)
    equal(f"{label}: all audits agree", [a for a in report["audit"] if not a["ok"]], [])
    return report["files"][0]["reads"]


def collapsed(fs, point, every):
    """Of a file of which one page of @every is cached."""
    path, disk = f"{point}/f", fs != "tmpfs"
    label = f"{fs}, {'every page' if every == 1 else f'one page of {every}'} cached"
    if disk:
        make_file(path, SIZE)
        emptied(path)
    with open(path, "r+b" if disk else "w+b", buffering=0) as f:
        f.truncate(SIZE)
        tool("track", path)
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
        for at in range(0, SIZE, every * PAGE):
            if disk:
                os.pread(f.fileno(), PAGE, at)
            else:
                os.pwrite(f.fileno(), b"x", at)
        was, came = reads(f"{label}, before", path), disk_bytes()[0]
        with mmap.mmap(f.fileno(), SIZE, prot=mmap.PROT_READ) as m:
            if not disk:
                m.madvise(mmap.MADV_HUGEPAGE)
            if not collapse(m):
                skip(f"{label}: collapsed", "this kernel does not")
                os.unlink(path)
                run("pcinspect", "untrack")
                return
            for at in range(0, SIZE, PAGE):
                m[at]  # pylint: disable=pointless-statement
            equal(f"{label}: collapsed", huge(path), SIZE)
            agreed(label, path)
        came = disk_bytes()[0] - came
        r = reads(label, path)
        if disk:
            equal(f"{label}: inserted what was read, and nothing removed",
                  (r["inserted_pages"], r["removed_pages"]), (PAGES, 0))
            equal(f"{label}: what was not cached was read, as diskstats says",
                  (r["device_bytes"] - was["device_bytes"], came),
                  ((PAGES - was["inserted_pages"]) * PAGE,) * 2)
            emptied(path)
            r = reads(f"{label}, dropped", path)
            equal(f"{label}, dropped: all is removed",
                  (r["removed"]["invalidate"], r["removed_pages"]), (PAGES, PAGES))
        else:
            equal(f"{label}: who inserts is not known", r, None)
            f.truncate(0)
    equal(f"{label}: then nothing is cached", entry(path, "stat")["pages"]["cached"], 0)
    os.unlink(path)
    run("pcinspect", "untrack")


@contextlib.contextmanager
def tmpfs(point="/mnt/h"):
    """Huge pages where they are asked for."""
    os.makedirs(point, exist_ok=True)
    run("mount", "-t", "tmpfs", "-o", "huge=advise", "tmpfs", point)
    try:
        yield point
    finally:
        run("umount", point)


def main():
    for fs in "tmpfs", "ext4", "xfs":
        with tmpfs() if fs == "tmpfs" else mounted(fs, options="noatime") as point:
            for every in 1, 4:
                collapsed(fs, point, every)
    finish()


main()
