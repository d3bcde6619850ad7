#!/usr/bin/env python3
"""Checks the dependencies between the modules: each target imports only what the table allows.

The compiler's --explicit-target-dependency-import-check finds imports that the manifest does not declare; this finds
the ones that the manifest should not have declared.
"""

import pathlib
import re
import sys

DOMAIN, PLATFORM = {"HoldfastDomain"}, {"Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Musl", "Darwin"}
ADAPTERS = {f"Holdfast{name}" for name in ("InMemory", "SQLite", "OpenSSL", "Curl", "Zlib", "Linux", "Apple")}
APPLE = {"CryptoKit", "Security", "Network", "BackgroundTasks", "AVFoundation", "CoreImage", "UIKit", "os",
         "AppleFoundation", "FoundationNetworking"}

ALLOWED = {
    "Sources/HoldfastDomain": set(),
    "Sources/HoldfastConformance": DOMAIN,
    "Sources/Holdfast": DOMAIN | PLATFORM,
    "Sources/HoldfastKit": DOMAIN | PLATFORM | {"Holdfast", "UIKit"} | (ADAPTERS - {"HoldfastInMemory"}),
    "Sources/HoldfastCLI": DOMAIN | PLATFORM | {"Holdfast", "HoldfastKit"},
    "Adapters/HoldfastInMemory": DOMAIN | PLATFORM,
    "Adapters/HoldfastSQLite": DOMAIN | PLATFORM | {"CHoldfastSQLite"},
    "Adapters/HoldfastOpenSSL": DOMAIN | PLATFORM | {"CHoldfastOpenSSL"},
    "Adapters/HoldfastCurl": DOMAIN | PLATFORM | {"CHoldfastCurl"},
    "Adapters/HoldfastZlib": DOMAIN | PLATFORM | {"CHoldfastZlib"},
    "Adapters/HoldfastLinux": DOMAIN | PLATFORM | {"CHoldfastLinux"},
    "Adapters/HoldfastApple": DOMAIN | PLATFORM | APPLE,
}
IMPORT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+|public\s+|internal\s+|package\s+|private\s+|fileprivate\s+)*"
                    r"import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func|actor)\s+)?(\w+)")


def imports(text):
    """The line number and module of each import."""
    for number, line in enumerate(text.splitlines(), 1):
        found = IMPORT.match(line)
        if found:
            yield number, found.group(1)


def check(root):
    """What is wrong, one sentence each."""
    for folder in sorted([*root.glob("Sources/*"), *root.glob("Adapters/*")]):
        name = folder.relative_to(root).as_posix()
        files = sorted(folder.rglob("*.swift"))
        if files and name not in ALLOWED:
            yield f"{name}: not in the table of {pathlib.Path(__file__).name}"
            continue
        for file in files:
            for number, module in imports(file.read_text(encoding="utf-8")):
                if module not in ALLOWED[name]:
                    yield f"{file.relative_to(root)}:{number}: {name} must not import {module}"


if __name__ == "__main__":
    findings = list(check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(findings) or "check_imports: every dependency is allowed")
    sys.exit(1 if findings else 0)
