#!/usr/bin/env python3
"""A close of more than the position opens the rest. Each limit on what opens notices that by itself, with
close-position off. Each lets a close of the position pass, and every close when positions are stale or missing, so
that positions can always be closed."""
import unittest

from policy_case import PolicyCase, order

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


if __name__ == "__main__":
    unittest.main()
