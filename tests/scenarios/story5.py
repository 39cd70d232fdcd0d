#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: 6.12
# soak: 6.1 7.2
"""story5.py - amplification: tiny reads of a filesystem that expands windows.

A squashfs with 1 MiB blocks stands in for CephFS: 40 files, four preads of 64
bytes each, through descriptors that a parent opened. The bytes read are those that the
device counts, each window says 1 page asked for, 256 inserted, and the task
named is the one that reads, though it opened nothing. And the cache trap: an
md5sum of a cached file demands 16 MB and fetches none.
"""
import json
import os
import subprocess
import sys
from check import (equal, finish, KERNEL, ok, run, tool)

FILES, MB = 40, 1 << 20
POINT = "/mnt/sq"


def reader(fds):
    with open("/proc/self/comm", "w", encoding="ascii") as f:
        f.write("cfgworker")
    for fd in fds:
        for i in range(4):
            os.pread(fd, 64, i * MB * 3 // 4 + 100)


def parent():
    fds = [os.open(f"{POINT}/f{i}", os.O_RDONLY) for i in range(FILES)]
    for fd in fds:
        os.set_inheritable(fd, True)
    subprocess.run(["python3", __file__, "reader", *map(str, fds)],
                   close_fds=False, check=True)


def sectors():
    with open("/sys/block/loop0/stat", encoding="ascii") as f:
        return int(f.read().split()[2])


def prepare():
    os.makedirs("/tmp/tree", exist_ok=True)
    for i in range(FILES):
        run("dd", "if=/dev/urandom", f"of=/tmp/tree/f{i}", "bs=1M", "count=3",
            "status=none")
    run("mksquashfs", "/tmp/tree", "/tmp/sq.img", "-b", "1M", "-noI", "-noD",
        "-noF", "-noX", "-no-fragments", "-quiet", "-no-progress")
    subprocess.run(["modprobe", "-q", "squashfs"], check=False)
    os.makedirs(POINT, exist_ok=True)


def amplification():
    # Python and its modules are in memory before, and its own files are not on
    # the image.
    run("losetup", "/dev/loop0", "/tmp/sq.img")
    run("mount", "-o", "ro", "-t", "squashfs", "/dev/loop0", POINT)
    run("sh", "-c", f"ls -l {POINT} >/dev/null")
    before = sectors()
    subprocess.run(["pcinspect", "run", "-m", POINT, "--explain", "--report",
                    "/tmp/r.json", "--", "python3", __file__, "parent"],
                   stdout=subprocess.DEVNULL, check=True)
    disk = (sectors() - before) * 512
    with open("/tmp/r.json", encoding="utf-8") as f:
        report = json.load(f)
    files = report["files"]
    equal("all files are in the report", len(files), FILES)
    demanded = sum(f["reads"]["demanded_bytes"] for f in files)
    equal("demanded bytes", demanded, FILES * 4 * 64)
    fetched = sum(f["reads"]["device_bytes"] for f in files)
    device = report["devices"][0]
    print(f"# {KERNEL}: disk {disk}, fetched {fetched}, "
          f"metadata {device['metadata_bytes']}, "
          f"unattributed {device['unattributed_bytes']}")
    ok("fetched bytes within 0.1 % of the device's counter",
       abs(fetched - disk) <= disk * 0.001, (fetched, disk))
    audit = [a for a in report["audit"] if a["what"] == "device_read_bytes"]
    ok("the audit agrees", audit and all(a["ok"] for a in audit), audit)
    windows = [w for f in files for w in f["readahead"]["windows"]]
    equal("one window for each block that was touched", len(windows), FILES * 3)
    ok("each asked for 1 page and 256 were inserted, 255 by expansion",
       all((w["requested_pages"], w["inserted_pages"], w["expanded_pages"]) ==
           (1, 256, 255) for w in windows if w["index"]), windows[:2])
    ok("and the first of a file, which plans more, too",
       all(w["inserted_pages"] == 256 for w in windows), windows[:2])
    ok("the reading task is named", all(
        [t["comm"] for t in f["tasks"] if t["demanded_bytes"]] == ["cfgworker"]
        for f in files), files[0]["tasks"])
    equal("amplification of the first file",
          round(files[0]["reads"]["amplification"]),
          round(files[0]["reads"]["device_bytes"] / 256))
    said = [v for v in report["verdicts"] if v["verdict"] == "filesystem-expansion"]
    equal("explain names the expansion, once for all of the files",
          [(v["files"], v["evidence"]["demanded_bytes"], v["evidence"]["fetched_bytes"])
           for v in said], [(FILES, demanded, fetched)])


def cache_trap():
    subprocess.run(["cat", f"{POINT}/f0"], stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["pcinspect", "run", "-m", POINT, "--report", "/tmp/r.json",
                    "--", "md5sum", f"{POINT}/f0"], stdout=subprocess.DEVNULL,
                   check=True)
    with open("/tmp/r.json", encoding="utf-8") as f:
        report = json.load(f)
    reads = report["files"][0]["reads"]
    equal("md5sum of a cached file: demanded", reads["demanded_bytes"], 3 * MB)
    equal("and fetched nothing", reads["device_bytes"], 0)
    equal("amplification 0", reads["amplification"], 0.0)


def main():
    if sys.argv[1:2] == ["parent"]:
        return parent()
    if sys.argv[1:2] == ["reader"]:
        return reader([int(fd) for fd in sys.argv[2:]])
    prepare()
    amplification()
    cache_trap()
    # The hooks in status are part of the story: none may be missing.
    equal("no hook is missing",
          tool("stat", f"{POINT}/f0")["lost"]["hooks_missing"], 0)
    finish()
    return None


main()
