"""ordergate ledger list with its filters: compared with a computation from the file by Python's sqlite3, over random
days with times at the edges of days, and hostile texts."""
import datetime
import json
import os
import random
import re
import sqlite3
import subprocess
import unittest
import zoneinfo

from ledger_maker import FREE_OF_ORDERS, NO_STATE, OPEN, RULES, STATES, Maker, empty, instant, random_days, rows_of
from paper import Paper
from sender import RUNNING, Sender, TempHome, resting
from terminal import screen

BIN = os.environ["OG_BIN"]
os.environ.setdefault("ORDERGATE_PAPER", os.path.join(BIN, "ordergate-paper"))
LEDGER = os.path.join(BIN, "ordergate-ledger")
EXCHANGE = zoneinfo.ZoneInfo("America/New_York")
BESIDE = NO_STATE - {"decision", "cancel"}
HALTS = {"trading", "latch", "resume"}


def run(*args, path):
    return subprocess.run([LEDGER, "--ledger", path, *args], capture_output=True, text=True, timeout=600)


def listed(*args, path):
    done = run("list", *args, path=path)
    if done.returncode != 0:
        raise AssertionError(f"{args}: {done.returncode}, {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def midnight(day):
    """The first nanosecond of a day of the exchange."""
    begins = datetime.datetime.combine(datetime.date.fromisoformat(day), datetime.time(), EXCHANGE)
    return int(begins.timestamp()) * 10**9


class Orders:
    """What the list should have, order by order, by the records alone. No run is alive."""

    def __init__(self, path):
        self.orders, self.halts = {}, []
        for r in rows_of(path):
            if r["record"] in HALTS:
                self.halts.append(r)
            if r["record"] in FREE_OF_ORDERS or (r["record"] in BESIDE and r["id"] is None):
                continue
            key = (r["account"], r["id"]) if r["id"] is not None else ("", r["seq"])
            self.orders.setdefault(key, []).append(r)

    def facts(self, rows):
        active = [r for r in rows if r["record"] not in BESIDE]
        intents = [r for r in rows if r["record"] == "intent"]
        if intents:
            newest = [r for r in active if r["seq"] >= intents[0]["seq"] and r["record"] not in NO_STATE][-1]
            body = json.loads(intents[-1]["detail"])
        else:
            newest = active[-1]
            body = json.loads(newest["detail"])["order"]
        state = newest["state"]
        if state == "intended" and newest["record"] != "decision":
            state = "unknown"
        findings = [f for r in active if r["record"] == "decision" for f in json.loads(r["detail"])["findings"]]
        return {"seq": newest["seq"], "state": state, "account": newest["account"], "tag": newest["tag"],
                "times": [instant(r["at"]) for r in active],
                "symbols": {body["symbol"].lower(), *(leg["symbol"].lower() for leg in body.get("legs", []))},
                "rules": {f[key] for f in findings for key in ("rule", "reason")}}

    def list(self, **f):
        found = []
        for rows in self.orders.values():
            o = self.facts(rows)
            if (f.get("since") is not None or f.get("until") is not None) and not any(
                    f.get("since", 0) <= t < f.get("until", 1 << 63) for t in o["times"]):
                continue
            if f.get("states") and o["state"] not in f["states"]:
                continue
            if f.get("symbol") and f["symbol"].lower() not in o["symbols"]:
                continue
            if f.get("rule") and f["rule"] not in o["rules"]:
                continue
            if f.get("open") and o["state"] not in OPEN:
                continue
            if any(f.get(key) not in (None, o[key]) for key in ("account", "tag")):
                continue
            found.append((o["seq"], o["state"]))
        if not {"states", "symbol", "tag", "rule", "open"} & {key for key, value in f.items() if value}:
            found += self.list_halts(**f)
        return sorted(found)

    def list_halts(self, since=None, until=None, account=None):
        """Halts of trading are of all accounts."""
        return [(r["seq"], "done") for r in self.halts
                if (since or 0) <= instant(r["at"]) < (until or 1 << 63)
                and (r["record"] == "trading" or account in (None, r["account"]))]


class Filters(unittest.TestCase):
    def compare(self, path, wanted, args, **filters):
        told = [(r["seq"], r["state"]) for r in listed(*args, path=path)]
        self.assertEqual(told, wanted.list(**filters), args)
        return len(told)

    def random_filters(self, rng):
        args, filters = [], {}
        if rng.random() < 0.5:
            day = rng.choice(["2026-01-12", "2026-01-13", "2026-01-14", "2026-01-15"])
            args, filters = ["--since", day], {"since": midnight(day)}
        if rng.random() < 0.5:
            day = rng.choice(["2026-01-13", "2026-01-14T17:00:00Z", "2026-01-15"])
            filters["until"] = instant(day) if "T" in day else midnight(day)
            args += ["--until", day]
        if rng.random() < 0.3:
            filters["states"] = rng.sample(STATES, 2)
            args += [x for state in filters["states"] for x in ("--state", state)]
        for key, words in (("symbol", ["aapl", "SPY", "SPY260320C00600000", "NONE"]), ("tag", ["mom", "pairs"]),
                           ("rule", [x for pair in RULES for x in pair]), ("account", ["PAPER0001", "LIVE0001"])):
            if rng.random() < 0.25:
                filters[key] = rng.choice(words)
                args += [f"--{key}", filters[key]]
        if rng.random() < 0.3:
            filters["open"] = True
            args.append("--open")
        return args, filters

    def test_random_days(self):
        for seed in range(2):
            with self.subTest(seed=seed), TempHome() as home:
                empty(home)
                random_days(home.ledger, seed, hostile=seed == 1)
                self.assertEqual(run("verify", path=home.ledger).returncode, 0)
                wanted, rng = Orders(home.ledger), random.Random(seed)
                self.assertGreater(self.compare(home.ledger, wanted, []), 300)
                self.assertGreater(self.compare(home.ledger, wanted, ["--open"], open=True), 20)
                for args, filters in ([], {}), (["--account", "LIVE0001", "--since", "2026-01-13"],
                                                {"account": "LIVE0001", "since": midnight("2026-01-13")}):
                    told = [(r["seq"], r["state"]) for r in listed("--halts", *args, path=home.ledger)]
                    self.assertEqual(told, wanted.list_halts(**filters))
                    self.assertEqual(len(told), 1)
                some = sum(self.compare(home.ledger, wanted, *given[:1], **given[1]) > 0
                           for given in (self.random_filters(rng) for _ in range(60)))
                self.assertGreater(some, 15)

    def test_a_rule_that_is_not_there(self):
        """A rule or reason of that id is proposed; one that found nothing, and a policy's own rule, need no word."""
        with TempHome() as home:
            empty(home)
            maker = Maker(home.ledger)
            own = {"rule": "no-cheap-shorts", "reason": "no-cheap-shorts", "level": "refuse", "message": "no"}
            maker.row(midnight("2026-01-15"), "r", "A", "a", "decision", "refused", outcome="refused",
                      detail={"findings": [own], "order": {"symbol": "AAPL"}})
            maker.close()
            for rule, meant in (("price-colar", "price-collar"), ("open-orders-above-limt", "open-orders-above-limit"),
                                ("no-cheap-short", None), ("zzzz", None)):
                for form in ("json", "csv", "table"):
                    done = run("list", "--rule", rule, "--format", form, path=home.ledger)
                    self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, int(form == "csv")))
                    self.assertIn(f"no rule or reason is called '{rule}'", done.stderr)
                    self.assertEqual("did you mean" in done.stderr, meant is not None, done.stderr)
                    self.assertIn(f"did you mean '{meant}'?" if meant else "", done.stderr)
            for rule in ("price-collar", "open-orders-above-limit", "no-cheap-shorts"):
                self.assertEqual(run("list", "--rule", rule, path=home.ledger).stderr, "")

    def test_unknown_and_open_agree(self):
        with TempHome() as home:
            empty(home)
            random_days(home.ledger, 7)
            wanted = [r["seq"] for r in listed("--state", "unknown", path=home.ledger)]
            told = [json.loads(line)["seq"] for line in run("unknown", path=home.ledger).stdout.splitlines()]
            self.assertEqual(told, wanted)
            self.assertGreater(len(told), 10)

    def test_a_day_is_new_yorks(self):
        """Also where clocks change: 8 March 2026 has 23 hours, 1 November 25."""
        for day, hours in (("2026-01-15", 24), ("2026-03-08", 23), ("2026-11-01", 25)):
            after = (datetime.date.fromisoformat(day) + datetime.timedelta(days=1)).isoformat()
            begins, ends = midnight(day), midnight(after)
            self.assertEqual((ends - begins) // (3600 * 10**9), hours)
            with TempHome() as home:
                empty(home)
                maker = Maker(home.ledger)
                for name, at in (("before", begins - 1), ("first", begins), ("last", ends - 1), ("next", ends)):
                    maker.row(at, "r", "A", name, "decision", "refused", outcome="refused", detail={"findings": []})
                maker.close()
                told = listed("--since", day, "--until", after, "--account", "A", path=home.ledger)
                self.assertEqual([r["clientOrderId"] for r in told], ["first", "last"], day)

    def test_today_and_yesterday(self):
        now = datetime.datetime.now(EXCHANGE)
        with TempHome() as home:
            empty(home)
            maker = Maker(home.ledger)
            today = midnight(now.date().isoformat())
            maker.row(today - 1, "r", "A", "then", "decision", "refused", outcome="refused", detail={"findings": []})
            maker.row(today, "r", "A", "now", "decision", "refused", outcome="refused", detail={"findings": []})
            maker.close()
            args = ("--since", "yesterday", "--until", "today", "--account", "A")
            told = [r["clientOrderId"] for r in listed(*args, path=home.ledger)]
            if datetime.datetime.now(EXCHANGE).date() == now.date():
                self.assertEqual(told, ["then"])

    def test_what_is_asked_wrongly(self):
        with TempHome() as home:
            empty(home)
            for args in (("list", "--state", "fild"), ("list", "--since", "2026-13-01"), ("list", "--until", "now"),
                         ("list", "--since", "2026-01-15T10:00:00"), ("list", "--symbol", ""), ("show", "a", "--open"),
                         ("unknown", "--since", "today"), ("export", "--rule", "x"), ("list", "--since", "2026-1-5")):
                done = run(*args, path=home.ledger)
                self.assertEqual((done.returncode, done.stdout), (2, ""), args)
                self.assertIn("ordergate ledger", done.stderr)
            self.assertIn("not-sent", run("list", "--state", "fild", path=home.ledger).stderr)


class OpenOrders(unittest.TestCase):
    """The table of open orders, which triggers keep."""

    def test_of_a_live_sender(self):
        with Paper(clock=RUNNING) as paper, TempHome() as home, Sender(paper.url, home) as gate:
            for order_id in ("a", "b"):
                gate.feed(resting(order_id))
                self.assertEqual(gate.event("outcome", order_id)["outcome"], "working")
            self.assertEqual([r["clientOrderId"] for r in listed("--open", path=home.ledger)], ["a", "b"])
            gate.feed({"op": "cancel", "clientOrderId": "a"})
            gate.event("outcome", "a", outcome="canceled")
            self.assertEqual([r["clientOrderId"] for r in listed("--open", path=home.ledger)], ["b"])
            gate.finish()
            self.assertEqual(run("verify", path=home.ledger).returncode, 0)

    def test_an_older_ledger_gets_it(self):
        """A ledger of schema 5 has the same open orders before and after it is brought up to date."""
        with TempHome() as home:
            empty(home)
            random_days(home.ledger, 3)
            wanted = listed("--open", path=home.ledger)
            with sqlite3.connect(home.ledger) as db:
                db.executescript("DROP TRIGGER rows_open; DROP TABLE open_orders; DROP TABLE gaps; DROP TABLE archived;"
                                 "DROP INDEX rows_of_time; DROP INDEX rows_of_broker_ids; PRAGMA user_version = 5")
            db.close()
            self.assertEqual(listed("--open", path=home.ledger), wanted)
            self.assertGreater(len(listed("--since", "2026-01-14", path=home.ledger)), 50)
            self.assertEqual(run("verify", path=home.ledger).returncode, 0)
            unknown = run("unknown", path=home.ledger).stdout.splitlines()
            lost = json.loads(unknown[0])
            done = run("resolve", lost["clientOrderId"], "--account", lost["accountId"], "--as", "canceled", "--reason",
                       "x", path=home.ledger)
            self.assertEqual(done.returncode, 0, done.stderr)
            with sqlite3.connect(home.ledger) as db:
                self.assertGreaterEqual(db.execute("PRAGMA user_version").fetchone()[0], 6)
            db.close()
            self.assertEqual(run("verify", path=home.ledger).returncode, 0)
            self.assertEqual(listed("--open", path=home.ledger), [r for r in wanted if r["seq"] != lost["seq"]])
            self.assertEqual(run("unknown", path=home.ledger).stdout.splitlines(), unknown[1:])

    def test_verify_compares_it(self):
        changes = {"DELETE FROM open_orders WHERE id = 'o'": "not among",
                   "INSERT INTO open_orders VALUES('A', 'e', 3)": "not open",
                   "UPDATE open_orders SET seq = seq - 1": "among", "DROP TRIGGER rows_open": "triggers"}
        for change, word in changes.items():
            with self.subTest(change=change), TempHome() as home:
                empty(home)
                maker = Maker(home.ledger)
                for order_id, state in (("o", "working"), ("e", "filled")):
                    maker.row(10**18, "r", "A", order_id, "intent", "intended", detail={})
                    maker.row(10**18, "r", "A", order_id, "update", state)
                maker.close()
                self.assertEqual(run("verify", path=home.ledger).returncode, 0)
                with sqlite3.connect(home.ledger) as db:
                    db.execute(change)
                db.close()
                done = run("verify", path=home.ledger)
                self.assertEqual(done.returncode, 1)
                self.assertIn(word, done.stdout)


class Words(unittest.TestCase):
    maxDiff = None
    """What is for people: the table of a list, and show."""

    CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

    def words(self, *args, path, columns=100):
        done = subprocess.run([LEDGER, "--ledger", path, "--format", "table", *args], capture_output=True, text=True,
                              timeout=600, env={**os.environ, "COLUMNS": str(columns)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIsNone(self.CONTROL.search(done.stdout), args)
        return done.stdout

    def known(self, text):
        """A text as it is shown to people, with single blanks."""
        return " ".join(self.CONTROL.sub("?", text).split())

    def masked(self, text):
        """A text of a record, as known() has it."""
        return self.known(text.replace("\n", "?"))

    def test_show_tells_each_order(self):
        with TempHome() as home:
            empty(home)
            random_days(home.ledger, 11, orders=60, hostile=True)
            for order in listed(path=home.ledger):
                if order["clientOrderId"] is None:
                    continue
                rows = [r for r in rows_of(home.ledger) if r["id"] == order["clientOrderId"]]
                text = self.known(self.words("show", "--", order["clientOrderId"], path=home.ledger))
                self.assertTrue(text.startswith(self.masked(
                    f"order {order['clientOrderId']} of account {order['accountId']}: {order['state']}")), text)
                self.assertIn(self.masked(order["symbol"]), text)
                self.assertIn(str(order["orderQuantity"]), text)
                if order["executed"]:
                    self.assertIn(f"{order['executed']} filled at {order['priceAvg']}", text)
                for decision in (json.loads(r["detail"]) for r in rows if r["record"] == "decision"):
                    for finding in decision["findings"]:
                        told = (f"{finding['level']} by rule {finding['rule']}, {finding['reason']}: "
                                f"{finding['message']}")
                        self.assertIn(self.masked(told), text)
                    self.assertIn("policy " + decision["policy"], text)
                for row in rows:
                    self.assertIn(row["state"] if row["record"] != "decision" else "DECIDED", text)

    def test_the_words_of_one_order(self):
        with TempHome() as home:
            empty(home)
            maker = Maker(home.ledger)
            at = midnight("2026-01-15") + 34200 * 10**9
            body = {"securityType": "Stock", "symbol": "AAPL", "side": "Buy", "openClose": "Open", "orderType": "Limit",
                    "orderQuantity": 100, "limitPrice": 190.01, "timeInForce": "Day", "clientOrderId": "a3"}
            decision = {"line": 7, "verdict": "accept", "predicts": {"channel": "accepted", "certainty": "stated"},
                        "findings": [{"rule": "price-collar", "reason": "limit-away", "level": "warn", "unsure": True,
                                      "message": "the quote is 12 s old"}], "policy": "live@sha256:12",
                        "facts": "sha256:34", "margin": {"required": 19001.00}}
            maker.row(at, "r1", "LIVE0001", "a3", "decision", "intended", detail=decision, tag="mom")
            maker.row(at, "r1", "LIVE0001", "a3", "intent", "intended", detail=body, tag="mom")
            maker.row(at + 10**9, "r1", "LIVE0001", "a3", "post", "posted", tag="mom",
                      detail={"http": 200, "orderStatus": "PendingNew", "error": None, "attempts": 1, "tookUs": 900})
            maker.row(at + 2 * 10**9, "r1", "LIVE0001", "a3", "update", "filled", broker_id="B9", executed="100",
                      price="190", detail={"source": "stream", "heard": "Filled"}, tag="mom")
            maker.close()
            wanted = """\
order a3 of account LIVE0001: filled, 100 filled at 190, strategy mom
  Buy 100 AAPL, to Open, Limit, limit 190.01, Stock, Day

DECIDED, AND WHAT WAS KNOWN
  2026-01-15 09:30:00 accepted, line 7, run r1
    warn by rule price-collar, limit-away: the quote is 12 s old (a fact was missing or too old)
    policy live@sha256:12
    facts sha256:34 (their digest: the ledger does not keep the facts themselves)
    the broker would answer: accepted, which is stated
    buying power needed 19001

RECORDS
  NEW YORK TIME        RECORD  STATE     FROM                         FILLED   AT  TEXT
  2026-01-15 09:30:00  intent  intended
  2026-01-15 09:30:01  post    posted    http 200, attempt 1, us 900
  2026-01-15 09:30:02  update  filled    stream Filled                   100  190
"""
            self.assertEqual(self.words("show", "a3", path=home.ledger).replace("19001.0", "19001"), wanted)
            self.assertEqual(self.words("show", "B9", path=home.ledger).replace("19001.0", "19001"), wanted)
            narrow = self.words("show", "a3", path=home.ledger, columns=40)
            self.assertLessEqual(max(map(len, narrow.splitlines()[1:])), 40 + len("sha256:12"))
            self.assertEqual(self.words("list", "--symbol", "aapl", "--tag", "mom", path=home.ledger, columns=120), """\
account LIVE0001
  NEW YORK TIME        ID  STATE   SIDE      QTY  SYMBOL  PRICE   FILLED   AT  STRATEGY
  2026-01-15 09:30:02  a3  filled  Buy open  100  AAPL    190.01     100  190  mom

1 order: 1 filled
""")
            self.assertEqual(self.words("list", path=home.ledger, columns=81), """\
  NEW YORK TIME   ACCOUNT    ID     STATE    ORDER                     FILLED
  01-15 10:00:00  PAPER0001  first  refused  Buy open -1 AAPL 190.01
    orderQuantity is -1, the least allowed is 1
  01-15 09:30:02  LIVE0001   a3     filled   Buy open 100 AAPL 190.01  100 at 190

2 orders: 1 refused, 1 filled
""")
            self.assertEqual(json.loads(run("show", "a3", path=home.ledger).stdout.splitlines()[0])["detail"], decision)
            self.assertEqual(run("show", "nobody", "--format", "table", path=home.ledger).returncode, 1)

    def states(self, text):
        """The states of the rows of a list, which begin with a time."""
        return re.findall(r"^  (?:2026-)?\d\d-\d\d \d\d:\d\d:\d\d  .*?  (" + "|".join(STATES) + ")(?:  |$)", text, re.M)

    def test_a_table_has_every_order_within_the_line(self):
        with TempHome() as home:
            empty(home)
            random_days(home.ledger, 12, orders=1100, hostile=True)
            for columns in (80, 200):
                text = self.words("list", path=home.ledger, columns=columns)
                for line in text.splitlines():  # a word longer than the line is not broken
                    self.assertTrue(len(line) <= columns or " " not in line.strip(), line)
                orders = [o for o in listed(path=home.ledger) if o["record"] not in HALTS]
                self.assertEqual(self.states(text), [order["state"] for order in orders])
                self.assertIn(f"\n{len(orders)} orders: ", text)
                for state in {order["state"] for order in orders}:
                    self.assertRegex(" ".join(text.split()), rf"{sum(o['state'] == state for o in orders)} {state}\b")
            unknown = run("unknown", path=home.ledger).stdout.splitlines()
            self.assertEqual(self.states(self.words("unknown", path=home.ledger)), ["unknown"] * len(unknown))

    def test_a_terminal_gets_a_table(self):
        with TempHome() as home:
            empty(home)
            for args, word in ((("list",), "NEW YORK TIME"), (("show", "first"), "order first of account PAPER0001"),
                               (("list", "--format", "json"), '"clientOrderId":"first"')):
                text, code = screen([LEDGER, "--ledger", home.ledger, *args])
                self.assertEqual(code, 0)
                self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
