#!/usr/bin/env python3
# vm: --mem 768 --disk 1024 --lru mglru
# kernels: 6.12
# beside: ../../docs/pcinspect.1 ../../docs/pcinspect-dirty.1 ../../docs/pcinspect-explain.1
# beside: ../../docs/pcinspect-fsync.1 ../../docs/pcinspect-readahead.1 ../../docs/pcinspect-reads.1
# beside: ../../docs/pcinspect-record.1 ../../docs/pcinspect-report.1 ../../docs/pcinspect-run.1
# beside: ../../docs/pcinspect-stat.1 ../../docs/pcinspect-status.1 ../../docs/pcinspect-top.1
# beside: ../../docs/pcinspect-track.1 ../../docs/pcinspect-watch.1 ../../docs/pcinspect-why.1 ../../docs/pcinspect-try.1
# beside: ../../docs/pcinspect-untrack.1 ../../docs/pcinspect-reset.1
# beside: ../../docs/pcinspect.5 ../../docs/pcinspect-report.5 ../lib/demo-guest
# beside: ../../docs/pcinspect-cgroup.1 ../../docs/pcinspect-machine.1 ../../docs/pcinspect-next.1
# beside: ../../docs/pcinspect-diff.1 ../../docs/pcinspect-export.1 ../../docs/pcinspect-assert.1
# beside: ../../docs/pcinspect-save.1 ../../docs/pcinspect-restore.1 ../../docs/pcinspect-selftest.1
"""examples.py - what make demo shows, and every example of every man page: it works, and
prints what the page shows.

One machine, one story: a shop's database, and last night's backup. Numbers vary from
run to run; what is held is that each command ends well, and that headings and keys are
those of the page; and that the demo is short and comes to its end. The present output
is left in $OUT: tests/walkthrough/examples puts it into docs/.
"""
import fcntl
import glob
import os
import pty
import re
import select
import struct
import subprocess
import termios
from check import equal, finish, ok, run
from manpages import ORDER, WIDTH, examples, replaced, shape, shown

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.environ.get("OUT", "/tmp")
def typed(command):
    """A command's output on a terminal as wide as a page has room; its status."""
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
    with subprocess.Popen(["bash", "-o", "pipefail", "-c", command], cwd="/srv",
                          stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
                          start_new_session=True,
                          env={**os.environ, "NO_COLOR": "1", "TERM": "linux"}) as p:
        os.close(terminal)
        text = b""
        while True:
            if not select.select([main], [], [], 0.2)[0]:
                if p.poll() is not None:
                    break
                continue
            try:
                part = os.read(main, 65536)
            except OSError:
                part = b""
            if not part:
                break
            text += part
    os.close(main)
    text = text.decode(errors="replace").replace("\r\n", "\n")
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text), p.returncode


def demo():
    """It leaves /srv as the examples need it."""
    p = subprocess.run(["bash", f"{HERE}/demo-guest"], stdout=subprocess.PIPE, check=False,
                       env={k: v for k, v in os.environ.items() if k != "NO_COLOR"}, text=True)
    with open(f"{OUT}/demo.ansi", "w", encoding="utf-8") as f:
        f.write(p.stdout)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()]B", "", p.stdout)
    print(text, flush=True)
    lines = text.splitlines()
    equal("demo: exit status", p.returncode, 0)
    ok("demo: a screen", 15 < len(lines) <= 24, len(lines))
    ok("demo: of 80 columns", max(map(len, lines)) <= 80, [x for x in lines if len(x) > 80])
    for words in "# pcinspect try", "# pcinspect run", "best: random for /srv/shop.db: ":
        ok(f"demo: {words}", words in text)
    ok("demo: nothing is unknown", "?" not in text.partition("what helps?\n")[2])
    equal("demo: the verdict, once", text.count("mmap-read-around"), 1)
    ok("demo: nothing is untrusted", "UNTRUSTED" not in text)
    ok("demo: no error", "pcinspect: " not in text)


def left_out(words, text):
    """Headings of columns, those that are all 0 now in the line that says so."""
    known = set(re.findall(r"[A-Z][A-Z0-9_]*", text))
    return words.isupper() and all(x in known for x in re.findall(r"[A-Z][A-Z0-9_]*", words))


def main():
    demo()
    with open("/sys/block/vdb/queue/read_ahead_kb", "w", encoding="ascii") as f:
        f.write("128")
    os.makedirs("/srv/log")
    run("bash", "-c", "for i in 1 2 3; do seq $((i * 30000)) >/srv/log/day$i.log; done; sync; "
        "pcinspect untrack; echo 1 >/proc/sys/vm/drop_caches; cat /srv/backup.tar /srv/log/day3.log >/dev/null")
    pages = {os.path.basename(path): path for path in glob.glob(f"{HERE}/pcinspect*.[15]")}
    equal("pages in their order", sorted(pages), sorted(ORDER))
    for name in ORDER:
        with open(pages[name], encoding="utf-8") as f:
            page = f.read()
        outputs = []
        for example in examples(page):
            for command in example.before:
                equal(f"{name}: before: {command}", typed(command)[1], 0)
            outputs.append([])
            for command, old in zip(example.commands, example.outputs):
                text, status = typed(command)
                print(f"## {name}: {command}\n{text}", flush=True)
                ok(f"{name}: {command}", status == 0, f"exit status {status}: {text[-300:]}")
                gone = {x for x in shape(old) - shape(shown(text, None, None))
                        if not left_out(x, text)}
                ok(f"{name}: {command}: prints what the page shows",
                   not gone and (not old or text.strip()),
                   f"no more: {sorted(gone)} (tests/walkthrough/examples)")
                outputs[-1].append(text)
        with open(f"{OUT}/{name}", "w", encoding="utf-8") as f:
            f.write(replaced(page, outputs))
    finish()


main()
