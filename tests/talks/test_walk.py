"""The random walk: the same seed and the same calls give the same bytes, and another seed gives others. Bounds hold on
every clock."""
import datetime
import json
import pathlib
import unittest

from paper import Closed, PAPER, Paper, REGULAR, SomeFile, assert_equal, in_some_run, occ, stock

WORLD = """\
scenario: 1
seed: 11
symbols:
  AAPL: {bid: 189.99, ask: 190.01, bidSize: 7, askSize: 5, walk: {every: 100ms, step: 20bps}}
  LOW: {bid: 1.00, ask: 1.02, walk: {every: 50ms, step: 5%, least: 0.95, most: 1.1}}
  PENNY: {bid: 0.5, ask: 0.5002, walk: {every: 1s, step: 1bps}}
  STILL: {bid: 9, ask: 10}
"""


def world(text=WORLD):
    file = SomeFile("world.yaml")
    pathlib.Path(file.path).write_text(text)
    return file


def pnl_stream(p, account="PAPER0001"):
    """Both streams, signed in and subscribed."""
    pnl = p.stream("pnl").sign_in(*PAPER)
    pnl.send({"account": account})
    assert_equal(pnl.json()["action"], "init")
    return pnl


def milliseconds(instant):
    return round(datetime.datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp() * 1000)


def until(stream, last):
    """Returns the bytes of every frame up to the one for which last() is true."""
    frames = []
    while not frames or not last(json.loads(frames[-1])):
        frames.append(stream.frame()[1])
    return frames


def conversation(path, *args):
    """Make a morning's calls on a clock that is only stepped; returns every answer with its head, and every frame of
    both streams."""
    seen = []
    with Paper("--scenario", path, *args, clock=REGULAR) as p:
        portfolio, pnl = p.portfolio(), pnl_stream(p)

        def call(method, path, body=None):
            reply = p.call(method, path, body)
            seen.append((reply.status, sorted(reply.headers.items()), reply.body))

        for n in range(12):
            call("POST", "/v1/api/accounts/PAPER0001/order", stock(f"w{n}", limitPrice=190 + n % 3, orderQuantity=9))
            call("POST", "/v1/api/accounts/PAPER0001/order",
                 stock(symbol="LOW", limitPrice=1.03, timeInForce="GoodTillCancel"))
            p.advance("70ms")
            call("GET", "/v1/api/accounts/PAPER0001/orders")
            call("DELETE", f"/v1/api/accounts/PAPER0001/orders/w{n - 1}")
            p.advance("1s")
            call("GET", "/v1/api/accounts/PAPER0001/pnl")
            call("GET", "/v1/api/accounts/PAPER0001/positions")
        seen.append(p.call("GET", "/paper/orders", keys=None).body)
        now = p.advance("1ms")  # between two moves of the market, so that the next messages come after the first move
        p.quote("AAPL", 100, 101)
        call("POST", "/v1/api/accounts/PAPER0001/order", stock("end"))
        seen += until(portfolio, lambda m: m.get("order", {}).get("clientOrderId") == "end"
                      or m.get("order", {}).get("userOrderId") == "PAPER0001:end")
        seen += until(pnl, lambda m: m["ts"] == milliseconds(now) and m["target"] == "aggCalcs")
    return seen


class SameBytes(unittest.TestCase):
    def setUp(self):
        file = world()
        self.addCleanup(file.folder.cleanup)
        self.path = file.path

    def test_the_same_seed_and_calls_give_the_same_bytes(self):
        one, two = conversation(self.path, "--seed", "5"), conversation(self.path, "--seed", "5")
        self.assertGreater(len(one), 150)
        for a, b in zip(one, two):
            self.assertEqual(a, b)
        self.assertEqual(len(one), len(two))

    def test_another_seed_differs(self):
        one, two = conversation(self.path, "--seed", "5"), conversation(self.path, "--seed", "6")
        self.assertNotEqual(one, two)

    def test_the_scenarios_seed_is_taken_where_none_is_given(self):
        self.assertEqual(conversation(self.path), conversation(self.path, "--seed", "11"))

    def test_a_path_does_not_depend_on_how_time_passes(self):
        """Prices after a minute are the same, whether it passed in one step or in many."""
        ends = []
        for steps in (["60s"], ["1s"] * 60, ["350ms", "17s", "100ms", "42550ms"]):
            with Paper("--scenario", self.path) as p:
                hold(p)
                for step in steps:
                    p.advance(step)
                ends.append(worth(p))
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(ends[0], ends[2])

    def test_a_clock_that_runs_gives_the_same_moves(self):
        """The frames of the P&L stream over ten seconds are compared: at a hundred times the speed, and then stepped
        by hand."""
        def frames(clock, window):
            with Paper("--scenario", self.path, clock=clock) as p:
                hold(p)
                pnl = pnl_stream(p)
                if window:  # the clock stands still
                    first, last = window
                    for _ in range((last - milliseconds(clock)) // 1000 + 1):
                        p.advance("1s")
                    heard = []
                else:  # however late the first one comes
                    heard = [pnl.frame()[1]]
                    first = json.loads(heard[0])["ts"] // 1000 * 1000 + 1000
                    last = first + 10000
                heard += until(pnl, lambda m: m["ts"] >= last)
                return (first, last), [f for f in heard if first <= json.loads(f)["ts"] < last]

        heard = []

        def read_in_time():
            """A process that is suspended for long reads nothing meanwhile, and is dropped."""
            try:
                heard[:] = frames(REGULAR + "@100", None)
            except Closed:
                return False
            return True
        in_some_run(read_in_time)
        window, fast = heard
        _, slow = frames(REGULAR, window)
        self.assertGreater(len(slow), 400)
        self.assertEqual(slow, fast)


def hold(p):
    p.control("PUT", "positions/PAPER0001",
              [{"symbol": s, "shares": 100, "priceAvg": 1} for s in ("AAPL", "LOW", "PENNY", "STILL")])


def worth(p):
    return {row["symbol"]: row["exposure"] for row in p.get("accounts/PAPER0001/pnl").json["pnl"]}


class Moves(unittest.TestCase):
    def run_for(self, steps, text=WORLD, step="100ms"):
        """Returns the prices of 100 shares each after every step."""
        with world(text) as path, Paper("--scenario", path) as p:
            hold(p)
            seen = []
            for _ in range(steps):
                p.advance(step)
                seen.append(worth(p))
            return seen

    def test_bounds_and_steps_hold(self):
        seen = self.run_for(300)
        prices = [row["LOW"] / 100 for row in seen]
        self.assertTrue(all(0.95 <= price <= 1.1 for price in prices))
        self.assertGreater(len(set(prices)), 5)
        last = 190
        for row in seen:
            self.assertLessEqual(abs(row["AAPL"] / 100 - last), last * 0.002 + 0.0101)
            last = row["AAPL"] / 100
        self.assertGreater(len({row["AAPL"] for row in seen}), 50)
        self.assertEqual({row["STILL"] for row in seen}, {950})

    def test_bid_and_ask_keep_their_distance_and_sizes_stay(self):
        with world() as path, Paper("--scenario", path) as p:
            hold(p)
            p.advance("5s")
            p.order(stock("a", limitPrice=500, orderQuantity=12))
            p.order(stock("b", symbol="STILL", limitPrice=500))
            p.advance("100ms")
            row = p.lookup("a").json
            self.assertEqual((row["orderStatus"], row["executed"], row["lastQuantity"]), ("PartiallyFilled", 5, 5),
                             "the market's next move, at the instant of its first try, is its first try")
            self.assertEqual(p.lookup("b").json["priceAvg"], 10)
            self.assertEqual(round(row["lastPrice"] * 100 - worth(p)["AAPL"] / 1.05), 1,
                             "the ask is a cent above the last price")

    def test_it_walks_on_the_real_clock(self):
        with world() as path, Paper("--scenario", path, clock="real") as p:
            hold(p)
            pnl = pnl_stream(p)
            seen = [m["ts"] for m in (pnl.json() for _ in range(40)) if m["target"] == "position"]
            self.assertEqual(seen, sorted(seen))
            self.assertEqual({ts % 50 for ts in seen[5:]}, {0},
                             "each at its own instant, once nobody asks what time it is")

    def test_contracts_follow_their_root(self):
        with world() as path, Paper("--scenario", path) as p:
            p.control("PUT", "positions/PAPER0001", [{"symbol": occ(), "shares": 1, "priceAvg": 1}])
            seen = set()
            for _ in range(20):
                p.advance("1s")
                seen.add(p.get("accounts/PAPER0001/pnl").json["pnl"][0]["exposure"])
            self.assertGreater(len(seen), 5)

    def test_a_quote_set_is_where_it_goes_on_from_and_none_stops_it(self):
        with world() as path, Paper("--scenario", path) as p:
            hold(p)
            p.quote("AAPL", 99.99, 100.01, 100)
            p.advance("1s")
            self.assertLess(abs(worth(p)["AAPL"] - 10000), 400)
            p.control("PUT", "quotes/AAPL", None)
            p.advance("10s")
            self.assertEqual(p.order(stock("a", orderType="Market", limitPrice=None)).json["orderStatus"], "PendingNew")
            p.advance("10s")
            self.assertEqual(p.lookup("a").json["orderStatus"], "New", "without a quote it rests")

    def test_prices_survive_a_restart(self):
        with world() as path, SomeFile() as db:
            with Paper("--scenario", path, "--db", db) as p:
                hold(p)
                p.advance("30s")
                before = worth(p)
            with Paper("--scenario", path, "--db", db, clock="2026-01-15T15:00:30Z") as p:
                self.assertEqual(worth(p), before)


if __name__ == "__main__":
    unittest.main()
