#!/usr/bin/env python3
"""Times what reads a large ledger: ledger.py [-n ROWS] [-d DAYS] [-r ROUNDS] [--keep FILE]

Writes a ledger of ROWS records (default 10,000,000: some minutes and 5 GB in $TMPDIR) of orders on DAYS trading days
(default 100), and prints the median time of whole processes of ordergate, in milliseconds. The records have no true
hashes, which nothing measured here reads. --keep FILE: write it there and keep it; a file that is there is measured.

OG_BIN is where the programs lie, PYTHONPATH has tests/support. CTest runs it small.
"""
import argparse
import contextlib
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from ledger_maker import empty

os.environ.setdefault("ORDERGATE_PAPER", os.path.join(os.environ["OG_BIN"], "ordergate-paper"))
EACH = 8  # records of an order
TABLES = ("DROP TRIGGER rows_open; DROP INDEX rows_of_time; DROP INDEX rows_of_broker_ids;"
          "DROP INDEX rows_of_order; DROP INDEX rows_of_tags;")
# n: number of the order, k: of its record. Orders begin at 14:30Z on their day, and are spread over 6.5 hours.
SPREAD = """
INSERT INTO rows SELECT 2 + n * {each} + k,
 strftime('%Y-%m-%dT%H:%M:%f', 1748874600 + n * {days} / {orders} * 86400
  + (n % {a_day}) * 23400.0 / {a_day} + k * 0.004, 'unixepoch') || 'Z', 'bench', 'LIVE0001', id, record, state, outcome,
 CASE WHEN n % 3 = 0 AND k > 3 THEN id || '-B' END, executed,
 CASE executed WHEN '0' THEN '0' ELSE '101.25' END, code, text,
 CASE record WHEN 'decision' THEN printf('{{"line":%d,"clientOrderId":"%s","accountId":"LIVE0001","verdict":"%s",'
   || '"predicts":{{"channel":"accepted","certainty":"stated"}},"findings":[%s],"policy":"desk@sha256:%064d",'
   || '"facts":"sha256:%064d","at":"2026-01-15T14:30:00Z"%s}}', n, id, CASE state WHEN 'refused' THEN 'refuse' ELSE
   'accept' END, CASE state WHEN 'refused' THEN '{{"rule":"price-collar","reason":"limit-away-from-market",'
   || '"level":"refuse","field":"/limitPrice","message":"the limit is 12% above the ask","predicts":null}}' ELSE '' END,
   0, 1, CASE state WHEN 'refused' THEN ',"order":' || body ELSE '' END)
  WHEN 'intent' THEN body
  WHEN 'post' THEN printf('{{"http":200,"orderStatus":"PendingNew","text":null,"error":null,"attempts":1,'
   || '"tookUs":%d}}', 900 + n % 7919)
  WHEN 'update' THEN printf('{{"source":"stream","heard":"%s","row":%s}}', state, body) END,
 printf('sha256:%064d', n), NULL
FROM (SELECT n, k, printf('ord-%09d', n) AS id,
  printf('{{"securityType":"Stock","symbol":"%s","side":"Buy","openClose":"Open","orderType":"Limit",'
   || '"orderQuantity":100,"limitPrice":101.25,"timeInForce":"Day","clientOrderId":"ord-%09d","route":"SMART"}}',
   CASE n % 4 WHEN 0 THEN 'AAPL' WHEN 1 THEN 'MSFT' WHEN 2 THEN 'SPY' ELSE 'GME' END, n) AS body,
  CASE k WHEN 0 THEN 'decision' WHEN 1 THEN 'intent' WHEN 2 THEN 'post' WHEN 3 THEN 'update' WHEN 4 THEN 'outcome'
   ELSE 'update' END AS record,
  CASE WHEN n % 20 = 7 THEN 'refused' WHEN k < 2 THEN 'intended' WHEN k = 2 THEN 'posted'
   WHEN n % 50 = 3 THEN 'rejected' WHEN k < 7 THEN 'working' ELSE 'filled' END AS state,
  CASE WHEN n % 20 = 7 THEN 'refused' WHEN k = 4 THEN CASE n % 50 WHEN 3 THEN 'rejected' ELSE 'working' END END
   AS outcome,
  CASE WHEN k < 5 OR n % 50 = 3 THEN '0' ELSE CAST((k - 4) * 100 / 3 AS TEXT) END AS executed,
  CASE WHEN n % 50 = 3 AND k > 2 THEN 'R118' END AS code, CASE WHEN n % 50 = 3 AND k > 2 THEN 'R118: no' END AS text
 FROM (WITH RECURSIVE c(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM c WHERE n + 1 < {last}) SELECT n FROM c),
  (WITH RECURSIVE e(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM e WHERE k + 1 < {each}) SELECT k FROM e))
WHERE NOT (n % 20 = 7 AND k > 0) AND NOT (n % 5000 = 11 AND k > 1) AND NOT (n % 1000 = 17 AND k > 4)
 AND NOT (n % 50 = 3 AND k > 4)"""


class At:
    """A place like a TempHome of the tests."""

    def __init__(self, path):
        self.ledger = path


def write(path, rows, days):
    """Write the ledger; returns the number of orders."""
    empty(At(path))
    db = sqlite3.connect(path)
    db.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -1000000;")
    made = dict(db.execute("SELECT name, sql FROM sqlite_master WHERE sql NOTNULL"))
    db.executescript(TABLES)
    orders = max(days, rows * 10 // 75)
    for first in range(0, orders, 100000):
        db.execute(SPREAD.format(each=EACH, orders=orders, days=days, a_day=max(1, orders // days), first=first,
                                 last=min(orders, first + 100000)))
    db.execute("INSERT INTO runs(run) VALUES('bench')")
    db.execute("INSERT INTO ids SELECT account, id, 'sha256:', seq FROM rows WHERE record = 'intent' ORDER BY id")
    db.execute("UPDATE head SET seq = (SELECT max(seq) FROM rows), hash = 'sha256:'")
    for name in ("rows_of_order", "rows_of_tags", "rows_of_time", "rows_of_broker_ids", "rows_open"):
        db.execute(made[name])
    db.execute("INSERT INTO open_orders SELECT i.account, i.id, r.seq FROM ids i JOIN rows r ON r.seq ="
               " (SELECT max(seq) FROM rows n WHERE n.account = i.account AND n.id = i.id) WHERE r.state IN"
               " ('intended', 'posted', 'unknown', 'working')")
    db.commit()
    db.execute("PRAGMA journal_mode = WAL")
    written, = db.execute("SELECT count(*) FROM rows").fetchone()
    db.close()
    return orders, written


def measure(path, rounds, name, *args):
    """Print the median time of the command, in ms."""
    took, lines = [], 0
    for _ in range(rounds):
        start = time.monotonic()
        done = subprocess.run([os.path.join(os.environ["OG_BIN"], name), "--ledger", path, *args], capture_output=True)
        took.append((time.monotonic() - start) * 1000)
        if done.returncode not in (0, 1):
            sys.exit(f"{args}: {done.stderr.decode()}")
        lines = done.stdout.count(b"\n")
    print(f"{name[10:]:7} {' '.join(args):60} {statistics.median(took):9.1f} ms, {lines} lines", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=10_000_000)
    parser.add_argument("-d", type=int, default=100)
    parser.add_argument("-r", type=int, default=7)
    parser.add_argument("--keep")
    given = parser.parse_args()
    with contextlib.ExitStack() as stack:
        path = given.keep or os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), "ledger.db")
        start = time.monotonic()
        if not os.path.exists(path):
            orders, written = write(path, given.n, given.d)
            print(f"{written} records of {orders} orders, written in {time.monotonic() - start:.0f} s,"
                  f" {os.path.getsize(path) / 1e9:.2f} GB", flush=True)
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        some, at = db.execute("SELECT id, substr(at, 1, 10) FROM rows WHERE seq >= (SELECT max(seq) / 2 FROM rows)"
                              " ORDER BY seq LIMIT 1").fetchone()
        broker, = db.execute("SELECT max(broker_id) FROM rows WHERE broker_id <> id").fetchone()
        last, = db.execute("SELECT substr(max(at), 1, 10) FROM rows WHERE at < '2026-01-15'").fetchone()
        db.close()
        for args in (("list", "--open"), ("show", some), ("show", broker), ("unknown",),
                     ("list", "--since", at, "--until", at + "T21:00:00Z", "--symbol", "AAPL"),
                     ("list", "--since", last, "--rule", "price-collar")):
            measure(path, given.r, "ordergate-ledger", *args)
        for form in ("json", "html", "csv"):
            measure(path, given.r, "ordergate-report", "--date", at, "--format", form)


if __name__ == "__main__":
    main()
