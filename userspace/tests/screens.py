#!/usr/bin/env python3
"""screens.py - pcinspect watch, and machine, on pseudo-terminals of 80x24, 40x10 and
200x60, by what is on them: names that part from their files, directories that grow, odd
names, paths that are none; lists that are turned, sorted, filtered, opened. The module is
one that knows how large files are, and no more (fake.c).

usage: screens.py PROGRAM
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../tests/lib"))
from pseudo import Pseudo, shown, width  # noqa: E402

PROGRAM = sys.argv[1]
SIZES = ((80, 24), (40, 10), (200, 60))
failed = []
os.environ["ASAN_OPTIONS"] = "detect_leaks=0"


def ok(name, good, why=""):
    why = "\n".join(why) if isinstance(why, list) else why
    print(f"{'' if good else 'not '}ok - {name}{'' if good else f' # {why}'}")
    if not good:
        failed.append(name)


def make_file(path, size):
    with open(path, "wb") as f:
        f.truncate(size)


class Watch(Pseudo):
    def __init__(self, name, *args, size=(80, 24), env=None):
        super().__init__([PROGRAM, "watch", "--no-events", "--interval", "0.05", *args], *size, env)
        self.name = name
        self.sees("painted", self.painted)

    @staticmethod
    def painted(lines):
        return lines[0].startswith("pcinspect ") and lines[-1].startswith("q quit")

    def sees(self, what, good):
        seen = self.until(good, 30)
        ok(f"{self.name}: {what}", seen, self.screen.lines())
        return seen

    def clean(self):
        """Nothing that wrapped, nothing unknown, nothing to obey, one title."""
        self.until(self.painted)
        lines = self.screen.lines()
        ok(f"{self.name}: clean", self.painted(lines) and not self.screen.unknown and
           not self.screen.titles and all(c.isprintable() for x in lines for c in x) and
           all(sum(map(width, x)) <= self.screen.cols for x in lines) and
           not any(x.startswith("pcinspect ") for x in lines[1:]),
           [*lines, repr(self.screen.unknown), repr(self.screen.titles)])

    def quit(self):
        self.type("q")
        status = self.end()
        ok(f"{self.name}: q ends it, and gives the terminal back",
           (status, self.screen.alternate, self.screen.cursor_shown) == (0, False, True),
           (status, self.raw[-300:]))


def quiet(work):
    path = f"{work}/quiet"
    make_file(path, 256)
    for size in SIZES:
        w = Watch(f"{size[0]}x{size[1]}", path, size=size)
        ok(f"{w.name}: it says what it waits for while it starts",
           b"waiting for: " in w.raw, w.raw[:600])
        w.sees("the file", lambda x: any(y.startswith("#1/1 ") and "quiet" in y for y in x))
        w.sees("its pages", lambda x: any(y.startswith("lru ") for y in x))
        if size[0] >= 80:
            w.sees("of how much of the file, and in which unit", lambda x: any(
                   " cached 256 (25600%) " in y for y in x) and "pages of 4K" in x[0])
        w.clean()
        told = [line for line in w.screen.lines()[2:]
                if re.search(r" [a-z_]+ 0", line) and not re.search(r" [a-z0-9_:]+ ([1-9]|\?)", line)]
        ok(f"{w.name}: no line of nothing but zeros", not told, told)
        if size[1] >= 24:
            w.sees("a chart of what is cached", "cached: now 256, least 256, most 256")
            w.sees("and it is drawn", lambda x: sum("█" in y for y in x) >= 3)
            for name in ("ahead  0 windows", "chart  cached: now", "chart  hits: now",
                         "chart  inserted: now", "chart  dirty: now", "chart  cached: now"):
                w.type("c")
                w.sees(f"c: {name}", name)
            w.type("h")
            w.sees("help", "quit (Ctrl-C as well)")
            w.type("x")
        for other in (30, 8), *SIZES, (79, 25):
            w.resize(*other)
            w.sees(f"resized to {other[0]}x{other[1]}", w.painted)
        w.clean()
        w.quit()
    w = Watch("NO_COLOR", path, env={"NO_COLOR": "1"})
    ok("NO_COLOR: none", not re.search(rb"\x1b\[[0-9;]*3[1-7]", w.raw), w.raw[-300:])
    w.quit()
    w = Watch("Ctrl-C", path)
    w.type("\x03")
    ok("Ctrl-C: ends it with 0", w.end() == 0)


def follows(work):
    log, other = f"{work}/log", f"{work}/other"
    make_file(log, 11)
    make_file(other, 12)
    w = Watch("names", log, other)
    w.sees("the list has headings", lambda x: x[1].split() == [
           "CACHED", "ACTIVE", "DIRTY", "READ", "WASTED", "REFAULT", "PATH"] and
           x[2].endswith("/log") and x[3].endswith("/other") and x[4].startswith("#1/2 "))
    first = os.stat(log).st_ino
    os.rename(log, f"{log}.1")
    w.sees("renamed: said so", lambda x: any("renamed to " in y and "log.1" in y for y in x))
    make_file(log, 77)
    w.sees("replaced: said so", f"replaced by a new file: now inode {os.stat(log).st_ino}")
    w.sees("replaced: its numbers", "cached 77")
    w.type("N")
    w.sees("the old one has a line of its own", lambda x: any(
        f"#3/3 " in y and "renamed to " in y and f"ino {first} " in y for y in x) or w.type("n"))
    w.clean()
    for path in (f"{log}.1", log, other):
        os.unlink(path)
    w.sees("all gone: said so", "all gone")
    make_file(other, 9)
    w.sees("one comes back", lambda x: "all gone" not in x[0])
    w.clean()
    w.quit()


def grows(work):
    os.makedirs(f"{work}/dir/sub")
    for name in ("dir/a", "dir/sub/b", "x1.log", "y1.log"):
        make_file(f"{work}/{name}", 5)
    w = Watch("a directory and a pattern", "-r", f"{work}/dir", f"{work}/x*.log")
    w.sees("what is there", "3 files")
    os.makedirs(f"{work}/dir/new")
    for name in ("dir/new/c", "dir/d", "x2.log", "y2.log"):
        make_file(f"{work}/{name}", 6)
    w.sees("what appears", "6 files")
    w.clean()
    w.quit()
    os.makedirs(f"{work}/many")
    for i in range(520):
        make_file(f"{work}/many/{i}", 1)
    w = Watch("too many", "-r", f"{work}/many")
    w.sees("what is left out", "512 files, 8 left out")
    w.quit()
    os.makedirs(f"{work}/empty")
    w = Watch("an empty directory", "-r", f"{work}/empty")
    w.sees("it waits", "waiting for one")
    make_file(f"{work}/empty/first", 3)
    w.sees("one comes", "#1/1 ")
    w.clean()
    w.quit()


def bad_paths(work):
    good = f"{work}/good"
    make_file(good, 3)
    w = Pseudo([PROGRAM, "watch", "--no-events", f"{work}/no\x1b[2Jthing", good])
    ok("a bad path is on the screen, and is to be obeyed by nobody", w.until(
        lambda x: x[0].startswith("pcinspect ") and x[-1].startswith("not watched: ") and
        "033[2Jthing: No such file" in x[-1]), w.screen.lines())
    w.type("x")
    ok("until a key", w.until("q quit"), w.screen.lines())
    w.type("q")
    ok("it ends", w.end() == 64)
    for size in SIZES:
        screen, status = shown([PROGRAM, "watch", f"{work}/none", work, f"{work}/none/*"], *size)
        told = " ".join(" ".join(screen.history()).split())
        ok(f"{size[0]}x{size[1]}: bad paths only: the end, with what to do", status == 32 and
           b"\x1b" not in screen_raw(screen) and "No such file" in told and
           "watch -r" in told, (status, told))


def screen_raw(screen):
    """Bytes that were no text: none where the screen was not opened."""
    return "".join(screen.unknown + screen.titles).encode()


def odd_names(work):
    os.makedirs(f"{work}/odd")
    names = ["new\nline", "esc\x1b[2J\x1b]0;title\x07x", "tab\tand space", "漢字" * 40, "grün-é",
             "\u202eright to left", "\u2066\u200b", "b\\slash", "\x7f\x01\x9b2J", "\x9d0;t\x9c", "x" * 255]
    for name in names:
        make_file(f"{work}/odd/{name}", 7)
    make_file(f"{work}/odd/".encode() + b"not\xffutf8", 7)
    for size in SIZES:
        w = Watch(f"odd names, {size[0]}x{size[1]}", "-r", f"{work}/odd", size=size)
        for _ in range(len(names) + 1):
            w.clean()
            w.type("n")
        w.quit()


def descent(work):
    """stat -r prints files as they come: what it says is what it says of all at once."""
    top = f"{work}/tree"
    for i in range(30):
        os.makedirs(f"{top}/{i % 7}", exist_ok=True)
        make_file(f"{top}/{i % 7}/{i}", i)
    os.link(f"{top}/0/7", f"{top}/0/again")

    def stat(*args):
        return subprocess.run([PROGRAM, "stat", "-r", *args, top], capture_output=True, text=True,
                              check=False)

    p, whole = stat("--json"), stat("--json", "--report", f"{work}/whole")
    with open(f"{work}/whole", encoding="utf-8") as f:
        saved = json.load(f)
    streamed = json.loads(p.stdout)
    ok("stat -r --json: its status", (p.returncode, whole.returncode) == (0, 0), p.stderr + whole.stderr)
    ok("stat -r --json: the same keys, the same files", set(streamed) == set(saved) and
       [x["path"] for x in streamed["files"]] == [x["path"] for x in saved["files"]] and
       [x["pages"] for x in streamed["files"]] == [x["pages"] for x in saved["files"]] and
       len(saved["files"]) == 30, p.stdout[-500:])
    ok("stat -r --json: the same sums", all(streamed[key] == saved[key] for key in
       ("audit", "lru", "lost", "kernel", "page_size", "format")), (streamed["audit"], saved["audit"]))
    rows = stat("--csv", "-o", "CACHED,PATH").stdout.splitlines()
    ok("stat -r --csv: one heading, all files", rows[0] == "CACHED,PATH" and len(rows) == 31 and
       sum(int(x.split(",")[0]) for x in rows[1:]) == sum(range(30)), rows)
    ok("stat -r --csv -n: no heading", len(stat("--csv", "-n", "-o", "PATH").stdout.splitlines()) == 30)
    table = stat("--limit", "3").stdout.splitlines()
    ok("stat -r --limit: the first ones, the total of all, how many more",
       len([x for x in table if top in x]) == 3 and "and 27 more (--limit 0 shows all)" in table and
       any(x.split()[0] == str(sum(range(30))) and x.endswith("total of 30 files") for x in table),
       table)
    for args in ([], ["-n"], ["--bytes"], ["--limit", "3"], ["-o", "CACHED,CACHED%,PATH"], ["--csv"]):
        one, all_of_it = stat(*args), stat(*args, "--report", f"{work}/whole")
        ok(f"stat -r {' '.join(args)}: as if all of it were kept", one.stdout == all_of_it.stdout and
           one.stdout.count("\n") >= 4 and one.returncode == 0, one.stdout + all_of_it.stdout)
    for size in SIZES:
        one, _ = shown([PROGRAM, "stat", "-r", top], *size)
        all_of_it, _ = shown([PROGRAM, "stat", "-r", "--report", f"{work}/whole", top], *size)
        ok(f"{size[0]}x{size[1]} stat -r: likewise", one.history() == all_of_it.history() and
           sum(x.startswith("CACHED ") for x in one.history()) == 1, one.history())
    empty = f"{work}/tree/none"
    os.mkdir(empty)
    p = subprocess.run([PROGRAM, "stat", "-r", "--json", empty], capture_output=True, text=True,
                       check=False)
    ok("stat -r --json of no file", json.loads(p.stdout)["files"] == [] and p.returncode == 0, p)


def nothing(work):
    """Of no file there is nothing to agree on."""
    p = subprocess.run([PROGRAM, "stat", f"{work}/none"], capture_output=True, text=True, check=False)
    ok("stat of no file: no audit of it", p.returncode == 32 and not p.stdout and
       p.stderr.count("\n") == 1, p)
    make_file(f"{work}/one", 0)
    p = subprocess.run([PROGRAM, "stat", f"{work}/none", f"{work}/one"], capture_output=True,
                       text=True, check=False)
    ok("stat of one file of two: the audit is of it", p.returncode == 64 and
       re.search(r"^audit: (\d) of \1 ok$", p.stdout, re.M) and "none: No such file" in p.stderr, p)


def memory(*args, nr=0):
    """Exit status, most memory in MB, and what was printed: bytes, and the end of them."""
    env = {**os.environ, "PCINSPECT_FAKE_SCAN": str(nr),
           "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=1:malloc_context_size=1"}
    with subprocess.Popen([PROGRAM, *args], stdout=subprocess.PIPE, env=env) as p:
        printed, end = 0, b""
        while part := p.stdout.read(1 << 20):
            printed, end = printed + len(part), (end + part)[-300:]
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
    return p.returncode, used.ru_maxrss / 1024, printed, end


def many(work):
    """Many files take as much memory as few do."""
    scan = ("top", "--scan", "/proc", "--once")
    out = subprocess.run([PROGRAM, *scan, "--json"], capture_output=True, check=False,
                         env={**os.environ, "PCINSPECT_FAKE_SCAN": "300"})
    files = json.loads(out.stdout)["files"]
    ok("top --scan --json: each inode once, also those with a record", out.returncode == 0 and
       sorted(x["ino"] for x in files) == [i * 1000 + 1 for i in range(300)] and
       sum(x["record"] is not None for x in files) == 2, out.stderr)
    line = subprocess.run([PROGRAM, *scan, "--json-lines"], capture_output=True, check=False,
                          env={**os.environ, "PCINSPECT_FAKE_SCAN": "300"})
    ok("top --scan --json-lines: the same in one line", line.stdout.count(b"\n") == 1 and
       [x["ino"] for x in json.loads(line.stdout)["files"]] == [x["ino"] for x in files], line)
    table = subprocess.run([PROGRAM, *scan, "-n", "-o", "CACHED,INO"], capture_output=True,
                           check=False, text=True, env={**os.environ, "PCINSPECT_FAKE_SCAN": "300"})
    ok("top --scan: the largest first, each once", [x.split() for x in table.stdout.splitlines()] ==
       [[str(n), str((h * 100 + n) * 1000 + 1)] for n in range(99, 92, -1) for h in (1, 2, 0)][:20],
       table)
    for i in range(40):
        os.makedirs(f"{work}/tall/{i}")
        for k in range(500):
            with open(f"{work}/tall/{i}/{k}", "wb"):
                pass
    saved, tall = f"{work}/saved", f"{work}/tall"
    for name, few, all_of_them, nr in (
            ("top --scan --json", (*scan, "--json"), (*scan, "--json"), 40000),
            ("top --scan --json --report", (*scan, "--json", "--report", "/dev/null"),
             (*scan, "--json", "--report", "/dev/null"), 20000),
            ("stat -r --report", ("stat", "-r", "--report", saved, f"{tall}/1"),
             ("stat", "-r", "--report", saved, tall), 20000),
            ("stat -r --json --report", ("stat", "-r", "--json", "--report", saved, f"{tall}/1"),
             ("stat", "-r", "--json", "--report", saved, tall), 20000)):
        small, large = memory(*few, nr=500), memory(*all_of_them, nr=nr)
        print(f"# {name}: {nr} files {large[1]:.0f} MB, 500 {small[1]:.0f} MB, {large[2]} bytes printed")
        ok(f"{name}: {nr} files take no more memory than 500", (small[0], large[0]) == (0, 0) and
           large[1] - small[1] < 20 and large[2] > 10 * small[2] > 0, (small, large))
    with open(saved, encoding="utf-8") as f:
        report = json.load(f)
    ok("stat -r --report: all of them", len(report["files"]) == 20000 and
       len(report["audit"]) >= 1, str(report["audit"]))
    reader, writer = os.pipe()
    os.close(reader)
    p = subprocess.run([PROGRAM, "stat", "-r", "--json", "--report", f"{work}/whole2", f"{tall}/1"],
                       stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    with open(f"{work}/whole2", encoding="utf-8") as f:
        report = json.load(f)
    ok("nobody reads stdout: the report is whole, and it ends quietly", p.returncode == -13 and
       not p.stderr and len(report["files"]) == 500, p)
    p = subprocess.run([PROGRAM, "stat", "-r", "--report", "/dev/full", f"{tall}/1"],
                       capture_output=True, check=False)
    ok("stat -r --report on a full disk: said once, status 1", p.returncode == 1 and
       p.stderr.count(b"cannot write the report: No space left") == 1 and
       p.stdout.count(b"\n") > 500, p.stderr)
    # Killed in the middle: it waits for somebody who reads.
    with subprocess.Popen([PROGRAM, "stat", "-r", "--json", "--report", f"{work}/tall/0/r", tall],
                          stdout=subprocess.PIPE) as p:
        p.stdout.read(100000)
        p.kill()
    ok("killed in the middle: nothing is beside it", sorted(os.listdir(f"{tall}/0")) ==
       sorted(map(str, range(500))))


def live_top(work):
    """top on a terminal: the largest files, their heading and the audit, on any size."""
    os.makedirs(f"{work}/top")
    for i in range(60):
        make_file(f"{work}/top/{i}", 1000 + i)
    with open(f"{work}/list", "w", encoding="utf-8") as f:
        f.writelines(f"{work}/top/{i}\n" for i in range(60))
    argv = [PROGRAM, "top", "--interval", "0.05", "-b", f"{work}/list"]
    for size in SIZES:
        name = f"top, {size[0]}x{size[1]}"
        p = Pseudo(argv, *size)

        def painted(lines):
            return (lines[0].split()[:1] == ["CACHED"] and lines[1].endswith("top/59") and
                    lines[-1].startswith("q quit   audit: 1 of 1 ok"))

        ok(f"{name}: heading, the largest file, the audit", p.until(painted), p.screen.lines())
        files = sum("top/" in x for x in p.screen.lines())
        ok(f"{name}: half the lines are files, or 20", files >= min(20, (size[1] - 1) // 2),
           p.screen.lines())
        ok(f"{name}: on a screen of its own, nothing scrolled, nothing unknown",
           p.screen.alternate and not p.screen.unknown and not p.screen.left, p.screen.unknown)
        for other in (30, 8), (30, 2), (30, 1), *SIZES:
            p.resize(*other)
            ok(f"{name}: resized to {other[0]}x{other[1]}", p.until(lambda x, n=other[1]:
               len(x) == n and (n == 1 or x[0].startswith("CACHED ")) and
               x[-1].startswith("q quit")), p.screen.lines())
        p.type("q")
        ok(f"{name}: q ends it, and gives the terminal back",
           (p.end(), p.screen.alternate, p.screen.cursor_shown) == (0, False, True), p.raw[-300:])
    p = Pseudo([*argv, "--report", f"{work}/none/report"], 80, 10)
    p.until("q quit")
    # A page each, at least.
    for other in (80, 9), (80, 8), (80, 7), (80, 6):
        p.resize(*other)
        p.until(lambda x, n=other[1]: len(x) == n and x[-1].startswith("q quit"))
    p.type("q")
    status = p.end()
    ok("top: what it complains of is what the last page does, once", status == 1 and
       p.raw.count(b"cannot write the report: No such file") == 1, (status, p.raw[-900:]))
    p = Pseudo([*argv, "--limit", "3", "--for", "0.2"], 80, 24)
    ok("top --for: it ends by itself", p.end() == 0 and not p.screen.alternate, p.raw[-300:])
    p = Pseudo(argv, 80, 24)
    p.until("q quit")
    p.type("\x03")
    ok("top: Ctrl-C ends it with 0", p.end() == 0, p.raw[-300:])
    p = Pseudo([*argv, "--for", "0.2"], 80, 24, {"TERM": "dumb"})
    status = p.end()
    ok("top, TERM=dumb: one report after the other, nothing to obey", status == 0 and
       b"\x1b" not in p.raw and p.raw.count(b"total of 60 files") >= 1, p.raw[-300:])


class Machine(Watch):
    """The same terminal, without a command."""

    def __init__(self, name, *args, size=(80, 24), env=None):
        # pylint: disable=super-init-not-called
        Pseudo.__init__(self, [PROGRAM, "--interval", "0.05", *args], *size, env)
        self.name = name
        self.sees("painted", self.painted)

    @staticmethod
    def head(lines):
        """Lines above the headings."""
        return next((i for i, x in enumerate(lines) if x.lstrip().startswith("CACHED")), len(lines))

    @classmethod
    def rows(cls, lines):
        """The lines between the headings and the sums."""
        return lines[cls.head(lines) + 1:-2]

    def says(self, what, pattern, size):
        """A line of the head, where there is room for all of it."""
        self.sees(what, lambda x: size[1] < 20 or
                  any(re.match(pattern, y) for y in x[:self.head(x)]))


def machine(work):
    for name, sizes in (("big", range(1, 31)), ("small", (7, 5))):
        os.makedirs(f"{work}/{name}")
        for i in sizes:
            make_file(f"{work}/{name}/f{i:02}", 100 * i)
    env = {"PCINSPECT_FAKE": f"{work}/big:{work}/small"}
    for size in SIZES:
        m = Machine(f"machine, {size[0]}x{size[1]}", size=size, env=env)
        m.sees("most first", lambda x, m=m: m.rows(x) and m.rows(x)[0].endswith("big/f30"))
        m.clean()
        lines = m.screen.lines()
        ok(f"{m.name}: no line without anything", all(x.strip() for x in m.rows(lines)[:32]) and
           all(lines[:m.head(lines)]), lines)
        ok(f"{m.name}: rows to the last line but two", len([x for x in m.rows(lines) if x.strip()]) ==
           min(size[1] - (m.head(lines) + 3), 32) and m.head(lines) < 13, lines)
        m.says("what is asked of the cache", r"reads .*cache hits at least 7(5.0|4.9)%", size)
        m.says("what is wrong", r"why     (nothing is found wrong; \S+/s are read, \S+/s after an eviction$|"
               r"[a-z-]+: )", size)
        m.says("what is dirty for longest", "oldest  dirty for about 1[0-9.]*s: 4K of .*big/f07$", size)
        m.says("what has most inactive pages", "next    most inactive pages: .* of .*big/f30$", size)
        m.type("/small")
        m.sees("a filter that is being typed", "name has: small")
        m.type("\r")
        m.sees("and its rows", lambda x, m=m: len([y for y in m.rows(x) if "small/" in y]) == 2 and
               not any("big/" in y for y in m.rows(x)))
        m.says("how fast disks are", r"disks   (nothing read or written|\S+ read \S+/s"
               r"( in [0-9.]+ ms)? written \S+/s)", size)
        m.type("/\r")
        m.sees("without it all again", lambda x, m=m: m.rows(x)[0].endswith("big/f30"))
        m.type("\t")
        m.sees("Tab: directories", lambda x, m=m: "per directory" in x[0] and
               [y.rpartition("/")[2] for y in m.rows(x)[:2]] == ["big", "small"])
        m.type("j\r")
        m.sees("Enter: its files", lambda x, m=m: "per file" in x[0] and
               [y.rpartition("/")[2] for y in m.rows(x) if y.strip()] == ["f07", "f05"])
        m.type("\r")
        m.sees("Enter: watch of the file", lambda x: any("#1/1 " in y and "f07" in y for y in x) or
               any("f07" in y for y in x) and "lru " in x[0])
        m.type("q")
        m.sees("q: the machine again", lambda x: "per file" in x[0])
        m.type("\x7f")
        m.sees("Backspace: the directories", "per directory")
        m.type("\x1b[Z")
        m.sees("Shift-Tab: files", "per file by cached")
        for other in (30, 8), *SIZES, (79, 25):
            m.resize(*other)
            m.sees(f"resized to {other[0]}x{other[1]}", m.painted)
        m.clean()
        m.quit()
    m = Machine("machine, growth", env=env)
    m.sees("growth is known from the second look on", lambda x: any(" GROWTH " in y for y in x) and
           not any("?" in y for y in m.rows(x)))
    m.type("p")
    m.sees("p: paused", "PAUSED")
    m.type("p")
    m.sees("and on", lambda x: "PAUSED" not in x[0])
    make_file(f"{work}/small/new", 9999)
    m.sees("what comes is there", lambda x: m.rows(x)[0].endswith("small/new"))
    m.type("r")
    m.sees("r: the least first", lambda x: "least first" in x[0] and
           m.rows(x)[0].endswith("big/f01"))
    m.type("r")
    m.type("<")
    m.sees("<: sorted otherwise", lambda x: "by cached" not in x[0])
    m.type(">")
    m.sees(">: as before", lambda x: "by cached" in x[0])
    m.type("SSS")
    m.sees("S: sorted otherwise", lambda x: "by cached" not in x[0])
    m.type("x")
    m.sees("x: why, by its own command", lambda x: any(
           y.startswith("$ pcinspect why /") for y in x) and "Enter: back to the list" in x)
    m.type("\r")
    m.sees("Enter: the list again", m.painted)
    m.type("t")
    m.sees("t: the file is tracked", lambda x: any(
           y.startswith("$ pcinspect track /") for y in x) and "Enter: back to the list" in x)
    m.type("\r")
    m.sees("Enter: the list again", m.painted)
    m.type("h")
    m.sees("help", "quit (Ctrl-C as well)")
    m.type("x")
    for per in ("directory", "filesystem", "cgroup"):
        m.type("\t")
        m.sees(f"Tab: per {per}", f"per {per}")
        m.clean()
    m.type("t")
    m.sees("t: only of a file", "only a file can be tracked")
    m.type("n")
    m.sees("n: next, of the cgroup", lambda x: any(
           y.startswith("$ pcinspect next /sys/fs/cgroup") for y in x) and
           "Enter: back to the list" in x)
    m.type("\r")
    m.sees("Enter: the list again", m.painted)
    m.type("\x03")
    ok("machine: Ctrl-C ends it with 0", m.end() == 0)
    p = Pseudo([PROGRAM, "top", "--interval", "0.05"], 80, 24, env)
    ok("top alone: the machine", p.until(lambda x: "per file by cached" in x[0] and
       (Machine.rows(x) or [""])[0].endswith("small/new")), p.screen.lines())
    p.type("q")
    ok("top alone: q ends it", (p.end(), p.screen.alternate) == (0, False), p.raw[-300:])
    for option in ("-n",), ("-v",), ("--limit", "3"), ("--by", "cached"), ("-o", "PATH"), ("--once",), \
            ("--report", "/dev/null"):
        p = Pseudo([PROGRAM, "top", "--for", "0.01", *option], 80, 24, env)
        ok(f"top {option[0]}: its own list", p.end() is not None and b"per file" not in p.raw, p.raw[-300:])
    not_mounted(work)
    saved(work, env)
    os.makedirs(f"{work}/strange")
    for name in ("new\nline", "esc\x1b[2J\x1b]0;title\x07x", "漢字" * 40, "\u202eleft", "x" * 255):
        make_file(f"{work}/strange/{name}", 7)
    for size in SIZES:
        m = Machine(f"machine, odd names, {size[0]}x{size[1]}", size=size,
                    env={"PCINSPECT_FAKE": f"{work}/strange"})
        m.sees("rows", lambda x, m=m: len([y for y in m.rows(x) if y.strip()]) >= 3)
        m.clean()
        m.type("j\t")
        m.sees("directories", "per directory")
        m.clean()
        m.quit()


def not_mounted(work):
    """A file on a filesystem not mounted here is marked, and not the local file of that name."""
    os.makedirs(f"{work}/elsewhere")
    make_file(f"{work}/elsewhere/f", 300)
    m = Machine("not mounted here", size=SIZES[2], env={"PCINSPECT_FAKE": f"{work}/elsewhere"})
    m.sees("said so", lambda x: any(
           y.endswith("/elsewhere/f (9:9, not mounted here)") for y in m.rows(x)))
    m.type("\r")
    m.sees("cannot be watched", "not mounted here cannot be watched")
    m.type("\t")
    m.sees("its directory", lambda x: "per directory" in x[0] and
           any(y.endswith("/elsewhere (9:9, not mounted here)") for y in m.rows(x)))
    m.type("\r")
    m.sees("and the file in it", lambda x: "per file" in x[0] and
           any(y.endswith("/elsewhere/f (9:9, not mounted here)") for y in m.rows(x)))
    m.clean()
    m.quit()


def saved(work, env):
    """--report: what was shown last, also from a terminal."""
    m = Machine("--report", "--report", f"{work}/machine", env=env)
    m.type("\t")
    m.sees("directories", "per directory")
    m.quit()
    with open(f"{work}/machine", encoding="utf-8") as f:
        rep = json.load(f)
    ok("--report on a terminal: the list that was shown last", sorted(
        x["path"].rpartition("/")[2] for x in rep["directories"]) == ["big", "small"], str(rep)[-500:])


with tempfile.TemporaryDirectory() as directory:
    machine(directory)
    live_top(directory)
    nothing(directory)
    descent(directory)
    many(directory)
    quiet(directory)
    follows(directory)
    grows(directory)
    bad_paths(directory)
    odd_names(directory)
sys.exit(bool(failed))
