"""Rule unknown-outcomes: while nobody knows what became of an order, none opens, in any sender of the ledger and
in later runs, until the broker shows the order, its absence is proved, or a person says what became of it.

The minute of absence is the service's time, which runs faster in one test.
"""
import os
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import REGULAR, Paper, stock
from parallel_unittest import main
from sender import Sender, TempHome, resting

POLICY = "ordergate: 1\nname: t\nextends: []\nrules:\n  unknown-outcomes: refuse\n"
CLOSES = {"side": "Sell", "openClose": "Close", "limitPrice": 250, "orderQuantity": 10}
REFUSED = {"unknown-outcomes/outcomes-unknown"}


class UnknownOutcomes(unittest.TestCase):
    def start(self, speed=1, how=(False, "close")):
        self.paper = self.enterContext(Paper(clock=f"{REGULAR}@{speed}"))
        self.home = self.enterContext(TempHome())
        self.proxy = self.enterContext(FaultProxy(self.paper, {"lost": how}))
        self.paper.order(stock("held", orderQuantity=100))
        self.paper.advance("1s")
        self.policy = self.home.file("p.yaml", POLICY)
        return self.sender("--wait", "1ms")

    def sender(self, *args, **more):
        return self.enterContext(Sender(self.proxy.url, self.home, "-p", self.policy, *args, **more))

    def lose(self, gate):
        gate.feed(resting("lost"))
        gate.event("outcome", "lost", outcome="unknown")

    def refusing(self, gate, line):
        """What refuses an order; empty if it is accepted."""
        gate.feed(line)
        return {f"{f['rule']}/{f['reason']}" for f in gate.event("decision", line["clientOrderId"])["findings"]
                if f["level"] == "refuse"}

    def resolve(self):
        done = subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-ledger"), "--ledger", self.home.ledger,
                               "resolve", "lost", "--as", "not-sent", "--reason", "asked"], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_until_a_person_says_what_became_of_it(self):
        gate = self.start()
        self.assertEqual(self.refusing(gate, resting("before")), set())
        self.lose(gate)
        self.assertEqual(self.refusing(gate, resting("a")), REFUSED)
        said, = (f["message"] for f in gate.event("decision", "a")["findings"] if f["level"] == "refuse")
        self.assertEqual(said, "orders of unknown outcome: 1, the desk allows 0: 'lost'")
        self.assertEqual(self.refusing(gate, stock("close", **CLOSES)), set())
        self.resolve()
        gate.event("update", "lost", source="ledger")
        self.assertEqual(self.refusing(gate, resting("b")), set())

    def test_until_its_absence_is_proved(self):
        gate = self.start(speed=20)
        self.lose(gate)
        self.assertEqual(self.refusing(gate, resting("a")), REFUSED)
        gate.event("update", "lost", source="absence")
        self.assertEqual(self.refusing(gate, resting("b")), set())

    def test_not_when_the_broker_shows_it(self):
        self.start(how=(True, "close"))
        gate = self.sender()
        gate.feed(resting("lost"))
        gate.event("outcome", "lost", outcome="working")
        self.assertEqual(self.refusing(gate, resting("a")), set())

    def test_over_a_kill_and_in_the_other_senders(self):
        one = self.start()
        two = self.sender("--wait", "1ms")
        self.assertEqual(self.refusing(two, resting("first")), set())
        self.lose(one)
        self.assertEqual(self.refusing(two, resting("a")), REFUSED)
        one.kill().finish()
        self.assertEqual(self.refusing(two, resting("b")), REFUSED)
        three = self.sender("--wait", "1ms")
        self.assertEqual(self.refusing(three, resting("c")), REFUSED)
        self.resolve()
        self.assertEqual(self.refusing(three, resting("d")), set())
        self.assertEqual(self.refusing(two, resting("e")), set())

    def test_a_post_whose_run_was_killed(self):
        """No answer was recorded: the run ended while the POST was under way."""
        gate = self.start(how=(False, "hang"))
        gate.feed(resting("lost"))
        self.proxy.wait_post("lost")
        gate.kill().finish()
        self.assertEqual(self.refusing(self.sender("--wait", "1ms"), resting("a")), REFUSED)


if __name__ == "__main__":
    main()
