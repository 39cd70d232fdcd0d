#!/usr/bin/env python3
# vm: --mem 512 --disk 1024 --smp 2
"""others.py - a run beside another program that reads a file of its own in a loop.

A small file is read again and again, and in between the other program reads more than
memory holds, counted by its /proc/PID/io. Its file is no file of the run: it is in
no row of the table and not in "files" of the device, and the rows that are shown add up
to that. The verdict names the other program, and does not blame the small file's size.
"""
import json
import signal
import subprocess
import sys
from check import KERNEL, disk_bytes, dontneed, equal, finish, make_file, mounted, ok, run

MB = 1 << 20
CMD = """
import os
import signal
import sys
import time
pid, path = sys.argv[1:3]
def done():
    with open(f"/proc/{pid}/io") as io:
        return int(next(l for l in io if l.startswith("read_bytes")).split()[1])
os.kill(int(pid), signal.SIGCONT)
for i in range(3):
    with open(path, "rb") as f:
        while f.read(65536):
            pass
    least = done() + 500 * 1048576
    while done() < least:
        time.sleep(0.05)
with open(path, "rb") as f:
    while f.read(65536):
        pass
os.kill(int(pid), signal.SIGSTOP)
"""


def device(report):
    return next(d for d in report["devices"] if d["name"] == "vdb")


def beside(point, options):
    label = "with -m" if options else "files of the run"
    small, big = f"{point}/small", f"{point}/big"
    # Else it is active from before, and stays.
    dontneed(small)
    with subprocess.Popen([sys.executable, "-c",
                           "import sys\nwhile True:\n"
                           "  with open(sys.argv[1], 'rb') as f:\n"
                           "    while f.read(1 << 20): pass", big]) as other:
        # It reads during CMD alone: a loss of less than a fiftieth of all I/O has no verdict.
        other.send_signal(signal.SIGSTOP)
        try:
            before = disk_bytes()[0]
            report = json.loads(run("pcinspect", "run", *options, "--json", "--explain", "--",
                          sys.executable, "-c", CMD, str(other.pid), small))
            after = disk_bytes()[0]
        finally:
            other.kill()
    row = device(report)
    shown = {f["path"]: f["reads"] for f in report["files"]}
    print(f"# {KERNEL} {label}: {row} {[(p, r['device_bytes']) for p, r in shown.items()]}")
    print(f"# {[(v['verdict'], v['text']) for v in report['verdicts']]}")
    ok(f"{label}: the small file is listed", small in shown, shown.keys())
    equal(f"{label}: every file of CMD alone, or all of the mount",
          big in shown, bool(options))
    if not options:
        equal(f"{label}: rows add up to the device's files",
              sum(r["device_bytes"] or 0 for r in shown.values()) + row["gone_bytes"],
              row["file_bytes"])
        ok(f"{label}: the other program's bytes are others'",
           row["other_file_bytes"] >= 2 * 500 * MB, row)
    ok(f"{label}: all of it is no more than the disk read",
       row["file_bytes"] + row["other_file_bytes"] <= after - before, row)
    bad = [a for a in report["audit"] if not a["ok"]]
    equal(f"{label}: no audit complains", bad, [])
    ours = [a for a in report["audit"] if a["what"] == "device_bytes of the files shown"
            and a["dev"] == row["dev"]]
    ok(f"{label}: what is shown is held against the device",
       [a["ours"] for a in ours] ==
       [sum(r["device_bytes"] or 0 for r in shown.values()) + row["gone_bytes"]], ours)
    verdicts = [v["verdict"] for v in report["verdicts"]]
    ok(f"{label}: the small file is not too large", "working-set-too-large" not in
       [v["verdict"] for v in report["verdicts"] if small in v["paths"]], verdicts)
    ok(f"{label}: the other program is named", any(str(other.pid) in v["text"] for v in
       report["verdicts"] if v["verdict"] == "evicted-by-stream"), verdicts)


def main():
    with mounted("ext4") as point:
        make_file(f"{point}/small", 40 * MB)
        # Of which less than half is ever cached: else it is no stream, but comes back.
        run("dd", "if=/dev/zero", f"of={point}/big", "bs=1M", "count=800", "oflag=direct",
            "status=none")
        beside(point, ())
        beside(point, ("-m", point))
    finish()


main()
