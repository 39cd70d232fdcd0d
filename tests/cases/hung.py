#!/usr/bin/env python3
# vm: --mem 1024 --disk 512 --disk 64
"""hung.py - a sick filesystem keeps nobody from an answer.

Behind a disk that hangs under an unmount, a frozen filesystem, a dead FUSE and a
dead NFS server, every debugfs file and every ioctl is answered, saying what was
skipped, whoever asks for a file that cannot be opened can be killed, and the module
unloads. Decided by who ends and who does not: a reader that has not ended after a
minute would not have ended at all. How long it took is printed. hung.py [WHICH…].
"""
import contextlib
import ctypes
import fcntl
import glob
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from check import DEBUGFS, KERNEL, PAGE, equal, finish, info, ok, run, skip
from tracing import callers

LIST = "IIIIQQQQ16sIIQ"
GOOD, SICK = "/mnt/good", "/mnt/sick"
PATIENCE = 60
SPLICES = 300  # more than DEMAND_ACTIVE of module/hooks/demand.c
TOOK = {}
LONGEST = {}  # of each answer, behind whatever it was


def ends(p, seconds=PATIENCE):
    """Does a process end by itself?"""
    try:
        p.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def where(pid, frames=6):
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/stack", encoding="ascii") as f:
            return re.findall(r"\] (\S+)\+", f.read())[:frames]
    return []


def answered(name, *cmd, status=(0,)):
    """A command ends; what it printed."""
    begun = time.monotonic()
    with subprocess.Popen(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as p:
        if ends(p):
            TOOK[name] = time.monotonic() - begun
            out = p.stdout.read()
            ok(name, p.returncode in status, (p.returncode, re.findall(
                r".*(?:UNTRUSTED|lost|audit|pcinspect: ).*", out), out[-300:]))
            return out
        stack = where(p.pid)
        p.kill()
        ok(f"{name}: at least it can be killed", ends(p, 10), stack)
        ok(name, False, f"no answer, in {stack}")
        p.stdout.close()
        # Or the end of this block waits for it.
        p.returncode = -9
    return ""


def may_be_killed(name, *cmd):
    """It has to open what cannot be opened: ends by itself, or when it is killed."""
    with subprocess.Popen(cmd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as p:
        waits = not ends(p, 2)
        stack = where(p.pid) if waits else []
        if waits:
            os.killpg(p.pid, signal.SIGKILL)
        ok(f"{name}: ends, or can be killed", ends(p), where(p.pid))
        print(f"# {name}: {f'waits in {stack[:3]}' if waits else p.returncode}", flush=True)
        if p.poll() is None:
            p.returncode = -9


def listing(request, fs, dev):
    """LIST or SCAN, as a program of its own; (records, skipped)."""
    room = ctypes.create_string_buffer(1 << 20)
    arg = bytearray(struct.pack(LIST, struct.calcsize(LIST), os.major(dev), os.minor(dev),
                                0, ctypes.addressof(room), len(room), 0, 0,
                                fs.encode(), 1, 0, 0))
    device = os.open("/dev/pcinspect", os.O_RDWR)
    fcntl.ioctl(device, 3 << 30 | len(arg) << 16 | 0xdb << 8 | request, arg)
    os.close(device)
    got = struct.unpack(LIST, arg)
    return got[3], got[7]


def asked(name, request, fs, dev):
    """listing() in a child that may hang."""
    rd, wr = os.pipe()
    begun = time.monotonic()
    pid = os.fork()
    if not pid:
        try:
            os.write(wr, b"%d %d" % listing(request, fs, dev))
        finally:
            os._exit(0)
    os.close(wr)
    for _ in range(PATIENCE * 10):
        if os.waitpid(pid, os.WNOHANG)[0]:
            TOOK[name] = time.monotonic() - begun
            break
        time.sleep(0.1)
    else:
        ok(name, False, f"no answer, in {where(pid)}")
        os.kill(pid, signal.SIGKILL)
        os.close(rd)
        return None
    text = os.read(rd, 100).split()
    os.close(rd)
    ok(name, len(text) == 2, text)
    return tuple(map(int, text)) if len(text) == 2 else None


def everything(label, fs, dev, skipped):
    """Ask all there is to ask. @skipped: the records of @dev cannot be looked for."""
    number = f"{os.major(dev)}:{os.minor(dev)}"
    for name in ("info", "hooks", "inodes", "reads", "readahead", "dirty", "fsync", "cgroups"):
        out = answered(f"{label}: {name}", "cat", f"{DEBUGFS}/{name}")
        rows = [line.split() for line in out.splitlines() if line.startswith(f"{number}:")]
        if skipped and name == "inodes":
            ok(f"{label}: {name} says what was skipped",
               [r for r in rows if r[:4] == [f"{number}:*", "?", fs, "skipped"]], rows)
        elif name == "inodes":
            ok(f"{label}: {name} has its inodes", [r for r in rows if "skipped" not in r], rows)
    for name in sorted(glob.glob(f"{DEBUGFS}/inode/*/*")):
        # Those of the sick one may say that it is busy.
        answered(f"{label}: {name.split('/', 6)[-1]}", "cat", name, status=(0, 1))
    got = asked(f"{label}: LIST", 5, fs, dev)
    ok(f"{label}: LIST counts what was skipped", got and (got[1] > 0) == skipped, got)
    got = asked(f"{label}: SCAN of the sick one", 6, fs, dev)
    ok(f"{label}: SCAN counts what was skipped", got and (got[1] > 0) == skipped, got)
    out = answered(f"{label}: top", "pcinspect", "top", "--once")
    ok(f"{label}: top says so", ("could not be looked at" in out and number in out) == skipped,
       out[-300:])
    # Pages that nobody names have a row, too; what was lost is another exit status.
    for cmd in (["machine"], ["cgroup"], ["cgroup", "--shared"],
                ["next", "--bytes", "1M", "--interval", "0.01"]):
        answered(f"{label}: {' '.join(cmd[:2])}", "pcinspect", *cmd, status=(0, 3))
    # Of all open files it looks for the one that is deleted, and no other is asked for.
    out = answered(f"{label}: explain", "pcinspect", "explain", "--machine", "--interval", "0.1")
    ok(f"{label}: explain says who holds the deleted file", "deleted-files-hold-memory" in out and
       f"[{os.getpid()}]" in out, out[-600:])
    answered(f"{label}: stat of a healthy file", "pcinspect", "stat", f"{GOOD}/a")
    answered(f"{label}: track of a healthy file", "pcinspect", "track", f"{GOOD}/b")
    answered(f"{label}: untrack", "pcinspect", "untrack", f"{GOOD}/b")
    answered(f"{label}: reset", "pcinspect", "reset")
    answered(f"{label}: a run", "pcinspect", "run", "--", "wc", "-c", f"{GOOD}/a")
    answered(f"{label}: rmmod", "rmmod", "pcinspect")
    ok(f"{label}: the module is gone", not os.path.exists("/sys/module/pcinspect"))
    slowest = sorted(TOOK, key=TOOK.get)[-4:]
    print(f"# {label}: {len(TOOK)} answers, the slowest",
          ", ".join(f"{name.split(': ')[1]} {TOOK[name]:.2f} s" for name in slowest), flush=True)
    for name, seconds in TOOK.items():
        what = re.sub(r"^\d+:\d+:\d+/", "inode/*/", name.split(": ", 1)[1])
        LONGEST[what] = max(LONGEST.get(what, (0, "")), (seconds, label))
    TOOK.clear()
    subprocess.run(["modprobe", "pcinspect"], check=False)


def opened(label):
    """Those who need the sick file itself."""
    path = f"{SICK}/a"
    for cmd in (("stat", path), ("reads", path), ("track", path), ("top", "--scan", SICK),
                ("run", "-m", SICK, "--", "cat", path),
                ("watch", "--json", "--for", "0.3", path)):
        may_be_killed(f"{label}: {' '.join(cmd[:2])}", "pcinspect", *cmd)
    answered(f"{label}: and then, info", "cat", f"{DEBUGFS}/info")
    answered(f"{label}: and then, inodes", "cat", f"{DEBUGFS}/inodes")


def fill(point):
    for name in "ab":
        with open(f"{point}/{name}", "wb") as f:
            f.write(os.urandom(256 << 10))
            f.flush()
            os.fsync(f.fileno())
        run("cat", f"{point}/{name}")


def attached():
    """The hooks that are, by the module's own list."""
    return [name for name, state in info().items() if (name[:5], state) == ("hook ", "attached")]


def detaching():
    """The end of a run does not wait for all tasks to leave the hooks, a work item does;
    a reader of the list of hooks waits for that."""
    before = attached()
    with callers("unregister_kretprobes") as who:
        run("pcinspect", "run", "--", "true")
        equal("after a run: what is attached is what was", attached(), before)
    ok("after a run: a work item detaches", who and all("kworker" in w for w in who), who)


def nothing():
    """Nothing is sick: what the same answers take then. By name only: hung.py nothing."""
    # Behind a hung unmount nothing may be tracked any more (7.2).
    answered("nothing sick: a run that attaches", "pcinspect", "run", "--", "wc", "-c", f"{GOOD}/a")
    run("pcinspect", "track", f"{GOOD}/a")
    everything("nothing sick", "ext4", os.stat(GOOD).st_dev, False)


def slow():
    """A disk that can be suspended, with two files."""
    size = run("blockdev", "--getsz", "/dev/vdc").strip()
    run("dmsetup", "create", "--noudevsync", "--noudevrules", "slow", "--table",
        f"0 {size} linear /dev/vdc 0")
    run("dmsetup", "mknodes")
    run("mkfs.ext4", "-q", "-F", "/dev/mapper/slow")
    run("mount", "/dev/mapper/slow", SICK)
    fill(SICK)


def hung_disk():
    """A suspended disk, and an unmount that waits for it with s_umount held."""
    slow()
    dev = os.stat(SICK).st_dev
    run("pcinspect", "track", f"{SICK}/a")
    with open(f"{SICK}/a", "ab") as f:
        f.write(b"x" * (4 << 20))
    run("dmsetup", "suspend", "--noflush", "--nolockfs", "--noudevsync", "slow")
    with subprocess.Popen(["umount", SICK]) as p:
        for _ in range(100):
            if "generic_shutdown_super" in where(p.pid) or "sync_filesystem" in where(p.pid):
                break
            time.sleep(0.1)
        ok("hung disk: the unmount hangs", p.poll() is None, where(p.pid))
        everything("hung disk", "ext4", dev, True)
        ok("hung disk: the unmount still hangs", p.poll() is None)
        run("dmsetup", "resume", "--noudevsync", "slow")
        ok("hung disk: and ends with the disk", ends(p) and not p.returncode, p.returncode)
    run("dmsetup", "remove", "--noudevsync", "slow")


def last_reference():
    """A file that nobody has any more but its mark, and whose time is to be written
    (lazytime): whoever drops that waits for the disk (iput()), and nobody else does."""
    slow()
    os.close(os.open(f"{SICK}/empty", os.O_CREAT | os.O_WRONLY))
    run("umount", SICK)
    # As it is on disk, so that no journal has its block.
    run("mount", "-o", "lazytime,strictatime", "/dev/mapper/slow", SICK)
    run("pcinspect", "track", f"{SICK}/empty")
    run("dmsetup", "suspend", "--noflush", "--nolockfs", "--noudevsync", "slow")
    run("cat", f"{SICK}/empty")
    answered("the last reference: names and blocks are forgotten", "sh", "-c",
             "for i in 1 2 3; do echo 3 >/proc/sys/vm/drop_caches; done")
    for words in (["untrack"], ["track", f"{GOOD}/b"], ["untrack", f"{GOOD}/b"],
                  ["run", "--", "true"]):
        answered(f"the last reference: {words[0]}", "pcinspect", *words)
    stuck = [where(t[6:], 20) for t in glob.glob("/proc/[0-9]*")]
    stuck = [s for s in stuck if "iput" in s]
    if KERNEL.startswith("6.1."):
        skip("the last reference: a work item waits for the disk",
             "on 6.1 nobody was seen to wait: ext4 did not have to read the inode's block")
    else:
        ok("the last reference: a work item waits for the disk",
           [s for s in stuck if "fsnotify_put_mark" in s and "process_one_work" in s], stuck)
        out = answered("the last reference: rmmod", "rmmod", "pcinspect", status=(1,))
        ok("the last reference: it is refused, as the module is in use", "in use" in out and
           os.path.exists("/sys/module/pcinspect"), out)
        answered("the last reference: and all goes on", "pcinspect", "track", f"{GOOD}/b")
    run("dmsetup", "resume", "--noudevsync", "slow")
    while int(open("/sys/module/pcinspect/refcnt", encoding="ascii").read()):
        time.sleep(0.1)
    run("rmmod", "pcinspect")
    run("modprobe", "pcinspect")
    run("umount", SICK)
    run("dmsetup", "remove", "--noudevsync", "slow")
    # As it was for all that comes: what is healthy, and what is deleted, is cached.
    run("cat", f"{GOOD}/a", f"{GOOD}/b")
    for i in range(64):
        os.pread(HELD, 1 << 20, i << 20)


def frozen():
    run("mkfs.ext4", "-q", "-F", "/dev/vdc")
    run("mount", "/dev/vdc", SICK)
    fill(SICK)
    dev = os.stat(SICK).st_dev
    run("pcinspect", "track", f"{SICK}/a")
    run("fsfreeze", "-f", SICK)
    opened("frozen")
    everything("frozen", "ext4", dev, True)
    run("fsfreeze", "-u", SICK)
    run("cat", f"{SICK}/a", f"{SICK}/b")
    with open(f"{DEBUGFS}/inodes", encoding="ascii") as f:
        ok("frozen: nothing is skipped after the thaw", " skipped " not in f.read())
    run("umount", SICK)


def demanded(device):
    """The requested bytes of the machine, None: unknown."""
    arg = bytearray(struct.pack("II6Q", struct.calcsize("II6Q"), *[0] * 7))
    fcntl.ioctl(device, 3 << 30 | len(arg) << 16 | 0xdb << 8 | 16, arg)
    got = struct.unpack("II6Q", arg)[4]
    return None if got == (1 << 64) - 1 else got


def asleep(name):
    """Of our threads, how many are inside of a function."""
    return sum(any(name in word for word in where(f"self/task/{t}"))
               for t in os.listdir("/proc/self/task"))


def splices(server):
    """More tasks sleep in splice than are followed there: what all asked for is not
    known, or it is all there is."""
    device = os.open("/dev/pcinspect", os.O_RDWR)
    out = os.open("/dev/null", os.O_WRONLY)
    with open(f"{SICK}/b", "rb", 0) as f:
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        was = demanded(device)
        os.kill(server, signal.SIGSTOP)
        threads = [threading.Thread(target=os.sendfile, args=(out, f.fileno(), 0, PAGE))
                   for _ in range(SPLICES)]
        for t in threads:
            t.start()
        for _ in range(PATIENCE * 10):
            inside = asleep("filemap_")
            if inside == SPLICES:
                break
            time.sleep(0.1)
        os.kill(server, signal.SIGCONT)
        for t in threads:
            t.join()
    got = demanded(device)
    equal("splice: all sleep in it at once", inside, SPLICES)
    ok("splice: what they asked for is unknown, or all of it is there",
       was is not None and (got is None or got - was >= SPLICES * PAGE), (was, got))
    print(f"# {KERNEL}: {SPLICES} tasks in splice: asked for {got}, was {was}", flush=True)
    os.close(device)
    os.close(out)


def dead_server():
    os.makedirs("/tmp/behind", exist_ok=True)
    subprocess.run(["modprobe", "-q", "fuse"], check=False)
    if subprocess.run(["bindfs", "/tmp/behind", SICK], check=False).returncode:
        skip("dead FUSE server", "no bindfs here")
        return
    fill(SICK)
    dev = os.stat(SICK).st_dev
    run("pcinspect", "track", f"{SICK}/a")
    server = int(run("pidof", "bindfs").split()[0])
    os.kill(server, signal.SIGSTOP)
    with subprocess.Popen(["ls", SICK], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as p:
        opened("dead server")
        everything("dead server", "fuse", dev, False)
        ok("dead server: its user still waits", p.poll() is None)
        os.kill(server, signal.SIGCONT)
        ok("dead server: and ends with it", ends(p))
    splices(server)
    run("umount", SICK)


def threads(nr):
    """Of the NFS server."""
    run("rpc.nfsd", "-N", "3", str(nr))


def dead_nfs():
    """Its server is this guest itself, and stops serving."""
    os.makedirs(f"{GOOD}/export")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sH22x", b"lo", 0x41))  # SIOCSIFFLAGS: up
    if subprocess.run(["modprobe", "-a", "-q", "nfsd", "nfs", "nfsv4"], check=False).returncode:
        skip("dead NFS server", "no NFS here")
        return
    subprocess.run(["mount", "-t", "nfsd", "nfsd", "/proc/fs/nfsd"], check=False)
    run("exportfs", "-i", "-o", "rw,no_root_squash,insecure,fsid=0,no_subtree_check",
        f"*:{GOOD}/export")
    run("rpc.mountd", "-N", "2", "-N", "3")
    # Nobody has anything to reclaim; the least that is accepted.
    for name in "nfsv4leasetime", "nfsv4gracetime":
        with contextlib.suppress(OSError), open(f"/proc/fs/nfsd/{name}", "w",
                                                encoding="ascii") as f:
            f.write("10")
    threads(1)
    with contextlib.suppress(OSError), open("/proc/fs/nfsd/v4_end_grace", "w",
                                            encoding="ascii") as f:
        f.write("Y")
    run("mount", "-t", "nfs4", "-o", "vers=4.2,noatime,noac,hard", "127.0.0.1:/", SICK)
    fill(SICK)
    dev = os.stat(SICK).st_dev
    for descent, met in (os.path.dirname(SICK), False), (SICK, True):
        p = subprocess.run(["pcinspect", "stat", "-rn", "-o", "PATH", descent], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        ok(f"stat -r leaves the network out, unless it is named: {descent}",
           f"{GOOD}/a\n" in p.stdout + f"{GOOD}/a\n" * met and (f"{SICK}/a\n" in p.stdout) == met and
           (f"{SICK}: left out" in p.stderr) == (not met), p)
    run("pcinspect", "track", f"{SICK}/a")
    # close(2) waits for the server (nfs4_do_close(), 7.2), and so does exit:
    # it stays open, in a program of its own, until the machine is switched off.
    with open(f"{SICK}/b", "rb", 0) as f:
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        holder = subprocess.Popen(["sleep", "infinity"], stdin=f, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
    threads(0)
    with subprocess.Popen(["cat", f"/proc/{holder.pid}/fd/0"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
        opened("dead NFS server")
        everything("dead NFS server", "nfs4", dev, False)
        ok("dead NFS server: its user still waits", p.poll() is None)
        # The longer it was dead, the longer a client waits before it connects again.
        p.kill()
        ok("dead NFS server: and can be killed", ends(p))
    # Nor is it unmounted: that asks the server as well.


os.makedirs(GOOD)
os.makedirs(SICK)
run("modprobe", "dm-mod")
run("mkfs.ext4", "-q", "-F", "/dev/vdb")
run("mount", "/dev/vdb", GOOD)
fill(GOOD)
# Of more than a gigabyte of page cache it is a twentieth.
HELD = os.open(f"{GOOD}/held", os.O_RDWR | os.O_CREAT | os.O_EXCL)
for _ in range(64):
    os.write(HELD, bytes(1 << 20))
os.fsync(HELD)
os.unlink(f"{GOOD}/held")
for sick in sys.argv[1:] or ("detaching", "last_reference", "hung_disk", "frozen",
                             "dead_server", "dead_nfs"):
    globals()[sick]()
for word, (longest, behind) in sorted(LONGEST.items(), key=lambda row: -row[1][0]):
    print(f"# {KERNEL}: {word}: {longest:.2f} s at most ({behind})", flush=True)
equal("no record is left over", int(info()["explicit_records"]), 0)
finish()
