"""Sending at the documented limits, as the paper brokerage counts them: ten orders a second as long as there are
lines, and no request is answered 429. Only one of several runs must be without a 429, since a busy machine may
delay requests."""
import unittest

from paper import Paper, assert_equal, in_some_run
from parallel_unittest import main
from request_limits import RequestLimits, seconds
from sender import RUNNING, TempHome, posts, resting, send

ORDERS, BURST = 80, 10


class Pace(unittest.TestCase):
    def pace(self):
        """Returns the mean time between a POST and the tenth POST after it, which must be a second; None if there was
        a 429."""
        with Paper(clock=RUNNING, limits=True) as p, TempHome() as home:
            limits = RequestLimits(p)
            code, gate = send(p.url, home, [resting(f"o{i}") for i in range(ORDERS)], "--wait", "5m")
            arrived = [seconds(r["at"]) for r in posts(p) if r["status"] == 200]
            assert_equal((code, len(arrived), set(gate.outcomes().values())), (0, ORDERS, {"working"}))
            if not limits.kept():
                return None
        laps = [b - a for a, b in zip(arrived, arrived[BURST:])]
        return sum(laps) / len(laps)

    def test_ten_a_second(self):
        def run():
            mean = self.pace()
            if mean is None:
                return False
            self.assertGreater(mean, 0.9, "faster than the limit")
            return mean < 1.25  # slower than 8 a second
        in_some_run(run)


if __name__ == "__main__":
    main()
