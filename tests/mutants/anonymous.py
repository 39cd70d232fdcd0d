"""anonymous.py - more memory than its cgroup may have, gone through twice."""
import mmap

m = mmap.mmap(-1, 20 << 20)
for _ in range(2):
    for at in range(0, len(m), mmap.PAGESIZE):
        m[at] = 1
