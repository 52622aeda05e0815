"""Which senders a halt reaches: senders with another state folder, all senders of the machine, suspended or busy
senders, and senders whose flag is not a regular file. ordergate halt reports exactly how many obeyed."""
import contextlib
import fcntl
import json
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from fault_proxy import FaultProxy
from paper import DEADLINE, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from test_cancels import deletes
from test_halt import flag, halt

BIN = os.environ["OG_BIN"]
SHIM = os.path.join(os.environ["OG_PRELOAD"], "libfaults-nth.so")


def told(done):
    """Returns the line that halt and resume print; asserts that it agrees with the exit code."""
    line = json.loads(done.stdout.splitlines()[0])
    none = line["senders"] > 0 and line["obeyed"] == 0
    some = line["halted"] and line["obeyed"] < line["senders"] - done.stderr.count("obeys another flag")
    if done.returncode in (0, 1):
        assert (done.returncode == 1) == (none or some), (done.returncode, line, done.stderr)
    return line


@contextlib.contextmanager
def locked(ledger):
    """Hold the ledger's lock for a while, as another process that writes slowly."""
    db = sqlite3.connect(ledger, isolation_level=None)
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
    finally:
        db.close()


class Reach(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def working(self, gate, order_id="first"):
        gate.feed(resting(order_id))
        gate.event("outcome", order_id, outcome="working")
        return gate

    def outcome(self, gate, order_id):
        gate.feed(resting(order_id))
        return gate.event("outcome", order_id)["outcome"]

    def test_who_obeyed(self):
        with Sender(self.paper.url, self.home) as one, Sender(self.paper.url, self.home) as two:
            self.working(one, "a"), self.working(two, "b")
            done = halt(self.home, "--reason", "feed is wrong")
            line = told(done)
            self.assertEqual((line["halted"], line["path"]), (True, flag(self.home)), done.stderr)
            self.assertGreaterEqual(line["obeyed"], 2)
            self.assertGreaterEqual(line["senders"], line["obeyed"])
            self.assertIn(f"{line['obeyed']} of {line['senders']} running senders of ", done.stderr)
            self.assertEqual((self.outcome(one, "c"), self.outcome(two, "d")), ("refused", "refused"))
            done = halt(self.home, "--reason", "it is back", name="resume")
            line = told(done)
            self.assertEqual((done.returncode, line["halted"]), (0, False), done.stderr)
            self.assertGreaterEqual(line["obeyed"], 2)
            self.assertEqual((self.outcome(one, "e"), self.outcome(two, "f")), ("working", "working"))

    def test_another_state_folder(self):
        """A halt from another environment (another shell, sudo, a service) either reports that nobody obeyed, or
        reaches the senders all the same."""
        for name in ("other", None):
            with self.subTest(name), TempHome() as other, Sender(self.paper.url, self.home) as gate:
                env = {"XDG_STATE_HOME": os.path.join(other.path, name)} if name else {"XDG_STATE_HOME": "",
                                                                                       "HOME": other.path}
                self.working(gate, f"a{name}")
                for program in ("halt", "resume"):
                    done = halt(other, "--reason", "x", name=program, env=env)
                    self.assertGreaterEqual(told(done)["senders"], 1)
                    self.assertIn(f"sender {gate.process.pid} obeys another flag, '{flag(self.home)}'", done.stderr)
                    self.assertIn("--everywhere", done.stderr)
                self.assertEqual(self.outcome(gate, f"b{name}"), "working")

    def test_told_by_its_own_socket(self):
        """The halt is sent through the sender's own socket. The sender's flag is written too, so that the halt remains
        when the sender is gone."""
        with TempHome() as other, Sender(self.paper.url, self.home) as gate:
            self.working(gate)
            asked = dict(XDG_STATE_HOME=os.path.join(other.path, "other"))
            done = tell(gate, other, "halted", "said apart")
            self.assertEqual((done["trading"], done["obeyed"], done["flags"][0]["path"]),
                             ("halted", True, flag(self.home)))
            with open(flag(self.home)) as f:
                kept = json.load(f)
            self.assertEqual((kept["trading"], kept["reason"], kept["by"]), ("halted", "said apart", "a test"))
            gate.wait_stderr("said apart")
            self.assertEqual(self.outcome(gate, "b"), "refused")
            self.assertEqual(tell(gate, other, "on", "and back")["trading"], "on")
            self.assertEqual(self.outcome(gate, "c"), "working")
            self.assertIsNone(tell(gate, other, "perhaps", ""))
            self.assertEqual(halt(other, env=asked).returncode in (0, 1), True)
            self.assertEqual(self.outcome(gate, "d"), "working")

    def test_told_a_looser_halt(self):
        """halt --everywhere loosens no halt of another user's sender, in its flag or in memory, without --replace."""
        with TempHome() as other, Sender(self.paper.url, self.home) as gate:
            self.working(gate)
            folder = os.path.dirname(flag(self.home))
            for written in (True, False):
                with self.subTest(written=written):
                    if not written:
                        os.rename(folder, folder + "-away")
                        with open(folder, "w"):
                            pass
                    self.assertEqual(tell(gate, other, "halted-all", "all")["trading"], "halted-all")
                    self.assertEqual(tell(gate, other, "halted", "looser")["trading"], "halted-all")
                    self.assertEqual(tell(gate, other, "reduce-only", "looser")["trading"], "halted-all")
                    if written:
                        with open(flag(self.home)) as f:
                            self.assertEqual(json.load(f)["reason"], "all")
                    self.assertEqual(tell(gate, other, "halted", "looser", replace=True)["trading"], "halted")
                    self.assertEqual(tell(gate, other, "on", "back")["trading"], "on")
                    self.assertEqual(self.outcome(gate, f"c{written}"), "working")

    def test_told_while_its_flag_cannot_be_written(self):
        """The sender's flag cannot be written: the sender keeps the halt in memory until it can."""
        with TempHome() as other, Sender(self.paper.url, self.home) as gate:
            self.working(gate)
            folder = os.path.dirname(flag(self.home))
            os.rename(folder, folder + "-away")
            with open(folder, "w"):
                pass
            self.assertEqual(tell(gate, other, "halted", "in mind")["trading"], "halted")
            self.assertEqual(self.outcome(gate, "b"), "refused")
            self.assertEqual(tell(gate, other, "on", "back")["trading"], "on")
            self.assertEqual(self.outcome(gate, "c"), "working")

    def test_a_flag_for_several(self):
        """ORDERGATE_HALT_ALSO adds a flag for a sender and for a filter, and replaces none."""
        also = os.path.join(self.home.path, "desk.json")
        env = {"ORDERGATE_HALT_ALSO": also}
        with Sender(self.paper.url, self.home, env=env) as gate:
            self.working(gate)
            done = halt(self.home, "--flag", also, "--reason", "the desk says so")
            self.assertEqual(told(done)["path"], also, done.stderr)
            gate.wait_stderr("the desk says so")
            self.assertEqual(self.outcome(gate, "b"), "refused")
            self.assertEqual((self.check(), self.check(env)), ("accept", "refuse"))
            done = halt(self.home, "--reason", "own flag", name="resume")
            self.assertIn(f"sender {gate.process.pid} is still halted by another flag", done.stderr)
            self.assertEqual(self.outcome(gate, "c"), "refused")
            self.assertEqual(halt(self.home, "--flag", also, "--reason", "x", name="resume").returncode, 0)
            self.assertEqual(self.outcome(gate, "d"), "working")
            halt(self.home)
            self.assertEqual(self.outcome(gate, "e"), "refused")
            self.assertEqual(self.check(env), "refuse")

    def test_a_named_flag_that_cannot_be(self):
        """A user who names a flag relies on it: an unusable flag is an error at the start, and a halt during a run.
        """
        folder = os.path.join(self.home.path, "desk")
        also = os.path.join(folder, "halt.json")
        env = {"ORDERGATE_HALT_ALSO": also}
        with Sender(self.paper.url, self.home, lines=[resting("n")], env=env) as gate:
            self.assertEqual(gate.finish(), 4)
            self.assertIn(also, gate.stderr)
        self.assertEqual(len(posts(self.paper, "n")), 0)
        self.assertIn(also, self.check_fails(env))
        os.mkdir(folder, 0o700)
        for make in (os.mkdir, os.mkfifo, lambda path: os.symlink("nowhere/x", path)):
            make(also)
            with Sender(self.paper.url, self.home, lines=[resting("n")], env=env) as gate:
                code = gate.finish()
                self.assertIn(also, gate.stderr)
                self.assertEqual((code, len(posts(self.paper, "n"))), (4, 0), make)
            self.assertIn(also, self.check_fails(env))
            os.rmdir(also) if make is os.mkdir else os.remove(also)
        with Sender(self.paper.url, self.home, env=env) as gate:
            self.working(gate)
            for i, (spoil, mend) in enumerate((
                    (lambda: os.rename(folder, folder + "2"), lambda: os.rename(folder + "2", folder)),
                    (lambda: os.mkdir(also), lambda: os.rmdir(also)),
                    (lambda: os.mkfifo(also), lambda: os.remove(also)),
                    (lambda: self.home.file("desk/halt.json", '{"trading":"on"}', 0o666), lambda: os.remove(also)))):
                spoil()
                self.assertEqual(self.outcome(gate, f"stop{i}"), "refused")
                gate.wait_stderr(also)
                mend()
                self.assertEqual(self.outcome(gate, f"go{i}"), "working")

    def check_fails(self, env):
        given = {**os.environ, "HOME": self.home.path, "XDG_STATE_HOME": os.path.join(self.home.path, "state"), **env}
        done = subprocess.run([os.path.join(BIN, "ordergate"), "check"], env=given, text=True, input="{}\n",
                              capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
        return done.stderr

    def check(self, env=None):
        """Returns how the filter decides an order that the machine's flag or the user's flag may stop."""
        policy = self.home.file("check.yaml", "ordergate: 1\nname: c\nextends: []\nrules:\n  trading: off\n")
        given = {**os.environ, "HOME": self.home.path, "XDG_STATE_HOME": os.path.join(self.home.path, "state"),
                 **(env or {})}
        done = subprocess.run([os.path.join(BIN, "ordergate"), "check", "-p", policy], env=given, text=True,
                              input=json.dumps(resting("o")) + "\n", capture_output=True)
        return json.loads(done.stdout)["verdict"]

    def test_the_machine(self):
        """The test has a mount namespace of its own, where /etc/ordergate is an empty folder that no other process
        sees."""
        inside = ["unshare", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "--mount", "sh", "-c"]
        etc = "mount -t tmpfs none /etc && mkdir -m 755 /etc/ordergate && "
        if subprocess.run([*inside, etc + "true"], capture_output=True).returncode:
            self.skipTest("mount namespaces are not allowed here")
        script = f"""{etc} export PATH={BIN}:$PATH; check() {{ ordergate check -p "$1" < "$2"; }}
            check "$@"; ordergate-halt --machine --reason all 2>&1; stat -c '%a %U' /etc/ordergate/halt.json || true
            check "$@"; XDG_STATE_HOME= HOME= ORDERGATE_HALT_ALSO=/x check "$@"
            ordergate-resume --machine --reason back; check "$@"; chmod 666 /etc/ordergate/halt.json; check "$@"
            """
        policy = self.home.file("m.yaml", "ordergate: 1\nname: m\nextends: []\nrules:\n  trading: off\n")
        order = self.home.file("o.json", json.dumps(resting("o")) + "\n")
        done = subprocess.run([*inside, script, "sh", policy, order], capture_output=True, text=True, timeout=600,
                              env={**os.environ, "HOME": self.home.path, "XDG_STATE_HOME": self.home.path})
        verdicts = [json.loads(x)["verdict"] for x in done.stdout.splitlines() if '"verdict"' in x]
        self.assertEqual(verdicts, ["accept", "refuse", "refuse", "accept", "refuse"], done.stdout + done.stderr)
        self.assertIn('"path":"/etc/ordergate/halt.json"', done.stdout)
        self.assertIn("644", done.stdout)

    def test_one_that_stands_still(self):
        """A suspended sender did not obey within the second. If it is the only one, the exit code says so. It obeys
        once it is resumed."""
        with Sender(self.paper.url, self.home) as gate:
            self.working(gate)
            gate.stop()
            done = halt(self.home, "--reason", "too late")
            line = told(done)
            self.assertIn(f"sender {gate.process.pid} did not answer", done.stderr)
            self.assertLess(line["obeyed"], line["senders"])
            gate.feed(resting("b"))
            gate.resume()
            self.assertEqual(gate.event("outcome", "b")["outcome"], "refused")

    def test_one_that_ended(self):
        with Sender(self.paper.url, self.home) as gate:
            pid = gate.process.pid
            self.working(gate)
            gate.kill().process.wait()
        done = halt(self.home)
        self.assertNotIn(str(pid), done.stderr)

    def test_a_dry_run_is_no_sender(self):
        with Sender(self.paper.url, self.home, "--dry-run") as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a")
            self.assertNotIn(str(gate.process.pid), halt(self.home).stderr)
            self.assertEqual(gate.feed(resting("b")).event("decision", "b")["verdict"], "refuse")


class Busy(unittest.TestCase):
    """The loop is blocked by a disk that hangs."""

    @contextlib.contextmanager
    def hanging(self, home):
        with tempfile.NamedTemporaryFile(dir=home.path, prefix="slow") as f:
            os.rename(f.name, os.path.join(home.path, "slow"))
            yield
            os.rename(os.path.join(home.path, "slow"), f.name)

    def sender(self, p, home, *args):
        env = {"LD_PRELOAD": SHIM, "OG_NTH_SLOW": os.path.join(home.path, "slow")}
        return Sender(p.url, home, *args, env=env)

    @unittest.skipIf(os.environ.get("OG_SANITIZE"), "what is preloaded has no sanitizer in it")
    def test_obeyed_while_the_loop_is_blocked(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, self.sender(p, home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            with self.hanging(home):
                self.blocked(gate, resting("b"))
                done = halt(home, "--reason", "while it is blocked")
                self.assertGreaterEqual(told(done)["obeyed"], 1)
                self.assertNotIn(f"sender {gate.process.pid} ", done.stderr)
                self.assertNotIn("while it is blocked", gate.stderr)  # the loop has not told it yet
            self.assertEqual(gate.event("outcome", "b")["outcome"], "not-sent")  # it was decided before
            self.assertEqual(len(posts(p, "b")), 0)

    def blocked(self, gate, line):
        """Write the line, and wait until the loop sleeps in a sync. The shim makes it sleep again and again, so it has
        fallen asleep several times since the line was written, and it does not read what comes after."""
        def unread():
            return struct.unpack("i", fcntl.ioctl(gate.process.stdin, termios.FIONREAD, b"\0\0\0\0"))[0]

        def sleeps():
            # a user who may not trace the process may still read this file
            with open(f"/proc/{gate.process.pid}/task/{gate.process.pid}/status") as f:
                return int(next(x for x in f if x.startswith("voluntary_ctxt_switches")).split()[1])
        end = time.monotonic() + DEADLINE
        gate.feed(line)
        while unread():
            self.assertLess(time.monotonic(), end, "the line was not read")
        gate.feed({"op": "heartbeat"})
        behind, before = unread(), sleeps()
        while sleeps() < before + 8:
            self.assertLess(time.monotonic(), end, "it does not sync")
        self.assertEqual((unread(), behind > 0), (behind, True), "the loop goes on")

    def test_halted_between_decision_and_post(self):
        """The order is decided, recorded, and on its way to a slow connection: the flag is read before the first byte
        is sent."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with FaultProxy(p, {"b": (False, "hang")}) as b, Sender(b.url, home, "--timeout", "60s") as gate:
                gate.feed(resting("a"))
                gate.event("outcome", "a", outcome="working")
                gate.stop()
                gate.feed(resting("b"))
                self.assertIn(halt(home, "--reason", "x").returncode, (0, 1))
                gate.resume()
                self.assertIn(gate.event("outcome", "b")["outcome"], ("refused", "not-sent"))
                self.assertNotIn("b", b.posts)

    @unittest.skipIf(os.environ.get("OG_SANITIZE"), "what is preloaded has no sanitizer in it")
    def test_the_dead_man_while_the_loop_is_blocked(self):
        """The cancels are sent while the loop is still blocked by the disk, not before the time of the switch is
        over."""
        with Paper(clock=RUNNING) as p, TempHome() as home, self.sender(p, home, "--dead-man", "5s") as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            with self.hanging(home):
                since = time.monotonic()
                gate.feed(resting("b"))
                while not deletes(p, "a"):
                    self.assertLess(time.monotonic(), since + DEADLINE)
                self.assertGreater(time.monotonic(), since + 4.99)
                self.assertEqual(gate.events_of("dead-man"), [], "the loop is still blocked")
            gate.event("dead-man")
            gate.wait_stderr("this process was blocked for")
            gate.event("update", "a", orderStatus="Canceled")

    @unittest.skipIf(os.environ.get("OG_SANITIZE"), "what is preloaded has no sanitizer in it")
    def test_the_ledger_stays_locked_while_another_thread_reads_it(self):
        """While the loop is in the middle of a commit, the thread that cancels opens and closes the ledger: no other
        process may write meanwhile, take this process for dead, or remove the WAL."""
        with Paper(clock=RUNNING) as p, TempHome() as home, self.sender(p, home, "--dead-man", "5s") as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            with self.hanging(home):
                self.blocked(gate, resting("b"))
                end = time.monotonic() + DEADLINE
                while not deletes(p, "a"):
                    self.assertLess(time.monotonic(), end)
                with contextlib.closing(sqlite3.connect(home.ledger, isolation_level=None, timeout=0)) as db:
                    with self.assertRaisesRegex(sqlite3.OperationalError, "locked"):
                        db.execute("BEGIN IMMEDIATE")
                self.assertTrue(os.path.exists(home.ledger + "-wal"))
            told = gate.event("outcome", "b")["outcome"]  # not-sent if the disk hung for longer than an order may wait
            self.assertNotIn("was deleted", gate.stderr)
            self.assertEqual(len(home.rows(f"id = 'b' AND outcome = '{told}'")), 1)

    def test_no_dead_man_by_a_short_block(self):
        """Lines that lie unread in the pipe count as heartbeats until the loop has been blocked for as long as
        the dead man's switch allows."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, "--dead-man", "8s") as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            with locked(home.ledger):
                gate.feed(resting("b"))
                end = time.monotonic() + 1.5
                while time.monotonic() < end:
                    gate.feed({"op": "heartbeat"})
                    time.sleep(0.05)
            gate.event("outcome", "b", outcome="working")
            self.assertEqual((deletes(p), gate.events_of("dead-man")), ([], []))


class Flags(unittest.TestCase):
    """If the flag's path is anything but a regular file, it halts the sender, and none of these blocks it."""

    def halts(self, make, word):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            os.makedirs(os.path.dirname(flag(home)), mode=0o700)
            with Sender(p.url, home) as gate:
                gate.feed(resting("a"))
                gate.event("outcome", "a", outcome="working")
                make(flag(home))
                gate.wait_stderr(word)
                gate.feed(resting("b"))
                self.assertEqual(gate.event("outcome", "b")["outcome"], "refused")
                self.assertEqual(gate.finish(2), 1)
            code, gate = send(p.url, home, [resting("c")])
            self.assertEqual((code, gate.outcomes()), (1, {"c": "refused"}))

    def test_a_fifo(self):
        self.halts(os.mkfifo, "is a FIFO")

    def test_a_folder(self):
        self.halts(os.mkdir, "is a folder")

    def test_a_link(self):
        self.halts(lambda path: os.symlink("/nowhere/at/all", path), "cannot be read")

    def test_one_of_somebody_else(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a file away")

        def make(path):
            with open(path + ".x", "w") as f:
                f.write('{"trading":"on"}')
            os.chown(path + ".x", 65534, 65534)
            os.rename(path + ".x", path)
        self.halts(make, "belongs to")

    def test_no_place_for_a_flag(self):
        """A sender that cannot read its flag is halted. If `ordergate halt` also reaches it, it stays halted once the
        flag can be read."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            env = {"XDG_STATE_HOME": "relative", "HOME": "relative"}
            code, gate = send(p.url, home, [resting("a")], env=env)
            self.assertEqual((code, gate.outcomes()), (1, {"a": "refused"}))
            self.assertIn("no place for state", gate.stderr)


LOOPBACK = """
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    fcntl.ioctl(s, 0x8914, struct.pack("16sH22x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
os.system("mount -t tmpfs none /etc")
os.execv(sys.executable, [sys.executable, "-B", *sys.argv[1:]])
"""


class Everywhere(unittest.TestCase):
    """--everywhere and --machine would halt the senders of other tests, so each case runs in namespaces of its
    own, without other senders and with an empty /etc."""

    def setUp(self):
        if "OG_ALONE" in os.environ:
            return
        inside = ["unshare", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "--net", "--mount"]
        if subprocess.run([*inside, "mount", "-t", "tmpfs", "none", "/etc"], capture_output=True).returncode:
            self.skipTest("namespaces are not allowed here")
        done = subprocess.run([*inside, sys.executable, "-c", LOOPBACK, __file__, self.id().split(".", 1)[1]],
                              capture_output=True, text=True, env={**os.environ, "OG_ALONE": "1"}, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.skipTest("passed in namespaces of its own")

    def test_every_state_folder(self):
        with Paper(clock=RUNNING) as p, TempHome() as one, TempHome() as two, TempHome() as third:
            with Sender(p.url, one) as a, Sender(p.url, two) as b:
                for gate, i in ((a, "a"), (b, "b")):
                    gate.feed(resting(i))
                    gate.event("outcome", i, outcome="working")
                done = halt(third)
                self.assertEqual((done.returncode, told(done)["senders"], told(done)["obeyed"]), (1, 2, 0), done.stderr)
                done = halt(one)
                self.assertEqual((done.returncode, told(done)["senders"], told(done)["obeyed"]), (0, 2, 1), done.stderr)
                halt(one, "--reason", "x", name="resume")
                done = halt(third, "--everywhere", "--reason", "all of you")
                self.assertEqual((done.returncode, told(done)["senders"], told(done)["obeyed"]), (0, 2, 2), done.stderr)
                self.assertIn("2 of 2 running senders of ", done.stderr)
                for gate, home, i in ((a, one, "c"), (b, two, "d")):
                    gate.wait_stderr("all of you")
                    gate.feed(resting(i))
                    self.assertEqual(gate.event("outcome", i)["outcome"], "refused")
                    with open(flag(home)) as f:
                        self.assertEqual(json.load(f)["trading"], "halted")
                done = halt(third, "--everywhere", "--reason", "go on", name="resume")
                self.assertEqual((done.returncode, told(done)["senders"], told(done)["obeyed"]), (0, 2, 2), done.stderr)
                for gate, i in ((a, "e"), (b, "f")):
                    gate.feed(resting(i))
                    self.assertEqual(gate.event("outcome", i)["outcome"], "working")

    def test_the_flag_cannot_be_written(self):
        """The flag cannot be written: running senders get the halt over their sockets all the same. A resume that
        cannot remove the flag reaches no sender."""
        with Paper(clock=RUNNING) as p, TempHome() as one, TempHome() as two, TempHome() as third:
            with Sender(p.url, one) as a, Sender(p.url, two) as b:
                for gate, i in ((a, "a"), (b, "b")):
                    gate.feed(resting(i))
                    gate.event("outcome", i, outcome="working")
                with open(os.path.join(third.path, "state"), "w"):  # no state folder can be made
                    pass
                done = halt(third, "--everywhere", "--reason", "all of you")
                self.assertEqual((done.returncode, told(done)), (4, {"halted": False, "path": None, "senders": 2,
                                                                     "obeyed": 2}), done.stderr)
                self.assertIn("those that start later are not halted", done.stderr)
                for gate, i in ((a, "c"), (b, "d")):
                    gate.wait_stderr("all of you")
                    gate.feed(resting(i))
                    self.assertEqual(gate.event("outcome", i)["outcome"], "refused")
                done = halt(third, "--everywhere", "--reason", "go on", name="resume")
                self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
                a.feed(resting("e"))
                self.assertEqual(a.event("outcome", "e")["outcome"], "refused")

    def test_the_machine(self):
        """A halt of all senders reaches each sender, whatever its state folder is."""
        with Paper(clock=RUNNING) as p, TempHome() as one, TempHome() as two:
            with Sender(p.url, one) as a, Sender(p.url, two, env={"ORDERGATE_HALT_ALSO": "/nowhere"}) as b:
                for gate, i in ((a, "a"), (b, "b")):
                    gate.feed(resting(i))
                    gate.event("outcome", i, outcome="working")
                done = halt(one, "--machine", "--reason", "the whole house")
                self.assertEqual((done.returncode, told(done)["senders"], told(done)["obeyed"]), (0, 2, 2), done.stderr)
                for gate, i in ((a, "c"), (b, "d")):
                    gate.wait_stderr("the whole house")
                    gate.feed(resting(i))
                    self.assertEqual(gate.event("outcome", i)["outcome"], "refused")
                done = halt(one, "--reason", "own flag", name="resume")  # which does not lift the machine's
                self.assertEqual((done.returncode, told(done)["obeyed"]), (1, 0), done.stderr)
                done = halt(one, "--machine", "--reason", "over", name="resume")
                self.assertEqual((done.returncode, told(done)["obeyed"]), (0, 2), done.stderr)
                a.feed(resting("e"))
                self.assertEqual(a.event("outcome", "e")["outcome"], "working")

    def test_one_that_stands_still(self):
        """The only sender is suspended: the exit code says that nobody obeyed."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            gate.stop()
            done = halt(home)
            self.assertEqual((done.returncode, told(done)["senders"], told(done)["obeyed"]), (1, 1, 0), done.stderr)
            gate.resume()
            gate.wait_stderr("halted")
        done = halt(home)
        self.assertEqual((done.returncode, told(done)["senders"]), (0, 0), done.stderr)


def tell(gate, other, trading, reason, **more):
    """Send to one sender what halt --everywhere sends to all, because other senders run beside this test."""
    import socket
    name = next(line.split("@")[1].strip() for line in open("/proc/net/unix")
                if f"@ordergate-send/{os.geteuid()}/{gate.process.pid}/" in line)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        s.settimeout(DEADLINE)
        s.connect("\0" + name)
        s.send(json.dumps({"write": {"trading": trading, "at": "2026-01-15T15:00:00Z", "by": "a test",
                                     "reason": reason, **more}}).encode())
        said = s.recv(65536)
        return json.loads(said) if said else None


if __name__ == "__main__":
    main()
