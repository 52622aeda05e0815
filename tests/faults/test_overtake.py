"""Cancels overtake order lines that wait for the POSTs of other lines, for the end of a 429, or for something to be
read.

If the line of an order still waits when the order's cancel is read, the order is never posted. The tests compare the
sequence of requests at the brokerage, while whatever delays the orders lasts until the test ends it. OG_POLICY names a
shipped policy to use in all tests.
"""
import threading
import unittest

from fault_proxy import FaultProxy
from parallel_unittest import main
from sender import RUNNING, TempHome, posts, stock
from test_cancels import LIVE, POLICY, Paper, Sender, cancel, deletes, resting, state

BUSY = {"on": "POST order", "do": "status", "status": 429, "count": 1000000}
BEHIND = 400  # lines: more than one read of the input takes


def one(order_id, n=0):
    """An order of a single share; no two numbers have the same terms."""
    return resting(order_id, orderQuantity=1, limitPrice=(250 if resting("x")["side"] == "Sell" else 150) + n / 100)


def close(order_id):
    return stock(order_id, side="Sell", openClose="Close", orderQuantity=1, limitPrice=299,
                 **({"route": "SMART"} if LIVE else {}))


class World:
    """A brokerage with a working order "old" of this run, and a sender whose requests are delayed by hold() and sent
    by let_go()."""

    def __init__(self, *args):
        self.args = ("--timeout", "100s", *args)
        self.hold = threading.Event()

    def __enter__(self):
        self.paper, self.home = Paper(clock=RUNNING), TempHome()
        self.paper.hold_shares()
        self.proxy = FaultProxy(self.paper, {"held": (True, self.hold), "held2": (True, self.hold)})
        self.gate = Sender(self.proxy.url, self.home, *self.args)
        self.gate.feed(one("old", 1), one("old2", 2))
        for order_id in ("old", "old2"):
            self.gate.event("outcome", order_id, outcome="working")
        return self

    def __exit__(self, *how):
        self.hold.set()
        for part in (self.gate, self.paper, self.proxy, self.home):
            part.__exit__(*how)

    def busy(self, *lines):
        """Have all POSTs that may be under way at once (one, and a close beside it) answered with 429, so that they
        wait; then write the lines."""
        self.paper.control("POST", "faults", BUSY)
        self.gate.feed(one("busy", 3), close("busy2"))
        while not (posts(self.paper, "busy") and posts(self.paper, "busy2")):
            pass
        self.gate.feed(*lines)

    def full(self, *lines):
        """Leave all POSTs that may be under way at once (one, and a close beside it) without an answer; then write the
        lines."""
        self.gate.feed(one("held", 3))
        self.proxy.wait_post("held")
        self.gate.feed(close("held2"))
        self.proxy.wait_post("held2")
        self.gate.feed(*lines)

    def ended(self, line):
        return self.gate.event("outcome", line=line)["outcome"]

    def idle(self):
        """Let the broker answer POSTs again."""
        self.paper.control("DELETE", "faults")


class Overtakes(unittest.TestCase):
    def test_a_429(self):
        with World("--max-in-flight", "1") as w:
            w.busy(one("b", 4), cancel("old"))
            self.assertEqual(w.ended(6), "canceled")
            self.assertEqual((w.gate.events_of("outcome", "busy"), w.gate.events_of("decision", "b")), ([], []))
            w.idle()
            self.assertEqual((w.ended(3), w.ended(5)), ("working", "working"))
            self.assertEqual((w.gate.finish(6), len(posts(w.paper, "b"))), (0, 1))

    def test_max_in_flight_and_many_lines(self):
        with World("--max-in-flight", "1") as w:
            w.full(*(one(f"b{n}", 4 + n) for n in range(BEHIND)), cancel("old"))
            self.assertEqual(w.ended(5 + BEHIND), "canceled")
            self.assertEqual((posts(w.paper, "b0"), w.gate.events_of("decision", "b0")), ([], []))

    def test_facts_that_cannot_be_had(self):
        """An order waits for its account to be read. The cancel of an order that is in this ledger does not wait for
        that."""
        with World() as w:
            w.gate.feed(cancel("old2")).finish()
            hang = threading.Event()
            w.proxy.gets["/orders"] = hang
            with Sender(w.proxy.url, w.home) as again:
                try:
                    again.feed(one("b", 4), cancel("old"))
                    self.assertEqual(again.event("outcome", line=2)["outcome"], "canceled")
                    self.assertEqual((again.events_of("decision", "b"), posts(w.paper, "b")), ([], []))
                finally:
                    hang.set()
                self.assertEqual((again.event("outcome", line=1)["outcome"], again.finish(2)), ("working", 0))

    def test_two_cancels(self):
        """A cancel of an unknown id waits for a list of orders; other cancels do not wait for it."""
        with World("--max-in-flight", "1") as w:
            hang = threading.Event()
            w.proxy.gets["/orders"] = hang
            try:
                w.full(one("b", 4), cancel("nobody"), cancel("old"), cancel("old2"), cancel("old"))
                self.assertEqual([w.ended(n) for n in (7, 8, 9)], ["canceled"] * 3)
                self.assertEqual(w.gate.events_of("decision", "b"), [])
            finally:
                hang.set()
            self.assertIn(w.ended(6), ("refused", "unknown", "rejected"))
            self.assertEqual((len(deletes(w.paper, "old")), len(deletes(w.paper, "old2"))), (1, 1))

    def test_a_line_behind_the_cancel_stays_behind_it(self):
        """A line that opens waits for a cancel that waits for a list; one that only closes does not."""
        with World("--max-in-flight", "1") as w:
            hang = threading.Event()
            w.proxy.gets["/orders"] = hang
            try:
                w.full(cancel("nobody"), one("b", 4))
                w.hold.set()
                self.assertEqual(w.ended(3), "working")
                if POLICY:
                    self.assertEqual((w.ended(6), w.gate.events_of("decision", "nobody")), ("working", []))
            finally:
                hang.set()
            w.ended(5), w.ended(6)
            self.assertEqual(w.gate.event("decision", "nobody")["seq"] < w.gate.event("decision", "b")["seq"],
                             not POLICY)


class OwnLine(unittest.TestCase):
    """Cancels of an order whose own line still waits to be decided."""

    def never_posted(self, w, order_id, line, cancel_line, *beginnings):
        """The text tells of the old order with one of these beginnings: it may be canceled already or not yet."""
        self.assertEqual((w.ended(cancel_line), w.ended(line)), ("canceled", "canceled"))
        told = w.gate.event("outcome", line=line)
        text, _, rest = told["text"].partition("; ")
        self.assertEqual((text, told["executed"]), ("canceled before it was posted", 0))
        self.assertTrue(rest.startswith(beginnings) if beginnings else not rest, rest)
        self.assertEqual((posts(w.paper, order_id), deletes(w.paper, order_id)), ([], []))
        self.assertEqual(w.home.newest_row(order_id)["state"], "canceled")

    def test_a_line_that_waits(self):
        with World("--max-in-flight", "1") as w:
            lines = [one("b", 4), one("c", 5), cancel("b")]
            w.full(*lines)
            self.never_posted(w, "b", 5, 7)
            w.hold.set()
            self.assertEqual((w.ended(3), w.ended(6)), ("working", "working"))
            w.gate.feed(one("b", 4), one("b", 6))
            self.assertEqual((w.ended(8), w.ended(9)), ("refused", "refused"), "its id is used")
            self.assertEqual(w.gate.finish(9), 1)
            with Sender(w.paper.url, w.home, "--resend-not-sent", lines=lines) as again:  # a later run
                self.assertEqual(again.finish(3), 0, again.events)
                self.assertEqual({e["line"]: e["outcome"] for e in again.events_of("outcome")},
                                 {1: "canceled", 2: "working", 3: "canceled"})
            self.assertEqual(posts(w.paper, "b"), [])

    def test_one_of_many_lines(self):
        with World("--max-in-flight", "1") as w:
            w.full(*(one(f"b{n}", 4 + n) for n in range(BEHIND)), cancel("b200"))
            self.never_posted(w, "b200", 205, 5 + BEHIND)

    def test_one_behind_a_429(self):
        with World("--max-in-flight", "1") as w:
            w.busy(one("b", 4), cancel("b"), cancel("busy"), cancel("busy2"))
            self.assertEqual((w.ended(7), w.ended(3), w.ended(8), w.ended(4)), ("canceled",) * 4)
            seen = len(posts(w.paper))
            self.never_posted(w, "b", 5, 6)
            w.idle()
            w.gate.feed(one("c", 5))
            self.assertEqual(w.ended(9), "working")
            self.assertEqual({r["status"] for r in posts(w.paper, "busy")}, {429})
            self.assertEqual((len(posts(w.paper, "c")), w.gate.finish(9)), (len(posts(w.paper)) - seen, 0))
            self.assertEqual(deletes(w.paper), [])

    def test_one_that_waits_for_the_account(self):
        """At the start nothing is read yet, so the line waits for the account."""
        with World() as w:
            w.gate.finish()
            hang = threading.Event()
            w.proxy.gets["/orders"] = hang
            with Sender(w.proxy.url, w.home) as w.gate:
                try:
                    w.gate.feed(one("b", 4), cancel("b"))
                    self.never_posted(w, "b", 1, 2)
                finally:
                    hang.set()
                self.assertEqual(w.gate.finish(2), 0)

    def test_a_replacement_under_way(self):
        """The cancel comes when the old order is already canceled: the new one is not posted."""
        with World("--timeout", "3s") as w:
            w.paper.control("POST", "faults", {"on": "DELETE order", "do": "hang"})
            w.gate.feed(dict(one("b", 4), replaces="old"))
            while not deletes(w.paper, "old"):
                pass
            w.gate.feed(cancel("b"))
            self.never_posted(w, "b", 3, 4, "the order 'old' that it replaces is being canceled, and this one is never "
                                            "sent, so neither works then",
                              "the order 'old' that it replaces was canceled, and this one was never sent, so neither "
                              "works")
            self.assertEqual((w.gate.finish(4), posts(w.paper, "b"), state(w.paper, "old")), (0, [], "Canceled"))

    def test_a_replacement_that_waits(self):
        """If the new order could not be posted now, the old one is not canceled for it."""
        with World("--max-in-flight", "1") as w:
            w.busy(dict(one("b", 4), replaces="old"), cancel("old2"))
            self.assertEqual(w.ended(6), "canceled")
            self.assertEqual((deletes(w.paper, "old"), state(w.paper, "old")), ([], "New"))
            w.idle()
            self.assertEqual((w.ended(3), w.ended(5)), ("working", "working"))
            self.assertEqual(state(w.paper, "old"), "Canceled")

    def test_somebody_elses_order_of_that_id(self):
        with World("--max-in-flight", "1") as w:
            w.paper.order(one("b", 7))
            w.gate.event("external", "b")
            w.full(one("b", 4), cancel("b"))
            self.assertEqual((w.ended(6), state(w.paper, "b")), ("canceled", "Canceled"))
            w.hold.set()
            self.assertEqual((w.ended(5), len(posts(w.paper, "b"))), ("refused", 1), "theirs")

    def test_a_line_that_is_no_order(self):
        with World("--max-in-flight", "1") as w:
            w.full({**one("b", 4), "side": "Up"}, cancel("b"))
            self.assertEqual(w.ended(6), "refused")
            w.hold.set()
            self.assertEqual((w.ended(5), posts(w.paper, "b")), ("refused", []))


class Flood(unittest.TestCase):
    def test_what_waits_is_bounded(self):
        """Lines beyond the bound are not read, and none of them is lost. Meanwhile another sender cancels."""
        with World("--max-in-flight", "1") as w:
            w.full()
            filler = "x" * 1000000
            lines = [{**one(f"b{n}", 4), "note": filler} for n in range(80)]
            writer = threading.Thread(target=lambda: w.gate.feed(*lines), daemon=True)
            writer.start()
            least = most = 0
            while least < 50000000 or most - least > 100000:  # the sender reads until the bound, and then no more
                writer.join(0.2)
                least, most = most, read_so_far(w.gate.process.pid)
            self.assertTrue(writer.is_alive())
            self.assertLess(most, 80000000)
            with Sender(w.paper.url, w.home, lines=[cancel("old")]) as other:
                self.assertEqual((other.finish(1), other.outcomes()), (0, {"old": "canceled"}))
            w.hold.set()
            writer.join()
            w.gate.close_input()
            self.assertEqual(w.gate.finish(84) in (0, 1), True, "each has an outcome")


def read_so_far(pid):
    with open(f"/proc/{pid}/io") as f:
        return int(f.readline().split()[1])


if __name__ == "__main__":
    main()
