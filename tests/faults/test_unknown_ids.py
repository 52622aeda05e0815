"""Cancels and replacements of ids that the run does not know wait for a list of orders, and no line that could be
decided waits for them: cancels of known orders, closes, and lines of other accounts pass, however many wait. One list
settles all lines that were read before it was requested.

A list of orders is held back until the test lets it pass. So what is answered meanwhile did not wait for it.
"""
import threading
import unittest

from fault_proxy import FaultProxy
from parallel_unittest import main
from sender import RUNNING, TempHome, posts, stock
from test_account import BOTH
from test_cancels import Paper, Sender, cancel, deletes, state
from test_overtake import World, close, one

ACCOUNT = "PAPER0001"
MANY = 300  # more than the sender considers in one iteration of its loop
MIB = 1 << 20
BEING_CANCELED = 1000  # at most, if no list can be read


def nobody(n):
    return cancel(f"nobody{n}")


class Lists(World):
    """A world in which each list of orders waits for let_pass()."""

    def __enter__(self):
        super().__enter__()
        self.open = threading.Event()
        self.proxy.gets["/orders"] = self.open
        return self

    def __exit__(self, *how):
        self.proxy.gets.clear()
        self.open.set()
        super().__exit__(*how)

    def let_pass(self):
        """Let the list pass that is requested next or was requested last, and hold the one after it back."""
        self.proxy.wait_path("/orders", self.seen + 1)
        self.seen, passes, self.open = self.seen + 1, self.open, threading.Event()
        self.proxy.gets["/orders"] = self.open
        passes.set()

    def feed(self, *lines):
        """Feed the lines and a cancel of `old`, and wait until that is over: all lines have been considered, and each
        list that was requested by then is answered."""
        self.seen = self.proxy.count("/orders")
        self.gate.feed(*lines, cancel("old"))
        self.gate.event("outcome", "old", op="cancel", outcome="canceled")
        if self.proxy.count("/orders") > self.seen:
            self.let_pass()

    def outcomes(self, lines):
        return [self.gate.event("outcome", line=n)["outcome"] for n in lines]


class Waits(unittest.TestCase):
    def undecided(self, w, order_id):
        self.assertEqual(w.gate.events_of("decision", order_id), [])

    def test_cancels_and_closes_behind_many_cancels(self):
        with Lists() as w:
            w.gate.feed(*(nobody(n) for n in range(MANY)), cancel("old"), close("c"), cancel("old2"))
            for order_id, outcome in (("old", "canceled"), ("c", "working"), ("old2", "canceled")):
                w.gate.event("outcome", order_id, outcome=outcome)
            self.assertEqual([len(deletes(w.paper)), len(posts(w.paper))], [2, 3])
            self.assertEqual([e for e in w.gate.events_of("decision") if "nobody" in e["clientOrderId"]], [])

    def test_one_list_settles_all_cancels(self):
        with Lists() as w:
            w.feed(*(nobody(n) for n in range(MANY)))
            w.let_pass()
            self.assertEqual(w.outcomes(range(3, 3 + MANY)), ["refused"] * MANY)
            self.assertEqual(len(deletes(w.paper)), 1)

    def test_one_list_settles_all_replacements(self):
        """They open, so each waits for the one before it."""
        with Lists() as w:
            w.feed(*(dict(one(f"r{n}", 4 + n), replaces=f"nobody{n}") for n in range(4)))
            w.let_pass()
            self.assertEqual(w.outcomes(range(3, 7)), ["refused"] * 4)

    def test_closes_behind_many_closes(self):
        """Closes of what is not held wait for positions; one of what is held passes them."""
        with Lists() as w:
            w.gate.feed(*(stock(f"n{n}", symbol="MSFT", side="Sell", openClose="Close", limitPrice=500)
                          for n in range(MANY)), close("c"))
            w.gate.event("outcome", "c", outcome="working")
            self.assertEqual([e for e in w.gate.events_of("decision") if e["clientOrderId"][0] == "n"], [])

    def test_closing_replacements_behind_many_replacements(self):
        with Lists() as w:
            w.gate.feed(close("stop"))
            w.gate.event("outcome", "stop", outcome="working")
            w.gate.feed(*(dict(close(f"r{n}"), replaces=f"nobody{n}") for n in range(MANY)),
                        dict(close("new"), replaces="stop"))
            while state(w.paper, "stop") != "Canceled":
                pass
            self.assertEqual([e for e in w.gate.events_of("decision") if e["clientOrderId"][0] == "r"], [])

    def test_the_list_of_accounts(self):
        """Lines without an account wait until the list of accounts is known, and those of a known account pass."""
        with World() as w:
            w.gate.finish()
            hang = w.proxy.gets["/accounts"] = threading.Event()
            with Sender(w.proxy.url, w.home) as run:
                try:
                    run.feed(*(cancel("old2") for _ in range(MANY)), cancel("old", accountId=ACCOUNT))
                    self.assertEqual(run.event("outcome", "old", op="cancel")["outcome"], "canceled")
                    self.assertEqual(run.events_of("outcome", "old2"), [])
                finally:
                    hang.set()
                run.event("outcome", line=MANY)
                self.assertEqual((run.finish(MANY + 1), len(deletes(w.paper, "old2"))), (0, 1))

    def test_an_order_that_becomes_known(self):
        with Lists() as w:
            w.gate.feed(*(nobody(n) for n in range(MANY)), cancel("theirs"), cancel("theirs"), cancel("old"))
            w.gate.event("outcome", "old", op="cancel", outcome="canceled")
            w.paper.order(one("theirs", 4))
            self.assertEqual(w.outcomes((3 + MANY, 4 + MANY)), ["canceled"] * 2)
            self.assertEqual(len(deletes(w.paper, "theirs")), 1)
            self.undecided(w, "nobody0")


class Accounts(unittest.TestCase):
    def test_lines_of_another_account(self):
        other, hang = {"accountId": "PAPER0002"}, threading.Event()
        with TempHome() as home, Paper("--scenario", home.file("both.yaml", BOTH), clock=RUNNING) as paper, \
                FaultProxy(paper) as proxy, Sender(proxy.url, home) as run:
            run.feed(dict(one("a", 1), accountId=ACCOUNT), dict(one("b", 2), **other))
            for order_id in ("a", "b"):
                run.event("outcome", order_id, outcome="working")
            proxy.gets["PAPER0001/orders"] = hang
            try:
                run.feed(*(cancel(f"nobody{n}", accountId=ACCOUNT) for n in range(MANY)),
                         cancel("else", **other), cancel("b", **other))
                self.assertEqual(run.event("outcome", "b", op="cancel")["outcome"], "canceled")
                self.assertEqual(run.event("outcome", "else")["outcome"], "refused")
                self.assertEqual([e for e in run.events_of("decision") if "nobody" in e["clientOrderId"]], [])
            finally:
                hang.set()
            self.assertEqual(run.finish(MANY + 4), 1)
            self.assertEqual(len(deletes(paper)), 1)


class Order(unittest.TestCase):
    """What is decided in the order in which it was read all the same."""

    def decided(self, w, *lines):
        seqs = [w.gate.event("decision", line=n)["seq"] for n in lines]
        self.assertEqual(seqs, sorted(seqs))

    def test_an_order_of_that_id(self):
        """A cancel does not end an order whose line came after it."""
        with Lists() as w:
            w.feed(cancel("c"), close("c"), close("d"))
            w.gate.event("outcome", "d", outcome="working")
            self.assertEqual(posts(w.paper, "c"), [])
            w.let_pass()
            self.assertEqual(w.outcomes((3, 4)), ["refused", "working"])
            self.decided(w, 3, 4)

    def test_a_replacement_of_that_id(self):
        with Lists() as w:
            w.feed(cancel("x"), dict(close("c"), replaces="x"), close("d"))
            w.gate.event("outcome", "d", outcome="working")
            w.let_pass()
            self.assertEqual(w.outcomes((3, 4)), ["refused"] * 2)
            self.decided(w, 3, 4)

    def test_an_order_that_opens(self):
        with Lists() as w:
            w.feed(nobody(0), one("b", 4), nobody(1))
            self.assertEqual(w.gate.events_of("decision", "b"), [])
            w.let_pass()
            self.assertEqual(w.outcomes((3, 4, 5)), ["refused", "working", "refused"])
            self.decided(w, 3, 4)


class Bounds(unittest.TestCase):
    def test_many_long_lines(self):
        """Beyond the bound the cancel of an unknown id is not sent, and says so; other lines pass."""
        long = ['{"op":"cancel",%*s"clientOrderId":"nobody%d"}' % (MIB - 100, "", n) for n in range(40)]
        with Lists() as w:
            w.gate.feed(*long, cancel("old"), close("c"))
            w.gate.event("outcome", "old", op="cancel", outcome="canceled")
            w.gate.event("outcome", "c", outcome="working")
            refused = w.gate.events_of("outcome", "nobody39")
            self.assertEqual([e["outcome"] for e in refused], ["not-sent"])
            self.assertIn("give it again later", refused[0]["text"])
            w.open.set()
            w.proxy.gets.clear()
            self.assertEqual(w.gate.finish(44), 4)
            told = [e["outcome"] for e in w.gate.events_of("outcome") if "nobody" in e["clientOrderId"]]
            self.assertEqual((told.count("refused") + told.count("not-sent"), told.count("refused") >= 30), (40, True))


class NoList(unittest.TestCase):
    def test_cancels_of_known_orders_leave_first(self):
        """If no list can be read, cancels of unknown ids are sent, after those of orders that exist."""
        with World() as w:
            w.paper.control("POST", "faults", {"on": "GET orders", "do": "status", "status": 503, "count": 1000000})
            w.gate.wait_stderr("cannot be read")
            w.gate.feed(*(nobody(n) for n in range(MANY)), cancel("old"), cancel("old2"))
            for order_id in ("old", "old2"):
                w.gate.event("outcome", order_id, op="cancel", outcome="canceled")
            self.assertLess(len(deletes(w.paper)), MANY)

    def test_what_is_sent_is_bounded(self):
        with World("--wait", "100s") as w:
            w.paper.control("POST", "faults", {"on": "GET orders", "do": "status", "status": 503, "count": 1000000})
            w.gate.wait_stderr("cannot be read")
            w.gate.feed(*(nobody(n) for n in range(BEING_CANCELED + MANY)), cancel("old"), close("c"))
            for order_id, outcome in (("old", "canceled"), ("c", "working")):
                w.gate.event("outcome", order_id, outcome=outcome)
            decided = [e for e in w.gate.events_of("decision") if "nobody" in e["clientOrderId"]]
            self.assertEqual(len(decided), BEING_CANCELED)


if __name__ == "__main__":
    main()
