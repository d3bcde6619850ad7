"""Checks on Linux that the package can be built for iOS 15 with Swift 5.9. Run it as `python3 Tests/tools/ios_floor`.

Three checks, the first two on the sources of the library targets that Apple's platforms get, the last on all sources:
  availability  nothing newer than the floor is used; the compiler's own checker says so (availability.py)
  denied        nothing that Linux has and iOS lacks is used (denied.py)
  syntax        nothing that a Swift 5.9 compiler cannot read is written (syntax.py)

Exit status: 0 nothing found, 1 findings, 2 something could not be checked.
"""

import argparse
import pathlib
import sys

import availability
import denied
import syntax
from package import Package

FLOOR = "15.0"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--package", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--target", action="append", help="only this target; may be repeated")
    options = parser.parse_args()
    package = Package(options.package.resolve())
    names = options.target or package.apple_libraries()
    findings, unchecked = availability.check(package, names, FLOOR)
    for name in names:
        for file in package.sources(name):
            text = file.read_text(encoding="utf-8")
            shown = file.relative_to(package.root)
            findings += [f"{shown}:{line}: {what}" for line, what in denied.check(text)]
    for file in package.everything():
        shown = file.relative_to(package.root)
        findings += [f"{shown}:{line}: {what}" for line, what in syntax.check(file.read_text(encoding="utf-8"))]
    for finding in findings:
        print(finding)
    for line in unchecked:
        print("NOT CHECKED:", line)
    print(f"ios_floor: iOS {FLOOR}, Swift 5.9: {len(findings)} finding(s) in {len(names)} target(s)", file=sys.stderr)
    return 2 if unchecked else 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
