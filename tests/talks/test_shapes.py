"""Shapes of legs: the gate's table is compared with the paper brokerage's own, for every pair of legs and random sets
of three and four.

Each set goes through check and is POSTed: the brokerage answers 400 exactly where check predicts it, with the same
text if it is documented. OG_SHAPES_SETS is the number of larger sets.
"""
import itertools
import json
import os
import random
import subprocess
import sys
import unittest

import paper
from tries import tries

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
SETS = tries("OG_SHAPES_SETS", 3000)
STRIKES = {"C": (100, 105, 110, 120), "P": (90, 95, 100, 105)}


def leg(kind, strike, side, ratio, opens=True):
    symbol = "AAPL" if kind == "S" else f"AAPL260220{kind}{strike * 1000:08d}"
    return {"symbol": symbol, "side": side, "ratio": ratio, "openClose": "Open" if opens else "Close"}


def single_legs():
    for kind in "CP":
        for strike in STRIKES[kind][:3]:
            for side in ("Buy", "Sell"):
                for ratio in (1, 2):
                    yield leg(kind, strike, side, ratio)
    for side in ("Buy", "Sell"):
        for ratio in (1, 99, 100):
            yield leg("S", 0, side, ratio)


def covers():
    """Yields 100 shares and a contract, in every direction and with every openClose."""
    for kind, stock, option, a, b in itertools.product("CP", ("Buy", "Sell"), ("Buy", "Sell"), (True, False),
                                                       (True, False)):
        yield [leg("S", 0, stock, 100, a), leg(kind, 100, option, 1, b)]


def larger(r):
    """Half of the sets have the ratios and strikes of a shape, so that only its signs may be wrong."""
    n = r.choice((3, 4, 4))
    if r.random() < 0.5:
        kinds = r.choice(("CCC", "PPP") if n == 3 else ("CCCC", "PPPP", "PPCC", "PPCC", "CCPP"))
        strikes = sorted(r.sample((90, 95, 100, 105, 110, 120), n))
        if n == 4 and r.random() < 0.4:
            strikes[2] = strikes[1]
        ratios = (1, 2, 1) if n == 3 else (1,) * 4
    else:
        kinds = [r.choice("CCPPS") for _ in range(n)]
        strikes = [r.choice((90, 95, 100, 105)) for _ in range(n)]
        ratios = [r.choice((1, 1, 1, 2, 3)) for _ in range(n)]
    opens = r.random() < 0.8
    legs = [leg(k, s, r.choice(("Buy", "Sell")), 100 if k == "S" else q, opens if r.random() < 0.9 else not opens)
            for k, s, q in zip(kinds, strikes, ratios)]
    r.shuffle(legs)
    return legs


def all_sets():
    yield from ([a, b] for a, b in itertools.product(single_legs(), repeat=2))
    yield from covers()
    r = random.Random(108)
    yield from (larger(r) for _ in range(SETS))


class Shapes(unittest.TestCase):
    def test_both_tables_say_the_same(self):
        orders = [{"securityType": "Mleg", "symbol": "AAPL", "orderType": "Limit", "orderQuantity": 1,
                   "timeInForce": "Day", "limitPrice": 1.5, "route": "PAPERM", "clientOrderId": f"s{i}", "legs": legs}
                  for i, legs in enumerate(all_sets())]
        p = subprocess.run([GATE, "check", "--at", paper.REGULAR],
                           input="".join(json.dumps(o) + "\n" for o in orders).encode(),
                           stdout=subprocess.PIPE, check=False, timeout=600)
        decisions = [json.loads(line) for line in p.stdout.splitlines()]
        self.assertEqual(len(decisions), len(orders))
        wrong, refused, known = [], 0, set()
        with paper.Paper() as broker:
            for order, decision in zip(orders, decisions):
                predicts, reply = decision["predicts"], broker.order(order)
                refused += reply.status == 400
                known.add((decision.get("strategy") or {}).get("name"))
                if (predicts["channel"] == "http-400") != (reply.status == 400) or (
                        predicts.get("text") and predicts["text"] != reply.text.strip()):
                    wrong.append(
                        f"{json.dumps(order['legs'])}\n  predicted {predicts}\n  answered {reply.status} {reply.text}")
                self.assertEqual(reply.status != 400, "strategy" in decision, order["legs"])
        self.assertFalse(wrong, f"{len(wrong)} of {len(orders)}:\n" + "\n".join(wrong[:10]))
        self.assertGreater(refused, len(orders) // 2)
        self.assertGreater(len(orders) - refused, len(orders) // 20)
        self.assertEqual(known, {None, "call-vertical", "put-vertical", "straddle", "strangle", "butterfly", "condor",
                                 "iron-butterfly", "iron-condor", "covered-call", "married-put"})


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
