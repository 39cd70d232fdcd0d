#!/usr/bin/env python3
# vm: --mem 512 --disk 1024
# kernels: 6.12
# soak: 6.1 7.2
# minutes: 1
"""first.py - the first screen, 80 by 24, without a key: which file has most of the page
cache, which disk is read and how fast, by whom, why, who evicts, who writes, the oldest dirty data
and what goes next; and that it can be trusted.

fio reads a file that is larger than memory, another writes and syncs a small one, dd has left
a few dirty pages. Leaves the screen
in $OUT/first.ansi (tests/walkthrough/first makes the picture in docs of it).
"""
import os
import re
import subprocess
import time
from check import finish, mounted, ok, run

MB = 1 << 20


def tmux(*args):
    return subprocess.run(["tmux", "-u", "-f", "/dev/null", *args], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def captured(*options):
    return tmux("capture-pane", "-p", *options, "-t", "t")


def load(point):
    return subprocess.Popen(["fio", "--name=scan", f"--filename={point}/table", "--rw=read",
                             "--bs=128k", "--thread", "--time_based", "--runtime=600",
                             "--invalidate=0", "--size=640M"], stdout=subprocess.DEVNULL)


def wal(point):
    return subprocess.Popen(["fio", "--name=wal", f"--filename={point}/wal", "--rw=randwrite",
                             "--bs=4k", "--thread", "--time_based", "--runtime=600", "--rate=200k",
                             "--fsync=8", "--size=4M"], stdout=subprocess.DEVNULL)


def found(pattern, pids, screen):
    return re.search(pattern.replace("%d", str(pids[0])).replace("%w", str(pids[1])), screen)


def looked(wants, pids, log):
    """The first of many screens that has all of it, or the last. Reclaim has dirty pages
    written: there are always new ones, in the file or in the filesystem's own."""
    for tick in range(200):
        if tick % 8 == 7:
            run("dd", "if=/dev/zero", f"of={log}", "bs=64k", "count=16", "conv=notrunc", "status=none")
        screen = captured()
        if all(found(pattern, pids, screen) for pattern in wants.values()):
            break
        time.sleep(0.25)
    return screen


def main():
    with mounted("ext4", point="/srv") as point:
        run("fallocate", "-l", str(640 * MB), f"{point}/table")
        run("dd", "if=/dev/zero", f"of={point}/table", "bs=1M", "count=640", "conv=notrunc,fsync",
            "status=none")
        wants = {
            "which file has most": r"\n +\d+M .* /srv/table\n",
            "which disk is read, how fast": r"\ndisks   vdb read \d[0-9.]*[KMG]/s in [0-9.]+ ms",
            "by which process, which file": r"\nreaders fio\[%d\] \d[0-9.]*[KMG]/s of /srv/table",
            "why": r"\ncause   >=\d+% readahead.*",
            "and who had evicted it": r"\d+% read again, evicted by (kswapd0\[\d+\]|itself)",
            "the oldest dirty data, and whose": r"\noldest  dirty for about [0-9.]+m?s: \S+ of (/srv/log|/srv/wal|/dev/block/\S+)\n",
            "what goes next": r"\nnext    most inactive pages: \S+ of /srv/table\n",
            "by which process another is written": rf"\nwriters .*fio\[%w\] \d[0-9.]*[KMG]/s of {point}/wal",
            "the verdict of the moment": r"\nwhy     thrashing: ",
        }
        run("dd", "if=/dev/zero", f"of={point}/wal", "bs=1M", "count=4", "conv=fsync", "status=none")
        with load(point) as job, wal(point) as writer:
            run("dd", "if=/dev/zero", f"of={point}/log", "bs=64k", "count=16", "status=none")
            tmux("new-session", "-d", "-s", "t", "-x", "80", "-y", "24", "env", "-u", "NO_COLOR",
                 "TERM=screen-256color", "pcinspect", "--interval", "1")
            pids = job.pid, writer.pid
            screen = looked(wants, pids, f"{point}/log")
            for name, pattern in wants.items():
                ok(f"the first screen: {name}", found(pattern, pids, screen), screen)
            ok("the first screen: it can be trusted", "UNTRUSTED" not in screen, screen)
            with open(f"{os.environ.get('OUT', '/tmp')}/first.ansi", "w", encoding="utf-8") as f:
                f.write(captured("-e"))
            tmux("kill-server")
            job.terminate()
            writer.terminate()
    finish()


main()
