#!/usr/bin/env python3
"""Tags: where an order's strategy is found, and overrides, expressions and locks by strategy."""
import json
import unittest

from policy_case import PolicyCase, order

BY_TAG = """rules:
  order-tag: {level: refuse, %s}
  order-notional:
    level: refuse
    most: 5
    overrides:
      - match: {tag: mm}
        most: 10000
      - match: {tag: alpha}
        most: 40000
      - match: {tag: "^$"}
        most: 1
custom:
  - id: desk2-notional
    when: account.id == "DESK2" && !order.reduces
    require: order.notional <= 20000
  - id: no-options-of-mm
    require: order.tag != "mm" || order.securityType == "Stock"
"""


class Tags(PolicyCase):
    def refusals(self, policies, *args, facts="{}", **keys):
        more = [a for p in ([policies] if isinstance(policies, str) else policies) for a in ("-p", p)]
        done = self.gate("check", "--at", "2026-01-15T17:00:00Z", "-f", self.file("f.json", facts), *more, *args,
                         input=order(**keys).encode())
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = json.loads(done.stdout)
        return found.get("tag"), sorted(f["reason"] for f in found["findings"] if f["level"] == "refuse")

    def test_where_it_is_found(self):
        for settings, args, keys, tag, reasons in (
                ("known: [mm, alpha]", (), {"tag": "mm"}, "mm", []),
                ("known: [mm, alpha]", (), {"tag": "zz"}, None, ["notional-above-limit", "tag-unknown"]),
                ("known: [mm, alpha]", (), {}, None, ["notional-above-limit", "tag-missing"]),
                ("known: [mm, alpha]", ("--tag", "mm"), {}, "mm", []),
                ("known: [mm, alpha]", ("--tag", "mm"), {"tag": "alpha"}, "mm", ["tag-conflict"]),
                ("from: prefix", (), {"clientOrderId": "alpha-1", "tag": "mm"}, "alpha", []),
                ("from: prefix, separator: dot", (), {"clientOrderId": "alpha.1"}, "alpha", []),
                ("from: prefix", ("--tag", "mm"), {"clientOrderId": "alpha-1"}, "mm", ["tag-conflict"]),
                ("from: prefix", ("--tag", "mm"), {"clientOrderId": "1"}, "mm", []),
                ("from: client", (), {"tag": "mm"}, None, ["notional-above-limit", "tag-missing"]),
                ("from: client", ("--tag", "mm"), {}, "mm", []),
                ("from: client", ("--tag", "mm"), {"tag": "alpha"}, "mm", ["tag-conflict"])):
            with self.subTest(settings=settings, args=args, keys=keys):
                p = self.policy(BY_TAG % settings)
                self.assertEqual(self.refusals(p, *args, **keys), (tag, reasons))
        self.shows_as_itself(self.policy(BY_TAG % "known: [mm], separator: colon"))

    def test_a_client_cannot_be_escaped_where_the_rule_is_off(self):
        p = self.policy(BY_TAG.replace("level: refuse, %s", "level: off"))
        self.assertEqual(self.refusals(p, "--tag", "mm", tag="alpha", orderQuantity=1001),
                         ("mm", ["notional-above-limit"]))

    def test_limits_by_tag_and_by_account(self):
        """Both sides of each bound: an account's bound holds whatever the strategy, and the strategy's whatever the
        account."""
        p = self.policy(BY_TAG % "known: [mm, alpha]")
        desk2 = '{"accountId":"DESK2","account":{"account":"DESK2","accountType":"Live","accountStatus":"Active"}}'
        for facts, tag, quantity, reasons in (
                ("{}", "mm", 1000, []), ("{}", "mm", 1001, ["notional-above-limit"]),
                ("{}", "alpha", 4000, []), ("{}", "alpha", 4001, ["notional-above-limit"]),
                (desk2, "alpha", 2000, []), (desk2, "alpha", 2001, ["desk2-notional"]),
                (desk2, "mm", 1000, []), (desk2, "mm", 1001, ["notional-above-limit"])):
            with self.subTest(tag=tag, quantity=quantity, facts=facts):
                self.assertEqual(self.refusals(p, facts=facts, tag=tag, orderQuantity=quantity)[1], reasons)
        contract = {"securityType": "Option", "symbol": "SPY260220C00500000", "orderQuantity": 1}
        self.assertEqual(self.refusals(p, tag="mm", **contract)[1], ["no-options-of-mm"])
        self.assertEqual(self.refusals(p, tag="alpha", **contract)[1], [])

    def test_a_lock_knows_that_tags_are_disjoint(self):
        firm = self.policy("rules:\n  order-notional:\n    level: refuse\n    most: 50000\n    lock: true\n"
                           "    overrides: [{match: {tag: mm}, most: 10000}]\n", "firm.yaml")
        for tag, loads in (("alpha", True), ("alpha|beta", True), ("mm", False), ("m.*", False), ("alpha|mm", False),
                           ("^$", True)):
            p = self.policy("rules:\n  order-notional:\n    overrides: [{match: {tag: '%s'}, most: 40000}]\n" % tag,
                            extends=f"[{firm}]")
            with self.subTest(tag=tag):
                self.assertEqual([f for f in self.faults(p) if "locked-loosened" in f] == [], loads, self.faults(p))

    def test_a_lock_that_goes_by_tags_holds_where_they_are_found(self):
        """If tags are found elsewhere, they are other tags: a locked limit by tag would then apply to other orders, or
        to none."""
        by_tag = "    overrides: [{match: {tag: mm}, most: 10000}]\n"
        notional = "  order-notional:\n    level: refuse\n    most: 50000\n    lock: true\n"
        own = ("custom:\n  - {id: own, when: 'order.tag == \"mm\"', require: order.orderQuantity < 100, lock: true}\n")
        for firm, holds in ((notional + by_tag, True), (notional, False), (own, True),
                            ("  tag-limits: {level: refuse, a_minute: 5, lock: true}\n", True)):
            lock = self.policy(firm if firm == own else "rules:\n" + firm, "firm.yaml")
            for change in ("from: prefix", "from: client", "known: [alpha]",
                           "overrides: [{match: {account: X}, from: prefix}]"):
                desk = "rules:\n  order-tag: {%s}\n" % change
                above = self.policy(desk, extends=f"[{lock}]")
                below = self.policy(desk, "below.yaml", extends="[]")
                over = self.policy("rules: {}\n", "over.yaml", extends=f"[{below}, {lock}]")
                with self.subTest(firm=firm, change=change):
                    self.assertEqual(["locked-loosened" in str(self.faults(p)) for p in (above, over)], [holds, holds],
                                     self.faults(above))

    def test_lint_tells_what_hides_what(self):
        def overlap(*overrides):
            p = self.policy("environment: live\nrules:\n  order-notional:\n    level: refuse\n    most: 50000\n"
                            "    overrides:\n" + "".join(f"      - {o}\n" for o in overrides), extends="[live]")
            return "override-overlap" in self.gate("lint", p).stdout.decode()

        alpha, mm = "{match: {tag: alpha}, most: 40000}", "{match: {tag: mm}, most: 10000}"
        desk2 = '{match: {account: DESK2}, most: 20000}'
        self.assertFalse(overlap(alpha, mm))
        self.assertFalse(overlap(mm, alpha))
        self.assertTrue(overlap(alpha, desk2))
        self.assertFalse(overlap(mm, desk2))
        self.assertTrue(overlap('{when: \'order.clientOrderId.startsWith("alpha-")\', most: 40000}', desk2))


if __name__ == "__main__":
    unittest.main()
