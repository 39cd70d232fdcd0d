#!/usr/bin/env python3
# vm: --mem 768 --disk 512
# kernels: none
# soak: 6.1 6.12 7.2
# minutes: 16
"""gate.py - pcinspect assert as a gate of CI: 31 small programs whose figures are known beforehand.

Each is run 20 times from a cold cache: with limits that hold (status 0), and with these and
their opposites (status 1: each of the first is ok, each of the others FAILED). No run may
differ. Then diff: of a report and itself nothing; of two the opposite of what it is the other
way round. Then the jobs of the examples for CI servers (packaging/ci).
"""
import json
import os
import re
import subprocess
import xml.etree.ElementTree
from check import cat, emptied, equal, finish, make_file, mounted, ok, rounds, run, tool

MB = 1 << 20
EXAMPLES = "/usr/src/pcinspect-checkout/packaging/ci"
PY = "python3 -c 'import os, mmap, sys; f = os.open(sys.argv[1], os.O_RDWR); "

# Name, what is run (@: the mount; data: 8 MiB, and so is other; both cold), limits that hold.
PROGRAMS = [
    ("cat", "cat @/data", "demanded_bytes=8M device_bytes=8M inserted_pages=8M wasted_pages=0 files=1"),
    ("md5sum", "md5sum @/data", "demanded_bytes=8M device_bytes=8M faults=0"),
    ("cat, twice", "cat @/data @/data", "demanded_bytes=16M device_bytes=8M inserted_pages=2048"),
    ("two at once", "cat @/data & cat @/data; wait", "demanded_bytes=16M device_bytes=8M"),
    ("two files", "cat @/data @/other", "demanded_bytes=16M device_bytes=16M files=2"),
    ("cmp", "cmp @/data @/other", "demanded_bytes=16M device_bytes=16M"),
    ("a link", "ln -s data @/l; cat @/l; rm @/l", "demanded_bytes=8M device_bytes=8M files=1"),
    ("what is cached", "cat @/warm", "demanded_bytes=1M device_bytes=0 inserted_pages=0"),
    ("one page", "dd if=@/data bs=4k count=1 skip=1000", "demanded_bytes=4K files=1"),
    ("direct", "dd if=@/data bs=1M iflag=direct", "direct_read_bytes=8M inserted_pages=0 cached=0"),
    ("a hole", "truncate -s 4M @/h; cat @/h; rm @/h", "hole_pages=4M device_bytes=0 demanded_bytes=4M"),
    ("random", PY + "os.posix_fadvise(f, 0, 0, 1); [os.pread(f, 4096, i << 16) for i in range(100)]' @/data",
     "demanded_bytes=400K device_bytes=400K inserted_pages=100 wasted_pages=0"),
    ("mmap, random", PY + "m = mmap.mmap(f, 0); m.madvise(1); [m[i << 16] for i in range(100)]' @/data",
     "device_bytes=400K inserted_pages=100 demanded_bytes=0"),
    ("mmap, all", PY + "m = mmap.mmap(f, 0); [m[i] for i in range(0, len(m), 4096)]' @/data",
     "device_bytes=8M inserted_pages=8M demanded_bytes=0"),
    # The last byte of each window is waited for, then all is dropped.
    ("in vain", PY + "[(os.posix_fadvise(f, i, 131072, 3), os.pread(f, 1, i + 131071)) "
     "for i in range(0, 8 << 20, 131072)]; os.posix_fadvise(f, 0, 0, 4)' @/data",
     "removed_invalidate=8M wasted_pages=1984 demanded_bytes=64 device_bytes=8M cached=0"),
    ("read, then cut", "cat @/data; truncate -s 4M @/data", "removed_truncate=4M device_bytes=8M"),
    ("read, then a hole", "cat @/data; fallocate -p -o 0 -l 1M @/data", "removed_truncate=1M"),
    ("20 files", "cat @/small/*", "files=20 demanded_bytes=1280K device_bytes=1280K inserted_pages=320"),
    ("xargs", "ls -d @/small/* | xargs -n 1 cat", "files=20 demanded_bytes=1280K device_bytes=1280K"),
    ("written", "dd if=/dev/zero of=@/n bs=64k count=32", "write_bytes=2M dirtied_pages=2M files=1"),
    ("written and synced", "dd if=/dev/zero of=@/n bs=64k count=32 conv=fsync",
     "written_pages=2M by_fsync=2M fsyncs_total=1 device_write_bytes=2M dirty=0"),
    ("written, then sync -d", "dd if=/dev/zero of=@/n bs=64k count=32; sync -d @/n",
     "by_fsync=512 fsyncs_total=1 device_write_bytes=2M"),
    ("written, then sync -f", "dd if=/dev/zero of=@/n bs=64k count=32; sync -f @/n",
     "written_pages=512 by_fsync=0 fsyncs_total=0 device_write_bytes=2M"),
    ("written directly", "dd if=/dev/zero of=@/n bs=1M count=2 oflag=direct",
     "direct_write_bytes=2M dirtied_pages=0 write_bytes=0"),
    ("written and removed", "dd if=/dev/zero of=@/n bs=64k count=32; rm @/n",
     "write_bytes=2M dirtied_pages=512 written_pages=0 removed_evict=512"),
    ("one page, 100 times", PY + "[os.pwrite(f, bytes(4096), 0) for i in range(100)]' @/data",
     "write_bytes=400K dirtied_pages=1 written_pages=0"),
    ("one page and fsync, 10 times", PY + "[(os.pwrite(f, bytes(4096), 0), os.fsync(f)) for i in range(10)]' @/data",
     "write_bytes=40K dirtied_pages=10 written_pages=10 fsyncs_total=10 device_write_bytes=40K"),
    ("a store", PY + "m = mmap.mmap(f, 0); m[0] = 1; m.flush()' @/data",
     "mapped_dirtied_pages=1 written_pages=1 fsyncs_total=1"),
    ("copied", "cat @/data >@/n", "demanded_bytes=8M write_bytes=8M dirtied_pages=8M files=2"),
    ("tee", "tee @/n @/m <@/data", "demanded_bytes=8M write_bytes=16M files=3"),
    ("nothing", "ls @", "files=0 device_bytes=0 written_pages=0"),
]


def cold(point):
    """As it was before each run."""
    for name in ("n", "m", "h", "l"):
        if os.path.lexists(f"{point}/{name}"):
            os.unlink(f"{point}/{name}")
    for name in ("data", "other"):
        if not os.path.exists(f"{point}/{name}") or os.path.getsize(f"{point}/{name}") != 8 * MB or \
                os.stat(f"{point}/{name}").st_blocks * 512 < 8 * MB:
            if name == "data":
                make_file(f"{point}/data", 8 * MB)
            run("cp", f"{point}/data", f"{point}/other")
    run("sync")
    for name in ("data", "other", *(f"small/{i}" for i in range(20))):
        emptied(f"{point}/{name}")
    cat(f"{point}/warm")


def gate(point, command, limits):
    """Status, and what came of each limit."""
    cold(point)
    p = subprocess.run(["pcinspect", "assert", "--json", "--report", "/tmp/report", "-m", point, *limits,
                        "--", "sh", "-c", f"({command.replace('@', point)}) >/dev/null 2>&1"],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        found = json.loads(p.stdout)["assert"]["limits"]
    except (ValueError, KeyError):
        return p.returncode, p.stderr
    return p.returncode, [(each["limit"], each["result"], each["measured"]) for each in found]


def program(point, which, label, name, command, limits):
    """Some of its runs."""
    right = limits.split()
    wrong = [limit.replace("=", "!=") for limit in right]
    bad = []
    for i in which:
        given = right if i % 2 == 0 else right + wrong
        status, found = gate(point, command, given)
        want = ["ok"] * len(right) + ["failed"] * (len(given) - len(right))
        if status != (i % 2) or [each[1] for each in found] != want:
            bad.append((i, status, found))
    ok(f"{name}: every time, {label}", not bad, bad[:2])


def programs(point):
    """Most runs find the hooks attached, which saves half of the time."""
    nr = rounds(2, 20)
    for each in PROGRAMS:
        program(point, range(min(nr, 4)), "alone", *each)
    make_file(f"{point}/held", 4096)
    tool("track", f"{point}/held")
    os.unlink(f"{point}/data")             # Some wrote to it: other is a copy no more.
    for each in PROGRAMS if nr > 4 else ():
        program(point, range(4, nr), "while another file is tracked", *each)
    tool("untrack", f"{point}/held")


def report(point, command, path):
    cold(point)
    run("pcinspect", "run", "--json", "--report", path, "-m", point, "--", "sh", "-c",
        f"({command.replace('@', point)}) >/dev/null 2>&1")
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def rows_of(one, other):
    """The output of diff: (a, b, change) by row and number."""
    found = json.loads(run("pcinspect", "diff", "--json", one, other))["rows"]
    return {(row["kind"], row.get("path") or row.get("comm") or row.get("name"), n["number"]):
            (n["a"], n["b"], n["change"]) for row in found for n in row["numbers"]}


def differences(point):
    """diff of reports of such runs."""
    a = report(point, "cat @/data", "/tmp/a")
    b = report(point, "cat @/data @/other; dd if=/dev/zero of=@/n bs=64k count=32", "/tmp/b")
    equal("diff of a report and itself", rows_of("/tmp/a", "/tmp/a"), {})
    there, back = rows_of("/tmp/a", "/tmp/b"), rows_of("/tmp/b", "/tmp/a")
    ok("diff finds something", len(there) > 10, there)
    equal("the other way round each row is the opposite", back, {
        key: (was, now, change if change is None else -change)
        for key, (now, was, change) in there.items()})
    for part, number, more in ("reads", "device_bytes", 8), ("reads", "demanded_bytes", 8), \
            ("writeback", "write_bytes", 2):
        sums = [sum(f[part][number] or 0 for f in each["files"] if f.get(part)) for each in (a, b)]
        rows = sum((now or 0) - (was or 0) for key, (was, now, _) in there.items()
                   if key[0] == "file" and key[2] == number)
        equal(f"{number}: rows, sums, and what was done", (rows, sums[1] - sums[0]),
              (more * MB, more * MB))
    ok("processes are compared", {key[1] for key in there if key[0] == "process"} >= {"dd"}, there)


def job_of(server):
    """The lines of an example's job."""
    with open(f"{EXAMPLES}/{server}.yml", encoding="utf-8") as f:
        text = f.read()
    if server == "github":
        return re.search(r"run: \|\n(.*?)\n      - name", text, re.S)[1]
    return re.search(r"  script:\n(.*?)\n  after_script", text, re.S)[1].replace("    - ", "")


def examples(point):
    """A job that does what it may, and one whose data are read from the disk twice."""
    with open("/usr/local/bin/sudo", "w", encoding="ascii") as f:
        f.write('#!/bin/sh\nexec "$@"\n')
    os.chmod("/usr/local/bin/sudo", 0o755)
    cold(point)
    for server in "github", "gitlab":
        for words, status, failures in ("true", 0, "0"), ("vmtouch -q -e", 1, "1"):
            with open(f"{point}/job", "w", encoding="ascii") as f:
                f.write(f'#!/bin/sh\ncat "$1" >/dev/null\n{words} "$1"\ncat "$1" >/dev/null\n')
            os.chmod(f"{point}/job", 0o755)
            p = subprocess.run(["sh", "-e", "-c", job_of(server)], cwd=point, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, check=False)
            suite = xml.etree.ElementTree.parse(f"{point}/gate.xml").getroot().find("testsuite")
            equal(f"{server}'s example: {words}", (p.returncode, suite.get("tests"),
                                                  suite.get("failures")), (status, "3", failures))


def main():
    with mounted("ext4", options="noatime") as point:
        make_file(f"{point}/warm", MB)
        os.mkdir(f"{point}/small")
        for i in range(20):
            make_file(f"{point}/small/{i}", MB // 16)
        programs(point)
        differences(point)
        examples(point)
    finish()


main()
