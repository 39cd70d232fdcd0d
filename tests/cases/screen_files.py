#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: 6.12
# minutes: 2
"""screen_files.py - pcinspect watch and its files: many, with odd names, that get other
names, are replaced, appear, vanish, or were never there; and other commands on
terminals of three sizes, by what is on them."""
import json
import os
import re
import subprocess
import sys
from check import dontneed, equal, finish, info, make_file, mounted, ok, run
from pseudo import shown, width
from terminal import Screen, number
from tracing import instances

MB = 1 << 20


def no_record(name):
    equal(f"{name}: no record is left", info()["explicit_records"], "0")
    equal(f"{name}: no trace instance is left", instances(), [])


def lives(s, mnt):
    """Files and filesystems that go away meanwhile."""
    a, b = f"{mnt}/a", f"{mnt}/b"
    make_file(a, MB)
    make_file(b, MB)
    s.watch("--interval", "0.3", a, b)
    os.unlink(a)
    s.sees("deleted: said so", "gone: deleted")
    s.clean("deleted")
    s.keys("n")
    s.sees("the other one is still there", lambda lines: "#2/2" in "\n".join(lines) and
           number(lines, "cached") is not None)
    p = subprocess.run(["rmmod", "pcinspect"], capture_output=True, check=False)
    ok("rmmod meanwhile: refused, the module is in use",
       p.returncode == 1 and b"in use" in p.stderr, (p.returncode, p.stderr))
    s.clean("rmmod was tried")


def many(s, mnt):
    paths = []
    for i in range(500):
        paths.append(f"{mnt}/many{i:03}")
        with open(paths[-1], "wb") as f:
            f.write(b"x" * 4096 * (i % 50))
    s.watch("--interval", "1", f"{mnt}/many*")
    s.sees("500 files", "500 files")
    s.clean("500 files")
    s.keys("s", "s")
    s.sees("the one with the most pages first", lambda lines: "sort cached" in lines[0] and
           any(re.match(r"\s+49 .*many", line) for line in lines))
    s.keys("End")
    s.sees("the last one", re.compile(r"\n#\d+/500 \S*many\d[05]0 ").search)
    s.keys("/")
    s.keys("-l", "many49")
    s.keys("Enter")
    s.sees("ten of them", "/many49 10")
    s.resize(200, 60)
    s.clean("500 files, 200x60")
    s.resize(80, 24)
    s.keys("/", "C-u", "Enter", "v")
    s.sees("a screen full of files", lambda lines:
           sum("many" in line for line in lines[1:-1]) >= 20)
    s.clean("a screen full of files")
    s.quit("500 files")
    no_record("500 files")


def names(s, mnt):
    odd = ["new\nline", "esc\x1b[2J\x1b]0;title\x07x", "tab\tand space", "漢字" * 40,
           "grün-é", "\u202eright to left", "b\\slash", "\x7f\x01\x9b2J", "x" * 255]
    args = ["pcinspect", "watch", "--interval", "0.3"]
    for name in odd:
        with open(f"{mnt}/{name}", "wb") as f:
            f.write(b"x" * 8192)
    with open(f"{mnt}".encode() + b"/not\xffutf8", "wb") as f:
        f.write(b"x")
    # Or the flusher's events come in between, at a time of its own.
    run("sync")
    with open("/tmp/odd.sh", "wb") as f:
        f.write(b"exec " + b" ".join(x.encode() for x in args) + b" " + mnt.encode() + b"/*\n")
    s.shell("bash /tmp/odd.sh")
    s.wait(s.painted, "odd names", 90)
    s.clean("odd names")
    for i in range(len(odd) + 1):
        s.wait(lambda lines, i=i: any(re.match(r"#\d+/", x) for x in lines), "a file")
        ok(f"odd name {i}: no control characters",
           all(c.isprintable() for line in s.lines() for c in line))
        s.keys("n")
    for size in (200, 60), (40, 20), (80, 24):
        s.resize(*size)
        s.clean(f"odd names {size}")
    # A thread with an odd name is in events, tasks and fsync calls.
    subprocess.run(["python3", "-c", "import sys, os\n"
                    "open('/proc/self/comm', 'wb').write(b'e\\x1b[2J\\n\\xff!')\n"
                    "f = open(sys.argv[1], 'r+b')\n"
                    "f.write(b'y' * 5000); f.flush(); os.fsync(f.fileno())\n",
                    f"{mnt}/grün-é"], check=True)
    s.keys("v", "v")
    s.sees("a thread with an odd name", "[2J")
    s.clean("a thread with an odd name")
    s.quit("odd names")


def inode(path):
    return os.stat(path).st_ino


def follows(s, mnt):
    """The name is followed, and the inode that has lost it."""
    log, other = f"{mnt}/log", f"{mnt}/other"
    make_file(log, MB)
    make_file(other, MB)
    s.watch("--interval", "0.3", log, other)
    s.sees("two files", "2 files")
    first = inode(log)
    os.rename(log, f"{log}.1")
    s.sees("renamed: said so", f"renamed to {log}.1")
    make_file(log, 2 * MB)
    s.sees("replaced: said so", f"replaced by a new file: now inode {inode(log)}")
    s.sees("replaced: its numbers", lambda lines: number(lines, "inserted") == "512")
    s.keys("End")
    s.sees("the old one has a line of its own", lambda lines: any(
        x.startswith("#3/3") and f"renamed to {log}.1" in x and f"ino {first} " in x
        for x in lines))
    s.clean("replaced")
    run("sh", "-c", f"cat {log} >/dev/null")
    s.keys("Home")
    dontneed(log)
    s.sees("events of the new one", lambda lines: any(
        "#1 " in x and " removed " in x for x in lines))
    os.unlink(f"{log}.1")
    os.unlink(log)
    os.unlink(other)
    s.sees("all gone: said so", "all gone")
    make_file(other, MB)
    s.sees("one comes back", lambda lines: "all gone" not in lines[0])
    s.clean("one came back")
    s.quit("followed")
    no_record("followed")


def grows(s, mnt):
    """Directories, patterns, and paths that are none."""
    os.makedirs(f"{mnt}/dir/sub")
    for name in ("dir/a", "dir/sub/b", "x1.log", "y1.log"):
        make_file(f"{mnt}/{name}", 4096)
    s.watch("-r", "--interval", "0.3", f"{mnt}/dir", f"'{mnt}/x*.log'")
    s.sees("a directory and a pattern", "3 files")
    os.makedirs(f"{mnt}/dir/new")
    for name in ("dir/new/c", "dir/d", "x2.log", "y2.log"):
        make_file(f"{mnt}/{name}", 8192)
    s.sees("what appears is watched", "6 files")
    s.keys("s", "s")
    s.sees("all of it is shown", lambda lines: sum(f"{mnt}/" in x for x in lines) >= 3)
    s.clean("grown")
    s.quit("grown")
    s.shell(f"clear; pcinspect watch {mnt}/nothing {mnt}/x1.log")
    s.sees("a bad path is on the screen", f"not watched: {mnt}/nothing: No such file")
    s.keys("x")
    s.clean("a bad path")
    s.quit("a bad path")
    p = subprocess.run(["pcinspect", "watch", f"{mnt}/nothing", f"{mnt}/dir"],
                       capture_output=True, check=False, text=True)
    ok("bad paths only: the end, with what to do", p.returncode == 32 and
       f"{mnt}/nothing: No such file" in p.stderr and "watch -r" in p.stderr, p)
    no_record("grown")


def lines(mnt):
    """The same without a terminal."""
    log, other = f"{mnt}/log", f"{mnt}/other"
    make_file(log, MB)
    make_file(other, MB)
    with subprocess.Popen(["pcinspect", "watch", "--no-events", "--interval", "0.2", log, other],
                          stdout=subprocess.PIPE, encoding="utf-8") as p:
        out = ""

        def until(text, times=1):
            nonlocal out
            while out.count(text) < times:
                line = p.stdout.readline()
                if not line:
                    break
                out += line
            ok(f"lines: {text}", text in out, out[-800:])

        until("lru mglru")
        os.rename(log, f"{log}.1")
        until(f"{log} (renamed to {log}.1)")
        make_file(log, MB)
        until(f"{log} (replaced by a new file: now inode {inode(log)}, was {inode(log + '.1')})")
        os.unlink(f"{log}.1")
        until("(gone: ")
        until(" s, lru ", out.count(" s, lru ") + 4)
        equal("lines: a file that is gone is told once", out.count("(gone: "), 1)
        os.unlink(log)
        os.unlink(other)
        p.wait()
        out += p.stdout.read()
        equal("lines: the end, when all are gone", (p.returncode, out.count("(gone: ")), (0, 3))
    ok("lines: generations have names", re.search(r" youngest \d+ .*1: \d+ .*oldest \d+", out), out[:600])
    make_file(log, MB)
    with subprocess.Popen(["pcinspect", "watch", "--json", "--no-events", "--interval", "0.2", log],
                          stdout=subprocess.PIPE) as p:
        report = json.loads(p.stdout.readline())
        first = inode(log)
        os.rename(log, f"{log}.1")
        make_file(log, MB)
        while len(report["files"]) < 2:
            report = json.loads(p.stdout.readline())
        p.terminate()
        now, old = report["files"]
        equal("JSON: both", (now["path"], now["ino"], now["replaced"], now["replaced_ino"],
                             old["path"], old["ino"], old["renamed_to"]),
              (log, inode(log), 1, first, log, first, f"{log}.1"))
    os.unlink(log)
    os.unlink(f"{log}.1")


def sizes(mnt):
    """Tables, run and explain on terminals: what is on the screen, or scrolled off it."""
    path = f"{mnt}/a-name-that-takes-some-room-on-a-terminal-of-forty-columns.data"
    make_file(path, MB)
    run("pcinspect", "track", path)
    run("sh", "-c", f"cat {path} >/dev/null")
    for cols, rows in (80, 24), (40, 10), (200, 60):
        for command in (["stat", path], ["stat", "-r", mnt], ["reads", path], ["dirty", path],
                        ["top", "--once"], ["run", "--", "dd", f"if={path}", "of=/dev/null", "status=none"]):
            screen, status = shown(["pcinspect", *command], cols, rows)
            name = f"{cols}x{rows} {command[0]}{' -r' * ('-r' in command)}"
            equal(f"{name}: it ends well", (status, screen.unknown, screen.titles), (0, [], []))
            told = screen.history()
            heads = [i for i, x in enumerate(told) if x.endswith("PATH")]
            ok(f"{name}: a heading, and the path", heads and any(
                x.endswith(".data") for x in told[heads[0] + 1:]), told)
            ok(f"{name}: its columns are right", all(
                sum(map(width, x)) <= cols for x in told), told)
        screen, status = shown(["pcinspect", "explain", path], cols, rows)
        ok(f"{cols}x{rows} explain: it says what it looked at", status == 0 and
           not screen.unknown and "rules" in " ".join(screen.history()), screen.history())
    run("pcinspect", "untrack")


WANTED = sys.argv[1:] or ["sizes", "lines", "follows", "grows", "many", "names", "lives"]
with mounted("ext4") as where:
    os.mkdir(f"{where}/odd")
    if "sizes" in WANTED:
        sizes(where)
    if "lines" in WANTED:
        lines(where)
    term = Screen()
    if "follows" in WANTED:
        follows(term, where)
    if "grows" in WANTED:
        grows(term, where)
    if "many" in WANTED:
        many(term, where)
    if "names" in WANTED:
        names(term, f"{where}/odd")
    if "lives" in WANTED:
        lives(term, where)
if "lives" in WANTED:
    ok("unmounted while it was watched", not os.path.ismount("/mnt/t"))
    term.sees("unmounted: said so", lambda lines: any("#2/2" in x and "gone" in x for x in lines))
    term.clean("unmounted")
    term.quit("unmounted")
    no_record("unmounted")
finish()
