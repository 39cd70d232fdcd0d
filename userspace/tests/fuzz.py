#!/usr/bin/env python3
"""fuzz.py - recordings that somebody has tampered with: pcinspect report reads each to
an end, with nothing of it for a terminal to obey, and well-formed JSON.

The program is one under the sanitizers that changes what it reads by a seed
(hostile.c); some files are cut short or changed themselves. The same seeds give the same
run. libtracecmd and libtraceevent trust what they read, and fail on some of it before
we see a byte: that is counted, and no failure of ours.

usage: fuzz.py PROGRAM [CASES|SECONDSs [FIRST_SEED]]
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unicodedata

HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)),
                    "../../tests/fixtures/recordings")
VIEWS = ("stat", "reads", "readahead", "dirty", "fsync", "explain", "events", None)
# Of the format characters those that are seen.
SEEN = {*range(0x600, 0x606), 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd}
# The most memory and time that one recording may take.
MEGABYTES, SECONDS = 3000, 60
FAULT = 99                                           # of the sanitizers
FRAME = re.compile(rb"^ +#\d+ 0x[0-9a-f]+ (?:in (\S+) ?)?(.*)$", re.M)


def obeyed(data):
    """The first character that no terminal should get."""
    for line in data.split(b"\n"):
        try:
            text = line.decode()
        except UnicodeDecodeError as e:
            return f"not UTF-8: {line[max(e.start - 20, 0):e.start + 8]}"
        if text.isascii() and text.isprintable():
            continue
        for i, c in enumerate(text):
            if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs") and ord(c) not in SEEN:
                return f"U+{ord(c):04X} in {text[max(i - 20, 0):i + 8]!r}"
    return None


def of_library(report):
    """Is the innermost frame that is no sanitizer's one of the trace libraries?"""
    for function, where in FRAME.findall(report):
        if b"sanitizer" in where or function.startswith((b"__interceptor", b"__asan", b"__sanit")) \
                or b"libasan" in where or b"libubsan" in where or b"libc.so" in where:
            continue
        return b"libtrace" in where
    return False


def case(program, names, seed, work):
    """The error of one, or None; and how it ended."""
    dice = random.Random(seed)
    name = dice.choice(names)
    view = dice.choice(VIEWS)
    as_json = dice.random() < 0.4
    with open(f"{HERE}/{name}", "rb") as f:
        data = bytearray(f.read())
    env = {"PCINSPECT_HOSTILE": str(seed)}
    kind = dice.randrange(8)
    if kind == 0:
        del data[dice.randrange(len(data)):]
    elif kind == 1:
        for _ in range(dice.randrange(1, 8)):
            data[dice.randrange(len(data))] = dice.randrange(256)
    if kind < 2:
        env = {}
    path = f"{work}/x\x1b[2J\u202e.dat"
    with open(path, "wb") as f:
        f.write(data)
    page = f"{work}/page.html" if dice.random() < 0.3 else None
    args = [program, "report", *(["--view", view] if view else []),
            *(["--json"] if as_json else []), *(["--html", page] if page else []), path]
    what = f"seed {seed}: {name}, {view}{', json' if as_json else ''}{', html' if page else ''}"
    options = (f"detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb={MEGABYTES}:"
               f"exitcode={FAULT}:handle_segv=2:handle_abort=2:handle_sigbus=2:handle_sigfpe=2")
    try:
        p = subprocess.run(args, capture_output=True, check=False, timeout=SECONDS,
                           env=dict(os.environ, ASAN_OPTIONS=options,
                                    UBSAN_OPTIONS=f"exitcode={FAULT}:print_stacktrace=1",
                                    **env))
    except subprocess.TimeoutExpired:
        return f"{what}: takes longer than {SECONDS} s", None
    if p.returncode == FAULT and of_library(p.stderr):
        return None, FAULT
    if p.returncode not in (0, 1, 3, 64):
        return f"{what}: ended with {p.returncode}: {p.stderr[-1500:].decode(errors='replace')}", None
    streams = [p.stdout, p.stderr]
    if page and os.path.exists(page):
        with open(page, "rb") as f:
            streams.append(f.read())
        os.unlink(page)
    for stream in streams:
        bad = obeyed(stream)
        if bad:
            return f"{what}: {bad}", None
    if as_json and p.stdout:
        try:
            json.loads(p.stdout)
        except ValueError as e:
            return f"{what}: no JSON: {e}", None
    if p.returncode and not p.stderr:
        return f"{what}: failed without a word", None
    return None, p.returncode


def main():
    program = sys.argv[1]
    most = sys.argv[2] if len(sys.argv) > 2 else "60"
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    names = sorted(n for n in os.listdir(HERE) if n.endswith(".dat"))
    start = time.monotonic()
    seed, bad, read, faults = first, 0, 0, 0
    with tempfile.TemporaryDirectory() as work:
        while (time.monotonic() - start < float(most[:-1]) if most.endswith("s") else
               seed < first + int(most)):
            wrong, status = case(program, names, seed, work)
            read += status in (0, 3)
            faults += status == FAULT
            seed += 1
            if wrong:
                bad += 1
                print(f"not ok - a recording that was tampered with # {wrong}")
    print(f"# seeds {first} to {seed - 1}: {read} were read, "
          f"{seed - first - read - bad - faults} refused, {faults} faults of the trace libraries")
    # Or nothing was tried that got far.
    if not bad:
        good = read * 5 > seed - first
        print(f"{'ok' if good else 'not ok'} - recordings that were tampered with")
        bad += not good
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
