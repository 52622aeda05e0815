"""Other processes write records to the ledger while a sender runs: orders that they are about to post use up room under
limits, orders that they sent before count, and an order that a person resolves counts as resolved."""
import itertools
import unittest

from fault_proxy import FaultProxy
from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from test_waiver import lines, tool


def resolve(home, order_id, outcome, *more):
    return tool(home, "resolve", order_id, "--as", outcome, "--reason", "the desk was called", *more, name="ledger")


class Others(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def policy(self, rules):
        return self.home.file("p.yaml", "ordergate: 1\nname: p\nrules:\n" + rules)

    def taken(self, gate, name, quantity):
        """Returns how many orders were accepted: the orders of the run before count twice until the account is read
        again."""
        for count in itertools.count(1):
            gate.feed(resting(f"{name}{count}", orderQuantity=quantity))
            outcome = gate.event("outcome", f"{name}{count}")["outcome"]
            if outcome == "working":
                return count
            self.assertEqual(outcome, "refused")

    def test_two_senders_cannot_spend_the_same(self):
        """The first sender's POST is still under way: the ledger has the order, and the broker does not have it yet."""
        self.paper.control("PUT", "accounts/PAPER0001", {"bp": 3000})
        with FaultProxy(self.paper, {"first": (False, "hang")}) as b, Sender(b.url, self.home, "--timeout", "5m",
                                                                             "--wait", "5m") as one, \
                Sender(self.paper.url, self.home) as two:
            two.feed(resting("small", orderQuantity=1))
            two.event("outcome", "small", outcome="working")
            one.feed(resting("first", orderQuantity=15))
            b.wait_post("first")
            two.feed(resting("second", orderQuantity=15))
            self.assertEqual(two.event("outcome", "second")["outcome"], "refused")
            self.assertIn("buying-power",
                          [f["rule"] for f in two.event("decision", "second")["findings"] if f["level"] == "refuse"])
            count = self.taken(two, "third", 4)
            b.stop()  # the answer is lost, and only a look-up can tell the outcome
            one.event("posted", "first")
            two.feed(resting("fourth", orderQuantity=15))
            self.assertEqual(two.event("outcome", "fourth")["outcome"], "refused")
            done = tool(self.home, "resolve", "first", "--as", "not-sent", "--reason", "never arrived", name="ledger")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(one.event("outcome", "first")["outcome"], "not-sent")
            count += self.taken(two, "fifth", 14)
            self.assertEqual((one.kill().process.wait(), two.finish(3 + count)), (-9, 1))
        self.assertEqual(len(posts(self.paper, "first")), 0)

    def test_a_sender_started_while_another_posts(self):
        self.paper.control("PUT", "accounts/PAPER0001", {"bp": 3000})
        with FaultProxy(self.paper, {"first": (False, "hang")}) as b, Sender(b.url, self.home, "--timeout",
                                                                             "60s") as one:
            one.feed(resting("first", orderQuantity=15))
            b.wait_post("first")
            code, two = send(self.paper.url, self.home,
                             [resting("second", orderQuantity=15), resting("third", orderQuantity=4)])
            self.assertEqual(two.outcomes(), {"second": "refused", "third": "working"})
            one.kill().process.wait()

    def test_their_orders_are_let_go(self):
        """The room under the limit that another sender's order used is free again once that order is over."""
        policy = self.policy("  open-orders: {level: refuse, in_total: 1}\n")
        with Sender(self.paper.url, self.home, "-p", policy, "--until", "final") as one, Sender(self.paper.url,
                                                                                                self.home,
                                                                                                "-p", policy) as two:
            two.feed({"op": "cancel", "clientOrderId": "nothing"})  # it is set up
            two.event("outcome", "nothing")
            one.feed(stock("full"))
            one.event("outcome", "full", outcome="filled")
            for i in range(100000):
                two.feed(resting(f"o{i}"))
                if two.event("outcome", f"o{i}")["outcome"] == "working":
                    break
            one.feed(resting("more"))
            self.assertEqual(one.event("outcome", "more")["outcome"], "refused")
            self.assertEqual((one.finish(2), two.finish(i + 2) in (0, 1, 5)), (1, True))

    def test_orders_of_earlier_runs_count(self):
        policy = self.policy("  order-rate: {level: refuse, a_day: 3}\n")
        code, gate = send(self.paper.url, self.home, [resting("a1"), resting("a2")], "-p", policy)
        self.assertEqual(code, 0)
        code, gate = send(self.paper.url, self.home, [resting("b1"), resting("b2")], "-p", policy)
        self.assertEqual(gate.outcomes(), {"b1": "working", "b2": "refused"})
        self.assertIn("order-rate",
                      [f["rule"] for f in gate.event("decision", "b2")["findings"] if f["level"] == "refuse"])
        code, gate = send(self.paper.url, self.home, [resting("c")], "-p", policy, "--dry-run")
        self.assertEqual(gate.outcomes(), {"c": "refused"})
        self.paper.control("PUT", "clock", {"now": "2026-01-16T15:00:00Z"})  # another day
        code, gate = send(self.paper.url, self.home, [resting("d")], "-p", policy)
        self.assertEqual(gate.outcomes(), {"d": "working"})

    def test_orders_of_a_sender_beside_count(self):
        policy = self.policy("  order-rate: {level: refuse, a_minute: 2}\n")
        with Sender(self.paper.url, self.home, "-p", policy) as one, Sender(self.paper.url, self.home, "-p",
                                                                            policy) as two:
            for gate, order_id in ((one, "a"), (two, "b")):
                gate.feed(resting(order_id))
                gate.event("outcome", order_id, outcome="working")
            for gate, order_id in ((one, "c"), (two, "d")):
                gate.feed(resting(order_id))
                self.assertEqual(gate.event("outcome", order_id)["outcome"], "refused")
            self.assertEqual((one.finish(2), two.finish(2)), (1, 1))

    def test_repeats_and_rejections_of_earlier_runs(self):
        policy = self.policy("  repeated-order: {level: refuse, window: 1h, most: 1}\n  rejection-streak: {level: "
                             "refuse, most: 1}\n  close-position: off\n")
        close = stock("r1", side="Sell", openClose="Close", limitPrice=250)
        self.assertEqual(send(self.paper.url, self.home, [resting("a")], "-p", policy)[1].outcomes(), {"a": "working"})
        code, gate = send(self.paper.url, self.home, [resting("b")], "-p", policy)
        self.assertEqual([f["rule"] for f in gate.event("decision", "b")["findings"] if f["level"] == "refuse"],
                         ["repeated-order"])
        for order_id in ("r1", "r2"):
            code, gate = send(self.paper.url, self.home,
                              [{**close, "clientOrderId": order_id, "limitPrice": 250 + len(order_id)}], "-p",
                              self.policy("  close-position: off\n"))
            self.assertEqual(gate.outcomes(), {order_id: "rejected"})
        code, gate = send(self.paper.url, self.home, [resting("c", limitPrice=151)], "-p",
                          self.policy("  rejection-streak: {level: refuse, most: 1}\n"))
        self.assertEqual([f["rule"] for f in gate.event("decision", "c")["findings"] if f["level"] == "refuse"],
                         ["rejection-streak"])

    def test_settled_while_it_runs(self):
        policy = self.policy("  open-orders: {level: refuse, in_total: 1}\n")
        with FaultProxy(self.paper, {"lost": (False, "close")}) as b, Sender(b.url, self.home, "--wait", "60s", "-p",
                                                                             policy) as gate:
            gate.feed(resting("lost"))
            gate.wait_stderr("its answer was lost")
            gate.feed(resting("next"))
            self.assertEqual(gate.event("outcome", "next")["outcome"], "refused")
            done = resolve(self.home, "lost", "not-sent")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(gate.event("outcome", "lost")["outcome"], "not-sent")
            self.assertIn("the desk was called", gate.event("outcome", "lost")["text"])
            gate.feed(resting("after"))
            self.assertEqual(gate.event("outcome", "after")["outcome"], "working")
            self.assertEqual(gate.finish(3), 4)
        self.assertEqual(len(posts(self.paper)), 1)
        self.assertEqual([r["record"] for r in lines(tool(self.home, "show", "lost", name="ledger"))][-2:],
                         ["resolve", "outcome"])

    def test_settled_as_filled(self):
        with FaultProxy(self.paper, {"lost": (False, "close")}) as b, Sender(b.url, self.home, "--wait", "60s",
                                                                             "--until", "final") as gate:
            gate.feed(resting("lost"))
            gate.wait_stderr("its answer was lost")
            done = resolve(self.home, "lost", "filled", "--executed", "10", "--price", "149.5")
            self.assertEqual(done.returncode, 0, done.stderr)
            told = gate.event("outcome", "lost")
            self.assertEqual([told[k] for k in ("outcome", "executed", "priceAvg")], ["filled", 10, 149.5])
            self.assertEqual(gate.finish(1), 0)

    def test_settled_for_a_run_that_recovers(self):
        with FaultProxy(self.paper, {"lost": (False, "close")}) as b:
            code, gate = send(b.url, self.home, [resting("lost")], "--wait", "1s")
            self.assertEqual(gate.outcomes(), {"lost": "unknown"})
            with Sender(b.url, self.home, "--recover", "--wait", "60s") as gate:
                gate.wait_stderr("asking about 1 order")
                self.assertEqual(resolve(self.home, "lost", "canceled").returncode, 0)
                self.assertEqual(gate.event("outcome", "lost")["outcome"], "canceled")
                self.assertEqual(gate.finish(), 0)


if __name__ == "__main__":
    main()
