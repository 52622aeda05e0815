"""Orders that only reduce, in a sender: all working closes together never close more than the position. Orders with
legs that the gate ignores, and closes of more than the rest of the position, do not pass a halt."""
import threading
import unittest

from fault_proxy import FaultProxy
from paper import LIVE, Paper, leg, occ, option, spread, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from test_halt import OBEYED, halt

CALL, HIGHER = occ(strike=190), occ(strike=195)
VERTICAL = [leg(CALL, "Sell", "Close"), leg(HIGHER, "Buy", "Close")]


def held(paper, account):
    rows = [("AAPL", "Long", 100), (CALL, "Long", 2), (HIGHER, "Short", 2)]
    paper.control("PUT", "positions/" + account, [{"symbol": symbol, "side": side, "shares": shares, "priceAvg": 5,
                                                   "dayOvernight": "Day"} for symbol, side, shares in rows])


def close(order_id, **changes):
    return stock(order_id, **{"side": "Sell", "openClose": "Close", "orderQuantity": 100, "limitPrice": 250,
                              "route": "SMART", **changes})


def reasons(gate, order_id):
    return {f["reason"] for f in gate.event("decision", order_id)["findings"] if f["level"] == "refuse"}


class Closes(unittest.TestCase):
    def test_each_fits_alone(self):
        """The account holds 100 shares and two verticals, and the first orders close all of them. The further closes
        are refused and not posted."""
        stocks = [close("s%d" % i, orderQuantity=100 - i, limitPrice=250 + i) for i in range(4)]
        spreads = [spread("m%d" % i, legs=VERTICAL, orderQuantity=2 - i, limitPrice=3 + i, route="SMARTM")
                   for i in range(2)]
        options = [option("o%d" % i, symbol=symbol, side=side, openClose="Close", limitPrice=limit, route="SMARTO")
                   for i, (symbol, side, limit) in enumerate(((CALL, "Sell", 40), (HIGHER, "Buy", 0.05)))]
        for policy in ("live", "cautious"):
            with self.subTest(policy), Paper(clock=RUNNING) as p, TempHome() as home:
                held(p, "LIVE0001")
                code, gate = send(p.url, home, stocks + spreads + options, "-p", policy, keys=LIVE,
                                  env={"ORDERGATE_ENVIRONMENT": "live"})
                self.assertEqual(code, 1, gate.stderr)
                self.assertEqual(gate.outcomes(), {"s0": "working", **{"s%d" % i: "refused" for i in (1, 2, 3)},
                                                   "m0": "working", "m1": "refused", "o0": "refused", "o1": "refused"})
                for order in ("s1", "s2", "s3", "o0", "o1"):
                    self.assertIn("close-exceeds-position", reasons(gate, order), order)
                self.assertIn("mleg-close-not-held", reasons(gate, "m1"))
                self.assertEqual((len(posts(p, "s1")), len(posts(p, "o0")), len(posts(p))), (0, 0, 2))

    def test_the_text_of_a_close_that_a_halt_does_not_refuse_alone(self):
        """A working stop closes what is held. In a halt the text says so, and names the stop: to resume would not
        help. What is left to close passes, and so does a close in the stop's place."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            held(p, "LIVE0001")
            with Sender(p.url, home, "-p", "live", keys=LIVE, env={"ORDERGATE_ENVIRONMENT": "live"}) as gate:
                gate.feed(close("stop", orderType="Stop", limitPrice=None, stopPrice=150, orderQuantity=60))
                gate.event("outcome", "stop", outcome="working")
                self.assertIn(halt(home, "--reason", "news").returncode, OBEYED)
                gate.wait_stderr("news")
                gate.feed(close("all"), option("o", symbol=CALL, side="Sell", openClose="Close", orderQuantity=3,
                                               limitPrice=40, route="SMARTO"),
                          resting("opens", route="SMART"), resting("odd", route="SMART", symbol="aapl"))
                text = gate.event("outcome", "all", outcome="refused")["text"]
                self.assertTrue({"close-exceeds-position", "trading-halted"} <= reasons(gate, "all"))
                self.assertRegex(text, r"^order closes 100 of AAPL, 100 are held.*'stop'.*cancel.*`replaces`.*halted")
                self.assertNotIn("ordergate resume", text)
                text = gate.event("outcome", "o", outcome="refused")["text"]
                self.assertRegex(text, "^order closes 3 of AAPL.*, 2 are held.*lower the quantity")
                self.assertRegex(gate.event("outcome", "opens", outcome="refused")["text"],
                                 "^trading is halted since .*: news; ordergate resume lets orders go again$")
                self.assertRegex(gate.event("outcome", "odd", outcome="refused")["text"],
                                 "^trading is halted since .*; it is refused by rule 'symbol-form' too: .*aapl")
                gate.feed(close("rest", orderQuantity=40), close("instead", orderQuantity=60, replaces="stop"))
                for order in ("rest", "instead"):
                    gate.event("outcome", order, outcome="working")
                self.assertIn(halt(home, "--all").returncode, OBEYED)
                gate.wait_stderr("halted-all")
                gate.feed(close("late", orderQuantity=1))
                text = gate.event("outcome", "late", outcome="refused")["text"]
                self.assertRegex(text, "^trading is halted-all since .*; it is refused by rule 'close-position' too: ")
                self.assertEqual(gate.finish(8), 1)

    def test_what_does_not_only_reduce_does_not_leave_after_a_halt(self):
        """Each order waits for its second POST when the halt comes: those that do not only reduce are not sent."""
        orders = [resting("stock", legs=[{"openClose": "Close"}]),
                  option("option", legs=[leg(CALL, "Buy", "Close")], limitPrice=1),
                  option("either", side="Sell", openClose=None, limitPrice=50),
                  spread("spread", legs=VERTICAL, orderQuantity=2, limitPrice=4.8)]
        ids = [o["clientOrderId"] for o in orders]
        halted = threading.Event()
        with Paper(clock=RUNNING) as p, FaultProxy(p, {i: (True, halted) for i in ids}) as b, TempHome() as home:
            held(p, "PAPER0001")
            with Sender(b.url, home, "--timeout", "5m", "--wait", "5m") as gate:
                gate.feed(spread("first", legs=VERTICAL, orderQuantity=1, limitPrice=4.9))  # works and does not fill
                gate.event("outcome", "first", outcome="working")
                p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 429, "count": 1000})
                gate.feed(*orders)
                for i in ids:
                    b.wait_post(i)
                self.assertIn(halt(home, "--reason", "feed is wrong").returncode, OBEYED)
                gate.wait_stderr("feed is wrong")
                halted.set()
                for i in ids:
                    self.assertEqual(gate.event("outcome", i)["outcome"], "not-sent", i)
                    self.assertIn("halted", gate.event("outcome", i)["text"])
                gate.finish(5)
            self.assertEqual({i: b.posts.get(i) for i in ids}, {i: 1 for i in ids})


if __name__ == "__main__":
    main()
