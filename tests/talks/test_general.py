"""Scope and general conventions (group A of docs/readings.md)."""
import datetime
import re
import unittest

from endpoints import ACCOUNT_READS, READS, SLASH, Endpoints, members, writes
from orders import is_number
from paper import LIVE, PAPER, Closed, Paper, Stream, stock

JSON = "application/json; charset=utf-8"
TIMES = "createdDate updatedDate startTime startTimeET lastUpdated tradeDate settleDate entryDate".split()
NUMBERS = ("availableCash buyingPower bp equity leverage maintenanceDeficit marginDeficit marginRatio "
           "optContractsTraded optLevel "
           "optionTradingLevel optionCashTotalBalance overnightBp realized sharesTraded sodEquity totalCommissions "
           "totalLocateCosts "
           "usedLeverage shares priceAvg priceOpen priceClose priceStrike marginRequirement maintenanceRequirement "
           "accountValue "
           "allowedLeverage dayPnl dayRealized dayUnrealized equityRatio exposure optionCashUsed totalUnrealized "
           "realizedPnl "
           "unrealizedPnL dayRealizedPnl dayUnrealizedPnL pctPnLMove dayPctPnLMove sharesIn sharesOut executed "
           "leavesQuantity "
           "canceledQuantity orderQuantity lastPrice lastQuantity limitPrice priceStop maxDisplayQuantity "
           "pegDifference strikePrice "
           "legCount cancelledQuantity lastQty lvsQty maxDisplayQty mlegID legIndex index qty lastPx avgPx cxlQty "
           "tradeId price "
           "grossProceeds netProceeds commission totalFees mLegId spreadType locateShares filledShares locateStatus "
           "locateType "
           "locatePrice locateError available sold toBeSold unavailable deposit withdraw currentLimit currentOffset "
           "totalRecords").split()


class General(Endpoints):
    def status(self, method, path, **more):
        reply = self.p.call(method, path, keys=LIVE, **more)
        return reply.status, reply.text

    def test_A1_two_streams_and_nothing_else_is_pushed(self):
        """Only /stream/portfolio and /stream/pnl can be upgraded."""
        for name in ("portfolio", "pnl"):
            self.assertEqual(self.p.stream(name).json()["status"], "PENDING_AUTH")
        for path in ("/stream", "/stream/", "/stream/other", "/stream/portfolio/x", "/stream/Portfolio",
                     "/v1/api/accounts", "/v1/api/stream/pnl", "/"):
            with self.assertRaises(Closed, msg=path):
                Stream(self.p.port, path)

    def test_A2_every_capability(self):
        """Each of the 21 endpoints and both streams give a good answer."""
        self.busy()
        answers = {row: self.read(row) for row in READS}
        answers.update((row, self.ask(*call)) for row, call in writes("LIVE0001").items())
        self.assertEqual({row: reply.status for row, reply in answers.items()}, {f"O{n}": 200 for n in range(1, 22)})
        for row, reply in answers.items():
            self.assertTrue(reply.json, row)
        self.p.portfolio("LIVE0001")
        pnl = self.p.stream("pnl")
        pnl.send({"key": LIVE[0], "secret": LIVE[1]})
        pnl.send({"account": "LIVE0001"})
        self.assertEqual([pnl.json().get(k) for k in ("status", "status", "action")],
                         ["PENDING_AUTH", "CONNECTED", "init"])

    def test_A3_there_is_no_modify(self):
        """PUT and PATCH are answered 405, and the order is unchanged."""
        self.rest("a")
        before = self.p.lookup("a", "LIVE0001").text
        for method in ("PUT", "PATCH"):
            for path in ("order", "order/a", "orders/a"):
                self.assertEqual(self.status(method, f"/v1/api/accounts/LIVE0001/{path}",
                                             body=stock("a", limitPrice=90)),
                                 (405, "405 method not allowed"), path)
        self.assertEqual(self.p.lookup("a", "LIVE0001").text, before)

    def test_A4_every_path_starts_with_the_prefix(self):
        self.rest("a")
        for row, path in READS.items():
            path = path.format(a="LIVE0001")
            self.assertEqual(self.status("GET", f"/v1/api/{path}")[0], 200, row)
            for prefix in ("/", "/api/", "/v1/", "/v2/api/", "/v1/api/v1/api/"):
                self.assertEqual(self.status("GET", prefix + path)[0], 404, prefix + path)
        for row, (method, path, body) in writes("LIVE0001").items():
            self.assertEqual(self.status(method, "/" + path, body=body)[0], 404, row)
        self.assertEqual(self.status("GET", "/v1/api")[0], 404)

    def test_A5_literals_are_case_sensitive(self):
        """A path with one of its literals in capitals is answered 404."""
        self.rest("a")
        calls = [("GET", path, None) for path in READS.values()] + list(writes("{a}").values())
        for method, path, body in calls:
            segments = ["v1", "api", *path.split("/")]
            for i, segment in enumerate(segments):
                other = segment.swapcase() if segment == "quoteReqID" else segment.upper()
                if segment == "{a}" or segment == other or (segment in "aw" and i == len(segments) - 1):
                    continue
                wrong = "/".join(["", *segments[:i], other, *segments[i + 1:]]).replace("{a}", "LIVE0001")
                self.assertEqual(self.status(method, wrong, body=body)[0], 404, wrong)
        self.assertEqual(self.status("GET", "/v1/api/ACCOUNTS"), (404, "404 page not found"))

    def test_A6_A7_json_whatever_is_accepted(self):
        """The content type is the same byte for byte on every 200 with a body, and the body is the same for any
        Accept."""
        self.busy()
        for row in READS:
            path = READS[row].format(a="LIVE0001")
            plain = self.ask("GET", path)
            for accept in ("text/xml", "text/html;q=0.9", "*/*", "application/json;charset=iso-8859-1", ""):
                reply = self.ask("GET", path, headers={"Accept": accept})
                self.assertEqual((reply.status, reply.headers["Content-Type"], reply.text), (200, JSON, plain.text),
                                 row)
        for row, (method, path, body) in writes("LIVE0001").items():
            reply = self.ask(method, path, body, headers={"Accept": "text/xml"})
            self.assertEqual((reply.status, reply.headers["Content-Type"]), (200, JSON), row)
            self.assertIsInstance(reply.json, dict)

    def test_A10_one_address_and_the_keys_select(self):
        """The same URL gives different accounts for different keys."""
        for keys, account, kind in ((PAPER, "PAPER0001", "Paper"), (LIVE, "LIVE0001", "Live")):
            rows = self.p.get("accounts", keys).json["accounts"]
            self.assertEqual([(r["account"], r["accountType"]) for r in rows], [(account, kind)])

    def test_A13_account_ids_are_folded_and_echoed_in_capitals(self):
        """Account ids may have any case on every path, in bodies and on streams."""
        self.busy()
        for row, path in ACCOUNT_READS.items():
            usual = self.ask("GET", path.format(a="LIVE0001"))
            for account in ("live0001", "LiVe0001"):
                reply = self.ask("GET", path.format(a=account))
                self.assertEqual((reply.status, reply.text), (200, usual.text), row)
        self.assertEqual(self.ask("GET", "account/live0001").json["account"], "LIVE0001")
        for row in ("O4", "O5", "O6", "O8", "O10", "O11", "O20", "O21"):
            owners = {value for path, value in members(self.read(row).json) if path[-1] == "accountId"}
            self.assertEqual(owners, {"LIVE0001"}, row)
        for row, (method, path, body) in writes("live0001").items():
            if row == "O12":
                body = {**body, "route": "SMART"}
            self.assertEqual(self.ask(method, path, body).status, 200, row)
        self.assertEqual(self.p.lookup("w", "live0001").status, 404, "with the keys of the other account")
        self.assertEqual(self.p.lookup("w", "LIVE0001").json["accountId"], "LIVE0001")
        self.p.portfolio("live0001", LIVE)

    def test_A14_a_final_slash_on_account_position_and_cash_paths(self):
        """These paths are served with a final slash as without, and not redirected; other paths are answered 404."""
        self.busy()
        for row, path in READS.items():
            path = path.format(a="LIVE0001")
            reply = self.ask("GET", path + "/")
            if row in SLASH:
                self.assertEqual((reply.status, reply.text), (200, self.ask("GET", path).text), row)
            else:
                self.assertEqual((reply.status, reply.text), (404, "Not found"), row)
        for row, (method, path, body) in writes("LIVE0001").items():
            self.assertEqual(self.ask(method, path + "/", body).status, 404, row)

    def test_A16_field_names_are_case_exact(self):
        """A field name in another case counts as absent."""
        for field in ("securityType", "symbol", "side", "openClose", "orderType", "orderQuantity", "timeInForce"):
            for other in (field.upper(), field[0].upper() + field[1:]):
                body = stock("a", route="SMART")
                body[other] = body.pop(field)
                reply = self.p.order(body, "LIVE0001")
                self.assertEqual((reply.status, reply.text), (400, f"- (root): {field} is required"), other)
        for field in ("account", "symbol", "quantity", "quoteReqID"):
            method, path, body = writes("LIVE0001")["O16"]
            body[field.lower() if field == "quoteReqID" else field.capitalize()] = body.pop(field)
            self.assertEqual(self.ask(method, path, body).status, 400, field)
        s = self.p.stream()
        s.send({"Key": LIVE[0], "Secret": LIVE[1]})
        s.send({"key": LIVE[0], "secret": LIVE[1]})
        s.send({"AccountId": "LIVE0001", "subscriptions": ["Order"]})
        self.assertEqual([s.json()["status"] for _ in range(4)],
                         ["PENDING_AUTH", "INVALID_DATA", "CONNECTED", "INVALID_DATA"])

    def test_A17_numbers_are_json_numbers(self):
        """Every numeric field in every document is a JSON number. The open positionId is the only string that looks
        like a number."""
        self.busy()
        seen = set()
        for row, document in self.documents().items():
            for path, value in members(document):
                seen.add(path[-1])
                where = f"{row} {path} {value!r}"
                if path[-1] == "positionId":
                    self.assertIsInstance(value, int if row == "O5" else str, where)
                elif path[-1] in NUMBERS:
                    self.assertTrue(is_number(value), where)
                elif not isinstance(value, bool):
                    self.assertIsInstance(value, (str, type(None)), where)
        self.assertEqual(set(NUMBERS) - seen, set(), "each was seen")

    def test_A17_decimals_are_written_out(self):
        """Decimals are written without an exponent, and are not rounded to a double."""
        self.busy()
        texts = [self.read(row).text for row in READS]
        for text in texts:
            self.assertEqual(re.findall(r"[:\[,]-?\d[\d.]*[eE][+-]?\d+", text), [])
        self.assertIn('"priceAvg":100.25,', self.read("O4").text)
        self.assertIn('"priceClose":11.05,', self.read("O5").text)

    def test_A18_timestamps_are_iso_8601(self):
        """Timestamps have an offset. execTime, written HH:MM:SS, is the exception."""
        self.busy()
        seen = set()
        for row, document in self.documents().items():
            for path, value in members(document):
                if path[-1] == "execTime":
                    self.assertRegex(value, r"^\d\d:\d\d:\d\d$")
                elif path[-1] in TIMES:
                    seen.add(path[-1])
                    parts = re.match(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,7})?(Z|[+-]\d\d:\d\d)$", value)
                    self.assertTrue(parts, f"{row} {path} {value}")
                    instant = datetime.datetime.fromisoformat(parts[1] + parts[3].replace("Z", "+00:00"))
                    self.assertIn(instant.astimezone(datetime.timezone.utc).date().isoformat(),
                                  ("2026-01-15", "2026-01-16"))
        self.assertEqual(seen, set(TIMES))


class Names(unittest.TestCase):
    def test_A19_header_names(self):
        """The names are configured; SVC stands for a vendor's prefix."""
        with Paper() as p:
            self.assertEqual(p.call("GET", "/v1/api/accounts", keys=None,
                                    headers={"SVC-API-KEY-ID": PAPER[0], "SVC-API-SECRET-KEY": PAPER[1]}).status, 200)
            for names in (("API-KEY-ID", "API-SECRET-KEY"), ("ACME-X-API-KEY-ID", "ACME-X-API-SECRET-KEY"),
                          ("SVC-API-KEY", "SVC-API-SECRET"), ("SVC_API_KEY_ID", "SVC_API_SECRET_KEY")):
                reply = p.call("GET", "/v1/api/accounts", keys=None, headers=dict(zip(names, PAPER)))
                self.assertEqual((reply.status, reply.text), (404, "Not found"), names)
        with Paper("--header-prefix", "Acme-X") as p:
            self.assertEqual(p.get("accounts").status, 404)
            names = {"ACME-X-API-KEY-ID": PAPER[0], "acme-x-api-secret-key": PAPER[1]}
            self.assertEqual(p.call("GET", "/v1/api/accounts", keys=None, headers=names).status, 200)


if __name__ == "__main__":
    unittest.main()
