"""ordergate watch: the streams as lines, the lines about the connection, and how a watch ends."""
import json
import signal
import threading
import unittest

from paper import DEADLINE, PAPER, stock
from programs import Programs
from reading_case import ReadingCase


class Watch(Programs, ReadingCase):
    account = "PAPER0001"
    keys = PAPER

    def watch(self, *args, **more):
        """Returns a running watch, whose output is collected in self.lines."""
        run = self.start("watch", *args, **more)
        self.addCleanup(lambda: run.poll() is None and run.kill())
        self.lines, self.changed = [], threading.Condition()

        def read():
            for line in run.stdout:
                with self.changed:
                    self.lines.append(json.loads(line))
                    self.changed.notify_all()

        self.reader = threading.Thread(target=read, daemon=True)
        self.reader.start()
        return run

    def event(self, kind, count=1):
        """Wait for the count-th line of that kind."""
        def found():
            return [e for e in self.lines if e["event"] == kind][count - 1:count]
        with self.changed:
            if not self.changed.wait_for(found, DEADLINE):
                raise AssertionError(f"no {kind} in {self.lines}")
            return found()[0]

    def stop(self, run, how=signal.SIGINT, code=0):
        run.send_signal(how)
        self.ended(run, code)

    def ended(self, run, code=0):
        run.wait(DEADLINE)
        self.reader.join()
        words = run.stderr.read()
        run.stderr.close()
        run.stdout.close()
        self.assertEqual(run.returncode, code, words)
        self.assertNotIn(self.keys[1], words + json.dumps(self.lines))
        return words

    def hello(self):
        """Wait until the stream is signed in and subscribed; returns the hello, which has the time of the service's
        clock."""
        self.event("ready")

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
