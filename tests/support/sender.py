"""ordergate send for tests: start it, feed it lines, wait for its events, read its ledger.

It uses the standard library alone. Nothing here sleeps: tests wait for an event on stdout, a message on stderr, a
request at the brokerage, or the end of the process. check() asserts at the end of every run what each run must keep,
whatever the test is about.
"""
import collections
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

from paper import DEADLINE, PAPER, REGULAR, assert_equal, stock

RUNNING = REGULAR + "@1"  # the brokerage's clock starts there and runs at real speed
SEND = os.path.join(os.environ["OG_BIN"], "ordergate-send")
PIPE_ROOM = 65536  # what can be written into a pipe that nobody reads
SHOWN = int(os.environ.get("OG_SHOW_EVENTS", "8"))  # events that a failed wait shows


def as_bytes(line):
    """Returns a line of input as bytes: a dict becomes JSON, a text becomes UTF-8, and bytes stay as they are."""
    text = json.dumps(line) if isinstance(line, dict) else line
    return text.encode() + b"\n" if isinstance(text, str) else text


class TempHome:
    """A temporary home folder for the sender. Runs with the same home share its ledger and its other files."""

    def __init__(self):
        self.path = tempfile.mkdtemp()
        self.ledger = os.path.join(self.path, "ledger.db")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def file(self, name, text, mode=0o600):
        path = os.path.join(self.path, name)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    def rows(self, where="1"):
        db = sqlite3.connect(f"file:{self.ledger}?mode=ro", uri=True)
        db.row_factory = sqlite3.Row
        try:
            return [dict(r) for r in db.execute(f"SELECT * FROM rows WHERE {where} ORDER BY seq")]
        finally:
            db.close()

    def newest_row(self, order_id):
        return self.rows(f"id = '{order_id}' AND seq = (SELECT max(seq) FROM rows WHERE id = '{order_id}')")[0]

    def files_with(self, text):
        """Returns the names of the files in this home that contain the text."""
        found = []
        for folder, _, names in os.walk(self.path):
            for name in names:
                path = os.path.join(folder, name)
                if not os.path.islink(path) and os.path.isfile(path) and text.encode() in pathlib.Path(
                        path).read_bytes():
                    found.append(name)
        return found


class Sender:
    """One run of ordergate send."""

    def __init__(self, url, home, *args, keys=PAPER, env=None, lines=None, ledger=True, stdin=subprocess.PIPE,
                 program=SEND, **popen):
        self.home, self.keys = home, keys
        given = {k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_"))}
        given.update(HOME=home.path, XDG_STATE_HOME=os.path.join(home.path, "state"), ORDERGATE_BASE_URL=url,
                     ORDERGATE_KEY_ID=keys[0], ORDERGATE_SECRET_KEY=keys[1], ORDERGATE_CLOCK="broker",
                     ORDERGATE_SETTLE="0s")  # neither the paper brokerage's figures nor those of live accounts lag
        given.update(env or {})
        command = [program, *(("--ledger", home.ledger) if ledger else ()), *args]
        # lines are written before the process starts: a process that ends at once answers those, and does not wait for
        # more
        written = [as_bytes(line) for line in lines or []]
        before = lines is not None and sum(map(len, written)) <= PIPE_ROOM
        if before:
            stdin, end = os.pipe()
            os.write(end, b"".join(written))
            os.close(end)
        self.process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={k: v for k, v in given.items() if v is not None}, **popen)
        if before:
            os.close(stdin)
        self.changed = threading.Condition()
        self.events, self.stderr_lines, self.open, self.cut = [], [], 2, None
        self.readers = [threading.Thread(target=self._read, args=(self.process.stdout, self._event), daemon=True),
                        threading.Thread(target=self._read, args=(self.process.stderr, self._word), daemon=True)]
        for reader in self.readers:
            reader.start()
        if lines is not None and not before:
            self.feed(*lines).close_input()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()

    def _event(self, line):
        if line.endswith("\n"):
            self.events.append(json.loads(line))
        else:
            self.cut = line

    def _word(self, line):
        self.stderr_lines.append(line)

    def _read(self, pipe, take):
        for line in pipe:
            with self.changed:
                take(line.decode())
                self.changed.notify_all()
        with self.changed:
            self.open -= 1
            self.changed.notify_all()

    def feed(self, *lines):
        try:
            for line in lines:
                self.process.stdin.write(as_bytes(line))
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it ended before it read everything; the test looks at how it ended
        return self

    def close_input(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        return self

    @property
    def stderr(self):
        return "".join(self.stderr_lines)

    def wait_until(self, found, what):
        """Wait until found() returns something true, and return that. Fails if the process ends first."""
        with self.changed:
            if self.changed.wait_for(lambda: found() or self.open == 0, DEADLINE * 2) and found():
                return found()
        raise AssertionError(f"{what} did not come; events {self.events[-SHOWN:]}, stderr {self.stderr[-800:]!r}")

    def event(self, kind, order_id=None, **members):
        """Wait for the first event of this kind (of this order, with these members) and return it."""
        def found():
            return next((e for e in self.events if e["event"] == kind
                         and (order_id is None or e["clientOrderId"] == order_id)
                         and all(e.get(k) == v for k, v in members.items())), None)
        return self.wait_until(found, f"{kind} {order_id or ''} {members or ''}")

    def wait_stderr(self, text):
        return self.wait_until(lambda: text in self.stderr, f"the word {text!r}")

    def wait_row(self, where):
        """Wait until the ledger, which must exist, has a row for which the SQL condition holds."""
        end = time.monotonic() + DEADLINE * 2
        while not self.home.rows(where):
            if time.monotonic() > end:
                raise AssertionError(
                    f"no row where {where}; events {self.events[-SHOWN:]}, stderr {self.stderr[-800:]!r}")
            with self.changed:
                self.changed.wait(0.05)

    def events_of(self, kind, order_id=None):
        return [e for e in self.events if e["event"] == kind and (order_id is None or e["clientOrderId"] == order_id)]

    def outcomes(self):
        return {e["clientOrderId"]: e["outcome"] for e in self.events_of("outcome")}

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        return self

    def stop(self):
        """Suspend the process (SIGSTOP) and wait until it is suspended."""
        self.kill(signal.SIGSTOP)
        assert_equal(self.wait_stopped(), True, "it stands still")

    def wait_stopped(self):
        """Wait until the process is suspended or has ended. Returns True if it is suspended."""
        told = os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if told.si_code != os.CLD_STOPPED:
            return False
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)  # collect the notification, so that it is not reported again
        return True

    def resume(self):
        self.kill(signal.SIGCONT)

    def finish(self, lines=None):
        """Wait for the end and return the exit code. lines is the number of order lines that were read, where it
        is known."""
        if self.process.stdin and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass  # it ended without reading everything
        self.process.wait(timeout=DEADLINE * 2)
        for reader in self.readers:
            reader.join()
        self.check(lines)
        return self.process.returncode

    def check(self, lines=None):
        assert_equal({e["run"] for e in self.events} | {"-"}, {self.events[0]["run"], "-"} if self.events else {"-"},
                     "one run")
        assert_equal([e["seq"] for e in self.events], list(range(1, len(self.events) + 1)), "seq")
        assert_equal([e for e in self.events if "line" not in e], [], "events without line")
        ended = collections.Counter((e.get("file"), e.get("writer"), e["line"]) for e in self.events_of("outcome")
                                    if e["line"] is not None)
        assert_equal([k for k, n in ended.items() if n > 1], [], "lines with two outcomes")
        begun = {(e.get("file"), e.get("writer"), e["line"]) for e in self.events if e["line"] is not None}
        if self.process.returncode != -signal.SIGKILL:
            assert_equal(self.cut, None, "an event without its end")
            assert_equal(begun - set(ended), set(), "lines without outcome")
            if lines is not None:
                assert_equal(len(ended), lines, "outcomes")
        told = json.dumps(self.events) + self.stderr
        assert_equal(self.keys[1] in told, False, "the secret was told")
        for sign in ("AddressSanitizer", "runtime error:", "LeakSanitizer"):
            assert_equal(sign in self.stderr, False, self.stderr)


def send(url, home, lines, *args, orders=None, **more):
    """Run the sender on the lines to its end and return (exit code, Sender). orders is the number of lines that are
    orders; None: all are."""
    lines = lines or []
    with Sender(url, home, *args, lines=lines, **more) as gate:
        return gate.finish(len(lines) if orders is None else orders), gate


def resting(order_id=None, **changes):
    """Returns an order with a limit price far from the market, so that it is accepted and does not fill."""
    return stock(order_id, **{"limitPrice": 150, **changes})


def posts(paper, order_id=None):
    """Returns the order POSTs that arrived at the paper brokerage; with order_id, only those of that order."""
    seen = [r for r in paper.control("GET", "requests?since=0")["requests"] if r["method"] == "POST"]
    return [r for r in seen if order_id is None or json.loads(r["body"]).get("clientOrderId") == order_id]
