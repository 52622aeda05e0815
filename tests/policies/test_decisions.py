"""The same orders under the shipped policies, and under overrides: what a policy changes in a decision, and what
it does not.

OG_BIN names the folder of the programs (CTest sets it).
"""
import copy
import json
import os
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
AT = "2026-01-15T15:00:00Z"  # a Thursday, 10:00 in New York

ORDER = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
         "orderQuantity": 10, "timeInForce": "Day", "limitPrice": 190.5, "clientOrderId": "a1", "route": "SMART"}
FACTS = {"asOf": "2026-01-15T14:59:59Z", "accountId": "LIVE0001",
         "account": {"account": "LIVE0001", "accountStatus": "Active", "accountType": "Live", "bp": 100000,
                     "overnightBp": 100000,
                     "availableCash": 50000, "equity": 50000, "optLevel": 4, "optionTradingLevel": 4,
                     "marginDeficit": 0, "maintenanceDeficit": 0},
         "accountList": [{"account": "LIVE0001", "accountType": "Live", "accountStatus": "Active"}],
         "pnl": {"dayPnl": -120.5}, "positions": [], "orders": [], "usedClientOrderIds": [], "locateInventory": [],
         "borrow": {"AAPL": True},
         "routes": [{"routeName": "SMART", "securityTypes": ["Stock", "Option"], "timesInForce": ["Day"]}],
         "quotes": {"AAPL": {"bid": 190.40, "ask": 190.50, "last": 190.45},
                    "SPY": {"bid": 190.40, "ask": 190.50, "last": 190.45},
                    "AAPL260220C00190000": {"bid": 5.00, "ask": 5.10, "last": 5.05}}}


class Decisions(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def file(self, name, text):
        path = os.path.join(self.dir.name, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def decide(self, policy, order=None, facts=None, at=AT, **changes):
        order = {k: v for k, v in {**ORDER, **(order or {}), **changes}.items() if v is not None}
        path = self.file("facts.json", json.dumps(FACTS if facts is None else facts))
        p = subprocess.run([GATE, "check", "--at", at, "-p", policy, "-f", path],
                           input=json.dumps(order).encode() + b"\n", capture_output=True, timeout=600)
        self.assertIn(p.returncode, (0, 1), p.stderr)
        decision = json.loads(p.stdout)
        return decision["verdict"], {f["reason"]: f["level"] for f in decision["findings"]}, decision

    def levels(self, reason, *policies, **case):
        return [self.decide(policy, **case)[1].get(reason) for policy in policies]

    def test_a_good_order_passes_everywhere(self):
        for policy in ("default", "paper", "live", "cautious"):
            verdict, findings, decision = self.decide(policy)
            self.assertEqual((verdict, findings), ("accept", {}), policy)
            self.assertRegex(decision["policy"], rf"^{policy}@sha256:[0-9a-f]{{64}}$")

    def test_the_desks_limits(self):
        self.assertEqual(self.levels("quantity-above-limit", "default", "paper", "live", "cautious",
                                     orderQuantity=10001), [None, None, "refuse", "refuse"])
        self.assertEqual(self.levels("quantity-above-limit", "paper", orderQuantity=100001), ["warn"])
        self.assertEqual(self.levels("notional-above-limit", "default", "paper", "live", "cautious",
                                     orderQuantity=5250), [None, None, "refuse", "refuse"])
        self.assertEqual(self.levels("notional-above-limit", "live", "cautious", orderQuantity=5249), [None, "refuse"])
        self.assertEqual(self.levels("short-below-floor", "live", "cautious", side="Sell", limitPrice=4.99),
                         [None, "refuse"])
        facts = copy.deepcopy(FACTS)
        facts["asOf"] = "2026-01-15T14:59:59.5Z"
        facts["gate"] = {"trading": "halted", "ordersLastSecond": 10, "ordersToday": 10, "rejectionsInARow": 4}
        self.assertEqual(self.levels("trading-halted", "default", "paper", "live", "cautious", facts=facts),
                         [None, "refuse", "refuse", "refuse"])
        self.assertEqual(self.levels("orders-a-second-above-limit", "live", "cautious", facts=facts), [None, "refuse"])
        self.assertEqual(self.levels("rejections-in-a-row", "live", "cautious", facts=facts), [None, "refuse"])

    def test_an_order_that_no_limit_covers(self):
        hole = self.file("hole.yaml",
                         "ordergate: 1\nname: hole\nextends: [live]\nrules:\n  order-notional:\n    overrides: "
                         "[{match: {symbol: AAPL}, level: off}]\n  order-quantity-limit: {shares: 1000000000}\n")
        self.assertEqual(self.levels("unlimited", "live", hole), [None, "refuse"])
        self.assertEqual(self.levels("unlimited", hole, symbol="SPY"), [None])

    def test_the_duties_of_the_sender(self):
        self.assertEqual(self.levels("client-order-id-missing", "default", "paper", "live", "cautious",
                                     clientOrderId=None),
                         ["warn", "warn", "refuse", "refuse"])
        facts = copy.deepcopy(FACTS)
        facts["orders"] = [{"clientOrderId": "a1", "symbol": "MSFT", "orderStatus": "Rejected", "securityType": "Stock",
                            "side": "Buy", "openClose": "Open", "orderQuantity": 1, "executed": 0, "leavesQuantity": 0}]
        self.assertEqual(self.levels("client-order-id-used-uncertain", "default", "live", facts=facts),
                         ["warn", "refuse"])

    def test_what_is_old_is_unsure_and_live_refuses_it(self):
        stop = {"orderType": "Stop", "stopPrice": 191, "limitPrice": None}
        self.assertEqual(self.decide("live", order=stop)[0], "accept")
        facts = copy.deepcopy(FACTS)
        facts["quotes"]["AAPL"]["asOf"] = "2026-01-15T14:59:58Z"
        self.assertEqual(self.decide("live", order=stop, facts=facts)[0], "accept")  # exactly 2 s
        facts["quotes"]["AAPL"]["asOf"] = "2026-01-15T14:59:57.999Z"
        verdict, findings, decision = self.decide("live", order=stop, facts=facts)
        self.assertEqual((verdict, findings),
                         ("refuse", {"stop-wrong-side-of-quote": "warn", "buying-power-exceeded": "refuse",
                                     "notional-above-limit": "refuse", "input-stale": "warn"}))
        self.assertTrue(all(f["unsure"] for f in decision["findings"] if f["reason"] != "input-stale"))
        self.assertEqual(self.decide("default", order=stop, facts=facts)[0:2], ("accept", {}))  # any age will do
        del facts["quotes"]["AAPL"]
        self.assertEqual(self.decide("default", order=stop, facts=facts)[0:2],
                         ("accept", {"stop-wrong-side-of-quote": "warn", "buying-power-exceeded": "warn"}))

    def test_a_slipped_decimal(self):
        reason = "limit-away-from-quote"
        self.assertEqual(self.levels(reason, "default", "live", "cautious", limitPrice=215),
                         ["warn", "refuse", "refuse"])
        self.assertEqual(self.levels(reason, "live", "cautious", limitPrice=205), [None, "refuse"])  # 10 % and 5 %
        option = {"securityType": "Option", "symbol": "AAPL260220C00190000", "limitPrice": 6}
        self.assertEqual(self.levels(reason, "default", "live", "cautious", order=option), ["warn", None, "refuse"])
        option["limitPrice"] = 9.19  # 80 % above 5.10
        self.assertEqual(self.levels(reason, "default", "live", "cautious", order=option), ["warn", "refuse", "refuse"])

    def test_doubt_is_for_cautious(self):
        at = "2026-01-15T20:59:57Z"
        facts = {**copy.deepcopy(FACTS), "asOf": at}
        market = {"orderType": "Market", "limitPrice": None}
        self.assertEqual(self.levels("market-near-boundary", "live", "cautious", order=market, facts=facts, at=at),
                         ["warn", "refuse"])

    def test_paper_speaks_when_the_account_is_not_known(self):
        facts = {"routes": FACTS["routes"]}
        self.assertEqual(self.levels("route-missing-live", "default", "paper", facts=facts, route=None),
                         ["refuse", "warn"])

    def test_a_level_off_hides_findings_and_keeps_the_prediction(self):
        policy = self.file("quiet.yaml", "ordergate: 1\nrules: {limit-price: off}\n")
        verdict, findings, decision = self.decide(policy, limitPrice=-1)
        # an order that cannot be counted is reported by the rules that count
        self.assertEqual((verdict, findings), ("accept", {"buying-power-exceeded": "warn"}))
        self.assertEqual(decision["predicts"]["code"], "R145")

    def test_the_first_override_that_matches_decides(self):
        policy = self.file("desk.yaml", "ordergate: 1\nrules:\n  price-collar:\n    away: 10%\n    overrides:\n"
                                        "      - match: {symbol: \"^(SPY|QQQ)$\", securityType: Stock, side: Buy, "
                                        "orderType: Limit}\n        away: 1%\n"
                                        "        reasons: {limit-away-from-quote: refuse}\n"
                                        "      - match: {account: \"live.*\", securityType: [Option, Mleg]}\n"
                                        "        level: info\n"
                                        "      - match: {account: \"LIVE.*\"}\n"
                                        "        level: info\n")
        reason = "limit-away-from-quote"
        self.assertEqual(self.levels(reason, policy, symbol="SPY", limitPrice=193), ["refuse"])
        self.assertEqual(self.levels(reason, policy, symbol="AAPL", limitPrice=193), [None])
        self.assertEqual(self.levels(reason, policy, symbol="AAPL", limitPrice=215), ["info"])

    def test_a_locked_rule_stays_also_on_nothing(self):
        policy = self.file("nothing.yaml", "ordergate: 1\nextends: []\n")
        self.assertEqual(self.decide(policy, limitPrice=-1)[0:2], ("accept", {}))
        self.assertEqual(self.decide(policy, side="Hold")[0], "refuse")


if __name__ == "__main__":
    unittest.main()
