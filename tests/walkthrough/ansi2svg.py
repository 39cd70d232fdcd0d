#!/usr/bin/env python3
"""ansi2svg.py - a captured screen (tmux capture-pane -p -e) as a small SVG.

usage: ansi2svg.py [--columns N] [--rows N] [--title TEXT] <CAPTURE >OUT.svg

Each run of one look is a <text> placed by its column and stretched to the cells
it has, so that columns align with whatever monospace font there is; a character
of two cells is a run of its own.
"""
import argparse
import itertools
import re
import sys
import unicodedata
from html import escape

W, H, SIZE, PAD = 8, 17, 13, 10
GROUND, INK = "#16181d", "#d3d7dc"
BASIC = ("#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2",
         "#c8ccd4", "#6b727d", "#ff7b86", "#b5e890", "#ffd68a", "#82c4ff", "#e29af5",
         "#74d7e4", "#ffffff")
SGR = re.compile(r"\x1b\[([0-9;:]*)m")
OTHER = re.compile(r"\x1b\[[0-9;?]*[A-LN-Za-ln-z]|\x1b[()][A-Z0-9]|[\x00-\x08\x0b-\x1a]")


def colour(n):
    """One of the 256."""
    if n < 16:
        return BASIC[n]
    if n >= 232:
        return "#" + f"{8 + (n - 232) * 10:02x}" * 3
    n -= 16
    return "#" + "".join(f"{55 + 40 * v if v else 0:02x}"
                         for v in (n // 36, n // 6 % 6, n % 6))


class Look:
    """The attributes that the escape sequences so far have set."""

    def __init__(self):
        self.fg = self.bg = None
        self.on = set()

    def sgr(self, codes):
        codes = iter(codes)
        for c in codes:
            if c == 0:
                self.__init__()
            elif c in (1, 2, 3, 4, 7):
                self.on.add(c)
            elif c == 22:
                self.on -= {1, 2}
            elif c in (23, 24, 27):
                self.on.discard(c - 20)
            elif c in (38, 48):
                if next(codes, None) == 5:
                    value = colour(next(codes, 7))
                else:
                    value = "#%02x%02x%02x" % tuple(itertools.islice(codes, 3))
                self.fg, self.bg = (value, self.bg) if c == 38 else (self.fg, value)
            elif c in (39, 49):
                self.fg, self.bg = (None, self.bg) if c == 39 else (self.fg, None)
            elif 30 <= c <= 37 or 90 <= c <= 97:
                self.fg = BASIC[c - 30 if c < 40 else c - 82]
            elif 40 <= c <= 47 or 100 <= c <= 107:
                self.bg = BASIC[c - 40 if c < 50 else c - 92]

    def now(self):
        fg, bg = self.fg or INK, self.bg
        if 7 in self.on:
            fg, bg = bg or GROUND, fg
        return fg, bg, frozenset(self.on & {1, 2, 3, 4})


def cells(line, look):
    """(character, cells it takes, look) of a line; look goes on to the next."""
    out = []
    for i, part in enumerate(SGR.split(line)):
        if i % 2:
            look.sgr(int(c or 0) for c in re.split("[;:]", part))
            continue
        for c in OTHER.sub("", part):
            if unicodedata.combining(c) and out:
                out[-1] = (out[-1][0] + c, *out[-1][1:])
            else:
                wide = unicodedata.east_asian_width(c) in "WF"
                out.append((c, 2 if wide else 1, look.now()))
    return out


def runs(row):
    """(column, text, cells, look): neighbours of one look together."""
    column, out = 0, []
    for c, n, look in row:
        last = out[-1] if out else None
        if last and n == 1 and last[3] == look and last[2] == len(last[1]):
            out[-1] = (last[0], last[1] + c, last[2] + 1, look)
        else:
            out.append((column, c, n, look))
        column += n
    return out


def draw(y, run):
    column, text, n, (fg, bg, on) = run
    x = PAD + column * W
    if bg:
        yield f'<rect x="{x}" y="{PAD + y * H}" width="{n * W}" height="{H}" fill="{bg}"/>'
    # Words apart by more than a space are placed each by itself: renderers differ
    # in what they make of many spaces.
    for part in re.finditer(r"\S+(?: \S+)*", text):
        at = x + part.start() * W
        here = sum(not unicodedata.combining(c) for c in part.group())
        wide = (n if n == 2 and here == 1 and text[0] == part.group()[0] else here) * W
        more = "".join(words for k, words in
                       ((1, ' font-weight="bold"'), (2, ' opacity=".6"'),
                        (3, ' font-style="italic"'), (4, ' text-decoration="underline"'))
                       if k in on)
        fill = f' fill="{fg}"' if fg != INK else ""
        yield (f'<text x="{at}" y="{PAD + y * H + SIZE}" textLength="{wide}"'
               f'{fill}{more}>{escape(part.group(), quote=False)}</text>')


def main():
    args = argparse.ArgumentParser(usage=__doc__)
    args.add_argument("--columns", type=int, default=0)
    args.add_argument("--rows", type=int, default=0)
    args.add_argument("--title", default="a terminal")
    args = args.parse_args()
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.reconfigure(encoding="utf-8")
    look = Look()
    rows = [cells(line, look) for line in sys.stdin.read().rstrip("\n").split("\n")]
    columns = max([args.columns] + [sum(n for _, n, _ in row) for row in rows])
    width, height = columns * W + 2 * PAD, max(args.rows, len(rows)) * H + 2 * PAD
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
          f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans Mono, Menlo, Consolas, '
          f'monospace" font-size="{SIZE}" fill="{INK}">')
    print(f"<title>{escape(args.title)}</title>")
    print(f'<rect width="100%" height="100%" rx="6" fill="{GROUND}"/>')
    for y, row in enumerate(rows):
        for run in runs(row):
            for element in draw(y, run):
                print(element)
    print("</svg>")


main()
