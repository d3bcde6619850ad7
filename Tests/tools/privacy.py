#!/usr/bin/env python3
"""Checks PrivacyInfo.xcprivacy: that it says what the package does, and is shipped with what an app links.

An app that uses an API of Apple's list without a declared reason is refused by the store. The list of categories, names
and reasons is Apple's "Describing use of required reason API" (as of 2026). Looked at is what Apple's platforms build;
what libsqlite3 and libz call in the system's own binaries is not the package's.
"""

import pathlib
import plistlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "ios_floor"))
from package import Package
from swift_text import code_only, on_ios

NAME = "PrivacyInfo.xcprivacy"
APP_PRODUCTS = {"Holdfast", "HoldfastKit", "HoldfastApple"}  # the others are values alone, or for tests
BOTH = r"(?:f?getattrlist|getattrlistat)\s*\("  # in two categories of the list
CATEGORIES = {  # names, and the reasons that an SDK or app may give
    "FileTimestamp": (r"\b(?:NSFile)?(?:[cC]reation|[mM]odification|fileModification|contentModification)Date(?:Key)?\b"
                      rf"|\b(?:[lf]?stat|fstatat|getattrlistbulk)\s*\(|\b{BOTH}",
                      {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"}),
    "SystemBootTime": (r"\bsystemUptime\b|\bmach_absolute_time\b", {"35F9.1", "8FFB.1", "3D61.1"}),
    "DiskSpace": (r"\bvolume(?:Available|Total)Capacity\w*|\b(?:systemFree|system|NSFileSystem(?:Free)?)Size\b"
                  rf"|\bf?statv?fs\s*\(|\b{BOTH}", {"85F4.1", "E174.1", "7D9E.1", "B728.1"}),
    "ActiveKeyboards": (r"\bactiveInputModes\b", {"3EC4.1", "54BD.1"}),
    "UserDefaults": (r"\b(?:NS)?UserDefaults\b|@AppStorage\b", {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"}),
}


def uses(text):
    """The line, category and name of each API of the list that this source uses where it is built for iOS."""
    code = on_ios(code_only(text))
    return sorted((code.count("\n", 0, match.start()) + 1, category, match.group().rstrip(" ("))
                  for category, (names, _) in CATEGORIES.items() for match in re.finditer(names, code))


def declared(content):
    """The categories that a manifest declares, and what is wrong with it. The package tracks nobody, and what telemetry
    carries is collected by the app that calls it, so the app's own manifest says so."""
    manifest = plistlib.loads(content)
    wrong = [f"{key} must be {value!r}" for key, value in (
        ("NSPrivacyTracking", False), ("NSPrivacyTrackingDomains", []), ("NSPrivacyCollectedDataTypes", []),
    ) if manifest.get(key) != value]
    categories = set()
    for entry in manifest.get("NSPrivacyAccessedAPITypes", []):
        category = entry.get("NSPrivacyAccessedAPIType", "").removeprefix("NSPrivacyAccessedAPICategory")
        reasons = set(entry.get("NSPrivacyAccessedAPITypeReasons", []))
        if category not in CATEGORIES or not reasons or reasons - CATEGORIES[category][1]:
            wrong.append(f"no such category with such reasons: {category} {sorted(reasons)}")
        categories.add(category)
    return categories, wrong


def judge(manifests, sources):
    """What is wrong, one sentence each, with these manifests and sources, given by name."""
    used = {}
    for name, text in sources.items():
        for line, category, word in uses(text):
            used.setdefault(category, f"{name}:{line}: {word}")
    findings = []
    for name, content in manifests.items():
        categories, wrong = declared(content)
        findings += [f"{name}: {what}" for what in wrong]
        findings += [f"{where} is used, and {name} does not declare {category}"
                     for category, where in sorted(used.items()) if category not in categories]
        findings += [f"{name}: declares {category}, which is not used" for category in sorted(categories - set(used))]
    return findings


def main():
    package = Package(pathlib.Path(".").resolve())
    libraries = package.apple_libraries()
    sources, manifests, findings = {}, {}, []
    for target in package.with_dependencies(libraries):
        folder = package.root / package.targets[target]["path"]
        if target in libraries or not package.is_swift(target):
            files = package.sources(target) if target in libraries else folder.rglob("*.[ch]")
            sources |= {str(file.relative_to(package.root)): file.read_text(encoding="utf-8") for file in files}
        for resource in package.targets[target].get("resources", []):
            if pathlib.Path(resource["path"]).name == NAME:
                manifests[target] = (folder / NAME).read_bytes()
    for product in package.products:
        if product["name"] in APP_PRODUCTS and not manifests.keys() & package.with_dependencies(product["targets"]):
            findings.append(f"the product {product['name']} ships no {NAME}")
    findings += judge(manifests, sources)
    print("\n".join(findings) or f"privacy: {NAME} of {', '.join(manifests)} fits {len(sources)} files")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
