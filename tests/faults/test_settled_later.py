"""An order whose answer was lost is looked up for as long as its sender runs, whatever --wait is: --wait only
determines when the outcome line is written. What became of the order is then reported by an update and decides
closes, and the exit code says what is true at the end. The minute of absence is the service's time, which runs
faster here.
"""
import os
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import REGULAR, Paper, stock
from parallel_unittest import main
from sender import Sender, TempHome, posts, resting

CLOSES = {"side": "Sell", "openClose": "Close", "limitPrice": 250}
POLICY = """ordergate: 1
name: t
extends: []
rules:
  close-position:
    level: refuse
    reasons: {close-exceeds-position: refuse}
"""


def ledger(home, *words):
    return subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-ledger"), "--ledger", home.ledger, *words],
                          capture_output=True, text=True)


class SettledLater(unittest.TestCase):
    def start(self, how=(False, "close"), speed=20, wait="1s"):
        """Start a sender whose close of all shares had no answer, and which goes on after it has reported the outcome
        as unknown."""
        self.p = self.enterContext(Paper(clock=f"{REGULAR}@{speed}"))
        self.home = self.enterContext(TempHome())
        self.b = self.enterContext(FaultProxy(self.p, {"lost": how}))
        self.p.order(stock("held", orderQuantity=100))
        self.p.advance("1s")
        self.path = self.home.file("p.yaml", POLICY)
        gate = self.sender("--wait", wait)
        gate.feed(stock("lost", orderQuantity=100, **CLOSES))
        self.assertEqual(gate.event("outcome", "lost")["outcome"], "unknown")
        return gate

    def sender(self, *args, **more):
        return self.enterContext(Sender(self.b.url, self.home, "-p", self.path, *args, **more))

    def test_absent(self):
        """The order is proved absent after its outcome was reported, and the next close is sent."""
        gate = self.start()
        e = gate.event("update", "lost", source="absence")
        self.assertEqual((e["outcome"], e["orderStatus"], e["line"]), ("not-sent", None, 1))
        self.assertIn("absent", e["text"])
        gate.feed(stock("again", orderQuantity=100, **CLOSES))
        self.assertEqual(gate.event("outcome", "again")["outcome"], "working")
        self.assertEqual((gate.finish(2), self.b.posts["lost"]), (4, 1))
        self.assertNotIn("is not known", gate.stderr)
        self.assertEqual(self.home.newest_row("lost")["state"], "not-sent")

    def test_seen_later(self):
        """The order is registered after its outcome was reported as unknown: it works, and the exit code says so."""
        self.p = self.enterContext(Paper(clock=REGULAR + "@20"))
        self.home = self.enterContext(TempHome())
        self.p.control("POST", "faults", {"on": "POST order", "do": "late", "delay": "55s"})
        self.p.control("POST", "faults", {"on": "POST order", "do": "drop-reply"})
        with Sender(self.p.url, self.home, "--wait", "1ms", "--timeout", "500ms") as gate:
            gate.feed(resting("lost"))
            self.assertEqual(gate.event("outcome", "lost")["outcome"], "unknown")
            self.assertEqual(gate.event("update", "lost", outcome="working")["line"], 1)
            self.assertEqual(gate.finish(1), 0, gate.stderr)

    def test_resolved(self):
        """A person resolves the order. Its cancel, whose outcome was unknown as well, does not count any longer
        either."""
        gate = self.start(speed=1)
        gate.feed({"op": "cancel", "clientOrderId": "lost"})
        self.assertEqual(gate.event("outcome", "lost", op="cancel")["outcome"], "unknown")
        done = ledger(self.home, "resolve", "lost", "--as", "not-sent", "--reason", "asked")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(gate.event("update", "lost", source="ledger")["outcome"], "not-sent")
        self.assertEqual(gate.finish(2), 4, gate.stderr)
        self.assertNotIn("is not known", gate.stderr)

    def test_unknown_at_the_end(self):
        """The run does not wait for the order at the end of input, and the exit code says what is true then."""
        gate = self.start(speed=1)
        self.assertEqual(gate.finish(1), 5)
        gate.wait_stderr("the outcome of 1 order is not known")

    def test_recover_beside_it(self):
        """The message of --recover names the run that has the order; --recover ends once the order is resolved, or with
        exit code 5."""
        gate = self.start(speed=1)
        with self.sender("--recover", "--wait", "1ms", lines=[]) as short:
            self.assertEqual((short.finish(), short.outcomes()), (5, {"lost": "unknown"}), short.stderr)
            self.assertIn(f"order 'lost' belongs to the running sender {gate.process.pid}", short.stderr)
        self.p.control("PUT", "clock", {"speed": 20})
        with self.sender("--recover", lines=[]) as long:
            self.assertEqual((long.finish(), long.outcomes()), (0, {"lost": "not-sent"}), long.stderr)
        self.assertEqual(gate.event("update", "lost", outcome="not-sent")["line"], 1)
        self.assertEqual(gate.finish(1), 4)

    def test_settled_by_another_run(self):
        """A sender has taken over the order of a run that was killed. It then uses what another run records of the
        order, and decides a close by that."""
        gate = self.start(speed=1)
        taker = self.sender("--wait", "1ms")
        taker.feed(resting("first", symbol="MSFT"))
        taker.event("outcome", "first")
        gate.kill().finish()
        taker.event("outcome", "lost", outcome="unknown")
        taker.feed(stock("no", orderQuantity=100, **CLOSES))
        e = taker.event("outcome", "no")
        self.assertEqual(e["outcome"], "refused")
        self.assertIn("order 'lost'", e["text"])
        taker.stop()  # this sender cannot read from the broker what the other run reads
        try:
            self.assertEqual(ledger(self.home, "unknown").stdout.count('"lost"'), 1)
            settled = self.sender("--recover", "--wait", "100s", lines=[])
            settled.wait_row("detail LIKE '%absentSince%'")
            self.p.advance("63s")
            self.assertEqual((settled.finish(), settled.outcomes()), (0, {"lost": "not-sent"}), settled.stderr)
        finally:
            taker.resume()
        self.assertEqual(taker.event("update", "lost", outcome="not-sent")["source"], "ledger")
        taker.feed(stock("yes", orderQuantity=100, **CLOSES))
        self.assertEqual(taker.event("outcome", "yes")["outcome"], "working")
        taker.finish()
        self.assertEqual(len(posts(self.p, "lost")), 0)

    def test_an_unknown_order_of_another_symbol_is_not_named(self):
        gate = self.start(speed=1)
        gate.feed(stock("other", symbol="MSFT", orderQuantity=1, **CLOSES))
        e = gate.event("outcome", "other")
        self.assertEqual((e["outcome"], e["text"]), ("refused", None))


if __name__ == "__main__":
    main()
