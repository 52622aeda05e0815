"""Senders that share a ledger and a limit are started and killed at random.

At every moment the orders that work and the positions at the brokerage are together within the limit. An order that
fits is refused for at most as long as one reading of the account takes. The outcomes are compared with the brokerage's
own record: the history of each order has its fills and the time at which it worked. The suite runs a few rounds of
each kind, from seed OG_CROWD_SEED (default 1) on; OG_CROWD_ROUNDS is their number. A failure names its seed, which
determines the kills, but not which process is faster.

On demand, with the environment of tests/README.md ("Run one test"), since ctest ends a test after half an hour:

  OG_CROWD_ROUNDS=100 python3 -B ../../tests/faults/test_crowd.py
"""
import json
import os
import random
import threading
import time
import unittest

from fault_proxy import FaultProxy, answer
from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting
from test_cancels import cancel

ROUNDS = int(os.environ.get("OG_CROWD_ROUNDS", "2"))
SEED = int(os.environ.get("OG_CROWD_SEED", "1"))
MOST = 1000
CLOSES = ("ordergate: 1\nname: closes\n"
          "rules: {close-position: {level: refuse, reasons: {close-exceeds-position: refuse}}}\n")
POLICY = f"ordergate: 1\nname: crowd\nextends: []\nrules:\n  exposure: {{level: refuse, gross: {MOST}}}\n"
OVER = ("Filled", "Canceled", "Rejected", "Expired", "DoneForDay")


def worth_now(order):
    """Returns the value of what the order has filled and may still fill."""
    over = order["orderStatus"] in OVER
    held = float(order["priceAvg"] or 0) * float(order["executed"] or 0)
    return held if over else max(held, float(order["limitPrice"]) * float(order["orderQuantity"]))


def worst(orders):
    """Returns the largest sum of working orders and holdings at one time, by the histories. Working orders count at
    their limit price, fills at the price of the fill."""
    moves = []
    for o in orders:
        if o["history"][0]["orderStatus"] == "Rejected":
            continue
        worth = float(o["limitPrice"]) * float(o["orderQuantity"])
        moves.append((o["history"][0]["at"], 1, worth))
        ends = [h["at"] for h in o["history"] if h["orderStatus"] in OVER]
        if ends:
            moves.append((ends[0], 0, float(o["priceAvg"] or 0) * float(o["executed"] or 0) - worth))
    most = now = 0
    for _, _, worth in sorted(moves):  # of one moment: what ends first
        now += worth
        most = max(most, now)
    return most


class Crowd(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.args = ["--broker", self.home.file("b.yaml", "budgets: off\n"), "-p", self.home.file("p.yaml", POLICY)]

    def gate(self, *more, url=None, **kwargs):
        return self.enterContext(Sender(url or self.paper.url, self.home, *self.args, *more, **kwargs))

    def within(self, what=""):
        orders = self.paper.control("GET", "orders")["orders"]
        self.assertLessEqual(worst(orders), MOST, f"{what} {[(o['clientOrderId'], o['orderStatus']) for o in orders]}")
        return worst(orders)

    def test_one_started_while_the_other_sends(self):
        """The first reading of the new sender happens between the orders of the other sender, which come one by
        one."""
        for turn in range(ROUNDS * 2):
            with self.subTest(turn), Paper(clock=RUNNING) as p, TempHome() as home:
                self.paper, self.home = p, home
                self.setUp_args()
                one = self.gate()
                one.feed(resting("a0", orderQuantity=1, limitPrice=150))
                one.event("outcome", "a0", outcome="working")
                two = self.gate(lines=[resting(f"b{i}", orderQuantity=1, limitPrice=150 + i) for i in range(5)])
                for i in range(1, 5):
                    one.feed(resting(f"a{i}", orderQuantity=1, limitPrice=150 + i))
                    one.event("outcome", f"a{i}")
                two.finish(5)
                one.finish(5)
                self.assertGreater(self.within(), MOST * 0.6)

    def test_worked_before_the_first_reading_was_answered(self):
        """The second sender's first reading already has a list of orders, which lacks those that the first one
        sends meanwhile, and waits for another part of the reading."""
        for part in ("/positions", "/PAPER0001"):
            with self.subTest(part), Paper(clock=RUNNING) as p, TempHome() as home:
                self.paper, self.home, held = p, home, threading.Event()
                self.setUp_args()
                with FaultProxy(p, gets={part: held}) as b:
                    one = self.gate()
                    one.feed(resting("a0", orderQuantity=1))
                    one.event("outcome", "a0", outcome="working")
                    two = self.gate(url=b.url)
                    two.feed(resting("b0", orderQuantity=5))
                    b.wait_path(part)
                    b.wait_path("/orders")
                    one.feed(*(resting(f"a{i}", orderQuantity=1) for i in range(1, 5)))
                    for i in range(1, 5):
                        one.event("outcome", f"a{i}", outcome="working")
                    held.set()
                    self.assertEqual(two.event("outcome", "b0")["outcome"], "refused")
                    two.feed(resting("b1", orderQuantity=1))
                    two.event("outcome", "b1")
                    self.within()

    def setUp_args(self):
        self.args = ["--broker", self.home.file("b.yaml", "budgets: off\n"), "-p", self.home.file("p.yaml", POLICY)]

    def readings(self, b):
        return sum(path.split("?")[0].endswith("/orders") for _, path in b.paths)

    def test_one_is_killed(self):
        """The killed sender left orders that work, are in flight or are undecided: they count for the sender that goes
        on."""
        for kill_after in ("posted", "decision", "outcome"):
            with self.subTest(kill_after), Paper(clock=RUNNING) as p, TempHome() as home:
                self.paper, self.home = p, home
                self.setUp_args()
                two = self.gate()
                two.feed(resting("b0", orderQuantity=1))
                two.event("outcome", "b0", outcome="working")
                one = self.gate(lines=[resting(f"a{i}", orderQuantity=1) for i in range(5)])
                one.event(kill_after, "a3", **({"outcome": "working"} if kill_after == "outcome" else {}))
                one.kill().process.wait()
                for i in range(1, 9):
                    two.feed(resting(f"b{i}", orderQuantity=1))
                    two.event("outcome", f"b{i}")
                self.within(kill_after)

    def test_safe_orders_pass(self):
        """Three orders of 150 work. A fourth one fits: it is accepted at once, or after one reading of the account
        that began later."""
        with FaultProxy(self.paper) as b:
            two = self.gate(url=b.url)
            two.feed(resting("b0", orderQuantity=1, limitPrice=1))
            two.event("outcome", "b0", outcome="working")
            one = self.gate()
            for turn in range(3):
                one.feed(resting(f"a{turn}", orderQuantity=1))
                one.event("outcome", f"a{turn}", outcome="working")
                before = self.readings(b)
                for i in range(1000):
                    two.feed(resting(f"b{turn}-{i}", orderQuantity=1, limitPrice=100))
                    if two.event("outcome", f"b{turn}-{i}")["outcome"] == "working":
                        break
                self.assertLessEqual(self.readings(b) - before, 1, f"turn {turn}, refused {i} times")
            self.within()

    def test_at_random(self):
        for seed in range(SEED, SEED + ROUNDS):
            for senders in (2, 3):
                with self.subTest(seed=seed, senders=senders), Paper(clock=RUNNING) as p, TempHome() as home:
                    self.paper, self.home = p, home
                    self.setUp_args()
                    self.crowd(random.Random(f"{seed} {senders}"), senders, f"OG_CROWD_SEED={seed} with {senders}")

    def crowd(self, chance, senders, name):
        """Start threads, each of which runs one sender after another. Each sender gets some lines, runs for a while,
        and is often killed.
        """
        until, made = time.monotonic() + 6, iter(range(10 ** 6))
        failures, lock, resting_ids = [], threading.Lock(), []

        def line():
            with lock:
                i = f"o{next(made)}"
                kind = chance.choice(["rests", "rests", "rests", "fills", "cancel", "cancel"])
                if kind == "cancel" and resting_ids:
                    return cancel(resting_ids.pop(chance.randrange(len(resting_ids))))
                if kind == "fills":
                    return stock(i, orderQuantity=1,
                                 limitPrice=chance.randint(191, 199)) if chance.random() < 0.1 else \
                        resting(i, orderQuantity=1, limitPrice=chance.randint(20, 60))
                resting_ids.append(i)
                return resting(i, orderQuantity=1, limitPrice=chance.randint(100, 160))

        def slow():
            """Yields faults that delay answers: to any part of a reading, and to POSTs that have already taken
            effect."""
            for on in chance.sample(["GET positions", "GET account", "GET orders", "POST order"], 2):
                yield {"on": on, "do": "delay", "delay": f"{chance.randint(50, 400)}ms", "count": chance.randint(1, 6),
                       "after": chance.randint(0, 6)}

        def one():
            try:
                while time.monotonic() < until:
                    with lock:
                        for fault in slow():
                            self.paper.control("POST", "faults", fault)
                    kill, pause = chance.random() < 0.6, chance.uniform(0, 0.6)
                    with Sender(self.paper.url, self.home, *self.args, "--wait", "2s", "--timeout", "2s") as gate:
                        try:
                            for _ in range(chance.randint(2, 12)):
                                gate.feed(line())
                                if chance.random() < 0.5:
                                    time.sleep(chance.uniform(0, 0.15))
                        except BrokenPipeError:
                            pass
                        with gate.changed:
                            gate.changed.wait_for(lambda: gate.open == 0, pause)
                        if kill:
                            gate.kill()
                        gate.finish()
            except BaseException as failure:
                failures.append(failure)
        threads = [threading.Thread(target=one) for _ in range(senders)]
        # the witness has read everything, and has no orders of its own
        with Sender(self.paper.url, self.home, *self.args) as witness:
            witness.feed(resting("w", orderQuantity=1, limitPrice=1))
            witness.event("outcome", "w", outcome="working")
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(failures, [], name)
            self.paper.control("DELETE", "faults")
            used = self.within(name)
            self.takes_what_is_safe(witness, "w", name)
        with Sender(self.paper.url, self.home, *self.args) as fresh:
            self.takes_what_is_safe(fresh, "v", name)
        self.within(name)
        print(f"{name}: {used:.0f} of {MOST} at the most, {len(self.paper.control('GET', 'orders')['orders'])} orders",
              flush=True)

    def takes_what_is_safe(self, gate, order_id, name):
        """Assert that an order of half the remaining room is accepted, at once or after one reading that began
        later."""
        room, begun = self.room() / 2, None
        if room < 1:
            return
        for i in range(1000):
            gate.feed(resting(f"{order_id}{i}", orderQuantity=1, limitPrice=min(int(room), 150)))
            if gate.event("outcome", f"{order_id}{i}")["outcome"] == "working":
                return
            begun = begun or self.lists()
            self.assertLessEqual(self.lists() - begun, 1, f"{name}: {room} refused {i + 1} times")
        self.fail(f"{name}: {room} is refused")

    def room(self):
        """Returns how much room is used neither at the brokerage nor by an order that may have arrived there."""
        orders = {o["clientOrderId"]: o for o in self.paper.control("GET", "orders")["orders"]}
        used = sum(worth_now(o) for o in orders.values())
        for row in self.home.rows("record = 'intent'"):
            if row["id"] not in orders and self.home.newest_row(row["id"])["state"] in ("intended", "posted",
                                                                                        "unknown"):
                body = json.loads(row["detail"])
                used += body["limitPrice"] * body["orderQuantity"]
        return MOST - used

    def lists(self):
        return sum(r["path"].endswith("/orders") for r in self.paper.control("GET", "requests?since=0")["requests"])


class IdleSenders(unittest.TestCase):
    """A sender that follows no order hears of other senders' orders when it decides its next line. What it hears then
    is not in its facts: the order waits for a reading that is, instead of being refused."""

    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.paper.control("PUT", "positions/PAPER0001", [{"symbol": "AAPL", "side": "Long", "shares": 100,
                                                           "priceAvg": 190, "dayOvernight": "Day"}])

    def gate(self, policy=CLOSES, url=None):
        return self.enterContext(Sender(url or self.paper.url, self.home, "--broker",
                                        self.home.file("b.yaml", "budgets: off\n"), "-p",
                                        self.home.file("p.yaml", policy)))

    def idle(self, gate):
        gate.feed(resting("idle", orderQuantity=1, limitPrice=1, symbol="MSFT"))
        gate.event("outcome", "idle", outcome="working")
        return gate

    def close(self, order_id, shares, limit):
        return stock(order_id, side="Sell", openClose="Close", orderQuantity=shares, limitPrice=limit)

    def test_another_senders_close_has_filled(self):
        for limit in (180, 250):  # it fills; it works, and is canceled
            with self.subTest(limit):
                self.setUp()
                two, one = self.idle(self.gate()), self.gate()
                one.feed(self.close("a", 60, limit))
                if limit == 180:
                    one.event("update", "a", orderStatus="Filled")
                else:
                    one.event("outcome", "a", outcome="working")
                    one.feed(cancel("a"))
                    one.event("outcome", line=2, outcome="canceled")
                two.feed(self.close("b", 40 if limit == 180 else 100, 251))
                self.assertEqual(two.event("outcome", "b")["outcome"], "working", two.stderr)

    def test_another_sender_opened_and_closed(self):
        """What works and has filled in the other sender is far below the limit of exposure."""
        policy = "ordergate: 1\nname: w\nrules: {exposure: {level: refuse, gross: 30000}}\n"
        two, one = self.idle(self.gate(policy)), self.gate(policy)
        for i in range(3):
            one.feed(stock(f"a{i}", orderQuantity=40, limitPrice=191))
            one.event("update", f"a{i}", orderStatus="Filled")
            one.feed(self.close(f"c{i}", 40, 180))
            one.event("update", f"c{i}", orderStatus="Filled")
        two.feed(resting("b", orderQuantity=40, limitPrice=190))
        self.assertEqual(two.event("outcome", "b")["outcome"], "working", two.stderr)

    def test_a_close_was_canceled_elsewhere_and_lists_lack_it(self):
        """The sender has no stream, and has not learned that its own close is over: the look-up that tells decides."""
        with FaultProxy(self.paper, streams=False) as b:
            gate = self.gate(url=b.url)
            gate.feed(self.close("a", 60, 250))
            gate.event("outcome", "a", outcome="working")
            b.gets["/orders"] = answer(200, b'{"orders":[]}', ("Content-Type: application/json",))
            self.paper.cancel("a")
            while [o["orderStatus"] for o in self.paper.control("GET", "orders")["orders"]] != ["Canceled"]:
                continue
            gate.feed(self.close("b", 100, 251))
            self.assertEqual(gate.event("outcome", "b")["outcome"], "working", gate.stderr)


if __name__ == "__main__":
    main()
