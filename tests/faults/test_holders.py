"""Senders of one user with different ledgers on one account: a second sender is refused while the first one lives."""
import os
import signal
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import LIVE, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting
from test_cancels import cancel


class Holders(unittest.TestCase):
    def sender(self, paper, home, ledger, *args, **more):
        return Sender(paper.url, home, "--ledger", os.path.join(home.path, ledger), *args, ledger=False, **more)

    def works(self, gate, order_id, number, **changes):
        gate.feed(resting(order_id, limitPrice=100 + number, **changes))
        self.assertEqual(gate.event("outcome", order_id)["outcome"], "working", gate.stderr)

    def refused(self, paper, home, ledger, *args, **more):
        with self.sender(paper, home, ledger, *args, lines=[resting("no")], **more) as gate:
            self.assertEqual((gate.finish(1), gate.outcomes()), (4, {"no": "not-sent"}), gate.stderr)
            self.assertEqual(posts(paper, "no"), [])
            return gate.stderr

    def test_two_ledgers(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, self.sender(p, home, "one.db") as one:
            self.works(one, "a", 1)
            said = self.refused(p, home, "two.db")
            for word in ("PAPER0001", os.path.join(home.path, "one.db"), f"process {one.process.pid}",
                         "--share-account"):
                self.assertIn(word, said)
            self.refused(p, home, "two.db", "--account", "paper0001")  # as the user spells it
            with self.sender(p, home, "two.db", "--share-account") as two:
                self.works(two, "b", 2)
                self.refused(p, home, "three.db")
                self.works(one, "c", 3)
            one.finish()

    def test_one_ledger(self):
        """Senders of one ledger may name it by different paths."""
        with Paper(clock=RUNNING) as p, TempHome() as home, self.sender(p, home, "one.db") as one:
            self.works(one, "a", 1)
            os.symlink("one.db", os.path.join(home.path, "link.db"))
            for i, ledger in enumerate(("one.db", "link.db", "../" + os.path.basename(home.path) + "/one.db")):
                with self.sender(p, home, ledger) as two:
                    self.works(two, f"b{i}", 2 + i)
                    two.finish()
            self.refused(p, home, "two.db")
            one.finish()

    def test_one_ledger_by_a_link_while_it_sends(self):
        """The orders that the first sender is about to post are not taken for those of a dead run, whether the second
        sender names the ledger by a link to the file, by a link to its folder, or by a link to a link."""
        with Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(p, {"a": (False, "hang")}) as b:
            policy = home.file("p.yaml", "ordergate: 1\nname: p\nextends: []\nrules:\n"
                                         "  position-limit: {level: refuse, shares: 100}\n")
            os.mkdir(os.path.join(home.path, "far"), 0o700)
            for there, name in (("ledger.db", "link.db"), ("link.db", "twice.db"), (".", "folder"),
                                ("../ledger.db", "far/link.db")):
                os.symlink(there, os.path.join(home.path, name))
            with Sender(b.url, home, "-p", policy, "--timeout", "5m", "--wait", "5m") as one:
                one.feed(resting("a", orderQuantity=90))
                b.wait_post("a")
                for i, name in enumerate(("link.db", "twice.db", "folder/ledger.db", "far/link.db")):
                    with self.sender(p, home, name, "-p", policy, lines=[resting(f"b{i}", orderQuantity=90)]) as two:
                        self.assertEqual((two.finish(1), two.outcomes()), (1, {f"b{i}": "refused"}), two.stderr)
                        self.assertNotIn("earlier run", two.stderr)
                    for words in (("show", "a"), ("verify",), ("stats",)):
                        by_link, by_file = (subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-ledger"),
                                                            "--ledger", os.path.join(home.path, n), *words],
                                                           capture_output=True, text=True) for n in (name, "ledger.db"))
                        self.assertEqual((by_link.returncode, by_link.stdout), (0, by_file.stdout), by_link.stderr)
                self.assertEqual(home.newest_row("a")["state"], "intended")
                one.kill().process.wait()
            self.assertEqual([f for _, _, names in os.walk(home.path) for f in names if f.endswith("-runs")],
                             ["ledger.db-runs"])

    def test_hard_links(self):
        """No command uses a ledger that has hard links, by whichever name."""
        with Paper(clock=RUNNING) as p, TempHome() as home, self.sender(p, home, "ledger.db") as one:
            self.works(one, "a", 1)
            os.link(home.ledger, os.path.join(home.path, "hard.db"))
            for name in ("hard.db", "ledger.db"):
                with self.sender(p, home, name, lines=[resting("no")]) as two:
                    self.assertEqual((two.process.wait(), two.outcomes(), posts(p, "no")), (4, {}, []))
                    two.wait_stderr("hard link")
                for words in (("ledger", "show", "a"), ("ledger", "verify"), ("ledger", "stats"),
                              ("ledger", "resolve", "a", "--as", "canceled", "--reason", "none"), ("waive", "--list")):
                    done = subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-" + words[0]), "--ledger",
                                           os.path.join(home.path, name), *words[1:]], capture_output=True, text=True)
                    self.assertNotEqual(done.returncode, 0, words)
                    self.assertIn("hard link", done.stderr, words)
            os.unlink(os.path.join(home.path, "hard.db"))
            with self.sender(p, home, "ledger.db") as two:
                self.works(two, "b", 2)
                two.finish()
            one.finish()

    def test_until_it_ends(self):
        """The lock is free when the sender ends, in whichever way. If several run on its ledger, the others keep the
        lock."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            for i, how in enumerate((signal.SIGKILL, signal.SIGTERM, None)):
                with self.sender(p, home, "one.db") as one, self.sender(p, home, "one.db") as fellow:
                    self.works(one, f"a{i}", 1 + 10 * i)
                    self.works(fellow, f"b{i}", 2 + 10 * i)
                    one.kill(how) if how else one.finish()
                    one.process.wait()
                    self.assertIn(f"process {fellow.process.pid}", self.refused(p, home, "two.db"))
                    fellow.kill(signal.SIGKILL)
                    fellow.process.wait()
                with self.sender(p, home, "two.db") as two:
                    self.works(two, f"c{i}", 3 + 10 * i)
                    two.finish()

    def test_one_that_stands_still_holds_its_place(self):
        with Paper(clock=RUNNING) as p, TempHome() as home, self.sender(p, home, "one.db") as one:
            self.works(one, "a", 1)
            one.stop()
            self.refused(p, home, "two.db")
            one.resume()
            self.works(one, "b", 2)
            one.finish()

    def test_other_accounts_and_brokers(self):
        """The lock is by key, account and broker. Another broker with the same key and account counts as the same one,
        since a key belongs to one user of a broker."""
        with Paper(clock=RUNNING) as p, Paper(clock=RUNNING) as q, TempHome() as home, self.sender(p, home,
                                                                                                   "one.db") as one:
            self.works(one, "a", 1)
            policy = home.file("p.yaml", "ordergate: 1\nname: p\nextends: []\nrules:\n  buying-power: refuse\n")
            with self.sender(p, home, "two.db", "-p", policy, keys=LIVE, env={"ORDERGATE_ENVIRONMENT": "live"}) as two:
                self.works(two, "b", 2, route="SMART")
                two.finish()
            self.refused(q, home, "three.db")
            with self.sender(q, home, "three.db", "--share-account") as three:
                self.works(three, "c", 3)
                three.finish()
            one.finish()

    def test_one_broker_by_several_addresses(self):
        """The broker may be given by name, by number, in other spellings, or by a proxy."""
        with Paper(clock=RUNNING) as p, TempHome() as home, FaultProxy(p) as b, self.sender(p, home, "one.db") as one:
            self.works(one, "a", 1)
            for i, url in enumerate((f"http://localhost:{p.port}", f"http://LOCALHOST:{p.port}/", b.url)):
                with Sender(url, home, "--ledger", os.path.join(home.path, "two.db"), ledger=False,
                            lines=[resting("no")]) as two:
                    self.assertEqual((two.finish(1), two.outcomes()), (4, {"no": "not-sent"}), (url, two.stderr))
                    self.assertIn("--share-account", two.stderr)
                with Sender(url, home, "--ledger", os.path.join(home.path, "one.db"), ledger=False) as fellow:
                    self.works(fellow, f"b{i}", 2 + i)
                    fellow.finish()
            self.assertEqual(posts(p, "no"), [])
            one.finish()

    def test_what_writes_nothing(self):
        """A dry run neither takes the lock nor is refused because of it. A cancel is always possible."""
        with Paper(clock=RUNNING) as p, TempHome() as home, self.sender(p, home, "one.db") as one:
            self.works(one, "a", 1)
            with self.sender(p, home, "two.db", "--dry-run", lines=[resting("d")]) as two:
                self.assertEqual(two.finish(1), 0, two.stderr)
            with self.sender(p, home, "two.db", "--share-account", lines=[cancel("a")]) as two:
                self.assertEqual((two.finish(1), two.outcomes()), (0, {"a": "canceled"}), two.stderr)
            one.finish()

    def test_two_that_start_at_once(self):
        """Of two senders that start at the same time one sends, never both."""
        with Paper(clock=RUNNING) as p, TempHome() as home:
            for i in range(5):
                with self.sender(p, home, "one.db") as one, self.sender(p, home, "two.db") as two:
                    for gate, order_id in ((one, f"a{i}"), (two, f"b{i}")):
                        gate.feed(resting(order_id, limitPrice=100 + i + (20 if gate is two else 0)))
                    outcomes = sorted((one.event("outcome", f"a{i}")["outcome"],
                                       two.event("outcome", f"b{i}")["outcome"]))
                    self.assertEqual(outcomes, ["not-sent", "working"], one.stderr + two.stderr)
                    one.finish(), two.finish()


if __name__ == "__main__":
    main()
