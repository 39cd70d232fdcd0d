#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: 6.12
# soak: 6.1 7.2
# minutes: 2
"""programs.py - programs that nobody wrote for this test.

git gc, sqlite3 with and without mmap, cp, tar and PostgreSQL, each from a cold
cache under pcinspect run: bytes over files, gone rows, metadata and nobody are
the disk's own count, and nobody's are at most 1 %. And what sqlite3, dd, rsync
and a checkpoint of PostgreSQL wrote is nr_written.
"""
import ctypes
import fcntl
import json
import os
import shlex
import signal
import struct
import subprocess
import postgres
from check import KERNEL, equal, finish, mounted, ok, run

POINT = "/mnt/t"


def sectors():
    with open("/sys/block/vdb/stat", encoding="ascii") as f:
        return int(f.read().split()[2])


def cold():
    run("sync")
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
        f.write("3")


def measure(name, *command, least=1 << 20):
    """A command's reads; what it wrote needs reads, too, so it is not left for later."""
    cold()
    before = sectors()
    p = subprocess.run(["pcinspect", "run", "-m", POINT, "--report", "/tmp/r.json",
                        "--", "sh", "-c", '"$@"; s=$?; sync; exit $s', "sh", *command],
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                       check=False)
    disk = (sectors() - before) * 512
    equal(f"{name}: exit status", p.returncode, 0)
    if p.returncode:
        print(f"# {p.stderr}")
        return
    with open("/tmp/r.json", encoding="utf-8") as f:
        report = json.load(f)
    device = next(d for d in report["devices"] if d["name"] == "vdb")
    files = sum(f["reads"]["device_bytes"] for f in report["files"])
    rest = {k: device[k] for k in ("gone_bytes", "metadata_bytes", "direct_bytes",
                                   "unattributed_bytes", "other_file_bytes")}
    ok(f"{name}: something was read", disk >= least, disk)
    ours = files + sum(rest.values())
    equal(f"{name}: files + gone + metadata + unattributed == the disk's counter",
          ours, disk)
    ok(f"{name}: unattributed at most 1 %",
       rest["unattributed_bytes"] <= disk * 0.01, rest)
    ok(f"{name}: every audit agrees", all(a["ok"] for a in report["audit"]),
       [a for a in report["audit"] if not a["ok"]])
    equal(f"{name}: nothing was lost",
          {k: v for k, v in report["lost"].items() if v}, {})
    worst = max(report["files"], key=lambda f: f["reads"]["device_bytes"])
    print(f"# {KERNEL} {name}: disk {disk}, files {files}, {rest}, "
          f"worst {worst['path']} {worst['reads']['device_bytes']}")


def written():
    """Every CPU's count of nr_written."""
    with open("/proc/sys/vm/stat_refresh", encoding="ascii") as f:
        f.read()
    with open("/proc/vmstat", encoding="ascii") as f:
        return int(dict(line.split() for line in f)["nr_written"])


def write(name, script, least=256):
    """A shell script's own bytes, and the kernel's count of them."""
    run("sync")
    before = written()
    subprocess.run(["pcinspect", "run", "-m", POINT, "--report", "/tmp/r.json", "--",
                    "sh", "-ec", script + "; sync"], stdout=subprocess.DEVNULL,
                   check=True)
    pages = written() - before
    with open("/tmp/r.json", encoding="utf-8") as f:
        report = json.load(f)
    files = sum(f["dirty"]["written_pages"] for f in report["files"] if f["dirty"])
    gone = sum(g["written_pages"] or 0 for g in report.get("gone", []))
    other = report["written"]["other_pages"]
    ok(f"{name}: something was written", files + gone >= least, (files, gone))
    ok(f"{name}: files + gone + metadata within 0.5 % of nr_written",
       abs(files + gone + other - pages) <= pages * 0.005, (files, gone, other, pages))
    ok(f"{name}: every audit agrees", all(a["ok"] for a in report["audit"]),
       [a for a in report["audit"] if not a["ok"]])
    print(f"# {KERNEL} {name}: files {files}, gone {gone}, other {other}, "
          f"nr_written {pages}")


def writers(fs):
    db = f"{POINT}/write.db"
    fill = ("CREATE TABLE t(i INTEGER PRIMARY KEY, v TEXT);"
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<4000)"
            " INSERT INTO t SELECT x, hex(randomblob(200)) FROM c;"
            "UPDATE t SET v = v || 'x' WHERE i % 3 = 0;")
    for mode in ("DELETE", "WAL"):
        write(f"sqlite3 {mode} on {fs}", f"sqlite3 {db}.{mode} "
              f"'PRAGMA journal_mode={mode};' \"{fill}\"")
    write(f"dd conv=fsync on {fs}",
          f"dd if=/dev/zero of={POINT}/dd bs=64k count=128 conv=fsync status=none", 2048)
    write(f"rsync on {fs}", f"rsync -a /usr/include/linux {POINT}/rsync", 1024)


def beside():
    """A run that begins and ends amid the writing of others."""
    others = subprocess.Popen(["sh", "-c", f"""
while :; do
    dd if=/dev/zero of={POINT}/beside bs=64k count=100 oflag=direct status=none
    dd if=/dev/zero of={POINT}/beside2 bs=1M count=10 status=none
    sync
done"""], start_new_session=True)
    for i in range(4):
        # Every second one waits for the disk itself.
        waits = ["conv=fsync"] if i % 2 else []
        subprocess.run(["pcinspect", "run", "-m", POINT, "--report", "/tmp/r.json", "--",
                        "dd", "if=/dev/zero", f"of={POINT}/amid{i}", "bs=1M", "count=8",
                        "status=none", *waits], stdout=subprocess.DEVNULL, check=True)
        with open("/tmp/r.json", encoding="utf-8") as f:
            report = json.load(f)
        device = next(d for d in report["devices"] if d["name"] == "vdb")
        ok(f"amid writing, {i}: every audit agrees", all(a["ok"] for a in report["audit"]),
           [a for a in report["audit"] if not a["ok"]])
        if waits:
            ok(f"amid writing, {i}: what it waited for was written",
               device["write_file_bytes"] + device["write_other_file_bytes"] >= 8 << 20,
               device)
    os.killpg(others.pid, signal.SIGKILL)
    others.wait()


def blkpg(op):
    """Give the disk a partition (1), or take it away (2), without a table on it."""
    what = struct.pack("qqi64s64s4x", 1 << 20, 500 << 20, 1, b"", b"")
    data = ctypes.create_string_buffer(what)
    with open("/dev/vdb", "rb") as disk:
        fcntl.ioctl(disk, 0x1269, struct.pack("iii4xP", op, 0, len(what),
                                              ctypes.addressof(data)))


def partition():
    """A disk's own counter has its partitions' I/O as well; ours are apart."""
    blkpg(1)
    try:
        with mounted("ext4", device="/dev/vdb1", options="noatime"):
            run("dd", "if=/dev/urandom", f"of={POINT}/f", "bs=1M", "count=4",
                "conv=fsync", "status=none")
            cold()
            subprocess.run(["pcinspect", "run", "-m", POINT, "--report", "/tmp/r.json",
                            "--", "sh", "-c", f"cat {POINT}/f >/dev/null; dd if=/dev/vdb "
                            "of=/dev/null bs=64k count=4 iflag=direct status=none"],
                           stdout=subprocess.DEVNULL, check=True)
    finally:
        blkpg(2)
    with open("/tmp/r.json", encoding="utf-8") as f:
        report = json.load(f)
    devices = {d["name"]: d for d in report["devices"]}
    equal("partition: bytes for files", devices["vdb1"]["file_bytes"], 4 << 20)
    equal("partition: direct bytes of the disk", devices["vdb"]["direct_bytes"], 4 << 16)
    equal("partition: the disk's counter has both", devices["vdb"]["read_bytes"],
          devices["vdb1"]["read_bytes"] + (4 << 16))
    equal("partition: it is audited, the disk is not", {
        a["dev"] for a in report["audit"] if a["what"] == "device_read_bytes"},
          {devices["vdb1"]["dev"]})
    ok("partition: every audit agrees", all(a["ok"] for a in report["audit"]),
       [a for a in report["audit"] if not a["ok"]])


def git():
    repo = f"{POINT}/repo"
    run("git", "init", "-q", repo)
    # git 2.47 and later leave a gc behind in the background after a commit.
    run("git", "-C", repo, "config", "maintenance.auto", "false")
    for i, part in enumerate(("asm-generic", "x86_64-linux-gnu")):
        run("cp", "-r", f"/usr/include/{part}", f"{repo}/{part}")
        run("git", "-C", repo, "add", ".")
        run("git", "-C", repo, "-c", "user.name=a", "-c", "user.email=b", "commit",
            "-q", "-m", f"part {i}")
    measure("git gc", "git", "-C", repo, "-c", "gc.auto=0", "gc", "-q")


def sqlite():
    db = f"{POINT}/data.db"
    run("sqlite3", db, "CREATE TABLE t(i INTEGER PRIMARY KEY, v TEXT);"
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<12000)"
        " INSERT INTO t SELECT x, hex(randomblob(200)) FROM c;")
    for mmap in (0, 64 << 20):
        measure(f"sqlite3, mmap_size {mmap}", "sqlite3", db,
                f"PRAGMA mmap_size={mmap}; SELECT sum(length(v)) FROM t;")


def copying():
    run("mkdir", f"{POINT}/tree")
    run("cp", "-r", "/usr/include/linux/netfilter", f"{POINT}/tree/")
    run("dd", "if=/dev/urandom", f"of={POINT}/tree/large", "bs=1M", "count=16",
        "status=none")
    measure("cp", "cp", "-r", "--reflink=never", f"{POINT}/tree", f"{POINT}/copy")
    measure("tar", "tar", "cf", f"{POINT}/x.tar", "-C", POINT, "tree")


def database_server():
    ok("PostgreSQL is installed", postgres.installed())
    with postgres.server(f"{POINT}/pg", "fsync=off", "shared_buffers=4MB"):
        postgres.sql("CREATE TABLE t AS SELECT i, repeat('x', 200) AS v "
                     "FROM generate_series(1, 30000) i")
        postgres.sql("CHECKPOINT")
        write("PostgreSQL, checkpoint", shlex.join(postgres.psql(
            "UPDATE t SET v = v || i WHERE i % 4 = 0", "CHECKPOINT")))
        measure("PostgreSQL, sequential scan", *postgres.psql("SELECT sum(length(v)) FROM t"))


def main():
    partition()
    with mounted("ext4", options="noatime"):
        writers("ext4")
        beside()
        copying()
        git()
        sqlite()
        database_server()
    with mounted("xfs", options="noatime"):
        sqlite()
        writers("xfs")
    finish()


main()
