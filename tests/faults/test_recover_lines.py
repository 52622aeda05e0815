"""With --recover, lines that are there are sent as by any run; only a terminal or a closed stdin is not read."""
import os
import pty
import subprocess
import tempfile
import unittest

from paper import Paper
from sender import RUNNING, Sender, TempHome, as_bytes, resting

ASKS = "--recover: orders are read from stdin too"


class RecoverLines(unittest.TestCase):
    def setUp(self):
        self.p = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def outcomes(self, **popen):
        with Sender(self.p.url, self.home, "--recover", "--wait", "20s", **popen) as gate:
            self.assertEqual(gate.finish(), 0, gate.stderr)
            return gate.outcomes()

    def test_a_pipe(self):
        self.assertEqual(self.outcomes(lines=[resting("a"), resting("b")]), {"a": "working", "b": "working"})

    def test_a_file(self):
        with tempfile.TemporaryFile() as f:
            f.write(as_bytes(resting("a")))
            f.seek(0)
            self.assertEqual(self.outcomes(stdin=f), {"a": "working"})

    def test_an_order_of_an_earlier_run_too(self):
        with Sender(self.p.url, self.home, lines=[resting("before")]) as gate:
            self.assertEqual(gate.finish(), 0, gate.stderr)
        self.assertEqual(self.outcomes(lines=[resting("a")]), {"before": "working", "a": "working"})

    def test_a_line_that_is_refused(self):
        with Sender(self.p.url, self.home, "--recover", lines=[{**resting("a"), "side": "Up"}]) as gate:
            self.assertEqual((gate.finish(), gate.outcomes()), (1, {"a": "refused"}), gate.stderr)

    def test_a_pipe_whose_lines_come_later(self):
        """The run says what it waits for, which somebody may not expect whose pipe stays open without a line."""
        with Sender(self.p.url, self.home, "--recover") as gate:
            gate.wait_stderr(ASKS)
            gate.feed(resting("late"))
            self.assertEqual(gate.event("outcome", "late")["outcome"], "working")
            self.assertEqual(gate.finish(1), 0, gate.stderr)

    def test_nothing_to_read(self):
        main, terminal = pty.openpty()
        self.addCleanup(os.close, main)
        self.addCleanup(os.close, terminal)
        for name, popen in (("null", {"stdin": subprocess.DEVNULL}), ("terminal", {"stdin": terminal}),
                            ("closed", {"stdin": subprocess.DEVNULL, "preexec_fn": lambda: os.close(0)})):
            with self.subTest(name), Sender(self.p.url, self.home, "--recover", "--wait", "20s", **popen) as gate:
                self.assertEqual((gate.finish(0), gate.outcomes()), (0, {}), gate.stderr)
                self.assertNotIn(ASKS, gate.stderr)


if __name__ == "__main__":
    unittest.main()
