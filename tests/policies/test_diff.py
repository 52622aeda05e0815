"""ordergate policy diff: what it finds, what it says, and that a policy never differs from itself.

For each setting of each rule a policy that loosens it is found by the orders that are made.  OG_BIN names the folder of the
programs (CTest sets it).
"""
import concurrent.futures
import json
import os
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
AT = "2026-01-15T15:00:00Z"
SHIPPED = ("default", "paper", "live", "cautious")
FEW = "2000"  # first; then as many as by default
WORDS = {"early_closes": ("[]", "['2026-01-15']"), "closed": ("['2026-01-15']", "[]"), "holidays": ("['2026-01-15']", "[]"),
         "windows": ("['09:30-16:00']", "['09:00-17:00']"), "security_types": ("[Stock]", "[Stock, Option]"),
         "order_types": ("[Limit]", "[Limit, Market]"), "times_in_force": ("[Day]", "[Day, FillOrKill]"),
         "routes": ("[SMART]", "[SMART, CTDL]"), "allowed": ("[AAPL]", "[AAPL, GME]"), "barred": ("[GME]", "[]"),
         "nickel_classes": ("[ZZZZ]", "[]")}


def gate(*args, data=b"", **more):
    return subprocess.run([GATE, *args], input=data, capture_output=True, timeout=240, **more)


def settings():
    for rule in json.loads(gate("rules", "--json").stdout):
        for setting in rule["settings"] or []:
            yield rule, setting


def two_values(rule, setting):
    """A strict one, and a looser one not far from it."""
    kind, higher = setting["kind"], setting["stricter"] == "higher"
    if kind == "choice":
        return setting["choices"][-1], setting["choices"][0]
    if kind == "words":
        if (rule["id"], setting["key"]) == ("allowed-terms", "barred"):
            return "[Market]", "[]"
        return WORDS.get(setting["key"], ("[]", "[AAPL]"))
    lower, upper = {"duration": ("10s", "20s"), "percent": ("76%", "80%") if higher else ("3%", "4%"),
                    "money": ("4", "5") if higher else ("5000", "6000"), "integer": ("50", "60")}[kind]
    if setting["key"] == "stock_tick":
        lower, upper = "0.005", "0.01"
    elif setting["key"].startswith("fee_") or setting["key"] == "locate_cost":
        lower, upper = "0.4", "0.5"
    elif setting["most"] == "4":
        lower, upper = "2", "3"
    return (upper, lower) if higher else (lower, upper)


class Diff(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = folder.name

    def file(self, name, text):
        path = os.path.join(self.dir, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text if isinstance(text, str) else json.dumps(text))
        return path

    def policy(self, name, rules, more="extends: [default]\n"):
        return self.file(name + ".yaml", f"ordergate: 1\nname: {name}\n{more}rules:\n" + "".join(f"  {r}\n" for r in rules))

    def diff(self, *args, code=None):
        done = gate("policy", "diff", "--format", "json", *args)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def limits(self, before=50000, after=60000):
        return [self.policy(n, [f"order-notional: {{level: refuse, most: {m}}}"]) for n, m in (("a", before), ("b", after))]

    # --- what is found

    def finds(self, rule, setting):
        others = ""
        for other in rule["settings"]:  # exits bind where something does
            if other is not setting and (setting["key"] == "exits" or other["default"] is None) and other["kind"] != "choice":
                others += f", {other['key']}: {two_values(rule, other)[0]}"
        name = f"{rule['id']}.{setting['key']}"
        pair = [self.policy(f"{name}.{i}", [f"{rule['id']}: {{level: refuse, {setting['key']}: {value}{others}}}"])
                for i, value in enumerate(two_values(rule, setting))]
        for count in (FEW, "10000"):
            found = self.diff("--generate", count, *pair)
            if found["groups"]:
                break
        wrong = [g["rule"] for g in found["groups"] if g["rule"] not in (rule["id"], "size-limit")]
        said = [s["path"] for s in found["settings"]]
        return name, bool(found["groups"]), wrong, said == [f"rules.{name}"]

    def test_every_setting_that_is_loosened_is_found(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda pair: self.finds(*pair), settings()))
        self.assertGreater(len(done), 90)
        self.assertEqual([name for name, found, _, _ in done if not found], [], "not found")
        self.assertEqual([(name, wrong) for name, _, wrong, _ in done if wrong], [], "found in another rule")
        self.assertEqual([name for name, _, _, said in done if not said], [], "settings that differ")

    def test_a_rule_that_is_turned_off_is_found(self):
        for rule, more in (("market-hours", ""), ("order-quantity", ""), ("close-position", ""), ("option-level", ""),
                           ("mleg-structure", ""), ("time-in-force", ""), ("symbol-form", ""), ("locate-sell", ""),
                           ("trading", ""), ("self-cross", ""), ("order-notional", ", most: 5000"), ("buying-power", "")):
            pair = [self.policy(level, [f"{rule}: {{level: {level}{more}}}"]) for level in ("refuse", "off")]
            found = self.diff("--generate", "4000", *pair)
            self.assertIn(rule, [g["rule"] for g in found["groups"]], rule)

    def test_overrides_ages_and_modes(self):
        plain = "order-quantity-limit: {level: refuse, shares: 100}"
        other = "order-quantity-limit: {level: refuse, shares: 100, overrides: [{match: {symbol: '^(IBM|QQQ)$'}, shares: 1000}]}"
        for before, after, more in (([plain], [other], ("", "")), ([plain], [plain], ("", "mode: warn\n")),
                                    ([plain], ["order-quantity-limit: {level: refuse, shares: 100, mode: shadow}"], ("", "")),
                                    (["borrow-locate: refuse"], ["borrow-locate: refuse"],
                                     ("unsure: refuse\nmax_age: {borrow: 5m}\n", "unsure: refuse\nmax_age: {borrow: 10m}\n"))):
            pair = [self.policy(n, r, "extends: [default]\n" + m) for n, r, m in (("a", before, more[0]), ("b", after, more[1]))]
            self.assertGreater(self.diff("--generate", "4000", *pair, code=1)["loosened"], 0, (before, after, more))

    OWN = ("lists: {meme: [GME, AMC]}\ncustom:\n"
           "  - {id: no-cheap-shorts, when: order.action == 'Short', require: 'order.limitPrice >= 5.0 && !(order.symbol in lists.meme)'}\n"
           "  - {id: small-account, require: account.equity >= 30000.0}\n"
           "  - {id: late, require: session.minutesToClose > 15, until: 2026-02-01T00:00:00Z, reason: x}\n")

    def test_own_rules(self):
        before = self.file("before.yaml", "ordergate: 1\nextends: [default]\n" + self.OWN)
        for old, new, rule in ((">= 5.0", ">= 4.0", "no-cheap-shorts"), ("GME, AMC", "GME", "no-cheap-shorts"), ("30000.0", "25000.0",
                               "small-account"), ("> 15", "> 10", "late"), ("2026-02-01", "2026-01-20", "late")):
            after = self.file("after.yaml", "ordergate: 1\nextends: [default]\n" + self.OWN.replace(old, new))
            found = self.diff("--generate", "4000", before, after, code=1)
            self.assertGreater(found["loosened"], 0, (old, new))
            self.assertEqual({g["rule"] for g in found["groups"]}, {rule}, (old, new))

    # --- a policy and itself

    def test_a_policy_does_not_differ_from_itself_nor_from_what_it_is_shown_as(self):
        own = self.policy("own", ["order-quantity-limit: {level: refuse, shares: 100, overrides: [{match: {symbol: IBM}, shares: 7}]}",
                                  "price-collar: {away: 2%, unsure: refuse}", "time-window: {level: warn, windows: ['09:30-16:00']}"])
        for name in (*SHIPPED, own):
            shown = self.file("shown.yaml", gate("policy", "show", name).stdout.decode())
            for other in (name, shown):
                found = self.diff("--generate", "1500", name, other, code=0)
                self.assertEqual((found["orders"], found["loosened"], found["tightened"], found["noted"], found["settings"],
                                  found["groups"]), (1500, 0, 0, 0, [], []), (name, other))

    def test_the_other_way_round_what_was_loosened_is_tightened(self):
        a, b = self.limits()
        there, back = self.diff("--generate", "3000", a, b, code=1), self.diff("--generate", "3000", b, a, code=0)
        self.assertGreater(there["loosened"], 10)
        self.assertGreater(back["tightened"], 10)
        self.assertEqual((there["tightened"], back["loosened"]), (0, 0))

    def test_the_same_seed_makes_the_same_orders(self):
        a, b = self.limits()
        runs = [gate("policy", "diff", "--generate", "1000", "--seed", seed, "--all", a, b).stdout for seed in ("7", "7", "8")]
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_an_example_shows_what_it_says(self):
        """Order, facts and time of each example, given to check, are decided as told."""
        a, b = self.limits()
        found = self.diff("--generate", "2000", a, b, code=1)
        example, = [e for g in found["groups"] if g["change"] == "loosened" for e in g["examples"][:1]]
        facts = self.file("facts.json", example["facts"])
        line = json.dumps(example["order"]).encode()
        for policy, verdict in ((a, "refuse"), (b, "accept")):
            d = json.loads(gate("check", "-p", policy, "-f", facts, "--at", example["at"], data=line).stdout)
            self.assertEqual(d["verdict"], verdict)
            if verdict == "refuse":
                self.assertIn(example["message"], [f["message"] for f in d["findings"]])

    # --- sources

    ORDER = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
             "orderQuantity": 100, "timeInForce": "Day", "limitPrice": 550, "clientOrderId": "a1", "route": "SMART"}

    def test_orders_of_a_file(self):
        a, b = self.limits()
        lines = [self.ORDER, {**self.ORDER, "limitPrice": 5}, {"op": "quote", "symbol": "AAPL", "bid": 1, "ask": 700, "last": 1},
                 {k: v for k, v in self.ORDER.items() if k != "limitPrice"} | {"orderType": "Market"}, {"op": "heartbeat"}, [1]]
        orders = self.file("orders.ndjson", "".join(json.dumps(x) + "\n" for x in lines))
        found = self.diff("--orders", orders, "--at", AT, a, b, code=1)
        self.assertEqual((found["orders"], found["loosened"], found["tightened"]), (6, 1, 0))
        group, = [g for g in found["groups"] if g["change"] == "loosened"]
        self.assertEqual((group["rule"], group["reason"], group["from"], group["to"], group["count"]),
                         ("order-notional", "notional-above-limit", "refuse", "none", 1))
        self.assertEqual(group["examples"], [{"order": self.ORDER, "at": AT,
                                              "message": "order is worth 55000, the desk allows 50000"}])
        self.assertEqual(self.diff("--orders", orders, "--at", AT, b, a, code=0)["tightened"], 1)
        self.diff("--orders", orders, "--at", AT, "--allow-loosening", a, b, code=0)

    def test_text(self):
        a, b = self.limits()
        orders = self.file("orders.ndjson", self.ORDER)
        done = gate("policy", "diff", "--orders", orders, "--at", AT, a, b)
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        self.assertEqual(done.stdout.decode(), "settings that differ:\n"
                         "rules.order-notional.most: 50000 -> 60000, looser\n\n"
                         "loosened, refused before and accepted after:\n"
                         "order-notional notional-above-limit: refuse -> none, 1 order\n"
                         f"  {json.dumps(self.ORDER)}\n    at {AT}\n    order is worth 55000, the desk allows 50000\n\n"
                         "1 orders decided by both: 1 loosened, 0 tightened, 0 with other findings\n")

    def test_other_findings_do_not_count_as_loosening(self):
        pair = [self.policy(n, [f"order-quantity-limit: {{level: {level}, shares: 10}}"]) for n, level in (("a", "warn"), ("b", "off"))]
        orders = self.file("orders.ndjson", self.ORDER)
        found = self.diff("--orders", orders, "--at", AT, *pair, code=0)
        self.assertEqual((found["loosened"], found["noted"]), (0, 1))
        self.assertEqual([(g["change"], g["from"], g["to"]) for g in found["groups"]], [("noted", "warn", "none")])

    def test_facts_given_win(self):
        facts = self.file("facts.json", {"accountId": "MINE", "pnl": {"dayPnl": -4500}})
        pair = [self.policy(n, [f"day-loss: {{level: refuse, most: {m}}}"]) for n, m in (("a", 4000), ("b", 5000))]
        found = self.diff("--generate", "500", "-f", facts, *pair, code=1)
        self.assertGreater(found["loosened"], 250)  # whatever else is made, that is lost
        self.assertEqual({e["order"]["accountId"] for g in found["groups"] for e in g["examples"] if "op" not in e["order"]}, {"MINE"})

    def test_a_ledgers_export(self):
        a, b = self.limits()
        row = {"seq": 1, "at": AT, "run": "r", "accountId": "L1", "clientOrderId": "a1", "state": "intended", "outcome": None}
        rows = [{**row, "record": "decision", "detail": {"verdict": "accept"}}, {**row, "record": "intent", "detail": self.ORDER},
                {**row, "record": "decision", "outcome": "refused", "detail": {"verdict": "refuse"}}]
        ledger = self.file("ledger.ndjson", "".join(json.dumps(r) + "\n" for r in rows))
        found = self.diff("--ledger", ledger, a, b, code=1)
        self.assertEqual((found["orders"], found["loosened"]), (1, 1))
        example = found["groups"][0]["examples"][0]
        self.assertEqual((example["at"], example["order"]["accountId"]), (AT, "L1"))
        text = gate("policy", "diff", "--ledger", ledger, a, b).stdout.decode()
        self.assertIn("decided by no facts: what needs any is unsure; 1 refused orders left out", text)
        for broken in ("{}", "[", '{"record":"intent","at":"%s","detail":5}' % AT):
            done = gate("policy", "diff", "--ledger", self.file("broken", broken), a, b)
            self.assertIn(done.returncode, (4,) if not broken.endswith("5}") else (0, 1, 4), (broken, done))

    # --- how it is asked

    def test_usage(self):
        a, b = self.limits()
        for args in ([], [a], [a, b, a], ["--orders", "x", "--ledger", "y", a, b], ["--generate", "-1", a, b], ["--format", "xml", a, b],
                     ["--at", "noon", a, b], ["--seed", "x", a, b], ["--nothing", a, b]):
            self.assertEqual(gate("policy", "diff", *args).returncode, 2, args)
        self.assertEqual(gate("policy", "diff", "--help").returncode, 0)
        self.assertEqual(gate("policy", "diff", a, "there-is-none").returncode, 3)
        self.assertEqual(gate("policy", "diff", a, self.file("bad.yaml", "ordergate: 2\n")).returncode, 3)
        self.assertEqual(gate("policy", "diff", "-f", self.file("bad.json", "["), a, b).returncode, 3)
        self.assertEqual(gate("policy", "diff", "--orders", os.path.join(self.dir, "none"), a, b).returncode, 4)
        with open("/dev/full", "w") as full:
            done = subprocess.run([GATE, "policy", "diff", "--generate", "10", a, b], stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 4)


if __name__ == "__main__":
    unittest.main()
