"""The endpoint table and the methods (group O of docs/readings.md; O5 and O14 are tested with their subjects)."""
import unittest

from endpoints import READS, SLASH, Endpoints, writes
from orders import CLEAN_KEYS
from paper import LIVE, stock
from reading_case import PATHS
from test_account import SAME
from test_cash import KEYS as CASH_KEYS
from test_closed import KEYS as CLOSED_KEYS
from test_history import KEYS as FILL_KEYS
from test_open_positions import KEYS as POSITION_KEYS
from test_pnl import ROW as PNL_KEYS, TOTALS

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PAGINATION = ["currentLimit", "currentOffset", "totalRecords"]
LOCATE_KEYS = ("accountId symbol quoteReqID locateShares filledShares locateStatus locateType locatePrice preBorrow "
               "locateError text createdDate updatedDate").split()
INVENTORY_KEYS = "accountId symbol available sold toBeSold unavailable locateType".split()


class Table(Endpoints):
    def setUp(self):
        super().setUp()
        self.busy()

    def envelope(self, row, *keys):
        """Returns the document of that read, and asserts that it has exactly these keys."""
        reply = self.read(row)
        self.assertEqual(reply.status, 200, reply.text)
        self.assertEqual(sorted(reply.json), sorted(keys))
        return reply.json

    def rows(self, row, key, *others):
        """Returns the rows of a list; asserts that there are some, and that all of them have the keys of the first."""
        rows = self.envelope(row, key, *others)[key]
        self.assertTrue(rows)
        self.assertEqual({tuple(r) for r in rows}, {tuple(rows[0])})
        return rows

    def test_O1_accounts(self):
        rows = self.rows("O1", "accounts")
        self.assertEqual(sorted(rows[0]), sorted(SAME + ["buyingPower"]))

    def test_O2_account(self):
        """The account is not wrapped in another object, and its path is singular: the plural is no endpoint."""
        self.assertEqual(self.envelope("O2", *SAME, "bp")["account"], "LIVE0001")
        self.assertEqual(self.ask("GET", "accounts/LIVE0001").status, 404)

    def test_O3_pnl(self):
        document = self.envelope("O3", *TOTALS)
        self.assertEqual({tuple(sorted(r)) for r in document["pnl"]}, {tuple(sorted(PNL_KEYS))})

    def test_O4_positions(self):
        """Query parameters that the endpoint does not have are ignored."""
        rows = self.rows("O4", "positions")
        self.assertEqual(list(rows[0]), POSITION_KEYS)
        for query in ("?symbol=NOSUCH", "?limit=0&offset=9", "?"):
            self.assertEqual(self.ask("GET", "accounts/LIVE0001/positions" + query).json["positions"], rows, query)

    def test_O5_closed_positions(self):
        self.assertEqual(list(self.rows("O5", "closedPositions")[0]), CLOSED_KEYS)

    def test_O6_cash_transactions(self):
        rows = self.rows("O6", "cashHistory", "pagination")
        self.assertEqual((list(rows[0]), list(self.read("O6").json["pagination"])), (CASH_KEYS, PAGINATION))
        page = self.ask("GET", READS["O6"].format(a="LIVE0001") + "?numberOfDays=1&offset=1&limit=7").json
        self.assertEqual(page, {"cashHistory": [],
                                "pagination": {"currentLimit": 7, "currentOffset": 1, "totalRecords": 1}})

    def test_O7_routes(self):
        routes = self.rows("O7", "routes")
        self.assertIn("routeName", routes[0])
        self.p.control("PUT", "switches", {"bare_routes": True})
        self.assertEqual(self.read("O7").json, routes, "the wrapper is not in the document: it can be left out")

    def test_O8_orders(self):
        """All orders have the clean shape, including those of several legs."""
        rows = self.rows("O8", "orders")
        self.assertEqual(list(rows[0]), CLEAN_KEYS)
        self.assertTrue({"a", "m"} <= {r["clientOrderId"] for r in rows})

    def test_O9_order(self):
        """The path is singular, the order is not wrapped in another object, and the id is percent-encoded."""
        self.assertEqual(self.envelope("O9", *CLEAN_KEYS)["clientOrderId"], "a")
        self.assertEqual(self.ask("GET", "accounts/LIVE0001/orders/a").status, 405)
        self.send("an id: 50% of \u00e9&?#+", limitPrice=100)
        reply = self.ask("GET", "accounts/LIVE0001/order/an%20id%3A%2050%25%20of%20%C3%A9%26%3F%23%2B")
        self.assertEqual(reply.json["clientOrderId"], "an id: 50% of \u00e9&?#+")

    def test_O10_fills_of_a_week(self):
        """The path is that of orders, with rows of another type."""
        self.assertEqual(list(self.rows("O10", "orders")[0]), FILL_KEYS)

    def test_O11_fills_by_page(self):
        rows = self.rows("O11", "tradingHistory", "pagination")
        self.assertEqual((list(rows[0]), list(self.read("O11").json["pagination"])), (FILL_KEYS, PAGINATION))
        page = self.ask("GET", READS["O11"].format(a="LIVE0001") + "?numberOfDays=1&offset=1&limit=1&symbol=F").json
        self.assertEqual(([r["symbol"] for r in page["tradingHistory"]], page["pagination"]),
                         (["F"], {"currentLimit": 1, "currentOffset": 1, "totalRecords": 2}))

    def write(self, row, **changes):
        method, path, body = writes("LIVE0001")[row]
        reply = self.ask(method, path, {**body, **changes} if changes else body)
        self.assertEqual(reply.status, 200, reply.text)
        return reply

    def test_O12_post_order(self):
        row = self.write("O12").json
        self.assertEqual((list(row), row["clientOrderId"], row["orderStatus"]), (CLEAN_KEYS, "w", "PendingNew"))

    def test_O13_delete_order(self):
        """The path is plural and has the clientOrderId; the answer is the canceled order."""
        row = self.write("O13").json
        self.assertEqual((list(row), row["clientOrderId"], row["orderStatus"]), (CLEAN_KEYS, "a", "PendingCancel"))
        self.assertEqual(self.ask("DELETE", "accounts/LIVE0001/order/a").status, 405)

    def test_O15_is_easy_to_borrow(self):
        self.assertEqual(self.envelope("O15", "isEasyToBorrow"), {"isEasyToBorrow": True})

    def test_O16_O17_O18_locate_calls(self):
        """Quote, accept and sell each answer the text "true". The key of sell is a choice of this service."""
        for row, key in (("O16", "locateQuoteSent"), ("O17", "locateAcceptSent"), ("O18", "locateSellSent")):
            self.assertEqual(self.write(row).text, f'{{"{key}":"true"}}')

    def test_O19_locate_cancel(self):
        """One row of a pair can be canceled too."""
        self.p.advance("1m")
        self.write("O16", symbol="AMC", quoteReqID="pair")
        self.p.advance("2s")
        path = "accounts/locates/cancel/accounts/LIVE0001/quoteReqID/pair.SU"
        self.assertEqual(self.ask("DELETE", path).text, '{"locateCancelSent":"true"}')
        self.p.advance("1s")
        status = {r["quoteReqID"]: r["locateStatus"] for r in self.read("O20").json["locateHistory"]}
        self.assertEqual((status["pair"], status["pair.SU"]), (65, 52))

    def test_O20_locate_history(self):
        self.assertEqual(sorted(self.rows("O20", "locateHistory")[0]), sorted(LOCATE_KEYS))

    def test_O21_locate_inventory(self):
        self.assertEqual(sorted(self.rows("O21", "locateInventory")[0]), sorted(INVENTORY_KEYS))


class Methods(Endpoints):
    def test_O22_bodies_are_json_whatever_they_are_called(self):
        """Every call needs its keys. A POST is read as JSON under any content type."""
        for n, kind in enumerate(("application/json", "application/json; charset=utf-8", "text/plain",
                                  "application/xml", None)):
            for row, (method, path, body) in writes("LIVE0001").items():
                if method != "POST":
                    continue
                body = {k: f"{v}{n}" if k in ("clientOrderId", "quoteReqID") else v for k, v in body.items()}
                headers = {"Content-Type": kind} if kind else None
                text = str(body).replace("'", '"').encode()
                self.assertEqual(self.p.call(method, "/v1/api/" + path, text, LIVE, headers).status, 200, (row, kind))
                self.assertEqual(self.p.call(method, "/v1/api/" + path, text, None, headers).status, 404, row)
        self.assertEqual([self.status(f"w{n}") for n in range(5)], ["PendingNew"] * 5)

    def test_O23_O26_reads_are_read_with_get_alone(self):
        """A POST on pnl and orders is answered 404 `Not found`, other wrong methods 405 `405 method not allowed`; none
        has an effect."""
        self.rest("a")
        for row, path in READS.items():
            path = path.format(a="LIVE0001")
            before = self.ask("GET", path).text
            for method in METHODS[1:]:
                reply = self.ask(method, path, stock("x", route="SMART"))
                wanted = (404, "Not found") if method == "POST" and row in ("O3", "O8") else (405,
                                                                                              "405 method not allowed")
                self.assertEqual((reply.status, reply.text), wanted, f"{method} {path}")
            self.assertEqual(self.ask("GET", path).text, before)
        for row, (right, path, body) in writes("LIVE0001").items():
            for method in METHODS:
                if method != right:
                    self.assertEqual(self.ask(method, path, body if method != "GET" else None).status, 405,
                                     f"{method} {path}")
        self.assertEqual([r["clientOrderId"] for r in self.get("orders")["orders"]], ["a"])

    def test_O24_options(self):
        """OPTIONS is answered 200 without a body on each path, without keys too; the order endpoint allows POST."""
        for path in [path.format(a="LIVE0001") for path in READS.values()] + [call[1]
                                                                              for call in writes("LIVE0001").values()]:
            for keys in ((), LIVE):
                reply = self.p.call("OPTIONS", "/v1/api/" + path, keys=keys)
                self.assertEqual((reply.status, reply.body, reply.headers["Content-Type"]), (200, b"", None), path)
                if path.endswith("/LIVE0001/order"):
                    self.assertEqual(reply.headers["Allow"], "POST")
                elif path in [path.format(a="LIVE0001") for path in READS.values()]:
                    self.assertIsNone(reply.headers["Allow"], path)
        self.assertEqual(self.p.call("OPTIONS", "/v1/api/nothing", keys=LIVE).status, 404)

    def test_O25_head(self):
        """HEAD is answered 405 without a body on each read, and the connection stays open."""
        for row, path in READS.items():
            for slash in ("", "/") if row in SLASH else ("",):
                reply = self.ask("HEAD", path.format(a="LIVE0001") + slash)
                self.assertEqual((reply.status, reply.body, reply.headers["Content-Length"]), (405, b"", "0"), path)
        self.assertEqual(self.ask("GET", "accounts").status, 200)

    def test_O27_posts_on_the_accounts_area(self):
        """A POST on the list or the detail is answered 405, on pnl 404."""
        for account in PATHS:
            for path, status, text in (("accounts", 405, "405 method not allowed"),
                                       (f"account/{account}", 405, "405 method not allowed"),
                                       (f"accounts/{account}/pnl", 404, "Not found")):
                reply = self.ask("POST", path, {}, account)
                self.assertEqual((reply.status, reply.text, reply.headers["Content-Type"]),
                                 (status, text, "text/plain; charset=utf-8"), path)


if __name__ == "__main__":
    unittest.main()
