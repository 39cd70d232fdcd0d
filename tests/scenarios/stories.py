#!/usr/bin/env python3
# vm: --mem 1024 --disk 1024 --lru mglru
# kernels: 6.12
# beside: ../../docs/stories.md
# minutes: 2
"""stories.py - docs/stories.md: each command works, and prints what the page shows.

The page with what was printed now is left in $OUT: tests/walkthrough/examples takes it.
"""
import os
import re
import subprocess
from check import Cgroup, cat, emptied, equal, finish, make_file, ok, run
from manpages import shape, shown

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.environ.get("OUT", "/tmp")
WIDTH = 116
MB = 1 << 20
BLOCK = re.compile(r"(<!-- story (\w+) (\d+) (\d+) -->\n```\n)(.*?)^```\n", re.DOTALL | re.MULTILINE)
APPEND = """#!/usr/bin/python3
import mmap, os
open("/sys/fs/cgroup/db/cgroup.procs", "w").write(str(os.getpid()))
columns = []
for i in range(64):
    with open(f"/srv/col{i:03}.d", "r+b") as f:
        columns.append(mmap.mmap(f.fileno(), 48 * 4096))
for page in range(48):
    for column in columns:
        column[page * 4096] = 1
"""
TINY = """#!/usr/bin/python3
import os
for i in range(40):
    f = os.open(f"/srv/f{i}", os.O_RDONLY)
    for at in range(4):
        os.pread(f, 64, at * 786432 + 100)
"""


def disk(fs):
    """An empty one, on /srv."""
    run("sh", "-c", "umount /srv 2>/dev/null; wipefs -qa /dev/vdb")
    run(f"mkfs.{fs}", "-q", "/dev/vdb")
    run("mount", "-o", "noatime", "/dev/vdb", "/srv")


def program(name, text):
    with open(f"/usr/local/bin/{name}", "w", encoding="ascii") as f:
        f.write(text)
    os.chmod(f"/usr/local/bin/{name}", 0o755)


def append():
    disk("ext4")
    Cgroup("db", 4 * MB)
    for i in range(64):
        with open(f"/srv/col{i:03}.d", "wb") as f:
            f.truncate(48 * 4096)
    run("sync")
    program("append", APPEND)


def direct():
    disk("xfs")
    make_file("/srv/data", 32 * MB)
    run("pcinspect", "track", "/srv/data")
    cat("/srv/data")


def stream():
    disk("ext4")
    for name, size in ("hot", 40), ("backup", 200):
        make_file(f"/srv/{name}", size * MB)
        emptied(f"/srv/{name}")
    group = Cgroup("night", 96 * MB)
    for _ in range(4):
        group.run("cat", "/srv/hot")
    program("nightly", "#!/bin/sh\necho $$ >/sys/fs/cgroup/night/cgroup.procs\n"
            "exec cat /srv/backup /srv/hot >/dev/null\n")


def wal():
    with open("/sys/block/vdb/queue/max_sectors_kb", "w", encoding="ascii") as f:
        f.write("256")
    disk("xfs")


def tiny():
    os.makedirs("/var/tmp/tree")
    for i in range(40):
        make_file(f"/var/tmp/tree/f{i}", 3 * MB)
    run("umount", "/srv")
    run("mksquashfs", "/var/tmp/tree", "/dev/vdb", "-b", "1M", "-noI", "-noD", "-noF", "-noX",
        "-no-fragments", "-quiet", "-no-progress", "-noappend")
    subprocess.run(["modprobe", "-q", "squashfs"], check=False)
    run("mount", "-t", "squashfs", "/dev/vdb", "/srv")
    program("tiny", TINY)


PREPARE = {f.__name__: f for f in (append, direct, stream, wal, tiny)}


def verdicts(text):
    """Of what there are verdicts, and which."""
    return set(re.findall(r"^(/\S+: [a-z-]+) \(", text, re.MULTILINE))


def story(match):
    """Run the commands of a block; the block as it is now."""
    mark, name, head, tail, block = match.groups()
    PREPARE[name]()
    lines = []
    for part in re.split(r"^# ", block, flags=re.MULTILINE)[1:]:
        command, old = part.split("\n", 1)
        p = subprocess.run(["bash", "-c", command], cwd="/srv", stdin=subprocess.DEVNULL, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        now = shown(p.stdout, int(head), int(tail), WIDTH)
        print(f"## {name}: {command}\n{p.stdout}", flush=True)
        equal(f"{name}: {command}", p.returncode, 0)
        gone = shape(old.splitlines()) - shape(shown(p.stdout, None, None, WIDTH)) | \
            verdicts(old) - verdicts(p.stdout)
        ok(f"{name}: prints what the page shows", not gone and old.strip(),
           f"no more: {sorted(gone)} (make examples)")
        lines += ["# " + command, *now]
    return mark + "\n".join(lines) + "\n```\n"


def main():
    os.makedirs("/srv", exist_ok=True)
    with open(f"{HERE}/stories.md", encoding="utf-8") as f:
        page = f.read()
    page, count = BLOCK.subn(story, page)
    equal("stories", count, len(PREPARE))
    with open(f"{OUT}/stories.md", "w", encoding="utf-8") as f:
        f.write(page)
    finish()


main()
