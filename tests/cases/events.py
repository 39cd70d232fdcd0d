#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# soak: 6.12-arm64-16k
# args 6.1 6.12: ext4
# args 7.2: ext4 xfs
# minutes: 2
"""events.py - the live stream of watch has every event of its files, and no other.

Against an independent trace-cmd record of the same moments, on the same clock;
two streams at once; what a killed one leaves behind.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from check import PAGE, equal, finish, make_file, mounted, ok, run
from tracing import INSTANCES, Independent, apart, instances, out_of_order

MB = 1 << 20
WORK = """
import mmap, os, sys
for path in sys.argv[1:]:
    run = os.open(path, os.O_RDWR)
    os.read(run, 1 << 20)
    m = mmap.mmap(run, 0)
    for i in range(0, len(m), 32 * 4096):
        m[i]
    m[4096] = 1
    m.close()
    os.pwrite(run, b"x" * 50000, 0)
    os.fsync(run)
    os.posix_fadvise(run, 0, 0, os.POSIX_FADV_DONTNEED)
"""


class Watch:
    """pcinspect watch --json, whose first tick is there."""

    def __init__(self, *paths):
        self.out = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            ["pcinspect", "watch", "--json", "--interval", "0.3", *paths],
            stdout=self.out, stderr=subprocess.PIPE, text=True)
        while not os.fstat(self.out.fileno()).st_size and self.process.poll() is None:
            time.sleep(0.05)

    def end(self, sig=signal.SIGINT):
        """All reports; all events."""
        if sig:
            self.process.send_signal(sig)
        self.err = self.process.communicate()[1]
        self.out.seek(0)
        reports = [json.loads(x) for x in self.out]
        return reports, [e for r in reports for e in r["events"]]


def compare(fs, point):
    paths = [f"{point}/{n}" for n in "abc"]
    for p in paths:
        make_file(p, MB)
    run("sync")
    beside = Independent()
    both, one = Watch(*paths[:2]), Watch(paths[2])
    equal(f"{fs}: an instance each", len(instances()), 2)
    before = time.monotonic()
    run("python3", "-c", WORK, *paths)
    after = time.monotonic()
    time.sleep(1)
    reports, events = both.end()
    other_reports, other = one.end()
    theirs = beside.end()
    equal(f"{fs}: no complaint", (both.err, one.err), ("", ""))
    equal(f"{fs}: no instance is left", instances(), [])
    for r in (reports, other_reports):
        equal(f"{fs}: nothing missed", {x["lost"]["events"] for x in r}, {0})
    times = [e["time_ns"] for e in events]
    equal(f"{fs}: in the order of time", times, sorted(times))
    equal(f"{fs}: only of its two files", {e["file"] for e in events}, {0, 1})
    equal(f"{fs}: the other only of its one", {e["file"] for e in other}, {0})
    kernel = ("filemap", "writeback")
    for index, (files, stream) in enumerate(((reports, events), (reports, events),
                                             (other_reports, other))):
        f = files[0]["files"][index % 2 if files is reports else 0]
        place = index if files is reports else 0
        mine = [e for e in stream if e["file"] == place and e["system"] in kernel and
                before <= e["time_ns"] / 1e9 <= after]
        want = [e for e in Independent.of(theirs, f["dev"], f["ino"]) if before <= e[0] <= after]
        name = f"{fs}: {os.path.basename(f['path'])}"
        ok(f"{name}: there are events", len(mine) * PAGE > 400 << 10, len(mine))
        equal(f"{name}: as many as an independent trace-cmd saw", len(mine), len(want))
        pairs = list(zip(mine, want))
        equal(f"{name}: the same, in the same order, by the same tasks", out_of_order(
            [(x["pid"], x["event"], x["text"].strip()) for x in mine],
            [y[2:] for y in want])[:3], [])
        median, most = apart([x["time_ns"] / 1e9 for x in mine], [y[0] for y in want])
        ok(f"{name}: at the same times", median < 0.0005 and most < 0.5, (median, most))
        # /proc adds the workqueue to a worker's name.
        equal(f"{name}: named as trace-cmd names them",
              {(x["comm"], y[1]) for x, y in pairs if x["pid"] == y[2] and
               x["comm"] != "?" and not x["comm"].startswith(y[1])}, set())
        added = [e for e in mine if e["event"] == "mm_filemap_add_to_page_cache"]
        ok(f"{name}: fields by name", added and all(
            e["fields"]["i_ino"] == f["ino"] and e["ino"] == f["ino"] and
            e["dev"] == f["dev"] for e in added), added[:1])
        own = {e["event"] for e in stream if e["file"] == place and e["system"] == "pcinspect"}
        ok(f"{name}: our own are beside them", own >= {
            "pcinspect_ra_window", "pcinspect_dirty_aged", "pcinspect_fsync",
            "pcinspect_evicted"}, own)
        inserted = files[-1]["files"][place]["reads"]["inserted_pages"] - \
            files[0]["files"][place]["reads"]["inserted_pages"]
        equal(f"{name}: inserted pages, events == ledger",
              sum(1 << e["fields"]["order"] for e in added), inserted)


def killed(fs, point):
    path = f"{point}/a"
    w = Watch(path)
    equal(f"{fs}: killed: leaves its instance", (w.end(signal.SIGKILL), instances())[1],
          [f"pcinspect-{w.process.pid}"])
    w = Watch(path)
    equal(f"{fs}: the next one removes it", instances(), [f"pcinspect-{w.process.pid}"])
    # Nobody's business of ours: an instance of somebody else.
    os.mkdir(f"{INSTANCES}/pcinspect-mine")
    w.end()
    Watch(path).end()
    equal(f"{fs}: others' instances stay", instances(), ["pcinspect-mine"])
    os.rmdir(f"{INSTANCES}/pcinspect-mine")
    with open("/sys/kernel/tracing/set_event", encoding="ascii") as f:
        equal(f"{fs}: no event is on in the main buffer", f.read(), "")


def records():
    with open("/sys/kernel/debug/pcinspect/info", encoding="utf-8") as f:
        return int(re.search(r"^explicit_records: (\d+)$", f.read(), re.M).group(1))


def settle(want):
    """A killed process is not gone at once, nor are its files closed."""
    end = time.monotonic() + 20
    while records() != want and time.monotonic() < end:
        time.sleep(0.1)
    return records()


def shared(fs, point):
    """Two of them on one file, of which one ends, or dies; and the user's own."""
    path = f"{point}/a"
    equal(f"{fs}: shared: no record before", records(), 0)
    first, second = Watch(path), Watch(path, path)
    equal(f"{fs}: shared: one record", records(), 1)
    reports, _ = first.end()
    run("sh", "-c", f"cat {path} >/dev/null")
    time.sleep(1)
    last, _ = second.end()
    equal(f"{fs}: shared: the other goes on when one ends",
          {bool(f.get("gone")) for r in last for f in r["files"]}, {False})
    ok(f"{fs}: shared: and counts on", last[-1]["files"][0]["reads"]["demanded_bytes"] >
       reports[-1]["files"][0]["reads"]["demanded_bytes"], (reports[-1], last[-1]))
    equal(f"{fs}: shared: no record after", settle(0), 0)
    w = Watch(path)
    w.end(signal.SIGKILL)
    equal(f"{fs}: killed: no record after", settle(0), 0)
    w = Watch(path)
    run("pcinspect", "track", path)
    w.end()
    equal(f"{fs}: what was tracked meanwhile stays", records(), 1)
    Watch(path).end()
    equal(f"{fs}: also after another watch", records(), 1)
    w = Watch(path)
    run("pcinspect", "untrack", path)
    reports, _ = w.end(None)
    ok(f"{fs}: untracked: watch says so, and ends", reports[-1]["files"][0].get("gone"),
       reports[-1]["files"])
    equal(f"{fs}: gone: every section of a file is there",
          set(reports[0]["files"][0]) - set(reports[-1]["files"][0]), set())
    equal(f"{fs}: untracked: no record", settle(0), 0)


def gone(fs, point):
    """Deleted and unloaded while the stream is open."""
    path = f"{point}/gone"
    make_file(path, MB)
    w = Watch(path)
    with open(path, "rb") as f:
        f.read()
    os.unlink(path)
    reports, events = w.end(None)
    ok(f"{fs}: deleted: ends by itself and says so", reports[-1]["files"][0].get("gone"),
       reports[-1])
    ok(f"{fs}: deleted: the removal of its pages is in the stream",
       any(e["event"] == "mm_filemap_delete_from_page_cache" for e in events), len(events))
    equal(f"{fs}: deleted: no instance is left", instances(), [])


def odd(point):
    path = f"{point}/a"
    env = dict(os.environ)
    p = subprocess.run(["unshare", "-m", "sh", "-c",
                        "umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug/tracing; "
                        "mount -t tmpfs -o ro none /sys/kernel/tracing; "
                        f"exec pcinspect watch --json --once {path}"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, check=False)
    equal("without tracefs the state is there", (p.returncode, len(
        json.loads(p.stdout)["files"])), (0, 1))


def main():
    for fs in sys.argv[1:] or ("ext4", "xfs"):
        with mounted(fs) as point:
            compare(fs, point)
            if fs == "ext4":
                killed(fs, point)
                shared(fs, point)
                gone(fs, point)
                odd(point)
    finish()


main()
