"""Earlier runs of the ledger leave orders working, which change afterwards.

A later run reports each change and records it in the ledger, and the next order is decided by a reading that includes
it. The earlier run leaves a stop that sells the whole position, and ends or is killed. Where the next order must wait
for a reading, the test holds the readings of the later run back.
"""
import json
import os
import subprocess
import unittest

from parallel_unittest import main
from sender import resting
from test_cancels import cancel
from test_foreign import CLOSES, World, ours

BASES = ("default", "live", "cautious")


def stop(order_id="s0", **changes):
    """Returns a stop order that sells the whole position."""
    return ours(order_id, **{"orderType": "Stop", "stopPrice": 180, "limitPrice": None, **CLOSES, **changes})


def close(order_id="m", **changes):
    return ours(order_id, **{"orderQuantity": 60, "limitPrice": 189, **CLOSES, **changes})


class Left(unittest.TestCase):
    def left(self, *orders, base="default", ends=False):
        """Let a run leave these orders working; without orders, a stop."""
        w = World(self, "concentration: off", "client-order-id: off", base=f"[{base}]", account="LIVE0001",
                  quotes={"AAPL": 190, "F": 10}, held=[("AAPL", 100)])
        self.leave(w, *orders)
        (w.gate.finish if ends else w.gate.kill().finish)()
        return w

    def leave(self, w, *orders):
        for order in orders or [stop()]:
            w.gate.feed(w.routed(order))
            w.gate.event("outcome", order["clientOrderId"], outcome="working")

    def later(self, w, *args):
        """Start a later run, and wait until it has read the account."""
        w.gate = w.sender(*args)
        w.live = w.canary(w.gate)
        return w.gate

    def falls(self, w, price=179, **sizes):
        w.p.quote("AAPL", price - 0.01, price + 0.01, **sizes)

    def told(self, w, order_id="s0", gate=None, **members):
        e = (gate or w.gate).event("update", order_id, **members)
        self.assertEqual([e.get(k) for k in ("line", "otherRun", "symbol", "side")], [None, True, "AAPL", "Sell"])
        return e

    def news(self, gate, order_id="s0"):
        """Returns the states of the order that were reported, without the state in which the run found it."""
        return [e["orderStatus"] for e in gate.events_of("update", order_id) if e["orderStatus"] != "New"]

    def listed(self, w):
        done = subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-ledger"), "list", "--ledger",
                               w.home.ledger], capture_output=True, text=True)
        return {r["clientOrderId"]: (r["state"], r["executed"]) for r in map(json.loads, done.stdout.splitlines())}

    def rows(self, w, state, order_id="s0"):
        return len(w.home.rows(f"id = '{order_id}' AND state = '{state}' AND record IN ('update', 'outcome')"))


class IsTold(Left):
    def test_it_fills(self):
        for ends in (False, True):
            with self.subTest(ends=ends):
                w = self.left(ends=ends)
                self.later(w)
                self.falls(w)
                self.assertEqual(self.told(w, orderStatus="Filled")["outcome"], "filled")
                w.gate.finish()
                self.assertEqual(self.listed(w)["s0"], ("filled", 100))
                self.assertEqual((self.news(w.gate), w.gate.events_of("outcome", "s0")), (["Filled"], []))
                self.assertEqual(self.rows(w, "filled"), 1)

    def test_a_part_of_it_fills(self):
        w = self.left(stop(orderType="Limit", stopPrice=None, limitPrice=195))
        self.later(w)
        self.falls(w, 195.01, bidSize=40, askSize=40)
        self.assertNotIn("outcome", self.told(w, executed=40))
        self.assertEqual(w.p.cancel("s0", "LIVE0001").status, 200)
        self.assertEqual(self.told(w, orderStatus="Canceled")["outcome"], "canceled")
        w.gate.finish()
        self.assertEqual(self.listed(w)["s0"], ("canceled", 40))

    def test_it_is_canceled_by_hand(self):
        w = self.left()
        self.later(w)
        self.assertEqual(w.p.cancel("s0", "LIVE0001").status, 200)
        self.told(w, orderStatus="Canceled", outcome="canceled")
        w.gate.finish()
        self.assertEqual(self.listed(w)["s0"], ("canceled", 0))

    def test_its_day_ends(self):
        w = self.left()
        self.later(w)
        w.p.control("PUT", "clock", {"now": "2026-01-16T15:00:00Z"})
        self.told(w, outcome="done")
        w.gate.finish()
        self.assertEqual(self.listed(w)["s0"][0], "done")

    def test_it_filled_before_the_run_began(self):
        w = self.left(ends=True)
        self.falls(w)
        self.later(w)
        self.told(w, orderStatus="Filled", outcome="filled")
        w.gate.finish()
        self.assertEqual(self.listed(w)["s0"], ("filled", 100))

    def test_days_later(self):
        """The broker's lists no longer have the order."""
        w = self.left(stop(timeInForce="GoodTillCancel"), resting("day"), ends=True)
        self.falls(w)
        w.p.control("PUT", "clock", {"now": "2026-01-20T15:00:00Z"})
        self.later(w)
        self.told(w, orderStatus="Filled", outcome="filled")
        w.gate.finish()
        self.assertEqual(self.listed(w)["s0"], ("filled", 100))

    def test_its_run_dies_beside(self):
        w = self.left(resting("other"))
        self.later(w)
        beside = w.sender()
        w.canary(beside)
        self.leave(w)
        w.gate.kill().finish()
        self.falls(w)
        self.told(w, gate=beside, orderStatus="Filled", outcome="filled")
        beside.finish()
        self.assertEqual(self.listed(w)["s0"], ("filled", 100))

    def test_orders_of_a_sender_that_runs_are_told_there(self):
        w = self.left(resting("other"))
        self.later(w)
        beside = w.sender()
        w.canary(beside)
        self.leave(w)
        self.falls(w)
        w.gate.event("update", "s0", orderStatus="Filled")
        w.canary(beside)
        beside.finish()
        self.assertEqual(beside.events_of("update", "s0"), [])

    def test_by_each_sender_and_recorded_once(self):
        w = self.left()
        gates = [self.later(w) for _ in range(3)]
        self.falls(w)
        for gate in gates:
            self.told(w, gate=gate, orderStatus="Filled", outcome="filled")
        for gate in gates:
            gate.finish()
            self.assertEqual(self.news(gate), ["Filled"])
        self.assertEqual((self.rows(w, "filled"), self.listed(w)["s0"]), (1, ("filled", 100)))

    def test_the_line_is_given_again(self):
        """The outcome of the order is reported once, for the line that asks for it."""
        w = self.left()
        self.later(w)
        w.gate.feed(w.routed(stop()))
        self.assertEqual(w.gate.event("outcome", "s0")["line"], 2)
        self.falls(w)
        e = w.gate.event("update", "s0", orderStatus="Filled")
        self.assertEqual((e["line"], e["otherRun"]), (2, True))
        self.assertEqual(w.gate.finish(2), 0)
        self.assertEqual(len(w.gate.events_of("outcome", "s0")), 1)

    def test_the_line_is_given_again_after_it_filled(self):
        w = self.left()
        self.later(w)
        self.falls(w)
        self.told(w, orderStatus="Filled")
        w.gate.feed(w.routed(stop()))
        self.assertEqual(w.gate.event("outcome", "s0")["outcome"], "filled")
        self.assertEqual(w.gate.finish(2), 0)
        self.assertEqual(len(w.gate.events_of("outcome", "s0")), 1)

    def test_a_dry_run_tells_nothing(self):
        w = self.left()
        self.falls(w)
        gate = w.sender("--dry-run")
        gate.feed(w.routed(resting("a", orderQuantity=1)))
        gate.event("outcome", "a")
        gate.finish()
        self.assertEqual((gate.events_of("update"), self.rows(w, "filled")), ([], 0))


class NextOrder(Left):
    """The next order is decided by a reading that includes the outcome of the first one."""

    def in_each(self, *orders):
        for base in BASES:
            w = self.left(*orders, base=base)
            self.later(w)
            yield w

    def waits(self, w, order):
        w.waits(w.routed(order))
        return order["clientOrderId"]

    def test_canceled_by_hand(self):
        for w in self.in_each():
            w.hold()
            self.assertEqual(w.p.cancel("s0", "LIVE0001").status, 200)
            self.told(w, orderStatus="Canceled")
            w.ends(self.waits(w, close()), "sent")

    def test_canceled_by_another_sender(self):
        """This run knows what the other sender recorded, even if its own stream reports nothing."""
        for w in self.in_each():
            other = w.sender(url=w.p.url)
            w.canary(other)
            w.hold()
            w.b.forward_frames.clear()
            other.feed(cancel("s0"))
            other.event("outcome", "s0", outcome="canceled")
            w.gate.feed(w.routed(close()))
            w.gate.event("held", "m")
            w.b.forward_frames.set()
            w.ends("m", "sent")
            other.finish()

    def test_replaced_by_another_sender(self):
        for w in self.in_each():
            other = w.sender(url=w.p.url)
            w.canary(other)
            w.hold()
            other.feed(w.routed(stop("x", stopPrice=181, replaces="s0")))
            other.event("outcome", "x", outcome="working")
            w.gate.feed(w.routed(stop("y", stopPrice=182, replaces="x")))
            w.gate.event("held", "y")
            w.ends("y", "sent")
            other.finish()

    def test_a_part_filled(self):
        for w in self.in_each(stop(orderType="Limit", stopPrice=None, limitPrice=195)):
            w.hold()
            self.falls(w, 195.01, bidSize=40, askSize=40)
            self.told(w, executed=40)
            w.ends(self.waits(w, close(orderQuantity=61, replaces="s0")), "refused")
            self.assertEqual([path for method, path in w.b.paths if method == "DELETE" and path.endswith("s0")], [])

    def test_it_filled(self):
        for w in self.in_each():
            w.hold()
            self.falls(w)
            self.told(w, orderStatus="Filled")
            w.ends(self.waits(w, close()), "refused")

    def test_its_day_ends(self):
        """The stop's day ends, so another stop may sell the position on the next day."""
        for w in self.in_each():
            w.p.control("PUT", "clock", {"now": "2026-01-15T21:30:00Z"})
            self.told(w, outcome="done")
            w.hold()
            w.gate.feed(w.routed(stop("m", stopPrice=181)))
            w.ends("m", "sent")


if __name__ == "__main__":
    main()
