"""What was traded counts against rule traded-limit: in whole while an order works, then what filled of it; over the
senders of a ledger, and after kill -9."""
import itertools
import unittest

from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send


class Traded(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def policy(self, settings):
        return self.home.file("p.yaml", "ordergate: 1\nname: p\nrules:\n"
                              f"  traded-limit: {{level: refuse, {settings}}}\n  close-position: off\n")

    def refusals(self, gate, order_id):
        return [f["reason"] for f in gate.event("decision", order_id)["findings"] if f["level"] == "refuse"]

    def refused(self, gate, order_id, quantity, reason="traded-day"):
        gate.feed(resting(order_id, orderQuantity=quantity))
        self.assertEqual(gate.event("outcome", order_id)["outcome"], "refused")
        self.assertEqual(self.refusals(gate, order_id), [reason])

    def taken(self, gate, name, quantity):
        """Orders that another sender canceled may count until this one has read their records. Returns how many orders
        were needed."""
        for count in itertools.count(1):
            gate.feed(resting(f"{name}{count}", orderQuantity=quantity))
            if gate.event("outcome", f"{name}{count}")["outcome"] == "working":
                return count
            self.assertEqual(self.refusals(gate, f"{name}{count}"), ["traded-day"])

    def readings(self):
        """Returns how many times the list of orders was requested."""
        return sum(r["method"] == "GET" and r["path"].endswith("/orders")
                   for r in self.paper.control("GET", "requests?since=0")["requests"])

    def test_two_senders_and_a_kill(self):
        policy = self.policy("shares: 30")
        with Sender(self.paper.url, self.home, "-p", policy) as one, Sender(self.paper.url, self.home, "-p",
                                                                            policy) as two:
            one.feed(stock("a", orderQuantity=10))
            one.event("update", "a", orderStatus="Filled")
            two.feed(resting("b", orderQuantity=10))
            two.event("outcome", "b", outcome="working")
            self.refused(one, "c", 11)
            self.refused(two, "d", 11)
            two.feed({"op": "cancel", "clientOrderId": "b"})
            two.event("update", "b", orderStatus="Canceled")
            count = self.taken(one, "e", 20)  # what b might have traded is free again, what a traded is not
            self.refused(two, "f", 1)
            one.kill().process.wait()
            self.assertEqual(two.finish(4), 1)
        code, gate = send(self.paper.url, self.home, [resting("g", orderQuantity=1)], "-p", policy)
        self.assertEqual((code, self.refusals(gate, "g")), (1, ["traded-day"]))
        with Sender(self.paper.url, self.home, "-p", policy) as gate:
            gate.feed({"op": "cancel", "clientOrderId": f"e{count}"})
            gate.event("outcome", f"e{count}")
            lines = 1 + self.taken(gate, "h", 20) + 1
            self.refused(gate, "i", 1)
            self.assertEqual(gate.finish(lines), 1)

    def test_round_trips_count_and_the_next_day_does_not(self):
        policy = self.policy("shares: 30, exits: bind")
        with Sender(self.paper.url, self.home, "-p", policy) as gate:
            gate.feed(stock("a", orderQuantity=10))
            gate.event("update", "a", orderStatus="Filled")
            gate.feed(stock("b", orderQuantity=10, side="Sell", openClose="Close", limitPrice=150))
            gate.event("update", "b", orderStatus="Filled")
            self.refused(gate, "c", 11)
            self.assertEqual(gate.finish(3), 1)
        code, gate = send(self.paper.url, self.home, [resting("d", orderQuantity=11)], "-p", policy)
        self.assertEqual((code, self.refusals(gate, "d")), (1, ["traded-day"]))
        self.paper.control("PUT", "clock", {"now": "2026-01-16T15:00:00Z"})
        code, gate = send(self.paper.url, self.home, [resting("e", orderQuantity=30)], "-p", policy)
        self.assertEqual((code, gate.outcomes()), (0, {"e": "working"}))

    def test_an_order_of_yesterday_that_fills_today_counts_today(self):
        """The list of today leaves an order out once it has ended: only the stream or a look-up shows its fill."""
        policy = self.policy("shares: 100")
        line = resting("a", orderQuantity=90, timeInForce="GoodTillCancel")
        code, gate = send(self.paper.url, self.home, [line], "-p", policy)
        self.assertEqual((code, gate.outcomes()), (0, {"a": "working"}))
        self.paper.control("PUT", "clock", {"now": "2026-01-16T15:00:00Z"})
        with Sender(self.paper.url, self.home, "-p", policy) as gate:
            gate.event("update", "a", orderStatus="New")
            for i in range(3):  # each asks for a reading: by then this run's own reservation of a is over
                gate.feed(resting(f"x{i}", orderQuantity=1, limitPrice=50))
                gate.event("outcome", f"x{i}", outcome="working")
                gate.feed({"op": "cancel", "clientOrderId": f"x{i}"})
                gate.event("update", f"x{i}", orderStatus="Canceled")
            self.paper.control("PUT", "quotes/AAPL", {"bid": 97, "ask": 98})
            gate.event("update", "a", orderStatus="Filled")
            filled, lines = self.readings(), 6
            while self.readings() < filled + 2:  # the list of the newest reading lacks the order
                self.refused(gate, f"b{lines}", 11)
                lines += 1
            gate.feed(resting("c", orderQuantity=10))
            self.assertEqual(gate.event("outcome", "c")["outcome"], "working")
            self.assertEqual(gate.finish(lines + 1), 1)
        code, gate = send(self.paper.url, self.home, [resting("d", orderQuantity=1)], "-p", policy)
        self.assertEqual((code, self.refusals(gate, "d")), (1, ["traded-day"]))

    def test_fills_of_others_count(self):
        """Only the broker's list shows an order that was made elsewhere."""
        policy = self.policy("shares: 30")
        other = self.enterContext(TempHome())
        code, gate = send(self.paper.url, other, [stock("x", orderQuantity=20)], "--until", "final")
        self.assertEqual(gate.outcomes(), {"x": "filled"})
        code, gate = send(self.paper.url, self.home, [resting("a", orderQuantity=11), resting("b", orderQuantity=10)],
                          "-p", policy)
        self.assertEqual((code, gate.outcomes()), (1, {"a": "refused", "b": "working"}))


if __name__ == "__main__":
    main()
