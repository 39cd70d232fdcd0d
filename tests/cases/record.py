#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: 6.12
# soak: 6.1 7.2
# args 6.12: ext4
# args 6.1: --brief ext4
# args 7.2: --brief ext4 xfs
# minutes: 1
# minutes 6.12: 3
"""record.py - a recording has every event, of these inodes only, and the state.

Every event against an independent trace-cmd record of the same moments, on the
same clock; the numbers of the report against those of the live run; what is left
behind when a recording ends, is interrupted, or is killed.
"""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import datetime, timezone
from check import KERNEL, PAGE, dontneed, equal, finish, make_file, mounted, ok, run, tool
from tracing import INSTANCES, Independent, apart, instances, out_of_order

MB = 1 << 20
WORK = """
import mmap, os, sys
a, b, c = sys.argv[1:]
open(a, "rb").read()
open(c, "rb").read()
f = os.open(b, os.O_RDWR)
m = mmap.mmap(f, 0)
for i in range(0, len(m), 64 * 4096):
    m[i]
m[4096] = 1
m.close()
os.pwrite(f, b"x" * 100000, 0)
os.fsync(f)
g = os.open(c, os.O_RDWR)
os.pwrite(g, b"x" * 100000, 0)
os.fsync(g)
"""
# Decisions of the program alone are tested on one kernel.
BRIEF = "--brief" in sys.argv
VIEWS = ("events",) if BRIEF else ("stat", "reads", "readahead", "dirty", "fsync", "explain",
                                   "events")
LINE = re.compile(r"(\d+\.\d+): ([a-z_]+): +(.*)$")


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def kernel_events(dat):
    """Those that are not ours."""
    return [e for e in Independent.read(dat)
            if e[3] not in ("raw_data", "print") and not e[3].startswith("pcinspect")]


def same_events(fs, point):
    a, b, c = f"{point}/a", f"{point}/b", f"{point}/c"
    for f in (a, b, c):
        make_file(f, 2 * MB)
    run("sync")
    beside = Independent()
    p = subprocess.run(["pcinspect", "record", "-o", "/tmp/ours.dat", "--report",
                        "/tmp/live.json", a, b, "--", "python3", "-c", WORK, a, b, c],
                       stderr=subprocess.PIPE, text=True, check=False)
    equal(f"{fs}: record ends with the command's status", p.returncode, 0)
    theirs, ours = beside.end(), kernel_events("/tmp/ours.dat")
    with open("/tmp/live.json", encoding="utf-8") as f:
        live = json.load(f)
    want_all = []
    for entry in live["files"]:
        name = os.path.basename(entry["path"])
        mine = Independent.of(ours, entry["dev"], entry["ino"])
        first, last = mine[0][0], mine[-1][0]
        # Before and after ours nobody works on the files but the flusher, long before;
        # each buffer takes its own time, and 7.2 may preempt the task in between.
        want = [e for e in Independent.of(theirs, entry["dev"], entry["ino"])
                if first - 0.1 <= e[0] <= last + 0.1]
        ok(f"{fs}: {name}: there are events", len(mine) > 20, len(mine))
        equal(f"{fs}: {name}: as many as an independent trace-cmd saw", len(mine), len(want))
        equal(f"{fs}: {name}: the same, in the same order, by the same tasks",
              out_of_order([e[2:] for e in mine], [e[2:] for e in want])[:3], [])
        median, most = apart([e[0] for e in mine], [e[0] for e in want])
        ok(f"{fs}: {name}: at the same times", median < 0.0005 and most < 0.5, (median, most))
        want_all += mine
    equal(f"{fs}: none of another inode", len(ours), len(want_all))
    return live


def same_numbers(fs, live):
    report = tool("report", "/tmp/ours.dat")
    for name in ("files", "time_ns", "wall_time", "kernel", "lru", "page_size"):
        equal(f"{fs}: report has the live run's {name}", report[name], live[name])
    rows = {a["what"]: a for a in report["audit"]}
    ok(f"{fs}: report: insertions == events, by page",
       rows["recorded_inserted_pages"]["ok"] and rows["recorded_inserted_pages"]["ours"] > 500,
       rows["recorded_inserted_pages"])
    equal(f"{fs}: report: no events lost", report["lost"]["events"], 0)
    counted = sum(c["events"] for c in report["event_counts"])
    text = run("trace-cmd", "report", "/tmp/ours.dat", stderr=subprocess.DEVNULL)
    equal(f"{fs}: report counts what trace-cmd report shows", counted,
          sum(1 for line in text.splitlines() if LINE.search(line) and
              not re.search(" (raw_data|print): ", line)))
    for view in VIEWS:
        p = subprocess.run(["pcinspect", "report", "--view", view, "/tmp/ours.dat"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        ok(f"{fs}: report --view {view}", p.returncode == 0 and p.stdout, p.stderr)
    windows = text.count("pcinspect_ra_window:")
    equal(f"{fs}: an event for each window", windows,
          sum(f["readahead"]["windows_total"] for f in report["files"]))
    calls = text.count("pcinspect_fsync:")
    equal(f"{fs}: an event for each fsync", calls,
          sum(f["fsync"]["calls_total"] for f in report["files"]))
    written = sum(int(n) for n in re.findall(r"pcinspect_dirty_aged:.* pages=(\d+)", text))
    equal(f"{fs}: an event for each page handed to writeback", written,
          sum(f["dirty"]["written_pages"] for f in report["files"]))


def moment(seconds):
    """Since 1970, as RFC 3339."""
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def times(fs, point):
    """On the wall's clock: when it was, and a part of it; of the state as well."""
    path = f"{point}/slow"
    make_file(path, 64 * PAGE)
    script = (f"for i in 0 1 2 3; do dd if={path} of=/dev/null bs=4k count=1 skip=$((i * 16)) "
              "status=none; sleep 2; done")
    began = time.time()
    run("pcinspect", "record", "-o", "/tmp/slow.dat", "--interval", "0.2", path, "--",
        "sh", "-c", script, stderr=subprocess.DEVNULL)
    over = time.time()
    whole = tool("report", "/tmp/slow.dat")
    ok(f"{fs}: wall_time is when it was recorded",
       moment(began) <= whole["wall_time"] <= moment(over), (moment(began), whole["wall_time"]))
    lines = run("pcinspect", "report", "--view", "events", "/tmp/slow.dat").splitlines()
    offset = {round(datetime.fromisoformat(f"{moment(began)[:10]}T{line.split()[1]}")
                    .timestamp() - float(line.split()[0]), 3) for line in lines}
    ok(f"{fs}: events have both clocks, and they go together",
       max(offset) - min(offset) < 0.002, offset)
    # Between the second and the third read.
    ends = [float(line.split()[0]) for line in lines
            if ":pcinspect_ra_window" in line or ":mm_filemap_add_to_page_cache" in line]
    gaps = sorted((b - a, a) for a, b in zip(ends, ends[1:]))[-3:]
    middle = sorted(a for _, a in gaps)[1] + 1.5
    at = moment(middle + datetime.fromisoformat(
        whole["wall_time"].replace("Z", "+00:00")).timestamp() - whole["time_ns"] / 1e9)
    before = tool("report", "--until", at, "/tmp/slow.dat")
    after = tool("report", "--since", at, "/tmp/slow.dat")
    events = [sum(c["events"] for c in r["event_counts"]) for r in (before, after, whole)]
    ok(f"{fs}: --until and --since share the events", min(events) > 0 and
       events[0] + events[1] == events[2], events)
    ok(f"{fs}: --until: the state is of then", before["time_ns"] <= middle * 1e9 and
       0 < before["files"][0]["reads"]["demanded_bytes"] <= 2 * PAGE <
       whole["files"][0]["reads"]["demanded_bytes"],
       (before["time_ns"], middle, before["files"][0]["reads"]["demanded_bytes"]))
    ok(f"{fs}: --until: and agrees with the events before it",
       all(a["ok"] for a in before["audit"]) and
       any(a["what"] == "recorded_inserted_pages" for a in before["audit"]), before["audit"])
    windows = [len(r["files"][0]["readahead"]["windows"]) for r in (before, after, whole)]
    ok(f"{fs}: --until and --since share the windows", min(windows) > 0 and
       windows[0] + windows[1] == windows[2], windows)
    day = tool("report", "--since", at[11:26], "/tmp/slow.dat")
    equal(f"{fs}: --since, a time of day", day["event_counts"], after["event_counts"])
    p = subprocess.run(["pcinspect", "report", "/tmp/slow.dat"], stdout=subprocess.PIPE,
                       text=True, check=True)
    ok(f"{fs}: says when it was", re.match(
        rf"recorded from {moment(began)[:10]}T[\d:.]+\+00:00 to \S+, \d+\.\d+ s, ", p.stdout),
       p.stdout[:200])


def evictions(fs, point):
    """Removal and refault events say what the ledger says."""
    path = f"{point}/big"
    make_file(path, 24 * MB)
    limit = "/sys/fs/cgroup/small"
    os.makedirs(limit, exist_ok=True)
    with open(f"{limit}/memory.max", "w", encoding="ascii") as f:
        f.write(str(16 * MB))
    run("pcinspect", "record", "-o", "/tmp/evict.dat", path, "--", "sh", "-c",
        f"echo $$ >{limit}/cgroup.procs; cat {path} {path} >/dev/null",
        stderr=subprocess.DEVNULL)
    f = tool("report", "/tmp/evict.dat")["files"][0]["reads"]
    text = run("trace-cmd", "report", "/tmp/evict.dat", stderr=subprocess.DEVNULL)
    gone = {}
    for n, cause in re.findall(r"pcinspect_evicted:.* pages=(\d+) .*cause=([a-z]+)", text):
        gone[cause] = gone.get(cause, 0) + int(n)
    equal(f"{fs}: evicted pages by cause, events == ledger",
          gone, {k: v for k, v in f["removed"].items() if v})
    ok(f"{fs}: reclaim took some", gone.get("reclaim", 0) > 1000, gone)
    back = sum(int(n) for n in re.findall(r"pcinspect_refault:.* pages=(\d+)", text))
    equal(f"{fs}: refaulted pages, events == ledger", back, f["refault_pages"])
    by = set(re.findall(r"pcinspect_evicted:.*cause=reclaim.* by_comm=(\S+) ", text))
    ok(f"{fs}: the reader is named", "cat" in by, by)


def without_module(fs):
    run("pcinspect", "untrack")
    run("rmmod", "pcinspect")
    p = subprocess.run(["pcinspect", "report", "--json", "/tmp/ours.dat"],
                       stdout=subprocess.PIPE, check=False)
    equal(f"{fs}: report needs no module", p.returncode, 0)
    with open("/tmp/live.json", encoding="utf-8") as f:
        equal(f"{fs}: and says the same", json.loads(p.stdout)["files"], json.load(f)["files"])
    run("modprobe", "pcinspect")


def by_command(fs, point):
    path = f"{point}/made by\na command"
    p = subprocess.run(["pcinspect", "record", "-o", "/tmp/cmd.dat", "--json", "--",
                        "sh", "-c", 'dd if=/dev/zero of="$0" bs=4k count=50; exit 7', path],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    equal(f"{fs}: record -- CMD: CMD's status", p.returncode, 7)
    live = {f["path"]: f for f in json.loads(p.stdout)["files"]}
    ok(f"{fs}: record -- CMD: finds what CMD touched", path in live, list(live))
    report = tool("report", "/tmp/cmd.dat")
    dirtied = sum(c["events"] for c in report["event_counts"]
                  if c["path"] == path and c["event"] == "writeback_dirty_folio")
    equal(f"{fs}: record -- CMD: and its events",
          dirtied > 0 and live[path]["pages"]["cached"], 50)


def names_and_files(fs, point):
    """Two names of one inode are two entries; open files of ours are no matter."""
    os.link(f"{point}/a", f"{point}/also a")
    subprocess.run(["sh", "-c", "exec 3</dev/null 4<&3 5<&3 6<&3 7<&3 8<&3 9<&3; "
                    'exec pcinspect record -o /tmp/two.dat "$@"', "sh", f"{point}/a",
                    f"{point}/also a", "--", "sh", "-c",
                    f"echo 1 >/proc/sys/vm/drop_caches; cat {point}/a >/dev/null"],
                   stderr=subprocess.DEVNULL, check=True)
    report = tool("report", "/tmp/two.dat")
    equal(f"{fs}: two names, two entries", len(report["files"]), 2)
    rows = {a["what"]: a for a in report["audit"]}
    ok(f"{fs}: two names: the events are counted once", rows["recorded_inserted_pages"]["ok"] and
       rows["recorded_inserted_pages"]["ours"] > 500, rows["recorded_inserted_pages"])
    short = run("pcinspect", "report", "--view", "stat", "--limit", "1", "/tmp/two.dat")
    ok(f"{fs}: report --limit", "also" not in short and f"{point}/a" in short, short)
    ok(f"{fs}: report --view explain --json has verdicts",
       "verdicts" in tool("report", "--view", "explain", "/tmp/two.dat"))


def many(fs, point):
    """A state that is larger than the buffer it goes through."""
    os.mkdir(f"{point}/many")
    for i in range(1500):
        with open(f"{point}/many/{i}", "wb") as f:
            f.write(b"x" * 5000)
    run("sync")
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
        f.write("3")
    run("pcinspect", "record", "-o", "/tmp/many.dat", "--", "sh", "-c",
        f"cat {point}/many/* >/dev/null", stderr=subprocess.DEVNULL)
    report = tool("report", "/tmp/many.dat")
    equal(f"{fs}: the state of many files is whole", len(
        [f for f in report["files"] if f["path"].startswith(f"{point}/many/") and
         f["pages"]["cached"] == 2 and f["reads"]["demanded_bytes"] == 5000]), 1500)


def start(path, *extra):
    """A recording that is known to be under way."""
    out = "/tmp/int.dat"
    if os.path.exists(out):
        os.unlink(out)
    p = subprocess.Popen(["pcinspect", "record", "-o", out, "--interval", "0.2", *extra, path],
                         stderr=subprocess.PIPE)
    name = f"{INSTANCES}/pcinspect-{p.pid}"

    def written():
        """How many entries the buffer has ever had; the state is among them."""
        try:
            with open(f"{name}/per_cpu/cpu0/stats", encoding="ascii") as f:
                return sum(int(n) for n in re.findall(r"^(?:entries|read events): (\d+)",
                                                      f.read(), re.M))
        except OSError:
            return 0
    seen = set()

    def sampled():
        """More and more of them, on every look at more than its interval."""
        time.sleep(0.25)
        seen.add(written())
        return len(seen - {0}) >= 4 and (os.path.exists(out + ".cpu0") or
                                         os.path.exists(f"{out}.pcinspect-{p.pid}.cpu0"))
    wait_for(sampled)
    return p


def endings(fs, point):
    path = f"{point}/a"
    for sig in (signal.SIGINT, signal.SIGTERM):
        p = start(path)
        p.send_signal(sig)
        p.wait()
        equal(f"{fs}: {sig.name}: ends well", p.returncode, 0)
        equal(f"{fs}: {sig.name}: the file is whole", len(tool("report", "/tmp/int.dat")["files"]), 1)
        equal(f"{fs}: {sig.name}: no instance is left", instances(), [])
    p = start(path)
    p.kill()
    p.wait()
    wait_for(lambda: os.path.exists("/tmp/int.dat") and not subprocess.run(
        ["pgrep", "-x", "trace-cmd"], stdout=subprocess.DEVNULL, check=False).returncode == 0)
    equal(f"{fs}: SIGKILL: the file is whole all the same",
          len(tool("report", "/tmp/int.dat")["files"]), 1)
    with open("/sys/kernel/debug/pcinspect/info", encoding="utf-8") as f:
        ok(f"{fs}: SIGKILL: no record is left", "explicit_records: 0\n" in f.read())
    # Some versions of trace-cmd remove the instance, others do not.
    p = start(path)
    equal(f"{fs}: what is left of it goes with the next one", instances(), [f"pcinspect-{p.pid}"])
    run("trace-cmd", "record", "-q", "-o", "/tmp/other.dat", "-e", "filemap", "cat", f"{point}/c",
        stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    ok(f"{fs}: trace-cmd beside it works", os.path.getsize("/tmp/other.dat") > 0)
    p.send_signal(signal.SIGINT)
    equal(f"{fs}: and it beside trace-cmd", p.wait(), 0)
    q = start(path, "--for", "2")
    equal(f"{fs}: --for ends it", q.wait(), 0)
    ours, terminal = os.openpty()
    p = subprocess.run(["pcinspect", "record", "-o", "/tmp/int.dat", "--for", "0.5", path],
                       stderr=terminal, check=False)
    os.close(terminal)
    told = b""
    with contextlib.suppress(OSError):
        while part := os.read(ours, 4096):
            told += part
    os.close(ours)
    told = told.decode().split("\r\n")
    ok(f"{fs}: on a terminal it says what is under way, and how it ended", p.returncode == 0 and
       told[0] == "pcinspect: /tmp/int.dat: recording 1 file for 0.5 s (Ctrl-C ends it)" and
       re.match(r"pcinspect: /tmp/int\.dat: \d+\.\d s, 1 file, ", told[1]), told)
    for what in ([path], []):
        p = subprocess.run(["pcinspect", "record", "-o", "/tmp/int.dat", "--for", "1", *what,
                            "--", "sleep", "100"], stderr=subprocess.PIPE, check=False)
        equal(f"{fs}: --for ends CMD as well, with {len(what)} paths", p.returncode,
              128 + signal.SIGTERM)
        ok(f"{fs}: and the file is whole", "files" in tool("report", "/tmp/int.dat"))
    # One hangup is told twice, by the kernel and by the shell: CMD may still end well.
    dontneed(path)
    p = subprocess.Popen(["pcinspect", "record", "-o", "/tmp/int.dat", path, "--", "sh", "-c",
                          f"trap 'touch /tmp/told; sleep 2; cat {path} >/dev/null; exit 7' HUP; "
                          "touch /tmp/begun; while :; do sleep 0.1; done"],
                         stderr=subprocess.PIPE)
    wait_for(lambda: os.path.exists("/tmp/begun"))
    p.send_signal(signal.SIGHUP)
    wait_for(lambda: os.path.exists("/tmp/told"))
    p.send_signal(signal.SIGHUP)
    equal(f"{fs}: SIGHUP twice: CMD's own end", p.wait(), 7)
    ok(f"{fs}: SIGHUP twice: what CMD did then is there", any(
        c["event"] == "mm_filemap_add_to_page_cache" and c["path"] == path
        for c in tool("report", "/tmp/int.dat")["event_counts"]))
    for f in ("/tmp/begun", "/tmp/told"):
        os.unlink(f)
    equal(f"{fs}: no CMD is left", subprocess.run(
        ["pgrep", "-x", "sleep"], stdout=subprocess.PIPE, check=False).stdout, b"")
    # Deleted meanwhile: what was is kept.
    victim = f"{point}/victim"
    make_file(victim, MB)
    q = start(victim)
    run("cat", victim)
    os.unlink(victim)
    equal(f"{fs}: deleted meanwhile: ends by itself", q.wait(), 0)
    report = tool("report", "/tmp/int.dat")
    ok(f"{fs}: deleted meanwhile: said so", report["files"][0].get("gone"), report["files"])
    ok(f"{fs}: deleted meanwhile: its events are its", any(
        c["path"] == victim and c["event"] == "mm_filemap_delete_from_page_cache"
        for c in report["event_counts"]), report["event_counts"])


def wrong():
    for args, status, words in (
            (["record"], 2, "no PATH and no CMD"),
            (["record", "/nothing"], 32, "No such file"),
            (["record", "-o", "/nowhere/t.dat", "/mnt/t/a"], 1, "cannot write: No such file"),
            (["report", "/nothing.dat"], 1, "No such file"),
            (["report", "/etc/passwd"], 1, "is not a trace.dat"),
            (["report", "/tmp/them.dat"], 1, "no whole state"),
            (["report", "--view", "nonsense", "/tmp/ours.dat"], 2, "unknown")):
        p = subprocess.run(["pcinspect", *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, check=False)
        ok(f"{' '.join(args)}: {status}, and says why",
           p.returncode == status and words in p.stderr and p.stderr.count("\n") == 1,
           (p.returncode, p.stderr))
    with open("/tmp/ours.dat", "rb") as f:
        whole = f.read()
    bad = 0
    for cut in range(20, len(whole), max(1, len(whole) // 12)):
        with open("/tmp/cut.dat", "wb") as f:
            f.write(whole[:cut])
        p = subprocess.run(["pcinspect", "report", "/tmp/cut.dat"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, check=False)
        bad += p.returncode not in (0, 1)
    equal("a file that was cut is refused, or shown as far as it goes", bad, 0)
    p = subprocess.run(["env", "PATH=/nowhere", "/usr/local/bin/pcinspect", "record",
                        "-o", "/tmp/none.dat", "/mnt/t/a", "--", "sleep", "100"],
                       stderr=subprocess.PIPE, text=True, check=False)
    ok("without trace-cmd: 77, and says what to install",
       p.returncode == 77 and "trace-cmd" in p.stderr, (p.returncode, p.stderr))
    ok("and leaves no empty file, no CMD", not os.path.exists("/tmp/none.dat") and
       subprocess.run(["pgrep", "-x", "sleep"], check=False).returncode == 1)
    equal("nothing is left behind", instances(), [])


def block(fs, point):
    run("pcinspect", "record", "--block", "-o", "/tmp/block.dat", f"{point}/a", "--", "sh", "-c",
        f"echo 1 >/proc/sys/vm/drop_caches; cat {point}/a >/dev/null",
        stderr=subprocess.DEVNULL)
    text = run("trace-cmd", "report", "/tmp/block.dat", stderr=subprocess.DEVNULL)
    ok(f"{fs}: --block: requests are there", "block_rq_issue:" in text)
    ok(f"{fs}: --block: of that disk only",
       set(re.findall(r"block_rq_issue: +(\d+,\d+)", text)) == {"254,16"},
       set(re.findall(r"block_rq_issue: +(\d+,\d+)", text)))


@contextlib.contextmanager
def without_symbols():
    """The kernel's symbols are most of a recording, and of no use here."""
    run("mount", "--bind", "/dev/null", "/proc/kallsyms")
    yield
    run("umount", "/proc/kallsyms")


def main():
    for fs in [a for a in sys.argv[1:] if a != "--brief"] or ("ext4", "xfs"):
        with mounted(fs, options=None) as point:
            with without_symbols():
                live = same_events(fs, point)
                same_numbers(fs, live)
                if fs == "ext4":
                    evictions(fs, point)
                    times(fs, point)
            if fs == "ext4":
                by_command(fs, point)
                # bookworm's trace-cmd removes instances that it found.
                if not BRIEF or KERNEL.startswith("6.1."):
                    endings(fs, point)
            if fs == "ext4" and not BRIEF:
                with without_symbols():
                    block(fs, point)
                    names_and_files(fs, point)
                    many(fs, point)
                    without_module(fs)
                wrong()
    equal("pages are as large as we think", PAGE, 4096)
    finish()


main()
