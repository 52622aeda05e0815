"""ordergate policy diff over a ledger: its file is read through ordergate-ledger, which runs as a child."""
import json
import os
import subprocess
import unittest

from paper import Paper
from parallel_unittest import main
from sender import PAPER, RUNNING, TempHome, resting, send

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")


def diff(*args):
    return subprocess.run([GATE, "policy", "diff", "--format", "json", *args], capture_output=True, timeout=600)


class Ledger(unittest.TestCase):
    def test_what_was_sent_by_both(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            paths = [home.file(f"{n}.yaml", "ordergate: 1\nextends: [default]\nrules:\n"
                               f"  order-quantity-limit: {{level: refuse, shares: {n}}}\n") for n in (20, 40)]
            code, _ = send(p.url, home, [resting("a", orderQuantity=10, route="PAPER"),
                                         resting("b", orderQuantity=30, route="PAPER"),
                                         resting("c", orderQuantity=500, route="PAPER")], "-p", paths[1])
            self.assertEqual(code, 1)
            found = diff("--ledger", home.ledger, *paths)
            self.assertEqual(found.returncode, 1, found)
            told = json.loads(found.stdout)
            self.assertEqual((told["orders"], told["loosened"], told["tightened"]), (3, 1, 0))  # c is refused by both
            group, = [g for g in told["groups"] if g["change"] == "loosened"]
            example, = group["examples"]
            self.assertEqual((group["rule"], example["order"]["clientOrderId"], example["order"]["accountId"]),
                             ("order-quantity-limit", "b", "PAPER0001"))
            self.assertEqual(example["at"], home.rows("record = 'intent' AND id = 'b'")[0]["at"])
            self.assertEqual(json.loads(diff("--ledger", home.ledger, *paths[::-1]).stdout)["tightened"], 1)

    def test_what_was_refused_and_would_pass(self):
        """Orders of every form that the ledger's policy refused and the other policy accepts are reported as loosened.
        Lines that are not orders are counted separately."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            low, high = [home.file(f"{n}.yaml", "ordergate: 1\nextends: [default]\nrules:\n  order-quantity-limit: "
                                   f"{{level: refuse, shares: {n}, contracts: {n}}}\n") for n in (1, 50)]
            call, spread = "AAPL260220C00190000", [{"symbol": f"AAPL260220C00{n}000", "side": s, "ratio": 1,
                                                    "openClose": "Open"} for n, s in ((190, "Buy"), (200, "Sell"))]
            lines = [resting("stock", orderQuantity=10, route="PAPER"),
                     resting("other", orderQuantity=10, route="PAPER", accountId="PAPER0001"),
                     resting("call", securityType="Option", symbol=call, orderQuantity=2, limitPrice=1,
                             route="PAPER"),
                     {k: v for k, v in resting("spread", securityType="Mleg", orderQuantity=2, limitPrice=1,
                                               route="PAPER", legs=spread).items()
                      if k not in ("side", "openClose")}, "what"]
            send(p.url, home, lines, "-p", low, orders=5)
            told = json.loads(diff("--ledger", home.ledger, low, high).stdout)
            self.assertEqual((told["orders"], told["loosened"]), (4, 4))
            self.assertEqual(diff("--ledger", home.ledger, low, high).returncode, 1)
            text = subprocess.run([GATE, "policy", "diff", "--ledger", home.ledger, low, high], capture_output=True)
            self.assertIn(b"; 1 refused lines left out that are not orders", text.stdout)

    def test_a_file_that_is_no_ledger(self):
        with TempHome() as home:
            other = os.path.join(home.path, "other.db")
            subprocess.run(["sqlite3", other, "CREATE TABLE t(a)"], check=True)
            found = diff("--ledger", other, "live", "paper")
            self.assertEqual(found.returncode, 4)
            self.assertIn(b"is not a ledger of ordergate", found.stderr)
            found = diff("--ledger", os.path.join(home.path, "none.db"), "live", "paper")
            self.assertEqual((found.returncode, found.stdout), (4, b""))


class Replay(unittest.TestCase):
    """One day of a paper account: orders rest, fill, close, are refused, are repeated and are replaced."""

    def day(self, p, home, policy):
        env = {**os.environ, "ORDERGATE_BASE_URL": p.url, "ORDERGATE_KEY_ID": PAPER[0], "ORDERGATE_CLOCK": "broker",
               "ORDERGATE_SECRET_KEY": PAPER[1], "XDG_STATE_HOME": os.path.join(home.path, "state")}
        p.quote("AAPL", 189.98, 190.02)
        read = subprocess.run([GATE, "broker", "facts"], env=env, capture_output=True, timeout=600)
        self.assertEqual(read.returncode, 0, read.stderr)
        close = {"side": "Sell", "openClose": "Close", "route": "PAPER"}
        spread = [{"symbol": f"AAPL260220C00{n}000", "side": s, "ratio": 1, "openClose": "Open"}
                  for n, s in ((190, "Buy"), (200, "Sell"))]
        lines = [resting("a", orderQuantity=10, route="PAPER"), resting("b", orderQuantity=30, route="PAPER"),
                 resting("huge", orderQuantity=5000000, route="PAPER"),
                 resting("c", orderQuantity=20, replaces="b", route="PAPER"),
                 resting("again", orderQuantity=20, route="PAPER"),
                 resting("a", orderQuantity=11, route="PAPER"),
                 resting("call", securityType="Option", symbol="AAPL260220C00190000", orderQuantity=2, limitPrice=1,
                         route="PAPER"),
                 {k: v for k, v in resting("spread", securityType="Mleg", orderQuantity=2, limitPrice=1,
                                           route="PAPER", legs=spread).items() if k not in ("side", "openClose")},
                 resting("fills", orderQuantity=40, limitPrice=195, route="PAPER"), "what"]
        more = [resting("close", orderQuantity=30, limitPrice=900, **close),
                resting("more", orderQuantity=20, limitPrice=900, **close)]
        for some in (lines, more):
            send(p.url, home, some, "-p", policy, orders=len(some))
        return home.file("facts.json", read.stdout.decode())

    def told(self, home, facts, *policies):
        done = diff("--ledger", home.ledger, "--replay", "-f", facts, *policies)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        told = json.loads(done.stdout)
        return done.returncode, told, told["replay"]

    def test_a_day(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            own, fewer, larger = [home.file(f"{n}.yaml", "ordergate: 1\nextends: [live]\nrules:\n  open-orders: "
                                            f"{{level: refuse, in_total: {n}}}\n  order-quantity-limit: "
                                            f"{{level: refuse, shares: {m}}}\n")
                                  for n, m in ((50, 10000), (2, 10000), (50, 10000000))]
            facts = self.day(p, home, own)
            self.assertEqual([(r["id"], r["executed"]) for r in home.rows("state = 'filled' AND record = 'update'")],
                             [("fills", "40")])
            refused = {r["id"] for r in home.rows("outcome = 'refused' AND id IS NOT NULL")}
            self.assertLessEqual({"huge", "c", "a", "more"}, refused)
            code, told, replay = self.told(home, facts, own, own)
            self.assertEqual((code, told["loosened"] + told["tightened"] + told["noted"]), (0, 0))
            self.assertEqual((replay["reproduced"], replay["others"], replay["first"]), (replay["recorded"], 0, None))
            self.assertEqual((replay["recorded"], replay["rules"], replay["differs"]), (11, [], None))

            # the limit is on how many orders work at one time: the first orders pass, and all later ones are refused
            code, told, replay = self.told(home, facts, own, fewer)
            self.assertEqual((code, replay["reproduced"], replay["differs"]["clientOrderId"]), (0, 11, "huge"))
            self.assertGreater(told["tightened"], 2)
            self.assertEqual({r["rule"]: r["fewer"] for r in replay["rules"]}, {"open-orders": 0})

            # decisions made under another policy are not compared, and few are reproduced without the facts
            self.assertEqual(self.told(home, facts, fewer, own)[2]["others"], 11)
            done = subprocess.run([GATE, "policy", "diff", "--ledger", home.ledger, "--replay", own, own],
                                  capture_output=True, timeout=600)
            self.assertRegex(done.stdout.decode(),
                             r"\n[01] of 11 recorded decisions reproduced by the policy before; the first that is not: "
                             r"a at .*: account-\S+ of account is not in the record\n$")
            self.assertEqual(diff("--replay", own, own).returncode, 2)


if __name__ == "__main__":
    main()
