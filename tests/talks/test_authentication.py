"""Key pairs (group W of the readings)."""
import http.client
import unittest

from endpoints import ACCOUNT_READS, READS, Endpoints, writes
from paper import LIVE, PAPER, Closed, Paper, in_world, stock

REFUSED = {"statusCode": "Unauthorized", "message": "Token not provided", "detail": None}
NAMES = ("SVC-API-KEY-ID", "SVC-API-SECRET-KEY")
NOBODY = ("", "")


class Keys(Endpoints):
    def send_as(self, headers, method="GET", path="accounts", body=None):
        return self.p.call(method, "/v1/api/" + path, body, keys=None, headers=headers)

    def not_found(self, reply, what):
        self.assertEqual((reply.status, reply.text, reply.headers["Content-Type"]),
                         (404, "Not found", "text/plain; charset=utf-8"), what)

    def unauthorized(self, reply, what):
        self.assertEqual((reply.status, reply.json, reply.headers["Content-Type"]),
                         (401, REFUSED, "application/json; charset=utf-8"), what)

    def test_W1_every_call_carries_both_headers(self):
        """If one of the headers is missing, empty or of another pair, the service refuses the call, which then has no
        effect."""
        both = dict(zip(NAMES, LIVE))
        self.assertEqual(self.send_as(both).status, 200)
        body = stock("a", route="SMART")
        for headers in ({}, {NAMES[0]: LIVE[0]}, {NAMES[1]: LIVE[1]}, {**both, NAMES[1]: ""}, {**both, NAMES[0]: ""},
                        {**both, NAMES[1]: PAPER[1]}, {**both, NAMES[0]: PAPER[0]},
                        {NAMES[0]: LIVE[1], NAMES[1]: LIVE[0]}):
            self.not_found(self.send_as(headers), headers)
            self.not_found(self.send_as(headers, "POST", "accounts/LIVE0001/order", body), headers)
        self.assertEqual(self.p.lookup("a", "LIVE0001").status, 404)

    def test_W2_header_names_are_case_insensitive(self):
        for change in (str.lower, str.upper, str.title, str.swapcase):
            names = [change("Svc-Api-Key-Id"), change("Svc-Api-Secret-Key")]
            self.assertEqual(self.send_as(dict(zip(names, LIVE))).status, 200, names)

    def test_W3_values_are_compared_character_for_character(self):
        """A value in another case, cut short, longer, or with blanks inside is refused. HTTP itself strips blanks
        around a value."""
        key, secret = LIVE
        for wrong in ((key.upper(), secret), (key, secret.upper()), (key[:-1], secret), (key, secret[:-1]),
                      (key + "x", secret),
                      (key, secret + "x"), (key, secret * 50), (key, secret[0]), (f'"{key}"', secret),
                      (key.replace("-", " "), secret)):
            self.not_found(self.send_as(dict(zip(NAMES, wrong))), wrong)
        self.assertEqual(self.send_as(dict(zip(NAMES, (f"  {key} ", f"\t{secret} \t")))).status, 200)

    def test_W5_a_pair_reaches_its_environment(self):
        """Paper keys do not own the live account."""
        for keys, account in ((PAPER, "LIVE0001"), (LIVE, "PAPER0001")):
            self.not_found(self.p.get(f"account/{account}", keys), keys)
            self.assertEqual(self.p.order(stock("a", route="SMART"), account, keys).status, 400)
            self.assertEqual([r["account"] == account for r in self.p.get("accounts", keys).json["accounts"]], [False])

    def key(self, name, **fields):
        self.p.control("PUT", "keys/" + name, fields)

    def signs_in(self, *keys):
        """Returns whether the service accepts the keys, for a call of each kind."""
        seen = {self.ask("GET", "accounts", keys=keys).status == 200,
                self.ask("GET", "account/LIVE0001", keys=keys).status == 200,
                self.ask("DELETE", "accounts/LIVE0001/orders/none", keys=keys).status != 401}
        self.assertEqual(len(seen), 1)
        return seen.pop()

    def test_W6_keys_do_not_expire(self):
        self.at("2028-01-14T15:00:00Z")
        self.assertTrue(self.signs_in(*LIVE))

    def test_W6_a_secret_made_anew(self):
        """The old secret is rejected from then on. A stream that is signed in stays connected (a reading)."""
        s = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        self.key("live-key", secret="second")
        self.assertFalse(self.signs_in(*LIVE))
        self.assertTrue(self.signs_in("live-key", "second"))
        self.p.order(stock("a", route="SMART"), "LIVE0001", ("live-key", "second"))
        self.assertEqual(s.order()["status"], "PendingNew")
        late = self.p.stream()
        late.send(dict(zip(("key", "secret"), LIVE)))
        self.assertEqual([late.json()["status"] for _ in range(2)], ["PENDING_AUTH", "FAILED_AUTH"])

    def test_W6_a_key_disabled_and_a_new_one(self):
        self.key("live-key", disabled=True)
        self.assertFalse(self.signs_in(*LIVE))
        self.key("next", secret="x", accounts=["LIVE0001"])
        self.assertTrue(self.signs_in("next", "x"))
        self.key("live-key", disabled=False)
        self.assertTrue(self.signs_in(*LIVE))

    def test_W7_get_and_post_without_a_pair(self):
        """The answer is 404 in plain text."""
        self.rest("a")
        for keys in (NOBODY, ("live-key", "wrong")):
            for row, path in READS.items():
                self.not_found(self.ask("GET", path.format(a="LIVE0001"), keys=keys), row)
            for row, (method, path, body) in writes("LIVE0001").items():
                if method == "POST":
                    self.not_found(self.ask(method, path, body, keys=keys), row)

    def test_W8_delete_without_a_pair(self):
        """The answer is 401 with JSON, and the order is not canceled."""
        self.rest("a")
        for keys in (NOBODY, ("live-key", "wrong")):
            for row, (method, path, body) in writes("LIVE0001").items():
                if method == "DELETE":
                    self.unauthorized(self.ask(method, path, body, keys=keys), row)
        self.assertEqual(self.send_as({}, "DELETE", "accounts/LIVE0001/orders/a").text,
                         '{"statusCode":"Unauthorized","message":"Token not provided","detail":null}')
        self.p.advance("1s")
        self.assertEqual(self.status("a"), "New")

    def test_W9_reads_of_an_account_of_somebody_else(self):
        """The answer is 404; cash answers 200 with an empty list."""
        self.rest("a")
        for row, path in ACCOUNT_READS.items():
            for account in ("LIVE0001", "NOBODY"):
                reply = self.ask("GET", path.format(a=account), keys=PAPER)
                if row == "O6":
                    self.assertEqual((reply.status, reply.json["cashHistory"],
                                      reply.json["pagination"]["totalRecords"]),
                                     (200, [], 0))
                else:
                    self.not_found(reply, row)

    def test_W10_calls_for_an_account_of_somebody_else(self):
        """Placing, canceling, canceling all and locates are answered with 400 and JSON, and have no effect."""
        self.rest("a")
        for account in ("LIVE0001", "NOBODY"):
            for row, (method, path, body) in writes(account).items():
                reply = self.ask(method, path, body, keys=PAPER)
                self.assertEqual((reply.status, reply.headers["Content-Type"]),
                                 (400, "application/json; charset=utf-8"), row)
                self.assertEqual(sorted(reply.json), ["detail", "message", "statusCode"], row)
                self.assertEqual(reply.json["statusCode"], "BadRequest")
        self.p.advance("2s")
        self.assertEqual(self.status("a"), "New")
        self.assertEqual([r["clientOrderId"] for r in self.get("orders")["orders"]], ["a"])
        self.assertEqual(self.get("locates/history"), {"locateHistory": []})

    def test_W11_a_stream_is_signed_in_and_then_subscribed(self):
        """A client sends key and secret first, then the subscription; wrong keys end the stream (1008)."""
        for name, subscription in (("portfolio", {"accountId": "LIVE0001", "subscriptions": ["Order"]}),
                                   ("pnl", {"account": "LIVE0001"})):
            s = self.p.stream(name)
            self.assertEqual(s.json()["status"], "PENDING_AUTH")
            s.send(subscription)
            self.assertEqual(s.json()["status"], "INVALID_DATA", "not before the keys")
            s.send({"key": LIVE[0], "secret": LIVE[1]})
            self.assertEqual(s.json()["status"], "CONNECTED")
            s.send(subscription)
            self.assertIn(s.json()["action"], ("meta", "init"))
            s = self.p.stream(name)
            s.send({"key": LIVE[0], "secret": PAPER[1]})
            self.assertEqual([s.json()["status"] for _ in range(2)], ["PENDING_AUTH", "FAILED_AUTH"])
            with self.assertRaises(Closed) as closed:
                s.json()
            self.assertEqual(closed.exception.code, 1008)

    def test_W11_no_answer_need_be_waited_for(self):
        """Both messages may be sent at once, before the hello is read."""
        s = self.p.stream()
        s.send({"key": LIVE[0], "secret": LIVE[1]})
        s.send({"accountId": "LIVE0001", "subscriptions": ["Order"]})
        self.rest("a")
        self.assertEqual(s.order()["userOrderId"], "LIVE0001:a")


class Buckets(unittest.TestCase):
    def test_W13_calls_of_one_pair_share_their_buckets(self):
        """Calls over all connections of a key pair are counted together; another key pair has its own limit."""
        path = "/v1/api/accounts/LIVE0001/orders/start-date/2026-01-15"  # one a second
        with Paper(limits=True) as p:
            connections = [http.client.HTTPConnection("127.0.0.1", p.port, timeout=600) for _ in range(4)]
            for connection in connections:
                connection.connect()
            statuses = []
            for connection in connections:
                connection.request("GET", path, headers=dict(zip(NAMES, LIVE)))
                answer = connection.getresponse()
                statuses.append(answer.status)
                answer.read()
                connection.close()
            self.assertEqual((statuses[0], 429 in statuses[1:]), (200, True), statuses)
            self.assertEqual(p.call("GET", path.replace("LIVE", "PAPER"), keys=PAPER).status, 200)

    def test_W13_and_so_do_its_accounts(self):
        world = "accounts: {A: {}, B: {}}\nkeys: {k: {secret: s, accounts: [A, B]}, l: {secret: s, accounts: [A]}}"
        with in_world(world, limits=True) as p:
            statuses = [p.get(f"accounts/{a}/orders/start-date/2026-01-15", ("k", "s")).status for a in "ABABA"]
            self.assertEqual((statuses[0], 429 in statuses[1:]), (200, True), statuses)
            self.assertEqual(p.get("accounts/A/orders/start-date/2026-01-15", ("l", "s")).status, 200)


if __name__ == "__main__":
    unittest.main()
