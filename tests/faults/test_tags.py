"""Tags: which strategy an order counts for, in what is posted, told and recorded, and in runs that come later."""
import json
import os
import subprocess
import unittest

from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send

POLICY = """ordergate: 1
name: tags
rules:
  order-tag: {level: refuse, known: [mm, alpha]}
  order-notional:
    level: refuse
    most: 5
    overrides:
      - match: {tag: mm}
        most: 10000
      - match: {tag: alpha}
        most: 40000
"""

LIMITS = """ordergate: 1
name: limits
rules:
  tag-limits:
    level: refuse
    a_day: 2
    overrides:
      - match: {tag: alpha}
        a_day: 3
"""


class Tags(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.policy = self.home.file("p.yaml", POLICY)

    def run_with(self, lines, *more):
        return send(self.paper.url, self.home, lines, "-p", self.policy, *more)[1]

    def reasons(self, gate, order_id):
        return [f["reason"] for f in gate.event("decision", order_id)["findings"] if f["level"] == "refuse"]

    def listed(self, *more):
        tool = os.path.join(os.environ["OG_BIN"], "ordergate-ledger")
        done = subprocess.run([tool, "--ledger", self.home.ledger, *more], capture_output=True, text=True, timeout=600)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_the_key(self):
        gate = self.run_with([resting("a", limitPrice=50, orderQuantity=300, tag="alpha"),
                              resting("b", limitPrice=50, orderQuantity=300, tag="mm"),
                              resting("c", limitPrice=50, orderQuantity=1, tag="new"), resting("d", limitPrice=50)])
        self.assertEqual([self.reasons(gate, i) for i in "abcd"],
                         [[], ["notional-above-limit"], ["notional-above-limit", "tag-unknown"],
                          ["notional-above-limit", "tag-missing"]])
        self.assertEqual(len(posts(self.paper)), 1)
        self.assertNotIn("tag", json.dumps(posts(self.paper)))
        for kind in ("decision", "posted", "outcome"):
            self.assertEqual(gate.event(kind, "a")["tag"], "alpha", kind)
        self.assertNotIn("tag", gate.event("decision", "c"))
        self.assertEqual({(r["id"], r["record"], r["tag"]) for r in self.home.rows("id IN ('a', 'c')")} &
                         {("a", "intent", "alpha"), ("a", "update", "alpha"), ("c", "decision", None)},
                         {("a", "intent", "alpha"), ("a", "update", "alpha"), ("c", "decision", None)})
        self.assertEqual([r["clientOrderId"] for r in self.listed("--tag", "alpha", "list")], ["a"])
        self.assertEqual([r["clientOrderId"] for r in self.listed("--tag", "mm", "list")], ["b"])
        self.assertEqual(self.listed("verify")[-1]["faults"], 0)

    def test_a_client(self):
        gate = self.run_with([resting("a", limitPrice=50, orderQuantity=300, tag="alpha"),
                              resting("b", limitPrice=50, orderQuantity=300), resting("c", limitPrice=50)],
                             "--tag", "mm")
        self.assertEqual([self.reasons(gate, i) for i in "abc"],
                         [["notional-above-limit", "tag-conflict"], ["notional-above-limit"], []])
        self.assertEqual([gate.event("decision", i)["tag"] for i in "abc"], ["mm"] * 3)

    def test_a_run_that_was_killed(self):
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            gate.feed(resting("a", limitPrice=50, tag="alpha"))
            gate.event("outcome", "a")
            gate.kill().process.wait()
        # the next run finds tags elsewhere: the order keeps its own
        self.policy = self.home.file("q.yaml", POLICY.replace("known:", "from: client, known:"))
        gate = self.run_with([{"op": "cancel", "clientOrderId": "a"}], "--tag", "mm")
        self.assertEqual({e["tag"] for kind in ("cancel", "outcome") for e in gate.events_of(kind, "a")}, {"alpha"})
        rows = self.home.rows("id = 'a' AND record IN ('intent', 'update', 'outcome', 'cancel')")
        self.assertEqual({r["tag"] for r in rows}, {"alpha"})

    def positions(self, *more):
        return [(r["tag"], r["symbol"], r["quantity"], r["priceAvg"], r["cost"], r["realizedPnl"], r["realizedLastDay"])
                for r in self.listed(*more, "positions")]

    def test_positions(self):
        """By the fills of each strategy's orders, over two runs: an order that closes for the account may open for its
        strategy."""
        self.policy = self.home.file("n.yaml", "ordergate: 1\nname: n\nextends: []\n")
        for price, lines in ((150, [("a", "Buy", 10, "mm"), ("b", "Buy", 3, "alpha")]),
                             (160, [("c", "Sell", 4, "mm"), ("d", "Sell", 5, "alpha"), ("e", "Buy", 1, None)])):
            self.paper.quote("AAPL", price, price, price)
            with Sender(self.paper.url, self.home, "-p", self.policy, "--until", "final") as gate:
                for order_id, side, quantity, tag in lines:
                    gate.feed(resting(order_id, limitPrice=price, side=side, orderQuantity=quantity,
                                      openClose="Open" if side == "Buy" else "Close", **({"tag": tag} if tag else {})))
                    gate.event("outcome", order_id, outcome="filled")
        self.assertEqual(self.positions(), [
            ("mm", "AAPL", 6, 150, 900, 40, 40), ("alpha", "AAPL", -2, 160, -320, 30, 30),
            (None, "AAPL", 1, 160, 160, 0, 0)])
        self.assertEqual([p[0] for p in self.positions("--tag", "mm")], ["mm"])

    def test_limits_of_a_strategy(self):
        """The limits count what a killed run sent, and what another sender of the ledger sends, each order for its
        strategy."""
        self.policy = self.home.file("l.yaml", LIMITS)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            gate.feed(resting("a", limitPrice=50, tag="mm"), resting("b", limitPrice=50, tag="alpha"))
            gate.event("outcome", "b")
            gate.kill().process.wait()
        share = ("-p", self.policy, "--share-account")
        with Sender(self.paper.url, self.home, *share) as gate, Sender(self.paper.url, self.home, *share) as other:
            gate.feed(resting("c", limitPrice=50, tag="mm"))
            gate.event("outcome", "c")
            other.feed(resting("d", limitPrice=50, tag="mm"), resting("e", limitPrice=50, tag="alpha"),
                       resting("f", limitPrice=50))
            other.event("outcome", "f")
            gate.feed(resting("g", limitPrice=50, tag="alpha"), resting("h", limitPrice=50, tag="alpha"))
            gate.event("outcome", "h")
            self.assertEqual([self.reasons(gate, i) for i in "cgh"], [[], [], ["tag-orders-a-day-above-limit"]])
            self.assertEqual([self.reasons(other, i) for i in "def"],
                             [["tag-orders-a-day-above-limit"], [], ["tag-limits-without-tag"]])


if __name__ == "__main__":
    main()
