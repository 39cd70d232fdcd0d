#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# build: ../fixtures/uncounted
# minutes: 1
"""uncounted.py - a filesystem that is believed to write by a function that it does
not call: what is written to it is unknown, and an audit says so. And the reverse: one
that writes by a function that it is not believed to call (CephFS). What was counted of
its writes is in the sum of all insertions, and no file that was written is left out.

omfs_by_itself.c has the name of one that writes by generic_perform_write(). Of ext4, xfs and btrfs nothing goes by uncounted, not behind
their end either, nor by a write(2) that was under way when its file was tracked.
"""
import json
import mmap
import os
import subprocess
import time
from check import (PAGE, Cgroup, emptied, equal, finish, make_file, mounted, ok, run,
                   tool, unflushed)

MB = 1 << 20
NAME = "pages written uncounted"
POINT = "/mnt/omfs"
FILE = f"{POINT}/file"


def numbers(file):
    """The numbers that depend on writes, unknown where one was not seen."""
    return (file["writeback"]["write_bytes"], file["reads"]["inserted"]["write"],
            file["writeback"]["throttled"]["pauses"], file["writeback"]["amplification"])


def audits(report):
    return [(a["ours"], a["theirs"], a["ok"]) for a in report["audit"] if a["what"] == NAME]


def cut():
    os.truncate(FILE, 0)


def in_a_run(*command):
    """Of a run all calls are seen from the first on."""
    p = subprocess.run(["pcinspect", "run", "--json", "--mount", POINT, "--", *command],
                       stdout=subprocess.PIPE, check=False)
    report = json.loads(p.stdout)
    return report, [f for f in report["files"] if f["path"] == FILE][0]


def by_itself():
    """Its pages are seen, its writes are not."""
    run("insmod", "uncounted/omfs_by_itself.ko")
    os.makedirs(POINT, exist_ok=True)
    run("mount", "-t", "omfs", "none", POINT)
    with unflushed():
        report, file = in_a_run("dd", "if=/dev/zero", f"of={FILE}", "bs=64k", "count=4",
                                "status=none")
        equal("omfs: pages that became dirty", file["writeback"]["dirtied_pages"], 64)
        equal("omfs: none by a mapping", file["writeback"]["mapped_dirtied_pages"], 0)
        equal("omfs: what was written is unknown", numbers(file), (None,) * 4)
        equal("omfs: what was inserted is known, not by whom",
              (file["reads"]["inserted"]["other"], file["reads"]["inserted_pages"]), (64, 64))
        equal("omfs: an audit says so", audits(report), [(64, 0, False)])
        # A file that goes by in one call.
        cut()
        report, file = in_a_run("dd", "if=/dev/zero", f"of={FILE}", "bs=1M", "count=1",
                                "status=none")
        equal("omfs: one call", (numbers(file), audits(report)),
              ((None,) * 4, [(256, 0, False)]))
        # Nothing is written: all is known.
        report, file = in_a_run("dd", f"if={FILE}", "of=/dev/null", "bs=64k", "status=none")
        equal("omfs: only read", (numbers(file)[:3], audits(report)), ((0,) * 3, []))
        # Not of a run: the second call of a task is one that began later.
        cut()
        tool("track", FILE)
        fd = os.open(FILE, os.O_WRONLY)
        os.write(fd, b"x" * 16 * PAGE)
        os.write(fd, b"x" * 16 * PAGE)
        report = tool("dirty", FILE, check=3)
        equal("omfs: a tracked file: what was written is unknown",
              numbers(tool("explain", FILE, check=3)["files"][0]), (None,) * 4)
        equal("omfs: a tracked file: an audit says so", audits(report), [(16, 0, False)])
        os.close(fd)
        tool("untrack", FILE)
        cut()
    run("umount", POINT)
    run("rmmod", "omfs_by_itself")


def by_generic():
    """Its writes are seen, but nobody knows that these are all."""
    run("insmod", "uncounted/omfs_by_itself.ko", "by_generic=1")
    run("mount", "-t", "by_generic", "none", POINT)
    with unflushed():
        write = "dd", "if=/dev/zero", f"of={FILE}", "bs=64k", "count=4", "status=none"
        report, file = in_a_run(*write)
        equal("by_generic: pages that were inserted", file["reads"]["inserted_pages"], 64)
        equal("by_generic: inserted by writes is unknown", file["reads"]["inserted"]["write"], None)
        equal("by_generic: every audit holds",
              [a for a in report["audit"] if a["ok"] is False], [])
        # Nothing is inserted: its pages are cached.
        report, file = in_a_run(*write, "conv=notrunc")
        equal("by_generic: written again, nothing inserted", file["reads"]["inserted_pages"], 0)
        equal("by_generic: every audit holds again",
              [a for a in report["audit"] if a["ok"] is False], [])
        tool("track", FILE)
        cut()
        run(*write)
        report = tool("explain", FILE)
        equal("by_generic: a tracked file", report["files"][0]["reads"]["inserted_pages"], 64)
        tool("untrack", FILE)
        cut()
    run("umount", POINT)
    run("rmmod", "omfs_by_itself")


def behind_the_end(fs):
    """Gaps, ends of pages, O_DIRECT beside them, cuts: none of it is a write uncounted."""
    with mounted(fs) as point:
        path = f"{point}/f"
        with open(path, "wb") as f:
            f.write(b"x" * 100)
        tool("track", path)
        written = 0
        past = os.open(path, os.O_RDWR | os.O_DIRECT)
        buffer = mmap.mmap(-1, 4 * PAGE)
        for flags in 0, os.O_APPEND, os.O_SYNC:
            fd = os.open(path, os.O_RDWR | flags)
            for i in range(40):
                # Behind a gap, then before.
                size = os.fstat(fd).st_size
                for at in size + (i % 7) * 5000, size // 2:
                    data = b"y" * (1 + i * 997)
                    written += (os.write(fd, data) if flags == os.O_APPEND else
                                os.pwrite(fd, data, at))
                if i % 8 == 7:
                    os.fsync(fd)
                if i % 16 == 15:
                    os.ftruncate(fd, size - 100)
                # Past the cache, behind another gap; btrfs does it by the cache (6.12).
                if i % 5 == 4:
                    end = -(-os.fstat(fd).st_size // PAGE) * PAGE
                    written += os.pwritev(past, [buffer], end + (i % 3) * 4 * PAGE)
            os.close(fd)
        os.close(past)
        report = tool("explain", path)
        (file,) = report["files"]
        counted = file["writeback"]["write_bytes"] + file["direct"]["write_bytes"]
        equal(f"{fs}: all that was written is counted", (counted, audits(report)), (written, []))
        tool("untrack", path)


def under_way():
    """A write(2) that began before its file was tracked is not one that goes by."""
    with mounted("ext4") as point:
        path = f"{point}/f"
        # Asleep in it until its disk may go on.
        group = Cgroup("slow")
        disk = os.stat("/dev/vdb").st_rdev
        limit = f"{os.major(disk)}:{os.minor(disk)}"
        with open(f"{group.path}/memory.high", "w", encoding="ascii") as f:
            f.write(str(64 * MB))
        with open(f"{group.path}/io.max", "w", encoding="ascii") as f:
            f.write(f"{limit} wbps=65536")
        with subprocess.Popen(
                ["sh", "-c", f"echo $$ >{group.path}/cgroup.procs; exec dd if=/dev/zero "
                 f"of={path} bs=48M count=1 status=none"]) as p:
            while not os.path.exists(path) or os.path.getsize(path) < 4 * MB:
                time.sleep(0.05)
            tool("track", path)
            size = os.path.getsize(path)
            ok("under way: the call had not ended", p.poll() is None and size < 48 * MB, size)
            with open(f"{group.path}/io.max", "w", encoding="ascii") as f:
                f.write(f"{limit} wbps=max")
            equal("under way: it was written", p.wait(), 0)
        report = tool("dirty", path)
        w = report["files"][0]["writeback"]
        ok("under way: what it made dirty since is there", w["dirtied_pages"] > 0, w)
        equal("under way: and what was written is what calls wrote that began since",
              (w["write_bytes"], audits(report)), (0, []))
        tool("untrack", path)
        group.remove()


def behind():
    """Bytes that a run submits to a disk that has not counted them yet."""
    # Nothing of mkfs is left to be written by a thread of the kernel.
    with mounted("ext4", mkfs=["-E", "lazy_itable_init=0,lazy_journal_init=0"]) as point:
        path = f"{point}/f"
        make_file(path, 4 * MB)
        emptied(path)
        group = Cgroup("behind")
        disk = os.stat("/dev/vdb").st_rdev
        limit = f"{os.major(disk)}:{os.minor(disk)}"
        with open(f"{group.path}/io.max", "w", encoding="ascii") as f:
            f.write(f"{limit} rbps=65536")
        # posix_fadvise(2) submits, and does not wait.
        report = json.loads(subprocess.run(
            ["pcinspect", "run", "--json", "--", "sh", "-c",
             f"echo $$ >{group.path}/cgroup.procs; exec xfs_io -r -c 'fadvise -w 0 1M' {path}"],
            stdout=subprocess.PIPE, check=False).stdout)
        with open(f"{group.path}/io.max", "w", encoding="ascii") as f:
            f.write(f"{limit} rbps=max")
        equal("behind: no audit fails", [a for a in report["audit"] if a["ok"] is False], [])
        (row,) = [d for d in report["devices"] if d["name"] == "vdb"]
        equal("behind: what was submitted is known, what the disk read is not",
              (row["file_bytes"], row["read_bytes"]), (MB, None))
        group.remove()


def main():
    for fs in "ext4", "xfs", "btrfs":
        behind_the_end(fs)
    under_way()
    behind()
    by_itself()
    by_generic()
    finish()


main()
