"""A campaign: mixed orders, cancels and replaces through every fault the paper brokerage has, the sender killed with SIGKILL
again and again and restarted on the same ledger.  The brokerage's own record is the witness.

OG_CAMPAIGN_KILLS (default 12) and OG_CAMPAIGN_SEED (default 1) choose how often and which.
"""
import json
import os
import random
import unittest

from gate import RUNNING, Gate, Home, Paper, posts, resting, stock

KILLS = int(os.environ.get("OG_CAMPAIGN_KILLS", "12"))
SEED = int(os.environ.get("OG_CAMPAIGN_SEED", "1"))
ARGS = ("--timeout", "700ms", "--wait", "2s")
STATES = {"Filled": "filled", "Canceled": "canceled", "Rejected": "rejected", "Expired": "expired", "New": "working",
          "PartiallyFilled": "working", "Accepted": "working", "PendingCancel": "working"}


class Stream:
    """Lines without end, always the same for a seed."""

    def __init__(self, chance):
        self.chance, self.lines, self.rests = chance, [], []

    def more(self):
        n = len(self.lines)
        kind = self.chance.choice(["rests", "rests", "fills", "fills", "rejected", "refused", "cancel", "replace", "none"])
        line = {"fills": stock(f"c{n}", orderQuantity=1 + n % 7),
                "rejected": stock(f"c{n}", orderType="Stop", stopPrice=100, limitPrice=None),
                "refused": stock(f"c{n}", orderQuantity=-1), "none": "no order"}.get(kind)
        if kind in ("cancel", "replace") and self.rests:
            old = self.rests.pop(self.chance.randrange(len(self.rests)))
            line = {"op": "cancel", "clientOrderId": old} if kind == "cancel" else resting(f"c{n}", replaces=old)
        if line is None or kind == "replace":
            line = line or resting(f"c{n}", orderQuantity=1 + n % 7)
            self.rests.append(f"c{n}")
        if isinstance(line, dict):
            line = {k: v for k, v in line.items() if v is not None}
        self.lines.append(line)
        return line


def faults(chance):
    """Some of them, for the next requests."""
    deeds = [{"do": "drop-request"}, {"do": "drop-reply"}, {"do": "hang"}, {"do": "reset"}, {"do": "truncate"},
             {"do": "delay", "delay": "300ms"}, {"do": "status", "status": 500}, {"do": "status", "status": 503},
             {"do": "status", "status": 429}, {"do": "status", "status": 404}]
    for on in chance.sample(["POST order", "POST order", "POST order", "DELETE order", "GET order", "GET orders"], 3):
        deed = chance.choice(deeds if on == "POST order" else [d for d in deeds if d.get("status") != 404])
        yield {"on": on, **deed, "count": chance.randint(1, 3), "after": chance.randint(0, 2)}
    yield {"on": "stream portfolio", "do": chance.choice(["drop-frame", "duplicate-frame", "reorder-frame", "disconnect"]),
           "count": chance.randint(1, 4)}


class Campaign(unittest.TestCase):
    def round(self, url, home, lines, chance):
        """One run, killed somewhere; what it told of an order that was over."""
        with Gate(url, home, *ARGS) as gate:
            gate.give(*lines)
            most = chance.randint(0, 3 * len(lines))
            gate.until(lambda: len(gate.events) >= most or len(gate.all("outcome")) >= len(lines), f"{most} events")
            gate.kill().finish()
            return {e["clientOrderId"]: e["outcome"] for e in gate.all("outcome")
                    if e["outcome"] in ("filled", "canceled", "rejected", "expired", "done") and e["clientOrderId"]}

    def recover(self, p, home):
        """The faults are over: every order is asked about until each is known; a minute of the service's time is stepped."""
        with Gate(p.url, home, "--recover", "--wait", "60s", lines=[]) as gate:
            while gate.process.poll() is None:
                p.advance("1s")
                with gate.changed:
                    gate.changed.wait(0.02)
            return gate.finish(), gate

    def test_kills(self):
        chance = random.Random(SEED)
        stream, told = Stream(chance), {}
        with Paper(clock=RUNNING) as p, Home() as home:
            for _ in range(KILLS):
                p.control("DELETE", "faults")
                for fault in faults(chance):
                    p.control("POST", "faults", fault)
                again = stream.lines[-chance.randint(1, 4):] if stream.lines else []
                for i, o in self.round(p.url, home, again + [stream.more() for _ in range(chance.randint(3, 7))], chance).items():
                    self.assertEqual(told.setdefault(i, o), o, f"{i} was {told[i]}")
            p.control("DELETE", "faults")
            code, gate = self.recover(p, home)
            self.verify(p, home, told)
            self.assertIn(code, (0, 1, 4), gate.stderr)
        print(f"{KILLS} kills, seed {SEED}: {len(stream.lines)} lines, {self.counts}", flush=True)

    def verify(self, p, home, told):
        effects = {}
        for r in posts(p):
            if r["effect"]:
                i = json.loads(r["body"])["clientOrderId"]
                effects[i] = effects.get(i, 0) + 1
        self.assertEqual({i: n for i, n in effects.items() if n > 1}, {}, "received twice with effect")
        theirs = {o["clientOrderId"]: STATES.get(o["orderStatus"], o["orderStatus"])
                  for o in p.control("GET", "orders")["orders"]}
        theirs = {i.split("INVALID")[0]: s for i, s in theirs.items()}
        ids = [r["id"] for r in home.rows("record = 'intent'")]
        self.assertEqual(len(ids), len(set(ids)), "one intent an id")
        self.assertEqual(set(theirs) - set(ids), set(), "at the broker and not in the ledger")
        ours = {i: self.state(home, i) for i in ids}
        self.assertEqual({i: (ours[i], theirs[i]) for i in theirs if ours[i] != theirs[i]}, {}, "ledger and broker differ")
        self.assertEqual({i: s for i, s in ours.items() if i not in theirs and s not in ("not-sent", "rejected")}, {},
                         "in the ledger, and not at the broker")
        self.assertEqual({i: (o, ours[i]) for i, o in told.items() if i in ours and ours[i] != o}, {}, "told otherwise")
        self.counts = {s: list(ours.values()).count(s) for s in sorted(set(ours.values()))}

    def state(self, home, i):
        return home.rows(f"id = '{i}' AND record <> 'decision'")[-1]["state"]


if __name__ == "__main__":
    unittest.main()
