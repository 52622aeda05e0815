"""ordergate ledger archive: what a desk sees of its orders is the same before and after, both files verify and any
change of either is found, nothing open is moved, and no id is ever sent twice."""
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import time
import unittest

from fault_proxy import FaultProxy
from ledger_maker import OPEN, Maker, empty, random_days, rows_of, tamper
from paper import Paper, stock
from sender import RUNNING, Sender, TempHome, resting, send

BIN = os.environ["OG_BIN"]
os.environ.setdefault("ORDERGATE_PAPER", os.path.join(BIN, "ordergate-paper"))
LEDGER = os.path.join(BIN, "ordergate-ledger")


def run(*args, path, program=LEDGER, **more):
    return subprocess.run([program, "--ledger", path, *args], capture_output=True, text=True, timeout=600, **more)


def lines(*args, path, **more):
    done = run(*args, path=path, **more)
    if done.returncode != 0:
        raise AssertionError(f"{args}: {done.returncode}, {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def report(day, path):
    told, = lines("--date", day, path=path, program=os.path.join(BIN, "ordergate-report"))
    del told["ledger"]
    return told


class Archive(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.home = self.enterContext(TempHome())
        self.path = self.home.ledger

    def archive(self, day, *args, code=0):
        done = run("archive", "--before", day, *args, path=self.path)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def verify(self, path, *args):
        done = run("verify", *args, path=path)
        return done.returncode, done.stdout

    def whole(self, path):
        self.assertEqual(self.verify(path)[0], 0, self.verify(path)[1])

    def seen(self):
        """What a desk sees of the orders that were sent: the same before and after an archive."""
        sent = {(r["account"], r["id"]) for r in rows_of(self.path) if r["record"] == "intent"}
        listed = [r for r in lines("list", path=self.path) if (r["accountId"], r["clientOrderId"]) in sent]
        facts = [{**f, "asOf": None, "ages": None} for account in ("PAPER0001", "LIVE0001")
                 for f in lines("facts", "--account", account, path=self.path)]
        return {"list": listed, "unknown": lines("unknown", path=self.path), "facts": facts,
                "open": lines("list", "--open", path=self.path), "positions": lines("positions", path=self.path),
                "latches": lines("latches", "--all", path=self.path), "halts": lines("list", "--halts", path=self.path)}

    def test_what_a_desk_sees_is_the_same(self):
        for seed in range(3):
            with self.subTest(seed=seed):
                empty(self.home)
                random_days(self.path, seed, hostile=seed == 2, days=4)
                before, rows = self.seen(), rows_of(self.path)
                days = {day: report(day, self.path) for day in ("2026-01-13", "2026-01-14", "2026-01-15", "2026-01-16")}
                told = self.archive("2026-01-15", "--to", self.path + f".{seed}")
                self.assertEqual(self.seen(), before)
                self.whole(self.path), self.whole(told["file"])
                self.assertEqual(told["copied"], told["to"] - told["from"] + 1)
                self.assertEqual(rows_of(told["file"])[:-1], rows[:told["to"]])
                kept = rows_of(self.path)
                self.assertEqual(len(rows) - len(kept) + 1, told["removed"])
                self.assertEqual([r for r in rows if r["seq"] > told["to"]],
                                 [r for r in kept if r["seq"] > told["to"] and r["record"] != "archive"])
                self.assertTrue(all(r in rows for r in kept if r["record"] != "archive"))
                opened = {(r["accountId"], r["clientOrderId"]) for r in before["open"]}
                self.assertEqual([r for r in rows if (r["account"], r["id"]) in opened],
                                 [r for r in kept if (r["account"], r["id"]) in opened])
                # a day before is told by the file, and one since by the ledger, as it was told before
                for day, wanted in days.items():
                    if day < "2026-01-15":
                        self.assertEqual(report(day, told["file"]), wanted)
                    else:
                        now = report(day, self.path)
                        self.assertEqual(now, wanted)
                for suffix in ("", "-wal", "-shm", "-runs"):
                    pathlib.Path(self.path + suffix).unlink(missing_ok=True)

    def days_in_order(self):
        """A ledger whose records are in the sequence of their times, as one sender writes them: 5 days, and an order
        that is open from the first on."""
        empty(self.home)
        maker = Maker(self.path)
        for day in range(5):
            at = 1768400000 * 10**9 + day * 86400 * 10**9
            for i in range(20):
                name = f"d{day}-{i}"
                body = {"symbol": "AAPL", "side": "Buy", "orderQuantity": 10, "clientOrderId": name}
                decision = {"line": i, "verdict": "accept", "findings": [], "digest": f"sha256:{day}{i}"}
                maker.row(at + i, f"r{day}", "A", name, "decision", "intended", detail=decision)
                maker.row(at + i, f"r{day}", "A", name, "intent", "intended", detail=body)
                maker.row(at + i, f"r{day}", "A", name, "post", "posted", detail={"http": 200, "tookUs": 5})
                maker.row(at + i, f"r{day}", "A", name, "update", "working", executed="3", price="10")
                if (day, i) != (0, 7):
                    maker.row(at + i, f"r{day}", "A", name, "update", "filled", executed="10", price="11")
                    maker.row(at + i, f"r{day}", "A", name, "outcome", "filled", executed="10", price="11")
                maker.row(at + i, f"r{day}", "A", f"bad{day}-{i}", "decision", "refused", detail={"findings": []})
        maker.close()

    def test_one_after_another(self):
        self.days_in_order()
        positions, rows = lines("positions", path=self.path), rows_of(self.path)
        told = [self.archive(f"2026-01-{day}") for day in (15, 17, 18)]
        self.assertEqual([t["from"] for t in told], [1, told[0]["to"] + 1, told[1]["to"] + 1])
        for t in told:
            self.whole(t["file"])
            self.assertEqual(rows_of(t["file"])[:-1], rows[t["from"] - 1:t["to"]])
        self.whole(self.path)
        self.assertEqual(lines("positions", path=self.path), positions)
        self.assertEqual([r["clientOrderId"] for r in lines("list", "--open", path=self.path)], ["d0-7"])
        self.assertEqual([r for r in rows_of(self.path) if r["id"] == "d0-7"], [r for r in rows if r["id"] == "d0-7"])
        self.assertEqual([r["record"] for r in rows_of(self.path) if r["id"] == "d1-3"],
                         ["intent", "update", "update", "outcome"])
        self.assertEqual([r for r in rows_of(self.path) if (r["id"] or "").startswith("bad1")], [])
        self.assertEqual(self.verify(told[1]["file"], "--expect-head", told[1]["head"])[0], 0)
        self.assertIn("left to archive", self.archive("2026-01-18", "--to", self.path + ".x", code=1))
        self.assertIn("there already", self.archive("2026-01-18", code=1))
        with sqlite3.connect(self.path) as db:
            digests = dict(db.execute("SELECT id, digest FROM archived"))
        db.close()
        self.assertEqual(digests["d1-3"], "sha256:13")
        story = run("show", "d1-3", "--format", "table", path=self.path).stdout
        self.assertEqual([t["file"] in story for t in told], [False, True, True])

    def test_every_change_of_either_file_is_found(self):
        self.days_in_order()
        told = self.archive("2026-01-16")
        ledger, file = pathlib.Path(self.path).read_bytes(), pathlib.Path(told["file"]).read_bytes()
        one = "(SELECT seq FROM rows WHERE id = 'd0-3' AND record = 'intent')"
        changes = [
            (self.path, "DELETE FROM gaps WHERE last = (SELECT min(last) FROM gaps)"),
            (self.path, "UPDATE gaps SET hash = 'sha256:" + "0" * 64 + "' WHERE last = (SELECT max(last) FROM gaps)"),
            (self.path, "UPDATE gaps SET last = last + 1 WHERE last = (SELECT min(last) FROM gaps)"),
            (self.path, "DELETE FROM archived WHERE id = 'd0-3'"),
            (self.path, "UPDATE archived SET digest = 'x' WHERE id = 'd0-3'"),
            (self.path, "DELETE FROM ids WHERE id = 'd0-3'"),
            (self.path, f"DELETE FROM rows WHERE seq = {one}"),
            (self.path, f"INSERT INTO gaps SELECT seq, seq, hash FROM rows WHERE seq = {one};"
                        f"DELETE FROM rows WHERE seq = {one}"),
            (self.path, "DELETE FROM rows WHERE record = 'archive'"),
            (self.path, "UPDATE rows SET detail = replace(detail, '\"gaps\":\"sha256:', '\"gaps\":\"sha256:0') WHERE"
                        " record = 'archive'"),
            (told["file"], f"DELETE FROM rows WHERE seq = {one}"),
            (told["file"], "UPDATE rows SET executed = '4' WHERE id = 'd1-3' AND executed = '3'"),
            (told["file"], "DELETE FROM rows WHERE record = 'archived'"),
            (told["file"], "INSERT INTO gaps VALUES(1, 1, 'sha256:" + "0" * 64 + "')"),
            (told["file"], "DELETE FROM ids WHERE id = 'd1-3'"),
        ]
        for path, change in changes:
            with self.subTest(change=change):
                tamper(path, change)
                self.assertEqual(self.verify(path)[0], 1, change)
                pathlib.Path(self.path).write_bytes(ledger)
                pathlib.Path(told["file"]).write_bytes(file)
        self.whole(self.path), self.whole(told["file"])

    def test_what_is_refused(self):
        self.days_in_order()
        for day in ("today", "tomorrow", "2030-01-01", "2026-01-32"):
            self.archive(day, code=2)
        self.assertEqual(run("archive", path=self.path).returncode, 2)
        rows = rows_of(self.path)
        tamper(self.path, "UPDATE rows SET executed = '4' WHERE id = 'd1-3' AND executed = '3'")
        self.assertIn("faults", self.archive("2026-01-16", code=4))
        tamper(self.path, "UPDATE rows SET executed = '3' WHERE id = 'd1-3' AND executed = '4'")
        self.assertEqual(rows_of(self.path), rows)
        self.archive("2026-01-16", "--to", "/nowhere/x.db", code=4)
        self.assertEqual(rows_of(self.path), rows)
        self.assertEqual(self.verify(self.path)[0], 0)

    def test_it_is_killed_anywhere(self):
        """Nothing is lost: the ledger is as it was, or all of it is in the file; and it can be done again."""
        self.days_in_order()
        kept, rows = pathlib.Path(self.path).read_bytes(), rows_of(self.path)
        start = time.monotonic()
        told = self.archive("2026-01-17")
        took, wanted = time.monotonic() - start, rows_of(self.path)
        done = 0
        for part in range(12):
            for name in os.listdir(self.home.path):
                if name.startswith("ledger"):
                    os.unlink(os.path.join(self.home.path, name))
            pathlib.Path(self.path).write_bytes(kept)
            os.chmod(self.path, 0o600)
            process = subprocess.Popen([LEDGER, "--ledger", self.path, "archive", "--before", "2026-01-17"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(took * part / 10)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            process.wait()
            self.whole(self.path)
            now = rows_of(self.path)
            if now != rows:
                done += 1
                self.assertEqual([r["seq"] for r in now], [r["seq"] for r in wanted])
                self.whole(told["file"])
                self.assertEqual(rows_of(told["file"])[:-1], rows[:told["to"]])
                continue
            self.archive("2026-01-17", "--to", self.path + ".again")
            self.whole(self.path), self.whole(self.path + ".again")
        self.assertLess(done, 12)

    def test_no_id_is_sent_twice(self):
        """An archived order is resumed by a line with the same body, and refused with another one; nothing is posted.
        An archive cannot be sent on."""
        with Paper(clock=RUNNING) as paper, FaultProxy(paper) as proxy:
            first = [stock("fills", orderType="Market", limitPrice=None), resting("works"), resting("over"),
                     stock("refused", orderQuantity=-1)]
            code, gate = send(proxy.url, self.home, first)
            code, gate = send(proxy.url, self.home, [{"op": "cancel", "clientOrderId": "over"}])
            posts = dict(proxy.posts)
            told = self.archive("2026-11-01")  # the brokerage's day is 15 January
            self.whole(self.path), self.whole(told["file"])
            self.assertGreater(told["removed"], 5)
            self.assertEqual([r["record"] for r in rows_of(self.path) if r["id"] == "fills"][0], "intent")
            code, gate = send(proxy.url, self.home, first[:3], "--resend-not-sent")
            self.assertEqual(gate.outcomes(), {"fills": "filled", "works": "working", "over": "canceled"}, gate.stderr)
            code, gate = send(proxy.url, self.home, [dict(first[0], orderQuantity=3), dict(first[2], limitPrice=1.5)])
            self.assertEqual(set(gate.outcomes().values()), {"refused"})
            self.assertEqual(proxy.posts, posts)
            code, gate = send(proxy.url, self.home, [resting("new")])
            self.assertEqual(gate.outcomes(), {"new": "working"}, gate.stderr)
            self.whole(self.path)
            self.home.ledger = told["file"]
            with Sender(proxy.url, self.home, lines=[resting("newer")]) as gate:
                self.assertEqual(gate.process.wait(), 4)
            self.assertNotIn("newer", proxy.posts)
            self.assertIn("is an archive", gate.stderr)
            self.whole(told["file"])

    def test_a_sender_has_it_open(self):
        with Paper(clock=RUNNING) as paper, Sender(paper.url, self.home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a")
            self.assertIn("sender", self.archive("2026-11-01", code=1))
            gate.feed(resting("b"))
            self.assertEqual(gate.event("outcome", "b")["outcome"], "working")
            gate.finish()
        self.archive("2026-11-01")
        self.assertEqual({r["state"] for r in lines("list", "--open", path=self.path)} - OPEN, set())
        self.whole(self.path)

    def test_a_keyed_ledger(self):
        key = self.home.file("key", "0123456789abcdef0123456789abcdef\n")
        with Paper(clock=RUNNING) as paper:
            send(paper.url, self.home, [stock("fills", orderType="Market", limitPrice=None)], "--ledger-key", key)
        env = {**os.environ, "ORDERGATE_LEDGER_KEY": key}
        self.assertNotEqual(run("archive", "--before", "2026-11-01", path=self.path).returncode, 0)
        done = run("archive", "--before", "2026-11-01", path=self.path, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        for path in (self.path, json.loads(done.stdout)["file"]):
            self.assertEqual(run("verify", path=path, env=env).returncode, 0)
            self.assertEqual(run("verify", path=path).returncode, 1)


if __name__ == "__main__":
    unittest.main()
