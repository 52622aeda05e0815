"""An order's line behind a cancel: if the order would be refused only because the order to be canceled still counts,
it is decided once the cancel is over.

If it is accepted anyway, it does not wait. A cancel never waits for an order. The brokerage takes a second to cancel,
or an hour where the test itself says when the order ends.
"""
import unittest

from paper import LIVE, Paper, leg, occ, spread, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts
from test_cancels import cancel, deletes
from test_halt import OBEYED, halt

ACCOUNT = "LIVE0001"
CALL, HIGHER = occ(strike=190), occ(strike=195)
LIMITS = """ordergate: 1
extends: [{}]
rules:
  {}
"""


def close(order_id, quantity=100, **changes):
    return stock(order_id, **{"side": "Sell", "openClose": "Close", "orderQuantity": quantity, "limitPrice": 185,
                              "route": "SMART", **changes})


def stop(order_id, quantity=100, price=170):
    return close(order_id, quantity, orderType="Stop", stopPrice=price, limitPrice=None)


def buy(order_id, quantity, price=150):
    return stock(order_id, orderQuantity=quantity, limitPrice=price, route="SMART")


class Behind(unittest.TestCase):
    settle = "0s"

    def begin(self, policy="live", *args, lasts="1s", held=(("AAPL", "Long", 100),)):
        self.p = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.p.control("PUT", "positions/" + ACCOUNT,
                       [{"symbol": symbol, "side": side, "shares": shares, "priceAvg": 5, "dayOvernight": "Day"}
                        for symbol, side, shares in held])
        self.p.control("PUT", "delays", {"cancel": lasts})
        self.policy, self.args = policy, args
        self.gate = self.sender()

    def sender(self):
        return self.enterContext(Sender(self.p.url, self.home, "-p", self.policy, *self.args, keys=LIVE,
                                        env={"ORDERGATE_ENVIRONMENT": "live", "ORDERGATE_ACCOUNT": ACCOUNT,
                                             "ORDERGATE_SETTLE": self.settle}))

    def limited(self, rule):
        return self.home.file("limits.yaml", LIMITS.format("live", rule))

    def works(self, *lines):
        self.gate.feed(*lines)
        for line in lines:
            self.assertEqual(self.gate.event("outcome", line["clientOrderId"])["outcome"], "working",
                             self.gate.events)

    def ended(self, line):
        return self.gate.event("outcome", line=line)["outcome"]

    def order(self):
        """Returns the decisions and outcomes of the lines from the second on, without the events between them."""
        return [(e["event"], e["line"]) for e in self.gate.events if e["event"] in ("decision", "outcome")]

    def refused(self, line):
        return [f["reason"] for f in self.gate.event("decision", line=line)["findings"] if f["level"] == "refuse"]

    def cancel_and_close(self, policy):
        self.begin(policy)
        self.works(stop("s"))
        self.gate.feed(cancel("s"), close("x"))
        self.assertEqual((self.ended(2), self.ended(3)), ("canceled", "working"), self.gate.events)
        self.assertLess(self.order().index(("outcome", 2)), self.order().index(("decision", 3)))
        self.assertEqual((self.gate.finish(3), len(deletes(self.p)), len(posts(self.p, "x"))), (0, 1, 1))

    def test_live(self):
        self.cancel_and_close("live")

    def test_cautious(self):
        self.cancel_and_close("cautious")

    def test_small_account(self):
        self.cancel_and_close("small-account")

    def test_a_cancel_that_names_another_account(self):
        """It is refused. The stop with that id, whose line waits for the first reading, is sent."""
        for account, other in ((ACCOUNT, "LIVE0002"), ("LIVE0002", ACCOUNT)):
            self.begin()
            self.gate.finish()
            self.p.control("POST", "faults", {"on": "GET positions", "do": "delay", "delay": "2s", "count": 1})
            self.gate = self.sender()
            self.gate.feed(stop("s") | {"accountId": account}, cancel("s", accountId=other))
            told = {e["line"]: e["outcome"] for e in (self.gate.event("outcome", line=line) for line in (1, 2))}
            self.assertNotIn("canceled", told.values(), self.gate.events)
            self.assertEqual(told[1], "working" if account == ACCOUNT else "refused", self.gate.events)
            self.assertEqual(len(posts(self.p, "s")), account == ACCOUNT)

    def test_figures_that_may_lack_a_fill(self):
        """The canceled order filled nothing, so the close does not wait for positions with a fill."""
        self.settle = "30s"
        self.cancel_and_close("live")

    def test_a_stop_that_fills_and_figures_that_may_lack_it(self):
        self.settle = "3s"
        self.test_the_stop_fills_instead()

    def test_it_says_what_it_waits_for(self):
        self.begin(lasts="1h")
        self.works(stop("s"))
        self.gate.feed(cancel("s"), close("x"))
        told = self.gate.event("held", "x")
        self.assertEqual(told["reason"], "cancel")
        self.assertIn("order 's' is being canceled", told["text"])

    def test_two_stops(self):
        """The position is held by two stops: the close fits only once both are over."""
        self.begin()
        self.works(stop("s1", 50), stop("s2", 50, 171))
        self.gate.feed(cancel("s1"), cancel("s2"), close("x"))
        self.assertEqual([self.ended(n) for n in (3, 4, 5)], ["canceled", "canceled", "working"])
        self.assertEqual(self.gate.finish(5), 0)

    def test_a_spread(self):
        """A working order for one leg of the spread is canceled, and then the whole spread is closed."""
        self.begin(held=((CALL, "Long", 2), (HIGHER, "Short", 2)))
        self.works(close("s", 2, symbol=CALL, securityType="Option", limitPrice=40, route="SMARTO"))
        self.gate.feed(cancel("s"), spread("x", legs=[leg(CALL, "Sell", "Close"), leg(HIGHER, "Buy", "Close")],
                                           orderQuantity=2, limitPrice=4.8, route="SMARTM"))
        self.assertEqual((self.ended(2), self.ended(3)), ("canceled", "working"), self.gate.events)

    def opens(self, rule, reason):
        self.begin(held=())
        self.policy = self.limited(rule)
        self.gate = self.sender()
        self.works(buy("a", 100))
        self.gate.feed(buy("early", 60, 151))
        self.assertEqual((self.ended(2), self.refused(2)), ("refused", [reason]))  # it does not fit beside it
        self.gate.feed(cancel("a"), buy("b", 60, 152))
        self.assertEqual((self.ended(3), self.ended(4)), ("canceled", "working"), self.gate.events)
        self.gate.feed(buy("c", 120, 153))  # nothing is being canceled any more
        self.assertEqual((self.ended(5), self.refused(5)), ("refused", [reason]))
        self.assertEqual(self.gate.events_of("held", "c"), [])

    def test_position_limit(self):
        self.opens("position-limit: {level: refuse, shares: 150}", "position-above-limit")

    def test_open_orders(self):
        self.opens("open-orders: {level: refuse, of_symbol: 1}", "open-orders-of-symbol-above-limit")

    def test_exposure(self):
        self.opens("exposure: {level: refuse, gross: 20000}", "gross-exposure-above-limit")

    def test_a_replacement_behind_a_cancel(self):
        """A replacement fits only once neither its old order nor the order that is being canceled counts."""
        self.begin()
        self.works(stop("s1", 50), stop("s2", 50, 171))
        self.gate.feed(cancel("s1"), {**stop("new", 100, 172), "replaces": "s2"})
        self.assertEqual((self.ended(3), self.ended(4)), ("canceled", "working"), self.gate.events)
        self.assertEqual(len(deletes(self.p)), 2)

    def test_what_fits_does_not_wait(self):
        """An order that fits does not wait for the cancel. An order that is refused for a reason of its own does not
        wait either, and later cancels do not."""
        self.begin(lasts="1h")
        self.works(stop("s", 40), stop("t", 40))
        self.gate.feed(cancel("s"), close("x", 20, limitPrice=250), buy("bad", 20, -1))
        self.assertEqual((self.ended(4), self.ended(5)), ("working", "refused"))
        self.gate.feed(close("y", 60), cancel("t"))
        self.gate.event("cancel", "t", line=7)
        self.assertEqual(self.gate.events_of("decision", "y"), [])
        self.assertEqual({e["clientOrderId"] for e in self.gate.events_of("held")} - {"y"}, set())

    def test_the_stop_fills_instead(self):
        """The stop fills while it is being canceled: nothing is left to close, so the close is refused."""
        self.begin(lasts="1h")
        self.works(stop("s"))
        self.gate.feed(cancel("s"), close("x", limitPrice=150))
        self.gate.event("cancel", "s", line=2)
        self.p.quote("AAPL", 165, 165.02)
        self.assertEqual((self.ended(2), self.ended(3)), ("filled", "refused"), self.gate.events)
        self.assertEqual((len(posts(self.p, "x")), self.gate.finish(3)), (0, 1))

    def test_a_part_of_it_fills_instead(self):
        """A part of the stop fills before it is canceled: an order that closes the rest is accepted, and the order
        that closes the whole is refused."""
        self.begin()
        self.works(close("s", limitPrice=200))
        self.gate.feed(cancel("s"))
        self.gate.event("cancel", "s", line=2)
        self.p.quote("AAPL", 210, 210.02, bidSize=10)
        self.gate.feed(close("all", limitPrice=250))
        self.assertEqual(self.ended(2), "canceled", self.gate.events)
        filled = self.gate.event("outcome", line=2)["executed"]
        self.assertIn(filled, range(10, 100))
        self.gate.feed(close("rest", 100 - filled, limitPrice=250))
        self.assertEqual((self.ended(3), self.ended(4)), ("refused", "working"), self.gate.events)

    def test_a_cancel_that_the_broker_refuses(self):
        self.begin()
        self.works(stop("s"))
        self.p.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": 400, "count": 9})
        self.gate.feed(cancel("s"), close("x"))
        self.assertEqual((self.ended(2), self.ended(3)), ("rejected", "refused"), self.gate.events)
        self.assertIn("close-exceeds-position", self.refused(3))

    def test_the_account_cannot_be_read(self):
        """The account cannot be read, so older facts decide. They still count the stop, so the close is not sent."""
        self.begin()
        self.works(stop("s"))
        for path in ("orders", "positions", "account", "order"):
            self.p.control("POST", "faults", {"on": "GET " + path, "do": "status", "status": 503, "count": 1000000})
        self.gate.feed(cancel("s"), close("x"))
        self.assertEqual((self.ended(2), self.ended(3)), ("canceled", "refused"), self.gate.events)
        self.assertEqual(posts(self.p, "x"), [])

    def test_a_cancel_behind_a_429(self):
        """A line waits for at most ten seconds, and its message says which order still counts."""
        self.begin("live", "--wait", "5m")
        self.works(stop("s"))
        self.p.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": 429, "count": 1000000})
        self.gate.feed(cancel("s"), close("x"))
        self.assertEqual(self.ended(3), "refused")
        self.assertIn("'s' is being canceled", self.gate.event("outcome", line=3)["text"])
        self.assertEqual(self.gate.events_of("outcome", "s")[1:], [])

    def test_somebody_elses_order(self):
        self.begin()
        self.assertEqual(self.p.order(stop("portal"), ACCOUNT).status, 200)
        self.gate.event("external", "portal")
        self.gate.feed(cancel("portal"), close("x"))
        self.assertEqual((self.ended(1), self.ended(2)), ("canceled", "working"), self.gate.events)

    def test_an_order_of_an_earlier_run(self):
        self.begin()
        self.works(stop("s"))
        self.assertEqual(self.gate.finish(1), 0)
        self.gate = self.sender()
        self.gate.feed(cancel("s"), close("x"))
        self.assertEqual((self.ended(1), self.ended(2)), ("canceled", "working"), self.gate.events)

    def test_an_order_of_another_sender(self):
        self.begin()
        self.works(stop("s"))
        first, self.gate = self.gate, self.sender()
        self.gate.feed(cancel("s"), close("x"))
        self.assertEqual((self.ended(1), self.ended(2)), ("canceled", "working"), self.gate.events)
        self.assertEqual(first.finish(1), 0)

    def canceled_elsewhere(self, cancel_it):
        self.begin(lasts="2s")
        self.works(stop("s"))
        cancel_it()
        self.gate.event("update", "s", orderStatus="PendingCancel")
        self.gate.feed(close("x"))
        self.assertEqual(self.ended(2), "working", self.gate.events)
        self.assertEqual((self.gate.event("held", "x")["reason"], len(deletes(self.p))), ("cancel", 1))

    def test_canceled_in_the_portal(self):
        self.canceled_elsewhere(lambda: self.p.cancel("s", ACCOUNT))

    def test_canceled_by_another_sender(self):
        def elsewhere():
            other = self.sender()
            other.feed(cancel("s"))
            other.event("cancel", "s")
        self.canceled_elsewhere(elsewhere)

    def test_canceled_by_a_halt(self):
        """A halt cancels the order: orders that open are stopped, and a close passes."""
        def elsewhere():
            done = halt(self.home, "--cancel-own", "--ledger", self.home.ledger,
                        env={"ORDERGATE_BASE_URL": self.p.url, "ORDERGATE_KEY_ID": LIVE[0],
                             "ORDERGATE_SECRET_KEY": LIVE[1], "ORDERGATE_ENVIRONMENT": "live"})
            self.assertIn(done.returncode, OBEYED, done.stderr)
        self.canceled_elsewhere(elsewhere)


if __name__ == "__main__":
    main()
