#!/usr/bin/env python3
# vm: --mem 1024 --disk 1024 --disk 64
# kernels: 6.12
# soak: 6.1 7.2
"""try.py - pcinspect try names the remedy that helps, and puts everything back.

Programs with one thing wrong, and a best remedy by construction: it is the one that is
named. Programs with nothing wrong, also with remedies that somebody insists on: none is,
and none that costs more bytes. Bytes and requests decide, compared with the
disk's own. Then try is killed: by CMD itself in each of its runs, with one setting after
the other changed, and that is seen; together with its guardian; and whenever it happens.
The settings are bit by bit what they were, and no cgroup is left.
"""
import contextlib
import fcntl
import glob
import json
import os
import random
import signal
import subprocess
import time
from check import (KERNEL, Cgroup, dontneed, equal, finish, info, make_file, mounted, ok, partition,
                   rounds, run, setting, skip)

MB = 1 << 20
MNT = "/mnt/t"
TINY = f"{MNT}/tiny"
READ_AHEAD = "/sys/block/vdb/queue/read_ahead_kb"
SECTORS = "/sys/block/vdb/queue/max_sectors_kb"
SECTORS_C = "/sys/block/vdc/queue/max_sectors_kb"
STATE = "/run/pcinspect/try.state"

# A page here and there through a mapping, always the same ones.
SCATTERED = """
import mmap, os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
m = mmap.mmap(fd, 0, prot=mmap.PROT_READ)
sum(m[i * 48271 * 4099 % len(m)] for i in range(60))
"""

# And by pread(2), a page each.
PREAD = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
for i in range(100):
    os.pread(fd, 4096, i * 48271 * 4099 % os.fstat(fd).st_size & ~4095)
"""

# The same bytes in the same place, and each call waited for.
FSYNC = """for i in 1 2 3 4; do
dd if=/dev/zero of=$1 bs=2M count=1 conv=notrunc,fsync status=none; done"""


def read(path):
    with open(path, encoding="ascii") as f:
        return f.read()


def write(path, value):
    with open(path, "w", encoding="ascii") as f:
        f.write(str(value))


def settings():
    """All that try may change, bit by bit; and the cgroups that it may have made."""
    paths = [*glob.glob("/proc/sys/vm/dirty_*"), READ_AHEAD, SECTORS, SECTORS_C]
    return {**{path: read(path) for path in paths},
            "cgroups": glob.glob("/sys/fs/cgroup/**/pcinspect-try-*", recursive=True)}


def told(stderr):
    return [line for line in stderr.splitlines() if line.startswith("pcinspect: ")]


def tried(label, cmd, *options, status=0, stdin=None, within=()):
    """The report of a try; its settings are as they were."""
    before = settings()
    with contextlib.suppress(FileNotFoundError):
        os.unlink("/tmp/try.json")
    p = subprocess.run([*within, "pcinspect", "try", *options, "--report", "/tmp/try.json",
                        "--", *cmd], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True, check=False, stdin=stdin)
    print("\n".join("# " + line for line in (p.stdout + p.stderr).splitlines()
                    if line.strip()), flush=True)
    equal(f"{label}: exit status", p.returncode, status)
    equal(f"{label}: settings are as they were", settings(), before)
    ok(f"{label}: nothing is left to be put back", not os.path.exists(STATE))
    with open("/tmp/try.json", encoding="utf-8") as f:
        return json.load(f), p


def name(attempt):
    r = attempt["remedy"]
    return r and (r["name"] if r["value"] is None else f"{r['name']}={r['value']}")


def best(report):
    t = report["try"]
    return None if t["best"] is None else name(t["runs"][t["best"]])


def no_dearer(label, report):
    """Whatever is named does not cost a twentieth more bytes."""
    runs, at = report["try"]["runs"], report["try"]["best"]
    total = [None if r["read_bytes"] is None else r["read_bytes"] + r["written_bytes"]
             for r in runs]
    ok(f"{label}: what is named costs no more bytes",
       at is None or total[at] <= min(total[:2]) * 1.05, total)


def named(label, cmd, want, verdict=None):
    report, _ = tried(label, cmd)
    said = [v["verdict"] for v in report["verdicts"]]
    ok(f"{label}: the verdict", verdict is None or any(v.startswith(verdict) for v in said), said)
    equal(f"{label}: the remedy that helps most", best(report), want)
    no_dearer(label, report)
    return report


def none(label, cmd, *remedies):
    report, p = tried(label, cmd, *(f"--remedy={r}" for r in remedies))
    equal(f"{label}: none", best(report), None)
    equal(f"{label}: and says so", p.stdout.count("\nnone: "), 1)
    equal(f"{label}: each was tried", len(report["try"]["runs"]), 2 + len(remedies))
    return report


def in_group(group, script):
    return ["sh", "-c", f"echo $$ >{group.path}/cgroup.procs; {script}"]


def pathologies(big, small, hot):
    write(READ_AHEAD, 512)
    report = named("scattered loads", ["python3", "-I", "-S", "-c", SCATTERED, big], "random",
                   "mmap-read-around")
    runs = report["try"]["runs"]
    ok("scattered loads: a smaller window helps, too, and less",
       [name(r) for r in runs] == [None, None, "random", "read_ahead_kb=16"] and
       runs[3]["outcome"] == "helps", runs)
    write(READ_AHEAD, 4)
    report = named("windows of a page", ["dd", f"if={hot}", "of=/dev/null", "bs=4k",
                                         "status=none"], "read_ahead_kb=128")
    base, with_it = report["try"]["runs"][0], report["try"]["runs"][2]
    ok("windows of a page: the same bytes, fewer requests",
       abs(base["read_bytes"] - with_it["read_bytes"]) <= MB // 8 and
       with_it["requests"] * 4 < base["requests"], (base, with_it))
    write(READ_AHEAD, 128)
    on_partition()


def on_partition():
    """A partition has the queue of its disk."""
    partition("/dev/vdc", 1, MB, 48 * MB)
    was = read(SECTORS_C)
    write(SECTORS_C, 32)
    with mounted("ext4", device="/dev/vdc1", point="/mnt/p",
                 mkfs=["-E", "lazy_itable_init=0,lazy_journal_init=0"]):
        make_file("/mnt/p/f", 2 * MB)
        report = named("split fsync", ["sh", "-c", FSYNC, "sh", "/mnt/p/f"],
                       "max_sectors_kb=4096", "fsync-split")
    runs = report["try"]["runs"]
    ok("split fsync: calls and their time are there",
       all(r["fsync_calls"] == 4 and r["fsync_ns"] for r in runs), runs)
    ok("split fsync: it is the disk's queue that is changed",
       runs[2]["requests"] * 4 < runs[0]["requests"], runs)
    write(SECTORS_C, was)
    # A filesystem that comes and goes with CMD: what was read of it is known all the same.
    report, p = tried("a filesystem that goes away", ["sh", "-c", "mount /dev/vdc1 /mnt/p && "
                      "dd if=/mnt/p/f of=/dev/null bs=64k status=none; umount /mnt/p"])
    runs = report["try"]["runs"]
    ok("a filesystem that goes away: its files count",
       len(runs) == 2 and all(2 * MB <= r["read_bytes"] <= 5 * MB for r in runs), runs)
    equal("a filesystem that goes away: a line, of what stays cached",
          sum("it is a block device" in x for x in told(p.stderr)), 1)
    equal("a filesystem that goes away: audits", [a for a in report["audit"] if not a["ok"]], [])
    partition("/dev/vdc", 2)


# Sixteen pages here and there, in two calls that follow one another: the second one is
# read ahead of.
PAIRS = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
for i in range(16):
    at = i * 48271 % (os.fstat(fd).st_size >> 17) << 17
    os.pread(fd, 32768, at), os.pread(fd, 32768, at + 32768)
"""


def chosen(label, cmd, remedies, want, within=()):
    report, _ = tried(label, cmd, *(f"--remedy={r}" for r in remedies), within=within)
    equal(f"{label}: the remedy that helps most", best(report), want)
    no_dearer(label, report)
    return report


def choices(big, small):
    """Of several that are asked for the best one."""
    dd = ["dd", f"if={small}", "of=/dev/null", "bs=4k", "status=none"]
    write(READ_AHEAD, 8)
    chosen("windows of two pages", dd, ["random", "read_ahead_kb=64", "read_ahead_kb=1024"],
           "read_ahead_kb=1024")
    chosen("windows of two pages, nothing but advice", dd, ["random", "sequential"],
           "sequential")
    write(READ_AHEAD, 2048)
    chosen("pairs of reads", ["python3", "-I", "-S", "-c", PAIRS, big],
           ["sequential", "read_ahead_kb=1024", "random"], "random")
    chosen("scattered loads, others asked for", ["python3", "-I", "-S", "-c", SCATTERED, big],
           ["sequential", "read_ahead_kb=1024", "max_sectors_kb=64", "random"], "random")
    write(READ_AHEAD, 128)
    was = read(SECTORS)
    write(SECTORS, 8)
    chosen("split reads", dd, ["random", "read_ahead_kb=64", "max_sectors_kb=512"],
           "max_sectors_kb=512")
    write(SECTORS, was)


# One load in each of many files, as a column store has them.
COLUMNS = """
import mmap, os, sys
for name in sorted(os.listdir(sys.argv[1])):
    fd = os.open(os.path.join(sys.argv[1], name), os.O_RDONLY)
    m = mmap.mmap(fd, 0, prot=mmap.PROT_READ)
    m[len(m) // 2]
    m.close()
    os.close(fd)
"""


def columns():
    """Of a directory's files, more than are named, each is read for a page of it."""
    os.mkdir(f"{MNT}/columns")
    for i in range(24):
        make_file(f"{MNT}/columns/{i}", 1 * MB)
    write(READ_AHEAD, 1024)
    report = named("a column store", ["python3", "-I", "-S", "-c", COLUMNS, f"{MNT}/columns"],
                   "random", "mmap-read-around")
    runs = report["try"]["runs"]
    at = report["try"]["best"]
    ok("a column store: a page of each file instead of all of it",
       at is not None and runs[at]["read_bytes"] * 8 < runs[0]["read_bytes"], runs)
    write(READ_AHEAD, 128)


def lets_go(small):
    """A stream between two looks at the same file: it has to go first."""
    group = Cgroup("stream", 6 * MB)
    hot = f"{MNT}/hot"
    report = chosen("a stream that lets go", in_group(
        group, f"exec cat {hot} {small} {hot} >/dev/null"),
        ["sequential", f"dontneed={small}", "noreuse"], "dontneed")
    runs = report["try"]["runs"]
    ok("a stream that lets go: what was read before it stays",
       runs[3]["read_bytes"] + 2 * MB <= runs[0]["read_bytes"] + MB // 4, runs)
    group.remove()


def too_low():
    """Three times through what a limit has no room for: what is beyond it is read each time,
    whatever reclaim takes. pcinspect itself has the limit, too; CMD's own group has another."""
    large = f"{MNT}/large"
    make_file(large, 40 * MB)
    group = Cgroup("low", 32 * MB)
    # Nothing but sh and pcinspect is ever in it.
    report = chosen("a limit that is too low", ["sh", "-c", 'for i in 1 2 3; do '
                                                f'dd if={large} of=/dev/null bs=1M status=none; done'],
                    ["random", f"memory.max={256 * MB}", "read_ahead_kb=64"],
                    f"memory.max={256 * MB}", within=in_group(group, 'exec "$@"') + ["sh"])
    runs = report["try"]["runs"]
    ok("a limit that is too low: with room for it all, it is read once",
       runs[3]["read_bytes"] <= 41 * MB and runs[0]["read_bytes"] >= 56 * MB, runs)
    group.remove()
    os.unlink(large)


# The same bytes again and again, and each time as long as it takes until they are on disk,
# or 3 s.
REWRITTEN = """
import os, sys, time
fd = os.open(sys.argv[1], os.O_RDWR)
def dirty():
    with open("/proc/meminfo", encoding="ascii") as f:
        return [int(x.split()[1]) for x in f if x.startswith(("Dirty:", "Writeback:"))]
for i in range(6):
    os.pwrite(fd, bytes([i + 1]) * (2 << 20), 0)
    for _ in range(30):
        if sum(dirty()) < 512:
            break
        time.sleep(0.1)
"""


def rewritten(small):
    """Data rewritten before it has to be on disk is written once."""
    setting("dirty_background_bytes", 65536)
    report = chosen("rewritten", ["python3", "-I", "-S", "-c", REWRITTEN, small],
                    ["read_ahead_kb=64", f"dirty_background_bytes={256 * MB}"],
                    f"dirty_background_bytes={256 * MB}")
    runs = report["try"]["runs"]
    ok("rewritten: fewer bytes by half, at least",
       2 * runs[3]["written_bytes"] <= runs[0]["written_bytes"], runs)
    setting("dirty_background_ratio", 10)


def idle(busy, kept):
    """A file that reclaim may not take, and nobody uses."""
    parent = Cgroup("guard", 14 * MB)
    write(f"{parent.path}/cgroup.subtree_control", "+memory")
    keeper, worker = Cgroup("guard/keeper"), Cgroup("guard/worker")
    write(f"{keeper.path}/memory.min", 10 * MB)
    dontneed(kept)
    dontneed(busy)
    keeper.run("cat", kept)
    cmd = in_group(worker, f"exec cat {busy} {busy} {busy} {busy} >/dev/null")
    report, p = tried("an idle file of others", cmd)
    ok("an idle file of others: it is not dropped", all(name(r) != "drop" for r in
                                                        report["try"]["runs"]), report["try"])
    ok("an idle file of others: its command is told", any(
        f"not tried: dd if={kept} " in x and "not this command's file" in x
        for x in told(p.stderr)), p.stderr)
    ok("an idle file of others: no limit is touched", read(f"{parent.path}/memory.max") ==
       f"{14 * MB}\n" and all(name(r) is None or not name(r).startswith("memory.")
                              for r in report["try"]["runs"]), report["try"])
    if rounds(0, 1):
        chosen("an idle file, when somebody says so", cmd, [f"drop={kept}"], "drop")
    for group in keeper, worker, parent:
        group.remove()


def more(big, small):
    """Results that depend on the pages that reclaim takes; a message where they are too wrong."""
    group = Cgroup("limit", 4 * MB)
    report, p = tried("working set too large", in_group(
        group, f"exec cat {small} {small} {small} >/dev/null"))
    if "working-set-too-large" in [v["verdict"] for v in report["verdicts"]]:
        ok("working set too large: the limit is others', too", any(
            "not tried: echo " in x and "memory.max" in x for x in told(p.stderr)), p.stderr)
    else:
        skip("working set too large", "too little came back")
    no_dearer("working set too large", report)
    write(f"{group.path}/memory.max", 6 * MB)
    hot = f"{MNT}/hot"
    report, _ = tried("a stream", in_group(group, f"exec cat {hot} {big} {hot} >/dev/null"))
    ok("a stream: it drops what it has read, or nothing helps",
       best(report) in ("dontneed", None), report["try"])
    no_dearer("a stream", report)
    group.remove()


# Two reads that follow one another, here and there, again and again, each time from the disk.
SERVICE = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
while True:
    if len(sys.argv) < 3:
        os.close(fd)
        fd = os.open(sys.argv[1], os.O_RDONLY)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    for i in range(16):
        at = i * 48271 % (os.fstat(fd).st_size >> 17) << 17
        os.pread(fd, 32768, at), os.pread(fd, 32768, at + 32768)
"""

# A file over and over, which a limit may have no room for.
CYCLE = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
while True:
    at = 0
    while os.pread(fd, 65536, at):
        at += 65536
"""


def looked_at(label, service, *options, status=0):
    before = settings()
    p = subprocess.run(["pcinspect", "try", *service, "--for", "2", "--json", *options],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    print(p.stderr, flush=True)
    equal(f"{label}: exit status", p.returncode, status)
    equal(f"{label}: settings are as they were", settings(), before)
    ok(f"{label}: nothing is left to be put back", not os.path.exists(STATE))
    return json.loads(p.stdout) if p.stdout else None, p


def services(big):
    """Something that runs, and is not started again: compared by what is asked of it."""
    write(READ_AHEAD, 2048)
    with subprocess.Popen(["python3", "-I", "-S", "-c", SERVICE, big]) as p:
        pid = ("--pid", str(p.pid))
        report, _ = looked_at("a process", pid, "--remedy=read_ahead_kb=32", "--remedy=random",
                              "--remedy=memory.high=100000000")
        runs = report["try"]["runs"]
        equal("a process: what helps", (best(report), report["try"]["service"]),
              ("read_ahead_kb=32", f"process {p.pid}"))
        equal("a process: it takes no advice, and has no limit of its own",
              [(r["outcome"], r["read_bytes"]) for r in runs[3:]], [("not applied", None)] * 2)
        ok("a process: a part of the bytes for what was asked for", all(
            3 * runs[2]["read_bytes"] * r["asked_bytes"] < 2 * r["read_bytes"] * runs[2]["asked_bytes"]
            for r in runs[:2]), runs)
        equal("a process: the files are its own", [f["path"] for f in report["files"]
                                                   if f["reads"]["device_bytes"]], [big])
        report, _ = looked_at("a process, as verdicts advise", pid)
        equal("a process, as verdicts advise: what helps", best(report) and best(report).split("=")[0],
              "read_ahead_kb")
        p.send_signal(signal.SIGSTOP)
        report, q = looked_at("a process that sleeps", pid, status=1)
        ok("a process that sleeps: a line, and no report", report is None and any(
            "read and wrote no file for 2 s: nothing is compared" in x for x in told(q.stderr)), q)
        p.send_signal(signal.SIGCONT)
        q = subprocess.Popen(["pcinspect", "try", *pid, "--for", "100", "--remedy=read_ahead_kb=32"],
                             stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while info()["run"] != "active":
            time.sleep(0.05)
        q.send_signal(signal.SIGINT)
        equal("Ctrl-C: ends the look, and nothing is left", (bool(q.communicate()), q.returncode,
              os.path.exists(STATE), read(READ_AHEAD)), (True, 130, False, "2048\n"))
        p.kill()
    with subprocess.Popen(["python3", "-I", "-S", "-c", SERVICE, big, "open"]) as p:
        report, q = looked_at("a file that stays open", ("--pid", str(p.pid)), "--remedy=read_ahead_kb=32")
        equal("a file that stays open: it keeps its windows, and a line says so",
              (best(report), sum("opened from now on" in x for x in told(q.stderr))), (None, 1))
        p.kill()
    write(READ_AHEAD, 128)
    large = f"{MNT}/large"
    make_file(large, 24 * MB)
    group = Cgroup("service", 16 * MB, "high")
    with subprocess.Popen(in_group(group, f"exec python3 -I -S -c '{CYCLE}' {large}")) as p:
        report, _ = looked_at("a limit that is too low", ("--cgroup", group.path),
                              f"--remedy=memory.high={64 * MB}", "--remedy=memory.max=1000000")
        runs = report["try"]["runs"]
        equal("a limit that is too low: a higher one helps, and is put back",
              (best(report), read(f"{group.path}/memory.high"), read(f"{group.path}/memory.max")),
              (f"memory.high={64 * MB}", f"{16 * MB}\n", "max\n"))
        equal("a limit that may kill is not tried", runs[3]["outcome"], "not applied")
        p.kill()
    group.remove()
    os.unlink(large)
    for words in (["--pid", "1", "--", "true"], ["--for", "2", "--", "true"],
                  ["--pid", "1", "--cgroup", "x"]):
        p = subprocess.run(["pcinspect", "try", *words], stderr=subprocess.PIPE, text=True, check=False)
        equal(f"{words}: misuse, a line", (p.returncode, p.stderr.count("\n")), (2, 1))
    p = subprocess.run(["pcinspect", "try", "--pid", "4194303"], stderr=subprocess.PIPE, text=True,
                       check=False)
    equal("no such process: a line", (p.returncode, p.stderr.count("\n")), (1, 1))


def healthy(small):
    # Each new max_sectors_kb raises it to 128 or more.
    write(READ_AHEAD, 64)
    report = none("read in order, and somebody insists", ["dd", f"if={small}", "of=/dev/null",
                                                          "bs=4k", "status=none"],
                  "read_ahead_kb=4", "max_sectors_kb=4")
    equal("read in order, and somebody insists: what costs more is told",
          [r["outcome"] for r in report["try"]["runs"]],
          ["as it is", "as it is", "costs more", "costs more"])
    write(READ_AHEAD, 128)


def healthy_too(big, small):
    none("read in order", ["sh", "-c", f"cat {small} >/dev/null"])
    none("pages at random", ["python3", "-I", "-S", "-c", PREAD, big])
    none("nothing at all", ["true"])
    none("written and synced", ["dd", "if=/dev/zero", f"of={small}.new", "bs=64k", "count=16",
                                "conv=fsync", "status=none"])
    none("cached the second time", ["sh", "-c", f"cat {small} {small} >/dev/null"])
    os.unlink(f"{small}.new")


def base_costs(small):
    """The costs are the disk's own."""
    def disk():
        words = read("/sys/block/vdb/stat").split()
        return int(words[2]) * 512, int(words[0])
    before = disk()
    # A file that the shell has opened as stdin is read each time.
    with open(small, "rb") as stdin:
        report, _ = tried("against the disk", ["dd", "of=/dev/null", "bs=64k", "status=none"],
                          "--remedy", "sequential", stdin=stdin)
    after = disk()
    runs = report["try"]["runs"]
    # The first run finds some of it cached, perhaps: it is no part of the report.
    size = os.stat(small).st_size
    ok("against the disk: each run reads it, and little else",
       all(size <= r["read_bytes"] <= size + MB for r in runs), runs)
    ok("against the disk: three times the file, and perhaps once more",
       3 * size <= after[0] - before[0] <= 4 * size + MB, (after[0] - before[0], size))
    ok("against the disk: no more requests than it had",
       sum(r["requests"] for r in runs) <= after[1] - before[1], (runs, before, after))


def refused(small):
    """Each a clear line, and the report is kept."""
    _, p = tried("CMD fails", ["sh", "-c", f"cat {small} >/dev/null; exit 7"], status=7)
    ok("CMD fails: a line", any("exited with 7: nothing is compared" in x for x in told(p.stderr)),
       p.stderr)
    _, p = tried("CMD is killed", ["sh", "-c", f"cat {small} >/dev/null; kill -9 $$"], status=137)
    ok("CMD is killed: a line", any("ended by signal 9" in x for x in told(p.stderr)), p.stderr)
    # No request is smaller than a page.
    script = f'cat {small} >/dev/null; test "$PCINSPECT_ADVICE" != random'
    # Nobody may write one of its settings, and the next remedy is tried all the same.
    bdi = os.path.realpath("/sys/block/vdb/bdi")
    sealed = ("unshare", "-m", "sh", "-c",
              f'mount --bind {bdi} {bdi} && mount -o remount,bind,ro {bdi} && exec "$@"', "sh")
    report, p = tried("remedies that cannot be", ["sh", "-c", script],
                      "--remedy=read_ahead_kb=64", "--remedy=max_sectors_kb=1",
                      "--remedy=drop=/nowhere", "--remedy=random", within=sealed)
    equal("remedies that cannot be: they are told apart, and none helps",
          ([(r["outcome"], r["status"]) for r in report["try"]["runs"]][2:], best(report)),
          ([("not applied", None)] * 3 + [("CMD failed", 1)], None))
    for words in ("read_ahead_kb: cannot set it to 64: Read-only file system",
                  "max_sectors_kb: cannot set it to 1", "/nowhere: cannot be dropped"):
        equal(f"remedies that cannot be: a line: {words}",
              sum(words in x for x in told(p.stderr)), 1)
    equal("remedies that cannot be: and no other line", len(told(p.stderr)), 3)
    for bad in ["--remedy=swappiness=1"], ["--remedy=drop=x"], ["--restore", "x"], []:
        p = subprocess.run(["pcinspect", "try", *bad], stderr=subprocess.PIPE, check=False,
                           stdout=subprocess.DEVNULL, text=True)
        equal(f"try {' '.join(bad)}: usage", (p.returncode, len(told(p.stderr))), (2, 1))


def contained():
    """Settings would stay changed if the container ended: only its own remedies are tried."""
    report, p = tried("in a container", ["sh", "-c", f"cat {TINY} >/dev/null"],
                      "--remedy=read_ahead_kb=64", "--remedy=memory.high=67108864",
                      "--remedy=random",
                      within=("unshare", "--pid", "--fork", "--mount-proc"))
    runs = report["try"]["runs"]
    equal("in a container: what is tried", [r["outcome"] == "not applied" for r in runs],
          [False, False, True, True, False])
    ok("in a container: what it read", all(r["read_bytes"] >= os.stat(TINY).st_size
                                           for r in runs if r["outcome"] != "not applied"), runs)
    for words in ("this is a container", "read_ahead_kb: not changed",
                  "memory.high: not changed"):
        equal(f"in a container: a line: {words}", sum(words in x for x in told(p.stderr)), 1)


# --- killed ---------------------------------------------------------------------------

# Its n-th run (0: the first) writes down the settings and kills pcinspect, and perhaps
# its guardian: the other child of it.
KILLER = """
cat {MNT}/tiny >/dev/null
n=$(cat /tmp/nth); echo $((n + 1)) >/tmp/nth
[ $n = $1 ] || exit 0
cat {READ_AHEAD} {SECTORS} /proc/sys/vm/dirty_background_bytes | tr '\\n' ' ' >/tmp/seen
cat /proc/self/cgroup >>/tmp/seen
# One of its own below it is no reason to leave it.
g=$(cut -d: -f3 /proc/self/cgroup)
case $g in */pcinspect-try-*) mkdir /sys/fs/cgroup$g/below; esac
[ -z "$2" ] || for p in $(cat /proc/$PPID/task/$PPID/children); do
    [ $p = $$ ] || kill -9 $p
done
kill -9 $PPID
""".replace("{READ_AHEAD}", READ_AHEAD).replace("{SECTORS}", SECTORS).replace("{MNT}", MNT)

REMEDIES = ["read_ahead_kb=64", "max_sectors_kb=8", "dirty_background_bytes=1048576",
            "memory.high=67108864"]


def everybody_gone():
    """The lock is free: neither try nor its guardian lives."""
    with open("/run/pcinspect/try.lock", "r+", encoding="ascii") as f:
        fcntl.flock(f, fcntl.LOCK_EX)


def killed_in(nth, remedy, guardian_too=False):
    """3 is the first run with a remedy."""
    before = settings()
    write("/tmp/nth", 0)
    subprocess.run(["pcinspect", "try", f"--remedy={remedy}", "--",
                    "sh", "-c", KILLER, "sh", str(nth), "x" if guardian_too else ""],
                   stdout=subprocess.DEVNULL, check=False)
    everybody_gone()
    label = f"killed in run {nth} with {remedy}{', the guardian too' if guardian_too else ''}"
    seen = read("/tmp/seen").split()
    for i, other in enumerate(REMEDIES[:3]):
        equal(f"{label}: {other} was in force, or not", seen[i] == other.split("=")[1],
              nth == 3 and other == remedy)
    equal(f"{label}: in a cgroup of its own, or not", "pcinspect-try-" in seen[3],
          nth == 3 and remedy == REMEDIES[3])
    if guardian_too:
        ok(f"{label}: what is to be put back is written down", os.path.exists(STATE))
        p = subprocess.run(["pcinspect", "status"], stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True, check=False)
        ok(f"{label}: status tells of it", "pcinspect try --restore" in p.stderr, p.stderr)
        p = subprocess.run(["pcinspect", "try", "--restore"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, check=False)
        equal(f"{label}: --restore", (p.returncode, "a try was killed" in p.stderr), (0, True))
    equal(f"{label}: all is as it was", settings(), before)
    ok(f"{label}: nothing is left to be put back", not os.path.exists(STATE))


def killed_somewhen(times, remedies):
    before = settings()
    cmd = ["pcinspect", "try", *(f"--remedy={r}" for r in remedies), "--", "cat", f"{MNT}/tiny"]
    begun = time.monotonic()
    subprocess.run(cmd, stdout=subprocess.DEVNULL, check=True)
    whole = time.monotonic() - begun
    random.seed(6)
    for i in range(times):
        with subprocess.Popen(cmd, stdout=subprocess.DEVNULL, start_new_session=True) as p:
            time.sleep(random.random() * whole)
            os.killpg(p.pid, signal.SIGKILL)
        everybody_gone()
        now = settings()
        if not equal(f"killed somewhen, {i + 1} of {times}: all is as it was", now, before):
            break


def changed_by_others():
    """What CMD itself has made another is not put back; not what it was, either."""
    write("/tmp/nth", 0)
    script = (f"cat {MNT}/tiny >/dev/null; n=$(cat /tmp/nth); echo $((n + 1)) >/tmp/nth; "
              f"[ $n != 3 ] || echo 256 >{READ_AHEAD}")
    p = subprocess.run(["pcinspect", "try", "--remedy=read_ahead_kb=64", "--", "sh", "-c", script],
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    ok("changed by somebody else: a line", any("somebody else changed it" in x
                                               for x in told(p.stderr)), p.stderr)
    equal("changed by somebody else: it is left", (p.returncode, read(READ_AHEAD)), (0, "256\n"))
    ok("changed by somebody else: nothing is left to be put back", not os.path.exists(STATE))
    write(READ_AHEAD, 128)


def twins_of_zero():
    """Both are 0: 0 bytes cannot be written, so the ratio is."""
    setting("dirty_background_ratio", 0)
    tried("both are 0", ["sh", "-c", f"cat {MNT}/tiny >/dev/null"],
          "--remedy=dirty_background_bytes=1048576", "--remedy=dirty_background_ratio=5")
    setting("dirty_background_ratio", 10)


def one_at_a_time(small):
    with subprocess.Popen(["pcinspect", "try", "--", "sh", "-c",
                           f"cat {small} >/dev/null; read x </tmp/fifo"],
                          stdout=subprocess.DEVNULL) as first:
        fifo = os.open("/tmp/fifo", os.O_WRONLY)       # CMD is there
        p = subprocess.run(["pcinspect", "try", "--", "true"], stderr=subprocess.PIPE,
                           stdout=subprocess.DEVNULL, text=True, check=False)
        equal("one at a time", (p.returncode, "is running" in p.stderr), (1, True))
        first.terminate()
        first.wait()
        os.close(fifo)
    everybody_gone()


def main():
    write("/sys/fs/cgroup/cgroup.subtree_control", "+memory")
    setting("dirty_background_ratio", 10)
    with mounted("ext4", mkfs=["-E", "lazy_itable_init=0,lazy_journal_init=0"]):
        big, small, other = f"{MNT}/big", f"{MNT}/small", f"{MNT}/other"
        make_file(big, 24 * MB)
        make_file(small, 8 * MB)
        make_file(other, 8 * MB)
        make_file(f"{MNT}/tiny", 1 << 16)
        make_file(f"{MNT}/hot", 2 * MB)
        os.mkfifo("/tmp/fifo")
        hot = f"{MNT}/hot"
        pathologies(big, small, hot)
        idle(small, other)
        healthy(hot)
        base_costs(hot)
        refused(hot)
        services(big)
        contained()
        for remedy in REMEDIES[2:]:
            killed_in(3, remedy)
        killed_in(3, REMEDIES[0], True)
        changed_by_others()
        twins_of_zero()
        one_at_a_time(hot)
        if rounds(0, 1):
            killed_in(2, REMEDIES[0])
            for remedy in REMEDIES[:2]:
                killed_in(3, remedy)
            killed_in(3, REMEDIES[3], True)
            killed_somewhen(100, REMEDIES)
            choices(big, small)
            columns()
            lets_go(small)
            too_low()
            rewritten(small)
            more(big, small)
            healthy_too(big, small)
    print(f"# {KERNEL}")
    run("sync")
    finish()


main()
