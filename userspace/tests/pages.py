#!/usr/bin/env python3
"""pages.py - the page that report --html writes says what --json says, in a real browser.

Chromium (Debian's, headless) loads the page of some recordings; the numbers are read from
the document that it made of it. Sums of charts are held against the events that
`report --view events` prints.

usage: pages.py PCINSPECT. May touch: a directory of its own below /tmp.
"""
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

RECORDINGS = os.path.join(os.path.dirname(os.path.realpath(__file__)),
                          "../../tests/fixtures/recordings")
# Of mappings, reclaim, dirty data, fsync, and with many files.
SHOWN = ("story1-6.12", "sqlite-scans-6.12", "throttled-6.12", "overdue-6.12", "tar-6.12")
BROWSER = ("chromium-headless-shell", "--headless", "--no-sandbox", "--disable-gpu",
           "--virtual-time-budget=10000", "--dump-dom")
MOST_BYTES = 2 << 20


class Page(html.parser.HTMLParser):
    """Tables, by id: rows of cells by key. Charts, by id: pages by name."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.charts, self.verdicts = {}, {}, []
        self.tags, self.keys, self.row = set(), [], []
        self.table = self.chart = self.cell = self.name = self.pages = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.tags |= {tag, *(k for k in a if k in ("src", "href") or k.startswith("on"))}
        if tag == "table":
            self.table, self.keys = self.tables.setdefault(a["id"], []), []
        elif tag == "th":
            self.keys.append(a.get("data-key", "path"))
        elif tag == "tr":
            self.row = []
        elif tag == "td":
            self.cell = ["", a.get("data-n")]
        elif tag == "figure":
            self.chart = self.charts.setdefault(a["id"], Counter())
        elif tag == "li":
            self.name = ""
        elif tag == "b" and self.name is not None:
            self.pages = int(a["data-pages"])
        if "data-verdict" in a:
            self.verdicts.append(a["data-verdict"])

    def handle_data(self, data):
        if self.cell is not None:
            self.cell[0] += data
        elif self.name is not None and self.pages is None:
            self.name += data

    def handle_endtag(self, tag):
        if tag == "td":
            text, number = self.cell[0].strip(), self.cell[1]
            if number is None and re.fullmatch(r"-?\d+", text):
                number = text
            self.row.append(text if number is None else json.loads(number))
            self.cell = None
        elif tag == "tr" and self.row:
            self.table.append(dict(zip(self.keys, self.row)))
        elif tag == "li":
            if self.pages is not None:
                self.chart[self.name.strip()] += self.pages
            self.name = self.pages = None


def at(value, key):
    """What JSON has below a key like a.b[0].c; "?" if that is unknown."""
    for part in re.findall(r"[^][.]+", key):
        if value is not None:
            value = value[int(part) if part.isdigit() else part]
    return "?" if value is None else value


def of_events(program, dat):
    """The values that the charts have to show."""
    sums = defaultdict(Counter)
    out = subprocess.run([program, "report", "--view", "events", dat], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    for line in out.splitlines():
        name = re.search(r" \w+:(\w+) ", line)[1]
        value = dict(re.findall(r"(\w+)=(\S+)", line))
        if name in ("mm_filemap_add_to_page_cache", "mm_filemap_delete_from_page_cache"):
            sums["moved"]["inserted" if "add" in name else "removed"] += \
                1 << int(value.get("order", 0))
        elif name == "pcinspect_ra_window":
            sums["causes"][value["cause"]] += int(value["inserted"])
        elif name == "pcinspect_evicted":
            sums["removals"][value["cause"]] += int(value["pages"])
        elif name == "pcinspect_dirty_aged":
            sums["ages"]["all"] += int(value["pages"])
    return {key: +value for key, value in sums.items() if +value}


def differences(page, report, events):
    """(what, in the page, as it should be) where these are not the same."""
    yield "scripts, or something from elsewhere", page.tags & {
        "script", "src", "href", "iframe", "object"}, set()
    yield "verdicts", page.verdicts, [v["verdict"] for v in report["verdicts"]]
    for name, rows in page.tables.items():
        if name.startswith("files-"):
            want = report["files"]
        else:
            want = report[name] if name != "lost" else [report["lost"]]
        yield f"rows of {name}", len(rows), len(want)
        for row, whole in zip(rows, want):
            for key, value in row.items():
                yield f"{name}: {key}", value, at(whole, key)
    yield "tables", {"files-pages", "audit", "lost"} - set(page.tables), set()
    for name in ("moved", "causes", "removals"):
        yield f"chart of {name}", dict(+page.charts[name]), dict(events.get(name, {}))
    yield "chart of ages", sum(page.charts["ages"].values()), events.get("ages", {}).get("all", 0)
    cached = {f["path"]: f["pages"]["cached"] for f in report["files"] if f["pages"]}
    for path, pages in page.charts["cached"].items():
        if path in cached:
            yield f"cached at the end: {path}", pages, cached[path]


def main():
    program, bad, numbers = sys.argv[1], 0, 0
    with tempfile.TemporaryDirectory(prefix="pcinspect-pages.") as where:
        for name in SHOWN:
            dat, path = f"{RECORDINGS}/{name}.dat", f"{where}/{name}.html"
            p = subprocess.run([program, "report", "--json", "--html", path, dat], check=True,
                               stdout=subprocess.PIPE)
            dom = subprocess.run([*BROWSER, f"file://{path}"], check=True, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            found = list(differences(Page(dom), json.loads(p.stdout), of_events(program, dat)))
            found.append(("bytes", os.path.getsize(path) <= MOST_BYTES, True))
            numbers += len(found)
            for what, have, want in found:
                if have != want:
                    bad += 1
                    print(f"not ok - page of {name}: {what}: {have} instead of {want}")
    print(f"{'not ok' if bad else 'ok'} - pages: {numbers} numbers of {len(SHOWN)} recordings "
          "are the same in a browser and in JSON")
    return bad > 0


sys.exit(main())
