#!/usr/bin/env python3
# vm: --mem 1024 --disk 512
# kernels: none
# soak: 6.1 6.12 7.2
# minutes: 3
"""real.py - programs that nobody wrote for this test, and what explain says of them:
what somebody who knows would say, and nothing where nothing is wrong.

Each is recorded, explained live, and explained from the recording. The recordings are
left in $OUT: those of 6.12 are in tests/fixtures/recordings, with the verdict in the
table of README.md there, which says where the programs are from that no guest has.
usage: real.py [PART…]
"""
import contextlib
import glob
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import time
import postgres
from check import dontneed, equal, finish, limited, make_file, mounted, ok, run, skip, tool

MB = 1 << 20
OUT = os.environ.get("OUT") or "/tmp"
POINT = "/mnt/t"
SCAN = "SELECT sum(length(v)) FROM t;"


def said(report):
    return sorted(v["verdict"] for v in report["verdicts"])


def record(name, wanted, paths, script, group=None):
    """Record a shell script that is done to files which are not cached; explain."""
    dat = f"{OUT}/{name}.dat"
    run("sync")
    for path in paths:
        dontneed(path)
    tool("track", *paths)
    enter = f"echo $$ >{group}/cgroup.procs; " if group else ""
    run("pcinspect", "record", "--interval", "60", "-o", dat, *paths, "--", "sh", "-ec",
        enter + script, stderr=subprocess.DEVNULL)
    live = tool("explain", *paths)
    run("pcinspect", "untrack")
    equal(f"{name}: {wanted or 'nothing'}", said(live), [wanted] if wanted else [])
    if said(live) != ([wanted] if wanted else []):
        print("#", *(v["text"] for v in live["verdicts"]), sep="\n#   ")
    ok(f"{name}: something was done", any(
        f["reads"]["device_bytes"] or f["direct"]["read_bytes"] or
        f["writeback"]["written_pages"] for f in live["files"]), live["files"])
    again = tool("report", "--view", "explain", dat)
    equal(f"{name}: the recording says so, too", said(again), said(live))
    print(f"# {name}: {os.path.getsize(dat)} bytes")
    return live["files"]


def database(path, rows):
    """Each row has a page."""
    run("sqlite3", path, "CREATE TABLE t(i INTEGER PRIMARY KEY, v BLOB);"
        f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<{rows})"
        " INSERT INTO t SELECT x, randomblob(3900) FROM c;")


def copying():
    os.makedirs(f"{POINT}/tree")
    make_file(f"{POINT}/tree/large", 4 * MB)
    run("cp", "-r", "/usr/include/linux/netfilter", f"{POINT}/tree/")
    files = [f"{POINT}/tree/large", *glob.glob(f"{POINT}/tree/netfilter/x*.h")[:20]]
    record("tar", None, files, f"tar cf - -C {POINT} tree | cat >/dev/null")
    record("rsync", None, files, f"rsync -a {POINT}/tree/ {POINT}/copy/")


def git():
    repo = f"{POINT}/repo"
    run("git", "init", "-q", repo)
    run("cp", "-r", "/usr/include/linux", f"{repo}/linux")
    run("git", "-C", repo, "add", ".")
    run("git", "-C", repo, "-c", "user.name=a", "-c", "user.email=b", "-c", "gc.auto=0",
        "-c", "maintenance.auto=false", "commit", "-q", "-m", "all")
    run("git", "-C", repo, "-c", "pack.threads=1", "repack", "-q", "-a", "-d")
    packs = glob.glob(f"{repo}/.git/objects/pack/*.pack") + \
        glob.glob(f"{repo}/.git/objects/pack/*.idx")
    record("git-fsck", None, packs, f"git -C {repo} fsck --full >/dev/null 2>&1")


def sqlite():
    small, big, backup = f"{POINT}/small.db", f"{POINT}/big.db", f"{POINT}/backup"
    database(small, 1000)
    database(big, 2500)
    make_file(backup, 40 * MB)
    record("sqlite-scan", None, [big], f"sqlite3 {big} '{SCAN}' >/dev/null")
    with limited(7) as group:
        record("sqlite-scans", "working-set-too-large", [big],
               f"sqlite3 {big} 'PRAGMA cache_size=-200; {SCAN * 3}' >/dev/null", group)
    with limited(16) as group:
        record("sqlite-tar", "evicted-by-stream", [small],
               f"sqlite3 {small} '{SCAN}' >/dev/null; tar cf - {backup} 2>/dev/null | "
               f"cat >/dev/null; sqlite3 {small} '{SCAN}' >/dev/null", group)
    with limited(16) as group:
        # The same, and nobody asks for it again.
        record("sqlite-tar-once", None, [small],
               f"sqlite3 {small} '{SCAN}' >/dev/null; tar cf - {backup} 2>/dev/null | "
               "cat >/dev/null", group)


def fio():
    path = f"{POINT}/fio"
    make_file(path, 8 * MB)
    job = (f"fio --name=a --filename={path} --size=8m --bs=8k --rw=randread --direct=1 "
           "--io_size=4m --ioengine=psync --thread --randseed=1 --invalidate=0 "
           "--output=/dev/null")
    record("fio-direct", None, [path], job)
    record("fio-mixed", None, [path], f"cat {path} >/dev/null; {job}")
    record("fio-mixed-writes", "mixed-direct-and-buffered", [path],
           f"cat {path} >/dev/null; {job.replace('randread', 'randwrite')}")


def database_server():
    data = f"{POINT}/pg"
    with postgres.server(data, "shared_buffers=1MB"):
        postgres.sql("CREATE TABLE t AS SELECT i, repeat('x', 200) AS v FROM "
                     "generate_series(1, 20000) i", "CHECKPOINT")
        table = postgres.sql("SELECT pg_relation_filepath('t')")
        record("postgres-scan", None, [f"{data}/{table}"],
               shlex.join(postgres.psql("SELECT sum(length(v)) FROM t")) + " >/dev/null")
        wal = postgres.sql("SELECT pg_walfile_name(pg_current_wal_lsn())")
        commits = "".join(f"INSERT INTO t VALUES ({i}, 'y');\n" for i in range(40))
        with open("/tmp/commits.sql", "w", encoding="ascii") as f:
            f.write(commits)
        record("postgres-wal", None, [f"{data}/pg_wal/{wal}"],
               shlex.join(postgres.psql() + ("-f", "/tmp/commits.sql")))


def setting(name, value):
    """Of the disk."""
    with open(f"/sys/block/vdb/queue/{name}", "w", encoding="ascii") as f:
        f.write(str(value))


@contextlib.contextmanager
def mariadbd(data):
    """The server, and how to ask it something."""
    sock = f"{data}/sock"
    with subprocess.Popen(["mariadbd", "--no-defaults", "--user=mysql", f"--datadir={data}",
                           f"--socket={sock}", "--skip-networking", "--performance-schema",
                           "--innodb-buffer-pool-size=6M", "--innodb-log-file-size=8M",
                           "--innodb-buffer-pool-load-at-startup=0", "--plugin-maturity=unknown",
                           "--innodb-buffer-pool-dump-at-shutdown=0", "--skip-name-resolve",
                           f"--log-error={data}/log"]) as server:
        ask = f"mariadb --no-defaults --socket={sock} --user=root --batch --skip-column-names"
        for _ in range(600):
            if not subprocess.run([*ask.split(), "--execute=SELECT 1"], check=False,
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL).returncode:
                break
            time.sleep(0.5)
        try:
            yield server.pid, ask
        finally:
            run(*ask.split(), "--execute=SET GLOBAL innodb_fast_shutdown=0; SHUTDOWN")


def read_by(pid):
    """Bytes that a process has read from devices, as the kernel counts them."""
    with open(f"/proc/{pid}/io", encoding="ascii") as f:
        return int(dict(line.split(": ") for line in f)["read_bytes"])


def mariadb():
    """It reads its tables past the cache, but for their first pages; a backup does not."""
    if not shutil.which("mariadbd"):
        skip("mariadb", "mariadb-server is not installed")
        return
    data, table = f"{POINT}/my", f"{POINT}/my/test/t.ibd"
    run("mariadb-install-db", "--no-defaults", "--user=mysql", f"--datadir={data}",
        "--auth-root-authentication-method=normal", "--skip-name-resolve")
    with mariadbd(data) as (_, ask):
        run(*ask.split(), "--execute=CREATE DATABASE IF NOT EXISTS test; USE test; CREATE TABLE t("
            "i INT PRIMARY KEY, v VARCHAR(1000)) ENGINE=InnoDB; INSERT INTO t "
            "SELECT seq, REPEAT('x', 900) FROM seq_1_to_12000")
    scan = "SELECT SUM(LENGTH(v)) FROM test.t"
    for name, wanted, first in (("mariadb-scan", None, ""),
                                ("mariadb-backup", None,
                                 f"tar cf - -C {data} test 2>/dev/null | cat >/dev/null; ")):
        with mariadbd(data) as (pid, ask):
            before = read_by(pid)
            f, = record(name, wanted, [table], f"{first}{ask} --execute='{scan}' >/dev/null")
            equal(f"{name}: bytes that it read from the device", f["direct"]["read_bytes"] +
                  sum(t["device_bytes"] for t in f["tasks"] if t["comm"] == "mariadbd"),
                  read_by(pid) - before)


def rocksdb():
    """Its tables are read in order; and at random through mappings: with its own advice,
    and without, which is what other readers of such mappings do."""
    if not shutil.which("db_bench"):
        skip("rocksdb", "rocksdb-tools is not installed")
        return
    data = f"{POINT}/rocks"
    bench = (f"db_bench --db={data} --num=20000 --value_size=1000 --compression_type=none "
             "--seed=1 --threads=1 --bloom_bits=0 --cache_size=65536 --statistics")
    run("sh", "-ec", f"{bench} --benchmarks=fillseq,compact --disable_wal >/tmp/rocks 2>&1")
    run("sync")
    tables = sorted(glob.glob(f"{data}/*.sst"))
    bench += " --use_existing_db --readonly"
    files = record("rocksdb-scan", None, tables, f"{bench} --benchmarks=readseq >/tmp/rocks 2>&1")
    with open("/tmp/rocks", encoding="ascii", errors="replace") as f:
        counted = [int(line.split()[-1]) for line in f if "last.level.read.bytes COUNT" in line]
    equal("rocksdb-scan: bytes that it read, as it counts them",
          sum(f["reads"]["demanded_bytes"] for f in files), sum(counted))
    bench += " --mmap_read --benchmarks=readrandom --reads=12"
    setting("read_ahead_kb", 1024)
    record("rocksdb-mmap", None, tables, f"{bench} >/tmp/rocks 2>&1")
    record("rocksdb-around", "mmap-read-around", tables,
           f"{bench} --advise_random_on_open=false >/tmp/rocks 2>&1")
    setting("read_ahead_kb", 128)


# Has what it needs in memory before it enters the cgroup, and says what it has read.
DUCK = """
import json, os, sys
import duckdb
db = duckdb.connect(sys.argv[1], read_only=True, config={"threads": 1, "memory_limit": "8MB"})
db.sql("SELECT sum(range) FROM range(10)").fetchall()
db.execute("PRAGMA enable_profiling='json'")
db.execute("PRAGMA profiling_output='/tmp/duck.json'")
if len(sys.argv) > 3:
    open(sys.argv[3] + "/cgroup.procs", "w").write(str(os.getpid()))
total = 0
for i in range(int(sys.argv[2])):
    db.execute("SELECT sum(a), sum(b) FROM t").fetchall()
    with open("/tmp/duck.json") as f:
        total += json.load(f)["io"]["total_bytes_read"]
with open("/tmp/duck", "w") as f:
    f.write(str(total))
"""


def duckdb():
    """A column store that reads blocks of 256 KiB."""
    if not importlib.util.find_spec("duckdb"):
        skip("duckdb", "duckdb is not installed")
        return
    path = f"{POINT}/duck"
    run("python3", "-c", "import sys, duckdb; db = duckdb.connect(sys.argv[1]); "
        "db.sql('CREATE TABLE t AS SELECT random() AS a, random() AS b FROM range(1200000)'); "
        "db.close()", path)
    with open("/tmp/duck.py", "w", encoding="ascii") as f:
        f.write(DUCK)

    for name, wanted, how, limit in (("duckdb-scan", None, "1", contextlib.nullcontext()),
                                     ("duckdb-scans", "working-set-too-large", "3", limited(16))):
        with limit as group:
            f, = record(name, wanted, [path], f"python3 /tmp/duck.py {path} {how} {group or ''}")
        with open("/tmp/duck", encoding="ascii") as out:
            counted = int(out.read())
        # Before its queries it reads its header and what tables there are.
        before = f["reads"]["demanded_bytes"] - counted
        ok(f"{name}: bytes that it read, as it counts them, and what it reads at first",
           0 <= before <= MB // 2, before)


def main():
    parts = [copying, git, sqlite, fio, database_server, mariadb, rocksdb, duckdb]
    with open("/sys/fs/cgroup/cgroup.subtree_control", "w", encoding="ascii") as f:
        f.write("+memory")
    # 7.2 has 8192.
    setting("read_ahead_kb", 128)
    # The kernel's symbols are most of a recording, and of no use here.
    run("mount", "--bind", "/dev/null", "/proc/kallsyms")
    with mounted("ext4", options="noatime"):
        for part in parts:
            if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
                part()
    finish()


main()
