"""Two senders on one ledger, in every interleaving of a line, an intent, a record and a reading.

An order counts for every sender from its intent until a reading includes it, whichever sender intends to post it, and
whatever was known of its id before. Each test is one interleaving, enforced by a proxy between one of the senders and
the brokerage.
"""
import threading
import time
import unittest

from fault_proxy import FaultProxy, answer
from paper import DEADLINE, Paper, stock
from parallel_unittest import WAITING, main
from sender import RUNNING, Sender, TempHome, resting
from test_cancels import cancel
from test_crowd import MOST, POLICY, worst

NOON, SOON = "Thu, 15 Jan 2026 15:00:00 GMT", "Thu, 15 Jan 2026 15:10:00 GMT"
POSITIONS = "/positions"


class Early(unittest.TestCase):
    def setUp(self):
        self.begin()

    def begin(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.args = ["--broker", self.home.file("b.yaml", "budgets: off\n"), "-p", self.home.file("p.yaml", POLICY)]
        self.ready = threading.Event()
        self.ready.set()

    def between(self, behaviours=None, **kwargs):
        b = self.enterContext(FaultProxy(self.paper, behaviours, **{"gets": {POSITIONS: self.ready}, **kwargs}))
        self.addCleanup(self.ready.set)
        return b

    def gate(self, url=None, *more):
        return self.enterContext(Sender(url or self.paper.url, self.home, *self.args, *more))

    def works(self, gate, order_id, **changes):
        gate.feed(resting(order_id, **changes))
        gate.event("outcome", order_id, outcome="working")

    def refuses(self, gate, order_id="b", **changes):
        """Assert that an order of 150 is refused, because 900 are or may be used at the brokerage."""
        gate.feed(resting(order_id, orderQuantity=1, **changes))
        self.assertEqual(gate.event("outcome", order_id)["outcome"], "refused")
        self.assertLessEqual(worst(self.paper.control("GET", "orders")["orders"]), MOST)

    def canceled_in_vain(self, gate, order_id="late"):
        """Send a cancel of an order that does not exist yet; its line has an outcome before anybody makes the order."""
        gate.feed(cancel(order_id))
        gate.event("cancel", order_id, http=404)
        gate.event("outcome", order_id, op="cancel")

    def loading(self, *more, **kwargs):
        """Start a sender whose first reading has got the orders and waits for the positions."""
        self.ready.clear()
        b = self.between(**kwargs)
        gate = self.gate(b.url, *more)
        b.wait_path(POSITIONS)
        return gate

    # --- an id that a line named before the order was made

    def test_a_cancel_came_before_its_order(self):
        two, one = self.gate(self.between().url, "--wait", "100ms"), self.gate()
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.canceled_in_vain(two)
        self.ready.clear()
        self.works(one, "late", orderQuantity=6)
        self.refuses(two)

    def test_a_cancel_came_before_its_order_and_waits_still(self):
        look = threading.Event()
        self.addCleanup(look.set)
        two, one = self.gate(self.between(gets={POSITIONS: self.ready, "/order/late": look}).url), self.gate()
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        two.feed(cancel("late"))
        two.event("cancel", "late", http=404)
        self.ready.clear()
        self.works(one, "late", orderQuantity=6)
        self.refuses(two)
        look.set()  # the sender then finds the order working and cancels it as the line asks, which frees room
        self.ready.set()
        self.assertEqual(two.event("outcome", "late", op="cancel")["outcome"], "canceled")
        self.works(two, "b1", orderQuantity=6)
        self.refuses(two, "b2")

    def test_a_cancel_came_before_its_order_which_filled(self):
        two, one = self.gate(self.between().url, "--wait", "100ms"), self.gate()
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.canceled_in_vain(two)
        self.ready.clear()
        one.feed(stock("late", orderQuantity=5, limitPrice=195))
        one.event("update", "late", orderStatus="Filled")
        self.refuses(two)

    def test_a_cancel_came_before_its_order_which_is_rejected(self):
        """The cancel came before the order, and the order is then rejected: it uses no limit."""
        two, one = self.gate(self.between().url, "--wait", "100ms"), self.gate()
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.canceled_in_vain(two)
        self.ready.clear()
        one.feed(resting("late", orderQuantity=6, symbol="NOSUCH"))
        self.assertEqual(one.event("outcome", "late")["outcome"], "rejected")
        self.works(two, "b1", orderQuantity=1)

    def test_a_cancel_came_while_the_account_was_read(self):
        """The brokerage answers the cancel with 404, however often it is sent; afterwards the order works."""
        for behaviour, killed in (((True, "answer"), False), ((True, "answer"), True), ((True, "hang"), False),
                                  ((True, "hang"), True)):
            with self.subTest(behaviour, killed=killed):
                self.begin()
                two = self.loading("--wait", "100ms")
                one = self.gate(self.between({"late": behaviour}, gets={}, streams=False).url)
                self.works(one, "a", orderQuantity=1, limitPrice=1)
                self.paper.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": 404,
                                                      "count": 1000000})
                two.feed(cancel("late"))
                two.event("cancel", "late", http=404)
                one.feed(resting("late", orderQuantity=6))
                if behaviour[1] == "answer":
                    one.event("outcome", "late", outcome="working")
                else:
                    self.arrives("late")
                if killed:
                    one.kill().process.wait()
                self.ready.set()
                self.refuses(two)

    def arrives(self, order_id):
        """Wait until the brokerage has the order."""
        until = time.monotonic() + DEADLINE * 5
        while not any(o["clientOrderId"] == order_id for o in self.paper.control("GET", "orders")["orders"]):
            self.assertLess(time.monotonic(), until, f"{order_id} did not arrive")

    # --- an order that was not sent, and is sent again by another run

    def test_an_order_that_was_not_sent_is_sent_again(self):
        two, one = self.gate(self.between().url), self.gate(
            self.between({"late": [(False, answer(404)), (True, "answer")]}, gets={}).url, "--resend-not-sent")
        one.feed(resting("late", orderQuantity=6))
        self.assertEqual(one.event("outcome", "late")["outcome"], "not-sent")
        one.finish(1)
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        two.feed(resting("late", orderQuantity=6))  # from now on the sender knows the order as one that was not sent
        self.assertEqual(two.event("outcome", "late")["outcome"], "not-sent")
        self.ready.clear()
        self.works(self.gate(None, "--resend-not-sent"), "late", orderQuantity=6)
        self.refuses(two)

    # --- a run that ended while another one read the account

    def test_a_run_ended_after_the_list_was_read(self):
        """The run has ended, and its newest record of the order says that the broker has it but has not accepted or
        rejected it yet."""
        two = self.loading()
        b = self.between(gets={})
        one = self.gate(b.url)
        self.works(one, "a", orderQuantity=1, limitPrice=1)
        b.forward_frames.clear()  # the answer alone tells the sender of the order, and no frame
        one.feed(resting("late", orderQuantity=6))
        one.event("posted", "late", orderStatus="PendingNew")
        one.kill().process.wait()
        self.assertEqual(self.home.newest_row("late")["state"], "posted")
        self.ready.set()
        self.refuses(two)

    def test_a_run_ended_and_another_wrote_of_its_order(self):
        """The newest record of the order is by a run that is still alive, but did not post the order."""
        one = self.gate(self.between({"late": (False, "hang")}, gets={}).url)
        two = self.gate(self.between().url)
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        one.feed(resting("late", orderQuantity=6))
        one.event("decision", "late")
        two.feed(cancel("late"))
        two.event("cancel", "late", http=404)
        one.kill().process.wait()
        row = self.home.newest_row("late")
        self.assertEqual((row["record"], row["state"]), ("cancel", "intended"))
        self.refuses(self.gate())
        two.wait_stderr("the run that posted it is over")
        self.refuses(two, "b1")

    def read_anew(self, gate):
        """Wait until newer facts decide. This sends orders that cost next to nothing, to see by which facts they are
        decided."""
        before = [e["facts"] for e in gate.events_of("decision")][-1]
        for i in range(1000):
            self.works(gate, f"n{len(gate.events)}", orderQuantity=1, limitPrice=0.01)
            if gate.events_of("decision")[-1]["facts"] != before:
                return
        self.fail("the account is not read anew")

    # --- a clock that goes by whole seconds

    def by_the_second(self, **kwargs):
        """Start a sender to which the first answer tells a time ten minutes too late; after that its clock does not
        advance."""
        return self.gate(self.between(dates=[SOON, NOON], **kwargs).url)

    def test_another_ones_fill_in_the_second_of_the_reading(self):
        two, one = self.by_the_second(), self.gate()
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.read_anew(two)
        self.ready.clear()
        one.feed(stock("f", orderQuantity=5, limitPrice=195))
        one.event("update", "f", orderStatus="Filled")
        self.refuses(two)

    def test_its_own_fill_in_the_second_of_the_reading(self):
        two = self.by_the_second()
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.read_anew(two)
        self.ready.clear()
        two.feed(stock("f", orderQuantity=5, limitPrice=195))
        two.event("update", "f", orderStatus="Filled")
        self.refuses(two)

    def test_its_own_order_in_the_second_of_a_list_that_lacks_it(self):
        held, b = threading.Event(), self.between(dates=[SOON, NOON])
        self.addCleanup(held.set)
        two = self.gate(b.url)
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.read_anew(two)
        b.gets["/orders"] = (held,)  # this list lacks all orders that are made from now on
        asked = self.lists(b)
        while self.lists(b) == asked:
            self.works(two, f"n{len(two.events)}", orderQuantity=1, limitPrice=0.01)
        self.works(two, "late", orderQuantity=6)
        before = two.events_of("decision")[-1]["facts"]
        b.gets["/orders"] = (threading.Event(),)
        self.addCleanup(b.gets["/orders"][0].set)
        held.set()
        while two.events_of("decision")[-1]["facts"] == before:
            self.refuses(two, f"b{len(two.events)}")

    def lists(self, b):
        return sum(path.endswith("/orders") for _, path in b.paths)


if __name__ == "__main__":
    main(WAITING)
