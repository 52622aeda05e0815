"""Ledgers of any size and content for tests, written without ordergate: rows as of schema 6, with their hashes.

empty() gives the file that a first run of ordergate send leaves, so that the tables are ordergate's own.
random_day() adds days of orders whose records resemble those of a desk; hostile texts among them, where wanted.
tamper() changes a ledger behind the back of the triggers that protect it.
"""
import datetime
import functools
import hashlib
import json
import os
import pathlib
import random
import sqlite3

from paper import Paper, stock
from sender import RUNNING, TempHome, send

COLUMNS = "seq at run account id record state outcome broker_id executed price_avg code text detail".split()
STATES = "refused intended posted unknown not-sent working filled canceled rejected expired done".split()
OPEN = {"intended", "posted", "unknown", "working"}
NO_STATE = {"decision", "cancel", "waive", "revoke", "replace", "withdraw"}
FREE_OF_ORDERS = {"policy", "pnl-peak", "latch", "resume", "trading", "accept-damage", "archive"}
RULES = [("price-collar", "limit-away-from-market"), ("open-orders", "open-orders-above-limit"),
         ("order-form", "body-duplicate-key"), ("buying-power", "buying-power-short")]
HOSTILE = ["=HYPERLINK(\"http://x\")", "+1", "-2+3", "@SUM(A1)", "\x1b[2J\x07", "\u009b31m\u202e",
           "<script>alert(1)</script>", "a\"b'c&d<e>",
           "line\nbreak\r\ttab", "\u2066x", "]]>--><!--", "%s%n%d", "x" * 300, "\uff1dcmd", "é漢字🙂"]


@functools.cache
def first_run():
    """The bytes of a ledger that a run of ordergate send left, which refused one order."""
    with Paper(clock=RUNNING) as paper, TempHome() as home:
        send(paper.url, home, [stock("first", orderQuantity=-1)])
        with sqlite3.connect(home.ledger) as source, sqlite3.connect(home.path + "/copy") as to:
            source.backup(to)  # what the WAL has is in it
        source.close(), to.close()
        return pathlib.Path(home.path, "copy").read_bytes()


def empty(home):
    """Make home.ledger: one refused order of PAPER0001, `first`, of the paper brokerage's day."""
    pathlib.Path(home.ledger).write_bytes(first_run())
    os.chmod(home.ledger, 0o600)


def text_of(at):
    """An instant as the ledger writes it: with 0, 3, 6 or 9 decimals as needed. at: nanoseconds."""
    second, rest = divmod(at, 10**9)
    told = datetime.datetime.fromtimestamp(second, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    if rest:
        digits = f"{rest:09}"
        while digits.endswith("000"):
            digits = digits[:-3]
        told += "." + digits
    return told + "Z"


class Maker:
    """Appends records; the head is written by close()."""

    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.seq, self.hash = self.db.execute("SELECT seq, hash FROM head").fetchone()
        self.ids, self.runs = set(), set()

    def run(self, name):
        if name not in self.runs:
            self.db.execute("INSERT INTO runs(run) VALUES(?)", (name,))
            self.runs.add(name)

    def row(self, at, run, account, order_id, record, state, *, outcome=None, broker_id=None, executed="0", price="0",
            code=None, text=None, detail=None, tag=None):
        self.run(run)
        self.seq += 1
        detail = json.dumps(detail, separators=(",", ":")) if isinstance(detail, (dict, list)) else detail
        fields = [str(self.seq), at if isinstance(at, str) else text_of(at), run, account, order_id, record, state,
                  outcome, broker_id, executed, price, code, text, detail]
        joined = self.hash.encode() + b"".join(
            b"-," if f is None else b"%d:%s," % (len(f.encode()), f.encode()) for f in fields)
        if tag is not None:
            joined += b"%d:%s," % (len(tag.encode()), tag.encode())
        self.hash = "sha256:" + hashlib.sha256(joined).hexdigest()
        self.db.execute(f"INSERT INTO rows({','.join(COLUMNS)}, tag, hash) VALUES({','.join('?' * 16)})",
                        (self.seq, *fields[1:], tag, self.hash))
        if record == "intent" and (account, order_id) not in self.ids:
            self.ids.add((account, order_id))
            self.db.execute("INSERT INTO ids VALUES(?,?,?,?)", (
                account, order_id, "sha256:" + hashlib.sha256((detail or "").encode()).hexdigest(), self.seq))
        return self.seq

    def close(self):
        self.db.execute("UPDATE head SET seq = ?, hash = ?", (self.seq, self.hash))
        self.db.commit()
        self.db.close()


class Days:
    """Random orders. Every choice is by the given random.Random, so that a seed gives the same ledger again."""

    def __init__(self, maker, rng, hostile=False):
        self.maker, self.rng, self.hostile, self.count = maker, rng, hostile, 0

    def word(self, *words):
        return self.rng.choice(HOSTILE) if self.hostile and self.rng.random() < 0.4 else self.rng.choice(words)

    def body(self, order_id):
        r = self.rng
        body = {"securityType": "Stock", "symbol": self.word("AAPL", "SPY", "MSFT", "GME", "BRK.B"),
                "side": r.choice(["Buy", "Sell"]), "openClose": r.choice(["Open", "Close"]), "orderType": "Limit",
                "orderQuantity": r.randrange(1, 500), "limitPrice": r.randrange(1, 99999) / 100, "timeInForce": "Day",
                "clientOrderId": order_id}
        if r.random() < 0.2:
            legs = [{"symbol": r.choice(["SPY260320C00600000", "AAPL", "GME"]), "side": "Buy", "openClose": "Open",
                     "ratio": 1} for _ in range(2)]
            body.update(securityType="Mleg", symbol="SPY", legs=legs)
            del body["side"], body["openClose"]
        return body

    def decision(self, line, order_id, account, body, findings, verdict):
        detail = {"line": line, "clientOrderId": order_id, "accountId": account, "verdict": verdict,
                  "predicts": {"channel": "accepted", "certainty": "stated"}, "findings": findings,
                  "policy": "desk@sha256:" + "0" * 64, "facts": "sha256:" + "1" * 64}
        if verdict == "refuse":
            detail["order"] = body
        return detail

    def finding(self, level):
        rule, reason = self.rng.choice(RULES)
        return {"rule": rule, "reason": reason, "level": level, "field": "/symbol",
                "message": self.word("3 orders would be open, the desk allows 2", "the limit is 12% from the market")}

    def order(self, at, run, account):
        """Append one order's records. Its later ones come up to a day later."""
        r, m = self.rng, self.maker
        self.count += 1
        order_id = f"{self.word('o', 'a', 'x')}-{self.count}"
        tag = r.choice([None, "mom", "pairs"])
        body = self.body(order_id)
        findings = [self.finding(r.choice(["warn", "info"])) for _ in range(r.choice([0, 0, 0, 1, 2]))]
        common = {"tag": tag}
        if r.random() < 0.3:
            findings += [self.finding("refuse") for _ in range(r.choice([1, 1, 2]))]
            m.row(at, run, account, None if r.random() < 0.1 else order_id, "decision", "refused", outcome="refused",
                  detail=self.decision(self.count, order_id, account, body, findings, "refuse"), **common)
            return
        m.row(at, run, account, order_id, "decision", "intended",
              detail=self.decision(self.count, order_id, account, body, findings, "accept"), **common)
        m.row(at, run, account, order_id, "intent", "intended", detail=body, **common)
        self.after(at, run, account, order_id, body, common)

    def after(self, at, run, account, order_id, body, common):
        r, m = self.rng, self.maker
        end = r.choice(["cut", "lost", "not-sent", "rejected", "working", "filled", "filled", "canceled", "expired",
                        "done"])
        if end == "cut":
            return
        at += r.randrange(1, 10**9)
        took = r.randrange(200, 90000)
        if end == "lost":
            m.row(at, run, account, order_id, "post", "unknown",
                  detail={"http": None, "error": "timeout", "attempts": 1, "tookUs": took}, **common)
            m.row(at, run, account, order_id, "outcome", "unknown", outcome="unknown", **common)
            return
        if end == "not-sent":
            m.row(at, run, account, order_id, "post", "not-sent",
                  detail={"http": 429, "error": None, "attempts": 4, "tookUs": took}, **common)
            m.row(at, run, account, order_id, "outcome", "not-sent", outcome="not-sent",
                  text=self.word("the service was busy"), **common)
            return
        m.row(at, run, account, order_id, "post", "posted",
              detail={"http": 200, "orderStatus": "PendingNew", "text": None, "error": None, "attempts": 1,
                      "tookUs": took}, **common)
        broker_id = order_id + "B" if r.random() < 0.2 else None
        if end == "rejected":
            code = r.choice(["R118", "R78", "R114"])
            for record in ("update", "outcome"):
                m.row(at + 10**6, run, account, order_id, record, "rejected", broker_id=broker_id, code=code,
                      outcome="rejected" if record == "outcome" else None, text=f"{code}: " + self.word("no", "closed"),
                      detail={"source": "stream"} if record == "update" else None, **common)
            return
        m.row(at + 2 * 10**6, run, account, order_id, "update", "working", broker_id=broker_id,
              detail={"source": "stream", "heard": "New"}, **common)
        m.row(at + 3 * 10**6, run, account, order_id, "outcome", "working", outcome="working", broker_id=broker_id,
              **common)
        if r.random() < 0.1:
            m.row(at + 4 * 10**6, run, account, order_id, "anomaly", "working", text=self.word("it should not"),
                  detail={"heard": "PendingNew"}, **common)
        if end == "working":
            return
        done, price = 0, f"{r.randrange(100, 99999) / 100:.2f}".rstrip("0").rstrip(".")
        if end == "filled" and r.random() < 0.4 and body["orderQuantity"] > 1:
            done = r.randrange(1, body["orderQuantity"])
            m.row(at + 5 * 10**6, run, account, order_id, "update", "working", broker_id=broker_id, executed=str(done),
                  price=price, detail={"source": "stream", "heard": "PartiallyFilled"}, **common)
        later = at + r.choice([10**7, 10**10, 86400 * 10**9])
        executed = str(body["orderQuantity"]) if end == "filled" else str(done)
        m.row(later, run, account, order_id, "update", end, broker_id=broker_id, executed=executed,
              price=price if executed != "0" else "0", detail={"source": "stream", "heard": end.title()}, **common)
        if r.random() < 0.3:
            m.row(later, run, account, order_id, "outcome", end, outcome=end, broker_id=broker_id, executed=executed,
                  price=price if executed != "0" else "0", **common)


def random_days(path, seed, orders=400, first=1768280000, days=3, hostile=False):
    """Append orders of that many days after `first` (seconds; it is 2026-01-13T04:53:20Z, before a midnight of New
    York), some at the very edges of days. Times are not in the sequence of the records, as with several senders."""
    rng = random.Random(seed)
    maker = Maker(path)
    made = Days(maker, rng, hostile)
    midnight = first - first % 3600
    for i in range(orders):
        at = (first + rng.randrange(days * 86400)) * 10**9 + rng.choice([0, rng.randrange(10**9), 250 * 10**6])
        if rng.random() < 0.1:  # an edge: a whole hour, or a nanosecond or millisecond off it
            at = (midnight + rng.randrange(days * 24) * 3600) * 10**9 + rng.choice([0, -1, 1, 10**6])
        made.order(at, f"run-{i % 5}", rng.choice(["PAPER0001", "LIVE0001"]))
    maker.row((first + 3600) * 10**9, "run-0", "", None, "policy", "done", detail={"old": "a", "new": "b", "why": "x"})
    maker.row((first + 7200) * 10**9, "run-0", "PAPER0001", None, "pnl-peak", "done", text="20260113",
              detail={"dayPnlPeak": 123.45})
    halt = {"of": "trading", "trading": "halted", "was": "on", "since": "2026-01-12T15:00:00Z", "by": "ann@desk",
            "reason": made.word("feed", "=1+1"), "flag": "/etc/ordergate/halt.json"}
    maker.row((first + 10800) * 10**9, "run-0", "", None, "trading", "done", text="trading is halted", detail=halt)
    maker.close()


def rows_of(path):
    """Every record as a dict, oldest first."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    try:
        return [dict(r) for r in db.execute("SELECT * FROM rows ORDER BY seq")]
    finally:
        db.close()


def instant(text):
    """The nanoseconds of a record's time."""
    whole, _, rest = text.rstrip("Z").partition(".")
    at = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return int(at.timestamp()) * 10**9 + int((rest or "0").ljust(9, "0"))


def tamper(path, change):
    """Drop the triggers that protect the ledger, change it, and create them again."""
    db = sqlite3.connect(path)
    guards = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    db.executescript("".join(f"DROP TRIGGER {name};" for name, _ in guards) + change + ";"
                     + "".join(f"{sql};" for _, sql in guards))
    db.close()
