"""Request budgets of several senders on one key pair, at the limits of the document: together they keep to them."""
import json
import os
import re
import signal
import unittest

from gate import RUNNING, Gate, Home, Paper, resting
from together import main

SENDERS, ORDERS = 4, 15


class Budgets(unittest.TestCase):
    def statuses(self, paper, method):
        return [r["status"] for r in paper.control("GET", "requests?since=0")["requests"] if method in (None,
                                                                                                        r["method"])]

    def senders(self, paper, home):
        """Each with a ledger of its own, in one state folder."""
        for i in range(SENDERS):
            gate = Gate(paper.url, home, "--ledger", os.path.join(home.path, f"{i}.db"), "--wait", "120s", ledger=False,
                        lines=[resting(f"{i}-{n}") for n in range(ORDERS)])
            self.addCleanup(gate.__exit__)
            yield gate

    def test_four_senders(self):
        """60 orders at 10/s, and all that is read beside them: none is refused, and little time is lost"""
        with Paper(clock=RUNNING, limits=True) as paper, Home() as home:
            for gate in list(self.senders(paper, home)):
                self.assertEqual(gate.finish(ORDERS), 0, gate.stderr)
            self.assertEqual(self.statuses(paper, "POST"), [200] * SENDERS * ORDERS)
            self.assertEqual(self.statuses(paper, None).count(429), 0)

    def test_one_is_killed(self):
        """what it took is taken, and the others go on"""
        with Paper(clock=RUNNING, limits=True) as paper, Home() as home:
            gates = list(self.senders(paper, home))
            gates[0].event("posted")
            gates[0].kill()
            for gate in gates[1:]:
                self.assertEqual(gate.finish(ORDERS), 0, gate.stderr)
            self.assertEqual(self.statuses(paper, None).count(429), 0)
            self.assertGreaterEqual(len(self.statuses(paper, "POST")), (SENDERS - 1) * ORDERS)

    def test_a_long_batch_tells_its_end(self):
        """of a file its size is known, of a pipe what it gave; a short one says nothing"""
        lines = [json.dumps(resting(f"o{n}")) for n in range(600)]
        with Paper(clock=RUNNING, limits=True) as paper, Home() as home:
            with Gate(paper.url, home, home.file("orders", "\n".join(lines))) as gate:
                gate.word("lines wait; at 10 a second")
                self.assertTrue(590 <= int(re.search(r"about (\d+) lines wait", gate.stderr)[1]) <= 620, gate.stderr)
                gate.kill(signal.SIGTERM).finish()
            with Gate(paper.url, home, lines=[json.dumps(resting(f"p{n}")) for n in range(400)]) as gate:
                gate.word("or more wait")
                gate.kill(signal.SIGTERM).finish()
            with Gate(paper.url, home, lines=[resting(f"q{n}") for n in range(5)]) as gate:
                gate.finish(5)
                self.assertNotIn("wait; at", gate.stderr)


if __name__ == "__main__":
    main()
