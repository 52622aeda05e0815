"""--db: what was answered is there after a kill, and resting orders go on."""
import signal
import unittest

from paper import Paper, SomeFile, leg, occ, spread, stock


class Database(unittest.TestCase):
    def test_everything_comes_back(self):
        with SomeFile() as path:
            p = Paper("--db", path)
            p.order(stock("filled", limitPrice=200))
            p.order(stock("rest", limitPrice=150))
            p.order(stock("rejected", limitPrice=-1))
            p.order(stock("gone", limitPrice=1))
            p.order(stock("stop", orderType="StopLimit", stopPrice=192, limitPrice=191))
            p.order(spread("spread"))
            p.order(stock("st", route="SMART", orderType="Stop", limitPrice=None, stopPrice=1), "LIVE0001")
            p.advance("1s")
            p.cancel("gone")
            p.quote("AAPL", 192, 192.01)  # sets the stop off, fills nothing
            p.control("PUT", "accounts/LIVE0001", {"optLevel": 1})
            p.quote("AAPL", 191, 191.01)
            ids = ("filled", "rest", "rejected", "gone", "spread")
            generated = p.order(stock(limitPrice=1)).json["clientOrderId"]
            pending = p.order(stock("pending", limitPrice=195)).json
            before = {i: p.lookup(i).json for i in ids}
            accounts = [p.get("account/PAPER0001").json, p.control("PUT", "accounts/LIVE0001", {})]
            positions = p.get("accounts/PAPER0001/positions").json
            self.assertEqual(p.stop(signal.SIGKILL), -signal.SIGKILL)

            with Paper("--db", path, clock="2026-01-15T15:00:02Z") as p:
                self.assertEqual({i: p.lookup(i).json for i in ids}, before)
                self.assertEqual([p.get("account/PAPER0001").json, p.control("PUT", "accounts/LIVE0001", {})], accounts)
                self.assertEqual(p.get("accounts/PAPER0001/positions").json, positions)
                self.assertEqual(p.lookup("pending").json, pending)
                for used in (*ids, generated):
                    self.assertEqual(p.order(stock(used)).json["text"][:5], "R114:")
                for used in ("st", "stINVALID"):
                    self.assertEqual(p.order(stock(used, route="SMART"), "LIVE0001").json["text"][:5], "R114:")
                self.assertEqual((p.lookup("st", "LIVE0001").status, p.lookup("stINVALID", "LIVE0001").status), (404, 200))
                self.assertGreater(int(p.order(stock(limitPrice=1)).json["clientOrderId"]), int(generated))
                p.advance("1s")
                self.assertEqual(p.lookup("pending").json["orderStatus"], "Filled")
                self.assertEqual(p.lookup("gone").json["orderStatus"], "Canceled")
                p.quote("AAPL", 190.5, 190.6)
                self.assertEqual(p.lookup("stop").json["orderStatus"], "Filled", "it had gone off before the kill")
                p.quote("AAPL", 149, 149.5)
                self.assertEqual(p.lookup("rest").json["orderStatus"], "Filled")
                close = [leg(occ(strike=190), "Sell", "Close"), leg(occ(strike=195), "Buy", "Close")]
                p.order(spread("close", legs=close, limitPrice=0.01))
                p.advance("1s")
                self.assertEqual(p.lookup("close").json["mlegID"], p.lookup("spread").json["mlegID"])

    def test_killed_at_any_moment_an_answered_order_is_there(self):
        with SomeFile() as path:
            answered = []
            for run in range(6):
                p = Paper("--db", path, clock="real")
                for i in range(7 * run + 1):
                    order_id = f"r{run}-{i}"
                    self.assertEqual(p.order(stock(order_id, limitPrice=1)).status, 200)
                    answered.append(order_id)
                p.stop(signal.SIGKILL)
            with Paper("--db", path) as p:
                for order_id in answered:
                    self.assertEqual(p.lookup(order_id).status, 200, order_id)

    def test_one_service_a_file(self):
        with SomeFile() as path, Paper("--db", path):
            with self.assertRaises(RuntimeError):
                Paper("--db", path)


if __name__ == "__main__":
    unittest.main()
