"""ordergate flatten: cancels what works, closes what is held, and never posts a close twice, whatever is killed."""
import json
import os
import random
import signal
import subprocess
import threading
import unittest

from guard import Tool, passed_wrongly
from paper import PAPER, REGULAR, Paper, occ, spread, leg
from parallel_unittest import main
from sender import RUNNING, TempHome, posts, resting, send
from tries import tries

LOOSE = "ordergate: 1\nname: loose\nextends: []\nrules: {}\n"
CALL, HIGHER = occ(strike=190), occ(strike=195)
EARLY = REGULAR.replace("T15:", "T13:") + "@1"  # 08:00 in New York
QUICK = ("--settle", "1ms", "--wait", "5s")


class World(unittest.TestCase):
    clock = RUNNING

    def setUp(self):
        self.paper = self.enterContext(Paper(clock=self.clock))
        self.home = self.enterContext(TempHome())

    def hold(self, **positions):
        """The account holds these shares or contracts; below 0: short."""
        self.paper.control("PUT", "positions/PAPER0001", [
            {"symbol": s, "side": "Short" if n < 0 else "Long", "shares": abs(n), "priceAvg": 10,
             "dayOvernight": "Overnight"} for s, n in positions.items()])

    def held(self):
        rows = self.paper.get("accounts/PAPER0001/positions").json["positions"]
        seen = {}
        for r in rows:
            symbol = r["tradedSymbol"] if r["securityType"] == "Option" else r["symbol"]
            seen[symbol] = seen.get(symbol, 0) + (-r["shares"] if r["side"] == "Short" else r["shares"])
        return seen

    def works(self):
        return {o["clientOrderId"] for o in self.paper.get("accounts/PAPER0001/orders").json["orders"]
                if o["orderStatus"] not in ("Filled", "Canceled", "Rejected", "Expired", "DoneForDay")}

    def start(self, *args, quick=QUICK, **more):
        return self.enterContext(Tool("flatten", self.paper.url, self.home, *quick, *args, **more))

    def flatten(self, *args, **more):
        f = self.start(*args, **more)
        code = f.end()
        return code, f

    def closes(self):
        return [json.loads(r["body"]) for r in posts(self.paper)]

    def quotes(self, **prices):
        return self.home.file("quotes.ndjson", "".join(
            json.dumps({"symbol": s, "bid": b, "ask": a, "last": b}) + "\n" for s, (b, a) in prices.items()))


class Flat(World):
    def test_longs_and_shorts(self):
        self.hold(AAPL=100, MSFT=-50)
        code, f = self.flatten("--market")
        end = f.event("flat")
        self.assertEqual((code, end["flat"], end["held"], end["working"]), (0, True, [], []), f.stderr)
        self.assertEqual(self.held(), {})
        self.assertEqual({(c["symbol"], c["side"], c["openClose"], c["orderQuantity"], c["orderType"])
                          for c in self.closes()},
                         {("AAPL", "Sell", "Close", 100, "Market"), ("MSFT", "Buy", "Close", 50, "Market")})
        self.assertEqual(len(self.closes()), 2)

    def test_an_account_that_the_broker_denies_ends_it(self):
        """At once, not after --for; also the keys of nobody."""
        for keys, account in ((PAPER, "PAPER0009"), (("nobody", PAPER[1]), "PAPER0001")):
            code, f = self.flatten("--market", "--account", account, "--for", "2h", keys=keys)
            self.assertEqual((code, f.event("flat")["known"], f.event("flat")["rounds"]), (4, False, 1), f.stderr)
            self.assertIn(f"the broker denies account '{account}' to these keys", f.stderr)

    def test_nothing_is_held(self):
        code, f = self.flatten("--market")
        self.assertEqual((code, f.event("flat")["rounds"], self.closes()), (0, 1, []))

    def test_what_works_is_canceled_first(self):
        """Of this gate, and of another program; a stop of what is held too."""
        self.hold(AAPL=100)
        self.paper.order(resting("foreign"))
        stop = resting("stop", side="Sell", openClose="Close", orderType="Stop", stopPrice=100, limitPrice=None,
                       orderQuantity=100)
        code, _ = send(self.paper.url, self.home, [resting("own"), stop])
        self.assertEqual(code, 0)
        self.assertEqual(self.works(), {"foreign", "own", "stop"})
        code, f = self.flatten("--market")
        self.assertEqual((code, self.held(), self.works()), (0, {}, set()), f.stderr)
        self.assertEqual(len(self.closes()), 3 + 1)

    def test_one_symbol(self):
        self.hold(AAPL=100, MSFT=50)
        self.paper.order(resting("a"))
        self.paper.order(resting("m", symbol="MSFT", limitPrice=100))
        code, _ = self.flatten("--market", "--symbol", "aapl")
        self.assertEqual((code, self.held(), self.works()), (0, {"MSFT": 50}, {"m"}))

    def test_options(self):
        """Shorts are bought back before what covers them is sold, and contracts of a spread one by one."""
        self.hold(**{CALL: 2, HIGHER: -2, "AAPL": 100})
        code, f = self.flatten("--market", "-p", self.home.file("loose.yaml", LOOSE))
        self.assertEqual((code, self.held()), (0, {}), f.stderr)
        seen = self.closes()
        self.assertEqual((seen[0]["symbol"], seen[0]["side"]), (HIGHER, "Buy"))
        self.assertEqual({c["symbol"] for c in seen[1:]}, {CALL, "AAPL"})
        self.assertEqual({c["openClose"] for c in seen}, {"Close"})

    def test_a_working_spread_is_canceled(self):
        self.hold(**{CALL: 1})
        self.paper.order(spread("sp", legs=[leg(CALL, "Buy"), leg(HIGHER, "Sell")], limitPrice=0.05))
        self.paper.advance("1s")
        self.assertEqual(self.works(), {"sp"})
        code, f = self.flatten("--market", "--symbol", CALL)
        self.assertEqual((code, self.held(), self.works()), (0, {}, set()), f.stderr)

    def test_limits(self):
        """So far beyond the quote, rounded to a tick, and set anew until it fills."""
        self.hold(AAPL=100, MSFT=-50)
        bid, ask = 189.99, 190.01
        self.paper.quote("AAPL", bid, ask)
        path = self.quotes(AAPL=(bid + 4, ask + 4), MSFT=(400, 401))
        f = self.start("--limit", "1%", "--quotes", path, "--for", "60s", quick=("--settle", "1ms", "--wait", "1s"))
        first = f.wait_until(lambda: [c for c in self.closes() if c["symbol"] == "AAPL"], "a close")[0]
        self.assertEqual((first["orderType"], first["limitPrice"]), ("Limit", 192.05))
        self.quotes(AAPL=(bid, ask), MSFT=(1000, 1001))
        self.assertEqual(f.end(), 0, f.stderr)
        self.assertEqual(self.held(), {})

    def test_dollars_beyond_the_quote(self):
        self.hold(AAPL=100)
        code, f = self.flatten("--limit", "0.10", "--quotes", self.quotes(AAPL=(189.99, 190.01)))
        self.assertEqual((code, [c["limitPrice"] for c in self.closes()]), (0, [189.89]), f.stderr)

    def test_without_a_quote_it_is_left(self):
        self.hold(AAPL=100, MSFT=50)
        code, f = self.flatten("--limit", "1%", "--quotes", self.quotes(AAPL=(189.99, 190.01)))
        self.assertEqual((code, self.held()), (1, {"MSFT": 50}))
        self.assertIn("MSFT is not closed now: there is no quote of it", f.stderr)

    def test_expired_contracts_are_left(self):
        old = occ(expiry="260109")
        self.hold(**{old: 1, "AAPL": 10})
        code, f = self.flatten("--market")
        self.assertEqual((code, set(self.held()) - {old}, f.event("flat")["flat"]), (0, set(), True), f.stderr)
        self.assertEqual([h for h in f.event("flat")["held"]], [{"symbol": old, "quantity": 1, "expired": True}])

    def test_dry_run(self):
        self.hold(AAPL=100)
        self.paper.order(resting("foreign"))
        f = self.start("--market", "--dry-run")
        self.assertEqual(f.end(), 0)
        lines = [json.loads(x) for x in f.raw]
        self.assertEqual([x.get("op", x.get("symbol")) for x in lines], ["cancel", "AAPL"])
        self.assertEqual((self.held(), self.works(), self.closes()[1:]), ({"AAPL": 100}, {"foreign"}, []))
        code, _ = send(self.paper.url, self.home, lines, "--until", "final")
        self.assertEqual((code, self.held(), self.works()), (0, {}, set()))


class Extended(World):
    clock = EARLY

    def test_before_the_open(self):
        self.hold(AAPL=100)
        code, _ = self.flatten("--market", "--for", "3s")
        self.assertEqual((code, self.held()), (1, {"AAPL": 100}), "the policy refuses it, or the service rejects it")
        code, f = self.flatten("--limit", "1%", "--extended", "--quotes", self.quotes(AAPL=(189.99, 190.01)))
        self.assertEqual(self.closes()[-1]["timeInForce"], "Day_Plus")
        self.assertEqual((code, self.held()), (0, {}), f.stderr)


class Refused(World):
    def halt(self, *args, name="halt"):
        env = {**os.environ, "HOME": self.home.path, "XDG_STATE_HOME": os.path.join(self.home.path, "state")}
        subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-" + name), "--reason", "test", *args],
                       check=False, capture_output=True, env=env)

    def test_halts(self):
        """Closes pass a halt, unless it is for all orders."""
        self.hold(AAPL=100, MSFT=50)
        self.halt()
        code, f = self.flatten("--market", "--symbol", "AAPL")
        self.assertEqual((code, self.held()), (0, {"MSFT": 50}), f.stderr)
        self.halt("--all")
        code, f = self.flatten("--market", "--for", "20s")
        self.assertEqual((code, self.held()), (1, {"MSFT": 50}), f.stderr)
        self.assertEqual(len(self.closes()), 1)
        self.assertEqual(f.event("flat")["held"], [{"symbol": "MSFT", "quantity": 50, "expired": False}])

    def test_usage(self):
        for args in ([], ["--market", "--limit", "1%", "--quotes", "x"], ["--limit", "1%"], ["--limit", "x%"],
                     ["--market", "--extended"], ["--market", "x"]):
            code, f = self.flatten(*args)
            self.assertEqual((code, f.events), (2, []), args)
        self.hold(AAPL=100)
        for args, code in ((["-p", "/no/such.yaml"], 3), (["--", "--nope"], 2)):
            self.assertEqual(self.flatten("--market", *args)[0], code, args)
        self.assertEqual(self.held(), {"AAPL": 100})

    def test_the_reason_stands_on_stderr(self):
        """Of a policy that refuses a close, and of a brokerage that rejects one."""
        self.hold(AAPL=100)
        live = self.home.file("live.yaml", "ordergate: 1\nname: l\nextends: [default]\nenvironment: live\n")
        code, f = self.flatten("--market", "-p", live, "--for", "1ms")
        self.assertEqual((code, self.held()), (1, {"AAPL": 100}), f.stderr)
        self.assertIn("the close of long 100 of AAPL (FLAT-AAPL-1) was refused: environment declared is live", f.stderr)
        self.paper.control("POST", "faults", {"on": "POST order", "do": "status", "status": 400, "count": 1})
        code, f = self.flatten("--market", "--for", "1ms")
        self.assertRegex(f.stderr, "the close of long 100 of AAPL .FLAT-AAPL-2. was rejected: .")

    def test_a_policy_that_does_not_load_cancels_nothing(self):
        self.hold(AAPL=100)
        self.paper.order(resting("foreign"))
        for more in ([], ["--dry-run"]):
            code, f = self.flatten("--market", "-p", self.home.file("bad.yaml", "ordergate: 1\nrulez: {}\n"), *more)
            self.assertEqual((code, getattr(f, "raw", [])), (3, []), f.stderr)
            self.assertIn("nothing was canceled", f.stderr)
        self.assertEqual((self.held(), self.works()), ({"AAPL": 100}, {"foreign"}))

    def test_what_may_not_stand_behind_the_dashes(self):
        """Neither orders, which each round would post, nor what flatten says to its senders itself."""
        self.hold(AAPL=100)
        self.paper.order(resting("foreign"))
        orders = self.home.file("orders.ndjson", json.dumps(resting("planted")) + "\n")
        loose = self.home.file("loose.yaml", LOOSE)
        own = (["--broker", "x"], ["--account", "A"], ["-p", loose], ["--quotes", orders], ["--wait", "1s"])
        for args, named in [*passed_wrongly(orders), *((a, "before the --") for a in own)]:
            code, f = self.flatten("--market", "--", *args)
            self.assertEqual((code, f.events), (2, []), (args, f.stderr))
            self.assertIn(named, f.stderr)
        self.assertEqual((self.held(), self.works(), self.closes()[1:]), ({"AAPL": 100}, {"foreign"}, []))
        code, f = self.flatten("--market", "--", "--timeout", "9s", "--tag=desk", "-f",
                               self.home.file("facts.json", "{}"))
        self.assertEqual((code, self.held()), (0, {}), f.stderr)

    def test_a_brokerage_that_fails(self):
        self.hold(AAPL=100)
        self.paper.order(resting("foreign"))
        for on, n in (("GET orders", 2), ("GET positions", 2), ("DELETE order", 2), ("GET accounts", 1)):
            self.paper.control("POST", "faults", {"on": on, "do": "status", "status": 503, "count": n})
        self.paper.control("POST", "faults", {"on": "POST order", "do": "drop-reply", "count": 1})
        code, f = self.flatten("--market", "--for", "90s")
        self.assertEqual((code, self.held(), self.works()), (0, {}, set()), f.stderr)
        self.assertEqual(len(self.closes()), 2)


class Killed(World):
    def test_two_at_once(self):
        """They close what is held once."""
        self.hold(AAPL=100, MSFT=-50)
        both = [self.start("--market", "-p", self.home.file("loose.yaml", LOOSE)) for _ in range(2)]
        codes = [f.end() for f in both]
        self.assertIn(0, codes)
        self.assertEqual(self.held(), {}, [f.stderr for f in both])
        self.nothing_twice()

    def test_at_random_moments(self):
        """flatten and its senders die at any moment; it is run again, and each close is posted once."""
        seed = int(os.environ.get("OG_SEED") or 11)
        print(f"OG_SEED={seed}", flush=True)
        r = random.Random(seed)
        loose = self.home.file("loose.yaml", LOOSE)
        for n in range(tries("OG_FLATTEN_TRIES", 4)):
            with self.subTest(n, seed=seed):
                self.hold(AAPL=100 + n, MSFT=-50)
                self.paper.order(resting(f"foreign{n}"))
                for _ in range(r.randrange(1, 4)):
                    f = self.start("--market", "-p", loose)
                    threading.Event().wait(r.random() * 2)
                    self.kill_some(r, f)
                code, f = self.flatten("--market", "-p", loose)
                self.assertEqual((code, self.held(), self.works()), (0, {}, set()), f.stderr)
                self.nothing_twice()
                sold = sum(c["orderQuantity"] for c in self.filled() if c["symbol"] == "AAPL" and c["side"] == "Sell")
                self.assertEqual(sold, sum(100 + k for k in range(n + 1)))

    def nothing_twice(self):
        """No id was posted twice, and each order that was posted had something to close: the brokerage rejects one that
        closes what another one has closed, or works to close."""
        ids = [c["clientOrderId"] for c in self.closes()]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual([(r["id"], r["text"]) for r in self.home.rows("state = 'rejected'")], [])

    def filled(self):
        return [{**o, "orderQuantity": o["executed"]}
                for o in self.paper.control("GET", "orders")["orders"] if o["executed"]]

    @staticmethod
    def kill_some(r, f):
        """Kill flatten, or its sender, or both."""
        which = r.choice(("flatten", "sender", "both"))
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(f.process.pid)], capture_output=True, text=True,
                                  check=False).stdout.split()
        if which != "sender":
            f.kill()
        for child in children if which != "flatten" else []:
            try:
                os.kill(int(child), signal.SIGKILL)
            except ProcessLookupError:
                pass
        f.kill().process.wait()


if __name__ == "__main__":
    main()
