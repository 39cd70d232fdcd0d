#!/usr/bin/env python3
# vm: --mem 512 --append slub_debug=FZP
"""unplugged.py - the disk of a partition goes while somebody holds the partition's inode.

An inode outlives its disk then, but not what the kernel looks at when it is let go of
(inode_detach_wb(): the disk's bdi). Freed memory is poisoned here, so a look at it is an
oops. A loop device stands for a disk that is unplugged.
"""
import fcntl
import os
import struct
import subprocess
import time
from check import DEBUGFS, KERNEL, equal, finish, ok, run, tool

MB = 1 << 20
LOOP_CTL_REMOVE = 0x4c81
IMAGE = "/tmp/image"


def plugged():
    """A disk of one partition. Returns its name."""
    with open(IMAGE, "wb") as f:
        f.truncate(8 * MB)
        f.seek(446)
        f.write(struct.pack("<B3xB3xII", 0, 0x83, 2048, 8192))
        f.seek(510)
        f.write(b"\x55\xaa")
    disk = subprocess.run(["losetup", "-P", "--find", "--show", IMAGE], check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()
    # Its writeback is that of the root cgroup.
    run("dd", "if=/dev/zero", f"of={disk}p1", "bs=1M", "count=2", "conv=fsync",
        "status=none")
    return os.path.basename(disk)


def unplug(disk):
    """It goes, and all that is its own is freed."""
    run("losetup", "-d", f"/dev/{disk}")
    while os.path.exists(f"/sys/block/{disk}/loop/backing_file"):
        time.sleep(0.05)
    control = os.open("/dev/loop-control", os.O_RDWR)
    while True:
        try:
            fcntl.ioctl(control, LOOP_CTL_REMOVE, int(disk[4:]))
            break
        except OSError:                 # somebody else looks at it
            time.sleep(0.05)
    os.close(control)
    equal(f"{disk}: it is gone", os.path.exists(f"/sys/block/{disk}"), False)
    # After a grace period.
    time.sleep(1)


def table():
    with open(f"{DEBUGFS}/inodes", encoding="utf-8") as f:
        return f.read()


def main():
    disk = plugged()
    tool("track", f"/dev/{disk}p1")
    run("dd", f"if=/dev/{disk}p1", "of=/dev/null", "bs=64k", "count=4", "status=none")
    ok("tracked: the partition has a row", "/dev/block/" in table(), table())
    unplug(disk)
    lines = table().splitlines()
    ok("tracked: gone, and there is a table", lines, lines)
    run("pcinspect", "untrack")
    ok("untracked", not any("explicit" in line for line in table().splitlines()), table())

    # And whoever unloads the module.
    disk = plugged()
    tool("track", f"/dev/{disk}p1")
    unplug(disk)
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect")
    print(f"# {KERNEL}: unplugged twice")
    finish()


main()
