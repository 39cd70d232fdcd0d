#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: 6.12
# soak: 6.1 7.2
"""story2.py - direct and buffered I/O on one file, on XFS.

Direct reads of a cached clean file remove nothing and are neither miss nor
fill; direct writes remove exactly the pages that residency loses, by direct I/O,
by the task that wrote; and fio's default invalidate=1 is not direct I/O at all
but an fadvise of fio's.
"""
import json
import os
import subprocess
from check import (KERNEL, dontneed, entry, equal, finish, mincore, mounted, ok, tool,
                   unflushed)

MB = 1 << 20
SIZE = 64 * MB


def fio(path, *args):
    subprocess.run(["fio", "--name=j", f"--filename={path}", "--ioengine=psync",
                    "--direct=1", "--bs=8k", f"--size={SIZE}", "--norandommap",
                    "--randrepeat=1", *args], stdout=subprocess.DEVNULL, check=True)


def sectors(field):
    with open("/sys/block/vdb/stat", encoding="ascii") as f:
        return int(f.read().split()[field])


def cache(path):
    with open(path, "rb") as f:
        while f.read(MB):
            pass


def main():
    with mounted("xfs", options="noatime") as point:
        path = f"{point}/data"
        subprocess.run(["dd", "if=/dev/zero", f"of={path}", "bs=1M",
                        f"count={SIZE // MB}", "conv=fsync", "status=none"],
                       check=True)
        dontneed(path)
        tool("track", path)
        cache(path)
        resident = mincore(path)
        equal("the file is cached", resident, SIZE // 4096)

        # Direct reads of what is cached.
        subprocess.run(["pcinspect", "reset", path], check=True)
        before = sectors(2)
        fio(path, "--rw=randread", "--io_size=8m", "--invalidate=0")
        disk = (sectors(2) - before) * 512
        f = entry(path, "reads")
        equal("direct reads: bytes == diskstats", f["direct"]["read_bytes"], disk)
        equal("direct reads: bytes == fio's", f["direct"]["read_bytes"], 8 * MB)
        equal("direct reads: residency is unchanged", mincore(path), resident)
        equal("direct reads: nothing removed", f["reads"]["removed_pages"], 0)
        equal("direct reads: nothing flushed", f["direct"]["flushed_pages"], 0)
        equal("direct reads: no fill", f["reads"]["inserted_pages"], 0)
        equal("direct reads: no miss: no device bytes for the cache",
              f["reads"]["device_bytes"], 0)
        equal("direct reads: no demand on the cache",
              f["reads"]["demanded_bytes"], 0)
        equal("explain: no harm, no verdict", tool("explain", path)["verdicts"], [])

        # Direct writes into the cached file.
        subprocess.run(["pcinspect", "reset", path], check=True)
        fio(path, "--rw=randwrite", "--io_size=4m", "--invalidate=0")
        lost = resident - mincore(path)
        f = entry(path, "reads")
        ok("direct writes: pages were lost", lost >= 4 * MB // 4096 * 0.9, lost)
        equal("direct writes: pages removed == residency lost",
              f["reads"]["removed_pages"], lost)
        equal("direct writes: all of them by direct I/O",
              f["direct"]["invalidated_pages"], lost)
        equal("direct writes: cause invalidate",
              f["reads"]["removed"]["invalidate"], lost)
        ok("direct writes: by fio", [(r["how"], r["comm"]) for r in
                                     f["reads"]["removed_by"]] == [("direct", "fio")],
           f["reads"]["removed_by"])
        equal("direct writes: bytes", f["direct"]["write_bytes"], 4 * MB)
        verdicts = tool("explain", path)["verdicts"]
        ok("explain: mixed access",
           [v for v in verdicts if v["verdict"] == "mixed-direct-and-buffered"],
           verdicts)
        equal("inserted - removed == the change of residency",
              f["reads"]["inserted_pages"] - f["reads"]["removed_pages"], -lost)

        # Dirty pages under a direct read are flushed first.
        with unflushed():
            cache(path)
            with open(path, "r+b") as w:
                w.write(b"x" * 65536)
            dirty = tool("stat", path)["files"][0]["pages"]["dirty"]
            subprocess.run(["pcinspect", "reset", path], check=True)
            subprocess.run(["dd", f"if={path}", "of=/dev/null", "bs=64k", "count=1",
                            "iflag=direct", "status=none"], check=True)
            f = entry(path, "reads")
        ok("a direct read flushes what is dirty in its range",
           16 <= f["direct"]["flushed_pages"] <= dirty, (f["direct"], dirty))

        # fio as it is by default.
        cache(path)
        resident = mincore(path)
        subprocess.run(["pcinspect", "reset", path], check=True)
        fio(path, "--rw=randread", "--io_size=64k")
        f = entry(path, "reads")
        equal("fio by default: the cache is gone", mincore(path), 0)
        equal("fio by default: pages removed", f["reads"]["removed_pages"], resident)
        ok("fio by default: an fadvise by fio, not direct I/O",
           [(r["how"], r["comm"], r["pages"]) for r in f["reads"]["removed_by"]] ==
           [("fadvise", "fio", resident)], f["reads"]["removed_by"])
        equal("fio by default: direct I/O removed nothing",
              f["direct"]["invalidated_pages"], 0)

        # drop_caches is told apart as well.
        cache(path)
        resident = mincore(path)
        subprocess.run(["pcinspect", "reset", path], check=True)
        subprocess.run(["sh", "-c", "echo 1 >/proc/sys/vm/drop_caches"], check=True)
        f = entry(path, "reads")
        equal("drop_caches: pages removed",
              f["reads"]["removed"]["invalidate"], resident - mincore(path))
        ok("drop_caches: by its name",
           [r["how"] for r in f["reads"]["removed_by"]] == ["drop_caches"],
           f["reads"]["removed_by"])
        # Truncation.
        cache(path)
        subprocess.run(["pcinspect", "reset", path], check=True)
        os.truncate(path, SIZE // 2)
        f = entry(path, "reads")
        equal("truncate: pages removed", f["reads"]["removed"]["truncate"],
              SIZE // 2 // 4096)
        print(f"# {KERNEL}: " + json.dumps(f["reads"]["removed"]))
    finish()


main()
