#!/usr/bin/env python3
# vm: --mem 768 --disk 1024
# minutes: 1
"""beside_run.py - a run beside somebody who tracks the same file: each has its own counters.

The run reports its own time, as if nobody had tracked the file; the tracking user
has everything since, before, in and after the run.
"""
import json
import os
import subprocess
from check import PAGE, disk_bytes, emptied, equal, finish, make_file, mounted, ok, run, tool

SIZE = 4 << 20


def ran(point, *command):
    p = subprocess.run(["pcinspect", "run", "--json", "-m", point, "--", *command],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    report = json.loads(p.stdout)
    equal(f"{command[0]}: status", p.returncode, 0)
    equal(f"{command[0]}: every audit agrees", [a for a in report["audit"] if not a["ok"]], [])
    return {os.path.basename(f["path"] or "?"): f for f in report["files"]}


def tasks(file):
    return {(t["comm"], t["demanded_bytes"]) for t in file["tasks"] if t["demanded_bytes"]}


with mounted("ext4") as point:
    path = f"{point}/file"
    make_file(path, SIZE)
    run("sync")
    emptied(path)
    run("pcinspect", "track", path)
    # Before: read once, and written and synced.
    run("md5sum", path)
    run("dd", "if=/dev/zero", f"of={path}", "bs=64k", "count=4", "conv=notrunc,fsync", "status=none")
    emptied(path)
    one = tool("reads", path)["files"][0]["reads"]
    equal("before: asked for", one["demanded_bytes"], SIZE)

    earlier = disk_bytes()[0]
    got = ran(point, "sha1sum", path)["file"]
    equal("the run: asked for", got["reads"]["demanded_bytes"], SIZE)
    equal("the run: inserted", got["reads"]["inserted_pages"], SIZE // PAGE)
    equal("the run: read from the device", got["reads"]["device_bytes"], SIZE)
    ok("the run: the disk says so", SIZE <= disk_bytes()[0] - earlier < 2 * SIZE, disk_bytes())
    equal("the run: nothing was written", (got["writeback"]["write_bytes"],
          got["writeback"]["dirtied_pages"], got["writeback"]["written_pages"]), (0, 0, 0))
    equal("the run: by whom", tasks(got), {("sha1sum", SIZE)})
    equal("the run: no fsync of before", got["fsync"]["calls"], [])
    equal("the run: windows are its own", sum(w["inserted_pages"] for w in got["readahead"]["windows"]),
          SIZE // PAGE)

    two = tool("reads", path)["files"][0]
    equal("who tracks it has both", (two["reads"]["demanded_bytes"], two["reads"]["device_bytes"]),
          (2 * SIZE, one["device_bytes"] + SIZE))
    equal("who tracks it: by whom", tasks(two), {("md5sum", SIZE), ("sha1sum", SIZE)})

    # A recording of a command is such a run.
    emptied(path)
    run("pcinspect", "record", "-o", "/tmp/beside.dat", "--", "sha1sum", path)
    (got,) = [f for f in tool("report", "/tmp/beside.dat")["files"] if f["path"] == path]
    equal("a recording: asked for, and by whom", (got["reads"]["demanded_bytes"], tasks(got)),
          (SIZE, {("sha1sum", SIZE)}))

    # Nothing of it happens in a run of something else.
    files = ran(point, "true")
    ok("a run that does not touch it has no row of it", "file" not in files, list(files))
    run("md5sum", path)
    equal("after it, all four", tool("reads", path)["files"][0]["reads"]["demanded_bytes"], 4 * SIZE)
    run("pcinspect", "untrack", path)
finish()
