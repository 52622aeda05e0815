"""The console's pages of orders and positions: what they show is compared with what ordergate ledger writes."""
import html
import json
import os
import re
import subprocess
import time
import unittest
import urllib.parse

from console import BIN, HOST, WithConsole
from parallel_unittest import main
from sender import resting
from test_console_page import Nesting
from test_status import environment

ROW = re.compile(r"<tr>(<td.*?)</tr>")
CELL = re.compile(r"<td[^>]*>(.*?)</td>")


class Orders(WithConsole, unittest.TestCase):
    def ledger(self, *args):
        done = subprocess.run([os.path.join(BIN, "ordergate-ledger"), "--ledger", self.home.ledger, *args],
                              capture_output=True, env=environment(self.home), timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def rows(self, path):
        """The cells of a page's rows, as text; the page is well nested and runs nothing inline."""
        answer = self.get(path)
        self.assertEqual(answer.status, 200)
        parser = Nesting(self)
        parser.feed(answer.text)
        self.assertEqual(parser.open, [])
        return [[html.unescape(re.sub("<[^>]*>", "", cell)) for cell in CELL.findall(row)]
                for row in ROW.findall(answer.text)]

    def test_orders_newest_first_and_why_one_was_refused(self):
        gate = self.sender()
        for order_id in ("a", "b"):
            self.working(gate, order_id)
        gate.feed(resting("c <&> \"d\" é"))
        gate.event("outcome", "c <&> \"d\" é")
        self.until(lambda: len(self.rows("/orders")) == 3, "the orders")
        rows, listed = self.rows("/orders"), self.ledger("list")
        self.assertEqual([row[:5] for row in rows],
                         [[r["at"], r["clientOrderId"], r["accountId"], r["state"], r["side"]] for r in listed[::-1]])
        self.assertEqual([row[1] for row in rows], ["c <&> \"d\" é", "b", "a"])
        self.assertIn("3 orders would be open, the desk allows 2", rows[0][-1])
        links = [html.unescape(link) for link in re.findall('href="(/order[?][^"]*)"', self.get("/orders").text)]
        self.assertEqual([urllib.parse.unquote(link.partition("=")[2]) for link in links], [row[1] for row in rows])
        refused = html.unescape(self.get(links[0]).text)
        self.assertIn("3 orders would be open, the desk allows 2", refused)
        self.assertIn(links[0], [html.unescape(x) for x in re.findall('href="([^"]*)"', self.get("/").text)])

    def test_the_whole_story_of_an_order(self):
        gate = self.sender()
        self.working(gate, "a")
        gate.feed({"op": "cancel", "clientOrderId": "a"})
        self.until(lambda: "canceled" in self.get("/order?id=a").text, "the end")
        answer = self.get("/order?id=a")
        told = html.unescape(re.search("<pre>(.*)</pre>", answer.text, re.S).group(1))
        self.assertTrue(told.startswith("order a of account PAPER0001: canceled\n  Buy 10 AAPL, to Open, Limit"), told)
        recorded = [line.split()[2] for line in told.partition("RECORDS\n")[2].splitlines()[1:]]
        self.assertEqual(recorded, [r["record"] for r in self.ledger("show", "a") if r["record"] != "decision"])
        self.assertEqual((answer.status, "form-action 'self'" in answer.fields["content-security-policy"]), (200, True))

    def test_orders_that_are_not_there(self):
        self.sender()
        self.until(lambda: self.get("/readyz").status == 200, "ready")
        for query in ("", "?", "?id=", "?id=nothing", "?i=a", "?id=" + "x" * 300, "?id=%00", "?id=a%00b", "?id=%ff",
                      "?id=<script>alert(1)</script>", "?id='%20OR%201=1--", "?id=../../etc/passwd"):
            answer = self.get("/order" + query)
            self.assertEqual(answer.status, 404, query)
            self.assertNotIn("<script>", answer.text)
            self.assertNotIn("root:", answer.text)
        self.assertIn("There are none.", self.get("/orders").text)
        self.assertIn("There are none.", self.get("/positions").text)
        for path in ("/orders", "/positions", "/order?id=a"):
            self.assertEqual(self.get(path, method="POST").status, 405)

    def test_positions(self):
        gate = self.sender()
        gate.feed(resting("a", limitPrice=195))
        self.until(lambda: any("filled" in row for row in self.rows("/orders")), "the fill")
        want, = self.ledger("positions")
        row, = self.until_rows("/positions", 1)
        self.assertEqual(row[:3], [want["accountId"], want["tag"] or "", want["symbol"]])
        self.assertEqual([float(n) for n in row[3:7]],
                         [want[key] for key in ("quantity", "priceAvg", "cost", "realizedPnl")])

    def until_rows(self, path, count):
        self.until(lambda: len(self.rows(path)) == count, path)
        return self.rows(path)

    def test_many_readers_cost_little(self):
        """A list is made once a second at most, however often it is asked."""
        gate = self.sender()
        self.working(gate, "a")
        self.until_rows("/orders", 1)
        began = time.monotonic()
        with self.connect() as s:
            ask = b"GET /orders HTTP/1.1\r\n" + HOST % self.port
            s.sendall((ask + b"\r\n") * 200 + ask + b"Connection: close\r\n\r\n")
            data = b""
            while piece := s.recv(1 << 20):
                data += piece
        made = re.findall(rb"As of <time>([^<]*)<", data)
        self.assertEqual(len(made), 201)
        self.assertLessEqual(len(set(made)), time.monotonic() - began + 2)

    def test_only_so_many(self):
        gate = self.sender()
        count = 230
        for i in range(count):
            gate.feed(resting(f"n{i}"))
        for i in range(count):
            gate.event("outcome", f"n{i}")
        listed = [r["clientOrderId"] for r in self.ledger("list")]
        self.assertEqual(len(listed), count)
        self.until(lambda: [row[1] for row in self.rows("/orders")] == listed[::-1][:200], "the newest")
        self.assertIn("There are more", self.get("/orders").text)


if __name__ == "__main__":
    main()
