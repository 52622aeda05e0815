"""If a line lacks something, that line alone waits, and for a limited time. Whichever read of the broker fails, and in
whichever way, every line has an outcome, and a close behind an order that opens is sent. Also tested is what ends
lines that wait: the dead man's switch, and a halt, even if trading is resumed before they are decided."""
import datetime
import json
import threading
import time
import unittest

from paper import LIVE, Paper, stock
from parallel_unittest import WAITING, main
from sender import RUNNING, Sender, TempHome, posts
from test_halt import OBEYED, halt
from test_leaves import LIVE_ENV

SILENCE = 8  # seconds without a line
READS = {"borrow": "GET borrow", "inventory": "GET inventory", "routes": "GET routes",
         "positions": "GET positions", "account": "GET account", "orders": "GET orders", "accounts": "GET accounts"}
FAILS = {"503": {"do": "status", "status": 503}, "429": {"do": "status", "status": 429}, "hang": {"do": "hang"},
         "cut": {"do": "truncate"}, "reset": {"do": "reset"}}


def priced(order_id, symbol, side, effect, quantity, limit):
    return stock(order_id, symbol=symbol, side=side, openClose=effect, orderQuantity=quantity, limitPrice=limit,
                 route="SMART")


class World:
    """An account that holds F and is short of AAPL and GME, with quotes that are kept fresh."""

    def __init__(self, test, *args, policy="live"):
        self.test = test
        self.p = test.enterContext(Paper(clock=RUNNING))
        self.home = test.enterContext(TempHome())
        self.p.control("PUT", "positions/LIVE0001", [
            {"symbol": "F", "side": "Long", "shares": 1000, "priceAvg": 10, "dayOvernight": "Day"}])
        path, over = self.home.file("quotes", ""), threading.Event()
        feed = threading.Thread(target=self.quotes, args=(path, over, self.p.advance("0s"), time.monotonic()))
        feed.start()
        test.addCleanup(lambda: (over.set(), feed.join()))
        self.gate = test.enterContext(Sender(self.p.url, self.home, "-p", policy, "--quotes", path, "--timeout", "1s",
                                             *args, env=LIVE_ENV, keys=LIVE))

    def quotes(self, path, over, start, began):
        """Write quotes with the brokerage's time, which runs at real speed."""
        start = datetime.datetime.fromisoformat(start)
        while not over.is_set():
            now = (start + datetime.timedelta(seconds=time.monotonic() - began)).isoformat()
            with open(path, "a") as f:
                for symbol, price in (("AAPL", 190), ("GME", 90), ("F", 10)):
                    f.write(json.dumps({"symbol": symbol, "bid": price - 0.01, "ask": price + 0.01, "last": price,
                                        "asOf": now}) + "\n")
            over.wait(0.5)

    def works(self, order):
        self.gate.feed(order)
        self.beat_until(lambda: self.gate.events_of("outcome", order["clientOrderId"]))
        self.gate.event("outcome", order["clientOrderId"], outcome="working")

    def beat_until(self, found):
        """Write heartbeats until found(). Returns the longest time without one, in seconds."""
        newest, silent = time.monotonic(), 0.0
        while not found():
            self.gate.feed({"op": "heartbeat"})
            silent, newest = max(silent, time.monotonic() - newest), time.monotonic()
            with self.gate.changed:
                self.gate.changed.wait(0.5)
        return silent

    def fault(self, on, count=100000, **what):
        self.p.control("POST", "faults", {"on": on, "count": count, **what})

    def outcome(self, order_id):
        return self.gate.event("outcome", order_id)["outcome"]


class Reads(unittest.TestCase):
    """Every read of the broker for which a line can wait fails in every way, until the end of the run."""

    def lines_end(self, on, how):
        w = World(self)
        w.works(priced("first", "F", "Buy", "Open", 1, 9))
        w.fault(on, **how)
        w.gate.feed(priced("short", "AAPL", "Sell", "Open", 10, 191), priced("short2", "GME", "Sell", "Open", 10, 91),
                    priced("open", "F", "Buy", "Open", 10, 9.5), priced("close", "F", "Sell", "Close", 100, 10.5))
        self.assertIn(w.outcome("close"), ("working", "filled"))
        if on == READS["borrow"]:
            self.assertEqual((w.outcome("open"), w.outcome("short"), w.outcome("short2")),
                             ("working", "refused", "refused"))
            decided = [e["clientOrderId"] for e in w.gate.events_of("decision")]
            self.assertEqual(set(decided[1:3]), {"open", "close"}, "they do not wait for borrow checks")
        for order_id in ("short", "short2", "open"):
            self.assertIn(w.outcome(order_id), ("working", "refused", "not-sent"))
        self.assertIn(w.gate.finish(5), (0, 1, 4))


def of(on, how):
    return lambda self: self.lines_end(on, how)


for read, path in READS.items():
    for name, fault in FAILS.items():
        if read in ("account", "accounts", "routes") and name not in ("503", "hang"):
            continue  # routes are read with the positions, and fail with them
        setattr(Reads, f"test_{read}_{name}", of(path, fault))


class SilentProducer(unittest.TestCase):
    """The time of --dead-man counts from the newest line that was read, whatever the lines wait for."""

    def fires(self, w, *lines):
        """Assert that the switch fires while the lines wait: working orders are canceled, and the orders of the lines
        are never sent."""
        w.gate.feed(*lines)
        self.assertEqual(w.gate.event("dead-man")["canceling"], 1)
        for line in lines:
            e = w.gate.event("outcome", line["clientOrderId"])
            self.assertEqual(e["outcome"], "not-sent", e)
            self.assertIn("dead-man", e["text"])
            self.assertEqual(posts(w.p, line["clientOrderId"]), [])
        w.gate.event("update", "works", orderStatus="Canceled")
        later = priced("later", "F", "Buy", "Open", 1, 9.2)
        w.p.control("DELETE", "faults")
        w.gate.feed(later)
        self.assertIn(w.outcome("later"), ("working", "not-sent"))
        w.gate.finish(len(lines) + 2)

    def world(self, *args, policy="live"):
        w = World(self, "--dead-man", f"{SILENCE}s", "--timeout", "60s", *args, policy=policy)
        w.works(priced("works", "F", "Buy", "Open", 1, 9))
        return w

    def test_a_borrow_check(self):
        w = self.world()
        w.fault("GET borrow", do="hang")
        self.fires(w, priced("short", "AAPL", "Sell", "Open", 10, 191))

    def test_a_reading(self):
        w = self.world()
        w.fault("GET positions", do="hang")
        w.p.order(priced("theirs", "F", "Sell", "Close", 1, 10.9), "LIVE0001", keys=LIVE)
        w.beat_until(lambda: w.gate.events_of("external", "theirs"))
        self.fires(w, priced("open", "F", "Buy", "Open", 10, 9.5), priced("open2", "AAPL", "Buy", "Open", 1, 180),
                   priced("close", "F", "Sell", "Close", 10, 10.5))

    def test_a_replacement_of_which_the_old_order_is_canceled(self):
        w = self.world()
        w.p.control("PUT", "delays", {"cancel": "14s"})
        new = {**priced("new", "F", "Buy", "Open", 10, 9.5), "replaces": "works"}
        w.gate.feed(new)
        w.gate.event("dead-man")
        self.assertIn(w.outcome("new"), ("refused", "not-sent"))
        self.assertEqual(posts(w.p, "new"), [])
        w.gate.finish(2)

    def test_heartbeats_behind_lines_that_wait(self):
        """If a producer sends heartbeats, none of its orders is canceled, however long its lines wait."""
        w = self.world()
        w.fault("GET borrow", do="delay", delay="14s", count=1)
        w.gate.feed(priced("short", "AAPL", "Sell", "Open", 10, 191))
        if w.beat_until(lambda: w.gate.events_of("outcome", "short")) < SILENCE - 0.5:
            self.assertEqual(w.gate.events_of("dead-man"), [])
            self.assertIn(w.outcome("short"), ("working", "refused"))
        w.gate.finish(2)


class ShortHalts(unittest.TestCase):
    """A halt applies to each line that was read before trading was resumed, even if the line is decided later."""

    def stop_and_go_on(self, w, *args):
        self.assertIn(halt(w.home, *args).returncode, OBEYED)
        self.assertIn(halt(w.home, "--reason", "again", name="resume").returncode, OBEYED)

    def test_a_replacement(self):
        w = World(self, "--timeout", "60s")
        w.works(priced("old", "F", "Buy", "Open", 1, 9))
        w.p.control("PUT", "delays", {"cancel": "5s"})
        w.gate.feed({**priced("new", "F", "Buy", "Open", 10, 9.5), "replaces": "old"})
        w.gate.event("held", "new")
        self.stop_and_go_on(w)
        self.assertIn(w.outcome("new"), ("refused", "not-sent"))
        self.assertEqual(posts(w.p, "new"), [])
        w.works(priced("later", "F", "Buy", "Open", 1, 9.2))
        w.gate.finish(3)

    def test_lines_that_wait(self):
        """Under the halt orders that open are refused, and closes pass."""
        w = World(self, "--timeout", "60s")
        w.works(priced("first", "F", "Buy", "Open", 1, 9))
        w.fault("GET borrow", do="delay", delay="15s", count=1)
        w.gate.feed(priced("short", "AAPL", "Sell", "Open", 10, 191), priced("open", "AAPL", "Buy", "Open", 1, 180),
                    priced("close", "F", "Sell", "Close", 10, 10.5))
        w.gate.event("held", "short")
        self.stop_and_go_on(w)
        self.assertEqual([w.outcome(i) for i in ("short", "open", "close")], ["refused", "refused", "working"])
        # it may be refused before trading is on again
        self.assertRegex(w.gate.event("outcome", "short")["text"], "on again|trading is halted")
        self.assertEqual((posts(w.p, "short"), posts(w.p, "open")), ([], []))
        w.gate.finish(4)

    def test_an_order_that_waits_to_leave(self):
        w = World(self)
        w.fault("POST order", do="status", status=429, count=2)
        w.gate.feed(priced("open", "F", "Buy", "Open", 1, 9))
        w.gate.event("held", "open", reason="busy")
        before = len(posts(w.p, "open"))
        self.stop_and_go_on(w)
        self.assertEqual(w.outcome("open"), "not-sent")
        self.assertLessEqual(len(posts(w.p, "open")), before + 1)
        w.gate.finish(1)


class Places(unittest.TestCase):
    def test_one_close_does_not_wait_for_a_place(self):
        w = World(self, "--max-in-flight", "2", "--timeout", "60s")
        w.works(priced("first", "F", "Buy", "Open", 1, 9))
        w.fault("POST order", do="hang")
        w.gate.feed(*(priced(f"open{i}", "F", "Buy", "Open", 2 + i, 9) for i in range(4)),
                    priced("close", "F", "Sell", "Close", 10, 10.5))
        w.gate.event("update", "close", orderStatus="New")
        self.assertEqual([w.gate.events_of("decision", f"open{i}") for i in (2, 3)], [[], []])


if __name__ == "__main__":
    main(WAITING)
