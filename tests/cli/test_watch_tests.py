"""ordergate test --watch: it runs again when any file changes that was read, however it is changed; SIGINT ends it."""
import os
import queue
import signal
import subprocess
import tempfile
import threading
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
DEADLINE = 120  # seconds; only a run that never happens takes that long
TEST = """ordergate-test: 1
at: 2026-01-15T10:00:00-05:00
facts: {file: facts.json}
order: {securityType: Stock, symbol: AAPL, side: Buy, openClose: Open, orderType: Limit, orderQuantity: 10,
        timeInForce: Day, limitPrice: 10}
cases:
  - name: it
    expect: {includes: [notional-above-limit]}
  - name: listed
    expect: {excludes: [own-rule]}
  - name: of a file
    orders: day.ndjson
    expect: {includes: [notional-above-limit]}
"""


DAY = """{"securityType":"Stock","symbol":"AAPL","side":"Buy","openClose":"Open","orderType":"Limit",\
"orderQuantity":10,\
"timeInForce":"Day","limitPrice":10}
"""
FIRM = "ordergate: 1\nextends: []\nrules: {order-notional: {level: refuse, most: %d}}\n"
PASS = "1 file: 3 passed, 0 failed"


class Watch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = folder.name
        for name in ("a/v1", "lists"):
            os.makedirs(os.path.join(self.dir, name))
        self.file("a/v1/firm.yaml", FIRM % 50)
        os.symlink("v1", os.path.join(self.dir, "a/now"))
        self.file("desk.yaml", "ordergate: 1\nextends: [a/now/firm.yaml]\nlists: {own: {file: lists/own.txt}}\n"
                  "custom: [{id: own-rule, require: '!(order.symbol in lists.own)'}]\n")
        self.file("lists/own.txt", "GME\n")
        self.file("facts.json", "{}")
        self.file("day.ndjson", DAY)
        self.file("desk_test.yaml", TEST)
        self.lines = queue.Queue()

    def file(self, name, text):
        with open(os.path.join(self.dir, name), "w", encoding="utf-8") as f:
            f.write(text)

    def replace(self, name, text):
        self.file(name + ".new", text)
        os.rename(os.path.join(self.dir, name + ".new"), os.path.join(self.dir, name))

    def start(self, *args):
        gate = subprocess.Popen([GATE, "test", "--watch", *args], cwd=self.dir, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

        def read():
            for line in gate.stdout:
                self.lines.put(line)
            self.lines.put(None)
        thread = threading.Thread(target=read)
        thread.start()

        def end():
            gate.kill()
            gate.wait()
            thread.join()
            gate.stdout.close()
        self.addCleanup(end)
        return gate

    def run_until(self, text, without=None):
        """Read the output of runs until one contains `text` and not `without`. Several runs may be needed, because
        a change may be noticed in several steps."""
        seen = ""
        while True:
            line = self.lines.get(timeout=DEADLINE)
            self.assertIsNotNone(line, seen)
            if line != "ordergate test: waiting for a change\n":
                seen += line
            elif text in seen and not (without and without in seen):
                return
            else:
                seen = ""

    def test_each_file_that_is_read(self):
        gate = self.start("desk_test.yaml")
        self.run_until(PASS)
        for write in (self.file, self.replace):
            for name, text in [("desk_test.yaml", TEST.replace("notional-above-limit", "market-holiday")),
                               ("desk.yaml", "ordergate: 1\nextends: []\n"), ("desk.yaml", "ordergate: 2\n"),
                               ("a/v1/firm.yaml", FIRM % 500), ("a/v1/firm.yaml", "rules: ["),
                               ("lists/own.txt", "AAPL\n"), ("facts.json", "["),
                               ("day.ndjson", DAY.replace("10}", "1}"))]:
                with open(os.path.join(self.dir, name), encoding="utf-8") as f:
                    was = f.read()
                write(name, text)
                self.run_until("1 file: ", PASS)
                write(name, was)
                self.run_until(PASS)
        gate.send_signal(signal.SIGINT)
        self.assertEqual(gate.wait(DEADLINE), -signal.SIGINT)

    def test_files_that_go_and_come(self):
        self.start(".")
        self.run_until(PASS)
        for name in ("desk.yaml", "lists/own.txt", "facts.json", "day.ndjson", "a/v1/firm.yaml", "a/v1", "lists", "a"):
            path = os.path.join(self.dir, name)
            os.rename(path, path + ".away")
            self.run_until("1 file: ", PASS)
            os.rename(path + ".away", path)
            self.run_until(PASS)
        self.file("more_test.yaml", TEST.replace("ordergate-test: 1", "ordergate-test: 1\npolicy: desk.yaml"))
        self.run_until("2 files: 6 passed, 0 failed")

    def test_links_that_lead_elsewhere(self):
        self.start("desk_test.yaml")
        self.run_until(PASS)
        os.makedirs(os.path.join(self.dir, "a/v2"))
        self.file("a/v2/firm.yaml", FIRM % 500)
        os.symlink("v2", os.path.join(self.dir, "a/next"))
        os.rename(os.path.join(self.dir, "a/next"), os.path.join(self.dir, "a/now"))
        self.run_until("1 file: ", PASS)
        self.file("a/v2/firm.yaml", FIRM % 60)
        self.run_until(PASS)

    def test_what_it_is_not_for(self):
        for args in (["--list"], ["--update"], ["--update=all"], ["--format", "json"], ["-"]):
            done = subprocess.run([GATE, "test", "--watch", *args, "desk_test.yaml"], cwd=self.dir, timeout=DEADLINE,
                                  capture_output=True, check=False, stdin=subprocess.DEVNULL)
            self.assertEqual((done.returncode, done.stdout), (2, b""), args)


if __name__ == "__main__":
    unittest.main()
