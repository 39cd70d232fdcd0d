#!/usr/bin/env python3
# vm: --mem 512 --smp 2 --disk 256 --disk 64
# args 6.1: killed
# minutes: 1
"""waits.py - nobody waits for our hooks: a CPU that a real-time task never leaves
(sched_rt_runtime_us is -1) lets no grace period of trampolines end, perhaps for ever.

A run, a watch and a live view that are killed meanwhile end at once, modules of others
are loaded and unloaded, and what waits by itself can be killed. When the CPU is free
again all is detached. On 6.1 rmmod waits for such a CPU by itself, without hooks of ours.
waits.py [WHICH…]: killed, modules.
"""
import contextlib
import os
import signal
import subprocess
import sys
import time
from check import KERNEL, equal, finish, info, make_file, mounted, ok, run, setting, skip

WHICH = sys.argv[1:] or ["killed", "modules"]
MODULE = "ts_kmp"    # it does no more than to be there
# Events decide; this is only so that a failure is one.
SECONDS = 30


def ends(process):
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def on_first(*command):
    return subprocess.Popen(["taskset", "-c", "0", *command], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def poller():
    """A real-time task that has the second CPU for itself."""
    with subprocess.Popen(["taskset", "-c", "1", "chrt", "-f", "50", "sh", "-c",
                           "echo up >/tmp/poller; while :; do :; done"]) as p:
        while not os.path.exists("/tmp/poller"):
            time.sleep(0.05)
        os.unlink("/tmp/poller")
        try:
            yield p
        finally:
            p.kill()


def modules():
    """Do modules that are not ours come and go meanwhile?"""
    return [ends(on_first(*what)) for what in
            (["modprobe", MODULE], ["modprobe", "-r", MODULE])] == [True, True]


def rcu():
    """Does a grace period of RCU end meanwhile? membarrier(2) waits for one."""
    return ends(on_first(sys.executable, "-c", "import ctypes; "
                         "ctypes.CDLL(None).syscall(324, 1, 0, 0)"))


def decide(name, good, kernel, graces=True):
    """Where it went wrong: without hooks of ours the kernel does it (@kernel), or waits too;
    or no grace period of RCU ended at that time (@graces), of which hooks are no cause."""
    if not good and not graces:
        skip(name, "no grace period of RCU ended beside this real-time task")
        return
    if not good:
        info()          # until all is detached
        with poller():
            kernels_own = not kernel()
        if kernels_own:
            skip(name, "without hooks of ours this kernel waits as well")
            return
    ok(name, good)


def killed(name, users, *command):
    """Killed while its hooks are attached, and while they cannot be detached."""
    process = on_first("pcinspect", *command)
    for _ in range(SECONDS * 10):
        if users():
            break
        time.sleep(0.1)
    ok(f"{name}: its hooks are attached", users() and process.poll() is None)
    with poller() as p:
        process.send_signal(signal.SIGKILL)
        gone = ends(process)
        others = "modules" in WHICH and modules()
        # A task that needs more hooks may wait, and can be killed.
        more = on_first("pcinspect", "track", "/mnt/t/a")
        time.sleep(0.5)
        more.kill()
        killable = ends(more)
        # With the same poller: it may have come while softirqs of its CPU were ksoftirqd's.
        graces = gone and killable or rcu()
        ok(f"{name}: the CPU was not free meanwhile", p.poll() is None)
    process.wait()
    more.wait()
    decide(f"{name}: killed, it is gone", gone, rcu, graces)
    if "modules" in WHICH:
        decide(f"{name}: other modules come and go", others, modules)
    decide(f"{name}: who tracks a file meanwhile can be killed", killable, rcu, graces)
    subprocess.run(["pcinspect", "untrack"], check=False, stderr=subprocess.DEVNULL)


def main():
    if "modules" not in WHICH:
        skip("modules come and go", "this kernel waits for that CPU by itself")
    info()              # nothing is being detached
    was = setting("../kernel/sched_rt_runtime_us", -1)
    with mounted("ext4") as point:
        path = f"{point}/a"
        make_file(path, 1 << 20)
        killed("run", lambda: info()["run"] == "active", "run", "--", "sleep", "1000")
        subprocess.run(["pkill", "-x", "sleep"], check=False)
        killed("watch", lambda: info()["explicit_records"] == "1", "watch", "--no-events", path)
        killed("machine", lambda: info()["demand_users"] == "1", "machine", "--json-lines")
        # Only now: it waits for what is to be detached.
        info()
        equal("all is detached", (info()["run"], info()["explicit_records"],
                                  info()["demand_users"], info()["ledgers"]),
              ("none", "0", "0", "0"))
        report = run("pcinspect", "run", "--json", "--", "cat", path)
        ok("and a run is what it always was", '"ok": false' not in report, report[-500:])
    setting("../kernel/sched_rt_runtime_us", was)
    print(f"# {KERNEL}: waits", flush=True)
    finish()


main()
