"""SIGTERM: answers under way are sent completely, streams get a close frame, and new connections are refused. Also the
request log, and the limit of connections."""
import http.client
import json
import os
import signal
import socket
import time
import unittest

from paper import DEADLINE, LIVE, PAPER, Closed, Paper, SomeFile, Stream, in_some_run, stock
from parallel_unittest import main

KEYS = "SVC-API-KEY-ID: live-key\r\nSVC-API-SECRET-KEY: live-secret\r\n"
LOTS = 14000
HEAD = "POST /v1/api/accounts/LIVE0001/order HTTP/1.1\r\nHost: x\r\n" + KEYS


class Talk:
    """One connection, on which bytes are written and read by hand."""

    def __init__(self, port, buffer=None):
        self.socket = socket.socket()
        self.socket.settimeout(DEADLINE)
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(("127.0.0.1", port))

    def send(self, text):
        self.socket.sendall(text.encode())

    def get(self, path):
        self.send(f"GET /v1/api/{path} HTTP/1.1\r\nHost: x\r\n{KEYS}\r\n")

    def answer(self):
        """Returns status and body of a whole answer; raises an exception if it is missing or incomplete."""
        reply = http.client.HTTPResponse(self.socket)
        reply.begin()
        return reply.status, reply.read()

    def rest(self):
        """Returns the bytes that come until the other side closes the connection."""
        data = b""
        try:
            while more := self.socket.recv(65536):
                data += more
        except ConnectionResetError:
            pass
        self.socket.close()
        return data


class Stop(unittest.TestCase):
    def setUp(self):
        self.p = Paper()
        self.addCleanup(self.p.stop, signal.SIGKILL)

    def tell(self):
        self.p.process.send_signal(signal.SIGTERM)

    def ends_well(self):
        self.assertEqual((self.p.process.wait(DEADLINE), self.p.process.stderr.read()), (0, ""))

    def delayed(self, delay):
        """Returns a connection whose order is placed, and whose answer is held back."""
        self.p.control("POST", "faults", {"on": "POST order", "do": "delay", "delay": delay})
        talk, body = Talk(self.p.port), json.dumps(stock("a", route="SMART"))
        talk.send(f"{HEAD}Content-Length: {len(body)}\r\n\r\n{body}")
        while not self.p.control("GET", "requests")["requests"]:
            pass
        return talk

    def begun(self):
        """Returns a connection that has begun to read an answer of some megabytes."""
        lots = [{"symbol": "AAPL", "side": "Long", "shares": 1, "priceAvg": 1}] * LOTS
        self.p.control("PUT", "positions/LIVE0001", lots)
        talk = Talk(self.p.port, buffer=4096)
        talk.get("accounts/LIVE0001/positions")
        self.assertTrue(talk.socket.recv(1, socket.MSG_PEEK))
        return talk

    def test_streams_get_a_close_frame(self):
        """The close frame has code 1001, and comes after the frames that were queued, whether the client is signed in
        or not."""
        streams = [self.p.portfolio(), self.p.portfolio("LIVE0001"), self.p.stream("pnl")]
        self.assertEqual(streams[2].json()["status"], "PENDING_AUTH")
        self.p.order(stock("a"))
        self.tell()
        seen = []
        for stream in streams:
            try:
                seen.append(stream.order()["userOrderId"])
            except Closed as closed:
                seen.append(closed.code)
        self.assertEqual(seen, ["PAPER0001:a", 1001, 1001])
        with self.assertRaises(Closed) as closed:
            streams[0].json()
        self.assertEqual(closed.exception.code, 1001)
        for stream in streams:
            stream.close()
        self.ends_well()

    def test_an_answer_that_is_held_back_comes(self):
        talk = self.delayed("300ms")
        self.tell()
        status, body = talk.answer()
        self.assertEqual((status, json.loads(body)["clientOrderId"], talk.rest()), (200, "a", b""))
        self.ends_well()

    def test_a_long_answer_goes_out_whole(self):
        talk = self.begun()
        self.tell()
        status, body = talk.answer()
        self.assertEqual((status, len(json.loads(body)["positions"])), (200, LOTS))
        self.assertEqual(talk.rest(), b"")
        self.ends_well()

    def test_a_body_that_is_on_its_way_is_waited_for(self):
        talk, body = Talk(self.p.port), json.dumps(stock("a", route="SMART"))
        talk.send(f"{HEAD}Content-Length: {len(body)}\r\n\r\n{body[:10]}")
        self.p.get("accounts")  # by now the head was read
        self.tell()
        talk.send(body[10:])
        status, answer = talk.answer()
        self.assertEqual((status, json.loads(answer)["clientOrderId"], talk.rest()), (200, "a", b""))
        self.ends_well()

    def test_idle_connections_and_hung_ones_are_closed(self):
        idle, silent, hung = Talk(self.p.port), Talk(self.p.port), Talk(self.p.port)
        idle.get("accounts")
        self.assertEqual(idle.answer()[0], 200)
        self.p.control("POST", "faults", {"on": "GET accounts", "do": "hang"})
        hung.get("accounts")
        while len(self.p.control("GET", "requests")["requests"]) < 2:
            pass
        self.tell()
        self.assertEqual([t.rest() for t in (idle, silent, hung)], [b""] * 3)
        self.ends_well()

    def test_nobody_new_is_let_in(self):
        talk = self.delayed("500ms")
        self.tell()
        with self.assertRaises(OSError):
            late = Talk(self.p.port)
            late.get("accounts")
            if not late.rest():
                raise ConnectionError
        self.assertEqual(talk.answer()[0], 200)
        talk.socket.close()
        self.ends_well()

    def test_a_second_signal_ends_it_at_once(self):
        """After the second signal the service does not wait three seconds."""
        in_some_run(lambda: self.signaled_twice() < 3)

    def signaled_twice(self):
        """Returns how long the service took to end."""
        self.setUp()
        talk, stream = self.delayed("1h"), self.p.portfolio()
        self.tell()
        begun = time.monotonic()
        with self.assertRaises(Closed):
            stream.order()
        self.tell()
        self.assertEqual(talk.rest(), b"")
        self.ends_well()
        took = time.monotonic() - begun
        stream.close()
        return took

    def test_who_does_not_read_does_not_keep_it(self):
        """The service waits at most three seconds for a client that does not read."""
        talk, stream = self.begun(), self.p.portfolio()
        self.tell()
        self.ends_well()
        stream.close()
        talk.socket.close()


class Connections(unittest.TestCase):
    def test_more_are_closed_at_once(self):
        with Paper("--max-connections", "8") as p:
            talks = [Talk(p.port) for _ in range(8)]
            for talk in talks:
                talk.get("accounts")
                self.assertEqual(talk.answer()[0], 200)
            self.assertEqual(Talk(p.port).rest(), b"")
            with self.assertRaises((Closed, OSError)):
                Stream(p.port, "/stream/portfolio").json()
            talks.pop().socket.close()
            while True:  # the service has to see it go
                again = Talk(p.port)
                try:
                    again.get("accounts")
                    self.assertEqual(again.answer()[0], 200)
                    break
                except (http.client.BadStatusLine, OSError):
                    again.socket.close()
            for talk in (*talks, again):
                talk.get("accounts")
                self.assertEqual(talk.answer()[0], 200, "those let in are served all the while")
                talk.socket.close()


class Log(unittest.TestCase):
    def lines(self, path):
        with open(path) as file:
            return [json.loads(line) for line in file]

    def test_a_line_for_each_request(self):
        with SomeFile("requests") as path:
            with Paper("--request-log", path) as p:
                p.get("accounts", LIVE)
                p.get("accounts/LIVE0001/orders/start-date/2026-01-15?symbol=A%22B&x=1", LIVE)
                p.order(stock("secret-looking-id", route="SMART"), "LIVE0001")
                p.call("GET", "/v1/api/accounts", keys=("live-key", "a-wrong-secret"))
                p.call("POST", "/v1/api/accounts/LIVE0001/order", "x" * (2 << 20), keys=LIVE, fresh=True)
                p.advance("1s")
                p.portfolio()
                p.control("POST", "faults", {"on": "GET accounts", "do": "drop-reply"})
                with self.assertRaises(http.client.RemoteDisconnected):
                    p.get("accounts", LIVE)
                seen = self.lines(path)
            with open(path) as file:
                text = file.read()
            for secret in (*LIVE, *PAPER, "a-wrong-secret", "secret-looking-id"):
                self.assertNotIn(secret, text, "neither headers nor bodies")
            self.assertEqual([(r["method"], r["path"], r["status"], r["effect"]) for r in seen],
                             [("GET", "/v1/api/accounts", 200, True),
                              ("GET", "/v1/api/accounts/LIVE0001/orders/start-date/2026-01-15", 200, True),
                              ("POST", "/v1/api/accounts/LIVE0001/order", 200, True),
                              ("GET", "/v1/api/accounts", 404, False),
                              ("POST", "/v1/api/accounts/LIVE0001/order", 413, False),
                              ("PUT", "/paper/clock", 200, True), ("GET", "/stream/portfolio", 101, False),
                              ("POST", "/paper/faults", 200, True), ("GET", "/v1/api/accounts", 0, True)])
            self.assertEqual((seen[1]["query"], seen[0]["query"]), ('symbol=A"B&x=1', ""))
            self.assertEqual((seen[0]["at"], seen[3]["bytes"]), ("2026-01-15T15:00:00Z", len("Not found")))
            self.assertEqual(list(seen[0]), ["at", "method", "path", "query", "status", "bytes", "effect"])
            with Paper("--request-log", path) as p:
                p.get("accounts")
            self.assertEqual(self.lines(path)[:-1], seen, "a second run adds to it")

    def test_on_stdout(self):
        p = Paper("--request-log", "-")
        p.get("accounts")
        self.assertEqual(json.loads(p.process.stdout.readline())["path"], "/v1/api/accounts")
        self.assertEqual(p.stop(), 0)

    def test_one_that_cannot_be_opened_or_written(self):
        with self.assertRaisesRegex(RuntimeError, "cannot open the request log '/nowhere/log'"):
            Paper("--request-log", "/nowhere/log")
        if os.path.exists("/dev/full"):
            p = Paper("--request-log", "/dev/full")
            self.assertEqual([p.get("accounts").status for _ in range(3)], [200] * 3)
            p.process.send_signal(signal.SIGTERM)
            errors = p.process.communicate(timeout=DEADLINE)[1]
            p.connection.close()
            self.assertEqual((errors.count("cannot write the request log"), p.process.returncode), (1, 0))


if __name__ == "__main__":
    main()
