"""policies/desk-book: each of the 25 requirements of the rule book has its line in the policies and an order on both
sides of its bound with the number that the book has, or is named as one that cannot be said yet; the desk cannot
loosen the firm, and two people sign.

OG_BIN names the folder of the programs (CTest sets it).
"""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BOOK = os.path.join(ROOT, "policies", "desk-book")
GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
NOT_SAID = {20}
TRIED_HERE = {23, 24}
# the numbers of the book, as the desk's effective policy has them; those of overrides and own rules are in the cases
NUMBERS = {
    1: ("order-notional", {"most": "50000", "exits": "bind"}),
    2: ("order-quantity-limit", {"shares": "5000", "contracts": "100", "exits": "bind"}),
    3: ("traded-limit", {"notional": "1000000", "exits": "bind"}),
    4: ("concentration", {"most": "10%"}),
    5: ("price-collar", {"away": "5%", "cheap_below": "5", "cheap_away": "10%", "pre_market_away": "20%",
                         "against": "quote-and-last"}),
    6: ("order-rate", {"a_minute": "30", "a_day": "500", "exits": "bind"}),
    7: ("repeated-order", {"window": "10s", "most": "10", "exits": "bind"}),
    10: ("uncovered-options", {"allow": "puts", "puts": "cash-secured"}),
    14: ("day-loss", {"of_equity": "3%", "latch": "until-resumed"}),
    16: ("order-tag", {"from": "prefix", "separator": "hyphen"}),
    18: ("group-limit", {"limits": '["semis gross 25%"]'}),
    19: ("weighted-exposure", {"limits": '["betas net 300000"]'}),
    21: ("self-cross", {"exits": "bind"}),
    25: ("rejection-streak", {"most": "5", "latch": "until-resumed"}),
    "25 too": ("unknown-outcomes", {"most": "0"}),
}
# what a desk might write over the firm, by rule
LOOSER = {
    "order-notional": ["{most: 50001}"], "order-quantity-limit": ["{contracts: 101}"],
    "traded-limit": ["{notional: 1000001}", "{exits: pass}"], "concentration": ["{most: 11%}"],
    "price-collar": ["{away: 6%}"], "order-rate": ["{a_minute: 31}"], "repeated-order": ["{most: 11}"],
    "borrow-locate": ["warn"], "uncovered-options": ["{puts: any}"], "day-loss": ["{of_equity: 4%}", "{latch: day}"],
    "market-hours": ["{reasons: {market-holiday: warn}}"], "group-limit": ["{limits: [semis gross 26%]}"],
    "weighted-exposure": ["{limits: [betas net 300001]}", "{limits: [betas gross 300000]}"],
    "self-cross": ["{exits: pass}", "{reasons: {stop-crosses-own-order: warn}}"],
    "rejection-streak": ["{most: 6}", "{latch: off}"], "trading": ["warn"],
    "unknown-outcomes": ["{most: 1}", "warn"]}


def read(name):
    with open(os.path.join(BOOK, name), encoding="utf-8") as f:
        return f.read()


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=600)


class Book(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        self.book = shutil.copytree(BOOK, os.path.join(self.dir.name, "desk-book"))

    def path(self, name):
        return os.path.join(self.book, name)

    def test_each_requirement_is_named(self):
        named = {int(n) for name in ("firm.yaml", "desk.yaml")
                 for n in re.findall(r"^ *# (\d+): ", read(name), re.M)}
        self.assertEqual(named, set(range(1, 26)))

    def test_each_that_is_said_has_cases(self):
        cases = set()
        for name in re.findall(r"^  - name: (.*)", read("desk_test.yaml"), re.M):
            cases |= {int(n) for n in re.match(r"(?:(\d+) )?(?:and (\d+) )?", name).groups() if n}
        self.assertEqual(cases, set(range(1, 26)) - NOT_SAID - TRIED_HERE)
        p = run(GATE, "test", "--coverage", "--coverage-least", "100%", BOOK)
        self.assertEqual(p.returncode, 0, p.stdout)

    def test_the_numbers_are_those_of_the_book(self):
        p = run(GATE, "policy", "show", self.path("desk.yaml"))
        self.assertEqual(p.returncode, 0, p.stderr)
        for number, (rule, settings) in NUMBERS.items():
            block = re.search(r"^  %s:\n((?:    .*\n)*)" % rule, p.stdout, re.M)[1]
            seen = dict(re.findall(r"^    (\w+): (.*)", block, re.M))
            self.assertEqual(seen.get("level"), "refuse", number)
            self.assertEqual({key: seen.get(key) for key in settings}, settings, number)

    def test_it_is_clean(self):
        files = [os.path.join(BOOK, name) for name in ("firm.yaml", "desk.yaml")]
        p = run(GATE, "lint", "--strict", *files)
        self.assertEqual((p.returncode, p.stdout + p.stderr), (0, ""))
        p = run(GATE, "fmt", "--check", *files, os.path.join(BOOK, "desk_test.yaml"))
        self.assertEqual((p.returncode, p.stdout), (0, ""))

    def test_24_the_desk_may_not_loosen_the_firm(self):
        locked = set(re.findall(r"^  ([a-z-]+):(?: \{.*lock: true\}|\n(?:    .*\n)*?    lock: true)", read("firm.yaml"),
                                re.M))
        self.assertEqual(locked, set(LOOSER))
        for rule, setting in [(rule, setting) for rule, settings in LOOSER.items() for setting in settings]:
            with open(self.path("looser.yaml"), "w", encoding="utf-8") as f:
                f.write(f"ordergate: 1\nname: looser\nextends: [desk.yaml]\nrules:\n  {rule}: {setting}\n")
            p = run(GATE, "check", "-p", self.path("looser.yaml"), "/dev/null")
            self.assertEqual(p.returncode, 3, (rule, setting, p.stderr))
            self.assertIn("[locked-loosened]", p.stderr, (rule, setting))

    def test_23_two_people_sign(self):
        for who in ("ann", "ben"):
            run("openssl", "genpkey", "-algorithm", "ed25519", "-out", self.path(who))
            run("openssl", "pkey", "-in", self.path(who), "-pubout", "-out", self.path(who + ".pub"))
            os.chmod(self.path(who), 0o600)
        verify = [GATE, "policy", "verify", "--key", self.path("ann.pub"), "--key", self.path("ben.pub"), "--need", "2",
                  self.path("desk.yaml")]
        for who, code in (("ann", 3), ("ben", 0)):
            p = run(GATE, "policy", "sign", "--key", self.path(who), self.path("desk.yaml"))
            self.assertEqual(p.returncode, 0, p.stderr)
            p = run(*verify)
            self.assertEqual(p.returncode, code, p.stderr)


if __name__ == "__main__":
    unittest.main()
