#!/usr/bin/env python3
"""guest.py - the same files asked of fincore, vmtouch, bpftrace and pcinspect.

Prints a row for each question, in pages, with what the kernel or the work itself says of it.
"""
import contextlib
import json
import os
import subprocess
import time
from check import PAGE, Cgroup, drain, emptied, make_file, mincore, mounted, run, tool

MB = 1 << 20


def fincore(path):
    return int(run("fincore", "-n", "-o", "PAGES", path).split()[0])


def vmtouch(path):
    text = run("vmtouch", path)
    (line,) = [x for x in text.splitlines() if "Resident Pages" in x]
    return int(line.split()[2].split("/")[0])


def ours(path, key="cached"):
    value = tool("stat", path)["files"][0]["pages"][key]
    return "?" if value is None else value


@contextlib.contextmanager
def events(path, out):
    """Pages that were inserted into a file, and removed, by the tracepoints; in out."""
    st = os.stat(path)
    program = "".join(
        f"tracepoint:filemap:mm_filemap_{what} /args->i_ino == {st.st_ino}/ "
        f"{{ @{name} = sum(1 << args->order); }} "
        for what, name in (("add_to_page_cache", "in"), ("delete_from_page_cache", "out")))
    with subprocess.Popen(["bpftrace", "-e", "BEGIN { printf(\"ready\\n\"); } " + program],
                          stdout=subprocess.PIPE, text=True) as p:
        while p.stdout.readline().strip() != "ready":
            pass
        time.sleep(2)
        yield
        time.sleep(1)
        p.send_signal(2)
        text = p.stdout.read()
    for name in ("in", "out"):
        values = [x for x in text.splitlines() if x.startswith(f"@{name}:")]
        out[name] = int(values[0].split(":")[1]) if values else 0


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def evicted(path, group):
    """Read in a cgroup whose memory is taken away again."""
    group.run("cat", path)
    drain()
    for _ in range(20):
        with contextlib.suppress(OSError), open(f"{group.path}/memory.reclaim", "w",
                                                encoding="ascii") as f:
            f.write("8M")
        if mincore(path) < os.path.getsize(path) // PAGE:
            break


def main():
    with mounted("xfs") as point:
        path = f"{point}/half"
        make_file(path, 16 * MB)
        emptied(path)
        fd = os.open(path, os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
        for at in range(0, 8 * MB, 64 << 10):
            os.pread(fd, 64 << 10, at)
        os.close(fd)
        row("cached, half of a file was read", 8 * MB // PAGE, fincore(path), vmtouch(path), "-",
            ours(path))

        for name in ("lower", "upper", "work", "over"):
            os.mkdir(f"{point}/{name}")
        make_file(f"{point}/lower/f", 8 * MB)
        run("mount", "-t", "overlay", "overlay", "-o",
            f"lowerdir={point}/lower,upperdir={point}/upper,workdir={point}/work", f"{point}/over")
        run("cat", f"{point}/over/f")
        row("cached, of a file on overlayfs", 8 * MB // PAGE, fincore(f"{point}/over/f"),
            vmtouch(f"{point}/over/f"), "-", ours(f"{point}/over/f"))
        run("umount", f"{point}/over")

        path = f"{point}/deleted"
        make_file(path, 8 * MB)
        fd = os.open(path, os.O_RDONLY)
        while os.read(fd, MB):
            pass
        os.unlink(path)
        drain()
        found = [f["pages"]["cached"] for f in tool("machine", "--once", "--limit", "0")["files"]
                 if f["path"] and f["path"].endswith("/deleted")]
        row("cached, of a file that is deleted and open", 8 * MB // PAGE, "-", "-", "-",
            sum(found))
        os.close(fd)

        path, group = f"{point}/evicted", Cgroup("small")
        make_file(path, 16 * MB)
        emptied(path)
        evicted(path, group)
        gone = os.path.getsize(path) // PAGE - mincore(path)
        row("evicted by reclaim", gone, "-", "-", "-", ours(path, "evicted"))
        group.remove()

        path = f"{point}/sparse"
        with open(path, "wb") as f:
            f.truncate(8 * MB)
        emptied(path)
        tool("track", path)
        seen = {}
        with events(path, seen):
            run("cat", path)
        reads = tool("reads", path)["files"][0]["reads"]
        row("read from disk for a file without blocks", 0, "-", "-",
            f"{seen['in']} inserted", reads["device_bytes"] // PAGE)
        run("pcinspect", "untrack")

    os.makedirs("/tmp/shm", exist_ok=True)
    run("mount", "-t", "tmpfs", "shm", "/tmp/shm")
    path = "/tmp/shm/f"
    with open(path, "wb") as f:
        f.write(b"x")
    seen = {}
    with events(path, seen):
        with open(path, "r+b") as f:
            f.write(b"x" * 4 * MB)
        os.truncate(path, 0)
    told = json.loads(run("pcinspect", "stat", "--json", path))["files"][0]["record"]
    row("inserted less removed on tmpfs, written and truncated", 0, "-", "-",
        seen["in"] - seen["out"],
        "?" if not told or told["inserted_pages"] is None else "a number")


main()
