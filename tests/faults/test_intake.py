"""Intake: lines from a socket, whose writers each get their own events, and from a FIFO, that outlive their writers."""
import contextlib
import json
import os
import select
import signal
import socket
import stat
import subprocess
import sys
import unittest

from paper import DEADLINE, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, as_bytes, resting

ANSWERS_MOST = 1 << 20  # bytes of answers that wait for a writer, as src/send/intake.c has it
WRITERS_MOST = 32


class Writer:
    """A program on the socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(DEADLINE)
        self.socket.connect(path)
        self.file, self.events = self.socket.makefile("rb"), []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.file.close()
        self.socket.close()

    def write(self, *lines):
        self.socket.sendall(b"".join(map(as_bytes, lines)))
        return self

    def end(self):
        """Write nothing more, and return all events until the sender closes."""
        self.socket.shutdown(socket.SHUT_WR)
        self.events += [json.loads(line) for line in self.file]
        return self.events

    def event(self, kind, **members):
        """Read until an event comes that has these members."""
        while True:
            line = self.file.readline()
            assert line, f"closed before {kind} {members}; events {self.events}"
            self.events.append(json.loads(line))
            if self.events[-1]["event"] == kind and members.items() <= self.events[-1].items():
                return self.events[-1]

    def outcome(self, order_id):
        return self.event("outcome", clientOrderId=order_id)["outcome"]


class Intake(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.path = os.path.join(self.home.path, "intake")

    def start(self, *args, **more):
        """A sender that takes writers, which it does before it decides lines."""
        gate = self.enterContext(Sender(self.paper.url, self.home, "--intake", self.path, *args, **more))
        watch = os.path.exists(self.path) and stat.S_ISFIFO(os.stat(self.path).st_mode)
        gate.wait_until(lambda: watch or self.is_there(gate), "the socket")
        return gate

    def is_there(self, gate):
        while gate.process.poll() is None:
            with contextlib.suppress(FileNotFoundError, ConnectionRefusedError), Writer(self.path):
                return True
            select.select([], [], [], 0.01)
        return False

    def writer(self):
        return self.enterContext(Writer(self.path))

    def stop(self, gate, code=0):
        self.assertEqual(gate.kill(signal.SIGTERM).finish(), code)

    # --- sockets -----------------------------------------------------------------------------------------------------

    def test_each_writer_gets_its_own_events(self):
        gate = self.start()
        a, b = self.writer(), self.writer()
        for i in range(5):
            a.write(resting(f"a{i}"))
            b.write(resting(f"b{i}"))
        for i in range(5):
            self.assertEqual(a.outcome(f"a{i}"), "working")
            self.assertEqual(b.outcome(f"b{i}"), "working")
        for w, own in ((a, "a"), (b, "b")):
            self.assertEqual({e["clientOrderId"][0] for e in w.events}, {own})
            self.assertEqual(len({e["writer"] for e in w.events}), 1)
            kinds = {e["event"] for e in w.events}
            self.assertLessEqual({"decision", "posted", "outcome"}, kinds)
        gate.event("outcome", "b4")
        self.assertEqual({e["clientOrderId"] for e in gate.events_of("outcome")},
                         {f"{w}{i}" for w in "ab" for i in range(5)}, "events of all are on stdout")
        for w in (a, b):
            self.assertTrue(all(e in gate.events for e in w.events), "they are the same")
        self.stop(gate)
        self.assertFalse(os.path.exists(self.path), "the socket is removed")

    def test_a_cancel_by_another_writer(self):
        """Both get an outcome: the writer of the order, whose update comes later, and that of the cancel."""
        gate = self.start()
        a, b = self.writer(), self.writer()
        self.assertEqual(a.write(resting("a1")).outcome("a1"), "working")
        b.write({"op": "cancel", "clientOrderId": "a1"})
        self.assertEqual(b.event("outcome", op="cancel")["outcome"], "canceled")
        a.event("update", orderStatus="Canceled")
        self.stop(gate)

    def test_a_writer_that_writes_no_more_gets_the_rest(self):
        """nc -N: the sender closes once all outcomes are sent, also of a last line without a newline."""
        gate = self.start()
        w = self.writer().write(resting("a1"), "{}", {"op": "heartbeat"}, b"\n")
        w.socket.sendall(as_bytes(resting("a2"))[:-1])
        self.assertEqual([e["outcome"] for e in w.end() if e["event"] == "outcome"].count("working"), 2)
        self.assertEqual(len([e for e in w.events if e["event"] == "outcome"]), 3)
        self.assertEqual(Writer(self.path).end(), [], "no lines, no answers")
        self.stop(gate, 1)

    def test_a_writer_that_leaves(self):
        """Its lines are carried out, and nothing ends."""
        gate = self.start()
        w = Writer(self.path).write(resting("a1"), resting("a2"))
        w.close()
        gate.event("outcome", "a1", outcome="working")
        gate.event("outcome", "a2", outcome="working")
        w = Writer(self.path)
        w.socket.sendall(as_bytes(resting("a3"))[:-20])  # cut in the middle of the line
        w.close()
        self.assertEqual(gate.event("outcome", code=None, outcome="refused")["event"], "outcome")
        self.assertEqual(self.writer().write(resting("a4")).outcome("a4"), "working")
        self.stop(gate, 1)

    def test_a_writer_that_does_not_read(self):
        """Its answers are kept up to a bound; then it is dropped, with an event. Others are answered meanwhile."""
        gate = self.start()
        slow, other = self.writer(), self.writer()
        bad = json.dumps({"symbol": "x" * 200, "clientOrderId": "y" * 100})
        slow.socket.setblocking(False)
        left = (bad + "\n").encode() * 4000
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            while left:
                select.select([], [slow.socket], [], DEADLINE)
                left = left[slow.socket.send(left):]
        dropped = gate.event("writer", state="dropped")
        self.assertIn("does not read its answers", dropped["text"])
        self.assertIn(f"process {os.getpid()} ", dropped["text"])
        self.assertEqual(other.write(resting("a1")).outcome("a1"), "working")
        self.assertIn("does not read", gate.stderr)
        self.stop(gate, 1)

    def test_a_flood_does_not_keep_others_waiting(self):
        """While a writer's orders wait for the budget, its further lines are not read; a cancel of another passes."""
        gate = self.start()
        first, flood = self.writer(), self.writer()
        self.assertEqual(first.write(resting("a1")).outcome("a1"), "working")
        line, sent = as_bytes(json.dumps(resting()) + 1000 * " "), 0
        flood.socket.setblocking(False)
        while select.select([], [flood.socket], [], 1)[1]:  # nothing was read for a second
            sent += flood.socket.send(line)
            self.assertLess(sent, 3 << 20, "it can write on and on")
        first.write({"op": "cancel", "clientOrderId": "a1"})
        self.assertEqual(first.event("outcome", op="cancel")["outcome"], "canceled")
        self.stop(gate, 4)

    def test_many_writers(self):
        """More than there are places for: the others wait until one leaves."""
        gate = self.start()
        writers = [self.writer() for _ in range(WRITERS_MOST)]
        for i, w in enumerate(writers):
            w.write(resting(f"a{i}"))
        self.assertEqual({w.outcome(f"a{i}") for i, w in enumerate(writers)}, {"working"})
        late = self.writer().write(resting("late"))
        gate.wait_stderr("writers are connected")
        writers[0].close()
        self.assertEqual(late.outcome("late"), "working")
        self.stop(gate)

    def test_untrusted_like_stdin(self):
        gate = self.start()
        for op in ("facts", "quote"):
            w = self.writer().write({"op": op, "symbol": "AAPL", "bid": 1, "ask": 2})
            self.assertIn("input-not-trusted", json.dumps(w.end()))
        self.stop(gate, 1)

    def test_stdin_is_not_read_and_files_are(self):
        name = self.home.file("orders.ndjson", json.dumps(resting("f1")) + "\n")
        gate = self.start(name)
        self.assertEqual(gate.event("outcome", "f1")["file"], name)
        w = self.writer().write(resting("a1"))
        self.assertEqual(w.outcome("a1"), "working")
        self.assertNotIn("file", w.events[-1])
        gate.feed(resting("in"))
        self.assertEqual(w.write(resting("a2")).outcome("a2"), "working")
        self.assertEqual(gate.events_of("decision", "in"), [])
        self.stop(gate)

    def test_heartbeats_of_writers(self):
        gate = self.start("--dead-man", "1s")
        w = self.writer().write(resting("a1"))
        self.assertEqual(w.outcome("a1"), "working")
        w.event("update", orderStatus="Canceled")
        gate.event("dead-man")
        self.stop(gate)

    def test_the_end_of_the_run(self):
        """Lines that wait are answered not-sent; the answers arrive before the socket closes."""
        gate = self.start("--until", "final")
        w = self.writer().write(resting("a1"))
        w.event("posted")
        gate.kill(signal.SIGTERM)
        self.assertEqual(w.outcome("a1"), "working")
        self.assertEqual(w.file.read(), b"")
        self.assertEqual(gate.finish(), 0)

    # --- the path ----------------------------------------------------------------------------------------------------

    def test_the_socket_is_this_user_s(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        gate = self.start()
        self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
        self.stop(gate)

    def test_a_path_in_use_and_a_stale_one(self):
        gate = self.start()
        second = self.enterContext(Sender(self.paper.url, self.home, "--intake", self.path))
        self.assertEqual(second.finish(), 4)
        self.assertIn("another process listens there", second.stderr)
        self.assertEqual(self.writer().write(resting("a1")).outcome("a1"), "working")
        gate.kill().process.wait()
        self.assertTrue(os.path.exists(self.path), "a killed run leaves it")
        third = self.start()
        self.assertEqual(self.writer().write(resting("a2")).outcome("a2"), "working")
        self.stop(third)

    def test_paths_that_cannot_be_used(self):
        open_folder = os.path.join(self.home.path, "open")
        os.mkdir(open_folder)
        os.chmod(open_folder, 0o777)
        fifo = os.path.join(self.home.path, "fifo")
        os.mkfifo(fifo)
        os.chmod(fifo, 0o622)
        readable = os.path.join(self.home.path, "readable")
        os.mkfifo(readable, 0o644)
        link = os.path.join(self.home.path, "link")
        os.symlink("nothing", link)
        for path, why in ((self.home.file("file", ""), "neither a socket nor a FIFO"), ("/dev/null", "neither"),
                          (os.path.join(open_folder, "s"), "may be written by others"), (fifo, "chmod"),
                          (readable, "chmod 600"), (link, "link"), (self.home.path, "folder"),
                          (os.path.join(self.home.path, "x" * 100), "too long"), ("/no/such/folder/s", "not exist")):
            with self.subTest(path):
                gate = self.enterContext(Sender(self.paper.url, self.home, "--intake", path))
                self.assertEqual(gate.finish(), 4)
                self.assertIn(why, gate.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can make what belongs to another user")
    def test_a_path_of_another_user(self):
        for kind in ("socket", "fifo"):
            with self.subTest(kind):
                path = os.path.join(self.home.path, kind)
                if kind == "fifo":
                    os.mkfifo(path, 0o600)
                else:
                    with socket.socket(socket.AF_UNIX) as stale:
                        stale.bind(path)
                os.chown(path, 1234, 1234)
                gate = self.enterContext(Sender(self.paper.url, self.home, "--intake", path))
                self.assertEqual(gate.finish(), 4)
                self.assertRegex(gate.stderr, "another user|belongs to uid 1234")
                self.assertTrue(os.path.exists(path))

    @unittest.skipUnless(os.geteuid() == 0, "only root can be another user")
    def test_another_user_does_not_get_in(self):
        """Nor if a socket's mode were opened later: the kernel says who connects."""
        os.chmod(self.home.path, 0o755)
        gate = self.start()
        connect = ["import os, socket, sys", "os.setuid(1234)", "s = socket.socket(socket.AF_UNIX)",
                   f"s.connect({self.path!r})", "s.sendall(sys.stdin.buffer.read())", "s.shutdown(socket.SHUT_WR)",
                   "print(s.makefile().read())"]

        def as_other():
            return subprocess.run([sys.executable, "-c", "\n".join(connect)], input=as_bytes(resting("other")),
                                  capture_output=True, timeout=DEADLINE)
        self.assertIn(b"PermissionError", as_other().stderr)
        os.chmod(self.path, 0o666)
        self.assertNotIn(b"decision", as_other().stdout)
        self.assertEqual(self.writer().write(resting("a1")).outcome("a1"), "working")
        self.assertEqual(gate.events_of("decision", "other"), [])
        self.stop(gate)

    # --- FIFOs -------------------------------------------------------------------------------------------------------

    def test_a_fifo_outlives_its_writers(self):
        os.mkfifo(self.path, 0o600)
        gate = self.start()
        for i in range(3):
            with open(self.path, "wb") as fifo:
                fifo.write(as_bytes(resting(f"a{i}")))
            self.assertEqual(gate.event("outcome", f"a{i}")["file"], self.path)
        self.stop(gate)
        self.assertTrue(os.path.exists(self.path), "it was there before")


if __name__ == "__main__":
    main()
