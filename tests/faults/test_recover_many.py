"""Recovering thousands of orders that an earlier run left unknown takes time in proportion to their number."""
import hashlib
import json
import resource
import sqlite3
import unittest

from paper import Paper
from sender import RUNNING, Sender, TempHome, resting, send

MANY = 2500
# seconds of CPU, including sanitizers; recovering takes less than one. When the list was read again for each order, it
# took minutes
CPU = 10


def body(i):
    return resting(f"u{i}", limitPrice=100 + i % 50, orderQuantity=1)


def leave_unknown(path, count):
    """Write intents with unknown outcomes as a run that is over would have left them, chained as that run would have
    done it."""
    db = sqlite3.connect(path)
    seq, before = db.execute("SELECT seq, hash FROM head").fetchone()
    db.execute("INSERT INTO runs(run) VALUES('earlier')")
    for i in range(count):
        text, seq = json.dumps(body(i)), seq + 1
        row = [str(seq), "2026-01-15T15:00:00.000000000Z", "earlier", "PAPER0001", f"u{i}", "intent", "unknown", None,
               None, "0", "0", None, None, text]
        chained = before + "".join("-," if v is None else f"{len(v)}:{v}," for v in row)
        before = "sha256:" + hashlib.sha256(chained.encode()).hexdigest()
        db.execute("INSERT INTO rows(seq, at, run, account, id, record, state, outcome, broker_id, executed,"
                   f" price_avg, code, text, detail, hash) VALUES({','.join('?' * 15)})", [seq, *row[1:], before])
        db.execute("INSERT INTO ids VALUES('PAPER0001', ?, ?, ?)",
                   (f"u{i}", "sha256:" + hashlib.sha256(text.encode()).hexdigest(), seq))
    db.execute("UPDATE head SET seq = ?, hash = ?", (seq, before))
    db.commit()
    db.close()


class RecoverMany(unittest.TestCase):
    def test_all_are_at_the_broker(self):
        with Paper(clock=RUNNING) as p, TempHome() as home:
            self.assertEqual(send(p.url, home, [resting("first")])[0], 0)
            leave_unknown(home.ledger, MANY)
            for i in range(MANY):
                self.assertEqual(p.order(body(i)).status, 200)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            with Sender(p.url, home, "--recover", lines=[]) as gate:
                self.assertEqual(gate.finish(), 0, gate.stderr[-500:])
                self.assertEqual(set(gate.outcomes().values()), {"working"})
                self.assertEqual(len(gate.outcomes()), MANY + 1)
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, CPU)


if __name__ == "__main__":
    unittest.main()
