"""A ledger with a keyed hash chain: nobody without the key can rewrite it, continue it or attest it."""
import hashlib
import json
import os
import sqlite3
import subprocess
import unittest

from fault_proxy import FaultProxy
from paper import PAPER, Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, resting, send

BIN = os.environ["OG_BIN"]
PAPER_ACCOUNT = "PAPER0001"
COLUMNS = ("seq at run account id record state outcome broker_id executed price_avg code text detail").split()


def written_anew(path):
    """Rewrite the ledger as somebody would who may write the file and can compute hashes: a text is changed, and all
    hashes match it."""
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.execute("UPDATE rows SET text = 'never happened' WHERE seq = 2")
    before = ""
    for row in db.execute(f"SELECT {', '.join(COLUMNS)} FROM rows ORDER BY seq").fetchall():
        fields = [None if v is None else str(v).encode() for v in row]
        room = before.encode() + b"".join(b"-," if f is None else b"%d:%s," % (len(f), f) for f in fields)
        before = "sha256:" + hashlib.sha256(room).hexdigest()
        db.execute("UPDATE rows SET hash = ? WHERE seq = ?", (before, row[0]))
    db.execute("UPDATE head SET hash = ?", (before,))
    db.commit()
    db.close()


class Key(unittest.TestCase):
    def setUp(self):
        self.home = TempHome()
        self.addCleanup(self.home.__exit__)
        self.paper = Paper(clock=RUNNING)
        self.addCleanup(self.paper.stop)
        self.key = self.home.file("chain.key", "0123456789abcdef0123456789abcdef\n")

    def refused(self, *args):
        """Assert that a run does not start; returns what it prints."""
        env = {**os.environ, "HOME": self.home.path, "XDG_STATE_HOME": self.home.path + "/state",
               "ORDERGATE_CLOCK": "broker", "ORDERGATE_BASE_URL": self.paper.url,
               "ORDERGATE_KEY_ID": PAPER[0], "ORDERGATE_SECRET_KEY": PAPER[1]}
        done = subprocess.run([os.path.join(BIN, "ordergate-send"), "--ledger", self.home.ledger, *args],
                              input=json.dumps(resting("z")).encode(), capture_output=True, env=env)
        self.assertEqual(done.returncode, 4, done.stderr)
        return done.stderr.decode()

    def send(self, order_id, key=None, code=0):
        seen, gate = send(self.paper.url, self.home, [resting(order_id)], *(("--ledger-key", key) if key else ()))
        self.assertEqual(seen, code, gate.stderr)
        return gate

    def verify(self, key=None, env=None):
        done = subprocess.run([os.path.join(BIN, "ordergate-ledger"), "--ledger", self.home.ledger,
                               *(("--ledger-key", key) if key else ()), "verify"], capture_output=True,
                              env={**os.environ, **(env or {})})
        faults = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
        return done.returncode, {f["fault"] for f in faults}, done.stderr.decode()

    def hashes(self):
        return [row["hash"][:7] for row in self.home.rows()]

    def test_it_is_keyed_and_verified(self):
        self.send("a", self.key)
        self.send("b", self.key)
        self.assertEqual(set(self.hashes()), {"hs-256:"})
        self.assertEqual(self.verify(self.key), (0, set(), ""))
        self.assertEqual(self.verify(env={"ORDERGATE_LEDGER_KEY": self.key}), (0, set(), ""))
        code, faults, words = self.verify()
        self.assertEqual((code, faults), (1, {"keyed"}))
        self.assertIn("--ledger-key", words)
        code, faults, _ = self.verify(self.home.file("other.key", "another key of somebody else"))
        self.assertEqual((code, faults), (1, {"changed"}))

    def test_it_is_not_written_without_the_key(self):
        self.send("a", self.key)
        before = self.home.rows()
        self.assertIn("--ledger-key", self.refused())
        self.assertEqual(self.home.rows(), before)
        self.assertEqual(len(self.paper.control("GET", "orders")["orders"]), 1, "nothing was posted")
        self.send("b", self.key)

    def test_a_ledger_that_begins_without_one(self):
        """Only a person can say whether the ledger was begun without the key, or rewritten without it."""
        self.send("a")
        bare = len(self.home.rows())
        self.assertIn("--accept-damage", self.refused("--ledger-key", self.key))
        seen, gate = send(self.paper.url, self.home, [resting("b")], "--ledger-key", self.key, "--accept-damage")
        self.assertEqual(seen, 0, gate.stderr)
        self.send("c", self.key)
        self.assertEqual({h: self.hashes().count(h) for h in ("sha256:",)}, {"sha256:": bare})
        self.assertEqual(self.verify(self.key), (0, set(), ""))

    def test_what_is_written_anew(self):
        self.send("a", self.key)
        written_anew(self.home.ledger)
        code, faults, _ = self.verify(self.key)
        self.assertEqual((code, faults - {"guard"}), (1, {"unkeyed", "older"}))

    def test_what_is_written_anew_where_there_is_no_key(self):
        """A chain without a key does not prove that the file was not rewritten. The note beside the file shows it,
        unless the note was rewritten too."""
        self.send("a")
        written_anew(self.home.ledger)
        self.assertEqual(self.verify()[:2], (1, {"guard", "older"}))
        os.truncate(self.home.ledger + "-runs", 1)
        code, faults, _ = self.verify()
        self.assertEqual((code, faults), (1, {"guard"}), "of the records themselves nothing shows")

    def test_a_tail_that_was_written_without_it(self):
        self.send("a", self.key)
        db = sqlite3.connect(self.home.ledger)
        db.execute("DROP TRIGGER rows_keep") if db.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'rows_keep'").fetchone() else None
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("UPDATE rows SET hash = 'sha256:' || substr(hash, 8) WHERE seq = (SELECT max(seq) FROM rows)")
        db.execute("UPDATE head SET hash = 'sha256:' || substr(hash, 8)")
        db.commit()
        db.close()
        code, faults, _ = self.verify(self.key)
        self.assertEqual((code, faults - {"guard"}), (1, {"unkeyed", "older"}))

    def tool(self, name, *args, key=None):
        return subprocess.run([os.path.join(BIN, "ordergate-" + name), "--ledger", self.home.ledger,
                               *(("--ledger-key", key) if key else ()), *args], capture_output=True, text=True)

    def test_it_is_not_waived_without_the_key(self):
        policy = self.home.file("p.yaml", "ordergate: 1\nname: p\nextends: [default]\nrules:\n"
                                          "  order-quantity-limit: {level: refuse, shares: 20}\n")
        big = resting("big", orderQuantity=50)
        code, gate = send(self.paper.url, self.home, [big], "-p", policy, "--ledger-key", self.key)
        self.assertEqual((code, gate.outcomes()), (1, {"big": "refused"}))
        words = ("--order", "big", "--rule", "order-quantity-limit", "--reason", "agreed with risk")
        before = self.home.rows()
        for key, said in ((None, "is keyed"), (self.home.file("short.key", "short"), "16 to 1024"),
                          (self.home.file("open.key", "x" * 32, 0o644), "chmod 600")):
            done = self.tool("waive", *words, key=key)
            self.assertEqual((done.returncode, said in done.stderr), (4, True), done.stderr)
        self.assertEqual(self.home.rows(), before)
        self.assertEqual(self.tool("waive", "--list").returncode, 0, "to look needs no key")
        self.assertEqual(self.tool("waive", *words, key=self.key).returncode, 0)
        self.assertEqual((set(self.hashes()), self.verify(self.key)), ({"hs-256:"}, (0, set(), "")))
        done = self.tool("waive", "--revoke", "--order", "big")
        self.assertEqual((done.returncode, "is keyed" in done.stderr), (4, True), done.stderr)
        code, gate = send(self.paper.url, self.home, [big], "-p", policy, "--ledger-key", self.key)
        self.assertEqual(gate.outcomes(), {"big": "working"})
        self.assertEqual(self.verify(self.key), (0, set(), ""))

    def test_it_is_not_settled_without_the_key(self):
        with FaultProxy(self.paper, {"lost": (False, "close")}) as b:
            with Sender(b.url, self.home, "--wait", "60s", "--ledger-key", self.key) as gate:
                gate.feed(resting("lost"))
                gate.wait_stderr("its answer was lost")
        before = self.home.rows()
        words = ("resolve", "lost", "--as", "not-sent", "--reason", "the desk was called")
        done = self.tool("ledger", *words)
        self.assertEqual((done.returncode, "is keyed" in done.stderr), (4, True), done.stderr)
        self.assertEqual(self.home.rows(), before)
        for name in ("list", "unknown", "export", "stats", "facts"):
            self.assertEqual(self.tool("ledger", name,
                                       *(("--account", PAPER_ACCOUNT) if name == "facts" else ())).returncode, 0,
                             name)
        done = self.tool("ledger", *words, key=self.key)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([r["record"] for r in self.home.rows()][-1], "resolve")
        self.assertEqual((set(self.hashes()), self.verify(self.key)), ({"hs-256:"}, (0, set(), "")))

    def test_keys_that_are_none(self):
        for text, mode, word in (("short", 0o600, "16 to 1024"), ("", 0o600, "16 to 1024"),
                                 ("x" * 32, 0o640, "chmod 600"), ("x" * 2000, 0o600, "")):
            key = self.home.file("bad.key", text, mode)
            self.assertIn(word, self.refused("--ledger-key", key))
        self.assertIn("does not exist", self.refused("--ledger-key", "/nowhere/at/all"))
        self.assertEqual(os.path.getsize(self.home.ledger), 0, "nothing was written")


if __name__ == "__main__":
    main()
