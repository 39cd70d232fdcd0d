#!/usr/bin/env python3
# vm: --mem 512 --disk 256 --icount
# kernels: 6.12
# soak: 6.1 7.2
# minutes: 1
"""meter.py - the measured cost of the probes, beside what a read takes longer with them.

With --icount the guest's clock counts instructions, so a loop of reads takes as much each
time. What it takes longer with the file tracked is the probes' and the kernel's way to
them. The module measures the probes alone (records/meter.h): at least a third of all, and
not more than all. The longest probe is of that order, and below the 20 us of
docs/production.md.
"""
import os
import time
from check import KERNEL, PAGE, finish, info, make_file, mounted, ok, run

MB = 1 << 20
SECONDS = 3     # windows of a second, of which the fullest counts


def reads(path):
    """The time of one read, ns of this process."""
    fd = os.open(path, os.O_RDONLY)
    nr, begun, end = 0, time.process_time_ns(), time.monotonic_ns() + SECONDS * 10**9
    while time.monotonic_ns() < end:
        for i in range(5000):
            os.pread(fd, PAGE, i * PAGE % MB)
        nr += 5000
    took = time.process_time_ns() - begun
    os.close(fd)
    return took / nr


def main():
    with mounted("ext4") as point:
        path = f"{point}/f"
        make_file(path, MB)
        reads(path)
        untracked = reads(path)
        run("pcinspect", "track", path)
        tracked = reads(path)
        said = int(info()["overhead_permille"])
        longest = int(info()["longest_probe"].split()[0])
        run("pcinspect", "untrack")
        share = 1000 * (tracked - untracked) / tracked
        print(f"# {KERNEL}: a read takes {untracked:.0f} instructions, tracked {tracked:.0f}: "
              f"{share:.0f} permille more; the probes said {said}, the longest {longest} ns", flush=True)
        ok("what the probes take is not more than what a read takes longer", said <= share, (said, share))
        ok("nor less than a third of it", said >= share / 3, (said, share))
        ok("the longest probe takes as long as the mean one, and no 20 us",
           (tracked - untracked) / 6 <= longest <= 20000, (longest, tracked - untracked))
    finish()


main()
