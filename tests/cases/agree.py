#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# minutes: 3
"""agree.py - debugfs and the command line say the same of every number, "?" and
null included.

Files that were read, written, mapped, truncated and fsynced, on ext4, xfs, btrfs,
tmpfs, squashfs and overlayfs. Every column of inodes, reads, dirty, fsync and
readahead, and every line of inode/*/…, has to be found in the JSON: a number that one
side lacks fails. Where a number stands is written here again, not taken from
include/numbers_table.h: a wrong row there would be wrong in both. Nothing may move
meanwhile: debugfs is read before and after the JSON and has to be the same, but for
what time alone moves.
"""
import mmap
import os
import re
import subprocess
from check import DEBUGFS, drain, equal, finish, make_file, mounted, ok, run, tool, unflushed

MB = 1 << 20
USES = ("read", "written", "mapped", "cut", "fsynced")
BOUNDS = [10, 100, 500, 1000, 2000, 5000, 10000, 30000, 60000, None]

# Columns that are no numbers, and what only time moves.
WHO = {"inode", "i_generation", "fs", "kind", "path"}
LRU_ONLY = {"dev", "ino", "i_generation", "fs", "size_bytes", "time_ns", "since_ns",
            "aged_during_walk", "nrpages", "nrpages_before", "moved_pages"}


def ages(name):
    """Which bucket, of a name that ends in le_N_ms."""
    bound = name.rsplit("le_", 1)[1][:-3]
    return BOUNDS.index(None if bound == "inf" else int(bound))


def place(file, name):
    """Where JSON has a number of a debugfs file: keys and indexes."""
    rules = [
        (r"(cached|active|inactive|unevictable|off_lru|dirty|writeback|mapped|referenced|"
         r"workingset|evicted|nrpages|nrpages_before|moved_pages)$", lambda m: ["pages", name]),
        (r"gen(\d)$", lambda m: ["lru_generations", int(m[1]), "pages"]),
        (r"(inserted|removed)$", lambda m: ["record", f"{name}_pages"]),
        (r"(inserted|removed)_(\w+)$", lambda m: ["reads", m[1], m[2]]),
        (r"direct_(\w+)$", lambda m: ["direct", m[1]]),
        (r"le_", lambda m: ["dirty", "ages", ages(name), "pages"]),
        (r"written_le_", lambda m: ["dirty", "written_ages", ages(name), "pages"]),
        (r"(oldest_ms|unknown_age_pages|written_unknown_age_pages)$", lambda m: ["dirty", name]),
        (r"by_(\w+)$", lambda m: ["writeback", "reasons", m[1]]),
        (r"throttles$", lambda m: ["writeback", "throttled", "pauses"]),
        (r"throttled_(\w+_ns)$", lambda m: ["writeback", "throttled", m[1]]),
    ]
    for pattern, keys in rules:
        m = re.match(pattern, name)
        if m:
            return keys(m)
    return ["writeback" if file == "dirty" else "reads", name]


MISSING = object()


def at(entry, keys):
    """A value of the JSON; what is below null is null."""
    for key in keys:
        if entry is None:
            return None
        if isinstance(key, int):
            entry = entry[key] if key < len(entry) else MISSING
        else:
            entry = entry.get(key, MISSING)
        if entry is MISSING:
            return MISSING
    return entry


def number(word):
    return None if word == "?" else int(word)


def table(file):
    """A debugfs table: the lines as dicts, by inode."""
    with open(f"{DEBUGFS}/{file}", encoding="utf-8") as f:
        lines = [line.rstrip("\n").split(" ") for line in f]
    rows = {}
    for line in lines[1:]:
        row = dict(zip(lines[0], line))
        rows.setdefault(row["inode"], []).append(row)
    return rows


def lines_of(path):
    """KEY: VALUE lines up to the first that is none; keys that repeat are lists."""
    out = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            key, colon, value = line.rstrip("\n").partition(": ")
            if not colon:
                break
            out.setdefault(key, []).append(value)
    return out


def only_time(name):
    """Does time alone move it?"""
    return name in ("oldest_ms", "time_ns", "interval_ns") or name.startswith("le_")


def compare(label, file, row, entry, skip=()):
    """Every number of a line against the JSON."""
    wrong, unknown = [], 0
    for name, word in row.items():
        if name in WHO or name in skip:
            continue
        got, want = at(entry, place(file, name)), number(word)
        unknown += want is None
        if only_time(name) and got is not MISSING and (got is None) == (want is None):
            continue
        if got is MISSING or got != want:
            wrong.append(f"{name}: {word} in debugfs, "
                         f"{'not there' if got is MISSING else got} in JSON")
    ok(f"{label}: {len(row)} columns of {file}, {unknown} unknown", not wrong,
       "; ".join(wrong))
    return unknown


CALL = {"requested": "requested_pages", "planned": "planned_pages", "async": "async_pages",
        "inserted": "inserted_pages", "expanded": "expanded_pages", "call": "kind",
        "log_requests": ("log", "requests"), "log_bytes": ("log", "bytes")}


def sizes(call):
    if call["request_sizes"] is None:
        return "?"
    return ",".join(f"{'?' if s['bytes'] is None else s['bytes']}*{s['requests']}"
                    for s in call["request_sizes"]) or "-"


def compare_list(label, file, rows, entries):
    """Lines of a history against the list of the JSON."""
    wrong = []
    if len(rows) != len(entries or []):
        wrong.append(f"{len(rows)} lines, {len(entries or [])} in JSON")
    for row, entry in zip(rows, entries or []):
        for name, word in row.items():
            if name in WHO:
                continue
            if name == "sizes":
                got = sizes(entry)
            else:
                keys = CALL.get(name, name)
                got = at(entry, keys if isinstance(keys, tuple) else (keys,))
            if (got is MISSING or
                    ("?" if got is None else str(got).replace(" ", "\\040")) != word):
                wrong.append(f"{name}: {word}, JSON {got}")
    ok(f"{label}: {len(rows)} lines of {file}", not wrong, "; ".join(wrong[:9]))


def folder(label, name, entry):
    """The files of inode/NAME/."""
    where = f"{DEBUGFS}/inode/{name}"
    lru = lines_of(f"{where}/lru")
    compare(label, "lru", {k: v[0] for k, v in lru.items() if k not in LRU_ONLY or
                           k in ("nrpages", "nrpages_before", "moved_pages")}, entry)
    equal(f"{label}: size in lru", lru["size_bytes"], [str(entry["size_bytes"])])
    reads = lines_of(f"{where}/reads")
    tasks = reads.pop("task", [])
    listed = {"evicted_by", "removed_by", "interval_ns"}
    compare(f"{label}, folder", "reads", {k: v[0] for k, v in reads.items() if k not in listed},
            entry)
    want = [f"{t['pid']} {t['comm']} {t['demanded_bytes']} "
            f"{'?' if t['device_bytes'] is None else t['device_bytes']} {t['inserted_pages']}"
            for t in entry["tasks"] or []]
    equal(f"{label}: tasks", tasks, want)
    for what, keys in (("removed_by", ("pages", "pid", "comm", "how")),):
        want = [" ".join(str(r[k]) for k in keys) for r in (entry["reads"] or {}).get(what, [])]
        equal(f"{label}: {what}", reads.get(what, []), want)
    for file in ("dirty", "fsync", "readahead"):
        with open(f"{where}/{file}", encoding="utf-8") as f:
            lines = [line.rstrip("\n").split(" ") for line in f]
        rows = [dict(zip(lines[0], line)) for line in lines[1:]]
        if file == "dirty":
            compare(f"{label}, folder", file, rows[0], entry)
        else:
            section = entry["fsync" if file == "fsync" else "readahead"]
            compare_list(f"{label}, folder", file, rows, section and
                         section["calls" if file == "fsync" else "windows"])


def still(rows):
    """The values that must not have changed: without those that only time changes."""
    return [[{k: v for k, v in row.items() if not only_time(k)} for row in rows[inode]]
            for inode in sorted(rows)]


def check(label, path, below=None):
    """Everything of one tracked file; @below is the name the pages belong to."""
    for _ in range(5):
        before = {f: table(f) for f in ("inodes", "reads", "dirty", "fsync", "readahead")}
        entry = tool("stat", path)["files"][0]
        after = {f: table(f) for f in before}
        key = f"{entry['dev']}:{entry['ino']}"
        quiet = all(still({key: before[f].get(key, [])}) == still({key: after[f].get(key, [])})
                    for f in before)
        if quiet:
            break
    ok(f"{label}: nothing moved", quiet, "debugfs changed meanwhile")
    if not ok(f"{label}: one line", len(after["inodes"].get(key, [])) == 1,
              f"{key}: {after['inodes'].keys()}"):
        return
    for file in ("inodes", "reads", "dirty"):
        compare(label, file, after[file][key][0], entry)
    compare_list(label, "fsync", after["fsync"].get(key, []),
                 entry["fsync"] and entry["fsync"]["calls"])
    compare_list(label, "readahead", after["readahead"].get(key, []),
                 entry["readahead"] and entry["readahead"]["windows"])
    folder(label, key, entry)
    if below:
        equal(f"{label}: pages are of", entry["real_path"], below)


def read(path):
    subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)


def mapped(path, write):
    """Read, or write, a page of each 64 KiB by a mapping."""
    fd = os.open(path, os.O_RDWR if write else os.O_RDONLY)
    prot = mmap.PROT_READ | (mmap.PROT_WRITE if write else 0)
    with mmap.mmap(fd, os.fstat(fd).st_size, prot=prot) as m:
        for at_byte in range(0, len(m), 65536):
            if write:
                m[at_byte] = 1
            else:
                _ = m[at_byte]
    os.close(fd)


def use(mnt):
    """Five files, each used in its own way; some stay dirty."""
    for name in USES:
        make_file(f"{mnt}/{name}", 2 * MB)
    run("pcinspect", "track", *(f"{mnt}/{name}" for name in USES))
    read(f"{mnt}/read")
    with open(f"{mnt}/written", "r+b") as f:
        f.write(b"x" * MB)
    mapped(f"{mnt}/mapped", False)
    mapped(f"{mnt}/mapped", True)
    read(f"{mnt}/cut")
    os.truncate(f"{mnt}/cut", MB + 100)
    with open(f"{mnt}/fsynced", "r+b") as f:
        for part in range(3):
            f.seek(part * 300000)
            f.write(b"y" * 100000)
            f.flush()
            (os.fdatasync if part == 1 else os.fsync)(f.fileno())
    with open(f"{mnt}/fsynced", "r+b") as f:
        f.write(b"z" * 5000)
    drain()


def all_of(fs, mnt):
    use(mnt)
    for name in USES:
        check(f"{fs} {name}", f"{mnt}/{name}")
    run("pcinspect", "untrack", *(f"{mnt}/{name}" for name in USES))


def squashed():
    """A filesystem that is only read."""
    os.makedirs("/tmp/tree", exist_ok=True)
    make_file("/tmp/tree/read", 2 * MB)
    make_file("/tmp/tree/mapped", 2 * MB)
    run("mksquashfs", "/tmp/tree", "/tmp/image", "-noappend", "-quiet")
    run("dd", "if=/tmp/image", "of=/dev/vdc", "bs=1M", "status=none")
    os.makedirs("/mnt/s", exist_ok=True)
    run("mount", "-t", "squashfs", "-o", "ro", "/dev/vdc", "/mnt/s")
    run("pcinspect", "track", "/mnt/s/read", "/mnt/s/mapped")
    read("/mnt/s/read")
    mapped("/mnt/s/mapped", False)
    drain()
    check("squashfs read", "/mnt/s/read")
    check("squashfs mapped", "/mnt/s/mapped")
    run("pcinspect", "untrack", "/mnt/s/read", "/mnt/s/mapped")
    run("umount", "/mnt/s")


def overlaid(mnt):
    """An overlay's files are those below."""
    for name in "lower", "upper", "work", "both":
        os.makedirs(f"{mnt}/{name}", exist_ok=True)
    make_file(f"{mnt}/lower/read", 2 * MB)
    make_file(f"{mnt}/lower/written", 2 * MB)
    run("mount", "-t", "overlay", "-o",
        f"lowerdir={mnt}/lower,upperdir={mnt}/upper,workdir={mnt}/work", "overlay", f"{mnt}/both")
    with open(f"{mnt}/both/written", "r+b") as f:
        f.write(b"x" * 4096)
    run("pcinspect", "track", f"{mnt}/both/read", f"{mnt}/both/written")
    read(f"{mnt}/both/read")
    with open(f"{mnt}/both/written", "r+b") as f:
        f.write(b"w" * 100000)
    drain()
    check("overlayfs read", f"{mnt}/both/read")
    check("overlayfs written", f"{mnt}/both/written")
    run("pcinspect", "untrack", f"{mnt}/both/read", f"{mnt}/both/written")
    run("umount", f"{mnt}/both")


for kind in "ext4", "xfs", "btrfs":
    with mounted(kind) as where, unflushed():
        all_of(kind, where)
        if kind == "ext4":
            overlaid(where)
os.makedirs("/mnt/tmpfs", exist_ok=True)
run("mount", "-t", "tmpfs", "tmpfs", "/mnt/tmpfs")
all_of("tmpfs", "/mnt/tmpfs")
run("umount", "/mnt/tmpfs")
squashed()
finish()
