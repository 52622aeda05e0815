"""Positions that change without an order are reported as external. Fills of our own and of others' orders are never
reported so, in whichever sequence they and their positions arrive."""
import threading
import unittest

from fault_proxy import FaultProxy, answer
from paper import Paper, occ, spread, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send


def held(symbol, shares, side="Long", price=190):
    return {"symbol": symbol, "side": side, "shares": shares, "priceAvg": price, "dayOvernight": "Day"}


def told(gate):
    """Returns each reported change of a position as (symbol, before, change by orders, after)."""
    return [(e["symbol"], e["before"], e["byOrders"], e["after"]) for e in gate.events_of("external")
            if e["source"] == "positions"]


class Positions(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.seen = self.lines = 0

    def set(self, *rows):
        self.paper.control("PUT", "positions/PAPER0001", list(rows))

    def read(self, gate, times=3):
        """Have the sender read positions that many times, by changing an order of somebody else and by giving it lines
        to decide."""
        news = True
        while times > 0:
            self.lines += 1
            if news:
                self.paper.order(resting(f"news{self.lines}", symbol="F", limitPrice=1))
            gate.feed({"op": "cancel", "clientOrderId": f"nothing{self.lines}"})
            gate.wait_until(lambda: any(e["event"] == "outcome" and e["clientOrderId"] == f"nothing{self.lines}"
                                        for e in gate.events[-9:]),
                            "a cancel")
            seen = self.paper.control("GET", f"requests?since={self.seen}")["requests"]
            news = any(r["path"].endswith("/positions") for r in seen)
            times -= news
            threading.Event().wait(0 if news else 0.02)  # readings are due twice a second
            self.seen = seen[-1]["n"] if seen else self.seen

    def reading(self):
        """Return once positions were read again."""
        while True:
            seen = self.paper.control("GET", f"requests?since={self.seen}")["requests"]
            self.seen = seen[-1]["n"] if seen else self.seen
            if any(r["path"].endswith("/positions") for r in seen):
                return
            threading.Event().wait(0.1)

    def filled(self, gate, *orders):
        gate.feed(*orders)
        for order in orders:
            self.assertEqual(gate.event("outcome", order["clientOrderId"])["outcome"], "filled",
                             [e for e in gate.events if e.get("clientOrderId") == order["clientOrderId"]])

    def test_a_close_right_after_the_fill(self):
        """Positions that were read while the order worked may include its fill or not: the close waits for one
        reading."""
        with Sender(self.paper.url, self.home, "--until", "final", "--wait", "20s") as gate:
            gate.feed(resting("buy", orderQuantity=10))
            gate.event("update", "buy", orderStatus="New")
            self.read(gate, 2)
            self.paper.control("POST", "faults", {"on": "GET positions", "do": "delay", "delay": "1s", "count": 1})
            self.paper.control("PUT", "quotes/AAPL", {"bid": 140, "ask": 141, "last": 140.5})
            gate.event("update", "buy", orderStatus="Filled")
            self.filled(gate, stock("sell", side="Sell", openClose="Close", limitPrice=139))
            gate.kill()

    def test_nobody_asks_for_anything(self):
        """Positions are read even if no lines and no frames come."""
        self.set(held("AAPL", 100))
        with Sender(self.paper.url, self.home) as gate:
            gate.feed(resting("first"))
            gate.event("outcome", "first")
            for _ in range(2):  # the reading caused by the order, and then one more without a cause
                self.reading()
            self.set(held("AAPL", 60))
            gate.wait_until(lambda: told(gate), "the change")
            self.assertEqual(told(gate), [("AAPL", 100, 0, 60)])
            gate.finish(1)

    def test_a_trade_made_elsewhere(self):
        self.set(held("AAPL", 100), held(occ(), 2, "Short", 20))
        with Sender(self.paper.url, self.home, "--until", "final", "--wait", "20s") as gate:
            gate.feed(resting("first"))
            gate.event("update", "first", orderStatus="New")
            # 40 shares were sold, 5 came from elsewhere, and the short call was assigned
            self.set(held("AAPL", 60), held("MSFT", 5))
            self.read(gate)
            gate.wait_until(lambda: len(told(gate)) == 3, "three changes")
            self.assertEqual(sorted(told(gate)), sorted([("AAPL", 100, 0, 60), ("MSFT", 0, 0, 5), (occ(), -2, 0, 0)]))
            first = next(e for e in gate.events_of("external") if e["source"] == "positions")
            self.assertEqual([first[k] for k in ("clientOrderId", "accountId", "line")], [None, "PAPER0001", None])
            self.filled(gate, stock("full", orderQuantity=7))
            self.read(gate)
            self.set(held("AAPL", 70), held("MSFT", 5))
            self.read(gate)
            gate.wait_until(lambda: len(told(gate)) == 4, "the fourth change")
            self.assertEqual(told(gate)[3], ("AAPL", 67, 0, 70))
            gate.kill()

    def test_our_own_fills_are_none(self):
        with Sender(self.paper.url, self.home, "--until", "final", "--wait", "20s") as gate:
            for i, fault in enumerate([None, "drop-frame", "reorder-frame", "duplicate-frame", "disconnect"]):
                if fault:
                    self.paper.control("POST", "faults", {"on": "stream portfolio", "do": fault, "count": 3})
                self.filled(gate, stock(f"buy{i}"))
                self.filled(gate, stock(f"sell{i}", side="Sell", openClose="Close", orderQuantity=4, limitPrice=180),
                            stock(f"more{i}"))
                self.read(gate, 1)
            self.filled(gate, spread("legs"))
            self.read(gate, 4)
            self.assertEqual(told(gate), [])
            self.set(held("AAPL", 1000))  # a change for any other reason is still reported
            self.read(gate)
            gate.wait_until(lambda: ("AAPL", 80, 0, 1000) in told(gate), "the change")
            gate.kill()

    def test_beside_the_fill_of_a_spread(self):
        """The fill of a spread explains the changes in its legs. Anything else that changed on the underlying is
        reported."""
        long, short = occ(strike=190), occ(strike=195)
        with Sender(self.paper.url, self.home, "--until", "final", "--wait", "20s") as gate:
            gate.feed(resting("first", symbol="F", limitPrice=1))
            gate.event("update", "first", orderStatus="New")
            self.read(gate, 1)
            self.filled(gate, spread("legs", orderQuantity=2))
            self.set(held("AAPL", 50), held(long, 2, price=20), held(short, 9, "Short", 18),
                     held(occ(strike=200), 1, price=9))
            self.read(gate, 4)
            gate.wait_until(lambda: len(told(gate)) == 3, "three changes")
            # the sender may have read the fill before the changed positions, or with them
            self.assertEqual(sorted((symbol, before + moved, after) for symbol, before, moved, after in told(gate)),
                             sorted([("AAPL", 0, 50), (short, -2, -9), (occ(strike=200), 0, 1)]))
            gate.kill()

    def test_orders_of_others_are_told_as_orders(self):
        with Sender(self.paper.url, self.home) as gate:
            gate.feed(resting("mine"))
            gate.event("outcome", "mine", outcome="working")
            self.paper.order(stock("theirs"))
            gate.event("external", "theirs", orderStatus="Filled")
            self.read(gate)
            self.assertEqual(told(gate), [])
            gate.kill()

    def test_orders_of_a_sender_beside_are_none(self):
        with Sender(self.paper.url, self.home) as one, Sender(self.paper.url, self.home, "--until", "final") as two:
            one.feed(resting("first"))
            one.event("outcome", "first", outcome="working")
            self.filled(two, stock("full"))
            self.read(one)
            self.assertEqual(told(one) + told(two), [])
            one.kill()
            two.kill()

    def test_an_answer_that_was_lost(self):
        """The order filled, and no answer reported it: the change of the position is not reported as external."""
        with FaultProxy(self.paper, {"lost": (True, "close")}) as b:
            b.drop_frames = True
            with Sender(b.url, self.home, "--wait", "20s", "--until", "final") as gate:
                self.filled(gate, stock("lost"))
                self.read(gate)
                self.assertEqual(told(gate), [])
                gate.kill()

    def test_a_position_heard_before_its_fill(self):
        """The stream and the list of orders are late: one of our orders and one of somebody else's filled before that
        was reported."""
        with FaultProxy(self.paper) as b, Sender(b.url, self.home) as gate:
            gate.feed(resting("mine"))
            gate.event("outcome", "mine", outcome="working")
            self.read(gate, 2)
            b.drop_frames, b.gets = True, {"/orders": answer(200, b'{"orders":[]}', ["Content-Type: application/json"])}
            self.paper.order(stock("theirs", symbol="MSFT", limitPrice=500))
            self.paper.control("PUT", "quotes/AAPL", {"bid": 140, "ask": 141, "last": 140.5})
            self.read(gate, 1)
            b.gets = {}
            self.read(gate, 4)
            self.assertEqual(gate.event("update", "mine", orderStatus="Filled")["executed"], 10)
            self.assertEqual(told(gate), [])
            self.set(held("AAPL", 10), held("MSFT", 9))  # one was sold elsewhere
            self.read(gate, 4)
            self.assertEqual(told(gate), [("MSFT", 10, 0, 9)])
            gate.kill()

    def test_what_an_earlier_run_left(self):
        """The order filled between two runs: the positions at the start of the second run are not reported as a
        change."""
        code, gate = send(self.paper.url, self.home, [resting("rests")])
        self.assertEqual(gate.outcomes(), {"rests": "working"})
        self.paper.control("PUT", "quotes/AAPL", {"bid": 140, "ask": 141, "last": 140.5})
        with Sender(self.paper.url, self.home, "--until", "final", "--wait", "20s") as gate:
            self.filled(gate, resting("rests"))
            self.read(gate)
            self.assertEqual(told(gate), [])
            gate.kill()


if __name__ == "__main__":
    main()
