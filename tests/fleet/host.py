#!/usr/bin/env python3
"""host.py - one host of many: what it exports before and after readahead was wasted there.

usage: host.py MB. Left in $OUT: before.prom, after.prom, and expected: the file, and how many
bytes of it were brought in by readahead and never used.
"""
import os
import sys
from check import PAGE, emptied, equal, finish, make_file, mincore, mounted, ok, run, tool

MB = 1 << 20
OUT = os.environ["OUT"]


def export(name):
    run("pcinspect", "export", "--openmetrics", "-o", f"{OUT}/{name}.prom")


def main():
    os.makedirs(OUT, exist_ok=True)
    wanted = int(sys.argv[1]) * MB
    with mounted("ext4") as point:
        path = f"{point}/data"
        make_file(path, 64 * MB)
        emptied(path)
        tool("track", path)
        export("before")
        fd = os.open(path, os.O_RDONLY)
        for at in range(0, wanted, MB):
            os.posix_fadvise(fd, at, MB, os.POSIX_FADV_WILLNEED)
        while mincore(path) < wanted // PAGE:
            pass
        os.close(fd)
        emptied(path)
        wasted = tool("reads", path)["files"][0]["reads"]["wasted_pages"] * PAGE
        equal("all that was asked for in advance is wasted", wasted, wanted)
        # A page that is dirty.
        with open(path, "r+b") as f:
            f.write(bytes(PAGE))
        export("after")
        with open(f"{OUT}/expected", "w", encoding="ascii") as f:
            f.write(f"{path} {wasted}")
        ok("exported", os.path.getsize(f"{OUT}/after.prom") > 1000)
    finish()


main()
