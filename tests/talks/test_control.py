"""The control calls, row by row of the table that documents them."""
import http.client
import json
import pathlib
import re
import time
import unittest

from paper import LIVE, PAPER, Closed, Paper, occ, option, stock


class Base(unittest.TestCase):
    def setUp(self):
        self.p = Paper()
        self.addCleanup(self.p.stop)

    def bad(self, method, path, body, p=None):
        reply = (p or self.p).call(method, "/paper/" + path, body if isinstance(body, str) else json.dumps(body),
                                   keys=None)
        self.assertEqual(reply.status, 400, f"{path} {body}: {reply.text}")
        self.assertTrue(reply.json["error"])

    def status(self, order_id):
        return self.p.lookup(order_id).json["orderStatus"]


class World(Base):
    def test_only_where_asked_for(self):
        with Paper(control=False) as p:
            self.assertEqual(p.call("GET", "/paper/orders", keys=None).status, 404)

    def test_no_page_in_a_browser_controls_it(self):
        """Requests that a web page can make a browser send, directly or through a name that resolves to this
        address."""
        fault = json.dumps({"on": "*", "do": "status", "status": 503})
        at = f"127.0.0.1:{self.p.port}"
        for headers in ({"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"},
                        {"Content-Type": "multipart/form-data; boundary=x"}, {"Content-Type": "application/jsonp"},
                        {"Origin": "https://evil.example"}, {"Origin": "null"},
                        {"Origin": "http://" + at, "Content-Type": "application/json"},
                        {"Host": "evil.example"}, {"Host": "evil.example:8787", "Content-Type": "application/json"},
                        {"Host": "127.0.0.1.evil.example"}, {"Host": "localhost.evil.example"},
                        {"Host": "[::1].evil.example"}, {"Host": ""}):
            reply = self.p.call("POST", "/paper/faults", fault, keys=None, headers=headers)
            self.assertEqual(reply.status, 400, headers)
            self.assertTrue(reply.json["error"])
        for method, path in (("DELETE", "/paper/faults"), ("GET", "/paper/requests"),
                             ("POST", "/paper/reset/PAPER0001")):
            for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
                self.assertEqual(self.p.call(method, path, keys=None, headers=headers).status, 400, (method, headers))
        self.assertEqual(self.p.get("accounts").status, 200, "no fault was set")
        for headers in ({}, {"Content-Type": "application/json"}, {"Content-Type": "application/json; charset=utf-8"},
                        {"Host": "localhost"}, {"Host": "LOCALHOST:1"}, {"Host": "127.0.0.2:1"}, {"Host": "[::1]:1"}):
            reply = self.p.call("PUT", "/paper/quotes/AAPL", '{"bid":1,"ask":2}', keys=None, headers=headers)
            self.assertEqual(reply.status, 200, (headers, reply.text))

    def test_quotes(self):
        for body in ({"bid": 2, "ask": 1}, {"bid": -1, "ask": 1}, {"bid": "1"}, [], 5, '{"bid":',
                     {"bid": 1, "ask": 2, "askSize": 1.5}):
            self.bad("PUT", "quotes/AAPL", body)
        self.p.order(stock("a", symbol="NEWCO", limitPrice=5))
        self.assertEqual(self.status("a"), "Rejected")
        self.p.quote("NEWCO", 4.9, 5)
        self.p.order(stock("b", symbol="NEWCO", limitPrice=5))
        self.p.advance("1s")
        self.assertEqual(self.status("b"), "Filled")
        self.p.quote(occ("NEWCO", strike=5), 0.5, 0.6)
        self.p.order(option("c", symbol=occ("NEWCO", strike=5), limitPrice=1))
        self.p.advance("1s")
        self.assertEqual(self.p.lookup("c").json["priceAvg"], 0.6)
        self.p.control("PUT", "quotes/" + occ("NEWCO", strike=5), None)
        self.assertEqual(len(self.p.get("accounts/PAPER0001/positions").json["positions"]), 2)
        rows = self.p.get("accounts/PAPER0001/pnl").json["pnl"]
        self.assertEqual([r["symbol"] for r in rows], ["NEWCO"], "an option lot without a quote has no row on paper")

    def test_clock(self):
        self.assertEqual(self.p.control("PUT", "clock", {"advance": "1500ms"}), {"now": "2026-01-15T15:00:01.500Z"})
        self.assertEqual(self.p.control("PUT", "clock", {"now": "2026-01-15T15:01:00Z"}),
                         {"now": "2026-01-15T15:01:00Z"})
        for body in ({"now": "2026-01-15T15:00:59Z"}, {"advance": "-1s"}, {"advance": "1"}, {"now": "x"}, {},
                     {"real": False}, []):
            self.bad("PUT", "clock", body)
        self.assertEqual(self.p.get("accounts").headers["Date"], "Thu, 15 Jan 2026 15:01:00 GMT")
        self.assertTrue(self.p.control("PUT", "clock", {"real": True})["now"] > "2026-01-15T15:01:00Z")
        self.bad("PUT", "clock", {"now": "2026-01-15T15:01:00Z"})

    def test_timers_fire_in_order_before_the_answer(self):
        s = self.p.portfolio(subscriptions=["Order"])
        for i in range(5):
            self.p.order(stock(f"a{i}"))
            self.p.advance("10ms")
        self.p.advance("1h")
        rows = [s.json() for _ in range(15)]
        self.assertEqual([r["ts"] for r in rows], sorted(r["ts"] for r in rows))
        self.assertEqual([r["order"]["userOrderId"][-2:] for r in rows if r["order"]["status"] == "Filled"],
                         ["a0", "a1", "a2", "a3", "a4"])
        self.assertEqual([r["order"]["lastUpdated"] for r in rows if r["order"]["status"] == "Filled"][0],
                         "2026-01-15T15:00:00.1000000+00:00")

    def test_running_clock(self):
        with Paper(clock="2026-01-15T15:00:00Z@1000") as p:
            s = p.portfolio(subscriptions=["Order"])
            p.order(stock("a"))
            self.assertEqual([s.order()["status"] for _ in range(3)], ["PendingNew", "New", "Filled"])
            now = p.advance("1h")
            self.assertGreaterEqual(now[:19], "2026-01-15T16:00:00")  # "16:00:00.5Z" sorts before "16:00:00Z"
            for _ in range(20):  # no step is too small
                p.advance("0ms")
            self.bad("PUT", "clock", {"now": now}, p)

    def test_accounts(self):
        row = self.p.control("PUT", "accounts/PAPER0001",
                             {"optLevel": 2, "bp": 5000, "accountStatus": "Closed", "equity": 7,
                              "leverage": 4, "marginDeficit": 1.5})
        self.assertEqual([row[k] for k in ("optLevel", "optionTradingLevel", "bp", "accountStatus", "equity",
                                           "marginDeficit")],
                         [2, 2, 5000, "Closed", 7, 1.5])
        self.assertEqual(self.p.get("account/PAPER0001").json, row)
        self.p.control("PUT", "accounts/PAPER0001", {"accountStatus": "Active"})
        self.p.order(stock("a", limitPrice=100))
        self.assertEqual(self.p.get("account/PAPER0001").json["bp"], 4000)
        self.assertEqual(self.p.control("PUT", "accounts/PAPER0001", {"bp": 3000})["bp"], 2000)
        self.p.cancel("a")
        self.p.advance("1s")
        self.assertEqual(self.p.get("account/PAPER0001").json["bp"], 3000)
        self.p.order(stock("b", limitPrice=200))
        self.p.advance("1s")
        self.assertEqual(self.p.control("PUT", "accounts/PAPER0001", {"bp": 9000})["bp"], 9000)
        for path, body in (("accounts/NOBODY", {}), ("accounts/PAPER0001", {"nonsense": 1}),
                           ("accounts/PAPER0001", {"bp": "1"}), ("accounts/PAPER0001", [])):
            self.bad("PUT", path, body)
        row = self.p.get("account/PAPER0001").json
        self.bad("PUT", "accounts/PAPER0001",
                 {"bp": 1, "equity": 2, "accountStatus": "Closed", "accountType": "Live", "nonsense": 1})
        self.assertEqual(self.p.get("account/PAPER0001").json, row, "a bad call changes nothing")

    def test_positions(self):
        path = "positions/PAPER0001"
        self.p.control("PUT", path, [{"symbol": "AAPL", "side": "Long", "shares": 10.5, "priceAvg": 100,
                                      "dayOvernight": "Overnight"},
                                     {"symbol": occ(), "side": "Short", "shares": 3, "priceAvg": 2.5}])
        rows = self.p.get("accounts/PAPER0001/positions").json["positions"]
        self.assertEqual([(r["symbol"], r["tradedSymbol"], r["side"], r["shares"], r["priceAvg"], r["dayOvernight"])
                          for r in rows],
                         [("AAPL", None, "Long", 10.5, 100, "Overnight"), ("AAPL", occ(), "Short", 3, 2.5, "Day")])
        self.assertEqual(self.p.get("account/PAPER0001").json["bp"], 1000000)
        self.p.order(stock("a", side="Sell", openClose="Close", orderQuantity=11, limitPrice=1))
        self.assertEqual(self.status("a"), "Rejected")
        self.p.order(stock("b", side="Sell", openClose="Close", limitPrice=1))
        self.p.advance("1s")
        self.assertEqual(self.p.get("accounts/PAPER0001/positions").json["positions"][0]["shares"], 0.5)
        for body in ({}, [{"symbol": "AAPL"}], [{"symbol": "AAPL", "shares": 1, "side": "Both"}], [5],
                     [{"symbol": "AAPL", "shares": 1, "dayOvernight": "x"}]):
            self.bad("PUT", path, body)
        self.assertEqual(len(self.p.get("accounts/PAPER0001/positions").json["positions"]), 2,
                         "a bad call changes nothing")
        self.p.control("PUT", path, [])
        self.assertEqual(self.p.get("accounts/PAPER0001/positions").json["positions"], [])
        self.assertEqual(self.p.get("account/PAPER0001").json["bp"], 1001899.9,
                         "selling gave back what the lot tied up, and the gain")
        self.bad("PUT", "positions/NOBODY", [])

    def test_symbols(self):
        self.p.control("PUT", "symbols/AAPL", {"borrow": "hard", "available": 500, "locatePrice": 0.05})
        borrow = "accounts/LIVE0001/is-easy-to-borrow/symbol/AAPL"
        self.assertEqual(self.p.get(borrow, LIVE).json, {"isEasyToBorrow": False})
        self.p.control("PUT", "symbols/AAPL", {"borrow": "easy"})
        self.assertEqual(self.p.get(borrow, LIVE).json, {"isEasyToBorrow": True})
        for body in ({"borrow": "Easy"}, {"available": 1.5}, {"available": -1}, {"locatePrice": "x"},
                     {"singleUsePrice": -0.01}, [], {"borrow": 1}, {"borrow": "hard", "available": "x"}):
            self.bad("PUT", "symbols/AAPL", body)
        self.assertEqual(self.p.get(borrow, LIVE).json, {"isEasyToBorrow": True}, "a bad call changes nothing")

    def test_requests_and_orders(self):
        self.p.get("accounts")
        self.p.order(stock("a"))
        self.p.order({"symbol": 1})
        self.p.call("GET", "/v1/api/accounts", keys=None)
        seen = self.p.control("GET", "requests?since=0")["requests"]
        self.assertEqual([(r["n"], r["method"], r["path"], r["status"], r["effect"]) for r in seen],
                         [(1, "GET", "/v1/api/accounts", 200, True),
                          (2, "POST", "/v1/api/accounts/PAPER0001/order", 200, True),
                          (3, "POST", "/v1/api/accounts/PAPER0001/order", 400, False),
                          (4, "GET", "/v1/api/accounts", 404, False)])
        self.assertEqual(json.loads(seen[1]["body"])["clientOrderId"], "a")
        self.assertEqual(seen[0]["at"], "2026-01-15T15:00:00Z")
        self.assertNotIn("paper-secret", json.dumps(seen))
        self.assertEqual([r["n"] for r in self.p.control("GET", "requests?since=3")["requests"]], [4])
        self.assertEqual(len(self.p.control("GET", "requests")["requests"]), 4)
        self.bad("GET", "requests?since=x", "")
        self.p.advance("1s")
        order = self.p.control("GET", "orders")["orders"][0]
        self.assertEqual([(h["at"], h["orderStatus"], h["text"]) for h in order["history"]],
                         [("2026-01-15T15:00:00Z", "PendingNew", None), ("2026-01-15T15:00:00.040Z", "New", None),
                          ("2026-01-15T15:00:00.100Z", "Filled", None)])


class Faults(Base):
    def fault(self, on, do, **more):
        self.p.control("POST", "faults", {"on": on, "do": do, **more})

    def broken(self, order_id, *kinds):
        with self.assertRaises(kinds):
            self.p.call("POST", "/v1/api/accounts/PAPER0001/order", stock(order_id), fresh=True)

    def effect(self):
        return [(r["status"], r["effect"]) for r in self.p.control("GET", "requests")["requests"]
                if r["method"] == "POST"]

    def test_refused(self):
        for body in ({}, {"on": "POST order"}, {"on": "POST order", "do": "explode"},
                     {"on": "POST order", "do": "drop-frame"},
                     {"on": "stream pnl", "do": "hang"}, {"on": "*", "do": "delay", "delay": "soon"},
                     {"on": "*", "do": "hang", "count": 0},
                     {"on": "*", "do": "hang", "after": -1}, {"on": "*", "do": "status", "status": 1000}, [],
                     {"on": "GET acount", "do": "hang"}, {"on": "GET " + 99 * "x", "do": "hang"},
                     {"on": "", "do": "hang"}):
            self.bad("POST", "faults", body)

    def test_requests_have_one_name(self):
        """Requests have the same names in faults, limits and budgets, and the man pages and the contract list them.
        The path is not accepted as a name."""
        root = pathlib.Path(__file__).parents[2]
        table = re.findall(r'^OG_ENDPOINT\(\w+, (\w+), "([a-z-]+)", "([^"]+)"',
                           root.joinpath("src/base/endpoints.def").read_text(), re.M)
        names = [f"{method} {name}" for method, name, _ in table]
        self.assertEqual(len(set(names)), 21)
        for file, begin, end in (("tools/ordergate-paper.1", "which faults use too:", "Rate and burst"),
                                 ("tools/ordergate-broker.1", "the names are", "Without a state"),
                                 ("docs/contract.md", "Requests have one name each", "## ordergate send")):
            listed = root.joinpath(file).read_text().replace("\\ ", " ").split(begin)[1].split(end)[0]
            self.assertEqual(re.findall("(?:GET|POST|DELETE) [a-z/-]+", listed), names, file)
        for method, name, path in table:
            self.fault(f"{method} {name}", "status", status=503)
            last = path.split("accounts/")[-1].removeprefix("{a}/")
            if last not in (name, "accounts", "account/{a}"):
                self.bad("POST", "faults", {"on": f"{method} {last}", "do": "hang"})

    def test_drop_request(self):
        self.fault("POST order", "drop-request")
        self.broken("a", http.client.RemoteDisconnected)
        self.assertEqual(self.p.lookup("a").status, 404)
        self.assertEqual(self.effect(), [(0, False)])
        self.assertEqual(self.p.order(stock("a")).status, 200)

    def test_drop_reply_and_reset(self):
        for order_id, do, kind in (("a", "drop-reply", http.client.RemoteDisconnected),
                                   ("b", "reset", ConnectionResetError)):
            self.fault("POST order", do)
            self.broken(order_id, kind)
            self.assertEqual(self.status(order_id), "PendingNew")
        self.assertEqual([e for _, e in self.effect()], [True, True])

    def test_truncate(self):
        self.fault("POST order", "truncate")
        self.broken("a", http.client.IncompleteRead)
        self.assertEqual(self.status("a"), "PendingNew")

    def test_hang(self):
        self.fault("POST order", "hang")
        connection = http.client.HTTPConnection("127.0.0.1", self.p.port, timeout=0.3)
        connection.request("POST", "/v1/api/accounts/PAPER0001/order", json.dumps(stock("a")),
                           {"SVC-API-KEY-ID": PAPER[0], "SVC-API-SECRET-KEY": PAPER[1]})
        while not self.p.control("GET", "requests")["requests"]:
            pass
        with self.assertRaises(TimeoutError):
            connection.getresponse()
        connection.close()
        self.assertEqual(self.status("a"), "PendingNew")

    def test_delay_is_real_time(self):
        self.fault("POST order", "delay", delay="250ms")
        begun = time.monotonic()
        self.assertEqual(self.p.order(stock("a")).status, 200)
        self.assertGreaterEqual(time.monotonic() - begun, 0.25)
        self.assertEqual(self.p.order(stock("b")).status, 200, "the connection is still good")

    def test_late(self):
        """The order is accepted and reserves buying power, but cannot be seen anywhere before it registers. Another
        fault may drop its answer."""
        self.bad("POST", "faults", {"on": "*", "do": "late"})
        self.bad("POST", "faults", {"on": "GET order", "do": "late"})
        bp = self.p.get("account/PAPER0001").json["bp"]
        stream = self.p.portfolio()
        self.fault("POST order", "late", delay="10s")
        self.fault("POST order", "drop-reply")
        self.broken("a", http.client.RemoteDisconnected)
        self.assertEqual(self.effect(), [(0, True)])
        self.assertLess(self.p.get("account/PAPER0001").json["bp"], bp)
        self.p.order(stock("b"))
        self.p.advance("9999ms")
        self.assertEqual((self.p.lookup("a").status, self.p.cancel("a").status), (404, 404))
        self.assertEqual([o["clientOrderId"] for o in self.p.get("accounts/PAPER0001/orders").json["orders"]], ["b"])
        self.assertEqual(self.p.order(stock("a")).json["text"], "R114: Invalid duplicate UserOrderId")
        self.assertEqual(self.p.control("GET", "orders")["orders"][-1]["orderStatus"], "PendingNew",
                         "the witness knows")
        self.p.advance("1ms")
        self.assertEqual(self.status("a"), "PendingNew")
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "Filled")
        pushed = [stream.order() for _ in range(6)]
        self.assertEqual([o["orderStatus"] for o in pushed if o["userOrderId"] == "PAPER0001:a"],
                         ["PendingNew", "New", "Filled"])

    def test_status_count_after_and_names(self):
        self.fault("POST order", "status", status=502, count=2, after=1)
        self.assertEqual([self.p.order(stock(f"a{i}")).status for i in range(5)], [200, 502, 502, 200, 200])
        self.assertEqual(self.p.lookup("a1").status, 404)
        for on, call in (("GET order", lambda: self.p.lookup("a0")), ("DELETE order", lambda: self.p.cancel("a0")),
                         ("GET orders", lambda: self.p.get("accounts/PAPER0001/orders")),
                         ("GET positions", lambda: self.p.get("accounts/PAPER0001/positions")),
                         ("GET account", lambda: self.p.get("account/PAPER0001")),
                         ("*", lambda: self.p.get("accounts"))):
            self.fault(on, "status", status=429)
            reply = call()
            self.assertEqual((reply.status, reply.text), (429, ""), on)
            self.assertEqual(call().status, 200, on)
        self.fault("*", "status", count=100)
        self.p.control("DELETE", "faults")
        self.assertEqual(self.p.get("accounts").status, 200)

    def test_frames(self):
        s = self.p.portfolio(subscriptions=["Order"])
        for do, seen in (("drop-frame", ["New", "Filled"]),
                         ("duplicate-frame", ["PendingNew", "PendingNew", "New", "Filled"]),
                         ("reorder-frame", ["New", "PendingNew", "Filled"])):
            self.fault("stream portfolio", do)
            self.p.order(stock(do))
            self.p.advance("1s")
            self.assertEqual([s.order()["status"] for _ in seen], seen, do)
            self.assertTrue(s.quiet())
        self.fault("stream portfolio", "drop-frame", after=1)
        self.p.order(stock("x"))
        self.p.advance("1s")
        self.assertEqual([s.order()["status"] for _ in range(2)], ["PendingNew", "Filled"])

    def test_disconnect(self):
        s, other = self.p.portfolio(), self.p.stream("pnl")
        other.json()
        self.fault("stream portfolio", "disconnect")
        with self.assertRaises(Closed):
            s.json()
        self.assertTrue(other.quiet())
        s = self.p.portfolio()
        self.fault("stream portfolio", "disconnect", after=1)
        self.p.order(stock("a"))
        self.assertEqual(s.order()["status"], "PendingNew")
        self.p.advance("1s")
        with self.assertRaises(Closed):
            while True:
                s.json()


if __name__ == "__main__":
    unittest.main()
