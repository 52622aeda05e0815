"""Orders of an earlier run count for every later run until a reading of the account includes them, whatever the lists
show meanwhile.

Tested are every state in the ledger, every end of a run and every kind of order, with lists that lack the order and
with look-ups that find it or not. Of each symbol 100 may be held, sold short or closed; the earlier run has 90 of it
at the brokerage.
"""
import itertools
import json
import signal
import unittest

from fault_proxy import FaultProxy, answer
from paper import Paper
from parallel_unittest import WAITING, main
from sender import RUNNING, Sender, TempHome, resting

POLICY = """ordergate: 1
name: lags
extends: []
rules:
  position-limit: {level: refuse, shares: 100}
  close-position: {reasons: {close-exceeds-position: refuse}}
"""
EMPTY, NOWHERE = answer(200, b'{"orders":[]}', ["Content-Type: application/json"]), answer(404)
KINDS = {"open": {"symbol": "AAPL"},
         "short": {"symbol": "MSFT", "side": "Sell", "limitPrice": 900},
         "close": {"symbol": "NVDA", "side": "Sell", "openClose": "Close", "limitPrice": 900}}
ENDS = {"exit": None, "killed": signal.SIGKILL, "crashed": signal.SIGABRT}


def said(kind, status):
    """Returns an answer to the POST of that kind of order, with this status."""
    return answer(200, json.dumps({"clientOrderId": kind, "orderStatus": status, "accountId": "PAPER0001"}).encode(),
                  ["Content-Type: application/json"])


def behaviour(state, kind):
    return {"intended": (True, "hang"), "unknown": (True, "close"), "posted": (True, said(kind, "PendingNew")),
            "working": (True, said(kind, "New"))}[state]


class World(unittest.TestCase):
    kinds = KINDS

    def order(self, kind, order_id, **changes):
        return resting(order_id, **{"orderQuantity": 90, **self.kinds[kind], **changes})

    def world(self, state, end):
        """Make an earlier run that ended in this way, with an order of each kind at the brokerage, which the ledger
        has in that state."""
        paper, home = self.enterContext(Paper(clock=RUNNING)), self.enterContext(TempHome())
        paper.control("PUT", "positions/PAPER0001", [{"symbol": "NVDA", "side": "Long", "shares": 100, "priceAvg": 5,
                                                      "dayOvernight": "Day"}])
        args = ["--broker", home.file("b.yaml", "budgets: off\n"), "-p", home.file("p.yaml", POLICY)]
        with FaultProxy(paper, {kind: behaviour(state, kind) for kind in KINDS}, streams=False,
                        gets=self.lacks(True)) as b:
            with Sender(b.url, home, *args, "--timeout", "5m", "--wait", "1s" if end == "exit" else "5m") as one:
                one.feed(*(self.order(kind, kind) for kind in KINDS))
                for kind in KINDS:
                    b.wait_post(kind)
                    one.wait_row(f"id = '{kind}' AND state = '{state}'")
                    while '"orderStatus":"New"' not in paper.lookup(kind).text:
                        paper.control("PUT", "clock", {"advance": "1s"})
                (one.kill(ENDS[end]) if ENDS[end] else one.close_input()).process.wait()
        self.assertEqual({home.newest_row(kind)["state"] for kind in KINDS}, {state})
        return paper, home, args

    def lacks(self, lookups):
        return {"/orders": EMPTY, **({f"/order/{kind}": NOWHERE for kind in KINDS} if lookups else {})}

    def refuses(self, gate, quantity=90):
        for kind in self.kinds:
            order_id = f"{kind}{next(self.number)}"
            gate.feed(self.order(kind, order_id, orderQuantity=quantity))
            self.assertEqual(gate.event("outcome", order_id)["outcome"], "refused",
                             (order_id, gate.events_of("decision")[-1], gate.stderr))

    def readings(self, b, paper, gate, count):
        """Let the gate read the account that often, without a change that would explain it."""
        for _ in range(count):
            before = sum(path.endswith("/positions") for _, path in list(b.paths))
            paper.order(resting(f"other{next(self.number)}", symbol="TSLA", orderQuantity=1, limitPrice=1))
            while sum(path.endswith("/positions") for _, path in list(b.paths)) == before:
                self.refuses(gate)
        self.refuses(gate)

    def takes(self, gate, quantity):
        """Assert that an order of that quantity, which fits, is refused for at most a few readings."""
        for kind in self.kinds:
            for i in itertools.count():
                order_id = f"{kind}{next(self.number)}"
                gate.feed(self.order(kind, order_id, orderQuantity=quantity))
                if gate.event("outcome", order_id)["outcome"] == "working":
                    break
                self.assertLess(i, 2000, gate.stderr)


class Lags(World):
    def check(self, state, end):
        self.number = itertools.count()
        for lookups in (True, False):
            paper, home, args = self.world(state, end)
            with FaultProxy(paper, gets=self.lacks(lookups)) as b, Sender(b.url, home, *args) as two:
                self.refuses(two)
                self.readings(b, paper, two, 3)
                b.gets.clear()
                self.readings(b, paper, two, 2)
                self.takes(two, 10)
                self.refuses(two, 1)
                for kind in KINDS:
                    paper.cancel(kind)
                self.takes(two, 90)
                two.close_input().process.wait()

    def filled(self, state, end):
        self.number = itertools.count()
        for gets in ({}, self.lacks(False), self.lacks(True)):
            paper, home, args = self.world(state, end)
            for symbol, price in (("AAPL", 140), ("MSFT", 950), ("NVDA", 950)):
                paper.quote(symbol, price, price + 0.01)
            self.assertEqual({paper.lookup(kind).json["orderStatus"] for kind in KINDS}, {"Filled"})
            with FaultProxy(paper, gets=gets) as b, Sender(b.url, home, *args) as two:
                self.refuses(two)
                self.readings(b, paper, two, 2)
                two.close_input().process.wait()


def add(state, end):
    setattr(Lags, f"test_{state}_{end}", lambda self: self.check(state, end))
    setattr(Lags, f"test_{state}_{end}_filled", lambda self: self.filled(state, end))


for the_state in ("intended", "unknown", "posted", "working"):
    for the_end in ENDS:
        if (the_state, the_end) != ("intended", "exit"):
            add(the_state, the_end)


if __name__ == "__main__":
    main(WAITING)
