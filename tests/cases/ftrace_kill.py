#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# build: ../fixtures/ftrace_kill
# minutes: 1
"""ftrace_kill.py - ftrace gives up while hooks are attached: the end of a run, of the
live view and of tracking free nothing that is still called, and the module stays.

kill_ftrace.c calls ftrace_kill(). It cannot be undone, so this is a boot
of its own.
"""
import fcntl
import os
import struct
import subprocess
import time
from check import equal, finish, info, make_file, mounted, ok, run, tool

MB = 1 << 20
DEMAND = 0xc0000000 | 56 << 16 | 0xdb << 8 | 16


def words(name):
    """The lines of dmesg with it."""
    p = subprocess.run(["dmesg"], stdout=subprocess.PIPE, text=True, check=True)
    return [line for line in p.stdout.splitlines() if name in line]


def worked(path):
    """Calls of functions that are hooked: they must come back."""
    with open(path, "r+b") as f:
        f.write(os.urandom(MB))
        f.flush()
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        f.seek(0)
        got = len(f.read())
        f.truncate(MB)
    return got


def started(name):
    """Wait until a command runs."""
    while subprocess.run(["pgrep", "-x", name], stdout=subprocess.DEVNULL,
                         check=False).returncode:
        time.sleep(0.1)


def demand(view):
    """The live view: what was demanded since it is open (PCINSPECT_IOC_DEMAND)."""
    got = fcntl.ioctl(view, DEMAND, struct.pack("II6Q", 56, *[0] * 7))
    return struct.unpack("II6Q", got)[4]


def refused(*cmd):
    return subprocess.run(cmd, capture_output=True, check=False).returncode != 0


def main():
    with mounted("ext4") as point:
        path = f"{point}/f"
        make_file(path, MB)
        tool("track", path)
        view = os.open("/dev/pcinspect", os.O_RDWR)
        demand(view)
        with subprocess.Popen(["pcinspect", "run", "--", "sleep", "20"],
                              stdout=subprocess.DEVNULL) as p:
            started("sleep")
            equal("all is attached, and works", worked(path), MB)
            run("insmod", "ftrace_kill/kill_ftrace.ko")
            p.terminate()
        os.close(view)
        run("pcinspect", "untrack")
        equal("after the end of everything, calls come back", worked(path), MB)
        ok("the module stays", refused("rmmod", "pcinspect"))
        tool("track", path)
        hook = info()["hook vfs_fsync_range"]
        ok("tracked again: no hook can be attached", "-19" in hook, hook)
        equal("tracked again: calls come back", worked(path), MB)
        file = tool("reads", path)["files"][0]
        equal("what was asked for is unknown", file["reads"]["demanded_bytes"], None)
        run("pcinspect", "untrack")
        view = os.open("/dev/pcinspect", os.O_RDWR)
        equal("the live view as well", demand(view), (1 << 64) - 1)
        os.close(view)
        equal("and the end", worked(path), MB)
    ok("no fault of the kernel", not words("BUG:") + words("Oops") + words("general protection"),
       words("RIP:"))
    finish()


main()
