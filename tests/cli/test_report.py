"""ordergate report: a day's figures equal a computation from the file by Python's sqlite3, over random days with
hostile texts; the words have those of the JSON; empty, damaged and used ledgers."""
import collections
import csv
import datetime
import decimal
import html.parser
import io
import json
import os
import re
import subprocess
import unittest
import zoneinfo

from ledger_maker import NO_STATE, OPEN, Maker, empty, instant, random_days, rows_of
from paper import Paper
from sender import RUNNING, Sender, TempHome, resting

BIN = os.environ["OG_BIN"]
os.environ.setdefault("ORDERGATE_PAPER", os.path.join(BIN, "ordergate-paper"))
EXCHANGE = zoneinfo.ZoneInfo("America/New_York")
OPTION = re.compile(r"[A-Z]{1,6}\d{6}[CP]\d{8}")
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
SECOND = 10**9


def run(*args, path, columns=200):
    return subprocess.run([os.path.join(BIN, "ordergate-report"), "--ledger", path, *args], capture_output=True,
                          text=True, timeout=600, env={**os.environ, "COLUMNS": str(columns)})


def report(day, *args, path):
    done = run("--date", day, *args, path=path)
    if done.returncode != 0:
        raise AssertionError(f"{args}: {done.returncode}, {done.stderr}")
    line, = done.stdout.splitlines()
    return json.loads(line, parse_float=decimal.Decimal)


def midnight(day):
    begins = datetime.datetime.combine(datetime.date.fromisoformat(day), datetime.time(), EXCHANGE)
    return int(begins.timestamp()) * SECOND


class Day:
    """What the report should have, by the records alone. No run is alive."""

    def __init__(self, path, day, account=None):
        self.day = day
        begins, ends = midnight(day), midnight(
            (datetime.date.fromisoformat(day) + datetime.timedelta(days=1)).isoformat())
        every = [r for r in rows_of(path)
                 if account is None or r["account"].lower() == account.lower() or r["record"] == "trading"]
        for r in every:
            r["ns"] = instant(r["at"])
            r["of_day"] = begins <= r["ns"] < ends
            r["doc"] = json.loads(r["detail"]) if r["detail"] else {}
        self.every, self.rows = every, [r for r in every if r["of_day"]]
        self.decisions = [r for r in self.rows if r["record"] == "decision" and "op" not in r["doc"]]
        self.refused = [r for r in self.decisions if r["state"] == "refused"]
        self.orders = collections.defaultdict(list)
        for r in every:
            if r["id"] is not None and r["record"] not in NO_STATE:
                self.orders[r["account"], r["id"]].append(r)

    def changes(self):
        """Each record of the day that may change an order, with the one before it."""
        for rows in self.orders.values():
            for i, r in enumerate(rows):
                if r["of_day"]:
                    yield r, rows[i - 1] if i else None

    def shown(self, r):
        return "unknown" if r["state"] == "intended" else r["state"]

    def states(self):
        last = {}
        for r, _ in self.changes():
            key = r["account"], r["id"]
            last[key] = max(last.get(key, r), r, key=lambda x: x["seq"])
        return dict(collections.Counter(self.shown(r) for r in last.values()))

    def fills(self):
        by = collections.defaultdict(lambda: [0, set(), decimal.Decimal(0), decimal.Decimal(0)])
        for r, before in self.changes():
            now, then = decimal.Decimal(r["executed"]), decimal.Decimal(before["executed"] if before else 0)
            if now == then:
                continue
            body = next(x["doc"] for x in self.orders[r["account"], r["id"]] if x["record"] == "intent")
            entry = by[body["symbol"], body.get("side")]
            dollars = now * decimal.Decimal(r["price_avg"]) - then * decimal.Decimal(
                before["price_avg"] if before else 0)
            entry[0] += 1
            entry[1].add((r["account"], r["id"]))
            entry[2] += now - then
            if "legs" in body:
                entry[3] = None
            elif entry[3] is not None:
                entry[3] += dollars * (100 if OPTION.fullmatch(body["symbol"]) else 1)
        return {key: (count, len(orders), quantity, dollars) for key, (count, orders, quantity, dollars) in by.items()}

    def refusals(self):
        return dict(collections.Counter((f["rule"], f["reason"]) for r in self.refused for f in r["doc"]["findings"]
                                        if f["level"] == "refuse"))

    def rejections(self):
        return dict(collections.Counter(r["code"] for r, before in self.changes()
                                        if r["state"] == "rejected" and (not before or before["state"] != "rejected")))

    def latency(self):
        us = sorted(r["doc"]["tookUs"] for r in self.rows if r["record"] == "post"
                    and r["doc"]["http"] and 200 <= r["doc"]["http"] <= 299)
        n = len(us)
        return {"count": n, **({"least": us[0], "median": us[n // 2], "p90": us[n - 1 - n // 10],
                                "p99": us[n - 1 - n // 100], "most": us[-1]} if n else {})}, us

    def highest(self):
        out = set()
        for account in {r["account"] for r in self.rows}:
            times = sorted(r["ns"] for r in self.rows if r["record"] == "intent" and r["account"] == account)
            for name, window in (("orders in a second", SECOND), ("orders in a minute", 60 * SECOND),
                                 ("orders of the day", 1 << 62)):
                most = max((sum(t <= x < t + window for x in times) for t in times), default=0)
                if most:
                    out.add((account, name, most))
            now, most, mine = set(), 0, set()
            for r in sorted((r for r in self.rows if r["account"] == account and r["id"] is not None
                             and r["record"] not in NO_STATE), key=lambda r: r["seq"]):
                mine |= {r["id"]} if r["record"] == "intent" else set()
                now = now | {r["id"]} if r["state"] in OPEN else now - {r["id"]}
                most = max(most, len(now & mine))
            if most:
                out.add((account, "orders of the day open at once", most))
        return out

    def hours(self):
        def of(rows):
            return collections.Counter(datetime.datetime.fromtimestamp(r["ns"] // SECOND, EXCHANGE).hour for r in rows)
        fills = [r for r, before in self.changes()
                 if decimal.Decimal(r["executed"]) != decimal.Decimal(before["executed"] if before else 0)]
        accepted = of([r for r in self.decisions if r["state"] != "refused"])
        refused, filled = of(self.refused), of(fills)
        return [{"hour": h, "accepted": accepted[h], "refused": refused[h], "fills": filled[h]} for h in range(24)]


def masked(text, blanks=False):
    """A text as it is shown: control characters masked, and, unless blanks, single blanks."""
    text = CONTROL.sub("?", text.replace("\n", "?"))
    return text if blanks else " ".join(text.split())


class Page(html.parser.HTMLParser):
    """What is in a page: names of tags and attributes, those that are not closed, the cells of tables."""

    EMPTY = {"meta", "rect"}

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.tables, self.heading, self.bars = set(), set(), [], {}, "", 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        self.bars += tag == "rect"
        if tag not in self.EMPTY:
            self.open.append(tag)
        if tag == "tr":
            self.tables.setdefault(self.heading, []).append([])
        if tag in ("td", "th"):
            self.tables[self.heading][-1].append("")
        if tag == "h2":
            self.heading = ""

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"{tag} ends within another element")

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.heading += data
        if self.open and self.open[-1] == "td":
            self.tables[self.heading][-1][-1] += data

    def table(self, heading):
        return [[" ".join(cell.split()) for cell in row] for row in self.tables.get(heading, [[]])[1:]]


class Figures(unittest.TestCase):
    maxDiff = None

    def compare(self, path, day, account=None):
        told = report(day, *(("--account", account) if account else ()), path=path)
        want = Day(path, day, account)
        self.assertEqual((told["date"], told["records"]), (day, len(want.rows)))
        self.assertEqual(told["orders"], {
            "decided": len(want.decisions), "accepted": len(want.decisions) - len(want.refused),
            "refused": len(want.refused), "posts": sum(r["record"] == "post" for r in want.rows), "cancels": 0})
        self.assertEqual(told["states"], want.states())
        self.assertEqual({(f["symbol"], f["side"]): (f["count"], f["orders"], f["quantity"], f["dollars"])
                          for f in told["fills"]["bySymbol"]}, want.fills())
        self.assertEqual(told["fills"]["count"], sum(f[0] for f in want.fills().values()))
        self.assertEqual({(r["rule"], r["reason"]): r["count"] for r in told["refusals"]}, want.refusals())
        self.assertEqual({r["code"]: r["count"] for r in told["rejections"]}, want.rejections())
        latency, us = want.latency()
        classes = told["latencyUs"].pop("classes")
        self.assertEqual(told["latencyUs"], latency)
        below = 0
        for c in classes:
            below += c["count"]
            self.assertEqual(below, sum(u < (c["under"] or 1 << 62) for u in us))
        self.assertEqual({(h["accountId"], h["measure"], h["value"]) for h in told["highest"]}, want.highest())
        self.assertEqual(told["hours"], want.hours())
        anomalies = [(r["id"], r["text"]) for r in want.rows if r["record"] == "anomaly"]
        self.assertEqual([(a["clientOrderId"], a["text"]) for a in told["anomalies"]], anomalies)
        self.assertEqual(told["anomalyCount"], len(anomalies))
        halts = [r["doc"] for r in want.rows if r["record"] == "trading"]
        self.assertEqual([{key: h[key] for key in ("trading", "was", "since", "by", "reason", "flag")}
                          for h in told["halts"]], [{k: v for k, v in h.items() if k != "of"} for h in halts])
        self.assertEqual(told["haltCount"], len(halts))
        self.assertIsNone(told["limits"])
        return told

    def test_random_days(self):
        for seed in range(3):
            with self.subTest(seed=seed), TempHome() as home:
                empty(home)
                random_days(home.ledger, seed, hostile=seed == 2)
                told = [self.compare(home.ledger, f"2026-01-{day}") for day in range(12, 18)]
                self.compare(home.ledger, "2026-01-14", "live0001")
                self.assertGreater(sum(t["orders"]["decided"] for t in told), 350)
                self.assertGreater(sum(t["fills"]["count"] for t in told), 50)
                self.assertEqual([p["dayPnlPeak"] for t in told for p in t["pnlPeaks"]], [decimal.Decimal("123.45")])
                self.assertEqual([b["record"] for t in told for b in t["byHand"]], ["policy"])
                self.assertEqual(sum(t["haltCount"] for t in told), 1)

    def test_a_day_at_the_change_of_clocks(self):
        for day in ("2026-03-08", "2026-11-01"):
            with self.subTest(day=day), TempHome() as home:
                empty(home)
                random_days(home.ledger, 5, first=midnight(day) // SECOND - 7200, days=1, orders=200)
                self.assertGreater(self.compare(home.ledger, day)["orders"]["decided"], 50)

    def test_the_words_have_the_figures(self):
        for hostile in (False, True):
            with TempHome() as home:
                empty(home)
                random_days(home.ledger, 3, hostile=hostile)
                told = report("2026-01-14", path=home.ledger)
                for columns in (80, 200):
                    done = run("--date", "2026-01-14", "--format", "table", path=home.ledger, columns=columns)
                    self.assertEqual(done.returncode, 0)
                    self.assertIsNone(CONTROL.search(done.stdout))
                    for line in done.stdout.split("\n\n", 2)[2].splitlines():
                        if " " in line.strip():  # a word that is longer than a line stays whole
                            self.assertLessEqual(len(line), columns)
                    words = " ".join(done.stdout.split())
                    for r in [] if hostile else told["refusals"] + told["rejections"]:
                        self.assertIn(" ".join((r["newest"]["text"] or "").split()), words, columns)
                orders = told["orders"]
                self.assertIn(f"{orders['decided']} orders decided: {orders['accepted']} accepted, {orders['refused']} "
                              f"refused; {orders['posts']} POSTs", done.stdout)
                for r in told["refusals"]:
                    self.assertRegex(done.stdout, rf"\n +{r['count']}  {r['rule']} +{r['reason']} ")
                for r in told["rejections"]:
                    self.assertRegex(done.stdout, rf"\n +{r['count']}  {r['code']} ")
                for f in told["fills"]["bySymbol"]:
                    if not CONTROL.search(f["symbol"] + "x") and "\n" not in f["symbol"]:
                        self.assertIn(f"  {f['symbol'][:30]}", done.stdout)
                self.assertIn("is not on record", done.stdout)

    def test_the_page(self):
        """One file without script or anything from elsewhere, well formed, whose texts are never markup."""
        for seed, hostile in ((3, False), (4, True), (5, True)):
            with self.subTest(seed=seed), TempHome() as home:
                empty(home)
                random_days(home.ledger, seed, hostile=hostile)
                told = report("2026-01-14", path=home.ledger)
                done = run("--date", "2026-01-14", "--format", "html", path=home.ledger)
                self.assertEqual(done.returncode, 0)
                self.assertIsNone(CONTROL.search(done.stdout))
                page = Page(done.stdout)
                self.assertLessEqual(page.tags, set(
                    "html head title meta style body main h1 h2 p dl dt dd div table thead tbody tr th td svg text"
                    " tspan rect".split()))
                self.assertEqual(page.open, [])
                self.assertLessEqual(page.attributes, set(
                    "lang charset http-equiv content name scope class viewbox role aria-label x y width height"
                    " text-anchor".split()))
                self.assertIn("default-src 'none'", done.stdout)
                self.assertFalse(re.search(r"(?i)<script|url\(|@import|javascript:", done.stdout))
                wanted = [[str(r["count"]), r["rule"], r["reason"], masked(r["newest"]["clientOrderId"] or "\u2013"),
                           masked(r["newest"]["text"])] for r in told["refusals"]]
                self.assertEqual(page.table("Refusals"), wanted)
                wanted = [[masked(f["symbol"]), f["side"] or "\u2013", str(f["count"]), str(f["orders"]),
                           str(f["quantity"]), "\u2013" if f["dollars"] is None else str(f["dollars"])]
                          for f in told["fills"]["bySymbol"]]
                self.assertEqual(page.table("Fills"), wanted)
                self.assertEqual([row[0] for row in page.table("Rejected by the broker")],
                                 [str(r["count"]) for r in told["rejections"]])
                # bars: one of each kind for each hour that has some, one for each class of times, one for each reason
                self.assertEqual(page.bars, sum((h["accepted"] > 0) + (h["refused"] > 0) + (h["fills"] > 0)
                                                for h in told["hours"])
                                 + sum(c["count"] > 0 for c in told["latencyUs"]["classes"])
                                 + min(20, len(told["refusals"])))

    def test_rows_for_other_programs(self):
        """CSV and flat JSON: every column in every row; CSV can start no formula and has one line a row."""
        with TempHome() as home:
            empty(home)
            random_days(home.ledger, 6, hostile=True)
            args = ("--date", "2026-01-14", "--format")
            flat = [json.loads(line, parse_float=decimal.Decimal)
                    for line in run(*args, "ndjson", path=home.ledger).stdout.splitlines()]
            text = run(*args, "csv", path=home.ledger).stdout
            rows = list(csv.DictReader(io.StringIO(text)))
            self.assertEqual(len(text.splitlines()), len(flat) + 1)
            self.assertGreater(len(flat), 100)
            ledger = os.path.join(BIN, "ordergate-ledger")
            listed = subprocess.run([ledger, "--ledger", home.ledger, "list", "--since", "2026-01-14", "--until",
                                     "2026-01-15"], capture_output=True, text=True).stdout.splitlines()
            self.assertEqual([r["seq"] for r in flat], [json.loads(line)["seq"] for line in listed])
            numbers = {"seq", "orderQuantity", "limitPrice", "stopPrice", "legs", "executed", "priceAvg"}
            for row, cells in zip(flat, rows, strict=True):
                self.assertEqual(list(row), list(cells))
                for key, value in row.items():
                    self.assertIsInstance(value, (int, decimal.Decimal, type(None)) if key in numbers
                                          else (str, type(None)), key)
                    cell = cells[key]
                    if key in numbers:
                        self.assertEqual(cell, "" if value is None else str(value))
                        continue
                    self.assertFalse(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\uff1d")), cell)
                    self.assertIsNone(CONTROL.search(cell) or re.search("\n", cell))
                    shown = masked(value or "", blanks=True)
                    self.assertIn(cell, (shown, "'" + shown))
                refused = row["state"] == "refused"
                self.assertEqual((row["rule"] is not None, row["reason"] is not None), (refused, refused))
            listed = subprocess.run([ledger, "--ledger", home.ledger, "list", "--format", "csv"], capture_output=True,
                                    text=True).stdout
            self.assertEqual(listed.splitlines()[0], text.splitlines()[0])
            self.assertLess(set(text.splitlines()), set(listed.splitlines()))

    def test_an_empty_day_and_ledger(self):
        with TempHome() as home:
            empty(home)
            told = self.compare(home.ledger, "2026-01-20")
            self.assertEqual((told["records"], told["refusals"], told["latencyUs"]), (0, [], {"count": 0}))
            self.assertIn("0 orders decided", run("--date", "2026-01-20", "--format", "table",
                                                  path=home.ledger).stdout)
            maker = Maker(home.ledger)
            maker.db.executescript("DROP TRIGGER rows_keep; DELETE FROM rows; UPDATE head SET seq = 0, hash = ''")
            maker.db.close()
            self.assertEqual(self.compare(home.ledger, "2026-01-15")["records"], 0)

    def test_records_that_nobody_wrote(self):
        """Texts that are no JSON, no time and no amount: counted where they can be, never an error."""
        with TempHome() as home:
            empty(home)
            maker = Maker(home.ledger)
            at = midnight("2026-01-14") + SECOND
            for detail in ("{", "null", "[]", '{"findings":7}', '{"findings":[7,{"level":1}]}', '{"http":"x"}',
                           '{"http":200,"tookUs":"no"}', '{"legs":{},"symbol":[1]}', "\0", "", None):
                for record, state in (("decision", "refused"), ("intent", "intended"), ("post", "posted"),
                                      ("update", "filled"), ("latch", "done"), ("anomaly", "dancing"),
                                      ("trading", "done")):
                    maker.row(at, "r", "A", f"id{detail!r}", record, state, executed="1e9" if detail else "-5",
                              price="NaN", detail=detail, code="", text="")
            maker.row("yesterday", "r", "A", "x", "update", "working")
            maker.close()
            done = run("--date", "2026-01-14", path=home.ledger)
            self.assertEqual((done.returncode, json.loads(done.stdout)["records"]), (0, 77), done.stderr)
            self.assertEqual(run("--date", "2026-01-14", "--format", "table", path=home.ledger).returncode, 0)

    def test_a_damaged_ledger(self):
        with TempHome() as home:
            empty(home)
            random_days(home.ledger, 1)
            size = os.path.getsize(home.ledger)
            with open(home.ledger, "r+b") as f:
                f.seek(size // 2)
                f.write(os.urandom(size // 4))
            done = run("--date", "2026-01-14", path=home.ledger)
            self.assertIn(done.returncode, (0, 4))
            self.assertTrue(done.returncode == 0 or home.ledger in done.stderr or "ledger" in done.stderr)
            self.assertTrue(done.returncode == 4 or json.loads(done.stdout))

    def test_a_ledger_in_use(self):
        """It is read while a sender writes, whose orders go on."""
        with Paper(clock=RUNNING) as paper, TempHome() as home, Sender(paper.url, home) as gate:
            for i in range(5):
                gate.feed(resting(f"o{i}"))
                self.assertEqual(gate.event("outcome", f"o{i}")["outcome"], "working")
                told = report("2026-01-15", path=home.ledger)
                self.assertEqual((told["orders"]["accepted"], told["states"]), (i + 1, {"working": i + 1}))
            self.assertEqual(told["latencyUs"]["count"], 5)

    def test_what_is_asked_wrongly(self):
        with TempHome() as home:
            empty(home)
            for args in (("x",), ("--date", "2026-02-30"), ("--date", "tomorrow"), ("--date", ""), ("--format", "pdf")):
                done = run(*args, path=home.ledger)
                self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertEqual(run(path=home.path + "/none").returncode, 4)
            with open("/dev/full", "wb") as full:
                done = subprocess.run([os.path.join(BIN, "ordergate-report"), "--ledger", home.ledger], stdout=full,
                                      stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 4)


if __name__ == "__main__":
    unittest.main()
