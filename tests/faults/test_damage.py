"""A ledger whose records do not match their hashes: no sender starts on it unless a person has accepted that damage.
The acceptance is recorded, and covers only the damage that was found then."""
import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import unittest

from paper import PAPER, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send
from test_ledger_key import written_anew

BIN = os.environ["OG_BIN"]
PAGE = 4096


class Damage(unittest.TestCase):
    def setUp(self):
        self.paper = Paper(clock=RUNNING)
        self.addCleanup(self.paper.stop)

    def ledger(self, *args):
        """Make a ledger of a few orders."""
        home = TempHome()
        self.addCleanup(home.__exit__)
        self.orders = getattr(self, "orders", 0) + 1
        code, gate = send(self.paper.url, home, [resting(f"{self.orders}-{i}") for i in range(3)], *args)
        self.assertEqual(code, 0, gate.stderr)
        return home

    @staticmethod
    def change(home, *statements):
        """Change the ledger like somebody who may write the file and puts the triggers back afterwards."""
        db = sqlite3.connect(home.ledger)
        guards = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)
        for _, sql in guards:
            db.execute(sql)
        db.commit()
        db.close()

    def run_send(self, home, *args, order="z"):
        env = {**os.environ, "HOME": home.path, "XDG_STATE_HOME": home.path + "/state", "ORDERGATE_CLOCK": "broker",
               "ORDERGATE_BASE_URL": self.paper.url, "ORDERGATE_KEY_ID": PAPER[0], "ORDERGATE_SECRET_KEY": PAPER[1]}
        return subprocess.run([os.path.join(BIN, "ordergate-send"), "--ledger", home.ledger, *args], env=env, text=True,
                              input=json.dumps(resting(order)), capture_output=True, timeout=600)

    def refused(self, home, words, *args):
        """Assert that the run does not start: nothing is recorded or posted."""
        before, posted = home.rows(), len(self.paper.control("GET", "orders")["orders"])
        done = self.run_send(home, *args)
        self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(home.rows(), before)
        self.assertEqual(len(self.paper.control("GET", "orders")["orders"]), posted)
        return done.stderr

    def accepted(self, home, words, *args):
        """Assert that a run is refused, that it starts once the damage is accepted on record, and that later runs
        start until other damage is found."""
        count = len(home.rows("record = 'accept-damage'"))
        self.assertIn("--accept-damage", self.refused(home, words, *args))
        self.assertIn(words, self.refused(home, words, "--dry-run", *args))
        for i, option in enumerate((["--accept-damage"], [])):
            done = self.run_send(home, *option, *args, order=f"after-{self.orders}-{i}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stderr)
        said = home.rows("record = 'accept-damage'")
        self.assertEqual(len(said), count + 1)
        self.assertIn(words, said[-1]["text"])
        faults = json.loads(said[-1]["detail"])["faults"]
        newest = max(row["seq"] for row in home.rows("record = 'outcome'"))
        self.change(home, f"UPDATE rows SET text = 'else' WHERE seq = {newest}")
        self.refused(home, f"({faults + 1} faults", *args)
        done = self.run_send(home, "--accept-damage", *args, order=f"again-{self.orders}")
        self.assertEqual((done.returncode, len(home.rows("record = 'accept-damage'"))), (0, count + 2), done.stderr)

    def test_a_sound_one(self):
        home = self.ledger()
        for i, option in enumerate(([], ["--accept-damage"])):
            done = self.run_send(home, *option, order=f"s{i}")
            self.assertEqual((done.returncode, "damaged" in done.stderr), (0, False), done.stderr)
        self.assertEqual(home.rows("record = 'accept-damage'"), [])

    def test_its_head_is_not_vouched_for(self):
        """The hash of a damaged ledger proves nothing, so a run that starts without checking it reports that."""
        home = self.ledger()
        self.change(home, "UPDATE rows SET text = 'never' WHERE seq = 4")
        self.assertNotIn("ledger head", self.refused(home, "record 4 does not match its hash"))
        self.assertIn("ledger head", self.run_send(home, "--accept-damage", order="h").stderr)

    def test_a_row_that_was_changed(self):
        for column, value in (("text", "'never'"), ("executed", "'9'"), ("state", "'filled'"), ("detail", "'{}'"),
                              ("account", "'OTHER'"), ("at", "'2026-01-15T09:00:00.000000000Z'")):
            with self.subTest(column):
                home = self.ledger()
                seq = home.rows("record = 'post'")[0]["seq"]
                self.change(home, f"UPDATE rows SET {column} = {value} WHERE seq = {seq}")
                self.assertIn("--accept-damage", self.refused(home, f"record {seq} does not match its hash"))

    def test_changed_and_accepted(self):
        home = self.ledger()
        self.change(home, "UPDATE rows SET text = 'never' WHERE seq = 4")
        self.accepted(home, "record 4 does not match its hash")

    def test_the_newest_row(self):
        home = self.ledger()
        seq = home.rows()[-1]["seq"]
        self.change(home, f"UPDATE rows SET outcome = 'filled' WHERE seq = {seq}")
        self.accepted(home, f"record {seq} does not match its hash")

    def test_a_row_that_was_taken_out(self):
        home = self.ledger()
        self.change(home, "DELETE FROM rows WHERE seq = 4")
        self.accepted(home, "record 4 was taken out")

    def test_rows_that_were_swapped(self):
        home = self.ledger()
        self.change(home, "UPDATE rows SET seq = -4 WHERE seq = 4", "UPDATE rows SET seq = 4 WHERE seq = 5",
                    "UPDATE rows SET seq = 5 WHERE seq = -4")
        self.accepted(home, "record 4 does not match its hash")

    def test_an_id_that_may_be_used_again(self):
        home = self.ledger()
        self.change(home, "DELETE FROM ids WHERE id = '1-1'")
        self.accepted(home, "id '1-1' of account 'PAPER0001' was used, but is missing among the used ids")

    def test_a_guard_that_was_taken_away(self):
        home = self.ledger()
        db = sqlite3.connect(home.ledger)
        db.execute("DROP TRIGGER rows_stay")
        db.commit()
        db.close()
        self.refused(home, "6 of the 7 triggers")

    def test_a_tail_that_was_cut_off(self):
        """The newest records were cut off, so the used ids are no longer known: no run can continue."""
        home = self.ledger()
        seq = home.rows()[-1]["seq"]
        self.change(home, f"DELETE FROM rows WHERE seq = {seq}")
        for args in ((), ("--accept-damage",)):
            self.refused(home, "some were cut off", *args)
        self.change(home, f"UPDATE head SET seq = {seq - 1}")
        for args in ((), ("--accept-damage",)):
            self.refused(home, "some were cut off, inserted or changed", *args)

    def broken(self, words, harm):
        """Assert that the damage cannot be accepted and that no byte of the ledger changes. A restored copy has the
        used ids."""
        home = self.ledger()
        sound = pathlib.Path(home.ledger).read_bytes()
        harm(home.ledger, len(sound))
        harmed = pathlib.Path(home.ledger).read_bytes() if os.path.exists(home.ledger) else None
        posted = len(self.paper.control("GET", "orders")["orders"])
        for args in ((), ("--accept-damage",)):
            done = self.run_send(home, *args, order=f"{self.orders}-1")
            self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(os.path.exists(home.ledger), harmed is not None)
            self.assertEqual(harmed, pathlib.Path(home.ledger).read_bytes() if harmed is not None else None)
        self.assertEqual(len(self.paper.control("GET", "orders")["orders"]), posted)
        pathlib.Path(home.ledger).write_bytes(sound)
        os.chmod(home.ledger, 0o600)
        done = self.run_send(home, order=f"{self.orders}-1")
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["outcome"], "working", done.stdout + done.stderr)
        self.assertEqual(len(self.paper.control("GET", "orders")["orders"]), posted)

    @staticmethod
    def write_at(path, at, data):
        with open(path, "r+b") as f:
            f.seek(at)
            f.write(data)

    def test_a_file_that_was_cut(self):
        for words, left in (("was cut short; such damage cannot be accepted", lambda size: size - 100),
                            ("was cut short; such damage cannot be accepted", lambda size: PAGE + 1),
                            ("malformed; such damage cannot be accepted", lambda size: size - PAGE),
                            ("malformed; such damage cannot be accepted", lambda size: size // 2 // PAGE * PAGE),
                            ("such damage cannot be accepted", lambda size: PAGE)):
            self.broken(words, lambda path, size, left=left: os.truncate(path, left(size)))

    def test_a_page_that_was_torn_or_lost(self):
        pages = os.path.getsize(self.ledger().ledger) // PAGE
        for page in range(1, pages, 4):
            self.broken("such damage cannot be accepted",
                        lambda path, size, page=page: self.write_at(path, page * PAGE, bytes(PAGE)))
        for page in (2, pages - 1):  # one half of the page is damaged, as a disk may leave it
            self.broken("is damaged in its structure", lambda path, size, page=page: self.write_at(
                path, page * PAGE + PAGE // 2, b"\x5a\x17" * (PAGE // 4)))

    def test_a_header_that_is_none(self):
        for data in (b"garbage " * 16, bytes(100), bytes(PAGE), b"\xff" * PAGE):
            self.broken("not a database; such damage cannot be accepted",
                        lambda path, size, data=data: self.write_at(path, 0, data))

    def test_a_file_that_is_empty_or_gone(self):
        self.broken("is empty, but '", lambda path, size: os.truncate(path, 0))
        self.broken("is not there, but '", lambda path, size: os.unlink(path))

    def test_a_file_whose_records_were_in_the_wal(self):
        """A sender is killed before anything of the WAL was copied into the file, and the WAL is lost."""
        with TempHome() as home:
            with Sender(self.paper.url, home) as gate:
                gate.feed(resting("killed"))
                gate.event("outcome", "killed", outcome="working")
                gate.kill()
                gate.process.wait()
            for end in ("-wal", "-shm"):
                os.unlink(home.ledger + end)
            before = pathlib.Path(home.ledger).read_bytes()
            done = self.run_send(home, order="killed")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("has no records, but '", done.stderr)
            self.assertEqual(pathlib.Path(home.ledger).read_bytes(), before)

    def older(self, put_back, order):
        """Assert that an older copy is rejected, with a message that names what is missing, until a person accepts
        it."""
        home = self.ledger()
        older, last = pathlib.Path(home.ledger).read_bytes(), home.rows()[-1]["seq"]
        with Sender(self.paper.url, home) as gate:
            gate.feed(resting(order))
            gate.event("outcome", order, outcome="working")
            gate.kill()
            gate.process.wait()
        newest = home.rows()[-1]["seq"]
        put_back(home.ledger, older)
        words = f"records {last + 1} to {newest}, noted in the file -runs, are missing"
        self.assertIn("--accept-damage", self.refused(home, words))
        self.refused(home, words, "--dry-run")
        self.assertEqual(self.run_send(home, "--accept-damage", order=order + "-a").returncode, 0)
        self.assertIn(words, home.rows("record = 'accept-damage'")[-1]["text"])
        self.assertEqual(self.run_send(home, order=order + "-b").returncode, 0)

    def test_an_older_copy_that_was_put_back(self):
        def put_back(path, older):
            for end in ("-wal", "-shm"):
                os.unlink(path + end)
            pathlib.Path(path).write_bytes(older)
        self.older(put_back, "copied")

    def test_a_wal_that_was_removed_with_what_was_in_it(self):
        self.older(lambda path, older: (os.unlink(path + "-wal"), os.unlink(path + "-shm")), "unmerged")

    def test_one_that_is_begun_anew_on_purpose(self):
        home = self.ledger()
        for end in ("", "-runs"):
            os.unlink(home.ledger + end)
        self.assertEqual(self.run_send(home, order="anew").returncode, 0)

    def test_one_that_is_keyed(self):
        home = self.ledger()
        key = home.file("chain.key", "0123456789abcdef0123456789abcdef\n")
        self.assertEqual(self.run_send(home, "--ledger-key", key, "--accept-damage", order="k").returncode, 0)
        seq = home.rows("id = 'k'")[-1]["seq"]
        self.change(home, f"UPDATE rows SET text = 'never' WHERE seq = {seq}")
        self.accepted(home, f"record {seq} does not match its hash", "--ledger-key", key)

    def test_one_that_is_keyed_and_was_written_anew_without_the_key(self):
        home = TempHome()
        self.addCleanup(home.__exit__)
        key = home.file("chain.key", "0123456789abcdef0123456789abcdef\n")
        self.assertEqual(send(self.paper.url, home, [resting("a")], "--ledger-key", key)[0], 0)
        written_anew(home.ledger)
        self.refused(home, "written without the key", "--ledger-key", key)

    def test_an_acceptance_that_nobody_gave(self):
        """Somebody wrote an acceptance into the ledger, knowing what a run will find. The hash of that record is
        wrong, so it is not valid."""
        home = self.ledger()
        seq = home.rows()[-1]["seq"] + 1
        self.change(home, "UPDATE rows SET text = 'never' WHERE seq = 4",
                    "INSERT INTO rows SELECT seq + 1, at, run, '', NULL, 'accept-damage', 'done', NULL, NULL, '0', '0',"
                    f" NULL, NULL, NULL, 'sha256:{'0' * 64}', NULL FROM rows WHERE seq = {seq - 1}",
                    f"UPDATE head SET seq = {seq}, hash = 'sha256:{'0' * 64}'")
        found = subprocess.run([os.path.join(BIN, "ordergate-ledger"), "--ledger", home.ledger, "verify"],
                               capture_output=True).stdout.splitlines(keepends=True)[:-1]
        digest = hashlib.sha256(b"".join(found) + b"%d" % len(found)).hexdigest()
        self.assertEqual(len(found), 2)
        self.change(home, f"UPDATE rows SET code = 'sha256:{digest}' WHERE seq = {seq}")
        self.refused(home, "(2 faults")
        self.run_send(home, "--accept-damage", order="f")
        self.assertEqual(home.rows("record = 'accept-damage'")[-1]["code"], "sha256:" + digest, "it was what it says")


if __name__ == "__main__":
    main()
