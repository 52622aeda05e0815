#!/usr/bin/env python3
"""Custom rules, named lists, and conditions of overrides: what they decide, how layers and the floor treat them,
and the errors of invalid ones with their place."""
import json
import os
import unittest

from policy_case import NOON, PolicyCase, order

QUOTES = {"quotes": {"AAPL": {"bid": 9.98, "ask": 10.02, "last": 10, "asOf": "2026-01-15T17:00:00Z"}}}
SHORTS = """custom:
  - id: no-cheap-shorts
    when: order.action == "Short"
    require: order.limitPrice >= 5.0 && !(order.symbol in ["AMC","GME"])
    level: refuse
    message: "short of {order.symbol} below 5.00 (limit {order.limitPrice})"
"""
SHORT = {"side": "Sell", "openClose": "Open"}


class Custom(PolicyCase):
    def test_the_first_example(self):
        p = self.policy(SHORTS)
        found = self.decide(p, order(limitPrice=4.5, **SHORT))[0]
        self.assertEqual(found["verdict"], "refuse")
        self.assertEqual(found["findings"], [{"rule": "no-cheap-shorts", "reason": "no-cheap-shorts", "level": "refuse",
                                              "field": "/limitPrice", "message": "short of AAPL below 5.00 (limit 4.5)",
                                              "predicts": None}])
        for keys, refused in (({"limitPrice": 5}, False), ({"limitPrice": 4.99}, True),
                              ({"limitPrice": 4.99, "side": "Buy"}, False),
                              ({"limitPrice": 50, "symbol": "GME"}, True),
                              ({"limitPrice": 50, "symbol": "GMEX"}, False)):
            self.assertEqual(self.reasons(p, order(**{**SHORT, **keys})) != [], refused, keys)

    def test_the_first_example_passes_spreads_under_live(self):
        p = self.policy(SHORTS, extends="[live]")
        spread = {"securityType": "Mleg", "symbol": "AAPL", "orderType": "Limit", "orderQuantity": 1,
                  "timeInForce": "Day",
                  "limitPrice": 1,
                  "legs": [{"symbol": "AAPL260220P00010000", "side": "Sell", "ratio": 1, "openClose": "Open"},
                           {"symbol": "AAPL260220P00005000", "side": "Buy", "ratio": 1,
                            "openClose": "Open"}]}
        option = {"securityType": "Option", "symbol": "AAPL260220P00010000", "orderType": "Limit", "limitPrice": 1}
        for o, told in ((spread, None), ({**spread, "side": "Sell", "openClose": "Open"}, None),
                        ({**option, **SHORT}, "short of AAPL260220P00010000 below 5.00 (limit 1)"),
                        ({**option, "side": "Sell", "openClose": None},  # the brokerage decides what it is
                         "no-cheap-shorts not decided: cannot tell whether it applies: there is no order.action"),
                        ({"orderType": "Market", "limitPrice": None, **SHORT},
                         "no-cheap-shorts not decided: there is no order.limitPrice")):
            found = self.decide(p, json.dumps(o) if o.get("legs") else order(**o))[0]["findings"]
            self.assertEqual([f["message"] for f in found if f["rule"] == "no-cheap-shorts"], [told] if told else [], o)

    def test_levels_modes_and_terms(self):
        rule = 'custom:\n  - {id: never, require: "false", %s}\n'
        for keys, findings, shadow in (("level: refuse", ["refuse"], []), ("level: warn", ["warn"], []),
                                       ("level: info", ["info"], []),
                                       ("level: off", [], []), ("mode: warn", ["warn"], []),
                                       ("mode: shadow", [], ["refuse"]),
                                       ("until: 2026-01-15T17:00:00Z, reason: x", ["refuse"], []),
                                       ("until: 2026-01-15T16:59:59Z, reason: x", [], [])):
            p = self.policy(rule % keys)
            self.assertEqual([w for _, w in self.reasons(p, order())], findings, keys)
            self.assertEqual([w for _, w in self.reasons(p, order(), key="shadow")], shadow, keys)
            again = self.shows_as_itself(p)
            self.assertEqual([w for _, w in self.reasons(again, order())], findings, keys)

    def test_without_a_message_the_condition_is_told(self):
        p = self.policy('custom:\n  - {id: never, require: "order.orderQuantity\\n < 10"}\n')
        self.assertEqual(self.decide(p, order())[0]["findings"][0]["message"],
                         "the policy requires: order.orderQuantity? < 10")

    def test_what_is_not_known_is_unsure(self):
        rule = 'custom:\n  - {id: near, %s require: quote.last < 20%s}\n'
        p = self.policy(rule % ("", ""))
        found = self.decide(p, order())[0]
        self.assertEqual(found["verdict"], "accept")
        self.assertEqual([(f["level"], f["unsure"], f["message"]) for f in found["findings"]],
                         [("warn", True, "near not decided: quotes of AAPL not known")])
        self.assertEqual(self.reasons(p, order(), facts=QUOTES), [])
        self.assertEqual(self.reasons(self.policy(rule % ("", ", unsure: refuse")), order()), [("near", "refuse")])
        self.assertEqual(self.reasons(self.policy("unsure: refuse\n" + rule % ("", "")), order()), [("near", "refuse")])
        self.assertEqual(self.reasons(self.policy(rule % ("", ", unsure: refuse, level: info")), order()),
                         [("near", "info")])

    def test_a_bound_of_what_is_not_known_decides_as_in_limits(self):
        """An own rule and the built-in limit of the same amount refuse the same orders, without a quote too."""
        p = self.policy('custom:\n  - {id: own, require: "order.notional <= 5000", message: "worth {order.notional}"}\n'
                        "rules: {order-notional: {level: refuse, most: 5000, exits: bind}}\n")
        for keys in ({"limitPrice": 20, **SHORT}, {"limitPrice": 51, **SHORT}, {"limitPrice": 51},
                     {"orderType": "Stop", "limitPrice": None, "stopPrice": 51},
                     {"orderType": "Market", "limitPrice": None}, {"orderType": "Market", "limitPrice": None, **SHORT},
                     {"securityType": "Option", "symbol": "AAPL260220P00060000", "orderQuantity": 1, "limitPrice": 1,
                      **SHORT}):
            with self.subTest(keys):
                found = self.decide(p, order(**{"orderQuantity": 100, **keys}))[0]["findings"]
                levels = {f["rule"]: f["level"] for f in found}
                self.assertEqual(levels.get("own"), levels.get("order-notional"), found)
        found = self.decide(p, order(orderQuantity=100, limitPrice=51, **SHORT))[0]["findings"]
        self.assertIn("worth at least 5100", [f["message"] for f in found if f["rule"] == "own"])

    def test_old_locates_are_told_where_an_expression_reads_them(self):
        """Old locates are reported when a purchase's expression reads them: in any part of a custom rule, and in the
        condition of an override."""
        facts = {"locateInventory": [], "asOf": "2026-01-15T16:00:00Z"}
        for text, told in (("custom:\n  - {id: a, require: order.orderQuantity > 0}\n", False),
                           ("custom:\n  - {id: a, require: locates.available > 0}\n", True),
                           ("custom:\n  - {id: a, when: locates.available > 0, require: 'true'}\n", True),
                           ("custom:\n  - {id: a, require: 'true', message: 'of {locates.available}'}\n", True),
                           ("  order-quantity-limit: {level: warn, shares: 9, overrides: "
                            "[{when: locates.available > 0, shares: 100}]}\n", True)):
            with self.subTest(text):
                p = self.policy("max_age: {locates: 10s}\nrules:\n  facts-age: warn\n" + text)
                self.assertEqual(("input-stale", "warn") in self.reasons(p, order(), facts=facts), told)

    def test_a_when_that_is_not_known_is_unsure_where_it_matters(self):
        rule = 'custom:\n  - {id: near, when: quote.last < 20, require: order.orderQuantity < %d}\n'
        found = self.decide(self.policy(rule % 5), order())[0]["findings"]
        self.assertEqual([f["message"] for f in found],
                         ["near not decided: cannot tell whether it applies: quotes of AAPL not known"])
        self.assertEqual(self.reasons(self.policy(rule % 50), order()), [])  # it holds, whether it applies or not
        self.assertEqual(self.reasons(self.policy(rule % 5), order(), facts=QUOTES), [("near", "refuse")])

    def test_no_such_value_is_unsure_and_has_asks(self):
        p = self.policy("custom:\n  - {id: cheap, require: order.limitPrice >= 5.0}\n"
                        "  - {id: asked, require: \"!has(order.limitPrice) || order.limitPrice >= 5.0\"}\n")
        found = self.decide(p, order(orderType="Market", limitPrice=None))[0]["findings"]
        self.assertEqual([(f["rule"], f["unsure"]) for f in found], [("cheap", True)])
        self.assertIn("there is no order.limitPrice", found[0]["message"])

    def test_they_run_for_orders_alone_after_the_register_in_the_order_written(self):
        p = self.policy('custom:\n  - {id: zeta, require: "false"}\n  - {id: alpha, require: "false"}\n',
                        extends="[default]")
        found = [r for r, _ in self.reasons(p, order())]
        self.assertEqual(found[-2:], ["zeta", "alpha"])
        self.assertGreater(len(found), 2)
        cancel = self.decide(p, '{"op":"cancel","clientOrderId":"a1"}')[0]
        self.assertNotIn("zeta", [f["rule"] for f in cancel["findings"]])
        self.assertEqual([f["rule"] for f in self.decide(p, "{}")[0]["findings"]
                          if f["rule"] in ("zeta", "order-form")], ["zeta"])
        self.assertEqual({f["rule"] for f in self.decide(p, "{]")[0]["findings"]}, {"order-form"})

    def test_more_of_them_than_a_decision_holds(self):
        never = "".join(f'  - {{id: r{i}, require: "false", level: %s}}\n' for i in range(70))
        for level, verdict in (("refuse", "refuse"), ("warn", "accept")):
            d = self.decide(self.policy("custom:\n" + never.replace("%s", level)), order())[0]
            self.assertEqual((len(d["findings"]), d["findingsCut"], d["verdict"]), (64, True, verdict))
        d = self.decide(self.policy("mode: shadow\ncustom:\n" + never.replace("%s", "refuse") +
                                    '  - {id: last, require: "false", mode: enforce}\n'), order())[0]
        self.assertEqual((len(d["shadow"]), d["shadowCut"], [f["rule"] for f in d["findings"]]), (64, True, ["last"]))
        self.assertNotIn("findingsCut", d)


class Explain(PolicyCase):
    def test_a_rule_of_nobody_may_be_a_policys_own(self):
        p = self.policy(SHORTS)
        for args, told in ((["no-cheap-shorts"],
                            "; see ordergate rules, or give -p FILE if it is a rule of a policy's own"),
                           (["-p", p, "no-cheap-short"],
                            ", nor has policy p a rule of its own so called; did you mean 'no-cheap-shorts'?"),
                           (["market-outside-hour"], "; did you mean 'market-outside-hours'?"),
                           (["R999x99"], "; see ordergate rules")):
            done = self.gate("explain", *args)
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            self.assertEqual(done.stderr.decode(),
                             f"ordergate explain: there is no rule, reason, code or name '{args[-1]}'{told}\n")

    def test_what_is_in_force_of_it(self):
        self.policy(SHORTS + "    help: ask the desk\n    lock: true\n", "base.yaml")
        done = self.gate("explain", "-p", "base.yaml", "no-cheap-shorts", "market-hours")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.decode().split("\n\nmarket-hours")[0],
                         "no-cheap-shorts (a rule of policy base, base.yaml:4:5)\n\n"
                         "When: order.action == \"Short\"\n"
                         "Requires: order.limitPrice >= 5.0 && !(order.symbol in [\"AMC\",\"GME\"])\n"
                         "Says: short of {order.symbol} below 5.00 (limit {order.limitPrice})\n"
                         "Help: ask the desk\n"
                         "Level: refuse, mode enforce, unsure: warn, locked: later layers cannot loosen it\n"
                         "Facts: none, the order alone decides")
        self.policy("custom:\n  - {id: near, require: quote.last < 20 && counters.dayPnl > 0.0, unsure: refuse, mode: "
                    "shadow, "
                    "level: warn,\n     until: 2030-01-01T00:00:00+01:00, reason: a trial}\n")
        self.assertIn(b"Level: warn, mode shadow, unsure: refuse\nUntil: 2029-12-31T23:00:00Z, a trial\n"
                      b"Facts: quotes, pnl\n", self.gate("explain", "--policy", "p.yaml", "near").stdout)
        self.assertEqual(self.gate("explain", "-p", "p.yaml", "nearr").returncode, 1)
        self.assertEqual(self.gate("explain", "near").returncode, 1)
        self.assertEqual(self.gate("explain", "-p", "gone.yaml", "near").returncode, 3)


class Lists(PolicyCase):
    LISTS = "lists:\n  meme: [GME, AMC, \"BB\"]\n  none: []\n  hard: {file: sub/hard.txt}\n"
    RULES = "custom:\n  - {id: no-meme, require: \"!(order.symbol in lists.meme) && !(order.symbol in lists.hard)\"}\n"

    def test_inline_and_from_a_file(self):
        self.file("sub/hard.txt", "# hard to borrow\n\n  TSLA  \nNVDA\t# of today\r\n#AAPL\nBRK-B\n")
        p = self.policy(self.LISTS + self.RULES)
        refused = [s for s in ("GME", "BB", "AAPL", "TSLA", "NVDA", "BRK", "A") if self.reasons(p, order(symbol=s))]
        self.assertEqual(refused, ["GME", "BB", "TSLA", "NVDA"])
        self.assertIn('lists:\n  meme: ["GME", "AMC", "BB"]\n  none: []\n  hard: ["TSLA", "NVDA", "BRK-B"]\n',
                      self.show(p))
        self.file("sub/marks.txt", "A#B\n")
        self.assertIn('  marks: ["A#B"]\n', self.show(self.policy("lists: {marks: {file: sub/marks.txt}}\n", "m.yaml")))
        again = self.shows_as_itself(p)
        os.unlink(os.path.join(self.dir.name, "sub/hard.txt"))
        self.assertEqual(self.reasons(again, order(symbol="TSLA")), [("no-meme", "refuse")])

    def test_files_as_others_write_them(self):
        p = self.policy("lists: {hard: {file: hard.txt}}\ncustom:\n"
                        "  - {id: no-hard, require: \"!(order.symbol in lists.hard)\"}\n")
        for text, words in (("\ufeffTSLA\r\nNVDA\r\n", '["TSLA", "NVDA"]'), ("TSLA", '["TSLA"]'), ("", "[]"),
                            ("\ufeff", "[]"),
                            ("\ufeff# none\n", "[]"), ("\n \r\n\t\n", "[]"), ("TSLA\nTSLA\n", '["TSLA", "TSLA"]')):
            self.file("hard.txt", text)
            self.assertIn(f"  hard: {words}\n", self.show(p), repr(text))
        two, several = (f"a file of a list has one word a line, here are {n}: " for n in ("two", "several"))
        for text, told in (("A B\n", f"1:1: error: {several}'A B'"),
                           ("GME\n\tAMC,BB # two\n", f"2:2: error: {several}'AMC,BB'"),
                           ("A\rB\r", f"1:1: error: {several}'A?B'"),
                           ("AMD\nNVDA 1.7\n", f"2:1: error: {two}'NVDA 1.7'; if it is a weight, write NVDA=1.7"),
                           ("BRK.B, -3\n", f"1:1: error: {two}'BRK.B, -3'; if it is a weight, write BRK.B=-3"),
                           ("NVDA: 1.7\n", f"1:1: error: {two}'NVDA: 1.7'; if it is a weight, write NVDA=1.7"),
                           ("NVDA = 1.7\n", f"1:1: error: {two}'NVDA = 1.7'; if it is a weight, write NVDA=1.7"),
                           ("symbol,weight\nGME\n", "1:1: error: 'symbol,weight' seems to be the names of columns"),
                           ("# 2026-11-20\n\"Ticker\";\"Weight\"\nGME\n", "2:1: error: '\"Ticker\";\"Weight\"' seems"),
                           ("UNDERLYING=WEIGHT\nGME\n", "1:1: error: 'UNDERLYING=WEIGHT' seems to be"),
                           ("symbol\nGME\n", "1:1: error: no symbol is 'symbol', with which order.symbol is compared: "
                            "if it is the name of a column, leave it out"),
                           ("NVDA=1 7\n", f"1:1: error: {several}'NVDA=1 7'"),
                           ("NVDA=1,7\n", f"1:1: error: {several}'NVDA=1,7'"),
                           ("A 1 B\n", f"1:1: error: {several}'A 1 B'"), ("5 \t,B\n", f"1:1: error: {several}"),
                           ("\ufeffA\0\n", "1:1: error: 'A' cannot be in a list: it has a control")):
            self.file("hard.txt", text)
            found = self.faults(p)
            self.assertEqual(len(found), 1, found)
            self.assertTrue(found[0].startswith(told), found)

    def test_the_file_is_beside_the_policy_that_names_it(self):
        self.file("base/sub/hard.txt", "TSLA\n")
        self.policy(self.LISTS + self.RULES, "base/base.yaml")
        p = self.policy("name: over\n", extends="[base/base.yaml]")
        self.assertEqual(self.reasons(p, order(symbol="TSLA")), [("no-meme", "refuse")])

    def test_the_digest_covers_what_is_in_the_file(self):
        p = self.policy(self.LISTS + self.RULES)
        digests = set()
        for text in ("TSLA\n", "TSLA\nNVDA\n", "TSLA"):
            self.file("sub/hard.txt", text)
            digests.add(self.gate("policy", "digest", p).stdout)
        self.assertEqual(len(digests), 2)

    def test_a_later_layer_replaces_by_name(self):
        self.file("sub/hard.txt", "")
        self.policy(self.LISTS + self.RULES, "base.yaml")
        p = self.policy("lists: {meme: [XYZ]}\n", extends="[base.yaml]")
        self.assertEqual([self.reasons(p, order(symbol=s)) != [] for s in ("XYZ", "GME")], [True, False])
        # a name of later on
        self.policy("custom:\n  - {id: later, require: \"order.symbol in lists.later\"}\n", "base.yaml")
        p = self.policy("lists: {later: [XYZ]}\n", extends="[base.yaml]")
        self.assertEqual(self.reasons(p, order()), [("later", "refuse")])
        self.assertEqual(self.faults(os.path.join(self.dir.name, "base.yaml")),
                         ["4:49: error: there is no list 'later': the policy has none [expression-unknown-name]"])

    def test_what_they_are_not(self):
        self.file("bad.txt", "GOOD\nB\x01D\n" + "X" * 300 + "\n")
        self.file("unsafe.txt", "GME\n")
        os.chmod(os.path.join(self.dir.name, "unsafe.txt"), 0o666)
        p = self.policy("""lists:
  in: [A]
  2nd: [A]
  a-b: [A]
  word: GME
  deep: [[A], ""]
  path: {path: a.txt}
  gone: {file: gone.txt}
  unsafe: {file: unsafe.txt}
  bad: {file: bad.txt}
""")
        name = ("is not a name of a list: 1 to 64 of letters, digits and '_', no digit first, and no word of "
                "expressions [name-invalid]")
        self.assertEqual(self.faults(p), [
            f"4:3: error: 'in' {name}", f"5:3: error: '2nd' {name}", f"6:3: error: 'a-b' {name}",
            "7:9: error: 'word' must be a list of words (like [GME, AMC]) or {file: path} [wrong-type]",
            "8:10: error: a list must have words (like [GME, AMC]), here is something else [wrong-type]",
            "8:15: error: a list must have words (like [GME, AMC]), here is something else [wrong-type]",
            "9:9: error: a list from a file is written {file: path}, or {file: path, key: path of a public key} if it "
            "is signed by itself, with the paths relative to this policy's folder; 'of' and 'max_age' say how old it "
            "may be [wrong-type]",
            "10:16: error: 'gone.txt' does not exist in the folder of this file: the list needs it, with one "
            "word a line; who copies a policy copies its lists too [list-unreadable]",
            "11:18: error: 'unsafe.txt' may be written by others and its group: chmod go-w it [list-unreadable]",
            "2:1: error: 'B?D' cannot be in a list: it has a control character, or is not UTF-8 [value-invalid]",
            f"3:1: error: a word of a list has at most 256 bytes, here is '{'X' * 60}...' [value-invalid]"])
        self.assertEqual(self.faults(self.policy("lists: [a]\n")),
                         ["3:8: error: 'lists' must be a map of name and words (like meme: [GME, AMC]) [wrong-type]"])

    def test_a_long_list_answers_at_once(self):
        self.file("long.txt", "".join(f"W{i}\n" for i in range(200000)))
        p = self.policy('lists: {long: {file: long.txt}}\ncustom:\n'
                        '  - {id: known, require: "order.symbol in lists.long"}\n')
        lines = [order(symbol=f"W{i * 1000}") for i in range(201)]
        self.assertEqual([d["verdict"] for d in self.decide(p, lines)], ["accept"] * 200 + ["refuse"])
        self.file("long.txt", "".join(f"W{i}\n" for i in range(1000001)))
        self.assertEqual(self.faults(p), ["3:9: error: lists have at most 1000000 words in all [too-many]",
                                          "5:49: error: there is no list 'long': the policy has none "
                                          "[expression-unknown-name]"])


class When(PolicyCase):
    RULES = """lists: {meme: [GME, AMC]}
rules:
  order-notional:
    level: refuse
    most: 1000
    overrides:
      - when: order.symbol in lists.meme && order.side == "Buy"
        most: 50
      - match: {symbol: AAPL}
        when: quote.last < 20
        most: 5000
"""

    def refused(self, p, **more):
        facts = more.pop("facts", None)
        return self.reasons(p, order(**more), facts=facts) == [("notional-above-limit", "refuse")]

    def test_first_that_holds_wins(self):
        p = self.policy(self.RULES)
        for facts, keys, refused in ((None, {"symbol": "GME"}, True),
                                     (None, {"symbol": "GME", "orderQuantity": 5}, False),
                                     (None, {"symbol": "GME", "side": "Sell"}, False),
                                     (QUOTES, {"orderQuantity": 500}, False), (QUOTES, {"orderQuantity": 501}, True)):
            self.assertEqual(self.refused(p, facts=facts, **keys), refused, keys)
        again = self.shows_as_itself(p)
        self.assertTrue(self.refused(again, symbol="GME"))
        self.assertIn('      - when: "order.symbol in lists.meme && order.side == \\"Buy\\""\n', self.show(p))
        self.assertIn('      - match: {symbol: "AAPL"}\n        when: "quote.last < 20"\n', self.show(p))

    def test_whichever_it_is(self):
        p = self.policy(self.RULES)  # no quotes: 1000 or 5000 are allowed
        self.assertEqual(self.reasons(p, order(orderQuantity=100)), [])
        found = self.decide(p, order(orderQuantity=101))[0]
        self.assertEqual([(f["level"], f["unsure"], f["message"]) for f in found["findings"]],
                         [("warn", True,
                           "order is worth 1010, the desk allows 1000; not sure: cannot tell which override applies: "
                           "quotes of AAPL not known")])
        self.assertEqual(self.decide(p, order(orderQuantity=501))[0]["findings"][0]["level"], "refuse")
        self.assertNotIn("unsure", self.decide(p, order(orderQuantity=501))[0]["findings"][0])
        strict = self.policy("unsure: refuse\n" + self.RULES)
        self.assertTrue(self.refused(strict, orderQuantity=101))
        self.assertFalse(self.refused(strict, orderQuantity=100))

    def test_a_rule_that_an_override_may_turn_on(self):
        p = self.policy("unsure: refuse\nrules:\n  order-notional:\n    level: off\n    most: 50\n    overrides:\n"
                        "      - {when: quote.last < 20, level: refuse}\n"
                        "      - {when: quote.last > 40, level: refuse, most: 70}\n")
        self.assertTrue(self.refused(p))
        self.assertEqual(self.reasons(p, order(orderQuantity=5)), [])
        self.assertTrue(self.refused(p, facts=QUOTES))
        self.assertEqual(self.reasons(p, order(),
                                      facts={"quotes": {"AAPL": {"last": 30, "asOf": "2026-01-15T17:00:00Z"}}}), [])

    def test_a_condition_of_an_order_is_none_of_a_cancel(self):
        p = self.policy("rules:\n  cancel-request:\n    level: refuse\n    overrides:\n"
                        "      - {when: quote.last < 20, level: off}\n")
        facts = {"asOf": NOON, "orders": []}
        found = self.decide(p, '{"op":"cancel","clientOrderId":"a1"}', facts=facts)[0]
        plain = self.decide(self.policy("rules: {cancel-request: refuse}\n"), '{"op":"cancel","clientOrderId":"a1"}',
                            facts=facts)[0]
        self.assertEqual(found["findings"], plain["findings"])
        self.assertEqual(found["verdict"], "refuse")


class Layers(PolicyCase):
    def test_a_later_layer_changes_the_keys_it_gives(self):
        self.policy(SHORTS, "base.yaml")
        p = self.policy("custom:\n  - {id: no-cheap-shorts, level: warn}\n", extends="[base.yaml]")
        found = self.decide(p, order(limitPrice=4.5, **SHORT))[0]["findings"][0]
        self.assertEqual((found["level"], found["message"]), ("warn", "short of AAPL below 5.00 (limit 4.5)"))
        p = self.policy("custom:\n  - {id: no-cheap-shorts, level: off}\n", extends="[base.yaml]")
        self.assertEqual(self.reasons(p, order(limitPrice=4.5, **SHORT)), [])
        p = self.policy("custom:\n  - {id: more, require: \"true\"}\n", extends="[base.yaml]")
        self.assertEqual(self.show(p).count("  - id: "), 2)

    def lock(self, more="", lists="  meme: [GME]\n"):
        self.policy(f"lists:\n{lists}custom:\n  - id: own\n    require: \"!(order.symbol in lists.meme)\"\n"
                    f"    level: warn\n    lock: true\n{more}", "base.yaml")

    def over(self, text):
        return [f.rsplit(" [", 1) for f in self.faults(self.policy(text, extends="[base.yaml]"))]

    def test_locked_ones(self):
        self.lock()
        locked = "error: rule 'own' is locked (base.yaml:9:11): "
        one = "custom:\n  - {id: own, %s}\n"
        for keys, place, how in (("when: order.side == \"Buy\"", 21, "its 'when' cannot be changed"),
                                 ("require: \"true\"", 24, "its 'require' cannot be changed"),
                                 ("level: info", 22,
                                  "its level may only become stricter: it is warn (base.yaml:8:12), here info"),
                                 ("mode: warn", 21, "its mode may only become stricter: it is enforce, here warn"),
                                 ("lock: false", 21, "a later layer cannot unlock it"),
                                 ("until: 2030-01-01T00:00:00Z, reason: x", 22, "it cannot end sooner")):
            self.assertEqual(self.over(one % keys), [[f"4:{place}: {locked}{how}", "locked-loosened]"]], keys)
        for keys in ("level: refuse", "unsure: refuse", "mode: enforce", "message: other", "help: other", "lock: true",
                     "require: \"!(order.symbol in lists.meme)\""):
            self.assertEqual(self.over(one % keys), [], keys)
        self.assertEqual(self.over("custom:\n  - {id: another, require: \"false\"}\n"), [])
        self.lock("    unsure: refuse\n    until: 2027-01-01T00:00:00Z\n    reason: x\n")
        self.assertEqual(len(self.over(one % "unsure: warn")), 1)
        self.assertEqual(len(self.over(one % "until: 2026-12-31T00:00:00Z, reason: y")), 1)
        self.assertEqual(self.over(one % "until: 2027-12-31T00:00:00Z, reason: y"), [])

    def test_lists_that_locked_rules_name_stay(self):
        self.lock()
        self.assertEqual(self.over("lists: {meme: []}\n"),
                         [["3:9: error: list 'meme' is locked (base.yaml:9:11): a locked rule names it",
                           "locked-loosened]"]])
        self.assertEqual(self.over("lists: {meme: [GME], other: []}\n"), [])
        self.lock(lists="  other: [X]\n")  # a locked rule is complete where it is locked
        self.assertEqual(self.over("lists: {meme: []}\n"),
                         [["7:39: error: there is no list 'meme'", "expression-unknown-name]"]])
        self.policy("lists: {meme: [GME]}\nrules:\n  order-notional:\n    level: refuse\n    most: 10\n    lock: true\n"
                    "    overrides: [{when: order.symbol in lists.meme, most: 5}]\n", "base.yaml")
        self.assertEqual(len(self.over("lists: {meme: []}\n")), 1)
        self.assertEqual(self.over("rules:\n  order-notional: {overrides: [{when: order.symbol in lists.meme, most: "
                                   "4}]}\n"), [])
        self.assertEqual(len(self.over("rules:\n  order-notional: {overrides: [{when: order.symbol in lists.meme, "
                                       "most: 6}]}\n")), 1)
        self.assertEqual(len(self.over("rules:\n  order-notional: {overrides: [{when: order.side == \"Buy\", most: "
                                       "6}]}\n")), 1)


class Wrong(PolicyCase):
    def test_keys(self):
        p = self.policy("""custom:
  - id: Bad_Id
    require: "true"
  - id: order-notional
    require: "true"
  - id: notional-above-limit
    require: "true"
  - require: "true"
  - {id: twice, require: "true"}
  - {id: twice, require: "true"}
  - {id: none}
  - {id: parts, require: [x], when: "", requires: 1, level: loud, unsure: no, mode: off, message: {a: 1}}
  - own
""")
        self.assertEqual(self.faults(p), [
            "4:9: error: 'Bad_Id' is not an id: lower-case letters, digits and single '-' between them, a letter "
            "first, at most 64 [name-invalid]",
            "6:9: error: 'order-notional' is the id of rule 'order-notional' of the register: call this one something "
            "else [id-taken]",
            "8:9: error: 'notional-above-limit' is a reason of rule 'order-notional' of the register: call this one "
            "something else "
            "[id-taken]",
            "10:5: error: this custom rule has no 'id': give it one [key-missing]",
            "12:10: error: custom rule 'twice' is here for the second time: keep one [id-twice]",
            "13:5: error: custom rule 'none' has no 'require', here or in a layer below [key-missing]",
            "14:26: error: 'require' must be an expression (like order.limitPrice >= 5.0) [wrong-type]",
            "14:37: error: 'when' must be an expression (like order.action == \"Short\") [wrong-type]",
            "14:41: error: a custom rule has no key 'requires'; did you mean 'require'? known: id, when, require, "
            "level, message, "
            "help, unsure, mode, lock, until, reason [unknown-key]",
            "14:61: error: 'loud' is no level; known: off, info, warn, refuse [value-invalid]",
            "14:75: error: 'no' is no answer to 'unsure'; known: warn, refuse [value-invalid]",
            "14:85: error: 'off' is no mode; known: shadow, warn, enforce [value-invalid]",
            "14:99: error: 'message' must be a text (like \"short of {order.symbol}\") [wrong-type]",
            "15:5: error: a custom rule must be a map of 'id', 'require' and more [wrong-type]"])
        self.assertEqual(self.faults(self.policy("custom: {id: a}\n")),
                         ["3:9: error: 'custom' must be a list; each item begins with '- id:' [wrong-type]"])

    def at(self, text):
        """Returns line:col of the only error."""
        found = self.faults(self.policy(text))
        self.assertEqual(len(found), 1, found)
        return found[0].split(": error")[0]

    def test_a_fault_of_an_expression_is_at_its_byte(self):
        for text, place in (("custom:\n  - {id: a, require: order.limitPric > 5}\n", "4:28"),
                            ("custom:\n  - {id: a, require: \"order.symbol == \\\"A\\\" && order.nothing\"}\n", "4:54"),
                            ("custom:\n  - {id: a, require: 'order.symbol == ''A'' && order.nothing'}\n", "4:54"),
                            ("custom:\n  - id: a\n    require: |\n      order.symbol == \"A\" &&\n"
                             "        order.nothing\n", "7:15"),
                            ("custom:\n  - id: a\n    require: >\n"
                             "      order.symbol == \"A\" &&\n      order.nothing\n", "7:13"),
                            ("custom:\n  - id: a\n    when: order.nothing\n    require: \"true\"\n", "5:17"),
                            ("custom:\n  - id: a\n    message: of {order.nothing}\n    require: \"true\"\n", "5:24"),
                            ("rules:\n  route:\n    overrides:\n      - {when: order.nothing, level: off}\n", "6:22")):
            self.assertEqual(self.at(text), place, text)

    def test_a_condition_is_a_bool(self):
        for expression in ("order.limitPrice", "1 +", "order.symbol == 5", "\"'a'\""):
            self.assertEqual(len(self.faults(self.policy(f"custom:\n  - {{id: a, require: {expression}}}\n"))), 1,
                             expression)

    def test_the_cost_of_all_is_bounded(self):
        dear = " || ".join(['lists.long.exists(w, w.startsWith(order.symbol))'] * 4)
        words = ", ".join(f"W{i}" for i in range(2000))
        rules = "".join(f"  - {{id: r{i}, require: \"{dear}\"}}\n" for i in range(200))
        found = self.faults(self.policy(f"lists: {{long: [{words}]}}\ncustom:\n{rules}"))
        self.assertEqual(len(found), 1, found[:3])
        self.assertIn("[expression-too-large]", found[0])


if __name__ == "__main__":
    unittest.main()
