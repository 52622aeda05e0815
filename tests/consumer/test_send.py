"""The two examples of ordergate/send.h against the paper brokerage."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

from paper import PAPER, Paper
from sender import RUNNING, TempHome, posts

HERE = pathlib.Path(__file__).resolve().parent


class Linked(unittest.TestCase):
    def run_it(self, p, home, *command):
        env = {**os.environ, "HOME": home.path, "XDG_STATE_HOME": home.path, "ORDERGATE_BASE_URL": p.url,
               "ORDERGATE_KEY_ID": PAPER[0], "ORDERGATE_SECRET_KEY": PAPER[1], "ORDERGATE_CLOCK": "broker"}
        done = subprocess.run([*command, home.ledger], env=env, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([e["seq"] for e in events], list(range(1, len(events) + 1)))
        return [(e["clientOrderId"], e["outcome"]) for e in events if e["event"] == "outcome"]

    def test_on_the_loop_of_a_program_in_cpp(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            self.assertEqual(self.run_it(p, home, os.environ["OG_SEND_CC"]),
                             [("cc-1", "working"), ("cc-1", "canceled")])
            self.assertEqual([r["path"].rsplit("/", 1)[1] for r in p.control("GET", "requests?since=0")["requests"]
                              if r["method"] in ("POST", "DELETE")], ["order", "cc-1"])
            self.assertEqual(home.newest_row("cc-1")["state"], "canceled")

    def test_in_a_thread_of_a_program_in_python(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            self.assertEqual(self.run_it(p, home, sys.executable, "-B", str(HERE / "send_ctypes.py"),
                                         os.environ["OG_LIB"]),
                             [("py-1", "working"), ("py-2", "working")])
            self.assertEqual(len(posts(p)), 2)


if __name__ == "__main__":
    unittest.main()
