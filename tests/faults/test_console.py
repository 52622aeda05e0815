"""ordergate send --console: metrics and health over HTTP, from the snapshot that ordergate status has. The numbers are
computed anew from the ledger, the events and the policy; the texts are checked by promtool where it is installed. What
a client can send is tried: whatever it is, the sender goes on, and nothing reaches it.
"""
import collections
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

from console import BIN, HOST, POLICY, Answer, WithConsole
from fault_proxy import FaultProxy
from paper import DEADLINE, PAPER
from parallel_unittest import main
from sender import Sender, posts, resting
from test_status import environment, exact

OPEN_METRICS = "application/openmetrics-text; version=1.0.0"


class Console(WithConsole, unittest.TestCase):
    def status(self):
        return exact(subprocess.run([os.path.join(BIN, "ordergate-status"), "-l", self.home.ledger],
                                    capture_output=True, env=environment(self.home), timeout=600).stdout)

    def ready(self):
        """The faults that /readyz names, by the word before the colon."""
        answer = self.get("/readyz")
        self.assertEqual(answer.status, 200 if answer.text == "ready\n" else 503, answer.text)
        return [] if answer.status == 200 else [line.partition(":")[0] for line in answer.text.splitlines()]

    # --- numbers ---

    def test_numbers_are_those_of_the_ledger_the_events_and_the_status(self):
        gate = self.sender()
        self.working(gate, "a")
        self.working(gate, "b")
        for order_id in "cd":
            gate.feed(resting(order_id))
            gate.event("outcome", order_id)
        self.until(lambda: self.metrics()["decisions_total"].get(("refused",)) == "2", "two refusals")
        m, snapshot = self.metrics(), self.status()["senders"][0]["snapshot"]
        rows = self.home.rows("record = 'decision'")
        self.assertEqual(m["decisions_total"], {("accepted",): str(sum(r["state"] == "intended" for r in rows)),
                                                ("refused",): str(sum(r["state"] == "refused" for r in rows))})
        rules = collections.Counter(f["rule"] for r in rows for f in json.loads(r["detail"])["findings"]
                                    if f["level"] == "refuse")
        self.assertEqual(m["refusals_total"], {(rule,): str(n) for rule, n in rules.items()})
        outcomes = collections.Counter(e["outcome"] for e in gate.events if e["event"] == "outcome")
        self.assertEqual(m["outcomes_total"], {(word,): str(n) for word, n in outcomes.items()})
        took = [json.loads(r["detail"])["tookUs"] for r in self.home.rows("record = 'post'")]
        for (bound,), n in m["post_seconds_bucket"].items():
            self.assertEqual(int(n), sum(us <= float(bound) * 1e6 for us in took), bound)
        self.assertEqual((m["post_seconds_count"][()], m["post_seconds_sum"][()]),
                         (str(len(took)), f"{sum(took) / 1e6:.6f}"))
        account, = snapshot["accounts"]
        for name, key in (("limit_used", "used"), ("limit_allowed", "allowed")):
            self.assertEqual(m[name], {(account["accountId"], x["rule"], x["setting"], x["measure"] or "", x["of"],
                                        x["name"] or "", x["only"] or "", x["unit"]): str(x[key])
                                       for x in account["limits"] if x.get(key) is not None})
        self.assertEqual({key[1]: int(n) for key, n in m["orders"].items()}, account["orders"])
        self.assertEqual(m["policy_info"], {(snapshot["policy"],): "1"})
        self.assertEqual([key for key, n in m["halt"].items() if n == "1"], [(snapshot["halt"]["trading"],)])
        self.assertEqual(m["needs"][("limit-near",)], "1")
        self.assertEqual({n for (what,), n in m["needs"].items() if what != "limit-near"}, {"0"})

    def test_no_label_grows_with_the_day(self):
        """No symbol, no order, no text of a client."""
        gate = self.sender()
        self.working(gate, "an-order")
        self.until(lambda: self.metrics()["outcomes_total"].get(("working",)) == "1", "the outcome")
        labels = {value for samples in self.metrics().values() for key in samples for value in key}
        symbol = resting("x")["symbol"]
        self.assertFalse([v for v in labels if v in ("an-order", symbol)], labels)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed (apt-get install prometheus)")
    def test_promtool_finds_no_fault(self):
        gate = self.sender()
        self.working(gate, "a")
        done = subprocess.run(["promtool", "check", "metrics"], input=self.get("/metrics").body, capture_output=True)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, b""))

    def test_open_metrics_for_who_accepts_it(self):
        self.sender()
        self.until(lambda: "decisions_total" in self.metrics(), "the first snapshot")
        plain, asked = self.get("/metrics"), self.get("/metrics", accept=OPEN_METRICS + ",text/plain;q=0.5")
        self.assertIn("version=0.0.4", plain.fields["content-type"])
        self.assertNotIn("# EOF", plain.text)
        self.assertTrue(asked.fields["content-type"].startswith(OPEN_METRICS))
        self.assertTrue(asked.text.endswith("\n# EOF\n"))
        self.assertIn("# TYPE ordergate_decisions counter\n", asked.text)
        self.assertIn('\nordergate_decisions_total{decision="accepted"} ', asked.text)
        families = re.findall(r"^# TYPE (\S+) ", asked.text, re.M)
        self.assertEqual(len(families), len(set(families)))

    # --- health ---

    def test_ready_and_not(self):
        gate = self.sender()
        self.until(lambda: self.ready() == [], "ready")
        self.assertEqual((self.get("/healthz").status, self.get("/healthz").text), (200, "alive\n"))
        self.paper.process.kill()
        gate.event("stream")
        self.until(lambda: "stream" in self.ready(), "the lost stream")
        self.assertEqual(self.get("/healthz").status, 200)
        self.assertEqual(self.metrics()["ready"], {(): "0"})
        self.assertEqual(self.metrics()["stream"][("PAPER0001", "lost")], "1")

    def test_a_halt_and_a_policy_that_does_not_load(self):
        gate = self.sender()
        self.until(lambda: self.ready() == [], "ready")
        self.assertIn(self.halt("feed is wrong").returncode, (0, 1))
        self.until(lambda: self.metrics()["halt"][("halted",)] == "1", "the halt")
        self.assertEqual(self.ready(), [])  # a halt is not a fault of the gate
        os.replace(self.home.file("next.yaml", POLICY + "  exposure: {level: nonsense}\n"), self.policy)
        gate.wait_stderr("stays in force")
        self.until(lambda: self.ready() == ["policy"], "the policy")
        m = self.metrics()
        self.assertEqual((m["policy_reload_failed"][()], m["policy_reloads_total"][("rejected",)]), ("1", "1"))

    def test_an_order_of_unknown_outcome(self):
        proxy = self.enterContext(FaultProxy(self.paper, {"lost": (False, "close")}))
        gate = self.sender("--wait", "1ms", url=proxy.url)
        gate.feed(resting("lost"))
        self.assertEqual(gate.event("outcome", "lost")["outcome"], "unknown")
        self.until(lambda: self.metrics()["unknown_orders"].get(()) == "1", "the unknown order")
        m = self.metrics()
        self.assertGreaterEqual(float(m["unknown_oldest_seconds"][()]), 0)
        self.assertEqual((m["needs"][("unknown-order",)], m["orders"][("PAPER0001", "unknown")]), ("1", "1"))

    def test_a_suspended_sender(self):
        gate = self.sender()
        self.until(lambda: self.ready() == [], "ready")
        gate.stop()
        self.until(lambda: self.ready() == ["sender"], "no answer")
        m = self.metrics()
        self.assertEqual((m["sender_up"][()], m["ready"][()], "decisions_total" in m), ("0", "0", False))
        gate.resume()
        self.until(lambda: self.ready() == [], "ready again")

    # --- who may ask what ---

    def test_only_our_hosts_and_origins(self):
        self.sender()
        port = self.port
        for host in ("localhost", "127.0.0.1", "[::1]"):
            self.assertEqual(self.get("/healthz", host=f"Host: {host}:{port}\r\n".encode()).status, 200, host)
        for host in ("evil.example", f"evil.example:{port}", "localhost", f"localhost:{port + 1}", f"127.0.0.2:{port}",
                     f"localhost:{port}x", f"xlocalhost:{port}", f":{port}", f"[localhost]:{port}"):
            answer = self.get("/metrics", host=f"Host: {host}\r\n".encode())
            self.assertEqual((answer.status, "ordergate_" in answer.text), (403, False), host)
        good = f"Origin: http://localhost:{port}\r\n".encode()
        self.assertEqual(self.get("/healthz", more=good).status, 200)
        for origin in ("null", "http://evil.example", f"http://127.0.0.1:{port}", f"https://localhost:{port}",
                       "http://localhost", f"http://localhost:{port}.evil.example"):
            self.assertEqual(self.get("/status", more=f"Origin: {origin}\r\n".encode()).status, 403, origin)

    def test_it_only_reads(self):
        gate = self.sender()
        self.working(gate, "a")
        before = self.home.rows()
        for method in ("POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
            answer = self.get("/metrics", method=method)
            self.assertEqual((answer.status, answer.fields["allow"]), (405, "GET"), method)
        for path in ("/halt/", "/resumes", "/status/", "//", "/%2e%2e/etc/passwd", "/v1/api/accounts", "/paper/clock"):
            self.assertEqual(self.get(path).status, 404, path)
        self.assertEqual(self.get("/x", more=b"Content-Length: 3\r\n").status, 400)
        answer = Answer(self.raw(b"POST / HTTP/1.1\r\n" + HOST % self.port + b"Content-Length: 4000\r\n\r\nx"))
        self.assertEqual(answer.status, 413)
        for path in ("/", "/metrics", "/status", "/nothing"):
            fields = self.get(path).fields
            self.assertIn("default-src 'none'", fields["content-security-policy"])
            self.assertEqual((fields["cache-control"], fields["x-content-type-options"], fields["x-frame-options"]),
                             ("no-store", "nosniff", "DENY"))
        self.assertEqual(self.home.rows(), before)

    def test_no_secret_is_there(self):
        gate = self.sender()
        self.working(gate, "a")
        said = b"".join(self.get(path).body for path in ("/", "/metrics", "/readyz", "/status"))
        with open(f"/proc/{self.pid}/environ", "rb") as f:
            said += f.read()
        with open(f"/proc/{self.pid}/cmdline", "rb") as f:
            said += f.read()
        for secret in PAPER:
            self.assertNotIn(secret.encode(), said)
        mine = set(os.listdir(f"/proc/{self.pid}/fd"))
        files = [os.readlink(f"/proc/{self.pid}/fd/{fd}") for fd in mine]
        self.assertEqual([f for f in files if f.startswith(self.home.path)], [])

    def test_what_two_readers_may_understand_differently(self):
        """Each is 400 or 431 once, or not answered at all, and the connection is closed."""
        self.sender()
        host = HOST % self.port
        get, post = b"GET /healthz HTTP/1.1\r\n" + host, b"POST /healthz HTTP/1.1\r\n" + host
        chunked = post + b"Transfer-Encoding: chunked\r\n\r\n"
        tricks = [post + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                  post + b"Content-Length: 0\r\nContent-Length: 0\r\n\r\n", post + b"Content-Length: 0, 0\r\n\r\n",
                  post + b"Content-Length: +0\r\n\r\n", get + b"X: a\r\n b\r\n\r\n", get + b"X : a\r\n\r\n",
                  get + b"X: a\0b\r\n\r\n", get + b"X: a\rb\r\n\r\n", get + b"X\x01: a\r\n\r\n", get + b"X\r\n\r\n",
                  b"GET /healthz HTTP/1.1\n" + host + b"\r\n", get + host + b"\r\n", b"GET /healthz HTTP/1.1\r\n\r\n",
                  b"GET http://evil.example/healthz HTTP/1.1\r\n" + host + b"\r\n",
                  b"GET /a b HTTP/1.1\r\n" + host + b"\r\n",
                  b"GET /healthz HTTP/1.2\r\n" + host + b"\r\n", b"GET\t/healthz\tHTTP/1.1\r\n" + host + b"\r\n",
                  get + b"Content-Length: 1\r\n\r\nx",
                  post + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                  b"POST / HTTP/1.0\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                  chunked + b"x\r\n\r\n",
                  chunked + b"0\r\nX: y\r\n\r\n", chunked + b"0;a\nb\r\n\r\n", b"\r\n\r\n\r\n" + get + b"\r\n",
                  get + b"X: " + b"a" * 9000 + b"\r\n\r\n", b"CONNECT evil.example:1 HTTP/1.1\r\n" + host + b"\r\n"]
        for trick in tricks:
            data = self.raw(trick + get + b"\r\n")  # another request follows
            codes = re.findall(rb"^HTTP/1.1 (\d+)", data, re.M)
            self.assertIn(codes, ([b"400"], [b"431"]), trick)
        self.assertEqual(self.get("/healthz").status, 200)

    # --- the sender goes on ---

    def test_no_client_holds_up_an_order(self):
        """Connections that send nothing, half a head, and requests whose answers nobody reads; and a console that does
        not run at all: orders are posted meanwhile."""
        gate = self.sender()
        clients = [self.enterContext(self.connect()) for _ in range(60)]
        for i, s in enumerate(clients):
            if i % 3 == 1:
                s.sendall(b"GET /metrics HTTP/1.1\r\nX-Pad: ")
            if i % 3 == 2:
                s.sendall((b"GET /metrics HTTP/1.1\r\n" + HOST % self.port + b"\r\n") * 100)
        self.working(gate, "a")
        os.kill(self.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, self.pid, signal.SIGKILL)
        self.working(gate, "b")
        self.assertEqual(len(posts(self.paper, "a") + posts(self.paper, "b")), 2)
        gate.close_input()
        self.assertEqual(gate.process.wait(DEADLINE), 0)

    def is_closed(self, s):
        """Wait until the console has closed the connection, without an answer."""
        try:
            return s.recv(1) == b""
        except ConnectionError:
            return True

    def test_slow_clients_do_not_fill_the_house(self):
        """The oldest that wait for their clients make room: heads and bodies that do not end, nothing at all, and who
        asked once and stays. Pages that are open stay."""
        self.sender()
        host = HOST % self.port
        watcher = self.enterContext(self.connect())
        watcher.sendall(b"GET /events HTTP/1.1\r\n" + host + b"\r\n")
        self.assertTrue(watcher.recv(65536))
        begun = (b"GET /metrics HTTP/1.1\r\nX-Pad: ", b"", b"GET /healthz HTTP/1.1\r\n" + host + b"\r\n",
                 b"POST /halt HTTP/1.1\r\n" + host + b"Content-Length: 9\r\n\r\ntoken")
        slow = []
        for i in range(300):
            slow.append(self.enterContext(self.connect()))
            slow[-1].sendall(begun[i % 4])
            if i % 4 == 2:
                self.assertTrue(slow[-1].recv(65536).startswith(b"HTTP/1.1 200"))
            if i > 64 and i % 40 == 0:
                self.assertEqual(self.get("/healthz").status, 200)
        for i in (0, 1, 3):
            self.assertTrue(self.is_closed(slow[i]), begun[i])
        self.assertEqual(self.get("/metrics").status, 200)
        self.assertTrue(watcher.recv(65536))

    def test_a_request_that_does_not_end_is_ended(self):
        self.sender()
        for begun in (b"GET /metrics HTTP/1.1\r\nX-Pad: ",
                      b"POST /halt HTTP/1.1\r\n" + HOST % self.port + b"Content-Length: 9\r\n\r\ntoken"):
            with self.connect() as s:
                s.sendall(begun)
                self.assertTrue(self.is_closed(s), begun)

    def test_the_sender_is_asked_once_a_second_at_most(self):
        self.sender()
        began = time.monotonic()
        with self.connect() as s:
            s.sendall((b"GET /metrics HTTP/1.1\r\n" + HOST % self.port + b"\r\n") * 300 +
                      b"GET /metrics HTTP/1.1\r\n" + HOST % self.port + b"Connection: close\r\n\r\n")
            data = b""
            while piece := s.recv(1 << 20):
                data += piece
        looks = [int(n) for n in re.findall(rb"^ordergate_console_looks_total (\d+)$", data, re.M)]
        self.assertEqual(len(looks), 301)
        self.assertLessEqual(looks[-1] - looks[0], time.monotonic() - began + 1)

    def test_it_ends_with_the_sender_that_is_killed(self):
        gate = self.sender()
        gate.kill()
        gate.process.wait()
        self.ends()

    def test_the_sender_goes_on_without_it(self):
        gate = self.sender()
        os.kill(self.pid, signal.SIGKILL)
        self.working(gate, "a")

    # --- usage ---

    def test_where_it_may_listen(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            wrong = ("0.0.0.0:0", "192.0.2.1:0", "x", ":1", "localhost:70000")
            for where, code, word in (*((w, 2, "loopback") for w in wrong),
                                      (f"127.0.0.1:{taken.getsockname()[1]}", 4, "in use")):
                gate = self.enterContext(Sender(self.paper.url, self.home, "-p", self.policy, "--console", where))
                self.assertEqual(gate.process.wait(DEADLINE), code, where)
                gate.wait_stderr(word)
        for args in (["--dry-run", "--console", "localhost:0"], ["--console-port-file", "x"]):
            gate = self.enterContext(Sender(self.paper.url, self.home, "-p", self.policy, *args))
            self.assertEqual(gate.process.wait(DEADLINE), 2, args)
        done = subprocess.run([os.path.join(BIN, "ordergate-console"), "--listen", "localhost:0", "--sender", "1"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("ordergate send --console", done.stderr)


if __name__ == "__main__":
    main()
