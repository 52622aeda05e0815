#!/usr/bin/env python3
"""Keys that are probably misspelt: an order line with one is refused under every shipped policy, since the key that was
meant says which order is replaced, whose account and strategy the order counts for, or what is posted. Facts and quote
lines with one are no facts."""
import glob
import json
import os
import unittest

from policy_case import NOON, PolicyCase, order

SHIPPED = os.path.join(os.path.dirname(__file__), "..", "..", "policies")
# the key that is meant: keys that are seen
ORDER = {
    "replaces": ["replace", "Replaces", "REPLACES", "replacesId", "replace_id", "replace-id", "replacesOrderId",
                 "replaced", "replacing", "replacement", "replacesClientOrderId", "repalces", "relaces", "replacess",
                 "_replaces", "replaces ", "re_places", "orderReplaces", "cancelReplace", "cancel_replace_id",
                 "origClientOrderId", "orig_cl_ord_id", "origClOrdID", "originalClientOrderId", "r\u0435places"],
    "accountId": ["account", "accountid", "AccountID", "account_id", "account-id", "acountId", "accuontId", "accountNo",
                  "accountNumber", "account_name", "subAccount", "accounts", "acct", "acctId", "acct_id", "accId",
                  "accountIds", "acount", "accuont", "acconut"],
    "tag": ["Tag", "TAG", "tags", "tagId", "tag_id", "_tag", "tga", "orderTag", "order_tag", "tagName"],
    "op": ["Op", "OP", "_op", "op_"],
    "clientOrderId": ["clientOrderID", "client_order_id", "client-order-id", "clientorderid", "clientOrdersId",
                      "clientOrderIdd", "cilentOrderId", "clOrdId", "cl_ord_id", "myClientOrderId"],
    "route": ["Route", "routes", "rout", "ruote", "route_"],
    "openClose": ["open_close", "open-close", "openclose", "openColse", "openCloses"],
    "stopPrice": ["stop_price", "stopprice", "stop-price", "stopPrise", "stopPrices"],
}
LEG = {"openClose": ["open_close", "openclose", "openColse"], "ratio": ["Ratio", "RATIO"]}
# keys of the service's documents, and what people note beside an order
OTHERS = ["text", "note", "notes", "orderStatus", "leavesQuantity", "executed", "canceledQuantity", "tradedSymbol",
          "price", "currency", "userOrderId", "positionId", "maxDisplayQuantity", "memo", "comment", "strategy",
          "strategyId", "source", "signal", "reason", "user", "trader", "desk", "id", "ts", "time", "timestamp",
          "name", "size", "type", "version", "model", "priceStop", "quantity", "max/size", "qty", "rate", "stage",
          "opt", "up", "amount", "count", "score", "startTime", "lastUpdated", "mLegId", "accountStatus",
          "accountType", "accountValue", "routeName"]
OPTION = {"securityType": "Option", "symbol": "AAPL260220C00150000", "openClose": None}
WHAT = {"replaces": "beside the one that it should replace", "accountId": "account", "tag": "tag"}


def shipped():
    names = glob.glob(os.path.join(SHIPPED, "*.yaml")) + glob.glob(os.path.join(SHIPPED, "*", "*.yaml"))
    return sorted(n for n in names if not n.endswith("_test.yaml"))


def found(decision):
    """Returns the field and message of each finding that refuses a key."""
    return [(f["field"], f["message"]) for f in decision["findings"]
            if f["reason"] == "field-unknown" and f["level"] == "refuse"]


def with_key(key, value="x", **more):
    """Returns a line with the key; clientOrderId only where its misspelling is not tried."""
    return json.dumps({**json.loads(order(**more)), key: value})


def lines_of(meant, keys):
    more = OPTION if meant == "openClose" else {"clientOrderId": "a1"} if meant != "clientOrderId" else {}
    return [with_key(key, **more) for key in keys]


class Orders(PolicyCase):
    def test_every_key_under_every_policy(self):
        self.assertGreater(len(shipped()), 8)
        for policy in shipped():
            for meant, keys in ORDER.items():
                for key, d in zip(keys, self.decide(policy, lines_of(meant, keys))):
                    with self.subTest(policy=policy, key=key):
                        self.assertEqual((d["verdict"], len(found(d))), ("refuse", 1), d["findings"])
                        field, message = found(d)[0]
                        self.assertEqual(field, f"/{key}")
                        self.assertIn(f"; write {meant}", message)
                        self.assertIn(WHAT.get(meant, ""), message)

    def test_what_is_far_or_documented_stays(self):
        for policy in shipped():
            for key, d in zip(OTHERS, self.decide(policy, [with_key(k, clientOrderId="a1") for k in OTHERS])):
                with self.subTest(policy=policy, key=key):
                    told = [f["message"] for f in d["findings"] if f["reason"] == "field-unknown"]
                    self.assertEqual(told, [f"key '{key}' is not one the service knows, it is ignored"])

    def test_a_posted_key_that_is_there_was_not_misspelt(self):
        """Two keys with one meaning of ours are refused all the same: which one counts is not clear."""
        line = {"clientOrderId": "a1", "route": "SMART", "replaces": "a0", "tag": "t", "accountId": "A"}
        for key, refused in (("routes", False), ("client_order_id", False), ("replace", True), ("tags", True),
                             ("account", True), ("Route", True)):
            for policy in ("default", "live"):
                self.assertEqual(len(found(self.decide(policy, with_key(key, **line))[0])), refused, key)

    def test_legs(self):
        for meant, keys in LEG.items():
            for key in keys:
                line = json.dumps({"securityType": "Mleg", "symbol": "AAPL", "orderType": "Limit", "orderQuantity": 1,
                                   "timeInForce": "Day", "limitPrice": 1, "clientOrderId": "a1", "legs": [
                                       {"symbol": "AAPL260220C00150000", "side": "Buy", "ratio": 1,
                                        "openClose": "Open"},
                                       {"symbol": "AAPL260220C00160000", "side": "Sell", key: 1}]})
                for policy in shipped():
                    d = self.decide(policy, line)[0]
                    self.assertEqual([f for f, m in found(d) if f"write {meant}" in m], [f"/legs/1/{key}"], d)

    def test_no_policy_lowers_it(self):
        for text in ("rules:\n  request-fields:\n    reasons: {field-unknown: warn}\n", "mode: shadow\n"):
            for extends in ("[]", "default"):
                d = self.decide(self.policy(text, extends=extends), with_key("replace", clientOrderId="a1"))[0]
                self.assertEqual((d["verdict"], len(found(d))), ("refuse", 1), d)

    def test_a_key_behind_many_others(self):
        """An order keeps the first unknown keys only; one that is misspelt is seen wherever it stands."""
        for before in (0, 15, 16, 17, 40):
            line = {**json.loads(order(clientOrderId="a1")), **{f"x{n}": n for n in range(before)}, "replace": "a0"}
            d = self.decide("live", json.dumps(line))[0]
            self.assertEqual([f for f, _ in found(d)], ["/replace"], before)

    def test_baskets(self):
        for policy in shipped():
            basket = json.dumps({"op": "basket", "orders": [json.loads(order(clientOrderId="a1")),
                                                            json.loads(with_key("acount", clientOrderId="a2"))]})
            done = self.gate("check", "-p", policy, "--at", NOON, input=basket.encode())
            out = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual(([d["verdict"] for d in out], [f for f, _ in found(out[1])]),
                             (["refuse", "refuse"], ["/acount"]))


class Facts(PolicyCase):
    """A fact or a quote under a misspelt key is an error, since what is missing would not be noticed."""
    KEYS = {"bid": ["Bid", "bids", "BID", "bid_"], "ask": ["Ask", "asks", "aks", "_ask"],
            "last": ["Last", "LAST", "lst", "lasts"], "asOf": ["asof", "AsOf", "as_of", "asOff", "as-of"]}
    OTHERS = ["mid", "mark", "volume", "open", "high", "low", "close", "ts", "time", "bidSize", "askSize", "feed",
              "seq", "id", "venue"]
    QUOTE = {"bid": 9.99, "ask": 10.01, "last": 10, "asOf": NOON}
    HALT = {"halted": True, "asOf": NOON}

    def refused(self, facts, told):
        path = self.file("facts.json", json.dumps(facts))
        done = self.gate("check", "-p", "default", "-f", path, "--at", NOON, input=order().encode())
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)
        self.assertIn(told, done.stderr.decode())

    def line(self, **keys):
        """What is said of a line with a quote among the orders; "" if it is taken."""
        line = json.dumps({"op": "quote", "symbol": "AAPL", **keys})
        return self.gate("check", "-p", "default", "--at", NOON, input=f"{line}\n{order()}".encode()).stderr.decode()

    def test_quotes(self):
        for meant, keys in self.KEYS.items():
            for key in keys:
                with self.subTest(key):
                    quote = {k if k != meant else key: v for k, v in self.QUOTE.items()}
                    told = f"{key}: unknown key; did you mean '{meant}'?"
                    self.refused({"quotes": {"AAPL": quote}}, f"quotes.AAPL.{told}")
                    self.assertIn(told, self.line(**quote))
                    self.decide("default", order(), facts={"quotes": {"AAPL": {**self.QUOTE, key: 1}}})
        for key in self.OTHERS:
            for quote in (self.QUOTE, {}):
                self.decide("default", order(), facts={"quotes": {"AAPL": {**quote, key: 1}}})
                self.assertEqual(self.line(**quote, **{key: 1}), "", key)

    def test_a_halt_in_a_line(self):
        self.assertEqual(self.line(status=self.HALT), "")
        for key in ("Status", "STATUS", "stauts", "statuss", "_status"):
            for more in ({}, self.QUOTE):
                self.assertIn(f"{key}: unknown key; did you mean 'status'?", self.line(**{key: self.HALT}, **more))
        for key in ("halted", "paused", "shortSaleRestricted"):
            self.assertIn(f'{key}: expected it inside of "status", saw true', self.line(**{key: True}, **self.QUOTE))
        for key in ("limitDown", "limitUp"):
            self.assertIn(f'{key}: expected it inside of "status", saw 9', self.line(**{key: 9}, **self.QUOTE))

    def test_the_time_of_a_borrow_state(self):
        for key in ("asof", "as_of", "AsOf"):
            self.refused({"borrow": {"GME": {"easy": True, key: NOON}}},
                         f"borrow.GME.{key}: unknown key; did you mean 'asOf'?")
        self.decide("default", order(), facts={"borrow": {"GME": {"easy": True, "asOf": NOON, "rate": 3}}})


if __name__ == "__main__":
    unittest.main()
