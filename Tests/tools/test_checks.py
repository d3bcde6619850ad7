"""The checks find what they are there to find."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_imports
import coverage


class ImportTests(unittest.TestCase):
    def findings(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                file = pathlib.Path(folder, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return list(check_imports.check(pathlib.Path(folder)))

    def test_finds_what_the_table_does_not_allow(self):
        for text in ("import Foundation", "  @preconcurrency import Foundation", "public import struct Foundation.Date",
                     "@_implementationOnly import Foundation", "#if os(Linux)\nimport Glibc\n#endif"):
            self.assertEqual(len(self.findings({"Sources/HoldfastDomain/A.swift": text})), 1, text)
        self.assertEqual(len(self.findings({"Adapters/HoldfastSQLite/Deep/A.swift": "import HoldfastZlib"})), 1)
        self.assertEqual(len(self.findings({"Sources/Holdfast/A.swift": "@_exported import HoldfastKit"})), 1)
        self.assertEqual(len(self.findings({"Sources/Unknown/A.swift": "let a = 1"})), 1)

    def test_passes_what_the_table_allows(self):
        self.assertEqual(self.findings({
            "Sources/HoldfastDomain/A.swift": "// import nothing\nlet important = 1",
            "Adapters/HoldfastSQLite/A.swift": "import CHoldfastSQLite\nimport HoldfastDomain",
            "Sources/HoldfastKit/A.swift": "@_exported import Holdfast\nimport HoldfastOpenSSL",
            "Adapters/CHoldfastSQLite/module.modulemap": "import nothing"}), [])


class WorkflowTests(unittest.TestCase):
    def test_the_workflow_is_one_and_runs_what_there_is(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not installed")
        root = pathlib.Path(__file__).resolve().parents[2]
        jobs = yaml.safe_load((root / ".github/workflows/ci.yml").read_text())["jobs"]
        steps = [step for job in jobs.values() for step in job["steps"]]
        self.assertGreater(len(steps), 10)
        for step in steps:
            self.assertEqual(len({"uses", "run"} & step.keys()), 1, step)
            for word in step.get("run", "").split():
                if word.startswith(("Tests/", ".ci/", "Fixtures/")):
                    self.assertTrue(os.access(root / word, os.X_OK), word)


class CoverageTests(unittest.TestCase):
    def judge(self, files):
        report = {"data": [{"files": [{"filename": "/p/" + name, "summary": {"lines": {"covered": covered, "count": 100}}}
                                      for name, covered in files.items()]}]}
        return coverage.judge(coverage.by_module(report, "/p"))

    def test_adds_up_modules_and_finds_those_that_fall_short(self):
        full = {"Sources/HoldfastDomain/A/a.swift": 80, "Sources/HoldfastDomain/b.swift": 100,
                "Adapters/HoldfastSQLite/a.swift": 95, "Adapters/HoldfastOpenSSL/a.swift": 90,
                "Sources/HoldfastCLI/a.swift": 1, "Tests/HoldfastDomainTests/a.swift": 0}
        table, short = self.judge(full)
        self.assertEqual((len(table), short), (4, []))
        self.assertIn("180 of    200", " ".join(table))
        self.assertEqual(self.judge({**full, "Sources/HoldfastDomain/b.swift": 99})[1], ["Sources/HoldfastDomain"])
        del full["Adapters/HoldfastSQLite/a.swift"]
        self.assertEqual(self.judge(full)[1], ["Adapters/HoldfastSQLite"])


if __name__ == "__main__":
    unittest.main()
