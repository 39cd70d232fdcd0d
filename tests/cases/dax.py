#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64 --append 'memmap=64M!512M'
"""dax.py - DAX: the data is the memory itself, nothing is cached.

On memory that the kernel's command line set aside (memmap=64M!512M). stat and
track refuse with the reason; without -o dax the same file is as any other.
"""
import os
import subprocess
import time
from check import equal, finish, ok, run, stat


def main():
    subprocess.run(["modprobe", "nd_e820"], check=False)
    subprocess.run(["modprobe", "nd_pmem"], check=False)
    for _ in range(300):
        if os.path.exists("/dev/pmem0"):
            break
        time.sleep(0.1)
    run("mkfs.ext4", "-q", "-F", "-b", "4096", "/dev/pmem0")
    run("mkdir", "-p", "/mnt/t")
    run("mount", "-o", "dax", "/dev/pmem0", "/mnt/t")
    with open("/mnt/t/f", "wb") as w:
        w.write(b"x" * 65536)
    for command in ("stat", "track", "reads"):
        p = subprocess.run(["pcinspect", command, "/mnt/t/f"], check=False,
                           capture_output=True, text=True)
        equal(f"{command}: every path failed", p.returncode, 32)
        ok(f"{command}: says DAX, in one line", "DAX" in p.stderr and
           p.stderr.count("\n") == 1, p.stderr)
    run("umount", "/mnt/t")
    run("mount", "/dev/pmem0", "/mnt/t")
    run("cat", "/mnt/t/f")
    equal("without -o dax: cached", stat("/mnt/t/f")["pages"]["cached"], 16)
    run("umount", "/mnt/t")
    finish()


main()
