"""The paper brokerage for tests: start it, call it, step its clock, read its streams, make orders.

It uses the standard library alone, so that the bytes of the wire are tested and not a client of ours.
ORDERGATE_PAPER names the program. Nothing here sleeps: the program prints a line when it is ready, events are
frames, and the time is the service's own clock.
"""
import base64
import http.client
import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time

REGULAR = "2026-01-15T15:00:00Z"  # a Thursday, 10:00 in New York
PAPER = ("paper-key", "paper-secret")
LIVE = ("live-key", "live-secret")
DEADLINE = 120  # seconds of real time after which a waiting test fails: a hang does, a slow machine does not


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


class Paper:
    """One running brokerage; as a context manager it ends the process at the end of the block."""

    def __init__(self, *args, clock=REGULAR, control=True, limits=False, trust=None):
        command = [os.environ["ORDERGATE_PAPER"], "--listen", "127.0.0.1:0", "--clock", clock, *args]
        if control:
            command.append("--control")
        if not limits:
            command.append("--no-rate-limits")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.line = self.process.stdout.readline()
        if not self.line.startswith("listening on http"):
            raise RuntimeError(f"did not start: {self.line!r} {self.process.communicate()[1]!r}")
        self.url = self.line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])
        self.trust = trust  # an ssl context, or None for plain HTTP
        self.connection = None
        self.streams = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self, how=signal.SIGTERM):
        """End the process and return its exit code. SIGKILL simulates a crash."""
        for stream in self.streams:
            stream.close()
        if self.connection:
            self.connection.close()
        if self.process.poll() is None:
            self.process.send_signal(how)
        rest, errors = self.process.communicate(timeout=DEADLINE)
        assert_equal(rest, "", "one line on stdout")
        if errors and how == signal.SIGTERM:
            raise AssertionError(f"stderr: {errors}")
        return self.process.returncode

    def connect(self):
        if self.trust:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=DEADLINE, context=self.trust)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)

    def call(self, method, path, body=None, keys=PAPER, headers=None, fresh=False):
        """Send one request and return the reply. The request goes over the connection that is kept alive, or over a
        new one if `fresh`."""
        connection = self.connection
        if fresh or not connection:
            connection = self.connect()
        if not fresh:
            self.connection = connection
        sent = dict(headers or {})
        if keys:
            sent["SVC-API-KEY-ID"], sent["SVC-API-SECRET-KEY"] = keys
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body=body, headers=sent)
            answer = connection.getresponse()
            reply = Reply(answer.status, answer.headers, answer.read())
        except Exception:
            connection.close()
            raise
        if fresh:
            connection.close()
        return reply

    def get(self, path, keys=PAPER):
        return self.call("GET", "/v1/api/" + path, keys=keys)

    def control(self, method, path, body=None):
        reply = self.call(method, "/paper/" + path, json.dumps(body) if method in ("PUT", "POST") else None, keys=None)
        if reply.status != 200:
            raise AssertionError(f"control {method} {path}: {reply.status} {reply.text}")
        return reply.json

    def advance(self, duration):
        return self.control("PUT", "clock", {"advance": duration})["now"]

    def quote(self, symbol, bid, ask, last=None, **sizes):
        return self.control("PUT", "quotes/" + symbol, {"bid": bid, "ask": ask, "last": last or ask, **sizes})

    def order(self, body, account="PAPER0001", keys=None):
        """POST one order and return the reply."""
        keys = keys or (LIVE if account == "LIVE0001" else PAPER)
        return self.call("POST", f"/v1/api/accounts/{account}/order", body, keys=keys)

    def lookup(self, order_id, account="PAPER0001"):
        return self.call("GET", f"/v1/api/accounts/{account}/order/{order_id}",
                         keys=LIVE if account == "LIVE0001" else PAPER)

    def cancel(self, order_id, account="PAPER0001"):
        return self.call("DELETE", f"/v1/api/accounts/{account}/orders/{order_id}",
                         keys=LIVE if account == "LIVE0001" else PAPER)

    def stream(self, name="portfolio"):
        stream = Stream(self.port, f"/stream/{name}", trust=self.trust)
        self.streams.append(stream)
        return stream

    def portfolio(self, account="PAPER0001", keys=None, subscriptions=("Order", "Position")):
        """Returns a Portfolio stream that is signed in and subscribed."""
        stream = self.stream().sign_in(*(keys or (LIVE if account == "LIVE0001" else PAPER)))
        stream.send({"accountId": account, "subscriptions": list(subscriptions)})
        assert_equal(stream.json()["requestConfirmed"], True)
        return stream


class Closed(Exception):
    """Raised when the other side has closed the connection. code is the code of its close frame; None: it sent no
    close frame."""

    def __init__(self, code=None):
        super().__init__(f"closed {code}")
        self.code = code


class Stream:
    """A WebSocket client (RFC 6455) without extensions."""

    def __init__(self, port, path, host="127.0.0.1", trust=None):
        self.socket = socket.create_connection((host, port), timeout=DEADLINE)
        if trust:
            self.socket = trust.wrap_socket(self.socket, server_hostname=host)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: "
                             f"Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.bytes = b""
        self.pings = 0
        try:
            while b"\r\n\r\n" not in self.bytes:
                self._more()
            head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
            if b" 101 " not in head.split(b"\r\n")[0]:
                raise Closed()
        except Closed:
            self.close()
            raise

    def _more(self):
        try:
            more = self.socket.recv(65536)
        except ConnectionError:
            raise Closed() from None
        if not more:
            raise Closed()
        self.bytes += more

    def _take(self, count):
        while len(self.bytes) < count:
            self._more()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def send(self, message, opcode=1):
        data = message if isinstance(message,
                                     bytes) else (message if isinstance(message, str) else json.dumps(message)).encode()
        mask = os.urandom(4)
        size = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
        self.socket.sendall(bytes([0x80 | opcode]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def frame(self):
        """Read the next whole message and return (opcode, payload)."""
        data = b""
        while True:
            first, second = self._take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack("!H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", self._take(8))[0]
            data += self._take(length)
            if first & 0x80:
                return first & 15, data

    def json(self):
        """Read the next text message and return its value. Raises Closed if the stream ends first."""
        while True:
            opcode, data = self.frame()
            if opcode == 8:
                raise Closed(struct.unpack("!H", data[:2])[0] if len(data) >= 2 else None)
            if opcode == 9:
                self.pings += 1
            elif opcode == 1:
                return json.loads(data)

    def sign_in(self, key, secret):
        """Wait for the greeting and sign in. The greeting may be repeated: that happens every few seconds of the
        service's clock, which may run fast."""
        assert_equal(self.json()["status"], "PENDING_AUTH")
        self.send({"key": key, "secret": secret})
        while (status := self.json()["status"]) == "PENDING_AUTH":
            pass
        assert_equal(status, "CONNECTED")
        return self

    def order(self):
        """Read the next Order frame and return its row."""
        while True:
            message = self.json()
            if message.get("subscription") == "Order":
                return message["order"]

    def quiet(self):
        """Send a ping. Returns True if no other frame arrives before the answer."""
        self.send(b"?", opcode=9)
        opcode, data = self.frame()
        if opcode == 10:
            return True
        self.late = json.loads(data)
        return False

    def close(self):
        self.socket.close()


class SomeFile:
    """A context manager that makes a temporary folder and gives the path of a file in it."""

    def __init__(self, name="paper.db"):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, name)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        self.folder.cleanup()


def in_world(scenario, *args, **more):
    """Returns a running brokerage with the given scenario, which is YAML text."""
    with SomeFile("scenario.yaml") as path:
        with open(path, "w") as file:
            file.write("scenario: 1\n" + scenario)
        return Paper("--scenario", path, *args, **more)


def in_some_run(run):
    """Repeat run() until it returns True. For assertions about timing: a loaded machine may miss the time in some
    runs, but not in all."""
    end = time.monotonic() + DEADLINE * 2
    while not run():
        if time.monotonic() > end:
            raise AssertionError("in no run of all these")


def assert_equal(seen, wanted, what=""):
    if seen != wanted:
        raise AssertionError(f"{what + ': ' if what else ''}seen {seen!r}, wanted {wanted!r}")


def stock(order_id=None, **changes):
    body = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
            "orderQuantity": 10, "timeInForce": "Day", "limitPrice": 190.01}
    if order_id:
        body["clientOrderId"] = order_id
    body.update(changes)
    return {k: v for k, v in body.items() if v is not None}


def occ(root="AAPL", expiry="260220", kind="C", strike=190):
    return f"{root}{expiry}{kind}{round(strike * 1000):08d}"


def option(order_id=None, **changes):
    return stock(order_id, **{"securityType": "Option", "symbol": occ(), "limitPrice": 20, "orderQuantity": 1,
                              **changes})


def leg(symbol, side, open_close="Open", ratio=1):
    return {"symbol": symbol, "side": side, "ratio": ratio, "openClose": open_close}


def spread(order_id=None, legs=None, **changes):
    """Returns an order for a vertical spread of two calls, or for other legs if they are given."""
    legs = legs or [leg(occ(strike=190), "Buy"), leg(occ(strike=195), "Sell")]
    return stock(order_id, **{"securityType": "Mleg", "side": None, "openClose": None, "orderQuantity": 1,
                              "limitPrice": 4, "legs": legs, **changes})
