"""builder.py - the product's sources in the root of a kernel, built there as often as asked.

Why: a build with a deliberate error, or one that writes down what was executed, is built
as the product is, by the compiler of that Debian.
May touch: the folder that it is given; mounts of a namespace of its own.
"""
import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCES = ("Kbuild", "Makefile", "dkms.conf", "include", "module", "compat-include", "userspace",
           "docs", "completions")
INSIDE = ('mount --make-rprivate / && mount -t proc proc "$1/proc" && '
          'mount --rbind /dev "$1/dev" && mount --bind "$2" "$1/mnt" && root=$1 && '
          'shift 2 && exec chroot "$root" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"')


def copied(name, to):
    """A file or folder of the product's, without what was built."""
    path = os.path.join(TOP, name)
    if os.path.isdir(path):
        shutil.copytree(path, to, symlinks=True, ignore=shutil.ignore_patterns("build", "*.o"))
    else:
        shutil.copy2(path, to)


class Builder:
    """In the folder @work; the root has it as /mnt."""

    def __init__(self, kernel, work):
        self.work = work
        self.root = subprocess.run([f"{TOP}/tests/lib/mkroot", kernel], stdout=subprocess.PIPE,
                                   check=True).stdout.decode().strip()
        with open(f"{self.root}.done", encoding="ascii") as f:
            self.release = f.read().strip()
        os.mkdir(f"{work}/src")
        for name in SOURCES:
            copied(name, f"{work}/src/{name}")

    def run(self, *command):
        """In the root; what it prints is shown if it fails."""
        p = subprocess.run(["unshare", "-m", "--", "sh", "-c", INSIDE, "sh", self.root, self.work,
                            *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if p.returncode:
            sys.stderr.buffer.write(p.stdout[-4000:])
            sys.exit(f"{os.path.basename(sys.argv[0])}: it does not build")

    def module(self, source="src", *more):
        """A module: src/pcinspect.ko."""
        self.run("make", "-s", "-j2", "-C", f"/lib/modules/{self.release}/build",
                 f"M=/mnt/{source}", *more, "modules")

    def program(self, flags="-O0", *environment):
        """The command line: program/pcinspect."""
        self.run("env", *environment, "make", "-s", "-j2", "-C", "/mnt/src/userspace", "B=/mnt/program",
                 f"CFLAGS={flags}")
