"""pages.py - file pages by the kernel's own counters, and files of some pages, for tests of the machine."""
from check import PAGE


def vmstat(key=None):
    """A count of the kernel's own, or its file pages, when every CPU has told what it
    has."""
    with open("/proc/sys/vm/stat_refresh", encoding="ascii") as f:
        f.read()
    with open("/proc/vmstat", encoding="ascii") as lines:
        stat = {key: int(value) for key, value in map(str.split, lines)}
    if key:
        return stat[key]
    return stat["nr_file_pages"] - stat["nr_shmem"] - stat.get("nr_swapcached", 0)


def counted(cgroup, key):
    """A count of a cgroup's memory.stat."""
    with open(f"{cgroup}/memory.stat", encoding="ascii") as stat:
        return int(dict(map(str.split, stat))[key])


def write(path, pages, byte=b"x"):
    """A new file of so many pages."""
    with open(path, "wb") as f:
        f.write(byte * PAGE * pages)
