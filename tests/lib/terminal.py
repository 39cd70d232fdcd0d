"""terminal.py - a terminal for a test: tmux is the terminal, its captured screen is
what a person would see.

Why apart from check.py: only what draws needs it. May touch: tmux's server.
"""
import os
import re
import subprocess
import time
import unicodedata
from check import equal, ok, run

SHELL = ["env", "-u", "NO_COLOR", "PS1=READY$ ", "TERM=screen-256color", "bash",
         "--norc", "--noprofile"]


def tmux(*args, check=True):
    return subprocess.run(["tmux", "-u", "-f", "/dev/null", *args], check=check,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="surrogateescape").stdout


def width(line):
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def number(lines, name):
    """The value behind a name on the screen, or None."""
    m = re.search(rf"(?:^|[ ]){name} (\d+|\?)", "\n".join(lines))
    return m.group(1) if m else None


def doing():
    """The functions in which pcinspect waits, for the message of a failure."""
    out = ""
    for pid in subprocess.run(["pgrep", "-x", "pcinspect"], stdout=subprocess.PIPE,
                              check=False, text=True).stdout.split():
        for name in ("stat", "syscall", "stack"):
            try:
                with open(f"/proc/{pid}/{name}", encoding="utf-8") as f:
                    out += f"\n{pid} {name}: {f.read().strip()}"
            except OSError as e:
                out += f"\n{pid} {name}: {e}"
    return out


class Screen:
    """A terminal with a shell in it."""

    def __init__(self, cols=80, rows=24):
        tmux("kill-server", check=False)
        self.cols, self.rows, self.count = cols, rows, 0
        tmux("new-session", "-d", "-s", "t", "-x", str(cols), "-y", str(rows), *SHELL)
        self.wait("READY$", "a shell")
        self.before = self.stty()

    def lines(self):
        out = tmux("capture-pane", "-p", "-t", "t").split("\n")[:self.rows]
        return out + [""] * (self.rows - len(out))

    def text(self):
        return "\n".join(self.lines())

    @staticmethod
    def good(what):
        """A text, a compiled search or a function of the lines, as the last."""
        if isinstance(what, str):
            return lambda lines: what in "\n".join(lines)
        if getattr(what, "__name__", "") == "search":
            return lambda lines: what("\n".join(lines))
        return what

    def wait(self, what, name, seconds=60):
        """Until the screen has a text, or a function of its lines says yes."""
        good = self.good(what)
        end = time.monotonic() + seconds
        while True:
            lines = self.lines()
            if good(lines):
                return lines
            if time.monotonic() > end:
                ok(f"wait for {name}", False, "\n" + "\n".join(lines) + doing())
                return lines
            time.sleep(0.05)

    def sees(self, name, what, seconds=60):
        good = self.good(what)
        return ok(name, good(self.wait(what, name, seconds)))

    def keys(self, *keys):
        tmux("send-keys", "-t", "t", *keys)

    def shell(self, command):
        self.keys("-l", command)
        self.keys("Enter")

    def stty(self):
        """The output of stty, for which the shell has to be there."""
        self.count += 1
        path = f"/tmp/stty.{self.count}"
        self.shell(f"stty -a >{path}.new; mv {path}.new {path}; clear")
        end = time.monotonic() + 60
        while not os.path.exists(path):
            if time.monotonic() > end:
                ok("the shell answers", False, "\n" + self.text())
                return ""
            time.sleep(0.05)
        self.wait(lambda lines: lines[0].rstrip() == "READY$", "a clear screen")
        with open(path, encoding="ascii") as f:
            # A resize is not ours to undo.
            return re.sub(r"rows \d+; columns \d+;", "", f.read())

    def watch(self, *args, env=""):
        self.shell(f"{env} pcinspect watch " + " ".join(args))
        self.wait(self.painted, "the screen", 90)

    def painted(self, lines):
        return lines[0].startswith("pcinspect ") and lines[-1].startswith(" q quit"[1:])

    def resize(self, cols, rows):
        self.cols, self.rows = cols, rows
        tmux("resize-window", "-t", "t", "-x", str(cols), "-y", str(rows))
        self.wait(self.painted, f"{cols}x{rows}")

    def clean(self, name):
        """No garbage: one title, one line of keys, nothing that wrapped."""
        lines = self.wait(self.painted, name)
        bad = [c for line in lines for c in line if not c.isprintable()]
        ok(f"{name}: no control characters", not bad, bad[:10])
        ok(f"{name}: nothing wider than the terminal",
           all(width(line) <= self.cols for line in lines))
        ok(f"{name}: title and keys where they belong", self.painted(lines) and
           not any(line.startswith("pcinspect ") for line in lines[1:]) and
           not any("q quit" in line for line in lines[:-1]), "\n" + "\n".join(lines))

    def pid(self):
        return int(run("pgrep", "-n", "-x", "pcinspect").split()[0])

    def sane(self, name):
        """After the end: shell, modes, cursor and screen are as before."""
        self.wait("READY$", f"{name}: the shell", 60)
        flags = tmux("display-message", "-p", "-t", "t",
                     "#{alternate_on} #{cursor_flag} #{keypad_flag} "
                     "#{keypad_cursor_flag} #{insert_flag}").split()
        equal(f"{name}: main screen, cursor shown, keypad as before", flags,
              ["0", "1", "0", "0", "0"])
        equal(f"{name}: stty as before", self.stty(), self.before)

    def quit(self, name):
        self.keys("q")
        self.sane(name)
