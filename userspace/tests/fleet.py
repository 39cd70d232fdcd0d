#!/usr/bin/env python3
"""fleet.py - what packaging has for many hosts: it is valid, and about metrics that there are.

usage: fleet.py TEST_EXPORT PCINSPECT

promtool, and systemd-analyze, say: the text of export is what Prometheus reads; alerts fire
for the host and the file that they are about (packaging/prometheus/pcinspect.test.yml); each
query of the dashboard can be parsed, and has no metric that is not exported; the service is
exposed less than 2.0, and no system call of export is outside of its filter. May touch: a
temporary directory.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

PACKAGING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../packaging")
SERVICE = f"{PACKAGING}/systemd/pcinspect-export.service"
bad = 0


def ok(name, good, why=""):
    global bad
    bad += not good
    print(f"{'ok' if good else 'not ok'} - {name}" + ("" if good else f" # {why}"), flush=True)


def said(*cmd, **how):
    p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                       check=False, **how)
    return p.returncode, p.stdout


def queries():
    """Of the dashboard and of the alerts, by where they are."""
    with open(f"{PACKAGING}/grafana/pcinspect.json", encoding="utf-8") as f:
        board = json.load(f)
    ok("dashboard: each panel has its place, and a number of its own",
       len({p["id"] for p in board["panels"]}) == len(board["panels"]) and
       len({(p["gridPos"]["x"], p["gridPos"]["y"]) for p in board["panels"]}) ==
       len(board["panels"]), board["panels"])
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"].replace("$host", ".*")
    with open(f"{PACKAGING}/prometheus/pcinspect.rules.yml", encoding="utf-8") as f:
        for name, expr in re.findall(r"- alert: (\w+)\n +expr: (.*?)\n +(?:for|labels):", f.read(),
                                     re.DOTALL):
            yield name, expr.removeprefix(">").strip()


def metrics(test_export, program):
    """The names of all that is exported: by a test of many numbers, and by this machine."""
    _, here = said(program, "export", "--openmetrics")
    code, text = said(test_export, "print")
    ok("export: printed", code == 0, text)
    # OpenMetrics names a counter without _total, and has UNIT and EOF; promtool reads the older.
    older = re.sub(r"^# (TYPE|HELP) (\S+) counter", r"# \1 \2_total counter", text, flags=re.M)
    names = set(re.findall(r"^# TYPE (\S+) counter", text, re.M))
    older = re.sub(r"^# HELP (\S+) ", lambda m: f"# HELP {m[1]}_total " if m[1] in names else m[0],
                   older, flags=re.M)
    older = re.sub(r"^# (UNIT|EOF).*\n", "", older, flags=re.M)
    code, why = said("promtool", "check", "metrics", input=older)
    ok("export: promtool reads it", code in (0, 3) and "error while" not in why, why)
    return {f"{name}_total" if kind == "counter" else name
            for name, kind in re.findall(r"^# TYPE (\S+) (\w+)", text + here, re.M)}


def allowed():
    """The system calls that the service may make."""
    def members(name):
        _, text = said("systemd-analyze", "syscall-filter", "--no-pager", name)
        for word in re.findall(r"^ +([@\w-]+)", text, re.M):
            yield from members(word) if word.startswith("@") else [word]

    calls = set()
    with open(SERVICE, encoding="utf-8") as f:
        for off, words in re.findall(r"^SystemCallFilter=(~?)(.*)", f.read(), re.M):
            for word in words.split():
                some = set(members(word)) if word.startswith("@") else {word}
                calls = calls - some if off else calls | some
    return calls


def service(program):
    code, why = said("systemd-analyze", "security", "--offline=true", "--threshold=20", SERVICE)
    ok("service: exposed less than 2.0", code == 0, why)
    with tempfile.TemporaryDirectory() as work:
        calls = set()
        # The second time the file is there already.
        for name in ("export", "export again"):
            code, why = said("strace", "-f", "-qq", "-o", f"{work}/calls", program, "export",
                             "--openmetrics", "-o", f"{work}/out",
                             env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
            ok(f"service: {name}", code == 0 and os.path.getsize(f"{work}/out") > 500, why)
            with open(f"{work}/calls", encoding="utf-8", errors="replace") as f:
                calls |= set(re.findall(r"^\d+ +(\w+)\(", f.read(), re.M))
    # Of the runtime of the sanitizers, not of the program.
    ok("service: no call outside of its filter", not calls - allowed() -
       {"sched_setaffinity", "personality"}, calls - allowed())


def main():
    known = metrics(sys.argv[1], sys.argv[2])
    found = {}
    for where, expr in queries():
        found[f"{where}: {expr}"] = expr
        missing = {name for name in re.findall(r"\bpcinspect_\w+", expr)} - known
        ok(f"{where}: there are such metrics", not missing, missing)
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as f:
        json.dump({"groups": [{"name": "all", "rules": [
            {"record": f"query{i}", "expr": expr} for i, expr in enumerate(found.values())]}]}, f)
        f.flush()
        code, why = said("promtool", "check", "rules", f.name)
        ok("every query can be parsed", code == 0 and len(found) > 12, why)
    for test in glob.glob(f"{PACKAGING}/prometheus/*.test.yml"):
        code, why = said("promtool", "test", "rules", os.path.basename(test),
                         cwd=os.path.dirname(test))
        ok("alerts", code == 0, why)
    service(sys.argv[2])
    sys.exit(bool(bad))


main()
