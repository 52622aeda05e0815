"""An order that opens was filled in part, and the positions and the list of orders may not show that yet. A replacement
of more than what is left is refused before the old order is canceled, so that the old order keeps working."""
import unittest

from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts

POLICY = """ordergate: 1
extends: [default]
rules:
  replace-order: {reasons: {replace-before-canceled: refuse}}
"""
# prices at which an order rests, and a quote that fills it
PRICES = {("SPY", "Buy"): (499, (498.9, 499)), ("SPY", "Sell"): (501, (501, 501.1)),
          ("AAPL", "Buy"): (189, (188.9, 189)), ("AAPL", "Sell"): (191, (191, 191.1))}
REST = {"SPY": (499.98, 500.02), "AAPL": (189.98, 190.02)}  # quotes at which the orders rest


def order(order_id, symbol, side, quantity, **more):
    return stock(order_id, symbol=symbol, side=side, openClose="Open", orderQuantity=quantity,
                 limitPrice=PRICES[symbol, side][0], **more)


class ReplaceFills(unittest.TestCase):
    def setUp(self):
        self.p = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.policy = self.home.file("p.yaml", POLICY)
        for symbol in REST:
            self.p.quote(symbol, *REST[symbol])

    def sender(self, settle):
        return self.enterContext(Sender(self.p.url, self.home, "-p", self.policy, env={"ORDERGATE_SETTLE": settle}))

    def fill(self, symbol, side):
        """Fill 2 of the order. What is left works on, at a price that the market does not reach."""
        self.p.quote(symbol, *PRICES[symbol, side][1], bidSize=2, askSize=2)
        self.p.quote(symbol, *REST[symbol])

    def canceled(self):
        return [r["path"] for r in self.p.control("GET", "requests?since=0")["requests"] if r["method"] == "DELETE"]

    def too_much(self, gate, symbol, side):
        """Give a replacement of more than what is left."""
        gate.feed(order("new", symbol, side, 3, replaces="old"))
        told = gate.event("outcome", "new")
        findings = gate.event("decision", "new")["findings"]
        self.assertEqual([(f["reason"], f["message"]) for f in findings if f["level"] == "refuse"],
                         [("replace-before-canceled",
                           "the order 'old' that this one replaces has filled since; left of it are 2")])
        self.assertEqual((told["outcome"], self.canceled(), len(posts(self.p, "new"))), ("refused", [], 0))
        self.assertIn("left as it is", told["text"])
        self.assertEqual(self.p.lookup("old").json["orderStatus"], "PartiallyFilled")

    def own(self, symbol, side, settle):
        gate = self.sender(settle)
        gate.feed(order("old", symbol, side, 4))
        gate.event("outcome", "old", outcome="working")
        self.fill(symbol, side)
        gate.event("update", "old", executed=2)
        self.too_much(gate, symbol, side)
        return gate

    def test_at_once(self):
        gate = self.own("SPY", "Buy", "0s")
        gate.feed(order("left", "SPY", "Buy", 2, replaces="old", timeInForce="GoodTillCancel"))
        self.assertEqual(gate.event("outcome", "left")["outcome"], "working", gate.events[-4:])
        self.assertEqual(len(self.canceled()), 1)

    def test_readings_lag_as_a_live_account_does(self):
        self.own("SPY", "Buy", "2s")

    def test_readings_lag_for_longer(self):
        self.own("AAPL", "Buy", "60s")

    def test_a_short_sale(self):
        self.own("SPY", "Sell", "2s")

    def test_a_short_sale_whose_reading_lags_for_longer(self):
        self.own("AAPL", "Sell", "60s")

    def test_the_list_cannot_be_read(self):
        gate = self.sender("0s")
        gate.feed(order("old", "SPY", "Buy", 4))
        gate.event("outcome", "old", outcome="working")
        self.p.control("POST", "faults", {"on": "GET orders", "do": "status", "status": 500, "count": 1000})
        self.fill("SPY", "Buy")
        gate.event("update", "old", executed=2)
        self.too_much(gate, "SPY", "Buy")

    def test_an_order_of_another_sender(self):
        """The other sender's record tells the fill."""
        first, second = self.sender("60s"), self.sender("60s")
        second.feed(stock("begin", symbol="F", orderQuantity=1, limitPrice=1))
        second.event("outcome", "begin")
        first.feed(order("old", "SPY", "Buy", 4))
        first.event("outcome", "old", outcome="working")
        self.fill("SPY", "Buy")
        first.event("update", "old", executed=2)
        self.too_much(second, "SPY", "Buy")

    def test_an_order_of_an_earlier_run(self):
        with Sender(self.p.url, self.home, "-p", self.policy, lines=[order("old", "SPY", "Buy", 4)]) as before:
            self.assertEqual(before.finish(), 0, before.stderr)
        gate = self.sender("5s")
        gate.event("update", "old", orderStatus="New")
        self.fill("SPY", "Buy")
        gate.event("update", "old", executed=2)
        self.too_much(gate, "SPY", "Buy")

    def test_an_order_of_somebody_else(self):
        gate = self.sender("5s")
        self.assertEqual(self.p.order(order("old", "SPY", "Buy", 4)).status, 200)
        gate.feed(stock("begin", symbol="F", orderQuantity=1, limitPrice=1))
        gate.event("outcome", "begin")
        self.fill("SPY", "Buy")
        gate.event("external", "old", executed=2)
        self.too_much(gate, "SPY", "Buy")


if __name__ == "__main__":
    main()
