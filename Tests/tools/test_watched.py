"""What hangs is named and ended: run by Tests/run with `python3 -m unittest`."""

import os
import subprocess
import unittest

WATCHED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "watched")


class WatchedTests(unittest.TestCase):
    def run_watched(self, seconds, script):
        return subprocess.run([WATCHED, seconds, "sh", "-c", script], capture_output=True, text=True, timeout=300)

    def test_passes_on_what_is_said_and_how_it_ended(self):
        done = self.run_watched("120", "echo one; echo two >&2; exit 3")
        self.assertEqual((done.returncode, done.stdout), (3, "one\ntwo\n"))

    def test_names_the_test_that_hangs_and_ends_all_that_was_started(self):
        # The pipe stays open for as long as any of them lives, so the run would not end before them.
        done = self.run_watched("1", "echo \"Test Case 'A.testOne' started at 1\nTest Case 'A.testOne' passed (1 seconds)\n"
                                     "Test Case 'A.testTwo' started at 2\"; sleep 600 & sh -c 'sleep 600; true'")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.endswith("watched: error: nothing was said for 1 s, in A.testTwo\n"), done.stdout)

    def test_names_the_python_test_that_hangs(self):
        done = self.run_watched("1", "echo 'test_one (a.A) ... ok'; printf 'test_two (a.A) ... '; sleep 600")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.endswith("nothing was said for 1 s, in test_two (a.A)\n"), done.stdout)

    def test_says_that_it_was_no_test(self):
        done = self.run_watched("1", "echo building; sleep 600")
        self.assertTrue(done.stdout.endswith("nothing was said for 1 s, in no test\n"), done.stdout)


if __name__ == "__main__":
    unittest.main()
