"""The ledger cannot be written, because another process holds its lock, its disk is full, or it was damaged or moved.
Nothing is posted then, since no order is posted without its record; but cancels are sent, and orders are followed.
What was not recorded is reported with "recorded": false, and recorded once that is possible.
"""
import contextlib
import json
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import unittest

from fault_proxy import PASS, FaultProxy
from paper import DEADLINE, Paper, stock
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting
from test_cancels import cancel, deletes, state
from test_halt import flag, halt, named

HELD = "another process holds it"
FULL = "make room on the disk"
# takes the ledger's lock and holds it until its input ends
HOLDER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=600)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def locked(ledger):
    db = sqlite3.connect(ledger, isolation_level=None, timeout=DEADLINE)
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
    finally:
        db.close()


def wait_for(found, what):
    end = time.monotonic() + DEADLINE * 3
    while not found():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def is_root():
    return os.geteuid() == 0


class World(unittest.TestCase):
    def setUp(self):
        self.paper = self.enterContext(Paper(clock=RUNNING))
        self.home = self.enterContext(TempHome())

    def sender(self, *args, **more):
        return self.enterContext(Sender(self.paper.url, self.home, *args, **more))

    def working(self, *ids, args=()):
        run = self.sender(*args)
        for i in ids:
            run.feed(resting(i))
            run.event("outcome", i, outcome="working")
        return run

    def deleted(self, order_id):
        wait_for(lambda: deletes(self.paper, order_id), f"no DELETE of {order_id}")


class Locked(World):
    def test_a_cancel_leaves_and_is_recorded_later(self):
        run = self.working("a", "b")
        with locked(self.home.ledger):
            run.feed(cancel("a"))
            self.deleted("a")
            self.assertIs(run.event("outcome", "a", op="cancel", outcome="canceled")["recorded"], False)
            self.assertEqual(self.home.newest_row("a")["state"], "working")
            run.wait_stderr(HELD)
            run.feed(cancel("b"))
            run.event("outcome", "b", op="cancel", outcome="canceled")
        run.wait_row("id = 'b' AND state = 'canceled'")
        self.assertEqual((self.home.newest_row("a")["state"], run.finish()), ("canceled", 0), run.stderr)
        self.assertEqual(run.stderr.count(HELD), 1)
        self.assertIn("the ledger can be written again", run.stderr)
        self.assertEqual(subprocess.run([os.path.join(os.environ["OG_BIN"], "ordergate-ledger"), "--ledger",
                                         self.home.ledger, "verify"], capture_output=True).returncode, 0)

    def test_an_order_waits_for_the_lock_and_a_cancel_does_not(self):
        run = self.working("a")
        with locked(self.home.ledger):
            run.feed(resting("b"), cancel("a"))
            self.deleted("a")
            run.event("outcome", "a", op="cancel", outcome="canceled")
            self.assertEqual((posts(self.paper, "b"), run.events_of("outcome", "b")), ([], []))
        run.event("outcome", "b", outcome="working")
        self.assertNotIn("recorded", run.event("outcome", "b"))
        self.assertEqual((run.finish(), len(posts(self.paper, "b"))), (0, 1), run.stderr)

    def test_orders_and_closes_are_not_sent_while_it_lasts_and_go_afterwards(self):
        run = self.working("a")
        with locked(self.home.ledger):
            run.feed(resting("b"), stock("c", side="Sell", openClose="Close", limitPrice=250))
            self.assertIn(HELD, run.event("outcome", "b", outcome="not-sent")["text"])
            self.assertIn(HELD, run.event("outcome", "c", outcome="not-sent")["text"])
            run.feed(cancel("a"))
            self.deleted("a")
            run.event("outcome", "a", op="cancel", outcome="canceled")
        run.wait_row("id = 'a' AND state = 'canceled'")
        run.feed(resting("d"))
        run.event("outcome", "d", outcome="working")
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual(posts(self.paper, "b") + posts(self.paper, "c"), [])

    def test_a_process_holds_it_over_a_batch_of_orders(self):
        """A real second process holds the lock for longer than the sender waits, then ends: each line has its outcome,
        what was not recorded was not posted, and the same lines are posted afterwards."""
        run = self.working("a")
        holder = subprocess.Popen([sys.executable, "-c", HOLDER, self.home.ledger], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        self.assertEqual(holder.stdout.readline(), b"held\n")
        orders = [resting(f"o{i}", orderQuantity=1 + i) for i in range(20)]
        run.feed(*orders)
        for i in range(20):
            self.assertIn(HELD, run.event("outcome", f"o{i}", outcome="not-sent")["text"])
        self.assertEqual([r for r in self.home.rows("record = 'intent'") if r["id"] != "a"], [])
        run.feed(cancel("a"))
        run.event("outcome", "a", op="cancel", outcome="canceled")
        holder.stdin.close()
        holder.wait()
        run.wait_row("id = 'a' AND state = 'canceled'")  # the sender has seen that the lock is released
        run.feed(resting("z"))
        run.event("outcome", "z", outcome="working")
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual([len(posts(self.paper, f"o{i}")) for i in range(20)], [0] * 20)
        again = self.sender(lines=orders)
        self.assertEqual((again.finish(), set(again.outcomes().values())), (0, {"working"}), again.stderr)
        self.assertEqual([len(posts(self.paper, f"o{i}")) for i in range(20)], [1] * 20)

    def test_a_replacement_leaves_the_old_order_as_it_is(self):
        run = self.working("a", "x")
        with locked(self.home.ledger):
            run.feed(resting("b", replaces="a", limitPrice=151))
            run.event("outcome", "b", outcome="not-sent")
            self.assertEqual((deletes(self.paper), state(self.paper, "a")), ([], "New"))
            run.feed(cancel("x"))
            run.event("outcome", "x", op="cancel", outcome="canceled")
        run.wait_row("id = 'x' AND state = 'canceled'")  # the sender has seen that the lock is released
        run.feed(resting("c", replaces="a", limitPrice=152))
        run.event("outcome", "c", outcome="working")
        self.assertEqual((run.finish(), len(posts(self.paper, "c")), len(posts(self.paper, "b"))), (4, 1, 0))

    def test_a_line_that_waits_is_canceled_and_its_id_used_up(self):
        run = self.working("a")
        with locked(self.home.ledger):
            run.feed(resting("b"), cancel("b"))
            self.assertEqual(run.event("outcome", "b", op="cancel")["outcome"], "canceled")
        run.wait_row("id = 'b' AND state = 'canceled'")
        self.assertEqual((run.finish(), posts(self.paper, "b")), (0, []), run.stderr)
        again = self.sender(lines=[resting("b")])
        self.assertEqual((again.finish(), again.outcomes(), posts(self.paper, "b")), (0, {"b": "canceled"}, []))

    def test_an_order_under_way_is_followed(self):
        answer = threading.Event()
        with FaultProxy(self.paper, {"a": (True, answer)}) as proxy, Sender(proxy.url, self.home) as run:
            run.feed(resting("a"))
            proxy.wait_post("a")
            with locked(self.home.ledger):
                answer.set()
                self.assertIs(run.event("outcome", "a", outcome="working")["recorded"], False)
                self.assertEqual(self.home.rows("id = 'a' AND outcome = 'working'"), [])
            run.wait_row("id = 'a' AND outcome = 'working'")
            self.assertEqual(run.finish(), 0, run.stderr)

    def test_one_that_waits_to_be_posted_again(self):
        """While the ledger is locked the order is not sent, and a cancel of it is obeyed at once."""
        busy = threading.Event()
        with FaultProxy(self.paper, {"a": [(False, busy), PASS]}) as proxy, Sender(proxy.url, self.home) as run:
            run.feed(resting("a"))
            proxy.wait_post("a")
            with locked(self.home.ledger):
                busy.set()
                run.feed(cancel("a"))
                self.assertEqual(run.event("outcome", "a", op="cancel")["outcome"], "canceled")
            run.wait_row("id = 'a' AND state = 'canceled'")
            self.assertEqual((run.finish(), proxy.posts["a"], posts(self.paper, "a")), (0, 1, []), run.stderr)

    def test_the_dead_man(self):
        run = self.working("a", args=("--dead-man", "5s"))
        with locked(self.home.ledger):
            self.deleted("a")
            run.event("dead-man", canceling=1)
            self.assertIs(run.event("cancel", "a")["recorded"], False)
        run.wait_row("id = 'a' AND state = 'canceled'")

    def test_the_run_ends_under_the_lock(self):
        run = self.working("a")
        with locked(self.home.ledger):
            run.feed(cancel("a"))
            self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual(state(self.paper, "a"), "Canceled")
        self.assertIs(run.event("outcome", "a", op="cancel", outcome="canceled")["recorded"], False)
        self.assertIn(HELD, run.stderr)
        again = self.sender("--recover")  # the broker has the orders that were not recorded
        self.assertEqual((again.finish(), self.home.newest_row("a")["state"]), (0, "canceled"), again.stderr)

    def test_a_new_sender_only_cancels(self):
        self.working("a").finish()
        with locked(self.home.ledger):
            run = self.sender(lines=[resting("b"), cancel("a")])
            self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual((state(self.paper, "a"), posts(self.paper, "b")), ("Canceled", []))
        self.assertEqual([(e["clientOrderId"], e["outcome"], e["recorded"]) for e in run.events_of("outcome")],
                         [("b", "not-sent", False), ("a", "canceled", False)])
        self.assertIn(HELD, run.event("outcome", "b")["text"])

    def test_no_id_is_posted_twice(self):
        """Two senders read the same lines while another process takes and releases the ledger's lock."""
        ids = [f"o{i}" for i in range(30)]
        self.working("first").finish()
        over = threading.Event()

        def trouble():
            chance = random.Random(7)
            while not over.is_set():
                with contextlib.suppress(sqlite3.OperationalError), locked(self.home.ledger):
                    over.wait(chance.random() * 0.6)
                over.wait(chance.random() * 0.2)
        locker = threading.Thread(target=trouble)
        locker.start()
        try:
            runs = [self.sender() for _ in range(2)]
            for i in ids:
                for run in runs:
                    run.feed(resting(i), cancel(i))
            for run in runs:
                run.finish()
        finally:
            over.set()
            locker.join()
        self.assertEqual([i for i in ids if len(posts(self.paper, i)) > 1], [])
        self.assertEqual({state(self.paper, i) for i in ids if posts(self.paper, i)} - {"Canceled"}, set())


class Mounted(World):
    """A world whose ledger is on a file system of its own."""
    OPTIONS = "size=1500k"

    def setUp(self):
        super().setUp()
        self.disk = os.path.join(self.home.path, "state")
        os.mkdir(self.disk, 0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", self.OPTIONS + ",mode=700", "none", self.disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)
        self.home.ledger = os.path.join(self.disk, "ledger.db")

    def only_cancels(self, why, **more):
        """Assert that a new sender cancels order a, posts nothing, and says why."""
        run = self.sender("--ledger-may-vanish", lines=[resting("c"), cancel("a")], **more)
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual((state(self.paper, "a"), posts(self.paper, "c")), ("Canceled", []), run.stderr)
        self.assertIn(why, run.event("outcome", "c", outcome="not-sent")["text"])
        run.event("outcome", "a", op="cancel", outcome="canceled")


@unittest.skipUnless(is_root(), "only root mounts a file system of its own")
class ReadOnly(Mounted):
    """The file system becomes read-only, as the kernel makes it after a disk error."""

    def remount(self, how):
        """Remount the folder; this fails while a process that was killed still has a file open for writing."""
        wait_for(lambda: subprocess.run(["mount", "-o", f"remount,{how}", self.disk], stderr=subprocess.DEVNULL)
                 .returncode == 0, f"cannot be remounted {how}")

    def test_a_new_sender(self):
        self.working("a", args=("--ledger-may-vanish",)).finish()
        self.remount("ro")
        self.only_cancels("Read-only file system")
        self.remount("rw")
        again = self.sender("--recover", "--ledger-may-vanish")
        self.assertEqual((again.finish(), self.home.newest_row("a")["state"]), (0, "canceled"), again.stderr)

    def test_after_a_kill(self):
        self.working("a", args=("--ledger-may-vanish",)).kill()
        self.remount("ro")
        self.only_cancels("Read-only file system")

    def test_there_is_no_ledger_yet(self):
        self.working("a", args=("--ledger", os.path.join(self.home.path, "elsewhere.db"))).finish()
        self.remount("ro")
        self.only_cancels("Read-only file system")

    def test_there_is_no_folder_yet(self):
        self.working("a", args=("--ledger", os.path.join(self.home.path, "elsewhere.db"))).finish()
        self.remount("ro")
        self.home.ledger = os.path.join(self.disk, "new", "ledger.db")
        self.only_cancels("Read-only file system")

    def test_the_default_ledger(self):
        self.working("a", args=("--ledger", os.path.join(self.home.path, "elsewhere.db"))).finish()
        shutil.rmtree(os.path.join(self.disk, "ordergate"))
        self.remount("ro")
        self.only_cancels("Read-only file system", ledger=False)


@unittest.skipUnless(is_root(), "only root mounts a file system of its own")
class NoInodes(Mounted):
    """No file can be created, as when a quota is used up or a file system has no free inodes."""
    OPTIONS = "nr_inodes=8"

    def test_a_new_sender(self):
        self.working("a", args=("--ledger-may-vanish",)).finish()
        for i in range(8):
            with contextlib.suppress(OSError), open(os.path.join(self.disk, f"junk{i}"), "w"):
                pass
        self.only_cancels("")

    def test_there_is_no_ledger_yet(self):
        self.working("a", args=("--ledger", os.path.join(self.home.path, "elsewhere.db"))).finish()
        for i in range(8):
            with contextlib.suppress(OSError), open(os.path.join(self.disk, f"junk{i}"), "w"):
                pass
        self.only_cancels("No space left")


@unittest.skipUnless(is_root(), "only root mounts a file system of its own")
class Full(Mounted):
    def setUp(self):
        super().setUp()
        self.junk = os.path.join(self.disk, "junk")

    def fill(self):
        with open(self.junk, "wb", buffering=0) as f, contextlib.suppress(OSError):
            while True:
                f.write(bytes(4096))

    def out_of_room(self):
        """Returns a sender that has just reported that it could not record a line. The WAL had room for some
        records."""
        run = self.working("a", "b", args=("--ledger-may-vanish",))
        self.fill()
        for i in range(60):
            run.feed(resting(f"j{i}"))
            if run.event("outcome", f"j{i}")["outcome"] == "not-sent":
                return run
        raise AssertionError("the disk does not become full")

    def test_a_running_sender(self):
        run = self.out_of_room()
        run.feed(cancel("a"))
        self.assertIs(run.event("outcome", "a", op="cancel", outcome="canceled")["recorded"], False)
        run.feed(resting("c"), cancel("b"))
        self.assertIn(FULL, run.event("outcome", "c", outcome="not-sent")["text"])
        run.event("outcome", "b", op="cancel", outcome="canceled")
        os.unlink(self.junk)
        run.wait_row("id = 'b' AND state = 'canceled'")
        run.feed(resting("d"))
        run.event("outcome", "d", outcome="working")
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual((posts(self.paper, "c"), self.home.newest_row("a")["state"]), ([], "canceled"))

    def test_it_stays_full(self):
        run = self.out_of_room()
        run.feed(cancel("a"))
        run.event("outcome", "a", op="cancel", outcome="canceled")
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertIn(FULL, run.stderr)
        self.assertEqual(run.stderr.count("cancels are sent"), 1)

    def test_a_new_sender(self):
        self.out_of_room().finish()
        run = self.sender("--ledger-may-vanish", lines=[cancel("a"), resting("c")])
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual((state(self.paper, "a"), posts(self.paper, "c")), ("Canceled", []))

    def test_halt(self):
        self.out_of_room().kill()
        done = halt(self.home, "--cancel-own", "--ledger", self.home.ledger, "--reason", "x" * 300, url=self.paper.url)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("cannot be written", done.stderr)
        self.assertIn("trading is not halted", done.stderr)
        self.assertFalse(os.path.exists(flag(self.home)))
        for i in ("a", "b"):
            wait_for(lambda order=i: state(self.paper, order) == "Canceled", f"{i} works")


class FileSizeLimit(World):
    """Files may not grow (`ulimit -f`, LimitFSIZE= of systemd): a write beyond that fails, and does not end the
    program."""

    @staticmethod
    def limit(kilobytes):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))

    def test_a_running_sender(self):
        run = self.sender(preexec_fn=self.limit(150))
        for i in range(60):
            run.feed(resting(f"j{i}"))
            if run.event("outcome", f"j{i}")["outcome"] == "not-sent":
                break
        else:
            self.fail("the limit is not reached")
        run.feed(cancel("j0"))
        run.event("outcome", "j0", op="cancel", outcome="canceled")
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual(state(self.paper, "j0"), "Canceled")

    def test_a_new_sender(self):
        self.working("a").finish()
        run = self.sender(lines=[resting("c"), cancel("a")], preexec_fn=self.limit(0))
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual((state(self.paper, "a"), posts(self.paper, "c")), ("Canceled", []), run.stderr)

    def test_halt(self):
        self.working("a")  # the sender continues: SQLite reads the ledger through files that are still open
        done = halt(self.home, "--cancel-own", "--ledger", self.home.ledger, url=self.paper.url,
                    preexec_fn=self.limit(0))
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("trading is not halted", done.stderr)
        wait_for(lambda: state(self.paper, "a") == "Canceled", "it works")


class Halts(World):
    """Halts that come while neither the flag nor the ledger can be written."""

    def test_own(self):
        run = self.working("a", "b")
        run.kill()
        folder = os.path.dirname(flag(self.home))
        os.rename(folder, folder + "-away")
        with open(folder, "w"):
            pass
        with locked(self.home.ledger):
            done = halt(self.home, "--cancel-own", "--ledger", self.home.ledger, url=self.paper.url)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(sorted(named(deletes(self.paper))), ["a", "b"])
        self.assertIn("trading is not halted", done.stderr)
        self.assertEqual(sorted(json.loads(x)["clientOrderId"] for x in done.stdout.splitlines()), ["a", "b"])

    def test_all(self):
        self.working("a").kill()
        done = halt(self.home, "--flag", "/nowhere/at/all.json", "--cancel-all", url=self.paper.url)
        self.assertEqual(done.returncode, 4, done.stderr)
        wait_for(lambda: state(self.paper, "a") == "Canceled", "it works")


class Lost(World):
    """The ledger was lost: this run posts nothing more, even when the ledger is back."""

    def test_moved(self):
        run = self.working("a")
        os.rename(self.home.ledger, self.home.ledger + ".old")
        run.feed(resting("b"), cancel("a"))
        run.event("outcome", "b", outcome="not-sent")
        run.event("outcome", "a", op="cancel", outcome="canceled")
        os.rename(self.home.ledger + ".old", self.home.ledger)
        self.assertEqual(self.home.newest_row("a")["state"], "canceled")
        run.feed(resting("c"))
        run.event("outcome", "c", outcome="not-sent")
        self.assertEqual((run.finish(), posts(self.paper, "b") + posts(self.paper, "c")), (4, []))
        self.assertEqual(run.stderr.count("this run posts nothing more"), 1)

    def test_its_records_were_changed(self):
        run = self.working("a", "b")
        db = sqlite3.connect(self.home.ledger)
        with db:
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {name}")
            db.execute("DELETE FROM head")
        db.close()
        run.feed(resting("c"), cancel("a"))
        run.event("outcome", "c", outcome="not-sent")
        run.event("outcome", "a", op="cancel", outcome="canceled")
        run.feed(cancel("b"))
        run.event("outcome", "b", op="cancel", outcome="canceled")
        self.assertEqual((run.finish(), posts(self.paper, "c")), (4, []), run.stderr)

    def test_it_cannot_be_read(self):
        run = self.working("a", "b")
        db = sqlite3.connect(self.home.ledger)
        db.execute("DROP TABLE ids")
        db.close()
        run.feed(resting("c"), cancel("a"))
        run.event("outcome", "c", outcome="not-sent")
        run.event("outcome", "a", op="cancel", outcome="canceled")
        run.feed(cancel("b"), resting("d"))
        run.event("outcome", "b", op="cancel", outcome="canceled")
        self.assertEqual((run.finish(), posts(self.paper, "c") + posts(self.paper, "d")), (4, []), run.stderr)


if __name__ == "__main__":
    main()
