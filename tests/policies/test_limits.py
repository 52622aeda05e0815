#!/usr/bin/env python3
"""Files made to be too large or too complex: each gets a clear answer, in bounded time and memory. The bounds are
generous; a cost that grows with the square of the file would be far beyond them."""
import json
import resource
import subprocess
import unittest

from policy_case import GATE, PolicyCase, order

CPU = 20                 # seconds; all of them take less than one
MEMORY = 1 << 30         # bytes of address space, for builds without a sanitizer
with open(GATE, "rb") as gate:
    SANITIZED = b"__asan_init" in (bytes_of := gate.read()) or b"__tsan_init" in bytes_of
MANY = 100000


def bounds():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class Limits(PolicyCase):
    def told(self, text, *args):
        """Returns the last line that lint prints."""
        p = self.policy(text)
        done = subprocess.run([GATE, *(args or ("lint",)), p], capture_output=True, cwd=self.dir.name, timeout=600,
                              check=False, preexec_fn=bounds)
        self.assertEqual(done.returncode, 1, done.stderr)
        lines = done.stdout.decode().splitlines()
        return lines[-1].split(":", 1)[1], len(lines)

    def test_a_hundred_thousand_rules(self):
        rules = "".join(f"  rule-{i}: refuse\n" for i in range(MANY))
        self.assertEqual(self.told("rules:\n" + rules),
                         ("1004:3: error: there are more than 1000 errors and warnings: the rest is not reported "
                          "[too-many]", 1001))
        custom = "".join(f"  - id: rule-{i}\n    require: order.limitPrice >= {i}.0\n" for i in range(MANY))
        self.assertEqual(self.told("custom:\n" + custom),
                         ("4:3: error: here are 100000 custom rules, a policy has at most 10000 [too-many]", 1))

    def test_a_hundred_thousand_wrong_ones_of_each_kind(self):
        cut = ": error: there are more than 1000 errors and warnings: the rest is not reported [too-many]"
        self.assertEqual(self.told("".join(f"key-{i}: 1\n" for i in range(MANY))), ("1003:1" + cut, 1001))
        self.assertEqual(self.told("rules: {}\n" * MANY), ("1004:1" + cut, 1001))
        self.assertEqual(self.told("custom:\n" + "".join(f"  - {{id: r{i}, require: nothing.{i}}}\n"
                                                         for i in range(9999)))[1], 1001)
        self.assertEqual(self.told("lists:\n" + "".join(f"  l{i}: [A]\n" for i in range(MANY)))[1], 1001)
        items = "".join("      - {match: {symbol: A}, away: 1%}\n" for _ in range(MANY))
        self.assertIn("rule 'price-collar' has 100000 overrides, most allowed is 1000 [too-many]",
                      self.told(f"rules:\n  price-collar:\n    overrides:\n{items}")[0])

    def test_ten_thousand_rules_are_used(self):
        rules = "".join(f"  - {{id: r{i}, require: order.orderQuantity != {i}}}\n" for i in range(10000))
        p = self.policy("custom:\n" + rules)
        found = self.decide(p, [order(orderQuantity=q) for q in (5, 20000)], preexec_fn=bounds)
        self.assertEqual([[f["rule"] for f in d["findings"]] for d in found], [["r5"], []])
        self.shows_as_itself(p)

    def test_layers_over_many_locked_rules(self):
        rules = "".join(f"  - {{id: r{i}, require: \"true\", lock: true}}\n" for i in range(10000))
        self.policy("custom:\n" + rules, "base.yaml")
        for n in range(20):
            self.policy("custom:\n  - {id: r1, level: refuse}\n", f"l{n}.yaml",
                        extends=f"[{'l%d' % (n - 1) if n else 'base'}.yaml]")
        p = self.policy("custom:\n" + rules.replace(", lock: true", ", level: warn"), extends="[l19.yaml]")
        done = subprocess.run([GATE, "lint", p], capture_output=True, timeout=600, check=False, preexec_fn=bounds)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, 1001))

    def test_overrides_of_a_locked_rule(self):
        items = "".join(f"      - {{match: {{symbol: S{i}, account: \"A.*{i}\"}}, most: {i + 1}}}\n"
                        for i in range(500))
        rule = f"rules:\n  order-notional:\n    level: refuse\n    most: 5\n    lock: true\n    overrides:\n{items}"
        self.policy(rule, "base.yaml")
        p = self.policy(rule, extends="[base.yaml]")
        done = subprocess.run([GATE, "policy", "digest", p], capture_output=True, timeout=600, check=False,
                              preexec_fn=bounds)
        self.assertEqual(done.returncode, 0, done.stderr[:500])
        p = self.policy(rule.replace("symbol: S", "symbol: T"), "more.yaml", extends=f"[{p}]")
        self.assertIn("has 1500 overrides, most allowed is 1000 [too-many]", " ".join(self.faults(p)))

    def test_a_symbol_in_small_letters_is_no_way_round(self):
        """Overrides that tighten, barred words, contracts and legs cannot be evaded by small letters; the policy live
        sends no symbol in small letters at all."""
        tight = "rules: {order-notional: {level: refuse, most: 50000, overrides: [{match: {symbol: %s}, most: 0}]}}\n"
        for pattern in ("GME", "^GME$", "(GME|AMC)", "G.E"):
            p = self.policy(tight % f'"{pattern}"')
            for symbol in ("GME", "gme", "Gme", "gMe"):
                self.assertIn(("notional-above-limit", "refuse"), self.reasons(p, order(symbol=symbol)),
                              (pattern, symbol))
            self.assertNotIn(("notional-above-limit", "refuse"), self.reasons(p, order(symbol="gmee")))
        p = self.policy("rules: {allowed-symbols: {level: refuse, barred: [GME]}}\n")
        leg = {"side": "Buy", "openClose": "Open", "ratio": 1}
        spread = order(securityType="Mleg", symbol="AAPL", side=None, openClose=None,
                       legs=[dict(leg, symbol="AAPL260220C00250000", securityType="Option"),
                             dict(leg, symbol="gme260220c00025000", securityType="Option", side="Sell")])
        option = order(securityType="Option", symbol="gme260220p00025000")
        for line in (order(symbol="gme"), option, spread):
            self.assertIn(("symbol-barred", "refuse"), self.reasons(p, line))
        for policy in ("live", "cautious"):
            for line in (order(symbol="gme"), option, spread):
                self.assertIn(("symbol-not-uppercase", "refuse"), self.reasons(policy, line))
            self.assertNotIn("symbol-not-uppercase", [f[0] for f in self.reasons(policy, order(symbol="GME"))])

    def test_own_rules_ask_for_a_symbol_however_it_is_written(self):
        """A symbol in any spelling meets ==, short and long lists, patterns, roots of contracts and legs, and
        conditions of overrides."""
        self.file("long.txt", "".join(f"W{i}\n" for i in range(20)) + "GME\n")
        option = dict(securityType="Option", openClose="Open", limitPrice=1, orderQuantity=1)
        legs = [{"symbol": "gme260220P00010000", "side": "Sell", "ratio": 1, "openClose": "Open"},
                {"symbol": "GME260220P00005000", "side": "Buy", "ratio": 1, "openClose": "Open"}]
        spread = json.dumps({"securityType": "Mleg", "symbol": "GME", "orderType": "Limit", "orderQuantity": 1,
                             "timeInForce": "Day", "limitPrice": -1, "legs": legs})
        often = "||".join(['order.symbol==""'] * 800 + ['order.symbol == "GME260220P00010000"'])
        for condition in ('order.symbol == "GME"', "order.symbol in lists.few", "order.symbol in lists.many",
                          'order.symbol.startsWith("G")', 'order.symbol.matches("^GM.$")', 'order.underlying == "GME"',
                          'order.underlying in ["AMC", "GME"]', '"GME" == order.symbol + ""'):
            lists = "lists: {few: [AMC, GME], many: {file: long.txt}}\n"
            own = self.policy(f"{lists}custom:\n  - {{id: no-gme, require: '!({condition})'}}\n", extends="[default]")
            for symbol in ("GME", "gme", "Gme"):
                self.assertIn(("no-gme", "refuse"), self.reasons(own, order(symbol=symbol)), (condition, symbol))
            self.assertNotIn(("no-gme", "refuse"), self.reasons(own, order(symbol="xgme")), condition)
            over = self.policy(f"{lists}rules:\n  order-notional: {{level: refuse, most: 50000, overrides: "
                               f"[{{when: '{condition}', most: 9}}]}}\n", extends="[default]")
            self.assertIn(("notional-above-limit", "refuse"), self.reasons(over, order(symbol="gme")), condition)
        for condition, line in (('order.underlying == "GME"', order(symbol="gme260220P00010000", **option)),
                                ('order.symbol == "GME260220P00010000"', order(symbol="gme260220P00010000", **option)),
                                (often, order(symbol="gme260220P00010000", **option)),
                                ('order.legs.exists(l, l.symbol == "GME260220P00010000")', spread),
                                ('order.legs.all(l, l.underlying == "GME")', spread)):
            own = self.policy(f"custom:\n  - {{id: no-gme, require: '!({condition})'}}\n", extends="[default]")
            self.assertIn(("no-gme", "refuse"), self.reasons(own, line), condition)

    def test_a_limit_that_is_on_limits_something(self):
        """Every rule that needs a value to find anything, when it is on: by itself, over live, with exits only, and in
        an override."""
        wide = {"allowed-symbols": "barred: []", "allowed-terms": "routes: []", "day-loss": "drawdown: 1000000000000",
                "group-limit": "limits: []", "weighted-exposure": "limits: []",
                "exposure": "short: 1000000000000", "open-orders": "of_symbol: 1000000000",
                "option-contracts": "in_total: 1000000000", "order-quantity-limit": "contracts: 1000000000",
                "order-rate": "a_day: 1000000000", "position-limit": "contracts: 1000000000",
                "price-floor": "option: 0", "tag-limits": "a_day: 1000000000",
                "traded-limit": "underlying_window_shares: 1000000000",
                "short-sales": "least_price: 0", "time-window": "windows: []", "uncovered-options": "allow: any"}
        on = [r["id"] for r in json.loads(self.gate("rules", "--json").stdout)
              if self.gate("policy", "digest", self.policy(f"rules: {{{r['id']}: refuse}}\n")).returncode]
        self.assertEqual(sorted(on), sorted([*wide, "order-notional"]))
        for rule, value in wide.items():
            with self.subTest(rule):
                for text in (f"{rule}: warn", f"{rule}: {{level: refuse}}", f"{rule}: {{level: refuse, lock: true}}",
                             f"{rule}: {{reasons: {{{self.reason_of(rule)}: refuse}}, level: info}}",
                             f"{rule}: {{level: refuse, overrides: [{{match: {{side: Buy}}, level: warn}}]}}"):
                    found = self.faults(self.policy(f"rules: {{{text}}}\n", extends="[default]"))
                    self.assertEqual([line.rsplit(" ", 1)[1] for line in found], ["[setting-missing]"], text)
                for text in (f"{rule}: off", f"{rule}: {{level: refuse, {value}}}",
                             f"{rule}: {{level: refuse, overrides: [{{match: {{side: Buy}}, {value}}}]}}"):
                    p = self.policy(f"rules: {{{text}}}\n", extends="[default]")
                    self.assertEqual(self.gate("policy", "digest", p).returncode, 0, text)
                    self.shows_as_itself(p)
                p = self.policy(f"rules: {{{rule}: {{level: refuse, {value}}}}}\n", extends="[default]")
                self.assertIn(b"[limit-none]", self.gate("lint", p).stdout)
                self.policy(f"rules: {{{rule}: {{{value}}}}}\n", "values.yaml")
                p = self.policy(f"rules: {{{rule}: refuse}}\n", extends="[default, values.yaml]")
                self.assertEqual(self.gate("policy", "digest", p).returncode, 0)

    def reason_of(self, rule):
        rules = json.loads(self.gate("rules", "--json").stdout)
        return next(r for r in rules if r["id"] == rule)["reasons"][0]["id"]

    def test_a_billion_laughs(self):
        laughs = "a: &a [lol]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 10)}]\n"
                                           for i in range(9))
        last, count = self.told(laughs)
        self.assertRegex(last, r"error: .* \[(yaml-alias|unknown-key)\]$")
        self.assertLess(count, 130)

    def test_a_megabyte_of_nesting(self):
        for text in ("[" * 1000000, "{a: " * 250000, "- " * 500000):
            self.assertRegex(self.told("custom: " + text if text[0] != "-" else "custom:\n  " + text)[0],
                             r"^\d+:\d+: error: nested deeper than 32 \[yaml-too-deep\]$")
        for text in ("(" * 15000, "!" * 15000, "[" * 15000, "1" + "+1" * 7000, "order.symbol in [" * 900):
            last, count = self.told(f"custom:\n  - {{id: a, require: '{text}'}}\n")
            self.assertEqual(count, 1, last)
            self.assertRegex(last, r"^4:\d+: error: .* \[expression-[a-z-]+\]$")

    def test_more_than_a_policy_may_have(self):
        done = self.gate("lint", self.policy("#" * (16 << 20)))
        self.assertEqual((done.returncode, done.stderr[-20:]), (4, b" larger than 16 MiB\n"))
        self.assertRegex(self.told("lists: {l: [" + "a," * 2000001 + "]}")[0],
                         r"error: more than 2000000 values \[yaml-too-large\]$")
        self.file("l.txt", "".join(f"a-long-word-number-{i}\n" for i in range(600000)))
        self.assertRegex(self.told("lists: {l: {file: l.txt}}\n")[0],
                         r"error: the policy has \d+ bytes, counting .*; at most 16777216 are allowed \[too-large\]$")


if __name__ == "__main__":
    unittest.main()
