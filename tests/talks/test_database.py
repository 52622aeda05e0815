"""--db: after a kill, everything that was answered is still there, and resting orders go on working."""
import http.client
import json
import os
import random
import signal
import threading
import unittest

from paper import DEADLINE, PAPER, Paper, SomeFile, leg, occ, spread, stock
from tries import tries


class OneConnection:
    """Makes the calls of one thread; raises an exception if an answer is incomplete."""

    def __init__(self, p):
        self.connection = http.client.HTTPConnection("127.0.0.1", p.port, timeout=DEADLINE)

    def ask(self, method, path, body=None):
        self.connection.request(method, "/v1/api/accounts/PAPER0001/" + path, body,
                                {"SVC-API-KEY-ID": PAPER[0], "SVC-API-SECRET-KEY": PAPER[1]})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise AssertionError(f"{method} {path}: {answer.status} {text}")


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
                self.assertEqual((p.lookup("st", "LIVE0001").status, p.lookup("stINVALID", "LIVE0001").status),
                                 (404, 200))
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

    def test_killed_at_any_moment_what_was_answered_is_there(self):
        """The brokerage is killed repeatedly while three connections send orders and cancels."""
        moments = random.Random(int(os.environ.get("OG_SEED", "1")))
        with SomeFile() as path:
            placed, canceled = [], []
            for run in range(tries("OG_KILLS", 60)):
                with Paper("--db", path, clock="real", control=False) as p:
                    for order_id in placed[-40:]:
                        self.there(p, order_id, order_id in canceled)
                    self.trade_until(p, f"r{run}", moments.randrange(1, 60), placed, canceled)
            with Paper("--db", path, clock="real") as p:
                rows = {order["clientOrderId"]: order for order in p.control("GET", "orders")["orders"]}
                self.assertLessEqual(set(placed), set(rows))
                for order_id in placed:
                    self.there(p, order_id, order_id in canceled)
            self.assertGreater(len(canceled), 50)

    def there(self, p, order_id, canceled):
        row = p.lookup(order_id).json
        self.assertEqual((row["clientOrderId"], row["limitPrice"], row["orderQuantity"]), (order_id, 1, 10))
        self.assertIn(row["orderStatus"],
                      ("PendingCancel", "Canceled") if canceled else ("PendingNew", "New", "PendingCancel", "Canceled"))

    def trade_until(self, p, name, count, placed, canceled):
        """Trade over three connections, and kill the brokerage as soon as it has answered that many orders."""
        enough, wrong = threading.Event(), []
        before = len(placed)

        def trade(thread):
            own = OneConnection(p)
            try:
                for n in range(1000):
                    order_id = f"{name}-{thread}-{n}"
                    own.ask("POST", "order", json.dumps(stock(order_id, limitPrice=1)))
                    placed.append(order_id)
                    if len(placed) >= before + count:
                        enough.set()
                    if n % 3 == 0:
                        own.ask("DELETE", f"orders/{order_id}")
                        canceled.append(order_id)
            except (OSError, http.client.HTTPException):
                pass  # killed
            except AssertionError as error:
                wrong.append(error)
            finally:
                own.connection.close()

        threads = [threading.Thread(target=trade, args=(n,)) for n in range(3)]
        for thread in threads:
            thread.start()
        self.assertTrue(enough.wait(DEADLINE))
        p.process.kill()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_whose_it_may_be(self):
        """If another user could write or replace the file, it is not opened, and stays unchanged."""
        with SomeFile() as path:
            with open(path, "w"):
                os.chmod(path, 0o666)
            with self.assertRaisesRegex(RuntimeError, "may be written by others and its group"):
                Paper("--db", path)
            os.remove(path)
            os.mkfifo(path)
            with self.assertRaisesRegex(RuntimeError, "is a FIFO"):
                Paper("--db", path)
            os.remove(path)
            os.symlink(path + ".target", path)
            os.chmod(os.path.dirname(path), 0o777)
            with self.assertRaisesRegex(RuntimeError, "may be written by others"):
                Paper("--db", path)
            self.assertFalse(os.path.exists(path + ".target"))
            os.chmod(os.path.dirname(path), 0o700)
            with Paper("--db", path):
                self.assertEqual(os.stat(path + ".target").st_mode & 0o777, 0o600)

    def test_one_service_a_file(self):
        with SomeFile() as path, Paper("--db", path):
            with self.assertRaises(RuntimeError):
                Paper("--db", path)


if __name__ == "__main__":
    unittest.main()
