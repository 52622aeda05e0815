"""Places orders and asserts how the service answers: refused by the schema, rejected at once or later, working,
filled. Also compares their documents."""
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
    """Parse a document. Numbers with a decimal point become Decimals, so that they are compared as they are
    spelled."""
    return json.loads(reply.text, parse_float=decimal.Decimal)


def is_number(value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def live(body):
    """Returns the order changed for a live account, with a route that accepts it."""
    return {**body, "route": ROUTES[body["securityType"]]}


def raw(body, was, now):
    """Returns the body as text with one piece replaced, to spell it as json.dumps would not."""
    text = json.dumps(body)
    if was not in text:
        raise ValueError(f"{was} is not in {text}")
    return text.replace(was, now)


class Orders(ReadingCase):
    account = "PAPER0001"

    def refused(self, body, *lines, account=None):
        """Assert that the POST is answered 400 with these lines of plain text."""
        reply = self.p.order(body, account or self.account)
        self.assertEqual((reply.status, sorted(reply.text.split("\n"))), (400, sorted(lines)), body)
        self.assertEqual(reply.headers["Content-Type"], "text/plain; charset=utf-8")

    def taken(self, body, account=None):
        """Assert that the POST is answered 200, and return the row."""
        reply = self.p.order(body, account or self.account)
        self.assertEqual(reply.status, 200, f"{reply.text} {body}")
        row = reply.json
        self.assertEqual(list(row), CLEAN_KEYS)
        return row

    def rejected(self, body, text, account=None):
        """Assert that the answer to the POST says Rejected, with this text."""
        row = self.taken(body, account)
        self.assertEqual((row["orderStatus"], row["executed"], row["leavesQuantity"]), ("Rejected", 0, 0), row)
        self.assertEqual(row["canceledQuantity"], row["orderQuantity"])
        self.assertTrue(row["text"].startswith(text), row["text"])
        return row

    def rejected_later(self, body, text, account="LIVE0001"):
        """Assert that the answer says PendingNew without a text, and a look-up later says Rejected."""
        row = self.taken(body, account)
        self.assertEqual((row["orderStatus"], row["text"]), ("PendingNew", None), row)
        self.p.advance("50ms")
        row = self.p.lookup(row["clientOrderId"], account).json
        self.assertEqual(row["orderStatus"], "Rejected")
        self.assertTrue(row["text"].startswith(text), row["text"])
        return row

    def filled(self, body, account=None):
        """Returns the row once the whole order has filled."""
        row = self.taken(body, account)
        self.p.advance("1s")
        row = self.p.lookup(row["clientOrderId"], account or self.account).json
        self.assertEqual(row["orderStatus"], "Filled", row["text"])
        return row

    def row(self, order_id, account=None):
        """Returns the row that the order's own endpoint gives, with Decimals."""
        return exact(self.p.lookup(order_id, account or self.account))

    def listed(self, order_id, account=None):
        """Returns the order's row in GET /orders, with Decimals."""
        account = account or self.account
        reply = self.p.get(f"accounts/{account}/orders", PATHS[account])
        rows = [r for r in exact(reply)["orders"] if r["clientOrderId"] == order_id]
        self.assertEqual(len(rows), 1)
        return rows[0]

    def part(self, order_id="a", **changes):
        """Make an order for 10 of which 4 have filled at 12, while the rest still works."""
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.send(order_id, symbol="F", limitPrice=12, **changes)
        self.p.advance("1s")
        self.p.quote("F", 13, 13, 13)

    def priced(self, strikes, prices, kind="C"):
        """Give options fixed prices, and return their symbols."""
        symbols = [occ(strike=s, kind=kind) for s in strikes]
        for symbol, price in zip(symbols, prices):
            self.p.quote(symbol, price, price, price)
        return symbols

    def vertical(self, order_id="m", side="Buy", **changes):
        """Returns an order for a vertical spread of calls that are priced 5 and 3. It is bought or sold for 2."""
        low, high = self.priced((190, 195), (5, 3))
        body = spread(order_id, legs=[leg(low, side), leg(high, FLIP[side])], **{"limitPrice": 2, **changes})
        return live(body) if self.account == "LIVE0001" else body

    def closing(self, body, order_id, **changes):
        """Returns the order that closes this one: the same legs, each with the opposite side and openClose."""
        legs = [{**one, "side": FLIP[one["side"]], "openClose": "Close"} for one in body["legs"]]
        return {**body, "legs": legs, "clientOrderId": order_id, **changes}
