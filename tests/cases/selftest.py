#!/usr/bin/env python3
# vm: --mem 768 --disk 1024 --smp 2
# soak: 6.1-cloud 7.2-rt 7.3
"""selftest.py - pcinspect selftest: numbers that are right are called so, everywhere.

On each filesystem, on both kinds of lists, with blocks smaller than a page, without
readahead, and beside somebody who reads, writes and drops caches; what is unknown there is
said. That it finds what is wrong is shown by tests/mutants.
"""
import collections
import json
import os
import signal
import subprocess
from check import equal, finish, info, lru_gen, lrus, mounted, ok, rounds, run, setting

LEAST = 27              # numbers that are compared on a disk


def selftest(label, point, least=LEAST, unknown=""):
    """All that is known there is right."""
    p = subprocess.run(["pcinspect", "selftest", "--json", point], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    audits = json.loads(p.stdout)["audit"]
    wrong = [a for a in audits if not a["ok"]]
    ok(f"{label}: {len(audits)} numbers are right", not wrong and len(audits) >= least, wrong)
    equal(f"{label}: exit status", p.returncode, 0)
    said = p.stderr.decode().strip()
    ok(f"{label}: not compared: {said}", unknown in said, said)


def on_disks():
    for fs, mkfs, unknown in (("ext4", (), ""), ("ext4", ("-b", "1024", "-O", "^orphan_file"), ""), ("xfs", (), ""),
                              ("btrfs", (), "device_write_bytes")):
        with mounted(fs, mkfs=mkfs) as mnt:
            for mglru in lrus(f"{fs}: the other lists"):
                lru_gen(mglru)
                lists = "mglru" if mglru else "classic"
                selftest(f"{fs} {' '.join(mkfs)}, {lists}", mnt, unknown=unknown)
            equal(f"{fs}: nothing is left there", [f for f in os.listdir(mnt) if f != "lost+found"],
                  [])


def in_memory():
    run("mount", "-t", "tmpfs", "none", "/mnt")
    selftest("tmpfs", "/mnt", 2, "written_pages of fsync(2)")
    run("umount", "/mnt")


def without_readahead(mnt):
    run("blockdev", "--setra", "0", "/dev/vdb")
    selftest("without readahead", mnt, unknown="inserted_pages of all windows")
    run("blockdev", "--setra", "256", "/dev/vdb")


def beside_others(mnt):
    """Their files are not ours; their writeback and dropped caches may be of ours as well."""
    loads = [subprocess.Popen(["sh", "-c", load], stderr=subprocess.DEVNULL,
                              start_new_session=True) for load in (
        f"while :; do dd if=/dev/zero of={mnt}/a bs=64k count=64 conv=fsync; done",
        f"while :; do cat {mnt}/a >/dev/null; done")]
    for turn in range(rounds(1, 50)):
        selftest(f"beside others, {turn}", mnt)
    for p in loads:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()


def beside_drops(mnt):
    """Right, or nothing is said."""
    p = subprocess.Popen(["sh", "-c", "while :; do echo 1 >/proc/sys/vm/drop_caches; done"])
    said = collections.Counter()
    for _ in range(rounds(2, 50)):
        tried = subprocess.run(["pcinspect", "selftest", mnt], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, check=False)
        said[tried.returncode, tried.stderr] += 1
    p.kill()
    p.wait()
    ok("caches are dropped meanwhile: right, or nothing is said", all(
        status == 0 or (status == 1 and "reclaimed or dropped meanwhile" in words)
        for status, words in said), said)


def broken(mnt):
    """A line, and nothing is left."""
    def said(status, words, *args):
        p = subprocess.run(["pcinspect", "selftest", *args], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, check=False)
        lines = p.stderr.decode()
        ok(f"{args}: {words}", p.returncode == status and words in lines and
           lines.count("\n") == 1 and not p.stdout, (p.returncode, lines, p.stdout))

    said(1, "No such file", f"{mnt}/none")
    said(1, "Not a directory", "/etc/passwd")
    said(2, "takes one directory", mnt, mnt)
    run("mount", "-o", "remount,ro", mnt)
    said(1, "Read-only", mnt)
    run("mount", "-o", "remount,rw", mnt)
    run("mount", "-t", "tmpfs", "-o", "size=1M", "none", "/mnt")
    said(1, "No space", "/mnt")
    run("umount", "/mnt")
    # It waits in fsync(2) until it is killed.
    with subprocess.Popen(["strace", "-o", "/dev/null", "-e", "inject=fsync:delay_enter=600000000",
                           "pcinspect", "selftest", mnt], stdout=subprocess.DEVNULL) as p:
        while int(info()["explicit_records"]) == 0 and p.poll() is None:
            pass
        ok("it tracks its file", p.poll() is None, p.returncode)
        run("pkill", "-9", "-x", "pcinspect")
    equal("killed: nothing is tracked", int(info()["explicit_records"]), 0)


on_disks()
in_memory()
setting("dirty_writeback_centisecs", 100)
with mounted("ext4") as point:
    without_readahead(point)
    beside_others(point)
    beside_drops(point)
    broken(point)
finish()
