"""The outcome of each order is reported once and correctly: by reply, stream, look-up or list, whichever of them
work."""
import json
import re
import signal
import socket
import threading
import unittest

from fault_proxy import FaultProxy, answer
from paper import LIVE, PAPER, Paper, assert_equal, in_some_run, leg, occ, spread, stock
from parallel_unittest import main
from request_limits import RequestLimits
from sender import RUNNING, Sender, TempHome, posts, resting, send

LOOSE = "ordergate: 1\nname: loose\nrules:\n  buying-power: warn\n  client-order-id: warn\n  stop-price: warn\n" \
        "  mleg-structure: warn\n  mleg-strategy: warn\n"
LIVE_ENV = {"ORDERGATE_ENVIRONMENT": "live"}


def live(order_id, **changes):
    return stock(order_id, route="SMART", **changes)


def states(gate, order_id):
    return [e["orderStatus"] for e in gate.events_of("update", order_id)]


class Overfill(FaultProxy):
    """A proxy whose look-ups and lists show that more than the order's quantity has filled."""

    rows = {}

    def _forward(self, service, method, path, *args):
        told = super()._forward(service, method, path, *args)
        head, _, body = told.partition(b"\r\n\r\n")
        if method != "GET" or b'"orderStatus"' not in body:
            return told
        doc = json.loads(body)
        for row in doc if isinstance(doc, list) else doc.get("orders", [doc]):
            row.update(self.rows.get(row.get("clientOrderId"), {}))
        kept = [h for h in head.decode().split("\r\n")[1:] if not h.startswith("Content-Length")]
        return answer(int(head.split()[1]), json.dumps(doc).encode(), kept)


class Followed(unittest.TestCase):
    """How orders are followed, each time with the stream and without it."""

    def play(self, streams, account, lines, play, *args):
        keys, env = (LIVE, LIVE_ENV) if account == "LIVE0001" else (PAPER, {})
        with Paper() as p, FaultProxy(p, streams=streams) as b, TempHome() as home:
            policy = home.file("loose.yaml", LOOSE)
            with Sender(b.url, home, "--until", "final", "--wait", "20s", "-p", policy, *args, keys=keys,
                        env=env) as gate:
                gate.feed(*lines)
                for line in lines:
                    gate.event("posted", line["clientOrderId"])
                play(p, gate)
                gate.code = gate.finish(len(lines))
            assert_equal({k: n for k, n in b.posts.items() if n > 1}, {})
            gate.rows = home.rows()
            if not streams:
                self.assertIn("no stream", gate.stderr)
                assert_equal([e for e in gate.events_of("update") if e["source"] == "stream"], [])
            return gate

    def both(self, *args):
        for streams in (True, False):
            with self.subTest(streams=streams):
                yield self.play(streams, *args)

    def test_fill(self):
        for gate in self.both("PAPER0001", [stock("o")], lambda p, g: p.advance("1s")):
            e = gate.event("outcome", "o")
            self.assertEqual((gate.code, e["outcome"], e["executed"], e["priceAvg"], e["brokerOrderId"], e["code"]),
                             (0, "filled", 10, 190.01, "o", None))
            self.assertEqual(gate.rows[-1]["state"], "filled")
            self.assertEqual((gate.rows[-1]["executed"], gate.rows[-1]["price_avg"]), ("10", "190.01"))

    def test_partial_fills(self):
        def play(p, gate):
            p.quote("AAPL", 189.99, 190.01, askSize=4)
            p.advance("1s")
            gate.event("update", "o", executed=4)
            p.quote("AAPL", 189.99, 190.00, askSize=3)
            p.advance("1s")
            gate.event("update", "o", executed=7)
            p.quote("AAPL", 189.99, 190.01)
            p.advance("1s")
        for gate in self.both("PAPER0001", [stock("o")], play):
            e = gate.event("outcome", "o")
            self.assertEqual((gate.code, e["outcome"], e["executed"]), (0, "filled", 10))
            executed = [u["executed"] for u in gate.events_of("update", "o")]
            self.assertEqual(executed, sorted(executed))

    def test_more_is_filled_than_was_ordered(self):
        """If more fills than was ordered, the excess is reported and recorded once, whatever the order's state. An
        ordinary fill is not reported so."""
        for status, executed, outcome in (("PartiallyFilled", 15, "working"), ("Filled", 15, "filled"),
                                          ("Canceled", 15, "canceled"), ("PartiallyFilled", -1, "working"),
                                          ("Filled", 10, "filled")):
            with self.subTest(status, executed=executed), Paper(clock=RUNNING) as p, TempHome() as home, \
                    Overfill(p, streams=False) as b, Sender(b.url, home, "--until", "final", "--wait", "8s") as gate:
                b.rows = {"o": {"orderStatus": status, "executed": executed, "priceAvg": 150}}
                gate.feed(resting("o"))
                self.assertEqual(gate.event("outcome", "o")["outcome"], outcome)
                gate.finish(1)
                odd = executed != 10
                told = "order 'o': the broker shows 15 filled at 150, which is more than the order"
                self.assertEqual(gate.stderr.count(told), executed == 15, gate.stderr)
                rows = [json.loads(r["detail"]) for r in home.rows("record = 'anomaly'")]
                self.assertEqual([r["executed"] for r in rows if "executed" in r], [executed] * (executed == 15), rows)
                self.assertTrue(odd or not rows)

    def test_a_cancel_from_outside(self):
        def play(p, gate):
            p.quote("AAPL", 189.99, 190.01, askSize=4)
            p.advance("1s")
            gate.event("update", "o", executed=4)
            assert_equal(p.cancel("o").status, 200)
            p.advance("1s")
        for gate in self.both("PAPER0001", [stock("o")], play):
            e = gate.event("outcome", "o")
            self.assertEqual((gate.code, e["outcome"], e["executed"]), (0, "canceled", 4))

    def test_rejected_later(self):
        """The rejection with code 24 comes after a PendingNew; the one with R118 comes under another id too."""
        lines = [live("r24", orderQuantity=100000, limitPrice=10),
                 live("r118", orderType="Stop", limitPrice=None, stopPrice=150)]
        for gate in self.both("LIVE0001", lines, lambda p, g: p.advance("1s")):
            self.assertEqual(gate.code, 1)
            for i in ("r24", "r118"):
                e = gate.event("outcome", i)
                self.assertEqual((e["outcome"], e["code"], e["executed"]), ("rejected", i.upper(), 0), i)
                self.assertEqual(e["text"][:len(i) + 1], i.upper() + ":")
                self.assertEqual(states(gate, i)[0], "PendingNew")
                self.assertEqual(states(gate, i)[-1], "Rejected")
            self.assertEqual(gate.event("outcome", "r118")["brokerOrderId"], "r118INVALID")
            self.assertEqual(gate.event("outcome", "r24")["brokerOrderId"], "r24")

    def test_legs_that_do_not_belong(self):
        legs = [leg(occ("SPY", strike=600), "Buy"), leg(occ("SPY", strike=605), "Sell")]
        for gate in self.both("PAPER0001", [spread("r152", legs=legs, symbol="QQQ")], lambda p, g: p.advance("1s")):
            e = gate.event("outcome", "r152")
            self.assertEqual((gate.code, e["outcome"], e["code"], states(gate, "r152")),
                             (1, "rejected", "R152", ["PendingNew", "Rejected"]))

    def test_it_expires(self):
        for gate in self.both("PAPER0001", [resting("o")],
                              lambda p, g: p.control("PUT", "clock", {"now": "2026-01-15T21:00:01Z"})):
            self.assertIn(gate.event("outcome", "o")["outcome"], ("expired", "done"))
            self.assertEqual(gate.code, 0)


class AtOnce(unittest.TestCase):
    def test_rejected_in_the_reply(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.order(stock("taken", limitPrice=1))
            code, gate = send(p.url, home, [resting("taken")], "-p", home.file("loose.yaml", LOOSE))
            e = gate.event("outcome", "taken")
            self.assertEqual((code, e["outcome"], e["code"]), (1, "rejected", "R114"))
            self.assertEqual(gate.event("posted", "taken")["orderStatus"], "Rejected")

    def test_another_order_of_the_same_id(self):
        """What the broker reports about somebody else's order with our id is not the outcome of our order."""
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            p.order(resting("taken", limitPrice=1))
            p.advance("1s")
            answered = threading.Event()
            b.behaviours["taken"] = (True, answered)
            with Sender(b.url, home, "-p", home.file("loose.yaml", LOOSE), "--timeout", "5m", "--wait", "5m") as gate:
                gate.feed(resting("taken"))
                b.wait_post("taken")
                p.cancel("taken")
                p.advance("1s")
                gate.wait_until(lambda: re.search(r"another order under this id \((stream|list|lookup): limitPrice is "
                                                  r"1, ours is 150\)",
                                                  gate.stderr), "the word of another order")
                answered.set()
                e = gate.event("outcome", "taken")
                self.assertEqual((gate.finish(1), e["outcome"], e["code"]), (1, "rejected", "R114"))
            self.assertEqual([r["state"] for r in home.rows("record = 'anomaly'")], ["intended"])

    def test_another_order_of_the_same_id_and_no_answer(self):
        """Somebody else's order has our id, and our POST had no answer: a row of theirs does not tell whether ours
        arrived, in this run or a later one."""
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"taken": (True, "close")}) as b, TempHome() as home:
            p.order(resting("taken", limitPrice=1))
            p.advance("1s")
            loose = home.file("loose.yaml", LOOSE)
            for _ in range(2):
                with Sender(b.url, home, "-p", loose, lines=[resting("taken")]) as gate:
                    gate.wait_stderr("the broker has another order under this id")
                    gate.wait_stderr("limitPrice is 1, ours is 150")
                    gate.kill().finish()
                    self.assertEqual(gate.outcomes(), {})
            code, gate = send(b.url, home, [resting("taken")], "-p", loose, "--wait", "1ms")
            self.assertEqual((code, gate.outcomes(), b.posts), (5, {"taken": "unknown"}, {"taken": 1}))

    def test_another_order_of_the_same_id_is_not_canceled(self):
        """The dead man's switch cancels only our orders, and not somebody else's with the same id."""
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"taken": (True, "close")}) as b, TempHome() as home:
            p.order(resting("taken", limitPrice=1))
            p.advance("1s")
            with Sender(b.url, home, "-p", home.file("loose.yaml", LOOSE), "--dead-man", "5s") as gate:
                gate.feed(resting("ours"), resting("taken"))
                while "another order under this id" not in gate.stderr:
                    gate.feed({"op": "heartbeat"})
                    with gate.changed:
                        gate.changed.wait(0.1)
                self.assertEqual(gate.event("dead-man")["canceling"], 1)
                self.assertEqual(gate.event("update", "ours", orderStatus="Canceled")["orderStatus"], "Canceled")
                gate.kill().finish()
            self.assertEqual([path for method, path in b.paths if method == "DELETE"],
                             ["/v1/api/accounts/PAPER0001/orders/ours"])

    def test_acked_is_enough(self):
        with Paper() as p, TempHome() as home:
            with Sender(p.url, home, "--wait", "20s") as gate:
                gate.feed(stock("o"))
                gate.event("posted", "o")
                self.assertFalse(gate.events_of("outcome"), "PendingNew decides nothing")
                p.advance("50ms")
                self.assertEqual(gate.event("outcome", "o")["outcome"], "working")
                self.assertEqual(gate.finish(1), 0)

    def test_it_gives_up(self):
        """--wait counts from the POST: when it is over, the order was answered and works, and that state is
        reported."""
        with Paper() as p, TempHome() as home:
            code, gate = send(p.url, home, [resting("o")], "--wait", "300ms")
            self.assertEqual((code, gate.outcomes()), (0, {"o": "working"}))
            self.assertEqual(home.newest_row("o")["state"], "posted")
            p.advance("1s")
            code, gate = send(p.url, home, [resting("p")], "--wait", "300ms", "--until", "final")
            self.assertEqual((code, gate.outcomes()["p"]), (0, "working"))

    def test_budgets(self):
        """At the service's own request limits no POST is answered 429, and the outcome of every order is known."""
        def run():
            with Paper(clock=RUNNING, limits=True) as p, TempHome() as home:
                limits, lines = RequestLimits(p), [resting(f"o{i}") for i in range(30)]
                code, gate = send(p.url, home, lines, "--wait", "5m")
                self.assertEqual((code, gate.outcomes()), (0, {o["clientOrderId"]: "working" for o in lines}))
                self.assertEqual([r["status"] for r in posts(p) if r["status"] != 429], [200] * 30)
                return limits.kept()
        in_some_run(run)


class Streams(unittest.TestCase):
    def until_the_stream_tells(self, gate, name):
        """Send orders until the stream is the first to report one, and return their number: a look-up may be faster."""
        for count in range(1, 31):
            gate.feed(resting(f"{name}{count}"))
            if gate.event("update", f"{name}{count}", orderStatus="New")["source"] == "stream":
                return count
        self.fail("the stream sends nothing")

    def test_faults_of_the_stream(self):
        """Frames that are lost, repeated or swapped, and a stream that is cut, change no outcome."""
        for fault in ("drop-frame", "duplicate-frame", "reorder-frame", "disconnect"):
            for after in (0, 1, 2):
                with self.subTest(fault, after=after), Paper(clock=RUNNING) as p, TempHome() as home:
                    with Sender(p.url, home, "--until", "final", "--wait", "20s") as gate:
                        count = self.until_the_stream_tells(gate, "first")
                        p.control("POST", "faults", {"on": "stream portfolio", "do": fault, "count": 3, "after": after})
                        gate.feed(stock("o"), stock("bad", limitPrice=0.01, side="Sell", openClose="Close"))
                        self.assertEqual(gate.event("outcome", "o")["outcome"], "filled")
                        for i in range(count):
                            p.cancel(f"first{i + 1}")
                            self.assertEqual(gate.event("outcome", f"first{i + 1}")["outcome"], "canceled")
                        gate.finish(count + 2)
                    self.assertEqual(gate.event("outcome", "o")["executed"], 10)
                    self.assertEqual(len(posts(p, "o")), 1)

    def test_a_stream_that_is_open_and_tells_nothing(self):
        """The stream is open but silent. Look-ups show changes that it did not report, so it is opened again."""
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home, Sender(b.url, home) as gate:
            before = self.until_the_stream_tells(gate, "first")
            b.drop_frames = True
            # the sender does not wait for this cancel's outcome, which is known once everything is read again after the
            # gap
            p.cancel("first1")
            gate.feed(*[resting(f"o{i}") for i in range(4)])
            gate.wait_stderr("sends nothing")
            b.drop_frames = False
            for i in range(4):
                gate.event("outcome", f"o{i}", outcome="working")
            while [path for _, path in b.paths].count("/stream/portfolio") < 2:
                pass
            after = self.until_the_stream_tells(gate, "after")
            gate.event("update", "first1", orderStatus="Canceled")
            self.assertEqual(gate.finish(before + 4 + after), 0)

    def test_a_stream_that_is_only_late(self):
        """With many orders under way, one reading may show many changes before the stream does: a stream that is only
        late does not count as silent."""
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home, Sender(b.url, home, "--max-in-flight",
                                                                                       "64") as gate:
            before = self.until_the_stream_tells(gate, "first")
            b.forward_frames.clear()
            gate.feed(*[resting(f"o{i}") for i in range(8)])
            for i in range(8):
                gate.event("outcome", f"o{i}", outcome="working")
            self.assertEqual([e for e in gate.events_of("update") if e["clientOrderId"].startswith("o")
                              and e["source"] == "stream"], [])
            b.forward_frames.set()
            self.assertEqual(gate.finish(before + 8 + self.until_the_stream_tells(gate, "after")), 0)
            self.assertNotIn("sends nothing", gate.stderr)

    def test_signed_in_before_the_first_post(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            send(b.url, home, [resting("o")])
            methods = [path if "stream" in path else method for method, path in b.paths]
            self.assertLess(methods.index("/stream/portfolio"), methods.index("POST"))

    def test_keys_the_stream_refuses(self):
        """The account list accepts the keys, but the stream does not: nothing is posted."""
        def other_keys(frame):
            return frame.replace(b'"secret":"paper-secret"', b'"secret":"wrong-secret"')
        with Paper(clock=RUNNING) as p, FaultProxy(p, change_frame=other_keys) as b, TempHome() as home:
            with Sender(b.url, home) as gate:
                gate.feed(resting("o"))
                gate.wait_stderr("FAILED_AUTH")
                self.assertEqual(gate.finish(), 4)
            self.assertEqual((b.posts, set(gate.outcomes().values()) | {"not-sent"}), ({}, {"not-sent"}))

    def test_a_stream_that_says_nothing_is_given_the_keys_anyway(self):
        with Paper() as p, FaultProxy(p, greeting=False) as b, TempHome() as home:
            with Sender(b.url, home, "--wait", "20s") as gate:
                gate.feed(resting("o"))
                gate.event("posted", "o")
                p.advance("1s")
                gate.event("update", "o", orderStatus="New")
                self.assertEqual(gate.finish(1), 0)
                self.assertNotIn("no stream", gate.stderr)

    def test_an_upgrade_that_is_not_answered(self):
        """The stream's server accepts the connection and says nothing: orders are sent without it, and followed
        by look-ups."""
        with Paper(clock=RUNNING) as p, socket.create_server(("127.0.0.1", 0)) as silent, TempHome() as home:
            code, gate = send(p.url, home, [resting("o")],
                              env={"ORDERGATE_WS_URL": f"ws://127.0.0.1:{silent.getsockname()[1]}"})
            self.assertEqual((code, gate.outcomes()), (0, {"o": "working"}))
            self.assertIn("no stream", gate.stderr)

    def test_a_sleeping_platform(self):
        """The platform sleeps and lists no account: nothing is sent, and the exit code is 4."""
        with Paper() as p, FaultProxy(p,
                                      gets={"/v1/api/accounts": answer(200,
                                                                       b'{"accounts":[]}')}) as b, TempHome() as home:
            with Sender(b.url, home) as gate:
                gate.feed(resting("o"))
                gate.wait_stderr("asleep")
                self.assertEqual(gate.finish(), 4)
            self.assertEqual(b.posts, {})


class Keys(unittest.TestCase):
    """What an answer says about the keys by the service's document, and which command shows whether they work."""

    def check(self, on, status, *words, read=False):
        with self.subTest(on, status=status), Paper(clock=RUNNING) as p, TempHome() as home, \
                Sender(p.url, home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            p.control("POST", "faults", {"on": on, "do": "status", "status": status, "count": 1000})
            if on == "DELETE order":
                gate.feed({"op": "cancel", "clientOrderId": "a"})
            else:
                gate.feed(resting("b", limitPrice=151))
            text = gate.event("outcome", line=2)["text"]
            for word in ("HTTP %d" % status, "ordergate broker accounts", *words):
                self.assertIn(word, text)
            gate.kill(signal.SIGKILL)

    def test_a_post(self):
        for status in (401, 404):
            self.check("POST order", status, "the keys are missing, wrong or disabled", "the path of base_url")

    def test_a_cancel(self):
        self.check("DELETE order", 401, "the keys are missing, wrong or disabled", "the path of base_url")

    def test_a_reading(self):
        for status in (401, 403, 404):
            with self.subTest(status), Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
                p.control("POST", "faults", {"on": "GET positions", "do": "status", "status": status, "count": 1000})
                gate.feed(resting("b"))
                text = gate.event("outcome", "b")["text"]
                for word in (f"GET positions: HTTP {status}", "ordergate broker accounts", "the account is not theirs",
                             "asleep", "the path of base_url"):
                    self.assertIn(word, text)
                gate.kill(signal.SIGKILL)


class Documents(unittest.TestCase):
    def test_both_shapes_of_an_order(self):
        """The answer and the look-up of an order may use the WebSocket's names, and any envelope."""
        shapes = {
            "clean": '{"accountId":"PAPER0001","clientOrderId":"%s","orderStatus":"Filled","executed":10,'
                     '"leavesQuantity":0,"priceAvg":190.01,"text":null}',
            "websocket": '{"account":"PAPER0001","userOrderId":"PAPER0001:%s","orderStatus":"Filled","executed":10.0,'
                         '"lvsQty":0.0,"priceAvg":190.0100}',
            "wrapped": '{"order":{"clientOrderId":"%s","orderStatus":"Filled","executed":1e1,"priceAvg":190.01}}',
        }
        behaviours = {k: (False, answer(200, (v % k).encode(), ("Content-Type: application/json",)))
                      for k, v in shapes.items()}
        with Paper(clock=RUNNING) as p, FaultProxy(p, behaviours) as b, TempHome() as home:
            code, gate = send(b.url, home, [stock(k) for k in shapes], "--until", "final")
            self.assertEqual((code, gate.outcomes()), (0, {k: "filled" for k in shapes}))
            for k in shapes:
                e = gate.event("outcome", k)
                self.assertEqual((e["executed"], e["priceAvg"], e["brokerOrderId"]), (10, 190.01, k))

    def test_a_state_nobody_knows_is_no_end(self):
        row = b'{"clientOrderId":"o","orderStatus":"Calculated","executed":0}'
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"o": (True, answer(200, row))}) as b, TempHome() as home:
            code, gate = send(b.url, home, [stock("o")], "--until", "final")
            self.assertEqual((code, gate.outcomes()), (0, {"o": "filled"}))

    def test_facts_of_the_broker_decide(self):
        """Account, positions and working orders are read, and orders sent here count before the broker shows
        them."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("PUT", "accounts/PAPER0001", {"bp": 4000})
            code, gate = send(p.url, home, [resting("a"), resting("b"), resting("c")])
            self.assertEqual((code, gate.outcomes()), (1, {"a": "working", "b": "working", "c": "refused"}))
            self.assertIn("buying-power", [f["rule"] for f in gate.event("decision", "c")["findings"]])

    def test_borrow_is_asked_for_a_short(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            short = {"side": "Sell", "route": "SMART"}
            code, gate = send(p.url, home, [stock("gme", symbol="GME", limitPrice=30, **short),
                                            stock("f", symbol="F", limitPrice=13, **short)],
                              "-p", "default", keys=LIVE, env=LIVE_ENV)
            asked = [r["path"] for r in p.control("GET", "requests?since=0")["requests"]
                     if "is-easy-to-borrow" in r["path"]]
            self.assertEqual(sorted(path.rsplit("/", 1)[1] for path in asked), ["F", "GME"])
            self.assertEqual((code, gate.outcomes()["f"]), (1, "working"))
            self.assertIn(gate.outcomes()["gme"], ("refused", "rejected"))
            self.assertIn("borrow-locate", [f["rule"] for f in gate.event("decision", "gme")["findings"]])


if __name__ == "__main__":
    main()
