"""ordergate send on a terminal: a line for each event with the order's terms, reasons below, counts at the end, and a
last line that is replaced; a pipe gets what it got. What each event shows is in tests/unit/test_show_events.c."""
import csv
import io
import json
import os
import re
import subprocess
import unittest

from paper import PAPER, Paper, stock
from sender import RUNNING, SEND, TempHome, resting
from terminal import Screens, screen, settled

HERE = os.path.dirname(os.path.abspath(__file__))
SGR = re.compile("\x1b\\[\\d*m")
LAST_LINE = re.compile(r"(?:^|\n)(\d+ posting, \d+ working, \d+ unknown, \d+ waiting[^\r\n]*)\r\x1b\[K")


def environment(home, url, **more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_"))}
    return {**kept, "HOME": home.path, "XDG_STATE_HOME": home.path, "ORDERGATE_BASE_URL": url,
            "ORDERGATE_WS_URL": url.replace("http", "ws", 1), "ORDERGATE_KEY_ID": PAPER[0],
            "ORDERGATE_SECRET_KEY": PAPER[1], "ORDERGATE_CLOCK": "broker", **more}


LINES = [stock("f1", orderQuantity=5), resting("w1"), stock("r1", orderQuantity=0),
         {"op": "cancel", "clientOrderId": "w1"}]


class OnATerminal(Screens, unittest.TestCase):
    FOLDER = os.path.join(HERE, "screens")

    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.orders = self.home.file("orders.ndjson", "".join(json.dumps(x) + "\n" for x in LINES))

    def shown(self, *args, columns=80, code=1, **more):
        env = environment(self.home, self.paper.url)
        text, ended = screen([SEND, *args, self.orders], columns, env=env, stderr=subprocess.DEVNULL, **more)
        self.assertEqual(ended, code, text)
        return text

    def piped(self, *args, code=1):
        done = subprocess.run([SEND, *args, self.orders], capture_output=True, text=True, timeout=600,
                              env=environment(self.home, self.paper.url))
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def known(self, text):
        return re.sub(r"\d\d:\d\d:\d\d", "10:00:00", text)

    def test_screens_of_a_dry_run(self):
        """What is decided only does not depend on how fast anything is."""
        for columns in (80, 200):
            plain, coloured = (settled(self.shown("--dry-run", columns=columns, NO_COLOR=no)) for no in ("1", None))
            self.stored(f"send-{columns}.txt", self.known(plain))
            self.assertEqual(self.known(SGR.sub("", coloured)), self.known(plain))
            self.assertIn("\x1b[33mrefused\x1b[0m", coloured)

    def test_a_run(self):
        """Every event has its row; orders are told by their terms; the last line says what is under way."""
        text = self.shown("--until", "final", NO_COLOR="1")
        rows = settled(text)
        self.assertIn("  accepted  Buy open 5 AAPL", rows)
        self.assertRegex(rows, r"\n  \S+  f1 +filled +5 at 190")
        self.assertRegex(rows, r"\n  \S+  w1 +canceled")
        self.assertRegex(rows, r"\n  \S+  r1 +refused +Buy open 0 AAPL")
        self.assertIn("\n            refuse: orderQuantity is 0", rows)
        counts = re.search(r"\n\n3 orders: (.*)\n$", rows)  # a cancel may come before the order has left
        self.assertEqual(sorted(counts.group(1).split(", ")), ["1 canceled", "1 filled", "1 refused"])
        self.assertNotIn("posting", rows)
        lines = LAST_LINE.findall(text)
        self.assertTrue(any("1 posting" in x or "1 working" in x for x in lines), lines)
        self.assertLess(max(map(len, lines)), 80)

    def test_no_last_line_where_it_cannot_be_replaced(self):
        for more in {"TERM": "dumb"}, {"TERM": None}:
            text = self.shown("--dry-run", **more)
            self.assertNotIn("\x1b[K", text)
            self.assertNotIn("posting", text)
        out = self.piped("--dry-run", "--format", "table")
        self.assertNotIn("\x1b", out)
        self.assertIn("refused", out)

    def test_messages_do_not_stand_in_the_last_line(self):
        text, code = screen([SEND, self.orders], env=environment(self.home, self.paper.url), NO_COLOR="1")
        self.assertEqual(code, 1)
        for line in settled(text).splitlines():
            self.assertTrue("ordergate send: " not in line or line.startswith("ordergate send: "), line)
        self.assertIn("\nordergate send: ", settled(text))

    def test_a_pipe_gets_what_it_got(self):
        events = [json.loads(x) for x in self.piped().splitlines()]
        self.assertTrue(all("order" not in e for e in events))
        self.assertEqual({e["event"] for e in events} - {"stream", "held", "cancel"},
                         {"decision", "posted", "update", "outcome"})
        first = json.loads(self.piped("--dry-run").splitlines()[0])
        for format in ("auto", "json", "ndjson"):
            event = json.loads(self.piped("--dry-run", "--format", format).splitlines()[0])
            self.assertEqual({**event, "run": "", "at": ""}, {**first, "run": "", "at": ""})
        shown = self.shown("--dry-run", "--format", "ndjson")
        self.assertEqual([json.loads(x)["event"] for x in shown.splitlines()],
                         [json.loads(x)["event"] for x in self.piped("--dry-run").splitlines()])

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.piped("--until", "final", "--format", "csv"))))
        ends = {r["clientOrderId"]: r for r in rows if r["event"] == "outcome" and not r["op"]}
        self.assertEqual({k: r["outcome"] for k, r in ends.items()},
                         {"f1": "filled", "w1": "canceled", "r1": "refused"})
        self.assertEqual((ends["f1"]["executed"], ends["f1"]["priceAvg"]), ("5", "190.01"))
        self.assertEqual([int(r["seq"]) for r in rows], list(range(1, len(rows) + 1)))


if __name__ == "__main__":
    unittest.main()
