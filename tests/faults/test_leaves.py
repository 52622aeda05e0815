"""An order that waits between its decision and its POST (after a 429, for the request budget, or for a connection) is
decided once more right before each POST, by what is known then.

The brokerage answers the first POST with 429. The test changes something, and waits until the gate knows it or until
it cannot matter. Then the order is either sent, or not sent for a reason that its events and the ledger have.
"""
from datetime import datetime, timezone
import json
import subprocess
import threading
import unittest

from fault_proxy import FaultProxy
from paper import LIVE, Paper, stock
from parallel_unittest import WAITING, main
from sender import RUNNING, SEND, Sender, TempHome, posts, resting
from test_halt import OBEYED, halt
from test_waiver import tool

LIVE_ENV = {"ORDERGATE_ENVIRONMENT": "live"}
CLOSES = {"side": "Sell", "openClose": "Close"}


def policy(*rules, **settings):
    extra = "".join(f"{key}: {value}\n" for key, value in settings.items())
    return f"ordergate: 1\nname: t\nextends: []\n{extra}rules:\n" + "".join(f"  {rule}\n" for rule in rules)


QUOTES_AGE = "1h"  # the most allowed where a test writes its quotes once, since a slow machine needs more than 2s


def quote(p, symbol, price):
    """Returns a line of --quotes, dated by the brokerage's clock."""
    return json.dumps({"symbol": symbol, "bid": price - 0.01, "ask": price + 0.01, "last": price,
                       "asOf": p.advance("0s")}) + "\n"


class Held:
    """A brokerage, and a gate whose first POSTs are answered with 429 once go() is called."""

    def __init__(self, test, *ids, rules=(), text=None, args=(), account="PAPER0001", quotes=None, **settings):
        self.test, self.released, self.elsewhere = test, threading.Event(), 0
        self.p = test.enterContext(Paper(clock=RUNNING))
        self.home = test.enterContext(TempHome())
        self.b = test.enterContext(FaultProxy(self.p, {i: [(False, self.released), (True, "answer")] for i in ids}))
        self.p.control("PUT", "accounts/LIVE0001", {k: 1000000 for k in ("bp", "equity")})
        self.path = self.home.file("p.yaml", text or policy(*rules, **settings))
        if quotes:
            self.quotes = self.home.file("quotes", "".join(quote(self.p, s, price) for s, price in quotes.items()))
            args = ("--quotes", self.quotes, *args)
        keys, env = (LIVE, LIVE_ENV) if account == "LIVE0001" else (None, {})
        self.gate = test.enterContext(Sender(self.b.url, self.home, "-p", self.path, "--timeout", "5m", *args, env=env,
                                             **({"keys": keys} if keys else {})))

    def feed(self, *orders):
        """Send the orders, and wait until they are decided and their first POSTs have arrived."""
        self.gate.feed(*orders)
        for o in orders:
            self.test.assertEqual(self.gate.event("decision", o["clientOrderId"])["verdict"], "accept",
                                  self.gate.events[-3:])
            self.b.wait_post(o["clientOrderId"])

    def go(self):
        self.released.set()

    def advance(self, duration):
        """Set the brokerage's clock forward. The gate then reads the account, because somebody else makes an order."""
        self.p.advance(duration)
        count = sum(path.endswith("/positions") for _, path in self.b.paths)
        self.elsewhere += 1
        self.p.order(resting(f"elsewhere{self.elsewhere}", symbol="SPY", orderQuantity=1, limitPrice=500))
        self.p.advance("1s")
        self.b.wait_path("/positions", count + 2)

    def quote(self, symbol, price):
        with open(self.quotes, "a") as f:
            f.write(quote(self.p, symbol, price))

    def not_sent(self, order_id, rule, reason):
        """Assert that the order was not sent again because this rule refused it."""
        gate, test = self.gate, self.test
        e = gate.event("outcome", order_id)
        test.assertEqual(e["outcome"], "not-sent", e)
        test.assertIn(f"decided again before it left: {rule}: ", e["text"])
        first, second = gate.events_of("decision", order_id)
        test.assertEqual((first["verdict"], second["verdict"], first["line"]), ("accept", "refuse", second["line"]))
        test.assertIn(reason, {f["reason"] for f in second["findings"] if f["level"] == "refuse"})
        test.assertEqual(self.b.posts[order_id], 1)
        test.assertEqual(posts(self.p, order_id), [])
        rows = self.home.rows(f"id = '{order_id}'")
        test.assertEqual([r["record"] for r in rows], ["decision", "intent", "decision", "post", "update", "outcome"])
        test.assertEqual((rows[2]["state"], rows[2]["outcome"]), ("refused", None))
        test.assertEqual([rows[-1][key] for key in ("state", "outcome", "text")], ["not-sent", "not-sent", e["text"]])

    def left(self, order_id, times=2, outcome="working"):
        self.test.assertEqual(self.gate.event("outcome", order_id)["outcome"], outcome)
        self.test.assertEqual((self.b.posts[order_id], len(posts(self.p, order_id))), (times, 1))

    def finish(self, lines, code):
        self.test.assertEqual(self.gate.finish(lines), code, self.gate.stderr)
        verify = subprocess.run([SEND.replace("-send", "-ledger"), "verify", "--ledger", self.home.ledger],
                                capture_output=True, text=True)
        self.test.assertEqual(verify.returncode, 0, verify.stdout)


class Refused(unittest.TestCase):
    def test_the_price_has_moved(self):
        """A market order for 480 shares at 190 that would fill at 400, under a shipped policy. Its quote may be older
        than 2 s when the order leaves on a slow machine, so the age is raised."""
        h = Held(self, "m", text="ordergate: 1\nname: t\nextends: [cautious]\nmax_age: {quotes: 5m}\n",
                 account="LIVE0001", quotes={"AAPL": 190})
        h.feed(stock("m", orderType="Market", limitPrice=None, orderQuantity=480, route="SMART"))
        h.p.quote("AAPL", 399.99, 400.01)
        h.quote("AAPL", 400)
        h.go()
        h.not_sent("m", "order-notional", "notional-above-limit")
        h.finish(1, 4)

    def test_a_position_was_bought_elsewhere(self):
        h = Held(self, "o", rules=["position-limit: {level: refuse, shares: 1000}"])
        h.feed(resting("o", orderQuantity=900))
        h.p.order(stock("portal", orderQuantity=800))
        h.advance("1s")
        h.go()
        h.not_sent("o", "position-limit", "position-above-limit")
        h.finish(1, 4)

    def test_the_policy_was_tightened(self):
        h = Held(self, "o", rules=["order-quantity-limit: {level: refuse, shares: 100}"])
        h.feed(resting("o", orderQuantity=60))
        h.home.file("p.yaml", policy("order-quantity-limit: {level: refuse, shares: 50}"))
        h.gate.event("policy")
        h.go()
        h.not_sent("o", "order-quantity-limit", "quantity-above-limit")
        h.finish(1, 4)

    def test_the_days_loss(self):
        h = Held(self, "o", rules=["day-loss: {level: refuse, most: 500}"])
        h.p.order(stock("held", orderQuantity=100))
        h.advance("1s")
        h.feed(resting("o"))
        h.p.quote("AAPL", 149.99, 150.01)
        h.advance("1s")
        h.go()
        h.not_sent("o", "day-loss", "day-loss-above-limit")
        h.finish(1, 4)

    def test_a_streak_of_rejections(self):
        """The orders behind the first one were decided and posted once before the first one was rejected. The
        brokerage answers the first one only when all of them have arrived, because it reports rejections by the
        stream and by lists too."""
        ids = [f"o{i}" for i in range(1, 4)]
        h = Held(self, *ids, rules=["rejection-streak: {level: refuse, most: 0}"], args=("--max-in-flight", "4"))
        arrived = threading.Event()
        h.b.behaviours["bad"] = (arrived, "answer")
        h.feed(stock("bad", symbol="NOSUCH"), *[resting(i) for i in ids])
        arrived.set()
        self.assertEqual(h.gate.event("outcome", "bad")["outcome"], "rejected")
        h.go()
        for i in ids:
            h.not_sent(i, "rejection-streak", "rejections-in-a-row")
        h.finish(4, 4)

    def test_a_waiver_that_is_over(self):
        """A waiver that has expired no longer lets the order pass, even if the intent of the order is already
        recorded."""
        for lasts, outcome in (("10m", "working"), ("20s", "not-sent")):
            with self.subTest(lasts):
                h = Held(self, "o", rules=["order-quantity-limit: {level: refuse, shares: 5}"], args=("--wait", "5m"))
                h.gate.feed(resting("o"))
                h.gate.event("outcome", "o", outcome="refused")
                h.gate.finish(1)
                waived = tool(h.home, "--order", "o", "--rule", "order-quantity-limit", "--reason", "meant", "--by",
                              "ann", "--for", lasts)
                self.assertEqual(waived.returncode, 0, waived.stderr)
                h.gate = self.enterContext(Sender(h.b.url, h.home, "-p", h.path, "--timeout", "5m", "--wait", "5m"))
                h.feed(resting("o"))
                until = json.loads(waived.stdout)["until"]
                while outcome == "not-sent" and datetime.now(timezone.utc).isoformat() < until:
                    with h.gate.changed:
                        h.gate.changed.wait(0.1)
                h.go()
                self.assertEqual(h.gate.event("outcome", "o")["outcome"], outcome)
                self.assertEqual(len(posts(h.p, "o")), outcome == "working")
                h.gate.finish(1)


class Sent(unittest.TestCase):
    def test_nothing_has_changed(self):
        """Each order is sent once, with the same bytes. Each order alone uses up every limit, but it is not counted
        twice when it is decided again."""
        h = Held(self, "a", "b", rules=[
            "position-limit: {level: refuse, shares: 20}", "open-orders: {level: refuse, in_total: 2, of_symbol: 2}",
            "exposure: {level: refuse, gross: 3010}", "order-rate: {level: refuse, a_minute: 2, a_day: 2}",
            "repeated-order: {level: refuse, window: 1h, most: 1}", "client-order-id: refuse",
            "duplicate-order: {level: refuse, reasons: {duplicate-working-order: refuse}}"])
        h.feed(resting("a"), resting("b", limitPrice=151))
        h.go()
        for i in ("a", "b"):
            h.left(i)
            self.assertEqual(len(h.gate.events_of("decision", i)), 1)
            self.assertEqual(len(set(h.b.bodies[i])), 1)
        h.finish(2, 0)

    def test_a_close_still_goes(self):
        """The order is sent, whatever limits are set or exceeded meanwhile."""
        h = Held(self, "c", rules=["day-loss: {level: refuse, most: 500}", "order-rate: {level: refuse, a_day: 1}",
                                   "rejection-streak: {level: refuse, most: 0}"])
        h.p.order(stock("held", orderQuantity=100))
        h.advance("1s")
        h.feed(stock("c", orderQuantity=100, limitPrice=250, **CLOSES))
        h.p.quote("AAPL", 149.99, 150.01)
        h.home.file("p.yaml", policy("day-loss: {level: refuse, most: 1}", "order-notional: {level: refuse, most: 1}"))
        h.gate.event("policy")
        self.assertIn(halt(h.home, "--reason", "x").returncode, OBEYED)
        h.gate.wait_stderr("trading is halted")
        h.go()
        h.left("c")
        h.finish(1, 0)

    def test_a_close_of_what_was_sold_elsewhere(self):
        """Somebody sold the position elsewhere, so the order no longer only reduces, and a halt stops it."""
        h = Held(self, "c", rules=["close-position: refuse"], args=("--wait", "5m"))
        h.p.order(stock("held", orderQuantity=100))
        h.advance("1s")
        h.feed(stock("c", orderQuantity=100, limitPrice=250, **CLOSES))
        h.p.order(stock("portal", orderQuantity=100, limitPrice=180, **CLOSES))
        h.advance("1s")
        h.go()
        h.not_sent("c", "close-position", "close-without-position")
        h.finish(1, 4)

    def test_a_replacement(self):
        h = Held(self, "new", rules=["position-limit: {level: refuse, shares: 15}"])
        h.gate.feed(resting("old"))
        h.gate.event("outcome", "old", outcome="working")
        h.feed(resting("new", replaces="old", orderQuantity=15))
        h.go()
        h.left("new")
        h.finish(2, 0)


class Waits(unittest.TestCase):
    RULES = ["order-notional: {level: refuse, unsure: refuse, most: 100000}"]

    def market(self, order_id):
        return stock(order_id, orderType="Market", limitPrice=None)

    def test_for_a_newer_quote(self):
        h = Held(self, "m", rules=self.RULES, max_age="{quotes: 10s}", quotes={"AAPL": 190}, args=("--wait", "10m"))
        h.feed(self.market("m"))
        h.advance("30s")
        h.go()
        h.gate.feed(resting("other", symbol="MSFT"))  # is not held up by it
        h.left("other", 1)
        self.assertEqual((h.b.posts["m"], h.gate.events_of("outcome", "m")), (1, []))
        h.quote("AAPL", 190)
        self.assertIn(h.gate.event("outcome", "m")["outcome"], ("working", "filled"))
        self.assertEqual(h.b.posts["m"], 2)
        h.finish(2, 0)

    def test_until_the_wait_is_over(self):
        h = Held(self, "m", rules=self.RULES, max_age="{quotes: 10s}", quotes={"AAPL": 190}, args=("--wait", "45s"))
        h.feed(self.market("m"))
        h.advance("30s")
        h.go()
        h.not_sent("m", "order-notional", "notional-above-limit")
        self.assertIn("10s is the most allowed", h.gate.event("outcome", "m")["text"])
        h.finish(1, 4)

    def test_it_is_canceled(self):
        """While the order waits it is canceled: what it reserved is available again, and the next order is decided
        without it."""
        h = Held(self, "m", rules=[*self.RULES, "position-limit: {level: refuse, shares: 10}"], max_age="{quotes: 10s}",
                 quotes={"AAPL": 190}, args=("--wait", "10m"))
        h.feed(self.market("m"))
        h.gate.feed(resting("full"))
        h.gate.event("outcome", "full", outcome="refused")
        h.advance("30s")
        h.go()
        h.gate.feed({"op": "cancel", "clientOrderId": "m"})
        self.assertEqual(h.gate.event("outcome", "m", op=None)["outcome"], "canceled")
        self.assertIn("canceled before it was posted", h.gate.event("outcome", "m", op=None)["text"])
        self.assertEqual(h.gate.event("outcome", "m", op="cancel")["outcome"], "canceled")
        h.gate.feed(resting("after"))
        h.gate.event("outcome", "after", outcome="working")
        self.assertEqual([path for method, path in h.b.paths if method == "DELETE"], [])
        self.assertEqual(h.b.posts["m"], 1)
        h.finish(4, 1)

    def test_the_dead_mans_switch(self):
        """If the dead man's switch fires before an order is sent, the order is not sent."""
        h = Held(self, "m", rules=self.RULES, args=("--wait", "10m", "--dead-man", "5s"))
        h.feed(resting("m"))
        self.assertEqual(h.gate.event("dead-man")["canceling"], 1)
        h.go()
        self.assertEqual(h.gate.event("outcome", "m")["outcome"], "canceled")
        self.assertEqual((h.gate.finish(1), h.b.posts["m"]), (0, 1))

    def test_it_is_replaced(self):
        """The order is replaced while it waits: the new order is sent, since the old one had no effect."""
        h = Held(self, "m", rules=self.RULES, max_age="{quotes: 10s}", quotes={"AAPL": 190}, args=("--wait", "10m"))
        h.feed(self.market("m"))
        h.advance("30s")
        h.go()
        h.gate.feed(resting("new", replaces="m"))
        self.assertEqual(h.gate.event("outcome", "m")["outcome"], "canceled")
        h.left("new", 1)
        h.finish(2, 0)

    def test_the_run_is_stopped(self):
        h = Held(self, "m", rules=self.RULES, max_age="{quotes: 10s}", quotes={"AAPL": 190}, args=("--wait", "10m"))
        h.feed(self.market("m"))
        h.advance("30s")
        h.go()
        h.gate.feed(resting("other", symbol="MSFT"))
        h.left("other", 1)
        h.gate.process.terminate()
        self.assertEqual((h.gate.finish(2), h.gate.outcomes()["m"], h.b.posts["m"]), (4, "not-sent", 1))

    def test_it_is_killed(self):
        """The sender is killed. A later run finds the intent, but nothing at the brokerage, and does not post the
        order again."""
        h = Held(self, "m", rules=self.RULES, max_age="{quotes: 10s}", quotes={"AAPL": 190}, args=("--wait", "10m"))
        h.feed(self.market("m"))
        h.advance("30s")
        h.go()
        h.gate.feed(resting("other", symbol="MSFT"))
        h.left("other", 1)
        h.gate.kill().finish()
        with Sender(h.b.url, h.home, "-p", h.path, "--quotes", h.quotes, "--wait", "1s",
                    lines=[self.market("m")]) as again:
            self.assertEqual((again.finish(1), again.outcomes()), (5, {"m": "unknown"}))
        self.assertEqual((h.b.posts["m"], posts(h.p, "m")), (1, []))


class Rate(unittest.TestCase):
    def test_orders_leave_no_closer_together_than_the_limit(self):
        """The limit is two orders a minute. Four orders were decided in time but wait after a 429; they are sent at
        two a minute."""
        ids = [f"o{i}" for i in range(4)]
        h = Held(self, *ids, rules=["order-rate: {level: refuse, a_minute: 2}"], args=("--wait", "1h"))
        for i in (0, 2):
            h.feed(resting(ids[i]), resting(ids[i + 1], limitPrice=151))
            h.advance("61s")
        h.go()
        for i in (0, 2):
            for k in (i, i + 1):
                h.gate.event("outcome", ids[k], outcome="working")
            self.assertEqual(sum(len(posts(h.p, k)) for k in ids), i + 2)
            h.gate.feed(resting(f"late{i}", limitPrice=152))
            h.gate.event("outcome", f"late{i}", outcome="refused")
            h.advance("61s")
        self.assertEqual(h.gate.finish(6), 1)
        left = [json.loads(r["body"])["clientOrderId"] for r in posts(h.p)]
        left = [i for i in left if i in ids]
        self.assertEqual((sorted(left[:2]), sorted(left[2:])), (ids[:2], ids[2:]))

    def test_of_two_senders(self):
        """An order that is sent late counts for the other sender from then on."""
        h = Held(self, "a", rules=["order-rate: {level: refuse, a_minute: 1}"], args=("--wait", "1h"))
        h.feed(resting("a"))
        h.advance("61s")
        h.go()
        h.left("a")
        with Sender(h.b.url, h.home, "-p", h.path, lines=[resting("b")]) as other:
            self.assertEqual((other.finish(1), other.outcomes()), (1, {"b": "refused"}))
        h.finish(1, 0)


if __name__ == "__main__":
    main(WAITING)
