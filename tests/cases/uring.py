#!/usr/bin/env python3
# vm: --mem 1024 --disk 1024
"""uring.py - workers of io_uring belong to the run of the task they work for; a
request that a layer of requests issues again is one."""
import json
import os
import subprocess
from check import equal, finish, mounted, ok, run, tool

MB = 1 << 20
SOURCE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* FILE 0|1: read or write 4 MiB of it by one request, in a worker. */
int main(int argc, char **argv)
{
	int write = argc > 2 && atoi(argv[2]), fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	struct io_uring_params p = { 0 };
	size_t size = 4 << 20;
	char *buffer = aligned_alloc(4096, size), *sq, *cq;
	struct io_uring_sqe *sqe;
	int ring = syscall(__NR_io_uring_setup, 8, &p);

	if (ring < 0)
		return 2;
	memset(buffer, 1, size);
	sq = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		  IORING_OFF_SQ_RING);
	cq = mmap(0, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
	sqe = mmap(0, p.sq_entries * sizeof(*sqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring,
		   IORING_OFF_SQES);
	*sqe = (struct io_uring_sqe){ .opcode = write ? IORING_OP_WRITE : IORING_OP_READ,
				      .fd = fd, .addr = (unsigned long)buffer, .len = size,
				      .flags = IOSQE_ASYNC };
	*(unsigned *)(sq + p.sq_off.array) = 0;
	__atomic_store_n((unsigned *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
	syscall(__NR_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
	return ((struct io_uring_cqe *)(cq + p.cq_off.cqes))->res != (int)size;
}
"""


def workers():
    """Reads and writes by a worker, in a run."""
    with open("/tmp/uring.c", "w", encoding="ascii") as f:
        f.write(SOURCE)
    run("gcc", "-O1", "-o", "/tmp/uring", "/tmp/uring.c")
    with mounted("ext4") as point:
        path = f"{point}/f"
        with open(path, "wb") as f:
            f.write(os.urandom(4 * MB))
            os.fsync(f.fileno())
            os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        for write in (0, 1):
            p = subprocess.run(["pcinspect", "run", "--json", "--", "/tmp/uring", path,
                                str(write)], stdout=subprocess.PIPE, check=False)
            files = [f for f in json.loads(p.stdout)["files"] if f.get("path") == path]
            if not ok(f"io_uring {'write' if write else 'read'}: the file is the run's", files):
                continue
            if write:
                equal("io_uring write: bytes", files[0]["writeback"]["write_bytes"], 4 * MB)
            else:
                equal("io_uring read: device bytes", files[0]["reads"]["device_bytes"], 4 * MB)


def layers():
    """An fsync on a disk of device mapper that passes requests on."""
    run("modprobe", "dm-multipath")
    run("modprobe", "dm-round-robin")
    with open("/sys/block/vdb/size", encoding="ascii") as f:
        sectors = int(f.read())
    run("dmsetup", "create", "--noudevsync", "--noudevrules", "mp", "--table",
        f"0 {sectors} multipath 0 0 1 1 round-robin 0 1 1 /dev/vdb 1000")
    run("dmsetup", "mknodes")
    with mounted("ext4", device="/dev/mapper/mp") as point:
        path = f"{point}/wal"
        with open(path, "wb"):
            pass
        tool("track", path)
        with open(path, "r+b") as f:
            f.write(os.urandom(MB))
            f.flush()
            os.fsync(f.fileno())
        (f,) = tool("explain", path)["files"]
        tool("untrack", path)
    equal("multipath: each byte is requested once",
          [c["request_bytes"] for c in f["fsync"]["calls"]], [MB])
    run("dmsetup", "remove", "mp")


def main():
    workers()
    layers()
    finish()


main()
