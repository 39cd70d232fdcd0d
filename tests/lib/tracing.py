"""tracing.py - trace-cmd as the independent witness of events, how two streams of the
same events are compared, and how often a function is called.

Why apart from check.py: only what follows events needs it. May touch: trace-cmd's
main buffer, files in /tmp.
"""
import contextlib
import os
import re
import subprocess
import time
from check import run

TRACING = "/sys/kernel/tracing"
INSTANCES = f"{TRACING}/instances"


class Independent:
    """trace-cmd beside us: every filemap and writeback event of the machine, in
    the main buffer, on the clock of our own times."""

    LINE = re.compile(r"^ *(?:\S+: +)?(\S.*?)-(\d+) +\[\d+\].*? (\d+\.\d+): ([a-z_]+): +(.*)$")

    def __init__(self):
        self.dat, self.ready, self.stop = "/tmp/them.dat", "/tmp/ready", "/tmp/stop"
        for f in (self.ready, self.stop):
            if os.path.exists(f):
                os.unlink(f)
        os.mkfifo(self.stop)
        self.process = subprocess.Popen(
            ["trace-cmd", "record", "-q", "-C", "mono", "-b", "16000", "-o", self.dat,
             # It waits without children: one that is between fork and exec, and
             # is interrupted by the end of a write, has two names.
             "-e", "filemap", "-e", "writeback", "sh", "-c",
             f": >{self.ready}; read -r nothing <{self.stop}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(self.ready):
            time.sleep(0.05)

    def end(self):
        """All of them."""
        with open(self.stop, "w", encoding="ascii"):
            pass
        self.process.wait()
        return self.read(self.dat)

    @classmethod
    def read(cls, dat):
        """(time, comm, pid, event, text) of every event of a trace.dat."""
        text = run("trace-cmd", "report", "-t", dat, stderr=subprocess.DEVNULL)
        found = (cls.LINE.match(line) for line in text.splitlines())
        return [(float(m[3]), m[1], int(m[2]), m[4], m[5].strip()) for m in found if m]

    @staticmethod
    def of(found, dev, ino):
        """Those of one inode, as the kernel prints them."""
        major, minor = dev.split(":")
        marks = (f"dev {dev} ino {ino:x} ", f"dev={dev} ino=0x{ino:x} ",
                 f"dev={dev} ino={ino:x} ", f"bdi {dev}: ino={ino} ",
                 f"dev {major},{minor} ino {ino} ")
        return [e for e in found if any(m in e[4] + " " for m in marks)]


def apart(ours, theirs):
    """How far two lists of times differ: (median, most). Each buffer takes its
    own time of an event, and a task may be preempted in between."""
    diffs = sorted(abs(x - y) for x, y in zip(ours, theirs))
    return diffs[len(diffs) // 2], diffs[-1]


def out_of_order(ours, theirs):
    """Where two streams of events differ. Two neighbours may have changed places:
    an interrupt between the two buffers' turns (7.2 runs probes with interrupts
    and preemption on) comes before the event in one and after it in the other."""
    differ, i = [], 0
    while i < min(len(ours), len(theirs)):
        if ours[i] == theirs[i]:
            i += 1
        elif ours[i:i + 2] == theirs[i:i + 2][::-1]:
            i += 2
        else:
            differ.append((ours[i], theirs[i]))
            i += 1
    return differ


def instances():
    """The trace instances that are ours."""
    return sorted(n for n in os.listdir(INSTANCES) if n.startswith("pcinspect"))


@contextlib.contextmanager
def calls(function):
    """How often a function is called, as a list that is filled in at the end."""
    def put(name, text):
        # Neither truncated, which removes others' events, nor sought in.
        fd = os.open(f"{TRACING}/{name}", os.O_WRONLY)
        os.write(fd, text.encode())
        os.close(fd)
    count = []
    put("kprobe_events", f"p:pcinspect_test/calls {function}")
    put("events/pcinspect_test/calls/enable", "1")
    try:
        yield count
    finally:
        put("events/pcinspect_test/calls/enable", "0")
        with open(f"{TRACING}/kprobe_profile", encoding="ascii") as f:
            # Hits, and misses: called inside of another probe.
            count.append(sum(int(n) for line in f for n in line.split()[1:]
                             if line.split()[0] == "calls"))
        put("kprobe_events", "-:pcinspect_test/calls")


@contextlib.contextmanager
def followed(function):
    """A trace instance in which the function tracer follows one function."""
    instance = f"{INSTANCES}/followed"

    def put(name, text):
        with open(f"{instance}/{name}", "w", encoding="ascii") as f:
            f.write(text)
    os.mkdir(instance)
    try:
        put("set_ftrace_filter", function)
        put("current_tracer", "function")
        yield instance
    finally:
        put("tracing_on", "0")
        os.rmdir(instance)


@contextlib.contextmanager
def entered(function):
    """As calls(), by the function tracer: in kprobes' own code there can be no kprobe."""
    count, nr = [], 0
    with followed(function) as instance:
        yield count
        for cpu in os.listdir(f"{instance}/per_cpu"):
            with open(f"{instance}/per_cpu/{cpu}/stats", encoding="ascii") as f:
                stats = dict(line.strip().split(": ") for line in f)
            nr += int(stats["entries"]) + int(stats["overrun"])
    count.append(nr)


@contextlib.contextmanager
def callers(function):
    """The commands of those that call a function, filled in at the end."""
    names = []
    with followed(function) as instance:
        yield names
        with open(f"{instance}/trace", encoding="ascii") as f:
            names += [line[:16].strip() for line in f if not line.startswith("#")]
