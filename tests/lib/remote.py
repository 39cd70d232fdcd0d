"""remote.py - filesystems that a server on this very machine serves.

Why: what no disk is below is seen as the kernel sees it, and the server's own files are
there to compare it with. May touch: anything; it only runs inside a throw-away guest.
"""
import contextlib
import fcntl
import os
import socket
import struct
import subprocess
import time
from check import run


def loopback_up():
    """There is no ip(8) here."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 0x41))     # SIOCSIFFLAGS, up


@contextlib.contextmanager
def nfs_mounted(low, point="/mnt/nfs"):
    """A directory, over NFS."""
    loopback_up()
    run("modprobe", "-a", "nfsd", "nfs", "nfsv4")
    os.makedirs(point, exist_ok=True)
    with contextlib.ExitStack() as stack:
        run("mount", "-t", "nfsd", "nfsd", "/proc/fs/nfsd")
        stack.callback(run, "umount", "/proc/fs/nfsd")
        with open("/proc/fs/nfsd/nfsv4leasetime", "w", encoding="ascii") as f:
            f.write("10")
        os.makedirs("/var/lib/nfs", exist_ok=True)
        run("exportfs", "-i", "-o", "rw,no_root_squash,insecure,fsid=0,no_subtree_check",
            f"*:{low}")
        stack.callback(run, "exportfs", "-ua")
        mountd = subprocess.Popen(["rpc.mountd", "-F", "-N", "2", "-N", "3"],
                                  stderr=subprocess.DEVNULL)
        stack.callback(mountd.wait)
        stack.callback(mountd.kill)
        run("rpc.nfsd", "-N", "3", "1")
        stack.callback(run, "rpc.nfsd", "0")
        with contextlib.suppress(OSError), open("/proc/fs/nfsd/v4_end_grace", "w",
                                                encoding="ascii") as f:
            f.write("Y")
        run("mount", "-t", "nfs4", "-o", "vers=4.2,noatime", "127.0.0.1:/", point)
        stack.callback(run, "umount", point)
        yield point


@contextlib.contextmanager
def smb_mounted(low, point="/mnt/cifs"):
    """A directory, over SMB 3 from the kernel's own server. No mount.cifs(8) is needed, as
    the address is there already."""
    loopback_up()
    run("modprobe", "-a", "ksmbd", "cifs")
    os.makedirs(point, exist_ok=True)
    with open("/etc/ksmbd/ksmbd.conf", "w", encoding="ascii") as f:
        f.write(f"[global]\n\tserver string = pcinspect\n[share]\n\tpath = {low}\n\tread only = no\n")
    run("ksmbd.adduser", "-a", "root", "-p", "secret", stderr=subprocess.DEVNULL)
    with contextlib.ExitStack() as stack:
        mountd = subprocess.Popen(["ksmbd.mountd", "-n"], stderr=subprocess.DEVNULL)
        stack.callback(mountd.wait)
        stack.callback(mountd.terminate)
        stack.callback(run, "ksmbd.control", "-s")
        for _ in range(600):            # it is told by its daemon, in the background
            if listens(445):
                break
            time.sleep(0.1)
        run("mount", "-i", "-t", "cifs", "//127.0.0.1/share", point, "-o",
            r"unc=\\127.0.0.1\share,ip=127.0.0.1,username=root,password=secret,noatime")
        stack.callback(run, "umount", point)
        yield point


def listens(port):
    """Does anybody on this machine?"""
    with open("/proc/net/tcp", encoding="ascii") as f, \
            open("/proc/net/tcp6", encoding="ascii") as six:
        return any(line.split()[1].endswith(f":{port:04X}")
                   for line in [*f][1:] + [*six][1:])
