#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
"""hooks.py - what a hook that is not attached makes unknown, and no more; and
hooks on a filesystem whose module comes or goes meanwhile."""
import json
import os
import subprocess
from check import equal, finish, info, mounted, ok, run, tool

MB = 1 << 20


def reload(*args):
    """The module anew, with parameters."""
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect", *args)


def synced(point):
    """A file that is written and synced twice while it is tracked; what is known."""
    path = f"{point}/f"
    with open(path, "wb"):
        pass
    tool("track", path)
    with open(path, "r+b") as f:
        for _ in range(2):
            f.write(os.urandom(MB))
            f.flush()
            os.fsync(f.fileno())
    (f,) = tool("explain", path)["files"]
    tool("untrack", path)
    return f


def skipped():
    """One hook fewer: its numbers are unknown, on its filesystem only."""
    with mounted("ext4") as point:
        known = synced(point)
    equal("all hooks: both calls", known["fsync"]["calls_total"], 2)
    equal("all hooks: nothing is unknown of what was dirty at entry",
          [c["dirty_at_entry_pages"] for c in known["fsync"]["calls"]], [256, 256])
    reload("skip_hook=ext4_sync_file")
    with mounted("ext4") as point:
        other = synced(point)
    with mounted("xfs") as point:
        xfs = synced(point)
    equal("skip_hook=ext4_sync_file: calls are unknown on ext4",
          (other["fsync"] or {}).get("calls_total"), None)
    equal("skip_hook=ext4_sync_file: writes are not",
          other["writeback"]["write_bytes"], 2 * MB)
    equal("skip_hook=ext4_sync_file: nor calls on xfs", xfs["fsync"]["calls_total"], 2)
    reload("skip_hook=drop_pagecache_sb")
    with mounted("ext4") as point:
        other = synced(point)
    equal("an unrelated hook is missing: dirty at entry is known",
          [c["dirty_at_entry_pages"] for c in other["fsync"]["calls"]], [256, 256])
    ok("info says which is missing",
       info()["hook drop_pagecache_sb"].startswith("missing"), info()["hook drop_pagecache_sb"])
    reload()


def module_in_a_run():
    """The filesystem's module is loaded by a mount inside of the run."""
    run("mkfs.xfs", "-q", "-f", "/dev/vdb")
    run("modprobe", "-qr", "xfs")
    ok("xfs is not loaded", not os.path.exists("/sys/module/xfs"))
    os.makedirs("/mnt/t", exist_ok=True)
    p = subprocess.run(
        ["pcinspect", "run", "--json", "--", "sh", "-c",
         "mount -t xfs /dev/vdb /mnt/t && exec >/dev/null 2>&1 && for i in 1 2; do "
         "dd if=/dev/zero of=/mnt/t/x bs=64k count=16 conv=fsync,notrunc; done"],
        stdout=subprocess.PIPE, check=True)
    (f,) = [f for f in json.loads(p.stdout)["files"] if f["path"] == "/mnt/t/x"]
    equal("a module that came during the run: both calls", f["fsync"]["calls_total"], 2)
    run("umount", "/mnt/t")


def module_again():
    """Unloaded and loaded while attached."""
    with open("/root/other", "wb") as f:
        f.write(b"x")
    tool("track", "/root/other")
    with mounted("btrfs") as point:
        equal("btrfs: written", synced(point)["writeback"]["write_bytes"], 2 * MB)
    run("modprobe", "-r", "btrfs")
    ok("btrfs is gone, and so is its hook",
       not info()["hook btrfs_sync_file"].startswith("attached"),
       info()["hook btrfs_sync_file"])
    with mounted("btrfs") as point:
        again = synced(point)
    equal("btrfs again: written", again["writeback"]["write_bytes"], 2 * MB)
    equal("btrfs again: inserted by writes", again["reads"]["inserted"]["write"], 512)
    equal("btrfs again: both calls", again["fsync"]["calls_total"], 2)
    tool("untrack", "/root/other")


def main():
    module_in_a_run()
    module_again()
    skipped()
    finish()


main()
