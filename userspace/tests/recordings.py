#!/usr/bin/env python3
"""recordings.py - recordings of earlier versions stay readable, and say the same.

Each tests/fixtures/recordings/NAME.dat was made in a guest by tests/cases/replay.py or
real.py; NAME.json has its verdicts and figures, README.md there what is to be said. What
a newer report has more is no difference.

usage: recordings.py PCINSPECT          compare
       recordings.py PCINSPECT FILE.dat…  keep those, as fixtures
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)),
                    "../../tests/fixtures/recordings")
KEEP = ("kernel", "page_size", "lru", "lost", "verdicts", "audit", "event_counts")


def report(program, dat):
    """The report of a recording, without its long lists."""
    p = subprocess.run([program, "report", "--json", "--view", "explain", dat], check=True,
                       stdout=subprocess.PIPE)
    full = json.loads(p.stdout)
    # How it is worded is free.
    full["verdicts"] = [{"verdict": v["verdict"], "path": v["path"]} for v in full["verdicts"]]
    for f in full["files"]:
        if f["readahead"]:
            f["readahead"]["windows"] = f["readahead"]["windows"][:2]
    return {key: full[key] for key in (*KEEP, "files")}


def differences(want, got, where=""):
    """Where a report says something else than was kept."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key, value in want.items():
            if key not in got:
                yield f"{where}.{key} is missing"
            else:
                yield from differences(value, got[key], f"{where}.{key}")
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for i, value in enumerate(want):
            yield from differences(value, got[i], f"{where}[{i}]")
    elif want != got:
        yield f"{where} is {got}, not {want}"


def compare(program, name):
    got = report(program, f"{HERE}/{name}.dat")
    with open(f"{HERE}/{name}.json", encoding="utf-8") as f:
        want = json.load(f)
    return list(differences(want, got))


def keep(program, dat):
    name = os.path.basename(dat).removesuffix(".dat")
    shutil.copy(dat, HERE)
    with open(f"{HERE}/{name}.json", "w", encoding="utf-8") as f:
        json.dump(report(program, dat), f, indent=1)
        f.write("\n")


def corpus(program):
    """The verdicts that somebody who knows would give: README.md there has them. All of a
    recording that is said, and was not to be, counts against it."""
    with open(f"{HERE}/README.md", encoding="utf-8") as f:
        wanted = dict(re.findall(r"^\| (\S+) \|.*\| (\S+) \|$", f.read(), re.M)[1:])
    wanted.pop("---", None)
    names = {n.removesuffix(".dat") for n in os.listdir(HERE) if n.endswith(".dat")}
    yield "the verdict of each is in README.md", names == set(wanted)
    right = wrong = missing = silent = 0
    for name, want in wanted.items():
        got = {v["verdict"] for v in report(program, f"{HERE}/{name}.dat")["verdicts"]}
        due = set() if want == "none" else {want}
        right += len(got & due)
        wrong += len(got - due)
        missing += len(due - got)
        silent += not got and not due
    healthy = sum(want == "none" for want in wanted.values())
    print(f"# {len(wanted)} recordings, {healthy} of them healthy: precision "
          f"{right / ((right + wrong) or 1):.3f}, recall {right / ((right + missing) or 1):.3f}, "
          f"silent in {silent}")
    yield "nothing is said of them that is wrong", right and not wrong
    yield "nothing is missing", not missing and silent == healthy


def parts_of_time(program):
    """What --since and --until leave out of a recording, and what they leave in it."""
    dat = f"{HERE}/story3-6.12.dat"

    def counted(*args):
        p = subprocess.run([program, "report", "--json", *args, dat], check=True,
                           stdout=subprocess.PIPE)
        return json.loads(p.stdout)

    def events(r):
        return sum(c["events"] for c in r["event_counts"])

    whole, before, after = counted(), counted("--until", "0.5"), counted("--since", "0.5")
    yield "all events are before or after", 0 < events(before) < events(whole) and \
        events(before) + events(after) == events(whole)
    yield "the state is as it was then", before["time_ns"] < after["time_ns"] == whole["time_ns"]
    yield "and agrees with itself", all(a["ok"] for r in (before, after) for a in r["audit"])
    for wrong, status, words in ((["--since", "99"], 1, b"nothing of that time"),
                                 (["--until", "12:00"], 1, b"no wall clock"),
                                 (["--since", "noon"], 2, b"not a time")):
        p = subprocess.run([program, "report", *wrong, dat], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, check=False)
        yield f"{wrong[0]} {wrong[1]}: {status}", p.returncode == status and words in p.stderr


def events_read(program):
    """--view events has them all; who reads one line of them is not waited for."""
    dat = f"{HERE}/fsync-6.12.dat"
    p = subprocess.run([program, "report", "--view", "events", dat], check=True,
                       stdout=subprocess.PIPE)
    want = report(program, dat)["event_counts"]
    yield "a line for each event", p.stdout.count(b"\n") == sum(c["events"] for c in want)
    with subprocess.Popen([program, "report", "--view", "events", dat],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as p:
        p.stdout.readline()
        p.stdout.close()
        yield "quiet when nobody reads", (p.wait(), p.stderr.read()) == (-signal.SIGPIPE, b"")


def without_a_table(program):
    """Views of sentences have no CSV and no columns, and say so."""
    for view in ("fsync", "explain", "events"):
        for option in (["--csv"], ["-o", "CACHED"]):
            p = subprocess.run([program, "report", *option, "--view", view,
                                f"{HERE}/fsync-6.12.dat"], capture_output=True, check=False)
            yield (f"{option[0]} of --view {view}",
                   p.returncode == 2 and p.stderr.count(b"\n") == 1 and not p.stdout)


def main():
    program, *dats = sys.argv[1:]
    for dat in dats:
        keep(program, dat)
    names = sorted(n.removesuffix(".json") for n in os.listdir(HERE) if n.endswith(".json"))
    failed = not names
    for name in names:
        found = compare(program, name)
        failed |= bool(found)
        print(f"{'not ' if found else ''}ok - recording {name}"
              f"{' # ' + '; '.join(found[:3]) if found else ''}")
    for name, good in (*corpus(program), *parts_of_time(program), *events_read(program),
                       *without_a_table(program)):
        failed |= not good
        print(f"{'' if good else 'not '}ok - recording: {name}")
    sys.exit(failed)


main()
