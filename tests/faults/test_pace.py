"""The pace at the documented limits, as the paper brokerage counts it: ten orders a second go on for as long as there are lines,
and nothing is ever answered 429."""
import datetime
import unittest

from gate import RUNNING, Home, Paper, assert_equal, posts, resting, send
from together import main

ORDERS, BURST = 80, 10


def seconds(at):
    return datetime.datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp()


class Pace(unittest.TestCase):
    def test_ten_a_second(self):
        with Paper(clock=RUNNING, limits=True) as p, Home() as home:
            code, gate = send(p.url, home, [resting(f"o{i}") for i in range(ORDERS)])
            seen, arrived = p.control("GET", "requests?since=0")["requests"], [seconds(r["at"]) for r in posts(p)]
        assert_equal((code, len(arrived), set(gate.outcomes().values())), (0, ORDERS, {"working"}))
        self.assertEqual([r for r in seen if r["status"] == 429], [])
        # Every POST of the burst has one ten places behind it that came a second later: the mean of these is the pace.
        laps = [b - a for a, b in zip(arrived, arrived[BURST:])]
        self.assertLess(sum(laps) / len(laps), 1.25, f"slower than 8 a second: {laps}")
        self.assertGreater(sum(laps) / len(laps), 0.9, f"faster than the limit: {laps}")


if __name__ == "__main__":
    main()
