"""The gate's predictions for cancels, locates and reads are compared with what the paper brokerage does.

Seeded random requests go through `ordergate check` with the brokerage's own documents as facts, and then to the
brokerage, whose clock is stepped between them. Every prediction must come true, whatever its certainty; only the form
of a 400, which a reading leaves open, is not compared.
"""
import json
import os
import random
import subprocess
import tempfile
import unittest

import paper

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
REQUESTS = int(os.environ.get("OG_DIFFERENTIAL_REQUESTS", "300"))
SYMBOLS = ["GME", "GME", "AMC", "AAPL", "GME260220C00025000", "", None]
BY_TYPE = {1: "Locate", 2: "Locate", 3: "PreBorrow", 4: "SingleUse"}


class Service:
    """The brokerage, and what a careful gate remembers of its own calls."""

    def __init__(self, broker, account, seed):
        self.broker, self.account, self.r = broker, account, random.Random(seed)
        self.keys = paper.LIVE if account == "LIVE0001" else paper.PAPER
        self.now = broker.advance("1ms")
        self.quotes, self.posted, self.used, self.count = [], [], [], 0

    def get(self, path):
        reply = self.broker.get(path, keys=self.keys)
        assert reply.status == 200, (path, reply.status)
        return reply.json

    def facts(self):
        base = f"accounts/{self.account}/"
        return {"asOf": self.now, "accountId": self.account, "account": self.get("account/" + self.account),
                "accountList": self.get("accounts"), "positions": self.get(base + "positions"),
                "orders": self.get(base + "orders"), "locateInventory": self.get(base + "locates/inventory"),
                "locateHistory": self.get(base + "locates/history"), "usedClientOrderIds": self.used,
                "borrow": {"GME": False, "AMC": False, "AAPL": True},
                "gate": {"calls": {}, "locateQuotes": self.quotes, "posted": self.posted}}

    def history(self, quote_id):
        rows = self.get(f"accounts/{self.account}/locates/history")["locateHistory"]
        return [row for row in rows if row["quoteReqID"] == quote_id]

    def fresh(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def known(self):
        rows = self.get(f"accounts/{self.account}/locates/history")["locateHistory"]
        return [row["quoteReqID"] for row in rows]

    # --- requests

    def quantity(self):
        return self.r.choice([100, 100, 200, 300, 150, 99, 0, -100, 2147483648, 100.5, "100"])

    def make_quote(self):
        r = self.r
        body = {"account": self.account, "symbol": r.choice(SYMBOLS),
                "quantity": r.choice([100, 100, 100, self.quantity()]),
                "quoteReqID": r.choice([self.fresh("q")] * 8 + [""])}
        if r.random() < 0.05:
            body["accountId"] = body.pop("account")
        return "locate-quote", {k: v for k, v in body.items() if v is not None}

    def make_accept(self):
        known = self.known()
        body = {"accountId": self.account, "quoteReqID": self.r.choice((known[-3:] or ["none"]) * 2 + ["nobody"])}
        if self.r.random() < 0.1:
            body["account"] = body.pop("accountId")
        elif self.r.random() < 0.1:
            del body[self.r.choice(list(body))]
        return "locate-accept", body

    def make_sell(self):
        r = self.r
        body = {"account": self.account, "quoteReqID": self.fresh("s"), "locateType": r.choice(list(BY_TYPE.values())),
                "quantity": r.choice([100, 100, 200, 1000, self.quantity()]), "symbol": r.choice(["GME", "GME", "AMC"])}
        if r.random() < 0.15:
            del body[r.choice(["account", "quoteReqID", "locateType", "quantity"])]
        return "locate-sell", body

    def make_locate_cancel(self):
        known = self.known()
        return "locate-cancel", {"accountId": self.account, "quoteReqID": self.r.choice(known[-4:] or ["none"])}

    def make_cancel(self):
        order = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
                 "orderQuantity": 1, "timeInForce": "Day", "limitPrice": 1, "clientOrderId": self.fresh("o"),
                 "route": "SMART" if self.account == "LIVE0001" else "PAPER"}
        order.update(self.r.choice([{}, {}, {"limitPrice": 500}, {"limitPrice": -1}]))
        reply = self.broker.order(order, self.account)
        assert reply.status == 200, reply.text
        self.now = self.broker.advance("3s")
        status = self.broker.lookup(order["clientOrderId"], self.account).json["orderStatus"]
        self.used.append({"id": order["clientOrderId"], "outcome": "rejected" if status == "Rejected" else "accepted"})
        if self.r.random() < 0.2:
            self.broker.cancel(order["clientOrderId"], self.account)
            self.now = self.broker.advance("1s")
        return "cancel", {"accountId": self.account,
                          "clientOrderId": self.r.choice([order["clientOrderId"]] * 4 + ["never-seen"])}

    def make_read(self):
        r = self.r
        body = {"accountId": self.account, "endpoint": r.choice(["GET cash", "GET history", "GET history-pages"]),
                "startDate": r.choice(["2026-01-02", "2026-01-02", "2026-1-2", "01-02-2026", "20260102", "2026-02-30",
                                       "x", "2026-01-02T00:00:00Z", "2026-01-02T00:00:00%2D05:00"])}
        if r.random() < 0.4 and body["endpoint"] != "GET history":
            body["limit"] = r.choice([100, 101, 10001])
        return "read", body

    # --- what the brokerage does

    def send(self, op, body):
        before = self.history(body.get("quoteReqID")) if op.startswith("locate") else None
        reply = getattr(self, "send_" + op.replace("-", "_"))(body)
        got = {"status": reply.status, "json": "json" in (reply.headers.get("content-type") or ""), "body": reply.text}
        sent = self.now
        if reply.status == 200 and op.startswith("locate"):
            self.now = self.broker.advance("10ms")
            after = self.history(body["quoteReqID"])
            got["changed"] = [(x["locateStatus"], x["filledShares"]) for x in before] != \
                             [(x["locateStatus"], x["filledShares"]) for x in after]
            got["row"] = after[-1] if after else None
            # the cooldown runs from every quote, except one that was refused because of the cooldown itself (CON-29)
            if op == "locate-quote" and got["row"]["locateError"] != 14:
                self.quotes.append({"symbol": body["symbol"], "quoteReqID": body["quoteReqID"], "at": sent})
        if reply.status == 200 and op == "cancel":
            self.now = self.broker.advance("1s")
            got["order"] = self.broker.lookup(body["clientOrderId"], self.account).json
        return got

    def send_locate_quote(self, body):
        return self.broker.call("POST", "/v1/api/accounts/locates/quote", body, keys=self.keys)

    def send_locate_accept(self, body):
        return self.broker.call("POST", "/v1/api/accounts/locates/accept", body, keys=self.keys)

    def send_locate_sell(self, body):
        return self.broker.call("POST", "/v1/api/accounts/locates/sell", body, keys=self.keys)

    def send_locate_cancel(self, body):
        return self.broker.call("DELETE", "/v1/api/accounts/locates/cancel/accounts/"
                                f"{body['accountId']}/quoteReqID/{body['quoteReqID']}", keys=self.keys)

    def send_cancel(self, body):
        return self.broker.cancel(body["clientOrderId"], self.account)

    def send_read(self, body):
        path = {"GET cash": "cash-transactions", "GET history": "orders",
                "GET history-pages": "orders-with-pagination"}[body["endpoint"]]
        query = f"?limit={body['limit']}" if "limit" in body else ""
        return self.broker.get(f"accounts/{self.account}/{path}/start-date/{body['startDate']}{query}", keys=self.keys)


def decide(op, body, facts, now):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        json.dump(facts, f)
        f.flush()
        p = subprocess.run([GATE, "check", "--at", now, "-f", f.name],
                           input=json.dumps({"op": op, **body}).encode() + b"\n", capture_output=True, timeout=600)
    assert p.returncode in (0, 1), p.stderr
    return json.loads(p.stdout)


def rejected_later(p, row):
    if not row or row["locateStatus"] not in (56, 67):
        return "predicted a refusal in the history"
    error, text = row["locateError"], row["text"] or ""
    if p["code"] and not (text.split(":")[0].split(" ")[0] == p["code"] or str(error) == p["code"]):
        return "another code"
    return None


def disagreement(op, p, got):
    channel = p["channel"]
    if channel == "unknown":
        return None
    if channel in ("http-400", "http-400-json"):
        if got["status"] != 400:
            return "predicted a 400"
        if p["text"] and set(p["text"].split("\n")) != set(got["body"].strip().split("\n")):
            return "another body"
        form = p["certainty"] == "reading" or got["json"] == (channel == "http-400-json")
        return None if form else "another form of a 400"
    if channel == "http-404":
        return None if got["status"] == 404 else "predicted a 404"
    if got["status"] != 200:
        return "predicted a 200"
    if channel == "later":
        return rejected_later(p, got["row"])
    if channel == "no-effect":
        return "predicted that nothing happens" if got["changed"] else None
    if channel == "rejected":
        order = got["order"]
        return None if order["orderStatus"] == "Rejected" and order["text"].startswith(p["code"]) else "predicted R130"
    if op == "locate-accept":
        return None if got["row"]["locateStatus"] == 50 else "predicted filled"
    if op in ("locate-quote", "locate-sell"):
        return None if got["row"]["locateStatus"] not in (56, 67) else "predicted accepted"
    if op == "cancel":
        return None if got["order"]["orderStatus"] == "Canceled" else "predicted canceled"
    return None


class Differential(unittest.TestCase):
    def drive(self, account, seed, needed):
        said, wrong = {}, []
        with paper.Paper() as broker:
            service = Service(broker, account, seed)
            r = service.r
            makers = [service.make_quote] * 4 + [service.make_accept] * 4 + [service.make_sell] * 3 + \
                     [service.make_locate_cancel, service.make_cancel, service.make_cancel, service.make_read]
            for _ in range(REQUESTS):
                service.now = broker.advance(f"{r.choice([1, 500, 2000, 2000, 2000, 5000, 26000, 30000, 31000])}ms")
                op, body = r.choice(makers)()
                decision = decide(op, body, service.facts(), service.now)
                got = service.send(op, body)
                p = decision["predicts"]
                for reason in [f["reason"] for f in decision["findings"] if f["predicts"]
                               and not f.get("unsure")] or ["-"]:
                    said[reason] = said.get(reason, 0) + 1
                why = disagreement(op, p, got)
                if why:
                    wrong.append(f"{why}\n  {op} {json.dumps(body)} at {service.now}\n  predicted {json.dumps(p)} by "
                                 f"{[f['reason'] for f in decision['findings']]}\n  answered {got}")
        self.assertFalse(wrong, f"{len(wrong)} of {REQUESTS} differ ({said}):\n" + "\n".join(wrong[:12]))
        self.assertLessEqual(set(needed), set(said), said)
        self.assertGreater(said["-"], REQUESTS // 10)

    def test_live(self):
        self.drive("LIVE0001", 5, [
            "cancel-unknown-id", "cancel-terminal", "cancel-rejected", "date-form-invalid", "page-limit-clamped",
            "locate-quantity-below-min", "locate-quantity-above-max", "locate-quantity-not-integer",
            "locate-quantity-not-lot",
            "locate-symbol-missing", "locate-symbol-option", "locate-quote-id-missing", "locate-account-field-name",
            "locate-field-required", "locate-easy-to-borrow", "locate-quote-open", "locate-cooldown",
            "locate-accept-unknown",
            "locate-accept-not-offered", "locate-sell-insufficient", "locate-cancel-filled"])

    def test_paper(self):
        self.drive("PAPER0001", 6, ["locate-paper", "cancel-terminal", "cancel-rejected", "date-form-invalid"])


if __name__ == "__main__":
    unittest.main()
