#!/usr/bin/env python3
"""guest.py - stress-ng's and fincore's own tests, without the module and with all tracked.

A test that passes without it has to pass with it. The reports of the runs are honest ones: none may be
UNTRUSTED. guest.py [FILESYSTEM…]
"""
import json
import os
import shutil
import subprocess
import sys
from check import KERNEL, equal, finish, mounted, ok, run, skip

SECONDS = 3
WANTED = """access acl aiol chattr chdir chmod chown copy-file dentry dir dup-file-race fallocate fiemap
file-ioctl filerace flock flushcache fpunch fsize fstat get getdent hdd io io-uring iomix lease link
locka lockf madvise memfd metamix mincore mlock mmap mmapaddr mmapcow mmapfiles mmapmany msync munmap
open physpage pagemove pageswap readahead remap rename resources revio seek sendfile splice sync-file
tee touch truncate tmpfs tun unlink utime vm-splice vm-addr xattr zerofill""".split()


def stress(name, point, before=()):
    """Its status: 0 passed, 3 and 4 cannot be done here."""
    return subprocess.run([*before, "stress-ng", f"--{name}", "1", "--timeout", f"{SECONDS}s", "--verify",
                           "--temp-path", point, "--quiet"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode


def stressed(fs, point):
    have = set(run("stress-ng", "--stressors").split())
    names = [name for name in WANTED if name in have]
    passed, worse, untrusted = 0, [], []
    for name in names:
        run("rmmod", "pcinspect")
        without = stress(name, point)
        run("modprobe", "pcinspect")
        if without:
            print(f"# {fs}: {name} ends with {without} without the module", flush=True)
            continue
        report = "/tmp/report"
        if os.path.exists(report):
            os.unlink(report)
        status = stress(name, point, ["pcinspect", "run", "-m", point, "--report", report, "--"])
        passed += 1
        if status not in (0, 3):        # 3: a loss, which is said
            worse.append((name, status))
        with open(report, encoding="utf-8") as f:
            found = json.load(f)
        untrusted += [(name, a) for a in found["audit"] if a["ok"] is False]
        if status == 3:
            print(f"# {fs}: {name}: lost {found.get('lost')}", flush=True)
        for left in os.listdir(point):
            if left.startswith("tmp-stress-ng"):
                shutil.rmtree(f"{point}/{left}", ignore_errors=True)
    ok(f"{fs}: of {len(names)} tests many pass without", passed > len(names) // 2, passed)
    equal(f"{fs}: all of {passed} pass with everything tracked", worse, [])
    equal(f"{fs}: no report is UNTRUSTED", untrusted[:5], [])


def fincore(place, before=()):
    """util-linux's tests, which want to be on a disk: what they print."""
    p = subprocess.run([*before, "bash", "tests/run.sh", "--use-system-commands", f"--srcdir={place}",
                        "--show-diff", "fincore"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                       text=True, cwd=place, check=False)
    return p.returncode, [line for line in p.stdout.splitlines() if "fincore:" in line]


def main():
    with mounted("ext4") as point:
        shutil.copytree("tests", f"{point}/tests")
        shutil.copy2("tests/test_sysinfo", point)
        run("rmmod", "pcinspect")
        without = fincore(point)
        run("modprobe", "pcinspect")
        print("#", without)
        if not any("OK" in line for line in without[1]):
            skip("fincore's tests of util-linux", f"none passes without the module: {without}")
        else:
            equal("fincore's tests of util-linux pass as well with everything tracked",
                  fincore(point, ["pcinspect", "run", "-m", point, "--report", "/tmp/report", "--"]),
                  without)
    for fs in sys.argv[1:] or ("ext4", "xfs", "btrfs"):
        with mounted(fs) as point:
            stressed(fs, point)
    print(f"# {KERNEL}: done")
    finish()


main()
