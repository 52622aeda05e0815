"""Orders as tests place them: refused by the schema, taken, rejected at once or once routed, filled; and their
documents."""
import decimal
import json

from paper import leg, occ, spread
from reading_case import PATHS, ReadingCase

CLEAN_KEYS = ("accountId clientOrderId orderStatus text executed leavesQuantity canceledQuantity orderQuantity "
              "lastPrice lastQuantity limitPrice priceStop priceAvg maxDisplayQuantity pegDifference pegOffsetType "
              "maintenanceRequirement marginRequirement openClose orderType securityType side symbol tradedSymbol "
              "strikePrice timeInForce route startTime lastUpdated legCount legs").split()
LEG_KEYS = "index symbol side qty lvsQty lastQty lastPx avgPx cxlQty openClose".split()
ROUTES = {"Stock": "SMART", "Option": "SMARTO", "Mleg": "SMARTM"}
FLIP = {"Buy": "Sell", "Sell": "Buy", "Open": "Close", "Close": "Open"}


def exact(reply):
    """A document whose numbers with a point are Decimals: what is on the wire, not what a double makes of it."""
    return json.loads(reply.text, parse_float=decimal.Decimal)


def is_number(value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def live(body):
    """The same order for a live account: with the route that takes it."""
    return {**body, "route": ROUTES[body["securityType"]]}


def raw(body, was, now):
    """The body's text with one piece replaced: what json.dumps would not write."""
    text = json.dumps(body)
    if was not in text:
        raise ValueError(f"{was} is not in {text}")
    return text.replace(was, now)


class Orders(ReadingCase):
    account = "PAPER0001"

    def refused(self, body, *lines, account=None):
        """400: plain text, these lines."""
        reply = self.p.order(body, account or self.account)
        self.assertEqual((reply.status, sorted(reply.text.split("\n"))), (400, sorted(lines)), body)
        self.assertEqual(reply.headers["Content-Type"], "text/plain; charset=utf-8")

    def taken(self, body, account=None):
        """200; the row."""
        reply = self.p.order(body, account or self.account)
        self.assertEqual(reply.status, 200, f"{reply.text} {body}")
        row = reply.json
        self.assertEqual(list(row), CLEAN_KEYS)
        return row

    def rejected(self, body, text, account=None):
        """Rejected in the answer itself."""
        row = self.taken(body, account)
        self.assertEqual((row["orderStatus"], row["executed"], row["leavesQuantity"]), ("Rejected", 0, 0), row)
        self.assertEqual(row["canceledQuantity"], row["orderQuantity"])
        self.assertTrue(row["text"].startswith(text), row["text"])
        return row

    def rejected_later(self, body, text, account="LIVE0001"):
        """PendingNew without a text first, Rejected on look-up."""
        row = self.taken(body, account)
        self.assertEqual((row["orderStatus"], row["text"]), ("PendingNew", None), row)
        self.p.advance("50ms")
        row = self.p.lookup(row["clientOrderId"], account).json
        self.assertEqual(row["orderStatus"], "Rejected")
        self.assertTrue(row["text"].startswith(text), row["text"])
        return row

    def filled(self, body, account=None):
        """The row once all of it is."""
        row = self.taken(body, account)
        self.p.advance("1s")
        row = self.p.lookup(row["clientOrderId"], account or self.account).json
        self.assertEqual(row["orderStatus"], "Filled", row["text"])
        return row

    def row(self, order_id, account=None):
        """Single look-up, exact."""
        return exact(self.p.lookup(order_id, account or self.account))

    def listed(self, order_id, account=None):
        """The order's row of GET /orders, exact."""
        account = account or self.account
        reply = self.p.get(f"accounts/{account}/orders", PATHS[account])
        rows = [r for r in exact(reply)["orders"] if r["clientOrderId"] == order_id]
        self.assertEqual(len(rows), 1)
        return rows[0]

    def part(self, order_id="a", **changes):
        """4 of 10 filled at 12, the rest at work."""
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.send(order_id, symbol="F", limitPrice=12, **changes)
        self.p.advance("1s")
        self.p.quote("F", 13, 13, 13)

    def priced(self, strikes, prices, kind="C"):
        """Contracts that stand at one price each; their symbols."""
        symbols = [occ(strike=s, kind=kind) for s in strikes]
        for symbol, price in zip(symbols, prices):
            self.p.quote(symbol, price, price, price)
        return symbols

    def vertical(self, order_id="m", side="Buy", **changes):
        """Two calls that are 5 and 3 apart, bought for 2 or sold for 2."""
        low, high = self.priced((190, 195), (5, 3))
        body = spread(order_id, legs=[leg(low, side), leg(high, FLIP[side])], **{"limitPrice": 2, **changes})
        return live(body) if self.account == "LIVE0001" else body

    def closing(self, body, order_id, **changes):
        """The order that closes what that one opened: the same legs, each side flipped, each openClose Close."""
        legs = [{**one, "side": FLIP[one["side"]], "openClose": "Close"} for one in body["legs"]]
        return {**body, "legs": legs, "clientOrderId": order_id, **changes}
