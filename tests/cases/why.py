#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# minutes: 2
"""why.py - "why", "explain" and views with --for answer without tracking first.

A reader (cat) reads one file from the disk again and again, another file stays in the
cache. "why" of the disk, the mount, the file, the process and nothing names the file, its
bytes and the process; a file that nobody uses is said to be unused. What was tracked for
the answer is not tracked afterwards.
"""
import json
import os
import signal
import subprocess
import time
from check import dontneed, equal, finish, make_file, mounted, ok, run

MB = 1 << 20


def reader(path):
    """A process that reads the file from the disk until it is killed."""
    script = 'while :; do cat "$1" >/dev/null; dd of="$1" oflag=nocache conv=notrunc,fdatasync ' \
             "count=0 status=none; done"
    return subprocess.Popen(["bash", "-c", script, "reader", path])


def ask(*args):
    p = subprocess.run(["pcinspect", *args], capture_output=True, text=True, check=False)
    return p.returncode, p.stdout, p.stderr


def report(*args):
    status, out, err = ask(*args, "--json")
    ok(f"{' '.join(args)}: it ends well", status in (0, 3), (status, err))
    return json.loads(out)


def disk_of(path):
    dev = os.stat(path).st_dev
    with open(f"/sys/dev/block/{os.major(dev)}:{os.minor(dev)}/uevent", encoding="ascii") as f:
        return dict(line.split("=") for line in f.read().split())["DEVNAME"]


with mounted("ext4") as mnt:
    hot, idle = f"{mnt}/hot", f"{mnt}/idle"
    make_file(hot, 16 * MB)
    make_file(idle, MB)
    os.makedirs(f"{mnt}/d")
    dontneed(hot)
    disk = disk_of(hot)
    job = reader(hot)
    try:
        for what in (disk, f"/dev/{disk}", mnt, hot):
            r = report("why", what, "--for", "2")
            names = [f["path"] for f in r["files"]]
            ok(f"why {what}: the file is named", hot in names, names)
            ok(f"why {what}: nothing else was read", idle not in names, names)
            f = next(f for f in r["files"] if f["path"] == hot)
            ok(f"why {what}: its bytes", f["reads"]["device_bytes"] > 0, f["reads"])
            ok(f"why {what}: the process", any(t["comm"] == "cat" for t in f["tasks"]),
               f["tasks"])
            ok(f"why {what}: the disk", any(d["name"] == disk and d["file_bytes"] > 0
                                            for d in r["devices"]), r["devices"])
        r = report("why", "--for", "2")
        ok("why: the machine: the file is named", hot in [f["path"] for f in r["files"]], r)
        status, out, err = ask("why", hot, "--for", "1")
        ok("why: in words: the device, the file", f"{disk}: read " in out and hot in out, (out, err))
        status, out, err = ask("why", idle, "--for", "1")
        ok("why: of an unused file it says so", "nothing was read or written" in err, err)
        r = report("reads", "--for", "2", hot)["files"][0]
        ok("reads --for: counted, and not tracked before", r["reads"]["device_bytes"] > 0, r)
        status, out, err = ask("explain", "--for", "1", hot)
        ok("explain --for: it looked at the file", status in (0, 3) and out, (status, out, err))
        status, out, err = ask("reads", "--for", "1", "-r", mnt, "-n", "-o", "DEVICE,PATH")
        ok("reads --for -r: every file below", {hot, idle} <=
           {line.split()[1] for line in out.splitlines()}, (out, err))
        status, out, err = ask("reads", hot)
        ok("afterwards it is not tracked", status == 1 and "is not tracked" in err, (status, err))
    finally:
        job.kill()
        job.wait()

    # One process, by its number.
    child = subprocess.Popen(["python3", "-c", f"""
import os
while True:
    fd = os.open({hot!r}, os.O_RDONLY)
    while os.read(fd, 1 << 20):
        pass
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)
"""])
    try:
        r = report("why", str(child.pid), "--for", "2")
        equal("why PID: its files", [f["path"] for f in r["files"]], [hot])
    finally:
        child.kill()
        child.wait()

    p = subprocess.Popen(["pcinspect", "why", mnt, "--for", "1000"], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    # It counts once it sleeps (clock_nanosleep(2), x86_64).
    while p.poll() is None:
        with open(f"/proc/{p.pid}/syscall", encoding="ascii") as f:
            if f.read().split()[0] == "230":
                break
        time.sleep(0.01)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate()
    ok("why: Ctrl-C ends it, with the report", p.returncode in (0, 3) and out.startswith("run of "),
       (p.returncode, out, err))

    for args, status, words in ((["why", "999999999"], 32, "no such process"),
                                (["why", "/nonexistent"], 32, "no such disk, file"),
                                (["why", "a", "b"], 2, "at most")):
        code, out, err = ask(*args)
        ok(f"{' '.join(args)}: one line says what is wrong",
           (code, out) == (status, "") and words in err and err.count("\n") == 1, (code, err))
    cgroup = "/sys/fs/cgroup"
    code, out, err = ask("why", cgroup, "--for", "0.2")
    ok("why CGROUP: is explain --cgroup", code in (0, 3) and "the cgroup" in out, (code, out, err))
    code, out, err = ask("explain", "--interval", "0.2")
    ok("explain without a PATH: the machine", code in (0, 3) and "machine" in out, (code, out, err))
    equal("a file without a command: its state", run("pcinspect", idle, "-n", "-o", "PATH").strip(),
          idle)
    code, out, err = ask(f"{mnt}/none")
    ok("a file that is not there", code == 2 and "no such file" in err, (code, err))
finish()
