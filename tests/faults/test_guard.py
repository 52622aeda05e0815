"""ordergate guard: a sender that is gone without having stopped is told of, trading is halted, and the orders that it
left are canceled, once; a sender that is there is left alone."""
import json
import os
import random
import signal
import socket
import sqlite3
import threading
import time
import unittest

from fault_proxy import FaultProxy
from guard import Tool, passed_wrongly
from paper import DEADLINE, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting, send
from tries import tries

LOOSE = "ordergate: 1\nname: loose\nextends: []\nrules: {}\n"


class World(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.url = self.paper.url

    def guard(self, *args, url=None, watching=True, **more):
        g = self.enterContext(Tool("guard", url or self.url, self.home, *args, **more))
        if watching:
            g.wait_until(lambda: g.events_of("watching") or "waiting for it" in g.stderr, "it watches")
        return g

    def sender(self, *args, url=None, **more):
        return self.enterContext(Sender(url or self.url, self.home, *args, **more))

    def working(self, *ids, **more):
        """A sender that runs, with orders that work."""
        s = self.sender(**more).feed(*[resting(i) for i in ids])
        for i in ids:
            s.event("outcome", i, outcome="working")
        return s

    def requests(self, method):
        return [r for r in self.paper.control("GET", "requests?since=0")["requests"] if r["method"] == method]

    def deletes(self):
        """How often the brokerage was asked to cancel each order."""
        count = {}
        for r in self.requests("DELETE"):
            name = r["path"].rsplit("/", 1)[1]
            count[name] = count.get(name, 0) + 1
        return count

    def statuses(self):
        return {o["clientOrderId"]: o["orderStatus"]
                for o in self.paper.get("accounts/PAPER0001/orders").json["orders"]}

    def flag(self):
        try:
            with open(os.path.join(self.home.path, "state", "ordergate", "halt.json"), encoding="utf-8") as f:
                return json.load(f)
        except FileNotFoundError:
            return None

    @staticmethod
    def die(s):
        s.kill().process.wait()
        return s.events[0]["run"]


class Gone(World):
    def test_its_orders_are_canceled_and_trading_is_halted(self):
        g = self.guard("--halt", "halted", "--cancel")
        s = self.working("a1", "a2")
        began = time.monotonic()
        run = self.die(s)
        self.assertEqual(g.told("gone", run)["orders"], 2)
        for i in ("a1", "a2"):
            g.event("outcome", i, outcome="canceled")
        print(f"{time.monotonic() - began:.1f} s from the end of the sender to the last Canceled; 5 s are promised")
        g.told("canceled", run)
        g.told("halted", run)
        self.assertEqual(g.kill(signal.SIGTERM).end(), 0)
        self.assertEqual(self.statuses(), {"a1": "Canceled", "a2": "Canceled"})
        self.assertEqual(self.deletes(), {"a1": 1, "a2": 1})
        self.assertEqual({r["id"]: r["state"] for r in self.home.rows("record = 'update' AND state = 'canceled'")},
                         {"a1": "canceled", "a2": "canceled"})
        self.assertEqual(self.flag()["trading"], "halted")
        self.assertIn(run, self.flag()["reason"])
        self.assertEqual(len(posts(self.paper)), 2)

    def test_each_halt(self):
        for word in ("reduce-only", "halted-all", "none"):
            with self.subTest(word), TempHome() as self.home:
                g = self.guard("--halt", word, "--once")
                run = self.die(self.working("w" + word[:3]))
                g.told("gone", run)
                self.assertEqual(g.end(), 0)
                self.assertEqual(self.flag() and self.flag()["trading"], None if word == "none" else word)
        self.assertEqual(self.deletes(), {}, "nobody chose to cancel")

    def test_what_the_desk_is_told(self):
        told = os.path.join(self.home.path, "told")
        g = self.guard("--once", "--on-event", f"cat >> '{told}'; echo \"$ORDERGATE_ALERT\" >> '{told}'")
        run = self.die(self.working("a1"))
        self.assertEqual(g.end(), 0)
        with open(told, encoding="utf-8") as f:
            event, kind = f.read().splitlines()
        self.assertEqual((json.loads(event), kind), (g.told("gone", run), "gone"))
        self.assertEqual(json.loads(event)["unknown"], 0)

    def test_the_command_does_not_get_the_secret(self):
        g = self.guard("--once", "--on-event", "env")
        self.die(self.working("a1"))
        self.assertEqual(g.end(), 0)
        self.assertIn("ORDERGATE_ALERT=gone", g.stderr)
        self.assertIn("ORDERGATE_KEY_ID", g.stderr)
        self.assertNotIn("ORDERGATE_SECRET_KEY", g.stderr)

    def test_however_it_dies(self):
        for how in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGQUIT):
            with self.subTest(how):
                g = self.guard("--once")
                s = self.working(f"a{int(how)}")
                s.kill(how).process.wait()
                g.told("gone", s.events[0]["run"])
                self.assertEqual(g.end(), 0)

    def test_a_post_that_is_under_way(self):
        """Its order has an intent and no answer: it is canceled once the broker shows it, and not posted again."""
        held = threading.Event()
        with FaultProxy(self.paper, {"a2": (True, held)}) as b:
            g = self.guard("--cancel", "--once", url=b.url)
            s = self.working("a1", url=b.url)
            s.feed(resting("a2"))
            b.wait_post("a2")
            run = self.die(s)
            held.set()
            self.assertGreaterEqual(g.told("gone", run)["orders"], 1)
            g.told("canceled", run)
            self.assertEqual(g.end(), 0)
        self.assertEqual(self.statuses(), {"a1": "Canceled", "a2": "Canceled"})
        self.assertEqual({i: len(posts(self.paper, i)) for i in ("a1", "a2")}, {"a1": 1, "a2": 1})

    def test_orders_of_others_stay(self):
        """Those of another sender that runs, of a run that has stopped, and of other programs."""
        code, _ = send(self.url, self.home, [resting("stopped")])
        self.assertEqual(code, 0)
        self.paper.order(resting("foreign"))
        g = self.guard("--cancel", "--once")
        other = self.working("other")
        run = self.die(self.working("a1"))
        g.told("canceled", run)
        self.assertEqual(g.end(), 0)
        seen = self.statuses()
        self.assertEqual(seen.pop("a1"), "Canceled")
        self.assertEqual(set(seen.values()), {"New"}, seen)
        self.assertEqual(other.feed(resting("after")).event("outcome", "after")["outcome"], "working")

    def test_a_brokerage_that_is_slow_or_fails(self):
        """5xx answers to DELETEs and lists, and answers that come late: it goes on until the orders are over."""
        g = self.guard("--cancel", "--once", "--", "--wait", "3s")
        s = self.working("a1", "a2")
        self.paper.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": 503, "count": 3})
        self.paper.control("POST", "faults", {"on": "GET orders", "do": "status", "status": 502, "count": 3})
        self.paper.control("POST", "faults", {"on": "GET accounts", "do": "status", "status": 500, "count": 2})
        self.paper.control("POST", "faults", {"on": "GET order", "do": "delay", "delay": "400ms", "count": 4})
        run = self.die(s)
        g.told("canceled", run)
        self.assertEqual(g.end(), 0)
        self.assertEqual(self.statuses(), {"a1": "Canceled", "a2": "Canceled"})
        self.assertEqual(len(posts(self.paper)), 2)

    def test_cancels_that_fail(self):
        """It is told, and they are tried again until they are done."""
        g = self.guard("--cancel", "--once", "--", "--wait", "1s", "--timeout", "1s")
        s = self.working("a1")
        self.paper.control("POST", "faults", {"on": "DELETE order", "do": "status", "status": 503, "count": 1000})
        run = self.die(s)
        failed = g.told("failed", run, what="cancel")
        self.assertEqual(failed["orders"], 1)
        self.paper.control("DELETE", "faults")
        g.told("canceled", run)
        self.assertEqual(g.end(), 0)
        self.assertEqual(self.statuses(), {"a1": "Canceled"})


class Stopped(World):
    def test_a_sender_that_stops_is_left_alone(self):
        """At the end of its input, by SIGTERM, with refused orders: its exit code is told, and its orders work."""
        g = self.guard("--halt", "halted", "--cancel", "--on-event", "echo no >&2")
        for how, line, code in ((None, resting("end"), 0), (signal.SIGTERM, resting("term"), 0),
                                (None, resting("wrong", orderQuantity=-1), 1)):
            s = self.sender().feed(line)
            s.event("outcome")
            if how:
                s.kill(how)
            self.assertEqual(s.finish(1), code)
            self.assertEqual(g.told("stopped", s.events[0]["run"])["exit"], code)
        self.assertEqual(g.kill(signal.SIGTERM).end(), 0)
        self.assertEqual({e["event"] for e in g.events} - {"runs"}, {"watching", "stopped"})
        self.assertNotIn("no\n", g.stderr)
        self.assertEqual((self.statuses(), self.flag(), self.deletes()), ({"end": "New", "term": "New"}, None, {}))

    def test_short_runs(self):
        """A run that began and ended between two looks has stopped."""
        g = self.guard("--halt", "halted")
        for i in range(5):
            code, _ = send(self.url, self.home, [resting(f"s{i}")])
            self.assertEqual(code, 0)
        s = self.working("last")
        s.finish(1)
        g.told("stopped", s.events[0]["run"])
        self.assertEqual(g.kill(signal.SIGTERM).end(), 0)
        self.assertEqual(g.events_of("gone"), [])

    def test_what_was_gone_before_is_of_the_past(self):
        """A guard acts for what a guard saw running."""
        self.die(self.working("old"))
        g = self.guard("--halt", "halted", "--cancel")
        run = self.die(self.working("new"))
        g.told("canceled", run)
        g.told("halted", run)
        self.assertEqual(g.kill(signal.SIGTERM).end(), 0)
        self.assertEqual(len(g.events_of("gone")), 1)
        self.assertEqual(self.statuses(), {"old": "New", "new": "Canceled"})

    def test_runs_that_only_recover_are_not_watched(self):
        g = self.guard("--halt", "halted")
        s = self.sender("--recover")
        s.wait_stderr("orders are read from stdin too")
        s.kill().process.wait()
        last = self.working("last")
        last.finish(1)
        g.told("stopped", last.events[0]["run"])
        self.assertEqual(g.kill(signal.SIGTERM).end(), 0)
        self.assertEqual(g.events_of("gone"), [])

    def test_it_begins_before_there_is_a_ledger(self):
        g = self.guard("--once", watching=False)
        g.wait_stderr("waiting for it")
        run = self.die(self.working("a1"))
        g.told("gone", run)
        self.assertEqual(g.end(), 0)


class Silent(World):
    def test_a_suspended_sender_keeps_its_orders(self):
        g = self.guard("--halt", "halted", "--cancel", "--silent", "3s")
        s = self.working("a1")
        run = s.events[0]["run"]
        self.assertEqual(g.told("runs", run)["pid"], s.process.pid)
        s.stop()
        self.assertEqual(g.told("silent", run)["pid"], s.process.pid)
        g.told("halted", run)
        self.assertEqual(self.deletes(), {})
        s.resume()
        g.told("answers", run)
        s.feed(resting("a2"))
        self.assertEqual(s.event("outcome", "a2")["outcome"], "refused", "trading is halted")
        self.assertEqual(s.finish(2), 1)
        g.told("stopped", run)
        self.assertEqual(g.kill(signal.SIGTERM).end(), 0)
        self.assertEqual((self.statuses(), g.events_of("gone")), ({"a1": "New"}, []))

    def test_it_is_ended_if_that_is_chosen(self):
        g = self.guard("--cancel", "--silent", "3s", "--kill", "--once")
        s = self.working("a1")
        run = s.events[0]["run"]
        g.told("runs", run)  # a sender that has never answered has no known process
        s.stop()
        self.assertEqual(g.told("killed", run)["pid"], s.process.pid)
        g.told("gone", run)
        g.told("canceled", run)
        self.assertEqual(g.end(), 0)
        self.assertEqual(s.process.wait(), -signal.SIGKILL)
        self.assertEqual(self.statuses(), {"a1": "Canceled"})


class Guards(World):
    def test_of_two_one_acts_and_the_other_takes_over(self):
        send(self.url, self.home, [resting("a0")])
        first = self.guard("--cancel")
        second = self.guard("--cancel", watching=False)
        second.told("standby")
        s = self.working("a1")
        first.kill().process.wait()
        second.told("watching")
        run = self.die(s)
        second.told("canceled", run)
        self.assertEqual(second.kill(signal.SIGTERM).end(), 0)
        self.assertEqual(self.deletes(), {"a1": 1})

    def test_one_that_begins_later_knows_what_the_one_before_saw(self):
        """Guard and sender are killed at once; a guard that did all leaves nothing for the next one."""
        g = self.guard("--cancel")
        s = self.working("a1")
        other = self.working("a2")  # which the guard has seen when it tells of its end
        other.finish(1)
        g.told("stopped", other.events[0]["run"])
        g.kill().process.wait()
        run = self.die(s)
        g = self.guard("--cancel", "--once")
        g.told("gone", run)
        g.told("canceled", run)
        self.assertEqual(g.end(), 0)
        g = self.guard("--cancel", "--halt", "halted")
        run = self.die(self.working("a3"))
        g.told("canceled", run)
        g.told("halted", run)
        self.assertEqual(g.kill(signal.SIGTERM).end(), 0)
        self.assertEqual(len(g.events_of("gone")), 1)
        self.assertEqual(self.statuses(), {"a1": "Canceled", "a2": "New", "a3": "Canceled"})

    def test_killed_at_random_moments(self):
        """Sender and guards die at any moment: at the end no order of the sender works, none is posted twice."""
        seed = int(os.environ.get("OG_SEED") or 5)
        print(f"OG_SEED={seed}", flush=True)
        r = random.Random(seed)
        for n in range(tries("OG_GUARD_TRIES", 5)):
            with self.subTest(n, seed=seed), TempHome() as self.home:
                g = self.guard("--cancel", "--halt", "reduce-only")
                ids = [f"t{n}-{i}" for i in range(8)]
                s = self.sender("-p", self.home.file("loose.yaml", LOOSE))
                s.feed(*[resting(i, limitPrice=150 + k) for k, i in enumerate(ids)])
                s.event("posted", ids[r.randrange(8)])
                threading.Event().wait(r.random() * 0.05)
                run = self.die(s)
                for _ in range(r.randrange(3)):
                    threading.Event().wait(r.random() * 0.6)  # somewhere in what the guard does
                    g.kill().process.wait()
                    g = self.guard("--cancel", "--halt", "reduce-only", watching=False)
                self.wait_settled(run)
                self.assertEqual(g.kill(signal.SIGTERM).end(), 0)
                works = {i: st for i, st in self.statuses().items() if i in ids and st != "Canceled"}
                self.assertEqual(works, {})
                self.assertEqual({i: len(posts(self.paper, i)) for i in ids if len(posts(self.paper, i)) > 1}, {})
                self.assertEqual(self.flag()["trading"], "reduce-only")

    def wait_settled(self, run):
        """Wait until the ledger has no order that is open, and no guard is left with the run to be settled."""
        end = time.monotonic() + DEADLINE * 6
        while not self.is_settled(run):
            self.assertLess(time.monotonic(), end, "the run is not settled")
            threading.Event().wait(0.05)

    def is_settled(self, run):
        db = sqlite3.connect(f"file:{self.home.ledger}?mode=ro", uri=True)
        try:
            n, = db.execute("SELECT n FROM runs WHERE run = ?", (run,)).fetchone()
            opened, = db.execute("SELECT count(*) FROM open_orders").fetchone()
        finally:
            db.close()
        with open(self.home.ledger + "-runs", "rb") as f:
            f.seek(4096 + 2 * n)
            return f.read(2) == b"rg" and opened == 0


class Start(World):
    def test_options(self):
        for args in (["x"], ["--halt", "no"], ["--nope"], ["--silent", "x"]):
            g = self.guard(*args, watching=False)
            self.assertEqual((g.end(), g.events), (2, []), args)
        g = self.guard("--cancel", "--", "-p", "/no/such.yaml", watching=False)
        self.assertEqual((g.end(), g.events), (3, []), g.stderr)
        self.assertIn("it could cancel nothing", g.stderr)

    def test_what_may_not_stand_behind_the_dashes(self):
        """Nothing that would make a sender that cancels post orders; it is refused at once, not when a sender dies."""
        orders = self.home.file("orders.ndjson", json.dumps(resting("planted")) + "\n")
        for args, named in passed_wrongly(orders):
            for cancel in ([], ["--cancel"]):
                g = self.guard(*cancel, "--", *args, watching=False)
                self.assertEqual((g.end(), g.events), (2, []), (args, g.stderr))
                self.assertIn(named, g.stderr)
        for args in (["--halt", "none"], ["--on-event", "true"], ["--ledger-key", "k"], ["--silent", "9s"]):
            g = self.guard("--", *args, watching=False)
            self.assertEqual((g.end(), g.events), (2, []), (args, g.stderr))
        self.assertEqual(posts(self.paper), [])

    def test_a_broker_file_that_cannot_be_used(self):
        for path in ("/no/such.yaml", self.home.file("broker.yaml", "base_urll: x\n")):
            g = self.guard("--cancel", "--", "--broker", path, watching=False)
            self.assertEqual((g.end(), g.events), (2, []), g.stderr)
            self.assertIn(path, g.stderr)

    def test_a_broker_that_does_not_answer_at_the_start(self):
        """SIGTERM ends the dry run and the guard; without it the guard gives the dry run up, and watches."""
        with socket.create_server(("127.0.0.1", 0)) as mute:
            mute.settimeout(DEADLINE * 5)
            url = f"http://127.0.0.1:{mute.getsockname()[1]}"
            g = self.guard("--cancel", "--", "--timeout", "60s", url=url, watching=False)
            with mute.accept()[0] as asked:
                asked.settimeout(DEADLINE * 5)
                began = time.monotonic()
                self.assertEqual(g.kill(signal.SIGTERM).end(), 0, g.stderr)
                self.assertLess(time.monotonic() - began, 10, "before the limit of the dry run")
                while asked.recv(4096):  # the end comes when nobody of the dry run is left
                    pass
            self.assertEqual(g.events, [])
            g = self.guard("--cancel", "--", "--timeout", "60s", url=url, watching=False)
            g.wait_stderr("did not end within 15 s")
            g.wait_stderr("waiting for it")
            self.assertEqual(g.kill(signal.SIGTERM).end(), 0)

    def test_a_service_manager_is_told(self):
        path = os.path.join(self.home.path, "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(path)
            manager.settimeout(DEADLINE * 5)
            code, _ = send(self.url, self.home, [resting("a1")])
            self.assertEqual(code, 0)
            g = self.guard(env={"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "1000000"})
            self.assertEqual(manager.recv(100), b"READY=1")
            self.assertEqual([manager.recv(100) for _ in range(3)], [b"WATCHDOG=1"] * 3)
            g.kill(signal.SIGTERM)
            while manager.recv(100) != b"STOPPING=1":
                pass
            self.assertEqual(g.end(), 0)


if __name__ == "__main__":
    main()
