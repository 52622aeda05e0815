"""The brokerage or the gate dies while orders are in flight: each order has one outcome, and a later run finds out the
outcomes that were unknown."""
import signal
import time
import unittest

from fault_proxy import FaultProxy
from paper import DEADLINE, Paper, SomeFile, in_some_run, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send

LATER = "2026-01-15T15:00:05Z@1"


def revive(port, path, clock=LATER):
    return Paper("--db", path, "--listen", f"127.0.0.1:{port}", clock=clock)


class BrokerageDies(unittest.TestCase):
    def arrives(self, order_id, p, b, gate):
        """Wait until the order's POST has taken effect at the brokerage: the proxy b has read its answer."""
        deadline = time.monotonic() + DEADLINE
        while not any(r["effect"] for r in posts(p, order_id)):
            if time.monotonic() > deadline:
                self.fail(f"{order_id} was read and had no effect; the brokerage saw "
                          f"{p.control('GET', 'requests?since=0')}; between them: "
                          f"{b.posts}, {b.paths[-10:]}; the gate told {gate.events[-10:]}, {gate.stderr}")

    def in_flight(self, home, path, run=()):
        """Run nine orders, and kill the brokerage when three are answered, three are read but not answered, and three
        are not posted."""
        p = Paper("--db", path)  # the brokerage's clock stands, so answered orders stay PendingNew
        flying = {f"f{i}": (i < 3, "hang") for i in (1, 2, 3)}  # f3 does not reach it
        with FaultProxy(p, flying, streams=False) as b:
            with Sender(b.url, home, "--max-in-flight", "3", "--wait", "6s", *run) as gate:
                gate.feed(*[stock(f"a{i}") for i in (1, 2, 3)])
                for i in (1, 2, 3):
                    gate.event("posted", f"a{i}")
                b.gets = {"/orders": b"", "/f1": b"", "/f2": b""}  # requests from here on are not answered
                gate.feed(*[stock(i) for i in flying], *[stock(f"w{i}") for i in (1, 2, 3)])
                for i in flying:
                    b.wait_post(i)
                for i in (1, 2):
                    self.arrives(f"f{i}", p, b, gate)
                p.stop(signal.SIGKILL)
                b.stop()
                code = gate.finish(9)
        self.assertEqual(b.posts, {i: 1 for i in ("a1", "a2", "a3", *flying)})
        self.assertEqual(gate.outcomes(),
                         {"a1": "working", "a2": "working", "a3": "working", "f1": "unknown", "f2": "unknown",
                                           "f3": "unknown", "w1": "not-sent", "w2": "not-sent", "w3": "not-sent"})
        self.assertEqual(code, 5)
        self.assertEqual({r["id"]: r["state"] for r in home.rows("record = 'outcome'")},
                         {"a1": "posted", "a2": "posted", "a3": "posted", "f1": "unknown", "f2": "unknown",
                          "f3": "unknown", "w1": "not-sent", "w2": "not-sent", "w3": "not-sent"})
        return p.port

    def test_recover_learns_what_became_of_them(self):
        with SomeFile() as path, TempHome() as home:
            port = self.in_flight(home, path)
            with revive(port, path) as p:
                code, gate = send(p.url, home, None, "--recover", "--wait", "8s", "--until", "final")
                self.assertEqual(code, 5, "f3 may have arrived: 60 s have not passed")
                self.assertEqual(gate.outcomes(),
                                 {**{i: "filled" for i in ("a1", "a2", "a3", "f1", "f2")}, "f3": "unknown"})
                self.assertEqual({e["line"] for e in gate.events_of("outcome")}, {None})
                self.assertEqual(gate.event("outcome", "f1")["executed"], 10)
                self.assertEqual(posts(p), [], "nothing was posted")
                code, gate = send(p.url, home, [resting("next")], "--wait", "2s")
                self.assertEqual((code, gate.outcomes()), (5, {"next": "working", "f3": "unknown"}))
            self.assertEqual([home.newest_row(i)["state"] for i in ("a1", "a2", "a3", "f1", "f2")], ["filled"] * 5)

    def test_another_run_with_the_same_lines_reports_and_posts_nothing_twice(self):
        with SomeFile() as path, TempHome() as home:
            port = self.in_flight(home, path)
            with revive(port, path) as p:
                lines = [stock(i) for i in ("a1", "f1", "f3", "w1", "a2", "f2", "w2", "a3", "w3")]
                code, gate = send(p.url, home, lines, "--wait", "8s", "--until", "final")
                self.assertEqual(code, 5)
                self.assertEqual(gate.outcomes(),
                                 {**{i: "filled" for i in ("a1", "a2", "a3", "f1", "f2")}, "f3": "unknown",
                                  "w1": "not-sent", "w2": "not-sent", "w3": "not-sent"})
                self.assertEqual({e["clientOrderId"]: e["line"] for e in gate.events_of("outcome")},
                                 {o["clientOrderId"]: i + 1 for i, o in enumerate(lines)})
                self.assertEqual(posts(p), [])
                self.assertEqual(gate.events_of("decision"), [], "what was decided is not decided again")
                code, gate = send(p.url, home, lines[3:4], "--resend-not-sent", "--until", "final", "--wait", "8s")
                self.assertEqual(gate.outcomes(), {"w1": "filled", "f3": "unknown"})
                self.assertEqual(len(posts(p, "w1")), 1)
                code, gate = send(p.url, home, lines[:4], "--resend-not-sent", "--wait", "2s")
                self.assertEqual((code, gate.outcomes()),
                                 (5, {"a1": "filled", "f1": "filled", "f3": "unknown", "w1": "filled"}))
                self.assertEqual(len(posts(p)), 1, "only what was not sent is posted again")

    def test_with_the_stream_what_it_showed_is_known(self):
        in_some_run(self.shown)

    def shown(self):
        """Returns whether the stream reported the order first: the list may be faster."""
        with SomeFile() as path, TempHome() as home:
            p = Paper("--db", path)
            with Sender(p.url, home, "--wait", "3s") as gate:
                p.control("POST", "faults", {"on": "POST order", "do": "hang"})
                gate.feed(stock("seen"))
                source = gate.event("update", "seen", orderStatus="PendingNew")["source"]
                p.stop(signal.SIGKILL)
                self.assertEqual(gate.finish(1), 0)
            self.assertEqual(gate.outcomes(), {"seen": "working"})
            with revive(p.port, path) as p:
                code, gate = send(p.url, home, None, "--recover", "--until", "final", "--wait", "30s")
                self.assertEqual((code, gate.outcomes()), (0, {"seen": "filled"}))
        return source == "stream"

    def test_it_dies_before_anything_was_sent(self):
        with TempHome() as home:
            p = Paper()
            with Sender(p.url, home, "--wait", "2s") as gate:
                gate.feed(resting("first"))
                gate.event("posted", "first")
                p.stop(signal.SIGKILL)
                gate.wait_stderr("no stream")
                gate.feed(*[resting(f"o{i}") for i in range(5)])
                self.assertEqual(gate.finish(6), 4)
            self.assertEqual(gate.outcomes(), {"first": "working", **{f"o{i}": "not-sent" for i in range(5)}})

    def test_it_comes_back_while_the_gate_waits(self):
        with SomeFile() as path, TempHome() as home:
            p = Paper("--db", path)
            p.control("POST", "faults", {"on": "POST order", "do": "drop-reply"})
            with Sender(p.url, home, "--until", "final") as gate:
                gate.feed(stock("o"))
                gate.event("update", "o", orderStatus="PendingNew")
                p.stop(signal.SIGKILL)
                gate.wait_stderr("no stream")
                with revive(p.port, path) as p:
                    gate.event("outcome", "o", outcome="filled")
                    gate.feed(stock("next"))
                    gate.event("outcome", "next", outcome="filled")
                    self.assertEqual(gate.finish(2), 0)


class GateDies(unittest.TestCase):
    def test_between_intent_and_answer(self):
        """Of two orders in flight one has reached the brokerage. The next run finds out which one it was, and posts
        neither."""
        behaviours = {"arrived": (True, "hang"), "lost": (False, "hang")}
        lines = [resting("answered"), resting("arrived"), resting("lost")]
        with Paper(clock=RUNNING) as p, FaultProxy(p, behaviours) as b, TempHome() as home:
            with Sender(b.url, home) as gate:
                gate.feed(*lines)
                gate.event("posted", "answered")
                gate.event("update", "arrived")
                b.wait_post("lost")
                gate.kill().finish()
            self.assertEqual(home.newest_row("lost")["record"], "intent")
            code, gate = send(b.url, home, lines, "--wait", "8s")
            self.assertEqual((code, gate.outcomes()),
                             (5, {"answered": "working", "arrived": "working", "lost": "unknown"}))
            self.assertEqual(b.posts, {"answered": 1, "arrived": 1, "lost": 1})
            self.assertEqual([e["line"] for e in gate.events_of("outcome", "lost")], [3])
            code, gate = send(b.url, home, None, "--recover", "--wait", "2s")
            self.assertEqual((code, gate.outcomes()["lost"]), (5, "unknown"))
            self.assertEqual(b.posts, {"answered": 1, "arrived": 1, "lost": 1})

    def test_at_any_moment(self):
        """The sender is killed again and again while it reads the same lines: each order is posted at most once, and
        all outcomes are known in the end."""
        lines = [resting(f"o{i}", orderQuantity=1 + i) for i in range(100)]
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            most = 0
            for _ in range(8):
                with Sender(b.url, home, "--max-in-flight", "2", "--broker",
                            home.file("b.yaml", "budgets: off\n")) as gate:
                    gate.feed(*lines).close_input()
                    gate.wait_until(lambda: len(b.posts) > most or gate.open == 0, f"more than {most} orders")
                    gate.kill().finish()
                    most = len(b.posts) + 2
            code, gate = send(b.url, home, lines, "--wait", "8s", "--broker", home.file("b.yaml", "budgets: off\n"))
            self.assertLessEqual(max(b.posts.values()), 1)
            self.assertEqual(len(posts(p)), len(b.posts))
            ids = [o["clientOrderId"] for o in lines]
            self.assertEqual(gate.outcomes(), {i: "working" if i in b.posts else "unknown" for i in ids})
            self.assertIn(code, (0, 5))
            self.assertGreaterEqual(len(b.posts), 100 - 8 * 2, "a kill loses no more than what was in flight")


if __name__ == "__main__":
    main()
