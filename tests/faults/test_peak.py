"""The day's highest P&L, from which a drawdown is measured, is kept over restarts and shared by all senders of a
ledger.

The account's P&L is that of ten shares bought today at 100, so the price of AAPL moves it.
"""
import itertools
import json
import sqlite3
import unittest

from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send
from test_account import BOTH

DRAWDOWN = "ordergate: 1\nname: desk\nextends: []\nrules:\n  day-loss: {level: refuse, drawdown: 500, unsure: refuse}\n"
LOT = {"symbol": "AAPL", "side": "Long", "shares": 10, "priceAvg": 100, "dayOvernight": "Day"}
LOW = "drawdown-above-limit"


def refused(gate, order_id):
    return [f["reason"] for f in gate.event("decision", order_id)["findings"] if f["level"] == "refuse"]


class Peak(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.paper.control("PUT", "positions/PAPER0001", [LOT])
        self.policy = self.home.file("p.yaml", DRAWDOWN)

    def pnl(self, dollars):
        price = 100 + dollars / 10
        self.paper.quote("AAPL", price, price, price)

    def run_at(self, dollars, order_id, *more, policy=None):
        """Run a sender with one order to its end; returns the reasons for which the order is refused."""
        self.pnl(dollars)
        _, gate = send(self.paper.url, self.home, [resting(order_id, limitPrice=50)], "-p", policy or self.policy,
                       *more)
        return refused(gate, order_id)

    def peaks(self):
        return [(r["account"], r["text"], json.loads(r["detail"])["dayPnlPeak"])
                for r in self.home.rows("record = 'pnl-peak'")]

    def ask(self, gate, order_id):
        gate.feed(resting(order_id, limitPrice=50))
        gate.event("outcome", order_id)
        return refused(gate, order_id)

    def readings(self):
        """Returns how many times the P&L was requested."""
        return sum(r["method"] == "GET" and r["path"].split("?")[0].endswith("/pnl")
                   for r in self.paper.control("GET", "requests?since=0")["requests"])

    def ask_until_read(self, gate, name):
        """Send orders that are accepted until a reading decides that began after this call. A reading decides for
        some seconds, and the one after it is requested when it is in force. Returns how many orders were sent."""
        before = self.readings()
        for count in itertools.count(1):
            self.assertEqual(self.ask(gate, f"{name}{count}"), [])
            if self.readings() >= before + 2:
                return count

    def test_a_run_that_was_killed(self):
        self.pnl(900)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            self.assertEqual(self.ask(gate, "a"), [])
            gate.kill().process.wait()
        self.assertEqual(self.run_at(450, "b"), [])
        self.assertEqual(self.run_at(399, "c"), [LOW])
        self.assertEqual(self.peaks(), [("PAPER0001", "2026-01-15", 900)])

    def test_a_sender_that_never_saw_it(self):
        self.pnl(100)
        with Sender(self.paper.url, self.home, "-p", self.policy) as low:
            self.assertEqual(self.ask(low, "a"), [])
            low.stop()
            self.assertEqual(self.run_at(900, "b"), [])
            self.pnl(300)
            low.resume()
            self.assertEqual(self.ask(low, "c"), [LOW])
            self.assertEqual(low.finish(2), 1)
        self.assertEqual([p for _, _, p in self.peaks()], [100, 900])

    def test_a_dry_run_knows_it_and_writes_nothing(self):
        self.assertEqual(self.run_at(900, "a"), [])
        self.assertEqual(self.run_at(300, "b", "--dry-run"), [LOW])
        self.assertEqual(self.run_at(2000, "c", "--dry-run"), [])
        self.assertEqual([p for _, _, p in self.peaks()], [900])

    def test_another_day_begins_anew(self):
        self.assertEqual(self.run_at(900, "a"), [])
        self.paper.control("PUT", "clock", {"now": "2026-01-16T08:59:00Z"})  # 3:59: still that of the day before
        self.assertEqual(self.run_at(300, "b"), [LOW])
        self.paper.control("PUT", "clock", {"now": "2026-01-16T15:00:00Z"})
        self.assertEqual(self.run_at(-100, "c"), [])  # the shares were held overnight, and lost 400 since then
        self.assertEqual([d for _, d, _ in self.peaks()], ["2026-01-15"])

    def test_the_day_ends_while_it_runs(self):
        self.pnl(900)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            self.assertEqual(self.ask(gate, "a"), [])
            self.pnl(200)
            self.paper.control("PUT", "clock", {"now": "2026-01-16T15:00:00Z"})
            self.pnl(300)
            # repeat until the sender learns that a new day has begun, and has read the P&L of that day
            count = next(i for i in itertools.count(1) if not self.ask(gate, f"b{i}") and len(self.peaks()) == 2)
            gate.finish(1 + count)
        self.assertEqual(self.run_at(-201, "c"), [LOW])
        self.assertEqual(self.peaks(), [("PAPER0001", "2026-01-15", 900), ("PAPER0001", "2026-01-16", 100)])

    def test_that_of_another_account_counts_there(self):
        with Paper("--scenario", self.home.file("both.yaml", BOTH), clock=RUNNING) as self.paper:
            self.paper.control("PUT", "positions/PAPER0001", [LOT])
            self.paper.control("PUT", "positions/PAPER0002", [{**LOT, "shares": 1}])
            self.assertEqual(self.run_at(900, "a", "--account", "PAPER0001"), [])
            self.assertEqual(self.run_at(300, "b", "--account", "PAPER0002"), [])
            self.assertEqual(self.run_at(300, "c", "--account", "PAPER0001"), [LOW])
        self.assertEqual([(a, p) for a, _, p in self.peaks()], [("PAPER0001", 900), ("PAPER0002", 30)])

    def test_a_limit_that_comes_by_a_new_policy(self):
        """The old policy reads the P&L for its limit on the loss, so the new policy knows the peak."""
        loss = DRAWDOWN.replace("drawdown: 500", "most: 5000")
        self.policy = self.home.file("p.yaml", loss)
        self.pnl(900)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            self.assertEqual(self.ask(gate, "a"), [])
            self.pnl(300)
            count = self.ask_until_read(gate, "b")
            self.home.file("p.yaml", DRAWDOWN)
            gate.event("policy")
            self.assertEqual(self.ask(gate, "c"), [LOW])
            self.assertEqual(gate.finish(1 + count + 1), 1)

    def test_a_policy_that_reads_it_first_waits_for_it(self):
        self.policy = self.home.file("p.yaml", "ordergate: 1\nname: desk\nextends: []\nrules: {}\n")
        self.pnl(-400)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            self.assertEqual(self.ask(gate, "a"), [])
            self.home.file("p.yaml", DRAWDOWN)
            gate.event("policy")
            # the order is decided by a reading that has the P&L, so it is not unsure
            self.assertEqual(self.ask(gate, "b"), [])
            self.assertEqual(gate.finish(2), 0)

    def test_that_of_a_facts_file_counts_and_is_kept(self):
        facts = self.home.file("f.json", json.dumps({"accountId": "PAPER0001", "asOf": "2026-01-15T15:00:00Z",
                                                     "pnl": {"dayPnlPeak": 2000}}))
        self.assertEqual(self.run_at(900, "a", "-f", facts), [LOW])
        self.assertEqual(self.run_at(900, "b"), [LOW])

    def test_a_lower_one_written_over_it_is_seen(self):
        self.assertEqual(self.run_at(900, "a"), [])
        db = sqlite3.connect(self.home.ledger)
        trigger, = db.execute("SELECT sql FROM sqlite_master WHERE name = 'rows_stay'").fetchone()
        db.execute("DROP TRIGGER rows_stay")
        changed = db.execute("UPDATE rows SET detail = '{\"dayPnlPeak\":1}' WHERE record = 'pnl-peak'").rowcount
        db.execute(trigger)
        db.commit()
        db.close()
        self.pnl(300)
        code, gate = send(self.paper.url, self.home, [resting("b", limitPrice=50)], "-p", self.policy, orders=0)
        self.assertEqual((changed, code, "the ledger is damaged" in gate.stderr), (1, 4, True), gate.stderr)


if __name__ == "__main__":
    main()
