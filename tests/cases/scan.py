#!/usr/bin/env python3
# vm: --mem 1024 --smp 2 --disk 2048 --disk 64
"""scan.py - what looking at many inodes costs, counted and not timed.

A superblock's list of inodes is locked for 1,024 entries at a time; SCAN is
answered page by page, with each inode once, and passes each once; a table is read on
from where it was, also when it does not fit into one page; a run looks at what was
touched, however many records there are; an LRU list is locked for a few large folios
only; nobody who looks at a file that is deleted meanwhile has to delete it; no address
or size that is handed in is trusted; and no look loads a filesystem.
"""
import collections
import contextlib
import ctypes
import errno
import fcntl
import glob
import json
import os
import signal
import struct
import subprocess
import time
from check import DEBUGFS, KERNEL, equal, finish, hole, info, mounted, ok, rounds, run, tool
from tracing import callers, calls

LIST = "IIIIQQQQ16sIIQ"
LISTS = "IiII5Q4IQII"
QUERY = "IiQQII"
SNAPSHOT = "10IQ"                         # what struct pcinspect_snapshot begins with
MANY, WITH_PAGES = rounds(15000, 150000), 4000


def pages_of(request, fs, dev, size, between=lambda pages: None):
    """SCAN or LIST with a buffer of @size bytes: [(inode, flags)] of each page. @between
    is called before each further page."""
    room = ctypes.create_string_buffer(size)
    device = os.open("/dev/pcinspect", os.O_RDWR)
    cursor, pages = 0, []
    while True:
        arg = bytearray(struct.pack(LIST, struct.calcsize(LIST), os.major(dev), os.minor(dev),
                                    0, ctypes.addressof(room), size, 0, 0, fs.encode(),
                                    0, 0, cursor))
        fcntl.ioctl(device, 3 << 30 | len(arg) << 16 | 0xdb << 8 | request, arg)
        got = struct.unpack(LIST, arg)
        at, rows = 0, []
        for _ in range(got[3]):
            row = struct.unpack_from(SNAPSHOT, room, at)
            rows.append((row[10], row[4]))
            at += row[0]
        pages.append(rows)
        if at != got[6] or at > size:
            ok("a page is whole records", False, (at, got))
        cursor = got[11]
        if not cursor:
            os.close(device)
            return pages
        between(pages)


def passed():
    """Inodes passed in lists of inodes, by all scans."""
    return int(info()["list_steps"].split()[0])


def names(text):
    """The inode column of a table, but for gone and skipped rows."""
    return [line.split()[0] for line in text.splitlines()[1:]
            if line.split()[3] in ("auto", "explicit")]


def long_list():
    point = "/mnt/many"
    os.makedirs(point)
    run("mount", "-t", "tmpfs", "-o", "nr_inodes=200000", "many", point)
    dev = os.stat(point).st_dev
    wanted = set()
    for i in range(MANY):
        if not i % 1000:
            os.mkdir(f"{point}/{i // 1000}")
        fd = os.open(f"{point}/{i // 1000}/{i}", os.O_CREAT | os.O_RDWR, 0o600)
        # All of them together, so that a long run has none.
        if i < WITH_PAGES:
            os.write(fd, b"x")
            wanted.add(os.fstat(fd).st_ino)
        os.close(fd)
    for size in (64 << 20, 1 << 20, 1 << 17):
        steps = passed()
        with calls("usleep_range_state") as rests:
            pages = pages_of(6, "tmpfs", dev, size)
        steps = passed() - steps
        print(f"# {steps} inodes passed, {rests[0]} rests", flush=True)
        # A spinlock need not be fair: who takes it again at once keeps others from it.
        ok(f"SCAN, {size} bytes a page: the list is left alone after each 1,024 entries",
           rests[0] >= (MANY - WITH_PAGES) // 1024 - 2, rests)
        ok(f"SCAN, {size} bytes a page: each inode of the list is passed once for all pages",
           MANY <= steps <= MANY + 1000, (steps, len(pages)))
        inos = [ino for page in pages for ino, _ in page]
        print(f"# {len(pages)} pages of {size} bytes", flush=True)
        ok(f"SCAN of {MANY} inodes, {size} bytes a page: pages", (len(pages) > 1) ==
           (size < WITH_PAGES * 500), len(pages))
        equal(f"SCAN, {size} bytes a page: nothing twice", len(inos), len(set(inos)))
        equal(f"SCAN, {size} bytes a page: all that have pages", set(inos), wanted)
    hold = int(info()["longest_list_hold"].split()[0])
    print(f"# longest hold {hold}", flush=True)
    ok("the list was passed in parts", 0 < hold <= 1024, hold)
    ok("and for how long is known", int(info()["longest_list_hold"].split()[2]) > 0,
       info()["longest_list_hold"])
    if rounds(0, 1):                      # they are figures only
        beside(point, dev)
    lost_places(point, dev, wanted)
    run("umount", point)


def lost_places(point, dev, wanted):
    """Between two pages files go, and with them the place where the next one begins: the
    list is begun again, and nothing comes twice. Filesystems go as well."""
    files = [f"{point}/{i // 1000}/{i}" for i in range(WITH_PAGES)]
    number = {os.stat(f).st_ino: i for i, f in enumerate(files)}
    gone = set()

    def delete(pages):
        # The list is in the order in which they were made, the last one first.
        if len(pages) in (1, 3, 4):
            last = number[pages[-1][-1][0]]
            for i in range(max(last - 3, 0), last + 1):
                os.unlink(files[i])
                gone.add(i)

    steps = passed()
    pages = pages_of(6, "tmpfs", dev, 1 << 18, delete)
    steps = passed() - steps
    inos = [ino for page in pages for ino, _ in page]
    print(f"# {len(pages)} pages, {len(gone)} files deleted, {steps} inodes passed", flush=True)
    equal("SCAN, its place lost: nothing twice", len(inos), len(set(inos)))
    equal("SCAN, its place lost: all that are still there", wanted - set(inos),
          {ino for ino, i in number.items() if i in gone} - set(inos))
    ok("places were lost", len(pages) > 5 and len(gone) == 12 and steps > 2 * MANY,
       (len(pages), len(gone), steps))

    def unmount(pages):
        if len(pages) == 1:
            run("umount", "/mnt/other")

    for request in 5, 6:
        run("mount", "-t", "ramfs", "--mkdir", "other", "/mnt/other")
        other = os.stat("/mnt/other").st_dev
        for i in range(500):
            with open(f"/mnt/other/{i}", "wb") as f:
                f.write(b"x")
        pages = pages_of(request, "ramfs", other, 1 << 16, unmount)
        ok(f"{request}: a filesystem goes between two pages", len(pages) > 1 and not
           os.path.ismount("/mnt/other"), len(pages))
        # A page that nobody asks for, and a file that is closed before.
        equal("its superblock is gone", [s for s in pages_of(5, "", 0, 1 << 20)[-1] if s[1] & 1 << 18],
              [])


def latencies(point, nr=3000):
    """Of creating and unlinking a file on the second CPU: how many took longer than
    5 ms, and the longest, in ms."""
    os.sched_setaffinity(0, {1})
    took = []
    for _ in range(nr):
        begun = time.monotonic()
        os.close(os.open(f"{point}/new", os.O_CREAT | os.O_WRONLY, 0o600))
        os.unlink(f"{point}/new")
        took.append(time.monotonic() - begun)
    os.sched_setaffinity(0, {0, 1})
    return sum(t > 0.005 for t in took), max(took) * 1000


def beside(point, dev):
    """Figures: a scan keeps those who create files waiting no longer than a busy loop."""
    figures = [("alone", latencies(point))]
    for what, work in (("beside a busy loop", lambda: None),
                       ("beside scans", lambda: pages_of(6, "tmpfs", dev, 64 << 20))):
        pid = os.fork()
        if not pid:
            os.sched_setaffinity(0, {0})
            while True:
                work()
        figures.append((what, latencies(point)))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    print(f"# {KERNEL}: create and unlink, 3,000 times, over 5 ms and the longest:",
          "; ".join(f"{what} {over}, {longest:.1f} ms" for what, (over, longest) in figures),
          flush=True)


# A task's peak includes its parent's memory: so fork from a small one.
SMALL = """
import os, sys
pid = os.spawnvp(os.P_NOWAIT, "pcinspect", sys.argv[1:])
_, status, used = os.wait4(pid, 0)
print("most", used.ru_maxrss, status, flush=True)
"""


def best(mnt):
    """A table of a few of many files is of the first of them, and takes no more memory."""
    for i in range(7):
        with open(f"{mnt}/{i}/{i}000", "wb") as f:
            f.write(b"x" * 4096 * (100 + i))
    with open("/tmp/small.py", "w", encoding="ascii") as f:
        f.write(SMALL)
    for args in (), ("--scan", mnt):
        told = subprocess.run(["pcinspect", "top", "--once", "--json", *args],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        whole = json.loads(told.stdout)["files"]
        said = run("sh", "-c", "python3 /tmp/small.py pcinspect top --once --limit 5 -o CACHED,PATH "
                   + " ".join(args)).splitlines()
        first = sorted(((f["pages"]["cached"], f["path"]) for f in whole
                        if f["path"] and f["path"].startswith(f"{mnt}/")), reverse=True)[:5]
        rows = [tuple(line.split()) for line in said if f" {mnt}/" in line]
        equal(f"top {' '.join(args)}: the first ones", [r for r in rows if int(r[0]) > 99],
              [(str(n), p) for n, p in first][:len(rows)])
        more = [int(line.split()[1]) for line in said if line.startswith("and ")]
        ok(f"top {' '.join(args)}: and how many more", len(more) == 1 and
           abs(more[0] + 5 - len(whole)) <= 20, (more, len(whole)))
        most, status = [line.split()[1:] for line in said if line.startswith("most ")][0]
        print(f"# top {' '.join(args)}: {most} KiB", flush=True)
        ok(f"top {' '.join(args)}: memory of a few files", status == "0" and int(most) < 20480,
           (most, status))


RUN = """
import os, sys
mnt, of, nr = sys.argv[1], sys.argv[2], int(sys.argv[3])
first = []
for i in range(nr):
    if not i % 1000:
        os.mkdir(f"{mnt}/{i // 1000}")
    fd = os.open(f"{mnt}/{i // 1000}/{i}", os.O_CREAT | os.O_RDWR, 0o600)
    os.ftruncate(fd, 1)
    os.pread(fd, 1, 0)
    if not i % 1999:
        os.write(fd, b"x")
        os.fsync(fd)
        st = os.fstat(fd)
        first.append(f"{os.major(st.st_dev)}:{os.minor(st.st_dev)}:{st.st_ino}")
    os.close(fd)
fd = os.open(f"{of}/fsync", os.O_RDONLY)
text = b"".join(iter(lambda: os.read(fd, 4096), b"")).decode()
print("fsync", sum(n in text for n in [f + " " for f in first]), len(first))
fd = os.open(f"{of}/reads", os.O_RDONLY)
text = b"".join(iter(lambda: os.read(fd, 4096), b""))
at = [len(text) * i // 10 for i in range(1, 10)]
print("reads", sum(os.pread(fd, 64, a) == text[a:a + 64] for a in at), len(at))
print("rows", text.count(b"\\n"), os.stat(f"{of}/reads").st_mode)
"""


def sparse_table():
    """Pages of a table most of whose rows have nothing to say; and a place in the text."""
    with mounted("ext4", mkfs=("-N", "60000")) as mnt:
        with open("/tmp/run.py", "w", encoding="ascii") as f:
            f.write(RUN)
        out = run("pcinspect", "run", "-m", mnt, "--report", "/tmp/r.json", "--", "python3",
                  "/tmp/run.py", mnt, DEBUGFS, "12000")
        said = {line.split()[0]: line.split()[1:] for line in out.splitlines()
                if line.split() and line.split()[0] in ("fsync", "reads", "rows")}
        ok("a table over pages: more rows than a page has room for", int(said["rows"][0]) > 12000,
           said)
        equal("a table over pages: each call of fsync is in it", *said["fsync"])
        equal("a table over pages: the text is the same at any place", *said["reads"])


def long_table():
    """More records than a page of debugfs has room for."""
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect", "max_inodes=65536")
    with mounted("ext4", mkfs=("-N", "60000")) as mnt:
        dev = os.stat(mnt).st_dev
        wanted = set()
        for i in range(26000):
            if not i % 1000:
                os.mkdir(f"{mnt}/{i // 1000}")
            fd = os.open(f"{mnt}/{i // 1000}/{i}", os.O_CREAT | os.O_RDWR, 0o600)
            hole(fd)
            wanted.add(f"{os.major(dev)}:{os.minor(dev)}:{os.fstat(fd).st_ino}")
            os.close(fd)
        before = int(info()["table_steps"].split()[0])
        fd = os.open(f"{DEBUGFS}/inodes", os.O_RDONLY)
        parts = []
        while True:
            parts.append(os.read(fd, 4096))
            if not parts[-1]:
                break
        text = b"".join(parts).decode()
        steps = int(info()["table_steps"].split()[0]) - before
        print(f"# {len(parts)} reads, {steps} steps, {len(text)} bytes", flush=True)
        ok("a table is read on from where it was", steps <= len(parts), (steps, len(parts)))
        ours = [n for n in names(text) if n.startswith(f"{os.major(dev)}:{os.minor(dev)}:")]
        equal("a long table: nothing twice", len(ours), len(set(ours)))
        equal("a long table: every file", wanted - set(ours), set())
        os.lseek(fd, 0, os.SEEK_SET)
        equal("a long table begins again", os.read(fd, 4096)[:10], text[:10].encode())
        os.close(fd)
        steps = passed()
        pages = pages_of(5, "", 0, 1 << 20)
        steps = passed() - steps
        listed = [ino for page in pages for ino, flags in page if not flags & (1 << 12 | 1 << 18)]
        print(f"# LIST: {len(pages)} pages, {steps} inodes passed", flush=True)
        ok("LIST in small pages: each inode is passed once, and once at the end",
           len(pages) > 10 and len(wanted) <= steps <= 2 * len(listed) + 20000,
           (len(pages), steps, len(listed)))
        best(mnt)
        ok("LIST in small pages has as many",
           len(wanted) <= len(listed) <= int(info()["auto_records"]) +
           int(info()["explicit_records"]), (len(wanted), len(listed)))
        a_run(len(listed))


def table(mnt):
    """The inodes of a filesystem in a table, and how many inodes were passed for it."""
    dev, before = os.stat(mnt).st_dev, passed()
    text = run("cat", f"{DEBUGFS}/inodes")
    ours = [n.split(":")[2] for n in names(text) if n.startswith(f"{os.major(dev)}:{os.minor(dev)}:")]
    equal("a table by number: nothing twice", len(ours), len(set(ours)))
    return {int(ino) for ino in ours}, passed() - before


def by_number():
    """Where inodes are found by their numbers, those without a record cost nothing."""
    with mounted("ext4", mkfs=("-N", "60000")) as mnt:
        inos = {}
        for i in range(100):
            with open(f"{mnt}/{i}", "wb") as f:
                f.write(b"x")
                inos[i] = os.fstat(f.fileno()).st_ino
        listed, few = table(mnt)
        equal("by number: all that have pages", listed, set(inos.values()))
        os.mkdir(f"{mnt}/empty")
        for i in range(5000):
            os.close(os.open(f"{mnt}/empty/{i}", os.O_CREAT | os.O_WRONLY, 0o600))
        listed, many = table(mnt)
        equal("by number: and no others", listed, set(inos.values()))
        print(f"# {few} inodes passed, with 5,000 more {many}", flush=True)
        ok("by number: 5,000 inodes without pages are not passed", many < few + 500, (few, many))
        # Their numbers are given to others.
        for i in range(50):
            os.unlink(f"{mnt}/{i}")
        again = 0
        for i in range(50):
            with open(f"{mnt}/new{i}", "wb") as f:
                f.write(b"x")
                again += os.fstat(f.fileno()).st_ino in inos.values()
                inos[i] = os.fstat(f.fileno()).st_ino
        ok("by number: numbers were given again", again, again)
        equal("by number: the new files, once", table(mnt)[0], set(inos.values()))
        for name in os.listdir(mnt):
            if os.path.isfile(f"{mnt}/{name}"):
                os.unlink(f"{mnt}/{name}")
        equal("by number: deleted, and none of them is left", table(mnt)[0], set())


TRACING = "/sys/kernel/tracing"


def looks(cmd):
    """At how many inodes the module looks meanwhile, page by page, and the report."""
    def write(name, value):
        with open(f"{TRACING}/{name}", "w", encoding="ascii") as f:
            f.write(value)
    write("set_ftrace_filter", "pcinspect_snapshot_take")
    write("trace", "")
    write("current_tracer", "function")
    run(*cmd, "--report", "/tmp/run.json", "--", "cat", "/mnt/t/0/1")
    nr = 0
    for path in glob.glob(f"{TRACING}/per_cpu/cpu*/stats"):
        with open(path, encoding="ascii") as f:
            stats = dict(line.split(": ", 1) for line in f.read().splitlines() if ": " in line)
        nr += sum(int(stats[key]) for key in ("entries", "overrun", "dropped events"))
    write("current_tracer", "nop")          # empties it
    write("set_ftrace_filter", "")
    with open("/tmp/run.json", encoding="utf-8") as f:
        return nr, json.load(f)


def a_run(nr_records):
    """Beside thousands of records it looks at those that were touched."""
    nr, report = looks(["pcinspect", "run", "--explain"])
    print(f"# {KERNEL}: a run looked at {nr} of {nr_records} inodes", flush=True)
    ok("a run looks at what was touched", 0 < nr < nr_records // 100, (nr, nr_records))
    ok("and lists it", any(f["path"] == "/mnt/t/0/1" and f["reads"]["demanded_bytes"] == 1
                           for f in report["files"]), report["files"][:3])
    equal("its sums are right", [a for a in report["audit"] if not a["ok"]], [])


def no_loading():
    """A record outlives its filesystem's module, and does not bring it back."""
    with mounted("xfs", device="/dev/vdb") as mnt:
        with open(f"{mnt}/a", "wb") as f:
            f.write(b"x" * 100000)
    run("rmmod", "xfs")
    for name in ("inodes", "reads"):
        run("cat", f"{DEBUGFS}/{name}")
    subprocess.run(["pcinspect", "top", "--once"], stdout=subprocess.DEVNULL, check=True)
    ok("looking loads no filesystem", not os.path.exists("/sys/module/xfs"))


def longest_hold():
    """Of a walk over all LRU lists: folios and pages looked at under one lock, at most."""
    room = ctypes.create_string_buffer(1 << 20)
    arg = bytearray(struct.pack(LISTS, struct.calcsize(LISTS), -1, 16, 0,
                                ctypes.addressof(room), len(room), 0, 0, 0,
                                0, 0, 0, 0, 0, 0, 0))
    device = os.open("/dev/pcinspect", os.O_RDWR)
    fcntl.ioctl(device, 3 << 30 | len(arg) << 16 | 0xdb << 8 | 10, arg)
    os.close(device)
    got = struct.unpack(LISTS, arg)
    return got[12], got[15]


def refused(request, fmt, *values):
    """With which error; the first is the size."""
    arg = bytearray(struct.pack(fmt, *values))
    device = os.open("/dev/pcinspect", os.O_RDWR)
    try:
        fcntl.ioctl(device, 3 << 30 | len(arg) << 16 | 0xdb << 8 | request, arg)
    except OSError as e:
        return errno.errorcode[e.errno]
    finally:
        os.close(device)
    return None


def ask_place(path, request=1):
    """SNAPSHOT, or another request, with a descriptor that opens nothing."""
    room = ctypes.create_string_buffer(8192)
    fd = os.open(path, os.O_PATH | os.O_NOFOLLOW)
    try:
        return refused(request, QUERY, struct.calcsize(QUERY), fd, 0, ctypes.addressof(room),
                       len(room), 0)
    finally:
        os.close(fd)


def opened(watch):
    """Files, not directories, that somebody has opened since the last call."""
    found = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            data = os.read(watch, 4096)
            while data:
                _, mask, _, size = struct.unpack_from("iIII", data)
                found += not mask & 0x40000000  # IN_ISDIR
                data = data[16 + size:]
    return found


def places():
    """A file of a tree is asked about by its place where that is enough, and only there."""
    with mounted("ext4") as mnt:
        for name in "low", "up", "work", "both":
            os.mkdir(f"{mnt}/{name}")
        for name, size in ("a", 9), ("b", 200), ("sub", 0), ("empty", 0):
            with open(f"{mnt}/low/{name}", "wb") as f:
                f.write(b"x" * (size << 10))
        os.mkfifo(f"{mnt}/low/fifo")
        os.symlink("a", f"{mnt}/low/link")
        run("sync")
        for path, request, want in ((f"{mnt}/low/a", 1, None), (f"{mnt}/low/a", 2, "EBADF"),
                                    (f"{mnt}/low/a", 9, "EBADF"), (f"{mnt}/low/a", 3, "EBADF"),
                                    (f"{mnt}/low/fifo", 1, "EBADF"), (f"{mnt}/low", 1, "EBADF"),
                                    (f"{mnt}/low/link", 1, "EBADF"), ("/dev/null", 1, "EBADF"),
                                    ("/dev/vdb", 1, "EBADF"), ("/dev/shm", 1, "EBADF")):
            equal(f"request {request} of a place, {path}", ask_place(path, request), want)
        libc = ctypes.CDLL(None, use_errno=True)
        watch = libc.inotify_init1(os.O_NONBLOCK)
        libc.inotify_add_watch(watch, f"{mnt}/low".encode(), 0x20)  # IN_OPEN
        by_place = tool("stat", "-r", f"{mnt}/low")["files"]
        equal("stat -r opens no file of a disk", opened(watch), 0)
        files = [f["path"] for f in by_place]
        equal("stat -r: all of them", sorted(files),
              [f"{mnt}/low/{name}" for name in ("a", "b", "empty", "sub")])
        by_name = tool("stat", *files)["files"]
        ok("and stat FILE does", opened(watch) >= len(files))
        os.close(watch)
        for one, other in zip(by_place, by_name):
            equal(f"{one['path']}: the same by place and by name",
                  {k: one[k] for k in ("dev", "ino", "size_bytes", "pages", "orders")},
                  {k: other[k] for k in ("dev", "ino", "size_bytes", "pages", "orders")})
        # Which file is below an overlay is found out when it is opened.
        run("modprobe", "-q", "overlay")
        run("mount", "-t", "overlay", "-o",
            f"lowerdir={mnt}/low,upperdir={mnt}/up,workdir={mnt}/work", "overlay", f"{mnt}/both")
        with open(f"{mnt}/both/b", "r+b") as f:
            f.write(b"y")
        equal("an overlay's file, by place", ask_place(f"{mnt}/both/a"), "EBADF")
        rows = {f["path"][len(mnt):]: f for f in tool("stat", "-r", f"{mnt}/both")["files"]}
        for name, real in ("/both/a", "/low/a"), ("/both/b", "/up/b"):
            equal(f"{name} is {real}", (rows[name]["real_path"], rows[name]["pages"]["cached"]),
                  (mnt + real, tool("stat", mnt + real)["files"][0]["pages"]["cached"]))
        run("umount", f"{mnt}/both")
        run("mount", "-t", "tmpfs", "tmpfs", f"{mnt}/both")
        with open(f"{mnt}/both/a", "wb") as f:
            f.write(b"x" * 8192)
        equal("a file of no disk, by place", ask_place(f"{mnt}/both/a"), "EBADF")
        equal("a file of no disk", [f["pages"]["cached"]
                                    for f in tool("stat", "-r", f"{mnt}/both")["files"]], [2])
        run("umount", f"{mnt}/both")


def hostile():
    """Sizes of others, room that is not there, and numbers at the end of their range."""
    room = ctypes.create_string_buffer(1 << 20)
    here, nowhere, most = ctypes.addressof(room), 8, (1 << 64) - 1
    size, none = struct.calcsize(LISTS), (0,) * 8
    follows = "II" + LISTS + "9Q"
    whole = struct.calcsize(follows)
    walk = (size, -1, 16, 0, here, 1 << 19, 0, 0, *none)

    def order(rows, lists, numbers, start=whole, of=walk):
        return refused(14, follows, start, 0, *of, *rows, 0, *lists, 0, *numbers, 0)

    equal("LISTS of another size", refused(10, LISTS, size - 8, *walk[1:]), "EINVAL")
    equal("LISTS, cgroups nowhere", refused(10, LISTS, *walk[:4], nowhere, 1 << 19, 0, 0, *none),
          "EFAULT")
    equal("LISTS, no room", refused(10, LISTS, *walk[:4], here, 0, 0, 0, *none), "E2BIG")
    equal("LISTS, files nowhere", refused(10, LISTS, *walk[:6], nowhere, most, *none), "EFAULT")
    equal("LISTS of no cgroup", refused(10, LISTS, size, 1 << 20, *walk[2:]), "EBADF")
    good = (here + (1 << 19), 1 << 10), (here, 1 << 10), (here, 1 << 10)
    equal("NEXT of another size", order(*good, start=whole + 8), "EINVAL")
    equal("NEXT, its walk of another size", order(*good, of=(size + 8, *walk[1:])), "EINVAL")
    equal("NEXT, rows nowhere", order((nowhere, most), *good[1:]), "EFAULT")
    equal("NEXT, rows beyond all memory", order((most - 63, most), *good[1:]), "EFAULT")
    equal("NEXT, lists nowhere", order(good[0], (nowhere, most), good[2]), "EFAULT")
    equal("NEXT, no room for lists", order(good[0], (here, 0), good[2]), "E2BIG")
    equal("NEXT, all of it", order(*good), None)
    # A cursor is anything that was not made here.
    for cursor in 1, 1 << 32, most, most - 1, 1 << 63:
        got = refused(5, LIST, struct.calcsize(LIST), 0, 0, 0, here, 1 << 20, 0, 0, b"x" * 16,
                      1, 0, cursor)
        equal(f"LIST from {cursor:#x} on", got, "ESTALE")
    equal("LIST into nowhere", refused(5, LIST, struct.calcsize(LIST), 0, 0, 0, nowhere, most,
                                       0, 0, b"x" * 16, 0, 0, 0), "EFAULT")


def large_folios():
    """6.1 finds out whether a large folio is mapped by looking at each of its pages."""
    with mounted("xfs") as mnt:
        with open("/sys/block/vdb/queue/read_ahead_kb", "w", encoding="ascii") as f:
            f.write("4096")
        run("dd", "if=/dev/zero", f"of={mnt}/f", "bs=1M", "count=48", "conv=fsync", "status=none")
        run("sh", "-c", "echo 3 >/proc/sys/vm/drop_caches")
        run("dd", f"if={mnt}/f", "of=/dev/null", "bs=1M", "status=none")
        folios, pages = longest_hold()
        print(f"# {KERNEL}: a list's lock was held for {folios} folios, {pages} pages", flush=True)
        # So many, or what the last one of them has more.
        ok("large folios were met, and few under one lock", 512 <= pages < 1024, pages)


def deleted_meanwhile():
    """A file that somebody deletes while it is looked at is not deleted by who looks."""
    reads = f"while :; do cat {DEBUGFS}/inodes; done >/dev/null"
    with mounted("ext4") as mnt, callers("ext4_evict_inode") as names, \
            subprocess.Popen(["sh", "-c", reads]) as first, \
            subprocess.Popen(["sh", "-c", reads]) as second:
        try:
            for _ in range(60):
                for i in range(8):
                    with open(f"{mnt}/{i}", "wb") as f:
                        f.write(b"x" * (2 << 20))
                run("rm", *(f"{mnt}/{i}" for i in range(8)))
        finally:
            first.kill()
            second.kill()
    ok("files were deleted", len(names) >= 480, len(names))
    equal("none by who looked at it", names.count("cat"), 0)
    print(f"# {KERNEL}: deleted by {collections.Counter(names).most_common()}", flush=True)


hostile()
deleted_meanwhile()
places()
large_folios()
no_loading()
long_list()
by_number()
sparse_table()
long_table()
finish()
