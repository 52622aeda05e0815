"""An order that nobody knows for 60 s, between two good answers for the account, was not sent; for good.

The minute is real: what it measures is how long a real broker may take to show an order.
"""
import unittest

from between import Between
from gate import RUNNING, Gate, Home, Paper, posts, resting, send


class Absent(unittest.TestCase):
    def test_after_a_minute(self):
        with Paper(clock=RUNNING) as p, Between(p, {"lost": [(False, "close"), (True, "answer")]}) as b, Home() as home:
            code, gate = send(b.url, home, [resting("lost")], "--wait", "100s")
            self.assertEqual((code, gate.outcomes()), (4, {"lost": "not-sent"}))
            self.assertEqual(b.posts, {"lost": 1})
            self.assertIn("absent", gate.event("outcome", "lost")["text"])
            code, gate = send(b.url, home, [resting("lost")])
            self.assertEqual((code, gate.outcomes(), b.posts), (4, {"lost": "not-sent"}, {"lost": 1}), "it stays so")
            code, gate = send(b.url, home, [resting("lost", orderQuantity=3)], "--resend-not-sent")
            self.assertEqual((code, gate.outcomes(), b.posts), (1, {"lost": "refused"}, {"lost": 1}))
            code, gate = send(b.url, home, [resting("lost")], "--resend-not-sent")
            self.assertEqual((code, gate.outcomes(), b.posts), (0, {"lost": "working"}, {"lost": 2}))
            self.assertEqual(b.bodies["lost"][0], b.bodies["lost"][1])
            self.assertEqual(len(posts(p)), 1)

    def test_after_a_crash(self):
        """The same for an intent whose run was killed, by --recover without a --wait."""
        with Paper(clock=RUNNING) as p, Between(p, {"lost": (False, "hang")}) as b, Home() as home:
            with Gate(b.url, home) as gate:
                gate.give(resting("lost"))
                b.wait("lost")
                gate.kill().finish()
            code, gate = send(b.url, home, None, "--recover")
            self.assertEqual((code, gate.outcomes()), (4, {"lost": "not-sent"}))
            self.assertEqual(b.posts, {"lost": 1})


if __name__ == "__main__":
    unittest.main()
