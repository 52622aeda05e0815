"""ordergate watch: the streams as lines, the lines about the connection, and how a watch ends."""
import signal
import unittest

from paper import DEADLINE, stock
from watch_case import WatchCase


class Watch(WatchCase):
    def test_orders_and_positions(self):
        run = self.watch()
        self.hello()
        self.p.order(stock("a:b", route="PAPER"))
        self.p.advance("2s")
        seen = [self.event("order", i)["order"] for i in (1, 2, 3)]
        self.assertEqual([(o["clientOrderId"], o["accountId"], o["orderStatus"]) for o in seen],
                         [("a:b", "PAPER0001", s) for s in ("PendingNew", "New", "Filled")])
        rest = self.p.lookup("a:b").json
        self.assertEqual({k: seen[2][k] for k in ("executed", "priceAvg", "leavesQuantity", "limitPrice")},
                         {k: rest[k] for k in ("executed", "priceAvg", "leavesQuantity", "limitPrice")})
        position = self.event("position")
        self.assertEqual((position["stream"], position["accountId"], position["position"]["shares"]),
                         ("portfolio", "PAPER0001", 10))
        self.stop(run)

    def test_figures(self):
        run = self.watch("--stream", "pnl")
        self.hello()
        self.assertEqual(self.event("pnl-init")["pnl"]["accountValue"], 1000000)
        self.p.order(stock("a", route="PAPER"))
        self.p.advance("2s")
        self.assertEqual(self.event("pnl-position")["pnl"]["symbol"], "AAPL")
        self.assertIn("dayPnl", self.event("pnl-totals")["pnl"])
        self.stop(run, signal.SIGTERM)

    def test_count(self):
        run = self.watch("--count", "2")
        self.hello()
        self.p.order(stock("a", route="PAPER"))
        self.p.advance("2s")
        self.ended(run)
        self.assertEqual([e["event"] for e in self.lines], ["ready", "order", "order"])

    def test_for(self):
        self.ended(self.watch("--for", "300ms"))

    def test_a_gap_is_told(self):
        """A gap is reported as "down", and its end as "ready"."""
        run = self.watch()
        self.hello()
        self.fault("stream portfolio", "disconnect")
        self.p.advance("1s")
        self.assertIn("closed", self.event("down")["why"])
        self.event("ready", 2)
        self.p.order(stock("a", route="PAPER", limitPrice=100))
        self.p.advance("2s")
        self.assertEqual(self.event("order")["order"]["orderStatus"], "PendingNew")
        self.stop(run)

    def test_keys_the_stream_refuses(self):
        run = self.watch("--account", "PAPER0001", keys=("paper-key", "wrong-secret"))
        self.assertIn("FAILED_AUTH", self.ended(run, 1))

    def test_an_account_of_others_is_tried_again(self):
        """While the platform sleeps it may answer TERMINATED: the watch does not end, and tries again."""
        run = self.watch("--account", "LIVE0001")
        self.assertIn("TERMINATED", self.event("down")["why"])
        self.stop(run)

    def test_an_account_the_figures_refuse(self):
        run = self.watch("--account", "LIVE0001", "--stream", "pnl")
        self.event("down")
        self.stop(run)

    def test_nobody_is_there(self):
        port = self.p.port
        self.p.stop()
        run = self.watch("--account", "PAPER0001", url=f"http://127.0.0.1:{port}")
        self.event("down")
        self.stop(run)

    def test_usage(self):
        for args in (("--stream", "orders"), ("--count", "0"), ("--for", "soon"), ("more",), ("--wat",)):
            with self.subTest(args=args):
                self.end(self.start("watch", *args), 2)

    def test_nobody_reads(self):
        run = self.start("watch")
        run.stdout.readline()
        run.stdout.close()
        self.p.order(stock("a", route="PAPER"))
        self.p.advance("2s")
        self.assertEqual(run.wait(DEADLINE), 4)
        run.stderr.close()


if __name__ == "__main__":
    unittest.main()
