"""Orders that were made elsewhere (by hand, or by another program) count for every order decided after the gate has
reported them: an order waits for a reading of the account that began after their newest change.

If no reading succeeds, an order that opens is not sent, and one that closes is sent. The test holds the positions
back, so that the change is reported but not read, and lets them go later. A cancel whose line was read after the order
shows that the order waits.
"""
import itertools
import json
import os
import threading
import unittest

from fault_proxy import FaultProxy, answer
from paper import LIVE, Paper, option, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting
from test_leaves import CLOSES, LIVE_ENV, QUOTES_AGE, quote

DOWN = answer(503)
LIMIT = "position-limit: {level: refuse, shares: 150}"


class World:
    """A brokerage, and a gate that has read its account and has an order "own" working there."""

    def __init__(self, test, *rules, base="[]", account="PAPER0001", held=(), quotes=None, behaviours=None, args=(),
                 env=None, more="", max_age=None):
        self.env = env or {}
        self.test, self.account, self.numbers = test, account, itertools.count()
        self.p = test.enterContext(Paper(clock=RUNNING))
        self.home = test.enterContext(TempHome())
        self.p.control("PUT", "accounts/" + account, {k: 1000000 for k in ("bp", "equity")})
        self.p.control("PUT", "positions/" + account, [
            {"symbol": s, "side": "Long", "shares": n, "priceAvg": 190, "dayOvernight": "Day"}
            for s, n in held])
        self.free = threading.Event()
        self.free.set()
        self.b = test.enterContext(FaultProxy(self.p, behaviours or {}, gets={"/positions": self.free}))
        lines = "".join(f"  {r}\n" for r in rules)
        ages = json.dumps({"quotes": QUOTES_AGE, **(max_age or {})})
        self.policy = self.home.file("p.yaml", f"ordergate: 1\nname: t\nextends: {base}\nmax_age: {ages}\n"
                                               f"{more}rules:\n{lines}")
        if quotes:
            path = self.home.file("quotes", "".join(quote(self.p, s, price) for s, price in quotes.items()))
            args = ("--quotes", path, *args)
        self.args = args
        self.gate = self.sender()
        self.live = self.canary(self.gate)

    def sender(self, *args, ledger=None, url=None):
        live = self.account == "LIVE0001"
        if ledger:
            args = ("--ledger", os.path.join(self.home.path, ledger), *args)
        return self.test.enterContext(Sender(url or self.b.url, self.home, "-p", self.policy, "--timeout", "5m",
                                             *self.args, *args, ledger=not ledger,
                                             env={**(LIVE_ENV if live else {}), **self.env},
                                             **({"keys": LIVE} if live else {})))

    def canary(self, gate):
        """Send an order that works. Its cancel is decided before lines that wait, so its outcome shows that they were
        read."""
        number = next(self.numbers)
        own = f"own{number}"
        gate.feed(self.routed(resting(own, symbol="F", limitPrice=round(10 - number / 100, 2), orderQuantity=1)))
        gate.event("outcome", own, outcome="working")
        return own

    def routed(self, order):
        return {**order, "route": "SMART"} if self.account == "LIVE0001" else order

    def hold(self):
        self.free.clear()

    def fail(self):
        self.b.gets["/positions"] = DOWN

    def elsewhere(self, order, gate=None, **members):
        """Make an order elsewhere, and wait until the gate has reported it in a state with these members."""
        self.test.assertEqual(self.p.order(self.routed(order), self.account).status, 200)
        self.told(order["clientOrderId"], gate, **members)

    def told(self, order_id, gate=None, **members):
        (gate or self.gate).event("external", order_id, **members)

    def waits(self, *orders):
        """Assert that the lines were read, and that none of them is decided before the positions are answered."""
        ids = [o["clientOrderId"] for o in orders]
        self.gate.feed(*orders, {"op": "cancel", "clientOrderId": self.live})
        self.gate.event("outcome", self.live, op="cancel")
        self.test.assertEqual([e for e in self.gate.events_of("decision") if e["clientOrderId"] in ids], [])

    def ends(self, order_id, outcome, rule=None):
        self.free.set()
        e = self.gate.event("outcome", order_id, op=None)
        sent = e["outcome"] in ("working", "filled")
        self.test.assertEqual("sent" if sent else e["outcome"], outcome, self.gate.events[-4:])
        self.test.assertEqual(len(posts(self.p, order_id)), sent)
        if rule:
            found = self.gate.events_of("decision", order_id)[-1]["findings"]
            self.test.assertIn(rule, [f["rule"] for f in found if f["level"] == "refuse"])
        return e


def portal(order_id="x", **changes):
    return stock(order_id, **{"orderQuantity": 100, "limitPrice": 190.5, **changes})


def ours(order_id="a", **changes):
    return stock(order_id, **{"orderQuantity": 100, **changes})


class Waits(unittest.TestCase):
    def test_filled(self):
        w = World(self, LIMIT)
        w.hold()
        w.elsewhere(portal(), orderStatus="Filled")
        w.waits(ours())
        w.ends("a", "refused", "position-limit")

    def test_it_only_works(self):
        w = World(self, LIMIT)
        w.hold()
        w.elsewhere(portal(limitPrice=150), orderStatus="New")
        w.waits(ours())
        w.ends("a", "refused", "position-limit")

    def test_a_part_of_it_fills(self):
        """An order made elsewhere fills in part and is canceled. After the next reading its canceled rest is free, and
        the part that filled is held."""
        w = World(self, LIMIT)
        w.p.quote("AAPL", 189.99, 190.01, bidSize=1, askSize=60)
        w.hold()
        w.elsewhere(portal())
        w.gate.wait_until(lambda: any(e.get("executed", 0) > 0 for e in w.gate.events_of("external", "x")), "a part")
        w.waits(ours())
        w.ends("a", "refused", "position-limit")

    def test_it_leaves_room(self):
        w = World(self, LIMIT)
        w.hold()
        w.elsewhere(portal(orderQuantity=20), orderStatus="Filled")
        w.waits(ours())
        w.ends("a", "sent")

    def test_it_ends(self):
        """The order that was made elsewhere ends: the facts that decide no longer count it."""
        w = World(self, LIMIT)
        w.elsewhere(portal(limitPrice=150), orderStatus="New")
        w.gate.feed(ours("full"))
        w.gate.event("outcome", "full", outcome="refused")
        w.hold()
        self.assertEqual(w.p.cancel("x").status, 200)
        w.told("x", orderStatus="Canceled")
        w.waits(ours())
        w.ends("a", "sent")

    def test_under_shipped_policies(self):
        for base in ("default", "live", "cautious"):
            with self.subTest(base):
                w = World(self, LIMIT, "concentration: off", "client-order-id: off", base=f"[{base}]",
                          account="LIVE0001", quotes={"AAPL": 190, "F": 10})
                w.hold()
                w.elsewhere(portal(), orderStatus="Filled")
                w.waits(ours(route="SMART"))
                w.ends("a", "refused", "position-limit")

    def test_a_call_on_shares_that_were_sold(self):
        w = World(self, "uncovered-options: {level: refuse, allow: puts}", held=[("AAPL", 100)])
        call = option("c", side="Sell", limitPrice=25)
        w.hold()
        w.elsewhere(portal(side="Sell", openClose="Close", limitPrice=180), orderStatus="Filled")
        w.waits(call)
        w.ends("c", "refused", "uncovered-options")

    def test_a_close_of_shares_that_were_sold(self):
        w = World(self, "close-position: refuse", held=[("AAPL", 100)])
        w.hold()
        w.elsewhere(portal(side="Sell", openClose="Close", limitPrice=180), orderStatus="Filled")
        w.waits(ours(limitPrice=180, **CLOSES))
        w.ends("a", "refused", "close-position")

    def test_of_another_ledger(self):
        """The order was made by a sender on the same account with a ledger of its own."""
        w = World(self, LIMIT, args=("--share-account",))
        other = w.sender(ledger="two.db", url=w.p.url)
        w.hold()
        other.feed(ours("b"))
        w.told("b", orderStatus="Filled")
        w.waits(ours())
        w.ends("a", "refused", "position-limit")
        other.kill().finish()

    def test_a_replacement(self):
        """The order that the line's order would replace is left as it is."""
        w = World(self, LIMIT)
        w.gate.feed(ours("old", limitPrice=150, orderQuantity=10))
        w.gate.event("outcome", "old", outcome="working")
        w.hold()
        w.elsewhere(portal(), orderStatus="Filled")
        w.waits(ours("new", replaces="old", limitPrice=151))
        w.ends("new", "refused", "position-limit")
        self.assertEqual([path for method, path in w.b.paths if method == "DELETE" and path.endswith("old")], [])


class BehindA429(unittest.TestCase):
    def world(self, *rules, order, **more):
        released = threading.Event()
        w = World(self, *rules, behaviours={"a": [(False, released), (True, "answer")]}, args=("--wait", "5m"), **more)
        w.gate.feed(order)
        w.b.wait_post("a")
        return w, released

    def test_that_cannot_be_read(self):
        """The account cannot be read: the line ends when its wait is over, and the message says why."""
        released = threading.Event()
        w = World(self, LIMIT, behaviours={"a": [(False, released), (True, "answer")]}, args=("--wait", "20s"))
        w.gate.feed(ours())
        w.b.wait_post("a")
        w.fail()
        w.elsewhere(portal(), orderStatus="Filled")
        released.set()
        self.assertIn("made elsewhere", w.ends("a", "not-sent")["text"])
        self.assertEqual(w.b.posts["a"], 1)

    def test_a_close_that_cannot_be_decided_anew(self):
        w, released = self.world("close-position: refuse", order=ours(limitPrice=180, **CLOSES), held=[("AAPL", 200)])
        w.fail()
        w.elsewhere(portal(), orderStatus="Filled")
        released.set()
        w.ends("a", "sent")
        self.assertEqual(w.b.posts["a"], 2)


class Unreadable(unittest.TestCase):
    def test_openings_are_not_sent_and_closes_go(self):
        for base in ("default", "live"):
            with self.subTest(base):
                w = World(self, LIMIT, "concentration: off", "client-order-id: off", base=f"[{base}]",
                          account="LIVE0001", quotes={"AAPL": 190, "F": 10}, held=[("AAPL", 50)])
                w.fail()
                w.elsewhere(portal(orderQuantity=20), orderStatus="Filled")
                w.gate.feed(ours(orderQuantity=20, route="SMART"),
                            ours("c", limitPrice=185, orderQuantity=50, route="SMART", **CLOSES))
                e = w.gate.event("outcome", "a")
                self.assertEqual(e["outcome"], "not-sent", w.gate.events[-4:])
                self.assertIn("an order made elsewhere has changed since account 'LIVE0001' was last read", e["text"])
                self.assertEqual(posts(w.p, "a"), [])
                self.assertIn(w.gate.event("outcome", "c")["outcome"], ("working", "filled"), w.gate.events[-4:])

    def test_an_end_that_fills_nothing(self):
        """Orders made elsewhere end without a fill: older facts still count them, and may decide. Orders that filled
        before they ended are missing from the older facts, so these may not decide."""
        for filled in (0, 60):
            with self.subTest(filled=filled):
                w = World(self, LIMIT)
                w.elsewhere(portal(limitPrice=150, orderQuantity=80), orderStatus="New")
                w.gate.feed(resting("known", orderQuantity=10))
                w.gate.event("outcome", "known", outcome="working")
                w.fail()
                if filled:
                    w.p.quote("AAPL", 149.98, 149.99, bidSize=1, askSize=filled)
                    w.told("x", executed=filled)
                self.assertEqual(w.p.cancel("x").status, 200)
                w.told("x", orderStatus="Canceled")
                w.gate.feed(ours(orderQuantity=20))
                w.ends("a", "not-sent" if filled else "sent")

    def test_seen_in_a_list_whose_reading_fails(self):
        w = World(self, LIMIT)
        w.p.control("POST", "faults", {"on": "stream portfolio", "do": "drop-frame", "count": 1000})
        w.fail()
        w.elsewhere(portal(limitPrice=150, orderQuantity=20), source="list")
        w.gate.feed(ours(orderQuantity=20))
        w.ends("a", "not-sent")

    def test_they_go_again_once_it_can_be_read(self):
        w = World(self, LIMIT)
        w.fail()
        w.elsewhere(portal(orderQuantity=20), orderStatus="Filled")
        w.gate.feed(ours("first", orderQuantity=20))
        w.gate.event("outcome", "first", outcome="not-sent")
        del w.b.gets["/positions"]
        for i in range(100000):
            w.gate.feed(ours(f"a{i}", orderQuantity=20))
            if w.gate.event("outcome", f"a{i}")["outcome"] in ("working", "filled"):
                return
            self.assertEqual(w.gate.outcomes()[f"a{i}"], "not-sent")

    def test_a_replacement(self):
        """The order that the line's order would replace is left as it is."""
        w = World(self, LIMIT)
        w.gate.feed(ours("old", limitPrice=150, orderQuantity=10))
        w.gate.event("outcome", "old", outcome="working")
        w.fail()
        w.elsewhere(portal(orderQuantity=20), orderStatus="Filled")
        w.gate.feed(ours("new", replaces="old", limitPrice=151, orderQuantity=20))
        self.assertEqual(w.gate.event("outcome", "new")["outcome"], "not-sent")
        self.assertEqual([path for method, path in w.b.paths if method == "DELETE"], [])


class GoesOn(unittest.TestCase):
    def test_others_that_never_stop(self):
        """Orders of other programs change all the time: a reading that began after our lines were read is new enough
        to decide them."""
        w = World(self, "position-limit: {level: refuse, shares: 1000000}")
        w.p.control("PUT", "accounts/" + w.account, {k: 1000000000 for k in ("bp", "equity")})
        stop = threading.Event()

        def trade_on():
            for i in itertools.count():
                if stop.is_set():
                    return
                w.p.call("POST", f"/v1/api/accounts/{w.account}/order", portal(f"x{i}", orderQuantity=1), fresh=True)
        thread = threading.Thread(target=trade_on, daemon=True)
        thread.start()
        try:
            w.gate.wait_until(lambda: len(w.gate.events_of("external")) > 50, "their orders")
            w.gate.feed(*[resting(f"a{i}", symbol="F", limitPrice=10) for i in range(5)])
            for i in range(5):
                self.assertEqual(w.gate.event("outcome", f"a{i}")["outcome"], "working")
        finally:
            stop.set()
            thread.join()

    def test_after_a_burst(self):
        w = World(self, "position-limit: {level: refuse, shares: 1000000}")
        for i in range(50):
            w.p.order(portal(f"x{i}", orderQuantity=1))
        w.told("x49")
        w.gate.feed(*[resting(f"a{i}", symbol="F", limitPrice=10) for i in range(5)])
        for i in range(5):
            self.assertEqual(w.gate.event("outcome", f"a{i}")["outcome"], "working")

    def test_orders_of_another_sender_of_the_ledger(self):
        """Orders of another sender are in the shared ledger: if the account cannot be read, older facts decide."""
        w = World(self, LIMIT)
        other = w.sender(url=w.p.url)
        w.fail()
        other.feed(resting("b", orderQuantity=10))
        self.assertEqual(other.event("outcome", "b")["outcome"], "working")
        w.gate.feed(resting("a", orderQuantity=10))
        w.ends("a", "sent")
        other.kill().finish()

    def test_a_frame_that_changes_nothing(self):
        w = World(self, LIMIT)
        order = portal(limitPrice=150, orderQuantity=20)
        w.elsewhere(order, orderStatus="New")
        w.gate.feed(resting("known", orderQuantity=10))
        w.gate.event("outcome", "known", outcome="working")
        w.fail()
        w.b.send_frame({"type": "Order", **w.p.lookup("x").json})
        w.gate.feed(resting("a", orderQuantity=10))
        w.ends("a", "sent")


if __name__ == "__main__":
    main()
