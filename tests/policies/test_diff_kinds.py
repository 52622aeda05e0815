#!/usr/bin/env python3
"""ordergate policy diff: the verdict on each kind of orders, what is proved about it, and the exit codes.

In random pairs of policies, no order shows something that a verdict says is proved not to happen. OG_SEED and OG_COUNT
select other pairs, and how many.
"""
import concurrent.futures
import json
import os
import random
import re
import unittest

from policy_case import PolicyCase
import rule_corpus
from test_random import CASES, Maker
from tries import tries

STOCKS = ["stock buy", "stock sell", "stock short", "stock cover"]
OPTIONS = ["option buy", "option write", "option close"]
ORDERS = STOCKS + OPTIONS + ["spread", "replace"]
KINDS = ORDERS + ["cancel", "locate", "read"]
HEAD = "ordergate: 1\nextends: [default]\n"
SHORT, COVER = [f"order.action == '{action}' && order.securityType == 'Stock'" for action in ("Short", "Cover")]
OPAQUE = "!order.clientOrderId.matches(\"q{%d}(?=x)\")"  # lookahead: the prover leaves it alone


class Kinds(PolicyCase):
    SEED, COUNT = int(os.environ.get("OG_SEED", 20261124)), tries("OG_COUNT", 25)

    def diff(self, before, after, *more, count=0):
        done = self.gate("policy", "diff", "--format", "json", *(more or ("--generate", str(count))), before, after)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode, json.loads(done.stdout)

    def verdicts(self, before, after, count=0):
        """Returns {kind: (verdict, how)} of the kinds that are not proved the same; `how` says which of it is only
        possible."""
        pair = [self.file(f"{n}.yaml", HEAD + text) for n, text in (("a", before), ("b", after))]
        code, told = self.diff(*pair, count=count)
        self.assertEqual([k["kind"] for k in told["kinds"]], KINDS)
        for k in told["kinds"]:
            self.assertEqual(k["by"] == "proved", not k["perhaps"], k)
            self.assertLessEqual(k["proved"], k["rules"])
        return code, {k["kind"]: (k["verdict"], *k["perhaps"]) for k in told["kinds"]
                      if (k["verdict"], k["by"]) != ("same", "proved")}

    @staticmethod
    def own(when, require="false"):
        return f"custom: [{{id: own, when: {json.dumps(when)}, require: {json.dumps(require)}}}]\n"

    def test_verdicts_by_the_settings(self):
        of, low, high = "rules: {order-notional: {level: refuse, most: %d%s}}\n", 5000, 6000
        override = ", overrides: [{match: {%s}, most: %d}]"
        when = ", overrides: [{when: %s, most: %d}]"
        for before, after, code, wanted in (
                (of % (low, ""), of % (low, ""), 0, {}),
                (of % (low, ""), of % (high, ""), 1, dict.fromkeys(ORDERS, ("looser",))),
                (of % (high, ""), of % (low, ""), 0, dict.fromkeys(ORDERS, ("tighter",))),
                # an override concerns the kinds that it can apply to
                (of % (high, override % ("side: Sell, securityType: [Stock]", 100)),
                 of % (high, override % ("side: Sell, securityType: [Stock]", 90)), 0,
                 dict.fromkeys(["stock sell", "stock short", "replace"], ("tighter",))),
                (of % (high, when % (SHORT, 100)), of % (high, ""), 1,
                 dict.fromkeys(["stock short", "replace"], ("looser",))),
                (of % (high, when % ("order.securityType == 'Mleg'", 90)),
                 of % (high, when % ("order.securityType == 'Option' && order.openClose == 'Close'", 90)), 1,
                 dict.fromkeys(["option close", "spread", "replace"], ("same", "looser", "tighter"))),
                # a custom rule concerns the kinds in which it can find something, each by a proof of its own
                ("", self.own(COVER), 0, dict.fromkeys(["stock cover", "replace"], ("tighter",))),
                (self.own("order.opens && order.securityType == 'Option'"), "", 1,
                 dict.fromkeys(["option buy", "option write", "replace"], ("looser",))),
                (self.own("order.side == 'Buy'", "order.orderQuantity < 10"),
                 self.own("order.side == 'Buy'", "order.side == 'Buy' && order.openClose == 'Close' && "
                          "order.orderQuantity < 20 || order.orderQuantity < 5"), 1, None),
                (self.own(SHORT, OPAQUE % 3), self.own(SHORT, OPAQUE % 4), 1,
                 dict.fromkeys(["stock short", "replace"], ("same", "looser", "tighter"))),
                (of % (low, "") + self.own("order.securityType == 'Mleg'", OPAQUE % 3),
                 of % (4000, "") + self.own("order.securityType == 'Mleg'", OPAQUE % 4), 1,
                 {**dict.fromkeys(ORDERS, ("tighter",)), "spread": ("tighter", "looser"),
                  "replace": ("tighter", "looser")}),
                # rules for requests
                ("rules: {cancel-request: refuse}\n", "rules: {cancel-request: 'off'}\n", 1, {"cancel": ("looser",)}),
                ("rules: {locate-sell: refuse}\n", "rules: {locate-sell: 'off'}\n", 1, {"locate": ("looser",)}),
                # settings that concern every kind, and settings that concern none
                ("", "environment: live\n", 1, dict.fromkeys(KINDS, ("same", "looser", "tighter"))),
                (self.own("true", "order.orderQuantity < 5"), self.own("true", "order.orderQuantity < 5")[:-3]
                 + ", message: hello}]\n", 0, {}),
                ("lists: {a: [GME]}\n" + self.own(SHORT, "order.symbol in lists.a"),
                 "lists: {a: [GME, AMC]}\n" + self.own(SHORT, "order.symbol in lists.a"), 1,
                 dict.fromkeys(["stock short", "replace"], ("looser",)))):
            seen = self.verdicts(before, after)
            self.assertEqual(seen[0], code, (before, after, seen))
            if wanted is not None:
                self.assertEqual(seen[1], wanted, (before, after))

    def test_a_setting_that_other_rules_use(self):
        """The slippage setting counts in the exposure of market orders even if order-notional itself refuses
        nothing."""
        of = ("rules: {exposure: {level: refuse, gross: 10000}, "
              "order-notional: {level: %s, most: 1000, slippage: %s%s}}\n")
        more = ", overrides: [{match: {account: '(?=Q)ZZ'}, slippage: %s}]"
        for level in ("off", "warn", "info"):
            for loose, tight in ((of % (level, "0%", ""), of % (level, "5%", "")),
                                 (of % (level, "1%", more % "2%"), of % (level, "1%", more % "3%")),
                                 (of % (level, "1%", ""), of % (level, "1%", more % "3%")),
                                 (of % (level, "1%", more % "2%, mode: shadow"), of % (level, "1%", more % "3%"))):
                self.assertEqual(self.verdicts(tight, loose), (1, dict.fromkeys(ORDERS, ("looser",))), (tight, loose))
                code, seen = self.verdicts(loose, tight)
                self.assertEqual((code, {v[0] for v in seen.values()}), (0, {"tighter"}), (loose, tight))
        without = "rules: {exposure: {level: refuse, gross: 10000}, order-notional: off}\n"
        seen = self.verdicts(of % ("off", "5%", ""), without)
        self.assertEqual(seen, (1, dict.fromkeys(ORDERS, ("looser",))))

    def test_a_requirement_that_holds_is_no_finding(self):
        """It is unknown whether the rule applies to the order, but no finding is unsure."""
        equity = "account.equity > 0.0 || account.equity <= 0.0"  # true or unknown
        one = "unsure: refuse\ncustom: [{id: own, when: %s, require: %s}]\n"
        for when, require in (("account.equity > 3.0", "order.orderQuantity > 0"), ("account.equity > 3.0", "true"),
                              ("quote.bid > 3.0 && account.equity > 3.0", "order.orderQuantity >= 1"),
                              ("account.equity > 3.0", "order.orderQuantity <= 1000000")):
            pair = one % ("true", json.dumps(equity)), one % (json.dumps(when), json.dumps(require))
            code, seen = self.verdicts(*pair)
            self.assertEqual((code, {v[0] for v in seen.values()}), (1, {"looser"}), (when, require, seen))

    def test_orders_decide_what_is_not_proved(self):
        a, b = [self.own(SHORT, f"order.orderQuantity % {n} == 1") for n in (9, 11)]
        self.assertEqual(self.verdicts(a, b)[1]["stock short"], ("same", "looser", "tighter"))
        code, seen = self.verdicts(a, b, count=3000)
        self.assertEqual((code, seen["stock short"]), (1, ("neither",)))

    def test_exit_codes(self):
        pair = [self.file(f"{n}.yaml", HEAD + self.own("true", OPAQUE % n)) for n in (30, 31)]
        looser = [self.file(f"{n}.yaml", HEAD + f"rules: {{order-notional: {{level: refuse, most: {n}}}}}\n")
                  for n in (5000, 6000)]
        for args, of, code in (([], pair, 1), (["--strict"], pair, 1), (["--allow-unproved"], pair, 0),
                               (["--allow-loosening"], pair, 0), (["--allow-unproved", "--strict"], pair, 2),
                               (["--allow-unproved"], looser, 1), (["--allow-loosening"], looser, 0),
                               ([], looser[::-1], 0), ([], looser[:1] * 2, 0)):
            done = self.gate("policy", "diff", "--generate", "50", *args, *of)
            self.assertEqual(done.returncode, code, (args, of, done))

    def test_text(self):
        pair = [self.file(f"{n}.yaml", HEAD + self.own(SHORT, OPAQUE % n)) for n in (30, 31)]
        lines = self.gate("policy", "diff", "--generate", "200", *pair).stdout.decode().splitlines()
        self.assertEqual(lines[0].split(),
                         ["kind", "verdict", "by", "rules", "proved", "orders", "loosened", "tightened"])
        self.assertRegex(lines[1], r"^stock buy +same +proved +(\d+) of \1 +\d+ +0 +0$")
        self.assertRegex(lines[3],
                         r"^stock short +same +sampled +\d+ of \d+ +\d+ +0 +0  perhaps looser, perhaps tighter$")
        self.assertEqual([line[:13].strip() for line in lines[1:13]], KINDS)

    # --- random pairs

    def pair(self, seed, deciding):
        """Returns a policy, and the same with some rules of another policy."""
        rng = random.Random(seed)
        base = f"[{rng.choice(['live', 'default', 'cautious'])}]"
        text, other = [Maker(s, deciding).policy(0.3, extends=base)[0] for s in (seed, seed + 10**9)]
        if rng.random() < 0.3:
            return text, other
        lines = []
        for line in text.splitlines():
            found = re.match(r"  [a-z-]+: ", line)
            if found and rng.random() < 0.15:
                line = next((o for o in other.splitlines() if o.startswith(found[0])), "")
            lines += [line] if line else []
        return text, "\n".join(lines) + "\n"

    def stream(self, rng):
        lines = []
        for _, _, line, facts in rng.sample(CASES, 40):
            for text in facts:
                try:
                    document = rule_corpus.exact(text)
                except ValueError:
                    continue
                if isinstance(document, dict) and "op" not in document:
                    lines.append(rule_corpus.text_of({"op": "facts", **document}))
            lines.append(line.replace("\n", " "))
        return "\n".join(lines)

    def claims(self, of):
        """Returns how many claims there were; 0 if the policies do not load."""
        seed, deciding = of
        names = [self.file(f"{seed}{n}.yaml", text) for n, text in zip("ab", self.pair(seed, deciding))]
        if self.gate("policy", "digest", names[0]).returncode or self.gate("policy", "digest", names[1]).returncode:
            return 0
        stream = self.file(f"{seed}.ndjson", self.stream(random.Random(seed)))
        claimed = self.diff(*names)[1]["kinds"]
        made = 0
        for source in (["--generate", "500", "--seed", str(seed)],
                       ["--orders", stream, "--at", "2026-01-15T17:00:00Z"]):
            for claim, seen in zip(claimed, self.diff(*names, *source)[1]["kinds"]):
                for never, other, count in (("looser", "tighter", "loosened"), ("tighter", "looser", "tightened")):
                    if claim["verdict"] in ("same", other) and never not in claim["perhaps"]:
                        made += 1
                        self.assertEqual(seen[count], 0, (seed, names, claim, seen))
        return made

    def test_no_order_contradicts_a_verdict(self):
        deciding = [r for r in json.loads(self.gate("rules", "--json").stdout) if "order" in r["decides"]]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            made = list(pool.map(self.claims, [(s, deciding) for s in range(self.SEED, self.SEED + self.COUNT)]))
        self.assertGreater(sum(made), 10 * self.COUNT)


if __name__ == "__main__":
    unittest.main()
