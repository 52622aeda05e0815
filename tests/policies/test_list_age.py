#!/usr/bin/env python3
"""Lists that must be young: `of: session` and `max_age`, by the date that a list says, on both sides of each bound;
what a list that is too old does to rules and overrides; dates as names; locks, and mistakes."""
import json
import unittest

from policy_case import PolicyCase, order

RULE = """lists:
  restricted: {file: restricted.txt%s}
custom:
  - {id: restricted, require: '!(order.symbol in lists.restricted)'%s}
"""
FRIDAY, SATURDAY, HOLIDAY = "2026-01-16T17:00:00Z", "2026-01-17T17:00:00Z", "2026-01-19T17:00:00Z"
TUESDAY = "2026-01-20T17:00:00Z"


class ListAge(PolicyCase):
    def found(self, first, how, at, symbol="AAPL", rule=""):
        self.file("restricted.txt", first + "\nGME\n")
        p = self.policy(RULE % (how, rule))
        return [(f["reason"], f["level"], f.get("unsure", False), f["message"])
                for f in self.decide(p, order(symbol=symbol), at=at)[0]["findings"] if f["rule"] == "restricted"]

    def is_young(self, first, how, at):
        """Returns whether the list counts; a list that does not is unsure of every symbol."""
        own = [self.found(first, how, at, symbol) for symbol in ("AAPL", "GME")]
        if own[0]:
            self.assertEqual([[f[2] for f in o] for o in own], [[True], [True]])
            self.assertIn("lists.restricted: the list is older than the policy allows", own[0][0][3])
            return False
        self.assertEqual([(f[0], f[2]) for f in own[1]], [("restricted", False)])
        return True

    def test_of_session(self):
        for first, at, young in (
                ("# 2026-01-16", FRIDAY, True), ("# 2026-01-15", FRIDAY, False), ("# 2026-01-17", FRIDAY, False),
                ("#2026-01-16 by compliance", FRIDAY, True), ("# 2026-01-16T08:00:00-05:00", FRIDAY, True),
                ("# 2026-01-16T23:30:00-05:00", FRIDAY, True),   # of Friday in New York, whatever the hour
                ("# 2026-01-16T04:30:00Z", FRIDAY, False),       # still Thursday in New York
                ("\ufeff# 2026-01-16", FRIDAY, True),
                ("# 2026-01-16", "2026-01-17T04:59:59Z", True), ("# 2026-01-16", "2026-01-16T05:00:00Z", True),
                ("# 2026-01-16", "2026-01-16T04:59:59Z", False),
                ("# 2026-01-16", SATURDAY, True), ("# 2026-01-15", SATURDAY, False), ("# 2026-01-17", SATURDAY, True),
                ("# 2026-01-16", HOLIDAY, True), ("# 2026-01-16", TUESDAY, False), ("# 2026-01-20", TUESDAY, True)):
            self.assertEqual(self.is_young(first, ", of: session", at), young, (first, at))

    def test_max_age(self):
        for first, most, at, young in (
                ("# 2026-01-16", "24h", "2026-01-17T05:00:00Z", True),
                ("# 2026-01-16", "24h", "2026-01-17T05:00:00.000000001Z", False),
                ("# 2026-01-16", "24h", "2026-01-16T04:59:59Z", False),
                ("# 2026-01-16T16:00:00Z", "1h", FRIDAY, True), ("# 2026-01-16T15:59:59Z", "1h", FRIDAY, False)):
            self.assertEqual(self.is_young(first, f", max_age: {most}", at), young, (first, most, at))
        self.assertFalse(self.is_young("# 2026-01-15", ", of: session, max_age: 72h", FRIDAY))

    def test_what_is_not_demanded_does_not_matter(self):
        for first in ("# 2020-01-01", "# no date", "AMC"):
            self.assertTrue(self.is_young(first, "", FRIDAY))

    def test_an_old_list_is_unsure_as_the_policy_says(self):
        for rule, level in (("", "warn"), (", unsure: refuse", "refuse"), (", unsure: refuse, level: warn", "warn")):
            self.assertEqual([f[1] for f in self.found("# 2026-01-15", ", of: session", FRIDAY, rule=rule)], [level])

    def test_a_constant_that_names_it_is_unsure_too(self):
        self.file("restricted.txt", "# 2026-01-15\nGME\n")
        p = self.policy("lists: {restricted: {file: restricted.txt, of: session}}\n"
                        "custom: [{id: own, require: '!(\"AAPL\" in lists.restricted)', unsure: refuse}]\n")
        self.assertEqual([f["unsure"] for f in self.decide(p, order(), at=FRIDAY)[0]["findings"]], [True])
        self.assertEqual(self.decide(p, order(), at="2026-01-15T17:00:00Z")[0]["findings"], [])

    def test_an_override_is_not_known_to_apply(self):
        self.file("large.txt", "# 2026-01-15\nAAPL\n")
        p = self.policy("unsure: refuse\nlists: {large: {file: large.txt, of: session}}\nrules:\n  order-notional:\n"
                        "    level: refuse\n    most: 50\n"
                        "    overrides: [{when: order.symbol in lists.large, most: 5000}]\n")
        self.assertEqual(self.reasons(p, order(), at="2026-01-15T17:00:00Z"), [])
        self.assertEqual(self.decide(p, order(), at=FRIDAY)[0]["verdict"], "refuse")

    def test_its_date_is_a_name(self):
        self.file("restricted.txt", "# 2026-01-16\nGME\n")
        p = self.policy("lists: {restricted: {file: restricted.txt}}\ncustom:\n"
                        "  - {id: day, require: lists.restricted.date == session.date}\n"
                        "  - {id: hours, require: 'now - lists.restricted.asOf <= duration(\"12h\")'}\n"
                        "  - {id: words, require: 'lists.restricted.exists(w, w == \"GME\")'}\n")
        self.assertEqual(self.reasons(p, order(), at=FRIDAY), [])
        self.assertEqual(self.reasons(p, order(), at="2026-01-16T17:00:01Z"), [("hours", "refuse")])
        self.assertEqual(self.reasons(p, order(), at="2026-01-15T17:00:00Z"), [("day", "refuse")])
        self.file("restricted.txt", "GME\n")
        self.assertIn("the list 'restricted' has no date: its file must begin with a line like '# 2026-11-28'",
                      self.faults(p)[0])

    def test_it_shows_as_itself(self):
        self.file("restricted.txt", "# 2026-01-16\nGME\n")
        shown = self.show(self.shows_as_itself(self.policy(RULE % (", of: session, max_age: 24h", ""))))
        self.assertIn('restricted: {dated: "2026-01-16T05:00:00Z", of: session, max_age: 24h, words: ["GME"]}', shown)

    def test_a_lock_holds_it(self):
        self.file("restricted.txt", "# 2026-01-16\nGME\n")
        self.policy(RULE % (", of: session", ", lock: true"), "firm.yaml")
        for how in ("[GME]", "{file: restricted.txt}", "{file: restricted.txt, max_age: 24h}",
                    "{words: [GME], dated: 2026-01-15, of: session}"):
            p = self.policy(f"lists: {{restricted: {how}}}\n", extends="[firm.yaml]")
            self.assertIn("locked-loosened", "".join(self.faults(p)), how)
        p = self.policy("lists: {restricted: {words: [GME], dated: 2026-01-16, of: session}}\n",
                        extends="[firm.yaml]")
        self.assertEqual(self.faults(p), [])

    def test_a_diff_does_not_call_it_the_same(self):
        self.file("restricted.txt", "# 2026-01-16\nGME\n")
        a = self.policy(RULE % ("", ""), "a.yaml")
        b = self.policy(RULE % (", of: session", ""), "b.yaml")
        for one, other in ((a, b), (b, a)):
            done = self.gate("policy", "diff", "--format", "json", "--generate", "200", one, other)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("restricted", json.dumps(json.loads(done.stdout)))

    def test_mistakes(self):
        self.file("restricted.txt", "GME\n# 2026-01-16\n")
        undated = ("the list has no date, so nobody can tell how old it is: the first line of its file must be a "
                   "comment that begins with one (like '# 2026-11-28') [list-undated]")
        for how, said in ((", of: session", undated), (", max_age: 24h", undated),
                          (", of: today", "'of' takes session: the list must be of the day on which it is used"),
                          (", max_age: 1", "'max_age' takes a duration above zero (like 24h)"),
                          (", max_age: 0s", "'max_age' takes a duration above zero (like 24h)"),
                          (", dated: 2026-01-16", "a list from a file is written {file: path}"),
                          (", words: [GME]", "a list from a file is written {file: path}")):
            faults = self.faults(self.policy(RULE % (how, "")))
            self.assertEqual(len(faults), 1, faults)
            self.assertIn(said, faults[0])
        for first in ("# 2026-02-30", "# 26-01-16", "#", "# 2026-01-1", "# 2026-01-16x", "2026-01-16"):
            self.file("restricted.txt", first + "\n")
            self.assertIn("list-undated", "".join(self.faults(self.policy(RULE % (", of: session", "")))), first)
        self.assertIn("'dated' takes a day", self.faults(self.policy(
            "lists: {a: {words: [A], dated: 2026-02-30}}\n"))[0])


if __name__ == "__main__":
    unittest.main()
