"""The program and its port: options, exit codes, bodies, and pipelining."""
import json
import os
import socket
import subprocess
import unittest
import urllib.parse

from paper import PAPER, Paper, SomeFile, stock

PROGRAM = os.environ["ORDERGATE_PAPER"]


def run(*args):
    return subprocess.run([PROGRAM, *args], capture_output=True, text=True, timeout=600)


class Program(unittest.TestCase):
    def test_help_and_version(self):
        for option in ("--help", "--version"):
            done = run(option)
            self.assertEqual((done.returncode, done.stderr), (0, ""), option)
            self.assertTrue(done.stdout)

    def test_usage(self):
        for args in (["--nonsense"], ["file"], ["--listen", "8787"], ["--listen", "127.0.0.1:99999"],
                     ["--clock", "noon"],
                     ["--clock", "2026-01-15T15:00:00Z@0"], ["--seed", "x"], ["--tls-cert", "a"],
                     ["--header-prefix", ""],
                     ["--max-connections", "0"], ["--max-connections", "9000"], ["--request-log"],
                     ["--control", "--listen", "0.0.0.0:0"]):
            done = run(*args)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)

    def test_port_in_use(self):
        with Paper() as p:
            done = run("--listen", f"127.0.0.1:{p.port}")
            self.assertEqual((done.returncode, done.stdout), (4, ""))
            self.assertIn("in use", done.stderr)

    def test_unusable_database(self):
        with SomeFile("no.db") as path:
            with open(path, "w") as file:
                file.write("this is not a database, and long enough to be sure of it\n" * 40)
            for bad in (path, os.path.join(path, "below"), os.path.dirname(path)):
                done = run("--listen", "127.0.0.1:0", "--db", bad)
                self.assertEqual((done.returncode, done.stdout), (4, ""), bad)

    def test_unusable_port_file_and_certificate(self):
        self.assertEqual(run("--listen", "127.0.0.1:0", "--port-file", "/nowhere/port").returncode, 4)
        self.assertEqual(run("--listen", "127.0.0.1:0", "--tls-cert", "/nowhere/c", "--tls-key",
                             "/nowhere/k").returncode, 4)

    def test_port_file_and_graceful_stop(self):
        with SomeFile("port") as path:
            p = Paper("--port-file", path)
            with open(path) as file:
                self.assertEqual(file.read(), f"{p.port}\n")
            p.portfolio()
            self.assertEqual(p.stop(), 0)


class Port(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.p = Paper()

    @classmethod
    def tearDownClass(cls):
        cls.p.stop()

    def check(self, method, path, status, text=None, **more):
        reply = self.p.call(method, path, **more)
        self.assertEqual(reply.status, status, f"{method} {path}: {reply.text}")
        if text is not None:
            self.assertEqual(reply.text, text)
        return reply

    def test_answers_carry_the_date_of_the_clock(self):
        self.assertEqual(self.check("GET", "/v1/api/accounts", 200).headers["Date"], "Thu, 15 Jan 2026 15:00:00 GMT")

    def raw(self, text):
        with socket.create_connection(("127.0.0.1", self.p.port), timeout=600) as s:
            s.sendall(text)
            answer = b""
            while chunk := s.recv(65536):
                answer += chunk
            return answer

    def test_bodies_without_length_or_too_large(self):
        head = b"POST /v1/api/accounts/PAPER0001/order HTTP/1.1\r\nHost: x\r\nSVC-API-KEY-ID: paper-key\r\n" \
               b"SVC-API-SECRET-KEY: paper-secret\r\nConnection: close\r\n"
        self.assertTrue(self.raw(head
                                 + b"Transfer-Encoding: gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n").startswith(b"HTTP/1.1 400 "))
        self.assertTrue(
            self.raw(head + b"Transfer-Encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n").startswith(b"HTTP/1.1 400 "))
        self.assertTrue(self.raw(head + b"\r\n").startswith(b"HTTP/1.1 400 "))
        self.assertTrue(self.raw(head + b"Content-Length: 0\r\n\r\n").startswith(b"HTTP/1.1 400 "))
        self.assertEqual(self.p.call("POST", "/v1/api/accounts/PAPER0001/order", " " * (2 << 20), fresh=True).status,
                         413)

    def test_pipelined_requests_are_answered_in_order(self):
        one = b"GET /v1/api/accounts HTTP/1.1\r\nHost: x\r\nSVC-API-KEY-ID: %s\r\nSVC-API-SECRET-KEY: %s\r\n%s\r\n"
        answer = self.raw(one % (b"paper-key", b"paper-secret", b"") + one % (b"live-key", b"live-secret",
                                                                              b"Connection: close\r\n"))
        self.assertEqual(answer.count(b"HTTP/1.1 200 OK"), 2)
        self.assertLess(answer.index(b"PAPER0001"), answer.index(b"LIVE0001"))

    def test_pipelined_bodies(self):
        head = (b"POST /v1/api/accounts/PAPER0001/order HTTP/1.1\r\nSVC-API-KEY-ID: paper-key\r\n"
                b"SVC-API-SECRET-KEY: paper-secret\r\n")
        bodies = [json.dumps(stock(f"p{n}", limitPrice=1)).encode() for n in range(40)]
        whole = b"".join(head + b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)
        whole += b"GET /v1/api/accounts HTTP/1.1\r\nConnection: close\r\n\r\n"
        answer = self.raw(whole)
        self.assertEqual(answer.count(b"HTTP/1.1 200 OK"), 40)
        self.assertEqual([answer.count(b'"clientOrderId":"p%d"' % n) for n in range(40)], [1] * 40)
        self.assertTrue(answer.endswith(b"Not found"))

    def test_ids_of_any_bytes(self):
        """An order is found by a path with its id percent-encoded."""
        for order_id in ("a/b", "a+b", "a b", "%2F", "a%2Fb", "100%", "?x=1&y", "#", "..", "\u00e5\u4e2d", "a;b,c:d@e",
                         "\t"):
            self.assertEqual(self.p.order(stock(order_id, limitPrice=1)).status, 200, order_id)
            path = "/v1/api/accounts/PAPER0001/{}/" + urllib.parse.quote(order_id, safe="")
            self.assertEqual(self.check("GET", path.format("order"), 200).json["clientOrderId"], order_id)
            self.assertEqual(self.check("DELETE", path.format("orders"), 200).json["clientOrderId"], order_id)
        self.check("GET", "/v1/api/accounts/PAPER0001/order/" + "x%2F" * 1500, 404, "Not found")

    def test_bodies_in_chunks(self):
        body = json.dumps(stock("chunked", limitPrice=1)).encode()
        for pieces, status, length in (([body[:7], body[7:9], body[9:]], 200, None), ([b" " * 70000] * 20, 413, None),
                                       ([body], 400, "5")):
            connection = self.p.connect()
            more = {"Content-Length": length} if length else {}
            connection.request("POST", "/v1/api/accounts/PAPER0001/order", iter(pieces), encode_chunked=True,
                               headers={"SVC-API-KEY-ID": PAPER[0], "SVC-API-SECRET-KEY": PAPER[1],
                                        "Transfer-Encoding": "chunked", **more})
            answer = connection.getresponse()
            self.assertEqual(answer.status, status, answer.read())
            connection.close()
        self.assertEqual(self.p.lookup("chunked").json["clientOrderId"], "chunked")

    def test_go_on(self):
        """"100 Continue" is sent if the client waits for it."""
        with socket.create_connection(("127.0.0.1", self.p.port), timeout=600) as s:
            s.sendall(b"POST /v1/api/accounts/PAPER0001/order HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n"
                      b"Connection: close\r\n\r\n")
            self.assertEqual(s.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
            s.sendall(b"{}")
            self.assertTrue(s.recv(1000).startswith(b"HTTP/1.1 404 "))

    def test_heads_that_are_none(self):
        for head in (b"GET / HTTP/2.0", b"GET /", b"BREW / HTTP/1.1", b"get / HTTP/1.1", b"GET /a b HTTP/1.1",
                     b"GET /%zz HTTP/1.1",
                     b"GET / HTTP/1.1\r\n: x", b"GET / HTTP/1.1\r\nA : x", b"GET / HTTP/1.1\r\nA: x\r\n more",
                     b"GET / HTTP/1.1\r\nA", b"GET / HTTP/1.1\r\nA: \0", b"GET / HTTP/1.1\r\nA: x\nB: y", b"\0\1\2\3"):
            self.assertTrue(self.raw(head + b"\r\n\r\n").startswith(b"HTTP/1.1 400 Bad Request\r\n"), head)
        for path in (b"/v1/api/accounts?x=%zz", b"http://x/v1/api/accounts", b"//"):
            self.assertTrue(self.raw(b"\r\nGET " + path + b" HTTP/1.0\r\nX: 1\r\n\r\n").startswith(b"HTTP/1.1 404 "),
                            path)


if __name__ == "__main__":
    unittest.main()
