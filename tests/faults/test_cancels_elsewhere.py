"""The cancel of an order is given to a run that does not hold the order: another sender on the ledger, a later run,
the dead man's switch of another sender, or `ordergate halt --cancel-own`.

Once such a cancel is accepted, an order of which no byte was written is never sent, and its id is used up. The
brokerage answers POSTs with 429 until idle() is called; a canceled order must not be posted after that.
"""
import json
import os
import random
import subprocess
import threading
import unittest

from paper import REGULAR, Paper, stock
from parallel_unittest import WAITING, main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from test_cancels import cancel, deletes, state
from test_halt import OBEYED, closing, halt, named
from test_overtake import BUSY
from test_way_out import wait_for

WHY = "canceled before it was posted"


class Elsewhere(unittest.TestCase):
    def begin(self, *lines, args=(), speed=RUNNING):
        """Start self.gate with these lines, whose POSTs are answered 429, so that their orders wait."""
        self.p = self.enterContext(Paper(clock=speed))
        self.home = self.enterContext(TempHome())
        self.p.control("PUT", "positions/PAPER0001", [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190,
                                                      "dayOvernight": "Day"}])
        self.busy()
        self.gate = self.enterContext(Sender(self.p.url, self.home, "--timeout", "5m", "--wait", "5m", *args))
        if lines:
            self.gate.feed(*lines)
            self.wait_busy(lines[-1]["clientOrderId"])

    def busy(self):
        self.p.control("POST", "faults", BUSY)

    def wait_busy(self, order_id):
        wait_for(lambda: posts(self.p, order_id), f"no POST of {order_id}")
        self.assertEqual({r["status"] for r in posts(self.p, order_id)}, {429})

    def idle(self):
        self.p.control("DELETE", "faults")

    def never_posted(self, *order_ids):
        for order_id in order_ids:
            self.assertEqual({r["status"] for r in posts(self.p, order_id)} - {429}, set(), order_id)

    def goes_on(self, line=2):
        """Accept POSTs again, and wait until another order of the sender works: an order that was canceled would have
        been posted before it."""
        self.idle()
        self.gate.feed(resting("later", symbol="SPY", limitPrice=500))
        self.assertEqual(self.gate.event("outcome", "later", line=line)["outcome"], "working")

    def told(self, order_id, more=""):
        e = self.gate.event("outcome", order_id)
        self.assertEqual((e["outcome"], e["text"][:len(WHY + more)], e["executed"]), ("canceled", WHY + more, 0))
        if not more:
            self.assertEqual(e["text"], WHY)

    def canceled_in_the_ledger(self, order_id):
        listed = {r["clientOrderId"]: r["state"] for r in self.ledger("list")}
        self.assertEqual(listed[order_id], "canceled")
        self.ledger("verify")

    def ledger(self, *args):
        done = subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-ledger"), *args, "--ledger",
                               self.home.ledger], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def other(self, lines, code=0, args=("--wait", "2m")):
        """Run another sender on the ledger to its end."""
        got, gate = send(self.p.url, self.home, lines, *args)
        self.assertEqual(got, code, (gate.events, gate.stderr))
        return gate

    def resent(self, *lines, outcome="canceled"):
        """Assert that a run with --resend-not-sent posts none of the orders."""
        gate = self.other(lines, args=("--resend-not-sent",))
        self.assertEqual(gate.outcomes(), {line["clientOrderId"]: outcome for line in lines})
        self.never_posted(*(line["clientOrderId"] for line in lines))


class OfARunningSender(Elsewhere):
    def test_by_another_sender(self):
        self.begin(resting("a"))
        other = self.other([cancel("a")])
        self.assertEqual((other.outcomes(), other.event("outcome")["text"]), ({"a": "canceled"}, WHY))
        self.told("a")
        self.goes_on()
        self.never_posted("a")
        self.assertEqual(self.gate.finish(2), 0)
        self.canceled_in_the_ledger("a")
        self.resent(resting("a"))

    def test_the_answer_to_its_delete_is_late(self):
        """The answer to this sender's own DELETE comes late. Its record does not hide the cancel that the other sender
        recorded before."""
        self.begin(resting("a"))
        self.p.control("POST", "faults", {"on": "DELETE order", "do": "delay", "delay": "8s"})
        self.assertEqual(self.other([cancel("a")]).outcomes(), {"a": "canceled"})
        self.told("a")
        self.assertEqual(self.gate.finish(1), 0)
        self.canceled_in_the_ledger("a")

    def test_by_halt(self):
        """The order is a close, which a halt lets pass. `halt --cancel-own` cancels it nevertheless."""
        self.begin(closing("a"))
        done = halt(self.home, "--cancel-own", "--ledger", self.home.ledger, url=self.p.url)
        self.assertIn(done.returncode, OBEYED, done.stderr)
        [line] = [json.loads(text) for text in done.stdout.splitlines()[1:]]
        self.assertEqual((line["clientOrderId"], line["http"], line["text"]), ("a", 404, WHY))
        self.told("a")
        self.assertIn(halt(self.home, "--reason", "over", name="resume").returncode, OBEYED)
        self.gate.wait_stderr("over")
        self.goes_on()
        self.never_posted("a")
        self.assertEqual(self.gate.finish(2), 0)
        self.canceled_in_the_ledger("a")
        self.resent(closing("a"))

    def test_by_the_dead_man_of_a_sender_that_follows_it(self):
        """A dead man's switch cancels the orders that its sender made or follows. This sender follows the order
        because one of its lines named it."""
        self.begin(resting("a"))
        with Sender(self.p.url, self.home, "--dead-man", "10s", "--wait", "2m") as other:
            # answers 429 delay the reading of the account; once the second line is decided, the first is
            other.feed(resting("a"), resting("b", orderQuantity=10**6))
            wait_for(lambda: other.feed({"op": "heartbeat"}).events_of("decision", "b"), "no decision of b")
            self.assertEqual(other.event("dead-man")["canceling"], 1)
            self.assertEqual(other.event("outcome", "a")["outcome"], "canceled")
            self.told("a")
            self.goes_on()
            self.never_posted("a")
            self.assertEqual(other.finish(2), 1)  # b was refused
        self.assertEqual(self.gate.finish(2), 0)
        self.resent(resting("a"))

    def test_one_of_several(self):
        self.begin(*(resting(i, limitPrice=150 + n) for n, i in enumerate("abc")))
        self.other([cancel("b")])
        self.told("b")
        self.idle()
        self.assertEqual([self.gate.event("outcome", i)["outcome"] for i in "ac"], ["working"] * 2)
        self.never_posted("b")
        self.assertEqual(self.gate.finish(3), 0)

    def test_a_replacement_that_waits(self):
        self.begin()
        self.idle()
        self.gate.feed(resting("old", limitPrice=140))
        self.gate.event("outcome", "old", outcome="working")
        self.busy()
        self.gate.feed(resting("a", replaces="old"))
        self.wait_busy("a")
        self.assertEqual(self.other([cancel("a")]).outcomes(), {"a": "canceled"})
        self.told("a", "; the order 'old' that it replaces was canceled, and this one was never sent, so neither works")
        self.goes_on(3)
        self.never_posted("a")
        self.assertEqual((self.gate.finish(3), state(self.p, "old")), (0, "Canceled"))

    def test_another_sender_replaces_it(self):
        self.begin(resting("a"))
        with Sender(self.p.url, self.home, "--timeout", "5m", "--wait", "5m") as other:
            self.idle()
            other.feed(resting("b", limitPrice=151, replaces="a"))
            ended = other.event("outcome", "b")["outcome"], self.gate.event("outcome", "a")["outcome"]
            self.assertIn(ended, (("working", "canceled"), ("working", "working")))
            if ended[1] == "canceled":
                self.never_posted("a")
            else:  # the order left before the cancel's line was read
                self.assertEqual(state(self.p, "a"), "Canceled")
            self.assertEqual((other.finish(1), self.gate.finish(1)), (0, 0))

    def test_a_line_that_is_not_decided(self):
        """The order's line is not decided yet, so it has no record: the cancel is refused, and the order is posted."""
        self.begin(resting("a"), args=("--max-in-flight", "1"))
        self.gate.feed(resting("b", limitPrice=151))
        other = self.other([cancel("b")], code=1)
        self.assertIn("cancel-unknown-id", {f["reason"] for f in other.event("decision")["findings"]})
        self.idle()
        self.assertEqual(self.gate.event("outcome", "b")["outcome"], "working")
        self.assertEqual(self.gate.finish(2), 0)


class OfAnEarlierRun(Elsewhere):
    def killed(self, *lines):
        self.begin(*lines, speed=REGULAR + "@20")
        self.gate.kill().finish()
        self.idle()

    def test_killed_and_canceled(self):
        self.killed(resting("a"))
        self.assertEqual(self.other([cancel("a")], args=("--wait", "100s")).outcomes(), {"a": "canceled"})
        self.resent(resting("a"))

    def test_killed_and_canceled_before_that_is_known(self):
        """The sender stops waiting for the cancel's outcome at once; the id of the order is used up all the same."""
        self.killed(resting("a"))
        self.other([cancel("a")], code=5, args=("--wait", "1ms"))
        self.other(None, args=("--recover", "--wait", "100s"))
        self.resent(resting("a"))

    def test_killed_and_then_the_dead_man(self):
        self.killed(resting("a"))
        with Sender(self.p.url, self.home, "--dead-man", "3s") as other:
            other.feed(resting("mine", limitPrice=151))
            other.event("outcome", "mine", outcome="working")
            self.assertEqual(other.event("dead-man")["canceling"], 2)
            other.kill()
        self.other(None, args=("--recover", "--wait", "100s"))
        self.resent(resting("a"))

    def test_killed_and_then_the_dead_man_before_the_account_is_read(self):
        """The first reading of the account takes longer than --dead-man. Lines that come meanwhile do not call the
        cancels off."""
        for alive in (False, True):
            with self.subTest(alive=alive):
                self.killed(resting("a"))
                self.p.control("POST", "faults", {"on": "GET account", "do": "delay", "delay": "5s"})
                with Sender(self.p.url, self.home, "--dead-man", "1s", "--wait", "100s") as other:
                    other.feed(resting("mine", limitPrice=151))
                    self.assertEqual(other.event("dead-man")["canceling"], 0)
                    if alive:
                        other.feed({"op": "heartbeat"})
                    self.assertEqual(other.event("dead-man", canceling=1)["canceling"], 1)
                    self.assertEqual(other.event("outcome", "mine")["outcome"], "not-sent")
                    other.kill()
                self.idle()
                self.other(None, args=("--recover", "--wait", "100s"))
                self.resent(resting("a"))

    def test_killed_and_then_a_halt(self):
        self.killed(closing("a"))
        self.assertIn(halt(self.home, "--cancel-own", "--ledger", self.home.ledger, url=self.p.url).returncode, OBEYED)
        self.assertEqual(named(deletes(self.p)), ["a"])
        self.assertIn(halt(self.home, "--reason", "over", name="resume").returncode, OBEYED)
        self.other(None, args=("--recover", "--wait", "100s"))
        self.resent(closing("a"))

    def not_sent(self, *lines):
        self.begin()
        gate = self.other(lines, code=4, args=("--wait", "1s"))
        self.assertEqual(set(gate.outcomes().values()), {"not-sent"})
        self.idle()

    def test_not_sent(self):
        self.not_sent(resting("a"), resting("b", limitPrice=151))
        other = self.other([cancel("a"), cancel("a")])
        self.assertEqual([e["outcome"] for e in other.events_of("outcome")], ["canceled"] * 2)
        gate = self.other([resting("a"), resting("b", limitPrice=151)], args=("--resend-not-sent",))
        self.assertEqual(gate.outcomes(), {"a": "canceled", "b": "working"})
        self.never_posted("a")
        gate = self.other([resting("a"), cancel("a")], args=("--resend-not-sent",))
        self.assertEqual({e["outcome"] for e in gate.events_of("outcome")}, {"canceled"})
        self.never_posted("a")

    def test_not_sent_of_a_batch(self):
        self.begin()
        line = resting()
        gate = self.other([line], code=4, args=("--wait", "1s", "--batch", "b1"))
        [made] = gate.outcomes()
        self.idle()
        self.other([cancel(made)])
        gate = self.other([line], args=("--resend-not-sent", "--batch", "b1"))
        self.assertEqual(gate.outcomes(), {made: "canceled"})
        self.never_posted(made)


class Race(Elsewhere):
    ROUNDS = 12

    def test_the_429_ends_as_the_order_is_canceled(self):
        """If the order fills at once, "canceled" is reported only if the order did not fill. Chance determines which
        happens first."""
        seed = int(os.environ.get("OG_SEED", random.SystemRandom().randrange(1 << 32)))
        print(f"OG_SEED={seed}", flush=True)
        chance = random.Random(seed)
        self.begin(args=("--until", "final"))
        with Sender(self.p.url, self.home, "--timeout", "5m", "--wait", "5m") as other:
            for n in range(1, self.ROUNDS + 1):
                order_id = f"r{n}"
                self.busy()
                self.gate.feed(stock(order_id, orderQuantity=1, limitPrice=195 + n / 100))
                self.wait_busy(order_id)
                self.idle()
                threading.Event().wait(chance.uniform(0, 2.2))
                other.feed(cancel(order_id))
                theirs, own = other.event("outcome", line=n)["outcome"], self.gate.event("outcome", line=n)["outcome"]
                left = 200 in {r["status"] for r in posts(self.p, order_id)}
                filled = left and state(self.p, order_id) == "Filled"
                self.assertTrue(filled or not left or state(self.p, order_id) == "Canceled", order_id)
                self.assertEqual(own, "filled" if filled else "canceled", order_id)
                self.assertIn(theirs, ("filled", "refused") if filled else ("canceled",), order_id)
            self.assertIn(other.finish(self.ROUNDS), (0, 1))
        self.assertEqual(self.gate.finish(self.ROUNDS), 0)
        self.ledger("verify")


if __name__ == "__main__":
    main(WAITING)
