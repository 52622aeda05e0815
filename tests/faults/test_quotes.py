"""Quotes of --quotes and of the input: under a policy that limits their age, a quote without a time is not used, and
one message says so.  So it is if a quote is dated ahead of the clock, which still refuses a misplaced decimal.
"""
import datetime
import json
import unittest

from paper import LIVE, Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome

QUOTE = {"symbol": "AAPL", "bid": 189.99, "ask": 190.01, "last": 190}


def later(now, seconds):
    at = datetime.datetime.fromisoformat(now.replace("Z", "+00:00")) + datetime.timedelta(seconds=seconds)
    return at.isoformat()


class Quotes(unittest.TestCase):
    def told(self, quotes, *lines, policy="live", args=(), **terms):
        """Returns the messages about quotes up to the decision of the next order, and that decision."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            now = p.advance("0s")
            path = home.file("quotes", "".join(json.dumps(q(now)) + "\n" for q in quotes))
            order = stock("a", account="LIVE0001", **{"orderType": "Market", "limitPrice": None, **terms})
            with Sender(p.url, home, "-p", policy, "--quotes", path, *args, keys=LIVE,
                        env={"ORDERGATE_ENVIRONMENT": "live"}, lines=[*(q(now) for q in lines), order]) as gate:
                gate.finish(1)
                return ([line for line in gate.stderr_lines if "asOf" in line or "ahead of this" in line],
                        [f["message"] for f in gate.event("decision")["findings"]])

    def test_a_quote_without_its_time(self):
        said, why = self.told([lambda _: QUOTE, lambda _: dict(QUOTE, symbol="F"), lambda _: QUOTE])
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], r"quotes '.*/quotes', line 1: a quote without asOf is not used, since the policy "
                                  r"takes quotes of 2s at most: add \"asOf\"")
        self.assertTrue(any("age of quotes not known" in w for w in why), why)

    def test_a_quote_with_its_time_is_used(self):
        said, why = self.told([lambda now: dict(QUOTE, asOf=now)])
        self.assertEqual(said, [])
        self.assertFalse(any("age of quotes" in w for w in why), why)

    def test_a_policy_that_takes_any_age(self):
        self.assertEqual(self.told([lambda _: QUOTE], policy="default")[0], [])

    def test_a_quote_ahead_of_the_clock(self):
        said, why = self.told([lambda now: dict(QUOTE, asOf=later(now, 30))] * 2 + [lambda _: dict(QUOTE, symbol="F")],
                              limitPrice=1900, orderType="Limit")
        self.assertEqual(len(said), 2, said)
        self.assertRegex(said[0], r"quotes '.*/quotes', line 1: a quote is dated (29|30|31)s ahead of this clock")
        self.assertIn("line 3: a quote without asOf", said[1])
        self.assertTrue(any("above the ask 190.01" in w and "ahead of the clock" in w for w in why), why)

    def test_a_quote_within_the_clock_s_uncertainty(self):
        self.assertEqual(self.told([lambda now: dict(QUOTE, asOf=later(now, 0.5))])[0], [])

    def test_a_line_of_the_input(self):
        said, _ = self.told([], *[lambda _: dict(QUOTE, op="quote")] * 2, args=("--trust-input",))
        self.assertEqual(len(said), 1, said)
        self.assertIn("line 1: a quote without asOf is not used", said[0])


if __name__ == "__main__":
    main()
