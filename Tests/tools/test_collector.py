"""The collector does what its --help says: run by Tests/run with `python3 -m unittest`."""

import gzip
import http.client
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

COLLECTOR = os.path.join(os.path.dirname(__file__), "..", "..", "Fixtures", "collector")


def record(number):
    return {"scanId": f"00000000-0000-4000-8000-{number:012d}", "sequence": number}


def event(number, text=""):
    return {"id": f"00000000-0000-4000-8000-{number:012d}", "ts": "2026-05-01T10:00:00.000Z", "type": "t",
            "payload": {"text": text}, "sessionId": "s"}


class CollectorTests(unittest.TestCase):
    def make_folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, script=None, *options):
        self.make_folder()
        arguments = [COLLECTOR, "--accepted", self.path("accepted"), "--log", self.path("log"),
                     "--arrivals", self.path("arrivals"), *options]
        if script is not None:
            with open(self.path("script"), "w") as file:
                json.dump(script, file)
            arguments += ["--script", self.path("script")]
        self.launch(arguments)

    def launch(self, arguments):
        self.arguments = arguments
        self.server = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.port = int(self.server.stdout.readline())

    def stop(self):
        if self.server.poll() is not None:
            return None
        self.server.send_signal(signal.SIGTERM)
        _, error = self.server.communicate(timeout=60)
        return self.server.returncode, json.loads(error)

    def path(self, name):
        return os.path.join(self.folder, name)

    def lines(self, name):
        with open(self.path(name)) as file:
            return [json.loads(line) for line in file]

    def post(self, value, path="/v1/gate/records", headers={}, timeout=60):
        """Status, fields and body of the answer."""
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.headers), answer.read()
        finally:
            connection.close()

    def events(self, value, **more):
        return self.post(gzip.compress(json.dumps(value).encode()), "/v1/telemetry/batch",
                         {"Content-Encoding": "gzip", **more})

    def test_takes_telemetry_without_gzip_only_when_told_so(self):
        body = {"events": [event(1)]}
        self.start()
        self.assertEqual(self.post(body, "/v1/telemetry/batch")[0], 400)
        self.stop()
        self.start(None, "--plain")
        self.assertEqual(self.post(body, "/v1/telemetry/batch")[0], 200)
        self.assertEqual([line["item"] for line in self.lines("accepted")], body["events"])

    def test_takes_each_record_once_and_says_so(self):
        self.start()
        status, _, body = self.post({"records": [record(1), record(2)]})
        self.assertEqual(status, 200)
        self.assertEqual([r["outcome"] for r in json.loads(body)["results"]], ["accepted", "accepted"])
        _, _, body = self.post({"records": [record(2), record(3)]})
        self.assertEqual([r["outcome"] for r in json.loads(body)["results"]], ["duplicate", "accepted"])
        self.assertEqual([line["item"]["sequence"] for line in self.lines("accepted")], [1, 2, 3])
        self.assertEqual([line["new"] for line in self.lines("log")],
                         [[record(1)["scanId"], record(2)["scanId"]], [record(3)["scanId"]]])
        self.assertEqual(self.stop(), (0, {"requests": 2, "accepted": 3, "duplicates": 1, "violations": 0}))

    def test_remembers_ids_over_a_restart(self):
        self.start()
        self.post({"records": [record(1)]})
        self.stop()
        self.launch(self.arguments)
        _, _, body = self.post({"records": [record(1)]})
        self.assertEqual(json.loads(body)["results"][0]["outcome"], "duplicate")

    def test_takes_telemetry_in_both_forms(self):
        self.start()
        self.assertEqual(self.events({"events": [event(1)]})[0], 200)
        self.assertEqual(self.events([event(2)])[0], 200)
        self.assertEqual([line["id"] for line in self.lines("accepted")], [event(1)["id"], event(2)["id"]])

    def test_notes_what_is_wrong_with_a_body(self):
        self.start()
        limit = 262_144
        fitting = event(1, "x" * (limit - len(json.dumps({"events": [event(1)]}))))
        self.assertEqual(self.events({"events": [fitting]})[0], 200)
        self.assertEqual(self.lines("log")[-1]["bytes"], limit)
        too_large = event(2, "x" * (limit + 1 - len(json.dumps({"events": [event(2)]}))))
        self.assertEqual(self.events({"events": [too_large]})[0], 413)
        self.assertEqual(self.post(b"{")[0], 400)
        self.assertEqual(self.post(b'{"records":[{"scanId":"a","scanId":"b"}]}')[0], 400)
        self.assertEqual(self.post(b'{"records":[{"scanId":"a","x":NaN}]}')[0], 400)
        self.assertEqual(self.post({"records": [{"scanId": "ABC"}]})[0], 400)
        self.assertEqual(self.post({"records": [record(1), record(1)]})[0], 400)
        self.assertEqual(self.post({"events": [event(1)]}, "/v1/telemetry/batch")[0], 400)
        self.assertEqual(self.events({"events": [{"id": "a"}]})[0], 400)
        self.assertEqual(self.post(gzip.compress(b"{}")[:-3], headers={"Content-Encoding": "gzip"})[0], 400)
        self.assertTrue(all(line["violations"] for line in self.lines("log")[1:]))
        code, summary = self.stop()
        self.assertEqual((code, summary["accepted"]), (1, 1))

    def test_plays_statuses_fields_and_redirects_then_succeeds(self):
        self.start([{"status": 503, "retryAfter": "Fri, 31 Feb"}, {"redirect": "http://127.0.0.1:1/", "times": 2},
                    {"status": 204}])
        status, fields, _ = self.post({"records": [record(1)]})
        self.assertEqual((status, fields["Retry-After"]), (503, "Fri, 31 Feb"))
        self.assertEqual([self.post({"records": [record(1)]})[0] for _ in range(4)], [307, 307, 204, 200])
        self.assertEqual(len(self.lines("accepted")), 1)

    def test_drops_before_and_after_the_effect(self):
        self.start([{"drop": "before"}, {"drop": "after"}])
        for accepted in (0, 1):
            with self.assertRaises((http.client.RemoteDisconnected, ConnectionResetError)):
                self.post({"records": [record(1)]})
            self.assertEqual(len(self.lines("accepted")), accepted)

    def test_answers_late_or_never(self):
        self.start([{"delay": 300}, {"hang": 60}, {"drip": 20, "nonsense": "html"}])
        began = time.time()
        self.assertEqual(self.post({"records": [record(1)]})[0], 200)
        self.assertGreaterEqual(time.time() - began, 0.3)
        for _ in range(2):
            with self.assertRaises(TimeoutError):
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=0.3)
                self.addCleanup(connection.close)
                connection.request("POST", "/records", json.dumps({"records": [record(2)]}))
                answer = connection.getresponse()
                end = time.time() + 0.3
                while answer.read(1) and time.time() < end:
                    pass
                raise TimeoutError
        self.assertEqual(len(self.lines("accepted")), 1)

    def test_notes_a_request_as_it_comes_in_and_logs_it_before_its_answer(self):
        self.start([{"drip": 500}])
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("POST", "/records", json.dumps({"records": [record(1)]}))
        connection.getresponse()  # its head; the rest is still to come
        for name in ("arrivals", "log"):
            self.assertEqual([line["n"] for line in self.lines(name)], [1])

    def test_answers_nonsense(self):
        self.start([{"nonsense": "html"}, {"nonsense": "truncated"}, {"nonsense": "not-http"}])
        status, _, body = self.post({"records": [record(1)]})
        self.assertEqual(status, 200)
        self.assertGreater(len(body), 3_000_000)
        with self.assertRaises(http.client.IncompleteRead):
            self.post({"records": [record(2)]})
        with self.assertRaises(http.client.BadStatusLine):
            self.post({"records": [record(3)]})
        self.assertEqual([line["item"]["sequence"] for line in self.lines("accepted")], [2])

    def test_gives_single_outcomes_by_index_and_id(self):
        self.start([{"outcomes": {"0": "retry", record(2)["scanId"]: {"outcome": "rejected", "reason": "why"}}},
                    {"outcomes": {"*": "rejected"}}])
        _, _, body = self.post({"records": [record(1), record(2), record(3)]})
        results = json.loads(body)["results"]
        self.assertEqual([r["outcome"] for r in results], ["retry", "rejected", "accepted"])
        self.assertEqual(results[1]["reason"], "why")
        _, _, body = self.post({"records": [record(1), record(4)]})
        self.assertEqual([r["outcome"] for r in json.loads(body)["results"]], ["rejected", "rejected"])
        self.assertEqual([line["item"]["sequence"] for line in self.lines("accepted")], [3])

    def test_refuses_a_token_until_it_is_the_right_one(self):
        self.start([{}, {"token": "new"}], "--token", "old")
        send = lambda token: self.post({"records": [record(1)]}, headers={"Authorization": "Bearer " + token})[0]
        self.assertEqual([send("old"), send("old"), send("new"), send("old")], [200, 401, 200, 401])
        self.assertEqual(self.post({"records": [record(1)]})[0], 401)

    def test_fails_by_rule_where_the_body_fits(self):
        self.start({"rules": [{"when": {"contains": "-000000000007"}, "status": 400}], "steps": []})
        self.assertEqual(self.post({"records": [record(6), record(7)]})[0], 400)
        self.assertEqual(self.post({"records": [record(6)]})[0], 200)
        self.assertEqual(self.post({"records": [record(7)]})[0], 400)

    def test_refuses_a_script_that_it_does_not_know(self):
        self.make_folder()
        for text in ('[{"sttus": 500}]', '{"stps": []}', "[", "5", "[5]"):
            with open(self.path("script"), "w") as file:
                file.write(text)
            run = subprocess.run([COLLECTOR, "--script", self.path("script")], capture_output=True, text=True, timeout=60)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertTrue(run.stderr.startswith("collector: "))

    def test_writes_the_port_to_a_file(self):
        self.make_folder()
        server = subprocess.Popen([COLLECTOR, "--port-file", self.path("port")], stderr=subprocess.PIPE)
        while not os.path.exists(self.path("port")):
            time.sleep(0.01)
            self.assertIsNone(server.poll())
        with open(self.path("port")) as file:
            self.port = int(file.read())
        self.assertEqual(self.post({"records": [record(1)]})[0], 200)
        server.terminate()
        server.communicate(timeout=60)
        self.assertEqual(server.returncode, 0)


if __name__ == "__main__":
    unittest.main()
