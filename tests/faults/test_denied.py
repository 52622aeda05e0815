"""An order is believed to be rejected or not sent, while the broker has it and it works: the sender reports that, and
sends a cancel of it."""
import contextlib
import json
import unittest

from fault_proxy import FaultProxy, answer
from parallel_unittest import WAITING, main
from sender import RUNNING, TempHome, posts, stock
from test_cancels import Paper, Sender, cancel, deletes, move, near, resting, state
from test_halt import halt

DENIALS = {400: "rejected", 401: "not-sent", 404: "not-sent"}
SELL = {"side": "Sell", "openClose": "Close", "limitPrice": 250}
EMPTY = answer(200, b'{"orders":[]}', ("Content-Type: application/json",))
UNREADABLE = {"on": "GET orders", "do": "status", "status": 503, "count": 1000000}


class Scene(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def deny(self, status, streams=False):
        """Make the broker accept the order "a" while the client gets that status as the answer."""
        return self.enterContext(FaultProxy(self.paper, {"a": (True, answer(status))}, streams=streams))


class Denied(Scene):
    @contextlib.contextmanager
    def denied(self, status):
        """Make a new scene with a gate that got that answer, and has reported the outcome that it believes."""
        self.setUp()
        with Sender(self.deny(status).url, self.home) as gate:
            gate.feed(resting("a"))
            self.assertEqual(gate.event("outcome", "a")["outcome"], DENIALS[status])
            yield gate

    def is_canceled(self, gate, line, order_id="a"):
        self.assertEqual(gate.event("outcome", line=line)["outcome"], "canceled", gate.events[-4:])
        self.assertEqual((len(deletes(self.paper, order_id)), state(self.paper, order_id)), (1, "Canceled"))

    def test_in_the_same_run(self):
        for status in DENIALS:
            with self.subTest(status=status), self.denied(status) as gate:
                gate.feed(cancel("a"))
                self.is_canceled(gate, 2)
                gate.finish(2)

    def test_in_a_later_run(self):
        for status in DENIALS:
            with self.subTest(status=status):
                with self.denied(status) as gate:
                    gate.finish(1)
                with Sender(self.paper.url, self.home) as gate:
                    gate.feed(cancel("a"))
                    self.is_canceled(gate, 1)
                    self.assertEqual(gate.finish(1), 0)

    def test_what_works_although_not_sent_is_told(self):
        with self.denied(404) as gate:
            gate.finish(1)
        with Sender(self.paper.url, self.home) as gate:
            told = gate.event("update", "a", orderStatus="New")
            self.assertEqual((told["otherRun"], self.home.newest_row("a")["state"]), (True, "working"))
            gate.finish(0)
        self.assertEqual(len(posts(self.paper, "a")), 1)

    def test_it_is_not_sent_again(self):
        with self.denied(404) as gate:
            gate.finish(1)
        with Sender(self.paper.url, self.home, "--resend-not-sent") as gate:
            gate.event("update", "a", orderStatus="New")
            gate.feed(resting("a"))
            self.assertEqual((gate.event("outcome", "a")["outcome"], gate.finish(1)), ("working", 0))
        self.assertEqual(len(posts(self.paper, "a")), 1)

    def test_an_order_of_somebody_else_has_the_id(self):
        """Somebody else made an order with this id before, by another ledger, with the same terms or others. The list
        cannot be read when our order is posted, and only a close is posted then."""
        for shares in (4, 5):
            with self.subTest(shares=shares):
                self.setUp()
                self.paper.hold_shares()
                close = {**SELL, "orderQuantity": 4}
                self.paper.order(stock("a", **close))
                self.paper.control("POST", "faults", UNREADABLE)
                with Sender(self.paper.url, self.home) as gate:
                    gate.feed(stock("a", **{**close, "orderQuantity": shares}))
                    self.assertEqual(gate.event("outcome", "a")["outcome"], "rejected")
                    self.paper.control("DELETE", "faults")
                    gate.feed(cancel("a"))
                    self.is_canceled(gate, 2)
                    gate.finish(2)

    def test_what_replaces_it(self):
        for status in DENIALS:
            with self.subTest(status=status), self.denied(status) as gate:
                gate.feed(resting("new", replaces="a"))
                self.assertEqual(gate.event("outcome", "new")["outcome"], "working", gate.events[-4:])
                self.assertEqual((len(deletes(self.paper, "a")), state(self.paper, "a")), (1, "Canceled"))
                gate.finish(2)

    def test_what_does_not_work_is_not_canceled(self):
        for line in (resting("a"), stock("r", orderType="Stop", stopPrice=100, limitPrice=None)):  # unsent, rejected
            with self.subTest(line=line):
                self.setUp()
                proxy = self.enterContext(FaultProxy(self.paper, {"a": (False, answer(404))}))
                order_id = line["clientOrderId"]
                with Sender(proxy.url, self.home) as gate:
                    gate.feed(line)
                    ended = gate.event("outcome", order_id)["outcome"]
                    gate.feed(cancel(order_id))
                    outcome = gate.event("outcome", line=2)["outcome"]
                    gate.finish(2)
                self.assertIn((ended, outcome),
                              (("not-sent", "canceled"), ("rejected", "refused"), ("rejected", "rejected")))
                self.assertEqual(deletes(self.paper, order_id), [])

    def test_not_sent_and_no_list(self):
        """Neither a list nor a row shows that the order with that id is ours, so it is not canceled."""
        proxy = self.enterContext(FaultProxy(self.paper, {"a": (False, answer(404))}))
        with Sender(proxy.url, self.home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="not-sent")
            self.paper.control("POST", "faults", UNREADABLE)
            gate.feed(cancel("a"))
            self.assertEqual((gate.event("outcome", line=2)["outcome"], deletes(self.paper, "a")), ("canceled", []))
            self.assertEqual(self.home.newest_row("a")["state"], "not-sent")
            gate.finish(2)


class Unfound(Scene):
    """The list of orders is empty and look-ups answer 404, as when the platform is asleep; the stream alone shows that
    the order works, whatever the answer to its POST was. Its cancel is tried again, as that of any order is."""

    def test_its_cancel_is_tried_again(self):
        for status in (400, 401, 404, 503, None):
            for fails in (404, 503):
                with self.subTest(status=status, fails=fails):
                    self.setUp()
                    proxy = self.enterContext(FaultProxy(
                        self.paper, {"a": (True, answer(status) if status else "answer")},
                        gets={"/orders": EMPTY, "/order/a": answer(404)}))
                    with Sender(proxy.url, self.home) as gate:
                        gate.feed(resting("a"))
                        gate.event("update", "a", orderStatus="New")
                        self.paper.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": fails,
                                                              "count": 2})
                        gate.feed(cancel("a"))
                        self.assertEqual(gate.event("outcome", line=2)["outcome"], "canceled", gate.events[-4:])
                        self.assertEqual((len(deletes(self.paper, "a")), state(self.paper, "a")), (3, "Canceled"))
                        gate.finish(2)

    def test_the_dead_mans_switch(self):
        for status in (400, 404, 503):
            with self.subTest(status=status):
                self.setUp()
                proxy = self.enterContext(FaultProxy(self.paper, {"a": (True, answer(status))},
                                                     gets={"/orders": EMPTY, "/order/a": answer(404)}))
                with Sender(proxy.url, self.home, "--dead-man", "10s") as gate:
                    gate.feed(resting("a"))
                    gate.event("update", "a", orderStatus="New")
                    self.paper.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": 503,
                                                          "count": 2})
                    gate.event("dead-man")
                    gate.wait_until(lambda: state(self.paper, "a") == "Canceled", "its cancel")
                    self.assertEqual(len(deletes(self.paper, "a")), 3)
                    gate.kill()


class Taken(Scene):
    """If the broker accepted and filled an order but answered 400, 401 or 404, every run reports it as filled."""

    def list_is_read(self, gate, line):
        gate.feed(cancel("nobody's"))  # waits for a list that is requested after the line was read
        gate.event("outcome", line=line)

    def is_settled(self, order_id, outcome, executed):
        """Assert that the ledger has this outcome, and that later runs answer the same line with it and do not post it
        again."""
        row = self.home.newest_row(order_id)
        self.assertEqual((row["state"], float(row["executed"]), row["text"]), (outcome, executed, None))
        for option in ((), ("--resend-not-sent",)):
            with Sender(self.paper.url, self.home, *option) as gate:
                gate.feed(self.lines[order_id]).finish(1)
                told = gate.event("outcome", order_id)
                self.assertEqual((told["outcome"], told["executed"], told["otherRun"]), (outcome, executed, True))
        self.assertEqual(len(posts(self.paper, order_id)), 1)

    def feed(self, gate, line):
        self.lines = {line["clientOrderId"]: line}
        gate.feed(line)
        return gate.event("outcome", line["clientOrderId"])["outcome"]

    def test_it_fills_at_once(self):
        for status in DENIALS:
            with self.subTest(status=status):
                self.setUp()
                with Sender(self.deny(status).url, self.home) as gate:
                    self.assertEqual(self.feed(gate, stock("a", orderQuantity=10)), DENIALS[status])
                    self.list_is_read(gate, 2)
                    self.assertEqual(gate.event("update", "a", orderStatus="Filled")["executed"], 10, gate.stderr)
                    gate.feed(stock("c", side="Sell", openClose="Close", limitPrice=180, orderQuantity=10))
                    self.assertIn(gate.event("outcome", "c")["outcome"], ("working", "filled"))
                    gate.finish(3)
                self.is_settled("a", "filled", 10)

    def test_it_works_and_fills_later(self):
        for streams in (False, True):
            with self.subTest(streams=streams):
                self.setUp()
                proxy = self.deny(400, streams=streams)
                proxy.forward_frames.clear()
                with Sender(proxy.url, self.home) as gate:
                    # the reading that follows the stream's sign-in may show the order before the answer is read
                    self.assertIn(self.feed(gate, near("a")), ("rejected", "working") if streams else ("rejected",))
                    proxy.forward_frames.set()
                    self.list_is_read(gate, 2)
                    gate.event("update", "a", orderStatus="New")
                    self.assertEqual(self.home.newest_row("a")["state"], "working")
                    move(self.paper)
                    lines = 2
                    while not streams and state(self.paper, "a") != "Filled":
                        continue
                    if not streams:
                        self.list_is_read(gate, lines := 3)
                    told = gate.event("update", "a", orderStatus="Filled")
                    gate.finish(lines)
                self.is_settled("a", "filled", told["executed"])

    def test_it_is_over_when_the_next_run_begins(self):
        for outcome in ("filled", "canceled"):
            with self.subTest(outcome=outcome):
                self.setUp()
                with Sender(self.deny(400).url, self.home) as gate:
                    self.assertEqual(self.feed(gate, near("a")), "rejected")
                    gate.kill()
                with contextlib.closing(self.paper.portfolio()) as stream:
                    if outcome == "filled":
                        move(self.paper)
                    else:
                        self.paper.cancel("a")
                    while stream.order()["orderStatus"] != outcome.capitalize():
                        continue
                with Sender(self.paper.url, self.home) as gate:
                    told = gate.event("update", "a")
                    self.assertEqual((told["outcome"], told["otherRun"]), (outcome, True))
                    gate.finish(0)
                self.is_settled("a", outcome, told["executed"])

    def test_the_order_of_that_id_is_another(self):
        """Our order never reached the broker. Somebody else's order with this id has other terms, and fills."""
        for status in DENIALS:
            with self.subTest(status=status):
                self.setUp()
                proxy = self.enterContext(FaultProxy(self.paper, {"a": (False, answer(status))}))
                with Sender(proxy.url, self.home) as gate:
                    self.assertEqual(self.feed(gate, resting("a")), DENIALS[status])
                    self.paper.order(stock("a", orderQuantity=7))
                    self.list_is_read(gate, 2)
                    gate.wait_stderr("another order under this id")
                    gate.finish(2)
                self.assertEqual(self.home.newest_row("a")["state"], DENIALS[status])


class Emergencies(Scene):
    """`halt --cancel-own` and the dead man's switch cancel all of these orders."""

    def halt(self):
        done = halt(self.home, "--cancel-own", "--ledger", self.home.ledger, url=self.paper.url)
        return done, [json.loads(line) for line in done.stdout.splitlines()[1:]]

    def end(self, status, line=None):
        with Sender(self.deny(status).url, self.home) as gate:
            gate.feed(line or resting("a"))
            self.assertEqual(gate.event("outcome", "a")["outcome"], DENIALS[status])
            gate.kill()

    def test_halt(self):
        for status in DENIALS:
            with self.subTest(status=status):
                self.setUp()
                self.end(status)
                done, told = self.halt()
                self.assertEqual([(t["clientOrderId"], t["http"]) for t in told], [("a", 200)], done.stderr)
                self.assertEqual(len(deletes(self.paper, "a")), 1)
                self.assertIn(state(self.paper, "a"), ("PendingCancel", "Canceled"))

    def test_halt_leaves_those_of_somebody_else(self):
        """Either the broker rejected our order because somebody else's order has its id, or our order never arrived and
        the other one has other terms. A halt does not cancel the other order."""
        self.paper.hold_shares()
        self.paper.order(stock("a", **SELL))
        self.paper.control("POST", "faults", UNREADABLE)
        with Sender(self.paper.url, self.home) as gate:
            gate.feed(stock("a", **SELL))
            self.assertEqual(gate.event("outcome", "a")["outcome"], "rejected")
            gate.kill()
        self.paper.control("DELETE", "faults")
        self.assertEqual((self.halt()[1], deletes(self.paper)), ([], []))
        self.setUp()
        with Sender(self.enterContext(FaultProxy(self.paper, {"a": (False, answer(404))})).url, self.home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="not-sent")
            gate.kill()
        self.paper.order(resting("a", orderQuantity=7))
        self.assertEqual((self.halt()[1], deletes(self.paper)), ([], []))

    def test_halt_without_a_list(self):
        self.end(400)
        self.paper.control("POST", "faults", UNREADABLE)
        done, told = self.halt()
        self.assertEqual([(t["clientOrderId"], t["http"]) for t in told], [(None, 503)])
        self.assertIn("may still be working", told[0]["text"])
        self.assertEqual((done.returncode, deletes(self.paper)), (1, []))

    def test_the_dead_mans_switch(self):
        for status in DENIALS:
            with self.subTest(status=status):
                self.setUp()
                with Sender(self.deny(status).url, self.home, "--dead-man", "5s") as gate:
                    gate.feed(resting("a"))
                    self.assertEqual(gate.event("outcome", "a")["outcome"], DENIALS[status])
                    gate.feed(cancel("nobody's"))  # waits for a list that is requested after the line was read
                    gate.event("outcome", line=2)
                    self.assertEqual(gate.event("dead-man")["canceling"], 1)
                    gate.wait_until(lambda: state(self.paper, "a") == "Canceled", "its cancel")
                    gate.kill()

    def test_the_dead_mans_switch_before_a_list_shows_them(self):
        """There is no stream. Either no list was requested since the POST, or none could be read until the switch had
        fired, or the order registers only after that."""
        for unreadable in (False, True):
            for status in DENIALS:
                with self.subTest(status=status, unreadable=unreadable):
                    # on a slow machine the shorter one fires before the POST
                    self.assertTrue(any(self.fires(dead_man, status, unreadable) for dead_man in ("1s", "10s")))

    def fires(self, dead_man, status, unreadable):
        """Returns False if the switch fired before the POST, so that there is nothing to cancel."""
        self.setUp()
        with Sender(self.deny(status).url, self.home, "--dead-man", dead_man) as gate:
            gate.feed(resting("a"))
            outcome = gate.event("outcome", "a")["outcome"]
            sent = posts(self.paper, "a") != []
            self.assertEqual(outcome, DENIALS[status] if sent else "not-sent")
            if unreadable:
                self.paper.control("POST", "faults", UNREADABLE)
            gate.event("dead-man")
            self.paper.control("DELETE", "faults")
            if sent:
                gate.wait_until(lambda: "Canceled" in [o["orderStatus"] for o in self.paper.control("GET", "orders")
                                                       ["orders"] if o["clientOrderId"] == "a"], "its cancel")
            gate.kill()
        return sent


if __name__ == "__main__":
    main(WAITING)
