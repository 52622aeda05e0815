"""Scenario files: the market and accounts that they make, errors in them, and what the man page says about their
keys."""
import http.client
import os
import pathlib
import re
import subprocess
import unittest

from paper import PAPER, Paper, SomeFile, occ, stock

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = pathlib.Path(os.environ.get("OG_SCENARIOS", ROOT / "tools/scenarios"))
SHIPPED = sorted(path.stem for path in SCENARIOS.glob("*.yaml"))
KEY = ("one-key", "one-secret")

WHOLE = """\
scenario: 1
description: every section
clock: 2026-01-15T15:00:00Z
seed: 7
accounts:
  ONE: {accountType: Live, availableCash: 20000.5, leverage: 4, bp: 70000, overnightBp: 35000, sodEquity: 19000,
        optLevel: 2,
        realized: 12.5, sharesTraded: 300, routes: [FAST, SMARTO],
        positions: [{symbol: ABC, shares: 10.5, priceAvg: 8.25, dayOvernight: Overnight},
                    {symbol: "%s", side: Short, shares: 2, priceAvg: 1.5}],
        cashHistory: [{type: Deposit, date: 2026-01-02, deposit: 20000, note: begin},
                      {type: Fee, date: 2026-01-05, withdraw: 1.25}]}
  TWO: {accountType: Paper, equity: 123456.78, accountStatus: Suspended}
keys:
  one-key: {secret: one-secret, accounts: [ONE, TWO]}
  two-key: {secret: two-secret, accounts: [TWO]}
  old-key: {secret: old-secret, accounts: [TWO], disabled: on}
symbols:
  ABC: {bid: 9, ask: 9.10, last: 9.05, bidSize: 40, askSize: 60, borrow: hard, available: 500, locatePrice: 0.5,
        optionTime: 2%%}
  XYZ: {last: 3, borrow: threshold, available: 100, availableSingleUse: 200, singleUsePrice: 0.25}
  QUIET: {}
routes:
  FAST: {securityTypes: [Stock, Option], timesInForce: [Day], orderTypes: [Limit], useDisplayQty: on}
  SMARTO: {securityTypes: [Option], timesInForce: [Day], orderTypes: [Limit]}
  HOUSE: {paper: on, securityTypes: [Stock], timesInForce: [Day], orderTypes: [Limit]}
rates: {share: 0.01, contract: 0.65, sale: 0.001}
delays: {acknowledge: 1s, fill: 2s}
limits: {GET routes: {rate: 1, burst: 2}}
faults: [{on: GET pnl, do: status, status: 503, count: 1}]
holidays: [2026-01-16]
""" % occ("ABC", strike=10)


def scenario(text):
    """Returns a temporary file with that text, which can be used as a context manager."""
    file = SomeFile("world.yaml")
    pathlib.Path(file.path).write_text(text)
    return file


def run(*args):
    done = subprocess.run([os.environ["ORDERGATE_PAPER"], *args], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


class Shipped(unittest.TestCase):
    def test_there_are_several(self):
        self.assertEqual(SHIPPED, ["default", "flaky", "locates", "opening", "small-cash-account", "volatile"])

    def test_each_starts_by_name_and_its_keys_sign_in(self):
        for name in SHIPPED:
            text = (SCENARIOS / f"{name}.yaml").read_text()
            pairs = re.findall(r"^  (\S+): \{secret: (\S+), accounts: \[(.*)\]\}", text,
                               re.M) or [("paper-key", "paper-secret", "PAPER0001")]
            with self.subTest(name), Paper("--scenario", name) as p:
                for key, secret, accounts in pairs:
                    rows = p.get("accounts", (key, secret)).json["accounts"]
                    self.assertEqual([row["account"] for row in rows], accounts.split(", "))
                    self.assertEqual({row["accountStatus"] for row in rows}, {"Active"})

    def test_each_is_the_file_of_that_name(self):
        for name in SHIPPED:
            self.assertEqual(run("--scenario", name, "--check"), (0, "", ""))
            self.assertEqual(run("--scenario", str(SCENARIOS / f"{name}.yaml"), "--check"), (0, "", ""))

    def test_without_one_it_is_the_default(self):
        seen = []
        for args in ((), ("--scenario", "default")):
            with Paper(*args) as p:
                seen.append([p.get("accounts").body, p.get("accounts/PAPER0001/routes").body,
                             p.get("account/LIVE0001", ("live-key", "live-secret")).body])
        self.assertEqual(seen[0], seen[1])

    def test_small_cash_account(self):
        keys = ("cash-key", "cash-secret")
        with Paper("--scenario", "small-cash-account") as p:
            rows = p.get("accounts/CASH0001/positions", keys).json["positions"]
            self.assertEqual([(row["symbol"], row["side"], row["shares"]) for row in rows],
                             [("F", "Long", 200), ("F", "Short", 1), ("AMC", "Long", 10.5)])
            cash = p.get("accounts/CASH0001/cash-transactions/start-date/2025-11-01?numberOfDays=60",
                         keys).json["cashHistory"]
            self.assertEqual([row["deposit"] for row in cash], [7500, 30])
            self.assertEqual(p.get("account/CASH0001", keys).json["bp"], 5000)

    def test_flaky_loses_the_fourth_answer(self):
        with Paper("--scenario", "flaky") as p:
            for n in range(3):
                self.assertEqual(p.order(stock(f"f{n}")).status, 200)
            with self.assertRaises(Exception):
                p.call("POST", "/v1/api/accounts/PAPER0001/order", stock("f3"), fresh=True)
            self.assertEqual(p.lookup("f3").status, 404, "not yet known")
            p.advance("2s")
            self.assertEqual(p.lookup("f3").json["orderStatus"], "Filled")


class Chance(unittest.TestCase):
    def spoiled(self, *args, fault="{on: GET account, do: status, status: 503, chance: 20%}", calls=200):
        with scenario(f"scenario: 1\nfaults: [{fault}]\n") as path, Paper("--scenario", path, *args) as p:
            return [p.get("account/PAPER0001").status == 503 for _ in range(calls)]

    def test_the_same_seed_spoils_the_same_calls(self):
        seen = self.spoiled("--seed", "3")
        self.assertTrue(20 <= sum(seen) <= 60, sum(seen))
        self.assertEqual(seen, self.spoiled("--seed", "3"))
        self.assertNotEqual(seen, self.spoiled("--seed", "4"))

    def test_never_always_and_so_many(self):
        fault = "{on: GET account, do: status, status: 503, %s}"
        self.assertEqual(sum(self.spoiled(fault=fault % "chance: 0%")), 0)
        self.assertEqual(sum(self.spoiled(fault=fault % "chance: 100%")), 200, "without end, as each chance")
        self.assertEqual(sum(self.spoiled(fault=fault % "chance: 100%, count: 2")), 2)
        self.assertEqual(sum(self.spoiled(fault=fault % "chance: 20%, count: 3")), 3)
        self.assertEqual(sum(self.spoiled(fault=fault % "chance: 50%, after: 190")[:190]), 0)

    def test_by_control_call(self):
        with Paper() as p:
            for chance in ("5", 5, "101%", "x"):
                reply = p.call("POST", "/paper/faults", {"on": "*", "do": "hang", "chance": chance}, keys=None)
                self.assertEqual(reply.status, 400, chance)
            p.control("POST", "faults", {"on": "stream portfolio", "do": "disconnect", "chance": "50%"})
            stream = p.portfolio()
            with self.assertRaises(Exception):
                for n in range(40):
                    p.order(stock(f"c{n}"))
                    p.advance("1s")
                    stream.order()


class World(unittest.TestCase):
    def setUp(self):
        file = scenario(WHOLE)
        self.addCleanup(file.folder.cleanup)
        self.path = file.path
        self.p = Paper("--scenario", file.path, limits=True)
        self.addCleanup(self.p.stop)

    def get(self, path):
        return self.p.get("accounts/ONE/" + path, KEY)

    def test_figures(self):
        row = self.p.get("account/ONE", KEY).json
        for key, value in {"availableCash": 20000.5, "leverage": 4, "bp": 70000, "overnightBp": 35000,
                           "sodEquity": 19000,
                           "optLevel": 2, "optionTradingLevel": 2, "realized": 12.5, "sharesTraded": 300,
                           "accountType": "Live"}.items():
            self.assertEqual(row[key], value, key)

    def test_one_key_pair_lists_several_accounts_in_its_order(self):
        rows = self.p.get("accounts", KEY).json["accounts"]
        self.assertEqual([row["account"] for row in rows], ["ONE", "TWO"])
        self.assertEqual(self.p.get("account/two", KEY).json["equity"], 123456.78)
        self.assertEqual(self.p.get("account/ONE", ("two-key", "two-secret")).status, 404)
        self.assertEqual(self.p.get("account/TWO", ("two-key", "two-secret")).json["accountStatus"], "Suspended")
        self.assertEqual(self.p.get("accounts", ("old-key", "old-secret")).status, 404)
        self.assertEqual(self.p.get("accounts", PAPER).status, 404)

    def test_positions(self):
        rows = self.get("positions").json["positions"]
        self.assertEqual([(row["symbol"], row["tradedSymbol"], row["side"], row["shares"], row["priceAvg"],
                           row["dayOvernight"])
                          for row in rows],
                         [("ABC", None, "Long", 10.5, 8.25, "Overnight"),
                          ("ABC", occ("ABC", strike=10), "Short", 2, 1.5, "Day")])

    def test_cash_rows(self):
        body = self.get("cash-transactions/start-date/2026-01-01").json
        self.assertEqual([(row["deposit"], row["withdraw"]) for row in body["cashHistory"]], [(20000, 0), (0, 1.25)])

    def test_routes(self):
        rows = self.get("routes").json["routes"]
        self.assertEqual([(row["routeName"], row["securityTypes"], row["useDisplayQty"]) for row in rows],
                         [("FAST", ["Stock", "Option"], True), ("SMARTO", ["Option"], False)])
        rows = self.p.get("accounts/TWO/routes", KEY).json["routes"]
        self.assertEqual([row["routeName"] for row in rows], ["HOUSE"])

    def test_limits(self):
        self.assertEqual([self.get("routes").status for _ in range(3)], [200, 200, 429])

    def test_faults(self):
        self.assertEqual([self.get("pnl").status for _ in range(2)], [503, 200])

    def test_symbols(self):
        borrow = [self.get("is-easy-to-borrow/symbol/" + s).json["isEasyToBorrow"] for s in ("ABC", "QUIET")]
        self.assertEqual(borrow, [False, True])
        self.p.control("DELETE", "faults")
        row = next(row for row in self.get("pnl").json["pnl"] if row["symbol"] == "ABC")
        self.assertEqual(row["exposure"], 95.03, "10.5 at 9.05, in cents")

    def test_delays_rates_and_sizes(self):
        body = {**stock("a", symbol="ABC", limitPrice=9.10, orderQuantity=100), "route": "FAST"}
        self.assertEqual(self.p.call("POST", "/v1/api/accounts/ONE/order", body, keys=KEY).status, 200)
        self.p.advance("3s")
        rows = self.p.control("GET", "orders")["orders"]
        self.assertEqual([(e["at"], e["orderStatus"]) for e in rows[0]["history"]],
                         [("2026-01-15T15:00:00Z", "PendingNew"), ("2026-01-15T15:00:01Z", "New"),
                          ("2026-01-15T15:00:03Z", "PartiallyFilled")])
        self.assertEqual(rows[0]["executed"], 60)
        fill = self.get("orders/start-date/2026-01-15").json["orders"][0]
        self.assertEqual((fill["commission"], fill["settleDate"][:10]), (0.6, "2026-01-19"), "the 16th is a holiday")

    def test_a_holiday_has_no_session(self):
        self.p.control("PUT", "clock", {"now": "2026-01-16T16:00:00Z"})
        body = {**stock("h", symbol="ABC", orderType="Market", limitPrice=None), "route": "FAST"}
        row = self.p.call("POST", "/v1/api/accounts/ONE/order", body, keys=KEY).json
        self.assertEqual((row["orderStatus"], row["text"][:3]), ("Rejected", "R78"))

    def test_the_clock_is_its_own_unless_told(self):
        process = subprocess.Popen([os.environ["ORDERGATE_PAPER"], "--listen", "127.0.0.1:0", "--scenario", self.path],
                                   stdout=subprocess.PIPE, text=True)
        try:
            port = int(process.stdout.readline().rsplit(":", 1)[1])
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
            connection.request("GET", "/")
            self.assertEqual(connection.getresponse().headers["Date"], "Thu, 15 Jan 2026 15:00:00 GMT")
            connection.close()
        finally:
            process.terminate()
            process.communicate(timeout=600)


class Sections(unittest.TestCase):
    def test_what_is_not_said_is_the_default(self):
        with scenario("scenario: 1\ndelays: {fill: 1h}\n") as path, Paper("--scenario", path) as p:
            self.assertEqual(p.get("accounts").json["accounts"][0]["account"], "PAPER0001")
            p.order(stock("a"))
            p.advance("59m")
            self.assertEqual(p.lookup("a").json["orderStatus"], "New")

    def test_an_early_close(self):
        """The session ends at 13:00 in New York instead of 16:00, extended hours at 17:00."""
        market = dict(orderType="Market", limitPrice=None)
        with scenario("scenario: 1\nearlyCloses: [2026-01-15]\n") as path, Paper("--scenario", path) as p:
            p.order(stock("day", limitPrice=1))
            p.order(stock("plus", limitPrice=1, timeInForce="Day_Plus"))
            p.control("PUT", "positions/PAPER0001",
                      [{"symbol": occ(expiry="260115", strike=500), "shares": 1, "priceAvg": 1}])
            p.control("PUT", "clock", {"now": "2026-01-15T18:00:00Z"})
            self.assertEqual(p.order(stock("m", **market)).json["orderStatus"], "PendingNew")
            p.advance("1ms")
            self.assertEqual(p.order(stock("n", **market)).json["text"][:3], "R78")
            def seen(): return [p.lookup(i).json["orderStatus"] for i in ("day", "plus")]
            self.assertEqual((seen(), p.get("accounts/PAPER0001/positions").json["positions"]),
                             (["DoneForDay", "New"], []))
            p.control("PUT", "clock", {"now": "2026-01-15T22:00:00.001Z"})
            self.assertEqual(seen(), ["DoneForDay", "DoneForDay"])
            p.control("PUT", "clock", {"now": "2026-01-16T21:00:00Z"})
            self.assertEqual(p.order(stock("o", **market)).json["orderStatus"], "PendingNew",
                             "the next day is a whole one")

    def test_symbols_alone(self):
        with scenario("scenario: 1\nsymbols: {ONLY: {last: 5}}\n") as path, Paper("--scenario", path) as p:
            p.order(stock("a", symbol="ONLY", limitPrice=5))
            self.assertEqual(p.order(stock("b")).json["orderStatus"], "Rejected")
            p.advance("1s")
            self.assertEqual(p.lookup("a").json["priceAvg"], 5)

    def test_the_surface(self):
        """optionTime of a symbol overrides the time of the surface. With `priced: off` only quoted contracts trade."""
        text = ("scenario: 1\nsurface: {time: 0%, spread: 0, spreadShare: 0%, least: 0.01}\n"
                "symbols: {A: {last: 100}, B: {last: 100, optionTime: 1%}}\n")
        with scenario(text) as path, Paper("--scenario", path) as p:
            p.control("PUT", "positions/PAPER0001", [{"symbol": occ(s, strike=k), "shares": 1, "priceAvg": 0}
                                                     for s, k in (("A", 90), ("A", 110), ("B", 90), ("B", 100))])
            rows = p.get("accounts/PAPER0001/pnl").json["pnl"]
            # 37 days, whose root is rounded to 6; B is at the money: 1 % x 100 x 6
            self.assertEqual([row["exposure"] for row in rows], [1000, 1, 1350, 600])
            p.control("PUT", "surface", {"priced": "off"})
            self.assertEqual(p.get("accounts/PAPER0001/pnl").json["pnl"], [])

    def test_margin(self):
        """An uncovered contract needs a fifth of the root's price, or what the file says; working orders reserve that,
        or nothing."""
        sold = dict(symbol=occ(strike=190), side="Sell", limitPrice=30, securityType="Option")
        for text, tied in (("", 3000 + 3800), ("margin: {naked: 50%}", 3000 + 9500),
                           ("margin: {naked: 0%, nakedLeast: 1%}", 3000 + 190), ("margin: {working: off}", 0)):
            with scenario("scenario: 1\n" + text) as path, Paper("--scenario", path) as p:
                self.assertEqual(p.order(stock("a", **{**sold, "orderQuantity": 1})).json["orderStatus"], "PendingNew")
                self.assertEqual(p.get("account/PAPER0001").json["bp"], 1000000 - tied, text)

    def test_positions_are_planted_once(self):
        text = ("scenario: 1\naccounts: {A1: {availableCash: 100, positions: [{symbol: F, shares: 3, priceAvg: 2}]}}\n"
                "keys: {k: {secret: s, accounts: [A1]}}\n")
        with scenario(text) as path, SomeFile() as db:
            for shares in (3, 5):
                with Paper("--scenario", path, "--db", db) as p:
                    rows = p.get("accounts/A1/positions", ("k", "s")).json["positions"]
                    self.assertEqual([row["shares"] for row in rows], [shares])
                    self.assertEqual(p.get("account/A1", ("k", "s")).json["bp"], 100)
                    p.control("PUT", "positions/A1", [{"symbol": "F", "shares": 5, "priceAvg": 2}])
            more = text.replace("accounts: {A1:", "accounts: {NEW: {positions: [{symbol: F, shares: 9}]}, A1:").replace(
                "[A1]", "[A1, NEW]")
            pathlib.Path(path).write_text(more)
            with Paper("--scenario", path, "--db", db) as p:
                rows = [p.get(f"accounts/{a}/positions", ("k", "s")).json["positions"] for a in ("A1", "NEW")]
                self.assertEqual([[row["shares"] for row in some] for some in rows], [[5], [9]])
                self.assertNotEqual(rows[0][0]["positionId"], rows[1][0]["positionId"])


FAULTY = """\
scenario: 2
acounts: {}
clock: yesterday
accounts:
  live1: {}
  A1: {availableCsh: 5, leverage: 0.5, bp: abc, routes: [SMRT], positions: [{symbol: F, shares: 0}, {side: Long}]}
keys:
  k: {secret: s, accounts: [A2]}
symbols:
  F: {bid: 5, ask: 4}
  X: {walk: {evry: 1s}}
delays: {fil: 2s, cancel: 40}
switches: {one_sided: loose, accepted: maybe}
limits: {GET ordr: {rate: 1, burst: 1}, GET order: {rate: 0, burst: 1}}
faults: [{on: GET order, do: bang}, {onn: x}]
replay: {file: nothing.csv}
holidays: [2026-02-30]
seed: -1
routes: {R: {securityTypes: [Stok], timesInForce: [Day]}}
"""
FINDINGS = [
    "1:11 version", "2:1 unknown-key did you mean 'accounts'?", "3:8 value-invalid", "5:3 name-invalid",
    "6:8 unknown-key did you mean 'availableCash'?", "6:35 value-invalid from 1 to", "6:44 value-invalid",
    "6:58 unknown-key",
    "6:97 value-invalid", "6:101 missing-key", "6:101 missing-key", "8:29 unknown-key did you mean 'A1'?",
    "10:3 value-invalid",
    "11:7 value-invalid", "11:14 unknown-key did you mean 'every'?", "12:10 unknown-key did you mean 'fill'?",
    "12:27 value-invalid a duration",
    "13:23 value-invalid named, strict", "13:40 value-invalid on or off", "14:10 unknown-key did you mean 'GET order'?",
    "14:59 value-invalid from 1 to", "15:10 value-invalid drop-reply", "15:38 unknown-key did you mean 'on'?",
    "16:16 file",
    "17:12 value-invalid", "18:7 value-invalid", "19:13 missing-key", "19:30 unknown-key did you mean 'Stock'?",
]


class Lint(unittest.TestCase):
    def found(self, text):
        with scenario(text) as path:
            code, out, err = run("--scenario", path, "--check")
            self.assertEqual((err, code), ("", 1 if out else 0))
            lines = [line.removeprefix(path + ":") for line in out.splitlines()]
            again = run("--scenario", path, "--listen", "127.0.0.1:0") if out else (3, "", out)
            self.assertEqual(again, (3, "", out), "served, it says the same on stderr")
            return lines

    def test_everything_wrong_is_said_in_one_run(self):
        lines = self.found(FAULTY)
        for line, wanted in zip(lines, FINDINGS):
            place, code, *words = wanted.split(" ", 2)
            self.assertRegex(line, rf"^{place}: error: [^A-Z].* \[{code}\]$")
            self.assertIn(" ".join(words), line)
        self.assertEqual(len(lines), len(FINDINGS), lines)

    def test_documents_that_are_none(self):
        for text, code in (("", "yaml-empty"), ("- 1\n", "wrong-type"),
                           ("scenario: 1\nscenario: 1\n", "yaml-duplicate-key"),
                           ("scenario: &a 1\n", "yaml-anchor"), ("scenario: [\n", "yaml-syntax"),
                           ("seed: 1\n", "missing-key"),
                           ("scenario: 1\naccounts: {A: {}}\n", "missing-key"),
                           ("scenario: 1\ndelays: 3\n", "wrong-type"),
                           ("scenario: 1\nreplay: {file: x}\n", "file"), ("ordergate: 1\n", "unknown-key")):
            self.assertIn(f"[{code}]", "\n".join(self.found(text)), text)

    def test_an_account_without_a_route(self):
        text = "scenario: 1\nroutes: {%s: {%ssecurityTypes: [Stock], timesInForce: [Day], orderTypes: [Limit]}}\n"
        more = "accounts: {P: {}, L: {accountType: Live}}\nkeys: {k: {secret: s, accounts: [P, L]}}\n"
        self.assertRegex(self.found(text % ("R", "") + more)[0],
                         r"^3:12: error: 'P' has no route: .*paper: on.*\[no-route\]$")
        self.assertRegex(self.found(text % ("R", "paper: on, ") + more)[0],
                         r"^3:19: error: 'L' has no route: .*paper: off.*\[no-route\]$")
        self.assertEqual(self.found(text % ("R", "") + more.replace("P: {}", "P: {routes: [R]}")), [])
        self.assertRegex(self.found(text % ("R", ""))[0], r"^default:\d+:\d+: error: 'PAPER0001' has no route: ")

    def test_files_that_cannot_be_read(self):
        code, out, err = run("--scenario", "/nowhere/x.yaml", "--check")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("'/nowhere/x.yaml' does not exist", err)
        code, out, err = run("--scenario", "volatil")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("did you mean 'volatile'?", err)


class Manual(unittest.TestCase):
    def test_every_key_with_its_default_and_bounds(self):
        code, out, _ = run("--scenario-keys")
        self.assertEqual(code, 0)
        page = (ROOT / "tools/ordergate-paper.1").read_text()
        section = page.split(".Sh SCENARIOS")[1].split("\n.Sh ")[0]
        keys = [line.split("\t") for line in out.splitlines()]
        self.assertGreater(len(keys), 80)
        for path, allowed, usual, meaning in keys:
            part, key = path.rsplit(".", 1)
            block = re.search(rf"^\.Ss {re.escape(part)}$(.*?)(?=^\.Ss |\Z)", section, re.M | re.S)
            self.assertTrue(block, f"no .Ss {part}")
            item = re.search(rf"^\.It Li {re.escape(key)}(?: \(([^)]*)\))?$", block[1], re.M)
            self.assertTrue(item, path)
            self.assertEqual(item[1] or "-", usual or "-", path)
            self.assertTrue(meaning)

    def test_every_root_key(self):
        page = (ROOT / "tools/ordergate-paper.1").read_text()
        with scenario("scenario: 1\nnone: 1\n") as path:
            known = run("--scenario", path, "--check")[1].split("known: ")[1].split(" [")[0].split(", ")
        for key in known:
            self.assertRegex(page, rf"(?m)^\.(It Li|Ss) {key}\b")


if __name__ == "__main__":
    unittest.main()
