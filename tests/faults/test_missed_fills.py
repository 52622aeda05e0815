"""A close or an order is refused by positions that lack a fill. A close that would be refused waits for a reading that
began after its line was read, since a purchase may have filled of which this run has not heard. An order that opens,
and would be refused because of what a close has closed meanwhile, waits for positions that certainly have that fill.
"""
import unittest

from paper import option, stock
from parallel_unittest import WAITING, main
from sender import posts
from test_cancels import cancel, state
from test_foreign import LIMIT, World
from test_overtake import BUSY
from test_settle import Lagging, buy, sale
from test_way_out import wait_for

CLOSES = "close-position: refuse"
CALL = "AAPL260220C00190000"
SETTLES = {"ORDERGATE_SETTLE": "2s"}
SENT = ("working", "filled")


def stop(order_id, size):
    return buy(order_id, size, side="Sell", openClose="Close", orderType="Stop", stopPrice=150, limitPrice=None)


class Unheard(unittest.TestCase):
    """This run hears nothing of what was traded elsewhere: its frames are held back."""

    def scene(self, *rules, held=(), **more):
        w = World(self, *(rules or [CLOSES]), held=held, **more)
        w.b.forward_frames.clear()
        return w

    def traded(self, w, order):
        w.p.order(w.routed(order), w.account)
        wait_for(lambda: state(w.p, order["clientOrderId"]) == "Filled", "it does not fill")

    def goes(self, w, order):
        w.gate.feed(w.routed(order))
        self.assertIn(w.gate.event("outcome", order["clientOrderId"])["outcome"], SENT, w.gate.events_of("decision"))

    def test_bought_elsewhere(self):
        w = self.scene()
        self.traded(w, buy("x", 100))
        self.goes(w, sale("c", 100))

    def test_a_part_was_held(self):
        w = self.scene(held=[("AAPL", 40)])
        self.traded(w, buy("x", 100))
        self.goes(w, sale("c", 140))

    def test_sold_short_elsewhere(self):
        w = self.scene(account="LIVE0001")
        self.traded(w, buy("x", 100, side="Sell", limitPrice=189))
        self.goes(w, stock("c", side="Buy", openClose="Close", orderQuantity=100, limitPrice=191))

    def test_calls(self):
        w = self.scene()
        w.p.quote(CALL, 4.9, 5.1)
        self.traded(w, option("x", orderQuantity=3, limitPrice=6))
        self.goes(w, option("c", side="Sell", openClose="Close", orderQuantity=3, limitPrice=4))

    def test_a_stop(self):
        w = self.scene()
        self.traded(w, buy("x", 100))
        self.goes(w, stop("c", 100))

    def test_what_is_not_held_is_refused_all_the_same(self):
        w = self.scene()
        w.gate.feed(sale("c", 1))
        w.gate.event("outcome", "c", outcome="refused")


class Reentries(unittest.TestCase):
    """A close worked while positions were read, and has filled since: what it closed counts for the settle time."""

    def closed(self, *rules, env=None, size=100, **more):
        w = Lagging(self, *(rules or [LIMIT]), held=[("AAPL", 100)], env={**SETTLES, **(env or {})}, **more)
        w.gate.feed(w.routed(buy("a", size, side="Sell", openClose="Close", limitPrice=195)))
        w.gate.event("outcome", "a", outcome="working")
        w.readings(2)
        w.p.quote("AAPL", 195.1, 195.2)
        w.gate.event("update", "a", orderStatus="Filled")
        return w

    def goes(self, w, order, gate=None):
        (gate or w.gate).feed(w.routed(order))
        outcome = (gate or w.gate).event("outcome", order["clientOrderId"])
        self.assertIn(outcome["outcome"], SENT, (gate or w.gate).events_of("decision", order["clientOrderId"]))

    def test_position_limit(self):
        w = self.closed()
        self.goes(w, buy("b", 100, limitPrice=196))

    def test_exposure(self):
        w = self.closed("exposure: {level: refuse, gross: 22000}")
        self.goes(w, buy("b", 100, limitPrice=196))

    def test_another_stock(self):
        w = self.closed("exposure: {level: refuse, gross: 22000}")
        self.goes(w, buy("b", 1000, symbol="F", limitPrice=13))

    def test_another_sender(self):
        w = self.closed()
        other = w.sender()
        w.canary(other)
        self.goes(w, buy("b", 100, limitPrice=196), other)

    def test_a_part_was_closed(self):
        w = self.closed(size=60)
        self.goes(w, buy("b", 60, limitPrice=196))

    def test_what_does_not_fit_is_refused_all_the_same(self):
        w = self.closed(size=60)
        w.gate.feed(buy("b", 111, limitPrice=196))
        w.gate.event("outcome", "b", outcome="refused")

    def test_closes_do_not_wait_behind_it(self):
        w = self.closed("exposure: {level: refuse, gross: 22000}", env={"ORDERGATE_SETTLE": "20s"}, size=60)
        w.gate.feed(buy("b", 100, limitPrice=196))
        w.gate.event("held", "b", reason="settle")
        w.gate.feed(sale("c", 40))
        self.assertIn(w.gate.event("outcome", "c")["outcome"], SENT)
        self.assertEqual(posts(w.p, "b"), [])


class Withdrawn(unittest.TestCase):
    """An order of another run that was canceled before it was posted takes nothing of the position."""

    def test_a_close(self):
        for later in (False, True):
            with self.subTest(later=later):
                w = Lagging(self, CLOSES, held=[("AAPL", 100)], env={"ORDERGATE_SETTLE": "1m"})
                other = None if later else w.sender()
                if other:
                    w.canary(other)
                w.p.control("POST", "faults", BUSY)
                w.gate.feed(buy("busy", 1, symbol="F", limitPrice=5))
                wait_for(lambda: posts(w.p, "busy"), "no POST")
                w.gate.feed(sale("a", 100), cancel("a"))  # the line of "a" waits
                w.gate.event("outcome", "a", op="cancel", outcome="canceled")
                w.p.control("DELETE", "faults")
                other = other or w.sender()
                other.feed(sale("b", 100))
                self.assertIn(other.event("outcome", "b")["outcome"], SENT, other.events_of("decision", "b"))


if __name__ == "__main__":
    main(WAITING)
