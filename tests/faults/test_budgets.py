"""Request budgets of several senders on one key pair, at the documented limits: together they stay within them."""
import collections
import json
import os
import re
import signal
import unittest

from paper import Paper, in_some_run
from parallel_unittest import main
from request_limits import RequestLimits
from sender import RUNNING, Sender, TempHome, posts, resting

SENDERS, ORDERS = 4, 15


class Budgets(unittest.TestCase):
    def senders(self, paper, home):
        """Start senders, each with a ledger of its own, in one state folder."""
        for i in range(SENDERS):
            gate = Sender(paper.url, home, "--ledger", os.path.join(home.path, f"{i}.db"), "--share-account",
                          "--wait", "120s", ledger=False,
                          lines=[resting(f"{i}-{n}") for n in range(ORDERS)])
            self.addCleanup(gate.__exit__)
            yield gate

    def four_senders(self, play):
        """Returns True if every request was answered. Asserts that as many orders were accepted as play() says."""
        with Paper(clock=RUNNING, limits=True) as paper, TempHome() as home:
            limits = RequestLimits(paper)
            least = play(list(self.senders(paper, home)))
            calm, seen = limits.kept(), collections.Counter(r["status"] for r in posts(paper))
            self.assertEqual(set(seen) - {429}, {200})
            self.assertTrue(least <= seen[200] <= SENDERS * ORDERS, seen)
            return calm

    def finish(self, gates):
        for gate in gates:
            self.assertEqual(gate.finish(ORDERS), 0, gate.stderr)
        return ORDERS * len(gates)

    def test_four_senders(self):
        """60 orders are sent at 10/s with all the reads between them: no request is answered 429, and little time is
        lost."""
        in_some_run(lambda: self.four_senders(self.finish))

    def test_one_is_killed(self):
        """The budget that the killed sender used stays used, and the other senders go on."""
        def play(gates):
            gates[0].event("posted")
            gates[0].kill()
            return self.finish(gates[1:])
        in_some_run(lambda: self.four_senders(play))

    def test_a_long_batch_tells_its_end(self):
        """The size of a file is known, but not how much will still come from a pipe. A short file gets no estimate."""
        lines = [json.dumps(resting(f"o{n}")) for n in range(600)]
        with Paper(clock=RUNNING, limits=True) as paper, TempHome() as home:
            with Sender(paper.url, home, home.file("orders", "\n".join(lines))) as gate:
                gate.wait_stderr("lines wait; at 10 a second")
                self.assertTrue(590 <= int(re.search(r"about (\d+) lines wait", gate.stderr)[1]) <= 620, gate.stderr)
                gate.kill(signal.SIGTERM).finish()
            with Sender(paper.url, home) as gate:
                gate.feed(*(resting(f"p{n}") for n in range(400)))
                gate.wait_stderr("or more wait")
                gate.kill(signal.SIGTERM).finish()
            with Sender(paper.url, home, lines=[resting(f"q{n}") for n in range(5)]) as gate:
                gate.finish(5)
                self.assertNotIn("wait; at", gate.stderr)


if __name__ == "__main__":
    main()
