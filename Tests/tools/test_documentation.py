"""The check of the documentation finds what it is there to find."""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import documentation


def symbol(name, comment=None, precise="s:1A", is_written=True):
    result = {"identifier": {"precise": precise}, "pathComponents": ["Type", name]}
    if comment is not None:
        result["docComment"] = {"lines": [{"text": line} for line in comment]}
    if is_written:
        result["location"] = {"uri": "file:///somewhere/Sources/A/A.swift", "position": {"line": 2, "character": 0}}
    return result


class CommentTests(unittest.TestCase):
    def test_finds_what_has_no_comment_or_an_empty_one(self):
        symbols = [symbol("with", ["Says what."]), symbol("without"), symbol("blank", ["", " "])]
        without, count = documentation.undocumented({"symbols": symbols})
        self.assertEqual(without, ["Sources/A/A.swift:3: Type.without has no comment",
                                   "Sources/A/A.swift:3: Type.blank has no comment"])
        self.assertEqual(count, 1)

    def test_passes_what_the_compiler_makes(self):
        symbols = [symbol("==", is_written=False), symbol("!=", precise="s:SQ::SYNTHESIZED::s:1A")]
        self.assertEqual(documentation.undocumented({"symbols": symbols}), ([], 0))


class ArchiveTests(unittest.TestCase):
    def convert(self, text):
        with tempfile.TemporaryDirectory() as folder:
            catalog, graphs = pathlib.Path(folder, "A.docc"), pathlib.Path(folder, "graphs")
            catalog.mkdir()
            graphs.mkdir()
            (catalog / "A.md").write_text(f"# A\n\n@Metadata {{\n  @TechnologyRoot\n}}\n\nAn abstract.\n\n## Overview\n\n{text}\n")
            (catalog / "B.md").write_text("# B\n\nAn abstract.\n")
            with contextlib.redirect_stdout(io.StringIO()):
                documentation.convert(catalog, graphs, pathlib.Path(folder, "A.doccarchive"))

    def test_a_link_that_leads_nowhere_stops_it(self):
        self.convert("See <doc:B>.")
        for text in ("See <doc:C>.", "See ``Nothing``."):
            with self.assertRaises(SystemExit):
                self.convert(text)


if __name__ == "__main__":
    unittest.main()
