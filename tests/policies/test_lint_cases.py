"""Policies with and without errors.

bad/NAME.yaml: `ordergate lint NAME.yaml`, run in its folder, prints exactly NAME.out. good/NAME.yaml: nothing is
printed, and the output of `policy show` is a valid policy whose own output is the same. Also: the shipped policies
are clean, default names every rule, and reference.yaml is what `policy defaults` prints.
"""
import glob
import json
import os
import re
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GATE = os.path.join(os.environ["OG_BIN"], "ordergate")
AT = "2034-12-01T15:00:00Z"  # the ends in the policies are near


def gate(*args, cwd=HERE, **more):
    return subprocess.run([GATE, *args], cwd=cwd, capture_output=True, timeout=600, **more)


def names(folder):
    found = sorted(os.path.basename(p) for p in glob.glob(os.path.join(HERE, folder, "*.yaml")))
    assert len(found) > 2, folder
    return found


class Bad(unittest.TestCase):
    def test_each_prints_what_is_expected(self):
        codes = set()
        for name in names("bad"):
            with self.subTest(name):
                with open(os.path.join(HERE, "bad", name[:-5] + ".out"), "rb") as f:
                    expected = f.read()
                p = gate("lint", name, cwd=os.path.join(HERE, "bad"))
                self.assertEqual(p.stdout.decode(), expected.decode())
                self.assertEqual(p.stderr, b"")
                self.assertEqual(p.returncode, 1 if b": error: " in expected else 0)
                strict = gate("lint", "--strict", name, cwd=os.path.join(HERE, "bad"))
                self.assertEqual((strict.returncode, strict.stdout), (1, expected))
                codes.update(re.findall(rb"\[([a-z0-9-]+)\]$", expected, re.M))
        self.assertGreaterEqual(len(codes), 24, sorted(codes))

    def test_every_line_has_the_form_of_the_contract(self):
        for path in glob.glob(os.path.join(HERE, "bad", "*.out")):
            with open(path, encoding="utf-8") as f:
                for line in f:
                    self.assertRegex(line,
                                     r"^[\w.-]+:[1-9]\d*:[1-9]\d*: (error|warning): [^A-Z].*[^.] \[[a-z0-9-]+\]\n$")


class Good(unittest.TestCase):
    def shown(self, path):
        p = gate("policy", "show", path, cwd=os.path.join(HERE, "good"))
        self.assertEqual((p.returncode, p.stderr), (0, b""), path)
        return p.stdout

    def test_each_is_clean_and_shows_as_itself(self):
        shipped = [os.path.join(ROOT, "policies", n + ".yaml") for n in (
            "default", "paper", "live", "cautious", "small-account", "options-income", "short-seller", "reference")]
        for name in names("good") + shipped:
            with self.subTest(name):
                p = gate("lint", "--strict", "--at", AT, name, cwd=os.path.join(HERE, "good"))
                self.assertEqual((p.returncode, p.stdout, p.stderr), (0, b"", b""))
                first = self.shown(name)
                with tempfile.NamedTemporaryFile(suffix=".yaml") as f:
                    f.write(first)
                    f.flush()
                    self.assertEqual(gate("lint", "--strict", "--at", AT, f.name).returncode, 0)
                    self.assertEqual(self.shown(f.name), first)

    def test_what_a_layer_says_is_in_force(self):
        text = self.shown("desk.yaml").decode()
        for piece in ("name: \"desk\"", "environment: live", "  quotes: 500ms\n", "  borrow: any\n", "  routes: 2h\n",
                      "  account: 10s\n", "  opposite-orders:\n    level: warn\n", "  borrow-locate:\n    level: off\n",
                      "    margin: 30s\n    closed: []\n    holidays: [\"2026-01-01\", \"2026-12-25\"]\n    "
                      "early_closes: []\n",
                      "reasons: {market-holiday: refuse, market-near-boundary: refuse, limit-day-queues: warn}",
                      "    one_sided: strict\n", "    away: 2.5%\n",
                      "      - match: {symbol: \"^(SPY|QQQ)$\", securityType: [Stock]}\n"
                      "        level: refuse\n        unsure: refuse\n"
                      "        reasons: {limit-away-from-quote: refuse, stop-away-from-market: refuse, "
                      "limit-without-quote: warn}\n"
                      "        away: 0.5%\n",
                      "      - match: {account: \"PAPER\\\\d+\", securityType: [Option, Mleg], side: [Buy],"
                      " orderType: [Limit, StopLimit]}\n"
                      "        level: info\n        unsure: warn\n"
                      "        reasons: {limit-away-from-quote: refuse, stop-away-from-market: info, "
                      "limit-without-quote: info}\n"
                      "        away: 2.5%\n"):
            self.assertIn(piece, text)

    def test_shipped_names_are_the_files(self):
        for name in ("default", "paper", "live", "cautious", "small-account", "options-income", "short-seller"):
            self.assertEqual(self.shown(name), self.shown(os.path.join(ROOT, "policies", name + ".yaml")))
            self.assertIn(f'name: "{name}"\n', self.shown(name).decode())


class Shipped(unittest.TestCase):
    def test_default_names_every_rule_in_the_registers_order(self):
        rules = [r["id"] for r in json.loads(gate("rules", "--json").stdout)]
        with open(os.path.join(ROOT, "policies", "default.yaml"), encoding="utf-8") as f:
            self.assertEqual(re.findall(r"^  ([a-z-]+):", f.read(), re.M), rules)

    def test_reference_is_up_to_date(self):
        p = gate("policy", "defaults")
        with open(os.path.join(ROOT, "policies", "reference.yaml"), "rb") as f:
            self.assertEqual(f.read().decode(), p.stdout.decode(),
                             "run: ordergate policy defaults > policies/reference.yaml")
        self.assertEqual(p.returncode, 0)

    def test_reference_has_every_setting_and_every_reason(self):
        text = gate("policy", "defaults").stdout.decode()
        flat = re.sub(r"\n *# ", " ", text)
        for rule in json.loads(gate("rules", "--json").stdout):
            self.assertIn(f"\n  {rule['id']}:", text)
            for setting in rule["settings"]:
                self.assertRegex(text, rf"\n    (# )?{setting['key']}: ")
            for reason in rule["reasons"]:
                self.assertIn(f"{reason['id']} ({reason['level']})", flat)

    def test_reference_decides_as_default_but_for_the_duties_default_adds(self):
        def rules(name):
            text = gate("policy", "show", name).stdout.decode()
            return re.sub(r"    reasons: .*\n", "", text[text.index("rules:"):])
        self.assertEqual(rules(os.path.join(ROOT, "policies", "reference.yaml")), rules("default"))

    def test_live_is_what_the_contract_prints(self):
        text = gate("policy", "show", "live").stdout.decode()
        self.assertIn("\nunsure: refuse\n", text)
        for age in ("account: 10s", "positions: 10s", "orders: 10s", "quotes: 2s", "borrow: 5m", "locates: 10s",
                    "routes: 1h"):
            self.assertIn(f"  {age}\n", text)
        self.assertNotIn("environment:", text)  # the user declares it, a shipped policy does not

    def test_cautious_only_tightens_live(self):
        def levels(name):
            text = gate("policy", "show", name).stdout.decode()
            return re.findall(r"^  ([a-z-]+):\n    level: (\w+)\n    unsure: (\w+)$", text, re.M)
        for cautious, live in zip(levels("cautious"), levels("live"), strict=True):
            self.assertEqual(cautious[0], live[0])
            weights = ("off", "info", "warn", "refuse")
            self.assertGreaterEqual(weights.index(cautious[1]), weights.index(live[1]), cautious[0])
            if live[1] != "off":  # what live leaves off, cautious may do in part
                self.assertEqual(cautious[2], live[2], cautious[0])
        text = gate("policy", "show", "cautious").stdout.decode()
        for reasons in re.findall(r"reasons: \{(.*)\}", text):
            self.assertEqual({r.split(": ")[1] for r in reasons.split(", ")}, {"refuse"})


class Extends(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def file(self, name, text):
        path = os.path.join(self.dir.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write("ordergate: 1\n" + text)
        return path

    def show(self, *names, code=0):
        p = gate("policy", "show", *names, cwd=self.dir.name)
        self.assertEqual(p.returncode, code, p.stderr)
        return p.stdout.decode()

    def level(self, rule, *names):
        return re.search(rf"^  {rule}:\n    level: (\w+)$", self.show(*names), re.M).group(1)

    def test_without_extends_a_policy_stands_on_default(self):
        a = self.file("a.yaml", "rules: {route: warn}\n")
        self.assertEqual(self.level("route", a), "warn")
        self.assertEqual(self.level("market-hours", a), "refuse")

    def test_on_nothing_only_locked_rules_are_left(self):
        a = self.file("a.yaml", "extends: []\nrules: {route: warn}\n")
        text = self.show(a)
        on = re.findall(r"^  ([a-z-]+):\n    level: (?!off)\w+$", text, re.M)
        self.assertEqual(on, ["order-form", "request-fields", "route"])

    def test_later_wins_among_bases_and_the_policy_itself_over_all(self):
        self.file("b.yaml", "rules: {route: warn, account: warn, buying-power: info}\n")
        self.file("c.yaml", "rules: {route: info, account: info}\n")
        a = self.file("a.yaml", "extends: [b.yaml, c.yaml]\nrules: {account: off}\n")
        self.assertEqual([self.level(r, a) for r in ("route", "account", "buying-power")], ["info", "off", "info"])

    def test_a_shared_base_does_not_cover_what_stands_on_it(self):
        self.file("b.yaml", "rules: {route: warn}\n")  # stands on default
        self.file("c.yaml", "rules: {account: warn}\n")  # likewise: default must not put route back
        a = self.file("a.yaml", "extends: [b.yaml, c.yaml]\n")
        self.assertEqual([self.level(r, a) for r in ("route", "account")], ["warn", "warn"])

    def test_several_p_lie_over_one_another_in_order(self):
        b = self.file("b.yaml", "rules: {route: warn, account: info}\n")
        self.assertIn("\nunsure: refuse\n", self.show("live", b))
        self.assertEqual([self.level(r, "live", b) for r in ("route", "account", "market-hours")],
                         ["warn", "info", "refuse"])
        self.assertIn('name: "live+b"\n', self.show("live", b))

    def test_paths_are_relative_to_the_file(self):
        self.file("x/base.yaml", "rules: {route: info}\n")
        self.file("x/y/mid.yaml", "extends: [../base.yaml]\n")
        a = self.file("a.yaml", "extends: [x/y/mid.yaml]\n")
        self.assertEqual(self.level("route", a), "info")
        self.assertEqual(self.level("route", "a.yaml"), "info")

    def test_a_later_level_caps_reasons_set_below(self):
        b = self.file("b.yaml", "extends: [live]\nrules: {client-order-id: warn}\n")
        self.assertIn("reasons: {client-order-id-used-uncertain: warn, client-order-id-missing: warn}", self.show(b))
        c = self.file("c.yaml", "extends: [live]\nrules: {client-order-id: refuse}\n")
        self.assertIn("client-order-id-missing: refuse", self.show(c))

    def test_overrides_start_from_the_rules_own_settings_wherever_set(self):
        self.file("b.yaml", "rules: {price-collar: {away: 1%, overrides: [{match: {symbol: A}, level: info}]}}\n")
        a = self.file("a.yaml", "extends: [b.yaml]\nrules: {price-collar: {away: 3%}}\n")
        self.assertIn('      - match: {symbol: "A"}\n        level: info\n        unsure: warn\n        away: 3%\n',
                      self.show(a))

    def test_overrides_stand_before_those_below(self):
        self.file("b.yaml", "rules: {price-collar: {overrides: [{match: {symbol: A}, away: 1%}]}}\n")
        a = self.file("a.yaml",
                      "extends: [b.yaml]\nrules: {price-collar: {overrides: [{match: {symbol: B}, away: 2%}]}}\n")
        c = self.file("c.yaml", "extends: [b.yaml]\nrules: {price-collar: {overrides: []}}\n")
        self.assertEqual(re.findall(r"symbol: (.*)}", self.show(a)), ['"B"', '"A"'])
        self.assertNotIn("overrides", self.show(c))

    def test_what_a_later_layer_says_holds_in_overrides_below(self):
        base = self.file("b.yaml",
                         "rules: {price-collar: {level: warn, away: 9%, reasons: {limit-away-from-quote: info}, "
                         "overrides: [{match: {symbol: A}, level: warn, away: 10%, mode: shadow, "
                         "reasons: {limit-away-from-quote: warn}}]}}\n")
        self.assertTrue(base)
        for said, shown in (("away: 5%", "away: 5%"), ("away: 20%", "away: 10%"), ("level: refuse", "level: refuse"),
                            ("level: info", "level: warn"), ("mode: enforce", "away: 10%"),
                            ("reasons: {limit-away-from-quote: refuse}", "limit-away-from-quote: refuse}"),
                            ("reasons: {limit-away-from-quote: off}", "limit-away-from-quote: warn}"),
                            ("lock: true", "mode: shadow")):
            with self.subTest(said):
                a = self.file("a.yaml", f"extends: [b.yaml]\nrules: {{price-collar: {{{said}}}}}\n")
                self.assertIn(shown, self.show(a).split('match: {symbol: "A"}')[1].split("\n  rejection")[0])
        for mode in ("enforce", "warn"):
            a = self.file("a.yaml", "extends: [b.yaml]\nrules: {price-collar: {mode: %s}}\n" % mode)
            self.assertNotIn("shadow", self.show(a))

    def test_a_collar_over_live_is_what_it_says(self):
        """The policy of README's example, once its mistake is fixed."""
        a = self.file("a.yaml", "extends: [live]\nrules: {price-collar: {level: refuse, away: 5%}}\n")
        collar = self.show(a).split("\n  price-collar:")[1].split("\n  account:")[0]
        self.assertNotRegex(collar, r"\baway: 10%")
        b = self.file("c.yaml",
                      "extends: [live]\nrules: {price-collar: {overrides: [{match: {symbol: SPY}, away: 1%}]}}\n")
        collar = self.show(b).split("\n  price-collar:")[1].split("\n  account:")[0]
        self.assertRegex(collar, r"(?s)symbol: .SPY.*away: 1%.*securityType: \[Stock\].*away: 10%")

    def test_rules_unsure_stays_when_the_policys_changes(self):
        self.file("b.yaml", "unsure: warn\nrules: {route: {unsure: warn}}\n")
        a = self.file("a.yaml", "extends: [b.yaml]\nunsure: refuse\n")
        text = self.show(a)
        self.assertIn("  route:\n    level: refuse\n    unsure: warn\n", text)
        self.assertIn("  account:\n    level: refuse\n    unsure: refuse\n", text)

    def test_a_policy_is_called_as_it_says_or_as_its_file(self):
        a = self.file("my desk.v2.yaml", "rules: {route: warn}\n")
        self.assertIn('name: "my-desk.v2"\n', self.show(a))
        p = gate("policy", "show", "-", input=b"ordergate: 1\n", cwd=self.dir.name)
        self.assertIn(b'name: "stdin"\n', p.stdout)

    def test_digest_is_of_what_show_prints(self):
        import hashlib
        a = self.file("a.yaml", "name: mine\nrules: {route: warn}\n")
        digest = gate("policy", "digest", a).stdout.decode()
        self.assertEqual(digest, "mine@sha256:" + hashlib.sha256(self.show(a).encode()).hexdigest() + "\n")

    def test_a_file_that_others_may_write_is_refused_also_as_a_base(self):
        b = self.file("b.yaml", "rules: {route: warn}\n")
        a = self.file("a.yaml", "extends: [b.yaml]\n")
        self.assertEqual(gate("policy", "digest", a).returncode, 0)
        os.chmod(b, 0o646)
        p = gate("lint", a)
        self.assertEqual((p.returncode, p.stdout.decode()),
                         (1,
                          f"{a}:2:11: error: 'b.yaml' may be written by others: chmod o-w it [extends-unreadable]\n"))
        p = gate("lint", b)
        self.assertEqual((p.returncode, p.stdout.decode()),
                         (1, f"{b}: error: this file may be written by others: chmod o-w it [file-unsafe]\n"))
        self.assertEqual(gate("policy", "show", b).returncode, 3)
        os.chmod(b, 0o664)  # members of the group could change what may be sent
        self.assertEqual(gate("policy", "show", a).returncode, 3)
        os.chmod(b, 0o644)
        self.assertEqual(gate("policy", "show", a).returncode, 0)


if __name__ == "__main__":
    unittest.main()
