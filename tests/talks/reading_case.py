"""Base class of tests of docs/readings.md: an account, a market that stands at one price, and trades at that
price.

A test's name begins with the row that it tests (test_F5_..., test_CON_10_...); its docstring says what the row
states.
"""
import unittest

from paper import LIVE, PAPER, Paper, occ, option, stock

PATHS = {"LIVE0001": LIVE, "PAPER0001": PAPER}


class ReadingCase(unittest.TestCase):
    clock = "2026-01-15T15:00:00Z"  # Thursday, 10:00 in New York
    account = "LIVE0001"

    def setUp(self):
        self.p = Paper(clock=self.clock)
        self.addCleanup(self.p.stop)

    def at(self, when):
        self.p.control("PUT", "clock", {"now": when})

    def get(self, path, account=None, status=200):
        """GET accounts/{account}/path. Returns the document, or the reply if another status than 200 is expected.
        """
        account = account or self.account
        reply = self.p.get(f"accounts/{account}/{path}", PATHS[account])
        self.assertEqual(reply.status, status, reply.text)
        return reply.json if status == 200 else reply

    def detail(self, account=None):
        account = account or self.account
        return self.p.get(f"account/{account}", PATHS[account]).json

    def positions(self, account=None):
        return self.get("positions", account)["positions"]

    def closed(self, account=None):
        return self.get("positions/closed", account)["closedPositions"]

    def fills(self, date="2026-01-15", account=None):
        return self.get(f"orders/start-date/{date}", account)["orders"]

    def pnl(self, account=None):
        return self.get("pnl", account)

    def send(self, order_id=None, account=None, **changes):
        """POST an order and return its row. It is an option order if the symbol is an OCC symbol."""
        account = account or self.account
        kind = option if len(changes.get("symbol", "")) > 15 else stock
        live = {"route": "SMARTO" if kind is option else "SMART"} if account == "LIVE0001" else {}
        reply = self.p.order(kind(order_id, **{**live, **changes}), account)
        self.assertEqual(reply.status, 200, reply.text)
        return reply.json

    def status(self, order_id, account=None):
        return self.p.lookup(order_id, account or self.account).json["orderStatus"]

    def trade(self, side, effect, quantity, price, symbol="AAPL", account=None, **changes):
        """Fill an order for that quantity at that price, and return its row."""
        account = account or self.account
        self.p.quote(symbol, price, price, price)
        row = self.send(account=account, symbol=symbol, side=side, openClose=effect, orderQuantity=quantity,
                        limitPrice=price, **changes)
        self.p.advance("200ms")
        row = self.p.lookup(row["clientOrderId"], account).json
        self.assertEqual((row["orderStatus"], row["executed"]), ("Filled", quantity), row["text"])
        return row

    def buy(self, quantity, price, symbol="AAPL", **more):
        return self.trade("Buy", "Open", quantity, price, symbol, **more)

    def sell(self, quantity, price, symbol="AAPL", **more):
        return self.trade("Sell", "Close", quantity, price, symbol, **more)

    def short(self, quantity, price, symbol="AAPL", **more):
        return self.trade("Sell", "Open", quantity, price, symbol, **more)

    def cover(self, quantity, price, symbol="AAPL", **more):
        return self.trade("Buy", "Close", quantity, price, symbol, **more)


CONTRACT = occ()
