"""--on-event: a command is run for what somebody should know of, and never holds up the sender."""
import errno
import json
import os
import select
import signal
import subprocess
import time
import unittest

from fault_proxy import FaultProxy
from paper import DEADLINE, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting

LOOSE = "ordergate: 1\nname: loose\nextends: []\nrules: {}\n"
RUNS_MOST = 4  # commands at one time, as tools/send_alert.c has it


class Alerts(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.told = os.path.join(self.home.path, "told")

    def sender(self, command, *args, url=None, **more):
        return self.enterContext(Sender(url or self.paper.url, self.home, "--on-event", command, *args, **more))

    def read(self):
        """What commands wrote, which have all ended when the sender has."""
        with open(self.told, encoding="utf-8") as f:
            return f.read().splitlines()

    def dead_man(self, command, *args, **more):
        """A sender whose dead man's switch fires."""
        gate = self.sender(command, "--dead-man", "3s", *args, **more)
        gate.feed(resting()).event("outcome")
        gate.event("dead-man")
        return gate

    def test_it_gets_the_event(self):
        gate = self.dead_man(f"cat >> '{self.told}'; echo \"$ORDERGATE_ALERT\" >> '{self.told}'")
        self.assertEqual(gate.finish(1), 0)
        event, kind = self.read()
        self.assertEqual((json.loads(event), kind), (gate.event("dead-man"), "dead-man"))

    def test_unknown_outcomes_and_no_others(self):
        """Also one that is reported at the very end."""
        with FaultProxy(self.paper, {"a1": (False, "hang")}) as b:
            gate = self.sender(f"cat >> '{self.told}'", "--timeout", "300ms", "--wait", "600ms", url=b.url)
            gate.feed(resting("a1"), resting("a2"), "{}").event("outcome", "a1", outcome="unknown")
            gate.finish(3)
        told = [json.loads(line) for line in self.read()]
        self.assertEqual([(e["event"], e["clientOrderId"], e["outcome"]) for e in told], [("outcome", "a1", "unknown")])

    def test_halts(self):
        """A halt is told; that trading goes on is an event, and no alert."""
        gate = self.sender(f"cat >> '{self.told}'; echo \"$ORDERGATE_ALERT\" >> '{self.told}'")
        gate.feed(resting()).event("outcome")
        for program, trading in (("halt", "halted"), ("resume", "on")):
            # senders of other tests do not obey it, which it tells
            subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-" + program), "--reason", 'a "test"'],
                           check=False, capture_output=True,
                           env={**os.environ, "HOME": self.home.path,
                                "XDG_STATE_HOME": os.path.join(self.home.path, "state")})
            self.assertEqual(gate.event("trading", trading=trading)["reason"], "a \"test\"")
        self.assertEqual(gate.finish(1), 0)
        told, kind = self.read()
        self.assertEqual((json.loads(told), kind), (gate.event("trading", trading="halted"), "halt"))

    def test_anomalies(self):
        """The broker has somebody else's order of our order's id."""
        self.paper.order(resting("taken", limitPrice=1))
        self.paper.advance("1s")
        with FaultProxy(self.paper, {"taken": (True, "close")}) as b:
            gate = self.sender(f"cat >> '{self.told}'", "-p", self.home.file("loose.yaml", LOOSE), url=b.url)
            told = gate.feed(resting("taken")).event("anomaly", "taken")
            self.assertIn("another order under this id", told["text"])
            self.assertIn(f"order 'taken': {told['text']}", gate.stderr)
            gate.kill(signal.SIGTERM).finish(1)
        self.assertIn(told, [json.loads(line) for line in self.read()])
        self.assertEqual(len(self.home.rows("record = 'anomaly'")), 1)

    def test_a_command_that_fails(self):
        for command, said in (("exit 3", "ended with exit status 3"), ("kill -TERM $$", "ended by signal 15"),
                              ("/no/such/program", "ended with exit status 127")):
            with self.subTest(command), TempHome() as self.home:
                gate = self.dead_man(command)
                gate.wait_stderr(f"--on-event: the command for dead-man {said}")
                self.assertEqual(gate.finish(1), 0)

    def test_a_command_that_reads_nothing(self):
        self.assertEqual(self.dead_man("true").finish(1), 0)

    def test_what_the_command_is_given(self):
        """No descriptor of the sender, no secret, no variable of the service manager; its output is no event."""
        gate = self.dead_man("ls /proc/self/fd; echo end; env", env={"NOTIFY_SOCKET": "/no/such"})
        self.assertEqual(gate.finish(1), 0)
        descriptors, variables = gate.stderr.split("end\n", 1)
        numbers = [line for line in descriptors.splitlines() if line.isdigit()]  # among the sender's own messages
        self.assertEqual(numbers, ["0", "1", "2", "3"], "3 is the folder that ls reads")
        self.assertNotIn("ORDERGATE_SECRET_KEY", variables)
        self.assertNotIn("NOTIFY_SOCKET", variables)
        self.assertEqual(gate.cut, None)

    def test_commands_that_hang(self):
        """Some run at one time, the others wait; orders go on; at the end they are killed, with what they started."""
        gate = self.sender(f"cat '{self.home.path}/fifo' & wait", "--dead-man", "2s")
        os.mkfifo(os.path.join(self.home.path, "fifo"))
        for i in range(RUNS_MOST + 2):
            gate.feed(resting(f"a{i}"))
            gate.event("outcome", f"a{i}")
            gate.wait_until(lambda n=i + 1: len(gate.events_of("dead-man")) >= n, "the switch fires")
        gate.feed(resting("last")).event("outcome", "last")
        self.assertEqual(gate.finish(RUNS_MOST + 3), 0)
        self.assertEqual(gate.stderr.count("did not end in time, and was killed"), RUNS_MOST + 2)
        self.assertEqual(self.have_readers(os.path.join(self.home.path, "fifo")), False)

    @staticmethod
    def have_readers(fifo):
        """Whether a process has the FIFO open, after the time that the kernel may take to end one that was killed."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            try:
                os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK))
            except OSError as e:
                assert e.errno == errno.ENXIO
                return False
            select.select([], [], [], 0.01)
        return True

    def test_a_stream_that_is_lost(self):
        """It is told when it has been lost for 30 s, and not if it comes back before."""
        with FaultProxy(self.paper, streams=False) as b:
            gate = self.sender(f"cat >> '{self.told}'; echo told >&2", url=b.url)
            gate.event("stream", state="down")
            gate.wait_stderr("told\n")
            self.assertEqual(gate.finish(0), 0)
        event, = self.read()
        self.assertEqual(json.loads(event), gate.event("stream", state="down"))

    def test_a_stream_that_comes_back(self):
        with FaultProxy(self.paper) as b:
            gate = self.sender(f"cat >> '{self.told}'", url=b.url)
            gate.feed(resting("a1")).event("outcome", "a1")
            b.close_all()
            gate.event("stream", state="down")
            gate.event("stream", state="up")
            self.assertEqual(gate.finish(1), 0)
        self.assertFalse(os.path.exists(self.told))


if __name__ == "__main__":
    main()
