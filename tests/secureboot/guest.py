#!/usr/bin/env python3
"""guest.py - with Secure Boot on: is the module that dkms signed loaded, and what does
pcinspect say? Its argument: "enrolled", or "unknown" if the firmware does not know the key.
"""
import json
import os
import subprocess
import sys
from check import equal, finish, make_file, mincore, ok, run, tool

LOCKDOWN = "/sys/kernel/security/lockdown"


def tried(*cmd):
    return subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=False)


def main():
    run("mount", "-t", "efivarfs", "efivarfs", "/sys/firmware/efi/efivars")
    if not os.path.exists(LOCKDOWN):
        run("mount", "-t", "securityfs", "securityfs", "/sys/kernel/security")
    with open(LOCKDOWN, encoding="ascii") as f:
        ok("Secure Boot locks the kernel down", "[integrity]" in f.read())
    with open("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c", "rb") as f:
        equal("the firmware says that it is on", f.read()[4], 1)
    before = json.loads(tried("pcinspect", "status", "--json").stdout)
    loaded = tried("modprobe", "pcinspect")
    if sys.argv[1] == "unknown":
        ok("the module is refused", loaded.returncode, loaded)
        equal("status says why", before["cause"], "key_not_enrolled")
        ok("and what to do", before["remedy"].startswith("mokutil --import /var/lib/dkms/mok.pub"),
           before)
        p = tried("pcinspect", "status")
        ok("in one line", p.returncode == 1 and p.stderr.count("\n") == 1 and
           "does not know the key" in p.stderr, p)
    else:
        equal("only modprobe is missing", (before["cause"], before["remedy"]),
              ("not_loaded", "modprobe pcinspect"))
        equal("the module is loaded", loaded.returncode, 0)
        equal("status: all of it works", tried("pcinspect", "status").returncode, 0)
        path = "/root/file"
        make_file(path, 1 << 20)
        equal("its numbers are mincore(2)'s", tool("stat", path)["files"][0]["pages"]["cached"],
              mincore(path))
        ok("debugfs can be read", tried("cat", "/sys/kernel/debug/pcinspect/inodes").stdout)
    finish()


main()
