"""A sender with --console for tests: start it, ask its console, read its metrics."""
import collections
import glob
import os
import re
import socket
import subprocess
import time

from paper import DEADLINE, Paper
from sender import RUNNING, Sender, TempHome, resting

BIN = os.environ["OG_BIN"]
POLICY = """ordergate: 1
name: desk
extends: []
rules:
  exposure: {level: refuse, gross: 10000}
  open-orders: {level: refuse, in_total: 2}
  order-rate: {level: refuse, a_day: 50}
  order-notional: {level: refuse, most: 5000}
"""
HOST = b"Host: localhost:%d\r\n"
SAMPLE = re.compile(r'(\w+)(?:\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Answer:
    def __init__(self, raw):
        head, _, self.body = raw.partition(b"\r\n\r\n")
        first, *fields = head.decode().split("\r\n")
        self.status = int(first.split()[1])
        self.fields = {name.lower(): value.strip() for name, _, value in (f.partition(":") for f in fields)}
        self.text = self.body.decode()


class WithConsole:
    """What a test case with a sender and its console has beside unittest.TestCase."""

    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.policy = self.home.file("desk.yaml", POLICY)
        self.state = os.path.join(self.home.path, "state", "ordergate")
        self.port_file = os.path.join(self.home.path, "port")

    def sender(self, *args, url=None):
        self.pid = None
        self.addCleanup(self.ends)  # after the sender
        gate = self.enterContext(Sender(url or self.paper.url, self.home, "-p", self.policy, "--console", "localhost:0",
                                        "--console-port-file", self.port_file, *args))
        self.until(lambda: self.port_is_known() or gate.process.poll() is not None, "the console")
        with open(self.port_file) as f:
            self.port = int(f.read())
        self.pid, = self.children(gate.process.pid)
        return gate

    def port_is_known(self):
        try:
            with open(self.port_file) as f:
                return f.read().endswith("\n")
        except FileNotFoundError:
            return False

    def children(self, pid):
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            return [int(word) for word in f.read().split()]

    def is_running(self, pid):
        try:
            with open(f"/proc/{pid}/stat") as f:
                return f.read().rpartition(")")[2].split()[0] not in "ZX"
        except FileNotFoundError:
            return False

    def ends(self):
        """However the sender ended, its console ends with it."""
        until = time.monotonic() + DEADLINE
        while self.pid and self.is_running(self.pid) and time.monotonic() < until:
            time.sleep(0.01)
        self.assertFalse(self.pid and self.is_running(self.pid))

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=DEADLINE)

    def raw(self, request):
        """What comes until the console closes the connection; nothing if it resets it."""
        with self.connect() as s:
            data = b""
            try:
                s.sendall(request)
                s.shutdown(socket.SHUT_WR)
                while piece := s.recv(65536):
                    data += piece
            except ConnectionError:
                pass
            return data

    def get(self, path, accept="*/*", method="GET", host=None, more=b""):
        host = HOST % self.port if host is None else host
        return Answer(self.raw(f"{method} {path} HTTP/1.1\r\nAccept: {accept}\r\n".encode() + host + more +
                               b"Connection: close\r\n\r\n"))

    def token_file(self):
        path, = glob.glob(os.path.join(glob.escape(self.state), "console-*.token"))
        return path

    def token(self):
        """The token of this run's forms, as its user finds it."""
        with open(self.token_file()) as f:
            return f.read().rstrip("\n")

    def metrics(self):
        """The samples: by name, then by their labels."""
        found = collections.defaultdict(dict)
        for line in self.get("/metrics").text.splitlines():
            if not line.startswith("#"):
                name, labels, value = SAMPLE.fullmatch(line).groups()
                found[name.removeprefix("ordergate_")][tuple(v for _, v in LABEL.findall(labels or ""))] = value
        return found

    def until(self, found, what):
        """The console's look is a second old at most: ask until it shows the change."""
        end = time.monotonic() + DEADLINE * 2
        while not found() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(found(), what)

    def working(self, gate, order_id):
        gate.feed(resting(order_id))
        self.assertEqual(gate.event("outcome", order_id)["outcome"], "working")

    def halt(self, reason):
        given = {k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_"))}
        given |= {"HOME": self.home.path, "XDG_STATE_HOME": os.path.join(self.home.path, "state")}
        return subprocess.run([os.path.join(BIN, "ordergate-halt"), "--reason", reason], capture_output=True, env=given,
                              timeout=600)
