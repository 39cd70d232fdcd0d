#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# minutes: 2
"""why.py - "why", "explain" and views with --for answer without tracking first.

While a look lasts, cat reads one file from the disk twice, another file stays in the cache.
"why" of the disk, the mount, the file, the process and nothing names the file, its bytes (the
file twice, as /proc/diskstats has it) and the process; a file that nobody uses is said to be
unused. A look is ended by Ctrl-C when the reading is done. The files that it tracked are not
tracked afterwards.
"""
import json
import os
import signal
import subprocess
import time
from check import cat, disk_bytes, dontneed, equal, finish, info, make_file, mounted, ok, run

MB = 1 << 20
SIZE = 16 * MB


def read_twice(path):
    """By cat, from the disk; returns the bytes that the disk has read."""
    was = disk_bytes()[0]
    for _ in range(2):
        dontneed(path)
        cat(path)
    return disk_bytes()[0] - was


READER = """
import os, sys
print("begun", flush=True)
for path in sys.stdin:
    for _ in range(2):
        fd = os.open(path.strip(), os.O_RDONLY)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        while os.read(fd, 1 << 20):
            pass
        os.close(fd)
    print("done", flush=True)
"""


def ask(*args):
    p = subprocess.run(["pcinspect", *args], capture_output=True, text=True, check=False)
    return p.returncode, p.stdout, p.stderr


def waits(pid):
    """Has it asked for all that it compares with later? Then it sleeps."""
    with open(f"/proc/{pid}/wchan", encoding="ascii") as f:
        return "nanosleep" in f.read()


def look(args, begun, work=lambda: None):
    """A command with --for: it begins, WORK is done, Ctrl-C ends it. Its status, what it
    prints, and what WORK returns."""
    with subprocess.Popen(["pcinspect", *args, "--for", "10000"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as p:
        while p.poll() is None and not (begun() and waits(p.pid)):
            time.sleep(0.02)
        done = work()
        p.send_signal(signal.SIGINT)
        out, err = p.communicate()
    ok(f"{' '.join(args)}: Ctrl-C ends it well", p.returncode in (0, 3), (p.returncode, err))
    return out, err, done


def running():
    return info()["run"] == "active"


def tracked():
    return int(info()["explicit_records"]) > 0


def why(what, work):
    args = ["why", *([what] if what else []), "--json"]
    out, err, done = look(args, running, work)
    return json.loads(out), err, done


with mounted("ext4") as mnt:
    hot, idle, disk = f"{mnt}/hot", f"{mnt}/idle", "vdb"
    make_file(hot, SIZE)
    make_file(idle, MB)
    run("sync")
    for what in (disk, f"/dev/{disk}", mnt, hot, None):
        r, err, read = why(what, lambda: read_twice(hot))
        label = f"why {what or ''}".strip()
        names = [f["path"] for f in r["files"]]
        ok(f"{label}: the file is named, and not the unused one",
           hot in names and idle not in names, names)
        f = next(f for f in r["files"] if f["path"] == hot)
        equal(f"{label}: its bytes: twice the file", f["reads"]["device_bytes"], 2 * SIZE)
        equal(f"{label}: by cat", [t["device_bytes"] for t in f["tasks"] if t["comm"] == "cat"],
              [SIZE] * 2)
        d = next(d for d in r["devices"] if d["name"] == disk)
        # Some may have been read before the report had asked the disk: its audit knows.
        said = [a for a in r["audit"] if a["what"] == "device_read_bytes" and a["dev"] == d["dev"]]
        ok(f"{label}: the disk says no less",
           said and all(a["ok"] for a in said) and read >= 2 * SIZE, (d, read, said))
        equal(f"{label}: of it, of files", d["file_bytes"], 2 * SIZE)
    out, err, _ = look(["why", hot], running, lambda: read_twice(hot))
    ok("why: in words: the device, the file", f"{disk}: read " in out and hot in out, (out, err))
    out, err, _ = look(["why", idle], running, lambda: read_twice(hot))
    ok("why: of an unused file it says so", "no reads or writes" in err, err)
    ok("why: and shows all", hot in out, out)
    out, err, _ = look(["why", mnt], running)
    ok("why: nothing was used", out.startswith("run of "), (out, err))

    with subprocess.Popen(["python3", "-c", READER], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as child:
        child.stdout.readline()            # It reads no file of Python any more.

        def both():
            """One process reads one file, cat another."""
            child.stdin.write(f"{hot}\n")
            child.stdin.flush()
            child.stdout.readline()
            read_twice(idle)
        r, err, _ = why(str(child.pid), both)
        equal("why PID: its files", [f["path"] for f in r["files"]], [hot])
        ok("why PID: how many of how many", "files are shown" in err, err)
        child.stdin.close()

    out, err, _ = look(["reads", "--json", hot], tracked, lambda: read_twice(hot))
    equal("reads --for: counted, and not tracked before",
          json.loads(out)["files"][0]["reads"]["device_bytes"], 2 * SIZE)
    out, err, _ = look(["explain", hot], tracked, lambda: read_twice(hot))
    ok("explain --for: it looked at the file", "rules looked at 1 file" in out or hot in out,
       (out, err))
    out, err, _ = look(["reads", "-r", mnt, "-n", "--bytes", "-o", "DEVICE,PATH"],
                       lambda: int(info()["explicit_records"]) >= 2, lambda: read_twice(hot))
    rows = dict(reversed(line.split()) for line in out.splitlines())
    equal("reads --for -r: every file below", (rows.get(hot), rows.get(idle)),
          (str(2 * SIZE), "0"))
    status, out, err = ask("reads", hot)
    ok("afterwards it is not tracked", status == 1 and "is not tracked" in err, (status, err))

    for args, status, words in ((["why", "999999999"], 32, "no such process"),
                                (["why", "4294967297"], 32, "no such process"),
                                (["why", "/nonexistent"], 32, "no such disk, file"),
                                (["why", "a", "b"], 2, "at most"),
                                ([f"{mnt}/none"], 2, "no regular file"),
                                ([mnt], 2, "no regular file")):
        code, out, err = ask(*args)
        ok(f"{' '.join(args)}: one line says what is wrong",
           (code, out) == (status, "") and words in err and err.count("\n") == 1, (code, err))
    code, out, err = ask("why", "/sys/fs/cgroup", "--for", "0.2")
    ok("why CGROUP: is explain --cgroup", code in (0, 3) and "the cgroup" in out, (code, out, err))
    code, out, err = ask("explain", "--for", "0.2")
    ok("explain without a PATH: the machine", code in (0, 3) and "machine" in out, (code, out, err))
    equal("a file without a command: its state", run("pcinspect", idle, "-n", "-o", "PATH").strip(),
          idle)
finish()
