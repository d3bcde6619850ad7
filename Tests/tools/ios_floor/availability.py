"""Has the compiler check Linux sources against an iOS deployment target.

The toolchain's Linux modules (Swift, _Concurrency, Foundation …) carry Apple's `@available` attributes, but their
recorded target keeps the checker from looking at them. So throw-away copies are made whose recorded target is an iOS
one, and the package is type-checked against those with an iOS target, while C headers are still read for Linux. The
checker is then the one that Xcode runs: overloads, `if #available`, back deployment, conformances, language features
that need a newer runtime, and the `@available` lines of the stand-ins for Apple's frameworks.

This relies on an undocumented file layout. It was made for Swift 6.3 on x86_64 Linux and fails loudly elsewhere: a
module that cannot be loaded is an error, never a pass.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess

LINUX = b"x86_64-unknown-linux-gnu"
APPLE = b"x86_64-apple-ios15.0-gnu"  # as many bytes; only the system and that there is an environment are compared
FINDING = re.compile(r"is only available in|are only available in|runtime support for|is unavailable in iOS")
DIAGNOSTIC = re.compile(r"(.+?):(\d+):(\d+): (error|warning): (.*)")


def check(package, names, floor):
    """Findings in the named targets, and what kept any of them from being checked."""
    swift = pathlib.Path(os.path.realpath(shutil.which("swiftc"))).parent.parent
    cache = package.root / ".build" / "ios-floor"
    flags = compiler_flags(swift, toolchain_copies(swift, cache / "toolchain"), floor)
    modules = cache / "modules"
    shutil.rmtree(modules, ignore_errors=True)  # a module of an earlier run must not stand for one that fails now
    modules.mkdir(parents=True)
    order = package.with_dependencies(names)
    flags += ["-I", str(modules)] + c_module_flags(package, order)
    findings, unchecked = [], []
    for name in order:
        if not package.is_swift(name) or package.targets[name]["type"] not in ("library", "test"):
            continue
        found, failed = check_target(package, name, swift, modules, flags)
        if name in names:
            findings += found
            unchecked += failed
        else:
            unchecked += found + failed  # what is only depended on must load, and is not judged
    return findings, unchecked


def check_target(package, name, swift, modules, flags):
    module = package.targets[name].get("c99name", name)
    command = [str(swift / "bin" / "swiftc"), "-frontend", "-emit-module", "-module-name", module, "-parse-as-library",
               "-o", str(modules / (module + ".swiftmodule")), "-package-name", package.name.lower(),
               "-swift-version", "5", "-D", "SWIFT_PACKAGE", "-diagnostic-style", "llvm",
               *target_flags(package.settings.get(name, [])), *flags, *map(str, package.sources(name))]
    result = subprocess.run(command, capture_output=True, text=True)
    findings, failed = [], []
    for line in dict.fromkeys(result.stderr.splitlines()):
        parts = DIAGNOSTIC.match(line)
        if parts:
            file, number, column, kind, message = parts.groups()
            shown = f"{os.path.relpath(file, package.root)}:{number}:{column}: {message}"
            if FINDING.search(message):
                findings.append(shown)
            elif kind == "error":
                failed.append(shown)
        elif line.startswith("<unknown>:0: error"):
            failed.append(f"{name}: {line}")
    if result.returncode != 0 and not findings and not failed:
        failed.append(f"{name}: the compiler failed: {result.stderr[-500:]}")
    return findings, failed


def target_flags(settings):
    flags = []
    for setting in settings:
        platforms = (setting.get("condition") or {}).get("platformNames") or []
        if setting.get("tool") != "swift" or (platforms and "ios" not in platforms):
            continue
        for kind, value in setting["kind"].items():
            value = value["_0"]
            if kind == "enableUpcomingFeature":
                flags += ["-enable-upcoming-feature", value]
            elif kind == "enableExperimentalFeature":
                flags += ["-enable-experimental-feature", value]
            elif kind == "define":
                flags += ["-D", value]
    return flags


def c_module_flags(package, names):
    flags = []
    for name in names:
        if not package.is_swift(name):
            folder = package.root / package.targets[name]["path"]
            headers = folder / "include" if (folder / "include").is_dir() else folder
            if (headers / "module.modulemap").exists():
                flags += ["-Xcc", f"-fmodule-map-file={headers / 'module.modulemap'}"]
            flags += ["-Xcc", f"-I{headers}"]
    return flags


def compiler_flags(swift, copies, floor):
    clang = ["-ivfsoverlay", str(copies / "overlay.json"), "-fmodule-map-file=/usr/include/module.modulemap",
             "-isystem", str(swift / "lib/swift/clang/include"), "-isystem", "/usr/include/x86_64-linux-gnu",
             "-isystem", "/usr/include"]
    return ["-target", f"x86_64-apple-ios{floor}-simulator", "-clang-target", LINUX.decode(),
            "-disable-objc-interop", "-disable-target-os-checking", "-I", str(copies), "-I", str(swift / "lib/swift"),
            "-module-cache-path", str(copies / "cache"), *(flag for word in clang for flag in ("-Xcc", word))]


def toolchain_copies(swift, folder):
    """The toolchain's modules with an iOS target, copied once for each version of the compiler."""
    version = subprocess.run([swift / "bin" / "swiftc", "--version"], capture_output=True, text=True).stdout
    stamp = folder / "version"
    if stamp.exists() and stamp.read_text() == version:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    copied = 0
    for source in sorted((swift / "lib/swift/linux").glob("*.swiftmodule")):
        file = source / (LINUX.decode() + ".swiftmodule") if source.is_dir() else source
        content = file.read_bytes() if file.exists() else b""
        if LINUX in content:
            (folder / source.name).mkdir()
            copy = folder / source.name / "x86_64-apple-ios-simulator.swiftmodule"
            copy.write_bytes(content.replace(LINUX, APPLE, 1))
            copied += 1
    if copied == 0:
        raise SystemExit("ios_floor: this toolchain's modules are not laid out as expected; nothing was checked")
    glibc = swift / "lib/swift/linux/x86_64"
    contents = [{"name": "module.modulemap", "type": "file", "external-contents": str(glibc / "glibc.modulemap")},
                {"name": "SwiftGlibc.h", "type": "file", "external-contents": str(glibc / "SwiftGlibc.h")}]
    overlay = {"version": 0, "case-sensitive": True, "use-external-names": False,
               "roots": [{"name": "/usr/include", "type": "directory", "contents": contents}]}
    (folder / "overlay.json").write_text(json.dumps(overlay))
    stamp.write_text(version)
    return folder
