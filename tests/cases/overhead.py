#!/usr/bin/env python3
# vm: --mem 512 --disk 512
"""overhead.py - the module measures what its probes take of a CPU, and steps back.

A tracked file is read in a loop, which takes more than one percent of the CPU: with that
as max_overhead its hooks are detached, its numbers are unknown and stay so beside a
second file, and the kernel log says so once; after all was untracked they count again.
With the default nothing is detached. The same of the live view's hooks.
"""
import json
import os
import subprocess
import time
from check import PAGE, entry, equal, finish, info, make_file, mounted, ok, run, stat, tool

MB = 1 << 20
MAX = "/sys/module/pcinspect/parameters/max_overhead"


def limit(percent):
    with open(MAX, "w", encoding="ascii") as f:
        f.write(str(percent))


def hooks():
    """How many of the read side are missing."""
    return len([line for key, line in info().items()
                if key.startswith("hook ") and "max_overhead" in line])


def read_until(path, over):
    """Reads of a page, until it is so or the time is up; how many."""
    reads = 0
    end = time.monotonic() + 120
    fd = os.open(path, os.O_RDONLY)
    while not over() and time.monotonic() < end:
        for i in range(5000):
            os.pread(fd, PAGE, i * PAGE % MB)
        reads += 5000
    os.close(fd)
    return reads


def permille():
    """The most that probes took of a CPU for a second."""
    return int(info()["overhead_permille"])


def demanded(path):
    return entry(path, "reads")["reads"]["demanded_bytes"]


def warnings():
    words = subprocess.run(["dmesg"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return words.count("max_overhead is")


def in_a_run(point):
    """Detached in the middle of one, before it reads and writes a disk."""
    path = f"{point}/run"
    make_file(path, 4 * MB)
    p = subprocess.run(["pcinspect", "run", "--json", "--", "python3", "-c", f"""
import os
fd = os.open("{path}", os.O_RDWR)
while "than max_overhead" not in open("/sys/kernel/debug/pcinspect/info").read():
    for i in range(5000):
        os.pread(fd, {PAGE}, 0)
os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
os.pread(fd, 4 << 20, 0)
os.pwrite(fd, bytes(1 << 20), 0)
os.fsync(fd)
"""], stdout=subprocess.PIPE, check=False)
    report = json.loads(p.stdout)
    equal("in a run: no audit fails, but what was seen of it is unknown",
          [a for a in report["audit"] if a["ok"] is False], [])
    equal("in a run: of devices", report["devices"], None)
    equal("in a run: of what was written", report.get("written"), None)
    (file,) = [f for f in report["files"] if f["path"] == path]
    equal("in a run: and of the file", file["reads"]["demanded_bytes"], None)
    ok("in a run: it says so", report["lost"]["hooks_missing"] > 10, report["lost"])


def live_view():
    return subprocess.Popen(["pcinspect", "machine", "--json-lines", "--interval", "0.2"],
                            stdout=subprocess.PIPE, text=True)


def ticks(p, until):
    """The machine at the first tick of which it is so; the first one has none before it."""
    for _ in range(1000):
        view = json.loads(p.stdout.readline())["machine"]
        if view["demand"] and until(view["demand"]["demanded_bytes"]):
            break
    return view


def in_a_live_view(path):
    """The hooks of live views are detached first, and come back with the next view."""
    with live_view() as p:
        ticks(p, lambda demanded: demanded is not None)
        equal("live view: its hooks are attached", info()["demand"], "attached")
        limit(1)
        read_until(path, lambda: "max_overhead" in info()["demand"])
        ok("live view: above the limit they are detached", "max_overhead" in info()["demand"],
           info()["demand"])
        said = subprocess.run(["pcinspect", "status"], stdout=subprocess.PIPE, text=True,
                              check=False).stdout
        ok("live view: status says so", "max_overhead" in said, said)
        view = ticks(p, lambda demanded: demanded is None)
        equal("live view: what they count is unknown", (view["demand"]["demanded_bytes"],
              view["demand"]["missed_pages"], view["demand"]["inserted_pages"], view["readers"]),
              (None, None, None, None))
        limit(50)
        p.kill()
    while info()["demand"] != "detached":
        time.sleep(0.05)
    with live_view() as p:
        view = ticks(p, lambda demanded: demanded is not None)
        ok("live view: the next who looks knows", view["demand"]["demanded_bytes"] is not None, view["demand"])
        p.kill()


def main():
    with mounted("ext4") as point:
        path, other = f"{point}/f", f"{point}/other"
        for name in (path, other):
            make_file(name, MB)
        equal("a limit is the default", info()["max_overhead_percent"], "50")
        tool("track", path)
        reads = read_until(path, lambda: permille() > 10)
        ok("what the probes take is measured", permille() > 10, permille())
        equal("all was counted", demanded(path), reads * PAGE)
        ok("and how long the longest call was", int(info()["longest_probe"].split()[0]) > 0)
        equal("nothing is detached", hooks(), 0)

        limit(1)
        read_until(path, hooks)
        ok("above the limit the hooks are detached", hooks() > 10, hooks())
        equal("and what they count is unknown", demanded(path), None)
        equal("the log says so once", warnings(), 1)
        said = subprocess.run(["pcinspect", "status"], stdout=subprocess.PIPE, text=True,
                              check=False).stdout
        ok("status as well", "max_overhead" in said, said)
        tool("track", other)
        equal("nothing is attached for another file", hooks() > 10, True)
        equal("what it counts is unknown as well", demanded(other), None)
        equal("pages are known", stat(path)["pages"]["cached"], MB // PAGE)

        run("pcinspect", "untrack")
        equal("when all is untracked nothing is missing any more", hooks(), 0)
        in_a_run(point)
        limit(0)
        tool("track", path)
        equal("after all was untracked all is attached", hooks(), 0)
        equal("and counted", demanded(path), 0)
        with open(path, "rb") as f:
            equal("read", len(f.read()), MB)
        equal("what was read is known", demanded(path), MB)
        equal("without a limit the log says nothing more", warnings(), 2)
        run("pcinspect", "untrack")
        in_a_live_view(path)
        equal("the log says it of the live view as well", warnings(), 3)
    finish()


main()
