"""check --emit lines before send: a stop is moved through both, and what changes in between, send decides."""
import json
import os
import subprocess
import unittest

from paper import LIVE, Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome

ACCOUNT = "LIVE0001"
GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
LIVE_ENV = {"ORDERGATE_ACCOUNT": ACCOUNT, "ORDERGATE_ENVIRONMENT": "live"}
QUOTES = "ordergate: 1\nname: q\nextends: [{}]\nmax_age: {{quotes: 1h, account: 1h, positions: 1h, orders: 1h}}\n"


def stop(order_id, price, **changes):
    return stock(order_id, **{"side": "Sell", "openClose": "Close", "orderType": "Stop", "orderQuantity": 100,
                              "stopPrice": price, "limitPrice": None, "route": "SMART", **changes})


class Pipe(unittest.TestCase):
    def setUp(self):
        self.p = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.p.control("PUT", "positions/" + ACCOUNT, [{"symbol": "AAPL", "side": "Long", "shares": 100,
                                                       "priceAvg": 190, "dayOvernight": "Day"}])
        self.p.control("PUT", "accounts/" + ACCOUNT, {"bp": 100000})
        self.p.quote("AAPL", 189.99, 190.01)

    def policy(self, base):
        return self.home.file(base + ".yaml", QUOTES.format(base))

    def sender(self, policy):
        return self.enterContext(Sender(self.p.url, self.home, "-p", policy, keys=LIVE, env=LIVE_ENV))

    def passes(self, policy, *lines):
        """Returns what check passes on, by facts that are read now, and what it says."""
        env = {**{k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_"))}, **LIVE_ENV,
               "HOME": self.home.path, "XDG_STATE_HOME": self.home.path + "/state", "ORDERGATE_BASE_URL": self.p.url,
               "ORDERGATE_KEY_ID": LIVE[0], "ORDERGATE_SECRET_KEY": LIVE[1], "ORDERGATE_CLOCK": "broker"}
        read = subprocess.run([GATE, "broker", "facts"], env=env, capture_output=True, timeout=600)
        self.assertEqual(read.returncode, 0, read.stderr)
        facts = self.home.file("facts.json", read.stdout.decode())
        done = subprocess.run([GATE, "check", "-p", policy, "-f", facts, "--orders-only", "--emit", "lines", "--at",
                               json.loads(read.stdout)["asOf"]], env=env, capture_output=True, text=True, timeout=600,
                              input="".join(json.dumps(line) + "\n" for line in lines))
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def works(self):
        return sorted(o["clientOrderId"] for o in self.p.control("GET", "orders")["orders"]
                      if o["orderStatus"] == "New")

    def begin(self, policy):
        gate = self.sender(policy)
        gate.feed(stop("s1", 170)).event("outcome", "s1", outcome="working")
        passed, told = self.passes(policy, stop("s2", 175, replaces="s1"))
        self.assertEqual([(line["clientOrderId"], line["replaces"]) for line in passed], [("s2", "s1")], told)
        self.assertIn("stdin:1: decided as if the order that it replaces were canceled", told)
        return gate, passed

    def test_a_stop_is_moved(self):
        for base in ("live", "default", "cautious"):
            with self.subTest(base):
                self.setUp()
                gate, passed = self.begin(self.policy(base))
                gate.feed(*passed).event("outcome", "s2", outcome="working")
                self.assertEqual((gate.finish(), self.works()), (0, ["s2"]))

    def test_the_old_one_fills_in_between(self):
        for base in ("live", "default", "cautious"):
            with self.subTest(base):
                self.setUp()
                gate, passed = self.begin(self.policy(base))
                self.p.quote("AAPL", 169.5, 169.6)
                gate.event("update", "s1", orderStatus="Filled")
                gate.feed(*passed)
                self.assertEqual(gate.event("outcome", "s2")["outcome"], "refused")
                self.assertEqual((gate.finish(), self.works()), (1, []))

    def test_it_was_filled_before_the_facts_were_read(self):
        for base in ("live", "cautious"):
            with self.subTest(base):
                self.setUp()
                gate = self.sender(self.policy(base))
                gate.feed(stop("s1", 170)).event("outcome", "s1", outcome="working")
                self.p.quote("AAPL", 169.5, 169.6)
                gate.event("update", "s1", orderStatus="Filled")
                gate.finish()
                self.assertEqual(self.passes(self.policy(base), stop("s2", 160, replaces="s1"))[0], [])


if __name__ == "__main__":
    main()
