#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: 6.12
# soak: 6.1 7.2
# args 6.1 7.2: sizes plain
# minutes: 3
"""screen.py - pcinspect watch on a terminal: tmux is the terminal, its captured
screen is what a person would see. Whatever happens meanwhile: no garbage, no
crash, and the terminal as it was afterwards. The numbers are those of stat, which
other tests hold on every kernel."""
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from check import dontneed, equal, finish, info, make_file, mounted, ok, pages, run, unflushed
from terminal import Screen, number, tmux
from tracing import instances

MB = 1 << 20
OUT = os.environ.get("OUT", "/tmp")


def words_of(lines):
    """The words of the events that are shown."""
    found = (re.match(r"\d\d\.\d{4} .*-\d+ ([a-z ]+?) (\d+K )?at \d+K$", line) for line in lines)
    return {m[1] for m in found if m}


def no_record(name):
    equal(f"{name}: no record is left", info()["explicit_records"], "0")
    equal(f"{name}: no trace instance is left", instances(), [])


def same_numbers(s, path):
    """Until two looks at the file agree with the screen between them."""
    def good(lines):
        p = pages(path)
        want = {k: "?" if p[k] is None else str(p[k]) for k in
                ("cached", "active", "inactive", "unevictable", "off_lru", "mapped",
                 "dirty", "writeback", "evicted")}
        return all(number(lines, k) == v for k, v in want.items())
    s.sees(f"{s.cols}x{s.rows}: the numbers of stat --json", good)


def sizes(s, path):
    s.watch("--interval", "0.3", path)
    same_numbers(s, path)
    s.clean("80x24")
    dontneed(path)
    run("cat", path, stderr=subprocess.DEVNULL)
    with open(path, "r+b") as f:
        f.write(b"x" * 40000)
        f.flush()
        os.fsync(f.fileno())
        f.write(b"y" * 40000)
        f.flush()
        s.sees("80x24: dirty pages have an age", re.compile(r"oldest \d").search)
        s.sees("80x24: the fsync", "2 calls: fsync python3-")
        with open(f"{OUT}/watch-80x24.txt", "w", encoding="utf-8") as out:
            out.write(tmux("capture-pane", "-p", "-e", "-t", "t"))
        s.sees("80x24: demanded by reads", "demanded 1M")
        s.sees("80x24: events, decoded", re.compile(r"\n\d\d\.\d{4} \S+-\d+ \w+ ").search)
        s.sees("80x24: the audit", "audit  ok")
        same_numbers(s, path)
        f.seek(500000)
        f.write(b"z" * 300000)
        f.flush()
        s.resize(200, 60)
        s.sees("200x60: dirty pages have an age", re.compile(r"oldest \d").search)
        s.sees("200x60: events", " dirtied at ")
        with open(f"{OUT}/watch-200x60.txt", "w", encoding="utf-8") as out:
            out.write(tmux("capture-pane", "-p", "-e", "-t", "t"))
        same_numbers(s, path)
    s.clean("200x60")
    for cols, rows in (20, 5), (1, 1), (3, 2), (200, 4), (10, 60), (139, 24), (140, 22):
        s.cols, s.rows = cols, rows
        tmux("resize-window", "-t", "t", "-x", str(cols), "-y", str(rows))
        if (cols, rows) == (20, 5):
            s.sees("20x5: a title and the first lines", lambda x: x[0].startswith("pcinspect")
                   and x[1].startswith("#1/1") and x[2].startswith("lru"))
        time.sleep(0.4)
        ok(f"{cols}x{rows}: nothing but printable characters",
           all(c.isprintable() for line in s.lines() for c in line))
    s.resize(80, 24)
    same_numbers(s, path)
    s.clean("80x24 again")
    s.quit("q")
    no_record("q")


def quiet(s, path):
    """Nothing is read and nothing written: no line of zeros, and the chart has the room."""
    run("sync")
    run("vmtouch", "-q", "-t", path)
    s.watch("--interval", "0.2", path)
    s.sees("quiet: a chart of what is cached", "cached: now 256, least 256, most 256")
    s.wait(lambda lines: sum("█" in line for line in lines) >= 2, "a chart")
    pairs = [(line, re.findall(r" [a-z_]+:? ([0-9.]+[kMG]?|\?)(?= |$)", line))
             for line in s.lines()[2:] if not line.startswith("events ")]
    equal("quiet: no line of nothing but zeros",
          [line for line, values in pairs if values and set(values) == {"0"}], [])
    for name in ("ahead  0 windows", "chart  cached: now", "chart  hits: now",
                 "chart  inserted: now", "chart  dirty: now", "chart  cached: now"):
        s.keys("c")
        s.sees(f"c: {name}", name)
    s.clean("quiet")
    s.quit("quiet")


def press_keys(s, paths):
    s.watch("--interval", "0.2", *paths)
    s.sees("the first file", f"#1/{len(paths)} {paths[0]}")
    s.keys("n")
    s.sees("n: the next file", f"#2/{len(paths)} {paths[1]}")
    s.keys("Tab", "Down")
    s.sees("Tab and Down: further", f"#4/{len(paths)}")
    s.keys("N", "Up", "BTab")
    s.sees("N, Up, Shift-Tab: back", "#1/")
    s.keys("End")
    s.sees("End", f"#{len(paths)}/")
    s.keys("n")
    s.sees("n after the last: the first", "#1/")
    s.keys("NPage")
    s.sees("PgDn", lambda lines: "#1/" not in "\n".join(lines))
    s.keys("PPage", "Home")
    s.sees("Home", "#1/")
    s.keys("p")
    s.sees("p: paused", "PAUSED")
    clock = s.lines()[0].split()[1]
    frozen = number(s.lines(), "cached")
    dontneed(paths[0])
    s.wait(lambda lines: lines[0].split()[1] != clock, "another second")
    equal("paused: nothing is renewed", number(s.lines(), "cached"), frozen)
    s.keys("Space")
    s.sees("space: on again", lambda lines: "PAUSED" not in lines[0] and
           number(lines, "cached") == "0")
    for sort in ("path", "cached", "active", "dirty", "read", "wasted", "refault", "as typed"):
        s.keys("s")
        s.sees(f"s: sort by {sort}", f"sort {sort}")
    s.keys("S")
    s.sees("S: back", "sort refault")
    s.keys("s")
    s.keys("/")
    s.sees("/: asks", "path has:")
    s.keys("-l", "second-ü")
    s.sees("typed", "path has: second-ü")
    s.keys("BSpace", "BSpace")
    s.keys("Enter")
    s.sees("filter: one file", lambda lines: "/second 1" in lines[0] and
           any(line.startswith("#2/") for line in lines))
    s.keys("/", "C-u")
    s.keys("-l", "nowhere")
    s.keys("Enter")
    s.sees("filter: none", "no path has this in it")
    s.clean("no file passes the filter")
    s.keys("/", "C-u", "Enter")
    s.sees("filter: all again", "#2/")
    s.keys("Home", "e")
    s.sees("e: asks", "event has:")
    s.keys("Escape")
    s.sees("Escape: no filter", lambda lines: "event has" not in lines[-1])
    s.keys("e")
    s.keys("-l", "delete_from")
    s.keys("Enter")
    run("vmtouch", "-q", "-t", paths[0])
    dontneed(paths[0])
    s.sees("filter of events", lambda lines: "with delete_from" in "\n".join(lines) and
           words_of(lines) == {"removed"})
    s.keys("e", "C-u")
    s.keys("-l", "removed")
    s.keys("Enter")
    s.sees("filter of events by a word", lambda lines: "with removed" in "\n".join(lines) and
           words_of(lines) == {"removed"})
    s.keys("u")
    s.sees("u: events as the kernel prints them", lambda lines:
           any("delete_from_page_cache pfn=" in line for line in lines))
    s.keys("u")
    s.keys("e", "C-u", "Enter")
    s.keys("o")
    s.sees("o: of this file only", "of #1 only")
    s.keys("o")
    s.keys("[")
    s.sees("[: older events", "newer not shown")
    s.keys("]", "]")
    s.sees("]: the newest again", lambda lines: "newer not shown" not in "\n".join(lines))
    for zoom in ("1 ms", "10 ms", "0.1 s", "1 s", "10 s", "1 window"):
        s.keys("z")
        s.sees(f"z: a cell is {zoom}", f"a cell is {zoom},")
    s.keys("Z")
    s.sees("Z: back", "a cell is 10 s")
    s.keys("z", "v")
    s.sees("v: the list", lambda lines: "events" not in "\n".join(lines[1:-1]) and
           "CACHED" in lines[1])
    s.keys("v")
    s.sees("v: the events", lambda lines: lines[2].startswith("events"))
    s.clean("events only")
    s.keys("v")
    s.sees("v: all", lambda lines: any(line.startswith("lru") for line in lines))
    s.keys("u")
    s.sees("u: exact numbers", lambda lines: "raw" in lines[0] and
           f"device {MB} " in "\n".join(lines))
    s.keys("u")
    for key in ("h", "?", "F1"):
        s.keys(key)
        s.sees(f"{key}: help", "quit (Ctrl-C as well)")
        s.keys("x")
        s.sees(f"{key}: gone again", lambda lines: any(x.startswith("lru") for x in lines))
    s.keys("-l", "xyzXYZ@#$%^&*()'\"~`")
    s.keys("F5", "IC", "DC", "Left", "Right", "M-a", "C-l", "C-a")
    s.keys("Home")
    s.sees("keys that mean nothing", "#1/")
    s.clean("after all keys")
    s.quit("after all keys")
    no_record("after all keys")


def answers(path):
    """How soon a key is answered while events come as fast as they can: on a
    pty, because tmux has its own share of an emulated CPU."""
    pid, fd = pty.fork()
    if not pid:
        os.environ["TERM"] = "screen"
        os.execvp("pcinspect", ["pcinspect", "watch", "--interval", "0.5", path])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = b""

    def until(pattern, seconds=60):
        nonlocal seen
        end = time.monotonic() + seconds
        while not re.search(pattern, seen):
            if time.monotonic() > end:
                return False
            if not select.select([fd], [], [], 0.1)[0]:
                continue
            try:
                seen += os.read(fd, 65536)
            except OSError:
                return False
        return True

    reader = subprocess.Popen([sys.executable, "-c", FLOOD, path])
    took = []
    try:
        ok("a flood: events come", until(rb"too fast|page_cache|evicted"))
        for _ in range(10):
            for key, shown in (b"h", rb"Ctrl-C as well"), (b"x", rb"lru +.*\["):
                seen = b""
                start = time.monotonic()
                os.write(fd, key)
                ok("an answer", until(shown), seen[-200:])
                took.append(time.monotonic() - start)
    finally:
        reader.kill()
        reader.wait()
    os.write(fd, b"q")
    until(rb"no such text", 5)
    equal("a flood: q ends it with 0", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
    took.sort()
    # Within which time is asked where time is counted in instructions: flood.py.
    print(f"# answers: median {took[len(took) // 2]:.3f} s, worst {took[-1]:.3f} s")


# Reads a file and drops it from the cache, for ever.
FLOOD = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
while True:
    os.pread(fd, 1 << 20, 0)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
"""


def ends(s, path):
    for name, sig in (("SIGTERM", signal.SIGTERM), ("SIGHUP", signal.SIGHUP),
                      ("SIGINT", signal.SIGINT), ("SIGQUIT", signal.SIGQUIT)):
        s.watch(path)
        os.kill(s.pid(), sig)
        s.sane(name)
        no_record(name)
    s.watch(path)
    s.keys("C-c")
    s.sane("Ctrl-C")
    s.watch(path, "; echo status=$?")
    s.keys("q")
    s.sees("q ends with 0", "status=0")
    s.shell(f"clear; pcinspect watch --for 2 {path}; echo over=$?")
    s.sees("--for ends it with 0", "over=0")
    s.shell("clear")
    s.sane("--for")
    s.watch(path)
    s.keys("C-z")
    s.sees("Ctrl-Z: stopped", "Stopped")
    s.sane("Ctrl-Z")
    tmux("resize-window", "-t", "t", "-x", "100", "-y", "30")
    s.cols, s.rows = 100, 30
    s.shell("fg")
    s.wait(s.painted, "the screen after fg, resized meanwhile")
    s.clean("after fg, resized meanwhile")
    os.kill(s.pid(), signal.SIGSTOP)
    s.sees("SIGSTOP: stopped", "Stopped")
    s.shell("clear; fg")
    s.wait(s.painted, "the screen after SIGSTOP and fg")
    s.clean("after SIGSTOP and fg")
    s.quit("fg, q")
    s.resize_shell(80, 24)
    no_record("fg, q")
    s.watch(path)
    os.kill(s.pid(), signal.SIGKILL)
    s.sees("SIGKILL", re.compile(r"K\s*i\s*l\s*l\s*e\s*d\s+READY").search)
    # The rest is a job for reset(1), which has views of its own on stty.
    s.shell("stty sane; reset; clear")
    s.wait(lambda lines: lines[0].rstrip() == "READY$", "the shell after SIGKILL")
    s.before = s.stty()
    s.watch(path)
    s.clean("after one that was killed")
    s.quit("after one that was killed")
    no_record("after one that was killed")
    # A hangup is told by the kernel and by the shell, and more than once.
    s.watch(path)
    pid = s.pid()
    hung_up = 0
    end = time.monotonic() + 30
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < end:
            os.kill(pid, signal.SIGHUP)
            hung_up += 1
            time.sleep(0.001)
    print(f"# SIGHUP: sent {hung_up} times")
    s.sane("SIGHUP, many times")
    no_record("SIGHUP, many times")
    # The terminal itself goes away.
    s.watch(path)
    pid = s.pid()
    tmux("kill-server")
    end = time.monotonic() + 30
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.05)
    ok("the terminal is gone: so is watch", not os.path.exists(f"/proc/{pid}"))
    no_record("the terminal is gone")


def plain(path):
    """Without a terminal."""
    def watch(*args, stir=False):
        dontneed(path)
        with subprocess.Popen(["pcinspect", "watch", *args, path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8") as p:
            first = p.stdout.readline()
            if stir:
                run("vmtouch", "-q", "-t", path)
                first += p.stdout.readline()
                p.send_signal(signal.SIGINT)
            out, err = p.communicate()
        return first + out, err
    out, err = watch("--json", "--interval", "0.5", stir=True)
    equal("--json: no complaint", err, "")
    reports = [json.loads(line) for line in out.splitlines()]
    events = [e for r in reports for e in r["events"]]
    ok("--json: events of the tick", any(e["event"] == "mm_filemap_add_to_page_cache"
                                         for e in events), len(events))
    ino = os.stat(path).st_ino
    ok("--json: of just this inode, decoded", events and all(
        e["ino"] == ino and e["file"] == 0 and e["text"] and e["comm"] and e["pid"] >= 0
        and isinstance(e["fields"], dict) and e["time_ns"] > 0 for e in events), events[:2])
    ok("--json: an event is in one tick, in order",
       [e["time_ns"] for e in events] == sorted(e["time_ns"] for e in events))
    ok("--json: none before its tick", all(
        a["time_ns"] - 10**8 <= e["time_ns"] for a, b in zip(reports, reports[1:])
        for e in b["events"]))
    equal("--json: missed", {r["lost"]["events"] for r in reports}, {0})
    r = json.loads(watch("--json", "--once")[0])
    equal("--once: no stream", (r["events"], r["lost"]["events"]), (None, None))
    r = json.loads(watch("--json", "--no-events", "--for", "0.1")[0].split("\n")[0])
    equal("--no-events: no stream", (r["events"], r["lost"]["events"]), (None, None))
    out, err = watch("--interval", "0.5", stir=True)
    ok("lines: events", re.search(r"^\d+\.\d{6} vmtouch-\d+ \[\d+\] "
                                  r"mm_filemap_add_to_page_cache: ", out, re.M) and
       re.search(r"^events: [1-9]\d*, missed 0$", out, re.M), out[-500:])
    ok("lines: no escape sequences", "\x1b" not in out)
    equal("lines: no complaint", err, "")
    out, err = watch("--no-events", "--for", "0.1")
    ok("lines, --no-events: none", "events" not in out, out)


def colours(s, path):
    s.watch(path)
    raw = tmux("capture-pane", "-p", "-e", "-t", "t")
    ok("colours", re.search(r"\x1b\[[0-9;]*3[0-7]m", raw))
    s.quit("colours")
    s.watch(path, env="NO_COLOR=1")
    raw = tmux("capture-pane", "-p", "-e", "-t", "t")
    ok("NO_COLOR: none", not re.search(r"\x1b\[[0-9;]*\b[349][0-7]m", raw), raw)
    s.quit("NO_COLOR")
    s.shell(f"TERM=dumb pcinspect watch --for 0.1 {path}")
    s.sees("TERM=dumb: lines", "lru [")
    s.sane("TERM=dumb")
    s.shell(f"TERM=no-such pcinspect watch --for 0.1 {path}")
    s.sees("TERM of nothing: lines", "lru [")
    # Not before it has ended: it may be busy with what is unmounted now.
    s.sane("TERM of nothing")
    # No tracefs: the pane says why, and the rest goes on.
    run("umount", "/sys/kernel/tracing")
    subprocess.run(["umount", "/sys/kernel/debug/tracing"], check=False)
    s.watch(path)
    # libtracefs may mount it again: then it is a stream, with its counts.
    s.sees("no stream and why, or one all the same", lambda lines: any(
        re.match(r"events(: no event stream: \w| \d+, \d+/s, missed \d+)", x)
        for x in lines))
    print("# tracefs unmounted:", [x for x in s.lines() if x.startswith("events")])
    s.clean("tracefs unmounted")
    s.quit("tracefs unmounted")
    run("mount", "-t", "tracefs", "tracefs", "/sys/kernel/tracing")


def resize_shell(s, cols, rows):
    s.cols, s.rows = cols, rows
    tmux("resize-window", "-t", "t", "-x", str(cols), "-y", str(rows))


Screen.resize_shell = resize_shell

WANTED = sys.argv[1:] or ["sizes", "keys", "plain", "colours", "answers", "ends"]
with mounted("ext4") as where:
    big = f"{where}/first"
    make_file(big, MB)
    run("vmtouch", "-q", "-t", big)
    files = [big]
    for n in ("second", "third", "fourth", "fifth"):
        files.append(f"{where}/{n}")
        make_file(files[-1], MB)
    term = Screen()
    if "sizes" in WANTED:
        with unflushed():
            sizes(term, big)
    if "keys" in WANTED:
        quiet(term, files[1])
        press_keys(term, files)
    if "plain" in WANTED:
        plain(big)
    if "colours" in WANTED:
        colours(term, big)
    if "answers" in WANTED:
        answers(big)
    if "ends" in WANTED:
        ends(term, big)
finish()
