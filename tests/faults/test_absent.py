"""If nobody knows an order for 60 s, between two complete readings of the account, it was not sent. The 60 s are the
service's time."""
import json
import unittest

from fault_proxy import FaultProxy
from paper import REGULAR, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send


class Absent(unittest.TestCase):
    def test_after_a_minute(self):
        behaviours = {"lost": [(False, "close"), (True, "answer")], "crashed": (False, "hang")}
        with Paper(clock=REGULAR + "@20") as p, FaultProxy(p, behaviours) as b, TempHome() as home, TempHome() as other:
            with Sender(b.url, other) as gate:
                gate.feed(resting("crashed"))
                b.wait_post("crashed")
                gate.kill().finish()
            with Sender(b.url, other, "--recover", lines=[]) as recovering:
                code, gate = send(b.url, home, [resting("lost")], "--wait", "100s")
                self.assertEqual((code, gate.outcomes()), (4, {"lost": "not-sent"}))
                self.assertEqual((recovering.finish(), recovering.outcomes()), (0, {"crashed": "not-sent"}))
            self.assertEqual(b.posts, {"lost": 1, "crashed": 1})
            self.assertIn("absent", gate.event("outcome", "lost")["text"])
            code, gate = send(b.url, home, [resting("lost")])
            self.assertEqual((code, gate.outcomes(), b.posts["lost"]), (4, {"lost": "not-sent"}, 1), "it stays so")
            self.assertTrue(gate.event("outcome", "lost")["otherRun"])
            code, gate = send(b.url, home, [resting("lost", orderQuantity=3)], "--resend-not-sent")
            self.assertEqual((code, gate.outcomes(), b.posts["lost"]), (1, {"lost": "refused"}, 1))
            code, gate = send(b.url, home, [resting("lost")], "--resend-not-sent")
            self.assertEqual((code, gate.outcomes(), b.posts["lost"]), (0, {"lost": "working"}, 2))
            self.assertNotIn("otherRun", gate.event("outcome", "lost"), "this run posted it")
            self.assertEqual(b.bodies["lost"][0], b.bodies["lost"][1])
            self.assertEqual(len(posts(p)), 1)

    def test_one_that_registers_late(self):
        """The order registers 55 s after its answer was lost, or after its sender died: no run reports it as not sent
        before the minute is over."""
        for crash in (False, True):
            with Paper(clock=REGULAR + "@20") as p, TempHome() as home:
                p.control("POST", "faults", {"on": "POST order", "do": "late", "delay": "55s"})
                p.control("POST", "faults", {"on": "POST order", "do": "hang" if crash else "drop-reply"})
                with Sender(p.url, home, "--wait", "100s", "--timeout", "500ms") as gate:
                    gate.feed(resting("a"))
                    if crash:
                        gate.event("posted", "a", http=None)
                        gate.kill().finish()
                    else:
                        gate.event("outcome", "a", outcome="working")
                if crash:
                    code, gate = send(p.url, home, None, "--recover", "--wait", "100s")
                    self.assertEqual((code, gate.outcomes()), (0, {"a": "working"}))
                self.assertEqual({r["state"] for r in home.rows("id = 'a'")} - {"intended", "posted", "unknown"},
                                 {"working"})
                self.assertEqual(len(posts(p)), 1)

    def test_the_minute_goes_on_between_runs(self):
        """If one run saw that the order was missing, a later run need not wait for a whole minute again. The minute is
        measured in the service's time, whatever clock the limits use."""
        for clock in ("broker", "real"):
            env = {"ORDERGATE_CLOCK": clock}
            with self.subTest(clock), Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(
                    p, {"lost": (False, "close")}) as b:
                with Sender(b.url, home, lines=[resting("lost")], env=env) as gate:
                    gate.event("posted")
                    gate.wait_row("detail LIKE '%absentSince%'")
                    gate.kill().finish()
                code, gate = send(b.url, home, None, "--recover", "--wait", "1ms", env=env)
                self.assertEqual((code, gate.outcomes()), (5, {"lost": "unknown"}))
                detail = json.loads(home.newest_row("lost")["detail"])
                self.assertEqual((detail["absentSince"][:10], detail["by"]), (RUNNING[:10], "broker"))
                p.advance("63s")
                with Sender(b.url, home, "--recover", "--wait", "50s", lines=[], env=env) as gate:
                    self.assertEqual((gate.finish(), gate.outcomes()), (0, {"lost": "not-sent"}))
                self.assertEqual(b.posts, {"lost": 1})


if __name__ == "__main__":
    main()
