#!/usr/bin/env python3
# vm: --mem 448 --disk 256
"""security.py - who may look: docs/security.md, row by row.

The kernel is locked down step by step while the module is loaded; root without
CAP_SYS_ADMIN, in a user namespace, and another user try to look. What is shown stays
right, and whoever may not look gets one line.
"""
import glob
import os
import subprocess
from check import dontneed, equal, finish, make_file, mincore, mounted, ok, run, tool

LOCKDOWN = "/sys/kernel/security/lockdown"
NAME = "secret-name-of-a-file"
# Roots that may not look, and a user.
OUTSIDERS = {
    "without CAP_SYS_ADMIN": ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin"],
    "root of a user namespace": ["unshare", "--user", "--map-root-user"],
    "another user": ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"],
}


def tried(*cmd):
    return subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, check=False)


def sound(what, path):
    """All that needs no trace events works, and is right."""
    dontneed(path)
    run("pcinspect", "track", path)
    run("cat", path)
    row = tool("reads", path)["files"][0]
    equal(f"{what}: cached pages are mincore(2)'s", tool("stat", path)["files"][0]["pages"]["cached"], mincore(path))
    equal(f"{what}: bytes that were asked for", row["reads"]["demanded_bytes"], os.path.getsize(path))
    run("pcinspect", "untrack", path)
    ok(f"{what}: machine names it", any(f["path"] == path for f in tool("machine")["files"]))
    with open("/sys/kernel/debug/pcinspect/inodes", encoding="utf-8", errors="replace") as f:
        ok(f"{what}: debugfs can be read", f.readline())


def outside(who, within, path):
    """Nothing of it may be seen: not by the program, the device or debugfs."""
    p = tried(*within, "pcinspect", "track", path)
    ok(f"{who}: pcinspect track: one line says why not",
       p.returncode == 1 and p.stderr.count("\n") == 1 and "ermi" in p.stderr and not p.stdout, p)
    for each in "/dev/pcinspect", "/sys/kernel/debug/pcinspect/inodes":
        p = tried(*within, "dd", f"if={each}", "of=/dev/null", "count=1")
        # Of debugfs root is the owner; CAP_SYS_ADMIN is asked for by the device.
        may = who == "without CAP_SYS_ADMIN" and "debug" in each
        equal(f"{who}: {each}", p.returncode == 0, may)
    p = tried(*within, "pcinspect", "machine", "--json")
    ok(f"{who}: pcinspect machine: no file of others is named", NAME not in p.stdout, p.stdout[:300])


def main():
    with mounted("ext4") as mnt:
        path = f"{mnt}/{NAME}"
        make_file(path, 1 << 20)
        sound("not locked down", path)
        for who, within in OUTSIDERS.items():
            outside(who, within, path)
        for name in ["/dev/pcinspect"] + glob.glob("/sys/kernel/debug/pcinspect/*"):
            mode = os.stat(name).st_mode
            equal(f"{name}: nobody but root", (mode & 0o077, os.stat(name).st_uid), (0, 0))
        if not os.path.exists(LOCKDOWN):
            run("mount", "-t", "securityfs", "securityfs", "/sys/kernel/security")
        for level in "integrity", "confidentiality":
            with open(LOCKDOWN, "w", encoding="ascii") as f:
                f.write(level)
            sound(f"lockdown={level}", path)
        # Trace events are no longer anybody's.
        p = tried("pcinspect", "record", "-o", "/tmp/trace.dat", path, "--", "cat", path)
        ok("lockdown=confidentiality: record: one line says why not",
           p.returncode == 1 and p.stderr.count("\n") == 1, p)
        p = tried("pcinspect", "run", "-m", mnt, "--", "cat", path)
        ok("lockdown=confidentiality: run goes on without them", p.returncode == 0, p.stderr)
    finish()


main()
