"""Cancels and closes are accepted under every shipped policy, whatever is known.

Every kind of close and cancel is tried in every state under every policy.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
SOURCE = pathlib.Path(os.environ["OG_SOURCE"])
NOW = "2026-01-15T15:00:00Z"  # a Thursday, 10:00 in New York
CALL, PUT = "AAPL260320C00200000", "AAPL260320P00180000"
LOWER, UPPER = "AAPL260320C00190000", "AAPL260320C00210000"  # a vertical
POLICIES = sorted(p.stem for p in (SOURCE / "policies").glob("*.yaml")
                  if not p.stem.endswith("_test") and p.stem != "reference")


def lot(symbol, side, shares):
    option = len(symbol) > 6
    return {"symbol": "AAPL" if option else symbol, "tradedSymbol": symbol, "side": side, "shares": shares,
            "priceAvg": 5 if option else 190, "securityType": "Option" if option else "Stock"}


def working(order_id, **changes):
    return {"clientOrderId": order_id, "symbol": "F", "orderStatus": "New", "securityType": "Stock", "side": "Buy",
            "openClose": "Open", "orderType": "Limit", "limitPrice": 10, "orderQuantity": 1, "executed": 0,
            "leavesQuantity": 1, "timeInForce": "Day", **changes}


def facts(**changes):
    return {"asOf": "2026-01-15T14:59:59Z", "accountId": "LIVE0001",
            "account": {"account": "LIVE0001", "accountStatus": "Active", "accountType": "Live", "bp": 100000,
                        "overnightBp": 100000, "availableCash": 50000, "equity": 100000, "optLevel": 4,
                        "optionTradingLevel": 4},
            "accountList": [{"account": "LIVE0001", "accountType": "Live"}],
            "positions": [lot("AAPL", "Long", 1000), lot("MSFT", "Short", 300), lot(CALL, "Long", 4),
                          lot(PUT, "Short", 2), lot(LOWER, "Long", 3), lot(UPPER, "Short", 3)],
            "usedClientOrderIds": ["w1"], "orders": [working("w1")], "locateInventory": [], "locateHistory": [],
            "borrow": {"AAPL": True, "MSFT": True},
            "averageVolume": {"AAPL": 50000000, "MSFT": 20000000, "F": 50000000},
            "pnl": {"dayPnl": 0},
            "routes": [{"routeName": "SMART", "securityTypes": ["Stock", "Option"],
                        "timesInForce": ["Day", "GoodTillCancel"]},
                       {"routeName": "SMARTM", "securityTypes": ["Mleg"], "timesInForce": ["Day"]}],
            "quotes": {"AAPL": {"bid": 190.40, "ask": 190.50, "last": 190.45, "asOf": "2026-01-15T14:59:59Z"},
                       "MSFT": {"bid": 400.10, "ask": 400.20, "last": 400.15, "asOf": "2026-01-15T14:59:59Z"},
                       "F": {"bid": 10, "ask": 10.01, "last": 10, "asOf": "2026-01-15T14:59:59Z"}},
            **changes}


GATE_FULL = {"ordersLastSecond": 100000, "ordersLastMinute": 100000, "ordersToday": 1000000, "rejectionsInARow": 1000,
             "inFlight": [], "unknown": []}
# Over every limit of the shipped policies: far too much is held, working, lost, sent and rejected.
OVER = facts(gate=GATE_FULL, pnl={"dayPnl": -9e6, "totalPnL": -9e6},
             account={"account": "LIVE0001", "accountStatus": "Active", "accountType": "Live", "bp": 0,
                      "overnightBp": 0,
                      "availableCash": 0, "equity": 1000, "sodEquity": 10000000, "marginDeficit": 50000, "optLevel": 0,
                      "optionTradingLevel": 0},
             averageVolume={"AAPL": 10, "MSFT": 10}, borrow={"AAPL": False, "MSFT": False},
             orders=[working("w1"), *(working("o%d" % i, symbol="TSLA", limitPrice=400, orderQuantity=5000,
                                              leavesQuantity=5000) for i in range(400))],
             positions=[lot("AAPL", "Long", 90000), lot("MSFT", "Short", 70000), lot(CALL, "Long", 4000),
                        lot(PUT, "Short", 2000), lot(LOWER, "Long", 3000), lot(UPPER, "Short", 3000),
                        lot("TSLA", "Long", 100000)])
STATES = {
    "calm": facts(),
    "nothing is known": {"accountId": "LIVE0001"},
    "only the account is known": {k: facts()[k] for k in ("asOf", "accountId", "account", "accountList")},
    "everything is an hour old": facts(asOf="2026-01-15T14:00:00Z", quotes={
        "AAPL": {"bid": 190.40, "ask": 190.50, "last": 190.45, "asOf": "2026-01-15T14:00:00Z"}}),
    "everything is of the future": facts(asOf="2026-01-15T16:00:00Z"),
    "no quotes": facts(quotes={}),
    "over every limit": OVER,
    "halted": facts(gate={"trading": "halted"}),
    "reduce-only": facts(gate={"trading": "reduce-only"}),
    "halted, with no facts": {"accountId": "LIVE0001", "gate": {"trading": "halted"}},
    "halted by facts of an hour ago": facts(asOf="2026-01-15T14:00:00Z", gate={"trading": "halted"}),
}

# Old positions do not have what is closed, so nobody knows whether the order only reduces: that alone does not refuse
# it.
ANY_AGE = ("default", "paper")  # these set no age, so that positions of any age count as known
UNSEEN = {
    "nothing was held an hour ago": facts(asOf="2026-01-15T14:00:00Z", positions=[]),
    "nothing was held a minute ago": facts(positions=[], ages={"positions": "2026-01-15T14:59:00Z"}),
    "less was held a minute ago": facts(positions=[lot("AAPL", "Long", 1)], ages={"positions": "2026-01-15T14:59:00Z"}),
}


def order(order_id, **changes):
    return {"clientOrderId": order_id, "securityType": "Stock", "symbol": "AAPL", "side": "Sell", "openClose": "Close",
            "orderType": "Limit", "orderQuantity": 10, "timeInForce": "Day", "limitPrice": 190.4, "route": "SMART",
            **changes}


def without(document, *keys):
    return {k: v for k, v in document.items() if k not in keys}


CANCELS = {"cancel": {"op": "cancel", "clientOrderId": "w1"},
           "cancel for the account": {"op": "cancel", "clientOrderId": "w1", "accountId": "LIVE0001"}}
CLOSES = {
    "sell at a limit": order("c1"),
    "sell at the market": without(order("c2", orderType="Market"), "limitPrice"),
    "sell at a stop": without(order("c3", orderType="Stop", stopPrice=180), "limitPrice"),
    "sell at a stop limit": order("c4", orderType="StopLimit", stopPrice=190, limitPrice=189.9),
    "cover at a limit": order("c5", symbol="MSFT", side="Buy", limitPrice=400.2),
    "cover at the market": without(order("c6", symbol="MSFT", side="Buy", orderType="Market"), "limitPrice"),
    "cover at a stop": without(order("c7", symbol="MSFT", side="Buy", orderType="Stop", stopPrice=420), "limitPrice"),
    "sell a call": order("c8", securityType="Option", symbol=CALL, orderQuantity=1, limitPrice=5),
    "buy a put back": order("c9", securityType="Option", symbol=PUT, side="Buy", orderQuantity=1, limitPrice=5),
    "close a spread": order("c10", securityType="Mleg", symbol="AAPL", side="Sell", orderQuantity=1, limitPrice=3,
                            route="SMARTM",
                            legs=[{"symbol": LOWER, "side": "Sell", "ratio": 1, "openClose": "Close"},
                                  {"symbol": UPPER, "side": "Buy", "ratio": 1, "openClose": "Close"}]),
}
CLOSES["close a spread"] = without(CLOSES["close a spread"], "side", "openClose")


# Our own working orders beside which a close is sent: on the other side, with the same terms, of the same symbol.
OTHERS = [working("s1", symbol="AAPL", limitPrice=191),
          working("s2", symbol="AAPL", orderType="Market", limitPrice=None),
          working("s3", symbol="MSFT", side="Sell", limitPrice=400),
          working("s4", symbol="MSFT", side="Sell", orderType="Market", limitPrice=None),
          working("s5", symbol=CALL, securityType="Option", limitPrice=6),
          working("s6", symbol=PUT, securityType="Option", side="Sell", limitPrice=4)]
TERMS = ("symbol", "securityType", "side", "openClose", "orderType", "limitPrice", "orderQuantity", "timeInForce")


def row(line):
    """Returns the row of a working order that is this close or cancel under another id."""
    if line["securityType"] == "Mleg":
        return None
    return working("t" + line["clientOrderId"], leavesQuantity=line["orderQuantity"],
                   priceStop=line.get("stopPrice"), **{k: line.get(k) for k in TERMS})


ALL = {"sell all": order("a1", orderQuantity=1000),
       "cover all": order("a2", symbol="MSFT", side="Buy", limitPrice=400.2, orderQuantity=300),
       "sell all calls": order("a3", securityType="Option", symbol=CALL, orderQuantity=4, limitPrice=5),
       "sell for longer": order("a4", timeInForce="GoodTillCancel", route="SMART")}
NEARLY = dict(facts()["account"], marginDeficit=50000, overnightBp=0, bp=0, optLevel=0, optionTradingLevel=2)
for status in ("Restricted", "Closed", "active", None):
    STATES[f"accountStatus {status}"] = facts(account=dict(facts()["account"], accountStatus=status) if status
                                              else without(facts()["account"], "accountStatus"))
STATES["beside orders of our own"] = facts(orders=[working("w1"), *OTHERS])
STATES["the same works already"] = facts(orders=[working("w1"), *filter(None, map(row, CLOSES.values()))])
STATES["a margin deficit, and levels that disagree"] = facts(account=NEARLY)
TIMES = {"a holiday": "2026-01-19T15:00:00Z", "just before the close": "2026-01-15T20:59:57Z",
         "just after the open": "2026-01-15T14:30:02Z", "the day they expire": "2026-03-20T19:50:00Z"}

# The reasons for which a policy may refuse an order that only closes: it cannot be sent as written, which its sender
# can correct, or it uncovers what it covered. No reason depends on money, orders, positions, the account's status or
# the time of day.
AS_WRITTEN = {"limit-away-from-quote", "breaks-option-cover"}
# The lowest value that each limit can be set to.
TIGHT = {
    "order-quantity-limit": {"shares": 1, "contracts": 1},
    "order-notional": {"most": 1},
    "option-contracts": {"an_order": 1, "in_total": 1},
    "position-limit": {"shares": 1, "contracts": 1},
    "exposure": {"gross": 1, "short": 1},
    "concentration": {"most": "1%"},
    "open-orders": {"in_total": 1, "of_symbol": 1},
    "order-rate": {"a_second": 1, "a_minute": 1, "a_day": 1},
    "day-loss": {"most": 1, "drawdown": 1},
    "allowed-symbols": {"allowed": ["ZZZ"], "barred": ["AAPL", "MSFT"]},
    "allowed-terms": {"barred": ["Limit", "Market", "Stop", "StopLimit", "SMART"]},
    "time-window": {"windows": ["03:00-03:01"]},
    "group-limit": {"limits": [f"all {of} 0" for of in ("gross", "net", "long", "short", "positions", "orders")]},
    "weighted-exposure": {"limits": ["weights gross 0", "weights net 0"]},
    "repeated-order": {"window": "1h"},
    "tag-limits": {"a_minute": 1, "a_day": 1},
    "traded-limit": {f"{of}{what}": 1 for of in ("", "window_", "underlying_", "underlying_window_")
                     for what in ("notional", "shares", "contracts")},
    "self-cross": {},
    "short-sales": {"allow": "none"},
    "uncovered-options": {"allow": "none"},
    "expiry-day": {},
    "price-floor": {"stock": 1000, "option": 1000},
    "volume-share": {"most": "0.01%"},
    "rejection-streak": {"most": 1},
    "unknown-outcomes": {},
    "size-limit": {},
    "trading": {},
}


def is_desks(finding):
    """Returns True if the finding refuses by a limit of the user, where the broker would accept the order."""
    channel = finding["predicts"] and finding["predicts"]["channel"]
    return finding["level"] == "refuse" and channel not in ("rejected", "http-400")


class WayOut(unittest.TestCase):
    def check(self, policy, state, lines, *options):
        with tempfile.TemporaryDirectory() as home:
            path = os.path.join(home, "facts.json")
            with open(path, "w") as f:
                json.dump(state, f)
            os.chmod(path, 0o600)
            p = subprocess.run([GATE, "check", "--at", NOW, "-p", policy, "-f", path, *options], capture_output=True,
                               timeout=600, env={**os.environ, "HOME": home, "XDG_STATE_HOME": home},
                               input="".join(json.dumps(line) + "\n" for line in lines).encode())
        self.assertIn(p.returncode, (0, 1), p.stderr)
        return [json.loads(line) for line in p.stdout.splitlines()]

    def assert_open(self, policy, state, exits):
        told = {**STATES, **UNSEEN}[state]
        for name, decision in zip(exits, self.check(policy, told, exits.values(), "--independent")):
            with self.subTest(policy=policy, state=state, exit=name):
                self.assertEqual([f["message"] for f in decision["findings"] if f["level"] == "refuse"], [])
                self.assertEqual(decision["verdict"], "accept")

    def test_cancels(self):
        for policy in POLICIES:
            for state in STATES:
                self.assert_open(policy, state, CANCELS)

    def test_closes(self):
        for policy in POLICIES:
            for state in STATES if policy in ANY_AGE else (*STATES, *UNSEEN):
                self.assert_open(policy, state, CLOSES)

    def moved(self):
        """Returns closes of everything that is held, each with the row of a working one that it is to replace."""
        stops = {"sell at a stop": CLOSES["sell at a stop"], "cover at a stop": CLOSES["cover at a stop"]}
        for name, line in {**ALL, **{k: dict(v, orderQuantity=ALL[b]["orderQuantity"])
                                     for (k, v), b in zip(stops.items(), ("sell all", "cover all"))}}.items():
            yield name, dict(line, clientOrderId="m1", replaces="t" + line["clientOrderId"]), row(line)

    def lines(self, policy, state, line, *options):
        """Returns what --emit lines writes of the line."""
        return self.check(policy, state, [line], "--orders-only", "--emit", "lines", *options)

    def test_a_close_in_the_place_of_another(self):
        """A replacement passes to send, which cancels the old order first, while check alone decides it beside that
        one."""
        with tempfile.TemporaryDirectory() as folder:
            for policy in [p for base in POLICIES for p in (base, self.strictest(base, folder))]:
                for name, line, old in self.moved():
                    with self.subTest(policy=policy, exit=name):
                        state = facts(orders=[working("w1"), old])
                        passed = self.lines(policy, state, line)
                        self.assertEqual([(p["clientOrderId"], p["replaces"]) for p in passed],
                                         [("m1", line["replaces"])])
                        decided = self.check(policy, state, [line])[0]
                        self.assertIn("replace-before-canceled", [f["reason"] for f in decided["findings"]])

    def test_in_the_place_of_an_order_that_does_not_work(self):
        """Then --emit lines accepts what a decision accepts."""
        for policy in POLICIES:
            for status in ("Filled", "Rejected", "Canceled", "Expired", None):
                for name, line, old in self.moved():
                    with self.subTest(policy=policy, exit=name, status=status):
                        old = dict(old, orderStatus=status, leavesQuantity=0,
                                   executed=old["orderQuantity"] if status == "Filled" else 0)
                        state = facts(orders=[working("w1"), *([old] if status else [])])
                        passed = self.lines(policy, state, line)
                        self.assertEqual(len(passed), self.check(policy, state, [line])[0]["verdict"] == "accept")

    def test_only_for_send(self):
        name, line, old = next(self.moved())
        state = facts(orders=[working("w1"), old])
        for emit in ("orders", "bodies"):
            self.assertEqual(self.check("live", state, [line], "--emit", emit), [])
        for options in ((), ("--independent",), ("--assume", "filled"), ("--margin",), ("--suggest",)):
            with self.subTest(options=options):
                self.assertEqual(len(self.lines("live", state, line, *options)), 1)

    def test_what_would_be_too_much_even_alone(self):
        for name, line, old in self.moved():
            for policy in ("live", "cautious"):
                with self.subTest(policy=policy, exit=name):
                    state = facts(orders=[working("w1"), old])
                    more = dict(line, orderQuantity=line["orderQuantity"] + 1000)
                    self.assertEqual(self.lines(policy, state, more), [])

    def test_both_orders_count_for_later_lines(self):
        """An order is replaced once, an id is used once, and nothing is canceled yet."""
        name, line, old = next(self.moved())
        state = facts(orders=[working("w1"), old])
        close = order("c9", orderQuantity=1)
        for second in (dict(line, clientOrderId="m2"), dict(line), dict(line, replaces="m1")):
            with self.subTest(second=second):
                passed = self.check("live", state, [line, second, close], "--emit", "lines")
                self.assertEqual([p["clientOrderId"] for p in passed][:1], ["m1"])
                self.assertNotIn(second["clientOrderId"], [p["clientOrderId"] for p in passed][1:])

    def test_a_close_beyond_every_limit_on_the_size_of_orders(self):
        big = {"sell": order("b1", orderQuantity=80000),
               "cover": order("b2", symbol="MSFT", side="Buy", limitPrice=400.2,
                              orderQuantity=60000),
               "sell calls": order("b3", securityType="Option", symbol=CALL, orderQuantity=4000, limitPrice=5),
               "buy puts back": order("b4", securityType="Option", symbol=PUT, side="Buy", orderQuantity=2000,
                                      limitPrice=5),
               "close spreads": dict(CLOSES["close a spread"], orderQuantity=3000)}
        for policy in POLICIES:
            self.assert_open(policy, "over every limit", big)

    def strictest(self, base, folder):
        """Returns a policy based on that one, with each limit at its lowest value and every reason that can warn
        raised to refuse."""
        rules = {}
        register = subprocess.run([GATE, "rules", "--json"], capture_output=True, timeout=600, check=True)
        for rule in json.loads(register.stdout):
            if rule["locked"] or "order" not in rule["decides"]:
                continue
            reasons = {r["id"]: "refuse" for r in rule["reasons"] if r["level"] in ("warn", "refuse")}
            rules[rule["id"]] = {"level": "refuse", "reasons": reasons, **TIGHT.get(rule["id"], {})}
        path = os.path.join(folder, base + ".yaml")
        with open(path, "w") as f:
            json.dump({"ordergate": 1, "name": "strictest", "unsure": "refuse", "extends": [base], "rules": rules,
                       "lists": {"all": ["AAPL", "MSFT", "SPY", "GME", "F"],
                                 "weights": ["AAPL=2", "GME=-1.5", "default=0.5"]}}, f)
        os.chmod(path, 0o600)
        return path

    def test_closes_whatever_a_policy_lifts(self):
        """Closes are accepted under each policy with all rules as strict as possible, beside our own working
        orders, and at any time of day."""
        seen = set()
        with tempfile.TemporaryDirectory() as folder:
            for base in POLICIES:
                strictest = self.strictest(base, folder)
                for policy in (base, strictest):
                    asked = [(state, NOW) for state in STATES] + [("calm", at) for at in TIMES.values()]
                    for state, at in asked:
                        told = json.loads(json.dumps(STATES[state]).replace("2026-01-15T14:59:59Z", at))
                        exits = {**CLOSES, **(ALL if state != "the same works already" else {})}
                        decisions = self.check(policy, told, exits.values(), "--independent", "--at", at)
                        for name, d in zip(exits, decisions):
                            with self.subTest(policy=policy, state=state, at=at, exit=name):
                                bars = {f["reason"] for f in d["findings"] if is_desks(f)}
                                self.assertEqual(bars - AS_WRITTEN, set(), [f["message"] for f in d["findings"]])
                                seen |= {f["reason"] for f in d["findings"]}
        self.assertLessEqual({"crosses-own-order", "flatten-with-working-orders", "duplicate-working-order",
                              "market-holiday", "market-near-boundary"}, seen)

    def test_what_opens_is_still_refused_for_want_of_facts(self):
        """An order that opens is still refused by a policy that refuses it if facts are missing."""
        opens = order("o1", side="Buy", openClose="Open", limitPrice=190.4)
        for policy in POLICIES:
            if policy in ("default", "paper"):
                continue
            for state in ("nothing is known", "everything is an hour old"):
                with self.subTest(policy=policy, state=state):
                    decision = self.check(policy, STATES[state], [opens])[0]
                    self.assertEqual(decision["verdict"], "refuse")
                    self.assertTrue([f for f in decision["findings"] if f["level"] == "refuse" and f.get("unsure")])

    def test_what_opens_is_still_refused_unless_the_account_is_active(self):
        opens = {"buy": order("o1", side="Buy", openClose="Open", limitPrice=190.4),
                 "close more than is held": order("o2", orderQuantity=1001)}
        for policy in POLICIES:
            for state in (s for s in STATES if s.startswith("accountStatus")):
                decisions = self.check(policy, STATES[state], opens.values(), "--independent")
                for name, d in zip(opens, decisions):
                    with self.subTest(policy=policy, state=state, order=name):
                        self.assertIn("account-not-active",
                                      [f["reason"] for f in d["findings"] if f["level"] == "refuse"])

    def test_a_spread_that_opens_by_one_leg_is_no_way_out(self):
        legs = CLOSES["close a spread"]["legs"]
        mixed = dict(CLOSES["close a spread"], legs=[legs[0], dict(legs[1], openClose="Open")])
        stock = order("o2", openClose="Open", legs=[{"openClose": "Close"}])
        bare = without(order("o3", securityType="Option", symbol=CALL, orderQuantity=1, limitPrice=5), "openClose")
        for opens in (mixed, stock, bare):
            with self.subTest(opens=opens):
                decision = self.check("live", STATES["nothing is known"], [opens])[0]
                self.assertTrue([f for f in decision["findings"] if f["level"] == "refuse" and f.get("unsure")])

    def test_more_closes_than_is_held(self):
        """A close is refused if the known positions show that nothing, or less, is held."""
        for policy in ("live", "cautious"):
            for quantity in (1001, 100000):
                with self.subTest(policy=policy, quantity=quantity):
                    decision = self.check(policy, STATES["calm"], [order("c1", orderQuantity=quantity)])[0]
                    self.assertEqual(decision["verdict"], "refuse")

    def test_a_cancel_of_an_order_accepted_in_the_same_run(self):
        opens = order("n1", side="Buy", openClose="Open", symbol="F", limitPrice=9.99, orderQuantity=1)
        for policy in POLICIES:
            with self.subTest(policy=policy):
                lines = [opens, {"op": "cancel", "clientOrderId": "n1"}, order("n2"),
                         {"op": "cancel", "clientOrderId": "n2"}]
                said = [d["verdict"] for d in self.check(policy, STATES["calm"], lines)]
                self.assertEqual(said[2:], ["accept"] * 2)
                self.assertIn(said[:2], (["accept"] * 2, ["refuse"] * 2))
                if policy in ("default", "paper", "live", "cautious"):
                    self.assertEqual(said[0], "accept")

    def test_what_is_over_is_not_canceled(self):
        """A cancel is refused if the order is known to have ended, because it would have no effect."""
        for status in ("Filled", "Canceled", "Expired", "Rejected"):
            for policy in ("default", "live", "cautious"):
                with self.subTest(status=status, policy=policy):
                    state = facts(orders=[working("w1", orderStatus=status)])
                    decision = self.check(policy, state, [CANCELS["cancel"]])[0]
                    self.assertEqual(decision["verdict"], "refuse")


if __name__ == "__main__":
    unittest.main()
