#!/usr/bin/env python3
# vm: --mem 1024 --disk 512 --packages systemd,prometheus-node-exporter
# kernels: none
# soak: 6.1 6.12
# minutes: 3
"""service.py - the timer's service under systemd, with all its hardening.

systemd runs in a PID namespace of its own. The service's output has every name and label
that the same command has outside the service: nothing is lost by the sandbox.
"""
import os
import re
import subprocess
import time
from check import (Cgroup, emptied, equal, finish, make_file, mounted, ok, run, tool)

UNIT = "pcinspect-export"
SOURCES = "/usr/src/pcinspect-checkout/packaging/systemd"
OUT = "/var/lib/prometheus/node-exporter/pcinspect.prom"
MB = 1 << 20
inside = []


def systemd():
    """Start it in a PID namespace; its process there."""
    manager = subprocess.Popen(["unshare", "--fork", "--pid", "--mount-proc",
                                "/lib/systemd/systemd", "--unit=basic.target"],
                               env={**os.environ, "container": "test"},
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not os.path.exists("/run/systemd/private"):
        os.sched_yield()
    with open(f"/proc/{manager.pid}/task/{manager.pid}/children", encoding="ascii") as f:
        inside.append(f.read().split()[0])
    state = said("systemctl", "is-system-running", "--wait")
    ok("systemd runs", state in ("running", "degraded"), state)
    return manager


def said(*cmd):
    """The output of a command that is run beside systemd, whatever its status."""
    return subprocess.run(["nsenter", "-m", "-p", "-r", "-w", "-t", inside[0], *cmd], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False).stdout.strip()


def show(unit, name):
    return said("systemctl", "show", "--value", "-p", name, unit)


def metrics(path):
    """Values by name and labels."""
    with open(path, encoding="utf-8") as f:
        lines = [line.rsplit(" ", 1) for line in f if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def of_file(values, name, path):
    """The value of a file."""
    return [v for k, v in values.items() if k.startswith(f"pcinspect_file_{name}{{") and
            f'path="{path}"' in k]


def service(path):
    """Once by hand, and once by the timer."""
    err = said("systemctl", "start", UNIT)
    equal("the service ends well", (err, show(f"{UNIT}.service", "Result"),
                                    show(f"{UNIT}.service", "ExecMainStatus")),
          ("", "success", "0"))
    got = metrics(OUT)
    run("pcinspect", "export", "--openmetrics", "-o", "/tmp/outside.prom")
    outside = metrics("/tmp/outside.prom")
    # Cgroups of systemd's own come and go.
    want = {k for k in outside if "pcinspect_cgroup" not in k}
    equal("no name or label is lost in the sandbox",
          sorted(k for k in want - set(got) if "verdict" not in k), [])
    ok("a cgroup has its name", any('cgroup="/served"' in k for k in got),
       sorted(k for k in got if "cgroup_cached" in k))
    equal("a tracked file, in bytes", [of_file(got, name, path) for name in
                                       ("cached_bytes", "device_bytes_total")],
          [[4 * MB], [4 * MB]])
    ok("its audits are ok", {v for k, v in got.items() if "audit_ok" in k} == {1.0},
       [k for k, v in got.items() if "audit_ok" in k and v != 1])
    equal("the file can be read by node_exporter's user", os.stat(OUT).st_mode & 0o777, 0o644)
    exposure = said("systemd-analyze", "security", "--no-pager", "--threshold=20", UNIT)
    ok("systemd-analyze security: 2.0 at most", "→ Overall exposure level" in exposure and
       float(re.search(r"level for .*: ([0-9.]+)", exposure)[1]) <= 2.0, exposure[-300:])
    was = os.stat(OUT).st_mtime_ns
    equal("the timer is off until it is enabled", said("systemctl", "is-enabled", f"{UNIT}.timer"),
          "disabled")
    said("systemctl", "enable", "--now", f"{UNIT}.timer")
    # It replaces the file, or fails.
    while os.stat(OUT).st_mtime_ns == was and show(f"{UNIT}.service", "Result") == "success":
        time.sleep(1)
    said("systemctl", "disable", "--now", f"{UNIT}.timer")
    equal("it starts the service, which replaces the file", (show(f"{UNIT}.service", "Result"),
                                                             os.stat(OUT).st_mtime_ns > was),
          ("success", True))


def without_module(path):
    """The alert finds what is absent: no number of the module is 0."""
    run("rmmod", "pcinspect")
    said("systemctl", "start", UNIT)
    got = metrics(OUT)
    equal("without the module a file's numbers are absent", of_file(got, "cached_bytes", path), [])
    ok("and those of the machine are there", got["pcinspect_machine_file_bytes"] > 4 * MB, got)
    run("modprobe", "pcinspect")


def main():
    os.makedirs("/var/lib/prometheus/node-exporter", exist_ok=True)
    if not os.path.exists("/usr/bin/pcinspect"):
        os.symlink("/usr/local/bin/pcinspect", "/usr/bin/pcinspect")
    for name in os.listdir(SOURCES):
        run("cp", f"{SOURCES}/{name}", "/etc/systemd/system/")
    with mounted("ext4") as point:
        path = f"{point}/a b"
        make_file(path, 4 * MB)
        emptied(path)
        tool("track", path)
        Cgroup("served").run("cat", path)
        manager = systemd()
        service(path)
        without_module(path)
        said("systemctl", "exit")
        manager.wait()
    finish()


main()
