"""The broker's secret may be in the memory of the process that uses it and may be sent to the configured address, and
may be nowhere else."""
import json
import os
import resource
import signal
import socket
import subprocess
import threading
import unittest

from paper import PAPER, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting

BIN = os.environ["OG_BIN"]


class Somewhere:
    """A server at another address, to which nothing should be sent. It records what it receives."""

    def __init__(self, answer=None, wait=False):
        self.answer, self.seen, self.came = answer, [], threading.Event()
        self.over = threading.Event()
        self.over.set() if not wait else None
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                s, _ = self.server.accept()
            except OSError:
                return
            with s:
                data = b""
                while b"\r\n\r\n" not in data:
                    more = s.recv(65536)
                    if not more:
                        break
                    data += more
                self.seen.append(data)
                self.came.set()
                if self.answer:
                    s.sendall(self.answer)
                self.over.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over.set()
        self.server.close()


class Redirect(unittest.TestCase):
    def follow(self, status, where, stream):
        """Run a watcher whose stream's server answers the upgrade with this redirect."""
        with Paper(clock=RUNNING) as p, Somewhere() as elsewhere:
            answer = (f"HTTP/1.1 {status} Go\r\nLocation: {where % {'port': elsewhere.port}}\r\n"
                      "Content-Length: 0\r\nConnection: close\r\n\r\n")
            with Somewhere(answer.encode()) as first:
                env = {**os.environ, "ORDERGATE_BASE_URL": p.url, "ORDERGATE_WS_URL": f"ws://127.0.0.1:{first.port}",
                       "ORDERGATE_KEY_ID": PAPER[0], "ORDERGATE_SECRET_KEY": PAPER[1]}
                run = subprocess.Popen([os.path.join(BIN, "ordergate-watch"), "--stream", stream, "--account",
                                        "PAPER0001"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
                try:
                    event = json.loads(run.stdout.readline())
                finally:
                    run.send_signal(signal.SIGINT)
                    run.communicate(timeout=600)
                self.assertEqual(event["event"], "down")
                self.assertTrue(first.came.is_set())
                self.assertEqual(elsewhere.seen, [], f"it followed {status} to {where}")
                self.assertNotIn(PAPER[1].encode(), b"".join(first.seen), "no secret before the upgrade")

    def test_none_is_followed(self):
        for status in (301, 302, 303, 307, 308):
            self.follow(status, "ws://127.0.0.1:%(port)d/stream/portfolio", "portfolio")
        self.follow(302, "http://127.0.0.1:%(port)d/", "pnl")
        self.follow(307, "//127.0.0.1:%(port)d/stream/pnl", "pnl")
        self.follow(301, "wss://127.0.0.1:%(port)d/stream/portfolio", "portfolio")


class Process(unittest.TestCase):
    """Where the secret is in a sender and in a watcher while they run."""

    def running(self, look):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            with Sender(p.url, home) as gate:
                gate.feed(resting("a"))
                gate.event("outcome", "a")
                look(gate.process.pid)
                self.assertEqual(gate.finish(), 0)

    def test_it_leaves_no_core(self):
        def look(pid):
            self.assertEqual(resource.prlimit(pid, resource.RLIMIT_CORE), (0, 0))
        self.running(look)

    def test_the_environment_has_no_secret(self):
        def look(pid):
            with open(f"/proc/{pid}/environ", "rb") as f:
                environ = f.read()
            self.assertIn(b"ORDERGATE_KEY_ID", environ)
            self.assertNotIn(PAPER[1].encode(), environ)
        self.running(look)

    def test_the_environment_of_a_call_has_none(self):
        """Where the secret is in `broker` and `halt` while they wait for an answer. A halt or resume that does not ask
        the broker erases the secret before it asks senders."""
        for name, *args in (("broker", "accounts"), ("halt", "--cancel-all")):
            with self.subTest(name), TempHome() as home, Somewhere(wait=True) as broker:
                env = {**os.environ, "HOME": home.path, "XDG_STATE_HOME": home.path + "/state",
                       "ORDERGATE_BASE_URL": f"http://127.0.0.1:{broker.port}", "ORDERGATE_KEY_ID": PAPER[0],
                       "ORDERGATE_SECRET_KEY": PAPER[1]}
                run = subprocess.Popen([os.path.join(BIN, "ordergate-" + name), *args], env=env,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    self.assertTrue(broker.came.wait(60))
                    with open(f"/proc/{run.pid}/environ", "rb") as f:
                        environ = f.read()
                finally:
                    run.kill()
                    run.wait()
                self.assertIn(PAPER[1].encode(), broker.seen[0], "it had it")
                self.assertIn(b"ORDERGATE_KEY_ID", environ)
                self.assertNotIn(PAPER[1].encode(), environ)

    @unittest.skipIf(os.environ.get("OG_SANITIZE"), "a sanitizer traces its own process")
    def test_it_cannot_be_read_by_others_of_its_user(self):
        """The memory files of a process that may not be dumped belong to root."""
        if os.geteuid() != 0:
            self.running(lambda pid: self.assertEqual(os.stat(f"/proc/{pid}/environ").st_uid, 0))
            return
        with Paper(clock=RUNNING) as p, TempHome() as home:
            os.chown(home.path, 65534, 65534)
            with Sender(p.url, home, user=65534, group=65534, extra_groups=[]) as gate:
                gate.feed(resting("a"))
                gate.event("outcome", "a")
                self.assertEqual(os.stat(f"/proc/{gate.process.pid}/environ").st_uid, 0)
                read = subprocess.run(["cat", f"/proc/{gate.process.pid}/mem"], user=65534, group=65534,
                                      extra_groups=[], capture_output=True)
                self.assertIn(b"ermission denied", read.stderr)
                self.assertEqual(gate.finish(), 0)


if __name__ == "__main__":
    main()
