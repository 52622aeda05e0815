"""Errors by their status (Y1 to Y34 of docs/readings.md, except those of locates, cash and history)."""
import json
import unittest

from endpoints import READS as ROWS
from paper import LIVE, PAPER, leg, occ, option, spread, stock
from reading_case import ReadingCase

TEXT, JSON = "text/plain; charset=utf-8", "application/json; charset=utf-8"
READS = [path.format(a="LIVE0001") for path in ROWS.values()]
OF_AN_ACCOUNT = [path for path in READS if "LIVE0001" in path and "cash" not in path]


class Errors(ReadingCase):
    def check(self, method, path, status, text, keys=LIVE, **more):
        """Assert that the answer has this status and exactly this body; the type is text/plain unless the body is
        empty."""
        reply = self.p.call(method, "/v1/api/" + path, keys=keys, **more)
        self.assertEqual((reply.status, reply.text), (status, text), f"{method} {path}")
        self.assertEqual(reply.headers["Content-Type"], TEXT if text else None)
        return reply

    def refused(self, body, *lines):
        """Assert a 400 in plain text with these lines, in any sequence."""
        reply = self.p.order(body, "LIVE0001")
        self.assertEqual((reply.status, sorted(reply.text.split("\n"))), (400, sorted(lines)))
        self.assertEqual(reply.headers["Content-Type"], TEXT)

    def document(self, reply, status, **wanted):
        """Assert that the answer has this status and exactly this JSON."""
        self.assertEqual((reply.status, reply.headers["Content-Type"], reply.json), (status, JSON, wanted))


class Statuses(Errors):
    def test_Y1_Y34_keys_missing_or_wrong_or_a_foreign_account(self):
        """Every GET is answered 404 `Not found` in plain text, so that the three cases look the same."""
        for path in READS:
            for keys in (None, ("live-key", "live-secre"), ("live-key", "paper-secret"), ("LIVE-KEY", "live-secret"),
                         ("", "")):
                self.check("GET", path, 404, "Not found", keys=keys)
        for path in OF_AN_ACCOUNT:
            self.check("GET", path, 404, "Not found", keys=PAPER)
            self.check("GET", path.replace("LIVE0001", "NOBODY"), 404, "Not found")

    def test_Y2_unknown_account(self):
        """Positions, pnl and closed positions are answered 404 `Not found`."""
        for what in ("positions", "pnl", "positions/closed"):
            self.check("GET", f"accounts/NOBODY/{what}", 404, "Not found")

    def test_Y3_an_account_id_is_compared_whole(self):
        """An id with added whitespace, quotes or other characters is answered 404 `Not found`."""
        for account in ("%20LIVE0001", "LIVE0001%20", "LIVE0001%22", "%22LIVE0001%22", "LIVE0001x", "LIVE000",
                        "LIVE0001%0A", "%09"):
            for what in ("positions", "pnl", "orders", "routes"):
                self.check("GET", f"accounts/{account}/{what}", 404, "Not found")

    def test_Y4_empty_account_id(self):
        """The answer is 404 `404 page not found`, as for every unknown path."""
        for path in ("accounts//positions", "accounts//pnl", "account/", "accounts/LIVE0001",
                     "accounts/LIVE0001/nothing", "x"):
            self.check("GET", path, 404, "404 page not found")

    def test_Y5_methods_on_positions(self):
        """The answer is 405 `405 method not allowed`."""
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            self.check(method, "accounts/LIVE0001/positions", 405, "405 method not allowed", body="{}")

    def test_Y6_head_on_reads(self):
        """The answer is 405 with an empty body."""
        for path in READS:
            self.check("HEAD", path, 405, "")

    def test_Y7_methods_on_the_order_endpoint(self):
        """The answer is 405 `405 method not allowed`. GET of one order has another path."""
        for method in ("GET", "PUT", "PATCH", "DELETE"):
            self.check(method, "accounts/LIVE0001/order", 405, "405 method not allowed")
        self.send("a")
        self.assertEqual(self.status("a"), "PendingNew")

    def test_Y8_post_on_the_plural_orders_endpoint(self):
        """The answer is 404 `Not found`."""
        self.check("POST", "accounts/LIVE0001/orders", 404, "Not found", body=json.dumps(stock()))
        self.assertEqual(self.get("orders"), {"orders": []})

    def test_Y9_options(self):
        """The answer is 200 and empty, without keys too. The order endpoint sends `Allow: POST`."""
        for path in READS:
            self.assertIsNone(self.check("OPTIONS", path, 200, "", keys=None).headers["Allow"])
        self.assertEqual(self.check("OPTIONS", "accounts/LIVE0001/order", 200, "", keys=None).headers["Allow"], "POST")

    def test_Y15_account_mismatch_on_post_order(self):
        """The answer is 400 with JSON. For a body that fails the schema, the schema's errors come first, in plain
        text."""
        for account in ("LIVE0001", "NOBODY"):
            self.document(self.p.order(stock("a"), account, PAPER), 400, statusCode="BadRequest",
                          message="PlaceOrderWithResponse", detail="Account was not found or lacks entitlements")
            self.assertEqual(self.p.order(stock("a", side="x"), account, PAPER).headers["Content-Type"], TEXT)

    def test_Y16_account_mismatch_on_delete_order(self):
        """The answer is 400 with JSON that names CancelOrderWithResponse."""
        self.send("a", limitPrice=1)
        for account in ("LIVE0001", "NOBODY"):
            reply = self.p.call("DELETE", f"/v1/api/accounts/{account}/orders/a", keys=PAPER)
            self.document(reply, 400, statusCode="BadRequest", message="CancelOrderWithResponse",
                          detail="Unable to fetch the account's orders")

    def test_Y17_no_keys_on_delete_order(self):
        """The answer is 401 with exactly this JSON."""
        self.send("a", limitPrice=1)
        for keys in (None, ("live-key", "x"), ("", "")):
            reply = self.p.call("DELETE", "/v1/api/accounts/LIVE0001/orders/a", keys=keys)
            self.assertEqual((reply.status, reply.text),
                             (401, '{"statusCode":"Unauthorized","message":"Token not provided","detail":null}'))
            self.assertEqual(reply.headers["Content-Type"], JSON)
        self.assertEqual(self.status("a"), "PendingNew")

    def test_Y18_cancel_of_what_cannot_be(self):
        """Canceling an order that is unknown, of another account, filled or canceled is answered 404 with plain
        text."""
        self.send("gone", limitPrice=1)
        self.p.cancel("gone", "LIVE0001")
        self.trade("Buy", "Open", 10, 190)
        filled = self.get("orders")["orders"][0]["clientOrderId"]
        self.send("other", "PAPER0001", limitPrice=1)
        for order_id in ("none", "gone", filled, "other"):
            self.check("DELETE", f"accounts/LIVE0001/orders/{order_id}", 404, "Order not found")

    def test_Y34_error_bodies_are_not_json_unless_stated(self):
        """A client must look at Content-Type: one path answers with both kinds of bodies."""
        plain, stated = self.p.order("{", "LIVE0001"), self.p.order(stock("a"), "NOBODY", LIVE)
        self.assertEqual((plain.headers["Content-Type"], stated.headers["Content-Type"]), (TEXT, JSON))
        with self.assertRaises(json.JSONDecodeError):
            json.loads(plain.body)


class Schema(Errors):
    def test_Y10_a_line_a_field(self):
        """Each field has one line `- <field>: <message>`; the lines are separated by \\n."""
        reply = self.p.order(stock("a", symbol="A/B", orderQuantity=0), "LIVE0001")
        self.assertEqual(reply.body, b"- symbol: Does not match pattern '^[a-zA-Z0-9._-]+$'\n"
                                     b"- orderQuantity: Must be greater than or equal to 1")
        self.assertEqual((reply.status, reply.headers["Content-Type"]), (400, TEXT))

    def test_Y11_a_missing_field_is_on_root(self):
        """A missing field is reported as `- (root): <field> is required`, in a leg as `- legs.0: <field> is
        required`."""
        self.refused({}, *[f"- (root): {f} is required" for f in
                           ("securityType", "symbol", "orderType", "orderQuantity", "timeInForce")])
        for field in ("securityType", "symbol", "side", "openClose", "orderType", "orderQuantity", "timeInForce"):
            self.refused(stock("a", **{field: None}), f"- (root): {field} is required")
        body = spread("a")
        del body["legs"]
        self.refused(body, "- (root): legs is required")
        good = leg(occ(strike=195), "Sell")
        for field in good:
            self.refused(spread(legs=[{k: v for k, v in leg(occ(), "Buy").items() if k != field}, good]),
                         f"- legs.0: {field} is required")

    def test_Y13_what_is_not_a_json_object(self):
        """The answer is 400 in plain text."""
        for body in ("", "{", "[1", "{} {}", '{"a":1,}', "{'a':1}", "[" * 200, '{"symbol":"\\ud800"}', b"\xff"):
            reply = self.p.order(body, "LIVE0001")
            self.assertEqual((reply.status, reply.headers["Content-Type"], reply.text[:14]),
                             (400, TEXT, "invalid JSON: "), body)
        self.refused("[]", "- (root): Invalid type. Expected: object, given: array")
        self.refused("7", "- (root): Invalid type. Expected: object, given: integer")

    def test_Y13_the_last_of_equal_keys_counts_and_unknown_ones_are_ignored(self):
        raw = json.dumps(
            stock("d1", route="SMART"))[:-1] + ', "clientOrderId": "d2", "orderId": "x", "postOnly": {"a": [1, {}]}}'
        self.assertEqual(self.p.order(raw, "LIVE0001").json["clientOrderId"], "d2")

    def test_Y24_invalid_type(self):
        """The message is `Invalid type. Expected: integer, given: number`."""
        for field, value, expected, given in (
                ("orderQuantity", 1.5, "integer", "number"), ("orderQuantity", "100", "integer", "string"),
                ("symbol", 1, "string", "integer"), ("side", None, "string", "null"),
                ("orderType", [], "string", "array"), ("limitPrice", "1", "number", "string"),
                ("limitPrice", None, "number", "null"),
                ("stopPrice", {}, "number", "object"), ("clientOrderId", 7, "string", "integer"),
                ("route", True, "string", "boolean")):
            self.refused({**stock("a"), field: value}, f"- {field}: Invalid type. Expected: {expected}, given: {given}")
        self.refused(spread(legs=[leg(occ(), "Buy"), leg(occ(strike=195), "Sell", ratio=1.5)]),
                     "- legs.1.ratio: Invalid type. Expected: integer, given: number")

    def test_Y25_symbol_pattern(self):
        """The message is `Does not match pattern '^[a-zA-Z0-9._-]+$'`, with straight quotes."""
        for symbol in ("A/B", "A B", "A@", "", "AAPL\n", " AAPL", "\u00c5APL", "AAPL  260116C00150000"):
            self.refused(stock("a", symbol=symbol), "- symbol: Does not match pattern '^[a-zA-Z0-9._-]+$'")

    def test_Y26_words(self):
        """The message is `<field> must be one of the following: "Buy", "Sell"`."""
        self.refused(stock("a", side="BUY"), '- side: side must be one of the following: "Buy", "Sell"')
        self.refused(stock("a", securityType="MLEG"),
                     '- securityType: securityType must be one of the following: "Stock", "Option", "Mleg"')
        self.refused(stock("a", orderType="limit"),
                     '- orderType: orderType must be one of the following: "Market", "Limit", "Stop", "StopLimit"')
        self.refused(stock("a", timeInForce="GTC"),
                     '- timeInForce: timeInForce must be one of the following: "Day", "GoodTillCancel", '
                     '"AtTheOpening", '
                     '"ImmediateOrCancel", "FillOrKill", "GoodTillCrossing", "Day_Plus", "GTC_Plus"')

    def test_Y27_quantity(self):
        """The message is `Must be less than or equal to 1e+06`."""
        for quantity in (1000001, 10 ** 30):
            self.refused(stock("a", orderQuantity=quantity), "- orderQuantity: Must be less than or equal to 1e+06")
        for quantity in (0, -5):
            self.refused(stock("a", orderQuantity=quantity), "- orderQuantity: Must be greater than or equal to 1")

    def test_Y28_option_limit(self):
        """The message is `Must be less than or equal to 9999.99`."""
        for price in ("10000", "9999.991", "1e4"):
            raw = json.dumps(option("a")).replace('"limitPrice": 20', f'"limitPrice": {price}')
            self.refused(raw, "- limitPrice: Must be less than or equal to 9999.99")

    def test_Y29_Y30_T7_number_of_legs(self):
        """The body is `Too few legs, invalid order.` or `Too many legs, invalid order.`, and nothing else."""
        for count, text in ((0, "Too few legs, invalid order."), (1, "Too few legs, invalid order."),
                            (5, "Too many legs, invalid order."), (40, "Too many legs, invalid order.")):
            self.refused(spread() | {"legs": [leg(occ(), "Buy")] * count}, text)

    def test_Y31_calendars(self):
        self.refused(spread(legs=[leg(occ(expiry="260116"), "Buy"), leg(occ(), "Sell")]),
                     "Calendar orders are not currently supported.")

    def test_Y32_common_divisor(self):
        """The message spells the word "devisor"."""
        self.refused(spread(legs=[leg(occ(), "Buy", ratio=2), leg(occ(strike=195), "Sell", ratio=2)]),
                     "Invalid order, leg ratios cannot have a common devisor.")

    def test_Y33_strategy(self):
        """A spread of two bought calls is not supported."""
        self.refused(spread(legs=[leg(occ(), "Buy"), leg(occ(strike=195), "Buy")]), "Strategy not supported.")


if __name__ == "__main__":
    unittest.main()
