#!/usr/bin/env python3
"""until: an override that expires by the clock of the decision, and not by the machine's clock."""
import unittest

from policy_case import PolicyCase, order

TEMPORARY = """rules:
  order-notional:
    level: refuse
    most: 50
    overrides:
      - until: 2026-01-15T12:00:00-05:00
        reason: index rebalance, asked for by J. Doe
        most: 1000
      - match: {symbol: AAPL}
        most: 60
"""


class Until(PolicyCase):
    def over(self, p, at, **keys):
        return self.reasons(p, order(**keys), at=at) == [("notional-above-limit", "refuse")]

    def test_it_is_there_up_to_the_instant_and_gone_after_it(self):
        p = self.policy(TEMPORARY)
        for at, gone in (("2020-01-01T00:00:00Z", False), ("2026-01-15T16:59:59.999999999Z", False),
                         ("2026-01-15T17:00:00Z", False), ("2026-01-15T17:00:00.000000001Z", True),
                         ("2026-01-15T12:00:01-05:00", True), ("2030-01-01T00:00:00Z", True)):
            self.assertEqual(self.over(p, at), gone, at)  # 100 dollars: what stands behind it allows 60

    def test_what_stands_behind_it_comes_back(self):
        p = self.policy(TEMPORARY)
        self.assertFalse(self.over(p, "2026-01-15T18:00:00Z", orderQuantity=6))
        self.assertTrue(self.over(p, "2026-01-15T18:00:00Z", orderQuantity=6, symbol="MSFT"))
        self.assertFalse(self.over(p, "2026-01-15T16:00:00Z", orderQuantity=6, symbol="MSFT"))

    def test_one_run_may_pass_the_instant(self):
        p = self.policy(TEMPORARY)
        verdicts = [self.decide(p, order(), at=at)[0]["verdict"] for at in ("2026-01-15T17:00:00Z",
                                                                            "2026-01-15T17:00:01Z")]
        self.assertEqual(verdicts, ["accept", "refuse"])

    def test_show_tells_it_and_reads_it_back(self):
        text = self.show(self.policy(TEMPORARY))
        self.assertIn('      - until: 2026-01-15T17:00:00Z\n        reason: "index rebalance, asked for by J. Doe"\n'
                      "        level: refuse\n        unsure: warn\n        most: 1000\n", text)
        again = self.shows_as_itself(self.policy(TEMPORARY))
        self.assertTrue(self.over(again, "2026-01-15T17:00:01Z"))
        both = self.policy(TEMPORARY.replace("      - until", "      - match: {side: Buy}\n        until"))
        self.assertIn("      - match: {side: [Buy]}\n        until: 2026-01-15T17:00:00Z\n        reason: ",
                      self.show(both))
        self.shows_as_itself(both)

    def test_what_it_is_not(self):
        p = self.policy("""rules:
  order-notional:
    level: refuse
    most: 50
    overrides:
      - {until: 2026-12-01, reason: no time, most: 1}
      - {until: "2026-12-01T16:00:00", reason: no offset, most: 1}
      - {until: [2026-12-01T16:00:00Z], reason: a list, most: 1}
      - {until: 2026-12-01T16:00:00Z, most: 1}
      - {match: {symbol: A}, reason: alone, most: 1}
      - {until: 2026-12-01T16:00:00Z, reason: "", most: 1}
      - {most: 1}
""")
        takes = "error: 'until' takes an instant with its offset (like 2026-12-01T16:00:00-05:00), here is "
        self.assertEqual(self.faults(p), [
            f"8:17: {takes}'2026-12-01' [value-invalid]",
            f"9:17: {takes}'2026-12-01T16:00:00' [value-invalid]",
            f"10:17: {takes}a list [wrong-type]",
            "11:17: error: a temporary entry must have a 'reason': why, and who asked for it [key-missing]",
            "12:38: error: a 'reason' says why something is temporary: it needs 'until' [key-missing]",
            "13:47: error: 'reason' must be a text: why this is temporary, and who asked for it [wrong-type]",
            "14:9: error: this override has no 'match', 'when' or 'until'; it does not say which orders it is for "
            "[key-missing]"])


if __name__ == "__main__":
    unittest.main()
