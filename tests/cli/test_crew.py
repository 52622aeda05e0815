"""The threads of ordergate check: together they decide exactly what one alone decides, in the same order, and a
line that has arrived is never held back. Run under ThreadSanitizer as well.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import unittest

BIN = os.environ["OG_BIN"]
GATE = os.path.join(BIN, "ordergate")
AT = "2026-01-15T15:00:00Z"
SYMBOLS = ["AAPL", "MSFT", "GME", "SPY"]
FACTS = {"asOf": "2026-01-15T14:59:59Z", "accountId": "LIVE0001",
         "account": {"account": "LIVE0001", "accountStatus": "Active", "accountType": "Live", "bp": 5000000,
                     "overnightBp": 5000000, "availableCash": 5000000, "optLevel": 4, "optionTradingLevel": 4},
         "accountList": [{"account": "LIVE0001", "accountType": "Live", "accountStatus": "Active"}],
         "positions": [], "orders": [], "usedClientOrderIds": [], "locateInventory": [],
         "routes": [{"routeName": "SMART", "securityTypes": ["Stock"], "timesInForce": ["Day"]}],
         "borrow": {s: True for s in SYMBOLS},
         "quotes": {s: {"bid": 100, "ask": 100.1, "last": 100.05} for s in SYMBOLS}}


def order(number, rng):
    return {"securityType": "Stock", "symbol": rng.choice(SYMBOLS), "side": rng.choice(["Buy", "Sell"]),
            "openClose": "Open", "orderType": rng.choice(["Limit", "Limit", "Market", "Stop"]),
            "orderQuantity": rng.choice([1, 10, 500, 0]), "timeInForce": "Day",
            "limitPrice": rng.choice([100, 120, 99.999]),
            "route": "SMART", "clientOrderId": "c%d" % rng.randrange(2 * number + 1)}


def feed(p, data, close=False):
    """Write the data in a thread, so that the caller can read the answers meanwhile."""
    def write():
        try:
            p.stdin.write(data)
            p.stdin.flush()
            if close:
                p.stdin.close()
        except BrokenPipeError:
            pass

    thread = threading.Thread(target=write)
    thread.start()
    return thread


def mixed(count, seed):
    """Returns a mixed input: orders, baskets, facts that change between them, long lines, and lines that are not
    orders."""
    rng = random.Random(seed)
    out = []
    for i in range(count):
        out.append(json.dumps(order(i, rng)))
        other = rng.random()
        if other < 0.01:
            price = rng.randrange(90, 110)
            out.append(json.dumps({"op": "quote", "symbol": rng.choice(SYMBOLS), "bid": price, "ask": price + 0.1,
                                   "last": price, "at": AT}))
        elif other < 0.015:
            out.append(json.dumps({"op": "facts", "accountId": "LIVE0001", "asOf": AT,
                                   "account": dict(FACTS["account"], bp=rng.randrange(100000, 9000000))}))
        elif other < 0.02:
            out.append('{"op":"heartbeat"}')
        elif other < 0.04:
            out.append(json.dumps({"op": "cancel", "clientOrderId": "c%d" % rng.randrange(i + 1)}))
        elif other < 0.043:
            out.append('{"symbol":"' + "X" * rng.randrange(10000, 100000))
        elif other < 0.05:
            out.append("")
        elif other < 0.1:
            out.append(json.dumps({"op": "basket", "orders": [order(i, rng) for _ in range(rng.randrange(5))]}))
    return ("\n".join(out) + "\n").encode()


def decisions(line):
    """Returns how many decisions a line of mixed() has: a basket one for each order, or one if it has none."""
    if b'"op": "basket"' in line:
        return max(1, len(json.loads(line)["orders"]))
    return int(bool(line) and not any(op in line for op in (b'"op": "quote"', b'"op": "facts"', b'"op":"heartbeat"')))


class Crew(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.facts = self.file("facts.json", json.dumps(FACTS).encode())

    def file(self, name, content):
        path = os.path.join(self.dir.name, name)
        with open(path, "wb") as f:
            f.write(content)
        return path

    def command(self, *args):
        return [GATE, "check", "--at", AT, "-f", self.facts] + list(args)

    def run_on(self, processors, path, *args):
        p = subprocess.run(self.command(*args, path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600,
                           preexec_fn=lambda: os.sched_setaffinity(0, processors))
        self.assertEqual(p.returncode, 1)
        if "orders" not in args:  # with `orders` stderr says what is left out
            self.assertEqual(p.stderr, b"")
        return p.stdout, p.stderr

    def test_many_decide_as_one_does(self):
        path = self.file("orders", mixed(4000, 7))
        all_of_them = os.sched_getaffinity(0)
        for args in [], ["--independent"], ["--assume", "filled"], ["--emit", "orders"], ["--margin", "--independent"]:
            with self.subTest(args=args):
                alone = self.run_on({min(all_of_them)}, path, *args)
                self.assertGreater(alone[0].count(b"\n"), 300)
                self.assertEqual(self.run_on(all_of_them, path, *args), alone)

    def test_files_that_change_meanwhile_are_taken_between_two_orders(self):
        """Orders before a change are never decided by it, and each order is decided by either the old or the new
        state as a whole."""
        poorer = json.dumps(dict(FACTS, asOf=AT, account=dict(FACTS["account"], accountStatus="Closed"))).encode()
        for args in [], ["--independent"]:
            self.file("facts.json", json.dumps(FACTS).encode())
            with self.subTest(args=args), subprocess.Popen(self.command(*args), stdin=subprocess.PIPE,
                                                           stdout=subprocess.PIPE) as p:
                batch = mixed(1000, 3)
                expected = sum(decisions(line) for line in batch.splitlines())
                writer = feed(p, batch)
                before = [json.loads(p.stdout.readline()) for _ in range(expected)]
                writer.join()
                os.rename(self.file("new", poorer), self.facts)
                writer = feed(p, batch, close=True)
                after = [json.loads(line) for line in p.stdout]
                writer.join()
                self.assertEqual(len(after), expected)
                self.assertNotIn("account-not-active", [f["reason"] for d in before for f in d["findings"]])
                self.assertIn("account-not-active", [f["reason"] for f in after[0]["findings"]])
                self.assertEqual(p.wait(timeout=600), 1)

    def test_a_line_is_not_held_back_for_a_batch_to_be_full(self):
        """Two full batches, some further lines and one line without its newline are written: all complete lines are
        decided before more input arrives."""
        rng = random.Random(1)
        whole = [json.dumps(order(i, rng)) for i in range(150)]
        with subprocess.Popen(self.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as p:
            writer = feed(p, ("\n".join(whole) + '\n{"symbol":"' + "X" * 1200000).encode())
            got = [json.loads(p.stdout.readline())["line"] for _ in whole]
            self.assertEqual(got, list(range(1, 151)))
            writer.join()
            p.stdin.write(b'"}\n' + whole[0].encode() + b"\n")
            p.stdin.flush()
            self.assertEqual([f["reason"] for f in json.loads(p.stdout.readline())["findings"]], ["line-too-long"])
            self.assertEqual(json.loads(p.stdout.readline())["line"], 152)
            p.stdin.close()
            self.assertEqual(p.wait(timeout=600), 1)

    def test_it_ends_when_nobody_can_be_told_though_the_input_goes_on(self):
        rng = random.Random(2)
        data = "".join(json.dumps(order(i, rng)) + "\n" for i in range(2000)).encode()
        with open("/dev/full", "wb") as full, subprocess.Popen(
                self.command(), stdin=subprocess.PIPE, stdout=full, stderr=subprocess.PIPE,
                preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN)) as p:
            writer = feed(p, data)
            self.assertEqual(p.wait(timeout=600), 4)  # while stdin is open
            writer.join()
            self.assertEqual(p.stderr.read().count(b"cannot be written"), 1)
            try:
                p.stdin.close()
            except BrokenPipeError:
                pass


if __name__ == "__main__":
    unittest.main()
