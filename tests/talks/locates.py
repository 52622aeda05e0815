"""Locates for tests: quote, accept, credit, cancel, and read history and inventory."""
from paper import LIVE, PAPER
from reading_case import ReadingCase

QUOTING, PENDING, OFFERED, FILLED, CANCELED, REJECTED, EXPIRED = 81, 54, 65, 50, 52, 56, 67
LOCATE, PRE_BORROW, SINGLE_USE = 1, 3, 4
MISMATCH = {"statusCode": "BadRequest", "message": "Account was not found or lacks entitlements", "detail": None}


class Locates(ReadingCase):
    """Symbols of three kinds: GME is hard to borrow, AMC is on the threshold list, AAPL is easy to borrow. Each
    pool has 10,000 shares."""

    def post(self, call, body, keys=LIVE):
        return self.p.call("POST", "/v1/api/accounts/locates/" + call, body, keys=keys)

    def sent(self, reply, key):
        self.assertEqual((reply.status, reply.json), (200, {key: "true"}))

    def quote(self, quote_id="q", symbol="GME", quantity=100, account=None, **more):
        body = {"account": account or self.account, "symbol": symbol, "quantity": quantity, "quoteReqID": quote_id,
                **more}
        self.sent(self.post("quote", body, PAPER if account == "PAPER0001" else LIVE), "locateQuoteSent")

    def offered(self, quote_id="q", symbol="GME", quantity=100):
        """Request a quote and wait for the offer."""
        self.quote(quote_id, symbol, quantity)
        self.p.advance("2s")

    def accept(self, quote_id="q", **more):
        self.sent(self.post("accept", {"accountId": self.account, "quoteReqID": quote_id, **more}), "locateAcceptSent")

    def located(self, quote_id="q", symbol="GME", quantity=100, chosen=""):
        """Request a quote, wait for the offer, and accept it. If two locates are offered, chosen=".SU" accepts the
        single-use one."""
        self.offered(quote_id, symbol, quantity)
        self.accept(quote_id + chosen)

    def credit(self, quote_id="s", kind="Locate", quantity=100, symbol="GME"):
        body = {"account": self.account, "quoteReqID": quote_id, "locateType": kind, "quantity": quantity}
        reply = self.post("sell", {**body, "symbol": symbol} if symbol else body)
        self.assertEqual(reply.status, 200, reply.text)

    def cancel(self, quote_id="q"):
        path = f"/v1/api/accounts/locates/cancel/accounts/{self.account}/quoteReqID/{quote_id}"
        self.sent(self.p.call("DELETE", path, keys=LIVE), "locateCancelSent")

    def rows(self, quote_id=None, account=None):
        rows = self.get("locates/history", account)["locateHistory"]
        return [r for r in rows if quote_id in (None, r["quoteReqID"])]

    def row(self, quote_id="q"):
        """Returns the newest row of the locate history with that id."""
        return self.rows(quote_id)[-1]

    def is_at(self, status, quote_id="q", **wanted):
        row = self.row(quote_id)
        self.assertEqual({"locateStatus": row["locateStatus"], **{k: row[k] for k in wanted}},
                         {"locateStatus": status, **wanted})

    def is_rejected(self, error, prefix, quote_id="q"):
        row = self.row(quote_id)
        self.assertEqual((row["locateStatus"], row["locateError"], row["locateType"], row["filledShares"]),
                         (REJECTED, error, 0, 0))
        self.assertRegex(row["text"], rf"^{prefix}\b")

    def inventory(self, symbol="GME", account=None):
        """Returns the account's inventory as {locateType: (available, sold, toBeSold, unavailable)}."""
        rows = self.get("locates/inventory", account)["locateInventory"]
        return {r["locateType"]: (r["available"], r["sold"], r["toBeSold"], r["unavailable"])
                for r in rows if r["symbol"] == symbol}

    def symbol(self, name, **state):
        self.p.control("PUT", "symbols/" + name, state)

    def try_short(self, quantity, symbol="GME", **changes):
        """POST a short sale. Returns its row once the service has decided it."""
        row = self.send(symbol=symbol, side="Sell", orderQuantity=quantity, limitPrice=1, **changes)
        self.p.advance("1s")
        return self.p.lookup(row["clientOrderId"], self.account).json

    def shorts(self, quantity, symbol="GME", **changes):
        return self.try_short(quantity, symbol, **changes)["orderStatus"]

    def covers(self, quantity, symbol="GME"):
        row = self.send(symbol=symbol, openClose="Close", orderQuantity=quantity, limitPrice=1000)
        self.p.advance("1s")
        self.assertEqual(self.status(row["clientOrderId"]), "Filled")
