"""The gate is suspended for a while, like a laptop that sleeps or a process on a busy machine, and then continued.

Meanwhile answers arrive, connections are closed, and orders are canceled and filled. nth.c sets the gate's clocks
forward, so that the suspension seems shorter or longer than each of its time-outs; it takes the test no time. In the
end the gate knows everything that was answered meanwhile. It is suspended at chosen moments, and before its Nth write,
sync, send, receipt or wait: here for every OG_PAUSES_STEPth N (default 24; 1 for each), beginning at the seed
(OG_PAUSES_SEED, default 1), which also determines how long it seems to take and what happens meanwhile.
"""
import collections
import concurrent.futures
import json
import os
import random
import sqlite3
import subprocess
import threading
import unittest

from fault_proxy import FaultProxy, answer
from paper import Paper, spread, stock
from parallel_unittest import main
from sender import RUNNING, SEND, Sender, TempHome, posts, resting

STEP = int(os.environ.get("OG_PAUSES_STEP", "24"))
SEED = int(os.environ.get("OG_PAUSES_SEED", "1"))
SHIM = os.path.join(os.environ["OG_PRELOAD"], "libfaults-nth.so")
AT_ONCE = 8
LOOSE = "ordergate: 1\nname: loose\nextends: []\nrules: {}\n"
STATES = {"Filled": "filled", "Rejected": "rejected", "Canceled": "canceled", "PendingNew": "working", "New": "working",
          "PendingCancel": "working"}
LINES = [resting("rests"), stock("fills"), stock("bad", limitPrice=-5), stock("late", symbol="NOSUCH"),
         stock("wrong", symbol="a b"),
         spread("spread"), resting("gone"), {"op": "cancel", "clientOrderId": "gone"}, resting("new", replaces="rests"),
         {"securityType": "Nonsense"}, resting("last", limitPrice=151)]


def pauses(ms, asleep=0):
    """Returns the environment of a gate whose suspensions seem to take that long. `asleep` is additional time for
    which the whole machine slept."""
    return {"LD_PRELOAD": SHIM, "OG_NTH_STOOD": str(ms), "OG_NTH_SLEPT": str(asleep)}


class Moments(unittest.TestCase):
    """The reply of a POST, or of a look-up, arrives while the gate is suspended for longer than its time-out."""

    def away(self, gate, b, event):
        """Suspend the gate; meanwhile set the event, so that the answer that waits for it is sent."""
        gate.stop()
        event.set()
        b.wait_idle()
        gate.resume()

    def test_the_reply_of_a_post(self):
        for line, outcome in ((resting("good"), "working"), (stock("bad", symbol="a b"), "rejected")):
            flow, i = threading.Event(), line["clientOrderId"]
            with self.subTest(i), Paper(clock=RUNNING) as p, TempHome() as home:
                with FaultProxy(p, {i: (True, flow)}, streams=False) as b:
                    with Sender(b.url, home, "-p", home.file("p.yaml", LOOSE), env=pauses(60000)) as gate:
                        gate.feed(line)
                        b.wait_post(i)
                        self.away(gate, b, flow)
                        self.assertEqual(gate.event("outcome", i)["outcome"], outcome)
                        gate.finish(1)

    def test_the_reply_of_a_look_up(self):
        flow = threading.Event()
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with FaultProxy(p, {"o": (True, "close")}, streams=False, gets={"/order/o": flow}) as b:
                with Sender(b.url, home, "--wait", "5s", env=pauses(60000)) as gate:
                    gate.feed(resting("o")).close_input()
                    b.wait_path("/order/o")
                    self.away(gate, b, flow)
                    self.assertEqual((gate.finish(1), gate.outcomes()), (0, {"o": "working"}))

    def test_the_dead_mans_switch(self):
        """Heartbeats that came during the suspension count; without any, the dead man's switch fires."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home, "--dead-man", "20s", env=pauses(60000)) as gate:
                gate.feed(resting("o"))
                gate.event("outcome", "o", outcome="working")
                gate.stop()
                gate.feed({"op": "heartbeat"})
                gate.resume()
                gate.feed(resting("p"))
                gate.event("outcome", "p", outcome="working")
                self.assertEqual(gate.events_of("dead-man"), [])
                gate.stop()
                gate.resume()
                self.assertEqual(gate.event("dead-man")["canceling"], 2)
                gate.finish(2)

    def test_an_order_that_was_decided_before_it_does_not_leave_after_it(self):
        for stood, asleep, outcome in ((12000, 0, "not-sent"), (0, 3600000, "not-sent"), (1500, 0, "working")):
            flow = threading.Event()
            with self.subTest((stood, asleep)), Paper(clock=RUNNING) as p, TempHome() as home:
                with FaultProxy(p, {"o": [(False, flow), (True, "answer")]}) as b:
                    with Sender(b.url, home, env=pauses(stood, asleep)) as gate:
                        # the 429 is read when the gate continues, which would post the order once more
                        gate.feed(resting("o"))
                        b.wait_post("o")
                        self.away(gate, b, flow)
                        self.assertEqual(gate.event("outcome", "o")["outcome"], outcome)
                        gate.finish(1)
                    self.assertEqual(b.posts, {"o": 2 if outcome == "working" else 1})

    def test_nor_does_one_for_which_a_connection_is_made(self):
        lines, between = [resting(f"o{i}") for i in range(8)], 0
        for n in range(4, 12):
            with self.subTest(n), Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
                env = {**pauses(12000), "OG_NTH_STOP_CONNECT": str(n)}
                with Sender(b.url, home, "--max-in-flight", "8", "--broker", home.file("b.yaml", "budgets: off\n"),
                            lines=lines, env=env) as gate:
                    if gate.wait_stopped():
                        b.wait_idle()
                        decided = {r["id"] for r in home.rows("record = 'intent'")} - set(b.posts)
                        between += len(decided)
                        gate.resume()
                        gate.finish(8)
                        self.assertEqual({i: gate.outcomes()[i] for i in decided}, {i: "not-sent" for i in decided})
                        self.assertEqual(decided & set(b.posts), set())
        self.assertGreater(between, 0)

    def test_what_was_known_before_the_machine_slept_is_old(self):
        """Eight hours later the market is closed: an order that this refuses needs no new facts, and for other orders
        the account is read again."""
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            with Sender(b.url, home, env=pauses(0, 8 * 3600000)) as gate:
                gate.feed(resting("bad", limitPrice=-5))
                gate.event("outcome", "bad", outcome="refused")
                b.wait_path("/positions", 2)  # before the stream was there, and after
                gate.stop()
                b.wait_idle()
                p.advance("8h")
                count = len(b.paths)
                gate.resume()
                gate.feed(stock("late", orderType="Market", limitPrice=None))
                decision = gate.event("decision", "late")
                self.assertEqual((decision["at"][:16], decision["verdict"]), ("2026-01-15T23:00", "refuse"))
                gate.feed(resting("later", timeInForce="GoodTillCancel"))
                gate.event("decision", "later", verdict="accept")
                self.assertIn(("GET", "/v1/api/accounts/PAPER0001/positions"), b.paths[count:])
                gate.finish(3)

    def test_connections_of_before_the_machine_slept_are_not_used(self):
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            with Sender(b.url, home, env=pauses(0, 30000)) as gate:
                for i in ("a", "b"):
                    gate.feed(resting(i))
                    gate.event("outcome", i, outcome="working")
                gate.stop()
                b.wait_idle()
                count = len(b.sockets)
                gate.resume()
                gate.feed(resting("c"))
                gate.event("outcome", "c", outcome="working")
                gate.finish(3)
            self.assertEqual((b.connection_of["b"] < count, b.connection_of["c"] >= count), (True, True),
                             (b.connection_of, count))

    def test_who_holds_the_ledger_stands_still(self):
        """Another process holds the lock of the ledger and is suspended. A run waits for the lock once; then it ends,
        without waiting again for each of its records."""
        ids = [f"o{i}" for i in range(5)]
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home, env={**pauses(0), "OG_NTH_HASTE": "1"}) as gate:
                gate.feed(*map(resting, ids))
                for i in ids:
                    gate.event("posted", i)
                db = sqlite3.connect(home.ledger, isolation_level=None)
                db.execute("BEGIN IMMEDIATE")
                gate.feed(stock("late"))
                self.assertEqual(gate.finish(6), 4)
                db.close()
            self.assertEqual(gate.outcomes(), {**{i: "working" for i in ids}, "late": "not-sent"})
            # if each record waited ten seconds, the run would take a minute
            self.assertLess(gate.events_of("outcome")[-1]["at"], "2026-01-15T15:01")
            self.assertIn("another process holds it", gate.stderr)
            self.assertEqual(posts(p, "late"), [])

    def test_an_old_404_proves_no_absence(self):
        """The order arrived after the gate had looked it up, and filled while the gate was suspended. Lists do not
        show filled orders, so the old 404 does not prove that it is absent."""
        flow = threading.Event()
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"o": (False, "close")}, streams=False) as b, TempHome() as home:
            with Sender(b.url, home, "--wait", "1h", env=pauses(70000)) as gate:
                gate.feed(stock("o")).close_input()
                gate.event("posted")
                gate.wait_row("detail LIKE '%absentSince%'")
                gate.stop()
                p.order(stock("o"))
                p.advance("70s")
                b.gets.update({"/orders": answer(200, b'{"orders":[]}', ["Content-Type: application/json"]),
                               "/order/o": flow})
                count = sum(path.endswith("/positions") for _, path in b.paths)
                gate.resume()
                b.wait_path("/positions", count + 1)
                gate.stop()
                gate.resume()
                b.wait_path("/positions", count + 2)  # the reading before was taken
                flow.set()
                self.assertEqual((gate.finish(1), gate.outcomes()), (0, {"o": "filled"}))

    def late(self, then, how="close", restarts=False):
        """The broker knows the order 30 s after its POST, whose answer was lost. The function then() sets the gate's
        clocks a minute ahead of the broker's: while the gate or the broker was suspended, the order may not have
        arrived or not have been registered. If `restarts` is true, another run continues the count."""
        for clock in ("broker", "real"):
            env = {**pauses(60000), "ORDERGATE_CLOCK": clock}
            with self.subTest(clock), Paper(clock=RUNNING) as p, FaultProxy(p, {"a": (True, how)}) as b, \
                    TempHome() as home:
                args = ["--wait", "600s", "--broker", home.file("b.yaml", "budgets: off\n"),
                        # the runs would share budgets, whose slots would be a minute ahead
                        "-p", home.file("p.yaml", LOOSE)]
                with Sender(b.url, home, *args, env=env) as gate:
                    gate.feed(resting("first"))
                    gate.event("outcome", "first", outcome="working")
                    p.control("POST", "faults", {"on": "POST order", "do": "late", "delay": "30s"})
                    then(gate, b, home)
                    gate.wait_row("detail LIKE '%absentSince%'")
                    p.advance("3s")
                    if restarts:
                        gate.kill().finish()
                    else:
                        self.goes_on(gate, p, b)
                if restarts:
                    with Sender(b.url, home, "--recover", *args, lines=[], env=env) as gate:
                        self.goes_on(gate, p, b)
                states = {r["state"] for r in home.rows("id = 'a'")}
                self.assertEqual(states - {"intended", "posted", "unknown"}, {"working"})

    def goes_on(self, gate, p, b):
        b.wait_path("/order/a", b.count("/order/a") + 3)
        b.wait_path("/positions", b.count("/positions") + 2)
        self.assertNotIn("a", gate.outcomes())
        p.advance("31s")
        gate.event("outcome", "a", outcome="working")

    def test_no_minute_passed_while_its_post_was_on_its_way(self):
        def then(gate, b, _):
            gate.feed(resting("a"))
            b.wait_post("a")
            gate.stop()
            gate.resume()
            gate.event("posted", "a")

        self.late(then, "hang")

    def before_it_is_counted(self, gate, b, home):
        """Of two readings the second one begins after the loss, and ends after the gate was suspended. When a third
        one ends, the order counts as absent since the second."""
        first, second = threading.Event(), threading.Event()
        b.gets["/positions"] = first
        b.wait_path("/positions", b.count("/positions") + 1)
        gate.feed(resting("a"))
        gate.event("posted", "a")
        b.wait_path("/order/a")
        count = b.count("/positions")
        b.gets["/positions"] = second
        first.set()
        b.wait_path("/positions", count + 1)
        self.assertFalse(home.rows("detail LIKE '%absentSince%'"))
        del b.gets["/positions"]
        self.away(gate, b, second)

    def test_no_minute_passed_before_it_is_counted(self):
        self.late(self.before_it_is_counted)

    def test_no_minute_passed_before_an_earlier_run_counted_it(self):
        self.late(self.before_it_is_counted, restarts=True)

    def test_no_minute_passed_since_it_is_counted(self):
        def then(gate, *_):
            gate.feed(resting("a"))
            gate.event("posted", "a")
            gate.wait_row("detail LIKE '%absentSince%'")
            gate.stop()
            gate.resume()

        self.late(then)


class Clocks(unittest.TestCase):
    """Senders on one ledger whose clocks differ by a lot: the orders of each count for the others."""
    FAST = ((120000, 0), (0, 120000), (26 * 3600000, 0), (0, 26 * 3600000))  # ms, of the first and the second

    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))

    def sender(self, home, ahead, *args, url=None, **more):
        env = {"LD_PRELOAD": SHIM, "OG_NTH_AHEAD": str(ahead), "ORDERGATE_CLOCK": "real"}
        return Sender(url or self.paper.url, home, *args, env=env, **more)

    def test_a_sender_started_while_another_posts(self):
        """The first sender's order is on its way: the ledger has the order, and the broker does not have it yet."""
        for n, (first, second) in enumerate(self.FAST):
            ids, symbol = [f"{word}{n}" for word in ("one", "two", "small")], ("AAPL", "MSFT", "NVDA", "SPY")[n]
            with self.subTest(first=first, second=second), TempHome() as home, FaultProxy(
                    self.paper, {ids[0]: (False, "hang")}) as b:
                policy = home.file("p.yaml", LOOSE.replace("{}", "{position-limit: {level: refuse, shares: 20}}"))
                with self.sender(home, first, "--timeout", "60s", "-p", policy, url=b.url) as one:
                    one.feed(resting(ids[0], orderQuantity=15, symbol=symbol))
                    self.assertEqual(one.event("decision")["verdict"], "accept")
                    b.wait_post(ids[0])
                    lines = [resting(ids[1], orderQuantity=15, symbol=symbol),
                             resting(ids[2], orderQuantity=1, symbol=symbol)]
                    with self.sender(home, second, "-p", policy, lines=lines) as two:
                        two.finish(2)
                    self.assertEqual(two.outcomes(), {ids[1]: "refused", ids[2]: "working"}, two.stderr)
                    one.kill().process.wait()

    def test_orders_that_are_dated_ahead_count_as_of_now(self):
        """The clocks of an ended run and of a running one are ahead, so their orders are dated in the future: such an
        order counts from now on."""
        for over in (True, False):
            for ahead in (120000, 26 * 3600000):
                with self.subTest(over=over, ahead=ahead), TempHome() as home:
                    policy = home.file("p.yaml", LOOSE.replace("{}", "{order-rate: {level: refuse, a_minute: 2}}"))
                    name = f"{int(over)}{ahead}"
                    with self.sender(home, ahead, "-p", policy) as one:
                        one.feed(resting("a" + name), resting("b" + name))
                        one.event("outcome", "a" + name, outcome="working")
                        one.event("outcome", "b" + name, outcome="working")
                        if over:
                            one.finish(2)
                        with self.sender(home, 0, "-p", policy, lines=[resting("c" + name)]) as two:
                            self.assertEqual((two.finish(1), two.outcomes()), (1, {"c" + name: "refused"}))
                        if not over:
                            one.finish(2)

    def test_the_minute_of_an_earlier_run_is_not_counted_by_clocks_that_differ(self):
        """The broker knows the order 30 s after its answer was lost, while by the different clocks of the two runs two
        minutes passed."""
        for first, second in ((-120000, 0), (0, 120000)):
            with self.subTest(first=first, second=second), Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(
                    p) as b:
                p.control("POST", "faults", {"on": "POST order", "do": "late", "delay": "30s"})
                p.control("POST", "faults", {"on": "POST order", "do": "drop-reply"})
                with self.sender(home, first, url=b.url) as one:
                    one.feed(resting("a"))
                    one.event("posted", "a")
                    one.wait_row("detail LIKE '%absentSince%'")
                    one.kill().finish()
                before = sum(path.endswith("/order/a") for _, path in b.paths)
                with self.sender(home, second, "--recover", "--wait", "600s", url=b.url, lines=[]) as two:
                    for n in range(2, 5):  # look-ups, each with a reading behind it
                        b.wait_path("/order/a", before + n)
                        b.wait_path("/positions", sum(path.endswith("/positions") for _, path in b.paths) + 2)
                    self.assertEqual(two.outcomes(), {})
                    p.advance("31s")
                    self.assertEqual((two.finish(), two.outcomes()), (0, {"a": "working"}), two.stderr)
                states = {r["state"] for r in home.rows("id = 'a'")}
                self.assertEqual(states - {"intended", "posted", "unknown"}, {"working"})


class Trial:
    """One run that is suspended at these calls. The class asserts what must hold afterwards."""

    def __init__(self, stops, seed):
        chance = random.Random(seed)
        self.stops, self.count = stops, 0
        self.stood, self.slept = chance.choice([200, 3000, 12000, 40000, 600000]), chance.choice([0, 0, 0, 5000,
                                                                                                  600000])
        self.meanwhile = chance.choice([self.nothing, self.close, self.cancel, self.fill, self.quiet])
        try:
            with Paper(clock=RUNNING) as self.p, FaultProxy(self.p) as self.b, TempHome() as self.home:
                self.run()
        except Exception as failure:
            raise AssertionError(f"stops {stops}, seed {seed}: {self.stood} ms, asleep {self.slept} ms, "
                                 f"{self.meanwhile.__name__}: {failure}") from failure

    def run(self):
        self.args = ["--broker", self.home.file("b.yaml", "budgets: off\n"), "-p", self.home.file("p.yaml", LOOSE)]
        lines = self.home.file("orders.ndjson", "".join(json.dumps(o) + "\n" for o in LINES))
        env = {**pauses(self.stood, self.slept), "OG_NTH_STOP": ",".join(map(str, self.stops))}
        with Sender(self.b.url, self.home, *self.args, "--max-in-flight", "3", "--wait", "5s", lines,
                    stdin=subprocess.DEVNULL, env=env) as gate:
            while gate.wait_stopped():
                self.count += 1
                self.b.wait_idle()
                self.meanwhile()
                self.b.wait_idle()
                gate.resume()
            code = gate.finish(len(LINES))
        self.hold(gate, code)

    # --- changes during the suspension

    def nothing(self):
        pass

    def close(self):
        self.b.close_all()

    def cancel(self):
        for i in ("rests", "gone", "last"):
            self.p.cancel(i)

    def fill(self):
        self.p.quote("AAPL", 149.98, 149.99)

    def quiet(self):
        self.p.advance("2m")

    # --- what must be true after each run

    def there(self):
        return {o["clientOrderId"]: STATES[o["orderStatus"]] for o in self.p.control("GET", "orders")["orders"]}

    def lost(self, i):
        """Returns whether the order's POST was interrupted, so that it cannot be known whether the order arrived."""
        return self.meanwhile == self.close and i not in self.b.posts

    def unposted(self, i):
        """Returns the outcome of an order that the brokerage does not have: rejected, or canceled while its line
        waited."""
        return "canceled" if i == "gone" and i not in self.b.posts else "rejected"

    def hold(self, gate, code):
        outcomes = {e["clientOrderId"]: e["outcome"] for e in gate.events_of("outcome") if e.get("op") != "cancel"}
        seen = collections.Counter(json.loads(r["body"])["clientOrderId"] for r in posts(self.p))
        there = self.there()

        def none(wrong, what):
            if wrong:
                raise AssertionError(f"{what}: {wrong}; {gate.events}, {gate.stderr}")

        none({i: n for i, n in self.b.posts.items() if n > 1} | {i: n for i, n in seen.items() if n > 1},
             "posted twice")
        none(set(self.b.posts) - {r["id"] for r in self.home.rows("record = 'intent'")}, "posted and not recorded")
        none({i for i, o in outcomes.items() if o == "unknown" and not self.lost(i)}, "answered, and unknown")
        none({i for i, o in outcomes.items() if o in ("not-sent", "refused") and i in self.b.posts},
             "posted, and told otherwise")
        none({i: (o, there.get(i)) for i, o in outcomes.items()
              if o in STATES.values() and o not in ("working", there.get(i, self.unposted(i)))}, "told and true")
        none(set(there) - set(outcomes), "there, and not told")
        every = {e["outcome"] for e in gate.events_of("outcome")}
        none(code - (5 if "unknown" in every else 4 if "not-sent" in every else 1), f"exit code {code}")
        self.hold_the_ledger(none)

    def hold_the_ledger(self, none):
        verify = subprocess.run([SEND.replace("-send", "-ledger"), "verify", "--ledger", self.home.ledger],
                                capture_output=True, text=True)
        none(verify.stdout + verify.stderr if verify.returncode else "", "ledger verify")
        self.p.advance("5s")
        with Sender(self.b.url, self.home, *self.args, "--recover", "--wait", "2s", lines=[]) as again:
            again.finish()
        there, newest = self.there(), {r["id"]: r["state"] for r in self.home.rows("id IS NOT NULL")}
        none({i: (s, there.get(i)) for i, s in newest.items() if s not in ("refused", there.get(i)) and
              not (i not in there and (s in ("not-sent", self.unposted(i)) or self.lost(i)))},
             "the ledger and the brokerage")


class Pauses(unittest.TestCase):
    def test_whenever_it_stands_still(self):
        trials, failures, n = [], [], 1 + SEED % STEP
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            while all(t.count for t in trials):
                some = [pool.submit(Trial, [k], SEED * 100000 + k) for k in range(n, n + AT_ONCE * STEP, STEP)]
                n += AT_ONCE * STEP
                failures += [str(one.exception())[:5000] for one in some if one.exception()]
                trials += [one.result() for one in some if not one.exception()]
        print(f"{sum(t.count for t in trials)} standstills", flush=True)
        self.assertEqual(failures, [], f"{len(failures)} failures")


if __name__ == "__main__":
    main()
