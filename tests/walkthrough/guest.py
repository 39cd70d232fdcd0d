#!/usr/bin/env python3
"""guest.py - story 1 in small, for docs/walkthrough.md: a program that only
writes, through mappings, in a control group that is too small.

Runs in a guest (tests/walkthrough/run). Leaves in $OUT: watch.ansi and
watch-wide.ansi, the screens; story1.dat, the recording; *.txt, what the commands
printed, each with its command line; steps.txt, what the disk counted.
May touch: /dev/vdb, a control group, a tmux server; it is a throw-away machine.
"""
import glob
import mmap
import os
import subprocess
import sys
import time
from check import Cgroup, equal, finish, mounted, ok, run

OUT = os.environ.get("OUT", "/tmp")
FILES, PAGES, LIMIT, MB = 128, 64, 6 << 20, 1 << 20
PACE = 0.4  # seconds between rounds: the screen has something to show


def writer(table, advice):
    """One page is appended to each column per round; nothing is read."""
    with open("/proc/self/comm", "w", encoding="ascii") as f:
        f.write("writer")
    # The interpreter's own memory stays outside of the limit.
    with open("/sys/fs/cgroup/db/cgroup.procs", "w", encoding="ascii") as f:
        f.write(str(os.getpid()))
    columns = []
    for i in range(FILES):
        fd = os.open(f"{table}/col{i:03}.d", os.O_RDWR)
        m = mmap.mmap(fd, PAGES * mmap.PAGESIZE)
        os.close(fd)
        if advice == "random":
            m.madvise(mmap.MADV_RANDOM)
        columns.append(m)
    for page in range(PAGES):
        start = time.monotonic()
        for m in columns:
            at = page * mmap.PAGESIZE
            m[at:at + 8] = b"measured"
        time.sleep(max(0, start + PACE - time.monotonic()))


def fresh(table):
    """A table of empty columns, and nothing of it in the cache."""
    os.makedirs(table, exist_ok=True)
    for i in range(FILES):
        with open(f"{table}/col{i:03}.d", "wb") as f:
            f.truncate(PAGES * mmap.PAGESIZE)
    run("sync")


def disk():
    """Bytes read from and written to the disk, as it counts them itself."""
    run("sync")
    with open("/sys/block/vdb/stat", encoding="ascii") as f:
        row = f.read().split()
    return int(row[2]) * 512, int(row[6]) * 512


def load(advice):
    return ["python3", "/tmp/db", advice]


def plain(name, table, advice):
    """Nobody looks: what the disk has to do for it."""
    fresh(table)
    before = disk()
    start = time.monotonic()
    run(*load(advice))
    after = disk()
    line = (f"{name}: written through mappings {FILES * PAGES * 4096 / MB:.1f} MB; "
            f"disk: read {(after[0] - before[0]) / MB:.1f} MB, "
            f"written {(after[1] - before[1]) / MB:.1f} MB")
    print(f"# {line}, {time.monotonic() - start:.0f} s", flush=True)
    with open(f"{OUT}/steps.txt", "a", encoding="utf-8") as f:
        f.write(line + "\n")
    return after[0] - before[0]


def tmux(*args, check=True):
    return subprocess.run(["tmux", "-u", "-f", "/dev/null", *args], check=check,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="surrogateescape").stdout


def capture(name):
    with open(f"{OUT}/{name}", "w", encoding="utf-8") as f:
        f.write(tmux("capture-pane", "-p", "-e", "-t", "t"))


def painted(seconds=60):
    """Until watch has its screen."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        lines = tmux("capture-pane", "-p", "-t", "t").rstrip("\n").split("\n")
        if lines[0].startswith("pcinspect ") and "quit" in lines[-1]:
            return ok("watch has its screen", True)
        time.sleep(0.2)
    return ok("watch has its screen", False, "\n".join(lines))


def watch(table):
    fresh(table)
    tmux("new-session", "-d", "-s", "t", "-x", "100", "-y", "30",
         "env", "-u", "NO_COLOR", "TERM=screen-256color",
         "pcinspect", "watch", *sorted(glob.glob(f"{table}/col*.d")))
    painted()
    with subprocess.Popen(load("normal")) as job:
        # The list: most read from the device first.
        tmux("send-keys", "-t", "t", *["s"] * 5)
        time.sleep(12)
        tmux("send-keys", "-t", "t", "Home")
        time.sleep(3)
        capture("watch.ansi")
        tmux("resize-window", "-t", "t", "-x", "160", "-y", "45")
        time.sleep(4)
        painted()
        capture("watch-wide.ansi")
        ok("captured while it was still writing", job.poll() is None)
        equal("the writer under watch", job.wait(), 0)
    tmux("send-keys", "-t", "t", "q")
    time.sleep(1)
    tmux("kill-server", check=False)


def keep(name, *cmd, shown=None):
    """The output of a command, below its command line."""
    p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True, check=False)
    equal(f"{name}: exit status", p.returncode, 0)
    with open(f"{OUT}/{name}.txt", "w", encoding="utf-8") as f:
        f.write(f"# {shown or ' '.join(cmd)}\n{p.stdout}")
    print(f"## {name}\n{p.stdout}", flush=True)
    return p.stdout


def main():
    # The program's name on the page: a short path for this file.
    if sys.argv[1:2] in (["normal"], ["random"]):
        writer("/srv/db", sys.argv[1])
        return
    os.symlink(os.path.abspath(__file__), "/tmp/db")
    table = "/srv/db"
    group = Cgroup("db", LIMIT)
    with mounted("ext4", point="/srv", options="noatime"):
        bad = plain("as it is", table, "normal")
        watch(table)
        fresh(table)
        some = sorted(glob.glob(f"{table}/col00*.d"))
        dat, fixed = f"{OUT}/story1.dat", "/tmp/fixed.dat"
        keep("record", "pcinspect", "record", "--interval", "0.5", "-o", dat, *some,
             "--", *load("normal"),
             shown="pcinspect record --interval 0.5 -o story1.dat /srv/db/col00*.d -- ./load")
        for view in "stat", "reads", "readahead", "explain":
            args = [] if view == "stat" else ["--view", view]
            text = keep(f"report-{view}", "pcinspect", "report", *args, dat,
                        shown=" ".join(["pcinspect report", *args, "story1.dat"]))
        ok("explain names the remedy", "MADV_RANDOM" in text, text)
        good = plain("with MADV_RANDOM", table, "random")
        fresh(table)
        keep("record-fixed", "pcinspect", "record", "-o", fixed, *some,
             "--", *load("random"),
             shown="pcinspect record -o fixed.dat /srv/db/col00*.d -- ./load")
        text = keep("explain-fixed", "pcinspect", "report", "--view", "explain", fixed,
                    shown="pcinspect report --view explain fixed.dat")
        ok("nothing to say of read-around any more", "read-around" not in text, text)
    group.remove()
    ok("the disk was read, and is no more", bad > 50 * MB and good < MB, (bad, good))
    finish()


main()
