"""Two senders on one ledger, and the moments between a line, an intent, a record and a reading: whoever meant to post an order,
and whatever was known of its id before, it counts for every sender until a reading has it.

Each test is one interleaving, held in place by what stands between a sender and the brokerage.
"""
import threading
import unittest

from between import Between
from gate import RUNNING, Gate, Home, Paper, resting, stock
from test_crowd import MOST, POLICY, worst
from together import main

NOON, SOON = "Thu, 15 Jan 2026 15:00:00 GMT", "Thu, 15 Jan 2026 15:10:00 GMT"
POSITIONS = "/positions"


class Early(unittest.TestCase):
    def setUp(self):
        self.begin()

    def begin(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(Home())
        self.args = ["--broker", self.home.file("b.yaml", "budgets: off\n"), "-p", self.home.file("p.yaml", POLICY)]
        self.ready = threading.Event()
        self.ready.set()

    def between(self, deeds=None, **kwargs):
        b = self.enterContext(Between(self.paper, deeds, **{"gets": {POSITIONS: self.ready}, **kwargs}))
        self.addCleanup(self.ready.set)
        return b

    def gate(self, url=None, *more):
        return self.enterContext(Gate(url or self.paper.url, self.home, *self.args, *more))

    def works(self, gate, order_id, **changes):
        gate.give(resting(order_id, **changes))
        gate.event("outcome", order_id, outcome="working")

    def refuses(self, gate, order_id="b", **changes):
        """What is 900 at the brokerage, or may be, leaves no room for 150."""
        gate.give(resting(order_id, orderQuantity=1, **changes))
        self.assertEqual(gate.event("outcome", order_id)["outcome"], "refused")
        self.assertLessEqual(worst(self.paper.control("GET", "orders")["orders"]), MOST)

    def read_anew(self, gate):
        """Until it decides by documents that it has not decided by so far; what for is next to nothing."""
        before = [e["facts"] for e in gate.all("decision")][-1]
        for i in range(1000):
            self.works(gate, f"n{len(gate.events)}", orderQuantity=1, limitPrice=0.01)
            if gate.all("decision")[-1]["facts"] != before:
                return
        self.fail("the account is not read anew")

    # --- a clock that goes by whole seconds

    def by_the_second(self, **kwargs):
        """A sender whose clock was told ten minutes too much at first: from then on it goes no further."""
        return self.gate(self.between(dates=[SOON, NOON], **kwargs).url)

    def test_another_ones_fill_in_the_second_of_the_reading(self):
        two, one = self.by_the_second(), self.gate()
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.read_anew(two)
        self.ready.clear()
        one.give(stock("f", orderQuantity=5, limitPrice=195))
        one.event("update", "f", orderStatus="Filled")
        self.refuses(two)

    def test_its_own_fill_in_the_second_of_the_reading(self):
        two = self.by_the_second()
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.read_anew(two)
        self.ready.clear()
        two.give(stock("f", orderQuantity=5, limitPrice=195))
        two.event("update", "f", orderStatus="Filled")
        self.refuses(two)

    def test_its_own_order_in_the_second_of_a_list_that_lacks_it(self):
        held, b = threading.Event(), self.between(dates=[SOON, NOON])
        self.addCleanup(held.set)
        two = self.gate(b.url)
        self.works(two, "b0", orderQuantity=1, limitPrice=1)
        self.read_anew(two)
        b.gets["/orders"] = (held,)  # this list lacks what is made from now on
        asked = self.lists(b)
        while self.lists(b) == asked:
            self.works(two, f"n{len(two.events)}", orderQuantity=1, limitPrice=0.01)
        self.works(two, "late", orderQuantity=6)
        before = two.all("decision")[-1]["facts"]
        b.gets["/orders"] = (threading.Event(),)
        self.addCleanup(b.gets["/orders"][0].set)
        held.set()
        while two.all("decision")[-1]["facts"] == before:
            self.refuses(two, f"b{len(two.events)}")

    def lists(self, b):
        return sum(path.endswith("/orders") for _, path in b.paths)


if __name__ == "__main__":
    main()
