"""The user's own limits in a sender: the same counters as in `check`, updated by the broker's answers."""
import json
import unittest

from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send

ALONE = "ordergate: 1\nname: limits\nextends: []\nrules:\n"


class Limits(unittest.TestCase):
    def run_with(self, rules, lines, facts=None):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            args = ["-p", home.file("p.yaml", ALONE + rules)]
            if facts:
                args += ["-f", home.file("f.json", json.dumps({"accountId": "PAPER0001", **facts}))]
            return send(p.url, home, lines, *args)

    def reasons(self, gate, order_id):
        return [f["reason"] for f in gate.event("decision", order_id)["findings"]]

    def test_orders_of_a_run_count(self):
        code, gate = self.run_with("  order-rate: {level: refuse, a_day: 2}\n",
                                   [resting("a"), resting("b"), resting("c")])
        self.assertEqual((code, gate.outcomes()), (1, {"a": "working", "b": "working", "c": "refused"}))
        self.assertEqual(self.reasons(gate, "c"), ["orders-a-day-above-limit"])

    def test_what_others_sent_counts(self):
        code, gate = self.run_with("  order-rate: {level: refuse, a_day: 20}\n", [resting("a"), resting("b")],
                                   {"gate": {"ordersToday": 19}})
        self.assertEqual((code, gate.outcomes()), (1, {"a": "working", "b": "refused"}))

    def test_working_orders_count_until_they_end(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            policy = home.file("p.yaml", ALONE + "  open-orders: {level: refuse, in_total: 1}\n")
            with Sender(p.url, home, "-p", policy) as gate:
                gate.feed(resting("a"))
                gate.event("outcome", "a", outcome="working")
                gate.feed(resting("b"))
                gate.event("outcome", "b", outcome="refused")
                self.assertEqual(self.reasons(gate, "b"), ["open-orders-above-limit"])
                self.assertEqual(gate.finish(2), 1)
            _, gate = send(p.url, home, [resting("c")], "-p", policy)  # the broker's list has a
            self.assertEqual(gate.outcomes()["c"], "refused")

    def test_a_halt_told_by_facts(self):
        code, gate = self.run_with("  trading: refuse\n", [resting("open")], {"gate": {"trading": "halted"}})
        self.assertEqual((code, gate.outcomes(), self.reasons(gate, "open")),
                         (1, {"open": "refused"}, ["trading-halted"]))

    def test_a_loss_is_read_where_a_rule_asks_for_it(self):
        lot = {"symbol": "AAPL", "side": "Long", "shares": 10, "priceAvg": 290, "dayOvernight": "Day"}
        for rules, outcome, read in (("  day-loss: {level: refuse, most: 500}\n", "refused", True),
                                     ("  day-loss: {level: refuse, most: 5000}\n", "working", True),
                                     ("  day-loss: off\n", "working", False)):
            with self.subTest(rules), Paper(clock=RUNNING) as p, TempHome() as home:
                p.control("PUT", "positions/PAPER0001", [lot])
                _, gate = send(p.url, home, [resting("a")], "-p", home.file("p.yaml", ALONE + rules))
                self.assertEqual(gate.outcomes(), {"a": outcome})
                self.assertEqual(any(r["path"].endswith("/pnl")
                                     for r in p.control("GET", "requests?since=0")["requests"]), read)

    def test_a_streak_of_rejections(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            policy = home.file("p.yaml", ALONE + "  rejection-streak: {level: refuse, most: 1}\n")
            with Sender(p.url, home, "-p", policy) as gate:
                for order_id in ("a", "b"):
                    gate.feed(stock(order_id, limitPrice=-5))
                    gate.event("outcome", order_id, outcome="rejected")
                gate.feed(resting("c"))
                gate.event("outcome", "c", outcome="refused")
                self.assertEqual(self.reasons(gate, "c"), ["rejections-in-a-row"])
                self.assertEqual(gate.finish(3), 1)


if __name__ == "__main__":
    main()
