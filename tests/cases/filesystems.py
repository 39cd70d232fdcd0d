#!/usr/bin/env python3
# vm: --mem 1024 --disk 512 --disk 1 --disk 1 --virtiofs
# kernels: none
# soak: 6.1 6.12 7.2
# minutes: 3
# beside: ../../include/numbers_table.h ../fixtures/filesystems
"""filesystems.py - which number is right on which filesystem, and that none is wrong.

The same work, by programs that others wrote, on each filesystem; each number beside
what was asked for, mincore(2), cachestat(2), smaps or a sum. A number is right, or
unknown (?), or there is nothing to count (-). Any other is wrong and fails here. What
comes out has to be the table of this kernel beside the case, of which docs/filesystems.md
is made (tests/static/filesystems); it is left in $OUT.
"""
import contextlib
import ctypes
import json
import lzma
import mmap
import os
import re
import struct
import subprocess
import time
from check import (KERNEL, PAGE, SERIES, cachestat, equal, finish, libc, make_file, mincore,
                   mounted, ok, run, skip, stat, unflushed)
from remote import nfs_mounted, smb_mounted

MB = 1 << 20
PAGES = MB // PAGE
OUT = os.environ.get("OUT", "/tmp")
# The work on the file of that name; those of the first line exist before.
READ = {
    "read": "dd if=read of=/dev/null bs=64k",
    "mapped": "xfs_io -r -c 'mmap -r 0 1m' -c 'mread 0 1m' mapped",
    "wanted": "xfs_io -r -c 'fadvise -w 0 1m' wanted; sleep 0.3; "
              "xfs_io -r -c 'fadvise -d 0 1m' wanted",
}
READ_MORE = {
    "direct": "dd if=direct of=/dev/null bs=64k iflag=direct",
    "hole": "dd if=hole of=/dev/null bs=64k",
}
WRITE = {
    "synced": "dd if=/dev/zero of=synced bs=64k count=16 conv=fsync,notrunc",
    "deleted": "dd if=/dev/zero of=deleted bs=64k count=16 conv=fsync; rm deleted",
    "cut": "dd if=/dev/zero of=cut bs=64k count=16 conv=fsync; truncate -s 0 cut",
    "stored": "xfs_io -c 'mmap -rw 0 1m' -c 'mwrite 0 1m' -c 'msync -s 0 1m' stored",
    "dirty": "dd if=/dev/zero of=dirty bs=64k count=1",
}
WRITE_PAST = {
    "past": "dd if=/dev/zero of=past bs=64k count=16 oflag=direct conv=notrunc",
    "mixed": "dd if=/dev/zero of=mixed bs=64k count=16 conv=notrunc; "
             "dd if=mixed of=/dev/null bs=64k iflag=direct; "
             "dd if=/dev/zero of=mixed bs=64k count=16 oflag=direct conv=notrunc",
}
ALL = READ | READ_MORE | WRITE | WRITE_PAST
THERE = ("read", "mapped", "wanted", "direct", "stored")


def at(file, path):
    """A number of a file, by its place in the JSON; None as well where its section is."""
    for key in re.findall(r"\w+", path):
        if file is None:
            return None
        file = file[int(key)] if key.isdigit() else file.get(key)
    return file


def numbers_of_table():
    """Each row of numbers_table.h in the JSON: its name and place."""
    with open("numbers_table.h", encoding="ascii") as f:
        rows = re.findall(r'^NUMBER\((\w+), "\w+", (?:"\w+"|NULL), \w+, \w+, \w+,\s*'
                          r'"([^" ]*)[^"]*"', f.read(), re.M)
    return dict(rows)


PLACES = numbers_of_table()


def family(*prefixes):
    return [n for n in PLACES if n.startswith(prefixes)]


def total(file, names):
    """A sum; what is unknown is none of it."""
    return sum(at(file, PLACES[n]) or 0 for n in names)


def flagged(path, bit):
    """Cached pages of a file that have a flag in kpageflags (4: dirty)."""
    with open(path, "rb") as f, open("/proc/self/pagemap", "rb") as pagemap, \
            open("/proc/kpageflags", "rb") as flags:
        size = os.lseek(f.fileno(), 0, os.SEEK_END)
        start = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, f.fileno(), 0)
        nr = 0
        for page in range(start, start + size, PAGE):
            ctypes.string_at(page, 1)
            entry, = struct.unpack("Q", os.pread(pagemap.fileno(), 8, page // PAGE * 8))
            frame = os.pread(flags.fileno(), 8, (entry & ((1 << 55) - 1)) * 8)
            nr += struct.unpack("Q", frame)[0] >> bit & 1
        libc.munmap(start, size)
    return nr


def adds_up(pages, f):
    """Is it what was written? All that is not known may be by fsync(2)."""
    written = f["dirty"]["written_pages"]
    known = at(f, PLACES["BY_FSYNC"]) is not None
    return pages == written if known else 0 <= pages <= written


def gone_of(f):
    return at(f, "reads.inserted_pages") - (at(f, "pages.cached") or 0)


LISTS = ["ACTIVE", "INACTIVE", "UNEVICTABLE", "OFF_LRU"]
GENS = ["GEN0", "GEN1", "GEN2", "GEN3"]
AGES = ["UNKNOWN_AGE_PAGES", *family("LE_")]
WRITTEN_AGES = ["WRITTEN_UNKNOWN_AGE_PAGES", *family("WRITTEN_LE_")]
BY_OTHERS = ["BY_BACKGROUND", "BY_PERIODIC", "BY_SYNC", "BY_FADVISE", "BY_FLUSHER"]
# Numbers, of which file, what they are held against in words, and how: by the value,
# its file and the row. "now": of "read", and "dirty now" of "dirty", after the run.
HELD = [
    (["CACHED"], "now", "mincore(2)", lambda v, f, r: r.same("read", v)),
    (LISTS, "now", "their sum is cached", lambda v, f, r: r.same("read", total(f, LISTS))),
    (["NRPAGES", "NRPAGES_BEFORE"], "now", "mincore(2)", lambda v, f, r: r.same("read", v)),
    (["MOVED_PAGES"], "now", "0", lambda v, f, r: v == 0),
    (["MAPPED"], "now", "Rss of smaps", lambda v, f, r: v == r.rss),
    (["REFERENCED", "WORKINGSET"], "now", "at most cached",
     lambda v, f, r: v <= total(f, ["CACHED"])),
    (["EVICTED"], "now", "cachestat(2)", lambda v, f, r: v == r.oracle["evicted"]),
    (GENS, "now", "their sum is active + inactive",
     lambda v, f, r: total(f, GENS) == total(f, LISTS[:2])),
    (["WRITEBACK"], "now", "cachestat(2)", lambda v, f, r: v == r.oracle["writeback"] == 0),
    (["DIRTY"], "dirty now", "cachestat(2), kpageflags on 6.1", lambda v, f, r: v == r.dirty_oracle),
    (["INSERTED", "REMOVED"], "read", "their difference is cached",
     lambda v, f, r: total(f, ["INSERTED"]) - total(f, ["REMOVED"]) == f["pages"]["cached"]),
    (["DEMANDED_BYTES", "DEVICE_BYTES"], "read", "1 MiB", lambda v, f, r: v == MB),
    (["FAULTS"], "mapped", "1 to 256", lambda v, f, r: 0 < v <= PAGES),
    # With advice: reads.py.
    (["UNPROTECTED_FAULTS"], "mapped", "0", lambda v, f, r: v == 0),
    (["INSERTED_SYNC", "INSERTED_ASYNC"], "read", "their sum is mincore(2)",
     lambda v, f, r: r.came("read", total(f, ["INSERTED_SYNC", "INSERTED_ASYNC"]))),
    (["INSERTED_AROUND"], "mapped", "with those two it is mincore(2)",
     lambda v, f, r: v > 0 and r.came("mapped", total(
         f, ["INSERTED_SYNC", "INSERTED_ASYNC", "INSERTED_AROUND"]))),
    (["INSERTED_FORCED"], "wanted", "all that was inserted, 1 to 256",
     lambda v, f, r: 0 < v == f["reads"]["inserted_pages"] <= PAGES + r.more),
    (["INSERTED_WRITE"], "synced", "256", lambda v, f, r: v == PAGES),
    (["INSERTED_OTHER", "EXPANDED_PAGES"], "read", "0", lambda v, f, r: v == 0),
    (["HOLE_PAGES"], "hole", "256", lambda v, f, r: v == PAGES),
    (["REFAULT_PAGES", "UNUSED_UNKNOWN_PAGES", "REMOVED_RECLAIM", "REMOVED_TRIM",
      "REMOVED_OTHER"], "read", "0", lambda v, f, r: v == 0),
    (["WASTED_PAGES", "REMOVED_INVALIDATE"], "wanted", "inserted less cached",
     lambda v, f, r: v == gone_of(f)),
    (["REMOVED_TRUNCATE"], "cut", "256", lambda v, f, r: v == PAGES),
    (["REMOVED_EVICT"], "deleted", "inserted less cached and less invalidated",
     lambda v, f, r: v == gone_of(f) - f["reads"]["removed"]["invalidate"]),
    # What is not read past the cache is read through it (btrfs on 7.2, where the
    # memory that is read into is not there yet).
    (["DIRECT_READ_BYTES"], "direct", "1 MiB less demanded_bytes",
     lambda v, f, r: v == MB - f["reads"]["demanded_bytes"] > MB // 2),
    (["DIRECT_WRITE_BYTES"], "past", "1 MiB", lambda v, f, r: v == MB),
    (["DIRECT_FLUSHED_PAGES", "DIRECT_INVALIDATED_PAGES"], "mixed", "256",
     lambda v, f, r: v == PAGES),
    (["WRITTEN_PAGES", "DIRTIED_PAGES", "ENDED_PAGES"], "synced", "256",
     lambda v, f, r: v == PAGES),
    (WRITTEN_AGES, "synced", "their sum is written",
     lambda v, f, r: total(f, WRITTEN_AGES) == f["dirty"]["written_pages"]),
    (["WRITE_BYTES"], "deleted", "1 MiB", lambda v, f, r: v == MB == total(
        r.files["synced"], ["WRITE_BYTES"])),
    (["DEVICE_WRITE_BYTES"], "synced", "1 MiB", lambda v, f, r: v == MB),
    (["DIRTIED_LARGE_PAGES"], "synced", "at most dirtied", lambda v, f, r: v <= PAGES),
    (["REDIRTIED_PAGES", "BY_RECLAIM", "BY_OTHER", *family("THROTTLE")], "synced", "0",
     lambda v, f, r: v == 0),
    (BY_OTHERS, "synced", "with by_fsync, if known, their sum is written",
     lambda v, f, r: adds_up(total(f, [*BY_OTHERS, "BY_FSYNC"]), f)),
    (["BY_FSYNC"], "synced", "1 to 256", lambda v, f, r: 0 < v <= PAGES),
    (["BY_DIRECT"], "mixed", "256", lambda v, f, r: v == PAGES),
    (["WRITEBACK_NS"], "synced", "more than 0, at most the run's time for each page",
     lambda v, f, r: 0 < v <= r.took_ns * PAGES),
    (["MAPPED_DIRTIED_PAGES"], "stored", "256", lambda v, f, r: v == PAGES),
    (["FSYNCS_TOTAL"], "synced", "1", lambda v, f, r: v == 1),
    (["WINDOWS_TOTAL"], "read", "as many as are listed, with all that was inserted",
     lambda v, f, r: v == len(f["readahead"]["windows"]) and r.came("read", sum(
         w["inserted_pages"] for w in f["readahead"]["windows"]))),
    (["WINDOWS_DROPPED"], "read", "0", lambda v, f, r: v == 0),
    (["OLDEST_MS", "INODE_AGE_MS"], "dirty", "at most the run's time",
     lambda v, f, r: v * 1000000 <= r.took_ns),
    (AGES, "dirty", "their sum is dirty",
     lambda v, f, r: total(f, AGES) == f["dirty"]["pages"]),
]


class Row:
    """One filesystem: the work in a run, and what came out.

    @point: where; @steps: the work, by file; @other: numbers that have to be something
    else here: a value, or a function as those above; @below: the mount whose files
    count, "": none is named; @real: where what was written is; @names: of its files, if
    not the same; @unlisted: files that a run does not list here, as no hook sees them;
    @more: pages past the end that may be cached, and never get filled: mincore(2) does
    not see them; @kept: the cache outlives an open(2); @cut: pages inserted of a file that
    is written and cut, if not those that are written."""

    def __init__(self, label, point, steps, other=(), below=None, real=None, names=(),
                 unlisted=(), more=0, kept=True, cut=PAGES):
        self.label, self.point, self.steps, self.names = label, point, steps, dict(names)
        self.unlisted, self.more, self.kept = unlisted, more, kept
        run("sync")
        began = time.monotonic_ns()
        p = subprocess.run(["pcinspect", "run", "--json", *(["-m", below or point]
                                                            if below != "" else []),
                            "--", "sh", "-ec", f"cd {point}; exec >/dev/null 2>&1\n" +
                            "\n".join(steps.values())], stdout=subprocess.PIPE, check=True)
        self.took_ns = time.monotonic_ns() - began
        report = json.loads(p.stdout)
        bad = [a for a in report["audit"] if not a["ok"]]
        ok(f"{label}: no audit fails", not bad, bad)
        self.files = {os.path.basename(f["path"]): f for f in report["files"] if f["path"]}
        for name, other_name in self.names.items():
            self.files[name] = self.files.pop(other_name)
        # Where a filesystem renames and removes by functions of its own the name is unknown;
        # on NFS the inode may live on, and is not known to be deleted.
        for f in report["files"]:
            if f["path"] is None:
                self.files.setdefault("deleted", f)
        if "cut" in steps and "cut" in self.files:
            # The number of what was deleted before is given again.
            came = at(self.files["cut"], "reads.inserted_pages")
            ok(f"{label}: cut: nothing of another file", came in (PAGES, cut), came)
        self.look(real or point)
        other = dict(other)
        self.cells = {number: self.cell(number, where, other.get(number, right))
                      for numbers, where, _, right in HELD for number in numbers}

    def look(self, real):
        """The numbers now, and those of other sources."""
        path = f"{self.point}/{self.names.get('read', 'read')}"
        self.cached = {n: mincore(f"{self.point}/{self.names.get(n, n)}")
                       for n in ("read", "mapped") if n in self.steps}
        with open(path, "rb") as f:
            size = os.lseek(f.fileno(), 0, os.SEEK_END)
            m = mmap.mmap(f.fileno(), size, prot=mmap.PROT_READ)
            for page in range(0, size, PAGE):
                m[page]
            self.files["now"] = stat(path)
            with open("/proc/self/smaps", encoding="utf-8") as smaps:
                text = smaps.read()
            self.rss = int(re.search(rf" {path}\n(?:.*\n)*?Rss: *(\d+) kB", text)[1]) * 1024 // PAGE
            self.cached["read"] = mincore(path)
            m.close()
        self.oracle = cachestat(path) or {"evicted": 0, "writeback": 0}
        if "dirty" in self.steps:
            oracle = cachestat(f"{real}/dirty")
            self.files["dirty now"] = stat(f"{real}/dirty")
            self.dirty_oracle = oracle["dirty"] if oracle else flagged(f"{real}/dirty", 4)

    def same(self, name, pages):
        """Is it what is cached of a file?"""
        return pages in (self.cached[name], self.cached[name] + self.more)

    def came(self, name, pages):
        """Is it what was cached of a file?"""
        return self.same(name, pages) if self.kept else pages == PAGES

    def cell(self, number, where, right):
        if where.split()[0] not in {*self.steps, "now"}:
            return "-"
        if where in self.unlisted:
            equal(f"{self.label}: {where} is in no report", where in self.files, False)
            return "?"
        file = self.files.get(where)
        if file is None:
            ok(f"{self.label}: {where} is in the report", False, list(self.files))
            return "WRONG"
        value = at(file, PLACES[number])
        if value is None:
            return "?"
        try:
            good = right(value, file, self) if callable(right) else value == right
        except (KeyError, TypeError) as e:
            good, value = False, f"{value}, {e!r}"
        ok(f"{self.label}: {number}", good,
           f"{value}; {self.cached}; {self.rss}; {file.get('reads')}; {file.get('direct')}")
        return "right" if good else "WRONG"


class NotRun:
    """A filesystem that cannot be mounted here, and why."""

    def __init__(self, label, why):
        skip(label, why)
        self.label = label
        self.cells = dict.fromkeys(PLACES, "not run")


def files_on(point, steps=ALL):
    for name in THERE:
        if name in steps:
            make_file(f"{point}/{name}", MB)
    if "hole" in steps:
        with open(f"{point}/hole", "wb") as f:
            f.truncate(MB)
            os.fsync(f.fileno())


@contextlib.contextmanager
def prepared(fs, device="/dev/vdb", point="/mnt/t"):
    """A fresh filesystem whose files are not cached."""
    with mounted(fs, device, point, "noatime"):
        files_on(point)
        run("umount", point)
        run("mount", "-o", "noatime", device, point)
        yield point


@contextlib.contextmanager
def image(fs, point="/mnt/t"):
    """One that was made elsewhere: there is no mkfs of it here."""
    with lzma.open(f"filesystems/{fs}.img.xz") as f, open("/dev/vdb", "wb") as disk:
        disk.write(f.read())
        os.fsync(disk.fileno())
    if fs == "f2fs":
        run("mount", "-t", fs, "/dev/vdb", point)
        files_on(point)
        run("umount", point)
    run("mount", "-t", fs, "-o", "noatime", "/dev/vdb", point)
    yield point
    run("umount", point)


def past_sums():
    """btrfs: a file whose blocks have sums is written through the cache since 6.15 (and
    6.12.25), even with O_DIRECT; nothing of it is lost."""
    with prepared("btrfs") as point:
        for name in ("past", "mixed"):
            run("touch", f"{point}/{name}")
            run("chattr", "+C", f"{point}/{name}")
        row = Row("btrfs", point, ALL | {
            "summed": "dd if=/dev/zero of=summed bs=64k count=16 oflag=direct"})
    summed = row.files["summed"]
    equal("btrfs: O_DIRECT on a file with sums: past the cache, or through it",
          summed["direct"]["write_bytes"] + summed["writeback"]["write_bytes"], MB)
    return row


def on_disks():
    for fs in ("ext4", "xfs"):
        with prepared(fs) as point:
            yield Row(fs, point, ALL)
    yield past_sums()
    with image("f2fs") as point:
        # A new file's first page is made when its inline data is moved out, before the write.
        yield Row("f2fs", point, ALL, {"INSERTED_WRITE": lambda v, f, r: v == PAGES - 1 and
                                       f["reads"]["inserted"]["other"] == 1})
    with image("erofs") as point:
        yield Row("erofs", point, READ)
    # Its cache lives as long as somebody has it open.
    with open("/dev/vdc", "rb"), open("/dev/vdd", "rb"):
        yield Row("block device", "/dev", {
            "read": "dd if=vdc of=/dev/null bs=64k",
            "synced": "dd if=/dev/zero of=vdd bs=64k count=16 conv=fsync,notrunc"},
                  below="", names={"read": "vdc", "synced": "vdd"})


def on_ext4():
    """Filesystems on a directory, or a file, of another one."""
    with prepared("ext4") as low:
        for name in ("upper", "work", "lower"):
            os.makedirs(f"{low}/{name}")
        for name in (*READ, *READ_MORE, "stored"):
            os.rename(f"{low}/{name}", f"{low}/lower/{name}")
        run("modprobe", "-q", "overlay")
        os.makedirs("/mnt/merged", exist_ok=True)
        run("mount", "-t", "overlay", "-o",
            f"lowerdir={low}/lower,upperdir={low}/upper,workdir={low}/work", "overlay",
            "/mnt/merged")
        yield Row("overlayfs", "/mnt/merged", {k: v for k, v in ALL.items() if k != "stored"},
                  below=low, real=f"{low}/upper")
        run("umount", "/mnt/merged")
        run("mksquashfs", f"{low}/lower", f"{low}/image", "-noappend", "-quiet", "-b", "128K",
            "-no-progress")
        os.makedirs("/mnt/sq", exist_ok=True)
        run("mount", "-o", "loop,ro", f"{low}/image", "/mnt/sq")
        yield Row("squashfs", "/mnt/sq", READ, {
            "EXPANDED_PAGES": lambda v, f, r: v <= PAGES + 32,
            "DEVICE_BYTES": lambda v, f, r: MB <= v < MB + 64 * 1024}, more=32)
        run("umount", "/mnt/sq")


def fuse(label, point):
    """Who opens a file empties its cache, so what is inserted is not there now; and it
    writes through: nothing is dirty, but by stores."""
    return Row(label, point, ALL, {
        **dict.fromkeys(("DIRTIED_PAGES", "WRITTEN_PAGES", "ENDED_PAGES", "WRITEBACK_NS"), 0),
        # truncate(1) opens it.
        "REMOVED_TRUNCATE": lambda v, f, r: v == 0 and
        f["reads"]["removed"]["invalidate"] == PAGES},
               unlisted=("direct", "past"), kept=False)


def without_a_disk():
    os.makedirs("/mnt/shm", exist_ok=True)
    run("mount", "-t", "tmpfs", "tmpfs", "/mnt/shm")
    steps = {k: ALL[k] for k in ("read", "mapped", *WRITE)}
    files_on("/mnt/shm", steps)
    yield Row("tmpfs", "/mnt/shm", steps, unlisted=steps)
    run("umount", "/mnt/shm")
    with prepared("ext4", point="/mnt/low") as low, nfs_mounted(low) as point:
        yield Row("NFS 4.2", point, ALL, unlisted=("direct", "past"))
    with prepared("ext4", point="/mnt/low") as low:
        os.makedirs("/mnt/fuse", exist_ok=True)
        subprocess.run(["modprobe", "-q", "fuse"], check=False)  # may be built in
        run("bindfs", low, "/mnt/fuse")
        row = fuse("FUSE", "/mnt/fuse")
        equal("FUSE: cached, before it was opened again", row.files["read"]["pages"]["cached"],
              PAGES)
        yield row
        run("umount", "/mnt/fuse")
        time.sleep(1)           # the server lets go of what is below
    point = "/share/9p"         # how the guest was started: without a cache
    os.makedirs(point)
    steps = {k: v for k, v in ALL.items() if k != "stored"}
    files_on(point, steps)
    yield Row("9p", point, steps, below="/share", unlisted=steps)
    os.makedirs("/mnt/virtiofs", exist_ok=True)
    subprocess.run(["modprobe", "-q", "virtiofs"], check=False)     # may be built in
    virtiofs = ("mount", "-t", "virtiofs", "-o", "noatime", "virtiofs", "/mnt/virtiofs")
    run(*virtiofs)
    files_on("/mnt/virtiofs")
    run("umount", "/mnt/virtiofs")
    run(*virtiofs)
    yield fuse("virtiofs", "/mnt/virtiofs")
    run("umount", "/mnt/virtiofs")
    if KERNEL.startswith("6.1."):
        yield NotRun("CIFS", "ksmbd.mountd of its release (3.4.7) answers this kernel with "
                     "what it takes for no share at all")
        return
    with prepared("ext4", point="/mnt/low") as low, smb_mounted(low) as point:
        # Who opens a file may empty its cache: truncate(1) does. Cutting a file gets the page
        # where it ends then (cifs_truncate_page(), fs/smb/client/inode.c; not on 7.2).
        yield Row("CIFS", point, ALL, {
            "REMOVED_TRUNCATE": lambda v, f, r: v + f["reads"]["removed"]["invalidate"] == PAGES},
                  unlisted=("direct", "past"), kept=False, cut=PAGES + 1)


def table(rows):
    """A line for each number, its cells between tabs."""
    yield ["number", "file", "held against", *(r.label for r in rows)]
    for numbers, where, words, _ in HELD:
        for n in numbers:
            yield [PLACES[n], where, words, *(r.cells[n] for r in rows)]


def main():
    held = sorted(n for numbers, _, _, _ in HELD for n in numbers)
    equal("every number of the JSON is held against something", held, sorted(PLACES))
    with unflushed():
        rows = [*on_disks(), *on_ext4(), *without_a_disk()]
    lines = ["\t".join(line) for line in table(rows)]
    name = f"{SERIES}.tsv"
    with open(f"{OUT}/{name}", "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    try:
        with open(f"filesystems/{name}", encoding="utf-8") as f:
            known = f.read().splitlines()
    except FileNotFoundError:
        known = []
    different = [line for line in lines if line not in known]
    ok("the table is what came out", lines == known, different[:3])
    finish()


main()
