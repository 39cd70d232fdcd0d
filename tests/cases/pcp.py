#!/usr/bin/env python3
# vm: --mem 1024 --disk 512 --packages pcp,python3-requests
# kernels: none
# soak: 6.1 6.12
# minutes: 3
"""pcp.py - Performance Co-Pilot reads what export writes.

Debian's pmcd and pmdaopenmetrics, given the file: each metric is there, and each value.
"""
import os
import subprocess
from check import Cgroup, emptied, equal, finish, make_file, mounted, ok, run, tool

OUT = "/var/tmp/pcinspect.prom"
PMDA = "/var/lib/pcp/pmdas/openmetrics"
MB = 1 << 20


def metrics(path):
    """Sorted values by name."""
    values = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                values.setdefault(name.split("{")[0], []).append(float(value))
    return {name: sorted(each) for name, each in values.items()}


def fetched():
    """The same of pcp."""
    values, name = {}, None
    for line in run("pminfo", "-f", "openmetrics.pcinspect").splitlines():
        if line.startswith("openmetrics."):
            name = line.strip().split(".", 2)[2].replace(".", "_")
        elif " value " in line:
            values.setdefault(name, []).append(float(line.rsplit(" ", 1)[1]))
    return {name: sorted(each) for name, each in values.items()}


def said(*cmd, **kw):
    """A command's output goes into the log of the test."""
    p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                       check=False, **kw)
    print("#", p.stdout.strip().replace("\n", "\n# "))


def main():
    with mounted("ext4") as point:
        path = f"{point}/a b"
        make_file(path, 4 * MB)
        emptied(path)
        tool("track", path)
        Cgroup("served").run("cat", path)
        run("pcinspect", "export", "--openmetrics", "-o", OUT)
    for name in os.listdir(f"{PMDA}/config.d"):
        os.unlink(f"{PMDA}/config.d/{name}")
    with open(f"{PMDA}/config.d/pcinspect.url", "w", encoding="ascii") as f:
        f.write(f"file://{OUT}\n")
    # However slow the machine is.
    with open("/etc/pcp/pmcd/pmcd.options", "a", encoding="ascii") as f:
        f.write("-t 600\n")
    os.environ.update(PMCD_CONNECT_TIMEOUT="600", PMCD_REQUEST_TIMEOUT="600")
    said("/etc/init.d/pmcd", "start")
    said("./Install", cwd=PMDA, input="\n")
    want, got = metrics(OUT), fetched()
    ok("there are some", len(want) > 50, want)
    equal("pcp has each metric", sorted(set(want) - set(got)), [])
    equal("and each value", {name: (got.get(name), want[name]) for name in want
                             if got.get(name) != want[name]}, {})
    said("/etc/init.d/pmcd", "stop")
    finish()


main()
