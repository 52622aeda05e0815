"""ordergate check with --emit: what is refused is missing in the pipe, so stderr says how much that is, and why.

OG_BIN names the folder of the programs (CTest sets it).
"""
import json
import os
import select
import subprocess
import tempfile
import time
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
FACTS_AT = "2026-01-15T15:00:00Z"
FACTS = {"asOf": FACTS_AT, "accountId": "LIVE0001",
         "account": {"account": "LIVE0001", "accountStatus": "Active", "accountType": "Live", "bp": 100000,
                     "overnightBp": 100000, "availableCash": 50000, "optLevel": 4, "optionTradingLevel": 4,
                     "marginDeficit": 0, "maintenanceDeficit": 0},
         "accountList": [{"account": "LIVE0001", "accountType": "Live", "accountStatus": "Active"}],
         "positions": [], "orders": [], "locateInventory": [],
         "usedClientOrderIds": [], "routes": [{"routeName": "SMART", "securityTypes": ["Stock"],
                                               "timesInForce": ["Day", "GoodTillCancel"]}],
         "quotes": {"AAPL": {"bid": 190.40, "ask": 190.50, "last": 190.45}}}
OLD = "{fact} is {age} old, {most} is the most allowed"


def order(number, **changes):
    return {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
            "orderQuantity": number, "timeInForce": "Day", "limitPrice": 190.5, "clientOrderId": f"a{number}",
            "route": "SMART", **changes}


def lines(*orders):
    return "".join(json.dumps(o) + "\n" for o in orders)


class Pipe(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def path(self, name, content=None):
        path = os.path.join(self.dir.name, name)
        if content is not None:
            with open(path + "~", "w") as f:
                f.write(content if isinstance(content, str) else json.dumps(content))
            os.rename(path + "~", path)
        return path

    def check(self, data, *args, emit="lines"):
        p = subprocess.run([GATE, "check", *args] + (["--emit", emit] if emit else []), input=data, text=True,
                           capture_output=True, timeout=600)
        return p, p.stderr.splitlines()

    def old(self, *args, at, **more):
        return self.check(lines(*(order(n) for n in range(1, 6))), "-f", self.path("facts.json", FACTS), "--at", at,
                          *args, **more)

    def test_old_facts_are_told_at_the_first_order_and_at_the_end(self):
        for emit in ("lines", "orders", "bodies"):
            for how in ((), ("--independent",), ("--assume", "filled")):
                p, told = self.old("-p", "live", *how, at="2026-01-15T15:00:15Z", emit=emit)
                self.assertEqual((p.returncode, p.stdout, len(told)), (1, "", 2), p.stderr)
                self.assertIn("stdin:1: refused for old facts: ", told[0])
                self.assertIn(OLD.format(fact="account", age="15s", most="10s"), told[0])
                what = "orders and cancels" if emit == "lines" else "orders"
                self.assertIn(f"5 of 5 {what} refused", told[1])
                self.assertIn("most often (5) for account-not-active, first stdin:1: ", told[1])
                self.assertIn("--rejects FILE", told[1])

    def test_who_has_the_decisions_is_told(self):
        rejects = self.path("rejects")
        _, told = self.old("-p", "live", "--rejects", rejects, at="2026-01-15T15:00:15Z")
        self.assertIn(f"; {rejects} has the decisions", told[-1])
        with open(rejects) as f:
            self.assertEqual(len(f.readlines()), 5)

    def test_nothing_is_told_where_nothing_is_missing(self):
        p, told = self.old("-p", "live", at="2026-01-15T15:00:01Z")
        self.assertEqual((p.returncode, len(p.stdout.splitlines()), told), (0, 5, []))
        p, told = self.old("-p", "live", at="2026-01-15T15:00:15Z", emit=None)  # decisions say all of it themselves
        self.assertEqual((p.returncode, len(p.stdout.splitlines()), told), (1, 5, []))

    def test_other_reasons_are_counted_once_an_order_and_nothing_is_said_of_old_facts(self):
        data = lines(order(1), order(2, symbol="A/B"), order(3, limitPrice=-1), order(4, limitPrice=-1),
                     order(5, orderQuantity=0))
        p, told = self.check(data, "-f", self.path("facts.json", FACTS), "--at", FACTS_AT)
        self.assertEqual((p.returncode, len(told)), (1, 1), told)
        self.assertIn("4 of 5 orders and cancels refused", told[0])
        self.assertIn("most often (2) for limit-price-not-positive, first stdin:3: ", told[0])

    def test_the_file_of_the_first_is_named(self):
        one, two = self.path("one", lines(order(1))), self.path("two", lines(order(2), order(3, symbol="A/B")))
        _, told = self.check("", one, two)
        self.assertIn(f"first {two}:2: ", told[-1])

    # --- old facts that other parts of a policy ask for

    POLICY = """\
ordergate: 1
name: mine
extends: [default]
unsure: refuse
max_age: {positions: 10s}
rules:
  close-position: off
"""

    def stale(self, policy, passes=0):
        p, told = self.old("-p", self.path("mine.yaml", self.POLICY + policy), at="2026-01-15T15:00:15Z")
        self.assertEqual((p.returncode, len(p.stdout.splitlines()), len(told)), (1, passes, 2), p.stderr)
        self.assertIn(f"stdin:{passes + 1}: refused for old facts: ", told[0])
        self.assertIn(OLD.format(fact="positions", age="15s", most="10s"), told[0])

    def test_a_custom_rule_that_asks_for_them(self):
        self.stale("custom:\n  - id: not-more\n    require: position.quantity < 1000\n")

    def test_an_override_that_asks_for_them(self):
        self.stale("""\
  order-quantity-limit:
    level: refuse
    shares: 1
    contracts: 1
    overrides:
      - when: position.quantity < 1000
        shares: 100
""", passes=1)

    def test_the_rule_of_old_facts_itself(self):
        self.stale("  facts-age: {reasons: {input-stale: refuse}}\n")

    # --- facts that stay fresh

    def test_facts_that_are_replaced_count_and_old_ones_are_told_again(self):
        def facts(age):
            return dict(FACTS, asOf=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - age)))

        policy = self.path("mine.yaml", "ordergate: 1\nextends: [default]\nunsure: refuse\nmax_age: {account: 1h}\n"
                                        "rules: {market-hours: off, price-collar: off}\n")
        path = self.path("facts.json", facts(7200))
        gate = subprocess.Popen([GATE, "check", "-p", policy, "-f", path, "--ignore-halt", "--emit", "lines"],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(gate.wait)
        self.addCleanup(gate.kill)
        self.addCleanup(gate.stdin.close)
        self.addCleanup(gate.stdout.close)
        self.addCleanup(gate.stderr.close)

        def give(number):
            gate.stdin.write(lines(order(number)))
            gate.stdin.flush()

        def read(stream):
            self.assertTrue(select.select([stream], [], [], 60)[0], "nothing is said")
            return stream.readline()

        give(1)
        told = read(gate.stderr)
        self.assertIn("stdin:1: refused for old facts: ", told)
        self.assertIn(f"replace {path} again and again (ordergate broker facts -o {path})", told)
        self.path("facts.json", facts(7100))
        give(2)
        self.assertIn("stdin:2: refused for old facts: ", read(gate.stderr), "once for each facts file")
        self.path("facts.json", facts(0))
        give(3)
        self.assertEqual(json.loads(read(gate.stdout))["clientOrderId"], "a3")
        gate.stdin.close()
        self.assertIn("2 of 3 orders and cancels refused", gate.stderr.read())
        self.assertEqual(gate.wait(60), 1)


if __name__ == "__main__":
    unittest.main()
