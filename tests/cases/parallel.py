#!/usr/bin/env python3
# vm: --mem 1024 --smp 2 --parallel --disk 2048
# kernels: none
# soak: 6.1 6.12 7.2
# minutes: 4
"""parallel.py - everything at once, on CPUs that really run at once.

Tracking begins and ends, runs come and go, a watch looks on, every debugfs file is
read, while others write, truncate, unlink, evict and drop all caches. No splat (tests/vm
looks), no audit that disagrees, nobody dies. What the emulator alone survives is in
parallel_control.py.
"""
import json
import os
import signal
import subprocess
import time
from check import DEBUGFS, KERNEL, equal, finish, info, mounted, ok, rounds, run, tool

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
        loops = [f"while :; do {r}; echo >>/tmp/read.{i}; sleep 0.2; done"
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
        # What they had started ends with them, in its own time.
        time.sleep(2)
        return alive


class Audits:
    """All audit rows of all reports."""

    def __init__(self):
        self.seen, self.bad = 0, []

    def add(self, report):
        self.seen += len(report["audit"])
        self.bad += [a for a in report["audit"] if not a["ok"]]



def one_round(audits, point, path):
    """Each way of beginning and ending once."""
    run("pcinspect", "track", path)
    audits.add(tool("reads", path))
    subprocess.run(["pcinspect", "track", f"{point}/goes"], check=False, capture_output=True)
    audits.add(tool("stat", path))
    run("pcinspect", "untrack")
    subprocess.run(["pcinspect", "run", "-m", point, "--report", "/tmp/r.json", "--",
                    "sh", "-c", f"cat {path} >/dev/null & dd if=/dev/zero of={point}/mine bs=64K "
                    f"count=8 conv=fsync status=none; rm {point}/mine; wait"],
                   stdout=subprocess.DEVNULL, check=True)
    with open("/tmp/r.json", encoding="utf-8") as f:
        audits.add(json.load(f))
    with subprocess.Popen(["pcinspect", "watch", "--json", "--interval", "0.2", "--for", "1",
                           path], stdout=subprocess.PIPE) as p:
        for line in p.stdout:
            audits.add(json.loads(line))
    return p.returncode


def main():
    equal("CPUs", os.cpu_count(), 2)
    audits, want, watched = Audits(), rounds(4, 60), []
    with mounted("ext4", options="noatime") as point:
        others = Others(point)
        while not all(os.path.exists(f"{p}.n") for p in others.paths):
            time.sleep(0.2)
        done = others.worked()
        while len(watched) < want or min(done) < 2:
            watched.append(one_round(audits, point, others.paths[0]))
            done = others.worked()
        alive = others.stop()
    equal("all the others were there to the end", alive, [None] * len(alive))
    equal("each watch ended well", set(watched), {0})
    equal("audits were made, and those that disagree",
          (audits.seen > want, audits.bad[:5]), (True, []))
    equal("explicit records at the end", info()["explicit_records"], "0")
    print(f"# {KERNEL}: {len(watched)} rounds, {audits.seen} audits, {len(audits.bad)} disagree; "
          f"the others went round {done} times; {info().get('lost_frames')} frames lost")
    finish()


main()
