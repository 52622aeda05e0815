"""ordergate halt and resume, and the dead man's switch: a running sender obeys within a second, and what closes passes."""
import json
import os
import subprocess
import time
import unittest

from gate import PAPER, RUNNING, Gate, Home, Paper, posts, resting, send, stock
from together import main
from test_cancels import cancel, deletes, state


def halt(home, *args, url=None, name="halt", env=None):
    given = {**os.environ, "HOME": home.path, "XDG_STATE_HOME": os.path.join(home.path, "state"), **(env or {})}
    if url:
        given.update(ORDERGATE_BASE_URL=url, ORDERGATE_KEY_ID=PAPER[0], ORDERGATE_SECRET_KEY=PAPER[1])
    return subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-" + name), *args], capture_output=True,
                          text=True, env=given, timeout=60)


def flag(home):
    return os.path.join(home.path, "state", "ordergate", "halt.json")


def closing(order_id):
    return stock(order_id, side="Sell", openClose="Close", limitPrice=250)


class Halt(unittest.TestCase):
    def test_a_running_sender(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            p.control("PUT", "positions/PAPER0001", [{"symbol": "AAPL", "side": "Long", "shares": 100, "priceAvg": 190,
                                                      "dayOvernight": "Day"}])
            with Gate(p.url, home) as gate:
                gate.give(resting("before"))
                gate.event("outcome", "before", outcome="working")
                done = halt(home, "--reason", "feed is wrong")
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
                at = time.monotonic()
                gate.word("feed is wrong")
                self.assertLess(time.monotonic() - at, 1.0)
                gate.give(resting("opens"), closing("closes"), cancel("before"))
                self.assertEqual(gate.event("outcome", "opens")["outcome"], "refused")
                found = gate.event("decision", "opens")["findings"]
                self.assertIn(("trading", "trading-halted", "refuse"),
                              [(f["rule"], f["reason"], f["level"]) for f in found])
                self.assertEqual(gate.event("outcome", "closes")["outcome"], "working")
                self.assertEqual(gate.event("outcome", "before", op="cancel")["outcome"], "canceled")
                self.assertEqual(halt(home, "--all").returncode, 0)
                gate.word("halted-all")
                gate.give(closing("closes2"))
                self.assertEqual(gate.event("outcome", "closes2")["outcome"], "refused")
                self.assertEqual(halt(home, "--reason", "fixed", name="resume").returncode, 0)
                gate.word("fixed")
                gate.give(resting("after"))
                self.assertEqual(gate.event("outcome", "after")["outcome"], "working")
                self.assertEqual(gate.finish(6), 1)
            self.assertEqual([json.loads(r["body"])["clientOrderId"] for r in posts(p)], ["before", "closes", "after"])

    def test_a_sender_started_later(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            self.assertEqual(halt(home).returncode, 0)
            self.assertEqual(os.stat(flag(home)).st_mode & 0o777, 0o600)
            code, gate = send(p.url, home, [resting("o")], "--dry-run")
            self.assertEqual((code, gate.outcomes()), (1, {"o": "refused"}))
            code, gate = send(p.url, home, [resting("o")])
            self.assertEqual((code, gate.outcomes(), posts(p)), (1, {"o": "refused"}, []))

    def test_a_flag_that_cannot_be_read_halts(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            halt(home)
            for text, mode in (("{", 0o600), ('{"trading":"perhaps"}', 0o600), ('{"trading":"on"}', 0o666)):
                with open(flag(home), "w") as f:
                    f.write(text)
                os.chmod(flag(home), mode)
                code, gate = send(p.url, home, [resting("o")])
                self.assertEqual((code, gate.outcomes()), (1, {"o": "refused"}), text)
                self.assertIn("halt", gate.stderr)
            self.assertEqual(halt(home, "--reason", "x", name="resume").returncode, 0)
            self.assertEqual(send(p.url, home, [resting("o")])[0], 0)

    def test_orders_that_wait_to_be_posted_again(self):
        """A 429 is waited out; the halt comes meanwhile: the order is not posted again."""
        with Paper(clock=RUNNING) as p, Home() as home, Gate(p.url, home) as gate:
            p.control("POST", "faults", {"on": "POST order", "do": "status", "status": 429, "count": 1000})
            gate.give(resting("o"))
            while not posts(p):
                pass
            self.assertEqual(halt(home).returncode, 0)
            self.assertEqual(gate.event("outcome", "o")["outcome"], "not-sent")
            self.assertIn("halted", gate.event("outcome", "o")["text"])
            self.assertEqual((gate.finish(1), len(posts(p))), (4, 1))

    def test_cancels(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            send(p.url, home, [resting("mine"), resting("mine2"), stock("full")], "--until", "acked")
            p.order(resting("theirs"))
            done = halt(home, "--cancel-own", "--ledger", home.ledger, url=p.url)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = {r["clientOrderId"]: r["http"] for r in map(json.loads, done.stdout.splitlines())}
            self.assertEqual({k: told[k] for k in ("mine", "mine2")}, {"mine": 200, "mine2": 200})
            self.assertEqual(deletes(p, "theirs"), [])
            done = halt(home, "--cancel-all", url=p.url)
            self.assertEqual((done.returncode, json.loads(done.stdout)["http"]), (0, 200), done.stderr)
            p.control("GET", "orders")
            code, gate = send(p.url, home, None, "--recover", "--until", "final", "--wait", "5s")
            self.assertEqual((state(p, "mine"), state(p, "mine2"), state(p, "theirs")), ("Canceled",) * 3)

    def test_the_flag_stands_when_nothing_else_works(self):
        with Home() as home:
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
        with Home() as home:
            for name, args in (("halt", ["--reduce-only", "--all"]), ("halt", ["--cancel-own", "--cancel-all"]),
                               ("halt", ["x"]),
                               ("halt", ["--what"]), ("resume", []), ("resume", ["--all", "--reason", "x"])):
                self.assertEqual(halt(home, *args, name=name).returncode, 2, args)
            self.assertEqual(os.listdir(home.path), [])
            self.assertIn("usage: ordergate resume", halt(home, "--help", name="resume").stdout)


class DeadMan(unittest.TestCase):
    def test_silence(self):
        with Paper(clock=RUNNING) as p, Home() as home:
            send(p.url, home, [resting("earlier")])
            p.order(resting("theirs"))
            with Gate(p.url, home, "--dead-man", "1s") as gate:
                gate.give(resting("a"), resting("b"))
                gate.event("outcome", "b", outcome="working")
                self.assertEqual(gate.event("dead-man")["canceling"], 3)
                gate.event("update", "a", orderStatus="Canceled")
                gate.event("update", "b", orderStatus="Canceled")
                gate.event("update", "earlier", orderStatus="Canceled")
                gate.give(resting("again"))
                self.assertEqual(gate.event("outcome", "again")["outcome"], "working")
                self.assertEqual(gate.finish(3), 0)
            self.assertIn("cannot cover", gate.stderr)
            self.assertEqual({i: state(p, i) for i in ("a", "b", "earlier", "theirs")},
                             {"a": "Canceled", "b": "Canceled", "earlier": "Canceled", "theirs": "New"})

    def test_heartbeats(self):
        """While they come nothing is canceled."""
        with Paper(clock=RUNNING) as p, Home() as home, Gate(p.url, home, "--dead-man", "2s") as gate:
            gate.give(resting("a"))
            gate.event("outcome", "a", outcome="working")
            until = time.monotonic() + 4
            while time.monotonic() < until:
                gate.give({"op": "heartbeat"})
                p.advance("1ms")
            self.assertEqual((deletes(p), gate.all("dead-man")), ([], []))
            self.assertEqual(gate.finish(1), 0)


if __name__ == "__main__":
    main()
