#!/usr/bin/env python3
# vm: --mem 448 --disk 64
"""broken.py - set-ups in which the module is not loaded, or cannot be asked: status says
why, and the one command that mends it. Secure Boot itself: tests/secureboot.

Each step breaks one thing more, and what is broken for good (lockdown) comes last.
"""
import glob
import json
import os
import subprocess
from check import equal, finish, ok, run

RELEASE = os.uname().release
MODULE = glob.glob(f"/lib/modules/{RELEASE}/updates/dkms/pcinspect.ko*")[0]
LOCKDOWN = "/sys/kernel/security/lockdown"
AS_USER = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


def tried(*cmd):
    return subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=False)


def says(what, cause, why, remedy):
    """One line with both, and the same as JSON."""
    p = tried("pcinspect", "status")
    ok(f"{what}: one line says why, and what to do", p.returncode == 1 and not p.stdout and
       p.stderr.count("\n") == 1 and why in p.stderr and f"({remedy}" in p.stderr, p)
    p = tried("pcinspect", "status", "--json", "--report", "/tmp/status")
    out = json.loads(p.stdout)
    with open("/tmp/status", encoding="utf-8") as f:
        equal(f"{what}: the same in a file", json.load(f), out)
    equal(f"{what}: as JSON", (p.returncode, out["module"], out["cause"], out["kernel"]),
          (1, None, cause, RELEASE))
    ok(f"{what}: both as JSON", why in out["why"] and out["remedy"].startswith(remedy), out)


def moved(path, to):
    os.makedirs(os.path.dirname(to), exist_ok=True)
    run("mv", path, to)


def main():
    for words in (["status"], ["stat", "/etc/passwd"]):
        p = tried(*AS_USER, "pcinspect", *words)
        ok(f"no permission: {words[0]}: run as root", p.returncode == 1 and
           "permission denied (run as root)" in p.stderr, p)
    run("umount", "/sys/kernel/debug")
    p = tried("pcinspect", "status")
    ok("debugfs is not mounted: the command that mounts it", p.returncode == 1 and
       p.stderr.count("\n") == 1 and "mount -t debugfs debugfs /sys/kernel/debug" in p.stderr, p)
    run("sh", "-c", p.stderr.split("(")[1].split(")")[0])
    equal("which does", tried("pcinspect", "status").returncode, 0)

    run("rmmod", "pcinspect")
    says("not loaded", "not_loaded", MODULE, "modprobe pcinspect")
    run("modprobe", "pcinspect")
    equal("which does", tried("pcinspect", "status").returncode, 0)
    run("rmmod", "pcinspect")

    other = MODULE.replace(RELEASE, "6.1.0-0-amd64")
    moved(MODULE, other)
    says("built for another kernel", "other_kernel", "6.1.0-0-amd64",
         f"dkms autoinstall -k {RELEASE}")
    moved(f"/lib/modules/{RELEASE}/build", "/run/build")
    says("no headers", "no_headers", f"no headers of Linux {RELEASE}",
         f"apt-get install linux-headers-{RELEASE}")
    moved("/run/build", f"/lib/modules/{RELEASE}/build")
    moved(other, MODULE)

    # Kernels that are locked down, without Secure Boot, know no key of dkms.
    if not os.path.exists(LOCKDOWN):
        run("mount", "-t", "securityfs", "securityfs", "/sys/kernel/security")
    with open(LOCKDOWN, "w", encoding="ascii") as f:
        f.write("integrity")
    signed = subprocess.run(["modinfo", "-F", "sig_id", MODULE], stdout=subprocess.PIPE, check=True).stdout
    ok("dkms has signed the module", signed.strip(), signed)
    ok("locked down: modprobe fails", tried("modprobe", "pcinspect").returncode)
    says("its key is not enrolled", "key_not_enrolled", "does not know the key",
         "mokutil --import /var/lib/dkms/mok.pub")
    if MODULE.endswith(".xz"):
        run("unxz", MODULE)
    elif MODULE.endswith(".zst"):
        run("unzstd", "-q", "--rm", MODULE)
    plain = glob.glob(f"/lib/modules/{RELEASE}/updates/dkms/pcinspect.ko")[0]
    run("strip", "--strip-debug", plain)
    says("unsigned", "unsigned", "is not signed", "dkms install --force pcinspect/")
    finish()


main()
