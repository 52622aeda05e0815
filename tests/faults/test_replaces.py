"""A replacement is decided without the old order before anything is canceled: one that is refused even so leaves the
old order at work, and one that only the old order stands in the way of takes its place. Under three policies, each
with limits added."""
import datetime
import json
import os
import subprocess
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


# by what is limited: the old order; one that is refused without it too, and the reason; one that is not
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
OLD = [kind[0] for kind in KINDS.values()]
BAD = [(kind[1][0], {**kind[1][1], "replaces": kind[0]["clientOrderId"]}) for kind in KINDS.values()]
NEW = [{**kind[2], "replaces": kind[0]["clientOrderId"]} for kind in KINDS.values()]
BEGINS = datetime.datetime.fromisoformat(REGULAR.replace("Z", "+00:00"))
QUOTED_AT = (BEGINS - datetime.timedelta(seconds=1)).isoformat()
QUOTES = [{"op": "quote", "symbol": symbol, "bid": bid, "ask": ask, "last": ask, "asOf": QUOTED_AT}
          for symbol, (bid, ask) in QUOTED.items()]
GATE = os.path.join(os.environ["OG_BIN"], "ordergate")


def canceled(paper):
    seen = paper.control("GET", "requests?since=0")["requests"]
    return [r["path"].rsplit("/", 1)[1] for r in seen if r["method"] == "DELETE"]


class Replaces(unittest.TestCase):
    def one(self, gate, line, reasons):
        """The line is refused for these reasons, or works where there are none."""
        told = gate.event("outcome", line["clientOrderId"])
        findings = gate.event("decision", line["clientOrderId"])["findings"]
        refused = {f["reason"]: f["message"] for f in findings if f["level"] == "refuse"}
        self.assertEqual((list(refused), told["outcome"]), (reasons, "refused" if reasons else "working"), refused)
        if reasons:
            self.assertIn("left as it is", told["text"])

    def setUp(self):
        self.paper = p = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        p.control("PUT", "positions/" + ACCOUNT, [{"symbol": symbol, "side": "Long", "shares": shares,
                                                   "priceAvg": price, "dayOvernight": "Day"}
                                                  for symbol, shares, price in HELD])
        p.control("PUT", "accounts/" + ACCOUNT, {"bp": 100000})
        for symbol, (bid, ask) in QUOTED.items():
            p.quote(symbol, bid, ask)

    def sender(self, limits, *args):
        return Sender(self.paper.url, self.home, "-p", limits, "--trust-input", *args, keys=LIVE,
                      env={"ORDERGATE_ACCOUNT": ACCOUNT, "ORDERGATE_ENVIRONMENT": "live"}).feed(*QUOTES)

    def facts(self):
        """What an offline check is given of the account, and its time."""
        answers = {key: self.paper.get(f"accounts/{ACCOUNT}/{key}", keys=LIVE).json
                   for key in ("positions", "orders", "routes", "pnl")}
        now = self.paper.advance("1s")
        return now, {"asOf": now, "accountId": ACCOUNT, **answers, "locateInventory": [], "borrow": {},
                     "account": self.paper.get("account/" + ACCOUNT, keys=LIVE).json, "gate": {},
                     "accountList": self.paper.get("accounts", keys=LIVE).json,
                     "usedClientOrderIds": list(KINDS),
                     "quotes": {q["symbol"]: {k: q[k] for k in ("bid", "ask", "last")} for q in QUOTES}}

    def check(self, limits, lines):
        """Decide them offline; returns the lines for send, and the decisions of those that are refused."""
        now, facts = self.facts()
        path, rejects = self.home.file("facts.json", json.dumps(facts)), os.path.join(self.home.path, "rejects")
        done = subprocess.run([GATE, "check", "-p", limits, "-f", path, "--at", now, "--emit", "lines", "--rejects",
                               rejects], input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True,
                              text=True, timeout=60)
        with open(rejects, encoding="utf-8") as f:
            return done.stdout.splitlines(), [json.loads(line) for line in f]

    def through_check(self, policy):
        """`check --emit lines | send`: the old orders work, and one that replaces each is decided twice."""
        limits = self.home.file("limits.yaml", LIMITS.format(policy))
        # last what sells to open: what the old order took of buying power is not known then, and none comes back
        new = sorted(NEW, key=lambda line: line["clientOrderId"] == "cover-new")
        with self.sender(limits) as gate:
            gate.feed(*OLD)
            for line in OLD:
                self.one(gate, line, [])
            gate.finish()
        passed, refused = self.check(limits, [x[1] for x in BAD] + new)
        self.assertEqual([[f["reason"] for f in d["findings"] if f["level"] == "refuse"] for d in refused],
                         [[reason] for reason, _ in BAD], refused[len(BAD):])
        self.assertEqual([(json.loads(x)["clientOrderId"], json.loads(x)["replaces"]) for x in passed],
                         [(x["clientOrderId"], x["replaces"]) for x in new])
        with self.sender(limits, "--dry-run") as gate:
            gate.feed(*[x[1] for x in BAD], new[0])
            gate.finish()
        self.assertEqual({i for i, outcome in gate.outcomes().items() if outcome == "refused"},
                         {x[1]["clientOrderId"] for x in BAD})
        self.assertEqual((canceled(self.paper), len(posts(self.paper))), ([], len(OLD)))
        with self.sender(limits) as gate:
            gate.feed(*passed)
            for line in new:
                self.one(gate, line, [])
            gate.finish()
        self.assertEqual(sorted(canceled(self.paper)), sorted(KINDS))

    def replaced(self, policy, apart=False):
        """In one run, or in one for the old orders and one for those that replace them."""
        old, bad, new, p = OLD, BAD, NEW, self.paper
        limits = self.home.file("limits.yaml", LIMITS.format(policy))
        for batch in [[old], [[x[1] for x in bad]], [new]] if apart else [[old, [x[1] for x in bad], new]]:
            with self.sender(limits) as gate:
                for lines in batch:
                    gate.feed(*lines)
                    for line in lines:
                        self.one(gate, line, [reason for reason, x in bad if x is line])
                    if lines is not new:
                        self.assertEqual((canceled(p), len(posts(p))), ([], len(old)))
                gate.finish()
        self.assertEqual(sorted(canceled(p)), sorted(KINDS))
        self.assertEqual({o["clientOrderId"] for o in p.control("GET", "orders")["orders"]
                          if o["orderStatus"] == "New"}, {line["clientOrderId"] for line in new})

    def test_default(self):
        self.replaced("default")

    def test_live(self):
        self.replaced("live")

    def test_cautious(self):
        self.replaced("cautious")

    def test_through_check_default(self):
        self.through_check("default")

    def test_through_check_live(self):
        self.through_check("live")

    def test_through_check_cautious(self):
        self.through_check("cautious")

    def test_of_an_earlier_run(self):
        self.replaced("live", apart=True)


if __name__ == "__main__":
    main()
