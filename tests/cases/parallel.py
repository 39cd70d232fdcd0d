#!/usr/bin/env python3
# vm: --mem 1024 --smp 2 --parallel --disk 2048 --disk 512
# kernels: none
# soak: 6.1 6.12 7.2 debug debug-kcsan
# args 6.1: 60 auto
# minutes: 6
"""parallel.py - everything at once, on CPUs that really run at once.

Tracking begins and ends, runs come and go, a watch looks on, every debugfs file is
read, a filesystem is unmounted while files of it are tracked, the module is unloaded and
loaded, while others write, truncate, unlink, evict and drop all caches. No splat (tests/vm
looks), no audit that disagrees, nobody dies. What the emulator alone survives is in
parallel_control.py: on 6.1 no kprobes. parallel.py [ROUNDS [auto]]: nothing is tracked
with "auto", so that only tracepoints are attached.
"""
import json
import os
import signal
import subprocess
import sys
import time
from check import DEBUGFS, KERNEL, equal, finish, info, mounted, rounds, run, tool

DEBUG = "pcinspect" in KERNEL
AUTO = "auto" in sys.argv
WORK = """
import mmap, os, sys
path, n = {path!r}, 0
while True:
    fd = os.open(path, os.O_RDWR | os.O_CREAT)
    for i in range(0, 2 << 20, 1 << 16):
        os.pwrite(fd, b"x" * (1 << 16), i)
    m = mmap.mmap(fd, 1 << 20)
    m[::4096] = b"y" * 256
    m.close()
    if n % 3 == 0:
        os.fsync(fd)
    for i in range(0, 2 << 20, 1 << 16):
        os.pread(fd, 1 << 16, i)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.ftruncate(fd, 1 << 16)
    os.close(fd)
    n += 1
    if {unlink} and n % 4 == 0:
        os.unlink(path)
    with open(path + ".n", "w") as f:
        f.write(str(n))
"""
READERS = (f"cat {DEBUGFS}/* {DEBUGFS}/inode/*/*", "pcinspect top", "pcinspect status")


class Others:
    """Those who work, and those who look, until they are told to stop."""

    def __init__(self, point):
        self.paths = [f"{point}/busy", f"{point}/goes"]
        scripts = [["python3", "-c", WORK.format(path=p, unlink=i)]
                   for i, p in enumerate(self.paths)]
        loops = [f"while :; do {r}; echo >>/tmp/read.{i}; sleep 1; done"
                 for i, r in enumerate(READERS)]
        loops.append("while :; do echo 3 >/proc/sys/vm/drop_caches; sleep 0.5; done")
        scripts += [["bash", "-c", loop] for loop in loops]
        self.procs = [subprocess.Popen(s, start_new_session=True, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL) for s in scripts]

    def worked(self):
        """Rounds of each."""
        done = []
        for path in self.paths:
            with open(f"{path}.n", encoding="ascii") as f:
                done.append(int(f.read() or 0))
        read = [f"/tmp/read.{i}" for i in range(len(READERS))]
        return done + [os.path.getsize(r) if os.path.exists(r) else 0 for r in read]

    def stop(self):
        """Were all of them there to the end?"""
        alive = [p.poll() for p in self.procs]
        for p in self.procs:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
        # Their children end with them, in their own time.
        time.sleep(2)
        return alive


class Audits:
    """All audit rows of all reports."""

    def __init__(self):
        self.seen, self.bad = 0, []

    def add(self, report):
        self.seen += len(report["audit"])
        self.bad += [a for a in report["audit"] if not a["ok"]]


def tracked(audits, point, path):
    """Two files, one of which others unlink."""
    run("pcinspect", "track", path)
    audits.add(tool("reads", path))
    subprocess.run(["pcinspect", "track", f"{point}/goes"], check=False, capture_output=True)
    audits.add(tool("stat", path))
    run("pcinspect", "untrack")


def ran(audits, point, path):
    """A run whose tasks work at once."""
    subprocess.run(["pcinspect", "run", "-m", point, "--report", "/tmp/r.json", "--",
                    "sh", "-c", f"cat {path} >/dev/null & dd if=/dev/zero of={point}/mine bs=64K "
                    f"count=8 conv=fsync status=none; rm {point}/mine; wait"],
                   stdout=subprocess.DEVNULL, check=True)
    with open("/tmp/r.json", encoding="utf-8") as f:
        audits.add(json.load(f))


def watch_ended(audits, path):
    """With which status."""
    with subprocess.Popen(["pcinspect", "watch", "--json", "--interval", "0.2", "--for", "1",
                           path], stdout=subprocess.PIPE) as p:
        for line in p.stdout:
            audits.add(json.loads(line))
    return p.returncode


def unmounted(nr):
    """While some of its files are tracked, and all readers read."""
    point = "/mnt/other"
    run("mount", "/dev/vdc", point)
    for i in range(4):
        run("dd", "if=/dev/zero", f"of={point}/f{i}", "bs=64K", "count=4", "status=none")
    if not AUTO:
        run("pcinspect", "track", *[f"{point}/f{i}" for i in range(1 + nr % 4)])
    return subprocess.run(["umount", point], check=False).returncode


def reloaded():
    """Unloaded under I/O; readers that have a file of it open are waited for."""
    for _ in range(300):
        if not subprocess.run(["rmmod", "pcinspect"], check=False,
                              stderr=subprocess.DEVNULL).returncode:
            break
        time.sleep(0.1)
    else:
        return False
    run(*(["insmod", "/share/pcinspect.ko"] if DEBUG else ["modprobe", "pcinspect"]))
    return True


def main():
    equal("CPUs", os.cpu_count(), 2)
    want = int(sys.argv[1]) if sys.argv[1:] else rounds(4, 60)
    audits, ends, unmounts, reloads = Audits(), [], [], []
    run("mkfs.ext4", "-q", "-F", "/dev/vdc")
    os.makedirs("/mnt/other")
    with mounted("ext4", options="noatime") as point:
        others = Others(point)
        while not all(os.path.exists(f"{p}.n") for p in others.paths):
            time.sleep(0.2)
        done = others.worked()
        while len(ends) < want or min(done) < 2:
            if AUTO:
                ends.append(0)
            else:
                tracked(audits, point, others.paths[0])
                ran(audits, point, others.paths[0])
                ends.append(watch_ended(audits, others.paths[0]))
            unmounts.append(unmounted(len(ends)))
            if len(ends) % 3 == 0:
                reloads.append(reloaded())
            done = others.worked()
            print(f"# round {len(ends)}: the others {done}", flush=True)
        alive = others.stop()
    equal("all the others were there to the end", alive, [None] * len(alive))
    equal("each watch ended well", set(ends), {0})
    equal("no unmount was refused", set(unmounts), {0})
    equal(f"the module was unloaded {len(reloads)} times", set(reloads), {True})
    equal("audits were made, and those that disagree",
          (audits.seen > want or AUTO, audits.bad[:5]), (True, []))
    equal("explicit records at the end", info()["explicit_records"], "0")
    print(f"# {KERNEL}: {len(ends)} rounds, {audits.seen} audits, {len(audits.bad)} disagree; "
          f"the others went round {done} times")
    finish()


main()
