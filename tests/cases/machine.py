#!/usr/bin/env python3
# vm: --mem 768 --disk 512 --disk 512 --disk 512
# soak: 6.1-rt 6.12-rt 7.2-rt 6.1-cloud 6.12-cloud 7.2-cloud 7.3 6.12-arm64-16k
# minutes: 1
"""machine.py - the machine's page cache, file by file, against /proc/vmstat.

Nothing is tracked. Files of several filesystems and cgroups are read, one is deleted
and held open, one is locked in memory, one is on tmpfs; then the files and what is left
over must add up to nr_file_pages less shmem and swap cache, to the page, and each file
must have what mincore(2) says. Directories, filesystems and cgroups are sums of the same
files; processes are those that were seen to read and write.
"""
import collections
import ctypes
import errno
import fcntl
import json
import mmap
import os
import re
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.environ["HERE"])
from check import (PAGE, KERNEL, Cgroup, drain, emptied, equal, finish, info, libc,  # noqa: E402
                   lru_gen, mincore, mounted, ok, run, skip, tool,
                   unflushed)
from pages import counted, vmstat, write  # noqa: E402
from pseudo import Pseudo  # noqa: E402

CGROUP = "/sys/fs/cgroup/machine"
BATCHES = 5 * 31 * os.cpu_count()
libc.mlock.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def refaults(cgroup):
    return counted(cgroup, "workingset_refault_file")


def cached(rows):
    return sum(row["pages"]["cached"] for row in rows)


def machine(what, *args, locked=0, files="files"):
    """A report that adds up to what was counted before and after it."""
    # The readings and the look are not at one moment, and others fill the page cache as
    # well: a journal's thread, the program's own first pages. What they do meanwhile is no
    # fault of the report, so it is looked again; a fault of the report is there each time.
    for _ in range(30):
        os.sync()
        drain()
        before = vmstat()
        rep = tool("machine", *args)
        after = vmstat()
        m = rep["machine"]
        if before == after and not m["unwalked_pages"] and m["off_lru_pages"] is not None:
            break
    ok(f"{what}: what is on no list is known", None not in (m["off_lru_pages"], m["unnamed_pages"]), m)
    off = m["off_lru_pages"] or 0
    ok(f"{what}: file_pages is /proc/vmstat's", before <= m["file_pages"] <= after,
       (before, m, after))
    if files != "processes":
        equal(f"{what}: the rows are what is on lists", cached(rep[files]),
              m["named_pages"] + m["nameless_pages"])
        equal(f"{what}: rows and what is left over are all there is",
              cached(rep[files]) + m["hidden_pages"] + m["unwalked_pages"] + off,
              m["file_pages"])
    equal(f"{what}: nothing is hidden", m["hidden_pages"] + m["unwalked_pages"], 0)
    equal(f"{what}: named and unnamed are all", m["named_pages"] + (m["unnamed_pages"] or 0),
          m["file_pages"])
    ok(f"{what}: on no list is what is locked, and batches of CPUs",
       locked <= off <= locked + BATCHES, (locked, m["off_lru_pages"]))
    for audit in rep["audit"]:
        ok(f"{what}: audit {audit['what']} says ok", audit["ok"], audit)
    return rep


def make_files(points):
    """Each filesystem has two directories of files; every path."""
    paths = []
    for i, point in enumerate(points):
        for name in "one", "two":
            os.makedirs(f"{point}/{name}")
            for k in range(4):
                paths.append(f"{point}/{name}/f{k}")
                write(paths[-1], 10 * i + 3 * k + len(name))
    run("sync")
    return paths


def inside(command):
    subprocess.run(["sh", "-c", f"echo $$ >{CGROUP}/cgroup.procs; {command}"], check=True)


def check_files(what, paths):
    rep = machine(what)
    equal(f"{what}: policy", (rep["machine"]["policy"], rep["lru"]), (what, what))
    mine = {f["path"]: f for f in rep["files"]}
    for path in paths:
        equal(f"{what}: {path} is as mincore(2) says",
              mine.get(path, {"pages": {"cached": 0}})["pages"]["cached"], mincore(path))
    ok(f"{what}: no file of tmpfs", not any(f["fs"] == "tmpfs" for f in rep["files"]))
    equal(f"{what}: most first", [f["pages"]["cached"] for f in rep["files"]],
          sorted((f["pages"]["cached"] for f in rep["files"]), reverse=True))


def check_sums(points):
    """The same pages by other names."""
    # Looked at since: reading them has changed their access times, which are on disk now.
    files = machine("files")["files"]
    dirs = {d["path"]: d for d in machine("directories", "--per", "directory",
                                          files="directories")["directories"]}
    systems = {s["path"]: s for s in machine("filesystems", "--per", "filesystem",
                                             files="filesystems")["filesystems"]}
    for point in points:
        for name in "one", "two":
            mine = [f for f in files if f["path"] and f["path"].startswith(f"{point}/{name}/")]
            entry = dirs[f"{point}/{name}"]
            equal(f"{point}/{name}: its pages and files", (entry["pages"]["cached"], entry["nr_files"]),
                  (cached(mine), len(mine)))
        dev = next(f["dev"] for f in files if f["path"] and f["path"].startswith(f"{point}/"))
        equal(f"{point}: its pages", systems[point]["pages"]["cached"],
              cached(f for f in files if f["dev"] == dev))
    groups = machine("cgroups", "--per", "cgroup", files="cgroups")["cgroups"]
    mine = next(c for c in groups if c["path"] == "/machine")
    drain()
    theirs = tool("cgroup", "/machine")["cgroups"][0]
    equal("a cgroup's pages are those of pcinspect cgroup",
          (mine["pages"]["active"], mine["pages"]["inactive"], mine["nr_files"]),
          (theirs["pages"]["active"], theirs["pages"]["inactive"], len(theirs["files"])))
    equal("by the same keys", [list(mine), list(mine["pages"])], [list(theirs), list(theirs["pages"])])
    equal("and so is its working set", mine["working_set_bytes"], mine["current_bytes"] - PAGE *
          mine["pages"]["inactive"])
    ok("of cgroups with others below them it is not known",
       next(c for c in groups if c["path"] == "/")["working_set_bytes"] is None, groups)


def check_deleted(point):
    path = f"{point}/one/f3"
    pages = mincore(path)
    ino = os.stat(path).st_ino
    with open(path, "rb"):
        before = machine("before it is deleted")["machine"]["deleted_pages"]
        os.unlink(path)
        rep = machine("deleted")
        gone = [f for f in rep["files"] if f["deleted"] and f["ino"] == ino]
        equal("a deleted file that is open is found, with its pages",
              [f["pages"]["cached"] for f in gone], [pages])
        equal("and counted", rep["machine"]["deleted_pages"], before + pages)


def said(*args):
    """The verdicts of explain about the machine or a cgroup, by name."""
    return {v["verdict"]: v for v in tool("explain", *args, "--interval", "0.1")["verdicts"]}


def check_explain_deleted(point):
    """A large deleted file that is open: who has it, and what makes its pages go."""
    path, pages = f"{point}/old.log", 10240
    write(path, pages)
    run("sync", path)
    name = "deleted-files-hold-memory"
    ok("explain --machine: nothing is said of a file that is there",
       name not in said("--machine"))
    with open(path, "rb") as f:
        os.unlink(path)
        drain()
        v = said("--machine").get(name)
        ok("explain --machine: once it is deleted", v)
        if v:
            equal("its file, and who has it open",
                  (v["evidence"]["largest_pages"], v["evidence"]["pid"], v["scope"],
                   v["certain"]), (pages, os.getpid(), "machine", True))
            ok("its pages are what it costs", v["cost_bytes"] >= pages * PAGE, v)
            equal("the command names the open file", v["remedy"]["command"],
                  f"dd if=/proc/{os.getpid()}/fd/{f.fileno()} iflag=nocache count=0 status=none")
            run("sh", "-c", v["remedy"]["command"])
            equal("and drops its pages", mincore(f"/proc/self/fd/{f.fileno()}"), 0)
            ok("then nothing is said", name not in said("--machine"))


def check_explain_cgroup(point):
    """A container at its limit: by cache, which is as it should be, and by shmem without swap."""
    generations = lru_gen()
    lru_gen(False)
    path, name, limit = f"{point}/hot", "working-set-cannot-go", 64 << 20
    write(path, (56 << 20) // PAGE)
    emptied(path)
    group = Cgroup("explained", limit)
    # Read twice it is active, which kubelet counts.
    group.run("cat", path)
    group.run("cat", path)
    drain()
    v = said("--cgroup", "/explained")
    ok("explain --cgroup: nothing is said of its cache while nobody waits for memory",
       not {name, "working-set-is-cache", "one-file-owns-cache", "thrashing"} & set(v), v)
    emptied(path)
    held, pages = "/tmp/held", (59 << 20) // PAGE
    group.run("dd", "if=/dev/zero", f"of={held}", "bs=64k", f"count={pages * PAGE >> 16}", "status=none")
    v = said("--cgroup", "/explained").get(name)
    ok("explain --cgroup: shmem cannot go", v)
    if v:
        e = v["evidence"]
        # The kernel adds a CPU's own counts later.
        ok("the file's pages are in the numbers", pages - (4 << 20) // PAGE < e["shmem_pages"] <= pages and
           e["used_pages"] >= pages and e["capacity_pages"] == limit // PAGE, e)
        equal("it is about that cgroup", (v["scope"], v["place"], v["path"], v["files"]),
              ("cgroup", "/explained", None, 0))
        words = v["remedy"]["command"].split()
        ok("a command raises its limit", words[0] == "echo" and int(words[1]) > limit and
           words[2:] == [">", "/sys/fs/cgroup/explained/memory.max"], words)
        text = run("pcinspect", "explain", "--cgroup", group.path, "--interval", "0.1")
        ok("in words, too", f"cgroup /explained: {name} (exact)" in text, text)
    both = said("--machine").get(name)
    ok("explain --machine: finds the same", both and both["place"] == "/explained", both)
    os.unlink(held)
    ok("explain --cgroup: nothing is said without it", name not in said("--cgroup", "/explained"))
    group.remove()
    lru_gen(bool(generations))
    for args, words in ((["--machine", path], "take no PATH"), (["--cgroup", "/none"], "No such file"),
                        (["--machine", "--cgroup", "/"], "are two")):
        done = subprocess.run(["pcinspect", "explain", *args], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        ok(f"explain {' '.join(args)}: one line says what is wrong",
           done.returncode and words in done.stderr and done.stderr.count("\n") == 1 and
           not done.stdout, done)


def working(group, job):
    """A process in a cgroup that does a job until it is killed."""
    pid = os.fork()
    if not pid:
        with open(f"{group.path}/cgroup.procs", "w", encoding="ascii") as f:
            f.write(str(os.getpid()))
        while True:
            job()
    return pid


def reader_pages(pid, path):
    """Pages that a process had read from a file in some ticks, those that came back, and those
    that it evicted."""
    pages, again, evicted = 0, 0, 0
    text = run("pcinspect", "--json-lines", "--interval", "0.5", "--for", "3")
    for line in text.splitlines():
        machine = json.loads(line)["machine"]
        for row in (machine["readers"] or []) + (machine["evictors"] or []):
            if (row["pid"], row["ino"]) == (pid, os.stat(path).st_ino):
                pages, again = pages + row.get("pages", 0), again + row.get("refault_pages", 0)
                evicted += row.get("evicted_pages", 0)
    return pages, again, evicted


def check_thrashing(point):
    """A set that is larger than the cgroup's limit, read over and over; a stream beside it."""
    generations = lru_gen()
    lru_gen(False)
    limit, size, block = 48 << 20, 54 << 20, 1 << 16
    write(f"{point}/set", size // PAGE)
    run("sync")
    emptied(f"{point}/set")
    run("truncate", "-s", "1T", f"{point}/stream")  # all holes, and never the same page twice
    over, beside = Cgroup("over", limit, "high"), Cgroup("beside", limit, "high")
    fd, stream = os.open(f"{point}/set", os.O_RDONLY), os.open(f"{point}/stream", os.O_RDONLY)
    told, tell = os.pipe()
    # Page by page: large folios are gone so soon that nobody waits for memory for long.
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)

    def over_and_over():
        for at in range(0, size, block):
            os.pread(fd, block, at)
            os.pread(fd, block, at)
        os.write(tell, b".")

    pid = working(over, over_and_over)
    for _ in range(4):
        os.read(told, 1)
    commands = set()
    for args in (("--cgroup", "/over", "--interval", "1"), ("--cgroup", "/over", "--interval", "3"),
                 ("--machine", "--interval", "2")):
        v = {v["verdict"]: v for v in tool("explain", *args)["verdicts"]}
        what = " ".join(args)
        # Where tasks were seen to wait, its active pages may be worth a word beside it.
        equal(f"explain {what}: what is in use does not fit, and nothing else",
              sorted(set(v) - {"working-set-is-cache"}), ["thrashing"])
        if "thrashing" in v:
            v = v["thrashing"]
            equal("it names the cgroup", (v["scope"], v["place"]), ("cgroup", "/over"))
            ok("which had to read again what it read", v["evidence"]["refault_pages"] > 256, v)
            commands.add(v["remedy"]["command"])
    ok("the limit that it advises has room for the set, whatever was read in the interval",
       commands and all(size <= int((c or "echo 0").split()[1]) <= 2 * size for c in commands),
       commands)
    screen = Pseudo(["pcinspect", "--interval", "0.2"], 80, 24)
    says(screen, "what is wrong", "why     thrashing: in [0-9.]+ s [0-9]+ pages were read again in cgroup /over ")
    says(screen, "who reads", rf"readers .*python3\[{pid}\] \S+ of {point}/set")
    says(screen, "why: it asked for them, and they are read again, since its cgroup has too little",
         "cause   .*>=[0-9]+% requested.*, [0-9]+% read again, evicted by itself")
    screen.type("q")
    equal("q: the end", screen.end(), 0)
    least, stolen = refaults(over.path), counted(over.path, "pgsteal")
    pages, again, evicted = reader_pages(pid, f"{point}/set")
    most = over.stat()["workingset_refault_file"] - least
    ok("of a reader's pages those that had been evicted: no more than memory.stat says, and most",
       pages / 2 < again <= most, (pages, again, most))
    stolen = counted(over.path, "pgsteal") - stolen
    ok("and that it has evicted them: no more than memory.stat says, and most",
       pages / 2 < evicted <= stolen, (pages, evicted, stolen))
    os.kill(pid, signal.SIGSTOP)
    least = refaults(over.path)
    got = {c["path"]: c["reads"]["refault_pages"] for c in
           tool("machine", "--per", "cgroup", "--by", "refault")["cgroups"]}
    ok("--by refault: what memory.stat says of it", size // PAGE - limit // PAGE <= least <=
       (got.get("/over") or 0) <= refaults(over.path), (least, got))
    other = working(beside, lambda: os.read(stream, block))
    while refaults(beside.path) == 0 and counted(beside.path, "pgsteal") < limit // PAGE:
        time.sleep(0.05)
    pages, again, _ = reader_pages(other, f"{point}/stream")
    ok("of a stream's pages none had been evicted", pages and again == 0, (pages, again))
    v = said("--cgroup", "/beside")
    ok("explain --cgroup: of a stream through the same limit it is not said", "thrashing" not in v, v)
    for one in pid, other:
        os.kill(one, signal.SIGKILL)
        os.waitpid(one, 0)
    for each in fd, stream, told, tell:
        os.close(each)
    for name in "set", "stream":
        os.unlink(f"{point}/{name}")
    over.remove()
    beside.remove()
    lru_gen(bool(generations))


def check_locked(point):
    path, pages = f"{point}/locked", 64
    # Page by page: of a large folio that is mapped later the kernel locks nothing.
    with open(path, "wb", buffering=0) as f:
        for _ in range(pages):
            f.write(b"l" * PAGE)
    run("sync")
    with open(path, "r+b") as f, mmap.mmap(f.fileno(), pages * PAGE) as m:
        at = ctypes.addressof(ctypes.c_char.from_buffer(m))
        equal("mlock(2)", libc.mlock(at, pages * PAGE), 0)
        drain()
        locked = vmstat("nr_mlock")
        if not locked:
            skip("pages that are locked", "this kernel locked none of them")
        machine("locked", locked=locked)
        libc.munlock(ctypes.c_void_p(at), ctypes.c_size_t(pages * PAGE))
    machine("unlocked")


def check_processes(point):
    path, out = f"{point}/two/f3", f"{point}/out"
    write(out, 1)
    run("pcinspect", "track", path, out)
    emptied(path)
    pages = os.path.getsize(path) // PAGE
    missed = subprocess.Popen(["cat", path], stdout=subprocess.DEVNULL)
    missed.wait()
    reader = subprocess.Popen(["cat", path], stdout=subprocess.DEVNULL)
    reader.wait()
    writer = subprocess.Popen(["dd", "if=/dev/zero", f"of={out}", f"bs={PAGE}", "count=9", "seek=1",
                               "conv=notrunc", "status=none"])
    writer.wait()
    rows = {p["pid"]: p for p in machine("processes", "--per", "process",
                                         files="processes")["processes"]}
    got = rows.get(reader.pid, {})
    equal("a process that read", (got.get("comm"), got.get("demanded_bytes"), got.get("files")),
          ("cat", pages * PAGE, 1))
    equal("and found all of it", got.get("hit_ratio"), 1)
    got = rows.get(missed.pid, {})
    equal("a process that found none", (got.get("hit_ratio"), got.get("inserted_pages")),
          (0, pages))
    got = rows.get(writer.pid, {})
    equal("a process that wrote", (got.get("comm"), got.get("dirtied_pages")), ("dd", 9))
    check_counts(point, path)
    run("pcinspect", "untrack")
    rep = machine("counts of nothing", "--by", "wasted")
    equal("nothing is tracked: nobody knows", {(f["reads"]["device_bytes"], f["reads"]["wasted_pages"],
          f["reads"]["refault_pages"]) for f in rep["files"]}, {(None, None, None)})
    text = run("pcinspect", "--by", "refault", "--limit", "3")
    ok("and a line says why", "refault: no file is tracked (pcinspect track PATH)" in text, text)


def check_counts(point, path):
    """Pages that files read, wasted and read again, sorted by each, beside the files' own."""
    keys = "device_bytes", "wasted_pages", "refault_pages"
    one = tool("reads", path)["files"][0]["reads"]
    mine = [one[key] for key in keys]
    ok("a tracked file has read something", mine[0], one)
    files = machine("counts", "--by", "read")["files"]
    row = next(f for f in files if f["path"] == path)
    equal("--by read: what the file has read, wasted, read again", [row["reads"][key] for key in keys], mine)
    counts = [f["reads"]["device_bytes"] for f in files]
    known = [n for n in counts if n is not None]
    ok("--by read: most first, unknown last", counts[:len(known)] == sorted(known, reverse=True) and
       len(known) < len(counts), counts)
    sums = {d["path"]: d["reads"] for d in machine("directories", "--per", "directory", "--by", "refault",
                                                   files="directories")["directories"]}
    got = sums[os.path.dirname(path)]
    equal("its directory has the same", ([got[key] for key in keys], got["tracked_files"]), (mine, 1))
    ok("a directory without a tracked file has none",
       any(d["tracked_files"] == 0 and d["refault_pages"] is None for d in sums.values()), sums)
    emptied(path)
    row = next((f for f in machine("nothing cached", "--by", "read")["files"] if f["path"] == path), None)
    ok("a tracked file of which nothing is cached has a row",
       row and row["pages"]["cached"] == 0 and row["reads"]["device_bytes"] == mine[0], row)
    least = refaults(CGROUP)
    rep = machine("cgroups' refaults", "--per", "cgroup", "--by", "refault", files="cgroups")["cgroups"]
    got = [c["reads"]["refault_pages"] for c in rep if c["path"] == "/machine"]
    ok("a cgroup's refaults are those of memory.stat",
       len(got) == 1 and got[0] is not None and least <= got[0] <= refaults(CGROUP), (least, got))
    run("strace", "-f", "-e", "trace=openat", "-o", "/tmp/opened", "pcinspect", "machine", "--per",
        "cgroup", "--by", "refault", "--json")
    with open("/tmp/opened", encoding="utf-8") as f:
        times = collections.Counter(re.findall(r'"(/sys/fs/cgroup[^"]*memory.stat)"', f.read()))
    equal("and each memory.stat is read once", (times[f"{CGROUP}/memory.stat"], set(times.values())), (1, {1}))
    done = subprocess.run(["pcinspect", "--once", "--per", "cgroup", "--by", "wasted"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ok("--by wasted, of a cgroup: one line says why not",
       done.returncode == 2 and "is counted by file" in done.stderr and done.stderr.count("\n") == 1 and
       not done.stdout, done)


def head(lines):
    """Lines of a screen above the headings of the list."""
    return next((i for i, x in enumerate(lines) if x.split()[:1] == ["CACHED"]), len(lines) - 2)


def first(lines):
    return lines[head(lines) + 1]


def says(screen, what, pattern):
    """Until a line above the list says so."""
    ok(f"on a terminal: {what}", screen.until(lambda x: any(
        re.match(pattern, y) for y in x[:head(x)])), screen.screen.lines())


def check_oldest(point):
    """Since when a file is dirty, by its inode: not before it was written, not after."""
    path, since = f"{point}/oldest", time.monotonic()
    with unflushed({"a": "vdb", "b": "vdc", "c": "vdd"}[point[-1]]), \
            open(path, "wb", buffering=0) as f:
        f.write(b"d" * PAGE)
        until = time.monotonic()
        drain()
        time.sleep(0.2)
        before = time.monotonic()
        row = next(x for x in tool("machine")["files"] if x["path"] == path)
        after = time.monotonic()
        age = row["inode_age_ms"]
        ok(f"{point}: inode_age_ms", row["pages"]["dirty"] == 1 and age is not None and
           (before - until) * 1000 - 20 <= age <= (after - since) * 1000 + 20,
           (row, before - until, after - since))
        os.fsync(f.fileno())
    row = next(x for x in tool("machine")["files"] if x["path"] == path)
    equal(f"{point}: synced, it has none", (row["pages"]["dirty"], row["inode_age_ms"]),
          (0, None))
    os.unlink(path)


def check_screen(point):
    """The same list on a terminal; a filesystem is opened, and a file in it watched."""
    path = f"{point}/shown"
    write(path, (30000 << 12) // PAGE)  # more than any other
    drain()
    screen = Pseudo(["pcinspect", "--interval", "0.2"], 80, 24)
    ok("on a terminal: the largest file is first", screen.until(
        lambda x: x[0].startswith("pcinspect ") and first(x).endswith(path)), screen.screen.lines())
    equal("its pages are those of mincore(2)", first(screen.screen.lines()).split()[0],
          f"{mincore(path) * PAGE >> 20}M")
    says(screen, "what is dirty for longest", r"oldest  dirty for about [0-9.]+m?s: \S+ of /")
    says(screen, "what has most inactive pages", "next    most inactive pages: [0-9.]+[KM] of /")
    says(screen, "what is wrong, or that nothing is", "why     [a-z]")
    screen.type("s" * 7)
    ok("s: by what is read, which nobody counts", screen.until(
        lambda x: "by read: no file is tracked" in x[0] and " READ " in x[head(x)] and " ? " in first(x)),
        screen.screen.lines())
    screen.type("S" * 7)
    ok("S: by pages again", screen.until("per file by cached"), screen.screen.lines())
    screen.type("\t\t")
    ok("Tab, Tab: filesystems, the largest first", screen.until(
        lambda x: "per filesystem" in x[0] and first(x).endswith(point)), screen.screen.lines())
    screen.type("\r")
    ok("Enter: its files only", screen.until(
        lambda x: x[0].endswith(f"of {point}") and first(x).endswith(path) and
        not any("/ro/" in y for y in x)), screen.screen.lines())
    screen.type("\r")
    ok("Enter: watch of the file", screen.until(
        lambda x: any(y.startswith("#1/1 ") and path in y for y in x)), screen.screen.lines())
    screen.type("q")
    ok("q: the machine again", screen.until("per file by cached"), screen.screen.lines())
    disk = os.path.basename(os.path.realpath(f"/sys/dev/block/{os.major(os.stat(path).st_dev)}:"
                                             f"{os.minor(os.stat(path).st_dev)}"))
    reads = f"while :; do dd if=/dev/{disk} of=/dev/null bs=1M count=16 iflag=direct; sleep 0.02; done"
    with subprocess.Popen(["sh", "-c", reads], stderr=subprocess.DEVNULL) as p:
        try:
            says(screen, "the disk that is read, how fast, and how long a request takes",
                 rf"disks   {disk} read [1-9.]+[0-9.]*[KMG]/s in [0-9.]+ ms")
        finally:
            p.kill()
    screen.type("x")
    ok("x: why, of that file", screen.until(
        lambda x: "Enter: back to the list" in x), screen.screen.lines())
    told = " ".join(screen.screen.history())
    ok("it names the file, and what was looked at", f"$ pcinspect why {path}" in told and
       "rules" in told, told)
    screen.type("\r")
    ok("Enter: the list again", screen.until("per file by cached"), screen.screen.lines())
    screen.type("q")
    equal("q: the end", (screen.end(), screen.screen.alternate), (0, False))


def calls():
    """Calls of the screen's module: walks, with begin and length in seconds, and readings."""
    walks, readings = [], 0
    with open("/tmp/calls", encoding="utf-8") as f:
        for line in f:
            m = re.match(r"([0-9.]+) ioctl\(.*0xdb, 0x([0-9a-f]+), .*<([0-9.]+)>$", line)
            if m and int(m[2], 16) == 10:
                walks.append((float(m[1]), float(m[3])))
            readings += bool(m) and int(m[2], 16) == 18
    return walks, readings


def check_stretched():
    """Without --interval walks take no more than a hundredth of the time."""
    run("touch", "/tmp/calls")
    screen = Pseudo(["strace", "-ttt", "-T", "-e", "trace=ioctl", "-o", "/tmp/calls", "pcinspect"], 80, 24)
    # Each walk reads once, and so does each tick.
    ok("on a terminal: ticks without a walk", screen.until(
        lambda x: len(calls()[0]) > 1 and calls()[1] > 3 * len(calls()[0])), calls())
    screen.type("q")
    equal("q: the end", screen.end(), 0)
    walks = calls()[0]
    ok("on a terminal: from the second on, a walk begins when the last was a hundredth of the time",
       all(b[0] - a[0] >= 100 * a[1] for a, b in zip(walks[1:], walks[2:])), walks)


def check_text():
    text = run("pcinspect", "--limit", "3")
    for words in "memory ", "files ", "reclaim ", "CACHED ACTIVE", "more; --limit 0: all)", "(total)", "names known: ":
        ok(f"the table says {words.strip()}", words in text, text)
    equal("and is once, into a pipe", text.count("(total)"), 1)
    text = run("pcinspect", "--per", "process", "--bytes")
    ok("that of processes says of how many files", "files with a record" in text, text)


def check_top():
    """top says how much of the page cache it has; files of tmpfs are no part of that."""
    def listed():
        return cached(f for f in tool("top")["files"] if f["fs"] not in ("tmpfs", "devtmpfs")) * PAGE

    def number(text):
        return float(text[:-1]) * 1024 ** " KMG".index(text[-1])

    text = run("pcinspect", "top", "--once", "--limit", "3")
    m = re.search(r"^These files: (\S+), (\S+)% of the page cache of files \((\S+)\)", text, re.M)
    ok("top: how much of the page cache these are", m, text)
    if m:
        these, share, whole = number(m[1]), float(m[2]), number(m[3])
        ok("top: what its records have", abs(these - listed()) < these / 10, (m[0], listed()))
        ok("top: of what /proc/vmstat says", abs(whole - vmstat() * PAGE) < whole / 10, (m[0], vmstat()))
        ok("top: that share", abs(share - 100 * these / whole) < 10, m[0])
    ok("top -b: no share of a list that was given", "These files" not in
       run("sh", "-c", "echo /mnt/a/shown | pcinspect top --once -b -"))


def check_small():
    """A walk takes memory for the files that exist, not for the most there may be: in a
    cgroup that could not hold that, nobody is killed, or loses cached pages."""
    group = Cgroup("small", 16 << 20)
    p = subprocess.run(["sh", "-c", f"echo $$ >{group.path}/cgroup.procs; "
                        "exec pcinspect machine --json >/dev/null"], check=False)
    with open(f"{group.path}/memory.events", encoding="ascii") as f:
        killed = [line.split()[1] for line in f if line.startswith("oom")]
    equal("in a cgroup of 16 MiB: exit status, and nothing killed",
          (p.returncode, set(killed)), (0, {"0"}))
    group.remove()


def main():
    os.mkdir(CGROUP)
    write("/tmp/shmem", 300)
    with mounted("ext4", "/dev/vdb", "/mnt/a"), mounted("xfs", "/dev/vdc", "/mnt/b"), \
            mounted("btrfs", "/dev/vdd", "/mnt/c"):
        points = ["/mnt/a", "/mnt/b", "/mnt/c"]
        tool("machine")  # its own pages come before they count
        for kind in ("classic", "mglru") if KERNEL.startswith("6.1.") else ("mglru",):
            run("sh", "-c", "sync; rm -rf /mnt/?/one /mnt/?/two; echo 1 >/proc/sys/vm/drop_caches")
            lru_gen(kind == "mglru")
            paths = make_files(points)
            inside(f"echo {'x' * 9000} >/mnt/a/inside; sync -f /mnt/a; cat /mnt/a/inside >/dev/null")
            check_files(kind, paths)
        check_sums(points)
        check_deleted("/mnt/a")
        check_explain_deleted("/mnt/a")
        check_explain_cgroup("/mnt/a")
        check_thrashing("/mnt/a")
        check_locked("/mnt/a")
        check_processes("/mnt/a")
        for point in points:
            check_oldest(point)
        check_screen("/mnt/a")
        check_stretched()
        check_text()
        check_top()
        check_small()
    finish()


main()
