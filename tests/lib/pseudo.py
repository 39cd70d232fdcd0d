"""pseudo.py - a pseudo-terminal with a screen, without tmux: what a program shows on
a terminal of any size, also on a machine that has nothing but Python.

The screen is one of TERM=screen, as far as curses and our own output go; what it
does not know is kept in Emulator.unknown, so that a test can say so. May touch:
the processes it starts.
"""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unicodedata

SEQUENCE = re.compile(r"\x1b(?:\[([?>]?)([\d;]*)([@-~])|\](.*?)(?:\x07|\x1b\\)|[()*+](.)|([#78=>McDEHNOZ]))",
                      re.S)


def width(c):
    if unicodedata.combining(c) or unicodedata.category(c) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


class Emulator:
    """A screen of cells; lines that leave it at the top are kept."""

    def __init__(self, cols, rows):
        self.left, self.unknown, self.titles = [], [], []
        self.wraps = self.bells = 0
        self.alternate = False
        self.cursor_shown = True
        self.main = None
        self.decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self.rest = ""
        self.resize(cols, rows)

    def resize(self, cols, rows):
        self.cols, self.rows = cols, rows
        self.cells = [[" "] * cols for _ in range(rows)]
        self.x = self.y = 0
        self.saved = (0, 0)
        self.top, self.bottom = 0, rows - 1
        self.pending = False

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    def history(self):
        """All that was ever shown, but what was overwritten."""
        return self.left + self.lines()

    def feed(self, data):
        text = self.rest + self.decoder.decode(data)
        at = 0
        while at < len(text):
            c = text[at]
            if c == "\x1b":
                m = SEQUENCE.match(text, at)
                if m:
                    at = m.end()
                    self.escape(m)
                    continue
                if len(text) - at < 64:
                    break
                self.unknown.append(text[at:at + 8])
                at += 1
                continue
            at += 1
            self.put(c)
        self.rest = text[at:]

    def put(self, c):
        if c == "\n":
            self.down()
        elif c == "\r":
            self.x, self.pending = 0, False
        elif c == "\b":
            self.x, self.pending = max(self.x - 1, 0), False
        elif c == "\t":
            self.x = min((self.x // 8 + 1) * 8, self.cols - 1)
        elif c == "\x07":
            self.bells += 1
        elif c in "\x0e\x0f":
            pass
        elif not c.isprintable():
            self.unknown.append(c)
        else:
            self.show(c)

    def show(self, c):
        n = width(c)
        if not n:
            # With the one before.
            x = min(self.x, self.cols) - (0 if self.pending else 1)
            self.cells[self.y][max(min(x, self.cols - 1), 0)] += c
            return
        if self.pending or self.x + n > self.cols:
            self.wraps += 1
            self.x, self.pending = 0, False
            self.down()
        self.cells[self.y][self.x] = c
        for i in range(1, n):
            if self.x + i < self.cols:
                self.cells[self.y][self.x + i] = ""
        self.x += n
        if self.x >= self.cols:
            self.x, self.pending = self.cols - 1, True

    def down(self):
        self.pending = False
        if self.y == self.bottom:
            self.scroll(1)
        elif self.y < self.rows - 1:
            self.y += 1

    def scroll(self, n):
        for _ in range(abs(n)):
            if n > 0:
                gone = self.cells.pop(self.top)
                if not self.top and not self.alternate:
                    self.left.append("".join(gone).rstrip())
                self.cells.insert(self.bottom, [" "] * self.cols)
            else:
                self.cells.pop(self.bottom)
                self.cells.insert(self.top, [" "] * self.cols)

    def erase(self, y, first, last):
        for x in range(max(first, 0), min(last, self.cols)):
            self.cells[y][x] = " "

    def escape(self, m):
        private, args, final, title, _, single = m.groups()
        if title is not None:
            self.titles.append(title)
        elif single == "7":
            self.saved = self.x, self.y
        elif single == "8":
            (self.x, self.y), self.pending = self.saved, False
        elif single == "M":
            if self.y == self.top:
                self.scroll(-1)
            else:
                self.y = max(self.y - 1, 0)
        elif single in ("D", "E"):
            self.down()
        elif single == "c":
            self.resize(self.cols, self.rows)
        elif final:
            self.control(private, [int(a or 0) for a in args.split(";")], final)

    def control(self, private, args, final):
        n = max(args[0], 1)
        if final != "m":
            self.pending = False
        if private == "?":
            self.mode(args, final == "h")
        elif final in "Hf":
            self.y = min(n, self.rows) - 1
            self.x = min(max((args + [1])[1], 1), self.cols) - 1
        elif final in "ABCD":
            self.y = min(max(self.y + {"A": -n, "B": n}.get(final, 0), 0), self.rows - 1)
            self.x = min(max(self.x + {"C": n, "D": -n}.get(final, 0), 0), self.cols - 1)
        elif final == "G":
            self.x = min(n, self.cols) - 1
        elif final == "d":
            self.y = min(n, self.rows) - 1
        elif final == "J":
            for y in range(self.rows):
                if args[0] == 2 or (args[0] == 0 and y > self.y) or (args[0] == 1 and y < self.y):
                    self.erase(y, 0, self.cols)
            if args[0] != 2:
                self.erase(self.y, self.x if args[0] == 0 else 0,
                           self.cols if args[0] == 0 else self.x + 1)
        elif final == "K":
            self.erase(self.y, (self.x, 0, 0)[args[0]], (self.cols, self.x + 1, self.cols)[args[0]])
        elif final in "LM":
            top, self.top = self.top, self.y
            self.scroll(-n if final == "L" else n)
            self.top = top
        elif final == "@":
            row = self.cells[self.y]
            self.cells[self.y] = (row[:self.x] + [" "] * n + row[self.x:])[:self.cols]
        elif final == "P":
            row = self.cells[self.y]
            self.cells[self.y] = (row[:self.x] + row[self.x + n:] + [" "] * n)[:self.cols]
        elif final == "X":
            self.erase(self.y, self.x, self.x + n)
        elif final in "ST":
            self.scroll(n if final == "S" else -n)
        elif final == "r":
            self.top = n - 1
            self.bottom = (args + [0])[1] or self.rows
            self.bottom = min(self.bottom, self.rows) - 1
            self.x = self.y = 0
        elif final not in "mlht":
            self.unknown.append(f"CSI {args} {final}")

    def mode(self, args, on):
        for arg in args:
            if arg == 25:
                self.cursor_shown = on
            elif arg in (47, 1047, 1049) and on != self.alternate:
                self.alternate = on
                if on:
                    self.main = (self.cells, self.x, self.y)
                    self.cells = [[" "] * self.cols for _ in range(self.rows)]
                elif self.main:
                    self.cells, self.x, self.y = self.main


class Pseudo:
    """A program on a terminal of its own."""

    def __init__(self, argv, cols=80, rows=24, env=None):
        self.screen = Emulator(cols, rows)
        self.raw = b""
        self.status = None
        begin, ready = os.pipe()
        self.pid, self.fd = pty.fork()
        if not self.pid:
            # Not before its terminal is as large as it is to be.
            os.read(begin, 1)
            os.environ.update({"TERM": "screen", **(env or {})})
            for name in ("COLUMNS", "LINES"):
                os.environ.pop(name, None)
            try:
                os.execvp(argv[0], argv)
            finally:
                os._exit(127)
        self.size(cols, rows)
        os.write(ready, b"x")
        os.close(begin)
        os.close(ready)

    def size(self, cols, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def resize(self, cols, rows):
        """The screen is blank until it is painted anew."""
        self.screen.resize(cols, rows)
        self.size(cols, rows)

    def take(self, seconds):
        """Read what comes; False at the end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.raw += data
        self.screen.feed(data)
        return bool(data)

    def until(self, good, seconds=60):
        """Until good(lines) holds, or a text is on the screen. Returns whether it does."""
        end = time.monotonic() + seconds
        while True:
            lines = self.screen.lines()
            if good in "\n".join(lines) if isinstance(good, str) else good(lines):
                return True
            if time.monotonic() > end or not self.take(0.1):
                lines = self.screen.lines()
                return good in "\n".join(lines) if isinstance(good, str) else good(lines)

    def type(self, text):
        os.write(self.fd, text.encode())

    def end(self, seconds=60):
        """Until it ends by itself, or is killed for not doing so. Returns its status."""
        end = time.monotonic() + seconds
        while self.take(0.2):
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.fd)
        return self.status


def shown(argv, cols=80, rows=24, env=None, seconds=60):
    """The screen, and status, of a program that ends on a terminal."""
    program = Pseudo(argv, cols, rows, env)
    status = program.end(seconds)
    return program.screen, status
