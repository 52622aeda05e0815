"""ordergate check on requests: cancels, locates, reads; and its suggestions instead of a refused order.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
AT = "2026-01-15T15:00:00Z"  # a Thursday, 10:00 in New York
FACTS = {"asOf": "2026-01-15T14:59:59Z", "accountId": "LIVE0001",
         "account": {"account": "LIVE0001", "accountStatus": "Active", "accountType": "Live", "bp": 100000,
                     "overnightBp": 100000, "availableCash": 50000, "optLevel": 4, "optionTradingLevel": 4},
         "accountList": [{"account": "LIVE0001", "accountType": "Live"}], "positions": [], "usedClientOrderIds": [],
         "orders": [{"clientOrderId": "w1", "symbol": "MSFT", "orderStatus": "New", "securityType": "Stock",
                     "side": "Buy", "openClose": "Open", "orderQuantity": 1, "executed": 0, "leavesQuantity": 1},
                    {"clientOrderId": "r1", "symbol": "MSFT", "orderStatus": "Rejected", "securityType": "Stock",
                     "side": "Buy", "openClose": "Open", "orderQuantity": 1, "executed": 0, "leavesQuantity": 0}],
         "locateInventory": [{"symbol": "GME", "locateType": 1, "available": 100}], "borrow": {"GME": False},
         "locateHistory": [{"quoteReqID": "q1", "symbol": "GME", "locateShares": 100, "locateStatus": 65,
                            "locateType": 1, "locatePrice": 0.02, "updatedDate": "2026-01-15T14:59:50Z"}],
         "routes": [{"routeName": "SMART", "securityTypes": ["Stock"], "timesInForce": ["Day"]}],
         "quotes": {"AAPL": {"bid": 190.40, "ask": 190.50, "last": 190.45}},
         "gate": {"calls": {"POST locate-quote": ["2026-01-15T14:59:59.5Z"]}, "locateQuotes": [], "posted": []}}
ORDER = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
         "orderQuantity": 10, "timeInForce": "Day", "limitPrice": 190.5, "clientOrderId": "a1", "route": "SMART"}


class Requests(unittest.TestCase):
    def decide(self, *documents, at=AT, options=(), code=None, facts=FACTS):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
            json.dump(facts, f)
            f.flush()
            p = subprocess.run([GATE, "check", "--at", at, "-f", f.name, *options], capture_output=True, timeout=600,
                               input="".join(json.dumps(d) + "\n" for d in documents).encode())
        if code is not None:
            self.assertEqual(p.returncode, code, p.stderr)
        return [json.loads(line) for line in p.stdout.splitlines()]

    def one(self, document, **more):
        d = self.decide(document, **more)[0]
        return d["verdict"], {f["reason"]: f["level"] for f in d["findings"]}, d

    def test_cancels(self):
        verdict, findings, d = self.one({"op": "cancel", "clientOrderId": "w1"}, code=0)
        self.assertEqual((verdict, findings), ("accept", {}))
        self.assertEqual((d["op"], d["clientOrderId"], d["accountId"]), ("cancel", "w1", "LIVE0001"))
        self.assertEqual(d["predicts"], {"channel": "accepted"})
        verdict, findings, d = self.one({"op": "cancel", "clientOrderId": "r1"}, code=1)
        self.assertEqual(d["predicts"], {"channel": "rejected", "code": "R130", "text": None, "certainty": "stated"})
        verdict, findings, d = self.one({"op": "cancel", "clientOrderId": "never"}, code=1)
        self.assertEqual(d["predicts"]["channel"], "http-404")

    def test_a_cancel_of_an_order_made_since_the_list_was_read(self):
        """With --emit lines a sender reads what comes out: it gets the cancel, as the list may lack the order."""
        line = {"op": "cancel", "clientOrderId": "never"}
        for policy in ("default", "live", "cautious"):
            with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
                json.dump(FACTS, f)
                f.flush()
                p = subprocess.run([GATE, "check", "-p", policy, "--at", AT, "-f", f.name, "--emit", "lines"],
                                   input=json.dumps(line).encode(), capture_output=True, timeout=600, check=False)
            self.assertEqual((p.returncode, json.loads(p.stdout or b"null")), (0, line), p.stderr)

    def test_locates(self):
        quote = {"op": "locate-quote", "account": "LIVE0001", "symbol": "GME", "quantity": 100, "quoteReqID": "q2"}
        verdict, findings, d = self.one(quote)
        self.assertEqual((verdict, findings),
                         ("refuse", {"locate-quote-open": "refuse", "rate-budget-exhausted": "refuse"}))
        self.assertEqual(d["predicts"]["channel"], "http-429")  # before all else
        self.assertEqual(self.one(dict(quote, quantity=50))[2]["findings"][0]["reason"], "locate-quantity-below-min")
        self.assertEqual(self.one({"op": "locate-accept", "accountId": "LIVE0001", "quoteReqID": "q1"})[:2],
                         ("accept", {}))
        d = self.one({"op": "locate-accept"})[2]
        self.assertEqual(d["predicts"]["text"], "- (root): accountId is required\n- (root): quoteReqID is required")
        sell = {"op": "locate-sell", "account": "LIVE0001", "quoteReqID": "s1", "locateType": "Locate", "quantity": 100,
                "symbol": "GME"}
        self.assertEqual(self.one(sell)[:2], ("accept", {}))
        self.assertEqual(self.one(dict(sell, quantity=200))[1], {"locate-sell-insufficient": "refuse"})
        self.assertEqual(self.one({"op": "locate-cancel", "accountId": "LIVE0001", "quoteReqID": "q1"})[:2],
                         ("accept", {}))

    def test_reads(self):
        read = {"op": "read", "endpoint": "GET cash", "startDate": "2026-01-02", "limit": 10001}
        self.assertEqual(self.one(read, code=0)[:2], ("accept", {"page-limit-clamped": "info"}))
        self.assertEqual(self.one(dict(read, startDate="2026-1-2"), code=1)[2]["predicts"]["channel"], "http-404")
        self.assertEqual(self.one({"op": "read", "endpoint": "GET nothing"})[1], {"read-endpoint-unknown": "refuse"})

    def test_a_policy_sets_their_levels(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as f:
            f.write(
                "ordergate: 1\nrules:\n  cancel-request: {reasons: {cancel-terminal: warn, cancel-rejected: info}}\n")
            f.flush()
            got = self.one({"op": "cancel", "clientOrderId": "r1"}, options=("-p", f.name), code=0)
        self.assertEqual(got[1], {"cancel-rejected": "info"})
        # the prediction is about the broker, so the policy does not change it
        self.assertEqual(got[2]["predicts"]["code"], "R130")

    def test_a_replacement(self):
        got = self.one(dict(ORDER, replaces="w1"), options=("-p", "default"))
        self.assertEqual(got[1], {"replace-before-canceled": "warn"})
        self.assertNotIn("replaces", json.dumps(self.decide(dict(ORDER, replaces="x"), options=("--emit", "bodies"))))
        self.assertEqual(self.decide(dict(ORDER, replaces="x"), options=("--emit", "orders"))[0]["replaces"], "x")
        self.assertEqual(self.one(dict(ORDER, replaces=7))[1], {"field-type": "refuse"})
        self.assertEqual(self.one(dict(ORDER, replaces=""))[1], {"replaces-empty": "refuse"})

    def test_two_replacements_of_one_order(self):
        """Of two orders that replace the same order, the first is accepted while the old one still works, and the
        second is refused by the default policy."""
        lines = [dict(ORDER, clientOrderId=i, replaces=old, limitPrice=price)
                 for i, old, price in (("n1", "w1", 189), ("n2", "w1", 188), ("n3", "n1", 187))]
        got = self.decide(*lines, options=("-p", "default"), code=1)
        self.assertEqual([d["verdict"] for d in got], ["accept", "refuse", "accept"])
        self.assertEqual([f["message"] for f in got[1]["findings"] if f["level"] == "refuse"],
                         ["the order 'w1' that this one replaces was replaced by 'n1'"])

    def test_suggestions(self):
        big = dict(ORDER, orderQuantity=1000)
        self.assertNotIn("suggest", self.one(big, code=1)[2])
        self.assertEqual(self.one(big, options=("--suggest",))[2]["suggest"], {"orderQuantity": 524})
        self.assertNotIn("suggest", self.one(ORDER, options=("--suggest",), code=0)[2])
        self.assertEqual(self.one(dict(ORDER, limitPrice=190.456), options=("--suggest",))[2]["suggest"],
                         {"limitPrice": 190.46})
        market = {k: v for k, v in ORDER.items() if k != "limitPrice"} | {"orderType": "Market"}
        got = self.one(market, options=("--suggest",), at="2026-01-15T14:00:00Z")[2]
        self.assertEqual(got["suggest"], {"at": "2026-01-15T14:30:00Z"})
        self.assertEqual(self.one(market, at=got["suggest"]["at"])[0], "accept")

    def test_no_edge_of_the_collar_is_suggested(self):
        """In place of a mistyped limit the market's price is suggested; in place of such a stop, none."""
        held = {"symbol": "AAPL", "securityType": "Stock", "side": "Long", "shares": 100, "priceAvg": 180}
        facts = dict(FACTS, positions=[held], orders=[], pnl={"dayPnl": 0}, gate=dict(FACTS["gate"], calls={}),
                     account=dict(FACTS["account"], equity=100000))
        close = {"side": "Sell", "openClose": "Close"}
        stop = dict(close, orderType="Stop", limitPrice=None)
        for policy in ("live", "cautious"):
            for change, expected in (({"limitPrice": 1900}, {"limitPrice": 190.5}), ({"limitPrice": 19}, None),
                                     ({"limitPrice": -10}, {"limitPrice": 190.5}),
                                     (dict(close, limitPrice=19), {"limitPrice": 190.4}),
                                     (dict(stop, stopPrice=19), None), (dict(stop, stopPrice=-1), None)):
                with self.subTest(policy=policy, change=change):
                    order = {k: v for k, v in dict(ORDER, orderQuantity=10, **change).items() if v is not None}
                    d = self.one(order, options=("--suggest", "-p", policy), facts=facts, code=None)[2]
                    self.assertEqual(d.get("suggest"), expected, d["findings"])

    def test_suggestions_count_what_was_accepted_before(self):
        got = self.decide(dict(ORDER, orderQuantity=500), dict(ORDER, orderQuantity=500, clientOrderId="a2"),
                          dict(ORDER, orderQuantity=24, clientOrderId="a3"), options=("--suggest",))
        self.assertEqual([d["verdict"] for d in got], ["accept", "refuse", "accept"])
        self.assertEqual(got[1]["suggest"], {"orderQuantity": 24})

    def test_nobody_is_told_to_wait_until_facts_are_old(self):
        """Waiting is not suggested if it would only make facts too old. Facts that are known now refuse these orders;
        ten seconds later these facts would not count, and a close would be accepted because nothing is known against
        it."""
        close = dict(ORDER, symbol="AAPL", side="Sell", openClose="Close", limitPrice=190.4)
        works = dict(FACTS["orders"][0], symbol="AAPL", side="Sell", openClose="Close", orderQuantity=100,
                     leavesQuantity=100)
        held = {"symbol": "AAPL", "securityType": "Stock", "side": "Long", "shares": 100, "priceAvg": 180}
        cases = (("close-exceeds-position", close, dict(FACTS, positions=[held], orders=[works])),
                 ("close-without-position", close, dict(FACTS, orders=[])),
                 ("limit-away-from-quote", dict(close, limitPrice=120), dict(FACTS, positions=[held], orders=[])))
        for policy in ("live", "cautious"):
            for reason, order, facts in cases:
                with self.subTest(policy=policy, reason=reason, order=order):
                    _, found, d = self.one(order, options=("--suggest", "-p", policy), code=1, facts=facts)
                    self.assertEqual(found.get(reason), "refuse", found)
                    self.assertNotIn("at", d.get("suggest", {}))

    def test_what_is_not_known_now_need_not_be_known_of_a_smaller_close(self):
        """The quote is too old, so orders that open are refused. A smaller close is suggested nevertheless, because
        a close of what is held needs no quote."""
        held = {"symbol": "AAPL", "securityType": "Stock", "side": "Long", "shares": 100, "priceAvg": 180}
        facts = dict(FACTS, positions=[held], orders=[], asOf="2026-01-15T14:59:57Z")
        close = dict(ORDER, side="Sell", openClose="Close", orderQuantity=200)
        for policy in ("live", "cautious"):
            with self.subTest(policy=policy):
                d = self.one(close, options=("--suggest", "-p", policy), code=1, facts=facts)[2]
                self.assertEqual(d.get("suggest"), {"orderQuantity": 100}, d["findings"])

    def test_a_close_of_what_a_stop_closes_may_replace_it(self):
        """The suggestion names the working order, and with it `--emit lines` lets the close pass; not where the close
        is of more than is held, or where all that works is a close that it could not replace."""
        close = dict(ORDER, side="Sell", openClose="Close", orderQuantity=100, limitPrice=190.4)
        stop = dict(FACTS["orders"][0], clientOrderId="stop1", symbol="AAPL", side="Sell", openClose="Close",
                    orderType="Stop", priceStop=180, orderQuantity=100, leavesQuantity=100)
        held = {"symbol": "AAPL", "securityType": "Stock", "side": "Long", "shares": 100, "priceAvg": 180}
        facts = dict(FACTS, positions=[held], orders=[stop])
        for policy in ("live", "cautious"):
            with self.subTest(policy=policy):
                options = ("--suggest", "-p", policy)
                d = self.one(close, options=options, code=1, facts=facts)[2]
                self.assertEqual(d.get("suggest"), {"replaces": "stop1"}, d["findings"])
                self.assertEqual(["('stop1')" in f["message"] for f in d["findings"]
                                  if f["reason"] == "close-exceeds-position"], [True])
                self.assertEqual(len(self.decide(dict(close, **d["suggest"]), code=0, facts=facts,
                                                 options=("-p", policy, "--emit", "lines"))), 1)
                for change in ({"orderQuantity": 101}, {"replaces": "stop1"}, {"replaces": "other"}):
                    d = self.one(dict(close, **change), options=options, code=1, facts=facts)[2]
                    self.assertNotIn("replaces", d.get("suggest", {}), (change, d["findings"]))
                two = [dict(stop, clientOrderId=i, orderQuantity=50, leavesQuantity=50) for i in ("stop1", "target1")]
                d = self.one(close, options=options, code=1, facts=dict(facts, orders=two))[2]
                self.assertNotIn("replaces", d.get("suggest", {}))  # beside the one, the other closes 50

    def test_outside_market_hours_the_open_is_suggested(self):
        """When the market is closed, its opening time is suggested. Facts are treated as if they were as old then
        as now, because they are read again before the order is sent."""
        market = {k: v for k, v in ORDER.items() if k != "limitPrice"} | {"orderType": "Market"}
        for policy, opens in (("live", "2026-01-15T14:30:00Z"), ("cautious", "2026-01-15T14:30:06Z")):
            facts = dict(FACTS, asOf="2026-01-15T13:59:59Z", orders=[], gate=dict(FACTS["gate"], calls={}),
                         pnl={"dayPnl": 0}, account=dict(FACTS["account"], equity=100000))
            with self.subTest(policy=policy):
                d = self.one(market, options=("--suggest", "-p", policy), at="2026-01-15T14:00:00Z", code=1,
                             facts=facts)[2]
                self.assertEqual(d.get("suggest"), {"at": opens}, d["findings"])
                facts["asOf"] = d["suggest"]["at"]
                self.assertEqual(self.one(market, options=("-p", policy), at=opens, facts=facts)[0], "accept")


if __name__ == "__main__":
    unittest.main()
