"""pages.py READ MAPPED - random reads, in threads; and stores to a mapping."""
import mmap
import os
import random
import sys
import threading

RANDOM = random.Random(1)


def read():
    """Of single pages."""
    fd = os.open(sys.argv[1], os.O_RDONLY)
    for _ in range(20):
        os.pread(fd, 4096, RANDOM.randrange(512) * 4096)
    os.close(fd)


def store():
    """To every eighth page."""
    fd = os.open(sys.argv[2], os.O_RDWR)
    m = mmap.mmap(fd, 0)
    for at in range(0, len(m), 8 * mmap.PAGESIZE):
        m[at] = 1
    m.flush()
    m.close()
    os.close(fd)


threads = [threading.Thread(target=read) for _ in range(20)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
store()
