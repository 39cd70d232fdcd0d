#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
"""input.py - wrong and odd input: the documented status, one clear line, and
never a failed path that hides the others."""
import json
import os
import signal
import subprocess
import tempfile
from check import equal, finish, make_file, mounted, ok, run, tool

MB = 1 << 20
WORK = tempfile.mkdtemp()
GOOD = f"{WORK}/good"


def sh(script, **kw):
    return subprocess.run(["bash", "-c", script], capture_output=True, check=False,
                          **kw)


def one_line(name, p, status, *words):
    err = p.stderr.decode(errors="replace")
    ok(name, p.returncode == status and err.count("\n") == 1 and
       err.startswith("pcinspect: ") and all(w in err for w in words),
       (p.returncode, err))


def errors():
    one_line("no such file", sh("pcinspect stat /nonexistent"), 32,
             "/nonexistent", "No such file")
    p = sh(f"pcinspect stat /nonexistent {GOOD} --json")
    one_line("one bad path of two", p, 64, "/nonexistent")
    equal("the good one is shown", [f["path"] for f in json.loads(p.stdout)["files"]],
          [GOOD])
    p = sh(f"pcinspect stat -n -o PATH /nonexistent {GOOD} /also/not")
    equal("in a table, too", (p.returncode, p.stdout.decode().split()), (64, [GOOD]))
    p = sh("pcinspect frobnicate")
    one_line("unknown command", p, 2, "frobnicate", "--help")
    one_line("no command", sh("pcinspect"), 2, "--help")
    one_line("no path", sh("pcinspect stat"), 2, "PATH")
    one_line("unknown option", sh(f"pcinspect stat --frob {GOOD}"), 2, "--frob", "--help")
    one_line("an option of another command", sh("pcinspect status --by cached"), 2, "--by")
    for cmd in ("stat", "reads", "readahead", "dirty", "fsync", "explain", "watch --once",
                "track", "reset", "untrack"):
        p = sh(f"pcinspect {cmd} -n --bytes --report {WORK}/r.json {GOOD}")
        with open(f"{WORK}/r.json", encoding="utf-8") as f:
            ok(f"{cmd.split()[0]}: takes the common options", p.returncode == 0 and
               [f["path"] for f in json.load(f)["files"]] == [GOOD], p)
        os.unlink(f"{WORK}/r.json")
    p = sh(f"pcinspect status -n --bytes --report {WORK}/r.json")
    with open(f"{WORK}/r.json", encoding="utf-8") as f:
        ok("status: takes the common options", p.returncode == 0 and
           json.load(f)["format"] == "pcinspect-status", p)
    one_line("status: takes no PATH", sh(f"pcinspect status {GOOD}"), 2, "PATH")
    equal("a number that is none",
          sh(f"pcinspect watch --interval soon {GOOD}").returncode, 2)
    one_line("unknown column", sh(f"pcinspect stat -o FROB {GOOD}"), 2, "FROB")
    equal("help", sh("pcinspect --help").returncode, 0)
    for cmd in ("watch", "stat", "top", "track", "untrack", "reset", "status"):
        p = sh(f"pcinspect {cmd} --help")
        ok(f"help of {cmd}", p.returncode == 0 and b"usage:" in p.stdout and
           not p.stderr, p)
    equal("version", sh("pcinspect --version").returncode, 0)
    one_line("not tracked", sh(f"pcinspect untrack {GOOD}"), 32, "not tracked")
    one_line("not a mount point", sh("pcinspect top --scan /etc/passwd"), 1,
             "mount point")
    equal("a fifo is not opened",
          sh(f"mkfifo {WORK}/fifo; timeout 10 pcinspect stat {WORK}/fifo").returncode,
          32)
    p = sh(f"pcinspect stat {GOOD} --report /nonexistent/dir/x")
    equal("a report that cannot be written", p.returncode, 1)


def trees():
    """An inode once, by whatever way it was met; paths are absolute."""
    base = f"{WORK}/tree"
    os.makedirs(f"{base}/sub")
    for name in ("a", "sub/b"):
        make_file(f"{base}/{name}", MB)
    os.link(f"{base}/a", f"{base}/sub/c")
    p = sh(f"cd {base} && pcinspect stat -r --json . sub a")
    paths = [f["path"] for f in json.loads(p.stdout)["files"]]
    ok("-r: each inode once", len(paths) == 2 and f"{base}/sub/b" in paths, paths)
    p = sh(f"cd {base} && pcinspect stat -r --json a")
    equal("-r: a file's path is absolute",
          [f["path"] for f in json.loads(p.stdout)["files"]], [f"{base}/a"])
    p = sh(f"cd {base} && pcinspect stat --json a ./a")
    equal("without -r: as typed, as often as typed",
          [f["path"] for f in json.loads(p.stdout)["files"]], ["a", "./a"])
    os.symlink("a", f"{base}/link")
    with mounted("ext4", point=f"{base}/sub/mnt") as mnt:
        make_file(f"{mnt}/f", MB)
        os.makedirs(f"{base}/proc")
        run("mount", "-t", "proc", "proc", f"{base}/proc")
        files = tool("stat", "-r", base)["files"]
        equal("-r: other filesystems, but neither /proc nor links",
              {f["path"] for f in files}, {f"{base}/a", f"{base}/sub/b", f"{mnt}/f"})
        equal("-x: this filesystem only", len(tool("stat", "-rx", base)["files"]), 2)
        p = sh(f"cd {base}/proc/sys && pcinspect stat -r kernel/ostype ./fs/")
        ok("-r: what is named is descended into", p.stderr.count(f"{base}/proc/sys/fs/".encode()) +
           p.stdout.count(f"{base}/proc/sys/fs/".encode()) > 3, p)
        run("umount", f"{base}/proc")
    p = sh(f"cd {base}; for i in {{1..400}}; do mkdir {'d' * 20} && cd -P {'d' * 20}; done;"
           f" echo x >x; cd {base}; ulimit -n 64; pcinspect stat -rn sub/ d*")
    ok("-r: a tree deeper than PATH_MAX and the limit of open files",
       p.returncode == 0 and f"{base}/sub/b".encode() in p.stdout and
       p.stdout.count(b"d" * 20 + b"/x") == 1, (p.returncode, p.stderr[-500:]))
    p = sh(f"cd {base} && pcinspect stat -r nothing sub")
    ok("-r: the rest of what is not all there", p.returncode == 64 and
       p.stderr.startswith(b"pcinspect: nothing: No such file"), p)
    with mounted("btrfs") as mnt:
        run("btrfs", "-q", "subvolume", "create", f"{mnt}/one")
        make_file(f"{mnt}/one/f", MB)
        run("btrfs", "-q", "subvolume", "snapshot", f"{mnt}/one", f"{mnt}/two")
        files = tool("stat", "-r", mnt)["files"]
        equal("-r: a snapshot's file is another", {f["path"] for f in files},
              {f"{mnt}/one/f", f"{mnt}/two/f"})


def ended_runs():
    """What ends pcinspect run ends its command; the report comes all the same."""
    for sig in (signal.SIGTERM, signal.SIGHUP):
        p = subprocess.Popen(["pcinspect", "run", "--json", "--", "sh", "-c",
                              f"cat {GOOD} >/dev/null; echo $$ >{WORK}/pid; exec sleep 1000"],
                             stdout=subprocess.PIPE)
        pid = b""
        while not pid.endswith(b"\n"):
            pid = sh(f"cat {WORK}/pid").stdout
        p.send_signal(sig)
        out = p.communicate()[0]
        ok(f"run, signal {sig}: its command has it, and the report is there",
           p.returncode == 128 + sig and b'"audit"' in out and
           not os.path.exists(f"/proc/{int(pid)}"), (p.returncode, out[-300:]))
        os.remove(f"{WORK}/pid")


def scans():
    """top --scan: every cached inode once, and all that is known of it."""
    with mounted("ext4") as mnt:
        for name in "ab":
            make_file(f"{mnt}/{name}", MB)
        run("sync")
        tool("track", f"{mnt}/a")
        run("sh", "-c", f"cat {mnt}/a {mnt}/b >/dev/null")
        inodes = {os.stat(f"{mnt}/{name}").st_ino: name for name in "ab"}

        def rows():
            files = [f for f in tool("top", "--scan", mnt)["files"]
                     if f["ino"] in inodes and f["fs"] == "ext4"]
            return files, sorted((inodes[f["ino"]], f["pages"]["cached"]) for f in files)

        files, met = rows()
        equal("scan: each once", met, [("a", 256), ("b", 256)])
        reads = {inodes[f["ino"]]: f["reads"] for f in files}
        ok("scan: what is known of a tracked one", reads["a"] and
           reads["a"]["demanded_bytes"] == MB and not reads["b"], reads)
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
            f.write("2")
        equal("scan: each once, also without a name", rows()[1], [("a", 256), ("b", 256)])
        run("pcinspect", "untrack")
        run("mkdir", f"{mnt}/l", f"{mnt}/u", f"{mnt}/w", f"{mnt}/m")
        run("mount", "-t", "overlay", "overlay", "-o",
            f"lowerdir={mnt}/l,upperdir={mnt}/u,workdir={mnt}/w", f"{mnt}/m")
        one_line("scan: an overlayfs has no pages", sh(f"pcinspect top --scan {mnt}/m"), 1,
                 "overlayfs")
        one_line("run -m: likewise", sh(f"pcinspect run -m {mnt}/m -- true"), 1, "overlayfs")
        run("umount", f"{mnt}/m")
        p = sh(f"umount {mnt}; pcinspect run --report {WORK}/r.json -- "
               f"sh -c 'mount /dev/vdb {mnt}; cat {mnt}/b' >/dev/null")
        with open(f"{WORK}/r.json", encoding="utf-8") as f:
            report = json.load(f)
        ok("run: a file of what was mounted meanwhile", p.returncode == 0 and
           f"{mnt}/b" in [f["path"] for f in report["files"]],
           (p, [f["path"] for f in report["files"]]))
        equal("run: lost nothing", {k: v for k, v in report["lost"].items() if v}, {})
        ok("run: devices are told apart", isinstance(report["devices"], list), report["devices"])


def surroundings():
    one_line("not root",
             sh(f"setpriv --reuid 65534 --clear-groups pcinspect stat {GOOD}"), 1,
             "permission denied", "root")
    equal("not root: debugfs is closed",
          sh("setpriv --reuid 65534 --clear-groups cat "
             "/sys/kernel/debug/pcinspect/info").returncode, 1)
    sh("umount /sys/kernel/debug/tracing; umount /sys/kernel/debug")
    one_line("debugfs not mounted", sh("pcinspect status"), 1, "debugfs", "mount")
    equal("debugfs not mounted: stat works all the same",
          sh(f"pcinspect stat {GOOD}").returncode, 0)
    run("mount", "-t", "debugfs", "debugfs", "/sys/kernel/debug")
    run("rmmod", "pcinspect")
    for cmd in (f"stat {GOOD}", f"watch --once {GOOD}", "top", f"track {GOOD}",
                "untrack", "reset", "status"):
        one_line(f"module not loaded: {cmd.split()[0]}", sh(f"pcinspect {cmd}"), 1,
                 "not loaded", "modprobe")
    run("modprobe", "pcinspect", "auto=0")
    with open("/sys/kernel/debug/pcinspect/info", encoding="ascii") as f:
        ok("auto=0: no hook is attached", ": attached" not in f.read())
    tool("track", GOOD)
    with open("/sys/kernel/debug/pcinspect/info", encoding="ascii") as f:
        ok("auto=0: hooks come with the first track", f.read().count(": attached") > 20)
    run("pcinspect", "untrack", GOOD)
    with open("/sys/kernel/debug/pcinspect/info", encoding="ascii") as f:
        ok("auto=0: and go with the last untrack", ": attached" not in f.read())
    equal("status says all is well", sh("pcinspect status").returncode, 0)
    for bad in ("max_inodes=3", "max_inodes=99999999", f"max_dirty_bytes={1 << 40}"):
        run("rmmod", "pcinspect")
        ok(f"a limit that cannot be: {bad}",
           sh(f"modprobe pcinspect {bad}").returncode != 0)
        run("modprobe", "pcinspect")


def pipes():
    files = " ".join([GOOD] * 2000)
    p = sh(f"set -o pipefail; pcinspect stat --json {files} | head -c 10 >/dev/null")
    equal("--json to a closed pipe", p.returncode, 1)
    equal("--json to a closed pipe: one line", p.stderr.count(b"\n"), 1)
    p = sh(f"pcinspect stat {GOOD} >/dev/full")
    one_line("a full disk", p, 1, "cannot write")
    with subprocess.Popen(["pcinspect", "watch", "--interval", "0.1", GOOD],
                          stdout=subprocess.PIPE) as p:
        out = p.stdout.readline()
        p.send_signal(signal.SIGINT)
        out += p.stdout.read()
    equal("Ctrl-C ends watch with 0", p.returncode, 0)
    with open("/sys/kernel/debug/pcinspect/info", encoding="ascii") as f:
        ok("and leaves no record", "explicit_records: 0" in f.read())
    ok("and loses no output", out.count(b"cached") >= 2 and out.endswith(b"\n"), out[-300:])
    p = sh(f"pcinspect watch --json --interval 0.2 --for 1 {GOOD}")
    lines = [json.loads(line) for line in p.stdout.splitlines()]
    ok("watch --json: one report a line", 2 <= len(lines) <= 7 and
       all(x["files"][0]["pages"]["cached"] == 256 for x in lines), len(lines))
    took = (lines[-1]["time_ns"] - lines[0]["time_ns"]) / 1e9
    ok("watch --json: for a second", took >= 0.9, took)


def names():
    odd = [b"new\nline", b"back\\slash", "grün ß 漢字".encode(), b"not\xffutf8",
           b"tab\tand space", b"-dash", b"x" * 255]
    for name in odd:
        path = WORK.encode() + b"/" + name
        with open(path, "wb") as f:
            f.write(b"data")
        p = subprocess.run([b"pcinspect", b"stat", b"--json", b"--", path],
                           capture_output=True, check=False)
        label = repr(name[:20])
        if not ok(f"path {label}: found", p.returncode == 0, p.stderr):
            continue
        f = json.loads(p.stdout)["files"][0]
        if name == b"not\xffutf8":
            equal(f"path {label}: path_hex", bytes.fromhex(f["path_hex"]), path)
            ok(f"path {label}: U+FFFD in path", "�" in f["path"], f["path"])
        else:
            equal(f"path {label}: as typed", f["path"].encode(), path)
            ok(f"path {label}: no path_hex", "path_hex" not in f)
        p = subprocess.run([b"pcinspect", b"stat", b"-n", b"-o", b"PATH", b"--", path],
                           capture_output=True, check=False)
        want = b"".join(b"\\%03o" % c if c <= 32 or c in (92, 127, 255)
                        else bytes([c]) for c in path)
        equal(f"path {label}: one word on one line", p.stdout, want + b"\n")
        subprocess.run([b"pcinspect", b"track", b"--", path], check=True)
    with mounted("ext4") as mnt:
        path = f"{mnt}/a b\nc\\d".encode()
        with open(path, "wb") as f:
            f.write(b"data")
        subprocess.run([b"pcinspect", b"track", path], check=True)
        with open("/sys/kernel/debug/pcinspect/inodes", "rb") as f:
            lines = f.read().splitlines()
        ok("debugfs: escaped, one line a record",
           any(line.endswith(b" /a\\040b\\012c\\134d") for line in lines), lines[-3:])
        equal("debugfs: the header names every column",
              {len(line.split()) for line in lines[1:] if b"deleted" not in line},
              {len(lines[0].split())})
        run("pcinspect", "untrack")


def long_paths():
    base = WORK
    depth = f"{base}/" + "/".join(["d" * 202] * 19)
    os.makedirs(depth)
    name = "f" * (4095 - len(depth) - 1)
    os.chdir(depth)
    with open(name, "wb") as f:
        f.write(b"data")
    path = f"{depth}/{name}"
    equal("path of 4,095 bytes", len(path), 4095)
    equal("path of 4,095 bytes: found", tool("stat", path)["files"][0]["path"], path)
    one_line("path of 4,096 bytes", sh(f"pcinspect stat {path}x"), 32,
             "File name too long")
    os.chdir("/")
    many = []
    for i in range(1000):
        many.append(f"{base}/many{i}")
        with open(many[-1], "wb") as f:
            f.write(b"x" * (i % 7) * 1000)
    report = tool("stat", *many)
    equal("1,000 paths at once, in order", [f["path"] for f in report["files"]], many)
    equal("1,000 paths: their pages", [f["pages"]["cached"] for f in report["files"]],
          [(i % 7 * 1000 + 4095) // 4096 for i in range(1000)])
    report = tool("track", *many)
    equal("1,000 records", len({f["record"]["kind"] for f in report["files"]}), 1)
    extra = []
    for i in range(40):
        extra.append(f"{base}/extra{i}")
        with open(extra[-1], "wb") as f:
            f.write(b"x")
    p = sh("pcinspect track " + " ".join(extra))
    ok("past 1,024 records: some refused, with the reason",
       p.returncode == 64 and b"1024" in p.stderr, (p.returncode, p.stderr[-200:]))
    run("pcinspect", "reset")
    run("pcinspect", "untrack")


def reset():
    with mounted("ext4") as mnt:
        make_file(f"{mnt}/f", MB)
        tool("track", f"{mnt}/f")
        run("vmtouch", "-q", "-t", f"{mnt}/f")
        before = tool("stat", f"{mnt}/f")["files"][0]["record"]
        run("pcinspect", "reset", f"{mnt}/f")
        after = tool("stat", f"{mnt}/f")["files"][0]["record"]
        ok("reset begins anew", before["inserted_pages"] >= 256 and
           after["inserted_pages"] == 0 and
           after["interval_ns"] < before["interval_ns"], (before, after))
        equal("untrack", sh(f"pcinspect untrack {mnt}/f").returncode, 0)


with open(GOOD, "wb") as good:
    good.write(b"x" * MB)
errors()
pipes()
trees()
ended_runs()
scans()
names()
long_paths()
reset()
surroundings()
finish()
