"""How documents travel: gzip, caching, IPv6 (A8, A9)."""
import gzip
import http.client
import json
import socket
import subprocess
import unittest

from matrix import Row
from paper import LIVE, PAPER, Paper, Stream, stock


class Documents(Row):
    ACCOUNT = ("accounts", "account/LIVE0001", "accounts/LIVE0001/pnl")  # list, detail and pnl group

    def ask(self, path, encoding):
        return self.p.call("GET", "/v1/api/" + path, keys=LIVE, headers={"Accept-Encoding": encoding})

    def test_A8_account_endpoints_are_packed_where_asked(self):
        for path in self.ACCOUNT:
            plain = self.ask(path, "identity")
            self.assertIsNone(plain.headers["Content-Encoding"])
            for encoding in ("gzip", "deflate, gzip;q=1.0, *;q=0.5", "br,GZIP", "gzip ;q=0.1"):
                packed = self.ask(path, encoding)
                self.assertEqual((packed.status, packed.headers["Content-Encoding"]), (200, "gzip"), encoding)
                self.assertEqual(packed.headers["Content-Type"], "application/json; charset=utf-8")
                self.assertEqual(int(packed.headers["Content-Length"]), len(packed.body))
                self.assertEqual(gzip.decompress(packed.body), plain.body)

    def test_A8_not_where_it_is_not_wanted(self):
        for encoding in ("identity", "", "deflate", "gzip;q=0", "gzip;q=0.000, br", "gzipped", "x-gzip"):
            reply = self.ask("accounts", encoding)
            self.assertIsNone(reply.headers["Content-Encoding"], encoding)
            self.assertEqual(len(reply.json["accounts"]), 1)
        for path in ("accounts/LIVE0001/orders", "accounts/LIVE0001/routes"):
            self.assertIsNone(self.ask(path, "gzip").headers["Content-Encoding"])

    def test_A8_it_may_be_switched_off(self):
        self.p.control("PUT", "switches", {"gzip": False})
        for path in self.ACCOUNT:
            self.assertIsNone(self.ask(path, "gzip").headers["Content-Encoding"])

    def test_A8_the_same_bytes_every_time(self):
        self.assertEqual(self.ask("accounts", "gzip").body, self.ask("accounts", "gzip").body)

    def test_A8_long_documents(self):
        """more than one piece of the packer"""
        lots = [{"symbol": "AAPL", "side": "Long", "shares": n + 1, "priceAvg": 100 + n} for n in range(1500)]
        self.p.control("PUT", "positions/LIVE0001", lots)
        packed = self.ask("accounts/LIVE0001/pnl", "gzip")
        rows = json.loads(gzip.decompress(packed.body))["pnl"]
        self.assertEqual(len(rows), 1500)
        self.assertLess(len(packed.body), 100000)

    def test_A8_curl_reads_it(self):
        done = subprocess.run(["curl", "-s", "--compressed", "-H", f"SVC-API-KEY-ID: {LIVE[0]}", "-H",
                               f"SVC-API-SECRET-KEY: {LIVE[1]}", self.p.url + "/v1/api/accounts"],
                              capture_output=True, text=True, timeout=20, check=True)
        self.assertEqual(json.loads(done.stdout)["accounts"][0]["account"], "LIVE0001")

    def test_A8_a_truncated_packed_answer(self):
        self.p.control("POST", "faults", {"on": "GET accounts", "do": "truncate"})
        with self.assertRaises(http.client.IncompleteRead):
            self.p.call("GET", "/v1/api/accounts", keys=LIVE, headers={"Accept-Encoding": "gzip"}, fresh=True)

    def test_A9_account_endpoints_must_not_be_cached(self):
        for path in self.ACCOUNT:
            for encoding in ("identity", "gzip"):
                self.assertEqual(self.ask(path, encoding).headers["Cache-Control"], "max-age=0, no-cache, no-store")

    def test_A9_nor_is_anything_said_of_others(self):
        self.assertIsNone(self.ask("accounts/LIVE0001/orders", "identity").headers["Cache-Control"])


def has_ipv6():
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


class Version6(unittest.TestCase):
    def setUp(self):
        if not has_ipv6():
            self.skipTest("this machine has no ::1")
        self.p = Paper("--listen", "[::1]:0")
        self.addCleanup(self.p.stop)

    def test_requests_and_streams(self):
        self.assertTrue(self.p.url.startswith("http://[::1]:"))
        connection = http.client.HTTPConnection("::1", self.p.port, timeout=20)
        keys = {"SVC-API-KEY-ID": PAPER[0], "SVC-API-SECRET-KEY": PAPER[1]}
        connection.request("POST", "/v1/api/accounts/PAPER0001/order", json.dumps(stock("a")), keys)
        answer = connection.getresponse()
        self.assertEqual((answer.status, json.loads(answer.read())["clientOrderId"]), (200, "a"))
        connection.request("PUT", "/paper/clock", '{"advance":"1s"}')
        self.assertEqual(connection.getresponse().read(), b'{"now":"2026-01-15T15:00:01Z"}')
        connection.close()
        stream = Stream(self.p.port, "/stream/portfolio", "::1")
        self.assertEqual(stream.json()["status"], "PENDING_AUTH")
        stream.close()

    def test_it_listens_there_alone(self):
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.1", self.p.port), timeout=20)


if __name__ == "__main__":
    unittest.main()
