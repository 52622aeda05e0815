"""Halts and resumes on record: each sender that obeys one writes it into its ledger, where `ledger list`, `ledger list
--halts` and `report` show it the next day: who, when, why, and which flag."""
import json
import os
import sqlite3
import subprocess
import unittest

from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send
from test_halt import flag, halt
from test_halt_reach import locked
from test_latches import HELD, LOSS, LOT

BIN = os.environ["OG_BIN"]
ORDERS = ("--state", "done"), ("--open",), ("--symbol", "AAPL"), ("--tag", "x"), ("--rule", "trading")


def brief(rows):
    return [(r["detail"]["was"], r["detail"]["trading"], r["detail"]["reason"]) for r in rows]


class Records(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def tool(self, name, *args, code=0):
        done = subprocess.run([os.path.join(BIN, name), *args, "--ledger", self.home.ledger], capture_output=True,
                              text=True, env={**os.environ, "HOME": self.home.path})
        self.assertEqual((done.returncode, done.stderr if code == 0 else ""), (code, ""), done.stderr)
        return done.stdout

    def list(self, *args):
        return [json.loads(line) for line in self.tool("ordergate-ledger", "list", *args).splitlines()]

    def halts(self, *args):
        return self.list("--halts", *args)

    def halt(self, gate, reason, *args, name="halt", **more):
        halt(self.home, "--reason", reason, *args, name=name, **more)
        gate.wait_stderr(reason)

    def run_one(self, order_id, **more):
        return send(self.paper.url, self.home, [resting(order_id)], **more)[1]

    def test_who_when_why_and_by_which_flag(self):
        with Sender(self.paper.url, self.home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            self.halt(gate, "feed is wrong")
            self.halt(gate, "the feed still")
            self.halt(gate, "closes too", "--all")
            self.halt(gate, "fixed", name="resume")
            gate.feed(resting("b"))
            gate.event("outcome", "b", outcome="working")
            gate.finish(2)
        told = self.halts()
        self.assertEqual(brief(told), [("on", "halted", "feed is wrong"), ("halted", "halted", "the feed still"),
                                       ("halted", "halted-all", "closes too"), ("halted-all", "on", "fixed")])
        for row in told:
            self.assertEqual((row["record"], row["state"], row["accountId"], row["clientOrderId"], row["run"]),
                             ("trading", "done", None, None, gate.events[0]["run"]))
            self.assertEqual(row["detail"]["flag"], flag(self.home))
            self.assertRegex(row["detail"]["by"], ".+@.+")
            self.assertRegex(row["detail"]["since"], r"^\d{4}-\d\d-\d\dT")
            self.assertIn(f"since {row['detail']['since']} ({row['detail']['by']}): {row['detail']['reason']}",
                          row["text"])
        self.assertEqual(self.halts("--account", "PAPER0001"), told)  # a halt is of all accounts
        self.assertEqual([r["record"] == "trading" for r in self.list()].count(True), 4)
        self.assertEqual([r["clientOrderId"] for r in self.list() if r["record"] != "trading"], ["a", "b"])
        for filters in ORDERS:
            self.assertNotIn("trading", [r["record"] for r in self.list(*filters)], filters)
        words = self.tool("ordergate-ledger", "list", "--halts", "--format", "table")
        self.assertIn("closes too", " ".join(words.split()))
        self.assertIn("halted-all", self.tool("ordergate-ledger", "list", "--format", "table"))
        self.assertEqual(len(self.tool("ordergate-ledger", "list", "--halts", "--format", "csv").splitlines()), 5)

    def test_the_filter_is_of_no_order(self):
        self.run_one("a")
        for filters in ORDERS:
            self.tool("ordergate-ledger", "list", "--halts", *filters, code=2)
        self.tool("ordergate-ledger", "verify", "--halts", code=2)

    def test_by_time_and_in_the_report_of_the_day(self):
        with Sender(self.paper.url, self.home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            self.halt(gate, "feed is wrong")
            self.halt(gate, "fixed", name="resume")
            gate.finish(1)
        day, later = self.halts()[0]["at"][:10], "2037-01-01"
        self.assertEqual(len(self.halts("--since", day, "--until", later)), 2)
        self.assertEqual(len(self.list("--since", day, "--until", later)), 3)
        self.assertEqual(self.halts("--since", later) + self.list("--until", day), [])
        for account in (), ("--account", "PAPER0001"):
            told = json.loads(self.tool("ordergate-report", "--date", day, "--format", "json", *account))
            self.assertEqual(told["haltCount"], 2)
            self.assertEqual([(h["trading"], h["was"], h["reason"], h["flag"]) for h in told["halts"]],
                             [("halted", "on", "feed is wrong", flag(self.home)),
                              ("on", "halted", "fixed", flag(self.home))])
        for form in "table", "html":
            words = self.tool("ordergate-report", "--date", day, "--format", form)
            self.assertIn("feed is wrong", words)

    def test_another_flag_lifts_its_own_halt(self):
        """The user's flag says who resumed before; the halt of the other flag is lifted by somebody else."""
        also = os.path.join(self.home.path, "also.json")
        halt(self.home, "--reason", "long ago", name="resume")
        with Sender(self.paper.url, self.home, env={"ORDERGATE_HALT_ALSO": also}) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            self.halt(gate, "the desk", "--flag", also)
            self.halt(gate, "the desk is back", "--flag", also, name="resume")
            self.halt(gate, "by file", "--flag", also)
            os.remove(also)
            gate.wait_stderr("trading is on again")
            gate.wait_row("record = 'trading' AND text LIKE '%gone%'")
            with open(os.open(also, os.O_CREAT | os.O_WRONLY, 0o600), "w") as f:
                f.write("stop!")
            gate.wait_stderr("is not JSON")
            gate.finish(1)
        told = self.halts()
        self.assertEqual(brief(told)[:3], [("on", "halted", "the desk"), ("halted", "on", "the desk is back"),
                                           ("on", "halted", "by file")])
        self.assertEqual([told[3]["detail"][k] for k in ("trading", "by", "since")], ["on", None, None])
        self.assertIn("is not JSON", told[4]["detail"]["reason"])
        self.assertEqual({r["detail"]["flag"] for r in told}, {also})

    def test_runs_that_begin(self):
        """A run that begins in a halt obeys it; the first run after its end records the end, once."""
        halt(self.home, "--reason", "overnight")
        self.run_one("a"), self.run_one("b")
        self.assertEqual(brief(self.halts()), [("on", "halted", "overnight")] * 2)
        halt(self.home, "--reason", "morning", name="resume")
        gate = self.run_one("c")
        self.run_one("d")
        told = self.halts()
        self.assertEqual(brief(told)[2:], [("halted", "on", "morning")])
        self.assertEqual(told[2]["run"], gate.events[0]["run"])

    def test_a_run_that_the_halt_is_not_of(self):
        """The halt of a flag that only other runs obey has not ended because this run is not halted."""
        also = os.path.join(self.home.path, "also.json")
        halt(self.home, "--flag", also, "--reason", "theirs")
        self.run_one("a", env={"ORDERGATE_HALT_ALSO": also})
        self.run_one("b")
        self.assertEqual(brief(self.halts()), [("on", "halted", "theirs")])

    def test_a_halt_that_only_the_thread_saw(self):
        """The loop is blocked by another process that holds the ledger, while the halt begins and ends."""
        with Sender(self.paper.url, self.home) as gate:
            gate.feed(resting("a"))
            gate.event("outcome", "a", outcome="working")
            with locked(self.home.ledger):
                gate.feed(resting("b"))
                halt(self.home, "--reason", "short")
                halt(self.home, "--reason", "over", name="resume")
            gate.event("outcome", "b")
            gate.finish(2)
        self.assertEqual(brief(self.halts()), [("on", "halted", "short"), ("halted", "on", "over")])

    def test_latches_are_halts_too(self):
        policy = self.home.file("p.yaml", LOSS)
        self.paper.control("PUT", "positions/PAPER0001", [LOT])
        self.paper.quote("AAPL", 49, 49, 49)
        _, gate = send(self.paper.url, self.home, [resting("a", limitPrice=40)], "-p", policy)
        self.assertIn(HELD, [f["reason"] for f in gate.event("decision", "a")["findings"]])
        self.tool("ordergate-resume", "--latch", "loss", "--reason", "looked")
        told = self.halts()
        self.assertEqual([(r["record"], r["accountId"], r["detail"]["latch"]) for r in told],
                         [("latch", "PAPER0001", "loss"), ("resume", "PAPER0001", "loss")])
        self.assertEqual(told[1]["detail"]["reason"], "looked")
        self.assertEqual(self.halts("--account", "OTHER"), [])
        self.assertEqual(sorted(r["record"] for r in self.list()), ["decision", "latch", "resume"])

    def test_they_are_in_the_chain(self):
        halt(self.home, "--reason", "overnight")
        self.run_one("a")
        halt(self.home, "--reason", "morning", name="resume")
        self.run_one("b")
        self.tool("ordergate-ledger", "verify")
        first = self.halts()[0]["seq"]
        db = sqlite3.connect(self.home.ledger)
        db.execute("DROP TRIGGER rows_stay")
        db.execute("UPDATE rows SET detail = '{}' WHERE seq = ?", (first,))
        db.commit()
        db.close()
        self.assertIn(f'"seq":{first},"fault":"changed"', self.tool("ordergate-ledger", "verify", code=1))
        self.assertEqual(len(self.halts()), 2)  # a record without its detail is told all the same

    def test_a_dry_run_records_nothing(self):
        self.run_one("a")
        halt(self.home, "--reason", "overnight")
        with Sender(self.paper.url, self.home, "--dry-run") as gate:
            gate.feed(resting("b"))
            gate.event("outcome", "b")
            gate.finish(1)
        self.assertEqual(self.halts(), [])


if __name__ == "__main__":
    main()
