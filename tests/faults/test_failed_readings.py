"""A reading of the account has failed, so the facts at hand are old. An order that they refuse waits for the next
reading, which may accept it; if that one fails too, they decide the order. An order that they accept, or that no
reading can make acceptable, does not wait.
"""
import unittest

from fault_proxy import answer
from parallel_unittest import main
from sender import posts, resting, stock
from test_foreign import CLOSES, LIMIT, World, ours
from test_halt import halt

FAILS = answer(400)  # an answer after which a read is not repeated
KEPT = "the older facts are kept"
EXACT = "close-position: {level: refuse, reasons: {close-exceeds-position: refuse}}"


class Failed(World):
    """A World whose newest reading failed, and whose next one is held back."""

    def __init__(self, test, *rules, held=(("AAPL", 100),), before=(), **more):
        super().__init__(test, *(rules or (LIMIT, EXACT)), held=held, **more)
        test.addCleanup(self.free.set)
        for order in before:
            self.gate.feed(order)
            self.gate.event("outcome", order["clientOrderId"], outcome="working")
        self.fails()

    def fails(self):
        """Let a reading fail. An order has ended before, so that the next order waits for a reading."""
        told = self.gate.stderr.count(KEPT)
        self.b.gets["/positions"] = FAILS
        self.free.set()
        self.gate.feed({"op": "cancel", "clientOrderId": self.live})
        self.gate.event("outcome", self.live, op="cancel", outcome="canceled")
        self.live = self.canary(self.gate)
        self.gate.wait_until(lambda: self.gate.stderr.count(KEPT) > told, "a reading that fails")
        self.hold()
        self.b.gets["/positions"] = self.free

    def now_holds(self, shares):
        self.p.control("PUT", "positions/" + self.account, [
            {"symbol": "AAPL", "side": "Long", "shares": shares, "priceAvg": 190, "dayOvernight": "Day"}])

    def at_once(self, order_id, outcome):
        """Assert that the line has this outcome although the reading is held back."""
        e = self.gate.event("outcome", order_id)
        self.test.assertFalse(self.free.is_set())
        self.test.assertEqual(e["outcome"], outcome, self.gate.events[-3:])


def closing(order_id="c", **changes):
    return stock(order_id, **{"orderQuantity": 10, "limitPrice": 195, **CLOSES, **changes})


class Waits(unittest.TestCase):
    def test_an_order_that_opens(self):
        w = Failed(self)
        w.now_holds(1)
        w.waits(ours())
        w.ends("a", "sent")

    def test_the_reading_refuses_it_too(self):
        w = Failed(self)
        w.waits(ours())
        w.ends("a", "refused", "position-limit")

    def test_the_wait_is_told(self):
        w = Failed(self)
        w.now_holds(1)
        w.gate.feed(ours())
        self.assertIn("has been under way", w.gate.event("held", "a", reason="reading")["text"])
        w.ends("a", "sent")

    def test_facts_that_are_too_old(self):
        w = Failed(self, "position-limit: {level: refuse, shares: 1000, unsure: refuse}",
                   max_age={"positions": "30s"})
        w.p.advance("60s")
        w.gate.feed({"op": "cancel", "clientOrderId": w.live})  # its answer tells the gate that time has passed
        w.gate.event("outcome", w.live, op="cancel")
        w.gate.feed(ours())
        w.gate.event("held", "a", reason="reading")
        w.ends("a", "sent")

    def test_a_close(self):
        w = Failed(self)
        w.now_holds(200)
        w.waits(closing(orderQuantity=150))
        w.ends("c", "sent")

    def test_a_replacement(self):
        w = Failed(self, before=[resting("old", orderQuantity=40)])
        w.now_holds(1)
        w.waits(ours(replaces="old"))
        w.ends("a", "sent")

    def test_several_lines_wait_for_one_reading(self):
        """The next reading, which was under way when both lines were read, fails too: both lines are then decided."""
        w = Failed(self)
        w.waits(ours(), ours("b"))
        before = w.b.count("/positions")
        w.b.gets["/positions"] = FAILS
        w.free.set()
        for order_id in ("a", "b"):
            w.gate.event("outcome", order_id, outcome="refused")
        self.assertLessEqual(w.b.count("/positions"), before + 1)

    def test_an_order_made_elsewhere_has_changed(self):
        """The policy accepts the order, but the account was not read since another order changed."""
        w = Failed(self, EXACT)
        w.elsewhere(resting("x"), orderStatus="New")
        w.b.gets["/positions"] = FAILS
        w.free.set()
        w.gate.feed(ours("b"))
        w.gate.event("outcome", "b", outcome="not-sent")
        w.hold()
        w.b.gets["/positions"] = w.free
        w.waits(ours())
        w.ends("a", "sent")


class AtOnce(unittest.TestCase):
    def test_it_is_accepted(self):
        w = Failed(self)
        w.gate.feed(resting("a", orderQuantity=1), closing())
        w.at_once("a", "working")
        w.at_once("c", "working")

    def test_its_form_is_wrong(self):
        w = Failed(self, base="[default]")
        w.gate.feed(ours(limitPrice=None), closing(orderType="Stop", limitPrice=None), ours("b", symbol="?"))
        for order_id in ("a", "c", "b"):
            w.at_once(order_id, "refused")
        self.assertEqual(posts(w.p, "a"), [])

    def test_no_fact_is_asked(self):
        w = Failed(self, LIMIT, "order-quantity-limit: {level: refuse, shares: 150}")
        w.gate.feed(ours(orderQuantity=151))
        w.at_once("a", "refused")

    def test_trading_is_halted(self):
        w = Failed(self)
        halt(w.home)
        w.gate.wait_stderr("trading is halted")
        w.gate.feed(ours())
        w.at_once("a", "refused")
        halt(w.home, "--all")
        w.gate.wait_stderr("halted-all")
        w.gate.feed(closing())
        w.at_once("c", "refused")


class Form(unittest.TestCase):
    """The positions lack a fill. A close that would be refused waits for positions with that fill, unless its form
    refuses it."""

    def world(self):
        w = World(self, EXACT, base="[default]", env={"ORDERGATE_SETTLE": "1m"}, held=[("AAPL", 100)],
                  quotes={"AAPL": 190, "F": 10})
        w.gate.feed(ours("fill", orderQuantity=1, limitPrice=190.01))
        w.gate.event("update", "fill", orderStatus="Filled")
        return w

    def test_of_a_stop(self):
        w = self.world()
        w.gate.feed(closing(orderType="Stop", limitPrice=None),
                    closing("d", orderType="Stop", limitPrice=None, stopPrice=-1),
                    closing("e", orderQuantity=0), closing("f", orderQuantity=102))
        for order_id in ("c", "d", "e"):
            w.gate.event("outcome", order_id, outcome="refused")
            self.assertEqual(w.gate.events_of("held", order_id), [])
        self.assertEqual(w.gate.events_of("outcome", "f"), [])

    def test_of_a_replacement(self):
        w = self.world()
        w.gate.feed(closing("s", orderType="Stop", limitPrice=None, stopPrice=150))
        w.gate.event("outcome", "s", outcome="working")
        w.gate.feed(closing("t", orderType="Stop", limitPrice=None, stopPrice=-1, replaces="s"))
        w.gate.event("outcome", "t", outcome="refused")
        self.assertEqual((w.gate.events_of("held", "t"), w.gate.events_of("update", "s", )[-1]["orderStatus"]),
                         ([], "New"))


if __name__ == "__main__":
    main()
