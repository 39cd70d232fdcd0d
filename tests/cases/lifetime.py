#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# timeout: 2700
# soak: debug debug-rt 6.1-rt 6.12-rt 7.2-rt 6.1-cloud 6.12-cloud 7.2-cloud 7.3 6.12-arm64 6.12-arm64-16k 7.2-arm64
# parallel: 6.12 7.2 debug-kcsan
# minutes: 4
"""lifetime.py - tracking stands in nobody's way.

Unmounts go through at once while files are tracked, also beside looped readers
of every debugfs file and of top --scan; space comes back after unlink and
close; remount, drop_caches, reuse of inode numbers and rmmod under I/O are
survived, and the records say what happened.
"""
import contextlib
import glob
import os
import signal
import subprocess
import time
from check import (DEBUGFS, KERNEL, PAGE, equal, finish, info, make_file, mounted,
                   ok, rounds, run, skip, stat, tool)

MB = 1 << 20
DEBUG = "pcinspect" in KERNEL                        # and very slow
ROUNDS = rounds(3, 3 if DEBUG else 40)
UNLOADS = rounds(3, 100)
FILESYSTEMS = ("ext4",) if DEBUG else ("ext4", "xfs", "btrfs")


def readers(*scripts):
    """Endless shell loops; their errors are part of life here."""
    # Or one CPU does nothing but read, and all else waits for its turn.
    rest = "sleep 2" if DEBUG else "sleep 0.1"
    return [subprocess.Popen(["bash", "-c", f"while :; do {s}; {rest}; done"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             start_new_session=True)
            for s in scripts]


def stop(procs):
    """The shells and what they have started, which may be in the middle of I/O."""
    for p in procs:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()
        with contextlib.suppress(ProcessLookupError):
            while True:
                os.killpg(p.pid, 0)
                time.sleep(0.01)


def load(*args):
    run(*(["insmod", "/share/pcinspect.ko"] if DEBUG else ["modprobe", "pcinspect"]),
        *args)


def explicit():
    """Explicit records, but for the one that is held all the time."""
    return int(info()["explicit_records"]) - HELD


def folders():
    """Their folders."""
    return [d for d in glob.glob(f"{DEBUGFS}/inode/*") if d not in HELD_FOLDERS]


def fill(mnt, n=8):
    for i in range(n):
        run("dd", "if=/dev/zero", f"of={mnt}/f{i}", "bs=256K", "count=1",
            "status=none")


def unmount_once(fs):
    with mounted(fs) as mnt:
        fill(mnt)
        run("pcinspect", "track", f"{mnt}/f0", f"{mnt}/f1")
        equal(f"{fs}: two explicit records", explicit(), 2)
        run("mount", "-o", "remount,ro", mnt)
        equal(f"{fs}: remount,ro goes through while tracked",
              stat(f"{mnt}/f0")["pages"]["cached"], (256 << 10) // PAGE)
        run("mount", "-o", "remount,rw", mnt)
        run("sync")
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
            f.write("2")
        equal(f"{fs}: drop_caches 2 leaves explicit records",
              explicit(), 2)
        begun = time.monotonic()
    ok(f"{fs}: umount at once while tracked", time.monotonic() - begun < 15,
       time.monotonic() - begun)
    equal(f"{fs}: no explicit record is left", explicit(), 0)
    # A worker removes them, so that no unmount waits for a reader; who untracks waits
    # for the worker, also where there is nothing to untrack.
    subprocess.run(["pcinspect", "untrack", "/etc/passwd"], capture_output=True, check=False)
    equal(f"{fs}: no folder is left", folders(), [])


def unmount_loop(fs):
    """Nobody retries here: an umount that fails, fails the test."""
    point = "/mnt/loop"
    os.makedirs(point, exist_ok=True)
    subprocess.run(["modprobe", "-q", fs], check=False)
    run(f"mkfs.{fs}", *({"ext4": ["-q", "-F"]}.get(fs, ["-q", "-f"])), "/dev/vdb")
    # Two loops, not one for each file: the guest has one CPU, and a round has to
    # get its share of it.
    procs = readers(f"cat {DEBUGFS}/info {DEBUGFS}/inodes; cat {DEBUGFS}/inode/*/*",
                    f"pcinspect top --scan {point}; pcinspect top")
    failed, slowest = 0, 0.0
    for i in range(ROUNDS):
        run("mount", "/dev/vdb", point)
        fill(point, 4)
        if i % 2:
            run("pcinspect", "track", *glob.glob(f"{point}/f*"))
        begun = time.monotonic()
        p = subprocess.run(["umount", point], capture_output=True, text=True,
                           check=False)
        slowest = max(slowest, time.monotonic() - begun)
        if p.returncode:
            failed += 1
            print(f"# round {i}: {p.stderr.strip()}")
            stop(procs)
            procs = []
            run("umount", point)
    stop(procs)
    equal(f"{fs}: {ROUNDS} unmounts beside looped readers, none refused", failed, 0)
    print(f"# slowest umount {slowest:.2f} s")
    equal(f"{fs}: explicit records after the loop", explicit(), 0)


def space(fs):
    with mounted(fs) as mnt:
        def free():
            run("sync", "-f", mnt)
            return os.statvfs(mnt).f_bavail * os.statvfs(mnt).f_frsize
        before = free()
        make_file(f"{mnt}/f", 32 * MB)
        run("pcinspect", "track", f"{mnt}/f")
        fd = os.open(f"{mnt}/f", os.O_RDONLY)
        os.unlink(f"{mnt}/f")
        equal(f"{fs}: tracked, deleted, open: still tracked",
              explicit(), 1)
        with open(f"{folders()[0]}/path", encoding="ascii") as f:
            equal(f"{fs}: debugfs says deleted", f.read(), "/f (deleted)\n")
        used = before - free()
        os.close(fd)
        for _ in range(40):
            if before - free() < used / 8:
                break
            time.sleep(0.25)
        ok(f"{fs}: unlink and close give the space back",
           used > 30 * MB and before - free() < used / 8, (used, before - free()))
        equal(f"{fs}: and end the record", explicit(), 0)


def reuse():
    with mounted("ext4") as mnt:
        make_file(f"{mnt}/old", MB)
        run("vmtouch", "-q", "-t", f"{mnt}/old")
        tool("track", f"{mnt}/old")
        old = stat(f"{mnt}/old")
        os.unlink(f"{mnt}/old")
        for i in range(32):
            make_file(f"{mnt}/new{i}", 64 << 10)
            new = stat(f"{mnt}/new{i}")
            if new["ino"] == old["ino"]:
                break
        equal("an inode number was reused", new["ino"], old["ino"])
        ok("reuse: another i_generation",
           new["i_generation"] != old["i_generation"], (old, new))
        ok("reuse: another record, that starts at nothing",
           new["record"] is None or
           new["record"]["inserted_pages"] < old["record"]["inserted_pages"],
           (old["record"], new["record"]))
        equal("reuse: the new one is not explicit",
              (new["record"] or {"kind": "auto"})["kind"], "auto")
        gone = [g for g in tool("top", "--once")["gone"] if g["fs"] == "ext4"]
        ok("reuse: the old one is in the gone row",
           gone and gone[0]["inodes"] >= 1, gone)


def unload():
    with mounted("ext4", options="noatime") as mnt:
        writer = readers(f"dd if=/dev/zero of={mnt}/w bs=64K count=8 conv=fsync;"
                         f"cat {mnt}/w {mnt}/f*; rm -f {mnt}/w; sleep 0.3")
        fill(mnt)
        # A reader that has the device open keeps the module, so there is none.
        # The guest has one CPU, and attaching wants its share of it.
        reader = readers(f"cat {DEBUGFS}/inodes; cat {DEBUGFS}/inode/*/lru; sleep 0.5")
        done = 0
        for _ in range(UNLOADS):
            run("pcinspect", "track", *glob.glob(f"{mnt}/f*"))
            for _ in range(400):
                if not subprocess.run(["rmmod", "pcinspect"], check=False,
                                      stderr=subprocess.DEVNULL).returncode:
                    done += 1
                    break
                time.sleep(0.02)
            load()
        stop(writer + reader)
        equal(f"rmmod under I/O {UNLOADS} times with records alive", done, UNLOADS)


def table_full():
    """More inodes than records: the oldest fold into the gone row."""
    run("rmmod", "pcinspect")
    args = ["max_inodes=64"]
    load(*args)
    with mounted("ext4") as mnt:
        for i in range(400):
            with open(f"{mnt}/n{i}", "wb") as f:
                f.write(b"x" * 5000)
            if i % 40 == 39:
                time.sleep(0.3)
        ok("a full table keeps to its limit", int(info()["auto_records"]) <= 64,
           info()["auto_records"])
        gone = sum(g["inodes"] for g in tool("top", "--once")["gone"])
        lost = int(info()["lost_inodes"])
        ok("what was pushed out is counted", gone > 0, gone)
        ok("what found no room is counted", gone + lost + 64 >= 400, (gone, lost))


# Attaching the probes takes a minute there: once, and not with every track.
HELD = 0
HELD_FOLDERS = []
if DEBUG:
    with open("/tmp/held", "w", encoding="ascii") as held:
        held.write("x")
    run("pcinspect", "track", "/tmp/held")
    HELD = 1
    HELD_FOLDERS = glob.glob(f"{DEBUGFS}/inode/*")

for filesystem in FILESYSTEMS:
    unmount_once(filesystem)
    unmount_loop(filesystem)
    space(filesystem)
reuse()
if DEBUG:
    skip("rmmod under I/O and a full table",
         "one slow CPU does nothing but the loops there; the stock kernels run it")
else:
    unload()
    table_full()
finish()
