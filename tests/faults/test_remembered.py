"""What limits count is kept when a run ends, and counts for every sender of the ledger and for a policy that gets the
limit later. The day's highest P&L has a test of its own (test_peak.py)."""
import unittest

from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send

NONE = "ordergate: 1\nname: desk\nextends: []\nrules: {}\n"
REJECTED = [stock(i, limitPrice=-5, orderQuantity=10 + n) for n, i in enumerate("ab")]
# for each rule: its settings, the orders that were sent before, and what happens to them
LIMITS = {
    "order-rate": ("a_day: 1", [resting("a")], "working"),
    "order-rate ": ("a_minute: 1", [resting("a")], "working"),
    "repeated-order": ("window: 1h, most: 1", [resting("a", limitPrice=140)], "working"),
    "rejection-streak": ("most: 1", REJECTED, "rejected"),
    "open-orders": ("in_total: 1", [resting("a")], "working"),
    "exposure": ("gross: 2000", [resting("a")], "working"),
}


class Remembered(unittest.TestCase):
    def each(self, way):
        for rule, (settings, before, becomes) in LIMITS.items():
            with self.subTest(rule.strip() + " " + settings), Paper(clock=RUNNING) as self.paper, \
                    TempHome() as self.home:
                limit = f"{{level: refuse, {settings}}}"
                self.policy = self.home.file("p.yaml", NONE.replace("{}", f"{{{rule.strip()}: {limit}}}"))
                gate = way(before, becomes)
                self.assertEqual({f["rule"] for f in gate.event("decision", "asked")["findings"]
                                  if f["level"] == "refuse"}, {rule.strip()})

    def ask(self, gate):
        gate.feed(resting("asked", limitPrice=140))
        gate.event("outcome", "asked")
        return gate

    def do(self, gate, before, becomes):
        for line in before:
            gate.feed(line)
            gate.event("outcome", line["clientOrderId"], outcome=becomes)

    def test_by_a_run_after_one_that_was_killed(self):
        def way(before, becomes):
            with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
                self.do(gate, before, becomes)
                gate.kill().process.wait()
            return send(self.paper.url, self.home, [resting("asked", limitPrice=140)], "-p", self.policy)[1]
        self.each(way)

    def test_by_a_sender_that_runs_beside(self):
        def way(before, becomes):
            with Sender(self.paper.url, self.home, "-p", self.policy) as one, \
                    Sender(self.paper.url, self.home, "-p", self.policy) as two:
                two.feed({"clientOrderId": "nothing", "symbol": "AAPL"})  # refused once it is set up
                two.event("outcome", "nothing")
                two.stop()
                self.do(one, before, becomes)
                two.resume()
                self.ask(two).finish(2)
                one.finish(len(before))
                return two
        self.each(way)

    def test_by_a_policy_that_has_the_limit_since(self):
        def way(before, becomes):
            with open(self.policy, encoding="utf-8") as f:
                limit = f.read()
            self.home.file("p.yaml", NONE)
            with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
                self.do(gate, before, becomes)
                self.home.file("p.yaml", limit)
                gate.event("policy")
                self.ask(gate).finish(len(before) + 1)
                return gate
        self.each(way)


if __name__ == "__main__":
    main()
