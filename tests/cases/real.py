#!/usr/bin/env python3
# vm: --mem 1024 --disk 512
# kernels: none
# soak: 6.1 6.12 7.2
# minutes: 3
"""real.py - programs that nobody wrote for this test, and what explain says of them:
what somebody who knows would say, and nothing where nothing is wrong.

Each is recorded, explained live, and explained from the recording. The recordings are
left in $OUT: those of 6.12 are in tests/fixtures/recordings, with the verdict in the
table of README.md there.
"""
import glob
import os
import pwd
import subprocess
from check import dontneed, equal, finish, limited, make_file, mounted, ok, run, tool

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
    record("fio-mixed", "mixed-direct-and-buffered", [path], f"cat {path} >/dev/null; {job}")


def postgres():
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
    user = pwd.getpwnam("postgres")
    data = f"{POINT}/pg"
    os.mkdir(data)
    os.chown(data, user.pw_uid, user.pw_gid)
    os.makedirs("/run/postgresql", exist_ok=True)
    os.chown("/run/postgresql", user.pw_uid, user.pw_gid)
    become = f"setpriv --reuid={user.pw_uid} --regid={user.pw_gid} --clear-groups {programs}/"

    def psql(text):
        return f'{become}psql -q -A -t -d postgres -c "{text}"'

    run("sh", "-ec", f"{become}initdb -D {data} -A trust --no-sync -E UTF8 --locale=C "
        ">/dev/null")
    run("sh", "-ec", f"{become}pg_ctl -D {data} -w -l {data}/log -o '-c shared_buffers=1MB "
        "-c jit=off -c autovacuum=off -c wal_level=minimal -c max_wal_senders=0' start "
        ">/dev/null")
    run("sh", "-ec", psql("CREATE TABLE t AS SELECT i, repeat('x', 200) AS v FROM "
                          "generate_series(1, 20000) i") + "; " + psql("CHECKPOINT"))
    table = run("sh", "-ec", psql("SELECT pg_relation_filepath('t')")).strip()
    record("postgres-scan", None, [f"{data}/{table}"],
           psql("SELECT sum(length(v)) FROM t") + " >/dev/null")
    wal = run("sh", "-ec", psql("SELECT pg_walfile_name(pg_current_wal_lsn())")).strip()
    commits = "".join(f"INSERT INTO t VALUES ({i}, 'y');\n" for i in range(40))
    with open("/tmp/commits.sql", "w", encoding="ascii") as f:
        f.write(commits)
    record("postgres-wal", None, [f"{data}/pg_wal/{wal}"],
           f"{become}psql -q -d postgres -f /tmp/commits.sql")
    run("sh", "-ec", f"{become}pg_ctl -D {data} -w -m fast stop >/dev/null")


def main():
    with open("/sys/fs/cgroup/cgroup.subtree_control", "w", encoding="ascii") as f:
        f.write("+memory")
    # 7.2 has 8192.
    with open("/sys/block/vdb/queue/read_ahead_kb", "w", encoding="ascii") as f:
        f.write("128")
    # The kernel's symbols are most of a recording, and of no use here.
    run("mount", "--bind", "/dev/null", "/proc/kallsyms")
    with mounted("ext4", options="noatime"):
        copying()
        git()
        sqlite()
        fio()
        postgres()
    finish()


main()
