"""ordergate halt and resume, and the dead man's switch: a running sender obeys within a second, and closing
orders pass."""
import itertools
import json
import os
import signal
import subprocess
import threading
import time
import unittest

from fault_proxy import FaultProxy
from paper import PAPER, Paper, in_some_run, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from test_cancels import cancel, deletes, state


def halt(home, *args, url=None, name="halt", env=None, **popen):
    given = {**os.environ, "HOME": home.path, "XDG_STATE_HOME": os.path.join(home.path, "state"), **(env or {})}
    if url:
        given.update(ORDERGATE_BASE_URL=url, ORDERGATE_KEY_ID=PAPER[0], ORDERGATE_SECRET_KEY=PAPER[1])
    return subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-" + name), *args], capture_output=True,
                          text=True, env=given, timeout=600, **popen)


# the exit code may be 1, because a halt does not reach the senders of other tests, which run beside this one;
# test_halt_reach.py asserts the counts behind this code
OBEYED = (0, 1)


def flag(home):
    return os.path.join(home.path, "state", "ordergate", "halt.json")


def closing(order_id):
    return stock(order_id, side="Sell", openClose="Close", limitPrice=250)


def named(requests):
    return [r["path"].rsplit("/", 1)[1] for r in requests]


class Halt(unittest.TestCase):
    def test_a_running_sender(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("PUT", "positions/PAPER0001", [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190,
                                                      "dayOvernight": "Day"}])
            with Sender(p.url, home) as gate:
                gate.feed(resting("before"))
                gate.event("outcome", "before", outcome="working")
                done = halt(home, "--reason", "feed is wrong")
                line = json.loads(done.stdout)
                self.assertEqual((line["halted"], line["path"]), (True, flag(home)), done.stderr)
                self.assertIn(done.returncode, OBEYED, done.stderr)
                self.assertGreaterEqual(line["obeyed"], 1)
                gate.wait_stderr("feed is wrong")
                gate.feed(resting("opens"), closing("closes"), cancel("before"))
                told = gate.event("outcome", "opens")
                self.assertEqual(told["outcome"], "refused")
                self.assertRegex(told["text"],
                                 r"trading is halted since \S+ \(.+@.+\): feed is wrong; ordergate resume")
                found = gate.event("decision", "opens")["findings"]
                self.assertIn(("trading", "trading-halted", "refuse"),
                              [(f["rule"], f["reason"], f["level"]) for f in found])
                self.assertIn(told["text"].split("; ordergate resume")[0], [f["message"] for f in found])
                self.assertEqual(gate.event("outcome", "closes")["outcome"], "working")
                self.assertEqual(gate.event("outcome", "before", op="cancel")["outcome"], "canceled")
                self.assertIn(halt(home, "--all").returncode, OBEYED)
                gate.wait_stderr("halted-all")
                gate.feed(closing("closes2"))
                self.assertEqual(gate.event("outcome", "closes2")["outcome"], "refused")
                self.assertEqual(halt(home, "--reason", "fixed", name="resume").returncode, 0)
                gate.wait_stderr("fixed")
                gate.feed(resting("after"))
                self.assertEqual(gate.event("outcome", "after")["outcome"], "working")
                self.assertEqual(gate.finish(6), 1)
            self.assertEqual([json.loads(r["body"])["clientOrderId"] for r in posts(p)], ["before", "closes", "after"])

    def test_a_halt_is_loosened(self):
        """Lines that are read after the looser halt is obeyed are decided under it."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("PUT", "positions/PAPER0001", [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190,
                                                      "dayOvernight": "Day"}])
            with Sender(p.url, home) as gate:
                gate.feed(resting("before"))
                gate.event("outcome", "before", outcome="working")
                for i, looser in enumerate((["--reduce-only"], [], ["--reduce-only"], [])):
                    self.assertIn(halt(home, "--all", "--reason", f"all {i}.").returncode, OBEYED)
                    gate.wait_stderr(f"all {i}.")
                    gate.feed(closing(f"barred{i}"))
                    self.assertEqual(gate.event("outcome", f"barred{i}")["outcome"], "refused")
                    self.assertIn(halt(home, *looser, "--replace").returncode, OBEYED)
                    gate.feed(dict(closing(f"c{i}"), orderQuantity=1 + i), resting(f"o{i}"))
                    self.assertEqual(gate.event("outcome", f"c{i}")["outcome"], "working", gate.events[-3:])
                    self.assertEqual(gate.event("outcome", f"o{i}")["outcome"], "refused")
                self.assertEqual(gate.finish(13), 1)

    def test_a_second_halt_keeps_the_reason(self):
        with TempHome() as home:
            halt(home, "--reason", "the feed is wrong")
            done = halt(home, "--all")
            self.assertIn("stays: the feed is wrong", done.stderr)
            with open(flag(home)) as f:
                kept = json.load(f)
            self.assertEqual((kept["trading"], kept["reason"]), ("halted-all", "the feed is wrong"))
            halt(home, "--replace", "--reason", "another")
            with open(flag(home)) as f:
                self.assertEqual(json.load(f)["reason"], "another")
            halt(home, "--reason", "it is back", name="resume")
            halt(home)
            with open(flag(home)) as f:
                self.assertNotIn("back", f.read())

    def test_a_second_halt_loosens_nothing(self):
        """Each halt after each other one: the stricter stays, with its reason and author; --replace replaces it."""
        ways = [["--reduce-only"], [], ["--all"]]
        states = ["reduce-only", "halted", "halted-all"]
        with TempHome() as home:
            def kept():
                with open(flag(home)) as f:
                    return json.load(f)
            for first, second in itertools.product(range(3), range(3)):
                with self.subTest(first=first, second=second):
                    halt(home, "--reason", "back", name="resume")
                    halt(home, *ways[first], "--reason", "the first")
                    before = kept()
                    done = halt(home, *ways[second], "--reason", "the second")
                    self.assertIn(done.returncode, OBEYED)
                    self.assertTrue(json.loads(done.stdout)["halted"])
                    self.assertEqual(kept()["trading"], states[max(first, second)])
                    if second < first:
                        self.assertEqual(kept(), before)
                        for word in ("is stricter and stays", "the first", "--replace", before["by"], before["at"]):
                            self.assertIn(word, done.stderr)
                    else:
                        self.assertEqual(kept()["reason"], "the second")
                        self.assertNotIn("--replace", done.stderr)
                    done = halt(home, *ways[second], "--replace", "--reason", "in its place")
                    self.assertEqual((kept()["trading"], kept()["reason"]), (states[second], "in its place"))
                    self.assertNotIn("stays", done.stderr)

    def test_a_second_halt_of_a_running_sender(self):
        """Closes stay refused after halt --all and a plain halt, and pass after --replace."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            p.control("PUT", "positions/PAPER0001", [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190,
                                                      "dayOvernight": "Day"}])
            with Sender(p.url, home) as gate:
                gate.feed(resting("before"))
                gate.event("outcome", "before", outcome="working")
                self.assertIn(halt(home, "--all").returncode, OBEYED)
                self.assertIn(halt(home).returncode, OBEYED)
                gate.feed(closing("barred"))
                self.assertEqual(gate.event("outcome", "barred")["outcome"], "refused")
                self.assertIn(halt(home, "--replace").returncode, OBEYED)
                gate.feed(closing("passes"))
                self.assertEqual(gate.event("outcome", "passes")["outcome"], "working")
                self.assertEqual(gate.finish(3), 1)

    def test_within_a_second(self):
        """A sender obeys within a second of a halt or resume, in one of several rounds at least: a busy machine may be
        slow in some of them."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home) as gate:
            gate.feed(resting("o"))
            gate.event("outcome", "o", outcome="working")
            took, numbers = {}, itertools.count()

            def turn():
                number = next(numbers)
                for name in ("halt", "resume"):
                    self.assertIn(halt(home, "--reason", f"{name} {number}.", name=name).returncode, OBEYED)
                    since = time.monotonic()
                    gate.wait_stderr(f"{name} {number}.")
                    took[name] = min(took.get(name, 99), time.monotonic() - since)
                return max(took.values()) < 1.0
            in_some_run(turn)
            self.assertEqual(gate.finish(1), 0)

    def test_a_sender_started_later(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            # the exit code may be 1, because the senders of other tests do not read this flag
            self.assertIn(halt(home).returncode, (0, 1))
            self.assertEqual(os.stat(flag(home)).st_mode & 0o777, 0o600)
            code, gate = send(p.url, home, [resting("o")], "--dry-run")
            self.assertEqual((code, gate.outcomes()), (1, {"o": "refused"}))
            code, gate = send(p.url, home, [resting("o")])
            self.assertEqual((code, gate.outcomes(), posts(p)), (1, {"o": "refused"}, []))

    def test_a_flag_that_cannot_be_read_halts(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            halt(home)
            for text, mode in (("{", 0o600), ('{"trading":"perhaps"}', 0o600), ('{"trading":"on"}', 0o666)):
                with open(flag(home), "w") as f:
                    f.write(text)
                os.chmod(flag(home), mode)
                code, gate = send(p.url, home, [resting("o")])
                self.assertEqual((code, gate.outcomes()), (1, {"o": "refused"}), text)
                self.assertIn("halt", gate.stderr)
            self.assertIn(halt(home, "--reason", "x", name="resume").returncode, (0, 1))
            self.assertEqual(send(p.url, home, [resting("o")])[0], 0)

    def test_orders_that_wait_to_be_posted_again(self):
        """The order waits after a 429, and a halt comes before the wait is over: the order is not posted again."""
        halted = threading.Event()
        with Paper(clock=RUNNING) as p, FaultProxy(p, {"o": (True, halted)}) as b, TempHome() as home:
            p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 429, "count": 1000})
            with Sender(b.url, home, "--timeout", "5m", "--wait", "5m") as gate:
                gate.feed(resting("o"))
                b.wait_post("o")
                self.assertIn(halt(home, "--reason", "feed is wrong").returncode, OBEYED)
                gate.wait_stderr("feed is wrong")
                halted.set()
                self.assertEqual(gate.event("outcome", "o")["outcome"], "not-sent")
                self.assertIn("halted", gate.event("outcome", "o")["text"])
                self.assertEqual((gate.finish(1), b.posts), (4, {"o": 1}))

    def test_cancels(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("mine"), resting("mine2"), stock("full")], "--until", "acked")
            p.order(resting("theirs"))
            done = halt(home, "--cancel-own", "--ledger", home.ledger, url=p.url)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            told = {r["clientOrderId"]: r["http"] for r in map(json.loads, done.stdout.splitlines()[1:])}
            self.assertEqual({k: told[k] for k in ("mine", "mine2")}, {"mine": 200, "mine2": 200})
            self.assertEqual(deletes(p, "theirs"), [])
            done = halt(home, "--cancel-all", url=p.url)
            self.assertEqual(json.loads(done.stdout.splitlines()[1])["http"], 200, done.stderr)
            p.control("GET", "orders")
            code, gate = send(p.url, home, None, "--recover", "--until", "final", "--wait", "30s")
            self.assertEqual((state(p, "mine"), state(p, "mine2"), state(p, "theirs")), ("Canceled",) * 3)

    def test_the_newest_are_canceled_first(self):
        """The newest orders are canceled first, since many orders of earlier runs may be over, for example because
        somebody else canceled them."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting(f"old{i}") for i in range(4)])
            for i in range(4):
                p.cancel(f"old{i}")
            send(p.url, home, [resting("live")])
            self.assertIn(halt(home, "--cancel-own", "--ledger", home.ledger, url=p.url).returncode, (0, 1))
            self.assertEqual(named(deletes(p)[4:])[0], "live")
            halt(home, "--reason", "go on", name="resume")
            p.advance("1s")
            send(p.url, home, [resting(f"older{i}") for i in range(4)])
            for i in range(4):
                p.cancel(f"older{i}")
            before = len(deletes(p))
            with Sender(p.url, home, "--dead-man", "8s") as gate:
                gate.feed(resting("mine"))
                self.assertEqual(gate.event("outcome", "mine")["outcome"], "working")
                gate.event("dead-man")
                gate.event("update", "mine", orderStatus="Canceled")
                gate.kill()
            self.assertEqual(named(deletes(p)[before:])[0], "mine")

    def test_the_flag_stands_when_nothing_else_works(self):
        with TempHome() as home:
            with open(home.ledger, "w") as f:
                f.write("no ledger")
            done = halt(home, "--cancel-own", "--ledger", home.ledger, url="http://127.0.0.1:9")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("ledger", done.stderr)
            done = halt(home, "--cancel-all", url="http://127.0.0.1:9")
            self.assertIn(done.returncode, (1, 4), done.stderr)
            with open(flag(home)) as f:
                self.assertEqual(json.load(f)["trading"], "halted")
            self.assertEqual(halt(home, env={"XDG_STATE_HOME": "", "HOME": ""}).returncode, 4)

    def test_usage(self):
        with TempHome() as home:
            for name, args in (("halt", ["--reduce-only", "--all"]), ("halt", ["--cancel-own", "--cancel-all"]),
                               ("halt", ["x"]),
                               ("halt", ["--machine", "--everywhere"]), ("halt", ["--flag", "x"]),
                               ("resume", ["--machine", "--flag", "/x", "--reason", "x"]),
                               ("halt", ["--what"]), ("resume", []), ("resume", ["--all", "--reason", "x"])):
                self.assertEqual(halt(home, *args, name=name).returncode, 2, args)
            self.assertEqual(os.listdir(home.path), [])
            self.assertIn("stops and targets too: positions stay, without them",
                          " ".join(halt(home, "--help").stdout.split()))
            self.assertIn("usage: ordergate resume", halt(home, "--help", name="resume").stdout)


class Pulse:
    """Writes lines and heartbeats, and records the longest silence: the writer may be suspended itself, which counts
    as silence."""

    def __init__(self, gate):
        self.gate, self.last, self.silent = gate, None, 0

    def feed(self, *lines):
        begun = time.monotonic()
        self.gate.feed(*lines)
        self.silent = max(self.silent, time.monotonic() - (self.last or begun))
        self.last = begun

    def wait_until(self, over):
        while not over():
            self.feed({"op": "heartbeat"})
            time.sleep(0.01)

    def last_for(self, seconds):
        end = time.monotonic() + seconds
        self.wait_until(lambda: time.monotonic() > end)

    def was_silent(self, seconds):
        self.feed({"op": "heartbeat"})
        return self.silent > seconds - 0.01


class DeadMan(unittest.TestCase):
    def silence(self):
        """The heartbeats stop, and the switch fires. Returns False if a slow machine let it fire before that."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            send(p.url, home, [resting("earlier")])
            p.order(resting("theirs"))
            with Sender(p.url, home, "--dead-man", "1s") as gate:
                pulse, orders = Pulse(gate), {"a": "working", "b": "working"}
                pulse.feed(resting("a"), resting("b"))
                pulse.wait_until(lambda: gate.outcomes().keys() == orders.keys())
                if gate.outcomes() != orders or gate.events_of("dead-man"):
                    gate.event("dead-man")
                    self.assertTrue(pulse.was_silent(1))
                    return False
                self.assertEqual(gate.event("dead-man")["canceling"], 3)
                gate.event("update", "a", orderStatus="Canceled")
                gate.event("update", "b", orderStatus="Canceled")
                gate.event("update", "earlier", orderStatus="Canceled")
                pulse = Pulse(gate)
                pulse.feed(resting("again"))
                pulse.wait_until(lambda: gate.events_of("outcome", "again"))
                if gate.event("outcome", "again")["outcome"] != "working":
                    self.assertTrue(pulse.was_silent(1))
                    return False
                self.assertEqual(gate.finish(3), 0)
            self.assertIn("does not act", gate.stderr)
            self.assertEqual({i: state(p, i) for i in ("a", "b", "earlier", "theirs")},
                             {"a": "Canceled", "b": "Canceled", "earlier": "Canceled", "theirs": "New"})
            return True

    def test_silence(self):
        while not self.silence():
            pass

    def not_dead(self, gate, pulse, paper, seconds):
        seen = deletes(paper), gate.events_of("dead-man")
        if not pulse.was_silent(seconds):
            self.assertEqual(seen, ([], []))

    def test_heartbeats(self):
        """While heartbeats come, nothing is canceled."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, "--dead-man", "2s") as gate:
            pulse = Pulse(gate)
            pulse.feed(resting("a"))
            pulse.wait_until(lambda: gate.events_of("outcome", "a"))
            pulse.last_for(4)
            self.not_dead(gate, pulse, p, 2)
            self.assertEqual(gate.finish(1), 0)

    def test_heartbeats_while_it_stands_still(self):
        """The gate is suspended while heartbeats arrive. It reads them before the time of the dead man's switch is
        over, so the switch does not fire."""
        with Paper(clock=RUNNING) as p, TempHome() as home, Sender(p.url, home, "--dead-man", "1s") as gate:
            pulse = Pulse(gate)
            pulse.feed(resting("a"))
            pulse.wait_until(lambda: gate.events_of("outcome", "a"))
            for order_id in ("b", "c"):
                gate.kill(signal.SIGSTOP)
                pulse.last_for(1.2)
                gate.kill(signal.SIGCONT)
                pulse.feed(resting(order_id))
                pulse.wait_until(lambda: gate.events_of("outcome", order_id))
            self.not_dead(gate, pulse, p, 1)
            self.assertEqual(gate.finish(3), 0)


if __name__ == "__main__":
    main()
