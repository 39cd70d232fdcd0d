#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 512 --disk 256 --disk 64
# soak: 7.3 6.12-arm64-16k
# beside: ../../include/numbers_table.h
# minutes: 4
"""hooks.py - what a hook that is not attached makes unknown, and no more; functions
that others trace as well; and hooks on a filesystem whose module comes or goes meanwhile.

The hooks are left out one by one, with the same work on the same files: what
becomes null has to be what info says of the missing hook, on its filesystems only;
and what is still known has to be what it is with all hooks.
"""
import contextlib
import ctypes
import json
import mmap
import os
import re
import subprocess
import time
from check import (Cgroup, KERNEL, PAGE, SERIES, drain, emptied, equal, finish, info, libc,
                   mincore, mounted, ok, rounds, run, skip, tool, unflushed)

KB, MB = 1 << 10, 1 << 20
SIZE = 256 * KB
ADDRESS = 1 << 40             # where mappings are; nothing else is there
# All are left out on 6.12, and in soak everywhere; on the others every sixth.
SIXTH = {"6.1": 0, "7.2": 3}

# --- the numbers ----------------------------------------------------------------
# Numbers of time, or of lists of pages that others use as well; only null or not.
TIMED = re.compile(r"(written_)?le_\d*(inf)?_ms|.*_ns|.*_ms|gen\d|(in)?active|off_lru|"
                   r"workingset|throttles|by_sync|by_flusher")


def table():
    """Where JSON has each number, by name."""
    with open("numbers_table.h", encoding="ascii") as f:
        text = f.read()
    rows = re.findall(r'^NUMBER\(\w+, "(\w+)",(.*?)^(?=NUMBER|/\*|\Z)', text, re.M | re.S)
    found = {name: re.search(r'\w+,\s*"([a-z][^ "]*\.[^ "]*)( [^"]*)?",\s*[A-Z_]+,\s*"', row)
             for name, row in rows}
    return {name: where[1] for name, where in found.items() if where}


PLACES = table()


def at(file, path):
    """A number of a file; null as well where its section is."""
    for key in re.findall(r"\w+", path):
        if file is None:
            return None
        file = file[int(key) if key.isdigit() else key]
    return file


# The numbers of every fsync call that are null without a hook, and where.
CALLS = {"folio_wait_bit": ("everywhere", {"data_wait_ns"}),
         "blkdev_issue_flush": ("everywhere", {"log_wait_ns"}),
         "jbd2_log_wait_commit": ("on ext4", {"log_wait_ns"}),
         "xfs_log_force_seq": ("on xfs", {"log_wait_ns"}),
         "btrfs_sync_log": ("on btrfs", {"log_wait_ns"}),
         "block_rq_issue": ("everywhere", {"log", "requests", "request_bytes", "splits"}),
         "block_rq_requeue": ("everywhere", {"log", "requests", "request_bytes", "splits"}),
         "block_split": ("everywhere", {"splits"})}
OF_CALLS = set().union(*(keys for _, keys in CALLS.values()))
CALL = "of a call: "


def numbers(paths):
    """All numbers of some files, and what is known of their fsync calls."""
    files = tool("explain", *paths)["files"]
    known = {(f["path"], name): at(f, place) for f in files for name, place in PLACES.items()}
    for f in files:
        calls = f["fsync"]["calls"] if f["fsync"] else []
        known.update({(f["path"], CALL + key): all(c[key] is not None for c in calls) or None
                      for key in OF_CALLS if calls})
    return known


# --- the work -------------------------------------------------------------------
def new(path, data=SIZE):
    """A new file, on disk and not cached, that ends in data."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    with open(path, "wb") as f:
        f.truncate(SIZE - data)
        f.seek(SIZE - data)
        f.write(b"x" * data)
        os.fsync(f.fileno())
    emptied(path)


def dropped(fd, path):
    """Nothing is cached; who waits for writeback may be woken while a page is still held
    (folio_end_writeback())."""
    for _ in range(50):
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        if not mincore(path):
            break
        time.sleep(0.01)


def read(fd, size=SIZE, step=16 * KB, start=0):
    for offset in range(start, start + size, step):
        os.pread(fd, step, offset)


def touched(fd, offset, advice=mmap.MADV_NORMAL, write=False):
    """A load or store. Its fault maps what is cached of 64 KiB of addresses around it
    (do_fault_around()), so the address is the same in each round."""
    prot = mmap.PROT_READ | (mmap.PROT_WRITE if write else 0)
    at = libc.mmap(ADDRESS, SIZE, prot, mmap.MAP_SHARED, fd, 0)
    if at != ADDRESS or libc.madvise(ctypes.c_void_p(at), ctypes.c_size_t(SIZE), advice):
        raise OSError(f"mapped at {at}: {os.strerror(ctypes.get_errno())}")
    byte = ctypes.c_char.from_address(at + offset)
    if write:
        byte.value = b"\1"
    value = byte.value
    libc.munmap(at, SIZE)
    return value


def idle(disk):
    """Wait for readahead to complete."""
    while open(f"/sys/block/{disk}/inflight", encoding="ascii").read().split() != ["0", "0"]:
        time.sleep(0.01)


def reads(fd, path):
    """In order, with a hole before the data."""
    read(fd)
    os.fsync(fd)
    with open("/dev/null", "wb") as null:
        os.sendfile(null.fileno(), fd, 0, 16 * KB)


def advised(fd, path):
    """In advance: most of it is removed unused, some mapped."""
    os.posix_fadvise(fd, 0, SIZE // 2, os.POSIX_FADV_WILLNEED)
    idle(DISKS[os.path.dirname(path)])
    read(fd, 64 * KB)
    dropped(fd, path)
    os.posix_fadvise(fd, 0, 64 * KB, os.POSIX_FADV_WILLNEED)
    idle(DISKS[os.path.dirname(path)])
    touched(fd, 32 * KB)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
    os.pread(fd, 1, SIZE - 1)


def mapped(fd, path):
    """Read around, and single pages."""
    touched(fd, 8 * KB, mmap.MADV_RANDOM)
    touched(fd, SIZE // 2)
    touched(fd, SIZE // 2 + 4 * KB, write=True)
    os.sync()


def written(fd, path):
    """Every way to write it back. Whether sync(2) or the flusher does it is a race."""
    for kind, sync in enumerate((os.fsync, os.fdatasync,
                                 lambda fd: libc.sync_file_range(fd, 0, 0, 7),
                                 lambda fd: os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED),
                                 lambda fd: os.sync())):
        os.pwrite(fd, b"y" * 16 * KB, kind * 32 * KB)
        sync(fd)
        os.fsync(fd)
    dropped(fd, path)
    os.pwrite(fd, b"y" * 16 * KB, SIZE // 2)
    os.fsync(fd)
    os.ftruncate(fd, SIZE // 4)
    os.ftruncate(fd, SIZE)
    os.pwrite(fd, b"y" * 16 * KB, 0)


def direct(fd, path):
    """Past pages that are cached, and dirty."""
    buffer = mmap.mmap(-1, 16 * KB)
    os.pwrite(fd, b"z" * 16 * KB, 0)
    os.pread(fd, 16 * KB, 64 * KB)
    past = os.open(path, os.O_RDWR | os.O_DIRECT)
    os.pwritev(past, [buffer], 0)
    os.pwritev(past, [buffer], 64 * KB)
    os.preadv(past, [buffer], 128 * KB)
    os.close(past)


def evicted(fd, path):
    """Reclaimed, and read again."""
    group = Cgroup("evicted")
    group.run("cat", path)
    drain()
    for _ in range(20):
        with contextlib.suppress(OSError), open(f"{group.path}/memory.reclaim", "w",
                                                encoding="ascii") as f:
            f.write("4M")
        if not mincore(path):
            break
        time.sleep(0.1)
    read(fd, 64 * KB)
    group.remove()


WORK = {"reads": reads, "advised": advised, "mapped": mapped, "written": written,
        "direct": direct, "evicted": evicted}
DISKS = {"/mnt/ext4": "vdb", "/mnt/xfs": "vdc", "/mnt/btrfs": "vdd"}
FILES = [f"{point}/{name}" for point in DISKS for name in WORK
         if point == "/mnt/ext4" or name in ("reads", "written") or
         (point, name) == ("/mnt/xfs", "direct")]      # btrfs may keep what it should drop


def worked(*args):
    """The module anew; the work; what is known of it, and what info says."""
    run("rmmod", "pcinspect")
    for path in FILES:
        new(path, SIZE - 16 * KB if path.endswith("reads") else SIZE)
    os.sync()
    run("modprobe", "pcinspect", *args)
    tool("track", *FILES)
    for path in FILES:
        fd = os.open(path, os.O_RDWR)
        WORK[os.path.basename(path)](fd, path)
        os.close(fd)
    return numbers(FILES), info()


def is_for(fs, where):
    """Is a filesystem one of those that a missing hook is for?"""
    if where == "everywhere":
        return True
    return (fs in where.split()) != where.startswith("not")


def row(hook, all_hooks, steady):
    """One hook fewer."""
    got, lines = worked(f"skip_hook={hook}")
    said = re.fullmatch(r"missing: .*\)(?: (everywhere|(?:not )?on [^:]*): (.*))?",
                        lines[f"hook {hook}"])
    if not ok(f"{hook}: the list says that it is missing", said, lines[f"hook {hook}"]):
        return
    ok(f"{hook}: info names it", hook in lines["hooks"].partition("; missing: ")[2].split(", "),
       lines["hooks"])
    costs = set((said[2] or "").split())
    null = {key for key, value in got.items()
            if value is None and all_hooks.get(key) is not None}
    due = {(path, name) for path, name in got if name in costs and
           all_hooks[path, name] is not None and
           is_for(path.split("/")[2], said[1] or "everywhere")}
    where, keys = CALLS.get(hook, ("everywhere", ()))
    due |= {(path, CALL + key) for path in FILES for key in keys
            if all_hooks.get((path, CALL + key)) is not None and
            is_for(path.split("/")[2], where.removeprefix("on "))}
    ok(f"{hook}: what it costs is unknown, and nothing else", null == due,
       f"too few {sorted(due - null)}, too many {sorted(null - due)}")
    wrong = [f"{path} {name}: {got[path, name]}, not {value}"
             for (path, name), value in steady.items()
             if got.get((path, name)) is not None and got[path, name] != value]
    ok(f"{hook}: what is known is true", not wrong, "; ".join(wrong))


# --- functions that others trace as well ------------------------------------------
TRACING = "/sys/kernel/tracing"
# Functions that BPF programs and live patches may want as well (module/hooks/group.c).
HOT = ("page_cache_sync_ra", "page_cache_async_ra", "page_cache_ra_order",
       "force_page_cache_ra", "page_cache_ra_unbounded", "read_pages", "__iomap_dio_rw",
       "__folio_start_writeback", "workingset_refault", "__folio_end_writeback",
       "submit_bio")


def trace(name, *lines):
    """Write to a file of tracefs: the first line anew, the others behind it."""
    for i, line in enumerate(lines or ("",)):
        fd = os.open(f"{TRACING}/{name}", os.O_WRONLY | (os.O_APPEND if i else os.O_TRUNC))
        os.write(fd, f"{line}\n".encode())
        os.close(fd)


@contextlib.contextmanager
def bpf(function):
    """A BPF program on a function: it has its direct call (fentry)."""
    run("pcinspect", "untrack")
    with subprocess.Popen(["bpftrace", "-e", f"kfunc:{function} {{ @ = count(); }}"],
                          stdout=subprocess.DEVNULL) as p:
        while True:
            with open(f"{TRACING}/enabled_functions", encoding="ascii") as f:
                if any(line.startswith(f"{function} ") for line in f):
                    break
            if p.poll() is not None:
                raise RuntimeError(f"bpftrace ended with {p.returncode}")
            time.sleep(0.1)
        yield
        p.kill()  # its counts are not wanted


@contextlib.contextmanager
def traced():
    """Kprobes, kretprobes and the function graph tracer on all of them."""
    trace("kprobe_events", *(f"{kind}:{kind}_{f} {f}" for f in HOT for kind in "pr"))
    trace("events/kprobes/enable", "1")
    trace("set_ftrace_filter", *HOT)
    trace("current_tracer", "function_graph")
    yield
    trace("current_tracer", "nop")
    trace("set_ftrace_filter")
    trace("events/kprobes/enable", "0")
    trace("kprobe_events")


def same(how, steady):
    """All numbers are the same beside others."""
    got, _ = worked()
    wrong = [f"{path} {name}: {got.get((path, name))}, not {value}"
             for (path, name), value in steady.items() if got.get((path, name)) != value]
    ok(f"{how}: all numbers are the same", not wrong, "; ".join(wrong))


def shared(steady):
    """Others on the same functions, before and after the module."""
    with bpf("submit_bio"):
        same("BPF was there", steady)
    with traced():
        same("traced by all others", steady)
    same("traced no more", steady)


def each():
    """Each hook of this kernel once, left out."""
    with contextlib.ExitStack() as stack:
        for point, disk in DISKS.items():
            stack.enter_context(mounted(point[5:], f"/dev/{disk}", point))
            with open(f"/sys/block/{disk}/queue/read_ahead_kb", "w", encoding="ascii") as f:
                f.write("64")
        stack.enter_context(unflushed())
        worked()
        first, lines = worked()
        second, _ = worked()
        steady = {key: value for key, value in first.items()
                  if value == second[key] and value is not None and not TIMED.fullmatch(key[1])}
        seen = {name for (_, name), value in steady.items() if value}
        print("# never other than 0, or not the same twice:",
              *sorted(set(PLACES) - seen), flush=True)
        shared(steady)
        hooks = [name for name in lines if name.startswith("hook ")]
        sixth = None if rounds(0, 1) else SIXTH.get(SERIES)
        if sixth is not None:
            skip("five of six hooks", "left out on 6.12, and here in make soak")
        for i, name in enumerate(hooks):
            if lines[name] != "attached":
                skip(name, lines[name])
            elif sixth is None or i % 6 == sixth:
                row(name[5:], first, steady)
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect")


# --- modules that come and go ---------------------------------------------------


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
    equal("btrfs again: inserted by writes", again["reads"]["inserted"]["write"], 2 * MB // PAGE)
    equal("btrfs again: both calls", again["fsync"]["calls_total"], 2)
    tool("untrack", "/root/other")


def unseen():
    """The same when nobody tells the module: the audit of a run does."""
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect", "skip_hook=modules")
    tool("track", "/root/other")
    run("modprobe", "-r", "btrfs")
    run("modprobe", "btrfs")
    p = subprocess.run(["pcinspect", "run", "--json", "--", "true"], stdout=subprocess.PIPE,
                       check=False)
    equal("a module that came and went unseen: the run is not trusted", p.returncode, 3)
    stale = [a for a in json.loads(p.stdout)["audit"] if a["what"] == "hooks out of date"]
    ok("a module that came and went unseen: the audit says so",
       len(stale) == 1 and not stale[0]["ok"] and stale[0]["ours"] > 0, stale)
    tool("untrack", "/root/other")
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect")
    p = subprocess.run(["pcinspect", "run", "--json", "--", "true"], stdout=subprocess.PIPE,
                       check=True)
    ok("and otherwise none is", [a["ok"] for a in json.loads(p.stdout)["audit"]
                                 if a["what"] == "hooks out of date"] == [True], p.stdout)


def set_ftrace(value):
    """Is it accepted?"""
    try:
        with open("/proc/sys/kernel/ftrace_enabled", "w", encoding="ascii") as f:
            f.write(value)
    except OSError:
        return False
    return True


def demanded(path):
    """Of a file that is tracked and read once: what was asked for, and who is missing."""
    tool("track", path)
    with open(path, "rb") as f:
        f.read()
    file = tool("reads", path)["files"][0]
    missing = [k[5:] for k, v in info().items() if k[:5] == "hook " and "switched off" in v]
    return file["reads"]["demanded_bytes"], missing


def switched_off():
    """kernel.ftrace_enabled=0: nobody is called, so nothing is known; not while we are."""
    with mounted("ext4") as point:
        path = f"{point}/a"
        new(path)
        equal("ftrace: with it, what was asked for", demanded(path), (SIZE, []))
        equal("ftrace: it cannot be switched off meanwhile", set_ftrace("0"), False)
        tool("untrack", path)
        # "deprecated and no longer disables ftrace", says 7.3, and hooks are called.
        if SERIES == "7.3":
            equal("ftrace: it cannot be switched off at all", set_ftrace("0"), False)
            equal("ftrace: what was asked for", demanded(path), (SIZE, []))
            tool("untrack", path)
            return
        equal("ftrace: else it can", set_ftrace("0"), True)
        asked, missing = demanded(path)
        equal("ftrace: without it, what was asked for is unknown", asked, None)
        ok("ftrace: and info says why", "filemap_read" in missing and "submit_bio" in missing,
           missing)
        equal("ftrace: on again", set_ftrace("1"), True)
        new(f"{point}/b")
        asked, _ = demanded(f"{point}/b")
        equal("ftrace: what was tracked without it stays unknown, whatever else is tracked",
              (asked, tool("reads", path)["files"][0]["reads"]["demanded_bytes"]), (None, None))
        run("pcinspect", "untrack")
        equal("ftrace: until all begins anew", demanded(path), (SIZE, []))
        tool("untrack", path)


def disarmed():
    """/sys/kernel/debug/kprobes/enabled=0: ftrace calls the hooks all the same."""
    def switch(value):
        with open("/sys/kernel/debug/kprobes/enabled", "w", encoding="ascii") as f:
            f.write(value)

    with mounted("ext4") as point:
        path = f"{point}/a"
        new(path)
        tool("track", path)
        switch("0")
        fd = os.open(path, os.O_RDWR)
        os.pwrite(fd, b"x" * 4 * PAGE, 0)
        os.fsync(fd)
        os.ftruncate(fd, 0)
        os.close(fd)
        (f,) = tool("reads", path)["files"]
        equal("kprobes: disarmed: fsync, writeback and truncation are counted",
              (f["fsync"]["calls_total"], f["writeback"]["reasons"]["fsync"],
               f["reads"]["removed"]["truncate"]), (1, 4, 4))
        switch("1")
        tool("untrack", path)


def main():
    switched_off()
    disarmed()
    module_in_a_run()
    module_again()
    unseen()
    each()
    finish()


main()
