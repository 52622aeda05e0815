"""Random accounts and markets for random orders: one account of one paper brokerage at several moments of a day,
and a gate that is given the brokerage's documents as facts.

The gate is one `ordergate check --independent` process for each moment. After an order, only the documents that the
order may have changed are read and given to the gate again.
"""
import datetime
import json
import os
import random
import subprocess
import urllib.parse

from fast_client import FastClient
import paper
import random_orders

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")

# The days, most of them with a special property. The document names no holidays, so for the brokerage any weekday is a
# session.
DAYS = ["2026-01-15", "2026-01-16", "2026-01-20", "2026-02-05", "2026-03-06", "2026-03-09", "2026-07-10", "2026-10-30",
        "2026-11-02", "2026-11-27", "2026-12-24"]  # early closes
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
    """Returns the next two monthly expiries after this month's."""
    d = datetime.date.fromisoformat(day)
    months = [(d.year + (d.month + n) // 12, (d.month + n) % 12 + 1) for n in (0, 1)]
    return [third_friday(*m).strftime("%y%m%d") for m in months]


def encoded(identity):
    """Returns the id percent-encoded, as it is written in a path."""
    return urllib.parse.quote(identity, "").encode()


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
    """Returns a few moments of one day, the earliest first."""
    day = r.choice(DAYS if r.random() < 0.93 else QUIET)
    hours = [r.choice(HOURS["regular"]), r.choice(HOURS["regular"])]
    hours += r.sample(HOURS["before"], r.choice([0, 1, 1]))
    hours += r.sample(HOURS["after"], r.choice([0, 0, 1]))
    hours += r.sample(OPENING, r.choice([0, 1])) + r.sample(CLOSING, r.choice([0, 1]))
    return day, [Moment(day, h) for h in sorted(set(hours))]


class World:
    """One account of one brokerage, and an ordergate process that is given the account's facts."""

    def __init__(self, number):
        self.number, self.r = number, random.Random("world %d" % number)
        day, some = moments(self.r)
        self.found(self.r.random() < 0.5, day, some)

    def found(self, live, day, some):
        self.live, self.moments, self.plain = live, some, True
        self.account = "LIVE0001" if live else "PAPER0001"
        self.broker = paper.Paper(clock=day + "T01:00:00-05:00")
        self.wire = FastClient(self.broker.port, paper.LIVE if self.live else paper.PAPER)
        self.base = ("accounts/%s/" % self.account).encode()
        self.gate, self.ids = None, {}
        self.view = random_orders.View(self.r, self.live)
        self.view.expiry, self.view.later = expiries(day)
        self.furnish()

    def furnish(self):
        """Create quotes, positions and locates, and read the documents that do not change."""
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
        easy = {s: json.loads(read(self.base + b"is-easy-to-borrow/symbol/" + s.encode()))["isEasyToBorrow"]
                for s in v.lean}
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
                "accountStatus": "Active" if r.random() < 0.94 else r.choice(["Restricted", "active", "Closed"]),
                "marginDeficit": r.choice([0] * 39 + [500]), "maintenanceDeficit": r.choice([0] * 39 + [1200.5])}
        if self.live:
            made["accountType"] = r.choice(["Live", "Live", "Margin", "Cash"])
        self.plain = (bp > 400000 and made["accountStatus"] == "Active"
                      and made["marginDeficit"] == made["maintenanceDeficit"] == 0)
        return made

    def some_positions(self):
        v, r, rows = self.view, self.r, []
        for symbol in r.sample(list(random_orders.MIDS), r.randrange(5)):
            rows.append({"symbol": symbol, "side": "Long" if v.lean[symbol] == "Buy" else "Short",
                         "shares": r.choice([1, 50, 100, 200, 500, 12.5]), "priceAvg": 10,
                         "dayOvernight": r.choice(["Day", "Overnight"])})
        for _ in range(r.randrange(5)):
            root = r.choice(list(random_orders.MIDS))
            rows.append({"symbol": v.contract(root, r.choice("CP"), v.strikes(root, 1)[0]),
                         "side": r.choice(["Long", "Long", "Short"]),
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
        """Give the contracts that were newly drawn quotes, at the brokerage and in the facts."""
        for symbol in self.view.new_quotes:
            line = self.tell(symbol)
            if self.gate:
                self.say(line, asOf=self.at)
        self.view.new_quotes.clear()

    def say(self, document, **more):
        self.gate.stdin.write(json.dumps({**document, **more}).encode() + b"\n")

    # ---- changes of the clock and the account ----

    def move(self, moment):
        """Go to another moment: start an ordergate process that decides as of then, with all facts."""
        v, self.at, self.exact = self.view, moment.at, moment.exact
        self.wire.put("clock", {"now": moment.at})
        self.close_gate()
        self.gate = subprocess.Popen([GATE, "check", "--independent", "--at", moment.at], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
        v.open, v.early, v.quiet = moment.open, moment.early, moment.quiet
        self.say(self.fixed, asOf=self.at, locateInventory=json.loads(self.wire.get(self.base + b"locates/inventory")),
                 quotes={s: {"bid": b, "ask": a, "last": a} for s, (b, a) in v.quotes.items()})
        self.look()

    def settle(self, settings):
        self.wire.put("accounts/" + self.account, settings)

    def stir(self):
        """Make a random change to the account or the market, and read the documents that change with it."""
        r, v = self.r, self.view
        what = r.random()
        if what < 0.6 or not self.plain:
            self.settle(self.some_account())
        elif what < 0.7:
            self.wire.put("positions/" + self.account, self.some_positions())
        elif what < 0.85 and v.orders:
            self.wire.call(b"DELETE",
                           b"/v1/api/" + self.base + b"orders/" + encoded(r.choice(v.orders)["clientOrderId"]))
        else:
            symbol = r.choice(list(v.lean))
            bid, ask = v.quotes[symbol]
            by = r.uniform(-0.02, 0.02) * ask
            v.quotes[symbol] = (round(bid + by, 2), round(ask + by + r.choice([0, 0, 0.03]), 2))
            self.say(self.tell(symbol), asOf=self.at)
        if r.random() < 0.7 and not self.exact:  # otherwise the order would meet others that are not settled yet
            self.wire.put("clock", {"advance": "1s"})
        self.look()

    def look(self):
        """Read the documents that change when an order is sent."""
        read, v = self.wire.get, self.view
        account, positions, orders = read(b"account/" + self.account.encode()), read(self.base + b"positions"), read(
            self.base + b"orders")
        self.tell_gate(b',"account":%s,"positions":%s,"orders":%s' % (account, positions, orders))
        v.bp = json.loads(account)["bp"]
        v.positions, v.orders = json.loads(positions)["positions"], json.loads(orders)["orders"]
        v.orders = [o for o in v.orders if o["orderStatus"] not in ("Filled", "Canceled", "Rejected", "Expired")]

    def tell_gate(self, more):
        """Give ordergate the brokerage's documents as facts, with the bytes that the brokerage sent."""
        used = json.dumps([{"id": i, "outcome": how} for i, how in self.ids.items()]).encode()
        self.gate.stdin.write(b'{"op":"facts","accountId":"%s","asOf":"%s","usedClientOrderIds":%s%s}\n'
                              % (self.account.encode(), self.at.encode(), used, more))

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
        """Returns what the brokerage does with the order: the HTTP status, and for a 200 the order's state at once
        and the state after it has settled."""
        account = o.get("accountId", self.account).encode()
        body = json.dumps({k: x for k, x in o.items() if k not in ("accountId", "replaces")}).encode()
        status, kind, body = self.wire.call(b"POST", b"/v1/api/accounts/%s/order" % account, body)
        if status != 200:
            return {"status": status, "type": kind, "body": body.decode()}
        row = json.loads(body)
        got = {"status": 200, "first": row["orderStatus"], "text": row["text"]}
        if row["orderStatus"] != "Rejected":
            self.wire.put("clock", {"advance": "1s"})
            row = json.loads(self.wire.get(self.base + b"order/" + encoded(row["clientOrderId"])))
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
            self.tell_gate(b"")

    def orders(self):
        """Draw, decide and post orders one after the other. Yields (order, how it was changed, decision, answer).
        """
        for moment in self.moments:
            self.move(moment)
            for _ in range(10 if moment.exact else 40):
                if self.r.random() < (0.04 if self.plain else 0.12):
                    self.stir()
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


class Plain(World):
    """An account of option level 4 at 10:00 on a Thursday, with positions and settings chosen by the caller."""

    def __init__(self, live, settings=None, positions=None):
        self.number, self.r, self.positions = 0, random.Random("plain"), positions or []
        self.settings = {"optLevel": 4, "bp": 5000000, "overnightBp": 5000000, **(settings or {})}
        self.found(live, DAYS[0], [Moment(DAYS[0], "10:00:00")])
        self.move(self.moments[0])

    def some_account(self):
        return self.settings

    def some_positions(self):
        self.view.contract("AAPL", "C", 190)
        self.contracts()
        return self.positions
