#!/usr/bin/env python3
# vm: --mem 768 --disk 512 --disk 512 --disk 512
# soak: 6.1-rt 6.12-rt 7.2-rt
# minutes: 1
"""live.py - what a live view counts: what is asked of the page cache and is not there, by
whom, for what, and who evicts and writes; against the bytes that were read here.
"""
import ctypes
import errno
import fcntl
import json
import mmap
import os
import re
import struct
import subprocess
from check import (PAGE, Cgroup, drain, emptied, equal, finish, info, libc, mounted, ok, run,
                   tool)
from pages import counted, vmstat, write


# Goes over a mapping, page by page, for each line that it reads.
FAULTS = """
import mmap, sys
for line in sys.stdin:
    with open(sys.argv[1], "rb") as f:
        m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
    m.madvise(mmap.MADV_RANDOM)
    sum(m[at] for at in range(0, 64 * mmap.PAGESIZE, mmap.PAGESIZE))
    m.close()
    print(flush=True)
"""


def check_faults(path, lines):
    """A reader of a mapping has major faults, one for each page."""
    with subprocess.Popen(["python3", "-I", "-S", "-c", FAULTS, path], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as p:
        ino, faults = os.stat(path).st_ino, []
        # The first gets it a place; and a place may be lost to eight others on its CPU.
        for _ in range(10):
            emptied(path)
            json.loads(lines.readline())
            p.stdin.write("\n")
            p.stdin.flush()
            p.stdout.readline()
            pages, asked, faults, ticks = 0, 0, [], 0
            while pages < 64 and ticks < 20:
                ticks += 1
                for reader in json.loads(lines.readline())["machine"]["readers"]:
                    # Of a file that has come since the walk no path is known yet.
                    if reader["pid"] == p.pid and reader["ino"] == ino and \
                            reader["path"] in (path, None):
                        pages += reader["pages"]
                        asked += reader["asked_pages"]
                        faults.append(reader["major_faults"])
            ok("ticks: no more than its mapping has read", pages <= 64, (pages, faults))
            if pages == 64 and None not in faults:
                break
        # They are the process's: its own program's pages may have gone as well.
        ok("ticks: a major fault for each page that a mapping has read",
           pages == 64 and None not in faults and sum(faults) >= 64, (pages, faults))
        # A task between its fault and the page makes it less.
        ok("ticks: and that it has asked for", 32 <= asked <= 64, asked)
        p.stdin.close()


def check_ahead(path, lines):
    """Of pages read at random the smallest part was requested."""
    emptied(path)
    reads = 64
    with open(path, "rb", buffering=0) as f:
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_NORMAL)
        json.loads(lines.readline())
        # Each with a page in the middle of those that come around it; 7.2 reads 2 MiB ahead,
        # and more once it comes to the marker there.
        for at in range(reads):
            with mmap.mmap(f.fileno(), PAGE, prot=mmap.PROT_READ, offset=(at * 128 + 64) * PAGE) as m:
                m[0]  # pylint: disable=pointless-statement
    keys = ("pages", "asked_pages", "ahead_pages", "around_pages")

    def until(pid, least, keys=keys, what="readers"):
        """The pages that a process had read of the file, once they are so many."""
        got, ticks = [0] * len(keys), 0
        while got[0] < least and ticks < 100:
            ticks += 1
            for row in json.loads(lines.readline())["machine"][what]:
                if (row["pid"], row["ino"]) == (pid, os.stat(path).st_ino):
                    got = [a + row[key] for a, key in zip(got, keys)]
        return got

    pages, asked, ahead, around = until(os.getpid(), 8 * reads)
    ok("ticks: around a fault more is read than was asked for",
       8 * reads <= pages and 0 < asked <= reads, (pages, asked))
    ok("ticks: most of it around a fault, and nothing by a read",
       pages / 2 < around <= pages - asked and ahead == 0, (pages, asked, ahead, around))
    emptied(path)
    with subprocess.Popen(["cat", path], stdout=subprocess.DEVNULL) as cat:
        cat.wait()
    pages, asked, ahead, around = until(cat.pid, os.stat(path).st_size // PAGE // 2)
    ok("ticks: what is read from its beginning on comes by readahead, for the most part",
       os.stat(path).st_size // PAGE <= 2 * pages < 4 * ahead and ahead <= pages - asked and
       around == 0,
       (pages, asked, ahead, around))
    run("sync", path)
    with subprocess.Popen(["dd", "if=/dev/zero", f"of={path}", f"bs={PAGE}", "count=256", "conv=notrunc",
                           "status=none"]) as dd:
        dd.wait()
    equal("ticks: who writes, and what became dirty",
          until(dd.pid, 256, ("dirtied_pages",), "writers"), [256])
    run("sync", path)


def check_flows(path, lines):
    """Pages inserted and removed between two ticks, beside nr_file_pages: an error of the
    whole file, or of tmpfs, is more than the audit allows for."""
    pages, what = 8192, "inserted_minus_removed_pages"

    def until(name, key=None):
        """Ticks until so many pages are counted; each says ok. Who had them read?"""
        counted, ticks, readers = 0, 0, {}
        while ticks < 2 or (key and counted < pages and ticks < 100):
            rep = json.loads(lines.readline())
            ticks += 1
            counted += rep["machine"]["demand"][key] if key else 0
            rows = [a for a in rep["audit"] if a["what"] == what]
            ok(f"ticks: {name}: {what} says ok", len(rows) == 1 and rows[0]["ok"], rows)
            for reader in rep["machine"]["readers"] or []:
                # A file that has come since the walk has no path yet.
                if reader["ino"] == os.stat(path).st_ino and reader["path"] in (path, None):
                    readers[reader["pid"]] = readers.get(reader["pid"], 0) + reader["pages"]
        ok(f"ticks: {name}: it was counted", not key or counted >= pages, counted)
        return readers

    write(path, pages)
    run("sync", path)
    equal("ticks: who writes reads nothing", until("written", "inserted_pages"), {})
    emptied(path)
    until("its pages dropped", "removed_pages")
    with subprocess.Popen(["cat", path], stdout=subprocess.DEVNULL) as cat:
        cat.wait()
    equal("ticks: who had it read, and how much", until("read", "inserted_pages"),
          {cat.pid: pages})
    check_ahead(path, lines)
    run("sh", "-c", "echo 1 >/proc/sys/vm/drop_caches")
    until("drop_caches", "removed_pages")
    run("cat", path)
    until("read again", "inserted_pages")
    os.truncate(path, 0)
    until("truncated", "removed_pages")
    write("/tmp/flows", pages)
    until("tmpfs written")
    os.unlink("/tmp/flows")
    until("tmpfs, deleted")
    write(path, 64)
    run("sync", path)
    check_faults(path, lines)


def check_ticks(point):
    """Growth between ticks adds up to what came; rates are known from the second on."""
    path, pages = f"{point}/grows", 100
    with subprocess.Popen(["pcinspect", "--json-lines", "--interval", "0.1"],
                          stdout=subprocess.PIPE, text=True) as p:
        first = json.loads(p.stdout.readline())
        equal("the first tick knows no rate", first["machine"]["refaults_per_s"], None)
        write(path, pages)
        drain()
        grown, ticks = 0, 0
        while grown != pages and ticks < 100:
            rep = json.loads(p.stdout.readline())
            ticks += 1
            ok("a later tick does", rep["machine"]["refaults_per_s"] is not None)
            grown += sum(f.get("grown_pages", 0) for f in rep["files"] if f["path"] == path)
        equal("what a file has grown by, tick by tick", grown, pages)
        check_flows(path, p.stdout)
        p.terminate()
        p.stdout.read()
    equal("SIGTERM ends it", p.returncode, 0)


class Demand:
    """The module's own sums of what is asked of the page cache (PCINSPECT_IOC_DEMAND)."""
    FORM = "=II6Q"
    KEYS = "demanded", "missed", "inserted", "removed"

    def __init__(self):
        self.fd = os.open("/dev/pcinspect", os.O_RDWR)
        self.last = self.now()

    def now(self):
        size = struct.calcsize(self.FORM)
        sums = bytearray(struct.pack(self.FORM, size, *[0] * 7))
        fcntl.ioctl(self.fd, 3 << 30 | size << 16 | 0xdb << 8 | 16, sums)
        return struct.unpack(self.FORM, sums)

    def between(self):
        """Since this was asked last, in pages, what was asked for rounded up."""
        then, self.last = self.last, self.now()
        equal("demand: counted all the time", self.last[2], then[2])
        got = dict(zip(self.KEYS, (b - a for a, b in zip(then[4:], self.last[4:]))))
        got["demanded"] = -(-got["demanded"] // PAGE)
        return got

# Pages of others meanwhile: this program's first faults, threads of the kernel.
FEW = 64


def check_readers(point):
    """A CPU keeps the last eight readers, however much others have read before."""
    many = [f"{point}/read{i}" for i in range(10)]
    for path in many:
        write(path, 512)
        run("sync", path)
        emptied(path)
    for path in many[8:]:
        os.truncate(path, 4 * PAGE)
    ask = Demand()
    row = struct.Struct("=9Q4I")
    room = ctypes.create_string_buffer(row.size * 24 * os.sysconf("SC_NPROCESSORS_CONF"))

    def readers(nr):
        said = ctypes.create_string_buffer(struct.pack("=IIQ", 16, nr, ctypes.addressof(room)), 16)
        # By libc: fcntl.ioctl() need not copy anything back where a call fails.
        failed = libc.ioctl(ask.fd, ctypes.c_ulong(3 << 30 | 16 << 16 | 0xdb << 8 | 18), said)
        return ctypes.get_errno() if failed else 0, struct.unpack("=IIQ", said.raw)[1]

    for path in many:
        run("taskset", "-c", "0", "cat", path)
    equal(f"{point}: readers: too little room, and how much there must be", readers(1),
          (errno.E2BIG, len(room) // row.size))
    equal(f"{point}: readers: all", readers(len(room) // row.size), (0, len(room) // row.size))
    pages = {}
    for ino, nr, *_, serial, _, _, _, _ in row.iter_unpack(room):
        pages[ino] = pages.get(ino, 0) + (nr if serial else 0)
    equal(f"{point}: readers: the last have a place",
          [pages.get(os.stat(path).st_ino) for path in many[8:]], [4, 4])
    os.close(ask.fd)
    for path in many:
        os.unlink(path)


def check_demand(point):
    """Bytes asked for and pages that were not there, of reads whose answers are known."""
    path, pages, d = f"{point}/asked", 4096, Demand()

    def asked(what, demanded, missed):
        got = d.between()
        ok(f"{point}: {what}: {demanded} pages are asked for, {missed} not there",
           0 <= got["demanded"] - demanded <= FEW and 0 <= got["missed"] - missed <= FEW, got)
        return got

    def whole(flags=0):
        buffers = [bytearray(1 << 16)]
        for at in range(0, pages * PAGE, 1 << 16):
            os.preadv(fd, buffers, at, flags)

    d.between()
    write(path, pages)
    got = asked("written", 0, 0)
    ok(f"{point}: written pages are inserted", pages <= got["inserted"], got)
    run("sync", path)
    emptied(path)
    with open(path, "rb", buffering=0) as f:
        fd = f.fileno()
        before = vmstat()
        d.between()
        whole()
        got = asked("nothing is cached", pages, pages)
        ok(f"{point}: what came and went is what nr_file_pages has grown by",
           abs(got["inserted"] - got["removed"] - (vmstat() - before)) <= FEW, (got, before))
        whole()
        asked("all is cached", pages, 0)
        for _ in range(1000):
            os.pread(fd, 1 << 20, pages * PAGE)
        asked("behind the end", 0, 0)
        whole(os.RWF_NOWAIT)
        asked("without waiting", pages, 0)
        with open("/dev/null", "wb") as null:
            left, at = pages * PAGE, 0
            while left:
                done = os.sendfile(null.fileno(), fd, at, left)
                left, at = left - done, at + done
        asked("sendfile", pages, 0)
        emptied(path)
        d.between()
        done = 0
        for at in range(0, pages * PAGE, 1 << 20):
            try:
                done += os.preadv(fd, [bytearray(1 << 20)], at, os.RWF_NOWAIT)
            except BlockingIOError:
                pass
        got = d.between()
        ok(f"{point}: of reads that would wait what they returned is asked for",
           0 <= got["demanded"] - done // PAGE <= FEW, (done, got))
        whole()  # what they began to read has come
        emptied(path)
        with mmap.mmap(fd, 1024 * PAGE, prot=mmap.PROT_READ) as m:
            m.madvise(mmap.MADV_RANDOM)
            d.between()
            for at in range(0, 1024 * PAGE, PAGE):
                m[at]  # pylint: disable=pointless-statement
        got = d.between()
        ok(f"{point}: a fault asks for a page",
           1024 <= got["demanded"] <= 2048 + FEW and 0 <= got["missed"] - 1024 <= FEW, got)
        # With the hooks of a tracked file on the same functions, both count.
        emptied(path)
        run("pcinspect", "track", path)
        d.between()
        whole()
        whole(os.RWF_NOWAIT)
        asked("and is tracked", 2 * pages, pages)
        equal(f"{point}: the file has the same", tool("reads", path)["files"][0]["reads"]["demanded_bytes"],
              2 * pages * PAGE)
        run("pcinspect", "untrack", path)
    equal("counted for one", info()["demand_users"], "1")
    # These are of all files: where a kretprobe has one list for all CPUs, each has its own.
    with open("/sys/devices/system/cpu/possible", encoding="ascii") as f:
        cpus = 1 + int(re.split("[-,]", f.read())[-1])
    with open("/sys/kernel/debug/kprobes/list", encoding="ascii") as f:
        equal("reads without waiting: kretprobes", sum("  filemap_read+" in line for line in f),
              1 + cpus * os.uname().release.startswith("6.1."))
    os.close(d.fd)
    equal("and for nobody", info()["demand_users"], "0")
    return path


def check_hits(point):
    """The hit ratio of the live view: read once from the disk, three times from memory."""
    check_readers(point)
    path = check_demand(point)
    pages = os.path.getsize(path) // PAGE
    emptied(path)
    sums = dict.fromkeys(("demanded_bytes", "missed_pages", "inserted_pages", "removed_pages"), 0)
    with open(path, "rb", buffering=0) as f, \
            subprocess.Popen(["pcinspect", "--json-lines", "--interval", "0.1"],
                             stdout=subprocess.PIPE, text=True) as p:
        m = json.loads(p.stdout.readline())["machine"]
        equal("hit_ratio: not known at the first tick", (m["hit_ratio"], m["demand"]), (None, None))
        for _ in range(4):
            for at in range(0, pages * PAGE, 1 << 16):
                os.pread(f.fileno(), 1 << 16, at)
        for _ in range(100):
            m = json.loads(p.stdout.readline())["machine"]
            demand = m["demand"]
            missed, demanded = demand["missed_pages"] * PAGE, demand["demanded_bytes"]
            equal("hit_ratio: what was not missed", m["hit_ratio"],
                  max(0, 1 - missed / demanded) if demanded else None)
            sums = {key: sums[key] + demand[key] for key in sums}
            if sums["demanded_bytes"] >= 4 * pages * PAGE:
                break
        p.terminate()
        p.stdout.read()
    # The program's own first faults are among them.
    ok("hit_ratio: three of four reads were hits",
       0 <= sums["demanded_bytes"] - 4 * pages * PAGE <= 4 * FEW * PAGE and
       0 <= sums["missed_pages"] - pages <= 4 * FEW and
       sums["inserted_pages"] >= sums["missed_pages"], sums)
    equal("hit_ratio: nobody looks", info()["demand_users"], "0")
    os.unlink(path)


def main():
    with mounted("ext4", "/dev/vdb", "/mnt/a"), mounted("xfs", "/dev/vdc", "/mnt/b"), \
            mounted("btrfs", "/dev/vdd", "/mnt/c"):
        check_ticks("/mnt/b")
        for point in "/mnt/a", "/mnt/b", "/mnt/c":
            check_hits(point)
    finish()


main()
