#!/usr/bin/env python3
# vm: --mem 1024 --smp 2 --parallel --no-module --disk 2048
# kernels: none
# soak: 6.1 6.12 7.2 debug
# args 6.1: 400 events
# minutes: 2
"""parallel_control.py - what the emulator itself bears: CPUs that run at once, while
the kernel's own probes come and go under I/O, without pcinspect.

A splat here is the emulator's; only what this test survives on a kernel can be held
against the module there. The same functions and tracepoints are patched as
the module's hooks patch. parallel_control.py [ROUNDS [events]]: tracepoints only.
"""
import os
import signal
import subprocess
import sys
import time
from check import KERNEL, equal, finish, mounted, ok, rounds

TRACING = "/sys/kernel/tracing"
FUNCTIONS = ("filemap_read", "filemap_fault", "generic_perform_write", "do_writepages",
             "truncate_inode_pages_range", "invalidate_mapping_pages", "vfs_fsync_range",
             "generic_fadvise", "__folio_start_writeback", "__folio_end_writeback",
             "folio_mark_accessed", "submit_bio")
ONLY_EVENTS = "events" in sys.argv
EVENTS = ("filemap/mm_filemap_add_to_page_cache", "filemap/mm_filemap_delete_from_page_cache",
          "writeback/writeback_dirty_folio", "block/block_rq_issue")
WORK = """
import os, time
n = 0
while True:
    with open({path!r}, "wb") as f:
        f.write(b"x" * (2 << 20))
        f.flush()
        os.fsync(f.fileno())
    with open({path!r}, "rb") as f:
        f.read()
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        f.seek(0)
        f.read()
    os.truncate({path!r}, 4096)
    n += 1
    with open({path!r} + ".n", "w") as f:
        f.write(str(n))
"""


def put(path, words):
    """Is it accepted?"""
    # Python's own "a" looks for the end first, which these files have not.
    fd = os.open(f"{TRACING}/{path}", os.O_WRONLY | os.O_APPEND)
    try:
        return os.write(fd, words.encode()) > 0
    except OSError:
        return False
    finally:
        os.close(fd)


def hits():
    """Of all probes so far, those of the events that are there now."""
    if ONLY_EVENTS:
        with open(f"{TRACING}/trace_pipe", "rb") as f:
            return len(f.read(1000))
    with open(f"{TRACING}/kprobe_profile", encoding="ascii") as f:
        return sum(int(line.split()[1]) for line in f)


def times(paths):
    """How often each worker went round."""
    def one(path):
        try:
            with open(f"{path}.n", encoding="ascii") as f:
                return int(f.read() or 0)
        except OSError:
            return 0
    return [one(p) for p in paths]


def wanted():
    return int(sys.argv[1]) if sys.argv[1:] else rounds(15, 400)


def main():
    equal("CPUs", os.cpu_count(), 2)
    with mounted("ext4") as point:
        paths = [f"{point}/{i}" for i in range(2)]
        workers = [subprocess.Popen(["python3", "-c", WORK.format(path=p)]) for p in paths]
        before, attached, seen, want = times(paths), [], 0, wanted()
        for _ in range(want):
            good = [put("kprobe_events", f"{kind}:c/{kind}_{f} {f}\n")
                    for f in FUNCTIONS for kind in ("p", "r") if not ONLY_EVENTS]
            for event in EVENTS if ONLY_EVENTS else ("c", *EVENTS):
                good.append(put(f"events/{event}/enable", "1"))
            # Not a time: until somebody has run into them.
            for _ in range(100):
                if hits():
                    break
                time.sleep(0.05)
            seen += bool(hits())
            for event in EVENTS:
                put(f"events/{event}/enable", "0")
            if not ONLY_EVENTS:
                put("events/c/enable", "0")
                os.close(os.open(f"{TRACING}/kprobe_events", os.O_WRONLY | os.O_TRUNC))
            with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
                f.write("1")
            attached.append(sum(good))
        alive = [w.poll() for w in workers]
        for w in workers:
            w.send_signal(signal.SIGKILL)
            w.wait()
        after = times(paths)
    ok("probes were accepted, as many each time",
       min(attached) == max(attached) > (3 if ONLY_EVENTS else 12), attached)
    equal("rounds in which they were hit", seen, want)
    equal("the workers live", alive, [None, None])
    ok("and went round", all(a > b for a, b in zip(after, before)), (before, after))
    print(f"# {KERNEL}: {want} rounds of {attached[0]} probes without pcinspect, "
          f"{sum(after)} rounds of I/O")
    finish()


main()
