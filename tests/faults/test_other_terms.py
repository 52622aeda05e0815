"""A later run takes over an order only by the whole line that made it: the body, `replaces` and `tag`.

With another `replaces` the old order would stay working beside the new one, and with another `tag` the order would
count for another strategy. Such a line is refused, as in the same run, and names the member that differs.
"""
import contextlib
import itertools
import sqlite3
import unittest

from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting

# what the line that made the order a had; what the later line has; the member that differs and both values; the orders
# that work in the end
TERMS = {
    "replaces added": ({}, {"replaces": "old"}, ("replaces", "none", "'old'"), ["a", "old", "other"]),
    "replaces removed": ({"replaces": "old"}, {}, ("replaces", "'old'", "none"), ["a", "other"]),
    "replaces other": ({"replaces": "old"}, {"replaces": "other"}, ("replaces", "'old'", "'other'"), ["a", "other"]),
    "tag added": ({}, {"tag": "mm"}, ("tag", "none", "'mm'"), ["a", "old", "other"]),
    "tag removed": ({"tag": "mm"}, {}, ("tag", "'mm'", "none"), ["a", "old", "other"]),
    "tag other": ({"tag": "mm"}, {"tag": "alpha"}, ("tag", "'mm'", "'alpha'"), ["a", "old", "other"]),
    "tag other, of a replacement": ({"replaces": "old", "tag": "mm"}, {"replaces": "old", "tag": "alpha"},
                                    ("tag", "'mm'", "'alpha'"), ["a", "other"]),
    "the same": ({}, {}, None, ["a", "old", "other"]),
    "the same replaces": ({"replaces": "old"}, {"replaces": "old"}, None, ["a", "other"]),
    "the same tag": ({"tag": "mm"}, {"tag": "mm"}, None, ["a", "old", "other"]),
}
MADE_BY = ("this run", "an ended run", "a killed run", "a running sender")
LOOSE = "ordergate: 1\nname: loose\nrules: {}\n"  # lacks rule client-order-id


def order(**terms):
    return resting("a", limitPrice=151, **terms)


class Base(unittest.TestCase):
    def setUp(self):
        self.stack = self.enterContext(contextlib.ExitStack())

    def world(self):
        self.paper = self.stack.enter_context(Paper(clock=RUNNING))
        self.home = self.stack.enter_context(TempHome())

    def sender(self, *args):
        return self.stack.enter_context(Sender(self.paper.url, self.home, *args))

    def works(self):
        return sorted(o["clientOrderId"] for o in self.paper.control("GET", "orders")["orders"]
                      if o["orderStatus"] == "New")

    def made(self, terms, by, *args):
        """Let a run make the orders old, other and a; return the run that reads the later line."""
        gate = self.sender(*args)
        gate.feed(resting("old"), resting("other", limitPrice=149)).event("outcome", "other", outcome="working")
        gate.feed(order(**terms)).event("outcome", "a", outcome="working")
        if by == "this run":
            return gate
        if by == "an ended run":
            self.assertEqual(gate.finish(), 0)
        elif by == "a killed run":
            gate.kill().finish()
        return self.sender(*args)

    def later(self, gate, terms, skip=0):
        gate.feed(order(**terms))
        return gate.wait_until(lambda: [e for e in gate.events_of("outcome", "a") if e["line"] is not None][skip:],
                               "the outcome of the later line")[0]  # without line: of what a killed run left

    def refused(self, gate, told, difference):
        decided = gate.events_of("decision", "a")[-1]
        self.assertEqual((told["outcome"], told.get("otherRun"), decided["verdict"]), ("refused", None, "refuse"))
        if difference:
            self.assertEqual(told["text"], "clientOrderId 'a' was used before, by a line with another `{}`: there {}, "
                             "here {}; an id is used once, give this order a new one".format(*difference))
            self.assertEqual(decided["text"], told["text"])
        return [f["reason"] for f in decided["findings"] if f["level"] == "refuse"]


class OtherTerms(Base):
    def one(self, made, later, difference, works, by, *args):
        self.world()
        gate = self.made(made, by, *args)
        told = self.later(gate, later, skip=by == "this run")
        if by == "this run":
            self.assertIn("client-order-id-reused", self.refused(gate, told, None))
        elif difference:
            reasons = self.refused(gate, told, difference)
            self.assertIn("client-order-id-reused", reasons if not args else ["client-order-id-reused"])
        else:
            self.assertEqual((told["outcome"], told.get("otherRun")), ("working", True))
        self.assertEqual(gate.finish(), 0 if by != "this run" and not difference else 1)
        self.assertEqual((self.works(), len(posts(self.paper, "a"))), (works, 1))

    def test_whichever_run_made_it(self):
        for by, (name, case) in itertools.product(MADE_BY, TERMS.items()):
            with self.subTest(name, by=by):
                self.one(*case, by)

    def test_whatever_the_policy_has(self):
        for name, case in TERMS.items():
            with self.subTest(name):
                self.one(*case, "an ended run", "-p", self.policy())

    def policy(self):
        return self.stack.enter_context(TempHome()).file("loose.yaml", LOOSE)

    def test_a_dry_run_refuses_too(self):
        self.world()
        self.made({}, "an ended run").finish()
        gate = self.sender("--dry-run")
        self.refused(gate, self.later(gate, {"replaces": "old"}), ("replaces", "none", "'old'"))
        self.assertEqual((gate.finish(), self.works()), (1, ["a", "old", "other"]))

    def test_not_sent_if_it_cannot_be_decided(self):
        """The run ends before it has read the account: only the same line has the outcome of the ledger."""
        for later, outcome in (({"replaces": "old"}, "not-sent"), ({}, "working")):
            with self.subTest(later=later):
                self.world()
                self.made({}, "an ended run").finish()
                self.paper.control("POST", "faults", {"on": "GET positions", "do": "hang", "count": 1000})
                gate = self.sender().feed(order(**later))
                self.paper.control("GET", "requests?since=0")
                gate.event("held", "a")
                gate.kill(15)
                self.assertEqual(gate.event("outcome", "a")["outcome"], outcome)
                gate.finish()

    def test_the_clients_tag(self):
        """--tag is no member of the line: the line is the same, and so is one that names that tag itself."""
        for later, args in (({}, ("--tag", "mm")), ({}, ()), ({"tag": "mm"}, ())):
            with self.subTest(later=later, args=args):
                self.world()
                self.made({}, "an ended run", "--tag", "mm").finish()
                gate = self.sender(*args)
                self.assertEqual(self.later(gate, later)["outcome"], "working")
                gate.finish()

    def test_a_line_that_was_canceled_while_it_waited(self):
        """Its record lacks `replaces` and `tag`: it was never decided, and is never posted."""
        self.world()
        gate = self.sender()
        gate.feed(resting("old")).event("outcome", "old", outcome="working")
        self.paper.control("POST", "faults", {"on": "DELETE order", "do": "hang"})
        gate.feed(order(replaces="old", tag="mm"))
        gate.wait_until(lambda: self.home.rows("record = 'replace'"), "its replacement")
        gate.feed({"op": "cancel", "clientOrderId": "a"}).event("outcome", "a", op="cancel")
        gate.kill().finish()
        gate = self.sender()
        self.assertEqual(self.later(gate, {"replaces": "old", "tag": "mm"})["outcome"], "canceled")
        gate.finish()
        self.assertEqual(posts(self.paper, "a"), [])


class Killed(Base):
    """In the middle of a replacement, which the same line continues."""

    def begin(self, fault):
        self.world()
        gate = self.sender()
        gate.feed(resting("old"), resting("other", limitPrice=149)).event("outcome", "other", outcome="working")
        self.paper.control("POST", "faults", fault)
        return gate.feed(order(replaces="old", tag="mm"))

    def test_after_the_cancel(self):
        """The reading by which the new order would be decided hangs."""
        gate = self.begin({"on": "GET positions", "do": "hang"})
        gate.wait_until(lambda: "old" not in self.works(), "the cancel")
        gate.kill().finish()
        self.assertEqual((self.works(), posts(self.paper, "a")), (["other"], []))
        gate = self.sender()
        self.assertEqual(self.later(gate, {"replaces": "old", "tag": "mm"})["outcome"], "working")
        gate.finish()
        self.assertEqual((self.works(), len(posts(self.paper, "a"))), (["a", "other"], 1))

    def test_after_the_post(self):
        for later, difference in (({"replaces": "old", "tag": "mm"}, None), ({}, ("replaces", "'old'", "none")),
                                  ({"replaces": "old"}, ("tag", "'mm'", "none")),
                                  ({"replaces": "other", "tag": "mm"}, ("replaces", "'old'", "'other'"))):
            with self.subTest(later=later):
                gate = self.begin({"on": "POST order", "do": "drop-reply"})
                gate.wait_until(lambda: posts(self.paper, "a"), "the POST")
                gate.kill().finish()
                gate = self.sender()
                told = self.later(gate, later)
                if difference:
                    self.refused(gate, told, difference)
                else:
                    self.assertEqual((told["outcome"], told["otherRun"]), ("working", True))
                gate.finish()
                self.assertEqual((self.works(), len(posts(self.paper, "a"))), (["a", "other"], 1))


class Older(Base):
    """A ledger of an earlier version has no digest of the line: then its records of `replaces` and the tag decide."""

    def test_what_is_recorded_decides(self):
        for name, (made, later, difference, works) in TERMS.items():
            if name == "tag removed":
                difference = None  # the tag may be of --tag
            with self.subTest(name):
                self.world()
                self.made(made, "an ended run").finish()
                with contextlib.closing(sqlite3.connect(self.home.ledger)) as db, db:
                    triggers = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
                    for (trigger,) in triggers:
                        db.execute(f"DROP TRIGGER {trigger}")
                    db.execute("UPDATE rows SET detail = json_remove(detail, '$.digest') WHERE record = 'decision'")
                gate = self.sender("--accept-damage")
                told = self.later(gate, later)
                if difference:
                    self.refused(gate, told, difference)
                else:
                    self.assertEqual((told["outcome"], told.get("otherRun")), ("working", True))
                gate.finish()
                self.assertEqual((self.works(), len(posts(self.paper, "a"))), (works, 1))


if __name__ == "__main__":
    main()
