#!/usr/bin/env python3
"""openmetrics.py - is a text what OpenMetrics 1.0 calls valid, and what readers of the older
text format take as well?

usage: openmetrics.py <TEXT     prints what is wrong, ends with 1 then

Why: the tests need no parser from elsewhere. Held: one family in one place, with TYPE before
its samples; UNIT a base unit and the end of the name; HELP of each; counters, and they alone,
in _total, and not negative; labels well-formed, of one family none twice; numbers that are
numbers (NaN would be drawn); no timestamps; UTF-8; "# EOF" and nothing behind it. May touch:
nothing.
"""
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^\\"\n]|\\["\\n])*)"(,|$)')
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)")
NUMBER = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d+)?")
PLAIN = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


class Wrong(Exception):
    """A line that is not valid."""


def labels(text):
    found, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        if not match or match[1] in found:
            raise Wrong("labels")
        found[match[1]] = re.sub(r'\\[n"\\]', lambda m: PLAIN[m[0]], match[2])
        at = match.end()
        if match[3] and at == len(text):
            raise Wrong("a comma at the end")
    return found


def parse(text):
    """The families by name: type, unit, help and a list of (labels, number)."""
    families, now = {}, None
    lines = text.split("\n")
    if lines[-2:] != ["# EOF", ""]:
        raise Wrong("does not end with # EOF")
    for number, line in enumerate(lines[:-2], 1):
        try:
            now = take(line, families, now)
        except Wrong as e:
            raise Wrong(f"line {number}: {e}: {line}") from e
    for name, family in families.items():
        if not family["samples"] or not family["help"]:
            raise Wrong(f"{name}: nothing in it, or no HELP")
        if family["unit"] is not None and (family["unit"] not in ("bytes", "seconds", "ratio") or
                                           not name.endswith("_" + family["unit"])):
            raise Wrong(f"{name}: unit {family['unit']}")
        for odd in "pages", "ms", "ns", "kb":
            if name.endswith("_" + odd):
                raise Wrong(f"{name}: no base unit")
    return families


def take(line, families, now):
    meta = re.fullmatch(rf"# (TYPE|UNIT|HELP) ({NAME}) (.*)", line)
    if meta:
        what, name, rest = meta.groups()
        if what == "TYPE":
            if name in families or rest not in ("gauge", "counter"):
                raise Wrong("a family again, or of no type that all readers know")
            if name.endswith(("_total", "_info", "_created", "_bucket", "_count", "_sum")):
                raise Wrong("a name that means something else")
            families[name] = {"type": rest, "unit": None, "help": None, "samples": []}
            return name
        key = what.lower()
        if name != now or families[name][key] is not None or families[name]["samples"]:
            raise Wrong("not where it belongs")
        families[name][key] = rest
        return now
    match = SAMPLE.fullmatch(line)
    if not match or now is None:
        raise Wrong("neither a sample nor words about one")
    family = families[now]
    if match[1] != now + ("_total" if family["type"] == "counter" else ""):
        raise Wrong("a sample of another family")
    if not NUMBER.fullmatch(match[3]):
        raise Wrong("no number")
    if family["type"] == "counter" and match[3].startswith("-"):
        raise Wrong("a counter below 0")
    found = labels(match[2]) if match[2] is not None else {}
    if any(found == other for other, _ in family["samples"]):
        raise Wrong("the same labels again")
    family["samples"].append((found, float(match[3])))
    return now


def main():
    try:
        families = parse(sys.stdin.buffer.read().decode())
    except (Wrong, UnicodeDecodeError) as e:
        print(f"not ok - OpenMetrics # {e}")
        sys.exit(1)
    print(f"ok - OpenMetrics: {len(families)} families, "
          f"{sum(len(f['samples']) for f in families.values())} samples")


if __name__ == "__main__":
    main()
