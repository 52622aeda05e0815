#!/usr/bin/env python3
"""The id of an account in another spelling: the service takes live0001 as LIVE0001, so no limit, override or own rule
may take them for two accounts."""
import json
import os
import subprocess
import unittest

from policy_case import GATE, NOON, PolicyCase, order

SPELLINGS = ("LIVE0001", "live0001", "Live0001", "lIVE0001")
SHIPPED = ("default", "paper", "live", "cautious", "small-account", "options-income", "short-seller",
           "prop-desk/firm.yaml", "desk-book/firm.yaml", "desk-book/desk.yaml")
POLICIES = os.path.join(os.path.dirname(__file__), "../../policies")
CONDITIONS = ['account.id == "LIVE0001"', '"live0001" == account.id', 'account.id in ["A", "LIVE0001"]',
              "account.id in lists.few", "account.id in lists.many", "lists.many.exists(a, a == account.id)",
              'account.id.startsWith("live")', 'account.id.endsWith("Ve0001")', 'account.id.contains("IVE")',
              'account.id.matches("^live[0-9]+$")', 'matches(account.id, "LIVE.{4}")', '!(account.id != "live0001")',
              'account.id >= "live0001" && account.id <= "LIVE0001"']
LISTS = "lists: {few: [A, LIVE0001], many: {file: many.txt}}\n"


class Accounts(PolicyCase):
    def setUp(self):
        super().setUp()
        self.file("many.txt", "".join(f"A{i}\n" for i in range(20)) + "live0001\n")

    def levels(self, policy, account, **more):
        return [f[0] for f in self.reasons(policy, order(accountId=account), **more)]

    def test_overrides_take_every_spelling(self):
        tight = "rules: {order-notional: {level: refuse, most: 50000, overrides: [{%s, most: 9}]}}\n"
        for part in ("match: {account: LIVE0001}", "match: {account: live0001}", "match: {account: '^LIVE[0-9]{4}$'}",
                     "match: {account: '[a-z]+0001'}", "match: {account: '(A|LIVE0001)', side: Buy}",
                     *(f"when: '{c}'" for c in CONDITIONS)):
            policy = self.policy(LISTS + tight % part)
            for account in SPELLINGS:
                self.assertIn("notional-above-limit", self.levels(policy, account), (part, account))
            for account in ("LIVE0002", "XLIVE0001", "LIVE00011"):
                if part in ("match: {account: LIVE0001}", "match: {account: live0001}") or "<=" in part:
                    self.assertNotIn("notional-above-limit", self.levels(policy, account), (part, account))

    def test_own_rules_take_every_spelling(self):
        for condition in CONDITIONS:
            policy = self.policy(f"{LISTS}custom:\n  - {{id: not-here, require: '!({condition})'}}\n")
            for account in SPELLINGS:
                self.assertEqual(self.levels(policy, account), ["not-here"], (condition, account))
            self.assertEqual(self.levels(policy, "MINE0002"), [], condition)

    def test_a_locked_override_below(self):
        self.policy("rules: {order-notional: {level: refuse, most: 50000, lock: true, overrides: [{match: {account: "
                    "LIVE0001}, most: 9}]}}\n", "firm.yaml")
        desk = self.policy("rules: {order-notional: {overrides: [{match: {account: live0001, side: Buy}, most: 8}]}}\n",
                           "desk.yaml", extends="[firm.yaml]")
        shown = self.shows_as_itself(desk)
        for policy in (desk, shown):
            for account in SPELLINGS:
                self.assertIn("notional-above-limit", self.levels(policy, account), (policy, account))

    def test_a_mistake_names_each_function_once(self):
        found = self.faults(self.policy("custom:\n  - {id: a, require: 'account.id.startsWith(1)'}\n"))
        self.assertEqual(found[0].count("startsWith"), 1 + found[0].count("string.startsWith"), found)
        self.assertEqual(found[0].count("string.startsWith"), 1, found)

    def test_lint_proves_nothing_that_a_spelling_refutes(self):
        """Two spellings of one account are not two accounts: the second override may apply, and the first hides it."""
        for one, other in (("match: {account: LIVE0001}", "match: {account: live0001}"),
                           ("when: 'account.id == \"LIVE0001\"'", "when: 'account.id == \"live0001\"'")):
            policy = self.policy("rules: {order-notional: {level: refuse, most: 50000, overrides: [{%s, most: 9}, {%s, "
                                 "most: 8}]}}\n" % (one, other))
            said = self.gate("lint", policy).stdout.decode()
            self.assertIn("[override-", said, (one, other))
        for require in ('account.id != "LIVE0001" || account.id == "live0001"',
                        'account.id == "LIVE0001" || !account.id.startsWith("LIVE0001") || size(account.id) != 8'):
            policy = self.policy(f"custom:\n  - {{id: a, require: '{require}'}}\n")
            for account in SPELLINGS:
                self.assertEqual(self.levels(policy, account), [], (require, account))
        never = self.policy("custom:\n  - {id: a, when: 'account.id == \"LIVE0001\" && account.id == \"live0001\"', "
                            "require: 'false'}\n")
        self.assertNotIn("never", self.gate("lint", never).stdout.decode())

    def test_two_spellings_are_one_account_in_sequence(self):
        """Under each shipped policy, and each limit that counts: what is decided of a second order is the same whether
        it writes the account as the first did or not."""
        limits = {"open-orders": "{level: refuse, in_total: 1}", "order-rate": "{level: refuse, a_second: 1}",
                  "position-limit": "{level: refuse, shares: 15}", "exposure": "{level: refuse, gross: 150}",
                  "traded-limit": "{level: refuse, notional: 150}", "repeated-order": "refuse",
                  "group-limit": "{level: refuse, limits: [few gross 150]}",
                  "concentration": "{level: refuse, most: 0.2%}"}
        policies = [[os.path.join(POLICIES, p) if "/" in p else p] for p in SHIPPED]
        rule_of = {}
        for rule, setting in limits.items():
            policies.append([self.policy(f"lists: {{few: [F]}}\nrules:\n  {rule}: {setting}\n", f"{rule}.yaml",
                                         extends="[default]")])
            rule_of[policies[-1][0]] = rule
        with open(os.path.join(POLICIES, "calm-facts.json"), encoding="utf-8") as f:
            facts = dict(json.loads(f.read().replace("DESK1", "LIVE0001")), asOf=NOON)
        small = json.loads(json.dumps(facts).replace("LIVE0001", "live0001"))
        for names in policies:
            for known in (facts, small, None):
                second = {account: self.sequence(names, known, ["LIVE0001", account]) for account in SPELLINGS}
                for account in SPELLINGS[1:]:
                    self.assertEqual(second[account], second["LIVE0001"], (names, account, known is None))
                if known:
                    found = [f[0] for f in second["LIVE0001"][1]]
                    self.assertIn(rule_of.get(names[0], "duplicate-order"), found, names)

    def sequence(self, names, facts, accounts):
        """Returns the findings about each order, without what names ids and accounts."""
        args = [GATE, "check", "--at", NOON, *(a for p in names for a in ("-p", p))]
        if facts:
            args += ["-f", self.file("facts.json", json.dumps(facts))]
        lines = "\n".join(order(accountId=a, clientOrderId=f"mm-o{i}", route="SMART", symbol="F", limitPrice=12)
                          for i, a in enumerate(accounts))
        done = subprocess.run(args, input=lines.encode(), capture_output=True, cwd=self.dir.name, timeout=600,
                              check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return [[(f["rule"], f["reason"], f["level"]) for f in json.loads(line).get("findings", [])]
                for line in done.stdout.splitlines()]


if __name__ == "__main__":
    unittest.main()
