"""The gate's predictions against the paper brokerage's answers, on random orders.

Both were written from the service document, by different hands and from different tables: this test drives seeded random
orders through `ordergate check` and then POSTs them to the paper brokerage, which has told the gate all it knows, and
demands that what the gate predicts is what the brokerage then does.  A prediction of certainty "stated" must come true in
channel, code and text; one of certainty "reading" too, because the paper brokerage follows the same recommended readings,
unless EXCEPT names it.  "accepted" without a certainty is stated: nothing in the document speaks against the order.

OG_DIFFERENTIAL_ORDERS says how many (20,000); OG_DIFFERENTIAL_WORLD replays the one world that a failure names.  A world is
one account of one service, at some hours of some days; the next one starts anew, so that a million takes no more room.
"""
import datetime
import json
import os
import random
import subprocess
import sys
import time
import unittest
import urllib.parse

import paper
import random_orders
from quick import Quick

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
CATALOGUE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "rules", "catalogue.txt")
ORDERS = int(os.environ.get("OG_DIFFERENTIAL_ORDERS", "20000"))
WORLD = os.environ.get("OG_DIFFERENTIAL_WORLD")
EACH = 50        # times that a stated reason comes up, of so many orders:
ENOUGH = 20000
STATED = 0.80    # of the orders

MODELLED = " by "  # the strategy rules, or its worst result at expiry
# Reasons beside which the brokerage may answer otherwise than predicted, and why.  None of them is stated.
EXCEPT = {
    "buying-power-exceeded": lambda f: MODELLED in f["message"],  # of what is written no margin formula is stated (GAP-23)
    "account-not-active": "what becomes of an order then is not stated (C4, GAP-22): the gate refuses it, the brokerage rejects it once routed",
    "client-order-id-used-uncertain": "whether a Rejected order uses up its id is not stated (CON-16): we warn, the brokerage says R114",
    "mleg-leg-open-close": "a leg's wrong openClose is a 400 or a rejection (CON-15), and may hide the shape of the legs",
    "symbol-not-uppercase": "what becomes of a lower-case symbol is not stated (CON-50): the brokerage does not know it",
}
# The catalogue gives these codes as readings: paper accounts are told in plain words (GAP-22).
CODE_IS_READING = {"route-security-type"}
# Stated by the catalogue for options, or for some prices; the register starts from reading.
STATED_IN_PART = ["limit-price-not-positive", "stop-price-missing", "stop-price-not-positive"]
# The reasons of this file's own test.
ELSEWHERE = ["rate-budget-exhausted"]

# Days and how they are: what the brokerage takes for a session is any weekday, for the document names no holidays.
DAYS = ["2026-01-15", "2026-01-16", "2026-01-20", "2026-02-05", "2026-03-06", "2026-03-09", "2026-07-10", "2026-10-30", "2026-11-02",
        "2026-11-27", "2026-12-24"]  # early closes
QUIET = ["2026-01-19", "2026-07-03", "2026-01-17", "2026-03-08"]  # holidays, a Saturday, a Sunday
HOURS = {
    "regular": ["09:45:00", "10:00:00", "11:31:17", "12:00:00", "13:30:00", "15:00:00", "15:30:00", "15:50:00"],
    "before": ["03:00:00", "04:00:00", "07:15:00", "09:00:00", "09:20:00"],
    "after": ["16:15:00", "16:30:00", "18:00:00", "19:55:00", "20:30:00", "23:00:00"],
}
OPENING, CLOSING = ["09:29:54", "09:29:59.999", "09:30:00"], ["15:59:59.999", "16:00:00", "16:00:00.001", "16:00:06"]


def third_friday(year, month):
    first = datetime.date(year, month, 1)
    return first + datetime.timedelta((4 - first.weekday()) % 7 + 14)


def expiries(day):
    """The next two monthly expiries that are not this day's month."""
    d = datetime.date.fromisoformat(day)
    months = [(d.year + (d.month + n) // 12, (d.month + n) % 12 + 1) for n in (0, 1)]
    return [third_friday(*m).strftime("%y%m%d") for m in months]


class Moment:
    def __init__(self, day, hour):
        summer = "2026-03-08" < day < "2026-11-01"
        self.at = "%sT%s%s" % (day, hour, "-04:00" if summer else "-05:00")
        weekend = datetime.date.fromisoformat(day).weekday() > 4
        self.open = "09:30:00" <= hour <= "16:00:00" and not weekend
        self.early = hour < "09:30:00" and not weekend
        self.quiet = hour > "16:00:00" or day in QUIET
        self.exact = hour in OPENING + CLOSING  # until the first order that takes time


def moments(r):
    """Some moments of one day, the earliest first."""
    day = r.choice(DAYS if r.random() < 0.93 else QUIET)
    hours = [r.choice(HOURS["regular"]), r.choice(HOURS["regular"])]
    hours += r.sample(HOURS["before"], r.choice([0, 1, 1]))
    hours += r.sample(HOURS["after"], r.choice([0, 0, 1]))
    hours += r.sample(OPENING, r.choice([0, 1])) + r.sample(CLOSING, r.choice([0, 1]))
    return day, [Moment(day, h) for h in sorted(set(hours))]


class World:
    """One account of one brokerage, and a gate that is told what it says."""

    def __init__(self, number):
        self.number, self.r = number, random.Random("world %d" % number)
        self.live = self.r.random() < 0.5
        self.account = "LIVE0001" if self.live else "PAPER0001"
        self.day, self.moments = moments(self.r)
        self.broker = paper.Paper(clock=self.day + "T01:00:00-05:00")
        self.wire = Quick(self.broker.port, paper.LIVE if self.live else paper.PAPER)
        self.base = ("accounts/%s/" % self.account).encode()
        self.post = b"/v1/api/" + self.base + b"order"
        self.gate, self.ids = None, {}
        self.view = random_orders.View(self.r, self.live)
        self.view.expiry, self.view.later = expiries(self.day)
        self.furnish()

    def furnish(self):
        """Quotes, positions, locates; what does not change is read once."""
        v, r = self.view, self.r
        for symbol, mid in random_orders.MIDS.items():
            mid *= r.uniform(0.98, 1.02)
            v.quotes[symbol] = (round(mid - 0.01, 2), round(mid + 0.01, 2))
            self.tell(symbol)
        self.wire.put("positions/" + self.account, self.some_positions())
        if self.live and r.random() < 0.6:
            self.locate(r.choice(["GME", "AMC"]), r.choice([100, 300]))
        read = self.wire.get
        routes = json.loads(read(self.base + b"routes"))
        v.routes = {x["routeName"]: x for x in routes["routes"]}
        easy = {s: json.loads(read(self.base + b"is-easy-to-borrow/symbol/" + s.encode()))["isEasyToBorrow"] for s in v.lean}
        self.fixed = {"op": "facts", "accountId": self.account, "routes": routes, "borrow": easy,
                      "accountList": json.loads(read(b"accounts"))}
        self.settle(self.some_account())

    def some_account(self):
        r = self.r
        cash = r.random() < 0.15
        bp = r.choice([5000000] * 9 + [400000, 100000, 20000, 250])
        self.view.level = r.choices([4, 3, 2, 1, 0], [16, 4, 2, 1, 1])[0]
        made = {"optLevel": self.view.level, "bp": bp, "overnightBp": bp / 2 if r.random() < 0.2 else bp,
                "leverage": 1 if cash else 2, "availableCash": bp if cash else r.choice([bp / 2, 0]),
                "accountStatus": "Active" if r.random() < 0.97 else r.choice(["Restricted", "active", "Closed"]),
                "marginDeficit": r.choice([0] * 39 + [500]), "maintenanceDeficit": r.choice([0] * 39 + [1200.5])}
        self.plain = bp > 400000 and made["accountStatus"] == "Active" and made["marginDeficit"] == made["maintenanceDeficit"] == 0
        return made

    def some_positions(self):
        v, r, rows = self.view, self.r, []
        for symbol in r.sample(list(random_orders.MIDS), r.randrange(5)):
            rows.append({"symbol": symbol, "side": "Long" if v.lean[symbol] == "Buy" else "Short",
                         "shares": r.choice([1, 50, 100, 200, 500, 12.5]), "priceAvg": 10, "dayOvernight": r.choice(["Day", "Overnight"])})
        for _ in range(r.randrange(5)):
            root = r.choice(list(random_orders.MIDS))
            rows.append({"symbol": v.contract(root, r.choice("CP"), v.strikes(root, 1)[0]), "side": r.choice(["Long", "Long", "Short"]),
                         "shares": r.choice([1, 2, 5]), "priceAvg": 2, "dayOvernight": "Overnight"})
        self.contracts()
        return rows

    def locate(self, symbol, shares):
        ask = json.dumps({"account": self.account, "symbol": symbol, "quantity": shares, "quoteReqID": "q"}).encode()
        take = json.dumps({"accountId": self.account, "quoteReqID": "q"}).encode()
        for path, body in ((b"quote", ask), (b"accept", take)):
            status = self.wire.call(b"POST", b"/v1/api/accounts/locates/" + path, body)[0]
            if status != 200:
                raise AssertionError("locate %s: %d" % (path, status))
            self.wire.put("clock", {"advance": "3s"})

    def tell(self, symbol):
        bid, ask = self.view.quotes[symbol]
        self.wire.put("quotes/" + symbol, {"bid": bid, "ask": ask, "last": ask})
        return {"op": "quote", "symbol": symbol, "bid": bid, "ask": ask, "last": ask}

    def contracts(self):
        """Both are told the quotes of contracts that came up."""
        for symbol in self.view.new_quotes:
            line = self.tell(symbol)
            if self.gate:
                self.say(line, asOf=self.at)
        self.view.new_quotes.clear()

    def say(self, document, **more):
        self.gate.stdin.write(json.dumps({**document, **more}).encode() + b"\n")

    # ---- the clock and the account as they change ----

    def move(self, moment):
        """To another moment: a gate that decides as of it, and knows all."""
        v, self.at = self.view, moment.at
        self.wire.put("clock", {"now": moment.at})
        self.close_gate()
        self.gate = subprocess.Popen([GATE, "check", "--independent", "--at", moment.at], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        v.open, v.early, v.quiet = moment.open, moment.early, moment.quiet
        self.say(self.fixed, asOf=self.at, locateInventory=json.loads(self.wire.get(self.base + b"locates/inventory")),
                 quotes={s: {"bid": b, "ask": a, "last": a} for s, (b, a) in v.quotes.items()})
        self.look()

    def settle(self, settings):
        self.wire.put("accounts/" + self.account, settings)
        if self.gate:
            self.look()

    def look(self):
        """What changes with an order, read again."""
        read, v = self.wire.get, self.view
        account, positions, orders = read(b"account/" + self.account.encode()), read(self.base + b"positions"), read(self.base + b"orders")
        self.gate.stdin.write(b'{"op":"facts","accountId":"%s","asOf":"%s","account":%s,"positions":%s,"orders":%s,"usedClientOrderIds":%s}\n'
                              % (self.account.encode(), self.at.encode(), account, positions, orders, self.used()))
        v.bp = json.loads(account)["bp"]
        v.positions, v.orders = json.loads(positions)["positions"], json.loads(orders)["orders"]
        v.orders = [o for o in v.orders if o["orderStatus"] not in ("Filled", "Canceled", "Rejected", "Expired")]

    def used(self):
        return json.dumps([{"id": i, "outcome": how} for i, how in self.ids.items()]).encode()

    def use(self, identity, outcome):
        self.ids[identity] = outcome
        if outcome == "accepted":
            self.view.used.append(identity)

    # ---- one order ----

    def predict(self, o):
        self.contracts()
        self.gate.stdin.write(json.dumps({"accountId": self.account, **o}).encode() + b"\n")
        self.gate.stdin.flush()
        return json.loads(self.gate.stdout.readline())

    def answer(self, o):
        """What the brokerage does with it: the status, and for a 200 its state at once and when it has settled."""
        account = o.get("accountId", self.account).encode()
        body = json.dumps({k: x for k, x in o.items() if k not in ("accountId", "replaces")}).encode()
        status, kind, body = self.wire.call(b"POST", b"/v1/api/accounts/%s/order" % account, body)
        if status != 200:
            return {"status": status, "type": kind, "body": body.decode()}
        row = json.loads(body)
        got = {"status": 200, "first": row["orderStatus"], "text": row["text"]}
        if row["orderStatus"] != "Rejected":
            self.wire.put("clock", {"advance": "1s"})
            row = json.loads(self.wire.get(self.base + b"order/" + urllib.parse.quote(row["clientOrderId"], "").encode()))
            got["text"] = row["text"]
        got["final"] = row["orderStatus"]
        words = (got["text"] or "").split(":")[0]
        got["code"] = words if got["final"] == "Rejected" and words[:1] == "R" and words[1:].isdigit() else None
        self.note(o, got)
        return got

    def note(self, o, got):
        identity = o.get("clientOrderId")
        if identity and got["code"] != "R114":
            self.use(identity, "rejected" if got["final"] == "Rejected" else "accepted")
            if got["code"] == "R118" and self.live:
                self.use(identity + "INVALID", "rejected")
        if got["final"] != "Rejected":
            self.look()
        else:
            self.gate.stdin.write(b'{"op":"facts","accountId":"%s","asOf":"%s","usedClientOrderIds":%s}\n'
                                  % (self.account.encode(), self.at.encode(), self.used()))

    def orders(self):
        """(order, what was done to it, decision, answer), one after the other."""
        for moment in self.moments:
            self.move(moment)
            for _ in range(10 if moment.exact else 40):
                if self.r.random() < (0.04 if self.plain else 0.12):
                    self.settle(self.some_account())
                o, what = random_orders.draw(self.view)
                decision = self.predict(o)
                got = self.answer(o)
                yield o, what, decision, got
                if moment.exact and got.get("first", "Rejected") != "Rejected":
                    break  # the clock has moved on

    def close_gate(self):
        if self.gate:
            self.gate.communicate(timeout=paper.DEADLINE)

    def close(self):
        self.close_gate()
        self.wire.close()
        self.broker.stop()


def certainty(decision):
    """Whether the decision's own prediction is stated: "accepted" is, unless something in doubt stands beside it."""
    p = decision["predicts"]
    if p["channel"] == "unknown":
        return "unknown"
    return p.get("certainty", "stated")


def disagreement(decision, got):
    p, sure = decision["predicts"], certainty(decision) == "stated"
    reasons = {f["reason"] for f in decision["findings"]}
    channel = p["channel"]
    if channel == "unknown" or (not sure and excepted(decision)):
        return None
    if channel == "http-400":
        if got["status"] != 400 or "text/plain" not in got["type"]:
            return "predicted a 400 of text"
        if p["text"] is not None and sorted(p["text"].split("\n")) != sorted(got["body"].strip().split("\n")):
            return "another body"
        return None
    if channel == "http-400-json":
        right = got["status"] == 400 and "json" in got["type"] and '"PlaceOrderWithResponse"' in got["body"]
        return None if right else "predicted a 400 of JSON"
    if got["status"] != 200:
        return "predicted a 200"
    if channel == "accepted":
        return "predicted accepted" if sure and got["final"] == "Rejected" else None
    if got["final"] != "Rejected":
        return "predicted a rejection"
    if doubted(decision):
        return None  # another one may come before
    if channel == "rejected" and got["first"] != "Rejected":
        return "predicted at once"
    if channel == "async" and got["first"] == "Rejected":
        return "predicted later"
    if p["code"] and got["code"] not in p.get("codes", [p["code"]]):
        if got["code"] or not reasons & CODE_IS_READING:
            return "another code"
    return None


def excepted(decision):
    found = [(EXCEPT[f["reason"]], f) for f in decision["findings"] if f["reason"] in EXCEPT]
    return any(rule(f) if callable(rule) else rule for rule, f in found)


def doubted(decision):
    """What is predicted is stated, but not that nothing else is decided before."""
    p = decision["predicts"]
    return p["certainty"] == "reading" and any(f["predicts"] == {**p, "certainty": "stated"} for f in decision["findings"])


def stated_reasons():
    """The catalogue's, of orders."""
    found, of_orders = [], True
    with open(CATALOGUE, encoding="utf-8") as f:
        for line in f:
            if line.startswith("# "):
                of_orders = not line.startswith(("# Cancel", "# Locate", "# Read"))
            elif of_orders and line.split()[-1:] == ["stated"]:
                found.append(line.split()[0])
    return found + STATED_IN_PART


class Tally:
    """What came up, and where it disagreed."""

    def __init__(self):
        self.orders = self.sure = self.doubted = 0
        self.came, self.channels, self.wrong = dict.fromkeys(stated_reasons(), 0), {}, []

    def take(self, world, o, what, decision, got):
        p = decision["predicts"]
        self.orders += 1
        self.channels[p["channel"]] = self.channels.get(p["channel"], 0) + 1
        self.sure += certainty(decision) == "stated"
        for reason in {f["reason"] for f in decision["findings"] if self.counts(decision, f)}:
            if reason in self.came:
                self.came[reason] += 1
        why = disagreement(decision, got)
        if why:
            self.wrong.append("%s\n  world %d at %s, %s: %s\n  predicted %s by %s\n  answered %s" % (
                why, world.number, world.at, what, json.dumps(o), json.dumps(p),
                [f["reason"] for f in decision["findings"] if f["predicts"]], got))

    @staticmethod
    def counts(decision, finding):
        """A finding comes up where the answer shows it: it predicts what the decision does, or nothing."""
        p, own = decision["predicts"], finding["predicts"]
        if finding.get("unsure"):
            return False
        if not own:
            return True
        return own.get("certainty") == "stated" and own["channel"] == p["channel"] and own.get("code") == p.get("code")

    def report(self):
        lines = ["%d orders, %.1f %% with a stated prediction (at least %.0f %%)" % (
            self.orders, 100 * self.sure / max(self.orders, 1), 100 * STATED)]
        lines.append(", ".join("%s %d" % x for x in sorted(self.channels.items())))
        lines += ["%7d %s" % (n, reason) for reason, n in sorted(self.came.items(), key=lambda x: x[1])]
        return "\n".join(lines)


class Differential(unittest.TestCase):
    def test_orders(self):
        tally, number = Tally(), int(WORLD or 1)
        started = time.monotonic()
        while tally.orders < ORDERS and len(tally.wrong) < 12:
            world = World(number)
            try:
                for drawn in world.orders():
                    tally.take(world, *drawn)
            finally:
                world.close()
            if WORLD:
                break
            number += 1
        print(tally.report(), file=sys.stderr)
        print("%.0f s" % (time.monotonic() - started), file=sys.stderr)
        if tally.wrong:
            self.fail("%d of %d differ:\n%s" % (len(tally.wrong), tally.orders, "\n".join(tally.wrong)))
        if WORLD:
            return
        self.assertGreaterEqual(tally.sure, STATED * tally.orders)
        if ORDERS >= ENOUGH:
            rare = {reason: n for reason, n in tally.came.items() if n < EACH and reason not in ELSEWHERE}
            self.assertFalse(rare, "come up less than %d times" % EACH)

    def test_budget(self):
        """More posts in a tenth of a second than the bucket of ten holds: the eleventh and all after it are 429."""
        exhausted = 0
        while exhausted < EACH:
            for (decision, (status, _, body)), number in zip(hurried(60), range(60)):
                over = decision["predicts"]["channel"] == "http-429"
                self.assertEqual(over, number >= 10, decision)
                self.assertEqual((status, body) if over else status, (429, b"") if over else 200)
                exhausted += over
        print("%7d rate-budget-exhausted" % exhausted, file=sys.stderr)


def hurried(most):
    """(decision, answer) of posts in a row that all ended before a token of the bucket could have come back."""
    order = {**paper.stock(), "accountId": "PAPER0001"}
    with paper.Paper(limits=True) as broker:
        wire, sent, replies = Quick(broker.port, paper.PAPER), [], []
        started = time.monotonic()
        while len(sent) < most:
            at = time.monotonic() - started
            reply = wire.call(b"POST", b"/v1/api/accounts/PAPER0001/order", json.dumps(paper.stock("r%d" % len(sent))).encode())
            if time.monotonic() - started > 0.09:
                break
            sent.append(at)
            replies.append(reply)
        wire.close()
    base = datetime.datetime.fromisoformat("2026-01-15T10:00:00-05:00")
    lines = []
    for i, at in enumerate(sent):  # those that were answered 429 took no token
        calls = [(base - datetime.timedelta(seconds=at - before)).isoformat() for before in sent[:min(i, 10)]]
        lines += [json.dumps({"op": "facts", "accountId": "PAPER0001", "gate": {"calls": {"POST order": calls}}}),
                  json.dumps({**order, "clientOrderId": "r%d" % i})]
    said = subprocess.run([GATE, "check", "--independent", "--at", base.isoformat()], input="\n".join(lines), capture_output=True,
                          text=True, timeout=paper.DEADLINE)
    return list(zip(map(json.loads, said.stdout.splitlines()), replies, strict=True))


if __name__ == "__main__":
    unittest.main(verbosity=1, argv=sys.argv[:1])
