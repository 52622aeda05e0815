"""The positions are answered late or not at all.

An order that only closes waits for some seconds, and is then decided by the facts at hand. If these would refuse it,
it waits for positions that were requested after its line was read, and is decided by these, however old they are when
they come. Cancels of unknown ids measure how long a line waits: each waits for a list of orders, and gives up after as
long as a close waits, or sooner before the first reading. OG_POLICY names a shipped policy to use in all tests.
"""
import os
import threading
import unittest

import test_foreign
from paper import leg, occ, spread
from parallel_unittest import WAITING, main
from sender import posts, stock
from test_foreign import CLOSES

POLICY = os.environ.get("OG_POLICY", "default")
ACCOUNT = "PAPER0001" if POLICY == "paper" else "LIVE0001"
EXACT = "close-position: {level: refuse, reasons: {close-exceeds-position: refuse}}"  # as under live


class World(test_foreign.World):
    """A World whose orders all close, since every policy accepts such orders."""

    def __init__(self, test, **more):
        super().__init__(test, EXACT, base=f"[{POLICY}]", account=ACCOUNT,
                         quotes={"AAPL": 190, "F": 10}, held=[("AAPL", 50), ("F", 1000)], **more)
        test.addCleanup(self.free.set)

    def canary(self, gate, **changes):
        own = f"own{next(self.numbers)}"
        terms = {"symbol": "F", "limitPrice": 12 + sum(own.encode()) % 97, "orderQuantity": 1, **changes}
        gate.feed(self.close(own, **terms))
        gate.event("outcome", own, outcome="working")
        return own

    def close(self, order_id="c", **changes):
        return self.routed(stock(order_id, **{"orderQuantity": 10, "limitPrice": 195, **CLOSES, **changes}))

    def goes(self, *orders, gate=None):
        """Assert that the orders are sent while the positions are held back, and before the reading that waits for
        them fails."""
        gate = gate or self.gate
        for order in orders:
            gate.feed(order)
            e = gate.event("outcome", order["clientOrderId"])
            self.test.assertIn(e["outcome"], ("working", "filled"), gate.events[-3:])
            self.test.assertFalse(self.free.is_set())
            self.test.assertNotIn("cannot be read", gate.stderr)

    def works(self, order):
        self.gate.feed(order)
        self.gate.event("outcome", order["clientOrderId"], outcome="working")

    def ended(self):
        """Let an order end. The facts read before that are then too old to decide by."""
        self.live, over = self.canary(self.gate), self.live
        self.hold()
        self.gate.feed({"op": "cancel", "clientOrderId": over})
        self.gate.event("outcome", over, op="cancel")

    def long(self, cancels=2):
        """Wait for longer than a close waits."""
        for _ in range(cancels):
            nobodys = f"nobodys{next(self.numbers)}"
            self.gate.feed({"op": "cancel", "clientOrderId": nobodys})
            self.gate.event("decision", nobodys)

    def is_held(self, order_id="c"):
        self.test.assertEqual(self.gate.events_of("decision", order_id), [])
        self.test.assertEqual(posts(self.p, order_id), [])

    def waits_on(self, order, outcome, rule=None, cancels=2):
        """Assert that older facts do not decide the order, however long it waits, and that it has this outcome in the
        end."""
        self.gate.feed(order)
        self.long(cancels)
        self.is_held(order["clientOrderId"])
        self.ends(order["clientOrderId"], outcome, rule)

    def late(self, order, outcome, rule=None):
        """Release the positions that were requested after the order was read, once they are older than max_age."""
        self.ended()
        while not self.is_reading():
            pass
        self.gate.feed(order)
        self.long(1)
        first, self.free = self.free, threading.Event()
        self.test.addCleanup(self.free.set)
        self.b.gets["/positions"] = self.free
        first.set()
        self.long(3)
        self.is_held(order["clientOrderId"])
        self.ends(order["clientOrderId"], outcome, rule)

    def is_reading(self):
        came = sum(r["path"].endswith("/positions") for r in self.p.control("GET", "requests?since=0")["requests"])
        return self.b.count("/positions") > came

    def now_holds(self, *rows):
        rows += ({"symbol": "F", "shares": 1000, "priceAvg": 10},)
        self.p.control("PUT", "positions/" + self.account, [{"side": "Long", "dayOvernight": "Day", **r} for r in rows])


class Goes(unittest.TestCase):
    def test_old_facts(self):
        w = World(self)
        w.ended()
        w.goes(w.close())

    def test_a_stop_that_is_moved(self):
        """The wait of the new stop is reported again once the old stop is canceled, because the position has no stop
        from then on. It need not wait if a reading that began after the cancel is complete already."""
        w = World(self)
        terms = {"orderType": "Stop", "limitPrice": None}
        w.works(w.close("s", stopPrice=150, **terms))
        w.ended()
        w.gate.feed(w.close(stopPrice=160, replaces="s", **terms))
        w.gate.event("held", "c", reason="reading")
        first, w.free = w.free, threading.Event()
        self.addCleanup(w.free.set)
        w.b.gets["/positions"] = w.free
        first.set()
        w.gate.event("update", "s", orderStatus="Canceled")
        told = len(w.gate.events_of("held", "c"))
        w.gate.wait_until(lambda: len(w.gate.events_of("held", "c")) > told or w.gate.events_of("outcome", "c"),
                          "another event")
        w.free.set()
        w.gate.event("outcome", "c", outcome="working")

    def test_a_stop_that_is_moved_behind_an_order_that_opens(self):
        w = World(self)
        terms = {"orderType": "Stop", "limitPrice": None}
        w.works(w.close("s", stopPrice=150, **terms))
        w.ended()
        w.gate.feed(w.routed(stock("a", orderQuantity=1, limitPrice=189)))
        w.goes(w.close(stopPrice=160, replaces="s", **terms))
        w.gate.event("update", "s", orderStatus="Canceled")
        w.is_held("a")

    def test_a_replacement_of_a_line_that_waits(self):
        """The replacement is not decided before the line that makes the order which it replaces."""
        w = World(self)
        w.ended()
        w.gate.feed(w.close("x", orderQuantity=51), w.close("y", replaces="x"))
        w.long()
        w.is_held("x")
        w.is_held("y")

    def test_one_after_the_other(self):
        w = World(self)
        w.ended()
        w.goes(*(w.close(f"c{i}", limitPrice=195 + i) for i in range(3)))

    def test_at_the_market(self):
        w = World(self)
        w.ended()
        if POLICY not in ("small-account", "options-income"):  # which bar market orders
            w.goes(w.close(orderType="Market", limitPrice=None))

    def test_an_order_made_elsewhere_was_canceled(self):
        w = World(self)
        w.elsewhere(w.close("x"), orderStatus="New")
        w.canary(w.gate, symbol="AAPL", limitPrice=200)  # the facts have it
        w.hold()
        self.assertEqual(w.p.cancel("x", w.account).status, 200)
        w.told("x", orderStatus="Canceled")
        w.goes(w.close())

    def test_orders_of_another_symbol_change(self):
        """Orders that were made elsewhere change and fill, but close something else."""
        w = World(self)
        w.hold()
        w.elsewhere(w.close("x"), orderStatus="New")
        w.elsewhere(w.close("y", limitPrice=180), orderStatus="Filled")
        w.goes(w.close(symbol="F", limitPrice=11))
        w.p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 429, "count": 1})
        w.goes(w.close("d", symbol="F", limitPrice=12))
        w.waits_on(w.close("e", orderQuantity=41), "refused", "close-position")

    def test_bought_elsewhere(self):
        """Purchases of the symbol by others do not reduce what may be sold."""
        w = World(self)
        w.hold()
        w.elsewhere(w.routed(stock("x", orderQuantity=5, limitPrice=180)), orderStatus="New")
        w.elsewhere(w.routed(stock("y", orderQuantity=5, limitPrice=200)), orderStatus="Filled")
        w.goes(w.close())
        w.elsewhere(w.routed(stock("z", orderQuantity=5, limitPrice=200)), orderStatus="Filled")
        w.goes(w.close("d", limitPrice=196))
        w.waits_on(w.close("e", orderQuantity=41), "refused", "close-position")

    def test_a_replacement_of_a_close(self):
        """The old order is canceled. The new one is sent as soon as facts accept it, even if they count both orders."""
        w = World(self)
        w.works(w.close("old"))
        w.ended()
        w.goes(w.close("new", limitPrice=196, replaces="old"))
        w.gate.event("update", "old", orderStatus="Canceled")

    def test_a_replacement_of_a_listed_close(self):
        """The list of orders at hand shows the old order as working: the report that it was canceled is newer."""
        w = World(self)
        seen = w.b.count("/positions")
        w.works(w.close("old"))
        w.b.wait_path("/positions", seen + 1)
        w.works(w.close("other", symbol="F", limitPrice=30, orderQuantity=1))  # another reading follows that one
        w.b.wait_path("/positions", seen + 2)
        w.ended()
        w.goes(w.close("new", limitPrice=196, replaces="old"))
        w.gate.event("update", "old", orderStatus="Canceled")

    def test_behind_a_429(self):
        """A close that waits after a 429 is decided again before its second POST, and waits for newer facts for as
        long as before the first."""
        w = World(self)
        w.ended()
        w.p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 429, "count": 1})
        w.goes(w.close())
        self.assertEqual(len(posts(w.p, "c")), 2)


class Waits(unittest.TestCase):
    """Older facts do not decide a close that is known to exceed the rest of the position."""

    def test_it_would_be_refused(self):
        """The stop was canceled by hand, but still counts in the facts at hand, which would refuse the close."""
        w = World(self)
        w.works(w.close("all", orderQuantity=50))
        w.hold()
        self.assertEqual(w.p.cancel("all", w.account).status, 200)
        w.gate.event("update", "all", orderStatus="Canceled")
        w.waits_on(w.close(), "sent")

    def test_sold_elsewhere(self):
        w = World(self)
        w.hold()
        w.elsewhere(w.close("x", orderQuantity=50, limitPrice=180), orderStatus="Filled")
        w.waits_on(w.close(), "refused", "close-position")

    def test_for_sale_elsewhere(self):
        w = World(self)
        w.hold()
        w.elsewhere(w.close("x", orderQuantity=50), orderStatus="New")
        w.waits_on(w.close(), "refused", "close-position")

    def test_sold_elsewhere_behind_a_429(self):
        w = World(self)
        w.ended()
        w.p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 429, "count": 1})
        w.gate.feed(w.close())
        w.gate.wait_until(lambda: posts(w.p, "c"), "its first POST")
        w.elsewhere(w.close("x", orderQuantity=50, limitPrice=180), orderStatus="Filled")
        w.long()
        self.assertEqual(len(posts(w.p, "c")), 1)
        w.free.set()
        e = w.gate.event("outcome", "c")
        self.assertIn("close-position", e["text"])
        self.assertEqual((e["outcome"], len(posts(w.p, "c"))), ("not-sent", 1))

    def test_sold_by_this_sender(self):
        w = World(self)
        w.ended()
        w.goes(w.close("all", orderQuantity=50, limitPrice=188))
        w.gate.event("update", "all", orderStatus="Filled")
        w.waits_on(w.close(), "refused", "close-position")

    def test_for_sale_by_another_sender(self):
        w = World(self)
        other = w.sender()
        w.canary(other)
        w.ended()
        w.goes(w.close("all", orderQuantity=50), gate=other)
        w.waits_on(w.close(), "refused", "close-position")
        other.kill().finish()

    def test_at_the_start(self):
        """No reading is complete yet: an order of an earlier run may have closed the whole position."""
        w = World(self)
        w.works(w.close("all", orderQuantity=50))
        w.gate.kill().finish()
        w.hold()
        w.gate = w.sender()
        w.waits_on(w.close(), "refused", "close-position", cancels=5)

    def test_it_opens(self):
        w = World(self)
        w.ended()
        w.gate.feed(w.routed(stock("a", orderQuantity=1, limitPrice=189)))
        w.goes(w.close())
        w.long()
        w.is_held("a")


class Late(unittest.TestCase):
    """The positions were requested after the order was written, so their age neither refuses the order nor lets it
    pass."""

    def test_more_than_is_held(self):
        w = World(self)
        w.late(w.close(orderQuantity=51), "refused", "close-position")

    def test_nothing_is_held(self):
        w = World(self)
        w.late(w.close(symbol="MSFT"), "refused", "close-position")

    def test_more_spreads_than_are_held(self):
        w = World(self)
        calls = [occ(strike=190), occ(strike=195)]
        w.now_holds(*({"symbol": "AAPL", "tradedSymbol": call, "securityType": "Option", "side": side, "shares": 1,
                       "priceAvg": 5} for call, side in zip(calls, ("Long", "Short"))))
        order = spread("c", [leg(calls[0], "Sell", "Close"), leg(calls[1], "Buy", "Close")], orderQuantity=2,
                       **({} if POLICY == "paper" else {"route": "SMARTM"}))
        w.late(order, "refused", "close-position")

    def test_facts_that_are_new_enough_for_send_and_not_for_the_policy(self):
        w = World(self, max_age={"positions": "500ms"})
        w.hold()
        w.b.gets["/MSFT"] = w.free
        w.gate.feed(w.routed(stock("short", symbol="MSFT", side="Sell")))
        w.gate.event("held", "short", reason="borrow")  # has waited for a second
        w.waits_on(w.close(orderQuantity=51), "refused", "close-position", cancels=1)


if __name__ == "__main__":
    main(WAITING)
