#!/usr/bin/env python3
# vm: --mem 768 --disk 512
# soak: 6.1-rt 6.12-rt 7.2-rt 6.1-cloud 6.12-cloud 7.2-cloud 7.3
# minutes: 1
"""cgroups.py - what is charged to cgroups, file by file, against memory.stat.

Nothing is tracked. Files are read by cat in cgroups of their own, closed and
partly deleted; then every cgroup's active and inactive pages must be those of its
memory.stat, and the files of each must add up to them, to the page, on both kinds
of reclaim. Truth per file: mincore(2).
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.environ["HERE"])
from check import (DEBUGFS, PAGE, Cgroup, drain, equal, finish, lru_gen, make_file,  # noqa: E402
                   mincore, mounted, ok, rounds, run, summed_up, tool)

ROOT = "/sys/fs/cgroup"
MNT = "/mnt/t"
CGROUPS, FILES = rounds(6, 50), rounds(8, 20)


def put(path, text):
    with open(path, "w", encoding="ascii") as to:
        to.write(text)


def stat(cgroup):
    with open(f"{ROOT}{cgroup}/memory.stat", encoding="ascii") as lines:
        return {key: int(value) for key, value in map(str.split, lines)}


def inside(cgroup, command):
    """Run a shell command in a cgroup."""
    subprocess.run(["sh", "-c", f'echo $$ >{ROOT}{cgroup}/cgroup.procs; {command}'],
                   check=True)


def report(*args):
    """Of cgroups, when each CPU has told the lists and memory.stat what it had."""
    drain()
    return tool("cgroup", *args)


def text(*args):
    return subprocess.run(["pcinspect", "cgroup", *args], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def check_cgroup(what, entry):
    pages, path = entry["pages"], entry["path"]
    files = entry["files"]
    for kind in "active", "inactive":
        equal(f"{what}: {path}: the files' {kind} pages are the list's",
              sum(f["pages"][kind] for f in files), pages[kind])
    equal(f"{what}: {path}: nothing is unnamed", entry["unnamed_pages"], 0)


def check_against_stat(what, rep):
    for entry in rep["cgroups"]:
        theirs = stat(entry["path"])
        for kind in "active", "inactive":
            equal(f"{what}: {entry['path']}: {kind} is memory.stat's",
                  entry["pages"][kind], theirs[f"{kind}_file"] // PAGE)
        check_cgroup(what, entry)
    for audit in rep["audit"]:
        ok(f"{what}: audit {audit['what']} says ok", audit["ok"], audit)


def make_files(what):
    """Each cgroup reads files of its own, one of them twice, one deleted."""
    names = []
    for c in range(CGROUPS):
        cgroup = f"/lists-{what}/c{c}"
        os.makedirs(ROOT + cgroup)
        directory = f"{MNT}/{what}{c}"
        os.mkdir(directory)
        inside(cgroup, f"for i in $(seq {FILES}); do dd if=/dev/zero of={directory}/$i "
                       f"bs=4k count=$((i * 3 + {c})) status=none; done; sync -f {MNT}; "
                       f"cat {directory}/* {directory}/1 >/dev/null")
        names.append((cgroup, directory))
    return names


def check_kind(what):
    lru_gen(what == "mglru")
    os.makedirs(f"{ROOT}/lists-{what}")
    put(f"{ROOT}/lists-{what}/cgroup.subtree_control", "+memory")
    names = make_files(what)
    drain()
    for cgroup, _ in names:
        summed_up(ROOT + cgroup)
    rep = report(*(cgroup for cgroup, _ in names))
    equal(f"{what}: an entry for each, in order", [c["path"] for c in rep["cgroups"]],
          [cgroup for cgroup, _ in names])
    check_against_stat(what, rep)
    for entry, (_, directory) in zip(rep["cgroups"], names):
        mine = {f["path"]: f["pages"]["cached"] for f in entry["files"]}
        for name in os.listdir(directory):
            path = f"{directory}/{name}"
            equal(f"{what}: {path} is as mincore(2) says", mine.get(path, 0), mincore(path))
    parent = report(f"{ROOT}/lists-{what}")["cgroups"][0]
    check_against_stat(f"{what}, the parent", {"cgroups": [parent], "audit": []})
    equal(f"{what}: the parent's files are its children's",
          sum(f["pages"]["cached"] for f in parent["files"]),
          sum(f["pages"]["cached"] for c in rep["cgroups"] for f in c["files"]))
    check_debugfs(what, names)
    return names


def check_deleted(names):
    cgroup, directory = names[0]
    path = f"{directory}/{FILES}"
    before = mincore(path)
    with open(path, "rb") as held:
        os.unlink(path)
        entry = report(cgroup)["cgroups"][0]
        gone = [f for f in entry["files"] if f["deleted"]]
        equal("a deleted file that is open is found", len(gone), 1)
        equal("with its pages", gone[0]["pages"]["cached"], before)
        check_cgroup("deleted", entry)
        held.read(1)


def check_dying(names):
    """A cgroup without processes, removed: its pages stay with it or its parent."""
    cgroup, _ = names[1]
    os.rmdir(ROOT + cgroup)
    parent = os.path.dirname(cgroup)
    summed_up(ROOT + names[0][0])
    check_against_stat("removed", report(parent))


def check_pods():
    """Of one name in two namespaces, and one that is gone and left its logs."""
    uids = {"blue": "11111111-aaaa-4bbb-8ccc-000000000001",
            "gone": "33333333-aaaa-4bbb-8ccc-000000000003",
            "green": "22222222-aaaa-4bbb-8ccc-000000000002"}
    paths = {}
    for space, uid in uids.items():
        os.makedirs(f"/var/log/pods/{space}_db-0_{uid}")
        paths[space] = f"/kubepods-pod{uid.replace('-', '_')}.slice"
        if space != "gone":
            os.mkdir(ROOT + paths[space])
    done = text("--pod", "db-0")
    ok("--pod: two of one name are said, and none is shown", done.returncode and not done.stdout and
       paths["blue"] in done.stderr and paths["green"] in done.stderr and
       "NAMESPACE/NAME" in done.stderr, done)
    equal("--pod NAMESPACE/NAME finds one of them",
          report("--pod", "green/db-0")["cgroups"][0]["path"], paths["green"])
    equal("--pod UID, too", report("--pod", uids["blue"])["cgroups"][0]["path"], paths["blue"])
    os.rmdir(ROOT + paths["green"])
    equal("--pod: one that is gone is not in the way",
          report("--pod", "db-0")["cgroups"][0]["path"], paths["blue"])
    os.rmdir(ROOT + paths["blue"])


def check_namespace(cgroup, child):
    """Where a process says "/" of a cgroup that is mounted as another."""
    def inside_namespace(*args, within=True):
        command = ["unshare", "--cgroup", "pcinspect", "cgroup", *args]
        if within:
            command = ["sh", "-c", f'echo $$ >{ROOT}{cgroup}/cgroup.procs; exec "$@"', "sh"] + command
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

    for pid, path in ((child, cgroup), (1, "/")):
        done = inside_namespace("--pid", str(pid), "--json")
        equal(f"in another cgroup namespace: --pid of {path} is what is mounted",
              json.loads(done.stdout or '{"cgroups": [{"path": null}]}')["cgroups"][0]["path"], path)
    done = inside_namespace("--shared")
    ok("in another cgroup namespace: who uses a file is not made up",
       done.returncode and not done.stdout and done.stderr.count("\n") == 1 and
       "another cgroup namespace" in done.stderr, done)
    done = inside_namespace("--shared", within=False)
    ok("in one of the same root it is known", not done.returncode, done)
    # Only a part of the hierarchy is mounted: the rest is nowhere.
    done = subprocess.run(["unshare", "--mount", "sh", "-c", f"mount --bind {ROOT}{cgroup} {ROOT}; "
                           "pcinspect cgroup --pid 1"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    ok("a process of a cgroup that is not mounted: one line says so",
       done.returncode and not done.stdout and done.stderr.count("\n") == 1 and
       "has it (not mounted there" in done.stderr, done)


def check_no_such():
    """Not of v2, and removed while it was open: one line, and nothing shown."""
    os.makedirs("/mnt/v1", exist_ok=True)
    subprocess.run(["mount", "-t", "cgroup", "-o", "none,name=old", "old", "/mnt/v1"], check=True)
    os.mkdir(f"{ROOT}/vanishes")
    fd = os.open(f"{ROOT}/vanishes", os.O_RDONLY)
    os.rmdir(f"{ROOT}/vanishes")
    for path, words in (("/mnt/v1", "is of cgroup v1"), (f"/proc/self/fd/{fd}", "was removed")):
        done = subprocess.run(["pcinspect", "cgroup", path], stdout=subprocess.PIPE, check=False,
                              stderr=subprocess.PIPE, text=True, pass_fds=[fd])
        ok(f"cgroup {path}: one line says why not", done.returncode and not done.stdout and
           words in done.stderr and done.stderr.count("\n") == 1, done)
    os.close(fd)
    subprocess.run(["umount", "/mnt/v1"], check=True)


def check_selectors(names):
    cgroup, _ = names[2]
    child = subprocess.Popen(["sh", "-c", f"echo $$ >{ROOT}{cgroup}/cgroup.procs; exec sleep 1000"])
    while open(f"/proc/{child.pid}/cgroup", encoding="ascii").read().strip() != f"0::{cgroup}":
        pass
    equal("--pid finds its cgroup",
          report("--pid", str(child.pid))["cgroups"][0]["path"], cgroup)
    check_namespace(cgroup, child.pid)
    child.kill()
    child.wait()
    name = "docker-" + "0123456789abcdef" * 4 + ".scope"
    os.mkdir(f"{ROOT}/{name}")
    entry = report("--container", "0123456789ab")["cgroups"][0]
    equal("--container finds it by the beginning of its ID", entry["path"], "/" + name)
    equal("and says its name", entry["name"], "docker 0123456789ab")
    os.rmdir(f"{ROOT}/{name}")
    check_pods()
    for args, words in ((["--pid", "4000000"], "no such process"),
                        (["--pid", "x"], "not a process number"),
                        (["--container", "feed"], "no cgroup of this name"),
                        (["--container", ""], "no cgroup of this name"),
                        (["--pod", ""], "no cgroup of this name"),
                        (["/none"], "No such file"), (["/proc"], "is no cgroup")):
        done = text(*args)
        equal(f"cgroup {' '.join(args)}: fails", done.returncode,
              {"not a process number": 2, "No such file": 32, "is no cgroup": 32}.get(words, 1))
        ok(f"cgroup {' '.join(args)}: says why", words in done.stderr, done.stderr)
        equal(f"cgroup {' '.join(args)}: in one line", done.stderr.count("\n"), 1)


def check_shared():
    """Charged to one and used by another; charged to both; of one alone."""
    groups = "/shared-a", "/shared-b"
    for cgroup in groups:
        os.mkdir(ROOT + cgroup)
    used, halves, alone = (f"{MNT}/shared-{name}" for name in ("used", "halves", "alone"))
    inside(groups[0], f"for f in {used} {alone}; do dd if=/dev/zero of=$f bs=4k count=30 "
                      f"status=none; done; dd if=/dev/zero of={halves} bs=4k count=20 status=none")
    inside(groups[1], f"dd if=/dev/zero of={halves} bs=4k seek=20 count=15 conv=notrunc "
                      f"status=none; sync -f {MNT}")
    child = subprocess.Popen(["sh", "-c", f"echo $$ >{ROOT}{groups[1]}/cgroup.procs; "
                              f"exec 3<{used}; echo; exec sleep 1000"], stdout=subprocess.PIPE)
    child.stdout.readline()

    def found(*args):
        return {f["path"]: ({c["path"]: c["pages"] for c in f["charged"]}, f["used_by"])
                for f in report("--shared", *args)["shared"]}

    files = found()
    equal("shared: charged to one, open in another", files.get(used),
          ({groups[0]: mincore(used)}, [groups[1]]))
    equal("shared: charged to both, nobody has it open", files.get(halves),
          ({groups[0]: 20, groups[1]: 15}, None))
    ok("shared: what one cgroup has to do with alone is not there", alone not in files, files)
    files = found(groups[1])
    ok("shared: of one cgroup: the same", {used, halves} <= set(files), files)
    ok("shared: of another: none of them", not {used, halves} & set(found("/lists-mglru")))
    table = text("--shared", "--pages", groups[0]).stdout
    for words in (f"30 {used}", f"charged to {groups[0]} 30; open or mapped in {groups[1]}",
                  f"charged to {groups[0]} 20, {groups[1]} 15; open or mapped in ?"):
        ok(f"shared: in words: {words}", words in table, table)
    child.kill()
    child.wait()
    ok("shared: once it is closed nobody knows", used not in found())
    for path in used, halves, alone:
        os.unlink(path)
    for cgroup in groups:
        os.rmdir(ROOT + cgroup)
    done = text("--shared", "/none")
    ok("shared: no such cgroup", done.returncode and "No such file" in done.stderr and
       not done.stdout, done)


def check_debugfs(what, names):
    """The kernel's counts of each cgroup, for cat."""
    with open(f"{DEBUGFS}/cgroups", encoding="ascii") as lines:
        rows = [line.split() for line in lines]
    equal(f"{what}: the header of debugfs", rows[0],
          "cgroup active inactive unevictable gen0 gen1 gen2 gen3 path".split())
    by_path = {row[-1]: row for row in rows[1:]}
    for cgroup, _ in names:
        row = by_path[cgroup]
        pages = report(cgroup)["cgroups"][0]["pages"]
        equal(f"{what}: {cgroup}: debugfs says the same", list(map(int, row[1:4])),
              [pages["active"], pages["inactive"], pages["unevictable"]])
        if what == "mglru":
            equal(f"{what}: {cgroup}: its generations add up", sum(map(int, row[4:8])),
                  pages["active"] + pages["inactive"])
        else:
            equal(f"{what}: {cgroup}: it has no generations", row[4:8], ["?"] * 4)


def check_all():
    rep = report()
    ok("all cgroups: the root is the first", rep["cgroups"][0]["path"] == "/")
    # Changes by the rest of the machine are in the audits.
    for audit in rep["audit"]:
        ok(f"all: audit {audit['what']} says ok", audit["ok"], audit)
    table = text().stdout
    ok("the table of all has the root", any(line.endswith(" /") for line in table.splitlines()),
       table)
    table = text("--limit", "3", "/").stdout
    ok("a table says what it leaves out, and the total",
       "more files; --limit 0: all)" in table and "(total)" in table, table)


def check_watch():
    """The files of a process, and of a cgroup, as if they had been typed."""
    path, group = f"{MNT}/watched", Cgroup("watched")
    make_file(path, 64 * PAGE)
    group.run("cat", path)
    with subprocess.Popen(["sh", "-c", f"exec 7<'{path}' 8</dev/null 9<'{path}'; cat <&7 >/dev/null; "
                           "echo; read -r x"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as p:
        p.stdout.readline()
        files = tool("watch", "--once", "--pid", str(p.pid))["files"]
        equal("watch --pid: a file that is open twice, once", [
            f["pages"]["cached"] for f in files if f["path"] == path], [64])
        ok("watch --pid: and what is mapped", any(f["path"].endswith("/libc.so.6") for f in files),
           [f["path"] for f in files])
        equal("watch --pid: they are tracked meanwhile", {f["record"]["kind"] for f in files},
              {"explicit"})
        p.stdin.write(b"\n")
    # By its path, and by that within the hierarchy. Python's first pages are charged, too.
    for name in group.path, "/watched":
        files = tool("watch", "--once", "--cgroup", name)["files"]
        equal(f"watch --cgroup {name}: its file", [f["pages"]["cached"] for f in files
                                                   if f["path"] == path], [64])
    for args, says in ((["--pid", str(p.pid)], "no such process"), (["--cgroup", "/nowhere"], "No such"),
                       (["--pid", "2"], "no regular file")):
        p = subprocess.run(["pcinspect", "watch", "--once", *args], stderr=subprocess.PIPE,
                           text=True, check=False)
        equal(f"watch {args}: fails", (p.returncode, says.lower() in p.stderr.lower()), (1, True))
    run("pcinspect", "untrack")
    os.unlink(path)


def check_churn(names):
    """Pages leave and come back all the time, between any two readings of the kernel's
    counters as well: the audits allow for as many as the kernel has seen leave."""
    cgroup, directory = names[2]
    loop = subprocess.Popen(["sh", "-c", f"echo $$ >{ROOT}{cgroup}/cgroup.procs; cd {directory}; while [ ! -e /tmp/enough ]; do "
                             "echo 1 >/proc/sys/vm/drop_caches; while read -r x; do :; done <1; "
                             "cat * >/dev/null; done"], stderr=subprocess.DEVNULL)
    for args in ([["cgroup", cgroup]] + [["cgroup", "/"]] * 3 + [["cgroup"]] * 2 +
                 [["machine", "--once"], ["machine", "--once", "--per", "cgroup"], ["next", "--order"]]):
        rep = tool(*args)
        print(f"# {args}:", [(a["what"], a["diff"], a["slack"]) for a in rep["audit"]])
        ok(f"{' '.join(args)}: while pages come and go: each audit says ok",
           len(rep["audit"]) > (args[0] != "next") and all(a["ok"] for a in rep["audit"]), rep["audit"])
    # Killed, it would leave a cat behind that is in the filesystem.
    with open("/tmp/enough", "wb"):
        pass
    loop.wait()


with mounted("ext4"):
    check_kind("classic")
    mine = check_kind("mglru")
    check_deleted(mine)
    check_dying(mine)
    check_selectors(mine)
    check_no_such()
    check_shared()
    check_all()
    check_watch()
    check_churn(mine)
finish()
