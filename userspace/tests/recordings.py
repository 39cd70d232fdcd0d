#!/usr/bin/env python3
"""recordings.py - recordings of earlier versions stay readable, and say the same.

Each tests/fixtures/recordings/NAME.dat was made in a guest by tests/cases/replay.py;
NAME.json has its verdicts and figures. What a newer report has more is no difference.

usage: recordings.py PCINSPECT          compare
       recordings.py PCINSPECT FILE.dat…  keep those, as fixtures
"""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.realpath(__file__)),
                    "../../tests/fixtures/recordings")
KEEP = ("kernel", "page_size", "lru", "lost", "verdicts", "audit", "event_counts")


def report(program, dat):
    """What pcinspect report says of a recording, without its long lists."""
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
    sys.exit(failed)


main()
