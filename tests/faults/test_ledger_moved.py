"""While a sender uses the ledger, its file, its WAL, its shared-memory file or the file of run locks is renamed,
replaced or deleted: nothing more is posted, neither the order of a new line nor an order that waits to be posted
again, and the run says what happened. Orders in flight are followed to their end.
"""
import os
import shutil
import threading
import unittest

from fault_proxy import PASS, FaultProxy
from paper import Paper
from parallel_unittest import main
from sender import RUNNING, Sender, TempHome, posts, resting

PARTS = {"file": "", "wal": "-wal", "index": "-shm", "locks": "-runs"}


def rename(path):
    os.rename(path, path + ".old")


def replace(path):
    shutil.copy2(path, path + ".copy")
    os.rename(path + ".copy", path)


def rename_folder(path):
    os.rename(os.path.dirname(path), os.path.dirname(path) + ".old")


DEEDS = {"renamed": (rename, "was renamed or moved"), "replaced": (replace, "was replaced by another file"),
         "deleted": (os.unlink, "was deleted")}


class Moved(unittest.TestCase):
    def world(self, **behaviours):
        self.paper, self.home = self.enterContext(Paper(clock=RUNNING)), self.enterContext(TempHome())
        self.proxy = self.enterContext(FaultProxy(self.paper, behaviours))
        os.mkdir(os.path.join(self.home.path, "kept"), 0o700)
        self.home.ledger = os.path.join(self.home.path, "kept", "ledger.db")
        return self.enterContext(Sender(self.proxy.url, self.home))

    def ends(self, run, outcomes, words):
        self.assertEqual(run.finish(), 4, run.stderr)
        self.assertEqual(run.outcomes(), outcomes)
        self.assertIn(words, run.stderr)

    def next_line(self, part, deed, words):
        run = self.world()
        run.feed(resting("first"))
        run.event("outcome", "first", outcome="working")
        deed(self.home.ledger + PARTS[part])
        run.feed(resting("second"), resting("third"))
        self.ends(run, {"first": "working", "second": "not-sent", "third": "not-sent"}, words)
        self.assertEqual(posts(self.paper, "second") + posts(self.paper, "third"), [])

    def posted_again(self, part, deed, words):
        busy = threading.Event()
        run = self.world(first=[(False, busy), PASS])
        run.feed(resting("first"))
        self.proxy.wait_post("first")
        deed(self.home.ledger + PARTS[part])
        busy.set()
        self.ends(run, {"first": "not-sent"}, words)
        self.assertEqual((self.proxy.posts["first"], posts(self.paper, "first")), (1, []))

    def test_what_is_under_way_is_followed(self):
        answer = threading.Event()
        run = self.world(first=(True, answer))
        run.feed(resting("first"))
        self.proxy.wait_post("first")
        rename(self.home.ledger)
        run.feed(resting("second"))
        run.event("outcome", "second", outcome="not-sent")
        answer.set()
        self.ends(run, {"first": "working", "second": "not-sent"}, "was renamed or moved")
        os.rename(self.home.ledger + ".old", self.home.ledger)  # its WAL lies there still
        self.assertEqual(self.home.newest_row("first")["outcome"], "working")

    def test_no_other_run_begins_under_its_name(self):
        run = self.world()
        run.feed(resting("first"))
        run.event("outcome", "first", outcome="working")
        rename(self.home.ledger)
        with Sender(self.proxy.url, self.home, lines=[resting("second")]) as other:
            self.assertEqual(other.finish(), 4)
            self.assertIn("is not there, but '", other.stderr)
        self.assertEqual(posts(self.paper, "second"), [])
        run.feed(resting("third"))
        self.ends(run, {"first": "working", "third": "not-sent"}, "was renamed or moved")


def add(part, name, deed, words):
    for how in ("next_line", "posted_again"):
        setattr(Moved, f"test_{part}_{name}_{how}", lambda self, way=how: getattr(self, way)(part, deed, words))


for the_part in PARTS:
    for the_name, (the_deed, the_words) in DEEDS.items():
        add(the_part, the_name, the_deed, the_words)
add("file", "lost_with_its_folder", rename_folder, "was renamed or moved")

if __name__ == "__main__":
    main()
