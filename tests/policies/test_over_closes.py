#!/usr/bin/env python3
"""A close of more than the position opens the rest. Each limit on what opens notices that by itself, with
close-position off. Each lets a close of the position pass, and every close when positions are stale or missing, so
that positions can always be closed."""
import json
import unittest

from policy_case import NOON, PolicyCase, order

CALL, PUT, SHORT_PUT = "AAPL260220C00150000", "AAPL260220P00150000", "AAPL260220P00145000"
FIRST = "2026-01-15T16:59:59Z"

OPTION = {"securityType": "Option", "symbol": CALL, "limitPrice": 2}
SPREAD = {"securityType": "Mleg", "side": None, "openClose": None, "limitPrice": 2}


def legs(size):
    return {"orderQuantity": size, "legs": [
        {"symbol": CALL, "side": "Sell", "ratio": 1, "openClose": "Close"},
        {"symbol": "AAPL260220C00160000", "side": "Buy", "ratio": 1, "openClose": "Close"}]}


# The position of each kind, and an order that closes so many of it.
KINDS = {
    "stock, long": (100, {"side": "Sell"}),
    "stock, short": (100, {"side": "Buy"}),
    "option, long": (3, dict(OPTION, side="Sell")),
    "option, short": (3, dict(OPTION, side="Buy")),
    "spread": (3, SPREAD),
}
STOCK, OPTIONS = ("stock, long", "stock, short"), ("option, long", "option, short", "spread")
ALL = STOCK + OPTIONS

# For each limit: a setting that refuses any opening order, its reason, and the kinds for which it notices what exceeds
# the position.
LIMITS = [
    ("order-notional: {level: refuse, most: 0}", "notional-above-limit", ALL),
    ("order-quantity-limit: {level: refuse, shares: 1, contracts: 1}", "quantity-above-limit", ALL),
    ("option-contracts: {level: refuse, an_order: 1}", "contracts-above-limit", OPTIONS),
    ("option-contracts: {level: refuse, in_total: 0}", "contracts-total-above-limit", OPTIONS),
    ("position-limit: {level: refuse, shares: 0, contracts: 0}", "position-above-limit", ALL),
    ("exposure: {level: refuse, gross: 0}", "gross-exposure-above-limit", ALL),
    ("exposure: {level: refuse, short: 0}", "short-exposure-above-limit", ("stock, long", "option, long", "spread")),
    ("concentration: {level: refuse, most: 0.01%}", "concentration-above-limit", ALL),
    ("short-sales: {level: refuse, allow: none}", "short-barred", ("stock, long",)),
    ("short-sales: {level: refuse, allow: easy}", "short-not-easy", ("stock, long",)),
    ("short-sales: {level: refuse, least_price: 900}", "short-below-floor", ("stock, long",)),
    ("uncovered-options: {level: refuse, allow: none}", "option-uncovered", ("option, long", "spread")),
    ("expiry-day: {level: refuse, least_days: 90}", "expiry-too-near", OPTIONS),
    ("price-floor: {level: refuse, stock: 900, option: 900}", "price-below-floor", ALL),
    ("day-loss: {level: refuse, most: 1}", "day-loss-above-limit", ALL),
    ("open-orders: {level: refuse, in_total: 0}", "open-orders-above-limit", ALL),
    ("order-rate: {level: refuse, a_day: 0}", "orders-a-day-above-limit", ALL),
    ("allowed-symbols: {level: refuse, barred: [AAPL]}", "symbol-barred", ALL),
    ("time-window: {level: refuse, windows: [\"09:30-10:00\"]}", "outside-time-window", ALL),
    ("size-limit: refuse", "unlimited", ALL),
]


def facts(kind, held, age):
    rows = {
        "stock": [{"symbol": "AAPL", "side": "Long" if "long" in kind else "Short", "shares": held, "priceAvg": 10}],
        "option": [{"symbol": "AAPL", "tradedSymbol": CALL, "securityType": "Option", "priceAvg": 2,
                    "side": "Long" if "long" in kind else "Short", "shares": held}],
        "spread": [{"symbol": "AAPL", "tradedSymbol": CALL, "securityType": "Option", "side": "Long", "shares": held,
                    "priceAvg": 2},
                   {"symbol": "AAPL", "tradedSymbol": "AAPL260220C00160000", "securityType": "Option", "side": "Short",
                    "shares": held, "priceAvg": 2}],
    }[kind.split(",")[0]]
    quote = {"bid": 2, "ask": 2.1, "last": 2, "asOf": FIRST}
    return {"asOf": FIRST, "positions": rows, "orders": [], "account": {"equity": 10000, "bp": 1000000},
            "pnl": {"dayPnl": -100}, "borrow": {"AAPL": False}, "gate": {"trading": "on"},
            "quotes": {"AAPL": quote, CALL: quote, "AAPL260220C00160000": quote}, "ages": {"positions": age}}


def closing(kind, size):
    keys = dict(KINDS[kind][1])
    if kind == "spread":
        return order(**{**keys, **legs(size)})
    return order(**{**keys, "openClose": "Close", "orderQuantity": size})


class OverCloses(PolicyCase):
    def refused(self, policy, kind, size, held, age=FIRST):
        found = self.decide(policy, closing(kind, size), facts=facts(kind, held, age))[0]["findings"]
        return sorted({f["reason"] for f in found if f["level"] == "refuse"})

    def test_each_limit_sees_what_goes_beyond(self):
        for setting, reason, kinds in LIMITS:
            policy = self.policy(f"max_age: {{positions: 10s}}\nrules:\n  close-position: off\n  {setting}\n")
            for kind in ALL:
                held = KINDS[kind][0]
                for age in (FIRST, "2026-01-15T16:00:00Z"):
                    with self.subTest(setting=setting, kind=kind, age=age):
                        self.assertEqual(self.refused(policy, kind, held, held, age), [])
                        sees = kind in kinds and age == FIRST
                        seen = self.refused(policy, kind, held + 1, held, age)
                        self.assertEqual([reason] if sees else [], seen)
                        if sees:
                            self.assertEqual([reason], self.refused(policy, kind, held * 1000, held, age))

    def test_without_positions_a_close_passes(self):
        """If positions were never read, a close passes."""
        for setting, reason, kinds in LIMITS[:3]:
            policy = self.policy(f"rules:\n  {setting}\n")
            for kind in kinds:
                found = self.decide(policy, closing(kind, 2))[0]["findings"]
                self.assertEqual([f for f in found if f["level"] == "refuse"], [], (setting, kind))


class UnreadOrders(PolicyCase):
    """Positions are known, the list of orders was never read: a close of what is held passes, with an unsure finding
    that names what to read, since working orders may close the same. What the run itself has working is known, and
    bounds what is left."""
    SHIPPED = {"default": "warn", "paper": "warn", "live": "refuse", "cautious": "refuse", "small-account": "refuse",
               "options-income": "refuse", "short-seller": "refuse"}
    ROUTES = {"Stock": "SMART", "Option": "SMARTO", "Mleg": "SMARTM"}

    def run_of(self, policy, kind, sizes):
        document = facts(kind, KINDS[kind][0], FIRST)
        document = {**{k: v for k, v in document.items() if k not in ("orders", "ages")},
                    "account": {**document["account"], "accountStatus": "Active", "accountType": "Live"}}
        lines = []
        for i, size in enumerate(sizes):
            line = {**json.loads(closing(kind, size)), "clientOrderId": f"c{i}", "limitPrice": 2 + i / 100}
            lines.append(json.dumps({**line, "route": self.ROUTES[line["securityType"]]}))
        done = self.gate("check", "--at", NOON, "-p", policy, "-f", self.file("facts.json", json.dumps(document)),
                         input="\n".join(lines).encode())
        self.assertEqual(done.stderr, b"")
        decisions = [json.loads(line) for line in done.stdout.splitlines()]
        return [(d["verdict"], [(f["level"], f["reason"], f["message"]) for f in d["findings"]
                                if f["reason"] in ("close-exceeds-position", "mleg-close-not-held")])
                for d in decisions]

    def test_shipped_policies(self):
        for policy, level in self.SHIPPED.items():
            for kind in ALL:
                held, legs_of = KINDS[kind][0], 2 if kind == "spread" else 1
                reason = "mleg-close-not-held" if kind == "spread" else "close-exceeds-position"
                unsure = ("accept", [("warn", reason, f"{reason} not decided: orders not known")] * legs_of)
                with self.subTest(policy=policy, kind=kind):
                    first, (verdict, found) = self.run_of(policy, kind, (held, held))
                    self.assertEqual(first, unsure)
                    self.assertEqual(verdict, "accept" if level == "warn" else "refuse")
                    self.assertEqual([(f[0], f[1]) for f in found], [(level, reason)] * legs_of)
                    self.assertIn(f"working orders close {held} of them", found[0][2])
                    # what the first close leaves
                    self.assertEqual(self.run_of(policy, kind, (held - 1, 1)), [unsure, unsure])
                    # more than is held
                    verdict, found = self.run_of(policy, kind, (held + 1,))[0]
                    self.assertEqual((verdict, found[0][0]), ("refuse", "refuse"))


if __name__ == "__main__":
    unittest.main()
