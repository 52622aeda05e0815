"""Positions that are late: for some seconds (`settle` in the broker file) the broker's figures may lack a fill.

Until then filled quantities count in addition to them, for limits and for closes, in this run, in the next one, and in
the other senders of the ledger. The proxy answers GET positions with the positions before the fill for as long as the
test wants.
"""
import time
import unittest

from fault_proxy import answer
from paper import LIVE, option
from parallel_unittest import WAITING, main
from sender import posts
from test_foreign import LIMIT, World, portal

LAGS = {"ORDERGATE_SETTLE": "1m"}
CLOSES = "close-position: refuse"


def buy(order_id, size, **changes):
    return portal(order_id, orderQuantity=size, **changes)


def sale(order_id, size, **changes):
    return portal(order_id, **{"side": "Sell", "openClose": "Close", "orderType": "Market", "limitPrice": None,
                               "orderQuantity": size, **changes})


class Lagging(World):
    """A brokerage and a gate. The gate is given the positions of now until the test releases newer ones."""

    def __init__(self, test, *rules, env=None, **more):
        super().__init__(test, *rules, env={**LAGS, **(env or {})}, **more)

    def stay(self):
        rows = self.p.get(f"accounts/{self.account}/positions", *([LIVE] if self.account == "LIVE0001" else [])).text
        self.b.gets["/positions"] = answer(200, rows.encode(), ["Content-Type: application/json"])

    def go_on(self):
        del self.b.gets["/positions"]

    def readings(self, count):
        """Wait until the gate has read the old positions that many more times."""
        seen = sum(path.endswith("/positions") for _, path in self.b.paths)
        self.b.wait_path("/positions", seen + count)

    def fill(self, order, gate=None):
        (gate or self.gate).feed(self.routed(order))
        (gate or self.gate).event("update", order["clientOrderId"], orderStatus="Filled")

    def sent(self, *orders):
        """Returns the ids of those lines that were posted."""
        ids = [o["clientOrderId"] for o in orders]
        for i in ids:
            self.gate.event("outcome", i)
        return [i for i in ids if posts(self.p, i)]


def before_the_run(test, rule, order, held=()):
    """Returns a world in which somebody else's order filled just before the first run of a ledger began, whose first
    reading has the positions before the fill."""
    w = Lagging(test, rule, held=held, env={"ORDERGATE_SETTLE": "8s"})
    w.stay()
    w.elsewhere(order, orderStatus="Filled")
    w.gate.finish()
    seen = sum(path.endswith("/positions") for _, path in w.b.paths)
    w.gate = w.sender(ledger="other.db")
    w.b.wait_path("/positions", seen + 1)
    w.go_on()
    return w


class Openings(unittest.TestCase):
    def world(self, *rules, **more):
        w = Lagging(self, *(rules or [LIMIT]), **more)
        w.stay()
        return w

    def test_at_once_and_after_many_readings(self):
        w = self.world()
        w.fill(buy("a", 101))
        for count in range(4):
            w.gate.feed(buy(f"b{count}", 102 + count))
            w.gate.event("outcome", f"b{count}", outcome="refused")
            w.readings(1)
        w.fill(buy("c", 49))  # and no more than once

    def test_part_of_it_fills(self):
        w = self.world()
        w.p.quote("AAPL", 189.99, 190.01, bidSize=1, askSize=60)
        w.gate.feed(buy("a", 100))
        w.gate.wait_until(lambda: any(e.get("executed", 0) > 0 for e in w.gate.events_of("update", "a")), "a part")
        w.gate.feed({"op": "cancel", "clientOrderId": "a"})
        w.gate.event("outcome", "a", op="cancel", outcome="canceled")
        w.readings(2)
        w.p.quote("AAPL", 189.99, 190.01, bidSize=1000, askSize=1000)
        w.gate.feed(buy("b", 91))
        w.gate.event("outcome", "b", outcome="refused")
        w.fill(buy("c", 90))

    def test_several_fills(self):
        w = self.world()
        for i in range(3):
            w.fill(buy(f"a{i}", 50 - i))
            w.readings(1)
        w.gate.feed(buy("b", 4))
        w.gate.event("outcome", "b", outcome="refused")

    def test_another_sender(self):
        w = self.world()
        other = w.sender()
        w.canary(other)
        w.fill(buy("a", 101))
        w.readings(3)
        other.feed(buy("b", 102))
        other.event("outcome", "b", outcome="refused")

    def test_a_fill_elsewhere_before_the_first_run(self):
        w = before_the_run(self, LIMIT, buy("a", 101))
        w.gate.feed(buy("b", 50))
        w.gate.event("outcome", "b", outcome="refused")
        w.fill(buy("c", 49))

    def test_the_next_run(self):
        for end in ("finish", "kill"):
            w = self.world()
            w.fill(buy("a", 101))
            getattr(w.gate, end)()
            w.gate = w.sender()
            w.gate.feed(buy("b", 102))
            w.gate.event("outcome", "b", outcome="refused")

    def test_a_short(self):
        w = self.world(account="LIVE0001")
        w.fill(buy("a", 101, side="Sell", limitPrice=189))
        w.readings(2)
        w.gate.feed(w.routed(buy("b", 102, side="Sell", limitPrice=189)))
        w.gate.event("outcome", "b", outcome="refused")

    def test_the_figures_have_it_at_last(self):
        w = self.world(env={"ORDERGATE_SETTLE": "2s"})
        w.fill(buy("a", 101))
        w.go_on()
        w.gate.wait_until(lambda: self.fits(w), "room")

    def fits(self, w):
        """Fill an order for the remaining 49: it fits only if the fill before it is counted once."""
        w.fill(buy("c", 49))
        return True


class Unset(unittest.TestCase):
    """`settle` is not set. The brokerage runs on this machine, and the environment is "live"; test_broker_settings.c
    has the other cases."""

    UNSET = {"ORDERGATE_SETTLE": None}

    def second(self, w):
        """Returns the outcome of a second opening order within 1.9 s of the fill of the first one, which the positions
        lack; None if the machine was too slow."""
        w.stay()
        began = time.monotonic()
        w.fill(buy("a", 101))
        w.readings(1)
        w.gate.feed(w.routed(buy("b", 102)))
        outcome = w.gate.event("outcome", "b")["outcome"]
        return outcome if time.monotonic() - began < 1.9 else None

    def becomes(self, *rules, **more):
        for _ in range(8):
            outcome = self.second(Lagging(self, *rules, **more))
            if outcome:
                return outcome
        return self.skipTest("this machine takes 2 s for one reading")

    def test_a_live_environment_may_be_behind_a_tunnel(self):
        self.assertEqual(self.becomes(LIMIT, account="LIVE0001", env=self.UNSET), "refused")

    def test_the_policy_says_that_it_is_live(self):
        env = {**self.UNSET, "ORDERGATE_ENVIRONMENT": None}
        self.assertEqual(self.becomes(LIMIT, account="LIVE0001", more="environment: live\n", env=env), "refused")


class Closings(unittest.TestCase):
    def test_what_was_sold_is_not_sold_again(self):
        w = Lagging(self, CLOSES, held=[("AAPL", 100)], env={"ORDERGATE_SETTLE": "5s"})
        w.stay()
        w.fill(sale("a", 100))
        lines = [sale(f"b{i}", 99 - i) for i in range(3)]
        w.gate.feed(*lines)
        w.gate.event("held", "b0", reason="settle")
        w.go_on()
        self.assertEqual(w.sent(*lines), [])

    def test_what_was_sold_after_a_reading_is_not_sold_again(self):
        """Positions were read while the order that sells them worked: they may show its fill or not."""
        w = Lagging(self, CLOSES, held=[("AAPL", 100)], env={"ORDERGATE_SETTLE": "5s"})
        w.stay()
        w.gate.feed(w.routed(sale("a", 100, orderType="Limit", limitPrice=195)))
        w.gate.event("outcome", "a", outcome="working")
        w.readings(2)
        w.p.quote("AAPL", 195, 195.02)
        w.gate.event("update", "a", orderStatus="Filled")
        w.gate.feed(sale("b", 99))
        w.gate.event("held", "b", reason="settle")
        w.go_on()
        self.assertEqual(w.sent(sale("b", 99)), [])

    def test_what_was_sold_elsewhere_before_the_first_run_is_not_sold_again(self):
        w = before_the_run(self, CLOSES, sale("a", 100), held=[("AAPL", 100)])
        w.gate.feed(sale("b", 100))
        w.gate.event("outcome", "b", outcome="refused")
        self.assertEqual(posts(w.p, "b"), [])

    def test_the_rest_goes(self):
        w = Lagging(self, CLOSES, held=[("AAPL", 100)])
        w.stay()
        w.fill(sale("a", 60))
        w.fill(sale("b", 40))

    def test_shares_sold_are_no_cover(self):
        w = Lagging(self, "close-position: refuse", account="LIVE0001", base="[cautious]", held=[("AAPL", 100)],
                    quotes={"AAPL": 190, "AAPL260220C00190000": 5, "F": 11})
        w.stay()
        w.fill(sale("a", 100))
        w.readings(2)
        w.gate.feed(w.routed(option("b", side="Sell", openClose="Open", orderQuantity=1, limitPrice=5)))
        w.gate.event("outcome", "b", outcome="refused")


class Moved(unittest.TestCase):
    """An order that closes is replaced just after a fill. The old one works until the fill has settled, since the new
    one is decided by a reading after that."""

    def moves(self, symbol, **terms):
        w = World(self, CLOSES, held=[("AAPL", 100)], quotes={"AAPL": 190, "F": 10}, env={"ORDERGATE_SETTLE": "2s"})
        w.gate.feed(sale("old", 10, **terms))
        w.gate.event("outcome", "old", outcome="working")
        w.gate.feed(buy("fill", 1, symbol=symbol, limitPrice=200))
        w.gate.event("update", "fill", orderStatus="Filled")
        w.gate.feed(sale("new", 9, replaces="old", **terms))
        w.gate.event("outcome", "new", outcome="working")
        told = [(e["event"], e["clientOrderId"], e.get("reason") or e.get("orderStatus")) for e in w.gate.events
                if e.get("clientOrderId") in ("old", "new") and e["event"] in ("held", "update")]
        self.assertIn(("held", "new", "settle"), told)
        self.assertLess(told.index(("held", "new", "settle")), told.index(("update", "old", "Canceled")))

    def test_a_stop_after_a_fill_of_another_symbol(self):
        self.moves("F", orderType="Stop", stopPrice=150)

    def test_a_stop_after_a_fill_of_its_symbol(self):
        self.moves("AAPL", orderType="Stop", stopPrice=150)

    def test_a_target(self):
        self.moves("F", orderType="Limit", limitPrice=220)


class Elsewhere(unittest.TestCase):
    def test_a_fill_of_the_portal(self):
        """A fill of an order that was made in the broker's portal counts too, even if the reading in use lacks it: that
        reading is used because the one before has become too old."""
        w = Lagging(self, LIMIT, env={"ORDERGATE_SETTLE": "15s"})
        w.stay()
        w.elsewhere(buy("x", 101), orderStatus="Filled")
        w.readings(4)
        w.gate.feed(buy("b", 102))
        w.gate.event("held", "b", reason="elsewhere")
        w.go_on()
        self.assertEqual(w.sent(buy("b", 102)), [])


if __name__ == "__main__":
    main(WAITING)
