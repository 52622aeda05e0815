"""Messages of a sender that help: which order of unknown outcome counts, how to resolve it, that clocks differ. Also
how cancels that are read again are answered."""
import json
import os
import re
import shlex
import subprocess
import unittest

from fault_proxy import FaultProxy, answer
from paper import LIVE, Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send
from test_cancels import cancel, deletes, state
from test_leaves import QUOTES_AGE, quote

LIVE_ENV = {"ORDERGATE_ACCOUNT": "LIVE0001", "ORDERGATE_ENVIRONMENT": "live"}


def closing(order_id, quantity, price):
    return stock(order_id, side="Sell", openClose="Close", orderQuantity=quantity, limitPrice=price, route="SMART")


def opening(order_id, quantity, **changes):
    return resting(order_id, **{"orderQuantity": quantity, "route": "SMART", **changes})


class UnknownOrders(unittest.TestCase):
    def world(self, *rules, base="live"):
        """A gate that got no answers to the POSTs of "lost" and "lost2", on an account that holds 100 AAPL."""
        p, self.home = self.enterContext(Paper(clock=RUNNING)), self.enterContext(TempHome())
        b = self.enterContext(FaultProxy(p, {"lost": (False, "close"), "lost2": (False, "close")}))
        text = f"ordergate: 1\nname: t\nextends: [{base}]\nmax_age: {{quotes: {QUOTES_AGE}}}\n"
        policy = self.home.file("p.yaml", text + "rules:\n" * bool(rules) + "".join(f"  {r}\n" for r in rules))
        p.control("PUT", "positions/LIVE0001", [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190,
                                                 "dayOvernight": "Day"}])
        quotes = self.home.file("quotes", quote(p, "AAPL", 200.5))
        p.control("PUT", "accounts/LIVE0001", {k: 1000000 for k in ("bp", "equity")})
        return self.enterContext(Sender(b.url, self.home, "-p", policy, "--quotes", quotes, "--wait", "3s", keys=LIVE,
                                        env=LIVE_ENV))

    def refused(self, gate, *lines):
        """Returns the text of the refusal of the last line. The answers to the orders before it were lost."""
        for line in lines[:-1]:
            gate.feed(line)
            gate.event("posted" if line["clientOrderId"].startswith("lost") else "outcome", line["clientOrderId"])
        gate.feed(lines[-1])
        outcome = gate.event("outcome", line=len(lines))
        self.assertEqual(outcome["outcome"], "refused", gate.events_of("decision"))
        return outcome["text"]

    def test_a_close(self):
        """Once somebody has done what the text advises, the close passes."""
        for base, *rules in (("live",),
                             ("cautious", "short-sales: {level: off}")):
            with self.subTest(base):
                gate = self.world(*rules, base=base)
                told = self.refused(gate, closing("lost", 100, 200), closing("next", 100, 201))
                self.assertIn("'lost'", told)
                self.assertIn("ledger resolve", told)
                said = re.findall(r"ordergate waive (\S.*?) --reason TEXT", told.split("the smaller harm, ")[1])
                for args in said:
                    done = subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-waive"), "--ledger",
                                           self.home.ledger, *shlex.split(args), "--reason", "the price falls"],
                                          capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stderr)
                gate.feed(closing("next", 100, 201))
                self.assertEqual(gate.event("outcome", line=3)["outcome"], "working")
                gate.event("outcome", "lost", outcome="unknown")
                self.assertEqual(gate.finish(3), 5)
                self.assertIn("the outcome of 1 order is not known: ordergate send --recover", gate.stderr)

    def test_a_close_that_no_waiver_lets_pass(self):
        gate = self.world("close-position: {reasons: {close-exceeds-position: refuse}, lock: true}", base="")
        told = self.refused(gate, closing("lost", 100, 200), closing("next", 100, 201))
        self.assertIn("'lost'", told)
        self.assertNotIn("waive", told)

    def test_an_opening_is_not_advised_to_be_waived(self):
        gate = self.world("position-limit: {level: refuse, shares: 250}", base="")
        told = self.refused(gate, opening("lost", 100), opening("next", 101))
        self.assertIn("'lost'", told)
        self.assertNotIn("waive", told)

    def test_refusals_that_no_lost_order_causes(self):
        """Rules that count other orders refuse these lines, but not because of the lost order: the text does not name
        it."""
        for rule, *lines in (
                ("position-limit: {level: refuse, shares: 250}", opening("next", 151)),
                ("duplicate-order: {level: refuse, reasons: {duplicate-working-order: refuse}}",
                 opening("twin", 10), opening("next", 10)),
                ("open-orders: {level: refuse, of_symbol: 1}", opening("F1", 10, symbol="F", limitPrice=9),
                 opening("next", 10, symbol="F", limitPrice=9.5))):
            with self.subTest(rule):
                gate = self.world(rule, base="")
                self.assertIsNone(self.refused(gate, opening("lost", 5), *lines))

    def test_two_of_them_together(self):
        gate = self.world("position-limit: {level: refuse, shares: 250}", base="")
        told = self.refused(gate, opening("lost", 60), opening("lost2", 60, limitPrice=149), opening("next", 120))
        self.assertIn("one of several such", told)

    def test_a_refusal_that_no_other_order_causes(self):
        gate = self.world()
        self.assertIsNone(self.refused(gate, closing("lost", 100, 200), {**closing("next", 1, 200), "side": "Up"}))

    def test_a_run_that_knows_all(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            code, gate = send(p.url, home, [resting("a")])
            self.assertEqual((code, "--recover" in gate.stderr), (0, False))


class EarlierOrders(unittest.TestCase):
    """The outcome of an order of an earlier run does not change the exit code, unless it is unknown."""

    def later(self, *args, lines):
        """Run a sender after one whose order was lost. The later run proves that the order is absent."""
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
        """The run was killed after its DELETE had arrived. The list still has the order, as Canceled."""
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
        """The order is over because it filled, not because of a cancel."""
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
