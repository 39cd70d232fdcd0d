#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64 --smp 2
# kernels: 6.12
# soak: 6.1 7.2
# parallel: 6.12 7.2
# minutes: 3
"""busy.py - a ledger adds up although it begins, and is asked for, while others
read, write, truncate and evict: on two CPUs, so that they do so at the same
moment (the emulated ones take turns, in the middle of anything). Pages inserted
since, less those removed, are those cached; all audits of every view agree; and no
age or time is longer than the other has been at it.
"""
import contextlib
import json
import os
import signal
import subprocess
import time
from check import KERNEL, equal, finish, mounted, ok, rounds, run, tool

BEGUN = time.monotonic()
EVICT = """
fd = os.open({path!r}, os.O_RDONLY)
while True:
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    for i in range(0, 8 << 20, 1 << 16):
        os.pread(fd, 1 << 16, i)
"""
WRITE = """
fd = os.open({path!r}, os.O_RDWR | os.O_CREAT)
while True:
    for i in range(0, 4 << 20, 1 << 16):
        os.pwrite(fd, b"x" * (1 << 16), i)
    os.ftruncate(fd, 1 << 16)
"""


@contextlib.contextmanager
def meanwhile(script, path):
    """Somebody else who never rests."""
    p = subprocess.Popen(["python3", "-c", "import os" + script.format(path=path)])
    try:
        time.sleep(0.5)
        yield
    finally:
        equal(f"{path}: the other one did not end", p.poll(), None)
        p.send_signal(signal.SIGKILL)
        p.wait()


class Audits:
    """All audit rows of some reports, judged together."""

    def __init__(self, name):
        self.name, self.seen, self.bad, self.moved = name, {}, [], set()

    def add(self, report):
        for a in report["audit"]:
            self.seen[a["what"]] = self.seen.get(a["what"], 0) + 1
            if not a["ok"]:
                self.bad.append(a)
            if a["what"] == "inserted_pages":
                self.moved.add(a["ours"])
        most = (time.monotonic() - BEGUN) * 1000
        for f in report["files"]:
            age = (f["dirty"] or {}).get("oldest_ms")
            mean = (f["writeback"] or {}).get("mean_ns")
            if (age or 0) > most or not 0 <= (mean or 0) / 1e6 <= most:
                self.bad.append((age, mean, most))

    def rounds(self, short, long):
        """As many rounds as asked for, and until the other was seen at work: two reports
        may say the same by chance."""
        nr, most = 0, 20 * rounds(short, long)
        while nr < rounds(short, long) or (len(self.moved) < 3 and nr < most):
            yield nr
            nr += 1

    def judge(self):
        ok(f"{self.name}: it was busy", len(self.moved) > 2, self.moved)
        ok(f"{self.name}: every audit agrees", not self.bad,
           (self.seen, len(self.bad), self.bad[:5]))
        print(f"# {KERNEL} {self.name}: {self.seen}")


def tracked(name, path):
    """Tracked anew each time: the hooks are attached while the other works."""
    audits = Audits(f"{name}: tracked")
    for _ in audits.rounds(2, 100):
        tool("track", path)
        for _ in range(3):
            audits.add(tool("reads", path))
        run("pcinspect", "untrack")
    audits.judge()


def beside_another(name, path, other):
    """The hooks are there already, for another file."""
    tool("track", other)
    audits = Audits(f"{name}: tracked as well")
    for _ in audits.rounds(3, 200):
        tool("track", path)
        audits.add(tool("reads", path))
        run("pcinspect", "untrack", path)
    audits.judge()
    run("pcinspect", "untrack")


def watched(name, path):
    audits = Audits(f"{name}: watched")
    with subprocess.Popen(["pcinspect", "watch", "--json", "--interval", "0.2", path],
                          stdout=subprocess.PIPE) as p:
        for _ in audits.rounds(3, 200):
            audits.add(json.loads(p.stdout.readline()))
        p.send_signal(signal.SIGINT)
        for line in p.stdout:
            audits.add(json.loads(line))
    audits.judge()


def began_anew(name, path):
    tool("track", path)
    audits = Audits(f"{name}: reset")
    for _ in audits.rounds(3, 200):
        run("pcinspect", "reset")
        audits.add(tool("reads", path))
    audits.judge()
    run("pcinspect", "untrack")


def ran(name, path, point):
    """Two of the run's tasks, and somebody else, meet a file at the same time."""
    audits = Audits(f"{name}: run")
    for _ in audits.rounds(3, 100):
        subprocess.run(["pcinspect", "run", "-m", point, "--report", "/tmp/r.json", "--",
                        "sh", "-c", f"cat {path} & cat {path} & wait"],
                       stdout=subprocess.DEVNULL, check=True)
        with open("/tmp/r.json", encoding="utf-8") as f:
            audits.add(json.load(f))
    audits.judge()


def crossed(name, path, point):
    """Tracked while a run goes, ends and has ended: with its ledger or one's own."""
    audits = Audits(f"{name}: tracked as a run ends")
    with subprocess.Popen(["pcinspect", "run", "-m", point, "--report", "/tmp/r.json", "--",
                           "sh", "-c", f"cat {path}; sleep 3"],
                          stdout=subprocess.DEVNULL) as p:
        over, times = False, 0
        while not over or times < 4 or (len(audits.moved) < 3 and times < 80):
            over, times = p.poll() is not None, times + 1
            tool("track", path)
            audits.add(tool("reads", path))
            run("pcinspect", "untrack", path)
    equal(f"{name}: the run's status", p.returncode, 0)
    with open("/tmp/r.json", encoding="utf-8") as f:
        equal(f"{name}: the run's audit", [a for a in json.load(f)["audit"] if not a["ok"]],
              [])
    audits.judge()


def main():
    equal("CPUs", os.cpu_count(), 2)
    # The hooks are the same for both.
    for fs, what, script in (("ext4", "evicted", EVICT), ("xfs", "written", WRITE)):
        with mounted(fs, options="noatime") as point:
            path, other = f"{point}/f", f"{point}/other"
            for p in (path, other):
                run("dd", "if=/dev/urandom", f"of={p}", "bs=1M", "count=8", "conv=fsync",
                    "status=none")
            name = f"{fs}, {what}"
            with meanwhile(script, path):
                tracked(name, path)
                beside_another(name, path, other)
                watched(name, path)
                began_anew(name, path)
                ran(name, path, point)
                crossed(name, path, point)
    finish()


main()
