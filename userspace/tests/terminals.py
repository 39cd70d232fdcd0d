#!/usr/bin/env python3
"""terminals.py - every view of a recording on terminals of 80x24, 40x10 and 200x60, by
what is on them; and what becomes of stdout: pipes that nobody reads, full disks.

usage: terminals.py PCINSPECT
"""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata

FIXTURES = os.path.join(os.path.dirname(os.path.realpath(__file__)),
                        "../../tests/fixtures/recordings")
RECORDING = f"{FIXTURES}/story1-6.12.dat"
SIZES = ((80, 24), (40, 10), (200, 60))
PROGRAM = sys.argv[1]
failed = []


def ok(name, good, why=""):
    print(f"{'' if good else 'not '}ok - {name}{'' if good else f' # {why!r:.300}'}")
    if not good:
        failed.append(name)


def cells(text):
    """The width of a line on a terminal."""
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def on_terminal(columns, lines, *argv):
    """All lines that a terminal got, its size being that from the first byte on."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    with subprocess.Popen([PROGRAM, *argv], stdin=theirs, stdout=theirs,
                          stderr=subprocess.PIPE) as p:
        os.close(theirs)
        out = b""
        while True:
            try:
                out += os.read(ours, 65536)
            except OSError:
                break
        p.stderr.read()
    os.close(ours)
    return out.decode().replace("\r\n", "\n").split("\n")


def table_of(lines):
    """The first table: its heading and rows, to the end of its paragraph."""
    return lines[:lines.index("")] if "" in lines else lines


def tables():
    for columns, rows in SIZES:
        size = f"{columns}x{rows}"
        for view, first in (("stat", "CACHED"), ("reads", "DEMANDED"), ("dirty", "DIRTY")):
            table = table_of(on_terminal(columns, rows, "report", "--view", view, RECORDING))
            heading = table[0].split()
            ok(f"{size} {view}: {first} first, PATH last",
               heading[0] == first and heading[-1] == "PATH", heading)
            ok(f"{size} {view}: every line fits",
               max(map(cells, table)) <= columns, table)
            ok(f"{size} {view}: the path is there", table[1].endswith("/mnt/t/a"), table)
            values = dict(zip(heading, table[1].split()))
            del values[first]
            ok(f"{size} {view}: no column of nothing", not {"0", "?"} & set(values.values()),
               values)
            ok(f"{size} {view}: what is left out is said",
               any(line.startswith("All 0:") for line in table), table)
        lines = on_terminal(columns, rows, "report", "--view", "readahead", RECORDING)
        ok(f"{size} readahead: every window fits",
           max(map(cells, lines[1:98])) <= columns, lines[:3])
        for view in ("stat", "reads", "readahead", "dirty", "fsync", "explain", None):
            lines = on_terminal(columns, rows, "report", *(["--view", view] if view else []), RECORDING)
            wide = [x for x in lines if cells(x) > columns and " " in x.strip() and
                    not re.match("    [^ ]", x)]
            ok(f"{size} {view or 'all of it'}: no line is broken but between words", not wide, wide)
            told = " ".join(" ".join(lines).split())
            ok(f"{size} {view or 'all of it'}: each number is in one piece", all(x in told for x in {
                "reads": ("requested 0, disk reads 12M, inserted 3072 pages", "2584 pages evicted (exact)"),
                "explain": ("96 faults made 12M", " echo 16 > /sys/class/bdi/254:16/read_ahead_kb"),
                None: (" 10578 events in all, ", "2584 pcinspect:pcinspect_evicted /mnt/t/a"),
            }.get(view, ())), told)
    lines = on_terminal(80, 24, "report", "--view", "stat", "--bytes", RECORDING)
    ok("--bytes is exact", lines[1].split()[0] == str(488 * 4096), lines[1])
    lines = on_terminal(80, 24, "report", "--view", "stat", "--pages", RECORDING)
    ok("--pages is exact", lines[1].split()[0] == "488", lines[1])
    lines = on_terminal(80, 24, "report", "-n", "-o", "EVICTED,OFF_LRU,PATH", RECORDING)
    ok("-o is for programs, and stays", lines[0] == "536 0 /mnt/t/a", lines[0])


def run(*argv, **how):
    return subprocess.run([PROGRAM, *argv], stderr=subprocess.PIPE, check=False, **how)


def csv():
    p = run("report", "--csv", "-o", "CACHED,WRITE_AMPL,SIZE,PATH", RECORDING,
            stdout=subprocess.PIPE)
    ok("--csv: exact numbers; unknown is empty",
       p.stdout == b"CACHED,WRITE_AMPL,SIZE,PATH\n488,,4194304,/mnt/t/a\n", p)
    p = run("report", "--csv", "--view", "readahead", RECORDING, stdout=subprocess.PIPE)
    lines = p.stdout.decode().splitlines()
    ok("--csv: windows, each with its path", len(lines) == 97 and
       lines[0].startswith("PATH,TIME,") and
       all(line.startswith("/mnt/t/a,") for line in lines[1:]), lines[:2])
    p = run("report", "--json", RECORDING, stdout=subprocess.PIPE)
    ok("JSON: cached_percent",
       json.loads(p.stdout)["files"][0]["pages"]["cached_percent"] == 488 / 1024 * 100)


def ends():
    """An error of write(2) is printed once; EPIPE is not."""
    commands = (("--help",), ("stat", "--help"), ("--version",), ("report", RECORDING),
                ("report", "--json", RECORDING), ("report", "--csv", RECORDING),
                ("report", "--view", "events", RECORDING),
                ("report", "--view", "readahead", RECORDING))
    for argv in commands:
        name = " ".join(argv).replace(RECORDING, "FILE")
        with open("/dev/full", "wb") as full:
            p = run(*argv, stdout=full)
        ok(f"{name} > /dev/full: one line, status 1", p.returncode == 1 and
           p.stderr == b"pcinspect: cannot write: No space left on device "
                       b"(make room, or write elsewhere)\n", p)
        for ignored in (False, True):
            reader, writer = os.pipe()
            os.close(reader)
            p = run(*argv, stdout=writer, restore_signals=not ignored)
            os.close(writer)
            ok(f"{name} | nobody{', SIGPIPE ignored' if ignored else ''}: quiet, as SIGPIPE ends",
               p.returncode == -13 and not p.stderr, p)
    p = subprocess.run(["sh", "-c", f"'{PROGRAM}' report '{RECORDING}' >&-"],
                       stderr=subprocess.PIPE, check=False)
    ok("stdout is closed", p.returncode == 1 and p.stderr.count(b"\n") == 1, p)
    with open("/dev/full", "wb") as full:
        p = run("report", "--report", "/dev/full", RECORDING, stdout=full)
    ok("--report on a full disk", p.returncode == 1 and b"/dev/full: cannot write" in p.stderr, p)


def words():
    """The wrong word is named, and what would be right."""
    for argv, wanted in (
            ("stat -xq a", "option -q"),
            ("stat --frob a", "option --frob"),
            ("stat --jsno a", "perhaps --json"),
            ("watch --no a", "ambiguous option --no"),
            ("stat --json=3 a", "option --json takes no value"),
            ("top --limit", "option --limit lacks its N"),
            ("top --limit 0.5", "--limit 0.5: not a whole number"),
            ("top --limit -1", "--limit -1: not a whole number"),
            ("watch --for 0 a", "--for 0: not a number of seconds"),
            ("watch --interval soon a", "--interval soon: not a number of seconds"),
            ("top --by size", "--by size: unknown (cached,"),
            ("stats a", "perhaps stat;"),
            ("--json stat a", "options follow the command: --json"),
            ("machine --per user", "--per user: unknown (file,"),
            ("--once --by demanded", "--by demanded: not of a file"),
            ("--once --by growth", "--by growth: is known between ticks only"),
            ("machine a", "machine takes no PATH"),
            ("stat --csv --json a", "--csv and --json are two"),
            ("untrack -b /dev/null", "no name is in the list"),
            ("report", "no FILE given (usage: pcinspect report "),
            ("run", "no CMD given (usage: pcinspect run "),
            ("stat", "no PATH given (usage: pcinspect stat "),
            ("stat -b /nonexistent", "/nonexistent: cannot read the list"),
            ("status --by cached", "takes no option --by"),
    ):
        p = run(*argv.split(), stdout=subprocess.PIPE)
        text = p.stderr.decode()
        ok(f"pcinspect {argv}", p.returncode in (1, 2) and wanted in text and
           text.count("\n") == 1 and re.match(r"pcinspect: .*\(.*\)$|.*list", text), (p, wanted))


def helps():
    """A screen for each command, in two columns: options, and what they are."""
    p = run("--help", stdout=subprocess.PIPE)
    lines = p.stdout.decode().splitlines()
    ok("--help is one screen", p.returncode == 0 and len(lines) <= 24 and
       max(map(len, lines)) < 80, lines)
    asked = [x for x in lines[2:-3] if x.startswith("  ")]
    ok("--help: every answer begins in one column", len(asked) > 15 and
       all(x[48] == " " and x[49] != " " for x in asked), asked)
    for command in run("--complete", "", stdout=subprocess.PIPE).stdout.decode().splitlines()[1:]:
        command = command.split("\t")[0]
        if command.startswith("-"):
            continue
        lines = run(command, "--help", stdout=subprocess.PIPE).stdout.decode().splitlines()
        options = [x for x in lines if re.match("  (-.,|   ) --[a-z]", x)]
        ok(f"{command} --help: every line fits, and what options are begins in one column",
           len(options) > 3 and max(map(len, lines)) < 80 and lines[0].startswith("usage: ") and
           all(x[25] == " " and x[26] != " " for x in options), lines)


tables()
csv()
ends()
helps()
words()
sys.exit(bool(failed))
