"""A replacement is decided without the old order before anything is canceled. If it is refused even then, the old
order stays working; if only the old order prevents it, it takes the old order's place. Tested under three policies,
each with limits added."""
import contextlib
import datetime
import json
import unittest

from paper import LIVE, REGULAR, Paper, occ, option, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts

ACCOUNT = "LIVE0001"  # bp 100,000
CALL = occ("SPY", strike=520)
LIMITS = """ordergate: 1
extends: [{}]
max_age: {{quotes: 1h}}
rules:
  position-limit: {{level: refuse, shares: 600}}
  open-orders: {{level: refuse, of_symbol: 1}}
  uncovered-options: {{level: refuse, allow: none}}
  duplicate-order: {{reasons: {{duplicate-working-order: refuse}}}}
  close-position: {{reasons: {{close-exceeds-position: refuse, flatten-with-working-orders: refuse}}}}
  replace-order: {{reasons: {{replace-before-canceled: refuse}}}}
  concentration: off
  order-notional: {{level: refuse, most: 200000}}
custom:
  - {{id: one-at-a-time, require: position.openOrders < 1, message: another order of the symbol works}}
"""
HELD = [("MSFT", 100, 420), ("SPY", 100, 500)]
QUOTED = {"AAPL": (189.99, 190.01), "MSFT": (419.98, 420.02), "SPY": (499.98, 500.02), "F": (11.99, 12.01),
          "NVDA": (139.99, 140.01), CALL: (3.00, 3.04)}


def order(order_id, symbol, quantity, price, **changes):
    return stock(order_id, **{"symbol": symbol, "orderQuantity": quantity, "limitPrice": price, "route": "SMART",
                              **changes})


def closing(order_id, quantity, price, **changes):
    return order(order_id, "MSFT", quantity, price, side="Sell", openClose="Close", **changes)


def call(order_id, quantity, price):
    return option(order_id, symbol=CALL, side="Sell", orderQuantity=quantity, limitPrice=price, route="SMARTO")


# for each limit: the old order; a replacement that is refused even without the old order, with the reason; a
# replacement that is accepted
KINDS = {
    "power": (order("power", "AAPL", 400, 185),
              ("buying-power-exceeded", order("power-bad", "AAPL", 560, 185)),
              order("power-new", "AAPL", 480, 185.2)),
    "position": (order("position", "F", 400, 11.7),
                 ("position-above-limit", order("position-bad", "F", 601, 11.7)),
                 order("position-new", "F", 600, 11.8)),
    "close": (closing("close", 100, 430),
              ("close-exceeds-position", closing("close-bad", 101, 431)),
              closing("close-new", 100, 431)),
    "cover": (call("cover", 1, 3.2), ("option-uncovered", call("cover-bad", 2, 3.2)), call("cover-new", 1, 3.3)),
    "terms": (order("terms", "NVDA", 10, 135),
              ("limit-price-not-positive", order("terms-bad", "NVDA", 10, -1)),
              order("terms-new", "NVDA", 10, 135, timeInForce="GoodTillCancel")),
}


def canceled(paper):
    seen = paper.control("GET", "requests?since=0")["requests"]
    return [r["path"].rsplit("/", 1)[1] for r in seen if r["method"] == "DELETE"]


class Replaces(unittest.TestCase):
    def one(self, gate, line, reasons):
        """Assert that the line is refused for these reasons, or works if there are none."""
        told = gate.event("outcome", line["clientOrderId"])
        findings = gate.event("decision", line["clientOrderId"])["findings"]
        refused = {f["reason"]: f["message"] for f in findings if f["level"] == "refuse"}
        self.assertEqual((list(refused), told["outcome"]), (reasons, "refused" if reasons else "working"), refused)
        if reasons:
            self.assertIn("left as it is", told["text"])

    def replaced(self, policy, apart=False):
        """Replace orders within one run, or with one run for the old orders and one for the new ones."""
        old = [kind[0] for kind in KINDS.values()]
        bad = [(kind[1][0], {**kind[1][1], "replaces": kind[0]["clientOrderId"]}) for kind in KINDS.values()]
        over = bad[list(KINDS).index("close")][1]  # it sells short what exceeds the position
        new = [{**kind[2], "replaces": kind[0]["clientOrderId"]} for kind in KINDS.values()]
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("PUT", "positions/" + ACCOUNT, [{"symbol": symbol, "side": "Long", "shares": shares,
                                                       "priceAvg": price, "dayOvernight": "Day"}
                                                      for symbol, shares, price in HELD])
            p.control("PUT", "accounts/" + ACCOUNT, {"bp": 100000})
            for symbol, (bid, ask) in QUOTED.items():
                p.quote(symbol, bid, ask)
            limits = home.file("limits.yaml", LIMITS.format(policy))
            now = (datetime.datetime.fromisoformat(REGULAR.replace("Z", "+00:00"))
                   - datetime.timedelta(seconds=1)).isoformat()
            quotes = [{"op": "quote", "symbol": symbol, "bid": bid, "ask": ask, "last": ask, "asOf": now}
                      for symbol, (bid, ask) in QUOTED.items()]
            for batch in [[old], [[x[1] for x in bad]], [new]] if apart else [[old, [x[1] for x in bad], new]]:
                with Sender(p.url, home, "-p", limits, "--trust-input", keys=LIVE,
                            env={"ORDERGATE_ACCOUNT": ACCOUNT, "ORDERGATE_ENVIRONMENT": "live"}) as gate:
                    gate.feed(*quotes)
                    for lines in batch:
                        gate.feed(*lines)
                        for line in lines:
                            self.one(gate, line, [reason for reason, x in bad if x is line]
                                     + (["short-not-easy"] if line is over and policy == "cautious" else []))
                        if lines is not new:
                            self.assertEqual((canceled(p), len(posts(p))), ([], len(old)))
                    gate.finish()
            self.assertEqual(sorted(canceled(p)), sorted(KINDS))
            self.assertEqual({o["clientOrderId"] for o in p.control("GET", "orders")["orders"]
                              if o["orderStatus"] == "New"}, {line["clientOrderId"] for line in new})

    def refused_before(self, *more, hang=False, apart=False):
        """Assert that a replacement of an order that was refused reads and cancels nothing."""
        bad = closing("bad", 200, 430)
        new = {**closing("new", 100, 431), "replaces": "bad"}
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("PUT", "positions/" + ACCOUNT, [{"symbol": "MSFT", "side": "Long", "shares": 100, "priceAvg": 420,
                                                      "dayOvernight": "Day"}])
            with contextlib.ExitStack() as stack:
                def begin():
                    return stack.enter_context(Sender(p.url, home, "-p", "live", *more, keys=LIVE, env={
                        "ORDERGATE_ACCOUNT": ACCOUNT, "ORDERGATE_ENVIRONMENT": "live"}))
                gate = begin()
                gate.feed(bad)
                self.assertEqual(gate.event("outcome", "bad")["outcome"], "refused")
                if apart:
                    gate.finish(1)
                    gate = begin()
                    gate.feed(closing("works", 1, 440))
                    gate.event("outcome", "works", outcome="working")
                if hang:
                    for path in ("orders", "positions"):
                        p.control("POST", "faults", {"on": "GET " + path, "do": "hang", "count": 1000000})
                told = gate.feed(new).event("outcome", "new")
                self.assertEqual((told["outcome"], told["text"]),
                                 ("refused", "the order 'bad' that it replaces was refused and never sent"))
                self.assertEqual(gate.event("decision", "new")["verdict"], "refuse")
                self.assertEqual(gate.events_of("held", "new"), [])
            self.assertEqual((canceled(p), [json.loads(r["body"])["clientOrderId"] for r in posts(p)]),
                             ([], ["works"] if apart else []))

    def test_of_one_that_was_refused(self):
        self.refused_before()

    def test_of_one_that_was_refused_while_nothing_can_be_read(self):
        self.refused_before(hang=True)

    def test_of_one_that_an_earlier_run_refused(self):
        self.refused_before(apart=True)

    def test_of_somebody_elses_order_with_the_id(self):
        """The order works, so the line replaces it."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("PUT", "positions/" + ACCOUNT, [{"symbol": "MSFT", "side": "Long", "shares": 100, "priceAvg": 420,
                                                      "dayOvernight": "Day"}])
            env = {"ORDERGATE_ACCOUNT": ACCOUNT, "ORDERGATE_ENVIRONMENT": "live"}
            with Sender(p.url, home, "-p", "live", keys=LIVE, env=env) as gate:
                gate.feed(closing("same", 200, 430))
                gate.event("outcome", "same", outcome="refused")
                self.assertEqual(p.order(closing("same", 100, 432), ACCOUNT).status, 200)
                gate.event("external", "same")
                gate.feed({**closing("new", 100, 431), "replaces": "same"})
                self.assertEqual(gate.event("outcome", "new")["outcome"], "working", gate.events)
            self.assertEqual(canceled(p), ["same"])

    def test_of_one_without_a_name(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed({**stock("new"), "replaces": ""})
            self.assertEqual(gate.event("outcome", "new")["outcome"], "refused")
            findings = gate.event("decision", "new")["findings"]
            self.assertEqual(([f["reason"] for f in findings if f["level"] == "refuse"], posts(p)),
                             (["replaces-empty"], []))

    def test_default(self):
        self.replaced("default")

    def test_live(self):
        self.replaced("live")

    def test_cautious(self):
        self.replaced("cautious")

    def test_of_an_earlier_run(self):
        self.replaced("live", apart=True)


if __name__ == "__main__":
    main()
