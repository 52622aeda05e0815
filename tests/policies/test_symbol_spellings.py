#!/usr/bin/env python3
"""One stock under several names: spellings of a listed symbol that no exchange has (GME.US, GME., GME_US).  Facts under
such a name are facts about the stock, and words of a policy so spelt are errors, since they bar nothing.  So are
contracts where only underlyings are compared, and underlyings where only contracts are."""
import json
import unittest

from policy_case import NOON, PolicyCase, order
from test_symbol_words import LISTS, LITERALS, custom, place, quoted

# spellings of GME that are no symbol of any exchange: a country, or a mark where no ticker has one
FOREIGN = ["GME.US", "GME-US", "GME_US", "GME.", ".GME", "GME-", "-GME", "GME_", "_GME", "GME..", "..GME", "GME..US",
           ".GME.US", "GME.US.", "GME_.US"]
# ... and of a share with a class
OF_CLASS = ["BRK.B.US", "BRK-B.US", "BRK_B_US", "BRK..B", "BRK-.B", "BRK.B.", ".BRK.B"]
MEANT = {**{s: "GME" for s in FOREIGN}, **{s: "BRK.B" for s in OF_CLASS}}

EARLY = "2026-01-15T16:00:00Z"
FACTS = {
    "quotes": {"bid": 9.9, "ask": 10, "last": 10, "asOf": NOON},
    "symbolStatus": {"halted": True, "asOf": NOON},
    "borrow": {"easy": True, "asOf": NOON},
    "averageVolume": 50,
}


def told(decision):
    """Returns what a decision says, without the times it took."""
    return [(f["rule"], f["reason"], f["level"]) for f in decision["findings"]]


class Words(PolicyCase):
    def never(self, path, *told):
        """The errors of the policy, by lint and by check, begin with these: (place, text)."""
        found = self.faults(path)
        self.assertEqual(len(found), len(told), (found, told))
        done = self.gate("check", "-p", path, input=order().encode())
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)
        for line, (place_, start) in zip(found, told):
            self.assertTrue(line.startswith(f"{place_}: error: {start}"), (line, place_, start))
            self.assertTrue(line.endswith("[symbol-never]"), line)
            self.assertIn(f"{place_}: error: {start}", done.stderr.decode())
        return found

    def loads(self, text):
        path = self.policy(text)
        self.assertEqual(self.faults(path), [], text)
        self.assertEqual(self.gate("check", "-p", path, input=order().encode()).returncode & ~1, 0, text)
        return path

    def foreign(self, path, name, used):
        found, = self.never(path, (place(path, name), f"no symbol is '{name}', {used}: "))
        self.assertIn(f"; did you mean '{MEANT[name]}'?", found)

    # --- spellings

    def test_literals(self):
        for way, compared in LITERALS.items():
            for name in FOREIGN if way == "order.symbol != %s" else FOREIGN[:4]:
                with self.subTest(way=way, name=name):
                    path = self.policy(custom(way % f'"{name}"'))
                    self.foreign(path, name, f"with which {compared} is compared")
        for name in OF_CLASS:
            path = self.policy(custom(f"order.symbol != '{name}'"))
            self.foreign(path, name, "with which order.symbol is compared")

    def test_lists_and_their_files(self):
        for way in LISTS:
            way = way.replace("[0]", "[1]")
            used = f"with which {'order.underlying' if 'underlying' in way else 'order.symbol'} is compared"
            for name in MEANT if way == LISTS[0] else FOREIGN[:4]:
                with self.subTest(way=way, name=name):
                    lists = f"lists:\n  more: [AMC]\n  banned:\n    - AMC\n    - {quoted(name)}\n"
                    found, = self.never(self.policy(custom(way, lists)), ("7:7", f"no symbol is '{name}', {used}: "))
                    self.assertIn(f"; did you mean '{MEANT[name]}'?", found)
                    self.file("banned.txt", f"# the desk's\nAMC\n {name} # of today\n")
                    lists = "lists:\n  more: [AMC]\n  banned: {file: banned.txt}\n"
                    done = self.gate("check", "-p", self.policy(custom(way, lists)), input=order().encode())
                    self.assertEqual(done.returncode, 3)
                    self.assertIn(f"banned.txt:3:2: error: no symbol is '{name}', {used}: ", done.stderr.decode())

    def test_settings(self):
        for key in ("allowed", "barred"):
            for name, meant in MEANT.items():
                with self.subTest(key=key, name=name):
                    rule = "rules:\n  allowed-symbols: {level: refuse, %s: [AMC, %s]}\n"
                    for written in (name, name.lower()):
                        path = self.policy(rule % (key, quoted(written)))
                        found, = self.never(path, (place(path, quoted(written)),
                                                   f"no symbol is '{written}', which '{key}' has: "))
                        self.assertIn(f"; did you mean '{meant}'?", found)
                    for also in (meant, meant.lower()):
                        self.loads(rule % (key, f"{also}, {quoted(name)}"))
                        self.loads(rule % (key, f"{quoted(name)}, {also}"))

    def test_patterns(self):
        rule = ("rules:\n  order-notional:\n    level: refuse\n    most: 500\n    overrides:\n"
                "      - {match: {symbol: '%s'}, most: 400}\n")
        for form in ("%s", "^%s$", "AMC|%s", "^(AMC|%s)$"):
            for name in FOREIGN:
                with self.subTest(form=form, name=name):
                    # '.' may stand for any character where the word ends, so there it may be meant
                    may = "." in name and name != "GME.US"
                    if may:
                        self.loads(rule % form % name)
                    else:
                        path = self.policy(rule % form % name)
                        self.foreign(path, name, "which the pattern asks for")
                        self.loads(rule % form % f"{name}|GME")
        for pattern in ("GME.*", "GME...............", "BRK.B", "BRK-B", "A.B-C"):
            self.loads(rule % pattern)

    def test_what_names_the_symbol_too_is_harmless(self):
        """... and bars it in every spelling, by symbol-form and the word itself."""
        more = "lists: {both: ['%s', GME], plain: [GME], other: ['%s']}\n"
        for name in FOREIGN:
            for require in ("!(order.symbol in lists.both)", f"!(order.symbol in ['{name}', 'GME'])",
                            f"order.symbol != 'GME' && order.symbol != '{name}'",
                            f"!(order.symbol in lists.plain || order.symbol == '{name}')",
                            f"!(order.underlying == 'GME' || order.symbol == '{name}')",
                            "!(order.symbol in lists.plain || order.symbol in lists.other)",
                            "!(order.symbol in lists.plain + lists.other)",
                            "!(order.symbol in lists.other || order.symbol == 'GME')"):
                with self.subTest(name=name, require=require):
                    path = self.loads(custom(require, more % (name, name)))
                    if name == FOREIGN[0]:
                        for symbol in ("GME", "gme", name):
                            self.assertIn(("own", "refuse"), self.reasons(path, order(symbol=symbol)))
            for require in (f"order.symbol != 'GME' && order.underlying != '{name}'",
                            "!(order.underlying in lists.other) && order.symbol != 'GME'",
                            f"order.symbol != '{name}' && !order.legs.exists(l, l.symbol == 'GME')",
                            f"order.tag != 'GME' && order.symbol != '{name}'"):
                with self.subTest(name=name, require=require):
                    self.assertIn(f"no symbol is '{name}'",
                                  self.faults(self.policy(custom(require, more % (name, name))))[0])

    def test_a_list_is_judged_by_each_condition(self):
        more = "lists: {banned: ['GME.US', 'AMC.US']}\n"
        path = self.policy(more + "custom:\n"
                           "  - {id: a, require: \"!(order.symbol in lists.banned + ['GME', 'AMC'])\"}\n"
                           "  - {id: b, require: \"!(order.symbol in lists.banned) && order.symbol != 'AMC'\"}\n")
        self.never(path, ("3:18", "no symbol is 'GME.US', with which order.symbol is compared: "))

    def test_classes_are_symbols(self):
        for name in ("BRK.B", "BRK-B", "BRK_B", "BRKB", "BF.A", "BAC.PR.L", "BAC-PL", "SPAC.U", "SPAC.WS", "US", "BUS",
                     "A.US.B", "T.U"):
            self.loads(custom(f"order.symbol != '{name}'"))
            self.loads(custom("!(order.symbol in lists.b)", f"lists: {{b: ['{name}']}}\n"))
            self.loads(f"rules:\n  allowed-symbols: {{level: refuse, barred: ['{name}']}}\n")

    def test_groups_count_every_spelling(self):
        for name in MEANT:
            self.loads(f"lists: {{g: ['{name}', AMC]}}\nrules:\n"
                       "  group-limit: {level: refuse, limits: [g gross 500]}\n")
        path = self.policy("lists: {g: [AMC, GMEGMEGMEGMEG]}\nrules:\n"
                           "  group-limit: {level: refuse, limits: [g gross 500]}\n")
        self.never(path, ("3:18", "no symbol is 'GMEGMEGMEGMEG', which limit 'g gross 500' counts: it is too long"))

    def test_lint_repairs_them(self):
        for name, meant in MEANT.items():
            for require, more in (("order.symbol != \"%s\"", ""),
                                  ("!(order.symbol in lists.b)", "lists:\n  b: [AMC, \"%s\"]\n")):
                path = self.policy(custom(require.replace("%s", name), more.replace("%s", name)))
                self.gate("lint", "--fix", path)
                with open(path, encoding="utf-8") as f:
                    self.assertEqual(f.read(), "ordergate: 1\nextends: []\n" +
                                     custom(require.replace("%s", meant), more.replace("%s", meant)))

    # --- contracts and underlyings

    CONTRACT = "GME260220P00010000"

    def test_contracts_are_no_underlyings(self):
        for way in (way for way, name in LITERALS.items() if name == "order.symbol"):
            way = way.replace("order.symbol", "order.underlying")
            with self.subTest(way):
                path = self.policy(custom(way % f'"{self.CONTRACT}"'))
                found, = self.never(path, (place(path, self.CONTRACT), f"no underlying is '{self.CONTRACT}', "
                                           "with which order.underlying is compared: it is a contract"))
                self.assertIn("compare it with order.symbol, or write 'GME'", found)
        path = self.policy(custom(f"!order.legs.exists(l, l.underlying == '{self.CONTRACT}')"))
        found, = self.never(path, (place(path, self.CONTRACT), f"no underlying is '{self.CONTRACT}', with which "
                                   "leg.underlying is compared: it is a contract"))
        self.assertIn("compare it with leg.symbol, or write 'GME'", found)

    def test_contracts_in_lists(self):
        more = "lists: {banned: [AMC, %s]}\n" % self.CONTRACT
        for ways in (["!(order.underlying in lists.banned)"], ["!(order.underlying in lists.banned)"] * 2,
                     ["lists.banned.all(w, w != order.underlying)"]):
            text = more + "custom:\n" + "".join(f"  - {{id: own-{i}, require: '{w}'}}\n" for i, w in enumerate(ways))
            self.never(self.policy(text), ("3:23", f"no underlying is '{self.CONTRACT}', with which order.underlying"))
        for ways in (["!(order.underlying in lists.banned || order.symbol in lists.banned)"],
                     ["!(order.underlying in lists.banned)", "!(order.symbol in lists.banned)"],
                     ["!(order.symbol in lists.banned)", "!(order.underlying in lists.banned)"],
                     ["!(order.symbol in lists.banned)"]):
            self.loads(more + "custom:\n" + "".join(f"  - {{id: own-{i}, require: '{w}'}}\n"
                                                    for i, w in enumerate(ways)))

    OF_OPTIONS = ['!(order.securityType == "Option" && %s)', '!(%s && order.securityType == "Option")',
                  'order.securityType != "Option" || !(%s)', '!(order.right == "Put" && %s)',
                  '!(order.opens && order.side == "Buy" && (order.right == "Call" && %s))',
                  'order.securityType == "Option" ? !(%s) : true', 'order.securityType != "Option" ? true : !(%s)',
                  '!(!(order.securityType != "Option") && (order.opens || %s))']
    OF_OTHERS = ['!(order.securityType == "Stock" && %s)', '!(order.securityType == "Option" || %s)',
                 'order.securityType == "Option" || !(%s)', '!(order.securityType != "Option" && %s)',
                 'order.securityType == "Option" ? true : !(%s)', '!((order.opens || order.right == "Put") && %s)',
                 '!(order.side == "Option" && %s)', '!(order.legs.exists(l, l.right == "Put") && %s)']

    def test_underlyings_are_no_contracts(self):
        for way in self.OF_OPTIONS:
            for word in ("order.symbol == 'GME'", "'GME' == order.symbol", "order.symbol in ['GME']"):
                with self.subTest(way=way, word=word):
                    path = self.policy(custom(way % word))
                    found, = self.never(path, (place(path, "GME'"), "no option has the symbol 'GME', "
                                               "with which order.symbol is compared"))
                    self.assertIn("compare it with order.underlying", found)
            self.loads(custom(way % f"order.symbol == '{self.CONTRACT}'"))
            self.loads(custom(way % "order.underlying == 'GME'"))
            self.loads(custom(way % "(order.underlying == 'GME' || order.symbol == 'GME')"))
            path = self.policy(custom(way % "order.symbol in lists.b", "lists: {b: [GME, AMC]}\n"))
            self.assertIn("no option has a symbol of list 'b'", self.faults(path)[0])
            self.loads(custom(way % "(order.symbol in lists.b || order.underlying in lists.b)", "lists: {b: [GME]}\n"))
            self.loads(custom(way % "order.symbol in lists.b", f"lists: {{b: [GME, {self.CONTRACT}]}}\n"))
        for way in self.OF_OTHERS:
            with self.subTest(way):
                self.assertNotIn("no option", "".join(self.faults(self.policy(custom(way % "order.symbol == 'GME'")))))

    def test_of_options_by_when_and_match(self):
        own = "custom:\n  - id: own\n    when: %s\n    require: order.symbol != 'GME'\n"
        for when in ('order.securityType == "Option"', 'order.opens && order.right == "Call"'):
            path = self.policy(own % when)
            self.never(path, (place(path, "GME"), "no option has the symbol 'GME', with which order.symbol"))
        self.loads(own % "order.securityType == 'Stock'")
        self.loads(own % "order.securityType == 'Option' || order.opens")
        over = ("rules:\n  order-notional:\n    level: refuse\n    most: 500\n    overrides:\n"
                "      - {match: {%s}, when: \"order.symbol == 'GME'\", most: 400}\n")
        path = self.policy(over % "securityType: Option")
        self.never(path, (place(path, "GME"), "no option has the symbol 'GME', with which order.symbol is compared"))
        for match in ("securityType: Stock", "securityType: [Option, Stock]"):
            self.loads(over % match)

    def test_legs_of_options(self):
        for way in ('!order.legs.exists(l, l.right == "Put" && l.symbol == "GME")',
                    'order.legs.all(l, l.right != "Call" || l.symbol != "GME")'):
            path = self.policy(custom(way))
            found, = self.never(path, (place(path, "GME"), "no option has the symbol 'GME', with which leg.symbol"))
            self.assertIn("compare it with leg.underlying", found)
        for way in ('!order.legs.exists(l, order.legs.exists(m, m.right == "Put") && l.symbol == "GME")',
                    '!(order.legs.exists(l, l.right == "Put") && order.legs.exists(l, l.symbol == "GME"))',
                    '!order.legs.exists(l, l.right == "" && l.symbol == "GME")'):
            self.loads(custom(way))


class Facts(PolicyCase):
    def setUp(self):
        super().setUp()
        self.live = self.policy("environment: live\nrules:\n"
                                "  volume-share: {level: refuse, most: 5%}\n", extends="[live]")

    def found(self, symbol, facts, **more):
        keys = {"side": "Sell", "limitPrice": 9, "orderQuantity": 100, **more}
        return told(self.decide(self.live, order(symbol=symbol, **keys), facts=facts)[0])

    def test_every_spelling_of_every_fact(self):
        for name, meant in MEANT.items():
            for key, value in FACTS.items():
                with self.subTest(key=key, name=name):
                    want = self.found(meant, {key: {meant: value}})
                    self.assertNotEqual(want, self.found(meant, {}))
                    self.assertEqual(self.found(meant, {key: {name: value}}), want)
                    self.assertEqual(self.found(meant, {key: {name.lower(): value}}), want)

    def test_every_spelling_in_a_line(self):
        def lines(name):
            line = {"op": "quote", "symbol": name, **FACTS["quotes"], "status": FACTS["symbolStatus"]}
            text = json.dumps(line) + "\n" + order(symbol=MEANT.get(name, name), limitPrice=50)
            done = self.gate("check", "--at", NOON, "-p", self.live, input=text.encode())
            self.assertEqual(done.stderr, b"")
            return told(json.loads(done.stdout))
        for name, meant in MEANT.items():
            with self.subTest(name):
                self.assertEqual(lines(name), lines(meant))
                self.assertIn(("symbol-status", "symbol-halted", "refuse"), lines(name))

    def test_a_quote_does_not_make_a_name_of_the_broker(self):
        """A feed that writes GME.US is no sign that the broker does: the order was taken, past every limit on GME."""
        for name, meant in MEANT.items():
            with self.subTest(name):
                for facts in ({}, {"quotes": {name: FACTS["quotes"]}},
                              {"quotes": {name: FACTS["quotes"], "AAPL": FACTS["quotes"]}}):
                    self.assertIn(("symbol-form", "symbol-other-spelling", "refuse"), self.found(name, facts))
                    self.assertNotIn(("symbol-form", "symbol-other-spelling", "refuse"), self.found(meant, facts))

    def test_an_order_so_spelt_has_the_facts_of_the_stock(self):
        for name, meant in MEANT.items():
            with self.subTest(name):
                for written in (name, meant):
                    found = self.found(name, {"symbolStatus": {written: FACTS["symbolStatus"]},
                                              "quotes": {written: FACTS["quotes"]}}, limitPrice=1, side="Buy",
                                       orderType="StopLimit", stopPrice=500)
                    self.assertIn(("symbol-status", "symbol-halted", "refuse"), found)
                    self.assertIn("stop-away-from-market", [reason for _, reason, _ in found])

    def test_two_spellings_in_one_document(self):
        """The stricter of two states of the same time holds, in either order; a quote of the symbol itself stays."""
        easy, hard = {"easy": True, "asOf": NOON}, {"easy": False, "asOf": NOON}
        for name, meant in MEANT.items():
            with self.subTest(name):
                want = self.found(meant, {"borrow": {meant: hard}})
                self.assertNotEqual(self.found(meant, {"borrow": {meant: easy}}), want)
                for states in ({meant: easy, name: hard}, {name: hard, meant: easy}, {meant: hard, name: easy},
                               {name: easy, meant: hard}):
                    self.assertEqual(self.found(meant, {"borrow": states}), want, states)
                states = {meant: dict(easy, asOf=EARLY), name: hard}
                self.assertEqual(self.found(meant, {"borrow": states}), want)
                want = self.found(meant, {"averageVolume": {meant: 50}})
                for states in ({meant: 50, name: 10 ** 9}, {name: 10 ** 9, meant: 50}):
                    self.assertEqual(self.found(meant, {"averageVolume": states}), want)
                quote, far = FACTS["quotes"], dict(FACTS["quotes"], bid=99, ask=99.1, last=99)
                want = self.found(meant, {"quotes": {meant: quote}}, side="Buy", limitPrice=90)
                for states in ({meant: quote, name: far}, {name: far, meant: quote},
                               {meant: quote, name: dict(far, asOf=EARLY)},
                               {meant: dict(far, asOf=EARLY), name: quote}):
                    self.assertEqual(self.found(meant, {"quotes": states}, side="Buy", limitPrice=90), want, states)


if __name__ == "__main__":
    unittest.main()
