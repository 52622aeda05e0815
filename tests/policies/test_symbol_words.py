#!/usr/bin/env python3
"""Words that are compared with symbols, or counted as symbols, and that no symbol can be: an error of the policy where
the word is written, for every program that loads it."""
import json
import os
import subprocess
import unittest

from policy_case import PolicyCase, order

# word: what was probably meant
NEVER = {"gme": "GME", "Gme": "GME", "brk.b": "BRK.B", "'GME'": "GME", '"GME"': "GME", "$GME": "GME",
         "GME\u200b": "GME",
         "\u200bgme": "GME", "\ufeffGME": "GME", "\u201cGME\u201d": "GME", "G\u041cE": None, "\uff27ME": None,
         "GM\u00c9": None, "BRK/B": "BRK.B", "GME ": "GME", " GME": "GME", "BRK B": "BRK.B", "GME,AMC": None,
         "GM#E": None, "GME*": None, "g" * 40: None, "G" * 13: None, "AAPL260116C190": None, "-": None, "..": None,
         "aapl260116c00190000": "AAPL260116C00190000", "AAPL  260116C00190000": "AAPL260116C00190000", "EUR/USD": None}
# what an order's symbol may be, as expressions compare it
MAY = ["GME", "BRK.B", "BRK-B", "BRK_B", "A", "7203", "AAPL260116C00190000", "", "G" * 12]
SPREAD = json.dumps({"securityType": "Mleg", "symbol": "GME", "orderType": "Limit", "orderQuantity": 1, "limitPrice": 1,
                     "timeInForce": "Day", "legs": [
                         {"symbol": "GME260220P00010000", "side": "Sell", "ratio": 1, "openClose": "Open"},
                         {"symbol": "GME260220P00005000", "side": "Buy", "ratio": 1, "openClose": "Open"}]})
LEG = "GME260220P00010000"


def text(word):
    """Returns the word as a literal of expressions."""
    quote = "'" if '"' in word else '"'
    return f"{quote}{word}{quote}"


# ways in which an expression compares a literal (%s) with a symbol; all refuse GME if the literal is GME
LITERALS = {
    "order.symbol != %s": "order.symbol", "%s != order.symbol": "order.symbol", "!(order.symbol == %s)": "order.symbol",
    "!(%s == order.symbol)": "order.symbol", "order.underlying != %s": "order.underlying",
    "!(order.symbol in [%s])": "order.symbol", '!(order.symbol in ["AMC", %s, "BB"])': "order.symbol",
    '!(order.symbol in ["AMC", "A", "B", "C", "D", "E", "F", "G", "H", %s])': "order.symbol",
    '!(order.symbol in ["AMC"] + [%s])': "order.symbol", "!(%s in [order.symbol, order.underlying])": "order.symbol",
    '!(order.symbol in [order.tag, %s])': "order.symbol", "[order.symbol] != [%s]": "order.symbol",
    'order.symbol != (order.opens ? %s : "AMC")': "order.symbol",
    '(order.reduces ? "AMC" : %s) != order.symbol': "order.symbol",
    "(order.opens ? order.symbol : order.underlying) != %s": "order.symbol",
    "order.symbol != (order.opens ? %s : order.tag)": "order.symbol",
    "![%s].exists(w, w == order.symbol)": "order.symbol", "[%s].all(w, order.symbol != w)": "order.symbol",
    "![order.symbol, order.underlying].exists(s, s == %s)": "order.symbol",
    '![order.symbol].exists(s, s in ["AMC", %s])': "order.symbol",
    '![["AMC", %s].exists(w, w == order.symbol)].exists(t, t)': "order.symbol",
    "order.symbol == %s ? false : true": "order.symbol", 'order.tag == "x" || order.symbol != %s': "order.symbol",
}
LISTS = ["!(order.symbol in lists.banned)", "!(order.underlying in lists.banned)",
         "!(order.symbol in lists.banned + lists.more)", '!(order.symbol in ["AMC"] + lists.banned)',
         "!lists.banned.exists(w, w == order.symbol)",
         "lists.banned.all(w, w != order.symbol)", "lists.banned[0] != order.symbol",
         "!(order.symbol in (order.opens ? lists.banned : lists.more))",
         "!([order.symbol].exists(s, s in lists.banned))",
         "!(order.tag == \"\" && order.symbol in lists.banned)"]


def quoted(word):
    """Returns the word in double quotes, as YAML reads it."""
    return json.dumps(word, ensure_ascii=False)


def place(path, written):
    """Returns line and column of the first such text of a file."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    return next(f"{i}:{line.index(written) + 1}" for i, line in enumerate(lines, 1) if written in line)


def custom(require, more=""):
    return f"{more}custom:\n  - id: own\n    require: |-\n      {require}\n"


# settings that take symbols; what their error proposes for a list
SETTINGS = {("allowed-symbols", "barred"): '"!(order.underlying in lists.banned)"',
            ("allowed-symbols", "allowed"): '"order.underlying in lists.banned"',
            ("limit-price", "penny_throughout"): None, ("limit-price", "penny_classes"): None,
            ("limit-price", "nickel_classes"): None, ("buying-power", "index_roots"): None,
            ("buying-power", "leveraged_2x"): None, ("buying-power", "leveraged_3x"): None}


class SymbolWords(PolicyCase):
    def never(self, path, *told):
        """The errors of the policy, by lint and by check, are these: (place, word, rest of the sentence)."""
        found = self.faults(path)
        self.assertEqual(len(found), len(told), (found, told))
        for line, (place, word, used) in zip(found, told):
            self.assertTrue(line.startswith(f"{place}: error: no symbol is '{word}', {used}: "), (line, place, word))
            self.assertTrue(line.endswith("[symbol-never]"), line)
        done = self.gate("check", "-p", path, input=order().encode())
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)
        for place, word, used in told:
            self.assertIn(f"{place}: error: no symbol is '{word}', {used}", done.stderr.decode())
        return found

    def loads(self, path):
        self.assertEqual(self.faults(path), [])
        self.assertEqual(self.gate("check", "-p", path, input=order().encode()).returncode & ~1, 0)

    def is_no_list(self, path, *more):
        """Each policy is refused by lint and by check for one word that names a list, and --fix leaves it."""
        found = self.faults(path, *more)
        self.assertTrue(found and all("is a list" in line and "did you mean" not in line for line in found), found)
        self.assertEqual(self.gate("check", "-p", path, input=order().encode()).returncode, 3)
        with open(path, encoding="utf-8") as f:
            before = f.read()
        self.gate("lint", "--fix", path)
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), before)
        return found

    def test_lists_in_settings(self):
        for (rule, key), proposed in SETTINGS.items():
            for word in ("banned", "BANNED", "Banned", "lists.banned", "lists.other_restricted"):
                for text in (f"  {rule}: {{{key}: [AAPL, {word}]}}\n",
                             f"  {rule}: {{overrides: [{{when: order.opens, {key}: [{word}]}}]}}\n"):
                    with self.subTest(text):
                        text = f"rules:\n{text}"
                        found = self.is_no_list(self.policy("lists: {banned: [GME]}\n" + text))
                        self.assertEqual(len(found), 1, found)
                        self.assertIn(f"'{key}' takes symbols, and '{word}' is a list", found[0])
                        if proposed and word != "lists.other_restricted":
                            self.assertIn(proposed, found[0])
            self.loads(self.policy(f"lists: {{banned: [GME]}}\nrules:\n  {rule}: {{{key}: [AAPL, BAN]}}\n"))

    def test_what_the_error_proposes_bans(self):
        path = self.policy("lists: {banned: [GME]}\ncustom:\n  - id: own\n    when: order.opens\n"
                           f"    require: {SETTINGS['allowed-symbols', 'barred']}\n")
        for line, refused in ((order(symbol="GME"), True), (order(symbol="AAPL"), False), (SPREAD, True),
                              (order(symbol=LEG, securityType="Option"), True)):
            self.assertEqual(("own", "refuse") in self.reasons(path, line), refused, line)

    def test_a_list_of_another_layer(self):
        self.policy("lists: {banned: [GME]}\n", "below.yaml")
        self.is_no_list(self.policy("rules:\n  allowed-symbols: {barred: [banned]}\n", extends="[below.yaml]"))
        self.policy("rules:\n  allowed-symbols: {barred: [BANNED]}\n", "below.yaml")
        self.assertIn("is a list", self.faults(self.policy("lists: {banned: [GME]}\n", extends="[below.yaml]"))[0])

    def test_lists_as_words(self):
        lists = "lists: {banned: [GME], all: [AMC, banned]}\n"
        for text in (custom('order.symbol != "banned"'), custom('!(order.underlying in ["AMC", "Banned"])'),
                     custom("!(order.symbol in lists.all)"),
                     "rules:\n  group-limit: {level: refuse, limits: [all gross 25%]}\n"):
            with self.subTest(text):
                found = self.is_no_list(self.policy(lists + text))
                self.assertIn("compare with lists.banned", found[0])
        for lists in ("lists: {gme: [gme, AMC]}\n", "lists: {GME: [AAPL], gme: [GME, AMC]}\n"):
            self.loads(self.policy(lists + "rules:\n  group-limit: {level: refuse, limits: [gme gross 25%]}\n"))

    def test_every_way_in_an_expression(self):
        for way, name in LITERALS.items():
            with self.subTest(way):
                good = self.policy(custom(way % '"GME"'))
                self.loads(good)
                for symbol, refused in (("GME", True), ("gme", True), ("GMEX", False)):
                    self.assertEqual(("own", "refuse") in self.reasons(good, order(symbol=symbol)), refused, symbol)
                path = self.policy(custom(way % '"gme"'))
                self.never(path, (place(path, "gme"), "gme", f"with which {name} is compared"))

    def test_every_word(self):
        for word, meant in NEVER.items():
            with self.subTest(word):
                found = self.never(self.policy(custom(f"order.symbol != {text(word)}")),
                                   ("6:24", word, "with which order.symbol is compared"))
                self.assertEqual(f"; did you mean '{meant}'?" in found[0], meant is not None, found)
                if meant is None:
                    self.assertNotIn("did you mean", found[0])
        for word in MAY:
            with self.subTest(word):
                self.loads(self.policy(custom(f"order.symbol != {text(word)}")))

    def test_legs(self):
        for way in ("!order.legs.exists(l, l.symbol == %s)", "order.legs.all(l, %s != l.symbol)",
                    "!order.legs.exists(l, l.symbol in [%s])"):
            good = self.policy(custom(way % f'"{LEG}"'))
            self.assertIn(("own", "refuse"), self.reasons(good, SPREAD))
            path = self.policy(custom(way % f'"{LEG.lower()}"'))
            self.never(path, (place(path, LEG.lower()), LEG.lower(), "with which leg.symbol is compared"))
        good = self.policy(custom('!order.legs.exists(l, l.underlying == "GME")'))
        self.assertIn(("own", "refuse"), self.reasons(good, SPREAD))
        path = self.policy(custom('!order.legs.exists(l, l.underlying == "$GME")'))
        self.never(path, (place(path, "$GME"), "$GME", "with which leg.underlying is compared"))

    def test_every_place_of_an_expression(self):
        """`when` and `require` of custom rules, `when` of overrides."""
        for rest in ("custom:\n  - id: own\n    when: order.symbol == 'gme'\n    require: \"false\"\n",
                     "custom:\n  - {id: own, require: \"order.symbol != 'gme'\"}\n",
                     "custom:\n  - {id: own, require: 'order.symbol != \"gme\"'}\n",
                     "rules:\n  order-notional:\n    level: refuse\n    most: 500\n    overrides:\n"
                     "      - {when: order.symbol == 'gme', most: 5}\n"):
            with self.subTest(rest):
                self.loads(self.policy(rest.replace("gme", "GME")))
                path = self.policy(rest)
                self.never(path, (place(path, "gme"), "gme", "with which order.symbol is compared"))

    def test_lists(self):
        for way in LISTS:
            for word in ("gme", "$GME", "GME\u200b", "'GME'", "G\u041cE"):
                with self.subTest(way=way, word=word):
                    more = 'lists:\n  more: [AMC]\n  banned:\n    - %s\n'
                    self.loads(self.policy(custom(way, more % "GME")))
                    used = f"with which {'order.underlying' if 'underlying' in way else 'order.symbol'} is compared"
                    self.never(self.policy(custom(way, more % quoted(word))), ("6:7", word, used))
                    more = "lists:\n  more: [AMC]\n  banned: {file: banned.txt}\n"
                    self.file("banned.txt", "# the desk's\nGME\n")
                    self.loads(self.policy(custom(way, more)))
                    self.file("banned.txt", f"# the desk's\n  {word} # of today\n")
                    done = self.gate("check", "-p", self.policy(custom(way, more)), input=order().encode())
                    self.assertEqual(done.returncode, 3)
                    self.assertIn(f"banned.txt:2:3: error: no symbol is '{word}', {used}: ", done.stderr.decode())

    def test_each_word_of_a_list_once(self):
        text_ = "lists: {banned: [GME, amc, A, b, b]}\ncustom:\n" + "".join(
            f"  - {{id: own-{i}, require: \"!(order.symbol in lists.banned)\"}}\n" for i in range(3))
        used = "with which order.symbol is compared"
        self.never(self.policy(text_), ("3:23", "amc", used), ("3:31", "b", used), ("3:34", "b", used))

    def test_what_is_not_compared_with_a_symbol_alone(self):
        for require in ("order.tag != 'gme'", "!(order.tag in ['gme'])", "!(order.tag in lists.banned)",
                        "(order.opens ? order.symbol : order.tag) != 'gme'",
                        "!([order.symbol, order.tag].exists(s, s == 'gme'))",
                        "order.symbol + '' != 'gme'", "!('gme' in [order.symbol, order.tag])", "order.symbol < 'gme'",
                        "!(order.tag in lists.banned) && !(order.symbol in lists.good)",
                        "lists.good[0] != order.symbol && lists.banned[1] != order.symbol",
                        "!order.symbol.matches('(?i)^gme$')", "account.id != 'a/b'"):
            with self.subTest(require):
                self.loads(self.policy(custom(require, "lists: {banned: ['gme', GME, 'B B'], good: [GME]}\n")))

    def test_lists_of_layers(self):
        """A layer below compares, the one above has the list; a locked rule's list; the floor's."""
        rule = "custom:\n  - {id: own, require: \"!(order.symbol in lists.banned)\"%s}\n"
        for lock in ("", ", level: refuse, lock: true"):
            self.policy("lists: {banned: [GME]}\n" + rule % lock, "firm.yaml")
            over = self.policy("lists: {banned: [gme]}\n", extends="[firm.yaml]")
            self.assertIn("[locked-loosened]" if lock else "3:18: error: no symbol is 'gme'", self.faults(over)[0])
            self.policy("lists: {banned: [gme]}\n" + rule % lock, "firm.yaml")
            found = self.faults(self.policy("", extends="[firm.yaml]"))
            self.assertEqual(len(found), 1, found)
            self.assertIn("no symbol is 'gme'", found[0])
            if not lock:
                self.loads(self.policy("lists: {banned: [GME]}\n", extends="[firm.yaml]"))
        floor = "lists: {held: [gme]}\n" + (rule % "").replace("banned", "held").replace("own", "held")
        self.policy(floor, "floor.yaml")
        done = self.gate("lint", "--floor", "floor.yaml", self.policy(""))
        self.assertIn(b"floor.yaml:3:16: error: no symbol is 'gme'", done.stdout)

    def test_groups_and_weights(self):
        for rule, bad, weight in (("group-limit", "NVDA ", ""), ("weighted-exposure", "NV/DA", "=1.5"),
                                  ("group-limit", "$NVDA", ""), ("group-limit", "G\u041cE", "")):
            with self.subTest(bad):
                text_ = (f"lists: {{semis: [AMD{weight}, '%s{weight}']}}\nrules:\n  {rule}:\n    level: refuse\n"
                         "    limits: [semis gross 5, semis net 9]\n")
                self.assertEqual(self.faults(self.policy(text_ % "nvda")), [])  # these limits count without case
                path = self.policy(text_ % bad)
                self.never(path, (place(path, f"'{bad}"), bad, "which limit 'semis gross 5' counts"))

    def test_settings(self):
        rules = "rules:\n  allowed-symbols: {level: refuse, %s: [AMC, %s]}\n"
        for word in NEVER:
            small = word.upper() != word and word.replace(".", "").isalnum() and word.isascii()
            small = small and (len(word) <= 12 or NEVER[word])
            for key in ("allowed", "barred"):
                with self.subTest(word=word, key=key):
                    path = self.policy(rules % (key, quoted(word)))
                    if small:  # `barred` is without case, and `allowed` refuses what it does not find
                        self.loads(path)
                    else:
                        self.never(path, (place(path, quoted(word)), word, f"which '{key}' has"))

    def test_patterns_of_overrides(self):
        rules = ("rules:\n  order-notional:\n    level: refuse\n    most: 500\n    overrides:\n"
                 "      - {match: {symbol: %s}, most: 5}\n")
        for pattern, word in (("gme", "gme"), ("^gme$", "gme"), ("^(GME|amc)$", "amc"), ("Gme", "Gme"),
                              ("BRK/B", "BRK/B"), ("brk.b", "brk.b"), ("G\u041cE", "G\u041cE"),
                              ("GME\u200b", "GME\u200b"), ("GME ", "GME "), ("(A|B|'C')", "'C'")):
            with self.subTest(pattern):
                path = self.policy(rules % quoted(pattern))
                self.never(path, (place(path, word), word, "which the pattern asks for"))
        for pattern in ("GME", "^(GME|AMC)$", "BRK.B", "(?i)gme", "[a-z]+", "^[Gg]me$", "gme.*", "\\\\w+",
                        "", "^A$|^B$",
                        "x?GME", "GME-A_B", "^$"):
            with self.subTest(pattern):
                if pattern:
                    self.loads(self.policy(rules % f'"{pattern}"'))
        for key in ("tag", "account"):
            self.loads(self.policy((rules % "gme").replace("symbol", key)))

    def test_lint_repairs_them(self):
        used = (("lists:\n  banned: [AMC, %s]\n", "!(order.symbol in lists.banned)"), ("", "order.symbol != \"%s\""),
                ("", "!(order.symbol in ['AMC', '%s'])"))
        for word, meant in (("gme", "GME"), ("$GME", "GME"), ("BRK/B", "BRK.B")):
            for more, require in used:
                with self.subTest(word=word, require=require):
                    path = self.policy(custom(require.replace("%s", word), more.replace("%s", word)))
                    self.gate("lint", "--fix", path)
                    with open(path, encoding="utf-8") as f:
                        self.assertEqual(f.read(), "ordergate: 1\nextends: []\n" +
                                         custom(require.replace("%s", meant), more.replace("%s", meant)))

    def test_every_program_that_loads(self):
        path = self.policy(custom("order.symbol != 'gme'"))
        for command in (["check", "-p", path], ["policy", "show", path], ["policy", "digest", path],
                        ["explain", "-p", path, "own"], ["policy", "diff", path, path]):
            done = self.gate(*command, input=b"")
            self.assertEqual(done.returncode, 3, (command, done.stderr))
            self.assertIn(b"p.yaml:6:24: error: no symbol is 'gme'", done.stderr)
        send = os.path.join(os.environ["OG_BIN"], "ordergate-send")
        done = subprocess.run([send, "-p", path, "--ledger", os.path.join(self.dir.name, "l.db")], input=b"",
                              capture_output=True, timeout=600, check=False)
        self.assertIn(b"p.yaml:6:24: error: no symbol is 'gme'", done.stderr)


if __name__ == "__main__":
    unittest.main()
