"""ordergate send as a service: what the service manager is told, and the log."""
import json
import os
import signal
import socket
import subprocess
import unittest

from paper import DEADLINE, Paper
from parallel_unittest import main
from sender import RUNNING, SEND, Sender, TempHome, resting


class Manager:
    """The socket of a service manager, by path or by a name of the kernel's, and what it was told."""

    def __init__(self, name):
        self.name, self.heard = name, []
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.settimeout(DEADLINE)
        self.socket.bind("\0" + name[1:] if name[0] == "@" else name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def until(self, found):
        """Read datagrams until found() is true of one, and return it."""
        while True:
            self.heard.append(self.socket.recv(4096).decode())
            if found(self.heard[-1]):
                return self.heard[-1]


class Notified(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def sender(self, manager, *args, **env):
        return self.enterContext(Sender(self.paper.url, self.home, *args, env={"NOTIFY_SOCKET": manager.name, **env}))

    def test_ready_status_and_stopping(self):
        names = (os.path.join(self.home.path, "notify"), f"@ordergate-test-{os.getpid()}-{id(self)}")
        for order_id, name in enumerate(names):
            with self.subTest(name), Manager(name) as manager:
                gate = self.sender(manager)
                manager.until(lambda m: m == "READY=1")
                self.assertFalse([m for m in manager.heard if "WATCHDOG" in m], "nobody asked for it")
                gate.feed(resting(f"a{order_id}")).event("outcome", f"a{order_id}")
                manager.until(lambda m: f"orders: {order_id + 1} working" in m)  # the run before left one
                gate.kill(signal.SIGTERM)
                manager.until(lambda m: m == "STOPPING=1")
                self.assertEqual(gate.finish(1), 0)

    def test_it_is_ready_once_lines_are_decided(self):
        """While the broker does not answer, the run is not ready; a run that is stopped then never is."""
        silent = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        with Manager(os.path.join(self.home.path, "notify")) as manager:
            gate = self.sender(manager, ORDERGATE_BASE_URL=f"http://127.0.0.1:{silent.getsockname()[1]}")
            self.assertIn("starting", manager.until(lambda m: m.startswith("STATUS=")))
            gate.kill(signal.SIGTERM)
            manager.until(lambda m: m == "STOPPING=1")
            self.assertNotIn("READY=1", manager.heard)
            gate.finish()

    def test_watchdog(self):
        """It is fed while the loop turns, and only then."""
        with Manager(os.path.join(self.home.path, "notify")) as manager:
            gate = self.sender(manager, WATCHDOG_USEC="1200000")
            for _ in range(3):
                manager.until(lambda m: m == "WATCHDOG=1")
            gate.stop()
            manager.socket.settimeout(1.3)
            with self.assertRaises(TimeoutError):
                manager.until(lambda m: False)
            manager.socket.settimeout(DEADLINE)
            gate.resume()
            manager.until(lambda m: m == "WATCHDOG=1")
            self.assertEqual(gate.finish(), 0)

    def test_the_watchdog_of_another_process(self):
        with Manager(os.path.join(self.home.path, "notify")) as manager:
            gate = self.sender(manager, WATCHDOG_USEC="1000000", WATCHDOG_PID="1")
            gate.close_input()
            manager.until(lambda m: m == "STOPPING=1")
            self.assertFalse([m for m in manager.heard if "WATCHDOG" in m])
            self.assertEqual(gate.finish(), 0)

    def test_a_manager_that_is_gone_or_does_not_read(self):
        """Neither keeps an order from being sent; who cannot be reached is told once."""
        gone = Manager(os.path.join(self.home.path, "gone"))
        gone.socket.close()
        gate = self.sender(gone)
        gate.feed(resting()).event("outcome", outcome="working")
        self.assertEqual(gate.finish(1), 0)
        self.assertEqual(gate.stderr.count("cannot be reached"), 1)
        with Manager(os.path.join(self.home.path, "full")) as deaf:
            filler = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self.addCleanup(filler.close)
            filler.setblocking(False)
            with self.assertRaises(BlockingIOError):
                while True:
                    filler.sendto(b"x", deaf.name)
            gate = self.sender(deaf, WATCHDOG_USEC="1000000")
            gate.feed(resting()).event("outcome", outcome="working")
            self.assertEqual(gate.finish(1), 0)
            self.assertNotIn("service manager", gate.stderr)

    def test_settings_that_cannot_be_used(self):
        for env in ({"NOTIFY_SOCKET": "vsock:2:1234"}, {"NOTIFY_SOCKET": "@"}, {"NOTIFY_SOCKET": "/" + 120 * "x"},
                    {"NOTIFY_SOCKET": "/n", "WATCHDOG_USEC": "999999"}):
            with self.subTest(env):
                gate = self.enterContext(Sender(self.paper.url, self.home, env=env, lines=[]))
                self.assertEqual(gate.finish(0), 2)
                self.assertRegex(gate.stderr, "NOTIFY_SOCKET|WatchdogSec")


class Signals(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def test_usr1_tells_the_status(self):
        with Sender(self.paper.url, self.home, "--log-format", "json") as gate:
            gate.feed(resting("a1")).event("outcome", "a1")
            gate.kill(signal.SIGUSR1).wait_stderr("status: account PAPER0001: the stream is ")
            told = [json.loads(line) for line in gate.stderr_lines if "status: " in line]
            self.assertEqual({t["level"] for t in told}, {"info"})
            self.assertIn("running; orders: 1 working, 0 unknown, 0 being posted; 0 lines wait; decisions: 1 accepted, "
                          "0 refused; policy default@sha256:", told[0]["message"])
            self.assertRegex(told[1]["message"], r"; read \d+ ms ago$")
            # senders of other tests do not obey it, which it tells
            subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-halt"), "--reason", "x"], capture_output=True,
                           check=False, env={**os.environ, "HOME": self.home.path,
                                             "XDG_STATE_HOME": os.path.join(self.home.path, "state")})
            gate.wait_stderr("trading is ")
            gate.kill(signal.SIGUSR1).wait_stderr("refused; trading is halted")
            self.assertEqual(gate.finish(1), 0)

    def test_usr1_at_any_time(self):
        """From the first moment to the last; orders go on."""
        with Sender(self.paper.url, self.home,
                    preexec_fn=lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN)) as gate:
            gate.feed(*(resting() for _ in range(5)))
            while len(gate.events_of("outcome")) < 5:
                gate.kill(signal.SIGUSR1)
                with gate.changed:
                    gate.changed.wait(0.002)
            gate.close_input()
            while gate.process.poll() is None:
                gate.kill(signal.SIGUSR1)
            self.assertEqual(gate.finish(5), 0)


class Log(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(TempHome())

    def logged(self, *args):
        """A run whose dead man's switch fires. Returns its id and what it logged."""
        with Paper(clock=RUNNING) as paper, Sender(paper.url, self.home, "--dead-man", "100ms", *args) as gate:
            gate.feed(resting())
            run = gate.event("dead-man")["run"]
            gate.finish(1)
            return run, gate.stderr_lines

    def test_lines_with_time_level_and_run(self):
        run, lines = self.logged("--log-format", "text")
        for line in lines:
            self.assertRegex(line, rf"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z (info|warning) {run} [^\n]+\n$")
        self.assertRegex("".join(lines), rf" info {run} dead man's switch: send lines")
        self.assertRegex("".join(lines), rf" warning {run} dead man's switch: no line and no heartbeat")

    def test_json(self):
        run, lines = self.logged("--log-format", "json")
        told = [json.loads(line) for line in lines]
        self.assertEqual({tuple(t) for t in told}, {("time", "level", "run", "message")})
        self.assertEqual({t["run"] for t in told}, {run})
        self.assertEqual({t["level"] for t in told}, {"info", "warning"})

    def test_journal(self):
        run, lines = self.logged("--log-format", "journal")
        for line in lines:
            self.assertRegex(line, rf"^<[46]>{run} [^\n]+\n$")

    def test_for_people(self):
        for line in self.logged()[1]:
            self.assertTrue(line.startswith("ordergate send: "), line)

    def test_a_run_that_does_not_start(self):
        """What is wrong with the policy, and a name with a newline in it, are one line each, in the same format."""
        bad = self.home.file("a\n<0>b.yaml", "ordergate: 1\nname: x\nrules: {no-such-rule: {level: refuse}}\n")
        for how, form in (("json", None), ("text", r"^\S+Z error - .+\n$"), ("journal", r"^<3>.+\n$")):
            with self.subTest(how):
                stderr = self.start("--log-format", how, "-p", bad, code=3)
                for line in stderr.splitlines(keepends=True):
                    if form:
                        self.assertRegex(line, form)
                    else:
                        self.assertEqual(json.loads(line)["level"], "error")
                self.assertIn("no-such-rule", stderr)

    def start(self, *args, code, **more):
        """Run it to its end without a broker. Returns what it wrote to stderr."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_"))}
        with open(os.path.join(self.home.path, "log"), "w+b") as log:
            file = os.fstat(log.fileno())
            env.update({"HOME": self.home.path, "JOURNAL_STREAM": f"{file.st_dev}:{file.st_ino}", **more})
            ended = subprocess.run([SEND, *args], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log,
                                   env=env, timeout=DEADLINE)
            self.assertEqual(ended.returncode, code)
            log.seek(0)
            return log.read().decode()

    def test_journald_is_noticed(self):
        """By default, if it reads stderr; the variable alone, which children inherit, says nothing about stderr."""
        self.assertRegex(self.start("-p", "/no/such.yaml", code=3), r"^<3>policy '/no/such.yaml'")
        self.assertRegex(self.start("-p", "/no/such.yaml", code=3, JOURNAL_STREAM="1:1"), r"^ordergate send: ")


if __name__ == "__main__":
    main()
