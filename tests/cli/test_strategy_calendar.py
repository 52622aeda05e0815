"""What decisions say about strategies, and a calendar given as facts, through ordergate check.

OG_BIN names the folder of the programs (CTest sets it).
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")


def check(*orders, at="2026-01-15T15:00:00Z", facts=()):
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, f in enumerate(facts):
            files += ["-f", os.path.join(folder, f"{i}.json")]
            with open(files[-1], "w", encoding="utf-8") as out:
                json.dump(f, out)
        p = subprocess.run([GATE, "check", "--at", at, *files],
                           input="".join(json.dumps(o) + "\n" for o in orders).encode(),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    if p.returncode not in (0, 1):
        raise AssertionError(p.stderr.decode())
    return p.stdout.decode().splitlines()


def leg(text):
    """Returns a leg: "+C100" buys a call with strike 100, "+S" buys 100 shares, "*2" at the end is a ratio of 2,
    and "c" at the end closes."""
    closing = text.endswith("c")
    text, _, ratio = text.rstrip("c").partition("*")
    stock = text[1] == "S"
    return {"symbol": "AAPL" if stock else f"AAPL270115{text[1]}{int(Decimal(text[2:]) * 1000):08d}",
            "side": "Buy" if text[0] == "+" else "Sell", "ratio": 100 if stock else int(ratio or 1),
            "openClose": "Close" if closing else "Open"}


def mleg(legs, limit, **more):
    o = {"securityType": "Mleg", "symbol": "AAPL", "orderType": "Limit", "orderQuantity": 1, "timeInForce": "Day",
         "limitPrice": limit, "legs": [leg(x) for x in legs.split()]}
    o.update(more)
    return o


def strategy(order):
    return json.loads(check(order)[0], parse_float=Decimal).get("strategy")


ROWS = [
    ("+P95 -P100 -C110 +C115", 1.6, "iron-condor", "credit", "340", "160"),
    ("-P95c +P100c +C110c -C115c", 1.6, "iron-condor", "debit", "160", "340"),
    ("+P95 -P100 -C100 +C105", 3.1, "iron-butterfly", "credit", "190", "310"),
    ("+C100 -C110", 4, "call-vertical", "debit", "400", "600"),
    ("-C100 +C110", 4, "call-vertical", "credit", "600", "400"),
    ("-P100 +P110", 4, "put-vertical", "debit", "400", "600"),
    ("+C100 +P100", 7, "straddle", "debit", "700", None),
    ("-P90 -C110", 3, "strangle", "credit", None, "300"),
    ("+C90 -C100*2 +C110", 2, "butterfly", "debit", "200", "800"),
    ("+C90 -C100*2 +C115", 2, "butterfly", "undetermined", None, None),
    ("+P90 -P100 -P110 +P120", 3, "condor", "debit", "300", "700"),
    ("+S -C110", 98, "covered-call", "debit", "9800", "1200"),
    ("+S +P90", 103, "married-put", "debit", "1300", None),
]


class Strategies(unittest.TestCase):
    def test_each_in_every_order_of_its_legs(self):
        orders = [(row, mleg(" ".join(legs), row[1])) for row in ROWS
                  for legs in itertools.permutations(row[0].split())]
        decisions = check(*(o for _, o in orders))
        self.assertEqual(len(decisions), len(orders))
        for (row, order), line in zip(orders, decisions):
            with self.subTest(order["legs"]):
                self.assertEqual(json.loads(line, parse_float=str)["strategy"],
                                 {"name": row[2], "direction": row[3],
                                  "maxLoss": row[4] and row[4] + ".00", "maxGain": row[5] and row[5] + ".00"})

    def test_quantity_and_fractions_of_a_cent(self):
        self.assertEqual(strategy(mleg("+C100 -C110", 4.0125, orderQuantity=3)),
                         {"name": "call-vertical", "direction": "debit", "maxLoss": Decimal("1203.75"),
                          "maxGain": Decimal("1796.25")})
        self.assertEqual(strategy(mleg("+C100 -C110", 4.0001))["maxLoss"], Decimal("400.01"))

    def test_without_a_price_there_is_no_result(self):
        self.assertEqual(strategy(mleg("+C100 -C110", None, orderType="Market")),
                         {"name": "call-vertical", "direction": "debit", "maxLoss": None, "maxGain": None})

    def test_what_is_no_known_shape_has_none(self):
        for o in (mleg("+C100 -C110*2", 1), mleg("+C100", 1), mleg("+C100 +C110", 1),
                  {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
                   "limitPrice": 1, "orderQuantity": 1, "timeInForce": "Day"}):
            self.assertIsNone(strategy(o))

    def test_one_sided_by_the_policy(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as policy:
            policy.write(
                "ordergate: 1\nname: strict\nrules:\n  mleg-strategy:\n    level: refuse\n    one_sided: strict\n")
            policy.flush()
            for args, level in (((), "warn"), (("-p", policy.name), "refuse")):
                p = subprocess.run([GATE, "check", "--at", "2026-01-15T15:00:00Z", *args],
                                   input=json.dumps(mleg("+C100 +P100", 7)).encode(), stdout=subprocess.PIPE,
                                   timeout=600)
                found = [f["level"] for f in json.loads(p.stdout)["findings"]
                         if f["reason"] == "mleg-one-sided-named-shape"]
                self.assertEqual(found, [level])


MARKET = {"securityType": "Stock", "symbol": "SPY", "side": "Buy", "openClose": "Open", "orderType": "Market",
          "orderQuantity": 1, "timeInForce": "Day"}


def holiday(line):
    return [f["message"] for f in json.loads(line)["findings"] if f["reason"] == "market-holiday"]


class Calendar(unittest.TestCase):
    def test_an_announced_closure_counts_for_every_account(self):
        accounts = [{"accountId": a, "account": {"account": a, "accountStatus": "Active", "accountType": "Paper"},
                     "positions": []} for a in ("A", "B")]
        orders = [dict(MARKET, accountId=a) for a in ("A", "B", "C")]
        announced = {"calendar": {"closed": ["2026-12-09"], "early": {"2026-12-10": "13:00"}}}
        for at, said in (("2026-12-09T17:00:00Z", "a market holiday"),
                         ("2026-12-10T19:00:00Z", "when the session ends at 13:00:00 ET"),
                         ("2026-12-10T17:00:00Z", None), ("2026-12-11T17:00:00Z", None)):
            for facts in ([announced] + accounts, accounts + [announced],
                          [accounts[0], dict(accounts[1], **announced)]):
                for line in check(*orders, at=at, facts=facts):
                    found = holiday(line)
                    self.assertEqual(len(found), 1 if said else 0)
                    if said:
                        self.assertTrue(found[0].endswith(said), found)

    def test_past_its_last_date_it_says_so(self):
        line = json.loads(check(MARKET, at="2036-01-02T17:00:00Z")[0])
        found = [f for f in line["findings"] if f["reason"] == "market-holiday"]
        self.assertTrue(found[0]["unsure"])
        self.assertIn("ordergate's exchange calendar ends on 2035-12-31", found[0]["message"])

    def test_where_it_ends_is_told(self):
        p = subprocess.run([GATE, "explain", "market-hours"], stdout=subprocess.PIPE, timeout=600)
        self.assertIn(b"ends on 2035-12-31", p.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
