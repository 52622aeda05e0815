"""Each wait is reported: each test makes something wait until the event "held" has come. A wait is reported once for
each reason."""
import itertools
import sqlite3
import threading
import time
import unittest

from paper import LIVE, stock
from parallel_unittest import main
from sender import Sender
from test_cancels import cancel, deletes, resting
from test_overtake import World, one


class Held(unittest.TestCase):
    def world(self, *args):
        return self.enterContext(World(*args))

    def hold(self, w, end):
        """Hold back the answers to requests whose paths end in `end`, until the returned Event is set, or the test
        ends."""
        hang = threading.Event()
        self.addCleanup(hang.set)
        w.proxy.gets[end] = hang
        return hang

    def told(self, gate, reason, line, words, **members):
        event = gate.event("held", line=line, reason=reason, **members)
        self.assertRegex(event["text"], words)
        return event

    def test_a_reading_and_the_lines_behind(self):
        w = self.world()
        w.gate.finish(2)
        hang = self.hold(w, "/positions")
        with Sender(w.proxy.url, w.home, *w.args) as gate:
            gate.feed(one("a", 4), one("b", 5))
            first = self.told(gate, "reading", 1, "a reading of account 'PAPER0001' has been under way for .*")
            self.assertEqual((first["clientOrderId"], first["accountId"]), ("a", "PAPER0001"))
            self.told(gate, "earlier-line", 2, "line 1 was read earlier", clientOrderId="b")
            gate.feed(one("c", 6))
            self.told(gate, "earlier-line", 3, "line 1", clientOrderId="c")
            self.assertEqual([len(gate.events_of("held", order_id)) for order_id in "abc"], [1, 1, 1], "told once")
            self.assertEqual(gate.events_of("decision"), [])
            hang.set()
            self.assertEqual((gate.finish(3), set(gate.outcomes().values())), (0, {"working"}))

    def test_a_change_of_an_order_that_an_earlier_run_left(self):
        """An order that an earlier run of the ledger left working fills: it was not made elsewhere."""
        w = self.world()
        w.gate.finish(2)
        with Sender(w.proxy.url, w.home, *w.args, env={"ORDERGATE_SETTLE": "5s"}) as gate:
            gate.feed(one("first", 5))
            gate.event("outcome", "first")
            w.paper.quote("AAPL", 100, 100.02)
            gate.event("update", "old", orderStatus="Filled")
            gate.feed(one("b", 6))
            told = self.told(gate, "elsewhere", 2, "an order that an earlier run of this ledger made has changed; ")
            self.assertNotIn("made elsewhere", told["text"])
            gate.event("outcome", "b")
            gate.finish(2)

    def test_max_in_flight(self):
        w = self.world("--max-in-flight", "1")
        w.full(one("b", 4))
        self.told(w.gate, "in-flight", 5, "2 POSTs have no answer yet, --max-in-flight allows 1", clientOrderId="b")
        self.assertEqual(w.gate.events_of("held", "held"), [], "its request has left")
        w.hold.set()
        self.assertEqual((w.ended(5), w.gate.finish(5)), ("working", 0))

    def test_a_429(self):
        w = self.world("--max-in-flight", "1", "--wait", "200s")
        w.busy(one("b", 4))
        self.told(w.gate, "busy", 3, "429", clientOrderId="busy")
        self.told(w.gate, "in-flight", 5, "2 POSTs have no answer", clientOrderId="b")
        w.idle()
        self.assertEqual((w.ended(3), w.ended(5), w.gate.finish(5)), ("working", "working", 0))
        reasons = [e["reason"] for e in w.gate.events_of("held", "busy")]
        self.assertNotIn(True, [a == b for a, b in itertools.pairwise(reasons)], "told again where the reason changes")

    def test_a_429_before_the_decision(self):
        """The line is decided after the pause, and then waits for its own 429. Which wait is reported first depends
        on how fast the account is read meanwhile."""
        w = self.world("--wait", "200s")
        w.busy(one("b", 4))
        w.gate.wait_until(lambda: {e["reason"] for e in w.gate.events_of("held", "b")} & {"rate", "busy"}, "held b")
        w.idle()
        self.assertEqual((w.ended(3), w.ended(5), w.gate.finish(5)), ("working", "working", 0))

    def test_the_ledger(self):
        w = self.world()
        other = sqlite3.connect(w.home.ledger, isolation_level=None, timeout=600)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        w.gate.feed(one("b", 4))
        self.told(w.gate, "ledger", 3, ".", clientOrderId="b")
        other.execute("ROLLBACK")
        self.assertIn(w.ended(3), ("working", "not-sent"))

    def test_a_replacement(self):
        w = self.world()
        hang = self.hold(w, "/old")
        w.gate.feed(resting("new", orderQuantity=1, limitPrice=149, replaces="old"))
        self.told(w.gate, "cancel", 3, "'old' that it replaces is being canceled", clientOrderId="new")
        hang.set()
        self.assertEqual((w.ended(3), w.gate.finish(3)), ("working", 0))

    def test_what_it_waits_for_next_is_told_after_a_second_too(self):
        w = self.world()
        read, check = self.hold(w, "/positions"), self.hold(w, "/F")
        with Sender(w.proxy.url, w.home, "-p", "default", keys=LIVE,
                    env={"ORDERGATE_ACCOUNT": "LIVE0001", "ORDERGATE_ENVIRONMENT": "live"}) as gate:
            gate.feed(stock("a", route="SMART"), stock("s", symbol="F", side="Sell", route="SMART", limitPrice=13))
            self.told(gate, "earlier-line", 2, "line 1", clientOrderId="s")
            gate.feed(stock("b", route="SMART", limitPrice=189))
            self.told(gate, "earlier-line", 3, "line 1", clientOrderId="b")  # a second later
            began = time.monotonic()
            read.set()
            gate.wait_until(lambda: len(gate.events_of("held", "s")) == 2, "held s")
            self.assertGreaterEqual(time.monotonic() - began, 1)
            check.set()
            gate.event("outcome", "s")
            gate.kill().finish()

    def test_a_cancel_of_an_order_without_an_answer(self):
        """No list or row has shown the order yet, so the cancel waits; a cancel of an order that was shown is sent at
        once."""
        w = self.world()
        w.proxy.behaviours["held"] = w.hold, "answer"
        w.full(cancel("held"))
        self.told(w.gate, "in-flight", 5, "the POST of the order has no answer", op="cancel", clientOrderId="held")
        w.hold.set()
        self.assertEqual((w.ended(5), len(deletes(w.paper, "held"))), ("canceled", 1))

    def test_a_cancel_that_waits_for_a_list(self):
        w = self.world()
        hang = self.hold(w, "/orders")
        w.gate.feed(cancel("nobody"))
        self.told(w.gate, "reading", 3, "a reading of account", op="cancel", clientOrderId="nobody")
        hang.set()

    def test_a_cancel_behind_a_429(self):
        w = self.world()
        w.paper.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": 429, "count": 1000000})
        w.gate.feed(cancel("old"))
        self.told(w.gate, "busy", 3, "429", op="cancel", clientOrderId="old")
        w.idle()
        self.assertEqual((w.ended(3), w.gate.finish(3)), ("canceled", 0))

    def test_a_borrow_check(self):
        w = self.world()
        hang = self.hold(w, "/F")
        with Sender(w.proxy.url, w.home, "-p", "default", keys=LIVE,
                    env={"ORDERGATE_ACCOUNT": "LIVE0001", "ORDERGATE_ENVIRONMENT": "live"}) as gate:
            gate.feed(stock("s", symbol="F", side="Sell", route="SMART", limitPrice=13))
            self.told(gate, "borrow", 1, "borrow check and the inventory", clientOrderId="s")
            hang.set()
            self.assertEqual((gate.event("outcome", "s")["outcome"], gate.finish(1)), ("working", 0))

    def test_a_dry_run_tells_decisions_alone(self):
        w = self.world()
        w.gate.finish(2)
        hang = self.hold(w, "/positions")
        with Sender(w.proxy.url, w.home, *w.args) as beside, Sender(w.proxy.url, w.home, "--dry-run") as gate:
            gate.feed(one("a", 4))
            beside.feed(one("b", 5))
            self.told(beside, "reading", 1, "a reading")
            hang.set()
            self.assertEqual(gate.event("outcome", "a")["outcome"], "not-sent")
            self.assertEqual(gate.events_of("held"), [])


if __name__ == "__main__":
    main()
