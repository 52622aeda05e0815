"""In a run of several hours the documents that are read now and then (routes, the inventory of locates) are read again
before they are too old for the policy, so ordinary orders are not refused."""
import itertools
import json
import time
import unittest

from paper import LIVE, Paper, assert_equal, stock
from parallel_unittest import main
from sender import Sender, TempHome

ACCOUNT = "LIVE0001"
MORNING = "2026-01-12T15:00:00Z@1"
POLICY = ("ordergate: 1\nname: hours\nmax_age: {routes: 1h, borrow: 5m, locates: 10s}\n"
          "rules: {borrow-locate: {level: refuse, unsure: refuse}, duplicate-order: off}\n")


def resting(order_id, **changes):
    """Return an order that differs from the last 50, so that it is not a repetition. All these orders together fit into
    the account's buying power, however many are tried."""
    resting.count += 1
    return stock(order_id, **{"route": "SMART", "limitPrice": 150, "orderQuantity": 1 + resting.count % 50, **changes})


resting.count = 0


def short(order_id):
    return resting(order_id, symbol="GME", side="Sell", limitPrice=90, orderQuantity=100)


class Refresh(unittest.TestCase):
    def setUp(self):
        self.p = self.enterContext(Paper(clock=MORNING))
        self.home = self.enterContext(TempHome())

    def gate(self, policy):
        return self.enterContext(Sender(self.p.url, self.home, "-p", policy, keys=LIVE,
                                        env={"ORDERGATE_ACCOUNT": ACCOUNT, "ORDERGATE_ENVIRONMENT": "live"}))

    def outcome(self, gate, order):
        gate.feed(order)
        told = gate.event("outcome", order["clientOrderId"])["outcome"]
        return told if told != "refused" else [f["message"]
                                               for f in gate.event("decision", order["clientOrderId"])["findings"]
                                               if f["level"] == "refuse"]

    def works_after(self, gate, order_id, by, order=resting):
        """Move the service's clock ahead. The sender learns this from the answer to its next order. Orders are refused
        because of old facts until a reading that began after that answer is complete, and no longer."""
        self.p.advance(by)
        self.works(gate, f"{order_id}-heard", resting)
        self.works(gate, order_id, order)

    def works(self, gate, order_id, order):
        until = time.monotonic() + 30
        for attempt in itertools.count():
            outcome = self.outcome(gate, order(f"{order_id}-{attempt}"))
            if outcome == "working":
                return
            if time.monotonic() > until:
                raise AssertionError(outcome)

    def test_routes(self):
        gate = self.gate("live")
        assert_equal(self.outcome(gate, resting("a")), "working")
        for hour in range(3):
            self.works_after(gate, f"later-{hour}", "61m")
        gate.finish()

    def test_locates(self):
        """Located shares can be sold short at any hour of the day's run."""
        def call(path, **body):
            return self.p.call("POST", "/v1/api/accounts/locates/" + path, json.dumps(body), keys=LIVE)

        assert_equal(call("quote", account=ACCOUNT, symbol="GME", quantity=300, quoteReqID="q").status, 200)
        self.p.advance("2s")
        assert_equal(call("accept", accountId=ACCOUNT, quoteReqID="q").status, 200)
        self.p.advance("2s")
        gate = self.gate(self.home.file("p.yaml", POLICY))
        assert_equal(self.outcome(gate, short("first")), "working")
        for later in range(2):
            self.works_after(gate, f"later-{later}", "31s", short)
        gate.finish()


if __name__ == "__main__":
    main()
