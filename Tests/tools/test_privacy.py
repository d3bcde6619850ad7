"""The check of the privacy manifest finds what it is there to find."""

import os
import pathlib
import plistlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import privacy

SEEDED = {
    "FileTimestamp": ["let a = values.creationDate", "url.resourceValues(forKeys: [.contentModificationDateKey])",
                      "attributes[.modificationDate]", "document.fileModificationDate", "stat(path, &status)",
                      "fstat (file, &status)", "lstat(path, &status)", "fstatat(folder, name, &status, 0)",
                      "getattrlistbulk(a, b, c, d, e)"],
    "SystemBootTime": ["ProcessInfo.processInfo.systemUptime", "let a = mach_absolute_time()",
                       "#if canImport(Darwin)\nlet a = mach_absolute_time()\n#endif"],
    "DiskSpace": ["[.volumeAvailableCapacityForImportantUsageKey]", "values.volumeTotalCapacity", "a[.systemFreeSize]",
                  "a[.systemSize]", "statvfs(path, &status)", "fstatfs(file, &status)", "statfs(path, &status)"],
    "ActiveKeyboards": ["UITextInputMode.activeInputModes"],
    "UserDefaults": ["UserDefaults.standard", "UserDefaults(suiteName: a)", "@AppStorage(\"a\") var a = 1"],
}
INNOCENT = ["// systemUptime", "let a = \"UserDefaults\"", "#if os(Linux)\nfstat(file, &status)\n#endif",
            "clock_gettime(CLOCK_MONOTONIC_RAW, &time)", "let state = status()", "restat(a)", "let date = creation"]


def manifest(*categories, **changes):
    content = {"NSPrivacyTracking": False, "NSPrivacyTrackingDomains": [], "NSPrivacyCollectedDataTypes": [],
               "NSPrivacyAccessedAPITypes": [{"NSPrivacyAccessedAPIType": "NSPrivacyAccessedAPICategory" + category,
                                              "NSPrivacyAccessedAPITypeReasons": [reason]}
                                             for category, reason in categories]}
    return plistlib.dumps(content | changes)


class PrivacyTests(unittest.TestCase):
    def judge(self, content, *sources):
        return privacy.judge({"m": content}, {str(number): text for number, text in enumerate(sources)})

    def test_finds_a_seeded_use_of_each_category(self):
        self.assertEqual(SEEDED.keys(), privacy.CATEGORIES.keys())
        for category, lines in SEEDED.items():
            for line in lines:
                self.assertEqual([found[1] for found in privacy.uses(line)], [category], line)
                findings = self.judge(manifest(), line)
                self.assertEqual(len(findings), 1, line)
                self.assertTrue(findings[0].endswith("does not declare " + category), line)

    def test_what_is_in_two_categories_needs_both(self):
        self.assertEqual([found[1] for found in privacy.uses("getattrlist(a, b, c, d, e)")], ["DiskSpace", "FileTimestamp"])

    def test_passes_what_is_declared_or_not_on_the_list(self):
        self.assertEqual(self.judge(manifest(("DiskSpace", "E174.1")), "statfs(a, &b)"), [])
        for line in INNOCENT:
            self.assertEqual(self.judge(manifest(), line), [], line)

    def test_a_declaration_must_be_true_and_have_a_reason_of_the_list(self):
        self.assertEqual(len(self.judge(manifest(("UserDefaults", "CA92.1")))), 1)
        self.assertEqual(len(self.judge(manifest(("UserDefaults", "E174.1")), "UserDefaults.standard")), 1)
        self.assertEqual(len(self.judge(manifest(("Weather", "E174.1")))), 2)

    def test_tracks_and_collects_nothing(self):
        for key, value in {"NSPrivacyTracking": True, "NSPrivacyTrackingDomains": ["example.org"],
                           "NSPrivacyCollectedDataTypes": [{"NSPrivacyCollectedDataType": "a"}]}.items():
            self.assertEqual(len(self.judge(manifest(**{key: value}))), 1, key)

    def test_the_packages_manifests_are_one(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        files = [file for folder in ("Sources", "Adapters") for file in (root / folder).rglob(privacy.NAME)]
        self.assertGreater(len(files), 1)
        self.assertEqual(len({file.read_bytes() for file in files}), 1)


if __name__ == "__main__":
    unittest.main()
