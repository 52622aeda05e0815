"""A week of ordinary trading under the policies for live accounts, from Monday's opening to a flat account on Friday:
nothing ordinary is refused. It runs with quotes and without, since the service has none. Without them only orders
whose cost nothing but a quote bounds are refused, and never an order that reduces. Each batch of orders is a run of
its own with the same ledger, as at a desk that starts its gate in the morning and after lunch."""
import datetime
import unittest

from paper import LIVE, Paper, assert_equal, leg, occ, option, spread, stock
from parallel_unittest import main
from sender import Sender, TempHome

MONDAY = "2026-01-12T13:55:00Z"  # 8:55 in New York
ACCOUNT = "LIVE0001"
CALL, PUT = occ(kind="C"), occ(kind="P", strike=180)
F_CALL = occ("F", strike=13)
QUOTED = {"AAPL": (189.99, 190.01), "MSFT": (419.98, 420.02), "NVDA": (139.99, 140.01), "F": (11.99, 12.01),
          CALL: (7.90, 8.10), PUT: (2.90, 3.10), F_CALL: (0.40, 0.50), occ(strike=195): (5.40, 5.60)}
VERTICAL = [leg(CALL, "Buy"), leg(occ(strike=195), "Sell")]
UNDONE = [leg(CALL, "Sell", "Close"), leg(occ(strike=195), "Buy", "Close")]


def shares(order_id, **changes):
    return stock(order_id, **{"route": "SMART", **changes})


def closing(order_id, **changes):
    return shares(order_id, **{"side": "Sell", "openClose": "Close", **changes})


def contract(order_id, **changes):
    return option(order_id, **{"route": "SMARTO", "symbol": CALL, "limitPrice": 8.10, **changes})


def combination(order_id, legs, **changes):
    return spread(order_id, legs, **{"route": "SMARTM", "limitPrice": 2.70, **changes})


def by_quote(order, after=None):
    """Returns an order whose cost only a quote bounds. `after` is the order that opens the position that this one
    closes."""
    return {"by quote": True, "after": after, **order}


# when (New York's clock, written as UTC), and the lines of a run; what an order that needs a quote opened is closed by
# another such order
WEEK = [
    ("2026-01-12T14:00:00Z", [
        shares("mon-opening", orderQuantity=20, timeInForce="AtTheOpening", limitPrice=191),
        shares("mon-resting", symbol="F", orderQuantity=100, limitPrice=11.50),
        shares("mon-gtc", symbol="MSFT", orderQuantity=2, limitPrice=400, timeInForce="GoodTillCancel")]),
    ("2026-01-12T15:00:00Z", [
        shares("mon-buy", orderQuantity=20),
        contract("mon-calls", orderQuantity=2),
        {"cancel": "mon-resting"}]),
    ("2026-01-12T18:00:00Z", [
        closing("mon-stop", orderQuantity=20, orderType="Stop", limitPrice=None, stopPrice=180,
                timeInForce="GoodTillCancel"),
        shares("mon-gtc-2", symbol="MSFT", orderQuantity=2, limitPrice=405, timeInForce="GoodTillCancel",
               replaces="mon-gtc")]),
    ("2026-01-12T20:30:00Z", [
        contract("mon-call-out", orderQuantity=1, side="Sell", openClose="Close", limitPrice=7.90)]),
    ("2026-01-13T15:00:00Z", [
        combination("tue-vertical", VERTICAL),
        closing("tue-stop", orderQuantity=20, orderType="Stop", limitPrice=None, stopPrice=185,
                timeInForce="GoodTillCancel", replaces="mon-stop"),
        by_quote(shares("tue-market", symbol="F", orderQuantity=100, orderType="Market", limitPrice=None))]),
    ("2026-01-13T19:00:00Z", [
        by_quote(shares("tue-short", symbol="NVDA", side="Sell", orderQuantity=10, limitPrice=139.99)),
        by_quote(shares("tue-breakout", symbol="MSFT", orderQuantity=2, orderType="Stop", limitPrice=None,
                        stopPrice=430)),
        shares("tue-stop-limit", symbol="MSFT", orderQuantity=2, orderType="StopLimit", limitPrice=431,
               stopPrice=430)]),
    ("2026-01-14T15:00:00Z", [
        combination("wed-undone", UNDONE, limitPrice=2.30),
        by_quote(shares("wed-cover", symbol="NVDA", openClose="Close", limitPrice=140.01), "tue-short"),
        by_quote(contract("wed-covered-call", symbol=F_CALL, side="Sell", limitPrice=0.40), "tue-market"),
        {"cancel": "tue-stop"}]),
    ("2026-01-14T19:00:00Z", [
        closing("wed-out", orderQuantity=20, orderType="Market", limitPrice=None),
        by_quote(contract("wed-put", symbol=PUT, side="Sell", limitPrice=2.90))]),
    ("2026-01-15T15:00:00Z", [
        shares("thu-ioc", route="CTDL", timeInForce="ImmediateOrCancel", limitPrice=190.01),
        shares("thu-fok", route="CTDL", timeInForce="FillOrKill", orderQuantity=5),
        by_quote(contract("thu-put-out", symbol=PUT, openClose="Close", limitPrice=3.10), "wed-put")]),
    ("2026-01-15T21:30:00Z", [  # after the close
        shares("thu-late", timeInForce="Day_Plus", limitPrice=185)]),
    ("2026-01-16T15:00:00Z", [
        closing("fri-half", orderQuantity=10, limitPrice=189.99),
        contract("fri-call-out", orderQuantity=1, side="Sell", openClose="Close", limitPrice=7.90),
        by_quote(contract("fri-f-call", symbol=F_CALL, openClose="Close", limitPrice=0.50), "wed-covered-call"),
        {"cancel": "mon-gtc-2"}]),
    ("2026-01-16T20:50:00Z", [
        closing("fri-rest", orderQuantity=25, orderType="Market", limitPrice=None),
        by_quote(closing("fri-f", symbol="F", orderQuantity=100, orderType="Market", limitPrice=None), "tue-market")]),
]

ENDS = ("working", "filled", "canceled", "expired", "done")


def name_of(line):
    return line.get("clientOrderId") or "cancel of " + line["cancel"]


class Week(unittest.TestCase):
    """Tests with one policy for the whole week."""

    def quotes(self, gate):
        """Write quotes as of a second ago: the gate takes the time from the service's answers, which have whole
        seconds."""
        now = self.p.advance("1ms")
        now = (datetime.datetime.fromisoformat(now.replace("Z", "+00:00")) - datetime.timedelta(seconds=1)).isoformat()
        for symbol, (bid, ask) in QUOTED.items():
            gate.feed({"op": "quote", "symbol": symbol, "bid": bid, "ask": ask, "last": ask, "asOf": now})

    def feed(self, gate, line):
        """Returns the outcome of the line. If its quotes became too old before it was decided, the line is given again
        with new ones."""
        order = {k: v for k, v in line.items() if k not in ("by quote", "after")}
        if "cancel" in order:
            order = {"op": "cancel", "clientOrderId": order["cancel"]}
        for attempt in range(20):
            if attempt:
                order["clientOrderId"] += "."
            if self.quoted:
                self.quotes(gate)
            self.line += len(QUOTED) * self.quoted + 1
            gate.feed(order)
            told = gate.event("outcome", line=self.line)
            decision = gate.event("decision", line=self.line)
            self.findings[name_of(line)] = decision["findings"]
            if not (told["outcome"] == "refused" and self.quoted and all(
                    f.get("unsure") and ", 2s is the most" in f["message"] for f in decision["findings"]
                    if f["level"] == "refuse")):
                return told["outcome"]
        raise AssertionError(f"no quote was fresh when {order} was decided")

    def batch(self, home, policy, lines):
        told = {}
        args = ["-p", policy, "--trust-input"] if self.quoted else ["-p", policy]
        with Sender(self.p.url, home, *args, keys=LIVE, env={"ORDERGATE_ACCOUNT": ACCOUNT,
                                                             "ORDERGATE_ENVIRONMENT": "live"}) as gate:
            self.line = 0
            for line in lines:
                told[name_of(line)] = self.feed(gate, line)
            gate.finish()
        return told

    def week(self, policy, quoted):
        """Returns the outcome of each line, in two parts: orders that have a bound of their own, and those that only a
        quote bounds."""
        self.quoted, self.findings = quoted, {}
        alone, by_quotes = {}, {}
        with Paper(clock=MONDAY + "@1") as self.p, TempHome() as home:
            for symbol, (bid, ask) in QUOTED.items():
                self.p.quote(symbol, bid, ask)
            for when, lines in WEEK:
                self.p.control("PUT", "clock", {"now": when})
                lines = [x for x in lines if not x.get("after") or by_quotes.get(x["after"], "refused") != "refused"]
                told = self.batch(home, policy, lines)
                for line in lines:
                    (by_quotes if "by quote" in line else alone)[name_of(line)] = told[name_of(line)]
                self.p.advance("2s")  # what is to fill has filled
            held = self.p.get(f"accounts/{ACCOUNT}/positions", keys=LIVE).json["positions"]
        return alone, by_quotes, [(row["symbol"], row["shares"]) for row in held]

    def refused(self, told):
        return {name: [(f["reason"], f["message"]) for f in self.findings[name] if f["level"] == "refuse"]
                for name, outcome in told.items() if outcome == "refused"}

    def test_with_quotes_nothing_is_refused(self):
        alone, by_quotes, held = self.week("live", quoted=True)
        assert_equal(self.refused({**alone, **by_quotes}), {}, f"outcomes {alone | by_quotes}")
        assert_equal(held, [], "positions on Friday")
        assert_equal({name: outcome for name, outcome in {**alone, **by_quotes}.items() if outcome not in ENDS}, {})

    def test_without_quotes_only_what_a_quote_alone_bounds_is_refused(self):
        alone, by_quotes, held = self.week("live", quoted=False)
        assert_equal(self.refused(alone), {})
        assert_equal(held, [], "positions on Friday")
        assert_equal({name: outcome for name, outcome in by_quotes.items() if outcome != "refused"}, {})
        for name in by_quotes:
            unsure = [f.get("unsure") for f in self.findings[name] if f["level"] == "refuse"]
            assert_equal(set(unsure), {True}, f"{name}: {self.findings[name]}")


if __name__ == "__main__":
    main()
