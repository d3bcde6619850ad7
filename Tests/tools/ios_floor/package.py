"""What the checks need to know of a Swift package, from `swift package`."""

import json
import os
import subprocess

# Targets that Apple's platforms never build. Everything else that a library product reaches is checked.
LINUX_ONLY = {"HoldfastOpenSSL", "HoldfastCurl", "HoldfastLinux", "HoldfastCLI"}


class Package:
    def __init__(self, root):
        self.root = root
        description = self.ask("describe", "--type", "json")
        manifest = self.ask("dump-package")
        self.name = description["name"]
        self.targets = {target["name"]: target for target in description["targets"]}
        self.settings = {target["name"]: target.get("settings", []) for target in manifest["targets"]}
        self.products = description["products"]

    def ask(self, *arguments):
        # With the stand-ins in the manifest, for the Apple adapters import them.
        environment = dict(os.environ, HOLDFAST_STAND_INS="1")
        result = subprocess.run(["swift", "package", "--package-path", str(self.root), *arguments],
                                capture_output=True, text=True, env=environment)
        if result.returncode != 0:
            raise SystemExit("ios_floor: swift package failed:\n" + result.stderr)
        return json.loads(result.stdout)

    def is_swift(self, name):
        return self.targets[name]["module_type"] == "SwiftTarget"

    def sources(self, name):
        target = self.targets[name]
        return [self.root / target["path"] / source for source in target["sources"]]

    def everything(self):
        """Every Swift source of the package, the tests' and the manifest included."""
        return [self.root / "Package.swift"] + sorted(
            file for folder in ("Sources", "Adapters", "Tests", "Fixtures") for file in (self.root / folder).rglob("*.swift"))

    def with_dependencies(self, names):
        """The targets and all they depend on in this package, each after what it depends on."""
        order = []

        def visit(name):
            if name in order or name not in self.targets:
                return
            for dependency in self.targets[name].get("target_dependencies", []):
                visit(dependency)
            order.append(name)

        for name in names:
            visit(name)
        return order

    def apple_libraries(self):
        """The Swift targets behind the library products, as far as Apple's platforms build them."""
        roots = [name for product in self.products if "library" in product["type"] for name in product["targets"]]
        stand_ins = {name for name, target in self.targets.items() if target["path"].startswith("Fixtures/")}
        return [name for name in self.with_dependencies(roots)
                if self.is_swift(name) and name not in LINUX_ONLY | stand_ins]
