"""What differs between the paper and the live account (group B of docs/readings.md)."""
import signal
import unittest

from endpoints import Endpoints
from paper import Paper, SomeFile, in_world, leg, occ, option, spread, stock
from reading_case import CONTRACT, PATHS, ReadingCase

TIMES_IN_FORCE = ("Day GoodTillCancel AtTheOpening ImmediateOrCancel FillOrKill GoodTillCrossing Day_Plus "
                  "GTC_Plus").split()
BOTH = tuple(PATHS)


def covered(order_id):
    """Returns a covered call: stock and option in one envelope."""
    return spread(order_id, legs=[leg("AAPL", "Buy", ratio=100), leg(occ(strike=195), "Sell")], limitPrice=180)


class Accounts(Endpoints):
    def test_B1_paper_starts_with_a_million(self):
        row = self.detail("PAPER0001")
        self.assertEqual([row[k] for k in ("availableCash", "equity", "sodEquity", "bp")], [1000000] * 4)

    def test_B4_live_has_a_funded_balance(self):
        """The balance is the one with which the account was set up."""
        row = self.detail()
        self.assertEqual([row[k] for k in ("availableCash", "equity", "sodEquity", "bp", "overnightBp")],
                         [50000, 50000, 50000, 100000, 100000])
        self.p.control("PUT", "accounts/LIVE0001", {"availableCash": 1234.5, "bp": 99.25, "overnightBp": 50})
        row = self.detail()
        self.assertEqual([row[k] for k in ("availableCash", "equity", "bp", "overnightBp")],
                         [1234.5, 1234.5, 99.25, 50])

    def borrow(self, symbol, account):
        return self.get(f"is-easy-to-borrow/symbol/{symbol}", account)

    def test_B5_L7_the_borrow_check_of_paper_is_always_true(self):
        """The borrow check is true even for unknown symbols, and a short sale needs no locate."""
        for symbol in ("AAPL", "GME", "AMC", "NOSUCH"):
            self.assertEqual(self.borrow(symbol, "PAPER0001"), {"isEasyToBorrow": True})
        self.account = "PAPER0001"
        for symbol in ("GME", "AMC"):
            self.short(100, 10, symbol)

    def test_B6_L7_live_classifies(self):
        """Symbols are easy, hard, threshold or restricted; only the first can be sold short without a locate."""
        self.p.control("PUT", "symbols/F", {"borrow": "restricted"})
        for symbol, easy in (("AAPL", True), ("GME", False), ("AMC", False), ("F", False), ("NOSUCH", False)):
            self.assertEqual(self.borrow(symbol, "LIVE0001"), {"isEasyToBorrow": easy}, symbol)
        self.short(10, 190)
        for symbol in ("GME", "AMC", "F"):
            row = self.send(symbol=symbol, side="Sell", limitPrice=1)
            self.p.advance("100ms")
            self.assertEqual(self.status(row["clientOrderId"]), "Rejected", symbol)
        self.p.control("PUT", "symbols/AAPL", {"borrow": "hard"})
        self.assertEqual(self.borrow("AAPL", "LIVE0001"), {"isEasyToBorrow": False})

    def test_B23_both_streams_work_on_both(self):
        """The messages of the streams are the same, except for the account that they name."""
        heard = {}
        for account in BOTH:
            s, pnl = self.p.portfolio(account), self.p.stream("pnl")
            pnl.send(dict(zip(("key", "secret"), PATHS[account])))
            pnl.send({"account": account})
            self.p.quote("AAPL", 100, 100, 100)
            self.p.order(stock("a", limitPrice=100, route="SMART" if account == "LIVE0001" else None), account)
            self.p.advance("1s")
            self.p.quote("AAPL", 101, 101, 101)
            pushes = [s.json() for _ in range(4)]
            self.assertEqual({m["accountId"] for m in pushes}, {account})
            messages = [pnl.json() for _ in range(7)]
            self.assertTrue(s.quiet() and pnl.quiet())
            heard[account] = ([(m["subscription"], sorted(m.get("order") or m["position"])) for m in pushes],
                              [m["order"]["orderStatus"] for m in pushes[:3]],
                              [(m.get("status"), m.get("action"), m.get("target"), sorted(m)) for m in messages])
        self.assertEqual(heard["PAPER0001"], heard["LIVE0001"])


class Reset(ReadingCase):
    account = "PAPER0001"

    def lists(self):
        return [self.get("orders")["orders"], self.positions(), self.closed(), self.pnl()["pnl"],
                self.get("locates/history")["locateHistory"]]

    def busy(self):
        """Make something for every list, and one order that is still working."""
        self.buy(10, 100)
        self.buy(5, 10, "F")
        self.sell(5, 11, "F")
        self.buy(1, 2, CONTRACT)
        self.send("rests", limitPrice=1)
        self.p.call("POST", "/v1/api/accounts/locates/quote",
                    {"account": "PAPER0001", "symbol": "GME", "quantity": 100, "quoteReqID": "q"})
        self.p.advance("2s")
        self.send("new", limitPrice=1)

    def test_B3_a_portal_reset(self):
        """After a reset the balance is restored; positions, orders and history are gone; the keys work; used ids stay
        used (a reading)."""
        first, empty = self.detail(), self.lists()
        self.busy()
        self.assertNotIn([], self.lists())
        self.p.control("POST", "reset/PAPER0001")
        self.assertEqual((self.detail(), self.lists()), (first, empty))
        self.assertEqual([first[k] for k in ("availableCash", "equity", "bp")], [1000000] * 3)
        self.p.advance("1h")
        self.assertEqual((self.detail(), self.lists()), (first, empty), "nothing that was under way comes after it")
        self.assertEqual((self.p.lookup("rests").status, self.p.cancel("rests").status), (404, 404))
        self.assertEqual(self.send("rests")["text"], "R114: Invalid duplicate UserOrderId")
        self.buy(10, 1.5)
        self.assertEqual([(r["shares"], r["priceAvg"]) for r in self.positions()], [(10, 1.5)])

    def test_B3_others_are_left_alone(self):
        self.busy()
        self.buy(10, 100, account="LIVE0001")
        before = self.detail("LIVE0001"), self.positions("LIVE0001")
        self.p.control("POST", "reset/PAPER0001")
        self.assertEqual((self.detail("LIVE0001"), self.positions("LIVE0001")), before)
        for account in ("LIVE0001", "NOBODY"):
            self.assertEqual(self.p.call("POST", f"/paper/reset/{account}", keys=None).status, 400)

    def test_B3_a_reset_outlives_a_kill(self):
        with SomeFile() as path:
            self.p = Paper("--db", path)
            first, empty = self.detail(), self.lists()
            self.busy()
            self.p.control("POST", "reset/PAPER0001")
            self.p.stop(signal.SIGKILL)
            with Paper("--db", path, clock="2026-01-15T16:00:00Z") as self.p:
                self.assertEqual((self.detail(), self.lists()), (first, empty))
                self.assertEqual(self.send("rests")["text"], "R114: Invalid duplicate UserOrderId")


class Life(unittest.TestCase):
    KEYS = ("k", "s")

    def begin(self, accounts, **more):
        self.p = in_world(f"accounts:\n{accounts}\nkeys: {{k: {{secret: s, accounts: [OLD, NEW, LINKED, OTHER]}}}}",
                          **more)
        self.addCleanup(self.p.stop)

    def statuses(self):
        return [r["accountStatus"] for r in self.p.get("accounts", self.KEYS).json["accounts"]]

    def test_B2_a_paper_account_expires_after_30_days(self):
        """A paper account expires 30 days after it was made, unless it is linked to a live account or is one. Then it
        accepts no order."""
        self.begin('''
          OLD: {created: "2026-01-01T15:00:00Z"}
          NEW: {}
          LINKED: {created: "2026-01-01T15:00:00Z", linked: on}
          OTHER: {created: "2026-01-01T15:00:00Z", accountType: Live}''')
        for when, expired in (("2026-01-31T14:59:59.999Z", ""), ("2026-01-31T15:00:00Z", "OLD"),
                              ("2026-02-14T14:59:59.999Z", "OLD"), ("2026-02-14T15:00:00Z", "OLD NEW")):
            self.p.control("PUT", "clock", {"now": when})
            self.assertEqual(self.statuses(), ["Expired" if a in expired.split() else "Active"
                                               for a in ("OLD", "NEW", "LINKED", "OTHER")], when)
        rows = [self.p.order(stock("a"), a, self.KEYS).json for a in ("OLD", "LINKED")]
        self.assertEqual([(r["orderStatus"], r["text"]) for r in rows],
                         [("Rejected", "the account is not active"), ("PendingNew", None)])
        self.assertEqual(self.p.get("accounts/OLD/positions", self.KEYS).status, 200, "it can be read")

    def test_B2_being_linked_later_counts(self):
        self.begin('''
          OLD: {created: "2026-01-01T15:00:00Z"}
          NEW: {created: "2026-01-01T15:00:00Z"}
          LINKED: {linked: on}
          OTHER: {}''')
        self.p.control("PUT", "accounts/NEW", {"linked": True})
        self.p.control("PUT", "clock", {"now": "2026-01-31T15:00:00Z"})
        self.assertEqual(self.statuses(), ["Expired", "Active", "Active", "Active"])

    def test_B4_balances_are_configuration(self):
        self.begin('''
          OLD: {accountType: Live, availableCash: 1234.5, leverage: 4}
          NEW: {accountType: Live, availableCash: 1000, bp: 10, overnightBp: 5}
          LINKED: {accountType: Live}
          OTHER: {}''')
        rows = [self.p.get(f"account/{a}", self.KEYS).json for a in ("OLD", "NEW", "OTHER")]
        self.assertEqual([[r[k] for k in ("availableCash", "equity", "sodEquity", "bp", "overnightBp")] for r in rows],
                         [[1234.5, 1234.5, 1234.5, 4938, 4938], [1000, 1000, 1000, 10, 5], [1000000] * 5])


class Orders(ReadingCase):
    def answer(self, body, account):
        reply = self.p.order(body, account)
        self.assertEqual(reply.status, 200, reply.text)
        return reply.json

    def test_B19_paper_assigns_a_route(self):
        """The route is PAPER, or PAPERM if every leg is an option; a given route is kept."""
        for body, route in ((stock("s"), "PAPER"), (option("o"), "PAPER"), (spread("m"), "PAPERM"),
                            (covered("c"), "PAPER"),
                            (stock("e", route=""), "PAPER"), (stock("g", route="PAPER"), "PAPER")):
            row = self.answer(body, "PAPER0001")
            self.assertEqual((row["route"], row["orderStatus"]), (route, "PendingNew"))
            self.assertEqual(self.p.lookup(row["clientOrderId"]).json["route"], route)

    def test_B20_live_assigns_none(self):
        """Every kind of order without a route, or with one that the account lacks, is Rejected with R54 at once."""
        for body in (stock("s"), option("o"), spread("m"), covered("c"), stock("e", route=""),
                     stock("p", route="PAPER")):
            row = self.answer(body, "LIVE0001")
            self.assertEqual((row["orderStatus"], row["text"], row["executed"]),
                             ("Rejected", "R54: Unable to reach the destination route", 0))

    def test_B21_paper_takes_every_time_in_force(self):
        """None of the 8 values of timeInForce is rejected, for stock, options and several legs."""
        for make in (stock, option, spread):
            for tif in TIMES_IN_FORCE:
                row = self.answer(make(make.__name__ + tif, timeInForce=tif, limitPrice=0.01), "PAPER0001")
                self.assertEqual((row["orderStatus"], row["text"], row["timeInForce"]), ("PendingNew", None, tif))
        self.p.advance("1s")
        ended = {self.status(make.__name__ + tif, "PAPER0001") for make in (stock, option, spread)
                 for tif in TIMES_IN_FORCE}
        self.assertEqual(ended, {"New", "Canceled", "Expired"})

    def test_B22_live_takes_what_the_route_lists(self):
        """Any other time in force is answered PendingNew, and then Rejected with R24."""
        routes = self.get("routes")["routes"]
        for route in routes:
            make = {"Stock": stock, "Option": option, "MLEG": spread}[route["securityTypes"][-1]]
            for tif in TIMES_IN_FORCE:
                body = make(route["routeName"] + tif, timeInForce=tif, limitPrice=0.01, route=route["routeName"])
                row = self.answer(body, "LIVE0001")
                self.assertEqual((row["orderStatus"], row["text"]), ("PendingNew", None))
                self.p.advance("100ms")
                row = self.p.lookup(row["clientOrderId"], "LIVE0001").json
                if tif in route["timesInForce"]:
                    self.assertIn(row["orderStatus"], ("New", "Canceled", "Expired"), body)
                else:
                    self.assertEqual((row["orderStatus"], row["text"][:5]), ("Rejected", "R24: "), body)

    def test_B24_market_orders_outside_regular_hours(self):
        """At 09:29:59 and after 16:00 in New York both accounts reject the order; 09:30:00 is within the hours."""
        for n, (when, taken) in enumerate((("2026-01-16T14:29:59Z", False), ("2026-01-16T14:30:00Z", True),
                                           ("2026-01-16T21:00:00.001Z", False), ("2026-01-17T15:00:00Z", False))):
            self.at(when)
            for account in BOTH:
                row = self.send(f"m{n}", account, orderType="Market", limitPrice=None)
                if taken:
                    self.assertEqual(row["orderStatus"], "PendingNew")
                else:
                    self.assertEqual((row["orderStatus"], row["text"], row["executed"]),
                                     ("Rejected", "R78: Market orders are not allowed at this time", 0))


if __name__ == "__main__":
    unittest.main()
