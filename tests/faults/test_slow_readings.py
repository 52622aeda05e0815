"""A slow brokerage: every reading of the account takes longer than facts may be old."""
import unittest

from parallel_unittest import main
from test_foreign import CLOSES, World, ours


class Slow(unittest.TestCase):
    def slow(self, base):
        w = World(self, base=f"[{base}]", account="LIVE0001", quotes={"AAPL": 190, "F": 10}, held=[("AAPL", 50)],
                  *("concentration: off", "client-order-id: off"))
        w.p.control("POST", "faults", {"on": "GET positions", "do": "delay", "delay": "6s", "count": 1000})
        self.read(w)
        return w

    def read(self, w):
        """Wait until another slow reading has begun: when it ends, the facts before it are old."""
        before = self.readings(w)
        while self.readings(w) == before:
            pass

    def readings(self, w):
        return sum(r["path"].endswith("/positions") for r in w.p.control("GET", "requests?since=0")["requests"])

    def goes(self, w, *orders):
        for order in orders:
            w.gate.feed(w.routed(order))
            e = w.gate.event("outcome", order["clientOrderId"])
            self.assertIn(e["outcome"], ("working", "filled"), w.gate.events[-3:])
        w.gate.finish()

    def test_default(self):
        self.goes(self.slow("default"), ours("a", limitPrice=150),
                  ours("c", orderQuantity=50, limitPrice=195, **CLOSES))

    def test_live(self):
        w = self.slow("live")
        self.goes(w, ours("c", orderQuantity=20, limitPrice=None, orderType="Market", **CLOSES),
                  ours("a", limitPrice=185, orderQuantity=10),
                  ours("b", limitPrice=186, replaces="a", orderQuantity=10))

    def test_behind_a_429(self):
        w = self.slow("default")
        w.p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 429, "count": 1})
        self.goes(w, ours("a", limitPrice=150))


if __name__ == "__main__":
    main()
