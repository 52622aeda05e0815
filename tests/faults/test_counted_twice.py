"""An order that reaches the brokerage while the account is being read counts twice by that reading: its figures have
the order, and the gate cannot know that they do. An order that is refused only because of that waits for the next
reading; one that does not fit anyway is refused.

The proxy holds a request of one endpoint back, so that the order certainly comes between two requests of a reading."""
import threading
import unittest

from fault_proxy import FaultProxy
from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting

LISTS, ACCOUNT, POSITIONS = "/PAPER0001/orders", "/account/PAPER0001", "/PAPER0001/positions"
PASSES = threading.Event()  # requests that nothing holds back
PASSES.set()
POWER = 100000


class World:
    """An account of POWER dollars, a proxy that holds requests back, and a sender that has read the account."""

    def __init__(self, test):
        self.test = test
        self.p = test.enterContext(Paper(clock=RUNNING))
        self.p.control("PUT", "accounts/PAPER0001", {"bp": POWER, "equity": POWER})
        self.b = test.enterContext(FaultProxy(self.p, gets=dict.fromkeys((LISTS, ACCOUNT, POSITIONS), PASSES)))
        self.home = test.enterContext(TempHome())

    def sender(self, url=None):
        budgets = self.home.file("b.yaml", "budgets: off\n")
        return self.test.enterContext(Sender(url or self.b.url, self.home, "--broker", budgets))

    def hold(self, end):
        """Hold requests of this path back, from the next one on. Returns what releases them."""
        released, seen = threading.Event(), self.b.count(end)
        self.b.gets[end] = released
        self.b.wait_path(end, seen + 1)
        return released

    def between(self, end, comes):
        """The request of `end` is held back while comes() happens. Returns once its answer was passed on."""
        released = self.hold(end)
        comes()
        self.b.gets[end] = PASSES
        released.set()
        self.b.wait_idle()


class Power(unittest.TestCase):
    """An order for 60,000 dollars comes while the account is read. Then one for 30,000 fits, and one for 50,000 does
    not."""

    def begin(self):
        w = World(self)
        gate = w.sender()
        gate.feed(resting("first", orderQuantity=1)).event("posted", "first")
        return w, gate

    def decides(self, gate, *last):
        """One that does not fit is refused, and holds one that fits up no longer than that reading."""
        gate.feed(resting("dear", orderQuantity=333), resting("b", orderQuantity=200), *last)
        self.assertEqual([gate.event("outcome", i)["outcome"] for i in ("dear", "b")], ["refused", "working"])

    def test_of_this_run(self):
        w, gate = self.begin()
        w.between(ACCOUNT, lambda: gate.feed(resting("a", orderQuantity=400)).event("posted", "a"))
        self.decides(gate)
        gate.finish(4)

    def test_of_another_sender(self):
        w = World(self)
        other = w.sender(w.p.url)
        other.feed(resting("second", orderQuantity=1)).event("posted", "second")
        gate = w.sender()
        gate.feed(resting("first", orderQuantity=1)).event("posted", "first")
        w.between(ACCOUNT, lambda: other.feed(resting("a", orderQuantity=400)).event("posted", "a"))
        self.decides(gate)
        gate.finish(3)
        other.finish(2)

    def test_of_a_killed_run(self):
        """Its order arrives after the new run has read the list of orders."""
        arrives = threading.Event()
        w, gate = self.begin()
        w.b.behaviours["a"] = (arrives, "hang")
        gate.feed(resting("a", orderQuantity=400))
        w.b.wait_post("a")
        gate.kill().finish()
        gate = w.sender()
        w.between(ACCOUNT, lambda: (arrives.set(), self.arrives(w.p, "a")))
        self.decides(gate)
        gate.finish(2)

    def arrives(self, p, order_id):
        while p.lookup(order_id).status != 200:
            pass


class Nothing(unittest.TestCase):
    def test_what_counts_once_holds_nobody_up(self):
        """Orders that no reading can have yet count once, so one that does not fit is refused before the next."""
        w = World(self)
        gate = w.sender()
        gate.feed(resting("a", orderQuantity=400)).event("posted", "a")
        w.b.gets[LISTS] = threading.Event()  # no reading ends any more
        gate.feed(resting("dear", orderQuantity=333))
        self.assertEqual(gate.event("outcome", "dear")["outcome"], "refused")
        w.b.gets[LISTS].set()
        gate.finish(2)


if __name__ == "__main__":
    main()
