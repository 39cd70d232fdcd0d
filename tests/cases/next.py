#!/usr/bin/env python3
# vm: --mem 768 --disk 512
# minutes: 1
"""next.py - what pcinspect next says goes next is what reclaim then takes.

Files are read once, twice, at random and again after they were evicted, in a cgroup
of their own without processes, so that nothing else is on its lists. Then the order
is asked for, memory.reclaim takes 1, 8 and 64 MiB, and mincore(2) says page by page
what went: of clean and unmapped pages the first ones of the order, all of them, as
far as the order claims to go. Mapped or dirty pages may be taken: then the pages taken
are among the certain and the possible ones.

How much more than asked reclaim takes is its own affair, so that the order is asked
for further than that. Whatever else was first read in the cgroup (a page of python's)
is left out. Nothing may move pages meanwhile: no swap, no compaction, no huge pages.
"""
import errno
import mmap
import os
import random
import subprocess
import sys
import traceback

sys.path.insert(0, os.environ["HERE"])
from check import (PAGE, Cgroup, dontneed, drain, emptied, equal, finish, libc, lru_gen,  # noqa: E402
                   make_file, mounted, ok, resident, setting, tool, unflushed)

MNT = "/mnt/t"
MIB = 1 << 20
SIZE = 24 * MIB
NAMES = "once", "twice", "random", "refault", "late"
SIZES = {"small": 8 * MIB, "large": 24 * MIB}


def inside(group, work):
    """Do something in a cgroup, in a process that ends and leaves nothing."""
    pid = os.fork()
    if not pid:
        try:
            with open(f"{group.path}/cgroup.procs", "w", encoding="ascii") as f:
                f.write(str(os.getpid()))
            work()
            os._exit(0)
        finally:
            traceback.print_exc()
            os._exit(1)
    equal("it could be done", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)


def read(path, indexes=None, size=None):
    """All of a file, or pages of it in some order without readahead."""
    fd = os.open(path, os.O_RDONLY)
    if indexes is None:
        left = size or SIZE
        while left > 0:
            part = len(os.read(fd, min(left, 1 << 17)))
            if not part:
                raise EOFError(f"{path}: {left} bytes are missing")
            left -= part
    else:
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
        for i in indexes:
            os.pread(fd, PAGE, i * PAGE)
    os.close(fd)


def reclaim(group, size):
    """Take as much of a cgroup; that it could not take all is no error here."""
    try:
        with open(f"{group.path}/memory.reclaim", "w", encoding="ascii") as f:
            f.write(str(size))
    except OSError as e:
        if e.errno != errno.EAGAIN:
            raise


def ask(group, size):
    drain()
    rep = tool("next", "--order", "--bytes", str(size), "--interval", "0.01", group.path)
    ok("the audit says ok", all(a["ok"] for a in rep["audit"]) and rep["audit"], rep["audit"])
    return rep["next"]


def numbered(said, key):
    """Pages one by one, first to go first, each with the number of its file."""
    return [(f, index + i) for f, index, pages in said[key] for i in range(pages)]


def page_list(said, key):
    """The same with its path."""
    paths = [f["path"] for f in said["files"]]
    return [(None if f is None else paths[f], index) for f, index in numbered(said, key)]


def cached(paths):
    return {(path, i) for path in paths for i in resident(path)}


def check_sums(what, said, size):
    """The numbers of files and pages are those of the order."""
    order, maybe = numbered(said, "order"), numbered(said, "maybe")
    named = [page for page in order + maybe if page[0] is not None]
    equal(f"{what}: pages for certain", said["next_pages"], len(order))
    equal(f"{what}: as many as files have of them",
          sum(f["next_pages"] for f in said["files"]),
          sum(page[0] is not None for page in order))
    equal(f"{what}: and possible ones", len(maybe), said["maybe_mapped_pages"] +
          said["maybe_dirty_pages"] + said["maybe_protected_pages"] +
          said["maybe_held_pages"] + said["maybe_device_pages"])
    equal(f"{what}: no page twice", len(set(named)), len(named))
    equal(f"{what}: it ends early if it says so", said["ends"] is None,
          len(order) == size // PAGE)
    for i, f in enumerate(said["files"]):
        # How far a file is, is said of its own list.
        mine = [n for n, page in enumerate(order) if page[0] == i and said["lists"] == 1]
        if mine and not f["maybe_pages"]:
            equal(f"{what}: {f['path']}: nearest", f["nearest_pages"], mine[0])
        if len(mine) == f["pages"]:
            equal(f"{what}: {f['path']}: median", f["median_pages"], mine[len(mine) // 2])
        ok(f"{what}: {f['path']}: nearest first",
           not i or f["nearest_pages"] is None or
           said["files"][i - 1]["nearest_pages"] <= f["nearest_pages"], said["files"])


def check_reclaim(what, group, paths, size):
    """Look twice, reclaim, and compare."""
    what = f"{what}, {size // MIB} MiB"
    far = 2 * size + 16 * MIB
    said, again = ask(group, far), ask(group, far)
    near = ask(group, size)
    check_sums(what, near, size)
    order = page_list(said, "order")
    ok(f"{what}: a shorter look sees the beginning",
       page_list(near, "order") == order[:size // PAGE])
    order = [page for page in order if page[0] in paths]
    maybe = [page for page in page_list(said, "maybe") if page[0] in paths]
    ok(f"{what}: looking changes nothing",
       [page for page in page_list(again, "order") if page[0] in paths] == order and
       [page for page in page_list(again, "maybe") if page[0] in paths] == maybe)
    before = cached(paths)
    equal(f"{what}: one list", said["lists"], 1)
    equal(f"{what}: nothing moved", said["moved"], 0)
    ok(f"{what}: all of the order is cached", set(order) <= before,
       len(set(order) - before))
    reclaim(group, size)
    taken = before - cached(paths)
    print(f"# {what}: {len(order)} in the order, ends {said['ends']}, {len(taken)} taken, "
          f"{len(maybe)} maybe", flush=True)
    return order, set(maybe), taken, said["ends"]


def check_exact(what, group, paths, size):
    """Nothing is mapped or dirty: what went are the first ones of the order."""
    order, maybe, taken, ends = check_reclaim(what, group, paths, size)
    equal(f"{what}, {size // MIB} MiB: nothing is uncertain", len(maybe), 0)
    ok(f"{what}, {size // MIB} MiB: reclaim took something", len(taken) >= size // PAGE // 2,
       len(taken))
    if len(taken) <= len(order):
        first = set(order[:len(taken)])
        equal(f"{what}, {size // MIB} MiB: the pages taken are the first of the order",
              len(taken - first), 0)
    else:
        ok(f"{what}, {size // MIB} MiB: the order said that it ends", ends, ends)
        equal(f"{what}, {size // MIB} MiB: all of the order is taken",
              len(set(order) - taken), 0)


def fill(group, paths):
    """Once, twice, at random, and again what was evicted."""
    random.seed(14)
    pages = list(range(SIZE // PAGE))
    inside(group, lambda: (read(paths["refault"]), read(paths["once"])))
    drain()
    reclaim(group, 16 * MIB)

    def work():
        read(paths["twice"])
        read(paths["twice"])
        read(paths["random"], random.sample(pages, len(pages)))
        read(paths["refault"])
        read(paths["random"], random.sample(pages, len(pages) // 3))
        read(paths["late"])

    inside(group, work)
    drain()


def check_clean(what, paths):
    group = Cgroup(f"clean-{what}")
    fill(group, paths)
    for size in MIB, 8 * MIB, 64 * MIB:
        check_exact(what, group, paths.values(), size)
    for path in paths.values():
        dontneed(path)
    group.remove()


def check_maybe(what, paths):
    """One file is mapped and in use, one has dirty pages, one neither."""
    group = Cgroup(f"maybe-{what}")
    inside(group, lambda: (read(paths["once"], size=8 * MIB), read(paths["twice"]),
                           read(paths["random"])))
    with unflushed(), open(paths["once"], "rb") as f, \
            mmap.mmap(f.fileno(), 8 * MIB, prot=mmap.PROT_READ) as mapped:
        for i in range(0, 8 * MIB, PAGE):
            mapped[i]  # pylint: disable=pointless-statement

        def dirty():
            fd = os.open(paths["twice"], os.O_WRONLY)
            for i in range(150):
                os.pwrite(fd, b"x", i * 3 * PAGE)
            os.close(fd)

        inside(group, dirty)
        drain()
        order, maybe, taken, _ = check_reclaim(f"{what}, mapped and dirty", group,
                                               paths.values(), 16 * MIB)
        ok(f"{what}: mapped pages are uncertain",
           (paths["once"], 0) in maybe and (paths["once"], 0) not in order)
        ok(f"{what}: dirty pages are uncertain",
           (paths["twice"], 3) in maybe and (paths["twice"], 3) not in order)
        equal(f"{what}: what went was certain or possible",
              len(taken - set(order) - maybe), 0)
    for path in paths.values():
        dontneed(path)
    group.remove()


def check_held(what, paths):
    """Pages that are in a pipe are not for certain, and stay."""
    group, path = Cgroup(f"held-{what}"), paths["once"]
    fd, (out, to) = os.open(path, os.O_RDONLY), os.pipe()
    emptied(path)
    # Used once, so that they are not on the active list, of which nothing is said.
    inside(group, lambda: (os.splice(fd, to, 8 * PAGE, offset_src=0),
                           read(paths["twice"], size=8 * MIB)))
    held = {(path, i) for i in range(8)}
    said = ask(group, 32 * MIB)
    check_sums(f"{what}, held", said, 32 * MIB)
    ok(f"{what}: those are counted", said["maybe_held_pages"] >= 8, said["maybe_held_pages"])
    order, maybe = set(page_list(said, "order")), set(page_list(said, "maybe"))
    # Where the order ends early they may be behind its end.
    ok(f"{what}: and uncertain", not held & order and (held <= maybe or said["ends"]),
       (len(held & order), len(held & maybe), said["ends"]))
    before = cached(paths.values())
    reclaim(group, 32 * MIB)
    after = cached(paths.values())
    ok(f"{what}: they stay", held <= after, len(held - after))
    if said["ends"] in (None, "list"):
        equal(f"{what}: what went was certain or possible",
              len(before - after - order - maybe), 0)
    os.close(out)
    os.close(to)
    os.close(fd)
    for each in paths.values():
        dontneed(each)
    inside(group, lambda: read(path, size=8 * MIB))
    equal(f"{what}: later nothing is held", ask(group, 32 * MIB)["maybe_held_pages"], 0)
    dontneed(path)
    group.remove()


def check_input():
    group = Cgroup("gone")
    fd = os.open(group.path, os.O_RDONLY)
    os.makedirs("/mnt/v1", exist_ok=True)
    subprocess.run(["mount", "-t", "cgroup", "-o", "none,name=old", "old", "/mnt/v1"], check=True)
    group.remove()
    for args, status, words in ((["/none"], 32, "No such file"), (["/proc"], 32, "is no cgroup"),
                                (["/mnt/v1"], 32, "cgroup v1"),
                                ([f"/proc/self/fd/{fd}"], 32, "was removed"),
                                (["--bytes", "1T"], 2, "more than all memory"),
                                (["--bytes", "0"], 2, "no number of bytes"),
                                (["--bytes", "8X"], 2, "no number of bytes"),
                                (["/a", "/b"], 2, "at most")):
        done = subprocess.run(["pcinspect", "next", *args], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, pass_fds=[fd])
        equal(f"next {' '.join(args)}: fails", done.returncode, status)
        ok(f"next {' '.join(args)}: says why", words in done.stderr, done.stderr)
        equal(f"next {' '.join(args)}: in one line", done.stderr.count("\n"), 1)
        equal(f"next {' '.join(args)}: and nothing else", done.stdout, "")
    os.close(fd)
    subprocess.run(["umount", "/mnt/v1"], check=True)


def check_two(what):
    """Two cgroups of one: each gives its share by size, in its own order."""
    above = Cgroup(f"above-{what}")
    with open(f"{above.path}/cgroup.subtree_control", "w", encoding="ascii") as f:
        f.write("+memory")
    groups = {name: Cgroup(f"above-{what}/{name}") for name in SIZES}
    for name, size in SIZES.items():
        emptied(f"{MNT}/{name}")
        inside(groups[name], lambda name=name, size=size: read(f"{MNT}/{name}", size=size))
    what, wanted = f"{what}, two cgroups", 8 * MIB // PAGE
    alone = {name: ask(groups[name], 2 * SIZES[name]) for name in SIZES}
    said = ask(above, wanted * PAGE)
    check_sums(what, said, wanted * PAGE)
    ok(f"{what}: two lists", said["lists"] >= 2, said["lists"])
    equal(f"{what}: nothing moved", said["moved"], 0)
    equal(f"{what}: as many as were asked for", said["next_pages"], wanted)
    total = sum(f["pages"] for f in said["files"])
    for name, size in SIZES.items():
        path, order = f"{MNT}/{name}", page_list(alone[name], "order")
        equal(f"{what}: {name}: all of its pages are certain",
              len({page for page in order if page[0] == path}), size // PAGE)
        share = wanted * sum(f["pages"] for f in alone[name]["files"]) // total
        mine = [page for page in page_list(said, "order") if page[0] == path]
        ok(f"{what}: {name}: as if it were alone, as far as its share by size",
           any(mine == [page for page in order[:near] if page[0] == path]
               for near in (share - 1, share, share + 1)), (len(mine), share, total))
    for name in SIZES:
        dontneed(f"{MNT}/{name}")
        groups[name].remove()
    above.remove()


def check_all():
    """Of all cgroups: the numbers fit, whatever the machine does."""
    said = tool("next", "--bytes", "8M", "--interval", "0.01")["next"]
    equal("all cgroups: no one's path", said["cgroup"], None)
    equal("all cgroups: files and sum", sum(f["next_pages"] for f in said["files"]) <=
          said["next_pages"] <= 8 * MIB // PAGE, True)
    text = subprocess.run(["pcinspect", "next", "--limit", "2"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout
    ok("all cgroups: as a table", "NEAREST" in text and "--limit 0: all" in text, text)


def keep_still():
    """Nothing but reclaim moves pages, and python's own are in memory already."""
    equal("python's pages are in memory", libc.mlockall(1), 0)
    with open("/sys/kernel/mm/transparent_hugepage/enabled", "w", encoding="ascii") as f:
        f.write("never")
    setting("compaction_proactiveness", 0)
    with open("/proc/swaps", encoding="ascii") as f:
        equal("there is no swap space", len(f.readlines()), 1)


def main():
    keep_still()
    with mounted("ext4"):
        paths = {name: f"{MNT}/{name}" for name in NAMES}
        for path in paths.values():
            make_file(path, SIZE)
        for name, size in SIZES.items():
            make_file(f"{MNT}/{name}", size)
        for what in "classic", "mglru":
            lru_gen(what == "mglru")
            check_clean(what, paths)
            check_maybe(what, paths)
            check_held(what, paths)
            check_two(what)
        check_all()
    check_input()
    finish()


main()
