"""1,000 clients of the streams: each receives every frame for its account, in sequence, and no other frame."""
import resource
import unittest

from paper import LIVE, PAPER, Paper, stock

CLIENTS = 1000
ORDERS = 30


class Many(unittest.TestCase):
    def setUp(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < CLIENTS + 100:
            if 0 <= hard < CLIENTS + 100:
                self.skipTest(f"no more than {hard} descriptors are allowed")
            resource.setrlimit(resource.RLIMIT_NOFILE, (CLIENTS + 100, hard))
        self.p = Paper()
        self.addCleanup(self.p.stop)

    def pushes(self, stream, count):
        """Returns so many messages, as they were sent."""
        return [stream.frame() for _ in range(count)]

    def test_every_push_in_order(self):
        accounts = ("PAPER0001", "LIVE0001")
        streams = [self.p.portfolio(accounts[n % 2], subscriptions=["Order"]) for n in range(CLIENTS)]
        for n in range(ORDERS):
            for account in accounts:
                route = {"route": "SMART"} if account == "LIVE0001" else {}
                self.p.order(stock(f"{account}-{n}", orderQuantity=n + 1, limitPrice=150, **route), account)
        self.p.advance("1s")
        for first, account in zip(streams, accounts):
            heard = [first.order() for _ in range(ORDERS * 2)]
            self.assertEqual([(o["userOrderId"], o["orderStatus"]) for o in heard],
                             [(f"{account}:{account}-{n}", status) for status in ("PendingNew", "New")
                              for n in range(ORDERS)])
        self.p.quote("AAPL", 149, 150)
        wanted = [self.pushes(first, ORDERS) for first in streams[:2]]
        for n, stream in enumerate(streams[2:]):
            heard = self.pushes(stream, ORDERS * 3)
            self.assertEqual(heard[ORDERS * 2:], wanted[n % 2])
            self.assertEqual({opcode for opcode, _ in heard}, {1})
        for stream in streams:
            self.assertTrue(stream.quiet(), "and nothing else")

    def test_pnl(self):
        self.p.order(stock("a"))
        self.p.advance("1s")
        streams = []
        for _ in range(CLIENTS):
            stream = self.p.stream("pnl")
            stream.json()
            stream.send({"key": PAPER[0], "secret": PAPER[1]})
            stream.json()
            stream.send({"account": "PAPER0001"})
            self.assertEqual(stream.json()["action"], "init")
            streams.append(stream)
        for n in range(20):
            self.p.quote("AAPL", 191 + n, 192 + n)
        wanted = [streams[0].json() for _ in range(40)]
        self.assertEqual([w["target"] for w in wanted], ["position", "aggCalcs"] * 20)
        exposures = [w["position"]["pnlCalc"]["exposure"] for w in wanted[::2]]
        self.assertEqual(exposures, sorted(set(exposures)))
        for stream in streams[1:]:
            self.assertEqual([stream.json() for _ in range(40)], wanted)
        self.assertEqual(self.p.get("accounts", LIVE).status, 200)


if __name__ == "__main__":
    unittest.main()
