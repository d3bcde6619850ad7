#!/usr/bin/env python3
"""Prints the line coverage of each module from the file that `swift test --show-codecov-path` names, and fails where a
module is below what it must have."""

import json
import os
import sys

REQUIRED = {"Sources/HoldfastDomain": 90, "Adapters/HoldfastSQLite": 90, "Adapters/HoldfastOpenSSL": 90}


def by_module(report, root):
    """Covered and counted lines of each folder under Sources and Adapters."""
    modules = {}
    for file in report["data"][0]["files"]:
        parts = os.path.relpath(file["filename"], root).split(os.sep)
        if parts[0] in ("Sources", "Adapters") and len(parts) > 2:
            lines = file["summary"]["lines"]
            covered, count = modules.get("/".join(parts[:2]), (0, 0))
            modules["/".join(parts[:2])] = (covered + lines["covered"], count + lines["count"])
    return modules


def judge(modules):
    """The table's lines and the names of modules that fall short."""
    table, short = [], []
    for name in sorted(set(modules) | set(REQUIRED)):
        covered, count = modules.get(name, (0, 0))
        percent = 100 * covered / count if count else 0
        required = REQUIRED.get(name)
        if required and percent < required:
            short.append(name)
        table.append(f"{name:28} {covered:6} of {count:6} lines {percent:6.1f} %"
                     + (f"  (at least {required} %)" if required else ""))
    return table, short


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as source:
        table, short = judge(by_module(json.load(source), os.getcwd()))
    print("\n".join(table))
    if short:
        sys.exit("coverage: too low: " + ", ".join(short))
