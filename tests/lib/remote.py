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
