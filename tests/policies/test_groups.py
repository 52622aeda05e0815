#!/usr/bin/env python3
"""group-limit and weighted-exposure: the words of their limits, the lists that these name, and both under locks and in
`policy diff`."""
import json
import unittest

from policy_case import PolicyCase

FIRM = """lists: {semis: [NVDA, AMD]}
rules:
  group-limit: {level: refuse, limits: [semis gross 5000, semis net 25%], lock: true}
"""


class Groups(PolicyCase):
    def over(self, text, firm=FIRM):
        self.policy(firm, "firm.yaml", extends="[default]")
        return self.faults(self.policy(text, "desk.yaml", extends="[firm.yaml]"))

    def test_words_that_are_no_limit(self):
        for word, why in (("semis gross", "it has a name, a measure and an amount"),
                          ("semis gross 5 6", "it has a name, a measure and an amount"),
                          ("semis delta 5", "its measure is gross, net, long, short, positions or orders"),
                          ("semis gross -5", "the amount is dollars in plain digits"),
                          ("semis gross 5e3", "the amount is dollars in plain digits"),
                          ("semis gross 0%", "the amount is dollars in plain digits"),
                          ("semis gross 0.001%", "the amount is dollars in plain digits"),
                          ("semis positions 5%", "positions and orders are counted: the amount is a whole"),
                          ("semis orders 1.5", "positions and orders are counted: the amount is a whole"),
                          ("sems gross 5",
                           "the policy has no list of that name; did you mean 'semis'? known: semis, none, "
                           "many"),
                          ("none gross 5", "its list is empty"), ("many gross 5", "its list has more than 2000")):
            many = ", ".join(f"S{i}" for i in range(2001))
            found = self.faults(self.policy(f"lists: {{semis: [NVDA], none: [], many: [{many}]}}\nrules:\n"
                                            f"  group-limit: {{level: refuse, limits: ['{word}']}}\n"))
            self.assertEqual(len(found), 1, (word, found))
            self.assertIn(f"'{word}' is not a limit: {why}", found[0])

    def test_each_word_that_is_no_limit_is_reported(self):
        found = self.faults(self.policy("lists: {semis: [NVDA]}\nrules:\n  group-limit: {level: refuse, limits: "
                                        "[semis gros 5, semis gross 5, none gross 5, semis orders x]}\n"))
        self.assertEqual(len(found), 3, found)
        for word, line in zip(("semis gros 5", "none gross 5", "semis orders x"), found):
            self.assertIn(f"'{word}' is not a limit: ", line)

    # an error elsewhere in the policy, and whether the policy's lists are incomplete by it
    OTHERS = [("custom: [{id: own, require: order.nothing > 3}]", False),
              ("custom: [{id: own, require: 'order.symbol != \"gme\"'}]", False),
              ("custom: [{id: own, require: 'true', message: '{order.nothing}'}]", False),
              ("custom: [{require: 'true'}]", False), ("nonsense: 1", False), ("unsure: maybe", False),
              ("max_age: {quotes: x}", False), ("extends: [nowhere.yaml]", True), ("extends: [nothing]", True)]
    IN_RULES = ["order-notional: {most: 1,000}", "order-notional: {overrides: [{when: order.nope, most: 5}]}",
                "no-such-rule: off", "order-id: {level: off}", "position-limit: {level: refuse}"]
    IN_LISTS = ["x: 1", "1x: [A]", "x: {file: none.txt}", "x: [[A]]"]

    def test_an_error_elsewhere_hides_none(self):
        """Errors of limits are reported beside any other; beside those of lists, none that follow from them."""
        def told(words, rules="", lists="", more=""):
            return self.faults(self.file("p.yaml", f"ordergate: 1\nlists:\n  semis: [NVDA]\n{lists}{more}\nrules:\n"
                                         f"  group-limit: {{level: refuse, limits: [{words}]}}\n{rules}"))
        cases = [({"more": text}, partial) for text, partial in self.OTHERS]
        cases += [({"rules": f"  {text}\n"}, False) for text in self.IN_RULES]
        cases += [({"lists": f"  {text}\n"}, True) for text in self.IN_LISTS]
        for keys, partial in cases:
            with self.subTest(keys):
                alone = told("semis gross 25%", **keys)
                self.assertTrue(alone)
                found = told("semis gros 5", **keys)
                self.assertEqual([line for line in found if "'semis gros 5' is not a limit" not in line], alone)
                self.assertEqual(len(found), len(alone) + 1, found)
                self.assertEqual(len(told("none gross 5", **keys)), len(alone) + (not partial))

    def test_a_word_is_told_once(self):
        text = "lists: {all: [NVDA, GM$E]}\nrules:\n  group-limit: {level: refuse, limits: [all gross 5]}\n"
        self.assertEqual(len(self.faults(self.policy(text))), 1)
        self.assertEqual(len(self.faults(self.policy(text + "custom: [{id: own, when: order.opens, require: "
                                                     "'!(order.underlying in lists.all)'}]\n"))), 1)

    def test_a_number_with_commas(self):
        """Everywhere a setting takes a number, the error has the number without commas."""
        for text, number in ((": '1,000,000'}", "1000000"), ("\n      : 1,000,000", "1000000"),
                             (": '1,234.5'}", "1234.5")):
            for rule, key in (("order-notional", "most"), ("exposure", "gross"), ("position-limit", "shares")):
                block = text.startswith("\n")
                given = f"\n    level: refuse\n    {key}: 1,000,000\n" if block else f" {{level: refuse, {key}{text}\n"
                found = self.faults(self.policy(f"rules:\n  {rule}:{given}"))
                self.assertTrue(any(f"write {number}" in line for line in found), (rule, given, found))
        limits = "lists: {semis: [NVDA]}\nrules:\n  group-limit: {level: refuse, limits: [%s]}\n"
        found = self.faults(self.policy(limits % "'semis gross 1,000,000'"))
        self.assertEqual(len(found), 1, found)
        self.assertIn("a number has no commas: write 1000000", found[0])
        found = self.faults(self.policy(limits % "semis gross 1,000"))
        self.assertEqual(len(found), 1, found)
        self.assertIn("'000' is not a limit: a number has no commas, which end the word here", found[0])
        found = self.faults(self.policy("rules:\n  order-notional: {level: refuse, most: 5000, overrides: "
                                        "[{match: {symbol: A}, most: '1,000'}]}\n"))
        self.assertTrue(any("write 1000" in line for line in found), found)

    def test_a_word_that_is_no_symbol(self):
        """A word with a blank, a sign or a comma would be in no group, and nobody would notice."""
        for word in ("NVDA ", " NVDA", "NV DA", "NVDA,", "$NVDA", "NVDA=1.7"):
            found = self.faults(self.policy(f"lists: {{semis: [AMD, '{word}']}}\nrules:\n"
                                            f"  group-limit: {{level: refuse, limits: ['semis gross 5']}}\n"))
            self.assertEqual(len(found), 1, (word, found))
            self.assertIn(f"no symbol is '{word}', which limit 'semis gross 5' counts: ", found[0])

    def test_a_locked_limit_stays_or_becomes_lower(self):
        for words in ("semis gross 5000, semis net 25%", "semis net 20%, semis gross 0", "semis gross 5000, semis net "
                      "25%, semis orders 5", "semis net 25%, semis gross 9000, semis gross 4999.99"):
            self.assertEqual(self.over(f"rules: {{group-limit: {{limits: [{words}]}}}}\n"), [], words)
        for words in ("", "semis gross 5000", "semis gross 5000.01, semis net 25%",
                      "semis gross 5000, semis net 25.01%", "semis gross 5000, semis net 25",
                      "semis long 5000, semis net 25%",
                      "other gross 5000, semis net 25%"):
            found = self.over(f"lists: {{other: [NVDA]}}\nrules: {{group-limit: {{limits: [{words}]}}}}\n")
            self.assertEqual(len(found), 1, (words, found))
            self.assertIn("'limits' must keep every limit, which may only become lower", found[0])
            self.assertIn("[locked-loosened]", found[0])
        found = self.over("rules: {group-limit: {overrides: [{match: {symbol: NVDA}, limits: [semis gross 1]}]}}\n")
        self.assertEqual(len(found), 1, found)

    def test_a_list_of_a_locked_limit_stays(self):
        self.assertEqual(self.over("lists: {semis: [NVDA, AMD], other: [F]}\n"), [])
        for words in ("[NVDA]", "[]", "[NVDA, AMD, F]"):
            found = self.over(f"lists: {{semis: {words}}}\n")
            self.assertEqual(len(found), 1, (words, found))
            self.assertIn("a locked rule names it", found[0])
        # a layer below, and a list that only an override of the locked rule names
        self.policy("lists: {semis: [NVDA]}\n", "mine.yaml", extends="[default]")
        self.file("firm.yaml", "ordergate: 1\n" + FIRM)
        self.assertEqual(self.faults(self.policy("", "both.yaml", extends="[mine.yaml, firm.yaml]")), [])
        firm = ("lists: {semis: [NVDA]}\nrules:\n  group-limit: {level: refuse, limits: [], lock: true, overrides: ["
                "{match: {side: Buy}, limits: [semis gross 5]}]}\n")
        self.assertEqual(len(self.over("lists: {semis: [F]}\n", firm)), 1)

    def settings_that_differ(self):
        """What is said of a.yaml and b.yaml. It does not depend on the orders that are decided."""
        done = self.gate("policy", "diff", "--format", "json", "--generate", "200", "a.yaml", "b.yaml")
        return json.loads(done.stdout)["settings"]

    def test_diff_tells_a_limit_and_a_list(self):
        def diff(before, after):
            text = ("ordergate: 1\nextends: [default]\nlists: {{semis: [{}]}}\nrules:\n"
                    "  group-limit: {{level: refuse, limits: [{}]}}\n")
            for name, (words, limits) in (("a.yaml", before), ("b.yaml", after)):
                self.file(name, text.format(words, limits))
            return self.settings_that_differ()

        same = ("NVDA, AMD", "semis gross 5000")
        for after, path, change in ((("NVDA, AMD", "semis gross 4000"), "rules.group-limit.limits", "tightened"),
                                    (("NVDA, AMD", "semis gross 6000"), "rules.group-limit.limits", "loosened"),
                                    (("NVDA", "semis gross 5000"), "lists.semis", "loosened"),
                                    (("NVDA, AMD, F", "semis gross 5000"), "lists.semis", "tightened"),
                                    (("NVDA, F", "semis gross 5000"), "lists.semis", "loosened")):
            found = diff(same, after)
            self.assertEqual([(s["path"], s["change"]) for s in found], [(path, change)], after)

    def weighted(self, words, limit="beta gross 5", ages=""):
        words = ", ".join(f"'{w}'" for w in words)
        words = f"{{words: [{words}]{ages}}}" if ages else f"[{words}]"
        return (f"lists:\n  beta: {words}\nrules:\n"
                f"  weighted-exposure: {{level: refuse, limits: ['{limit}'], lock: true}}\n")

    def test_words_that_are_no_weight(self):
        takes = "its list takes words like NVDA=1.7 and default=1"
        for words in (["NVDA"], ["NVDA="], ["=1"], ["NVDA=x"], ["NVDA=1e1"], ["NVDA=1.00001"], ["NVDA=1000.0001"],
                      ["NVDA=-1000.0001"], ["NVDA=--1"], ["NVDA=+1"], ["NVDA 1"], ["default=a"],
                      ["Default=1"], ["DEFAULT=1"]):
            found = self.faults(self.policy(self.weighted(words), extends="[default]"))
            self.assertEqual(len(found), 1, (words, found))
            self.assertIn(takes, found[0])
            self.assertIn(f"'{words[0]}'", found[0])
        for word, write in (("NVDA:=1.7", "NVDA=1.7"), ("NVDA=1=7", "NVDA=1.7"), ("NVDA:=1=7", "NVDA=1.7")):
            found = self.faults(self.policy(self.weighted([word]), extends="[default]"))
            self.assertEqual(len(found), 1, (word, found))
            self.assertIn(f"'{word}' is not a weight: write a symbol, one '=' and a number, like {write} "
                          "[value-invalid]", found[0])
        for symbol in ("NVDA ", " NVDA", "NV DA", "F,", "$F"):
            found = self.faults(self.policy(self.weighted([f"{symbol}=1"]), extends="[default]"))
            self.assertEqual(len(found), 1, (symbol, found))
            self.assertIn(f"no symbol is '{symbol}', which limit 'beta gross 5' counts: ", found[0])
        for words, why in ((["default=1", "NVDA=1", "default=1"], "two defaults, the second is 'default=1'"),
                           (["AAPL260220C00150000=1"],
                            "a weight is for everything on an underlying, but this one is for a contract: "
                            "'AAPL260220C00150000=1'"),
                           (["AMD=1", "BRK.B=1", "brkb=2"],
                            "two weights for one underlying: 'BRK.B' and 'brkb': keep one"),
                           ([], "is empty"),
                           ([f"S{i}=1" for i in range(2001)], "more than 2000")):
            found = self.faults(self.policy(self.weighted(words), extends="[default]"))
            self.assertEqual(len(found), 1, (words, found))
            self.assertIn(why, found[0])
        for limit in ("beta long 5", "beta short 5", "beta positions 5", "beta orders 5"):
            found = self.faults(self.policy(self.weighted(["NVDA=1"], limit), extends="[default]"))
            self.assertIn("its measure is gross or net", found[0])
        for words in (["default=0"], ["NVDA=-1000", "F=1000", "default=0.0001"]):
            self.assertEqual(self.faults(self.policy(self.weighted(words), extends="[default]")), [], words)

    def test_only_weights_may_have_an_age(self):
        ages = ", dated: 2026-01-15, max_age: 24h"
        self.assertEqual(self.faults(self.policy(self.weighted(["NVDA=1"], ages=ages), extends="[default]")), [])
        found = self.faults(self.policy(FIRM.replace("[NVDA, AMD]", f"{{words: [NVDA, AMD]{ages}}}")))
        self.assertIn("which this rule does not check", found[0])

    def test_locked_weights_stay_and_their_limits_may_become_lower(self):
        firm = self.weighted(["NVDA=1", "default=1"])
        self.assertEqual(self.over("rules: {weighted-exposure: {limits: [beta gross 4, beta net 1]}}\n", firm), [])
        for words in ("", "beta net 5", "beta gross 5.01", "beta gross 5%"):
            found = self.over(f"rules: {{weighted-exposure: {{limits: [{words}]}}}}\n", firm)
            self.assertEqual(len(found), 1, (words, found))
            self.assertIn("'limits' must keep every limit, which may only become lower", found[0])
        for words in ("[NVDA=0.5, default=1]", "[NVDA=1]", "[NVDA=1, F=0, default=1]"):
            found = self.over(f"lists: {{beta: {words}}}\n", firm)
            self.assertEqual(len(found), 1, (words, found))
            self.assertIn("a locked rule names it", found[0])

    def test_diff_claims_of_no_other_weights_that_they_are_stricter(self):
        """One more word in the list may have a lower weight than the default."""
        for before, after in ((["NVDA=1", "default=1"], ["NVDA=1", "F=0", "default=1"]),
                              (["NVDA=2"], ["NVDA=1"]), (["NVDA=1"], ["NVDA=1", "SPY=-1"])):
            for name, words in (("a.yaml", before), ("b.yaml", after)):
                self.file(name, "ordergate: 1\nextends: [default]\n" + self.weighted(words))
            found = self.settings_that_differ()
            self.assertEqual([s["path"] for s in found], ["lists.beta"])
            self.assertNotEqual(found[0]["change"], "tightened", (before, after))

    def test_lint_knows_that_a_limit_uses_a_list(self):
        p = self.policy(FIRM.replace(", lock: true", ""), extends="[default]")
        self.assertNotIn(b"list-unused", self.gate("lint", p).stdout)


if __name__ == "__main__":
    unittest.main()
