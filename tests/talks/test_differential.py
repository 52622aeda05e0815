"""The gate's predictions against the paper brokerage's answers, on random orders.

Both were written from the service document, by different hands and from different tables: this test drives seeded random
orders through both and demands that what the gate predicts is what the brokerage then does, for a Paper and a Live account.
A prediction of certainty "stated" must come true; one of certainty "reading" too, because the paper brokerage follows the
same recommended readings.  What is left out stands in EXCEPT, with its reason.
"""
import json
import os
import random
import subprocess
import sys
import unittest

import paper

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
NOW = paper.REGULAR
ORDERS = int(os.environ.get("OG_DIFFERENTIAL_ORDERS", "400"))

# Reasons beside which the brokerage may answer otherwise than predicted, with why.
EXCEPT = {
    "client-order-id-used-uncertain": "whether a Rejected order uses up its id is not stated (CON-16): we warn, the brokerage says R114",
    "mleg-leg-open-close": "a leg's wrong openClose is a 400 or a rejection (CON-15), and may hide the shape of the legs",
    "symbol-not-uppercase": "what becomes of a lower-case symbol is not stated (CON-50): the brokerage does not know it",
}

QUOTES = {"AAPL": 190.0, "MSFT": 420.0, "F": 12.0, "GME": 25.0, "AMC": 5.0, "SPY": 600.0}


def maybe(r, p, a, b):
    return a if r.random() < p else b


def price(r, mid, loose):
    kind = r.random()
    if kind < 0.80:
        return round(mid * r.uniform(0.97, 1.03), 2)
    if kind < 0.84:
        return round(mid * r.uniform(0.9, 1.1), 3)
    if kind < 0.87:
        return round(mid, 2) + 0.00005
    if kind < 0.90:
        return 0
    if kind < 0.93:
        return -round(mid, 2)
    if kind < 0.95:
        return loose
    return r.choice(["10", None, 10000, 9999.99, 9999.991, True])


def occ(root, expiry, kind, strike):
    return "%s%s%s%08d" % (root, expiry, kind, round(strike * 1000))


def leg(symbol, side, ratio=1, open_close="Open"):
    return {"symbol": symbol, "side": side, "ratio": ratio, "openClose": open_close}


def some_legs(r, root):
    mid = {"SPY": 600, "AAPL": 190}.get(root, 20)
    k = [mid + d for d in sorted(r.sample(range(-15, 16), 4))]
    e = "260220"
    flip = r.random() < 0.5
    b, s = ("Sell", "Buy") if flip else ("Buy", "Sell")
    t = r.choice("CP")
    shapes = [
        [leg(occ(root, e, t, k[0]), b), leg(occ(root, e, t, k[1]), s)],
        [leg(occ(root, e, "C", k[0]), b), leg(occ(root, e, "P", k[0]), b)],
        [leg(occ(root, e, "P", k[0]), b), leg(occ(root, e, "C", k[1]), b)],
        [leg(occ(root, e, t, k[0]), b), leg(occ(root, e, t, k[1]), s, 2), leg(occ(root, e, t, k[2]), b)],
        [leg(occ(root, e, t, k[0]), b), leg(occ(root, e, t, k[1]), s), leg(occ(root, e, t, k[2]), s), leg(occ(root, e, t, k[3]), b)],
        [leg(occ(root, e, "P", k[0]), b), leg(occ(root, e, "P", k[1]), s), leg(occ(root, e, "C", k[1]), s), leg(occ(root, e, "C", k[2]), b)],
        [leg(occ(root, e, "P", k[0]), b), leg(occ(root, e, "P", k[1]), s), leg(occ(root, e, "C", k[2]), s), leg(occ(root, e, "C", k[3]), b)],
        [leg(root, "Buy", 100), leg(occ(root, e, "C", k[3]), "Sell")],
        [leg(root, "Buy", 100), leg(occ(root, e, "P", k[0]), "Buy")],
        # what is not supported
        [leg(occ(root, e, t, k[0]), b), leg(occ(root, e, t, k[1]), b)],
        [leg(occ(root, e, t, k[0]), b), leg(occ(root, e, t, k[1]), s, 2)],
        [leg(occ(root, e, t, k[0]), b, 2), leg(occ(root, e, t, k[1]), s, 2)],
        [leg(occ(root, e, t, k[0]), b), leg(occ(root, "260320", t, k[1]), s)],
        [leg(occ(root, e, "C", k[0]), b), leg(occ(root, e, "P", k[0]), s)],
        [leg(occ(root, e, t, k[0]), b)],
        [leg(occ(root, e, t, k[0]), b)] * 5,
        [leg(root, "Buy", 50), leg(occ(root, e, "C", k[3]), "Sell")],
        [leg(occ(root, e, "P", k[1]), b), leg(occ(root, e, "P", k[0]), s), leg(occ(root, e, "C", k[1]), s), leg(occ(root, e, "C", k[0]), b)],
    ]
    legs = [dict(x) for x in r.choice(shapes)]
    r.shuffle(legs)
    if r.random() < 0.08:
        r.choice(legs).pop(r.choice(["symbol", "side", "ratio", "openClose"]))
    if r.random() < 0.06:
        r.choice(legs)[r.choice(["symbol", "side", "ratio", "openClose"])] = r.choice([0, 101, 1.5, "x", None, "Buy/", "buy"])
    return legs


def random_order(r, number, live):
    kind = r.choices(["Stock", "Option", "Mleg"], [5, 3, 3])[0]
    root = r.choice(list(QUOTES))
    mid = QUOTES[root]
    o = {"securityType": kind, "symbol": root, "orderType": r.choice(["Limit", "Limit", "Limit", "Market", "Stop", "StopLimit"]),
         "orderQuantity": r.choice([1, 2, 5, 10]), "timeInForce": maybe(r, 0.9, "Day", r.choice(
             ["GoodTillCancel", "AtTheOpening", "ImmediateOrCancel", "FillOrKill", "GoodTillCrossing", "Day_Plus", "GTC_Plus"])),
         "clientOrderId": "r%d" % number}
    if kind != "Mleg":
        o["side"], o["openClose"] = r.choice([("Buy", "Open"), ("Buy", "Open"), ("Sell", "Open"), ("Sell", "Close"), ("Buy", "Close")])
    if kind == "Option":
        strike = round(mid) + r.choice([-10, -5, 0, 5, 10]) if mid > 20 else round(mid)
        o["symbol"] = occ(root, "260220", r.choice("CP"), max(strike, 1))
        mid = max(1.0, mid / 20)
    if kind == "Mleg":
        root = o["symbol"] = r.choice(["SPY", "AAPL"])
        o["legs"] = some_legs(r, root)
        mid = 4.0
    if "Limit" in o["orderType"] or r.random() < 0.05:
        o["limitPrice"] = price(r, mid, 12345678.12)
    if "Stop" in o["orderType"] or r.random() < 0.05:
        up = 1.05 if o.get("side") == "Buy" else 0.95
        o["stopPrice"] = maybe(r, 0.7, round(mid * up, 2), price(r, mid, 0.00001))
    if live or r.random() < 0.3:
        names = {"Stock": "SMART", "Option": "SMARTO", "Mleg": "SMARTM"} if live else {"Stock": "PAPER", "Option": "PAPER", "Mleg": "PAPERM"}
        o["route"] = maybe(r, 0.93, names[kind], r.choice(["SMART", "SMARTO", "CTDL", "NOPE", "smart", ""]))
    for change, p in ((lambda: o.pop(r.choice(list(o))), 0.05),
                      (lambda: o.update({r.choice(list(o)): r.choice([None, 7, "x", True, [], {}, -1])}), 0.06),
                      (lambda: o.update(symbol=r.choice(["A/B", "AAPL ", "", "aapl", "AAPL\n"])), 0.04),
                      (lambda: o.update(orderQuantity=r.choice([0, -1, 1.5, 1000001, 1000000, "5", 100.0, 1e30])), 0.05),
                      (lambda: o.update(openClose=r.choice(["open", "OPEN", "x", "Close"])), 0.04),
                      (lambda: o.update(side=r.choice(["SellShort", "buy", "BuyToCover", "Sell"])), 0.04),
                      (lambda: o.update(clientOrderId="r%d" % r.randrange(max(1, number))), 0.05),
                      (lambda: o.update(clientOrderId="i" * 37), 0.01),
                      (lambda: o.update(orderId="x", extra=1), 0.03)):
        if r.random() < p:
            change()
    return o


class Differential(unittest.TestCase):
    def drive(self, account, keys, seed):
        with paper.Paper() as broker:
            gate = subprocess.Popen([GATE, "check", "--independent", "--at", NOW, "--account", account],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.addCleanup(gate.wait)
            self.addCleanup(gate.stdout.close)
            self.addCleanup(gate.stdin.close)
            r = random.Random(seed)
            facts = Facts(broker, account, keys)
            wrong, said = [], {}
            for number in range(ORDERS):
                o = random_order(r, number, account == "LIVE0001")
                facts.price(o)
                gate.stdin.write((json.dumps(facts.document()) + "\n" + json.dumps(o) + "\n").encode())
                gate.stdin.flush()
                decision = json.loads(gate.stdout.readline())
                got = answer(broker, account, o)
                facts.note(o, got)
                channel = decision["predicts"]["channel"]
                said[channel] = said.get(channel, 0) + 1
                why = disagreement(decision, got)
                if why:
                    wrong.append("%s\n  order %s\n  predicted %s by %s\n  answered %s" % (
                        why, json.dumps(o), json.dumps(decision["predicts"]),
                        [f["reason"] for f in decision["findings"] if f["predicts"]], got))
            if wrong:
                self.fail("%d of %d differ (%s):\n%s" % (len(wrong), ORDERS, said, "\n".join(wrong[:12])))
            self.assertGreaterEqual(said.get("accepted", 0), ORDERS // 10, said)
            self.assertGreaterEqual(said.get("http-400", 0), ORDERS // 10, said)
            # only market orders of several legs: the service has no quote of a spread
            self.assertLessEqual(said.get("unknown", 0), ORDERS // 10, said)

    def test_paper(self):
        self.drive("PAPER0001", paper.PAPER, 1)

    def test_live(self):
        self.drive("LIVE0001", paper.LIVE, 2)


class Facts:
    """What the brokerage says, as a facts line; used ids are what it answered 200 to."""

    def __init__(self, broker, account, keys):
        self.broker, self.keys, self.ids = broker, keys, []
        base = "accounts/%s/" % account
        self.paths = {"account": "account/" + account, "positions": base + "positions", "orders": base + "orders",
                      "locateInventory": base + "locates/inventory"}
        self.fixed = {"op": "facts", "accountId": account, "asOf": NOW,
                      "routes": self.get(base + "routes"), "accountList": self.get("accounts"),
                      "borrow": {s: self.get(base + "is-easy-to-borrow/symbol/" + s)["isEasyToBorrow"]
                                 for s in list(QUOTES) + ["aapl"]}}
        self.quotes = {}
        for symbol, mid in QUOTES.items():
            self.quotes[symbol] = {"bid": round(mid - 0.01, 2), "ask": round(mid + 0.01, 2), "last": mid}
            broker.quote(symbol, **self.quotes[symbol])

    def get(self, path):
        reply = self.broker.get(path, keys=self.keys)
        assert reply.status == 200, (path, reply.status)
        return reply.json

    def document(self):
        document = dict(self.fixed, usedClientOrderIds=self.ids, quotes=self.quotes)
        for key, path in self.paths.items():
            document[key] = self.get(path)
        return document

    def price(self, o):
        """An option's quote is known to both."""
        symbol = o.get("symbol")
        if o.get("securityType") == "Option" and isinstance(symbol, str) and len(symbol) > 15 and symbol not in self.quotes:
            mid = max(1.0, QUOTES.get(symbol[:-15], 20.0) / 20)
            self.quotes[symbol] = {"bid": round(mid - 0.05, 2), "ask": round(mid + 0.05, 2), "last": round(mid, 2)}
            self.broker.quote(symbol, **self.quotes[symbol])

    def note(self, o, got):
        identity = o.get("clientOrderId")
        if got["status"] == 200 and isinstance(identity, str) and got.get("code") != "R114" and identity:
            self.ids = [i for i in self.ids if i["id"] != identity]
            self.ids.append({"id": identity, "outcome": "accepted" if got["final"] != "Rejected" else "rejected"})


def answer(broker, account, o):
    """What the brokerage does with an order: status, and for a 200 its state at once and when it has settled."""
    reply = broker.order(o, account)
    if reply.status != 200:
        return {"status": reply.status, "type": reply.headers.get("content-type", ""), "body": reply.text}
    row = reply.json
    got = {"status": 200, "first": row["orderStatus"], "text": row.get("text")}
    if row["orderStatus"] != "Rejected":
        broker.advance("3s")
        row = broker.lookup(row["clientOrderId"], account).json
        got["text"] = row.get("text")
    got["final"] = row["orderStatus"]
    words = (got["text"] or "").split(":")[0]
    got["code"] = words if got["final"] == "Rejected" and words[:1] == "R" and words[1:].isdigit() else None
    return got


def disagreement(decision, got):
    p = decision["predicts"]
    reasons = {f["reason"] for f in decision["findings"]}
    if reasons & set(EXCEPT):
        return None
    channel = p["channel"]
    if channel == "unknown":
        return None
    if channel == "http-400":
        if got["status"] != 400 or "text/plain" not in got["type"]:
            return "predicted a 400 of text"
        if p["text"] is not None and set(p["text"].split("\n")) != set(got["body"].strip().split("\n")):
            return "another body"
        return None
    if channel == "http-400-json":
        return None if got["status"] == 400 and "json" in got["type"] else "predicted a 400 of JSON"
    if got["status"] != 200:
        return "predicted a 200"
    if channel == "accepted":
        # "reading": the document is silent about something that may fail
        return None if got["final"] != "Rejected" or p.get("certainty") == "reading" else "predicted accepted"
    if got["final"] != "Rejected":
        return "predicted a rejection"
    if channel == "rejected" and got["first"] != "Rejected":
        return "predicted at once"
    if channel == "async" and got["first"] == "Rejected":
        return "predicted later"
    undecided = any(f.get("unsure") and f["predicts"] for f in decision["findings"])
    if p["code"] and got["code"] and got["code"] not in p.get("codes", [p["code"]]) and not undecided:
        return "another code"
    return None


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
