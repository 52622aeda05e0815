#!/usr/bin/env python3
"""What lint finds out about the meaning of policies and, more often, what it must not report."""
import glob
import os
import re
import resource
import unittest

from lint_case import LintCase

HEAD = "ordergate: 1\nunsure: refuse\n"


def custom(require, when=None, more=""):
    return HEAD.replace("refuse", "warn") + "custom:\n  - id: own\n" + (f"    when: '{when}'\n" if when
                                                                        else "") + f"    require: '{require}'\n{more}"


def override(rule, settings, *overrides):
    return HEAD + f"rules:\n  {rule}:\n    {settings}\n    overrides:\n" + "".join(f"      - {o}\n" for o in overrides)


class SymbolLists(LintCase):
    def test_words_that_no_symbol_can_be(self):
        text = HEAD + "rules:\n  allowed-symbols: {level: refuse, barred: [%s]}\n"
        for word, meant in (("BRK/B", "BRK.B"), ('"BB "', '"BB"'), ('" GME"', '"GME"'), ('"BF B"', '"BF.B"'),
                            ('"GME,AMC"', None), ("EUR/USD", None), ("AAPL$", None)):
            with self.subTest(word):
                found = self.lint(self.file(text % word))
                self.assertEqual([f["code"] for f in found], ["symbol-never"])
                self.assertEqual("did you mean" in found[0]["message"], meant is not None)
                path = self.file(text % word)
                self.gate("lint", "--fix", "--at", "2026-11-20T15:00:00Z", path, code=0 if meant else 1)
                with open(path, encoding="utf-8") as f:
                    self.assertEqual(f.read(), text % (meant or word))

    def test_words_that_may_be_symbols(self):
        for word in ("BRK.B", "BRKB", "BRK-B", "BRK_B", "AAPL1", "AAPL260320C00190000", "A", "7203"):
            with self.subTest(word):
                self.assertEqual(self.codes(HEAD + f"rules:\n  allowed-symbols: {{level: refuse, barred: [{word}]}}\n"),
                                 [])


class ListAges(LintCase):
    aside = ("symbol-misses-options",)  # test_option_symbols.py tests that finding

    def test_lists_older_than_their_max_age(self):
        policy = HEAD + ("lists: {hard: {file: hard.txt, max_age: 24h}}\ncustom:\n  - {id: own, when: order.action == "
                         "\"Short\", require: '!(order.symbol in lists.hard)'}\n")
        for date, said in (("2026-11-19T14:59:59Z", "2026-11-19T14:59:59Z, which is more than 24h ago"),
                           ("2026-11-19", "2026-11-19T05:00:00Z, which is more than 24h ago"),
                           ("2026-11-20T15:00:01Z", "2026-11-20T15:00:01Z, which is in the future"),
                           ("2026-11-19T15:00:00Z", None), ("2026-11-20", None), ("2026-11-20T15:00:00Z", None)):
            self.file(f"# {date}\nGME\n", "hard.txt")
            found = self.lint(self.file(policy))
            self.assertEqual([f["code"] for f in found], ["list-old"] if said else [], date)
            self.assertTrue(not said or said in found[0]["message"], found)
        self.file("# 2026-01-15\nGME\n", "hard.txt")
        self.assertEqual(self.codes(policy.replace("max_age: 24h", "of: session")), [])


class Conditions(LintCase):
    # its rules are reduced to one condition; test_closes.py and test_option_symbols.py test these findings
    aside = ("closes-refused", "symbol-misses-options")

    NEVER = [
        "order.orderQuantity > 10 && order.orderQuantity < 5", "order.orderQuantity > 10 && order.orderQuantity < 11",
        "order.limitPrice >= 5.0 && order.limitPrice < 5", "order.limitPrice == 5 && order.limitPrice != 5.00",
        "order.orderQuantity > 1000000", "order.orderQuantity < 1", "order.symbol == \"A\" && order.symbol == \"B\"",
        "order.symbol in [\"A\", \"B\"] && !(order.symbol in [\"B\", \"A\", \"C\"])", "session.open && !session.open",
        "order.orderType == \"Limit\" && (order.orderType == \"Market\" || order.orderType == \"Stop\")",
        "order.action == \"Short\" && order.openClose == \"Close\"",
        "order.securityType == \"Mleg\" && order.side == \"Buy\"",
        "order.action == \"Short\" && !(order.side == \"Buy\" || order.side == \"Sell\")",
        "order.right == \"\" && order.right == \"Call\"",
        "has(order.symbol) && order.securityType == \"Mleg\" && order.action != \"\"",
        "order.side == \"\" && order.securityType == \"Option\"", "5 > order.orderQuantity && 10 < order.orderQuantity",
        # months are counted from 0, days of the week from Sunday, 0
        "now.getMonth() == 12", "now.getDayOfWeek() == 7", "now.getHours() > 23", "now.getHours(\"UTC\") >= 24",
        "now.getMinutes() >= 60",
        "now.getDate() == 0", "now.getDayOfMonth() > 30", "now.getHours() > 15 && now.getHours() < 10",
        "now.getHours() == 9 && now.getHours() == 10",
        "size(order.symbol) < 0", "order.symbol.contains(\"/\")", "order.underlying.startsWith(\"$\") && order.opens",
        "order.symbol != order.symbol", "quote.bid > quote.bid", "position.long + 1 > position.long + 1",
        "counters.ordersToday < 0", "position.long >= 1 && position.long < 1",
        "order.orderQuantity > 1 && order.orderQuantity < 3 && order.orderQuantity != 2",
    ]
    OPEN = [
        "order.symbol.contains(\".\")", "order.symbol.startsWith(\"\") && order.opens",
        "!order.symbol.contains(\"/\") && order.opens", "quote.bid >= quote.ask",
        "order.orderQuantity > 10 && order.orderQuantity < 12", "order.limitPrice > 10 && order.limitPrice < 11",
        "order.symbol == \"A\" || order.symbol == \"B\"", "order.symbol != \"A\" && order.symbol != \"B\"",
        "order.limitPrice >= 5 && order.limitPrice <= 5",
        # texts that some orders lack: spreads have no side, no action and no right, stock has no right
        "!(order.side == \"Buy\" || order.side == \"Sell\")", "order.action == \"\"",
        "order.right != \"Call\" && order.right != \"Put\"",
        "order.openClose == \"\" && order.securityType == \"Option\"", "order.legs.exists(l, l.right == \"\")",
        "order.route == \"\"",
        "session.open || order.orderType == \"Limit\"", "order.action == \"Short\" && order.side == \"Sell\"",
        "now.getMonth() == 11", "now.getDayOfWeek() == 0", "now.getHours() > 15 && now.getHours(\"UTC\") < 10",
        "now.getHours() >= 23", "now.getDayOfYear() == 365", "now.getDate() == 31", "size(order.clientOrderId) < 1",
        "order.orderQuantity * 2 > 10 && order.orderQuantity * 2 < 5", "quote.bid > quote.ask", "account.equity > 0",
        "order.securityType == \"Stock\" ? order.orderQuantity > 5 : order.orderQuantity < 5",
        "order.legs.all(l, l.ratio == 1)",
        "order.symbol.startsWith(\"A\") && order.symbol.startsWith(\"B\")", "counters.dayPnl < 0",
        "session.minutesToClose > 5 && session.minutesToClose < 10",
        "now > timestamp(\"2026-01-01T00:00:00Z\") && now < timestamp(\"2027-01-01T00:00:00Z\")",
        "session.date >= \"2026-01-01\" && session.date < \"2025-01-01\"",
        "has(order.limitPrice) && order.limitPrice > 5", "order.orderQuantity <= 1000000 && order.limitPrice > 1",
    ]

    def test_what_never_holds(self):
        self.give(["condition-never"], [custom(text) for text in self.NEVER])
        self.give(["condition-always"], [custom(f"!({text})") for text in self.NEVER])
        self.give(["condition-never"], [custom("quote.bid > 1", text) for text in self.NEVER])
        self.give(["condition-always"], [custom("quote.bid > 1", f"!({text})") for text in self.NEVER])
        self.give(["condition-never"],
                  [override("price-collar", "away: 5%", f"{{when: '{text}', away: 1%}}") for text in self.NEVER])

    KINDS = [  # values that no kind of order, or of session, has
        "order.securityType == \"Stock\" && has(order.strike)",
        "order.securityType == \"Stock\" && order.daysToExpiry < 5",
        "order.orderType == \"Market\" && order.limitPrice > 5",
        "order.orderType == \"Market\" && order.limitPrice * 2 > 5",
        "order.orderType == \"Stop\" && has(order.limitPrice)", "order.orderType == \"Limit\" && order.limitPrice <= 0",
        "order.securityType == \"Stock\" && has(order.legs)",
        "order.securityType == \"Stock\" && order.legs.exists(l, l.side == \"Sell\")",
        "order.legs.exists(l, l.side == \"Buy\" && l.side == \"Sell\")",
        "order.securityType == \"Stock\" && order.contracts > 5",
        "order.securityType == \"Stock\" && order.strategy == \"straddle\"",
        "order.underlying == \"GME\" && order.symbol == \"AMC\"",
        "order.symbol == \"GME\" && order.symbol.startsWith(\"AM\")",
        "order.securityType == \"Option\" && order.limitPrice > 10000", "order.opens && order.action == \"Cover\"",
        "session.open && session.minutesToClose > 400", "session.kind == \"closed\" && has(session.minutesToClose)",
        "order.securityType == \"Mleg\" && order.orderType == \"Market\" && order.price > 5",
        "order.maxLoss > 500 && order.side == \"Sell\"",
        "order.orderType == \"Limit\" ? order.limitPrice < 0 : order.orderType == \"Limit\"",
    ]
    OF_SOME_KIND = [
        "order.securityType != \"Stock\" && has(order.daysToExpiry)",
        "order.orderType != \"Market\" && order.limitPrice > 5",
        "order.securityType == \"Option\" && order.symbol.startsWith(\"GME\")",
        "order.securityType == \"Option\" && order.underlying == \"GME\"",
        "order.legs.exists(l, l.side == \"Buy\") && order.legs.exists(l, l.side == \"Sell\")",
        "order.orderType == \"StopLimit\" && has(order.stopPrice)",
        "order.securityType == \"Mleg\" && !has(order.stopPrice) && order.orderType == \"StopLimit\"",
        "session.open && session.minutesToClose > 380",
        "order.securityType == \"Option\" && !has(order.openClose)",
        "order.securityType == \"Mleg\" && order.timeInForce != \"Day\"",
    ]

    def test_what_kinds_of_orders_carry(self):
        self.give(["condition-never"], [custom("quote.bid > 1", text) for text in self.KINDS])
        self.give(["condition-always"], [custom("quote.bid > 1", f"!({text})") for text in self.KINDS])
        self.give([], [custom("quote.bid > 1", text) for text in self.OF_SOME_KIND])
        self.give([], [custom("quote.bid > 1", f"!({text})") for text in self.OF_SOME_KIND])
        live = custom("quote.bid > 1",
                      "order.securityType == \"Mleg\" && order.timeInForce != \"Day\"") + "environment: live\n"
        self.assertIn("condition-never", self.codes(live))

    def test_what_is_open(self):
        self.give([], [custom(text) for text in self.OPEN])
        self.give([], [custom(f"!({text})") for text in self.OPEN])
        self.give([], [custom("quote.bid > 1", text) for text in self.OPEN])

    def test_what_follows_from_when(self):
        for when, require, code in (("order.limitPrice > 10", "order.limitPrice > 5", ["condition-always"]),
                                    ("order.limitPrice > 5", "order.limitPrice > 10", []),
                                    ("order.action == \"Short\"", "order.side == \"Buy\"", ["condition-never"]),
                                    ("order.action == \"Short\"", "order.side == \"Sell\"", ["condition-always"])):
            self.assertEqual(self.codes(custom(require, when)), code, (when, require))

    def test_require_false_is_plain(self):
        self.assertEqual(self.codes(custom("false", "order.securityType == \"Mleg\"")), [])
        self.assertEqual(self.codes(custom("true")), ["condition-always"])

    def test_what_can_never_be_told(self):
        for when, require in (("order.securityType == \"Stock\"", "order.daysToExpiry >= 1"),
                              ("order.orderType == \"Market\"", "order.limitPrice <= 100")):
            found, = self.lint(self.file(custom(require, when)))
            self.assertEqual(found["code"], "condition-never")
            self.assertIn("is never known where 'when' holds", found["message"])
        found, = self.lint(self.file(custom("order.limitPrice <= 50000", "order.securityType == \"Option\"")))
        self.assertEqual(found["code"], "condition-always")
        self.assertIn("and it is known", found["message"])
        self.assertEqual(self.codes(custom("size(order.legs) <= 4")), ["condition-always"])
        self.assertEqual(self.codes(custom("size(order.legs) <= 3")), [])

    def test_what_is_past(self):
        for when in ("now < timestamp(\"2026-11-01T00:00:00Z\")", "session.date == \"2025-12-24\"",
                     "session.date in [\"2025-12-24\", \"2026-01-02\"]"):
            found, = self.lint(self.file(custom("order.orderQuantity <= 100", when)))
            self.assertEqual(found["code"], "condition-never")
            self.assertIn("no longer holds", found["message"])
        for when in ("now < timestamp(\"2026-12-01T00:00:00Z\")", "session.date in [\"2025-12-24\", \"2026-12-24\"]",
                     "now > timestamp(\"2026-01-01T00:00:00Z\")"):
            self.assertEqual(self.codes(custom("order.orderQuantity <= 100", when)), [])

    def test_words(self):
        found, = self.lint(self.file(custom("order.timeInForce in [\"Day\", \"GoodTilCancel\"]")))
        self.assertEqual((found["code"], found["line"], found["col"], found["fix"]["text"]),
                         ("word-never", 5, 45, "GoodTillCancel"))
        found, = self.lint(self.file(custom("order.side != \"Short\"")))
        self.assertEqual((found["code"], "fix" in found), ("word-never", False))
        self.assertIn("order.action", found["message"])
        self.assertEqual(self.codes(custom("order.legs.all(l, l.right == \"call\")")), ["word-never"])
        found, = self.lint(self.file(custom("!(order.symbol in [\"GME\", \"amc\"])")))
        self.assertEqual((found["code"], found["severity"], found["fix"]["text"]), ("symbol-never", "error", "AMC"))

    def test_symbols_in_small_letters_in_part(self):
        found, = self.lint(self.file(custom("!order.symbol.startsWith(\"gm\")")))
        self.assertEqual((found["code"], found["fix"]["text"]), ("symbol-case", "GM"))
        self.give(["pattern-case"], [custom(f"!order.symbol.matches(\"{pattern}\")") for pattern in
                                     ("^gme$", "^(gme|amc)$", "^GMe", "SPy[0-9]*$")])
        self.give([], [custom(f"!order.symbol.matches(\"{pattern}\")") for pattern in
                       ("^(gme|GME)$", "(?i)gme", "[a-z]", "^[a-zA-Z]+$", "\\\\d", "x?GME")])
        self.assertEqual(self.codes(custom("order.clientOrderId.startsWith(\"gm\") && order.route.matches(\"smart\")")),
                         [])

    SLIPPED = [
        "order.notional <= 50.0", "order.reduces || order.notional <= 499", "order.notional <= account.equity * 5000",
        "account.equity * 25 >= order.notional",
        "order.notional / account.equity <= 25", "quote.spread <= quote.mid * 5", "quote.spread / quote.bid < 2",
        "order.price <= quote.last * 105", "quote.last * 105 / 100 * 100 >= order.price",
        "order.price >= 95 * quote.last", "counters.dayPnl > account.sodEquity * -2",
        "-counters.dayPnl < account.sodEquity * 2", "position.exposure / account.equity <= 25",
        "order.orderQuantity <= volume.average * 5",
    ]
    MEANT = [
        "order.notional <= 500", "order.notional <= 50 || order.securityType != \"Stock\"", "order.notional >= 5",
        "order.notional <= account.equity * 10", "order.notional <= account.equity * 0.25",
        "order.notional * 100 / account.equity <= 25", "quote.spread / quote.mid * 100 <= 5",
        "quote.spread <= quote.mid * 0.05", "order.price <= quote.last * 50", "order.price <= quote.last * 105 / 100",
        "order.price * 100 <= quote.last * 105", "counters.dayPnl > account.sodEquity * -0.02",
        "order.orderQuantity <= volume.average * 0.05", "order.orderQuantity <= volume.average",
        "order.orderQuantity * 5 <= volume.average * 1", "account.equity > order.notional * 100",
        "order.price <= quote.last + 105", "position.long <= volume.average * 5",
        "order.notional <= 50 && order.notional > 60 || order.notional > 100", "order.opens || order.notional <= 50",
    ]

    def test_units_that_slipped(self):
        self.give(["unit-slip"], [custom(text) for text in self.SLIPPED])
        self.give([], [custom(text) for text in self.MEANT])
        self.assertEqual(self.codes(custom("false", "order.opens && order.notional > 60")), ["unit-slip"])
        self.assertEqual(self.codes(custom("false", "order.opens && order.notional > 600")), [])
        self.assertEqual(self.codes(custom("order.notional <= 40", "order.symbol == \"SPY\"")), ["unit-slip"])
        self.assertEqual(self.codes(custom("order.notional <= 60", "order.symbol == \"SPY\"")), [])
        self.assertEqual(self.codes(custom("order.orderQuantity < 5", "order.price > quote.last * 105")), ["unit-slip"])
        self.assertEqual(self.codes(override("price-collar", "away: 5%",
                                             "{when: 'order.notional > account.equity * 25', away: 1%}")),
                         ["unit-slip"])
        self.assertEqual(self.codes(custom("order.notional <= 50", more="    level: info\n")), [])
        for text, shown, verdict in (("order.notional <= 50.0", "an ordinary order, refused by 'own'", "refuse"),
                                     ("order.price <= quote.last * 105",
                                      "at ten times the market, and within what 'own' requires", "accept"),
                                     ("order.price >= quote.last * 95", "an ordinary order, refused by 'own'",
                                      "refuse"),
                                     # the order is refused by its buying power
                                     ("order.notional <= account.equity * 25",
                                      "eleven times the equity, and within what 'own' requires", "refuse")):
            path = self.file(custom(text))
            found, = self.lint(path)
            self.assertEqual((found["witness"]["shows"], found["witness"]["verdict"]), (shown, verdict))
            decided, reasons, _ = self.decide(path, found["witness"])
            self.assertEqual((decided, "own" in reasons), (verdict, "refused by" in shown))

    def test_the_environment_is_what_the_policy_says(self):
        text = custom("order.orderQuantity < 10", "account.environment == \"paper\"")
        self.assertEqual(self.codes(text), [])
        self.assertEqual(self.codes(text + "environment: paper\n"), ["condition-always"])

    def test_doubt(self):
        text = custom("order.strike > 5").replace("unsure: warn", "unsure: refuse")
        found, = self.lint(self.file(text))
        self.assertEqual(found["code"], "condition-unsure")
        self.assertIn("Stock Market", found["message"])
        self.assertNotIn("Option", found["message"])
        self.assertEqual(self.codes(text.replace("    require",
                                                 "    when: order.securityType == \"Option\"\n    require")), [])
        self.assertEqual(self.codes(custom("order.strike > 5")), [])
        self.assertEqual(self.codes(text + "    level: warn\n"), [])
        self.assertEqual(self.codes(text + "    mode: shadow\n"), [])

    def test_dates_beyond_the_calendar(self):
        for require, far in (("session.date != \"2036-01-02\"", ["'2036-01-02'"]),
                             ("!(session.date in [\"2026-12-24\", \"2062-12-20\", \"2063-07-03\"])",
                              ["'2062-12-20'", "'2063-07-03'"]),
                             ("!has(order.expiry) || order.expiry < \"2062-01-15\"", ["'2062-01-15'"]),
                             ("now < timestamp(\"2036-03-01T15:00:00Z\")", ["this instant"]),
                             ("session.date != \"2035-12-31\"", []), ("now < timestamp(\"2027-03-01T15:00:00Z\")", []),
                             ("order.clientOrderId != \"2036-03-03\"", []),
                             ("now < timestamp(\"2036-01-01T04:59:59Z\")", []),
                             ("now < timestamp(\"2036-01-01T05:00:00Z\")", ["this instant"])):
            found = self.lint(self.file(custom(require)))
            self.assertEqual([f["code"] for f in found], ["past-calendar"] * len(far), require)
            self.assertEqual([f["message"].split(" is beyond ")[0] for f in found], far)
        self.assertEqual(self.codes(override("price-collar", "away: 5%",
                                             "{when: 'session.date == \"2036-01-02\"', away: 1%}")), ["past-calendar"])

    def test_words_of_the_trade(self):
        for require, meant in (("order.timeInForce != \"GTC\"", "GoodTillCancel"),
                               ("order.orderType != \"LMT\"", "Limit"), ("order.securityType != \"Equity\"", "Stock"),
                               ("order.timeInForce != \"GTD\"", None)):
            found, = self.lint(self.file(custom(require)))
            self.assertEqual((found["code"], "fix" in found), ("word-never", meant is not None))
            if meant:
                self.assertIn(f"; did you mean '{meant}'?", found["message"])
        # the service has no such time in force
        self.assertEqual(self.codes(HEAD + "rules:\n  allowed-terms: {level: refuse, times_in_force: [GTD]}\n"),
                         ["term-unknown"])

    def test_days_of_weekends(self):
        for require, codes in (("session.date != \"2026-12-26\"", ["date-no-effect"]),
                               ("!(session.date in [\"2026-12-24\", \"2026-12-27\"])", ["date-no-effect"]),
                               ("!has(order.expiry) || order.expiry != \"2026-12-26\"", ["date-no-effect"]),
                               ("session.date < \"2026-12-26\"", []), ("session.date != \"2026-12-25\"", [])):
            self.assertEqual(self.codes(custom(require)), codes, require)

    def test_what_no_number_of_a_clock_or_contract_reaches(self):
        for require, codes in (("now.getDayOfWeek() != 7", ["condition-always"]),
                               ("now.getMonth() == 12", ["condition-never"]), ("now.getDayOfWeek() != 6", []),
                               ("!has(order.strike) || order.strike < 500000.0", ["condition-always"]),
                               ("!has(order.strike) || order.strike < 500.0", [])):
            self.assertEqual(self.codes(custom(require)), codes, require)
        age = custom("quote.age < duration(\"%s\")") + "max_age: {quotes: 2s}\n"
        self.assertEqual([self.codes(age % s) for s in ("3s", "2s", "1s")], [["condition-always"], [], []])
        self.assertEqual(self.codes((age % "3s").replace("2s", "any")), [])

    def test_what_never_begins(self):
        def codes(*parts):
            return self.codes(custom(*parts).replace("unsure: warn", "unsure: refuse"))
        for require, when in (("counters.dayPnl <= -5000.0", None), ("counters.dayPnl > 500.0", "order.opens"),
                              ("counters.ordersToday >= 50", None),
                              ("order.reduces || counters.drawdown > 100.0", None),
                              ("counters.rejectionsInARow > 3 && session.open", None)):
            path = self.file(custom(require, when))
            found, = self.lint(path)
            self.assertEqual(found["code"], "never-begins", require)
            self.assertEqual(self.decide(path, found["witness"])[:2], ("refuse", found["witness"]["reasons"]))
        for require, when in (("counters.dayPnl > -5000.0", None), ("counters.ordersToday < 50", None),
                              ("counters.dayPnl > 0.0", "order.orderQuantity > 100"),
                              ("counters.dayPnl < 0.0", None), ("counters.dayPnl > 0.0", "order.reduces"),
                              ("counters.drawdown < 500.0", None)):
            self.assertEqual(codes(require, when), [], require)

    def test_doubt_of_a_leg_of_stock(self):
        text = custom("order.legs.all(l, %s)", "order.securityType == \"Mleg\"").replace("unsure: warn",
                                                                                         "unsure: refuse")
        path = self.file(text % "l.strike > 5.0")
        found, = self.lint(path)
        self.assertEqual(found["code"], "condition-unsure")
        self.assertIn("Mleg Limit with a leg of stock", found["message"])
        self.assertTrue(found["message"].endswith("for each leg l, write 'has(l.strike) &&' or '!has(l.strike) ||' "
                                                  "before it"))
        self.assertEqual(self.decide(path, found["witness"])[:2], ("refuse", found["witness"]["reasons"]))
        self.assertEqual(found["witness"]["order"]["legs"][0]["ratio"], 100)
        for fine in ("!has(l.strike) || l.strike > 5.0", "l.right == \"\" || l.strike > 5.0",
                     "l.ratio < 50 || l.side == \"Buy\"", "l.right != \"Put\" || l.daysToExpiry > 2"):
            self.assertEqual(self.codes(text % fine), [], fine)
        self.assertEqual(self.codes(custom("order.legs.all(l, l.strike > 5.0)", "order.securityType == \"Mleg\"")), [])

    def test_doubt_of_what_a_spread_can_lose(self):
        text = custom("order.maxLoss <= 500.0", "order.securityType == \"Mleg\"").replace("unsure: warn",
                                                                                          "unsure: refuse")
        found, = self.lint(self.file(text))
        self.assertEqual(found["code"], "condition-unsure")
        self.assertIn(": Mleg Market, Mleg Stop (there is no order.maxLoss)", found["message"])
        self.assertEqual(self.codes(text.replace("\"Mleg\"", "\"Mleg\" && has(order.maxLoss)")), [])
        # the orders are refused anyhow
        self.assertEqual(self.codes(text + "rules:\n  allowed-terms: {level: refuse, order_types: [Limit]}\n"), [])

    def test_a_pattern_that_gives_up(self):
        self.assertEqual(self.codes(custom("order.symbol.matches(\"^([A-Z]+)+$\")")), ["pattern-catastrophic"])
        self.assertEqual(self.codes(custom("order.symbol.matches(\"^[A-Z]+[0-9]*$\")")), [])
        self.assertEqual(self.codes(custom("order.clientOrderId.matches(\"^(a|aa)+$\")")), ["pattern-catastrophic"])
        self.assertEqual(self.codes(custom("order.clientOrderId.matches(\"^(a|b)+$\")")), [])


class Overrides(LintCase):
    aside = ("symbol-misses-options",)  # test_option_symbols.py tests that finding

    def found(self, *overrides, rule="price-collar", settings="away: 5%"):
        return [(f["code"], f["line"] - 6) for f in self.lint(self.file(override(rule, settings, *overrides)))]

    def test_shadowed(self):
        for first, second in (("{match: {symbol: 'A|B'}, away: 1%}", "{match: {symbol: A}, away: 2%}"),
                              ("{match: {symbol: 'A.*'}, away: 1%}", "{match: {symbol: 'AB.*'}, away: 2%}"),
                              ("{match: {symbol: '[A-Z]{1,2}'}, away: 1%}",
                               "{match: {symbol: 'AB|C', side: Buy}, away: 2%}"),
                              ("{match: {side: [Buy, Sell]}, away: 1%}",
                               "{match: {side: Buy, orderType: Limit}, away: 2%}"),
                              ("{match: {symbol: '.*', securityType: Stock}, away: 1%}",
                               "{match: {symbol: 'A.*', securityType: Stock}, away: 2%}"),
                              ("{when: 'order.orderQuantity > 5', away: 1%}",
                               "{when: 'order.orderQuantity > 50', away: 2%}"),
                              ("{match: {side: Buy}, away: 1%}", "{match: {side: Buy}, when: session.open, away: 2%}"),
                              ("{until: 2027-01-01T00:00:00Z, reason: x, match: {side: Buy}, away: 1%}",
                               "{until: 2026-12-01T00:00:00Z, reason: x, match: {side: Buy}, away: 2%}")):
            self.assertEqual(self.found(first, second), [("override-shadowed", 2)], (first, second))

    def test_not_shadowed(self):
        for first, second in (("{match: {symbol: A}, away: 1%}", "{match: {symbol: 'A|B'}, away: 2%}"),
                              ("{match: {symbol: 'AB.*'}, away: 1%}", "{match: {symbol: 'A.*'}, away: 2%}"),
                              ("{match: {side: Buy}, away: 1%}", "{match: {securityType: [Stock, Option]}, away: 2%}"),
                              ("{match: {symbol: A}, away: 1%}", "{match: {symbol: B}, away: 2%}"),
                              ("{match: {side: Buy}, when: session.open, away: 1%}", "{match: {side: Buy}, away: 2%}"),
                              ("{when: 'order.orderQuantity > 50', away: 1%}",
                               "{when: 'order.orderQuantity > 5', away: 2%}"),
                              ("{match: {account: A1}, away: 1%}", "{match: {account: A2}, away: 2%}"),
                              ("{until: 2026-12-01T00:00:00Z, reason: x, match: {side: Buy}, away: 1%}",
                               "{match: {side: Buy}, away: 2%}")):
            self.assertEqual(self.found(first, second), [], (first, second))

    def test_dead(self):
        for match in ("{securityType: Option, symbol: 'SPY|QQQ'}", "{securityType: Mleg, side: Buy}",
                      "{symbol: 'BRK[/]B'}",
                      "{securityType: Stock, symbol: SPY260116C00500000}",
                      "{securityType: [Option, Stock], symbol: SPY}"):
            self.assertEqual(self.found(f"{{match: {match}, away: 1%}}"), [("override-dead", 1)], match)
        for match in ("{securityType: Option, symbol: 'SPY.*'}", "{symbol: SPY}",
                      "{symbol: SPY260116C00500000}", "{securityType: [Mleg, Stock], side: Buy}"):
            self.assertEqual(self.found(f"{{match: {match}, away: 1%}}"), [], match)
        self.assertEqual(self.found("{match: {securityType: Stock}, level: info}", rule="mleg-strategy",
                                    settings="level: refuse"),
                         [("override-dead", 1)])

    def test_dead_by_tags_that_are_not_known(self):
        def dead(known, tag, rule="order-notional: {level: refuse, most: 9000, ", end="most: 500}]}"):
            return [f["message"] for f in self.lint(self.file(
                HEAD + f"rules:\n  order-tag: {known}\n  {rule}overrides: [{{match: {{tag: {tag}}}, {end}\n"))
                if f["code"] == "override-dead"]

        known = "{level: refuse, known: [alpha, hand, mm]}"
        self.assertEqual(dead(known, "nm"), ["no order matches this: it matches none of the tags that rule 'order-tag' "
                                             "knows: alpha, hand, mm"])
        for tag in ("nm", "MM", "m", "'mm.+'", "'beta|al'", "'[mM]M'"):
            self.assertEqual(len(dead(known, tag)), 1, tag)
            self.assertEqual(len(dead(known.replace("refuse", "off"), tag)), 1, tag)
        for tag in ("mm", "'m.*'", "'beta|alpha'", "'(?i)MM'", "''", "'(nm)?'"):
            self.assertEqual(dead(known, tag), [], tag)
        for other in ("refuse", "{level: refuse, from: prefix}",
                      "{level: refuse, known: [mm], overrides: [{match: {account: D2}, known: [nm]}]}"):
            self.assertEqual(dead(other, "nm"), [], other)
        self.assertEqual(len(dead("{level: refuse, known: [mm], overrides: [{match: {account: D2}, known: [a]}]}",
                                  "nm")), 1)
        self.assertEqual(len(dead(known, "nm", "tag-limits: {level: refuse, a_minute: 9, ", "a_minute: 1}]}")), 1)

    def test_no_change(self):
        self.assertEqual(self.found("{match: {symbol: A}, away: 5%}"), [("override-no-change", 1)])
        self.assertEqual(self.found("{match: {symbol: A}, away: 5%}", "{match: {symbol: B}, away: 1%}"),
                         [("override-no-change", 1)])
        # it excepts A
        self.assertEqual(self.found("{match: {symbol: A}, away: 5%}", "{match: {symbol: 'A|B'}, away: 1%}"), [])
        self.assertEqual(self.found("{match: {symbol: A}, level: warn}"), [])

    def test_dead_by_match_and_condition_together(self):
        for text in ("{match: {securityType: Option}, when: 'order.securityType == \"Stock\"', away: 1%}",
                     "{match: {symbol: 'A.*'}, when: 'order.symbol == \"GME\"', away: 1%}",
                     "{match: {symbol: 'AAPL.*', securityType: Option}, when: 'order.underlying == \"GME\"', away: 1%}",
                     "{match: {symbol: 'GME|AMC'}, when: '!(order.symbol in [\"AMC\", \"GME\", \"BB\"])', away: 1%}",
                     "{match: {orderType: Market}, when: 'order.limitPrice > 5', away: 1%}",
                     "{match: {securityType: Option, symbol: '[A-Z]+'}, away: 1%}", "{match: {symbol: '^'}, away: 1%}"):
            self.assertEqual(self.found(text), [("override-dead", 1)], text)
        for text in ("{match: {securityType: Option}, when: 'order.underlying == \"GME\"', away: 1%}",
                     "{match: {symbol: 'A.*'}, when: 'order.symbol != \"GME\"', away: 1%}",
                     "{match: {symbol: 'GME|AMC'}, when: '!(order.symbol in [\"AMC\", \"BB\"])', away: 1%}",
                     "{match: {orderType: [Market, Limit]}, when: 'has(order.limitPrice) && order.limitPrice > 5', "
                     "away: 1%}"):
            self.assertEqual(self.found(text), [], text)

    def test_doubt(self):
        for text, kinds in (("{when: 'order.limitPrice > 5', away: 1%}",
                             "Stock Market, Stock Stop, Option Market, Option Stop, Mleg Market, Mleg Stop"),
                            ("{match: {orderType: [Market, Limit], securityType: Stock}, when: 'order.limitPrice > 5', "
                             "away: 1%}", "Stock Market"),
                            ("{when: 'order.orderQuantity > 5000 && order.strike < 10', away: 1%}",
                             "Stock Market, Stock Limit, Stock Stop, Stock StopLimit, Mleg Market, Mleg Limit, Mleg "
                             "Stop, Mleg StopLimit")):
            found, = self.lint(self.file(override("price-collar", "away: 5%", text)))
            self.assertEqual(found["code"], "condition-unsure")
            self.assertIn(f"refuse the order: {kinds} (", found["message"])
            self.assertRegex(found["message"], r"write 'has\(order.(limitPrice|strike)\) &&' before it$")
            self.assertEqual(self.codes(override("price-collar", "unsure: warn", text)), [])
        for text in ("{when: 'has(order.limitPrice) && order.limitPrice > 5', away: 1%}",
                     "{match: {orderType: Limit}, when: 'order.limitPrice > 5', away: 1%}",
                     "{when: 'order.orderType == \"Market\" || order.limitPrice > 5', match: {orderType: [Market, "
                     "Limit]}, away: 1%}",
                     "{when: 'order.action == \"Short\"', away: 1%}", "{when: 'account.equity > 5000', away: 1%}"):
            self.assertEqual(self.found(text), [], text)
        self.assertEqual(self.found("{match: {orderType: [Market, Stop]}, away: 1%}",
                                    "{when: 'order.limitPrice > 5', away: 2%}"), [])

    def test_shadowed_by_conditions(self):
        large = "{when: 'order.orderQuantity > 100', away: 1%%%s}"
        larger = "{%swhen: 'order.orderQuantity > 1000', away: 2%%%s}"
        end = ", until: 2026-12-01T00:00:00Z, reason: x"
        for first, second, found in ((large % "", larger % ("", ""), True), (large % "", larger % ("", end), True),
                                     (large % end, larger % ("", ""), False), (large % end, larger % ("", end), True),
                                     (large % "", larger % ("match: {symbol: SPY}, ", ""), True),
                                     ("{match: {symbol: SPY}, away: 1%}",
                                      "{when: 'order.symbol == \"SPY\" && session.open', away: 2%}", True),
                                     ("{match: {securityType: Stock}, away: 1%}",
                                      "{match: {side: Buy}, when: 'order.securityType != \"Option\"', away: 2%}", True),
                                     ("{match: {symbol: 'SPY.*'}, away: 1%}",
                                      "{match: {symbol: 'SPY[0-9]{6}P.*'}, away: 2%}", True),
                                     ("{match: {symbol: 'SPY.*'}, away: 1%}",
                                      "{when: 'order.securityType == \"Option\" && order.underlying == \"SPY\"', away: "
                                      "2%}", True),
                                     ("{match: {symbol: SPY}, away: 1%}",
                                      "{when: 'order.symbol in [\"SPY\", \"QQQ\"]', away: 2%}", False),
                                     (larger % ("", ""), large % "", False)):
            self.assertEqual(self.found(first, second), [("override-shadowed", 2)] if found else [], (first, second))
        self.assertEqual(self.found(large % "", "{when: 'order.orderQuantity <= 100', away: 3%}",
                                    "{match: {symbol: SPY}, away: 2%}"),
                         [("override-shadowed", 3)])

    def test_matches_all(self):
        for pattern in (".*", ".+", "^.*$", "(.*)", ".{1,}", "SPY|.*", "[A-Za-z0-9._-]+"):
            self.assertEqual(self.found(f"{{match: {{symbol: '{pattern}'}}, away: 1%}}",
                                        "{match: {symbol: GME}, away: 2%}"),
                             [("override-matches-all", 1), ("override-shadowed", 2)], pattern)
        self.assertEqual(self.found("{match: {symbol: '[A-Z.]*'}, away: 1%}"), [("override-matches-all", 1)])
        self.assertEqual(self.found("{match: {securityType: [Stock, Option, Mleg]}, away: 1%}"),
                         [("override-matches-all", 1)])
        for text in ("{match: {symbol: '[A-Z]{1,3}'}, away: 1%}",
                     "{match: {securityType: Stock, symbol: '.*'}, away: 1%}",
                     "{match: {side: [Buy, Sell]}, away: 1%}",
                     "{match: {symbol: '.*'}, away: 1%, until: 2026-12-01T00:00:00Z, reason: x}"):
            self.assertEqual(self.found(text), [], text)
        path = self.file(override("price-collar", "level: warn", "{match: {symbol: '.*'}, away: 1%}"))
        self.gate("lint", "--at", "2026-11-20T15:00:00Z", "--fix", path, code=0)
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read().split("price-collar:")[1], "\n    level: warn\n    away: 1%\n")


class Rivals(LintCase):
    """Custom rules that are compared with one another and with the built-in rules."""

    # its rules are reduced to one condition; test_closes.py and test_option_symbols.py test these findings
    aside = ("closes-refused", "symbol-misses-options")

    def found(self, *own, rules="", unsure="warn"):
        text = f"ordergate: 1\nunsure: {unsure}\n" + (f"rules:\n  {rules}\n" if rules else "")
        path = self.file(text + "custom:\n" + "".join(f"  - {{id: own-{i}, {o}}}\n" for i, o in enumerate(own)))
        found = self.lint(path)
        for f in found:
            w = f.get("witness")
            if w and f["code"] != "size-hole":  # within the one, refused by the other
                verdict, reasons, decision = self.decide(path, w)
                self.assertEqual((verdict, reasons), ("refuse", w["reasons"]))
        return [(f["code"], f["line"] - (5 if rules else 3)) for f in found if f["code"] != "size-hole"]

    WIDE, TIGHT = "require: order.orderQuantity <= 1000", "require: order.orderQuantity <= 500"

    def test_one_that_never_binds(self):
        stock = "when: 'order.securityType == \"Stock\"', "
        for own, found in (([self.WIDE, self.TIGHT], 1), ([self.TIGHT, self.WIDE], 2), ([self.WIDE, self.WIDE], 2),
                           ([stock + self.WIDE, self.TIGHT], 1), ([self.WIDE, stock + self.TIGHT], None),
                           ([self.WIDE, self.TIGHT + ", until: 2026-12-01T00:00:00Z, reason: x"], None),
                           ([self.WIDE + ", until: 2026-12-01T00:00:00Z, reason: x", self.TIGHT], 1),
                           ([self.WIDE, self.TIGHT + ", level: warn"], None),
                           ([self.WIDE, self.TIGHT + ", mode: shadow"], None),
                           (["require: order.limitPrice * order.orderQuantity <= 50000",
                             "require: order.limitPrice * order.orderQuantity <= 10000"], 1),
                           (["require: position.long + order.orderQuantity <= 500",
                             "require: position.long + order.orderQuantity <= 600"], 2),
                           (["when: 'order.symbol in [\"GME\"]', require: 'false'",
                             "when: 'order.symbol == \"GME\"', " + self.TIGHT], 2),
                           (["require: order.limitPrice >= 5", "require: order.orderQuantity <= 5"], None)):
            self.assertEqual(self.found(*own), [("limit-idle", found)] if found else [], own)

    def test_beside_the_register(self):
        quantity = "order-quantity-limit: {level: refuse, shares: 500, contracts: 50%s}"
        near = "when: 'order.securityType == \"Option\" %s', require: order.daysToExpiry >= %d"
        for own, rules, found in ((self.WIDE, quantity % "", [("limit-idle", 1)]),
                                  (self.WIDE, quantity % ", exits: bind", [("limit-idle", 1)]),
                                  ("when: order.reduces, " + self.WIDE, quantity % "", []),
                                  ("when: order.opens, " + self.WIDE, quantity % "", [("limit-idle", 1)]),
                                  (self.WIDE, "order-quantity-limit: {level: refuse, shares: 500}", []),
                                  (self.WIDE,
                                   quantity
                                   % ", overrides: [{match: {symbol: SPY, securityType: Stock}, shares: 5000}]",
                                   [("limit-idle", -1)]),
                                  (self.WIDE, quantity % ", overrides: [{match: {symbol: SPY}, shares: 400}]",
                                   [("limit-idle", 1)]),
                                  # a covered call has a hundred times the shares
                                  ("require: order.orderQuantity <= 50", quantity % "", [("limit-idle", -1)]),
                                  ("require: order.notional <= 1000", "order-notional: {level: refuse, most: 5000}",
                                   [("limit-idle", -1)]),
                                  ("require: order.notional <= 9000",
                                   "order-notional: {level: refuse, most: 5000, exits: bind}", [("limit-idle", 1)]),
                                  ("require: order.notional <= 9000",
                                   "order-notional: {level: warn, most: 5000, exits: bind}", []),
                                  ("require: 'order.orderType != \"Market\"'",
                                   "allowed-terms: {level: refuse, order_types: [Limit], exits: bind}",
                                   [("limit-idle", 1)]),
                                  ("require: counters.ordersToday < 500",
                                   "order-rate: {level: refuse, a_day: 200, exits: bind}", [("limit-idle", 1)]),
                                  ("when: 'order.securityType == \"Option\"', require: order.orderQuantity <= 50",
                                   "option-contracts: {level: refuse, an_order: 10, exits: bind}", [("limit-idle", 1)]),
                                  ("when: 'order.securityType == \"Stock\" && order.orderType == \"Limit\" && "
                                   "order.opens', require: order.leastPrice >= 2",
                                   "price-floor: {level: refuse, stock: 5}", [("limit-idle", 1)]),
                                  ("when: 'order.action == \"Short\" && order.securityType == \"Stock\"', require: "
                                   "order.orderQuantity <= 9", "short-sales: {level: refuse, allow: none}",
                                   [("limit-idle", 1)]),
                                  (near % ("&& order.opens", 2), "expiry-day: {level: refuse, least_days: 3}",
                                   [("limit-idle", 1)]),
                                  # a close of more than the position is no exit
                                  (near % ("", 2), "expiry-day: {level: refuse, least_days: 3}", []),
                                  (near % ("&& order.opens", 4), "expiry-day: {level: refuse, least_days: 3}", []),
                                  (near % ("&& !order.reduces", 4), "expiry-day: {level: refuse, least_days: 3}", []),
                                  (near % ("&& order.opens", 2),
                                   "expiry-day: {level: refuse, least_days: 3, overrides: [{match: {symbol: SPY.*}, "
                                   "least_days: 0}]}", []),
                                  (near % ("&& order.opens", 2),
                                   "expiry-day: {level: refuse, least_days: 3}\n"
                                   "  occ-symbol: {reasons: {option-contract-expired: warn}}", []),
                                  ("require: order.orderQuantity >= 1000", quantity % "", [("limits-contradict", 1)]),
                                  ("require: order.orderQuantity >= 100", quantity % "", [])):
            self.assertEqual(self.found(own, rules=rules), found, (own, rules))

    def test_two_that_leave_nothing(self):
        for own, found in ((["require: order.orderQuantity >= 100", "require: order.orderQuantity <= 50"], 2),
                           (["require: order.orderQuantity >= 100",
                             "when: 'order.side == \"Buy\"', require: order.orderQuantity <= 50"], 2),
                           (["when: 'order.side == \"Sell\"', require: order.orderQuantity >= 100",
                             "when: 'order.side == \"Buy\"', require: order.orderQuantity <= 50"], None),
                           (["require: order.orderQuantity >= 50", "require: order.orderQuantity <= 50"], None)):
            self.assertEqual(self.found(*own), [("limits-contradict", found)] if found else [], own)


class Shipped(LintCase):
    def test_what_is_shipped_means_what_it_says(self):
        found = [p for p in glob.glob(os.path.join(os.environ["OG_SOURCE"], "policies", "**", "*.yaml"), recursive=True)
                 if not p.endswith("_test.yaml")]
        self.assertGreater(len(found), 5)
        for path in sorted(found):
            with self.subTest(path):
                self.assertEqual(self.lint(path), [])


class Settings(LintCase):
    # its rules are reduced to one condition; test_closes.py and test_option_symbols.py test these findings
    aside = ("closes-refused", "symbol-misses-options")

    def rules(self, text, head=HEAD):
        return self.codes(head + "rules:\n" + "".join(f"  {line}\n" for line in text.split("; ")))

    def test_limits(self):
        for text, codes in (
                ("order-quantity-limit: {level: refuse, shares: 2000, contracts: 5}; position-limit: {level: refuse, "
                 "shares: 1000}", ["limit-idle"]),
                ("order-quantity-limit: {level: refuse, shares: 1000, contracts: 5}; position-limit: {level: refuse, "
                 "shares: 1000}", []),
                ("order-quantity-limit: {level: refuse, shares: 2000, contracts: 5, exits: bind}; position-limit: "
                 "{level: refuse, shares: 1000}", []),
                ("order-quantity-limit: {level: refuse, shares: 2000, contracts: 5}; position-limit: {level: warn, "
                 "shares: 1000}", []),
                ("order-quantity-limit: {level: refuse, shares: 2000, contracts: 5}; position-limit: {level: refuse, "
                 "shares: 1000, mode: shadow}", []),
                ("order-quantity-limit: {level: refuse, shares: 2000, contracts: 5}; "
                 "position-limit: {level: refuse, shares: 1000, overrides: [{match: {symbol: SPY}, shares: 9000}]}",
                 []),
                ("order-quantity-limit: {level: refuse, shares: 1000000, contracts: 5}", ["size-hole", "limit-idle"]),
                ("order-rate: {level: refuse, a_second: 1, a_minute: 120}", ["limit-idle"]),
                ("order-rate: {level: refuse, a_second: 5, a_minute: 120, a_day: 5000}", []),
                ("order-rate: {level: refuse, a_minute: 120, a_day: 100}", ["limit-idle"]),
                ("open-orders: {level: refuse, in_total: 10, of_symbol: 20}", ["limit-idle"]),
                ("price-floor: {level: refuse, stock: 5}; short-sales: {level: refuse, least_price: 3}",
                 ["limit-idle"]),
                ("price-floor: {level: refuse, stock: 5}; short-sales: {level: refuse, least_price: 10}", [])):
            self.assertEqual(self.rules(text), codes, text)

    def test_orders_without_a_tag_that_escape(self):
        """A limit that only overrides for tags set, where nothing refuses an order without a tag."""
        mm = "overrides: [{match: {tag: mm}, a_minute: 1}]"
        for text, codes in (
                (f"tag-limits: {{level: refuse, {mm}}}", 1),
                (f"order-tag: warn; tag-limits: {{level: refuse, {mm}}}", 1),
                (f"order-tag: {{level: off, from: prefix}}; tag-limits: {{level: refuse, {mm}}}", 1),
                (f"order-tag: {{level: refuse, reasons: {{tag-missing: warn}}}}; "
                 f"tag-limits: {{level: refuse, {mm}}}", 1),
                ("tag-limits: {overrides: [{match: {tag: 'mm|alpha'}, level: refuse, a_day: 100}]}", 1),
                ("tag-limits: {level: refuse, overrides: [{when: 'order.tag == \"mm\"', a_minute: 1}]}", 1),
                ("tag-limits: {level: refuse, overrides: [{match: {tag: mm, securityType: Option, account: D2}, "
                 "a_minute: 1}]}", 1),
                # orders without a tag have a limit only for another symbol, or one that only warns
                ("tag-limits: {level: refuse, overrides: [{match: {symbol: GME}, a_day: 9}, {match: {tag: mm}, "
                 "a_minute: 1}]}", 1),
                ("tag-limits: {level: refuse, overrides: [{match: {tag: mm, symbol: GME}, a_day: 5}, "
                 "{match: {symbol: GME}, a_day: 9}, {match: {tag: mm}, a_minute: 1}]}", 1),
                ("tag-limits: {level: warn, a_minute: 9, overrides: [{match: {tag: mm}, level: refuse, a_minute: 1}]}",
                 1),
                (f"tag-limits: {{level: refuse, a_minute: 8191, {mm}}}", 0),
                (f"tag-limits: {{level: refuse, a_day: 5000, {mm}}}", 0),
                (f"order-tag: refuse; tag-limits: {{level: refuse, {mm}}}", 0),
                (f"order-tag: {{level: refuse, from: prefix}}; tag-limits: {{level: refuse, {mm}}}", 0),
                ("tag-limits: {level: refuse, overrides: [{match: {tag: '(mm)?'}, a_minute: 1}]}", 0),
                ("tag-limits: {level: refuse, overrides: [{match: {tag: mm}, a_minute: 1}, "
                 "{match: {tag: ''}, a_minute: 0}]}", 0),
                ("tag-limits: {level: refuse, overrides: [{when: 'order.tag == \"\"', a_minute: 0}, "
                 "{match: {tag: mm}, a_minute: 1}]}", 0),
                (f"tag-limits: {{level: warn, {mm}}}", 0),
                ("tag-limits: {level: refuse, overrides: [{match: {symbol: GME}, a_minute: 1}]}", 0)):
            self.assertEqual(self.rules(text).count("untagged-escapes"), codes, text)
        own = "custom: [{id: own, require: 'order.tag != \"\"'}]\n"
        self.assertEqual(self.rules(f"tag-limits: {{level: refuse, {mm}}}", HEAD + own), [])

    def test_units_that_slipped_in_an_override(self):
        for most, codes in ((5, ["unit-slip"]), (49, ["unit-slip"]), (50, []), (400, [])):
            self.assertEqual(self.codes(override("order-notional", "level: refuse\n    most: 50000",
                                                 "{match: {symbol: SPY}, most: %d}" % most)),
                             codes, most)
        self.assertEqual(self.codes(override("order-notional", "level: refuse\n    most: 50000",
                                             "{match: {side: Buy}, most: 400}")), ["unit-slip"])

    def test_slips(self):
        for text in ("order-notional: {level: refuse, most: 50}", "price-collar: {away: 0.05%}",
                     "price-collar: {away: 90%}",
                     "concentration: {level: refuse, most: 5000%}", "price-floor: {level: refuse, stock: 500}",
                     "volume-share: {level: refuse, most: 500%}", "expiry-day: {level: refuse, least_days: 3000}"):
            self.assertEqual(self.rules(text), ["unit-slip"], text)
        for text in ("price-collar: {away: 0.5%}",
                     "concentration: {level: refuse, most: 50%}",
                     "price-floor: {level: refuse, stock: 5}", "order-notional: {level: off, most: 50}",
                     "order-notional: {level: refuse, most: 5000, overrides: [{match: {symbol: GME}, most: 100}]}"):
            self.assertEqual(self.rules(text), [], text)

    def test_a_tab_is_called_one(self):
        for text in ("rules:\n\ttrading: refuse\n", "rules:\n  \ttrading: refuse\n  route: warn\n",
                     "rules:\n  trading: refuse\n\troute: warn\n", "custom:\n\t- id: a\n"):
            found, = self.lint(self.file("ordergate: 1\nextends: [live]\n" + text))
            self.assertEqual(found["code"], "yaml-syntax", text)
            self.assertIn("a tab", found["message"], text)

    def test_limits_of_zero(self):
        for text, codes in (("order-notional: {level: refuse, most: 0}", ["limit-zero"]),
                            ("order-rate: {level: refuse, a_minute: 0}", ["limit-zero"]),
                            ("order-rate: {level: refuse, a_second: 0, a_day: 0}", ["limit-zero"] * 2),
                            ("open-orders: {level: refuse, in_total: 0}", ["limit-zero"]),
                            ("exposure: {level: refuse, gross: 0}", ["limit-zero"]),
                            ("exposure: {level: refuse, short: 0}", []),  # no short sales
                            ("order-notional: {level: warn, most: 0}", []),
                            ("order-notional: {level: off, most: 0}", []),
                            ("day-loss: {level: refuse, most: 0}", []),
                            ("rejection-streak: {level: refuse, most: 0}", []),
                            ("price-floor: {level: refuse, stock: 0}", [])):
            self.assertEqual([c for c in self.rules(text) if c == "limit-zero"], codes, text)

    def test_windows_of_another_clock(self):
        for windows, codes in (("[14:30-21:00]", ["unit-slip"]), ("[02:00-08:00]", ["unit-slip"]),
                               ("[09:30-16:00]", []), ("[04:00-20:00]", []), ("[00:00-24:00]", []),
                               ("[09:35-11:30, 13:00-15:55]", []), ("[09:00-23:00]", [])):
            self.assertEqual(self.rules(f"time-window: {{level: refuse, windows: {windows}}}"), codes, windows)

    def test_ages(self):
        for age, codes in (("quotes: 500h", ["unit-slip"]), ("quotes: 2ms", ["unit-slip"]), ("quotes: 2s", []),
                           ("routes: 500h", []), ("account: any", [])):
            self.assertEqual(self.codes(HEAD + f"max_age: {{{age}}}\n"), codes, age)

    def test_off(self):
        self.assertEqual(self.rules("price-floor: {stock: 5}"), ["setting-off"])
        self.assertEqual(self.rules("price-floor: {level: off, stock: 5}"), [])
        self.assertEqual(self.rules("price-floor: {stock: 5, overrides: [{match: {side: Buy}, level: refuse}]}"), [])
        override = "price-floor: {level: refuse, stock: 5, overrides: [{match: {symbol: F}, level: off%s}]}"
        self.assertEqual([self.rules(override % more) for more in ("", ", stock: 5", ", stock: 3")],
                         [[], [], ["setting-off"]])

    def test_off_over_what_is_on(self):
        self.file("ordergate: 1\nrules: {price-floor: {level: refuse, stock: 5}}\n", "on.yaml")
        for extends, codes in (("[live]", ["setting-off"]), ("live", ["setting-off"]),
                               ("\n- default\n- live", ["setting-off"]), ("\n    # x\n    - live", ["setting-off"]),
                               ("[default]", []), ("[]", []), ("[paper,\n  default]", [])):
            text = f"ordergate: 1\nextends: {extends}\nrules:\n  order-notional: {{level: off, most: 5000}}\n"
            self.assertEqual(self.codes(text), codes, extends)
            self.assertEqual(self.codes(text.replace(", most: 5000", "")), ["rule-weakened"] if codes else [], extends)
        self.assertEqual(self.codes("ordergate: 1\nextends: on.yaml\nrules:\n  price-floor: {level: off, stock: 4}\n"),
                         ["setting-off"])
        self.assertEqual(self.codes("ordergate: 1\nextends: on.yaml\nrules:\n  price-floor: {level: warn, stock: 4}\n"),
                         [])
        self.assertEqual(self.rules("price-floor: {stock: 5}", HEAD + "extends: [cautious]\n"), [])

    def test_holes(self):
        self.assertEqual(self.rules("option-contracts: {level: refuse, an_order: 10}"), ["size-hole"])
        self.assertEqual(self.rules("option-contracts: {level: refuse, an_order: 10}; size-limit: refuse"), [])
        self.assertEqual(self.rules("option-contracts: {level: warn, an_order: 10}"), [])
        self.assertEqual(self.rules("option-contracts: {level: refuse, an_order: 10}; allowed-terms: {level: refuse, "
                                    "security_types: [Option, Mleg]}"), [])
        own = (HEAD + "rules:\n  option-contracts: {level: refuse, an_order: 10}\n"
               "custom:\n  - {id: own, require: order.orderQuantity <= 1000}\n")
        self.assertEqual(self.codes(own), [])
        # expensive orders are refused in any size, which is not a size limit
        dear = HEAD + "rules:\n  order-quantity-limit: {level: refuse, shares: 100}\ncustom:\n" \
            "  - {id: own, require: \"!has(order.limitPrice) || order.limitPrice < 1500.0\"}\n"
        holes = [f["message"].split(": ")[-1] for f in self.lint(self.file(dear)) if f["code"] == "size-hole"]
        self.assertEqual(holes, ["Buy Option orders, every Mleg order"])

    def test_holes_in_what_it_stands_on(self):
        """A limit on the size of orders has a hole if the rule for it is off, if an override lifts it, or if it
        only warns. Limits are taken from the policy `live` and from the policy itself."""
        def found(text):
            holes = [f for f in self.lint(self.file("ordergate: 1\n" + text)) if f["code"] == "size-hole"]
            for f in holes:
                self.assertEqual((f["witness"]["verdict"], f["witness"]["order"]["orderQuantity"]), ("accept", 1000000))
                verdict, reasons, _ = self.decide(self.file("ordergate: 1\n" + text), f["witness"])
                self.assertEqual((verdict, reasons), ("accept", f["witness"]["reasons"]))
            return [(f["line"], f["message"].split(": ")[-1]) for f in holes]

        live = "extends: [live]\nrules:\n"
        off = "  order-notional: off\n  size-limit: off\n"
        no_shares, no_dollars = "shares: 1000000000", "most: 1000000000000"
        for text, expected in (
                (live + off + "  order-quantity-limit: off\n  option-contracts: off\n",
                 [(5, "every Stock order, Buy Option orders, every Mleg order")]),
                (live + off + "  order-quantity-limit: {overrides: [{match: {securityType: Stock}, level: off}]}\n",
                 [(6, "every Stock order")]),
                (live + "  order-quantity-limit: {contracts: 1000000000}\n" + off + "  option-contracts: off\n",
                 [(4, "Buy Option orders, every Mleg order")]),
                (live + "  order-notional:\n    %s\n    overrides:\n" % no_dollars
                 + "      - match: {symbol: SPY}\n        most: 5000\n", []),
                (live + "  order-quantity-limit:\n    overrides:\n      - match: {symbol: 'SPY|QQQ'}\n        %s\n"
                 % no_shares, []),
                (live + "  order-quantity-limit:\n    overrides:\n      - match: {symbol: 'SPY|QQQ'}\n        %s\n"
                 % no_shares +
                 "  order-notional: {overrides: [{match: {symbol: SPY}, %s}]}\n" % no_dollars,
                 [(6, "every Stock order")]),
                (live + off + "  order-quantity-limit:\n    overrides:\n      - when: order.symbol in ['SPY', 'QQQ']\n"
                 "        %s\n" % no_shares, [(8, "every Stock order")]),
                (live + off + "  order-quantity-limit:\n    overrides:\n      - match: {orderType: Market}\n"
                 "        level: warn\n", [(8, "Buy Stock Market, Sell Stock Market")]),
                (live + off + "  order-quantity-limit: {mode: shadow}\n", [(5, "every Stock order")]),
                (live + off + "  order-quantity-limit: off\ncustom: [{id: own, require: order.orderQuantity < 10}]\n",
                 []),
                (live + off + "  order-quantity-limit: off\ncustom: [{id: own, when: 'order.symbol != \"SPY\"', "
                 "require: order.orderQuantity < 10}]\n",
                 [(5, "every Stock order of SPY")]),
                (live + "  size-limit: off\n", []), (live + "  order-quantity-limit: off\n", []),
                (live + "  order-quantity: off\n", []),
                ("rules:\n  order-notional: {level: refuse, most: 5000000}\n", []),  # large, and a limit
                ("rules:\n  option-contracts: {level: refuse, an_order: 10}\n  volume-share: refuse\n", []),
                ("rules:\n  option-contracts: {level: refuse, an_order: 10}\n"
                 "  concentration: {level: refuse, most: 50%}\n", [])):
            with self.subTest(text):
                self.assertEqual(found(text), expected)

    def test_a_hole_below_is_not_told_above(self):
        self.file("ordergate: 1\nrules:\n  option-contracts: {level: refuse, an_order: 10}\n", "firm.yaml")
        self.assertEqual(self.codes("ordergate: 1\nextends: [firm.yaml]\nrules: {option-contracts: {an_order: 5}}\n"),
                         [])
        self.assertEqual(self.codes("ordergate: 1\nextends: [firm.yaml]\nrules: {option-contracts: off}\n"),
                         ["size-hole"])

    def test_limits_that_contradict(self):
        for text, codes in (("price-floor: {level: refuse, option: 20}; order-notional: {level: refuse, most: 1500}",
                             ["limits-contradict"]),
                            ("price-floor: {level: refuse, option: 2}; order-notional: {level: refuse, most: 1500}",
                             []),
                            ("price-floor: {level: warn, option: 20}; order-notional: {level: refuse, most: 1500}", []),
                            ("price-floor: {level: refuse, option: 20}; order-notional: {level: refuse, most: 1500, "
                             "overrides: "
                             "[{match: {securityType: Option}, most: 5000}]}", []),
                            ("short-sales: {level: refuse, least_price: 100}; exposure: {level: refuse, gross: 100000, "
                             "short: 500}", []),
                            ("short-sales: {level: refuse, least_price: 140}; exposure: {level: refuse, gross: 100000, "
                             "short: 501}", []),
                            ("price-floor: {level: refuse, stock: 120}; order-notional: {level: refuse, most: 110}",
                             ["limits-contradict", "unit-slip"])):
            self.assertEqual(sorted(self.rules(text)), codes, text)

    def test_a_term_beyond_the_calendar(self):
        text = override("price-collar", "away: 5%",
                        "{until: 2036-02-01T00:00:00Z, reason: x, match: {side: Buy}, away: 1%}")
        self.assertEqual(self.codes(text), ["past-calendar"])

    def test_dates(self):
        self.assertEqual(self.codes(custom("!(session.date in [\"2026-12-24\", \"2026-13-24\"])")), ["date-never"])
        self.assertEqual(self.codes(custom("order.expiry >= \"2026-1-5\"", "has(order.expiry)")), ["date-never"])
        self.assertEqual(self.codes(custom("order.expiry >= \"2026-01-05\"", "has(order.expiry)")), [])

    def test_terms(self):
        def found(terms, *more):
            path = self.file(HEAD + "rules:\n  allowed-terms: {level: refuse, %s}\n" % terms)
            return [(f["message"].split("'")[1], f.get("fix", {}).get("text"), f.get("witness", {}).get("verdict"))
                    for f in self.lint(path, *more) if f["code"] == "term-unknown"]

        self.assertEqual(found("barred: [Stopp, market, GTC, mleg, Sotck]"),
                         [("Stopp", "Stop", "accept"), ("market", "Market", "accept"),
                          ("GTC", "GoodTillCancel", "accept"),
                          ("mleg", "Mleg", "accept"), ("Sotck", "Stock", "accept")])
        # the word is two edits from GoodTillCancel, so lint leaves the change to a person
        self.assertEqual(found("barred: [GoodTilCanceled]"), [("GoodTilCanceled", None, "accept")])
        self.assertEqual(found("barred: [Stop, Mleg, GTC_Plus, Option, FillOrKill, CTDL, SMARTO, LIT, DARK, NYSE]"), [])
        self.assertEqual(found("times_in_force: [Day, ioc]"), [("ioc", "ImmediateOrCancel", "refuse")])
        self.assertEqual(found("order_types: [Limit, Day]"), [("Day", None, None)])
        self.assertEqual(found("security_types: [Stock, stock]"), [("stock", "Stock", None)])
        self.assertEqual(found("security_types: [Stock], overrides: [{match: {side: Buy}, barred: [market]}]"),
                         [("market", "Market", None)])
        self.assertEqual(found("routes: [smart], barred: [ARCA]"), [])
        facts = self.file('{"asOf":"2026-11-20T15:00:00Z","routes":[{"routeName":"SMART","securityTypes":["Stock"],'
                          '"timesInForce":["Day"]}]}', "r.json")
        self.assertEqual(found("routes: [smart, SMART], barred: [ARCA]", "-f", facts),
                         [("smart", "SMART", None), ("ARCA", None, None)])

    def test_facts_that_are_not_there(self):
        facts = self.file('{"asOf":"2026-11-20T15:00:00Z","positions":[],"orders":[]}', "facts.json")
        path = self.file(HEAD + "rules:\n  volume-share: refuse\n  day-loss: {level: refuse, most: 1000}\n")
        self.assertEqual([(f["code"], f["line"]) for f in self.lint(path, "-f", facts)],
                         [("facts-absent", 4), ("facts-absent", 5)])
        self.assertEqual(self.lint(path), [])

    def absent(self, text, *more):
        """Returns the line, rule, fact and effect of each facts-absent finding, and asserts that check decides each
        witness as lint says."""
        path, said = self.file(text), []
        for f in self.lint(path, *more):
            if f["code"] != "facts-absent":
                continue
            rule, fact = re.match(r"rule '([a-z0-9-]+)' needs (\w+), which .* \(.*\): without them it ",
                                  f["message"]).groups()
            refuses = "and refuses" in f["message"]
            self.assertEqual("witness" in f, refuses, f)
            if refuses:
                verdict, reasons, decision = self.decide(path, f["witness"])
                self.assertEqual((verdict, reasons), ("refuse", f["witness"]["reasons"]))
                self.assertTrue(any(d["rule"] == rule and d["unsure"] for d in decision["findings"]))
            said.append((f["line"], rule, fact,
                         "refuses" if refuses else "warning" if "warning" in f["message"] else "nothing"))
        return said

    def test_facts_that_send_does_not_have(self):
        own = ("custom:\n  - {id: own, when: order.securityType == \"Stock\", "
               "require: 'order.orderQuantity < volume.average / 20'}\n")
        for text, expected in (
                ("rules:\n  volume-share: refuse\n", [(4, "volume-share", "averageVolume", "nothing")]),
                ("rules:\n  order-notional: {level: refuse, most: 5000}\n",
                 [(4, "order-notional", "quotes", "refuses")]),
                ("rules:\n  order-notional: {level: refuse, unsure: warn, most: 5000}\n",
                 [(4, "order-notional", "quotes", "warning")]),
                ("rules:\n  order-notional: {level: off, most: 5000}\n", []),
                ("rules:\n  day-loss: {level: refuse, most: 5000}\n  order-rate: {level: refuse, a_second: 5}\n"
                 "  position-limit: {level: refuse, shares: 10}\n", []),
                ("rules:\n  price-collar: {quote: required}\n", [(4, "price-collar", "quotes", "refuses")]),
                (own, [(4, "own", "averageVolume", "refuses")]), (own.replace("}", ", level: off}"), []),
                ("extends: [cautious]\n",
                 [(3, "order-notional", "quotes", "refuses"), (3, "exposure", "quotes", "refuses"),
                  (3, "concentration", "quotes", "warning"),
                  (3, "short-sales", "quotes", "refuses"),
                  (3, "price-floor", "quotes", "refuses"),
                  (3, "volume-share", "averageVolume", "nothing")])):
            with self.subTest(text):
                self.assertEqual(self.absent(HEAD + text, "--for", "send"), expected)
                self.assertEqual(self.absent(HEAD + text), [])
        facts = self.file('{"asOf":"2026-11-20T15:00:00Z","quotes":{}}', "quotes.json")
        self.assertEqual(self.absent(HEAD + "extends: [cautious]\n", "--for", "send", "-f", facts),
                         [(3, "volume-share", "averageVolume", "nothing")])

    def test_facts_that_check_is_not_given(self):
        text = HEAD + """rules:
  day-loss: {level: refuse, most: 1000}
  order-rate: {level: refuse, a_second: 5}
  concentration: {level: refuse, most: 20%}
  short-sales: {level: refuse, allow: easy}
  open-orders: {level: refuse, in_total: 5}
custom:
  - {id: own, require: account.equity > 25000}
"""
        everything = [(4, "day-loss", "pnl", "refuses"), (6, "concentration", "account", "refuses"),
                      (6, "concentration", "positions", "refuses"),
                      (6, "concentration", "orders", "refuses"), (6, "concentration", "quotes", "refuses"),
                      (7, "short-sales", "borrow", "refuses"),
                      (8, "open-orders", "orders", "refuses"), (10, "own", "account", "refuses")]
        self.assertEqual(self.absent(text, "--for", "check"), everything)
        facts = self.file('{"asOf":"2026-11-20T15:00:00Z","positions":[],"orders":[],"quotes":{},"borrow":{}}',
                          "facts.json")
        self.assertEqual(self.absent(text, "-f", facts), [f for f in everything if f[2] in ("pnl", "account")])
        old = self.file('{"asOf":"2026-11-20T14:00:00Z","orders":[]}', "old.json")
        found = [f for f in self.lint(self.file(text + "max_age: {orders: 10s}\n"), "-f", old) if f["line"] == 8]
        self.assertEqual(len(found), 1)
        self.assertIn("older in the facts given than max_age allows", found[0]["message"])
        self.assertEqual([f for f in self.lint(self.file(text + "max_age: {orders: 2h}\n"), "-f", old)
                          if f["line"] == 8], [])

    def test_what_live_does_not_lend(self):
        for rule, found in (("borrow-locate: off", ["live-lets-pass"]), ("borrow-locate: warn", ["live-lets-pass"]),
                            ("borrow-locate: refuse", []),
                            ("short-sales: {level: refuse, allow: easy}\n  borrow-locate: off", [])):
            for environment, told in (("live", found), ("paper", [])):
                text = f"ordergate: 1\nextends: [live]\nenvironment: {environment}\nrules:\n  {rule}\n"
                with self.subTest(text):
                    self.assertEqual([c for c in self.codes(text) if c.startswith("live-")], told)

    def test_live(self):
        live = "environment: live\nextends: [%s]\n"
        self.assertEqual(self.codes("ordergate: 1\n" + live % "live"), [])
        self.assertEqual(self.codes("ordergate: 1\n" + live % "default"),
                         ["live-unsure", "live-any-age", "live-unlimited"])
        self.assertEqual(self.codes("ordergate: 1\n" + (live % "live").replace("live\n", "paper\n", 1)), [])

    def test_what_another_file_says_is_its_own(self):
        self.file(HEAD + "rules:\n  exposure: {level: refuse, gross: 1000}\n"
                  "  order-notional: {level: refuse, most: 5000}\n", "firm.yaml")
        self.assertEqual(self.codes("ordergate: 1\nextends: [firm.yaml]\nrules: {market-hours: warn}\n"), [])
        self.assertEqual(self.codes("ordergate: 1\nextends: [firm.yaml]\nrules: {order-notional: {most: 4000}}\n"),
                         ["limit-idle"])

    FORM = ("order-quantity", "symbol-form", "occ-symbol", "limit-price", "stop-price", "mleg-structure",
            "mleg-strategy")

    def severities(self, text, *more):
        return [(f["line"], f["severity"]) for f in self.lint(self.file(text), *more) if f["code"] == "form-off"]

    def test_a_rule_of_form_off_above_a_lock(self):
        locked = "  order-notional: {level: refuse, most: 5000, lock: true}\n"
        self.file("ordergate: 1\nunsure: refuse\nrules:\n" + locked, "firm.yaml")
        self.file("ordergate: 1\nunsure: refuse\ncustom:\n"
                  "  - {id: own, require: order.orderQuantity < 100, lock: true}\n", "own.yaml")
        self.file("ordergate: 1\nunsure: refuse\nrules:\n  order-notional: {level: refuse, most: 5000}\n", "open.yaml")
        for rule in self.FORM:
            for how in ("off", "warn", "{level: warn}", "{mode: shadow}",
                        "{overrides: [{match: {symbol: F}, level: off}]}"):
                with self.subTest(f"{rule}: {how}"):
                    text = f"ordergate: 1\nextends: [%s]\nrules:\n  {rule}: {how}\n"
                    self.assertEqual(self.severities(text % "firm.yaml"), [(4, "warning")])
                    self.assertEqual(self.severities(text % "own.yaml"), [(4, "warning")])
                    self.assertEqual(self.severities(text % "open.yaml"), [])
                    self.gate("lint", "--at", "2026-11-20T15:00:00Z", "--strict", self.file(text % "firm.yaml"), code=1)
        others = "ordergate: 1\nextends: [firm.yaml]\nrules: {price-collar: off, route: off}\n"
        self.assertEqual(self.severities(others), [])
        # who locks knows
        self.assertEqual(self.severities("ordergate: 1\nunsure: refuse\nrules:\n  limit-price: off\n" + locked), [])

    def test_a_rule_of_form_off_under_a_floor(self):
        floor = self.file("ordergate: 1\nrules:\n  order-notional: {level: refuse, most: 5000}\n", "floor.yaml")
        for rule in self.FORM:
            text = ("ordergate: 1\nunsure: refuse\nrules:\n"
                    f"  {rule}: off # ordergate-lint: ignore form-off: it is meant\n")
            with self.subTest(rule):
                self.assertIn((4, "error"), self.severities(text, "--floor", floor))
                self.assertEqual(self.severities(text), [])
        nothing = self.severities("ordergate: 1\nunsure: refuse\nextends: []\nrules:\n"
                                  "  order-notional: {level: refuse, most: 10}\n", "--floor", floor)
        self.assertEqual(nothing, [(3, "error")] * len(self.FORM))
        self.assertEqual(self.severities("ordergate: 1\nextends: [live]\n", "--floor", floor), [])

    def test_a_large_policy_is_answered_at_once(self):
        many = "".join(f"      - {{match: {{symbol: 'S{i}'}}, most: {i + 600}}}\n" for i in range(900))
        own = "".join(f"  - {{id: own-{i}, require: order.orderQuantity != {i}}}\n" for i in range(2, 2000))
        text = (HEAD + "custom:\n" + own
                + "rules:\n  order-notional:\n    level: refuse\n    most: 50000\n    overrides:\n" + many)
        self.assertEqual(self.codes(text), [])

    def test_one_made_to_take_long_is_cut(self):
        rules = ("market-hours", "price-collar", "account", "buying-power", "route", "self-cross", "expiry-day",
                 "volume-share")
        always = "".join(f"  {rule}:\n    level: refuse\n    overrides:\n" + "".join(
            f"      - {{when: 'order.orderQuantity > {i} || order.orderQuantity <= {i}', level: warn}}\n"
            for i in range(200))
            for rule in rules)
        bad = "".join(f"      - {{match: {{symbol: '(([A-Z]+)+[A-Z0-9]+)+{i}'}}, away: 1%}}\n" for i in range(300))
        for text in (HEAD + "rules:\n" + always, HEAD + "rules:\n  price-collar:\n    overrides:\n" + bad):
            path = self.file(text)
            done = self.gate("lint", path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (20, 20)))
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(b"[lint-cut]", done.stdout)


if __name__ == "__main__":
    unittest.main()
