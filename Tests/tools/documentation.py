#!/usr/bin/env python3
"""Checks that every public symbol of the library products is documented, and builds the documentation with docc.

Reads what the last two builds of Tests/run left: .build, and .build/stand-ins for Apple's adapters. A warning of docc,
such as a link that leads nowhere or a parameter that is not the function's, is an error. The archive is left in
.build/documentation/Holdfast.doccarchive; look at it with `docc preview` or serve it as files.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

OUTPUT = pathlib.Path(".build/documentation")
CATALOG = pathlib.Path("Sources/Holdfast/Holdfast.docc")
BUILDS = {".build": {}, ".build/stand-ins": {"HOLDFAST_STAND_INS": "1"}}


def run(*command, **environment):
    """What the command prints; it must succeed."""
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                            env={**os.environ, **environment})
    if result.returncode != 0:
        print(result.stdout, end="")
        raise SystemExit(f"documentation: {' '.join(map(str, command[:3]))} failed")
    return result.stdout


def library_modules(environment):
    """The modules of the library products of the manifest in this environment; Apple documents its own."""
    manifest = json.loads(run("swift", "package", "dump-package", **environment))
    fixtures = {target["name"] for target in manifest["targets"] if (target.get("path") or "").startswith("Fixtures/")}
    return sorted({target for product in manifest["products"] if "library" in product["type"]
                   for target in product["targets"]} - fixtures)


def extract(build, modules, folder):
    """Writes the symbol graphs of these modules of a build."""
    folder.mkdir(parents=True)
    triple = json.loads(run("swiftc", "-print-target-info"))["target"]["unversionedTriple"]
    maps = [f"-fmodule-map-file={file}" for file in sorted(pathlib.Path("Adapters").glob("C*/module.modulemap"))]
    for module in modules:
        run("swift", "symbolgraph-extract", "-module-name", module, "-I", f"{build}/debug/Modules", "-target", triple,
            *(word for option in maps for word in ("-Xcc", option)), "-minimum-access-level", "public",
            "-output-dir", folder)


def undocumented(graph):
    """Where there is a public symbol without a comment, and how many have one.

    What the compiler makes has no place in a source; what implements a documented requirement has its comment.
    """
    without, count = [], 0
    for symbol in graph["symbols"]:
        if "location" not in symbol or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
            continue
        comment = symbol.get("docComment", {"lines": []})["lines"]
        if any(line["text"].strip() for line in comment):
            count += 1
        else:
            file = re.sub(r".*/(?=(?:Sources|Adapters)/)|^file://", "", symbol["location"]["uri"])
            line = symbol["location"]["position"]["line"] + 1
            without.append(f"{file}:{line}: {'.'.join(symbol['pathComponents'])} has no comment")
    return without, count


def convert(catalog, graphs, archive):
    """Builds an archive; a warning stops it."""
    run("docc", "convert", catalog, "--additional-symbol-graph-dir", graphs, "--output-dir", archive,
        "--fallback-display-name", "Holdfast", "--fallback-bundle-identifier", "org.example.Holdfast",
        "--warnings-as-errors")


def main():
    shutil.rmtree(OUTPUT, ignore_errors=True)
    findings, total, seen = set(), 0, {}
    for build, environment in BUILDS.items():
        modules = library_modules(environment)
        folder = OUTPUT / "symbols" / pathlib.Path(build).name
        extract(build, modules, folder)
        seen |= {module: folder for module in modules}  # of a module in both, the one that has Apple's part too
        for file in sorted(folder.iterdir()):
            without, count = undocumented(json.loads(file.read_text(encoding="utf-8")))
            findings.update(without)
            total += count
    print("\n".join(sorted(findings)) or f"documentation: {total} public symbols of {len(seen)} modules have comments")
    if total == 0 or findings:
        return 1
    graphs = OUTPUT / "graphs"
    graphs.mkdir()
    for module, folder in seen.items():
        for file in folder.glob(f"{module}[.@]*symbols.json"):
            shutil.copy(file, graphs)
    convert(CATALOG, graphs, OUTPUT / "Holdfast.doccarchive")
    print(f"documentation: built from {CATALOG} without a warning")
    return 0


if __name__ == "__main__":
    sys.exit(main())
