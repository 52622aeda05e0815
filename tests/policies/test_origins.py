#!/usr/bin/env python3
"""ordergate policy explain and policy show --origins: over random layers, the reported value for an order is the one
that decides it, and the reported line is the one that sets it. Also for the shipped policies, and for input that
cannot be used."""
import json
import os
import random
import re
import unittest

from policy_case import NOON, PolicyCase, order
import test_random

SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "policies")
LEVELS, MODES, UNSURE = ["refuse", "warn", "info", "off"], ["enforce", "warn", "shadow"], ["refuse", "warn"]


def quoted(value):
    return json.dumps(value)


class Origins(PolicyCase):
    SEED, COUNT = int(os.environ.get("OG_SEED", 20261129)), int(os.environ.get("OG_COUNT", 8))
    texts, loads = staticmethod(test_random.Policies.texts), test_random.Policies.loads

    def setUp(self):
        super().setUp()
        self.rules = [r for r in json.loads(self.gate("rules", "--json").stdout) if "order" in r["decides"]]
        self.settings = {(r["id"], s["key"]): (r, s) for r in self.rules for s in r["settings"]}

    def layers(self, seed):
        """Returns (maker, paths of a policy and of the layers below it, each of which extends the next), or None if
        they do not load."""
        m = test_random.Maker(seed, self.rules)
        base, own = m.policy(0.5, 0.02, extends=m.rng.choice(["[]", "[live]", "[default]", "[cautious]"]))
        self.file("base.yaml", base)
        names = [m.rng.sample([r["id"] for r in self.rules], 12) for _ in range(2)]
        self.file("desk.yaml", m.layer(set(names[0]), own).replace("name: layer", "name: desk"))
        top = self.file("top.yaml", m.layer(set(names[1]), own).replace("name: layer", "name: top")
                        .replace("[base.yaml]", "[desk.yaml]"))
        return (m, top) if self.loads(top) else None

    def told(self, *args, **more):
        done = self.gate("policy", *args, **more)
        self.assertEqual((done.returncode, done.stderr), (0, b""), args)
        return json.loads(done.stdout)

    def origins(self, path):
        """Returns the settings of a policy that --origins prints, by rule, override and key."""
        return {(r["rule"], r["override"] and r["override"]["index"], s["key"]): s
                for r in self.told("show", "--origins", "--json", path)["rules"] for s in r["settings"]}

    # --- which value is in effect ---

    def flat(self, told, shown):
        """Returns a policy without layers and overrides that has, for every rule, the settings reported for the
        order."""
        text, rules, custom = "ordergate: 1\nname: flat\nextends: []\n", "", ""
        for r in told["rules"]:
            said = {s["key"]: s["value"] for s in r["settings"] if s["value"] is not None}
            if r["rule"] is None:
                ages = {k[8:]: v for k, v in said.items() if k.startswith("max_age.")}
                text += f"max_age: {{{', '.join(f'{k}: {v}' for k, v in ages.items())}}}\n"
                text += "".join(f"{k}: {v}\n" for k, v in said.items() if "." not in k)
            elif r["custom"]:
                custom += f"  - id: {r['rule']}\n" + "".join(f"    {k}: {quoted(v)}\n" for k, v in said.items())
            else:
                levels = {k[8:]: v for k, v in said.items() if k.startswith("reasons.")}
                rules += f"  {r['rule']}:\n" + "".join(f"    {k}: {v}\n" for k, v in said.items() if "." not in k)
                rules += f"    reasons: {{{', '.join(f'{k}: {v}' for k, v in levels.items())}}}\n" if levels else ""
        lists = re.search(r"^lists:\n(  .*\n)*", shown, re.M)
        return text + (lists[0] if lists else "") + f"rules:\n{rules}" + (f"custom:\n{custom}" if custom else "")

    def cases(self, rng, count):
        """Yield (order, path of its facts or None) for cases of the rules."""
        found = []
        while len(found) < count:
            _, _, line, facts = rng.choice(test_random.CASES)
            text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
            try:
                document = json.loads(text)
                known = [json.loads(f) for f in facts]
            except ValueError:
                continue
            if not isinstance(document, dict) or document.get("op", "order") != "order" or len(known) > 1 or \
                    any(not isinstance(f, dict) or "op" in f for f in known) or "securityType" not in document:
                continue
            found.append((text.replace("\n", " "), self.file("f.json", facts[0]) if known else None))
            if known:
                os.rename(found[-1][1], f"{found[-1][1]}.{len(found)}")
                found[-1] = (found[-1][0], f"{found[-1][1]}.{len(found)}")
        return found

    def decision(self, path, line, facts, at):
        done = self.gate("check", "--at", at, "-p", path, *(["-f", facts] if facts else []), input=line.encode())
        if done.returncode == 3:
            return None
        self.assertIn(done.returncode, (0, 1), done.stderr)
        d = json.loads(done.stdout)
        del d["policy"]
        return d

    def compare(self, path, rng, count):
        """Returns how many orders were decided, and for how many of them an override was reported."""
        decided = overridden = 0
        shown, at = self.show(path), rng.choice(test_random.TIMES)
        for line, facts in self.cases(rng, count):
            told = self.gate("policy", "explain", "--json", "--at", at, "-p", path,
                             *(["-f", facts] if facts else []), "-", input=line.encode())
            expected = self.decision(path, line, facts, at)
            if expected is None or told.returncode:
                self.assertEqual(told.returncode, 3, told.stderr)
                continue
            told = json.loads(told.stdout)
            if any(r["applies"] == "unknown" for r in told["rules"]):
                self.assertTrue(all(r["why"] for r in told["rules"] if r["applies"] == "unknown"))
                continue
            flat = self.file("flat.yaml", self.flat(told, shown))
            self.assertEqual(self.decision(flat, line, facts, at), expected, f"{at} {facts} {line}\n{path}")
            decided += 1
            overridden += any(r["override"] for r in told["rules"])
        return decided, overridden

    def test_the_settings_told_alone_decide_the_same(self):
        decided = overridden = 0
        for i in range(self.COUNT):
            made = self.layers(self.SEED + i)
            if made:
                found = self.compare(made[1], made[0].rng, 12)
                decided, overridden = decided + found[0], overridden + found[1]
        self.assertGreater(decided, self.COUNT * 3)
        self.assertGreater(overridden, self.COUNT)

    def test_in_shipped_policies_too(self):
        rng = random.Random(self.SEED)
        for name in sorted(n[:-5] for n in os.listdir(SHIPPED) if n.endswith(".yaml")):
            if name in ("reference",) or b"\n" + name.encode() + b"\n" not in b"\n" + self.shipped():
                continue
            self.assertGreater(self.compare(name, rng, 4)[0], 0, name)

    def shipped(self):
        return b"default\npaper\nlive\ncautious\nsmall-account\noptions-income\nshort-seller\n"

    OPTION = {"securityType": "Option", "symbol": "AAPL260320C00100000"}
    BOUNDS = {("order-quantity-limit", "shares"): lambda n: ({"orderQuantity": n}, {"orderQuantity": n + 1}),
              ("order-notional", "most"): lambda n: ({"orderQuantity": n, "limitPrice": 1},
                                                     {"orderQuantity": n, "limitPrice": 1.01}),
              ("option-contracts", "an_order"): lambda n: ({"orderQuantity": n, **Origins.OPTION},
                                                           {"orderQuantity": n + 1, **Origins.OPTION})}

    def test_a_bound_told_is_where_decisions_change(self):
        rng, seen = random.Random(self.SEED), 0
        for n in range(self.COUNT * 2):
            for i, (rule, key) in enumerate(self.BOUNDS):
                values = [rng.randint(2, 900) for _ in range(6)]
                for k, layer in enumerate(["a", "b", "c"]):
                    value = values[2 * k:2 * k + 2]
                    match = rng.choice(["match: {symbol: AAPL}", "when: order.side == \"Buy\"",
                                        "match: {side: Sell}", "match: {securityType: [Stock, Option]}",
                                        "when: order.limitPrice > 100000.0"])
                    level = f"level: {rng.choice(['refuse', 'warn'])}, " if k == 0 or rng.random() < 0.3 else ""
                    over = f", overrides: [{{{match}, {key}: {value[1]}}}]" if rng.random() < 0.7 else ""
                    self.file(f"{layer}.yaml", f"ordergate: 1\nextends: [{['', 'a.yaml', 'b.yaml'][k]}]\n"
                              f"rules:\n  {rule}: {{{level}{key}: {value[0]}{over}}}\n")
                told = self.told("explain", "--json", "-p", "c.yaml", "--rule", rule, "--at", NOON,
                                 order(**self.BOUNDS[rule, key](1)[0]))
                by_key = {s["key"]: s for s in told["rules"][0]["settings"]}
                inside, outside = self.BOUNDS[rule, key](int(by_key[key]["value"]))
                found = [[f["level"] for f in d["findings"] if f["rule"] == rule]
                         for d in self.decide("c.yaml", [order(**inside), order(**outside)])]
                self.assertEqual(found, [[], [by_key["level"]["value"]]], (n, i, by_key[key]))
                seen += by_key[key]["from"]["kind"] == "override"
        self.assertGreater(seen, self.COUNT)

    # --- which line sets the value ---

    def others(self, rule, key, value):
        """Returns other values that the setting may have."""
        name = key.rsplit(".", 1)[0]
        words = {"level": LEVELS, "reasons": LEVELS, "mode": MODES, "unsure": UNSURE, "exits": ["pass", "bind"],
                 "max_age": ["1s", "5s", "1h", "3m", "any"], "environment": ["live", "paper"]}.get(name)
        setting = self.settings.get((rule, key))
        if setting and "choices" in setting[1]:
            words = setting[1]["choices"]
        elif setting and setting[1]["kind"] in test_random.SETTINGS:
            words = test_random.SETTINGS[setting[1]["kind"]]
        elif setting:
            words = ["[ZZZ]", "[]"]
        return [w for w in words or [quoted("order.orderQuantity < 77")] if w != value]

    @staticmethod
    def changed(text, line, column, value):
        """Returns the text in which the value that begins at that place is replaced."""
        lines = text.split("\n")
        row, rest = lines[line - 1][:column - 1], lines[line - 1][column - 1:]
        old = re.match(r'"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,}\n]+', rest)[0]
        lines[line - 1] = row + value + rest[len(old):]
        return "\n".join(lines)

    def test_a_change_in_the_line_told_changes_the_value(self):
        tried = moved = 0
        kinds = set()
        for i in range(self.COUNT):
            made = self.layers(self.SEED + 100 + i)
            if not made:
                continue
            m, top = made
            told = self.origins(top)
            lines = [(k, s) for k, s in told.items() if s["from"].get("file", "").endswith(".yaml")]
            for key, s in m.rng.sample(lines, min(20, len(lines))):
                path, came = s["from"]["file"], s["from"]
                path = os.path.join(self.dir.name, os.path.basename(path))
                with open(path, encoding="utf-8") as f:
                    text = f.read()
                results = []
                for value in self.others(key[0], key[2], s["value"])[:4]:
                    self.file(os.path.basename(path), self.changed(text, came["line"], came["column"], value))
                    done = self.gate("policy", "show", "--origins", "--json", top)
                    now = {(r["rule"], r["override"] and r["override"]["index"], k["key"]): k["value"]
                           for r in json.loads(done.stdout)["rules"] for k in r["settings"]} \
                        if done.returncode == 0 else None
                    results.append(now is None or now.get(key) != s["value"])
                self.file(os.path.basename(path), text)
                tried += 1
                moved += any(results)
                kinds.add(came["kind"])
                self.assertTrue(any(results), f"seed {self.SEED + 100 + i}: {key} {s}\n{text}")
        self.assertGreater(tried, self.COUNT * 5)
        self.assertEqual(kinds, {"rule", "override", "policy"})

    def test_what_is_hidden_is_what_is_written_there(self):
        seen = 0
        for i in range(self.COUNT):
            made = self.layers(self.SEED + 200 + i)
            for key, s in self.origins(made[1]).items() if made else []:
                for place in [s["from"], *s["hides"]]:
                    if not place.get("file", "").endswith(".yaml") or key[2] in ("message", "until"):
                        continue
                    with open(os.path.join(self.dir.name, os.path.basename(place["file"])), encoding="utf-8") as f:
                        rest = f.read().split("\n")[place["line"] - 1][place["column"] - 1:]
                    value = place.get("value", s["value"])
                    number = re.match(r"-?[\d.]+", rest)
                    if number:
                        self.assertEqual(test_random.amount(re.match(r"[\d.]+(%|ms|s|m|h)?", rest)[0]),
                                         test_random.amount(value), (key, place))
                    elif rest[0] not in "[\"'":
                        self.assertTrue(rest.startswith(value), (key, place, rest))
                    seen += 1
        self.assertGreater(seen, self.COUNT * 20)

    def test_a_value_that_is_taken_away_gives_way_to_what_it_hid(self):
        self.file("a.yaml", "ordergate: 1\nname: a\nextends: []\nrules:\n  order-notional:\n    level: warn\n"
                  "    most: 100\n    overrides:\n      - match: {symbol: AAPL}\n        most: 60\n")
        self.file("b.yaml", "ordergate: 1\nname: b\nextends: [a.yaml]\nrules:\n  order-notional:\n    most: 80\n"
                  "    overrides:\n      - when: order.side == \"Buy\"\n        most: 200\n"
                  "      - when: order.side == \"Sell\"\n        most: 70\n")
        left = []
        for _ in range(4):
            found = self.told("explain", "--json", "-p", "b.yaml", "--rule", "order-notional", order())["rules"][0]
            most = [s for s in found["settings"] if s["key"] == "most"][0]
            left.append((most["value"], most["from"]["layer"], most["from"]["kind"],
                         [(h["value"], h["layer"], h["line"]) for h in most["hides"]]))
            path = os.path.join(self.dir.name, most["from"]["file"])
            with open(path, encoding="utf-8") as f:
                lines = f.read().split("\n")
            lines[most["from"]["line"] - 1] = re.sub("most: .*", "slippage: 1%", lines[most["from"]["line"] - 1])
            self.file(most["from"]["file"], "\n".join(lines))
        self.assertEqual(left, [
            ("200", "b", "override", [("60", "a", 10), ("80", "b", 6), ("100", "a", 7)]),
            ("60", "a", "override", [("80", "b", 6), ("100", "a", 7)]), ("80", "b", "rule", [("100", "a", 7)]),
            ("100", "a", "rule", [])])

    def test_levels_of_reasons_in_overrides_of_several_layers(self):
        self.file("a.yaml", "ordergate: 1\nname: a\nextends: []\nrules:\n  order-notional:\n    level: refuse\n"
                  "    most: 100\n    overrides:\n      - match: {symbol: AAPL}\n"
                  "        reasons: {notional-above-limit: warn}\n")
        for said, value, layer, line in [("most: 50", "warn", "a", 10), ("level: info", "info", "b", 7),
                                         ("reasons: {notional-above-limit: refuse}", "refuse", "b", 7)]:
            self.file("b.yaml", "ordergate: 1\nname: b\nextends: [a.yaml]\nrules:\n  order-notional:\n    overrides:\n"
                      f"      - {{match: {{symbol: AAPL}}, {said}}}\n")
            found = self.told("explain", "--json", "-p", "b.yaml", "--rule", "order-notional", order())["rules"][0]
            told = [s for s in found["settings"] if s["key"] == "reasons.notional-above-limit"][0]
            self.assertEqual((told["value"], told["from"]["layer"], told["from"]["line"]), (value, layer, line), said)

    # --- overrides that may apply ---

    def test_each_setting_is_told_where_it_is_not_known_which_applies(self):
        self.policy("rules:\n  order-notional:\n    level: refuse\n    most: 10\n    overrides:\n"
                    "      - {when: quote.last > 5.0, most: 20}\n      - {match: {symbol: AAPL}, most: 30}\n"
                    "      - {match: {symbol: AAPL}, most: 40}\n")
        told = self.told("explain", "--json", "-p", "p.yaml", "--rule", "order-notional", order())["rules"]
        most = [[s for s in r["settings"] if s["key"] == "most"][0]["value"] for r in told]
        self.assertEqual([(r["applies"], r["override"]["index"], v) for r, v in zip(told, most, strict=True)],
                         [("unknown", 0, "20"), ("unknown", 1, "30")])
        self.assertEqual({r["why"] for r in told}, {"quotes of AAPL not known"})
        facts = self.file("f.json", json.dumps({"asOf": NOON, "quotes": {"AAPL": {"last": 4}}}))
        told = self.told("explain", "--json", "-p", "p.yaml", "--rule", "order-notional", "-f", facts, "--at", NOON,
                         order())["rules"]
        self.assertEqual([(r["applies"], r["override"]["index"]) for r in told], [("yes", 1)])
        self.assertEqual([h["value"] for s in told[0]["settings"] if s["key"] == "most" for h in s["hides"]],
                         ["40", "10"])

    def test_locks(self):
        self.file("firm.yaml", "ordergate: 1\nextends: []\nrules:\n"
                  "  order-notional: {level: refuse, most: 100, lock: true}\n"
                  "custom:\n  - {id: own, require: order.limitPrice > 1.0, lock: true}\n")
        self.policy("rules:\n  order-notional: {most: 50}\n  order-quantity-limit: {level: warn, shares: 5}\n",
                    extends="[firm.yaml]")
        locks = {r["rule"]: r["lock"] and (r["lock"]["layer"], r["lock"]["line"], r["lock"]["column"])
                 for r in self.told("show", "--origins", "--json", "p.yaml")["rules"]}
        self.assertEqual(locks["order-notional"], ("firm", 4, 52))
        self.assertEqual(locks["own"], ("firm", 6, 54))
        self.assertEqual(locks[None], ("firm", 4, 52))
        self.assertIsNone(locks["order-quantity-limit"])

    def test_text(self):
        self.file("base.yaml", "ordergate: 1\nextends: []\nrules:\n  order-notional: {level: warn, most: 100}\n")
        self.policy("rules:\n  order-notional:\n    overrides:\n      - match: {symbol: A.*}\n        most: 50\n",
                    extends="[base.yaml]")
        done = self.gate("policy", "explain", "-p", "p.yaml", "--rule", "order-notional", "--at", NOON, order())
        self.assertEqual(done.stderr, b"")
        self.assertEqual(done.stdout.decode().split("\n", 4)[4], """\
order-notional
  override 0, p.yaml:6:9 (p, an override)
    match: {symbol: "A.*"}
  level: warn
    set by base.yaml:4:27 (base)
  unsure: warn
    set by the built-in default
  mode: enforce
    set by the built-in default
  most: 50
    set by p.yaml:7:15 (p, an override)
    hides 100, base.yaml:4:39 (base)
  slippage: 0%
    set by the built-in default
  exits: pass
    set by the built-in default
""")

    def test_what_cannot_be_used(self):
        for word, code, text in [
                ("nix.json", 4, "'nix.json' does not exist"), ("{", 3, "expected one order as a JSON object"),
                ("{}x", 3, "expected one order as a JSON object"),
                ('{"op":"cancel","clientOrderId":"a"}', 3, "expected an order, this is another request")]:
            done = self.gate("policy", "explain", "-p", "live", word)
            self.assertEqual((done.returncode, done.stdout), (code, b""), word)
            self.assertIn(text, done.stderr.decode())
        for text in [b"", b"[1]", b"7", b"\0", order().encode() + b"\n" + order().encode()]:
            done = self.gate("policy", "explain", "-p", "live", "-", input=text)
            self.assertEqual((done.returncode, done.stdout), (3, b""), text)
        for args, code in [(["-p", "nix"], 3), (["-p", "live", "--rule", "nix"], 2), (["-p", "live", "{}", "{}"], 2),
                           (["-p", "live", "-f", "nix", "{}"], 3), (["-p", "live", "--at", "now", "{}"], 2)]:
            done = self.gate("policy", "explain", *args)
            self.assertEqual((done.returncode, done.stdout), (code, b""), args)
        self.assertEqual(self.gate("policy", "show", "--json", "live").returncode, 2)
        self.assertEqual(self.gate("policy", "show", "--origins", "nix").returncode, 3)


if __name__ == "__main__":
    unittest.main()
