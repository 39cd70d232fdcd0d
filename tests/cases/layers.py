#!/usr/bin/env python3
# vm: --mem 1024 --disk 96 --disk 96 --disk 96 --disk 256
# minutes: 2
"""layers.py - numbers of files on disks that are made of others, and on filesystems
without a disk.

The same programs, which others wrote, work on a filesystem on top of device mapper
(linear over two disks, crypt, thin, multipath), md (RAID1, RAID5) and loop; over NFS
and FUSE. A file's bytes and each device's are those of /proc/diskstats
for every layer, to the byte; or unknown. No audit may fail.
"""
import contextlib
import json
import os
import re
import subprocess
import time
from check import PAGE, entry, equal, finish, make_file, ok, run, setting
from remote import nfs_mounted

KB, MB = 1 << 10, 1 << 20
DISK = 64 * MB
SECTORS = DISK // 512
OFTEN = 512 * KB
MOUNT = "noatime,no_prefetch_block_bitmaps"     # nothing is read but what was asked for
FILES = ("read", "mapped", "direct")
WORK = """cd {point} && exec >/dev/null 2>&1 || exit 1
dd if=read of=/dev/null bs=64k
xfs_io -r -c 'mmap -r 0 1m' -c 'mread 0 1m' mapped
dd if=direct of=/dev/null bs=64k iflag=direct
dd if=/dev/zero of=past bs=64k count=16 oflag=direct
dd if=/dev/zero of=synced bs=64k count=16 conv=fsync
fio --name=f --filename=often --rw=randwrite --bs=64k --size=512k --fsync=2 --thread \\
    --fallocate=none
dd if=read of=/dev/null bs=64k
sync -f .
"""
READS = ("file_bytes", "other_file_bytes", "metadata_bytes", "direct_bytes",
         "swap_bytes", "unattributed_bytes")
WRITES = ("write_file_bytes", "write_other_file_bytes", "write_direct_bytes",
          "write_swap_bytes", "write_log_bytes")


# --- the work, and what it has to have done -------------------------------------
def diskstats():
    """Bytes read and written of each device, by name."""
    with open("/proc/diskstats", encoding="ascii") as f:
        return {w[2]: (int(w[5]) * 512, int(w[9]) * 512) for w in map(str.split, f)}


class Worked:
    """The work in a run: its report, and what each device counted meanwhile."""

    def __init__(self, label, *points):
        self.label = label
        run("sync")
        time.sleep(0.5)             # md says that the array is clean
        before = diskstats()
        p = subprocess.run(["pcinspect", "run", "--json",
                            *(x for p in points for x in ("-m", p)),
                            "--", "sh", "-c", WORK.format(point=points[0])],
                           stdout=subprocess.PIPE, check=True)
        after = diskstats()
        self.theirs = {name: (r - before[name][0], w - before[name][1])
                       for name, (r, w) in after.items() if name in before}
        report = json.loads(p.stdout)
        self.files = {f["path"].removeprefix(points[0] + "/"): f for f in report["files"]
                      if f["path"]}
        self.devices = {d["name"]: d for d in report["devices"]}
        bad = [a for a in report["audit"] if not a["ok"]]
        ok(f"{label}: no audit fails", not bad, bad)

    def number(self, name, section, key):
        """One of a file's, or None."""
        return self.files[name][section] and self.files[name][section][key]

    def got(self, device=True):
        """Bytes that each file requested and got, through the cache and past it."""
        want = {"read": (MB if device else None, 2 * MB), "mapped": (MB if device else None, 0)}
        equal(f"{self.label}: read, of the device and by programs",
              {name: (self.number(name, "reads", "device_bytes"),
                      self.number(name, "reads", "demanded_bytes")) for name in want}, want)
        if not device:
            equal(f"{self.label}: past the cache is unknown",
                  {v for name in ("read", "synced") for v in self.files[name]["direct"].values()},
                  {None})
            return
        equal(f"{self.label}: read past the cache",
              (self.number("direct", "direct", "read_bytes"),
               self.number("direct", "reads", "device_bytes")), (MB, 0))
        equal(f"{self.label}: written past the cache",
              (self.number("past", "direct", "write_bytes"),
               self.number("past", "writeback", "device_write_bytes")), (MB, 0))
        equal(f"{self.label}: written, by programs and to the device",
              [(self.number(name, "writeback", "write_bytes"),
                self.number(name, "writeback", "device_write_bytes"))
               for name in ("synced", "often")], [(MB, MB), (OFTEN, OFTEN)])

    def fsyncs(self, times=1, log=False):
        """Requests with the file's data, times over; None: unknown."""
        calls = {name: self.files[name]["fsync"]["calls"] for name in ("synced", "often")}
        equal(f"{self.label}: bytes of requests of fsync calls",
              {name: [c["request_bytes"] for c in calls[name]] for name in calls},
              {"synced": [times and times * MB],
               "often": [times and times * 128 * KB] * len(calls["often"])})
        ok(f"{self.label}: fio's fsyncs", len(calls["often"]) >= OFTEN // (128 * KB) - 1,
           calls["often"])
        if times is None:
            ok(f"{self.label}: nothing of requests is known", not any(
                c[k] is not None for name in calls for c in calls[name]
                for k in ("requests", "request_sizes", "splits", "limited_by")), calls)
        ok(f"{self.label}: the log is {'known' if log else 'unknown'}",
           all((c["log"] is not None) == log for name in calls for c in calls[name]), calls)

    def device(self, name, on_top=False):
        """A device's row is its counter; what others pass on is a part of it."""
        row, theirs = self.devices[name], self.theirs[name]
        read, written = (sum(row[k] for k in keys) for keys in (READS, WRITES))
        if on_top:
            equal(f"{self.label}: {name} has nothing above it",
                  (row["passed_on_bytes"], row["write_passed_on_bytes"]), (None, None))
        else:
            read += row["passed_on_bytes"]
            written += row["write_passed_on_bytes"]
        equal(f"{self.label}: {name}: read and written", (read, written), theirs)

    def top(self, name):
        """The device that the filesystem is on, in all its parts."""
        self.device(name, on_top=True)
        row = self.devices[name]
        equal(f"{self.label}: {name}: by files, and past the cache",
              [row[k] for k in ("file_bytes", "direct_bytes", "unattributed_bytes",
                                "write_file_bytes", "write_direct_bytes")],
              [2 * MB, MB, 0, MB + OFTEN, MB])


@contextlib.contextmanager
def prepared(device, point="/mnt/t"):
    """A fresh filesystem with files that are not cached."""
    run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", device)
    os.makedirs(point, exist_ok=True)
    run("mount", "-o", MOUNT, device, point)
    for name in FILES:
        make_file(f"{point}/{name}", MB)
    run("umount", point)
    run("mount", "-o", MOUNT, device, point)
    try:
        yield point
    finally:
        run("umount", point)


def name_of(device):
    """As /proc/diskstats has it."""
    number = os.stat(device).st_rdev
    return os.path.basename(os.path.realpath(
        f"/sys/dev/block/{os.major(number)}:{os.minor(number)}"))


# --- device mapper --------------------------------------------------------------
@contextlib.contextmanager
def mapper(name, *lines):
    run("dmsetup", "create", "--noudevsync", "--noudevrules", name, input="\n".join(lines))
    run("dmsetup", "mknodes")
    try:
        yield f"/dev/mapper/{name}"
    finally:
        run("dmsetup", "remove", "--noudevsync", "--retry", name)


def below(w, top, *names):
    """Disks that get just what is passed on: nobody else's row."""
    equal(f"{w.label}: the disks below have done the same",
          tuple(map(sum, zip(*(w.theirs[name] for name in names)))), w.theirs[top])
    ok(f"{w.label}: and have no row of their own", not set(names) & set(w.devices), w.devices)


def linear():
    half = SECTORS // 2
    with mapper("two", f"0 {half} linear /dev/vdb 0", f"{half} {half} linear /dev/vdc 0") as d, \
            prepared(d) as point:
        w = Worked("linear", point)
        w.got()
        w.top(name_of(d))
        w.fsyncs()
        below(w, name_of(d), "vdb", "vdc")


def sleeps_in(pid, function):
    """Wait until a task sleeps in a function of the kernel."""
    # Not its stack: 6.1 warns when it looks at that of a task that runs meanwhile and has
    # a return hook (rethook_find_ret_addr(), kernel/trace/rethook.c).
    for _ in range(600):
        with open(f"/proc/{pid}/wchan", encoding="ascii") as f:
            if function in f.read():
                return True
        time.sleep(0.1)
    return False


def merged_writes(disk):
    with open(f"/sys/block/{disk}/stat", encoding="ascii") as f:
        return int(f.read().split()[5])


def waits():
    """An fsync whose data a disk does not take: it waits for just that, by our own clock."""
    with mapper("slow", f"0 {SECTORS} linear /dev/vdb 0") as d, prepared(d) as point:
        run("pcinspect", "track", f"{point}/read")
        run("dmsetup", "suspend", "--noflush", "--nolockfs", "--noudevsync", "slow")
        with subprocess.Popen(["dd", "if=/dev/zero", f"of={point}/read", "bs=64k", "count=1",
                               "conv=notrunc,fsync", "status=none"]) as p:
            ok("fsync: waits for its data", sleeps_in(p.pid, "folio_wait_bit"))
            begun = time.monotonic_ns()
            time.sleep(1)
            seen = time.monotonic_ns() - begun
            run("dmsetup", "resume", "--noudevsync", "slow")
            equal("fsync: ends with the disk", p.wait(), 0)
        call = entry(f"{point}/read", "fsync")["fsync"]["calls"][0]
        ok("fsync: data_wait_ns is what was seen, and a part of the call",
           seen <= call["data_wait_ns"] <= call["duration_ns"], (seen, call))
        run("pcinspect", "untrack")


def crypt():
    run("modprobe", "dm-crypt")
    with mapper("secret", f"0 {SECTORS} crypt aes-cbc-plain64 {'5a' * 16} 0 /dev/vdb 0") as d, \
            prepared(d) as point:
        w = Worked("crypt", point)
        w.got()
        w.top(name_of(d))
        w.fsyncs(None)              # encrypted into pages of nobody
        below(w, name_of(d), "vdb")


def thin():
    run("modprobe", "dm-thin-pool")
    run("dd", "if=/dev/zero", "of=/dev/vdc", "bs=64k", "count=4", "conv=fsync", "status=none")
    with mapper("pool", f"0 {SECTORS} thin-pool /dev/vdc /dev/vdb 128 0 1 "
                "skip_block_zeroing") as pool:
        run("dmsetup", "message", "pool", "0", "create_thin 0")
        with mapper("thin", f"0 {SECTORS} thin {pool} 0") as d, prepared(d) as point:
            w = Worked("thin", point)
            w.got()
            w.top(name_of(d))
            w.fsyncs()
            below(w, name_of(d), "vdb")
            equal("thin: and the pool", w.theirs[name_of(pool)], w.theirs[name_of(d)])
            w.device("vdc")
            row = w.devices["vdc"]
            ok("thin: its metadata is no file's", row["write_log_bytes"] > 0 and
               not row["write_passed_on_bytes"] and not row["write_file_bytes"], row)


def multipath():
    run("modprobe", "-a", "dm-multipath", "dm-round-robin")
    with mapper("paths", f"0 {SECTORS} multipath 0 0 1 1 round-robin 0 1 1 /dev/vdb 1000") as d, \
            prepared(d) as point:
        w = Worked("multipath", point)
        w.got()
        w.top(name_of(d))
        w.fsyncs(log=True)
        below(w, name_of(d), "vdb")


def merged():
    """Two files side by side on a disk that takes nothing yet: the scheduler makes one
    request of what is written to both, and an fsync call counts its own file's part."""
    part = 64 * KB
    with mapper("paths", f"0 {SECTORS} multipath 0 0 1 1 round-robin 0 1 1 /dev/vdb 1000") as d, \
            prepared(d) as point:
        disk = name_of(d)
        with open(f"/sys/block/{disk}/queue/scheduler", "w", encoding="ascii") as f:
            f.write("mq-deadline")
        places = {}
        for name in FILES:
            out = run("filefrag", "-e", "-b512", f"{point}/{name}")
            (first, last), = re.findall(r"^ *\d+: +\d+\.\. *\d+: +(\d+)\.\. *(\d+):", out, re.M)
            places[int(first)] = (name, int(last) + 1)
        left, right = next((name, places[end][0]) for name, end in places.values()
                           if end in places)
        at = {left: MB - part, right: 0}
        run("pcinspect", "track", f"{point}/{left}", f"{point}/{right}")
        for other, name in ((right, left), (left, right)):
            run("dmsetup", "suspend", "--noflush", "--nolockfs", "--noudevsync", "paths")
            merges = merged_writes(disk)
            run("xfs_io", "-c", f"pwrite -q {at[other]} {part}",
                "-c", f"sync_range -w {at[other]} {part}", f"{point}/{other}")
            with subprocess.Popen(["xfs_io", "-c", f"pwrite -q {at[name]} {part}",
                                   "-c", "fdatasync", f"{point}/{name}"]) as p:
                waiting = sleeps_in(p.pid, "folio_wait_bit")
                run("dmsetup", "resume", "--noudevsync", "paths")
                equal(f"merged: {name}: fdatasync ends", p.wait(), 0)
            ok(f"merged: {name}: it waited, and one request was made of two", waiting and
               merged_writes(disk) > merges, (waiting, merges))
            call = entry(f"{point}/{name}", "fsync")["fsync"]["calls"][-1]
            equal(f"merged: {name}: its own part of the request",
                  (call["request_bytes"], call["request_sizes"]),
                  (part, [{"bytes": part, "requests": 1}]))
        run("pcinspect", "untrack")


# --- md -------------------------------------------------------------------------
@contextlib.contextmanager
def md(level, *disks):
    run("modprobe", "raid1" if level == 1 else "raid456")
    run("mdadm", "--create", "/dev/md0", f"--level={level}", f"--raid-devices={len(disks)}",
        "--assume-clean", "--run", "--bitmap=none", "--size=64M", *disks,
        stderr=subprocess.DEVNULL)
    try:
        yield "/dev/md0"
    finally:
        run("mdadm", "--stop", "/dev/md0", stderr=subprocess.DEVNULL)
        run("mdadm", "--zero-superblock", *disks)


def raid1():
    with md(1, "/dev/vdb", "/dev/vdc") as d, prepared(d) as point:
        w = Worked("RAID1", point)
        w.got()
        w.top("md0")
        w.fsyncs(2)                 # one for each leg
        for leg in ("vdb", "vdc"):
            equal(f"RAID1: {leg} was passed all that was written",
                  w.devices[leg]["write_passed_on_bytes"], w.theirs["md0"][1])
        equal("RAID1: both legs together were passed all that was read",
              sum(w.devices[leg]["passed_on_bytes"] for leg in ("vdb", "vdc")),
              w.theirs["md0"][0])


def raid5():
    disks = ("vdb", "vdc", "vdd")
    with md(5, *(f"/dev/{d}" for d in disks)) as d, prepared(d) as point:
        w = Worked("RAID5", point)
        w.got()
        w.top("md0")
        w.fsyncs(None)              # written from its own stripes
        for disk in disks:
            row = w.devices[disk]
            ok(f"RAID5: {disk} has md's own, and what is passed on",
               row["write_log_bytes"] and row["write_passed_on_bytes"] and
               not row["write_file_bytes"] and not row["file_bytes"], row)


# --- loop -----------------------------------------------------------------------
def loop(direct):
    label = f"loop{', past the cache' if direct else ''}"
    with prepared("/dev/vde", "/mnt/low") as low:
        image = f"{low}/image"
        run("fallocate", "-l", str(DISK), image)
        d = run("losetup", "-f", "--show", f"--direct-io={'on' if direct else 'off'}",
                image).strip()
        with prepared(d) as point:
            w = Worked(label, point)
            w.got()
            w.top(name_of(d))
            w.fsyncs(log=True)
            w.device("vde", on_top=True)
            w = Worked(f"{label}, below as well", point, low)
            w.device("vde", on_top=True)
            f = w.files[image]
            if direct:
                equal(f"{label}: the image is written past the cache, and no file of it",
                      (f["direct"]["write_bytes"], f["writeback"]["device_write_bytes"],
                       w.devices["vde"]["write_file_bytes"]),
                      (w.theirs[name_of(d)][1], 0, 0))
            else:
                equal(f"{label}: the image was written to as the loop device was",
                      f["writeback"]["write_bytes"], w.theirs[name_of(d)][1])
                equal(f"{label}: and is all that the disk wrote for files",
                      w.devices["vde"]["write_file_bytes"],
                      f["writeback"]["device_write_bytes"])
        run("losetup", "-d", d)


# --- without a disk -------------------------------------------------------------
UNKNOWN = [("writeback", "device_write_bytes"), ("writeback", "amplification"),
           ("reads", "hole_pages")]


def without(w, own_writes=False):
    """Of a filesystem that no disk is below, as the kernel sees it."""
    w.got(device=False)
    equal(f"{w.label}: what no hook sees is unknown",
          {key: w.number("synced", *key) for key in UNKNOWN}, {key: None for key in UNKNOWN})
    ok(f"{w.label}: fsync is unknown, and so is what it was for",
       w.files["synced"]["fsync"] is None and
       w.number("synced", "writeback", "reasons")["fsync"] is None and
       w.number("synced", "writeback", "reasons")["other"] is None, w.files["synced"])
    equal(f"{w.label}: and what is handed over for direct I/O",
          w.number("synced", "writeback", "reasons")["direct"], None)
    equal(f"{w.label}: pages that writing brought in, and all that came in",
          (w.number("synced", "reads", "inserted")["write"],
           w.number("synced", "reads", "inserted_pages")),
          (None if own_writes else MB // PAGE, MB // PAGE))
    equal(f"{w.label}: written", [w.number(name, "writeback", "write_bytes")
                                  for name in ("synced", "often")],
          [None, None] if own_writes else [MB, OFTEN])
    w.device("vdb", on_top=True)
    equal(f"{w.label}: the server's file got it from the disk",
          [w.number(f"/mnt/low/{name}", "reads", "device_bytes") for name in ("read", "mapped")],
          [MB, MB])


def removed(point):
    """A file is written and removed; the client may keep it, and not know that it has no
    name left: no file without one is listed."""
    p = subprocess.run(["pcinspect", "run", "--json", "-m", point, "--", "sh", "-ec",
                        f"dd if=/dev/zero of={point}/gone bs=64k count=16 conv=fsync "
                        f"status=none; rm {point}/gone"], stdout=subprocess.PIPE, check=True)
    report = json.loads(p.stdout)
    said = [f["deleted"] for f in report["files"] if f["path"] in (None, f"{point}/gone")]
    # Should the client learn of it later, it is in the sum of its filesystem.
    said += [True for g in report["gone"] if g["fs"] == "nfs4" and g["write_bytes"]]
    ok("NFS: a removed file is deleted, or nobody knows", len(said) == 1 and said != [False],
       report["files"] + report["gone"])


def nfs():
    with prepared("/dev/vdb", "/mnt/low") as low, nfs_mounted(low) as point:
        without(Worked("NFS", point, low))
        removed(point)


def fuse():
    os.makedirs("/mnt/fuse", exist_ok=True)
    with prepared("/dev/vdb", "/mnt/low") as low:
        subprocess.run(["modprobe", "-q", "fuse"], check=False)  # may be built in
        run("bindfs", low, "/mnt/fuse")
        try:
            without(Worked("FUSE", "/mnt/fuse", low), own_writes=True)
        finally:
            run("umount", "/mnt/fuse")
            # The server lets go of what is below.
            while subprocess.run(["pidof", "bindfs"], stdout=subprocess.DEVNULL,
                                 check=False).returncode == 0:
                time.sleep(0.1)


def main():
    # Pages are written back when the work asks for it, and not when the flusher's turn comes.
    setting("dirty_writeback_centisecs", 0)
    setting("dirty_expire_centisecs", 360000)
    for part in (linear, waits, crypt, thin, multipath, merged, raid1, raid5, lambda: loop(False),
                 lambda: loop(True), nfs, fuse):
        part()
    finish()


main()
