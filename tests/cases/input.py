#!/usr/bin/env python3
# vm: --mem 1024 --disk 2048 --disk 64
# kernels: 6.12
# soak: 6.1 7.2
# minutes: 2
# beside: ../lib/openmetrics.py
"""input.py - wrong and odd input: the documented status, one clear line, and
never a failed path that hides the others. The program decides it, not the kernel."""
import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import openmetrics
from check import equal, finish, make_file, mounted, ok, run, tool

MB = 1 << 20
WORK = tempfile.mkdtemp()
GOOD = f"{WORK}/good"
# Views that have no answer for a file without a record.
UNTRACKED = ("reads", "readahead", "dirty", "fsync", "explain")


def sh(script, **kw):
    return subprocess.run(["bash", "-c", script], capture_output=True, check=False,
                          **kw)


def one_line(name, p, status, *words):
    err = p.stderr.decode(errors="replace")
    ok(name, p.returncode == status and err.count("\n") == 1 and
       err.startswith("pcinspect: ") and all(w in err for w in words),
       (p.returncode, err))


def says_what_to_do():
    """Errors of more than a PATH: one line as well, and at its end what to do."""
    for cmd, status in (("run -- nosuchcommand", 127), ("run -- /etc/passwd", 126),
                        ("report /nonexistent", 1), ("report /tmp", 1),
                        (f"stat --report /nonexistent/x {GOOD}", 1),
                        (f"record -o /nonexistent/x {GOOD}", 1),
                        ("export --openmetrics -o /nonexistent/x", 1),
                        ("stat -b /nonexistent", 1), (f"stat {GOOD} >/dev/full", 1)):
        p = sh(f"pcinspect {cmd}")
        one_line(f"what to do: {cmd}", p, status)
        ok(f"what to do: {cmd}: it is said", p.stderr.endswith(b")\n"), p.stderr)


def errors():
    one_line("no such file", sh("pcinspect stat /nonexistent"), 32,
             "/nonexistent", "No such file")
    one_line("explain: no such cgroup", sh("pcinspect explain --cgroup /nonexistent"), 32,
             "/nonexistent", "No such file")
    one_line("no name", sh("pcinspect stat ''"), 32, "pcinspect: '': No such file")
    one_line("a directory", sh(f"pcinspect track {WORK}"), 32, "is a directory (-r ")
    for cmd in UNTRACKED:
        one_line(f"{cmd}: of a file without a record", sh(f"pcinspect {cmd} {GOOD}"), 1, GOOD,
                 "is not tracked, so nothing of it was counted")
    p = sh(f"pcinspect stat /nonexistent {GOOD} --json")
    one_line("one bad path of two", p, 64, "/nonexistent")
    equal("the good one is shown", [f["path"] for f in json.loads(p.stdout)["files"]],
          [GOOD])
    p = sh(f"pcinspect stat -n -o PATH /nonexistent {GOOD} /also/not")
    equal("in a table, too", (p.returncode, p.stdout.decode().split()), (64, [GOOD]))
    p = sh("pcinspect frobnicate")
    one_line("unknown command", p, 2, "frobnicate", "--help")
    p = sh("pcinspect")
    equal("no command: the machine, once, as nobody is at a terminal",
          (p.returncode, p.stdout.decode().split()[0]), (0, "memory"))
    one_line("no path", sh("pcinspect stat"), 2, "PATH")
    one_line("diff: of nothing", sh("pcinspect diff"), 2, "two files", "A B")
    equal("help COMMAND is COMMAND --help", sh("pcinspect help diff").stdout,
          sh("pcinspect diff --help").stdout)
    p = sh("pcinspect assert --max help")
    ok("assert: what there may be limits of", p.returncode == 0 and
       "device_bytes bytes" in " ".join(p.stdout.decode().split()), p)
    p = sh(f"cd {WORK} && pcinspect record -o x.dat -- /no/such; s=$?; rm -f x.dat; exit $s")
    equal("record: not found, as of run", p.returncode, 127)
    one_line("unknown option", sh(f"pcinspect stat --frob {GOOD}"), 2, "--frob", "--help")
    one_line("an option of another command", sh("pcinspect status --by cached"), 2, "--by")
    for cmd in ("stat", "reads", "readahead", "dirty", "fsync", "explain", "watch --once",
                "track", "reset", "untrack"):
        p = sh(f"pcinspect {cmd} -n --bytes --report {WORK}/r.json {GOOD}")
        with open(f"{WORK}/r.json", encoding="utf-8") as f:
            ok(f"{cmd.split()[0]}: takes the common options", p.returncode == (cmd in UNTRACKED) and
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
    for cmd, columns in (("machine", "PATH,CACHED"), ("cgroup", "PATH,FILES"),
                         ("cgroup /", "MAPPED,PATH"), ("next --interval 0.1", "path,next")):
        one_line(f"{cmd}: unknown column", sh(f"pcinspect {cmd} -o PATH,FROB"), 2, "FROB", "there are")
        p = sh(f"pcinspect {cmd} -o {columns} --limit 1")
        ok(f"{cmd}: the columns that were asked for", columns.upper().split(",") in [
            line.split() for line in p.stdout.decode().splitlines()], p)
    equal("help", sh("pcinspect --help").returncode, 0)
    for cmd in ("watch", "stat", "top", "track", "untrack", "reset", "status"):
        p = sh(f"pcinspect {cmd} --help")
        ok(f"help of {cmd}", p.returncode == 0 and b"usage:" in p.stdout and
           not p.stderr, p)
    equal("version", sh("pcinspect --version").returncode, 0)
    one_line("not tracked", sh(f"pcinspect untrack {GOOD}"), 32, "not tracked")
    one_line("no mount point, and nothing else", sh("pcinspect top --scan /nonexistent"), 1,
             "no such mount point")
    one_line("run -m: likewise", sh("pcinspect run -m /nonexistent -- true"), 1,
             "no such mount point")
    equal("a fifo is not opened",
          sh(f"mkfifo {WORK}/fifo; timeout 120 pcinspect stat {WORK}/fifo").returncode,
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
        for name, kind in ("fifo", "p"), ("null", "c"), ("disk", "b"):
            run("mknod", f"{base}/{name}", kind, *(() if kind == "p" else ("1", "3")))
        os.symlink("fifo", f"{base}/to-fifo")
        os.symlink("null", f"{base}/to-null")
        p = sh(f"timeout 60 pcinspect stat -rn -o PATH {base}")
        ok("-r: past fifos, devices and links to them; what was left out is said once",
           p.returncode == 0 and len(p.stdout.splitlines()) == 3 and
           p.stderr.decode().splitlines() == [f"pcinspect: {base}/proc: left out: of the kernel, "
                                              "or on the network (--all-file-systems descends "
                                              "into these, too)"], p)
        p = sh(f"pcinspect stat -rn -o PATH --all-file-systems --include '*/sys/kernel/*' {base}")
        ok("--all-file-systems: /proc, too", b"/proc/sys/kernel/ostype" in p.stdout + p.stderr and
           b"left out" not in p.stderr, p)
        equal("-x: this filesystem only", len(tool("stat", "-rx", base)["files"]), 2)
        p = sh(f"cd {base}/proc/sys && pcinspect stat -r kernel/ostype ./fs/")
        ok("-r: what is named is descended into", p.stderr.count(f"{base}/proc/sys/fs/".encode()) +
           p.stdout.count(f"{base}/proc/sys/fs/".encode()) > 3, p)
        run("umount", f"{base}/proc")
    deep = os.open(base, os.O_RDONLY)
    for _ in range(400):
        os.mkdir("d" * 20, dir_fd=deep)
        above, deep = deep, os.open("d" * 20, os.O_RDONLY, dir_fd=deep)
        os.close(above)
    with open(os.open("x", os.O_WRONLY | os.O_CREAT, dir_fd=deep), "wb") as f:
        f.write(b"x")
    os.close(deep)
    p = sh(f"cd {base}; ulimit -n 64; pcinspect stat -rn sub/ d*")
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


def begun_run(script, trap="", **how):
    """A run that is known to be under way, and its command to have set its trap; it, and
    the pid of its command."""
    for name in ("pid", "pid.go"):
        if os.path.exists(f"{WORK}/{name}"):
            os.remove(f"{WORK}/{name}")
    p = subprocess.Popen(["pcinspect", "run", "--json", "--", "sh", "-c",
                          f"{trap}\ncat {GOOD} >/dev/null; echo $$ >$0; {script}",
                          f"{WORK}/pid"],
                         stdout=subprocess.PIPE, **how)
    pid = b""
    while not pid.endswith(b"\n"):
        pid = sh(f"cat {WORK}/pid").stdout
    return p, int(pid)


def ended(p):
    """All that it printed; one that does not end is killed."""
    try:
        return p.communicate(timeout=120)[0]
    except subprocess.TimeoutExpired:
        p.kill()
        return p.communicate()[0]


def ended_runs():
    """A signal to pcinspect run ends its command; the report comes all the same."""
    for sig in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        p, pid = begun_run("exec sleep 1000")
        p.send_signal(sig)
        out = ended(p)
        ok(f"run, signal {sig}: its command has it, and the report is there",
           p.returncode == 128 + sig and b'"audit"' in out and
           not os.path.exists(f"/proc/{pid}"), (p.returncode, out[-300:]))
    # A CMD that goes on has its own end, and is waited for.
    p, pid = begun_run("while :; do sleep 0.1; done", "trap 'sleep 0.5; exit 7' TERM")
    p.send_signal(signal.SIGTERM)
    out = ended(p)
    ok("run: a command that ends in its own way is waited for",
       p.returncode == 7 and b'"audit"' in out, (p.returncode, out[-300:]))
    p, pid = begun_run("while [ ! -e $0.go ]; do sleep 0.1; done; exit 3", "trap '' HUP",
                       preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    p.send_signal(signal.SIGHUP)
    with open(f"{WORK}/pid.go", "wb"):
        out = ended(p)
    ok("run: nohup is left alone", p.returncode == 3 and b'"audit"' in out, p.returncode)
    # The terminal tells everybody: the command once.
    pid, terminal = pty.fork()
    if not pid:
        os.execvp("pcinspect", ["pcinspect", "run", "-n", "--report", f"{WORK}/r.json", "--",
                                "sh", "-c", f"trap 'echo x >>{WORK}/told' INT; echo begun; "
                                f"while [ ! -e {WORK}/told ]; do sleep 0.1; done; sleep 1; exit 5"])
    seen = b""
    while b"begun" not in seen:
        seen += os.read(terminal, 1000)
    os.write(terminal, b"\x03")
    with contextlib.suppress(OSError):
        while os.read(terminal, 1000):
            pass
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with open(f"{WORK}/told", encoding="ascii") as f:
        equal("run: Ctrl-C is told once, and CMD's status is the run's", (status, f.read()),
              (5, "x\n"))
    ok("run: Ctrl-C: the report is there", os.path.getsize(f"{WORK}/r.json") > 100)


def apart():
    """With --json stdout has the report and nothing else; what CMD prints is not lost."""
    p = subprocess.run(["pcinspect", "run", "--json", "--", "echo", "hello"], text=True,
                       capture_output=True, check=False)
    ok("run --json: stdout is one JSON document", json.loads(p.stdout)["format"], p.stdout[:200])
    ok("run --json: CMD's output is on stderr", "hello\n" in p.stderr, p.stderr)
    p = subprocess.run(["pcinspect", "run", "--", "echo", "hello"], text=True,
                       capture_output=True, check=False)
    ok("run: CMD's output is where it was", p.stdout.startswith("hello\n"), p.stdout[:200])


def presented():
    """The output of run: writers as well, sorted by bytes moved, one line of audits."""
    with mounted("ext4", options="noatime") as mnt:
        make_file(f"{mnt}/small", MB)
        work = (f"cat {mnt}/small >/dev/null; "
                f"dd if=/dev/zero of={mnt}/large bs=1M count=8 conv=fsync status=none")
        p = sh(f"pcinspect run -m {mnt} -- sh -c '{work}'")
        lines = p.stdout.decode().splitlines()
        head = next(i for i, line in enumerate(lines) if "PATH" in line)
        ok("run: bytes written are a column", "WRITE_BYTES" in lines[head], lines)
        ok("run: what moved most is first", lines[head + 1].endswith("/large") and
           "8M" in lines[head + 1], lines)
        ok("run: when it was", re.match(
            r"run of \d+\.\d+ s, from \d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d ", lines[0]), lines)
        audits = [line for line in lines if line.startswith("audit:")]
        n = audits and re.fullmatch(r"audit: (\d+) of (\d+) ok", audits[0])
        ok("run: one line of audits", len(audits) == 1 and n and n[1] == n[2], lines)
        ok("run: nothing was lost", p.returncode == 0 and "lost" not in p.stdout.decode(), p)
        p = sh(f"pcinspect run -v -m {mnt} -- sh -c '{work}'")
        audits = [line for line in p.stdout.decode().splitlines() if line.startswith("audit:")]
        ok("run -v: every line of them, each with its device",
           len(audits) == int(n[2]) + 1 and
           any(line.startswith("audit: device_read_bytes of 254:16 ") for line in audits), audits)
        p = sh(f"pcinspect run --explain -- sh -c '{work}'")
        out = p.stdout.decode()
        places = [out.find(word) for word in ("rules looked at", "\nvdb: read", "DEMANDED",
                                              "audit: ")]
        ok("run --explain: verdicts, devices, files, in this order",
           -1 not in places and places == sorted(places), out)

        # A disk that counts nothing.
        iostats = "/sys/block/vdb/queue/iostats"
        sh(f"echo 0 >{iostats}; echo 1 >/proc/sys/vm/drop_caches")
        p = sh(f"strace -o {WORK}/calls -e trace=openat pcinspect run --json -m {mnt} -- "
               f"sh -c '{work}'")
        sh(f"echo 1 >{iostats}")
        with open(f"{WORK}/calls", encoding="utf-8") as f:
            looks = sum("diskstats" in line for line in f)
        ok("iostats=0: is not waited for", 0 < looks < 40, looks)
        report = json.loads(p.stdout)
        (vdb,) = [d for d in report["devices"] if d["name"] == "vdb"]
        equal("iostats=0: its counter is unknown, ours is not",
              (vdb["read_bytes"], vdb["written_bytes"], vdb["file_bytes"] >= MB),
              (None, None, True))
        # "the device's row" is ours; no counter of the disk's is one.
        ok("iostats=0: it is in no audit", all(
            a["ok"] and (a["dev"] != "254:16" or a["source"] == "the device's row")
            for a in report["audit"]), report["audit"])
        ok("iostats=0: said so, and what to do", b"audit of vdb: it counts nothing" in p.stderr and
           f"echo 1 > {iostats}".encode() in p.stderr, p.stderr)

        # More files than the table has room for.
        run("rmmod", "pcinspect")
        run("modprobe", "pcinspect", "max_inodes=16")
        os.mkdir(f"{mnt}/many")
        for i in range(200):
            with open(f"{mnt}/many/{i}", "wb") as f:
                f.write(b"x")
        run("sync")
        sh("echo 1 >/proc/sys/vm/drop_caches")
        p = sh(f"pcinspect run -- sh -c 'cat {mnt}/many/* >/dev/null'")
        out = p.stdout.decode()
        equal("lost: the exit status says so", p.returncode, 3)
        m = re.search(r"^lost during the run: (\d+) times a file found the table full.*"
                      r"max_inodes is 16: .*modprobe pcinspect max_inodes=(\d+)\)$", out, re.M)
        ok("lost: in words, with the remedy", m and int(m[1]) > 0 and
           int(m[2]) >= 16 + int(m[1]), out)
        ok("lost: above the table", m and m.start() < out.find("PATH"), out)
        p = sh(f"pcinspect run --json -- sh -c 'cat {mnt}/many/* >/dev/null; exit 7'")
        ok("lost: CMD's own status wins, and JSON has it", p.returncode == 7 and
           json.loads(p.stdout)["lost"]["inodes"] > 0 and b"lost during the run" in p.stderr, p)
        sh(f"cat {mnt}/many/* >/dev/null")
        p = sh("pcinspect top --once")
        ok("lost: top says so as well", b"times a file found the table full" in p.stdout, p)
        run("rmmod", "pcinspect")
        run("modprobe", "pcinspect", f"max_inodes={int(m[2]) if m else 1024}")
        sh("echo 1 >/proc/sys/vm/drop_caches")
        equal("lost: the remedy helps",
              sh(f"pcinspect run -- sh -c 'cat {mnt}/many/* >/dev/null'").returncode, 0)
        run("rmmod", "pcinspect")
        run("modprobe", "pcinspect")


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
        everything = tool("top", "--scan", mnt)["files"]
        ok("scan: of this filesystem, and of no other", len({f["dev"] for f in everything}) == 1 and
           {f["ino"] for f in everything} >= set(inodes),
           [(f["dev"], f["path"]) for f in everything])
        p = sh(f"pcinspect top --json --scan {mnt}/l")
        ok("scan: a directory stands for its filesystem, and that is said", p.returncode == 0 and
           f"all of {mnt} is looked at".encode() in p.stderr and
           {f["dev"] for f in json.loads(p.stdout)["files"]} == {f["dev"] for f in everything}, p)
        one_line("scan: an overlayfs has no pages, and its layers are named",
                 sh(f"pcinspect top --scan {mnt}/m"), 1, "overlayfs", f"name one of them: {mnt})")
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


def hooks():
    """Of the list: how many are attached, and could be; info, which has to agree."""
    with open("/sys/kernel/debug/pcinspect/info", encoding="ascii") as f:
        text = f.read()
    with open("/sys/kernel/debug/pcinspect/hooks", encoding="ascii") as f:
        lines = f.readlines()
    states = [re.fullmatch(r"hook \w+: (attached|detached|absent|missing)(?:: .*)?\n", line)[1]
              for line in lines]
    equal("info: and a line for each", text[text.index("\nhook ") + 1:], "".join(lines))
    attached, able = states.count("attached"), len(states) - states.count("absent")
    equal("info: one line of all hooks", re.findall(r"^hooks: .*$", text, re.M),
          [f"hooks: {attached} of {able} attached; none is missing"])
    return attached, able, text


def ignored(*sigs):
    """For a child: as nohup(1), or a parent that does not wait."""
    return lambda: [signal.signal(sig, signal.SIG_IGN) for sig in sigs]


def ignored_signals():
    p = sh("pcinspect run -n -- sh -c 'exit 5'", preexec_fn=ignored(signal.SIGCHLD))
    equal("SIGCHLD is ignored: the status of CMD", p.returncode, 5)
    with subprocess.Popen(["pcinspect", "watch", "--json", "--interval", "0.2", GOOD],
                          stdout=subprocess.PIPE, text=True,
                          preexec_fn=ignored(signal.SIGHUP)) as p:
        first = p.stdout.readline()
        p.send_signal(signal.SIGHUP)
        more = [p.stdout.readline() for _ in range(3)]
        p.send_signal(signal.SIGTERM)
        p.stdout.read()
    ok("SIGHUP is ignored: watch goes on", first and all(more), (first, more))
    with open("/tmp/precious", "w", encoding="ascii") as f:
        f.write("precious")
    os.makedirs("/tmp/bin")
    os.symlink("/bin/false", "/tmp/bin/trace-cmd")
    p = sh("PATH=/tmp/bin:$PATH pcinspect record -o /tmp/r.dat --report /tmp/precious -- true")
    with open("/tmp/precious", encoding="ascii") as f:
        equal("a recording that failed leaves the report alone",
              (p.returncode != 0, f.read()), (True, "precious"))


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
    # stat and others do without: plain.py.
    for cmd in (f"reads {GOOD}", f"explain {GOOD}", "next", f"track {GOOD}",
                "untrack", "reset", "status"):
        one_line(f"module not loaded: {cmd.split()[0]}", sh(f"pcinspect {cmd}"), 1,
                 "not loaded", "modprobe")
    run("modprobe", "pcinspect", "auto=0")
    all_hooks = hooks()
    equal("auto=0: no hook is attached", all_hooks[0], 0)
    ok("info says of how many", all_hooks[1] > 20, all_hooks)
    tool("track", GOOD)
    attached, able, _ = hooks()
    equal("auto=0: hooks come with the first track", (attached, attached > 20), (able, True))
    run("pcinspect", "untrack", GOOD)
    equal("auto=0: and go with the last untrack", hooks()[0], 0)
    equal("a closed list of hooks",
          sh("setpriv --reuid 65534 --clear-groups cat "
             "/sys/kernel/debug/pcinspect/hooks").returncode, 1)
    equal("status says all is well", sh("pcinspect status").returncode, 0)
    for bad in ("max_inodes=3", "max_inodes=99999999", f"max_dirty_bytes={1 << 40}"):
        run("rmmod", "pcinspect")
        ok(f"a limit that cannot be: {bad}",
           sh(f"modprobe pcinspect {bad}").returncode != 0)
        run("modprobe", "pcinspect")


def pipes():
    files = " ".join([GOOD] * 2000)
    p = sh(f"set -o pipefail; pcinspect stat --json {files} | head -c 10 >/dev/null")
    equal("--json to a closed pipe: quiet, as SIGPIPE ends", (p.returncode, p.stderr),
          (141, b""))
    p = sh(f"pcinspect stat {GOOD} >/dev/full")
    one_line("a full disk", p, 1, "cannot write")
    one_line("a full disk: help", sh("pcinspect --help >/dev/full"), 1, "cannot write")
    for cmd in ("status --json", "next --json", "machine --json", "cgroup --json"):
        one_line(f"a full disk: {cmd}", sh(f"pcinspect {cmd} >/dev/full"), 1,
                 "cannot write: No space left")
    p = sh(f"set -o pipefail; pcinspect watch --interval 0.1 {GOOD} | head -n 1 >/dev/null")
    equal("watch to a closed pipe", (p.returncode, p.stderr), (141, b""))
    equal("and leaves no trace instance", [i for i in os.listdir("/sys/kernel/tracing/instances")
                                           if i.startswith("pcinspect")], [])
    for cmd, status in (("exit 0", 141), ("exit 3", 3)):
        p = sh("set -o pipefail; "
               f"pcinspect run --report {WORK}/run.json -- sh -c '{cmd}' | sleep 0")
        equal(f"run of {cmd} to a closed pipe", p.returncode, status)
        ok("and its report is written", os.path.getsize(f"{WORK}/run.json") > 100)
        os.unlink(f"{WORK}/run.json")
    with subprocess.Popen(["pcinspect", "watch", "--interval", "0.1", GOOD],
                          stdout=subprocess.PIPE) as p:
        out = p.stdout.readline()
        p.send_signal(signal.SIGINT)
        out += p.stdout.read()
    equal("Ctrl-C ends watch with 0", p.returncode, 0)
    with open("/sys/kernel/debug/pcinspect/info", encoding="ascii") as f:
        ok("and leaves no record", "explicit_records: 0" in f.read())
    ok("and loses no output", b" cached 256 " in out and
       re.search(rb"\naudit: (\d) of \1 ok\n(events: .*\n)?$", out), out[-300:])
    for cmd in ("top --by read", "machine"):
        with subprocess.Popen(["pcinspect", *cmd.split(), "--json-lines", "--interval", "1000"],
                              stdout=subprocess.PIPE) as p:
            first = json.loads(p.stdout.readline())
            p.send_signal(signal.SIGINT)
            rest = [json.loads(line) for line in p.stdout]
        ok(f"Ctrl-C: {cmd} ends with a last report, as --for does", p.returncode == 0 and
           len(rest) == 1 and rest[0]["time_ns"] > first["time_ns"], (p.returncode, len(rest)))
    p = sh(f"pcinspect watch --json --interval 0.2 --for 1 {GOOD}")
    lines = [json.loads(line) for line in p.stdout.splitlines()]
    ok("watch --json: one report a line", 2 <= len(lines) <= 7 and
       all(x["files"][0]["pages"]["cached"] == 256 for x in lines), len(lines))
    took = (lines[-1]["time_ns"] - lines[0]["time_ns"]) / 1e9
    ok("watch --json: for a second", took >= 0.9, took)
    os.mkdir(f"{WORK}/empty")
    p = sh(f"pcinspect watch --once --json -r {WORK}/empty")
    ok("watch --once of no file: a report without any", p.returncode == 0 and
       json.loads(p.stdout)["files"] == [], p)


def paths_of(p):
    return [f["path"] for f in json.loads(p.stdout)["files"]]


def lists(base):
    """Files of a list, globs, and the other ways out."""
    os.makedirs(f"{base}/sub/.git")
    for name in ("a.db", "b c.db", "d.log", "sub/e.db", "sub/.git/f.db"):
        with open(f"{base}/{name}", "wb") as f:
            f.write(b"x" * 8192)
    p = sh(f"cd {base} && printf '%s\\n' a.db 'b c.db' '' d.log | pcinspect stat -b - --json sub/e.db")
    equal("-b: operands, then the list", paths_of(p), ["sub/e.db", "a.db", "b c.db", "d.log"])
    p = sh(f"cd {base} && find . -name '*.db' -print0 | sort -z | pcinspect stat -0 --json")
    equal("-0: from find -print0", paths_of(p),
          ["./a.db", "./b c.db", "./sub/.git/f.db", "./sub/e.db"])
    p = sh(f"pcinspect stat -r --json --include '*.db' --exclude .git {base}")
    equal("-r: --include, --exclude", sorted(paths_of(p)),
          [f"{base}/{name}" for name in ("a.db", "b c.db", "sub/e.db")])
    p = sh(f"cd {base} && ls | pcinspect stat -b - --exclude sub --exclude 'lost*' --exclude '*.log' "
           "--csv -o CACHED,CACHED%,DIRTY,SIZE,PATH")
    rows = p.stdout.decode().splitlines()
    equal("--csv", (rows[0], [(r.split(",")[0], r.split(",")[3:]) for r in rows[1:]]),
          ("CACHED,CACHED%,DIRTY,SIZE,PATH",
           [("2", ["8192", "a.db"]), ("2", ["8192", '"b c.db"'])]))
    run("pcinspect", "untrack")
    p = sh("pcinspect top --once --by read")
    ok("top --by read, nothing tracked: what it needs, and no row of ?",
       b"pcinspect track" in p.stdout and b"DEMANDED" in p.stdout and b" ?" not in p.stdout,
       p.stdout)
    p = sh(f"cd {base} && ls *.db | pcinspect track -b -")
    equal("track -b", p.returncode, 0)
    p = sh("pcinspect untrack -b /dev/null")
    ok("an empty list is not every record", p.returncode == 1, p)
    p = sh("pcinspect top --once --by read -n -o PATH")
    equal("top --by read: the tracked ones, by name", p.stdout.decode().split(),
          [f"{base}/a.db", f"{base}/b\\040c.db"])
    p = sh(f"cd {base} && ls *.db d.log | pcinspect top -b - --once --json")
    equal("top -b: these files", sorted(paths_of(p)), ["a.db", "b c.db", "d.log"])
    p = sh("pcinspect top --json-lines --interval 0.2 --for 1 --include '*.db'")
    lines = [json.loads(line) for line in p.stdout.splitlines()]
    ok("top --json-lines", 2 <= len(lines) <= 7 and
       all(x["files"] and all(f["path"].endswith(".db") for f in x["files"]) for x in lines),
       len(lines))
    run("pcinspect", "untrack")
    p = sh("pcinspect stat /nonexistent")
    ok("of no file nothing is ok", b"audit" not in p.stdout, p.stdout)
    with open(f"{WORK}/many", "w", encoding="ascii") as f:
        f.write(f"{GOOD}\n" * 10000)
    most = {}
    for option in ("--bytes", "--json"):
        with subprocess.Popen(["pcinspect", "stat", "-b", f"{WORK}/many", option],
                              stdout=subprocess.DEVNULL) as p:
            _, p.returncode, usage = os.wait4(p.pid, 0)
        equal(f"10,000 files, {option}", p.returncode, 0)
        most[option] = usage.ru_maxrss
    ok("10,000 files as JSON: 2 MB more than as text at most",
       most["--json"] < most["--bytes"] + 2048, most)


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
        sh(f"cat {mnt}/f >/dev/null")
        equal("-n: rows, and not who read the file",
              (b"cat[" in sh(f"pcinspect reads -o PATH {mnt}/f").stdout,
               sh(f"pcinspect reads -n -o PATH {mnt}/f").stdout), (True, f"{mnt}/f\n".encode()))
        # Tracked when it had a record already: counted since then, not since that.
        make_file(f"{mnt}/g", MB)
        tool("track", f"{mnt}/g")
        report = tool("reads", f"{mnt}/g")
        file = report["files"][0]
        ok("a report's interval is the ledger's", report["interval_ns"] ==
           file["reads"]["interval_ns"] < file["record"]["interval_ns"], report)
        run("pcinspect", "untrack", f"{mnt}/g")
        equal("untrack", sh(f"pcinspect untrack {mnt}/f").returncode, 0)


def metrics():
    """Input of a textfile collector: valid, whole, and the same numbers as stat's."""
    with mounted("ext4") as mnt:
        path = f'{mnt}/odd "name"\\'
        make_file(path, MB)
        tool("track", path)
        with open(path, "rb") as f:
            f.read()
        before = tool("stat", path)["files"][0]
        to = f"{WORK}/pcinspect.prom"
        p = sh(f"pcinspect export --openmetrics -o {to}")
        equal("export: done", (p.returncode, p.stdout), (0, b""))
        after = tool("stat", path)["files"][0]
        with open(to, encoding="utf-8") as f:
            families = openmetrics.parse(f.read())

        def of(name):
            return [v for k, v in families[f"pcinspect_file_{name}"]["samples"]
                    if k["path"] == path]
        ok("export: cached, as stat says before and after", len(of("cached_bytes")) == 1 and
           after["pages"]["cached"] <= of("cached_bytes")[0] / 4096 <= before["pages"]["cached"],
           (of("cached_bytes"), before["pages"], after["pages"]))
        equal("export: asked for", of("demanded_bytes"), [before["reads"]["demanded_bytes"]])
        ok("export: audits, cgroups, the machine", all(families[f"pcinspect_{name}"]["samples"]
           for name in ("audit_ok", "cgroup_cached_bytes", "machine_file_bytes", "left_out")))
        p = sh(f"pcinspect export --openmetrics -o {mnt}")
        ok("export: a folder", p.returncode == 1 and mnt in p.stderr.decode(), p)
        one_line("export: no format", sh("pcinspect export"), 2, "--openmetrics")
        run("pcinspect", "untrack", path)


def limits():
    """Limits of a command, and what differs between two runs of it."""
    with mounted("ext4") as mnt:
        make_file(f"{mnt}/f", MB)

        def said(*words):
            p = subprocess.run(["pcinspect", "assert", "-m", mnt, *words], check=False,
                               capture_output=True, text=True)
            return p.returncode, p.stdout.replace("\n", " ").split()
        read = ["--", "cat", f"{mnt}/f"]
        quiet = ["--", "sh", "-c", f"cat {mnt}/f >/dev/null"]
        status, words = said("--report", f"{WORK}/cold", "demanded_bytes=1M", "files=1", *quiet)
        equal("assert: holds", (status, words[:2]), (0, ["assert:", "ok"]))
        status, words = said("--report", f"{WORK}/warm", "--max", "demanded_bytes=64K",
                             "demanded_bytes=0", "--", "sh", "-c",
                             f"head -c 4096 {mnt}/f >/dev/null")
        equal("assert: one fails, the other does not", (status, words.count("ok"),
              words.count("FAILED")), (1, 1, 1))
        made = {}
        for name in "cold", "warm":
            with open(f"{WORK}/{name}", encoding="utf-8") as f:
                made[name] = json.load(f)
        equal("assert: in the report", [x["result"] for x in made["warm"]["assert"]["limits"]],
              ["ok", "failed"])
        equal("assert: CMD's own status", said("files<=1", "--", "sh", "-c",
                                               f"cat {mnt}/f >/dev/null; exit 7")[0], 7)
        equal("assert: nothing is run", (said("file<=1", *read), said(*read), said("files=1")),
              ((2, []), (2, []), (2, [])))
        p = sh(f"pcinspect diff --json {WORK}/cold {WORK}/warm")
        rows = json.loads(p.stdout)["rows"]
        changes = {n["number"]: n["change"] for row in rows if row["kind"] == "file"
                   for n in row["numbers"]}
        was, now = (made[name]["files"][0]["reads"]["device_bytes"] for name in made)
        equal("diff: of the file, what was read from the disk", (p.returncode, [
            row["path"] for row in rows if row["kind"] == "file"], changes.get("device_bytes", 0)),
              (0, [f"{mnt}/f"], now - was))
        equal("diff: who did it, by name, and no word of how long it took",
              ({row["comm"]: row["in"] for row in rows if row["kind"] == "process"},
               [note for note in json.loads(p.stdout)["notes"] if "interval" in note]),
              ({"cat": "a", "head": "b"}, []))
        one_line("diff: no report", sh(f"pcinspect diff {GOOD} {WORK}/cold"), 1, GOOD, "neither")


with open(GOOD, "wb") as good:
    good.write(b"x" * MB)
errors()
says_what_to_do()
pipes()
with mounted("ext4") as mount_point:
    lists(mount_point)
trees()
ended_runs()
scans()
presented()
apart()
names()
long_paths()
reset()
metrics()
limits()
ignored_signals()
surroundings()
finish()
