"""manpages.py - the examples in man pages: commands, and what they printed.

Why: what a page shows was printed by the program, in one guest (tests/cases/examples.py),
and a check of the sources can read the commands. In a page:

    .EX
    .\\" example [HEAD [TAIL]]
    # COMMAND
    what it printed: all, or the first HEAD and last TAIL lines
    .\\" end
    .EE

Lines that begin with "# " (what was printed: with "\\&# ") are run in order, in all pages
one after the other; each keeps its output below it. '.\\" before COMMAND' in front of an
example is run and not shown. May touch: nothing; pure.
"""
import re
import textwrap

WIDTH = 72  # what is left of 80 columns in a page
# In this order: later pages use files of earlier ones.
ORDER = ["pcinspect.1", "pcinspect-status.1", "pcinspect-stat.1", "pcinspect-top.1",
         "pcinspect-run.1", "pcinspect-cgroup.1", "pcinspect-machine.1", "pcinspect-next.1",
         "pcinspect-track.1", "pcinspect-reset.1", "pcinspect-untrack.1",
         "pcinspect-reads.1", "pcinspect-readahead.1", "pcinspect-dirty.1", "pcinspect-fsync.1",
         "pcinspect-explain.1", "pcinspect-watch.1", "pcinspect-record.1",
         "pcinspect-report.1", "pcinspect.5", "pcinspect-report.5", "pcinspect-try.1",
         "pcinspect-diff.1", "pcinspect-export.1", "pcinspect-assert.1",
         "pcinspect-why.1", "pcinspect-save.1", "pcinspect-restore.1",
         "pcinspect-selftest.1"]

EXAMPLE = re.compile(r'^((?:\.\\" before [^\n]*\n)*)(\.\\" example(?: (\d+))?(?: (\d+))?\n)(.*?)^\.\\" end\n',
                     re.DOTALL | re.MULTILINE)
ROFF = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "~": "\\(ti", "^": "\\(ha"}
PLAIN = {roff: plain for plain, roff in ROFF.items()}


def to_roff(line):
    text = "".join(ROFF.get(c, c) for c in line)
    return "\\&" + text if text.startswith((".", "# ")) else text


def from_roff(line):
    return re.sub(r"\\(?:e|-|\((?:aq|ga|ti|ha)|&|f[BPRI])",
                  lambda m: PLAIN.get(m[0], ""), line)


class Example:
    """One block of a page."""

    def __init__(self, match):
        before, self.mark, head, tail, text = match.groups()
        self.before = [line[len('.\\" before '):] for line in before.splitlines()]
        self.head, self.tail = (int(n) if n else None for n in (head, tail))
        self.commands, self.outputs = [], []
        for roff in text.splitlines():
            line = from_roff(roff)
            # Output is never bold, and begins with "\&#".
            if line.startswith("# ") and not roff.startswith("\\&"):
                self.commands.append(line[2:])
                self.outputs.append([])
            elif self.outputs:
                self.outputs[-1].append(line)

    def render(self, outputs):
        """The block again, with what the commands printed now."""
        text = []
        for command, output in zip(self.commands, outputs):
            text.append("\\fB# " + to_roff(command) + "\\fP")
            text += [to_roff(line) for line in shown(output, self.head, self.tail)]
        return ("".join(f'.\\" before {line}\n' for line in self.before) + self.mark +
                "\n".join(text) + '\n.\\" end\n')


def shown(output, head, tail, width=WIDTH):
    """The part of an output that a page shows."""
    lines = []
    for line in output.expandtabs().rstrip("\n").split("\n") if output.strip() else []:
        line = line.rstrip()
        # Sentences go on below; what is in columns is cut.
        if len(line) > width and re.match(r" *\S+( \S+){7}", line) and "  " not in line.strip():
            lines += textwrap.wrap(line, width, subsequent_indent="  ",
                                   break_long_words=False, break_on_hyphens=False)
        else:
            lines.append(line if len(line) <= width else line[:width - 1] + "…")
    if head is not None and head + (tail or 0) < len(lines):
        lines = lines[:head] + ["…"] + lines[len(lines) - (tail or 0):]
    return lines


def examples(page):
    """The examples of a page, given its text."""
    return [Example(m) for m in EXAMPLE.finditer(page)]


def replaced(page, outputs):
    """The page with other outputs: for each example a list."""
    outputs = iter(outputs)
    return EXAMPLE.sub(lambda m: Example(m).render(next(outputs)), page)


def shape(lines):
    """The parts of an output that are the same in each run: headings of tables, keys."""
    found = set()
    for line in lines:
        words = line.rstrip("…").split()
        if len(words) > 2 and all(re.fullmatch(r"[A-Z][A-Z0-9_%]+", w) for w in words[:3]):
            found.add(" ".join(words[:3]))
        key = re.match(r"([a-z][a-z_ ]*): ", line)
        if key:
            found.add(key[1] + ":")
    return found
