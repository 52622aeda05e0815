"""Who may write orders may not state facts: facts and quotes in the input are refused, and change nothing."""
import datetime
import json
import os
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import REGULAR, Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send

POLICY = ("ordergate: 1\nname: p\nrules:\n  price-collar: {level: refuse, away: 1%, reasons: {limit-away-from-quote: "
          "refuse}}\n"
          "  buying-power: refuse\n  order-rate: {level: refuse, a_day: 2}\n  trading: refuse\n")
RICH = {"op": "facts", "asOf": REGULAR, "account": {"bp": 1e8, "overnightBp": 1e8, "equity": 1e8, "availableCash": 1e8,
                                                    "accountStatus": "Active", "optLevel": 4}}
QUOTE = {"op": "quote", "symbol": "AAPL", "bid": 900, "ask": 901, "last": 900, "asOf": REGULAR}


class Trust(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.policy = self.home.file("p.yaml", POLICY)

    def refused(self, injected, order, reason, *args, **more):
        """Assert that the order is refused, even behind the line that would let it pass."""
        with Sender(self.paper.url, self.home, "-p", self.policy, *args, **more) as gate:
            gate.feed(dict(order, clientOrderId="before"))
            self.assertEqual(gate.event("outcome", "before")["outcome"], "refused")
            gate.feed(*injected, dict(order, clientOrderId="behind"))
            self.assertEqual(gate.event("outcome", "behind")["outcome"], "refused")
            self.assertIn(reason, [f["reason"] for f in gate.event("decision", "behind")["findings"]])
            for line in range(2, 2 + len(injected)):
                self.assertEqual(gate.event("outcome", line=line)["outcome"], "refused")
                found = gate.event("decision", line=line)["findings"]
                self.assertEqual([(f["rule"], f["reason"], f["level"]) for f in found],
                                 [("order-form", "input-not-trusted", "refuse")])
            self.assertEqual(gate.finish(2 + len(injected)), 1)
        self.assertEqual(posts(self.paper), [])

    def test_an_account_that_is_richer(self):
        self.refused([RICH], resting(orderQuantity=100000), "buying-power-exceeded")

    def test_an_account_that_is_richer_and_named(self):
        self.refused([dict(RICH, accountId="PAPER0001")], resting(orderQuantity=100000), "buying-power-exceeded")

    def test_a_quote_that_makes_a_limit_near(self):
        quotes = self.home.file("quotes", json.dumps({k: v for k, v in dict(QUOTE, bid=190, ask=190.02, last=190,
                                                                            asOf=REGULAR).items() if k != "op"}) + "\n")
        self.refused([QUOTE, dict(QUOTE, clientOrderId="x", securityType="Stock")], resting(limitPrice=900),
                     "limit-away-from-quote", "--quotes", quotes)

    def test_a_day_without_orders(self):
        """Counts are facts."""
        send(self.paper.url, self.home, [resting("a"), resting("b")], "-p", self.policy)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            gate.feed({"op": "facts", "asOf": REGULAR, "gate": {"ordersToday": 0, "ordersLastMinute": 0}}, resting("c"))
            self.assertEqual(gate.event("outcome", "c")["outcome"], "refused")
            gate.finish(2)

    def test_facts_under_the_id_of_an_order_that_was_sent(self):
        """A line of facts is not taken for an order that was read before, even if it has that order's id."""
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            gate.finish(1)
        code, gate = send(self.paper.url, self.home, [dict(resting("a"), op="facts")], "-p", self.policy)
        self.assertEqual((code, gate.outcomes()), (1, {"a": "refused"}))

    def test_a_dry_run(self):
        code, gate = send(self.paper.url, self.home, [RICH, QUOTE], "--dry-run")
        self.assertEqual((code, {e["outcome"] for e in gate.events_of("outcome")}), (1, {"refused"}))

    def test_who_may(self):
        """With --trust-input, facts in the input that are newer than those that the sender read are used."""
        with Sender(self.paper.url, self.home, "-p", self.policy, "--trust-input") as gate:
            gate.feed(QUOTE, resting("near"))
            now = gate.event("outcome", "near")["at"]
            gate.feed(dict(RICH, asOf=now, account=dict(RICH["account"], accountStatus="Closed")), resting("closed"))
            gate.finish(2)
        self.assertEqual(gate.outcomes()["closed"], "refused")

    def test_the_filter(self):
        facts = self.home.file("facts.json", json.dumps({"quotes": {"AAPL": dict(QUOTE, bid=190,
                                                                                 ask=190.02)}}))
        lines = "".join(json.dumps(line) + "\n"
                        for line in (QUOTE, RICH, {"op": "heartbeat"}, resting("o", limitPrice=900)))

        def check(*args):
            p = subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate"), "check", "-p", self.policy,
                                "-f", facts,
                                "--at", REGULAR, *args], input=lines, capture_output=True, text=True, timeout=600)
            return p.returncode, [json.loads(line) for line in p.stdout.splitlines()]
        code, trusting = check()
        self.assertEqual([d["line"] for d in trusting], [4])
        self.assertNotIn("limit-away-from-quote", [f["reason"] for f in trusting[0]["findings"]])
        code, told = check("--orders-only")
        self.assertEqual((code, [d["line"] for d in told]), (1, [1, 2, 4]))
        self.assertEqual([[f["reason"] for f in d["findings"]] for d in told[:2]], [["input-not-trusted"]] * 2)
        self.assertIn("limit-away-from-quote", [f["reason"] for f in told[2]["findings"]])
        for emit in ("orders", "bodies"):
            code, written = check("--orders-only", "--emit", emit)
            self.assertEqual((code, written), (1, []))


class DatedAhead(unittest.TestCase):
    """Another clock has dated facts ahead of the sender's clock: the broker's own documents replace them."""

    RULES = ("ordergate: 1\nname: p\nunsure: refuse\nrules:\n  position-limit: {level: refuse, shares: 500}\n"
             "  open-orders: {level: refuse, in_total: 5}\n  buying-power: refuse\n  close-position: refuse\n")
    ACCOUNT = {**RICH["account"], "bp": 1, "overnightBp": 1}

    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.policy = self.home.file("p.yaml", self.RULES)
        self.paper.control("PUT", "positions/PAPER0001", [
            {"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190, "dayOvernight": "Day"}])
        self.broker = self.enterContext(FaultProxy(self.paper))

    def facts(self, key, value):
        now = datetime.datetime.fromisoformat(self.paper.advance("0s"))
        return {"accountId": "PAPER0001", "asOf": (now + datetime.timedelta(seconds=50)).isoformat(), key: value}

    def decides_by_readings(self, gate):
        gate.feed(resting("a"), stock("b", side="Sell", openClose="Close", limitPrice=250, orderQuantity=300))
        self.assertEqual([gate.event("outcome", i)["outcome"] for i in "ab"], ["working", "refused"], gate.stderr)
        self.assertIn("in the future", gate.stderr)
        gate.kill()

    def test_files(self):
        for key, value in (("positions", []), ("orders", []), ("account", self.ACCOUNT)):
            with self.subTest(key):
                self.setUp()
                path = self.home.file("facts.json", json.dumps(self.facts(key, value)))
                with Sender(self.broker.url, self.home, "-p", self.policy, "-f", path) as gate:
                    self.decides_by_readings(gate)

    def test_lines(self):
        for key, value in (("positions", []), ("orders", []), ("account", self.ACCOUNT)):
            with self.subTest(key):
                self.setUp()
                with Sender(self.broker.url, self.home, "-p", self.policy, "--trust-input") as gate:
                    gate.feed(resting("first", limitPrice=149))
                    gate.event("outcome", "first")
                    gate.feed({"op": "facts", **self.facts(key, value)}, {"op": "cancel", "clientOrderId": "first"})
                    gate.event("outcome", "first", op="cancel")
                    for _ in range(2):
                        seen = sum(path.endswith("/positions") for _, path in self.broker.paths)
                        gate.feed({"op": "cancel", "clientOrderId": f"nobody's{seen}"})
                        self.broker.wait_path("/positions", seen + 1)
                    self.broker.wait_idle()
                    self.decides_by_readings(gate)


if __name__ == "__main__":
    main()
