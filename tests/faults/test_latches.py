"""Limits with the setting `latch`: once exceeded they refuse on, over restarts and in all senders of a ledger, until a
person resumes, or for a day.

The P&L of the account is that of ten shares bought today at 100: the price of AAPL moves it.
"""
import json
import os
import signal
import subprocess
import unittest

from paper import Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send

POLICY = "ordergate: 1\nname: desk\nextends: []\nrules:\n"
LOSS = POLICY + "  day-loss: {level: refuse, most: 500, latch: until-resumed, unsure: refuse}\n"
STREAK = POLICY + "  rejection-streak: {level: refuse, most: 1, latch: until-resumed}\n"
LOT = {"symbol": "AAPL", "side": "Long", "shares": 10, "priceAvg": 100, "dayOvernight": "Day"}
OVER, HELD, STREAK_HELD = "day-loss-above-limit", "day-loss-latched", "rejections-latched"
BIN = os.environ["OG_BIN"]


def refused(gate, order_id):
    return [f["reason"] for f in gate.event("decision", order_id)["findings"] if f["level"] == "refuse"]


class Latches(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.paper.control("PUT", "positions/PAPER0001", [LOT])
        self.policy = self.home.file("p.yaml", LOSS)

    def tool(self, name, *args):
        return subprocess.run([os.path.join(BIN, name), *args, "--ledger", self.home.ledger], capture_output=True,
                              text=True, env={**os.environ, "HOME": self.home.path})

    def resume(self, latch="loss", *args):
        return self.tool("ordergate-resume", "--latch", latch, "--reason", "feed was wrong", *args)

    def latches(self, *args):
        return [json.loads(line) for line in self.tool("ordergate-ledger", "latches", *args).stdout.splitlines()]

    def pnl(self, dollars):
        price = 100 + dollars / 10
        self.paper.quote("AAPL", price, price, price)

    def run_at(self, dollars, order_id, *more, **changes):
        """Run a sender with one order to its end. Returns the reasons for which the order is refused."""
        self.pnl(dollars)
        _, self.gate = send(self.paper.url, self.home, [resting(order_id, **{"limitPrice": 40, **changes})], "-p",
                            self.policy, *more)
        return refused(self.gate, order_id)

    def ask(self, gate, order_id, **changes):
        gate.feed(resting(order_id, **{"limitPrice": 40, **changes}))
        gate.event("outcome", order_id)
        return refused(gate, order_id)

    def test_a_loss_that_shrinks_stays_refused_until_resumed(self):
        self.assertEqual(self.run_at(-501, "a"), [HELD])
        self.assertEqual(self.gate.event("latched")["latch"], "loss")
        self.gate.wait_stderr("account 'PAPER0001': a latch is tripped: loss of 501, the limit is 500: limits "
                              "below 501 count as exceeded until somebody resumes: ordergate resume --latch loss "
                              "--reason TEXT")
        said, = (f["message"] for f in self.gate.event("decision", "a")["findings"] if f["reason"] == HELD)
        self.assertIn("ordergate resume --latch loss --reason TEXT", said)
        self.assertEqual(self.run_at(-10, "b"), [HELD])
        self.assertEqual(self.gate.event("latched")["source"], "ledger")
        tripped, = self.latches()
        self.assertEqual((tripped["latch"], tripped["value"], tripped["limit"], tripped["until"], tripped["state"]),
                         ("loss", 501, 500, "resumed", "tripped"))
        self.assertEqual(self.run_at(-10, "c", side="Sell", openClose="Close", orderQuantity=1, limitPrice=120), [])
        done = self.resume()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.run_at(-10, "d"), [])
        self.assertEqual(self.latches(), [])
        again, = self.latches("--all")
        self.assertEqual((again["state"], again["reason"]), ("resumed", "feed was wrong"))
        self.assertEqual(self.resume().returncode, 1)
        self.assertEqual(self.tool("ordergate-ledger", "verify").returncode, 0)

    def test_a_resume_does_not_raise_the_limit(self):
        self.assertEqual(self.run_at(-600, "a"), [HELD])
        self.assertEqual(self.resume().returncode, 0)
        self.assertEqual(self.run_at(-600, "b"), [HELD])  # it tripped again
        self.assertEqual([r["record"] for r in self.home.rows("record IN ('latch', 'resume')")],
                         ["latch", "resume", "latch"])

    def test_a_killed_run(self):
        self.pnl(-501)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            self.assertEqual(self.ask(gate, "a"), [HELD])
            gate.kill().process.wait()
        self.assertEqual(self.run_at(0, "b"), [HELD])

    def test_a_sender_that_never_saw_the_loss(self):
        self.pnl(100)
        with Sender(self.paper.url, self.home, "-p", self.policy) as other:
            self.assertEqual(self.ask(other, "a"), [])
            other.stop()
            self.assertEqual(self.run_at(-501, "b"), [HELD])
            self.pnl(0)
            other.resume()
            self.assertEqual(self.ask(other, "c"), [HELD])
            self.assertEqual(self.resume().returncode, 0)
            self.assertEqual(other.event("resumed")["reason"], "feed was wrong")
            self.assertEqual(self.ask(other, "d"), [])
            self.assertEqual(other.finish(3), 1)

    def test_for_a_day(self):
        self.policy = self.home.file("p.yaml", LOSS.replace("until-resumed", "day"))
        self.assertEqual(self.run_at(-501, "a"), [HELD])
        self.paper.control("PUT", "clock", {"now": "2026-01-16T08:59:00Z"})  # 3:59: still the session day before
        self.assertEqual(self.run_at(0, "b"), [HELD])
        self.paper.control("PUT", "clock", {"now": "2026-01-16T15:00:00Z"})
        self.assertEqual(self.run_at(0, "c"), [])

    def test_another_day_does_not_resume(self):
        self.assertEqual(self.run_at(-501, "a"), [HELD])
        self.paper.control("PUT", "clock", {"now": "2026-01-16T15:00:00Z"})
        self.assertEqual(self.run_at(-501, "b"), [HELD])

    def test_a_higher_limit_is_not_held(self):
        self.assertEqual(self.run_at(-501, "a"), [HELD])
        self.policy = self.home.file("p.yaml", LOSS.replace("500", "600"))
        self.assertEqual(self.run_at(-501, "b"), [])
        self.policy = self.home.file("p.yaml", LOSS.replace("500", "400"))
        self.assertEqual(self.run_at(0, "c"), [HELD])

    def test_a_policy_without_the_setting_is_held(self):
        """To take the setting out of the policy does not resume: not in a running sender, nor in later ones."""
        without = LOSS.replace(", latch: until-resumed", "")
        self.pnl(-501)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            self.assertEqual(self.ask(gate, "a"), [HELD])
            self.pnl(0)
            self.home.file("p.yaml", without)
            gate.kill(signal.SIGHUP)
            gate.event("policy")
            self.assertEqual(self.ask(gate, "b"), [HELD])
            gate.finish(2)
        self.assertEqual(self.run_at(0, "c"), [HELD])
        self.gate.wait_stderr("limits below 501 count as exceeded until somebody resumes")
        self.policy = self.home.file("p.yaml", without.replace("most: 500", "drawdown: 5000"))
        self.assertEqual(self.run_at(0, "d"), [])  # it has no limit that was exceeded
        self.policy = self.home.file("p.yaml", without)
        self.assertEqual(self.resume().returncode, 0)
        self.assertEqual(self.run_at(0, "e"), [])

    def test_a_policy_without_the_setting_is_held_by_rejections(self):
        self.policy = self.home.file("p.yaml", STREAK)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            for n, order_id in enumerate("ab"):
                gate.feed(stock(order_id, limitPrice=-5, orderQuantity=10 + n))
                gate.event("outcome", order_id, outcome="rejected")
            gate.event("latched")
            gate.finish(2)
        self.policy = self.home.file("p.yaml", STREAK.replace(", latch: until-resumed", ""))
        # a close that the broker accepts ends the streak, but not the latch
        self.assertEqual(self.run_at(0, "c", side="Sell", openClose="Close", orderQuantity=1, limitPrice=120), [])
        self.assertEqual(self.run_at(0, "d"), [STREAK_HELD])

    def test_a_share_of_the_days_first_equity(self):
        self.paper.control("PUT", "accounts/PAPER0001", {"sodEquity": 10000})
        self.policy = self.home.file("p.yaml", LOSS.replace("most: 500", "of_equity: 3%"))
        self.assertEqual(self.run_at(-300, "a"), [])
        self.assertEqual(self.run_at(-301, "b"), [HELD])
        self.assertEqual(self.latches()[0]["latch"], "loss-of-equity")
        self.assertEqual(self.run_at(0, "c"), [HELD])

    def test_rejections_in_a_row(self):
        self.policy = self.home.file("p.yaml", STREAK)
        bad = [stock(i, limitPrice=-5, orderQuantity=10 + n) for n, i in enumerate("ab")]
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            for line in bad:
                gate.feed(line)
                gate.event("outcome", line["clientOrderId"], outcome="rejected")
            self.assertEqual(gate.event("latched")["latch"], "consecutive-rejections")
            self.assertEqual(self.ask(gate, "c"), [STREAK_HELD])
            gate.kill().process.wait()
        self.assertEqual(self.run_at(0, "d"), [STREAK_HELD])
        # a close that the broker accepts ends the streak, but not the latch
        self.assertEqual(self.run_at(0, "e", side="Sell", openClose="Close", orderQuantity=1, limitPrice=120), [])
        self.assertEqual(self.run_at(0, "f"), [STREAK_HELD])
        self.assertEqual(self.resume("consecutive-rejections").returncode, 0)
        self.assertEqual(self.run_at(0, "g"), [])

    def test_a_resume_begins_the_count_anew(self):
        self.policy = self.home.file("p.yaml", STREAK)
        lines = [stock(i, limitPrice=-5, orderQuantity=10 + n) for n, i in enumerate("abcd")]
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            for line in lines[:2]:
                gate.feed(line)
                gate.event("outcome", line["clientOrderId"], outcome="rejected")
        self.assertEqual(self.resume("consecutive-rejections").returncode, 0)
        with Sender(self.paper.url, self.home, "-p", self.policy) as gate:
            gate.feed(lines[2])
            gate.event("outcome", "c", outcome="rejected")
            self.assertEqual(self.ask(gate, "e"), [])  # and this one ends the streak
            gate.finish(2)

    def test_what_a_dry_run_finds_is_not_recorded(self):
        self.assertEqual(self.run_at(-501, "a", "--dry-run"), [HELD])
        self.assertFalse(os.path.exists(self.home.ledger) and self.home.rows("record = 'latch'"))

    def test_a_resume_says_who_and_why(self):
        self.assertEqual(self.run_at(-501, "a"), [HELD])
        for args in (["--latch", "loss"], ["--latch", "los", "--reason", "x"], ["--latch", "loss", "--reason", " "],
                     ["--latch", "loss", "--reason", "x", "--machine"]):
            self.assertEqual(self.tool("ordergate-resume", *args).returncode, 2, args)
        self.assertEqual(self.resume("loss", "--account", "PAPER0002").returncode, 1)
        self.assertEqual(self.resume("drawdown").returncode, 1)

    def test_a_word_that_is_no_latch_gets_the_names(self):
        for word in "los", "day-loss", "rejection-streak":
            done = self.resume(word)
            self.assertEqual(done.returncode, 2, word)
            self.assertIn(f"'{word}' is not a latch: expected loss, loss-of-equity, drawdown, consecutive-rejections;",
                          done.stderr)

    def test_check_knows_the_latches_of_a_ledger(self):
        self.assertEqual(self.run_at(-501, "a"), [HELD])
        facts = self.home.file("f.json", self.tool("ordergate-ledger", "facts").stdout)
        orders = self.home.file("o.ndjson", json.dumps(resting("z", limitPrice=40)) + "\n")
        done = subprocess.run([os.path.join(BIN, "ordergate"), "check", "-p", self.policy, "-f", facts, orders],
                              capture_output=True, text=True)
        self.assertIn(HELD, done.stdout, done.stderr)


if __name__ == "__main__":
    main()
