"""Cancel all (group U of docs/readings.md, and the rows on errors, rates and ownership that concern it)."""
import unittest

from paper import LIVE, PAPER, occ, spread
from reading_case import CONTRACT, ReadingCase

PATH = "/v1/api/accounts/orders"


def form(boundary="xYz", **fields):
    """(body, content type) of a multipart form."""
    parts = "".join(f'--{boundary}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'
                    for k, v in fields.items())
    return (parts + f"--{boundary}--\r\n").encode(), f"multipart/form-data; boundary={boundary}"


class CancelAll(ReadingCase):
    def ask(self, body, content_type, keys=LIVE):
        return self.p.call("DELETE", PATH, body, keys=keys,
                           headers={"Content-Type": content_type} if content_type else None)

    def done(self, **fields):
        reply = self.ask(*form(**fields))
        self.assertEqual(reply.status, 200, reply.text)
        self.p.advance("1s")
        return reply.json

    def rest(self, *ids, **changes):
        for order_id in ids:
            self.send(order_id, limitPrice=1, **changes)
        self.p.advance("1s")

    def test_U1_one_order_by_its_client_order_id(self):
        self.rest("a", "b")
        self.assertEqual(self.p.cancel("a", "LIVE0001").status, 200)
        self.p.advance("1s")
        self.assertEqual([self.status(i) for i in "ab"], ["Canceled", "New"])

    def test_U4_a_cancel_before_the_order_registers(self):
        self.assertEqual(self.p.cancel("a", "LIVE0001").status, 404)
        self.rest("a")
        self.assertEqual(self.p.cancel("a", "LIVE0001").status, 200)

    def test_U5_the_canceled_order_is_the_answer(self):
        self.rest("a")
        row = self.p.cancel("a", "LIVE0001").json
        self.assertEqual((row["clientOrderId"], row["orderStatus"]), ("a", "PendingCancel"))

    def test_U6_a_multipart_form_carrying_account(self):
        self.rest("a", "b")
        self.send("held", symbol=CONTRACT, limitPrice=0.05)
        self.p.advance("1s")
        self.done(account="LIVE0001")
        self.assertEqual([self.status(i) for i in ("a", "b", "held")], ["Canceled"] * 3)

    def test_U6_how_clients_write_forms(self):
        plain, _ = form(account="LIVE0001")
        for n, (body, kind) in enumerate((
                (b"preamble\r\n" + plain, 'Multipart/Form-Data; boundary="xYz"'),
                (plain, "multipart/form-data; charset=utf-8; boundary=xYz"),
                (plain.replace(b'name="account"', b'name=account'), "multipart/form-data;boundary=xYz"),
                (plain.replace(b"Content-Disposition", b"content-disposition").replace(
                    b"\r\n\r\nLIVE", b"\r\nContent-Type: text/plain\r\n\r\nLIVE"), "multipart/form-data; boundary=xYz"),
                form(other="1", account="live0001", side="Buy"))):
            self.rest(f"o{n}")
            self.assertEqual(self.ask(body, kind).status, 200, kind)
            self.p.advance("1s")
            self.assertEqual(self.status(f"o{n}"), "Canceled")

    def test_U6_missing_field_or_another_content_type(self):
        self.rest("a")
        good, kind = form(account="LIVE0001")
        for body, content_type in (form(), form(accountId="LIVE0001"), form(account=""), (b"", kind),
                                   (good[:-30], kind),
                                   (good, "multipart/form-data"), (good, "multipart/form-data; boundary=other"),
                                   (good, "multipart/form-data; boundary=" + "x" * 71), (good, None),
                                   (b"account=LIVE0001", "application/x-www-form-urlencoded"),
                                   (b'{"account":"LIVE0001"}', "application/json"),
                                   (b"--xYz\r\n\r\n\r\n--xYz\r\n\r\n--xYz--\r\n", kind),
                                   (good.replace(b'name="account"', b'filename="account"'), kind)):
            reply = self.ask(body, content_type)
            self.assertEqual((reply.status, reply.headers["Content-Type"]), (400, "text/plain; charset=utf-8"), body)
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "New")

    def test_U7_the_same_answer_when_nothing_is_open(self):
        empty = self.done(account="LIVE0001")
        self.assertEqual(empty, {"message": "Cancel request submitted"})
        self.rest("a")
        self.assertEqual(self.done(account="LIVE0001"), empty)

    def test_O14_the_literal_path_wins(self):
        self.rest("orders")
        self.assertEqual(self.p.call("GET", PATH, keys=LIVE).status, 405)
        self.assertEqual(self.p.call("DELETE", PATH + "/orders/orders", keys=LIVE).json["message"],
                         "CancelOrderWithResponse")
        self.assertEqual(self.status("orders"), "New", "that path names an account 'orders'")

    def test_GAP_7_scoped_to_a_symbol(self):
        """The field is called symbol (a choice of this service): a ticker with its contracts, or one contract."""
        self.rest("a")
        self.rest("m", symbol="MSFT")
        self.send("c", symbol=CONTRACT, limitPrice=0.05)
        self.send("d", symbol=occ(strike=200), limitPrice=0.05)
        self.p.advance("1s")
        self.done(account="LIVE0001", symbol=CONTRACT)
        self.assertEqual([self.status(i) for i in "amcd"], ["New", "New", "Canceled", "New"])
        self.done(account="LIVE0001", symbol="AAPL")
        self.assertEqual([self.status(i) for i in "amcd"], ["Canceled", "New", "Canceled", "Canceled"])
        self.done(account="LIVE0001", symbol="")
        self.assertEqual(self.status("m"), "Canceled")

    def test_CON_6_key_pairs_are_refused_with_401(self):
        for keys in (None, ("live-key", "wrong")):
            reply = self.ask(*form(account="LIVE0001"), keys=keys)
            self.assertEqual((reply.status, reply.json),
                             (401, {"statusCode": "Unauthorized", "message": "Token not provided", "detail": None}))

    def test_CON_7_an_account_of_somebody_else(self):
        self.rest("a")
        for account in ("LIVE0001", "NOBODY", " PAPER0001"):
            reply = self.ask(*form(account=account), keys=PAPER)
            self.assertEqual((reply.status, reply.headers["Content-Type"]), (400, "application/json; charset=utf-8"))
            self.assertEqual(sorted(reply.json), ["detail", "message", "statusCode"])
            self.assertEqual(reply.json["statusCode"], "BadRequest")
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "New")

    def test_CON_8_every_state_there_is(self):
        """Filled, rejected and expired orders stay as they are. An order that is done for the day and works again
        later is canceled."""
        self.buy(1, 190.01)
        self.send("rejected", limitPrice=-1)
        self.rest("partial", "new")
        self.send("gtc", limitPrice=1, timeInForce="GoodTillCancel")
        self.send("day", limitPrice=1, symbol="MSFT")
        self.p.advance("1s")
        self.at("2026-01-15T22:00:00Z")
        self.send("waits", limitPrice=1)
        self.done(account="LIVE0001")
        self.assertEqual([self.status(i) for i in ("rejected", "new", "gtc", "day", "waits")],
                         ["Rejected", "DoneForDay", "Canceled", "DoneForDay", "Canceled"])
        self.assertTrue(self.p.lookup("rejected", "LIVE0001").json["text"].startswith("R145"), "no R130 over it")

    def test_partly_filled_and_multi_leg_orders(self):
        self.p.quote("F", 12, 12, 12, askSize=4)
        self.send("part", symbol="F", limitPrice=12)
        self.p.advance("1s")
        self.assertEqual(self.status("part"), "PartiallyFilled")
        self.done(account="LIVE0001")
        row = self.p.lookup("part", "LIVE0001").json
        self.assertEqual((row["orderStatus"], row["executed"], row["canceledQuantity"]), ("Canceled", 4, 6))
        self.p.order(spread("m", limitPrice=0.01), "PAPER0001")
        self.p.advance("1s")
        self.assertEqual(self.ask(*form(account="PAPER0001", symbol="AAPL"), keys=PAPER).status, 200)
        self.p.advance("1s")
        self.assertEqual(self.status("m", "PAPER0001"), "Canceled")

    def test_pushes(self):
        stream = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.send("a", limitPrice=1)
        self.p.advance("1s")
        self.done(account="LIVE0001")
        self.assertEqual([stream.order()["orderStatus"] for _ in range(4)],
                         ["PendingNew", "New", "PendingCancel", "Canceled"])

    def test_faults_and_the_log_name_it(self):
        self.p.control("POST", "faults", {"on": "DELETE orders", "do": "status", "status": 503})
        self.assertEqual(self.ask(*form(account="LIVE0001")).status, 503)
        self.assertEqual(self.ask(*form(account="LIVE0001")).status, 200)
        self.assertEqual([r["effect"] for r in self.p.control("GET", "requests")["requests"]], [False, True])


if __name__ == "__main__":
    unittest.main()
