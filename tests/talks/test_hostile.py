"""Malicious or broken clients: all others are served meanwhile, and nothing of them remains.

10,000 random requests and as many frames are sent; OG_SEED=N in the environment selects others, OG_COUNT=N another
number.
"""
import json
import os
import random
import select
import socket
import struct
import time
import unittest

from endpoints import READS, writes
from paper import DEADLINE, LIVE, PAPER, Closed, Paper, Stream, in_some_run, stock
from parallel_unittest import main
from tries import tries

COUNT = tries("OG_COUNT", 10000)
SEED = int(os.environ.get("OG_SEED", "1"))
KEYS = b"SVC-API-KEY-ID: live-key\r\nSVC-API-SECRET-KEY: live-secret\r\n"
MIB = 1 << 20
LOTS = 20000


class Hostile(unittest.TestCase):
    control = False

    def setUp(self):
        self.p = Paper(control=self.control)
        self.addCleanup(self.ends_well)
        self.document = self.p.get("accounts").body
        self.descriptors = self.open_descriptors()

    def ends_well(self):
        """Assert that stderr is empty, where a sanitizer would report leaks."""
        self.assertEqual(self.p.stop(), 0)

    def open_descriptors(self):
        return len(os.listdir(f"/proc/{self.p.process.pid}/fd"))

    def resident(self):
        with open(f"/proc/{self.p.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.p.port), timeout=DEADLINE)

    def others_are_served(self):
        self.assertEqual(self.p.get("accounts").body, self.document)

    def nothing_is_left(self):
        """Assert that as many descriptors are open as before, once the service has noticed that the last client
        left."""
        until = time.monotonic() + DEADLINE
        while self.open_descriptors() != self.descriptors and time.monotonic() < until:
            self.others_are_served()
        self.assertEqual(self.open_descriptors(), self.descriptors)

    def rest(self, s):
        """Returns the bytes that come until the service closes the connection."""
        data = b""
        try:
            while more := s.recv(65536):
                data += more
        except ConnectionError:
            pass
        s.close()
        return data


class Slow(Hostile):
    def test_50_connections_dribbling_headers(self):
        """Clients that send a byte now and then, announce a body that never comes, or send nothing are closed after 10
        s. Others are served at once."""
        in_some_run(self.dribble)

    def dribble(self):
        """Returns whether other clients were repeatedly served at once meanwhile."""
        begun, head = time.monotonic(), b"GET /v1/api/accounts HTTP/1.1\r\nX-Pad: "
        dribbling, quiet = {self.connect(): 0 for _ in range(50)}, [self.connect() for _ in range(20)]
        for s in quiet[:10]:
            s.sendall(b"POST /v1/api/accounts/LIVE0001/order HTTP/1.1\r\n" + KEYS + b"Content-Length: 9\r\n\r\n{")
        served, slowest = 0, 0
        while dribbling or quiet:
            for s, sent in list(dribbling.items()):
                try:
                    s.send(head[sent:sent + 1] or b"a")
                    dribbling[s] += 1
                except ConnectionError:
                    del dribbling[s]
                    s.close()
            asked = time.monotonic()
            self.others_are_served()
            slowest, served = max(slowest, time.monotonic() - asked), served + 1
            for s in select.select([*dribbling, *quiet], [], [], 0.05)[0]:
                self.assertEqual(self.rest(s), b"")
                quiet.remove(s) if s in quiet else dribbling.pop(s)
            self.assertLess(time.monotonic() - begun, DEADLINE * 3)
        self.assertGreater(time.monotonic() - begun, 9)
        self.nothing_is_left()
        return served > 20 and slowest < 5  # half of the time that a slow client is given

    def test_headers_beyond_8_kib(self):
        for size, served in ((7000, True), (9000, False), (MIB, False)):
            s = self.connect()
            try:
                s.sendall(b"GET /v1/api/accounts HTTP/1.1\r\n" + KEYS + b"Connection: close\r\nX-Pad: " + b"a" * size
                          + b"\r\n\r\n")
            except ConnectionError:
                pass
            answer = self.rest(s)
            self.assertEqual(answer.startswith(b"HTTP/1.1 200 OK\r\n"), served, size)
            if size == 9000:
                self.assertTrue(answer.startswith(b"HTTP/1.1 431 "))
            self.others_are_served()
        self.nothing_is_left()

    def test_lengths_that_are_no_number(self):
        """The answer is 400 at once, because the end of the body cannot be determined."""
        for length in (b"-2", b"+2", b"0x2", b"2,2", b"2\xde", b"2\r\nContent-Length: 2", b"2\r\nContent-Length: 3",
                       b"9" * 25):
            s = self.connect()
            s.sendall(b"POST /v1/api/accounts/LIVE0001/order HTTP/1.1\r\n" + KEYS + b"Content-Length: " + length
                      + b"\r\n\r\n{}")
            answer = self.rest(s)
            self.assertEqual((answer[:13], answer[-30:]), (b"HTTP/1.1 400 ", b"Content-Length is not a number"), length)
        self.nothing_is_left()


class Reader(Hostile):
    control = True

    def test_a_stream_that_is_not_read_is_dropped(self):
        """The service's memory does not grow, and a client of another account receives everything."""
        lots = [{"symbol": "AAPL", "side": "Long", "shares": n + 1, "priceAvg": 100} for n in range(200)]
        self.p.control("PUT", "positions/PAPER0001", lots)
        slow, good = self.p.stream("pnl"), self.p.portfolio("LIVE0001", subscriptions=["Order"])
        slow.json()
        slow.send({"key": PAPER[0], "secret": PAPER[1]})
        slow.json()
        slow.send({"account": "PAPER0001"})
        self.assertEqual(slow.json()["action"], "init")
        before, sent = self.resident(), 400
        for n in range(sent):  # 201 frames each, 30 MiB and more altogether
            self.p.quote("AAPL", 190 + n % 7, 191 + n % 7)
            if n % 4 == 0:
                self.p.order(stock(f"o{n}", route="SMART", limitPrice=-1), "LIVE0001")
                self.assertEqual(good.order()["userOrderId"], f"LIVE0001:o{n}")
        if not self.sanitized():
            self.assertLess(self.resident() - before, 16 * MIB)
        heard = 0
        with self.assertRaises(Closed):
            while True:
                slow.json()
                heard += 1
        self.assertLess(heard, sent * 201)
        self.assertTrue(good.quiet())

    def sanitized(self):
        """Returns whether the service runs under AddressSanitizer, which keeps freed memory."""
        with open(os.environ["ORDERGATE_PAPER"], "rb") as file:
            return b"__asan_init" in file.read()

    def test_one_long_message_is_not_slowness(self):
        """One message with the P&L of more lots than fit into 4 MiB does not count as slowness."""
        self.p.quote("F", 11.1234, 11.1236, 11.1235)
        lot = '{"symbol":"F","shares":123456789,"priceAvg":1.2345}'
        reply = self.p.call("PUT", "/paper/positions/PAPER0001", f"[{','.join([lot] * LOTS)}]", keys=None)
        self.assertEqual(reply.status, 200)
        stream = self.p.stream("pnl")
        stream.json()
        stream.send({"key": PAPER[0], "secret": PAPER[1]})
        stream.json()
        stream.send({"account": "PAPER0001"})
        opcode, data = stream.frame()
        self.assertGreater(len(data), 4 * MIB)
        self.assertEqual(len(json.loads(data)["pnlReturn"]["positions"]), LOTS)

    def test_one_that_reads_late_hears_it_all(self):
        """Up to 4 MiB wait for the client, and arrive in sequence."""
        slow = self.p.portfolio("LIVE0001", subscriptions=["Order"])
        for n in range(2000):
            self.p.order(stock(f"o{n}", route="SMART", limitPrice=-1), "LIVE0001")
        self.assertEqual([slow.order()["userOrderId"] for _ in range(2000)], [f"LIVE0001:o{n}" for n in range(2000)])


class Random(Hostile):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)

    def good_requests(self):
        calls = [("GET", path.format(a="LIVE0001"), None)
                 for path in READS.values()] + list(writes("LIVE0001").values())
        calls += [("GET", "accounts/LIVE0001/orders/start-date/2026-01-01?symbol=AAPL&x=%41", None)]
        for method, path, body in calls:
            body = b"" if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
            yield (f"{method} /v1/api/{path} HTTP/1.1\r\nHost: x\r\n".encode() + KEYS +
                   (b"Content-Length: %d\r\n" % len(body) if body else b"") + b"\r\n" + body)

    def spoil(self, data):
        """Returns the bytes with some of them changed, cut, repeated or inserted."""
        r, data = self.random, bytearray(data)
        for _ in range(r.choice((0, 1, 1, 2, 5, 20))):
            at, length = r.randrange(len(data) + 1), r.choice((1, 1, 3, 40, 500))
            kind = r.randrange(5)
            if kind == 0:
                data[at:at + 1] = bytes([r.randrange(256)])
            elif kind == 1:
                del data[at:at + length]
            elif kind == 2:
                data[at:at] = data[at:at + length]
            elif kind == 3:
                data[at:at] = r.randbytes(length)
            else:
                data[at:at] = r.choice((b"\r\n", b"\0", b"%", b"%00", b"%zz", b"//", b"..", b" ", b":", b"{", b"\"",
                                        b"-1", b"9" * 30,
                                        b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n",
                                        b"Upgrade: websocket\r\n"))
        return bytes(data)

    def end(self, s):
        """Read the rest of the answer, close the connection, or reset it."""
        how = self.random.randrange(4)
        if how == 3:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if how >= 2:
            s.close()
            return
        try:
            s.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        self.rest(s)

    def test_random_requests(self):
        good = list(self.good_requests())
        for n in range(COUNT):
            data = self.spoil(self.random.choice(good)) if n % 10 else self.random.randbytes(
                self.random.randrange(1, 3000))
            s = self.connect()
            try:
                cut = self.random.randrange(len(data) + 1)
                s.sendall(data[:cut])
                if n % 3 == 0:
                    self.others_are_served()
                s.sendall(data[cut:])
            except ConnectionError:
                pass
            self.end(s)
        self.nothing_is_left()
        self.assertEqual(self.p.get("accounts", LIVE).status, 200)

    def random_frame(self):
        r = self.random
        kind, payload = r.randrange(4), r.randbytes(r.choice((0, 1, 5, 125, 126, 1000)))
        if kind == 0:
            return payload
        if kind == 1:
            payload = self.spoil(r.choice((b'{"key":"paper-key","secret":"paper-secret"}', b'{"account":"PAPER0001"}',
                                           b'{"accountId":"PAPER0001","subscriptions":["Order","Position"]}',
                                           b"[" * 5000)))
        first = r.choice((0x81, 0x81, 0x82, 0x88, 0x89, 0x8a, 0x01, 0x00, 0x80, r.randrange(256)))
        length = r.choice((len(payload), len(payload), len(payload), r.randrange(1 << 16)))
        size = struct.pack("!B", 0x80 | length) if length < 126 else struct.pack("!BH", 0x80 | 126, length)
        if r.randrange(30) == 0:
            size = struct.pack("!BQ", 0x80 | 127, r.choice((1 << 63, 1 << 20, 7)))
        mask = r.randbytes(4)
        return bytes([first]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))

    def test_random_frames(self):
        good, orders = self.p.portfolio(), 0
        self.descriptors += 1
        for n in range(0, COUNT, 10):
            s = Stream(self.p.port, self.random.choice(("/stream/portfolio", "/stream/pnl")))
            try:
                if n % 20:
                    s.json()
                    s.send({"key": PAPER[0], "secret": PAPER[1]})
                    s.json()
                for _ in range(10):
                    s.socket.sendall(self.random_frame())
            except (ConnectionError, Closed):
                pass
            self.end(s.socket)
            if n % 30 == 0:
                self.p.order(stock(f"o{n}", limitPrice=-1))
                self.assertEqual(good.order()["userOrderId"], f"PAPER0001:o{n}")
                orders += 1
            self.others_are_served()
        self.assertGreater(orders, 10)
        self.nothing_is_left()


if __name__ == "__main__":
    main()
