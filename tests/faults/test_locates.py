"""Shares are located between two lines: a short sale is not refused for lack of locates because of an inventory that
was read before its line. The sender uses the machine's clock here, so that moving the brokerage's clock on for a
locate makes no facts older."""
import json
import unittest

from paper import LIVE, Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome

ACCOUNT = "LIVE0001"
EASY = {"symbol": "AAPL"}
POLICY = "ordergate: 1\nname: locates\nextends: []\nrules: {%s}\n%s"


def short(order_id, quantity=100):
    return stock(order_id, symbol="GME", side="Sell", route="SMART", limitPrice=90, orderQuantity=quantity)


class Locates(unittest.TestCase):
    def world(self, rules="borrow-locate: refuse", custom="", settle="0s"):
        self.p = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.policy, self.settle = self.home.file("p.yaml", POLICY % (rules, custom)), settle
        self.gate = self.sender()

    def sender(self):
        return self.enterContext(Sender(
            self.p.url, self.home, "-p", self.policy, keys=LIVE,
            env={"ORDERGATE_ACCOUNT": ACCOUNT, "ORDERGATE_ENVIRONMENT": "live", "ORDERGATE_CLOCK": "real",
                 "ORDERGATE_SETTLE": self.settle}))

    def locate(self, quantity):
        def call(path, **body):
            reply = self.p.call("POST", "/v1/api/accounts/locates/" + path, json.dumps(body), keys=LIVE)
            self.assertEqual(reply.status, 200)

        self.p.advance("31s")  # an earlier offer of the symbol has expired
        call("quote", account=ACCOUNT, symbol="GME", quantity=quantity, quoteReqID=f"q{quantity}")
        self.p.advance("2s")
        call("accept", accountId=ACCOUNT, quoteReqID=f"q{quantity}")
        self.p.advance("2s")

    def ends(self, order, outcome):
        self.gate.feed(order)
        event = self.gate.event("outcome", order["clientOrderId"])
        self.assertEqual(event["outcome"], outcome, self.gate.events[-3:])
        return [f["reason"] for f in self.gate.event("decision", order["clientOrderId"])["findings"]]

    def inventories(self):
        return sum(r["path"].endswith("/inventory") for r in self.p.control("GET", "requests?since=0")["requests"])

    def fills(self, order):
        self.gate.feed(order)
        self.gate.event("update", order["clientOrderId"], orderStatus="Filled")

    def test_shares_that_were_sold_are_not_sold_again(self):
        """The inventory that was read before the sale still has the shares that were sold: they cannot be sold
        again."""
        for part in (False, True):
            self.world()
            self.locate(200)
            self.p.quote("GME", 91, 91.2, **({"bidSize": 150} if part else {}))
            if part:
                self.gate.feed(short("a", 200))
                self.gate.wait_until(lambda: any(e["executed"] for e in self.gate.events_of("update", "a")), "a part")
            else:
                self.fills(short("a", 200))
            self.ends(short("b", 100), "refused")

    def test_shares_that_somebody_else_sold(self):
        self.world()
        self.locate(200)
        self.p.quote("GME", 91, 91.2)
        self.fills(short("a", 100))
        self.assertEqual(self.p.order(short("other", 100), ACCOUNT).status, 200)
        self.gate.event("external", "other", orderStatus="Filled")
        self.ends(short("b", 100), "refused")

    def test_shares_that_an_earlier_run_sold(self):
        for end in ("finish", "kill"):
            self.world()
            self.locate(200)
            self.p.quote("GME", 91, 91.2)
            self.fills(short("a", 200))
            getattr(self.gate, end)()
            self.gate = self.sender()
            self.ends(short("b", 100), "refused")

    def test_shares_that_were_bought_back(self):
        """Located shares that were sold and bought back may be sold again, but no more of them."""
        for bought, outcome in (100, "refused"), (200, "working"):
            self.world()
            self.locate(200)
            self.p.quote("GME", 91, 91.2)
            self.fills(short("a", 200))
            self.fills(stock("c", symbol="GME", openClose="Close", route="SMART", limitPrice=92, orderQuantity=bought))
            self.ends(short("b", 200), outcome)

    def test_what_is_left_of_them_is_sold(self):
        self.world()
        self.locate(200)
        self.p.quote("GME", 91, 91.2)
        self.fills(short("a", 120))
        self.ends(short("b", 80), "working")

    def test_what_waits_until_a_sale_is_settled(self):
        """Only a short sale of this hard-to-borrow symbol waits for the sale: a symbol that is easy to borrow does
        not, and another symbol does not."""
        for first, second, waits in ({}, {}, True), (EASY, EASY, False), (EASY, {}, False):
            self.world(settle="1m")
            self.locate(200)
            self.p.quote("GME", 91, 91.2)
            self.p.quote("AAPL", 91, 91.2)
            self.fills({**short("a", 50), **first})
            if waits:
                self.gate.feed({**short("b", 50), **second})
                self.gate.event("held", "b", reason="borrow")
                self.gate.feed({"op": "cancel", "clientOrderId": "b"})
                self.gate.event("outcome", "b", op=None, outcome="canceled")
            else:
                self.ends({**short("b", 50), **second}, "working")

    def test_a_locate_after_a_refusal(self):
        self.world()
        self.assertIn("short-hard-to-borrow-no-locate", self.ends(short("a"), "refused"))
        self.locate(100)
        self.ends(short("b"), "working")

    def test_a_further_locate(self):
        self.world()
        self.locate(100)
        self.assertIn("short-locate-insufficient", self.ends(short("a", 200), "refused"))
        self.locate(200)
        self.ends(short("b", 300), "working")

    def test_a_custom_rule(self):
        self.world("borrow-locate: off", "custom:\n  - {id: located, when: order.action == \"Short\", "
                   "require: 'locates.available >= order.orderQuantity', level: refuse, message: not located}\n")
        self.ends(short("a"), "refused")
        self.locate(100)
        self.ends(short("b"), "working")

    def test_what_stays_without_a_locate_is_refused_by_one_reading(self):
        self.world()
        self.ends(short("a"), "refused")
        for order_id in "bc":
            before = self.inventories()
            self.ends(short(order_id), "refused")
            self.assertGreater(self.inventories(), before)
        self.assertEqual(self.gate.finish(3), 1)

    def test_an_inventory_that_cannot_be_read(self):
        self.world()
        self.ends(short("a"), "refused")
        self.p.control("POST", "faults", {"on": "GET inventory", "do": "status", "status": 500, "count": 1000})
        self.ends(short("b"), "refused")

    def test_an_account_that_cannot_be_read(self):
        self.world()
        self.ends(short("a"), "refused")
        self.p.control("POST", "faults", {"on": "GET positions", "do": "status", "status": 401, "count": 1000})
        self.ends(short("b"), "refused")


if __name__ == "__main__":
    main()
