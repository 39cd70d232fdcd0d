#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# soak: 6.1-rt 6.12-rt 7.2-rt
"""evict.py - cached + evicted == the file's pages, evicted == cachestat(2)'s.

A file four times the size of its memory cgroup's limit is read once by cat:
every page was cached, and is now cached or leaves a shadow entry. After
fadvise(DONTNEED) nothing is cached; the shadows of what reclaim took stay.

The group reads a little and rests first: while its statistics were never
flushed, the kernel's shadow shrinker thinks it has no pages and takes shadow
nodes in batches of 128, 8,192 pages (count_shadow_nodes(), mm/workingset.c,
6.12); cachestat(2) loses the same pages.
"""
import mmap
import os
from check import (Cgroup, cachestat, dontneed, equal, finish, lru_gen,
                   make_file, mounted, ok, pages, stat, tool)

MB = 1 << 20
SIZE = 128 * MB
PAGEOUT = 21      # madvise(2)


def nodes_taken():
    """Nodes with nothing but shadows that the kernel's shrinker has freed."""
    with open("/proc/vmstat", encoding="ascii") as f:
        return int(dict(line.split() for line in f)["workingset_nodereclaim"])


def paged_out(label, mnt):
    """Reclaim that a program asks for: MADV_PAGEOUT, of pages that it maps."""
    path = f"{mnt}/mapped"
    make_file(path, 4 * MB)
    dontneed(path)
    tool("track", path)
    with open(path, "rb", buffering=0) as f:
        # In folios of one page: 6.1 leaves larger ones where they are.
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
        while f.read(4096):
            pass
        m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
        for i in range(0, 4 * MB, 4096):
            _ = m[i]
        was = pages(path)["cached"]
        m.madvise(PAGEOUT)
        m.close()
    p, cs = pages(path), cachestat(path)
    reads = tool("reads", path)["files"][0]["reads"]
    gone = was - p["cached"]
    ok(f"{label}: what was paged out has gone", gone > MB >> 12, (was, p))
    equal(f"{label}: paged out: a shadow each", p["evicted"], gone)
    if cs:
        equal(f"{label}: paged out: evicted == cachestat", p["evicted"], cs["evicted"])
    equal(f"{label}: paged out: by reclaim, and not otherwise",
          {k: v for k, v in reads["removed"].items() if v}, {"reclaim": gone})
    equal(f"{label}: paged out: by this process, for no file",
          [(e["path"], e["pid"], e["pages"], e["inferred"]) for e in reads["evicted_by"]],
          [(None, os.getpid(), gone, False)])
    dontneed(path)
    p = pages(path)
    equal(f"{label}: fadvise leaves no shadow, and takes those that were there",
          (p["cached"], p["evicted"]), (0, 0))
    os.unlink(path)


for fs in ("ext4", "xfs"):
    for mglru in (False, True):
        label = f"{fs}, {'mglru' if mglru else 'classic'}"
        lru_gen(mglru)
        with mounted(fs) as mnt:
            path = f"{mnt}/f"
            make_file(path, SIZE)
            group = Cgroup("small", 32 * MB)
            group.run("dd", f"if={path}", "of=/dev/null", "bs=1M", "count=24",
                      "status=none")
            group.stat()
            nodes = nodes_taken()
            group.run("cat", path)
            p = pages(path)
            # A node has 64 entries, and an entry up to 64 pages (a larger folio
            # has several).
            nodes = nodes_taken() - nodes
            lost = (SIZE >> 12) - p["cached"] - p["evicted"]
            ok(f"{label}: cached + evicted == file pages, but for what the kernel "
               "says its shrinker took", 0 <= lost <= nodes << 12, (lost, nodes, p))
            ok(f"{label}: most was evicted", p["evicted"] + lost > SIZE >> 13, p)
            cs = cachestat(path)
            if cs:
                equal(f"{label}: evicted == cachestat", p["evicted"], cs["evicted"])
                equal(f"{label}: cached == cachestat", p["cached"], cs["cache"])
            charged = stat(path)["memcg"]
            equal(f"{label}: charged to the cgroup",
                  [(c["path"], c["pages"]) for c in charged],
                  [("/small", p["cached"])])
            group.run("cat", path)
            # By now the kernel's shadow shrinker may have taken a batch.
            p, cs = pages(path), cachestat(path)
            if cs:
                equal(f"{label}: evicted == cachestat after a second pass",
                      p["evicted"], cs["evicted"])
            dontneed(path)
            p = pages(path)
            equal(f"{label}: fadvise drops all that is cached", p["cached"], 0)
            cs = cachestat(path)
            if cs:
                equal(f"{label}: shadows after fadvise == cachestat",
                      p["evicted"], cs["evicted"])
            paged_out(label, mnt)
        group.remove()
finish()
