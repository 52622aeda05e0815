"""The gate is killed before its Nth write, sync, send or connection, for N = 1, 2, ... until a run completes.

After each kill the same lines are given again with the same ledger, then open orders are recovered, then what was
not sent is sent. The outcomes are compared with the paper brokerage's own record. The suite tries every sixth N;
OG_NTH_STEP=1 tries each.
"""
import collections
import concurrent.futures
import json
import os
import signal
import subprocess
import unittest

from paper import REGULAR, Paper, in_some_run, stock
from parallel_unittest import main
from sender import SEND, Sender, TempHome, posts, resting

STEP = int(os.environ.get("OG_NTH_STEP", "6"))
SHIMS = os.environ["OG_PRELOAD"]
AT_ONCE = 16
FAST = REGULAR + "@30"  # by the broker's clock, the minute of absence lasts two seconds
LOOSE = "ordergate: 1\nname: loose\nextends: []\nrules: {}\n"
STATES = {"New": "working", "Filled": "filled", "Rejected": "rejected"}


def orders(n):
    return [stock(f"n{n}-fills", orderQuantity=1), resting(f"n{n}-rests", orderQuantity=1),
            stock(f"n{n}-bad", limitPrice=-5),
            resting(None, orderQuantity=2), {"securityType": "Nonsense"}, resting(f"n{n}-last", orderQuantity=1)]


class Trial:
    """One kill and what follows it, on a ledger of its own."""

    def __init__(self, paper, n):
        self.paper, self.n = paper, n
        with TempHome() as self.home:
            lines = self.home.file("orders.ndjson", "".join(json.dumps(o) + "\n" for o in orders(n)))
            args = ["--broker", self.home.file("b.yaml", "budgets: off\n"), "-p", self.home.file("p.yaml", LOOSE),
                    "--max-in-flight", "2", "--batch", f"n{n}"]
            self.completed = self.killed_at(n, *args, lines)
            self.resumed = self.run(*args, "--wait", "2s", lines, orders=6).outcomes()
            self.run(*args, "--recover", "--wait", "30m")
            self.settled = self.outcomes()
            self.run(*args, "--recover", "--resend-not-sent", "--until", "final", "--wait", "500ms", lines, orders=6)
            in_some_run(lambda: self.all_known(*args))

    def all_known(self, *args):
        """Run --recover once more if orders are still open: half a second may have been too short for the last of
        them."""
        self.final = self.outcomes()
        known = self.final.get(f"n{self.n}-fills") == "filled" and set(self.final.values()) <= set(STATES.values())
        if not known:
            self.run(*args, "--recover", "--wait", "2s")
        return known

    def killed_at(self, n, *args):
        shim = {"LD_PRELOAD": os.path.join(SHIMS, "libfaults-nth.so"), "OG_NTH": str(n)}
        with Sender(self.paper.url, self.home, *args, env=shim, stdin=subprocess.DEVNULL) as gate:
            code = gate.finish()
        if code not in (1, -signal.SIGKILL):
            raise AssertionError(f"N {n}: exit {code}, stderr {gate.stderr}")
        return code == 1

    def run(self, *args, orders=None):
        with Sender(self.paper.url, self.home, *args, stdin=subprocess.DEVNULL) as gate:
            gate.finish(orders)
        verify = subprocess.run([SEND.replace("-send", "-ledger"), "verify", "--ledger", self.home.ledger],
                                capture_output=True)
        if verify.returncode:
            raise AssertionError(f"N {self.n}: {verify.stdout} {verify.stderr}")
        return gate

    def outcomes(self):
        return {r["id"]: r["state"] for r in self.home.rows("id IS NOT NULL") if r["state"] != "refused"}


class Nth(unittest.TestCase):
    def some(self, numbers):
        """Run several kills side by side, each against a brokerage of its own: its clock runs fast, and one day would
        be too short for all."""
        with Paper(clock=FAST) as p, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            trials = list(pool.map(lambda n: Trial(p, n), numbers))
            for r in posts(p):
                i = json.loads(r["body"])["clientOrderId"]
                self.seen[i] += 1
                self.effects[i] += r["effect"]
            self.there.update({o["clientOrderId"]: STATES[o["orderStatus"]] for o in p.control("GET",
                                                                                               "orders")["orders"]})
        return trials

    def test_each_order_once_whenever_it_dies(self):
        self.seen, self.effects, self.there = collections.Counter(), collections.Counter(), {}
        trials, n = [], 1
        while not any(t.completed for t in trials):
            trials += self.some(range(n, n + AT_ONCE * STEP, STEP))
            n += AT_ONCE * STEP
        seen, effects, there = self.seen, +self.effects, self.there
        self.assertEqual({i: k for i, k in seen.items() if k > 1}, {}, "received twice")
        self.assertEqual(set(effects), set(there))
        ours = {}
        for t in trials:
            with self.subTest(n=t.n):
                self.assertEqual(len(t.final), 5, t.final)
                self.assertEqual({i for i, o in t.resumed.items() if o != "refused"}, set(t.final),
                                 "every line is answered under the id it ends with")
                self.assertEqual({i: s for i, s in t.settled.items() if s not in ("not-sent", there.get(i))}, {})
                self.assertEqual({i: s for i, s in t.final.items() if s != there.get(i)}, {})
            ours.update(t.final)
        self.assertEqual(set(there) - set(ours), set(), "orders there of which no ledger knows")
        unsure = sum("unknown" in t.resumed.values() for t in trials)
        self.assertTrue(unsure or STEP > 1, "no kill fell between an intent and its POST")
        print(f"a run completed at N = {min(t.n for t in trials if t.completed)}; "
              f"{sum(not t.completed for t in trials)} runs were "
              f"killed, {unsure} left an order unknown")


if __name__ == "__main__":
    main()
