"""dashboard.py - what of a dashboard Grafana's own types do not know.

usage: dashboard.py FILE. With the package grafana-foundation-sdk, which is made from Grafana's
schemas: the dashboard is read into its types and written again. Prints each key or value that
is not the same afterwards; nothing if all is. May touch: nothing.
"""
import json
import sys
from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import dashboard


def lost(mine, theirs, where):
    """Where they differ."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key, value in mine.items():
            if key in theirs:
                yield from lost(value, theirs[key], f"{where}.{key}")
            else:
                yield f"{where}.{key}"
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        for i, value in enumerate(mine):
            yield from lost(value, theirs[i], f"{where}[{i}]")
    elif mine != theirs:
        yield where


def main():
    plugins.register_default_plugins()
    with open(sys.argv[1], encoding="utf-8") as f:
        mine = json.load(f)
    theirs = json.loads(JSONEncoder().encode(dashboard.Dashboard.from_json(mine)))
    print("\n".join(lost(mine, theirs, "")), end="")


main()
