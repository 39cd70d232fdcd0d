#!/usr/bin/env python3
"""blocks.py - put what commands printed into a page.

usage: blocks.py DIR PAGE.md

A line "<!-- output NAME [HEAD [TAIL]] -->" is followed by a block that was
DIR/NAME.txt: all of it, or its first HEAD and last TAIL lines with … between.
Longer lines than 118 characters are cut, with … as well; sentences are wrapped; the
guest's folder for results is left out.
"""
import re
import sys
import textwrap

MARK = re.compile(r"(<!-- output (\S+)(?: (\d+))?(?: (\d+))? -->\n)```\n.*?^```\n",
                  re.DOTALL | re.MULTILINE)


def block(match):
    mark, name, head, tail = match.groups()
    with open(f"{sys.argv[1]}/{name}.txt", encoding="utf-8") as f:
        lines = [line.rstrip().replace("/share/out/", "")
                 for line in f.read().rstrip("\n").split("\n")]
    if head and int(head) + int(tail or 0) < len(lines):
        lines = lines[:int(head)] + ["…"] + lines[len(lines) - int(tail or 0):]
    if "explain" in name:
        lines = [part for line in lines for part in
                 textwrap.wrap(line, 100, subsequent_indent="  ") or [""]]
    lines = [line if len(line) <= 118 else line[:117] + "…" for line in lines]
    return mark + "```\n" + "\n".join(lines) + "\n```\n"


def main():
    with open(sys.argv[2], encoding="utf-8") as f:
        page = f.read()
    page, count = MARK.subn(block, page)
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write(page)
    print(f"{count} blocks")


main()
