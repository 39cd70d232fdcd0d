#!/usr/bin/env python3
"""guest.py - what the audits say of each mutant, and of the honest product.

Beside it: mutants/NUMBER with pcinspect.ko, or with the program, and NAME, and SURVIVES if it
may, or REFUSED. The same work for each; the reports are the product's own.
"""
import glob
import json
import os
import subprocess
import sys
import time
from check import Cgroup, lru_gen, make_file, mounted, ok, run, skip

HERE = os.path.dirname(os.path.abspath(__file__))
MB = 1 << 20
CONTROL = 10    # mutants from one look at the honest product to the next


def report(env, *args, out=None):
    """The audits that fail in one command; @out: where its report is, not on stdout."""
    p = subprocess.run(["pcinspect", *args, *([] if out else ["--json"])], env=env, check=False,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        if out:
            with open(out, encoding="utf-8") as f:
                told = json.load(f)
        else:
            told = json.loads(p.stdout)
    except (OSError, ValueError):
        return [f"{args[0]}: status {p.returncode}: {p.stderr.decode()[-200:]}"]
    wrong = [f"{args[0]}: {a['what']} {a['ours']}, not {a.get('theirs_min', '')}-{a['theirs']}"
             for a in told["audit"] if not a["ok"]]
    if not wrong and p.returncode:
        wrong = [f"{args[0]}: status {p.returncode}: {p.stderr.decode()[-200:]}"]
    return wrong


def look(env, x, e):
    """All reports of one round of work."""
    for path in (f"{x}/new", f"{e}/new", f"{e}/log", f"{x}/dirty"):
        if os.path.exists(path):
            os.unlink(path)
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
        f.write("3")
    # One inode stays, with its shadows; the other goes. And hooks stay from run to run.
    fd = os.open(f"{x}/large", os.O_RDONLY)
    run("pcinspect", "track", f"{e}/many/1")
    wrong = report(env, "run", "--report", "/tmp/run.json", "--", f"{HERE}/load.sh", x, e,
                   out="/tmp/run.json")
    wrong += report(env, "run", "--report", "/tmp/run.json", "--", "true", out="/tmp/run.json")
    wrong += report(env, "stat", f"{x}/read", f"{x}/large", f"{x}/new", f"{x}/dirty",
                    f"{x}/random", f"{x}/direct", f"{e}/mapped", f"{e}/log")
    wrong += report(env, "machine", "--once")
    wrong += report(env, "cgroup", "small")
    wrong += report(env, "next", "--bytes", "64M")
    # Only there it compares the lists.
    lru_gen(False)
    wrong += report(env, "selftest", x)
    lru_gen(True)
    run("pcinspect", "untrack", f"{e}/many/1")
    os.close(fd)
    return wrong


def unknown(path):
    """How many numbers of a file are unknown, and the lines of all hooks."""
    run("pcinspect", "track", path)
    with open("/sys/kernel/debug/pcinspect/hooks", encoding="ascii") as f:
        hooks = f.read().splitlines()
    file = json.dumps(json.loads(run("pcinspect", "stat", "--json", path))["files"][0])
    run("pcinspect", "untrack", path)
    return file.count("null"), hooks


def refused(where, name, e):
    """Load it: the probe of that function is left out, and numbers are unknown for it."""
    with open(f"{where}/REFUSED", encoding="utf-8") as f:
        function = f.read()
    nr, hooks = unknown(f"{e}/mapped")
    ok(f"{name}: honest: it is attached", f"hook {function}: attached" in hooks, hooks)
    run("rmmod", "pcinspect")
    run("insmod", f"{where}/pcinspect.ko")
    nr_then, hooks = unknown(f"{e}/mapped")
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect")
    ok(f"{name}: it is refused", any(line.startswith(f"hook {function}: missing: its arguments")
                                     for line in hooks), hooks)
    ok(f"{name}: numbers are unknown for it", nr_then > nr, (nr, nr_then))


def mutant(where, x, e):
    """Load it, work, and say what came of it."""
    with open(f"{where}/NAME", encoding="utf-8") as f:
        name = f.read()
    if os.path.exists(f"{where}/REFUSED"):
        refused(where, name, e)
        return 0
    env = dict(os.environ)
    begun = time.monotonic()
    if os.path.exists(f"{where}/pcinspect.ko"):
        run("rmmod", "pcinspect")
        run("insmod", f"{where}/pcinspect.ko")
        wrong = look(env, x, e)
        run("rmmod", "pcinspect")
        run("modprobe", "pcinspect")
    else:
        env["PATH"] = f"{where}:{env['PATH']}"
        wrong = look(env, x, e)
    print(f"# {name}: {time.monotonic() - begun:.1f} s", flush=True)
    if os.path.exists(f"{where}/SURVIVES"):
        with open(f"{where}/SURVIVES", encoding="utf-8") as f:
            why = f.read()
        if wrong:
            ok(f"{name}: survives, as it should", False, wrong)
        else:
            skip(name, f"survives: {why}")
    else:
        ok(f"{name}: is caught by {wrong[0] if wrong else 'no audit'}", wrong)
    return bool(wrong)


def control(x, e):
    """The honest product."""
    wrong = look(dict(os.environ), x, e)
    ok("honest: nothing is UNTRUSTED", not wrong, wrong)


def main():
    caught, all_of_them = 0, sorted(glob.glob(f"{HERE}/mutants/*"))
    run("mkswap", "/dev/vdd")
    run("swapon", "/dev/vdd")
    small = Cgroup("small", 10 * MB)
    with open(f"{small.path}/cgroup.subtree_control", "w", encoding="ascii") as f:
        f.write("+memory")
    below = Cgroup("small/below")
    with mounted("xfs") as x, mounted("ext4", device="/dev/vdc", point="/mnt/e",
                                       mkfs=("-O", "^extent,^64bit,^flex_bg")) as e:
        for d in (x, e):
            make_file(f"{d}/read", 12 * MB)
            make_file(f"{d}/large", 14 * MB)
        os.mkdir(f"{e}/many")
        for i in range(400):
            with open(f"{e}/many/{i}", "wb"):
                pass
        make_file(f"{x}/random", 4 * MB)
        make_file(f"{e}/mapped", 2 * MB)
        make_file(f"{x}/direct", 4 * MB)
        for i, where in enumerate(all_of_them):
            if not i % CONTROL:
                control(x, e)
            caught += mutant(where, x, e)
        control(x, e)
    run("swapoff", "/dev/vdd")
    below.remove()
    small.remove()
    nr = sum(not os.path.exists(f"{where}/REFUSED") for where in all_of_them)
    print(f"# {caught} of {nr} mutants are caught by audits", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
