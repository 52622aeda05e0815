"""Gaps of the stream, and answers that overlap with its frames: the reported outcomes agree with the brokerage's.

OG_STREAMS_SEED (default 1) and OG_STREAMS_ROUNDS (default 3) select the interleavings; a failure names its seed.
"""
import os
import random
import time
import unittest

from fault_proxy import FaultProxy, answer
from paper import DEADLINE, Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting

SEED = int(os.environ.get("OG_STREAMS_SEED", "1"))
ROUNDS = int(os.environ.get("OG_STREAMS_ROUNDS", "3"))


class Gap(unittest.TestCase):
    def test_what_the_list_after_it_lacks_is_looked_up(self):
        """Lists may omit filled orders soon: an order that filled while the stream was disconnected is looked up, so
        its outcome is known nevertheless."""
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home:
            with Sender(b.url, home) as gate:
                gate.feed(resting("o"), resting("p"))
                gate.event("outcome", "o", outcome="working")
                gate.event("outcome", "p", outcome="working")
                b.gets["/orders"] = answer(200, b'{"orders":[]}', ["Content-Type: application/json"])
                b.drop_frames = True
                p.cancel("o")
                p.advance("1s")
                p.control("POST", "faults", {"on": "stream portfolio", "do": "disconnect"})
                gate.wait_stderr("no stream")
                b.drop_frames = False
                self.assertEqual(gate.event("update", "o", orderStatus="Canceled")["source"], "lookup")
                self.assertEqual(gate.finish(2), 0)
            self.assertEqual({i: home.newest_row(i)["state"] for i in ("o", "p")}, {"o": "canceled", "p": "working"})


class Storm:
    """Our orders and somebody else's are canceled and partly filled, while readings are late and frames are late,
    repeated, or lost in gaps."""

    def __init__(self, seed):
        self.chance, self.count, self.seed, self.ours = random.Random(seed), 0, seed, []
        with Paper(clock=RUNNING) as self.p, TempHome() as home:
            self.p.control("PUT", "accounts/PAPER0001", {"bp": 1000000000})
            with Sender(self.p.url, home, "--broker", home.file("b.yaml", "budgets: off\n"), "--wait",
                        "20s") as self.gate:
                self.gate.feed(stock("first"))
                self.gate.event("update", "first", orderStatus="Filled")
                for _ in range(60):
                    self.happen()
                self.p.control("DELETE", "faults")
                self.p.quote("AAPL", 189.99, 190.01)
                for order_id in self.ours:  # an order that is posted later would fill after all that follow
                    self.gate.event("outcome", order_id)
                self.p.advance("5s")
                self.p.control("POST", "faults", {"on": "stream portfolio", "do": "disconnect"})
                self.wait()
                self.facts()
                self.gate.finish()

    def happen(self):
        chance, p = self.chance, self.p
        do = chance.choice(["ours", "ours", "ours", "theirs", "cancel", "cancel theirs", "market", "market", "clock",
                            "frames", "frames", "gap", "late", "late"])
        if do in ("ours", "theirs"):
            self.count += 1
            make = chance.choice([resting, stock])
            if do == "ours":
                self.ours.append(f"o{self.count}")
                self.gate.feed(make(self.ours[-1], orderQuantity=chance.randint(1, 9)))
            else:
                p.order(make(f"t{self.count}", orderQuantity=chance.randint(1, 9)))
        elif do == "cancel" and self.count:
            self.gate.feed({"op": "cancel", "clientOrderId": f"o{chance.randint(1, self.count)}"})
        elif do == "cancel theirs" and self.count:
            p.cancel(f"t{chance.randint(1, self.count)}")
        elif do == "market":
            ask = chance.choice([149.99, 190.01, 190.01])
            p.quote("AAPL", ask - 0.02, ask, bidSize=chance.randint(1, 5), askSize=chance.randint(1, 5))
        elif do == "clock":
            p.advance(chance.choice(["40ms", "300ms", "2s"]))
        elif do == "frames":
            p.control("POST", "faults",
                      {"on": "stream portfolio", "do": chance.choice(["duplicate-frame", "reorder-frame"]),
                       "count": chance.randint(1, 4), "after": chance.randint(0, 3)})
        elif do == "gap":
            p.control("POST", "faults", {"on": "stream portfolio", "do": "drop-frame", "count": chance.randint(1, 3)})
            p.control("POST", "faults", {"on": "stream portfolio", "do": "disconnect", "after": chance.randint(0, 3)})
        elif do == "late":
            p.control("POST", "faults",
                      {"on": chance.choice(["GET order", "GET orders", "GET positions", "GET account"]), "do": "delay",
                       "delay": f"{chance.randint(10, 200)}ms", "count": chance.randint(1, 3)})
        with self.gate.changed:
            self.gate.changed.wait(chance.choice([0, 0.01, 0.05]))

    def told(self):
        """Returns the newest reported state of each order."""
        told = {}
        for e in self.gate.events:
            if e["event"] in ("update", "external"):
                told[e["clientOrderId"]] = (e["orderStatus"], e["executed"])
        return told

    def there(self):
        return {o["clientOrderId"]: (o["orderStatus"], o["executed"]) for o in self.p.control("GET",
                                                                                              "orders")["orders"]}

    def differ(self):
        told, there = self.told(), self.there()
        missing = {i for i, (status, _) in there.items() if i not in told and i.startswith("o")}
        return {i: (told.get(i), there[i]) for i in missing | (set(told) & set(there)) if told.get(i) != there[i]}

    def wait(self):
        end = time.monotonic() + DEADLINE
        while differ := self.differ():
            if time.monotonic() > end:
                raise AssertionError(f"OG_STREAMS_SEED={self.seed}: told and true: {differ}; {self.gate.stderr}")
            with self.gate.changed:
                self.gate.changed.wait(0.05)

    def facts(self):
        """Assert that the known positions are the true ones: the whole position can be closed, and not one share
        more."""
        close = {"side": "Sell", "openClose": "Close", "limitPrice": 189}
        end, tries, verdicts = time.monotonic() + DEADLINE, 0, None
        while verdicts != ("refuse", "accept"):  # until the newest reading has come
            tries, held = tries + 1, self.held()
            self.gate.feed(resting(f"much{tries}", orderQuantity=held + 1, **close),
                           resting(f"all{tries}", orderQuantity=held, **close))
            verdicts = tuple(self.gate.event("decision", f"{i}{tries}")["verdict"] for i in ("much", "all"))
            if verdicts[0] != "refuse" or time.monotonic() > end:
                raise AssertionError(
                    f"OG_STREAMS_SEED={self.seed}: {held} are held; to close one more and all of them: {verdicts}")
        self.gate.event("update", f"all{tries}", orderStatus="Filled")

    def held(self):
        return sum(int(o["executed"]) * (1 if o["side"].startswith("Buy") else -1)
                   for o in self.p.control("GET", "orders")["orders"])


class Interleavings(unittest.TestCase):
    def test_what_is_told_is_what_there_is(self):
        for seed in range(SEED, SEED + ROUNDS):
            Storm(seed)


class Told(unittest.TestCase):
    def test_lost_and_back(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            self.assertEqual(gate.events_of("stream"), [], "it was never lost")
            for count in (1, 2):
                p.control("POST", "faults", {"on": "stream portfolio", "do": "disconnect"})
                gate.wait_until(lambda: len(gate.events_of("stream")) == 2 * count, "up again")
            self.assertEqual([(e["state"], e["accountId"], e["text"] is None) for e in gate.events_of("stream")],
                             [("down", "PAPER0001", False), ("up", "PAPER0001", True)] * 2)
            self.assertEqual(gate.finish(1), 0)

    def test_one_that_cannot_be_had(self):
        """A stream that cannot be opened is reported as down once, however often opening it is tried."""
        with Paper(clock=RUNNING) as p, FaultProxy(p, streams=False) as b, TempHome() as home, Sender(b.url,
                                                                                                      home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            b.wait_path("/stream/portfolio", 3)
            self.assertEqual([e["state"] for e in gate.events_of("stream")], ["down"])
            gate.finish(1)

    def test_an_order_that_did_not_leave(self):
        """No byte was written, so nothing was posted."""
        with Paper(clock=RUNNING) as p, FaultProxy(p) as b, TempHome() as home, Sender(b.url, home, "--wait",
                                                                                       "2s") as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            b.stop()
            gate.feed(resting("b", limitPrice=151))
            self.assertEqual(gate.event("outcome", "b")["outcome"], "not-sent")
            self.assertEqual([e["clientOrderId"] for e in gate.events_of("posted")], ["a"])
            self.assertEqual(gate.finish(2), 4)


if __name__ == "__main__":
    main()
