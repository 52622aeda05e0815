"""A close is sent right after another run of the same ledger had a fill.

The broker's positions may lack the fill, so it counts in addition to them for the time `settle`. A close that would be
refused only because of that waits for positions that include the fill. OG_POLICY names a shipped policy to use in all
tests.
"""
import unittest

import test_slow_closes
from paper import leg, occ, spread
from parallel_unittest import main
from sender import posts
from test_slow_closes import POLICY

SETTLES = {"ORDERGATE_SETTLE": "2s"}
CALLS = [occ(strike=190), occ(strike=195), occ(strike=200)]
QUOTES = {CALLS[0]: 5, CALLS[1]: 3, CALLS[2]: 2}
FIRST = (("AAPL", "Long", 50, 190), ("F", "Long", 1000, 10), (CALLS[0], "Long", 5, 5), (CALLS[1], "Short", 5, 3),
         (CALLS[2], "Long", 5, 2))
PAPER = POLICY == "paper"  # the paper account's orders have no route


class World(test_slow_closes.World):
    """An account with positions of all kinds, and lines that close them."""

    def __init__(self, test):
        super().__init__(test, env=SETTLES)
        self.p.control("PUT", "positions/" + self.account, [
            {"symbol": symbol, "side": side, "shares": shares, "priceAvg": price, "dayOvernight": "Day"}
            for symbol, side, shares, price in FIRST])
        for symbol, price in QUOTES.items():
            self.p.quote(symbol, price - 0.1, price + 0.1)
        self.gate.finish()

    def run(self):
        self.gate = self.sender()
        return self.gate

    def sale(self, order_id, size, **changes):
        return self.close(order_id, orderQuantity=size, **{"limitPrice": 189.5, **changes})

    def stop(self, order_id, size, **changes):
        return self.close(order_id, orderQuantity=size, orderType="Stop", limitPrice=None,
                          **{"stopPrice": 150, **changes})

    def calls(self, order_id, size, **changes):
        order = self.close(order_id, **{"securityType": "Option", "symbol": CALLS[2], "orderQuantity": size,
                                        "limitPrice": 9, **changes})
        return order if PAPER else {**order, "route": "SMARTO"}

    def both(self, order_id, size, limit=1.5):
        legs = [leg(CALLS[0], "Sell", "Close"), leg(CALLS[1], "Buy", "Close")]
        return spread(order_id, legs, orderQuantity=size, limitPrice=limit, route=None if PAPER else "SMARTM")

    def fills(self, order, gate=None):
        gate = gate or self.gate
        gate.feed(order)
        gate.event("update", order["clientOrderId"], orderStatus="Filled")

    def goes(self, order):
        self.gate.feed(order)
        e = self.gate.event("outcome", order["clientOrderId"])
        self.test.assertIn(e["outcome"], ("working", "filled"), self.gate.events_of("decision"))


class Goes(unittest.TestCase):
    def after(self, first, second, end="finish"):
        w = World(self)
        w.run()
        w.fills(first(w))
        getattr(w.gate, end)()
        w.run()
        w.goes(second(w))
        return w

    def test_a_stop_for_the_rest(self):
        w = self.after(lambda w: w.sale("a", 20), lambda w: w.stop("b", 30))
        self.assertEqual([f["rule"] for f in w.gate.events_of("decision", "b")[-1]["findings"]
                          if f["reason"] == "flatten-with-working-orders"], [])

    def test_after_a_kill(self):
        self.after(lambda w: w.sale("a", 20), lambda w: w.stop("b", 30), end="kill")

    def test_calls(self):
        self.after(lambda w: w.calls("a", 2, limitPrice=1.5), lambda w: w.calls("b", 3))

    def test_a_leg_after_a_spread(self):
        self.after(lambda w: w.both("a", 2),
                   lambda w: w.calls("b", 3, symbol=CALLS[1], side="Buy", limitPrice=1))

    def test_a_spread_after_a_spread(self):
        self.after(lambda w: w.both("a", 2), lambda w: w.both("b", 3, 4))

    def test_a_part_that_filled(self):
        w = World(self)
        w.p.quote("AAPL", 189.99, 190.01, bidSize=20, askSize=20)
        gate = w.run()
        gate.feed(w.sale("a", 50, limitPrice=189.99))
        gate.wait_until(lambda: any(e.get("executed", 0) > 0 for e in gate.events_of("update", "a")), "a part")
        gate.feed({"op": "cancel", "clientOrderId": "a"})
        left = 50 - gate.event("outcome", "a", op="cancel", outcome="canceled")["executed"]
        gate.finish()
        w.run()
        w.goes(w.stop("b", left))

    def test_a_stop_is_moved(self):
        w = World(self)
        w.run()
        w.goes(w.stop("s", 30))
        w.fills(w.sale("a", 20))
        w.gate.finish()
        w.run()
        w.goes(w.stop("b", 30, stopPrice=160, replaces="s"))

    def test_of_a_run_beside_it(self):
        w = World(self)
        other, gate = w.sender(), w.run()
        w.canary(gate)
        w.fills(w.sale("a", 20), other)
        w.goes(w.stop("b", 30))

    def test_of_several_runs(self):
        w = World(self)
        for i in range(3):
            w.run()
            w.fills(w.sale(f"a{i}", 10 + i))
            w.gate.finish()
        w.run()
        w.goes(w.stop("b", 17))


class AfterALostOrder(unittest.TestCase):
    """A close that never reached the broker counts until the broker has lacked it for a minute. A look-up of the next
    run then proves the absence. A new close waits for that, even in a run that ends with it."""

    def after(self, *lines, end="kill"):
        w = World(self)
        w.b.behaviours["lost"] = (False, "close")
        gate = w.run()
        gate.feed(w.stop("lost", 50))
        gate.event("posted", "lost")
        gate.wait_row("detail LIKE '%absentSince%'")
        getattr(gate, end)()
        w.p.advance("63s")
        for line in lines:
            gate = w.run()
            gate.feed(line(w))
            gate.finish()
            self.assertEqual(gate.events_of("outcome", line(w)["clientOrderId"])[-1]["outcome"], "working",
                             gate.events[-3:])
        self.assertEqual(posts(w.p, "lost"), [])

    def test_a_stop(self):
        self.after(lambda w: w.stop("b", 50))

    def test_a_limit_order_for_a_part(self):
        self.after(lambda w: w.sale("b", 20, limitPrice=195), lambda w: w.stop("c", 30))

    def test_one_that_is_moved_at_once(self):
        self.after(lambda w: w.stop("b", 50), lambda w: w.stop("c", 50, stopPrice=160, replaces="b"))


class Stays(unittest.TestCase):
    def test_a_lost_order_that_may_work(self):
        """The lost order has been absent for less than a minute, so it may still work, and counts."""
        w = World(self)
        w.b.behaviours["lost"] = (False, "close")
        gate = w.run()
        gate.feed(w.stop("lost", 50))
        gate.event("posted", "lost")
        gate.kill()
        gate = w.run()
        gate.feed(w.stop("b", 50))
        self.assertEqual(gate.event("outcome", "b")["outcome"], "refused")
        self.assertIn("'lost'", gate.event("outcome", "b")["text"])
        self.assertEqual(posts(w.p, "b"), [])

    def test_what_is_closed_already(self):
        w = World(self)
        w.run()
        w.fills(w.sale("a", 20))
        w.gate.finish()
        w.run()
        w.gate.feed(w.stop("b", 31))
        self.assertEqual(w.gate.event("outcome", "b")["outcome"], "refused")
        self.assertEqual(posts(w.p, "b"), [])


if __name__ == "__main__":
    main()
