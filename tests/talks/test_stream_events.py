"""What the two streams send (group X of docs/readings.md)."""
import unittest

from endpoints import Endpoints
from paper import LIVE, leg, occ, spread
from reading_case import CONTRACT, PATHS
from test_pnl import TOTALS

AGGREGATES = sorted(set(TOTALS) - {"pnl"})
NOW = 1768489200000  # ms, of the clock at the start


class Events(Endpoints):
    def pnl_stream(self, account="LIVE0001"):
        """Returns a P&L stream that is signed in and not subscribed."""
        s = self.p.stream("pnl")
        s.send(dict(zip(("key", "secret"), PATHS[account])))
        self.assertEqual([s.json()["status"] for _ in range(2)], ["PENDING_AUTH", "CONNECTED"])
        return s

    def subscribed(self, account="LIVE0001"):
        """Returns a subscribed P&L stream, and its init message."""
        s = self.pnl_stream(account)
        s.send({"account": account})
        return s, s.json()

    def price(self, symbol, price):
        self.p.quote(symbol, price, price, price)

    def hear(self, stream, count):
        """Returns that many messages, and asserts that no further one comes."""
        messages = [stream.json() for _ in range(count)]
        self.assertTrue(stream.quiet(), getattr(stream, "late", None))
        return messages

    def kinds(self, messages):
        """Returns orders by their status, and positions by their shares."""
        return [m["order"]["status"] if m["subscription"] == "Order" else m["position"]["shares"] for m in messages]


class Portfolio(Events):
    def test_X1_each_subset_of_the_subscriptions(self):
        """Only the pushes of the subscriptions arrive, and only of that account."""
        wants = (["Order"], ["Position"], ["Order", "Position"], ["Position", "Order", "Order"])
        streams = [self.p.portfolio("LIVE0001", subscriptions=w) for w in wants]
        other = self.p.portfolio("PAPER0001")
        self.buy(10, 100)
        orders, positions, both, again = (self.hear(s, n) for s, n in zip(streams, (3, 1, 4, 4)))
        self.assertEqual({m["subscription"] for m in orders}, {"Order"})
        self.assertEqual(positions[0]["subscription"], "Position")
        self.assertEqual((both, again), (orders + positions, both))
        self.assertTrue(other.quiet())

    def test_X1_the_words_are_exact(self):
        s = self.p.stream()
        s.send(dict(zip(("key", "secret"), LIVE)))
        for wrong in (["order"], ["ORDER"], ["Orders"], ["Order", "position"], [], "Order", None):
            s.send({"accountId": "LIVE0001", "subscriptions": wrong})
        self.assertEqual([s.json()["status"] for _ in range(9)], ["PENDING_AUTH", "CONNECTED"] + ["INVALID_DATA"] * 7)
        self.buy(1, 100)
        self.assertTrue(s.quiet())

    def test_X3_the_subscribe_field_differs(self):
        """With the field accountId on Portfolio, or account on P&L, no data comes; after a message with the right name
        it does."""
        s, pnl = self.p.stream(), self.pnl_stream()
        s.send(dict(zip(("key", "secret"), LIVE)))
        s.send({"account": "LIVE0001", "subscriptions": ["Order"]})
        pnl.send({"accountId": "LIVE0001"})
        self.assertEqual([s.json()["status"] for _ in range(3)], ["PENDING_AUTH", "CONNECTED", "INVALID_DATA"])
        self.assertEqual(pnl.json()["status"], "INVALID_DATA")
        self.buy(10, 100)
        self.price("AAPL", 101)
        self.assertTrue(s.quiet() and pnl.quiet())
        s.send({"accountId": "LIVE0001", "subscriptions": ["Order"]})
        pnl.send({"account": "LIVE0001"})
        self.assertEqual((s.json()["action"], pnl.json()["action"]), ("meta", "init"))

    def test_X4_no_snapshot(self):
        """There are open orders and positions: nothing is sent until something changes."""
        self.rest("a")
        self.buy(10, 100, "F")
        s = self.p.portfolio("LIVE0001")
        self.p.advance("1m")
        self.assertTrue(s.quiet())
        self.p.cancel("a", "LIVE0001")
        self.assertEqual(s.order()["userOrderId"], "LIVE0001:a")

    def test_X5_orders_in_the_websocket_shape(self):
        """There is a push for each status that an order goes through, with the whole row."""
        s = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.send("f")
        self.send("c", symbol="F", limitPrice=1)
        self.send("r", limitPrice=-1)
        self.p.advance("1s")
        self.p.cancel("c", "LIVE0001")
        self.p.advance("1s")
        rows = [m["order"] for m in self.hear(s, 8)]
        seen = {i: [r["status"] for r in rows if r["userOrderId"] == f"LIVE0001:{i}"] for i in "fcr"}
        self.assertEqual((seen["f"][0], seen["f"][2]), ("PendingNew", "Filled"))
        self.assertIn(seen["f"][1], ("Accepted", "New"))
        self.assertEqual((seen["c"][0], seen["c"][2:]), ("PendingNew", ["PendingCancel", "Canceled"]))
        self.assertEqual(seen["r"], ["Rejected"])
        renamed = {"accountId": "account", "canceledQuantity": "cancelledQuantity", "lastQuantity": "lastQty",
                   "maxDisplayQuantity": "maxDisplayQty", "clientOrderId": "userOrderId"}
        for row in rows:
            clean = self.p.lookup(row["userOrderId"].split(":", 1)[1], "LIVE0001").json
            self.assertEqual({tuple(sorted(r)) for r in rows}, {tuple(sorted(row))})
            self.assertEqual({renamed.get(k, k) for k in clean} - set(row), set())
            self.assertEqual(set(row) & set(renamed), set(), "none of the clean keys that have another name")
            self.assertEqual((row["orderStatus"], row["lvsQty"]), (row["status"], row["leavesQuantity"]))
            if row["status"] in ("Filled", "Canceled", "Rejected"):
                clean["clientOrderId"] = row["userOrderId"]
                self.assertEqual(clean, {key: row[renamed.get(key, key)] for key in clean})

    def test_X6_an_asynchronous_rejection_is_two_pushes(self):
        """The first push is PendingNew without a text, the second Rejected with text, startTime and lastUpdated."""
        s = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.send("a", orderQuantity=100000)
        self.p.advance("1s")
        first, second = (m["order"] for m in self.hear(s, 2))
        self.assertEqual((first["status"], first["text"]), ("PendingNew", None))
        self.assertEqual((second["status"], second["text"][:5]), ("Rejected", "R24: "))
        self.assertEqual(second["startTime"], first["startTime"])
        self.assertLess(second["startTime"], second["lastUpdated"])
        self.send("st", orderType="Stop", limitPrice=None, stopPrice=150)
        self.p.advance("1s")
        rows = [m["order"] for m in self.hear(s, 2)]
        self.assertEqual([(r["userOrderId"], r["status"]) for r in rows],
                         [("LIVE0001:stINVALID", "PendingNew"), ("LIVE0001:stINVALID", "Rejected")])

    def test_X7_positions_follow_fills(self):
        """For each fill the Order push comes first, then the Position push in the same millisecond; a closed position
        has 0 shares."""
        s = self.p.portfolio("LIVE0001")
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.send("a", symbol="F", limitPrice=12)
        self.p.advance("1s")
        self.p.quote("F", 12, 12, 12)
        self.p.quote("F", 13, 13, 13)
        self.send("b", symbol="F", side="Sell", openClose="Close", limitPrice=13)
        self.p.advance("1s")
        messages = self.hear(s, 10)
        self.assertEqual(self.kinds(messages),
                         ["PendingNew", "New", "PartiallyFilled", 4, "Filled", 10, "PendingNew", "New",
                          "Filled", 0])
        for order, position in ((2, 3), (4, 5), (8, 9)):
            self.assertEqual(messages[order]["ts"], messages[position]["ts"])
        self.assertEqual(messages[9]["position"]["priceClose"], 13)

    def test_X17_placing_filling_and_canceling_push_orders(self):
        s = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.send("a", symbol="F", limitPrice=1)
        self.assertEqual(self.kinds(self.hear(s, 1)), ["PendingNew"])
        self.p.advance("1s")
        self.hear(s, 1)
        self.p.cancel("a", "LIVE0001")
        self.assertEqual(self.kinds(self.hear(s, 1)), ["PendingCancel"])
        self.p.advance("1s")
        self.assertEqual(self.kinds(self.hear(s, 1)), ["Canceled"])
        self.send("b")
        self.p.advance("1s")
        self.assertEqual(self.kinds(self.hear(s, 3))[2], "Filled")


class Pnl(Events):
    def test_X2_subscribed_by_account(self):
        """After the init message, price ticks and fills cause updates."""
        s, init = self.subscribed()
        self.assertEqual(init["action"], "init")
        self.buy(10, 100)
        self.assertEqual([m["target"] for m in self.hear(s, 2)], ["position", "aggCalcs"])
        self.price("AAPL", 101)
        self.assertEqual([m["target"] for m in self.hear(s, 2)], ["position", "aggCalcs"])

    def test_X8_init_is_everything(self):
        """It has the account's figures and every row that is open or was closed today, under positions in pnlReturn;
        the values equal those of REST."""
        self.busy()
        _, init = self.subscribed()
        self.assertEqual((list(init), init["action"], init["target"]),
                         (["ts", "action", "target", "pnlReturn"], "init", "pnlReturn"))
        rest, document = self.pnl(), init["pnlReturn"]
        rows = document.pop("positions")
        self.assertEqual(sorted(document), AGGREGATES)
        self.assertEqual(document, {k: rest[k] for k in AGGREGATES})
        self.assertEqual(len(rows), 5)
        flat = [{**row["pnlCalc"], **{k: v for k, v in row.items() if k != "pnlCalc"}} for row in rows]
        self.assertEqual(flat, rest["pnl"])

    def test_X8_init_of_an_account_with_nothing(self):
        _, init = self.subscribed("PAPER0001")
        self.assertEqual((init["pnlReturn"]["positions"], init["pnlReturn"]["accountValue"]), ([], 1000000))

    def test_X9_position_updates(self):
        """The figures are under pnlCalc; the size has no sign, gains and losses have theirs."""
        self.short(10, 100)
        s, _ = self.subscribed()
        self.price("AAPL", 104)
        update = self.hear(s, 2)[0]
        self.assertEqual((list(update), update["action"], update["target"]),
                         (["ts", "action", "target", "position"], "update", "position"))
        self.assertEqual(update["position"]["pnlCalc"],
                         {"exposure": 1040, "unrealizedPnL": -40, "dayUnrealizedPnL": -40,
                          "pctPnLMove": -4, "dayPctPnLMove": -4})
        self.assertEqual(update["position"]["positionId"], self.positions()[0]["positionId"])

    def test_X10_account_totals(self):
        """The totals are under aggCalcs, and equal those of REST at that moment."""
        self.buy(10, 100)
        s, _ = self.subscribed()
        for price in (101, 99.5):
            self.price("AAPL", price)
            totals = self.hear(s, 2)[1]
            self.assertEqual(list(totals), ["ts", "action", "target", "aggCalcs"])
            self.assertEqual((totals["action"], totals["target"]), ("update", "aggCalcs"))
            rest = self.pnl()
            self.assertEqual(totals["aggCalcs"], {k: rest[k] for k in AGGREGATES})
            self.assertEqual(totals["aggCalcs"]["dayUnrealized"], 10 * (price - 100))

    def test_X18_a_fill_reaches_both_streams(self):
        """Each leg of a fill causes a Position push and a P&L update."""
        portfolio, (pnl, _) = self.p.portfolio("LIVE0001", subscriptions=["Position"]), self.subscribed()
        self.buy(10, 100)
        position, (update, _) = self.hear(portfolio, 1)[0]["position"], self.hear(pnl, 2)
        self.assertEqual((update["position"]["positionId"], update["position"]["pnlCalc"]["exposure"]),
                         (position["id"], 1000))
        self.sell(10, 100)
        self.assertEqual(self.hear(portfolio, 1)[0]["position"]["shares"], 0)
        self.assertEqual(self.hear(pnl, 4)[2]["position"]["pnlCalc"]["exposure"], 0, "behind the tick that came first")
        legs = [leg(occ("F", strike=12), "Buy"), leg(occ("F", strike=13), "Sell")]
        self.p.order(spread("m", legs=legs, symbol="F", route="SMARTM"), "LIVE0001")
        self.p.advance("1s")
        self.assertEqual([m["position"]["tradedSymbol"] for m in self.hear(portfolio, 2)],
                         [one["symbol"] for one in legs])
        self.assertEqual([m["target"] for m in self.hear(pnl, 4)], ["position", "aggCalcs"] * 2)

    def test_X19_price_movement(self):
        """A price change sends an update for each lot that it changes, contracts too, and nothing on Portfolio; none
        for what is not held."""
        self.buy(10, 100)
        self.buy(1, 2, CONTRACT)
        other = self.send(symbol=occ(strike=195), limitPrice=20)
        self.p.advance("1s")
        self.assertEqual(self.status(other["clientOrderId"]), "Filled")
        portfolio, (pnl, _) = self.p.portfolio("LIVE0001"), self.subscribed()
        self.price("AAPL", 101)
        messages = self.hear(pnl, 4)
        self.assertEqual([m["target"] for m in messages], ["position"] * 3 + ["aggCalcs"])
        self.assertEqual([m["position"]["symbol"] for m in messages[:3]], ["AAPL", CONTRACT, occ(strike=195)])
        self.price("MSFT", 1)
        self.assertTrue(pnl.quiet() and portfolio.quiet())


class Both(Events):
    def test_X13_no_keepalive(self):
        """A silent stream stays open, without a ping or message for a day."""
        portfolio, (pnl, _) = self.p.portfolio("LIVE0001"), self.subscribed()
        self.p.advance("24h")
        for s in (portfolio, pnl):
            self.assertTrue(s.quiet())
            self.assertEqual(s.pings, 0)
        self.at("2026-01-16T15:00:30Z")
        self.buy(10, 100)
        self.assertEqual((portfolio.order()["status"], pnl.json()["target"]), ("PendingNew", "position"))

    def test_X16_cash_rows_are_not_pushed(self):
        """A locate fee is booked, and neither stream sends anything."""
        portfolio, (pnl, _) = self.p.portfolio("LIVE0001"), self.subscribed()
        for call, body in (("quote", {"account": "LIVE0001", "symbol": "GME", "quantity": 100, "quoteReqID": "q"}),
                           ("accept", {"accountId": "LIVE0001", "quoteReqID": "q"})):
            self.assertEqual(self.ask("POST", "accounts/locates/" + call, body).status, 200)
            self.p.advance("2s")
        rows = self.get("cash-transactions/start-date/2026-01-15")["cashHistory"]
        self.assertEqual([r["withdraw"] for r in rows], [2])
        self.assertTrue(portfolio.quiet() and pnl.quiet())

    def test_X20_the_envelopes(self):
        """The document does not have the envelopes; they are as SEEN-13 to SEEN-16 have them, byte for byte."""
        s = self.p.stream()

        def text():
            return s.frame()[1].decode()
        self.assertEqual(text(),
                         f'{{"@system":true,"ts":{NOW},"status":"PENDING_AUTH","message":"Send authenticate message"}}')
        s.send(dict(zip(("key", "secret"), LIVE)))
        self.assertEqual(text(), f'{{"@system":true,"ts":{NOW},"status":"CONNECTED"}}')
        s.send({"accountId": "NOBODY", "subscriptions": ["Order"]})
        self.assertEqual(text(), f'{{"@system":true,"ts":{NOW},"status":"TERMINATED","message":"invalid account"}}')
        s.send({"accountId": "LIVE0001", "subscriptions": ["Order", "Position"]})
        self.assertEqual(text(), f'{{"ts":{NOW},"accountId":"LIVE0001","action":"meta","requestConfirmed":true}}')
        self.buy(10, 100)
        start = '{"ts":%d,"accountId":"LIVE0001","action":"update","subscription":"%s","%s":{"'
        for ms, kind, key in ((0, "Order", "order"), (40, "Order", "order"), (100, "Order", "order"),
                              (100, "Position", "position")):
            message = text()
            self.assertEqual(message[:len(start % (NOW, kind, key))], start % (NOW + ms, kind, key))
            self.assertEqual(message[-2:], "}}")
        pnl = self.pnl_stream()
        pnl.send({"account": "NOBODY"})
        self.assertEqual(pnl.frame()[1].decode(),
                         f'{{"ts":{NOW + 200},"action":"error","message":"account not found"}}')
        pnl.send({"account": "LIVE0001"})
        self.assertTrue(pnl.frame()[1].decode().startswith(
            f'{{"ts":{NOW + 200},"action":"init","target":"pnlReturn","pnlReturn":{{"'))
        self.price("AAPL", 101)
        for key in ("position", "aggCalcs"):
            self.assertTrue(pnl.frame()[1].decode().startswith(
                f'{{"ts":{NOW + 200},"action":"update","target":"{key}","{key}":{{"'))

    def test_X20_an_envelope_of_another_kind(self):
        """The envelope is {type, data} on Portfolio, and on P&L an object whose key names the message."""
        self.p.control("PUT", "switches", {"envelope": "typed"})
        portfolio, pnl = self.p.portfolio("LIVE0001"), self.pnl_stream()
        pnl.send({"account": "LIVE0001"})
        self.assertEqual(list(pnl.json()["init"]), ["pnlReturn"])
        self.buy(10, 100)
        messages = self.hear(portfolio, 4)
        self.assertEqual([(list(m), m["type"]) for m in messages],
                         [(["type", "data"], k) for k in ("Order", "Order", "Order", "Position")])
        self.assertEqual((messages[2]["data"]["status"], messages[3]["data"]["shares"]), ("Filled", 10))
        update, totals = self.hear(pnl, 2)
        self.assertEqual((list(update), list(totals)), (["position"], ["aggCalcs"]))
        self.assertEqual(update["position"]["pnlCalc"]["exposure"], 1000)


if __name__ == "__main__":
    unittest.main()
