"""How documents are sent: gzip, caching, TLS, IPv6 (A8, A9)."""
import gzip
import http.client
import json
import signal
import socket
import ssl
import subprocess
import unittest

from paper import LIVE, PAPER, Closed, Paper, SomeFile, Stream, stock
from reading_case import ReadingCase


class Documents(ReadingCase):
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
        """The documents are longer than one piece of the compressor's output."""
        lots = [{"symbol": "AAPL", "side": "Long", "shares": n + 1, "priceAvg": 100 + n} for n in range(1500)]
        self.p.control("PUT", "positions/LIVE0001", lots)
        packed = self.ask("accounts/LIVE0001/pnl", "gzip")
        rows = json.loads(gzip.decompress(packed.body))["pnl"]
        self.assertEqual(len(rows), 1500)
        self.assertLess(len(packed.body), 100000)

    def test_A8_curl_reads_it(self):
        done = subprocess.run(["curl", "-s", "--compressed", "-H", f"SVC-API-KEY-ID: {LIVE[0]}", "-H",
                               f"SVC-API-SECRET-KEY: {LIVE[1]}", self.p.url + "/v1/api/accounts"],
                              capture_output=True, text=True, timeout=600, check=True)
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


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.file = SomeFile("cert.pem")
        cert = cls.file.path
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-keyout", cert + ".key", "-out", cert, "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        cls.trust = ssl.create_default_context(cafile=cert)

    @classmethod
    def tearDownClass(cls):
        cls.file.__exit__()

    def setUp(self):
        self.p = Paper("--tls-cert", self.file.path, "--tls-key", self.file.path + ".key", trust=self.trust)
        self.addCleanup(self.p.stop)

    def test_requests_on_one_connection(self):
        self.assertTrue(self.p.url.startswith("https://127.0.0.1:"))
        for _ in range(3):
            self.assertEqual(self.p.get("accounts").status, 200)
        lots = [{"symbol": "AAPL", "side": "Long", "shares": 1, "priceAvg": 1}] * 10000
        self.p.control("PUT", "positions/LIVE0001", lots)
        self.assertEqual(len(self.p.get("accounts/LIVE0001/positions", LIVE).json["positions"]), 10000)

    def test_streams(self):
        stream = self.p.portfolio(subscriptions=["Order"])
        for n in range(50):
            self.p.order(stock(f"o{n}"))
        self.assertEqual([stream.order()["userOrderId"] for _ in range(50)], [f"PAPER0001:o{n}" for n in range(50)])
        self.p.process.send_signal(signal.SIGTERM)
        with self.assertRaises(Closed) as closed:
            stream.order()
        self.assertEqual(closed.exception.code, 1001)

    def test_who_does_not_trust_it_or_does_not_speak_tls(self):
        with self.assertRaises(ssl.SSLError):
            Stream(self.p.port, "/stream/portfolio", trust=ssl.create_default_context())
        with socket.create_connection(("127.0.0.1", self.p.port), timeout=600) as s:
            s.sendall(b"GET /v1/api/accounts HTTP/1.1\r\nHost: x\r\n\r\n")
            try:
                self.assertNotIn(b"200 OK", s.recv(1000))
            except ConnectionResetError:
                pass
        self.assertEqual(self.p.get("accounts").status, 200)


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
        connection = http.client.HTTPConnection("::1", self.p.port, timeout=600)
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
            socket.create_connection(("127.0.0.1", self.p.port), timeout=600)


if __name__ == "__main__":
    unittest.main()
