"""The FieldApp before and after adopt-holdfast.patch: run by Tests/run with `python3 -m unittest`.

The same person does the same with both. Each process is a real one and is really killed; the device's files and its
keychain stay. Without a network nothing listens at the server's address.
"""

import collections
import json
import os
import pathlib
import plistlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / ".build" / "FieldApp"  # as deep in the package as the original, for the path in its manifest
EVENTS_OF_A_VISIT = 3  # a screen, a timing and an error


def build():
    """The folder with the app's Player and Info.plist."""
    words = ["swift", "build", "--package-path", COPY, "--scratch-path", ROOT / ".build" / "field-app",
             "--product", "Player", "-Xswiftc", "-warnings-as-errors", "-Xswiftc", "-strict-concurrency=complete"]
    environment = {**os.environ, "HOLDFAST_STAND_INS": "1"}
    for more in [], ["--show-bin-path"]:
        done = subprocess.run(words + more, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"the app cannot be built:\n{done.stdout}")
    app = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(app.cleanup)
    shutil.copy(pathlib.Path(done.stdout.strip()) / "Player", app.name)
    shutil.copy(COPY / "Info.plist", app.name)
    return pathlib.Path(app.name)


def setUpModule():
    global before, after
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT / "Fixtures" / "FieldApp", COPY)
    before = build()
    # The copy lies within a repository, whose paths are none of the patch's business.
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(COPY.parent)}
    subprocess.run(["git", "apply", "--whitespace=error", "adopt-holdfast.patch"], cwd=COPY, env=environment, check=True)
    after = build()


class FieldAppTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.device = pathlib.Path(folder.name)
        # Bound and not listening, so that nobody else gets the port, and who connects is refused.
        self.address = socket.socket()
        self.address.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.address.bind(("127.0.0.1", 0))
        self.addCleanup(self.address.close)

    def install(self, app):
        """Puts the app on the device, as an app's bundle lies there."""
        self.app = self.device / "Field.app"
        shutil.copytree(app, self.app)
        info = plistlib.loads((app / "Info.plist").read_bytes())
        info["FieldServer"] = f"http://127.0.0.1:{self.address.getsockname()[1]}"
        (self.app / "Info.plist").write_bytes(plistlib.dumps(info))

    def start(self):
        """A new process of the app."""
        environment = {**os.environ, "HOME": str(self.device), "XDG_DATA_HOME": str(self.device / "data")}
        with open(self.device / "complaints", "a", encoding="utf-8") as complaints:
            self.process = subprocess.Popen([self.app / "Player"], env=environment, text=True, stderr=complaints,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        watchdog = threading.Timer(120, self.process.kill)  # so that what hangs fails
        watchdog.start()
        for clean_up in self.process.stdin.close, self.process.stdout.close, self.kill, watchdog.cancel:
            self.addCleanup(clean_up)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def do(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            self.assertEqual(answer, "done\n", f"{line}\n{(self.device / 'complaints').read_text()}")

    def visit(self, times):
        self.do(*["visit"] * times)
        return EVENTS_OF_A_VISIT * times

    def serve(self, *options):
        server = subprocess.Popen(
            [ROOT / "Fixtures" / "collector", "--port", str(self.address.getsockname()[1]),
             "--accepted", self.device / "accepted", *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for clean_up in server.stdout.close, server.wait, server.kill:
            self.addCleanup(clean_up)
        self.assertNotEqual(server.stdout.readline(), "", "the server is ready")

    def arrived(self, count):
        """Waits until so many events have arrived, and returns them all."""
        deadline = time.monotonic() + 60
        while True:
            *lines, _ = (self.device / "accepted").read_text().split("\n")  # the last may be on its way
            if len(lines) >= count or time.monotonic() > deadline:
                break
            time.sleep(0.02)  # another process writes them
        events = [json.loads(line)["item"] for line in lines]
        self.assertGreaterEqual(len(events), count)
        return events

    def day_in_the_field(self):
        """Without a network the app is used, killed, and used again; then the network is back."""
        self.start()
        self.do("airplane on", "launch")
        self.visit(10)
        self.do("leave")
        self.kill()
        self.start()
        self.do("airplane on", "launch")
        self.visit(5)

    def test_the_old_app_loses_what_it_cannot_send(self):
        self.install(before)
        self.day_in_the_field()
        self.serve("--plain")
        self.do("airplane off")
        online = self.visit(5)
        events = self.arrived(online)
        self.assertEqual(len({event["sessionId"] for event in events}), 1, "all of the killed process are lost")

    def test_the_app_with_holdfast_loses_nothing(self):
        self.install(after)
        self.day_in_the_field()
        self.serve()
        self.do("airplane off")
        self.arrived(15 * EVENTS_OF_A_VISIT)  # at once, for the network is back
        self.visit(5)
        self.do("leave")
        events = self.arrived(20 * EVENTS_OF_A_VISIT)
        self.assertEqual(collections.Counter(event["type"] for event in events),
                         {"screen.view": 20, "timing": 20, "error": 20})
        self.assertEqual(len({event["sessionId"] for event in events}), 2)

    def test_a_background_task_delivers_what_was_left(self):
        self.install(after)
        self.start()
        self.do("airplane on", "launch")
        events = self.visit(4)
        self.do("leave")
        self.serve()
        self.do("airplane off", "background task")
        self.assertEqual(len(self.arrived(events)), events)

    def test_a_token_that_has_run_out_is_renewed(self):
        self.install(after)
        self.serve("--token", "second token")
        self.start()
        self.do("launch")
        events = self.visit(2)
        self.do("leave")
        self.assertEqual(len(self.arrived(events)), events)

    def test_the_app_with_holdfast_is_formatted(self):
        subprocess.run(["swift", "format", "lint", "--strict", "--recursive", COPY / "Sources"], check=True)

    def test_the_patch_replaces_every_direct_call(self):
        self.assertEqual([file.name for file in (COPY / "Sources").iterdir() if "URLSession" in file.read_text()], [])


if __name__ == "__main__":
    unittest.main()
