#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# soak: 6.1-rt 6.12-rt 7.2-rt 6.1-cloud 6.12-cloud 7.2-cloud 7.3 6.12-arm64 6.12-arm64-16k 7.2-arm64
# minutes: 2
"""reads.py - the read ledger, one trap at a time.

Each number against what the program itself did, mincore and diskstats; each
cause by a program that does exactly that; and what must stay unknown is null.
"""
import ctypes
import errno
import json
import mmap
import os
import signal
import subprocess
import time
from check import (Cgroup, DEBUGFS, KERNEL, PAGE, SERIES, cat, dontneed, emptied, equal,
                   finish, libc, make_file, mincore, mounted, ok, run, skip, tool, uncalled)

MB = 1 << 20
# vma_has_recency(), include/linux/mm_inline.h
RECENCY = tuple(int(n) for n in SERIES.split(".")) >= (6, 3)
libc.readahead.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_size_t]


def ledger(path):
    return tool("reads", path)["files"][0]


def fresh(path):
    """Tracked, nothing cached, everything at nought."""
    if os.path.getsize(path) < 1 << 40:
        emptied(path)
    else:
        dontneed(path)                  # of so many holes mincore(2) takes minutes
    tool("track", path)
    run("pcinspect", "reset", path)


def idle(disk="vdb"):
    """Wait for readahead to complete."""
    while True:
        with open(f"/sys/block/{disk}/inflight", encoding="ascii") as f:
            if not any(int(n) for n in f.read().split()):
                return
        time.sleep(0.01)


def sectors(disk="vdb"):
    with open(f"/sys/block/{disk}/stat", encoding="ascii") as f:
        return int(f.read().split()[2])


def inserted(f):
    return {k: v for k, v in f["reads"]["inserted"].items() if v}


def consistent(name, path, f=None):
    """The sums that hold always, beside mincore, which counts what has been read."""
    idle()
    f = f or ledger(path)
    r = f["reads"]
    equal(f"{name}: sum of causes", sum(r["inserted"].values()), r["inserted_pages"])
    equal(f"{name}: inserted - removed == mincore",
          r["inserted_pages"] - r["removed_pages"], mincore(path))
    return f


def reading(point):
    path = f"{point}/f"
    make_file(path, 8 * MB)

    fresh(path)
    before = sectors()
    run("dd", f"if={path}", "of=/dev/null", "bs=64K", "status=none")
    f = consistent("dd", path)
    equal("dd: demanded", f["reads"]["demanded_bytes"], 8 * MB)
    equal("dd: device bytes == diskstats", f["reads"]["device_bytes"],
          (sectors() - before) * 512)
    equal("dd: causes", sorted(inserted(f)), ["async", "sync"])
    equal("dd: windows account for all pages",
          sum(w["inserted_pages"] for w in f["readahead"]["windows"]),
          f["reads"]["inserted_pages"])
    equal("dd: one task", [t["comm"] for t in f["tasks"]], ["dd"])
    equal("dd: its device bytes", f["tasks"][0]["device_bytes"], 8 * MB)
    run("pcinspect", "reset", path)
    run("dd", f"if={path}", "of=/dev/null", "bs=64K", "status=none")
    f = ledger(path)
    equal("again: demanded", f["reads"]["demanded_bytes"], 8 * MB)
    equal("again: nothing inserted, nothing read",
          (f["reads"]["inserted_pages"], f["reads"]["device_bytes"]), (0, 0))
    equal("again: amplification", f["reads"]["amplification"], 0.0)

    # Past the end, and at it.
    fresh(path)
    fd = os.open(path, os.O_RDONLY)
    os.pread(fd, 100, 8 * MB - 50)
    os.pread(fd, 100, 9 * MB)
    os.preadv(fd, [bytearray(10), bytearray(20)], 0)
    equal("short and void reads: demanded", ledger(path)["reads"]["demanded_bytes"],
          50 + 0 + 30)

    # sendfile and splice.
    fresh(path)
    with open("/dev/null", "wb") as null:
        at = 0
        while at < MB:
            at += os.sendfile(null.fileno(), fd, at, MB - at)
    f = ledger(path)
    equal("sendfile: demanded", f["reads"]["demanded_bytes"], MB)
    ok("sendfile: nothing wasted so far", f["reads"]["wasted_pages"] == 0, f["reads"])

    # Advice.
    fresh(path)
    os.posix_fadvise(fd, 0, MB, os.POSIX_FADV_WILLNEED)
    idle()
    f = consistent("WILLNEED", path)
    equal("WILLNEED: forced", inserted(f), {"forced": mincore(path)})
    w = f["readahead"]["windows"]
    equal("WILLNEED: requested", w[0]["requested_pages"], MB // PAGE)
    # To the end of the file, wherever that is (LLONG_MAX pages, cut at the file's).
    for offset in (0, 16 << 12):
        fresh(path)
        os.posix_fadvise(fd, offset, 0, os.POSIX_FADV_WILLNEED)
        idle()
        w = ledger(path)["readahead"]["windows"]
        equal(f"WILLNEED from {offset} on: requested", w[0]["requested_pages"],
              (os.fstat(fd).st_size - offset) // PAGE)
    fresh(path)
    libc.readahead(fd, 0, MB)
    idle()
    equal("readahead(2): forced", list(inserted(ledger(path))), ["forced"])
    # Pages of readahead that nobody read are waste once they are removed.
    os.pread(fd, 64 * 1024, 0)
    brought = mincore(path)
    dontneed(path)
    f = ledger(path)
    equal("waste: all but what was read", f["reads"]["wasted_pages"],
          brought - 64 * 1024 // PAGE)
    equal("waste: removed by fadvise",
          [(r["how"], r["pages"]) for r in f["reads"]["removed_by"]],
          [("fadvise", brought)])
    os.close(fd)

    fresh(path)
    fd = os.open(path, os.O_RDONLY)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
    for i in range(10):
        os.pread(fd, 100, i * 512 * 1024 + 5)
    f = consistent("FADV_RANDOM", path)
    equal("FADV_RANDOM: one page each", f["reads"]["inserted_pages"], 10)
    equal("FADV_RANDOM: sync", inserted(f), {"sync": 10})
    os.close(fd)
    # Of more than 2 MiB the kernel makes several parts (force_page_cache_ra()).
    with open("/sys/block/vdb/queue/read_ahead_kb", "r+", encoding="ascii") as knob:
        was = knob.read()
        knob.write("8192")
        knob.flush()
        fresh(path)
        fd = os.open(path, os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
        os.pread(fd, 5 * MB, 0)
        os.close(fd)
        knob.write(was)
    w = ledger(path)["readahead"]["windows"]
    equal("FADV_RANDOM: 5 MiB at once", [(i["requested_pages"], i["planned_pages"],
                                          i["inserted_pages"]) for i in w], [(5 * MB // PAGE,) * 3])


def mapping(point):
    # 7.2 gives this disk 8 MiB, half of the file.
    with open("/sys/block/vdb/queue/read_ahead_kb", "w", encoding="ascii") as f:
        f.write("128")
    path = f"{point}/m"
    make_file(path, 16 * MB)
    fd = os.open(path, os.O_RDONLY)

    def touch(advice, offsets):
        fresh(path)
        handle = os.open(path, os.O_RDONLY)
        m = mmap.mmap(handle, 16 * MB, mmap.MAP_SHARED, mmap.PROT_READ)
        if advice is not None:
            m.madvise(advice)
        value = [m[at] for at in offsets]
        m.close()
        os.close(handle)
        return len(value)

    touch(None, [5 * MB, 9 * MB, 2 * MB, 12 * MB])
    f = consistent("mmap, 4 loads", path)
    ra = f["readahead"]["windows"][0]["ra_pages"]
    equal("mmap, 4 loads: read-around alone", inserted(f),
          {"around": f["reads"]["inserted_pages"]})
    ok("mmap, 4 loads: four windows of ra_pages",
       len(f["readahead"]["windows"]) == 4 and
       f["reads"]["inserted_pages"] >= 4 * ra * 0.9, f["readahead"]["windows"])
    equal("mmap, 4 loads: nothing demanded by read(2)",
          f["reads"]["demanded_bytes"], 0)
    equal("mmap, 4 loads: faults", f["reads"]["faults"], 4)
    touch(mmap.MADV_RANDOM, [MB, 3 * MB, 7 * MB])
    f = consistent("MADV_RANDOM", path)
    equal("MADV_RANDOM: single pages, cause other", inserted(f), {"other": 3})
    equal("MADV_RANDOM: no window", f["readahead"]["windows_total"], 0)
    equal("MADV_RANDOM: faults whose use reclaim does not count",
          (f["reads"]["unprotected_faults"], f["reads"]["faults"]), (3 if RECENCY else 0, 3))
    equal("MADV_RANDOM: device bytes", f["reads"]["device_bytes"], 3 * PAGE)
    touch(mmap.MADV_SEQUENTIAL, range(0, MB, PAGE))
    f = consistent("MADV_SEQUENTIAL", path)
    ok("MADV_SEQUENTIAL: sync, then async, not around",
       "around" not in inserted(f) and "sync" in inserted(f), inserted(f))
    # Mapped by fault-around: nobody can say whether they were used.
    touch(None, [4 * MB, 4 * MB + 8 * PAGE])
    dontneed(path)
    f = ledger(path)
    r = f["reads"]
    ok("fault-around: some use is unknown", r["unused_unknown_pages"] > 0, r)
    ok("fault-around: unknown + wasted + the faulted page <= all that came",
       r["unused_unknown_pages"] + r["wasted_pages"] < r["inserted_pages"], r)
    os.close(fd)


def use_again(group, path, advice):
    """In the group: use each page through a mapping, have all reclaimed, six times."""
    pid = os.fork()
    if pid:
        equal("advice: the program ran", os.waitpid(pid, 0)[1], 0)
        return
    try:
        with open(f"{group.path}/cgroup.procs", "w", encoding="ascii") as f:
            f.write(str(os.getpid()))
        fd = os.open(path, os.O_RDONLY)
        m = mmap.mmap(fd, 0, mmap.MAP_SHARED, mmap.PROT_READ)
        m.madvise(advice)
        for _ in range(6):
            sum(m[at] for at in range(0, len(m), PAGE))
            for _ in range(20):
                try:
                    with open(f"{group.path}/memory.reclaim", "w", encoding="ascii") as f:
                        f.write("64M")
                except OSError as e:
                    if e.errno != errno.EAGAIN:       # there was less than that
                        raise
                if mincore(path) <= 64:
                    break
        os._exit(0)
    finally:
        os._exit(1)


def advised(point):
    """Pages used through MADV_RANDOM are used for nothing since 6.3."""
    path = f"{point}/advised"
    make_file(path, 4 * MB)
    group = Cgroup("advised")
    for advice, name in (mmap.MADV_RANDOM, "MADV_RANDOM"), (mmap.MADV_NORMAL, "MADV_NORMAL"):
        fresh(path)
        use_again(group, path, advice)
        f = consistent(f"{name}, again and again", path)
        r = f["reads"]
        want = r["faults"] if RECENCY and advice == mmap.MADV_RANDOM else 0
        equal(f"{name}, again and again: faults whose use does not count",
              r["unprotected_faults"], want)
        said = [v for v in tool("explain", path)["verdicts"]
                if v["verdict"] == "random-advice-unprotected"]
        equal(f"{name}, again and again: the verdict on it", len(said), 1 if want else 0)
        for v in said:
            equal("its numbers are the ledger's",
                  (v["evidence"]["unprotected_faults"], v["evidence"]["refault_pages"],
                   v["cost_bytes"]),
                  (r["unprotected_faults"], r["refault_pages"],
                   v["evidence"]["read_again_pages"] * PAGE))
            # 7.2 drops the shadow entries of a cgroup that is emptied.
            equal("what was read more often than the file has pages was read again",
                  v["evidence"]["read_again_pages"],
                  max(r["refault_pages"], r["inserted_pages"] - 4 * MB // PAGE))
            ok("it has a remedy, and is inferred", "MADV_NORMAL" in v["remedy"]["text"] and
               not v["certain"], v)
    group.remove()


def holes(point):
    path = f"{point}/sparse"
    run("truncate", "-s", "1T", path)
    fresh(path)
    before = sectors()
    run("dd", f"if={path}", "of=/dev/null", "bs=1M", "count=1", "skip=1000",
        "status=none")
    f = ledger(path)
    equal("hole: pages inserted are hole pages", f["reads"]["hole_pages"],
          f["reads"]["inserted_pages"])
    ok("hole: some were", f["reads"]["inserted_pages"] >= MB // PAGE, f["reads"])
    equal("hole: no device bytes", f["reads"]["device_bytes"], 0)
    ok("hole: the disk says so, metadata aside", sectors() - before <= 64,
       sectors() - before)
    # Half data, half hole.
    path = f"{point}/half"
    run("dd", "if=/dev/zero", f"of={path}", "bs=4K", "count=16", "status=none")
    run("truncate", "-s", "128K", path)
    run("sync", path)
    fresh(path)
    run("dd", f"if={path}", "of=/dev/null", "bs=128K", "status=none")
    f = ledger(path)
    equal("half a hole: half of 128 KiB", (f["reads"]["hole_pages"],
                                            f["reads"]["device_bytes"]), (65536 // PAGE, 65536))
    # Five bytes.
    path = f"{point}/five"
    with open(path, "wb") as w:
        w.write(b"12345")
        os.fsync(w.fileno())
    fresh(path)
    cat(path)
    f = consistent("5 bytes", path)
    equal("5 bytes: demanded, inserted", (f["reads"]["demanded_bytes"],
                                          f["reads"]["inserted_pages"]), (5, 1))


def writing(point):
    path = f"{point}/w"
    make_file(path, MB)
    fresh(path)
    run("dd", "if=/dev/zero", f"of={path}", "bs=64K", "count=16", "conv=notrunc",
        "status=none")
    f = consistent("write", path)
    equal("write: cause", list(inserted(f)), ["write"])
    os.truncate(path, 0)
    f = ledger(path)
    equal("truncate: all removed by it", f["reads"]["removed"]["truncate"],
          f["reads"]["inserted_pages"])


def windows(point):
    path = f"{point}/many"
    run("truncate", "-s", "1G", path)
    fresh(path)
    fd = os.open(path, os.O_RDONLY)
    for i in range(300):
        os.pread(fd, 1, (i * 37 % 1000 + 1) * 65536 * 3)
    os.close(fd)
    f = ledger(path)
    w = f["readahead"]
    equal("300 windows: counted", w["windows_total"], 300)
    ok("300 windows: the last 121 to 128 are kept", 120 < len(w["windows"]) <= 128,
       len(w["windows"]))
    equal("300 windows: dropped", w["windows_dropped"], 300 - len(w["windows"]))
    times = [x["time_ns"] for x in w["windows"]]
    equal("300 windows: in order", times, sorted(times))
    with open(f"{DEBUGFS}/inode/{f['dev']}:{f['ino']}/readahead",
              encoding="utf-8") as text:
        lines = text.read().splitlines()
    equal("debugfs: a line for each", len(lines) - 1, len(w["windows"]))
    equal("debugfs: the last is the newest", int(lines[-1].split()[4]), times[-1])


def many_tasks(point):
    path = f"{point}/shared"
    make_file(path, MB)
    fresh(path)
    for i in range(20):
        run("dd", f"if={path}", "of=/dev/null", "bs=4K", "count=1", f"skip={i}",
            "status=none")
    f = ledger(path)
    equal("20 tasks: 16 and the others", len(f["tasks"]), 17)
    equal("20 tasks: demand sums up", sum(t["demanded_bytes"] for t in f["tasks"]),
          20 * 4096)
    equal("20 tasks: as the file's", f["reads"]["demanded_bytes"], 20 * 4096)


def io_uring(point):
    path = f"{point}/uring"
    make_file(path, MB)
    fresh(path)
    p = subprocess.run(["fio", "--name=u", f"--filename={path}", "--rw=read",
                        "--ioengine=io_uring", "--bs=16k", "--iodepth=4",
                        "--size=1m", "--invalidate=0"], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, check=False)
    if p.returncode:
        skip("io_uring", p.stdout.strip().splitlines()[-1:])
        return
    f = consistent("io_uring", path)
    equal("io_uring: demanded what it returned", f["reads"]["demanded_bytes"], MB)


def refaults(point):
    path = f"{point}/big"
    make_file(path, 40 * MB)
    fresh(path)
    group = Cgroup("refault", 24 * MB)
    group.run("cat", path)
    first = ledger(path)["reads"]
    stat = group.stat()
    group.run("cat", path)
    r = ledger(path)["reads"]
    ok("refaults: none the first time", first["refault_pages"] == 0, first)
    ok("refaults: the second time", r["refault_pages"] > 1000, r)
    ok("refaults: not more than were inserted again",
       r["refault_pages"] <= r["inserted_pages"] - first["inserted_pages"], r)
    lru = open("/sys/kernel/mm/lru_gen/enabled", encoding="ascii").read()
    if not (KERNEL.startswith("6.1.") and int(lru, 16) & 1):
        now = group.stat()
        theirs = now["workingset_refault_file"] - stat["workingset_refault_file"]
        ok("refaults: within 1 % of workingset_refault_file",
           abs(r["refault_pages"] - theirs) <= max(theirs * 0.01, 64),
           (r["refault_pages"], theirs))
    equal("reclaim: it evicted itself",
          {e["path"] for e in r["evicted_by"]}, {path})
    group.remove()


def identity():
    """tmpfs, overlayfs, btrfs, a block device."""
    with open("/tmp/shm", "wb") as w:
        w.write(b"x" * MB)
    tool("track", "/tmp/shm")
    f = tool("reads", "/tmp/shm")["files"][0]
    equal("tmpfs: nothing is known of reads",
          (f["reads"], f["direct"], f["readahead"], f["tasks"]), (None,) * 4)

    with mounted("ext4") as point:
        for d in ("lower", "upper", "work", "merged"):
            os.mkdir(f"{point}/{d}")
        make_file(f"{point}/lower/f", MB)
        run("mount", "-t", "overlay", "overlay", "-o", f"lowerdir={point}/lower,"
            f"upperdir={point}/upper,workdir={point}/work", f"{point}/merged")
        path = f"{point}/merged/f"
        tool("track", path)
        cat(path)
        a, b = ledger(path), ledger(f"{point}/lower/f")
        equal("overlay: one ledger for both names", a["reads"]["demanded_bytes"],
              b["reads"]["demanded_bytes"])
        equal("overlay: demanded", a["reads"]["demanded_bytes"], MB)
        equal("overlay: real_path", a["real_path"], f"{point}/lower/f")
        run("umount", f"{point}/merged")

    with mounted("btrfs") as point:
        path = f"{point}/f"
        make_file(path, 4 * MB)
        fresh(path)
        cat(path)
        f = consistent("btrfs", path)
        equal("btrfs: demanded", f["reads"]["demanded_bytes"], 4 * MB)
        equal("btrfs: device bytes", f["reads"]["device_bytes"], 4 * MB)
        equal("btrfs: holes are unknown", f["reads"]["hole_pages"], None)

    fresh("/dev/vdc")
    before = sectors("vdc")
    run("dd", "if=/dev/vdc", "of=/dev/null", "bs=1M", "count=4", "status=none")
    f = ledger("/dev/vdc")
    equal("block device: demanded", f["reads"]["demanded_bytes"], 4 * MB)
    equal("block device: device bytes == diskstats", f["reads"]["device_bytes"],
          (sectors("vdc") - before) * 512)
    run("dd", "if=/dev/vdc", "of=/dev/null", "bs=1M", "count=4", "iflag=direct",
        "skip=8", "status=none")
    equal("block device: direct", ledger("/dev/vdc")["direct"]["read_bytes"], 4 * MB)
    equal("block device: who read past the cache is named, too",
          [(task["comm"], task["device_bytes"]) for task in ledger("/dev/vdc")["tasks"]],
          [("dd", f["reads"]["device_bytes"]), ("dd", 0)])
    run("pcinspect", "untrack")


def untracked(point):
    path = f"{point}/nobody"
    make_file(path, MB)
    f = tool("reads", path, check=1)["files"][0]
    equal("not tracked: null, not 0", (f["reads"], f["readahead"], f["tasks"]),
          (None, None, None))
    p = subprocess.run(["pcinspect", "reads", path], capture_output=True, text=True,
                       check=False)
    equal("not tracked: exit status", p.returncode, 1)
    ok("not tracked: says what to do", "pcinspect track" in p.stderr, p.stderr)
    ok("not tracked: shows ?", " ? " in p.stdout, p.stdout)
    p = subprocess.run(["pcinspect", "explain", path], capture_output=True, text=True,
                       check=False)
    equal("explain is silent", (p.returncode, p.stdout), (1, ""))


def command(point):
    """run itself."""
    def status(*args):
        return subprocess.run(["pcinspect", "run", *args], check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
    equal("run: exit status of CMD", status("--", "sh", "-c", "exit 3").returncode, 3)
    equal("run: no --", status("true").returncode, 0)
    equal("run: not found", status("--", "/no/such").returncode, 127)
    equal("run: not executable", status("--", "/etc/passwd").returncode, 126)
    equal("run: killed", status("--", "sh", "-c", "kill -TERM $$").returncode, 143)
    equal("run: no CMD", status().returncode, 2)
    p = status("-m", "/no/such", "--", "true")
    ok("run: no such mount", p.returncode == 1 and "mount point" in p.stderr, p)

    path = f"{point}/deep"
    make_file(path, MB)
    run("pcinspect", "run", "--report", "/tmp/r.json", "--", "sh", "-c",
        f"(cat {path} & wait) | cat >/dev/null; dd if=/dev/zero of={point}/new "
        f"bs=4k count=3 status=none; cat {path} >{point}/copy; rm {point}/copy; "
        f"cat {path} >{point}/older; cp {point}/new {point}/newer; "
        f"mv -f {point}/newer {point}/older")
    with open("/tmp/r.json", encoding="utf-8") as f:
        report = json.load(f)
    files = {f["path"]: f for f in report["files"]}
    ok("run: a grandchild's file", path in files, sorted(files))
    equal("run: its demand", files[path]["reads"]["demanded_bytes"], 3 * MB)
    ok("run: a written file", f"{point}/new" in files, sorted(files))
    equal("run: deleted ones have their names, and what they did",
          sorted((f["path"], f["writeback"]["write_bytes"], f["reads"]["inserted"]["write"],
                  sum(f["reads"]["removed"].values()), f["pages"]["cached"], f["size_bytes"])
                 for f in report["files"] if f["deleted"]),
          [(f"{point}/{name}", MB, MB // PAGE, MB // PAGE, 0, MB) for name in ("copy", "older")])
    ok("run: every audit agrees", all(a["ok"] for a in report["audit"]),
       report["audit"])

    # Somebody else's reads are not the run's.
    other = f"{point}/other"
    make_file(other, MB)
    run("pcinspect", "run", "--report", "/tmp/r.json", "--", "true")
    with open("/tmp/r.json", encoding="utf-8") as f:
        report = json.load(f)
    equal("run: nobody else's files",
          [f["path"] for f in report["files"] if f["path"].startswith(point)], [])

    # One at a time; and killed, it is over.
    with subprocess.Popen(["pcinspect", "run", "--", "sleep", "60"]) as first:
        for _ in range(100):
            if "run: active" in open(f"{DEBUGFS}/info", encoding="ascii").read():
                break
            time.sleep(0.1)
        p = status("--", "true")
        ok("run: a second one is refused", p.returncode == 1 and
           "one at a time" in p.stderr, p)
        first.send_signal(signal.SIGKILL)
        first.wait()
    subprocess.run(["pkill", "sleep"], check=False)
    ok("run: killed, and over",
       "run: none" in open(f"{DEBUGFS}/info", encoding="ascii").read())
    equal("run: and another can begin", status("--", "true").returncode, 0)
    # Ctrl-C ends CMD, not the report.
    with subprocess.Popen(["pcinspect", "run", "--report", "/tmp/r2.json", "--",
                           "sh", "-c", ": >/tmp/begun; exec sleep 60"],
                          start_new_session=True, stdout=subprocess.DEVNULL) as p:
        for _ in range(600):
            if os.path.exists("/tmp/begun"):
                break
            time.sleep(0.1)
        os.killpg(p.pid, signal.SIGINT)
        equal("run: Ctrl-C: CMD's status", p.wait(), 130)
    ok("run: Ctrl-C: the report is written", os.path.getsize("/tmp/r2.json") > 100)
    for key in ("read", "wasted", "refault"):
        ok(f"top --by {key}", "DEMANDED" in run("pcinspect", "top", "--once", "--by",
                                                key))


# Many small files that go; then larger ones, each synced; one without any name; and one
# that is tracked.
DELETES = '''
import os, sys
point = sys.argv[1]
def write(path, size, sync=False, flags=os.O_CREAT):
    fd = os.open(path, os.O_RDWR | flags, 0o600)
    os.write(fd, b"x" * size)
    if sync:
        os.fsync(fd)
    return fd
for i in range(600):
    os.close(write(f"{point}/small{i}", 4096))
    os.unlink(f"{point}/small{i}")
for i in range(20):
    fd = write(f"{point}/large{i}", 65536, True)
    os.unlink(f"{point}/large{i}")
    os.close(fd)
os.close(write(point, 131072, True, os.O_TMPFILE))
fd = os.open(f"{point}/tracked", os.O_RDONLY)
while os.read(fd, 65536):
    pass
os.close(fd)
os.unlink(f"{point}/tracked")
'''


def deleted(point):
    """A file deleted in a run keeps its name, or else is in a sum: nothing is lost."""
    make_file(f"{point}/tracked", MB)
    tool("track", f"{point}/tracked")
    with open("/tmp/deletes", "w", encoding="ascii") as f:
        f.write(DELETES)
    before = tool("top", "--once")
    text = run("pcinspect", "run", "--report", "/tmp/r.json", "--", "sh", "-c",
               f"python3 /tmp/deletes {point}; pcinspect top --once --json >/tmp/top.json")
    with open("/tmp/r.json", encoding="utf-8") as f:
        report = json.load(f)
    with open("/tmp/top.json", encoding="utf-8") as f:
        top = json.load(f)
    dev = next(f["dev"] for f in report["files"] if (f["path"] or "").startswith(point))
    files = [f for f in report["files"] if f["dev"] == dev and f["deleted"]]
    (gone,) = [g for g in report["gone"] if g["dev"] == dev]
    named = {f["path"]: f for f in files}
    equal("run: deleted files: as many as are kept", len(files), 512)
    equal("run: deleted files: the others are gone", gone["inodes"], 600 + 20 + 1 + 1 - 512)
    in_sum = [sum(g["inodes"] for g in r["gone"] if g["dev"] == dev) for r in (before, top)]
    equal("run: deleted files: meanwhile top has them all in the sum",
          in_sum[1] - in_sum[0], 600 + 20 + 1 + 1)
    equal("run: deleted files: and does not say that they asked for nothing",
          {g["demanded_bytes"] for g in top["gone"]}, {None})
    large = [named.get(f"{point}/large{i}") for i in range(20)]
    equal("run: deleted files: what moved most stays", [
        (f["writeback"]["write_bytes"], f["fsync"]["calls_total"], f["dirty"]["written_pages"])
        if f else None for f in large], [(65536, 1, 16)] * 20)
    equal("run: deleted files: and was written to the disk",
          {f["writeback"]["device_write_bytes"] for f in large if f}, {65536})
    equal("run: deleted files: one without a name", [
        (f["writeback"]["write_bytes"], f["fsync"]["calls_total"]) for f in files
        if f["path"] is None], [(131072, 1)])
    tracked = named.get(f"{point}/tracked")
    ok("run: deleted files: one that was tracked", tracked and
       (tracked["reads"]["demanded_bytes"], tracked["reads"]["device_bytes"],
        sum(tracked["reads"]["removed"].values())) == (MB, MB, 256), tracked)
    equal("run: deleted files: written in all",
          sum(f["writeback"]["write_bytes"] for f in files) + gone["write_bytes"],
          600 * 4096 + 20 * 65536 + 131072)
    equal("run: deleted files: fsync calls in all",
          sum(f["fsync"]["calls_total"] for f in files) + gone["fsync_calls"], 21)
    ok("run: deleted files: the table says so", f"{point}/large7 (deleted)" in
       run("pcinspect", "run", "--", "sh", "-c",
           f"dd if=/dev/zero of={point}/large7 bs=64k count=1 status=none; rm {point}/large7"))
    ok("run: deleted files: and what of the others", f"and {gone['inodes']} files of ext4" in
       text and "that are gone" in text, text)
    ok("run: deleted files: every audit agrees", all(a["ok"] for a in report["audit"]) and
       {"written_pages of all files", "fsync calls of all files"} <=
       {a["what"] for a in report["audit"]}, report["audit"])


def asked_for_in_vain(point):
    """Pages that somebody asked for in advance and nobody read are waste, and read_ahead_kb
    has no part in it; those of holes cost no byte of the device."""
    for label, holes in (("of data", False), ("of holes", True)):
        path = f"{point}/vain{holes}"
        if holes:
            with open(path, "wb") as f:
                f.truncate(8 * MB)
        else:
            make_file(path, 8 * MB)
        fresh(path)
        fd = os.open(path, os.O_RDONLY)
        for offset in range(0, 8 * MB, MB):
            libc.readahead(fd, offset, MB)
        idle()
        os.close(fd)
        emptied(path)
        f = ledger(path)["reads"]
        ok(f"asked for in vain, {label}: it is wasted", f["wasted_pages"] >= 4 * MB // PAGE and
           f["device_bytes"] == (0 if holes else 8 * MB), f)
        said = [v for v in tool("explain", path)["verdicts"] if v["verdict"] == "readahead-waste"]
        if holes:
            equal("asked for in vain, of holes: nothing was read for it", said, [])
            continue
        ok("asked for in vain, of data: not to ask is the remedy", len(said) == 1 and
           "WILLNEED" in said[0]["remedy"]["text"] and not said[0]["remedy"]["command"] and
           said[0]["cost_bytes"] == 8 * MB, said)
    run("pcinspect", "untrack")


# Direct I/O, other filesystems and fsync calls, which other tests make.
ELSEWHERE = {"__blockdev_direct_IO", "__iomap_dio_rw", "generic_file_direct_write",
             "btrfs_buffered_write", "btrfs_sync_file", "btrfs_sync_log",
             "netfs_perform_write", "sync_file_range", "vfs_fsync_range",
             "drop_pagecache_sb"}


def main():
    identity()
    with mounted("ext4", options="noatime") as point:
        untracked(point)
        reading(point)
        mapping(point)
        advised(point)
        holes(point)
        writing(point)
        windows(point)
        many_tasks(point)
        io_uring(point)
        refaults(point)
        run("pcinspect", "untrack")
        asked_for_in_vain(point)
        command(point)
    with mounted("xfs", options="noatime") as point:
        reading(point)
        holes(point)
        writing(point)
    # A probe may stand in a function that the compiler has inlined everywhere.
    equal("every hook of buffered reading is called", sorted(uncalled() - ELSEWHERE), [])
    finish()


main()
