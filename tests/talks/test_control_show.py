"""The control calls that show the world: each answers in the form that the call which sets it takes."""
import json
import unittest

from endpoints import READS
from paper import LIVE, PAPER, REGULAR, Paper, in_world, occ, option, stock

CALL, PUT = occ(), occ(kind="P", strike=180)
LISTED = {"quotes": ["AAPL", "GME", "F", CALL, PUT], "accounts": ["PAPER0001", "LIVE0001"],
          "positions": ["PAPER0001", "LIVE0001"], "symbols": ["AAPL", "AMC", "GME"]}
WHOLE = ("clock", "delays", "switches", "surface", "rates", "limits", "faults")


class Shown(unittest.TestCase):
    def setUp(self):
        self.p = Paper()
        self.addCleanup(self.p.stop)

    def show(self, path):
        return self.p.control("GET", path)

    def bad(self, method, path, body=None):
        reply = self.p.call(method, "/paper/" + path, None if body is None else json.dumps(body), keys=None)
        self.assertEqual(reply.status, 400, (path, body))
        return reply.json["error"]

    def busy(self):
        """Give both accounts working orders, positions of several lots, profits, locates, and inject faults."""
        p = self.p
        for account, route in (("PAPER0001", "PAPER"), ("LIVE0001", "SMART")):
            p.order(stock("a", route=route, limitPrice=200), account)
            p.order(option("o", route="PAPER" if account == "PAPER0001" else "SMARTO"), account)
            p.advance("1s")
            p.quote("AAPL", 190.1, 190.13)
            p.order(stock("b", route=route, orderQuantity=7), account)
            p.advance("1s")
            p.order(stock("c", route=route, side="Sell", openClose="Close", orderQuantity=4, limitPrice=100), account)
            p.order(stock("d", route=route, limitPrice=100), account)
            p.advance("1s")
        p.control("PUT", "positions/LIVE0001",
                  [*self.show("positions/LIVE0001"), {"symbol": "F", "shares": -2.5, "priceAvg": 3.3333},
                   {"symbol": PUT, "shares": 3, "side": "Short", "priceAvg": 1.1, "dayOvernight": "Overnight"}])
        p.order(stock("e", symbol="F", route="SMART", orderQuantity=1, limitPrice=100), "LIVE0001")
        p.advance("1s")
        p.control("PUT", "accounts/LIVE0001", {"equity": 12345.678901, "optLevel": 3, "sodEquity": 5})
        p.quote(PUT, 1, 1.5, bidSize=3)
        p.control("PUT", "quotes/GME", None)
        p.control("PUT", "symbols/AMC", {"borrow": "threshold", "available": 700, "locatePrice": 0.125})
        p.control("PUT", "delays", {"fill": "2s", "record": "90m", "known": "0ms"})
        p.control("PUT", "switches", {"accepted": True, "placeholder": 'a "b"', "expiry": "cash"})
        p.control("PUT", "surface", {"time": "7bps", "spread": 0.05})
        p.control("PUT", "rates", {"sale": 0.00003})
        p.control("PUT", "limits", {"POST order": {"rate": 7, "burst": 9}})
        for fault in ({"on": "POST order", "do": "late", "delay": "1500ms", "after": 1},
                      {"on": "GET orders", "do": "status", "status": 502, "count": 3, "after": 4},
                      {"on": "GET orders", "do": "hang", "chance": "0.01%"},
                      {"on": "GET routes", "do": "delay", "chance": "12.5%", "count": 2},
                      {"on": "GET cash", "do": "reset", "chance": "100%", "after": 1000},
                      {"on": "stream pnl", "do": "disconnect", "after": 1000}):
            p.control("POST", "faults", fault)

    def world(self):
        """Returns everything that is shown, and what both accounts and the witness of the orders say."""
        seen = {path: self.show(path) for path in (*LISTED, *WHOLE, "orders")}
        for name in LISTED:
            seen.update((f"{name}/{item}", self.show(f"{name}/{item}")) for item in LISTED[name])
        for account, keys in (("PAPER0001", PAPER), ("LIVE0001", LIVE)):
            seen.update((f"{row} {account}", self.p.get(path.format(a=account), keys).text)
                        for row, path in READS.items() if row not in ("O7", "O8", "O6"))  # these have faults
        return seen

    def test_putting_what_is_shown_changes_nothing(self):
        self.busy()
        before = self.world()
        self.assertEqual({name: len(before[f"positions/{name}"]) for name in LISTED["positions"]},
                         {"PAPER0001": 2, "LIVE0001": 5})
        for path in [*WHOLE, *(f"{name}/{item}" for name in LISTED for item in LISTED[name])]:
            self.p.control("PUT", path, before[path])
            self.assertEqual(self.world(), before, path)

    def test_another_brokerage_gets_the_same_world(self):
        """What one brokerage shows makes another one show the same, where orders and profits are not concerned."""
        self.busy()
        with Paper() as other:
            for name in ("clock", "quotes", "symbols", "positions", "accounts", *WHOLE[1:]):
                shown = self.show(name)
                for path, value in ([(f"{name}/{k}", v) for k, v in shown.items()] if name in LISTED
                                    else [(name, shown)]):
                    other.control("PUT", path, value)
            for name in (*WHOLE, "quotes", "symbols", "positions"):
                self.assertEqual(other.control("GET", name), self.show(name), name)
            mine, its = self.show("accounts"), other.control("GET", "accounts")
            for account in mine:
                self.assertEqual(its[account], mine[account], account)

    def test_a_list_has_what_the_items_show(self):
        self.busy()
        for name, items in LISTED.items():
            listed = self.show(name)
            self.assertEqual(list(listed), sorted(listed) if name in ("quotes", "symbols") else list(listed), name)
            for item in items:
                if item != CALL:  # its price is computed
                    self.assertEqual(listed[item], self.show(f"{name}/{item}"))
        self.assertNotIn(CALL, self.show("quotes"))
        self.assertEqual(len(self.show("symbols")), 9, "a contract has no borrow state of its own")
        for path in ("quotes/NONE", "quotes/NONE260220C00190000", "symbols/NONE", "symbols/" + CALL,
                     "accounts/NONE", "positions/NONE"):
            self.assertRegex(self.bad("GET", path), "^no such (symbol|stock|account)$")
        self.assertNotIn("NONE", self.show("symbols"), "looking adds nothing")

    def test_clock(self):
        self.assertEqual(self.show("clock"), {"now": REGULAR, "speed": 0})
        self.p.control("PUT", "clock", {"now": "2026-01-15T15:00:01.5Z", "speed": 0.5})
        clock = self.show("clock")
        self.assertEqual(clock["speed"], 0.5)
        self.p.control("PUT", "clock", {"speed": 10000})
        while self.show("clock")["now"] < "2026-01-15T15:01":
            pass
        self.p.control("PUT", "clock", {"speed": 0})
        stands = self.show("clock")
        self.assertEqual([self.show("clock") for _ in range(3)], [stands] * 3)
        for body in ({"speed": -1}, {"speed": 10001}, {"speed": "fast"}, {"speed": None},
                     {"now": "2026-01-15T14:00:00Z", "speed": 1}, {"advance": "1", "speed": 1}):
            self.bad("PUT", "clock", body)
        self.assertEqual(self.show("clock"), stands, "a bad call changes nothing")
        self.p.control("PUT", "clock", {"real": True})
        self.assertIs(self.show("clock")["real"], True)
        self.p.control("PUT", "clock", self.show("clock"))
        self.assertIs(self.show("clock")["real"], True)
        self.p.control("PUT", "clock", {"speed": 0})
        self.assertEqual(self.show("clock"), {"now": self.show("clock")["now"], "speed": 0})

    def test_a_contract_is_priced_again(self):
        at = "quotes/" + CALL
        computed = self.show(at)
        self.assertEqual(sorted(computed), ["ask", "bid", "computed", "last"])
        self.p.order(option("a", limitPrice=3))
        self.p.quote(CALL, 30, 31)
        self.p.advance("1s")
        self.assertEqual(self.show(at), {"bid": 30, "ask": 31, "last": 31})
        self.assertEqual(self.p.lookup("a").json["orderStatus"], "New")
        self.p.control("PUT", "surface", {"time": "0%"})
        self.p.control("PUT", at, computed)
        self.assertEqual(self.show(at)["computed"], True)
        self.assertEqual(self.p.lookup("a").json["orderStatus"], "Filled")
        self.bad("PUT", "quotes/AAPL", {"computed": True})
        self.p.control("PUT", "surface", {"priced": False})
        self.assertEqual(self.show(at), {"computed": True})

    def test_a_computed_figure_is_null(self):
        at = "accounts/LIVE0001"
        self.assertIsNone(self.show(at)["equity"])
        self.p.control("PUT", at, {"equity": 7})
        self.assertEqual((self.show(at)["equity"], self.p.get("account/LIVE0001", LIVE).json["equity"]), (7, 7))
        self.p.control("PUT", at, {"equity": None})
        self.assertEqual((self.show(at)["equity"], self.p.get("account/LIVE0001", LIVE).json["equity"]), (None, 50000))
        self.bad("PUT", at, {"bp": None})

    def test_an_account_that_was_revived_stays_alive(self):
        """An account whose 30 days are over, and which was made Active again, is not expired by what it shows."""
        with in_world("accounts: {P1: {}}\nkeys: {k: {secret: s, accounts: [P1]}}\n") as p:
            p.advance("800h")
            self.assertEqual(p.control("GET", "accounts/P1")["accountStatus"], "Expired")
            p.control("PUT", "accounts/P1", {"accountStatus": "Active"})
            p.control("PUT", "accounts/P1", p.control("GET", "accounts/P1"))
            self.assertEqual(p.control("GET", "accounts/P1")["accountStatus"], "Active")

    def test_faults(self):
        late = {"on": "GET order", "do": "status", "status": 503, "count": 2, "after": 1}
        self.p.control("PUT", "faults", [late, {"on": "GET orders", "do": "hang"}])
        self.p.lookup("a")
        self.p.lookup("a")
        self.assertEqual(self.show("faults"), [{**late, "after": 0, "count": 1},
                                               {"on": "GET orders", "do": "hang", "count": 1, "after": 0}])
        before = self.show("faults")
        for body in ([late, {"on": "x"}], [5], {}, [late] * 1001):
            self.bad("PUT", "faults", body)
        self.assertEqual(self.show("faults"), before, "a bad call changes nothing")
        self.p.control("PUT", "faults", [])
        self.assertEqual(self.show("faults"), [])

    def test_the_same_faults_keep_their_chances(self):
        """Putting the faults that are shown does not change which requests are spoiled."""
        runs = []
        for again in (False, True):
            with Paper() as p:
                p.control("POST", "faults", {"on": "GET accounts", "do": "status", "chance": "50%"})
                runs.append([])
                for _ in range(40):
                    runs[-1].append(p.get("accounts").status)
                    if again:
                        p.control("PUT", "faults", p.control("GET", "faults"))
        self.assertEqual(runs[0], runs[1])

    def test_streams(self):
        self.assertEqual(self.show("streams"), {"streams": []})
        stream = self.p.stream("pnl")
        stream.json()
        waiting = {"path": "/stream/pnl", "key": None, "account": None, "subscriptions": [], "queued": 0}
        self.assertEqual(self.show("streams"), {"streams": [waiting]})
        stream.send({"key": LIVE[0], "secret": LIVE[1]})
        stream.send({"account": "LIVE0001"})
        self.assertEqual([stream.json().get(k) for k in ("status", "action")], ["CONNECTED", "init"])
        self.p.portfolio()
        rows = self.show("streams")["streams"]
        self.assertEqual(sorted((r["path"], r["key"], r["account"], r["subscriptions"]) for r in rows),
                         [("/stream/pnl", LIVE[0], "LIVE0001", ["Pnl"]),
                          ("/stream/portfolio", PAPER[0], "PAPER0001", ["Order", "Position"])])
        self.assertNotIn(LIVE[1], json.dumps(rows))
        self.p.control("POST", "faults", {"on": "stream pnl", "do": "disconnect"})
        self.assertEqual([r["path"] for r in self.show("streams")["streams"]], ["/stream/portfolio"])

    def test_limits(self):
        self.assertEqual(set(self.show("limits").values()), {None}, "of --no-rate-limits")
        self.p.control("PUT", "limits", {"GET accounts": {"rate": 1, "burst": 2}})
        self.assertEqual([self.p.get("accounts").status for _ in range(3)], [200, 200, 429])
        self.assertEqual(self.show("limits")["GET accounts"], {"rate": 1, "burst": 2})
        for body in ({"GET nothing": None}, {"GET accounts": {}}, {"GET accounts": {"rate": 0}}, [],
                     {"GET accounts": {"rate": 5}, "GET orders": {"burst": "5"}}, {"GET accounts": 5},
                     {"GET accounts": {"speed": 5}}, {"GET accounts": {"rate": 1.5}}):
            self.bad("PUT", "limits", body)
        self.assertEqual(self.show("limits")["GET accounts"], {"rate": 1, "burst": 2}, "a bad call changes nothing")
        self.p.control("PUT", "limits", {"GET accounts": None, "GET pnl": {"burst": 9}})
        self.assertEqual([self.p.get("accounts").status for _ in range(30)], [200] * 30)
        self.assertEqual(self.show("limits")["GET pnl"], {"rate": 3, "burst": 9}, "the rate is that of the document")
        with in_world("limits: {GET pnl: {rate: 5, burst: 6}}\n", limits=True) as p:
            limits = p.control("GET", "limits")
            self.assertEqual((limits["GET pnl"], limits["DELETE orders"]),
                             ({"rate": 5, "burst": 6}, {"rate": 3, "burst": 1}))


if __name__ == "__main__":
    unittest.main()
