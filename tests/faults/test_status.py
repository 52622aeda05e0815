"""ordergate status: what runs, what needs somebody first, limits as used and allowed; from running senders, from one
that was killed or is suspended, and from the ledger alone. Numbers are compared with those of the ledger and with the
events of the sender; JSON with its schema; tables with stored screens.

Other tests run senders at the same time: each question here names its ledger.
"""
import bisect
import collections
import concurrent.futures
import decimal
import itertools
import json
import os
import re
import subprocess
import time
import unittest

from fault_proxy import FaultProxy
from paper import DEADLINE, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting
from terminal import screen
from test_halt import halt
from test_halt_reach import SHIM
from validator import Validator

BIN = os.environ["OG_BIN"]
POLICY = """ordergate: 1
name: desk
extends: []
rules:
  exposure: {level: refuse, gross: 10000}
  open-orders: {level: refuse, in_total: 2}
  order-rate: {level: refuse, a_day: 50}
  order-notional: {level: refuse, most: 5000}
"""


def environment(home, **more):
    given = {k: v for k, v in os.environ.items() if not k.startswith(("ORDERGATE_", "XDG_", "NO_COLOR", "COLUMNS"))}
    return {**given, "HOME": home.path, "XDG_STATE_HOME": os.path.join(home.path, "state"), **more}


def exact(text):
    return json.loads(text, parse_float=decimal.Decimal)


def schema():
    return exact(subprocess.run([os.path.join(BIN, "ordergate"), "schema", "status"], capture_output=True,
                                check=True).stdout)


class Status(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())
        self.policy = self.home.file("desk.yaml", POLICY)
        self.gates = []

    def sender(self, *args, url=None, **more):
        gate = self.enterContext(Sender(url or self.paper.url, self.home, "-p", self.policy, *args, **more))
        self.gates.append(gate)
        return gate

    def run_status(self, *args, ledger=True):
        return subprocess.run([os.path.join(BIN, "ordergate-status"), *(("-l", self.home.ledger) if ledger else ()),
                               *args], capture_output=True, text=True, env=environment(self.home), timeout=600)

    def have_answered(self, told):
        """Returns True if every running sender of this test has: on a slow machine a loop may be late, and a sender
        has places for a few askers at a time, which those of other tests may take."""
        return ({g.process.pid for g in self.gates if g.process.poll() is None}
                <= {s["pid"] for s in told["senders"] if s["answered"]})

    def answered(self, *args, found=lambda told: True, ledger=True):
        """The status once every sender of this test has answered, and found() is true of it; after a long time as it
        is then."""
        end = time.monotonic() + DEADLINE * 5
        while True:
            done = self.run_status(*args, ledger=ledger)
            told = exact(done.stdout) if done.stdout else None
            if told is None or self.have_answered(told) and found(told) or time.monotonic() > end:
                return done

    def status(self, *args, code=0, answers=True, **found):
        """The status as JSON, valid by its schema; asserts the exit code."""
        done = self.answered(*args, **found) if answers else self.run_status(*args)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        told = exact(done.stdout)
        self.assertEqual(Validator(schema()).faults(told), [])
        self.assertEqual(told["healthy"], code == 0)
        self.assertEqual(any(n["urgent"] for n in told["needs"]), code == 1)
        return told

    def working(self, gate, order_id):
        gate.feed(resting(order_id))
        self.assertEqual(gate.event("outcome", order_id)["outcome"], "working")
        return gate

    def account(self, told, gate):
        sender, = (s for s in told["senders"] if s["pid"] == gate.process.pid)
        account, = sender["snapshot"]["accounts"]
        return account

    def limits(self, told, gate):
        return {f"{x['rule']} {x['setting']}": (x["used"], x.get("allowed"), x["percent"])
                for x in self.account(told, gate)["limits"]}

    def needs(self, told, urgent=True):
        return [n["what"] for n in told["needs"] if n["urgent"] == urgent]

    def test_what_is_used_is_what_was_accepted(self):
        gate = self.sender()
        self.working(gate, "a")
        told = self.status()
        self.assertEqual(self.limits(told, gate),
                         {"order-notional most": (None, 5000, 0), "exposure gross": (1500, 10000, 15),
                          "open-orders in_total": (1, 2, 50), "order-rate a_day": (1, 50, 2)})
        self.assertEqual(self.needs(told, urgent=False), [])
        self.working(gate, "b")
        gate.feed(resting("c"))
        self.assertEqual(gate.event("outcome", "c")["outcome"], "refused")
        told = self.status()
        self.assertEqual(self.limits(told, gate)["open-orders in_total"], (2, 2, 100))
        self.assertEqual(self.limits(told, gate)["order-rate a_day"][0], len(self.home.rows("record = 'intent'")))
        self.assertEqual(self.needs(told, urgent=False), ["limit-near"])
        account, snapshot = self.account(told, gate), told["senders"][0]["snapshot"]
        self.assertEqual((account["orders"]["working"], account["orders"]["unknown"], account["state"]),
                         (2, 0, "ready"))
        self.assertEqual((snapshot["ledger"], snapshot["keys"], snapshot["halt"]["trading"]),
                         (self.home.ledger, "good", "on"))
        self.assertEqual(snapshot["policy"], gate.event("decision", "c")["policy"])
        refused, = told["ledgers"][0]["refusals"]
        finding, = (f for f in gate.event("decision", "c")["findings"] if f["level"] == "refuse")
        self.assertEqual((refused["rule"], refused["reason"], refused["message"], refused["clientOrderId"],
                          refused["count"]), (finding["rule"], finding["reason"], finding["message"], "c", 1))

    def test_counts_are_those_of_the_ledger_and_of_the_events(self):
        gate = self.sender()
        for order_id in "ab":
            self.working(gate, order_id)
        for order_id in "cd":
            gate.feed(resting(order_id))
            gate.event("outcome", order_id)
        os.replace(self.home.file("next.yaml", POLICY + "  exposure: {level: nonsense}\n"), self.policy)
        gate.wait_stderr("stays in force")
        self.assertTrue(self.status()["senders"][0]["snapshot"]["reloadFailed"])
        os.replace(self.home.file("next.yaml", POLICY.replace("in_total: 2", "in_total: 3")), self.policy)
        gate.event("policy")
        self.working(gate, "e")
        counts = self.status()["senders"][0]["snapshot"]["counts"]
        decisions = self.home.rows("record = 'decision'")
        findings = [json.loads(r["detail"])["findings"] for r in decisions]
        rules = collections.Counter(rule for found in findings
                                    for rule in {f["rule"] for f in found if f["level"] == "refuse"})
        took = [json.loads(r["detail"])["tookUs"] for r in self.home.rows("record = 'post'")]
        outcomes = collections.Counter(e["outcome"] for e in gate.events if e["event"] == "outcome")
        self.assertEqual((counts["accepted"], counts["refused"]), (3, 2))
        self.assertEqual(counts["accepted"], sum(r["state"] == "intended" for r in decisions))
        self.assertEqual({r["rule"]: r["count"] for r in counts["refusals"]}, rules)
        self.assertEqual({r["outcome"]: r["count"] for r in counts["outcomes"]}, outcomes)
        self.assertEqual((counts["reloads"], counts["reloadsRejected"]), (1, 1))
        self.assertEqual(counts["post"]["counts"], self.buckets(counts["post"]["boundsUs"], took))
        self.assertEqual(counts["post"]["sumUs"], sum(took))
        self.assertEqual(sum(counts["commit"]["counts"]) > 0, True)

    def buckets(self, bounds, values):
        """How many values each bucket of a histogram has."""
        at = [bisect.bisect_left(bounds, value) for value in values]
        return [at.count(i) for i in range(len(bounds) + 1)]

    def test_two_senders_of_a_ledger(self):
        one, two = self.sender(), self.sender()
        self.working(one, "a"), self.working(two, "b")
        told = self.status()
        self.assertEqual({s["pid"] for s in told["senders"]}, {one.process.pid, two.process.pid})
        self.assertEqual(self.account(told, one)["orders"]["working"], 1)
        self.assertEqual([x["path"] for x in told["ledgers"]], [self.home.ledger])
        told = self.status("--account", "OTHER1")
        self.assertEqual([s["snapshot"]["accounts"] for s in told["senders"]], [[], []])
        self.assertEqual(len(self.account(self.status("--account", "paper0001"), one)["limits"]), 4)

    def test_a_halt(self):
        gate = self.working(self.sender(), "a")
        self.assertIn(halt(self.home, "--reason", "feed is wrong").returncode, (0, 1))
        told = self.status(code=1, found=lambda told: len(self.needs(told)) == 2)  # it looks at the flag by itself
        self.assertEqual(self.needs(told), ["halted", "halted"])
        self.assertEqual((told["halt"]["trading"], told["halt"]["reason"]), ("halted", "feed is wrong"))
        self.assertEqual(self.account(told, gate)["orders"]["working"], 1)
        self.assertIn("feed is wrong", told["needs"][0]["text"])

    def lost(self):
        """A sender with an order of unknown outcome."""
        proxy = self.enterContext(FaultProxy(self.paper, {"lost": (False, "close")}))
        gate = self.sender("--wait", "1ms", url=proxy.url)
        gate.feed(resting("lost"))
        self.assertEqual(gate.event("outcome", "lost")["outcome"], "unknown")
        return gate

    def test_an_order_of_unknown_outcome(self):
        gate = self.lost()
        told = self.status(code=1)
        self.assertEqual(told["needs"][0]["what"], "unknown-order")
        self.assertIn("'lost'", told["needs"][0]["text"])
        self.assertEqual(self.account(told, gate)["orders"]["unknown"], 1)
        self.assertEqual([r["clientOrderId"] for r in told["ledgers"][0]["unknown"]], ["lost"])
        gate.kill()
        gate.process.wait()
        told = self.status(code=1)  # the sender is dead, and what it left is in its ledger
        self.assertEqual((told["senders"], self.needs(told)), ([], ["unknown-order"]))

    def test_a_suspended_sender_does_not_answer(self):
        gate = self.working(self.sender(), "a")
        gate.stop()
        told = self.status(code=1, answers=False)
        self.assertEqual(self.needs(told), ["no-answer"])
        self.assertEqual((told["senders"][0]["pid"], told["senders"][0]["snapshot"]), (gate.process.pid, None))
        gate.resume()
        self.working(gate, "b")
        told = exact(self.answered().stdout)
        self.assertEqual(self.account(told, gate)["orders"]["working"], 2)

    @unittest.skipIf(os.environ.get("OG_SANITIZE"), "what is preloaded has no sanitizer in it")
    def test_more_ask_than_can_wait(self):
        """A sender whose loop is blocked lets eight ask at once wait for their answer. To the others it is a sender
        that does not answer, not one that has ended."""
        slow = os.path.join(self.home.path, "slow")
        gate = self.working(self.sender(env={"LD_PRELOAD": SHIM, "OG_NTH_SLOW": slow}), "a")
        with open(slow, "w"):
            gate.feed(resting("b"))  # its intent is synced to the disk, which does not end
            with concurrent.futures.ThreadPoolExecutor(14) as pool:
                seen = [pool.submit(self.status, code=1, answers=False) for _ in range(14)]
            self.assertEqual([(self.needs(told.result()), [s["pid"] for s in told.result()["senders"]])
                              for told in seen], [(["no-answer"], [gate.process.pid])] * 14)
            os.remove(slow)
        self.assertEqual(gate.event("outcome", "b")["outcome"], "working")

    def test_the_broker_is_away(self):
        gate = self.working(self.sender(), "a")
        self.paper.process.kill()
        gate.event("stream")
        self.assertIn("stream-lost", self.needs(self.status(code=1)))

    def test_no_sender_and_no_ledger(self):
        done = self.run_status(ledger=False)
        self.assertIn(done.returncode, (0, 1))  # senders of other tests may be seen
        self.assertEqual(exact(done.stdout)["ledgers"], []) if not exact(done.stdout)["senders"] else None
        done = self.run_status()
        self.assertEqual(done.returncode, 4)
        self.assertIn(self.home.ledger, done.stderr)

    def test_a_ledger_of_a_sender_that_cannot_be_read(self):
        """One such ledger hides nothing of the others. Without -l, senders of other tests are seen too."""
        gate = self.working(self.sender(), "a")
        os.chmod(self.home.ledger, 0o666)  # others may write it
        done = self.answered(ledger=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        told = exact(done.stdout)
        mine, = (x for x in told["ledgers"] if x["path"] == self.home.ledger)
        self.assertTrue(mine["error"])
        self.assertIn(mine["error"], [n["text"] for n in told["needs"] if n["what"] == "ledger"])
        self.assertEqual(self.account(told, gate)["orders"]["working"], 1)

    def test_a_ledger_by_several_spellings(self):
        """Of a relative path, of another name of the file, and of both at once, each thing is told once."""
        gate = self.lost()
        os.symlink(self.home.path, self.home.path + "/link")
        relative = os.path.relpath(self.home.ledger)
        for paths in ([relative], [self.home.path + "/link/ledger.db"], [relative, self.home.ledger],
                      [self.home.path + "/../" + os.path.basename(self.home.path) + "/ledger.db"]):
            with self.subTest(paths):
                told = exact(self.answered(*(x for path in paths for x in ("-l", path)), ledger=False).stdout)
                self.assertEqual([n["what"] for n in told["needs"] if n["urgent"]], ["unknown-order"])
                self.assertEqual((len(told["ledgers"]), [s["pid"] for s in told["senders"]]), (1, [gate.process.pid]))

    def test_what_is_asked_wrongly(self):
        for args in (["x"], ["--watch=0"], ["--watch=x"], ["--format", "csv"]):
            self.assertEqual(self.run_status(*args).returncode, 2, args)

    def test_text_of_others_moves_no_cursor(self):
        """A reason that somebody else wrote, and a path, are plain text on a terminal."""
        self.sender_ended()
        bell = "\\u0007\\u001b[2J\\u009b31m\\u202e"
        folder = os.path.join(self.home.path, "state", "ordergate")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, "halt.json")
        with open(path, "w") as f:
            f.write('{"trading":"halted","at":"2026-01-15T15:00:00Z","by":"x","reason":"%s"}' % bell)
        os.chmod(path, 0o600)
        os.chmod(os.path.join(self.home.path, "state"), 0o700)
        screen = self.screen(80, colour=False)
        self.assertIn("halted", screen)
        self.assertFalse(re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", screen), repr(screen))

    # --- screens ---

    def sender_ended(self):
        gate = self.working(self.sender(), "a")
        self.working(gate, "b")
        gate.feed(resting("c"))
        gate.event("outcome", "c")
        gate.finish()

    def screen(self, columns, colour, *args):
        """What a terminal of that width shows, without the carriage returns that it adds."""
        return screen([os.path.join(BIN, "ordergate-status"), "-l", self.home.ledger, *args], columns,
                      env=environment(self.home), NO_COLOR=None if colour else "1")[0]

    def screen_of(self, gate, *args, **more):
        """What a terminal shows once the sender has answered."""
        end = time.monotonic() + DEADLINE * 5
        while True:
            seen = self.screen(*args, **more)
            if "no-answer" not in seen and str(gate.process.pid) in seen or time.monotonic() > end:
                return seen

    def known(self, screen):
        """The screen with what differs from run to run in fixed words of the same width."""
        screen = re.sub(r"^\S+Z  ", "TIME  ", screen)
        screen = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", "2026-01-15T15:00:00", screen)
        return screen

    def test_the_screen_without_a_sender(self):
        self.sender_ended()
        self.assertEqual(self.known(self.screen(80, colour=False)), """\
TIME  healthy; no sender is running that could be asked

REFUSED LATELY
  COUNT  REASON                   LAST                 ORDER  MESSAGE
      1  open-orders-above-limit  2026-01-15T15:00:00  c      3 orders would ...
""")
        self.assertEqual(self.known(self.screen(200, colour=True)), """\
TIME  healthy; no sender is running that could be asked

\x1b[1mREFUSED LATELY\x1b[0m
  COUNT  REASON                   LAST                 ORDER  MESSAGE
      1  open-orders-above-limit  2026-01-15T15:00:00  c      3 orders would be open, the desk allows 2
""")

    def part(self, screen, heading):
        """The lines of one table of the screen."""
        return next(x for x in screen.split("\n\n") if re.sub("\x1b\\[\\d*m", "", x).startswith(heading)).rstrip("\n")

    def test_the_screen_of_a_sender(self):
        gate = self.working(self.sender(), "a")
        self.working(gate, "b")
        for columns in (80, 200):
            plain, coloured = (self.screen_of(gate, columns, colour=c) for c in (False, True))
            self.assertNotIn("\x1b", plain)
            self.assertLessEqual(max(map(len, plain.splitlines())), columns)
            self.assertEqual(self.part(plain, "NEEDS"), """\
NEEDS SOMEBODY, OR SOON
  limit-near  PAPER0001  open-orders in_total: 2 of 2 orders""")
            self.assertEqual(self.part(plain, "LIMITS"), """\
LIMITS
  ACCOUNT    LIMIT                 OF       USED  ALLOWED     %  UNIT
  PAPER0001  open-orders in_total  account     2        2  100%  orders
  PAPER0001  exposure gross        account  3000    10000   30%  dollars
  PAPER0001  order-rate a_day      account     2       50    4%  orders
  PAPER0001  order-notional most   order       -     5000        dollars""")
            self.assertIn("\x1b[31m100%\x1b[0m", self.part(coloured, "LIMITS"))
            self.assertIn("\x1b[33mlimit-near\x1b[0m", self.part(coloured, "NEEDS"))
            self.assertEqual(self.part(re.sub("\x1b\\[\\d*m", "", coloured), "LIMITS"), self.part(plain, "LIMITS"))
            self.assertRegex(self.part(plain, "ACCOUNTS").splitlines()[2],
                             rf"^  PAPER0001 +{gate.process.pid}  ready  (up|opening) +\S+ +0 +2 +0 +0$")
            self.assertRegex(self.part(plain, "SENDERS").splitlines()[2], rf"^ +{gate.process.pid}  \S+ +\S+  on +good")

    def test_again_and_again(self):
        gate = self.working(self.sender(), "a")
        watch = subprocess.Popen([os.path.join(BIN, "ordergate-status"), "-l", self.home.ledger, "--watch=1"],
                                 stdout=subprocess.PIPE, text=True, env=environment(self.home))
        with watch:
            told = (told for told in map(exact, itertools.islice(watch.stdout, 100)) if self.have_answered(told))
            counts = (self.account(x, gate)["orders"]["working"] for x in told)
            seen = [next(counts)]
            self.working(gate, "b")
            while seen[-1] < 2:  # asked before the order worked
                seen.append(next(counts))
            watch.terminate()
        self.assertEqual(sorted(set(seen)), [1, 2])


if __name__ == "__main__":
    main()
