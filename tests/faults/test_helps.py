"""What a sender says that helps: which order counts whose outcome nobody knows, how to settle it, that clocks differ.
And what it answers to cancels that are read again."""
import json
import unittest

from fault_proxy import FaultProxy, answer
from paper import LIVE, Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send
from test_cancels import cancel, deletes, state

LIVE_ENV = {"ORDERGATE_ACCOUNT": "LIVE0001", "ORDERGATE_ENVIRONMENT": "live"}


def closing(order_id, quantity, price):
    return stock(order_id, side="Sell", openClose="Close", orderQuantity=quantity, limitPrice=price, route="SMART")


class UnknownOrders(unittest.TestCase):
    def refused(self, policy, lost, line):
        """The text of a line that is refused after the answer to that order was lost."""
        with Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(p, {"lost": (False, "close")}) as b:
            p.control("PUT", "positions/LIVE0001", [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190,
                                                     "dayOvernight": "Day"}])
            with Sender(b.url, home, "-p", policy, "--wait", "3s", keys=LIVE, env=LIVE_ENV) as gate:
                gate.feed(lost)
                gate.event("posted", "lost")
                gate.feed(line)
                self.assertEqual(gate.event("outcome", line=2)["outcome"], "refused", gate.events_of("decision"))
                told = gate.event("outcome", line=2)["text"]
                gate.event("outcome", "lost", outcome="unknown")
                self.assertEqual(gate.finish(2), 5)
                self.assertIn("the outcome of 1 order is not known: ordergate send --recover", gate.stderr)
            return told

    def test_a_close(self):
        for policy in ("live", "cautious"):
            with self.subTest(policy):
                told = self.refused(policy, closing("lost", 100, 200), closing("next", 100, 201))
                self.assertIn("'lost'", told)
                self.assertIn("ledger resolve", told)

    def test_a_refusal_that_no_other_order_causes(self):
        self.assertIsNone(self.refused("live", closing("lost", 100, 200), {**closing("next", 1, 200), "side": "Up"}))

    def test_a_run_that_knows_all(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = send(p.url, home, [resting("a")])
            self.assertEqual((code, "--recover" in gate.stderr), (0, False))


class EarlierOrders(unittest.TestCase):
    """What an order of an earlier run came to does not count for the exit code, unless nobody knows it."""

    def later(self, *args, lines):
        """A run after one whose order was lost, and that is proved absent in the later run."""
        with Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(p, {"lost": (False, "close")}) as b:
            with Sender(b.url, home) as gate:
                gate.feed(resting("lost"))
                gate.event("posted")
                gate.wait_row("detail LIKE '%absentSince%'")
                gate.kill().finish()
            p.advance("63s")
            with Sender(b.url, home, *args) as gate:
                gate.feed(*lines)
                gate.event("outcome", "lost", outcome="not-sent")
                return gate.finish(), gate

    def test_recovered(self):
        code, gate = self.later("--recover", "--wait", "50s", lines=[])
        self.assertEqual(code, 0, gate.stderr)
        self.assertIsNone(gate.event("outcome", "lost")["line"])

    def test_beside_lines(self):
        self.assertEqual(self.later("--recover", "--wait", "50s", lines=[resting("a")])[0], 0)

    def test_a_line_that_names_it(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(p, {"lost": (False, "close")}) as b:
            with Sender(b.url, home) as gate:
                gate.feed(resting("lost"))
                gate.event("posted")
                gate.wait_row("detail LIKE '%absentSince%'")
                gate.kill().finish()
            p.advance("63s")
            code, gate = send(b.url, home, [resting("lost")], "--wait", "50s")
            self.assertEqual((code, gate.outcomes()), (4, {"lost": "not-sent"}))


class ReadAgain(unittest.TestCase):
    def again(self, p, home, order_id):
        before = len(deletes(p))
        code, gate = send(p.url, home, [cancel(order_id)])
        self.assertEqual((code, gate.outcomes(), len(deletes(p)) - before), (0, {order_id: "canceled"}, 0),
                         gate.events_of("decision"))
        self.assertEqual(gate.events_of("decision"), [])

    def test_one_that_worked(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.order(resting("theirs"))
            with Sender(p.url, home) as gate:
                gate.feed(resting("mine"))
                gate.event("outcome", "mine", outcome="working")
                self.assertEqual(gate.feed(cancel("mine"), cancel("theirs")).finish(3), 0)
            for order_id in ("mine", "theirs", "mine"):
                self.again(p, home, order_id)

    def test_one_whose_end_was_not_recorded(self):
        """The run was killed when its DELETE had arrived; the list still has the order, as Canceled."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home) as gate:
                gate.feed(resting("mine"))
                gate.event("outcome", "mine", outcome="working")
                p.control("POST", "faults", {"on": "stream portfolio", "do": "drop-frame", "count": 1000})
                p.control("POST", "faults", {"on": "DELETE order", "do": "hang"})
                gate.feed(cancel("mine"))
                while state(p, "mine") != "Canceled":
                    pass
                gate.kill().finish()
            p.control("DELETE", "faults")
            row = p.lookup("mine").json
            listed = answer(200, json.dumps({"orders": [row.get("order", row)]}).encode(),
                            ["Content-Type: application/json"])
            with FaultProxy(p, gets={"/orders": listed}) as b, Sender(b.url, home) as gate:
                gate.feed(resting("other", limitPrice=149))
                gate.event("outcome", "other")  # the list was read
                gate.feed(cancel("mine"))
                self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled", gate.events_of("decision"))
                self.assertEqual((gate.finish(2), len(deletes(p))), (0, 1))

    def test_one_that_filled(self):
        """That is over as well, and no cancel of ours ended it."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [stock("full")], "--until", "final")
            code, gate = send(p.url, home, [cancel("full")])
            self.assertIn((code, gate.outcomes()["full"]), ((0, "filled"), (1, "refused")))
            self.assertEqual(deletes(p), [])


class Clocks(unittest.TestCase):
    def told(self, clock, **env):
        with Paper(clock=clock) as p, TempHome() as home:
            with Sender(p.url, home, env=env, lines=[resting("a"), resting("b", limitPrice=149)]) as gate:
                gate.finish(2)
                return gate.events_of("clock"), gate.stderr

    def test_far_apart(self):
        for clock, ahead in ((RUNNING, False), ("2030-01-15T15:00:00Z@1", True)):
            events, stderr = self.told(clock, ORDERGATE_CLOCK="real")
            self.assertEqual([(e["line"], e["brokerAheadMs"] > 2000, e["brokerAheadMs"] < -2000) for e in events],
                             [(None, ahead, not ahead)])
            self.assertEqual(stderr.count("the broker's clock is"), 1, stderr)

    def test_together(self):
        self.assertEqual(self.told("real", ORDERGATE_CLOCK="real")[0], [])

    def test_where_the_broker_s_clock_decides(self):
        self.assertEqual(self.told(RUNNING, ORDERGATE_CLOCK="broker")[0], [])


if __name__ == "__main__":
    main()
